/** The service in the notation of a client: faults, methods, links, and the checks of its options. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { createListService, type ServiceOptions } from '../../src/service/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  type Query,
} from '../../src/index.ts'
import {
  jsonApi,
  jsonServer,
  jsonServer1,
  nestPaginate,
  reactAdmin,
  strapi,
} from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'
import { issuesIn } from '../issues.ts'
import { collection, idsOf, notations, orders, rows, type Order } from './orders.ts'

const { compile, compileQuery } = memoryBackend()
const memory = {
  find: (query: Query) => compileQuery({ ...query, count: false })(rows).rows,
  count: ({ filter }: Query) => rows.filter(compile(filter)).length,
}
const listed = { collection, rows: memory, restriction: () => and() }

function serviceWith(options: Partial<ServiceOptions<object>>) {
  const errors: unknown[] = []
  const service = createListService<object>({
    authenticate: ({ headers }) => (headers.get('authorization') === null ? undefined : {}),
    collections: { orders: listed },
    onError: (error) => errors.push(error),
    ...options,
  })
  const ask = async (url: string, { headers, ...init }: RequestInit = {}) => {
    const all = { authorization: 'a', ...(headers as Record<string, string>) }
    const request = new Request(`http://x/api/${url}`, { ...init, headers: all })
    const answer = await service(request)
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as unknown,
    }
  }
  return { service, ask, errors }
}
const jsonOf = (problem: unknown) => JSON.parse(JSON.stringify(problem)) as Record<string, unknown>

describe('a caller who is restricted to held orders gets these alone', () => {
  const held = parseQueryOrThrow(collection, 'status=held').filter
  const service = createListService<object>({
    authenticate: () => ({}),
    collections: { orders: { collection, rows: memory, restriction: () => held } },
    notation: ({ url }) => notations[new URL(url).pathname.split('/')[1]!],
  })
  /** The statuses and the number of the rows that an answer shows. */
  const shownBy = async (name: string, query: string) => {
    const answer = await service(new Request(`http://x/${name}/api/orders?${query}`))
    const body = (await answer.json()) as readonly Order[] | { readonly data: readonly object[] }
    const found = (Array.isArray(body) ? body : (body as { data: readonly object[] }).data) as readonly (Order & {
      readonly attributes?: Order
    })[]
    expect(answer.status).toBe(200)
    return [[...new Set(found.map(({ status, attributes }) => status ?? attributes!.status))], found.length]
  }
  // Of 53 orders, 18 are held: each third one, from the second on.
  test.each([
    ['jsonServer', '', 18],
    ['jsonServer', 'id=1&id=2&id=3&id=5', 2],
    ['jsonServer', 'status=paid', 0],
    ['jsonServer1', '', 18],
    ['jsonServer1', '_where={"or":[{"status":{"eq":"paid"}},{"id":{"in":[1,2,3,5]}}]}', 2],
    ['jsonServer1', 'status=paid&_page=1', 0],
    ['reactAdmin', '', 18],
    ['reactAdmin', 'filter={"id":[1,2,3,5]}&range=[0,9]', 2],
    ['reactAdmin', 'filter={"status":"paid"}', 0],
    ['strapi', '', 18],
    ['strapi', 'filters[$or][0][status][$eq]=paid&filters[$or][1][id][$in][0]=2', 1],
    ['strapi', 'filters[$not][status][$eq]=held', 0],
    ['jsonApi', 'page[size]=40', 18],
    ['jsonApi', 'filter[id]=1,2,3,5', 2],
    ['jsonApi', 'filter[status][ne]=held', 0],
    ['nestPaginate', 'limit=40', 18],
    ['nestPaginate', 'filter.id=$in:1,2,3,5', 2],
    ['nestPaginate', 'filter.status=$not:held', 0],
  ])('%s: %s', async (name, query, length) => {
    expect(await shownBy(name, query)).toEqual([length === 0 ? [] : ['held'], length])
  })

  test('an object of JSON', async () => {
    const ask = async (object: object) => {
      const init = { method: 'QUERY', body: JSON.stringify(object), headers: { 'content-type': 'application/json' } }
      const answer = await service(new Request('http://x/none/api/orders', init))
      return idsOf(((await answer.json()) as { data: readonly Order[] }).data)
    }
    for (const name of ['id[in]', 'id.in']) expect(await ask({ [name]: [1, 2, 3, 5] })).toEqual([2, 5])
    expect(await ask({ or: '(status=paid,id=2)' })).toEqual([2])
    expect(await ask({ status: 'paid' })).toEqual([])
    expect(await ask({})).toHaveLength(10)
  })
})

