/** Reads the content of a QUERY request (RFC 10008): a query string that is too long for a URL. */
import type { Problem } from './problem.ts'

export const contentType = 'application/x-www-form-urlencoded'

const missingType: Problem = {
  status: 400,
  code: 'content_type_missing',
  detail: `the content has no type: send Content-Type: ${contentType}`,
}
const otherType: Problem = {
  status: 415,
  code: 'content_type_unsupported',
  detail: `the content has another type: send ${contentType} in UTF-8`,
}
const coded: Problem = {
  status: 415,
  code: 'content_compressed',
  detail: 'the content is compressed: send it as it is',
  // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16
  headers: { 'accept-encoding': 'identity' },
}
const incomplete: Problem = {
  status: 400,
  code: 'content_incomplete',
  detail: 'less content came than the request announced: it ended early, or was read before the service',
}
const notUtf8: Problem = { status: 400, code: 'content_not_utf8', detail: 'the content is not UTF-8' }

/** Finds a fault in the headers that describe the content. */
function headerProblem(headers: Headers): Problem | undefined {
  const type = headers.get('content-type')
  if (type === null) return missingType
  if (!isForm(type)) return otherType
  return /^(?:identity)?$/i.test(headers.get('content-encoding') ?? '') ? undefined : coded
}

/** The type has no parameters (https://url.spec.whatwg.org/#application/x-www-form-urlencoded), but `fetch` sends a charset. */
function isForm(type: string): boolean {
  const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter))
  return name === contentType && charsets.every((charset) => /^charset="?utf-8"?$/.test(charset))
}

/**
 * Whether as many bytes came as the request announces (https://www.rfc-editor.org/rfc/rfc9112#section-6). On Node, content that a
 * body parser has read looks empty, and an empty query selects everything. So chunks without a byte are refused, too.
 */
function isWhole(headers: Headers, bytes: number): boolean {
  const length = headers.get('content-length')
  return length === null ? bytes > 0 || !headers.has('transfer-encoding') : Number(length) === bytes
}

/**
 * Reads the content as text, and stops where it is longer than a query may be.
 *
 * @param limit in UTF-16 units, as `limits.length`.
 * @throws TypeError when somebody has read the content: it would look empty, which selects everything.
 */
export async function readContent(
  { headers, body, bodyUsed }: Request,
  limit: number,
): Promise<{ readonly text: string } | Problem> {
  if (bodyUsed) throw new TypeError('request has no content any more: pass it on before anything reads it')
  const problem = headerProblem(headers)
  if (problem !== undefined) return problem
  if (body === null) return isWhole(headers, 0) ? { text: '' } : incomplete

  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  let bytes = 0
  for (;;) {
    const chunk = await reader.read().catch(() => undefined)
    if (chunk === undefined) return incomplete
    bytes += chunk.value?.byteLength ?? 0
    try {
      text += decoder.decode(chunk.value, { stream: !chunk.done })
    } catch {
      return notUtf8
    }
    // The rest is left to the server: cancelling closes the connection on Node, before the answer is sent.
    if (text.length > limit) return tooLong(limit)
    if (chunk.done) return isWhole(headers, bytes) ? { text } : incomplete
  }
}

function tooLong(limit: number): Problem {
  const message = `query too long: more than ${limit} characters`
  const span = { start: limit, end: limit + 1 }
  const parameters = { found: limit + 1, isExact: false, limit }
  const issue = { code: 'limit_length', fault: 'client', message, span, parameters } as const
  return { status: 413, detail: message, issues: [issue] }
}
