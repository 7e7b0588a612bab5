/** Finds the stored type of a column: by its declared type or the dialect's default, and by its options. */
import { literalTypes, type LiteralType } from '../../tree/index.ts'
import { digitsOf, holdsLiteral, type Field } from '../../language/index.ts'
import { own, ownOf } from '../../own.ts'
import type { Dialect, StoredType, StoredVariant, TypeOptions } from './dialect/dialect.ts'
import { sql } from './dialect/sql.ts'
import type { Column } from './mapping.ts'

/** How literals are stored, by their type; those that are not here are not. */
export type StoredTypes = ReadonlyMap<LiteralType, StoredType>

export type Declared = Pick<Column, 'type' | 'digits' | 'typeName' | 'invalid'>

/**
 * The types of a column, for the literals that its field can be compared with.
 *
 * @param quote quotes a name.
 */
export function columnTypes(
  dialect: Dialect,
  declared: Declared,
  field: Field | undefined,
  quote: (name: string) => string,
): StoredTypes {
  const { type: name, digits, typeName, invalid } = ownOf(declared)
  const options: TypeOptions = {
    digits,
    name: typeName && [typeName].flat().map(quote).join('.'),
    values: field?.type === 'enumeration' ? field.values : undefined,
  }
  const stored = new Map<LiteralType, StoredType>()
  for (const literal of literalTypes) {
    if (field !== undefined && !holdsLiteral(field, literal)) continue
    const type = typeFor(dialect, name ?? defaultType(dialect, field, literal), literal, options, field)
    if (type !== undefined) stored.set(literal, invalid === undefined ? type : withoutInvalid(type))
  }
  return stored
}

/** A type that reads an invalid value as NULL in conditions, orders, positions and rows. */
const withoutInvalid = ({ hasOthers: _, ...type }: StoredType): StoredType => ({
  ...type,
  read: (column) => sql`CASE WHEN ${type.valid!(column)} THEN ${type.read?.(column) ?? column} END`,
})

/** The type of a value in JSON; `undefined` where the dialect reads none for the literal. */
export const jsonType = (dialect: Dialect, literal: LiteralType, field: Field | undefined): StoredType | undefined =>
  typeFor(dialect, dialect.json && own(dialect.json.types, literal), literal, {}, field)

function typeFor(
  { types }: Dialect,
  name: string | undefined,
  literal: LiteralType,
  options: TypeOptions,
  field: Field | undefined,
): StoredType | undefined {
  const type = name === undefined ? undefined : types[name]!
  if (type?.holds.includes(literal) !== true) return undefined
  const variant = variantFor(type, literal)
  if (variant.of === undefined) return type
  // The digits of the field count where the column declares none.
  const { digits = field && digitsOf(field) } = options
  const storedDigits = digits !== undefined && variant.digits?.includes(digits) === true ? digits : undefined
  return ownOf({ ...type, ...variant.of({ ...options, digits: storedDigits }) })
}

/** The variant of a stored type for literals of a type; empty where it has none. */
export const variantFor = ({ as = {} }: StoredType, literal: LiteralType): StoredVariant =>
  ownOf(own(as, literal) ?? {})

/**
 * The type of a column that is declared without one: by the type of the literal. A number goes by the type of the field
 * where that holds it, so that all literals are compared with the column as one type.
 */
export function defaultType(
  { columnTypes, types }: Dialect,
  field: Field | undefined,
  literal: LiteralType,
): string | undefined {
  const ofField = field?.type === 'integer' || field?.type === 'number' ? own(columnTypes, field.type) : undefined
  return ofField !== undefined && types[ofField]!.holds.includes(literal) ? ofField : own(columnTypes, literal)
}
