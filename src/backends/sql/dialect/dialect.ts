/** The interface of a dialect: data, and templates for the SQL that differs between engines. */
import type { ComparisonOperator, Literal, LiteralType, Path } from '../../../tree/index.ts'
import type { DriverForm } from '../../../query/index.ts'
import { own, ownOf } from '../../../own.ts'
import { bigintOf, canonicalBigint, canonicalDecimal } from '../../../values/exact.ts'
import { afterPrefix } from '../../../values/order.ts'
import { canonicalUuid } from '../../../values/uuid.ts'
import { canonicalDateTimeOfSql, canonicalTime } from '../../../values/time.ts'
import { fittedMoment, fittedReal, fittedScaled, fittedSecond, type Fitted } from '../../fitting.ts'
import { shortestOfFloat } from '../../../values/float.ts'
import { join, parameter, raw, sql, type Parameter, type Sql } from './sql.ts'

/** How a column stores a field. */
export interface StoredType {
  /** The types of literals that the type stores. */
  readonly holds: readonly LiteralType[]
  /** Variants of the type, by the type of the literal. */
  readonly as?: { readonly [T in LiteralType]?: StoredVariant }
  /**
   * For a type that is coarser than literals: replaces a comparison by an equivalent one with a value that a column can have, or by a
   * constant. The operator `eq` stays `eq`, or becomes `false` for a value that no column can have.
   */
  readonly fit?: (operator: ComparisonOperator, value: Literal['value']) => Fitted<Literal['value']>
  /**
   * Converts a column to the expression that conditions, orders, positions and SELECT read. It is NULL if the field has no value. An index
   * on the column does not serve the expression.
   *
   * @example const year: StoredType['read'] = (column) => sql`CAST(${column} AS SIGNED)`
   */
  readonly read?: (column: Sql) => Sql
  /** Tests whether the type can read the value of a column. `invalid: 'null'` requires this test. */
  readonly valid?: (column: Sql) => Sql
  /** Converts a literal's value to the value that the driver sends. */
  readonly encode?: (value: Literal['value']) => unknown
  /** For booleans: whether a column can contain other values, which an order places before and after them. */
  readonly hasOthers?: boolean
  /** Casts a parameter to this type, for engines that would guess another, and for drivers that would change its value. */
  readonly cast?: (parameter: Parameter) => Sql
  /** Whether the type compares by {@link TextRules}. */
  readonly isText?: boolean
  /** Whether a column of text already has the order of {@link TextRules}: ORDER BY needs no collation, so an index serves it. */
  readonly isOrdered?: boolean
  /** Whether the column itself has the order of the values of its enumeration, so an index on it serves that order. */
  readonly isInDeclaredOrder?: boolean
  /**
   * The SQL type with which JSON_TABLE reads the values. Dialects with {@link Dialect.needsListed} need it for all types but text and
   * those with {@link among}.
   *
   * @see https://dev.mysql.com/doc/refman/8.0/en/json-table-functions.html
   */
  readonly listed?: string
  /**
   * Tests whether a column equals an operand, if `=` alone is not exact. It is NULL only if the column is NULL. With `nullIsFalse`, it
   * may be NULL in place of false. `value` is the literal's value.
   */
  readonly equal?: (column: Sql, operand: Sql, value: Literal['value'], nullIsFalse: boolean) => Sql
  /** Tests whether a column equals one of the operands, if {@link Dialect.among} is not exact. It is NULL only if the column is NULL. */
  readonly among?: (column: Sql, operands: readonly unknown[]) => Sql
  /**
   * Casts a column or the parameter with the operands to an array of this type, for {@link ArrayRules.contains}. It returns `undefined`
   * if an operand is not a value of the type. Only for types whose `=` selects the same as {@link equal} and {@link among}.
   */
  readonly array?: (array: Sql | Parameter) => Sql | undefined
  /** Converts a column to the text that the statement orders and matches in its place. It is NULL only if the column is NULL. */
  readonly asText?: (column: Sql) => Sql
  /** Whether stored values are equal exactly where their {@link asText} is. Facets then group them, and convert one of each group. */
  readonly hasOneText?: true
  /** Whether equal stored values have equal texts, and a column has few of them. A facet of all rows then groups the column before it reads a text. */
  readonly isOfFew?: true
  /** Converts a literal's value to a text to compare with {@link asText}. Default: the value itself. */
  readonly encodeText?: (value: Literal['value']) => string
  /** A comparison of the column itself, for an index. It is true for every row that the comparison of {@link asText} selects. */
  readonly bound?: (operator: ComparisonOperator, value: Literal['value']) => Comparing
  /**
   * Converts a column for SELECT, mostly to text, if drivers return its values in different forms or lose digits. Default: the column
   * itself. {@link decode} reads the driver's value.
   */
  readonly selected?: (column: Sql) => Sql
  /** Converts a column to a value of {@link SelectRules.array}, if that would lose digits. Default: {@link selected}. */
  readonly inJson?: (column: Sql) => Sql
  /** Forms that drivers return besides the form of the schema. `page(rows)` accepts these, too. */
  readonly returned?: readonly DriverForm[]
  /** Converts a driver's value to the form of the schema. It returns `undefined` if a cursor cannot contain the value. */
  readonly decode?: (value: unknown) => unknown
  /** For datetimes: the fractional digits of seconds, if the column declares them. A `Date` has three. */
  readonly digits?: 3
}

