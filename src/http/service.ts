/** A list service over Web-standard requests: it authenticates, parses the query, restricts it and answers with a page. */
import { map, or, type Filter } from '../ast/index.ts'
import type { Backend } from '../backends/backend.ts'
import { checkBackend } from '../check-backend.ts'
import { FilterError, report, type Issue, type Issues } from '../issue/index.ts'
import { checkLimits, type Limits } from '../syntax/index.ts'
import { checkOptions } from '../options.ts'
import { member, own, ownOf } from '../own.ts'
import {
  bindQuery,
  checkReservedQuery,
  readQueryText,
  restrict,
  shownBy,
  toPage,
  type Page,
  type Query,
  type ReadText,
} from '../query/index.ts'
import { checkCollection, type Collection } from '../language/index.ts'
import {
  authenticatorOf,
  readAuthentication,
  type Authenticate,
  type Authenticator,
  type Awaitable,
} from './authenticator.ts'
import { contentType, readContent } from './content.ts'
import { keysAndBasic, type Accounts, type KeysAndBasicOptions } from './keys-and-basic.ts'
import { linkHeader } from './links.ts'
import { errorsPage, isProblem, jsonResponse, problemResponse, type Problem } from './problem.ts'

/** The rows of a collection, by `find` or by `page`. A rejection becomes a 503. */
export type Rows = FoundRows | FoundPages

interface CountedRows {
  /** Returns how many rows the filter of the query selects on all pages. A collection with `count: true` needs it. */
  count?(query: Query): Awaitable<number>
  /**
   * The backend that `find` or `page` compiles with. With it, {@link createListService} throws if the backend cannot do what the collection
   * offers: see `checkBackend`. Without it, a query that needs this gives a 500.
   */
  readonly backend?: Backend<unknown>
}

/** Rows as a backend reads them. The service makes the pages. */
export interface FoundRows extends CountedRows {
  /**
   * Returns the rows that `compileQuery` of a backend reads: in the order of reading, at most `query.limit + 1`. They are JSON
   * values in the form of the schema, with the fields of the key and of the order.
   */
  find(query: Query): Awaitable<readonly unknown[]>
  readonly page?: undefined
}

/** Rows in pages: for SQL, whose compiled query makes the page of what the driver returned. */
export interface FoundPages extends CountedRows {
  /**
   * Returns what `page(rows)` of a compiled query makes, or `toPage`. The rows may be changed afterwards, as long as they are JSON
   * values in the form of the schema.
   */
  page(query: Query): Awaitable<Page<unknown>>
  readonly find?: undefined
}

/** A collection that the service lists: what callers may ask of it, its rows, and what each caller may see. */
export interface ListedCollection<Principal extends object> {
  /** What callers may ask; made by `defineCollection`. */
  readonly collection: Collection
  /** Where the rows are. */
  readonly rows: Rows
  /** A filter for the rows that a caller may see. It is and-ed with every query. `undefined` means none, `and()` means all. */
  readonly restriction: (principal: Principal) => Awaitable<Filter | undefined>
}

/** What every service has, however its callers authenticate. */
export interface ServiceOptions<Principal extends object> {
  /** The collections by name: `orders` is served at `/api/orders`. */
  readonly collections: Readonly<Record<string, ListedCollection<Principal>>>
  /** The path before the names of the collections. Default: `/api`. */
  readonly basePath?: string
  /** Limits on queries, as `parseQuery` takes them. */
  readonly limits?: Partial<Limits>
  /** The page that explains the codes of problems: a problem's `type` is this URI, `#` and the code. Default: the package's. */
  readonly problemTypes?: string
  /** Called with the error behind each 500 and 503. The answers do not contain it. */
  readonly onError?: (error: unknown) => void
}
/** The options of {@link createListService}. */
export interface ListServiceOptions<Principal extends object> extends ServiceOptions<Principal> {
  /** Finds out who sends a request: a function from the request to the principal, or `keysAndBasic(accounts)`. */
  readonly authenticate: Authenticate<Principal> | Authenticator<Principal>
  /** What `WWW-Authenticate` says where `authenticate` is a function and finds nobody. Default: `Bearer`. */
  readonly challenge?: string
}
/** The options of {@link createListService} with accounts: short for `authenticate: keysAndBasic(accounts, { realm, allowBasic })`. */
export interface AccountListServiceOptions<Principal extends object>
  extends ServiceOptions<Principal>, KeysAndBasicOptions {
  /** The accounts whose keys and passwords count. */
  readonly accounts: Accounts<Principal>
}

const sharedOptions = ['collections', 'basePath', 'limits', 'problemTypes', 'onError']
const authenticateOptions = ['authenticate', 'challenge']
const accountOptions = ['accounts', 'realm', 'allowBasic']

const unknownPath: Problem = { status: 404, code: 'path_unknown', detail: 'nothing is found at this path' }
const unexpectedFragment: Problem = {
  status: 400,
  code: 'fragment_unexpected',
  detail: 'unexpected fragment in the URL: write "#" as %23',
}

