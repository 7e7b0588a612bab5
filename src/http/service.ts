/** A list service over Web-standard requests: who asks, what they may see, what they ask for. */
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

/** The accounts of a service. `Principal` is whatever the service knows of an authenticated caller. */
export interface Accounts<Principal> {
  /**
   * The account of an API key, found by the key's SHA-256 digest (lower-case hexadecimal): keys need not be
   * stored, and how long a look-up takes says nothing of them. The service compares the digests again.
   */
  byKeyDigest(digest: string): Awaitable<{ readonly keyDigest: string; readonly principal: Principal } | undefined>
  /**
   * The account of a name, when the password is the account's. An implementation has to
   * - hash passwords with a function that is slow on purpose, such as scrypt;
   * - do the same work for an unknown name as for a wrong password, so that time does not tell which names exist;
   * - always settle: a check that hangs keeps its place for ever.
   *
   * The service runs at most two checks at once and lets 16 more wait; beyond that it answers 429 with `Retry-After`.
   * It bounds this in each process, for all callers together: it does not count the attempts on a name or from an
   * address. A proxy in front limits by address.
   */
  byPassword(name: string, password: string): Awaitable<PasswordAccount<Principal> | undefined>
}
interface PasswordAccount<Principal> {
  readonly apiKey: string
  readonly principal: Principal
}

/** The rows of a collection. */
export interface Rows {
  /** The rows that the filter selects, in the order in which they are to be listed, as JSON values. */
  find(filter: Filter): Awaitable<readonly unknown[]>
}

/** A collection that the service lists: its schema, its rows, and what each caller may see. */
export interface Collection<Principal> {
  readonly schema: Schema
  readonly rows: Rows
  /** What a caller may see, whatever is asked for. `undefined` is nothing; `and()` is everything. */
  readonly restriction: (principal: Principal) => Awaitable<Filter | undefined>
}

/** The options of {@link createListService}. */
export interface ListServiceOptions<Principal> {
  /** By name: `orders` answers at `/api/orders`. */
  readonly collections: Readonly<Record<string, Collection<Principal>>>
  readonly accounts: Accounts<Principal>
  /** Before the names of the collections and `apiKey`; `/api` unless given. */
  readonly basePath?: string
  /** Named in `WWW-Authenticate`; `urlwhere` unless given. */
  readonly realm?: string
  /** Whether list requests without a key may authenticate by Basic. They should not: it sends the password each time. */
  readonly allowBasic?: boolean
  readonly limits?: Partial<Limits>
  /** Told of what ended in a 500 or 503, whose answers say nothing of it. */
  readonly onError?: (error: unknown) => void
}

const optionNames = ['collections', 'accounts', 'basePath', 'realm', 'allowBasic', 'limits', 'onError']

const keyHeader = 'X-API-KEY'
const keyName = 'apiKey'

/** Said when the key came in the URL. RFC 9110 has no header for advice; Warning 299 of RFC 7234 is known to tools. */
const advice = { warning: `299 - "Send the key in the ${keyHeader} header: URLs are stored and logged on the way"` }

/**
 * Slow hashes and the digests of Web Crypto share the four threads of Node's pool
 * (https://nodejs.org/api/cli.html#uv_threadpool_sizesize): two are left for requests with a key.
 */
const checksAtOnce = 2
const checksWaiting = 16
const tooManyChecks: Problem = {
  status: 429,
  detail: 'too many passwords are being checked: try again in a moment',
  headers: { 'retry-after': '1' },
}

const keyFaults = {
  missing: { status: 401, detail: `send an API key in the ${keyHeader} header` },
  repeated: { status: 400, detail: 'the API key stands more than once in the request' },
  different: { status: 400, detail: 'the API keys in the header and in the query differ' },
} as const

/**
 * A service that lists collections by the query language, to callers who authenticate by API key, and that
 * tells the key of an account to whoever authenticates by Basic. It is a function of a Web-standard `Request`:
 * give it to `Deno.serve`, `Bun.serve` or a worker's `fetch`, or on Node to an adapter such as
 * `@hono/node-server`. `docs/guides/list-service.md` has the table of its answers.
 *
 * @returns rejects only if `onError` throws: a failure of the stores is a 503, any other a 500, both without internals.
 * @throws TypeError when an option is not of its type.
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
      return problemResponse({ status: 404, detail: 'there is nothing at this path' })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return problemResponse({ status: 405, detail: 'this is read by GET and HEAD', headers: { allow: 'GET, HEAD' } })
    }
    // By HTTP no fragment arrives; one that did would have cut conditions off the query.
    if (url.hash !== '') {
      return problemResponse({ status: 400, detail: 'a URL of a request has no fragment: write "#" as %23' })
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

  /** The account of Basic credentials; a problem when too many passwords are being checked. */
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
    // A text that is too long is not read: nobody knows whose it is.
    if (read.tooLong !== undefined) return badQuery(report([read.tooLong], limits.issues))

    const caller = await authenticate(request.headers, read.syntax.reserved.get(keyName) ?? [])
    if ('status' in caller) {
      const challenge = caller.status === 401 ? { 'www-authenticate': keyChallenge } : {}
      return problemResponse({ ...caller, headers: { ...headers, ...caller.headers, ...challenge } })
    }
    // Only now: neither the answer nor its time tells a stranger what fields there are.
    const parsed = bindText(schema, read)
    if (!parsed.ok) return badQuery(parsed.issues)

    // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
    const visible = map((await restriction(caller.principal)) ?? or(), ({ span: _, ...node }) => node)
    const filter = and(visible, parsed.filter)
    try {
      const found = await fromStore(() => rows.find(filter))
      return jsonResponse(200, { data: found }, headers)
    } catch (error) {
      // What a backend cannot say of the query is the query's fault; of the restriction, it is ours.
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
      return { status: 401, detail: 'the API key is not known' }
    }
    const authorization = headers.get('authorization')
    if (reading.fault !== 'missing' || !isBasic(authorization)) return keyFaults[reading.fault]
    if (!allowBasic) {
      return {
        status: 401,
        detail: `Basic is for GET ${basePath}/${keyName}: fetch the key there, then send it in ${keyHeader}`,
      }
    }
    return (await accountOf(authorization)) ?? { status: 401, detail: 'the name or the password is wrong' }
  }

  return async (request) => {
    let response: Response
    try {
      response = await answer(request)
    } catch (error) {
      const failed = error instanceof StoreFailure
      onError(failed ? error.cause : error)
      response = failed
        ? problemResponse({ status: 503, detail: 'the data cannot be reached at the moment' })
        : problemResponse({ status: 500, detail: 'the request could not be answered' })
    }
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}

/** A store that rejected or threw, for whatever reason. */
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
  // A Map: no request names what an object inherits.
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
