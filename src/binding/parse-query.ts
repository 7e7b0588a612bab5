/** Text → query: the filter, and the order, page and fields that parameters choose. */
import { report, type Issues, type QueryText } from '../issue/index.ts'
import { checkCollection, type Collection, namingOf, usesIn, type DeprecatedUse, namesOf } from '../language/index.ts'
import { type Bound, isShort, readText, type QueryOptions, type ReadText, type Reserved } from '../reading/index.ts'
import { combineParsed, markQuery, type Query, type QueryOf, searchMembers } from '../query/index.ts'
import type { TextAdviser } from './doubt.ts'
import { findSearches } from './findings.ts'
import { readParameters } from './parameters.ts'
import { checkReserved } from './parse-filter.ts'
import { bindAsked, readPairs, type Reading } from './read-pairs.ts'

/** The result of `parseQuery`: the query, or every issue of the text. */
export type QueryResult<Q extends Query = Query> =
  ({ readonly ok: true; readonly query: Q } & Noted) | ({ readonly ok: false; readonly issues: Issues } & Noted)

interface Noted {
  readonly reserved: Reserved
  /** The deprecated names that the text has, each once, in the order of the text. */
  readonly deprecated: readonly DeprecatedUse[]
}

/** The first half of `parseQuery`: it needs the names of the parameters, and no field. */
export function readQueryText(collection: Collection, text: QueryText, options: QueryOptions): ReadText {
  checkCollection(collection)
  const read = readText(text, options, namesOf(collection))
  if (read.notation === undefined) checkReservedQuery(collection, read.reservedNames)
  else read.notation.check(collection, read.reservedNames)
  return read
}

/** A text that was read before its collection was known, with the names of the collection's parameters. */
export const namedFor = (collection: Collection, read: ReadText): ReadText => ({ ...read, ...namesOf(collection) })

/**
 * Refuses a reserved name that a query of the collection needs.
 *
 * @throws TypeError that names it.
 */
export function checkReservedQuery(collection: Collection, reserved: readonly string[]): void {
  if (reserved.length === 0) return
  const { parameters } = collection
  checkReserved(namingOf(collection).schema, reserved)
  const names = [...parameters.values()]
  const clash = reserved.find((name) => names.includes(name))
  if (clash !== undefined) throw new TypeError(`reserved has ${clash}, which is a parameter of the collection`)
}

/**
 * The second half of `parseQuery`: reads the pairs for a collection, in the notation of the text.
 *
 * @param adviser without one, issues have no hints.
 */
export function bindQuery<C extends Collection>(
  collection: C,
  read: ReadText,
  adviser?: TextAdviser,
): QueryResult<QueryOf<C>> {
  const { limits, reserved, notation } = read
  const { query, findings, uses } =
    notation === undefined || read.source === undefined
      ? queryFrom(collection, read, readPairs(namingOf(collection), read, adviser, collection))
      : notation.bind(collection, read, (collection, read, asked) =>
          queryFrom(collection, read, bindAsked(namingOf(collection), read, asked, adviser, collection)),
        )
  const deprecated = usesIn(uses)
  return query === undefined
    ? { ok: false, issues: report(findings, limits.issues, adviser), reserved, deprecated }
    : { ok: true, query: markQuery(query) as QueryOf<C>, reserved, deprecated }
}

/** Makes the query of the conditions and parameters that were read. */
export function queryFrom(
  collection: Collection,
  { source, limits, reservedNames }: ReadText,
  reading: Reading,
): Bound {
  const { members, parameters, search, searches, uses, findings, isRefused } = reading
  if (!isRefused) {
    const all = search === undefined ? members : [...members, ...searchMembers(collection, search)]
    // One literal: a spread costs every query a tenth of a microsecond.
    const context = {
      collection,
      members: all,
      source: source!,
      limits,
      findings,
      reserved: reservedNames,
      uses,
    }
    const query = readParameters(combineParsed(all, isShort(source!)), parameters, search, reading.clock?.used, context)
    findSearches(context, searches, query.facets?.length ?? 0)
    if (findings.length === 0) return { query, findings, uses }
  }
  return { query: undefined, findings, uses }
}
