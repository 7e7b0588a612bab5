/** `inspect` describes tables of PostgreSQL, on PGlite and on the servers whose URLs the environment has. */
import { citext } from '@electric-sql/pglite/contrib/citext'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres, postgres17 } from '../../../src/backends/sql/index.ts'
import { inspect, type InspectOptions, type Run } from '../../../src/tools/inspect/index.ts'
import { columnsOf, of, factsFor, type Case } from '../../tools/inspect/facts.ts'
import { newPglite } from '../sql/pglite.ts'

interface Server {
  readonly run: Run
  readonly execute: (statements: string) => Promise<unknown>
  readonly close: () => Promise<void>
}
const { POSTGRES_URL, POSTGRES18_URL } = process.env
/** Creates a database: in the one of the URL, DocumentDB forbids all users but its own to read a catalogue. */
const byPg = async (url: string): Promise<Server> => {
  const { default: pg } = await import('pg')
  const owner = new pg.Client(url)
  await owner.connect()
  const name = 'urlwhere_inspect'
  await owner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await owner.query(`CREATE DATABASE ${name}`)
  const client = new pg.Client(Object.assign(new URL(url), { pathname: name }).href)
  await client.connect()
  return {
    run: async (text, parameters) => (await client.query<object>(text, parameters)).rows,
    execute: (statements) => client.query(statements),
    close: async () => {
      await client.end()
      await owner.query(`DROP DATABASE ${name}`)
      await owner.end()
    },
  }
}
const servers: Readonly<Record<string, () => Promise<Server>>> = {
  pglite: async () => {
    const client = await newPglite({ extensions: { citext } })
    return {
      run: async (text, parameters) => (await client.query<object>(text, parameters)).rows,
      execute: (statements) => client.exec(statements),
      close: () => client.close(),
    }
  },
  ...(POSTGRES_URL !== undefined && { 'postgres 15': () => byPg(POSTGRES_URL) }),
  ...(POSTGRES18_URL !== undefined && { 'postgres 18': () => byPg(POSTGRES18_URL) }),
}

const entry = { descending: false, nullsFirst: false }
const index = { method: 'btree', unique: false, primary: false, invalid: false, include: [] }

