/** Bounds how many slow calls run at once, and how many wait. Imports nothing. */

/**
 * A gate for slow calls: at most `running` of them run at once, at most `waiting` more wait, first come, first served.
 * A call that throws, rejects or resolves leaves its place to the next. The gate counts within one process.
 *
 * @returns a function that runs a call, or gives `undefined` at once when no place is free.
 * @example
 * const admit = limitConcurrency(2, 16)
 * const answer = admit(() => hash(password)) ?? 'too many'
 */
export function limitConcurrency(
  running: number,
  waiting: number,
): <T>(call: () => T | Promise<T>) => Promise<T> | undefined {
  let free = running
  const queue: (() => void)[] = []

  async function run<T>(call: () => T | Promise<T>): Promise<T> {
    if (free > 0) free--
    else await new Promise<void>((start) => queue.push(start))
    try {
      return await call()
    } finally {
      // The place goes to the next in the queue directly, so that no later call gets in between.
      const next = queue.shift()
      if (next === undefined) free++
      else next()
    }
  }

  return (call) => (free === 0 && queue.length >= waiting ? undefined : run(call))
}
