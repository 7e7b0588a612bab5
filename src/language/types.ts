/**
 * The tables of field types. A new type needs a row in each table, and the compiler names the tables that lack it. The tables are separate
 * exports, so bundlers leave out those that a program does not use. `tree/literal.ts` has the tables of literal types.
 */
import { slotCache } from '../cache.ts'
import { canonicalOf, type Literal, type LiteralType } from '../tree/index.ts'
import { canonicalDecimal, mostDigits, significantDigits } from '../values/exact.ts'
import { canonicalDateTime, canonicalDateTimeOf, dayAfter, dayNumber, isDay } from '../values/time.ts'

/** The types of fields with a value, in the order of the documentation: operators and words are the same for a family. */
export const families = {
  text: ['string', 'uuid'],
  choice: ['enumeration'],
  number: ['integer', 'bigint', 'number', 'decimal'],
  flag: ['boolean'],
  time: ['date', 'datetime', 'time'],
} as const
type Families = typeof families
export type ScalarType = Families[keyof Families][number]

export type TypesOf<F extends keyof Families> = readonly Families[F][number][]
/* @__NO_SIDE_EFFECTS__ */ export const typesOf = <F extends keyof Families>(...names: readonly F[]): TypesOf<F> =>
  names.flatMap((name): TypesOf<F> => families[name])

export const isOf = (family: keyof Families, type: string): boolean =>
  (families[family] as readonly string[]).includes(type)

/** The type of the literals of a type of fields: the values of an enumeration are strings, and a record is an object. */
export const literalTypeOf = <T extends string>(type: T): LiteralOf<T> =>
  (type === 'enumeration' ? 'string' : type === 'record' ? 'object' : type) as LiteralOf<T>
type LiteralOf<T> = T extends 'enumeration' ? 'string' : T extends 'record' ? 'object' : T

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** For the compiler: the values of each type in the rows of a store, and in the rows that backends read. */
export interface Values {
  readonly string: { stored: string; read: string }
  readonly uuid: { stored: string; read: string }
  readonly integer: { stored: number; read: number }
  readonly bigint: { stored: bigint | number | string; read: string }
  readonly number: { stored: number; read: number }
  readonly decimal: { stored: string | number | bigint; read: string }
  readonly boolean: { stored: boolean; read: boolean }
  readonly date: { stored: string | Date; read: string }
  readonly datetime: { stored: string | Date; read: string }
  readonly time: { stored: string; read: string }
  readonly json: { stored: Json; read: Json }
}

// --- Operands. Nothing is guessed, trimmed or rolled over.

/** A day as the operand of a datetime field: from its start to the start of the next day. A bound outside the years 0001 to 9999 is `undefined`. */
export interface Day {
  readonly type: 'day'
  readonly from: Literal | undefined
  readonly until: Literal | undefined
}
/** The value that an operator compares with. */
export type Operand = Literal | Day

/** Reads operands that depend on a time zone or on the time of the request. Its code is in `clock.ts`, which the builder of filters does not load. */
export interface Clock {
  /** Reads a day of a datetime field. Returns `undefined` for a day that the zone skipped. */
  readonly dayOf: (day: string) => Operand | undefined
  /** Reads a relative time, such as `now-90m` or `today`. Returns `undefined` for any other text. */
  readonly relative: (text: string, type: 'date' | 'datetime') => Operand | undefined
}
/** Makes a clock when the first operand needs it. */
export interface LazyClock {
  readonly get: () => Clock
}

const isRelative = (text: string): boolean => text.startsWith('now') || text.startsWith('today')

/** Reads the operands of one type. */
export interface Reader {
  /** The words for a valid value, for messages. */
  readonly expected: string
  /** The words for a valid value in code, where they differ from those for a text. */
  readonly inCode?: string
  /** @param clock reads days of a datetime and relative times. Without it, days are in UTC, and relative times are invalid. */
  readonly fromText: (text: string, clock?: LazyClock) => Operand | undefined
  readonly fromValue: (value: unknown) => Operand | undefined
}

