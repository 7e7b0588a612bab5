/** `select` on every driver, as it is by default and in settings that change values: row for row the JSON that memory has. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import mariadbDriver, { type ConnectionConfig } from 'mariadb'
import mysql2, { type ConnectionOptions } from 'mysql2/promise'
import pg from 'pg'
import postgresJs from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPglite } from './pglite.ts'
import { differences, mariadbPlace, mysqlPlace, postgresPlace, queries, selectingIn, sqlitePlace } from './selecting.ts'
import type { Place, Run } from './selecting.ts'

/** A connection in some settings. */
interface Opened {
  readonly run: Run
  readonly close: () => unknown
}
/** A database of its own, and the drivers that read it. */
interface Store {
  readonly place: Place
  readonly open: () => Promise<Opened>
  readonly drop: () => Promise<void>
  readonly drivers: Readonly<Record<string, () => Promise<Opened>>>
}
const own = `select_${randomUUID().slice(0, 8)}`
type Values = any[]

// --- SQLite

const folder = await mkdtemp(join(tmpdir(), 'urlwhere-'))
const file = join(folder, 'select.db')
afterAll(() => rm(folder, { recursive: true }))

async function nodeSqlite(readsBigints = false): Promise<Opened> {
  const database = new DatabaseSync(file)
  const run: Run = async (text, parameters) => {
    const statement = database.prepare(text)
    statement.setReadBigInts(readsBigints)
    return Promise.resolve(statement.all(...(parameters as Values)))
  }
  return Promise.resolve({ run, close: () => database.close() })
}
async function betterSqlite3(hasSafeIntegers: boolean): Promise<Opened> {
  const database = new Database(file)
  const run: Run = async (text, parameters) =>
    Promise.resolve(
      database
        .prepare(text)
        .safeIntegers(hasSafeIntegers)
        .all(...parameters),
    )
  return Promise.resolve({ run, close: () => database.close() })
}
const inSqlite: Store = {
  place: sqlitePlace,
  open: nodeSqlite,
  drop: () => Promise.resolve(),
  drivers: {
    'node:sqlite': nodeSqlite,
    'node:sqlite, setReadBigInts': () => nodeSqlite(true),
    'better-sqlite3': () => betterSqlite3(false),
    'better-sqlite3, safeIntegers': () => betterSqlite3(true),
  },
}

// --- PostgreSQL

