/** Cursors: positions as texts, which come back through the hands of strangers. */
import { literalOf, type Literal } from '../ast/index.ts'
import { textOfPath, type Position, type SortKey } from './query.ts'

/** With the version. */
const start = '[1,'

/** A sort key as a cursor names it. */
const signedPath = ({ path, direction }: SortKey): string => (direction === 'ascending' ? '+' : '-') + textOfPath(path)

/** The JSON of a position before its values. */
const headOf = (sort: readonly SortKey[], toward: Position['toward']): string =>
  `${start}"${toward}",${JSON.stringify(sort.map(signedPath))},`

/** The text of a position: base64url (RFC 4648, section 5) of JSON. Equal positions of one order have equal texts. */
export function cursorOf(sort: readonly SortKey[], { toward, values }: Position): string {
  const json = `${headOf(sort, toward)}${JSON.stringify(values.map((literal) => literal && literal.value))}]`
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
    const json = textOfBytes(
      atob(text.includes('-') || text.includes('_') ? text.replaceAll('-', '+').replaceAll('_', '/') : text),
    )
    const toward = json.startsWith('"next"', start.length) ? 'next' : 'previous'
    const head = headOf(sort, toward)
    const given = JSON.parse(json.slice(head.length, -1)) as unknown
    if (!isListOf(sort.length, given)) return undefined
    const values: (Literal | null)[] = []
    for (let at = 0; at < sort.length; at++) {
      const key = sort[at]!
      const value = given[at] === null ? null : literalOf(key.type, given[at])
      if (value === undefined || (value === null && isKey(key))) return undefined
      values.push(value)
    }
    // The same parts in other words are not the text of the position.
    return `${head}${JSON.stringify(given)}]` === json
      ? Object.freeze({ toward, values: Object.freeze(values) })
      : undefined
  } catch {
    return undefined
  }
}
