/** The values of facets in memory, counted by hand. */
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow, restrict, where } from '../../../src/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  gift: field.boolean(),
  guests: field.integer(),
  rating: field.number(),
  serial: field.bigint(),
  total: field.decimal(),
  arrival: field.date(),
  paidAt: field.datetime(),
  ref: field.uuid(),
  tags: field.list(field.string()),
  customer: field.object({ country: field.string() }),
  items: field.list(field.object({ product: field.string(), extras: field.list(field.string()) })),
})
const facets = [...schema.paths.values()].flatMap(({ name, literal }) => (literal === 'object' ? [] : [name]))
const collection = defineCollection(schema, { key: 'id', groups: true, facets: facets as 'status'[], facetLimit: 4 })
const o = where(schema)
const query = (text: string) => parseQueryOrThrow(collection, text)
const count = (rows: readonly unknown[], text: string) => memoryBackend().facets(query(text))(rows)

const uuid = '0190a5d2-0000-7000-8000-00000000000a'
const rows = [
  {
    id: 1,
    seller: 'a',
    status: 'paid',
    tags: ['sea', 'surf', 'sea'],
    customer: { country: 'PT' },
    items: [{ product: 'bed', extras: ['x'] }],
  },
  {
    id: 2,
    seller: 'a',
    status: 'paid',
    tags: ['sea'],
    customer: { country: 'pt' },
    items: [{ product: 'bed' }, { product: 'tent', extras: ['x', 'y'] }],
  },
  { id: 3, seller: 'b', status: 'held', tags: [], customer: null, items: [{ product: null }, { extras: [null] }] },
  { id: 4, seller: 'b', status: null, tags: [null, 'Sea', 'sea '], customer: { country: 'PT' }, items: null },
  { id: 5, seller: 'b', status: 'new', tags: 'sea', customer: 'PT' },
]

describe('counts by hand', () => {
  test('the most rows come first, then null, then the order of the type', () => {
    expect(count(rows, 'facets=status')).toEqual({
      status: [
        { value: 'paid', count: 2 },
        { value: null, count: 1 },
        { value: 'held', count: 1 },
        { value: 'new', count: 1 },
      ],
    })
  })
  test('a choice does not hide its alternatives, and other conditions count', () => {
    expect(count(rows, 'status=paid&seller=b&facets=status,seller')).toEqual({
      status: [
        { value: null, count: 1 },
        { value: 'held', count: 1 },
        { value: 'new', count: 1 },
      ],
      seller: [{ value: 'a', count: 2 }],
    })
  })
  test('a row counts once for each distinct entry; without one it counts as null; case and spaces count', () => {
    expect(count(rows, 'facets=tags,items.product,items.extras,customer.country')).toEqual({
      tags: [
        { value: null, count: 2 },
        { value: 'sea', count: 2 },
        { value: 'Sea', count: 1 },
        { value: 'sea ', count: 1 },
      ],
      'items.product': [
        { value: null, count: 3 },
        { value: 'bed', count: 2 },
        { value: 'tent', count: 1 },
      ],
      'items.extras': [
        { value: null, count: 3 },
        { value: 'x', count: 2 },
        { value: 'y', count: 1 },
      ],
      'customer.country': [
        { value: null, count: 2 },
        { value: 'PT', count: 2 },
        { value: 'pt', count: 1 },
      ],
    })
  })
  test('a facet has at most as many values as the collection allows', () => {
    const many = [3, 1, 2, 2, 5, 5, 4, 6, 6].map((guests, id) => ({ id, guests }))
    expect(count(many, 'facets=guests').guests).toEqual([
      { value: 2, count: 2 },
      { value: 5, count: 2 },
      { value: 6, count: 2 },
      { value: 1, count: 1 },
    ])
  })
  const values: readonly [field: string, stored: readonly unknown[], counts: string][] = [
    ['gift', [true, false, 1, 'true', false], 'null: 2, false: 2, true: 1'],
    ['guests', [0, -0, '1', 10, 9, 10], '0: 2, 10: 2, null: 1, 9: 1'],
    ['rating', [1, 1.0, 0.1, Number.NaN, Infinity, '1'], 'null: 3, 1: 2, 0.1: 1'],
    [
      'serial',
      [9007199254740993n, '9007199254740993', 5, '5', '-10', true],
      "'5': 2, '9007199254740993': 2, null: 1, '-10': 1",
    ],
    ['total', ['1.50', 1.5, '15e-1', '10', '9.9', ' 1'], "'1.5': 3, null: 1, '9.9': 1, '10': 1"],
    [
      'arrival',
      ['2024-01-02', new Date('2024-01-02T23:59:59Z'), '2024-1-2', 'soon', '2023-12-31'],
      "null: 2, '2024-01-02': 2, '2023-12-31': 1",
    ],
    [
      'paidAt',
      [
        '2024-01-02T00:00:00Z',
        new Date('2024-01-02T00:00:00Z'),
        '2024-01-02T01:00:00+01:00',
        '2024-01-02T00:00:00.0001Z',
        '2024-01-02T00:00:00.000Z',
      ],
      "'2024-01-02T00:00:00.000Z': 4, '2024-01-02T00:00:00.000100Z': 1",
    ],
    [
      'ref',
      [uuid, uuid.toUpperCase(), 'x', uuid.replace('0190', '0180')],
      `'${uuid}': 2, null: 1, '${uuid.replace('0190', '0180')}': 1`,
    ],
    ['seller', ['\u{10000}', '\uffff', 'a', 5], "null: 1, 'a': 1, '\uffff': 1, '\u{10000}': 1"],
  ]
  test.each(values)('%s: values in another form are no value, equal ones are one', (name, stored, counts) => {
    const counted = count(
      stored.map((value, id) => ({ id, [name]: value })),
      `facets=${name}`,
    )
    const written = counted[name]!.map(({ value, count }) => `${inspect(value)}: ${count}`)
    expect(written.join(', ')).toBe(counts)
  })
  test('no rows have no values', () => {
    expect(count([], 'facets=status,tags')).toEqual({ status: [], tags: [] })
    expect(count(rows, 'status=paid')).toEqual({})
  })
})

test('a restriction holds in every facet, also of its own field', () => {
  const restricted = restrict(query('seller=a&facets=seller,status'), o.equals('seller', 'b'))
  for (const asked of [restricted, JSON.parse(JSON.stringify(restricted)) as typeof restricted]) {
    expect(memoryBackend().facets(asked)(rows)).toEqual({ seller: [{ value: 'b', count: 3 }], status: [] })
  }
})
test('an invalid query is a TypeError', () => {
  expect(() => memoryBackend().facets({} as never)).toThrow(TypeError)
})
