/**
 * The field of a column, by its SQL type. The type that a builder of Drizzle declares decides, and as well the one that a custom type
 * names: the name of a custom type does not tell its SQL type.
 */
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

// --- PostgreSQL

const pgText = { field: 'string', types: { string: 'text', uuid: 'text', date: 'text', datetime: 'text' } } as const
const pgWhole = { integer: 'bigint', bigint: 'bigint', number: 'numeric', decimal: 'numeric' } as const
const pgInteger = { field: 'integer', types: pgWhole } as const
/** A number in JavaScript where the option `mode` sets it; the column has greater values. */
const pgLong = {
  field: 'bigint',
  readAs: { number: 'integer' },
  types: { ...pgWhole, string: 'bigintText', datetime: 'epochMs' },
} as const
const pgExact = {
  field: 'decimal',
  readAs: { number: 'number' },
  types: { decimal: 'numeric', number: 'numeric', integer: 'numeric', bigint: 'numeric' },
} as const
const pgDouble = { field: 'number', types: { number: 'double precision', integer: 'double precision' } } as const
const pgBoolean = { field: 'boolean', types: { boolean: 'boolean' } } as const
const pgTimestamp = { field: 'datetime', types: { datetime: 'timestamp' }, digits: 6 } as const
const pgTimestamptz = { field: 'datetime', types: { datetime: 'timestamptz' }, digits: 6 } as const
const pgReal = {
  reason: 'it rounds its values to 24 bits, so 0.1 finds no row and pages repeat; make it double precision',
}
const pgChar = {
  reason:
    'it pads its values with spaces; make it varchar, or define it with the option fields if each value has the full length',
  defined: 'default',
} as const

