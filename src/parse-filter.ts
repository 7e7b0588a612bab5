/** Text → filter: syntax, then meaning. */
import type { Filter } from './ast.ts'
import { bind } from './bind.ts'
import { combine } from './combine.ts'
import { FilterError, issueCodes, textOf, type Issue, type Issues, type QueryText } from './issue.ts'
import { checkLimits, lengthIssue, pairsIssue, type Limits } from './limits.ts'
import { checkOptions } from './options.ts'
import { checkSchema, type Schema } from './schema.ts'
import { parseSyntax } from './syntax/parse.ts'

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

/**
 * Reads a query string as a filter. Whatever the text is, the result says so; nothing is dropped, and an
 * empty text is `and()`, which is true for every object.
 *
 * @param schema the fields that may be asked for.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @returns the filter, or every issue in the order of the text (of more than `limits.issues`, the first and
 *   a `limit_issues`); either way the reserved values.
 * @throws TypeError when an argument is not of its type: never because of what the text says.
 * @example
 * const result = parseFilter(orders, 'seller=s-1&items.arrival[gte]=2024-01-01')
 * if (result.ok) rows.filter(memoryBackend().compile(result.filter))
 */
export function parseFilter(schema: Schema, text: QueryText, options: ParseOptions = noOptions): ParseResult {
  checkSchema(schema)
  if (options !== noOptions) checkOptions(options, 'options', ['reserved', 'limits'])
  const limits = checkLimits(options.limits)
  const names = checkNames(options.reserved)
  const query = textOf(text)

  const tooLong = lengthIssue(query, limits.length)
  if (tooLong !== undefined) return { ok: false, issues: [tooLong], reserved: new Map() }
  const tooMany = pairsIssue(query, limits.pairs)
  // Of too many pairs, those that are reserved are still read: a service authenticates by them.
  const syntax = parseSyntax(query, names)
  const { reserved } = syntax
  if (tooMany !== undefined) return { ok: false, issues: [tooMany], reserved }

  const { conditions, issues } = bind(schema, syntax, limits)
  if (syntax.issues.length === 0 && issues.length === 0) return { ok: true, filter: combine(conditions), reserved }
  return { ok: false, issues: inTextOrder([...syntax.issues, ...issues], limits.issues), reserved }
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

function checkNames(reserved: readonly string[] | undefined): readonly string[] {
  if (reserved === undefined) return []
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError('reserved must be a list of names')
  }
  return reserved
}

function inTextOrder(issues: readonly Issue[], limit: number): Issues {
  const sorted = issues.toSorted(
    (a, b) =>
      a.span!.start - b.span!.start ||
      a.span!.end - b.span!.end ||
      issueCodes.indexOf(a.code) - issueCodes.indexOf(b.code),
  )
  if (sorted.length <= limit) return sorted as [Issue, ...Issue[]]
  const message = `too many issues: ${sorted.length}, the limit is ${limit}`
  const last: Issue = { code: 'limit_issues', message, span: sorted[limit - 1]!.span! }
  return [...sorted.slice(0, limit - 1), last] as readonly Issue[] as Issues
}
