/** Orders, and random rows of them, for the tests of policies. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineSchema, field, type Filter } from '../../src/index.ts'

export const orders = defineSchema({
  id: field.integer({ required: true }),
  tenant: field.string({ required: true }),
  name: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  guests: field.integer(),
  open: field.boolean(),
  day: field.date(),
  at: field.datetime(),
  ref: field.uuid(),
  price: field.decimal(),
  extra: field.json(),
  tags: field.list(field.string()),
  scores: field.list(field.integer()),
  customer: field.object({ name: field.string(), city: field.object({ name: field.string() }) }),
  owner: field.object({ name: field.string() }, { required: true }),
  items: field.list(
    field.object({
      product: field.string(),
      price: field.number(),
      tags: field.list(field.string()),
      maker: field.object({ name: field.string() }),
    }),
  ),
})

/** A row, with the values that it has. */
export type Order = Readonly<Record<string, unknown>>

/** Few values, so that many are equal. */
export const values = {
  text: ['a', 'b', 'ab', "it's", 'B', '\\'],
  status: ['paid', 'held', 'new'],
  number: [-1, 0, 1, 2.5, 3],
  integer: [-1, 0, 1, 2, 3],
  day: ['2024-01-01', '2024-02-29', '2025-01-01'],
  moment: ['2024-01-01T00:00:00.000Z', '2024-01-01T10:30:00.000Z', '2025-06-01T00:00:00.001Z'],
  uuid: ['0190a5d2-0000-7000-8000-000000000000', '0190a5d2-ffff-7fff-bfff-ffffffffffff'],
} as const

const of = (list: readonly unknown[]) => fc.constantFrom(...list)
const maybe = (value: fc.Arbitrary<unknown>) => fc.option(value, { freq: 3, nil: undefined })
const listOf = (value: fc.Arbitrary<unknown>) => maybe(fc.array(value, { maxLength: 3 }))
const objectOf = (parts: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(parts).map(withValues)
/** Leaves out what has no value. */
const withValues = (parts: object): Order =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

const text = of(values.text)
export const order: fc.Arbitrary<Order> = objectOf({
  id: fc.nat(),
  tenant: text,
  name: maybe(text),
  status: maybe(of(values.status)),
  total: maybe(of(values.number)),
  guests: maybe(of(values.integer)),
  open: maybe(fc.boolean()),
  day: maybe(of(values.day)),
  at: maybe(of(values.moment)),
  ref: maybe(of(values.uuid)),
  tags: listOf(text),
  scores: listOf(of(values.integer)),
  customer: maybe(objectOf({ name: maybe(text), city: maybe(objectOf({ name: maybe(text) })) })),
  owner: objectOf({ name: maybe(text) }),
  items: listOf(
    objectOf({
      product: maybe(text),
      price: maybe(of(values.number)),
      tags: listOf(text),
      maker: maybe(objectOf({ name: maybe(text) })),
    }),
  ),
})

/** The same row with `null` in place of each missing value of its own, as SQL has it. */
export const withNulls = (row: Order): Order =>
  Object.fromEntries(Object.keys(orders.fields).map((name) => [name, row[name] ?? null]))

/** Whether the row is selected, with its missing values absent or null. */
export function selects(filter: Filter, row: Order): boolean {
  const matches = memoryBackend({ codegen: false }).compile(filter)
  const selected = matches(row)
  if (matches(withNulls(row)) !== selected) throw new Error('null differs from a missing value')
  return selected
}

/** The filter, or `undefined` where a policy is refused by a TypeError. */
export function unlessRefused(make: () => Filter): Filter | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError && /^(?:document|rules?|plan)\b/.test(error.message)) return undefined
    throw error
  }
}

const ownPackages = join(import.meta.dirname, 'package.json')
export const isInstalled = existsSync(join(import.meta.dirname, 'node_modules/@casl/ability'))
export const load = async (name: string): Promise<unknown> =>
  import(import.meta.resolve(name, pathToFileURL(ownPackages).href))
