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
