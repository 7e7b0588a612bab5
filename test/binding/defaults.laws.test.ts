/** The law of `defaults`: a query has the filter of the text with each default condition whose field it does not name. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, FilterError, parseQuery, printQuery } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { someCollectionQuery } from '../../src/kit/arbitraries.ts'
import { withConditions } from '../by-hand.ts'
import { byEffort } from '../effort.ts'

const schema = defineSchema({
  id: field.integer(),
  status: field.enumeration(['open', 'held']),
  title: field.string(),
  tags: field.list(field.string()),
  items: field.list(field.object({ name: field.string(), price: field.number() })),
})
const options = {
  key: 'id',
  sort: true,
  search: ['title'],
  facets: ['status'],
  groups: true,
  limit: { max: 100 },
} as const
const plain = defineCollection(schema, options)
const withDefaults = defineCollection(schema, { ...options, defaults: 'status=open&items.name=a' })

test('random queries', () => {
  const limits = { limits: { length: Infinity, pairs: Infinity, searches: Infinity } }
  let added = 0
  fc.assert(
    fc.property(someCollectionQuery(plain), (made) => {
      const query = withConditions(plain, made)
      let text = ''
      try {
        text = printQuery(plain, query)
      } catch (error) {
        if (error instanceof FilterError) return
        throw error
      }
      // Not in the words of the search, which name the title alone.
      const asked = JSON.stringify(query.asked)
      const missing = [
        ...(asked.includes('"path":["status"]') ? [] : ['status=open']),
        ...(asked.includes('"path":["name"]') ? [] : ['items.name=a']),
      ]
      added += missing.length
      const whole = [...(text === '' ? [] : [text]), ...missing].join('&')
      const [read, same] = [parseQuery(withDefaults, text, limits), parseQuery(plain, whole, limits)]
      expect([text, read.ok && same.ok && sameFilter(read.query.filter, same.query.filter)]).toEqual([text, true])
      if (!read.ok) return
      const again = parseQuery(withDefaults, printQuery(withDefaults, read.query), limits)
      expect([text, again.ok && sameFilter(again.query.filter, read.query.filter)]).toEqual([text, true])
    }),
    { numRuns: byEffort(2_000, 100) },
  )
  expect(added).toBeGreaterThan(0)
})