describe('the body of a page', () => {
  const { ask } = serviceWith({ notation: jsonServer1 })
  const shown = async (query: string, init?: RequestInit) => {
    const { body } = await ask(`orders${query}`, init)
    if (Array.isArray(body)) return idsOf(body as Order[])
    const page = body as { readonly data: readonly Order[] }
    return { ...page, data: idsOf(page.data) }
  }

  // Of 53 rows, pages of 10 have three on the sixth page.
  test.each([
    ['?_page=1&_per_page=10', { prev: null, next: 2, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }],
    ['?_page=6', { prev: 5, next: null, data: [51, 52, 53] }],
    ['?_page=9', { prev: 8, next: null, data: [] }],
  ])('json-server 1: with _page, the numbers of pages: %s', async (query, expected) => {
    expect(await shown(query)).toEqual({ first: 1, last: 6, pages: 6, items: 53, ...expected })
  })

  test('json-server 1: no row has one page, and without _page, the rows are the body', async () => {
    const none = { first: 1, prev: null, next: null, last: 1, pages: 1, items: 0, data: [] }
    expect(await shown('?id=999&_page=1')).toEqual(none)
    expect(await shown('?id:in=2,5')).toEqual([2, 5])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await shown('', { method: 'QUERY', body: 'id=999&_page=1', headers })).toEqual(none)
    expect((await ask('orders/2')).body).toMatchObject({ id: 2 })
  })
})

describe('links by offset', () => {
  test('contain page[offset] where the request does, and the limit of the request', async () => {
    const { ask } = serviceWith({ notation: jsonApi })
    const linksOf = async (query: string) => {
      const { links } = (await ask(`orders?${query}`)).body as { links: Record<string, string> }
      return Object.fromEntries(Object.entries(links).map(([name, link]) => [name, decodeURIComponent(link)]))
    }
    const at = (offset: number) => `?page[limit]=5&page[offset]=${offset}`
    expect(await linksOf('page[limit]=5&page[offset]=8')).toEqual({
      ...{ self: at(8), first: at(0), prev: at(3), next: at(13), last: at(50) },
    })
    expect(await linksOf('page[limit]=5&page[offset]=3')).toMatchObject({ prev: at(0), next: at(8) })
    expect(await linksOf('page[limit]=5&page[offset]=50')).not.toHaveProperty('next')
    // Without an offset, other pages have cursors.
    const { next } = await linksOf('page[limit]=5')
    expect(next).toMatch(/^\?page\[limit\]=5&page\[after\]=/)
    expect(idsOf(((await ask(`orders${next!}`)).body as { data: Order[] }).data)).toEqual([6, 7, 8, 9, 10])
  })
})