/** An operator and the value that it compares with. */
export type Comparing = Exclude<Fitted<Literal['value']>, boolean>

/** The parts of a stored type that differ for the literals of one type. */
export interface StoredVariant {
  /** The allowed values of a column's option `digits`. Default: none. */
  readonly digits?: readonly number[]
  /** Whether a column must have the option `digits`. */
  readonly needsDigits?: boolean
  /** Whether a column may have the option `name`: a type of the database. */
  readonly isNamed?: boolean
  /** Whether a column must have the option `name`. */
  readonly needsName?: boolean
  /** The parts that differ. */
  readonly of?: (options: TypeOptions) => Partial<StoredType>
}

/** The type that a column declares. */
export interface TypeOptions {
  /** The option `digits` of the column, or of the field where the type allows that. */
  readonly digits?: number | undefined
  /** The option `name`, quoted. */
  readonly name?: string | undefined
  /** The values of the field, if it is an enumeration. */
  readonly values?: readonly string[] | undefined
}

/** How a dialect compares texts: exactly, and in the order of code points. */
export interface TextRules {
  readonly compare: (value: Sql, operator: ComparisonOperator, text: Sql) => Sql
  readonly differs: (value: Sql, text: Sql) => Sql
  /** A text for ORDER BY, in the order of code points. Default: the text itself. */
  readonly ordered?: (value: Sql) => Sql
  /** A lower-cased text for ORDER BY, in the order of code points. Default: {@link ordered}. */
  readonly orderedLower?: (lowered: Sql) => Sql
  /** Prepares a text for {@link Dialect.lower}, for example with the collation that lower-cases it. */
  readonly cased?: (value: Sql) => Sql
  /** Tests whether a lower-cased value starts with the operand, which is lower-cased and not empty. `text` makes a parameter. */
  readonly prefix: (lowered: Sql, operand: string, text: (text: string) => Sql) => Sql
  /** Tests whether a lower-cased value equals the operand. Default: `=`. Engines with padding collations need it. */
  readonly whole?: TextRules['prefix']
  /** Tests whether a value ends with the operand, which is not empty. It compares case: to ignore case, the statement lower-cases both. */
  readonly suffix: (value: Sql, operand: string, text: (text: string) => Sql) => Sql
  /** Tests whether a value contains the operand, which is not empty. It compares case, like {@link suffix}. */
  readonly substring: (value: Sql, operand: string, text: (text: string) => Sql) => Sql
}

/** A JSON value in SQL: a column or an entry of {@link JsonRules.entries}, or a member of either. */
export interface JsonValue {
  /** The column, or the name of the entries in `FROM`. */
  readonly source: Sql
  readonly isEntry: boolean
  readonly names: readonly string[]
  /** Whether the last name is a key of a record: a text of a caller, which a statement contains as a parameter alone. */
  readonly isKey: boolean
}

