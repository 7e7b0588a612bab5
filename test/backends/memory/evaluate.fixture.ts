/** What the tests of evaluate and its laws share. */
import { expect } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { defineSchema, field, type Filter } from '../../../src/index.ts'

export const schema = defineSchema({
  text: field.string(),
  count: field.integer(),
  flag: field.boolean(),
  day: field.date(),
  moment: field.datetime(),
  kind: field.enumeration(['a', 'b']),
  amount: field.number(),
  inner: field.object({ text: field.string(), length: field.integer() }),
  tags: field.list(field.string()),
  counts: field.list(field.integer()),
  entries: field.list(
    field.object({ text: field.string(), length: field.integer(), tags: field.list(field.string()) }),
  ),
  constructor: field.object({ name: field.string() }),
  length: field.integer(),
})
/** Both kinds of predicate. */
export const predicatesOf = (filter: Filter) =>
  [false, true].map((codegen) => memoryBackend({ codegen }).compile(filter))
/** What both say. */
export function answer(filter: Filter, row: unknown): boolean {
  const [ofFunctions, generated] = predicatesOf(filter).map((matches) => matches(row))
  expect(generated).toBe(ofFunctions)
  return ofFunctions!
}