describe('headers of a page', () => {
  test('json-server: the number of rows, which CORS exposes to a browser', async () => {
    const { headers, body } = await serviceWith({ notation: jsonServer }).ask('orders?_start=0&_end=2')
    expect(idsOf(body as Order[])).toEqual([1, 2])
    expect(headers.get('x-total-count')).toBe('53')
    expect(headers.get('access-control-expose-headers')).toBe('X-Total-Count')
    expect(headers.get('link')).toBe(null)
  })

  test('react-admin: the range of the page and the number of rows', async () => {
    const { ask } = serviceWith({ notation: reactAdmin })
    const rangeOf = async (query: string) => (await ask(`orders?${query}`)).headers.get('content-range')
    expect(await rangeOf('range=[5,9]')).toBe('orders 5-9/53')
    expect(await rangeOf('range=[50,59]')).toBe('orders 50-52/53')
    expect(await rangeOf('filter={"id":999}')).toBe('orders */0')
  })

  test('strapi: the page, and no number of rows with withCount=false', async () => {
    const { ask } = serviceWith({ notation: strapi })
    const metaOf = async (query: string) => ((await ask(`orders?${query}`)).body as { meta: unknown }).meta
    const pagination = { page: 2, pageSize: 5, pageCount: 11, total: 53 }
    expect(await metaOf('pagination[page]=2&pagination[pageSize]=5')).toEqual({ pagination })
    expect(await metaOf('pagination[start]=5&pagination[limit]=5')).toEqual({ pagination })
    expect(await metaOf('pagination[page]=2&pagination[pageSize]=5&pagination[withCount]=false')).toEqual({
      pagination: { page: 2, pageSize: 5 },
    })
  })
})

describe('faults of every kind have the form of the client', () => {
  const forms: Readonly<Record<string, (status: number, title: string, message: string) => object>> = {
    jsonServer: (status, title, message) => ({ status, title, message }),
    reactAdmin: (status, title, message) => ({ status, title, message }),
    jsonServer1: (status, title, error) => ({ status, title, error }),
    strapi: (status, title, message) => ({ data: null, error: { status, name: title, message, details: {} } }),
    jsonApi: (status, title, message) => ({ errors: [{ status: String(status), title, detail: message }] }),
    nestPaginate: (status, error, message) => ({ statusCode: status, error, message }),
  }
  test.each(Object.entries(notations))('%s', async (name, notation) => {
    const { ask, errors } = serviceWith({ notation, basePath: '/api' })
    const form = forms[name]!
    const nobody = await ask('orders', { headers: { authorization: '' } })
    expect(nobody.status).toBe(200)
    const unknown = await ask('order')
    expect(unknown.body).toMatchObject(form(404, 'Not Found', 'nothing is found at this path'))
    expect((await ask('orders', { method: 'DELETE' })).body).toMatchObject(
      form(405, 'Method Not Allowed', 'method not allowed: use GET, HEAD or QUERY'),
    )
    const failing = { find: () => Promise.reject(new Error('secret')), count: () => 0 }
    const failed = serviceWith({ notation, collections: { orders: { ...listed, rows: failing } } })
    const unavailable = await failed.ask('orders')
    expect(unavailable.body).toMatchObject(
      form(503, 'Service Unavailable', 'the data is unavailable at the moment: try again later'),
    )
    expect(JSON.stringify(unavailable.body)).not.toContain('secret')
    expect(errors).toEqual([])
  })

  test('a 401 contains the challenge and the message', async () => {
    const { service } = serviceWith({ notation: strapi })
    const answer = await service(new Request('http://x/api/orders'))
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await answer.json()).toMatchObject({ error: { status: 401 } })
  })

  test('one message contains all issues of a query', async () => {
    const { body } = await serviceWith({ notation: jsonServer }).ask('orders?totl_lte=1&status=pad')
    expect(jsonOf(body)['message']).toBe(
      'unknown field "totl": did you mean total?; invalid value for status: expected one of paid, held, new: did you mean paid?',
    )
  })
})

