/** SQLite 3.38 and later. @see https://www.sqlite.org/lang.html */
import {
  compare,
  amongEach,
  atLeastByCount,
  atLeastByOffset,
  epochMs,
  epochS,
  fitBigintText,
  inRange,
  fitMoment,
  frozen,
  momentTexts,
  prefixRange,
  scaled,
  secondTexts,
  uuidTexts,
} from './dialect.ts'
import type { Dialect, JsonRules, JsonValue, StoredType, StoredVariant } from './dialect.ts'
import { levelsInTurso, levelsWithin, symbolsOf } from './levels.ts'
import { stringLiteral, parameter, raw, sql, type Parameter, type Sql } from './sql.ts'

/** Some drivers raise an error for an integer beyond those of a double, and others round it. */
const asText = (column: Sql): Sql => sql`CAST(${column} AS TEXT)`
const isInteger = (column: Sql): Sql => sql`typeof(${column}) = 'integer'`
/**
 * A statement sends an integer of 64 bits as a text, because some drivers round large numbers. SQLite converts the text for a column
 * with an affinity. CAST converts the text for a column without an affinity, such as an expression of a view.
 *
 * @see https://www.sqlite.org/datatype3.html#comparison_expressions
 */
const castDigits = (digits: Parameter): Sql => sql`CAST(${digits} AS INTEGER)`
const amongDigits = (column: Sql, operands: readonly unknown[]): Sql =>
  amongAll(column, operands, castDigits, (digits) => `[${digits.join()}]`)
const ofDigits = { cast: castDigits, among: amongDigits, selected: asText, valid: isInteger }
/** The planner takes a list in JSON for a long one, and may rather scan the table; a long one of parameters is slow to prepare. */
const amongAll = (
  value: Sql,
  operands: readonly unknown[],
  write: ((operand: Parameter) => Sql) | undefined,
  listOf: (operands: readonly unknown[]) => string,
): Sql =>
  operands.length <= 8
    ? amongEach(value, operands, write)
    : sql`${value} IN (SELECT "value" FROM json_each(${parameter(listOf(operands))}))`

/** Functions of JSON write 15 digits of a double in SQLite 3.40, workerd and libSQL. */
const inAllDigits = (column: Sql): Sql => {
  const digits = sql`CASE WHEN abs(${column}) < 9e999 THEN printf('%!.17g', ${column}) END`
  return sql`json(CASE typeof(${column}) WHEN 'real' THEN ${digits} WHEN 'integer' THEN ${column} END)`
}

/** A column with the affinity TEXT converts a number to a text before it compares the number. The test of the type prevents this. */
const isNumberIn =
  (test: (column: Sql) => Sql) =>
  (column: Sql): Sql =>
    sql`(typeof(${column}) IN ('integer', 'real') AND ${test(column)})`
const isNumber = /* @__PURE__ */ isNumberIn((column) => sql`${column} > -9e999 AND ${column} < 9e999`)
const isSafeNumber = /* @__PURE__ */ isNumberIn(/* @__PURE__ */ inRange('-9007199254740991', '9007199254740991'))
/** The formed text begins with the year, which must be 0001 or later. COLLATE overrides the NOCASE or RTRIM of a column. */
const isInForm = (formed: Sql, text: Sql): Sql => sql`(${formed} = ${text} COLLATE BINARY AND ${formed} > '0001')`
/** `time` reads more forms, and rounds a fraction. */
const isTime = (text: Sql): Sql => {
  const second = sql`substr(${text}, 1, 8)`
  const isFraction = sql`length(${text}) BETWEEN 10 AND 15 AND substr(${text}, 9) GLOB '.*[1-9]' AND substr(${text}, 10) NOT GLOB '*[^0-9]*'`
  return sql`(time(${second}) = ${second} COLLATE BINARY AND (length(${text}) = 8 OR (${isFraction})))`
}
/* @__NO_SIDE_EFFECTS__ */ const wholeNumbers = (type: StoredType): StoredType => ({
  ...type,
  valid: (column) => sql`(${isInteger(column)} AND ${type.valid!(column)})`,
})

