/** Days, moments and times of day as texts, for every backend. Imports nothing. */

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a text is an existing day, `YYYY-MM-DD`, of the years 0001 to 9999 (proleptic Gregorian, RFC 3339 full-date). */
export const isDay = (text: string): boolean => dayNumber(text) > 0

/** The digits of a day as one number, 20240131; 0 for a text that {@link isDay} refuses. */
export function dayNumber(text: string): number {
  return text.length === 10 ? dayNumberAt(text) : 0
}

function dayNumberAt(text: string): number {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (!(year >= 1 && day >= 1) || text[4] !== '-' || text[7] !== '-') return 0
  // Only the twelve months have days.
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= daysInMonth[month - 1]! + (leap ? 1 : 0) ? (year * 100 + month) * 100 + day : 0
}

/** The number that two ASCII digits spell; NaN for other characters. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}

const millisecondsOfDay = 86_400_000

/** The start of a day in UTC, in milliseconds since 1970. A text without a time of day is UTC to `Date.parse`. */
export function startOfDay(day: string): number {
  return Date.parse(day)
}

/** The next day; `undefined` for 9999-12-31. */
export function dayAfter(day: string): string | undefined {
  return day === '9999-12-31' ? undefined : utcDay(startOfDay(day) + millisecondsOfDay)
}

/** The previous day; `undefined` for 0001-01-01. */
export function dayBefore(day: string): string | undefined {
  return day === '0001-01-01' ? undefined : utcDay(startOfDay(day) - millisecondsOfDay)
}

/** The UTC day of a moment, `YYYY-MM-DD` for the years 0000 to 9999. */
export function utcDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

// RFC 3339, section 5.6, without leap seconds: no database stores them.
const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-\d\d[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Whether a text is an RFC 3339 datetime. */
export const isDateTime = (text: string): boolean =>
  // The language has no day of the year 0000. With an offset, a moment of that day may be in the year 0001.
  dateTime.test(text) && (text.startsWith('0000') || dayNumberAt(text) > 0)

/** The moment of an RFC 3339 text, in milliseconds since 1970; NaN for every other text. Finer digits are cut off. */
export const momentOf = (text: string): number => (isDateTime(text) ? Date.parse(text.toUpperCase()) : NaN)

/** The microseconds of an RFC 3339 text after its millisecond, 0 to 999. Finer digits are cut off. */
export function microsOf(text: string): number {
  // The fraction begins at the twentieth character. Most texts have no fourth digit in it.
  if (text[19] !== '.') return 0
  let micros = 0
  let at = 20
  for (let unit = text.charCodeAt(at); unit >= 48 && unit <= 57 && at < 26; unit = text.charCodeAt(++at)) {
    if (at > 22) micros = micros * 10 + unit - 48
  }
  return micros * 10 ** Math.max(0, 26 - Math.max(at, 23))
}

/** The first and the last moment that canonical text can express: 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z. */
export const firstMoment = -62_135_596_800_000
export const lastMoment = 253_402_300_799_999

/**
 * The canonical UTC text of a moment, `YYYY-MM-DDTHH:mm:ss.sssZ`, or with six digits where the last three are not zero;
 * `undefined` outside the years 0001 to 9999.
 *
 * @param moment in milliseconds since 1970.
 * @param micros how many microseconds after it, 0 to 999.
 */
export function canonicalDateTime(moment: number, micros = 0): string | undefined {
  if (!(moment >= firstMoment && moment <= lastMoment)) return undefined
  const text = new Date(moment).toISOString()
  return micros === 0 ? text : `${text.slice(0, -1)}${String(micros).padStart(3, '0')}Z`
}

/** The canonical text of an RFC 3339 text. Digits after the microseconds are cut off; `undefined` for every other text. */
export const canonicalDateTimeOf = (text: string): string | undefined =>
  isCanonical(text) ? text : canonicalDateTime(momentOf(text), microsOf(text))

/** Whether a text is a moment as most stores write it: canonical, with three digits. A test by a regular expression takes ten times as long. */
const isCanonical = (text: string): boolean =>
  text.length === 24 &&
  dayNumberAt(text) > 0 &&
  text[10] === 'T' &&
  twoDigits(text, 11) < 24 &&
  text[13] === ':' &&
  twoDigits(text, 14) < 60 &&
  text[16] === ':' &&
  twoDigits(text, 17) < 60 &&
  text[19] === '.' &&
  twoDigits(text, 20) >= 0 &&
  twoDigits(text, 21) >= 0 &&
  text[23] === 'Z'

/** Compares two canonical texts by time. Of `….123Z` and `….123456Z` the end of the shorter one comes first, not its Z. */
export function compareDateTimes(a: string, b: string): number {
  if (a === b) return 0
  if (a.length === b.length) return a < b ? -1 : 1
  return a.slice(0, -1) < b.slice(0, -1) ? -1 : 1
}

/** A datetime as SQL writes it: `2024-01-31 10:00:00.123456`, and where it has a zone `+02`, `+05:30` or `+00:00` behind it. ISO 8601 has a T in it. */
const sqlDateTime = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d)?)?$/

/** The canonical text of a datetime as SQL writes it, without a zone in UTC; `undefined` for every other text. */
export function canonicalDateTimeOfSql(text: string): string | undefined {
  const [, day, time, zone = '+00'] = sqlDateTime.exec(text) ?? []
  if (day === undefined) return undefined
  return canonicalDateTimeOf(`${day}T${time}${zone.length === 3 ? `${zone}:00` : zone}`)
}

const timeOfDay = /^((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(\.\d{1,6})?)?$/

/** The canonical text of a time of day, `HH:MM:SS`, with the digits of its fraction but zeros at their end; `undefined` for every other text. */
export function canonicalTime(text: string): string | undefined {
  const [, minute, second = ':00', fraction = ''] = timeOfDay.exec(text) ?? []
  // Quadratic in at most seven characters.
  return minute && minute + second + fraction.replace(/\.?0+$/, '')
}