/** How a dialect reads JSON. Each reader is NULL for a value of another type, and never raises an error. */
export interface JsonRules {
  /** By the type of the literal: the name in {@link Dialect.types} of the type that a reader returns. */
  readonly types: Readonly<Partial<Record<LiteralType, string>>>
  /** Casts a column of the type that `jsonColumn` names to the usual JSON type. Without it, `jsonColumn` accepts no type. */
  readonly sources?: Readonly<Record<'json', (column: Sql) => Sql>>
  readonly text: (value: JsonValue) => Sql
  readonly number: (value: JsonValue) => Sql
  readonly boolean: (value: JsonValue) => Sql
  /** Reads a text in lower case. Without it, a mapping cannot have uuids in JSON. */
  readonly uuid?: (value: JsonValue) => Sql
  /** Reads a text or a number as a whole number of 64 bits. Without it, a mapping cannot have bigints in JSON. */
  readonly bigint?: (value: JsonValue) => Sql
  /** Reads a text or a number as a decimal with all digits. Without it, a mapping cannot have decimals in JSON. */
  readonly decimal?: (value: JsonValue) => Sql
  /** Whether the readers know {@link JsonValue.isKey}. Without it, a mapping has no `field.record()`. */
  readonly readsKeys?: true
  /** Whether the engine's JSON paths cannot contain a member name. */
  readonly isOutOfReach?: (name: string) => boolean
  /** Tests whether the value is an object. It is never NULL. */
  readonly isObject: (value: JsonValue) => Sql
  /** Tests whether there is a value other than JSON's `null`. It is never NULL. Without it, a mapping has no `field.json()`. */
  readonly isPresent?: (value: JsonValue) => Sql
  /**
   * The entries of a list as rows, for `FROM`; no rows for any other value. Without it, `sqlBackend` refuses a mapping with lists in
   * JSON.
   */
  readonly entries?: (list: JsonValue, name: Sql) => Sql
  /**
   * Tests whether {@link entries} has a row, or with `negated` no row. It is never NULL. `rows` is the text after `FROM`. Default:
   * EXISTS. An engine needs it if its planner turns EXISTS into a wrong join.
   */
  readonly exists?: (rows: Sql, negated: boolean) => Sql
  /** Compares a whole list in a column with operands, for an index on the column. */
  readonly contains?: JsonContains
}

/** Compares a whole list in JSON with operands. */
export interface JsonContains {
  /**
   * For a reader of {@link JsonRules}: the texts of all JSON values that it reads as the operand, or `undefined` if they cannot be
   * listed. For an absent reader, the statement compares each entry.
   */
  readonly forms: {
    readonly [R in 'text' | 'number' | 'boolean' | 'uuid' | 'bigint' | 'decimal']?: (
      operand: unknown,
    ) => readonly string[] | undefined
  }
  /**
   * Tests whether the JSON document in a column contains one of the values at a place. `forms` is one JSON text or a list. The first of
   * `paths` leads from the document to a list, the next ones from an entry to an inner list, the last one from an entry to the value. It
   * never raises an error.
   */
  readonly test: (column: Sql, paths: readonly Path[], forms: string | readonly string[]) => Sql
  /**
   * Whether `test` alone is exact: true if an entry of {@link JsonRules.entries} matches, NULL only if the column is NULL, otherwise
   * false. If not exact, `test` is true for these rows at least, and the statement also compares the entries.
   */
  readonly isExact: boolean
}

/** How a statement selects lists and JSON: as JSON text, which every driver returns in the same form. */
export interface SelectRules {
  /** A JSON array of values, which commas separate. */
  readonly array: (values: Sql) => Sql
  /** The most values of one {@link array}. */
  readonly mostArguments: number
  /** A column of JSON as a value of {@link array}: NULL where the column is NULL or not JSON. */
  readonly json: (column: Sql) => Sql
  readonly text: (json: Sql) => Sql
  /**
   * A subquery: `entry` of each row as one JSON array; NULL or an empty array without rows. `rows` follows FROM, and `order` follows
   * ORDER BY. The entries are in that order, or contain {@link orderKey}. If a setting of the engine can cut an array off, the result
   * must be a JSON object with the entries as values.
   */
  readonly list: (entry: Sql, rows: Sql, order: Sql) => Sql
  /**
   * Converts a {@link list} to a value of {@link array}, for engines that forget that a subquery returns JSON. Default: the list itself.
   * `false` for engines that refuse a list in a list: `select` then refuses a mapping with one in child tables.
   */
  readonly nested?: ((list: Sql) => Sql) | false
  /**
   * Writes the sort text of an entry, for engines with unordered lists: entries begin with one for each column of the order. It is the
   * digits of a number, or a text that sorts by code units in the order of the column.
   */
  readonly orderKey?: (column: Sql) => Sql
}

