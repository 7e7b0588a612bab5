/** How much text is read. A limit is always an issue, never a truncation. */
import type { Issue } from './issue.ts'

export interface Limits {
  /** Length of the text, in UTF-16 units. */
  readonly length: number
  /** Pairs in the text; reserved ones count, empty ones do not. */
  readonly pairs: number
  /** Items in the list of `in`, `nin` and `range`. */
  readonly list: number
  /** Names in a path. */
  readonly depth: number
  /** Length of one decoded operand, in UTF-16 units. */
  readonly operand: number
  /** Issues reported, at least one. */
  readonly issues: number
}

/** Room for every query that fits into the URL of an ordinary server. */
export const defaultLimits: Limits = Object.freeze({
  length: 16_384,
  pairs: 100,
  list: 500,
  depth: 8,
  operand: 1_024,
  issues: 20,
})

/**
 * The defaults with those of `limits` in their place. `Infinity` lifts a limit.
 *
 * @throws TypeError when one is unknown or no whole number.
 */
export function checkLimits(limits?: Partial<Limits>): Limits {
  if (limits === undefined) return defaultLimits
  const result: Record<string, number> = { ...defaultLimits }
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name)) throw new TypeError(`limits.${name} is no limit`)
    if (value === undefined) continue
    const least = name === 'issues' ? 1 : 0
    if (!(value >= least && (Number.isInteger(value) || value === Infinity))) {
      throw new TypeError(`limits.${name} must be a whole number of at least ${least}, or Infinity`)
    }
    result[name] = value
  }
  return result as unknown as Limits
}

/** Checked before anything else, and reported alone: the text beyond is not read. */
export function lengthIssue(text: string, limit: number): Issue | undefined {
  if (text.length <= limit) return undefined
  return {
    code: 'limit_length',
    message: `the query has ${text.length} characters, at most ${limit} are read`,
    span: { start: limit, end: text.length },
  }
}

/** Checked before parsing, and reported alone. */
export function pairsIssue(text: string, limit: number): Issue | undefined {
  let pairs = 0
  for (let start = text.startsWith('?') ? 1 : 0; start < text.length;) {
    const found = text.indexOf('&', start)
    const end = found < 0 ? text.length : found
    if (end > start && ++pairs > limit) {
      return {
        code: 'limit_pairs',
        message: `the query has more than ${limit} conditions`,
        span: { start, end: text.length },
      }
    }
    start = end + 1
  }
  return undefined
}
