/** Conditions as predicates over single values. A value of another type than the operand counts as missing: the predicate is false. */
import {
  hasForm,
  isExact,
  type Comparison,
  type ComparisonOperator,
  isFolded,
  type EntryCount,
  type FoldedOperator,
  type Literal,
  type LiteralType,
  type Match,
  type MatchMode,
  type Membership,
  type Presence,
} from '../../tree/index.ts'
import { anyCase, simpleLowerCase } from '../../values/case.ts'
import { compareCodePoints } from '../../values/order.ts'
import { bigintOf, compareDecimals, decimalOf } from '../../values/exact.ts'
import { compareDateTimes, microsOf, momentOf as momentOfText, startOfDay, utcDay } from '../../values/time.ts'
import type { Leaf } from '../issues.ts'
import { asEquality, leastOf } from '../shape.ts'
import { interned, isInternable } from './interned.ts'
import { isDate, momentOf, momentOfDate, type Predicate } from './rows.ts'

/** The predicate of a condition over the value at its path. That of a count is true of a list with enough entries. */
export function predicateOfCondition(leaf: Leaf): Predicate {
  const condition = asEquality(leaf)
  switch (condition.kind) {
    case 'comparison':
      return comparison(condition)
    case 'membership':
      return membership(condition)
    case 'match':
      return match(condition)
    case 'presence':
      return presences[condition.type]
    case 'count':
      return count(condition)
  }
}

// --- Comparison. One table for each way to compare, with one function for each operator. No predicate calls another, and
// numbers and texts have separate functions: the engine optimises each for the types that it meets.

type Comparisons<Operands extends readonly unknown[]> = {
  readonly [O in ComparisonOperator]: (...operands: Operands) => Predicate
}

const numbers: Comparisons<[operand: number]> = {
  eq: (operand) => (value) => value === operand,
  gt: (operand) => (value) => typeof value === 'number' && value > operand,
  gte: (operand) => (value) => typeof value === 'number' && value >= operand,
  lt: (operand) => (value) => typeof value === 'number' && value < operand,
  lte: (operand) => (value) => typeof value === 'number' && value <= operand,
}

/** The order of UTF-16 units, JavaScript's own. It is that of code points where one of the texts has no unit from U+D800 up. */
const units: Comparisons<[operand: string]> = {
  eq: (operand) => {
    const text = interned(operand)
    return (value) => value === text
  },
  gt: (operand) => (value) => typeof value === 'string' && value > operand,
  gte: (operand) => (value) => typeof value === 'string' && value >= operand,
  lt: (operand) => (value) => typeof value === 'string' && value < operand,
  lte: (operand) => (value) => typeof value === 'string' && value <= operand,
}

const codePoints: Comparisons<[operand: string]> = {
  eq: units.eq,
  gt: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) > 0,
  gte: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) >= 0,
  lt: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) < 0,
  lte: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) <= 0,
}

const orderOf = (operand: string): typeof units => (/[\ud800-\uffff]/.test(operand) ? codePoints : units)
const texts: Comparisons<[operand: string]> = {
  eq: units.eq,
  gt: (operand) => orderOf(operand).gt(operand),
  gte: (operand) => orderOf(operand).gte(operand),
  lt: (operand) => orderOf(operand).lt(operand),
  lte: (operand) => orderOf(operand).lte(operand),
}

/** Compares texts in lower case. */
const inLowerCase: { readonly [O in FoldedOperator]: (operand: string) => Predicate } = {
  gtIgnoreCase: (operand) => lowered(texts.gt(simpleLowerCase(operand))),
  gteIgnoreCase: (operand) => lowered(texts.gte(simpleLowerCase(operand))),
  ltIgnoreCase: (operand) => lowered(texts.lt(simpleLowerCase(operand))),
  lteIgnoreCase: (operand) => lowered(texts.lte(simpleLowerCase(operand))),
}
const lowered =
  (compare: Predicate): Predicate =>
  (value) =>
    compare(simpleLowerCase(value))

const millisecondsOfDay = 86_400_000

