/** What the compiler knows of Drizzle's tables. Checked by `tsc`; never run. */
import * as pg from 'drizzle-orm/pg-core'
import { fromDrizzle } from '../../src/tools/drizzle/index.ts'
import { field, where, type InferRow } from '../../src/index.ts'
import { mysqlTables, pgTables, sqliteTables } from './tables.ts'

/** Holds when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}
type Maybe<T> = T | null | undefined

const shape = {
  columns: { customerId: false, meta: false },
  with: {
    customer: { columns: { name: true, tier: true }, with: { country: true, profile: { columns: { bio: true } } } },
    items: { columns: { price: true }, with: { product: true } },
  },
} as const

const fromPg = fromDrizzle(pgTables, 'orders', shape)
type PgOrder = InferRow<typeof fromPg.schema>
same<keyof PgOrder, 'id' | 'status' | 'total' | 'guests' | 'gift' | 'arrival' | 'placedAt' | 'customer' | 'items'>(true)
same<PgOrder['id'], number>(true)
same<PgOrder['status'], Maybe<'paid' | 'held' | 'new'>>(true)
same<PgOrder['total'], Maybe<string | number | bigint>>(true)
same<PgOrder['gift'], Maybe<boolean>>(true)
same<PgOrder['placedAt'], Maybe<string | Date>>(true)
type Customer = NonNullable<PgOrder['customer']>
same<keyof Customer, 'name' | 'tier' | 'country' | 'profile'>(true)
same<Customer['tier'], Maybe<'gold' | 'silver'>>(true)
same<keyof NonNullable<Customer['country']>, 'code' | 'name'>(true)
same<NonNullable<Customer['country']>['name'], string>(true)
same<Customer['name'], string>(true)
same<keyof NonNullable<Customer['profile']>, 'bio'>(true)
type Item = NonNullable<NonNullable<PgOrder['items']>[number]>
same<keyof Item, 'price' | 'product'>(true)
same<NonNullable<Item['product']>['id'], string>(true)

const o = where(fromPg.schema)
o.equals('status', 'paid')
o.equals('customer.country.code', 'AT')
o.some('items', (item) => item.gt('price', 5))
// @ts-expect-error no such value
o.equals('status', 'lost')
// @ts-expect-error left out
o.equals('customerId', 1)
// @ts-expect-error not taken
o.equals('customer.id', 1)

const fromMysql = fromDrizzle(mysqlTables, 'orders', shape)
same<InferRow<typeof fromMysql.schema>['status'], Maybe<'paid' | 'held' | 'new'>>(true)
same<InferRow<typeof fromMysql.schema>['placedAt'], Maybe<string | Date>>(true)

// What the options say of a column, at any depth.
const dated = fromDrizzle(sqliteTables, 'orders', {
  ...shape,
  columns: { customerId: false },
  fields: {
    arrival: field.date(),
    meta: field.object({ source: field.string() }),
    'customer.name': field.enumeration(['Jo']),
  },
})
type Dated = InferRow<typeof dated.schema>
same<Dated['arrival'], Maybe<string | Date>>(true)
same<NonNullable<Dated['meta']>['source'], Maybe<string>>(true)
same<NonNullable<Dated['customer']>['name'], Maybe<'Jo'>>(true)

// Arrays, and what cannot be a field.
const things = pg.pgTable('things', {
  tags: pg.text().array(),
  kinds: pg.text({ enum: ['a', 'b'] }).array(),
  span: pg.interval(),
})
const listed = fromDrizzle({ things }, 'things', { columns: { span: false } })
same<InferRow<typeof listed.schema>['tags'], Maybe<readonly (string | null)[]>>(true)
same<InferRow<typeof listed.schema>['kinds'], Maybe<readonly ('a' | 'b' | null)[]>>(true)
const picked = fromDrizzle({ things }, 'things', { columns: { tags: true, span: false } })
same<keyof InferRow<typeof picked.schema>, 'tags'>(true)
const none = fromDrizzle({ things }, 'things', { columns: {} })
same<keyof InferRow<typeof none.schema>, never>(true)

// What is NOT NULL, and the types that have more digits than a number.
const exact = pg.pgTable('exact', {
  id: pg.uuid().primaryKey(),
  parent: pg.uuid(),
  views: pg.bigint({ mode: 'bigint' }).notNull(),
  clicks: pg.bigint({ mode: 'number' }).notNull(),
  price: pg.numeric().notNull(),
  rate: pg.numeric({ mode: 'number' }),
  at: pg.timestamp().notNull().defaultNow(),
  kind: pg.text({ enum: ['a', 'b'] }).notNull(),
  tags: pg.text().array().notNull(),
  note: pg.text().notNull(),
})
const fromExact = fromDrizzle({ exact }, 'exact', { fields: { note: field.enumeration(['x']) } })
type Exact = InferRow<typeof fromExact.schema>
same<Exact['id'], string>(true)
same<Exact['parent'], Maybe<string>>(true)
same<Exact['views'], bigint | number | string>(true)
same<Exact['clicks'], number>(true)
same<Exact['price'], string | number | bigint>(true)
same<Exact['rate'], Maybe<number>>(true)
same<Exact['at'], string | Date>(true)
same<Exact['kind'], 'a' | 'b'>(true)
same<Exact['tags'], Maybe<readonly (string | null)[]>>(true)
same<Exact['note'], Maybe<'x'>>(true)
where(fromExact.schema).gt('views', 2n ** 53n)
// @ts-expect-error a uuid has no prefixes
where(fromExact.schema).startsWith('id', 'a')

// Custom types: the compiler knows the data, not the SQL type.
const custom = pg.pgTable('custom', {
  id: pg
    .customType<{ data: string; notNull: true }>({ dataType: () => 'varchar(15)' })()
    .primaryKey(),
  price: pg.customType<{ data: number }>({ dataType: () => 'numeric(10,2)' })(),
  at: pg.customType<{ data: Date }>({ dataType: () => 'timestamptz' })(),
  buffer: pg.customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })(),
})
const fromCustom = fromDrizzle({ custom }, 'custom', { columns: { buffer: false } })
type Custom = InferRow<typeof fromCustom.schema>
same<Custom['id'], string>(true)
same<Custom['price'], Maybe<number>>(true)
same<Custom['at'], Maybe<string | Date>>(true)
same<keyof Custom, 'id' | 'price' | 'at'>(true)
// @ts-expect-error a table without relations has none
fromDrizzle(pgTables, 'countries', { with: { orders: true } })

// Names.
fromDrizzle(pgTables, 'countries')
// @ts-expect-error no such table
fromDrizzle(pgTables, 'country')
// @ts-expect-error relations are no table
fromDrizzle(pgTables, 'ordersRelations')
// @ts-expect-error no such column
fromDrizzle(pgTables, 'orders', { columns: { idd: true } })
// @ts-expect-error no such relation
fromDrizzle(pgTables, 'orders', { with: { item: true } })
// @ts-expect-error no such column in the relation
fromDrizzle(pgTables, 'orders', { with: { items: { columns: { prize: true } } } })
// @ts-expect-error no such column, beside one that there is
fromDrizzle(pgTables, 'orders', { columns: { id: true, idd: true } })
// @ts-expect-error no such relation, beside one that there is
fromDrizzle(pgTables, 'orders', { with: { items: true, item: true } })
// @ts-expect-error findMany would cut the list
fromDrizzle(pgTables, 'orders', { with: { items: { limit: 1 } } })
// @ts-expect-error no such option
fromDrizzle(pgTables, 'orders', { columns: { id: true }, colums: {} })
