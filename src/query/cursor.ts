/** Cursors: positions as texts, which come back through the hands of strangers. */
import { literalOf, type Literal } from '../ast/index.ts'
import { textOfPath, type Position, type SortKey } from './query.ts'

const version = 1

/** A sort key as a cursor names it. */
const signedPath = ({ path, direction }: SortKey): string => (direction === 'ascending' ? '+' : '-') + textOfPath(path)

/** The text of a position: base64url (RFC 4648, section 5) of JSON. Equal positions of one order have equal texts. */
export function cursorOf(sort: readonly SortKey[], { toward, values }: Position): string {
  const order = sort.map(signedPath)
  const json = JSON.stringify([version, toward, order, values.map((literal) => literal && literal.value)])
  return btoa(bytesOf(json)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
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

/** The text of such bytes; bytes that are not UTF-8 give a text that has others. */
const textOfBytes = (bytes: string): string =>
  isAscii(bytes)
    ? bytes
    : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
      )

const isListOf = (length: number, value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length === length

/**
 * The position that a cursor is the text of; `undefined` when it is none of this order. It went through the hands of
 * strangers, so each value is checked as a literal is.
 *
 * @param isKey whether a sort key is a field of the collection's key, which is never without a value.
 */
export function positionOfCursor(
  text: string,
  sort: readonly SortKey[],
  isKey: (key: SortKey) => boolean,
): Position | undefined {
  try {
    if (!isCanonical(text)) return undefined
    const json = textOfBytes(atob(/[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text))
    const read = JSON.parse(json) as readonly [unknown, Position['toward'], unknown, unknown]
    // By index: to take apart an array by its iterator takes as long as to parse it.
    const toward = read[1]
    const order = read[2]
    const given = read[3]
    if (read.length !== 4 || read[0] !== version || (toward !== 'next' && toward !== 'previous')) return undefined
    if (!isListOf(sort.length, order) || !isListOf(sort.length, given)) return undefined
    const values: (Literal | null)[] = []
    for (let at = 0; at < sort.length; at++) {
      const key = sort[at]!
      const value = given[at] === null ? null : literalOf(key.type, given[at])
      if (order[at] !== signedPath(key) || value === undefined || (value === null && isKey(key))) return undefined
      values.push(value)
    }
    // The same parts in other words are not the text of the position.
    return JSON.stringify(read) === json ? Object.freeze({ toward, values: Object.freeze(values) }) : undefined
  } catch {
    return undefined
  }
}
