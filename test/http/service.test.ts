/** The table of answers in docs/reference/list-service.md, on the demo's data and on stores that fail. */
import { ObjectId } from 'mongodb'
import { describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import { childTable, column, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { demoAccounts, type Principal } from '../../docs/demo/accounts.ts'
import { makeOrders, orderCollection, orders } from '../../docs/demo/data.ts'
import {
  keysAndBasic,
  type AccountListServiceOptions,
  type Accounts,
  type Authenticator,
  type ListServiceOptions,
  type RequestHead,
  type Rows,
} from '../../src/service/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  or,
  parseFilterOrThrow,
  parseQuery,
  parseQueryOrThrow,
  toPage,
  where,
  type Collection,
  type Filter,
  type Issue,
  type Query,
} from '../../src/index.ts'
import { rowSchema } from '../../src/tools/openapi/index.ts'
import { issuesIn } from '../issues.ts'
import { faultsOf } from '../openapi/values.ts'
import { rowsIn } from '../rows.ts'
import { linksOf, walk, type Listed } from '../service/walk.ts'
import {
  accounts,
  orderRows,
  store,
  demo,
  origin,
  type Sent,
  ask,
  as,
  basic,
  listed,
  data,
  walkAs,
  problem,
  customService,
  statusWith,
} from './service.fixture.ts'
import { createListService, isData } from './form.ts'

const noRows = { find: (): readonly unknown[] => [], count: () => 0, facets: () => ({}) }
const collectionOf = (fields: Parameters<typeof defineSchema>[0], parameters = {}) =>
  defineCollection(defineSchema(fields), { key: 'id', parameters })

/** The rows of answers.txt: requests that are refused, without issues. */
const answers = (section: string) =>
  rowsIn(new URL('answers.txt', import.meta.url), section).map(({ cells, place }) => {
    const [what, request, header, ...answer] = cells as [string, string, string, ...string[]]
    return { what, request, header, answer, status: answer[1], place }
  })
async function checkAnswer({ request, header, answer, place }: ReturnType<typeof answers>[number]) {
  const [method, path] = request.split(' ') as [string, string]
  const [name, value] = header.split(': ') as [string, string]
  const password = /^Basic (.*)$/.exec(value)?.[1]
  const headers = header === '-' ? {} : password === undefined ? { [name]: value } : basic(password).headers!
  const { code, status, detail, issues, headers: received } = await problem(ask(path, { method, headers }))
  expect([code, String(status), received.get('www-authenticate') ?? '-', detail], place).toEqual(answer)
  expect(issues, place).toBeUndefined()
}

describe('lists', () => {
  test('200, the rows of the caller, in order of id', async () => {
    const answer = await ask('/api/orders?total[gt]=100&limit=200', as('north'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('warning')).toBeNull()
    const rows = await data(Promise.resolve(answer))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.every(({ seller }) => seller === 's-north')).toBe(true)
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => a - b))
  })

  test('of experiences too', async () => {
    expect(await data(ask('/api/experiences?limit=200', as('office')))).toHaveLength(120)
    expect(await data(ask('/api/experiences?limit=200', as('south')))).toHaveLength(30)
  })

  test('naming a seller that the caller may not see gives nothing, and no error', async () => {
    for (const query of [
      'seller=s-south',
      'seller[in]=s-south,s-east',
      'seller[notEqual]=s-north',
      'seller[exists]=false',
    ]) {
      expect(await data(ask(`/api/orders?${query}`, as('north'))), query).toEqual([])
    }
  })

  test('HEAD is GET without a body', async () => {
    for (const path of ['/api/orders?id=1', '/api/orders?limit=1', '/api/orders?nope=1', '/api/nope', '/api/apiKey']) {
      const [get, head] = await Promise.all([ask(path, as('office')), ask(path, { ...as('office'), method: 'HEAD' })])
      expect(head.status).toBe(get.status)
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
      expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength))
      expect(await head.text()).toBe('')
    }
  })
})

describe('pages', () => {
  const pageOf = async (query: string, name = 'north') => {
    const response = await ask(`/api/orders?${query}`, as(name))
    const { data, page } = (await response.json()) as Listed
    return { ids: data.map(({ id }) => id), data, page, links: linksOf(response.headers.get('link')) }
  }
  // By hand: the five smallest ids of s-north in the data.
  const [one, two, three, four] = makeOrders()
    .filter(({ seller }) => seller === 's-north')
    .map(({ id }) => id!)

  test('have 20 rows unless the query says, and 200 at most', async () => {
    expect((await pageOf('')).data).toHaveLength(20)
    expect((await pageOf('limit=200')).data).toHaveLength(200)
    expect((await problem(ask('/api/orders?limit=201', as('north')))).issues).toMatchObject([
      { code: 'parameter_invalid', span: { start: 6, end: 9 } },
    ])
  })

  test('after a cursor of another account hold rows of the caller alone', async () => {
    for (const sort of ['id', '-total', 'customerName,-arrival', '-seller', 'gift']) {
      for (const other of ['south', 'office']) {
        const { page } = await pageOf(`sort=${sort}&limit=5`, other)
        const { data } = await pageOf(`sort=${sort}&limit=5&cursor=${page.next}`)
        expect(data.map(({ seller }) => seller)).toEqual(Array(5).fill('s-north'))
      }
    }
  })

  test('lead to the next and to the previous, in the body and in the Link header', async () => {
    const first = await pageOf('limit=2')
    expect(first.ids).toEqual([one, two])
    expect(first.page).toEqual({ next: expect.any(String) as string })
    expect(first.links).toEqual({ next: `?limit=2&cursor=${first.page.next}` })
    const second = await pageOf(`limit=2&cursor=${first.page.next}`)
    expect(second.ids).toEqual([three, four])
    expect(Object.keys(second.page)).toEqual(['next', 'previous'])
    expect(second.links).toEqual({
      next: `?limit=2&cursor=${second.page.next}`,
      prev: `?limit=2&cursor=${second.page.previous}`,
    })
    const back = await pageOf(`limit=2&cursor=${second.page.previous}`)
    expect([back.ids, back.data]).toEqual([first.ids, first.data])
    expect(back.page).toEqual({ next: expect.any(String) as string })
  })

  test('which is the only one has no links', async () => {
    const response = await ask('/api/orders?id[lte]=20', as('north'))
    expect(response.headers.get('link')).toBeNull()
    expect((await listed(Promise.resolve(response))).page).toEqual({})
    const none = await pageOf('id=0&count=true')
    expect([none.data, none.page, none.links]).toEqual([[], { count: 0 }, {}])
  })

  test('count the rows of the caller that the filter selects, on every page', async () => {
    const count = makeOrders().filter(({ seller, gift }) => seller === 's-north' && gift === true).length
    const first = await pageOf('gift=true&limit=3&count=true')
    expect(first.page.count).toBe(count)
    expect((await pageOf(`gift=true&limit=3&count=true&cursor=${first.page.next}`)).page.count).toBe(count)
    expect((await pageOf('gift=true&limit=3')).page).not.toHaveProperty('count')
    expect((await pageOf('gift=true&limit=3&count=false')).page).not.toHaveProperty('count')
  })

  test('have the requested fields only, whatever their order', async () => {
    const { data, page } = await pageOf('fields=id,items.price&sort=-total&limit=2&items.price[gt]=0')
    for (const row of data as unknown as { id: number; items: object[] }[]) {
      expect(Object.keys(row)).toEqual(['id', 'items'])
      for (const item of row.items) expect(Object.keys(item)).toEqual(['price'])
    }
    // The cursor has the value that the row does not show.
    expect(
      (await pageOf(`fields=id,items.price&sort=-total&limit=2&items.price[gt]=0&cursor=${page.next}`)).data,
    ).toHaveLength(2)
  })

  test('of a collection with other names, and an offset', async () => {
    const rows = makeOrders()
    const parameters = { limit: 'page[size]', cursor: 'page[after]', offset: 'skip', sort: 'order by' }
    const collection = defineCollection(orders, { key: 'id', sort: true, offset: { max: 100 }, parameters })
    const { read } = orderRows
    const to = createListService<Principal>({
      accounts,
      basePath: '/api',
      collections: { orders: { collection, rows: { read }, restriction: () => and() } },
    })
    const path = '/api/orders?gift=true&order+by=-id&page%5Bsize%5D=2'
    const ids = rows
      .filter(({ gift }) => gift === true)
      .map(({ id }) => id!)
      .toReversed()
    const response = await ask(`${path}&skip=1`, as('north'), to)
    const { next } = linksOf(response.headers.get('link'))
    const first = (await response.json()) as Listed
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
    expect(next).toBe(`?gift=true&order+by=-id&page%5Bsize%5D=2&page%5Bafter%5D=${first.page.next}`)
    expect((await data(ask(`/api/orders${next}`, as('north'), to))).map(({ id }) => id)).toEqual(ids.slice(3, 5))
    const walked = await walkAs('north', path.replace(/2$/, '100'), to)
    expect(walked.forwards.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids)
    expect(walked.backwards.map(({ data }) => data)).toEqual(walked.forwards.map(({ data }) => data))
  })
})

describe('exact numbers', () => {
  const views = [9_007_199_254_740_993n, 5, '-7', null]
  const schema = defineSchema({
    id: field.bigint(),
    price: field.decimal(),
    total: field.number(),
    owner: field.object({ id: field.bigint(), name: field.string() }),
    parts: field.list(field.object({ id: field.bigint(), price: field.decimal() })),
    seen: field.list(field.bigint()),
  })
  const rows = [
    {
      ...{ id: 2n ** 63n - 1n, price: 1.1, total: 1.1, owner: { id: 1n, name: '1' } },
      ...{ parts: [{ id: 2, price: '1.10' }, null, { id: null, price: 1e21 }], seen: views },
    },
    { id: '7', price: '-0.0', total: 7, owner: null, parts: null, seen: [] },
    { id: 7, price: 10n, total: null, owner: { id: null }, parts: [], seen: null },
  ]
  const serviceOf = (made: readonly object[], errors: unknown[] = []) =>
    createListService<object>({
      authenticate: () => ({}),
      collections: {
        rows: {
          collection: defineCollection(schema, { key: 'id', fields: true }),
          rows: { page: () => ({ rows: made }) },
          restriction: () => and(),
        },
      },
      onError: (error) => errors.push(error),
    })
  const dataOf = async (made: readonly object[], search = '') => {
    const response = await serviceOf(made)(new Request(`${origin}/api/rows${search}`))
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: unknown[] }).data
  }
  test('are texts in the answer, at any depth, and described so', async () => {
    const data = await dataOf(rows)
    expect(data).toEqual([
      {
        ...{ id: '9223372036854775807', price: '1.1', total: 1.1, owner: { id: '1', name: '1' } },
        parts: [{ id: '2', price: '1.1' }, null, { id: null, price: '1000000000000000000000' }],
        seen: ['9007199254740993', '5', '-7', null],
      },
      { id: '7', price: '0', total: 7, owner: null, parts: null, seen: [] },
      { id: '7', price: '10', total: null, owner: { id: null }, parts: [], seen: null },
    ])
    for (const row of data) expect(faultsOf(rowSchema(schema), row)).toBe('')
    expect(await dataOf(rows, '?fields=owner.id,price')).toEqual([
      { price: '1.1', owner: { id: '1' } },
      { price: '0', owner: null },
      { price: '10', owner: { id: null } },
    ])
  })
  test('that are none stay what they are, and a bigint beyond 64 bits is a text', async () => {
    expect(await dataOf([{ id: 2n ** 64n, price: 'x', total: null, seen: [2 ** 53, true] }])).toEqual([
      { id: '18446744073709551616', price: 'x', total: null, seen: [2 ** 53, true] },
    ])
  })
  test('a bigint where the schema has another type is an error of the service', async () => {
    const errors: unknown[] = []
    const response = await serviceOf([{ id: 1, total: 1n }], errors)(new Request(`${origin}/api/rows`))
    expect([response.status, errors]).toEqual([500, [expect.any(TypeError)]])
  })
})

