/** A list service over Web-standard requests: it authenticates, parses the query, restricts it and answers with a page. */
import { map, or, type Filter } from '../ast/index.ts'
import { FilterError, report, type Issues } from '../issue/index.ts'
import { checkLimits, type Limits } from '../syntax/index.ts'
import { checkOptions } from '../options.ts'
import {
  bindQuery,
  checkReservedQuery,
  readQueryText,
  restrict,
  select,
  toPage,
  type Query,
  type ReadText,
} from '../query/index.ts'
import { checkCollection, type Collection } from '../language/index.ts'
import { limitConcurrency } from './concurrency.ts'
import { contentType, readContent } from './content.ts'
import { digestOf, isBasic, readApiKey, readBasic, sameDigest } from './credentials.ts'
import { linkHeader } from './links.ts'
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

/** The rows of a collection. A rejection becomes a 503. */
export interface Rows {
  /**
   * Returns the rows that `compileQuery` of a backend reads: in the order of reading, at most `query.limit + 1`. They are JSON
   * values in the form of the schema, with the fields of the key and of the order. The service makes the page of them.
   */
  find(query: Query): Awaitable<readonly unknown[]>
  /** Returns how many rows the filter of the query selects on all pages. A collection with `count: true` needs it. */
  count?(query: Query): Awaitable<number>
}

/** A collection that the service lists: what callers may ask of it, its rows, and what each caller may see. */
export interface ListedCollection<Principal> {
  /** What callers may ask; made by `defineCollection`. */
  readonly collection: Collection
  /** Where the rows are. */
  readonly rows: Rows
  /** A filter for the rows that a caller may see. It is and-ed with every query. `undefined` means none, `and()` means all. */
  readonly restriction: (principal: Principal) => Awaitable<Filter | undefined>
}

/** The options of {@link createListService}. */
export interface ListServiceOptions<Principal> {
  /** The collections by name: `orders` is served at `/api/orders`. */
  readonly collections: Readonly<Record<string, ListedCollection<Principal>>>
  /** How callers authenticate. */
  readonly accounts: Accounts<Principal>
  /** The path before the names of the collections and `apiKey`. Default: `/api`. */
  readonly basePath?: string
  /** The realm in `WWW-Authenticate`. Default: `urlwhere`. */
  readonly realm?: string
  /** Accepts Basic credentials on list requests without a key. Default: false, because Basic sends the password each time. */
  readonly allowBasic?: boolean
  /** Limits on queries, as `parseQuery` takes them. */
  readonly limits?: Partial<Limits>
  /** Called with the error behind each 500 and 503. The answers do not contain it. */
  readonly onError?: (error: unknown) => void
}

const optionNames = ['collections', 'accounts', 'basePath', 'realm', 'allowBasic', 'limits', 'onError']

const keyHeader = 'X-API-KEY'
const keyName = 'apiKey'
const reservedNames = [keyName]

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

const queryInUrl: Problem = {
  status: 400,
  detail: `the URL of a QUERY request takes no query but ${keyName}: send all of the query as content`,
}

const keyFaults = {
  missing: { status: 401, detail: `send an API key in the ${keyHeader} header` },
  repeated: { status: 400, detail: 'more than one API key in the request: send one' },
  different: { status: 400, detail: 'the API key in the header differs from the one in the query' },
} as const

