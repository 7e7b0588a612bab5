/** Sentences worked out by hand: each kind, asked and denied, of a row and of an entry. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { describe } from '../../src/tools/explain/index.ts'
import { type Filter } from '../../src/index.ts'
import { someFilter, someSchema } from '../../src/kit/arbitraries.ts'

test('every filter has a sentence, and a copy out of JSON has the same one', () => {
  fc.assert(
    fc.property(someSchema.chain(someFilter), (filter) => {
      const sentence = describe(filter)
      expect(sentence).toMatch(/^[^\p{Cc}]+$/u)
      expect(describe(JSON.parse(JSON.stringify(filter)) as Filter)).toBe(sentence)
    }),
    { numRuns: byEffort(5_000, 33) },
  )
})
