/** A query built in code is the one that its text asks for. */
import { expect, test } from 'vitest'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  not,
  or,
  parseQueryOrThrow,
  printQuery,
  toPage,
  where,
  type Filter,
  type QueryParts,
} from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { keyed as schema } from '../orders.ts'

const collection = defineCollection(schema, {
  key: 'id',
  sort: ['total', 'customer.name'],
  defaultSort: '-total',
  limit: { default: 10, max: 50 },
  offset: { max: 100 },
  fields: true,
  count: true,
})
const w = where(schema)
const { next } = toPage(buildQuery(collection, { limit: 1 }), [
  { id: 2, total: 9.5 },
  { id: 1, total: 3 },
])

test.each<
  [
    Parameters<
      typeof buildQuery<
        typeof schema,
        'id' | 'total' | 'customer.name',
        'id' | 'items.price',
        'id' | 'items.price',
        string,
        never
      >
    >[1],
    string,
  ]
>([
  [{}, ''],
  [{ filter: and(w.equals('seller', 's-1'), w.gte('total', 5)) }, 'seller=s-1&total[gte]=5'],
  [{ sort: ['customer.name', '-total'] }, 'sort=customer.name,-total'],
  [{ sort: [] }, 'sort=id'],
  [{ sort: ['-id'], limit: 50, offset: 100 }, 'sort=-id&limit=50&offset=100'],
  [{ fields: ['id', 'items.price'], count: true }, 'fields=id,items.price&count=true'],
  [{ cursor: next, limit: 1 }, `limit=1&cursor=${next}`],
  [{ cursor: undefined }, ''],
])('%o is %s', (parts, text) => {
  const built = buildQuery(collection, parts)
  const { filter, sort, asked, ...read } = parseQueryOrThrow(collection, text)
  expect(built).toEqual({
    ...read,
    filter: built.filter,
    asked: asked.map((part) => ({ ...part, span: undefined })),
    sort: sort.map(({ span: _, ...key }) => key),
  })
  expect(sameFilter(built.filter, filter)).toBe(true)
  expect(printQuery(collection, built)).toBe(text)
})

test.each<[object, string]>([
  [{ filter: undefined }, 'query.filter must be a filter'],
  [{ sort: 'total' }, 'sort must be a list of paths'],
  [{ sort: ['total', 5] }, 'sort must be a list of paths'],
  [{ fields: 'id' }, 'fields must be a list of paths'],
  [{ search: 'a' }, 'search must be a list of words'],
  [{ search: ['a', 5] }, 'search must be a list of words'],
  [{ facets: 'total' }, 'facets must be a list of paths'],
  [{ facets: ['total'] }, 'total has no facet'],
  [{ facets: ['total'], filter: or() }, 'facets need a filter that a query string can express'],
  [{ sort: ['seller'] }, 'seller is not sortable'],
  [{ sort: ['+total'] }, '+total is not sortable'],
  [{ sort: ['total', '-total'] }, 'query.sort has total twice'],
  [{ limit: 51 }, 'limit 51 is more than 50'],
  [{ limit: 0 }, 'query.limit must be a whole number of at least 1'],
  [{ offset: 101 }, 'offset 101 is more than 100'],
  [{ offset: 1, cursor: next }, 'parts must not have cursor and offset'],
  [{ fields: ['nope'] }, 'nope is not selectable'],
  [{ fields: [] }, 'fields is empty'],
  [{ count: 'true' }, 'count must be a boolean'],
  [{ cursor: 'x' }, 'cursor must be the cursor of a page in this order'],
  [{ cursor: next, sort: ['total'] }, 'cursor must be the cursor of a page in this order'],
  [{ cursor: 5 }, 'cursor must be the cursor of a page in this order'],
  [{ limt: 5 }, 'parts.limt is unknown; did you mean limit?'],
])('%o is refused', (parts, message) => {
  expect(() => buildQuery(collection, parts)).toThrow(TypeError)
  expect(() => buildQuery(collection, parts)).toThrow(message)
})

