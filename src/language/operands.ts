/** Reads operands by their field's type, from text and from values. Nothing is guessed, trimmed or rolled over. */
import type { Literal } from '../ast/index.ts'
import { weakCache } from '../cache.ts'
import type { Day, Operand } from './operators.ts'
import type { ResolvedField } from './schema.ts'
import { canonicalDateTime, dayAfter, isDay, isPlainText, momentOf } from '../text.ts'

type ScalarType = Exclude<ResolvedField['type'], 'object'>

/** Reads operands of a type. */
export interface Reader {
  /** What the type takes, for messages; and how a text writes it, where that may surprise. */
  readonly expected: string
  readonly notation?: string
  readonly fromText: (text: string, field: ResolvedField) => Operand | undefined
  readonly fromValue: (value: unknown, field: ResolvedField) => Operand | undefined
}

const literal = (type: Literal['type'], value: Literal['value']): Literal => Object.freeze({ type, value } as Literal)

/** Of numbers: -0 becomes 0, which JSON and most engines cannot tell apart. */
const numeric = (type: 'integer' | 'number', value: number): Literal | undefined =>
  (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)) ? literal(type, value + 0) : undefined

const midnight = (day: string): Literal => literal('datetime', `${day}T00:00:00.000Z`)

/** A day given for a datetime field. */
export function wholeDay(day: string): Day {
  const next = dayAfter(day)
  return { type: 'day', from: midnight(day), until: next === undefined ? undefined : midnight(next) }
}

const moment = (text: string | undefined) => (text === undefined ? undefined : literal('datetime', text))

/** The reader of a type whose values are texts. */
const ofText = (expected: string, fromText: Reader['fromText']): Reader => ({
  expected,
  fromText,
  fromValue: (value, field) => (typeof value === 'string' && isPlainText(value) ? fromText(value, field) : undefined),
})

/** The reader of a type whose values are numbers, written as the pattern says. */
const ofNumber = (type: 'integer' | 'number', expected: string, notation: string, pattern: RegExp): Reader => ({
  expected,
  notation,
  fromText: (text) => (pattern.test(text) ? numeric(type, Number(text)) : undefined),
  fromValue: (value) => (typeof value === 'number' ? numeric(type, value) : undefined),
})

const datetime = ofText(
  'a day, YYYY-MM-DD, or an RFC 3339 datetime with Z or an offset, to the millisecond',
  (text) => {
    if (isDay(text)) return wholeDay(text)
    // Stored texts may go further: finer fractions are cut off, and -00:00 says that the offset is unknown.
    return /\.\d{4}|-00:00/.test(text) ? undefined : moment(canonicalDateTime(momentOf(text)))
  },
)

const readers: { readonly [T in Exclude<ScalarType, 'enumeration'>]: Reader } = {
  string: ofText('text without U+0000 and lone surrogates', (text) => literal('string', text)),
  integer: ofNumber(
    'integer',
    'a whole number within ±(2^53 − 1)',
    'in digits, without leading zeros',
    /^-?(?:0|[1-9]\d*)$/,
  ),
  // RFC 8259, section 6.
  number: ofNumber('number', 'a finite number', 'as JSON writes it', /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/),
  boolean: {
    expected: 'true or false',
    fromText: (text) => (text === 'true' || text === 'false' ? literal('boolean', text === 'true') : undefined),
    fromValue: (value) => (typeof value === 'boolean' ? literal('boolean', value) : undefined),
  },
  date: ofText('a real day of the years 0001 to 9999, YYYY-MM-DD', (text) =>
    isDay(text) ? literal('date', text) : undefined,
  ),
  datetime: {
    ...datetime,
    fromValue: (value, field) =>
      value instanceof Date ? moment(canonicalDateTime(value.getTime())) : datetime.fromValue(value, field),
  },
}

/** The reader of an enumeration, with its literals made. */
function ofEnumeration(values: readonly string[]): Reader {
  const literals = values.map((value) => literal('string', value))
  // By index: for the few values that most enumerations have, this takes half the time of a Map.
  return ofText('one of its values', (text) => {
    const at = values.indexOf(text)
    return at < 0 ? undefined : literals[at]
  })
}

/** By the values of an enumeration, of which there may be thousands. */
const enumerations = weakCache<readonly string[], Reader>()

/** How an operator's operands are read: as the field's type has it, or as the operator's own kind of operand. */
export function readerOf(reads: 'value' | 'text' | 'flag', { type, values }: ResolvedField): Reader {
  if (reads === 'flag') return readers.boolean
  if (values === undefined) return readers[type as keyof typeof readers]
  let reader = enumerations.get(values)
  if (reader === undefined) enumerations.set(values, (reader = ofEnumeration(values)))
  return reader
}
