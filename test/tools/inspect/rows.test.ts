/** `inspect` reads rows of the catalogues of MySQL, MariaDB and PostgreSQL without a server, as the engines returned them. */
import { describe, expect, test } from 'vitest'
import { mariadb, mysql, postgres } from '../../../src/backends/sql/index.ts'
import { inspect, type Run, type TableFacts } from '../../../src/tools/inspect/index.ts'

/** Returns for a statement the rows of the first pattern that matches it. */
const answering =
  (answers: readonly (readonly [pattern: RegExp, rows: readonly object[]])[]): Run =>
  (text) =>
    (answers.find(([pattern]) => pattern.test(text))?.[1] ?? []).map((row) => ({ c1: JSON.stringify(row) }))

describe('MySQL and MariaDB', () => {
  const column = {
    table: 't',
    nullable: 'YES',
    default: null,
    extra: '',
    length: null,
    precision: null,
    scale: null,
    digits: null,
    charset: null,
    collation: null,
  }
  const entry = {
    table: 't',
    method: 'BTREE',
    notUnique: 0,
    expression: null,
    direction: 'A',
    prefix: null,
    invalid: 0,
  }
  const describeOf = async (version: string, of: { columns?: object[]; entries?: object[]; checks?: object[] }) => {
    const run = answering([
      [/@@version/, [{ version, database: 'shop', offset: 0 }]],
      [/SCHEMATA/, [['shop']]],
      [/\.TABLES/, [{ name: 't', type: 'BASE TABLE', rows: 3, options: '' }]],
      [/\.COLUMNS/, of.columns ?? []],
      [/\.STATISTICS/, of.entries ?? []],
      [/CHECK_CONSTRAINTS/, of.checks ?? []],
    ])
    const database = await inspect(run, { dialect: mysql })
    return { engine: database.engine, ...database.tables[0]! }
  }
  const factsOf = ({ columns }: TableFacts, member: keyof TableFacts['columns'][number]) =>
    columns.map((column) => column[member])

  test.each([
    ['9.7.4-2', 'mysql'],
    ['10.11.19-MariaDB-0+deb12u1', 'mariadb'],
    ['5.5.5-10.6.1-mariadb', 'mariadb'],
  ])('the version %s is that of %s', async (version, engine) => {
    expect((await describeOf(version, {})).engine).toBe(engine)
  })

  test('MariaDB returns a default as SQL, and NULL for a column without one', async () => {
    const table = await describeOf('10.11.19-MariaDB', {
      columns: ["'it''s'", 'NULL', 'current_timestamp()', '0', null].map((value) => ({
        ...column,
        name: 'a',
        type: 'text',
        typeName: 'text',
        default: value,
      })),
    })
    expect(factsOf(table, 'default')).toEqual(["'it''s'", undefined, 'current_timestamp()', '0', undefined])
  })

  test('MySQL returns a literal without quotes, and an expression with backslashes', async () => {
    const table = await describeOf('9.7.4', {
      columns: [
        { typeName: 'varchar', default: "it's" },
        { typeName: 'varchar', default: 'NULL' },
        { typeName: 'bigint', default: '5' },
        { typeName: 'bit', default: "b'1'" },
        { typeName: 'date', default: '2024-01-31' },
        { typeName: 'varchar', default: "concat(_utf8mb4\\'a\\')", extra: 'DEFAULT_GENERATED' },
        { typeName: 'datetime', default: 'CURRENT_TIMESTAMP', extra: 'DEFAULT_GENERATED on update CURRENT_TIMESTAMP' },
        { typeName: 'int', default: null },
      ].map((more) => ({ ...column, name: 'a', type: more.typeName, ...more })),
    })
    expect(factsOf(table, 'default')).toEqual([
      "'it''s'",
      "'NULL'",
      '5',
      "b'1'",
      "'2024-01-31'",
      "concat(_utf8mb4'a')",
      'CURRENT_TIMESTAMP',
      undefined,
    ])
  })

  test(`MariaDB's JSON is a text with a check that has the name of the column`, async () => {
    const names = ['a', 'b', 'c']
    const table = await describeOf('10.11.19-MariaDB', {
      columns: names.map((name) => ({ ...column, name, type: 'longtext', typeName: 'longtext' })),
      checks: [
        { table: 't', name: 'a', clause: 'json_valid(`a`)' },
        { table: 't', name: 'b', clause: 'octet_length(`b`) < 5' },
        { table: 't', name: 'other', clause: 'json_valid(`c`)' },
      ],
    })
    expect(factsOf(table, 'typeName')).toEqual(['json', 'longtext', 'longtext'])
  })

  test('an index with a prefix or an expression is not a key, and counts no values', async () => {
    const columns = ['a', 'b'].map((name) => ({
      ...column,
      name,
      type: 'text',
      typeName: 'text',
      collation: 'utf8mb4_bin',
    }))
    const table = await describeOf('9.7.4', {
      columns,
      entries: [
        { ...entry, index: 'h', column: 'b', direction: 'D', cardinality: 3, invalid: 1 },
        { ...entry, index: 'h', column: 'a', cardinality: 4, invalid: 1 },
        { ...entry, index: 'i', column: 'a', prefix: 10, cardinality: 2 },
        { ...entry, index: 'j', column: null, expression: "concat(`a`,_utf8mb4\\',\\')", cardinality: 3 },
      ],
    })
    expect([table.keys, factsOf(table, 'distinct')]).toEqual([
      [{ columns: ['b', 'a'], primary: false, nullsDistinct: true }],
      [undefined, 3],
    ])
    expect(table.indexes.map(({ invalid, entries }) => [invalid, entries[0]])).toEqual([
      [true, { column: 'b', descending: true, nullsFirst: false, collation: 'utf8mb4_bin' }],
      [false, { column: 'a', descending: false, nullsFirst: true, collation: 'utf8mb4_bin', prefix: 10 }],
      [false, { expression: "concat(`a`,_utf8mb4',')", descending: false, nullsFirst: true }],
    ])
  })

  test('without an index, distinct values are those of a sample, or as many of all rows', async () => {
    const ints = ['a', 'b', 'c'].map((name) => ({ ...column, name, type: 'int', typeName: 'int' }))
    const answers = [
      [/@@version/, [{ version: '9.7.4', database: 'shop', offset: 0 }]],
      [/SCHEMATA/, [['shop']]],
      [/\.TABLES/, [{ name: 't`', type: 'BASE TABLE', rows: 50_000, options: '' }]],
      [
        /\.COLUMNS/,
        [...ints, { ...column, name: 'd', type: 'text', typeName: 'text' }].map((one) => ({ ...one, table: 't`' })),
      ],
      [/\.STATISTICS/, [{ ...entry, table: 't`', index: 'i', column: 'a', cardinality: 7 }]],
      [
        /^SELECT CAST\(JSON_ARRAY\(COUNT\(\*\), COUNT\(DISTINCT `b`\), COUNT\(DISTINCT `c`\)\) AS CHAR\) AS c1 FROM \(SELECT `b`, `c` FROM `shop`\.`t```/,
        [[1_000, 99, 500]],
      ],
    ] as const
    const distinctOf = async (sample: number) =>
      factsOf((await inspect(answering(answers), { dialect: mysql, sample })).tables[0]!, 'distinct')
    expect(await distinctOf(1_000)).toEqual([7, 99, 25_000, undefined])
    // The sample contains all rows.
    expect(await distinctOf(2_000)).toEqual([7, 99, 500, undefined])
    expect(await distinctOf(0)).toEqual([7, undefined, undefined, undefined])
  })

  test('without a current database, inspect returns no schema and no table', async () => {
    const run = answering([[/@@version/, [{ version: '9.7.4', database: null }]]])
    const { schemas, tables, session } = await inspect(run, { dialect: mariadb })
    expect([schemas, tables, session.searchPath]).toEqual([[], [], []])
  })
})

describe('PostgreSQL', () => {
  test('pg_stats returns distinct values as a number, or as a share of the rows', async () => {
    const table = { name: 't', foreignKeys: [], indexes: [], columns: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }
    const run = answering([
      [/pg_database/, [{ searchPath: ['s', 'u'] }]],
      [/has_schema_privilege/, [{ name: 's', access: 'readable' }]],
      [
        /FROM pg_class AS c/,
        [
          { ...table, schema: 's', rows: 1000 },
          { ...table, schema: 'u' },
        ],
      ],
      [
        /pg_stats/,
        ['s', 'u'].flatMap((schema) => [
          { table: [schema, 't'], column: 'a', distinct: 4 },
          { table: [schema, 't'], column: 'b', distinct: -0.25 },
        ]),
      ],
    ])
    const { tables } = await inspect(run, { dialect: postgres })
    expect(tables.map(({ columns }) => columns.map(({ distinct }) => distinct))).toEqual([
      [4, 250, undefined],
      [4, undefined, undefined],
    ])
  })
})
