/** The service of a caller: what each may ask, what the store gets, how rows are shaped, limited, cached and observed. */
import { inspect } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { keysAndBasic } from '../../src/service/index.ts'
import type {
  ListServiceOptions,
  EndpointOptions,
  Observed,
  RequestHead,
  RowsContext,
} from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, FilterError, where, type Query } from '../../src/index.ts'
import { createListService, expectHead, isData } from './form.ts'

interface Principal {
  readonly seller: string
  readonly role: 'clerk' | 'boss'
}
const orders = defineSchema({
  id: field.integer(),
  seller: field.string({ required: true }),
  total: field.number({ required: true }),
  price: field.decimal(),
})
const stored = [
  { id: 1, seller: 's-1', total: 10, price: '1.50' },
  { id: 2, seller: 's-2', total: 20, price: '2.50' },
  { id: 3, seller: 's-1', total: 30, price: '3.50' },
]
const usual = defineCollection(orders, { key: 'id', sort: ['total'], count: true })
const { compile, compileQuery } = memoryBackend()
const found = (query: Query) => compileQuery({ ...query, count: false })(stored).rows
const memory = { find: found, count: ({ filter }: Query) => stored.filter(compile(filter)).length }

/** A token `clerk s-1` is the clerk of the seller s-1. */
const authenticate = ({ headers }: RequestHead): Principal | undefined => {
  const [, role, seller] = /^Bearer (clerk|boss)-(.+)$/.exec(headers.get('authorization') ?? '') ?? []
  return role === undefined ? undefined : { role: role as Principal['role'], seller: seller! }
}

