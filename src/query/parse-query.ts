/** Text → query: the filter, and what the parameters ask of a collection. */
import { FilterError, report, type Issues, type QueryText } from '../issue/index.ts'
import { checkCollection, type Collection, type ParameterName } from '../language/index.ts'
import { newBudget } from '../suggest.ts'
import type { Syntax } from '../syntax/index.ts'
import { bind } from './bind.ts'
import { combine } from './combine.ts'
import { readParameters, type Parameter } from './parameters.ts'
import { checkReserved, readText, refusalOf, type QueryOptions, type ReadText, type Reserved } from './parse-filter.ts'
import type { Query } from './query.ts'
import { wordsOfCollection } from './words.ts'

/** The result of {@link parseQuery}: the query, or every issue of the text. */
export type QueryResult =
  | { readonly ok: true; readonly query: Query; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/**
 * Reads a query string as a query of a collection: its filter, order, page and fields.
 *
 * @param collection what callers may ask; made by `defineCollection`.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @returns the query, or every issue in the order of the text; either way the reserved values.
 * @throws TypeError when an argument is not of its type, or a reserved name is a field or a parameter: never because of
 *   what the text says.
 * @example
 * const result = parseQuery(orderCollection, 'status=paid&sort=-arrival&limit=50')
 * if (result.ok) result.query.limit // => 50
 */
export function parseQuery(collection: Collection, text: QueryText, options: QueryOptions = {}): QueryResult {
  return bindQuery(collection, readQueryText(collection, text, options))
}

/** The first half of {@link parseQuery}: it needs the names of the parameters, and no field. */
export function readQueryText(collection: Collection, text: QueryText, options: QueryOptions): ReadText {
  checkCollection(collection)
  const words = wordsOfCollection(collection)
  const parameters = [...collection.parameters.values()].filter((name) => !words.has(name))
  const read = readText(text, options, { parameters, words })
  checkReservedQuery(collection, read.reservedNames)
  return read
}

/**
 * Refuses a reserved name that a query of the collection needs.
 *
 * @throws TypeError that names it.
 */
export function checkReservedQuery({ schema, parameters }: Collection, reserved: readonly string[]): void {
  checkReserved(schema, reserved)
  const names = [...parameters.values()]
  const clash = reserved.find((name) => names.includes(name))
  if (clash !== undefined) throw new TypeError(`reserved has ${clash}, which is a parameter of the collection`)
}

/** The second half of {@link parseQuery}: what the text says of the collection. */
export function bindQuery(collection: Collection, read: ReadText): QueryResult {
  const { schema } = collection
  const names = new Map<string, ParameterName>(
    Array.from(collection.parameters, ([parameter, name]) => [name, parameter]),
  )
  const refused = refusalOf(read)
  if (refused !== undefined) return refused
  const { syntax, limits } = read as ReadText & { readonly syntax: Syntax }
  const { reserved, source } = syntax

  const { members, findings: bindFindings } = bind(schema, syntax, limits, read.reservedNames, collection)
  const findings = [...syntax.findings, ...bindFindings]
  const parameters = syntax.parameters.map(({ name, key, value }): Parameter => ({
    parameter: names.get(name)!,
    key,
    value,
  }))
  const asked = readParameters(parameters, {
    ...{ collection, source, limits, findings },
    ...{ reserved: read.reservedNames, budget: newBudget() },
  })
  if (findings.length > 0) return { ok: false, issues: report(findings, limits.issues), reserved }
  return { ok: true, query: Object.freeze({ filter: combine(members), ...asked }), reserved }
}

/**
 * As {@link parseQuery}, for callers who let a handler of theirs catch what is thrown.
 *
 * @throws FilterError whose `issues` are those of the text.
 */
export function parseQueryOrThrow(collection: Collection, text: QueryText, options?: QueryOptions): Query {
  const result = parseQuery(collection, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.query
}
