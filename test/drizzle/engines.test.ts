/**
 * One definition serves: what `fromDrizzle` makes selects, on a real engine and through Drizzle, what memory selects of the
 * rows that `findMany` returns for the same shape; and pages.
 */
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
import { fromDrizzle, toDrizzle, type DrizzleTable } from '../../src/tools/drizzle/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toPage,
  type Filter,
} from '../../src/index.ts'
import { someFilter } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'
import { newPglite } from '../engines/sql/pglite.ts'
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
interface Entry {
  readonly id: string
}
/** What there is of Drizzle's own types in each database. */
interface Opened {
  readonly insert: (name: keyof typeof stored, row: object) => PromiseLike<unknown>
  readonly find: (more: object) => PromiseLike<readonly Order[]>
  readonly findEntries: (more: object) => PromiseLike<readonly Entry[]>
  readonly run: (statement: string) => PromiseLike<unknown>
  readonly close: () => unknown
}
interface Engine {
  readonly name: string
  readonly dialect: Dialect
  readonly orders: DrizzleTable
  /** Uuids, exact numbers and microseconds, and the statement that inserts fifty of them with one now(). */
  readonly ledger?: { readonly table: DrizzleTable; readonly fifty: string }
  /** What columns of text store of an entry. */
  readonly asStored?: (entry: (typeof stored.ledger)[number]) => object
  readonly open: () => Promise<Opened>
}
interface Db {
  insert(table: object): { values(row: object): PromiseLike<unknown> }
  readonly query: {
    readonly orders: { findMany(options: object): PromiseLike<readonly Order[]> }
    readonly ledger: { findMany(options: object): PromiseLike<readonly Entry[]> }
  }
}
const opened = (
  db: unknown,
  tables: Partial<Record<keyof typeof stored, object>>,
  run: Opened['run'],
  close: () => unknown,
): Opened => ({
  insert: (name, row) => {
    const table = tables[name]
    return table === undefined ? Promise.resolve() : (db as Db).insert(table).values(row)
  },
  find: (more) => (db as Db).query.orders.findMany({ ...shape, ...more }),
  findEntries: (more) => (db as Db).query.ledger.findMany(more),
  run,
  close,
})
const inPg = fromDrizzle(pgTables, 'orders', { ...shape, fields: { meta } })
const ledgerInPg = {
  table: fromDrizzle(pgTables, 'ledger'),
  fifty: `INSERT INTO ledger SELECT gen_random_uuid(), n, n / 7.0, now(), 'new' FROM generate_series(1, 50) AS n`,
}
const ledgerInMysql = {
  table: fromDrizzle(mysqlTables, 'ledger', { fields: { id: field.uuid({ required: true }) } }),
  fifty: `INSERT INTO ledger SELECT UUID(), n, n / 7.0, now(6), 'new' FROM
    JSON_TABLE(CONCAT('[0', REPEAT(',0', 49), ']'), '$[*]' COLUMNS (n FOR ORDINALITY)) AS t`,
}
const inMysql = fromDrizzle(mysqlTables, 'orders', { ...shape, fields: { meta } })
const inSqlite = fromDrizzle(sqliteTables, 'orders', { ...shape, fields: { meta, arrival: field.date() } })

const { POSTGRES_URL, MYSQL_URL } = process.env
const own = `drizzle_${Math.random().toString(36).slice(2)}`
const engines: Engine[] = [
  {
    name: 'PGlite',
    dialect: postgres,
    orders: inPg,
    ledger: ledgerInPg,
    open: async () => {
      const client = await newPglite()
      for (const definition of pgDefinitions) await client.exec(definition)
      return opened(
        overPglite(client, { schema: pgTables }),
        pgTables,
        (text) => client.exec(text),
        () => client.close(),
      )
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
      return Promise.resolve(
        opened(
          db,
          sqliteTables,
          (text) => Promise.resolve(client.exec(text)),
          () => client.close(),
        ),
      )
    },
  },
]
if (POSTGRES_URL !== undefined)
  engines.push({
    name: 'PostgreSQL',
    dialect: postgres,
    orders: inPg,
    ledger: ledgerInPg,
    open: async () => {
      const client = new pg.Pool({ connectionString: POSTGRES_URL, max: 1, options: `-c search_path=${own}` })
      await client.query(`CREATE SCHEMA ${own}`)
      for (const definition of pgDefinitions) await client.query(definition)
      return opened(
        overPg(client, { schema: pgTables }),
        pgTables,
        (text) => client.query(text),
        async () => {
          await client.query(`DROP SCHEMA ${own} CASCADE`)
          await client.end()
        },
      )
    },
  })
