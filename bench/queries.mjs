/** Q1, Q3 and Q6: one, three and six conditions; raw, and percent-encoded as URLSearchParams would. */
import { defineSchema, field } from '../src/index.ts'

export const orders = defineSchema({
  seller: field.string(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  items: field.list(field.object({ arrival: field.date() })),
})

const span = (at) => `items.arrival[gte]=2024-01-0${1 + (at % 9)}&items.arrival[lte]=2024-01-1${at % 9}`
const raw = {
  Q1: (at) => `seller=s-${at}`,
  Q3: (at) => `seller=s-${at}&${span(at)}`,
  Q6: (at) => `seller=s-${at}&${span(at)}&customerName[startsWith]=jo&status[in]=paid,held&total[gt]=${at}`,
}
const encode = (text) => text.replace(/[[\],]/g, encodeURIComponent)
/** A string of its own, not a rope or a slice of another. */
const flat = (text) => Buffer.from(text).toString()

/** By name, 32 different texts each. */
export const queries = Object.fromEntries(
  Object.entries(raw).flatMap(([name, query]) => {
    const texts = Array.from({ length: 32 }, (_, at) => query(at))
    return [
      [`${name} raw`, texts.map(flat)],
      [`${name} encoded`, texts.map(encode).map(flat)],
    ]
  }),
)
