/** One row by its key: GET /{collection}/{key}. Expectations by hand, for each type of a key, on each kind of store. */
import { DatabaseSync } from 'node:sqlite'
import { Query as Mingo } from 'mingo'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { column, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  keyQuery,
  narrow,
  where,
  type Collection,
  type Fields,
  type Query,
} from '../../src/index.ts'
import { jsonApi } from '../../src/clients/notations/index.ts'
import {
  createListService as create,
  digestOf,
  keysAndBasic,
  type ListServiceOptions,
  type Observed,
  type Rows,
} from '../../src/service/index.ts'
import { createListService } from './form.ts'

type Row = Readonly<Record<string, unknown>>

const memory = (rows: readonly Row[]): Rows => ({ find: (query) => memoryBackend().compileQuery(query)(rows).rows })

/** Decimals are hundredths. */
const storedIn = (type: string, value: string) =>
  type === 'decimal' ? BigInt(value.replace('.', '').padEnd(value.indexOf('.') + 2, '0')) : value

const inSqlite = (fields: Fields, rows: readonly Row[]): Rows => {
  const schema = defineSchema(fields)
  const database = new DatabaseSync(':memory:')
  const names = Object.keys(fields)
  const types: Readonly<Record<string, string>> = { integer: 'INTEGER', bigint: 'INTEGER', decimal: 'INTEGER' }
  database.exec(
    `CREATE TABLE t (${names.map((name) => `"${name}" ${types[fields[name]!.type] ?? 'TEXT'}`).join(', ')})`,
  )
  const insert = database.prepare(`INSERT INTO t VALUES (${names.map(() => '?').join(', ')})`)
  for (const row of rows) insert.run(...names.map((name) => storedIn(fields[name]!.type, row[name] as string)))
  const columns = Object.fromEntries(
    names.flatMap((name) =>
      fields[name]!.type === 'decimal' ? [[name, column(name, { type: 'scaled', digits: 2 })]] : [],
    ),
  )
  const backend = sqlBackend({ dialect: sqlite, table: table('t', { schema, columns }) })
  return {
    backend,
    page: (query) => {
      const { text, parameters, page } = backend.select(query)
      const read = database.prepare(text)
      read.setReadBigInts(true)
      return page(read.all(...parameters))
    },
  }
}

const inMongo = (fields: Fields, rows: readonly Row[]): Rows => {
  const backend = mongoBackend({ schema: defineSchema(fields), datetimes: 'string' })
  return {
    page: (query) => {
      const { filter, page } = backend.compileQuery(query)
      return page(rows.filter((row) => new Mingo(filter as never).test(row)))
    },
  }
}

