/** Queries as data, and the check of one that comes from elsewhere. */
import {
  and,
  checkFilter,
  isObject,
  listOf,
  literalOf,
  literalTypes,
  objectOf,
  oneOf,
  optional,
  passing,
  readAs,
  readLiteral,
  readPath,
  readPathAround,
  readPathToList,
  readSpan,
  readText,
  sameTree,
  wholeNumber,
  type Filter,
  type Literal,
  type LiteralType,
  type Path,
  type Read,
} from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import type { Collection } from '../language/index.ts'
import { combine } from './combine.ts'
import { readAsked, type AskedPart } from './conditions.ts'
import { filterBeside, nameOfFacet, type Facet } from './facets.ts'
import { isSearch } from './search.ts'
import { own, ownOf } from '../own.ts'
import { recentCache } from '../cache.ts'
import { isPlainText } from '../values/characters.ts'

/**
 * One field that rows are ordered by. Without `nulls`, rows without a value come first in ascending order, and last in descending
 * order.
 */
export interface SortKey {
  readonly path: Path
  readonly type: LiteralType
  readonly direction: 'ascending' | 'descending'
  /** Whether every row has a value, as in required fields and key fields. */
  readonly required?: true
  /** `false` for a required field that is not part of the key. */
  readonly inKey?: false
  /** Where rows without a value come. */
  readonly nulls?: 'first' | 'last'
  /** Whether texts are ordered in lower case, by simple lower-casing, and by code point where they are equal in lower case. */
  readonly ignoreCase?: true
  /** The values of an enumeration, in their order. A row with another value comes where the rows without a value come. */
  readonly declared?: readonly string[]
  /** For a datetime: the most fractional digits of seconds, if not 6. */
  readonly digits?: 3
  readonly span?: Span
}

/** Whether every row has a value for a sort key: nothing needs to place the rows without one. */
export const isRequired = (key: SortKey): boolean => own(key, 'required') === true

/** Whether rows without a value come last in ascending order, or first in descending order. */
export function movesNulls(key: SortKey): boolean {
  const nulls = own(key, 'nulls')
  return nulls !== undefined && !isRequired(key) && (nulls === 'first') !== (key.direction === 'ascending')
}

/** Tests whether `declared` of a sort key contains a value. Without `declared`, it is true for every value. */
export const isOrdered = (key: SortKey, { value }: Literal): boolean =>
  own(key, 'declared')?.includes(value as string) ?? true

/**
 * A sort key that backends compare. With `breaksTies`, it follows the key of the same path in lower case: either all rows that it compares
 * have a value, or none has.
 */
export interface ComparedKey extends SortKey {
  readonly breaksTies?: true
  /** In place of `declared`, where the stored values compare in that order by themselves. */
  readonly stored?: readonly string[]
}
export const breaksTies = (key: ComparedKey): boolean => own(key, 'breaksTies') === true

/** A place between two rows of an order: right after a row toward the next page, right before it toward the previous. */
export interface Position {
  readonly toward: 'next' | 'previous'
  /** The value of the row for each sort key; `null` for no value. An empty list is the beginning of the order. */
  readonly values: readonly (Literal | null)[]
  /** Whether the row itself is on the page, too. */
  readonly inclusive?: true
}

/** The zone and the moment that a text was read with. */
export interface QueryClock {
  readonly timeZone: string
  /**
   * Canonical UTC text; absent if the text has no relative time. If it has no `now`, but `today`, this is the first moment of the day.
   */
  readonly now?: string
}

/** Whether a value has the form of a zone name. It does not load `zone.ts`, which checks that the zone exists. */
export const isZoneForm = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w+:/-]{1,64}$/.test(value)

/** Where a page begins: a position, and how many rows after it are left out. A cursor is its text, with the clock of the first page. */
export interface PageStart extends Position {
  readonly offset?: number
  readonly clock?: QueryClock
}

/** A place as the parts of a query. */
export function partsOfPageStart(place: PageStart): Pick<Query, 'position' | 'offset' | 'clock'> {
  const { offset, clock, ...position } = ownOf(place)
  if (offset === undefined && clock === undefined) return { position: place }
  return {
    position: Object.freeze(position),
    ...(offset !== undefined && { offset }),
    ...(clock !== undefined && { clock }),
  }
}

