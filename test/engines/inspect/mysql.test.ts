/** `inspect` describes tables of MySQL and MariaDB, on the servers whose URLs the environment has. */
import type { Connection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mariadb, mysql } from '../../../src/backends/sql/index.ts'
import { inspect, type InspectOptions, type Run } from '../../../src/tools/inspect/index.ts'
import { columnsOf, of, factsFor, type Case, type Pick } from '../../tools/inspect/facts.ts'

const { MARIADB_URL, MYSQL_URL } = process.env
const servers = { mysql: MYSQL_URL, mariadb: MARIADB_URL }

const entry = { descending: false, nullsFirst: true }
const index = { method: 'btree', unique: false, primary: false, invalid: false, include: [] }
const key = { primary: false, nullsDistinct: true }
const character = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'

const cases: readonly Case[] = [
  [
    'types as the engine prints them',
    `CREATE TABLE t (a DECIMAL(10, 2), b VARCHAR(20) ${character}, c BINARY(16), d DATETIME(3), e TIMESTAMP NULL, f TINYINT(1),
      g INT(5) ZEROFILL, h FLOAT, i SET('a', 'b') ${character}, j TIME(6), k DOUBLE)`,
    columnsOf('t', 'typeName', 'length', 'precision', 'scale', 'digits', 'enum'),
    {
      a: ['decimal', null, 10, 2, null, null],
      b: ['varchar', 20, null, null, null, null],
      c: ['binary', 16, null, null, null, null],
      d: ['datetime', null, null, null, 3, null],
      e: ['timestamp', null, null, null, 0, null],
      f: ['tinyint', null, null, null, null, null],
      g: ['int', null, null, null, null, null],
      h: ['float', null, null, null, null, null],
      i: ['set', null, null, null, null, null],
      j: ['time', null, null, null, 6, null],
      k: ['double', null, null, null, null, null],
    },
  ],
  [
    'the whole type, with its width, UNSIGNED, ZEROFILL and values',
    `CREATE TABLE t (a TINYINT(1), b INT(5) ZEROFILL, c BIGINT UNSIGNED, d ENUM('a') ${character})`,
    ({ t }) => t!.columns.map(({ type }) => type.replace('bigint(20)', 'bigint')),
    ['tinyint(1)', 'int(5) unsigned zerofill', 'bigint unsigned', `enum('a')`],
  ],
  [
    `values of ENUM: empty, with quotes and commas`,
    `CREATE TABLE t (a ENUM('x', 'it''s, ok', '', '(a,''b'')') ${character})`,
    columnsOf('t', 'enum'),
    { a: [['x', `it's, ok`, '', `(a,'b')`]] },
  ],
  [
    'JSON, which is a text with a check on MariaDB, and texts with another check',
    `CREATE TABLE t (a JSON, b LONGTEXT CHECK (b <> ''), c LONGTEXT, d JSON NOT NULL)`,
    columnsOf('t', 'typeName', 'notNull'),
    { a: ['json', false], b: ['longtext', false], c: ['longtext', false], d: ['json', true] },
  ],
  [
    'defaults as SQL',
    `CREATE TABLE t (a VARCHAR(20) DEFAULT 'it''s', b INT DEFAULT 5, c DECIMAL(5, 2) DEFAULT 1.5, d DATE DEFAULT '2024-01-31', e INT,
      f INT DEFAULT NULL, g INT NOT NULL, h VARCHAR(20) DEFAULT 'NULL', i VARCHAR(20) NOT NULL DEFAULT '')`,
    columnsOf('t', 'default'),
    {
      a: [`'it''s'`],
      b: ['5'],
      c: ['1.50'],
      d: [`'2024-01-31'`],
      e: [null],
      f: [null],
      g: [null],
      h: [`'NULL'`],
      i: [`''`],
    },
  ],
  [
    'defaults that are expressions',
    `CREATE TABLE t (a DATETIME DEFAULT CURRENT_TIMESTAMP, b INT DEFAULT (1 + 1))`,
    ({ t }) => t!.columns.map((column) => column.default!.toLowerCase().replaceAll(/[ ()]/g, '')),
    ['current_timestamp', '1+1'],
  ],
  [
    'generated columns and AUTO_INCREMENT',
    `CREATE TABLE t (a INT AUTO_INCREMENT PRIMARY KEY, b INT AS (1 + 1), c INT AS (1 + 2) STORED)`,
    columnsOf('t', 'identity', 'generated', 'default'),
    { a: ['auto_increment', null, null], b: [null, 'virtual', null], c: [null, 'stored', null] },
  ],
  [
    'character sets and collations',
    `CREATE TABLE t (a VARCHAR(20) CHARACTER SET latin1, b VARCHAR(20) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin, c INT, d VARBINARY(20),
      e TEXT ${character})`,
    columnsOf('t', 'charset', 'collation'),
    {
      a: ['latin1', { name: 'latin1_swedish_ci' }],
      b: ['utf8mb3', { name: 'utf8mb3_bin' }],
      c: [null, null],
      d: [null, null],
      e: ['utf8mb4', { name: 'utf8mb4_bin' }],
    },
  ],
  [
    'primary and unique keys; an index of a prefix is not a key',
    `CREATE TABLE t (a INT, b INT UNIQUE, c TEXT ${character}, d INT, PRIMARY KEY (d, a), UNIQUE KEY u (b, d), UNIQUE KEY p (c(10)))`,
    of('t', 'keys'),
    [
      { ...key, columns: ['d', 'a'], primary: true },
      { ...key, columns: ['b'] },
      { ...key, columns: ['b', 'd'] },
    ],
  ],
  [
    'directions, prefixes and methods of indexes',
    `CREATE TABLE t (a INT, b TEXT ${character}, c VARCHAR(20) ${character}, KEY i (a DESC, b(10)), KEY j (c), FULLTEXT KEY k (b, c))`,
    of('t', 'indexes'),
    [
      {
        ...index,
        name: 'i',
        entries: [
          { column: 'a', descending: true, nullsFirst: false },
          { ...entry, column: 'b', collation: 'utf8mb4_bin', prefix: 10 },
        ],
      },
      { ...index, name: 'j', entries: [{ ...entry, column: 'c', collation: 'utf8mb4_bin' }] },
      {
        ...index,
        name: 'k',
        method: 'fulltext',
        entries: [
          { ...entry, column: 'b', collation: 'utf8mb4_bin' },
          { ...entry, column: 'c', collation: 'utf8mb4_bin' },
        ],
      },
    ],
  ],
  [
    'foreign keys of several columns',
    `CREATE TABLE p (a INT, b INT, PRIMARY KEY (b, a)); CREATE TABLE t (x INT, y INT, CONSTRAINT f FOREIGN KEY (x, y) REFERENCES p (b, a))`,
    of('t', 'foreignKeys'),
    [{ name: 'f', columns: ['x', 'y'], table: ['urlwhere_inspect', 'p'], key: ['b', 'a'], validated: true }],
  ],
  [
    'views and partitions',
    `CREATE TABLE t (a INT); CREATE TABLE p (a INT) PARTITION BY HASH (a) PARTITIONS 2; CREATE VIEW v AS SELECT a + 1 AS b FROM t`,
    (tables) =>
      Object.values(tables).map(({ name, kind, columns }) => [name, kind, columns.map((column) => column.name)]),
    [
      ['p', 'partitioned', ['a']],
      ['t', 'table', ['a']],
      ['v', 'view', ['b']],
    ],
  ],
]
const ddlOfCounts = `CREATE TABLE t (a INT, b TEXT ${character}, c INT, KEY (a, c), KEY (b(1)));
  INSERT INTO t VALUES (1, 'a', 1), (1, 'b', 2), (2, 'c', 3), (2, 'd', 4); ANALYZE TABLE t`
