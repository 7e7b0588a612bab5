/** The order of a facet's values, from a new copy of the module: the module makes the table of orders at load time. */
import { expect, test, vi } from 'vitest'
import type { LiteralType } from '../../src/tree.ts'
import { and, type FacetValue, type FacetValues } from '../../src/index.ts'

const fresh = () => {
  vi.resetModules()
  return import('../../src/query/facet-values.ts')
}
const facetOf = (type: LiteralType, limit = 50) => ({ lists: [], path: ['a', 'b'], type, limit, filter: and() })
type Value = FacetValue['value']

/** Counts values in an order, as a backend does. */
async function counted(counts: readonly (readonly [Value, number])[], facet: ReturnType<typeof facetOf>) {
  const { add, values } = (await fresh()).tallyOf(facet)
  for (const [value, count] of counts) add(value, count)
  return values(false) as FacetValues[string]
}

test.each<[type: LiteralType, ordered: readonly Value[]]>([
  ['string', [null, '', 'A', 'a', 'b', '\uffff', '😀']],
  ['uuid', [null, '00000000-0000-4000-8000-000000000009', '00000000-0000-4000-8000-00000000000a']],
  ['integer', [null, -10, -9, 0, 9, 10]],
  ['number', [null, -1.5, 0, 0.5, 2, 10]],
  ['bigint', [null, '-10', '-9', '9', '10', '9007199254740993']],
  ['decimal', [null, '-10', '-1.5', '0.05', '0.5', '2', '10']],
  ['boolean', [null, false, true]],
  ['date', [null, '2023-12-31', '2024-01-01']],
  ['datetime', [null, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000001Z', '2024-01-01T00:00:00.001Z']],
])('equal numbers of %s are in the order of the values', async (type, ordered) => {
  const turned = [...ordered.slice(1), null]
  for (const given of [ordered, ordered.toReversed(), turned]) {
    const values = await counted(
      given.map((value) => [value, 3]),
      facetOf(type),
    )
    expect(values).toEqual(ordered.map((value) => ({ value, count: 3 })))
  }
  // More rows come first, whatever the value is.
  const [least, last] = [ordered[0]!, ordered.at(-1)!]
  const counts = [
    [last, 1],
    [least, 1],
    [last, 1],
  ] as const
  expect((await counted(counts, facetOf(type))).map(({ value }) => value)).toEqual([last, least])
  expect(await counted(counts, facetOf(type, 1))).toEqual([{ value: last, count: 2 }])
})

test('the path of a facet names its values', async () => {
  const { namedValues } = await fresh()
  const values = namedValues([facetOf('string')], ({ path }) => [{ value: path.join(), count: 1 }])
  expect(values).toEqual({ 'a.b': [{ value: 'a,b', count: 1 }] })
})
