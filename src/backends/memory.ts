/** The evaluator: a filter as a predicate over rows in memory. */
import {
  fold,
  kinds,
  literalTypes,
  type ComparisonOperator,
  type Filter,
  type Literal,
  type LiteralType,
  type MatchMode,
  type Path,
} from '../ast.ts'
import type { Backend, Capabilities } from '../backend.ts'
import { compareCodePoints, momentOf, simpleLowerCase, startOfDay, utcDay } from '../text.ts'

/** Whether a row is selected. Never throws, but for a getter of the row's own that does. */
export type Predicate = (row: unknown) => boolean

/** A question about a value, whatever it is. */
type Test = (value: unknown) => boolean

// --- Reading rows. Own properties only: what stands on a prototype is no data.

/** What objects of the language are: not lists, and not dates, which are values. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function at(path: Path, test: Test): Test {
  return path.reduceRight<Test>(
    (inner, name) => (value) => inner(isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    test,
  )
}

/** The moment of a `Date`, of another realm too; NaN for an invalid one and for everything else. */
function momentOfDate(value: unknown): number {
  if (typeof value !== 'object' || value === null) return NaN
  if (!(value instanceof Date) && Object.prototype.toString.call(value) !== '[object Date]') return NaN
  try {
    return Date.prototype.getTime.call(value)
  } catch {
    return NaN // It only looked like one.
  }
}

const isDate = (value: unknown): boolean =>
  value instanceof Date || Object.prototype.toString.call(value) === '[object Date]'

// --- Order. Each table makes the test of one operator; a value that is NaN or no value fails them all.

type Tests<T> = { readonly [O in ComparisonOperator]: <V extends T>(operand: V) => (value: V) => boolean }

/** JavaScript's own order. Of texts it is that of UTF-16 units: of code points, as long as one side has none from U+D800 up. */
const native: Tests<number | string> = {
  eq: (operand) => (value) => value === operand,
  gt: (operand) => (value) => value > operand,
  gte: (operand) => (value) => value >= operand,
  lt: (operand) => (value) => value < operand,
  lte: (operand) => (value) => value <= operand,
}

const codePoints: Tests<string> = {
  eq: native.eq,
  gt: (operand) => (value) => compareCodePoints(value, operand) > 0,
  gte: (operand) => (value) => compareCodePoints(value, operand) >= 0,
  lt: (operand) => (value) => compareCodePoints(value, operand) < 0,
  lte: (operand) => (value) => compareCodePoints(value, operand) <= 0,
}

/** Moments against a day: an interval from its start to the next. */
const days: { readonly [O in ComparisonOperator]: (from: number, until: number) => (moment: number) => boolean } = {
  eq: (from, until) => (moment) => moment >= from && moment < until,
  gt: (_, until) => (moment) => moment >= until,
  gte: (from) => (moment) => moment >= from,
  lt: (from) => (moment) => moment < from,
  lte: (_, until) => (moment) => moment < until,
}

const millisecondsOfDay = 86_400_000

const ofNumber = (operator: ComparisonOperator, operand: Literal): Test => {
  const test = native[operator](operand.value as number)
  return (value) => typeof value === 'number' && test(value)
}

const comparisons: { readonly [T in LiteralType]: (operator: ComparisonOperator, operand: Literal) => Test } = {
  string: (operator, operand) => {
    const text = operand.value as string
    const test = (/[\ud800-\uffff]/.test(text) ? codePoints : native)[operator](text)
    return (value) => typeof value === 'string' && test(value)
  },
  integer: ofNumber,
  number: ofNumber,
  boolean: (_, operand) => (value) => value === operand.value,
  date: (operator, operand) => {
    const day = operand.value as string
    const text = native[operator](day)
    const date = days[operator](startOfDay(day), startOfDay(day) + millisecondsOfDay)
    return (value) => (typeof value === 'string' ? text(value) : date(momentOfDate(value)))
  },
  datetime: (operator, operand) => {
    const canonical = operand.value as string
    const text = native[operator](canonical)
    const moment = native[operator](momentOf(canonical))
    return (value) => {
      if (typeof value !== 'string') return moment(momentOfDate(value))
      return hasCanonicalForm(value) ? text(value) : moment(momentOf(value))
    }
  },
}

