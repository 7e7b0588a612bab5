/** Pages of rows in memory: the first rows of an order, kept in a heap as long as a page. */
import { isInclusive, readingDirection } from '../../query/page/order.ts'
import type { Query } from '../../query/page/query.ts'
import { compareOf, orderedOf, type Compare, type Ordered } from './ordered.ts'
import { readerAt, type Predicate } from './rows.ts'
import { endsOf, type Ends, type ReadKey } from './ends.ts'
import { windowOf } from './window.ts'

/** The rows that a query reads, out of a list of rows of that type. */
export interface MemoryPage<Row = unknown> {
  /** At most `limit + 1` rows, in the order of reading: `toPage` makes the page of them. */
  readonly rows: readonly Row[]
  /** How many rows the filter selects, where the query asks for it. */
  readonly count?: number
}

/** A sort key, with what compares its values. */
interface Key extends ReadKey {
  readonly valueAt: (row: unknown) => unknown
  readonly ordered: (value: unknown) => Ordered
  readonly compare: Compare
  /** 1 where smaller values are read first. */
  readonly sign: 1 | -1
}

const keysOf = ({ sort, position }: Query): readonly Key[] =>
  sort.map((key) => {
    const { path, type } = key
    const isAscending = readingDirection(key, position) === 'ascending'
    const sign = isAscending ? 1 : -1
    return {
      path,
      type,
      isAscending,
      valueAt: readerAt(path),
      ordered: orderedOf[type],
      compare: compareOf[type],
      sign,
    }
  })

/** Compares a row with the values of a place in the order, and reads no more keys than it must. */
function compareWith(keys: readonly Key[], row: unknown, values: readonly Ordered[]): number {
  for (let at = 0; at < keys.length; at++) {
    const { valueAt, ordered, compare, sign } = keys[at]!
    const difference = compare(ordered(valueAt(row)), values[at])
    if (difference !== 0) return difference * sign
  }
  return 0
}

/** A row that is kept, and what it is ordered by. */
interface Entry {
  readonly row: unknown
  readonly values: readonly Ordered[]
  /** Where it was, for rows that are equal in every key. */
  readonly at: number
}

/** So many rows, the first ones that are kept of all that are added. The root of the heap is the last of them. */
function heapOf(keys: readonly Key[], size: number) {
  const heap: Entry[] = []
  const order = (a: Entry, b: Entry): number => {
    for (let key = 0; key < keys.length; key++) {
      const { compare, sign } = keys[key]!
      const difference = compare(a.values[key], b.values[key])
      if (difference !== 0) return difference * sign
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
  return {
    /** Adds a row that comes before the last one, and gives the values of what is then the last one, once the heap is full. */
    add: (row: unknown, at: number): readonly Ordered[] | undefined => {
      const entry = { row, values: keys.map(({ valueAt, ordered }) => ordered(valueAt(row))), at }
      if (heap.length < size) rise(entry)
      else sink(entry)
      return heap.length < size ? undefined : heap[0]!.values
    },
    rows: (): readonly unknown[] => heap.sort(order).map(({ row }) => row),
  }
}

/** The ends of an order by its first key alone. */
function firstEnds({ path, type, isAscending }: ReadKey): Ends {
  const { isOutside, cutBelow, cutAbove } = windowOf(path, type)
  const [begin, end] = isAscending ? [cutBelow, cutAbove] : [cutAbove, cutBelow]
  return { isOutside, begin: ([value]) => begin(value), end: ([value]) => end(value) }
}

/** The first rows after the position of a query. */
function firstRows(
  rows: readonly unknown[],
  isSelected: Predicate,
  query: Query,
  size: number,
  isGenerated: boolean,
): readonly unknown[] {
  const keys = keysOf(query)
  // Generated ends cut off the row of a position, which an inclusive one keeps.
  const isKept = isInclusive(query.position)
  const { isOutside, begin, end } = (isGenerated && !isKept ? endsOf(keys) : undefined) ?? firstEnds(keys[0]!)
  const values = query.position?.values ?? []
  const position =
    values.length === 0
      ? undefined
      : values.map((literal) => (literal === null ? undefined : orderedOf[literal.type](literal.value)))
  if (position !== undefined) begin(position)
  // A row that is equal to the position in every key is the row of the position.
  const least = isKept ? -1 : 0

  const heap = heapOf(keys, size)
  let last: readonly Ordered[] | undefined
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    // The filter comes last: most rows that it would select are not on the page.
    if (isOutside(row)) continue
    if (position !== undefined && compareWith(keys, row, position) <= least) continue
    // Of rows that are equal in every key, the later one comes later.
    if (last !== undefined && compareWith(keys, row, last) >= 0) continue
    if (!isSelected(row)) continue
    last = heap.add(row, at)
    if (last !== undefined) end(last)
  }
  return heap.rows()
}

/** To read so many rows takes as long as to generate code for them. */
const fewestGenerated = 1_000

/**
 * What reads the page of a query out of rows.
 *
 * @param isSelected the predicate of the filter.
 * @param codegen whether to generate code; unless given, for long lists.
 */
export function pageOf(
  query: Query,
  isSelected: Predicate,
  codegen?: boolean,
): <Row>(rows: readonly Row[]) => MemoryPage<Row> {
  const { limit, offset = 0, count } = query
  return <Row>(rows: readonly Row[]) => {
    if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
    const isGenerated = codegen ?? rows.length >= fewestGenerated
    const read = firstRows(rows, isSelected, query, offset + limit + 1, isGenerated).slice(offset) as Row[]
    return count ? { rows: read, count: rows.filter(isSelected).length } : { rows: read }
  }
}
