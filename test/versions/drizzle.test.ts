/** The package on Drizzle 1.0: programs that TypeScript 6 and 7 compile, and that run on PGlite. The other tests have Drizzle 0.45. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { complaintsAbout, strictProject } from '../package/code.ts'

const isInstalled = existsSync(join(import.meta.dirname, 'node_modules/drizzle-orm'))

test('Drizzle 1.0 is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/versions ci').toBe(false)
  skip('Nothing was tested with Drizzle 1.0: npm --prefix test/versions ci installs them')
})

const imports = `
import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import * as lite from 'drizzle-orm/sqlite-core'
import { defineCollection, field, parseQueryOrThrow, where, type InferRow } from 'urlwhere'
import { fromDrizzle, toDrizzle } from 'urlwhere/drizzle'
import { postgres, sqlBackend, type SqlQuery } from 'urlwhere/sql'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}
type Maybe<T> = T | null | undefined
`
const shop = `
const status = pg.pgEnum('order_status', ['new', 'paid'])
const customers = pg.pgTable('customers', { id: pg.integer().primaryKey(), name: pg.text('full_name').notNull() })
const orders = pg.pgTable('orders', {
  id: pg.integer().primaryKey(),
  customerId: pg.integer('customer_id'),
  status: status().notNull(),
  total: pg.numeric({ precision: 12, scale: 2 }),
  placedAt: pg.timestamp('placed_at', { withTimezone: true, precision: 3 }).notNull(),
  tags: pg.text().array().notNull(),
})
const orderItems = pg.pgTable('order_items', {
  orderId: pg.integer('order_id').notNull(),
  line: pg.integer().notNull(),
  price: pg.doublePrecision(),
}, (table) => [pg.primaryKey({ columns: [table.orderId, table.line] })])
const shape = {
  columns: { customerId: false },
  with: { customer: { columns: { name: true } }, items: { columns: { line: true, price: true } } },
} as const
const client = await PGlite.create()
await client.exec(\`
  CREATE TYPE order_status AS ENUM ('new', 'paid');
  CREATE TABLE customers (id integer PRIMARY KEY, full_name text NOT NULL);
  CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, status order_status NOT NULL, total numeric(12, 2),
    placed_at timestamp(3) with time zone NOT NULL, tags text[] NOT NULL);
  CREATE TABLE order_items (order_id integer NOT NULL, line integer NOT NULL, price double precision, PRIMARY KEY (order_id, line));
  INSERT INTO customers VALUES (1, 'Joan'), (2, 'ada');
  INSERT INTO orders VALUES (1, 1, 'paid', 120.50, '2024-05-30 12:00:00.123+00', '{a,b}'), (2, 2, 'new', 80, '2024-06-01 12:00+00', '{}'),
    (3, NULL, 'paid', NULL, '2024-06-02 12:00+00', '{b}'), (4, 1, 'paid', 95, '2024-06-03 12:00+00', '{c}');
  INSERT INTO order_items VALUES (1, 1, 60), (1, 2, 12), (4, 1, 45);
\`)
const asked = {
  '': [1, 2, 3, 4],
  'status=paid&customer.name[startsWith]=jo': [1, 4],
  'items.price[lt]=50': [1, 4],
  'items.line=2&items.price[gt]=50': [],
  'customer[exists]=false': [3],
  'tags=b': [1, 3],
  'total[gte]=95': [1, 4],
  'placedAt[lt]=2024-06-02': [1, 2],
  'sort=-placedAt': [4, 3, 2, 1],
  'sort=customer.name': [3, 1, 4, 2],
}
`
const check = `
const collection = defineCollection(orderTable.schema, { key: 'id', sort: true })
for (const [text, ids] of Object.entries(asked)) {
  const found: number[] = []
  for (let cursor = ''; ;) {
    const query = parseQueryOrThrow(collection, \`\${text}&limit=1\${cursor && \`&cursor=\${cursor}\`}\`)
    const page = await pageOf(query)
    found.push(...page.rows.map(({ id }) => id))
    if (page.next === undefined) break
    cursor = page.next
  }
  assert.deepEqual(found, ids, text)
}
await client.close()
`

const guide = /^## Drizzle 1\.0$[^]*?^```typescript\n([^]*?)^```$/m.exec(
  await readFile(join(import.meta.dirname, '../../docs/guides/drizzle.md'), 'utf8'),
)![1]!

const programs: Readonly<Record<string, string>> = {
  'defineRelations.ts': `${imports}${shop}
    ${guide}
    type Order = InferRow<typeof orderTable.schema>
    same<keyof Order, 'id' | 'status' | 'total' | 'placedAt' | 'tags' | 'customer' | 'items'>(true)
    same<Order['id'], number>(true)
    same<Order['status'], 'new' | 'paid'>(true)
    same<Order['total'], Maybe<string | number | bigint>>(true)
    same<Order['placedAt'], string | Date>(true)
    same<Order['tags'], Maybe<readonly (string | null)[]>>(true)
    same<NonNullable<Order['customer']>['name'], string>(true)
    same<NonNullable<NonNullable<Order['items']>[number]>['price'], Maybe<number>>(true)
    // @ts-expect-error no such value
    assert.throws(() => where(orderTable.schema).equals('status', 'lost'), TypeError)
    // @ts-expect-error no such relation
    assert.throws(() => fromDrizzle(relations, 'orders', { with: { item: true } }), /has no relation item$/)
    const odd = defineRelations({ customers, orders, orderItems }, (r) => ({
      customers: {
        paid: r.many.orders({ from: r.customers.id, to: r.orders.customerId, where: { status: 'paid' } }),
        bought: r.many.orderItems({
          from: r.customers.id.through(r.orders.customerId),
          to: r.orderItems.orderId.through(r.orders.id),
        }),
      },
    }))
    assert.throws(() => fromDrizzle(odd, 'customers', { with: { paid: true } }), {
      name: 'TypeError',
      message: \`these columns of customers cannot be fields:
  paid: it has a condition of its own
Leave them out with the option columns, or do what their lines say\`,
    })

    // A relation through another table: Drizzle reads the same entries.
    const through = { columns: { id: true }, with: { bought: { columns: { line: true, price: true } } } } as const
    const buyers = fromDrizzle(odd, 'customers', through)
    same<NonNullable<NonNullable<InferRow<typeof buyers.schema>['bought']>[number]>['line'], number>(true)
    const bought = sqlBackend({ dialect: postgres, table: buyers })
    const buyerCollection = defineCollection(buyers.schema, { key: 'id' })
    const found = await drizzle({ client, relations: odd }).query.customers.findMany(through)
    for (const [text, ids] of Object.entries({ '': [1, 2], 'bought.price=45': [1], 'bought[exists]=false': [2], 'bought[atLeast]=3': [1] })) {
      const statement = bought.select(parseQueryOrThrow(buyerCollection, text))
      const { rows } = statement.page((await client.query<object>(statement.text, statement.parameters)).rows)
      assert.deepEqual(rows, found.filter(({ id }) => ids.includes(id)), text)
    }

    const db = drizzle({ client, relations })
    const pageOf = async (query: ReturnType<typeof parseQueryOrThrow>) => {
      const compiled = backend.compileQuery(query)
      return compiled.page(await db.query.orders.findMany(optionsOf(compiled)))
    }
    ${check}`,
  'relations.ts': `${imports}${shop}
    import { relations } from 'drizzle-orm/_relations'
    const schema = {
      ...{ customers, orders, orderItems },
      ordersRelations: relations(orders, ({ one, many }) => ({
        customer: one(customers, { fields: [orders.customerId], references: [customers.id] }),
        items: many(orderItems),
      })),
      itemsRelations: relations(orderItems, ({ one }) => ({
        order: one(orders, { fields: [orderItems.orderId], references: [orders.id] }),
      })),
    }
    const orderTable = fromDrizzle(schema, 'orders', shape)
    type Order = InferRow<typeof orderTable.schema>
    same<keyof Order, 'id' | 'status' | 'total' | 'placedAt' | 'tags' | 'customer' | 'items'>(true)
    same<NonNullable<Order['customer']>['name'], string>(true)
    same<NonNullable<NonNullable<Order['items']>[number]>['line'], number>(true)

    const db = drizzle({ client })
    const backend = sqlBackend({ dialect: postgres, table: orderTable })
    const pageOf = async (query: ReturnType<typeof parseQueryOrThrow>) => {
      const statement = backend.select(query)
      const { rows } = (await db.execute(toDrizzle(statement))) as unknown as { rows: object[] }
      return statement.page(rows as never) as { rows: { id: number }[]; next?: string }
    }
    ${check}`,
  'columns.ts': `${imports}
    const custom = pg.customType<{ data: string }>({ dataType: () => 'varchar(15)' })
    const citext = pg.customType<{ data: string }>({ dataType: () => 'citext' })
    const all = pg.pgTable('all', {
      uuid: pg.uuid(), integer: pg.integer(), serial: pg.serial(), number: pg.bigint({ mode: 'number' }), bigint: pg.bigint({ mode: 'bigint' }),
      text: pg.bigint({ mode: 'string' }), decimal: pg.numeric(), double: pg.doublePrecision(), numeric: pg.numeric({ mode: 'number' }),
      boolean: pg.boolean(), date: pg.date(), at: pg.timestamp(), kind: pg.text({ enum: ['a', 'b'] }), custom: custom(), customs: custom().array(),
      lists: pg.integer().array(), citext: citext(), real: pg.real(), code: pg.char({ length: 3 }), time: pg.time(),
    })
    const { schema, columns } = fromDrizzle({ all }, 'all')
    assert.deepEqual(Object.fromEntries(Object.entries(schema.fields).map(([name, { type }]) => [name, type])), {
      ...{ uuid: 'uuid', integer: 'integer', serial: 'integer', number: 'integer', bigint: 'bigint', text: 'bigint', decimal: 'decimal' },
      ...{ double: 'number', numeric: 'number', boolean: 'boolean', date: 'date', at: 'datetime', kind: 'enumeration', custom: 'string' },
      ...{ customs: 'list', lists: 'list', citext: 'string', real: 'number', code: 'string', time: 'time' },
    })
    assert.deepEqual(columns.lists, { kind: 'array', name: 'lists', type: 'bigint' })
    type Row = InferRow<typeof schema>
    same<Row['serial'], number>(true)
    same<Row['bigint'], Maybe<string | number | bigint>>(true)
    same<Row['kind'], Maybe<'a' | 'b'>>(true)
    same<Row['custom'], Maybe<string>>(true)
    same<Row['real'], Maybe<number>>(true)
    same<Row['time'], Maybe<string>>(true)
    same<Row['lists'], Maybe<readonly (number | null)[]>>(true)
    const odd = pg.pgTable('odd', { bytes: pg.bytea(), vector: pg.vector({ dimensions: 3 }), grid: pg.integer().array('[][]'), json: pg.jsonb() })
    assert.throws(() => fromDrizzle({ odd }, 'odd'), ({ message }: Error) => {
      const lines = message.split('\\n').slice(1, -1).map((line) => line.trim().split(': ').slice(0, 2))
      assert.deepEqual(lines.map(([name]) => name), ['bytes', 'vector', 'grid'])
      return true
    })
    const device = field.object({ os: field.string() })
    assert.equal(fromDrizzle({ odd }, 'odd', { columns: { json: true }, fields: { json: device } }).schema.fields.json, device)
    const inMysql = my.mysqlTable('m', { id: my.bigint({ mode: 'string' }), at: my.datetime(), blob: my.blob(), on: my.boolean() })
    assert.throws(() => fromDrizzle({ inMysql }, 'inMysql'), /\\n {2}blob: blob: no field holds it\\n/)
    const inSqlite = lite.sqliteTable('l', { on: lite.integer({ mode: 'boolean' }), at: lite.integer({ mode: 'timestamp_ms' }), seconds: lite.integer({ mode: 'timestamp' }) })
    assert.deepEqual(fromDrizzle({ inSqlite }, 'inSqlite').columns.seconds, { kind: 'column', name: 'seconds', type: 'epochS' })
  `,
}

describe.skipIf(!isInstalled)('on Drizzle 1.0', () => {
  const root = join(import.meta.dirname, '../..')
  const folder = join(import.meta.dirname, '.generated')
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true })
    const installed = join(folder, 'node_modules/urlwhere')
    await mkdir(installed, { recursive: true })
    for (const part of ['package.json', 'dist']) await cp(join(root, part), join(installed, part), { recursive: true })
    for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  })

  const tried = Object.keys(programs).filter((name) => isComplete || name !== 'relations.ts')
  test.each(tried)('%s does what it claims', async (name) => {
    await promisify(execFile)(process.execPath, [join(folder, name)])
  })
  test('the programs compile', async () => {
    const files = Object.keys(programs).map((name) => join(folder, name))
    expect(await complaintsAbout(files, { ...strictProject, skipLibCheck: true })).toBe('')
  })
})
