/**
 * One definition serves: what `fromDrizzle` makes selects, on a real engine and through Drizzle, what memory selects of the
 * rows that `findMany` returns for the same shape; and pages.
 */
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overBetterSqlite3 } from 'drizzle-orm/better-sqlite3'
import { drizzle as overMysql2 } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import fc from 'fast-check'
import mysql2 from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mysql, postgres, simpleLowerCase, sqlBackend, sqlite, type Dialect } from '../../src/backends/sql/index.ts'
import { fromDrizzle, toDrizzle, type DrizzleTable } from '../../src/drizzle/index.ts'
import { defineCollection, field, parseFilterOrThrow, parseQueryOrThrow, toPage, type Filter } from '../../src/index.ts'
import { someFilter } from '../../src/testing/arbitraries.ts'
import { byEffort } from '../effort.ts'
import {
  mysqlDefinitions,
  mysqlTables,
  pgDefinitions,
  pgTables,
  sqliteDefinitions,
  sqliteTables,
  stored,
} from './tables.ts'

// --- One definition for each database, and what findMany takes with it.

const shape = {
  columns: { customerId: false },
  with: {
    customer: { with: { country: true, profile: { columns: { bio: true } } } },
    items: { columns: { id: true, price: true }, with: { product: { columns: { name: true } } } },
  },
} as const
const meta = field.object({ source: field.string(), steps: field.list(field.string()) })

interface Order {
  readonly id: number
}
/** What there is of Drizzle's own types in each database. */
interface Opened {
  readonly insert: (name: keyof typeof stored, row: object) => PromiseLike<unknown>
  readonly find: (more: object) => PromiseLike<readonly Order[]>
  readonly close: () => unknown
}
interface Engine {
  readonly name: string
  readonly dialect: Dialect
  readonly orders: DrizzleTable
  readonly open: () => Promise<Opened>
}
interface Db {
  insert(table: object): { values(row: object): PromiseLike<unknown> }
  readonly query: { readonly orders: { findMany(options: object): PromiseLike<readonly Order[]> } }
}
const opened = (db: unknown, tables: Record<keyof typeof stored, object>, close: () => unknown): Opened => ({
  insert: (name, row) => (db as Db).insert(tables[name]).values(row),
  find: (more) => (db as Db).query.orders.findMany({ ...shape, ...more }),
  close,
})
const inPg = fromDrizzle(pgTables, 'orders', { ...shape, fields: { meta } })
const inMysql = fromDrizzle(mysqlTables, 'orders', { ...shape, fields: { meta } })
const inSqlite = fromDrizzle(sqliteTables, 'orders', { ...shape, fields: { meta, arrival: field.date() } })

const { POSTGRES_URL, MYSQL_URL } = process.env
const own = `drizzle_${Math.random().toString(36).slice(2)}`
const engines: Engine[] = [
  {
    name: 'PGlite',
    dialect: postgres,
    orders: inPg,
    open: async () => {
      const client = new PGlite()
      for (const definition of pgDefinitions) await client.exec(definition)
      return opened(overPglite(client, { schema: pgTables }), pgTables, () => client.close())
    },
  },
  {
    name: 'SQLite',
    dialect: { ...sqlite, lower: 'urlwhere_lower' },
    orders: inSqlite,
    open: () => {
      const client = new Database(':memory:')
      client.function('urlwhere_lower', { deterministic: true }, (text) => simpleLowerCase(text as string))
      for (const definition of sqliteDefinitions) client.exec(definition)
      const db = overBetterSqlite3(client, { schema: sqliteTables })
      return Promise.resolve(opened(db, sqliteTables, () => client.close()))
    },
  },
]
if (POSTGRES_URL !== undefined)
  engines.push({
    name: 'PostgreSQL',
    dialect: postgres,
    orders: inPg,
    open: async () => {
      const client = new pg.Pool({ connectionString: POSTGRES_URL, max: 1, options: `-c search_path=${own}` })
      await client.query(`CREATE SCHEMA ${own}`)
      for (const definition of pgDefinitions) await client.query(definition)
      return opened(overPg(client, { schema: pgTables }), pgTables, async () => {
        await client.query(`DROP SCHEMA ${own} CASCADE`)
        await client.end()
      })
    },
  })
if (MYSQL_URL !== undefined)
  engines.push({
    name: 'MySQL',
    dialect: mysql,
    orders: inMysql,
    open: async () => {
      const client = await mysql2.createConnection(MYSQL_URL.replace('mariadb:', 'mysql:').replace(/\?.*/, ''))
      await client.query(`CREATE DATABASE ${own} CHARACTER SET utf8mb4`)
      await client.query(`USE ${own}`)
      for (const definition of mysqlDefinitions) await client.query(definition)
      return opened(overMysql2(client, { schema: mysqlTables, mode: 'default' }), mysqlTables, async () => {
        await client.query(`DROP DATABASE ${own}`)
        await client.end()
      })
    },
  })

