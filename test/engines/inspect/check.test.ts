/** `checkColumns` returns one finding for each wrong mapping, with its sentence, and no finding for a right one. */
import { describe, expect, test } from 'vitest'
import { arrayColumn, childTable, column, jsonColumn, parentTable, table } from '../../../src/backends/sql/index.ts'
import type { ColumnOptions, Dialect } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, type Collection, type Field } from '../../../src/index.ts'
import { check, checkColumns, inspect, type Finding } from '../../../src/tools/inspect/index.ts'
import { dialectOf, openAllEngines } from '../sql/all-engines.ts'
import type { Engine } from '../sql/engines.ts'

const engines = await openAllEngines(true)
for (const engine of engines)
  if (dialectOf(engine) === 'postgres') await engine.run('CREATE EXTENSION IF NOT EXISTS citext')

/** A column `v`, its field and mapping, some values as SQL, and the one finding: its code, its sentence without the table, and its fix. */
type Line = readonly [
  declared: string,
  field: Field,
  mapping: ColumnOptions[string] | undefined,
  values: readonly string[],
  code: Finding['code'],
  sentence: string,
  fix?: string,
]
const as = (type: string, digits?: number) => column<string>('v', { type, ...(digits !== undefined && { digits }) })
const { string, integer, number, boolean, date, datetime, uuid, decimal, bigint } = field
const bits = 'a value of 32 bits equals no operand of 64: equality finds nothing, and pages repeat'
const digits = 'an operand of 64 bits has 15 digits'
const list = (entry: Parameters<typeof field.list>[0]) => field.list(entry)
const noField = 'no field holds it'

