/** Rows as Prisma's client returns them: read into the form of the schema, and made a page, by hand. */
import { describe, expect, test } from 'vitest'
import { prismaBackend } from '../../../src/backends/prisma/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  not,
  parseFilterOrThrow,
  parseQueryOrThrow,
  type Query,
} from '../../../src/index.ts'
import { membership, presence } from '../../../src/tree.ts'
import { issuesOf } from '../../issues.ts'

/** As decimal.js has them: the digits are in `d`, and `toFixed` is of the class. */
class Decimal {
  readonly s = 1
  readonly e = 0
  readonly d: readonly number[] | null
  readonly #text: string
  constructor(text: string) {
    this.#text = text
    this.d = text === 'NaN' ? null : [1]
  }
  toFixed(): string {
    return this.#text
  }
  toString(): string {
    return '1e+29'
  }
}
const long = '123456789012345678901234567890.1234'

const schema = defineSchema({
  id: field.bigint(),
  name: field.string(),
  uid: field.uuid(),
  guests: field.integer(),
  total: field.number(),
  price: field.decimal(),
  gift: field.boolean(),
  status: field.enumeration(['paid', 'held']),
  day: field.date(),
  at: field.datetime(),
  written: field.datetime(),
  customer: field.object({ name: field.string(), country: field.object({ code: field.string() }) }),
  tags: field.list(field.string()),
  marks: field.list(field.decimal()),
  items: field.list(field.object({ price: field.decimal(), parts: field.list(field.integer()) })),
  meta: field.object({
    size: field.integer(),
    since: field.date(),
    of: field.list(field.object({ no: field.bigint() })),
  }),
})
const datamodel = `
datasource db {
  provider = "postgresql"
}
model Order {
  id BigInt @id
  fullName String?
  uid String? @db.Uuid
  guests BigInt?
  total Decimal?
  price Decimal?
  gift Boolean?
  status Status?
  day DateTime? @db.Date
  at DateTime?
  written DateTime? @db.Timestamptz(6)
  customer Customer?
  tags Tag[]
  marks Decimal[]
  items Item[]
  meta Json?
}
model Customer {
  id Int @id
  name String?
  country Country?
}
model Country {
  id Int @id
  code String?
}
model Tag {
  id Int @id
  text String?
}
model Item {
  id Int @id
  price Decimal?
  parts Part[]
}
model Part {
  id Int @id
  no Int?
}
enum Status {
  paid
  held @map("on hold")
}
`
const fields = { name: { name: 'fullName' }, tags: { value: 'text' }, 'items.parts': { value: 'no' } }
const backend = prismaBackend({ schema, datamodel, model: 'Order', fields })
const collection = defineCollection(schema, {
  ...{ key: 'id', fields: true, count: true },
  sort: ['name', 'guests', 'total', 'price', 'at', 'written', 'day', 'gift', 'customer.country.code'],
})
const compiled = (text: string, more: Partial<Query> = {}) =>
  backend.compileQuery({ ...parseQueryOrThrow(collection, text), ...more })

const at = new Date('2024-01-31T10:00:00.123Z')
const whole = {
  id: 2n ** 63n - 1n,
  fullName: 'Jo',
  uid: '0A1B2C3D-4E5F-4789-8ABC-DEF012345678',
  guests: 2n,
  total: new Decimal('12.50'),
  price: new Decimal(`${long}000`),
  gift: false,
  status: 'held',
  day: new Date('2024-01-31'),
  at,
  written: at,
  customer: { name: null, country: { code: 'DE' } },
  tags: [{ text: 'sea' }, { text: null }],
  marks: [new Decimal('1.10'), new Decimal('-0')],
  items: [
    { price: new Decimal('8'), parts: [{ no: 1 }, { no: null }] },
    { price: null, parts: [] },
  ],
  meta: { size: 3, since: '2024-01-31', of: [{ no: 5, more: 1 }, null], secret: 'x' },
}
const read = {
  id: '9223372036854775807',
  name: 'Jo',
  uid: '0a1b2c3d-4e5f-4789-8abc-def012345678',
  guests: 2,
  total: 12.5,
  price: long,
  gift: false,
  status: 'held',
  day: '2024-01-31',
  at: '2024-01-31T10:00:00.123Z',
  written: '2024-01-31T10:00:00.123Z',
  customer: { name: null, country: { code: 'DE' } },
  tags: ['sea', null],
  marks: ['1.1', '0'],
  items: [
    { price: '8', parts: [1, null] },
    { price: null, parts: [] },
  ],
  meta: { size: 3, since: '2024-01-31', of: [{ no: '5' }, null] },
}
const none = {
  ...Object.fromEntries(Object.keys(whole).map((name) => [name, null])),
  ...{ id: 1n, tags: [], marks: [], items: [] },
}

