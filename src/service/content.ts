/** Reads the content of a QUERY request (RFC 10008): a query string that is too long for a URL. */
import { isProblem, newProblem, type Problem } from './problem.ts'
import type { RequestContent, RequestHeaders } from './request.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
/** The media types that a QUERY accepts, in the syntax of `Accept-Query`. */
export const contentTypes = `${form}, ${json}`

const typeText = `the content has no type: send Content-Type: ${form}, or ${json}`
const missingType = newProblem(400, 'content_type_missing', typeText)
const otherTypeText = `the content has another type: send ${form} or ${json} in UTF-8`
const otherType = newProblem(415, 'content_type_unsupported', otherTypeText)
const codedText = 'the content is compressed: send it as it is'
// https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16
const coded = newProblem(415, 'content_compressed', codedText, { 'accept-encoding': 'identity' })
const shortText = 'less content came than the request announced: it ended early, or was read before the service'
const incomplete = newProblem(400, 'content_incomplete', shortText)
const noObject = (detail: string) => newProblem(400, 'content_not_object', detail)
const notJson = noObject('the content is not JSON')
const otherJson = noObject('the content must be an object of members, { "path[operator]": value }')
const twice = noObject('the content has a member twice: an object has each once')
const notUtf8 = newProblem(400, 'content_not_utf8', 'the content is not UTF-8')

/** Finds a fault in the headers that describe the content. */
function headerProblem(headers: RequestHeaders): Problem | undefined {
  const type = headers.get('content-type')
  if (type === null) return missingType
  if (typeOf(type) === undefined) return otherType
  return /^(?:identity)?$/i.test(headers.get('content-encoding') ?? '') ? undefined : coded
}

/**
 * Returns the media type without its parameters; `undefined` for another type or encoding. Neither type defines parameters
 * (https://url.spec.whatwg.org/#application/x-www-form-urlencoded, https://www.rfc-editor.org/rfc/rfc8259#section-11), but `fetch` sends
 * a charset.
 */
function typeOf(type: string): string | undefined {
  const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter))
  const isRead = (name === form || name === json) && charsets.every((one) => /^charset="?utf-8"?$/.test(one))
  return isRead ? name : undefined
}

/**
 * Whether as many bytes came as the request announces (https://www.rfc-editor.org/rfc/rfc9112#section-6). On Node, content that a
 * body parser has read looks empty, and an empty query selects everything. So chunks without a byte are refused, too.
 */
function isWhole(headers: RequestHeaders, bytes: number): boolean {
  const length = headers.get('content-length')
  return length === null ? bytes > 0 || headers.get('transfer-encoding') === null : Number(length) === bytes
}

/**
 * Reads the content of a QUERY: a query string, or an object of JSON.
 *
 * @param limit in UTF-16 units, as `limits.length`.
 * @throws TypeError as {@link readContent}.
 */
export async function readQueryContent(
  headers: RequestHeaders,
  body: RequestContent,
  limit: number,
): Promise<QueryContent | Problem> {
  const content = await readContent(headers, body, limit)
  if (isProblem(content)) return content
  const { text } = content
  return typeOf(headers.get('content-type')!) === json ? objectIn(text) : { text, object: undefined }
}

/** Either a query string or an object; the other member is `undefined`. */
export type QueryContent =
  { readonly text: string; readonly object: undefined } | { readonly text: undefined; readonly object: object }

/** Parses JSON, and refuses every value but an object. */
function objectIn(text: string): QueryContent | Problem {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return notJson
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return otherJson
  return isRepetitive(text, value) ? twice : { text: undefined, object: value }
}

/** Whether JSON repeats a member: `JSON.parse` keeps only the last one. `parseObject` refuses nested objects later. */
function isRepetitive(text: string, object: object): boolean {
  const isFlat = Object.values(object).every(
    (value) => typeof value !== 'object' || value === null || isOfScalars(value),
  )
  return isFlat && countNames(text) > Object.keys(object).length
}
/** Counts the member names in JSON: each is a string before a colon. A loop, because a regular expression can overflow the stack. */
function countNames(text: string): number {
  let names = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
    for (at++; /\s/.test(text.charAt(at)); at++);
    if (text[at] === ':') names++
  }
  return names
}
const isOfScalars = (value: object): boolean =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)

/**
 * Reads the content as text, and stops where it is longer than a query may be.
 *
 * @param limit in UTF-16 units, as `limits.length`.
 * @throws TypeError for content of another type.
 */
export async function readContent(
  headers: RequestHeaders,
  body: RequestContent,
  limit: number,
): Promise<{ readonly text: string } | Problem> {
  const problem = headerProblem(headers)
  if (problem !== undefined) return problem
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  let bytes = 0
  /** Adds a chunk, or ends the text. */
  const add = (chunk?: Uint8Array): Problem | undefined => {
    bytes += chunk?.byteLength ?? 0
    try {
      text += decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      return notUtf8
    }
    return text.length > limit ? tooLong(limit) : undefined
  }
  const chunks = chunksOf(body)
  try {
    for await (const chunk of chunks) {
      const fault = add(chunk)
      if (fault !== undefined) return fault
    }
  } catch {
    return incomplete
  }
  return add() ?? (isWhole(headers, bytes) ? { text } : incomplete)
}

function chunksOf(body: RequestContent): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (body === undefined) return []
  if (typeof body === 'string') return [new TextEncoder().encode(body)]
  if (ArrayBuffer.isView(body)) return [body]
  if (typeof body?.[Symbol.asyncIterator] === 'function') return body
  throw new TypeError('request.body must be a text, bytes, or chunks of bytes')
}

function tooLong(limit: number): Problem {
  const message = `query too long: more than ${limit} characters`
  const span = { start: limit, end: limit + 1 }
  const parameters = { found: limit + 1, isExact: false, limit }
  const issue = { code: 'limit_length', fault: 'client', message, span, parameters } as const
  return { status: 413, detail: message, issues: [issue] }
}