const postgres: readonly Line[] = [
  [
    'real',
    number(),
    undefined,
    ['12.3'],
    'column_type',
    `v is real, and the mapping reads it as double precision: ${bits}`,
    "column('v', { type: 'real' })",
  ],
  [
    'real[]',
    list(number()),
    arrayColumn('v', { type: 'double precision' }),
    [],
    'column_type',
    `v is real[], and the mapping reads it as double precision: ${bits}`,
    "arrayColumn('v', { type: 'real' })",
  ],
  [
    'char(5)',
    string(),
    undefined,
    ["'a'"],
    'column_type',
    'v is character(5), and the mapping reads it as text: it pads values with spaces, which the text lacks',
    "column('v', { type: 'char' })",
  ],
  [
    'citext',
    string(),
    undefined,
    [],
    'column_type',
    'v is citext, and the mapping reads it as text: its order ignores case, and a cursor does not: rows are lost',
    "column('v', { type: 'citext' })",
  ],
  [
    'timestamp',
    datetime(),
    undefined,
    [],
    'column_type',
    'v is timestamp without time zone, and the mapping reads it as timestamptz: PostgreSQL reads it in the zone of the session, here ZONE: pages repeat',
    "column('v', { type: 'timestamp' })",
  ],
  [
    'timestamptz',
    date(),
    undefined,
    [],
    'column_type',
    'v is timestamp with time zone, and the mapping reads it as date: it has a time of day, which a date lacks',
    'field.datetime()',
  ],
  [
    'numeric',
    number(),
    undefined,
    ['1'],
    'column_type',
    `v is numeric, and the mapping reads it as double precision: ${digits}`,
    "column('v', { type: 'numeric' })",
  ],
  [
    'numeric(30,2)',
    number(),
    undefined,
    [],
    'column_type',
    `v is numeric(30,2), and the mapping reads it as double precision: ${digits}`,
    "column('v', { type: 'numeric' })",
  ],
  [
    'text',
    uuid(),
    undefined,
    [],
    'column_type',
    'v is text, and the mapping reads it as uuid: the first filter is an error of the database',
    "column('v', { type: 'text' })",
  ],
  [
    'json',
    field.object({ a: string() }),
    jsonColumn('v'),
    [],
    'column_type',
    'v is json, and the mapping reads it as JSON: PostgreSQL compares jsonb alone: make it jsonb, or name the type',
    "jsonColumn('v', { type: 'json' })",
  ],
  [
    'jsonb',
    string(),
    undefined,
    [],
    'column_type',
    'v is jsonb, and the mapping reads it as text: jsonColumn alone reads its members',
    "jsonColumn('v')",
  ],
  [
    'bytea',
    string(),
    undefined,
    [],
    'column_type',
    `v is bytea, and the mapping reads it as text: ${noField}`,
    'leave the field out',
  ],
  [
    'tsvector',
    string(),
    undefined,
    [],
    'column_type',
    `v is tsvector, and the mapping reads it as text: ${noField}`,
    'leave the field out',
  ],
  [
    'inet',
    string(),
    undefined,
    [],
    'column_type',
    `v is inet, and the mapping reads it as text: ${noField}`,
    'leave the field out',
  ],
  [
    'interval',
    string(),
    undefined,
    [],
    'column_type',
    `v is interval, and the mapping reads it as text: ${noField}`,
    'leave the field out',
  ],
  [
    'time',
    string(),
    undefined,
    [],
    'column_type',
    'v is time without time zone, and the mapping reads it as text: the first filter is an error of the database',
    "column('v', { type: 'time' })",
  ],
  [
    'text',
    datetime(),
    as('text'),
    ["'2024-02-29T10:00:00Z'"],
    'values',
    'v has values that its type cannot read (all 1 rows): rows show null for them',
    "a type of column('v', { type }) that reads them, or other values",
  ],
  [
    'text',
    datetime(),
    as('text', 3),
    ["'2024-02-29 10:00:00'"],
    'values',
    'v has values that its type cannot read (all 1 rows): rows show null for them',
    "a type of column('v', { type }) that reads them, or other values",
  ],
  [
    'double precision',
    number(),
    undefined,
    ["'NaN'"],
    'values',
    'v has values that its type cannot read (all 1 rows): rows show null for them',
    "a type of column('v', { type }) that reads them, or other values",
  ],
  [
    'timestamptz',
    datetime(),
    undefined,
    ["'infinity'"],
    'values',
    'v has values that its type cannot read (all 1 rows): rows show null for them',
    "a type of column('v', { type }) that reads them, or other values",
  ],
  [
    'text',
    uuid(),
    as('text'),
    ["'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'"],
    'values',
    'v has values that its type cannot read (all 1 rows): rows show null for them',
    "a type of column('v', { type }) that reads them, or other values",
  ],
  [
    'integer',
    integer({ required: true }),
    undefined,
    ['1'],
    'required_nullable',
    'v may be NULL, and the field is required',
  ],
  [
    'integer',
    integer({ required: true }),
    undefined,
    ['NULL'],
    'required_null',
    'v has rows with NULL (all 1 rows), and the field is required',
    'leave out required: true, or make the column NOT NULL',
  ],
  ['integer', integer(), column('v', { notNull: true }), [], 'not_null', 'v may be NULL, and the mapping says notNull'],
  [
    'integer NOT NULL',
    integer(),
    undefined,
    [],
    'not_required',
    'v is NOT NULL: with required: true, an index on it serves the order',
  ],
  [
    'text COLLATE ICU',
    string(),
    undefined,
    [],
    'collation',
    'v has the collation loose, to which texts of other bytes are equal',
    'a deterministic collation for the column',
  ],
]
const ofMysql: readonly Line[] = [
  [
    'FLOAT',
    number(),
    undefined,
    [],
    'column_type',
    `v is float, and the mapping reads it as double: ${bits}`,
    "column('v', { type: 'real' })",
  ],
  [
    'VARCHAR(20) CHARACTER SET latin1',
    string(),
    undefined,
    [],
    'column_type',
    'v is varchar(20), and the mapping reads it as text: it is in latin1: ORDER BY is an error of the engine (1253)',
    "column('v', { type: 'latin1' })",
  ],
  [
    "ENUM('a','b') CHARACTER SET latin1",
    field.enumeration(['a', 'b']),
    undefined,
    [],
    'column_type',
    "v is enum('a','b'), and the mapping reads it as text: it is in latin1: ORDER BY is an error of the engine (1253)",
    "column('v', { type: 'latin1' })",
  ],
  [
    'VARBINARY(20)',
    string(),
    undefined,
    [],
    'column_type',
    `v is varbinary(20), and the mapping reads it as text: ${noField}`,
    'leave the field out',
  ],
  [
    'DATETIME',
    date(),
    undefined,
    [],
    'column_type',
    'v is datetime, and the mapping reads it as date: it has a time of day, which a date lacks',
    'field.datetime()',
  ],
  [
    'DECIMAL(30,2)',
    number(),
    undefined,
    [],
    'column_type',
    `v is decimal(30,2), and the mapping reads it as double: ${digits}`,
    "column('v', { type: 'decimal' })",
  ],
  [
    'TIME',
    string(),
    undefined,
    [],
    'column_type',
    'v is time, and the mapping reads it as text: it has times of day',
    'field.time()',
  ],
  [
    'TINYINT(1)',
    boolean(),
    undefined,
    ['2'],
    'values',
    'v has values that its type cannot read (all 1 rows): rows show null for them',
    "a type of column('v', { type }) that reads them, or other values",
  ],
  [
    'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
    string(),
    as('orderedText'),
    [],
    'collation',
    'v has the collation utf8mb4_general_ci, and orderedText promises the order of code points',
    "column('v', { type: 'text' })",
  ],
  [
    "ENUM('a','b')",
    field.enumeration(['a', 'c']),
    undefined,
    [],
    'enum_values',
    'v has b, which the field lacks: no query can select it',
  ],
]
const lines: Readonly<Record<string, readonly Line[]>> = {
  postgres,
  mysql: ofMysql,
  mariadb: ofMysql,
  duckdb: [
    [
      'FLOAT',
      number(),
      undefined,
      [],
      'column_type',
      `v is FLOAT, and the mapping reads it as double precision: ${bits}`,
      "column('v', { type: 'real' })",
    ],
    [
      "ENUM('b', 'a')",
      string(),
      undefined,
      [],
      'column_type',
      "v is ENUM('b', 'a'), and the mapping reads it as text: DuckDB orders it as it is declared, and a cursor compares texts",
      "column('v', { type: 'enum' })",
    ],
    [
      'TIMESTAMP_NS',
      datetime(),
      undefined,
      [],
      'column_type',
      'v is TIMESTAMP_NS, and the mapping reads it as timestamptz: it has other digits than microseconds: equality finds nothing',
      "column('v', { type: 'timestampOther' })",
    ],
    [
      'TIMESTAMP',
      datetime(),
      as('timestamp'),
      ["'infinity'"],
      'values',
      'v has values that its type cannot read (all 1 rows): rows show null for them',
      "a type of column('v', { type }) that reads them, or other values",
    ],
    [
      'VARCHAR COLLATE NOCASE',
      string(),
      undefined,
      [],
      'collation',
      'v has the collation nocase, and a cursor compares code points: rows are lost',
      'a column without a collation',
    ],
    [
      'HUGEINT',
      integer(),
      undefined,
      [],
      'column_type',
      `v is HUGEINT, and the mapping reads it as bigint: ${noField}`,
      'leave the field out',
    ],
  ],
  sqlite: [
    [
      'INTEGER',
      boolean(),
      undefined,
      ['0', '2', '1'],
      'stored_form',
      'v holds integers in 1 of 3 values (all 3 rows), and the mapping reads boolean',
      "column('v', { type: 'nonzero' })",
    ],
    [
      'INTEGER',
      boolean(),
      undefined,
      ['0', '-1'],
      'stored_form',
      'v holds the integer -1 in 1 of 2 values (all 2 rows), and the mapping reads boolean',
      "column('v', { type: 'nonzero' })",
    ],
    [
      'TEXT',
      datetime(),
      undefined,
      ["'2024-02-29 10:00:00'"],
      'stored_form',
      'v holds YYYY-MM-DD HH:MM:SS, as CURRENT_TIMESTAMP writes in 1 of 1 values (all 1 rows), and the mapping reads isoText',
      "column('v', { type: 'sqlText' })",
    ],
    [
      'TEXT DEFAULT CURRENT_TIMESTAMP',
      datetime(),
      undefined,
      [],
      'stored_form',
      'v has the default CURRENT_TIMESTAMP: that is sqlText, and the mapping reads isoText',
      "column('v', { type: 'sqlText' })",
    ],
    [
      'TEXT',
      datetime(),
      undefined,
      ["'2024-02-29 10:00:00.123Z'"],
      'stored_form',
      'v holds moments in another form in 1 of 1 values (all 1 rows), and the mapping reads isoText',
      "column('v', { type: 'anyText' })",
    ],
    [
      'TEXT',
      datetime(),
      undefined,
      ["'2024-02-29T10:00:00Z'"],
      'stored_form',
      'v holds moments without a fraction, YYYY-MM-DDTHH:MM:SSZ in 1 of 1 values (all 1 rows), and the mapping reads isoText',
      "column('v', { type: 'isoText', digits: 0 })",
    ],
    [
      'TEXT',
      datetime(),
      undefined,
      ["'2024-02-29T10:00:00+00:00'"],
      'stored_form',
      'v holds moments in another form in 1 of 1 values (all 1 rows), and the mapping reads isoText',
      "column('v', { type: 'anyText' })",
    ],
    [
      'INTEGER',
      datetime(),
      as('epochMs'),
      ['1709200800'],
      'stored_form',
      'v holds seconds since 1970 in 1 of 1 values (all 1 rows), and the mapping reads epochMs',
      "column('v', { type: 'epochS' })",
    ],
    [
      'INTEGER',
      datetime(),
      as('epochS'),
      ['1709200800000'],
      'stored_form',
      'v holds milliseconds since 1970 in 1 of 1 values (all 1 rows), and the mapping reads epochS',
      "column('v', { type: 'epochMs' })",
    ],
    [
      'INTEGER',
      datetime(),
      undefined,
      ['1709200800'],
      'stored_form',
      'v holds seconds since 1970 in 1 of 1 values (all 1 rows), and the mapping reads isoText',
      "column('v', { type: 'epochS' })",
    ],
    [
      'INTEGER',
      integer(),
      undefined,
      ['9007199254740993'],
      'stored_form',
      'v holds integers beyond 2^53 in 1 of 1 values (all 1 rows), and the mapping reads integer',
      'write the values in one form, or leave the field out',
    ],
    [
      'TEXT',
      uuid(),
      undefined,
      ["'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'"],
      'stored_form',
      'v holds uuids in upper case in 1 of 1 values (all 1 rows), and the mapping reads orderedText',
      'write the values in one form, or leave the field out',
    ],
    [
      'TEXT COLLATE NOCASE',
      string(),
      as('orderedText'),
      [],
      'collation',
      'v has the collation NOCASE, and orderedText promises the order of code points',
      "column('v', { type: 'text' })",
    ],
    [
      'BLOB',
      string(),
      undefined,
      ["x'00'"],
      'stored_form',
      'v holds bytes in 1 of 1 values (all 1 rows), and the mapping reads text',
      'write the values in one form, or leave the field out',
    ],
  ],
}
/** Columns with a right mapping. */
const right: Readonly<
  Record<string, readonly (readonly [declared: string, Field, ColumnOptions[string], values: readonly string[]])[]>
