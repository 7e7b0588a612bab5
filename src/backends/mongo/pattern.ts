/** Literal patterns, anchored; case is ignored as `simpleLowerCase` does it. */
import type { Match } from '../../ast.ts'
import { simpleLowerCase } from '../../text.ts'
import type { Condition } from './document.ts'

/**
 * Patterns are read up to 16,384 bytes by some releases, and are compiled into 65,536, of which a class takes up to 45
 * (PCRE2, LINK_SIZE 2). Texts of the language's own limit are within both, whatever their letters.
 */
const plainLength = 1_024
const maxPattern = 16_384
const classCost = 45

const escaped = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`))

/** Capitals that `toUpperCase` does not lead to, by their small letter. */
const otherCapitals: ReadonlyMap<string, string> = new Map(
  Array.from(
    // The signs of Kelvin, Ångström and Ohm are escaped, for editors normalise them.
    '\u212a\u212b\u2126İϴẞǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ',
    (capital) => [simpleLowerCase(capital), capital],
  ),
)

/** A pattern for a letter and its capitals. Beyond the BMP a class would see halves, in JavaScript. */
function anyCase(letter: string): string {
  const upper = letter.toUpperCase()
  const forms = [letter]
  if (upper !== letter && simpleLowerCase(upper) === letter) forms.push(upper)
  if (otherCapitals.has(letter)) forms.push(otherCapitals.get(letter)!)
  if (forms.length === 1) return escaped(letter)
  return letter.length === 1 ? `[${forms.join('')}]` : `(?:${forms.join('|')})`
}

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
  if (!/^[^iks\u0080-\uffff]*$/.test(lower)) return { pattern: Array.from(lower, anyCase).join(''), options: '' }
  return { pattern: escaped(lower), options: /[a-z]/.test(lower) ? 'i' : '' }
}

const inSmallLetters = (text: string): Pattern => ({ pattern: escaped(simpleLowerCase(text)), options: '' })

const regex = (pattern: string, options: '' | 'i'): Condition =>
  options === '' ? { $regex: pattern } : { $regex: pattern, $options: options }

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Undefined where MongoDB may not read the pattern. */
export function matchOf({ mode, text }: Match, lower: boolean): Condition | undefined {
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