describe('read', () => {
  test('every type, by the names and in the order of the schema', () => {
    const row = compiled('').read(whole)
    expect(row).toEqual(read)
    // By the schema, for the compiler.
    const {
      id,
      guests,
      tags,
    }: { id?: string | null; guests?: number | null; tags?: readonly (string | null)[] | null } = row
    expect([id, guests, tags]).toEqual([read.id, read.guests, read.tags])
    expect(JSON.stringify(row)).toBe(JSON.stringify(read))
  })
  test('no value is null, no rows of a list are an empty list', () => {
    expect(compiled('').read(none)).toEqual({
      ...Object.fromEntries(Object.keys(read).map((name) => [name, null])),
      ...{ id: '1', tags: [], marks: [], items: [] },
    })
    const { read: readOne } = compiled('fields=customer')
    expect(readOne({ id: 1n, customer: { name: 'x', country: null } })).toEqual({
      id: '1',
      customer: { name: 'x', country: null },
    })
  })
  test('the requested fields and the sort keys, without the other properties of the row', () => {
    const { read: readOne } = compiled('fields=items.parts,meta.of.no&sort=-name')
    expect(readOne(whole)).toEqual({
      id: read.id,
      name: 'Jo',
      items: [{ parts: [1, null] }, { parts: [] }],
      meta: { of: [{ no: '5' }, null] },
    })
  })
  test.each<[name: string, value: unknown, expected: unknown]>([
    // A double has no such number.
    ['guests', 2n ** 53n + 1n, null],
    ['guests', 2n ** 60n, 2 ** 60],
    // The shortest digits of 2 ** 60, and not its value.
    ['guests', 1152921504606847000n, null],
    ['total', new Decimal('0.1000000000000000000001'), null],
    ['total', new Decimal('1000000000000000000000'), 1e21],
    ['price', new Decimal('NaN'), null],
    ['price', { d: [1] }, null],
    ['price', { d: [1], toFixed: '1' }, null],
    ['at', new Date(NaN), null],
    ['day', new Date('+010000-01-01'), null],
    // What the client leaves unread in a row with a field named constructor.
    ['id', { $type: 'BigInt', value: '9007199254740993' }, '9007199254740993'],
    ['guests', { $type: 'BigInt', value: 7 }, 7],
    ['total', { $type: 'Decimal', value: '1.50' }, 1.5],
    ['price', { $type: 'Decimal', value: '1.50' }, '1.5'],
    ['at', { $type: 'DateTime', value: '2024-01-31T10:00:00.123456Z' }, '2024-01-31T10:00:00.123Z'],
    ['day', { $type: 'DateTime', value: '2024-01-31T00:00:00Z' }, '2024-01-31'],
    ['price', { $type: 'constructor', value: '1.50' }, null],
    ['meta', { $type: 'Json', value: '{"size":3}' }, { size: 3, since: null, of: null }],
    ['meta', { $type: 'Json', value: '{}', size: 3 }, { size: 3, since: null, of: null }],
    ['meta', { $type: 'Size, Sizes', size: 3 }, { size: 3, since: null, of: null }],
    ['meta', [], null],
    ['meta', 'text', null],
  ])('%s: %o', (name, value, expected) => {
    expect(compiled(`fields=${name}`).read({ id: 1n, [name]: value })).toMatchObject({ [name]: expected })
  })
  test('a row of another form than the client returns is a TypeError that names the missing property', () => {
    const { read: readOne } = compiled('fields=name,tags,items.parts')
    const row = { id: 1n, fullName: 'Jo', tags: [], items: [] }
    expect(readOne(row)).toMatchObject({ name: 'Jo' })
    const wrong: [row: unknown, message: string][] = [
      [undefined, 'the row must be an object'],
      [[], 'the row must be an object'],
      [{ ...row, fullName: undefined, name: 'Jo' }, 'the row has no property fullName'],
      [Object.create(row), 'the row has no property id'],
      [{ ...row, tags: null }, 'the row must have a list in tags'],
      [{ ...row, tags: ['sea'] }, 'the row must be an object'],
      [{ ...row, tags: [{ id: 1 }] }, 'the row has no property text'],
      [{ ...row, items: [{}] }, 'the row has no property parts'],
    ]
    for (const [given, message] of wrong) {
      expect(() => readOne(given)).toThrow(TypeError)
      expect(() => readOne(given)).toThrow(message)
    }
  })
  test('an inherited property is none', () => {
    Object.assign(Object.prototype, { toFixed: () => '7', $type: 'BigInt' })
    try {
      expect(compiled('fields=price').read({ id: 1n, price: { d: 1 } })).toEqual({ id: '1', price: null })
      expect(compiled('fields=guests').read({ id: 1n, guests: { value: 7 } })).toEqual({ id: '1', guests: null })
    } finally {
      delete (Object.prototype as Record<string, unknown>).toFixed
      delete (Object.prototype as Record<string, unknown>).$type
    }
  })
})

