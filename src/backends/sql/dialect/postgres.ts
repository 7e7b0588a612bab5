/** PostgreSQL 13 and later, and the engines with its syntax. @see https://www.postgresql.org/docs/15/ */
import type { Path } from '../../../tree/index.ts'
import { canonicalUuid } from '../../../values/uuid.ts'
import {
  atLeastByOffset,
  compare,
  decodeMoment,
  decodeTime,
  eachOf,
  epochMs,
  epochS,
  escapeLike,
  fitBigintText,
  inRange,
  frozen,
  jsonForms,
  momentTexts,
  prefixRange,
  real,
  scaled,
  zonedTime,
  truth,
  unrounded,
  uuidTexts,
  wholeMoments,
} from './dialect.ts'
import type { Dialect, JsonValue, StoredType, StoredVariant, TextRules, TypeOptions } from './dialect.ts'
import { join, stringLiteral, parameter, raw, sql, type Parameter, type Sql } from './sql.ts'

/* @__NO_SIDE_EFFECTS__ */ const castTo = (name: string): ((value: Sql | Parameter) => Sql) => {
  const strings = ['', `::${name}`]
  return (value) => ({ strings, values: [value] })
}
/* @__NO_SIDE_EFFECTS__ */ const castsTo = (name: string, more: Partial<StoredType> = {}) => ({
  cast: castTo(name),
  array: castTo(`${name}[]`),
  ...more,
})
/** Each parameter has a cast, so that the engine neither guesses its type nor overflows. */
/* @__NO_SIDE_EFFECTS__ */ const typed = (holds: StoredType['holds'], name: string, more: Partial<StoredType> = {}) =>
  ({ holds, ...castsTo(name), ...more }) satisfies StoredType

/** The operands of a parameter. A column has none. */
const operandsIn = (array: Sql | Parameter): readonly unknown[] =>
  array.strings === undefined ? (array.parameter as readonly unknown[]) : []

const hasMicroseconds = (text: unknown): boolean => (text as string).length > 24
/** postgres.js makes a `Date` of each moment that is not sent as text, and loses its microseconds. */
/* @__NO_SIDE_EFFECTS__ */ const moments = (name: string, inUtc: (column: Sql) => Sql): StoredType => {
  const [itself, ofText] = [castTo(name), castTo(`text::${name}`)]
  const [themselves, ofTexts] = [castTo(`${name}[]`), castTo(`text[]::${name}[]`)]
  const array = (moments: Sql | Parameter) =>
    (operandsIn(moments).some(hasMicroseconds) ? ofTexts : themselves)(moments)
  return {
    holds: ['datetime'],
    as: wholeMoments,
    selected: (column) => isoText(inUtc(column)),
    decode: decodeMoment,
    valid: inRange(`'0001-01-01 00:00:00+00'`, `'9999-12-31 23:59:59.999999+00'`),
    cast: (operand) => (hasMicroseconds(operand.parameter) ? ofText : itself)(operand),
    among: (column, operands) => sql`${column} = ANY(${array(parameter(operands))})`,
    array,
  }
}

const asText = (column: Sql): Sql => sql`${column}::text`
/** As ISO 8601, whatever DateStyle the session has. */
const isoText = (column: Sql): Sql => sql`to_json(${column}) #>> '{}'`
/** JSON.parse keeps the digits of a double only. */
const digits: StoredVariant = { of: () => ({ selected: asText }) }

/** The values of a column's enumeration that are equal to a text. A cast of a text that the enumeration lacks is an error. */
const ofEnum = (column: Sql, texts: Sql): Sql =>
  // The planner folds CASE to a NULL of the column's type, so that this is read once for all rows.
  sql`SELECT v FROM unnest(enum_range(CASE WHEN FALSE THEN ${column} END)) AS v WHERE v::text = ${texts}`

