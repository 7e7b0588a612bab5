/** The options of an order of a collection, one row each. Sort keys, cursors, descriptions and backends have tables that the compiler keeps complete. */
import type { FieldType } from './schema.ts'

/** How rows are ordered by a path, in both directions. */
export interface OrderOptions {
  /** Where rows without a value come. Default: first in ascending order, and last in descending order. */
  readonly nulls?: 'first' | 'last'
  /** Orders texts in lower case, then the texts that are equal in lower case by code point. */
  readonly ignoreCase?: true
  /** Orders an enumeration by its values, as the schema lists them. */
  readonly declared?: true
}
/** The name of an option of an order. */
export type OrderOption = keyof OrderOptions

/** One row for each option: the type of the fields that accept it, then the allowed values. Without a type, every field accepts it. */
export const orderRows: {
  readonly [O in OrderOption]-?: readonly [type: FieldType | undefined, ...values: unknown[]]
} = {
  nulls: [undefined, 'first', 'last'],
  ignoreCase: ['string', true],
  declared: ['enumeration', true],
}
export const orderNames = /* @__PURE__ */ Object.keys(orderRows) as readonly OrderOption[]
