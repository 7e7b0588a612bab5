/** The value that a condition or a sort key reads. */
import type { Literal, LiteralType } from '../../ast/index.ts'
import type { Condition } from '../issues.ts'
import type { Dialect, StoredType } from './dialect/dialect.ts'
import { parameter, sql, type Parameter, type Sql } from './dialect/sql.ts'
import type { StoredColumn } from './resolve.ts'
import { refuse, unmapped, type Scope } from './scope.ts'

/** A value in SQL that is NULL exactly where the field has none. */
export interface Value {
  readonly sql: Sql
  readonly type: StoredType
  /** Whether it is a plain column, which indexes serve. */
  readonly isColumn: boolean
  readonly isNeverNull: boolean
  /** How many names at the end of its path lead into JSON. */
  readonly inJson: number
}

/** The value at the path of a condition, for literals of a type; `undefined` where it is refused. */
export function valueOf(scope: Scope, condition: Condition, type: LiteralType): Value | undefined {
  const { dialect, resolver, start, neverNull } = scope
  const { path } = condition
  const stored = resolver.resolve(start, path)
  const isPromised = neverNull.size > 0 && neverNull.has(path.join('.'))
  if (stored?.kind === 'json' && dialect.json !== undefined) {
    const { types, [readers[type]]: read } = dialect.json
    const sql = read(stored.value)
    const inJson = stored.value.names.length
    return { sql, type: dialect.types[types[type] ?? 'text']!, isColumn: false, isNeverNull: isPromised, inJson }
  }
  if (stored?.kind !== 'column') {
    unmapped(scope, condition)
    return undefined
  }
  const storedType = dialect.types[stored.type ?? defaultType(dialect, stored, type)]!
  if (!storedType.holds.includes(type)) {
    refuse(scope, 'backend_unsupported', condition, `is stored as ${stored.type}, which holds no ${type}`)
    return undefined
  }
  const isNeverNull = stored.isNotNull || isPromised
  return { sql: stored.column, type: storedType, isColumn: true, isNeverNull, inJson: 0 }
}

const readers: Readonly<Record<LiteralType, 'text' | 'number' | 'boolean'>> = {
  string: 'text',
  uuid: 'text',
  bigint: 'number',
  decimal: 'number',
  date: 'text',
  datetime: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

/**
 * The type of a column that is declared without one: by the type of the literal. A number goes by the type of the field
 * where that holds it, so that one column is not compared as two types.
 */
function defaultType({ columnTypes, types }: Dialect, { field }: StoredColumn, type: LiteralType): string {
  const own = field?.type === 'integer' || field?.type === 'number' ? columnTypes[field.type] : undefined
  return own !== undefined && types[own]!.holds.includes(type) ? own : (columnTypes[type] ?? 'text')
}

/** An operand as the driver sends it; `undefined` where no stored value is equal to it. */
export function operandOf({ encode = unencoded, cast = uncast }: StoredType, { value }: Literal): Sql | undefined {
  const encoded = encode(value)
  return encoded === undefined ? undefined : cast(parameter(encoded))
}
export const uncast = (value: Parameter): Sql => sql`${value}`
export const unencoded = (value: Literal['value']): unknown => value

/** The value as text, where its type has another order than its text. */
export const asText = (dialect: Dialect, value: Value): Value =>
  value.type.asText === undefined
    ? value
    : { ...value, sql: value.type.asText(value.sql), type: dialect.types.text!, isColumn: false }