const partsOfEnum = ({ name, values }: TypeOptions): Partial<StoredType> => {
  if (name === undefined) {
    return {
      equal: (column, operand, _, nullIsFalse) => {
        const value = sql`(${ofEnum(column, sql`${operand}::text`)})`
        const equal = compare(column, 'eq', value)
        return nullIsFalse ? equal : sql`(${equal} AND ${value} IS NOT NULL)`
      },
      among: (column, operands) =>
        sql`${column} = ANY(ARRAY(${ofEnum(column, sql`ANY(${parameter(operands)}::text[])`)}))`,
    }
  }
  const isValue = (text: unknown) => values === undefined || (values as readonly unknown[]).includes(text)
  // The cursor of a row that breaks the schema has another text, which the database need not have.
  return {
    cast: castTo(name),
    // Drivers know no lists of the type.
    array: (array) => {
      if (!operandsIn(array).every(isValue)) return undefined
      return array.strings === undefined ? sql`${array}::text[]::${raw(name)}[]` : sql`${array}::${raw(name)}[]`
    },
    equal: (column, operand, value) =>
      isValue(value) ? compare(column, 'eq', operand) : sql`${asText(column)} = ${parameter(value)}::text`,
    among: (column, operands) => {
      if (!operands.every(isValue)) return sql`${asText(column)} = ANY(${parameter(operands)}::text[])`
      // Drivers know no lists of the type, and of one that is cast from text[] the planner knows no values.
      return sql`${column} = ANY(ARRAY[${eachOf(operands, castTo(name))}])`
    },
  }
}

/** No value of `char(n)` ends in a space. */
const isPadded = (text: unknown): boolean => (text as string).endsWith(' ')
/** Whether a text has the form in which PostgreSQL prints a time of day. The cast of another text can be an error. */
const isTimeOfDay = (text: unknown): boolean =>
  /^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,5}[1-9])?|24:00:00)$/.test(text as string)

/** PostgreSQL 13 cannot cast `Infinity` to numeric, so this compares texts. */
const isFinite = (column: Sql): Sql => sql`${asText(column)} NOT IN ('NaN', 'Infinity', '-Infinity')`
/** PostgreSQL sorts NaN after every number, so no range contains it. */
const isSafeNumber = /* @__PURE__ */ inRange('-9007199254740991', '9007199254740991')
const isInBigint = /* @__PURE__ */ inRange('-9223372036854775808', '9223372036854775807')
const isBigint = (column: Sql): Sql => sql`(${isInBigint(column)} AND trunc(${column}) = ${column})`