const pgTypes: Readonly<Record<string, Held | Refusal>> = {
  text: pgText,
  varchar: pgText,
  'character varying': pgText,
  uuid: { field: 'uuid', types: { uuid: 'uuid', string: 'uuid' } },
  smallint: pgInteger,
  integer: pgInteger,
  int: pgInteger,
  int2: pgInteger,
  int4: pgInteger,
  smallserial: pgInteger,
  serial: pgInteger,
  bigint: pgLong,
  int8: pgLong,
  bigserial: pgLong,
  numeric: pgExact,
  decimal: pgExact,
  'double precision': pgDouble,
  float8: pgDouble,
  boolean: pgBoolean,
  bool: pgBoolean,
  date: { field: 'date', types: { date: 'date' } },
  timestamp: pgTimestamp,
  'timestamp without time zone': pgTimestamp,
  timestamptz: pgTimestamptz,
  'timestamp with time zone': pgTimestamptz,
  jsonb: { reason: 'Drizzle does not say what is in it; define it with the option fields', defined: 'json' },
  json: { reason: 'PostgreSQL cannot compare it; make it jsonb' },
  real: pgReal,
  float4: pgReal,
  char: pgChar,
  character: pgChar,
  bpchar: pgChar,
  citext: { reason: 'PostgreSQL compares and sorts it without regard to case, and a filter does not; make it text' },
}
/** Types of PostgreSQL, and of extensions, whose values or orders no field has. */
const pgOthers = [
  ...[
    'time',
    'time without time zone',
    'time with time zone',
    'timetz',
    'interval',
    'inet',
    'cidr',
    'macaddr',
    'macaddr8',
  ],
  ...['money', 'bytea', 'xml', 'tsvector', 'tsquery', 'bit', 'bit varying', 'varbit', 'hstore', 'ltree'],
  ...[
    'point',
    'line',
    'lseg',
    'box',
    'path',
    'polygon',
    'circle',
    'geometry',
    'geography',
    'vector',
    'halfvec',
    'sparsevec',
  ],
  ...['int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
]
/** Of `pgEnum`. Its SQL type is a name of the program. */
export const pgEnum: Held = { field: 'string', types: { string: 'enum' } }

// --- MySQL and MariaDB

const mysqlText = {
  field: 'string',
  types: { string: 'text', uuid: 'uuidText', date: 'text', datetime: 'text' },
} as const
const mysqlWhole = { integer: 'bigint', bigint: 'bigint', number: 'bigint' } as const
const mysqlInteger = { field: 'integer', types: { ...mysqlWhole, boolean: 'boolean' } } as const
const mysqlLong = {
  field: 'bigint',
  readAs: { number: 'integer' },
  types: { ...mysqlWhole, string: 'bigintText', datetime: 'epochMs' },
} as const
const mysqlExact = {
  field: 'decimal',
  readAs: { number: 'number' },
  types: { decimal: 'decimal', number: 'decimal', integer: 'decimal' },
} as const
const mysqlDouble = { field: 'number', types: { number: 'double', integer: 'double' } } as const
const mysqlBoolean = { field: 'boolean', types: { boolean: 'boolean' } } as const
const mysqlDateTime = { field: 'datetime', types: { datetime: 'datetime' }, digits: 0 } as const

const mysqlTypes: Readonly<Record<string, Held | Refusal>> = {
  text: mysqlText,
  tinytext: mysqlText,
  mediumtext: mysqlText,
  longtext: mysqlText,
  varchar: mysqlText,
  char: mysqlText,
  enum: { field: 'string', types: { string: 'enum' } },
  tinyint: mysqlInteger,
  smallint: mysqlInteger,
  mediumint: mysqlInteger,
  int: mysqlInteger,
  integer: mysqlInteger,
  bigint: mysqlLong,
  serial: mysqlLong,
  decimal: mysqlExact,
  numeric: mysqlExact,
  double: mysqlDouble,
  'double precision': mysqlDouble,
  real: mysqlDouble,
  boolean: mysqlBoolean,
  bool: mysqlBoolean,
  date: { field: 'date', types: { date: 'date' } },
  datetime: mysqlDateTime,
  timestamp: mysqlDateTime,
  json: { reason: 'Drizzle does not say what is in it; define it with the option fields', defined: 'json' },
  float: { reason: 'it rounds its values to 24 bits, so 0.1 finds no row and pages repeat; make it double' },
}
const mysqlOthers = [
  ...['time', 'year', 'bit', 'set', 'binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  ...['geometry', 'point', 'linestring', 'polygon'],
]

// --- SQLite

const sqliteText = {
  field: 'string',
  types: { string: 'text', uuid: 'text', date: 'isoText', datetime: 'isoText' },
} as const
const sqliteInteger = {
  field: 'integer',
  readAs: { boolean: 'boolean', date: 'datetime' },
  types: { integer: 'integer', bigint: 'integer', number: 'integer', boolean: 'boolean', datetime: 'epochMs' },
  digits: 3,
} as const
const sqliteNumber = { field: 'number', types: { number: 'real', integer: 'integer' } } as const

const sqliteTypes: Readonly<Record<string, Held | Refusal>> = {
  text: sqliteText,
  varchar: sqliteText,
  char: sqliteText,
  integer: sqliteInteger,
  int: sqliteInteger,
  bigint: sqliteInteger,
  real: sqliteNumber,
  double: sqliteNumber,
  numeric: sqliteNumber,
  decimal: sqliteNumber,
}
/** Of a text that Drizzle reads as JSON. */
const sqliteJson: Refusal = {
  reason: 'Drizzle does not say what is in it; define it with the option fields',
  defined: 'json',
}
/** Of an integer in the mode `timestamp`. */
const sqliteSeconds: Refusal = {
  reason: 'it counts seconds; write milliseconds into it, with the mode timestamp_ms',
}

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
  if (prefix === 'SQLite' && name === 'text' && kind === 'json') return sqliteJson
  if (mode === 'timestamp') return sqliteSeconds
  const type = own(types, name)
  if (type !== undefined) return type
  return columnType === `${prefix}CustomColumn` && !others.includes(name) ? unknown : noField
}
