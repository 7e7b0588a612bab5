/** Checks of option objects: a misspelt name must not pass for none. */
import { nearest } from './suggest.ts'

/**
 * Refuses options that nobody reads.
 *
 * @param argument what the caller calls the object, for the message.
 * @throws TypeError that names the option, and the one that was probably meant.
 */
export function checkOptions(options: unknown, argument: string, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${argument} must be an object`)
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const near = nearest(unknown, known)
  const meant = near === undefined ? '' : `; did you mean ${near}?`
  throw new TypeError(`${argument}.${unknown} is unknown${meant} (there are ${known.join(', ')})`)
}
