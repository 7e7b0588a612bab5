/** The orders of the demo, in memory. */
import {
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  postgres,
  postgres17,
  sqlite,
  table,
} from '../../src/backends/sql/index.ts'
import { defineCollection } from '../../src/index.ts'
import { makeOrders, orderOptions, orders, type Order } from '../demo/data.ts'
import { examples } from './examples.ts'
import { memoryStore } from './memory-store.ts'
import { subjectOf } from './subject.ts'

/** The rows of the demo. The first has the `id` 1, and so on. */
export const rows: readonly Order[] = makeOrders()

/** The collection of the demo with `offset`: most notations require this option. */
const options = { ...orderOptions, offset: { max: rows.length } }
const collection = defineCollection(orders, options)

/** The demo serves this page on the same machine. */
const origin = (): string =>
  /^(?:127\.0\.0\.1|localhost)$/.test(location.hostname) ? location.origin : 'http://127.0.0.1:3000'

export const orderSubject = subjectOf({
  name: 'orders',
  words: ['order', 'orders'],
  collection,
  options,
  // Where the demo's SQL databases keep an order.
  table: table('orders', {
    schema: orders,
    key: 'id',
    columns: {
      id: column('id', { notNull: true }),
      customerName: 'customer_name',
      paidAt: 'paid_at',
      tags: jsonColumn('tags'),
      customer: { name: 'contact_name', email: 'contact_email' },
      items: childTable('order_items', { key: 'id', foreignKey: 'order_id' }),
    },
  }),
  alias: 'o',
  // The dialects of the package, as the page calls them.
  dialects: { PostgreSQL: postgres, 'PostgreSQL 17+': postgres17, MySQL: mysql, MariaDB: mariadb, SQLite: sqlite },
  examples: () => examples,
  store: memoryStore(collection, rows),
  isKey: (text) => Number.isSafeInteger(Number(text)) && Number(text) >= 1,
  codes: () => import('./more.ts').then(({ codesWithPrisma }) => codesWithPrisma),
  urlOf: (text, key) => {
    const url = new URL(key === undefined ? '/api/orders' : `/api/orders/${key}`, origin())
    url.search = text
    return url
  },
  curlOptions: "-H 'X-API-KEY: office-key' ",
})
