/** The page says what the library says, and its address says what it shows. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fragmentOf, stateOf } from '../../docs/playground/address.ts'
import { examples } from '../../docs/playground/examples.ts'
import { orderSubject, rows } from '../../docs/playground/orders.ts'
import { askOrders, partsFor, orderDialects } from './asked.ts'

test('the examples are what they are called', () => {
  const faults = examples.map(([, query]) => {
    const result = askOrders(query)
    return result.ok ? (partsFor(result.answer).page.rows.length > 0 ? 0 : -1) : result.issues.length
  })
  expect(faults).toEqual([0, 0, 0, 0, 0, 3])
})

test('an address gives back what it was made of, whatever the text', () => {
  const state = fc.record({
    list: fc.constant('orders'),
    query: fc.string({ unit: 'grapheme' }),
    row: fc.option(fc.integer({ min: 1, max: rows.length }).map(String), { nil: undefined }),
    dialect: fc.constantFrom(...orderDialects),
    notation: fc.constantFrom(...orderSubject.notations),
    isWhole: fc.boolean(),
  })
  fc.assert(
    fc.property(state, (one) => {
      const address = new URL(`http://host/${fragmentOf([orderSubject], one)}`)
      expect(stateOf([orderSubject], address.hash)).toEqual(one)
    }),
  )
})
