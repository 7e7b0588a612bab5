/** Rows → the values of sort keys, for cursors. A row comes from a driver or a store, so every value is checked. */
import { canonicalOf, hasForm, type Literal, type LiteralType, type Path } from '../tree/index.ts'
import { drivenFormOf } from './schema-form.ts'
import { isRequired, textOfPath, type SortKey } from './query.ts'
import { own } from '../own.ts'

/** Forms that drivers write in place of a number, a boolean, a moment or the digits of a text. */
export type DriverForm = 'text' | 'number' | 'bigint'

/** How the rows of a sort key are read. */
export interface ValueReader {
  /** The form that a driver writes in place of that of the schema. */
  readonly forms: readonly DriverForm[]
  /** How many names of the path every row has as properties: those that a statement selects. */
  readonly selected: number
  /** Whether every value has the form of the schema, not that of a driver. */
  readonly isDeclared?: true
  /** Converts a driver's value to the form of the schema; `undefined` if a cursor cannot contain it. */
  readonly decode?: ((value: unknown) => unknown) | undefined
  /** Of a datetime: how many digits of a second the stored values have, where the column declares it. */
  readonly digits?: 3 | undefined
}

/** Values in the form of the schema; a property may be absent. */
export const asGiven: ValueReader = { forms: [], selected: 0 }
/** Rows that the schema describes. A value of another type counts as missing (law 1 of the language). */
export const asDeclared: ValueReader = { forms: [], selected: 0, isDeclared: true }
/** Values as drivers write them. */
export const asDriven: ValueReader = { forms: ['text', 'number', 'bigint'], selected: 0 }

/** The value at a path of own properties; `undefined` where there is none. */
export function valueAt(row: unknown, path: Path): unknown {
  let value = row
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
  }
  return value
}

/** The value of a row for a sort key: `null` for no value, `undefined` if a cursor cannot contain it. */
export type SortValue = Literal | null | undefined

/** @throws TypeError when a row is not an object: some drivers return lists of values. */
export function checkRow(row: unknown, at: number): void {
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return
  throw new TypeError(`rows[${at}] must be an object with the fields of the schema; found ${kindOf(row)}`)
}

/**
 * Whether a row has a value of the form of a sort key, as most have: then a page without a cursor need not read it. A `Date` is not
 * sound: {@link sortValueAt} knows whether it is exact.
 */
export function isInForm(row: unknown, { path, type }: SortKey): boolean {
  const value = valueAt(row, path)
  return hasForm[type](value) && !(value instanceof Date)
}

/**
 * Reads the value of a sort key.
 *
 * @param at where the row is in `rows`, for messages.
 * @throws TypeError when the field is not selected, a key field has no value, or a driver writes the value in its own form.
 */
export function sortValueAt(row: unknown, at: number, key: SortKey, reading: ValueReader): SortValue {
  const { path, type } = key
  const { forms, selected } = reading
  const isDeclared = own(reading, 'isDeclared') === true
  const required = isRequired(key)
  const refuse = (problem: string): never => {
    throw new TypeError(`rows[${at}] ${problem}`)
  }
  const name = textOfPath(path)
  const select = `has no value in ${name}: select it, or give it its name in the schema`
  for (let length = 1; length <= selected; length++) {
    const raw = valueAt(row, path.slice(0, length))
    if (raw === null) break
    if (raw === undefined) return !required && isUnparsed(row, path) ? undefined : refuse(select)
  }
  const raw = valueAt(row, path)
  if (raw === undefined || raw === null) {
    if (required) return refuse(select)
    return raw === undefined && !isDeclared && isUnparsed(row, path) ? undefined : null
  }
  const isDriven = (forms as readonly string[]).includes(formOf(raw))
  const decode = own(reading, 'decode')
  const decoded = decode === undefined ? raw : decode(raw)
  if (type === 'datetime' && decoded instanceof Date && !isDeclared && digitsOf(key, reading) === undefined) {
    refuse(`has a Date in ${name}, which has lost the microseconds: ${remedies}`)
  }
  if (!isDeclared && isExact(type) && isOfClass(decoded)) {
    refuse(`must hold ${article(type)} ${type} in ${name}; found an object of a driver: give its text, String(value)`)
  }
  const value = canonicalOf[type](decoded) ?? (isDriven ? drivenFormOf[type]?.(decoded) : undefined)
  if (value !== undefined) return { type, value } as Literal
  // JSON has no bigints: the driver gives one in every row.
  if (typeof raw === 'bigint' ? !isDriven && canonicalOf[type](0n) === undefined : required && !hasForm[type](raw)) {
    refuse(`must hold ${article(type)} ${type} in ${name}; found ${kindOf(raw)}: ${announce}`)
  }
  return isDeclared && !hasForm[type](raw) ? null : undefined
}

/** Whether a text or bytes are where an object belongs. They may be JSON that the driver did not parse, so its members are unknown. */
const isUnparsed = (row: unknown, path: Path): boolean =>
  path.some((_, length) => {
    const part = length === 0 ? undefined : valueAt(row, path.slice(0, length))
    return typeof part === 'string' || ArrayBuffer.isView(part)
  })

/** The form of a driver, if it is one. */
const formOf = (value: unknown): string => (typeof value === 'string' ? 'text' : typeof value)

const announce =
  'if that is how the driver writes it, use page(rows) of the compiled query, or toPage with driverNumbers: true'

/** Whether drivers return objects of their own classes for a type: MongoDB's returns Long, Decimal128 and UUID. */
const isExact = (type: LiteralType): boolean => ['uuid', 'bigint', 'decimal'].includes(type)

/** Whether a value is an object of a class, which no row in the form of the schema has. */
function isOfClass(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && prototype !== Object.prototype
}

/** How many digits of a second the values of a datetime have, by the schema or by the column; `undefined` where they may have six. */
const digitsOf = (key: SortKey, reading: ValueReader): 3 | undefined => own(key, 'digits') ?? own(reading, 'digits')

const remedies =
  'select its text, or declare whole milliseconds by field.datetime({ digits: 3 }) or by digits: 3 of its column'

const article = (noun: string): string => (noun === 'integer' ? 'an' : 'a')

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Date) return 'a Date'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
