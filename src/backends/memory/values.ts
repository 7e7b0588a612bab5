/**
 * The evaluator's questions about a single value: each makes its test once, for as many values as there are rows. A
 * value of another form than the question's is no value, and fails it. Values may be anything.
 */
import type {
  Comparison,
  ComparisonOperator,
  Literal,
  LiteralType,
  Match,
  MatchMode,
  Membership,
  Presence,
} from '../../ast/index.ts'
import { anyCase, compareCodePoints, momentOf, simpleLowerCase, startOfDay, utcDay } from '../../text.ts'

/** A question about a value, whatever it is. */
export type Test = (value: unknown) => boolean

/** The moment of a `Date`; NaN for everything else. What is rare is a call, so that the engine need not foresee a NaN. */
function momentOfDate(value: unknown): number {
  if (value != null && value.constructor === Date) {
    try {
      return getTime.call(value)
    } catch {
      // It only looks like one.
    }
  }
  return momentOfOther(value)
}
const { getTime } = Date.prototype

/** The same, of another realm, or of a class of dates. */
function momentOfOther(value: unknown): number {
  try {
    return isDate(value) ? getTime.call(value) : NaN
  } catch {
    return NaN
  }
}

const isDate = (value: unknown): boolean =>
  value instanceof Date || Object.prototype.toString.call(value) === '[object Date]'

// --- Order. A table makes the test of each operator. No test calls another: a call for each row would take as long as
// all else, and one function for numbers and texts would compare neither well.

type Tests<Operands extends readonly unknown[]> = {
  readonly [O in ComparisonOperator]: (...operands: Operands) => Test
}

/**
 * A value as rows out of JSON have it: of a short text JSON.parse gives the engine's one copy, and what are one object
 * need not be compared letter by letter.
 */
const asInJson = <V>(value: V): V => JSON.parse(JSON.stringify(value)) as V

const numbers: Tests<[operand: number]> = {
  eq: (operand) => (value) => value === operand,
  gt: (operand) => (value) => typeof value === 'number' && value > operand,
  gte: (operand) => (value) => typeof value === 'number' && value >= operand,
  lt: (operand) => (value) => typeof value === 'number' && value < operand,
  lte: (operand) => (value) => typeof value === 'number' && value <= operand,
}

/** JavaScript's own order, of UTF-16 units: that of code points, as long as one side has none from U+D800 up. */
const units: Tests<[operand: string]> = {
  eq: (operand) => {
    const text = asInJson(operand)
    return (value) => value === text
  },
  gt: (operand) => (value) => typeof value === 'string' && value > operand,
  gte: (operand) => (value) => typeof value === 'string' && value >= operand,
  lt: (operand) => (value) => typeof value === 'string' && value < operand,
  lte: (operand) => (value) => typeof value === 'string' && value <= operand,
}

const codePoints: Tests<[operand: string]> = {
  eq: units.eq,
  gt: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) > 0,
  gte: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) >= 0,
  lt: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) < 0,
  lte: (operand) => (value) => typeof value === 'string' && compareCodePoints(value, operand) <= 0,
}

const millisecondsOfDay = 86_400_000

/** Texts are compared as texts; a moment lies in the day from its start to before the next. */
const days: Tests<[day: string, start: number]> = {
  eq: (day, start) => (value) => {
    if (typeof value === 'string') return value === day
    const moment = momentOfDate(value)
    return moment >= start && moment < start + millisecondsOfDay
  },
  gt: (day, start) => (value) =>
    typeof value === 'string' ? value > day : momentOfDate(value) >= start + millisecondsOfDay,
  gte: (day, start) => (value) => (typeof value === 'string' ? value >= day : momentOfDate(value) >= start),
  lt: (day, start) => (value) => (typeof value === 'string' ? value < day : momentOfDate(value) < start),
  lte: (day, start) => (value) =>
    typeof value === 'string' ? value <= day : momentOfDate(value) < start + millisecondsOfDay,
}

const momentOfValue = (value: unknown): number => (typeof value === 'string' ? momentOf(value) : momentOfDate(value))

/** Canonical texts are ordered as the moments are that they name; reading them would take thirty times as long. */
const isCanonical = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 24 && value[23] === 'Z' && value[10] === 'T'

const moments: Tests<[text: string, operand: number]> = {
  eq: (text, operand) => (value) => (isCanonical(value) ? value === text : momentOfValue(value) === operand),
  gt: (text, operand) => (value) => (isCanonical(value) ? value > text : momentOfValue(value) > operand),
  gte: (text, operand) => (value) => (isCanonical(value) ? value >= text : momentOfValue(value) >= operand),
  lt: (text, operand) => (value) => (isCanonical(value) ? value < text : momentOfValue(value) < operand),
  lte: (text, operand) => (value) => (isCanonical(value) ? value <= text : momentOfValue(value) <= operand),
}

const ofNumber = (operator: ComparisonOperator, operand: Literal['value']): Test => numbers[operator](operand as number)

