/**
 * Each content that an engine accepts in a column has one meaning for the filter, the order, the cursor and the row. A walk returns each
 * row once, a filter with the value of a row selects the row, and `unreadable` names the column of a value that its type cannot read.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { column, sqlBackend, table, type SqlBackend } from '../../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  FilterError,
  parseQueryOrThrow,
  toPage,
  type EntryField,
} from '../../../src/index.ts'
import { someCollectionQuery } from '../../../src/kit/arbitraries.ts'
import { checkColumns } from '../../../src/tools/inspect/index.ts'
import { byEffort } from '../../effort.ts'
import { dialectOf, openAllEngines } from './all-engines.ts'

const engines = await openAllEngines()
// Without the strict mode, a column accepts more values, such as 0000-00-00.
for (const engine of engines)
  if (['mariadb', 'mysql'].includes(dialectOf(engine))) await engine.run(`SET sql_mode = 'NO_ENGINE_SUBSTITUTION'`)

/** A field, its column and mapping, and contents as SQL: those that a row shows, and those that the type cannot read. */
interface Line {
  readonly field: EntryField
  readonly declared: string
  readonly column?: { readonly type?: string; readonly digits?: number }
  readonly shown: readonly string[]
  readonly unreadable?: readonly string[]
}

const moments = ["'2024-02-29T10:00:00.123Z'", "'2024-02-29T10:00:00.123456Z'", "'0001-01-01T00:00:00.000Z'"]
const noMoments = [
  "'2024-02-29T10:00Z'",
  "'2024-02-29T10Z'",
  "'2024-02-29T'",
  "'2024-02-29T10:00:00.Z'",
  "'2024-02-29T10:00:00'",
  "'2024-02-29T10:00:00.123'",
  "'2024-02-29T10:00:00.123ZZ'",
  "'Z'",
  "'2024-02-29T10:00:00Z'",
  "'2024-02-29T10:00:00.5Z'",
  "'2024-02-29T10:00:00.123000Z'",
  "'2024-02-29T10:00:00.000+00:00'",
  "'x'",
  "''",
  "'2024-02-29'",
  "'2024-02-29 10:00:00'",
  "'2024-02-30T10:00:00.000Z'",
]
const seconds = ["'2024-02-29T10:00:00Z'", "'0001-01-01T00:00:00Z'", "'9999-12-31T23:59:59Z'"]
const noSeconds = [
  "'x'",
  "''",
  "'2024-02-29'",
  "'2024-02-29 10:00:00'",
  "'2024-02-30T10:00:00Z'",
  "'2024-02-29T10:00:00.000Z'",
  "'2024-02-29T10:00:00.5Z'",
  "'2024-02-29T10:00:00+00:00'",
]
/** 9999-12-31T23:59:59Z and a second later; 0001-01-01T00:00:00Z and a second before. */
const epochS = ['0', '-1', '253402300799', '-62135596800']
const noEpochS = ['253402300800', '-62135596801', '9007199254740993']
const epochMs = ['0', '-1', '253402300799999', '-62135596800000']
const noEpochMs = ['253402300800000', '-62135596800001', '9223372036854775807']
const uuids = ["'018f3c2e-1111-7abc-8def-0123456789ab'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"]

