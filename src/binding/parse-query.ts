/** Text → query: the filter, and the order, page and fields that parameters choose. */
import { report, type Issues, type QueryText } from '../issue/index.ts'
import {
  checkCollection,
  type Collection,
  fieldNamesOf,
  usesIn,
  type DeprecatedUse,
  parameterNamesOf,
} from '../language/index.ts'
import { type Bound, isShort, readText, type QueryOptions, type TextRequest, type Reserved } from '../reading/index.ts'
import { combineParsed, trustQuery, type Query, type QueryOf, searchMembers, withDefaults } from '../query/index.ts'
import type { TextAdviser } from './doubt.ts'
import { findSearches } from './findings.ts'
import { readParameters } from './parameters.ts'
import { checkReserved } from './parse-filter.ts'
import { bindAsked, readPairs, type BoundPairs } from './read-pairs.ts'

/** The result of `parseQuery`: the query, or every issue of the text. */
export type QueryResult<Q extends Query = Query> =
  | ({ readonly ok: true; readonly query: Q } & WithReserved)
  | ({ readonly ok: false; readonly issues: Issues } & WithReserved)

interface WithReserved {
  readonly reserved: Reserved
  /** The deprecated names that the text has, each once, in the order of the text. */
  readonly deprecated: readonly DeprecatedUse[]
}

/** The first half of `parseQuery`: it needs the names of the parameters, and no field. */
export function readQueryText(collection: Collection, text: QueryText, options: QueryOptions): TextRequest {
  checkCollection(collection)
  const read = readText(text, options, parameterNamesOf(collection))
  if (read.notation === undefined) checkReservedQuery(collection, read.reservedNames)
  else read.notation.check(collection, read.reservedNames)
  return read
}

/** A text that was read before its collection was known, with the names of the collection's parameters. */
export const namedFor = (collection: Collection, read: TextRequest): TextRequest => ({
  ...read,
  ...parameterNamesOf(collection),
})

/** Refuses a reserved name that a query of the collection needs. */
export function checkReservedQuery(collection: Collection, reserved: readonly string[]): void {
  if (reserved.length === 0) return
  const { parameters } = collection
  checkReserved(fieldNamesOf(collection).schema, reserved)
  const names = [...parameters.values()]
  const clash = reserved.find((name) => names.includes(name))
  if (clash !== undefined) throw new TypeError(`reserved has ${clash}, which is a parameter of the collection`)
}

/** The second half of `parseQuery`: reads the pairs in the notation of the text. Without an adviser, issues have no hints. */
export function bindQuery<C extends Collection>(
  collection: C,
  read: TextRequest,
  adviser?: TextAdviser,
): QueryResult<QueryOf<C>> {
  const { limits, reserved, notation } = read
  const { query, findings, uses } =
    notation === undefined || read.source === undefined
      ? queryFrom(collection, read, readPairs(fieldNamesOf(collection), read, adviser, collection))
      : notation.bind(collection, read, (collection, read, asked) =>
          queryFrom(collection, read, bindAsked(fieldNamesOf(collection), read, asked, adviser, collection)),
        )
  const deprecated = usesIn(uses)
  return query === undefined
    ? { ok: false, issues: report(findings, limits.issues, adviser), reserved, deprecated }
    : { ok: true, query: trustQuery(query) as QueryOf<C>, reserved, deprecated }
}

/** Makes the query of the conditions and parameters that were read. */
export function queryFrom(
  collection: Collection,
  { source, limits, reservedNames }: TextRequest,
  reading: BoundPairs,
): Bound {
  const { parameters, search, searches, uses, findings, isRefused, clock } = reading
  if (!isRefused) {
    const members = withDefaults(collection, reading.members, clock!, reading.leftOut)
    const all = search === undefined ? members : [...members, ...searchMembers(collection, search)]
    const isSmall = isShort(source!) && members === reading.members
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
    const query = readParameters(combineParsed(all, isSmall), parameters, search, clock?.used, context)
    findSearches(context, searches, query.facets?.length ?? 0)
    if (findings.length === 0) return { query, findings, uses }
  }
  return { query: undefined, findings, uses }
}
