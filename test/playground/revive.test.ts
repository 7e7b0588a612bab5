/** The JSON of `serve` becomes the list that it describes, without its hidden fields. */
import { expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  parentTable,
  postgres,
  sqlBackend,
  table,
} from '../../src/backends/sql/index.ts'
import { dataOf } from '../../src/cli/list-data.ts'
import { defineCollection, defineSchema, field, narrow, parseQueryOrThrow, printQuery } from '../../src/index.ts'
import { revive, type ListData } from '../../docs/playground/revive.ts'

const schema = defineSchema({
  id: field.bigint({ required: true }),
  status: field.enumeration(['paid', 'held'], { required: true }),
  total: field.decimal(),
  secret: field.string(),
  paidAt: field.datetime({ digits: 3 }),
  tags: field.list(field.string()),
  codes: field.list(field.string()),
  notes: field.object({ text: field.string() }),
  customer: field.object({ name: field.string(), token: field.string() }),
  place: field.object({ city: field.string() }),
  items: field.list(field.object({ price: field.number(), token: field.string() })),
  labels: field.list(field.string()),
})
const mapped = table(['sales', 'orders'], {
  schema,
  key: ['id'],
  columns: {
    id: column('order_id', { notNull: true }),
    status: column('status', { type: 'enum', name: ['sales', 'status'] }),
    total: column('total', { type: 'numeric' }),
    tags: arrayColumn('tags', { type: 'text' }),
    codes: jsonColumn('codes'),
    notes: jsonColumn('notes'),
    customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id', columns: { name: 'full_name' } }),
    place: { city: 'city_name' },
    items: childTable('items', {
      key: 'id',
      foreignKey: 'order_id',
      orderBy: 'position',
      columns: { price: 'amount' },
    }),
    labels: childTable('labels', { foreignKey: 'order_id', orderBy: 'label', value: 'label' }),
  },
})
const wide = defineCollection(schema, {
  key: 'id',
  sort: ['total', 'paidAt'],
  defaultSort: '-paidAt',
  limit: { default: 5, max: 50 },
  offset: { max: 100 },
  fields: true,
  count: { max: 10 },
  timeZone: true,
  search: ['customer.name'],
  facets: ['status'],
  facetLimit: 3,
  groups: true,
  operators: { total: ['gte', 'lte'] },
  aliases: { fields: { state: 'status' }, operators: { eq: 'equals' } },
  parameters: { limit: 'size' },
})
const collection = narrow(wide, { fields: { hide: ['secret', 'customer.token', 'items.token'] } })
const data = JSON.parse(JSON.stringify(dataOf(postgres, { name: 'orders', table: mapped, collection }))) as ListData

test('has no hidden field, and no column of one', () => {
  expect(JSON.stringify(data)).not.toMatch(/secret|token/)
})

test('gives the same queries and statements', () => {
  const revived = revive(data)
  const dialect = revived.dialects.PostgreSQL!
  expect([revived.name, dialect]).toEqual(['orders', postgres])
  const queries = [
    '',
    'state[eq]=paid&total[gte]=5&sort=-total&size=7&offset=3',
    'or=(items(price[gt]=5),labels=a,tags=b,codes=c,notes.text=d)&timeZone=Asia/Tokyo&paidAt=2024-01-01',
    'search=jo&facets=status&count=true&fields=id,place,customer',
  ]
  for (const text of queries) {
    const [before, after] = [parseQueryOrThrow(collection, text), parseQueryOrThrow(revived.collection, text)]
    const { hidden, ...rest } = before
    expect(hidden).toHaveLength(3)
    expect(after).toEqual(rest)
    expect(printQuery(revived.collection, after)).toBe(printQuery(collection, before))
    const statement = sqlBackend({ dialect, table: mapped }).select(before)
    expect(sqlBackend({ dialect, table: revived.table }).select(after).text).toBe(statement.text)
  }
  for (const text of ['secret=a', 'total[gt]=5', 'size=51', 'offset=101', 'sort=id,status'])
    expect(() => parseQueryOrThrow(revived.collection, text)).toThrow()
})

test.each<readonly [string, Partial<ListData>]>([
  ['an unknown dialect', { dialect: 'oracle' }],
  ['a field of an unknown type', { fields: { id: { type: 'money' } as never } }],
  ['a key that the schema does not contain', { collection: { key: 'nothing' } }],
])('refuses %s', (_, part) => {
  expect(() => revive({ ...data, ...part })).toThrow(TypeError)
})
