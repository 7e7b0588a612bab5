/** A map from ranges to values. It sorts the ranges by their lower bounds, and finds those that contain a point without reading the others. */
import type { Compare, Range } from './requirement.ts'

/** The ranges of a place, each with a value. */
export interface Ranges<V> {
  readonly size: number
  get(range: Range): V | undefined
  set(range: Range, value: V): void
  delete(range: Range): void
  values(): Iterable<V>
  /**
   * Visits the values of the ranges that contain a point, until `visit` returns false.
   *
   * @param visit its `isInside` tells whether the point is none of the bounds.
   * @returns whether it visited all.
   */
  around(point: unknown, visit: (value: V, isInside: boolean) => boolean): boolean
}

/** Consecutive ranges in short arrays, so that an insertion copies few of them. Arrays of bounds need less time to read than objects. */
interface Piece<V> {
  readonly lowers: readonly unknown[]
  readonly uppers: readonly unknown[]
  readonly values: V[]
  /** The greatest upper bound. */
  readonly most: unknown
}

/** The most ranges of a piece. A piece with more becomes two. */
const mostInPiece = 64

/** Finds the first index from 0 to `end` that does not precede the searched one. */
function placeIn(end: number, isBefore: (at: number) => boolean): number {
  let low = 0
  while (low < end) {
    const middle = (low + end) >> 1
    if (isBefore(middle)) low = middle + 1
    else end = middle
  }
  return low
}

export function rangesOf<V>(compare: Compare): Ranges<V> {
  const pieces: Piece<V>[] = []
  let size = 0
  const byLower = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : compare(a, b)
  const byUpper = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === undefined ? 1 : b === undefined ? -1 : compare(a, b)

  const newPiece = (lowers: readonly unknown[], uppers: readonly unknown[], values: V[]): Piece<V> => ({
    ...{ lowers, uppers, values },
    most: uppers.reduce((most, upper) => (byUpper(upper, most) > 0 ? upper : most), uppers[0]),
  })
  const find = ({ lower, upper }: Range) => {
    const order = ({ lowers, uppers }: Piece<V>, at: number): number =>
      byLower(lowers.at(at), lower) || byUpper(uppers.at(at), upper)
    const number = placeIn(pieces.length - 1, (one) => order(pieces[one]!, -1) < 0)
    const piece = pieces[number] ?? newPiece([], [], [])
    const { length } = piece.values
    const at = placeIn(length, (one) => order(piece, one) < 0)
    return { number, piece, at, isThere: at < length && order(piece, at) === 0 }
  }
  const replace = (number: number, ...next: readonly Piece<V>[]) => {
    pieces.splice(number, 1, ...next.filter(({ values }) => values.length > 0))
  }

  return {
    get size() {
      return size
    },
    get(range) {
      const { piece, at, isThere } = find(range)
      return isThere ? piece.values[at] : undefined
    },
    set(range, value) {
      const { number, piece, at, isThere } = find(range)
      if (isThere) return void (piece.values[at] = value)
      size++
      const lowers = piece.lowers.toSpliced(at, 0, range.lower)
      const uppers = piece.uppers.toSpliced(at, 0, range.upper)
      const values = piece.values.toSpliced(at, 0, value)
      const half = values.length > mostInPiece ? mostInPiece / 2 : 0
      const part = (from: number, to?: number) =>
        newPiece(lowers.slice(from, to), uppers.slice(from, to), values.slice(from, to))
      replace(number, part(0, half), part(half))
    },
    delete(range) {
      const { number, piece, at, isThere } = find(range)
      if (!isThere) return
      size--
      const { lowers, uppers, values } = piece
      replace(number, newPiece(lowers.toSpliced(at, 1), uppers.toSpliced(at, 1), values.toSpliced(at, 1)))
    },
    values: () => pieces.flatMap(({ values }) => values),
    around(point, visit) {
      for (const { lowers, uppers, values, most } of pieces) {
        if (byLower(lowers[0], point) > 0) break
        if (byUpper(most, point) < 0) continue
        for (let at = 0; at < values.length; at++) {
          const below = byLower(lowers[at], point)
          const above = byUpper(uppers[at], point)
          if (below > 0) return true
          if (above >= 0 && !visit(values[at]!, below < 0 && above > 0)) return false
        }
      }
      return true
    },
  }
}