/** For the compiler alone: the paths of `fields` and `hidden`. */
declare const known: unique symbol

/**
 * A query of one request: plain, frozen, JSON-safe.
 *
 * @typeParam Asked for the compiler alone: the paths of `fields`; `undefined` without `fields`.
 * @typeParam Hidden for the compiler alone: the paths of `hidden`.
 */
export interface Query<Asked extends string | undefined = string | undefined, Hidden extends string = string> {
  readonly [known]?: { readonly asked: Asked; readonly hidden: Hidden }
  /** Joins `asked` and `restriction` by `and`. Backends compile this filter. */
  readonly filter: Filter
  /**
   * The conditions of the query string, with field names resolved and values parsed; `and` joins them. A group for each word of `search`
   * comes last. A filter that a program built and no query string expresses is one part. The parts are not frozen, because that would add
   * a quarter to the time of a parse: `printQuery` compares them with the filter before it writes them.
   */
  readonly asked: readonly AskedPart[]
  /** The filter that `restrict` added to the query and to each facet. `printQuery` does not write it. */
  readonly restriction?: Filter
  /** A total order: it ends with the key of the collection. */
  readonly sort: readonly SortKey[]
  /** The largest number of rows in a page. */
  readonly limit: number
  /** Where the page begins, or ends. */
  readonly position?: Position
  /** The number of rows to skip before the page, after the position if the query has one. */
  readonly offset?: number
  /** The fields to return; all when absent. */
  readonly fields?: readonly Path[]
  /** The words of the search. */
  readonly search?: readonly string[]
  /** Whether to count the rows that the filter selects: all of them, or up to `max`. */
  readonly count: boolean | { readonly max: number }
  /** The facets that the query requests. They do not depend on order, page and `fields`. */
  readonly facets?: readonly Facet[]
  /** The hidden fields of the collection, which rows must not show. No text contains them. */
  readonly hidden?: readonly Path[]
  /**
   * The time zone and the moment of the parse, if the filter depends on them. The filter contains the resulting moments. Cursors contain
   * the clock, and `parseQuery` reads the next page with it.
   */
  readonly clock?: QueryClock
}

/** The number of rows that a query selects. `atLeast`: the maximum of the query's `count`, if it selects more rows. */
export type RowCount = number | { readonly atLeast: number }

/**
 * Converts the number of rows that a store found to the count of a query. A store may stop at `query.count.max + 1`.
 *
 * @param query if `query.count` has a `max`, a greater number becomes `{ atLeast: max }`.
 * @param found the number of matching rows on all pages, or the number at which the store stopped.
 * @throws TypeError when the number is not a whole number of at least 0.
 * @example countOf({ count: { max: 1000 } }, 1001) // => { atLeast: 1000 }
 */
export function countOf({ count }: Pick<Query, 'count'>, found: number): RowCount {
  if (!Number.isSafeInteger(found) || found < 0) throw new TypeError('found must be a whole number of at least 0')
  return typeof count === 'object' && found > count.max ? { atLeast: count.max } : found
}

/** How many rows a store needs to find for a count; `undefined` for all. */
export const mostCounted = ({ count }: Query): number | undefined =>
  typeof count === 'object' ? count.max + 1 : undefined

const isWord = (value: unknown): boolean => typeof value === 'string' && value !== '' && isPlainText(value)

