/**
 * How much the tests ask. Every check runs in either case. Without `FULL=1`, engines that are slow are asked in fewer
 * layouts, and random tests draw less; CI sets it. `LEAST=1` is for `npm run mutation`, which asks them hundreds of times.
 */
export const isFull = process.env.FULL === '1'
const isLeast = process.env.LEAST === '1'

/** The one for CI, the one for a run of a few minutes, or the one for changes of the code. */
export const byEffort = <T>(full: T, quick: T, least = quick): T => (isFull ? full : isLeast ? least : quick)
