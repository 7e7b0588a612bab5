/** Facets of MongoDB: documents of a pipeline become values, and other documents are refused. */
import { Aggregator } from 'mingo'
import { Int32, Long } from 'mongodb'
import { describe, expect, test, vi } from 'vitest'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import { defineCollection, defineSchema, field, FilterError, parseQueryOrThrow } from '../../../src/index.ts'

const orders = defineSchema({ id: field.integer(), status: field.string(), paidAt: field.datetime() })
const collection = defineCollection(orders, { key: 'id', facets: ['status', 'paidAt'], facetLimit: 3 })
const [byStatus, byTime] = mongoBackend({ schema: orders }).facets(
  parseQueryOrThrow(collection, 'facets=status,paidAt'),
)

describe('the documents of a pipeline', () => {
  test('become values in the form of the schema, in order; a value of another type becomes null', () => {
    expect(
      byStatus!.read([
        { _id: 'b', count: 2 },
        { _id: 'a', count: 2n },
        { _id: null, count: new Int32(1) },
        { _id: 5, count: Long.fromNumber(1) },
      ]),
    ).toEqual([
      { value: null, count: 2 },
      { value: 'a', count: 2 },
      { value: 'b', count: 2 },
    ])
    expect(byTime!.read([{ _id: new Date('2024-01-02T03:04:05Z'), count: 1 }])).toEqual([
      { value: '2024-01-02T03:04:05.000Z', count: 1 },
    ])
    expect(byStatus!.read([])).toEqual([])
    expect(byStatus!.read([{ _id: 'a', count: 0 }])).toEqual([{ value: 'a', count: 0 }])
  })
  test.each<[document: unknown]>(
    [
      ...[{}, null, 5, [], { _id: 'a' }, { _id: 'a', count: null }, { _id: 'a', count: '1' }, { _id: 'a', count: 1.5 }],
      ...[
        { _id: 'a', count: -1 },
        { _id: 'a', count: 2n ** 53n },
        { _id: 'a', count: NaN },
        { _id: 'a', count: {} },
      ],
      Object.create({ _id: 'a', count: 1 }),
    ].map((document): [unknown] => [document]),
  )('%o is not one', (document) => {
    expect(() => byStatus!.read([{ _id: 'x', count: 1 }, document as object])).toThrow(
      new TypeError('documents[1] must be a document of the pipeline'),
    )
  })
  test('are a list', () => {
    expect(() => byStatus!.read({ _id: 'a', count: 1 } as never)).toThrow(
      new TypeError('documents must be a list: await aggregate(…).toArray()'),
    )
  })
})

test('a polluted Object.prototype changes neither values nor types', () => {
  const before = JSON.stringify(byStatus!.pipeline)
  const polluted = { _id: 'canary', count: 7, string: ['object'] }
  Object.assign(Object.prototype, polluted)
  try {
    expect(() => byStatus!.read([{}])).toThrow('documents[0] must be a document of the pipeline')
    expect(byStatus!.read([{ count: 1 }])).toEqual([{ value: null, count: 1 }])
    const [again] = mongoBackend({ schema: orders }).facets(parseQueryOrThrow(collection, 'facets=status'))
    expect(JSON.stringify(again!.pipeline)).toBe(before)
  } finally {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name)
  }
})

