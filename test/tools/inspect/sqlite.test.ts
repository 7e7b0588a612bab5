/** `inspect` describes tables of SQLite. Each case has a trap, the statements that create its tables, and the facts by hand. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { d1, libsql, sqlite, turso } from '../../../src/backends/sql/index.ts'
import { inspect, type Database, type InspectOptions, type Run } from '../../../src/tools/inspect/index.ts'
import { columnsOf, of, factsFor, type Case, type Pick } from './facts.ts'

const open = (ddl: string) => {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false, defensive: false })
  database.exec(ddl)
  return database
}
const runOn =
  (database: DatabaseSync): Run =>
  (text, parameters) =>
    database.prepare(text).all(...(parameters as string[]))
const describeOf = (ddl: string, options: Partial<InspectOptions> = {}): Promise<Database> =>
  inspect(runOn(open(ddl)), { dialect: sqlite, ...options })

const ascending = { descending: false, nullsFirst: true, collation: 'BINARY' }
const index = { method: 'btree', unique: false, primary: false, invalid: false, include: [] }

const formsOf =
  (name: string): Pick =>
  (tables) =>
    Object.fromEntries(tables[name]!.columns.map((column) => [column.name, column.sample!.forms]))

const cases: readonly Case[] = [
  [
    'types and affinities',
    'CREATE TABLE t (a INTEGER, b VARCHAR(20), c, d DECIMAL(10, 2), e DOUBLE, f BLOB, g DATETIME, h FLOATING POINT)',
    columnsOf('t', 'type', 'typeName'),
    {
      a: ['INTEGER', 'INTEGER'],
      b: ['VARCHAR(20)', 'TEXT'],
      c: ['', 'BLOB'],
      d: ['DECIMAL(10, 2)', 'NUMERIC'],
      e: ['DOUBLE', 'REAL'],
      f: ['BLOB', 'BLOB'],
      g: ['DATETIME', 'NUMERIC'],
      // SQLite reads INT in "POINT".
      h: ['FLOATING POINT', 'INTEGER'],
    },
  ],
  ['ANY of a STRICT table', 'CREATE TABLE t (a ANY) STRICT', columnsOf('t', 'typeName'), { a: ['ANY'] }],
  [
    'the collation of a column, which no pragma returns',
    'CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT, "c,d" TEXT COLLATE rtrim, [e"f] TEXT COLLATE NOCASE); CREATE INDEX i ON t (b)',
    columnsOf('t', 'collation'),
    {
      a: [{ name: 'NOCASE' }],
      b: [{ name: 'BINARY' }],
      'c,d': [{ name: 'RTRIM' }],
      'e"f': [{ name: 'NOCASE' }],
    },
  ],
  [
    'the collation of a column with an index of the same order',
    'CREATE TABLE t (a TEXT COLLATE NOCASE); CREATE INDEX i ON t (a)',
    columnsOf('t', 'collation'),
    { a: [{ name: 'NOCASE' }] },
  ],
  [
    'a PRIMARY KEY may be NULL',
    'CREATE TABLE t (a TEXT PRIMARY KEY, b INT NOT NULL)',
    columnsOf('t', 'notNull'),
    { a: [false], b: [true] },
  ],
  [
    'an INTEGER PRIMARY KEY is NOT NULL',
    'CREATE TABLE t (a INTEGER PRIMARY KEY)',
    columnsOf('t', 'notNull'),
    { a: [true] },
  ],
  [
    'an INTEGER PRIMARY KEY DESC is not the rowid, and may be NULL',
    'CREATE TABLE t (a INTEGER PRIMARY KEY DESC)',
    columnsOf('t', 'notNull'),
    { a: [false] },
  ],
  ['an INT PRIMARY KEY may be NULL', 'CREATE TABLE t (a INT PRIMARY KEY)', columnsOf('t', 'notNull'), { a: [false] }],
  [
    'a PRIMARY KEY WITHOUT ROWID is NOT NULL',
    'CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID',
    columnsOf('t', 'notNull'),
    { a: [true] },
  ],
  [
    'a PRIMARY KEY of a STRICT table is NOT NULL',
    'CREATE TABLE t (a TEXT PRIMARY KEY) STRICT',
    columnsOf('t', 'notNull'),
    { a: [true] },
  ],
  ['STRICT', 'CREATE TABLE t (a TEXT) STRICT', of('t', 'strict'), true],
  ['a table without STRICT', 'CREATE TABLE t (a TEXT)', of('t', 'strict'), false],
  ['WITHOUT ROWID', 'CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID', of('t', 'withoutRowid'), true],
  [
    'generated columns, which table_info leaves out',
    'CREATE TABLE t (a INT, b INT AS (a + 1), c INT AS (a + 2) STORED)',
    columnsOf('t', 'generated'),
    { a: [null], b: ['virtual'], c: ['stored'] },
  ],
  [
    'defaults as SQL',
    `CREATE TABLE t (a TEXT DEFAULT 'it''s', b TEXT DEFAULT current_timestamp, c INT DEFAULT (1 + 1), d TEXT DEFAULT NULL)`,
    columnsOf('t', 'default'),
    { a: [`'it''s'`], b: ['current_timestamp'], c: ['1 + 1'], d: ['NULL'] },
  ],
  [
    'keys: PRIMARY KEY, UNIQUE and a unique index',
    'CREATE TABLE t (a INT, b INT, c INT, d INT UNIQUE, PRIMARY KEY (b, a)); CREATE UNIQUE INDEX i ON t (c, b)',
    of('t', 'keys'),
    [
      { columns: ['b', 'a'], primary: true, nullsDistinct: true },
      { columns: ['c', 'b'], primary: false, nullsDistinct: true },
      { columns: ['d'], primary: false, nullsDistinct: true },
    ],
  ],
  [
    'partial indexes and indexes of expressions are not keys',
    'CREATE TABLE t (a INT, b TEXT); CREATE UNIQUE INDEX i ON t (a) WHERE b IS NULL; CREATE UNIQUE INDEX j ON t (lower(b))',
    of('t', 'keys'),
    [],
  ],
  [
    'the rowid is an index',
    'CREATE TABLE t (a INTEGER PRIMARY KEY)',
    of('t', 'indexes'),
    [
      {
        ...index,
        name: 'rowid',
        method: 'rowid',
        unique: true,
        primary: true,
        entries: [{ ...ascending, column: 'a' }],
      },
    ],
  ],
  [
    'directions and collations of an index',
    'CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT); CREATE INDEX i ON t (b COLLATE rtrim DESC, a)',
    of('t', 'indexes'),
    [
      {
        ...index,
        name: 'i',
        entries: [
          { column: 'b', descending: true, nullsFirst: false, collation: 'RTRIM' },
          { ...ascending, column: 'a', collation: 'NOCASE' },
        ],
      },
    ],
  ],
  [
    'expressions and the condition, parsed from the text of the index',
    `CREATE TABLE t (a TEXT, b TEXT);
    CREATE INDEX "i(, x" ON t ((lower(a)) COLLATE NOCASE DESC, substr(b, 1, ')') /* a, b) */, b, "a" || ',' -- )
      ) WHERE a <> ' WHERE (' AND b > ','`,
    of('t', 'indexes'),
    [
      {
        ...index,
        name: 'i(, x',
        predicate: `a <> ' WHERE (' AND b > ','`,
        entries: [
          { expression: 'lower(a)', descending: true, nullsFirst: false, collation: 'NOCASE' },
          { ...ascending, expression: `substr(b, 1, ')')` },
          { ...ascending, column: 'b' },
          { ...ascending, expression: `"a" || ','` },
        ],
      },
    ],
  ],
  [
    'REFERENCES without columns, names in another case, a missing table',
    `CREATE TABLE p (a INT, b INT, "c d" INT UNIQUE, PRIMARY KEY (b, a));
    CREATE TABLE t (x INT, y INT REFERENCES P ("C D"), z INT REFERENCES absent (id), FOREIGN KEY (x, y) REFERENCES P)`,
    of('t', 'foreignKeys'),
    [
      { columns: ['y'], table: ['main', 'p'], key: ['c d'], validated: true },
      { columns: ['z'], table: ['main', 'absent'], key: ['id'], validated: true },
      { columns: ['x', 'y'], table: ['main', 'p'], key: ['b', 'a'], validated: true },
    ],
  ],
  [
    'columns of views have a collation, and those of a table a type',
    `CREATE TABLE t (a TEXT COLLATE NOCASE, id INTEGER); CREATE VIEW v AS SELECT a, id, id + 1 AS n FROM t`,
    columnsOf('v', 'type', 'collation'),
    { a: ['TEXT', { name: 'NOCASE' }], id: ['INTEGER', { name: 'BINARY' }], n: ['', { name: 'BINARY' }] },
  ],
  [
    'a view of a dropped table is not readable, and the other tables are',
    `CREATE TABLE absent (a INT); CREATE VIEW v AS SELECT * FROM absent; DROP TABLE absent; CREATE TABLE t (a INT)`,
    (tables) => Object.values(tables).map(({ name, readable, columns }) => [name, readable, columns.length]),
    [
      ['t', true, 1],
      ['v', false, 0],
    ],
  ],
  [
    'a view with ORDER BY and LIMIT',
    `CREATE TABLE t (a TEXT COLLATE NOCASE, b INT); CREATE VIEW v AS SELECT a, b FROM t ORDER BY b, b + 1 LIMIT 5`,
    columnsOf('v', 'collation'),
    { a: [{ name: 'NOCASE' }], b: [{ name: 'BINARY' }] },
  ],
  [
    'virtual tables, without their hidden columns and their shadow tables',
    `CREATE VIRTUAL TABLE t USING fts5 (x)`,
    (tables) =>
      Object.values(tables).map(({ name, kind, columns }) => [name, kind, columns.map((column) => column.name)]),
    [['t', 'virtual', ['x']]],
  ],
  [
    'leaves out tables of the engine',
    `CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE _cf_METADATA (a INT); INSERT INTO t VALUES (1); ANALYZE`,
    Object.keys,
    ['t'],
  ],
  [
    'counts of rows and of distinct values by ANALYZE, or of the sample for a column without an index',
    `CREATE TABLE t (a INT, b INT); CREATE INDEX i ON t (a, b); CREATE INDEX j ON t (b) WHERE a = 1;
    INSERT INTO t SELECT value % 4, value FROM json_each('[1,2,3,4,5,6,7,8]'); ANALYZE`,
    ({ t }) => [t!.rows, ...t!.columns.map(({ distinct }) => distinct)],
    [8, 4, 8],
  ],
  [
    'forms of numbers',
    `CREATE TABLE t (id, a);
    INSERT INTO t (a) VALUES (0), (1), (-1), (2), (1700000000), (1700000000000), (9007199254740992), (1.5), (2.0), (9e999),
      (2451545.5), (NULL), (x'00')`,
    ({ t }) => t!.columns[1]!.sample,
    {
      distinct: 12,
      forms: {
        bit: 2,
        minusOne: 1,
        integer: 1,
        seconds: 1,
        milliseconds: 1,
        large: 1,
        real: 1,
        whole: 1,
        infinite: 1,
        julianDay: 1,
        null: 1,
        blob: 1,
      },
    },
  ],
  [
    'forms of texts',
    `CREATE TABLE t (date, iso0, iso3, iso6, sql, "any", id, "upper", digits, json, "text");
    INSERT INTO t VALUES ('2024-01-31', '2024-01-31T10:00:00Z', '2024-01-31T10:00:00.123Z', '2024-01-31T10:00:00.123456Z',
      '2024-01-31 10:00:00', '2024-01-31T10:00:00+01:00', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      'A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11', '1700000000', '{"a": 1}', '2024-02-31'),
      ('2024-01-31', '2024-01-31T10:00:00Z', '2024-01-31T10:00:00.123Z', '2024-01-31T10:00:00.123456Z',
      '2024-01-31 10:00:00', '2024-01-31 10:00:00.123Z', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '007', '[1]', '{"a": ')`,
    formsOf('t'),
    {
      date: { date: 2 },
      iso0: { isoText0: 2 },
      iso3: { isoText3: 2 },
      iso6: { isoText6: 2 },
      sql: { sqlText: 2 },
      any: { anyText: 2 },
      id: { uuid: 2 },
      upper: { upperUuid: 2 },
      digits: { digits: 2 },
      json: { json: 2 },
      text: { text: 2 },
    },
  ],
]

test.each(cases)('%s', async (_, ddl, pick, expected) => {
  expect(factsFor(await describeOf(ddl), pick)).toEqual(expected)
})

test.each(cases)('a description is plain JSON: %s', async (_, ddl) => {
  const database = await describeOf(ddl)
  expect(JSON.parse(JSON.stringify(database))).toStrictEqual(database)
})

describe('the sample', () => {
  const ddl = `CREATE TABLE t (a INT); INSERT INTO t VALUES (5), (6), (7)`
  test.each([
    [undefined, 3, true],
    [2, 2, false],
    // The table may have a fourth row.
    [3, 3, false],
    ['all', 3, true],
    [0, undefined, undefined],
  ] as const)('of %s rows', async (sample, sampledRows, wholeTable) => {
    const { tables } = await describeOf(ddl, sample === undefined ? {} : { sample })
    expect([tables[0]!.sampledRows, tables[0]!.wholeTable]).toEqual([sampledRows, wholeTable])
    expect(tables[0]!.columns[0]!.sample === undefined).toBe(sample === 0)
  })
})

describe('schemas', () => {
  const ddl = `ATTACH ':memory:' AS "it's"; CREATE TABLE t (a INT); CREATE TABLE "it's".u (a TEXT COLLATE NOCASE);
    CREATE INDEX "it's".i ON u (lower(a))`
  test('the default is main', async () => {
    const { schemas, tables, session } = await describeOf(ddl)
    expect([schemas, tables.map(({ name }) => name)]).toEqual([[{ name: 'main', access: 'readable' }], ['t']])
    expect(session).toEqual({
      version: expect.stringMatching(/^3\./) as string,
      searchPath: ['main'],
      encoding: 'UTF-8',
    })
  })
  test('of attached files, and a missing one', async () => {
    const { schemas, tables } = await describeOf(ddl, { schema: ["it's", 'absent'] })
    expect(schemas).toEqual([
      { name: "it's", access: 'readable' },
      { name: 'absent', access: 'missing' },
    ])
    expect(tables.map(({ schema, name, columns, indexes }) => [schema, name, columns[0]!.collation, indexes])).toEqual([
      ["it's", 'u', { name: 'NOCASE' }, [{ ...index, name: 'i', entries: [{ ...ascending, expression: 'lower(a)' }] }]],
    ])
  })
})

describe('the engine of a dialect', () => {
  test.each([d1, libsql, turso, { ...sqlite, name: 'mine' }])('$name has the engine sqlite', async (dialect) => {
    expect((await describeOf('', { dialect })).engine).toBe('sqlite')
  })
  test('inspect rejects a dialect without an engine', async () => {
    const { engine: _, ...mine } = { ...sqlite, name: 'mine' }
    await expect(describeOf('', { dialect: mine })).rejects.toThrow(/^the dialect mine has no engine: /)
  })
})

describe('inspect rejects', () => {
  test.each<[Partial<InspectOptions>, string]>([
    [{ sample: -1 }, `options.sample must be a number of rows, or 'all', not -1`],
    [{ sample: Number.NaN }, `options.sample must be a number of rows, or 'all', not NaN`],
    [{ schema: [] }, 'options.schema is an empty list: name a schema, or leave it out'],
    [
      { schemas: 'a' } as object,
      'options.schemas is unknown; did you mean schema? (available: dialect, schema, sample)',
    ],
  ])('%j', async (options, message) => {
    await expect(describeOf('', options)).rejects.toThrow(new TypeError(message))
  })

  const advice = 'It must return a list of rows, each an object or an array, as the driver made them'
  test.each<[string, unknown, string]>([
    ['the result of pg', { rows: [] }, `run returned no list of rows, but an object with rows. ${advice}`],
    ['undefined', undefined, `run returned no list of rows, but undefined. ${advice}`],
    [
      'the result of mysql2',
      [[{ c1: '[]' }], []],
      `run returned a row whose c1 is not JSON: an object with c1. ${advice}`,
    ],
    ['other names of columns', [{ C1: '1' }], `run returned a row without the column c1: an object with C1. ${advice}`],
    ['a number as a row', [3], `run returned a row without the column c1: 3. ${advice}`],
    ['a text that is not JSON', [{ c1: 'main' }], `run returned a row whose c1 is not JSON: main. ${advice}`],
  ])('a run that returns %s', async (_, rows, message) => {
    const run = (() => rows) as Run
    const described = inspect(run, { dialect: sqlite })
    await expect(described).rejects.toThrow(TypeError)
    await expect(described).rejects.toThrow(message)
  })

  test('a connection that fails while it reads a view', async () => {
    const run = runOn(open('CREATE TABLE absent (a); CREATE VIEW v AS SELECT * FROM absent; DROP TABLE absent'))
    const failing: Run = (text, parameters) => {
      if (/FROM \(SELECT|json_array\(\)/.test(text)) throw new Error('connection lost')
      return run(text, parameters)
    }
    await expect(inspect(failing, { dialect: sqlite })).rejects.toThrow('connection lost')
  })
})

describe('rows of drivers', () => {
  const ddl = `CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER); INSERT INTO t VALUES ('x', 1)`
  test.each<[string, (row: object) => unknown]>([
    ['arrays', (row) => Object.values(row)],
    [
      'parsed JSON',
      (row) => (Object.hasOwn(row, 'c1') ? { c1: JSON.parse((row as { c1: string }).c1) as unknown } : row),
    ],
  ])('%s', async (_, turn) => {
    const database = open(ddl)
    const turned: Run = (text, parameters) =>
      database
        .prepare(text)
        .all(...(parameters as string[]))
        .map(turn)
    expect(await inspect(turned, { dialect: sqlite })).toEqual(await inspect(runOn(database), { dialect: sqlite }))
  })
})
