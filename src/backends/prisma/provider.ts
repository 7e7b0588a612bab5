/** The differences between the databases of Prisma, as data: the storage of fields, the meaning of patterns, the limits. */
import type { ComparisonOperator } from '../../tree/index.ts'
import type { FieldType } from '../../language/index.ts'
import { anyCase, simpleLowerCase } from '../../values/case.ts'
import { escapePattern } from '../../values/characters.ts'
import type { Feature } from '../backend.ts'
import { fittedMoment, type Fitted } from '../fitting.ts'

/** A `where` of Prisma's client: a plain object, with a `Date` or a `bigint` if the field stores one. */
export interface PrismaWhere {
  readonly [name: string]: unknown
}

/** A comparison of Prisma's that means the same, a constant for a field that has a value, or neither. */
export type Operation = { readonly operator: ComparisonOperator; readonly operand: unknown } | boolean | undefined

/** How a type of Prisma stores values. */
export interface Storage {
  /** The types of the fields that it may store. The first is that of a field by default. */
  readonly types: readonly FieldType[]
  /** Whether it has `contains` and the like. */
  readonly isText: boolean
  /** Whether rows can be ordered by it as values are. */
  readonly hasOrder: boolean
  /** Whether the client cuts off the microseconds that it reads: a `Date` has none. */
  readonly isCut: boolean
  /** Operands for which it differs are sent in separate lists. */
  readonly goesApart: (operand: unknown) => unknown
  readonly operationOf: (operator: ComparisonOperator, value: never) => Operation
}

const storage = <V>(
  types: readonly FieldType[],
  operationOf: (operator: ComparisonOperator, value: V) => Operation,
  more: Partial<Storage> = {},
): Storage => ({ types, isText: false, hasOrder: true, isCut: false, goesApart: () => false, operationOf, ...more })

/** A moment has 24 characters, or 27 with microseconds. No other text of so many is of its form. */
const isFine = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text)

const texts: readonly FieldType[] = ['string', 'uuid', 'enumeration', 'date', 'datetime', 'time']
const text = storage<string>(texts, (operator, operand) => ({ operator, operand }), { isText: true })
/** The texts of a datetime, which have three digits. */
export const momentText = (storage: Storage): Storage => ({
  ...storage,
  operationOf: (operator, value) => operationOf(fittedMoment(operator, value)),
})
const operationOf = (fitted: Fitted, operandOf: (value: string) => unknown = (value) => value): Operation =>
  typeof fitted === 'boolean' ? fitted : { operator: fitted.operator, operand: operandOf(fitted.value) }

/** A column of a fixed length pads other texts. */
const uuidText: Storage = { ...text, types: ['uuid'], isText: false }

/** PostgreSQL refuses an operand that is not a uuid. It reads upper-case digits as lower-case ones. */
const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const uuid = storage<string>(['uuid', 'string'], (operator, operand) => {
  if (uuidForm.test(operand)) return { operator, operand }
  return operator === 'eq' ? false : undefined
})

/** Prisma cuts fractions off, and an operand beyond the type is an error of the database. */
const whole = (least: number, beyond: number): Storage =>
  storage<number>(['integer', 'number'], (operator, value) => {
    const isUpper = operator === 'lt' || operator === 'lte'
    if (value < least) return operator !== 'eq' && !isUpper
    if (value >= beyond) return isUpper
    if (!Number.isInteger(value)) {
      return operator !== 'eq' && { operator: isUpper ? 'lte' : 'gt', operand: Math.floor(value) }
    }
    return { operator, operand: Number.isSafeInteger(value) ? value : BigInt(value) }
  })
const int16 = whole(-(2 ** 15), 2 ** 15)
const int32 = whole(-(2 ** 31), 2 ** 31)
const numbers64 = whole(-(2 ** 63), 2 ** 63)
const int64: Storage = storage<number | string>(['bigint', 'integer', 'number'], (operator, value) =>
  typeof value === 'string' ? { operator, operand: BigInt(value) } : numbers64.operationOf(operator, value as never),
)

