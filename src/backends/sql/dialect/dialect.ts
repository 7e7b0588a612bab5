/** What a dialect of SQL is: data and templates. A dialect of your own spreads one of ours and changes what differs. */
import type { ComparisonOperator, Literal, LiteralType } from '../../../ast/index.ts'
import { sql, type Parameter, type Sql } from './sql.ts'

/** How a column stores a field. */
export interface StoredType {
  /** The types of literals that it stands for. */
  readonly holds: readonly LiteralType[]
  /** What the driver sends for a literal's value; `undefined` when no stored value can be equal to it. */
  readonly encode?: (value: Literal['value']) => unknown
  /** A parameter as a value of this type: engines guess otherwise. */
  readonly cast?: (parameter: Parameter) => Sql
  /** Text compares by rules of its own. */
  readonly isText?: boolean
  /**
   * The type that JSON_TABLE reads it as, in SQL; for dialects of which {@link Dialect.needsListed} says that they need it.
   *
   * @see https://dev.mysql.com/doc/refman/8.0/en/json-table-functions.html
   */
  readonly listed?: string
  /** A column as text, for order and match, where the engine would compare it otherwise. */
  readonly asText?: (column: Sql) => Sql
}

/** How texts compare: exactly, by code point. */
export interface TextRules {
  readonly compare: (value: Sql, operator: ComparisonOperator, text: Sql) => Sql
  readonly differs: (value: Sql, text: Sql) => Sql
  /** A text as {@link Dialect.lower} takes it, such as with the collation that lower-cases it, where a column may have another. */
  readonly cased?: (value: Sql) => Sql
  /** Tests of a lower-cased value, for texts that are not empty; `text` makes a parameter of a text. */
  readonly prefix: (lowered: Sql, operand: string, text: (text: string) => Sql) => Sql
  readonly suffix: (lowered: Sql, operand: string, text: (text: string) => Sql) => Sql
  readonly substring: (lowered: Sql, operand: string, text: (text: string) => Sql) => Sql
}

/** A JSON value in SQL: a member of a column, or of an entry that {@link JsonRules.entries} made. */
export interface JsonValue {
  /** The column, or the name that the entries have in `FROM`. */
  readonly source: Sql
  readonly isEntry: boolean
  readonly names: readonly string[]
}

/** Readers of JSON. Each is NULL, never an engine error, when the value has another form or there is none. */
export interface JsonRules {
  /** What a literal is compared as, by its type: names of {@link Dialect.types}. */
  readonly types: Readonly<Record<LiteralType, string>>
  readonly text: (value: JsonValue) => Sql
  readonly number: (value: JsonValue) => Sql
  readonly boolean: (value: JsonValue) => Sql
  /** Member names that no path of the engine can say. */
  readonly isOutOfReach?: (name: string) => boolean
  /** Whether it is an object: true or false, never NULL. */
  readonly isObject: (value: JsonValue) => Sql
  /** What stands in `FROM` for the entries of a list; none where it is no list. */
  readonly entries: (list: JsonValue, name: Sql) => Sql
  /**
   * Whether {@link entries} have a row, or have none: true or false, never NULL. `rows` follows `FROM`. EXISTS unless given;
   * for engines whose planner makes a wrong join of that.
   */
  readonly exists?: (rows: Sql, negated: boolean) => Sql
}

/** Native arrays. */
export interface ArrayRules {
  /** What stands in `FROM` for the entries. */
  readonly entries: (column: Sql, name: Sql) => Sql
  readonly entry: (name: Sql) => Sql
}

