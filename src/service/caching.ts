/** Pages that the caller's own cache may keep: RFC 9111, and conditional requests of RFC 9110. */
import { checkOptions } from '../options.ts'
import type { ServiceAnswer } from './answer.ts'
import { digestOf } from './credentials.ts'
import type { RequestHeaders } from './request.ts'

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
export async function cachedAnswer(
  { status, headers: all, body }: ServiceAnswer,
  ofRequest: RequestHeaders,
  { maxAge, vary }: CacheOptions,
): Promise<ServiceAnswer> {
  const tag = `"${(await digestOf(body!)).slice(0, 32)}"`
  const { 'content-type': type, 'content-length': length, ...rest } = all
  const headers = {
    ...rest,
    'cache-control': `private, max-age=${maxAge}`,
    vary: vary.join(', '),
    // Weak: compression after the service changes the bytes (https://www.rfc-editor.org/rfc/rfc9110#section-8.8.1).
    etag: `W/${tag}`,
  }
  if (matches(ofRequest.get('if-none-match'), tag)) return { status: 304, headers, body: undefined }
  return { status, headers: { ...headers, 'content-type': type!, 'content-length': length! }, body }
}
