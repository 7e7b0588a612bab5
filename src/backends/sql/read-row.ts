/** Converts a driver's row to the form of the schema, by the shape of its cells. */
import { canonicalOf, type Literal, type Path } from '../../tree/index.ts'
import type { Field } from '../../language/index.ts'
import { formFor, isOrdered, isRequired, textOfPath, valueAt } from '../../query/index.ts'
import type { Chosen, SortKey, SortValue } from '../../query/index.ts'
import { own } from '../../own.ts'
import { canonicalDecimal, compareDecimals } from '../../values/exact.ts'

/** The shape of a part of a row. A cell is a column of the statement, or a part of an entry in a list. */
export type Shape = ValueShape | JsonShape | ListShape | ObjectShape

interface Cell {
  /** The number of the cell, from 0. */
  readonly at: number
  /** The dotted path of the field, for messages. */
  readonly name: string
}
export interface ValueShape extends Cell {
  readonly kind: 'value'
  /** The name of the column. */
  readonly column: string
  /** Converts a value other than NULL to the form of the schema; returns `undefined` for no value. */
  readonly read: (value: unknown) => unknown
  /** Whether the column itself has the order of the values of its enumeration. */
  readonly isInDeclaredOrder?: boolean | undefined
}
export interface JsonShape extends Cell {
  readonly kind: 'json'
  /** Whether the cell contains JSON as text. JSON in an entry of a list is parsed with the list. */
  readonly isText: boolean
  readonly field: Field
  /** The chosen members of the field. */
  readonly chosen: Chosen | 'all'
  readonly form: (value: unknown) => unknown
}
/** A list: JSON of entries, each of which is a list of cells. */
export interface ListShape extends Cell {
  readonly kind: 'list'
  readonly isText: boolean
  /** Whether NULL is read as `null`; otherwise as a list without entries. */
  readonly isNullable: boolean
  readonly entry: Shape
  /** The number of cells of an entry. If it is larger than `most`, the entry contains lists of `most` cells. */
  readonly cells: number
  readonly most: number
  /** The number of cells at the start of an entry that entries are sorted by. */
  readonly sortedBy: number
}
export interface ObjectShape {
  readonly kind: 'object'
  readonly members: readonly Member[]
  /** The object without a value. An assignment to a copy of it calls no setter of `Object.prototype`. */
  readonly blank: Readonly<Record<string, unknown>>
  /** Where the object exists: always, where a cell is not NULL, or where one of these members has a value. */
  readonly exists: 'always' | number | readonly Member[]
}
export type Member = readonly [name: string, shape: Shape]

export const objectOf = (members: readonly Member[], exists: ObjectShape['exists']): ObjectShape => ({
  kind: 'object',
  members,
  blank: Object.fromEntries(members.map(([name]) => [name, null])),
  exists,
})

/** The shape with the chosen members alone: the others never enter a row. */
export function partOf<S extends Shape>(shape: S, chosen: Chosen | 'all'): S
export function partOf(shape: Shape, chosen: Chosen | 'all'): Shape {
  if (chosen === 'all') return shape
  switch (shape.kind) {
    case 'value':
      return shape
    case 'json':
      return { ...shape, chosen, form: formFor(shape.field, chosen) }
    case 'list':
      return { ...shape, entry: partOf(shape.entry, chosen) }
    case 'object': {
      const members = new Map(shape.members)
      const parts = Object.entries(chosen).map(([name, inner]): Member => [name, partOf(members.get(name)!, inner)])
      return objectOf(parts, shape.exists)
    }
  }
}

/** Returns a cell of a row. */
export type Cells = (at: number, name: string) => unknown

/** The names of columns, `c1` and so on. V8 finds a property faster by a text that it has seen before. */
const columnNames: string[] = []

/** The cells of a driver's row. @throws TypeError when the row lacks one. */
export const cellsOf =
  (row: object): Cells =>
  (at, name) => {
    const value = own(row as Readonly<Record<string, unknown>>, (columnNames[at] ??= `c${at + 1}`))
    if (value !== undefined) return value
    throw new TypeError(
      `a row has no c${at + 1}, which holds ${name}: give each row as the driver returns it for the text of the statement`,
    )
  }

/** The number of rows in a cell: some drivers return a text or a bigint. @throws TypeError when it has none. */
export function countIn(cells: Cells, at: number): number {
  const digits = String(cells(at, 'the number of rows'))
  const count = Number(digits)
  if (/^\d+$/.test(digits) && Number.isSafeInteger(count)) return count
  throw new TypeError(`a row has no number of rows in c${at + 1}`)
}

/** Reads a row of a driver, or a part of it, in the form of the schema. It adds the shapes of unreadable values to a set. */
export type RowReader = (row: object, unreadable?: Set<ValueShape>) => unknown

/** Columns that are read beside the fields, by name, with their cells. */
export type Beside = readonly (readonly [property: string, cell: number])[]

/** Makes the reader of rows without generated code. */
export const rowReader =
  (shape: Shape, beside: Beside): RowReader =>
  (row, unreadable) => {
    const cells = cellsOf(row)
    const read = readShape(shape, cells, unreadable) as object
    if (beside.length === 0) return read
    return { ...read, ...Object.fromEntries(beside.map(([property, at]) => [property, cells(at, property)])) }
  }

