/** A correct counter meets the laws of facets, and each law finds a wrong counter. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  parseQueryOrThrow,
  where,
  type FacetValues,
  type Query,
} from '../../src/index.ts'
import { facetLaws, type FacetLawInput } from '../../src/kit/facet-laws.ts'
import type { FixtureRow } from '../../src/kit/index.ts'
import { byHand } from '../by-hand.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  status: field.enumeration(['paid', 'held']),
  items: field.list(field.object({ product: field.string() })),
})
const collection = defineCollection(schema, {
  ...{ key: 'id', limit: { max: 1, default: 1 }, facets: ['status', 'items.product', 'seller'], facetLimit: 4 },
})
const rows: readonly FixtureRow[] = [
  { id: 1, status: 'paid', seller: 's-1', items: [{ product: 'bed' }, { product: 'tent' }, { product: 'bed' }] },
  { id: 2, status: 'paid', seller: 's-2', items: [{ product: 'bed' }] },
  { id: 3, status: 'held', seller: 's-1', items: [] },
  { id: 4, status: null, seller: 's-2', items: [{ product: null }] },
  { id: 5, seller: 's-1' },
]
type Counter = (query: Query) => FacetValues
const inMemory: Counter = (query) => memoryBackend().facets(query)(rows)

/** Checks a counter against the laws, and returns the broken ones. */
async function brokenBy(counter: Counter, text: string): Promise<string[]> {
  const input: FacetLawInput = {
    query: parseQueryOrThrow(collection, text),
    rows,
    read: (query) => Promise.resolve(memoryBackend().compileQuery(query)(rows).rows as readonly FixtureRow[]),
    facets: (query) => Promise.resolve(counter(query)),
    restriction: where(schema).equals('seller', 's-1'),
  }
  const found: string[] = []
  for (const { name, check } of facetLaws) if ((await check(input)) !== undefined) found.push(name)
  return found
}

const [sum, whole, each, order, restriction, bound, least] = facetLaws.map(({ name }) => name)
const all = 'facets=status,items.product,seller'

test.each([
  ...['', 'facets=status', all, `status=paid&${all}`, `items.product=bed&${all}`, `items.product[notEqual]=bed&${all}`],
  ...[`seller=none&${all}`, `seller=s-1&status[exists]=false&${all}`],
])('a correct counter breaks no law: %s', async (text) => {
  expect(await brokenBy(inMemory, text)).toEqual([])
})
test('a facet at its limit leaves out values, and breaks no law', async () => {
  const few = (query: Query) => inMemory({ ...query, facets: query.facets!.map((facet) => ({ ...facet, limit: 1 })) })
  expect(await brokenBy(few, all)).toContain(sum)
  const limited = defineCollection(schema, { key: 'id', facets: ['status'], facetLimit: 1 })
  const input = { rows, restriction: and(), facets: (query: Query) => Promise.resolve(inMemory(query)) }
  for (const { check } of facetLaws) {
    const read = (query: Query) => Promise.resolve(memoryBackend().compileQuery(query)(rows).rows as FixtureRow[])
    expect(await check({ ...input, read, query: parseQueryOrThrow(limited, 'facets=status') })).toBeUndefined()
  }
})

describe('of facets with a bound and a label', () => {
  const named = defineCollection(schema, {
    key: 'id',
    facets: { status: { max: 3, label: 'seller' }, seller: { max: 5, label: 'status' }, 'items.product': { max: 2 } },
  })
  const brokenBy = async (counter: Counter, text: string) => {
    const query = parseQueryOrThrow(named, text)
    const read = (asked: Query) => Promise.resolve(memoryBackend().compileQuery(asked)(rows).rows as FixtureRow[])
    const input = { query, rows, read, restriction: where(schema).equals('seller', 's-1') }
    const found: string[] = []
    for (const { name, check } of facetLaws)
      if (await check({ ...input, facets: (asked) => Promise.resolve(counter(asked)) })) found.push(name)
    return found
  }
  test.each(['', 'id[gt]=2&', 'id[gt]=3&', 'seller=s-1&', 'id=9&'])(
    'a correct counter breaks no law: %s',
    async (condition) => {
      expect(await brokenBy(inMemory, `${condition}facets=status,seller,items.product`)).toEqual([])
    },
  )
  type Value = FacetValues[string][number]
  const changing =
    (change: (value: Value, at: number) => Value): Counter =>
    (query) =>
      changed((values) => values.map(change))(query)
  test.each<[what: string, counter: Counter, text: string, broken: readonly (string | undefined)[]]>([
    // Of five rows, it counts three, which have all values but null. The restricted query counts null.
    [
      'counts of a bounded facet',
      changing((one) => ({ ...one, count: typeof one.count === 'number' ? one.count : one.count.atLeast })),
      'facets=status',
      [restriction, bound],
    ],
    [
      'one count of a bounded facet',
      changing((one, at) => (at === 0 ? { ...one, count: 1 } : one)),
      'facets=items.product',
      [bound],
    ],
    [
      'bounds of a facet whose rows are exactly the maximum',
      changing((one) => ({ ...one, count: { atLeast: one.count as number } })),
      'facets=seller',
      [bound],
    ],
    [
      'a row more than the maximum',
      (query) => inMemory({ ...query, facets: query.facets!.map((facet) => ({ ...facet, max: 4 })) }),
      'facets=status',
      [sum, whole],
    ],
    [
      'a lower bound above the number of rows',
      changing((one, at) => ({ ...one, count: { atLeast: at === 0 ? 3 : 0 } })),
      'facets=status',
      [each, order, restriction],
    ],
    ['the last text', changing((one) => ({ ...one, label: 's-2' })), 'id[lte]=3&facets=status', [least]],
    ['no text', changing(({ value, count }) => ({ value, count })), 'facets=seller', [least]],
    ['a text of no row', changing((one) => ({ ...one, label: 's-3' })), 'facets=status', [least]],
  ])('%s', async (_, counter, text, broken) => expect(await brokenBy(counter, text)).toEqual(broken))
})

