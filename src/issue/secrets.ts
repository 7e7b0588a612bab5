/** The pieces of a text that messages and pictures may show: no reserved values, and no character that fakes a line. */
import { unicodePattern } from '../values/characters.ts'

// Control and format characters (bidirectional overrides included), lone surrogates, line and paragraph separators: in a
// terminal or a log they would move, hide or fake the text around them.
const unprintable = /* @__PURE__ */ unicodePattern('[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]', 'g')

/** The text with its unprintable characters escaped as `\u{…}`. */
export function printable(text: string): string {
  // Most names contain only ASCII, and this test is faster than a test of Unicode categories.
  if (/^[ -~]*$/.test(text)) return text
  return text.replace(unprintable(), (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

/** A name from a query as issues have it: printable, and cut after 64 characters. */
export function shownName(name: string): string {
  if (name.length <= 64) return printable(name)
  const characters = Array.from(name)
  return printable(characters.slice(0, 64).join('')) + (characters.length > 64 ? '…' : '')
}
export const quoteName = (name: string): string => `"${shownName(name)}"`

/**
 * Where the part of a text begins that must not be shown, because it may be the value of a reserved pair that was misspelt
 * or is in a wrong place. It begins behind a reserved name. Its letters are in any case, with marks between them or
 * without (`api_key` is `apiKey`), and escaped up to three times. Inside a longer word it is another name: `myapikeys`.
 * So it is at the end of one that ends the text.
 *
 * @returns the smallest such offset; 0 when all of the text may be shown.
 */
export function secretStart(text: string, reserved: readonly string[]): number {
  if (reserved.length === 0) return 0
  const patterns = reserved.map(patternOf)
  let least = 0
  // Decoding makes no text longer: an offset in the decoded text is not behind the same place of the raw one.
  for (let form = text, left = 3; ; left--) {
    for (const pattern of patterns) {
      const end = endOfName(form, pattern)
      if (end > 0) least = Math.min(end, least || end)
    }
    const next = left > 0 ? decoded(form) : form
    if (next === form) return least
    form = next
  }
}

/** The characters between the letters of a name. */
const marks = /[\s_.+[\]-]/gu
const markForms = '(?:[\\s_.+[\\]-]|%(?:25)*(?:2[0bde]|5[bdf]))*'

function patternOf(name: string): RegExp {
  const letters = Array.from(name.replace(marks, '') || name, (letter) => letter.replace(/[$()*+./?[\\\]^{|}]/, '\\$&'))
  // Quadratic, where the name begins like the end of an escape (`debug`): the text has at most `limits.length` characters.
  return new RegExp(letters.join(markForms), 'giu')
}

/** The end of the first name that is a whole word on one side; 0 without one. */
function endOfName(text: string, pattern: RegExp): number {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: name, index } = match
    const end = index + name.length
    // At the end of the text, nothing follows a longer word.
    if (!isWordBefore(text, index) || (end < text.length && !wordAt().test(text.slice(end, end + 2)))) return end
    // Another one may begin in this one.
    pattern.lastIndex = index + (name.codePointAt(0)! > 0xffff ? 2 : 1)
  }
  return 0
}
const wordAt = /* @__PURE__ */ unicodePattern('^[\\p{L}\\p{N}]')
const wordEnd = /* @__PURE__ */ unicodePattern('[\\p{L}\\p{N}]$')

/** Whether a word continues at an offset. The beginning of an escape that includes the next letter does not count. */
function isWordBefore(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at)
  return wordEnd().test(before) && !/%[\da-f]$/i.test(before)
}

/** How many characters of a pair may be shown. `equals` is the place of its first `=`. The path of a known field has no reserved name. */
export function shownLength(pair: string, equals: number, reserved: readonly string[], isKnown: boolean): number {
  if (reserved.includes(decoded(pair.slice(0, equals)))) return Math.min(equals + 1, pair.length)
  const from = isKnown ? /^(?:(?!%5b)[^[=])*/i.exec(pair)![0].length : 0
  const start = secretStart(pair.slice(from), reserved)
  return start === 0 ? pair.length : from + start
}

/** The text decoded. Escapes that cannot be decoded are kept as they are. */
function decoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}
