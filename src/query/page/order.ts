/** The total order of a query, and the position in it as a filter. */
import {
  checkFilter,
  joined,
  newSpan,
  unchecked,
  type Comparison,
  type Filter,
  type Literal,
  type LiteralType,
} from '../../ast/index.ts'
import type { Span } from '../../issue/index.ts'
import type { AskedOrder, Collection } from '../../language/index.ts'
import { own } from '../../own.ts'
import { textOfPath, wholeQuery, type Position, type Query, type SortKey } from './query.ts'

/** Each sort key nests the filter of a position two levels deeper, and a filter has 100 levels at most. */
export const mostSortKeys = 16

/** A sort key as a collection declares it, or as a text asks for it. */
export function sortKeyOf(collection: Pick<Collection, 'key'>, { field, direction }: AskedOrder, span?: Span): SortKey {
  const { path } = field
  // An object has no order, and no collection sorts by it.
  const key: { -readonly [P in keyof SortKey]: SortKey[P] } = { path, type: field.literal as LiteralType, direction }
  if (collection.key.some(({ name }) => name === field.name)) key.required = true
  if (span !== undefined) key.span = newSpan(span.start, span.end)
  return Object.freeze(key)
}

/** The asked order, ended by the fields of the key that are not in it: then no two rows are equal. */
export function totalOrder(collection: Pick<Collection, 'key'>, sort: readonly SortKey[]): readonly SortKey[] {
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

const none: Filter = /* @__PURE__ */ unchecked.or([])

/** What is strictly after a value in the direction of reading; no value comes first in ascending order. */
function beyond({ path, type }: SortKey, isAscending: boolean, value: Literal | null): Filter {
  if (value === null) return isAscending ? unchecked.presence(path, type) : none
  const after =
    type !== 'boolean'
      ? unchecked.comparison(path, isAscending ? 'gt' : 'lt', value)
      : value.value === isAscending
        ? none
        : unchecked.comparison(path, 'eq', Object.freeze({ type, value: isAscending }))
  return isAscending ? after : joined('or', [after, unchecked.not(unchecked.presence(path, type))])
}

const equal = ({ path, type }: SortKey, value: Literal | null): Filter =>
  value === null ? unchecked.not(unchecked.presence(path, type)) : unchecked.comparison(path, 'eq', value)

/** What is at a value or after it, as one bound: the start of an index range. `undefined` where it would say nothing new. */
function bound({ path, type }: SortKey, isAscending: boolean, value: Literal | null): Filter | undefined {
  if (value === null || type === 'boolean') return undefined
  if (isAscending) return unchecked.comparison(path, 'gte', value)
  return joined('or', [unchecked.comparison(path, 'lte', value), unchecked.not(unchecked.presence(path, type))])
}

/**
 * The position of a query as a filter: the rows after it in the direction of reading. A backend that orders rows needs
 * nothing else for pages.
 *
 * @returns `and()`, which every row passes, when the query has no position.
 * @throws TypeError when the query is invalid.
 * @example
 * // For a ascending, b descending at (x, y):
 * // and(gte(a, x), or(gt(a, x), and(eq(a, x), or(lt(b, y), not(presence(b))))))
 */
export function positionFilter(query: Query): Filter {
  const checked = wholeQuery(query)
  return checkFilter(joined('and', partsOfPosition(checked)))
}

/**
 * The filters of the position of a checked query; none where it has no values. The last one says it all. Before it, there may
 * be a bound on the first key, for backends that do not start elsewhere.
 */
export function partsOfPosition({ sort, position }: Query): readonly Filter[] {
  const values = position?.values ?? []
  if (values.length === 0) return []
  const isAscending = sort.map((key) => readingDirection(key, position) === 'ascending')
  const after = sort.reduceRight<Filter | undefined>((rest, key, at) => {
    const value = values[at]!
    const beyondIt = beyond(key, isAscending[at]!, value)
    const there = equal(key, value)
    if (rest !== undefined) return joined('or', [beyondIt, joined('and', [there, rest])])
    return isInclusive(position) ? joined('or', [beyondIt, there]) : beyondIt
  }, undefined)!
  const outer = sort.length === 1 ? undefined : bound(sort[0]!, isAscending[0]!, values[0]!)
  const parts = outer === undefined ? [after] : [outer, after]
  // A query of a program's own may have so many keys that the filter nests too deep.
  return sort.length > mostSortKeys ? parts.map((part) => checkFilter(part, 'query.position')) : parts
}

/** Whether the row of a position is on its page. */
export const isInclusive = (position: Position | undefined): boolean =>
  position !== undefined && own(position, 'inclusive') === true

/** The first sort keys, as long as the position has a value for them: each equal to its value. */
export function leadingValues({ sort, position }: Query): readonly Comparison[] {
  const leading: Comparison[] = []
  for (let at = 0; at < sort.length; at++) {
    const value = position?.values[at]
    if (value == null) break
    leading.push(unchecked.comparison(sort[at]!.path, 'eq', value))
  }
  return leading
}
