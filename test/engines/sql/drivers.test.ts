/** Every recipe of docs/guides/sql-drivers.md runs as it is written there: it selects what memory selects, and pages as said. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import type { PGliteOptions } from '@electric-sql/pglite'
import Database, { type Database as BetterSqlite3 } from 'better-sqlite3'
import { drizzle as drizzleBetterSqlite3 } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import type { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js'
import { drizzle as drizzleMysql2 } from 'drizzle-orm/mysql2'
import * as inDrizzlePg from 'drizzle-orm/pg-core'
import * as inDrizzleMysql from 'drizzle-orm/mysql-core'
import * as inDrizzleSqlite from 'drizzle-orm/sqlite-core'
import makeKnex from 'knex'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import mariadbDriver, { type Connection, type ConnectionConfig } from 'mariadb'
import mysql2 from 'mysql2/promise'
import pg from 'pg'
import postgresJs from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import {
  childTable,
  column,
  duckdb,
  jsonColumn,
  mariadb,
  mysql,
  postgres,
  simpleLowerCase,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
  type SqlBackend,
  type SqlCondition,
  type SqlPiece,
  type SqlQuery,
  type SqlWhere,
} from '../../../src/backends/sql/index.ts'
import { sqlRows, type BackendRows, type SqlRun } from '../../../src/service/index.ts'
import { toDrizzle } from '../../../src/tools/drizzle/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toPage,
  type InferRow,
  type Page,
  type Query,
} from '../../../src/index.ts'
import { duckdbColumns } from './duckdb.ts'
import { postgresColumns, sqliteColumns, type Engine } from './engines.ts'
import { newPglite } from './pglite.ts'
import { loadRecipes, names, page } from './recipes.ts'

// East of Greenwich, where a local midnight is on the day before in UTC.
process.env.TZ = 'Asia/Tokyo'
test('the zone of the tests is taken', () =>
  expect(new Date(2024, 0, 1).toISOString()).toBe('2023-12-31T15:00:00.000Z'))

/** Before the recipes set another. */
const dateParser = pg.types.getTypeParser(pg.types.builtins.DATE, 'text') as (text: string) => unknown

// --- The recipes: the code of the page, in a module of its own.

type Recipe = (connection: any) => SqlRun
interface Found {
  readonly id?: unknown
}
type Read = (connection: any, query: SqlQuery) => Promise<Page<Found>> | Page<Found>
type Within = <T>(select: () => T) => T
type Driver =
  | 'NodeSqlite'
  | 'PreparedSqlite'
  | 'BetterSqlite3'
  | 'Pglite'
  | 'Duckdb'
  | 'Pg'
  | 'PreparedPg'
  | 'PostgresJs'
  | 'Mariadb'
  | 'Mysql2'
  | 'Kysely'
  | 'Drizzle'
  | 'Knex'
  | 'KnexOnPostgres'
type WithParts = 'Pg' | 'Kysely' | 'Knex'
interface Recipes extends Readonly<Record<`by${Driver}`, Recipe> & Record<`pageBy${WithParts}`, Read>> {
  readonly columns: string
  readonly rowsOf: (backend: SqlBackend, pool: pg.Pool) => BackendRows
  readonly inUtc: (text: string) => string
  readonly pgliteOptions: PGliteOptions
  readonly postgresJsOptions: object
  readonly mysql2Options: mysql2.ConnectionOptions
  readonly mariadbOptions: ConnectionConfig
  readonly limitTime: (database: unknown, milliseconds: number) => Within
  readonly byNodeSqliteInTime: (within: Within, connection: DatabaseSync, condition: SqlWhere) => unknown
  readonly pageByNodeSqliteInTime: (within: Within, ...given: Parameters<Read>) => ReturnType<Read>
  readonly timeouts: Readonly<Record<'pg' | 'postgresJs' | 'mariadb' | 'mariadbOnMysql', object>>
  readonly limitTimeOfMysql2: (pool: mysql2.Pool, text?: string) => void
  readonly drizzleOverPostgresJs: typeof drizzlePostgresJs<Record<string, never>, postgresJs.Sql>
}
const root = join(import.meta.dirname, '../../..')
const recipes = await loadRecipes<Recipes>(import.meta.dirname)

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as {
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
  }

/** Recipes that this file runs, on a server only where there is one. */
const enrolled = new Set<string>()
test('every recipe is run', () => {
  const needsServer = (name: string) => servers.length === 0 && /(?:Mariadb|Mysql2)$/.test(name)
  // test/prisma runs the recipe of Prisma.
  const recipes = names.filter((name) => /^(?:by(?!Prisma)|pageBy|drizzleOver)/.test(name))
  expect(recipes.filter((name) => !enrolled.has(name) && !needsServer(name))).toEqual([])
})

test('the table has the versions that are tried', async () => {
  const [, table] = /<!-- table: drivers -->\n\n.*\n.*\n((?:\|.*\n)*)/.exec(page)!
  const versions = Array.from(table!.matchAll(/^\| (\S+) +\| (?:Node )?(\S+)/gm), ([, name, version]) => [
    name,
    version,
  ])
  const packages = {
    'node:sqlite': 'node',
    PGlite: '@electric-sql/pglite',
    DuckDB: '@duckdb/node-api',
    'postgres.js': 'postgres',
  }
  const installed = async (name: string) => {
    if (name === 'Prisma') {
      const { dependencies } = await manifestOf('test/prisma')
      return dependencies['@prisma/client']!
    }
    const folder = packages[name as keyof typeof packages] ?? (name === 'Drizzle' ? 'drizzle-orm' : name.toLowerCase())
    return (await manifestOf(`node_modules/${folder}`)).version
  }
  const tried = versions.map(async ([name]) => [name, /^\d+\.\d+/.exec(await installed(name!))![0]])
  expect(versions).toEqual(await Promise.all(tried))
  expect(versions.length).toBe(12)
})

// --- What is stored, and what is asked.

