/** Columns of other types than the defaults, extreme operands, and JSON that is not what the schema says. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { column, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import type { ColumnOptions, SqlPiece } from '../../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  not,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toPage,
  type EntryField,
  type Filter,
  type Path,
  type Query,
} from '../../../src/index.ts'
import { comparison, membership, some } from '../../../src/tree.ts'
import { operatorNamed } from '../../../src/language/operators.ts'
import { byEffort } from '../../effort.ts'
import { dialectOf, openAllEngines } from './all-engines.ts'
import { enumOf, jsonIn, typesOf, type Engine } from './engines.ts'
import { between, together } from './together.ts'

const engines = await openAllEngines()
/** Drivers send numbers in the statement or apart from it, in types of their own. */
const protocols = engines.flatMap((engine): Engine[] =>
  Object.entries(engine.protocols ?? {}).map(([protocol, run]) => ({
    ...engine,
    name: `${engine.name}, ${protocol}`,
    run,
  })),
)

/** A table of one column, gone afterwards. */
async function withColumn<T>(
  engine: Engine,
  declared: string,
  values: readonly unknown[],
  use: (name: string) => Promise<T>,
): Promise<T> {
  const name = `types_${Math.random().toString(36).slice(2)}`
  const [first, second] = [engine.dialect.placeholder(1), engine.dialect.placeholder(2)]
  // PostgreSQL 15 has no collation `unicode`, PGlite no other of ICU's.
  const collated = declared.replace('ICU', engine.name.startsWith('pglite') ? '"unicode"' : '"en-x-icu"')
  // PostgreSQL's enumerations are types of their own.
  const isType = collated.startsWith('ENUM') && dialectOf(engine) === 'postgres'
  if (isType) await engine.run(`CREATE TYPE ${name}_type AS ${collated}`)
  // What is inserted is the column that the other is generated from.
  const [, type = isType ? `${name}_type` : collated, generated = ''] = /^(.*) AS source (\w+)$/.exec(collated) ?? []
  const column = generated === '' ? 'value' : 'source'
  const columns = generated === '' ? '' : `, value ${type} GENERATED ALWAYS AS (source) ${generated}`
  await engine.run(`CREATE TABLE ${name} (id INTEGER, ${column} ${type}${columns})`)
  try {
    // What an index finds need not be what a row is compared with.
    if (!/text|json|clob/i.test(declared)) await engine.run(`CREATE INDEX ${name}_value ON ${name} (value)`)
    for (const [index, value] of values.entries()) {
      await engine.run(`INSERT INTO ${name} (id, ${column}) VALUES (${first}, ${second})`, [index, value])
    }
    return await use(name)
  } finally {
    await engine.run(`DROP TABLE ${name}`)
    if (isType) await engine.run(`DROP TYPE ${name}_type`)
  }
}
type Send = ReturnType<typeof together>
async function idsOf(
  { dialect }: Engine,
  send: Send,
  name: string,
  definition: EntryField,
  columns: ColumnOptions,
  query: string,
) {
  const schema = defineSchema({ value: definition })
  const filter = parseFilterOrThrow(schema, query)
  const condition = sqlBackend({ dialect, table: table(name, { columns }) }).compile(filter)
  const rows = await send(between(`SELECT id FROM ${name} WHERE `, condition))
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
}

