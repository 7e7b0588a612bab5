/** Literal patterns, anchored; case is ignored as `simpleLowerCase` does it. */
import type { Match } from '../../ast/index.ts'
import { anyCase, simpleLowerCase } from '../../text/case.ts'
import { escapePattern } from '../../text/characters.ts'
import type { Operators } from './document.ts'

/**
 * Patterns are read up to 16,384 bytes by some releases, and are compiled into 65,536, of which a class takes up to 45
 * (PCRE2, LINK_SIZE 2). Texts of the language's own limit are within both, whatever their letters.
 */
const plainLength = 1_024
const maxPattern = 16_384
const classCost = 45

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/**
 * The operators for a text in a field of any case, or one of lower-cased text. Undefined where MongoDB may not read the pattern.
 *
 * MongoDB's `i` folds case: it joins `s` and `ſ`, and keeps `İ` from `i`; engines in JavaScript keep `k` from the Kelvin
 * sign. So it is used for texts whose letters are ASCII's others, and classes for the rest.
 */
export function matchOf({ mode, text }: Match, isLower: boolean): Operators | undefined {
  const lower = simpleLowerCase(text)
  const needsClasses = !isLower && !/^[^iks\u0080-\uffff]*$/.test(lower)
  const ignoresCase = !isLower && !needsClasses && /[a-z]/.test(lower)
  const pattern = needsClasses ? anyCase(lower) : escapePattern(lower)
  const cost = isLower || ignoresCase ? 3 : classCost
  if (text.length > plainLength && bytesOf(pattern) + cost * text.length > maxPattern) return undefined
  // PCRE2's `$` holds before a final line feed too.
  const $regex = mode === 'substring' ? pattern : mode === 'prefix' ? `^${pattern}` : `${pattern}(?![\\s\\S])`
  return ignoresCase ? { $regex, $options: 'i' } : { $regex }
}