const schema = defineSchema({
  id: field.integer(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  deposit: field.number(),
  guests: field.integer(),
  gift: field.boolean(),
  arrival: field.date(),
  paidAt: field.datetime({ digits: 3 }),
  tags: field.list(field.string()),
  items: field.list(field.object({ arrival: field.date(), product: field.string(), price: field.number() })),
})
type Row = InferRow<typeof schema> & { readonly id: number }
const mappedTo = ({ exactType }: Declared) =>
  table('orders', {
    schema,
    key: 'id',
    columns: {
      deposit: column<string>('deposit', { type: exactType }),
      customerName: 'customer_name',
      paidAt: 'paid_at',
      tags: jsonColumn('tags'),
      items: childTable('order_items', {
        ...{ foreignKey: 'order_id', orderBy: ['arrival', 'product_code'] },
        columns: { product: 'product_code' },
      }),
    },
  })
const rows: readonly Row[] = [
  {
    id: 1,
    customerName: 'Åse',
    status: 'paid',
    total: 1.5,
    deposit: 12.5,
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
    deposit: 100,
    guests: 2,
    gift: false,
    arrival: '2024-03-01',
    paidAt: '2024-03-01T00:00:00.000Z',
    tags: ['Sea', null],
    items: [{ arrival: '2024-03-02', product: 'SURFboard', price: 12.5 }],
  },
  {
    id: 3,
    customerName: '100% ??',
    status: 'new',
    total: -3,
    deposit: 12.5,
    guests: 9_007_199_254_740_991,
    arrival: '2023-12-31',
    tags: [],
    items: [],
  },
  { id: 4 },
]
const split = (text: string) => text.trim().split(/\s+/)
const queries = {
  'a list operator': split(`
    customerName[in]=%C3%85se,x status[in]=paid,held guests[in]=1,3,9007199254740991 deposit[in]=12.5,3 total[in]=1.5,1e21
    arrival[in]=2024-03-01,2024-02-29 paidAt[in]=2024-03-01T00:00:00Z tags[in]=sea,x
    customerName[nin]=%C3%85se,x guests[nin]=1,2 arrival[nin]=2024-03-01 tags[nin]=sea,x`),
  'a text match': split(`customerName[startsWith]=%C3%85S customerName[contains]=0%25%20? customerName[endsWith]=%20
    items.product[contains]=SURF`),
  'a date': split(`arrival=2024-02-29 arrival[gte]=2024-02-29 arrival[range]=2024-02-29,2024-02-29 paidAt=2024-02-29
    paidAt[gt]=2024-02-29T23:59:59.999Z`),
  'a same-entry list': split(`items.arrival[gte]=2024-03-01&items.product[contains]=surf
    items.price[gt]=1&items.price[lt]=20`),
  'a complement': split(`customerName[notEqual]=%C3%85se customerName[doesNotContain]=s status[notEqual]=paid
    gift[notEqual]=true items.product[notEqual]=Kayak items.product[doesNotContain]=surf`),
  'numbers, booleans, presence': split(`total[range]=-5,1e300 total[lt]=1e300 gift=true
    items[exists]=false&arrival[exists]=true`),
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

interface Declared extends Readonly<Record<keyof Engine['declared'], string>> {
  /** The type of the mapping for exact numbers. */
  readonly exactType: string
  readonly whole: string
  readonly exact: string
  readonly options?: string
  readonly datetimes?: (text: string) => string
}
const inSqlite: Declared = { ...sqliteColumns, exactType: 'real', whole: 'INTEGER', exact: 'REAL', options: ' STRICT' }
const inPostgres: Declared = { ...postgresColumns, exactType: 'numeric', whole: 'bigint', exact: 'numeric(12, 2)' }
const inDuckdb: Declared = { ...duckdbColumns, exactType: 'double precision', whole: 'BIGINT', exact: 'DOUBLE' }
const inMariadb: Declared = {
  ...{ string: 'varchar(99)', integer: 'bigint', number: 'double', boolean: 'boolean' },
  ...{ date: 'date', datetime: 'datetime(3)', time: 'time(6)', json: 'json' },
  ...{ uuid: 'char(36)', bigint: 'bigint', decimal: 'decimal(65, 30)' },
  ...{ exactType: 'decimal', whole: 'bigint', exact: 'decimal(12, 2)', options: ' CHARACTER SET utf8mb4' },
  datetimes: (text) => text.slice(0, -1).replace('T', ' '),
}
function statementsOf(declared: Declared): string[] {
  const { string: text, whole, number, exact, boolean, date, datetime, json, options = '', datetimes } = declared
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
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_name ${text}, status ${text}, total ${number},
      deposit ${exact}, guests ${whole}, gift ${boolean}, arrival ${date}, paid_at ${datetime}, tags ${json})${options}`,
    `CREATE TABLE order_items (order_id INTEGER, arrival ${date}, product_code ${text}, price ${number})${options}`,
    insert(
      'orders',
      rows.map(({ id, customerName, status, total, deposit, guests, gift, arrival, paidAt, tags }) => [
        ...[id, customerName, status, total, deposit, guests, gift, arrival],
        ...[moment(paidAt), tags],
      ]),
    ),
    insert(
      'order_items',
      rows.flatMap(({ id, items }) => (items ?? []).map((item) => [id, item!.arrival, item!.product, item!.price])),
    ),
  ]
}

/** A dialect, and the table as its engine declares it. */
interface Stored {
  readonly dialect: Dialect
  readonly declared: Declared
}
const backendOf = ({ dialect, declared }: Stored) => sqlBackend({ dialect, table: mappedTo(declared) })

/** A statement of a text before a piece. */
function after(text: string, { text: rest, parameters, strings: [first, ...others] }: SqlPiece): SqlPiece {
  const strings = [text + first!, ...others]
  return { text: text + rest, parameters, strings: Object.assign(strings, { raw: strings }) }
}

/** One test for each kind of query. */
function agrees(recipe: string, stored: Stored, select: (condition: SqlCondition) => unknown): void {
  enrolled.add(recipe)
  const { compile } = backendOf(stored)
  test.each(Object.entries({ ...queries, 'hostile texts': hostile }))(`${recipe}: %s`, async (_, queries) => {
    for (const query of queries) {
      const found = (await select(compile(parseFilterOrThrow(schema, query)))) as readonly { readonly id: unknown }[]
      expect(found.map(({ id }) => Number(id)).sort(), query).toEqual(selectedInMemory(query))
    }
  })
}

const collection = defineCollection(schema, { key: 'id', sort: true, offset: { max: 9 } })
/** The rows by each sort, by hand: no value first, capitals before small letters, and the id where rows are equal. */
const orders = {
  id: [1, 2, 3, 4],
  customerName: [4, 3, 1, 2],
  '-customerName': [2, 1, 3, 4],
  total: [4, 3, 1, 2],
  deposit: [4, 1, 3, 2],
  '-deposit': [2, 3, 1, 4],
  guests: [4, 1, 2, 3],
  '-guests': [3, 2, 1, 4],
  gift: [3, 4, 2, 1],
  '-gift': [1, 2, 4, 3],
  arrival: [4, 3, 1, 2],
  '-arrival': [2, 1, 3, 4],
  paidAt: [3, 4, 1, 2],
  '-paidAt': [2, 1, 4, 3],
  'deposit,-guests': [4, 3, 1, 2],
}

/** Two pages by each sort, and back to the first; what a value of the driver points to is what the next page begins after. */
function pages(recipe: string, stored: Stored, read: (query: SqlQuery) => ReturnType<Read>): void {
  enrolled.add(recipe)
  const { compileQuery } = backendOf(stored)
  const pageAt = async (text: string, cursor?: string) => {
    const query = parseQueryOrThrow(collection, `${text}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    const { rows, next, previous } = await read(compileQuery(query))
    return { ids: rows.map(({ id }) => Number(id)), next, previous }
  }
  /** The cursor after a row, out of the values in memory. */
  const cursorAfter = (text: string, id: number) =>
    toPage(parseQueryOrThrow(collection, `${text}&limit=1`), [rows[id - 1], { id: 9 }]).next
  test.each(Object.entries(orders))(`${recipe}: pages by %s`, async (sort, ids) => {
    const first = await pageAt(`sort=${sort}&limit=2`)
    expect(first).toMatchObject({
      ids: ids.slice(0, 2),
      next: cursorAfter(`sort=${sort}`, ids[1]!),
      previous: undefined,
    })
    const second = await pageAt(`sort=${sort}&limit=2`, first.next)
    expect(second).toMatchObject({ ids: ids.slice(2), next: undefined })
    expect((await pageAt(`sort=${sort}&limit=2`, second.previous)).ids).toEqual(ids.slice(0, 2))
    expect(await pageAt(`sort=${sort}&limit=2&offset=1`)).toMatchObject({
      ids: ids.slice(1, 3),
      next: cursorAfter(`sort=${sort}`, ids[2]!),
    })
    expect((await pageAt(`sort=${sort}&limit=1`)).next).toBe(cursorAfter(`sort=${sort}`, ids[0]!))
  })
  test(`${recipe}: pages of a filter`, async () => {
    // Rows 1 and 2 have these items; of them, row 2 has the later day.
    const text = `items.arrival=2024-03-02&customerName[nin]=${encodeURIComponent("' OR 1=1 --,?")}&sort=-arrival&limit=1`
    const first = await pageAt(text)
    expect(first.ids).toEqual([2])
    expect((await pageAt(text, first.next)).ids).toEqual([1])
  })
}

