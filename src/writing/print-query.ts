/** Query → query string: the inverse of reading one. */
import { sameTree, type Filter } from '../tree/index.ts'
import { FilterError, type Issue, type Issues } from '../issue/index.ts'
import {
  checkCollection,
  mostSortKeys,
  mostWords,
  parameterRows,
  plainNames,
  valueNames,
  type Collection,
  type OperatorRow,
  type ParameterOf,
  type PlainName,
  type ValueName,
  type ResolvedField,
  namesOf,
  usualWords,
  type GroupWords,
} from '../language/index.ts'
import {
  type BoundGroup,
  type BoundMember,
  type BoundPair,
  filterBeside,
  isFacetOf,
  cursorOf,
  sortKeyOf,
  totalOrder,
  checkQuery,
  nameOfFacet,
  textOfPath,
  type Facet,
  type Query,
  type SortKey,
  encodeWords,
  membersOf,
  searchIn,
} from '../query/index.ts'
import { memberText, textOfOperand } from './member-text.ts'
import { allowsDaysOf, isAbsolute } from './candidates.ts'
import { expressFilter, type Expressed } from './express.ts'
import { own, ownOf } from '../own.ts'
import { encodeItems } from '../values/encode.ts'
import { checkOptions } from '../options.ts'

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
 * @param given a query, read or built.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError when an argument has the wrong type.
 * @throws FilterError with a `print_unsayable` issue for each part that the collection refuses or a query string cannot express.
 * @example
 * printQuery(orderCollection, parseQueryOrThrow(orderCollection, 'limit=5&sort=-total')) // => 'sort=-total&limit=5'
 */
export function printQuery(collection: Collection, given: Query, options: PrintQueryOptions = {}): string {
  checkCollection(collection)
  const { timeZone } = checkOptions(options, 'options', ['timeZone'])
  // A text with `timeZone` has days.
  const isZoned = collection.parameters.has('timeZone')
  const { words } = namesOf(collection)
  const { query, conditions } = partsToWrite(
    ...([collection, given, words] as const),
    (clock) => (isZoned ? undefined : (timeZone ?? clock?.timeZone)),
    (filter) => (collection.empty === 'ignore' ? membersOf(filter).filter(hasEmptyText) : []),
  )
  const leftOut = collection.empty === 'ignore' ? conditions.filter(isLeftOut) : []
  if (leftOut.length > 0) throw new FilterError(leftOut.map(leftOutIssue) as readonly Issue[] as Issues)
  const hasDays = isZoned && !conditions.flatMap(pairsIn).every(({ operands }) => isAbsolute(operands))
  const values = { ...parametersToWrite(collection, query), ...(hasDays && { timeZone: 'UTC' }) }
  const texts = conditions.map((member) => memberText(member, words))
  for (const name of valueNames) {
    const value = own(values, name)
    if (value !== undefined) texts.push(`${encodeURIComponent(collection.parameters.get(name)!)}=${value}`)
  }
  return texts.join('&')
}

/** Whether a condition of a filter compares with the empty text: as a pair, it may have no value. */
function hasEmptyText(filter: Filter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(hasEmptyText)
  if (filter.kind === 'not' || filter.kind === 'some') return hasEmptyText(filter.filter)
  if (filter.kind === 'match') return filter.text === ''
  return filter.kind === 'comparison' && filter.operand.value === ''
}

/** Whether a reader that leaves out pairs without a value would leave out a pair. */
const isLeftOut = (member: BoundMember): member is BoundPair =>
  member.members === undefined && member.operator.operands === 'one' && textOfOperand(member.operands[0]!) === ''

const leftOutIssue = ({ field: { name } }: BoundPair): Issue => {
  const message = `a condition on ${name} with an empty text needs a group: the collection ignores pairs without a value`
  return refusal('empty', message, { field: name })
}