test('a function chooses the notation of a request; for undefined, the service reads the language of this library', async () => {
  const { ask } = serviceWith({
    notation: ({ headers }) => (headers.get('accept') === 'application/vnd.api+json' ? jsonApi : undefined),
  })
  const plain = await ask('orders?status=paid&limit=1')
  expect(plain.body).toMatchObject({ data: [{ id: 1 }], page: {} })
  const noted = await ask('orders?filter[status]=paid&page[size]=1', {
    headers: { accept: 'application/vnd.api+json' },
  })
  expect(noted.headers.get('content-type')).toBe('application/vnd.api+json')
  expect(noted.body).toMatchObject({ data: [{ type: 'orders', id: '1', attributes: { status: 'paid' } }] })
})

test('HEAD has the headers of the page, and QUERY reads the same text as content', async () => {
  const { ask } = serviceWith({ notation: jsonServer })
  const head = await ask('orders?status=paid', { method: 'HEAD' })
  expect([head.body, head.headers.get('x-total-count')]).toEqual([undefined, '18'])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { body } = await ask('orders', { method: 'QUERY', body: 'status=paid&_start=0&_end=2', headers })
  expect(idsOf(body as Order[])).toEqual([1, 4])
})

test('an object of JSON is answered in the language of this library, whatever the notation is', async () => {
  const { ask } = serviceWith({ notation: strapi })
  const send = (object: object) =>
    ask('orders', { method: 'QUERY', body: JSON.stringify(object), headers: { 'content-type': 'application/json' } })
  const page = await send({ status: 'paid', limit: 1 })
  expect(page.body).toMatchObject({ data: [{ id: 1 }], page: { next: expect.any(String) as string } })
  expect(page.body).not.toHaveProperty('meta')
  const refused = await send({ nope: 1 })
  expect(refused.body).toMatchObject({ status: 400, issues: [{ code: 'field_unknown', member: 'nope' }] })
  expect(refused.body).not.toHaveProperty('error')
})

test('a query in the content has no links: a link has no content', async () => {
  const { ask } = serviceWith({ notation: jsonApi })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { body } = await ask('orders', { method: 'QUERY', body: 'page[size]=2', headers })
  expect(idsOf((body as { data: readonly Order[] }).data)).toEqual([1, 2])
  expect((body as { links?: object }).links ?? {}).toEqual({})
})

test('links contain neither the previous page nor a key', async () => {
  const { ask } = serviceWith({
    notation: jsonApi,
    authenticate: { authenticate: () => ({ principal: {} }), queryCredentials: { apiKey: 'use a header' } },
  } as Partial<ServiceOptions<object>>)
  const { body } = await ask('orders?apiKey=k&filter[status]=paid&page[size]=2&page[number]=2')
  expect(body).toMatchObject({
    links: {
      self: '?filter%5Bstatus%5D=paid&page%5Bsize%5D=2&page%5Bnumber%5D=2',
      first: '?filter%5Bstatus%5D=paid&page%5Bsize%5D=2&page%5Bnumber%5D=1',
      prev: '?filter%5Bstatus%5D=paid&page%5Bsize%5D=2&page%5Bnumber%5D=1',
      next: '?filter%5Bstatus%5D=paid&page%5Bsize%5D=2&page%5Bnumber%5D=3',
      last: '?filter%5Bstatus%5D=paid&page%5Bsize%5D=2&page%5Bnumber%5D=9',
    },
  })
  expect(JSON.stringify(body)).not.toContain('apiKey')
})

test('a narrowed collection accepts the words of its operators, and refuses hidden fields as unknown', () => {
  const few = narrow(collection, {
    operators: { note: ['equals', 'notEqual'], total: [] },
    fields: { hide: ['day'] },
  })
  const codesOf = (text: string, notation: Notation) => {
    const result = parseQuery(few, text, { notation })
    return result.ok ? 'ok' : result.issues.map(({ code, hint }) => `${code}: ${hint ?? ''}`).join()
  }
  // `_ne` adds `exists=true`, although the collection does not allow `exists` to callers.
  expect(codesOf('note_ne=a', jsonServer)).toBe('ok')
  expect(codesOf('note_like=a', jsonServer)).toBe('operator_not_applicable: available operators for note: =, _ne')
  expect(codesOf('total=1', jsonServer)).toBe('operator_not_applicable: total cannot be filtered')
  expect(codesOf('day=2024-01-01', jsonServer)).toMatch(/^field_unknown/)
  expect(codesOf('dayy=2024-01-01', jsonServer)).not.toMatch(/did you mean day/)
  expect(codesOf('filters[note][$null]=true', strapi)).toBe(
    'operator_not_applicable: available operators for note: $eq, $ne',
  )
})