/** The form of the schema: what memory has, a null for each field without a value, and lists in child tables. */
const inForm = (row: Row) => {
  const nulls = Object.fromEntries(Object.keys(schema.fields).map((name) => [name, null]))
  return { ...nulls, items: [], ...row }
}

const counted = defineCollection(schema, { key: 'id', sort: true, count: true, facets: ['status', 'tags'] })

/** The recipe of a section on each form of a statement, over a connection that may still have to be made. */
function section(driver: Driver, stored: Stored, connection: () => unknown): void {
  const recipe = `by${driver}` as const
  const of: SqlRun = (text, parameters) => recipes[recipe](connection())(text, parameters)
  const run = async ({ text, parameters }: SqlPiece) => (await of(text, parameters)) as readonly Found[]
  agrees(recipe, stored, (condition) => run(after('SELECT * FROM orders WHERE ', condition)))
  const backend = backendOf(stored)
  const { select } = backend
  test(`${recipe}: the page, the count and the facets`, async () => {
    const query = parseQueryOrThrow(counted, 'gift[exists]=true&sort=-total&limit=1&count=true&facets=status,tags')
    const { page, count, facets } = await sqlRows(backend, of).read(query, {})
    expect([page.rows, count]).toEqual([[inForm(rows[1]!)], 2])
    expect(facets).toEqual({
      status: [
        { value: 'held', count: 1 },
        { value: 'paid', count: 1 },
      ],
      tags: [
        { value: 'Sea', count: 1 },
        { value: 'family', count: 1 },
        { value: 'sea', count: 1 },
      ],
    })
  })
  test.each(Object.entries(orders))(`${recipe}: whole statements by %s`, async (sort, ids) => {
    const expected = ids.map((id) => JSON.stringify(inForm(rows[id - 1]!)))
    const statement = (text: string) => select(parseQueryOrThrow(collection, `sort=${sort}&limit=2${text}`))
    const first = statement('').page(await run(statement('')))
    expect(first.rows.map((row) => JSON.stringify(row))).toEqual(expected.slice(0, 2))
    const next = statement(`&cursor=${first.next}`)
    const second = next.page(await run(next))
    expect(second.rows.map((row) => JSON.stringify(row))).toEqual(expected.slice(2))
    expect(second.next).toBeUndefined()
    const back = statement(`&cursor=${second.previous}`)
    expect(back.page(await run(back)).rows).toEqual(first.rows)
  })
  test.each(Object.entries(queries))(`${recipe}: counts %s`, async (_, queries) => {
    for (const query of queries) {
      const { count } = select(parseQueryOrThrow(collection, query))
      expect(count.read((await run(count))[0]), query).toBe(selectedInMemory(query).length)
    }
  })
  pages(recipe, stored, async (query) => query.page(await run(after(`SELECT ${recipes.columns} FROM orders `, query))))
}