/** What a name under the base path leads to. */
interface Target {
  readonly methods: readonly string[]
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly answer: (request: Request, url: URL) => Promise<Response>
}

/**
 * Makes a service that lists collections: filtered, ordered and in pages, as the query string asks. `authenticate` finds out who
 * is asking: a function from the request to the principal, or API keys by {@link keysAndBasic}. The service is a function of a
 * Web-standard `Request`: pass it to `Deno.serve`, `Bun.serve` or a worker's `fetch`, or on Node to an adapter such as
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
  const authenticator = readAuthenticator(options)
  const pairs = member(authenticator, 'pairs') ?? {}
  const endpoints = member(authenticator, 'endpoints') ?? {}
  const given = ownOf(options)
  const { basePath = '/api', problemTypes = errorsPage, onError = () => {} } = given
  const reserved = Object.keys(pairs)
  const collections = checkCollections(given.collections, reserved, Object.keys(endpoints))
  const limits = checkLimits(given.limits)
  if (typeof basePath !== 'string' || !/^(?:\/[^/?#]+)*$/.test(basePath))
    throw new TypeError('basePath must begin with a slash and not end with one')
  if (typeof problemTypes !== 'string' || problemTypes.includes('#')) {
    throw new TypeError('problemTypes must be a URI without a fragment')
  }
  if (typeof onError !== 'function') throw new TypeError('onError must be a function')

  const refuse = (problem: Problem) => problemResponse(problem, problemTypes)
  // A Map, so that no name finds what objects inherit.
  const targets = new Map<string, Target>([
    ...Array.from(collections, ([name, listed]): [string, Target] => [
      name,
      {
        methods: ['GET', 'HEAD', 'QUERY'],
        headers: { 'accept-query': contentType },
        answer: listerOf(listed),
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
    return url.hash === '' ? target.answer(request, url) : refuse(unexpectedFragment)
  }

  async function tell(call: () => Awaitable<{ readonly body: object } | Problem>): Promise<Response> {
    const told = await fromStore(call)
    if (isProblem(told)) return refuse(told)
    const { body } = ownOf(told ?? {})
    if (typeof body === 'object' && body !== null) return jsonResponse(200, body)
    throw new TypeError('endpoints must give a body, which is an object, or a problem')
  }

  function listerOf(listed: ListedCollection<Principal>): Target['answer'] {
    const cutTo = shownBy(listed.collection)
    return (request, url) => list(request, listed, cutTo, url.search.slice(1))
  }

  async function list(
    request: Request,
    { collection, restriction, rows }: ListedCollection<Principal>,
    cutTo: ReturnType<typeof shownBy>,
    search: string,
  ): Promise<Response> {
    const inUrl = readQueryText(collection, search, { reserved, limits }, 0)
    const advice = reserved.find((name) => inUrl.reserved.has(name))
    const headers = advice === undefined ? {} : { warning: `299 - "${pairs[advice]}"` }
    const refuseWell = (problem: Problem) => refuse({ ...problem, headers: { ...headers, ...own(problem, 'headers') } })
    const badQuery = (issues: Issues) => refuseWell({ status: 400, detail: issues[0].message, issues })
    // A text that is too long is not parsed, so its credentials are unknown and the caller too.
    if (inUrl.tooLong !== undefined) return badQuery(report([inUrl.tooLong], limits.issues))

    const read = request.method === 'QUERY' ? await readContentText(request, collection, inUrl) : inUrl
    if (isProblem(read)) return refuseWell(read)

    const texts = [...new Set([inUrl, read])]
    const valuesOf = (name: string) => texts.flatMap((text) => text.reserved.get(name) ?? [])
    const credentials = new Map(reserved.map((name) => [name, valuesOf(name)]))
    const caller = readAuthentication(await fromStore(() => authenticator.authenticate(request, credentials)))
    if (isProblem(caller)) return refuseWell(caller)
    // After authentication: neither the answer nor its timing reveals the schema to strangers.
    const parsed = bindQuery(collection, read)
    if (!parsed.ok) return badQuery(parsed.issues)

    // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
    const visible = map((await restriction(caller.principal)) ?? or(), ({ span: _, ...node }) => node)
    const query = restrict(parsed.query, visible)
    try {
      const [found, count] = await Promise.all([
        pageOf(rows, query),
        query.count ? fromStore(() => rows.count!(query)) : undefined,
      ])
      const { rows: onPage, ...cursors } = found
      const page = { ...cursors, ...(count !== undefined && { count: checkCount(count) }) }
      // The content of a QUERY may be meant for no log: it is in no URL.
      const link = read === inUrl ? linkHeader(collection, inUrl.source, reserved, query, page) : undefined
      return jsonResponse(
        200,
        { data: onPage.map(cutTo(own(query, 'fields'))), page },
        { ...headers, ...(link && { link }) },
      )
    } catch (error) {
      if (error instanceof FilterError && error.issues.every(isOfClient)) return badQuery(error.issues)
      throw error
    }
  }

  /** The query in the content of a request, or why it is not read. */
  async function readContentText(
    request: Request,
    collection: Collection,
    inUrl: ReadText,
  ): Promise<ReadText | Problem> {
    const credentials = reserved.flatMap((name) => inUrl.reserved.get(name) ?? [])
    if (inUrl.source!.pairs.length > credentials.length) {
      const detail = `the URL of a QUERY request takes no query${['', ...reserved].join(' but ')}: send all of the query as content`
      return { status: 400, code: 'query_misplaced', detail }
    }
    const content = await readContent(request, limits.length)
    return isProblem(content) ? content : readQueryText(collection, content.text, { reserved, limits }, 0)
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

/**
 * Whether a backend refuses the client's query. Issues of other codes are about texts that `find` parses itself: the query's own
 * text has none here. An issue without a fault counts as the service's.
 */
const isOfClient = (issue: Issue): boolean => own(issue, 'fault') === 'client' && issue.code.startsWith('backend_')

async function pageOf(rows: Rows, query: Query): Promise<Page<unknown>> {
  if (rows.find !== undefined) return toPage(query, await fromStore(() => rows.find(query)))
  return checkPage(await fromStore(() => rows.page(query)), query)
}

const pageParts = ['rows', 'next', 'previous']

/** Refuses what only looks like a page: the result of a driver has `rows` too, and no cursors. */
function checkPage(page: Page<unknown>, { limit }: Query): Page<unknown> {
  const isPage =
    typeof page === 'object' &&
    page !== null &&
    Object.entries(page).every(([name, value]) =>
      name === 'rows'
        ? Array.isArray(value) && value.length <= limit
        : pageParts.includes(name) && typeof value === 'string',
    ) &&
    Object.hasOwn(page, 'rows')
  if (isPage) return page
  throw new TypeError('rows.page must return the page that page(rows) of a compiled query makes, or toPage')
}

/** Wraps whatever a store throws or rejects with. */
class StoreFailure extends Error {}

async function fromStore<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof FilterError ? error : new StoreFailure(undefined, { cause: error })
  }
}

