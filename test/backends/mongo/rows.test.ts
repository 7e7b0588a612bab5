/** Rows of documents, worked out by hand: every type in every setting of the driver, names, projections, pages, and what is refused. */
import { Binary, type BSON, Decimal128, Double, Int32, Long, ObjectId, Timestamp, UUID } from 'mongodb'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { mongoBackend, type MongoField, type MongoOptions } from '../../../src/backends/mongo/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import type { EntryField, Fields, Schema, Query } from '../../../src/index.ts'
import { id, key, of } from '../../query/queries.ts'
import { found, decimal128, hex, readerOf, document } from './rows.fixture.ts'

/** How the driver may give the values of a document, by its options. */
const settings: Readonly<Record<string, BSON.DeserializeOptions>> = {
  'as the driver does': {},
  'longs as Long': { promoteLongs: false },
  'longs as bigint': { useBigInt64: true },
  'no values promoted': { promoteValues: false },
  'bytes as Buffer': { promoteBuffers: true },
  'bytes as Buffer, longs as bigint': { promoteBuffers: true, useBigInt64: true },
}
const asUuid: MongoField = { type: 'binData', encode: (text: string) => new UUID(text) }
const objectId: MongoField = {
  type: 'objectId',
  encode: (text: string) => (ObjectId.isValid(text) ? new ObjectId(text) : undefined),
}
const uuid = '0190aaaa-0000-7000-8000-0000000000ff'
const far = '-12345678901234567890.12345678901234'

