/** DuckDB 1.5. @see https://duckdb.org/docs/stable/ */
import { fittedDecimal } from '../../fitting.ts'
import { compare, frozen, prefixRange, zonedTime, type Dialect, type JsonValue, type StoredType } from './dialect.ts'
import { postgres } from './postgres.ts'
import { parameter, raw, sql, stringLiteral, type Sql } from './sql.ts'

const asText = (column: Sql): Sql => sql`CAST(${column} AS VARCHAR)`
/** Without a time zone of the session: the microseconds since 1970 have none. */
const momentText = (column: Sql): Sql => {
  const text = sql`strftime(make_timestamp(epoch_us(${column})), '%Y-%m-%d %H:%M:%S.%f')`
  // An infinite moment has no microseconds.
  return sql`CASE WHEN isfinite(${column}) THEN ${text} ELSE ${asText(column)} END`
}

/** DECIMAL has 38 digits. A cast of more raises an error, and so does a comparison with a column of more digits before the point. */
const mostDigits = 38
const wholeDigits = (decimal: string): number => /-?0?(\d*)/.exec(decimal)![1]!.length
/* @__NO_SIDE_EFFECTS__ */ const decimals = (): StoredType => ({
  holds: ['decimal'],
  as: {
    decimal: {
      digits: Array.from({ length: mostDigits + 1 }, (_, digits) => digits),
      of: ({ digits = 18 }) => ({
        fit: (operator, value) => {
          const fitted = fittedDecimal(operator, value as string, digits)
          if (typeof fitted === 'boolean' || wholeDigits(fitted.value) <= mostDigits - digits) return fitted
          return operator !== 'eq' && operator.startsWith('lt') !== fitted.value.startsWith('-')
        },
        cast: (operand) => sql`${operand}::${raw(`DECIMAL(${mostDigits}, ${digits})`)}`,
        selected: asText,
      }),
    },
  },
})

/** Writes the path to a member. A name `*` needs a pointer, because `"*"` in a path selects every member. A pointer reads a number as the index of an entry. */
const stepTo = (name: string): string => (name === '*' ? '/*' : `$."${name.replace(/["\\]/g, '\\$&')}"`)
const jsonOf = ({ source, isEntry, names, isKey }: JsonValue): Sql =>
  names
    .map(stepTo)
    .map((step, at) => (isKey && at === names.length - 1 ? sql`${parameter(step)}::VARCHAR` : stringLiteral(step)))
    .reduce((json, step) => sql`json_extract(${json}, ${step})`, isEntry ? sql`${source}."value"` : source)

const isFinite = (column: Sql): Sql => sql`isfinite(${column})`

/** A value of some JSON types, as another type; NULL for the others. */
const ofTypes = (value: JsonValue, types: Sql, read: (json: Sql) => Sql): Sql => {
  const json = jsonOf(value)
  return sql`CASE WHEN json_type(${json}) IN (${types}) THEN ${read(json)} END`
}
const textOf = (json: Sql): Sql => sql`json_extract_string(${json}, '$')`
const doubleOf = (json: Sql): Sql => sql`TRY_CAST(${json} AS DOUBLE)`
const ofText = (value: JsonValue, read: (text: Sql) => Sql): Sql =>
  ofTypes(value, sql`'VARCHAR'`, (json) => read(textOf(json)))
const numbers = /* @__PURE__ */ raw(`'UBIGINT', 'BIGINT', 'DOUBLE'`)

/** DuckDB 1.5.5 prunes `a IS DISTINCT FROM 'x' OR a IS DISTINCT FROM 'y'` to nothing where all of `a` is NULL. */
const differs: Dialect['differs'] = (a, b) => sql`(${a} = ${b}) IS NOT TRUE`

/** The types of DuckDB that no other engine has. */
export type DuckdbType = 'timestampOther'

