/** A list service over Web-standard requests: it finds the endpoint of a path, and answers every failure. */
import type { Collection, Limits } from '../language/index.ts'
import type { Notation } from '../reading/index.ts'
import { own, ownOf } from '../own.ts'
import { jsonAnswer, responseOf, type ServiceAnswer } from './answer.ts'
import { answerFault } from './answers.ts'
import type { Awaitable } from './awaitable.ts'
import { contentTypes } from './content.ts'
import { EndedEarly, withDeadline, type Ended } from './deadline.ts'
import { admissionOf } from './admit.ts'
import { fromStore, StoreFailure } from './failure.ts'
import { listerOf, type ListRequest } from './list.ts'
import { observedOf, type Observation, type Observed } from './observe.ts'
import { checkService, type AccountListServiceOptions, type ListServiceOptions } from './options.ts'
import { isProblem, newProblem, type Problem } from './problem.ts'
import { askedOf, targetOf, type AskedRequest, type CallerArgument, type ServiceRequest } from './request.ts'
import type { Endpoint } from './endpoint.ts'
import { askedOfWeb } from './web.ts'

/** A collection of a service, as one caller may query it. */
export interface DescribedCollection {
  /** The last name of its path. */
  readonly name: string
  readonly collection: Collection
  /** The names of the pairs that `find` receives. */
  readonly reserved: readonly string[]
  /** The columns beside the fields of a row, and the JSON Schema of a page of its own form. */
  readonly answer: Pick<Endpoint<object>['answer'], 'columns' | 'schema'>
}

/** The parts of a service that one caller may use, for `openapi`. */
export interface DescribedService {
  /** The path before the names of the collections; `undefined` if the service answers at any path. */
  readonly basePath: string | undefined
  readonly limits: Limits
  readonly collections: readonly DescribedCollection[]
  /** The notation of every request; `byRequest` if a function chooses it. */
  readonly notation?: Notation | 'byRequest' | undefined
  /** The statuses that options of the service add to its answers: 304 by `cache`, 429 by `concurrency`. */
  readonly statuses: readonly (304 | 429)[]
}

/** A list service: a function of a Web-standard request, which answers requests as data, too. */
export interface ListService<Principal extends object> {
  /** Answers a request. It ignores other arguments of a runtime, for example the environment. */
  (request: Request, runtime?: object & { readonly principal?: never }): Promise<Response>
  /**
   * Answers a request that a framework has authenticated: the service does not authenticate it again. The principal `undefined` gives a
   * 401.
   */
  (request: Request, caller: { readonly principal: Principal | undefined }): Promise<Response>
  /** Answers a request as data, without an object of the Web. It rejects only if `onError` throws, or if the argument is not a request. */
  readonly answer: (request: ServiceRequest<Principal>) => Promise<ServiceAnswer>
  /** Describes the service for a caller. */
  readonly described: (principal: Principal) => DescribedService
}

const ended: Readonly<Record<Ended, Problem>> = {
  gone: newProblem(499, 'client_gone', 'the client went before the answer was complete'),
  timeout: newProblem(503, 'time_exceeded', 'the answer takes too long: ask for less, or try again later'),
}
const unknownPath = newProblem(404, 'path_unknown', 'nothing is found at this path')
const unexpectedFragment = newProblem(400, 'fragment_unexpected', 'unexpected fragment in the URL: write "#" as %23')

/** The target of a name under the base path. */
interface Target<Principal extends object> {
  readonly methods: readonly string[]
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly answer: (asked: ListRequest<Principal>) => Promise<ServiceAnswer>
}

/** The parts of the target of a row that differ from those of its list. */
const ofRow = { methods: ['GET', 'HEAD'], headers: {} }

/** What a path leads to. */
interface Place<Principal extends object> {
  readonly name: string
  /** The key of one row. */
  readonly key?: string
  readonly target: Target<Principal> | undefined
}

/** Matches a part of a path that is a key. A `Request` resolves dots, and reads a backslash as a slash. */
const isKey = /^(?!(?:\.|%2e){1,2}$)[^\\]+$/i

const unavailable = newProblem(503, 'data_unavailable', 'the data is unavailable at the moment: try again later')
const serviceFailed = newProblem(500, 'service_failed', 'the service failed to answer the request')

/**
 * Makes a service that lists collections: filtered, ordered and in pages, by the query string. `authenticate` finds the caller: a
 * function from the request to the principal, or API keys by {@link keysAndBasic}. The service is a function of a Web-standard `Request`:
 * pass it to `Deno.serve`, `Bun.serve` or a worker's `fetch`. `service.answer` takes and gives data, without an object of the Web. A
 * framework that has authenticated the caller calls `service(request, { principal })`. `docs/reference/list-service.md` lists its answers.
 *
 * @returns a function that answers requests. It rejects only if `onError` throws, or if the argument is not a Web-standard request. A
 *   failing store gives a 503, any other error a 500, both without internals. A fault of a program, such as a `TypeError` of a store, is a
 *   500: another try would meet it again.
 * @throws TypeError when an option has the wrong type, or when `rows.backend` refuses a part of its collection.
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
 * const data = await service.answer({ method: 'GET', url: '/api/orders?sort=-total', headers: { authorization: 'Bearer token-1' } })
 * data.body === (await response.text()) // => true
 */
