/** The field of a column, by the SQL type that a builder of Drizzle declares, or that a custom type names. */
import { own } from '../../own.ts'
import { isUnmapped, noField, sqliteInteger, sqlTypes, type JsonType, type MappedType } from '../sql-types.ts'

/** A type without a field. */
export interface Refusal {
  readonly reason: string
  /** Whether a definition of the option `fields` gives it one. */
  readonly defined?: true
}
export const isRefusal = (type: object): type is Refusal => Object.hasOwn(type, 'reason')

const unknown: Refusal = {
  reason:
    'Drizzle does not declare its values; define it with the option fields if it compares and sorts as that field does',
  defined: true,
}
const engines = [
  ['Pg', 'postgres'],
  ['MySql', 'mysql'],
  ['SQLite', 'sqlite'],
] as const

/** The name of an SQL type, without parentheses and without a sign: of `timestamp (3) with time zone`, or `int unsigned`. */
const nameOf = (sqlType: string): string =>
  sqlType
    .toLowerCase()
    .replaceAll(/ ?\([^()]*\)/g, '')
    .replace(/ unsigned$/, '')
    .trim()

/**
 * The field of a column, or the reason why it has none.
 *
 * @param columnType the name of the class of Drizzle, which begins with that of the database.
 * @param kind the kind of value that Drizzle reads: `number`, `json`, `date`, …
 * @param mode the option `mode` of `integer` on SQLite.
 */
export function sqlTypeOf(
  sqlType: string,
  columnType: string,
  kind: string,
  mode: unknown,
): MappedType | JsonType | Refusal {
  const [prefix, engine] = engines.find(([name]) => columnType.startsWith(name)) ?? ['', undefined]
  const name = nameOf(sqlType)
  if (engine === 'sqlite' && name === 'text' && kind === 'json') return 'usual'
  if (mode === 'timestamp') return sqliteInteger('epochS')
  const type = engine && own(sqlTypes[engine], name)
  if (type === undefined) return columnType === `${prefix}CustomColumn` ? unknown : noField
  const jsonType = isUnmapped(type) ? own(type, 'jsonType') : undefined
  return jsonType ?? (type as MappedType)
}
