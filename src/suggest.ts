/** "Did you mean": the candidate nearest to a misspelt name. Imports nothing. */

/**
 * The candidate that takes the fewest edits (a character put in, left out, replaced, or two swapped; case
 * aside), at most about a third of the name's length; `undefined` when none is that near.
 *
 * @see https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance (optimal string alignment)
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined
  let best: string | undefined
  let least = Math.floor((name.length + 1) / 3) + 1
  for (const candidate of candidates) {
    const distance = edits(name.toLowerCase(), candidate.toLowerCase(), least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** The edit distance, or `limit` when it is that much or more. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let least = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + cost)
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, before[column - 2]! + 1)
      }
      next.push(least)
    }
    before = last
    last = next
  }
  return Math.min(limit, last[b.length]!)
}
