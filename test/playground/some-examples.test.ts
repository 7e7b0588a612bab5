/** The examples of a list come from its fields and values. */
import { expect, test } from 'vitest'
import { examplesOf } from '../../docs/playground/some-examples.ts'
import { defineCollection, defineSchema, field, parseQuery } from '../../src/index.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  name: field.string(),
  status: field.enumeration(['paid', 'held']),
  genreId: field.integer(),
  total: field.number(),
  at: field.datetime(),
  sort: field.string(),
  genre: field.object({ name: field.string() }),
  items: field.list(field.object({ product: field.string() })),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: ['total'],
  search: ['name'],
  facets: ['genre.name'],
  parameters: { sort: '_sort' },
})
const row = (id: number, rest: object) => ({ id, name: null, genreId: 900, items: [], ...rest })
const rows = [
  row(1, { total: 5, genre: null }),
  row(2, { total: 7, name: '<b>"Smith", & Sons</b>', genre: { name: 'Rock, Pop' } }),
  row(3, { total: 9, items: [{ product: null }, { product: 'Surf lesson' }] }),
]

test('an equality, a range, an entry, a search, an order, a facet and a fault', () => {
  expect(examplesOf(collection, rows)).toEqual([
    ['genre.name is Rock, Pop', 'genre.name=Rock,+Pop'],
    ['total from 7', 'total[gte]=7'],
    ['items.product with surf', 'items.product[contains]=surf'],
    ['Search for smith', 'search=smith'],
    ['total, descending', '_sort=-total&limit=5'],
    ['Values of genre.name', 'facets=genre.name'],
    ['A fault', 'gnreId=1'],
  ])
})

test('only the last example has an issue', () => {
  const issues = examplesOf(collection, rows).map(([, query]) => {
    const result = parseQuery(collection, query)
    return result.ok ? [] : result.issues.map(({ code, suggestion }) => [code, suggestion?.insert])
  })
  expect(issues).toEqual([[], [], [], [], [], [], [['field_unknown', 'genreId']]])
})

test('a list without rows has an order and a facet', () => {
  expect(examplesOf(collection, [])).toEqual([
    ['total, descending', '_sort=-total&limit=5'],
    ['Values of genre.name', 'facets=genre.name'],
  ])
})
