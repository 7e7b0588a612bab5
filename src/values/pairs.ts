/** Cuts the text of a query into pairs: the only place that does. Imports nothing. */

/** A pair before it is parsed: `start` to `equals` is its key, and the text after the first `=` is its value. */
export interface RawPair {
  readonly start: number
  /** Where its first `=` is; `end` without one. */
  readonly equals: number
  readonly end: number
}

/** Cuts a text at each raw `&`, from an offset on. Empty pairs are left out. */
export function cutPairs(text: string, from: number): readonly RawPair[] {
  const pairs: RawPair[] = []
  // One search for each "=", however many pairs have none: the time stays linear.
  let nextEquals = -1
  for (let start = from, end; start < text.length; start = end + 1) {
    const ampersand = text.indexOf('&', start)
    end = ampersand < 0 ? text.length : ampersand
    if (nextEquals < start) {
      nextEquals = text.indexOf('=', start)
      if (nextEquals < 0) nextEquals = text.length
    }
    if (end > start) pairs.push({ start, equals: Math.min(nextEquals, end), end })
  }
  return pairs
}

/** Where the pairs of a text begin: after a leading `?`. */
export const startOfPairs = (text: string): number => (text.startsWith('?') ? 1 : 0)
