/** A column of Drizzle → its field, and how it is stored. */
import type { Column } from 'drizzle-orm'
import {
  arrayColumn,
  column as columnOf,
  jsonColumn,
  type ColumnType as StoredType,
  type Stored,
} from '../backends/sql/index.ts'
import { unsupported } from '../foreign-fields.ts'
import { field, type EntryField, type Field } from '../language/index.ts'
import { member, own, ownOf } from '../own.ts'
import { columnTypes, doubts, jsonTypes, type ColumnType } from './columns.ts'

/** How a column or a relation is stored. It is no plain object of columns. */
export type StoredMember = Exclude<Stored, { readonly kind: 'flattened' }>
export interface MappedMember {
  readonly field: Field
  readonly stored: StoredMember
}

/**
 * Maps a column.
 *
 * @param name of the column in the database.
 * @param given the field that the options define.
 */
export function mappedColumn(column: Column, name: string, given: Field | undefined): MappedMember {
  const { columnType, notNull } = column
  const sqlType = column.getSQLType()
  if (jsonTypes.has(columnType)) {
    return given === undefined
      ? unsupported(`${sqlType}: Drizzle does not say what is in it`)
      : { field: given, stored: jsonColumn(name) }
  }
  const entry = member(column as Column & { readonly baseColumn?: Column }, 'baseColumn')
  if (entry !== undefined) {
    if (given !== undefined && given.type !== 'list') unsupported(`${sqlType}: an array is a list, not a ${given.type}`)
    const made = fieldAndType(entry, given?.type === 'list' ? given.entry : undefined)
    return { field: given ?? field.list(made.field as EntryField), stored: arrayColumn(name, made.options) }
  }
  const { field: held, options } = fieldAndType(column, given)
  return { field: held, stored: columnOf(name, { ...options, notNull }) }
}

/** The field of a column with one value, and the type of the dialect that stores it; no type where the default does. */
function fieldAndType(
  column: Column,
  given: Field | undefined,
): { readonly field: Field; readonly options: { readonly type?: StoredType } } {
  const { columnType } = column
  const sqlType = column.getSQLType()
  const row = Object.hasOwn(columnTypes, columnType)
    ? ownOf((columnTypes as Readonly<Record<string, ColumnType>>)[columnType]!)
    : undefined
  if (row === undefined) {
    const doubt = own(doubts, columnType)
    if (given !== undefined && doubt !== undefined) return { field: given, options: {} }
    return unsupported(`${sqlType}: ${doubt ?? 'no field holds it'}`)
  }
  if (member(column as Column & { readonly mode?: unknown }, 'mode') === 'timestamp') {
    unsupported(`${sqlType}: it counts seconds; use the mode timestamp_ms`)
  }
  if (given === undefined) checkDigits(row, sqlType)
  const chosen = given ?? fieldOf(column, row)
  const types: Readonly<Record<string, StoredType>> =
    row.withoutZone !== undefined && !sqlType.endsWith('with time zone') ? row.withoutZone : row.types
  const type = own(types, chosen.type === 'enumeration' ? 'string' : chosen.type)
  return type === undefined
    ? unsupported(`${sqlType}: it holds no ${chosen.type}`)
    : { field: chosen, options: { type } }
}

function fieldOf(column: Column, row: ColumnType): Field {
  const enumValues = member(column, 'enumValues')
  return enumValues === undefined || enumValues.length === 0
    ? (field[row.field] as () => Field)()
    : field.enumeration(enumValues)
}

/** Datetimes have milliseconds. Drivers cut off finer digits, and a cursor would point before its row. */
function checkDigits({ digits }: ColumnType, sqlType: string): void {
  if (digits === undefined || Number(/\((\d)\)/.exec(sqlType)?.[1] ?? digits) <= 3) return
  unsupported(`${sqlType}: it holds microseconds, but a datetime milliseconds; declare a precision of 3`)
}
