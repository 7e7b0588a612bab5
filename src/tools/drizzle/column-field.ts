/** A column of Drizzle → its field, and how it is stored. */
import type { Column } from 'drizzle-orm'
import { arrayColumn, column as columnOf, jsonColumn } from '../../backends/sql/index.ts'
import type { Name, ColumnType as StoredType, Stored } from '../../backends/sql/index.ts'
import { promised, unsupported } from '../foreign-fields.ts'
import { field, literalTypeOf, type EntryField, type Field } from '../../language/index.ts'
import { member, own } from '../../own.ts'
import { isJsonType, pgEnum, type JsonType, type MappedType } from '../sql-types.ts'
import { isRefusal, sqlTypeOf } from './sql-types.ts'

/** How a column or a relation is stored: not as a plain object of columns. */
export type StoredMember = Exclude<Stored, { readonly kind: 'flattened' }>
export interface MappedMember {
  readonly field: Field
  readonly stored: StoredMember
}

/** A column, with the properties that only some versions and databases of Drizzle have. */
type Beside = Column & {
  readonly mode?: unknown
  /** The type of the entries of an array, up to Drizzle 0.45. */
  readonly baseColumn?: Column
  /** How many `[]` there are behind the type, since Drizzle 1.0. */
  readonly dimensions?: number
  readonly enum?: NativeEnum
}
/** The result of `pgEnum`. */
interface NativeEnum {
  readonly schema: string | undefined
  readonly enumName: string
  readonly enumValues: readonly string[]
}

/** A column, or the entries of one. */
interface Values {
  readonly column: Column
  readonly sqlType: string
}

/**
 * Maps a column.
 *
 * @param name of the column in the database.
 * @param option the field that the options define.
 */
export function mappedColumn(column: Column, name: string, option: Field | undefined): MappedMember {
  const entry = entryOf(column)
  if (entry !== undefined) {
    if (option !== undefined && option.type !== 'list') {
      unsupported(`${entry.sqlType}[]: an array is a list, not a ${option.type}`)
    }
    const made = fieldAndType(entry, option?.type === 'list' ? option.entry : undefined)
    if (isJsonType(made)) return unsupported(`${entry.sqlType}[]: no field holds it`)
    return { field: option ?? field.list(made.field as EntryField), stored: arrayColumn(name, made.options) }
  }
  const made = fieldAndType({ column, sqlType: column.getSQLType() }, option)
  if (isJsonType(made))
    return { field: option ?? field.json(), stored: jsonColumn(name, made === 'json' ? { type: made } : {}) }
  const { field: held, options } = made
  return {
    field: option === undefined && column.notNull ? promised(held) : held,
    stored: columnOf(name, { ...options, notNull: column.notNull }),
  }
}

/** The entries of an array of PostgreSQL. */
function entryOf(column: Column): Values | undefined {
  const base = member(column as Beside, 'baseColumn')
  if (base !== undefined) return { column: base, sqlType: base.getSQLType() }
  const sqlType = column.getSQLType()
  if (column.columnType === 'PgCustomColumn' && sqlType.endsWith('[]')) return { column, sqlType: sqlType.slice(0, -2) }
  // Up to Drizzle 0.45, it is the length of a vector.
  const dimensions = column.columnType.endsWith('Vector') ? 0 : (member(column as Beside, 'dimensions') ?? 0)
  return dimensions > 0 ? { column, sqlType: sqlType + '[]'.repeat(dimensions - 1) } : undefined
}

/** The field of one value, and the type of the dialect that stores it; no type where the default does. */
function fieldAndType(
  { column, sqlType }: Values,
  option: Field | undefined,
): { readonly field: Field; readonly options: { readonly type?: StoredType; readonly name?: Name } } | JsonType {
  const { columnType } = column
  // Drizzle 1.0 has a second word, such as `int32`, and calls JSON an object.
  const kind = column.dataType.replace(/^object /, '').split(' ')[0]!
  const native = nativeOf(column)
  const type =
    native !== undefined && !sqlType.endsWith('[]')
      ? pgEnum
      : sqlTypeOf(sqlType, columnType, kind, member(column as Beside, 'mode'))
  if (isJsonType(type)) return type
  if (isRefusal(type)) {
    if (option === undefined || type.defined === undefined) return unsupported(`${sqlType}: ${type.reason}`)
    return { field: option, options: {} }
  }
  const chosen = option ?? fieldOf(column, sqlType, type, kind)
  const stored = own(type.types as Readonly<Record<string, StoredType>>, literalTypeOf(chosen.type))
  if (stored === undefined) return unsupported(`${sqlType}: it holds no ${chosen.type}`)
  return { field: chosen, options: { type: stored, ...nameOf(native, chosen) } }
}

const nativeOf = (column: Column): NativeEnum | undefined => member(column as Beside, 'enum')

/** The name of a native enumeration of PostgreSQL, which promises that it has the values of the field, and the type if it has their order. */
function nameOf(native: NativeEnum | undefined, chosen: Field): { readonly name?: Name; readonly type?: StoredType } {
  if (native === undefined || chosen.type !== 'enumeration') return {}
  const { schema, enumName, enumValues } = native
  if (!chosen.values.every((value) => enumValues.includes(value))) return {}
  const isInOrder = enumValues.every((value, at) => value === chosen.values[at])
  return { name: schema === undefined ? enumName : [schema, enumName], ...(isInOrder && { type: 'orderedEnum' }) }
}

function fieldOf(column: Column, sqlType: string, held: MappedType, kind: string): Field {
  const enumValues = member(column, 'enumValues')
  if (enumValues !== undefined && enumValues.length > 0) return field.enumeration(enumValues)
  const type = own(held.readAs ?? {}, kind) ?? held.literal
  return type === 'datetime' && digitsOf(held, sqlType) <= 3
    ? field.datetime({ digits: 3 })
    : (field[type] as () => Field)()
}

/** How many digits of a second a column has. */
const digitsOf = ({ digits = 6 }: MappedType, sqlType: string): number =>
  Number(/\((\d)\)/.exec(sqlType)?.[1] ?? digits)
