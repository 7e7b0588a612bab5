/** What the tests of parameters and its laws share. */
import { defineCollection, defineSchema, field } from '../../src/index.ts'
import { parameters, type Parameter } from '../../src/tools/openapi/index.ts'
import { orders } from '../orders.ts'

export const collection = defineCollection(defineSchema({ id: field.integer(), ...orders.fields }), {
  key: 'id',
  sort: ['arrival', 'total'],
  defaultSort: '-arrival',
  limit: { default: 10, max: 50 },
  offset: { max: 1000 },
  fields: ['status', 'customer'],
  count: true,
  groups: true,
  operators: { customerName: ['startsWith', 'equals'], gift: [] },
})
export const named = (all: readonly Parameter[], name: string) => all.find((one) => one.name === name)
export const compact = () => parameters(collection)
export const flat = () => parameters(collection, { style: 'flat' })
