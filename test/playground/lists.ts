/** A list with every kind of column, as `serve` sends it. */
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  parentTable,
  postgres,
  table,
} from '../../src/backends/sql/index.ts'
import { dataOf } from '../../src/cli/list-data.ts'
import { defineCollection, defineSchema, field, narrow } from '../../src/index.ts'
import type { ListData } from '../../docs/playground/revive.ts'

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
  places: field.list(field.object({ city: field.string(), since: field.date() })),
  labels: field.list(field.string()),
})
export const mapped = table(['sales', 'orders'], {
  schema,
  key: ['id'],
  columns: {
    id: column('order_id', { notNull: true }),
    status: column('status', { type: 'enum', name: ['sales', 'status'] }),
    total: column('total', { type: 'numeric', invalid: 'null' }),
    tags: arrayColumn('tags', { type: 'text' }),
    codes: jsonColumn('codes'),
    notes: jsonColumn('notes'),
    customer: parentTable('customers', {
      key: 'id',
      foreignKey: { columns: 'customer_id', enforced: true },
      columns: { name: 'full_name' },
    }),
    place: { city: 'city_name' },
    items: childTable('items', {
      key: 'id',
      foreignKey: 'order_id',
      orderBy: 'position',
      columns: { price: 'amount' },
    }),
    places: childTable('places', {
      key: 'id',
      through: { table: 'order_places', foreignKey: 'order_id', otherKey: 'place_id', where: { removed_at: null } },
      joinColumns: { since: 'created_on' },
      columns: { city: 'city_name' },
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
export const collection = narrow(wide, { fields: { hide: ['secret', 'customer.token', 'items.token'] } })
export const wideList = JSON.parse(
  JSON.stringify(dataOf(postgres, { name: 'orders', table: mapped, collection })),
) as ListData