> = {
  postgres: [
    ['real', number(), as('real'), ['12.3']],
    ['numeric(15,2)', number(), column('v'), ['1']],
    ['timestamp', datetime(), as('timestamp'), ["'2024-02-29'"]],
    ['numeric', decimal(), column('v'), ['1']],
    ['bigint', bigint(), column('v'), ['1']],
  ],
  mysql: [
    ['FLOAT', number(), as('real'), ['12.3']],
    ['CHAR(36) CHARACTER SET ascii', uuid(), column('v'), []],
  ],
  mariadb: [
    ['FLOAT', number(), as('real'), ['12.3']],
    ['CHAR(36) CHARACTER SET ascii', uuid(), column('v'), []],
  ],
  duckdb: [
    ['TIMESTAMP_S', datetime(), as('timestampOther'), []],
    ['DECIMAL(15,2)', number(), column('v'), ['1']],
  ],
  sqlite: [
    ['INTEGER', boolean(), as('nonzero'), ['0', '2']],
    ['TEXT', datetime(), as('anyText'), ["'2024-02-29 10:00:00.123Z'", "'2024-02-29'"]],
    ['TEXT DEFAULT CURRENT_TIMESTAMP', datetime(), as('sqlText'), []],
    ['TEXT COLLATE NOCASE', string(), column('v'), ["'a'"]],
  ],
}

