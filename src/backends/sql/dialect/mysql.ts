/**
 * MySQL 8.0.21 and later, MariaDB 10.6 and later.
 *
 * @see https://dev.mysql.com/doc/refman/8.0/en/ https://mariadb.com/kb/en/documentation/
 */
import type { Literal, Path } from '../../../tree/index.ts'
import { uuidOfBytes, uuidOfDigits } from '../../../values/uuid.ts'
import { fittedDecimal } from '../../fitting.ts'
import {
  compare,
  decodeMoment,
  decodeTime,
  amongEach,
  atLeastByOffset,
  epochMs,
  epochS,
  escapeLike,
  fitBigintText,
  frozen,
  inRange,
  jsonForms,
  momentTexts,
  prefixRange,
  real,
  scaled,
  truth,
  unrounded,
  uuidTexts,
  wholeMoments,
} from './dialect.ts'
import type { Dialect, JsonRules, JsonValue, SelectRules, StoredType, TextRules } from './dialect.ts'
import { join, stringLiteral, parameter, raw, sql, type Parameter, type Sql } from './sql.ts'

/* @__NO_SIDE_EFFECTS__ */ const castTo = (name: string) => (value: Parameter) => sql`CAST(${value} AS ${raw(name)})`

/** Texts of uuids, and of moments, whose form their columns or the schema declare. */
const inTexts = {
  uuid: uuidTexts,
  datetime: /* @__PURE__ */ momentTexts((column) => sql`TRIM(TRAILING 'Z' FROM ${column})`),
}
/** Stores integers of 64 bits. Drivers send their digits. */
/* @__NO_SIDE_EFFECTS__ */ const ofDigits = () => ({
  cast: castTo('SIGNED'),
  listed: 'BIGINT',
  selected: digitsOf,
})

/** A decimal has up to 65 digits, 30 of them after the point where it has no more than 35 before it. */
const castToDecimal = (operand: Parameter): Sql => {
  const whole = (operand.parameter as string).replace('-', '').split('.', 1)[0]!.length
  return castTo(`DECIMAL(65, ${Math.min(30, Math.max(0, 65 - whole))})`)(operand)
}

const asText = (column: Sql): Sql => sql`CAST(${column} AS CHAR)`
/** Converts a number to digits, without the leading zeros of a column with zero fill. */
const digitsOf = (column: Sql): Sql => sql`CAST(${column} + 0 AS CHAR)`

const hasMicroseconds = (text: unknown): boolean => (text as string).length > 23
const castToMoment = (operand: Parameter): Sql =>
  castTo(hasMicroseconds(operand.parameter) ? 'DATETIME(6)' : 'DATETIME(3)')(operand)

const inUtf8mb4 = (text: Sql): Sql => sql`CONVERT(${text} USING utf8mb4)`
/**
 * Text in another character set than utf8mb4. The first comparison converts the operand to this set, so an index serves it. The second
 * compares in utf8mb4, because the conversion replaces unknown characters by question marks.
 */
/* @__NO_SIDE_EFFECTS__ */ const textIn = (set: string): StoredType => {
  // MySQL gives a parameter in CONVERT the target set, and then refuses characters outside of it. CAST prevents that.
  const inSet = (operand: Sql | Parameter): Sql => sql`CONVERT(CAST(${operand} AS CHAR) USING ${raw(set)})`
  return {
    holds: ['string', 'uuid'],
    equal: (column, operand) =>
      sql`(${column} = ${inSet(operand)} AND CAST(${inUtf8mb4(column)} AS BINARY) = CAST(${operand} AS BINARY))`,
    among: (column, operands) =>
      sql`(${amongEach(column, operands, inSet)} AND ${amongEach(sql`CAST(${inUtf8mb4(column)} AS BINARY)`, operands, (operand) => sql`CAST(${operand} AS BINARY)`)})`,
    asText: inUtf8mb4,
    selected: inUtf8mb4,
  }
}

/** Without NO_ZERO_DATE and NO_ZERO_IN_DATE, a column may contain 0000-00-00 and 2024-00-00. */
const isWholeDate = (column: Sql): Sql => sql`(YEAR(${column}) > 0 AND MONTH(${column}) > 0 AND DAY(${column}) > 0)`