describe('the pipeline', () => {
  const schema = defineSchema({
    id: field.integer(),
    status: field.string(),
    total: field.number(),
    at: field.datetime(),
    tags: field.list(field.string()),
    items: field.list(field.object({ price: field.number(), marks: field.list(field.string()) })),
    customer: field.object({ name: field.string(), tags: field.list(field.string()) }),
  })
  const facets = ['status', 'total', 'tags', 'items.price', 'items.marks', 'customer.name', 'customer.tags'] as const
  const of = defineCollection(schema, { key: 'id', facets: [...facets, 'at'], facetLimit: 4 })
  const facetsOf = (text: string) =>
    mongoBackend({ schema }).facets(parseQueryOrThrow(of, text, { limits: { facets: 8 } }))

  const numbers = ['int', 'long', 'double', 'decimal']
  const typed = (value: string, types: readonly string[]) => ({
    $cond: [{ $in: [{ $type: value }, types] }, value, null],
  })
  const last = [{ $sort: { count: -1, _id: 1 } }, { $limit: 4 }]
  const single = (value: object) => [{ $match: {} }, { $group: { _id: value, count: { $sum: 1 } } }, ...last]
  const present = { $setDifference: ['$v', [null]] }
  const unwound = (list: string) => [
    { $project: { v: { $cond: [{ $isArray: list }, list, []] } } },
    { $unwind: { path: '$v', preserveNullAndEmptyArrays: true } },
  ]
  const several = (stages: readonly object[], value: object) => [
    { $match: {} },
    ...stages,
    { $group: { _id: '$_id', v: { $addToSet: value } } },
    { $project: { v: { $cond: [{ $eq: [present, []] }, [null], present] } } },
    { $unwind: '$v' },
    { $group: { _id: '$v', count: { $sum: 1 } } },
    ...last,
  ]
  const pipelines: [path: string, pipeline: readonly object[]][] = [
    ['status', single(typed('$status', ['string']))],
    ['total', single(typed('$total', numbers))],
    ['at', single(typed('$at', ['date']))],
    ['customer.name', single(typed('$customer.name', ['string']))],
    ['tags', several(unwound('$tags'), typed('$v', ['string']))],
    ['customer.tags', several(unwound('$customer.tags'), typed('$v', ['string']))],
    ['items.price', several(unwound('$items'), typed('$v.price', numbers))],
    ['items.marks', several([...unwound('$items'), ...unwound('$v.marks')], typed('$v', ['string']))],
  ]
  test.each(pipelines)('of %s', (path, pipeline) =>
    expect(facetsOf(`facets=${path}`)).toMatchObject([{ path, pipeline }]),
  )
  test('of a second copy of the library, such as the CommonJS format, is equal', async () => {
    vi.resetModules()
    const copy = await import('../../../src/backends/mongo/index.ts')
    for (const [path, pipeline] of pipelines)
      expect(copy.mongoBackend().facets(parseQueryOrThrow(of, `facets=${path}`))).toMatchObject([{ path, pipeline }])
  })
  test('of fields with other names in the documents', () => {
    const fields = { items: { name: 'lines' }, 'items.price': { name: 'cost' }, 'items.marks': { name: 'm' } }
    const named = mongoBackend({ schema, fields }).facets(parseQueryOrThrow(of, 'facets=items.price,items.marks'))
    expect(named).toMatchObject([
      { path: 'items.price', pipeline: several(unwound('$lines'), typed('$v.cost', numbers)) },
      {
        path: 'items.marks',
        pipeline: several([...unwound('$lines'), ...unwound('$v.m')], typed('$v', ['string'])),
      },
    ])
  })
  test('begins with the filter of the facet', () => {
    const [status, tags] = facetsOf('status=paid&tags=a&facets=status,tags')
    expect(status!.pipeline[0]).toEqual({ $match: { tags: { $elemMatch: { $eq: 'a' } } } })
    expect(tags!.pipeline[0]).toEqual({ $match: { status: 'paid' } })
  })
  test('reads a value of any stored type without conversion', () => {
    const encoding = mongoBackend({ schema, fields: { status: { encode: (text: string) => text } } })
    const [facet] = encoding.facets(parseQueryOrThrow(of, 'facets=status'))
    expect(facet!.pipeline).toEqual(single({ $ifNull: ['$status', null] }))
  })
  test('requires a query with facets, and refuses an unmapped field', () => {
    expect(mongoBackend().capabilities.features).toContain('facets')
    expect(facetsOf('')).toEqual([])
    expect(() => mongoBackend({ schema: orders }).facets(parseQueryOrThrow(of, 'facets=tags'))).toThrow(FilterError)
  })
  describe('with a bound and a label', () => {
    const bounded = defineCollection(schema, {
      ...{ key: 'id', facetLimit: 4 },
      facets: { status: { max: 2, label: 'customer.name' }, tags: { max: 2 }, total: { label: 'status' } },
    })
    const read = (text: string) => mongoBackend({ schema }).facets(parseQueryOrThrow(bounded, text))
    const rows = [
      { _id: 1, id: 1, status: 'b', total: 5, tags: ['x', 'y', 'x'], customer: { name: 'Jo' } },
      { _id: 2, id: 2, status: 'b', total: 5, tags: [], customer: { name: 'Al' } },
      { _id: 3, id: 3, status: 'a', total: 7, tags: ['y'], customer: { name: 5 } },
    ]
    const counted = (text: string, stored = rows) =>
      read(text).map(({ pipeline, read }) => read(new Aggregator(pipeline as never).run(stored) as object[]))

    test('limits the rows before it groups them', () => {
      const [status] = read('facets=status')
      expect(status!.pipeline).toEqual([
        { $match: {} },
        { $limit: 3 },
        {
          $facet: {
            values: [
              { $limit: 2 },
              {
                $group: {
                  ...{ _id: typed('$status', ['string']), count: { $sum: 1 } },
                  label: { $min: typed('$customer.name', ['string']) },
                },
              },
              ...last,
            ],
            rows: [{ $count: 'count' }],
          },
        },
      ])
    })
    test('gives counts up to the maximum, and lower bounds beyond it', () => {
      expect(counted('id[lte]=2&facets=status,tags')).toEqual([
        [{ value: 'b', label: 'Al', count: 2 }],
        [
          { value: null, count: 1 },
          { value: 'x', count: 1 },
          { value: 'y', count: 1 },
        ],
      ])
      expect(counted('facets=status,tags')).toEqual([
        [{ value: 'b', label: 'Al', count: { atLeast: 2 } }],
        [null, 'x', 'y'].map((value) => ({ value, count: { atLeast: 1 } })),
      ])
      expect(counted('id=0&facets=status')).toEqual([[]])
    })
    test('gives the first text of a value, and none of another type', () => {
      expect(counted('facets=total')).toEqual([
        [
          { value: 5, label: 'b', count: 2 },
          { value: 7, label: 'a', count: 1 },
        ],
      ])
      expect(counted('id=3&facets=status')).toEqual([[{ value: 'a', label: null, count: 1 }]])
    })
    test.each([[[]], [[5]], [[{}]], [[{ values: [] }]], [[{ values: {}, rows: [] }]]])(
      '%j is not the document of the pipeline',
      (documents) => {
        expect(() => read('facets=status')[0]!.read(documents as object[])).toThrow(
          new TypeError('documents[0] must be the document of the pipeline'),
        )
      },
    )
    test('a label that is not stored is refused', () => {
      const { customer: _, ...others } = schema.fields
      const without = mongoBackend({ schema: defineSchema(others) })
      expect(() => without.facets(parseQueryOrThrow(bounded, 'facets=status'))).toThrow(FilterError)
    })
  })
  test('counts the values that are counted by hand', () => {
    const rows = [
      { _id: 1, status: 'b', total: 5, tags: ['x', 'y', 'x'], items: [{ price: 5, marks: ['m'] }, { price: 5 }] },
      { _id: 2, status: 'a', total: '5', tags: ['x', null, 5], items: [{ price: null, marks: ['m', 'n'] }] },
      { _id: 3, status: 'b', tags: 'x', items: { price: 5 }, customer: { name: 'Jo', tags: ['v'] } },
      { _id: 4, status: 7, total: 5, tags: [], customer: 'Jo' },
    ]
    const counted = Object.fromEntries(
      facetsOf(`facets=${facets.join(',')}`).map(({ path, pipeline, read }) => [
        path,
        read(new Aggregator(pipeline as never).run(rows) as object[]).map(({ value, count }) => [value, count]),
      ]),
    )
    expect(counted).toEqual({
      status: [
        ['b', 2],
        [null, 1],
        ['a', 1],
      ],
      total: [
        [null, 2],
        [5, 2],
      ],
      tags: [
        [null, 2],
        ['x', 2],
        ['y', 1],
      ],
      'items.price': [
        [null, 3],
        [5, 1],
      ],
      'items.marks': [
        [null, 2],
        ['m', 2],
        ['n', 1],
      ],
      'customer.name': [
        [null, 3],
        ['Jo', 1],
      ],
      'customer.tags': [
        [null, 3],
        ['v', 1],
      ],
    })
  })
})
