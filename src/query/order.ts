/** The total order of a query, and the position in it as a filter. */
import { checkFilter, joined, newSpan, unchecked, type Filter, type Literal, type LiteralType } from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import { mostSortKeys, type AskedOrder, type Collection } from '../language/index.ts'
import {
  movesNulls,
  isRequired,
  textOfPath,
  withEveryProperty,
  type Position,
  type Query,
  type SortKey,
} from './query.ts'
import { own } from '../own.ts'

/** The part of a collection that orders rows. */
type Ordering = Pick<Collection, 'key' | 'orders'>

/** A sort key that a collection declares, or a text names. */
export function sortKeyOf(collection: Ordering, { field, direction }: AskedOrder, span?: Span): SortKey {
  const { path } = field
  // An object has no order, and no collection sorts by it.
  const key: { -readonly [P in keyof SortKey]: SortKey[P] } = { path, type: field.literal as LiteralType, direction }
  if (own(field, 'required') === true || collection.key.some(({ name }) => name === field.name)) key.required = true
  const digits = own(field, 'digits')
  if (digits !== undefined) key.digits = digits
  // Without `nulls` where it equals the default of the direction, equal orders are equal data.
  const nulls = collection.orders.get(field.name)?.nulls
  if (nulls !== undefined && movesNulls({ ...key, nulls })) key.nulls = nulls
  if (span !== undefined) key.span = newSpan(span.start, span.end)
  return Object.freeze(key)
}

/** An order, ended by the fields of the key that are not in it: then no two rows are equal. */
export function totalOrder(collection: Ordering, sort: readonly SortKey[]): readonly SortKey[] {
  const direction = sort.at(-1)?.direction ?? 'ascending'
  const total = [...sort]
  for (const field of collection.key) {
    if (!sort.some(({ path }) => textOfPath(path) === field.name))
      total.push(sortKeyOf(collection, { field, direction }))
  }
  return Object.freeze(total)
}

/** The direction in which a page is read. */
export function readingDirection({ direction }: SortKey, position: Position | undefined): SortKey['direction'] {
  if (position?.toward !== 'previous') return direction
  return direction === 'ascending' ? 'descending' : 'ascending'
}

/** Whether the rows without a value are read before the others. */
export const readsAbsentFirst = (key: SortKey, position: Position | undefined): boolean =>
  (readingDirection(key, position) === 'ascending') !== movesNulls(key)

const none: Filter = /* @__PURE__ */ unchecked.or([])

const absent = ({ path, type }: SortKey): Filter => unchecked.not(unchecked.presence(path, type))

/** How a sort key is read. */
interface Reading {
  readonly key: SortKey
  readonly isAscending: boolean
  readonly isAbsentFirst: boolean
}

export const readingOf = (key: SortKey, position: Position | undefined): Reading => ({
  key,
  isAscending: readingDirection(key, position) === 'ascending',
  isAbsentFirst: readsAbsentFirst(key, position),
})

/** Adds the rows without a value where these are read last; a required key has none of these. */
const orAbsent = ({ key, isAbsentFirst }: Reading, filter: Filter): Filter =>
  isAbsentFirst || isRequired(key) ? filter : joined('or', [filter, absent(key)])

/** Selects the rows strictly after a value in the direction of reading. */
function beyond(reading: Reading, value: Literal | null, hasOthers: boolean): Filter {
  const after = valueBeyond(reading, value, hasOthers)
  return value === null ? after : orAbsent(reading, after)
}

/** Selects the rows with a value strictly after a value in the direction of reading. */
export function valueBeyond(
  { key: { path, type }, isAscending, isAbsentFirst }: Reading,
  value: Literal | null,
  hasOthers: boolean,
): Filter {
  if (value === null) return isAbsentFirst ? unchecked.presence(path, type) : none
  if (type !== 'boolean' || hasOthers) return unchecked.comparison(path, isAscending ? 'gt' : 'lt', value)
  return value.value === isAscending
    ? none
    : unchecked.comparison(path, 'eq', Object.freeze({ type, value: isAscending }))
}

const equal = (key: SortKey, value: Literal | null): Filter =>
  value === null ? absent(key) : unchecked.comparison(key.path, 'eq', value)

/** Selects the rows at a value or after it by one bound: the start of an index range. `undefined` where it adds nothing. */
function bound(reading: Reading, value: Literal | null): Filter | undefined {
  const { key, isAscending } = reading
  if (value === null || key.type === 'boolean') return undefined
  return orAbsent(reading, unchecked.comparison(key.path, isAscending ? 'gte' : 'lte', value))
}

/**
 * Writes the position of a query as a filter for the rows after it, in the direction of reading. A backend that orders rows needs only
 * this filter for pages.
 *
 * @param query the filter has no test for an absent value of a `required` sort key.
 * @returns `and()`, which every row passes, when the query has no position.
 * @throws TypeError when the query is invalid.
 * @example
 * // For a ascending, b descending at (x, y):
 * // and(gte(a, x), or(gt(a, x), and(eq(a, x), or(lt(b, y), not(presence(b))))))
 */
export function positionFilter(query: Query): Filter {
  return checkFilter(joined('and', partsOfPosition(withEveryProperty(query))))
}

/**
 * The filters of the position of a checked query; none where it has no values. The last one is the whole position. Before it,
 * there may be a bound on the first key, where an index range starts.
 *
 * @param hasOthers whether the store orders other values than true and false at a key of booleans.
 */
export function partsOfPosition(
  { sort, position }: Query,
  hasOthers: (at: number) => boolean = () => false,
): readonly Filter[] {
  const values = position?.values ?? []
  if (values.length === 0) return []
  const readings = sort.map((key) => readingOf(key, position))
  const after = sort.reduceRight<Filter | undefined>((rest, key, at) => {
    const value = values[at]!
    const beyondIt = beyond(readings[at]!, value, hasOthers(at))
    const there = equal(key, value)
    if (rest !== undefined) return joined('or', [beyondIt, joined('and', [there, rest])])
    return isInclusive(position) ? joined('or', [beyondIt, there]) : beyondIt
  }, undefined)!
  const outer = sort.length === 1 ? undefined : bound(readings[0]!, values[0]!)
  const parts = outer === undefined ? [after] : [outer, after]
  // A query of a program's own may have so many keys that the filter nests too deep.
  return sort.length > mostSortKeys ? parts.map((part) => checkFilter(part, 'query.position')) : parts
}

/** Whether the row of a position is on its page. */
export const isInclusive = (position: Position | undefined): boolean =>
  position !== undefined && own(position, 'inclusive') === true