const newLiteral = (type: LiteralType, value: Literal['value']): Literal => Object.freeze({ type, value } as Literal)

/** The literal of a value, if there is one. */
const literalOf = (type: LiteralType, value: Literal['value'] | undefined): Literal | undefined =>
  value === undefined ? undefined : newLiteral(type, value)

/** The literals that were made last: to find one is faster than to make one. */
const literals = {
  integer: /* @__PURE__ */ slotCache<Literal>(1024),
  number: /* @__PURE__ */ slotCache<Literal>(1024),
  date: /* @__PURE__ */ slotCache<Literal>(1024),
}
/** The smallest number that is not kept. */
const large = 0x40000000

/** Returns the literal of a value. A whole number of at least 0 identifies the value within its type. */
function sharedLiteral(type: keyof typeof literals, number: number, value: Literal['value']): Literal {
  const before = literals[type].get(number)
  if (before !== undefined) return before
  const literal = newLiteral(type, value)
  literals[type].set(number, literal)
  return literal
}

/** The literal of a number in range. -0 becomes 0. Faster than {@link canonicalOf}. */
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
export const momentLiteral = (text: string | undefined): Literal | undefined => literalOf('datetime', text)

const midnight = (day: string): Literal => newLiteral('datetime', `${day}T00:00:00.000Z`)

/** A day as the operand of a datetime field. */
export function wholeDay(day: string): Day {
  const next = dayAfter(day)
  return Object.freeze({ type: 'day', from: midnight(day), until: next === undefined ? undefined : midnight(next) })
}

const decimalLiteral = (value: Literal['value'] | undefined): Literal | undefined =>
  value === undefined || significantDigits(value as string) > mostDigits ? undefined : newLiteral('decimal', value)

/** A reader of texts, and of values in the form of rows. */
/* @__NO_SIDE_EFFECTS__ */ function asInRows(
  type: LiteralType,
  expected: string,
  more?: Pick<Reader, 'inCode'>,
): Reader {
  const read = (value: unknown) => literalOf(type, canonicalOf[type](value))
  return { expected, ...more, fromText: read, fromValue: read }
}

/** A reader of numbers, and of texts that match a pattern. */
/* @__NO_SIDE_EFFECTS__ */ const ofNumber = (
  type: 'integer' | 'number',
  expected: string,
  pattern: RegExp,
): Reader => ({
  expected,
  fromText: (text) => (pattern.test(text) ? numberLiteral(type, Number(text)) : undefined),
  fromValue: (value) => numberLiteral(type, value),
})

/** The readers of operands by type. The values of an enumeration make its reader. */
export const readers: { readonly [T in Exclude<ScalarType, 'enumeration'>]: Reader } = {
  string: {
    expected: 'text without U+0000 and lone surrogates',
    fromText: (text) => newLiteral('string', text),
    fromValue: (value) => literalOf('string', canonicalOf.string(value)),
  },
  uuid: asInRows('uuid', 'a uuid, 8-4-4-4-12 hexadecimal digits'),
  integer: ofNumber('integer', 'a whole number within ±(2^53 − 1)', /^-?(?:0|[1-9]\d*)$/),
  bigint: asInRows('bigint', 'a whole number from −2^63 to 2^63 − 1', {
    inCode: 'as a bigint, a safe integer or a text of digits',
  }),
  // RFC 8259, section 6.
  number: ofNumber('number', 'a finite number', /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/),
  decimal: {
    expected: 'a decimal number of at most 34 digits',
    inCode: 'as a text, a number or a bigint',
    fromText: (text) => (/[eE]/.test(text) ? undefined : decimalLiteral(canonicalDecimal(text))),
    fromValue: (value) => decimalLiteral(canonicalOf.decimal(value)),
  },
  boolean: {
    expected: 'true or false',
    fromText: (text) => (text === 'true' || text === 'false' ? newLiteral('boolean', text === 'true') : undefined),
    fromValue: (value) => literalOf('boolean', canonicalOf.boolean(value)),
  },
  date: {
    expected: 'a date of the years 0001 to 9999, YYYY-MM-DD',
    fromText: (text, clock) =>
      clock !== undefined && isRelative(text) ? clock.get().relative(text, 'date') : dayLiteral(text),
    fromValue: (value) => (typeof value === 'string' ? dayLiteral(value) : undefined),
  },
  datetime: {
    expected: 'a date, YYYY-MM-DD, or an RFC 3339 datetime with Z or an offset and at most microseconds',
    fromText: (text, clock) => {
      if (isDay(text)) return clock === undefined ? wholeDay(text) : clock.get().dayOf(text)
      if (clock !== undefined && isRelative(text)) return clock.get().relative(text, 'datetime')
      // Only stored texts may have finer fractions, which are cut off, and -00:00, the unknown offset.
      return /\.\d{7}|-00:00/.test(text) ? undefined : momentLiteral(canonicalDateTimeOf(text))
    },
    fromValue: (value) =>
      typeof value === 'string'
        ? readers.datetime.fromText(value)
        : momentLiteral(value instanceof Date ? canonicalDateTime(value.getTime()) : undefined),
  },
  time: asInRows('time', 'a time of day without a zone, such as 09:30'),
}