describe('QUERY', () => {
  const form = 'application/x-www-form-urlencoded'
  const send = (body: RequestInit['body'], { headers = {}, ...rest }: Sent = as('north'), path = '/api/orders') =>
    ask(path, { method: 'QUERY', body, headers: { 'content-type': form, ...headers }, ...rest })
  const issuesOf = async (response: Promise<Response>) =>
    ((await (await response).json()) as { issues: object[] }).issues

  test.each([
    '',
    '?',
    'total[gte]=500&sort=-total&limit=3&count=true',
    'total%5Bgte%5D=500&fields=id%2Ctotal&sort=-total',
    'customerName[startsWith]=J%C3%B6&limit=200',
    'tags[in]=%22sea%22,"vip"&limit=2',
    'customerName=ana+maria',
    '&&id=5&',
    'arival=1&total[contains]=2',
    'or=(gift=true,and(status=paid,total[gte]=800))&limit=50',
    'or=(gift=true',
    'total=%zz',
    'limit=0&limit=1&cursor=x&offset=2',
    Array.from({ length: 101 }, (_, at) => `x${at}=1`).join('&'),
    `seller=${'x'.repeat(16_384 - 7)}`,
  ])('is read as the same text in the URL is: %s', async (text) => {
    const [inUrl, inContent] = await Promise.all([ask(`/api/orders?${text}`, as('north')), send(text)])
    expect(inContent.status).toBe(inUrl.status)
    // Request escapes quotes in a URL, so spans count other characters.
    if (!text.includes('"')) expect(await inContent.text()).toBe(await inUrl.text())
    const headersOf = ({ headers }: Response) =>
      Array.from(headers).filter(([name]) => name !== 'link' && (name !== 'content-length' || !text.includes('"')))
    expect(headersOf(inContent)).toEqual(headersOf(inUrl))
  })

  test('spans count in the content, in UTF-16 units', async () => {
    expect(await issuesOf(send('customerName=\u{1F3C4}&arival=1'))).toMatchObject([
      { code: 'field_unknown', span: { start: 16, end: 22 } },
    ])
  })

  test('has no links, because no URL contains the content of a request. The cursors are in the body', async () => {
    const first = await send('sort=-total&limit=2')
    expect(first.headers.get('link')).toBeNull()
    const { page } = (await first.json()) as Listed
    const second = await listed(send(`sort=-total&limit=2&cursor=${page.next}`))
    expect((await listed(send(`sort=-total&limit=2&cursor=${second.page.previous}`))).page.next).toBe(page.next)
    expect(second.data).toEqual(await data(ask(`/api/orders?sort=-total&limit=2&cursor=${page.next}`, as('north'))))
  })

  describe('as an object of JSON', () => {
    const sendJson = (object: object | string, { headers = as('north').headers, ...rest } = {}) =>
      send(typeof object === 'string' ? object : JSON.stringify(object), {
        headers: { ...headers, 'content-type': 'application/json' },
        ...rest,
      })

    test.each<[object, string]>([
      [{}, ''],
      [{ 'total[gte]': 500, sort: ['-total'], limit: 3, count: true }, 'total[gte]=500&sort=-total&limit=3&count=true'],
      [{ 'status[in]': ['paid', 'held'], 'gift[exists]': false }, 'status[in]=paid,held&gift[exists]=false'],
      [
        { or: '(gift=true,total[gte]=800)', 'items.price[range]': [10, 20.5] },
        'or=(gift=true,total[gte]=800)&items.price[range]=10,20.5',
      ],
      [
        { search: 'jo surf', facets: ['status'], timeZone: 'Europe/Berlin', 'paidAt.lte': '2024-06-01' },
        'search=jo+surf&facets=status&timeZone=Europe/Berlin&paidAt[lte]=2024-06-01',
      ],
      // The restriction of the caller applies: north sees no order of s-south.
      [{ seller: 's-south' }, 'seller=s-south'],
    ])('%j answers as the text does', async (object, text) => {
      const [asked, told] = await Promise.all([listed(send(text)), listed(sendJson(object))])
      expect(told).toEqual(asked)
    })
    test('pages by cursors', async () => {
      const first = await listed(sendJson({ sort: ['-total'], limit: 2 }))
      const second = await listed(sendJson({ sort: ['-total'], limit: 2, cursor: first.page.next }))
      expect(second.data).toEqual((await listed(send('sort=-total&limit=4'))).data.slice(2))
    })
    test('issues contain members', async () => {
      const answer = await sendJson({ 'total[gte]': '5', 'status[in]': ['paid', 'hedl'], or: '(arival=1)', limit: 0 })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
      expect(await answer.json()).toMatchObject({
        type: expect.stringMatching(/#operand_invalid$/) as string,
        detail: 'invalid value for total: expected a number, without quotes',
        issues: [
          { code: 'operand_invalid', member: 'total[gte]', path: 'total', operator: 'gte' },
          { code: 'operand_invalid', member: 'status[in]', item: 1, hint: 'did you mean held?' },
          { code: 'field_unknown', member: 'or', span: { start: 1, end: 7 }, hint: 'did you mean arrival?' },
          { code: 'parameter_invalid', member: 'limit' },
        ],
      })
      // A number may have more digits than its JSON. Its place means nothing to the caller.
      const [tooLong] = await issuesOf(sendJson(`{"total[in]":[${'1e20,'.repeat(1_000)}1]}`))
      expect(tooLong).toMatchObject({ code: 'limit_length' })
      for (const name of ['span', 'member']) expect(tooLong).not.toHaveProperty(name)
    })
    test('authentication comes first, and accepts a key in a member', async () => {
      expect((await sendJson({ nope: 1 }, { headers: {} as never })).status).toBe(401)
      const rows = await data(sendJson({ apiKey: 'north-key', limit: 1 }, { headers: {} as never }))
      expect(rows).toHaveLength(1)
    })
    test.each(['[]', '{', '{"limit":1,"limit":2}', ''])('refuses %s', async (text) => {
      expect(await (await sendJson(text)).json()).toMatchObject({
        status: 400,
        type: expect.stringMatching(/#content_not_object$/) as string,
      })
    })
  })

  test('every answer about a collection names the type of the content', async () => {
    const answers = [
      ask('/api/orders', as('north')),
      ask('/api/orders', { ...as('north'), method: 'HEAD' }),
      ask('/api/orders'),
      ask('/api/orders?nope=1', as('north')),
      send(''),
      send('', { headers: { 'content-type': 'text/plain' } }),
      ask('/api/orders', as('north'), customService({}, { ...noRows, find: () => Promise.reject(new Error('gone')) })),
    ]
    for (const answer of answers) expect((await answer).headers.get('accept-query')).toBe(`${form}, application/json`)
    expect((await ask('/api/nope')).headers.get('accept-query')).toBeNull()
  })

  describe('the URL', () => {
    test('may have the key, and nothing else of a query', async () => {
      const answer = await send('id[lte]=5', {}, '/api/orders?apiKey=office-key')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('warning')).toContain('X-API-KEY')
      expect(await data(Promise.resolve(answer))).toHaveLength(5)
      for (const none of ['?', '?&&'])
        expect((await send('id[lte]=5', as('north'), `/api/orders${none}`)).status, none).toBe(200)
    })
    test.each([
      ...['?id=1', '?limit=1', '?apiKey=north-key&sort=id', '?x', '?%zz=1', '?apiKey=%zz', '?nope[x]=apiKey'],
      ...['?or=(id=1)', '??id=1', '??', '??apiKey=north-key', '?&?'],
    ])('%s is a 400', async (search) => {
      const { status, detail, issues } = await problem(send('', as('north'), `/api/orders${search}`))
      expect([status, issues]).toEqual([400, undefined])
      expect(detail).toBe('the URL of a QUERY request takes no query but apiKey: send all of the query as content')
    })
    test('that is too long is refused as any', async () => {
      const { status, issues } = await problem(send('', as('north'), `/api/orders?apiKey=${'x'.repeat(16_384)}`))
      expect([status, issues]).toMatchObject([400, [{ code: 'limit_length' }]])
    })
  })

  describe('the key', () => {
    test('may be in the content, where no log has it', async () => {
      const answer = await send('id[lte]=5&%61piKey=office-key', {})
      expect([answer.status, answer.headers.get('warning')]).toEqual([200, null])
      expect(await data(Promise.resolve(answer))).toHaveLength(5)
    })
    test.each([
      ['nowhere', 'id=1', {}, '', 401],
      ['wrong in the content', 'apiKey=wrong', {}, '', 401],
      ['twice in the content', 'apiKey=north-key&apiKey=north-key', {}, '', 400],
      ['in the content and in the URL', 'apiKey=north-key', {}, '?apiKey=north-key', 400],
      ['in the content, and another in the header', 'apiKey=south-key', as('north'), '', 400],
      ['in the content and in the header', 'apiKey=north-key', as('north'), '', 200],
    ])('%s: as in a URL', async (_, body, sent, search, status) => {
      expect((await send(body, sent, `/api/orders${search}`)).status).toBe(status)
    })
    test('comes before the schema', async () => {
      expect((await problem(send('arival=1', {}))).issues).toBeUndefined()
    })
  })

  test('content that is too long is a 413 with the issue of a URL, before anybody is known', async () => {
    const body = 'seller=' + 'x'.repeat(16_384 - 6)
    for (const sent of [{}, as('north'), as('nobody')]) {
      const { status, title, issues } = await problem(send(body, sent))
      expect([status, title]).toEqual([413, 'Content Too Large'])
      expect(issues).toMatchObject([{ code: 'limit_length', span: { start: 16_384, end: 16_385 } }])
    }
  })

  test.skipIf(isData)(
    'content that somebody has read already is a 500: it is not taken for an empty query',
    async () => {
      const errors: unknown[] = []
      const request = new Request(`${origin}/api/orders`, {
        ...{ method: 'QUERY', body: 'id=1' },
        headers: { ...as('north').headers, 'content-type': form },
      })
      await request.text()
      const response = await customService({ onError: (error) => errors.push(error) })(request)
      expect(response.status).toBe(500)
      expect(errors).toEqual([expect.any(TypeError)])
    },
  )
})

describe('a bad query is a 400', () => {
  test('with every issue; spans count after the ?', async () => {
    const { status, issues, detail } = await problem(ask('/api/orders?arival=1&total[contains]=2', as('north')))
    expect(status).toBe(400)
    expect(detail).toBe('unknown field "arival"')
    expect(issues).toEqual([
      {
        code: 'field_unknown',
        message: 'unknown field "arival"',
        span: { start: 0, end: 6 },
        hint: 'did you mean arrival?',
        parameters: { problem: 'name', name: 'arival', advice: [{ kind: 'did_you_mean', name: 'arrival' }] },
        suggestion: { span: { start: 0, end: 6 }, insert: 'arrival' },
      },
      expect.objectContaining({ code: 'operator_not_applicable', span: { start: 15, end: 23 } }),
    ])
  })

  test.each(['??status=paid', '??', '??apiKey=north-key', '?%3Fstatus=paid', '???status=paid'])(
    '%s gives the issues that parseQuery finds in the URL',
    async (search) => {
      const expected = issuesIn(parseQuery(orderCollection, new URL(`${origin}${search}`), { reserved: ['apiKey'] }))
      expect(expected.length).toBeGreaterThan(0)
      const { status, issues } = await problem(ask(`/api/orders${search}`, as('north')))
      expect([status, issues]).toEqual([
        400,
        // Every span, those of suggestions and parameters too, counts from after the "?". Only a service needs the fault.
        JSON.parse(JSON.stringify(expected), (name, value: unknown) =>
          name === 'start' || name === 'end' ? (value as number) - 1 : name === 'fault' ? undefined : value,
        ),
      ])
    },
  )

  test('an issue names the field and the operator that it is about, where they are known', async () => {
    const query = 'items.arrival[gte]=soon&total[contains]=2&seller[is]=x&arival=1'
    const { issues } = await problem(ask(`/api/orders?${query}`, as('north')))
    expect(issues).toEqual([
      {
        code: 'operand_invalid',
        message: expect.any(String) as string,
        span: { start: 19, end: 23 },
        path: 'items.arrival',
        operator: 'gte',
        parameters: {
          subject: 'items.arrival',
          expected: {
            kind: 'type',
            type: 'date',
            description: 'a date, such as 2024-06-01 or today-7d',
          },
          advice: [],
        },
      },
      expect.objectContaining({ code: 'operator_not_applicable', path: 'total', operator: 'contains' }),
      expect.objectContaining({ code: 'operator_unknown', path: 'seller' }),
      expect.objectContaining({ code: 'field_unknown' }),
    ])
    expect(issues![2]).not.toHaveProperty('operator')
    expect(issues![3]).not.toHaveProperty('path')
  })

  test('in the text of the URL as the Request has it', async () => {
    // Request normalises: the quote becomes %22.
    const { issues } = await problem(ask('/api/orders?status[in]="paid', as('north')))
    expect(issues).toMatchObject([{ code: 'operand_quote', span: { start: 11, end: 18 } }])
  })

  test('but only with a key: without one, nobody learns the schema', async () => {
    const { status, issues } = await problem(ask('/api/orders?arival=1'))
    expect(status).toBe(401)
    expect(issues).toBeUndefined()
  })

  test('nor by the time that an answer takes: nothing is looked for in the schema before the caller is known', async () => {
    const service = demo()
    const look = vi.spyOn(Map.prototype, 'get')
    // The Map behind `orders.paths` has its keys.
    const looked = () =>
      look.mock.contexts.some(
        (map) => [...(map as Map<unknown, unknown>).keys()].join() === [...orders.paths.keys()].join(),
      )
    try {
      await ask('/api/orders?seller=x&arival=1', {}, service)
      await ask('/api/orders?seller=x&arival=1', as('nobody'), service)
      expect(looked()).toBe(false)
      await ask('/api/orders?seller=x&arival=1', as('north'), service)
      expect(looked()).toBe(true)
    } finally {
      look.mockRestore()
    }
  })

  test('an over-long one is answered before anybody is known', async () => {
    const long = 'seller=' + 'x'.repeat(16_384 - 7)
    expect((await problem(ask(`/api/orders?${long}`))).status).toBe(401)
    for (const sent of [{}, as('north'), as('nobody')]) {
      const { status, issues } = await problem(ask(`/api/orders?${long}x`, sent))
      expect(status).toBe(400)
      expect(issues).toMatchObject([{ code: 'limit_length', span: { start: 16_384, end: 16_385 } }])
    }
  })

  test('too many pairs: the key among them still counts', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `x${at}=1`).join('&')
    expect((await problem(ask(`/api/orders?${many}`))).status).toBe(401)
    expect((await problem(ask(`/api/orders?${many}&apiKey=north-key`))).issues).toMatchObject([{ code: 'limit_pairs' }])
  })

  test('a fragment would cut the query off', async () => {
    const { status, detail } = await problem(ask('/api/orders?seller=x#&total=1', as('north')))
    expect([status, detail]).toEqual([400, 'unexpected fragment in the URL: write "#" as %23'])
  })
})

