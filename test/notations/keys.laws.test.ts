/** The key in the answers of notations, whatever fields the request names: on each kind of store. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { find } from 'mingo'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { createListService, type Rows } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, type CollectionOptions } from '../../src/index.ts'
import { jsonApi, jsonServer, nestPaginate, reactAdmin, strapi } from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'

const schema = defineSchema({ id: field.integer(), shop: field.string(), name: field.string() })
const stored = [
  { id: 1, shop: 'x,y', name: 'z' },
  { id: 2, shop: 'x', name: 'y,z' },
]
const database = new DatabaseSync(':memory:')
database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, shop TEXT NOT NULL, name TEXT NOT NULL) STRICT')
const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?)')
for (const { id, shop, name } of stored) insert.run(id, shop, name)
afterAll(() => database.close())

const { compile, compileQuery } = memoryBackend()
const sql = sqlBackend({ dialect: sqlite, table: table('orders', { schema, key: 'id' }) })
const mongo = mongoBackend({ schema })
const count: Rows['count'] = ({ filter }) => stored.filter(compile(filter)).length
const stores: Readonly<Record<string, Rows>> = {
  memory: { count, find: (query) => compileQuery({ ...query, count: false })(stored).rows },
  SQLite: {
    count,
    page: (query) => {
      const { text, parameters, page } = sql.select(query)
      return page(database.prepare(text).all(...(parameters as SQLInputValue[])))
    },
  },
  MongoDB: {
    count,
    page: (query) => {
      const { filter, sort, limit, projection, page } = mongo.compileQuery(query)
      return page(find(stored, filter, projection).sort(sort).limit(limit).all() as object[])
    },
  },
}

const options = { key: 'id', sort: true, offset: { max: 50 }, count: true, fields: true } as const
function asking(rows: Rows, notation: Notation, given: Partial<CollectionOptions> = {}) {
  const errors: unknown[] = []
  const service = createListService({
    authenticate: () => ({}),
    collections: {
      orders: {
        rows,
        restriction: () => and(),
        collection: defineCollection(schema, { ...options, ...given } as never),
      },
    },
    notation,
    onError: (error) => errors.push(error),
  })
  return async (query: string) => {
    const answer = await service(new Request(`http://x/orders?${query}`))
    const body = (await answer.json()) as { data?: unknown }
    return { status: answer.status, data: Array.isArray(body) ? body : body.data, errors }
  }
}

describe.each(Object.entries(stores))('%s', (_, rows) => {
  test.each<[string, Notation, string, readonly object[]]>([
    [
      'JSON:API',
      jsonApi,
      'fields[orders]=name&sort=-id',
      [
        { id: '2', attributes: { name: 'y,z' } },
        { id: '1', attributes: { name: 'z' } },
      ],
    ],
    ['JSON:API', jsonApi, 'filter[id]=1', [{ id: '1', attributes: { shop: 'x,y', name: 'z' } }]],
    [
      'Strapi',
      strapi,
      'fields[0]=name',
      [
        { id: 1, name: 'z' },
        { id: 2, name: 'y,z' },
      ],
    ],
    [
      'nestjs-paginate',
      nestPaginate,
      'select=name&sortBy=name:ASC',
      [
        { id: 2, name: 'y,z' },
        { id: 1, name: 'z' },
      ],
    ],
    ['json-server', jsonServer, 'id=1', [stored[0]!]],
    ['react-admin', reactAdmin, 'filter={"id":2}', [stored[1]!]],
  ])('%s: %s', async (name, notation, query, expected) => {
    const { data, status } = await asking(rows, notation)(query)
    const typed = name === 'JSON:API' ? expected.map((one) => ({ type: 'orders', ...one })) : expected
    expect([status, data]).toEqual([200, typed])
  })

  test('JSON:API: a key of several fields has one id', async () => {
    const { data } = await asking(rows, jsonApi, { key: ['shop', 'name'], hidden: ['id'] })('fields[orders]=name')
    expect(data).toEqual([
      { type: 'orders', id: 'x,y\\,z', attributes: { name: 'y,z' } },
      { type: 'orders', id: 'x\\,y,z', attributes: { name: 'z' } },
    ])
  })

  test('a key that callers may not select is beside the row, and not in it', async () => {
    const given = { fields: ['name'] } as const
    const ofApi = await asking(rows, jsonApi, given)('')
    expect(ofApi.data).toMatchObject([{ id: '1', attributes: { name: 'z' } }, { id: '2' }])
    expect((await asking(rows, strapi, given)('')).data).toEqual([{ name: 'z' }, { name: 'y,z' }])
  })
})

test.each([
  ['jsonApi', jsonApi],
  ['jsonServer', jsonServer],
  ['reactAdmin', reactAdmin],
  ['strapi', strapi],
  ['nestPaginate', nestPaginate],
])('%s: a row without its key is a fault of the service', async (_, notation) => {
  const page = () => ({ rows: [{ name: 'z' }] })
  const { status, data, errors } = await asking({ count, page }, notation)('')
  expect([status, data ?? null]).toEqual([500, null])
  expect(errors).toEqual([
    new TypeError('rows[0] has no value in id, which the answer needs: return each row with its key'),
  ])
})
