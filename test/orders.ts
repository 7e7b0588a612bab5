/** The schemas of tests that need some fields of some types. `orders` is that of the README and the design. */
import { defineSchema, field } from '../src/index.ts'

export const orders = defineSchema({
  seller: field.string(),
  arrival: field.date(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  guests: field.integer(),
  paidAt: field.datetime(),
  gift: field.boolean(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string(), email: field.string() }),
  items: field.list(field.object({ arrival: field.date(), product: field.string(), price: field.number() })),
})
/** Orders with a key, and with more texts and times. */
export const keyed = defineSchema({
  id: field.integer(),
  ...orders.fields,
  name: field.string(),
  note: field.string(),
  day: field.date(),
  at: field.datetime(),
})
/** A field of each type whose values JavaScript's numbers and dates cannot hold. */
export const exact = defineSchema({
  ref: field.uuid({ required: true }),
  serial: field.bigint({ required: true }),
  money: field.decimal({ required: true }),
  at: field.datetime({ required: true, digits: 3 }),
  refs: field.list(field.uuid()),
  items: field.list(field.object({ amount: field.decimal({ required: true }) })),
})