describe('paths and methods come first', () => {
  test.each([
    ...['/', '/api', '/api/', '/api/nope', '/api/orders/', '/api/orders/1/', '/API/orders'],
    ...['/api/Orders', '/api/constructor', '/api/__proto__', '/api/%6Frders', '/apiorders', '/x/api/orders'],
  ])('404 %s', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const answer = await ask(path, { ...as('north'), method })
      expect(answer.status).toBe(404)
    }
    expect((await problem(ask(path))).detail).toBe('nothing is found at this path')
  })
  test.each(['/orders', '/x/orders', '/x/api/orders', '//orders'])(
    '200 %s: a framework mounts the service at any path',
    async (path) => {
      const collections = { orders: { collection: orderCollection, rows: orderRows, restriction: () => and() } }
      const { authenticate } = keysAndBasic(accounts)
      const to = createListService<Principal>({ authenticate: { authenticate }, collections })
      expect(await data(ask(`${path}?id=1`, as('office'), to))).toEqual(
        await data(ask('/api/orders?id=1', as('office'))),
      )
    },
  )
  test.each<[basePath: string, paths: readonly string[], others: readonly string[]]>([
    [
      '/api',
      ['/api', ''],
      ['/z', '/api/', '/', '//', '/API', '/x/api', '/api/x', '/apix', '/xapi', '/api//api', '/api/api', '/pi'],
    ],
    ['/api/v1', ['/api/v1', '/v1', ''], ['/api', '/api/', '/v1/', '/1', '/api/v1/v1', '/v1/api']],
    ['', [''], ['/z', '/', '/api']],
  ])('with the basePath %j, nothing is found but at it, or at what a framework leaves of it', async (...row) => {
    const [basePath, paths, others] = row
    const byPassword = vi.fn(() => undefined)
    const to = customService({ basePath, accounts: { ...accounts, byPassword } })
    for (const path of others) {
      const statuses = ['orders', 'apiKey'].map(async (name) => (await ask(`${path}/${name}`, basic('a:b'), to)).status)
      expect([path, ...(await Promise.all(statuses))]).toEqual([path, 404, 404])
    }
    expect(byPassword).not.toHaveBeenCalled()
    for (const path of paths) {
      expect([path, (await ask(`${path}/orders?id=1`, as('office'), to)).status]).toEqual([path, 200])
      expect((await ask(`${path}/apiKey`, basic('a:b'), to)).status).toBe(401)
    }
    expect(byPassword).toHaveBeenCalledTimes(paths.length)
  })
  test('endpoints without a basePath are a TypeError: every path that ends in their name would lead to them', () => {
    const message = "basePath must be set, such as '/api': the endpoint apiKey of authenticate needs an exact path"
    expect(() => customService({ basePath: undefined as never })).toThrow(new TypeError(message))
    const make = () => createListService<Principal>({ authenticate: keysAndBasic(accounts), collections: {} })
    expect(make).toThrow(new TypeError(message))
  })
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'query', 'SEARCH'])('405 %s', async (method) => {
    for (const path of ['/api/orders', '/api/experiences']) {
      const { status, headers, detail } = await problem(ask(path, { ...as('north'), method }))
      expect([status, detail]).toEqual([405, 'method not allowed: use GET, HEAD or QUERY'])
      expect(headers.get('allow')).toBe('GET, HEAD, QUERY')
      expect(headers.get('accept-query')).toBe('application/x-www-form-urlencoded, application/json')
    }
  })
  test.each(['POST', 'QUERY'])('405 %s of the key', async (method) => {
    const { status, headers, detail } = await problem(ask('/api/apiKey', { ...as('north'), method }))
    expect([status, detail]).toEqual([405, 'method not allowed: use GET or HEAD'])
    expect(headers.get('allow')).toBe('GET, HEAD')
    expect(headers.get('accept-query')).toBeNull()
  })
})

describe('the key', () => {
  const id = 'id[lte]=5'
  test('in the query works, with advice', async () => {
    const answer = await ask(`/api/orders?${id}&%61piKey=office%2Dkey`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('warning')).toContain('X-API-KEY')
    expect(await data(Promise.resolve(answer))).toHaveLength(5)
  })
  test('advice comes with problems too', async () => {
    expect((await problem(ask('/api/orders?nope=1&apiKey=office-key'))).headers.get('warning')).toContain('X-API-KEY')
    expect((await problem(ask('/api/orders?apiKey=wrong'))).headers.get('warning')).toContain('X-API-KEY')
  })
  test('in both places, equal, is fine', async () => {
    expect((await ask('/api/orders?apiKey=north-key', as('north'))).status).toBe(200)
  })
  test.each(answers('the key, refused'))('$what is a $status', checkAnswer)
  test('a key that the store found by other means than its digest is not accepted', async () => {
    const sloppy: Accounts<Principal> = {
      ...accounts,
      byKeyDigest: async () => ({ keyDigest: 'another', principal: demoAccounts[2]! }),
    }
    expect((await ask('/api/orders', as('north'), customService({ accounts: sloppy }))).status).toBe(401)
  })
})