/** JSON_TABLE rounds a number to the type of its column, so each column of numbers is a double. */
const types = {
  text: { holds: ['string', 'uuid', 'date', 'datetime', 'time'], isText: true, as: inTexts },
  /** Text in a column that is declared with the dialect's collation: utf8mb4_0900_bin, or utf8mb4_nopad_bin on MariaDB. */
  orderedText: { holds: ['string', 'uuid', 'date', 'datetime', 'time'], isText: true, isOrdered: true, as: inTexts },
  enum: { holds: ['string'], isText: true, isOfFew: true },
  /** CHAR(36). All collations order these texts alike, and one in the condition would prevent the use of the index. */
  uuidText: { holds: ['uuid'], among: (column, operands) => amongEach(column, operands) },
  /** BINARY(16). MySQL sorts its bytes as it sorts the texts. */
  uuidBytes: {
    holds: ['uuid'],
    encode: (value: Literal['value']) => (value as string).replaceAll('-', ''),
    cast: (digits) => sql`UNHEX(${digits})`,
    among: (column, operands) => amongEach(column, operands, (digits) => sql`UNHEX(${digits})`),
    selected: (column) => sql`HEX(${column})`,
    decode: (value) => {
      if (value instanceof Uint8Array) return uuidOfBytes(value)
      return typeof value === 'string' ? (uuidOfDigits(value) ?? value) : value
    },
  },
  bigint: {
    holds: ['integer', 'bigint', 'number'],
    listed: 'DOUBLE',
    returned: ['text', 'bigint'],
    as: { integer: unrounded, bigint: { of: ofDigits } },
  },
  scaled: /* @__PURE__ */ scaled({ cast: castTo('SIGNED'), listed: 'BIGINT', selected: digitsOf }),
  /** A BIGINT that the schema has as a string. */
  bigintText: {
    holds: ['string'],
    fit: fitBigintText,
    cast: castTo('SIGNED'),
    listed: 'BIGINT',
    asText: digitsOf,
    selected: digitsOf,
    returned: ['number', 'bigint'],
  },
  double: { holds: ['integer', 'number'], listed: 'DOUBLE', returned: ['text', 'bigint'] },
  /** FLOAT. The engine prints six digits of one. */
  real: /* @__PURE__ */ real({
    cast: castTo('DOUBLE'),
    listed: 'DOUBLE',
    selected: (column) => sql`CAST(${column} AS DOUBLE)`,
  }),
  decimal: {
    holds: ['integer', 'number', 'decimal'],
    listed: 'DOUBLE',
    returned: ['text', 'bigint'],
    as: {
      decimal: {
        of: () => ({
          fit: (operator, value) => fittedDecimal(operator, value as string, 30),
          cast: castToDecimal,
          selected: asText,
          listed: 'DECIMAL(65, 30)',
        }),
      },
    },
  },
  /** TINYINT(1) or BIT(1). */
  boolean: {
    holds: ['boolean'],
    hasOthers: true,
    valid: (column) => sql`${column} IN (0, 1)`,
    encode: Number,
    listed: 'TINYINT',
    returned: ['number', 'bigint'],
    // A driver returns bytes for a BIT.
    selected: (column) => sql`${column} + 0`,
  },
  /** Integers of which all but 0 are true. */
  nonzero: {
    holds: ['boolean'],
    read: (column) => sql`(${column} <> 0)`,
    encode: Number,
    listed: 'TINYINT',
    returned: ['number', 'bigint'],
  },
  /** YEAR. The engine reads 20 as 2020 where it compares one with a number. */
  year: {
    holds: ['integer'],
    read: (column) => sql`CAST(${column} AS SIGNED)`,
    listed: 'DOUBLE',
    returned: ['text', 'bigint'],
  },
  date: { holds: ['date'], cast: castTo('DATE'), listed: 'DATE', selected: asText, valid: isWholeDate },
  /** DATETIME or TIMESTAMP, in UTC. */
  datetime: {
    holds: ['datetime'],
    encode: (value: Literal['value']) => (value as string).slice(0, -1).replace('T', ' '),
    cast: castToMoment,
    among: (column, operands) =>
      amongListed(column, operands, operands.some(hasMicroseconds) ? 'DATETIME(6)' : 'DATETIME(3)'),
    as: wholeMoments,
    selected: asText,
    decode: decodeMoment,
    valid: isWholeDate,
  },
  /** TIME has values outside of a day, too. */
  time: {
    holds: ['time'],
    cast: castTo('TIME(6)'),
    listed: 'TIME(6)',
    selected: asText,
    decode: decodeTime,
    valid: /* @__PURE__ */ inRange(`'00:00:00'`, `'23:59:59.999999'`),
  },
  epochMs: /* @__PURE__ */ epochMs({ listed: 'BIGINT' }),
  epochS: /* @__PURE__ */ epochS({ listed: 'BIGINT' }),
  ascii: /* @__PURE__ */ textIn('ascii'),
  latin1: /* @__PURE__ */ textIn('latin1'),
  utf8mb3: /* @__PURE__ */ textIn('utf8mb3'),
} as const satisfies Record<string, StoredType>
export type MysqlType = keyof typeof types