/** The recipe of a section for the parts of a query. */
function parts(driver: WithParts, stored: Stored, connection: () => unknown): void {
  pages(`pageBy${driver}`, stored, (query) => recipes[`pageBy${driver}`](connection(), query))
}

/** Drizzle's own tables and builder. */
function byTypedDrizzle(stored: Stored, select: (condition: SqlPiece) => any): void {
  agrees('toDrizzle', stored, select)
  pages('toDrizzle', stored, async ({ where, orderBy, limit, offset, page }) => {
    const ordered = select(where).orderBy(toDrizzle(orderBy))
    return page((await ordered.limit(limit + 1).offset(offset)) as Found[])
  })
}

/** What a driver returns by itself, in the words of the table of the page. */
function returns(driver: string, select: (text: string) => unknown): void {
  test(`${driver}: returns what the page says`, async () => {
    const { paidAt, arrival } = rows[0]!
    const word = (value: unknown): string => {
      if (value instanceof Date) {
        const utc = [paidAt!, `${arrival}T00:00:00.000Z`]
        return utc.includes(value.toISOString()) ? '`Date`' : '`Date` in local time'
      }
      return typeof value === 'string' ? 'text' : typeof value === 'object' ? 'parsed' : typeof value
    }
    const [row] = (await select('SELECT * FROM orders WHERE id = 1')) as Record<string, unknown>[]
    const { guests, deposit, gift, arrival: day, paid_at: moment, tags } = row!
    const [, ...cells] = new RegExp(`^\\| ${driver} +${'\\| (.*?) *'.repeat(6)}\\|$`, 'm').exec(page)!
    const of = (cell: string, value: unknown) => (cell === '0 or 1' ? value === 1 && cell : word(value))
    expect(
      [guests, deposit, gift, day, moment, tags].map((value, at) => (cells[at] === '' ? '' : of(cells[at]!, value))),
    ).toEqual(cells)
  })
}

const kinds = {
  schema: defineSchema({ id: field.string(), ms: field.datetime(), local: field.datetime({ digits: 3 }) }),
  rows: [
    { id: '10', ms: '0001-01-01T00:00:00.000Z', local: '2024-03-01T00:00:00.000Z' },
    { id: '9', ms: '2024-02-29T23:59:59.999Z', local: '2024-02-29T16:00:00.000Z' },
    { id: '9007199254740993', ms: '1969-12-31T23:59:59.999Z', local: '2024-02-29T15:00:00.000Z' },
  ],
}
const kindsCollection = defineCollection(kinds.schema, { key: 'id', sort: true })
/** Pages by integers that are texts or moments, and by times without a zone, with the settings of the page. */
function pagesOfKinds(
  { dialect, declared }: Stored,
  local: string | undefined,
  run: (text: string) => unknown,
  select: (query: SqlPiece) => unknown,
): void {
  test.each(['id', '-id', 'ms', '-ms', 'local', '-local'])('pages of bigints and local times by %s', async (sort) => {
    await run('DROP TABLE IF EXISTS kinds')
    await run(
      `CREATE TABLE kinds (id ${declared.whole} PRIMARY KEY, ms ${declared.whole}, local ${local === undefined ? declared.datetime : local})`,
    )
    const moment = (text: string) => (declared.datetimes ?? ((same) => same))(text)
    const values = kinds.rows.map(({ id, ms, local }) => `(${id}, ${Date.parse(ms)}, '${moment(local)}')`)
    await run(`INSERT INTO kinds VALUES ${values.join()}`)
    const columns = {
      id: column<string>('id', { type: 'bigintText', notNull: true }),
      ms: column<string>('ms', { type: 'epochMs' }),
      local: column<string>('local', local === undefined ? {} : { type: local }),
    }
    const { compileQuery } = sqlBackend({
      dialect,
      table: table('kinds', { schema: kinds.schema, key: 'id', columns }),
    })
    const walk = async (pageOf: (query: Query) => Promise<Page<{ id: unknown }>>) => {
      const pages = { ids: [] as string[], cursors: [] as (string | undefined)[] }
      let cursor: string | undefined
      do {
        const more = cursor === undefined ? '' : `&cursor=${cursor}`
        const page = await pageOf(parseQueryOrThrow(kindsCollection, `sort=${sort}&limit=1${more}`))
        for (const { id } of page.rows) pages.ids.push(String(id))
        pages.cursors.push((cursor = page.next))
      } while (cursor !== undefined && pages.ids.length <= kinds.rows.length)
      return pages
    }
    const read = await walk(async (query) => {
      const compiled = compileQuery(query)
      return compiled.page((await select(compiled)) as { id: unknown }[])
    })
    const inMemory = async (query: Query) =>
      Promise.resolve(toPage(query, memoryBackend().compileQuery(query)(kinds.rows).rows as readonly { id: unknown }[]))
    expect(read).toEqual(await walk(inMemory))
    expect(new Set(read.ids).size).toBe(kinds.rows.length)
    await run('DROP TABLE kinds')
  })
}

