/** Bounds how many slow calls run at once, how many wait, and how many requests of a caller run. */
import { checkOptions } from '../options.ts'

/**
 * A gate for slow calls: at most `running` of them run at once, at most `waiting` more wait, first come, first served.
 * A call that throws, rejects or resolves leaves its place to the next. The gate counts within one process.
 *
 * @returns a function that runs a call, or gives `undefined` at once when no place is free. A waiting call leaves the queue when its
 *   signal aborts: it never runs, and its promise rejects with the reason of the signal.
 * @example
 * const admit = limitConcurrency(2, 16)
 * const answer = admit(() => hash(password), request.signal) ?? 'too many'
 */
export function limitConcurrency(
  running: number,
  waiting: number,
): <T>(call: () => T | Promise<T>, signal?: AbortSignal | null) => Promise<T> | undefined {
  let free = running
  const queue: (() => void)[] = []

  const turn = (signal: AbortSignal | null | undefined) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(start), 1)
        reject(signal!.reason as Error)
      }
      queue.push(start)
      signal?.addEventListener('abort', leave, { once: true })
    })

  async function run<T>(call: () => T | Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
    signal?.throwIfAborted()
    if (free > 0) free--
    else await turn(signal)
    try {
      // Between its turn and this line, the signal may abort.
      signal?.throwIfAborted()
      return await call()
    } finally {
      // The place goes to the next in the queue directly, so that no later call gets in between.
      const next = queue.shift()
      if (next === undefined) free++
      else next()
    }
  }

  return (call, signal) => (free === 0 && queue.length >= waiting ? undefined : run(call, signal))
}

/** The most requests of a caller that run at once. */
export interface ConcurrencyOptions<Principal extends object> {
  readonly max: number
  /** Names the caller whose requests count together. */
  readonly key: (principal: Principal) => string
}

/** @throws TypeError that names the wrong option. */
export function checkConcurrency<Principal extends object>(
  concurrency: ConcurrencyOptions<Principal> | undefined,
): ConcurrencyOptions<Principal> | undefined {
  if (concurrency === undefined) return undefined
  const { max, key } = checkOptions(concurrency, 'concurrency', ['max', 'key'])
  if (!Number.isSafeInteger(max) || max < 1) throw new TypeError('concurrency.max must be a whole number of at least 1')
  if (typeof key !== 'function') throw new TypeError('concurrency.key must be a function')
  return { max, key }
}

/**
 * A gate for each caller: at most `max` requests of a key run at once. It keeps a number for each key with a request.
 *
 * @returns a function that admits a request, and returns the function that ends it; `undefined` where no place is free.
 */
export function limitByKey(max: number): (key: string) => (() => void) | undefined {
  const running = new Map<string, number>()
  return (key) => {
    const before = running.get(key) ?? 0
    if (before >= max) return undefined
    running.set(key, before + 1)
    return () => {
      const left = running.get(key)! - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
}