const counts: Pick = ({ t }) => [t!.rows, ...t!.columns.map(({ distinct }) => distinct)]

/** Cases of one of the two engines. */
const casesOf: Readonly<Record<keyof typeof servers, readonly Case[]>> = {
  mysql: [
    ['counts of rows and of distinct values', ddlOfCounts, counts, [4, 2, undefined, 4]],
    [
      'a unique index of an expression is not a key, and its text loses the backslashes of MySQL',
      `CREATE TABLE t (a VARCHAR(20) ${character}, UNIQUE KEY i ((CONCAT(a, ',\\'')), a))`,
      ({ t }) => [t!.keys, t!.indexes[0]!.entries[0]],
      [[], { ...entry, expression: `concat(\`a\`,_utf8mb4',\\\\'')` }],
    ],
    [
      'an invisible index is a key',
      'CREATE TABLE t (a INT, UNIQUE KEY i (a) INVISIBLE)',
      ({ t }) => [t!.keys, t!.indexes[0]!.invalid],
      [[{ ...key, columns: ['a'] }], true],
    ],
    [
      'texts in a default that is an expression',
      `CREATE TABLE t (a VARCHAR(20) DEFAULT (CONCAT('a', 'b')))`,
      columnsOf('t', 'default'),
      { a: [`concat(_utf8mb4'a',_utf8mb4'b')`] },
    ],
  ],
  mariadb: [
    // MariaDB estimates 4 distinct values of `a`, which has 2.
    ['counts of rows and of distinct values', ddlOfCounts, counts, [4, 4, undefined, 4]],
    [
      'an ignored index is a key',
      'CREATE TABLE t (a INT, UNIQUE KEY i (a) IGNORED)',
      ({ t }) => [t!.keys, t!.indexes[0]!.invalid],
      [[{ ...key, columns: ['a'] }], true],
    ],
    ['native uuids', 'CREATE TABLE t (a UUID)', columnsOf('t', 'type', 'typeName'), { a: ['uuid', 'uuid'] }],
    [
      'leaves out sequences, and describes tables with versions',
      'CREATE SEQUENCE s; CREATE TABLE t (a INT) WITH SYSTEM VERSIONING',
      (tables) => Object.values(tables).map(({ name, kind }) => [name, kind]),
      [['t', 'table']],
    ],
  ],
}