const inPgTable = inDrizzlePg.pgTable('orders', {
  id: inDrizzlePg.integer(),
  customerName: inDrizzlePg.text('customer_name'),
  total: inDrizzlePg.doublePrecision(),
  deposit: inDrizzlePg.numeric(),
  guests: inDrizzlePg.bigint({ mode: 'number' }),
  gift: inDrizzlePg.boolean(),
  arrival: inDrizzlePg.date(),
  paidAt: inDrizzlePg.timestamp('paid_at', { withTimezone: true }),
})
const onSqlite: Stored = { dialect: { ...sqlite, lower: 'urlwhere_lower' }, declared: inSqlite }
const onPostgres: Stored = { dialect: postgres, declared: inPostgres }
const onDuckdb: Stored = { dialect: duckdb, declared: inDuckdb }

/** A statement that never ends of itself, one that does at once, and what an engine says of the first when it ends it. */
async function endsInTime(select: (text: string) => unknown, message: RegExp, endless: string): Promise<void> {
  const start = performance.now()
  await expect((async () => select(endless))()).rejects.toThrow(message)
  expect(performance.now() - start).toBeLessThan(10_000)
  await select('SELECT 1')
}
const endless = {
  sqlite:
    'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n WHERE in_time() AND x < 0',
  postgres: 'SELECT pg_sleep(60)',
  duckdb: 'SELECT count(*) FROM range(1e12::BIGINT) a (n) WHERE n % 7 = 8',
  mysql: `SELECT count(*) FROM ${['a', 'b', 'c', 'd'].map((name) => `information_schema.columns ${name}`).join()}`,
}
/** A year that `Date` reads as another where the text is not that of ISO 8601. */
const early = `SELECT '0001-01-01 00:00Z'::timestamptz AS moment, '0001-01-01 00:00'::timestamp AS local`
const readsEarly = (driver: string, select: () => unknown, moment: unknown, local: unknown) =>
  test(`${driver} reads the year 0001 as ${String(local)}`, async () => {
    expect([...((await select()) as Iterable<unknown>)]).toEqual([{ moment, local }])
  })
const [isoYear1, date1, date2001] = [
  '0001-01-01T00:00:00Z',
  new Date('0001-01-01T00:00:00Z'),
  new Date('2001-01-01T00:00:00Z'),
]
/** The options of the page with 200 ms for five seconds. */
const shorter = (options: object) => JSON.parse(JSON.stringify(options).replace('5000', '200')) as object

describe('node:sqlite', () => {
  const database = new DatabaseSync(':memory:')
  beforeAll(() => {
    database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
    for (const statement of statementsOf(inSqlite)) database.exec(statement)
  })
  afterAll(() => database.close())
  section('NodeSqlite', onSqlite, () => database)
  section('PreparedSqlite', onSqlite, () => database)
  returns('node:sqlite', (text) => database.prepare(text).all())
  pagesOfKinds(
    onSqlite,
    undefined,
    (text) => database.exec(text),
    ({ text, parameters }) => {
      const statement = database.prepare(`SELECT * FROM kinds ${text}`)
      statement.setReadBigInts(true)
      return statement.all(...parameters)
    },
  )

  describe('with a statement timeout', () => {
    const within = recipes.limitTime(database, 200)
    agrees('byNodeSqliteInTime', onSqlite, (condition) => recipes.byNodeSqliteInTime(within, database, condition))
    pages('pageByNodeSqliteInTime', onSqlite, (query) => recipes.pageByNodeSqliteInTime(within, database, query))
    test('a statement ends in time', () =>
      endsInTime((text) => within(() => database.prepare(text).all()), /^statement timeout$/, endless.sqlite))
    test('the time of the next statement is its own', async () => {
      await new Promise((resolve) => setTimeout(resolve, 250))
      const statement = database.prepare('SELECT in_time() AS it')
      expect(statement.get()).toEqual({ it: 1 })
      expect(within(() => statement.get())).toEqual({ it: 1 })
    })
  })
})

describe('better-sqlite3', () => {
  const fill = (database: BetterSqlite3) => {
    database.function('urlwhere_lower', { deterministic: true }, (text) => simpleLowerCase(text as string))
    for (const statement of statementsOf(inSqlite)) database.exec(statement)
  }
  const database = new Database(':memory:')
  beforeAll(() => fill(database))
  afterAll(() => database.close())
  section('BetterSqlite3', onSqlite, () => database)
  returns('better-sqlite3', (text) => database.prepare(text).all())
  pagesOfKinds(
    onSqlite,
    undefined,
    (text) => database.exec(text),
    ({ text, parameters }) =>
      database
        .prepare(`SELECT * FROM kinds ${text}`)
        .safeIntegers()
        .all(...parameters),
  )
  // Why the page says so: when it fails, the driver has learnt better.
  test('a bigint from 2^53 on is rounded, and one of node:sqlite is an error', () => {
    const text = 'SELECT 9007199254740993 AS it'
    expect(database.prepare(text).get()).toEqual({ it: 2 ** 53 })
    expect(() => new DatabaseSync(':memory:').prepare(text).get()).toThrow(/too large/)
  })
  test('a statement ends in time', () => {
    const within = recipes.limitTime(database, 200)
    return endsInTime((text) => within(() => database.prepare(text).all()), /^statement timeout$/, endless.sqlite)
  })

  const kysely = new Kysely({ dialect: new SqliteDialect({ database }) })
  section('Kysely', onSqlite, () => kysely)
  parts('Kysely', onSqlite, () => kysely)

  const drizzle = drizzleBetterSqlite3(database)
  const inTable = inDrizzleSqlite.sqliteTable('orders', {
    id: inDrizzleSqlite.integer(),
    customerName: inDrizzleSqlite.text('customer_name'),
    total: inDrizzleSqlite.real(),
    deposit: inDrizzleSqlite.real(),
    guests: inDrizzleSqlite.integer(),
    gift: inDrizzleSqlite.integer({ mode: 'boolean' }),
    arrival: inDrizzleSqlite.text(),
    paidAt: inDrizzleSqlite.text('paid_at'),
  })
  byTypedDrizzle(onSqlite, (condition) => drizzle.select().from(inTable).where(toDrizzle(condition)))

  const knex = makeKnex({
    client: 'better-sqlite3',
    connection: ':memory:',
    useNullAsDefault: true,
    pool: {
      afterCreate: (database: BetterSqlite3, done: () => void) => {
        fill(database)
        done()
      },
    },
  })
  afterAll(() => knex.destroy())
  section('Knex', onSqlite, () => knex)
  parts('Knex', onSqlite, () => knex)
})

