/** Emission: a filter of one, three and six conditions as SQL, against Kysely's compile of the same `where`, built before. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { childTable, postgres, sqlBackend, table } from '../src/backends/sql/index.ts'
import { parseFilterOrThrow } from '../src/index.ts'
import { queries, orders } from './queries.mjs'
import { compare } from './ratio.mjs'

const { compile } = sqlBackend({
  dialect: postgres,
  table: table('orders', {
    schema: orders,
    key: 'id',
    columns: { items: childTable('order_items', { foreignKey: 'order_id' }) },
  }),
})
const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const from = db.selectFrom('orders').select('orders.id')
const span = (at) => (eb) =>
  eb.exists(
    eb
      .selectFrom('order_items as e1')
      .select(sql.lit(1).as('one'))
      .whereRef('e1.order_id', '=', 'orders.id')
      .where('e1.arrival', '>=', `2024-01-0${1 + (at % 9)}`)
      .where('e1.arrival', '<=', `2024-01-1${at % 9}`),
  )
const kysely = {
  Q1: (at) => from.where('orders.seller', '=', `s-${at}`),
  Q3: (at) => from.where('orders.seller', '=', `s-${at}`).where(span(at)),
  Q6: (at) =>
    from
      .where('orders.seller', '=', `s-${at}`)
      .where(span(at))
      .where(sql`lower("orders"."customerName")`, '>=', 'jo')
      .where(sql`lower("orders"."customerName")`, '<', 'jp')
      .where('orders.status', 'in', ['paid', 'held'])
      .where('orders.total', '>', at),
}
for (const [name, build] of Object.entries(kysely)) {
  const inputs = queries[`${name} raw`].map((text, at) => ({
    filter: parseFilterOrThrow(orders, text),
    query: build(at),
  }))
  compare(
    name,
    {
      'kysely compile': ({ query }) => query.compile().sql.length > 0,
      urlwhere: ({ filter }) => compile(filter).text.length > 0,
    },
    inputs,
  )
}
