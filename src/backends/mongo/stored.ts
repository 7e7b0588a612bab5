/** Finds the BSON type of a driver's value by its class, and converts the value to the form of the schema. */
import type { Literal, LiteralType } from '../../tree/index.ts'
import { formOf } from '../../query/index.ts'
import { canonicalDecimal } from '../../values/exact.ts'
import { uuidOfBytes } from '../../values/uuid.ts'
import { bsonTypeOf, isDate, type BsonType } from './options.ts'

/** The types of BSON by the type of a value in JavaScript: a number is an int, a long or a double. */
export type Kind = Exclude<BsonType, 'double' | 'int' | 'long'>

/** The driver's classes of scalars. */
const classes: ReadonlyMap<unknown, Kind> = /* @__PURE__ */ new Map<unknown, Kind>([
  ['Int32', 'number'],
  ['Double', 'number'],
  ['Long', 'number'],
  ['Decimal128', 'decimal'],
  ['ObjectId', 'objectId'],
  ['Binary', 'binData'],
])
const primitives: ReadonlyMap<string, Kind> = /* @__PURE__ */ new Map<string, Kind>([
  ['string', 'string'],
  ['number', 'number'],
  ['bigint', 'number'],
  ['boolean', 'bool'],
])

/** Finds the kind of a scalar in BSON; `undefined` for everything else. */
export function kindOf(value: unknown): Kind | undefined {
  if (typeof value !== 'object' || value === null) return primitives.get(typeof value)
  // A stored object may have a member of the name that the driver's classes have.
  if (isDocument(value)) return undefined
  if (isDate(value)) return 'date'
  return ArrayBuffer.isView(value) ? 'binData' : classes.get(bsonTypeOf(value))
}

/** Whether a value is an object of BSON: one without a class, of any realm. */
export function isDocument(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

// --- The values in the driver's classes

/** The driver makes a number of a long in which doubles are exact, or of none, or a bigint of every one. */
export function numberOf(value: unknown): number | bigint {
  if (typeof value === 'number') return value
  const number = typeof value === 'object' && bsonTypeOf(value!) !== 'Long' ? Number(value) : BigInt(textOf(value))
  return Number.isSafeInteger(Number(number)) ? Number(number) : number
}
const textOf = (value: unknown): string => (value as object).toString()
const dateOf = (value: unknown): Date => new Date(Number(value))
/** `promoteBuffers` leaves the bytes alone, without their subtype. */
function bytesOf(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  const { buffer, position } = value as { readonly buffer: Uint8Array; readonly position: number }
  return buffer.subarray(0, position)
}
/** Bytes of the subtype of UUIDs, and those of no subtype: of the old one, the order of the bytes depends on who stored them. */
const uuidOf = (value: unknown): string | undefined =>
  ArrayBuffer.isView(value) || [0, 4].includes((value as { readonly sub_type: number }).sub_type)
    ? uuidOfBytes(bytesOf(value))
    : undefined

type Read = (value: unknown) => Literal['value'] | undefined

/** A double without a fraction is exactly the whole number that it stores. */
const wholeOf = (value: number | bigint): unknown => (Number.isInteger(value) ? BigInt(value) : value)

/** Reads the values of a type in each type of BSON that can be nothing else. */
export const readings: { readonly [T in LiteralType]: { readonly [K in Kind]?: Read } } = /* @__PURE__ */ (() => {
  const numeric: { readonly [K in Kind]?: Read } = {
    number: (value) => formOf.number(Number(numberOf(value))),
    decimal: (value) => formOf.number(Number(textOf(value))),
  }
  return {
    string: { string: formOf.string, objectId: textOf },
    uuid: { string: formOf.uuid, binData: uuidOf },
    integer: numeric,
    number: numeric,
    bigint: {
      number: (value) => formOf.bigint(wholeOf(numberOf(value))),
      decimal: (value) => formOf.bigint(canonicalDecimal(textOf(value))),
    },
    decimal: {
      number: (value) => formOf.decimal(numberOf(value)),
      decimal: (value) => formOf.decimal(textOf(value)),
    },
    boolean: { bool: formOf.boolean },
    date: { string: formOf.date, date: (value) => formOf.date(dateOf(value)) },
    datetime: { string: formOf.datetime, date: (value) => formOf.datetime(dateOf(value)) },
    time: { string: formOf.time },
  }
})()

// --- Equal values

const identities: { readonly [K in Kind]: (value: unknown) => unknown } = {
  string: String,
  bool: String,
  number: (value) => wholeOf(numberOf(value)),
  decimal: (value) => canonicalDecimal(textOf(value)),
  date: Number,
  objectId: textOf,
  binData: (value) => bytesOf(value).join(),
}

/** Whether two scalars are stored as the same value. A number and a decimal differ here, which MongoDB compares as equal. */
export function isSameScalar(a: unknown, b: unknown): boolean {
  const kind = kindOf(a)
  return kind !== undefined && kind === kindOf(b) && String(identities[kind](a)) === String(identities[kind](b))
}