/** How a dialect reads native arrays. */
export interface ArrayRules {
  /** The array as JSON, in its order. `entry` converts each value. NULL if the array is NULL. */
  readonly list?: (column: Sql, name: Sql, entry: (value: Sql) => Sql) => Sql
  /** The entries as rows, for `FROM`. */
  readonly entries: (column: Sql, name: Sql) => Sql
  readonly entry: (name: Sql) => Sql
  /**
   * Tests whether two arrays of the type of {@link StoredType.array} share an entry. It is NULL only if the first array is NULL. Without
   * it, the statement compares each entry.
   */
  readonly contains?: (array: Sql, operands: Sql) => Sql
}

/**
 * A dialect of SQL. For a custom dialect, spread the nearest one and change the differences.
 *
 * @example const cockroach: Dialect = { ...postgres, name: 'cockroach', preconditions: ['…'] }
 */
export interface Dialect {
  /** For messages only. */
  readonly name: string
  /** The engine whose catalogue `urlwhere/inspect` reads. Without it, `inspect` refuses the dialect. */
  readonly engine?: 'postgres' | 'mysql' | 'mariadb' | 'sqlite' | 'duckdb'
  /** The quote around a name, which is doubled inside it. */
  readonly quote: string
  /** The placeholder of a parameter; the first has the index 1. */
  readonly placeholder: (index: number) => string
  /**
   * The types of columns, by name. Each dialect has the type `text`, which contains strings and compares them by {@link TextRules}. A
   * value with {@link StoredType.asText} is converted to `text`, and is ordered and matched as a value of that type.
   */
  readonly types: Readonly<Record<string, StoredType>> & { readonly text: StoredType }
  /** Types of the engine that no field can be mapped to, and why; for messages. */
  readonly refusedTypes?: Readonly<Record<string, string>>
  /** The default type of a column, by the type of the literal. */
  readonly columnTypes: Readonly<Partial<Record<LiteralType, string>>>
  /** Tests whether `a` and `b` differ. NULL counts as a value. */
  readonly differs: (a: Sql, b: Sql) => Sql
  /** Tests whether an expression that may be NULL is true. The test is never NULL. It contains no word that can be a column name. */
  readonly isTrue: (expression: Sql) => Sql
  /** The complement of {@link isTrue}. With `column`, the expression is NULL exactly if the column is NULL. */
  readonly isNotTrue: (expression: Sql, column?: Sql) => Sql
  /** Tests whether a value equals one of the operands. With one parameter for the whole list, the text is the same for every length. */
  readonly among: (value: Sql, operands: readonly unknown[], type: StoredType) => Sql
  /** Whether {@link among} needs {@link StoredType.listed} for each type that is not text and lacks {@link StoredType.among}. */
  readonly needsListed?: boolean
  /**
   * Compares the number of entries of a list: whether a row has at least `count` of them, or fewer where `negated`. `count` is 2 or more.
   * The expression is true or false, never NULL. `rows` is the text after FROM. `keys` lists the columns of a child table that refer to
   * the row; it is `undefined` for a list in JSON or in an array. Without `atLeast`, the statement compares a subquery of `count(*)`,
   * which reads all entries. Two kinds of engine need it: one that refuses this subquery inside another, and one that returns NULL from it
   * where it finds no rows.
   */
  readonly atLeast?: (rows: Sql, keys: Sql | undefined, count: Parameter, negated: boolean) => Sql
  /** How texts compare. */
  readonly textRules: TextRules
  /** The name of the function that lower-cases text. */
  readonly lower: string
  /** The characters that a function does not lower-case, by the name of the function. An absent function lower-cases all characters. */
  readonly unlowered: Readonly<Record<string, RegExp>>
  /**
   * The text after a direction in ORDER BY that puts NULL first in ascending order, and last in descending order. Only for engines with
   * another default.
   */
  readonly nulls?: { readonly ascending: string; readonly descending: string }
  /**
   * Whether ORDER BY accepts NULLS FIRST and NULLS LAST. Without it, `IS NULL` is the first sort key of a statement whose rows with NULL
   * come where the engine does not put them.
   */
  readonly placesNulls?: true
  /**
   * Whether a page is a UNION of the rows with a value and the rows with NULL, if the order puts NULL where the engine does not. The engine
   * reads each part from an index in its order.
   */
  readonly splitsNulls?: true
  /**
   * Writes an operand of `(a, b) > (x, y)`: a text must compare by code point with any order of its column. The comparison must not be
   * true if `a` is NULL. Without `rowOperand`, the index range of a page starts at the first sort key alone. Omit it for engines that
   * make ranges from `a > x OR (a = x AND b > y)` themselves.
   */
  readonly rowOperand?: (operand: Sql, isText: boolean) => Sql
  /**
   * The positions for which the engine reads ranges of an index from a UNION, and not from one condition: those in an order with two
   * directions, also those among absent values, or also those in an order that begins with a text in lower case or with declared values.
   */
  readonly splitsPositions?: 'directions' | 'directions and absent values' | 'directions, absent values and expressions'
  /**
   * Whether the engine computes the selected columns of rows that OFFSET skips, or that it has yet to sort. A statement then reads the rows
   * of the page first.
   */
  readonly lateColumns?: true
  /**
   * How a statement reads the order of a parent's field from the index of the parent table: row by row, or the first values and then all
   * rows that have them, for engines that sort all rows of a join. Without it, the engine sorts the rows of the whole filter.
   */
  readonly walksParents?: 'by row' | 'by value'
  /**
   * Whether the engine begins at the entries of an EXISTS where these are few, but never at those of an OR of EXISTS. An OR of conditions on
   * one child table is then one EXISTS.
   */
  readonly beginsAtEntries?: true
  /** Whether the planner knows how many rows a frequent value of a column has, and a range of values. */
  readonly knowsFrequentValues?: true
  /** Writes a whole number for LIMIT and OFFSET. Default: its digits. */
  readonly wholeNumber?: (number: number) => Sql
  /**
   * The end of a statement: the number of rows to read, and the number to skip. Both are SQL of {@link wholeNumber}. Default:
   * `LIMIT … OFFSET …`.
   *
   * @param skipped `undefined` to skip no row.
   * @example const limited: Dialect['limited'] = (count, skipped) => sql`OFFSET ${skipped ?? sql`0`} ROWS FETCH NEXT ${count} ROWS ONLY`
   */
  readonly limited?: (count: Sql, skipped: Sql | undefined) => Sql
  /** How the dialect reads JSON. Without it, a mapping cannot have a `jsonColumn`. */
  readonly json?: JsonRules
  /** How the dialect selects lists and JSON. Without it, `select` refuses a mapping with them. */
  readonly select?: SelectRules
  /**
   * Whether a count by one condition on a list reads the child table alone first. MySQL and MariaDB begin there by themselves, and DuckDB
   * runs each branch of CASE.
   */
  readonly countsChildrenFirst?: boolean
  /** `false` for an engine that counts the values of a list wrongly: then `facets` refuses a field in a list. */
  readonly countsLists?: false
  /** How the dialect reads arrays. Without it, a mapping cannot have an `arrayColumn`. */
  readonly array?: ArrayRules
  /** The most parameters in a statement. The backend refuses a filter with more. Default: unbounded. */
  readonly maxParameters?: number
  /** The most bytes of UTF-8 in a statement. The backend refuses a larger filter. Default: unbounded. */
  readonly maxBytes?: number
  /**
   * The most levels that {@link depthOf} counts. The backend refuses a filter with more. A low maximum also makes it write long groups as
   * trees of pairs, which have fewer levels.
   */
  readonly maxDepth?: number
  /**
   * Counts the levels of a statement's expressions as the engine does. `max` is {@link maxDepth}. An upper bound is enough if it is at
   * most `max`.
   */
  readonly depthOf?: (text: string, max: number) => number
  /** The most ranges of an index that one statement reads a page from. Default: 16. */
  readonly mostRanges?: number
  /** The most columns that a statement selects. `select` refuses more. Default: unbounded. */
  readonly maxColumns?: number
  /** Conditions that the engine and its data must meet, in words. */
  readonly preconditions: readonly string[]
}

