/** The output goes into each driver as it is: what docs/sql.md shows, on each of them. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import mariadbDriver from 'mariadb'
import mysql2 from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory.ts'
import {
  mariadb,
  postgres,
  simpleLowerCase,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
} from '../../src/backends/sql/index.ts'
import { defineSchema, field, parseFilterOrThrow } from '../../src/index.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  total: field.number(),
  gift: field.boolean(),
  day: field.date(),
  paidAt: field.datetime(),
})
const rows = [
  { id: 1, name: 'Åse', total: 1.5, gift: true, day: '2024-02-29', paidAt: '2024-02-29T23:59:59.999Z' },
  { id: 2, name: 'åse ', total: 1e21, gift: false, day: '2024-03-01', paidAt: '2024-03-01T00:00:00.000Z' },
  { id: 3, name: null, total: null, gift: null, day: null, paidAt: null },
]
const queries = [
  'name=%C3%85se',
  'name[in]=%C3%85se,x',
  'name[startsWith]=%C3%85S',
  'name[endsWith]=%20',
  'name[doesNotContain]=s',
  'total[in]=1.5,1e21',
  'total[gt]=1e300',
  'gift=true',
  'gift[notEqual]=true',
  'day[range]=2024-02-29,2024-02-29',
  'day[in]=2024-03-01,2024-02-29',
  'paidAt=2024-02-29',
  'paidAt[in]=2024-03-01T00:00:00Z',
]
const booleans = { TRUE: 'TRUE', FALSE: 'FALSE' }
const insert = (name: string, datetimes: (text: string) => string, { TRUE, FALSE } = booleans) =>
  `INSERT INTO ${name} VALUES ${rows
    .map(({ id, name, total, gift, day, paidAt }) => {
      const cells = [
        id,
        name && `'${name}'`,
        total,
        gift === null ? null : gift ? TRUE : FALSE,
        day && `'${day}'`,
        paidAt && `'${datetimes(paidAt)}'`,
      ]
      return `(${cells.map((cell) => cell ?? 'NULL').join(', ')})`
    })
    .join(', ')}`

/** Runs every query by what a driver selects. */
async function agrees(
  dialect: Dialect,
  name: string,
  select: (statement: string, parameters: never[]) => unknown,
): Promise<void> {
  const { compile } = sqlBackend({ dialect, table: table(name, { schema }) })
  for (const query of queries) {
    const filter = parseFilterOrThrow(schema, query)
    const { text, parameters } = compile(filter)
    const found = (await select(`SELECT id FROM ${name} WHERE ${text} ORDER BY id`, parameters as never[])) as {
      id: unknown
    }[]
    const expected = rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
    expect(
      found.map(({ id }) => Number(id)),
      query,
    ).toEqual(expected)
  }
}

const asIs = (text: string) => text
const inSqlite = 'CREATE TABLE orders (id INTEGER, name TEXT, total REAL, gift INTEGER, day TEXT, "paidAt" TEXT) STRICT'
const whole = { ...sqlite, lower: 'urlwhere_lower' }

describe('SQLite', () => {
  test('node:sqlite', async () => {
    const database = new DatabaseSync(':memory:')
    database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
    database.exec(inSqlite)
    database.exec(insert('orders', asIs))
    await agrees(whole, 'orders', (statement, parameters) => database.prepare(statement).all(...parameters))
    database.close()
  })
  test('better-sqlite3', async () => {
    const database = new Database(':memory:')
    database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
    database.exec(inSqlite)
    database.exec(insert('orders', asIs))
    await agrees(whole, 'orders', (statement, parameters) => database.prepare(statement).all(...parameters))
    database.close()
  })
})

const { POSTGRES_URL, MARIADB_URL } = process.env
const own = () => `drivers_${Math.random().toString(36).slice(2)}`
const inPostgres = (name: string) =>
  `CREATE TABLE ${name} (id int, name text, total double precision, gift boolean, day date, "paidAt" timestamptz)`

describe('PostgreSQL', () => {
  test('PGlite', async () => {
    const database = await PGlite.create()
    await database.exec(`${inPostgres('orders')}; ${insert('orders', asIs)}`)
    await agrees(
      postgres,
      'orders',
      async (statement, parameters) => (await database.query(statement, parameters)).rows,
    )
    await database.close()
  })
  test.runIf(POSTGRES_URL)('pg', async () => {
    const client = new pg.Client(POSTGRES_URL)
    await client.connect()
    const name = own()
    try {
      await client.query(`${inPostgres(name)}; ${insert(name, asIs)}`)
      await agrees(postgres, name, async (statement, parameters) => (await client.query(statement, parameters)).rows)
      // Prepared by name, as plan caches want it.
      await agrees(
        postgres,
        name,
        async (text, values) =>
          (await client.query({ name: createHash('sha1').update(text).digest('hex'), text, values })).rows,
      )
    } finally {
      await client.query(`DROP TABLE IF EXISTS ${name}`)
      await client.end()
    }
  })
})

describe.runIf(MARIADB_URL)('MariaDB', () => {
  const create = (name: string) =>
    `CREATE TABLE ${name} (id int, name varchar(99), total double, gift boolean, day date, paidAt datetime(3)) CHARACTER SET utf8mb4`
  const inUtc = (text: string) => text.slice(0, -1).replace('T', ' ')

  test('mariadb, text and prepared', async () => {
    const connection = await mariadbDriver.createConnection(MARIADB_URL!)
    const name = own()
    try {
      await connection.query(create(name))
      await connection.query(insert(name, inUtc))
      await agrees(mariadb, name, (statement, parameters) => connection.query(statement, parameters))
      await agrees(mariadb, name, (statement, parameters) => connection.execute(statement, parameters))
    } finally {
      await connection.query(`DROP TABLE IF EXISTS ${name}`)
      await connection.end()
    }
  })
  test('mysql2, text and prepared', async () => {
    const connection = await mysql2.createConnection(MARIADB_URL!.replace('mariadb:', 'mysql:'))
    const name = own()
    try {
      await connection.query(create(name))
      await connection.query(insert(name, inUtc))
      await agrees(mariadb, name, async (statement, parameters) => (await connection.query(statement, parameters))[0])
      await agrees(mariadb, name, async (statement, parameters) => (await connection.execute(statement, parameters))[0])
    } finally {
      await connection.query(`DROP TABLE IF EXISTS ${name}`)
      await connection.end()
    }
  })
})