function serve(collection: Collection, rows: Rows, options: Partial<ListServiceOptions<{ seller: string }>> = {}) {
  const service = createListService<{ seller: string }>({
    authenticate: () => ({ seller: 's-1' }),
    basePath: '/api',
    collections: { rows: { collection, rows, restriction: () => and() } },
    onError: (error) => {
      throw error
    },
    ...options,
  })
  return async (path: string, init: RequestInit = {}) => {
    const response = await service(new Request(`http://x${path}`, init))
    const text = await response.text()
    const body = (text === '' ? undefined : JSON.parse(text)) as
      | { data?: Row; type: string; issues?: { code: string; message: string; path?: string; span?: object }[] }
      | undefined
    return {
      ...{ status: response.status, headers: response.headers, text, body, data: body?.data },
      codes: body?.issues?.map(({ code }) => code) ?? body?.type?.replace(/.*#/, ''),
    }
  }
}

/** For each type: the stored keys, and for each text the place of its row, 404 for no row, or the code of its issue. */
const types: readonly (readonly [
  name: string,
  fields: Fields,
  keys: readonly (readonly unknown[])[],
  asked: Readonly<Record<string, number | string>>,
])[] = [
  [
    'text',
    { k: field.string() },
    ['a', 'A', 'a/b', 'a,b', '50%', 'a%2Fb', 'a b', 'a+b', 'é', '"a"', 'a\\b', "o'x", '__proto__', ' ', 'null', '...', 'rows'].map((key) => [key]), // prettier-ignore
    {
      ...{ 'a': 0, 'A': 1, 'a%2Fb': 2, 'a%2fb': 2, 'a%2Cb': 3, 'a,b': 3, '50%25': 4, 'a%252Fb': 5, 'a%20b': 6, 'a+b': 7, 'a%2Bb': 7 }, // prettier-ignore
      ...{ '%C3%A9': 8, 'é': 8, '%22a%22': 9, 'a%5Cb': 10, "o'x": 11, 'o%27x': 11, '__proto__': 12, '%20': 13, 'null': 14, '...': 15, 'rows': 16 }, // prettier-ignore
      ...{ b: 404, 'e%CC%81': 404, undefined: 404, 'a%20': 404, constructor: 404 },
      ...{
        '50%': 'syntax_encoding',
        '%FF': 'syntax_encoding',
        'a%00': 'syntax_character',
        '%ED%A0%80': 'syntax_encoding',
      },
      ...{ ['x'.repeat(1025)]: 'limit_operand', ['x'.repeat(100_000)]: 'limit_length' },
    },
  ],
  [
    'integer',
    { k: field.integer() },
    [[1], [-7], [0], [10], [9007199254740991]],
    {
      ...{ '1': 0, '%31': 0, '-7': 1, '0': 2, '10': 3, '9007199254740991': 4, '2': 404, '-1': 404 },
      ...Object.fromEntries(
        ['01', '+1', '1.0', '1e0', '0x1', '%201', 'one', '9007199254740993', '1,1', '1%2C1', '-', "1'--"].map(
          (text) => [text, 'operand_invalid'],
        ),
      ),
    },
  ],
  [
    'uuid',
    { k: field.uuid() },
    [['0190a5d2-0000-7000-8000-00000000000a'], ['0190a5d2-0000-7000-8000-00000000000b']],
    {
      '0190a5d2-0000-7000-8000-00000000000a': 0,
      '0190A5D2-0000-7000-8000-00000000000B': 1,
      '0190a5d2-0000-7000-8000-00000000000c': 404,
      '0190a5d2000070008000-00000000000a': 'operand_invalid',
      '1': 'operand_invalid',
    },
  ],
  [
    'bigint',
    { k: field.bigint() },
    [['9007199254740993'], ['9223372036854775807'], ['-9223372036854775808']],
    {
      ...{ '9007199254740993': 0, '9223372036854775807': 1, '-9223372036854775808': 2, '9007199254740992': 404 },
      ...{ '9223372036854775808': 'operand_invalid', '1.5': 'operand_invalid' },
    },
  ],
  [
    'decimal',
    { k: field.decimal() },
    [['1.5'], ['0.1'], ['12345678901234567.12']],
    {
      ...{
        '1.5': 0,
        '1.50': 0,
        '1.505': 404,
        '0.1': 1,
        '12345678901234567.12': 2,
        '12345678901234567.13': 404,
        '.1': 'operand_invalid',
      },
      ...{ '1e1': 'operand_invalid', '1.5.0': 'operand_invalid' },
    },
  ],
  [
    'datetime',
    { k: field.datetime() },
    [['2024-01-31T12:00:00.000Z'], ['2024-02-01T00:00:00.000Z']],
    {
      ...{ '2024-01-31T12:00:00Z': 0, '2024-01-31T12%3A00%3A00.000Z': 0, '2024-01-31T13:00:00+01:00': 0 },
      ...{ '2024-01-31T12:00:00.001Z': 404, '2024-02-01T00:00:00Z': 1 },
      // A day is no moment, and nothing is relative.
      ...Object.fromEntries(['2024-02-01', '2024-01-31', 'now', 'now-1d', 'today', '2024-02-01T00:00:00'].map((text) => [text, 'operand_invalid'])), // prettier-ignore
    },
  ],
  [
    'date',
    { k: field.date() },
    [['2024-01-31'], ['2024-02-29']],
    { '2024-01-31': 0, '2024-02-29': 1, '2024-02-28': 404, '2023-02-29': 'operand_invalid', today: 'operand_invalid' },
  ],
  [
    'enumeration',
    { k: field.enumeration(['open', 'shut', 'held']) },
    [['open'], ['shut']],
    { open: 0, shut: 1, held: 404, Open: 'operand_invalid', constructor: 'operand_invalid' },
  ],
  [
    'composite',
    { tenant: field.string(), k: field.integer() },
    [
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['a,b', 1],
      ['1', 2],
      ['a\\', 1],
    ],
    {
      ...{ 'a,1': 0, 'a,2': 1, 'b,1': 2, 'a%2Cb,1': 3, '1,2': 4, 'a%5C,1': 5, 'b,2': 404 },
      ...{ a: 'operand_invalid', 'a,1,1': 'operand_invalid', 'a,b,1': 'operand_invalid', 'a%2C1': 'operand_invalid' },
      ...{ ',1': 'operand_empty', 'a,': 'operand_empty', ',': 'operand_empty,operand_empty', 'a,x': 'operand_invalid' },
    },
  ],
]
const stores = {
  memory: (_: Fields, rows: readonly Row[]) => memory(rows),
  SQLite: inSqlite,
  MongoDB: inMongo,
}

describe.each(types)('a key that is %s', (name, fields, keys, asked) => {
  const names = Object.keys(fields)
  const schema = { ...fields, n: field.integer() }
  const rows = keys.map((key, at): Row => ({ ...Object.fromEntries(names.map((one, of) => [one, key[of]])), n: at }))
  const collection = defineCollection(defineSchema<Fields>(schema), { key: names })
  test.each(Object.entries(stores))('is exact in %s', async (store, open) => {
    // Decimals and bigints of MongoDB are classes of its driver.
    if (store === 'MongoDB' && ['bigint', 'decimal'].includes(name)) return
    const ask = serve(collection, open(schema, rows))
    for (const [text, expected] of Object.entries(asked)) {
      const { status, data, codes } = await ask(`/api/rows/${text}`)
      const about = text.slice(0, 40)
      if (typeof expected === 'string') expect([about, status, codes], about).toEqual([about, 400, expected.split(',')])
      else if (expected === 404) expect([about, status, codes]).toEqual([about, 404, 'row_unknown'])
      else expect([about, status, data]).toEqual([about, 200, rows[expected]])
    }
  })

  test('is that of keyQuery', () => {
    for (const [text, expected] of Object.entries(asked)) {
      const result = keyQuery(collection, text)
      if (typeof expected === 'string') {
        const issues = result.ok ? [] : result.issues
        expect(issues.map(({ code }) => code)).toEqual(expected.split(','))
        for (const { span } of issues) expect(span!.end).toBeLessThanOrEqual(text.length)
      } else {
        const { query } = result as { query: Query }
        const found = memoryBackend().compileQuery(query)(rows).rows
        expect(found).toEqual(expected === 404 ? [] : [rows[expected]])
      }
    }
  })
})

test('keyQuery throws a TypeError for a key of another type than text', () => {
  const collection = defineCollection(defineSchema({ k: field.integer() }), { key: 'k' })
  for (const key of [1, undefined, null, ['1']])
    expect(() => keyQuery(collection, key as never)).toThrow(/^text must be the key as the path of a URL has it$/)
})

const orders = defineSchema({
  id: field.integer(),
  seller: field.string(),
  total: field.number(),
  secret: field.string(),
})
const stored = [
  { id: 1, seller: 's-1', total: 10, secret: 'x', more: 1 },
  { id: 2, seller: 's-2', total: 20, secret: 'y', more: 1 },
]
const wide = defineCollection(orders, { key: 'id', sort: ['total'], defaultSort: '-total', fields: true, timeZone: true, count: true, search: ['seller'], facets: ['seller'], groups: true, offset: { max: 10 } }) // prettier-ignore
const ofSeller = {
  orders: {
    collection: wide,
    rows: { ...memory(stored), count: () => 1, facets: () => ({}) },
    restriction: ({ seller }: { seller: string }) => where(orders).equals('seller', seller),
    reserved: ['view'],
  },
}

describe('the answer', () => {
  const ask = serve(wide, memory([]), { collections: ofSeller })

  test('is the row that the caller may see, or one 404', async () => {
    const { status, headers, text } = await ask('/api/orders/1')
    expect([status, text]).toEqual([200, '{"data":{"id":1,"seller":"s-1","total":10,"secret":"x"}}'])
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      'content-length': '56',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const [foreign, none] = [await ask('/api/orders/2'), await ask('/api/orders/3')]
    expect([foreign.status, foreign.codes]).toEqual([404, 'row_unknown'])
    expect([foreign.text, [...foreign.headers]]).toEqual([none.text, [...none.headers]])
  })

  test('has the fields that the request names, and the zone and own parameters change nothing', async () => {
    expect((await ask('/api/orders/1?fields=total')).text).toBe('{"data":{"total":10}}')
    expect((await ask('/api/orders/1?timeZone=Europe/Berlin&view=x&')).data).toMatchObject({ id: 1 })
  })

  test('to every other parameter is a 400, with the issues of the key first', async () => {
    for (const query of [
      'total=10',
      'id=1',
      'sort=id',
      'limit=1',
      'cursor=x',
      'offset=0',
      'count=true',
      'search=s',
      'facets=seller',
      'or=(id=1)',
      'x',
      '%FF=1',
      'feilds=id',
      'view[gte]=1',
    ])
      // prettier-ignore
      expect([query, (await ask(`/api/orders/1?${query}`)).codes]).toEqual([query, ['field_unknown']])
    const { body } = await ask('/api/orders/x?fields=totl&total=1&timeZone=Mars')
    expect(body!.issues).toMatchObject([
      {
        code: 'operand_invalid',
        path: 'id',
        message: 'invalid value for id: expected a whole number within ±(2^53 − 1)',
      },
      { code: 'field_unknown', span: { start: 7, end: 11 }, hint: 'did you mean total?' },
      { code: 'field_unknown', span: { start: 12, end: 17 }, hint: 'the parameters are fields, timeZone' },
      { code: 'parameter_invalid', span: { start: 29, end: 33 } },
    ])
    expect(Object.hasOwn(body!.issues![0]!, 'span')).toBe(false)
    expect(body!.issues).toHaveLength(4)
  })

  test('lacks hidden fields, and names of them are unknown', async () => {
    const hidden = narrow(wide, { fields: { hide: ['secret'] } })
    const ask = serve(wide, memory([]), { collections: { orders: { ...ofSeller.orders, collection: () => hidden } } })
    expect((await ask('/api/orders/1')).data).toEqual({ id: 1, seller: 's-1', total: 10 })
    expect((await ask('/api/orders/1?fields=secret')).codes).toEqual(['field_unknown'])
  })

  test('passes through row and validateRows, and a caller without a restriction sees none', async () => {
    const row = (one: unknown) => ({ ...(one as object), own: true })
    const shaped = serve(wide, memory([]), { collections: { orders: { ...ofSeller.orders, row } } })
    expect((await shaped('/api/orders/1?fields=id')).data).toEqual({ id: 1, own: true })
    expect((await shaped('/api/orders/2')).status).toBe(404)
    const nobody = serve(wide, memory([]), { collections: { orders: { ...ofSeller.orders, restriction: () => undefined } } }) // prettier-ignore
    expect((await nobody('/api/orders/1')).status).toBe(404)
  })

  test('to HEAD has no body, and QUERY is not allowed', async () => {
    const head = await ask('/api/orders/1', { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '56'])
    expect((await ask('/api/orders/2', { method: 'HEAD' })).status).toBe(404)
    for (const method of ['QUERY', 'POST', 'DELETE', 'PUT']) {
      const { status, headers } = await ask('/api/orders/1', { method })
      expect([status, headers.get('allow'), headers.has('accept-query')]).toEqual([405, 'GET, HEAD', false])
    }
  })

  test('has a tag, and a 304 while the row is the same', async () => {
    const ask = serve(wide, memory([]), { collections: ofSeller, cache: { maxAge: 5, vary: ['Authorization'] } })
    const { headers } = await ask('/api/orders/1')
    expect(headers.get('cache-control')).toBe('private, max-age=5')
    const again = await ask('/api/orders/1', { headers: { 'If-None-Match': headers.get('etag')! } })
    expect([again.status, again.text]).toEqual([304, ''])
    const other = await ask('/api/orders/1?fields=id', { headers: { 'If-None-Match': headers.get('etag')! } })
    expect(other.status).toBe(200)
    const none = await ask('/api/orders/2', { headers: { 'If-None-Match': '*' } })
    expect([none.status, none.headers.get('etag'), none.headers.get('cache-control')]).toEqual([404, null, 'no-store'])
  })

  test('needs a caller before the key is read', async () => {
    const ask = serve(wide, memory([]), { collections: ofSeller, authenticate: () => undefined })
    for (const path of ['1', '2', 'x', '1?totl=1']) expect((await ask(`/api/orders/${path}`)).status).toBe(401)
  })
})

describe('the path', () => {
  const schema = defineSchema({ id: field.string() })
  const collection = defineCollection(schema, { key: 'id' })
  const rows = memory(['orders', 'pages', 'apiKey', 'api', 'a'].map((id) => ({ id })))
  const entry = { collection, rows, restriction: () => and() }
  const collections = { orders: entry, pages: entry }
  const at = (basePath?: string) =>
    serve(collection, rows, { collections, ...(basePath !== undefined && { basePath }) })
  const statusOf = async (ask: ReturnType<typeof serve>, path: string) => {
    const { data, status } = await ask(path)
    return Array.isArray(data) ? 'list' : (data?.['id'] ?? status)
  }

  test('is below the base path, or what a framework leaves of it', async () => {
    const ask = at('/api/v1')
    for (const path of ['/api/v1/orders/a', '/v1/orders/a', '/orders/a']) expect(await statusOf(ask, path)).toBe('a')
    // A key may be the name of a collection.
    expect(await statusOf(ask, '/api/v1/orders/orders')).toBe('orders')
    expect(await statusOf(ask, '/orders/pages')).toBe('pages')
    for (const path of [
      '/other/orders/a',
      '/api/orders/a',
      '/api/v1/x/a',
      '/api/v1/orders/a/',
      '/api/v1/orders/',
      '/api/v1/orders//',
      '/api/v1//a',
      '/api/v1/orders/a/b',
      '/api/v1/orders/a/orders',
      '//orders/a',
    ])
      // prettier-ignore
      expect([path, await statusOf(ask, path)]).toEqual([path, 404])
  })

  test('of a list stays, where the base path ends like a collection', async () => {
    const ask = at('/orders')
    expect(await statusOf(ask, '/orders/pages')).toBe('list')
    expect(await statusOf(ask, '/orders/orders/a')).toBe('a')
  })

  test('is any path without a base path', async () => {
    const ask = serve(collection, rows, { collections, basePath: undefined as never })
    expect(await statusOf(ask, '/x/y/orders')).toBe('list')
    expect(await statusOf(ask, '/x/y/orders/a')).toBe('a')
    // A service without a base path answers wherever it is mounted.
    expect(await statusOf(ask, '/x/y/orders/pages')).toBe('list')
    expect(await statusOf(ask, '/x/y/orders/b')).toBe(404)
  })

  test.each(['..', '.', '%2e%2E', '%2e', 'a\\b'])('has no key %s: a Request resolves it', async (key) => {
    const rows = memory(['..', '.', 'a\\b'].map((id) => ({ id })))
    const service = create({ authenticate: () => ({}), collections: { orders: { ...entry, rows } } })
    const { status } = await service.answer({ method: 'GET', url: `/orders/${key}`, headers: {} })
    expect([status, (await service(new Request(`http://x/orders/${key}`))).status]).toEqual([404, 404])
    expect((await service.answer({ method: 'GET', url: '/orders/a%5Cb', headers: {} })).body).toBe(
      '{"data":{"id":"a\\\\b"}}',
    )
  })

  test('of an endpoint of the authenticator stays', async () => {
    const accounts = { byKeyDigest: () => undefined, byPassword: () => undefined }
    const ask = serve(collection, rows, { collections, authenticate: keysAndBasic<{ seller: string }>(accounts) })
    expect((await ask('/api/apiKey')).codes).toBe('basic_required')
    expect((await ask('/api/orders/apiKey')).codes).toBe('key_missing')
  })
})

describe('logs', () => {
  test('name the key, and why a request was refused', async () => {
    const seen: Observed<{ seller: string }>[] = []
    const ask = serve(wide, memory([]), { collections: ofSeller, onRequest: (one) => void seen.push(one) })
    for (const path of ['1?fields=id', '2', 'x', '1?totl=1', '']) await ask(`/api/orders/${path}`)
    await ask('/api/orders')
    expect(
      seen.map(({ collection, key, query, status, rows, issues }) => [
        collection,
        key,
        query,
        status,
        rows,
        issues?.map(({ code }) => code),
      ]),
    ).toEqual([
      // prettier-ignore
      ['orders', '1', 'id=1&sort=id&limit=1&fields=id', 200, 1, undefined],
      ['orders', '2', 'id=2&sort=id&limit=1', 404, 0, undefined],
      ['orders', undefined, undefined, 400, 0, ['operand_invalid']],
      ['orders', undefined, undefined, 400, 0, ['field_unknown']],
      [undefined, undefined, undefined, 404, 0, undefined],
      ['orders', undefined, '', 200, 1, undefined],
    ])
  })

  test('have no key that may contain a credential', async () => {
    const seen: Observed<{ seller: string }>[] = []
    const collection = defineCollection(defineSchema({ id: field.string() }), { key: 'id' })
    const digest = await digestOf('k-1')
    const authenticate = keysAndBasic<{ seller: string }>({
      byKeyDigest: (keyDigest) => (keyDigest === digest ? { keyDigest, principal: { seller: 's-1' } } : undefined),
      byPassword: () => undefined,
    })
    const ask = serve(collection, memory([]), { authenticate, onRequest: (one) => void seen.push(one) })
    const headers = { 'X-API-KEY': 'k-1' }
    for (const path of ['1', '1&apiKey=k-1', '1%26apiKey%3Dk-1']) await ask(`/api/rows/${path}`, { headers })
    expect(seen.map(({ key, query, status }) => [key, query, status])).toEqual([
      ['1', 'id=1&limit=1', 404],
      [undefined, undefined, 404],
      [undefined, undefined, 404],
    ])
  })
})

test('a JSON:API resource answers to its id, also of a key with several fields', async () => {
  const schema = defineSchema({ tenant: field.string(), k: field.integer() })
  const collection = defineCollection(schema, { key: ['tenant', 'k'] })
  const rows = [{ tenant: 'a,b\\', k: 1 }, { tenant: 'a', k: 1 }] // prettier-ignore
  const ask = serve(collection, memory(rows), { notation: jsonApi })
  const list = (await ask('/api/rows')).data as unknown as readonly { id: string }[]
  expect(list.map(({ id }) => id)).toEqual(['a,1', 'a\\,b\\\\,1'])
  for (const one of list) {
    const { body } = await ask(`/api/rows/${encodeURIComponent(one.id)}`)
    expect(body).toEqual({ jsonapi: { version: '1.1' }, data: one, links: { self: '?' } })
  }
  // A backslash that escapes nothing is in no id.
  for (const id of ['\\a,1', 'a,1\\', 'a']) {
    const { status, body } = await ask(`/api/rows/${encodeURIComponent(id)}`)
    expect([status, body]).toMatchObject([400, { errors: [{ code: 'operand_invalid' }] }])
  }
  const none = await ask('/api/rows/b,1')
  expect([none.status, none.body]).toMatchObject([404, { errors: [{ status: '404', code: 'row_unknown' }] }])
})