interface OneColumn {
  readonly engine: Engine
  readonly name: string
  readonly declared: string
  readonly values: readonly string[]
}
/** Creates a table with a key and a column, and drops it afterwards. */
async function withTable<T>({ engine, name, declared, values }: OneColumn, use: () => Promise<T>): Promise<T> {
  const type = declared.replace('ICU', '"loose"')
  if (type !== declared) {
    await engine.run(`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`)
  }
  await engine.run(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, v ${type})`)
  try {
    for (const [id, value] of values.entries()) await engine.run(`INSERT INTO ${name} (id, v) VALUES (${id}, ${value})`)
    return await use()
  } finally {
    await engine.run(`DROP TABLE ${name}`)
    if (type !== declared) await engine.run('DROP COLLATION loose')
  }
}
const mappedOf = (dialect: Dialect, name: string, definition: Field, mapping: ColumnOptions[string] | undefined) => {
  const schema = defineSchema({ id: integer({ required: true }), v: definition })
  const sort = definition.type === 'list' || definition.type === 'object' ? [] : (['v'] as never[])
  const collection = defineCollection(schema, { key: 'id', sort }) as unknown as Collection
  const mapped = table(name, { schema, key: 'id', columns: mapping === undefined ? {} : { v: mapping } })
  return { dialect, table: mapped, collection }
}
const nameOf = () => `check_${Math.random().toString(36).slice(2)}`

describe.each(
  engines.flatMap((engine) =>
    lines[dialectOf(engine)]!.map((line) => ({ engine, line, declared: line[0], code: line[4], sentence: line[5] })),
  ),
)('$engine.name: $declared: $code: $sentence', ({ engine, line }) => {
  const [declared, definition, mapping, values, code, sentence, fix] = line
  test('is the only finding', async () => {
    const name = nameOf()
    // PGlite lacks the rules of ICU that make this collation loose.
    if (declared.endsWith('ICU') && engine.name.startsWith('pglite')) return
    await withTable({ engine, name, declared, values }, async () => {
      const findings = await checkColumns(engine.run, mappedOf(engine.dialect, name, definition, mapping))
      const zone = declared === 'timestamp' ? String((await engine.run('SHOW TimeZone'))[0]!.TimeZone) : ''
      expect(findings.map(({ code, message, fix }) => ({ code, message, fix }))).toEqual([
        { code, message: `${name}.${sentence.replace('ZONE', zone)}`, fix },
      ])
    })
  })
})

describe.each(
  engines.flatMap((engine) =>
    right[dialectOf(engine)]!.map((line) => ({ engine, line, declared: line[0], type: line[1].type })),
  ),
)('$engine.name: $type in $declared', ({ engine, line: [declared, definition, mapping, values] }) => {
  test('has no finding', async () => {
    const name = nameOf()
    await withTable({ engine, name, declared, values }, async () => {
      expect(await checkColumns(engine.run, mappedOf(engine.dialect, name, definition, mapping))).toEqual([])
    })
  })
})

const orders = defineSchema({
  id: integer({ required: true }),
  createdAt: string(),
  customer: field.object({ id: integer(), name: string() }),
  items: field.list(field.object({ id: integer(), product: string() })),
})
const orderCollection = defineCollection(orders, { key: 'id' })

describe.each(engines)('$name: tables', (engine) => {
  const [o, c, i] = ['orders', 'customers', 'items'].map((one) => `${one}_${Math.random().toString(36).slice(2)}`) as [
    string,
    string,
    string,
  ]
  const mapped = table(o, {
    schema: orders,
    key: 'id',
    columns: {
      customer: parentTable(c, { key: 'id', foreignKey: 'customer_id' }),
      items: childTable(i, { key: 'id', foreignKey: 'order_id' }),
    },
  })
  const options = { dialect: engine.dialect, table: mapped, collection: orderCollection }
  const text = engine.declared.string
  const drop = async () => {
    for (const one of [o, c, i]) await engine.run(`DROP TABLE IF EXISTS ${one}`)
  }

  test('reports missing columns of where, in every table', async () => {
    try {
      await engine.run(`CREATE TABLE ${o} (id INTEGER, created_at ${text}, customer_id ${text})`)
      await engine.run(`CREATE TABLE ${c} (id INTEGER, name ${text}, gone INTEGER)`)
      await engine.run(`CREATE TABLE ${i} (id INTEGER PRIMARY KEY, order_id INTEGER, product ${text})`)
      const where = { gone: null }
      const withWhere = table(o, {
        ...{ schema: orders, key: 'id', where },
        columns: {
          createdAt: 'created_at',
          customer: parentTable(c, { key: 'id', foreignKey: 'customer_id', where }),
          items: childTable(i, { key: 'id', foreignKey: 'order_id', where }),
        },
      })
      const missing = (await checkColumns(engine.run, { ...options, table: withWhere })).filter(
        ({ code }) => code === 'column_missing',
      )
      expect(missing.map(({ path, message }) => [path, message])).toEqual([
        ['', `${o} has no column gone, or this user may not read it`],
        ['items', `${i} has no column gone, or this user may not read it`],
      ])
    } finally {
      await drop()
    }
  })

  test('reports missing tables and columns, keys that are not unique, and missing indexes', async () => {
    try {
      expect((await checkColumns(engine.run, options)).map(({ code, message }) => [code, message])).toEqual(
        [o, i, c]
          .map((one) => ['table_missing', `the database has no table ${one}, or this user may not read it`])
          .toSorted(
            (a, b) =>
              [o, c, i].indexOf(/table (\w+)/.exec(a[1]!)![1]!) - [o, c, i].indexOf(/table (\w+)/.exec(b[1]!)![1]!),
          ),
      )
      await engine.run(`CREATE TABLE ${o} (id INTEGER, created_at ${text}, customer_id ${text})`)
      await engine.run(`CREATE TABLE ${c} (id INTEGER, name ${text})`)
      await engine.run(`CREATE TABLE ${i} (id INTEGER PRIMARY KEY, order_id INTEGER, product ${text})`)
      const findings = await checkColumns(engine.run, options)
      const summaries = findings.map(({ level, code, path, fix }) => [level, code, path, fix])
      expect(summaries).toEqual(
        expect.arrayContaining([
          ['error', 'column_missing', 'createdAt', `map it to 'created_at'`],
          ['error', 'key_not_unique', 'id', `CREATE UNIQUE INDEX ON ${o} (id)`],
          ['error', 'key_not_unique', 'customer', `CREATE UNIQUE INDEX ON ${c} (id)`],
          ['warning', 'key_type', 'customer', undefined],
          ['warning', 'required_nullable', 'id', undefined],
          ...(dialectOf(engine) === 'duckdb'
            ? []
            : [['warning', 'foreign_key_index', 'items', `CREATE INDEX ON ${i} (order_id)`]]),
        ]),
      )
      expect(summaries).toHaveLength(dialectOf(engine) === 'duckdb' ? 5 : 6)
      await drop()
      await engine.run(
        `CREATE TABLE ${o} (id INTEGER NOT NULL PRIMARY KEY, ${engine.dialect.quote}createdAt${engine.dialect.quote} ${text}, customer_id INTEGER)`,
      )
      await engine.run(`CREATE TABLE ${c} (id INTEGER PRIMARY KEY, name ${text})`)
      await engine.run(`CREATE TABLE ${i} (id INTEGER PRIMARY KEY, order_id INTEGER, product ${text})`)
      await engine.run(`CREATE INDEX ${i}_order ON ${i} (order_id)`)
      expect(await checkColumns(engine.run, options)).toEqual([])
    } finally {
      await drop()
    }
  })

  const promised = table(o, {
    schema: defineSchema({ ...orders.fields, seller: integer(), total: integer() }),
    key: 'id',
    columns: {
      createdAt: 'created_at',
      customer: parentTable(c, { key: 'id', foreignKey: { columns: 'customer_id', enforced: true } }),
      items: childTable(i, { key: 'id', foreignKey: { columns: 'order_id', enforced: true } }),
    },
    orders: [['seller', '-total']],
  })
  test('reports a foreign key that nobody enforces, and a promised order without an index', async () => {
    const create = async (customer: string, order: string) => {
      await engine.run(`CREATE TABLE ${c} (id INTEGER PRIMARY KEY, name ${text})`)
      await engine.run(
        `CREATE TABLE ${o} (id INTEGER PRIMARY KEY, created_at ${text}, customer_id INTEGER, seller INTEGER, total INTEGER${customer})`,
      )
      await engine.run(`CREATE TABLE ${i} (id INTEGER PRIMARY KEY, order_id INTEGER, product ${text}${order})`)
      await engine.run(`CREATE INDEX ${i}_order ON ${i} (order_id)`)
    }
    const dropAll = async () => {
      for (const one of [i, o, c]) await engine.run(`DROP TABLE IF EXISTS ${one}`)
    }
    const kind = dialectOf(engine)
    const [customer, order] = [
      `FOREIGN KEY (customer_id) REFERENCES ${c} (id)`,
      `FOREIGN KEY (order_id) REFERENCES ${o} (id)`,
    ]
    const fixOf = (name: string, key: string) =>
      kind === 'sqlite'
        ? `${key} in CREATE TABLE, and PRAGMA foreign_keys = ON in each connection that writes`
        : `ALTER TABLE ${name} ADD ${key}`
    const found = () => checkColumns(engine.run, { dialect: engine.dialect, table: promised })
    try {
      await create('', '')
      const findings = (await found()).filter(({ code }) => code !== 'required_nullable')
      const fix: unknown = kind === 'duckdb' ? undefined : expect.stringContaining(`CREATE INDEX `)
      expect(findings.map(({ level, code, path, fix }) => [level, code, path, fix])).toEqual([
        ['error', 'foreign_key_missing', 'customer', fixOf(o, customer)],
        ['error', 'foreign_key_missing', 'items', fixOf(i, order)],
        ['warning', 'order_index', 'seller', fix],
      ])
      expect(findings.map(({ message }) => message)).toEqual([
        `${o} (customer_id) has no foreign key to ${c} (id), but the mapping promises enforced`,
        `${i} (order_id) has no foreign key to ${o} (id), but the mapping promises enforced`,
        `${o} has no index for the order seller,-total: ${kind === 'duckdb' ? 'no index of DuckDB has an order, and DuckDB scans tables fast' : 'a filter by a few values can read more rows'}`,
      ])
      if (kind === 'duckdb' || kind === 'sqlite') {
        await dropAll()
        await create(`, ${customer}`, `, ${order}`)
      }
      // The fixes are statements: after them nothing is left to report.
      for (const { code, fix } of findings) {
        if (fix === undefined || (code !== 'order_index' && kind === 'sqlite') || kind === 'duckdb') continue
        for (const statement of fix.split('; ')) await engine.run(statement)
      }
      const left = (await found()).map(({ code }) => code).filter((code) => code !== 'required_nullable')
      expect(left).toEqual(kind === 'duckdb' ? ['order_index'] : [])
    } finally {
      await dropAll()
    }
  })

  test('check returns the same findings for a description that was stored as JSON', async () => {
    const name = nameOf()
    await withTable({ engine, name, declared: 'INTEGER', values: [] }, async () => {
      const database = await inspect(engine.run, { dialect: engine.dialect })
      const stored = JSON.parse(JSON.stringify(database)) as typeof database
      const wrong = mappedOf(engine.dialect, name, string(), column('w'))
      expect(check(stored, wrong)).toEqual(check(database, wrong))
      expect(check(stored, wrong)).toMatchObject([{ code: 'column_missing', path: 'v' }])
    })
  })
})

test.each(engines.filter((engine) => dialectOf(engine) === 'postgres'))(
  '$name: compares the values of an enumeration with those of the field',
  async (engine) => {
    const name = nameOf()
    await engine.run(`CREATE TYPE ${name}_state AS ENUM ('new', 'paid', 'lost')`)
    await engine.run(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, v ${name}_state)`)
    try {
      const definition = field.enumeration(['new', 'held'])
      const named = mappedOf(engine.dialect, name, definition, column('v', { type: 'enum', name: `${name}_state` }))
      const findings = await checkColumns(engine.run, named)
      expect(findings.map(({ level, message }) => [level, message])).toEqual([
        ['error', `${name}.v lacks held of the field: a query for it is an error of the database`],
        ['warning', `${name}.v has paid, lost, which the field lacks: no query can select it`],
      ])
      const asText = await checkColumns(engine.run, mappedOf(engine.dialect, name, string(), undefined))
      expect(asText).toMatchObject([{ code: 'column_type', fix: "column('v', { type: 'enum' })" }])
    } finally {
      await engine.run(`DROP TABLE ${name}`)
      await engine.run(`DROP TYPE ${name}_state`)
    }
  },
)