export function createListService<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): ListService<Principal> {
  const checked = checkService(options)
  const { collections, endpoints, basePath, limits, timeout, problemTypes, onRequest, onError, notationOf } = checked
  const refuse = (problem: Problem, notation?: Notation) => answerFault(problem, problemTypes, notation)
  const admit = admissionOf(checked)
  const statuses = [...(checked.cache ? [304 as const] : []), ...(checked.concurrency ? [429 as const] : [])]
  // Maps, so that no name finds a property of `Object.prototype`.
  const lists = new Map(
    Array.from(collections, ([name, endpoint]): [string, Target<Principal>] => [
      name,
      {
        methods: ['GET', 'HEAD', 'QUERY'],
        headers: { 'accept-query': contentTypes },
        answer: listerOf(checked, name, endpoint, admit),
      },
    ]),
  )
  const others = new Map(
    Object.entries(endpoints).map(([name, endpoint]): [string, Target<Principal>] => [
      name,
      {
        methods: ['GET', 'HEAD'],
        headers: {},
        answer: ({ head, signal, notation }) => tell(() => endpoint(head, signal), notation),
      },
    ]),
  )

  /** Whether a path can be the base path. A framework cuts off the beginning of it: Express does (https://expressjs.com/en/5x/api.html#req.originalUrl). */
  const isBase = (path: string): boolean => basePath === undefined || basePath.endsWith(path)

  /**
   * Finds the target of a path: the last name is a collection or an endpoint, or the key of a row after a collection. Where both are
   * possible, an endpoint comes before a key, and so does a list, unless the path is what a framework left of the base path.
   */
  function placeOf(path: string): Place<Principal> {
    const names = path.split('/')
    const last = names.pop()!
    const base = names.join('/')
    const target = isBase(base) ? (others.get(last) ?? lists.get(last)) : undefined
    const isWhole = basePath === undefined || base === basePath || others.has(last)
    if (target !== undefined && isWhole) return { name: last, target }
    const name = names.pop() ?? ''
    const row = isBase(names.join('/')) && isKey.test(last) ? lists.get(name) : undefined
    return row === undefined ? { name: last, target } : { name, key: last, target: { ...row, ...ofRow } }
  }

  function answer(
    asked: ListRequest<Principal>,
    hasFragment: boolean,
    target?: Target<Principal>,
  ): Awaitable<ServiceAnswer> {
    const { notation } = asked
    if (target === undefined) return refuse(unknownPath, notation)
    const { methods } = target
    if (!methods.includes(asked.head.method)) {
      const detail = `method not allowed: use ${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}`
      return refuse(newProblem(405, 'method_not_allowed', detail, { allow: methods.join(', ') }), notation)
    }
    // By HTTP no fragment arrives; one that did would have cut conditions off the query.
    return hasFragment ? refuse(unexpectedFragment, notation) : target.answer(asked)
  }

  async function tell(
    call: () => Awaitable<{ readonly body: object } | Problem>,
    notation: Notation | undefined,
  ): Promise<ServiceAnswer> {
    const answer = await fromStore(call)
    if (isProblem(answer)) return refuse(answer, notation)
    const { body } = ownOf(answer ?? {})
    if (typeof body === 'object' && body !== null) return jsonAnswer(200, body)
    throw new TypeError('endpoints must give a body, which is an object, or a problem')
  }

  const problemOf = (error: unknown): Problem =>
    error instanceof EndedEarly ? ended[error.why] : error instanceof StoreFailure ? unavailable : serviceFailed

  /** @param read reads the argument of the service. */
  async function answerTo(read: () => AskedRequest<Principal>): Promise<ServiceAnswer> {
    const start = performance.now()
    const { head, content, caller, argument } = read()
    const { path, search, hasFragment } = targetOf(head.url)
    const { name, key, target } = ownOf(placeOf(path))
    const observation: Observation<Principal> = {}
    let observed: Observed<Principal> | undefined
    const observe = ({ status }: ServiceAnswer) =>
      (observed ??= observedOf(head, observation, {
        collection: target && name,
        status,
        duration: performance.now() - start,
      }))
    let notation: Notation | undefined
    let result: ServiceAnswer
    try {
      notation = notationOf(head)
      result = await withDeadline(head.signal, timeout, (signal) => {
        const asked = { head, content, caller, argument, search, key, signal, notation, observation }
        return answer(asked, hasFragment, target)
      })
    } catch (error) {
      result = refuse(problemOf(error), notation)
      const isGone = error instanceof EndedEarly && error.why === 'gone'
      if (!isGone) onError(error instanceof StoreFailure ? error.cause : error, observe(result))
    }
    for (const problem of own(observation, 'problems') ?? []) onError(problem, observe(result))
    if (onRequest !== undefined) {
      const seen = observe(result)
      const failed = (error: unknown) => onError(error, seen)
      try {
        Promise.resolve(onRequest(seen)).catch(failed)
      } catch (error) {
        failed(error)
      }
    }
    const { status, headers, body } = result
    return { status, headers: { ...headers, ...target?.headers }, body: head.method === 'HEAD' ? undefined : body }
  }

  const service = async (request: Request, caller?: Partial<CallerArgument<Principal>>) =>
    responseOf(await answerTo(() => askedOfWeb(request, caller)))

  return Object.assign(service, {
    answer: (request: ServiceRequest<Principal>) => answerTo(() => askedOf(request)),
    described: (principal: Principal): DescribedService => ({
      basePath,
      limits,
      statuses,
      notation: checked.notation,
      collections: Array.from(
        collections,
        ([
          name,
          {
            viewOf,
            reserved,
            answer: { columns, schema },
          },
        ]) => ({
          name,
          collection: viewOf(principal).collection,
          reserved,
          answer: { columns, schema },
        }),
      ),
    }),
  })
}