/** The text of an operand, and its moment, which is found when a row needs it: rows from JSON do not. */
interface Dated {
  readonly text: string
  moment: number | undefined
}
/** `moment` is an own property, so that the predicate reads none from `Object.prototype`. */
const datedOf = (text: string): Dated => ({ text, moment: undefined })
const startOf = (day: Dated): number => (day.moment ??= startOfDay(day.text))
const endOf = (day: Dated): number => startOf(day) + millisecondsOfDay
const whenOf = (dated: Dated): number => (dated.moment ??= momentOfText(dated.text))

/** Text is compared as it is. A `Date` is in the day that starts at or before it, and ends after it. */
const days: Comparisons<[text: string]> = {
  eq:
    (text, day = datedOf(text)) =>
    (value) => {
      if (typeof value === 'string') return value === text
      const moment = momentOfDate(value)
      return moment >= startOf(day) && moment < endOf(day)
    },
  gt:
    (text, day = datedOf(text)) =>
    (value) =>
      typeof value === 'string' ? value > text : momentOfDate(value) >= endOf(day),
  gte:
    (text, day = datedOf(text)) =>
    (value) =>
      typeof value === 'string' ? value >= text : momentOfDate(value) >= startOf(day),
  lt:
    (text, day = datedOf(text)) =>
    (value) =>
      typeof value === 'string' ? value < text : momentOfDate(value) < startOf(day),
  lte:
    (text, day = datedOf(text)) =>
    (value) =>
      typeof value === 'string' ? value <= text : momentOfDate(value) < endOf(day),
}

/** Whether it is canonical UTC text to the millisecond: it has the order of the moments, and need not be parsed. */
const isCanonical = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 24 && value[23] === 'Z' && value[10] === 'T'

/** Whether it is canonical UTC text to the microsecond. `….123000Z` is not: it equals `….123Z`. */
const isCanonicalToMicros = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length === 27 &&
  value[26] === 'Z' &&
  value[10] === 'T' &&
  value[19] === '.' &&
  !value.endsWith('000Z')

/** By the order of a value and the operand: negative, zero or positive; NaN for no value. */
/* @__NO_SIDE_EFFECTS__ */ const byOrder = (
  orderOf: (operand: string) => (value: unknown) => number,
): Comparisons<[operand: string]> => ({
  eq:
    (operand, order = orderOf(operand)) =>
    (value) =>
      order(value) === 0,
  gt:
    (operand, order = orderOf(operand)) =>
    (value) =>
      order(value) > 0,
  gte:
    (operand, order = orderOf(operand)) =>
    (value) =>
      order(value) >= 0,
  lt:
    (operand, order = orderOf(operand)) =>
    (value) =>
      order(value) < 0,
  lte:
    (operand, order = orderOf(operand)) =>
    (value) =>
      order(value) <= 0,
})

/** The order of two values that `<` compares. */
const byValue = <V extends string | bigint>(a: V, b: V): number => (a < b ? -1 : a > b ? 1 : 0)

/** Parses values that are not canonical; the operand when the first value needs it. */
const momentOrder = (text: string) => {
  const micros = microsOf(text)
  let moment: number | undefined
  return (value: unknown): number => {
    if (isCanonicalToMicros(value) || isCanonical(value)) return compareDateTimes(value, text)
    const isText = typeof value === 'string'
    const order = (isText ? momentOfText(value) : momentOfDate(value)) - (moment ??= momentOfText(text))
    return order === 0 ? (isText ? microsOf(value) : 0) - micros : order
  }
}
const parsed = /* @__PURE__ */ byOrder(momentOrder)
/** For operands of whole milliseconds: canonical texts are compared as they are, and a `Date` by its milliseconds. */
const moments: Comparisons<[text: string]> = {
  eq:
    (text, order = momentOrder(text), at = datedOf(text)) =>
    (value) => {
      if (typeof value !== 'string') return momentOfDate(value) === whenOf(at)
      return isCanonical(value) ? value === text : order(value) === 0
    },
  gt:
    (text, order = momentOrder(text), at = datedOf(text)) =>
    (value) => {
      if (typeof value !== 'string') return momentOfDate(value) > whenOf(at)
      return isCanonical(value) ? value > text : order(value) > 0
    },
  gte:
    (text, order = momentOrder(text), at = datedOf(text)) =>
    (value) => {
      if (typeof value !== 'string') return momentOfDate(value) >= whenOf(at)
      return isCanonical(value) ? value >= text : order(value) >= 0
    },
  lt:
    (text, order = momentOrder(text), at = datedOf(text)) =>
    (value) => {
      if (typeof value !== 'string') return momentOfDate(value) < whenOf(at)
      return isCanonical(value) ? value < text : order(value) < 0
    },
  lte:
    (text, order = momentOrder(text), at = datedOf(text)) =>
    (value) => {
      if (typeof value !== 'string') return momentOfDate(value) <= whenOf(at)
      return isCanonical(value) ? value <= text : order(value) <= 0
    },
}