test.each(engines.filter((engine) => dialectOf(engine) === 'postgres'))(
  '$name: reports a foreign key that does not hold for all rows',
  async ({ run, dialect }) => {
    const [parent, child] = [nameOf(), nameOf()]
    const schema = defineSchema({ id: integer({ required: true }), of: field.object({ id: integer() }) })
    const columns = { of: parentTable(parent, { key: 'id', foreignKey: { columns: 'p', enforced: true } }) }
    const options = { dialect, table: table(child, { schema, columns }) }
    const reported = async () => (await checkColumns(run, options)).map(({ message, fix }) => [message, fix])
    const unchecked = [
      `the foreign key of ${child} (p) to ${parent} (id) is not valid for all rows, but the mapping promises enforced`,
      `ALTER TABLE ${child} VALIDATE CONSTRAINT f`,
    ]
    await run(`CREATE TABLE ${parent} (id INTEGER PRIMARY KEY)`)
    await run(`CREATE TABLE ${child} (id INTEGER PRIMARY KEY, p INTEGER)`)
    try {
      await run(`ALTER TABLE ${child} ADD CONSTRAINT f FOREIGN KEY (p) REFERENCES ${parent} NOT VALID`)
      expect(await reported()).toEqual([unchecked])
      await run(unchecked[1]!)
      expect(await reported()).toEqual([])
      // A table that inherits has rows without the foreign key.
      await run(`CREATE TABLE ${child}_more () INHERITS (${child})`)
      expect(await reported()).toEqual([unchecked])
      await run(`DROP TABLE ${child}_more`)
      await run(`ANALYZE ${child}`)
      await run(`ALTER TABLE ${parent} ENABLE ROW LEVEL SECURITY`)
      const hidden = `row-level security can hide rows of ${parent}, but the mapping promises enforced`
      expect(await reported()).toEqual([[hidden, undefined]])
      await run(`ALTER TABLE ${parent} DISABLE ROW LEVEL SECURITY`)
      expect(await reported()).toEqual([])
      await run(`ALTER TABLE ${child} ALTER CONSTRAINT f DEFERRABLE`)
      const deferrable = [
        `the foreign key of ${child} (p) to ${parent} (id) is deferrable: a transaction can read rows before it is checked, but the mapping promises enforced`,
        `ALTER TABLE ${child} ALTER CONSTRAINT f NOT DEFERRABLE`,
      ]
      expect(await reported()).toEqual([deferrable])
      await run(deferrable[1]!)
      expect(await reported()).toEqual([])
      const [{ server_version_num: version }] = (await run('SHOW server_version_num')) as [
        { server_version_num: string },
      ]
      if (Number(version) < 180_000) return
      await run(`ALTER TABLE ${child} ALTER CONSTRAINT f NOT ENFORCED`)
      expect(await reported()).toEqual([unchecked])
    } finally {
      await run(`DROP TABLE IF EXISTS ${child} CASCADE`)
      await run(`DROP TABLE ${parent}`)
    }
  },
)

