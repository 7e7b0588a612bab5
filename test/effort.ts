/**
 * How much the tests ask. Every check runs in either case. Without `FULL=1`, engines that are slow are asked in fewer
 * layouts, and random tests draw less; CI sets it.
 */
export const isFull = process.env.FULL === '1'

/** The one for CI, or the one for a run of a few minutes. */
export const byEffort = <T>(full: T, quick: T): T => (isFull ? full : quick)
