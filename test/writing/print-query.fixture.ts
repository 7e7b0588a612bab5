/** What the tests of print-query and its laws share. */
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../src/index.ts'

export const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  total: field.number(),
  'odd, name': field.string(),
  items: field.list(field.object({ price: field.number() })),
})
export const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  defaultSort: '-total',
  offset: { max: 50 },
  fields: true,
  count: true,
  operators: { seller: ['equals', 'in'] },
  parameters: { limit: 'page[size]' },
})
export const read = (text: string) => parseQueryOrThrow(collection, text)

export const query = read('')
export const names = Array.from({ length: 17 }, (_, at) => `f${at}`)