// --- JSON

/** The type of a value in JSON Schema, and its format (https://spec.openapis.org/registry/format). */
export const jsonTypes = {
  string: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  enumeration: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  bigint: { type: 'string', format: 'int64' },
  number: { type: 'number', format: 'double' },
  decimal: { type: 'string', format: 'decimal' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  time: { type: 'string', format: 'time-local' },
} as const satisfies { readonly [T in ScalarType]: { readonly type: string; readonly format?: string } }

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'

/** JSON numbers are doubles: a double keeps each decimal of up to 15 digits. */
const exactDigits = 15
const isExact = (value: unknown): boolean =>
  isNumber(value) && !String(value).includes('e') && significantDigits(String(value)) <= exactDigits

/** The form of an operand in JSON, and the words for it. The reader checks the value afterwards. */
export const jsonForms: {
  readonly [T in ScalarType]: readonly [is: (value: unknown) => boolean, description: string]
} = {
  string: [isText, 'a text'],
  uuid: [isText, 'a text, a uuid'],
  enumeration: [isText, 'a text'],
  integer: [isNumber, 'a whole number, without quotes'],
  bigint: [
    (value) => isText(value) || Number.isSafeInteger(value),
    'a text of digits, or a whole number within ±(2^53 − 1)',
  ],
  number: [isNumber, 'a number, without quotes'],
  decimal: [
    (value) => isText(value) || isExact(value),
    'a text such as "9.90", or a number of at most 15 digits without an exponent',
  ],
  boolean: [(value) => typeof value === 'boolean', 'true or false, without quotes'],
  date: [isText, 'a text, a date as YYYY-MM-DD or today-7d'],
  datetime: [isText, 'a text, a datetime of RFC 3339, a day as YYYY-MM-DD, or a time such as now-90m'],
  time: [isText, 'a text, a time of day as HH:MM or HH:MM:SS'],
}

/** Two operands of each type, in their order. Those of an enumeration are its values. */
export const samples: { readonly [T in Exclude<ScalarType, 'enumeration'>]: readonly [string, string] } = {
  string: ['text', 'words'],
  uuid: ['0190a5d2-0000-7000-8000-000000000000', '0190a5d2-ffff-7fff-bfff-ffffffffffff'],
  integer: ['100', '200'],
  bigint: ['100', '200'],
  number: ['100', '200'],
  decimal: ['9.90', '19.90'],
  boolean: ['true', 'false'],
  date: ['2024-01-31', '2024-02-29'],
  datetime: ['2024-01-31T12:00:00Z', '2024-02-29T12:00:00Z'],
  time: ['09:30:00', '17:45:00'],
}
