/** Objects of rows, read by functions and, after a hundred objects, by generated code: both read the same. */
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toAnswer } from '../../src/index.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  'it"s \\': field.string(),
  secret: field.string(),
  paidAt: field.datetime(),
  customer: field.object({ name: field.string(), secret: field.string() }),
  items: field.list(field.object({ price: field.decimal() })),
})
const collectionOf = () => defineCollection(schema, { key: 'id', hidden: ['secret', 'customer.secret'] })
const whole = {
  ...{ id: 1, 'it"s \\': 'x', secret: 'hidden', paidAt: new Date('2024-01-01T00:00:00Z'), other: 'unknown' },
  customer: { name: 'Ann', secret: 'hidden', other: 1 },
  items: [{ price: 1.5, other: 2 }],
}
const shown = {
  ...{ id: 1, 'it"s \\': 'x', paidAt: '2024-01-01T00:00:00.000Z', customer: { name: 'Ann' } },
  items: [{ price: '1.5' }],
}
class Row {
  id = 1
  secret = 'hidden'
  customer = new Customer()
}
class Customer {
  name = 'Ann'
  secret = 'hidden'
  get later() {
    return this.secret
  }
}
const { paidAt: _, ...withoutMoment } = whole
const { paidAt: __, ...shownWithoutMoment } = shown
const inherited = Object.assign(Object.create({ paidAt: whole.paidAt }) as object, withoutMoment)
const ofNothing = Object.assign(Object.create(null) as object, { id: 1, customer: null })

test.each<[kind: string, row: object, expected: object]>([
  ['an object with each field', whole, shown],
  ['an object without some fields', { id: 1, items: null, secret: 'hidden' }, { id: 1, items: null }],
  ['an object of a class', new Row(), { id: 1, customer: { name: 'Ann' } }],
  ['an object that inherits a field', inherited, shownWithoutMoment],
  ['an object without a prototype', ofNothing, { id: 1, customer: null }],
  [
    'an object with a scalar where an object belongs',
    { ...whole, customer: 'x', items: 'x' },
    { ...shown, customer: null, items: null },
  ],
])('%s', (_, row, expected) => {
  const collection = collectionOf()
  const query = parseQueryOrThrow(collection, '')
  const answers = Array.from({ length: 250 }, () => toAnswer(collection, query, [row]).data[0])
  for (const answer of answers) expect(JSON.stringify(answer)).toBe(JSON.stringify(expected))
  // The code is of all rows of the collection.
  expect(JSON.stringify(toAnswer(collection, query, [whole]).data[0])).toBe(JSON.stringify(shown))
})

test('a property that Object.prototype gets later is no member', () => {
  const collection = collectionOf()
  const query = parseQueryOrThrow(collection, '')
  const read = () => JSON.stringify(toAnswer(collection, query, [withoutMoment]).data[0])
  for (let time = 0; time < 250; time++) read()
  const prototype = Object.prototype as Record<string, unknown>
  prototype['paidAt'] = '2024-01-01T00:00:00.000Z'
  try {
    expect(read()).toBe(JSON.stringify(shownWithoutMoment))
  } finally {
    delete prototype['paidAt']
  }
})
