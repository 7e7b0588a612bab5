/**
 * What columns of uuids, bigints, decimals, datetimes and native enumerations become, what fits their operands, and what
 * promises leave out. The text for PostgreSQL, in full, by hand.
 */
import { describe, expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  parentTable,
  postgres,
  postgres17,
  sqlBackend,
  table,
  type ColumnOptions,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { defineSchema, field, not, parseFilterOrThrow, type Field, type Filter } from '../../../src/index.ts'
import { comparison, membership } from '../../../src/tree.ts'

const uuid = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const other = '00000000-0000-4000-8000-000000000000'
const millis = '2024-01-02T03:04:05.123Z'
const micros = '2024-01-02T03:04:05.123456Z'
const [withoutZ, microsWithoutZ] = [millis, micros].map((text) => text.slice(0, -1)) as [string, string]

const compileIn = (dialect: Dialect, definition: Field, stored: ColumnOptions[string] | undefined, query: string) => {
  const schema = defineSchema({ v: definition })
  const columns = stored === undefined ? {} : { v: stored }
  const mapped = table('t', { schema, key: 'v', columns })
  return sqlBackend({ dialect, table: mapped }).compile(parseFilterOrThrow(schema, query))
}
type Asked = [query: string, text: string, parameters?: readonly unknown[]]
/** `{v}` is the column. */
const expectEach = (definition: Field, stored: ColumnOptions[string] | undefined, asked: readonly Asked[]) =>
  test.each<Asked>(asked)('%s', (query, text, parameters = []) => {
    const condition = compileIn(postgres, definition, stored, query)
    expect(condition.text).toBe(text.replaceAll('{v}', '"t"."v"'))
    expect(condition.parameters).toEqual(parameters)
  })

/** Each operator, for a type whose cast alone differs. */
const everyOperator = (type: string, one: string, another: string, sent: unknown, sentToo: unknown): Asked[] => [
  [`v=${one}`, `({v} = $1::${type} AND {v} IS NOT NULL)`, [sent]],
  [`v[notEqual]=${one}`, `({v} IS DISTINCT FROM $1::${type})`, [sent]],
  [`v[in]=${one},${another}`, `({v} = ANY($1::${type}[]) AND {v} IS NOT NULL)`, [[sent, sentToo]]],
  [`v[nin]=${one},${another}`, `(({v} IS NULL OR NOT ({v} = ANY($1::${type}[]))))`, [[sent, sentToo]]],
  [`v[gt]=${one}`, `({v} > $1::${type} AND {v} IS NOT NULL)`, [sent]],
  [`v[gte]=${one}`, `({v} >= $1::${type} AND {v} IS NOT NULL)`, [sent]],
  [`v[lt]=${one}`, `({v} < $1::${type} AND {v} IS NOT NULL)`, [sent]],
  [`v[lte]=${one}`, `({v} <= $1::${type} AND {v} IS NOT NULL)`, [sent]],
  [
    `v[range]=${one},${another}`,
    `({v} >= $1::${type} AND {v} <= $2::${type} AND {v} IS NOT NULL)`,
    [sent, sentToo].toSorted(),
  ],
  ['v[exists]=true', '({v} IS NOT NULL)'],
  ['v[exists]=false', '({v} IS NULL)'],
]

describe('every operator', () => {
  describe('uuid', () => {
    expectEach(field.uuid(), undefined, everyOperator('uuid', other, uuid.toUpperCase(), other, uuid))
  })
  describe('bigint', () => {
    const [small, large] = ['9007199254740992', '9007199254740993']
    expectEach(field.bigint(), undefined, everyOperator('bigint', small, large, small, large))
  })
  describe('bigint as numeric', () => {
    const stored = column('v', { type: 'numeric' })
    expectEach(
      field.bigint(),
      stored,
      everyOperator('numeric', '-1', '9223372036854775807', '-1', '9223372036854775807'),
    )
  })
  describe('decimal', () => {
    const long = '1234567890123456.789012345678901234'
    expectEach(field.decimal(), undefined, everyOperator('numeric', '1.10', long, '1.1', long))
  })
  describe('decimal, scaled', () => {
    const stored = column('v', { type: 'scaled', digits: 2 })
    expectEach(field.decimal(), stored, everyOperator('bigint', '1.10', '12.5', '110', '1250'))
  })
  describe('timestamptz', () => {
    expectEach(
      field.datetime(),
      undefined,
      everyOperator('timestamptz', millis, '2025-01-01T00:00:00Z', millis, '2025-01-01T00:00:00.000Z'),
    )
  })
  describe('timestamp', () => {
    const stored = column('v', { type: 'timestamp' })
    expectEach(
      field.datetime(),
      stored,
      everyOperator('timestamp', millis, '2025-01-01T00:00:00Z', millis, '2025-01-01T00:00:00.000Z'),
    )
  })
})

describe('moments to the microsecond are sent as texts, for a driver makes `Date`s of others', () => {
  for (const type of ['timestamptz', 'timestamp'] as const) {
    describe(type, () => {
      expectEach(field.datetime(), column('v', { type }), [
        [`v=${micros}`, `({v} = $1::text::${type} AND {v} IS NOT NULL)`, [micros]],
        [`v[notEqual]=${micros}`, `({v} IS DISTINCT FROM $1::text::${type})`, [micros]],
        [`v[lte]=${micros}`, `({v} <= $1::text::${type} AND {v} IS NOT NULL)`, [micros]],
        [`v[in]=${millis},${micros}`, `({v} = ANY($1::text[]::${type}[]) AND {v} IS NOT NULL)`, [[millis, micros]]],
      ])
    })
  }
})

describe('an operand that a column cannot store is compared exactly', () => {
  describe('decimals in whole numbers of 64 bits', () => {
    const among = '({v} = ANY($1::bigint[]) AND {v} IS NOT NULL)'
    const compared = (sign: string) => `({v} ${sign} $1::bigint AND {v} IS NOT NULL)`
    const [none, all, some] = ['(1 = 0)', '(1 = 1)', '({v} IS NOT NULL)']
    expectEach(field.decimal(), column('v', { type: 'scaled', digits: 2 }), [
      ['v=1.105', none],
      ['v[notEqual]=1.105', all],
      ['v[gt]=1.105', compared('>'), ['110']],
      ['v[gte]=1.105', compared('>'), ['110']],
      ['v[lt]=1.105', compared('<='), ['110']],
      ['v[lte]=1.105', compared('<='), ['110']],
      ['v[gt]=-1.105', compared('>='), ['-110']],
      ['v[gte]=-1.105', compared('>='), ['-110']],
      ['v[lt]=-1.105', compared('<'), ['-110']],
      ['v[lte]=-1.105', compared('<'), ['-110']],
      ['v[gt]=-0.001', compared('>='), ['0']],
      ['v[in]=1.105,2', among, [['200']]],
      ['v[in]=1.105,2.001', none],
      ['v[nin]=1.105,2.001', all],
      // 2^63 − 1 and −2^63, in hundredths.
      ['v=92233720368547758.07', compared('='), ['9223372036854775807']],
      ['v=92233720368547758.08', none],
      ['v[gte]=92233720368547758.08', none],
      ['v[lt]=92233720368547758.08', some],
      ['v[lte]=-92233720368547758.08', compared('<='), ['-9223372036854775808']],
      ['v=-92233720368547758.09', none],
      ['v[lte]=-92233720368547758.09', none],
      ['v[gt]=-92233720368547758.09', some],
      ['v[lt]=9999999999999999999999999999999999', some],
    ])
  })
  describe('with no digits after the point', () => {
    expectEach(field.decimal(), column('v', { type: 'scaled', digits: 0 }), [
      ['v=7', '({v} = $1::bigint AND {v} IS NOT NULL)', ['7']],
      ['v[gt]=0.5', '({v} > $1::bigint AND {v} IS NOT NULL)', ['0']],
      ['v[lt]=-0.5', '({v} < $1::bigint AND {v} IS NOT NULL)', ['0']],
    ])
  })
  const ofMillis = (sent: (text: string) => unknown, cast: string, order: string): Asked[] => [
    [`v=${millis}`, `({v} = $1::${cast} AND {v} IS NOT NULL)`, [sent(millis)]],
    [`v=${micros}`, '(1 = 0)'],
    [`v[notEqual]=${micros}`, '(1 = 1)'],
    [`v[gt]=${micros}`, `({v}${order} > $1::${cast} AND {v} IS NOT NULL)`, [sent(millis)]],
    [`v[gte]=${micros}`, `({v}${order} > $1::${cast} AND {v} IS NOT NULL)`, [sent(millis)]],
    [`v[lt]=${micros}`, `({v}${order} <= $1::${cast} AND {v} IS NOT NULL)`, [sent(millis)]],
    [`v[in]=${millis},${micros}`, `({v} = ANY($1::${cast}[]) AND {v} IS NOT NULL)`, [[sent(millis)]]],
  ]
  describe('moments in milliseconds', () => {
    expectEach(field.datetime(), column('v', { type: 'epochMs' }), ofMillis(Date.parse, 'bigint', ''))
  })
  describe('texts of whole milliseconds, by the column', () => {
    const stored = column('v', { type: 'text', digits: 3 })
    expectEach(
      field.datetime(),
      stored,
      ofMillis((text) => text, 'text', ' COLLATE "C"'),
    )
  })
  describe('texts of whole milliseconds, by the schema', () => {
    const stored = column('v', { type: 'text' })
    expectEach(
      field.datetime({ digits: 3 }),
      stored,
      ofMillis((text) => text, 'text', ' COLLATE "C"'),
    )
  })
})

describe('datetimes in columns of text', () => {
  describe('with six digits: the operand has them too', () => {
    const padded = millis.replace('Z', '000Z')
    expectEach(field.datetime(), column('v', { type: 'text', digits: 6 }), [
      [`v=${millis}`, '({v} = $1::text AND {v} IS NOT NULL)', [padded]],
      [`v[gt]=${millis}`, '({v} COLLATE "C" > $1::text AND {v} IS NOT NULL)', [padded]],
      [`v[lte]=${micros}`, '({v} COLLATE "C" <= $1::text AND {v} IS NOT NULL)', [micros]],
      [`v[in]=${millis},${micros}`, '({v} = ANY($1::text[]) AND {v} IS NOT NULL)', [[padded, micros]]],
    ])
  })
  describe('with three and six digits: without their Z, inside a range of an index', () => {
    const above = (sign: string) =>
      `(({v} COLLATE "C" ${sign} $1::text AND rtrim({v}, 'Z') COLLATE "C" ${sign} $2::text) AND {v} IS NOT NULL)`
    const below = (sign: string) =>
      `(({v} COLLATE "C" <= $1::text AND rtrim({v}, 'Z') COLLATE "C" ${sign} $2::text) AND {v} IS NOT NULL)`
    const second = `${millis.slice(0, 19)}Z`
    expectEach(field.datetime(), column('v', { type: 'text' }), [
      [`v=${micros}`, '({v} = $1::text AND {v} IS NOT NULL)', [micros]],
      [`v[notEqual]=${millis}`, '({v} IS DISTINCT FROM $1::text)', [millis]],
      [`v[in]=${millis}`, '({v} = $1::text AND {v} IS NOT NULL)', [millis]],
      [`v[gt]=${millis}`, above('>'), [withoutZ, withoutZ]],
      [`v[gte]=${micros}`, above('>='), [microsWithoutZ, microsWithoutZ]],
      [`v[lt]=${millis}`, below('<'), [second, withoutZ]],
      [`v[lte]=${micros}`, below('<='), [second, microsWithoutZ]],
    ])
  })
  test('a date has one form, and is compared as it is', () => {
    const stored = column('v', { type: 'text' })
    expect(compileIn(postgres, field.date(), stored, 'v[gt]=2024-01-02').text).toBe(
      '("t"."v" COLLATE "C" > $1::text AND "t"."v" IS NOT NULL)',
    )
  })
})

describe('a uuid', () => {
  test('of a string field has the order of its text, and only its canonical form is equal to it', () => {
    const stored = column('v', { type: 'uuid' })
    const textOf = (query: string) => compileIn(postgres, field.string(), stored, query).text
    expect(textOf(`v=${uuid}`)).toBe('("t"."v" = $1::uuid AND "t"."v" IS NOT NULL)')
    expect(textOf(`v=${uuid.toUpperCase()}`)).toBe('(1 = 0)')
    expect(textOf('v[gt]=x')).toBe('("t"."v"::text COLLATE "C" > $1::text AND "t"."v" IS NOT NULL)')
  })
  describe('in a column of text', () => {
    expectEach(field.uuid(), column('v', { type: 'text' }), [
      [`v=${uuid.toUpperCase()}`, '({v} = $1::text AND {v} IS NOT NULL)', [uuid]],
      [`v[gt]=${uuid}`, '({v} COLLATE "C" > $1::text AND {v} IS NOT NULL)', [uuid]],
    ])
  })
})

describe('JSON', () => {
  const is = (reader: string, test: string) => `((${reader} ${test}) IS TRUE)`
  const text = `({v}) #>> '{}'`
  const number = '({v})::numeric'
  const ofUuid = `CASE jsonb_typeof({v}) WHEN 'string' THEN translate(${text}, 'ABCDEF', 'abcdef') END`
  const ofBigint =
    `CASE jsonb_typeof({v}) WHEN 'string' THEN CASE WHEN (${text}) ~ '^-?(0|[1-9][0-9]{0,18})$' ` +
    `THEN CASE WHEN (${text})::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 ` +
    `THEN (${text})::numeric END END WHEN 'number' THEN CASE WHEN trunc(${number}) = ${number} ` +
    `AND abs(${number}) <= 9007199254740991 THEN ${number} END END`
  const ofDecimal =
    `CASE jsonb_typeof({v}) WHEN 'string' THEN CASE WHEN length((${text})) <= 5000 ` +
    `AND (${text}) ~ '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?0*[0-9]{1,4})?$' THEN (${text})::numeric END ` +
    `WHEN 'number' THEN ${number} END`
  const ofText = `CASE jsonb_typeof({v}) WHEN 'string' THEN ${text} END`
  const beside = (contains: string, reader: string, test: string) =>
    `({v} @> ${contains} AND (${reader} ${test}) IS TRUE)`
  const numbers = (reader: string, operand: string, equal: Asked): Asked[] => [
    equal,
    [`v[notEqual]=${operand}`, `(${reader} IS DISTINCT FROM $1::numeric)`, [operand]],
    [`v[gte]=${operand}`, is(reader, '>= $1::numeric'), [operand]],
    [`v[nin]=${operand},7`, `((${reader} = ANY($1::numeric[])) IS NOT TRUE)`, [[operand, '7']]],
    ['v[exists]=true', `(${reader} IS NOT NULL)`],
  ]
  describe('uuid', () => {
    expectEach(field.uuid(), jsonColumn('v'), [
      [`v=${uuid.toUpperCase()}`, is(ofUuid, '= $1::text'), [uuid]],
      [`v[notEqual]=${uuid}`, `(${ofUuid} IS DISTINCT FROM $1::text)`, [uuid]],
      [`v[gt]=${uuid}`, is(ofUuid, 'COLLATE "C" > $1::text'), [uuid]],
      [`v[in]=${uuid},${other}`, is(ofUuid, '= ANY($1::text[])'), [[uuid, other]]],
      ['v[exists]=false', `(${ofUuid} IS NULL)`],
    ])
  })
  describe('bigint', () =>
    expectEach(
      field.bigint(),
      jsonColumn('v'),
      numbers(ofBigint, '9007199254740993', [
        'v=9007199254740993',
        beside('$1::text::jsonb', ofBigint, '= $2::numeric'),
        ['"9007199254740993"', '9007199254740993'],
      ]),
    ))
  describe('decimal', () =>
    expectEach(
      field.decimal(),
      jsonColumn('v'),
      numbers(ofDecimal, '1.1', ['v=1.1', is(ofDecimal, '= $1::numeric'), ['1.1']]),
    ))
  describe('datetime', () => {
    expectEach(field.datetime(), jsonColumn('v'), [
      [`v=${micros}`, beside('$1::text::jsonb', ofText, '= $2::text'), [`"${micros}"`, micros]],
      [`v[lt]=${micros}`, is(`rtrim(${ofText}, 'Z')`, 'COLLATE "C" < $1::text'), [microsWithoutZ]],
    ])
  })
  describe('datetime of whole milliseconds', () => {
    expectEach(field.datetime({ digits: 3 }), jsonColumn('v'), [
      [`v=${micros}`, '(1 = 0)'],
      [`v[lt]=${micros}`, is(ofText, 'COLLATE "C" <= $1::text'), [millis]],
    ])
  })
  test('of which a dialect reads no decimals is refused when a filter is compiled without a schema', () => {
    const { decimal: _, ...json } = postgres.json!
    const { compile } = sqlBackend({
      dialect: { ...postgres, json },
      table: table('t', { columns: { v: jsonColumn('v') } }),
    })
    expect(() => compile(comparison(['v'], 'eq', { type: 'decimal', value: '1' }))).toThrow(
      'v is JSON, of which postgres reads no decimal',
    )
  })
})

describe('native enumerations with the name of their type', () => {
  const kind = field.enumeration(['paid', 'held'])
  const ofName = (name: string | string[], quoted: string) =>
    describe(quoted, () => {
      expectEach(kind, column('v', { type: 'enum', name }), [
        ['v=paid', `({v} = $1::${quoted} AND {v} IS NOT NULL)`, ['paid']],
        ['v[notEqual]=paid', `(({v} IS NULL OR NOT ({v} = $1::${quoted})))`, ['paid']],
        ['v[in]=paid,held', `({v} = ANY(ARRAY[$1::${quoted}, $2::${quoted}]) AND {v} IS NOT NULL)`, ['paid', 'held']],
        ['v[in]=paid', `({v} = $1::${quoted} AND {v} IS NOT NULL)`, ['paid']],
        [
          'v[nin]=paid,held',
          `(({v} IS NULL OR NOT ({v} = ANY(ARRAY[$1::${quoted}, $2::${quoted}]))))`,
          ['paid', 'held'],
        ],
        ['v[exists]=true', '({v} IS NOT NULL)'],
      ])
    })
  ofName('order_status', '"order_status"')
  ofName(['shop', 'order"status'], '"shop"."order""status"')

  const stored = { v: column('v', { type: 'enum', name: 'k' }) }
  const compile = (schema: ReturnType<typeof defineSchema> | undefined, filter: Filter) =>
    sqlBackend({ dialect: postgres, table: table('t', { ...(schema && { schema }), columns: stored }) }).compile(filter)
  const is = (value: string, operator: 'eq' | 'gt' = 'eq') => comparison(['v'], operator, { type: 'string', value })
  const schema = defineSchema({ v: kind })
  test('are compared as texts with what the schema lacks, which the database need not have either', () => {
    expect(compile(schema, is('else'))).toMatchObject({
      text: '("t"."v"::text = $1::text AND "t"."v" IS NOT NULL)',
      parameters: ['else'],
    })
    const [paid, other] = ['paid', 'else'].map((value) => ({ type: 'string', value }) as const)
    expect(compile(schema, not(membership(['v'], [paid!, other!])))).toMatchObject({
      text: '(("t"."v" IS NULL OR NOT ("t"."v"::text = ANY($1::text[]))))',
      parameters: [['paid', 'else']],
    })
    // Without a schema nothing is known to be lacking.
    expect(compile(undefined, is('else')).text).toBe('("t"."v" = $1::"k" AND "t"."v" IS NOT NULL)')
  })
  test('keep the order of their texts', () => {
    expect(compile(schema, is('paid', 'gt')).text).toBe(
      '("t"."v"::text COLLATE "C" > $1::text AND "t"."v" IS NOT NULL)',
    )
  })
})

test('entries of arrays have the types of columns', () => {
  const of = (entry: Parameters<typeof field.list>[0], stored: ColumnOptions[string], query: string) =>
    compileIn(postgres, field.list(entry), stored, query)
  const inEntry = (test: string) => `EXISTS (SELECT 1 FROM unnest("t"."v") AS "e1"("value") WHERE "e1"."value" ${test})`
  const has = (type: string, list = `$1::${type}[]`) => `("t"."v"::${type}[] && ${list} AND "t"."v" IS NOT NULL)`
  expect(of(field.uuid(), arrayColumn('v'), `v=${uuid.toUpperCase()}`)).toMatchObject({
    text: has('uuid'),
    parameters: [[uuid]],
  })
  expect(of(field.bigint(), arrayColumn('v'), 'v[in]=1,2')).toMatchObject({
    text: has('bigint'),
    parameters: [['1', '2']],
  })
  // A driver makes a Date of each moment, which has no microseconds.
  const moment = '2024-01-02T03:04:05.123456Z'
  expect(of(field.datetime(), arrayColumn('v'), `v=${moment}`)).toMatchObject({
    text: has('timestamptz', '$1::text[]::timestamptz[]'),
    parameters: [[moment]],
  })
  expect(of(field.decimal(), arrayColumn('v'), 'v[gt]=1.10')).toMatchObject({
    text: inEntry('> $1::numeric'),
    parameters: ['1.1'],
  })
  expect(of(field.decimal(), arrayColumn('v', { type: 'scaled', digits: 1 }), 'v[gt]=1.15')).toMatchObject({
    text: inEntry('> $1::bigint'),
    parameters: ['11'],
  })
  expect(of(field.enumeration(['a']), arrayColumn('v', { type: 'enum', name: 'k' }), 'v=a').text).toBe(
    has('"k"', '$1::text[]::"k"[]'),
  )
  // Its equality is not that of the type, or it has no type to be cast to.
  expect(of(field.enumeration(['a']), arrayColumn('v', { type: 'enum' }), 'v=a').text).toContain('FROM unnest("t"."v")')
  expect(of(field.string(), arrayColumn('v', { type: 'citext' }), 'v=a').text).toContain('FROM unnest("t"."v")')
})

test('uuids, bigints and decimals are the same in the order of pg_c_utf8', () => {
  for (const [definition, query] of [
    [field.uuid(), `v[gt]=${uuid}`],
    [field.bigint(), 'v[in]=1'],
    [field.decimal(), 'v[notEqual]=1.5'],
  ] as const)
    expect(compileIn(postgres17, definition, undefined, query)).toEqual(
      compileIn(postgres, definition, undefined, query),
    )
})

describe('a promise leaves out the tests for NULL', () => {
  const place = { city: field.string({ required: true }), street: field.string() }
  const schema = defineSchema({
    id: field.uuid({ required: true }),
    kind: field.enumeration(['a'], { required: true }),
    home: field.object(place, { required: true }),
    other: field.object(place),
    data: field.object(
      { n: field.integer({ required: true }), m: field.integer(), in: field.object(place, { required: true }) },
      { required: true },
    ),
    maybe: field.object({ n: field.integer({ required: true }) }),
    owner: field.object({ ...place, data: field.object({ n: field.integer({ required: true }) }, { required: true }) }),
    lines: field.list(field.object(place)),
    json: field.list(field.object(place)),
    tags: field.list(field.string()),
  })
  const columns: ColumnOptions = {
    home: { city: 'home_city', street: 'home_street' },
    other: { city: 'other_city', street: 'other_street' },
    data: jsonColumn('data'),
    maybe: jsonColumn('maybe'),
    owner: parentTable('owners', { key: 'id', foreignKey: 'owner_id', columns: { data: jsonColumn('data') } }),
    lines: childTable('lines', { key: 'id', foreignKey: 't_id' }),
    json: jsonColumn('json'),
    tags: childTable('tags', { foreignKey: 't_id', value: 'tag' }),
  }
  const { compile } = sqlBackend({ dialect: postgres, table: table('t', { schema, key: 'id', columns }) })
  const numberIn = (json: string) => `CASE jsonb_typeof(${json}) WHEN 'number' THEN (${json})::numeric END`
  const textIn = (json: string) => `CASE jsonb_typeof(${json}) WHEN 'string' THEN (${json}) #>> '{}' END`
  const inOwner = (test: string) =>
    `EXISTS (SELECT 1 FROM "owners" AS "e1" WHERE "e1"."id" = "t"."owner_id"${test && ` AND ${test}`})`
  const inLines = (test: string) =>
    `EXISTS (SELECT 1 FROM "lines" AS "e1" WHERE "e1"."t_id" = "t"."id"${test && ` AND ${test}`})`
  const entries = `jsonb_array_elements(CASE jsonb_typeof("t"."json") WHEN 'array' THEN "t"."json" END) AS "e1"("value")`
  test.each([
    // Columns.
    [`id=${uuid}`, '("t"."id" = $1::uuid)'],
    [`id[gt]=${uuid}`, '("t"."id" > $1::uuid)'],
    [`id[nin]=${uuid},${other}`, '(NOT ("t"."id" = ANY($1::uuid[])))'],
    ['id[exists]=true', '(1 = 1)'],
    ['id[exists]=false', '(1 = 0)'],
    ['kind[in]=a', '("t"."kind" = $1::text)'],
    // Of an object over columns, where it is required itself.
    ['home.city=x', '("t"."home_city" = $1::text)'],
    ['home.street=x', '("t"."home_street" = $1::text AND "t"."home_street" IS NOT NULL)'],
    ['other.city=x', '("t"."other_city" = $1::text AND "t"."other_city" IS NOT NULL)'],
    ['other[exists]=false', '("t"."other_city" IS NULL AND "t"."other_street" IS NULL)'],
    // In JSON, where the whole path is.
    ['data.n=5', `("t"."data" @> $1::text::jsonb AND ${numberIn(`"t"."data" -> 'n'`)} = $2::numeric)`],
    ['data.n[exists]=true', '(1 = 1)'],
    ['data.m=5', `("t"."data" @> $1::text::jsonb AND (${numberIn(`"t"."data" -> 'm'`)} = $2::numeric) IS TRUE)`],
    ['data.in.city=x', `("t"."data" @> $1::text::jsonb AND ${textIn(`"t"."data" -> 'in' -> 'city'`)} = $2::text)`],
    ['maybe.n=5', `("t"."maybe" @> $1::text::jsonb AND (${numberIn(`"t"."maybe" -> 'n'`)} = $2::numeric) IS TRUE)`],
    // In the row of another table, where that is there.
    ['owner.city[exists]=true', inOwner('')],
    ['owner.city[exists]=false', `NOT ${inOwner('')}`],
    ['owner.street[exists]=true', inOwner('"e1"."street" IS NOT NULL')],
    ['owner.data.n[exists]=true', inOwner('')],
    ['lines.city[exists]=true', inLines('')],
    ['lines.street[exists]=true', inLines('"e1"."street" IS NOT NULL')],
    // An entry of JSON may be null.
    [
      'json.city[exists]=true',
      `EXISTS (SELECT 1 FROM ${entries} WHERE ${textIn(`"e1"."value" -> 'city'`)} IS NOT NULL)`,
    ],
    [
      'tags[exists]=true',
      'EXISTS (SELECT 1 FROM "tags" AS "e1" WHERE "e1"."t_id" = "t"."id" AND "e1"."tag" IS NOT NULL)',
    ],
  ])('%s', (query, text) => {
    expect(compile(parseFilterOrThrow(schema, query)).text).toBe(text)
  })
})

describe('a custom dialect', () => {
  const mapped = table('t', { columns: { v: column<'even'>('v', { type: 'even' }) } })
  const compileWith = (fit: NonNullable<Dialect['types'][string]['fit']>, filter: Filter) => {
    const types = { ...postgres.types, even: { holds: ['integer'], fit } } satisfies Dialect['types']
    return sqlBackend({ dialect: { ...postgres, types }, table: mapped }).compile(filter)
  }
  const integer = (value: number) => ({ type: 'integer', value }) as const
  test('may have a type that every value passes, or none', () => {
    for (const filter of [comparison(['v'], 'eq', integer(1)), membership(['v'], [integer(1), integer(2)])]) {
      expect(compileWith(() => true, filter).text).toBe('("t"."v" IS NOT NULL)')
      expect(compileWith(() => true, not(filter)).text).toBe('("t"."v" IS NULL)')
      expect(compileWith(() => false, filter).text).toBe('(1 = 0)')
      expect(compileWith(() => false, not(filter)).text).toBe('(1 = 1)')
    }
  })
  test('declares the types that it has', () => {
    const typesOf = (dialect: Dialect) => sqlBackend({ dialect, table: table('t') }).capabilities.types
    expect(typesOf(postgres)).toEqual(expect.arrayContaining(['uuid', 'bigint', 'decimal']))
    const { uuid: _, text, char: ___, ...types } = postgres.types
    const strings = { ...text, holds: ['string'] } satisfies Dialect['types'][string]
    const { uuid: __, ...columnTypes } = postgres.columnTypes
    const json = { ...postgres.json!, types: { ...postgres.json!.types } }
    delete (json.types as { uuid?: string }).uuid
    expect(typesOf({ ...postgres, types: { ...types, text: strings }, columnTypes, json })).not.toContain('uuid')
  })
  test('has no type for a field of a filter that nobody declared', () => {
    const { decimal: _, ...columnTypes } = postgres.columnTypes
    const { compile } = sqlBackend({ dialect: { ...postgres, columnTypes }, table: table('t') })
    expect(() => compile(comparison(['v'], 'eq', { type: 'decimal', value: '1' }))).toThrow(
      'v is stored in postgres, which holds no decimal',
    )
  })
})
