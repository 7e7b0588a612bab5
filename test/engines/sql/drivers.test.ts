/** Every recipe of docs/guides/sql-drivers.md runs as it is written there, and selects what memory selects. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as drizzleBetterSqlite3 } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { SQL } from 'drizzle-orm'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import mariadbDriver, { type Connection } from 'mariadb'
import mysql2 from 'mysql2/promise'
import pg from 'pg'
import postgresJs from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import {
  childTable,
  jsonColumn,
  mariadb,
  mysql,
  postgres,
  simpleLowerCase,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
  type SqlCondition,
} from '../../../src/backends/sql/index.ts'
import { defineSchema, field, parseFilterOrThrow, type InferRow } from '../../../src/index.ts'

// --- The recipes: the code of the page, in a module of its own.

type Select = (connection: any, condition: SqlCondition) => unknown
interface Recipes {
  readonly byNodeSqlite: Select
  readonly byBetterSqlite3: Select
  readonly byPglite: Select
  readonly byPg: Select
  readonly byPostgresJs: Select
  readonly byMariadb: Select
  readonly byMysql2: Select
  readonly byKysely: Select
  readonly byDrizzle: Select
  readonly inDrizzle: (condition: SqlCondition) => SQL
  readonly drizzleOverPostgresJs: (client: postgresJs.Sql) => object
}
const root = join(import.meta.dirname, '../../..')
const page = await readFile(join(root, 'docs/guides/sql-drivers.md'), 'utf8')
const code = Array.from(page.matchAll(/^```ts\n([^]*?)^```$/gm), ([, block]) => block!).join('\n')
const names = Array.from(code.matchAll(/^const (\w+) = (?:async )?\(/gm), ([, name]) => name!)

const folder = join(import.meta.dirname, '.generated')
await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'recipes.ts'), `${code}\nexport { ${names.join(', ')} }\n`)
const recipes = (await import(join(folder, 'recipes.ts'))) as Recipes

/** Recipes that this file runs, on a server only where there is one. */
const enrolled = new Set<string>()
test('every recipe is run', () => {
  const missing = servers.length === 0 ? ['byMariadb', 'byMysql2'] : []
  expect([...enrolled, ...missing].sort()).toEqual(names.toSorted())
})

// --- What is stored, and what is asked.