const uuids = /* @__PURE__ */ byOrder(
  (text) => (value) => (typeof value === 'string' ? byValue(value.toLowerCase(), text) : NaN),
)

const bigints = /* @__PURE__ */ byOrder((text) => {
  const operand = BigInt(text)
  return (value) => {
    const number = bigintOf(value)
    return number === undefined ? NaN : byValue(number, operand)
  }
})

const decimals = /* @__PURE__ */ byOrder((text) => (value) => {
  const decimal = decimalOf(value)
  return decimal === undefined ? NaN : compareDecimals(decimal, text)
})

const comparisons: { readonly [T in LiteralType]: Partial<Comparisons<[operand: never]>> } = {
  string: texts,
  uuid: uuids,
  integer: numbers,
  bigint: bigints,
  number: numbers,
  decimal: decimals,
  // Booleans have no order.
  boolean: { eq: (operand: boolean) => (value) => value === operand },
  date: days,
  datetime: moments,
  time: texts,
}

function comparison({ operator, operand }: Comparison): Predicate {
  if (isFolded(operator)) return inLowerCase[operator](operand.value as string)
  const isFine = operand.type === 'datetime' && !isCanonical(operand.value)
  const compare = (isFine ? parsed : comparisons[operand.type])[operator] as (operand: Literal['value']) => Predicate
  return compare(operand.value)
}

// --- Membership

function oneOf(operands: readonly unknown[]): Predicate {
  // Comparing texts one by one is slower where they are not interned.
  const mostCompared = operands.every(isInternable) ? 10 : 4
  if (operands.length <= mostCompared) return oneOfFew(operands)
  const set = new Set(operands)
  return (value) => set.has(value)
}

/** Ten variables, which the engine compares faster than it looks into a Set. */
function oneOfFew(operands: readonly unknown[]): Predicate {
  const [a, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a] = operands.map((operand) =>
    interned(operand),
  )
  return (value) =>
    value === a ||
    value === b ||
    value === c ||
    value === d ||
    value === e ||
    value === f ||
    value === g ||
    value === h ||
    value === i ||
    value === j
}

const memberships: { readonly [T in LiteralType]: (values: readonly Literal['value'][]) => Predicate } = {
  string: oneOf,
  uuid: (values) => {
    const texts = oneOf(values)
    return (value) => typeof value === 'string' && texts(value.toLowerCase())
  },
  integer: oneOf,
  bigint: (values) => {
    const numbers = oneOf(values.map((value) => BigInt(value)))
    return (value) => numbers(bigintOf(value))
  },
  number: oneOf,
  decimal: (values) => {
    const texts = oneOf(values)
    return (value) => texts(decimalOf(value))
  },
  boolean: oneOf,
  date: (values) => {
    const days = oneOf(values)
    return (value) => {
      if (typeof value === 'string') return days(value)
      const moment = momentOfDate(value)
      return !Number.isNaN(moment) && days(utcDay(moment))
    }
  },
  datetime: (values) => {
    const texts = oneOf(values)
    const moments = oneOf(values.map(momentOf))
    return (value) => (isCanonical(value) || isCanonicalToMicros(value) ? texts(value) : moments(momentOf(value)))
  },
  time: oneOf,
}