const columnTypes: Dialect['columnTypes'] = {
  string: 'text',
  uuid: 'uuidText',
  integer: 'bigint',
  bigint: 'bigint',
  number: 'double',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
}

/** As bytes, for a backslash in quotes depends on the server's mode. */
const hexadecimal = (text: string): Sql =>
  raw(`_utf8mb4 0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
const stepsOf = (names: readonly string[]): string => names.map((name) => `.${JSON.stringify(name)}`).join('')
const pathTo = (steps: string): Sql => (steps.includes('\\') ? hexadecimal(`$${steps}`) : stringLiteral(`$${steps}`))
const pathOf = (names: readonly string[]): Sql => pathTo(stepsOf(names))

/** Writes the part of a document that JSON_OVERLAPS compares: the list itself, or the values at a path in all entries. */
const overlapped = (column: Sql, paths: readonly Path[]): Sql => {
  const steps = paths.map(stepsOf).join('[*]')
  const ofList = paths.length === 2 ? steps.replace(/\[\*\]$/, '') : steps
  return ofList === '' ? column : sql`JSON_EXTRACT(${column}, ${pathTo(ofList)})`
}

const collate = (collation: string) => (text: Sql) => sql`${text} COLLATE ${raw(collation)}`

const amongTexts = (value: Sql, texts: readonly unknown[], exact: (text: Sql) => Sql): Sql =>
  amongEach(value, texts, (text) => exact(sql`${text}`))
function amongListed(value: Sql, operands: readonly unknown[], type: string): Sql {
  const columns = sql`COLUMNS (v ${raw(type)} PATH '$')`
  return sql`${value} IN (SELECT l.v FROM JSON_TABLE(${parameter(JSON.stringify(operands))}, '$[*]' ${columns}) AS l)`
}

interface Differences extends Pick<Dialect, 'name' | 'types' | 'preconditions'> {
  /** The collation that compares by code point and does not pad. */
  readonly collation: string
  /** Letters that LOWER leaves as they are; a test finds them by asking for every code point. */
  readonly unlowered: RegExp
  /** The text that LOWER receives for a text. */
  readonly lowerable: (text: Sql) => Sql
  /** A value that is a text, given as it is and with the collation. */
  readonly equal: (value: Sql, text: Sql, exact: Sql) => Sql
  /** A column that may have malformed text. */
  readonly document: (column: Sql) => Sql
  /** The text of a JSON value that is one. */
  readonly unquoted: (json: Sql) => Sql
  readonly json: Pick<JsonRules, 'exists' | 'isOutOfReach' | 'contains'>
  readonly select: Pick<SelectRules, 'json' | 'list' | 'text'>
}

function dialectOf(differences: () => Differences): Dialect {
  const { collation, unlowered, lowerable, equal, document, unquoted, json, select, preconditions, ...named } =
    differences()
  const exact = collate(collation)
  const jsonOf = ({ source, isEntry, names, isKey }: JsonValue): Sql => {
    const own = isEntry ? sql`${source}.${raw('`value`')}` : document(source)
    const path = isKey ? parameter(`$${stepsOf(names)}`) : pathOf(names)
    return names.length === 0 ? own : sql`JSON_EXTRACT(${own}, ${path})`
  }
  const like =
    (pattern: (text: string) => string): TextRules['prefix'] =>
    (lowered, operand, text) =>
      sql`${lowered} LIKE ${exact(text(pattern(escapeLike(operand, '!'))))} ESCAPE '!'`
  const ofType = (value: JsonValue, type: string, read: (json: Sql) => Sql): Sql => {
    const json = jsonOf(value)
    return sql`CASE JSON_TYPE(${json}) WHEN ${stringLiteral(type)} THEN ${read(json)} END`
  }

  const numbers = sql`('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')`
  /** A text of a form or a number as a type. Nothing is cast before it is looked at: in UPDATE and DELETE, a warning is an error. */
  const numberOf = (
    value: JsonValue,
    form: string,
    type: string,
    passes: { readonly text: (number: Sql) => Sql; readonly number: (double: Sql) => Sql },
  ): Sql => {
    const json = jsonOf(value)
    const text = sql`JSON_UNQUOTE(${json})`
    const [ofText, ofNumber] = [text, json].map((from) => sql`CAST(${from} AS ${raw(type)})`) as [Sql, Sql]
    const double = sql`CAST(${json} AS DOUBLE)`
    // Before a line feed at its end, a text ends for a regular expression.
    const isInForm = sql`${text} REGEXP ${stringLiteral(form)} AND ${text} NOT REGEXP '[^-.0-9]'`
    const cases = [
      sql`WHEN JSON_TYPE(${json}) = 'STRING' THEN CASE WHEN ${isInForm} THEN CASE WHEN ${passes.text(ofText)} THEN ${ofText} END END`,
      sql`WHEN JSON_TYPE(${json}) IN ${numbers} THEN CASE WHEN ${passes.number(double)} THEN ${ofNumber} END`,
    ]
    return sql`CASE ${join(cases, ' ')} END`
  }

  return frozen(() => ({
    ...named,
    quote: '`',
    placeholder: () => '?',
    columnTypes,
    differs: (a, b) => sql`NOT (${a} <=> ${b})`,
    ...truth,
    // No subquery for texts: MariaDB's cache of their results goes by the collation of the column.
    among: (value, operands, { isText, listed }) =>
      isText === true ? amongTexts(value, operands, exact) : amongListed(value, operands, listed!),
    needsListed: true,
    atLeast: atLeastByOffset(),
    textRules: {
      compare: (value, operator, text) =>
        operator === 'eq' ? equal(value, text, exact(text)) : compare(value, operator, exact(text)),
      differs: (value, text) => sql`NOT (${value} <=> ${exact(text)})`,
      ordered: exact,
      orderedLower: (lowered) => lowered,
      // LOWER goes by the collation.
      cased: (value) => lowerable(exact(sql`CONVERT(${value} USING utf8mb4)`)),
      prefix: prefixRange((lowered) => lowered),
      suffix: like((text) => `%${text}`),
      substring: like((text) => `%${text}%`),
    },
    lower: 'LOWER',
    unlowered: { LOWER: unlowered },
    json: {
      ...json,
      readsKeys: true,
      types: { ...columnTypes, integer: 'double', date: 'text', datetime: 'text', time: 'text' },
      text: (value) => ofType(value, 'STRING', unquoted),
      number: (value) => {
        const json = jsonOf(value)
        return sql`CASE WHEN JSON_TYPE(${json}) IN ${numbers} THEN CAST(${json} AS DOUBLE) END`
      },
      uuid: (value) => ofType(value, 'STRING', (json) => sql`LOWER(${unquoted(json)})`),
      bigint: (value) =>
        numberOf(value, '^-?(0|[1-9][0-9]{0,18})$', 'DECIMAL(65, 0)', {
          text: (number) => sql`${number} BETWEEN -9223372036854775808 AND 9223372036854775807`,
          number: (double) => sql`FLOOR(${double}) = ${double} AND ABS(${double}) <= 9007199254740991`,
        }),
      decimal: (value) =>
        numberOf(value, '^-?(0|[1-9][0-9]{0,34})([.][0-9]{1,30})?$', 'DECIMAL(65, 30)', {
          text: () => sql`TRUE`,
          number: (double) => sql`ABS(${double}) < 1e35`,
        }),
      boolean: (value) => ofType(value, 'BOOLEAN', (json) => sql`JSON_UNQUOTE(${json}) = 'true'`),
      isObject: (value) => sql`JSON_TYPE(${jsonOf(value)}) <=> 'OBJECT'`,
      isPresent: (value) => sql`COALESCE(JSON_TYPE(${jsonOf(value)}), 'NULL') <> 'NULL'`,
      entries: (list, name) =>
        sql`JSON_TABLE(${ofType(list, 'ARRAY', (json) => json)}, '$[*]' COLUMNS (${raw('`value`')} JSON PATH '$')) AS ${name}`,
    },
    select: {
      array: (values) => sql`JSON_ARRAY(${values})`,
      mostArguments: 100,
      ...select,
      orderKey: (column) => sql`COALESCE(CONCAT('x', HEX(WEIGHT_STRING(${column}))), ${asText(column)})`,
    },
    // Of prepared statements: the protocol counts them in 16 bits.
    maxParameters: 65_535,
    preconditions: [
      'the connection is in utf8mb4',
      'DATETIME columns are in UTC; where there are TIMESTAMP columns, the time zone of the connection is +00:00',
      'uuids in columns of text are in lower case',
      'datetimes in columns of text are canonical, to the digits that the column or the schema declares',
      'decimals in JSON have at most 35 digits before the point and 30 after it, and no exponent where they are texts',
      'booleans are stored as 0 and 1, or their type is nonzero',
      'columns of text are in utf8mb4, or their type is the name of their character set',
      ...preconditions,
    ],
  }))
}

