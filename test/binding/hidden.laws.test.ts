/**
 * What callers find out about hidden fields: nothing. A collection that hides fields answers every text as a collection of a schema
 * without them does, in each issue, hint and suggestion.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineCollection, parseFilter, parseQueryOrThrow } from '../../src/index.ts'
import type { Collection, CollectionOptions } from '../../src/index.ts'
import { someCollectionQuery, someCollectionText } from '../../src/kit/arbitraries.ts'
import { checkQuery } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { stored, pairs, asked, attacks, hiding } from './hidden.fixture.ts'

describe.each(pairs)('$name', ({ hiding, plain }) => {
  // What programs read with the whole schema is remembered for it alone.
  for (const text of attacks) parseFilter(stored, text, { groups: true })

  test('random texts over all fields are answered as without the hidden ones', () => {
    const open = defineCollection(stored, {
      ...{ key: 'id', sort: true, fields: true, groups: true, count: true, offset: { max: 10 } },
    } as unknown as CollectionOptions) as Collection
    const change = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.replaceAll('.', '__'),
      (text) => text.replace(/[a-z]/, ''),
      (text) => text.replace('=', ' '),
      (text) => text.replaceAll('[', '.'),
    )
    fc.assert(
      fc.property(someCollectionText(open), change, (text, changed) => {
        const sent = changed(text)
        const [answer, expected] = [asked(hiding, sent), asked(plain, sent)]
        // An assertion takes as long as both.
        if (!isDeepStrictEqual(answer, expected)) expect(answer).toEqual(expected)
      }),
      { numRuns: byEffort(4_000, 100) },
    )
  })

  test('random texts of the collection are queries of it', () => {
    fc.assert(
      fc.property(someCollectionText(hiding), (text) => {
        expect(parseQueryOrThrow(hiding, text).hidden).toEqual(hiding.hidden)
        expect(asked(hiding, text)).toEqual(asked(plain, text))
      }),
      { numRuns: byEffort(2_000, 67) },
    )
  })
})
test('random queries have hidden fields, and filter by them', () => {
  const queries = fc.sample(someCollectionQuery(hiding), { seed: 1, numRuns: 500 })
  const bounded = defineCollection(stored, { key: 'id', count: { max: 5 } } as unknown as CollectionOptions)
  for (const query of queries) expect(checkQuery(query).hidden).toEqual(hiding.hidden)
  expect(JSON.stringify(queries.map(({ filter }) => filter))).toContain('"tenantId"')
  const counts = fc.sample(someCollectionQuery(bounded), { seed: 1, numRuns: 100 }).map(({ count }) => count)
  expect(new Set(counts.map((count) => JSON.stringify(count)))).toEqual(new Set(['false', '{"max":5}']))
})
