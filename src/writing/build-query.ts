/** The typed builder of queries: in code what a text is for `parseQuery`. */
import { and, checkFilter, type Filter } from '../tree/index.ts'
import type { Issue } from '../issue/index.ts'
import {
  checkCollection,
  isOfForm,
  plainNames,
  readOrder,
  valueNames,
  type Collection,
  type PlainName,
  type Schema,
  usualWords,
} from '../language/index.ts'
import {
  combine,
  type BoundMember,
  positionOfCursor,
  plainWords,
  searchMembers,
  sortKeyOf,
  totalOrder,
  facetOf,
  filterBeside,
  checkQuery,
  partsOfPlace,
  type Facet,
  type Place,
  type Query,
  type SortKey,
} from '../query/index.ts'
import { expressFilter } from './express.ts'
import { narrowings, refusals } from './print-query.ts'
import { checkOptions } from '../options.ts'
import { ownOf } from '../own.ts'

/** The parts of {@link buildQuery}. An absent part means the same as an absent parameter in a text. */
export interface QueryParts<
  Sortable extends string = string,
  Selectable extends string = string,
  Facet extends string = string,
> {
  /** For example from `where`. Default: every row. */
  readonly filter?: Filter
  /** Paths, each with `-` before it for descending order; `[]` is the order of the key. */
  readonly sort?: readonly (Sortable | `-${Sortable}`)[]
  /** Rows of a page. */
  readonly limit?: number
  /** `next` or `previous` of a page in the same order. */
  readonly cursor?: string | undefined
  /** The number of rows to skip before the page. */
  readonly offset?: number
  readonly fields?: readonly Selectable[]
  readonly count?: boolean
  /** The words of a search. A phrase is one word. */
  readonly search?: readonly string[]
  /** The fields whose values to count. */
  readonly facets?: readonly Facet[]
}

/** Values are absolute: no part is a time zone. */
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
  const given = checkOptions(parts, 'parts', partNames)
  const { limit = collection.limit.default, cursor, offset, fields, facets, count } = given
  if (cursor !== undefined && offset !== undefined) throw new TypeError('parts must not have cursor and offset')
  const sort = totalOrder(collection, sortOf(collection, given.sort))
  // A filter that is `undefined` is a mistake, and does not select every row.
  const filter = checkFilter(Object.hasOwn(parts, 'filter') ? given.filter : and(), 'query.filter')
  const refuse = ([refused]: readonly Issue[]): void => {
    if (refused !== undefined) throw new TypeError(refused.message)
  }
  refuse(narrowings(collection, filter))
  const words = given.search === undefined ? undefined : listOf(given.search, 'search', 'words')
  const search = searchMembers(collection, plainWords(words ?? []))
  const all = words === undefined ? filter : and(filter, ...search.map((member) => combine([member])))
  const query = checkQuery({
    filter: all,
    ...Object.fromEntries(plainNames.map((name) => [name, plainPart(name, given[name])])),
    ...{ sort, limit, search: words },
    // A count that the collection does not allow is refused below.
    count: count === true && (collection.count || count),
    hidden: collection.hidden.length > 0 ? collection.hidden : undefined,
    fields: fields && listOf(fields, 'fields').map((path) => path.split('.')),
    facets: facets && facetsOf(collection, listOf(facets, 'facets'), filter, search, all),
    ...(cursor !== undefined && partsOfPlace(placeAt(cursor, sort))),
  })
  refuse(refusals(collection, ownOf(query)))
  return query as Query<never, never>
}

/** A flag that is `false` means the same as no flag. `checkQuery` checks the numbers. */
function plainPart(name: PlainName, value: unknown): unknown {
  if (!isOfForm(name, 'flag')) return value
  if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`${name} must be a boolean`)
  return value === true ? true : undefined
}

function listOf(value: unknown, argument: string, items = 'paths'): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new TypeError(`${argument} must be a list of ${items}`)
}

function facetsOf(
  collection: Collection,
  names: readonly string[],
  filter: Filter,
  search: readonly BoundMember[],
  all: Filter,
): readonly Facet[] {
  const { members } = expressFilter(collection.visible, filter, usualWords)
  // Pairs of its text are to be left out.
  if (members === undefined) throw new TypeError('facets need a filter that a query string can express')
  return names.map((name) => {
    const field = collection.facets.get(name)
    if (field === undefined) throw new TypeError(`${name} has no facet`)
    return facetOf(collection, field, filterBeside(field, [...members, ...search], all))
  })
}

function sortOf(collection: Collection, sort: readonly string[] | undefined): readonly SortKey[] {
  if (sort === undefined) return collection.defaultSort.map((asked) => sortKeyOf(collection, asked))
  return listOf(sort, 'sort').map((text) => {
    const { name, field, direction } = readOrder(collection, text)
    if (field === undefined) throw new TypeError(`${name} is not sortable`)
    return sortKeyOf(collection, { field, direction })
  })
}

function placeAt(cursor: string, sort: readonly SortKey[]): Place {
  const place = positionOfCursor(cursor, sort)
  if (place === undefined) throw new TypeError('cursor must be the cursor of a page in this order')
  return place
}
