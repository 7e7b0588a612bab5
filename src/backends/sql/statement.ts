/** The text of a piece of SQL, with the placeholders of its dialect. */
import type { Issue } from '../../issue/index.ts'
import { boundedCache, type Cache } from '../../cache.ts'
import { throwIssues } from '../issues.ts'
import { parametersOf } from './by-shape.ts'
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

/** The parts of a statement that an engine has a maximum for, and that a number behind the statement changes. */
const sizes = [
  ['maxParameters', 'parameters', (_: Dialect, __: string, ___: number, count: number) => count],
  ['maxBytes', 'bytes', (_: Dialect, text: string, max: number) => bytesOf(text, max)],
] as const
/** Counts the levels of a new shape. A known shape skips this count, because a number at the end of a statement adds no level. */
const levels = [
  'maxDepth',
  'levels of expressions',
  ({ depthOf }: Dialect, text: string, max: number) => depthOf?.(text, max) ?? 0,
] as const

/** Makes the issue of a statement that is too large for the engine. */
export type Refusal = (message: string) => Issue

function checkSize(
  dialect: Dialect,
  text: string,
  count: number,
  refusal: Refusal,
  parts: readonly ((typeof sizes)[number] | typeof levels)[],
): void {
  for (const [limit, part, measure] of parts) {
    const max = dialect[limit] ?? Infinity
    // A client reads the message: a number of the whole statement would tell how large its restriction is.
    if (measure(dialect, text, max, count) > max) {
      throwIssues([refusal(`the statement has more ${part} than ${dialect.name} takes: ${max} at most`)])
    }
  }
}

/**
 * @param firstParameter the number of its first placeholder.
 * @throws FilterError with the issue of `refusal`.
 */
export function pieceOf(dialect: Dialect, piece: Sql, firstParameter: number, refusal: Refusal): SqlPiece {
  const { strings, parameters } = flatten(piece)
  const text = textOf(dialect, strings, firstParameter)
  checkSize(dialect, text, firstParameter - 1 + parameters.length, refusal, [...sizes, levels])
  return { text, parameters, strings: templateOf(strings) }
}

/** The start of statements that share a shape. Their ends differ in numbers: the limit and, in a few dialects, nothing else. */
export interface SharedStart extends SqlPiece {
  /** The whole texts that were made last, by the text of the end. Drivers find a prepared statement faster by the same object. */
  readonly wholes: Cache<string, Omit<SqlPiece, 'parameters'>>
}

/** Makes the start of statements. A service has few limits. */
export const sharedStart = (piece: SqlPiece): SharedStart => ({ ...piece, wholes: boundedCache(4) })

/**
 * Writes the end of a statement whose start is shared. The end contains the limit, which most dialects write as a number.
 *
 * @param values those of the slots of the start.
 * @throws FilterError with the issue of `refusal`.
 */
export function withEnd(
  dialect: Dialect,
  start: SharedStart,
  values: readonly unknown[],
  end: Sql,
  firstParameter: number,
  refusal: Refusal,
): SqlPiece {
  const parameters: any[] = parametersOf(start.parameters, values)
  const { strings, parameters: more } = flatten(end)
  const endText = textOf(dialect, strings, firstParameter + parameters.length)
  parameters.push(...more)
  let whole = start.wholes.get(endText)
  if (whole === undefined) {
    const text = start.text + endText
    checkSize(dialect, text, firstParameter - 1 + parameters.length, refusal, sizes)
    const { strings: before } = start
    const joined = [...before.slice(0, -1), before.at(-1)! + strings[0]!, ...strings.slice(1)]
    whole = { text, strings: templateOf(joined) }
    start.wholes.set(endText, whole)
  }
  return { text: whole.text, parameters, strings: whole.strings }
}

function textOf({ placeholder }: Dialect, strings: readonly string[], firstParameter: number): string {
  let text = strings[0]!
  for (let at = 1; at < strings.length; at++) text += placeholder(firstParameter + at - 1) + strings[at]!
  return text
}

function templateOf(strings: string[]): TemplateStringsArray {
  const template = strings as string[] & { raw: readonly string[] }
  template.raw = Object.freeze(strings.slice())
  return Object.freeze(template)
}