/** Validates each property of a query. `checkQuery` then compares the properties with one another. */
const readQuery = /* @__PURE__ */ ((): Read<Query> => {
  const readValue: Read<Literal | null> = (value, check) => (value === null ? null : readLiteral(value, check))
  const readSortKey = objectOf<SortKey>({
    path: readPathToList,
    type: oneOf(literalTypes),
    direction: oneOf(['ascending', 'descending']),
    required: optional(oneOf([true])),
    inKey: optional(oneOf([false])),
    nulls: optional(oneOf(['first', 'last'])),
    ignoreCase: optional(oneOf([true])),
    declared: optional(listOf(readText)),
    digits: optional(oneOf([3])),
    span: readSpan,
  })
  const fromRow =
    <T>(read: Read<T>): Read<T> =>
    (value, reading) => {
      reading.names = 0
      return read(value, reading)
    }
  const readFacet = objectOf<Facet>({
    lists: listOf(readPathAround),
    path: readPath,
    type: oneOf(literalTypes),
    limit: wholeNumber(1),
    max: optional(wholeNumber(1)),
    label: optional(readPathToList),
    filter: (value, { route }) => checkFilter(value, `query.facets[${route[1]!}].filter`),
  })
  const readMax = objectOf<{ readonly max: number }>({ max: wholeNumber(1) })
  const readFlag = passing<boolean>((value) => typeof value === 'boolean', 'true, false or { max: … }')
  const readMoment = passing<string>((value) => literalOf('datetime', value) !== undefined, 'a datetime in UTC')
  return objectOf<Omit<Query, typeof known>>({
    filter: (value) => checkFilter(value, 'query.filter'),
    asked: fromRow(readAsked),
    restriction: optional((value) => checkFilter(value, 'query.restriction')),
    sort: listOf(readSortKey),
    limit: wholeNumber(1),
    position: optional(
      objectOf<Position>({
        toward: oneOf(['next', 'previous']),
        values: listOf(readValue),
        inclusive: optional(oneOf([true])),
      }),
    ),
    offset: optional(wholeNumber(0)),
    fields: optional(listOf(readPathToList)),
    search: optional(listOf(passing<string>(isWord, 'a text that is not empty, without U+0000 and lone surrogates'))),
    count: (value, reading) => (isObject(value) ? readMax : readFlag)(value, reading),
    facets: optional(listOf(fromRow(readFacet))),
    hidden: optional(listOf(readPathToList)),
    clock: optional(
      objectOf<QueryClock>({ timeZone: passing(isZoneForm, 'the name of a time zone'), now: optional(readMoment) }),
    ),
  })
})()

/** The queries that this library made last. Most are compiled at once, and need no second check. */
const justMade = /* @__PURE__ */ recentCache<object, true>(256)

/** Remembers a query whose parts are sound and frozen. */
export function trustQuery(query: Query): Query {
  justMade.set(query, true)
  return query
}

/** Whether a path is one of the hidden ones, or in one. */
const isHidden = (hidden: readonly Path[], path: Path): boolean =>
  hidden.some((outer) => outer.length <= path.length && outer.every((name, at) => path[at] === name))

/** The dotted text of a path. */
export const textOfPath = (path: Path): string => (path.length === 1 ? path[0]! : path.join('.'))

/**
 * Checks every part of a query. Use it for a query that was stored or sent as JSON.
 *
 * @returns a frozen copy without unknown properties; the query itself if this library has just made it.
 * @throws TypeError that names the wrong part.
 * @example checkQuery(JSON.parse(JSON.stringify(query))).limit // => 5
 */
export function checkQuery(query: unknown): Query {
  if (justMade.get(query as Query) === true) return query as Query
  const read = readAs(readQuery, query, 'query')
  const { asked, sort, position, fields = [], search, facets = [], hidden = [] } = ownOf(read)
  const refuse = (problem: string): never => {
    throw new TypeError(`query${problem}`)
  }
  if (sort.length === 0) refuse('.sort must end with the key of the collection')
  if (search?.length === 0) refuse('.search must have a word')
  const refuseTwice = (part: string, names: readonly string[]): void => {
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) refuse(`.${part} has ${twice} twice`)
  }
  refuseTwice(
    'sort',
    sort.map(({ path }) => textOfPath(path)),
  )
  refuseTwice('facets', facets.map(nameOfFacet))
  const counted = facets.flatMap((facet) => [nameOfFacet(facet).split('.'), own(facet, 'label') ?? []])
  if (counted.some((path) => path[0] === '')) refuse('.facets must have a path, or lists')
  if (facets.some((facet) => facet.lists.length > 0 && own(facet, 'label')))
    refuse('.facets must have no label in lists')
  const shown = [...sort.map(({ path }) => path), ...fields, ...counted].find((path) => isHidden(hidden, path))
  if (shown !== undefined)
    refuse(`.hidden has ${textOfPath(shown)}, which query.sort, query.fields or query.facets has, too`)
  if (search !== undefined && !isSearch(asked, search)) refuse('.asked must end with the conditions of query.search')
  const wrong = contradiction(read)
  if (wrong !== undefined) {
    const place = wrong === 'filter' ? wrong : `facets[${facets.indexOf(wrong)}].filter`
    refuse(`.${place} must be what query.asked and query.restriction mean: restrict adds conditions to a query`)
  }
  if (position === undefined) return trustQuery(read)
  const { values } = position
  if (values.length === 0) return trustQuery(read)
  if (values.length !== sort.length) refuse('.position.values must have one value for each sort key')
  for (const [at, { type }] of sort.entries()) {
    if (values[at] !== null && values[at]!.type !== type) {
      refuse(`.position.values[${at}].type must be ${type}, as in query.sort`)
    }
  }
  return trustQuery(read)
}

