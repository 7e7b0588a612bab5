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

interface OrderRow {
  readonly values: readonly unknown[]
  /** The values, for messages. */
  readonly expected: string
  /** The type of the fields that accept the option; absent for any type. */
  readonly type?: FieldType
}

/** The options. */
export const orderRows: { readonly [O in OrderOption]-?: OrderRow } = {
  nulls: { values: ['first', 'last'], expected: "'first' or 'last'" },
  ignoreCase: { values: [true], expected: 'true', type: 'string' },
  declared: { values: [true], expected: 'true', type: 'enumeration' },
}
export const orderNames = /* @__PURE__ */ Object.keys(orderRows) as readonly OrderOption[]
