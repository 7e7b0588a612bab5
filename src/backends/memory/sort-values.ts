/** Values that rows are ordered by, and how they compare. */
import type { LiteralType } from '../../ast/index.ts'
import { compareCodePoints } from '../../text/order.ts'
import { momentOf } from '../../text/time.ts'
import { momentOfDate } from './rows.ts'

/** A value that has an order; `undefined` for no value. */
export type SortValue = string | number | boolean | undefined

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
  integer: numberOf,
  number: numberOf,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: dayOf,
  datetime: (value) => numberOf(typeof value === 'string' ? momentOf(value) : momentOfDate(value)),
}

/** Negative, zero or positive; no value comes first. */
export type Compare = (a: SortValue, b: SortValue) => number

const byCodePoint: Compare = (a, b) =>
  a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : compareCodePoints(a as string, b as string)
// Nothing is less than `undefined`.
const byValue: Compare = (a, b) => (a === b ? 0 : a === undefined || a < b! ? -1 : 1)

export const compareOf: { readonly [T in LiteralType]: Compare } = {
  string: byCodePoint,
  integer: byValue,
  number: byValue,
  boolean: byValue,
  date: byCodePoint,
  datetime: byValue,
}
