/** Requests as data, and the head that the functions of a program read. */
import { own } from '../own.ts'

/**
 * The head of a request, which `authenticate`, `notation`, the functions of `rows`, `onRequest` and `onError` get. A Web `Request` is one:
 * the service passes the `Request` on as it came.
 */
export interface RequestHead {
  readonly method: string
  /** The URL, or its path and query, as the server gives it. */
  readonly url: string
  readonly headers: RequestHeaders
  /** Aborts when the client disconnects. Some servers give none. */
  readonly signal?: AbortSignal | null | undefined
}

/** The headers of a request. `Headers` of the Web are this, too. */
export interface RequestHeaders {
  /** Returns the value of a header, whose name is in any case; null without the header. The values of a repeated header are joined by commas. */
  get(name: string): string | null
}

/** The content of a request: a text, bytes, or chunks of bytes. The service ends the iteration where the content is too long. */
export type RequestContent = string | Uint8Array | AsyncIterable<Uint8Array> | undefined

/** A request as data, for `service.answer`. The listeners of this package make it, and so may the adapter of another server. */
export interface ServiceRequest<Principal extends object = object> {
  readonly method: string
  /** The path and the query, such as `/api/orders?limit=5`, or a whole URL. */
  readonly url: string
  /** The headers by their names in lower case, as `IncomingHttpHeaders` of Node has them; or `Headers`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | RequestHeaders
  /** The content of a `QUERY`. The service ends the iteration of chunks where the content is too long. */
  readonly body?: RequestContent
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | null | undefined
  /**
   * The caller whom a framework has found: the service does not authenticate the request again. If the member is there and `undefined`,
   * the answer is a 401.
   */
  readonly principal?: Principal | undefined
}

/** A request in any form, as the stages of its answer get it. */
export interface AskedRequest<Principal extends object> {
  readonly head: RequestHead
  /** Gives the content. @throws TypeError when somebody has read it. */
  readonly content: () => RequestContent
  readonly caller: Partial<CallerArgument<Principal>> | undefined
  /** The name of the argument with the caller in messages. */
  readonly argument: string
}

/** The caller that a framework has authenticated: the second argument of a service. `undefined` is nobody. */
export interface CallerArgument<Principal extends object> {
  readonly principal: Principal | undefined
}

/** @throws TypeError that names the wrong member. */
export function askedOf<Principal extends object>(request: ServiceRequest<Principal>): AskedRequest<Principal> {
  if (typeof request !== 'object' || request === null) throw new TypeError('request must be an object')
  const { method, url, headers, signal } = request
  if (typeof method !== 'string') throw new TypeError('request.method must be a text')
  if (typeof url !== 'string') throw new TypeError('request.url must be a text')
  if (typeof headers !== 'object' || headers === null) throw new TypeError('request.headers must be an object')
  return {
    head: { method, url, headers: isHeaders(headers) ? headers : headersOf(headers), signal },
    content: () => request.body,
    caller: Object.hasOwn(request, 'principal') ? { principal: request.principal } : undefined,
    argument: 'request',
  }
}

type HeaderRecord = Exclude<ServiceRequest['headers'], RequestHeaders>

/** A record has texts alone, also under the name `get`. */
const isHeaders = (headers: ServiceRequest['headers']): headers is RequestHeaders => typeof headers.get === 'function'

/** Own members alone: a header may have the name of a property of `Object.prototype`. */
const headersOf = (record: HeaderRecord): RequestHeaders => ({
  get: (name) => {
    const value = own(record, name.toLowerCase())
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  },
})

/** The parts of a URL or of a path with a query. */
export interface Target {
  readonly path: string
  /** The query without its question mark. */
  readonly search: string
  readonly hasFragment: boolean
}

/** Characters that a `Request` escapes in a query (https://url.spec.whatwg.org/#special-query-percent-encode-set), and Node lets through. */
const unescaped = /[^!-~]+|["'<>]/g
const escape = (text: string): string => (text === "'" ? '%27' : encodeURIComponent(text.toWellFormed()))

/** Cuts a URL as a `Request` has it: spans of issues count in it. It resolves no dots: a path with them leads to no collection of a `basePath`. */
export function targetOf(url: string): Target {
  const written = url.replace(unescaped, escape)
  const hash = written.indexOf('#')
  const whole = hash < 0 ? written : written.slice(0, hash)
  const question = whole.indexOf('?')
  const path = question < 0 ? whole : whole.slice(0, question)
  return {
    path: path.startsWith('/') ? path : path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''),
    search: question < 0 ? '' : whole.slice(question + 1),
    hasFragment: hash >= 0 && hash < written.length - 1,
  }
}
