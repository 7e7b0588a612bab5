/** What the tests of compile and its laws share. */
import { mongoBackend, type MongoOptions } from '../../../src/backends/mongo/index.ts'
import { defineSchema, field, parseFilterOrThrow, type Filter } from '../../../src/index.ts'
import { keyed } from '../../orders.ts'

export const schema = defineSchema({
  ...keyed.fields,
  id: field.string(),
  days: field.list(field.date()),
  moments: field.list(field.datetime()),
  items: field.list(
    field.object({
      price: field.number(),
      product: field.string(),
      options: field.list(field.object({ code: field.string() })),
    }),
  ),
})
export const compile = (said: string | Filter, options?: MongoOptions) =>
  mongoBackend(options).compile(typeof said === 'string' ? parseFilterOrThrow(schema, said) : said)
export const upper = '0A1B2C3D-4E5F-4789-8ABC-DEF012345678'
export const lower = upper.toLowerCase()
