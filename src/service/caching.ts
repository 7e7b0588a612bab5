/** Pages that the caller's own cache may keep: RFC 9111, and conditional requests of RFC 9110. */
import { checkOptions } from '../options.ts'
import { ownOf } from '../own.ts'
import { digestOf } from './credentials.ts'

/** How a caller's own cache keeps pages. */
export interface CacheOptions {
  /** The seconds for which a cache reuses an answer. With 0, it sends each request, and gets a 304 for an unchanged page. */
  readonly maxAge: number
  /** The request headers that `authenticate` reads, such as `['Authorization']`. The answer has them in `Vary`. */
  readonly vary: readonly string[]
}

/** @throws TypeError that names the wrong option. */
export function checkCache(cache: CacheOptions | undefined): CacheOptions | undefined {
  if (cache === undefined) return undefined
  const { maxAge, vary } = checkOptions(cache, 'cache', ['maxAge', 'vary'])
  if (!Number.isSafeInteger(maxAge) || maxAge < 0) throw new TypeError('cache.maxAge must be a whole number of seconds')
  // Without a name here, a shared browser would show one caller's rows to the next.
  if (!Array.isArray(vary) || vary.length === 0 || !vary.every(isHeader)) {
    throw new TypeError("cache.vary must be a list of headers, such as ['Authorization']")
  }
  return { maxAge, vary }
}

/** Whether a value is a token of RFC 9110. With `*`, no cache would ever answer. */
const isHeader = (name: unknown): boolean => typeof name === 'string' && /^[\w!#$%&'+.^`|~-]+$/.test(name)

/** Whether `If-None-Match` has the tag, by the weak comparison (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2). */
const matches = (header: string | null, tag: string): boolean =>
  header !== null && (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))

/** The answer with the headers for its caller's cache; a 304 where the request has the tag of this answer. */
export async function cachedAnswer(answer: Response, request: Request, cache: CacheOptions): Promise<Response> {
  const body = await answer.text()
  const tag = `"${(await digestOf(body)).slice(0, 32)}"`
  const headers = new Headers(answer.headers)
  headers.set('cache-control', `private, max-age=${cache.maxAge}`)
  headers.set('vary', cache.vary.join(', '))
  // Weak: compression after the service changes the bytes (https://www.rfc-editor.org/rfc/rfc9110#section-8.8.1).
  headers.set('etag', `W/${tag}`)
  if (!matches(request.headers.get('if-none-match'), tag)) return new Response(body, ownOf({ status: 200, headers }))
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  return new Response(null, ownOf({ status: 304, headers }))
}