test('a collection without groups refuses the words of groups', () => {
  const flat = defineCollection(orders, { key: 'id', offset: { max: 100 }, count: true })
  const result = parseQuery(flat, 'filters[$or][0][id]=1&filters[$or][1][id]=2', { notation: strapi })
  expect(!result.ok && result.issues.map(({ code, span, hint }) => [code, span, hint])).toEqual([
    ['field_unknown', { start: 8, end: 11 }, 'groups are not turned on here'],
  ])
  expect(parseQuery(flat, 'filters[note][$not][$contains]=a', { notation: strapi }).ok).toBe(true)
})

test('limits count the pairs in the text of the client', () => {
  const limits = { pairs: 3, list: 2, searches: 1 }
  const codes = (text: string, notation: Notation) => {
    const result = parseQuery(collection, text, { notation, limits })
    return result.ok
      ? 'ok'
      : result.issues.map(({ code, span }) => `${code} ${text.slice(span!.start, span!.end)}`).join()
  }
  expect(codes('note_ne=a&status=paid&_end=5', jsonServer)).toBe('ok')
  expect(codes('note_ne=a&status=paid&id=1&_end=5', jsonServer)).toBe('limit_pairs id=1&_end=5')
  expect(codes('id=1&id=2&id=3&_end=5', jsonServer)).toBe('limit_list 3')
  expect(codes('note_like=a&customer.name_like=b', jsonServer)).toBe('limit_searches customer.name_like=b')
  const either = (values: readonly string[]) =>
    values.map((value, at) => `filters[$or][${at}][tags][$eq]=${value}`).join('&')
  expect(codes(either(['a']), strapi)).toBe('ok')
  expect(codes(either(['a', 'b']), strapi)).toBe('limit_searches filters[$or][1][tags][$eq]=b')
  expect(codes('filter={"id":1,"note":"a","gift":true,"total":5}', reactAdmin)).toBe('limit_pairs total":5}')
})

describe('createListService throws a TypeError for wrong options', () => {
  const make = (notation: unknown, options: object = {}) =>
    createListService<object>({
      authenticate: () => ({}),
      collections: { orders: { ...listed, ...options } },
      notation: notation as Notation,
    })
  const without = (options: object) => ({ collection: defineCollection(orders, { key: 'id', ...options }) })
  test.each<[unknown, object, string]>([
    ['jsonServer', {}, 'notation must be a notation of urlwhere/notations, such as jsonServer'],
    [{}, {}, 'notation must be a notation'],
    [
      jsonServer,
      without({ count: true }),
      'the collection must have the option offset, which clients of jsonServer need',
    ],
    [
      jsonServer,
      without({ offset: { max: 10 } }),
      'must have the option count: true, which clients of jsonServer need',
    ],
    [strapi, without({ offset: { max: 10 }, count: { max: 10 } }), 'must have the option count: true'],
    [reactAdmin, without({}), 'must have the option offset'],
    [nestPaginate, without({}), 'must have the option offset'],
    [jsonServer, { reserved: ['_sort'] }, 'reserved has _sort, which is a parameter of jsonServer'],
  ])('%s', (notation, options, message) => {
    expect(() => make(notation, options)).toThrow(TypeError)
    expect(() => make(notation, options)).toThrow(message)
  })

  test('refuses fields whose name has another meaning for the client', () => {
    const named = (name: string) =>
      defineCollection(defineSchema({ id: field.integer(), [name]: field.string() }), {
        ...{ key: 'id', offset: { max: 10 }, count: true },
      })
    const parse = (name: string, notation: Notation) => () => parseQuery(named(name), '', { notation })
    expect(parse('q', jsonServer)).toThrow('q is a field of the schema, and a parameter of jsonServer')
    expect(parse('page', nestPaginate)).not.toThrow()
    expect(parse('type', jsonApi)).toThrow('type is a field of the schema, which jsonApi has another meaning for')
    expect(parse('_q', strapi)).not.toThrow()
  })

  test('a wrong notation of a request causes a 500', async () => {
    const { ask, errors } = serviceWith({ notation: () => 'jsonServer' as unknown as Notation })
    expect((await ask('orders')).status).toBe(500)
    expect(String(errors[0])).toContain('notation(request) must be a notation of urlwhere/notations')
    const few = serviceWith({ notation: () => jsonServer, collections: { orders: { ...listed, ...without({}) } } })
    expect((await few.ask('orders')).status).toBe(500)
    expect(String(few.errors[0])).toContain('must have the option offset')
  })

  test('parseQuery checks its option', () => {
    expect(() => parseQuery(collection, '', { notation: 1 as unknown as Notation })).toThrow(
      'options.notation must be a notation of urlwhere/notations',
    )
  })
})