/** A stored value, and what it is in a row. */
type Line = readonly [stored: unknown, value: unknown]
/** What no scalar of another form is: a value. */
const noScalars: readonly unknown[] = [
  null,
  undefined,
  [],
  [1],
  ['a'],
  {},
  { a: 1 },
  /a/,
  new Timestamp({ t: 1, i: 2 }),
]
interface Kind {
  readonly what: string
  readonly definition: EntryField
  readonly option?: MongoField
  readonly options?: MongoOptions
  readonly lines: readonly Line[]
}
const kinds: readonly Kind[] = [
  {
    what: 'text',
    definition: field.string(),
    lines: [
      ['', ''],
      ['aé\u{1f600}"', 'aé\u{1f600}"'],
      ...[5, 5n, true, new Date(0), new ObjectId(hex), new UUID(uuid), new Decimal128('1')].map(
        (one) => [one, null] as const,
      ),
    ],
  },
  {
    what: 'an enumeration',
    definition: field.enumeration(['paid', 'held']),
    lines: [
      ['paid', 'paid'],
      [1, null],
    ],
  },
  {
    what: 'ObjectIds',
    definition: field.string(),
    option: objectId,
    lines: [
      [new ObjectId(hex), hex],
      [hex, null],
      [new UUID(uuid), null],
    ],
  },
  {
    what: 'ObjectIds, without a type',
    definition: field.string(),
    option: { encode: objectId.encode! },
    lines: [
      [new ObjectId(hex), hex],
      ['a', 'a'],
      [5, null],
    ],
  },
  {
    what: 'uuids in text',
    definition: field.uuid(),
    lines: [
      [uuid, uuid],
      [uuid.toUpperCase(), uuid],
      ['a', null],
      [new UUID(uuid), null],
    ],
  },
  {
    what: 'uuids',
    definition: field.uuid(),
    option: asUuid,
    lines: [
      [new UUID(uuid), uuid],
      [new Binary(new UUID(uuid).buffer, 4), uuid],
      [new Binary(new UUID(uuid).buffer), uuid],
      [new Binary(new Uint8Array(3)), null],
      [uuid, null],
    ],
  },
  {
    what: 'whole numbers',
    definition: field.integer(),
    lines: [
      [5, 5],
      [-0, 0],
      [new Double(7), 7],
      [new Int32(-7), -7],
      [Long.fromNumber(2 ** 53 - 1), 2 ** 53 - 1],
      [Long.fromNumber(5), 5],
      [-5n, -5],
      [new Decimal128('12'), 12],
      [2.5, 2.5],
      [NaN, null],
      [Infinity, null],
      ['5', null],
      [true, null],
    ],
  },
  {
    what: 'numbers',
    definition: field.number(),
    lines: [
      [0.1, 0.1],
      [new Double(5e-324), 5e-324],
      [Long.fromString('9007199254740993'), 9007199254740992],
      [new Decimal128('0.1'), 0.1],
      [new Decimal128('NaN'), null],
      [-Infinity, null],
      ['0.1', null],
    ],
  },
  {
    what: 'numbers in Decimal128',
    definition: field.number(),
    option: { type: 'decimal', encode: (value: number) => Decimal128.fromString(String(value)) },
    lines: [
      [new Decimal128('12.50'), 12.5],
      [12.5, null],
    ],
  },
  {
    what: 'numbers of 64 bits',
    definition: field.bigint(),
    lines: [
      [5, '5'],
      [-0, '0'],
      [new Double(7), '7'],
      [2 ** 53 - 1, '9007199254740991'],
      // The driver makes a number of this long, and the smallest that it leaves a Long is one more.
      [Long.fromString('9007199254740992'), '9007199254740992'],
      [Long.fromString('9007199254740993'), '9007199254740993'],
      [Long.fromString('-9223372036854775808'), '-9223372036854775808'],
      [9223372036854775807n, '9223372036854775807'],
      [2 ** 63, null],
      [0.5, null],
      [new Decimal128('5E+3'), '5000'],
      [new Decimal128('5.5'), null],
      ['5', null],
    ],
  },
  {
    what: 'decimals',
    definition: field.decimal(),
    option: decimal128,
    lines: [
      [new Decimal128('12.50'), '12.5'],
      [new Decimal128('-0.00'), '0'],
      [new Decimal128(far), far],
      [new Decimal128('1E-6176'), `0.${'0'.repeat(6175)}1`],
      [new Decimal128('9.999999999999999999999999999999999E+6144'), `${'9'.repeat(34)}${'0'.repeat(6111)}`],
      [new Decimal128('0E+6111'), '0'],
      [new Decimal128('NaN'), null],
      [new Decimal128('-Infinity'), null],
      [0.5, null],
      [5n, null],
      ['0.5', null],
    ],
  },
  {
    what: 'decimals, without an encode',
    definition: field.decimal(),
    lines: [
      [new Decimal128(far), far],
      [0.5, null],
    ],
  },
  {
    what: 'decimals in doubles',
    definition: field.decimal(),
    option: { type: 'double', encode: (text: string) => (text.length > 15 ? undefined : Number(text)) },
    lines: [
      [0.1, '0.1'],
      [new Double(1e21), '1000000000000000000000'],
      [Long.fromString('9007199254740993'), '9007199254740993'],
      [new Decimal128('0.1'), null],
      [NaN, null],
    ],
  },
  {
    what: 'cents',
    definition: field.decimal(),
    option: {
      type: 'number',
      encode: (text: string) => (/\.\d{3}/.test(text) ? undefined : BigInt(centsOf(text))),
      decode: (cents: number | bigint) => unitsOf(String(cents)),
    },
    lines: [
      [1250, '12.5'],
      [new Int32(5), '0.05'],
      [Long.fromNumber(-5), '-0.05'],
      [9007199254740993n, '90071992547409.93'],
      ['5', null],
      [true, null],
    ],
  },
  {
    what: 'booleans',
    definition: field.boolean(),
    lines: [
      [true, true],
      [false, false],
      [0, null],
      ['true', null],
    ],
  },
  {
    what: 'booleans in numbers',
    definition: field.boolean(),
    option: { type: 'int', encode: Number, decode: (stored: number) => stored === 1 },
    lines: [
      [1, true],
      [new Int32(0), false],
      [true, null],
    ],
  },
  {
    what: 'days in text',
    definition: field.date(),
    lines: [
      ['2024-02-29', '2024-02-29'],
      ['0001-01-01', '0001-01-01'],
      ['2023-02-29', null],
      ['2024-02-29T00:00:00.000Z', null],
      [new Date(0), null],
    ],
  },
  {
    what: 'days in dates',
    definition: field.date(),
    options: { dates: 'date' },
    lines: [
      [new Date('2024-02-29'), '2024-02-29'],
      [new Date('0099-12-31'), '0099-12-31'],
      [new Date('0001-01-01'), '0001-01-01'],
      [new Date('9999-12-31T23:59:59.999Z'), '9999-12-31'],
      [new Date('0000-12-31T23:59:59.999Z'), null],
      [new Date('+010000-01-01'), null],
      ['2024-02-29', null],
      [0, null],
    ],
  },
  {
    what: 'moments in dates',
    definition: field.datetime(),
    lines: [
      [new Date('2024-02-29T12:00:00.001Z'), '2024-02-29T12:00:00.001Z'],
      [new Date('0099-12-31T23:59:59.999Z'), '0099-12-31T23:59:59.999Z'],
      // A Date cuts microseconds.
      [new Date('2024-02-29T12:00:00.001999Z'), '2024-02-29T12:00:00.001Z'],
      [new Date('+010000-01-01'), null],
      [new Date('0000-12-31T23:59:59.999Z'), null],
      ['2024-02-29T12:00:00.001Z', null],
    ],
  },
  {
    what: 'moments in text',
    definition: field.datetime(),
    options: { datetimes: 'string' },
    lines: [
      ['2024-02-29T12:00:00.001Z', '2024-02-29T12:00:00.001Z'],
      ['2024-02-29T13:00:00+01:00', '2024-02-29T12:00:00.000Z'],
      ['soon', null],
      [new Date(0), null],
    ],
  },
  {
    what: 'moments in text of six digits',
    definition: field.datetime(),
    option: { type: 'string', encode: (text: string) => (text.length === 24 ? text.replace('Z', '000Z') : text) },
    lines: [
      ['2024-02-29T12:00:00.001000Z', '2024-02-29T12:00:00.001Z'],
      ['2024-02-29T12:00:00.001002Z', '2024-02-29T12:00:00.001002Z'],
      ['2024-02-29T12:00:00.0010029Z', '2024-02-29T12:00:00.001002Z'],
    ],
  },
]
function centsOf(text: string): string {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!
  return sign! + whole! + fraction.padEnd(2, '0')
}
function unitsOf(cents: string): string {
  const [, sign, digits] = /^(-?)(\d+)$/.exec(cents)!
  return `${sign}${digits!.padStart(3, '0').replace(/(\d\d)$/, '.$1')}`
}

