/** Cursors: positions as texts, which come back through the hands of strangers. */
import { literalOf, type Literal } from '../ast/index.ts'
import { textOfPath, type Position, type SortKey } from './query.ts'

const version = 1

const jsonOf = (sort: readonly SortKey[], { toward, values }: Position): string =>
  JSON.stringify([version, toward, sort.map(signedPath), values.map((literal) => literal && literal.value)])

/** A sort key as a cursor names it. */
const signedPath = ({ path, direction }: SortKey): string => (direction === 'ascending' ? '+' : '-') + textOfPath(path)

/** The text of a position: base64url (RFC 4648, section 5) of JSON. Equal positions of one order have equal texts. */
export const cursorOf = (sort: readonly SortKey[], position: Position): string =>
  btoa(bytesOf(jsonOf(sort, position)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

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
    const json = textOfBytes(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    // By index: to take apart an array by its iterator takes as long as to parse it.
    const read = JSON.parse(json) as readonly [unknown, Position['toward'], unknown, readonly unknown[]]
    const toward = read[1]
    const given = read[3]
    if (toward !== 'next' && toward !== 'previous') return undefined
    const values: (Literal | null)[] = []
    for (let at = 0; at < sort.length; at++) {
      const value = given[at] === null ? null : literalOf(sort[at]!.type, given[at])
      if (value === undefined || (value === null && isKey(sort[at]!))) return undefined
      values.push(value)
    }
    const position: Position = Object.freeze({ toward, values: Object.freeze(values) })
    // The version, the order and the form are those of this text, or it is not the text of this position.
    return jsonOf(sort, position) === json ? position : undefined
  } catch {
    return undefined
  }
}