const cases: readonly Case[] = [
  [
    'types as the engine prints them',
    `CREATE TABLE t (a int, b varchar(20), c char(5), d numeric(10, 2), e numeric, f real, g timestamp(3), h timestamptz, i text[],
      j numeric(8, 3)[], k time, l interval, m "char", n bit(3))`,
    columnsOf('t', 'type', 'typeName', 'entry', 'length', 'precision', 'scale', 'digits'),
    {
      a: ['integer', 'int4', null, null, null, null, null],
      b: ['character varying(20)', 'varchar', null, 20, null, null, null],
      c: ['character(5)', 'bpchar', null, 5, null, null, null],
      d: ['numeric(10,2)', 'numeric', null, null, 10, 2, null],
      e: ['numeric', 'numeric', null, null, null, null, null],
      f: ['real', 'float4', null, null, null, null, null],
      g: ['timestamp(3) without time zone', 'timestamp', null, null, null, null, 3],
      h: ['timestamp with time zone', 'timestamptz', null, null, null, null, 6],
      i: ['text[]', 'text', 'text', null, null, null, null],
      j: ['numeric(8,3)[]', 'numeric', 'numeric(8,3)', null, 8, 3, null],
      k: ['time without time zone', 'time', null, null, null, null, 6],
      l: ['interval', 'interval', null, null, null, null, null],
      m: ['"char"', 'char', null, null, null, null, null],
      n: ['bit(3)', 'bit', null, null, null, null, null],
    },
  ],
  [
    'domains over domains, with the NOT NULL and the modifier of each',
    `CREATE DOMAIN price AS numeric(10, 2) NOT NULL; CREATE DOMAIN cost AS price; CREATE DOMAIN code AS varchar(5);
    CREATE DOMAIN short AS code; CREATE TABLE t (a cost, b short, c short NOT NULL)`,
    columnsOf('t', 'type', 'base', 'typeName', 'notNull', 'precision', 'length'),
    {
      a: ['cost', 'numeric(10,2)', 'numeric', true, 10, null],
      b: ['short', 'character varying(5)', 'varchar', false, null, 5],
      c: ['short', 'character varying(5)', 'varchar', true, null, 5],
    },
  ],
  [
    'arrays of domains, domains over arrays, and both',
    `CREATE DOMAIN code AS varchar(5); CREATE DOMAIN short AS code NOT NULL; CREATE DOMAIN codes AS short[];
    CREATE DOMAIN texts AS text[]; CREATE TABLE t (a short[], b texts, c codes)`,
    columnsOf('t', 'type', 'base', 'entry', 'typeName', 'length', 'notNull'),
    {
      a: ['short[]', null, 'character varying(5)', 'varchar', 5, false],
      b: ['texts', 'text[]', 'text', 'text', null, false],
      c: ['codes', 'short[]', 'character varying(5)', 'varchar', 5, false],
    },
  ],
  [
    'enumerations in the order of the type, also in arrays and domains',
    `CREATE TYPE mood AS ENUM ('sad', 'it''s, ok', ''); ALTER TYPE mood ADD VALUE 'new' BEFORE 'sad'; CREATE DOMAIN felt AS mood;
    CREATE TABLE t (a mood, b felt[])`,
    columnsOf('t', 'typeName', 'enum'),
    { a: ['mood', ['new', 'sad', `it's, ok`, '']], b: ['mood', ['new', 'sad', `it's, ok`, '']] },
  ],
  [
    'generated columns, identities and defaults',
    `CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY, b int GENERATED BY DEFAULT AS IDENTITY, c int GENERATED ALWAYS AS (1 + 2) STORED,
      d text DEFAULT 'it''s', e int)`,
    columnsOf('t', 'identity', 'generated', 'default', 'notNull'),
    {
      a: ['always', null, null, true],
      b: ['by default', null, null, true],
      c: [null, 'stored', null, false],
      d: [null, null, `'it''s'::text`, false],
      e: [null, null, null, false],
    },
  ],
  [
    'leaves out dropped columns',
    'CREATE TABLE t (a int, b int, c int); CREATE INDEX i ON t (c); ALTER TABLE t DROP COLUMN b',
    ({ t }) => [t!.columns.map(({ name }) => name), t!.indexes[0]!.entries],
    [['a', 'c'], [{ ...entry, column: 'c' }]],
  ],
  [
    'collations, and whether they are deterministic',
    `CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE DOMAIN c AS text COLLATE "C"; CREATE TABLE t (a text, b text COLLATE "C", c text COLLATE blind, d c, e int)`,
    columnsOf('t', 'collation'),
    {
      a: [{ name: 'default', deterministic: true }],
      b: [{ name: 'C', deterministic: true }],
      c: [{ name: 'blind', deterministic: false }],
      d: [{ name: 'C', deterministic: true }],
      e: [null],
    },
  ],
  [
    'keys: PRIMARY KEY, UNIQUE, and a unique index, which information_schema lacks',
    `CREATE TABLE t (a int, b int, c int UNIQUE, d int, PRIMARY KEY (b, a)); CREATE UNIQUE INDEX z ON t (d, c)`,
    of('t', 'keys'),
    [
      { columns: ['b', 'a'], primary: true, nullsDistinct: true },
      { columns: ['c'], primary: false, nullsDistinct: true },
      { columns: ['d', 'c'], primary: false, nullsDistinct: true },
    ],
  ],
  [
    'NULLS NOT DISTINCT',
    `CREATE TABLE t (a int, UNIQUE NULLS NOT DISTINCT (a))`,
    of('t', 'keys'),
    [{ columns: ['a'], primary: false, nullsDistinct: false }],
  ],
  [
    'partial and invalid indexes and indexes of expressions are not keys',
    `CREATE TABLE t (a int, b text); CREATE UNIQUE INDEX i ON t (a) WHERE b IS NULL; CREATE UNIQUE INDEX j ON t (lower(b));
    CREATE UNIQUE INDEX k ON t (b); UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'k'::regclass`,
    ({ t }) => [t!.keys, t!.indexes.map(({ name, invalid, predicate = null }) => [name, invalid, predicate])],
    [
      [],
      [
        ['i', false, 'b IS NULL'],
        ['j', false, null],
        ['k', true, null],
      ],
    ],
  ],
  [
    'DESC, NULLS FIRST, classes, collations, expressions and INCLUDE',
    `CREATE TABLE t (a int, b text, c text COLLATE "C", d jsonb);
    CREATE INDEX i ON t (a DESC, b NULLS FIRST, (lower(b || ',')) COLLATE "C" DESC NULLS LAST, c text_pattern_ops) INCLUDE (d, a);
    CREATE INDEX j ON t USING gin (d jsonb_path_ops)`,
    of('t', 'indexes'),
    [
      {
        ...index,
        name: 'i',
        include: ['d', 'a'],
        entries: [
          { column: 'a', descending: true, nullsFirst: true },
          { column: 'b', descending: false, nullsFirst: true, collation: 'default' },
          { expression: `lower(b || ','::text)`, descending: true, nullsFirst: false, collation: 'C' },
          { ...entry, column: 'c', class: 'text_pattern_ops', collation: 'C' },
        ],
      },
      { ...index, name: 'j', method: 'gin', entries: [{ ...entry, column: 'd', class: 'jsonb_path_ops' }] },
    ],
  ],
  [
    'foreign keys of several columns, NOT VALID, DEFERRABLE, and one to a partitioned table',
    `CREATE TABLE p (a int, b int, PRIMARY KEY (b, a)) PARTITION BY LIST (b); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
    CREATE TABLE "q ""x" (id int PRIMARY KEY);
    CREATE TABLE t (x int, y int, z int, CONSTRAINT one FOREIGN KEY (x, y) REFERENCES p (a, b));
    ALTER TABLE t ADD CONSTRAINT two FOREIGN KEY (z) REFERENCES "q ""x" NOT VALID;
    ALTER TABLE t ADD CONSTRAINT two_late FOREIGN KEY (z) REFERENCES "q ""x" DEFERRABLE`,
    of('t', 'foreignKeys'),
    [
      { name: 'one', columns: ['x', 'y'], table: ['inspected', 'p'], key: ['a', 'b'], validated: true },
      { name: 'two', columns: ['z'], table: ['inspected', 'q "x'], key: ['id'], validated: false },
      {
        name: 'two_late',
        columns: ['z'],
        table: ['inspected', 'q "x'],
        key: ['id'],
        validated: true,
        deferrable: true,
      },
    ],
  ],
  [
    'partitions, tables that inherit, views',
    `CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
    CREATE TABLE old (a int); CREATE TABLE inherits () INHERITS (old); CREATE VIEW v AS SELECT a FROM p;
    CREATE MATERIALIZED VIEW m AS SELECT a FROM p; CREATE UNIQUE INDEX i ON m (a)`,
    (tables) =>
      Object.values(tables).map(({ name, kind, partitionOf = null, keys }) => [name, kind, partitionOf, keys.length]),
    [
      ['inherits', 'table', null, 0],
      ['m', 'materialized view', null, 1],
      ['old', 'table', null, 0],
      ['p', 'partitioned', null, 0],
      ['p1', 'table', ['inspected', 'p'], 0],
      ['v', 'view', null, 0],
    ],
  ],
  [
    'leaves out sequences and types',
    'CREATE TABLE t (a serial); CREATE TYPE pair AS (a int, b int)',
    Object.keys,
    ['t'],
  ],
  [
    'counts of rows and of distinct values by ANALYZE, as a number and as a share of the rows',
    `CREATE TABLE t (a int, b int); INSERT INTO t SELECT i % 4, i FROM generate_series(1, 1000) AS i; ANALYZE t`,
    ({ t }) => [t!.rows, ...t!.columns.map(({ distinct }) => distinct)],
    [1000, 4, 1000],
  ],
  [
    'the rows of a partitioned table are the sum of its partitions',
    `CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
    CREATE TABLE p2 PARTITION OF p FOR VALUES IN (2); INSERT INTO p VALUES (1), (1), (2); ANALYZE p1; ANALYZE p2`,
    of('p', 'rows'),
    3,
  ],
  ['row-level security', 'CREATE TABLE t (a int); ALTER TABLE t ENABLE ROW LEVEL SECURITY', of('t', 'rls'), true],
]

