/** Values that rows are ordered by, and how they compare. */
import type { LiteralType } from '../../ast/index.ts'
import { compareCodePoints } from '../../text/order.ts'
import { bigintOf, compareDecimals, decimalOf } from '../../text/exact.ts'
import { canonicalDateTime, microsOf, momentOf } from '../../text/time.ts'
import { canonicalUuid } from '../../text/uuid.ts'
import { momentOfDate } from './rows.ts'

/** A value that has an order; `undefined` for no value. */
export type SortValue = string | number | bigint | boolean | undefined

/** A Date counts by its UTC day; one outside the years 0000 to 9999 comes before or after all texts. */
function dayOf(value: unknown): SortValue {
  if (typeof value === 'string') return value
  const moment = momentOfDate(value)
  if (Number.isNaN(moment)) return undefined
  const text = new Date(moment).toISOString()
  return text.length === 24 ? text.slice(0, 10) : text.startsWith('-') ? '' : '\uffff'
}

const numberOf = (value: unknown): SortValue => (typeof value === 'number' && !Number.isNaN(value) ? value : undefined)

export const sortValueOf: { readonly [T in LiteralType]: (value: unknown) => SortValue } = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  uuid: (value) => (typeof value === 'string' ? canonicalUuid(value) : undefined),
  integer: numberOf,
  bigint: bigintOf,
  number: numberOf,
  decimal: decimalOf,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: dayOf,
  datetime: (value) =>
    typeof value === 'string'
      ? canonicalDateTime(momentOf(value), microsOf(value))?.slice(0, -1)
      : canonicalDateTime(momentOfDate(value))?.slice(0, -1),
}

/** Negative, zero or positive; no value comes first. */
export type Compare = (a: SortValue, b: SortValue) => number

const byCodePoint: Compare = (a, b) =>
  a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : compareCodePoints(a as string, b as string)
// Nothing is less than `undefined`.
const byValue: Compare = (a, b) => (a === b ? 0 : a === undefined || a < b! ? -1 : 1)

const byDecimal: Compare = (a, b) =>
  a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : compareDecimals(a as string, b as string)

export const compareOf: { readonly [T in LiteralType]: Compare } = {
  string: byCodePoint,
  uuid: byValue,
  integer: byValue,
  bigint: byValue,
  number: byValue,
  decimal: byDecimal,
  boolean: byValue,
  date: byCodePoint,
  datetime: byValue,
}
