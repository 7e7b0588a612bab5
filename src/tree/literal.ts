/** The values that literals have, by type. */
import { isPlainText } from '../values/characters.ts'
import { canonicalBigint, isCanonicalDecimal } from '../values/exact.ts'
import { isCanonicalDateTime, isDay } from '../values/time.ts'
import { canonicalUuid } from '../values/uuid.ts'
import { literalTypes, type Literal, type LiteralType } from './ast.ts'
import { constantOf, isObject, listOf, passing, readPart, refuse, type Read } from './read.ts'

export const isText = (value: unknown): value is string => typeof value === 'string'

const isPlain = (value: unknown): boolean => isText(value) && isPlainText(value)
const plainText = 'text without U+0000 and lone surrogates'
export const readText: Read<string> = /* @__PURE__ */ passing(isPlain, plainText)

/** What the value of a literal must be: a test, and words for messages. */
const values: { readonly [T in LiteralType]: readonly [test: (value: unknown) => boolean, expected: string] } = {
  string: [isPlain, plainText],
  uuid: [(value) => isText(value) && canonicalUuid(value) === value, 'a uuid in lower case'],
  integer: [(value) => Number.isSafeInteger(value), 'an integer within ±(2^53 − 1)'],
  bigint: [
    (value) => isText(value) && canonicalBigint(value) === value,
    'a whole number from −2^63 to 2^63 − 1, as a text of digits',
  ],
  number: [(value) => Number.isFinite(value), 'a finite number'],
  decimal: [
    (value) => isText(value) && isCanonicalDecimal(value),
    'a decimal as a text, without an exponent, -0 and zeros at its end',
  ],
  boolean: [(value) => typeof value === 'boolean', 'a boolean'],
  date: [(value) => isText(value) && isDay(value), 'a real day, YYYY-MM-DD'],
  datetime: [
    (value) => isText(value) && isCanonicalDateTime(value),
    'UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  ],
}

const readType: Read<LiteralType> = /* @__PURE__ */ passing(
  (value) => literalTypes.includes(value as LiteralType),
  'the type of a literal',
)

export const readLiteral: Read<Literal> = (given, reading) => {
  if (!isObject(given)) refuse(reading, 'must be a literal')
  const type = readPart(readType, given, 'type', reading)
  const value = readPart(passing<Literal['value']>(...values[type]), given, 'value', reading)
  return constantOf(given, { type, value } as Literal)
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
  values[type][0](value) ? Object.freeze({ type, value } as Literal) : undefined
