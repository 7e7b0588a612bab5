/** `inspect` returns the same description with each driver of docs/guides/sql-drivers.md, and with each form of its rows. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance, type DuckDBResultReader } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import makeKnex, { type Knex } from 'knex'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import mariadbDriver from 'mariadb'
import mysql2 from 'mysql2'
import pg from 'pg'
import postgresJs from 'postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { duckdb, mysql, postgres, sqlite, type Dialect } from '../../../src/backends/sql/index.ts'
import { inspect, type Run } from '../../../src/tools/inspect/index.ts'
import { newPglite } from '../sql/pglite.ts'
import { loadRecipes, names } from '../sql/recipes.ts'

const folder = join(import.meta.dirname, '.generated')
const recipes = await loadRecipes<Readonly<Record<string, (connection: any) => Run>>>(import.meta.dirname)

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})
/** Closes a connection after the tests. */
const closeAfterTests = <T>(connection: T, close: (connection: T) => unknown): T => {
  closing.push(() => close(connection))
  return connection
}
const used = new Set<string>()
const by = (recipe: string, connection: unknown): Run => {
  used.add(recipe)
  return recipes[recipe]!(connection)
}
const inKnex =
  (knex: Knex, rowsOf: (result: any) => object[]): Run =>
  async (text, parameters) =>
    rowsOf(await knex.raw(text.replaceAll(/\$\d/g, '?'), parameters))

interface Family {
  readonly dialect: Dialect
  readonly ddl: readonly string[]
  /** The drivers. The first one makes the tables. */
  readonly drivers: () => Promise<Readonly<Record<string, Run>>>
}

const ofPostgres = [
  'DROP SCHEMA IF EXISTS inspect_drivers CASCADE',
  'CREATE SCHEMA inspect_drivers',
  `CREATE TYPE inspect_drivers.mood AS ENUM ('a', 'b?')`,
  `CREATE TABLE inspect_drivers.t (id bigint PRIMARY KEY, a numeric(10, 2), m inspect_drivers.mood, l text[], d timestamptz DEFAULT now())`,
  'CREATE INDEX i ON inspect_drivers.t (a DESC, (lower(l[1])))',
]
const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env

