/** How much text is read. A text beyond a limit gives an issue: nothing is cut off. */
import type { Finding } from '../issue/index.ts'
import { checkOptions } from '../options.ts'

/** How much a query may contain. Text beyond a limit is an issue: the parser never drops it silently. */
export interface Limits {
  /** Length of the text, in UTF-16 units. A longer text gives `limit_length`. */
  readonly length: number
  /** Number of pairs. Reserved pairs count, empty ones do not. A group counts as the conditions in it. More pairs give `limit_pairs`. */
  readonly pairs: number
  /**
   * Number of items in the list of `in`, `nin` and `range`. More items give `limit_list`, and the parser does not read them. A day in a
   * list of datetimes becomes three nodes of the filter: `maxFilterNodes` counts them.
   */
  readonly list: number
  /**
   * Number of searches: conditions for which the database compares the text, or reads the entries, of every row. These are `atLeast`,
   * `atMost`, `contains`, `doesNotContain`, `endsWith` and the like, `startsWith` inside lists, and in groups each condition on a list.
   * A search counts once for the page and once for each facet. The words of the parameter `search` do not count. More searches give
   * `limit_searches`.
   */
  readonly searches: number
  /** Number of paths in `facets`: each facet reads the rows again. More paths give `limit_facets`. */
  readonly facets: number
  /** Number of names in a path. More names give `limit_depth`. So do groups that nest deeper than 8 levels: no option changes that. */
  readonly depth: number
  /** Length of a decoded value, or of a decoded item of a list, in UTF-16 units. A longer value gives `limit_operand`. */
  readonly operand: number
  /** Number of issues that are reported, at least 1. When there are more, the last one is `limit_issues`. */
  readonly issues: number
}

/**
 * The default limits: 16,384 characters, 100 pairs, 500 items in a list, 10 searches, 5 facets, 8 names in a path, 1,024 characters in a
 * value, 20 issues.
 */
export const defaultLimits: Limits = /* @__PURE__ */ Object.freeze({
  length: 16_384,
  pairs: 100,
  list: 500,
  searches: 10,
  facets: 5,
  depth: 8,
  operand: 1_024,
  issues: 20,
})

/** Replaces some of the default limits. `Infinity` removes a limit. @throws TypeError for an unknown limit, or one that is not a whole number. */
export function checkLimits(limits?: Partial<Limits>): Limits {
  if (limits === undefined || limits === defaultLimits) return defaultLimits
  checkOptions(limits, 'limits', Object.keys(defaultLimits))
  const entries = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [name, value] of entries) {
    const least = name === 'issues' ? 1 : 0
    if (!(value >= least && (Number.isInteger(value) || value === Infinity))) {
      throw new TypeError(`limits.${name} must be a whole number of at least ${least}, or Infinity`)
    }
  }
  return { ...defaultLimits, ...Object.fromEntries(entries) }
}

/** How many groups may be inside one another. Not an option, because reading and printing recurse. */
export const deepestGroup = 8

/** Checked before the text is read, and reported alone. */
export function lengthFinding(length: number, limit: number): Finding | undefined {
  if (length <= limit) return undefined
  return {
    code: 'limit_length',
    span: { start: limit, end: length },
    parameters: { found: length, isExact: true, limit },
  }
}

/** Reported alone, too. @param start where the first pair or condition of a group is that is too many. */
export const pairsFinding = (text: string, limit: number, start: number): Finding => ({
  code: 'limit_pairs',
  span: { start, end: text.length },
  parameters: { limit },
})