describe('the key endpoint', () => {
  test('tells the key to whom the account is', async () => {
    for (const { name } of demoAccounts) {
      const answer = await ask('/api/apiKey', basic(`${name}:${name}-password`))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await answer.json()).toEqual({ apiKey: `${name}-key` })
    }
  })
  test.each(answers('the key endpoint, refused'))('$what is a $status', checkAnswer)
})

describe('password checks', () => {
  /** Accounts whose checks end when they are told to. */
  function slowAccounts(end: (name: string) => { apiKey: string; principal: Principal } | undefined) {
    const waiting: (() => void)[] = []
    let running = 0
    let most = 0
    const byPassword = async (name: string) => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => waiting.push(resolve)).finally(() => running--)
      return end(name)
    }
    const settle = () => new Promise((resolve) => setImmediate(resolve))
    return {
      accounts: { ...accounts, byPassword },
      most: () => most,
      endAll: async () => {
        for (await settle(); waiting.length > 0; await settle()) waiting.shift()!()
      },
    }
  }
  const places = 18
  const account = { apiKey: 'k', principal: demoAccounts[2]! }

  const busy = async (response: Promise<Response>) => {
    const { status, title, detail, headers } = await problem(response)
    expect([status, title]).toEqual([429, 'Too Many Requests'])
    expect(detail).toBe('too many password checks at once: try again in a moment')
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('www-authenticate')).toBeNull()
  }

  test.each<[string, string, Partial<AccountListServiceOptions<Principal>>]>([
    ['the key endpoint', '/api/apiKey', {}],
    ['lists, where Basic is allowed', '/api/orders?id=1', { allowBasic: true }],
  ])('%s: two at once, sixteen wait, 429 beyond', async (_, path, options) => {
    const slow = slowAccounts(() => account)
    const to = customService({ ...options, accounts: slow.accounts })
    const admitted = Array.from({ length: places }, () => ask(path, basic('a:b'), to))
    await busy(ask(path, basic('a:b'), to))
    expect((await ask(path, { ...basic('a:b'), method: 'HEAD' }, to)).status).toBe(429)
    // Keys, and what is no password at all, do not stand in the queue.
    expect((await ask('/api/orders?id=1', as('north'), to)).status).toBe(200)
    expect((await ask(path, { headers: { authorization: 'Basic' } }, to)).status).toBe(401)
    await slow.endAll()
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual(Array(places).fill(200))
    expect(slow.most()).toBe(2)
  })

  test('both ways to check a password share the places', async () => {
    const slow = slowAccounts(() => account)
    const to = customService({ allowBasic: true, accounts: slow.accounts })
    const paths = ['/api/apiKey', '/api/orders?id=1']
    const admitted = Array.from({ length: places }, (_, at) => ask(paths[at % 2]!, basic('a:b'), to))
    // A list request reads its query first.
    await new Promise((resolve) => setImmediate(resolve))
    for (const path of paths) await busy(ask(path, basic('a:b'), to))
    await slow.endAll()
    for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200)
  })

  test('a check that fails frees its place', async () => {
    const slow = slowAccounts(() => {
      throw new Error('secrets')
    })
    const to = customService({ accounts: slow.accounts })
    for (let round = 0; round < 2; round++) {
      const admitted = Array.from({ length: places }, () => ask('/api/apiKey', basic('a:b'), to))
      await slow.endAll()
      expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual(Array(places).fill(503))
    }
  })

  test('four good passwords at once all succeed', async () => {
    const to = demo()
    const answers = await Promise.all(
      ['north', 'south', 'office', 'north'].map((name) => ask('/api/apiKey', basic(`${name}:${name}-password`), to)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('an account of a store may have more members', async () => {
    const byPassword = () => ({ ...account, status: 'active' })
    const to = customService({ allowBasic: true, accounts: { ...accounts, byPassword } })
    expect(await (await ask('/api/apiKey', basic('a:b'), to)).json()).toEqual({ apiKey: 'k' })
    expect((await ask('/api/orders?id=1', basic('a:b'), to)).status).toBe(200)
  })
})

describe('Basic on a list request', () => {
  test.each(answers('Basic on a list request'))('$what', checkAnswer)
  test('is not looked at beside a key', async () => {
    const both = { headers: { ...as('north').headers, ...basic('south:wrong').headers } }
    expect((await ask('/api/orders?id=1', both)).status).toBe(200)
  })
  test('works where the service allows it', async () => {
    const lenient = customService({ allowBasic: true })
    expect(await data(ask('/api/orders?id[lte]=9', basic('office:office-password'), lenient))).toHaveLength(9)
    const wrong = await problem(ask('/api/orders', basic('office:wrong'), lenient))
    expect([wrong.status, wrong.detail]).toEqual([401, 'wrong name or password'])
    expect(wrong.headers.get('www-authenticate')).toBe(
      'ApiKey realm="urlwhere", Basic realm="urlwhere", charset="UTF-8"',
    )
    expect((await problem(ask('/api/orders', { headers: { authorization: 'Basic' } }, lenient))).status).toBe(401)
    expect((await problem(ask('/api/orders?apiKey=wrong', basic('office:office-password'), lenient))).status).toBe(401)
    const repeated = ask('/api/orders?apiKey=office-key&apiKey=office-key', basic('office:office-password'), lenient)
    expect((await problem(repeated)).status).toBe(400)
  })
  test('tells the restriction the principal, as a key does', async () => {
    const seen: Principal[] = []
    const lenient = customService({ allowBasic: true }, undefined, (principal) => (seen.push(principal), and()))
    await ask('/api/orders', as('south'), lenient)
    await ask('/api/orders', basic('south:south-password'), lenient)
    expect(seen.map((principal) => principal.name)).toEqual(['south', 'south'])
  })
})

/** A service whose `authenticate` gives the value, with what it called and what `onError` received. */
const giving = (authenticate: unknown) => {
  const restriction = vi.fn((_: unknown) => and())
  const errors: unknown[] = []
  const to = createListService({
    authenticate: authenticate as () => object,
    onError: (error) => errors.push(error),
    collections: { orders: { collection: orderCollection, rows: orderRows, restriction } },
  })
  return { to, restriction, errors }
}

describe('authentication by a function', () => {
  const principals = new Map(demoAccounts.map((principal) => [`token-of-${principal.name}`, principal]))
  const bearer = ({ headers }: RequestHead) =>
    principals.get(/^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '')
  const by = (options: Pick<ListServiceOptions<Principal>, 'authenticate' | 'challenge'>) =>
    createListService<Principal>({
      collections: {
        orders: {
          collection: orderCollection,
          rows: orderRows,
          restriction: ({ sellers }) => (sellers === 'all' ? and() : where(orders).in('seller', sellers)),
        },
      },
      ...options,
    })
  const token = (text: string): Sent => ({ headers: { authorization: `Bearer ${text}` } })

  test('lists the collections of its principal', async () => {
    const to = by({ authenticate: bearer })
    const north = await data(ask('/api/orders?limit=200', token('token-of-north'), to))
    expect(north).toHaveLength(200)
    expect(north.every(({ seller }) => seller === 's-north')).toBe(true)
    const inContent = await to(
      new Request(`${origin}/api/orders`, {
        method: 'QUERY',
        body: new URLSearchParams({ limit: '200' }),
        headers: { authorization: 'bearer token-of-north' },
      }),
    )
    expect(await data(Promise.resolve(inContent))).toEqual(north)
  })

  test('that finds nobody is a 401 with the challenge, before the query is looked at', async () => {
    const to = by({ authenticate: bearer })
    for (const sent of [{}, token('wrong'), as('office'), basic('office:office-password')]) {
      const { status, code, detail, issues, headers } = await problem(ask('/api/orders?arival=1', sent, to))
      expect([status, code, issues]).toEqual([401, 'caller_unknown', undefined])
      expect(detail).toBe('the request has no credentials that are accepted here')
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
    const other = by({ authenticate: bearer, challenge: 'Bearer realm="orders"' })
    expect((await ask('/api/orders', {}, other)).headers.get('www-authenticate')).toBe('Bearer realm="orders"')
  })

  test.each([undefined, null, false, '', 0, -0, Number.NaN, 0n])('%s is nobody: a 401', async (nobody) => {
    for (const authenticate of [() => nobody, () => Promise.resolve(nobody)]) {
      const { to, restriction, errors } = giving(authenticate)
      const { status, code } = await problem(ask('/api/orders', {}, to))
      expect([status, code, errors]).toEqual([401, 'caller_unknown', []])
      expect(restriction).not.toHaveBeenCalled()
    }
  })

  class User {
    name = 'north'
    status = 'active'
    get rights() {
      return []
    }
  }
  /** Values other than a principal, which a function or an object may return. */
  const strangers: [string, unknown][] = [
    ['true', true],
    ['a text', 'north'],
    ['a number', 7],
    ['a bigint', 7n],
    ['a symbol', Symbol('north')],
    ['a function', () => ({ name: 'north' })],
    ['a class', User],
    ['a list', [{ name: 'north' }]],
    ['an empty list', []],
    ['false as an object', Object(false)],
    ['a Response', new Response(null, { status: 401 })],
    ['a Response of 200', new Response('{}')],
    ['an error', new Error('no such token')],
    ['an error of a class', new (class TokenExpired extends Error {})()],
    ['a problem', { status: 401, detail: 'no such token' }],
    ['a problem with a code', { status: 403, code: 'caller_unknown', detail: 'no such token' }],
    ['a status without a detail', { status: 401 }],
    ['a status of 500', { status: 500, message: 'no such token' }],
    ['a status beside a user', { status: 403, user: { name: 'north' } }],
    ['a statusCode', { statusCode: 401, message: 'Unauthorized' }],
    ['a Map', new Map([['name', 'north']])],
    ['a Set', new Set(['north'])],
    ['a Date', new Date()],
    ['the Request', new Request(origin)],
    ['Headers', new Headers()],
  ]

  test.each(strangers)('%s is a 500 that onError receives, and no rows', async (_, stranger) => {
    const inObject = { authenticate: () => ({ principal: stranger }) }
    for (const authenticate of [() => stranger, () => Promise.resolve(stranger), inObject]) {
      const { to, restriction, errors } = giving(authenticate)
      const { status, code } = await problem(ask('/api/orders', {}, to))
      expect([status, code]).toEqual([500, 'service_failed'])
      expect(errors).toEqual([expect.any(TypeError)])
      expect((errors[0] as Error).message).toMatch(
        /^authenticate(?:\.authenticate)? must give a principal, which is a plain object/,
      )
      expect(restriction).not.toHaveBeenCalled()
    }
  })

  test.each<[string, object]>([
    ['a plain object', { name: 'north' }],
    ['an empty object', {}],
    ['a frozen object', Object.freeze({ name: 'north' })],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { name: 'north' })],
    ['an entity of a class', new User()],
    ['an entity of a class of a class', new (class Admin extends User {})()],
    ['a status in words', { status: 'active', detail: 'of the north' }],
    ['a status of another meaning', { status: 2, detail: 'of the north' }],
    ['a row with members of the names', { principal: 'north', then: 'later', error: null }],
  ])('%s is a principal, and the restriction gets it', async (_, principal) => {
    const { to, restriction, errors } = giving(() => principal)
    expect([(await ask('/api/orders?limit=1', {}, to)).status, errors]).toEqual([200, []])
    expect(restriction.mock.calls[0]![0]).toBe(principal)
  })

  test('has no keys: apiKey is an unknown field, and there is no key endpoint', async () => {
    const to = by({ authenticate: bearer })
    const sent = token('token-of-office')
    const { issues, headers } = await problem(ask('/api/orders?apiKey=office-key', sent, to))
    expect(issues).toMatchObject([{ code: 'field_unknown', span: { start: 0, end: 6 } }])
    expect(headers.get('warning')).toBeNull()
    expect((await ask('/api/apiKey', basic('office:office-password'), to)).status).toBe(404)
  })

  test('that rejects is a 503 without internals', async () => {
    const to = by({ authenticate: () => Promise.reject(new Error('secrets')) })
    const { status, detail } = await problem(ask('/api/orders', {}, to))
    expect([status, detail]).toEqual([503, 'the data is unavailable at the moment: try again later'])
  })
})

describe('authentication by an authenticator', () => {
  const listed = { collection: orderCollection, rows: orderRows, restriction: () => and() }
  const with_ = (authenticate: Authenticator<{ name: string }>) =>
    createListService({ authenticate, basePath: '/api', collections: { orders: listed } })

  test('keysAndBasic answers as the options accounts, realm and allowBasic do', async () => {
    const options = { realm: 'Booking', allowBasic: true }
    const general = createListService<Principal>({
      authenticate: keysAndBasic(accounts, options),
      basePath: '/api',
      collections: { orders: listed },
    })
    const short = customService(options)
    const requests: (readonly [string, Sent])[] = [
      ['/api/orders?limit=3', as('north')],
      ['/api/orders?limit=3&apiKey=north-key', {}],
      ['/api/orders', {}],
      ['/api/orders', as('nobody')],
      ['/api/orders?limit=3', basic('north:north-password')],
      ['/api/orders', basic('north:wrong')],
      ['/api/apiKey', basic('north:north-password')],
      ['/api/apiKey', {}],
    ]
    for (const [path, sent] of requests) {
      const [one, other] = [await ask(path, sent, general), await ask(path, sent, short)]
      expect([one.status, [...one.headers], await one.text()]).toEqual([
        other.status,
        [...other.headers],
        await other.text(),
      ])
    }
  })

  test('reads pairs of the query, which become no condition and enter no link; endpoints are beside the collections', async () => {
    const to = with_({
      queryCredentials: { ticket: 'Send the ticket in a cookie' },
      authenticate: (_, credentials) =>
        credentials.get('ticket')?.[0] === 't-1'
          ? { principal: { name: 'guest' } }
          : { status: 403, detail: 'no such ticket' },
      endpoints: { whoami: ({ method }) => ({ body: { method } }) },
    })
    const first = await ask('/api/orders?limit=1&ticket=t-1', {}, to)
    expect([first.status, first.headers.get('warning')]).toEqual([200, '299 - "Send the ticket in a cookie"'])
    expect(first.headers.get('link')).toMatch(/^<\?limit=1&cursor=\w+>; rel="next"$/)
    const body = new URLSearchParams('limit=1&ticket=t-1')
    expect((await ask('/api/orders', { method: 'QUERY', body }, to)).status).toBe(200)
    const refused = await ask('/api/orders?ticket=t-2', {}, to)
    expect(await refused.json()).toEqual({
      ...{ type: 'about:blank', title: 'Forbidden' },
      ...{ status: 403, detail: 'no such ticket' },
    })
    expect(await (await ask('/api/whoami', {}, to)).json()).toEqual({ method: 'GET' })
    expect((await ask('/api/whoami', { method: 'POST' }, to)).headers.get('allow')).toBe('GET, HEAD')
    expect(
      (await problem(ask('/api/orders?limit=1', { method: 'QUERY', body: new URLSearchParams() }, to))).detail,
    ).toBe('the URL of a QUERY request takes no query but ticket: send all of the query as content')
  })

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['false', false],
    ['true', true],
    ['a text', 'guest'],
    ['an empty object', {}],
    ['a principal alone, as a function gives it', { name: 'guest' }],
    ['no principal', { principal: undefined }],
    ['null for a principal', { principal: null }],
    ['false for a principal', { principal: false }],
    ['a promise for a principal', { principal: Promise.resolve({ name: 'guest' }) }],
    ['an object with then for a principal', { principal: { name: 'guest', then: () => {} } }],
    ['a status without a detail', { status: 401 }],
    ['a detail without a status', { detail: 'no such ticket' }],
    ['a problem that is well', { status: 200, detail: 'no such ticket' }],
    ['a problem with a status that HTTP lacks', { status: 600, detail: 'no such ticket' }],
    ['a status in words', { status: '401', detail: 'no such ticket' }],
    ['a principal and a problem', { principal: { name: 'guest' }, status: 401, detail: 'no such ticket' }],
    ['a Response', new Response(null, { status: 401 })],
    ['an error', new Error('no such ticket')],
  ])('that gives %s is a 500: it lets nobody in', async (_, answer) => {
    const { to, restriction, errors } = giving({ authenticate: () => answer })
    const { status, code } = await problem(ask('/api/orders', {}, to))
    expect([status, code, errors]).toEqual([500, 'service_failed', [expect.any(TypeError)]])
    expect(restriction).not.toHaveBeenCalled()
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['no body', { body: undefined }],
    ['a status without a detail', { status: 404 }],
    ['a list', []],
  ])('whose endpoint gives %s is a 500', async (_, answer) => {
    const errors: unknown[] = []
    const to = createListService({
      authenticate: { authenticate: () => ({ status: 401, detail: '' }), endpoints: { whoami: () => answer as never } },
      basePath: '/api',
      collections: { orders: listed },
      onError: (error) => errors.push(error),
    })
    expect([(await ask('/api/whoami', {}, to)).status, errors]).toEqual([500, [expect.any(TypeError)]])
  })
})