test('parameters that the collection does not allow are refused', () => {
  const small = defineCollection(schema, { key: 'id' })
  const build = (parts: QueryParts) => () => buildQuery(small, parts as object)
  expect(build({ offset: 0 })).toThrow('offset is not allowed')
  expect(build({ count: true })).toThrow('count is not allowed')
  expect(build({ fields: ['id'] })).toThrow('id is not selectable')
  expect(() => buildQuery({ ...small })).toThrow('collection must be made by defineCollection')
})

test('operators that the collection does not allow are refused', () => {
  const fields = { id: field.integer(), secret: field.string(), when: field.datetime() }
  const own = defineSchema({
    ...fields,
    customer: field.object({ email: field.string() }),
    items: field.list(field.object(fields)),
  })
  const operators = { secret: [], customer: [], 'items.secret': ['equals'], when: ['equals', 'exists'] } as const
  const narrowed = defineCollection(own, { key: 'id', operators })
  const o = where(own)
  const build = (filter: Filter) => () => buildQuery(narrowed, { filter })
  const refused = /^operator \w+ is not available for (?:secret|customer|customer\.email|items\.secret|when)$/
  for (const filter of [
    o.equals('secret', 'x'),
    o.exists('secret', false),
    o.startsWith('customer.email', 'x'),
    o.exists('customer', true),
    o.gte('when', '2024-01-01'),
    o.some('items', (item) => item.contains('secret', 'x')),
    or(o.equals('id', 1), not(and(o.equals('id', 2), o.in('secret', ['x', 'y'])))),
  ]) {
    expect(build(filter)).toThrow(TypeError)
    expect(build(filter)).toThrow(refused)
  }
  // What no text expresses is refused where it is about a narrowed field, and only there.
  expect(build(and(or(), o.equals('secret', 'x')))).toThrow('the filter on secret, which is narrowed')
  expect(build(and(or(), o.equals('id', 5)))).not.toThrow()
  for (const filter of [
    o.equals('id', 5),
    o.equals('when', '2024-01-01'),
    o.some('items', (item) => and(item.equals('secret', 'x'), item.gt('when', '2024-01-01'))),
    or(o.equals('id', 5), o.exists('when', false)),
  ]) {
    expect(buildQuery(narrowed, { filter }).filter).toEqual(filter)
  }
})

test('a filter without a search stays as it is: an and around one condition too', () => {
  const filter: Filter = { kind: 'and', filters: [w.equals('seller', 's-1')] }
  expect(buildQuery(defineCollection(schema, { key: 'id', groups: true }), { filter }).filter).toEqual(filter)
})

test('a page by keys of exact types is built, printed and read as one', () => {
  const exact = defineSchema({
    ref: field.uuid(),
    serial: field.bigint({ required: true }),
    money: field.decimal(),
    at: field.datetime({ required: true }),
  })
  const sales = defineCollection(exact, { key: ['ref', 'serial'], sort: true, defaultSort: '-at,money' })
  const first = buildQuery(sales, { limit: 1, filter: where(exact).gt('serial', 2n ** 53n) })
  const row = {
    ref: '01890A5D-AC96-774B-BCCE-B302099A8057',
    serial: 9007199254740993n,
    money: '1.10',
    at: '2024-01-31T12:00:00.123456Z',
  }
  const { next } = toPage(first, [row, row])
  const second = buildQuery(sales, { limit: 1, cursor: next, filter: first.filter })
  expect(second.position!.values).toEqual([
    { type: 'datetime', value: '2024-01-31T12:00:00.123456Z' },
    { type: 'decimal', value: '1.1' },
    { type: 'uuid', value: '01890a5d-ac96-774b-bcce-b302099a8057' },
    { type: 'bigint', value: '9007199254740993' },
  ])
  const text = printQuery(sales, second)
  expect(text).toBe(`serial[gt]=9007199254740992&limit=1&cursor=${next}`)
  expect(parseQueryOrThrow(sales, text).position).toEqual(second.position)
})