describe('reserved names', () => {
  test('are names of whole keys: a condition on such a path is refused, and not ignored', () => {
    const refused = (text: string, notation: Notation) =>
      issuesIn(parseQuery(collection, text, { notation, reserved: ['apiKey'] })).map(({ code }) => code)
    expect(refused('filter[apiKey]=x&apiKey=mine', jsonApi)).toEqual(['field_unknown'])
    expect(refused('filters[apiKey][$eq]=x&apiKey=mine', strapi)).toEqual(['field_unknown'])
    expect(refused('filter={"apiKey":"x"}&apiKey=mine', reactAdmin)).toEqual(['field_unknown'])
    expect(refused('apiKey=mine', jsonApi)).toEqual([])
  })
  const issuesOf = (text: string, notation: Notation, reserved: readonly string[]) => {
    const result = parseQuery(collection, text, { notation, reserved })
    return result.ok
      ? printQuery(collection, { ...result.query, count: false, limit: 10 })
      : result.issues.map(({ code }) => code)
  }
  test('of other pairs never remove a condition', () => {
    expect(issuesOf('filters[status][$eq]=paid&status=draft', strapi, ['status'])).toBe('status=paid')
    expect(issuesOf('filter={"status":"paid"}', reactAdmin, ['status'])).toBe('status=paid')
    expect(issuesOf('filter[total][gte]=5', jsonApi, ['total[gte]', 'total'])).toBe('total[gte]=5')
    expect(issuesOf('filter.status=paid', nestPaginate, ['status'])).toBe('status=paid')
    expect(issuesOf('filters[note][$contains]=a', strapi, ['note[containsExact]', '$limit', '$$'])).toBe(
      'note[containsExact]=a',
    )
  })
  test('of a condition throw a TypeError', () => {
    for (const [notation, name] of [
      [jsonServer, 'status'],
      [jsonServer, 'total_gte'],
      [jsonServer, 'day_gte'],
      [strapi, 'filters[status]'],
      [strapi, 'filters[$or][0][status][$eq]'],
      [jsonApi, 'filter[total][gte]'],
      [nestPaginate, 'filter.status'],
    ] as const)
      expect(() => issuesOf('', notation, [name]), name).toThrow(
        `reserved has ${name}, which is a condition of ${notation.name}`,
      )
    expect(() => issuesOf('', jsonApi, ['fields[orders]'])).toThrow(
      'reserved has fields[orders], which is a parameter of jsonApi',
    )
    expect(issuesOf('', strapi, ['filters[locale]', 'populate', '\ud800'])).toBe('')
  })
})

