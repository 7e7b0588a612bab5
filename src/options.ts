/** Checks of option objects: a misspelt option must not be ignored. */
import { ownOf, refuseArgument } from './own.ts'

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
    refuseArgument(`${argument} must be an object`)
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return ownOf(options)
  const near = names.find((name) => isSlip(unknown.toLowerCase(), name.toLowerCase()))
  const suggestion = near === undefined ? '' : `; did you mean ${near}?`
  refuseArgument(`${argument}.${unknown} is unknown${suggestion} (available: ${names.join(', ')})`)
}

/**
 * Compares two names: they begin with the same letter, and differ by at most two letters in one place. A negation, for example `un`, changes
 * the first letter. Every front-end loads this function. `suggest.ts` compares better, but adds 0.8 kB to a front-end.
 */
function isSlip(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  const isSwap = left.length === 2 && left === right[1]! + right[0]!
  return start > 0 && (left.length + right.length <= 2 || isSwap)
}
