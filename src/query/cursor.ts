/** Cursors: positions as texts, which come back through the hands of strangers. */
import { literalOf, type Literal } from '../tree/index.ts'
import { orderNames } from '../language/index.ts'
import { isOrdered, isRequired, isZoneForm, movesNulls, textOfPath } from './query.ts'
import type { PageStart, Position, QueryClock, SortKey } from './query.ts'
import { own, ownOf } from '../own.ts'

/** Versions of the format: a place after a row, one that is counted from a row or from the beginning, and one at a row or counted from it. */
const atRow = 1
const counted = 2
const inclusive = 3
/** How much greater the version is of a place with a clock. */
const clocked = 3

/** A sort key as a cursor names it: with its options, if these have an effect. Two keys of one order have one name. */
export function nameOfKey(key: SortKey): string | readonly [signed: string, options: string] {
  const signed = (key.direction === 'ascending' ? '+' : '-') + textOfPath(key.path)
  // The first option is `nulls`.
  const options = JSON.stringify(ownOf(key), orderNames.slice(movesNulls(key) ? 0 : 1))
  return options === '{}' ? signed : [signed, options]
}

/** Of `limits.length`, 16,384, a longer one would leave too little for the rest of a query. */
export const longestCursor = 4_096

function jsonOf(sort: readonly SortKey[], place: PageStart): string {
  const { toward, values } = place
  const offset = own(place, 'offset') ?? 0
  const atItsRow = own(place, 'inclusive') === true ? inclusive : offset === 0 ? atRow : counted
  const version = values.length === 0 ? counted : atItsRow
  const clock = own(place, 'clock')
  const parts: unknown[] = [toward, sort.map(nameOfKey), values.map((literal) => literal && literal.value)]
  if (version !== atRow) parts.push(offset)
  if (clock === undefined) return JSON.stringify([version, ...parts])
  const now = own(clock, 'now')
  return JSON.stringify([version + clocked, ...parts, now === undefined ? [clock.timeZone] : [clock.timeZone, now]])
}

/** The text of a place: base64url (RFC 4648, section 5) of JSON. Equal places of one order have equal texts. */
export function cursorOf(sort: readonly SortKey[], place: PageStart): string {
  const base64 = btoa(bytesOf(jsonOf(sort, place)))
  const end = base64.indexOf('=')
  const text = end < 0 ? base64 : base64.slice(0, end)
  return text.includes('+') || text.includes('/') ? text.replaceAll('+', '-').replaceAll('/', '_') : text
}

/** By the length of a text, how the `]` at its end is written, and all bits after it are zero (RFC 4648, section 3.5). */
const ends = ['d', undefined, 'Q', '0']

/** Whether a text is base64url, and the only one of its bytes, if these are JSON of a position. */
const isCanonical = (text: string): boolean => /^[\w-]*$/.test(text) && text.at(-1) === ends[text.length % 4]

/** Most positions are ASCII, which is its own UTF-8. */
const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text)

/** A text in UTF-8, a character for each byte. */
const bytesOf = (text: string): string =>
  isAscii(text) ? text : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')

/** The text of UTF-8 bytes, one byte a character. Other bytes give a text that has other bytes. */
const textOfBytes = (bytes: string): string =>
  isAscii(bytes)
    ? bytes
    : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
      )

function jsonIn(text: string): string | undefined {
  if (!isCanonical(text)) return undefined
  return textOfBytes(
    atob(text.includes('-') || text.includes('_') ? text.replaceAll('-', '+').replaceAll('_', '/') : text),
  )
}

function clockIn(parts: readonly unknown[]): QueryClock | undefined {
  if (!((parts[0] as number) > clocked)) return undefined
  const [timeZone, now] = parts.at(-1) as readonly unknown[]
  if (!isZoneForm(timeZone)) return undefined
  if (now === undefined) return Object.freeze({ timeZone })
  return literalOf('datetime', now) === undefined ? undefined : Object.freeze({ timeZone, now: now as string })
}

/** The clock of a cursor of any order, if it has one. */
export function clockOfCursor(text: string): QueryClock | undefined {
  try {
    const json = jsonIn(text)
    return json === undefined ? undefined : clockIn(JSON.parse(json) as readonly unknown[])
  } catch {
    return undefined
  }
}

/**
 * The place that a cursor is the text of; `undefined` when it is none of this order. It went through the hands of
 * strangers, so each value is checked as a literal is. It does not check that the runtime knows the zone.
 */
export function positionOfCursor(text: string, sort: readonly SortKey[]): PageStart | undefined {
  try {
    const json = jsonIn(text)
    if (json === undefined) return undefined
    const parts = JSON.parse(json) as readonly unknown[]
    const [encoded, toward, , row, offset] = parts
    const clock = clockIn(parts)
    const version = clock === undefined ? encoded : (encoded as number) - clocked
    const values = valuesOf(row as readonly unknown[], sort)
    if (values === undefined || (toward !== 'next' && toward !== 'previous')) return undefined
    if (version !== atRow && !(Number.isSafeInteger(offset) && (offset as number) >= 0)) return undefined
    const position: Position = { toward, values }
    const place = version === atRow ? position : { ...position, offset: offset as number }
    const counted: PageStart = version === inclusive ? { ...place, inclusive: true } : place
    const whole: PageStart = clock === undefined ? counted : { ...counted, clock }
    // The same parts in other words are not the text of the place.
    return jsonOf(sort, whole) === json ? Object.freeze(whole) : undefined
  } catch {
    return undefined
  }
}

/** The values of a place; none where it is counted from the beginning of the order. */
function valuesOf(parts: readonly unknown[], sort: readonly SortKey[]): PageStart['values'] | undefined {
  if (!Array.isArray(parts) || (parts.length !== sort.length && parts.length !== 0)) return undefined
  const values: (Literal | null)[] = []
  for (let at = 0; at < parts.length; at++) {
    const key = sort[at]!
    const value = parts[at] === null ? null : literalOf(key.type, parts[at])
    if (value === undefined || (value === null ? isRequired(key) : !isOrdered(key, value))) return undefined
    values.push(value)
  }
  return Object.freeze(values)
}