/**
 * Makes a service that lists collections: filtered, ordered and in pages, as the query string asks. Callers authenticate by API key. With Basic
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
 *   collections: {
 *     orders: { collection: orderCollection, rows: orderRows, restriction: ({ seller }) => where(orders).equals('seller', seller) },
 *   },
 * })
 * const response = await service(new Request('http://x/api/orders?sort=-total', { headers: { 'X-API-KEY': key } }))
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

  /** What a path names: a collection, the key endpoint, or nothing. */
  function targetOf({ pathname }: URL): ListedCollection<Principal> | typeof keyName | undefined {
    const name = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : ''
    return name === keyName ? keyName : collections.get(name)
  }

  async function answer(request: Request, url: URL): Promise<Response> {
    const target = targetOf(url)
    if (target === undefined) return problemResponse({ status: 404, detail: 'nothing is found at this path' })
    const methods = target === keyName ? ['GET', 'HEAD'] : ['GET', 'HEAD', 'QUERY']
    if (!methods.includes(request.method)) {
      const detail = `method not allowed: use ${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}`
      return problemResponse({ status: 405, detail, headers: { allow: methods.join(', ') } })
    }
    // By HTTP no fragment arrives; one that did would have cut conditions off the query.
    if (url.hash !== '') {
      return problemResponse({ status: 400, detail: 'unexpected fragment in the URL: write "#" as %23' })
    }
    return target === keyName ? tellKey(request) : list(request, target, url.search.slice(1))
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
    { collection, restriction, rows }: ListedCollection<Principal>,
    search: string,
  ): Promise<Response> {
    const inUrl = readQueryText(collection, search, { reserved: reservedNames, limits })
    const headers = inUrl.syntax?.().reserved.has(keyName) ? advice : {}
    const refuse = (problem: Problem) => problemResponse({ ...problem, headers: { ...headers, ...problem.headers } })
    const badQuery = (issues: Issues) => refuse({ status: 400, detail: issues[0].message, issues })
    // A text that is too long is not parsed, so its key is unknown and the caller too.
    if (inUrl.tooLong !== undefined) return badQuery(report([inUrl.tooLong], limits.issues))

    const read = request.method === 'QUERY' ? await readContentText(request, collection, inUrl) : inUrl
    if ('status' in read) return refuse(read)

    const keys = [...new Set([inUrl, read])].flatMap(({ syntax }) => syntax?.().reserved.get(keyName) ?? [])
    const caller = await authenticate(request.headers, keys)
    if ('status' in caller) {
      const challenge = caller.status === 401 ? { 'www-authenticate': keyChallenge } : {}
      return refuse({ ...caller, headers: { ...caller.headers, ...challenge } })
    }
    // After authentication: neither the answer nor its timing reveals the schema to strangers.
    const parsed = bindQuery(collection, read)
    if (!parsed.ok) return badQuery(parsed.issues)

    // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
    const visible = map((await restriction(caller.principal)) ?? or(), ({ span: _, ...node }) => node)
    const query = restrict(parsed.query, visible)
    try {
      const [found, count] = await Promise.all([
        fromStore(() => rows.find(query)),
        query.count ? fromStore(() => rows.count!(query)) : undefined,
      ])
      const { rows: onPage, ...cursors } = toPage(query, found)
      const page = { ...cursors, ...(count !== undefined && { count: checkCount(count) }) }
      // The content of a QUERY may be meant for no log: it is in no URL.
      const link = read === inUrl ? linkHeader(collection, inUrl.syntax(), reservedNames, query, page) : undefined
      return jsonResponse(200, { data: onPage.map(select(query.fields)), page }, { ...headers, ...(link && { link }) })
    } catch (error) {
      // Issues with a span are about the query. An issue of the restriction is an error of the service.
      const isOfQuery = error instanceof FilterError && error.issues.every(({ span }) => span !== undefined)
      if (isOfQuery) return badQuery(error.issues)
      throw error
    }
  }

  /** The query in the content of a request, or why it is not read. */
  async function readContentText(
    request: Request,
    collection: Collection,
    { syntax }: ReadText,
  ): Promise<ReadText | Problem> {
    const { source, reserved } = syntax?.() ?? {}
    const pairs = source?.text.replace(/^\?/, '').split('&') ?? []
    const keys = reserved?.get(keyName) ?? []
    if (pairs.filter((pair) => pair !== '').length > keys.length) return queryInUrl
    const content = await readContent(request, limits.length)
    return 'text' in content ? readQueryText(collection, content.text, { reserved: reservedNames, limits }) : content
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
    const url = new URL(request.url)
    let response: Response
    try {
      response = await answer(request, url)
    } catch (error) {
      const failed = error instanceof StoreFailure
      onError(failed ? error.cause : error)
      response = failed
        ? problemResponse({ status: 503, detail: 'the data is unavailable at the moment: try again later' })
        : problemResponse({ status: 500, detail: 'the service failed to answer the request' })
    }
    const target = targetOf(url)
    if (target !== undefined && target !== keyName) response.headers.set('accept-query', contentType)
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
): ReadonlyMap<string, ListedCollection<Principal>> {
  if (typeof collections !== 'object' || collections === null) throw new TypeError('collections must be an object')
  // A Map, so that no name finds what objects inherit.
  const checked = new Map(Object.entries(collections))
  for (const [name, listed] of checked) {
    const argument = `collections.${name}`
    if (!/^[\w.~-]+$/.test(name) || name === keyName) {
      throw new TypeError(`${argument} must be a plain name other than ${keyName}`)
    }
    checkOptions(listed, argument, ['collection', 'rows', 'restriction'])
    const { collection, rows, restriction } = listed
    checkCollection(collection, `${argument}.collection`)
    checkReservedQuery(collection, reservedNames)
    if (typeof rows?.find !== 'function') throw new TypeError(`${argument}.rows must have the function find`)
    if (collection.parameters.has('count') && typeof rows.count !== 'function') {
      throw new TypeError(`${argument}.rows must have the function count, which the collection allows`)
    }
    if (typeof restriction !== 'function') throw new TypeError(`${argument}.restriction must be a function`)
  }
  return checked
}

/** Drivers give numbers of rows as texts and bigints too. */
function checkCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count
  throw new TypeError('rows.count must return a whole number')
}