describe.each(Object.entries(settings))('%s', (_, setting) => {
  test.each(kinds)('$what', ({ definition, option = {}, options = {}, lines }) => {
    const fields = { a: definition, list: field.list(definition), object: field.object({ b: definition }) }
    const named = { a: option, list: option, 'object.b': { ...option, name: 'x.y' } }
    const { read } = readerOf(fields, { ...options, fields: named })
    const all = [...lines, ...noScalars.map((stored): Line => [stored, null])]
    for (const [stored, value] of all) {
      const row = read(found({ key: 1, a: stored, object: { x: { y: stored } } }, setting))
      expect(JSON.stringify(row), String(stored)).toBe(
        JSON.stringify({ a: value, list: null, object: { b: value }, key: 1 }),
      )
    }
    const list = all.map(([stored]) => stored)
    expect(read(found({ list }, setting)).list).toEqual(all.map(([, value]) => value))
  })
})

test('a list, an object', () => {
  const inner = { n: field.integer(), days: field.list(field.date()) }
  const { read } = readerOf(
    { tags: field.list(field.string()), one: field.object(inner), items: field.list(field.object(inner)) },
    { fields: { 'one.n': { name: 'm' }, 'items.n': { name: 'deep.n' }, items: { name: 'at.lines' } } },
  )
  const lines: readonly [document: object, row: object][] = [
    [{}, { tags: null, one: null, items: null }],
    [
      { tags: null, one: null, at: { lines: null } },
      { tags: null, one: null, items: null },
    ],
    [
      { tags: 'a', one: 'a', at: { lines: {} } },
      { tags: null, one: null, items: null },
    ],
    [
      { tags: { 0: 'a' }, one: [{ m: 1 }], at: [{ lines: [] }] },
      { tags: null, one: null, items: null },
    ],
    [
      { tags: [], one: {}, at: { lines: [] } },
      { tags: [], one: { n: null, days: null }, items: [] },
    ],
    [
      {
        tags: ['a', null, 5, ['a'], 'b'],
        one: { m: 1, days: ['2024-02-29', 'soon'], secret: 1 },
        at: { lines: [null] },
      },
      { tags: ['a', null, null, null, 'b'], one: { n: 1, days: ['2024-02-29', null] }, items: [null] },
    ],
    [
      { at: { lines: [{ deep: { n: 2 }, days: [] }, {}, 5, [{ deep: { n: 3 } }], new Date(0), { deep: 4, days: 5 }] } },
      {
        ...{ tags: null, one: null },
        items: [{ n: 2, days: [] }, { n: null, days: null }, null, null, null, { n: null, days: null }],
      },
    ],
  ]
  for (const [document, row] of lines) {
    expect(JSON.stringify(read({ key: 1, ...document }))).toBe(JSON.stringify({ ...row, key: 1 }))
  }
})
test('an object of a class of the driver counts as missing', () => {
  const { read } = readerOf({ one: field.object({ buffer: field.string(), low: field.integer() }) }, {})
  for (const one of [new ObjectId(hex), Long.fromNumber(1), new UUID(uuid), new Date(0), Buffer.from('a'), /a/]) {
    expect(read({ one }).one).toBe(null)
  }
})
test('an object that names a class is an object', () => {
  const { read } = readerOf(
    { a: field.string(), one: field.object({ _bsontype: field.string() }) },
    { fields: { a: { encode: objectId.encode! } } },
  )
  const stored = { _bsontype: 'ObjectId', toString: () => 'never called' }
  expect(read({ a: stored, one: stored })).toEqual({ a: null, one: { _bsontype: 'ObjectId' }, key: null })
})
test('members that the document inherits are not there', () => {
  const { read } = readerOf({ constructor: field.object({ name: field.string() }), toString: field.string() }, {})
  expect(read({ key: 1 })).toStrictEqual({ constructor: null, toString: null, key: 1 })
})
test('documents without a prototype, or of another realm', async () => {
  const { runInNewContext } = await import('node:vm')
  const { read } = readerOf({ at: field.datetime(), one: field.object({ n: field.list(field.integer()) }) }, {})
  const foreign = runInNewContext('({ key: 1, at: new Date(0), one: { n: [1] } })') as object
  expect(read(foreign)).toEqual({ at: '1970-01-01T00:00:00.000Z', one: { n: [1] }, key: 1 })
  expect(read({ __proto__: null, key: 2 })).toEqual({ at: null, one: null, key: 2 })
})

