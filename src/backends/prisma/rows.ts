/** Converts rows of Prisma's client to the form of the schema, and reads the values of sort keys. */
import { canonicalOf, type Literal, type LiteralType } from '../../tree/index.ts'
import { literalTypeOf, type Field, type Fields, type ScalarType } from '../../language/index.ts'
import { isRequired, textOfPath, chosenIn, drivenFormOf, formFor, formOf } from '../../query/index.ts'
import type { SortKey, Chosen, SortValue } from '../../query/index.ts'
import { own, ownOf } from '../../own.ts'
import type { StoredMember, StoredOne, StoredRow, StoredScalar } from './mapping.ts'

/** @param row the name of the row in messages. */
type Read<T = unknown> = (value: unknown, row: string) => T
type Properties = Readonly<Record<string, unknown>>

/** A property that every row has: the client writes `null` where a selected field has no value. */
function memberOf(value: unknown, name: string, row: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${row} must be an object, with the fields that findMany of the compiled query selects`)
  }
  const property = own(value as Properties, name)
  if (property !== undefined) return property
  throw new TypeError(
    `${row} has no property ${name}: read it by findMany of the compiled query, and give it as the client returns it`,
  )
}

/** Makes the function that reads the chosen fields of a row. A field without a value is `null`. */
export function readerOf({ members }: StoredRow, fields: Fields, chosen: Chosen | 'all'): Read<Properties> {
  const properties = chosenIn(fields, chosen).map(([name, definition, inner]) => {
    const stored = members.get(name)!
    return [name, stored.name, memberReader(stored, definition, inner)] as const
  })
  return (value, row) =>
    Object.fromEntries(properties.map(([name, stored, read]) => [name, read(memberOf(value, stored, row), row)]))
}

function memberReader(stored: StoredMember, definition: Field, chosen: Chosen | 'all'): Read {
  if (stored.kind === 'json') {
    const read = formFor(definition, chosen)
    return (value) => read(isUnreadJson(value) ? plain(value) : value)
  }
  if (definition.type === 'list') {
    const entry =
      stored.kind === 'many' ? entryReader(stored.entry, definition.entry, chosen) : scalarReader(definition.entry)
    return (value, row) => {
      if (!Array.isArray(value)) throw new TypeError(`${row} must have a list in ${stored.name}`)
      return value.map((one) => entry(one, row))
    }
  }
  if (definition.type !== 'object') return scalarReader(definition)
  const read = readerOf((stored as StoredOne).row, definition.fields, chosen)
  return (value, row) => (value === null ? null : read(value, row))
}

function entryReader(stored: StoredRow | StoredScalar, definition: Field, chosen: Chosen | 'all'): Read {
  if (stored.kind === 'row') return readerOf(stored, (definition as { readonly fields: Fields }).fields, chosen)
  const read = scalarReader(definition)
  return (value, row) => read(memberOf(value, stored.name, row), row)
}

/** A number that a double has exactly. A bigint is sent back as the bigint of its double, a Decimal by the shortest digits. */
function numberOf(value: unknown): Literal['value'] | undefined {
  if (typeof value !== 'bigint') return drivenFormOf.number!(value)
  return BigInt(Number(value)) === value ? Number(value) : undefined
}

/** Reads a value of each type. A Decimal is a text of its digits here. */
const storedFormOf: typeof formOf = { ...formOf, integer: numberOf, number: numberOf }

function scalarReader(definition: Field): Read {
  const read = storedFormOf[literalTypeOf(definition.type as ScalarType)]
  return (value) => read(plain(value)) ?? null
}

/** Reads a value that the client leaves as the database sent it, by its type: the client does so in a row with a field named `constructor`. */
const unreadForms: Readonly<Record<string, (value: unknown) => unknown>> = {
  BigInt: (value) => BigInt(value as string | number),
  Decimal: (value) => value,
  DateTime: (value) => new Date(value as string),
  Json: (value) => JSON.parse(value as string) as unknown,
}

/** A value of Json may have `$type` itself. */
const isUnreadJson = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false
  return own(value as Properties, '$type') === 'Json' && typeof own(value as Properties, 'value') === 'string'
}

/** The value without the classes of Prisma: a Decimal becomes a text of its digits. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { $type: type, value: unread, d: digits } = ownOf(value as Properties)
  if (typeof type === 'string') return own(unreadForms, type)?.(unread)
  if (!Array.isArray(digits)) return value
  // Each client has a copy of decimal.js, whose numbers have their digits in `d`. `toFixed` writes them without an exponent.
  const { toFixed } = value as { readonly toFixed?: unknown }
  return typeof toFixed === 'function' ? toFixed.call(value) : value
}

/**
 * Makes the function that reads the value of a sort key: `undefined` for a value that a cursor cannot contain, or that the client sends as another one.
 *
 * @returns a function that throws a TypeError when the key is required and the row has no value.
 */
export function sortValueReader(start: StoredRow, key: SortKey): (value: unknown, row: string) => SortValue {
  const { path, type } = key
  const names: string[] = []
  let stored: StoredMember | undefined
  for (const name of path) {
    stored = (stored === undefined ? start : (stored as StoredOne).row).members.get(name)!
    names.push(stored.name)
  }
  const { storage } = stored as StoredScalar
  return (value, row) => {
    let stored = value
    for (const name of names) {
      stored = memberOf(stored, name, row)
      if (stored === null) break
    }
    if (stored === null) {
      if (!isRequired(key)) return null
      throw new TypeError(`${row} has no value in ${textOfPath(path)}, which is required`)
    }
    const read = exactly(type, stored)
    const operation = read === undefined ? false : storage.operationOf('eq', read as never)
    return typeof operation === 'object' ? ({ type, value: read } as Literal) : undefined
  }
}

const exactly = (type: LiteralType, value: unknown): Literal['value'] | undefined =>
  canonicalOf[type](storedFormOf[type](plain(value)))