if (MYSQL_URL !== undefined)
  engines.push({
    name: 'MySQL',
    dialect: mysql,
    orders: inMysql,
    ledger: ledgerInMysql,
    asStored: ({ id, at }) => ({ id: id.toLowerCase(), at: at.slice(0, -1).replace('T', ' ') }),
    open: async () => {
      const client = await mysql2.createConnection({
        uri: MYSQL_URL.replace('mariadb:', 'mysql:').replace(/\?.*/, ''),
        // Without it, the driver rounds large integers before Drizzle makes bigints of them.
        supportBigNumbers: true,
      })
      await client.query(`CREATE DATABASE ${own} CHARACTER SET utf8mb4`)
      await client.query(`USE ${own}`)
      for (const definition of mysqlDefinitions) await client.query(definition)
      return opened(
        overMysql2(client, { schema: mysqlTables, mode: 'default' }),
        mysqlTables,
        (text) => client.query(text),
        async () => {
          await client.query(`DROP DATABASE ${own}`)
          await client.end()
        },
      )
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
    const { ledger: _, ...others } = stored
    for (const name of Object.keys(others) as (keyof typeof others)[])
      for (const row of others[name]) await db.insert(name, row)
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

  test('findMany returns the form of the schema: memory selects the same', async () => {
    const rows = await db.find({})
    const select = (filter: Filter) => rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
    for (const [text, ids] of Object.entries(asked))
      expect(select(parseFilterOrThrow(orders.schema, text)), text).toEqual(ids)
    for (const filter of fc.sample(someFilter(orders.schema), byEffort(1_000, 34))) {
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

// --- Exact values

/** What is asked of the ledger, and the numbers of its entries in the order of `stored`, by hand. */
const askedOfLedger: Readonly<Record<string, readonly number[]>> = {
  'id=F0000000-0000-4000-8000-000000000001': [1],
  'id[in]=a0000000-0000-4000-8000-00000000000f,00000000-0000-4000-8000-000000000002': [2, 3],
  'id[gte]=90000000-0000-4000-8000-000000000004': [1, 3, 4],
  'number=9007199254740992': [1],
  'number=9007199254740993': [2],
  'number[gt]=9007199254740992': [2, 4],
  'number[lte]=-9223372036854775808': [3],
  'number[in]=9223372036854775807,-9223372036854775808': [3, 4],
  'price=1.1': [1],
  'price[lt]=0': [2],
  'price[gt]=12345678901234567890.12345678901233': [4],
  'price[exists]=false': [3],
  'at=2024-05-30T10:00:00.123456Z': [1, 3],
  'at[gt]=2024-05-30T10:00:00.123Z': [1, 3, 4],
  'at[lte]=2024-05-30T10:00:00.123455Z': [2],
  'at=2024-05-30': [1, 2, 3, 4],
  'kind[in]=paid,new': [1, 3, 4],
  'kind[notEqual]=paid': [2, 4],
}
const sortedLedger: Readonly<Record<string, readonly number[]>> = {
  id: [2, 4, 3, 1],
  number: [3, 1, 2, 4],
  '-price': [4, 1, 2, 3],
  at: [2, 3, 1, 4],
  '-at': [4, 1, 3, 2],
  kind: [2, 4, 3, 1],
}

describe.each(engines.filter(({ ledger }) => ledger !== undefined))(
  'exact values on $name',
  ({ dialect, ledger, asStored, open }) => {
    let db: Opened
    beforeAll(async () => {
      db = await open()
      for (const row of stored.ledger) await db.insert('ledger', { ...row, ...asStored?.(row) })
    })
    afterAll(() => db.close())

    const backend = sqlBackend({ dialect, table: ledger!.table, alias: 'ledger' })
    const ids = stored.ledger.map(({ id }) => id.toLowerCase())
    const numbersOf = (rows: readonly Entry[]) => rows.map(({ id }) => ids.indexOf(id) + 1)
    const select = async (filter: Filter) => {
      const rows = await db.findEntries({ where: toDrizzle(backend.compile(filter)) })
      return numbersOf(rows).sort()
    }
    const collection = defineCollection(ledger!.table.schema, { key: 'id', sort: true })
    const pageAt = async (text: string) => {
      const query = parseQueryOrThrow(collection, text)
      const { where, orderBy, limit, page } = backend.compileQuery(query)
      return page(await db.findEntries({ where: toDrizzle(where), orderBy: toDrizzle(orderBy), limit: limit + 1 }))
    }
    const walk = async (text: string): Promise<Entry[]> => {
      const entries: Entry[] = []
      for (let next: string | undefined = ''; next !== undefined;) {
        const found: Awaited<ReturnType<typeof pageAt>> = await pageAt(`${text}${next && `&cursor=${next}`}`)
        entries.push(...(found.rows as readonly Entry[]))
        next = found.next
        expect(entries.length).toBeLessThan(100)
      }
      return entries
    }

    test.each(Object.entries(askedOfLedger))('%s', async (text, expected) => {
      expect(await select(parseFilterOrThrow(ledger!.table.schema, text))).toEqual(expected)
    })
    test('findMany returns the form of the schema, except texts of moments', async () => {
      const rows = await db.findEntries({})
      const { at: _, ...fields } = ledger!.table.schema.fields
      const schema = defineSchema(fields)
      for (const filter of fc.sample(someFilter(schema), byEffort(1_000, 34))) {
        const expected = numbersOf(rows.filter(memoryBackend().compile(filter))).sort()
        expect(await select(filter), JSON.stringify(filter)).toEqual(expected)
      }
    })
    test.each(Object.entries(sortedLedger))('pages of one by %s', async (sort, expected) => {
      expect(numbersOf(await walk(`sort=${sort}&limit=1`))).toEqual(expected)
    })
    test('fifty rows of one now() are fifty, in both directions', async () => {
      await db.run(ledger!.fifty)
      for (const sort of ['at', '-at']) {
        const found = await walk(`sort=${sort}&limit=7&at[gt]=2025-01-01`)
        expect(new Set(found.map(({ id }) => id)).size).toBe(50)
        expect(found.length).toBe(50)
      }
    })
  },
)