const types = {
  text: typed(['string', 'uuid', 'date', 'datetime', 'time'], 'text', {
    isText: true,
    as: { uuid: uuidTexts, datetime: /* @__PURE__ */ momentTexts((column) => sql`rtrim(${column}, 'Z')`) },
  }),
  /** A string field reads it in canonical form: only an operand in that form equals a value. */
  uuid: typed(['uuid', 'string'], 'uuid', {
    as: {
      string: {
        of: () => ({
          fit: (operator, value) => canonicalUuid(value as string) === value && { operator, value },
          asText,
        }),
      },
    },
  }),
  /** A native enumeration. With the option `name`, it compares as its own type. */
  enum: { holds: ['string'], asText, hasOneText: true, as: { string: { isNamed: true, of: partsOfEnum } } },
  /** A native enumeration with the values of the field, in their order. */
  orderedEnum: {
    holds: ['string'],
    asText,
    hasOneText: true,
    isInDeclaredOrder: true,
    as: { string: { isNamed: true, needsName: true, of: partsOfEnum } },
  },
  /** Text that ignores case. Its index finds rows, and a comparison of the text checks them. Drivers do not know lists of citext. */
  citext: {
    holds: ['string'],
    equal: (column, operand) => sql`(${column} = ${operand}::text::citext AND ${asText(column)} = ${operand}::text)`,
    among: (column, operands) => {
      const list = parameter(operands)
      return sql`(${column} = ANY(${list}::text[]::citext[]) AND ${asText(column)} = ANY(${list}::text[]))`
    },
    asText,
  },
  /** `char(n)`: the spaces at its end are no part of the value. */
  char: {
    holds: ['string', 'uuid'],
    as: { uuid: uuidTexts },
    equal: (column, operand, value) =>
      isPadded(value) ? sql`${asText(column)} = ${operand}::text` : sql`${column} = ${operand}::text::bpchar`,
    among: (column, operands) =>
      operands.some(isPadded)
        ? sql`${asText(column)} = ANY(${parameter(operands)}::text[])`
        : sql`${column} = ANY(${parameter(operands)}::text[]::bpchar[])`,
    asText,
    selected: asText,
  },
  /** A string field reads it as a text: `23:59:58` or `23:59:58.25`. */
  time: {
    holds: ['time', 'string'],
    selected: asText,
    as: {
      time: { of: () => castsTo('time', { valid: (column) => sql`${column} < '24:00'`, decode: decodeTime }) },
      string: {
        of: () => ({
          equal: (column, operand, value) =>
            isTimeOfDay(value) ? sql`${column} = ${operand}::text::time` : sql`${asText(column)} = ${operand}::text`,
          among: (column, operands) =>
            operands.every(isTimeOfDay)
              ? sql`${column} = ANY(${parameter(operands)}::text[]::time[])`
              : sql`${asText(column)} = ANY(${parameter(operands)}::text[])`,
          asText,
        }),
      },
    },
  },
  /** A bigint that the schema has as a string. */
  bigintText: typed(['string'], 'bigint', {
    fit: fitBigintText,
    asText,
    selected: asText,
    returned: ['number', 'bigint'],
  }),
  /** For integer columns of any width. */
  bigint: typed(['integer', 'bigint'], 'bigint', {
    returned: ['text', 'bigint'],
    as: { integer: unrounded, bigint: digits },
  }),
  numeric: typed(['integer', 'number', 'bigint', 'decimal'], 'numeric', {
    valid: isFinite,
    returned: ['text', 'bigint'],
    as: {
      integer: { of: () => ({ valid: isSafeNumber }) },
      bigint: { of: () => ({ selected: asText, valid: isBigint }) },
      decimal: digits,
    },
  }),
  'double precision': typed(['integer', 'number'], 'double precision', {
    valid: isFinite,
    returned: ['text', 'bigint'],
    // Of a double, PostgreSQL writes the digits that are read as the same, and an exponent.
    decode: (value) => (typeof value === 'string' ? Number(value) : value),
  }),
  /** PostgreSQL compares it with a double as doubles. An index on the column serves this comparison. */
  real: /* @__PURE__ */ real({
    valid: isFinite,
    cast: castTo('double precision'),
    among: (column, operands) => sql`${column} = ANY(${parameter(operands)}::double precision[])`,
    array: castTo('real[]'),
    selected: (column) => sql`${column}::double precision`,
  }),
  scaled: /* @__PURE__ */ scaled(castsTo('bigint', { selected: asText })),
  // The texts of PostgreSQL, where a driver parses none.
  boolean: typed(['boolean'], 'boolean', {
    // A parser of pg or postgres may give 1 and 0.
    returned: ['number', 'bigint'],
    decode: (value) => (value === 't' || value === 'f' ? value === 't' : value),
  }),
  date: typed(['date'], 'date', { selected: isoText, valid: /* @__PURE__ */ inRange(`'0001-01-01'`, `'9999-12-31'`) }),
  timestamptz: moments('timestamptz', (column) => sql`${column} AT TIME ZONE 'UTC'`),
  /** Without a zone: UTC. PostgreSQL does not read the zone of an operand, but postgres.js does. */
  timestamp: moments('timestamp', (column) => column),
  epochMs: /* @__PURE__ */ epochMs(castsTo('bigint')),
  epochS: /* @__PURE__ */ epochS(castsTo('bigint')),
} as const satisfies Record<string, StoredType>
export type PostgresType = keyof typeof types

/** Whether a backslash escapes in `'…'` depends on standard_conforming_strings; in `E'…'` it always does. */
const memberName = (name: string): Sql =>
  name.includes('\\') ? raw(`E'${name.replace(/['\\]/g, '$&$&')}'`) : stringLiteral(name)

const jsonOf = ({ source, isEntry, names, isKey }: JsonValue): Sql => {
  const nameAt = (name: string, at: number) =>
    isKey && at === names.length - 1 ? sql`${parameter(name)}::text` : memberName(name)
  return join([isEntry ? sql`${source}."value"` : source, ...names.map(nameAt)], ' -> ')
}

/** A value of a JSON type, as another type; NULL for the others. Nothing is cast before it is looked at. */
const ofType = (value: JsonValue, type: string, read: (json: Sql) => Sql): Sql => {
  const json = jsonOf(value)
  return sql`CASE jsonb_typeof(${json}) WHEN ${stringLiteral(type)} THEN ${read(json)} END`
}

/** A document that has a value at the end of the path through its lists, and nothing else. */
const documentOf = (paths: readonly Path[], value: string): string =>
  paths.reduceRight((json, names, at) => {
    const inNames = names.reduceRight((inside, name) => `{${JSON.stringify(name)}:${inside}}`, json)
    return at === 0 ? inNames : `[${inNames}]`
  }, value)

const textIn = (json: Sql): Sql => sql`(${json}) #>> '{}'`

/** Casts a text or a number to numeric. */
function numericOf(value: JsonValue, ofText: (text: Sql) => Sql, ofNumber: (number: Sql) => Sql): Sql {
  const json = jsonOf(value)
  const [text, number] = [sql`(${textIn(json)})`, sql`(${json})::numeric`]
  return sql`CASE jsonb_typeof(${json}) WHEN 'string' THEN ${ofText(text)} WHEN 'number' THEN ${ofNumber(number)} END`
}

