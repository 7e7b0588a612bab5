/**
 * What text means to every backend: case, order, days and moments. Imports nothing.
 */

/** Σ is lowered by hand below, which leaves `toLowerCase` no final-sigma rule to apply. */
const exceptions = /[İΣ]/
const lowerOf: Readonly<Record<string, string>> = { İ: 'i', Σ: 'σ' }

/**
 * Lower-cases a text code point by code point (the simple mappings of UnicodeData.txt): no locale, no
 * context, no change of length. `toLowerCase` maps alike but for two entries of SpecialCasing.txt:
 * `İ` becomes two code points, and a word-final `Σ` becomes `ς`.
 *
 * Register it with a database that lower-cases ASCII only, and case is ignored there as it is here: what is no
 * text, such as its NULL, stays as it is.
 *
 * @example simpleLowerCase('ΟΔΟΣ İ') // => 'οδοσ i'
 * @see https://www.unicode.org/reports/tr44/#Simple_Lowercase_Mapping
 */
export function simpleLowerCase(text: string): string
export function simpleLowerCase<T>(value: T): T
export function simpleLowerCase(text: unknown): unknown {
  if (typeof text !== 'string') return text
  return (exceptions.test(text) ? text.replace(/[İΣ]/g, (letter) => lowerOf[letter]!) : text).toLowerCase()
}

/** Capitals that `toUpperCase` does not lead to, by their small letter. */
const otherCapitals: ReadonlyMap<string, string> = new Map(
  Array.from(
    // The signs of Kelvin, Ångström and Ohm are escaped, for editors normalise them.
    '\u212a\u212b\u2126İϴẞǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ',
    (capital) => [simpleLowerCase(capital), capital],
  ),
)

/** Regular expressions that stand for the text itself: of ECMAScript without flags, and of PCRE2. */
export const escapePattern = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`))

/**
 * A regular expression for every text that is lower-cased to the one given. The flag `i` would fold case instead: it
 * joins `s` and `ſ`, and keeps `İ` from `i`.
 *
 * @param text lower-cased.
 */
export const anyCase = (text: string): string => Array.from(text, anyCaseOfLetter).join('')

function anyCaseOfLetter(letter: string): string {
  const upper = letter.toUpperCase()
  const forms = [letter]
  if (upper !== letter && simpleLowerCase(upper) === letter) forms.push(upper)
  if (otherCapitals.has(letter)) forms.push(otherCapitals.get(letter)!)
  if (forms.length === 1) return escapePattern(letter)
  // Beyond the BMP a class would see halves.
  return letter.length === 1 ? `[${forms.join('')}]` : `(?:${forms.join('|')})`
}

/**
 * Orders two texts by Unicode code point: negative, zero or positive. JavaScript's `<` orders by UTF-16
 * unit, which puts the astral planes (surrogates, D800–DFFF) before U+E000–U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) {
      const leftAstral = left >= 0xd800 && left <= 0xdfff
      const rightAstral = right >= 0xd800 && right <= 0xdfff
      return leftAstral === rightAstral ? left - right : leftAstral ? 1 : -1
    }
  }
  return a.length - b.length
}

/** Whether a text can be stored and sent everywhere: no lone surrogate, no U+0000 (PostgreSQL refuses it). */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a text is a real day, `YYYY-MM-DD`, of the years 0001 to 9999 (proleptic Gregorian, RFC 3339 full-date). */
export function isDay(text: string): boolean {
  return text.length === 10 && isDayAt(text)
}

function isDayAt(text: string): boolean {
  const year = number(text, 0, 4)
  const month = number(text, 5, 7)
  const day = number(text, 8, 10)
  if (!(year >= 1 && day >= 1) || text[4] !== '-' || text[7] !== '-') return false
  // Only the twelve months have days.
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= daysInMonth[month - 1]! + (leap ? 1 : 0)
}

/** The number that ASCII digits spell, NaN when another character is among them. */
function number(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return NaN
    value = value * 10 + digit
  }
  return value
}

const millisecondsOfDay = 86_400_000

/** The moment at which a day starts in UTC, as milliseconds since 1970. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

/** The day after, `undefined` after 9999-12-31. */
export function dayAfter(day: string): string | undefined {
  return day === '9999-12-31' ? undefined : utcDay(startOfDay(day) + millisecondsOfDay)
}

/** The day before, `undefined` before 0001-01-01. */
export function dayBefore(day: string): string | undefined {
  return day === '0001-01-01' ? undefined : utcDay(startOfDay(day) - millisecondsOfDay)
}

/** The UTC day of a moment, `YYYY-MM-DD` for the years 0000 to 9999. */
export function utcDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

// RFC 3339 section 5.6, without the leap second: no engine stores one.
const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-\d\d[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * The moment that an RFC 3339 text names, as milliseconds since 1970, further fraction digits cut off;
 * NaN for every other text.
 */
export function momentOf(text: string): number {
  // The year 0000 is no day of ours, but with an offset it may reach into the year 0001.
  if (!dateTime.test(text) || !(text.startsWith('0000') || isDayAt(text))) return NaN
  return Date.parse(text.toUpperCase())
}

/** The years of canonical text: 0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z. */
export const firstMoment = startOfDay('0001-01-01')
export const lastMoment = startOfDay('9999-12-31') + millisecondsOfDay - 1

/** The canonical UTC text of a moment, `YYYY-MM-DDTHH:mm:ss.sssZ`; `undefined` outside the years 0001 to 9999. */
export function canonicalDateTime(moment: number): string | undefined {
  return moment >= firstMoment && moment <= lastMoment ? new Date(moment).toISOString() : undefined
}

/** Whether a text is a datetime in canonical form, as literals and JSON columns hold it. */
export function isCanonicalDateTime(text: string): boolean {
  return text.length === 24 && text[10] === 'T' && text.endsWith('Z') && isDayAt(text) && !Number.isNaN(momentOf(text))
}
