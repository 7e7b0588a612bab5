/** Q1, Q3 and Q6: one, three and six conditions, in whatever notation. */
import { defineSchema, field } from '../src/index.ts'

/** The fields, made by the `field` of a build. */
export const fieldsOf = (field) => ({
  seller: field.string(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  note: field.string(),
  items: field.list(field.object({ arrival: field.date() })),
})
export const orders = defineSchema(fieldsOf(field))

/** How many conditions each has, and how many fields they are about. */
export const counts = { Q1: 1, Q3: 3, Q6: 6 }
export const fieldCounts = { Q1: 1, Q3: 2, Q6: 5 }

export const dayFrom = (at) => `2024-01-0${1 + (at % 9)}`
export const dayTo = (at) => `2024-01-1${at % 9}`

export const conditions = (at) => [
  `seller=s-${at}`,
  `items.arrival[gte]=${dayFrom(at)}`,
  `items.arrival[lte]=${dayTo(at)}`,
  'customerName[startsWith]=jo',
  'status[in]=paid,held',
  `total[gt]=${at}`,
]

/** A string of its own, not a rope or a slice of another. */
export const flat = (text) => Buffer.from(text).toString()

/** Name of the query → 32 texts of it. */
export const textsOf = (notation, glue = '&') =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name,
      Array.from({ length: 32 }, (_, at) => flat(notation(at).slice(0, count).join(glue))),
    ]),
  )

/** As `URLSearchParams` writes it. */
export const encode = (text) => flat(text.replace(/[[\],]/g, encodeURIComponent))