const isInt32 = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31
/**
 * Prisma writes a whole number beyond 32 bits into the text of a Float's query. It then writes the whole list into the text, and
 * rounds the other numbers of the list to sixteen digits. It does not round whole numbers of 64 bits.
 *
 * @see `parameterizeFieldSelection` of `@prisma/client` 7.10
 */
const double = storage<number>(
  ['number', 'integer'],
  (operator, operand) =>
    Math.abs(operand) < 2 ** 63 || Number(operand.toPrecision(16)) === operand ? { operator, operand } : undefined,
  { goesApart: (operand) => Number.isInteger(operand) && !isInt32(operand as number) },
)
const decimal = storage<number | string>(
  ['decimal', 'number', 'integer'],
  (operator, value) => ({ operator, operand: String(value) }),
  // MariaDB compares a list of decimals as doubles.
  { goesApart: (operand) => operand },
)
/** SQLite stores a decimal as a double. */
const doubleDecimal: Storage = { ...decimal, types: ['number', 'integer'] }
const boolean = storage<boolean>(['boolean'], (operator, operand) => ({ operator, operand }))
const dateOf = (value: string): Date => new Date(value)
/** In a column of milliseconds, or coarser. A day has ten characters. */
const moment = storage<string>(['datetime', 'date'], (operator, value) =>
  value.length === 10 ? { operator, operand: dateOf(value) } : operationOf(fittedMoment(operator, value), dateOf),
)
/** In a column of microseconds. Prisma cuts them off operands, so only whole milliseconds are compared exactly. */
const fineMoment = storage<string>(
  ['datetime', 'date'],
  (operator, value) => (isFine(value) ? undefined : { operator, operand: dateOf(value) }),
  { isCut: true },
)
const day: Storage = { ...moment, types: ['date'] }

/** An enum orders its values as they were declared, and the client refuses all others. */
export const enumStorage = (values: readonly string[]): Storage =>
  storage<string>(
    ['enumeration'],
    (operator, operand) => (operator !== 'eq' ? undefined : values.includes(operand) && { operator, operand }),
    { hasOrder: false },
  )

/** By the name of a type, with that of the column's own type behind it where Prisma's schema names one. */
const anywhere: Readonly<Record<string, Storage>> = {
  String: text,
  Int: int32,
  BigInt: int64,
  Float: double,
  Decimal: decimal,
  Boolean: boolean,
  DateTime: moment,
}

/** The types of columns that store at most three digits of a second. */
const inMilliseconds = (name: string): Readonly<Record<string, Storage>> =>
  Object.fromEntries([0, 1, 2, 3].map((digits) => [`${name}(${digits})`, moment]))

/** A database of Prisma. */
export interface Provider {
  readonly storages: Readonly<Record<string, Storage>>
  /** The option beside a pattern that ignores case. */
  readonly ignoringCase: Readonly<Record<string, string>>
  /** Whether such a pattern ignores case as it should. */
  readonly ignoresCase: (text: string) => boolean
  /** Makes the condition that a pattern matches the whole text of a field. */
  readonly whole: (pattern: string) => PrismaWhere
  /** Whether a pattern without that option compares case. */
  readonly mindsCase: (text: string) => boolean
  /** The pattern of a literal text; `undefined` where there is none. Prisma passes texts to LIKE unchanged. */
  readonly patternOf: (text: string) => string | undefined
  /** The collations in which texts are compared as they should; any where absent. */
  readonly collations?: readonly string[]
  /** Whether an order has to place NULL: PostgreSQL has it last. */
  readonly placesNulls: boolean
  /** How many operands a statement may have. Prisma cuts a longer one into several, and joins their rows unchecked. */
  readonly mostOperands: number
  readonly features: readonly Feature[]
  readonly preconditions: readonly string[]
}

/** Whether no other text has the same letters in another case. */
export const hasOneCase = (text: string): boolean =>
  simpleLowerCase(text) === text && anyCase(text) === escapePattern(text)