/** One CASE in another, for the parts of a conjunction are evaluated in any order. */
const bigintOf = (text: Sql): Sql => {
  const number = sql`${text}::numeric`
  const inRange = sql`${number} BETWEEN -9223372036854775808 AND 9223372036854775807`
  return sql`CASE WHEN ${text} ~ '^-?(0|[1-9][0-9]{0,18})$' THEN CASE WHEN ${inRange} THEN ${number} END END`
}
/** A number that JavaScript has exactly. */
const safeIntegerOf = (number: Sql): Sql =>
  sql`CASE WHEN trunc(${number}) = ${number} AND abs(${number}) <= 9007199254740991 THEN ${number} END`
/** So many digits, and so large an exponent, that no numeric overflows. */
const decimalOf = (text: Sql): Sql => {
  const form = sql`'^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?0*[0-9]{1,4})?$'`
  return sql`CASE WHEN length(${text}) <= 5000 AND ${text} ~ ${form} THEN ${text}::numeric END`
}

const like =
  (pattern: (text: string) => string): TextRules['suffix'] =>
  (lowered, operand, text) =>
    sql`${lowered} LIKE ${text(pattern(escapeLike(operand, '\\')))}`

const collated = (collation: string): ((text: Sql) => Sql) => {
  const strings = ['', ` COLLATE "${collation}"`]
  return (text) => ({ strings, values: [text] })
}
const rowOperandIn = (order: string): NonNullable<Dialect['rowOperand']> => {
  const ordered = collated(order)
  return (operand, isText) => (isText ? ordered(operand) : operand)
}

/** Texts in the order of one collation, lower-cased by another: an index in the same collations serves them. */
const textRulesIn = (order: string, letters: string): TextRules => {
  const ordered = collated(order)
  return {
    compare: (value, operator, text) => compare(operator === 'eq' ? value : ordered(value), operator, text),
    differs: (value, text) => sql`${value} IS DISTINCT FROM ${text}`,
    ordered,
    cased: collated(letters),
    prefix: prefixRange(ordered),
    suffix: like((text) => `%${text}`),
    substring: like((text) => `%${text}%`),
  }
}

const wholeNumber = (number: number) => sql`${parameter(number)}::bigint`

const preconditions = [
  'no text has letters that are newer than the Unicode of its locale: these keep their case',
  'collations of columns are deterministic (the default)',
  'times in timestamp columns (without time zone) are in UTC',
  'datetimes in columns of text are canonical, to the digits that the column or the schema says; uuids there are in lower case',
  'numeric columns have no NaN and no infinities',
  'JSON is stored as jsonb, or as json if the mapping names the type',
  'texts in columns of the type json contain no \\u0000',
  // A cast of jsonb to a double, with a guard against numbers out of range, is several times slower.
  'numbers in numeric columns and in JSON have at most 15 digits, or the digits that JavaScript writes',
]

/**
 * PostgreSQL 13 and later. Datetimes are `timestamptz`, lists `jsonb` or arrays.
 *
 * The locale of the database lower-cases texts, and must do this letter by letter: `preconditions` lists these locales.
 * {@link postgres17} has no such condition.
 *
 * @see https://www.postgresql.org/docs/15/
 */