const ofMysql: readonly Line[] = [
  { field: field.boolean(), declared: 'TINYINT', shown: ['0', '1'], unreadable: ['2', '-1'] },
  { field: field.boolean(), declared: 'TINYINT', column: { type: 'nonzero' }, shown: ['0', '1', '2', '-1'] },
  { field: field.integer(), declared: 'INT(8) ZEROFILL', shown: ['0', '42', '4294967295'] },
  { field: field.bigint(), declared: 'BIGINT(20) ZEROFILL', shown: ['0', '42', '9223372036854775807'] },
  { field: field.string(), declared: 'INT(8) ZEROFILL', column: { type: 'bigintText' }, shown: ['0', '42', '9'] },
  { field: field.integer(), declared: 'DOUBLE', column: { type: 'double' }, shown: ['0', '1.5', '-1e300'] },
  {
    field: field.number(),
    declared: 'FLOAT',
    column: { type: 'real' },
    shown: ['0', '12.3', '-1929800.25', '3.4e38', '1e-37'],
  },
  { field: field.integer(), declared: 'YEAR', column: { type: 'year' }, shown: ['0', '1901', '2020', '2155'] },
  {
    field: field.string(),
    declared: 'VARCHAR(9) CHARACTER SET latin1',
    column: { type: 'latin1' },
    shown: ["''", "'?'", "'a '", "'é'"],
  },
  { field: field.datetime(), declared: 'BIGINT', column: { type: 'epochS' }, shown: epochS, unreadable: noEpochS },
  { field: field.datetime(), declared: 'BIGINT', column: { type: 'epochMs' }, shown: epochMs, unreadable: noEpochMs },
  { field: field.datetime(), declared: 'VARCHAR(40)', column: { type: 'text' }, shown: moments, unreadable: noMoments },
  {
    field: field.datetime(),
    declared: 'VARCHAR(40)',
    column: { type: 'text', digits: 0 },
    shown: seconds,
    unreadable: noSeconds,
  },
  {
    field: field.datetime(),
    declared: 'DATETIME(6)',
    shown: ["'2024-02-29 10:00:00.123456'", "'9999-12-31 23:59:59'"],
    unreadable: ["'0000-00-00'", "'2024-00-00'"],
  },
  {
    field: field.date(),
    declared: 'DATE',
    shown: ["'2024-02-29'", "'9999-12-31'"],
    unreadable: ["'0000-00-00'", "'2024-02-00'"],
  },
  { field: field.uuid(), declared: 'CHAR(36)', shown: uuids, unreadable: ["'x'"] },
]
const infinite = ["'NaN'", "'Infinity'", "'-Infinity'"]
const lines: Readonly<Record<string, readonly Line[]>> = {
  sqlite: [
    { field: field.boolean(), declared: 'INTEGER', shown: ['0', '1'], unreadable: ['2', '-1', '1.5', "'x'", "''"] },
    {
      field: field.boolean(),
      declared: 'INTEGER',
      column: { type: 'nonzero' },
      shown: ['0', '1', '2', '-1', '1.5', "'x'"],
    },
    {
      field: field.integer(),
      declared: 'INTEGER',
      shown: ['0', '1.5', '9007199254740991'],
      unreadable: ['9007199254740993', '-9223372036854775808', "'x'"],
    },
    {
      field: field.integer(),
      declared: 'REAL',
      shown: ['0', '1.5'],
      unreadable: ['1e300', '-9e999', "'x'"],
    },
    {
      field: field.bigint(),
      declared: 'INTEGER',
      shown: ['0', '9007199254740993', '-9223372036854775808'],
      unreadable: ['1.5', "'x'"],
    },
    { field: field.number(), declared: 'REAL', shown: ['0', '1.5', '-1e300'], unreadable: ['9e999', '-9e999', "'x'"] },
    { field: field.string(), declared: 'ANY', shown: ["''", "'a'", "'é'"] },
    {
      field: field.uuid(),
      declared: 'TEXT',
      shown: uuids,
      unreadable: ["'x'", "'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'"],
    },
    {
      field: field.date(),
      declared: 'TEXT',
      shown: ["'2024-02-29'"],
      unreadable: ["'x'", "'2024-02-30'", "'2024-02-29T00:00:00Z'", "'0000-01-01'", "'-2024-01-31'"],
    },
    { field: field.date(), declared: 'TEXT COLLATE RTRIM', shown: ["'2024-02-29'"], unreadable: ["'2024-02-29 '"] },
    {
      field: field.datetime(),
      declared: 'TEXT COLLATE NOCASE',
      shown: [moments[0]!],
      unreadable: ["'2024-02-29T10:00:00.123z'", "'0000-02-29T10:00:00.123Z'"],
    },
    { field: field.datetime(), declared: 'TEXT', shown: moments, unreadable: noMoments },
    { field: field.datetime(), declared: 'TEXT', column: { digits: 3 }, shown: [moments[0]!], unreadable: noMoments },
    { field: field.datetime(), declared: 'TEXT', column: { digits: 0 }, shown: seconds, unreadable: noSeconds },
    {
      field: field.datetime(),
      declared: 'TEXT',
      column: { type: 'sqlText' },
      shown: ["'2024-02-29 10:00:00'", "'9999-12-31 23:59:59'"],
      unreadable: ["'x'", "'2024-02-29T10:00:00'", "'2024-02-29 10:00:00.5'", "'2024-02-30 10:00:00'", "'2024-02-29'"],
    },
    {
      field: field.datetime(),
      declared: 'TEXT',
      column: { type: 'anyText' },
      // The filter, the order and the row read a text that is not a moment as NULL.
      shown: [
        "'2024-02-29 10:00:00.123Z'",
        "'2024-02-29T10:00:00+01:00'",
        "'2024-02-29'",
        "'2024-02-29 10:00'",
        "'2024-02-29T10:00:00.123456Z'",
      ],
      unreadable: [],
    },
    {
      field: field.datetime(),
      declared: 'INTEGER',
      column: { type: 'epochS' },
      shown: epochS,
      unreadable: [...noEpochS, '1.5', "'x'"],
    },
    {
      field: field.datetime(),
      declared: 'INTEGER',
      column: { type: 'epochMs' },
      shown: epochMs,
      unreadable: [...noEpochMs, "'x'"],
    },
    {
      field: field.decimal(),
      declared: 'INTEGER',
      column: { type: 'scaled', digits: 2 },
      shown: ['0', '150', '-9223372036854775808'],
      unreadable: ['1.5', "'x'"],
    },
  ],
  postgres: [
    {
      field: field.number(),
      declared: 'real',
      column: { type: 'real' },
      shown: ["'12.3'", "'-1929800.25'", "'1e-45'", "'3.4028235e38'"],
      unreadable: infinite,
    },
    {
      field: field.number(),
      declared: 'double precision',
      shown: ["'12.3'", "'5e-324'", "'-1.7976931348623157e308'"],
      unreadable: infinite,
    },
    {
      field: field.integer(),
      declared: 'numeric',
      column: { type: 'numeric' },
      shown: ["'1'", "'-5'"],
      unreadable: ["'NaN'", "'9007199254740993'"],
    },
    {
      field: field.bigint(),
      declared: 'numeric',
      column: { type: 'numeric' },
      shown: ["'1'", "'-9223372036854775808'"],
      unreadable: ["'NaN'", "'1.5'", "'1e30'"],
    },
    {
      field: field.decimal(),
      declared: 'numeric',
      shown: ["'12.30'", "'1e30'", "'-0.000000000000000000000000000000000001'"],
      unreadable: ["'NaN'"],
    },
    {
      field: field.datetime(),
      declared: 'timestamptz',
      shown: ["'2024-02-29T10:00:00.123456Z'", "'9999-12-31T23:59:59Z'"],
      unreadable: ["'infinity'", "'-infinity'", "'0044-03-15T00:00:00Z BC'", "'20000-01-01T00:00:00Z'"],
    },
    {
      field: field.datetime(),
      declared: 'timestamp',
      column: { type: 'timestamp' },
      shown: ["'2024-02-29T10:00:00.123456'"],
      unreadable: ["'infinity'", "'-infinity'", "'0044-03-15T00:00:00 BC'"],
    },
    {
      field: field.date(),
      declared: 'date',
      shown: ["'2024-02-29'", "'9999-12-31'"],
      unreadable: ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'20000-01-01'"],
    },
    { field: field.datetime(), declared: 'text', column: { type: 'text' }, shown: moments, unreadable: noMoments },
    {
      field: field.datetime(),
      declared: 'text',
      column: { type: 'text', digits: 0 },
      shown: seconds,
      unreadable: noSeconds,
    },
    { field: field.datetime(), declared: 'bigint', column: { type: 'epochS' }, shown: epochS, unreadable: noEpochS },
    { field: field.datetime(), declared: 'bigint', column: { type: 'epochMs' }, shown: epochMs, unreadable: noEpochMs },
    {
      field: field.string(),
      declared: 'char(5)',
      column: { type: 'char' },
      shown: ["''", "'a'", "'a b'", "' a'", "'é'"],
    },
    { field: field.uuid(), declared: 'char(36)', column: { type: 'char' }, shown: uuids, unreadable: ["'x'"] },
    {
      field: field.string(),
      declared: 'time',
      column: { type: 'time' },
      shown: ["'00:00:00'", "'9:30'", "'23:59:59.999999'", "'24:00:00'"],
    },
    { field: field.uuid(), declared: 'text', column: { type: 'text' }, shown: uuids, unreadable: ["'x'"] },
  ],
  duckdb: [
    {
      field: field.number(),
      declared: 'FLOAT',
      column: { type: 'real' },
      shown: ["'12.3'", "'-1929800.25'", "'1e-45'"],
      unreadable: infinite,
    },
    { field: field.number(), declared: 'DOUBLE', shown: ["'12.3'", "'5e-324'"], unreadable: infinite.slice(1) },
    {
      field: field.datetime(),
      declared: 'TIMESTAMPTZ',
      shown: ["'2024-02-29T10:00:00.123456Z'"],
      unreadable: ["'infinity'", "'-infinity'"],
    },
    {
      field: field.datetime(),
      declared: 'TIMESTAMP',
      column: { type: 'timestamp' },
      shown: ["'2024-02-29T10:00:00.123456'"],
      unreadable: ["'infinity'", "'-infinity'"],
    },
    {
      field: field.datetime(),
      declared: 'TIMESTAMP_S',
      column: { type: 'timestampOther' },
      shown: ["'2024-02-29T10:00:00'"],
      unreadable: [],
    },
    {
      field: field.datetime(),
      declared: 'TIMESTAMP_NS',
      column: { type: 'timestampOther' },
      shown: ["'2024-02-29T10:00:00.123456'"],
    },
    { field: field.date(), declared: 'DATE', shown: ["'2024-02-29'"], unreadable: ["'infinity'", "'-infinity'"] },
    { field: field.string(), declared: "ENUM('z', 'a', '')", column: { type: 'enum' }, shown: ["'z'", "'a'", "''"] },
    { field: field.datetime(), declared: 'BIGINT', column: { type: 'epochS' }, shown: epochS, unreadable: noEpochS },
  ],
  mysql: ofMysql,
  mariadb: ofMysql,
}

