/** Answers as data, and the Response of one. */
import { ownOf } from '../own.ts'

/** The answer to a request, as data. */
export interface ServiceAnswer {
  readonly status: number
  /** The headers by their names in lower case. They contain the length of the body, in bytes of UTF-8. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON text; `undefined` for a `HEAD` and a 304. */
  readonly body: string | undefined
}

/**
 * Makes a JSON answer. `no-store`: an answer depends on the caller, and its URL may contain a key. `nosniff`: rows may contain
 * text that a browser would read as a page with scripts (https://fetch.spec.whatwg.org/#x-content-type-options-header).
 */
export function jsonAnswer(
  status: number,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  const body = JSON.stringify(content)
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(encoder.encode(body).byteLength), // For HEAD, which has no body to count.
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body,
  }
}
const encoder = /* @__PURE__ */ new TextEncoder()

/** The Web form of an answer. */
export function responseOf({ status, headers, body }: ServiceAnswer): Response {
  return new Response(body ?? null, ownOf({ status, headers }))
}
