/** Text → filter: first the syntax, then what it means for a schema. */
import type { Filter } from '../ast/index.ts'
import { bind } from './bind.ts'
import { combine } from './combine.ts'
import { checkWords, noWords, usualWords, type GroupWords } from './words.ts'
import { FilterError, report, textOf, type Finding, type Issues, type QueryText } from '../issue/index.ts'
import { checkLimits, lengthFinding, pairsFinding, parseSyntax, type Limits, type Syntax } from '../syntax/index.ts'
import { checkOptions } from '../options.ts'
import { checkSchema, type Schema } from '../language/index.ts'

/** The options of `parseQuery` and `parseQueryOrThrow`. */
export interface QueryOptions {
  /**
   * Names of pairs that are not conditions, such as those of paging, sorting and credentials. Their pairs are taken out of
   * the query, and their decoded values are returned. Nothing of these values gets into a filter, a message or a hint.
   *
   * A name is compared with the whole decoded key: `page[size]` is a name, too. Without this option no name is reserved.
   */
  readonly reserved?: readonly string[]
  /** Limits that differ from {@link defaultLimits}. `Infinity` removes a limit. */
  readonly limits?: Partial<Limits>
}

/** The options of {@link parseFilter}, {@link parseFilterOrThrow} and {@link readReserved}. */
export interface ParseOptions extends QueryOptions {
  /**
   * Allows groups: `or=(status=paid,total[gte]=100)`. A schema with a field `and`, `or` or `not` is a TypeError then. For
   * `parseQuery`, the collection allows them.
   */
  readonly groups?: boolean
}

/** The decoded values of reserved pairs by name, in the order of the text. A name without a pair is not in it. */
export type Reserved = ReadonlyMap<string, readonly string[]>

