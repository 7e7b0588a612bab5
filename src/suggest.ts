/** "Did you mean": the candidate nearest to a misspelt name. Imports nothing. */

/**
 * How much may still be compared, in cells of edit distances. Whoever asks for many suggestions shares one, so that
 * their cost is bounded together.
 */
export interface Budget {
  left: number
}

/** The suggestions of one parse: a quarter of a millisecond at most, and enough for twenty typing errors in fifty names. */
export const newBudget = (): Budget => ({ left: 50_000 })

/** What it takes to look at a candidate at all. */
const lookCost = 4

const longestName = 64

/**
 * The candidate that takes the fewest edits (a character put in, left out, replaced, or two swapped; case
 * aside), at most about a third of the name's length; `undefined` when none is that near, or when the budget ends
 * before all of them are compared.
 *
 * @param prefers which of two candidates that are equally near: one of those for which it is true, else the first.
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
  let least = Math.floor((name.length + 1) / 3) + 1
  for (const candidate of candidates) {
    budget.left -= lookCost
    if (budget.left < 0) return undefined
    const preferred = prefers(candidate)
    const limit = preferred && !isPreferred ? least + 1 : least
    const distance = edits(lowered, candidate.toLowerCase(), limit, budget)
    if (distance >= limit) continue
    least = distance
    best = candidate
    isPreferred = preferred
  }
  return best
}

/** Three rows of the table of distances, the last one at the end; used by one call after the other. */
const rows = [0, 1, 2].map(() => new Uint8Array(2 * longestName))

/** The edit distance, or `limit` when it is that much or more. Cells that are further from the diagonal are left out. */
function edits(a: string, b: string, limit: number, budget: Budget): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let [before, last, next] = rows as [Uint8Array, Uint8Array, Uint8Array]
  for (let column = 0; column <= b.length; column++) last[column] = column
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - limit + 1)
    const to = Math.min(b.length, row + limit - 1)
    budget.left -= to - from + 1
    next[from - 1] = from === 1 ? row : limit
    let nearest = next[from - 1]!
    for (let column = from; column <= to; column++) {
      const cost = a.charCodeAt(row - 1) === b.charCodeAt(column - 1) ? 0 : 1
      let least = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + cost)
      if (
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
      ) {
        least = Math.min(least, before[column - 2]! + 1)
      }
      next[column] = least
      nearest = Math.min(nearest, least)
    }
    // No later row is nearer: a swap adds one to the row before, which is nearer than this one by one at most.
    if (nearest >= limit) return limit
    if (to < b.length) next[to + 1] = limit
    ;[before, last, next] = [last, next, before]
  }
  return Math.min(limit, last[b.length]!)
}