const equals = (pattern: string): PrismaWhere => ({ equals: pattern })
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
const bytesOf = (text: string): number => new TextEncoder().encode(text).length
/** LIMIT and OFFSET are parameters too. */
const mostParameters = (most: number): number => most - 2

const preconditions = [
  'foreign keys lead to rows that are there',
  'lists of scalars hold no null',
  'a DateTime without a type of its column is stored to the millisecond, and dates at midnight UTC if the column also holds a time',
  'datetimes in a String are canonical UTC text of three digits, and uuids in lower case',
]

/** By the provider of the datasource. */
export const providers: Readonly<Record<string, Provider>> = {
  postgresql: {
    storages: {
      ...anywhere,
      'String@Text': text,
      'String@VarChar': text,
      'String@Uuid': uuid,
      'Int@Integer': int32,
      'Int@SmallInt': int16,
      'BigInt@BigInt': int64,
      'Float@DoublePrecision': double,
      'Decimal@Decimal': decimal,
      'Boolean@Boolean': boolean,
      // Without digits they have six.
      'DateTime@Timestamp': fineMoment,
      'DateTime@Timestamptz': fineMoment,
      ...inMilliseconds('DateTime@Timestamp'),
      ...inMilliseconds('DateTime@Timestamptz'),
      'DateTime@Date': day,
    },
    ignoringCase: { mode: 'insensitive' },
    ignoresCase: () => true,
    whole: equals,
    mindsCase: () => true,
    patternOf: escaped,
    placesNulls: true,
    mostOperands: mostParameters(32_766),
    features: ['unicode-case', 'empty-objects', 'queries', 'placed-nulls'],
    preconditions: [...preconditions, 'columns of text have the collation C.UTF-8, of libc or builtin, and not "C"'],
  },
  mysql: {
    storages: {
      ...anywhere,
      'String@VarChar': text,
      'String@Char(36)': uuidText,
      'String@TinyText': text,
      'String@Text': text,
      'String@MediumText': text,
      'String@LongText': text,
      'Int@Int': int32,
      'BigInt@BigInt': int64,
      'Float@Double': double,
      'Decimal@Decimal': decimal,
      'Boolean@TinyInt': boolean,
      // Without digits they have none.
      'DateTime@DateTime': moment,
      'DateTime@DateTime(4)': fineMoment,
      'DateTime@DateTime(5)': fineMoment,
      'DateTime@DateTime(6)': fineMoment,
      'DateTime@Date': day,
    },
    ignoringCase: {},
    // The collation tells cases apart, so the text must have one spelling.
    ignoresCase: hasOneCase,
    whole: equals,
    mindsCase: () => true,
    patternOf: escaped,
    collations: ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin'],
    placesNulls: false,
    mostOperands: mostParameters(65_535),
    features: ['unicode-case', 'empty-objects', 'queries', 'placed-nulls'],
    preconditions: [
      ...preconditions,
      'the columns of text have the collation that the options name',
      'the mode of the server is without NO_BACKSLASH_ESCAPES',
      'datetimes are of the year 100 or later: the driver adapter reads 0049 as 2049',
    ],
  },
  sqlite: {
    storages: { ...anywhere, Decimal: doubleDecimal },
    ignoringCase: {},
    ignoresCase: () => true,
    // Prisma adds a wildcard to each LIKE. The second pattern excludes texts with a further letter.
    whole: (pattern) => ({ startsWith: pattern, not: { startsWith: `${pattern}_` } }),
    mindsCase: (text) => !/[a-z]/i.test(text),
    // Without ESCAPE, which Prisma does not write, LIKE cannot match its wildcards themselves.
    patternOf: (text) => (/[%_]/.test(text) || bytesOf(text) > 49_998 ? undefined : text),
    placesNulls: false,
    mostOperands: mostParameters(999),
    features: ['empty-objects', 'queries', 'placed-nulls'],
    preconditions: [
      ...preconditions,
      'columns hold values of their type or NULL, and datetimes as the driver adapter writes them',
      'the pragma case_sensitive_like is off',
    ],
  },
}