describe.each(Object.entries(servers) as [keyof typeof servers, string | undefined][])('%s', (name, url) => {
  const hasServer = url !== undefined
  let connection: Connection
  const address = (user = 'urlwhere') =>
    Object.assign(new URL(url!), { protocol: 'mysql:', search: '', username: user, password: user, pathname: '' }).href
  beforeAll(async () => {
    if (!hasServer) return
    const { default: mysql2 } = await import('mysql2/promise')
    const { username, password } = new URL(url)
    const uri = Object.assign(new URL(address()), { username, password }).href
    connection = await mysql2.createConnection({ uri, multipleStatements: true })
  })
  afterAll(async () => {
    if (!hasServer) return
    await connection.query('DROP DATABASE IF EXISTS urlwhere_inspect; DROP USER IF EXISTS inspect_reader')
    await connection.end()
  })
  const runBy =
    (client: Connection): Run =>
    async (text, parameters) =>
      (await client.execute(text, parameters as string[]))[0] as object[]
  const describeOf = async (ddl: string, options: Partial<InspectOptions> = {}) => {
    await connection.query(
      'DROP DATABASE IF EXISTS urlwhere_inspect; CREATE DATABASE urlwhere_inspect; USE urlwhere_inspect',
    )
    if (ddl !== '') await connection.query(ddl)
    return inspect(runBy(connection), { dialect: name === 'mysql' ? mysql : mariadb, ...options })
  }

  test.skipIf(!hasServer).each([...cases, ...casesOf[name]])('%s', async (_, ddl, pick, expected) => {
    const database = await describeOf(ddl)
    expect(factsFor(database, pick)).toEqual(expected)
    expect(JSON.parse(JSON.stringify(database))).toStrictEqual(database)
  })

  test.skipIf(!hasServer)('the session, and its distance from UTC', async () => {
    await connection.query(
      `SET time_zone = '-05:00'; SET @before = @@sql_mode; SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'`,
    )
    const { engine, session } = await describeOf('')
    await connection.query(`SET time_zone = 'SYSTEM'; SET sql_mode = @before`)
    expect([engine, session]).toEqual([
      name,
      {
        version: expect.stringMatching(/^\d+\.\d+/) as string,
        searchPath: ['urlwhere_inspect'],
        timeZone: '-05:00',
        offset: -18_000,
        encoding: 'utf8mb4',
        collation: 'utf8mb4_unicode_ci',
        sqlMode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES',
      },
    ])
  })

  test.skipIf(!hasServer)('the engine is that of the server, not that of the dialect', async () => {
    const { engine } = await describeOf('', { dialect: name === 'mysql' ? mariadb : mysql })
    expect(engine).toBe(name)
  })

  test.skipIf(!hasServer)('databases of a list, one of which is missing', async () => {
    const { schemas, tables } = await describeOf('CREATE TABLE t (a INT)', { schema: ['urlwhere_inspect', "it's"] })
    expect(schemas).toEqual([
      { name: 'urlwhere_inspect', access: 'readable' },
      { name: "it's", access: 'missing' },
    ])
    expect(tables.map(({ schema }) => schema)).toEqual(['urlwhere_inspect'])
  })

  test.skipIf(!hasServer)('describes only the columns that the user may read', async () => {
    await describeOf(`CREATE TABLE t (a INT PRIMARY KEY, b INT); CREATE TABLE u (a INT); DROP USER IF EXISTS inspect_reader;
      CREATE USER inspect_reader IDENTIFIED BY 'inspect_reader'; GRANT SELECT (a) ON urlwhere_inspect.t TO inspect_reader`)
    const { default: mysql2 } = await import('mysql2/promise')
    const reader = await mysql2.createConnection({ uri: address('inspect_reader') })
    const { tables, schemas } = await inspect(runBy(reader), { dialect: mysql, schema: 'urlwhere_inspect' })
    const without = await inspect(runBy(reader), { dialect: mysql })
    await reader.end()
    expect(schemas).toEqual([{ name: 'urlwhere_inspect', access: 'readable' }])
    expect(tables.map((table) => [table.name, table.columns.map((column) => column.name)])).toEqual([['t', ['a']]])
    // Without a current database, a statement must name the database of a table.
    expect([without.schemas, without.tables, without.session.searchPath]).toEqual([[], [], []])
  })
})