test('the compiler knows the rows', () => {
  const schema = defineSchema({
    id: field.bigint({ required: true }),
    total: field.decimal(),
    status: field.enumeration(['paid', 'held']),
    items: field.list(field.object({ day: field.date() })),
  })
  const { read, page } = mongoBackend({ schema, fields: { total: decimal128 } }).compileQuery(
    of([{ ...key('id', 'bigint'), required: true }]) as Query<undefined, never>,
  )
  const { rows } = page([{ id: 1 }])
  expectTypeOf(rows[0]!).toEqualTypeOf<{
    readonly id: string
    readonly total: string | null
    readonly status: 'paid' | 'held' | null
    readonly items: readonly ({ readonly day: string | null } | null)[] | null
  }>()
  expectTypeOf(read).returns.toEqualTypeOf(rows[0]!)
  expect(rows).toEqual([{ id: '1', total: null, status: null, items: null }])
})

// --- What is asked for

const orders = defineSchema({
  id: field.string(),
  seller: field.string(),
  total: field.decimal(),
  secret: field.string(),
  customer: field.object({ name: field.string(), email: field.string(), inner: field.object({ a: field.string() }) }),
  empty: field.object({}),
  items: field.list(field.object({ price: field.number(), cost: field.number() })),
  tags: field.list(field.string()),
})
const mapped: MongoOptions = {
  fields: {
    id: { name: '_id', ...objectId },
    total: decimal128,
    seller: { name: 'meta.seller' },
    'customer.name': { name: 'full name' },
    items: { name: 'lines' },
    'items.price': { name: 'p' },
  },
}
describe('the fields of a query', () => {
  const { compileQuery } = mongoBackend({ ...mapped, schema: orders })
  const sortedBy = (...names: string[]) => [
    ...names.map((name) => key(name, name === 'total' ? 'decimal' : 'string')),
    { ...key('id', 'string'), required: true as const },
  ]
  const all = {
    ...{ _id: 1, 'meta.seller': 1, total: 1, secret: 1, 'customer.full name': 1, 'customer.email': 1 },
    ...{ 'customer.inner.a': 1, empty: 1, lines: 1, tags: 1 },
  }
  const { secret: _, 'customer.email': __, ...shown } = all
  const customer = { name: 'Jo', email: 'a@b', inner: null }
  const whole = {
    ...{ id: hex, seller: 's', total: '12.5', secret: 'x', customer, empty: {} },
    ...{ items: [{ price: 1, cost: 2 }, null], tags: ['a'] },
  }
  test.each<
    [
      what: string,
      sort: string[],
      fields: string[] | undefined,
      hidden: string[] | undefined,
      projection: object,
      read: object,
      cut: object,
    ]
  >([
    ['all', [], undefined, undefined, all, whole, whole],
    [
      'all but the hidden',
      [],
      undefined,
      ['secret', 'customer.email', 'items.cost'],
      shown,
      { ...whole, secret: undefined, customer: { name: 'Jo', inner: null }, items: [{ price: 1 }, null] },
      { ...whole, secret: undefined, customer: { name: 'Jo', inner: null }, items: [{ price: 1 }, null] },
    ],
    ['one', [], ['tags'], undefined, { tags: 1, _id: 1 }, { id: hex, tags: ['a'] }, { tags: ['a'] }],
    ['the key', [], ['id'], undefined, { _id: 1 }, { id: hex }, { id: hex }],
    [
      'one, sorted by others',
      ['seller', 'total'],
      ['customer.name'],
      undefined,
      { 'customer.full name': 1, 'meta.seller': 1, total: 1, _id: 1 },
      { id: hex, seller: 's', total: '12.5', customer: { name: 'Jo' } },
      { customer: { name: 'Jo' } },
    ],
    [
      'an object with a hidden field, sorted by one inside it',
      ['customer.name'],
      ['customer'],
      ['customer.email', 'customer.inner'],
      { 'customer.full name': 1, _id: 1 },
      { id: hex, customer: { name: 'Jo' } },
      { customer: { name: 'Jo' } },
    ],
    [
      'a field in an object, sorted by another inside it',
      ['customer.name'],
      ['customer.email'],
      undefined,
      { 'customer.full name': 1, 'customer.email': 1, _id: 1 },
      { id: hex, customer: { name: 'Jo', email: 'a@b' } },
      { customer: { email: 'a@b' } },
    ],
    [
      'in a list, which is projected whole',
      [],
      ['items.price'],
      undefined,
      { lines: 1, _id: 1 },
      { id: hex, items: [{ price: 1 }, null] },
      { items: [{ price: 1 }, null] },
    ],
    ['an object without fields', [], ['empty'], undefined, { empty: 1, _id: 1 }, { id: hex, empty: {} }, { empty: {} }],
  ])('%s', (_, sort, fields, hidden, projection, read, cut) => {
    const paths = (names: string[]) => names.map((name) => name.split('.'))
    const query = of(sortedBy(...sort), {
      ...(fields && { fields: paths(fields) }),
      ...(hidden && { hidden: paths(hidden) }),
    })
    for (const again of [compileQuery(query), compileQuery(query)]) {
      expect(again.projection).toEqual(projection)
      const cleaned = (row: object): unknown => JSON.parse(JSON.stringify(row))
      expect(again.read(document)).toStrictEqual(cleaned(read))
      expect(again.page([document])).toStrictEqual({ rows: [cleaned(cut)] })
    }
  })
  test('the projection may be changed', () => {
    const query = of(sortedBy())
    ;(compileQuery(query).projection as Record<string, number>).more = 1
    expect(compileQuery(query).projection).toEqual(all)
  })
  test('paths that the same text could name are not mixed up', () => {
    expect(compileQuery(of(sortedBy('seller'), { fields: [['tags']] })).projection).not.toHaveProperty('secret')
    expect(compileQuery(of(sortedBy(), { fields: [['tags'], ['seller']] })).page([document]).rows).toEqual([
      { seller: 's', tags: ['a'] },
    ])
    expect(compileQuery(of(sortedBy('seller'), { fields: [['tags']] })).page([document]).rows).toEqual([
      { tags: ['a'] },
    ])
  })
})
test.each<[fields: Record<string, string>, projection: object]>([
  [
    { a: 'x.y', b: 'x' },
    { x: 1, key: 1, _id: 0 },
  ],
  [
    { a: 'x', b: 'x.y.z' },
    { x: 1, key: 1, _id: 0 },
  ],
  [
    { a: 'x.y', b: 'x.yz' },
    { 'x.y': 1, 'x.yz': 1, key: 1, _id: 0 },
  ],
  [
    { a: 'x', b: 'xy' },
    { x: 1, xy: 1, key: 1, _id: 0 },
  ],
  [
    { a: 'x', b: 'x' },
    { x: 1, key: 1, _id: 0 },
  ],
  [
    { a: '_id', b: 'b' },
    { _id: 1, b: 1, key: 1 },
  ],
  [
    { a: '_id.a', b: '_id.b' },
    { _id: 1, key: 1 },
  ],
])('a projection never has a path beside its parent: %j', (names, projection) => {
  const fields = Object.fromEntries(Object.entries(names).map(([name, stored]) => [name, { name: stored }]))
  expect(readerOf({ a: field.string(), b: field.string() }, { fields }).projection).toEqual(projection)
})