describe('a property of Object.prototype', () => {
  const listed = { collection: orderCollection, rows: orderRows, restriction: () => and() }
  test('does not become a principal', async () => {
    const principal = { name: 'office', sellers: 'all' }
    const byObject = createListService({
      authenticate: { authenticate: () => ({ status: 401, detail: 'no such ticket' }) },
      collections: { orders: listed },
    })
    const byFunction = createListService({ authenticate: () => undefined, collections: { orders: listed } })
    for (const to of [byObject, byFunction, customService({})]) {
      expect(await statusWith('principal', principal, to)).toBe(401)
    }
    const withoutPrincipal = {
      ...accounts,
      byKeyDigest: (keyDigest: string) => ({ keyDigest }) as never,
    }
    expect(await statusWith('principal', principal, customService({ accounts: withoutPrincipal }), as('north'))).toBe(
      401,
    )
  })

  test('does not become a key', async () => {
    for (const name of ['0', 'key', 'apiKey']) expect(await statusWith(name, 'office-key', customService({}))).toBe(401)
  })

  test('but accounts may be of a class, and have getters', async () => {
    class Account {
      readonly #digest: string
      constructor(digest: string) {
        this.#digest = digest
      }
      get keyDigest() {
        return this.#digest
      }
      get apiKey() {
        return 'k'
      }
      get principal() {
        return demoAccounts[2]!
      }
    }
    class Store {
      byKeyDigest(digest: string) {
        return new Account(digest)
      }
      byPassword() {
        return new Account('')
      }
    }
    const to = customService({ accounts: new Store(), allowBasic: true })
    for (const sent of [as('any'), basic('a:b')]) expect((await ask('/api/orders?limit=1', sent, to)).status).toBe(200)
    class Tickets {
      readonly name = 'guest'
      authenticate() {
        return { principal: { name: this.name } }
      }
      get queryCredentials() {
        return { ticket: 'no' }
      }
    }
    const ofTickets = createListService({ authenticate: new Tickets(), collections: { orders: listed } })
    expect((await ask('/api/orders?limit=1&ticket=x', {}, ofTickets)).status).toBe(200)
  })
})

describe('accounts that give less than they should', () => {
  const principal = demoAccounts[2]!
  const rights = (account: (digest: string) => unknown, errors: unknown[] = []) =>
    customService({
      allowBasic: true,
      onError: (error) => errors.push(error),
      accounts: { byKeyDigest: (digest) => account(digest) as never, byPassword: () => account('') as never },
    })

  test.each([null, undefined, false, 0, ''])('%s is nobody: a 401', async (none) => {
    for (const account of [
      () => none,
      (keyDigest: string) => ({ keyDigest, apiKey: 'k', principal: none }),
      () => Promise.resolve(none),
    ]) {
      const errors: unknown[] = []
      const to = rights(account, errors)
      expect((await problem(ask('/api/orders', as('north'), to))).code).toBe('key_unknown')
      expect((await problem(ask('/api/orders', basic('a:b'), to))).code).toBe('basic_wrong')
      expect((await problem(ask('/api/apiKey', basic('a:b'), to))).code).toBe('basic_required')
      expect(errors).toEqual([])
    }
  })

  test.each<[string, unknown]>([
    ['true', true],
    ['a text', 'north'],
    ['a list', []],
    ['an empty object', {}],
    ['no digest and no key', { principal }],
    ['a digest and a key of another type', { keyDigest: 5, apiKey: 5, principal }],
  ])('%s lets nobody in, and is told to onError', async (_, account) => {
    const errors: unknown[] = []
    const to = rights(() => account, errors)
    for (const [path, sent] of [
      ['/api/orders', as('north')],
      ['/api/orders', basic('a:b')],
      ['/api/apiKey', basic('a:b')],
    ] as const)
      expect((await problem(ask(path, sent, to))).status).toBe(500)
    expect(errors).toEqual(Array(3).fill(expect.any(TypeError)))
  })

  test.each([true, 7, 'north', [principal], { status: 401 }])('%j for a principal is a 500', async (stranger) => {
    const errors: unknown[] = []
    const to = rights((keyDigest) => ({ keyDigest, apiKey: 'k', principal: stranger }), errors)
    for (const sent of [as('north'), basic('a:b')])
      expect((await problem(ask('/api/orders', sent, to))).status).toBe(500)
    expect(errors).toEqual(Array(2).fill(expect.any(TypeError)))
  })
})

