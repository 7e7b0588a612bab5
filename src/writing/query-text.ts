/** Query → query string: the inverse of reading one. */
import { sameTree } from '../tree/index.ts'
import { FilterError, type Issue } from '../issue/index.ts'
import {
  checkCollection,
  mostSortKeys,
  mostWords,
  parameterNamesOf,
  parameterRows,
  plainNames,
  valueNames,
} from '../language/index.ts'
import type { Collection, GroupWords, ParameterOf, PlainName, ValueName } from '../language/index.ts'
import {
  checkQuery,
  combine,
  conditionsIn,
  cursorOf,
  encodeWords,
  isFacetOf,
  nameOfFacet,
  plainWords,
  searchMembers,
  sortKeyOf,
  nameOfKey,
  textOfPath,
  totalOrder,
  unnamedDefaults,
} from '../query/index.ts'
import type { BoundMember, Query, SortKey } from '../query/index.ts'
import { memberText } from './member-text.ts'
import { membersToWrite } from './members.ts'
import { readableIn } from './moments.ts'
import { noCondition, unsayable } from './unsayable.ts'
import { checkOptions } from '../options.ts'
import { own, ownOf } from '../own.ts'
import { encodeItems, encodeKey } from '../values/encode.ts'

/** The options of {@link printQuery}. */
export interface PrintQueryOptions {
  /**
   * The option `timeZone` of the `parseQuery` that reads the text, unless the collection allows the parameter `timeZone`. Unless it is
   * UTC, the text has moments in place of days of datetimes. Default: the zone that the query was read with.
   */
  readonly timeZone?: string | undefined
}

/**
 * Writes a query as a query string, in canonical form: `parseQuery` with the same collection reads the same query from it, unless the
 * text exceeds its limits. Values are absolute: relative times, and days of a zone other than UTC, become moments. The text does not
 * contain `query.clock`. If the collection allows `timeZone`, a text with days contains `timeZone=UTC`. The text omits the defaults and
 * the hidden fields of the collection, and the bound of its count.
 *
 * @param query a query, read or built.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError when an argument has the wrong type.
 * @throws FilterError with a `print_unsayable` issue for each part that the collection refuses or a query string cannot express.
 * @example
 * printQuery(orderCollection, parseQueryOrThrow(orderCollection, 'limit=5&sort=-total')) // => 'sort=-total&limit=5'
 */
export function printQuery(collection: Collection, query: Query, options: PrintQueryOptions = {}): string {
  checkCollection(collection)
  const { timeZone } = checkOptions(options, 'options', ['timeZone'])
  // The text contains `timeZone=UTC`, so its days need no moments.
  const isZoned = collection.parameters.has('timeZone')
  const { words } = parameterNamesOf(collection)
  const { whole, conditions } = partsToWrite(collection, query, words, (clock) =>
    isZoned ? undefined : (timeZone ?? clock?.timeZone),
  )
  const hasDays =
    isZoned && conditions.flatMap(conditionsIn).some(({ operands }) => operands.some(({ type }) => type === 'day'))
  const values = { ...parametersToWrite(collection, whole), ...(hasDays && { timeZone: 'UTC' }) }
  const texts = conditions.map((member) => memberText(member, words))
  for (const { field } of unnamedDefaults(collection, conditions)) {
    const text = `${encodeKey(field.name)}=`
    if (collection.empty === undefined) throw new FilterError([noCondition(field.name)])
    if (!texts.includes(text)) texts.push(text)
  }
  for (const name of valueNames) {
    const value = own(values, name)
    if (value !== undefined) texts.push(`${encodeURIComponent(collection.parameters.get(name)!)}=${value}`)
  }
  return texts.join('&')
}

/**
 * Checks a query, and converts its conditions and groups to the ones that its text contains, without those of the search.
 *
 * @returns the query with own properties only, and these conditions and groups.
 * @param zoneOf returns the time zone of the reader of the text; UTC for `undefined`.
 * @throws FilterError when the collection refuses a part of the query, or a query string cannot express it.
 */
export function partsToWrite(
  collection: Collection,
  query: Query,
  words: GroupWords,
  zoneOf: (clock: Query['clock']) => string | undefined,
): { readonly whole: Query; readonly conditions: readonly BoundMember[] } {
  const whole = ownOf(checkQuery(query))
  const isReadable = readableIn(zoneOf(whole.clock))
  const { members, issues } = membersToWrite(collection, whole, words, isReadable)
  const [first, ...rest] = [...issues, ...refusals(collection, whole)]
  if (first !== undefined) throw new FilterError([first, ...rest])
  return { whole, conditions: members }
}

/** Returns the values of the parameters that the text of a query contains. */
export function parametersToWrite(
  collection: Collection,
  query: Query,
): { readonly [P in ValueName]?: string | undefined } {
  const whole = ownOf(query)
  const { sort, limit, position, offset, fields, search, facets } = whole
  const order = askedOrder(collection, sort)
  const others: { readonly [P in Exclude<ValueName, PlainName | 'timeZone'>]: string | undefined } = {
    sort: order && encodeItems(order.map(textOfKey)),
    fields: fields && encodeItems(fields.map(textOfPath)),
    search: search && encodeWords(search),
    facets: facets && encodeItems(facets.map(nameOfFacet)),
    cursor: position && cursorOf(sort, { ...position, offset: offset ?? 0 }),
  }
  return {
    ...Object.fromEntries(plainNames.map((name) => [name, textOfPlain(whole[name])])),
    ...others,
    ...(limit === collection.limit.default && { limit: undefined }),
    ...(position !== undefined && { offset: undefined }),
  }
}