describe.each(Object.entries(servers))('%s', (name, open) => {
  let server: Server
  beforeAll(async () => void (server = await open()))

  const clear = `RESET ROLE; DROP SCHEMA IF EXISTS inspected, "it's" CASCADE; DROP ROLE IF EXISTS urlwhere_reader;
    CREATE SCHEMA inspected; SET search_path = inspected; SET client_min_messages = warning`
  const describeOf = async (ddl: string, options: Partial<InspectOptions> = {}) => {
    await server.execute(clear)
    await server.execute(ddl)
    return inspect(server.run, { dialect: postgres, ...options })
  }
  afterAll(async () => {
    await server.execute(clear)
    await server.close()
  })

  test.each(cases)('%s', async (_, ddl, pick, expected) => {
    const database = await describeOf(ddl)
    expect(factsFor(database, pick)).toEqual(expected)
    expect(JSON.parse(JSON.stringify(database))).toStrictEqual(database)
  })

  test('the session', async () => {
    const { engine, session } = await describeOf(
      `SET TimeZone = 'America/New_York'; SET extra_float_digits = 0; SET search_path = inspected, absent, "$user"`,
    )
    await server.execute('RESET TimeZone; RESET extra_float_digits')
    expect([engine, session]).toEqual([
      'postgres',
      {
        version: expect.stringMatching(/^1\d\./) as string,
        searchPath: ['inspected'],
        timeZone: 'America/New_York',
        offset: expect.toSatisfy((offset) => offset === -18_000 || offset === -14_400) as number,
        encoding: 'UTF8',
        collation: expect.stringMatching(/^C/) as string,
        ctype: expect.stringMatching(/^C/) as string,
        provider: 'c',
        extraFloatDigits: 0,
        extensions: expect.objectContaining({ plpgsql: '1.0' }) as object,
      },
    ])
  })

  test('leaves out the tables of an extension', async () => {
    const ofExtension = 'ALTER EXTENSION plpgsql ADD TABLE own'
    const { tables } = await describeOf(`CREATE TABLE t (a int); CREATE TABLE own (a int); ${ofExtension}`)
    // Otherwise, DROP SCHEMA drops the extension, too.
    await server.execute(ofExtension.replace('ADD', 'DROP'))
    expect(tables.map(({ name }) => name)).toEqual(['t'])
  })

  test('describes all keys to a user who may read two columns', async () => {
    const { tables } = await describeOf(
      `CREATE TABLE t (id int PRIMARY KEY, a int UNIQUE, b int); CREATE TABLE u (id int PRIMARY KEY);
      CREATE ROLE urlwhere_reader; GRANT USAGE ON SCHEMA inspected TO urlwhere_reader;
      GRANT SELECT (id, a) ON t TO urlwhere_reader; SET ROLE urlwhere_reader`,
    )
    expect(tables.map(({ name, readable, keys }) => [name, readable, keys.length])).toEqual([
      ['t', true, 2],
      ['u', false, 1],
    ])
    expect(tables[0]!.columns.map(({ name, readable }) => [name, readable])).toEqual([
      ['id', true],
      ['a', true],
      ['b', false],
    ])
  })

  test('describes a schema without USAGE as denied', async () => {
    const ddl = 'CREATE TABLE t (id int); CREATE ROLE urlwhere_reader; SET ROLE urlwhere_reader'
    const byPath = await describeOf(ddl)
    expect([byPath.schemas, byPath.tables, byPath.session.searchPath]).toEqual([
      [{ name: 'inspected', access: 'denied' }],
      [],
      [],
    ])
    const byName = await describeOf(ddl, { schema: ['inspected', 'absent', 'pg_catalog'] })
    expect(byName.schemas).toEqual([
      { name: 'inspected', access: 'denied' },
      { name: 'absent', access: 'missing' },
      { name: 'pg_catalog', access: 'readable' },
    ])
    expect(byName.tables.some(({ schema }) => schema !== 'pg_catalog')).toBe(false)
  })

  test('schemas of the search path in quotes, of a list, and of types of columns', async () => {
    const ddl = `CREATE SCHEMA "it's"; CREATE TYPE "it's".kind AS ENUM ('a'); CREATE TABLE "it's".t (a "it's".kind);
      CREATE TABLE t (a "it's".kind); SET search_path = "it's", INSPECTED, absent`
    const expected = [
      { name: "it's", access: 'readable' },
      { name: 'inspected', access: 'readable' },
    ]
    const byPath = await describeOf(ddl)
    expect(byPath.schemas).toEqual(expected)
    expect(byPath.tables.map(({ schema, name, columns: [a] }) => [schema, name, a!.typeSchema, a!.enum])).toEqual([
      ['inspected', 't', "it's", ['a']],
      ["it's", 't', "it's", ['a']],
    ])
    const byName = await describeOf(ddl, { schema: "it's", dialect: postgres17 })
    expect([byName.schemas, byName.tables.length]).toEqual([expected.slice(0, 1), 1])
  })

  test.skipIf(name === 'postgres 15')(
    'virtual generated columns, and NOT NULL with NOT VALID, of PostgreSQL 18',
    async () => {
      const { tables } = await describeOf(
        `CREATE TABLE t (a int, b int GENERATED ALWAYS AS (a + 1) VIRTUAL); INSERT INTO t VALUES (NULL);
      ALTER TABLE t ADD CONSTRAINT n NOT NULL a NOT VALID`,
      )
      expect(columnsOf('t', 'generated', 'notNull')({ t: tables[0]! })).toEqual({
        a: [null, false],
        b: ['virtual', false],
      })
    },
  )
})