/** Changes the values of each facet. */
const changed =
  (change: (values: FacetValues[string]) => FacetValues[string]): Counter =>
  (query) =>
    Object.fromEntries(Object.entries(inMemory(query)).map(([path, values]) => [path, change(values)]))

describe('a wrong counter breaks laws', () => {
  test.each<[what: string, counter: Counter, text: string, broken: readonly (string | undefined)[]]>([
    [
      'no rows without a value',
      changed((all) => all.filter(({ value }) => value !== null)),
      all,
      [sum, whole, restriction],
    ],
    [
      'a row once for each entry',
      (query) => ({
        'items.product': inMemory(query)['items.product']!.map((one) => ({ ...one, count: (one.count as number) + 1 })),
      }),
      'facets=items.product',
      [each, restriction],
    ],
    ['the least first', changed((values) => values.toReversed()), all, [order]],
    ['a value twice', changed((values) => [...values, ...values.slice(-1)]), all, [sum, whole, order, restriction]],
    ['values that no row has', changed((values) => [...values, { value: 'none', count: 0 }]), all, [order]],
    [
      'the rows of the whole query',
      (query) =>
        inMemory(byHand(query, { facets: query.facets!.map((facet) => ({ ...facet, filter: query.filter })) })),
      `status=paid&${all}`,
      [sum, restriction],
    ],
    [
      'rows that the caller may not see',
      (query) =>
        inMemory(byHand(query, { filter: and(), facets: query.facets!.map((facet) => ({ ...facet, filter: and() })) })),
      all,
      [restriction],
    ],
    ['nothing', () => ({}), all, [sum, whole, restriction]],
    ['nothing of a list', () => ({ 'items.product': [] }), 'facets=items.product', [sum, whole, restriction]],
    // Restricted, its counts are right, and more than without the restriction.
    [
      'a value that only a restricted query has',
      (query) =>
        JSON.stringify(query.facets).includes('s-1')
          ? inMemory(query)
          : changed((values) => values.filter(({ value }) => value !== 'held'))(query),
      'facets=status',
      [sum, whole, restriction],
    ],
  ])('%s', async (_, counter, text, broken) => {
    expect(await brokenBy(counter, text)).toEqual(broken)
  })

  test('a facet with the name of an inherited property reads own counts alone', async () => {
    const odd = defineCollection(defineSchema({ id: field.integer(), constructor: field.string() }), {
      ...{ key: 'id', facets: ['constructor'] },
    })
    const input = {
      query: parseQueryOrThrow(odd, 'facets=constructor'),
      rows: [{ id: 1, constructor: 'x' }] as unknown as readonly FixtureRow[],
      read: () => Promise.resolve([{ id: 1 }]),
      facets: () => Promise.resolve({}),
      restriction: and(),
    }
    expect(await facetLaws[0]!.check(input)).toEqual({ path: 'constructor', expected: [1], found: [0] })
  })

  const checkOf = (name: string | undefined) => facetLaws.find((law) => law.name === name)!.check
  test('more values than the limit break a law, which gives the expected order of the counts', async () => {
    const limited = defineCollection(schema, { key: 'id', facets: ['status'], facetLimit: 1 })
    const input = { rows, restriction: and(), read: () => Promise.resolve([]) }
    const wide = (query: Query) =>
      inMemory({ ...query, facets: query.facets!.map((facet) => ({ ...facet, limit: 9 })) })
    const query = parseQueryOrThrow(limited, 'facets=status')
    const check = (counter: Counter, asked = query) =>
      checkOf(order)({ ...input, query: asked, facets: (given) => Promise.resolve(counter(given)) })
    expect(await check(wide)).toEqual({ path: 'status', expected: [2, 2, 1], found: [2, 2, 1] })
    const reversed = changed((values) => values.toReversed())
    expect(await check(reversed, parseQueryOrThrow(collection, 'facets=status'))).toEqual({
      ...{ path: 'status', expected: [2, 2, 1], found: [1, 2, 2] },
    })
  })
  test('the law of restrictions counts nothing without facets, and the rows are counted by reading them', async () => {
    const input = { rows, restriction: and(), query: parseQueryOrThrow(collection, '') }
    const never = () => Promise.reject(new Error('nothing is counted'))
    expect(await checkOf(restriction)({ ...input, read: never, facets: never })).toBeUndefined()
    const asked: Query[] = []
    const read = (query: Query) => {
      asked.push(query)
      return Promise.resolve(memoryBackend().compileQuery(query)(rows).rows as FixtureRow[])
    }
    const query = parseQueryOrThrow(collection, 'facets=status')
    await checkOf(sum)({ ...input, query, read, facets: (given) => Promise.resolve(inMemory(given)) })
    expect(asked).toMatchObject([{ limit: rows.length, count: false }])
  })

  test('gives the facet, the values and the counts', async () => {
    const check = facetLaws.find(({ name }) => name === each)!.check
    const counter = changed((values) => values.map((one) => ({ ...one, count: (one.count as number) * 2 })))
    const query = parseQueryOrThrow(collection, 'facets=status')
    const read = (asked: Query) => Promise.resolve(memoryBackend().compileQuery(asked)(rows).rows as FixtureRow[])
    const input = { query, rows, read, facets: (asked: Query) => Promise.resolve(counter(asked)), restriction: and() }
    expect(await check(input)).toEqual({
      ...{ path: 'status', values: [null, 'paid', 'held'] },
      ...{ expected: [2, 2, 1], found: [4, 4, 2] },
    })
  })
})