const schema = defineSchema({
  id: field.integer(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  guests: field.integer(),
  gift: field.boolean(),
  arrival: field.date(),
  paidAt: field.datetime(),
  tags: field.list(field.string()),
  items: field.list(field.object({ arrival: field.date(), product: field.string(), price: field.number() })),
})
type Row = InferRow<typeof schema> & { readonly id: number }
const mapped = table('orders', {
  schema,
  key: 'id',
  columns: {
    customerName: 'customer_name',
    paidAt: 'paid_at',
    tags: jsonColumn('tags'),
    items: childTable('order_items', { foreignKey: 'order_id', columns: { product: 'product_code' } }),
  },
})
const rows: readonly Row[] = [
  {
    id: 1,
    customerName: 'Åse',
    status: 'paid',
    total: 1.5,
    guests: 1,
    gift: true,
    arrival: '2024-02-29',
    paidAt: '2024-02-29T23:59:59.999Z',
    tags: ['sea', 'family'],
    // The two conditions of one query hold for two entries, and for no single one.
    items: [
      { arrival: '2024-02-29', product: 'Surf lesson', price: 30 },
      { arrival: '2024-03-02', product: 'Kayak', price: 0.5 },
    ],
  },
  {
    id: 2,
    customerName: 'åse ',
    status: 'held',
    total: 1e21,
    guests: 2,
    gift: false,
    arrival: '2024-03-01',
    paidAt: '2024-03-01T00:00:00.000Z',
    tags: ['Sea', null],
    items: [{ arrival: '2024-03-02', product: 'SURFboard', price: 12.5 }],
  },
  { id: 3, customerName: '100% ??', status: 'new', total: -3, guests: 3, arrival: '2023-12-31', tags: [], items: [] },
  { id: 4 },
]
const queries = {
  'a list operator': [
    'customerName[in]=%C3%85se,x',
    'status[in]=paid,held',
    'guests[in]=1,3,9007199254740991',
    'total[in]=1.5,1e21',
    'arrival[in]=2024-03-01,2024-02-29',
    'paidAt[in]=2024-03-01T00:00:00Z',
    'customerName[nin]=%C3%85se,x',
    'guests[nin]=1,2',
    'arrival[nin]=2024-03-01',
    'tags[in]=sea,x',
    'tags[nin]=sea,x',
  ],
  'a text match': [
    'customerName[startsWith]=%C3%85S',
    'customerName[contains]=0%25 ?',
    'customerName[endsWith]=%20',
    'items.product[contains]=SURF',
  ],
  'a date': [
    'arrival=2024-02-29',
    'arrival[gte]=2024-02-29',
    'arrival[range]=2024-02-29,2024-02-29',
    'paidAt=2024-02-29',
    'paidAt[gt]=2024-02-29T23:59:59.999Z',
  ],
  'a same-entry list': [
    'items.arrival[gte]=2024-03-01&items.product[contains]=surf',
    'items.price[gt]=1&items.price[lt]=20',
  ],
  'a complement': [
    'customerName[notEqual]=%C3%85se',
    'customerName[doesNotContain]=s',
    'status[notEqual]=paid',
    'gift[notEqual]=true',
    'items.product[notEqual]=Kayak',
    'items.product[doesNotContain]=surf',
  ],
  'numbers, booleans, presence': [
    'total[range]=-5,1e300',
    'total[lt]=1e300',
    'gift=true',
    'items[exists]=false&arrival[exists]=true',
  ],
}
/** Texts that try to leave their place select nothing. */
const hostile = [
  `customerName=${encodeURIComponent("\\' OR 1=1 -- ")}`,
  `customerName[in]=${encodeURIComponent("' OR 1=1 -- ")},${encodeURIComponent('$1 ? :a')}`,
  `customerName[contains]=${encodeURIComponent("\\' OR 1=1 #")}`,
]
const selectedInMemory = (query: string) =>
  rows.filter(memoryBackend().compile(parseFilterOrThrow(schema, query))).map(({ id }) => id)

test('each query tells rows apart', () => {
  for (const query of Object.values(queries).flat()) {
    const { length } = selectedInMemory(query)
    expect(length > 0 && length < rows.length, query).toBe(true)
  }
  for (const query of hostile) expect(selectedInMemory(query), query).toEqual([])
})

// --- How an engine gets the rows: in literals, which no driver touches.

interface Declared {
  readonly text: string
  readonly number: string
  readonly boolean: string
  readonly date: string
  readonly datetime: string
  readonly json: string
  readonly options?: string
  readonly datetimes?: (text: string) => string
}
const inSqlite: Declared = {
  text: 'TEXT',
  number: 'REAL',
  boolean: 'INTEGER',
  date: 'TEXT',
  datetime: 'TEXT',
  json: 'TEXT',
  options: ' STRICT',
}
const inPostgres: Declared = {
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  json: 'jsonb',
}
const inMariadb: Declared = {
  text: 'varchar(99)',
  number: 'double',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime(3)',
  json: 'json',
  options: ' CHARACTER SET utf8mb4',
  datetimes: (text) => text.slice(0, -1).replace('T', ' '),
}
function statementsOf({ text, number, boolean, date, datetime, json, options = '', datetimes }: Declared): string[] {
  const cell = (value: unknown): string =>
    value === undefined || value === null
      ? 'NULL'
      : typeof value === 'string'
        ? `'${value.replaceAll("'", "''")}'`
        : typeof value === 'object'
          ? cell(JSON.stringify(value))
          : String(value)
  const insert = (name: string, rows: readonly (readonly unknown[])[]) =>
    `INSERT INTO ${name} VALUES ${rows.map((cells) => `(${cells.map(cell).join(', ')})`).join(', ')}`
  const moment = (value: unknown) => (typeof value === 'string' && datetimes ? datetimes(value) : value)
  return [
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_name ${text}, status ${text}, total ${number}, guests INTEGER,
      gift ${boolean}, arrival ${date}, paid_at ${datetime}, tags ${json})${options}`,
    `CREATE TABLE order_items (order_id INTEGER, arrival ${date}, product_code ${text}, price ${number})${options}`,
    insert(
      'orders',
      rows.map(({ id, customerName, status, total, guests, gift, arrival, paidAt, tags }) => [
        ...[id, customerName, status, total, guests, gift, arrival],
        ...[moment(paidAt), tags],
      ]),
    ),
    insert(
      'order_items',
      rows.flatMap(({ id, items }) => (items ?? []).map((item) => [id, item!.arrival, item!.product, item!.price])),
    ),
  ]
}

/** One test for each kind of query. */
function agrees(recipe: string, dialect: Dialect, select: (condition: SqlCondition) => unknown): void {
  enrolled.add(recipe)
  const { compile } = sqlBackend({ dialect, table: mapped })
  test.each(Object.entries({ ...queries, 'hostile texts': hostile }))(`${recipe}: %s`, async (_, queries) => {
    for (const query of queries) {
      const found = (await select(compile(parseFilterOrThrow(schema, query)))) as readonly { readonly id: unknown }[]
      expect(found.map(({ id }) => Number(id)).sort(), query).toEqual(selectedInMemory(query))
    }
  })
}

const whole = { ...sqlite, lower: 'urlwhere_lower' }

describe('node:sqlite', () => {
  const database = new DatabaseSync(':memory:')
  beforeAll(() => {
    database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
    for (const statement of statementsOf(inSqlite)) database.exec(statement)
  })
  afterAll(() => database.close())
  agrees('byNodeSqlite', whole, (condition) => recipes.byNodeSqlite(database, condition))
})

describe('better-sqlite3', () => {
  const database = new Database(':memory:')
  beforeAll(() => {
    database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
    for (const statement of statementsOf(inSqlite)) database.exec(statement)
  })
  afterAll(() => database.close())
  agrees('byBetterSqlite3', whole, (condition) => recipes.byBetterSqlite3(database, condition))

  const kysely = new Kysely({ dialect: new SqliteDialect({ database }) })
  agrees('byKysely', whole, (condition) => recipes.byKysely(kysely, condition))

  const drizzle = drizzleBetterSqlite3(database)
  const drizzleOrders = sqliteTable('orders', { id: integer() })
  agrees('inDrizzle', whole, (condition) => drizzle.select().from(drizzleOrders).where(recipes.inDrizzle(condition)))
})

describe('PGlite', () => {
  const database = new PGlite()
  beforeAll(async () => {
    for (const statement of statementsOf(inPostgres)) await database.exec(statement)
  })
  afterAll(() => database.close())
  agrees('byPglite', postgres, (condition) => recipes.byPglite(database, condition))

  // Kysely has no dialect for PGlite: this is what its dialect for pg asks of a pool.
  const pool = {
    connect: async () =>
      Promise.resolve({
        query: (statement: string, parameters: readonly unknown[]) => database.query(statement, [...parameters]),
        release: () => {},
      }),
    end: async () => {},
  }
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) })
  agrees('byKysely', postgres, (condition) => recipes.byKysely(kysely, condition))

  const drizzle = drizzlePglite(database)
  agrees('byDrizzle', postgres, (condition) => recipes.byDrizzle(drizzle, condition))
})

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
/** A schema of PostgreSQL, a database of MariaDB and of MySQL: tables have the names that the page gives them. */
const own = `drivers_${Math.random().toString(36).slice(2)}`

describe.runIf(POSTGRES_URL)('PostgreSQL', () => {
  const connectionString = POSTGRES_URL
  const pool = new pg.Pool({ connectionString, max: 2, options: `-c search_path=${own}` })
  const options = { max: 1, connection: { search_path: own } }
  const client = postgresJs(POSTGRES_URL ?? '', options)
  beforeAll(async () => {
    await pool.query(`CREATE SCHEMA ${own}`)
    for (const statement of statementsOf(inPostgres)) await pool.query(statement)
  })
  afterAll(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${own} CASCADE`)
    await pool.end()
    await client.end()
  })
  agrees('byPg', postgres, (condition) => recipes.byPg(pool, condition))
  describe('prepared by name, as plan caches want it', () => {
    agrees('byPg', postgres, async ({ text, parameters: values }) => {
      const name = createHash('sha1').update(text).digest('hex')
      return (await pool.query({ name, text: `SELECT * FROM orders WHERE ${text}`, values })).rows
    })
  })
  agrees('byPostgresJs', postgres, (condition) => recipes.byPostgresJs(client, condition))

  const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
  agrees('byKysely', postgres, (condition) => recipes.byKysely(kysely, condition))

  const drizzle = drizzlePg(pool)
  agrees('byDrizzle', postgres, (condition) => recipes.byDrizzle(drizzle, condition))
  describe('through postgres.js', () => {
    // Drizzle changes the client that it is given.
    const own = postgresJs(POSTGRES_URL ?? '', options)
    afterAll(() => own.end())
    const drizzle = recipes.drizzleOverPostgresJs(own)
    agrees('drizzleOverPostgresJs', postgres, (condition) => recipes.byDrizzle(drizzle, condition))
  })
})

