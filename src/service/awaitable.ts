/** Values that may come later. A promise costs half a µs, so a value that is there is passed on at once. Imports nothing. */

export type Awaitable<T> = T | Promise<T>

/** Passes a value on, or that of a promise. */
export const after = <T, R>(
  value: Awaitable<T>,
  next: (value: T) => R,
  failed?: (error: unknown) => R,
): Awaitable<R> => (isPromise(value) ? value.then(next, failed) : next(value))

/** Whether `await` waits for a value. */
const isPromise = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Promise<T>>).then === 'function'
