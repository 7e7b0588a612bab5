/** The field of a column, by the SQL type that a builder of Drizzle declares, or that a custom type names. */
import type { LiteralType } from '../../tree/index.ts'
import type { ColumnType } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'

/** A type that a field can store. */
export interface Held {
  /** The type of the field, unless the options define another. */
  readonly field: LiteralType
  /** The same, where Drizzle reads the column as another kind of value. */
  readonly readAs?: Readonly<Record<string, LiteralType>>
  /** How the column stores a field: a type of the dialect, by the type of the field. */
  readonly types: Readonly<Partial<Record<LiteralType, ColumnType>>>
  /** How many digits a second has where the SQL type names no precision. */
  readonly digits?: number
}
/** A type that the option `fields` must define, or may not. */
export interface Refusal {
  readonly reason: string
  /** Whether a definition of the option `fields` holds it: as JSON, or as the default of the dialect stores its type. */
  readonly defined?: 'json' | 'default'
}
export const isRefusal = (type: Held | Refusal): type is Refusal => Object.hasOwn(type, 'reason')

/* @__NO_SIDE_EFFECTS__ */ const byName = (
  rows: readonly (readonly [type: Held | Refusal, ...names: string[]])[],
): Readonly<Record<string, Held | Refusal>> =>
  Object.fromEntries(rows.flatMap(([type, ...names]) => names.map((name) => [name, type])))

/** A JSON column, and on SQLite a text that Drizzle reads as JSON. */
const ofJson: Refusal = {
  reason: 'Drizzle does not say what is in it; define it with the option fields',
  defined: 'json',
}
const booleans: Held = { field: 'boolean', types: { boolean: 'boolean' } }
const dates: Held = { field: 'date', types: { date: 'date' } }

// --- PostgreSQL

