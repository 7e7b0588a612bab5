/** A list service over Web-standard requests: it authenticates, restricts, parses the query and lists rows. */
import { and, map, or, type Filter } from '../ast/index.ts'
import { FilterError, report, type Issues } from '../issue/index.ts'
import { checkLimits, type Limits } from '../syntax/index.ts'
import { checkOptions } from '../options.ts'
import { bindText, checkReserved, readText } from '../query/index.ts'
import { checkSchema, type Schema } from '../language/index.ts'
import { limitConcurrency } from './concurrency.ts'
import { digestOf, isBasic, readApiKey, readBasic, sameDigest } from './credentials.ts'
import { jsonResponse, problemResponse, type Problem } from './problem.ts'

type Awaitable<T> = T | Promise<T>

/** The accounts of a service, which the caller implements. `Principal` is what the service knows of an authenticated caller. */
export interface Accounts<Principal> {
  /**
   * Finds the account of an API key by the key's SHA-256 digest, in lower-case hexadecimal: see `digestOf`. So a store needs
   * no keys, only digests. The service compares the digests again, in constant time.
   */
  byKeyDigest(digest: string): Awaitable<{ readonly keyDigest: string; readonly principal: Principal } | undefined>
  /**
   * Finds the account with a name and a password. An implementation must
   * - hash passwords with a slow function, such as scrypt;
   * - do the same work for an unknown name as for a wrong password, so that timing does not reveal which names exist;
   * - always settle: a check that hangs keeps its place for ever.
   *
   * The service runs at most two checks at once. 16 more wait, and the next gets a 429 with `Retry-After`. The limit is for
   * one process and all callers together. To limit attempts by name or by address, use a proxy.
   */
  byPassword(name: string, password: string): Awaitable<PasswordAccount<Principal> | undefined>
}
interface PasswordAccount<Principal> {
  readonly apiKey: string
  readonly principal: Principal
}

/** The rows of a collection. */
export interface Rows {
  /** Returns the rows that the filter selects, as JSON values, in the order of the answer. A rejection becomes a 503. */
  find(filter: Filter): Awaitable<readonly unknown[]>
}

/** A collection that the service lists: its schema, its rows, and what each caller may see. */
export interface Collection<Principal> {
  /** What callers may filter by. */
  readonly schema: Schema
  /** Where the rows are. */
  readonly rows: Rows
  /** A filter for the rows that a caller may see. It is and-ed with every query. `undefined` means none, `and()` means all. */
  readonly restriction: (principal: Principal) => Awaitable<Filter | undefined>
}

/** The options of {@link createListService}. */
export interface ListServiceOptions<Principal> {
  /** The collections by name: `orders` is served at `/api/orders`. */
  readonly collections: Readonly<Record<string, Collection<Principal>>>
  /** How callers authenticate. */
  readonly accounts: Accounts<Principal>
  /** The path before the names of the collections and `apiKey`. Default: `/api`. */
  readonly basePath?: string
  /** The realm in `WWW-Authenticate`. Default: `urlwhere`. */
  readonly realm?: string
  /** Accepts Basic credentials on list requests without a key. Default: false, because Basic sends the password each time. */
  readonly allowBasic?: boolean
  /** Limits on queries, as `parseFilter` takes them. */
  readonly limits?: Partial<Limits>
  /** Called with the error behind each 500 and 503. The answers do not contain it. */
  readonly onError?: (error: unknown) => void
}

const optionNames = ['collections', 'accounts', 'basePath', 'realm', 'allowBasic', 'limits', 'onError']

const keyHeader = 'X-API-KEY'
const keyName = 'apiKey'

/** Sent when the key comes in the URL. RFC 9110 has no header for advice; tools know Warning 299 of RFC 7234. */
const advice = { warning: `299 - "Send the key in the ${keyHeader} header: URLs are stored and logged on the way"` }

/**
 * Slow hashes and the digests of Web Crypto share the four threads of Node's pool
 * (https://nodejs.org/api/cli.html#uv_threadpool_sizesize): two are left for requests with a key.
 */