/**
 * Finds the members that express the conditions of a query, without those of its search.
 *
 * @param zoneOf the time zone of the reader of the text; UTC for `undefined`.
 * @param apartOf the members of the filter that only groups may express.
 * @throws FilterError when the collection refuses a part of the query, or no members express it.
 */
export function partsToWrite(
  collection: Collection,
  given: Query,
  words: GroupWords,
  zoneOf: (clock: Query['clock']) => string | undefined,
  apartOf: (filter: Filter) => readonly Filter[] = () => [],
): { readonly query: Query; readonly conditions: readonly BoundMember[] } {
  const query = ownOf(checkQuery(given))
  const { filter, search, facets, clock } = query
  const allowsDays = allowsDaysOf(zoneOf(clock))
  const searched = searchIn(collection, filter, search) ?? []
  const always = apartOf(filter)
  const express: Express = (apart = []) =>
    expressFilter(
      ...([collection.visible, filter, words] as const),
      (field, operator, operands) => takes(collection, field, operator) && allowsDays(field, operator, operands),
      ...([new Set([...always, ...apart]), searched] as const),
    )
  const expressed = facets === undefined ? express() : withFacets(collection, filter, facets, express)
  const [first, ...rest] = [...narrowed(collection, filter, expressed, searched), ...refusals(collection, query)]
  if (first !== undefined) throw new FilterError([first, ...rest])
  // The members of the search come last, and `search` writes them.
  return { query, conditions: expressed.members!.slice(0, expressed.members!.length - (search?.length ?? 0)) }
}

/** Returns the values of the parameters that the text of a query requires. */
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

/** Expresses the filter of a query. */
type Express = (apart?: readonly Filter[]) => Expressed

/**
 * Expresses the filter of a query with facets. A facet ignores pairs on its field, and keeps groups. So a condition on that field becomes
 * a group if the facet has it, too.
 */
function withFacets({ schema }: Collection, filter: Filter, facets: readonly Facet[], express: Express): Expressed {
  const isRead = (facet: Facet, { members = [] }: Expressed): boolean => {
    const field = schema.paths.get(nameOfFacet(facet))
    return field !== undefined && sameTree(filterBeside(field, members, filter), facet.filter)
  }
  const expressed = express()
  const others = facets.filter((facet) => !isRead(facet, expressed))
  if (expressed.members === undefined || others.length === 0) return expressed
  const apart = others.flatMap((facet) => keptIn(filter, facet))
  const again = express(apart)
  if (again.members === undefined) return again
  const unread = facets.find((facet) => !isRead(facet, again))
  if (unread === undefined) return again
  const field = nameOfFacet(unread)
  const message = `a query string cannot express the facet of ${field}: its filter is not that of the query without conditions on ${field}`
  return { members: undefined, issues: [refusal('facet_filter', message, { field })] }
}

/** The members of a filter about the field of a facet that the facet's filter has, too. */
function keptIn(filter: Filter, facet: Facet): readonly Filter[] {
  const name = nameOfFacet(facet)
  const left = [...membersOf(facet.filter)]
  return membersOf(filter).filter((member) => {
    const at = left.findIndex((one) => sameTree(one, member))
    if (at >= 0) left.splice(at, 1)
    return at >= 0 && pathsIn(member).includes(name)
  })
}

const textOfKey = ({ path, direction }: SortKey): string => (direction === 'descending' ? '-' : '') + textOfPath(path)

const refusal = (problem: string, message: string, parameters: object = {}): Issue => ({
  code: 'print_unsayable',
  fault: 'server',
  message,
  parameters: { problem, ...parameters },
})

/** The issues of a filter; where the language could express it, those of operators that the collection narrows away. */
function narrowed(
  collection: Collection,
  filter: Filter,
  { issues }: Expressed,
  search: readonly BoundGroup[],
): readonly Issue[] {
  if (issues === undefined) return []
  const { words } = namesOf(collection)
  const { members = [] } = expressFilter(collection.visible, filter, words, undefined, undefined, search)
  const refused = refusedOperators(collection, members)
  return refused.length === 0 ? issues : refused
}