const signs: Readonly<Record<ComparisonOperator, readonly string[]>> = {
  eq: ['', ' = ', ''],
  gt: ['', ' > ', ''],
  gte: ['', ' >= ', ''],
  lt: ['', ' < ', ''],
  lte: ['', ' <= ', ''],
}

/** Writes `a = b`, `a > b` and so on, in the syntax of every engine. */
export const compare = (a: Sql, operator: ComparisonOperator, b: Sql): Sql => ({
  strings: signs[operator],
  values: [a, b],
})

/** Why {@link Dialect.refusedTypes} has types of a time of day. */
export const zonedTime = 'no field has times of day with a zone; make the column time'

/** A parameter for each operand, between commas. Repeating the last one keeps the number of statements small. */
export const eachOf = (operands: readonly unknown[], write: (operand: Parameter) => Sql): Sql => {
  const length = 2 ** Math.ceil(Math.log2(operands.length))
  const padded = Array.from({ length }, (_, at) => operands[Math.min(at, operands.length - 1)])
  return join(
    padded.map((operand) => write(parameter(operand))),
    ', ',
  )
}

/** Tests whether a value equals one of the operands, with a parameter for each. */
export const amongEach = (value: Sql, operands: readonly unknown[], write: (operand: Parameter) => Sql = plain): Sql =>
  sql`${value} IN (${eachOf(operands, write)})`