test.each(engines.filter((engine) => ['mysql', 'mariadb'].includes(dialectOf(engine))))(
  '$name: reports the time zone and the sql_mode of the session',
  async (engine) => {
    const name = nameOf()
    await withTable({ engine, name, declared: 'TIMESTAMP NULL', values: [] }, async () => {
      const mapped = mappedOf(engine.dialect, name, datetime(), undefined)
      await engine.run(`SET time_zone = '-05:00'`)
      expect(await checkColumns(engine.run, mapped)).toMatchObject([
        {
          level: 'error',
          code: 'time_zone',
          fix: `SET time_zone = '+00:00'`,
          message: `the session is -5 hours from UTC, and ${name}.v is a TIMESTAMP`,
        },
      ])
      await engine.run(`SET time_zone = '+00:00'`)
      await engine.run(`SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'`)
      expect(await checkColumns(engine.run, mapped)).toMatchObject([{ level: 'error', code: 'sql_mode' }])
      await engine.run(`SET sql_mode = DEFAULT`)
      expect(await checkColumns(engine.run, mapped)).toEqual([])
    })
  },
)

test.each(engines.filter((engine) => dialectOf(engine) === 'postgres'))(
  '$name: reports a session that prints doubles with fewer digits',
  async (engine) => {
    const name = nameOf()
    await withTable({ engine, name, declared: 'double precision', values: [] }, async () => {
      const mapped = mappedOf(engine.dialect, name, number(), undefined)
      await engine.run('SET extra_float_digits = 0')
      expect(await checkColumns(engine.run, mapped)).toMatchObject([{ level: 'error', code: 'float_digits' }])
      await engine.run('RESET extra_float_digits')
      expect(await checkColumns(engine.run, mapped)).toEqual([])
    })
  },
)