function start(listed: Partial<EndpointOptions<Principal>> = {}, options: Partial<ListServiceOptions<Principal>> = {}) {
  const errors: unknown[] = []
  const service = createListService<Principal>({
    authenticate,
    collections: {
      orders: {
        ...{ collection: usual, rows: memory, restriction: ({ seller }) => where(orders).equals('seller', seller) },
        ...listed,
      },
    },
    onError: (error) => errors.push(error),
    ...options,
  })
  const ask = async (query: string, init: RequestInit = {}, as = 'boss-s-1') => {
    const headers = { authorization: `Bearer ${as}`, ...(init.headers as Record<string, string>) }
    const request = new Request(`http://x/api/orders${query}`, { ...init, headers })
    const response = await service(request)
    const text = await response.text()
    const body = (text === '' ? {} : JSON.parse(text)) as {
      data: Record<string, unknown>[]
      page: { next?: string; count?: number }
      type: string
      detail: string
      issues: { code: string; hint?: string }[]
    }
    const code = body.type?.replace(/.*#/, '')
    return { response, status: response.status, headers: response.headers, text, body, code, request }
  }
  const messages = () => errors.map((error) => (error as Error).message)
  return { service, ask, errors, messages }
}

describe('a collection of each caller', () => {
  const wide = defineCollection(orders, { key: 'id', sort: ['total'], fields: true, count: true })
  const narrow = defineCollection(orders, { key: 'id', sort: ['seller'], hidden: ['total', 'price'] })
  const collection = ({ role }: Principal) => (role === 'boss' ? wide : narrow)

  test('gives to each their filter, order, fields and hints', async () => {
    const { ask, errors } = start({ collection })
    const boss = await ask('?total[gte]=5&sort=-total&fields=id,total&count=true')
    expect(boss.body).toEqual({
      data: [
        { id: 3, total: 30 },
        { id: 1, total: 10 },
      ],
      page: { count: 2 },
    })
    const clerk = await ask('?sort=-seller', {}, 'clerk-s-1')
    expect(clerk.body.data).toEqual([
      { id: 3, seller: 's-1' },
      { id: 1, seller: 's-1' },
    ])
    // As a service answers whose schema has no such fields.
    const { id, seller } = orders.fields
    const without = start({
      collection: defineCollection(defineSchema({ id, seller }), { key: 'id', sort: ['seller'] }),
    })
    for (const query of ['?total[gte]=5', '?sort=total', '?fields=total', '?count=true', '?totl=5', '?or=(total=5)']) {
      const { status, text } = await ask(query, {}, 'clerk-s-1')
      expect([query, status]).toEqual([query, 400])
      expect(text).toBe((await without.ask(query)).text)
    }
    expect(errors).toEqual([])
  })

  test('is described to them', () => {
    const { service } = start({ collection, reserved: ['view'] }, { basePath: '/api', limits: { pairs: 5 } })
    for (const [role, one] of [
      ['boss', wide],
      ['clerk', narrow],
    ] as const) {
      const { basePath, limits, collections } = service.described({ role, seller: 's-1' })
      expect([basePath, limits.pairs]).toEqual(['/api', 5])
      const answer = { columns: [], schema: undefined }
      expect(collections).toEqual([{ name: 'orders', collection: one, reserved: ['view'], answer }])
      expect(collections[0]!.collection).toBe(one)
    }
    expect(start().service.described({ role: 'boss', seller: '' }).basePath).toBeUndefined()
  })

  test('a cursor of a caller who may sort by more is a 400', async () => {
    const { ask } = start({ collection })
    const { body } = await ask('?sort=total&limit=1')
    expect((await ask(`?sort=total&cursor=${body.page.next}`)).body.data).toHaveLength(1)
    const { status, body: refused } = await ask(`?cursor=${body.page.next}`, {}, 'clerk-s-1')
    expect([status, refused.issues.map(({ code }) => code)]).toEqual([400, ['parameter_invalid']])
  })

  test('comes from one call of the function per request, and is checked once per collection', async () => {
    const backend = { ...memoryBackend(), compile: vi.fn(compile) }
    const of = vi.fn(collection)
    const { ask } = start({ collection: of, rows: { ...memory, backend } })
    expect(of).not.toHaveBeenCalled()
    await ask('', {}, 'clerk-s-1')
    const calls = backend.compile.mock.calls.length
    expect(calls).toBeGreaterThan(5)
    await ask('', {}, 'clerk-s-2')
    expect(backend.compile.mock.calls).toHaveLength(calls)
    expect(of.mock.calls).toEqual([[{ role: 'clerk', seller: 's-1' }], [{ role: 'clerk', seller: 's-2' }]])
    await ask('')
    expect(backend.compile.mock.calls.length).toBeGreaterThan(calls)
  })

  test('may be a new one for each request', async () => {
    const { ask, errors } = start({ collection: () => defineCollection(orders, { key: 'id', count: true }) })
    for (const _ of [1, 2, 3]) expect((await ask('?count=true')).body.page).toEqual({ count: 2 })
    expect(errors).toEqual([])
  })

  test.each<[string, () => unknown, RegExp]>([
    ['nothing', () => undefined, /^collections\.orders\.collection\(principal\) must be made by defineCollection$/],
    ['null', () => null, /^collections\.orders\.collection\(principal\) must be made by defineCollection$/],
    ['a schema', () => orders, /^collections\.orders\.collection\(principal\) must be made by defineCollection$/],
    ['a copy', () => ({ ...usual }), /^collections\.orders\.collection\(principal\) must be made by defineCollection$/],
    ['a promise', async () => usual, /^collections\.orders\.collection\(principal\) must be made by defineCollection$/],
    [
      'an error',
      () => {
        throw new Error('no such role')
      },
      /^no such role$/,
    ],
    [
      'a reserved field',
      () => defineCollection(defineSchema({ view: field.string() }), { key: 'view' }),
      /^reserved name view is a field/,
    ],
    [
      'a reserved parameter',
      () => defineCollection(orders, { key: 'id', parameters: { limit: 'view' } }),
      /^reserved has view, which is a parameter/,
    ],
  ])('that is %s is a 500 that onError receives, and no row is read', async (_, collection, message) => {
    const find = vi.fn(found)
    const { ask, messages } = start({ collection: collection as never, rows: { ...memory, find }, reserved: ['view'] })
    const { status, code, text } = await ask('')
    expect([status, code]).toEqual([500, 'service_failed'])
    expect(text).not.toMatch(/role|view|collection/)
    expect(messages()).toEqual([expect.stringMatching(message)])
    expect(find).not.toHaveBeenCalled()
  })

  test('with an operator that its store cannot run is a 500 for this caller alone', async () => {
    const withoutCount = start({ collection, rows: { find: found } })
    expect((await withoutCount.ask('', {}, 'clerk-s-1')).status).toBe(200)
    expect((await withoutCount.ask('')).status).toBe(500)
    expect(withoutCount.messages()).toEqual([
      'collections.orders.rows must have the function count, which the collection allows',
    ])
    const refusing = {
      ...memoryBackend(),
      compileQuery: (query: Query) => {
        if (query.sort[0]!.path[0] === 'total') throw new FilterError([issue])
        return compileQuery(query)
      },
    }
    const withBackend = start({ collection, rows: { ...memory, backend: refusing } })
    expect((await withBackend.ask('', {}, 'clerk-s-1')).status).toBe(200)
    expect((await withBackend.ask('')).status).toBe(500)
    expect(withBackend.messages()).toEqual([
      expect.stringMatching(/^collections\.orders\.rows\.backend, memory, refuses 2 of /),
    ])
    // One collection for all callers is checked when the service starts.
    expect(() => start({ collection: wide, rows: { find: found } })).toThrow(/must have the function count/)
  })

  test('does not tell a stranger that there is one', async () => {
    const of = vi.fn(collection)
    const { ask } = start({ collection: of })
    expect((await ask('?total=5', {}, 'nobody')).status).toBe(401)
    expect(of).not.toHaveBeenCalled()
  })
})
const issue = {
  code: 'backend_refused',
  fault: 'client',
  message: 'total has no order',
  parameters: { problem: 'order', field: 'total' },
} as const

describe('the rows', () => {
  test('get the principal, the request, a signal and the reserved values, for reading and for counting', async () => {
    const given: [string, RowsContext<Principal>][] = []
    const rows = {
      find: (query: Query, context: RowsContext<Principal>) => (given.push(['find', context]), found(query)),
      count: (query: Query, context: RowsContext<Principal>) => (given.push(['count', context]), memory.count(query)),
    }
    const principal = { seller: 's-1', role: 'boss' } as const
    const { service } = start({ rows, reserved: ['view'] }, { authenticate: () => principal })
    const request = new Request('http://x/api/orders?view=a&count=true')
    expect((await service(request)).status).toBe(200)
    expect(given.map(([name]) => name)).toEqual(['find', 'count'])
    for (const [, context] of given) {
      expect(Object.keys(context)).toEqual(['principal', 'request', 'signal', 'reserved'])
      expect(context.principal).toBe(principal)
      expectHead(context.request, request)
      expect([context.signal instanceof AbortSignal, context.signal.aborted]).toEqual([true, false])
      expect([...context.reserved]).toEqual([['view', ['a']]])
    }
  })

  test('by page get them too, and are called as methods of their object', async () => {
    class Store {
      seen: RowsContext<Principal>[] = []
      page(query: Query, context: RowsContext<Principal>) {
        this.seen.push(context)
        return { rows: found(query) }
      }
      count(query: Query) {
        return this.seen.length + memory.count(query)
      }
    }
    const rows = new Store()
    const { ask } = start({ rows })
    const { body } = await ask('?limit=3&count=true')
    expect(body.page.count).toBe(3)
    expect(rows.seen.map(({ principal }) => principal)).toEqual([{ seller: 's-1', role: 'boss' }])
  })

  test.skipIf(isData)('of a QUERY get the request after its content was read', async () => {
    const used: boolean[] = []
    const find = (query: Query, { request }: RowsContext) => (used.push((request as Request).bodyUsed), found(query))
    const { ask } = start({ rows: { ...memory, find } })
    const { body } = await ask('', { method: 'QUERY', body: new URLSearchParams({ 'total[gt]': '10' }) })
    expect([body.data.map(({ id }) => id), used]).toEqual([[3], [true]])
  })

  test.each([[[]], [{}], [{ find: 5 }], [[() => []]], ['find'], [new Map()]])('%j are none: a TypeError', (rows) => {
    expect(() => start({ rows: rows as never })).toThrow(
      'collections.orders.rows must have the function read, find or page',
    )
  })

  test('a find beside a page is not called unless it is a function', async () => {
    const rows = { find: 5, page: (query: Query) => ({ rows: found(query) }), count: () => 2 }
    expect((await start({ rows: rows as never }).ask('')).status).toBe(200)
  })
})

describe('own parameters', () => {
  const asked = async (query: string, init?: RequestInit) => {
    const given: (readonly [string, readonly string[]])[] = []
    const find = (query: Query, { reserved }: RowsContext) => (given.push(...reserved), found(query))
    const { ask } = start({ rows: { ...memory, find }, reserved: ['view', 'utm_source', 'a[b]'] })
    const answer = await ask(query, init)
    return { given, ...answer }
  }
  test.each<[string, [string, string[]][]]>([
    ['', []],
    ['?view=short', [['view', ['short']]]],
    ['?view=', [['view', ['']]]],
    ['?view=a+b%26c&utm_source=%C3%A9', Object.entries({ view: ['a b&c'], utm_source: ['é'] })],
    ['?%76iew=b&total[gt]=1&view=a', [['view', ['b', 'a']]]],
    ['?utm_source=x&view=y', Object.entries({ view: ['y'], utm_source: ['x'] })],
  ])('%s', async (query, expected) => {
    const { status, given } = await asked(query)
    expect([status, given]).toEqual([200, expected])
  })

  test('are in no condition, and every link repeats them', async () => {
    const { body, headers, given } = await asked('?view=a%20b&limit=1&sort=total')
    expect([body.data.map(({ id }) => id), given]).toEqual([[1], [['view', ['a b']]]])
    expect(headers.get('link')).toBe(`<?view=a%20b&limit=1&sort=total&cursor=${body.page.next}>; rel="next"`)
  })

  test('may be in the content of a QUERY, and not in its URL', async () => {
    const body = 'view=long&limit=1'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await asked('', { method: 'QUERY', headers, body })).given).toEqual([['view', ['long']]])
    const { status, code } = await asked('?view=long', { method: 'QUERY', headers, body: '' })
    expect([status, code]).toEqual([400, 'query_misplaced'])
  })

  test('of other names are unknown fields, and no message has a value of those that are known', async () => {
    const { status, body, text } = await asked('?viw=secret-1&view=secret-2&totl=5')
    expect([status, body.issues.map(({ code }) => code)]).toEqual([400, ['field_unknown', 'field_unknown']])
    expect(text).not.toContain('secret')
  })

  test('are of their collection', async () => {
    const { service } = start(
      {},
      {
        collections: {
          orders: { collection: usual, rows: memory, restriction: () => and(), reserved: ['view'] },
          others: { collection: usual, rows: memory, restriction: () => and() },
        },
      },
    )
    const headers = { authorization: 'Bearer boss-s-1' }
    const statusOf = async (path: string) => (await service(new Request(`http://x/${path}`, { headers }))).status
    expect([await statusOf('orders?view=a'), await statusOf('others?view=a')]).toEqual([200, 400])
  })

  test.each<[unknown, RegExp]>([
    ['view', /^collections\.orders\.reserved must be a list of names$/],
    [[5], /^collections\.orders\.reserved must be a list of names$/],
    [[''], /^collections\.orders\.reserved must be a list of names$/],
    [['a', 'a'], /^collections\.orders\.reserved has a, which is reserved already$/],
    [['total'], /^reserved name total is a field/],
    [['limit'], /^reserved has limit, which is a parameter of the collection$/],
  ])('%j is a TypeError', (reserved, message) => {
    expect(() => start({ reserved: reserved as never })).toThrow(message)
  })
  test('with the name of a credential are a TypeError', () => {
    const accounts = keysAndBasic<Principal>({ byKeyDigest: () => undefined, byPassword: () => undefined })
    const make = () => start({ reserved: ['apiKey'] }, { authenticate: accounts })
    expect(make).toThrow(new TypeError('collections.orders.reserved has apiKey, which is reserved already'))
  })
})

