/** The `Link` header of a page (RFC 8288). */
import type { Collection } from '../language/index.ts'
import { decode, keyOf, mayHoldSecret, type Source } from '../asked/index.ts'
import type { Page, Query } from '../query/index.ts'
import { own, ownOf } from '../own.ts'

/** The length of a URL that every recipient supports, in characters (https://www.rfc-editor.org/rfc/rfc9110#section-4.1-5). */
const longest = 8_000

/** Characters that the URL standard leaves in a query, and RFC 3986 does not allow there. Escaped, they mean the same. */
const unallowed = /[[\]\\^`{|}]/g

/**
 * Finds out whether the value of a pair may contain a credential, as in `seller=x%26apiKey=secret`. It skips the key of the pair, which
 * names a field or a parameter.
 *
 * @param credentials names of pairs with credentials.
 * @param skipped names of pairs whose values do not count.
 */
export const holdsSecret = (
  source: Source,
  credentials: readonly string[],
  skipped: readonly (string | undefined)[] = credentials,
): boolean =>
  credentials.length > 0 &&
  source.pairs.some(
    (pair) =>
      !skipped.includes(decode(source, keyOf(pair))) &&
      mayHoldSecret(source, { start: pair.equals, end: pair.end }, credentials),
  )

/** Writes a query string again: removes some pairs and appends others. */
export const queryOf = (
  source: Source,
  dropped: readonly (string | undefined)[],
  added: readonly (readonly [name: string, value: string])[],
): string =>
  [
    ...source.pairs
      .filter((pair) => !dropped.includes(decode(source, keyOf(pair))))
      .map(({ start, end }) => source.text.slice(start, end)),
    ...added.map(([name, value]) => `${encodeURIComponent(name)}=${value}`),
  ]
    .join('&')
    .replace(unallowed, encodeURIComponent)

/**
 * Makes the header: URLs without a path, which repeat the query with another cursor. A header that is too long makes clients
 * and proxies refuse the whole answer, so the link against the direction of reading is left out first.
 *
 * @param reserved names of pairs that no link repeats.
 * @returns `undefined` when there is no other page, or no room. The body always has the cursors.
 */
export function linkHeader(
  { parameters }: Collection,
  source: Source,
  reserved: readonly string[],
  query: Query,
  page: Pick<Page<unknown>, 'next' | 'previous'>,
): string | undefined {
  const position = own(query, 'position')
  const { next, previous } = ownOf(page)
  const dropped = [...reserved, parameters.get('cursor'), parameters.get('offset')]
  if (holdsSecret(source, reserved, dropped)) return undefined
  const kept = queryOf(source, dropped, [])
  const before = `${kept === '' ? '' : `${kept}&`}${encodeURIComponent(parameters.get('cursor')!)}`
  const linkTo = (cursor: string | undefined, relation: string): readonly string[] =>
    cursor === undefined ? [] : [`<?${before}=${cursor}>; rel="${relation}"`]

  const ahead = linkTo(next, 'next')
  const back = linkTo(previous, 'prev')
  const both = [...ahead, ...back]
  const inOrder = [both, position?.toward === 'previous' ? back : ahead]
  return inOrder.map((links) => links.join(', ')).find((header) => header !== '' && header.length <= longest)
}
