/** `inspect` describes tables of DuckDB. */
import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { duckdb } from '../../../src/backends/sql/index.ts'
import { inspect, type InspectOptions, type Run } from '../../../src/tools/inspect/index.ts'
import { columnsOf, of, factsFor, type Case } from '../../tools/inspect/facts.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
let attached = 0
beforeAll(async () => void (instance = await DuckDBInstance.create(':memory:', { threads: '1' })))
// Each test attaches an empty database, and uses it.
beforeEach(async () => {
  connection = await instance.connect()
  await connection.run(`ATTACH ':memory:' AS test_${++attached}; USE test_${attached}`)
})
afterEach(() => connection.closeSync())
afterAll(() => instance.closeSync())

const run: Run = async (text, parameters) =>
  (await connection.runAndReadAll(text, parameters as DuckDBValue[])).getRowObjectsJS()
const describeOf = async (ddl: string, options: Partial<InspectOptions> = {}) => {
  await connection.run(ddl)
  return inspect(run, { dialect: duckdb, ...options })
}

const entry = { descending: false, nullsFirst: false }
const index = { method: 'art', unique: false, primary: false, invalid: false, include: [] }

const cases: readonly Case[] = [
  [
    'types as the engine prints them',
    `CREATE TYPE mood AS ENUM ('b', 'it''s, ok', '');
    CREATE TABLE t (a INT, b DECIMAL(10, 2), c mood, d VARCHAR[], e INT[3], f STRUCT(a INT, b VARCHAR[]), g TIMESTAMP_NS, h TIMESTAMPTZ,
      i mood[], j JSON, k MAP(VARCHAR, INT), l INT[][], m TIMESTAMP, n TIMESTAMP_S, o TIMESTAMP_MS, p FLOAT, q HUGEINT, r TIME)`,
    columnsOf('t', 'type', 'typeName', 'entry', 'enum', 'precision', 'scale', 'digits'),
    {
      a: ['INTEGER', 'INTEGER', null, null, null, null, null],
      b: ['DECIMAL(10,2)', 'DECIMAL', null, null, 10, 2, null],
      c: [`ENUM('b', 'it''s, ok', '')`, 'ENUM', null, ['b', `it's, ok`, ''], null, null, null],
      d: ['VARCHAR[]', 'VARCHAR', 'VARCHAR', null, null, null, null],
      e: ['INTEGER[3]', 'INTEGER', 'INTEGER', null, null, null, null],
      f: ['STRUCT(a INTEGER, b VARCHAR[])', 'STRUCT', null, null, null, null, null],
      g: ['TIMESTAMP_NS', 'TIMESTAMP_NS', null, null, null, null, 9],
      h: ['TIMESTAMP WITH TIME ZONE', 'TIMESTAMP WITH TIME ZONE', null, null, null, null, 6],
      i: [
        `ENUM('b', 'it''s, ok', '')[]`,
        'ENUM',
        `ENUM('b', 'it''s, ok', '')`,
        ['b', `it's, ok`, ''],
        null,
        null,
        null,
      ],
      j: ['JSON', 'JSON', null, null, null, null, null],
      k: ['MAP(VARCHAR, INTEGER)', 'MAP', null, null, null, null, null],
      l: ['INTEGER[][]', 'INTEGER', 'INTEGER[]', null, null, null, null],
      m: ['TIMESTAMP', 'TIMESTAMP', null, null, null, null, 6],
      n: ['TIMESTAMP_S', 'TIMESTAMP_S', null, null, null, null, 0],
      o: ['TIMESTAMP_MS', 'TIMESTAMP_MS', null, null, null, null, 3],
      p: ['FLOAT', 'FLOAT', null, null, null, null, null],
      q: ['HUGEINT', 'HUGEINT', null, null, null, null, null],
      r: ['TIME', 'TIME', null, null, null, null, 6],
    },
  ],
  [
    'the collation of a column, which only the text of its table contains',
    `CREATE TABLE t (a VARCHAR COLLATE NOCASE, b VARCHAR DEFAULT 'x COLLATE de', "c, (d ""COLLATE e" VARCHAR COLLATE nocase.noaccent NOT NULL,
      f VARCHAR CHECK (f COLLATE nocase <> 'x'), g INT, "order" VARCHAR COLLATE nocase)`,
    columnsOf('t', 'collation'),
    {
      a: [{ name: 'nocase' }],
      b: [{ name: 'default' }],
      'c, (d "COLLATE e': [{ name: 'nocase.noaccent' }],
      f: [{ name: 'default' }],
      g: [null],
      order: [{ name: 'nocase' }],
    },
  ],
  [
    'a column of a view has no collation',
    `CREATE TABLE t (a VARCHAR COLLATE NOCASE NOT NULL); CREATE VIEW v AS SELECT a, lower(a) AS l FROM t`,
    columnsOf('v', 'type', 'collation', 'notNull'),
    { a: ['VARCHAR', null, false], l: ['VARCHAR', null, false] },
  ],
  [
    'generated columns, which the catalogue returns as defaults',
    `CREATE TABLE t (a INT DEFAULT 1, b INT AS (a + 1), c VARCHAR DEFAULT 'GENERATED ALWAYS AS', d VARCHAR DEFAULT 'it''s', e INT)`,
    columnsOf('t', 'default', 'generated'),
    {
      a: ['1', null],
      b: [null, 'virtual'],
      c: [`'GENERATED ALWAYS AS'`, null],
      d: [`'it''s'`, null],
      e: [null, null],
    },
  ],
  [
    'keys: constraints and indexes of whole columns',
    `CREATE TABLE t (a INT, b INT UNIQUE, c INT, PRIMARY KEY (c, a)); CREATE UNIQUE INDEX i ON t (a, b);
    CREATE UNIQUE INDEX j ON t ((a + b)); CREATE INDEX k ON t (a)`,
    of('t', 'keys'),
    [
      { columns: ['c', 'a'], primary: true, nullsDistinct: true },
      { columns: ['b'], primary: false, nullsDistinct: true },
      { columns: ['a', 'b'], primary: false, nullsDistinct: true },
    ],
  ],
  [
    'NOT NULL, also of a primary key',
    'CREATE TABLE t (a INT PRIMARY KEY, b INT NOT NULL, c INT)',
    columnsOf('t', 'notNull'),
    { a: [true], b: [true], c: [false] },
  ],
  [
    'expressions of indexes, which the catalogue returns in one text',
    `CREATE TABLE t ("d, e" VARCHAR, nc VARCHAR); CREATE INDEX "i, (j" ON t ("d, e", lower(nc), concat(nc, ',)'))`,
    of('t', 'indexes'),
    [
      {
        ...index,
        name: 'i, (j',
        entries: [
          { ...entry, column: 'd, e' },
          { ...entry, expression: 'lower(nc)' },
          { ...entry, expression: `concat(nc, ',)')` },
        ],
      },
    ],
  ],
  [
    'foreign keys, also without columns',
    `CREATE TABLE p (a INT, b INT, PRIMARY KEY (b, a)); CREATE TABLE q (id INT PRIMARY KEY);
    CREATE TABLE t (x INT, y INT, z INT REFERENCES q, FOREIGN KEY (x, y) REFERENCES p (b, a))`,
    ({ t }) => t!.foreignKeys.map(({ columns, table, key, validated }) => [columns, table, key, validated]),
    [
      [['z'], ['main', 'q'], ['id'], true],
      [['x', 'y'], ['main', 'p'], ['b', 'a'], true],
    ],
  ],
  [
    'leaves out tables of attached files and temporary tables',
    `CREATE TABLE t (a INT); CREATE TABLE memory.other (a INT); CREATE TEMP TABLE temporary (a INT); INSERT INTO t VALUES (1), (2)`,
    (tables) => Object.values(tables).map(({ name, kind, rows }) => [name, kind, rows]),
    [['t', 'table', 2]],
  ],
]
test.each(cases)('%s', async (_, ddl, pick, expected) => {
  const database = await describeOf(ddl)
  await connection.run('DROP TABLE IF EXISTS memory.other')
  expect(factsFor(database, pick)).toEqual(expected)
  expect(JSON.parse(JSON.stringify(database))).toStrictEqual(database)
})

