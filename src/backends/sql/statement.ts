/** The text of a piece of SQL, with the placeholders of its dialect. */
import type { Issue } from '../../issue/index.ts'
import { throwIssues } from '../issues.ts'
import type { Dialect } from './dialect/dialect.ts'
import { flatten, type Sql } from './dialect/sql.ts'

/** A piece of a statement, with its values. */
export interface SqlPiece {
  /** The SQL. The numbers of its placeholders are those in the whole statement. */
  readonly text: string
  /**
   * The values of its placeholders, in order: texts, numbers, booleans, and arrays of these if the dialect sends lists as arrays. It is
   * `any[]`, because each driver declares another type for its parameters.
   */
  readonly parameters: any[]
  /** The text around the parameters, for tagged templates: one piece more than there are parameters. */
  readonly strings: TemplateStringsArray
}

/**
 * A condition to put after WHERE, or to join to other conditions with AND and OR. Never put NOT before it: it may be NULL in place of
 * false, so that NOT loses rows, and it may lack parentheses.
 */
export interface SqlWhere extends SqlPiece {
  /** Whether NOT may precede it. */
  readonly negatable: boolean
}

/**
 * A condition for any place in a statement: a boolean expression, true or false for every row and never NULL. It is safe after AND, OR
 * and NOT.
 */
export interface SqlCondition extends SqlWhere {
  readonly negatable: true
}

/** A code unit has three bytes at most. */
const bytesOf = (text: string, max: number): number =>
  text.length * 3 > max ? new TextEncoder().encode(text).length : text.length

/** The parts of a statement that an engine has a maximum for. */
const measures = [
  ['maxParameters', 'parameters', (_: Dialect, __: string, ___: number, count: number) => count],
  ['maxBytes', 'bytes', (_: Dialect, text: string, max: number) => bytesOf(text, max)],
  ['maxDepth', 'levels of expressions', ({ depthOf }: Dialect, text: string, max: number) => depthOf?.(text, max) ?? 0],
] as const

/**
 * @param firstParameter the number of its first placeholder.
 * @param refusal the issue where the statement is too large for the engine.
 * @throws FilterError with that issue.
 */
export function pieceOf(
  dialect: Dialect,
  piece: Sql,
  firstParameter: number,
  refusal: (message: string) => Issue,
): SqlPiece {
  const { placeholder, name } = dialect
  const { strings, parameters } = flatten(piece)
  let text = strings[0]!
  for (let at = 1; at < strings.length; at++) text += placeholder(firstParameter + at - 1) + strings[at]!
  const count = firstParameter - 1 + parameters.length
  for (const [limit, parts, measure] of measures) {
    const max = dialect[limit] ?? Infinity
    // A client reads the message: a number of the whole statement would tell how large its restriction is.
    if (measure(dialect, text, max, count) > max) {
      throwIssues([refusal(`the statement has more ${parts} than ${name} takes: ${max} at most`)])
    }
  }
  return { text, parameters, strings: templateOf(strings) }
}

function templateOf(strings: string[]): TemplateStringsArray {
  const template = strings as string[] & { raw: readonly string[] }
  template.raw = Object.freeze(strings.slice())
  return Object.freeze(template)
}
