/** The values of each column type of Drizzle, by its `columnType`: data for the program and for the compiler. */
import type { LiteralType } from '../ast/index.ts'
import type { ColumnType as StoredType } from '../backends/sql/index.ts'

/** A column type that can be a field. */
export interface ColumnType {
  /** The type of the field, unless the options define another. */
  readonly field: LiteralType
  /** How the column stores a field: a type of the dialect, by the type of the field. */
  readonly types: Readonly<Partial<Record<LiteralType, StoredType>>>
  /** The same, where the SQL type has no time zone. */
  readonly withoutZone?: ColumnType['types']
  /** How many digits a second has where the SQL type names no precision. */
  readonly digits?: number
}

const pgText = { field: 'string', types: { string: 'text', uuid: 'text', date: 'text', datetime: 'text' } } as const
const pgEnum = { field: 'string', types: { string: 'enum' } } as const
const pgWhole = { integer: 'bigint', bigint: 'bigint', number: 'numeric', decimal: 'numeric' } as const
const pgInteger = { field: 'integer', types: pgWhole } as const
const pgLong = { ...pgWhole, string: 'bigintText', datetime: 'epochMs' } as const
/** A number in JavaScript, and a bigint, whose values go beyond those. */
const pgBigint53 = { field: 'integer', types: pgLong } as const
const pgBigint64 = { field: 'bigint', types: pgLong } as const
const pgExact = { decimal: 'numeric', number: 'numeric', integer: 'numeric', bigint: 'numeric' } as const
/** A text or a bigint in JavaScript, with all digits. */
const pgNumeric = { field: 'decimal', types: pgExact } as const
const pgNumericNumber = { field: 'number', types: pgExact } as const
const pgDate = { field: 'date', types: { date: 'date' } } as const
const pgTimestamp = {
  field: 'datetime',
  types: { datetime: 'timestamptz' },
  withoutZone: { datetime: 'timestamp' },
  digits: 6,
} as const
const mysqlText = {
  field: 'string',
  types: { string: 'text', uuid: 'uuidText', date: 'text', datetime: 'text' },
} as const
const mysqlEnum = { field: 'string', types: { string: 'enum' } } as const
const mysqlWhole = { integer: 'bigint', bigint: 'bigint', number: 'bigint' } as const
const mysqlInteger = { field: 'integer', types: { ...mysqlWhole, boolean: 'boolean' } } as const
const mysqlLong = { ...mysqlWhole, string: 'bigintText', datetime: 'epochMs' } as const
const mysqlBigint53 = { field: 'integer', types: mysqlLong } as const
const mysqlBigint64 = { field: 'bigint', types: mysqlLong } as const
const mysqlExact = { decimal: 'decimal', number: 'decimal', integer: 'decimal' } as const
const mysqlDecimal = { field: 'decimal', types: mysqlExact } as const
const mysqlDecimalNumber = { field: 'number', types: mysqlExact } as const
const mysqlDouble = { field: 'number', types: { number: 'double', integer: 'double' } } as const
const mysqlDate = { field: 'date', types: { date: 'date' } } as const
const mysqlDateTime = { field: 'datetime', types: { datetime: 'datetime' }, digits: 0 } as const
const sqliteNumber = { field: 'number', types: { number: 'real', integer: 'integer' } } as const

/** The column types that can be fields. */
export const columnTypes = {
  PgText: pgText,
  PgVarchar: pgText,
  PgUUID: { field: 'uuid', types: { uuid: 'uuid', string: 'uuid' } },
  PgEnumColumn: pgEnum,
  PgEnumObjectColumn: pgEnum,
  PgSmallInt: pgInteger,
  PgInteger: pgInteger,
  PgSmallSerial: pgInteger,
  PgSerial: pgInteger,
  PgBigInt53: pgBigint53,
  PgBigInt64: pgBigint64,
  PgBigSerial53: pgBigint53,
  PgBigSerial64: pgBigint64,
  PgNumeric: pgNumeric,
  PgNumericNumber: pgNumericNumber,
  PgNumericBigInt: pgNumeric,
  PgDoublePrecision: { field: 'number', types: { number: 'double precision', integer: 'double precision' } },
  PgBoolean: { field: 'boolean', types: { boolean: 'boolean' } },
  PgDate: pgDate,
  PgDateString: pgDate,
  PgTimestamp: pgTimestamp,
  PgTimestampString: pgTimestamp,
  MySqlText: mysqlText,
  MySqlVarChar: mysqlText,
  MySqlChar: mysqlText,
  MySqlEnumColumn: mysqlEnum,
  MySqlEnumObjectColumn: mysqlEnum,
  MySqlTinyInt: mysqlInteger,
  MySqlSmallInt: mysqlInteger,
  MySqlMediumInt: mysqlInteger,
  MySqlInt: mysqlInteger,
  MySqlSerial: mysqlBigint53,
  MySqlBigInt53: mysqlBigint53,
  MySqlBigInt64: mysqlBigint64,
  MySqlDecimal: mysqlDecimal,
  MySqlDecimalNumber: mysqlDecimalNumber,
  MySqlDecimalBigInt: mysqlDecimal,
  MySqlDouble: mysqlDouble,
  MySqlReal: mysqlDouble,
  MySqlBoolean: { field: 'boolean', types: { boolean: 'boolean' } },
  MySqlDate: mysqlDate,
  MySqlDateString: mysqlDate,
  MySqlDateTime: mysqlDateTime,
  MySqlDateTimeString: mysqlDateTime,
  MySqlTimestamp: mysqlDateTime,
  MySqlTimestampString: mysqlDateTime,
  SQLiteText: { field: 'string', types: { string: 'text', uuid: 'text', date: 'isoText', datetime: 'isoText' } },
  SQLiteInteger: {
    field: 'integer',
    types: { integer: 'integer', bigint: 'integer', number: 'integer', boolean: 'boolean', datetime: 'epochMs' },
  },
  SQLiteBoolean: { field: 'boolean', types: { boolean: 'boolean' } },
  SQLiteTimestamp: { field: 'datetime', types: { datetime: 'epochMs' }, digits: 3 },
  SQLiteReal: sqliteNumber,
  SQLiteNumeric: sqliteNumber,
  SQLiteNumericNumber: sqliteNumber,
  SQLiteNumericBigInt: sqliteNumber,
} as const satisfies Record<string, ColumnType>

/** Column types of JSON. Drizzle does not know their content; the options define it. */
export const jsonTypes: ReadonlySet<string> = new Set(['PgJsonb', 'MySqlJson', 'SQLiteTextJson'])

/** Why a column type has no field of its own. Name one in the options where the values of the column allow it. */
export const doubts: Readonly<Record<string, string>> = {
  PgChar: 'PostgreSQL pads its values with spaces',
  PgReal: 'PostgreSQL rounds its values to 24 bits, so they are not equal to what was written',
  MySqlFloat: 'MySQL rounds its values to 24 bits, so they are not equal to what was written',
  PgCustomColumn: 'Drizzle does not say what a custom type holds',
  MySqlCustomColumn: 'Drizzle does not say what a custom type holds',
  SQLiteCustomColumn: 'Drizzle does not say what a custom type holds',
}
