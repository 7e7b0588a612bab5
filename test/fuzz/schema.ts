/** The schema that fuzzed texts are read by, and the same once more for the reading that knows nothing of `src`. */
import { defineSchema, field } from '../../src/index.ts'
import { orders } from '../orders.ts'

/** Every type, in objects, in lists, in lists in lists, and a name that must be escaped. */
export const schema = defineSchema({
  ...orders.fields,
  rooms: field.list(
    field.object({
      lead: field.object({ name: field.string(), flags: field.list(field.boolean()) }),
      nights: field.list(field.date()),
      guests: field.list(field.object({ age: field.integer(), seen: field.list(field.datetime()) })),
    }),
  ),
  reference: field.uuid(),
  number: field.bigint({ required: true }),
  fees: field.list(field.object({ amount: field.decimal({ required: true }), at: field.datetime({ digits: 3 }) })),
  'é &=': field.enumeration(['', 'a,b', '"q"']),
})

/** What a path of it leads to. Lists are marked. */
export const fields = {
  seller: 'string',
  arrival: 'date',
  customerName: 'string',
  status: 'enumeration',
  total: 'number',
  guests: 'integer',
  paidAt: 'datetime',
  gift: 'boolean',
  'tags[]': 'string',
  customer: 'object',
  'customer.name': 'string',
  'customer.email': 'string',
  'items[]': 'object',
  'items[].arrival': 'date',
  'items[].product': 'string',
  'items[].price': 'number',
  'rooms[]': 'object',
  'rooms[].lead': 'object',
  'rooms[].lead.name': 'string',
  'rooms[].lead.flags[]': 'boolean',
  'rooms[].nights[]': 'date',
  'rooms[].guests[]': 'object',
  'rooms[].guests[].age': 'integer',
  'rooms[].guests[].seen[]': 'datetime',
  reference: 'uuid',
  number: 'bigint',
  'fees[]': 'object',
  'fees[].amount': 'decimal',
  'fees[].at': 'datetime',
  'é &=': 'enumeration',
} as const
export type Type = (typeof fields)[keyof typeof fields]

export const enumerations: Readonly<Record<string, readonly string[]>> = {
  status: ['paid', 'held', 'new'],
  'é &=': ['', 'a,b', '"q"'],
}