const checksAtOnce = 2
const checksWaiting = 16
const tooManyChecks: Problem = {
  status: 429,
  detail: 'too many password checks at once: try again in a moment',
  headers: { 'retry-after': '1' },
}

const keyFaults = {
  missing: { status: 401, detail: `send an API key in the ${keyHeader} header` },
  repeated: { status: 400, detail: 'more than one API key in the request: send one' },
  different: { status: 400, detail: 'the API key in the header differs from the one in the query' },
} as const

/**
 * Makes a service that lists collections filtered by the query string. Callers authenticate by API key. With Basic
 * credentials they fetch the key of their account at `/api/apiKey`. The service is a function of a Web-standard `Request`:
 * pass it to `Deno.serve`, `Bun.serve` or a worker's `fetch`, or on Node to an adapter such as `@hono/node-server`.
 * `docs/guides/list-service.md` lists its answers.
 *
 * @returns a function that answers requests. It rejects only if `onError` throws: a failing store gives a 503, any other
 *   error a 500, both without internals.
 * @throws TypeError when an option has the wrong type.
 * @example
 * const service = createListService({
 *   accounts,
 *   collections: { orders: { schema: orders, rows, restriction: ({ seller }) => where(orders).equals('seller', seller) } },
 * })
 * const response = await service(new Request('http://x/api/orders?total[gte]=10', { headers: { 'X-API-KEY': key } }))
 */
