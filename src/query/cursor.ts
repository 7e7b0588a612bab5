/** Cursors: positions as texts, which come back through the hands of strangers. */
import { positionOf, textOfPath, type Position, type SortKey } from './query.ts'

const version = 1

/** The order as a cursor names it. */
const orderOf = (sort: readonly SortKey[]): readonly string[] =>
  sort.map(({ path, direction }) => (direction === 'ascending' ? '+' : '-') + textOfPath(path))

/** The text of a position: base64url (RFC 4648, section 5) of JSON. Equal positions of one order have equal texts. */
export function cursorOf(sort: readonly SortKey[], { toward, values }: Position): string {
  const json = JSON.stringify([version, toward, orderOf(sort), values.map((literal) => literal && literal.value)])
  const bytes = Array.from(new TextEncoder().encode(json), (byte) => String.fromCharCode(byte))
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

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
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const [, toward, , values] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown[]
    const literals = (values as readonly unknown[]).map((value, at) =>
      value === null ? null : { type: sort[at]!.type, value },
    )
    const position = positionOf({ toward, values: literals }, sort)
    if (sort.some((key, at) => isKey(key) && position.values[at] === null)) return undefined
    // The version, the order and the form are those of this text, or it is not the text of this position.
    return cursorOf(sort, position) === text ? position : undefined
  } catch {
    return undefined
  }
}
