/** Pages of rows in memory: the first rows of an order, out of a list. */
import {
  isInclusive,
  movesNulls,
  readingDirection,
  countOf,
  mostCounted,
  withTieBreakers,
  type RowCount,
  type Query,
} from '../../query/index.ts'
import { readerAt, type Predicate } from './rows.ts'
import { compareBy, sortValueBy, type Compare, type SortValue } from './sort-values.ts'

/** The rows that a query reads from a list of rows. */
export interface MemoryPage<Row = unknown> {
  /** At most `limit + 1` rows, in the order of reading: `toPage` makes the page of them. */
  readonly rows: readonly Row[]
  /** The number of rows that the filter selects, up to the maximum of the query; absent if the query has no count. */
  readonly count?: RowCount
}

/** A sort key, ready to read and to compare values. */
interface Key {
  readonly read: (row: unknown) => unknown
  readonly sortValue: (value: unknown) => SortValue
  readonly compare: Compare
  /** 1 where smaller values are read first. */
  readonly sign: 1 | -1
}

const keysOf = ({ sort, position }: Query): readonly Key[] =>
  sort.map((key) => ({
    read: readerAt(key.path),
    sortValue: sortValueBy(key),
    compare: movesNulls(key) ? absentLast(compareBy(key)) : compareBy(key),
    sign: readingDirection(key, position) === 'ascending' ? 1 : -1,
  }))

const absentLast =
  (compare: Compare): Compare =>
  (a, b) =>
    (a === undefined) === (b === undefined) ? compare(a, b) : a === undefined ? 1 : -1

/** Compares a row with sort values, and reads no more keys than it must. */
function compareWith(keys: readonly Key[], row: unknown, values: readonly SortValue[]): number {
  for (let at = 0; at < keys.length; at++) {
    const { read, sortValue, compare, sign } = keys[at]!
    const difference = compare(sortValue(read(row)), values[at])
    if (difference !== 0) return difference * sign
  }
  return 0
}

/** A row that may be on the page, with its sort values. */
interface Candidate {
  readonly row: unknown
  readonly values: readonly SortValue[]
}

/** The first `size` rows after the position of a query. */
function firstRows(rows: readonly unknown[], isSelected: Predicate, query: Query, size: number): readonly unknown[] {
  const keys = keysOf(query)
  const order = (a: Candidate, b: Candidate): number => {
    for (let at = 0; at < keys.length; at++) {
      const difference = keys[at]!.compare(a.values[at], b.values[at])
      if (difference !== 0) return difference * keys[at]!.sign
    }
    return 0
  }
  const { position } = query
  // A position without values is before the first row.
  const values = position?.values ?? []
  const start =
    values.length === 0
      ? undefined
      : values.map((literal, at) => (literal === null ? undefined : keys[at]!.sortValue(literal.value)))
  // A row that is equal to the position in every key is the row of the position.
  const least = isInclusive(position) ? 0 : 1

  const candidates: Candidate[] = []
  /** The sort values of the last row that can be on the page. */
  let last: readonly SortValue[] | undefined
  const keepFirst = (): void => {
    // The sort is stable: of rows that are equal in every key, the earlier one is read first.
    candidates.sort(order).splice(size)
    if (candidates.length === size) last = candidates.at(-1)!.values
  }
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    // The filter comes last: most rows that it would select are not on the page.
    if (last !== undefined && compareWith(keys, row, last) >= 0) continue
    if (start !== undefined && compareWith(keys, row, start) < least) continue
    if (!isSelected(row)) continue
    candidates.push({ row, values: keys.map(({ read, sortValue }) => sortValue(read(row))) })
    if (candidates.length === 2 * size) keepFirst()
  }
  keepFirst()
  return candidates.map(({ row }) => row)
}

/** Counts the selected rows, up to one more than the maximum of the query. */
function counted(rows: readonly unknown[], isSelected: Predicate, query: Query): RowCount {
  const most = mostCounted(query) ?? Infinity
  let count = 0
  for (let at = 0; at < rows.length && count < most; at++) if (isSelected(rows[at])) count++
  return countOf(query, count)
}

/**
 * Makes the function that reads the page of a query out of rows.
 *
 * @param isSelected the predicate of the filter.
 */
export function pageOf(query: Query, isSelected: Predicate): <Row>(rows: readonly Row[]) => MemoryPage<Row> {
  const { limit, offset = 0, count } = query
  const compared = withTieBreakers(query)
  return <Row>(rows: readonly Row[]) => {
    if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
    const read = firstRows(rows, isSelected, compared, offset + limit + 1).slice(offset) as Row[]
    return count === false ? { rows: read } : { rows: read, count: counted(rows, isSelected, query) }
  }
}
