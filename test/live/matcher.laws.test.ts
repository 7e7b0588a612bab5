/** The matcher finds exactly the filters that the predicate of each one selects, however they came in. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, defineSchema, field, or, where, type Filter } from '../../src/index.ts'
import { matcher, transition, type Changes } from '../../src/live/index.ts'
import { someFilter, someRow, someSchema } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'

/** The triples of a filter, a row before and a row after that a run compares. */
const triples = Number(process.env.TRIPLES ?? byEffort(1_000_000, 10_000))
const [filters, changes] = [100, 100]

/** Filters that many users save: a tenant beside conditions of their own. */
const tenants = ['t-1', 't-2', 't-3']
const saved = defineSchema({
  tenant: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  amount: field.decimal(),
  serial: field.bigint(),
  ref: field.uuid(),
  name: field.string(),
  day: field.date(),
  at: field.datetime(),
  hour: field.time(),
  tags: field.list(field.string()),
  items: field.list(field.object({ price: field.number(), sku: field.string() })),
})
const ofTenant = (one: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc
    .tuple(fc.constantFrom(...tenants), one, one)
    .map(([tenant, a, b]) => and(where(saved).equals('tenant', tenant), or(a, and(a, b))))

/** Draws filters and pairs of rows; `undefined` for no row. */
const someCase = fc
  .oneof(
    someSchema.map((schema) => ({ schema, filter: someFilter(schema) })),
    fc.constant({ schema: saved, filter: fc.oneof(ofTenant(someFilter(saved)), someFilter(saved)) }),
  )
  .chain(({ schema, filter }) => {
    const row = fc.option(
      fc.tuple(someRow(schema), fc.constantFrom(...tenants)).map(([one, tenant]) => ({ ...one, tenant })),
      { nil: undefined, freq: 10 },
    )
    return fc.tuple(
      fc.array(filter, { minLength: filters, maxLength: filters }),
      fc.array(fc.tuple(row, row), { minLength: changes, maxLength: changes }),
      fc.array(fc.nat(filters - 1), { maxLength: filters }),
    )
  })

const inOrder = ({ entered, left, stayed }: Changes<number>) =>
  [entered, left, stayed].map((ids) => ids.toSorted((a, b) => a - b))

test('a filter is found for a row exactly if its predicate selects the row, after any adds and deletes', () => {
  fc.assert(
    fc.property(someCase, ([all, rows, moves]) => {
      const found = matcher<number>()
      const there = new Map<number, Filter>()
      const add = (id: number, filter: Filter) => {
        found.add(id, filter)
        there.set(id, filter)
      }
      all.forEach((filter, id) => add(id, filter))
      // An id goes, or it gets the filter of another one.
      moves.forEach((id, at) => (at % 2 === 0 ? expect(found.delete(id)).toBe(there.delete(id)) : add(id, all[at]!)))
      expect(found.size).toBe(there.size)
      const predicates = Array.from(there, ([id, filter]) => [id, memoryBackend().compile(filter)] as const)
      for (const [before, after] of rows) {
        const expected = {
          entered: [] as number[],
          left: [] as number[],
          stayed: [] as number[],
          outside: [] as number[],
        }
        for (const [id, matches] of predicates) {
          const [was, is] = [before !== undefined && matches(before), after !== undefined && matches(after)]
          expected[was ? (is ? 'stayed' : 'left') : is ? 'entered' : 'outside'].push(id)
        }
        const { outside, ...ids } = expected
        expect(inOrder(found.changes(before, after))).toEqual(inOrder(ids))
        const [id] = outside
        if (id !== undefined) expect(transition(there.get(id)!, before, after)).toBe('outside')
      }
      for (const id of there.keys()) expect(found.delete(id)).toBe(true)
      expect(found.match(rows[0]![0])).toEqual([])
    }),
    { numRuns: Math.ceil(triples / filters / changes), endOnFailure: true },
  )
})