/** Canonical texts are ordered as the moments are that they name. */
function hasCanonicalForm(text: string): boolean {
  return text.length === 24 && text[23] === 'Z' && text[10] === 'T'
}

const memberships: { readonly [T in LiteralType]: (values: readonly Literal['value'][]) => Test } = {
  string: (values) => oneOf(values),
  integer: (values) => oneOf(values),
  number: (values) => oneOf(values),
  boolean: (values) => oneOf(values),
  date: (values) => {
    const days = oneOf(values)
    return (value) => {
      if (typeof value === 'string') return days(value)
      const moment = momentOfDate(value)
      return !Number.isNaN(moment) && days(utcDay(moment))
    }
  },
  datetime: (values) => {
    const moments = oneOf(values.map((value) => momentOf(value as string)))
    return (value) => moments(typeof value === 'string' ? momentOf(value) : momentOfDate(value))
  },
}

function oneOf(values: readonly unknown[]): Test {
  const set = new Set(values)
  return (value) => set.has(value)
}

const matches: { readonly [M in MatchMode]: (text: string) => (value: string) => boolean } = {
  // Lower-casing keeps lengths, so no more than the operand's length needs it.
  prefix: (text) => (value) => simpleLowerCase(value.slice(0, text.length)) === text,
  suffix: (text) => (value) => simpleLowerCase(value.slice(Math.max(0, value.length - text.length))) === text,
  substring: (text) => (value) => simpleLowerCase(value).includes(text),
}

const isOfType =
  (type: string): Test =>
  (value) =>
    typeof value === type
const isMoment: Test = (value) => typeof value === 'string' || isDate(value)

const presences: { readonly [T in LiteralType | 'object']: Test } = {
  string: isOfType('string'),
  integer: isOfType('number'),
  number: isOfType('number'),
  boolean: isOfType('boolean'),
  date: isMoment,
  datetime: isMoment,
  object: (value) => isRecord(value) && !isDate(value),
}

function predicateOf(filter: Filter): Predicate {
  return fold<Test>(filter, {
    and: (tests) => (row) => tests.every((test) => test(row)),
    or: (tests) => (row) => tests.some((test) => test(row)),
    not: (test) => (row) => !test(row),
    some: (test, { path }) => at(path, (value) => Array.isArray(value) && value.some((entry) => test(entry))),
    comparison: ({ path, operator, operand }) => at(path, comparisons[operand.type](operator, operand)),
    membership: ({ path, operands }) =>
      at(
        path,
        operands.length === 0 ? () => false : memberships[operands[0]!.type](operands.map(({ value }) => value)),
      ),
    match: ({ path, mode, text }) => {
      const test = matches[mode](simpleLowerCase(text))
      return at(path, (value) => typeof value === 'string' && test(value))
    },
    presence: ({ path, type }) => at(path, presences[type]),
  })
}

const capabilities: Capabilities = Object.freeze({
  kinds,
  types: literalTypes,
  features: Object.freeze(['unicode-case', 'other-forms', 'misplaced-lists', 'empty-objects', 'date-objects'] as const),
  preconditions: Object.freeze([]),
})

/**
 * Filters rows in memory: JSON values, and `Date`s where the schema has dates (their UTC day) or datetimes.
 * Only own properties of plain or class objects are read. Whatever a row holds, the predicate answers; what
 * has another form than its field's type is no value.
 *
 * @returns a backend that knows every kind and type; `compile` throws a TypeError when it is given no filter.
 * @example
 * const matches = memoryBackend().compile(filter)
 * rows.filter(matches)
 */
export function memoryBackend(): Backend<Predicate> {
  return { name: 'memory', capabilities, compile: predicateOf }
}