describe('type of a problem', () => {
  test('is the page that the service names, and the code of the first issue', async () => {
    const to = customService({ problemTypes: 'https://booking.example/problems' })
    const typeOf = async (path: string, sent: Sent) =>
      ((await (await ask(path, sent, to)).json()) as { type: string }).type
    expect(await typeOf('/api/orders?total[contains]=1&arival=2', as('north'))).toBe(
      'https://booking.example/problems#operator_not_applicable',
    )
    expect(await typeOf('/api/nope', {})).toBe('https://booking.example/problems#path_unknown')
  })

  test.each(answers('type of a problem'))('$what', checkAnswer)
})

describe('the restriction', () => {
  const all = and()
  const o = where(orders)
  test('its searches do not count for the limit of the query', async () => {
    const service = customService({ limits: { searches: 0 } }, undefined, () => o.contains('seller', 'north'))
    const get = (query: string) => ask(`/api/orders?${query}`, as('north'), service)
    expect((await get('')).status).toBe(200)
    expect(await problem(get('seller[contains]=a'))).toMatchObject({
      status: 400,
      issues: [{ code: 'limit_searches' }],
    })
  })
  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['or()', or()],
    ['a promise of nothing', Promise.resolve(undefined)],
    ['in nothing', o.in('seller', [])],
  ])('%s: nothing is seen', async (_, restriction) => {
    const service = customService({}, undefined, () => restriction)
    expect(await data(ask('/api/orders', as('north'), service))).toEqual([])
  })

  test.each<[string, unknown]>([
    ['no filter', {}],
    ['a list', []],
    ['with an undefined part', { kind: 'and', filters: [undefined] }],
    ['true', true],
    ['a function', () => all],
  ])('%s: a 500, and nothing is seen', async (_, restriction) => {
    const errors: unknown[] = []
    const broken = customService({ onError: (error) => errors.push(error) }, undefined, () => restriction)
    expect((await problem(ask('/api/orders', as('north'), broken))).status).toBe(500)
    expect(errors[0]).toBeInstanceOf(TypeError)
  })

  test('is conjoined at the root, outside the filter of the query', async () => {
    const seen: Query[] = []
    const rows = {
      ...noRows,
      find: (query: Query) => (seen.push(query), []),
      count: (query: Query) => (seen.push(query), 0),
    }
    const north = o.equals('seller', 's-north')
    const either = or(o.equals('seller', 'a'), o.exists('gift'))
    for (const restriction of [north, either]) {
      for (const query of ['', 'total=1', 'total[gte]=1&total[lte]=2', 'total=1&sort=-arrival&limit=3&fields=id']) {
        seen.length = 0
        const service = customService({}, rows, () => restriction)
        await ask(`/api/orders?${query}&count=true`, as('north'), service)
        const asked = parseQueryOrThrow(orderCollection, `${query}&count=true`)
        // All of the rest of the query is as it was.
        expect(seen).toEqual(Array(2).fill({ ...asked, filter: and(asked.filter, restriction), restriction }))
      }
    }
  })
})

describe('failures', () => {
  const fail = () => {
    throw new Error('SELECT * FROM secrets')
  }
  const reject = () => Promise.reject(new Error('SELECT * FROM secrets'))
  test.each<[string, Partial<Accounts<Principal>>, Partial<Rows>, string, Sent]>([
    ['rows that reject', {}, { find: reject }, '/api/orders', as('north')],
    ['rows that throw', {}, { find: fail }, '/api/orders', as('north')],
    ['a count that rejects', {}, { count: reject }, '/api/orders?count=true', as('north')],
    ['accounts by key', { byKeyDigest: reject }, {}, '/api/orders', as('north')],
    ['accounts by password', { byPassword: fail }, {}, '/api/apiKey', basic('a:b')],
  ])('of stores are a 503 without internals, told to onError: %s', async (_, ofAccounts, rows, path, sent) => {
    const errors: unknown[] = []
    const options = { accounts: { ...accounts, ...ofAccounts }, onError: (error: unknown) => errors.push(error) }
    const answer = problem(ask(path, sent, customService(options, { ...noRows, ...rows } as Rows)))
    const { status, detail, issues } = await answer
    expect([status, detail]).toEqual([503, 'the data is unavailable at the moment: try again later'])
    expect(issues).toBeUndefined()
    expect(errors).toEqual([new Error('SELECT * FROM secrets')])
  })

  const order = makeOrders()[0]!
  const paged = (page: unknown) => ({ find: undefined, page: () => page }) as never
  test.each<[string, string, Partial<Rows>, RegExp]>([
    ['rows that JSON has not', '', { find: () => [{ id: 1, total: 1n }] }, /BigInt/],
    ['a restriction that throws', '', {}, /^policy$/],
    ['rows that are no list', '', { find: () => ({}) as never }, /^rows must be a list/],
    ['more rows than were asked for', 'limit=1', { find: () => [order, order, order] }, /^rows must be at most 2/],
    ['rows without their key', '', { find: () => [{ total: 'secret' }, order] }, /^rows\[0\] has no value in id/],
    ['rows that are lists', '', { find: () => [[1, 'secret']] }, /^rows\[0\] must be an object/],
    ['a page that a driver made', '', paged({ rows: [order], rowCount: 1 }), /^rows\.page must/],
    ['a page of too many rows', 'limit=1', paged({ rows: [order, order] }), /^rows\.page must/],
    ['a page without rows', '', paged({ next: 'x' }), /^rows\.page must/],
    ['a page whose cursor is none', '', paged({ rows: [order], next: 5 }), /^rows\.page must/],
    ['no page', '', paged(undefined), /^rows\.page must/],
    ['a count in words', 'count=true', { count: () => '12' as never }, /^rows\.count must return a whole number/],
    ['half a count', 'count=true', { count: () => 0.5 }, /^rows\.count must return a whole number/],
    ['a count below none', 'count=true', { count: () => -1 }, /^rows\.count must return a whole number/],
  ])('%s: a 500 without internals, told to onError', async (what, query, rows, message) => {
    const errors: Error[] = []
    const restriction = () => {
      if (what.includes('restriction')) throw new Error('policy')
      return and()
    }
    const onError = (error: unknown) => errors.push(error as Error)
    const broken = customService({ onError }, { ...noRows, ...rows } as Rows, restriction)
    const { status, detail, issues } = await problem(ask(`/api/orders?${query}`, as('north'), broken))
    expect([status, detail, issues]).toEqual([500, 'the service failed to answer the request', undefined])
    expect(errors.map((error) => error.message)).toEqual([expect.stringMatching(message)])
    expect(errors[0]!.message).not.toContain('secret')
  })

  describe('of a backend', () => {
    /** The answer where `find` compiles by a backend, and what `onError` hears. */
    const answerOf = async (
      query: string,
      compile: (query: Query) => unknown,
      { collection = orderCollection, restriction = and() }: { collection?: Collection; restriction?: Filter } = {},
    ) => {
      const errors: unknown[] = []
      const service = createListService({
        authenticate: () => ({}),
        onError: (error) => errors.push(error),
        collections: {
          orders: {
            collection,
            rows: { ...noRows, find: (query) => (compile(query), []) },
            restriction: () => restriction,
          },
        },
      })
      const url = `${origin}/api/orders?${query}`
      const { status, code, detail, issues } = await problem(service(new Request(url)))
      return { status, code, detail, issues, errors }
    }
    const failed = { status: 500, code: 'service_failed', detail: 'the service failed to answer the request' }

    const notes = defineSchema({
      id: field.integer(),
      text: field.string(),
      status: field.enumeration(['paid', 'held']),
    })
    const noteCollection = defineCollection(notes, { key: 'id', sort: ['status'], groups: true })
    const prismaModel =
      'model Note {\n  id Int @id\n  text String?\n  status Status?\n}\nenum Status {\n  paid\n  held\n}\n'
    const inPrisma = prismaBackend({
      schema: notes,
      datamodel: `datasource db {\n  provider = "sqlite"\n}\n${prismaModel}`,
      model: 'Note',
    })
    const asked = { collection: noteCollection }
    /** The language takes it: it is below every limit. */
    const listsOf = (count: number, name = 'text') =>
      `or=(${Array.from({ length: 10 }, (_, at) => `${name}[in]=(${Array.from({ length: count / 10 }, (_, one) => `${at}-${one}`).join()})`).join()})`

    test('a query with more operands than Prisma sends is a 400 with the code of that refusal', async () => {
      expect(inPrisma.compileQuery(parseQueryOrThrow(noteCollection, listsOf(990)))).toEqual(expect.anything())
      const message = 'Prisma sends at most 997 operands in one statement'
      const hint = 'ask for less at once: fewer conditions, shorter lists, fewer groups inside groups'
      for (const query of [listsOf(1_000), `${listsOf(1_000)}&id=1`]) {
        const { issues, ...answer } = await answerOf(query, inPrisma.compileQuery, asked)
        expect(answer).toEqual({ status: 400, code: 'backend_refused', detail: message, errors: [] })
        expect(issues).toMatchObject([{ code: 'backend_refused', message, hint }])
      }
      const both = { ...asked, restriction: where(notes).equals('id', 1) }
      expect(await answerOf(listsOf(1_000), inPrisma.compileQuery, both)).toMatchObject({ status: 400 })
    })

    test('no answer tells how large a restriction is', async () => {
      const dialect = { ...sqlite, maxParameters: 10 }
      const { compileQuery } = sqlBackend({ dialect, table: table('notes', { key: 'id' }) })
      const equal = (count: number) => Array.from({ length: count }, (_, at) => where(notes).equals('id', at))
      const query = `or=(${Array.from({ length: 12 }, (_, at) => `text[notEqual]=${at}`).join()})`
      const bodies = await Promise.all(
        [1, 2, 7].map((count) => answerOf(query, compileQuery, { ...asked, restriction: or(...equal(count)) })),
      )
      expect(bodies[0]).toMatchObject({
        status: 400,
        detail: 'the statement has more parameters than sqlite takes: 10 at most',
      })
      expect(bodies.slice(1)).toEqual([bodies[0], bodies[0]])
    })

    test('an operand that Prisma does not send is a 400, with its span', async () => {
      const { status, issues } = await answerOf('text[contains]=5%25', inPrisma.compileQuery, asked)
      const message = 'text takes no pattern with this text'
      expect([status, issues]).toEqual([
        400,
        [
          {
            code: 'backend_refused',
            message,
            span: { start: 0, end: 19 },
            path: 'text',
            parameters: { problem: 'operand', field: 'text' },
          },
        ],
      ])
    })

    test('an order that the backend lacks is a 400; as the default, a 500', async () => {
      const message = 'status is stored as an enum, whose order is that of its declaration'
      const { status, issues } = await answerOf('sort=-status', inPrisma.compileQuery, asked)
      expect([status, issues]).toEqual([
        400,
        [
          {
            code: 'backend_refused',
            message,
            span: { start: 5, end: 12 },
            path: 'status',
            parameters: { problem: 'order', field: 'status' },
          },
        ],
      ])
      const collection = defineCollection(notes, { key: 'id', sort: ['status'], defaultSort: 'status' })
      expect(await answerOf('', inPrisma.compileQuery, { collection })).toMatchObject(failed)
    })

    test('a mapping that cannot express a field is a 500, and the answer holds nothing of it', async () => {
      const mapped = (columns: Parameters<typeof table>[1]) =>
        sqlBackend({ dialect: sqlite, table: table('secret_orders', columns) })
      const lacking = mapped({ columns: { customer: { name: 'secret_name' } } })
      const otherwise = mapped({ columns: { total: column('secret_total', { type: 'text' }) } })
      for (const [query, backend, code] of [
        ['customer.email=x', lacking, 'backend_unmapped'],
        ['total[gte]=5', otherwise, 'backend_unsupported'],
        // What is wrong with the query too does not make it a 400.
        ['total[gte]=5&seller=x', otherwise, 'backend_unsupported'],
        ['sort=total', otherwise, 'backend_unsupported'],
      ] as const) {
        const { errors, issues, ...answer } = await answerOf(query, backend.compileQuery)
        expect(answer).toEqual(failed)
        expect(issues).toBeUndefined()
        expect(errors).toEqual([expect.objectContaining({ issues: [expect.objectContaining({ code })] })])
      }
    })

    test('a restriction that the backend refuses is a 500, whatever the query', async () => {
      const o = where(notes)
      const many = Array.from({ length: 1_000 }, (_, at) => `${at}`)
      // A restriction that was parsed has spans of another text: they are not the query's.
      const parsed = parseFilterOrThrow(notes, 'text[contains]=5%25')
      for (const restriction of [o.contains('text', '5%'), parsed, o.in('text', many)]) {
        for (const query of ['', 'id=1', 'id=1&text=x', 'sort=id', listsOf(1_000)]) {
          const { errors, ...answer } = await answerOf(query, inPrisma.compileQuery, { ...asked, restriction })
          expect(answer, query).toEqual({ ...failed, issues: undefined })
          expect(errors).toEqual([expect.any(FilterError)])
        }
      }
    })

    test('a forged position that the backend refuses is a 400', async () => {
      const encode = (id: string) => new ObjectId(id)
      const { compileQuery } = mongoBackend({ fields: { id: { name: '_id', encode } } })
      const schema = defineSchema({ id: field.string(), text: field.string() })
      const collection = defineCollection(schema, { key: 'id' })
      const { next } = toPage(parseQueryOrThrow(collection, 'limit=1'), [{ id: 'x' }, { id: 'y' }])
      const message = 'id has no stored form for the operand'
      for (const query of [`cursor=${next}`, `text=x&cursor=${next}`]) {
        const { status, issues } = await answerOf(query, compileQuery, { collection })
        expect([status, issues]).toEqual([
          400,
          [{ code: 'backend_refused', message, parameters: { problem: 'operand', field: 'id' } }],
        ])
      }
      // The position is not at fault for the restriction.
      const restriction = where(schema).gt('id', 'x')
      expect(await answerOf(`cursor=${next}`, compileQuery, { collection, restriction })).toMatchObject(failed)
    })

    test('an issue is of the client only if it says so itself', async () => {
      const issue = {
        code: 'backend_refused',
        message: 'no such thing',
        parameters: {},
        span: { start: 0, end: 9 },
      } as const
      const client: Issue = { ...issue, fault: 'client' }
      const server: Issue = { ...issue, fault: 'server' }
      const statusOf = async (first: Issue, ...rest: Issue[]) => {
        const refuse = () => {
          throw new FilterError([first, ...rest])
        }
        const { status, issues } = await answerOf('gift=true', refuse)
        expect(issues).toEqual(status === 400 ? [first, ...rest].map(({ fault: _, ...told }) => told) : undefined)
        return status
      }
      expect(await statusOf(client)).toBe(400)
      expect(await statusOf({ ...client, code: 'backend_unsupported' })).toBe(400)
      expect(await statusOf(client, client)).toBe(400)
      expect(await statusOf(server)).toBe(500)
      expect(await statusOf(client, server)).toBe(500)
      expect(await statusOf(issue as never)).toBe(500)
      expect(await statusOf(client, issue as never)).toBe(500)
      expect(await statusOf(Object.assign(Object.create({ fault: 'client' }) as Issue, issue))).toBe(500)
      // The query was read: another text of the program was not.
      expect(await statusOf({ ...client, code: 'field_unknown' } as never)).toBe(500)
    })
  })

  test('a restriction that was parsed has no spans in the query', async () => {
    const found: Filter[] = []
    const remember = { ...noRows, find: ({ filter }: Query) => (found.push(filter), []) }
    const parsed = () => parseFilterOrThrow(orders, 'seller=s-north')
    await ask('/api/orders?gift=true', as('north'), customService({}, remember, parsed))
    expect(found).toEqual([and(parseFilterOrThrow(orders, 'gift=true'), where(orders).equals('seller', 's-north'))])
  })
})