/** Capitals that cut off the rest of a text, and their small letters. @see https://bugs.mysql.com/bug.php?id=119443 */
const cutting = { '\u023a': '\u2c65', '\u023e': '\u2c66' }

/** MySQL, tested with 9.7. Dates are `DATE`, datetimes `DATETIME` in UTC, booleans 0 and 1, lists JSON. */
export const mysql: Dialect = /* @__PURE__ */ dialectOf(() => ({
  name: 'mysql',
  engine: 'mysql',
  // A constant keeps its fraction here; as a double, 0.1 finds 0 in the index of a column of integers.
  types: {
    ...types,
    datetime: {
      ...types.datetime,
      // In the index of a column of whole seconds it finds the operand rounded; the other looks again.
      equal: (column, operand) => sql`(${column} = ${operand} AND CAST(${column} AS DATETIME(6)) = ${operand})`,
    },
  },
  collation: 'utf8mb4_0900_bin',
  splitsPositions: 'directions',
  splitsNulls: true,
  lateColumns: true,
  walksParents: 'by value',
  beginsAtEntries: true,
  unlowered: /[\u1c89-\u1cbf\u2c2f\ua7b8-\ua7f5\u{10570}-\u{10595}\u{10d50}-\u{10d65}\u{16e40}-\u{16eb8}]/u,
  lowerable: (text) =>
    Object.entries(cutting).reduce(
      (done, [capital, small]) => sql`REPLACE(${done}, ${hexadecimal(capital)}, ${hexadecimal(small)})`,
      text,
    ),
  // The column's own collation finds more rows, by the index; the exact one compares them again.
  equal: (value, text, exact) => sql`(${value} = ${text} AND ${value} = ${exact})`,
  document: (column) => column,
  unquoted: (json) => sql`JSON_UNQUOTE(${json})`,
  select: {
    json: (column) => column,
    text: asText,
    list: (entry, rows) => sql`(SELECT JSON_ARRAYAGG(${entry}) FROM ${rows})`,
  },
  json: {
    // MySQL joins a bare EXISTS to the row, reads JSON_TABLE once for all rows, and selects all rows or none.
    exists: (rows, negated) => sql`EXISTS (SELECT 1 FROM ${rows}) = ${raw(negated ? 'FALSE' : 'TRUE')}`,
    // By a multi-valued index it compares what the index makes of entries and operands, so it finds more. One text, for the type of a
    // parameter is that of its first value.
    contains: {
      forms: {
        text: jsonForms.text,
        // Of others, two texts of a number may be one double.
        number: (number) => (Number.isSafeInteger(number) ? jsonForms.number(number) : undefined),
        bigint: jsonForms.bigint,
      },
      test: (column, paths, forms) =>
        sql`JSON_OVERLAPS(${overlapped(column, paths)}, CAST(${parameter(`[${[forms].flat().join()}]`)} AS JSON))`,
      isExact: false,
    },
  },
  preconditions: [
    'JSON is stored as JSON',
    'a multi-valued index of numbers in JSON has a type of numbers',
    'numbers in DECIMAL columns have at most 15 digits, or the digits that JavaScript writes',
  ],
}))

