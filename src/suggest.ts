/** "Did you mean": the candidate that is nearest to a misspelt name. */
import { areOpposed, isTurned } from './turns.ts'

/** How much may still be compared, in cells of the tables of edit distances. It bounds the cost of the suggestions that share it. */
export interface Budget {
  left: number
}

/** For all suggestions of one parse: about 0.15 ms. That is ten misspelt names among fifty fields, or one among a thousand. */
export const newBudget = (): Budget => ({ left: 30_000 })

const longestName = 64
/** A candidate of at most this length may be one edit away. Two edits turn it into any other short name. */
const shortName = 3
/** A candidate that is longer than this is too far from every name that is compared. */
const mostCells = 128

/**
 * The candidate with the fewest edits. An edit inserts, removes or replaces a character, or swaps two neighbours. Case is
 * ignored.
 *
 * @param budget is reduced by each comparison.
 * @param prefers of two equally near candidates, one for which this is true wins, else the first one.
 * @returns `undefined` when every candidate needs more edits than about a third of the name's length or turns what the name
 *   means, when two of the nearest mean the opposite of each other, or when the budget ends before all are compared.
 * @see https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance (optimal string alignment)
 */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  budget: Budget = { left: Infinity },
  prefers: (candidate: string) => boolean = () => true,
): string | undefined {
  const lowered = name.toLowerCase()
  if (lowered.length > longestName) return undefined
  let best: string | undefined
  let isPreferred = true
  /** Whether `total[xt]` may be `gt` as well as `lt`. */
  let isTorn = false
  /** The edits that make a name of the opposite: `total[inn]` may be `nin`. */
  let leastTurned = Infinity
  let least = Math.floor((name.length + 1) / 3) + 1
  for (const candidate of candidates) {
    if (--budget.left < 0) return undefined
    const furthest = candidate.length <= shortName ? 2 : Infinity
    const limit = Math.min(best === undefined ? least : least + 1, furthest)
    const distance = edits(lowered, candidate.toLowerCase(), limit, budget)
    if (distance >= limit) continue
    if (isTurned(name, candidate)) {
      leastTurned = Math.min(leastTurned, distance)
      continue
    }
    const preferred = prefers(candidate)
    if (best !== undefined && distance === least) {
      isTorn ||= areOpposed(best, candidate)
      if (!preferred || isPreferred) continue
    } else isTorn = false
    least = distance
    best = candidate
    isPreferred = preferred
  }
  return isTorn || leastTurned <= least ? undefined : best
}

/** Three rows of the table of distances, allocated once: each call overwrites them. */
const rows = /* @__PURE__ */ [0, 1, 2].map(() => new Int32Array(mostCells))
/** The character codes of the candidate, overwritten like the rows. */
const codes = /* @__PURE__ */ new Int32Array(mostCells)

/** The edit distance, or `limit` when it is at least that. Cells far from the diagonal cannot matter and are left out. */
function edits(a: string, b: string, limit: number, budget: Budget): number {
  const { length } = b
  if (Math.abs(a.length - length) >= limit) return limit
  let [before, last, next] = rows as [Int32Array, Int32Array, Int32Array]
  for (let column = 0; column <= length; column++) last[column] = column
  for (let at = 0; at < length; at++) codes[at] = b.charCodeAt(at)
  // No name has U+0000.
  let previous = 0
  for (let row = 1; row <= a.length; row++) {
    const code = a.charCodeAt(row - 1)
    const from = Math.max(1, row - limit + 1)
    const to = Math.min(length, row + limit - 1)
    budget.left -= to - from + 1
    // Where the first columns are left out, the row is beyond the limit.
    let left = row
    next[from - 1] = left
    let nearest = left
    for (let column = from; column <= to; column++) {
      const other = codes[column - 1]!
      let least = last[column - 1]!
      if (code !== other) {
        least = 1 + Math.min(least, left, last[column]!)
        // No code comes before the first column.
        if (previous === other && code === codes[column - 2]) {
          least = Math.min(least, before[column - 2]! + 1)
        }
      }
      next[column] = left = least
      nearest = Math.min(nearest, least)
    }
    // No later row has a smaller distance. A swap adds one to the row before, which is smaller than this one by at most one.
    if (nearest >= limit) return limit
    next[to + 1] = limit
    previous = code
    ;[before, last, next] = [last, next, before]
  }
  return Math.min(limit, last[length]!)
}
