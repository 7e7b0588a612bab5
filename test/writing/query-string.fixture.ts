/** What the tests of query-string and its laws share. */
import { defineCollection, defineSchema, field, parseQueryOrThrow, queryString, where } from '../../src/index.ts'
import type { QueryStringParts } from '../../src/index.ts'
import { orders } from '../orders.ts'

export const schema = defineSchema({
  ...orders.fields,
  ...{ id: field.integer(), sort: field.string() },
  ...{ uuid: field.uuid(), big: field.bigint(), money: field.decimal(), opens: field.time() },
})
export const collection = defineCollection(schema, {
  key: 'id',
  sort: ['total', 'customerName'],
  limit: { max: 1000 },
  offset: { max: 10_000 },
  fields: true,
  count: true,
  parameters: { sort: 'order' },
})
export type Parts = QueryStringParts<typeof collection>
export const names = { sort: 'order' }
export const written = (parts: Parts) => queryString<typeof collection>(parts, names)
export const filterOf = (text: string) => parseQueryOrThrow(collection, text).filter
export const o = where(schema)
export const uuid = 'ffffffff-0000-4000-8000-000000000001'