const pgWhole = { integer: 'bigint', bigint: 'bigint', number: 'numeric', decimal: 'numeric' } as const
const pgNumeric = { decimal: 'numeric', number: 'numeric', integer: 'numeric', bigint: 'numeric' } as const
/** A number in JavaScript where the option `mode` sets it; the column has greater values. */
const pgLong: Held = {
  field: 'bigint',
  readAs: { number: 'integer' },
  types: { ...pgWhole, string: 'bigintText', datetime: 'epochMs' },
}
const pgTypes = /* @__PURE__ */ byName([
  [
    { field: 'string', types: { string: 'text', uuid: 'text', date: 'text', datetime: 'text' } },
    ...['text', 'varchar', 'character varying'],
  ],
  [{ field: 'uuid', types: { uuid: 'uuid', string: 'uuid' } }, 'uuid'],
  [{ field: 'integer', types: pgWhole }, ...['smallint', 'integer', 'int', 'int2', 'int4', 'smallserial', 'serial']],
  [pgLong, 'bigint', 'int8', 'bigserial'],
  [{ field: 'decimal', readAs: { number: 'number' }, types: pgNumeric }, 'numeric', 'decimal'],
  [
    { field: 'number', types: { number: 'double precision', integer: 'double precision' } },
    ...['double precision', 'float8'],
  ],
  [booleans, 'boolean', 'bool'],
  [dates, 'date'],
  [{ field: 'datetime', types: { datetime: 'timestamp' }, digits: 6 }, 'timestamp', 'timestamp without time zone'],
  [{ field: 'datetime', types: { datetime: 'timestamptz' }, digits: 6 }, 'timestamptz', 'timestamp with time zone'],
  [ofJson, 'jsonb'],
  [{ reason: 'PostgreSQL cannot compare it; make it jsonb' }, 'json'],
  [{ field: 'number', types: { number: 'real', integer: 'real' } }, 'real', 'float4'],
  [{ field: 'string', types: { string: 'char', uuid: 'char' } }, 'char', 'character', 'bpchar'],
  [{ field: 'string', types: { string: 'citext' } }, 'citext'],
  [{ field: 'string', types: { string: 'time' } }, 'time', 'time without time zone'],
])
/** Types of PostgreSQL, and of extensions, whose values or orders no field has. */
const pgOthers = [
  ...['time with time zone', 'timetz', 'interval'],
  ...['inet', 'cidr', 'macaddr', 'macaddr8'],
  ...['money', 'bytea', 'xml', 'tsvector', 'tsquery', 'bit', 'bit varying', 'varbit', 'hstore', 'ltree'],
  ...['point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle', 'geometry', 'geography'],
  ...['vector', 'halfvec', 'sparsevec'],
  ...['int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
]
/** Of `pgEnum`. Its SQL type is a name of the program. */
export const pgEnum: Held = { field: 'string', types: { string: 'enum' } }

// --- MySQL and MariaDB

const mysqlWhole = { integer: 'bigint', bigint: 'bigint', number: 'bigint' } as const
const mysqlLong: Held = {
  field: 'bigint',
  readAs: { number: 'integer' },
  types: { ...mysqlWhole, string: 'bigintText', datetime: 'epochMs' },
}
const mysqlDecimal = { decimal: 'decimal', number: 'decimal', integer: 'decimal' } as const
const mysqlTypes = /* @__PURE__ */ byName([
  [
    { field: 'string', types: { string: 'text', uuid: 'uuidText', date: 'text', datetime: 'text' } },
    ...['text', 'tinytext', 'mediumtext', 'longtext', 'varchar', 'char'],
  ],
  [{ field: 'string', types: { string: 'enum' } }, 'enum'],
  [
    { field: 'integer', types: { ...mysqlWhole, boolean: 'boolean' } },
    ...['tinyint', 'smallint', 'mediumint', 'int', 'integer'],
  ],
  [mysqlLong, 'bigint', 'serial'],
  [{ field: 'decimal', readAs: { number: 'number' }, types: mysqlDecimal }, 'decimal', 'numeric'],
  [{ field: 'number', types: { number: 'double', integer: 'double' } }, 'double', 'double precision', 'real'],
  [booleans, 'boolean', 'bool'],
  [dates, 'date'],
  [{ field: 'datetime', types: { datetime: 'datetime' }, digits: 0 }, 'datetime', 'timestamp'],
  [ofJson, 'json'],
  [{ field: 'number', types: { number: 'real', integer: 'real' } }, 'float'],
  [{ field: 'integer', types: { integer: 'year' } }, 'year'],
])
const mysqlOthers = [
  ...['time', 'bit', 'set', 'binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  ...['geometry', 'point', 'linestring', 'polygon'],
]

// --- SQLite

/** An integer of a moment counts milliseconds, or in the mode `timestamp` seconds. */
/* @__NO_SIDE_EFFECTS__ */ const sqliteInteger = (datetime: 'epochMs' | 'epochS'): Held => ({
  field: 'integer',
  readAs: { boolean: 'boolean', date: 'datetime' },
  types: { integer: 'integer', bigint: 'integer', number: 'integer', boolean: 'boolean', datetime },
  digits: 3,
})
const sqliteTypes = /* @__PURE__ */ byName([
  [
    { field: 'string', types: { string: 'text', uuid: 'text', date: 'isoText', datetime: 'isoText' } },
    ...['text', 'varchar', 'char'],
  ],
  [sqliteInteger('epochMs'), 'integer', 'int', 'bigint'],
  [{ field: 'number', types: { number: 'real', integer: 'integer' } }, 'real', 'double', 'numeric', 'decimal'],
])

// --- A column

const noField: Refusal = { reason: 'no field holds it' }
const unknown: Refusal = {
  reason:
    'Drizzle does not say what it holds; define it with the option fields if it compares and sorts as that field does',
  defined: 'default',
}
type Dialect = readonly [prefix: string, types: typeof pgTypes, others: readonly string[]]
const dialects: readonly Dialect[] = [
  ['Pg', pgTypes, pgOthers],
  ['MySql', mysqlTypes, mysqlOthers],
  ['SQLite', sqliteTypes, ['blob']],
]
const noDialect: Dialect = ['', {}, []]

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
export function sqlTypeOf(sqlType: string, columnType: string, kind: string, mode: unknown): Held | Refusal {
  const [prefix, types, others] = dialects.find(([name]) => columnType.startsWith(name)) ?? noDialect
  const name = nameOf(sqlType)
  if (prefix === 'SQLite' && name === 'text' && kind === 'json') return ofJson
  if (mode === 'timestamp') return sqliteInteger('epochS')
  const type = own(types, name)
  if (type !== undefined) return type
  return columnType === `${prefix}CustomColumn` && !others.includes(name) ? unknown : noField
}
