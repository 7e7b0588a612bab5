/** Random documents: mingo, which has the laws of MongoDB, selects the same rows, or the document is refused. */
import fc from 'fast-check'
import { Query } from 'mingo'
import { expect, test } from 'vitest'
import { fromMongoQuery } from '../../src/policies/index.ts'
import { byEffort } from '../effort.ts'
import { document, operatorsIn } from './documents.ts'
import { order, orders, selects, unlessRefused } from './orders.ts'

/** Of a list of lists, mingo compares the lists, and the server their entries. */
const differs = (query: object): boolean => JSON.stringify(query).includes('"items.tags"')

const numRuns = byEffort(100_000, 2_000)

test(`${numRuns} documents`, () => {
  const used = new Map<string, number>()
  let accepted = 0
  fc.assert(
    fc.property(document, fc.array(order, { minLength: 1, maxLength: 8 }), (query, rows) => {
      const filter = unlessRefused(() => fromMongoQuery(orders, query))
      if (filter === undefined || differs(query)) return
      accepted++
      for (const operator of operatorsIn(query)) used.set(operator, (used.get(operator) ?? 0) + 1)
      for (const row of rows) expect(selects(filter, row)).toBe(new Query(query).test(row))
    }),
    { numRuns },
  )
  expect(accepted).toBeGreaterThan(numRuns / 4)
  const often = [...used].filter(([, times]) => times > numRuns / 200).map(([operator]) => operator)
  expect(often.toSorted()).toEqual(
    '$all $and $elemMatch $eq $exists $gt $gte $in $lt $lte $ne $nin $not $or $size'.split(' '),
  )
})