// --- Pages

describe('a page', () => {
  const collection = defineCollection(
    defineSchema({
      id: field.integer(),
      at: field.datetime(),
      day: field.date(),
      n: field.number(),
      big: field.bigint(),
      price: field.decimal(),
      s: field.string(),
      ref: field.uuid(),
    }),
    { key: 'id', sort: true, fields: true, hidden: ['s'] },
  )
  const backend = mongoBackend({
    schema: collection.schema,
    dates: 'date',
    fields: { id: { name: '_id' }, price: decimal128, at: { name: 'when.at' } },
  })
  const pageOf = (text: string, documents: readonly object[]) => {
    const query = parseQueryOrThrow(collection, text)
    return { ...backend.compileQuery(query).page(documents), query }
  }
  /** What the cursor to the next page holds of the first row, for one sort key. */
  const valueOf = (name: string, document: object): unknown => {
    const { next } = pageOf(`sort=${name}&limit=1`, [{ _id: 1, ...document }, { _id: 2 }])
    const { position, offset } = parseQueryOrThrow(collection, `sort=${name}&limit=1&cursor=${next}`)
    return offset === undefined ? (position!.values[0]?.value ?? null) : `counted, ${offset}`
  }
  const counted = 'counted, 1'
  test.each<[name: string, document: object, value: unknown]>([
    ['at', { when: { at: new Date('2024-02-29T12:00:00.001Z') } }, '2024-02-29T12:00:00.001Z'],
    ['at', { when: { at: new Date('0099-01-01') } }, '0099-01-01T00:00:00.000Z'],
    ['at', { when: { at: null } }, null],
    ['at', { when: null }, null],
    ['at', { when: 'soon' }, null],
    ['at', {}, null],
    ['at', { when: { at: '2024-02-29T12:00:00.001Z' } }, counted],
    ['at', { when: { at: new Date(NaN) } }, counted],
    ['at', { when: { at: [new Date(0)] } }, counted],
    ['at', { when: [{ at: new Date(0) }] }, counted],
    ['at', { when: [] }, counted],
    ['day', { day: new Date('2024-02-29') }, '2024-02-29'],
    // The operand of that cursor would be midnight.
    ['day', { day: new Date('2024-02-29T01:00:00Z') }, counted],
    ['day', { day: '2024-02-29' }, counted],
    ['n', { n: 0.5 }, 0.5],
    ['n', { n: new Double(0.5) }, 0.5],
    ['n', { n: Long.fromString('9007199254740992') }, 9007199254740992],
    ['n', { n: Long.fromString('9007199254740993') }, counted],
    ['n', { n: new Decimal128('0.1') }, counted],
    ['n', { n: NaN }, counted],
    ['n', { n: 'x' }, counted],
    ['n', { n: true }, counted],
    ['big', { big: 5 }, '5'],
    ['big', { big: new Int32(5) }, '5'],
    ['big', { big: Long.fromString('-9223372036854775808') }, '-9223372036854775808'],
    ['big', { big: 2 ** 53 }, '9007199254740992'],
    ['big', { big: 0.5 }, counted],
    ['price', { price: new Decimal128('12.50') }, '12.5'],
    ['price', { price: new Decimal128(far) }, far],
    ['price', { price: new Decimal128('NaN') }, counted],
    ['price', { price: 12.5 }, counted],
    ['ref', { ref: uuid }, uuid],
    // Text in upper case comes before all text in lower case.
    ['ref', { ref: uuid.toUpperCase() }, counted],
    ['ref', { ref: new UUID(uuid) }, counted],
  ])('by %s of %o', (name, document, value) => {
    expect(valueOf(name, document)).toEqual(value)
  })
  test('a decimal that no condition can ask for is counted', () => {
    const plain = mongoBackend({ schema: collection.schema, fields: { id: { name: '_id' } } })
    const query = parseQueryOrThrow(collection, 'sort=price&limit=1')
    const { next } = plain.compileQuery(query).page([{ _id: 1, price: new Decimal128('1') }, { _id: 2 }])
    expect(parseQueryOrThrow(collection, `sort=price&limit=1&cursor=${next}`).offset).toBe(1)
  })
  test('has the fields of the query alone, and never the hidden ones', () => {
    const { rows } = pageOf('fields=n&sort=-at', [{ _id: 1, n: 1, s: 'secret', when: { at: new Date(0) } }])
    expect(rows).toStrictEqual([{ n: 1 }])
    expect(Object.keys(pageOf('', [{ _id: 1, s: 'secret' }]).rows[0]!)).toEqual([
      ...['id', 'at', 'day', 'n', 'big', 'price', 'ref'],
    ])
  })
  test('toward the previous one is turned round', () => {
    const first = pageOf('limit=1&sort=n', [
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ])
    const second = pageOf(`limit=1&sort=n&cursor=${first.next}`, [
      { _id: 2, n: 2 },
      { _id: 3, n: 3 },
    ])
    const back = pageOf(`limit=2&sort=n&cursor=${second.previous}`, [
      { _id: 1, n: 1 },
      { _id: 0, n: 0 },
    ])
    expect(back.rows.map((row) => row.id)).toEqual([0, 1])
  })
  test.each<[documents: unknown, message: string]>([
    [{}, 'documents must be a list: await find(…).toArray()'],
    [[{ _id: 1 }, 5], 'documents[1] must be a plain object, as the driver gives it; with Mongoose, use lean()'],
    [[null], 'documents[0] must be a plain object'],
    [[[]], 'documents[0] must be a plain object'],
    [[new (class Order {})()], 'documents[0] must be a plain object'],
    [[{ _id: 1 }, { id: 2 }], 'documents[1] has no value in id, stored as _id: give find the projection'],
    [[{ _id: null }], 'documents[0] has no value in id, stored as _id'],
    [
      [{ _id: new ObjectId(hex) }],
      'documents[0] has another form than the options say in id, stored as _id: give the field its type, or an encode',
    ],
    [[{ _id: 1 }, { _id: 2 }, { _id: 3 }], 'rows must be at most 2, one more than query.limit'],
  ])('%#: %o is refused', (documents, message) => {
    const page = () => pageOf('limit=1', documents as object[])
    expect(page).toThrow(TypeError)
    expect(page).toThrow(message)
  })
  test('one document is refused alike', () => {
    const { read } = backend.compileQuery(parseQueryOrThrow(collection, ''))
    for (const wrong of [null, undefined, 5, [], new Date(), new ObjectId()])
      expect(() => read(wrong as object)).toThrow(/^document must be a plain object, as the driver gives it/)
  })
})