const modes = {
  'as it is set up': "''",
  'with names in double quotes': "'ANSI_QUOTES'",
  'without backslash escapes': "'NO_BACKSLASH_ESCAPES'",
}
const servers = [
  { server: 'MariaDB', url: MARIADB_URL, dialect: mariadb, third: 'utf8mb4_unicode_ci' },
  { server: 'MySQL', url: MYSQL_URL, dialect: mysql, third: 'utf8mb4_0900_ai_ci' },
].flatMap(({ server, url, dialect, third }) =>
  url === undefined
    ? []
    : Object.entries(modes).flatMap(([set, mode]) =>
        ['utf8mb4_general_ci', 'utf8mb4_bin', third].map((collation) => ({
          ...{ server, url, dialect, set, mode, collation },
        })),
      ),
)
describe.each(servers)('$server, $set, connected in $collation', ({ url, dialect, mode, collation }) => {
  let viaMariadb: Connection
  let viaMysql2: mysql2.Connection
  beforeAll(async () => {
    viaMariadb = await mariadbDriver.createConnection(url)
    // mysql2 has other options.
    viaMysql2 = await mysql2.createConnection(url.replace('mariadb:', 'mysql:').replace(/\?.*/, ''))
    await viaMariadb.query(`CREATE DATABASE ${own} CHARACTER SET utf8mb4`)
    for (const statement of [
      `USE ${own}`,
      `SET NAMES utf8mb4 COLLATE ${collation}`,
      `SET sql_mode = CONCAT(@@sql_mode, ',', ${mode})`,
    ]) {
      await viaMariadb.query(statement)
      await viaMysql2.query(statement)
    }
    for (const statement of statementsOf(inMariadb)) await viaMariadb.query(statement)
  })
  afterAll(async () => {
    await viaMariadb.query(`DROP DATABASE IF EXISTS ${own}`)
    await viaMariadb.end()
    await viaMysql2.end()
  })
  agrees('byMariadb', dialect, (condition) => recipes.byMariadb(viaMariadb, condition))
  agrees('byMysql2', dialect, (condition) => recipes.byMysql2(viaMysql2, condition))
  describe('prepared', () => {
    agrees('byMariadb', dialect, ({ text, parameters }) =>
      viaMariadb.execute(`SELECT * FROM orders WHERE ${text}`, parameters),
    )
  })
  describe.runIf(!mode.includes('BACKSLASH'))('in one text', () => {
    agrees('byMysql2', dialect, async ({ text, parameters }) => {
      const [rows] = await viaMysql2.query(`SELECT * FROM orders WHERE ${text}`, parameters)
      return rows
    })
  })

  // Why the page says execute(): when this fails, mysql2 has learnt better, and the page may say so.
  test.runIf(mode.includes('BACKSLASH'))('mysql2: query() lets a text out of its place', async () => {
    const { text, parameters } = sqlBackend({ dialect, table: mapped }).compile(
      parseFilterOrThrow(schema, `customerName=${encodeURIComponent("' OR 1=1 -- ")}`),
    )
    const statement = `SELECT * FROM orders WHERE ${text}`
    expect(await viaMysql2.execute(statement, parameters)).toMatchObject([[], {}])
    const escaped = viaMysql2.format(statement, parameters)
    expect(escaped).toContain("\\' OR 1=1 -- ")
    await expect(viaMysql2.query(statement, parameters)).rejects.toThrow(/SQL syntax/)
  })
})
