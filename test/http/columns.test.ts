/** Columns that the schema lacks: for `row` by their names, in the answer where `answer.columns` names them, and never by accident. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { sqlRows, type EndpointOptions, type RowsAnswer } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, narrow } from '../../src/index.ts'
import { createListService } from './form.ts'

const schema = defineSchema({ id: field.integer(), name: field.string(), cost: field.number() })
const whole = defineCollection(schema, { key: 'id', fields: true })
const collection = narrow(whole, { fields: { hide: ['cost'] } })
const database = new DatabaseSync(':memory:')
afterAll(() => database.close())
database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, cost REAL, row_version INTEGER, secret TEXT) STRICT;
  INSERT INTO orders VALUES (1, 'Jo', 9, 7, 'x'), (2, 'Al', 9, NULL, 'y')`)
const backend = sqlBackend({
  dialect: sqlite,
  table: table('orders', { schema, key: 'id' }),
  columns: { version: 'row_version', secret: 'secret' },
})
const rows = sqlRows(backend, (text, parameters) => database.prepare(text).all(...(parameters as SQLInputValue[])))

const errors: unknown[] = []
const serviceOf = (options: Partial<EndpointOptions<object>>) =>
  createListService({
    authenticate: () => ({}),
    collections: { orders: { collection, rows, restriction: () => and(), ...options } },
    onError: (error) => errors.push(error),
  })
const dataOf = async (options: Partial<EndpointOptions<object>>, path = 'orders') => {
  const response = await serviceOf(options)(new Request(`http://x/${path}`))
  return [response.status, ((await response.json()) as { data?: unknown }).data]
}
const [jo, al] = [
  { id: 1, name: 'Jo' },
  { id: 2, name: 'Al' },
]
type Stored = Readonly<Record<string, unknown>>

test('no answer contains them by itself', async () => expect(await dataOf({})).toEqual([200, [jo, al]]))
test('row reads them by name', async () => {
  const row = (one: unknown) => ({ id: (one as Stored)['id'], tag: `v${(one as Stored)['version']}` })
  expect(await dataOf({ row })).toEqual([
    200,
    [
      { id: 1, tag: 'v7' },
      { id: 2, tag: 'vnull' },
    ],
  ])
  expect(await dataOf({ row: ({ version }: any) => version as number }, 'orders/1')).toEqual([200, 7])
})
test('no copy that row makes contains them, and no hidden field is among them', async () => {
  expect(await dataOf({ row: (one) => ({ ...(one as object), own: (one as Stored)['cost'] === undefined }) })).toEqual([
    200,
    [
      { ...jo, own: true },
      { ...al, own: true },
    ],
  ])
  expect(await dataOf({ row: (one) => one })).toEqual([200, [jo, al]])
  expect(await dataOf({ row: (one) => Object.assign({}, one) })).toEqual([200, [jo, al]])
})
test('an answer contains those that it names', async () => {
  const answer = { columns: ['version'] }
  const named = [
    { ...jo, version: 7 },
    { ...al, version: null },
  ]
  expect(await dataOf({ answer })).toEqual([200, named])
  expect(await dataOf({ answer }, 'orders/1')).toEqual([200, named[0]])
  expect(await dataOf({ answer }, 'orders?fields=id&limit=1')).toEqual([200, [{ id: 1, version: 7 }]])
  expect(await dataOf({ answer, row: (one) => ({ ...(one as object) }) })).toEqual([200, named])
})
test('a bigint is a text, also a column named __proto__ is one', async () => {
  const one = JSON.parse('{ "id": 1, "name": "Jo", "__proto__": 1 }') as Stored
  const read = (): RowsAnswer => ({ page: { rows: [Object.assign(one, { version: 2n ** 64n })] } })
  const [status, data] = await dataOf({ rows: { read }, answer: { columns: ['version', '__proto__'] } })
  expect([status, JSON.stringify(data)]).toEqual([
    200,
    '[{"id":1,"name":"Jo","__proto__":1,"version":"18446744073709551616"}]',
  ])
})
test('a row without a column that the answer names is a 500', async () => {
  const [status] = await dataOf({ answer: { columns: ['versions'] } })
  expect([status, errors.splice(0)]).toEqual([
    500,
    [new TypeError('rows[0] has no column versions, which answer.columns names')],
  ])
})
test.each<[answer: unknown, message: string]>([
  [{ columns: ['cost'] }, 'collections.orders.answer.columns has cost, which is a field of the schema'],
  [{ columns: 'version' }, 'collections.orders.answer.columns must be a list of names'],
  [{ columns: [''] }, 'collections.orders.answer.columns must be a list of names'],
  [
    { column: [] },
    'collections.orders.answer.column is unknown; did you mean columns? (available: columns, page, schema)',
  ],
  [[], 'collections.orders.answer must be an object'],
])('%j is no answer', (answer, message) =>
  expect(() => serviceOf({ answer: answer as never })).toThrow(new TypeError(message)),
)