const plain = (operand: Parameter): Sql => sql`${operand}`

/** The default of {@link Dialect.atLeast}. */
export const atLeastByCount: NonNullable<Dialect['atLeast']> = (rows, _, count, negated) =>
  sql`(SELECT count(*) FROM ${rows})${raw(negated ? ' < ' : ' >= ')}${count}`

/** An {@link Dialect.atLeast} that reads entries up to the one that decides. */
export const atLeastByOffset =
  (wholeNumber = (number: number) => raw(String(number))): NonNullable<Dialect['atLeast']> =>
  (rows, _, count, negated) =>
    sql`${raw(negated ? 'NOT EXISTS' : 'EXISTS')} (SELECT 1 FROM ${rows} LIMIT 1 OFFSET ${wholeNumber((count.parameter as number) - 1)})`

// --- Types that several dialects have

/** Fits a text to a column of 64-bit integers: no stored value is equal to a text in another form than the engine gives. */
export const fitBigintText: NonNullable<StoredType['fit']> = (operator, value) =>
  canonicalBigint(value as string) === value ? { operator, value } : false

const withoutZone = (value: Literal['value']) => (value as string).slice(0, -1)
export const fitMoment: NonNullable<StoredType['fit']> = (operator, value) => fittedMoment(operator, value as string)
const fitSecond: NonNullable<StoredType['fit']> = (operator, value) => fittedSecond(operator, value as string)

/** Reads uuids in a column of text. It rejects other forms, because no operand equals them. */
export const uuidTexts: StoredVariant = {
  of: () => ({ decode: (value) => (typeof value === 'string' && canonicalUuid(value) === value ? value : undefined) }),
}

/** Reads the text of a datetime, where the driver writes it as SQL does. */
export const decodeMoment = (value: unknown): unknown =>
  typeof value === 'string' ? (canonicalDateTimeOfSql(value) ?? value) : value

/** Reads the text of a time of day, where the driver writes zeros at the end of its fraction. */
export const decodeTime = (value: unknown): unknown =>
  typeof value === 'string' ? (canonicalTime(value) ?? value) : value

/** Tests for a range. Both ends are SQL. */
export const inRange =
  (least: string, greatest: string): NonNullable<StoredType['valid']> =>
  (column) =>
    sql`${column} BETWEEN ${raw(least)} AND ${raw(greatest)}`

/** Milliseconds since 1970, in a column of integers. */
export const epochMs = (more: Partial<StoredType>): StoredType => ({
  holds: ['datetime'],
  fit: fitMoment,
  digits: 3,
  encode: (value) => Date.parse(value as string),
  returned: ['text', 'number', 'bigint'],
  valid: inRange('-62135596800000', '253402300799999'),
  ...more,
})

/** Seconds since 1970, in a column of integers. It rejects fractions, because it compares whole seconds. */
export const epochS = (more: Partial<StoredType>): StoredType => ({
  holds: ['datetime'],
  fit: fitSecond,
  digits: 3,
  encode: (value) => Date.parse(value as string) / 1_000,
  returned: ['text', 'number', 'bigint'],
  valid: inRange('-62135596800', '253402300799'),
  decode: (value) => {
    const seconds = bigintOf(value)
    return seconds === undefined ? undefined : Number(seconds) * 1_000
  },
  ...more,
})

/**
 * Datetimes as texts of whole seconds, all in one form.
 *
 * @param written converts `2024-02-29T23:59:58` to the text of the column.
 * @param form matches the texts of the column. The type rejects other texts, because no operand equals them.
 */
export const secondTexts = (
  written: (second: string) => string,
  form: RegExp,
  more: Partial<StoredType> = {},
): StoredType => ({
  holds: ['datetime'],
  fit: fitSecond,
  digits: 3,
  encode: (value) => written((value as string).slice(0, 19)),
  decode: (value) => {
    const text = inForm(form)(value)
    return typeof text === 'string' ? `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z` : text
  },
  ...more,
})

