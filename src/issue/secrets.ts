/** What of a text may be shown in messages and pictures: nothing of reserved values, and no character that fakes a line. */
import { simpleLowerCase, unicodePattern } from '../text.ts'

// Control and format characters (bidirectional overrides included), lone surrogates, line and paragraph separators: in a
// terminal or a log they would move, hide or fake the text around them.
const unprintable = /* @__PURE__ */ unicodePattern('[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]', 'g')

/** The text with its unprintable characters escaped as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(unprintable(), (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

/** A name from a query, quoted for a message: printable, and cut after 64 characters. */
export function quoteName(name: string): string {
  const characters = Array.from(name)
  return `"${printable(characters.slice(0, 64).join(''))}${characters.length > 64 ? '…' : ''}"`
}

/**
 * Where the part of a text begins that must not be shown, because it may be the value of a reserved pair that was
 * misspelt. It begins behind a reserved name, in any case of letters, with which the text begins (`apiKey[x]`,
 * `apikey%3Dx`), or which is a word of its own on one side (`seller%3Dx%26apiKey%3Dx`).
 *
 * @param raw the text as it was sent: a name is also found where decoding would tear it apart.
 * @returns the smallest such offset; 0 when all of the text may be shown.
 */
export function secretStart(raw: string, decoded: string, reserved: readonly string[]): number {
  let least = 0
  // `toLowerCase` would make two letters of one, and the offset that of a later letter.
  for (const text of [simpleLowerCase(raw), simpleLowerCase(decoded)]) {
    for (const name of reserved.map((one) => simpleLowerCase(one))) {
      for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
        const end = at + name.length
        const alone =
          at === 0 || mayEnd().test(text.slice(Math.max(0, at - 2), at)) || mayBegin().test(text.slice(end, end + 2))
        if (alone) least = Math.min(end, least || end)
      }
    }
  }
  return least
}
// What may come before a name that is a word of its own: anything but a letter or the like, or the beginning of an escape
// that takes in the name's first letter.
const mayEnd = /* @__PURE__ */ unicodePattern('(?:[^\\p{L}\\p{N}_.[\\]-]|%[\\da-f])$')
const mayBegin = /* @__PURE__ */ unicodePattern('^[^\\p{L}\\p{N}_-]')

/**
 * How many characters of a pair may be shown.
 *
 * @param isKnown whether the pair names a field of the schema. Then all of it is shown, unless the name is reserved too.
 */
export function shownLength(pair: string, reserved: readonly string[], isKnown: boolean): number {
  const equals = pair.indexOf('=') < 0 ? pair.length : pair.indexOf('=')
  const raw = pair.slice(0, equals)
  const key = decoded(raw)
  if (reserved.includes(key)) return Math.min(equals + 1, pair.length)
  // A group has names of its own.
  if (/^=(?:\(|%28)/.test(pair.slice(equals))) return secretStart(pair, decoded(pair), reserved) || pair.length
  return isKnown ? pair.length : secretStart(raw, key, reserved) || pair.length
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