/** Reads a part of a row. It adds the shapes of the values that it cannot read to `unreadable`. */
export function readShape(shape: Shape, cells: Cells, unreadable?: Set<ValueShape>): unknown {
  switch (shape.kind) {
    case 'value': {
      const value = cells(shape.at, shape.name)
      if (value === null) return null
      const read = shape.read(value)
      if (read === undefined) unreadable?.add(shape)
      return read ?? null
    }
    case 'json':
      return shape.form(jsonIn(shape, cells))
    case 'list': {
      const { entry } = shape
      return entriesIn(shape, jsonIn(shape, cells), (parts) => readShape(entry, (at) => parts[at], unreadable))
    }
    case 'object': {
      const { members, blank, exists } = shape
      if (typeof exists === 'number' && cells(exists, 'an object') === null) return null
      if (typeof exists === 'object' && !exists.some(([, member]) => hasValue(member, cells))) return null
      const object = { ...blank }
      for (const [name, member] of members) object[name] = readShape(member, cells, unreadable)
      return object
    }
  }
}

/** A list has a value where it has an entry, and an object over columns that always exists where one of its members has a value. */
function hasValue(shape: Shape, cells: Cells): boolean {
  if (shape.kind === 'object' && shape.exists === 'always')
    return shape.members.some(([, member]) => hasValue(member, cells))
  return isPresent(readShape(shape, cells))
}

export const isPresent = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== null)

const jsonIn = (shape: JsonShape | ListShape, cells: Cells): unknown => parsed(shape, cells(shape.at, shape.name))

/** Parses the JSON of a cell. @throws TypeError when it is none. */
export function parsed({ at, name, isText }: JsonShape | ListShape, value: unknown): unknown {
  // Some drivers parse what the engine declares as JSON.
  if (!isText || typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new TypeError(`a row has a text in c${at + 1}, which holds ${name}, that is not JSON`)
  }
}

/** Reads the entries of a list. */
export function entriesIn(
  { cells, most, sortedBy, isNullable }: ListShape,
  json: unknown,
  readEntry: (parts: readonly unknown[]) => unknown,
): unknown {
  if (typeof json !== 'object' || json === null) return isNullable ? null : []
  // MariaDB writes an object in place of a list. Its names have no meaning.
  const entries = (Array.isArray(json) ? json : Object.values(json)) as (readonly unknown[])[]
  const whole = cells > most ? entries.map((parts) => parts.flat() as readonly unknown[]) : entries
  const sorted = sortedBy === 0 ? whole : whole.toSorted((a, b) => comparePlaces(a, b, sortedBy))
  return sorted.map(readEntry)
}

/** Compares by the first cells of two entries. NULL comes first. */
function comparePlaces(a: readonly unknown[], b: readonly unknown[], count: number): number {
  for (let at = 0; at < count; at++) {
    const difference = comparePlace(a[at] as string | null, b[at] as string | null)
    if (difference !== 0) return difference
  }
  return 0
}

/** A text that a dialect's `orderKey` wrote: the digits of a number, or a text whose code units have the order. */
function comparePlace(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  const [numberA, numberB] = [canonicalDecimal(a), canonicalDecimal(b)]
  if (numberA !== undefined && numberB !== undefined) return compareDecimals(numberA, numberB)
  return a < b ? -1 : 1
}

/** Makes the function that reads a sort value of a row. It returns `undefined` for a value that cannot be in a cursor. */
export function sortReaderOf(shape: Shape, key: SortKey): (cells: Cells) => SortValue {
  const literalOf = (value: unknown, isInDeclaredOrder = false): SortValue => {
    const form = canonicalOf[key.type](value)
    const literal = { type: key.type, value: form } as Literal
    // The column has another value somewhere in its order.
    return form === undefined || (isInDeclaredOrder && !isOrdered(key, literal)) ? undefined : literal
  }
  const read = readerAt(shape, key.path, literalOf)
  return (cells) => {
    const value = read(cells)
    if (value !== null || !isRequired(key)) return value
    throw new TypeError(`a row has no value in ${textOfPath(key.path)}, which the order of the query needs`)
  }
}

function readerAt(
  shape: Shape,
  path: Path,
  literalOf: (value: unknown, isInDeclaredOrder?: boolean) => SortValue,
): (cells: Cells) => SortValue {
  switch (shape.kind) {
    case 'value':
      return (cells) => {
        const value = cells(shape.at, shape.name)
        return value === null ? null : literalOf(shape.read(value), shape.isInDeclaredOrder)
      }
    case 'json':
      // A value of another form in JSON is NULL in the order.
      return (cells) => {
        const value = valueAt(readShape(shape, cells), path)
        return value === null || value === undefined ? null : literalOf(value)
      }
    case 'object': {
      const [name, ...rest] = path
      const member = shape.members.find(([one]) => one === name)![1]
      return readerAt(member, rest, literalOf)
    }
    case 'list':
      // No order enters a list.
      return () => null
  }
}
