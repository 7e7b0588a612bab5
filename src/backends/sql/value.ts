/** The value that a condition or a sort key reads. */
import type { ComparisonOperator, Literal, LiteralType } from '../../tree/index.ts'
import type { ComparedKey, SortKey } from '../../query/index.ts'
import { nameOf, refusal, type Condition } from '../issues.ts'
import type { Dialect, JsonRules, StoredType } from './dialect/dialect.ts'
import { join, parameter, raw, sql, stringLiteral, type Parameter, type Sql } from './dialect/sql.ts'
import { own, ownOf } from '../../own.ts'
import { notKept, refuse, unmapped, type Scope } from './scope.ts'
import { jsonType } from './stored-as.ts'

/** A value in SQL that is NULL exactly where the field has none. */
export interface Value {
  readonly sql: Sql
  readonly type: StoredType
  /** The column, or the expression of {@link StoredType.read}. It is NULL exactly if the value is. It is `undefined` for a value in JSON. */
  readonly column: Sql | undefined
  readonly isNeverNull: boolean
  /** How many names at the end of its path lead into JSON; `undefined` for a value of a column. */
  readonly inJson: number | undefined
}

/** The value at the path of a condition, for literals of a type; `undefined` where it is refused. */
export function valueOf(scope: Scope, condition: Condition, literal: LiteralType): Value | undefined {
  const { dialect, resolver, start, neverNull } = scope
  const { path } = condition
  const stored = resolver.resolve(start, path)
  const isPromised = neverNull.size > 0 && neverNull.has(path.join('.'))
  if (stored?.kind === 'json' && dialect.json !== undefined) {
    const type = jsonType(dialect, literal, stored.field)
    const read = dialect.json[readers[literal]]
    if (type === undefined || read === undefined) {
      refuse(scope, 'backend_unsupported', condition, `is JSON, of which ${dialect.name} reads no ${literal}`)
      return undefined
    }
    const isNeverNull = stored.isRequired || isPromised
    const { names, isKey } = stored.value
    if (isKey) notKept(scope, condition)
    if (isKey && dialect.json.isOutOfReach?.(names.at(-1)!) === true) {
      const name = nameOf(scope.list, path)
      scope.issues.push(refusal(`${name} is a key that no JSON path of ${dialect.name} can contain`, condition, name))
    }
    return { sql: read(stored.value), type, column: undefined, isNeverNull, inJson: names.length }
  }
  if (stored?.kind !== 'column') {
    unmapped(scope, condition)
    return undefined
  }
  const type = stored.types.get(literal)
  if (type === undefined) {
    const holder = stored.type === undefined ? `in ${dialect.name}` : `as ${stored.type}`
    refuse(scope, 'backend_unsupported', condition, `is stored ${holder}, which holds no ${literal}`)
    return undefined
  }
  const { read } = type
  const column = read?.(stored.column) ?? stored.column
  const isNeverNull = isPromised || (stored.isNotNull && read === undefined)
  return { sql: column, column, type, isNeverNull, inJson: undefined }
}

/** The reader of JSON for each type of literals. */
export const readers = {
  string: 'text',
  uuid: 'uuid',
  integer: 'number',
  bigint: 'bigint',
  number: 'number',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'text',
  datetime: 'text',
  time: 'text',
} as const satisfies Readonly<Record<LiteralType, keyof JsonRules>>

/** An operator, and an operand as the driver sends it. */
export interface Operation {
  readonly operator: ComparisonOperator
  readonly operand: Sql
  /** The literal that the operand was made of. */
  readonly value: Literal['value']
}

/** The operation that selects the same as a comparison with a literal; a constant where no stored value makes a difference. */
export function operation(type: StoredType, operator: ComparisonOperator, { value }: Literal): Operation | boolean {
  const fitted = type.fit?.(operator, value) ?? { operator, value }
  return typeof fitted === 'boolean' ? fitted : { ...fitted, operand: operandOf(type, fitted.value) }
}

export const operandOf = ({ encode = unencoded, cast = uncast }: StoredType, value: Literal['value']): Sql =>
  cast(parameter(encode(value)))
export const uncast = (value: Parameter): Sql => sql`${value}`
export const unencoded = (value: Literal['value']): unknown => value

/** The value as the text that is ordered and matched in place of it. */
export function asText({ types }: Dialect, value: Value): Value {
  const { asText, encodeText } = value.type
  if (asText === undefined) return value
  const type = encodeText === undefined ? types.text : ownOf({ ...types.text, encode: encodeText })
  return { ...value, sql: asText(value.sql), type }
}

/** Writes the expression by which ORDER BY sorts. */
export const inOrder = ({ textRules }: Dialect, { sql: value, type }: Pick<Value, 'sql' | 'type'>): Sql =>
  type.isText && !type.isOrdered ? (textRules.ordered?.(value) ?? value) : value

/** Converts a stored value to the value that a sort key compares: a text in lower case, or the position of the value in `declared`. */
export function valueBy({ dialect, lowering }: Scope, stored: Value, key: ValueOrder): Value {
  if (own(key, 'stored') !== undefined) {
    const { asText: _, ...type } = stored.type
    return { ...stored, type: ownOf<StoredType>(type) }
  }
  const value = asText(dialect, stored)
  if (own(key, 'ignoreCase') === true) {
    const lowered = lowering.ofValue(value.sql)
    const { ordered, orderedLower = ordered ?? itself } = dialect.textRules
    // The text has the collation of the order, so `<` and `>` compare it exactly.
    const type = { holds: value.type.holds, cast: value.type.cast ?? uncast, encode: ofText(lowering.ofText) }
    return { ...value, sql: orderedLower(lowered), type: ownOf<StoredType>(type) }
  }
  const declared = own(key, 'declared')
  if (declared === undefined) return value
  const places = declared.map((one, at) => sql`WHEN ${constant(one)} THEN ${raw(String(at))}`)
  return {
    ...value,
    sql: sql`CASE ${inOrder(dialect, value)} ${join(places, ' ')} END`,
    type: ownOf<StoredType>({ holds: value.type.holds, encode: (one) => declared.indexOf(one as string) }),
    // The CASE is NULL for a value that the list does not contain.
    column: undefined,
    isNeverNull: false,
  }
}
/** How a sort key orders values. */
export type ValueOrder = Pick<ComparedKey, (typeof orders)[number]>
const orders = ['ignoreCase', 'declared', 'stored'] as const
export const isOrderedBy = (key: ValueOrder): boolean => orders.some((name) => own(key, name) !== undefined)

/** Replaces `declared` of a sort key where the column has that order. */
export function comparedKey(key: SortKey, { type }: Value): ComparedKey {
  if (type.isInDeclaredOrder !== true || own(key, 'declared') === undefined) return key
  const { declared, ...others } = key
  return { ...others, stored: declared! }
}

const itself = (value: Sql): Sql => value
const ofText = (lower: (text: string) => string) => (value: Literal['value']) => lower(value as string)
/** A text of the program. An engine may read a backslash as the start of an escape. */
const constant = (text: string): Sql => (text.includes('\\') ? sql`${parameter(text)}` : stringLiteral(text))
