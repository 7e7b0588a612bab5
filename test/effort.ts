/**
 * How many layouts and random inputs a run tries. Every check runs either way. CI sets `FULL=1` and tries all of them;
 * without it, a developer waits seconds for the same checks on fewer inputs.
 */
export const isFull = process.env.FULL === '1'

/** The value for CI, or the value for a developer. */
export const byEffort = <T>(full: T, quick: T): T => (isFull ? full : quick)