describe('row', () => {
  test('chooses the fields of the answer, for the caller', async () => {
    const given: unknown[] = []
    const collection = defineCollection(orders, { key: 'id', fields: ['id', 'price'], sort: ['total'] })
    const row = (one: unknown, context: { principal: Principal }) => {
      given.push([one, context])
      return { ...(one as object), href: `/orders/${(one as { id: number }).id}`, for: context.principal.role }
    }
    const { ask } = start({ collection, row })
    const { body } = await ask('?sort=-total&limit=1')
    expect(body.data).toEqual([{ id: 3, price: '3.5', href: '/orders/3', for: 'boss' }])
    expect(body.page.next).toBeTypeOf('string')
    expect(given).toEqual([[{ id: 3, price: '3.5' }, { principal: { seller: 's-1', role: 'boss' } }]])
    expect((await ask('?fields=id&limit=1')).body.data).toEqual([{ id: 1, href: '/orders/1', for: 'boss' }])
  })

  test('may be asynchronous, and rows keep their order', async () => {
    const row = async (one: unknown) => {
      const { id } = one as { id: number }
      await new Promise((done) => setTimeout(done, 6 - id))
      return id
    }
    expect((await start({ row }).ask('')).body.data).toEqual([1, 3])
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', [1]],
    ['false', false],
    ['a text', ''],
  ])('may return %s', async (_, value) => {
    expect((await start({ row: () => value }).ask('')).body.data).toEqual([value, value])
  })

  const fail = () => {
    throw new Error('secret')
  }
  test.each<[string, (row: unknown) => unknown, RegExp]>([
    ['undefined', () => undefined, /^row must return .*, not undefined$/],
    ['a promise of undefined', async () => undefined, /^row must return .*, not undefined$/],
    ['a function', () => fail, /^row must return .*, not function$/],
    ['a symbol', () => Symbol('secret'), /^row must return .*, not symbol$/],
    ['a bigint', () => 1n, /BigInt/],
    ['a circle', (row) => Object.assign(row as object, { row }), /circular/],
    ['an error', fail, /^secret$/],
    ['a rejection', async () => fail(), /^secret$/],
  ])('that returns %s is a 500 that onError receives', async (_, row, message) => {
    const { ask, messages } = start({ row })
    const { status, code, text } = await ask('')
    expect([status, code, text.includes('secret')]).toEqual([500, 'service_failed', false])
    expect(messages()).toEqual([expect.stringMatching(message)])
  })

  test('that throws for one row leaves no rejection of another unhandled', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const row = (one: unknown) => ((one as { id: number }).id === 1 ? Promise.reject(new Error('late')) : fail())
    expect((await start({ row }).ask('')).status).toBe(500)
    await new Promise((done) => setTimeout(done, 10))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('validateRows', () => {
  const schema = z.object({ id: z.number(), seller: z.string(), total: z.number().max(20), price: z.string() })
  test('lets rows pass as they are', async () => {
    const { ask, errors } = start({ validateRows: schema.transform(() => 'changed') })
    const { body } = await ask('?total[lte]=20')
    expect(body.data).toEqual([{ id: 1, seller: 's-1', total: 10, price: '1.5' }])
    expect(errors).toEqual([])
  })
  test('makes a row that it refuses a 500, and names row and path to onError alone', async () => {
    const { ask, messages } = start({ validateRows: schema })
    const { status, code, text } = await ask('')
    expect([status, code, text.includes('total')]).toEqual([500, 'service_failed', false])
    expect(messages()).toEqual([expect.stringMatching(/^validateRows refuses the row 1\.total: /)])
  })
  test('checks the result of row', async () => {
    const row = ({ id }: { id: number }) => ({ href: `/${id}` })
    const validateRows = z.strictObject({ href: z.string() })
    expect((await start({ row: row as never, validateRows }).ask('')).status).toBe(200)
    expect((await start({ validateRows }).ask('')).status).toBe(500)
  })
  test('is called as a method, may be asynchronous, and may name paths by objects', async () => {
    const validator = {
      '~standard': {
        refused: 3,
        async validate(value: unknown) {
          const isFine = (value as { id: number }).id !== this.refused
          return isFine ? {} : { issues: [{ message: 'refused', path: [{ key: 'id' }, Symbol('x')] }] }
        },
      },
    }
    const { ask, messages } = start({ validateRows: validator })
    expect((await ask('?total=10')).status).toBe(200)
    expect((await ask('')).status).toBe(500)
    expect(messages()).toEqual(['validateRows refuses the row 1.id.Symbol(x): refused'])
  })
  test('that throws is a 500', async () => {
    const validate = () => {
      throw new Error('no validator')
    }
    const { ask, messages } = start({ validateRows: { '~standard': { validate } } })
    expect([(await ask('')).status, messages()]).toEqual([500, ['no validator']])
  })
  test.each([null, {}, () => true, { validate: () => ({}) }, { '~standard': {} }])('%o is a TypeError', (wrong) => {
    expect(() => start({ validateRows: wrong as never })).toThrow(
      new TypeError('collections.orders.validateRows must be a Standard Schema, such as one of zod'),
    )
  })
})

describe('faults are told apart by data', () => {
  const refuse = () => {
    throw new FilterError([issue])
  }
  test.each<[string, Partial<EndpointOptions<Principal>>]>([
    ['find', { rows: { ...memory, find: refuse } }],
    ['page', { rows: { page: refuse, count: () => 0 } }],
    ['count', { rows: { ...memory, count: refuse } }],
    ['count, later', { rows: { ...memory, count: async () => refuse() } }],
  ])('what the backend refuses of the query in %s is a 400 with the issue', async (_, listed) => {
    const { ask, errors } = start(listed)
    const { status, body } = await ask('?count=true')
    expect([status, body.issues, errors]).toEqual([
      400,
      [{ code: issue.code, message: issue.message, parameters: issue.parameters }],
      [],
    ])
  })
  test.each<[string, Partial<EndpointOptions<Principal>>]>([
    ['the restriction', { restriction: refuse }],
    ['the collection', { collection: refuse as never }],
    ['row', { row: refuse }],
    ['validateRows', { validateRows: { '~standard': { validate: refuse } } }],
  ])('the same error of %s is a 500: the query is not at fault', async (_, listed) => {
    const { ask, errors } = start(listed)
    const { status, text } = await ask('')
    expect([status, text.includes('total')]).toEqual([500, false])
    expect(errors).toEqual([expect.any(FilterError)])
  })
})

describe('a fault of the program is a 500, which nobody tries again', () => {
  const fetched = () => fetch('http://127.0.0.1:2').then(() => [])
  const wrong = (): never => (undefined as never as { rows: never }).rows
  test.each<[string, () => unknown, number]>([
    ['a TypeError', () => Promise.reject(new TypeError('select cannot read items')), 500],
    ['a member of undefined', wrong, 500],
    ['an unknown name', () => Promise.reject(new ReferenceError('x is not defined')), 500],
    ['fetch that reaches no server', fetched, 503],
    ['another error', () => Promise.reject(new Error('down')), 503],
    ['no error', () => Promise.reject('down' as never as Error), 503],
  ])('%s of find, count and authenticate', async (_, fail, status) => {
    for (const broken of [
      start({ rows: { ...memory, find: fail as never } }),
      start({ rows: { ...memory, count: fail as never } }),
      start({}, { authenticate: fail as never }),
    ]) {
      const answer = await broken.ask('?count=true')
      expect([answer.status, answer.code]).toEqual([status, status === 500 ? 'service_failed' : 'data_unavailable'])
      expect(broken.errors).toHaveLength(1)
    }
  })
})

describe('mounting', () => {
  test.each(['/orders', '/api/orders', '/v2/tenants/7/orders', '//orders', '/orders/orders'])(
    'the service answers at %s, wherever it is mounted',
    async (path) => {
      const { service } = start()
      const headers = { authorization: 'Bearer boss-s-1' }
      const response = await service(new Request(`http://x${path}?limit=1`, { headers }))
      expect([response.status, response.headers.get('accept-query')]).toEqual([
        200,
        'application/x-www-form-urlencoded, application/json',
      ])
    },
  )
  test.each([
    '/',
    '/orders/',
    '/orders/1/',
    '/Orders/1',
    '/Orders',
    '/api/%6frders',
    '/api/__proto__',
    '/api/constructor',
    '/order',
  ])('%s is a 404', async (path) => {
    const { service, errors } = start()
    expect([(await service(new Request(`http://x${path}`))).status, errors]).toEqual([404, []])
  })
  test('with a basePath, only that path leads to a collection, or the rest of it that a framework leaves', async () => {
    const { service } = start({}, { basePath: '/v2' })
    const statusOf = async (path: string) => (await service(new Request(`http://x${path}`))).status
    expect(
      await Promise.all(['/v2/orders', '/orders', '/v2/x/orders', '/v2orders', '/x/v2/orders'].map(statusOf)),
    ).toEqual([401, 401, 404, 404, 404])
  })
  test
    .skipIf(isData)
    .each([{ url: '/api/orders', method: 'GET', headers: {} }, {}, { url: new URL('http://x/api/orders/').pathname }])(
    'what is no Web request rejects, and names it: %j',
    async (request) => {
      const { service, errors } = start()
      await expect(service(request as never)).rejects.toThrow(/^request must be a Request of the Web standard/)
      expect(errors).toEqual([])
    },
  )
  test.each([undefined, null])(
    'a request whose signal is %s, as some runtimes make it, is answered',
    async (signal) => {
      const request = new Request('http://x/api/orders', { headers: { authorization: 'Bearer boss-s-1' } })
      Object.defineProperty(request, 'signal', { value: signal })
      expect((await start({}, { timeout: 1_000 }).service(request)).status).toBe(200)
    },
  )
})

describe('a caller whom a framework found', () => {
  const strict = (principal: unknown, more: object = {}) => {
    const authenticated = vi.fn(authenticate)
    const restriction = vi.fn(() => and())
    const { service, messages } = start({ restriction }, { authenticate: authenticated, challenge: 'Bearer realm="x"' })
    const request = new Request('http://x/api/orders?limit=1')
    return { asked: service(request, { principal, ...more } as never), authenticated, restriction, messages, service }
  }
  class User {
    seller = 's-1'
  }
  test.each<[string, object]>([
    ['a plain object', { seller: 's-1' }],
    ['an entity', new User()],
    ['a frozen object', Object.freeze({ seller: 's-1' })],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { seller: 's-1' })],
    ['a Proxy', new Proxy({ seller: 's-1' }, {})],
  ])('%s is not authenticated again', async (_, principal) => {
    const { asked, authenticated, restriction } = strict(principal)
    expect((await asked).status).toBe(200)
    expect(authenticated).not.toHaveBeenCalled()
    expect(restriction.mock.calls).toEqual([[principal]])
    expect((restriction.mock.calls as unknown[][])[0]![0]).toBe(principal)
  })
  test.each([undefined, null, false, '', 0, Number.NaN])('%s is nobody: a 401', async (nobody) => {
    const { asked, authenticated, restriction, messages } = strict(nobody)
    const response = await asked
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="x"'])
    expect(authenticated).not.toHaveBeenCalled()
    expect(restriction).not.toHaveBeenCalled()
    expect(messages()).toEqual([])
  })
  const broken = new Proxy({}, { get: () => { throw new Error('trap') } }) // prettier-ignore
  test.each<[string, unknown]>([
    ['true', true],
    ['a name', 'north'],
    ['a function', () => ({})],
    ['a list', [{ seller: 's-1' }]],
    ['an error', new Error('no')],
    ['a Response', new Response(null, { status: 403 })],
    ['a Proxy of a Response', new Proxy(new Response(), {})],
    ['a Map', new Map()],
    ['a problem', { status: 404, detail: 'x' }],
    ['a status', { status: 401 }],
    ['a statusCode', { statusCode: 403, seller: 's-1' }],
    ['a problem of a class', new (class { get status() { return 401 } })()], // prettier-ignore
    ['a promise', Promise.resolve({ seller: 's-1' })],
    ['a thenable', { then: () => {}, seller: 's-1' }],
    ['a Proxy that throws', broken],
  ])('%s is a 500, and no row is read', async (_, principal) => {
    const { asked, authenticated, restriction, messages } = strict(principal)
    expect((await asked).status).toBe(500)
    expect(messages()).toEqual([
      principal === broken
        ? 'trap'
        : expect.stringMatching(/^(?:the second argument|request) must have a principal, which is a plain/),
    ])
    expect(authenticated).not.toHaveBeenCalled()
    expect(restriction).not.toHaveBeenCalled()
  })
  test.skipIf(isData).each<[string, object]>([
    ['an environment', { DATABASE: 'x' }],
    ['a tenant', { tenant: 's-1' }],
  ])('beside %s is a 500: an environment is no caller', async (_, more) => {
    for (const principal of [{ seller: 's-1' }, 'text', undefined]) {
      const { asked, restriction, messages } = strict(principal, more)
      expect((await asked).status).toBe(500)
      expect(messages()).toEqual([expect.stringMatching(/^the second argument must be \{ principal \} alone/)])
      expect(restriction).not.toHaveBeenCalled()
    }
  })
  test.skipIf(isData).each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an environment', { DB: {} }],
    ['what a prototype has', Object.create({ principal: { seller: 's-1' } })],
    ['a getter of a class', new (class { get principal() { return { seller: 's-1' } } })()], // prettier-ignore
    ['a function', Object.assign(() => {}, { principal: { seller: 's-1' } })],
    ['a number, as of a list', 0],
    ['a text', 'principal'],
  ])('is not found in %s: the request is authenticated', async (_, runtime) => {
    const { service } = strict(undefined)
    const as = (token: string) => {
      const request = new Request('http://x/api/orders', { headers: { authorization: token } })
      return service(request, runtime as object)
    }
    expect([(await as('Bearer boss-s-1')).status, (await as('no')).status]).toEqual([200, 401])
  })
  test('an unknown path comes first', async () => {
    const { service, errors } = start()
    const request = new Request('http://x/api/nope')
    expect([(await service(request, { principal: 'x' } as never)).status, errors]).toEqual([404, []])
  })
  test('keeps the pairs of credentials out of the query', async () => {
    const accounts = { byKeyDigest: () => undefined, byPassword: () => undefined }
    const { service } = start({}, { authenticate: keysAndBasic<Principal>(accounts), basePath: '/api' })
    const request = new Request('http://x/api/orders?apiKey=k-1&limit=1')
    const response = await service(request, { principal: { seller: 's-1', role: 'boss' } })
    expect([response.status, response.headers.get('link')]).toEqual([200, expect.not.stringContaining('k-1')])
    expect(
      (await service(new Request('http://x/api/apiKey'), { principal: { seller: 's-1', role: 'boss' } })).status,
    ).toBe(401)
  })
  test('inherits nothing that somebody gave to Object.prototype', async () => {
    const { service } = strict(undefined)
    Object.assign(Object.prototype, { principal: { seller: 's-1' } })
    try {
      expect((await service(new Request('http://x/api/orders'), {})).status).toBe(401)
    } finally {
      delete (Object.prototype as { principal?: object }).principal
    }
  })
})