/** The parts of a filter that the collection would refuse: hidden fields, and operators on fields that it narrows. */
export function narrowings(collection: Collection, filter: Filter): readonly Issue[] {
  const { schema, visible, operators } = collection
  const hidden = visible === schema ? undefined : pathsIn(filter).find((path) => isHidden(collection, path))
  if (hidden !== undefined) {
    const message = `${hidden} is hidden from callers: only a restriction can name it`
    return [refusal('hidden', message, { field: hidden })]
  }
  if (operators.size === 0) return []
  const allowed = expressFilter(visible, filter, usualWords, (field, operator) => takes(collection, field, operator))
  if (allowed.members !== undefined) return []
  const whole = expressFilter(visible, filter, usualWords)
  // No text expresses it, so its operators are unknown.
  if (whole.members === undefined) {
    const asked = pathsIn(filter).find((path) => operators.has(path))
    if (asked === undefined) return []
    const message = `a query string cannot express the filter on ${asked}, which is narrowed`
    return [refusal('narrowed', message, { field: asked })]
  }
  return refusedOperators(collection, whole.members)
}

/** The dotted paths of all conditions of a filter. */
function pathsIn(filter: Filter, list = ''): readonly string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.flatMap((member) => pathsIn(member, list))
  if (filter.kind === 'not') return pathsIn(filter.filter, list)
  const path = [list, ...filter.path].filter((name) => name !== '').join('.')
  return filter.kind === 'some' ? [path, ...pathsIn(filter.filter, path)] : [path]
}

const isHidden = ({ schema, visible }: Collection, path: string): boolean =>
  schema.paths.has(path) && !visible.paths.has(path)

const pairsIn = (member: BoundMember): readonly BoundPair[] =>
  member.members === undefined ? [member] : member.members.flatMap(pairsIn)

const takes = ({ operators }: Collection, { name }: ResolvedField, operator: OperatorRow): boolean =>
  operators.get(name)?.includes(operator.name) !== false

const refusedOperators = (collection: Collection, members: readonly BoundMember[]): readonly Issue[] =>
  members.flatMap(pairsIn).flatMap(({ field, operator }) => {
    if (takes(collection, field, operator)) return []
    const names = { field: field.name, operator: operator.name }
    return [refusal('operator', `operator ${names.operator} is not available for ${names.field}`, names)]
  })

/** What the collection would refuse of a query that inherits nothing, but for its filter. */
export function refusals(collection: Collection, query: Query): readonly Issue[] {
  const { sortable, selectable, parameters } = collection
  const issues: Issue[] = []
  const refuse = (...fault: Parameters<typeof refusal>) => issues.push(refusal(...fault))
  for (const { path, type: found } of query.sort) {
    const field = textOfPath(path)
    const expected = sortable.get(field)?.literal
    if (expected === undefined) refuse('sort', `${field} is not sortable`, { field })
    else if (expected !== found)
      refuse('sort_type', `${field} has type ${expected}, not ${found}`, { field, found, expected })
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
    // A cursor counts as far as a walk goes: the maximum does not bind it.
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
    else if (searchIn(collection, query.filter, search) === undefined)
      refuse('search', 'the filter does not end with the search, as the collection means it')
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

/** The sort keys that a text needs: none where the order is the default, else those that the key does not add. */
export function askedOrder(collection: Collection, sort: readonly SortKey[]): readonly SortKey[] | undefined {
  // Names may have commas, and begin with the sign of descending order.
  const textOfOrder = (keys: readonly SortKey[]) => JSON.stringify(keys.map(({ path, direction }) => [path, direction]))
  const isSame = (asked: readonly SortKey[]) => textOfOrder(totalOrder(collection, asked)) === textOfOrder(sort)
  if (isSame(collection.defaultSort.map((asked) => sortKeyOf(collection, asked)))) return undefined
  for (let length = 1; length < sort.length; length++) if (isSame(sort.slice(0, length))) return sort.slice(0, length)
  return sort
}