const absent = {
  position: undefined,
  offset: undefined,
  fields: undefined,
  search: undefined,
  asked: undefined,
  restriction: undefined,
  facets: undefined,
  hidden: undefined,
  clock: undefined,
} satisfies Record<Exclude<keyof Query, 'filter' | 'sort' | 'limit' | 'count' | typeof known>, undefined>

/** Checks a query, and returns it with every property as its own, `undefined` if absent: readers then never read `Object.prototype`. */
export const withEveryProperty = (query: unknown): Query => everyPropertyOf(checkQuery(query))

/** The same of a query that is checked. */
export const everyPropertyOf = (query: Query): Query => ({ ...absent, ...query }) as unknown as Query

/**
 * Adds a restriction with `and` to the filter of a query, and to the filter of each facet. Pages, counts and facets then exclude the rows
 * that the caller may not see. The query keeps the restriction apart from the conditions of the caller: `printQuery` does not write it.
 *
 * @throws TypeError when the query or the restriction is invalid, or `undefined`.
 * @example restrict(query, where(orders).equals('seller', principal.seller))
 */
export function restrict<Q extends Query>(query: Q, restriction: Filter): Q {
  const checked = checkQuery(query)
  const visible = unwrapped(checkFilter(restriction, 'restriction'))
  const before = own(checked, 'restriction')
  const facets = own(checked, 'facets')?.map((facet) =>
    Object.freeze({ ...facet, filter: restricted(facet.filter, visible) }),
  )
  return trustQuery(
    Object.freeze({
      ...checked,
      filter: restricted(checked.filter, visible),
      restriction: before === undefined ? visible : restricted(before, visible),
      ...(facets && { facets: Object.freeze(facets) }),
    }),
  ) as Q
}

/** Removes nested `and`s that have one member, so that the order of `restrict` calls does not change the filter. */
function unwrapped(filter: Filter): Filter {
  let inner = filter
  while (inner.kind === 'and' && inner.filters.length === 1) inner = inner.filters[0]!
  return inner
}

/** Adds a restriction to the end of a filter. An empty `and` adds nothing. */
const restricted = (filter: Filter, restriction: Filter): Filter =>
  restriction.kind === 'and' && restriction.filters.length === 0 ? filter : and(filter, restriction)

/** Compares the filters of a query with its `asked` and `restriction`. Returns the facet that differs, `'filter'` for `query.filter`, or `undefined`. */
export function contradiction(query: Query): Facet | 'filter' | undefined {
  const { asked, filter, facets, restriction } = ownOf(query)
  const whole = combine(asked)
  const isMeant = (filter: Filter, meant: Filter) =>
    sameTree(filter, restriction === undefined ? meant : restricted(meant, restriction))
  if (!isMeant(filter, whole)) return 'filter'
  return facets?.find((facet) => !isMeant(facet.filter, filterBeside(facet, asked, whole)))
}

/** The type of the queries of a collection. */
export type QueryOf<C> =
  C extends Collection<infer _, infer __, infer Selectable, infer ___, infer Hidden, infer ____>
    ? Query<[Selectable] extends [never] ? undefined : Selectable | undefined, Hidden>
    : Query
