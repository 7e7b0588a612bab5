/** The law of `empty: 'ignore'`: no text that a query is written as loses a condition. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, FilterError, parseQuery, printQuery } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { someCollectionQuery } from '../../src/kit/arbitraries.ts'
import { withConditions } from '../by-hand.ts'
import { byEffort } from '../effort.ts'

const schema = defineSchema({
  id: field.integer(),
  text: field.string(),
  kind: field.enumeration(['a', 'b']),
  at: field.datetime(),
  tags: field.list(field.string()),
  items: field.list(field.object({ name: field.string(), price: field.number() })),
})
const options = { key: 'id', sort: true, search: ['text'], facets: ['kind', 'text'], empty: 'ignore' } as const

test.each([
  ['with groups', true],
  ['without groups', false],
])('a query that is written is read as the same one, or is refused: %s', (_, groups) => {
  const collection = defineCollection(schema, { ...options, groups, limit: { max: 100 } })
  let empties = 0
  fc.assert(
    fc.property(someCollectionQuery(collection), (made) => {
      const query = withConditions(collection, made)
      let text
      try {
        text = printQuery(collection, query)
      } catch (error) {
        if (error instanceof FilterError) return
        throw error
      }
      if (/%22%22/.test(text)) empties++
      const result = parseQuery(collection, text, { limits: { length: Infinity, pairs: Infinity, searches: Infinity } })
      expect([text, result.ok && sameFilter(result.query.filter, query.filter)]).toEqual([text, true])
    }),
    { numRuns: byEffort(2_000, 100) },
  )
  expect(empties).toBeGreaterThan(0)
})