describe('page', () => {
  const row = (id: number, more: object) => ({ ...none, id: BigInt(id), ...more })
  const valuesOf = (query: string, cursor: string | undefined) =>
    parseQueryOrThrow(collection, `${query}&cursor=${cursor}`).position?.values.map((literal) => literal?.value ?? null)

  test('the requested fields alone, in the order of reading, and the cursor after the last row', () => {
    const { page } = compiled('fields=name,price&sort=-price&limit=2')
    const some = (id: number, price: string, name: string) => ({
      id: BigInt(id),
      price: new Decimal(price),
      fullName: name,
    })
    const { rows, next, previous } = page([some(2, '1.50', 'b'), some(1, long, 'a'), some(3, '1', 'c')])
    expect(rows).toEqual([
      { name: 'b', price: '1.5' },
      { name: 'a', price: long },
    ])
    expect(valuesOf('sort=-price', next)).toEqual([long, '1'])
    expect(previous).toBeUndefined()
  })
  test('toward the previous page, rows are turned round', () => {
    const position = { toward: 'previous', values: [{ type: 'bigint', value: '9' }] } as const
    const { page, findMany } = compiled('fields=name&limit=2', { position })
    expect(findMany.orderBy).toEqual([{ id: 'desc' }])
    const { rows, next, previous } = page([8n, 7n, 6n].map((id) => ({ id, fullName: String(id) })))
    expect(rows).toEqual([{ name: '7' }, { name: '8' }])
    expect(valuesOf('', next)).toEqual(['8'])
    expect(valuesOf('', previous)).toEqual(['7'])
  })
  test('hidden fields are in no row', () => {
    const hidden = [['meta'], ['customer', 'name'], ['items', 'price']]
    const { rows } = compiled('', { hidden }).page([whole])
    const { meta: _, ...left } = read
    expect(rows).toEqual([
      { ...left, customer: { country: { code: 'DE' } }, items: [{ parts: [1, null] }, { parts: [] }] },
    ])
  })
  test.each<[sort: string, row: object, value: unknown]>([
    ['at', { at }, '2024-01-31T10:00:00.123Z'],
    ['day', { day: new Date('2024-01-31') }, '2024-01-31'],
    ['total', { total: new Decimal('12.50') }, 12.5],
    ['guests', { guests: 2n ** 53n - 1n }, 2 ** 53 - 1],
    ['gift', { gift: false }, false],
    ['name', { fullName: 'Jo' }, 'Jo'],
    ['name', { fullName: null }, null],
    ['customer.country.code', { customer: null }, null],
    ['customer.country.code', { customer: { name: null, country: null } }, null],
    ['customer.country.code', { customer: { name: null, country: { code: 'DE' } } }, 'DE'],
  ])('the cursor of a row sorted by %s: %o', (sort, more, value) => {
    const { page } = compiled(`sort=${sort}&limit=1`)
    const { next } = page([row(1, more), row(2, more)])
    expect(valuesOf(`sort=${sort}`, next)).toEqual([value, '1'])
  })
  test.each<[sort: string, row: object]>([
    ['guests', { guests: 2n ** 53n + 1n }],
    ['guests', { guests: 2n ** 60n }],
    ['total', { total: new Decimal('0.1000000000000000000001') }],
    ['name', { fullName: 'a\0b' }],
    ['at', { at: new Date(NaN) }],
    ['price', { price: new Decimal('NaN') }],
  ])('a value that no cursor has is counted from: %s, %o', (sort, more) => {
    const { next } = compiled(`sort=${sort}&limit=1`).page([row(1, more), row(2, more)])
    expect(parseQueryOrThrow(collection, `sort=${sort}&cursor=${next}`)).toMatchObject({
      offset: 1,
      position: { values: [] },
    })
  })
  test('a double that the client sends with other digits is counted from', () => {
    const doubles = prismaBackend({
      schema,
      datamodel: datamodel.replace('total Decimal?', 'total Float?'),
      model: 'Order',
      fields,
    })
    for (const [total, counted] of [
      [1.7976931348623157e308, true],
      [1e300, false],
    ] as const) {
      const { next } = doubles
        .compileQuery(parseQueryOrThrow(collection, 'sort=total&limit=1'))
        .page([row(1, { total }), row(2, { total })])
      const { offset } = parseQueryOrThrow(collection, `sort=total&cursor=${next}`)
      expect(offset).toBe(counted ? 1 : undefined)
    }
  })
  test('a wrong program is a TypeError, also where the page needs no cursor', () => {
    const { page } = compiled('sort=name&fields=total&limit=1')
    const sound = { id: 1n, fullName: 'Jo', total: null }
    expect(page([sound]).rows).toEqual([{ total: null }])
    const wrong: [rows: unknown, message: string][] = [
      [undefined, 'rows must be a list'],
      [{}, 'rows must be a list'],
      [[sound, sound, sound], 'rows must be at most 2'],
      [[sound, null], 'rows[1] must be an object'],
      [[{ id: 1n, total: null }], 'rows[0] has no property fullName'],
      [[{ ...sound, id: null }], 'rows[0] has no value in id, which is required'],
      [[{ id: 1n, fullName: 'Jo' }], 'rows[0] has no property total'],
    ]
    for (const [rows, message] of wrong) {
      expect(() => page(rows as never)).toThrow(TypeError)
      expect(() => page(rows as never)).toThrow(message)
    }
  })
})

