/** Reads operands by their field's type, from text and from JavaScript values. Nothing is guessed, trimmed or rolled over. */
import { countExpected, mostEntries, type Literal } from '../tree/index.ts'
import type { Day, Operand, OperatorRow } from './operators.ts'
import type { ResolvedField } from './schema.ts'
import { slotCache, weakCache } from '../cache.ts'
import { own } from '../own.ts'
import { isPlainText } from '../values/characters.ts'
import {
  bigintOf,
  canonicalBigint,
  canonicalDecimal,
  decimalOf,
  mostDigits,
  significantDigits,
} from '../values/exact.ts'
import { canonicalDateTime, canonicalDateTimeOf, dayAfter, dayNumber, isDay } from '../values/time.ts'
import { canonicalUuid } from '../values/uuid.ts'

type ScalarType = Exclude<ResolvedField['type'], 'object'>

/** Reads operands that depend on a time zone or on the time of the request. Its code is in `clock.ts`, which the builder of filters does not load. */
export interface Clock {
  /** Reads a day of a datetime field. Returns `undefined` for a day that the zone skipped. */
  readonly dayOf: (day: string) => Operand | undefined
  /** Reads a relative time, such as `now-90m` or `today`. Returns `undefined` for any other text. */
  readonly relative: (text: string, type: 'date' | 'datetime') => Operand | undefined
}
const isRelative = (text: string): boolean => text.startsWith('now') || text.startsWith('today')

/** Reads the operands of one type. */
export interface Reader {
  /** What is expected, for messages. */
  readonly expected: string
  /** What is expected of a text, in plain words for the author of a query. Default: `expected`. */
  readonly inText?: string
  /** What it is in code, for messages, where that may surprise. */
  readonly inCode?: string
  /** @param clock reads days of a datetime and relative times. Without it, days are in UTC, and relative times are invalid. */
  readonly fromText: (text: string, field: ResolvedField, clock?: () => Clock) => Operand | undefined
  readonly fromValue: (value: unknown, field: ResolvedField) => Operand | undefined
}

const newLiteral = (type: Literal['type'], value: Literal['value']): Literal =>
  Object.freeze({ type, value } as Literal)

/** Literals made before. Most numbers are small and most days are near, and finding one is faster than freezing one. */
const known = {
  integer: /* @__PURE__ */ slotCache<Literal>(1024),
  number: /* @__PURE__ */ slotCache<Literal>(1024),
  date: /* @__PURE__ */ slotCache<Literal>(1024),
}
/** Numbers from here on are not remembered. */
const large = 0x40000000

/** The literal of a value that a whole number of at least 0 identifies within its type. */
function sharedLiteral(type: keyof typeof known, number: number, value: Literal['value']): Literal {
  const before = known[type].get(number)
  if (before !== undefined) return before
  const literal = newLiteral(type, value)
  known[type].set(number, literal)
  return literal
}

/** The literal of a number in range. -0 becomes 0: JSON and most engines do not tell them apart. */
function numberLiteral(type: 'integer' | 'number', value: unknown): Literal | undefined {
  if (!(type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value))) return undefined
  const number = (value as number) + 0
  const isSmall = number >= 0 && number < large && Math.floor(number) === number
  return isSmall ? sharedLiteral(type, number, number) : newLiteral(type, number)
}

export function dayLiteral(text: string): Literal | undefined {
  const number = dayNumber(text)
  return number === 0 ? undefined : sharedLiteral('date', number, text)
}

/** The literal of a canonical text of a datetime, if there is one. */
export const momentLiteral = (text: string | undefined): Literal | undefined => textLiteral('datetime', text)

const midnight = (day: string): Literal => newLiteral('datetime', `${day}T00:00:00.000Z`)

/** A day that is given for a datetime field. */
export function wholeDay(day: string): Day {
  const next = dayAfter(day)
  return { type: 'day', from: midnight(day), until: next === undefined ? undefined : midnight(next) }
}

/** The literal of a canonical text; `undefined` where there is none. */
const textLiteral = (
  type: 'uuid' | 'bigint' | 'decimal' | 'datetime',
  text: string | undefined,
): Literal | undefined => (text === undefined ? undefined : newLiteral(type, text))

const decimalLiteral = (text: string | undefined): Literal | undefined =>
  text === undefined || significantDigits(text) > mostDigits ? undefined : newLiteral('decimal', text)

/** A reader of values that are strings, or that another function reads. */
/* @__NO_SIDE_EFFECTS__ */ const ofText = (
  expected: string,
  fromText: Reader['fromText'],
  fromOther: (value: unknown) => Operand | undefined = () => undefined,
  more?: Pick<Reader, 'inText'>,
): Reader => ({
  expected,
  ...more,
  fromText,
  fromValue: (value, field) =>
    typeof value !== 'string' ? fromOther(value) : isPlainText(value) ? fromText(value, field) : undefined,
})