/**
 * DuckDB, tested with 1.5. Datetimes are `TIMESTAMPTZ`, lists `JSON` or arrays, decimals `DECIMAL`.
 *
 * Its `lower` knows the letters of Unicode 15. `{ ...duckdb, lower: 'urlwhere_lower' }` lower-cases all letters, where
 * `simpleLowerCase` is registered as a scalar function of that name.
 *
 * @see https://duckdb.org/docs/stable/sql/introduction
 */
export const duckdb: Dialect = /* @__PURE__ */ frozen(() => {
  // Its NUMERIC has three digits after the point; it has no citext, and its CHAR is a VARCHAR.
  const { numeric: _, citext: __, char: ___, orderedEnum: ____, ...types } = postgres.types
  // A NULL in a row is greater than any value there. Of a LIMIT in a subquery it makes a window over all entries.
  const {
    rowOperand: _____,
    atLeast: _______,
    lateColumns: ________,
    walksParents: ____________,
    splitsPositions: _________,
    knowsFrequentValues: ___________,
    countsChildrenFirst: __________,
    ...base
  } = postgres
  // Of JSON numbers it keeps a double, which has too few digits for a decimal.
  const { decimal: ______, ...jsonTypes } = postgres.json!.types
  const timestamp = { ...types.timestamp!, selected: momentText }
  return {
    ...base,
    name: 'duckdb',
    engine: 'duckdb',
    types: {
      ...types,
      decimal: decimals(),
      real: { ...types.real!, valid: isFinite },
      'double precision': { ...types['double precision']!, valid: isFinite },
      date: { ...types.date!, selected: asText },
      time: { ...types.time!, holds: ['time'], selected: asText },
      timestamptz: { ...types.timestamptz!, selected: momentText },
      timestamp,
      /** TIMESTAMP_S, TIMESTAMP_MS and TIMESTAMP_NS, to the microsecond. */
      timestampOther: { ...timestamp, read: (column) => sql`CAST(${column} AS TIMESTAMP)` },
      /** DuckDB orders an ENUM by its declaration. */
      enum: { ...types.text, holds: ['string'], read: asText },
    },
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
    // Letters that are newer than Unicode 15.
    unlowered: { lower: /[\u1c89\ua7cb-\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u },
    json: {
      readsKeys: true,
      types: { ...jsonTypes, integer: 'double precision', bigint: 'bigint', number: 'double precision' },
      text: (value) => ofText(value, (text) => text),
      number: (value) => ofTypes(value, numbers, doubleOf),
      uuid: (value) => ofText(value, (text) => sql`lower(${text})`),
      bigint: (value) => {
        const [text, number] = [ofText(value, (text) => text), doubleOf(jsonOf(value))]
        return sql`CASE WHEN regexp_full_match(${text}, '-?(0|[1-9][0-9]{0,18})') THEN TRY_CAST(${text} AS BIGINT)
        WHEN json_type(${jsonOf(value)}) IN (${numbers}) AND trunc(${number}) = ${number} AND abs(${number}) <= 9007199254740991
        THEN TRY_CAST(${number} AS BIGINT) END`
      },
      boolean: (value) => ofTypes(value, sql`'BOOLEAN'`, (json) => sql`CAST(${json} AS BOOLEAN)`),
      isObject: (value) => sql`json_type(${jsonOf(value)}) IS NOT DISTINCT FROM 'OBJECT'`,
      isPresent: (value) => sql`coalesce(json_type(${jsonOf(value)}), 'NULL') <> 'NULL'`,
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
    refusedTypes: { timetz: zonedTime },
    preconditions: [
      'columns of text have no collation, and default_collation is not set',
      'default_order is ASC, and default_null_order is NULLS_LAST, as they are by default',
      'columns of moments are TIMESTAMP, in UTC, or TIMESTAMPTZ; their type is timestampOther for others, to the microsecond',
      'datetimes in columns of text are canonical, to the digits that the column or the schema says; uuids there are in lower case',
      'DECIMAL columns have at most 18 digits after the point and 20 before it, or declare their digits',
      'columns of numbers have no NaN',
      'JSON is stored as JSON',
    ],
  }
})
