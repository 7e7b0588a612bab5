/** DuckDB 1.5, as a third party adds a dialect: from what `urlwhere/sql` exports. @see https://duckdb.org/docs/ */
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBInstance,
  DuckDBScalarFunction,
  LIST,
  listValue,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { postgres, simpleLowerCase, type Dialect } from '../../../src/backends/sql/index.ts'
import {
  compare,
  fittedDecimal,
  stringLiteral,
  prefixRange,
  raw,
  sql,
  type JsonValue,
  type Sql,
  type StoredType,
} from '../../../src/backends/sql/dialect/index.ts'
import type { Engine } from './engines.ts'

/** The way to a member. `"*"` in a path is every member, and a number in a pointer may be an entry. */
const stepTo = (name: string): Sql => stringLiteral(name === '*' ? '/*' : `$."${name.replace(/["\\]/g, '\\$&')}"`)
const jsonOf = ({ source, isEntry, names }: JsonValue): Sql =>
  names.reduce((json, name) => sql`json_extract(${json}, ${stepTo(name)})`, isEntry ? sql`${source}."value"` : source)

/** A value of some JSON types, as another type; NULL for the others. */
const ofTypes = (value: JsonValue, types: Sql, read: (json: Sql) => Sql): Sql => {
  const json = jsonOf(value)
  return sql`CASE WHEN json_type(${json}) IN (${types}) THEN ${read(json)} END`
}

// Its NUMERIC has three digits after the point; it has no citext, and its enumerations compare as texts.
const { numeric: _, citext: __, enum: ___, ...others } = postgres.types
// A NULL in a row is greater than any value there.
const { rowOperand: _____, ...base } = postgres

const asText = (column: Sql): Sql => sql`CAST(${column} AS VARCHAR)`

/** DECIMAL has 38 digits, so many of them after the point: an operand must fit, or the cast fails. */
const decimal: StoredType = {
  holds: ['decimal'],
  as: {
    decimal: {
      digits: [0, 2, 6, 18],
      of: ({ digits = 18 }) => ({
        fit: (operator, value) => {
          const fitted = fittedDecimal(operator, value as string, digits)
          if (typeof fitted === 'boolean' || fitted.value.search(/\.|$/) <= 38 - digits) return fitted
          return operator !== 'eq' && operator.startsWith('lt') !== fitted.value.startsWith('-')
        },
        cast: (operand) => sql`${operand}::${raw(`DECIMAL(38, ${digits})`)}`,
        selected: asText,
      }),
    },
  },
}
/** Without a time zone of the session: the microseconds since 1970 have none. */
const momentText = (column: Sql): Sql => sql`strftime(make_timestamp(epoch_us(${column})), '%Y-%m-%d %H:%M:%S.%f')`
const types = {
  ...others,
  decimal,
  date: { ...others.date!, selected: asText },
  timestamptz: { ...others.timestamptz!, selected: momentText },
  timestamp: { ...others.timestamp!, selected: momentText },
}

const textOf = (json: Sql): Sql => sql`json_extract_string(${json}, '$')`
const numbers = sql`'UBIGINT', 'BIGINT', 'DOUBLE'`
// Of JSON numbers it keeps a double, which has too few digits for a decimal.
const { decimal: ____, ...jsonTypes } = postgres.json!.types

/** DuckDB 1.5.5 prunes `a IS DISTINCT FROM 'x' OR a IS DISTINCT FROM 'y'` to nothing where all of `a` is NULL. */
const differs: Dialect['differs'] = (a, b) => sql`(${a} = ${b}) IS NOT TRUE`

