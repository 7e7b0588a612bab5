/** The values of each type in their order: each but the last has a next one. Between two decimals there is always another one. */
import { compareOf, type LiteralType } from '../../tree/index.ts'
import { canonicalDateTime, canonicalTime, dayAfter, firstMoment, microsOf, momentOf } from '../../values/time.ts'

export type Value = string | number | boolean

/** The values of a type from the smallest to the largest. Methods let the compiler accept an order of texts as an order of values. */
export interface Order<V extends Value = Value> {
  readonly first: V
  /** The smallest value after another one; `undefined` after the last. */
  next(value: V): V | undefined
  compare(a: V, b: V): number
  /** A value near to another one that every database can store; the value itself where it can. */
  storable?(value: V): V
}

/** The next double. @see IEEE 754-2019, section 5.3.1, nextUp */
function nextUp(value: number): number | undefined {
  if (value === Number.MAX_VALUE) return undefined
  if (value === 0) return Number.MIN_VALUE
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return bits.getFloat64(0) + 0
}

const leastBigint = -(2n ** 63n)
const nextBigint = (value: string): string | undefined => {
  const next = BigInt(value) + 1n
  return BigInt.asIntN(64, next) === next ? String(next) : undefined
}

/** The uuid of a number of 128 bits. */
const uuidOf = (bits: bigint): string =>
  bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const nextUuid = (value: string): string | undefined => {
  const next = BigInt(`0x${value.replaceAll('-', '')}`) + 1n
  return next < 2n ** 128n ? uuidOf(next) : undefined
}

/** The next microsecond of a moment. */
function nextMoment(value: string): string | undefined {
  const [moment, micros] = [momentOf(value), microsOf(value)]
  return micros < 999 ? canonicalDateTime(moment, micros + 1) : canonicalDateTime(moment + 1)
}

/** The next microsecond of a day. */
function nextTime(value: string): string | undefined {
  const [day, time] = nextMoment(`2000-01-01T${value}Z`)!.slice(0, -1).split('T')
  return day === '2000-01-01' ? canonicalTime(time!) : undefined
}

type Steps<V extends Value = Value> = Omit<Order<V>, 'compare'>
const ofText = (steps: Steps<string>): Steps => steps
const ofNumber = (steps: Steps<number>): Steps => steps
type Ordered = Exclude<LiteralType, 'boolean' | 'decimal'>
const steps: { readonly [T in Ordered]: Steps } = {
  string: ofText({
    first: '',
    // No query has U+0000 in a text, but a stored row may.
    next: (value) => `${value}\0`,
    storable: (value) => value.replaceAll('\0', '\u0001'),
  }),
  uuid: ofText({ first: uuidOf(0n), next: nextUuid }),
  bigint: ofText({ first: String(leastBigint), next: nextBigint }),
  integer: ofNumber({
    first: Number.MIN_SAFE_INTEGER,
    next: (value) => (value < Number.MAX_SAFE_INTEGER ? value + 1 : undefined),
  }),
  number: ofNumber({ first: -Number.MAX_VALUE, next: nextUp }),
  // Days are texts of one length, in the order of time.
  date: ofText({ first: '0001-01-01', next: dayAfter }),
  time: ofText({ first: '00:00:00', next: nextTime }),
  datetime: ofText({
    first: canonicalDateTime(firstMoment)!,
    next: nextMoment,
    // Some have whole milliseconds only.
    storable: (value) => (microsOf(value) === 0 ? value : (canonicalDateTime(momentOf(value) + 1) ?? value)),
  }),
}

export const orderOf = (type: Ordered): Order => ({ ...steps[type], compare: compareOf[type] })

const fractionOf = (decimal: string): number => (decimal.includes('.') ? decimal.length - decimal.indexOf('.') - 1 : 0)

/**
 * Decimals among which is one for each answer that comparisons with some operands can have together: the operands, and one of each
 * gap before, between and after them.
 */
export function* decimalsAround(operands: readonly string[]): Iterable<string> {
  let zeros = 0
  for (const operand of operands) zeros = Math.max(zeros, fractionOf(operand))
  /** Nearer to a decimal than every other operand, away from zero. */
  const beside = (decimal: string) => `${decimal}${decimal.includes('.') ? '' : '.'}${'0'.repeat(zeros)}1`
  for (const operand of operands) {
    yield operand
    yield beside(operand)
  }
  // Zero is in the gap between a negative operand and a positive one, or before or after all; these two are beside it.
  yield '0'
  yield beside('0')
  yield beside('-0')
}
