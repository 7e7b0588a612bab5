/** A document of few objects can have many conditions. */
import { expect, test } from 'vitest'
import { fromMongoQuery } from '../../src/policies/index.ts'
import { orders } from './orders.ts'

test('fromMongoQuery refuses a document with more conditions than a filter has', () => {
  let document: object = { name: 'x' }
  // Each level doubles the conditions.
  for (let level = 0; level < 40; level++) document = { $and: [document, document] }
  expect(() => fromMongoQuery(orders, document)).toThrow('is beyond 100000 conditions')
})