export const postgres: Dialect = /* @__PURE__ */ frozen(() => ({
  name: 'postgres',
  countsChildrenFirst: true,
  engine: 'postgres',
  quote: '"',
  placeholder: (index) => `$${index}`,
  types,
  columnTypes: {
    string: 'text',
    uuid: 'uuid',
    integer: 'bigint',
    bigint: 'bigint',
    number: 'double precision',
    decimal: 'numeric',
    boolean: 'boolean',
    date: 'date',
    datetime: 'timestamptz',
    time: 'time',
  },
  differs: (a, b) => sql`${a} IS DISTINCT FROM ${b}`,
  isTrue: truth.isTrue,
  // postgres_fdw sends IS NULL, OR and NOT to other servers, but not IS NOT TRUE.
  isNotTrue: (expression, column) =>
    column === undefined ? truth.isNotTrue(expression) : sql`(${column} IS NULL OR NOT (${expression}))`,
  among: (value, operands, { cast = (list) => sql`${list}` }) => sql`${value} = ANY(${cast(parameter(operands))}[])`,
  // In a column with the collation "C", lower() knows ASCII only.
  textRules: textRulesIn('C', 'default'),
  lower: 'lower',
  unlowered: {},
  nulls: { ascending: ' NULLS FIRST', descending: ' NULLS LAST' },
  placesNulls: true,
  rowOperand: rowOperandIn('C'),
  splitsPositions: 'directions and absent values',
  lateColumns: true,
  walksParents: 'by row',
  knowsFrequentValues: true,
  wholeNumber,
  atLeast: atLeastByOffset(wholeNumber),
  json: {
    types: {
      string: 'text',
      uuid: 'text',
      integer: 'numeric',
      bigint: 'numeric',
      number: 'numeric',
      decimal: 'numeric',
      boolean: 'boolean',
      date: 'text',
      datetime: 'text',
      time: 'text',
    },
    sources: { json: (column) => sql`(${column}::jsonb)` },
    readsKeys: true,
    text: (value) => ofType(value, 'string', textIn),
    // translate() has no collation of its own: a COLLATE within lower() would clash with that of a row of sort keys.
    uuid: (value) => ofType(value, 'string', (json) => sql`translate(${textIn(json)}, 'ABCDEF', 'abcdef')`),
    bigint: (value) => numericOf(value, bigintOf, safeIntegerOf),
    decimal: (value) => numericOf(value, decimalOf, (number) => number),
    number: (value) => ofType(value, 'number', (json) => sql`(${json})::numeric`),
    boolean: (value) => ofType(value, 'boolean', (json) => sql`(${json})::boolean`),
    isObject: (value) => sql`jsonb_typeof(${jsonOf(value)}) IS NOT DISTINCT FROM 'object'`,
    isPresent: (value) => sql`coalesce(jsonb_typeof(${jsonOf(value)}), 'null') <> 'null'`,
    entries: (list, name) => {
      const json = jsonOf(list)
      return sql`jsonb_array_elements(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} END) AS ${name}("value")`
    },
    contains: {
      forms: jsonForms,
      // An object or an array contains none of the other kind, and a text or number neither. Drivers write JSON of a value that they know to be JSON.
      test: (column, paths, forms) =>
        typeof forms === 'string'
          ? sql`${column} @> ${parameter(documentOf(paths, forms))}::text::jsonb`
          : sql`${column} @> ANY(${parameter(forms.map((form) => documentOf(paths, form)))}::text[]::jsonb[])`,
      isExact: true,
    },
  },
  array: {
    entries: (column, name) => sql`unnest(${column}) AS ${name}("value")`,
    entry: (name) => sql`${name}."value"`,
    list: (column, name, entry) => {
      const list = sql`coalesce(json_agg(${entry(sql`${name}."value"`)} ORDER BY ${name}."place"), '[]')`
      const places = sql`unnest(${column}) WITH ORDINALITY AS ${name}("value", "place")`
      return sql`CASE WHEN ${column} IS NOT NULL THEN (SELECT ${list} FROM ${places}) END`
    },
    contains: (array, operands) => sql`${array} && ${operands}`,
  },
  select: {
    array: (values) => sql`json_build_array(${values})`,
    // FUNC_MAX_ARGS
    mostArguments: 100,
    json: (column) => column,
    text: asText,
    list: (entry, rows, order) => sql`(SELECT json_agg(${entry} ORDER BY ${order}) FROM ${rows})`,
  },
  refusedTypes: {
    money: 'its values depend on lc_monetary; make the column numeric',
    timetz: zonedTime,
  },
  // The protocol counts them in 16 bits.
  maxParameters: 65_535,
  preconditions: [
    'the database is in UTF-8',
    'its locale is one of libc (C, POSIX and Turkic ones excepted) or the builtin C.UTF-8; not ICU, not PG_UNICODE_FAST',
    ...preconditions,
  ],
}))

/**
 * PostgreSQL 17 and later, with any locale of the database: the collation `pg_c_utf8` orders by code point and lower-cases letter by
 * letter. One index of a column with this collation serves equality and order. `postgres_fdw` sends conditions on this column to other
 * servers. This dialect cannot use the indexes of {@link postgres} for order and matches.
 *
 * @see https://www.postgresql.org/docs/17/collation.html#COLLATION-MANAGING-STANDARD
 */
export const postgres17: Dialect = /* @__PURE__ */ frozen(() => ({
  ...postgres,
  name: 'postgres17',
  textRules: textRulesIn('pg_c_utf8', 'pg_c_utf8'),
  rowOperand: rowOperandIn('pg_c_utf8'),
  preconditions: ['the database is in UTF-8', ...preconditions],
}))
