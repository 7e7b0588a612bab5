/** Facets of MongoDB: documents of a pipeline become values, and other documents are refused. */
import { Int32, Long } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'

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
