/** Documents in other forms than the schema: every store and path answers the same, and nothing that the schema lacks. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { find } from 'mingo'
import { afterAll, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { jsonColumn, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { createListService, type Rows } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, toAnswer, toPage, type Query } from '../../src/index.ts'
import { partsOfFilter } from '../../src/query/index.ts'

const schema = defineSchema({
  id: field.integer(),
  doc: field.object({
    contact: field.string(),
    kind: field.enumeration(['a', 'b']),
    total: field.number(),
    gift: field.boolean(),
    day: field.date(),
    at: field.datetime(),
    key: field.uuid(),
    tags: field.list(field.string()),
    lines: field.list(field.object({ product: field.string() })),
    owner: field.object({ name: field.string() }),
  }),
})
const secret = { email: 'jo@example.com', passwordHash: 'canary' }
const names = ['contact', 'kind', 'total', 'gift', 'day', 'at', 'key', 'tags', 'lines', 'owner']
const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
const sound = {
  ...{ contact: 'Jo', kind: 'a', total: 1.5, gift: true, day: '2024-01-02' },
  ...{ at: '2024-01-02T03:04:05.000Z', key: '00000000-0000-4000-8000-000000000001' },
  ...{ tags: ['x'], lines: [{ product: 'surf' }], owner: { name: 'Jo' } },
}
const nothing = each(null)
const stored: readonly { readonly id: number; readonly doc: unknown }[] = [
  { id: 1, doc: { ...sound, ...secret, lines: [{ product: 'surf', ...secret }], owner: { name: 'Jo', ...secret } } },
  { id: 2, doc: each(secret) },
  { id: 3, doc: each([secret]) },
  { id: 4, doc: each({ ...secret, toString: 'canary', $oid: 'canary' }) },
  { id: 5, doc: { ...nothing, tags: ['x', secret, [secret], null], lines: [{ product: secret }, 'canary', [secret]] } },
  { id: 6, doc: 'canary' },
  { id: 7, doc: [secret] },
]
const expected = [
  sound,
  { ...nothing, owner: { name: null } },
  { ...nothing, tags: [null], lines: [{ product: null }] },
  { ...nothing, owner: { name: null } },
  { ...nothing, tags: ['x', null, null, null], lines: [{ product: null }, null, null] },
  null,
  null,
].map((doc, at) => ({ id: at + 1, doc }))
/** A store in memory leaves a member out that a document lacks. */
const withNulls = (row: unknown): unknown => {
  const { id, doc } = row as {
    readonly id: number
    readonly doc: { readonly owner?: object; readonly lines?: object[] } | null
  }
  if (doc === null) return { id, doc }
  const lines = doc.lines?.map((line) => line && { product: null, ...line })
  return {
    id,
    doc: { ...nothing, ...doc, ...(doc.owner && { owner: { name: null, ...doc.owner } }), ...(lines && { lines }) },
  }
}

const database = new DatabaseSync(':memory:')
afterAll(() => database.close())
database.exec('CREATE TABLE docs (id INTEGER PRIMARY KEY, doc TEXT) STRICT')
for (const { id, doc } of stored) database.prepare('INSERT INTO docs VALUES (?, ?)').run(id, JSON.stringify(doc))

const { compileQuery } = memoryBackend()
const read = (query: Query) => compileQuery({ ...query, count: false })(stored).rows
const sql = sqlBackend({
  dialect: sqlite,
  table: table('docs', { schema, key: 'id', columns: { doc: jsonColumn('doc') } }),
})
const mongo = mongoBackend({ schema, dates: 'string', datetimes: 'string' })
const stores: Readonly<Record<string, Rows>> = {
  'find in memory': { find: read },
  'a page in memory': { page: (query) => toPage(query, read(query)) },
  'a page of SQLite': {
    page: (query) => {
      const { text, parameters, page } = sql.select(query)
      return page(database.prepare(text).all(...(parameters as SQLInputValue[])))
    },
  },
  'a page of MongoDB': {
    page: (query) => {
      const { filter, sort, limit, projection, page } = mongo.compileQuery(query)
      return page(
        find(stored as object[], filter, projection)
          .sort(sort)
          .limit(limit)
          .all() as object[],
      )
    },
  },
}
const collection = defineCollection(schema, { key: 'id', fields: true })

test.each(Object.entries(stores))('%s', async (_, rows) => {
  const service = createListService({
    authenticate: () => ({}),
    collections: { docs: { collection, rows, restriction: () => and() } },
  })
  const dataOf = async (query: string) => {
    const text = await (await service(new Request(`http://x/docs?${query}`))).text()
    expect(text).not.toMatch(/canary|email/)
    return (JSON.parse(text) as { readonly data: readonly unknown[] }).data
  }
  expect((await dataOf('')).map(withNulls)).toEqual(expected)
  const contacts = expected.map(({ doc }) => ({ doc: doc && { contact: (doc as typeof sound).contact } }))
  expect(await dataOf('fields=doc.contact')).toEqual(contacts)
})

test('without the service', () => {
  const query = { sort: [{ path: ['id'], type: 'integer', direction: 'ascending' }], limit: 20 } as const
  const { data } = toAnswer(collection, { ...query, ...partsOfFilter(and()), count: false }, stored)
  expect(data.map(withNulls)).toEqual(expected)
})