/** What {@link parseFilter} returns: a filter, or every issue of the text. Either way it has the reserved values. */
export type ParseResult =
  | { readonly ok: true; readonly filter: Filter; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/** What {@link readReserved} returns. */
export type ReservedResult =
  | { readonly ok: true; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/**
 * Parses a query string into a filter. It never throws because of the text, and never ignores a part of it: a text
 * without issues becomes a filter, any other text gives its issues. The empty text is `and()`, which is true for every
 * object.
 *
 * @param schema the fields that the query may use.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @param options reserved names, limits, and whether there are groups.
 * @returns the filter, or all issues in the order of the text. When there are more than `limits.issues`, the last one is
 *   `limit_issues`.
 * @throws TypeError when an argument has a wrong type, or when a reserved name or a word of groups is a field of the schema.
 * @example
 * const result = parseFilter(orders, 'seller=s-1&items.arrival[gte]=2024-01-01')
 * if (result.ok) rows.filter(memoryBackend().compile(result.filter))
 */
export function parseFilter(schema: Schema, text: QueryText, options: ParseOptions = noOptions): ParseResult {
  checkSchema(schema)
  return bindText(schema, readText(text, options))
}
const noOptions: ParseOptions = Object.freeze({})

/**
 * Parses a query string into a filter, as {@link parseFilter} does, and throws when there are issues.
 *
 * @param schema the fields that the query may use.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @param options reserved names, limits, and whether there are groups.
 * @returns the filter. The reserved values are not returned: use {@link parseFilter} or {@link readReserved} for them.
 * @throws FilterError with all issues of the text in `issues`.
 * @throws TypeError when an argument has a wrong type, or when a reserved name or a word of groups is a field of the schema.
 * @example
 * const filter = parseFilterOrThrow(orders, request.url.split('?')[1] ?? '')
 */
export function parseFilterOrThrow(schema: Schema, text: QueryText, options?: ParseOptions): Filter {
  const result = parseFilter(schema, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.filter
}

/**
 * Reads only the reserved values of a query string. A service can authenticate by one of them before it tells anybody
 * which fields there are. No schema is involved, so the time that it takes reveals nothing about one.
 *
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @param options the reserved names. Of the limits, only `length` applies.
 * @returns the decoded values by name, in the order of the text. Only a text longer than `limits.length` gives an issue,
 *   `limit_length`, because it is not read. {@link parseFilter} finds all other issues.
 * @throws TypeError when an argument has a wrong type.
 * @example
 * const { reserved } = readReserved(url, { reserved: ['apiKey'] })
 * const [key] = reserved.get('apiKey') ?? []
 */
export function readReserved(text: QueryText, options: ParseOptions): ReservedResult {
  const read = readText(text, options)
  return read.syntax === undefined
    ? { ok: false, issues: report([read.tooLong], 1), reserved: new Map() }
    : { ok: true, reserved: read.syntax.reserved }
}

/** A text that was read without a schema, and the options that it was read with. */
export type ReadText = {
  readonly query: string
  readonly limits: Limits
  readonly reservedNames: readonly string[]
  readonly words: GroupWords
} & (
  { readonly syntax: Syntax; readonly tooLong?: undefined } | { readonly syntax?: undefined; readonly tooLong: Finding }
)

/** What a collection turns on: names of parameters, and words of groups. */
export interface Asked {
  readonly parameters: readonly string[]
  readonly words: GroupWords
}

/** The first half of {@link parseFilter}: the part that needs no schema. */
export function readText(text: QueryText, options: ParseOptions, asked?: Asked): ReadText {
  if (options !== noOptions) checkOptions(options, 'options', ['reserved', 'limits', ...(asked ? [] : ['groups'])])
  const limits = checkLimits(options.limits)
  const words = asked?.words ?? wordsOf(options.groups)
  const reservedNames = checkNames(options.reserved)
  const query = textOf(text)
  const tooLong = lengthFinding(query, limits.length)
  // The number of pairs is checked later: a service authenticates by reserved pairs, even when there are too many pairs.
  return tooLong === undefined
    ? { query, limits, reservedNames, words, syntax: parseSyntax(query, reservedNames, asked?.parameters, words) }
    : { query, limits, reservedNames, words, tooLong }
}

function wordsOf(groups: boolean | undefined): GroupWords {
  if (groups !== undefined && typeof groups !== 'boolean') throw new TypeError('options.groups must be a boolean')
  return groups === true ? usualWords : noWords
}

/** The second half of {@link parseFilter}: what the text says of a schema's fields. */
export function bindText(schema: Schema, read: ReadText): ParseResult {
  checkReserved(schema, read.reservedNames)
  if (read.words.size > 0) checkWords(schema, read.words, read.reservedNames)
  const refused = refusalOf(read)
  if (refused !== undefined) return refused
  const { limits, reservedNames, syntax } = read as ReadText & { readonly syntax: Syntax }
  const { reserved } = syntax

  const { members, findings } = bind(schema, syntax, limits, reservedNames)
  if (syntax.findings.length === 0 && findings.length === 0) return { ok: true, filter: combine(members), reserved }
  return { ok: false, issues: report([...syntax.findings, ...findings], limits.issues), reserved }
}

/** A text that is too long, or has too many pairs, is refused as a whole: with one issue. */
export function refusalOf({ query, limits, syntax, tooLong }: ReadText): Refusal | undefined {
  const finding = tooLong ?? pairsFinding(query, limits.pairs, syntax?.conditions)
  if (finding === undefined) return undefined
  return { ok: false, issues: report([finding], 1), reserved: syntax?.reserved ?? new Map() }
}
interface Refusal {
  readonly ok: false
  readonly issues: Issues
  readonly reserved: Reserved
}

function checkNames(reserved: readonly string[] | undefined): readonly string[] {
  if (reserved === undefined) return []
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError('options.reserved must be an array of non-empty strings')
  }
  return reserved
}

/**
 * Refuses a reserved name that is a field: its conditions would be missing from every filter.
 *
 * @throws TypeError that names it.
 */
export function checkReserved({ paths }: Schema, reserved: readonly string[]): void {
  for (const name of reserved) {
    const path = name.endsWith(']') ? name.slice(0, name.indexOf('[')) : name
    if (paths.has(path)) throw new TypeError(`reserved name ${name} is a field of the schema`)
  }
}
