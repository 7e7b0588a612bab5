/** Makes a SQLite database of orders with seven fields, and the collections of these orders. Three groups read it. */
import Database from 'better-sqlite3'
import { childTable, sqlBackend, sqlite, table } from '../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field } from '../src/index.ts'
import { newRandom } from './rows.mjs'

const fields = {
  id: field.integer({ required: true }),
  seller: field.string({ required: true }),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new'], { required: true }),
  total: field.number({ required: true }),
  note: field.string(),
  day: field.date({ required: true }),
}
export const schema = defineSchema(fields)
const schemaWithItems = defineSchema({
  ...fields,
  items: field.list(field.object({ product: field.string(), price: field.number() })),
})
const options = { key: 'id', sort: ['total'] }
export const collection = defineCollection(schema, options)
const columns = { customerName: 'customer_name' }
export const backendOf = (dialect) => sqlBackend({ dialect, table: table('orders', { schema, key: 'id', columns }) })
const backend = backendOf(sqlite)

/** What a list may answer: the collection, the backend, and the fields that a query asks for. */
export const variants = {
  plain: { collection, backend },
  hidden: { collection: defineCollection(schema, { ...options, hidden: ['note'] }), backend },
  fields: {
    collection: defineCollection(schema, { ...options, fields: true }),
    backend,
    fields: ['id', 'status', 'total'],
  },
  children: {
    collection: defineCollection(schemaWithItems, options),
    backend: sqlBackend({
      dialect: sqlite,
      table: table('orders', {
        schema: schemaWithItems,
        key: 'id',
        columns: { ...columns, items: childTable('order_items', { key: 'id', foreignKey: 'order_id' }) },
      }),
    }),
  },
}

/** Each seller has so many orders. */
const ofSeller = 500
const names = ['John Smith', 'Peter Hall', 'Joanna Bell', 'Ann Lee', null]
const notes = ['late arrival', 'two children', null]
const states = ['paid', 'held', 'new']

export function* ordersUpTo(count) {
  const below = newRandom()
  for (let id = 1; id <= count; id++)
    yield {
      id,
      seller: `s-${below(count / ofSeller)}`,
      customerName: names[below(names.length)],
      status: states[below(3)],
      total: below(40_000) / 4,
      note: notes[below(3)],
      day: `2024-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`,
    }
}

/** A database with the orders and two items of each. */
export function openSqlite(count, file = ':memory:') {
  const database = new Database(file)
  database.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT NOT NULL, customer_name TEXT, status TEXT NOT NULL,
      total REAL NOT NULL, note TEXT, day TEXT NOT NULL);
    CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, product TEXT NOT NULL, price REAL NOT NULL);
    BEGIN`)
  const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insertItem = database.prepare('INSERT INTO order_items (order_id, product, price) VALUES (?, ?, ?)')
  for (const order of ordersUpTo(count)) {
    insert.run(Object.values(order))
    insertItem.run(order.id, 'surf lesson', order.total / 2)
    insertItem.run(order.id, 'wetsuit', 12.5)
  }
  database.exec(`COMMIT;
    CREATE INDEX orders_by_total ON orders (seller, total, id); CREATE INDEX items_of ON order_items (order_id); ANALYZE`)
  return database
}