const comparisons: {
  readonly [T in LiteralType]: (operator: ComparisonOperator, operand: Literal['value']) => Test
} = {
  string: (operator, operand) =>
    (/[\ud800-\uffff]/.test(operand as string) ? codePoints : units)[operator](operand as string),
  integer: ofNumber,
  number: ofNumber,
  boolean: (_, operand) => (value) => value === operand,
  date: (operator, operand) => days[operator](operand as string, startOfDay(operand as string)),
  datetime: (operator, operand) => moments[operator](operand as string, momentOf(operand as string)),
}

/** The value stands in that order to the operand. */
export const comparison = ({ operator, operand }: Comparison): Test =>
  comparisons[operand.type](operator, operand.value)

// --- Membership

/** Texts of up to so many units are one object to the engine wherever they come from, if JSON.parse made them. */
const interned = 10
const isInterned = (operand: unknown): boolean => typeof operand !== 'string' || operand.length <= interned

function oneOf(operands: readonly unknown[]): Test {
  if (operands.length === 1) {
    const operand = asInJson(operands[0])
    return (value) => value === operand
  }
  // Where each is compared letter by letter, a set finds one sooner.
  if (operands.length > (operands.every(isInterned) ? 10 : 4)) {
    const set = new Set(operands)
    return (value) => set.has(value)
  }
  const [a, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a] = operands.map(asInJson)
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

const memberships: { readonly [T in LiteralType]: (values: readonly Literal['value'][]) => Test } = {
  string: oneOf,
  integer: oneOf,
  number: oneOf,
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
    const moments = oneOf(values.map((value) => momentOf(value as string)))
    return (value) => (isCanonical(value) ? texts(value) : moments(momentOfValue(value)))
  },
}

/** The value is one of the operands. */
export const membership = ({ operands }: Membership): Test =>
  operands.length === 0 ? () => false : memberships[operands[0]!.type](operands.map(({ value }) => value))

// --- Text

const matches: { readonly [M in MatchMode]: (text: string) => Test } = {
  prefix: (text) => ofPattern(() => `^${anyCase(text)}`),
  suffix: (text) => ofPattern(() => `${anyCase(text)}$`),
  substring: (text) => ofPattern(() => anyCase(text)),
}

/** The engine compiles a pattern when it is first asked, which takes as long as a thousand answers. */
function ofPattern(patternOf: () => string): Test {
  let pattern: RegExp | undefined
  return (value) => typeof value === 'string' && (pattern ??= new RegExp(patternOf())).test(value)
}

/**
 * Patterns and the engine's own search begin anew at every letter of a value: their time is the product of both lengths.
 * Longer texts are compared in a time that is linear in both.
 */
const longestPattern = 64

// Lower-casing keeps the length of a text, so that its ends can be cut off first.
const longMatches: { readonly [M in MatchMode]: (text: string) => Test } = {
  prefix: (text) => (value) => typeof value === 'string' && simpleLowerCase(value.slice(0, text.length)) === text,
  suffix: (text) => (value) => typeof value === 'string' && simpleLowerCase(value.slice(-text.length)) === text,
  substring: (text) => {
    const isIn = search(text)
    return (value) => typeof value === 'string' && isIn(simpleLowerCase(value))
  },
}

/** Whether values have a text in them. @see https://en.wikipedia.org/wiki/Knuth-Morris-Pratt_algorithm */
function search(text: string): (value: string) => boolean {
  /** By how many letters of the text are found: how many still are when the next one is another. */
  const shorter = new Int32Array(text.length + 1)
  const more = (found: number, unit: number): number => {
    while (found > 0 && text.charCodeAt(found) !== unit) found = shorter[found]!
    return text.charCodeAt(found) === unit ? found + 1 : found
  }
  for (let at = 1; at < text.length; at++) shorter[at + 1] = more(shorter[at]!, text.charCodeAt(at))
  return (value) => {
    let found = 0
    for (let at = 0; at < value.length && found < text.length; at++) found = more(found, value.charCodeAt(at))
    return found === text.length
  }
}

/** The value begins with the text, ends with it, or has it; case is ignored. */
export const match = ({ mode, text }: Match): Test =>
  (text.length > longestPattern ? longMatches : matches)[mode](simpleLowerCase(text))

// --- Presence

/** What objects of the language are: not lists, and not dates, which are values. */
const isObject: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)

const isOfType =
  (type: string): Test =>
  (value) =>
    typeof value === type
const isMoment: Test = (value) => typeof value === 'string' || isDate(value)

const presences: { readonly [T in Presence['type']]: Test } = {
  string: isOfType('string'),
  integer: isOfType('number'),
  number: isOfType('number'),
  boolean: isOfType('boolean'),
  date: isMoment,
  datetime: isMoment,
  object: isObject,
}

/** There is a value of the type. */
export const presence = ({ type }: Presence): Test => presences[type]