/** A dialect of SQL. */
export interface Dialect {
  /** For messages; nothing depends on it. */
  readonly name: string
  /** What stands around a name; doubled in it. */
  readonly quote: string
  /** The placeholder of a parameter, counted from 1. */
  readonly placeholder: (index: number) => string
  readonly types: Readonly<Record<string, StoredType>>
  /** The type of a column that is not declared otherwise, by the type of its literals. */
  readonly columnTypes: Readonly<Record<LiteralType, string>>
  /** `a` and `b` differ, NULL being a value like others. */
  readonly differs: (a: Sql, b: Sql) => Sql
  /** A test that may be NULL is true: this is never NULL, and has no word in it that a column may be called. */
  readonly isTrue: (test: Sql) => Sql
  /** The complement of {@link isTrue}; `column` is the column, if there is one, that the test is NULL for exactly where it is NULL. */
  readonly isNotTrue: (test: Sql, column?: Sql) => Sql
  /** One parameter that holds a list, for any number of operands. */
  readonly among: (value: Sql, operands: readonly unknown[], type: StoredType) => Sql
  /** Whether {@link among} needs {@link StoredType.listed} of each type that is not text. */
  readonly needsListed?: boolean
  readonly textRules: TextRules
  /** The function that lower-cases text. */
  readonly lower: string
  /** Of functions that lower-case in part, the characters that they leave as they are. */
  readonly unlowered: Readonly<Record<string, RegExp>>
  readonly json?: JsonRules
  readonly array?: ArrayRules
  /** How many parameters a statement has at most; a filter that needs more is refused. Unbounded unless given. */
  readonly maxParameters?: number
  /** What must be so in the engine, in words. */
  readonly preconditions: readonly string[]
}

const signs: Readonly<Record<ComparisonOperator, readonly string[]>> = {
  eq: ['', ' = ', ''],
  gt: ['', ' > ', ''],
  gte: ['', ' >= ', ''],
  lt: ['', ' < ', ''],
  lte: ['', ' <= ', ''],
}

/** `a = b` and the like: what every engine has. */
export const compare = (a: Sql, operator: ComparisonOperator, b: Sql): Sql => ({
  strings: signs[operator],
  values: [a, b],
})

/** `x IS TRUE` and its complement, for engines that reserve the word TRUE. */
export const truth = {
  isTrue: (test: Sql): Sql => sql`(${test}) IS TRUE`,
  isNotTrue: (test: Sql): Sql => sql`(${test}) IS NOT TRUE`,
} as const satisfies Partial<Dialect>

/**
 * The least text that comes, by code point, after all texts with a prefix; `undefined` when there is none.
 * With it a prefix is a span of an index.
 */
export function afterPrefix(prefix: string): string | undefined {
  const unit = prefix.charCodeAt(prefix.length - 1)
  if (unit < 0xd7ff) return prefix.slice(0, -1) + String.fromCharCode(unit + 1)
  const points = Array.from(prefix, (character) => character.codePointAt(0)!)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // The surrogates are no characters.
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return undefined
}

/** A text whose characters stand for themselves in LIKE. */
export const escapeLike = (text: string, escape: string): string =>
  Array.from(text, (mark) => ('%_'.includes(mark) || mark === escape ? escape + mark : mark)).join('')

/** A lower-cased value between a prefix and what comes after it. */
export const prefixRange =
  (collate: (text: Sql) => Sql): TextRules['prefix'] =>
  (lowered, operand, text) => {
    const own = collate(lowered)
    const after = afterPrefix(operand)
    const from = sql`${own} >= ${text(operand)}`
    return after === undefined ? from : sql`(${from} AND ${own} < ${text(after)})`
  }

/** A dialect that nothing can change, its tables included. */
export function frozen(dialect: Dialect): Dialect {
  for (const part of Object.values(dialect)) if (typeof part === 'object') Object.freeze(part)
  return Object.freeze(dialect)
}

/** @throws TypeError when a part of a dialect is missing or cannot be: anybody can put one together. */
export function checkDialect(dialect: Dialect): void {
  if (typeof dialect?.placeholder !== 'function') {
    throw new TypeError('options.dialect must be a dialect, such as postgres')
  }
  const { columnTypes, json, needsListed = false, types, unlowered } = dialect
  for (const name of ['text', ...Object.values(columnTypes), ...Object.values(json?.types ?? {})]) {
    if (!Object.hasOwn(types, name)) throw new TypeError(`dialect.types has no ${name}, which the dialect refers to`)
  }
  for (const [name, { isText, listed }] of Object.entries(types)) {
    if (!needsListed || isText === true || (typeof listed === 'string' && listed !== '')) continue
    throw new TypeError(`dialect.types.${name}.listed must be the type that JSON_TABLE reads it as`)
  }
  for (const { flags } of Object.values(unlowered)) {
    // With g or y an expression remembers where it was; without u or v it sees halves of letters.
    if (/[gy]/.test(flags) || !/[uv]/.test(flags)) {
      throw new TypeError('dialect.unlowered must have expressions with the flag u, and without g and y')
    }
  }
}
