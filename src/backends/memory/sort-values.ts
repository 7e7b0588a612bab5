/** Values that rows are ordered by, and how they compare. */
import type { LiteralType } from '../../tree/index.ts'
import type { SortKey } from '../../query/index.ts'
import { own } from '../../own.ts'
import { simpleLowerCase } from '../../values/case.ts'
import { compareCodePoints } from '../../values/order.ts'
import { bigintOf, compareDecimals, decimalOf } from '../../values/exact.ts'
import { momentOf, momentOfDate } from './rows.ts'

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

const textOf = (value: unknown): SortValue => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown): SortValue => (typeof value === 'number' && !Number.isNaN(value) ? value : undefined)

const sortValueOf: { readonly [T in LiteralType]: (value: unknown) => SortValue } = {
  string: textOf,
  uuid: (value) => (typeof value === 'string' ? value.toLowerCase() : undefined),
  integer: numberOf,
  bigint: bigintOf,
  number: numberOf,
  decimal: decimalOf,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: dayOf,
  datetime: (value) => {
    const moment = momentOf(value)
    return typeof moment === 'number' ? numberOf(moment) : moment
  },
  time: textOf,
}

/** Reads the value that a sort key compares: a text in lower case, or the place of a value in a list. */
export function sortValueBy(key: SortKey): (value: unknown) => SortValue {
  const sortValue = sortValueOf[key.type]
  if (own(key, 'ignoreCase') === true) return (value) => simpleLowerCase(sortValue(value))
  const declared = own(key, 'declared')
  if (declared === undefined) return sortValue
  const places = new Map<unknown, number>(declared.map((value, at) => [value, at]))
  return (value) => places.get(value)
}

/** Negative, zero or positive; no value comes first. */
export type Compare = (a: SortValue, b: SortValue) => number

const byCodePoint: Compare = (a, b) =>
  a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : compareCodePoints(a as string, b as string)
const byDecimal: Compare = (a, b) =>
  a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : compareDecimals(a as string, b as string)
// Nothing is less than `undefined`.
const byValue: Compare = (a, b) => (a === b ? 0 : a === undefined || a < b! ? -1 : 1)

/** Compares the values that {@link sortValueBy} reads. */
export const compareBy = (key: SortKey): Compare => (own(key, 'declared') === undefined ? compareOf[key.type] : byValue)

const compareOf: { readonly [T in LiteralType]: Compare } = {
  string: byCodePoint,
  uuid: byValue,
  integer: byValue,
  bigint: byValue,
  number: byValue,
  decimal: byDecimal,
  boolean: byValue,
  date: byCodePoint,
  datetime: byValue,
  time: byCodePoint,
}