describe('PGlite', async () => {
  const database = await newPglite()
  beforeAll(async () => {
    for (const statement of statementsOf(inPostgres)) await database.exec(statement)
  })
  afterAll(() => database.close())
  section('Pglite', onPostgres, () => database)
  returns('PGlite', async (text) => (await database.query(text)).rows)
  describe('with the options of the page', async () => {
    const database = await newPglite(recipes.pgliteOptions)
    afterAll(() => database.close())
    pagesOfKinds(
      onPostgres,
      'timestamp',
      (text) => database.exec(text),
      async ({ text, parameters }) => (await database.query(`SELECT * FROM kinds ${text}`, parameters)).rows,
    )
    readsEarly('PGlite', async () => (await database.query(early)).rows, isoYear1, isoYear1)
  })
  // Why the page sets parsers: when this fails, PGlite has learnt better, and the page may say so.
  readsEarly('by itself it', async () => (await database.query(early)).rows, date2001, new Date(2001, 0, 1))

  // Why the page says that it has none: when this fails, PGlite has learnt better, and the page may say so.
  test('a statement timeout does nothing', async () => {
    await database.exec('SET statement_timeout = 20')
    await database.query('SELECT pg_sleep(0.2)')
    await database.exec('RESET statement_timeout')
  })

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
  section('Kysely', onPostgres, () => kysely)
  parts('Kysely', onPostgres, () => kysely)

  const drizzle = drizzlePglite(database)
  section('Drizzle', onPostgres, () => drizzle)
  byTypedDrizzle(onPostgres, (condition) => drizzle.select().from(inPgTable).where(toDrizzle(condition)))
})

describe('DuckDB', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  beforeAll(async () => {
    for (const statement of statementsOf(inDuckdb)) await connection.run(statement)
  })
  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })
  section('Duckdb', onDuckdb, () => connection)
  returns('DuckDB', async (text) => (await connection.runAndReadAll(text)).getRowObjectsJS())
  test('a statement ends in time', async () => {
    const timer = setTimeout(() => connection.interrupt(), 200)
    await endsInTime(async (text) => connection.run(text), /INTERRUPT/, endless.duckdb)
    clearTimeout(timer)
  })
})

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
/** A schema of PostgreSQL, a database of MariaDB and of MySQL: tables have the names that the page gives them. */
const own = `drivers_${Math.random().toString(36).slice(2)}`