// DuckDB's catalogue is in the memory of the process.
test.each(engines.filter((engine) => dialectOf(engine) !== 'duckdb'))(
  '$name: checkColumns reads no other table, and not its facts',
  async (engine) => {
    const [name, other] = [nameOf(), nameOf()]
    await engine.run(`CREATE TABLE ${other} (id INTEGER, v INTEGER)`)
    try {
      await withTable({ engine, name, declared: 'INTEGER', values: ['1'] }, async () => {
        const seen: string[] = []
        const run: typeof engine.run = async (text, parameters) => {
          const rows = await engine.run(text, parameters)
          // The catalogue of SQLite is one small table. Samples name their table.
          seen.push(dialectOf(engine) === 'sqlite' ? text : JSON.stringify(rows))
          return rows
        }
        expect(await checkColumns(run, mappedOf(engine.dialect, name, integer(), undefined))).toEqual([])
        expect(seen.filter((one) => one.includes(other))).toEqual([])
      })
    } finally {
      await engine.run(`DROP TABLE ${other}`)
    }
  },
)

test('without a collection, checkColumns reads no row', async () => {
  const engine = engines.find((one) => dialectOf(one) === 'sqlite')!
  const name = nameOf()
  await withTable({ engine, name, declared: 'INTEGER', values: ['NULL'] }, async () => {
    const { collection: _, ...mapped } = mappedOf(engine.dialect, name, integer({ required: true }), undefined)
    const statements: string[] = []
    const run: typeof engine.run = (text, parameters) => {
      statements.push(text)
      return engine.run(text, parameters)
    }
    expect(await checkColumns(run, mapped)).toMatchObject([{ code: 'required_nullable' }])
    expect(statements.some((text) => text.includes('ORDER BY') && text.includes(`FROM "${name}" ORDER`))).toBe(false)
  })
})
