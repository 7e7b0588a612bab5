/** Listeners of servers of Node: they pass requests on as data. Imports no module of Node and no framework. */
import type { ServiceAnswer } from './answer.ts'
import type { RequestContent, ServiceRequest } from './request.ts'

/** The part of a service that a listener calls. */
export interface Answering<Principal extends object> {
  readonly answer: (request: ServiceRequest<Principal>) => Promise<ServiceAnswer>
}

/** The part of an `IncomingMessage` of Node that a listener reads. Requests of Express are this, too. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawHeaders?: readonly string[] | undefined
  /** Whether all of the content has arrived. */
  readonly complete: boolean
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
  resume(): unknown
  destroy(): unknown
}

/** The part of a `ServerResponse` of Node that a listener writes. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(body?: string): unknown
}

/** The part of a request of Fastify that a handler reads. */
export interface FastifyRequestPart {
  readonly method: string
  readonly url: string
  readonly body: unknown
  readonly raw: NodeRequest
}

/** The part of a reply of Fastify that a handler writes. */
export interface FastifyReplyPart {
  readonly raw: NodeResponse
  code(status: number): unknown
  headers(headers: Readonly<Record<string, string>>): unknown
  send(body?: string): unknown
}

/** Finds the caller that a framework has authenticated in its request. */
export type PrincipalOf<Principal extends object, Request> = (request: Request) => Principal | undefined

/**
 * Makes a listener for `node:http`, and the same for Express and for the API routes of Next.js. In place of content that a body parser
 * has read, it takes the bytes that the parser kept as `rawBody`.
 *
 * @param principalOf returns the caller that a middleware has found, and the service does not authenticate the request again.
 *   `undefined` is a 401.
 * @returns a listener, which never rejects. An error that `onError` of the service or `principalOf` throws goes to `next`; without
 *   `next`, the client gets a 500.
 * @throws TypeError when an argument has the wrong type.
 * @example
 * const service = createListService({ authenticate: () => ({ seller: 's-1' }), collections: {} })
 * const listener = nodeListener(service) // createServer(listener), or app.use('/v1', listener)
 */
export function nodeListener<Principal extends object, Request extends NodeRequest = NodeRequest>(
  service: Answering<Principal>,
  principalOf?: PrincipalOf<Principal, Request>,
): (request: Request, response: NodeResponse, next?: (error?: unknown) => void) => Promise<void> {
  checkArguments(service, principalOf)
  return async (request, response, next) => {
    try {
      const { method = '', url = '' } = request
      const headers = headersOf(request)
      const asked = { method, url, headers, body: contentOf(request, request), signal: signalOf(response) }
      const answer = await service.answer(principalOf ? { ...asked, principal: principalOf(request) } : asked)
      response.writeHead(answer.status, answer.headers)
      response.end(answer.body)
      if (method === 'QUERY') drain(request)
    } catch (error) {
      if (next !== undefined) next(error)
      else if (!response.headersSent) {
        response.writeHead(500, {})
        response.end()
      }
    }
  }
}

/**
 * Makes a handler for Fastify. A parser of contents passes the content on: see docs/guides/frameworks.md.
 *
 * @param principalOf returns the caller that a hook has found, and the service does not authenticate the request again. `undefined` is a
 *   401.
 * @throws TypeError when an argument has the wrong type.
 */
export function fastifyHandler<Principal extends object, Request extends FastifyRequestPart = FastifyRequestPart>(
  service: Answering<Principal>,
  principalOf?: PrincipalOf<Principal, Request>,
): (request: Request, reply: FastifyReplyPart) => Promise<unknown> {
  checkArguments(service, principalOf)
  return async (request, reply) => {
    const { method, url, raw } = request
    const headers = headersOf(raw)
    const asked = { method, url, headers, body: contentOf(request, request.body), signal: signalOf(reply.raw) }
    const answer = await service.answer(principalOf ? { ...asked, principal: principalOf(request) } : asked)
    reply.code(answer.status)
    reply.headers(answer.headers)
    reply.send(answer.body)
    if (method === 'QUERY') drain(raw)
    return reply
  }
}

/** @throws TypeError that names the argument. */
function checkArguments(service: unknown, principalOf: unknown): void {
  if (typeof (service as Partial<Answering<object>> | undefined)?.answer !== 'function')
    throw new TypeError('service must be made by createListService')
  if (principalOf !== undefined && typeof principalOf !== 'function')
    throw new TypeError('principalOf must be a function of the request')
}

/**
 * Node keeps the first of two `Authorization` headers (https://nodejs.org/api/http.html#messageheaders), and a proxy may check the other.
 * Joined by a comma, as in `Headers` of the Web, they are no credentials.
 */
function headersOf({ headers, rawHeaders = [] }: NodeRequest): NodeRequest['headers'] {
  const isName = (text: string, at: number) => at % 2 === 0 && text.length === 13 && /^authorization$/i.test(text)
  const first = rawHeaders.findIndex(isName)
  if (first < 0 || rawHeaders.findLastIndex(isName) === first) return headers
  const values = rawHeaders.filter((_, at) => at > 0 && isName(rawHeaders[at - 1]!, at - 1))
  return { ...headers, authorization: values.join(', ') }
}

/** The content of a `QUERY`: the bytes that a parser kept as `rawBody`, or what the framework gives, bytes or a stream of Node. */
function contentOf(request: object & { readonly method?: string | undefined }, given: unknown): RequestContent {
  if (request.method !== 'QUERY') return undefined
  const { rawBody } = request as { readonly rawBody?: unknown }
  if (rawBody instanceof Uint8Array) return rawBody
  // The end of the iteration leaves the connection open for the answer.
  const stream = given as Partial<NodeRequest> | undefined
  return typeof stream?.iterator === 'function'
    ? stream.iterator({ destroyOnReturn: false })
    : (given as RequestContent)
}

/** Aborts when the client disconnects before the answer is complete. */
function signalOf(response: NodeResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/** The time for a client to end a content that nobody reads, in milliseconds. A client that still sends does not read its answer. */
const drainTime = 500

function drain(request: NodeRequest): void {
  if (request.complete) return
  request.resume()
  setTimeout(() => request.complete || request.destroy(), drainTime)
}