describe('concurrency', () => {
  /** A store whose calls end when they are told to. */
  function held() {
    const waiting: { resolve: (rows: never[]) => void; reject: (error: Error) => void }[] = []
    const call = () => new Promise<never[]>((resolve, reject) => waiting.push({ resolve, reject }))
    return { waiting, call }
  }
  const settled = () => new Promise((done) => setTimeout(done, 1))
  const byName = { max: 2, key: ({ seller }: Principal) => seller }

  test('admits so many requests of a key at once, and the next is a 429', async () => {
    const { waiting, call } = held()
    const { ask, errors } = start({ rows: { ...memory, find: call } }, { concurrency: byName })
    const first = [ask(''), ask('', {}, 'clerk-s-1')]
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    const { status, code, headers, body } = await ask('')
    expect([status, code, headers.get('retry-after')]).toEqual([429, 'requests_busy', '1'])
    expect(body.detail).toContain('too many requests of this caller run at once')
    const other = ask('', {}, 'boss-s-2')
    await vi.waitFor(() => expect(waiting).toHaveLength(3))
    waiting.forEach(({ resolve }) => resolve([]))
    expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([200, 200, 200])
    const again = ask('')
    await vi.waitFor(() => expect(waiting).toHaveLength(4))
    waiting[3]!.resolve([])
    expect([(await again).status, errors]).toEqual([200, []])
  })

  test('one place serves requests in a row', async () => {
    const { ask } = start({}, { concurrency: { ...byName, max: 1 } })
    for (let at = 0; at < 200; at++) expect((await ask('?count=true&limit=1')).status).toBe(200)
  })

  const fail = () => {
    throw new Error('failed')
  }
  const reject = () => Promise.reject(new Error('failed'))
  const refuse = () => {
    throw new FilterError([issue])
  }
  test.each<[string, Partial<EndpointOptions<Principal>>, number]>([
    ['find that throws', { rows: { ...memory, find: fail } }, 503],
    ['find that rejects', { rows: { ...memory, find: reject } }, 503],
    ['find that refuses', { rows: { ...memory, find: refuse } }, 400],
    ['count that throws', { rows: { ...memory, count: fail } }, 503],
    ['count that rejects', { rows: { ...memory, count: reject } }, 503],
    ['count that is none', { rows: { ...memory, count: () => -1 } }, 500],
    ['find and count that reject', { rows: { find: reject, count: reject } }, 503],
    ['rows that are none', { rows: { ...memory, find: () => 5 as never } }, 500],
    ['a restriction that throws', { restriction: fail }, 500],
    ['a restriction that rejects', { restriction: reject }, 500],
    ['a restriction that is none', { restriction: () => true as never }, 500],
    ['a row that throws', { row: fail }, 500],
    ['rows that are refused', { validateRows: { '~standard': { validate: fail } } }, 500],
    ['all that works', {}, 200],
  ])('a request leaves its place after %s', async (_, listed, expected) => {
    const { ask } = start(listed, { concurrency: { ...byName, max: 1 } })
    for (let at = 0; at < 5; at++) {
      expect((await ask('?count=true')).status).toBe(expected)
      await settled()
    }
  })

  test.each(['find', 'count'] as const)(
    'a request keeps its place while %s runs, where the other failed',
    async (slow) => {
      const { waiting, call } = held()
      const rows = { ...memory, [slow === 'find' ? 'count' : 'find']: fail, [slow]: call } as never
      const { ask } = start({ rows }, { concurrency: { ...byName, max: 1 } })
      // It is answered at once.
      expect((await ask('?count=true')).status).toBe(503)
      await settled()
      expect((await ask('?count=true')).status).toBe(429)
      waiting[0]!.reject(new Error('late'))
      await settled()
      expect((await ask('?count=true')).status).toBe(503)
    },
  )

  test('a bad query, and nobody, need no place', async () => {
    const { waiting, call } = held()
    const { ask } = start({ rows: { ...memory, find: call } }, { concurrency: { ...byName, max: 1 } })
    const first = ask('')
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    expect([(await ask('?totl=1')).status, (await ask('', {}, 'nobody')).status, (await ask('')).status]).toEqual([
      400, 401, 429,
    ])
    waiting[0]!.resolve([])
    expect((await first).status).toBe(200)
  })

  test.each(['__proto__', 'constructor', '', 'toString'])('%j is a key as any', async (key) => {
    const { waiting, call } = held()
    const { ask } = start({ rows: { ...memory, find: call } }, { concurrency: { max: 1, key: () => key } })
    const first = ask('')
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    expect((await ask('')).status).toBe(429)
    waiting[0]!.resolve([])
    expect((await first).status).toBe(200)
    const last = ask('')
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    waiting[1]!.resolve([])
    expect((await last).status).toBe(200)
  })

  test.each<[string, () => unknown, RegExp]>([
    ['throws', fail, /^failed$/],
    ['returns a number', () => 7, /^concurrency\.key must return a text$/],
    ['returns nothing', () => undefined, /^concurrency\.key must return a text$/],
    ['returns a promise', async () => 'a', /^concurrency\.key must return a text$/],
  ])('a key that %s is a 500, and no row is read', async (_, key, message) => {
    const find = vi.fn(found)
    const { ask, messages } = start({ rows: { ...memory, find } }, { concurrency: { max: 1, key: key as never } })
    expect((await ask('')).status).toBe(500)
    expect(messages()).toEqual([expect.stringMatching(message)])
    expect(find).not.toHaveBeenCalled()
  })

  test.each<[unknown, RegExp]>([
    [null, /^concurrency must be an object$/],
    [2, /^concurrency must be an object$/],
    [{ max: 0, key: () => '' }, /^concurrency\.max must be a whole number of at least 1$/],
    [{ max: 1.5, key: () => '' }, /^concurrency\.max must be/],
    [{ max: '2', key: () => '' }, /^concurrency\.max must be/],
    [{ max: 1 }, /^concurrency\.key must be a function$/],
    [{ max: 1, key: 'seller' }, /^concurrency\.key must be a function$/],
    [{ max: 1, key: () => '', queue: 5 }, /^concurrency\.queue is unknown/],
  ])('%o is a TypeError', (concurrency, message) => {
    expect(() => start({}, { concurrency: concurrency as never })).toThrow(message)
  })
})

