/** Error answers: RFC 9457 problem details. */
import type { Issue, Issues } from '../issue/index.ts'

const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

export interface Problem {
  readonly status: keyof typeof titles
  readonly detail: string
  readonly issues?: Issues
  readonly headers?: Readonly<Record<string, string>>
}

/** The members of an issue that answers contain, in this order. JSON leaves out those that are `undefined`. */
const told = ({ code, message, span, hint, path, operator }: Issue) => ({ code, message, span, hint, path, operator })

/** Makes the answer for a problem, as `application/problem+json`. */
export function problemResponse({ status, detail, issues, headers }: Problem): Response {
  const body = {
    type: 'about:blank',
    title: titles[status],
    status,
    detail,
    ...(issues && { issues: issues.map(told) }),
  }
  return jsonResponse(status, body, { 'content-type': 'application/problem+json', ...headers })
}

/**
 * Makes a JSON answer. `no-store`: an answer depends on the caller, and its URL may hold a key. `nosniff`: rows may hold
 * text that a browser would take for a page with scripts (https://fetch.spec.whatwg.org/#x-content-type-options-header).
 */
export function jsonResponse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const length = String(bytes.byteLength) // For HEAD, which has no body to count.
  return new Response(bytes, {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}