describe('the fields of an answer', () => {
  const schema = defineSchema({
    id: field.integer(),
    name: field.string(),
    customer: field.object({ name: field.string(), email: field.string() }),
    items: field.list(field.object({ price: field.number(), cost: field.number() })),
    tags: field.list(field.string()),
  })
  const own = { id: 1, name: 'a', tags: ['x'] }
  const rows = [
    {
      ...{ ...own, passwordHash: 'secret', customer: { name: 'n', email: 'e', iban: 'secret' } },
      items: [{ price: 1, cost: 2, margin: 'secret' }, null],
    },
    { id: 2, customer: null, items: 'secret', secret: 'secret' },
  ]
  const askFor = async (options: object, query = '') => {
    const collection = defineCollection(schema, { key: 'id', ...options })
    const service = createListService({
      authenticate: () => ({ name: 'caller' }),
      collections: { rows: { collection, rows: { find: () => rows }, restriction: () => and() } },
    })
    const response = await service(new Request(`${origin}/api/rows?${query}`))
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: unknown[] }).data
  }
  test('are fields of the schema, requested or not', async () => {
    const whole = [
      { ...own, customer: { name: 'n', email: 'e' }, items: [{ price: 1, cost: 2 }, null] },
      { id: 2, customer: null, items: null },
    ]
    expect(await askFor({})).toEqual(whole)
    expect(await askFor({ fields: true })).toEqual(whole)
    expect(await askFor({ fields: true }, 'fields=customer,id')).toEqual([
      { id: 1, customer: { name: 'n', email: 'e' } },
      { id: 2, customer: null },
    ])
  })
  test('are those that the collection lists, where it lists fields', async () => {
    const fields = ['id', 'customer.name', 'items.price'] as const
    const listed = [
      { id: 1, customer: { name: 'n' }, items: [{ price: 1 }, null] },
      { id: 2, customer: null, items: null },
    ]
    expect(await askFor({ fields })).toEqual(listed)
    expect(await askFor({ fields: ['customer'] })).toEqual([
      { customer: { name: 'n', email: 'e' } },
      { customer: null },
    ])
    expect(await askFor({ fields }, 'fields=items.price')).toEqual([{ items: [{ price: 1 }, null] }, { items: null }])
  })
})