export const duckdb: Dialect = {
  ...base,
  name: 'duckdb',
  types,
  columnTypes: { ...postgres.columnTypes, decimal: 'decimal' },
  differs,
  // Texts compare by their bytes as it is, and LIKE has no escape of its own.
  textRules: {
    compare,
    differs,
    prefix: prefixRange((text) => text),
    suffix: (lowered, operand, text) => sql`suffix(${lowered}, ${text(operand)})`,
    substring: (lowered, operand, text) => sql`contains(${lowered}, ${text(operand)})`,
  },
  nulls: { ascending: ' NULLS FIRST', descending: ' NULLS LAST' },
  /** Letters of Unicode 14 and later. */
  unlowered: { lower: /[\u1c89\ua7cb-\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u },
  json: {
    types: { ...jsonTypes, integer: 'double precision', bigint: 'bigint', number: 'double precision' },
    text: (value) => ofTypes(value, sql`'VARCHAR'`, textOf),
    number: (value) => ofTypes(value, numbers, (json) => sql`TRY_CAST(${json} AS DOUBLE)`),
    uuid: (value) => ofTypes(value, sql`'VARCHAR'`, (json) => sql`lower(${textOf(json)})`),
    bigint: (value) => {
      const [json, ofText] = [jsonOf(value), ofTypes(value, sql`'VARCHAR'`, textOf)]
      const [whole, number] = [sql`'-?(0|[1-9][0-9]{0,18})'`, sql`TRY_CAST(${json} AS DOUBLE)`]
      return sql`CASE WHEN regexp_full_match(${ofText}, ${whole}) THEN TRY_CAST(${ofText} AS BIGINT)
        WHEN json_type(${json}) IN (${numbers}) AND trunc(${number}) = ${number} AND abs(${number}) <= 9007199254740991
        THEN TRY_CAST(${number} AS BIGINT) END`
    },
    boolean: (value) => ofTypes(value, sql`'BOOLEAN'`, (json) => sql`CAST(${json} AS BOOLEAN)`),
    isObject: (value) => sql`json_type(${jsonOf(value)}) IS NOT DISTINCT FROM 'OBJECT'`,
    entries: (list, name) => sql`unnest(json_extract(${jsonOf(list)}, '$[*]')) AS ${name}("value")`,
  },
  // No index of its serves a list.
  array: {
    entries: postgres.array!.entries,
    entry: postgres.array!.entry,
    list: (column, name, entry) =>
      sql`CASE WHEN ${column} IS NOT NULL THEN to_json(list_transform(${column}, lambda ${name}: ${entry(name)})) END`,
  },
  select: {
    array: (values) => sql`json_array(${values})`,
    mostArguments: 100,
    json: (column) => column,
    text: asText,
    list: (entry, rows, order) => sql`(SELECT to_json(list(${entry} ORDER BY ${order})) FROM ${rows})`,
  },
  preconditions: [
    'columns have no collation of their own',
    'times are stored to the microsecond',
    'JSON is stored as JSON',
  ],
}
/** With the function that makes its lower-casing whole. */
export const wholeDuckdb: Dialect = { ...duckdb, lower: 'urlwhere_lower' }

const wholeLower = () =>
  DuckDBScalarFunction.create({
    name: 'urlwhere_lower',
    parameterTypes: [VARCHAR],
    returnType: VARCHAR,
    mainFunction: (_, input, output) => {
      for (const [at, text] of input.getColumnValues(0).entries()) {
        output.setItem(at, typeof text === 'string' ? simpleLowerCase(text) : null)
      }
      output.flush()
    },
  })

/** The type of a parameter: the driver takes whole numbers for 32 bits, and knows none for an empty list. */
const typeOf = (value: unknown): DuckDBType => {
  if (Array.isArray(value)) return LIST(typeOf((value as unknown[]).find((item) => item !== null)))
  if (typeof value === 'bigint') return BIGINT
  return typeof value === 'number' ? DOUBLE : typeof value === 'boolean' ? BOOLEAN : VARCHAR
}

export async function openDuckdb(dialect: Dialect = duckdb): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  connection.registerScalarFunction(wholeLower())
  return {
    name: dialect === wholeDuckdb ? 'duckdb, lower-casing whole' : 'duckdb',
    dialect,
    declared: {
      string: 'VARCHAR',
      uuid: 'UUID',
      bigint: 'BIGINT',
      decimal: 'DECIMAL(38, 18)',
      integer: 'BIGINT',
      number: 'DOUBLE',
      boolean: 'BOOLEAN',
      date: 'DATE',
      datetime: 'TIMESTAMPTZ',
      json: 'JSON',
    },
    options: '',
    lacks: ['long-decimals'],
    stored: (type, value) => (type === 'json' ? JSON.stringify(value) : value),
    run: async (statement, parameters = []) => {
      const values = parameters.map((value) => (Array.isArray(value) ? listValue(value) : (value as DuckDBValue)))
      return (await connection.runAndReadAll(statement, values, parameters.map(typeOf))).getRowObjectsJS()
    },
    close: async () => {
      connection.closeSync()
      return Promise.resolve(instance.closeSync())
    },
    planning: { textIndexes: (column) => [`(${column})`], analyze: (table) => `ANALYZE ${table}` },
  }
}
