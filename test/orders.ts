/** The schema of the README and the design, for tests that need some schema. */
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
