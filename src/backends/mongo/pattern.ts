/** Literal patterns, anchored; case is ignored as `simpleLowerCase` does it. */
import type { Match } from '../../ast/index.ts'
import { anyCase, escapePattern, simpleLowerCase } from '../../text.ts'
import type { Operators } from './document.ts'

/**
 * Patterns are read up to 16,384 bytes by some releases, and are compiled into 65,536, of which a class takes up to 45
 * (PCRE2, LINK_SIZE 2). Texts of the language's own limit are within both, whatever their letters.
 */
const plainLength = 1_024
const maxPattern = 16_384
const classCost = 45

interface Pattern {
  readonly pattern: string
  readonly options: '' | 'i'
}

/**
 * MongoDB's `i` folds case: it joins `s` and `ſ`, and keeps `İ` from `i`; engines in JavaScript keep `k` from the Kelvin
 * sign. So it is used for texts whose letters are ASCII's others, and classes for the rest.
 */
function caseless(text: string): Pattern {
  const lower = simpleLowerCase(text)
  if (!/^[^iks\u0080-\uffff]*$/.test(lower)) return { pattern: anyCase(lower), options: '' }
  return { pattern: escapePattern(lower), options: /[a-z]/.test(lower) ? 'i' : '' }
}

const inSmallLetters = (text: string): Pattern => ({ pattern: escapePattern(simpleLowerCase(text)), options: '' })

const regex = (pattern: string, options: '' | 'i'): Operators =>
  options === '' ? { $regex: pattern } : { $regex: pattern, $options: options }

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Undefined where MongoDB may not read the pattern. */
export function matchOf({ mode, text }: Match, lower: boolean): Operators | undefined {
  const { pattern, options } = lower ? inSmallLetters(text) : caseless(text)
  if (
    text.length > plainLength &&
    bytesOf(pattern) + (options === 'i' || lower ? 3 : classCost) * text.length > maxPattern
  ) {
    return undefined
  }
  if (mode === 'substring') return regex(pattern, options)
  // PCRE2's `$` holds before a final line feed too.
  return regex(mode === 'prefix' ? `^${pattern}` : `${pattern}(?![\\s\\S])`, options)
}
