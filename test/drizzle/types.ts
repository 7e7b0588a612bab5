/** What the compiler knows of Drizzle's tables. Checked by `tsc`; never run. */
import * as pg from 'drizzle-orm/pg-core'
import { fromDrizzle } from '../../src/drizzle/index.ts'
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
same<PgOrder['id'], Maybe<number>>(true)
same<PgOrder['status'], Maybe<'paid' | 'held' | 'new'>>(true)
same<PgOrder['total'], Maybe<number>>(true)
same<PgOrder['gift'], Maybe<boolean>>(true)
same<PgOrder['placedAt'], Maybe<string | Date>>(true)
type Customer = NonNullable<PgOrder['customer']>
same<keyof Customer, 'name' | 'tier' | 'country' | 'profile'>(true)
same<Customer['tier'], Maybe<'gold' | 'silver'>>(true)
same<keyof NonNullable<Customer['country']>, 'code' | 'name'>(true)
same<keyof NonNullable<Customer['profile']>, 'bio'>(true)
type Item = NonNullable<NonNullable<PgOrder['items']>[number]>
same<keyof Item, 'price' | 'product'>(true)
same<NonNullable<Item['product']>['id'], Maybe<string>>(true)

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