/* @__NO_SIDE_EFFECTS__ */ function isoMoments(): StoredVariant {
  const texts = momentTexts((column) => sql`rtrim(${column}, 'Z')`)
  const isIn = (form: string, text: Sql) => isInForm(sql`strftime(${raw(form)}, ${text})`, text)
  const ofMilliseconds = (text: Sql) => isIn(`'%Y-%m-%dT%H:%M:%fZ'`, text)
  const ofMicroseconds = (column: Sql) =>
    sql`(length(${column}) = 27 AND substr(${column}, 24) GLOB '[0-9][0-9][0-9]Z' AND ${ofMilliseconds(sql`(substr(${column}, 1, 23) || 'Z')`)})`
  return {
    ...texts,
    of: (options) => ({
      ...texts.of!(options),
      valid: (column) => {
        if (options.digits === 0) return isIn(`'%Y-%m-%dT%H:%M:%SZ'`, column)
        if (options.digits === 3) return ofMilliseconds(column)
        if (options.digits === 6) return ofMicroseconds(column)
        return sql`(${ofMilliseconds(column)} OR (${ofMicroseconds(column)} AND substr(${column}, 24) <> '000Z'))`
      },
    }),
  }
}

const types = {
  text: { holds: ['string', 'uuid'], isText: true, as: { uuid: uuidTexts } },
  /** Text in a column with the collation BINARY, and uuids. A collation in a condition prevents the use of indexes for an OR. */
  orderedText: { holds: ['string', 'uuid'], as: { uuid: uuidTexts } },
  /** Canonical text, the same in every collation. */
  isoText: {
    holds: ['date', 'datetime', 'time'],
    valid: (column: Sql) => isInForm(sql`date(${column})`, column),
    as: { datetime: /* @__PURE__ */ isoMoments(), time: { of: () => ({ valid: isTime }) } },
  },
  integer: {
    holds: ['integer', 'bigint', 'number'],
    returned: ['bigint'],
    valid: isNumber,
    as: {
      bigint: { of: () => ofDigits },
      integer: { of: () => ({ selected: asText, valid: isSafeNumber }) },
    },
  },
  scaled: /* @__PURE__ */ scaled(ofDigits),
  /** A column with the affinity NUMERIC stores whole numbers as integers. */
  real: { holds: ['integer', 'number'], returned: ['bigint'], inJson: inAllDigits, valid: isNumber },
  /** An integer that the schema has as a string. */
  bigintText: {
    holds: ['string'],
    fit: fitBigintText,
    cast: castDigits,
    among: amongDigits,
    asText,
    selected: asText,
    returned: ['number', 'bigint'],
  },
  /** 0 and 1: SQLite has no booleans. */
  boolean: {
    holds: ['boolean'],
    hasOthers: true,
    valid: /* @__PURE__ */ isNumberIn((column) => sql`${column} IN (0, 1)`),
    encode: Number,
    returned: ['number', 'bigint'],
    // A driver may return the text of an integer. Conditions and orders treat all other values as values, so SELECT must not return NULL for them.
    selected: (column: Sql) => sql`CASE WHEN ${column} NOT IN (0, 1) THEN -1 ELSE ${column} END`,
  },
  /** Integers of which all but 0 are true. */
  nonzero: {
    holds: ['boolean'],
    read: (column: Sql) => sql`(${column} <> 0)`,
    encode: Number,
    returned: ['number', 'bigint'],
  },
  epochMs: /* @__PURE__ */ wholeNumbers(/* @__PURE__ */ epochMs({ selected: asText, returned: ['number', 'bigint'] })),
  epochS: /* @__PURE__ */ wholeNumbers(/* @__PURE__ */ epochS({ selected: asText })),
  /** `2024-02-29 23:59:58`, as CURRENT_TIMESTAMP writes it. */
  sqlText: /* @__PURE__ */ secondTexts((second) => second.replace('T', ' '), /^.{10} .{8}$/, {
    valid: (column) => isInForm(sql`datetime(${column})`, column),
  }),
  /** Text in any form that SQLite reads, to the millisecond. An index on the expression of `read` serves it. */
  anyText: {
    holds: ['datetime'],
    fit: fitMoment,
    digits: 3,
    read: (column: Sql) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`,
  },
} as const satisfies Record<string, StoredType>
export type SqliteType = keyof typeof types

const columnTypes = /* @__PURE__ */ Object.freeze({
  string: 'text',
  uuid: 'orderedText',
  integer: 'integer',
  bigint: 'integer',
  number: 'real',
  boolean: 'boolean',
  date: 'isoText',
  datetime: 'isoText',
  time: 'isoText',
})

/** Columns may be declared NOCASE or RTRIM. */
const binary = (text: Sql) => sql`${text} COLLATE BINARY`

/** A name in a path. In SQLite 3.46, a name ends at each quotation mark, also at one behind a backslash. */
const labelOf = (name: string): string =>
  `."${name
    .split('"')
    .map((part) => JSON.stringify(part).slice(1, -1))
    .join('\\u0022')}"`
/** The path after a document that names a member of it; empty for the document itself. */
const pathOf = ({ names, isKey }: JsonValue): Sql => {
  const path = `$${names.map(labelOf).join('')}`
  return names.length === 0 ? sql`` : sql`, ${isKey ? parameter(path) : stringLiteral(path)}`
}

/** The document that contains a value; NULL for malformed text, on which the functions of JSON raise an error. */
const documentOf = ({ source, isEntry }: JsonValue): Sql =>
  isEntry
    ? sql`CASE ${source}."type" WHEN 'object' THEN ${source}."value" END`
    : sql`CASE WHEN json_valid(${source}) THEN ${source} END`

/** An entry has its type and its value in columns; a member is looked up. */
const isEntryItself = ({ isEntry, names }: JsonValue): boolean => isEntry && names.length === 0
const typeOf = (value: JsonValue): Sql =>
  isEntryItself(value) ? sql`${value.source}."type"` : sql`json_type(${documentOf(value)}${pathOf(value)})`
const valueIn =
  (entry: (source: Sql) => Sql) =>
  (value: JsonValue): Sql =>
    isEntryItself(value)
      ? entry(value.source)
      : sql`json_extract(${documentOf(value)}${value.names.length === 0 ? sql`, '$'` : pathOf(value)})`

/** Whether JavaScript rounds the digits that it writes: it writes 1152921504606847232 as `1152921504606847200`. SQLite reads all digits. */
const isInexact = (operand: unknown): operand is number =>
  typeof operand === 'number' && Math.abs(operand) > Number.MAX_SAFE_INTEGER

/** Operands as a list in JSON. SQLite reads a number with an exponent as a double. @see https://www.sqlite.org/json1.html */
const listOf = (operands: readonly unknown[]): string =>
  operands.some(isInexact)
    ? `[${operands.map((one) => (isInexact(one) ? one.toExponential() : JSON.stringify(one))).join()}]`
    : JSON.stringify(operands)

/** @param entry the value of an entry that is a text or a number. */
const jsonBy = (entry: (source: Sql) => Sql): JsonRules => {
  const valueOf = valueIn(entry)
  return {
    // Drivers return all digits of a double, and CAST AS TEXT has 15 in SQLite 3.46, workerd, libSQL and Turso.
    types: { ...columnTypes, integer: 'real' },
    readsKeys: true,
    text: (value) => sql`CASE ${typeOf(value)} WHEN 'text' THEN ${valueOf(value)} END`,
    // A double, because SQLite can read a different integer: see isInexact.
    number: (value) => sql`CASE WHEN ${typeOf(value)} IN ('integer', 'real') THEN CAST(${valueOf(value)} AS REAL) END`,
    uuid: (value) => sql`CASE ${typeOf(value)} WHEN 'text' THEN lower(${valueOf(value)}) END`,
    bigint: (value) => {
      const [type, read] = [typeOf(value), valueOf(value)]
      const integer = sql`CAST(${read} AS INTEGER)`
      // A cast reads as many digits as it can, and ends at the bounds of 64 bits: a text in another form is another text then.
      const isText = sql`${type} = 'text' AND ${read} IN (CAST(${integer} AS TEXT), '-0')`
      const isSafe = sql`${type} IN ('integer', 'real') AND ${read} BETWEEN -9007199254740991 AND 9007199254740991`
      return sql`CASE WHEN ${isText} OR (${isSafe} AND ${read} = ${integer}) THEN ${integer} END`
    },
    boolean: (value) => sql`CASE ${typeOf(value)} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
    isObject: (value) => sql`${typeOf(value)} IS 'object'`,
    isPresent: (value) => sql`coalesce(${typeOf(value)}, 'null') <> 'null'`,
    entries: (list, name) => {
      const { source, isEntry } = list
      const path = pathOf(list)
      // Turso's json_each returns one row for NULL. A column is checked once, for that reads all of its text.
      const lists = isEntry
        ? sql`CASE ${typeOf(list)} WHEN 'array' THEN ${documentOf(list)} ELSE '[]' END`
        : sql`CASE WHEN json_valid(${source}) THEN CASE json_type(${source}${path}) WHEN 'array' THEN ${source} ELSE '[]' END ELSE '[]' END`
      return sql`json_each(${lists}${path}) AS ${name}`
    },
  }
}

/** A bare parameter is read by the planner, which then prepares the statement anew for each execution. */
const wholeNumber = (number: number) => sql`CAST(${parameter(number)} AS INTEGER)`

/** SQLite. Dates and datetimes are canonical text, booleans 0 and 1. */
export const sqlite: Dialect = /* @__PURE__ */ frozen(() => ({
  name: 'sqlite',
  countsChildrenFirst: true,
  engine: 'sqlite',
  quote: '"',
  placeholder: () => '?',
  types,
  columnTypes,
  differs: (a, b) => sql`${a} IS NOT ${b}`,
  // Boolean expressions are 0, 1 or NULL. The word TRUE is a column where there is one of that name.
  isTrue: (expression) => sql`(${expression}) IS 1`,
  isNotTrue: (expression) => sql`(${expression}) IS NOT 1`,
  among: (value, operands, { isText }) =>
    amongAll(isText === true ? binary(value) : value, operands, undefined, listOf),
  textRules: {
    compare: (value, operator, text) => compare(binary(value), operator, text),
    differs: (value, text) => sql`${binary(value)} IS NOT ${text}`,
    ordered: binary,
    orderedLower: (lowered) => lowered,
    prefix: prefixRange((lowered) => lowered),
    suffix: (lowered, operand, text) =>
      sql`substr(${lowered}, ${parameter(-Array.from(operand).length)}) = ${text(operand)}`,
    substring: (lowered, operand, text) => sql`instr(${lowered}, ${text(operand)}) > 0`,
  },
  lower: 'lower',
  unlowered: { lower: /[^\0-\x7f]/u },
  // A collation on the right leaves the column alone on the left, which an index needs; rowids have none of their own.
  rowOperand: binary,
  placesNulls: true,
  splitsPositions: 'directions, absent values and expressions',
  lateColumns: true,
  walksParents: 'by row',
  // It sorts all rows of a list of values.
  mostRanges: 32,
  wholeNumber,
  atLeast: atLeastByOffset(wholeNumber),
  json: jsonBy((entry) => sql`${entry}."value"`),
  select: {
    array: (values) => sql`json_array(${values})`,
    // Those of Cloudflare's D1; SQLite takes 100.
    mostArguments: 32,
    json: (column) => sql`json(CASE WHEN json_valid(${column}) THEN ${column} END)`,
    text: (json) => json,
    // Since 3.54, a subquery returns its JSON as text.
    nested: (list) => sql`json(${list})`,
    // The order of a subquery is that of the aggregate. ORDER BY inside of it needs SQLite 3.44.
    list: (entry, rows, order) =>
      sql`(SELECT json_group_array(json(v)) FROM (SELECT ${entry} AS v FROM ${rows} ORDER BY ${order}))`,
  },
  // SQLITE_MAX_VARIABLE_NUMBER, unless it is compiled with another.
  maxParameters: 32_766,
  // SQLITE_MAX_EXPR_DEPTH and SQLITE_MAX_COLUMN, likewise.
  maxDepth: 1_000,
  depthOf: levelsWithin,
  maxColumns: 2_000,
  preconditions: [
    'tables are STRICT, or hold nothing but the types that the mapping declares',
    'the database is in UTF-8, and text holds no U+0000',
    'datetimes are stored as the mapping says: texts in one form, or seconds or milliseconds since 1970',
    'uuids are stored in lower case',
  ],
}))

/**
 * Cloudflare's D1, which has lower limits than SQLite.
 *
 * @see https://developers.cloudflare.com/d1/platform/limits/
 */
export const d1: Dialect = /* @__PURE__ */ frozen(() => ({
  ...sqlite,
  name: 'd1',
  maxParameters: 100,
  maxBytes: 100_000,
  // The limits of workerd that the page does not list: src/workerd/util/sqlite.c++.
  maxDepth: 100,
  // SQLITE_LIMIT_COMPOUND_SELECT
  mostRanges: 5,
  maxColumns: 100,
}))

/**
 * libSQL, and SQLite before 3.46: its parser has a stack of 100 symbols, and its JSON paths find no member with a quotation mark in its
 * name.
 */
export const libsql: Dialect = /* @__PURE__ */ frozen(() => ({
  ...sqlite,
  name: 'libsql',
  json: { ...jsonBy((entry) => sql`${entry}."value"`), isOutOfReach: (name) => name.includes('"') },
  maxDepth: 100,
  depthOf: symbolsOf,
}))

/** Turso's engine, a SQLite in Rust. Its `json_each` returns values with the escapes of JSON. */
export const turso: Dialect = /* @__PURE__ */ frozen(() => ({
  ...sqlite,
  name: 'turso',
  atLeast: atLeastByCount,
  among: (value, operands, { isText }) => amongEach(isText === true ? binary(value) : value, operands),
  json: jsonBy(
    (entry) =>
      sql`CASE ${entry}."type" WHEN 'text' THEN json_extract('"' || ${entry}."value" || '"', '$') ELSE ${entry}."value" END`,
  ),
  // Turso 0.7.2 ends the process with `duplicate cursor key` for some filters: docs/guides/sqlite.md#turso.
  countsLists: false,
  countsChildrenFirst: false,
  maxDepth: 100,
  depthOf: levelsInTurso,
}))
