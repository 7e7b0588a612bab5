/** The typed builder of queries. */
import { and, checkFilter } from '../tree/index.ts'
import type { Issue } from '../issue/index.ts'
import { checkCollection, isOfForm, plainNames, readOrder, valueNames } from '../language/index.ts'
import type { Collection, PlainName, Schema } from '../language/index.ts'
import {
  checkQuery,
  combine,
  facetOf,
  filterBeside,
  partsOfFilter,
  partsOfPageStart,
  plainWords,
  positionOfCursor,
  searchMembers,
  sortKeyOf,
  totalOrder,
} from '../query/index.ts'
import type { AskedPart, Facet, PageStart, Query, SortKey } from '../query/index.ts'
import { refusals, type QueryParts } from '../writing/index.ts'
import { expressByHand } from './in-collection.ts'
import { checkOptions } from '../options.ts'
import { ownOf, refuseArgument } from '../own.ts'

/** Without `timeZone`: the values of a built query are absolute. */
const partNames = /* @__PURE__ */ (() => ['filter', ...valueNames.filter((name) => name !== 'timeZone')])()

/**
 * Builds a query in code, with paths that the compiler checks: for clients, for links and for tests. `printQuery` writes it as text.
 *
 * @param collection made by `defineCollection`.
 * @returns the query that `parseQuery` reads from its text, without spans.
 * @throws TypeError that names the part that the collection refuses.
 * @example
 * const query = buildQuery(orderCollection, { filter: where(orders).equals('status', 'paid'), sort: ['-total'], limit: 5 })
 * printQuery(orderCollection, query) // => 'status=paid&sort=-total&limit=5'
 */
export function buildQuery<
  S extends Schema,
  Sortable extends string,
  Selectable extends string,
  Asked extends Selectable = never,
  Hidden extends string = string,
  Facet extends string = string,
>(
  collection: Collection<S, Sortable, Selectable, string, Hidden, Facet>,
  parts: QueryParts<NoInfer<Sortable>, Asked, NoInfer<Facet>> = {},
): Query<[Asked] extends [never] ? undefined : Asked, Hidden> {
  checkCollection(collection)
  const checked = checkOptions(parts, 'parts', partNames)
  const { limit = collection.limit.default, cursor, offset, fields, facets, count } = checked
  if (cursor !== undefined && offset !== undefined) refuseArgument('parts must not have cursor and offset')
  const sort = totalOrder(collection, sortOf(collection, checked.sort))
  // A filter that is `undefined` is a mistake, and does not select every row.
  const filter = checkFilter(Object.hasOwn(parts, 'filter') ? checked.filter : and(), 'query.filter')
  const refuse = ([refused]: readonly Issue[]): void => {
    if (refused !== undefined) refuseArgument(refused.message)
  }
  const { members, issues } = expressByHand(collection, filter)
  refuse(issues)
  const words = checked.search === undefined ? undefined : listOf(checked.search, 'search', 'words')
  if (words !== undefined && !collection.parameters.has('search')) refuseArgument('search is not allowed')
  const search = searchMembers(collection, plainWords(words ?? []))
  const asked: readonly AskedPart[] = [...(members ?? partsOfFilter(filter).asked), ...search]
  const query = checkQuery({
    ...Object.fromEntries(plainNames.map((name) => [name, plainPart(name, checked[name])])),
    filter: combine(asked),
    asked,
    sort,
    limit,
    search: words,
    // A count that the collection does not allow is refused below.
    count: count === true && (collection.count || count),
    hidden: collection.hidden.length > 0 ? collection.hidden : undefined,
    fields: fields && listOf(fields, 'fields').map((path) => path.split('.')),
    facets: facets && facetsOf(collection, listOf(facets, 'facets'), asked),
    ...(cursor !== undefined && partsOfPageStart(placeAt(cursor, sort))),
  })
  refuse(refusals(collection, ownOf(query)))
  return query as Query<never, never>
}

/** Drops a flag that is `false`. `checkQuery` checks the numbers. */
function plainPart(name: PlainName, value: unknown): unknown {
  if (!isOfForm(name, 'flag')) return value
  if (value !== undefined && typeof value !== 'boolean') refuseArgument(`${name} must be a boolean`)
  return value === true ? true : undefined
}

function listOf(value: unknown, argument: string, items = 'paths'): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  refuseArgument(`${argument} must be a list of ${items}`)
}

function facetsOf(collection: Collection, names: readonly string[], asked: readonly AskedPart[]): readonly Facet[] {
  // A facet leaves out the conditions on its field, which a filter of a program does not have as parts.
  if (asked.some(({ kind }) => kind === 'filter'))
    refuseArgument('facets need a filter that a query string can express')
  const filter = combine(asked)
  return names.map((name) => {
    const field = collection.facets.get(name)
    if (field === undefined) refuseArgument(`${name} has no facet`)
    return facetOf(collection, field, filterBeside(field, asked, filter))
  })
}

function sortOf(collection: Collection, sort: readonly string[] | undefined): readonly SortKey[] {
  if (sort === undefined) return collection.defaultSort.map((asked) => sortKeyOf(collection, asked))
  return listOf(sort, 'sort').map((text) => {
    const { name, field, direction } = readOrder(collection, text)
    if (field === undefined) refuseArgument(`${name} is not sortable`)
    return sortKeyOf(collection, { field, direction })
  })
}

function placeAt(cursor: string, sort: readonly SortKey[]): PageStart {
  const place = positionOfCursor(cursor, sort)
  if (place === undefined) refuseArgument('cursor must be the cursor of a page in this order')
  return place
}
