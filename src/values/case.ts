/** Letters without regard to case, for every backend. */
import { escapePattern } from './characters.ts'

/** The letters that `toLowerCase` maps otherwise than the simple mappings do. */
const exceptions = /[İΣ]/
const lowerOf: Readonly<Record<string, string>> = { İ: 'i', Σ: 'σ' }

/**
 * Converts a text to lower case, code point by code point, by the simple mappings of UnicodeData.txt. The result does not depend on a
 * locale or on neighbouring letters, and has the same number of code points. `toLowerCase` differs for two letters: it converts `İ` to
 * two code points, and a `Σ` at the end of a word to `ς`.
 *
 * Register it as a function of a database that lower-cases only ASCII: then the database ignores case exactly as the other backends do.
 *
 * @param text the text. Any other value, for example NULL, is returned unchanged.
 * @returns the text in lower case.
 * @example simpleLowerCase('ΟΔΟΣ İ') // => 'οδοσ i'
 * @see https://www.unicode.org/reports/tr44/#Simple_Lowercase_Mapping
 */
export function simpleLowerCase(text: string): string
export function simpleLowerCase<T>(value: T): T
export function simpleLowerCase(text: unknown): unknown {
  if (typeof text !== 'string') return text
  return (exceptions.test(text) ? text.replace(/[İΣ]/g, (letter) => lowerOf[letter]!) : text).toLowerCase()
}

// The signs of Kelvin, Ångström and Ohm are escaped because editors normalise them.
const capitals = '\u212a\u212b\u2126İϴẞǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ'
let byLetter: ReadonlyMap<string, string> | undefined

/** The capital letter that `toUpperCase` never returns, of a small letter that has one. */
function otherCapital(letter: string): string | undefined {
  byLetter ??= new Map(Array.from(capitals, (capital) => [simpleLowerCase(capital), capital]))
  return byLetter.get(letter)
}

/** A regular expression for every text with this lower case. The flag `i` folds case: `ſ` matches `s`, and `İ` does not match `i`. */
export const anyCase = (text: string): string => Array.from(text, anyCaseOfLetter).join('')

/** A letter in lower case, and the letters whose lower case it is. */
export function casesOf(letter: string): readonly string[] {
  const upper = letter.toUpperCase()
  const forms = [letter]
  if (upper !== letter && simpleLowerCase(upper) === letter) forms.push(upper)
  const other = otherCapital(letter)
  if (other !== undefined) forms.push(other)
  return forms
}

function anyCaseOfLetter(letter: string): string {
  const forms = casesOf(letter)
  if (forms.length === 1) return escapePattern(letter)
  // A class would match half of a surrogate pair.
  return letter.length === 1 ? `[${forms.join('')}]` : `(?:${forms.join('|')})`
}