const integers = [-32_768, -1, 0, 1, 7, 32_767]
const moments = [
  '0001-01-01T00:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '2024-03-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
]
const days = ['0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31']
const uuids = ['00000000-0000-4000-8000-000000000000', 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee']
const texts = ['', 'a', 'A', 'a ', 'é', 'É', '\uff5e', '\u{1f600}', '2024']
/** In another order than that of their texts. */
const named = ['z', 'a', 'É', '1abc', '2', '0', 'paid']
const bigints = '-9223372036854775808 -10 -9 0 7 10 9 2024 9007199254740993 9223372036854775807'.split(' ')
const epochs = moments.map((moment) => Date.parse(moment))
const withoutZone = moments.map((moment) => moment.slice(0, -1))

const inDatetime = (values: readonly string[]) => values.map((text) => text.slice(0, -1).replace('T', ' '))

/** Field, how it is declared, the mapping's type, the values as memory has them and as they are stored. */
type Line = readonly [
  EntryField,
  declared: string,
  type: string | undefined,
  values: readonly unknown[],
  stored?: readonly unknown[],
]
const seconds = ['1970-01-01T00:00:01.000Z', '2024-02-29T23:59:59.000Z', '2024-03-01T00:00:00.000Z']
/** Of MySQL and MariaDB. */
const ofBoth: readonly Line[] = [
  [field.integer(), 'TINYINT', undefined, [-128, 0, 1, 127]],
  [field.integer(), 'INT', undefined, integers],
  [field.integer(), 'INT AS source VIRTUAL', undefined, integers],
  [field.boolean(), 'TINYINT(1)', undefined, [true, false]],
  [field.boolean(), 'BIT(1)', undefined, [true, false]],
  [field.date(), 'DATE', undefined, days],
  [field.datetime(), 'DATETIME(3)', undefined, moments, inDatetime(moments)],
  [field.datetime(), 'DATETIME', undefined, seconds, inDatetime(seconds)],
  [
    field.datetime(),
    'TIMESTAMP(3) NULL',
    undefined,
    [...seconds, '2024-02-29T23:59:59.999Z'],
    inDatetime([...seconds, '2024-02-29T23:59:59.999Z']),
  ],
  [field.datetime(), 'TIMESTAMP NULL', undefined, seconds, inDatetime(seconds)],
  [field.string(), 'BIGINT', 'bigintText', bigints],
  [field.string(), `${enumOf(named)} CHARACTER SET utf8mb4`, undefined, named],
  [field.string(), `${enumOf(named)} CHARACTER SET utf8mb4`, 'enum', named],
  [field.enumeration(['a', 'A']), `${enumOf(['b', 'a'])} CHARACTER SET utf8mb4`, 'enum', ['b', 'a']],
  [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 AS source STORED', undefined, texts],
]
const lines: Readonly<Record<string, readonly Line[]>> = {
  sqlite: [
    [field.number(), 'INTEGER', 'integer', integers],
    [field.integer(), 'REAL', 'real', integers],
    [field.datetime(), 'INTEGER', 'epochMs', moments, epochs],
    [field.datetime(), 'TEXT COLLATE NOCASE', undefined, moments],
    [field.string(), 'TEXT COLLATE NOCASE', undefined, texts],
    [field.string(), 'TEXT COLLATE RTRIM', undefined, texts],
    [field.date(), 'TEXT COLLATE NOCASE', undefined, days],
    [field.string(), 'INTEGER', 'bigintText', bigints],
    [field.string(), 'TEXT AS source VIRTUAL', undefined, texts],
    [field.integer(), 'INTEGER AS source STORED', undefined, integers],
  ],
  postgres: [
    [field.integer(), 'smallint', undefined, integers],
    [field.integer(), 'integer', undefined, integers],
    [field.integer(), 'numeric', 'numeric', integers],
    [field.number(), 'smallint', undefined, integers],
    [field.number(), 'bigint', 'numeric', integers],
    [field.number(), 'integer', 'numeric', integers],
    [field.number(), 'numeric', 'numeric', [-1.5, 0, 0.1, 1e20]],
    [field.number(), 'numeric(12,2)', undefined, [-1.5, 0, 0.25, 123456.75]],
    [field.datetime(), 'timestamp', 'timestamp', moments, withoutZone],
    [field.datetime(), 'bigint', 'epochMs', moments, epochs],
    [field.datetime(), 'text', 'text', moments],
    [field.date(), 'text', 'text', days],
    [field.string(), 'varchar(9)', undefined, texts],
    [field.string(), 'text COLLATE ICU', undefined, texts],
    [field.string(), 'text COLLATE "C"', undefined, texts],
    [field.string(), 'uuid', 'uuid', uuids],
    [field.string(), 'bigint', 'bigintText', bigints],
    [field.string(), 'citext', 'citext', texts],
    [field.string(), enumOf(named), 'enum', named],
    [field.enumeration(['a', 'A']), enumOf(['b', 'a']), 'enum', ['b', 'a']],
    [field.string(), 'text AS source STORED', undefined, texts],
    [field.integer(), 'integer AS source STORED', undefined, integers],
    [field.enumeration(['a', 'A']), 'varchar', undefined, ['a', 'A']],
  ],
  duckdb: [
    [field.integer(), 'TINYINT', undefined, [-128, 0, 1, 127]],
    [field.integer(), 'INTEGER', undefined, integers],
    [field.integer(), 'UINTEGER', undefined, [0, 1, 7, 4_294_967_295]],
    [field.integer(), 'DOUBLE', 'double precision', integers],
    [field.number(), 'FLOAT', undefined, [-1.5, 0, 0.25, 1e9]],
    [field.number(), 'INTEGER', undefined, integers],
    [field.datetime(), 'TIMESTAMP', 'timestamp', moments, withoutZone],
    [field.datetime(), 'TIMESTAMP', undefined, moments, withoutZone],
    [field.datetime(), 'BIGINT', 'epochMs', moments, epochs],
    [field.datetime(), 'VARCHAR', 'text', moments],
    [field.date(), 'VARCHAR', 'text', days],
    [field.string(), 'VARCHAR(9)', undefined, texts],
    [field.string(), 'UUID', 'uuid', uuids],
    [field.string(), 'BIGINT', 'bigintText', bigints],
    [field.string(), enumOf(named), undefined, named],
    [field.enumeration(['a', 'A']), enumOf(['b', 'a']), undefined, ['b', 'a']],
    [field.decimal(), 'DECIMAL(18, 3)', undefined, ['-1.5', '0', '100', '0.125']],
    [field.decimal(), 'DECIMAL(38, 2)', undefined, ['-1.5', '0', '100', '123456789012345678.25']],
    [field.decimal(), 'BIGINT', 'decimal', ['-1', '0', '100', '9007199254740993']],
  ],
  mariadb: [
    ...ofBoth,
    [field.integer(), 'DECIMAL(20,0)', 'decimal', integers],
    [field.number(), 'INT', 'bigint', integers],
    [field.number(), 'DECIMAL(30,10)', 'decimal', [-1.5, 0, 0.1, 1e15]],
    [field.datetime(), 'BIGINT', 'epochMs', moments, epochs],
    [field.datetime(), 'VARCHAR(30)', 'text', moments],
    [field.date(), 'VARCHAR(30)', 'text', days],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci', undefined, [...texts, 'Ꭰ']],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_turkish_ci', undefined, [...texts, 'I']],
    [field.string(), 'VARCHAR(9) CHARACTER SET latin1', undefined, ['', 'a', 'A', 'a ', 'é']],
  ],
  mysql: [
    ...ofBoth,
    [field.integer(), 'INT UNSIGNED', undefined, [0, 1, 7, 4_294_967_295]],
    [field.integer(), 'DECIMAL(20,0)', 'decimal', integers],
    [field.number(), 'INT', 'bigint', integers],
    [field.number(), 'BIGINT', 'bigint', integers],
    [field.number(), 'DOUBLE', undefined, [-1.5, 0, 0.1, 1e15]],
    [field.number(), 'DECIMAL(30,10)', 'decimal', [-1.5, 0, 0.1, 1e15]],
    [field.datetime(), 'BIGINT', 'epochMs', moments, epochs],
    [field.datetime(), 'VARCHAR(30)', 'text', moments],
    [field.date(), 'VARCHAR(30)', 'text', days],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', undefined, texts],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_turkish_ci', undefined, [...texts, 'I']],
    [field.string(), 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_tr_0900_ai_ci', undefined, [...texts, 'I']],
    [field.enumeration(['a', 'A']), 'VARCHAR(9) CHARACTER SET utf8mb4', undefined, ['a', 'A']],
  ],
}
for (const engine of engines)
  if (dialectOf(engine) === 'postgres') await engine.run('CREATE EXTENSION IF NOT EXISTS citext')

const operands: Readonly<Record<string, readonly string[]>> = {
  string: [...`a A É \uff5e \u{1f600} 1abc 0 null it's \\ %`.split(' '), '', 'a ', uuids[1]!, uuids[1]!.toUpperCase()],
  enumeration: ['a', 'A'],
  integer: ['0', '7', '-1', '128', '32768', '2147483648', '9007199254740991', '-9007199254740991'],
  number: ['0', '7', '0.1', '100.5', '32768', '1e300', '-1.7976931348623157e308', '5e-324', '9007199254740991', '1e21'],
  boolean: ['true', 'false'],
  date: days,
  datetime: [...moments, ...days, '2024-02-29T23:59:59.999001Z', '2024-03-01T00:00:00.000001Z'],
  uuid: [...uuids, uuids[1]!.toUpperCase()],
  bigint: ['0', '-0', '7', '9007199254740993', '-9223372036854775808', '9223372036854775807'],
  decimal: [
    '0',
    '0.10',
    '-1.5',
    '100',
    '1234567890123456789012345678901234',
    '0.00000000000000000000000000000000012345',
  ],
}
const quoted = (text: string) => (/^$|^"|,/.test(text) ? `"${text}"` : text)

/** Every operator with every operand, two at a time where it takes two. */
function queries({ type }: EntryField, ascii: boolean): string[] {
  const of = operands[type]!
  return [...operatorNamed.values()].flatMap(({ name, types, fields, operands: count, operandKind: reads }) => {
    if (fields !== 'anywhere' || !types.includes(type)) return []
    if (reads === 'flag') return [`value[${name}]=true`, `value[${name}]=false`]
    const one = of.filter((text) => reads !== 'text' || !ascii || /^[\0-\x7f]*$/.test(text))
    const values =
      count === 'one' ? one : one.map((text, at) => `${quoted(text)},${quoted(one[(at + 3) % one.length]!)}`)
    return values.map((value) => `value[${name}]=${encodeURIComponent(value)}`)
  })
}

describe.each(
  [...engines, ...protocols].flatMap((engine) =>
    (lines[dialectOf(engine)] ?? [])
      .map((line) => ({ engine, line, declared: line[1], type: line[0].type }))
      .filter(({ type }) => !protocols.includes(engine) || type === 'integer' || type === 'number'),
  ),
)('$engine.name: $type in $declared', ({ engine, line: [definition, declared, type, values, stored = values] }) => {
  test('no operand is an engine error, none is converted', async () => {
    const columns = { value: column<string>('value', type === undefined ? {} : { type }) }
    const rows = [...values, null].map((value) => ({ value }))
    await withColumn(engine, declared, [...stored, null], async (name) => {
      const wrong: unknown[] = []
      const send = together(engine, engine.run)
      const check = async (query: string) => {
        const matches = memoryBackend().compile(parseFilterOrThrow(defineSchema({ value: definition }), query))
        const expected = rows.flatMap((row, id) => (matches(row) ? [id] : []))
        const selected = await idsOf(engine, send, name, definition, columns, query).catch(String)
        if (String(selected) !== String(expected)) wrong.push({ query, selected, expected })
      }
      await Promise.all(queries(definition, engine.dialect.lower in engine.dialect.unlowered).map(check))
      expect(wrong).toEqual([])
    })
  })
})

describe.each([...engines, ...protocols])('$name: numbers of either type', (engine) => {
  const integer = (value: number) => ({ type: 'integer', value }) as const
  const number = (value: number) => ({ type: 'number', value }) as const
  const operands = [...integers.map(integer), ...[...integers, 5.5, -0.5, 6.5, 1e300].map(number)]
  const filters = operands.flatMap((operand) => [
    ...(['eq', 'gt', 'gte', 'lt', 'lte'] as const).map((operator) => comparison(['value'], operator, operand)),
    membership(['value'], [operand]),
  ])
  test.each([
    ['integer', field.integer(), 'integer', [...integers, 5, 6]],
    ['number', field.number(), 'number', [...integers, 5.5, 6]],
  ] as const)('in a column of type %s', async (_, definition, declared, values) => {
    const mapped = (name: string) => table(name, { schema: defineSchema({ value: definition }) })
    await withColumn(engine, engine.declared[declared], [...values, null], async (name) => {
      const wrong: unknown[] = []
      const send = together(engine, engine.run)
      const check = async (filter: Filter) => {
        const condition = sqlBackend({ dialect: engine.dialect, table: mapped(name) }).compile(filter)
        const matches = memoryBackend().compile(filter)
        const expected = [...values, null].flatMap((value, id) => (matches({ value }) ? [id] : []))
        const rows = await send(between(`SELECT id FROM ${name} WHERE `, condition))
        const selected = rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
        if (String(selected) !== String(expected)) wrong.push({ text: condition.text, filter, selected, expected })
      }
      await Promise.all(filters.flatMap((one) => [one, not(one)]).map(check))
      expect(wrong).toEqual([])
    })
  })
})

/** Half of them below 2^63: SQLite reads their digits as integers. */
const largeDouble = fc
  .tuple(
    fc.constantFrom(-1, 1),
    fc.oneof(fc.integer({ min: 53, max: 62 }), fc.integer({ min: 63, max: 1_023 })),
    fc.double({ min: 1, max: 2, maxExcluded: true, noNaN: true }),
  )
  .map(([sign, exponent, fraction]) => sign * fraction * 2 ** exponent)
const edges = [5e-324, 0.1, 2 ** 53, 2 ** 53 + 2, 2 ** 60 + 256, 2 ** 63 - 1_024, 2 ** 63, 1e21, Number.MAX_VALUE]
const someDoubles = (): number[] => {
  const amount = byEffort(500, 14)
  const double = fc.oneof(largeDouble, fc.double({ min: -1, max: 1, noNaN: true }))
  const [random] = fc.sample(fc.array(double, { minLength: amount, maxLength: amount }), 1)
  return [...new Set([...edges.flatMap((value) => [value, -value]), ...random!])]
}

describe.each([...engines, ...protocols])('$name: doubles', (engine) => {
  const number = (value: number) => ({ type: 'number', value }) as const
  const inJson = { value: jsonIn(engine)('value') }
  type Place = readonly [place: string, declared: string, stored: (value: number) => unknown, ColumnOptions]
  const ofScalars: Place[] = [
    ['a column', engine.declared.number, (value) => value, {}],
    ['JSON', engine.declared.json, (value) => JSON.stringify(value), inJson],
  ]
  // A dialect that reads numbers in JSON as decimals has a precondition for their digits.
  if (engine.dialect.json?.types.number !== 'numeric') {
    const allDigits = (value: number) => (Number.isInteger(value) ? String(BigInt(value)) : value.toPrecision(40))
    ofScalars.push(['JSON with more digits', engine.declared.json, allDigits, inJson])
  }
  const ofLists: Place = ['a list in JSON', engine.declared.json, (value) => `[null,${value}]`, inJson]
  const idsOf = async (name: string, { text, parameters }: SqlPiece) => {
    const rows = await engine.run(`SELECT id FROM ${name} ${text}`, parameters)
    return rows.map(({ id }) => Number(id))
  }

  test.each([...ofScalars, ofLists])('are equal to themselves, in %s', async (place, declared, stored, columns) => {
    const values = someDoubles()
    const about = (of: (path: Path) => Filter) => (place === ofLists[0] ? some(['value'], of([])) : of(['value']))
    await withColumn(engine, declared, [...values.map(stored), null], async (name) => {
      const { compile } = sqlBackend({ dialect: engine.dialect, table: table(name, { columns }) })
      const send = together(engine, engine.run)
      const select = async (filter: Filter) => {
        const rows = await send(between(`SELECT id FROM ${name} WHERE `, compile(filter)))
        return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
      }
      const [even, odd] = [0, 1].map((rest) => [...values.keys()].filter((id) => id % 2 === rest)) as [
        number[],
        number[],
      ]
      const isEven = about((path) =>
        membership(
          path,
          even.map((id) => number(values[id]!)),
        ),
      )
      expect(await select(isEven)).toEqual(even)
      expect(await select(not(isEven))).toEqual([...odd, values.length])
      const equal = values.slice(0, 200).map((value) => select(about((path) => comparison(path, 'eq', number(value)))))
      for (const [id, ids] of (await Promise.all(equal)).entries()) expect(ids, String(values[id])).toEqual([id])
    })
  })

  test.each(ofScalars)('have pages in their order, in %s', async (_, declared, stored, columns) => {
    const values = someDoubles()
    const schema = defineSchema({ id: field.integer(), value: field.number() })
    const collection = defineCollection(schema, { key: 'id', sort: ['value'], limit: { default: 7, max: 7 } })
    const ascending = [values.length, ...[...values.keys()].sort((a, b) => values[a]! - values[b]!)]
    await withColumn(engine, declared, [...values.map(stored), null], async (name) => {
      const { compileQuery } = sqlBackend({ dialect: engine.dialect, table: table(name, { schema, columns }) })
      for (const [sort, expected] of [
        ['value', ascending],
        ['-value', ascending.toReversed()],
      ] as const) {
        const found: number[] = []
        let cursor: string | undefined = ''
        while (cursor !== undefined && found.length < expected.length) {
          const query: Query = parseQueryOrThrow(collection, `sort=${sort}${cursor && `&cursor=${cursor}`}`)
          const rows = (await idsOf(name, compileQuery(query))).map((id) => ({ id, value: values[id] }))
          const page = toPage(query, rows)
          found.push(...page.rows.map(({ id }) => id))
          cursor = page.next
        }
        expect(found).toEqual(expected)
        expect(cursor).toBeUndefined()
      }
    })
  })
})

/** Columns of text that may hold JSON; those of a type of its own refuse what is malformed. */
const jsonAsText: Readonly<Record<string, string>> = {
  sqlite: 'TEXT',
  mariadb: 'LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
}
describe.each(engines)('$name: JSON that is not what the schema says', (engine) => {
  const known = new Set(typesOf(engine, ['json']))
  const definitions = [
    ...[field.string(), field.integer(), field.number(), field.boolean(), field.date(), field.datetime()],
    ...[field.uuid(), field.bigint(), field.decimal()].filter(({ type }) => known.has(type)),
  ]
  const documents = '"x" 1e-400 123456789012345678901234567890 true null {} [] [[1]] {"a":[1]}'.split(' ')
  // Texts and numbers that are almost numbers, too large or too long.
  documents.push(...'-0 0.5 9223372036854775808 "1e400" "9223372036854775808" "-" "" "1." "+1" "0x1"'.split(' '))
  documents.push('"1\\n"', `"${'9'.repeat(70)}"`, `"0.${'1'.repeat(70)}"`, `"${'9'.repeat(6000)}"`)
  // MySQL's JSON has doubles only.
  if (engine.dialect.name !== 'mysql') documents.push('1e400', '-1e400')
  const text = jsonAsText[dialectOf(engine)]
  const broken = text === undefined ? [] : ['', 'no', '[1,', '{"a":', '"', '[1] 2']

  test('is no value, never an engine error', async () => {
    await withColumn(engine, text ?? engine.declared.json, [...documents, ...broken], async (name) => {
      const columns = { value: jsonIn(engine)('value') }
      const count = documents.length + broken.length
      const all = Array.from({ length: count }, (_, id) => id)
      const send = together(engine, engine.run)
      for (const definition of definitions) {
        const query = (text: string) => idsOf(engine, send, name, definition, columns, text)
        const there = await query('value[exists]=true')
        expect([...there, ...(await query('value[exists]=false'))].sort((a, b) => a - b)).toEqual(all)
        expect(there.every((id) => id < documents.length)).toBe(true)
        if (definition.type === 'bigint') {
          const inMemory = memoryBackend().compile(
            parseFilterOrThrow(defineSchema({ value: definition }), 'value[exists]=true'),
          )
          // What JavaScript reads as 0 is no whole number to PostgreSQL, which keeps its digits.
          const same = documents.filter((text) => text !== '1e-400')
          const expected = same.filter((text) => inMemory({ value: JSON.parse(text) as unknown }))
          expect(same.filter((text) => there.includes(documents.indexOf(text)))).toEqual(expected)
        }
        await Promise.all(queries(definition, true).slice(0, 200).map(query))
      }
      const list = defineSchema({ value: field.list(field.object({ a: field.list(field.string()) })) })
      for (const text of ['value.a=x', 'value.a[exists]=false', 'value[exists]=true', 'value[exists]=false']) {
        const condition = sqlBackend({ dialect: engine.dialect, table: table(name, { columns }) }).compile(
          parseFilterOrThrow(list, text),
        )
        const rows = await engine.run(`SELECT id FROM ${name} WHERE ${condition.text}`, condition.parameters)
        expect(rows).toHaveLength(text.endsWith('=false') ? count : 0)
      }
    })
  })
})
