/** A list service over Web-standard requests: it finds what a path leads to, and answers every failure. */
import { ownOf } from '../own.ts'
import type { Awaitable } from './authenticator.ts'
import { contentType } from './content.ts'
import { fromStore, listerOf, StoreFailure } from './list.ts'
import { checkService, type AccountListServiceOptions, type ListServiceOptions } from './options.ts'
import { isProblem, jsonResponse, problemResponse, type Problem } from './problem.ts'

const unknownPath: Problem = { status: 404, code: 'path_unknown', detail: 'nothing is found at this path' }
const unexpectedFragment: Problem = {
  status: 400,
  code: 'fragment_unexpected',
  detail: 'unexpected fragment in the URL: write "#" as %23',
}

/** What a name under the base path leads to. */
interface Target {
  readonly methods: readonly string[]
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly answer: (request: Request, search: string) => Promise<Response>
}

/**
 * Makes a service that lists collections: filtered, ordered and in pages, by the query string. `authenticate` finds the caller:
 * a function from the request to the principal, or API keys by {@link keysAndBasic}. The service is a function of a
 * Web-standard `Request`: pass it to `Deno.serve`, `Bun.serve` or a worker's `fetch`, or on Node to an adapter like
 * `@hono/node-server`. `docs/guides/list-service.md` lists its answers.
 *
 * @returns a function that answers requests. It rejects only if `onError` throws: a failing store gives a 503, any other
 *   error a 500, both without internals.
 * @throws TypeError when an option has the wrong type, or when `rows.backend` cannot do what its collection offers.
 * @example
 * const sellers = new Map([['token-1', { seller: 's-1' }]])
 * const service = createListService({
 *   authenticate: ({ headers }) => sellers.get(headers.get('Authorization')?.replace('Bearer ', '') ?? ''),
 *   collections: {
 *     orders: { collection: orderCollection, rows: orderRows, restriction: ({ seller }) => where(orders).equals('seller', seller) },
 *   },
 * })
 * const headers = { Authorization: 'Bearer token-1' }
 * const response = await service(new Request('http://x/api/orders?sort=-total', { headers }))
 * response.status // => 200
 */
export function createListService<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): (request: Request) => Promise<Response> {
  const checked = checkService(options)
  const { collections, endpoints, basePath, problemTypes, onError } = checked
  const refuse = (problem: Problem) => problemResponse(problem, problemTypes)
  // A Map, so that no name finds what objects inherit.
  const targets = new Map<string, Target>([
    ...Array.from(collections, ([name, listed]): [string, Target] => [
      name,
      {
        methods: ['GET', 'HEAD', 'QUERY'],
        headers: { 'accept-query': contentType },
        answer: listerOf(checked, listed),
      },
    ]),
    ...Object.entries(endpoints).map(([name, endpoint]): [string, Target] => [
      name,
      { methods: ['GET', 'HEAD'], headers: {}, answer: (request) => tell(() => endpoint(request)) },
    ]),
  ])

  async function answer(request: Request, url: URL, target: Target | undefined): Promise<Response> {
    if (target === undefined) return refuse(unknownPath)
    const { methods } = target
    if (!methods.includes(request.method)) {
      const detail = `method not allowed: use ${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}`
      return refuse({ status: 405, code: 'method_not_allowed', detail, headers: { allow: methods.join(', ') } })
    }
    // By HTTP no fragment arrives; one that did would have cut conditions off the query.
    return url.hash === '' ? target.answer(request, url.search.slice(1)) : refuse(unexpectedFragment)
  }

  async function tell(call: () => Awaitable<{ readonly body: object } | Problem>): Promise<Response> {
    const told = await fromStore(call)
    if (isProblem(told)) return refuse(told)
    const { body } = ownOf(told ?? {})
    if (typeof body === 'object' && body !== null) return jsonResponse(200, body)
    throw new TypeError('endpoints must give a body, which is an object, or a problem')
  }

  return async (request) => {
    const url = new URL(request.url)
    const isBelow = url.pathname.startsWith(`${basePath}/`)
    const target = isBelow ? targets.get(url.pathname.slice(basePath.length + 1)) : undefined
    let response: Response
    try {
      response = await answer(request, url, target)
    } catch (error) {
      const failed = error instanceof StoreFailure
      onError(failed ? error.cause : error)
      response = failed ? refuse(unavailable) : refuse(serviceFailed)
    }
    for (const [name, value] of Object.entries(target?.headers ?? {})) response.headers.set(name, value)
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}

const unavailable: Problem = {
  status: 503,
  code: 'data_unavailable',
  detail: 'the data is unavailable at the moment: try again later',
}
const serviceFailed: Problem = {
  status: 500,
  code: 'service_failed',
  detail: 'the service failed to answer the request',
}
