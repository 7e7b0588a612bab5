/** Reads rows: own properties along a path, and dates. Inherited properties are ignored. */
import type { Path } from '../../tree/index.ts'
import { microsOf, momentOf as momentOfText } from '../../values/time.ts'

/** Tests whether the filter selects a value: a row, an entry of a list, or a field's value. */
export type Predicate = (value: unknown) => boolean

export const plain = Object.prototype
/** The same, not exported: the engine reads an exported variable anew for each row. */
const plainHere = plain
/** Has the properties that plain objects inherit. */
const inherited: Readonly<Record<string, unknown>> = /* @__PURE__ */ Object.freeze({})
const prototypeOf = (value: object): unknown => (value as { readonly __proto__: unknown }).__proto__

/** Whether `__proto__` can be read. Node may be started without it, or with one that throws. */
export const hasPrototypes = ((): boolean => {
  try {
    return prototypeOf({}) === plain
  } catch {
    return false
  }
})()

/** Whether the value is an object, not a list, with an own property of this name. */
export const isOwn = (value: object, name: string): boolean =>
  typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)

type ReadProperty = (name: string, predicate: Predicate) => Predicate

const readAnyObject: ReadProperty = (name, predicate) => (value) =>
  value != null && isOwn(value, name) && predicate((value as Readonly<Record<string, unknown>>)[name])

/**
 * Reads plain objects without a call: `__proto__` is a property read, `Object.hasOwn` a call. A property of a plain object is
 * its own unless `Object.prototype` has one of that name. Primitive values have other prototypes, and so has an object with
 * an own property called `__proto__`.
 */
const readPlainObject: ReadProperty = (name, predicate) => (value) =>
  value != null &&
  (prototypeOf(value) === plainHere || isOwn(value, name)) &&
  predicate((value as Readonly<Record<string, unknown>>)[name]) &&
  (inherited[name] === undefined || isOwn(value, name))

const readProperty = hasPrototypes ? readPlainObject : readAnyObject

/** Applies a predicate to the value at the path, from the row or the entry on. Without a value it is false. */
export const at = (path: Path, predicate: Predicate): Predicate =>
  path.reduceRight((inner, name) => readProperty(name, inner), predicate)

type Read = (value: unknown) => unknown

function readerOf(name: string): Read {
  const canBePlain = hasPrototypes && inherited[name] === undefined
  return (value) =>
    value != null && ((canBePlain && prototypeOf(value) === plainHere) || isOwn(value, name))
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined
}

/** Reads the value at the path; `undefined` where there is none. Make it anew for each list: `Object.prototype` may change. */
export const readerAt = (path: Path): Read => path.map(readerOf).reduce((outer, read) => (row) => read(outer(row)))

// --- Dates

const { getTime } = Date.prototype

/**
 * The moment of a `Date`, in milliseconds since 1970; NaN for everything else. The rare cases are in a separate function: the
 * engine optimises the common one for numbers that are never NaN.
 */
export function momentOfDate(value: unknown): number {
  if (value != null && value.constructor === Date) {
    try {
      return getTime.call(value)
    } catch {
      // Not a Date, though its constructor is.
    }
  }
  return momentOfRareDate(value)
}

/** The moment of a `Date` of another realm, or of a subclass; NaN for everything else. */
function momentOfRareDate(value: unknown): number {
  try {
    return isDate(value) ? getTime.call(value) : NaN
  } catch {
    return NaN
  }
}

export const isDate = (value: unknown): boolean =>
  value instanceof Date || Object.prototype.toString.call(value) === '[object Date]'

/** A moment in microseconds since 1970: a number where that is exact, in 1684 to 2255. `<` compares the two; NaN for none. */
export type Moment = number | bigint

/** The moment of a `Date` or of an RFC 3339 text, whose digits after the microseconds are cut off. */
export function momentOf(value: unknown): Moment {
  const millis = typeof value === 'string' ? momentOfText(value) : momentOfDate(value)
  const micros = typeof value === 'string' ? microsOf(value) : 0
  const moment = millis * 1_000 + micros
  return Math.abs(moment) > Number.MAX_SAFE_INTEGER ? BigInt(millis) * 1_000n + BigInt(micros) : moment
}
