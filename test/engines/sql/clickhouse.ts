/**
 * ClickHouse, by chDB: its engine in a process of Python, which CHDB_PYTHON names. The dialect is one that this package does not have,
 * so it is made of nothing but what the package exports.
 *
 * @see https://clickhouse.com/docs/chdb
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join as pathTo } from 'node:path'
import { createInterface } from 'node:readline'
import { mysql, type Dialect } from '../../../src/backends/sql/index.ts'
import {
  compare,
  fittedDecimal,
  join,
  parameter,
  raw,
  sql,
  stringLiteral,
  truth,
  type JsonValue,
  type Parameter,
  type Sql,
} from '../../../src/backends/sql/dialect/index.ts'
import type { Engine } from './engines.ts'

// --- The dialect

/** All parameters are texts. */
const castTo = (type: string) => (text: Parameter | Sql) => sql`CAST(${text} AS Nullable(${raw(type)}))`

/** A backslash in quotes is an escape. */
const literal = (text: string): Sql => stringLiteral(text.replaceAll('\\', '\\\\'))
/** The arguments of functions of JSON. */
const at = ({ source, isEntry, names }: JsonValue): Sql =>
  // ClickHouse rejects NULL as an argument of a function that returns an array.
  join([isEntry ? sql`${source}.value` : sql`ifNull(${source}, '')`, ...names.map(literal)], ', ')
const rawOf = (value: JsonValue): Sql => sql`JSONExtractRaw(${at(value)})`
const textOf = (value: JsonValue): Sql =>
  sql`if(startsWith(${rawOf(value)}, '"'), JSONExtractString(${at(value)}), NULL)`
/** JSONType returns String for an integer of more than 64 bits. */
const numberOf = (value: JsonValue): Sql => sql`toFloat64OrNull(${rawOf(value)})`

/** Of DECIMAL(76, 30). */
const [wholeDigits, digits] = [46, 30]

/** @see https://clickhouse.com/docs/sql-reference */
export const clickhouse: Dialect = {
  name: 'clickhouse',
  quote: '`',
  placeholder: (index) => `{p${index}:Nullable(String)}`,
  types: {
    // Its types of dates begin in 1900 and end in 2299.
    text: mysql.types.text,
    int64: {
      holds: ['integer', 'bigint', 'number'],
      // An integer and a double compare exactly.
      cast: castTo('Float64'),
      returned: ['text', 'bigint'],
      as: { bigint: { of: () => ({ cast: castTo('Int64') }) } },
    },
    float64: { holds: ['integer', 'number'], cast: castTo('Float64') },
    decimal: {
      holds: ['decimal'],
      fit: (operator, value) => {
        const fitted = fittedDecimal(operator, value as string, digits)
        if (typeof fitted === 'boolean' || /^-?(\d*)/.exec(fitted.value)![1]!.length <= wholeDigits) return fitted
        return operator !== 'eq' && operator.startsWith('lt') !== fitted.value.startsWith('-')
      },
      cast: castTo(`Decimal(76, ${digits})`),
    },
    // Of JSON, it is 0 or 1.
    boolean: { holds: ['boolean'], cast: castTo('Bool'), returned: ['number'] },
  },
  columnTypes: {
    string: 'text',
    uuid: 'text',
    integer: 'int64',
    bigint: 'int64',
    number: 'float64',
    decimal: 'decimal',
    boolean: 'boolean',
    date: 'text',
    datetime: 'text',
    time: 'text',
  },
  differs: (a, b) => sql`NOT (${a} <=> ${b})`,
  ...truth,
  // IN turns the operands into the type of the column.
  among: (value, operands, { cast = (text) => sql`${text}` }) =>
    sql`(${join(
      operands.map((operand) => compare(value, 'eq', cast(parameter(operand)))),
      ' OR ',
    )})`,
  // A subquery that refers to a row is NULL where it has no rows.
  atLeast: (rows, _, count, negated) =>
    sql`ifNull((SELECT count() FROM ${rows}), 0) ${raw(negated ? '<' : '>=')} CAST(${count} AS UInt64)`,
  // It refuses a list of the row in JOIN.
  countsLists: false,
  textRules: {
    compare,
    differs: (value, text) => sql`NOT (${value} <=> ${text})`,
    // It goes by words: a sigma at the end of one has another small letter, and the capital i with a dot has two.
    cased: (value) => sql`replaceAll(replaceAll(${value}, 'Σ', 'σ'), 'İ', 'i')`,
    prefix: (lowered, operand, text) => sql`startsWith(${lowered}, ${text(operand)})`,
    suffix: (value, operand, text) => sql`endsWith(${value}, ${text(operand)})`,
    substring: (value, operand, text) => sql`position(${value}, ${text(operand)}) > 0`,
  },
  lower: 'lowerUTF8',
  unlowered: {},
  nulls: { ascending: ' NULLS FIRST', descending: ' NULLS LAST' },
  json: {
    types: {
      string: 'text',
      uuid: 'text',
      integer: 'float64',
      bigint: 'int64',
      number: 'float64',
      boolean: 'boolean',
      date: 'text',
      datetime: 'text',
      time: 'text',
    },
    text: textOf,
    number: numberOf,
    uuid: (value) => sql`lower(${textOf(value)})`,
    bigint: (value) => {
      const [text, number] = [textOf(value), numberOf(value)]
      const isInteger = sql`trunc(${number}) = ${number} AND abs(${number}) <= 9007199254740991`
      return sql`multiIf(match(${text}, '^-?(0|[1-9][0-9]{0,18})$'), toInt64OrNull(${text}), ${isInteger}, toInt64OrNull(toString(${number})), NULL)`
    },
    boolean: (value) => sql`if(JSONType(${at(value)}) = 'Bool', JSONExtractBool(${at(value)}), NULL)`,
    isObject: (value) => sql`JSONType(${at(value)}) <=> 'Object'`,
    // No entry is an empty text. EXISTS without WHERE is true for an empty list.
    entries: (list, name) =>
      sql`(SELECT value FROM (SELECT arrayJoin(JSONExtractArrayRaw(${at(list)})) AS value) WHERE value <> '') AS ${name}`,
  },
  preconditions: [
    'the setting join_use_nulls is 1',
    'decimals are Decimal(76, 30), columns of numbers have no NaN, and columns that may be empty are Nullable',
    'datetimes are canonical texts, to the digits that the column or the schema declares; uuids are texts in lower case',
    'JSON is stored as text',
    'integers of 64 bits are returned as texts: output_format_json_quote_64bit_integers is 1',
  ],
}

