/** One object for all equal short texts, as V8 interns those of JSON.parse: they compare by identity, in a third of the time. */
import { boundedCache } from '../../cache.ts'

/** V8 interns texts of JSON up to this length. */
const longest = 10
/** The texts that were met last, as JSON.parse makes them; '' for one that was met once. */
const texts = /* @__PURE__ */ boundedCache<string, string>(1_024)

/** Whether equal values are one object, or one number. */
export const isInternable = (value: unknown): boolean => typeof value !== 'string' || value.length <= longest

/**
 * @param isAtOnce whether to intern a text that was never met: that pays from some hundred rows on.
 * @returns the value, or an equal text.
 */
export function interned<V>(value: V, isAtOnce = true): V | string {
  if (typeof value !== 'string' || value.length > longest) return value
  const before = texts.get(value)
  if (before) return before
  const text = isAtOnce || before === '' ? (JSON.parse(JSON.stringify(value)) as string) : ''
  texts.set(value, text)
  return text || value
}