// --- What is asked, and the orders that it selects, by hand.

const asked: Readonly<Record<string, readonly number[]>> = {
  '': [1, 2, 3, 4],
  'customer.name=kim': [4],
  'customer.name[startsWith]=KIM': [1, 4],
  'customer.name[doesNotContain]=k': [2, 3],
  'customer.country.code=AT': [1],
  'customer.country[exists]=false': [2, 3],
  'customer[exists]=false': [3],
  'customer.tier[in]=gold,silver': [1, 4],
  'customer.profile[exists]=true': [1, 2],
  'customer.profile.bio[contains]=SURF': [1],
  'status[in]=paid,held': [1, 2, 3],
  'status[notEqual]=paid': [2, 4],
  'status[exists]=false': [4],
  'total[gte]=80&total[lt]=120.5': [2, 4],
  'total=120.50': [1],
  'guests=9007199254740991': [3],
  'gift=true': [1],
  'gift[notEqual]=true': [2, 3, 4],
  'arrival[lte]=2024-06-01': [1],
  'placedAt=2024-05-30': [1],
  'placedAt[gt]=2024-05-30T10:00:00.123Z': [2],
  'meta.source=web': [1],
  'meta.steps=seen': [1],
  'items.product.name=Kayak&items.price[gt]=30': [1],
  'items.product.name=Kayak&items.price[lt]=15': [],
  'items.product.name[notEqual]=Kayak': [3, 4],
  'items.product[exists]=true': [1, 2],
  'items[exists]=false': [3],
}
const sorted: Readonly<Record<string, readonly number[]>> = {
  id: [1, 2, 3, 4],
  '-total': [1, 4, 2, 3],
  'customer.name': [3, 1, 4, 2],
  '-customer.country.code': [4, 1, 3, 2],
  status: [4, 2, 1, 3],
  '-placedAt': [2, 1, 4, 3],
  'gift,-arrival': [4, 3, 2, 1],
  '-guests': [3, 1, 4, 2],
}

describe.each(engines)('$name', ({ dialect, orders, open }) => {
  let db: Opened
  beforeAll(async () => {
    db = await open()
    for (const name of Object.keys(stored) as (keyof typeof stored)[])
      for (const row of stored[name]) await db.insert(name, row)
  })
  afterAll(() => db.close())

  // findMany gives the table the name that the schema of Drizzle has for it.
  const backend = sqlBackend({ dialect, table: orders, alias: 'orders' })
  const idsOf = async (filter: Filter) => {
    const rows = await db.find({ where: toDrizzle(backend.compile(filter)) })
    return rows.map(({ id }) => id).sort()
  }

  test.each(Object.entries(asked))('%s', async (text, ids) => {
    expect(await idsOf(parseFilterOrThrow(orders.schema, text))).toEqual(ids)
  })

  test('what findMany returns is in the form of the schema: memory selects the same', async () => {
    const rows = (await db.find({})).map(inForm)
    const select = (filter: Filter) => rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
    for (const [text, ids] of Object.entries(asked))
      expect(select(parseFilterOrThrow(orders.schema, text)), text).toEqual(ids)
    for (const filter of fc.sample(someFilter(orders.schema), byEffort(1_000, 100))) {
      expect(await idsOf(filter), JSON.stringify(filter)).toEqual(select(filter))
    }
  })

  const collection = defineCollection(orders.schema, { key: 'id', sort: true, offset: { max: 9 } })
  const pageAt = async (text: string) => {
    const query = parseQueryOrThrow(collection, text)
    const { where, orderBy, limit, offset } = backend.compileQuery(query)
    const found = await db.find({ where: toDrizzle(where), orderBy: toDrizzle(orderBy), limit: limit + 1, offset })
    const { rows, next, previous } = toPage(query, found)
    return { ids: rows.map(({ id }) => id), next, previous }
  }
  test.each(Object.entries(sorted))('pages by %s', async (sort, ids) => {
    const first = await pageAt(`sort=${sort}&limit=2`)
    expect(first.ids).toEqual(ids.slice(0, 2))
    const second = await pageAt(`sort=${sort}&limit=2&cursor=${first.next}`)
    expect(second).toMatchObject({ ids: ids.slice(2), next: undefined })
    expect((await pageAt(`sort=${sort}&limit=2&cursor=${second.previous}`)).ids).toEqual(ids.slice(0, 2))
    expect((await pageAt(`sort=${sort}&limit=2&offset=1`)).ids).toEqual(ids.slice(1, 3))
  })
})

/** Drizzle gives text for `numeric`. */
function inForm(row: Order & { readonly total?: unknown }): Order {
  return { ...row, ...(typeof row.total === 'string' && { total: Number(row.total) }) }
}