/** Numbers of 32 bits. The engine compares the column exactly with a parameter of 64 bits. */
export const real = (more: Partial<StoredType>): StoredType => ({
  holds: ['integer', 'number'],
  fit: (operator, value) => fittedReal(operator, value as number),
  returned: ['text', 'bigint'],
  decode: (value) => {
    const float = Math.fround(Number(value))
    return Number.isFinite(float) ? shortestOfFloat(float) : undefined
  },
  ...more,
})

/**
 * Datetimes as canonical text. With `digits` a column has them in one form, whose text has the order of time. Without, those with
 * three digits and those with six are compared without the Z at their end. With `digits: 0` the texts have no fraction.
 *
 * @param withoutZ cuts the Z off.
 */
export const momentTexts = (withoutZ: (column: Sql) => Sql): StoredVariant => ({
  digits: [0, 3, 6],
  of: ({ digits }) => {
    if (digits === 0) return secondTexts((second) => `${second}Z`, /^.{10}T.{8}Z$/)
    if (digits === 3) return { fit: fitMoment, digits, decode: inForm(/^.{23}Z$/) }
    if (digits === 6) {
      return { encode: (value) => `${withoutZone(value).padEnd(26, '0')}Z`, decode: inForm(/^.{26}Z$/) }
    }
    return { asText: withoutZ, encodeText: withoutZone, bound: boundOfMoment, decode: inForm(canonicalForm) }
  },
})

/** Reads texts in one form. It rejects other texts, because no operand equals them. It returns a `Date` unchanged: a cursor rejects it. */
const inForm =
  (form: Pick<RegExp, 'test'>): NonNullable<StoredType['decode']> =>
  (value) =>
    typeof value !== 'string' || form.test(value) ? value : undefined

/** Compares the length and the end of a text with those of canonical moments. A regular expression took 13 % of the time of a page. */
const canonicalForm: Parameters<typeof inForm>[0] = {
  test: (text) => text.endsWith('Z') && (text.length === 24 || (text.length === 27 && !text.endsWith('000Z'))),
}

/** Datetimes that need not have microseconds: with `digits: 3` a `Date` has all of one. */
export const wholeMoments: NonNullable<StoredType['as']> = {
  datetime: { digits: [3], of: ({ digits }) => (digits === 3 ? { digits } : {}) },
}

/** `Z` sorts after digits and after the point. So the text without a fraction sorts after all texts of the same second. */
const boundOfMoment: NonNullable<StoredType['bound']> = (operator, value) =>
  operator === 'gt' || operator === 'gte'
    ? { operator, value: withoutZone(value) }
    : { operator: 'lte', value: `${(value as string).slice(0, 19)}Z` }

/** Integers in a column of 64 bits. A number beyond those of a double is what a driver, or a parser of JSON, has rounded. */
export const unrounded: StoredVariant = {
  of: () => ({ decode: (value) => (typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : value) }),
}

const upTo18 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]

/** Decimals as integers of 64 bits, without their point: with `digits: 2`, 12.5 is 1250. */
export const scaled = (more: Partial<StoredType>): StoredType => ({
  holds: ['decimal'],
  as: {
    decimal: {
      digits: upTo18,
      needsDigits: true,
      of: ({ digits }) => ({
        fit: (operator, value) => fittedScaled(operator, value as string, digits!),
        decode: (value) => {
          const integer = bigintOf(value)
          return integer === undefined ? undefined : canonicalDecimal(`${integer}e-${digits!}`)
        },
      }),
    },
  },
  ...more,
})

/** The JSON values that equal an operand. A bigint is stored as a text, or as a number if JavaScript has it exactly. */
export const jsonForms = /* @__PURE__ */ Object.freeze({
  text: (text: unknown) => [JSON.stringify(text)],
  number: (number: unknown) => [JSON.stringify(number)],
  boolean: (boolean: unknown) => [JSON.stringify(boolean)],
  bigint: (value: unknown) => {
    const digits = value as string
    return [
      JSON.stringify(digits),
      ...(digits === '0' ? ['"-0"'] : []),
      ...(Number.isSafeInteger(Number(digits)) ? [digits] : []),
    ]
  },
} as const satisfies JsonContains['forms'])

