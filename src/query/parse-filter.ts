/** Text → filter: syntax, then meaning. */
import type { Filter } from '../ast/index.ts'
import { bind } from './bind.ts'
import { combine } from './combine.ts'
import { FilterError, report, textOf, type Finding, type Issues, type QueryText } from '../issue/index.ts'
import { checkLimits, lengthFinding, pairsFinding, parseSyntax, type Limits, type Syntax } from '../syntax/index.ts'
import { checkOptions } from '../options.ts'
import { checkSchema, type Schema } from '../language/index.ts'

export interface ParseOptions {
  /**
   * Names that are no filters, such as those of paging, sorting and credentials: their pairs are taken out
   * and returned decoded. Nothing of their values is in a filter, a message or a hint.
   */
  readonly reserved?: readonly string[]
  /** Limits other than the defaults. */
  readonly limits?: Partial<Limits>
}

/** The values of reserved pairs, by name, in the order of the text; a name that did not occur is not in it. */
export type Reserved = ReadonlyMap<string, readonly string[]>

export type ParseResult =
  | { readonly ok: true; readonly filter: Filter; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/** What {@link readReserved} finds. */
export type ReservedResult =
  | { readonly ok: true; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/**
 * Reads a query string as a filter. Whatever the text is, the result says so; nothing is dropped, and an
 * empty text is `and()`, which is true for every object.
 *
 * @param schema the fields that may be asked for.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @returns the filter, or every issue in the order of the text (of more than `limits.issues`, the first and
 *   a `limit_issues`); either way the reserved values.
 * @throws TypeError when an argument is not of its type, or a reserved name is a field of the schema: never because of
 *   what the text says.
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
 * As {@link parseFilter}, for callers who let a handler of theirs catch what is thrown.
 *
 * @throws FilterError whose `issues` are those of the text.
 */
export function parseFilterOrThrow(schema: Schema, text: QueryText, options?: ParseOptions): Filter {
  const result = parseFilter(schema, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.filter
}

/**
 * Reads the reserved values of a query string alone: for services that authenticate by one of them before anybody learns
 * what fields there are. It knows no schema, so its time says nothing of one.
 *
 * @param options `reserved` names whose values are read, and `limits`, of which only `length` matters here.
 * @returns the values by name, decoded, in the order of the text. Only a text beyond `limits.length` is not read: then
 *   the one issue is `limit_length`. All other faults are left to {@link parseFilter}.
 * @throws TypeError when an argument is not of its type.
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

/** A text that was read, and what it was read with. */
export type ReadText = {
  readonly query: string
  readonly limits: Limits
  readonly names: readonly string[]
} & (
  { readonly syntax: Syntax; readonly tooLong?: undefined } | { readonly syntax?: undefined; readonly tooLong: Finding }
)

/** The first half of {@link parseFilter}: what needs no schema. */
export function readText(text: QueryText, options: ParseOptions): ReadText {
  if (options !== noOptions) checkOptions(options, 'options', ['reserved', 'limits'])
  const limits = checkLimits(options.limits)
  const names = checkNames(options.reserved)
  const query = textOf(text)
  const tooLong = lengthFinding(query, limits.length)
  // Of too many pairs, those that are reserved are still read: a service authenticates by them.
  return tooLong === undefined
    ? { query, limits, names, syntax: parseSyntax(query, names) }
    : { query, limits, names, tooLong }
}

/** The second half of {@link parseFilter}: what the text says of a schema's fields. */
export function bindText(schema: Schema, { query, limits, names, syntax, tooLong }: ReadText): ParseResult {
  checkReserved(schema, names)
  if (syntax === undefined) return { ok: false, issues: report([tooLong], 1), reserved: new Map() }
  const { reserved } = syntax
  const tooMany = pairsFinding(query, limits.pairs)
  if (tooMany !== undefined) return { ok: false, issues: report([tooMany], 1), reserved }

  const { pairs, findings } = bind(schema, syntax, limits, names)
  if (syntax.findings.length === 0 && findings.length === 0) return { ok: true, filter: combine(pairs), reserved }
  return { ok: false, issues: report([...syntax.findings, ...findings], limits.issues), reserved }
}

function checkNames(reserved: readonly string[] | undefined): readonly string[] {
  if (reserved === undefined) return []
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError('reserved must be a list of names')
  }
  return reserved
}

/**
 * A reserved name that is a field would take conditions on it out of the filter.
 *
 * @throws TypeError that names it.
 */
export function checkReserved({ paths }: Schema, reserved: readonly string[]): void {
  for (const name of reserved) {
    const path = name.endsWith(']') ? name.slice(0, name.indexOf('[')) : name
    if (paths.has(path)) throw new TypeError(`reserved has ${name}, which is a field of the schema`)
  }
}