async function byPg(url: string, config: pg.ClientConfig = {}, session: readonly string[] = []): Promise<Opened> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${own}`, ...config })
  await client.connect()
  for (const statement of session) await client.query(statement)
  return { run: async (text, values) => (await client.query(text, [...values])).rows, close: () => client.end() }
}
async function byPostgresJs(url: string, options: postgresJs.Options<{}> = {}): Promise<Opened> {
  const client = postgresJs(url, { max: 1, onnotice: () => undefined, connection: { search_path: own }, ...options })
  const run: Run = (text, parameters) => client.unsafe(text, [...parameters] as Values, { prepare: true })
  return Promise.resolve({ run, close: () => client.end() })
}
const asIs = (value: unknown): unknown => value
const isoDates = (text: string) => new Date(text)

const servedBy = (url: string): Store => ({
  place: postgresPlace,
  open: async () => byPg(url, {}, [`CREATE SCHEMA IF NOT EXISTS ${own}`]),
  drop: async () => {
    const { run, close } = await byPg(url)
    await run(`DROP SCHEMA ${own} CASCADE`, [])
    await close()
  },
  drivers: {
    pg: () => byPg(url),
    'pg, texts alone': () => byPg(url, { types: { getTypeParser: () => asIs as never } }),
    'pg, parsers of numbers': () =>
      byPg(url, {
        types: {
          getTypeParser: (type: number, format?: string) => {
            if (type === 20) return (text: string) => BigInt(text)
            if (type === 1700) return Number
            return [1082, 1114, 1184].includes(type)
              ? isoDates
              : (pg.types.getTypeParser as (type: number, format?: string) => unknown)(type, format)
          },
        } as never,
      }),
    'pg, a session with settings': () =>
      byPg(url, {}, [
        ...["SET TIME ZONE 'Asia/Kolkata'", "SET DateStyle = 'German, DMY'", "SET bytea_output = 'escape'"],
        ...["SET IntervalStyle = 'sql_standard'", 'SET standard_conforming_strings = off', 'SET enable_hashjoin = off'],
        ...["SET default_transaction_isolation = 'serializable'", 'SET plan_cache_mode = force_generic_plan'],
      ]),
    'postgres.js': () => byPostgresJs(url),
    'postgres.js, camel case': () => byPostgresJs(url, { transform: postgresJs.camel }),
    'postgres.js, undefined as null': () => byPostgresJs(url, { transform: { undefined: null } }),
    'postgres.js, bigints, no types fetched': () =>
      byPostgresJs(url, { types: { bigint: postgresJs.BigInt }, fetch_types: false, prepare: false } as never),
    'postgres.js, by its pieces': async () => {
      const client = postgresJs(url, { max: 1, connection: { search_path: own } })
      const run: Run = (text, parameters) => {
        const strings = Object.assign(text.split(/\$\d+/), { raw: text.split(/\$\d+/) })
        return client(strings, ...(parameters as Values))
      }
      return Promise.resolve({ run, close: () => client.end() })
    },
  },
})

async function pglite(options?: object): Promise<Opened> {
  const database = await sharedPglite
  return {
    run: async (text, parameters) => (await database.query(text, [...parameters], options)).rows,
    close: () => undefined,
  }
}
const sharedPglite = newPglite()
afterAll(async () => (await sharedPglite).close())
const inPglite: Store = {
  place: postgresPlace,
  open: pglite,
  drop: () => Promise.resolve(),
  drivers: {
    PGlite: pglite,
    'PGlite, parsers of dates and numbers': () =>
      pglite({ parsers: { 1082: isoDates, 1114: isoDates, 1184: isoDates, 20: BigInt, 1700: Number, 3802: asIs } }),
  },
}

// --- MySQL and MariaDB

type Session = readonly string[]
const partsOf = (url: string) => {
  const { hostname: host, port, username: user, password } = new URL(url)
  return { host, port: Number(port), user, password }
}
async function byMysql2(
  url: string,
  how: 'execute' | 'query',
  options: ConnectionOptions = {},
  session: Session = [],
  database: string | undefined = own,
): Promise<Opened> {
  const connection = await mysql2.createConnection({ ...partsOf(url), ...(database && { database }), ...options })
  for (const statement of session) await connection.query(statement)
  const run: Run = async (text, parameters) => {
    const [rows] = await (how === 'query'
      ? connection.query(text, parameters as Values)
      : connection.execute(text, parameters as Values))
    return rows as unknown[]
  }
  return { run, close: () => connection.end() }
}
async function byMariadb(
  url: string,
  how: 'execute' | 'query',
  options: ConnectionConfig = {},
  session: Session = [],
): Promise<Opened> {
  const access = { ...partsOf(url), database: own, allowPublicKeyRetrieval: true }
  const connection = await mariadbDriver.createConnection({ ...access, ...options })
  for (const statement of session) await connection.query(statement)
  const run: Run = (text, parameters) => connection[how](text, [...parameters])
  return { run, close: () => connection.end() }
}
const modes = [
  ...['ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES', 'PAD_CHAR_TO_FULL_LENGTH', 'ANSI', ''],
  'ANSI,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES',
].map((mode) => [mode, [`SET SESSION sql_mode = '${mode}'`, 'SET SESSION group_concat_max_len = 4']] as const)

const speakingMysql = (place: Place, url: string): Store => ({
  place,
  open: async () =>
    byMysql2(url, 'query', {}, [`CREATE DATABASE IF NOT EXISTS ${own} CHARACTER SET utf8mb4`, `USE ${own}`], ''),
  drop: async () => {
    const { run, close } = await byMysql2(url, 'query')
    await run(`DROP DATABASE ${own}`, [])
    await close()
  },
  drivers: {
    'mysql2, execute': () => byMysql2(url, 'execute'),
    'mysql2, query': () => byMysql2(url, 'query'),
    'mysql2, big numbers': () => byMysql2(url, 'execute', { supportBigNumbers: true }),
    'mysql2, big numbers as texts': () =>
      byMysql2(url, 'query', { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true, jsonStrings: true }),
    'mysql2, decimals as numbers, in another zone': () =>
      byMysql2(url, 'execute', { decimalNumbers: true, timezone: '+09:00', dateStrings: ['DATE'] }),
    'mysql2, typeCast': () =>
      byMysql2(url, 'query', {
        typeCast: (field, next) => (field.type === 'TINY' && field.length === 1 ? field.string() === '1' : next()),
      }),
    'mariadb, query': () => byMariadb(url, 'query'),
    'mariadb, execute': () => byMariadb(url, 'execute'),
    'mariadb, numbers': () =>
      byMariadb(url, 'query', {
        bigIntAsNumber: true,
        insertIdAsNumber: true,
        decimalAsNumber: true,
        dateStrings: true,
      }),
    'mariadb, no JSON, texts of bigints': () =>
      byMariadb(url, 'execute', { autoJsonMap: false, supportBigNumbers: true, bigNumberStrings: true }),
    'mariadb, in another zone': () => byMariadb(url, 'query', { autoJsonMap: false, timezone: '+05:30' }),
    ...Object.fromEntries(
      modes.flatMap(([mode, session]) => [
        [`mysql2, execute, sql_mode '${mode}'`, () => byMysql2(url, 'execute', {}, session)],
        [`mariadb, sql_mode '${mode}'`, () => byMariadb(url, 'query', {}, session)],
      ]),
    ),
  },
})

const { POSTGRES_URL, POSTGRES18_URL, MARIADB_URL, MYSQL_URL } = process.env
const stores: Readonly<Record<string, Store>> = {
  SQLite: inSqlite,
  PGlite: inPglite,
  ...(POSTGRES_URL !== undefined && { PostgreSQL: servedBy(POSTGRES_URL) }),
  ...(POSTGRES18_URL !== undefined && { 'PostgreSQL 18': servedBy(POSTGRES18_URL) }),
  ...(MYSQL_URL !== undefined && { MySQL: speakingMysql(mysqlPlace, MYSQL_URL) }),
  ...(MARIADB_URL !== undefined && { MariaDB: speakingMysql(mariadbPlace, MARIADB_URL) }),
}
/** East and west of Greenwich, where a local midnight is on another day in UTC. */
const zones = ['Asia/Kolkata', 'America/New_York']
/** What the first driver of a database answers shows the statements; what the others answer shows how they return values. */
const few = ['', 'sort=-datetime', 'sort=boolean,-bigint', 'sort=up.above.decimal,-number', 'fields=kids.up,docs.date']

/** Runs what works with a connection, and ends that. */
async function within<T>(open: () => Promise<Opened>, work: (run: Run) => Promise<T>): Promise<T> {
  const { run, close } = await open()
  return work(run).finally(close)
}

describe.each(Object.entries(stores))('%s', (_, { place, open, drop, drivers }) => {
  const selecting = selectingIn(place)
  beforeAll(() =>
    within(open, async (run) => {
      for (const statement of selecting.create) await run(statement, [])
    }),
  )
  afterAll(drop)

  const [first] = Object.keys(drivers)
  test.each(Object.entries(drivers))('%s: every type in every place, in every page', async (name, connect) => {
    for (const zone of zones) {
      process.env.TZ = zone
      const texts = zone !== zones[0] ? few.slice(0, 1) : name === first ? queries : few
      const found = await within(connect, (run) => differences(selecting, run, texts))
      expect(found.slice(0, 3), zone).toEqual([])
    }
  })
})