describe.runIf(POSTGRES_URL)('PostgreSQL', () => {
  const connectionString = POSTGRES_URL ?? ''
  const pool = new pg.Pool({ connectionString, max: 2, options: `-c search_path=${own}` })
  const options = { max: 1, connection: { search_path: own } }
  const client = postgresJs(connectionString, options)
  beforeAll(async () => {
    await pool.query(`CREATE SCHEMA ${own}`)
    for (const statement of statementsOf(inPostgres)) await pool.query(statement)
  })
  afterAll(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${own} CASCADE`)
    await pool.end()
    await client.end()
  })
  section('Pg', onPostgres, () => pool)
  parts('Pg', onPostgres, () => pool)
  test('the rows of the page', async () => {
    const { page } = await recipes
      .rowsOf(backendOf(onPostgres), pool)
      .read(parseQueryOrThrow(collection, 'limit=9'), {})
    expect(page.rows).toEqual(rows.map(inForm))
  })
  describe('pg', () => {
    const byItself = new pg.Pool({
      connectionString,
      options: pool.options.options,
      types: {
        getTypeParser: (type: number) => (type === pg.types.builtins.DATE ? dateParser : pg.types.getTypeParser(type)),
      } as never,
    })
    afterAll(() => byItself.end())
    returns('pg', async (text) => (await byItself.query(text)).rows)
    pagesOfKinds(
      onPostgres,
      'timestamp',
      (text) => pool.query(text),
      async ({ text, parameters }) => (await pool.query(`SELECT * FROM kinds ${text}`, parameters)).rows,
    )
    readsEarly('pg', async () => (await pool.query(early)).rows, date1, isoYear1)
  })
  section('PreparedPg', onPostgres, () => pool)
  section('PostgresJs', onPostgres, () => client)
  returns('postgres.js', (text) => client.unsafe(text))
  describe('postgres.js with the options of the page', () => {
    const { connection, ...others } = recipes.postgresJsOptions as { connection: object }
    const client = postgresJs(connectionString, {
      ...others,
      max: 1,
      onnotice: () => {},
      connection: { ...connection, search_path: own },
    })
    afterAll(() => client.end())
    section('PostgresJs', onPostgres, () => client)
    pagesOfKinds(
      onPostgres,
      'timestamp',
      (text) => client.unsafe(text),
      ({ strings, parameters }) => client`SELECT * FROM kinds ${(client as any)(strings, ...parameters)}`,
    )
    readsEarly('postgres.js', () => client.unsafe(early), isoYear1, isoYear1)
  })
  readsEarly('postgres.js by itself', () => client.unsafe(early), date2001, new Date(2001, 0, 1))

  test('a statement ends in time', async () => {
    const message = /canceling statement due to statement timeout/
    const viaPg = new pg.Pool({ connectionString, ...shorter(recipes.timeouts.pg) })
    await endsInTime((text) => viaPg.query(text), message, endless.postgres)
    await viaPg.end()
    const viaPostgresJs = postgresJs(connectionString, shorter(recipes.timeouts.postgresJs))
    await endsInTime((text) => viaPostgresJs.unsafe(text), message, endless.postgres)
    await viaPostgresJs.end()
    const viaKnex = makeKnex({ client: 'pg', connection: connectionString })
    const asleep = viaKnex.select('*').from(viaKnex.raw(`(${endless.postgres}) asleep`))
    await expect(asleep.timeout(200, { cancel: true })).rejects.toThrow(/query timeout of 200ms exceeded/)
    await viaKnex.destroy()
  })

  const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
  section('Kysely', onPostgres, () => kysely)
  parts('Kysely', onPostgres, () => kysely)

  const drizzle = drizzlePg(pool)
  section('Drizzle', onPostgres, () => drizzle)
  byTypedDrizzle(onPostgres, (condition) => drizzle.select().from(inPgTable).where(toDrizzle(condition)))

  const knex = makeKnex({ client: 'pg', connection: { connectionString, options: `-c search_path=${own}` } })
  afterAll(() => knex.destroy())
  section('KnexOnPostgres', onPostgres, () => knex)
  parts('Knex', onPostgres, () => knex)
  describe('through postgres.js', () => {
    // Drizzle changes the client that it is given.
    const own = postgresJs(connectionString, options)
    afterAll(() => own.end())
    const drizzle = recipes.drizzleOverPostgresJs(own)
    enrolled.add('drizzleOverPostgresJs')
    section('PostgresJs', onPostgres, () => drizzle.$client)
    byTypedDrizzle(onPostgres, (condition) => drizzle.select().from(inPgTable).where(toDrizzle(condition)))
  })

  // Why the page sets a parser: when this fails, pg has learnt better, and the page may say so.
  test('pg: by itself it gives local midnights, and a cursor points to the day before', async () => {
    const types = {
      getTypeParser: (type: number, format: 'text') =>
        type === pg.types.builtins.DATE ? dateParser : pg.types.getTypeParser(type, format),
    }
    const own = new pg.Pool({ connectionString, max: 1, options: pool.options.options, types: types as never })
    const { compileQuery } = backendOf(onPostgres)
    const pageOf = async (text: string) => {
      const query = parseQueryOrThrow(collection, text)
      return recipes.pageByPg(own, compileQuery(query))
    }
    const first = await pageOf('sort=arrival&limit=2')
    expect(first.rows.map(({ id }) => id)).toEqual([4, 3])
    const second = await pageOf(`sort=arrival&limit=2&cursor=${first.next}`)
    expect(second.rows.map(({ id }) => id)).toEqual([3, 1])
    await own.end()
  })
})

const modes = {
  'as it is set up': "''",
  'with names in double quotes': "'ANSI_QUOTES'",
  'without backslash escapes': "'NO_BACKSLASH_ESCAPES'",
}
const servers = [
  {
    ...{ server: 'MariaDB', url: MARIADB_URL, dialect: mariadb, third: 'utf8mb4_unicode_ci' },
    timeout: { options: recipes.timeouts.mariadb, text: 'SET SESSION max_statement_time = 0.2' },
  },
  {
    ...{ server: 'MySQL', url: MYSQL_URL, dialect: mysql, third: 'utf8mb4_0900_ai_ci' },
    timeout: { options: recipes.timeouts.mariadbOnMysql, text: 'SET SESSION max_execution_time = 200' },
  },
].flatMap(({ server, url, dialect, third, timeout }) =>
  url === undefined
    ? []
    : Object.entries(modes).flatMap(([set, mode]) =>
        ['utf8mb4_general_ci', 'utf8mb4_bin', third].map((collation) => ({
          ...{ server, url, dialect, set, mode, collation, timeout },
        })),
      ),
)
describe.each(servers)('$server, $set, connected in $collation', ({ url, dialect, mode, collation, timeout }) => {
  const stored: Stored = { dialect, declared: inMariadb }
  const set = [
    `SET NAMES utf8mb4 COLLATE ${collation}`,
    `SET sql_mode = CONCAT(@@sql_mode, ',', ${mode})`,
    `CREATE DATABASE IF NOT EXISTS ${own} CHARACTER SET utf8mb4`,
    `USE ${own}`,
  ]
  const { hostname: host, port, username: user, password } = new URL(url)
  const account = { host, port: Number(port), user, password }
  let viaMariadb: Connection
  let viaMysql2: mysql2.Connection
  beforeAll(async () => {
    viaMariadb = await mariadbDriver.createConnection({
      ...account,
      allowPublicKeyRetrieval: true,
      ...recipes.mariadbOptions,
    })
    viaMysql2 = await mysql2.createConnection({ ...account, ...recipes.mysql2Options })
    for (const statement of set) {
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
  section('Mariadb', stored, () => viaMariadb)
  section('Mysql2', stored, () => viaMysql2)
  describe.runIf(mode === "''")('bigints', () => {
    pagesOfKinds(
      stored,
      undefined,
      (text) => viaMariadb.query(text),
      ({ text, parameters }) => viaMariadb.query(`SELECT * FROM kinds ${text}`, parameters),
    )
    let wide: mysql2.Connection
    beforeAll(async () => {
      wide = await mysql2.createConnection({
        ...account,
        ...recipes.mysql2Options,
        database: own,
        supportBigNumbers: true,
      })
    })
    afterAll(() => wide.end())
    pagesOfKinds(
      stored,
      undefined,
      (text) => wide.query(text),
      async ({ text, parameters }) => (await wide.execute(`SELECT * FROM kinds ${text}`, parameters))[0],
    )
    test('from 2^53 on are rounded by mysql2', async () => {
      const [rows] = await viaMysql2.execute('SELECT CAST(9007199254740993 AS SIGNED) AS it')
      expect(rows).toEqual([{ it: 2 ** 53 }])
    })
    test('a year before 100 is read as it is by mariadb, and as another by mysql2', async () => {
      const text = "SELECT TIMESTAMP'0001-01-01 00:00:00' AS it"
      expect((await viaMariadb.query<object[]>(text))[0]).toEqual({ it: '0001-01-01T00:00:00Z' })
      expect((await viaMysql2.query(text))[0]).toEqual([{ it: new Date('2001-01-01T00:00:00Z') }])
    })
  })

  test.runIf(mode === "''")('a statement ends in time', async () => {
    const message = /Query execution was interrupted/
    const options = { ...account, allowPublicKeyRetrieval: true, ...shorter(timeout.options) }
    const ofMariadb = mariadbDriver.createPool(options)
    await endsInTime((text) => ofMariadb.query(text), message, endless.mysql)
    await ofMariadb.end()
    const ofMysql2 = mysql2.createPool(account)
    recipes.limitTimeOfMysql2(ofMysql2, timeout.text)
    await endsInTime((text) => ofMysql2.execute(text), message, endless.mysql)
    await ofMysql2.end()
  })
  describe('prepared', () => {
    const prepared = { query: (text: string, parameters: unknown[]) => viaMariadb.execute(text, parameters) }
    section('Mariadb', stored, () => prepared)
  })
  describe.runIf(!mode.includes('BACKSLASH'))('in one text', () => {
    const inOneText = { execute: (text: string, parameters: unknown[]) => viaMysql2.query(text, parameters) }
    section('Mysql2', stored, () => inOneText)
  })

  // What they write is one text, too; and the same in each collation.
  const isForBuilders = !mode.includes('BACKSLASH') && collation === 'utf8mb4_general_ci'
  describe.runIf(isForBuilders)('through query builders', () => {
    const pool = {
      getConnection: (callback: (error: unknown, connection: object) => void) =>
        callback(undefined, Object.assign(Object(viaMysql2).connection as object, { release: () => {} })),
      end: (callback: () => void) => callback(),
    }
    const kysely = new Kysely({ dialect: new MysqlDialect({ pool: pool as never }) })
    section('Kysely', stored, () => kysely)
    parts('Kysely', stored, () => kysely)

    const inTable = inDrizzleMysql.mysqlTable('orders', {
      id: inDrizzleMysql.int(),
      customerName: inDrizzleMysql.text('customer_name'),
      total: inDrizzleMysql.double(),
      deposit: inDrizzleMysql.decimal({ precision: 12, scale: 2 }),
      guests: inDrizzleMysql.bigint({ mode: 'number' }),
      gift: inDrizzleMysql.boolean(),
      arrival: inDrizzleMysql.date({ mode: 'string' }),
      paidAt: inDrizzleMysql.datetime('paid_at', { fsp: 3 }),
    })
    byTypedDrizzle(stored, (condition) => drizzleMysql2(viaMysql2).select().from(inTable).where(toDrizzle(condition)))

    const knex = makeKnex({
      client: 'mysql2',
      connection: { ...account, ...recipes.mysql2Options } as object,
      pool: {
        min: 0,
        afterCreate: (connection: { query(text: string, done: () => void): void }, done: () => void) =>
          set.reduceRight((next, statement) => () => connection.query(statement, next), done)(),
      },
    })
    afterAll(() => knex.destroy())
    const first = {
      raw: async (text: string, parameters: any[]) => ((await knex.raw(text, parameters)) as [object[]])[0],
    }
    section('Knex', stored, () => first)
    parts('Knex', stored, () => knex)
  })

  // Why the page says execute(): when this fails, mysql2 has learnt better, and the page may say so.
  test.runIf(mode.includes('BACKSLASH'))('mysql2: query() lets a text out of its place', async () => {
    const { text, parameters } = backendOf(stored).compile(
      parseFilterOrThrow(schema, `customerName=${encodeURIComponent("' OR 1=1 -- ")}`),
    )
    const statement = `SELECT * FROM orders WHERE ${text}`
    expect(await viaMysql2.execute(statement, parameters)).toMatchObject([[], {}])
    const escaped = viaMysql2.format(statement, parameters)
    expect(escaped).toContain("\\' OR 1=1 -- ")
    await expect(viaMysql2.query(statement, parameters)).rejects.toThrow(/SQL syntax/)
  })

  // Why the page sets options: when these fail, the drivers have learnt better, and the page may say so.
  describe.runIf(mode === "''")('without the options of the page', () => {
    const selected = async (
      connection: Promise<{ query(text: string): unknown; end(): Promise<void> }>,
      text: string,
    ) => {
      const made = await connection
      const found = await made.query(text)
      await made.end()
      return found
    }
    const options = { ...account, database: own }
    returns('mariadb', (text) =>
      selected(mariadbDriver.createConnection({ ...options, allowPublicKeyRetrieval: true }), text),
    )
    returns('mysql2', async (text) => {
      const [rows] = (await selected(mysql2.createConnection(options), text)) as [unknown]
      return rows
    })
    // Why the page converts the text.
    test('timezone of mariadb does not change how it reads DATETIME', async () => {
      const zoned = mariadbDriver.createConnection({ ...options, allowPublicKeyRetrieval: true, timezone: 'Z' })
      const [row] = (await selected(zoned as never, 'SELECT paid_at FROM orders WHERE id = 1')) as object[]
      expect(row).toEqual({ paid_at: new Date(2024, 1, 29, 23, 59, 59, 999) })
    })
    test('mariadb and mysql2 give numbers for booleans, and midnights of their own', async () => {
      const ofMariadb = await mariadbDriver.createConnection({
        ...account,
        allowPublicKeyRetrieval: true,
        database: own,
      })
      const ofMysql2 = await mysql2.createConnection({ ...account, database: own })
      const [row] = await ofMariadb.query<object[]>('SELECT * FROM orders WHERE id = 1')
      const [[same]] = await ofMysql2.execute<mysql2.RowDataPacket[]>('SELECT * FROM orders WHERE id = 1')
      for (const given of [row, same])
        expect(given).toMatchObject({
          gift: 1,
          arrival: new Date(2024, 1, 29),
          paid_at: new Date(2024, 1, 29, 23, 59, 59, 999),
        })
      await ofMariadb.end()
      await ofMysql2.end()
    })
  })
})