const families: Readonly<Record<string, Family>> = {
  sqlite: {
    dialect: sqlite,
    ddl: [
      'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, n INT DEFAULT 9007199254740993, UNIQUE (a, n))',
      `CREATE INDEX i ON t (lower(a)) WHERE a <> '?'`,
      `INSERT INTO t VALUES (1, '2024-01-31 10:00:00', 9007199254740993), (2, NULL, 1)`,
    ],
    drivers: async () => {
      const file = join(folder, `drivers-${process.pid}.db`)
      await writeFile(file, '')
      closing.push(() => rm(file))
      const node = closeAfterTests(new DatabaseSync(file), (database) => database.close())
      const better = closeAfterTests(new Database(file), (database) => database.close())
      const safe = closeAfterTests(new Database(file), (database) => database.close()).defaultSafeIntegers()
      const kysely = new Kysely<any>({ dialect: new SqliteDialect({ database: better }) })
      const knex = closeAfterTests(
        makeKnex({ client: 'better-sqlite3', connection: file, useNullAsDefault: true }),
        (knex) => knex.destroy(),
      )
      return {
        'node:sqlite': (text, parameters) => node.prepare(text).all(...(parameters as string[])),
        'node:sqlite, arrays': (text, parameters) => {
          const statement = node.prepare(text)
          statement.setReturnArrays(true)
          return statement.all(...(parameters as string[]))
        },
        'node:sqlite, bigints': (text, parameters) => {
          const statement = node.prepare(text)
          statement.setReadBigInts(true)
          return statement.all(...(parameters as string[]))
        },
        'better-sqlite3': by('byBetterSqlite3', better),
        'better-sqlite3, bigints': by('byBetterSqlite3', safe),
        'better-sqlite3, arrays': (text, parameters) =>
          better
            .prepare(text)
            .raw()
            .all(...(parameters as string[])),
        'better-sqlite3, Kysely': by('byKysely', kysely),
        'better-sqlite3, Knex': inKnex(knex, (rows) => rows as object[]),
      }
    },
  },
  pglite: {
    dialect: postgres,
    ddl: ofPostgres,
    drivers: async () => {
      const client = closeAfterTests(await newPglite(), (client) => client.close())
      return {
        pglite: by('byPglite', client),
        'pglite, arrays': async (text, parameters) =>
          (await client.query<unknown[]>(text, parameters, { rowMode: 'array' })).rows,
      }
    },
  },
  duckdb: {
    dialect: duckdb,
    ddl: [
      `CREATE TABLE t (id BIGINT PRIMARY KEY, a VARCHAR COLLATE NOCASE, l VARCHAR[], n DECIMAL(10, 2), e ENUM('a', 'b?'))`,
      'CREATE INDEX i ON t (lower(a))',
    ],
    drivers: async () => {
      const instance = closeAfterTests(await DuckDBInstance.create(':memory:'), (instance) => instance.closeSync())
      const connection = closeAfterTests(await instance.connect(), (connection) => connection.closeSync())
      const reading =
        (read: (reader: DuckDBResultReader) => readonly unknown[]): Run =>
        async (text, parameters) =>
          read(await connection.runAndReadAll(text, parameters as string[]))
      return {
        duckdb: by('byDuckdb', connection),
        'duckdb, objects': reading((reader) => reader.getRowObjects()),
        'duckdb, JSON': reading((reader) => reader.getRowObjectsJson()),
        'duckdb, rows': reading((reader) => reader.getRows()),
        'duckdb, rows of JavaScript': reading((reader) => reader.getRowsJS()),
      }
    },
  },
  ...(POSTGRES_URL !== undefined && {
    postgres: {
      dialect: postgres,
      ddl: ofPostgres,
      drivers: () => {
        const pool = closeAfterTests(new pg.Pool({ connectionString: POSTGRES_URL }), (pool) => pool.end())
        const client = closeAfterTests(postgresJs(POSTGRES_URL, { onnotice: () => undefined }), (client) =>
          client.end(),
        )
        const kysely = new Kysely<any>({ dialect: new PostgresDialect({ pool }) })
        const knex = closeAfterTests(makeKnex({ client: 'pg', connection: POSTGRES_URL }), (knex) => knex.destroy())
        return Promise.resolve({
          pg: by('byPg', pool),
          'pg, arrays': async (text, values) =>
            (await pool.query({ text, values, rowMode: 'array' })).rows as unknown[],
          'postgres.js': by('byPostgresJs', client),
          'pg, Kysely': by('byKysely', kysely),
          'pg, Knex': inKnex(knex, ({ rows }) => rows as object[]),
        } satisfies Readonly<Record<string, Run>>)
      },
    },
  }),
  ...Object.fromEntries(
    Object.entries({ mysql: MYSQL_URL, mariadb: MARIADB_URL }).flatMap(([name, url]): [string, Family][] => {
      if (url === undefined) return []
      const ddl = [
        'DROP DATABASE IF EXISTS inspect_drivers',
        'CREATE DATABASE inspect_drivers',
        `CREATE TABLE inspect_drivers.t (id BIGINT PRIMARY KEY, a DECIMAL(10, 2) DEFAULT 1.5, j JSON, e ENUM('a', 'b?'), d DATETIME(3))`,
        'CREATE INDEX i ON inspect_drivers.t (a DESC)',
      ]
      const drivers = async () => {
        const uri = url.replace('mariadb:', 'mysql:').replace(/\?.*/, '')
        const pool = closeAfterTests(mysql2.createPool(uri), (pool) => pool.promise().end())
        const promised = pool.promise()
        const connection = closeAfterTests(await mariadbDriver.createConnection(url), (connection) => connection.end())
        const kysely = new Kysely<any>({ dialect: new MysqlDialect({ pool: pool as never }) })
        const knex = closeAfterTests(makeKnex({ client: 'mysql2', connection: uri }), (knex) => knex.destroy())
        return {
          mysql2: by('byMysql2', promised),
          'mysql2, query': async (text, parameters) => (await promised.query(text, parameters))[0] as object[],
          'mysql2, arrays': async (text, values) =>
            (await promised.query({ sql: text, values, rowsAsArray: true }))[0] as object[],
          mariadb: by('byMariadb', connection),
          'mariadb, arrays': (sql, values) => connection.query<unknown[]>({ sql, rowsAsArray: true }, values),
          'mariadb, prepared': (sql, values) => connection.execute<unknown[]>(sql, values),
          'mysql2, Kysely': by('byKysely', kysely),
          'mysql2, Knex': inKnex(knex, ([rows]) => rows as object[]),
        } satisfies Readonly<Record<string, Run>>
      }
      return [[name, { dialect: mysql, ddl, drivers }]]
    }),
  ),
}

describe.each(Object.entries(families))('%s', (name, { dialect, ddl, drivers }) => {
  test('inspect returns the same description with every driver', async () => {
    const runs = Object.entries(await drivers())
    const [[, first]] = runs as [[string, Run]]
    for (const statement of ddl) await first(statement, [])
    const schema = /^(?:sqlite|duckdb)$/.test(name) ? 'main' : 'inspect_drivers'
    const described = await inspect(first, { dialect, schema })
    expect(described.tables.map((table) => [table.name, table.columns.length > 2, table.indexes.length])).toEqual([
      ['t', true, name === 'sqlite' ? 3 : 2],
    ])
    for (const [driver, run] of runs) {
      const { engine, tables, schemas } = await inspect(run, { dialect, schema })
      expect([driver, engine, tables, schemas]).toEqual([driver, described.engine, described.tables, described.schemas])
    }
    if (schema !== 'main') await first(ddl[0]!, [])
  })
})

test('the tests run every driver of the page', () => {
  const isHere = (recipe: string) =>
    /Mysql2|Mariadb/.test(recipe)
      ? (MYSQL_URL ?? MARIADB_URL) !== undefined
      : !/Pg$|PostgresJs/.test(recipe) || POSTGRES_URL !== undefined
  // node:sqlite has forms of its own above. The others run statements as their driver does, or on a server of their own.
  const others = /^by(?:NodeSqlite|Prepared|Drizzle|Knex|Prisma)/
  const drivers = names.filter((name) => /^by[A-Z]/.test(name) && !/InTime$/.test(name) && !others.test(name))
  expect(drivers.length).toBeGreaterThanOrEqual(8)
  expect(drivers.filter((recipe) => !used.has(recipe) && isHere(recipe))).toEqual([])
})