// --- What cannot be read

test('without a schema nothing is read', () => {
  const { read, page } = mongoBackend().compileQuery(of([id]))
  const refused = new TypeError('rows are read by the schema: give it to mongoBackend({ schema })')
  expect(() => read({})).toThrow(refused)
  expect(() => page([])).toThrow(refused)
})
describe('a mapping that loses', () => {
  test.each<[definition: EntryField, option: MongoField, message: string | undefined]>([
    [
      field.number(),
      { encode: (price: number) => Math.round(price * 100) },
      'fields["a"] needs a decode, because the value that encode makes does not tell enough: of 0.5 it reads 50',
    ],
    [
      field.number(),
      { encode: (price: number) => Math.round(price * 100), decode: (cents: number) => cents },
      'fields["a"].decode must read back what encode makes: of 0.5 it reads 50',
    ],
    [
      field.number(),
      { encode: (price: number) => Math.round(price * 100), decode: (cents: number) => cents / 100 },
      undefined,
    ],
    [
      field.boolean(),
      { encode: Number },
      'fields["a"] needs a decode, because the value that encode makes does not tell enough: of true it reads nothing',
    ],
    [field.bigint(), { encode: Number }, 'of "9007199254740993" it reads "9007199254740992"'],
    [field.bigint(), { encode: Long.fromString }, undefined],
    [field.decimal(), { encode: Number }, 'of "12345678901234567.25" it reads'],
    [field.decimal(), { encode: Decimal128.fromString }, undefined],
    [field.string(), { encode: (text: string) => text.toUpperCase() }, 'of "a" it reads "A"'],
    [field.string(), { encode: (text: string) => Buffer.from(text) }, 'of "a" it reads nothing'],
    [
      field.string(),
      { encode: (text: string) => Buffer.from(text), decode: (bytes: Uint8Array) => Buffer.from(bytes).toString() },
      undefined,
    ],
    [field.string(), { encode: (text: string) => new ObjectId(text) }, undefined],
    [
      field.string(),
      { encode: (text: string) => (text === '1234567890' ? 1234567890 : undefined), decode: String },
      undefined,
    ],
    [
      field.enumeration(['on', 'off']),
      { encode: (text: string) => (text === 'on' ? 1 : 0) },
      'of "on" it reads nothing',
    ],
    [
      field.enumeration(['on', 'off']),
      { encode: (text: string) => (text === 'on' ? 1 : 0), decode: (stored: number) => (stored === 1 ? 'on' : 'off') },
      undefined,
    ],
    [field.uuid(), { encode: (text: string) => new Binary(new UUID(text).buffer, 3) }, 'reads nothing'],
    [field.uuid(), { encode: (text: string) => new UUID(text).buffer }, undefined],
    [field.date(), { encode: (day: string) => new Date(`${day}T12:00:00Z`) }, undefined],
    [field.date(), { encode: (day: string) => Number(day.replaceAll('-', '')) }, 'of "2024-02-29" it reads nothing'],
    [field.datetime(), { encode: (text: string) => new Date(text) }, undefined],
    [field.datetime(), { encode: (text: string) => text.slice(0, 10) }, 'of "2024-02-29T12:34:56.789Z" it reads'],
    [field.integer(), { type: 'string', encode: (n: number) => n }, 'of 0 it reads nothing'],
    [field.string(), { type: 'date' }, 'fields["a"].type is date, of which no string can be read'],
  ])('%#: $2', (definition, option, message) => {
    for (const place of ['a', 'one.a', 'list', 'list.a']) {
      const fields: Fields = {
        a: { a: definition },
        'one.a': { one: field.object({ a: definition }) },
        list: { list: field.list(definition) },
        'list.a': { list: field.list(field.object({ a: definition })) },
      }[place]!
      const options = { fields: { [place]: option } }
      // Filters need no reading.
      const { read, page } = readerOf(fields, options)
      if (message === undefined) {
        expect(read({ key: 1 })).toHaveProperty('key', 1)
        continue
      }
      const expected = message.replace('fields["a"]', `fields["${place}"]`)
      expect(() => read({ key: 1 })).toThrow(TypeError)
      expect(() => read({ key: 1 })).toThrow(expected)
      expect(() => page([{ key: 1 }])).toThrow(expected)
    }
  })
  test('is accepted where it is not read', () => {
    const schema: Schema = defineSchema({ id: field.integer(), a: field.boolean() })
    const { compileQuery } = mongoBackend({ schema, fields: { a: { encode: Number } } })
    expect(compileQuery(of([id], { fields: [['id']] })).page([{ id: 1 }]).rows).toEqual([{ id: 1 }])
    expect(compileQuery(of([id], { hidden: [['a']] })).page([{ id: 1 }]).rows).toEqual([{ id: 1 }])
    expect(() => compileQuery(of([id])).page([{ id: 1 }])).toThrow('fields["a"] needs a decode')
  })
  test('an error of decode is thrown on', () => {
    const decode = (stored: string) => {
      if (stored === 'bad') throw new RangeError('bad')
      return stored
    }
    const { read } = readerOf({ a: field.string() }, { fields: { a: { encode: String, decode } } })
    expect(read({ a: 'good' }).a).toBe('good')
    expect(() => read({ a: 'bad' })).toThrow(RangeError)
  })
  test.each<[decoded: unknown, value: unknown]>([
    [undefined, null],
    [null, null],
    [new Date(0), null],
    ['x', 'x'],
    [5, null],
  ])('decode may make %o of what it does not know', (decoded, value) => {
    const decode = (stored: string) => (stored === 'known' ? decoded : stored)
    const { read } = readerOf({ a: field.string() }, { fields: { a: { encode: String, decode } } })
    expect(read({ a: 'known' }).a).toBe(value)
  })
})