describe('refused', () => {
  test('an order by a column of microseconds, which a Date has not', () => {
    const message = 'written is stored to the microsecond and read to the millisecond, so no position is exact'
    expect(issuesOf(() => compiled('sort=-written'))).toMatchObject([
      { code: 'backend_refused', fault: 'client', message, path: 'written', span: { start: 5, end: 13 } },
    ])
    const exact = defineSchema({ ...schema.fields, written: field.datetime({ digits: 3 }) })
    const query = parseQueryOrThrow(defineCollection(exact, { key: 'id', sort: ['written'] }), 'sort=written&limit=1')
    const { page } = prismaBackend({ schema: exact, datamodel, model: 'Order', fields }).compileQuery(query)
    const { next } = page([row(1), row(2)])
    expect(valueIn(next)).toBe('2024-01-31T10:00:00.123Z')
  })
  const row = (id: number) => ({ ...none, id: BigInt(id), written: at })
  const valueIn = (cursor: string | undefined) =>
    parseQueryOrThrow(collection, `sort=written&cursor=${cursor}`).position?.values[0]?.value
  test('conditions and orders in a Json field', () => {
    const why = 'is stored as Json, in which Prisma compares no value exactly'
    for (const [query, name] of [
      ['meta.size=3', 'meta.size'],
      ['meta[exists]=true', 'meta'],
      ['meta[exists]=false', 'meta'],
      ['meta.of.no=3', 'meta.of'],
    ] as const) {
      for (const filter of [parseFilterOrThrow(schema, query), not(parseFilterOrThrow(schema, query))]) {
        expect(issuesOf(() => backend.compile(filter))).toMatchObject([
          { code: 'backend_unsupported', fault: 'server', message: `${name} ${why}`, path: name },
        ])
      }
    }
    expect(issuesOf(() => backend.compile(membership(['meta', 'size'], [])))).toMatchObject([{ path: 'meta.size' }])
    expect(issuesOf(() => backend.compile(presence(['meta'], 'object')))).toMatchObject([{ path: 'meta' }])
    const sorted = defineCollection(schema, { key: 'id', sort: ['meta.size'] })
    expect(issuesOf(() => backend.compileQuery(parseQueryOrThrow(sorted, 'sort=meta.size')))).toMatchObject([
      { code: 'backend_refused', message: 'meta.size is stored as Json, by which Prisma orders no rows' },
    ])
  })
})
