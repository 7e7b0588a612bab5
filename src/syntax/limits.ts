/** How much text is read. A limit is always an issue, never a truncation. */
import type { Finding } from '../issue/index.ts'
import { checkOptions } from '../options.ts'

export interface Limits {
  /** Length of the text, in UTF-16 units. */
  readonly length: number
  /** Pairs in the text; reserved ones count, empty ones do not. */
  readonly pairs: number
  /** Items in the list of `in`, `nin` and `range`. Days in a list of datetimes are three nodes each: see `maxFilterNodes`. */
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
  checkOptions(limits, 'limits', Object.keys(defaultLimits))
  const given = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    const least = name === 'issues' ? 1 : 0
    if (!(value >= least && (Number.isInteger(value) || value === Infinity))) {
      throw new TypeError(`limits.${name} must be a whole number of at least ${least}, or Infinity`)
    }
  }
  return { ...defaultLimits, ...Object.fromEntries(given) }
}

/** Checked before anything else, and reported alone: the text beyond is not read. */
export function lengthFinding(text: string, limit: number): Finding | undefined {
  if (text.length <= limit) return undefined
  return {
    code: 'limit_length',
    span: { start: limit, end: text.length },
    tell: () => ({ message: `query too long: ${text.length} characters, limit ${limit}` }),
  }
}

/** Reported alone. */
export function pairsFinding(text: string, limit: number): Finding | undefined {
  // Each pair but the last takes two characters at least.
  if (text.length < 2 * limit) return undefined
  let pairs = 0
  for (let start = text.startsWith('?') ? 1 : 0; start < text.length;) {
    const found = text.indexOf('&', start)
    const end = found < 0 ? text.length : found
    if (end > start && ++pairs > limit) {
      return {
        code: 'limit_pairs',
        span: { start, end: text.length },
        tell: () => ({ message: `too many pairs: limit ${limit}` }),
      }
    }
    start = end + 1
  }
  return undefined
}