describe('cache', () => {
  const cache = { maxAge: 60, vary: ['Authorization'] }
  const tagged = async (ask: ReturnType<typeof start>['ask'], query = '?limit=1') => {
    const { status, headers, text } = await ask(query)
    expect(status).toBe(200)
    return { tag: headers.get('etag')!, headers, text }
  }

  test('off, an answer is for no cache and has no tag', async () => {
    const { headers } = await start().ask('')
    expect(['cache-control', 'etag', 'vary'].map((name) => headers.get(name))).toEqual(['no-store', null, null])
  })

  test('gives a page its age, its tag and what it varies by', async () => {
    const { ask } = start({}, { cache: { maxAge: 60, vary: ['Authorization', 'Cookie'] } })
    const { headers, tag, text } = await tagged(ask)
    expect(headers.get('cache-control')).toBe('private, max-age=60')
    expect(headers.get('vary')).toBe('Authorization, Cookie')
    // Weak: compression behind the service changes the bytes, and not the page.
    expect(tag).toMatch(/^W\/"[\da-f]{32}"$/)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(headers.get('link')).toContain('rel="next"')
    // The same rows have the same tag, others another.
    expect((await tagged(ask)).tag).toBe(tag)
    expect((await tagged(ask, '?limit=2')).tag).not.toBe(tag)
    expect((await ask('?limit=1', {}, 'boss-s-2')).headers.get('etag')).not.toBe(tag)
  })

  const one = start({}, { cache })
  const same = async (header: string, init: RequestInit = {}, query = '?limit=1') =>
    one.ask(query, { ...init, headers: { 'If-None-Match': header } })
  test.each<[string, (tag: string) => string, number]>([
    ['the tag', (tag) => tag, 304],
    ['the same tag, strong', (tag) => tag.replace('W/', ''), 304],
    ['a list', (tag) => `"a", ${tag}`, 304],
    ['a list without spaces', (tag) => `"a",W/"b",${tag},"c"`, 304],
    ['any', () => '*', 304],
    ['another', () => '"0123456789abcdef0123456789abcdef"', 200],
    ['a list of others', () => '"a", W/"b"', 200],
    ['a tag without quotes', (tag) => tag.replaceAll('"', ''), 200],
    ['a tag that is weak twice', (tag) => `W/${tag}`, 200],
    ['a tag in a word', (tag) => `x${tag}`, 200],
    ['nothing', () => '', 200],
  ])('If-None-Match with %s', async (_, header, expected) => {
    const { tag } = await tagged(one.ask)
    const { status, headers, text } = await same(header(tag))
    expect([status, text === '']).toEqual([expected, expected === 304])
    const kept = ['etag', 'cache-control', 'vary'].map((name) => headers.get(name))
    expect(kept).toEqual([tag, 'private, max-age=60', 'Authorization'])
    if (expected === 304) expect([headers.get('content-type'), headers.get('content-length')]).toEqual([null, null])
  })

  test('HEAD has the headers of GET, and a 304', async () => {
    const { tag, headers } = await tagged(one.ask)
    const head = await one.ask('?limit=1', { method: 'HEAD' })
    expect([head.status, head.text, [...head.headers]]).toEqual([200, '', [...headers]])
    expect((await same(tag, { method: 'HEAD' })).status).toBe(304)
  })

  test('a change of the rows is another tag', async () => {
    const changing = stored.map((row) => ({ ...row }))
    const find = (query: Query) => compileQuery({ ...query, count: false })(changing).rows
    const { ask } = start({ rows: { ...memory, find } }, { cache })
    const { tag } = await tagged(ask)
    changing[0]!.total = 11
    const { status, headers } = await ask('?limit=1', { headers: { 'If-None-Match': tag } })
    expect([status, headers.get('etag') === tag]).toEqual([200, false])
  })

  test('of a page of today is the same all day, with the cursors of one walk, and another the next day', async () => {
    vi.useFakeTimers({ now: new Date('2024-01-02T09:00:00.001Z'), toFake: ['Date'] })
    try {
      const schema = defineSchema({ id: field.integer(), at: field.datetime() })
      const at = '2024-01-02T08:00:00Z'
      const rows = { find: (query: Query) => compileQuery(query)([1, 2, 3].map((id) => ({ id, at }))).rows }
      const collection = defineCollection(schema, { key: 'id', timeZone: true })
      const { ask } = start({ collection, rows, restriction: () => and() }, { cache })
      const query = '?at[gte]=today-7d&at[lte]=today&timeZone=Europe/Berlin&limit=1'
      const { tag, text } = await tagged(ask, query)
      const { next } = (JSON.parse(text) as { page: { next: string } }).page
      const again = async () => (await ask(query, { headers: { 'If-None-Match': tag } })).status
      vi.setSystemTime(new Date('2024-01-02T22:59:59.999Z'))
      expect(await again()).toBe(304)
      const second = await ask(`${query}&cursor=${next}`)
      expect(second.body.data).toEqual([{ id: 2, at }])
      vi.setSystemTime(new Date('2024-01-02T23:00:00Z'))
      expect(await again()).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  test('the tag of another caller is none', async () => {
    const { tag } = await tagged(one.ask)
    expect((await one.ask('?limit=1', { headers: { 'If-None-Match': tag } }, 'boss-s-2')).status).toBe(200)
    expect((await one.ask('?limit=1', { headers: { 'If-None-Match': tag } }, 'nobody')).status).toBe(401)
    expect((await one.ask('?limit=1', { headers: { 'If-None-Match': '*' } }, 'nobody')).status).toBe(401)
  })

  test('QUERY is for no cache, and has no 304', async () => {
    const { tag } = await tagged(one.ask)
    const { status, headers } = await same(tag, { method: 'QUERY', body: new URLSearchParams({ limit: '1' }) }, '')
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'no-store', null])
  })

  test('no problem is for a cache', async () => {
    for (const [query, as] of [
      ['?totl=1', 'boss-s-1'],
      ['', 'nobody'],
    ] as const) {
      const { headers } = await one.ask(query, {}, as)
      expect(['cache-control', 'etag', 'vary'].map((name) => headers.get(name))).toEqual(['no-store', null, null])
    }
    const failing = start({ row: () => undefined }, { cache })
    const { status, headers } = await failing.ask('')
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([500, 'no-store', null])
  })

  test('a URL with a key, in its place or in a wrong one, is for no cache', async () => {
    const { service } = start(
      {},
      {
        cache,
        authenticate: {
          queryCredentials: { apiKey: 'use a header' },
          authenticate: () => ({ principal: { seller: 's-1', role: 'boss' } }),
        },
      },
    )
    for (const [query, control] of [
      ['limit=1', 'private, max-age=60'],
      ['apiKey=k&limit=1', 'no-store'],
      ['seller=s-1;apiKey=k', 'no-store'],
      ['seller=s-1%26api_key%3Dk', 'no-store'],
    ] as const) {
      const { headers } = await service(
        new Request(`http://x/api/orders?${query}`, { headers: { 'If-None-Match': '*' } }),
      )
      expect([query, headers.get('cache-control')]).toEqual([query, control])
      expect([headers.has('etag'), headers.get('link')?.includes('pi') ?? false]).toEqual([
        control !== 'no-store',
        false,
      ])
    }
  })

  test('takes no option of Object.prototype', async () => {
    Object.assign(Object.prototype, { statusText: 'Polluted' })
    try {
      const { service } = start({}, { cache })
      const headers = { authorization: 'Bearer boss-s-1' }
      expect((await service(new Request('http://x/api/orders', { headers }))).statusText).toBe('')
    } finally {
      delete (Object.prototype as { statusText?: string }).statusText
    }
  })

  test.each<[unknown, RegExp]>([
    [true, /^cache must be an object$/],
    [{ maxAge: -1, vary: ['Cookie'] }, /^cache\.maxAge must be a whole number of seconds$/],
    [{ maxAge: 1.5, vary: ['Cookie'] }, /^cache\.maxAge must be/],
    [{ vary: ['Cookie'] }, /^cache\.maxAge must be/],
    [{ maxAge: 0 }, /^cache\.vary must be a list of headers/],
    [{ maxAge: 0, vary: [] }, /^cache\.vary must be/],
    [{ maxAge: 0, vary: 'Cookie' }, /^cache\.vary must be/],
    [{ maxAge: 0, vary: ['Cookie, X'] }, /^cache\.vary must be/],
    [{ maxAge: 0, vary: ['Cookie\r\nX: y'] }, /^cache\.vary must be/],
    [{ maxAge: 0, vary: [5] }, /^cache\.vary must be/],
    [{ maxAge: 0, vary: ['*'] }, /^cache\.vary must be/],
    [{ maxage: 0, vary: ['Cookie'] }, /^cache\.maxage is unknown.*did you mean maxAge/],
  ])('%o is a TypeError', (wrong, message) => {
    expect(() => start({}, { cache: wrong as never })).toThrow(message)
  })
})

describe('onRequest', () => {
  const watched = (
    listed: Partial<EndpointOptions<Principal>> = {},
    options: Partial<ListServiceOptions<Principal>> = {},
  ) => {
    const seen: Observed<Principal>[] = []
    return { seen, ...start(listed, { onRequest: (one) => void seen.push(one), ...options }) }
  }
  const boss = { seller: 's-1', role: 'boss' }

  test('gets the principal, the collection, the query, the status, the time and the number of rows', async () => {
    const { ask, seen } = watched()
    await ask('?limit=1&total[gt]=5&seller=s-1&count=true')
    expect(seen).toEqual([
      {
        ...{ principal: boss, collection: 'orders', status: 200, rows: 1 },
        query: 'total[gt]=5&seller=s-1&limit=1&count=true',
        duration: expect.any(Number) as number,
      },
    ])
    expect(seen[0]!.duration).toBeGreaterThan(0)
    expect(seen[0]!.duration).toBeLessThan(10_000)
  })

  test.each<[string, string, RequestInit, string, Partial<Observed<Principal>>]>([
    ['defaults', '?sort=id&limit=20', {}, 'boss-s-1', { query: '', status: 200, rows: 2 }],
    ['another spelling', '?limit=01&sort=-total', {}, 'boss-s-1', { query: undefined, status: 400, rows: 0 }],
    ['HEAD', '?total=10', { method: 'HEAD' }, 'boss-s-1', { query: 'total=10', status: 200, rows: 1 }],
    ['issues', '?totl=1', {}, 'boss-s-1', { query: undefined, status: 400, rows: 0, collection: 'orders' }],
    ['nobody', '?total=10', {}, 'nobody', { principal: undefined, query: undefined, status: 401, rows: 0 }],
    ['another method', '', { method: 'PUT' }, 'boss-s-1', { principal: undefined, collection: 'orders', status: 405 }],
    ['another path', 'x', {}, 'boss-s-1', { principal: undefined, collection: undefined, status: 404 }],
    ['own parameters', '?view=secret&total=10', {}, 'boss-s-1', { query: 'total=10', status: 200 }],
  ])('of %s', async (_, query, init, as, expected) => {
    const { ask, seen } = watched({ reserved: ['view'] })
    await ask(query, init, as)
    expect(seen).toMatchObject([expected])
    expect(seen[0]).toHaveProperty('query', expected.query)
  })

  test('of a QUERY, of failures, of a 429 and of a 304', async () => {
    const query = watched()
    await query.ask('', { method: 'QUERY', body: new URLSearchParams({ total: '10' }) })
    expect(query.seen).toMatchObject([{ query: 'total=10', status: 200, rows: 1 }])
    const failing = watched({ rows: { ...memory, find: () => Promise.reject(new Error('down')) } })
    await failing.ask('?total=10')
    expect(failing.seen).toMatchObject([{ principal: boss, query: 'total=10', status: 503, rows: 0 }])
    const wrong = watched({ row: () => undefined })
    await wrong.ask('?total=10')
    expect(wrong.seen).toMatchObject([{ query: 'total=10', status: 500, rows: 0 }])
    const busy = watched(
      { rows: { ...memory, find: () => new Promise(() => {}) } },
      { concurrency: { max: 1, key: () => '' } },
    )
    void busy.ask('')
    await busy.ask('?total=10')
    expect(busy.seen).toMatchObject([{ principal: boss, query: 'total=10', status: 429, rows: 0 }])
    const cached = watched({}, { cache: { maxAge: 0, vary: ['Authorization'] } })
    await cached.ask('?total=10', { headers: { 'If-None-Match': '*' } })
    expect(cached.seen).toMatchObject([{ query: 'total=10', status: 304, rows: 1 }])
  })

  test('never gets a credential, in its place or in a wrong one, nor the restriction', async () => {
    const seen: Observed<Principal>[] = []
    const queryCredentials = { apiKey: 'use a header' }
    const principal = { seller: 's-1', role: 'boss' } as const
    const { service } = start(
      {},
      {
        authenticate: { queryCredentials, authenticate: () => ({ principal }) },
        onRequest: (one) => void seen.push(one),
      },
    )
    for (const [query, printed] of [
      ['apiKey=k-1&total=10', 'total=10'],
      ['total=10&%61piKey=k-1', 'total=10'],
      ['seller=x%26apiKey%3Dk-1', undefined],
      ['seller=x;api-key=k-1', undefined],
      ['seller=myapikeys', 'seller=myapikeys'],
      ['apiKeey=k-1', undefined],
    ] as const) {
      const response = await service(new Request(`http://x/api/orders?${query}`))
      await response.text()
      expect([query, seen.pop()!.query]).toEqual([query, printed])
    }
  })

  test('gets the request and the issues of a 400, and no log of the whole value has a credential', async () => {
    const { ask, seen } = watched()
    const authorization = 'Bearer boss-s-1'
    const { request, body } = await ask('?totl=1&total[gte]=secret')
    expectHead(seen[0]!.request, request)
    expect(request.headers.get('authorization')).toBe(authorization)
    expect(seen[0]!.issues!.map(({ code, fault }) => [code, fault])).toEqual([
      ['field_unknown', 'client'],
      ['operand_invalid', 'client'],
    ])
    expect(seen[0]!.issues!.map(({ hint }) => hint)).toEqual(body.issues.map(({ hint }) => hint))
    for (const log of [inspect(seen[0], { depth: Infinity }), JSON.stringify(seen[0]), inspect({ ...seen[0] })]) {
      expect(log).toContain('orders')
      expect(log).not.toMatch(/Bearer|secret/)
    }
    await ask('?total=10')
    expect(seen[1]!.issues).toBeUndefined()
  })

  test.each<[string, string, RequestInit, string]>([
    ['an object', '', { method: 'QUERY', body: '{"totl":1}', headers: { 'content-type': 'application/json' } }, 'field_unknown'], // prettier-ignore
    ['a text that is too long', `?total=${'1'.repeat(20_000)}`, {}, 'limit_length'],
  ])('gets the issues of %s', async (_, query, init, code) => {
    const { ask, seen } = watched()
    await ask(query, init)
    expect(seen).toMatchObject([{ issues: [{ code }] }])
  })

  test('gets the issues of a backend that refuses the query', async () => {
    const issue = { code: 'backend_refused', fault: 'client', message: 'too large', parameters: {} } as const
    const find = () => {
      throw new FilterError([issue])
    }
    const { ask, seen } = watched({ rows: { ...memory, find } })
    expect((await ask('?total=10')).status).toBe(400)
    expect(seen).toMatchObject([{ status: 400, query: 'total=10', issues: [issue] }])
  })

  test.each<[string, Partial<EndpointOptions<Principal>>, Partial<Observed<Principal>>]>([
    [
      'a store',
      { rows: { ...memory, find: () => Promise.reject(new Error('down')) } },
      { status: 503, query: 'total=10' },
    ],
    [
      'a restriction',
      {
        restriction: () => {
          throw new Error('down')
        },
      },
      { status: 500, query: 'total=10' },
    ],
    [
      'a collection',
      {
        collection: () => {
          throw new Error('down')
        },
      },
      { status: 500, query: undefined },
    ],
  ])('is told what onError is told, with the error of %s', async (_, listed, expected) => {
    const told: [unknown, Observed<Principal>][] = []
    const onError = (error: unknown, observed: Observed<Principal>) => void told.push([error, observed])
    const { ask, seen } = watched(listed, { onError })
    const { request } = await ask('?total=10')
    expect(told).toEqual([[new Error('down'), seen[0]]])
    expect(told[0]![1]).toBe(seen[0])
    expect(told[0]![1]).toMatchObject({
      principal: boss,
      collection: 'orders',
      issues: undefined,
      rows: 0,
      ...expected,
    })
    expectHead(told[0]![1].request, request)
  })

  test('of endpoints has their name', async () => {
    const seen: Observed<Principal>[] = []
    const accounts = { byKeyDigest: () => undefined, byPassword: () => undefined }
    const { service } = start(
      {},
      { authenticate: keysAndBasic<Principal>(accounts), basePath: '/api', onRequest: (one) => void seen.push(one) },
    )
    await service(new Request('http://x/api/apiKey'))
    expect(seen).toMatchObject([{ principal: undefined, collection: 'apiKey', query: undefined, status: 401, rows: 0 }])
  })

  test.each<[string, () => void | Promise<void>]>([
    ['throws', () => { throw new Error('no log') }], // prettier-ignore
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('that %s changes no answer, and onError receives it', async (_, onRequest) => {
    const told: [unknown, Observed<Principal>][] = []
    const { ask } = start({}, { onRequest, onError: (...one) => void told.push(one) })
    expect((await ask('')).status).toBe(200)
    await vi.waitFor(() => expect(told).toMatchObject([[{ message: 'no log' }, { status: 200, rows: 2 }]]))
  })

  test('is not waited for', async () => {
    expect((await start({}, { onRequest: () => new Promise(() => {}) }).ask('')).status).toBe(200)
  })

  test('is a function', () => {
    expect(() => start({}, { onRequest: 'log' as never })).toThrow(new TypeError('onRequest must be a function'))
  })
})