const noPad = 'utf8mb4_nopad_bin'
const inCollation = /* @__PURE__ */ collate(noPad)

/** MariaDB, tested with 10.11. Dates are `DATE`, datetimes `DATETIME` in UTC, booleans 0 and 1, lists JSON. */
export const mariadb: Dialect = /* @__PURE__ */ dialectOf(() => ({
  name: 'mariadb',
  engine: 'mariadb',
  // MariaDB rounds a constant to the type of the column whose index it looks in: 5.5 finds 6.
  types: {
    ...types,
    // The index of an enumeration serves texts in its own collation alone.
    enum: {
      ...types.enum,
      equal: (column, operand) => sql`(${column} = ${operand} AND ${column} = ${inCollation(operand)})`,
      among: (column, operands) =>
        sql`(${amongEach(column, operands)} AND ${amongTexts(column, operands, inCollation)})`,
    },
    // It has the order of its bytes, where those of most versions stand in another order than in the text.
    uuid: { holds: ['uuid'], among: (column, operands) => amongEach(column, operands), asText, selected: asText },
    bigint: { ...types.bigint, cast: castTo('DOUBLE') },
    decimal: { ...types.decimal, cast: castTo('DOUBLE') },
  },
  collation: noPad,
  splitsNulls: true,
  lateColumns: true,
  walksParents: 'by value',
  beginsAtEntries: true,
  unlowered:
    /[\u0220\u023a-\u024e\u0370-\u037f\u03cf\u03d8\u03f4-\u03ff\u048a\u04c0\u04c5\u04c9\u04cd\u04f6\u04fa-\u052e\u10a0-\u10cd\u13a0-\u13f5\u1c89-\u1cbf\u1e9e\u1efa-\u1efe\u2132\u2183\u2c00-\u2cf2\ua640-\ua69a\ua722-\ua7f5\u{10400}-\u{10427}\u{104b0}-\u{104d3}\u{10570}-\u{10595}\u{10c80}-\u{10cb2}\u{10d50}-\u{10d65}\u{118a0}-\u{118bf}\u{16e40}-\u{16e5f}\u{16ea0}-\u{16eb8}\u{1e900}-\u{1e921}]/u,
  lowerable: (text) => text,
  equal: (value, _, exact) => sql`${value} = ${exact}`,
  document: (column) => sql`CASE WHEN JSON_VALID(${column}) THEN ${column} END`,
  // MariaDB 10.11 replaces what is equal to a constant in other conditions, and forgets there that the constant has COLLATE.
  unquoted: (json) => inCollation(sql`JSON_UNQUOTE(${json})`),
  select: {
    // A text that no function of JSON returns is a text in an array, too.
    json: (column) => sql`JSON_EXTRACT(CASE WHEN JSON_VALID(${column}) THEN ${column} END, '$')`,
    // A sort keeps rows in a table whose column of an aggregate holds group_concat_max_len bytes; this is the longest text.
    text: (json) => sql`CAST(${json} AS CHAR(1073741823))`,
    // JSON_ARRAYAGG is cut off at group_concat_max_len.
    list: (entry, rows) => sql`(SELECT JSON_OBJECTAGG(UUID_SHORT(), ${entry}) FROM ${rows})`,
  },
  json: {
    // To MariaDB the path $."-x" is a fault.
    isOutOfReach: (name) => name.startsWith('-'),
  },
  preconditions: ['JSON is stored as JSON, or as text in utf8mb4 with a binary collation'],
}))
