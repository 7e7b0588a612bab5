/** "Did you mean": the candidate nearest to a misspelt name. Imports nothing. */

/**
 * How much may still be compared, in cells of edit distances. Whoever asks for many suggestions shares one, so that
 * their cost is bounded together.
 */
export interface Budget {
  left: number
}

/** For the suggestions of one parse: some 0.1 ms, and enough for ten misspelt names among fifty fields, or one among a thousand. */
export const newBudget = (): Budget => ({ left: 20_000 })

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
    if (--budget.left < 0) return undefined
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
const rows = [0, 1, 2].map(() => new Int32Array(2 * longestName))
/** The character codes of the candidate. */
const codes = new Int32Array(2 * longestName)

/** The edit distance, or `limit` when it is that much or more. Cells further from the diagonal are left out. */
function edits(a: string, b: string, limit: number, budget: Budget): number {
  const { length } = b
  if (Math.abs(a.length - length) >= limit) return limit
  let [before, last, next] = rows as [Int32Array, Int32Array, Int32Array]
  for (let column = 0; column <= length; column++) last[column] = column
  for (let at = 0; at < length; at++) codes[at] = b.charCodeAt(at)
  let previous = -1
  for (let row = 1; row <= a.length; row++) {
    const code = a.charCodeAt(row - 1)
    const from = Math.max(1, row - limit + 1)
    const to = Math.min(length, row + limit - 1)
    budget.left -= to - from + 1
    let left = from === 1 ? row : limit
    next[from - 1] = left
    let nearest = left
    for (let column = from; column <= to; column++) {
      const other = codes[column - 1]!
      let least = last[column - 1]!
      if (code !== other) {
        least = 1 + Math.min(least, left, last[column]!)
        if (column > 1 && previous === other && code === codes[column - 2]!) {
          least = Math.min(least, before[column - 2]! + 1)
        }
      }
      next[column] = left = least
      if (least < nearest) nearest = least
    }
    // No later row is nearer: a swap adds one to the row before, which is nearer than this one by one at most.
    if (nearest >= limit) return limit
    if (to < length) next[to + 1] = limit
    previous = code
    ;[before, last, next] = [last, next, before]
  }
  return Math.min(limit, last[length]!)
}
