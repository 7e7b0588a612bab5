/** Literal patterns, anchored; case is ignored as `simpleLowerCase` does it. */
import type { Match } from '../../ast.ts'
import { simpleLowerCase } from '../../text.ts'
import type { Condition, Test } from './document.ts'

/** https://www.mongodb.com/docs/manual/reference/operator/query/regex/, in bytes */
export const maxPattern = 32_764

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

/** What a match asks of a text, or of one in small letters. Undefined where the pattern is longer than MongoDB reads. */
export function matchOf({ mode, text }: Match, lower: boolean): Test | undefined {
  const { pattern, options } = lower ? inSmallLetters(text) : caseless(text)
  if (pattern.length * 3 > maxPattern && new TextEncoder().encode(pattern).length >= maxPattern) return undefined
  if (mode === 'substring') return { is: regex(pattern, options) }
  if (mode === 'prefix') return { is: regex(`^${pattern}`, options) }
  const is = regex(`${pattern}$`, options)
  // PCRE2's `$` holds before a final line feed too. A lookahead would say so at once, but not every engine has it.
  let end = text.length
  while (text[end - 1] === '\n') end--
  return end === 0 ? { is } : { is, butNot: { $regex: `${escaped(text.slice(end))}\\n$` } }
}