/** A reader of numbers that match a pattern. */
/* @__NO_SIDE_EFFECTS__ */ const ofNumber = (
  type: 'integer' | 'number',
  expected: string,
  inText: string,
  pattern: RegExp,
): Reader => ({
  expected,
  inText,
  fromText: (text) => (pattern.test(text) ? numberLiteral(type, Number(text)) : undefined),
  fromValue: (value) => numberLiteral(type, value),
})

const wholeNumber = 'a whole number, such as 12'

const readers: { readonly [T in Exclude<ScalarType, 'enumeration'>]: Reader } = {
  string: ofText('text without U+0000 and lone surrogates', (text) => newLiteral('string', text)),
  integer: ofNumber('integer', 'a whole number within ±(2^53 − 1)', wholeNumber, /^-?(?:0|[1-9]\d*)$/),
  uuid: ofText('a uuid, 8-4-4-4-12 hexadecimal digits', (text) => textLiteral('uuid', canonicalUuid(text))),
  bigint: {
    expected: 'a whole number from −2^63 to 2^63 − 1',
    inText: wholeNumber,
    inCode: 'as a bigint, a safe integer or a text of digits',
    fromText: (text) => textLiteral('bigint', canonicalBigint(text)),
    fromValue: (value) => textLiteral('bigint', bigintOf(value)?.toString()),
  },
  decimal: {
    expected: 'a decimal number of at most 34 digits',
    inText: 'a decimal number, such as 12.5',
    inCode: 'as a text, a number or a bigint',
    fromText: (text) => (/[eE]/.test(text) ? undefined : decimalLiteral(canonicalDecimal(text))),
    fromValue: (value) => decimalLiteral(decimalOf(value)),
  },
  // RFC 8259, section 6.
  number: ofNumber(
    'number',
    'a finite number',
    'a number, such as 12.5',
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  ),
  boolean: {
    expected: 'true or false',
    fromText: (text) => (text === 'true' || text === 'false' ? newLiteral('boolean', text === 'true') : undefined),
    fromValue: (value) => (typeof value === 'boolean' ? newLiteral('boolean', value) : undefined),
  },
  date: ofText(
    'a date of the years 0001 to 9999, YYYY-MM-DD',
    (text, _, clock) => (clock !== undefined && isRelative(text) ? clock().relative(text, 'date') : dayLiteral(text)),
    undefined,
    { inText: 'a date, such as 2024-06-01 or today-7d' },
  ),
  datetime: ofText(
    'a date, YYYY-MM-DD, or an RFC 3339 datetime with Z or an offset and at most microseconds',
    (text, _, clock) => {
      if (isDay(text)) return clock === undefined ? wholeDay(text) : clock().dayOf(text)
      if (clock !== undefined && isRelative(text)) return clock().relative(text, 'datetime')
      // Only stored texts may have finer fractions, which are cut off, and -00:00, the unknown offset.
      return /\.\d{7}|-00:00/.test(text) ? undefined : textLiteral('datetime', canonicalDateTimeOf(text))
    },
    (value) => (value instanceof Date ? momentLiteral(canonicalDateTime(value.getTime())) : undefined),
    { inText: 'a date or a datetime, such as 2024-06-01, 2024-06-01T10:00:00Z or now-90m' },
  ),
}

const entryCount: Reader = {
  expected: countExpected,
  fromText: (text, field) => asCount(readers.integer.fromText(text, field)),
  fromValue: (value, field) => asCount(readers.integer.fromValue(value, field)),
}
const asCount = (operand: Operand | undefined): Operand | undefined =>
  operand !== undefined &&
  (operand as { value: number }).value >= 0 &&
  (operand as { value: number }).value <= mostEntries
    ? operand
    : undefined

/** How many names a message lists: values of an enumeration, or fields. */
export const mostNames = 20

/** A reader of an enumeration. It makes the literals once. */
function ofEnumeration(values: readonly string[]): Reader {
  const literals = values.map((value) => newLiteral('string', value))
  const names = values.slice(0, mostNames).join(', ') + (values.length > mostNames ? ', …' : '')
  // `indexOf` is faster than a Map: most enumerations have few values.
  return ofText(`one of ${names}`, (text) => literals[values.indexOf(text)])
}

/** Readers by the values of an enumeration. There may be thousands of values. */
const enumerations = /* @__PURE__ */ weakCache<readonly string[], Reader>()

/**
 * The reader of an operator's operands on a field.
 *
 * @param reads the kind of operand: a value of the field's type, a text, a flag, or a number of entries.
 */
export function readerOf(reads: OperatorRow['reads'], field: ResolvedField): Reader {
  if (reads === 'flag') return readers.boolean
  if (reads === 'count') return entryCount
  const values = own(field, 'values')
  if (values === undefined) return readers[field.type as keyof typeof readers]
  let reader = enumerations.get(values)
  if (reader === undefined) enumerations.set(values, (reader = ofEnumeration(values)))
  return reader
}