// --- The engine

/** What ClickHouse 26.9 refuses with an error: clickhouse.test.ts sends each. */
export const refusals = {
  /** A list in an entry of a list in JSON: it reads a subquery for each row only where no other one is in it. */
  nestedList: /arrayJoin\(JSONExtractArrayRaw\(`?\w+`?\.value/,
} as const

interface Answer {
  readonly rows?: Record<string, unknown>[]
  readonly error?: string
}

/** A parameter in the form of ClickHouse's TSV. @see https://clickhouse.com/docs/interfaces/cli#cli-queries-with-parameters-syntax */
const sent = (value: unknown): string =>
  value === null
    ? '\\N'
    : String(value as string).replace(
        /[\\\t\n\0]/g,
        (mark) => `\\${{ '\\': '\\', '\t': 't', '\n': 'n', '\0': '0' }[mark]!}`,
      )

const settings = [
  'join_use_nulls',
  'data_type_default_nullable',
  'output_format_json_quote_64bit_integers',
  'output_format_json_quote_decimals',
]

/** @param python an interpreter that has the package `chdb`. */
export async function openClickhouse(python: string): Promise<Engine> {
  const child = spawn(python, [pathTo(import.meta.dirname, 'clickhouse.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> => {
    const parameters = Object.fromEntries(values.map((value, index) => [`p${index + 1}`, sent(value)]))
    child.stdin.write(`${JSON.stringify({ text, parameters })}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${python} has ended`)
    const { rows, error } = JSON.parse(value) as Answer
    if (rows === undefined) throw new Error(error)
    return rows
  }
  const run: Engine['run'] = (text, parameters = []) => {
    const answer = last.then(() => ask(text, parameters))
    last = answer.catch(() => undefined)
    return answer
  }
  await run('CREATE DATABASE urlwhere ENGINE = Atomic')
  await run('USE urlwhere')
  for (const setting of settings) await run(`SET ${setting} = 1`)
  return {
    name: 'clickhouse',
    dialect: clickhouse,
    declared: {
      string: 'String',
      uuid: 'String',
      integer: 'Int64',
      bigint: 'Int64',
      number: 'Float64',
      decimal: 'Decimal(76, 30)',
      boolean: 'Bool',
      date: 'String',
      datetime: 'String',
      time: 'String',
      json: 'String',
    },
    options: ' ENGINE = Memory',
    stored: (type, value) => (type === 'json' ? JSON.stringify(value) : value),
    run,
    close: async () => {
      child.stdin.end()
      await ended
    },
    // It refuses to order by a subquery, which reads a parent's field where `compileQuery` has no join.
    layouts: ['tables', 'json'],
    weight: 10,
    refuses: (text) => Object.values(refusals).some((refused) => refused.test(text)),
    planning: { textIndexes: () => [], analyze: () => 'SELECT 1' },
  }
}
