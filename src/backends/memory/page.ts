/** Pages of rows in memory: the first rows of an order, kept in a heap as long as a page. */
import type { Literal, LiteralType } from '../../ast/index.ts'
import { readingDirection } from '../../query/order.ts'
import { valueAt } from '../../query/page.ts'
import type { Query, SortKey } from '../../query/query.ts'
import { canonicalDateTime, compareCodePoints, momentOf } from '../../text.ts'
import { at, type Predicate } from './rows.ts'
import { comparison, presence } from './values.ts'

/** What a page is read from, and gives. */
export interface MemoryPage {
  /** At most `limit + 1` rows, in the order of reading: `toPage` makes the page of them. */
  readonly rows: readonly unknown[]
  /** How many rows the filter selects, where the query asks for it. */
  readonly count?: number
}

/** A value that `compare` orders; `undefined` for no value. */
type Ordered = string | number | boolean | undefined

const isDate = (value: unknown): value is Date => value instanceof Date
const momentOfDate = (value: unknown): number => (isDate(value) ? value.getTime() : NaN)

/** A Date counts by its UTC day; one outside the years that texts name comes before or after all texts. */
function dayOf(value: unknown): Ordered {
  if (typeof value === 'string') return value
  const moment = momentOfDate(value)
  if (Number.isNaN(moment)) return undefined
  const text = new Date(moment).toISOString()
  return text.length === 24 ? text.slice(0, 10) : text.startsWith('-') ? '' : '\uffff'
}

const numberOf = (value: unknown): Ordered => (typeof value === 'number' && !Number.isNaN(value) ? value : undefined)

const readers: { readonly [T in LiteralType]: (value: unknown) => Ordered } = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  integer: numberOf,
  number: numberOf,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: dayOf,
  datetime: (value) => numberOf(typeof value === 'string' ? momentOf(value) : momentOfDate(value)),
}

/** Negative, zero or positive; no value comes first. */
function compare(a: Ordered, b: Ordered): number {
  if (a === b) return 0
  if (a === undefined) return -1
  if (b === undefined) return 1
  if (typeof a === 'string') return compareCodePoints(a, b as string)
  return a < b ? -1 : 1
}

/** A row, and what it is ordered by. */
interface Entry {
  readonly row: unknown
  readonly values: readonly Ordered[]
  /** Where it was, for rows that are equal in every key. */
  readonly at: number
}

/** The rows that come first, and no others: the root of the heap is the last of them. */
function firstRows(
  rows: readonly unknown[],
  isSelected: Predicate,
  keys: readonly { readonly read: (row: unknown) => Ordered; readonly sign: 1 | -1 }[],
  size: number,
  beyond: (first: Ordered) => Predicate,
): readonly unknown[] {
  const heap: Entry[] = []
  const order = (a: Entry, b: Entry): number => {
    for (let key = 0; key < keys.length; key++) {
      const difference = compare(a.values[key], b.values[key])
      if (difference !== 0) return difference * keys[key]!.sign
    }
    return a.at - b.at
  }
  const rise = (entry: Entry): void => {
    let at = heap.length
    for (; at > 0;) {
      const parent = (at - 1) >> 1
      if (order(heap[parent]!, entry) >= 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }
  const sink = (entry: Entry): void => {
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && order(heap[child + 1]!, heap[child]!) > 0) child++
      if (order(entry, heap[child]!) >= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = entry
  }

  let isBeyond: Predicate = () => false
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]
    // Most rows are beyond the page by their first key.
    if (!isSelected(row) || isBeyond(row)) continue
    const entry: Entry = { row, values: keys.map(({ read }) => read(row)), at: index }
    if (heap.length < size) rise(entry)
    else if (order(entry, heap[0]!) < 0) sink(entry)
    if (heap.length === size) isBeyond = beyond(heap[0]!.values[0])
  }
  return heap.sort(order).map(({ row }) => row)
}

/** Makes the predicate for rows that come after a value of the first key. */
function beyondFirst({ path, type }: SortKey, isAscending: boolean): (first: Ordered) => Predicate {
  const isPresent = at(path, presence({ kind: 'presence', path, type }))
  return (first) => {
    if (first === undefined) return isAscending ? isPresent : () => false
    const value = type === 'datetime' ? canonicalDateTime(first as number) : first
    // Booleans have no order in a filter, and not every Date has a text.
    if (type === 'boolean' || value === undefined || value === '' || value === '\uffff') return () => false
    const operand = { type, value } as Literal
    if (isAscending) return at(path, comparison({ kind: 'comparison', path, operator: 'gt', operand }))
    const isNotAfter = at(path, comparison({ kind: 'comparison', path, operator: 'gte', operand }))
    return (row) => !isNotAfter(row)
  }
}

/**
 * What reads the page of a query out of rows.
 *
 * @param isSelected the predicate of the filter.
 * @param isAfter the predicate of the position.
 */
export function pageOf(
  query: Query,
  isSelected: Predicate,
  isAfter: Predicate,
): (rows: readonly unknown[]) => MemoryPage {
  const { sort, limit, offset = 0, position, count } = query
  const keys = sort.map((key: SortKey) => {
    const read = readers[key.type]
    const { path } = key
    const sign = readingDirection(key, position) === 'ascending' ? 1 : -1
    return { read: (row: unknown) => read(valueAt(row, path)), sign } as const
  })
  const beyond = beyondFirst(sort[0]!, keys[0]!.sign === 1)
  const isOnPage: Predicate = position === undefined ? isSelected : (row) => isSelected(row) && isAfter(row)
  return (rows) => {
    if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
    const read = firstRows(rows, isOnPage, keys, offset + limit + 1, beyond).slice(offset)
    return count ? { rows: read, count: rows.filter(isSelected).length } : { rows: read }
  }
}
