/**
 * The values of each type of literal, in trees and in rows: a table for each use, so that bundlers leave out the others.
 * The types of fields are in `language/types.ts`.
 */
import { isPlainText } from '../values/characters.ts'
import { bigintOf, canonicalBigint, compareDecimals, decimalOf } from '../values/exact.ts'
import { compareCodePoints } from '../values/order.ts'
import {
  canonicalDateTime,
  canonicalDateTimeOf,
  canonicalTime,
  compareDateTimes,
  isDay,
  utcDay,
} from '../values/time.ts'
import { canonicalUuid } from '../values/uuid.ts'
import { literalTypes, type Literal, type LiteralType } from './ast.ts'
import { constantOf, isObject, listOf, passing, readPart, refuse, type Read } from './read.ts'

type Value = Literal['value']

export const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isMoment = (value: unknown): boolean => isText(value) || value instanceof Date

const plainText = 'text without U+0000 and lone surrogates'
export const readText: Read<string> = /* @__PURE__ */ passing((value) => isText(value) && isPlainText(value), plainText)

/** The value of a literal that a value of a row is; `undefined` for no value of the type. */
export const canonicalOf: { readonly [T in LiteralType]: (value: unknown) => Value | undefined } = {
  string: (value) => (isText(value) && isPlainText(value) ? value : undefined),
  uuid: (value) => (isText(value) ? canonicalUuid(value) : undefined),
  // -0 becomes 0: JSON and most engines do not tell them apart.
  integer: (value) => (Number.isSafeInteger(value) ? (value as number) + 0 : undefined),
  bigint: (value) => (isText(value) ? canonicalBigint(value) : bigintOf(value)?.toString()),
  number: (value) => (Number.isFinite(value) ? (value as number) + 0 : undefined),
  decimal: decimalOf,
  boolean: (value) => (isBoolean(value) ? value : undefined),
  date: (value) => {
    if (isText(value)) return isDay(value) ? value : undefined
    return value instanceof Date ? canonicalDateTime(value.getTime()) && utcDay(value.getTime()) : undefined
  },
  datetime: (value) =>
    isText(value) ? canonicalDateTimeOf(value) : canonicalDateTime(value instanceof Date ? value.getTime() : NaN),
  time: (value) => (isText(value) ? canonicalTime(value) : undefined),
}

const isValueOf = (type: LiteralType, value: unknown): value is Value =>
  value !== undefined && canonicalOf[type](value) === value

/** The expected value of a literal, in words for messages. */
const expected: { readonly [T in LiteralType]: string } = {
  string: plainText,
  uuid: 'a uuid in lower case',
  integer: 'an integer within ±(2^53 − 1)',
  bigint: 'a whole number from −2^63 to 2^63 − 1, as a text of digits',
  number: 'a finite number',
  decimal: 'a decimal as a text, without an exponent, -0 and zeros at its end',
  boolean: 'a boolean',
  date: 'a real day, YYYY-MM-DD',
  datetime: 'UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  time: 'a time of day, HH:MM:SS, or with a fraction that does not end in 0',
}

/** Whether a value of a row has the form of a type, whatever its content is (law 1 of the language). */
export const hasForm: { readonly [T in LiteralType]: (value: unknown) => boolean } = {
  string: isText,
  uuid: isText,
  integer: isNumber,
  bigint: (value) => bigintOf(value) !== undefined,
  number: isNumber,
  decimal: (value) => decimalOf(value) !== undefined,
  boolean: isBoolean,
  date: isMoment,
  datetime: isMoment,
  time: isText,
}

type Compare = (a: Value, b: Value) => number
const byText = compareCodePoints as Compare
const byDigits = compareDecimals as Compare
const byNumber = ((a: number, b: number) => a - b) as Compare

/** The order of the values of literals: negative, zero or positive. */
export const compareOf: { readonly [T in LiteralType]: Compare } = {
  string: byText,
  uuid: byText,
  integer: byNumber,
  bigint: byDigits,
  number: byNumber,
  decimal: byDigits,
  boolean: byNumber,
  date: byText,
  datetime: compareDateTimes as Compare,
  time: byText,
}

const readType: Read<LiteralType> = /* @__PURE__ */ passing(
  (value) => literalTypes.includes(value as LiteralType),
  'the type of a literal',
)

export const readLiteral: Read<Literal> = (input, reading) => {
  if (!isObject(input)) refuse(reading, 'must be a literal')
  const type = readPart(readType, input, 'type', reading)
  const isValue = (value: unknown) => isValueOf(type, value)
  const value = readPart(passing<Value>(isValue, expected[type]), input, 'value', reading)
  return constantOf(input, { type, value } as Literal)
}

const readLiterals = /* @__PURE__ */ listOf(readLiteral)
/** Reads literals of one type. */
export const readOperands: Read<readonly Literal[]> = (value, reading) => {
  const operands = readLiterals(value, reading)
  const isMixed = operands.some(({ type }) => type !== operands[0]!.type)
  return isMixed ? refuse(reading, 'must all be of one type') : operands
}

/** The literal of a value; `undefined` for a value that its type does not have. */
export const literalOf = (type: LiteralType, value: unknown): Literal | undefined =>
  isValueOf(type, value) ? Object.freeze({ type, value } as Literal) : undefined
