/** Text matches as regular expressions, which ignore case as `simpleLowerCase` does, or compare it. */
import { isExact, type Match, type MatchMode } from '../../tree/index.ts'
import { anyCase, simpleLowerCase } from '../../values/case.ts'
import { escapePattern } from '../../values/characters.ts'
import type { Operators } from './document.ts'

/** Some releases read patterns of 16,384 bytes, compiled into 65,536, of which a class uses 45 (PCRE2): a text of the usual limit fits. */
const plainLength = 1_024
const maxPattern = 16_384
const classCost = 45

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/**
 * The operators for a text in a field of any case, or one of lower-cased text. Undefined where MongoDB may not read the pattern.
 *
 * MongoDB's `i` folds case: `s` equals `ſ`, and `İ` does not equal `i`; in engines in JavaScript `k` does not equal the Kelvin
 * sign. So texts with one of these letters, or a letter outside ASCII, get classes.
 */
export function matchOf({ mode, text }: Match, isLower: boolean): Operators | undefined {
  const needle = isExact(mode) ? text : simpleLowerCase(text)
  const hasOneCase = isLower || isExact(mode)
  const needsClasses = !hasOneCase && !/^[^iks\u0080-\uffff]*$/.test(needle)
  const ignoresCase = !hasOneCase && !needsClasses && /[a-z]/.test(needle)
  if (mode === 'whole' && !needsClasses && !ignoresCase) return { $eq: needle }
  const pattern = needsClasses ? anyCase(needle) : escapePattern(needle)
  const cost = hasOneCase || ignoresCase ? 3 : classCost
  if (text.length > plainLength && bytesOf(pattern) + cost * text.length > maxPattern) return undefined
  const [before, after] = around[mode]
  const $regex = before + pattern + after
  return ignoresCase ? { $regex, $options: 'i' } : { $regex }
}

/** The end of a text. PCRE2's `$` matches before a final line feed too. */
const end = '(?![\\s\\S])'
const around: { readonly [M in MatchMode]: readonly [before: string, after: string] } = {
  prefix: ['^', ''],
  suffix: ['', end],
  substring: ['', ''],
  whole: ['^', end],
  prefixExact: ['^', ''],
  suffixExact: ['', end],
  substringExact: ['', ''],
}