describe('hidden fields and bounded counts', () => {
  const schema = defineSchema({
    id: field.integer(),
    tenantId: field.integer({ required: true }),
    total: field.number(),
    customer: field.object({ name: field.string(), taxId: field.string() }),
  })
  const plain = defineSchema({
    id: field.integer(),
    total: field.number(),
    customer: field.object({ name: field.string() }),
  })
  const rows = Array.from({ length: 12 }, (_, at) => ({
    ...{ id: at + 1, tenantId: (at % 2) + 1, total: at * 10 },
    customer: at === 4 ? '{"taxId":"secret"}' : { name: `n${at}`, taxId: 'secret' },
  }))
  const options = { key: 'id', sort: true, fields: true, groups: true, limit: { max: 3 } } as const
  const { compileQuery } = memoryBackend()
  const found = (query: Query) => compileQuery(query)(rows)
  const ofMemory: Rows = {
    find: (query) => found({ ...query, count: false }).rows,
    count: (query) => found(query).count!,
  }
  const serviceOf = (collection: Collection, given: Rows, onError: (error: unknown) => void = () => {}) =>
    createListService({
      authenticate: () => ({ tenant: 1 }),
      collections: { rows: { collection, rows: given, restriction: () => where(schema).equals('tenantId', 1) } },
      onError,
    })
  const hidden = ['tenantId', 'customer.taxId'] as const
  const answer = async (service: ReturnType<typeof serviceOf>, query: string) => {
    const response = await service(new Request(`${origin}/api/rows?${query}`))
    return { status: response.status, link: response.headers.get('link'), text: await response.text() }
  }

  test.each([
    ...['', 'sort=-total', 'fields=customer', 'fields=id,customer.name', 'or=(id=1,total=20)', 'customer[exists]=true'],
    ...[
      'tenantId=2',
      'tenantid=2',
      'customer.taxId=secret',
      'sort=tenantId',
      'fields=tenantId',
      'or=(tenantId=2,id=1)',
    ],
    ...['tenantId[gt]=0&count=true', 'count=true', 'fields=customer.taxId&sort=taxId', 'not=(tenantId=1)'],
  ])('?%s: byte for byte what a service answers whose schema has no such fields', async (query) => {
    const hiding = serviceOf(defineCollection(schema, { ...options, hidden, count: { max: 5 } }), ofMemory)
    const without = serviceOf(defineCollection(plain, { ...options, count: { max: 5 } }), ofMemory)
    const got = await answer(hiding, query)
    expect(got).toEqual(await answer(without, query))
    expect(got.text + got.link).not.toContain('secret')
    if (!/tenantid/i.test(query)) expect(got.text + got.link).not.toContain('tenant')
    // A collection whose callers choose no fields.
    const { fields: _, ...others } = options
    const [closed, open] = [defineCollection(schema, { ...others, hidden }), defineCollection(plain, others)]
    expect(await answer(serviceOf(closed, ofMemory), query)).toEqual(await answer(serviceOf(open, ofMemory), query))
  })
  test('the restriction names a hidden field, and cursors lead through its rows alone', async () => {
    const service = serviceOf(defineCollection(schema, { ...options, hidden }), ofMemory)
    const { forwards } = await walk((at) => service(new Request(origin + at)), '/api/rows?sort=-total')
    const ids = forwards.flatMap((page) => page.data.map(({ id }) => id))
    expect(ids).toEqual([11, 9, 7, 5, 3, 1])
    expect(JSON.stringify(forwards)).not.toMatch(/tenant|tax|secret/)
  })
  test.each([
    [{ max: 5 }, 'count=true', { atLeast: 5 }],
    [{ max: 6 }, 'count=true', 6],
    [{ max: 5 }, 'count=true&total[gt]=20', 4],
    [true, 'count=true', 6],
    [{ max: 5 }, 'count=false', undefined],
  ] as const)('where the collection counts %j, %s is %j', async (count, query, expected) => {
    const { text } = await answer(serviceOf(defineCollection(schema, { ...options, hidden, count }), ofMemory), query)
    expect((JSON.parse(text) as { page: { count?: unknown } }).page.count).toEqual(expected)
  })
  const counting = async (max: number | undefined, count: unknown) => {
    const bounded = defineCollection(schema, { ...options, count: max === undefined ? true : { max } })
    const errors: unknown[] = []
    const service = serviceOf(bounded, { find: () => [], count: () => count as number }, (error) => errors.push(error))
    const { status, text } = await answer(service, 'count=true')
    return status === 200 ? (JSON.parse(text) as { page: { count: unknown } }).page.count : String(errors[0])
  }
  test('a store may count all, stop, or give the count itself', async () => {
    expect(await counting(5, 5)).toBe(5)
    expect(await counting(5, 6)).toEqual({ atLeast: 5 })
    expect(await counting(5, 5_000)).toEqual({ atLeast: 5 })
    expect(await counting(5, { atLeast: 5, more: 1 })).toEqual({ atLeast: 5 })
  })
  test('a count that no such query has is a 500', async () => {
    const bounded = 'TypeError: rows.count must return a whole number, or { atLeast: 5 }: the maximum of the query'
    for (const count of [{ atLeast: 4 }, { atLeast: 6 }, {}, null, '6', -1, 0.5])
      expect(await counting(5, count)).toBe(bounded)
    const whole = 'TypeError: rows.count must return a whole number'
    expect(await counting(undefined, { atLeast: 5 })).toBe(whole)
  })
})

describe('a promise of a collection', () => {
  const schema = defineSchema({ id: field.integer(), total: field.number(), tags: field.list(field.string()) })
  const collection = defineCollection(schema, { key: 'id', sort: ['total'], operators: { tags: ['equals', 'exists'] } })
  const start = (rows: Rows) =>
    createListService({
      authenticate: () => ({}),
      collections: {
        fine: { collection, rows: noRows, restriction: () => and() },
        notes: { collection, rows, restriction: () => and() },
      },
    })
  test('and its backend cannot do is found when the service starts', () => {
    const backend = sqlBackend({
      dialect: sqlite,
      table: table('notes', { columns: { total: column('amount', { type: 'text' }) } }),
    })
    expect(() => start({ ...noRows, backend })).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message:
          'collections.notes.rows.backend, sqlite, refuses 14 of the operators, orders, fields and facets that the collection offers: ' +
          'total is stored as text, which holds no number (total[equals], total[notEqual], total[gt], total[gte], total[lt], …); ' +
          'tags is not stored where sqlite can reach it (tags[equals], tags[exists])',
      }),
    )
    // Without the backend, a query finds it.
    expect(start(noRows)).toBeTypeOf('function')
  })
  test('and its backend can do lets the service start', async () => {
    const backend = mongoBackend({ schema })
    const service = start({ ...noRows, backend })
    expect((await service(new Request('http://x/api/notes?sort=-total&tags=a'))).status).toBe(200)
  })
  test('and select cannot read is found when the service starts, where the rows are in pages', () => {
    const items = childTable('tags', { foreignKey: 'note', value: 'tag' })
    const mapped = table('notes', { schema, key: 'id', columns: { tags: items } })
    const backend = sqlBackend({ dialect: sqlite, table: mapped })
    const page = () => ({ rows: [] })
    expect(() => start({ page, backend })).toThrow(
      'collections.notes.rows.backend, sqlite, refuses 5 of the operators, orders, fields and facets that the collection offers: ' +
        'select cannot read tags: its childTable needs orderBy or key, which give its entries an order (the default order, ',
    )
    // `find` reads what compileQuery orders, and so does a page of a backend without select.
    expect(start({ find: () => [], backend })).toBeTypeOf('function')
    expect(start({ page, backend: { ...backend, select: undefined } })).toBeTypeOf('function')
  })
  test('is tried on the backends of the demo', () => {
    const { orders: ofOrders, experiences: ofExperiences } = store
    for (const { backend } of [ofOrders, ofExperiences]) expect(backend).toMatchObject({ name: 'memory' })
  })
})

describe('options', () => {
  test('basePath, realm, limits', async () => {
    const other = customService({ basePath: '/v2/x', realm: 'Booking', limits: { pairs: 1 } })
    expect((await ask('/v2/x/orders?id=1', as('north'), other)).status).toBe(200)
    expect((await ask('/api/orders', as('north'), other)).status).toBe(404)
    expect((await ask('/v2/x/orders', {}, other)).headers.get('www-authenticate')).toBe('ApiKey realm="Booking"')
    expect((await ask('/v2/x/orders?id=1&gift=true', as('north'), other)).status).toBe(400)
    expect((await ask('/orders?id=1', as('north'), customService({ basePath: '' }))).status).toBe(200)
  })

  const collection = orderCollection
  test.each<[name: string, listed: unknown, RegExp]>([
    ['apiKey', {}, /^collections\.apiKey must be a plain name other than apiKey$/],
    ['a/b', {}, /^collections\.a\/b must/],
    ['a', undefined, /^collections\.a must be an object/],
    ['a', {}, /^collections\.a\.collection must be made by defineCollection/],
    ['a', { collection: { ...collection } }, /^collections\.a\.collection must be made by defineCollection/],
    // The old form.
    ['a', { schema: orders }, /^collections\.a\.schema is unknown .*collection, rows/],
    [
      'a',
      { collection: collectionOf({ id: field.integer(), apiKey: field.string() }) },
      /^reserved name apiKey is a field/,
    ],
    [
      'a',
      { collection: collectionOf({ id: field.integer() }, { cursor: 'apiKey' }) },
      /^reserved has apiKey, which is a parameter/,
    ],
    ['a', { collection }, /^collections\.a\.rows must have the function read, find or page/],
    [
      'a',
      { collection, rows: { find: () => [] }, restriction: and },
      /^collections\.a\.rows must have the function count/,
    ],
    [
      'a',
      { collection, rows: { ...noRows, backend: sqlite }, restriction: and },
      /^collections\.a\.rows\.backend must be a backend$/,
    ],
    ['a', { collection, rows: noRows }, /^collections\.a\.restriction must/],
  ])('the collection %s, wrong, is a TypeError: %o', (name, listed, message) => {
    const make = () => customService({ collections: { [name]: listed } as never })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test.each<[object, RegExp]>([
    [{ collections: undefined }, /^collections must be/],
    [{ collections: null }, /^collections must be/],
    [{ accounts: {} }, /^accounts must/],
    [{ accounts: { byKeyDigest: () => undefined } }, /^accounts must/],
    [{ accounts: { byPassword: () => undefined } }, /^accounts must/],
    [{ accounts: undefined }, /^accounts must/],
    [{ basePath: 'api/' }, /^basePath must/],
    [{ basePath: [] }, /^basePath must/],
    [{ realm: 'a"b' }, /^realm must/],
    [{ realm: 'Hotel Zürich' }, /^realm must/],
    [{ realm: 5 }, /^realm must/],
    // A text that is true would send passwords.
    [{ allowBasic: 'false' }, /^allowBasic must be a boolean/],
    [{ onError: 'log' }, /^onError must be a function/],
    [{ limits: { pairs: 'x' } }, /^limits\.pairs must/],
    [{ problemTypes: '/errors#' }, /^problemTypes must/],
    [{ problemTypes: [] }, /^problemTypes must/],
    [{ authenticate: () => undefined }, /^options\.authenticate is unknown/],
    [{ allowbasic: true }, /^options\.allowbasic is unknown/],
  ])('%o, wrong, is a TypeError', (options, message) => {
    expect(() => customService(options)).toThrow(TypeError)
    expect(() => customService(options)).toThrow(message)
  })

  test.each<[string, object | null, RegExp]>([
    ['none at all', null, /^options must be an object/],
    ['nobody who authenticates', {}, /^authenticate must be a function or an authenticator/],
    ['an authenticator that is none', { authenticate: { queryCredentials: {} } }, /^authenticate must/],
    ['a list of them', { authenticate: [() => 1] }, /^authenticate must/],
    ['a challenge', { authenticate: () => 1, challenge: 'Bearer\nX: y' }, /^challenge must/],
    ['a challenge of another type', { authenticate: () => 1, challenge: 5 }, /^challenge must/],
    ['a realm without accounts', { authenticate: () => 1, realm: 'x' }, /^options\.realm is unknown/],
  ])('without accounts, %s is a TypeError', (_, options, message) => {
    const make = () => createListService((options && { collections: {}, ...options }) as never)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test('a text in place of the options is a TypeError', () => {
    expect(() => createListService('accounts' as never)).toThrow(new TypeError('options must be an object'))
  })

  test.each<[object, RegExp]>([
    [{ allowbasic: true }, /^options\.allowbasic is unknown/],
    [{ realm: 'a"b' }, /^realm must/],
  ])('%j of keysAndBasic is a TypeError', (options, message) => {
    expect(() => keysAndBasic(accounts, options)).toThrow(message)
  })
})