test('the session, whose default order does not change the order of columns', async () => {
  const { engine, session, tables } = await describeOf(
    `CREATE TABLE t (a INT, b INT); SET TimeZone = 'America/New_York'; SET default_collation = 'nocase'; SET default_order = 'DESC'`,
  )
  await connection.run('RESET TimeZone; RESET default_collation; RESET default_order')
  expect(tables[0]!.columns.map(({ name }) => name)).toEqual(['a', 'b'])
  expect([engine, session]).toEqual([
    'duckdb',
    {
      version: expect.stringMatching(/^v1\./) as string,
      searchPath: ['main'],
      timeZone: 'America/New_York',
      defaultCollation: 'nocase',
      defaultOrder: 'descending',
      defaultNullOrder: 'nulls_last',
    },
  ])
})

test('schemas of the search path, and of a list', async () => {
  const ddl = `CREATE SCHEMA "it's"; CREATE TABLE t (a INT); CREATE TABLE "it's".t (a INT); SET search_path = '"it''s",main'`
  const byPath = await describeOf(ddl)
  expect([byPath.session.searchPath, byPath.tables.map(({ schema }) => schema)]).toEqual([
    ["it's", 'main'],
    ["it's", 'main'],
  ])
  const byName = await describeOf('', { schema: ["it's", 'absent'] })
  expect(byName.schemas).toEqual([
    { name: "it's", access: 'readable' },
    { name: 'absent', access: 'missing' },
  ])
  expect(byName.tables.length).toBe(1)
})
