/** Reads credentials from headers and queries. Pure functions without Node modules. */

/** The key that a request carries, or why it has none. */
export type KeyReading =
  { readonly key: string; readonly fault: undefined } | { readonly fault: 'missing' | 'repeated' | 'different' }

/**
 * Finds the API key of a request. Keys contain no comma: Web `Headers` join repeated headers by commas.
 *
 * @param header the value of `X-API-KEY`, null when there is none.
 * @param query the values of `apiKey` in the query.
 */
export function readApiKey(header: string | null, query: readonly string[]): KeyReading {
  if (header?.includes(',') || query.length > 1) return { fault: 'repeated' }
  const key = header ?? query.at(0)
  if (key === undefined) return { fault: 'missing' }
  return query.length === 1 && query[0] !== key ? { fault: 'different' } : { key, fault: undefined }
}

export interface BasicCredentials {
  readonly name: string
  readonly password: string
}

/**
 * Reads an `Authorization` header of the Basic scheme (RFC 7617, charset UTF-8): the scheme in any case, the
 * name up to the first colon, no control characters. `undefined` for everything else.
 */
export function readBasic(header: string | null): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z\d+/]+={0,2})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  let text: string
  try {
    const bytes = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0))
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  const colon = text.indexOf(':')
  if (colon < 0 || /[\0-\x1f\x7f]/.test(text)) return undefined
  return { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Whether an `Authorization` header uses the Basic scheme, well-formed or not. */
export function isBasic(header: string | null): boolean {
  return /^basic(?: |$)/i.test(header ?? '')
}

/**
 * Computes the SHA-256 digest of an API key, as `Accounts.byKeyDigest` receives it: store this instead of the key.
 *
 * @returns 64 lower-case hexadecimal digits.
 * @example await digestOf('k-1') === keyDigest // => true
 */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares two digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