test('the message of a duplicate contains the words of the client', () => {
  const messageOf = (text: string, notation: Notation) => {
    const result = parseQuery(collection, text, { notation })
    return !result.ok && result.issues[0].message
  }
  const twice = 'is already in the query'
  expect(messageOf('filters[note][$ne]=a&filters[note][$not][$eq]=b', strapi)).toContain(
    `filters[note][$not][$eq] ${twice}`,
  )
  expect(messageOf('filter.note=$not:a&filter.note=$not:b', nestPaginate)).toContain(`filter.note=$not ${twice}`)
  expect(messageOf('filter={"id":1,"id_eq":2}', reactAdmin)).toContain(`id_eq ${twice}`)
  expect(messageOf('sort=total,-total', jsonApi)).toBe('duplicate path: total is already in the order')
})

describe('cursors of jsonApi', () => {
  const { ask } = serviceWith({ notation: jsonApi })
  const linksOf = async (query: string) =>
    ((await ask(`orders${query}`)).body as { links: Record<string, string> }).links
  test('are valid only in the parameter of their direction', async () => {
    const { next } = await linksOf('?page[size]=5')
    const { next: third, prev } = await linksOf(next!)
    expect((await ask(`orders${third}`)).status).toBe(200)
    expect((await ask(`orders${prev}`)).status).toBe(200)
    for (const link of [prev!.replace('before', 'after'), third!.replace('after', 'before')]) {
      const { status, body } = await ask(`orders${link}`)
      expect([status, body]).toMatchObject([400, { errors: [{ code: 'parameter_invalid' }] }])
    }
  })
})

test('behind the largest offset, links contain a cursor in place of a page number', async () => {
  const few = narrow(collection, { offset: { max: 20 } })
  const { ask } = serviceWith({ notation: nestPaginate, collections: { orders: { ...listed, collection: few } } })
  let link: string | undefined = '?limit=10'
  const ids: number[] = []
  const metas: object[] = []
  while (link !== undefined) {
    const { status, body } = await ask(`orders${link}`)
    expect(status).toBe(200)
    const { data, links, meta } = body as { data: Order[]; links: Record<string, string>; meta: object }
    expect(links['last']).toBe(undefined)
    ids.push(...idsOf(data))
    metas.push(meta)
    link = links['next']
  }
  expect(ids).toEqual(rows.map(({ id }) => id))
  expect(metas.map((meta) => (meta as { currentPage?: number }).currentPage)).toEqual([
    1,
    2,
    3,
    undefined,
    undefined,
    undefined,
  ])
})

test('the fields of another resource are refused', async () => {
  const { ask } = serviceWith({ notation: jsonApi })
  const { status, body } = await ask('orders?fields[customers]=id')
  expect([status, body]).toMatchObject([
    400,
    { errors: [{ code: 'field_unknown', source: { parameter: 'fields[customers]' } }] },
  ])
  expect((await ask('orders?fields[orders]=id')).status).toBe(200)
})

test('a fault of an object in a QUERY has the form of its answer', async () => {
  const { ask } = serviceWith({ notation: strapi })
  const { body } = await ask('orders', {
    method: 'QUERY',
    headers: { 'content-type': 'application/json' },
    body: '{"totl":1}',
  })
  expect(body).toMatchObject({ status: 400, issues: [{ code: 'field_unknown', member: 'totl' }] })
})

test('a resource of jsonApi contains its key only in id', () => {
  const fields = { id: field.integer(), seller: field.string() }
  const parse = (key: 'id' | ['seller', 'id']) => () =>
    parseQuery(defineCollection(defineSchema(fields), { key }), '', { notation: jsonApi })
  expect(parse('id')).not.toThrow()
  expect(parse(['seller', 'id'])).toThrow('id is a field of the schema, which jsonApi has another meaning for')
})
