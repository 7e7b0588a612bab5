/** A column of Drizzle → its field, and how it is stored. */
import type { Column } from 'drizzle-orm'
import {
  arrayColumn,
  column as columnOf,
  jsonColumn,
  type Name,
  type ColumnType as StoredType,
  type Stored,
} from '../backends/sql/index.ts'
import { promised, unsupported } from '../foreign-fields.ts'
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
  return {
    field: given === undefined && notNull ? promised(held) : held,
    stored: columnOf(name, { ...options, notNull }),
  }
}

/** The field of a column with one value, and the type of the dialect that stores it; no type where the default does. */
function fieldAndType(
  column: Column,
  given: Field | undefined,
): { readonly field: Field; readonly options: { readonly type?: StoredType; readonly name?: Name } } {
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
  const chosen = given ?? fieldOf(column, row)
  const types: Readonly<Record<string, StoredType>> =
    row.withoutZone !== undefined && !sqlType.endsWith('with time zone') ? row.withoutZone : row.types
  const type = own(types, chosen.type === 'enumeration' ? 'string' : chosen.type)
  if (type === undefined) return unsupported(`${sqlType}: it holds no ${chosen.type}`)
  return { field: chosen, options: { type, ...nameOf(column, chosen) } }
}

/** What `pgEnum` made. */
interface NativeEnum {
  readonly schema: string | undefined
  readonly enumName: string
  readonly enumValues: readonly string[]
}

/** The name of a native enumeration of PostgreSQL, which promises that it has the values of the field. */
function nameOf(column: Column, chosen: Field): { readonly name?: Name } {
  const native = member(column as Column & { readonly enum?: NativeEnum }, 'enum')
  if (native === undefined || chosen.type !== 'enumeration') return {}
  const { schema, enumName, enumValues } = native
  if (!chosen.values.every((value) => enumValues.includes(value))) return {}
  return { name: schema === undefined ? enumName : [schema, enumName] }
}

function fieldOf(column: Column, row: ColumnType): Field {
  const enumValues = member(column, 'enumValues')
  if (enumValues !== undefined && enumValues.length > 0) return field.enumeration(enumValues)
  return row.field === 'datetime' && digitsOf(row, column.getSQLType()) <= 3
    ? field.datetime({ digits: 3 })
    : (field[row.field] as () => Field)()
}

/** How many digits of a second a column has. */
const digitsOf = ({ digits = 6 }: ColumnType, sqlType: string): number =>
  Number(/\((\d)\)/.exec(sqlType)?.[1] ?? digits)
