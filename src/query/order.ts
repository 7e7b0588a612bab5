/** The total order of a query, and the position in it as a filter. */
import {
  checkFilter,
  joined,
  newSpan,
  unchecked,
  type ComparisonOperator,
  type Filter,
  type Literal,
  type LiteralType,
} from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import { mostSortKeys, orderNames, type AskedOrder, type Collection, type OrderOption } from '../language/index.ts'
import {
  breaksTies,
  isOrdered,
  movesNulls,
  isRequired,
  textOfPath,
  withEveryProperty,
  type ComparedKey,
  type Position,
  type Query,
  type SortKey,
} from './query.ts'
import { own, ownOf } from '../own.ts'

/** The part of a collection that orders rows. */
type Ordering = Pick<Collection, 'key' | 'orders'>

/** A sort key that a collection declares, or a text names. */
export function sortKeyOf(collection: Ordering, { field, direction }: AskedOrder, span?: Span): SortKey {
  const { path } = field
  // An object has no order, and no collection sorts by it.
  const key: { -readonly [P in keyof SortKey]: SortKey[P] } = { path, type: field.literal as LiteralType, direction }
  if (collection.key.some(({ name }) => name === field.name)) key.required = true
  else if (own(field, 'required') === true) Object.assign(key, { required: true, inKey: false })
  const digits = own(field, 'digits')
  if (digits !== undefined) key.digits = digits
  const order = collection.orders.get(field.name)
  if (order !== undefined) {
    Object.assign(key, order, order.declared && { declared: field.values })
    // Without `nulls` where it equals the default of the direction, equal orders are equal data.
    if (!movesNulls(key)) delete key.nulls
  }
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

const ignoresCase = (key: SortKey): boolean => own(key, 'ignoreCase') === true
const hasEffect: { readonly [O in OrderOption]: (key: SortKey) => boolean } = {
  nulls: movesNulls,
  ignoreCase: ignoresCase,
  declared: (key) => own(key, 'declared') !== undefined,
}
/** Whether a key orders by something else than the value itself. */
export const isComputed = (key: SortKey): boolean => ignoresCase(key) || hasEffect.declared(key)
/** The names of the options of a sort key that have an effect. */
export const orderOptionsOf = (key: SortKey): readonly OrderOption[] =>
  orderNames.filter((name) => hasEffect[name](key))

/** The direction in which a page is read. */
export function readingDirection({ direction }: SortKey, position: Position | undefined): SortKey['direction'] {
  if (position?.toward !== 'previous') return direction
  return direction === 'ascending' ? 'descending' : 'ascending'
}

/** Whether the rows without a value are read before the others. */
export const readsAbsentFirst = (key: SortKey, position: Position | undefined): boolean =>
  (readingDirection(key, position) === 'ascending') !== movesNulls(key)

/**
 * A query whose order has a second key after each one that ignores case: the text itself, which orders texts that are equal in lower case.
 * A backend compares these keys one by one.
 *
 * @throws TypeError when an option of a key needs another type, or the position has a value that `declared` lacks.
 */
export function withTieBreakers(query: Query): Query {
  const { sort, position } = query
  for (const [at, key] of sort.entries()) {
    const value = position?.values[at]
    if (key.type !== 'string' && isComputed(key)) throw new TypeError(`query.sort[${at}].type must be string`)
    if (value != null && !isOrdered(key, value))
      throw new TypeError(`query.position.values[${at}].value must be in query.sort[${at}].declared`)
  }
  if (!sort.some(ignoresCase)) return query
  const doubled = <T>(list: readonly T[], second: (one: T) => T): readonly T[] =>
    list.flatMap((one, at) => (ignoresCase(sort[at]!) ? [one, second(one)] : [one]))
  const second = ({ ignoreCase: _, ...key }: SortKey): ComparedKey => ({ ...key, breaksTies: true })
  return ownOf({
    ...query,
    sort: doubled(sort, second),
    ...(position && { position: { ...position, values: doubled(position.values, (value) => value) } }),
  })
}

const all: Filter = /* @__PURE__ */ unchecked.and([])
const none: Filter = /* @__PURE__ */ unchecked.or([])

const literalsOf = ({ type }: SortKey, values: readonly string[]): readonly Literal[] =>
  values.map((value) => Object.freeze({ type, value }) as Literal)

/** Selects the rows that have a place in the order by a value. */
function present(key: SortKey): Filter {
  const { path, type } = key
  const declared = own(key, 'declared')
  return declared === undefined ? unchecked.presence(path, type) : unchecked.membership(path, literalsOf(key, declared))
}
const absent = (key: SortKey): Filter => unchecked.not(present(key))

/** Selects the rows whose value for a sort key compares with a value, in the order of the key. */
export type CompareKey = (key: SortKey, operator: ComparisonOperator, value: Literal) => Filter

/** Writes the comparison with the operators of the tree. */
export const compareKey: CompareKey = (key, operator, value) => {
  const { path, type } = key
  const declared = own(key, 'declared')
  if (declared !== undefined && operator !== 'eq') {
    const at = declared.indexOf(value.value as string)
    const [from, to] = { gt: [at + 1], gte: [at], lt: [0, at], lte: [0, at + 1] }[operator] as [number, number?]
    return unchecked.membership(path, literalsOf(key, declared.slice(from, to)))
  }
  if (ignoresCase(key))
    return operator === 'eq'
      ? unchecked.match(path, 'whole', value.value as string)
      : unchecked.comparison(path, `${operator}IgnoreCase`, value)
  if (type !== 'boolean' || operator === 'eq') return unchecked.comparison(path, operator, value)
  // Booleans have no order in the tree.
  const isGreater = operator.startsWith('g')
  return value.value === isGreater ? none : unchecked.comparison(path, 'eq', Object.freeze({ type, value: isGreater }))
}

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
  isAbsentFirst || isRequired(key) || breaksTies(key) ? filter : joined('or', [filter, absent(key)])

/** Selects the rows strictly after a value in the direction of reading. */
function beyond(reading: Reading, value: Literal | null, compare: CompareKey): Filter {
  const after = valueBeyond(reading, value, compare)
  return value === null ? after : orAbsent(reading, after)
}

/** Selects the rows with a value strictly after a value in the direction of reading. */
export function valueBeyond(
  { key, isAscending, isAbsentFirst }: Reading,
  value: Literal | null,
  compare: CompareKey,
): Filter {
  if (value === null) return isAbsentFirst && !breaksTies(key) ? present(key) : none
  return compare(key, isAscending ? 'gt' : 'lt', value)
}

/** Selects the rows that compare equal with a position by one key. Two rows without a value compare equal by both keys of `ignoreCase`. */
const equal = (key: SortKey, value: Literal | null, compare: CompareKey): Filter =>
  value === null ? (breaksTies(key) ? all : absent(key)) : compare(key, 'eq', value)

/** Selects the rows at a value or after it by one bound: the start of an index range. `undefined` where it adds nothing. */
function bound(reading: Reading, value: Literal | null, compare: CompareKey): Filter | undefined {
  const { key, isAscending } = reading
  if (value === null || key.type === 'boolean') return undefined
  return orAbsent(reading, compare(key, isAscending ? 'gte' : 'lte', value))
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
  return checkFilter(joined('and', partsOfPosition(withTieBreakers(withEveryProperty(query)))))
}

/**
 * The filters of the position of a checked query; none where it has no values. The last one is the whole position. Before it,
 * there may be a bound on the first key, where an index range starts.
 *
 * @param query from {@link withTieBreakers}.
 * @param compare writes the comparisons of keys.
 */
export function partsOfPosition({ sort, position }: Query, compare: CompareKey = compareKey): readonly Filter[] {
  const values = position?.values ?? []
  if (values.length === 0) return []
  const readings = sort.map((key) => readingOf(key, position))
  const after = sort.reduceRight<Filter | undefined>((rest, key, at) => {
    const value = values[at]!
    const beyondIt = beyond(readings[at]!, value, compare)
    const there = equal(key, value, compare)
    if (rest !== undefined) return joined('or', [beyondIt, joined('and', [there, rest])])
    return isInclusive(position) ? joined('or', [beyondIt, there]) : beyondIt
  }, undefined)!
  const outer = sort.length === 1 ? undefined : bound(readings[0]!, values[0]!, compare)
  const parts = outer === undefined ? [after] : [outer, after]
  // A query of a program's own may have so many keys that the filter nests too deep.
  return sort.length > mostSortKeys ? parts.map((part) => checkFilter(part, 'query.position')) : parts
}

/** Whether the row of a position is on its page. */
export const isInclusive = (position: Position | undefined): boolean =>
  position !== undefined && own(position, 'inclusive') === true