function readAuthenticator<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): Authenticator<Principal> {
  const isOfAccounts = (given: typeof options): given is AccountListServiceOptions<Principal> =>
    given !== null && typeof given === 'object' && Object.hasOwn(given, 'accounts')
  checkOptions(options, 'options', [
    ...sharedOptions,
    ...(isOfAccounts(options) ? accountOptions : authenticateOptions),
  ])
  if (isOfAccounts(options)) {
    const { accounts, realm, allowBasic } = ownOf(options)
    return keysAndBasic(accounts, {
      ...(realm !== undefined && { realm }),
      ...(allowBasic !== undefined && { allowBasic }),
    })
  }
  const { authenticate, challenge = 'Bearer' } = ownOf(options)
  if (typeof challenge !== 'string' || !/^[\x20-\x7e]+$/.test(challenge))
    throw new TypeError('challenge must be printable ASCII')
  if (typeof authenticate === 'function') return authenticatorOf(authenticate, challenge)
  if (typeof authenticate?.authenticate === 'function') return authenticate
  throw new TypeError('authenticate must be a function or an authenticator, such as keysAndBasic(accounts)')
}

function checkCollections<Principal extends object>(
  collections: ServiceOptions<Principal>['collections'],
  reserved: readonly string[],
  endpoints: readonly string[],
): ReadonlyMap<string, ListedCollection<Principal>> {
  if (typeof collections !== 'object' || collections === null) throw new TypeError('collections must be an object')
  const checked = new Map(Object.entries(collections))
  for (const [name, listed] of checked) {
    const argument = `collections.${name}`
    if (!/^[\w.~-]+$/.test(name) || endpoints.includes(name)) {
      throw new TypeError(`${argument} must be a plain name${['', ...endpoints].join(' other than ')}`)
    }
    const { collection, rows, restriction } = checkOptions(listed, argument, ['collection', 'rows', 'restriction'])
    checkCollection(collection, `${argument}.collection`)
    checkReservedQuery(collection, reserved)
    if (typeof rows?.find !== 'function' && typeof rows?.page !== 'function') {
      throw new TypeError(`${argument}.rows must have the function find, or page`)
    }
    if (collection.parameters.has('count') && typeof rows.count !== 'function') {
      throw new TypeError(`${argument}.rows must have the function count, which the collection allows`)
    }
    if (typeof restriction !== 'function') throw new TypeError(`${argument}.restriction must be a function`)
    const backend = member(rows, 'backend')
    if (backend !== undefined) checkBackend(collection, backend, `${argument}.rows.backend`)
  }
  return checked
}

/** Drivers give numbers of rows as texts and bigints too. */
function checkCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count
  throw new TypeError('rows.count must return a whole number')
}
