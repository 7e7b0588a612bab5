/** A map from ranges to values. It sorts the ranges by their lower bounds, and finds those that contain a point without reading the others. */
import type { Compare, Range } from './requirement.ts'

/** The ranges of a place, each with a value. */
export interface Ranges<V> {
  readonly size: number
  get(range: Range): V | undefined
  set(range: Range, value: V): void
  delete(range: Range): void
  forEach(visit: (value: V) => void): void
  /** Visits the values of the ranges that contain a point. */
  around(point: unknown, visit: (value: V) => void): void
}

interface Entry<V> extends Range {
  value: V
}

/** Consecutive ranges in a short array, so that an insertion moves few of them. */
interface Piece<V> {
  readonly entries: Entry<V>[]
  /** The greatest upper bound. */
  upper: unknown
}

/** The most ranges of a piece. A piece with more becomes two. */
const mostInPiece = 64

/** Finds the index of the first element that does not precede the searched one. */
function placeIn<T>(list: readonly T[], isBefore: (one: T) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(list[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

export function rangesOf<V>(compare: Compare): Ranges<V> {
  const pieces: Piece<V>[] = []
  let size = 0
  const least = (a: unknown, b: unknown, absent: 1 | -1): number =>
    a === b ? 0 : a === undefined ? absent : b === undefined ? -absent : compare(a, b)
  const byLower = (a: unknown, b: unknown): number => least(a, b, -1)
  const byUpper = (a: unknown, b: unknown): number => least(a, b, 1)
  const order = (a: Range, b: Range): number => byLower(a.lower, b.lower) || byUpper(a.upper, b.upper)

  const find = (range: Range) => {
    const isBefore = (one: Range): boolean => order(one, range) < 0
    const piece = Math.min(
      placeIn(pieces, ({ entries }) => isBefore(entries.at(-1)!)),
      Math.max(0, pieces.length - 1),
    )
    const entries = pieces[piece]?.entries ?? []
    const at = placeIn(entries, isBefore)
    const entry = entries[at]
    return { piece, at, entry: entry !== undefined && order(entry, range) === 0 ? entry : undefined }
  }
  const newPiece = (entries: Entry<V>[]): Piece<V> => ({ entries, upper: upperOf(entries) })
  const upperOf = (entries: readonly Entry<V>[]): unknown =>
    entries.reduce((most: unknown, { upper }) => (byUpper(upper, most) > 0 ? upper : most), entries[0]!.upper)

  return {
    get size() {
      return size
    },
    get: (range) => find(range).entry?.value,
    set(range, value) {
      const { piece, at, entry } = find(range)
      if (entry !== undefined) return void (entry.value = value)
      size++
      const added = { ...range, value }
      const { entries } = pieces[piece] ?? (pieces[0] = newPiece([added]))
      if (size > 1) entries.splice(at, 0, added)
      const halves =
        entries.length > mostInPiece ? [entries.slice(0, mostInPiece / 2), entries.slice(mostInPiece / 2)] : [entries]
      pieces.splice(piece, 1, ...halves.map(newPiece))
    },
    delete(range) {
      const { piece, at, entry } = find(range)
      if (entry === undefined) return
      size--
      const { entries } = pieces[piece]!
      entries.splice(at, 1)
      pieces.splice(piece, 1, ...(entries.length === 0 ? [] : [newPiece(entries)]))
    },
    forEach(visit) {
      for (const { entries } of pieces) for (const { value } of entries) visit(value)
    },
    around(point, visit) {
      for (const { entries, upper } of pieces) {
        if (byLower(entries[0]!.lower, point) > 0) return
        if (byUpper(upper, point) < 0) continue
        const isWhole = byLower(entries.at(-1)!.lower, point) <= 0
        for (const { lower, upper, value } of entries) {
          if (!isWhole && byLower(lower, point) > 0) return
          if (upper === undefined || compare(upper, point) >= 0) visit(value)
        }
      }
    },
  }
}
