/** Checks of option objects: a misspelt option must not be ignored. */
import { ownOf } from './own.ts'
import { nearestBy } from './near.ts'

/** A negation is another first letter. Without the table of words that turn a name, a front-end is 0.8 kB smaller. */
const turns = /* @__PURE__ */ Object.freeze({
  isTurned: (name: string, candidate: string) => name[0]?.toLowerCase() !== candidate[0],
  areOpposed: () => false,
})

/**
 * Refuses an object with an option that does not exist.
 *
 * @param argument the name of the object, for the message.
 * @param names the options that exist.
 * @returns a copy that has the options themselves, and inherits none: read them from it.
 * @throws TypeError that names the unknown option, and a known one with a similar name.
 */
export function checkOptions<T extends object>(options: T, argument: string, names: readonly string[]): T {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${argument} must be an object`)
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return ownOf(options)
  const near = nearestBy(turns, unknown, names)
  const suggestion = near === undefined ? '' : `; did you mean ${near}?`
  throw new TypeError(`${argument}.${unknown} is unknown${suggestion} (available: ${names.join(', ')})`)
}
