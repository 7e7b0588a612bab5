/** Cursors: positions as texts, which come back through the hands of strangers. */
import { checkLiteral } from '../ast/index.ts'
import { textOfPath, type Position, type SortKey } from './query.ts'

const version = 1

/** The order as a cursor names it. */
const orderOf = (sort: readonly SortKey[]): readonly string[] =>
  sort.map(({ path, direction }) => (direction === 'ascending' ? '+' : '-') + textOfPath(path))

/** The text of a position: base64url (RFC 4648, section 5) of JSON. Equal positions of one order have equal texts. */
export function cursorOf(sort: readonly SortKey[], { toward, values }: Position): string {
  const json = JSON.stringify([version, toward, orderOf(sort), values.map((literal) => literal && literal.value)])
  return btoa(bytesOf(json)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Most positions are ASCII, which is its own UTF-8. */
const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text)

/** A text in UTF-8, a character for each byte. */
const bytesOf = (text: string): string =>
  isAscii(text) ? text : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')

/** The text of such bytes; bytes that are not UTF-8 give a text that has others. */
const textOfBytes = (bytes: string): string =>
  isAscii(bytes) ? bytes : new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))

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
    const json = textOfBytes(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    const [, toward, , given] = JSON.parse(json) as [unknown, Position['toward'], unknown, readonly unknown[]]
    if (toward !== 'next' && toward !== 'previous') return undefined
    const values = sort.map(({ type }, at) =>
      given[at] === null ? null : checkLiteral({ type, value: given[at] }, 'cursor'),
    )
    if (sort.some((key, at) => values[at] === null && isKey(key))) return undefined
    const position: Position = Object.freeze({ toward, values: Object.freeze(values) })
    // The version, the order and the form are those of this text, or it is not the text of this position.
    return cursorOf(sort, position) === text ? position : undefined
  } catch {
    return undefined
  }
}
