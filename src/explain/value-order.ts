/** The values of each type in their order: each but the last has a next one. */
import type { LiteralType } from '../ast/index.ts'
import { compareCodePoints } from '../text/order.ts'
import { compareDecimals } from '../text/exact.ts'
import { dayAfter, lastMoment, momentOf } from '../text/time.ts'

export type Value = string | number | boolean

/** The values of a type from the smallest to the largest. Methods let the compiler accept an order of texts as an order of values. */
export interface Order<V extends Value = Value> {
  readonly first: V
  /** The smallest value after another one; `undefined` after the last. */
  next(value: V): V | undefined
  compare(a: V, b: V): number
}

const byNumber = (a: number, b: number): number => a - b

/** The next double. @see IEEE 754-2019, section 5.3.1, nextUp */
function nextUp(value: number): number | undefined {
  if (value === Number.MAX_VALUE) return undefined
  if (value === 0) return Number.MIN_VALUE
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return bits.getFloat64(0) + 0
}

const ofText = (order: Order<string>): Order => order
const ofNumber = (order: Order<number>): Order => order
export const orders: { readonly [T in Exclude<LiteralType, 'boolean'>]: Order } = {
  // No query has U+0000 in a text, but a stored row may.
  string: ofText({ first: '', next: (value) => `${value}\0`, compare: compareCodePoints }),
  uuid: ofText({
    first: '00000000-0000-0000-0000-000000000000',
    next: () => undefined,
    compare: compareCodePoints,
  }),
  bigint: ofText({ first: String(-(2n ** 63n)), next: () => undefined, compare: compareDecimals }),
  decimal: ofText({ first: '0', next: () => undefined, compare: compareDecimals }),
  integer: ofNumber({
    first: Number.MIN_SAFE_INTEGER,
    next: (value) => (value < Number.MAX_SAFE_INTEGER ? value + 1 : undefined),
    compare: byNumber,
  }),
  number: ofNumber({ first: -Number.MAX_VALUE, next: nextUp, compare: byNumber }),
  // Days and moments are texts of one length, in the order of time.
  date: ofText({ first: '0001-01-01', next: dayAfter, compare: compareCodePoints }),
  datetime: ofText({
    first: '0001-01-01T00:00:00.000Z',
    next: (value) => {
      const moment = momentOf(value)
      return moment < lastMoment ? new Date(moment + 1).toISOString() : undefined
    },
    compare: compareCodePoints,
  }),
}