export function createListService<Principal>(
  options: ListServiceOptions<Principal>,
): (request: Request) => Promise<Response> {
  checkOptions(options, 'options', optionNames)
  const { accounts, basePath = '/api', realm = 'urlwhere', allowBasic = false, onError = () => {} } = options
  const collections = checkCollections(options.collections)
  const limits = checkLimits(options.limits)
  if (typeof accounts?.byKeyDigest !== 'function' || typeof accounts.byPassword !== 'function') {
    throw new TypeError('accounts must have the functions byKeyDigest and byPassword')
  }
  if (!/^(?:\/[^/?#]+)*$/.test(basePath)) throw new TypeError('basePath must begin with a slash and not end with one')
  if (!/^[\x20-\x7e]*$/.test(realm) || /["\\]/.test(realm)) throw new TypeError('realm must be ASCII without quotes')

  const basicChallenge = `Basic realm="${realm}", charset="UTF-8"`
  const keyChallenge = `ApiKey realm="${realm}"${allowBasic ? `, ${basicChallenge}` : ''}`
  const admitCheck = limitConcurrency(checksAtOnce, checksWaiting)

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const name = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length + 1) : ''
    const collection = collections.get(name)
    if (collection === undefined && name !== keyName) {
      return problemResponse({ status: 404, detail: 'nothing is found at this path' })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return problemResponse({
        status: 405,
        detail: 'method not allowed: use GET or HEAD',
        headers: { allow: 'GET, HEAD' },
      })
    }
    // By HTTP no fragment arrives; one that did would have cut conditions off the query.
    if (url.hash !== '') {
      return problemResponse({ status: 400, detail: 'unexpected fragment in the URL: write "#" as %23' })
    }
    return collection === undefined ? tellKey(request) : list(request, collection, url.search.slice(1))
  }

  async function tellKey(request: Request): Promise<Response> {
    const account = await accountOf(request.headers.get('authorization'))
    if (account !== undefined && 'status' in account) return problemResponse(account)
    if (account !== undefined) return jsonResponse(200, { apiKey: account.apiKey })
    const detail = 'send the name and the password of an account by HTTP Basic'
    return problemResponse({ status: 401, detail, headers: { 'www-authenticate': basicChallenge } })
  }

  /** The account of Basic credentials, or a problem when too many checks run. */
  async function accountOf(authorization: string | null): Promise<PasswordAccount<Principal> | Problem | undefined> {
    const credentials = readBasic(authorization)
    if (credentials === undefined) return undefined
    const { name, password } = credentials
    const check = admitCheck(() => fromStore(() => accounts.byPassword(name, password)))
    if (check === undefined) return tooManyChecks
    const account = await check
    // A copy of the two: an account of a store may have a member `status` of its own.
    return account && { apiKey: account.apiKey, principal: account.principal }
  }

  async function list(
    request: Request,
    { schema, restriction, rows }: Collection<Principal>,
    query: string,
  ): Promise<Response> {
    const read = readText(query, { reserved: [keyName], limits })
    const headers = read.syntax?.reserved.has(keyName) ? advice : {}
    const badQuery = (issues: Issues) => problemResponse({ status: 400, detail: issues[0].message, issues, headers })
    // A text that is too long is not parsed, so its key is unknown and the caller too.
    if (read.tooLong !== undefined) return badQuery(report([read.tooLong], limits.issues))

    const caller = await authenticate(request.headers, read.syntax.reserved.get(keyName) ?? [])
    if ('status' in caller) {
      const challenge = caller.status === 401 ? { 'www-authenticate': keyChallenge } : {}
      return problemResponse({ ...caller, headers: { ...headers, ...caller.headers, ...challenge } })
    }
    // After authentication: neither the answer nor its timing reveals the schema to strangers.
    const parsed = bindText(schema, read)
    if (!parsed.ok) return badQuery(parsed.issues)

    // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
    const visible = map((await restriction(caller.principal)) ?? or(), ({ span: _, ...node }) => node)
    const filter = and(visible, parsed.filter)
    try {
      const found = await fromStore(() => rows.find(filter))
      return jsonResponse(200, { data: found }, headers)
    } catch (error) {
      // Issues with a span are about the query. An issue of the restriction is an error of the service.
      const isOfQuery = error instanceof FilterError && error.issues.every(({ span }) => span !== undefined)
      if (isOfQuery) return badQuery(error.issues)
      throw error
    }
  }

  /** The caller of a list request: by key, and by Basic only where that is allowed. */
  async function authenticate(
    headers: Headers,
    query: readonly string[],
  ): Promise<{ readonly principal: Principal } | Problem> {
    const reading = readApiKey(headers.get(keyHeader), query)
    if ('key' in reading) {
      const keyDigest = await digestOf(reading.key)
      const account = await fromStore(() => accounts.byKeyDigest(keyDigest))
      if (account !== undefined && sameDigest(account.keyDigest, keyDigest)) return { principal: account.principal }
      return { status: 401, detail: 'unknown API key' }
    }
    const authorization = headers.get('authorization')
    if (reading.fault !== 'missing' || !isBasic(authorization)) return keyFaults[reading.fault]
    if (!allowBasic) {
      return {
        status: 401,
        detail: `Basic authentication works only for GET ${basePath}/${keyName}: fetch the key there, then send it in ${keyHeader}`,
      }
    }
    return (await accountOf(authorization)) ?? { status: 401, detail: 'wrong name or password' }
  }

  return async (request) => {
    let response: Response
    try {
      response = await answer(request)
    } catch (error) {
      const failed = error instanceof StoreFailure
      onError(failed ? error.cause : error)
      response = failed
        ? problemResponse({ status: 503, detail: 'the data is unavailable at the moment: try again later' })
        : problemResponse({ status: 500, detail: 'the service failed to answer the request' })
    }
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}

/** Wraps whatever a store throws or rejects with. */
class StoreFailure extends Error {}

async function fromStore<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof FilterError ? error : new StoreFailure('a store failed', { cause: error })
  }
}

function checkCollections<Principal>(
  collections: ListServiceOptions<Principal>['collections'],
): ReadonlyMap<string, Collection<Principal>> {
  if (typeof collections !== 'object' || collections === null) throw new TypeError('collections must be an object')
  // A Map, so that no name finds what objects inherit.
  const checked = new Map(Object.entries(collections))
  for (const [name, { schema, rows, restriction }] of checked) {
    if (!/^[\w.~-]+$/.test(name) || name === keyName) {
      throw new TypeError(`collections.${name} must be a plain name other than ${keyName}`)
    }
    checkSchema(schema)
    checkReserved(schema, [keyName])
    if (typeof rows?.find !== 'function') throw new TypeError(`collections.${name}.rows must have the function find`)
    if (typeof restriction !== 'function') throw new TypeError(`collections.${name}.restriction must be a function`)
  }
  return checked
}