const textOfPlain = (value: Query[PlainName]): string | undefined =>
  typeof value === 'number' ? String(value) : value ? 'true' : undefined

const textOfKey = ({ path, direction }: SortKey): string => (direction === 'descending' ? '-' : '') + textOfPath(path)

/** Returns an issue for each parameter of a query that the collection refuses. Pass a query with own properties only. */
export function refusals(collection: Collection, query: Query): readonly Issue[] {
  const { sortable, selectable, parameters } = collection
  const issues: Issue[] = []
  const refuse = (...fault: Parameters<typeof unsayable>) => issues.push(unsayable(...fault))
  for (const key of query.sort) {
    const { path, type: found, direction } = key
    const field = textOfPath(path)
    const sorted = sortable.get(field)
    const expected = sorted?.literal
    if (expected === undefined) refuse('sort', `${field} is not sortable`, { field })
    else if (expected !== found)
      refuse('sort_type', `${field} has type ${expected}, not ${found}`, { field, found, expected })
    else if (String(nameOfKey(key)) !== String(nameOfKey(sortKeyOf(collection, { field: sorted!, direction }))))
      refuse('sort', `${field} has another order`, { field })
  }
  const asked = askedOrder(collection, query.sort) ?? []
  const [found, most] = [asked.length, mostSortKeys]
  if (found > most) refuse('sort_keys', `too many sort keys: ${found}, limit ${most}`, { found, limit: most })
  const signed = asked.map(textOfKey).find((text, at) => text.startsWith('-') && asked[at]!.direction === 'ascending')
  if (signed !== undefined) refuse('sort_sign', `sort=${signed} means descending order`, { field: signed })
  const total = totalOrder(collection, query.sort)
  if (total.length !== query.sort.length) refuse('sort_key', 'the order does not end with the key of the collection')
  const { position, fields, search, facets } = query
  for (const name of plainNames) {
    const found = query[name]
    // `offset.max` does not bound the offset of a cursor, which a client reaches page by page.
    if (found === undefined || found === false || (name === 'offset' && position !== undefined)) continue
    const isAllowed = parameters.has(name)
    if (typeof found === 'number') {
      const limit = parameterRows[name as ParameterOf<'positive' | 'natural'>].most(collection)
      const message = isAllowed ? `${name} ${found} is more than ${limit}` : `${name} is not allowed`
      if (!isAllowed || found > limit) refuse(name, message, { found, limit })
    } else if (!isAllowed) refuse(name, `${name} is not allowed`)
  }
  if (search !== undefined) {
    if (!parameters.has('search')) refuse('search', 'search is not allowed')
    else if (search.length > mostWords)
      refuse('search', `the search has ${search.length} words, more than ${mostWords}`, {
        found: search.length,
        limit: mostWords,
      })
    else if (!isSearchOf(collection, query))
      refuse('search', 'the query does not end with the search, as the collection means it')
  }
  for (const field of fields?.map(textOfPath) ?? [])
    if (selectable?.has(field) !== true) refuse('field', `${field} is not selectable`, { field })
  if (fields?.length === 0) refuse('no_fields', 'fields is empty')
  for (const facet of facets ?? []) {
    const field = nameOfFacet(facet)
    const offered = collection.facets.get(field)
    if (offered === undefined || !isFacetOf(offered, facet)) refuse('facet', `${field} has no such facet`, { field })
    else if (facet.limit !== collection.facetLimit) {
      const [found, limit] = [facet.limit, collection.facetLimit]
      refuse('facet_limit', `a facet has ${limit} values at most, not ${found}`, { found, limit })
    }
  }
  if (facets?.length === 0) refuse('no_facets', 'facets is empty')
  return issues
}

/** Whether the last groups of a query are the search for its words in this collection. */
function isSearchOf(collection: Collection, { asked, search = [] }: Query): boolean {
  const members = searchMembers(collection, plainWords(search))
  return sameTree(combine(asked.slice(-members.length)), combine(members))
}

/** Returns the sort keys that `sort` lists: `undefined` for the default order, else the keys that the total order does not add. */
export function askedOrder(collection: Collection, sort: readonly SortKey[]): readonly SortKey[] | undefined {
  // JSON, because a name may contain a comma or begin with `-`.
  const textOfOrder = (keys: readonly SortKey[]) => JSON.stringify(keys.map(({ path, direction }) => [path, direction]))
  const isSame = (asked: readonly SortKey[]) => textOfOrder(totalOrder(collection, asked)) === textOfOrder(sort)
  if (isSame(collection.defaultSort.map((asked) => sortKeyOf(collection, asked)))) return undefined
  for (let length = 1; length < sort.length; length++) if (isSame(sort.slice(0, length))) return sort.slice(0, length)
  return sort
}
