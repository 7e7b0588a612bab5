/** Writes queries in notations: each text parses to the same query, and `printNotation` refuses parts that the client cannot express. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orderCollection } from '../../docs/demo/data.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, type Collection } from '../../src/index.ts'
import { someCollectionText } from '../../src/kit/arbitraries.ts'
import { byCompleteness, byEffort } from '../effort.ts'
import { collection, notations, orders } from './orders.ts'
import { check } from './write.fixture.ts'

/** These collections lack options that most notations cannot express, because more random queries must have a text. */
const plain = defineCollection(orders, {
  ...{ key: 'id', sort: true, offset: { max: 1_000 }, limit: { default: 10, max: 40 }, count: true, groups: true },
})
const small = defineSchema({
  ...{ id: field.integer(), a: field.string(), n: field.number(), at: field.datetime({ digits: 3 }), on: field.date() },
  ...{ big: field.bigint(), cents: field.decimal(), is: field.boolean(), one: field.enumeration(['x', 'y,z', '"']) },
  ...{ tags: field.list(field.string()), who: field.object({ name: field.string() }), key: field.uuid() },
})
const ofTypes = defineCollection(small, { key: 'id', sort: true, offset: { max: 90 }, count: true })
const wide = defineCollection(orderCollection.schema, {
  ...{
    key: 'id',
    sort: true,
    offset: { max: 1_000 },
    count: true,
    groups: true,
    search: ['customerName'],
    fields: true,
  },
})
const random: Readonly<Record<string, readonly [of: Collection, share: number]>> = {
  'all parts': [collection, 0.02],
  'conditions and pages': [plain, 0.04],
  'every type, without groups': [ofTypes, 0.15],
  'the orders of the demo': [wide, 0.02],
}

describe.each(Object.entries(random))('random queries: %s', (_, [of, share]) => {
  test.each(Object.entries(notations))('%s', (name, notation) => {
    const isWritten = (text: string): boolean => check(of, notation, parseQueryOrThrow(of, text))
    fc.assert(
      fc.property(someCollectionText(of), (text) => void isWritten(text)),
      { numRuns: byEffort(1_500, 34) },
    )
    // Of one sample: the share of a few random texts is below this by chance in one of ten runs.
    const sample = fc.sample(someCollectionText(of), { numRuns: byCompleteness(400, 150), seed: 37 })
    expect(sample.filter(isWritten).length).toBeGreaterThan(
      // json-server 1 has no search, which most of these texts have.
      name === 'jsonServer1' && of.search.length > 0 ? 0 : sample.length * share,
    )
  })
})