interface ContentRow {
  readonly id: number
  readonly v: unknown
}

describe.each(
  engines.flatMap((engine) =>
    lines[dialectOf(engine)]!.map((line) => ({
      engine,
      line,
      type: line.field.type,
      declared: `${line.declared}${line.column === undefined ? '' : ` as ${JSON.stringify(line.column)}`}`,
    })),
  ),
)('$engine.name: $type in $declared', ({ engine, line }) => {
  const name = `contents_${Math.random().toString(36).slice(2)}`
  const { shown, unreadable = [] } = line
  const contents = [...shown, ...unreadable, 'NULL']
  const ids = [...contents.keys()]
  const schema = defineSchema({ id: field.integer({ required: true }), v: line.field })
  const collection = defineCollection(schema, {
    key: 'id',
    sort: ['v'],
    offset: { max: 10 },
    limit: { default: 99, max: 99 },
  })
  const mappedWith = (options: { readonly invalid?: 'null' }) =>
    table(name, { schema, key: 'id', columns: { v: column<string>('v', { ...line.column, ...options }) } })
  const mapped = mappedWith({})
  const { select } = sqlBackend({ dialect: engine.dialect, table: mapped })
  const readerOf = (select: SqlBackend['select']) => async (query: string) => {
    const { text, parameters, page } = select(parseQueryOrThrow(collection, query))
    return page(await engine.run(text, parameters))
  }
  const read = readerOf(select)
  /** Requires that random queries return the same rows as in memory. Each of these rows shows its value. */
  async function compareWithMemory(rows: readonly ContentRow[], select: SqlBackend['select']) {
    const asRows = rows.map((row) => ({ ...row }))
    const queries = fc.sample(someCollectionQuery(collection, asRows), byEffort(300, 30))
    for (const query of queries) {
      const expected = toPage(query, memoryBackend().compileQuery({ ...query, count: false })(asRows).rows)
      let statement: ReturnType<SqlBackend['select']>
      try {
        statement = select(query)
      } catch (error) {
        // The backend rejects letters that the engine's lower() does not change.
        if (error instanceof FilterError) continue
        throw error
      }
      const { text, parameters, page } = statement
      const { rows: selected, next, previous } = page(await engine.run(text, parameters))
      const queryText = JSON.stringify(query)
      expect(idsIn({ rows: selected }), queryText).toEqual(idsIn(expected))
      expect({ next, previous }, queryText).toEqual({ next: expected.next, previous: expected.previous })
    }
  }
  const idsIn = ({ rows }: { readonly rows: readonly unknown[] }) => (rows as readonly ContentRow[]).map(({ id }) => id)

  test('has one meaning for the filter, the order, the cursor and the row', async () => {
    await engine.run(`CREATE TABLE ${name} (id INTEGER, v ${line.declared})`)
    try {
      const insert = async (id: number) => engine.run(`INSERT INTO ${name} (id, v) VALUES (${id}, ${contents[id]})`)
      for (const id of [...shown.keys(), ids.length - 1]) await insert(id)
      await compareWithMemory((await read('')).rows as readonly ContentRow[], select)
      for (const id of ids.slice(shown.length, -1)) await insert(id)
      const all = await read('')
      const rows = all.rows as readonly ContentRow[]
      expect(rows.filter(({ v }) => v === null).map(({ id }) => id)).toEqual(ids.slice(shown.length))
      expect(all.unreadable ?? []).toEqual(unreadable.length === 0 ? [] : [{ path: 'v', column: 'v' }])
      for (const sort of ['v', '-v']) {
        const ordered = idsIn(await read(`sort=${sort}`))
        expect([...ordered].sort((a, b) => a - b)).toEqual(ids)
        let page = await read(`sort=${sort}&limit=1`)
        const forwards = idsIn(page)
        while (page.next !== undefined && forwards.length <= ids.length) {
          page = await read(`sort=${sort}&limit=1&cursor=${page.next}`)
          forwards.push(...idsIn(page))
        }
        expect(forwards, sort).toEqual(ordered)
        const backwards = idsIn(page)
        while (page.previous !== undefined && backwards.length <= ids.length) {
          page = await read(`sort=${sort}&limit=1&cursor=${page.previous}`)
          backwards.unshift(...idsIn(page))
        }
        expect(backwards, `back by ${sort}`).toEqual(ordered)
      }
      const selecting = async (query: string) => idsIn(await read(query))
      for (const { id, v } of rows) {
        if (v === null) continue
        const value = encodeURIComponent(String(v))
        // A row may show a fraction for an integer, and a query accepts no such operand.
        if (line.field.type === 'integer' && !Number.isSafeInteger(v)) continue
        expect(await selecting(`v=${value}`), value).toContain(id)
        if (line.field.type !== 'boolean')
          expect(await selecting(`v[in]=${value === '' ? '""' : value}`), value).toContain(id)
      }
      const findings = await checkColumns(engine.run, { dialect: engine.dialect, table: mapped, collection })
      const errors = findings.filter(({ level, code }) => level === 'error' && code !== 'key_not_unique')
      expect(errors.map(({ path }) => path)).toEqual(unreadable.length === 0 ? [] : errors.map(() => 'v'))
      expect(errors.length > 0).toBe(unreadable.length > 0)
      // `[exists]=true` selects a value that the type cannot read.
      expect(await selecting('v[exists]=false')).toEqual([ids.length - 1])
      expect(await selecting('v[exists]=true')).toEqual(ids.slice(0, -1))
    } finally {
      await engine.run(`DROP TABLE ${name}`)
    }
  })

  const isRefused = line.field.type === 'uuid' || line.column?.type === 'text'
  test.runIf(unreadable.length > 0 && isRefused)(`refuses invalid: 'null', because SQL has no test for it`, () => {
    const table = mappedWith({ invalid: 'null' })
    expect(() => sqlBackend({ dialect: engine.dialect, table })).toThrow(
      /^columns\.v: .* has no test for invalid values/,
    )
  })
  test.runIf(unreadable.length > 0 && !isRefused)(`has no value with invalid: 'null'`, async () => {
    await engine.run(`CREATE TABLE ${name} (id INTEGER, v ${line.declared})`)
    try {
      for (const id of ids) await engine.run(`INSERT INTO ${name} (id, v) VALUES (${id}, ${contents[id]})`)
      const nulled = mappedWith({ invalid: 'null' })
      const backend = sqlBackend({ dialect: engine.dialect, table: nulled })
      const readNulled = readerOf(backend.select)
      const { rows, unreadable: left } = await readNulled('')
      const withoutValue = (rows as readonly ContentRow[]).filter(({ v }) => v === null).map(({ id }) => id)
      expect(withoutValue).toEqual(ids.slice(shown.length))
      expect(left).toBeUndefined()
      await compareWithMemory(rows as readonly ContentRow[], backend.select)
      expect(idsIn(await readNulled('v[exists]=false'))).toEqual(withoutValue)
      const findings = await checkColumns(engine.run, { dialect: engine.dialect, table: nulled, collection })
      expect(findings.filter(({ level, code }) => level === 'error' && code !== 'key_not_unique')).toEqual([])
    } finally {
      await engine.run(`DROP TABLE ${name}`)
    }
  })
})