function membership({ operands }: Membership): Predicate {
  if (operands.length === 0) return () => false
  return memberships[operands[0]!.type](operands.map(({ value }) => value))
}

// --- Text

const matches: { readonly [M in MatchMode]: (text: string) => Predicate } = {
  prefix: (text) => byPattern(text, (pattern) => `^${pattern}`),
  suffix: (text) => byPattern(text, (pattern) => `${pattern}$`),
  substring: (text) => byPattern(text, (pattern) => pattern),
  whole: (text) => byPattern(text, (pattern) => `^${pattern}$`),
  prefixExact: (text) => (value) => typeof value === 'string' && value.startsWith(text),
  suffixExact: (text) => (value) => typeof value === 'string' && value.endsWith(text),
  substringExact: (text) => (value) => typeof value === 'string' && value.includes(text),
}

/** Makes the pattern when the first text comes: an `and` may never come so far. */
function byPattern(text: string, whole: (pattern: string) => string): Predicate {
  let pattern: RegExp | undefined
  return (value) =>
    typeof value === 'string' && (pattern ??= new RegExp(whole(anyCase(simpleLowerCase(text))))).test(value)
}

/** A pattern starts again at every letter of the value, in time of the product of both lengths. Longer operands are searched in linear time. */
const longestPattern = 64

// simpleLowerCase keeps the length of a text, so the ends can be cut off first.
const longMatches: typeof matches = {
  ...matches,
  prefix: (text) => (value) => typeof value === 'string' && simpleLowerCase(value.slice(0, text.length)) === text,
  suffix: (text) => (value) => typeof value === 'string' && simpleLowerCase(value.slice(-text.length)) === text,
  substring: (text) => {
    const isIn = search(text)
    return (value) => typeof value === 'string' && isIn(simpleLowerCase(value))
  },
  whole: (text) => (value) =>
    typeof value === 'string' && value.length === text.length && simpleLowerCase(value) === text,
  substringExact: (text) => {
    const isIn = search(text)
    return (value) => typeof value === 'string' && isIn(value)
  },
}

/** Searches texts for one text, in linear time. @see https://en.wikipedia.org/wiki/Knuth-Morris-Pratt_algorithm */
function search(text: string): (value: string) => boolean {
  /** By how many letters of the text were found: how many of them are still found when the next letter differs. */
  const shorter = new Int32Array(text.length + 1)
  const more = (length: number, unit: number): number => {
    while (length > 0 && text.charCodeAt(length) !== unit) length = shorter[length]!
    return text.charCodeAt(length) === unit ? length + 1 : length
  }
  for (let at = 1; at < text.length; at++) shorter[at + 1] = more(shorter[at]!, text.charCodeAt(at))
  return (value) => {
    let length = 0
    for (let at = 0; at < value.length && length < text.length; at++) length = more(length, value.charCodeAt(at))
    return length === text.length
  }
}

/** Compares the text with a value, or finds it in one. */
const match = ({ mode, text }: Match): Predicate =>
  text.length > longestPattern ? longMatches[mode](isExact(mode) ? text : simpleLowerCase(text)) : matches[mode](text)

// --- Presence

/** Whether it is an object: neither a list nor a `Date`, which is a scalar. */
const isObject: Predicate = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)

const isMoment: Predicate = (value) => typeof value === 'string' || isDate(value)

/** A `Date` may be of another realm. */
const presences: { readonly [T in Presence['type']]: Predicate } = /* @__PURE__ */ (() => ({
  ...hasForm,
  date: isMoment,
  datetime: isMoment,
  object: isObject,
  json: (value) => value !== null && value !== undefined,
}))()

// --- Count

/** Tests whether a list has at least {@link leastOf} entries with a value; for `lte`, the caller negates the result. */
function count(filter: EntryCount): Predicate {
  const isPresent = presences[filter.type]
  const least = leastOf(filter)
  return (list) => {
    if (!Array.isArray(list)) return false
    let present = 0
    for (let at = 0; at < list.length; at++) if (isPresent(list[at]) && ++present === least) return true
    return false
  }
}
