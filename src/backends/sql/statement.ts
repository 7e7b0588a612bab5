/** The text of a piece of SQL, with the placeholders of its dialect. */
import type { Issue } from '../../issue/index.ts'
import { boundedCache, type Cache } from '../../cache.ts'
import { throwIssues } from '../issues.ts'
import { valueIn } from './by-shape.ts'
import type { Dialect } from './dialect/dialect.ts'
import { flatten, parameter, sql, type Sql } from './dialect/sql.ts'

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

type Size = (typeof sizes)[number] | typeof levels

/** The part of a statement that is too large for the engine. */
const excessIn = (dialect: Dialect, text: string, count: number, parts: readonly Size[]): Size | undefined =>
  parts.find(([limit, , measure]) => {
    const max = dialect[limit] ?? Infinity
    return measure(dialect, text, max, count) > max
  })

function checkSize(dialect: Dialect, text: string, count: number, refusal: Refusal, parts: readonly Size[]): void {
  const excess = excessIn(dialect, text, count, parts)
  if (excess === undefined) return
  const [limit, part] = excess
  // A client reads the message: a number of the whole statement would tell how large its restriction is.
  const message = `the statement has more ${part} than ${dialect.name} takes: ${dialect[limit]!} at most`
  throwIssues([refusal(message)])
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

/** The limits of a statement: of its page, and of each range that the page is made of. */
export type Limits = readonly Sql[]

/** The place of a limit among the parameters of a shared text. */
class LimitPlace {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}
/* @__NO_SIDE_EFFECTS__ */ const placeOfLimit = (at: number): Sql => sql`${parameter(new LimitPlace(at))}`
export const pageLimit = /* @__PURE__ */ placeOfLimit(0)
export const rangeLimit = /* @__PURE__ */ placeOfLimit(1)

/** The text of statements that share a shape. They differ in the limits, which most dialects write as numbers. */
export interface SharedText extends Pick<SqlPiece, 'strings' | 'parameters'> {
  /** Whether it has places for the limit of a range. */
  readonly hasRanges: boolean
  /** The whole texts that were made last, by the texts of the limits. Drivers find a prepared statement faster by the same object. */
  readonly wholes: Cache<string, Omit<SqlPiece, 'parameters'>>
}

/**
 * Makes the shared text of a piece with places for limits. A service has few limits.
 *
 * @throws FilterError with the issue of `refusal` if the statement with these limits is too large.
 */
export function sharedText(
  dialect: Dialect,
  piece: Sql,
  limits: Limits,
  firstParameter: number,
  refusal: Refusal,
): SharedText {
  const { strings, parameters } = flatten(piece)
  const hasRanges = parameters.some((parameter) => parameter instanceof LimitPlace && parameter.at > 0)
  const wholes: SharedText['wholes'] = boundedCache(4)
  const shared: SharedText = { strings: templateOf(strings), parameters, hasRanges, wholes }
  const { text } = withLimits(dialect, shared, [], hasRanges ? limits : limits.slice(0, 1), firstParameter, refusal)
  checkSize(dialect, text, 0, refusal, [levels])
  return shared
}

/** Whether the engine takes a statement with these limits. */
export function fits(dialect: Dialect, piece: Sql, limits: Limits, firstParameter: number): boolean {
  const strings = stringsWith(flatten(piece), limits.map(flatten))
  const text = textOf(dialect, strings, firstParameter)
  return excessIn(dialect, text, firstParameter - 2 + strings.length, [...sizes, levels]) === undefined
}

type Flat = Readonly<ReturnType<typeof flatten>>

/** The texts around the parameters of a piece, with limits in their places. */
function stringsWith(
  { strings, parameters }: { readonly strings: readonly string[]; readonly parameters: readonly unknown[] },
  limits: readonly Flat[],
): string[] {
  const all = [strings[0]!]
  for (const [at, parameter] of parameters.entries()) {
    const [first, ...others] = parameter instanceof LimitPlace ? limits[parameter.at]!.strings : ['', '']
    all[all.length - 1] += first!
    all.push(...others)
    all[all.length - 1] += strings[at + 1]!
  }
  return all
}

/**
 * Writes the limits of a statement whose text is shared.
 *
 * @param values those of the slots of the text.
 * @throws FilterError with the issue of `refusal`.
 */
export function withLimits(
  dialect: Dialect,
  shared: SharedText,
  values: readonly unknown[],
  limits: Limits,
  firstParameter: number,
  refusal: Refusal,
): SqlPiece {
  const flat = limits.map(flatten)
  const parameters: any[] = []
  for (const parameter of shared.parameters) {
    if (parameter instanceof LimitPlace) parameters.push(...flat[parameter.at]!.parameters)
    else parameters.push(valueIn(parameter, values))
  }
  const key = flat.length === 1 ? flat[0]!.strings.join('?') : flat.map(({ strings }) => strings.join('?')).join()
  let whole = shared.wholes.get(key)
  if (whole === undefined) {
    const strings = stringsWith(shared, flat)
    const text = textOf(dialect, strings, firstParameter)
    checkSize(dialect, text, firstParameter - 1 + parameters.length, refusal, sizes)
    whole = { text, strings: templateOf(strings) }
    shared.wholes.set(key, whole)
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