/** `x IS TRUE` and its complement, for engines where TRUE is a reserved word. */
export const truth = /* @__PURE__ */ Object.freeze({
  isTrue: (expression: Sql): Sql => sql`(${expression}) IS TRUE`,
  isNotTrue: (expression: Sql): Sql => sql`(${expression}) IS NOT TRUE`,
} as const satisfies Partial<Dialect>)

/** Escapes a text for LIKE, so that each of its characters matches only itself. */
export const escapeLike = (text: string, escape: string): string =>
  Array.from(text, (mark) => ('%_'.includes(mark) || mark === escape ? escape + mark : mark)).join('')

/** The range of values from a prefix to {@link afterPrefix}. */
export function prefixBounds(
  compareTexts: TextRules['compare'],
  value: Sql,
  operand: string,
  text: (text: string) => Sql,
): Sql {
  const after = afterPrefix(operand)
  const from = compareTexts(value, 'gte', text(operand))
  return after === undefined ? from : sql`(${from} AND ${compareTexts(value, 'lt', text(after))})`
}

/** Makes a `prefix` for {@link TextRules}: it compares with the range from the prefix to {@link afterPrefix}. */
export const prefixRange =
  (collate: (text: Sql) => Sql): TextRules['prefix'] =>
  (lowered, operand, text) =>
    prefixBounds(compare, collate(lowered), operand, text)

/** Freezes a dialect and all that is in it. */
export const frozen = (make: () => Dialect): Dialect => freeze(make())

function freeze<T extends object>(part: T): T {
  for (const inner of Object.values(Object.freeze(part))) if (typeof inner === 'object') freeze(inner as object)
  return part
}

/**
 * Checks a dialect: anybody can put one together.
 *
 * @returns a copy whose parts inherit nothing: an optional part that is missing in it stays missing.
 * @throws TypeError when a part is missing or cannot be.
 */
export function checkedDialect(input: Dialect): Dialect {
  const dialect = withOwnParts(input)
  if (typeof own(dialect, 'placeholder') !== 'function') {
    throw new TypeError('options.dialect must be a dialect, such as postgres')
  }
  checkParts(dialect)
  return dialect
}

function withOwnParts(input: Dialect): Dialect {
  const dialect = ownOf(input)
  const { array, json, textRules, select } = dialect
  const types = Object.entries(dialect.types ?? {}).map(([name, type]) => [name, ownOf(type)] as const)
  const own = {
    types: Object.fromEntries(types) as Dialect['types'],
    textRules: ownOf(textRules),
    ...(array && { array: ownOf(array) }),
    ...(json && { json: withOwnContains(ownOf(json)) }),
    ...(select && { select: ownOf(select) }),
  }
  return ownOf({ ...dialect, ...own })
}

function withOwnContains(json: JsonRules): JsonRules {
  const { contains } = json
  return contains === undefined
    ? json
    : ownOf({ ...json, contains: ownOf({ ...contains, forms: ownOf(contains.forms) }) })
}

/** Checks that the types of a part, by the type of the literal, are types of the dialect. */
function checkNames(types: Dialect['types'], part: string, names: Dialect['columnTypes']): void {
  for (const [literal, name] of Object.entries(names)) {
    if (Object.hasOwn(types, name)) continue
    throw new TypeError(`dialect.${part}.${literal} is ${name}, which dialect.types does not have`)
  }
}

function checkParts(dialect: Dialect): void {
  const { columnTypes, json, needsListed = false, types, unlowered } = dialect
  if (own(types, 'text')?.isText !== true || !types.text.holds.includes('string')) {
    throw new TypeError('dialect.types.text must be a type that holds string and has isText: values are matched as it')
  }
  checkNames(types, 'columnTypes', columnTypes)
  checkNames(types, 'json.types', json?.types ?? {})
  for (const [name, { isText, among, listed }] of Object.entries(types)) {
    if (!needsListed || isText === true || among !== undefined || (typeof listed === 'string' && listed !== ''))
      continue
    throw new TypeError(`dialect.types.${name}.listed must be the type that JSON_TABLE reads it as`)
  }
  for (const { flags } of Object.values(unlowered)) {
    // With g or y an expression remembers where it was; without u or v it sees halves of letters.
    if (/[gy]/.test(flags) || !/[uv]/.test(flags)) {
      throw new TypeError('dialect.unlowered must have expressions with the flag u, and without g and y')
    }
  }
}
