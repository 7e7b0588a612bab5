/** What drivers return of uuids, bigints, decimals and microseconds is what the guide says, and what `page(rows)` makes of it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import mariadbDriver from 'mariadb'
import mysql2 from 'mysql2/promise'
import pg from 'pg'
import postgresJs from 'postgres'
import { describe, expect, test } from 'vitest'
import { column, mariadb, mysql, postgres, sqlBackend, sqlite, table } from '../../../src/backends/sql/index.ts'
import type { Dialect } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../../src/index.ts'
import { newPglite } from './pglite.ts'

const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/sql-drivers.md'), 'utf8')
const schema = defineSchema({
  id: field.integer(),
  key: field.uuid(),
  count: field.bigint(),
  price: field.decimal(),
  at: field.datetime(),
})
const collection = defineCollection(schema, { key: 'id', sort: true })
const row = {
  ...{ id: 1, key: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', count: '9007199254740993', price: '12.5' },
  at: '2024-02-29T23:59:59.123456Z',
}
const inSql = "'2024-02-29 23:59:59.123456'"

interface Driver {
  readonly name: string
  readonly dialect: Dialect
  /** The types of the columns. */
  readonly types: readonly [key: string, count: string, price: string, at: string]
  readonly price: string
  readonly at: string
  readonly open: () => Promise<{ run: (text: string) => unknown; close: () => unknown }>
}
const inSqlite = {
  dialect: sqlite,
  types: ['TEXT', 'INTEGER', 'INTEGER', 'TEXT'],
  price: '1250',
  at: `'${row.at}'`,
} as const
const inPostgres = {
  dialect: postgres,
  types: ['uuid', 'bigint', 'numeric', 'timestamptz'],
  price: '12.50',
  at: `${inSql.slice(0, -1)}+00'`,
} as const
const inMysql = { types: ['CHAR(36)', 'BIGINT', 'DECIMAL(20, 2)', 'DATETIME(6)'], price: '12.50', at: inSql } as const

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
const drivers: Driver[] = [
  {
    ...{ name: 'node:sqlite', ...inSqlite },
    open: async () => {
      const database = new DatabaseSync(':memory:')
      return Promise.resolve({ run: (text) => database.prepare(text).all(), close: () => database.close() })
    },
  },
  {
    ...{ name: 'better-sqlite3', ...inSqlite },
    open: async () => {
      const database = new Database(':memory:')
      const run = (text: string) => (text.startsWith('SELECT') ? database.prepare(text).all() : database.exec(text))
      return Promise.resolve({ run, close: () => database.close() })
    },
  },
  {
    ...{ name: 'PGlite', ...inPostgres },
    open: async () => {
      const database = await newPglite()
      return { run: async (text) => (await database.query(text)).rows, close: () => database.close() }
    },
  },
]
if (POSTGRES_URL !== undefined) {
  drivers.push(
    {
      ...{ name: 'pg', ...inPostgres },
      open: async () => {
        const client = new pg.Client(POSTGRES_URL)
        await client.connect()
        return { run: async (text) => (await client.query<object>(text)).rows, close: () => client.end() }
      },
    },
    {
      ...{ name: 'postgres.js', ...inPostgres },
      open: async () => {
        const client = postgresJs(POSTGRES_URL, { max: 1 })
        return Promise.resolve({ run: (text) => client.unsafe(text), close: () => client.end() })
      },
    },
  )
}
for (const [dialect, url] of [
  [mariadb, MARIADB_URL],
  [mysql, MYSQL_URL],
] as const) {
  if (url === undefined) continue
  drivers.push(
    {
      ...{ name: 'mariadb', dialect, ...inMysql },
      open: async () => {
        const connection = await mariadbDriver.createConnection(url)
        return { run: (text) => connection.query<object[]>(text), close: () => connection.end() }
      },
    },
    {
      ...{ name: 'mysql2', dialect, ...inMysql },
      open: async () => {
        const connection = await mysql2.createConnection(url.replace('mariadb:', 'mysql:').replace(/\?.*/, ''))
        return { run: async (text) => (await connection.query(text))[0], close: () => connection.end() }
      },
    },
  )
}

const names = ['key', 'count', 'price', 'at'] as const
const word = (value: unknown): string => {
  if (value instanceof Date) return '`Date`'
  if (value === Number(row.count)) return 'rounded'
  return typeof value === 'string' ? 'text' : typeof value
}
describe.each(drivers)('$name, $dialect.name', ({ name, dialect, types, price, at, open }) => {
  test('returns what the guide says, and page(rows) reads what is exact', async () => {
    const { run, close } = await open()
    const own = `forms_${Math.random().toString(36).slice(2)}`
    const columns = names.map((name, index) => `"${name}" ${types[index]!}`).join(', ')
    const quoted = (text: string) => text.replaceAll('"', dialect.quote)
    await run(quoted(`CREATE TABLE ${own} (id INTEGER, ${columns})`))
    try {
      await run(`INSERT INTO ${own} VALUES (1, '${row.key}', ${row.count}, ${price}, ${at})`)
      const mapped = table(own, {
        schema,
        key: 'id',
        columns: { price: dialect === sqlite ? column('price', { type: 'scaled', digits: 2 }) : 'price' },
      })
      const { compileQuery } = sqlBackend({ dialect, table: mapped })
      const cells: string[] = []
      for (const sorted of names) {
        const found = await (async () => run(quoted(`SELECT id, "${sorted}" FROM ${own}`)))().catch(() => undefined)
        if (found === undefined) {
          cells.push('an error')
          continue
        }
        const [given] = [...(found as Iterable<Record<string, unknown>>)]
        cells.push(word(given![sorted]))
        const query = parseQueryOrThrow(collection, `sort=${sorted}&limit=1`)
        const next = () => compileQuery(query).page([given!, given!]).next
        const exact = toPage(query, [row, row]).next
        if (cells.at(-1) === '`Date`') expect(next).toThrow(/has lost the microseconds/)
        else if (cells.at(-1) === 'rounded') expect(next()).not.toBe(exact)
        else expect(next()).toBe(exact)
      }
      const line = new RegExp(`^\\| ${name} +${'\\| ([^|]*?) *'.repeat(4)}\\|$`, 'm').exec(guide)!
      expect(cells).toEqual(line.slice(1))
    } finally {
      await run(`DROP TABLE ${own}`)
      await close()
    }
  })
})
