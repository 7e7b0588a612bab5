/** The options of a list service, and their checks. */
import { checkLimits, type Limits } from '../language/index.ts'
import { checkNotation, type Notation } from '../reading/index.ts'
import { checkOptions } from '../options.ts'
import { member, ownOf } from '../own.ts'
import { authenticatorOf, type Authenticate, type Authenticator } from './authenticator.ts'
import type { Awaitable } from './awaitable.ts'
import { checkCache, type CacheOptions } from './caching.ts'
import { checkConcurrency, type ConcurrencyOptions } from './concurrency.ts'
import { keysAndBasic, type Accounts, type KeysAndBasicOptions } from './keys-and-basic.ts'
import { checkEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts'
import type { Observed } from './observe.ts'
import { errorsPage } from './problem.ts'
import type { RequestHead } from './request.ts'

/** Options of every service, however its callers authenticate. */
export interface ServiceOptions<Principal extends object> {
  /** The collections by name: a path that ends in `/orders` lists `orders`. */
  readonly collections: Readonly<Record<string, EndpointOptions<Principal>>>
  /**
   * The path before the names of the collections, for example `/api`. A framework may cut off the beginning of it or all of it. Default:
   * any path. An authenticator with endpoints, such as `keysAndBasic`, needs it.
   */
  readonly basePath?: string
  /** Limits on queries, like the option of `parseQuery`. */
  readonly limits?: Partial<Limits>
  /**
   * A notation of `urlwhere/notations`, for example `jsonServer`. The service reads requests and writes answers in this notation.
   * A function chooses the notation for each request. `undefined` chooses the language of this library.
   */
  readonly notation?: Notation | ((request: RequestHead) => Notation | undefined)
  /**
   * The longest time for an answer, in milliseconds. After it, `signal` of the rows' context aborts, and the answer is a 503. Default:
   * unlimited.
   */
  readonly timeout?: number
  /**
   * The most requests of a caller that run at once: the next gets a 429. Callers with the same `key` share the number. Each process
   * counts separately. A request counts until its rows are read, even after a timeout. Default: unlimited.
   */
  readonly concurrency?: ConcurrencyOptions<Principal>
  /**
   * Lets the caller's private cache keep a page for `maxAge` seconds, and adds an `ETag`: a request with it in `If-None-Match` gets a 304
   * if the page is unchanged. `vary` names the headers that `authenticate` reads. Default: `no-store`.
   */
  readonly cache?: CacheOptions
  /** The page that explains the codes of problems: a problem's `type` is this URI, `#` and the code. Default: the package's. */
  readonly problemTypes?: string
  /**
   * Called when an answer is complete, for logs, metrics and traces. The service does not wait for it, and passes its errors to
   * `onError`.
   */
  readonly onRequest?: (observed: Observed<Principal>) => Awaitable<void>
  /**
   * Called with the error behind each 500 and 503, and with the argument of `onRequest` for the same request. The answers do not contain the
   * error. A store's error may quote statements and values. It is also called once for each column of a SQL mapping with a value that the
   * type of the column cannot read: the answer shows `null` for the value.
   */
  readonly onError?: (error: unknown, observed: Observed<Principal>) => void
}
/** The options of {@link createListService}. */
export interface ListServiceOptions<Principal extends object> extends ServiceOptions<Principal> {
  /** Authenticates a request: a function from the request to the principal, or `keysAndBasic(accounts)`. */
  readonly authenticate: Authenticate<Principal> | Authenticator<Principal>
  /** The `WWW-Authenticate` header if `authenticate` is a function and finds nobody. Default: `Bearer`. */
  readonly challenge?: string
}
/**
 * The options of {@link createListService} with accounts: short for `authenticate: keysAndBasic(accounts, { realm, allowBasic })`, where
 * nothing else uses the authenticator.
 */
export interface AccountListServiceOptions<Principal extends object>
  extends ServiceOptions<Principal>, KeysAndBasicOptions {
  /** The accounts whose keys and passwords count. */
  readonly accounts: Accounts<Principal>
  /** The path before the names, for example `/api`: the key endpoint needs an exact path. */
  readonly basePath: string
}

/** The options of a service, checked and with their defaults. */
export interface Service<Principal extends object> {
  readonly authenticator: Authenticator<Principal>
  /** The `WWW-Authenticate` of a 401 to a request that a framework passes with nobody. */
  readonly challenge: string
  /** The pairs of the query with credentials, and the advice of their `Warning`. */
  readonly queryCredentials: Readonly<Record<string, string>>
  readonly endpoints: Required<Authenticator<Principal>>['endpoints']
  readonly collections: ReadonlyMap<string, Endpoint<Principal>>
  readonly basePath: string | undefined
  readonly limits: Limits
  readonly notationOf: (request: RequestHead) => Notation | undefined
  /** The notation of every request; `byRequest` if a function chooses it. */
  readonly notation: Notation | 'byRequest' | undefined
  readonly timeout: number | undefined
  readonly concurrency: ConcurrencyOptions<Principal> | undefined
  readonly cache: CacheOptions | undefined
  readonly problemTypes: string
  readonly onRequest: ServiceOptions<Principal>['onRequest']
  readonly onError: Required<ServiceOptions<Principal>>['onError']
}

const names = [
  'collections',
  'basePath',
  'limits',
  'notation',
  'timeout',
  'concurrency',
  'cache',
  'problemTypes',
  'onRequest',
  'onError',
] as const satisfies readonly (keyof ServiceOptions<object>)[]

const usualChallenge = 'Bearer'
/** The longest delay of a timer, in milliseconds (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args): 24 days. */
const longestTimer = 2 ** 31 - 1

/** @throws TypeError that names the wrong option. */
export function checkService<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): Service<Principal> {
  const [authenticator, challenge] = readAuthenticator(options)
  const queryCredentials = member(authenticator, 'queryCredentials') ?? {}
  const endpoints = member(authenticator, 'endpoints') ?? {}
  const checked = ownOf(options)
  const { basePath, timeout, onRequest, problemTypes = errorsPage, onError = () => {} } = checked
  const { notation } = checked
  const only = typeof notation === 'function' ? undefined : checkNotation(notation, 'notation')
  const notationOf =
    typeof notation === 'function'
      ? (request: RequestHead) => checkNotation(notation(request), 'notation(request)')
      : () => only
  const collections = checkCollections(checked.collections, Object.keys(queryCredentials), Object.keys(endpoints), only)
  const limits = checkLimits(checked.limits)
  if (basePath !== undefined && (typeof basePath !== 'string' || !/^(?:\/[^/?#]+)*$/.test(basePath)))
    throw new TypeError('basePath must begin with a slash and not end with one')
  // At any path, a limit of a proxy on the path of the endpoint would miss the others.
  if (basePath === undefined && Object.keys(endpoints).length > 0) {
    const names = Object.keys(endpoints).join(', ')
    throw new TypeError(
      `basePath must be set, such as '/api': the endpoint ${names} of authenticate needs an exact path`,
    )
  }
  if (timeout !== undefined && !(Number.isSafeInteger(timeout) && 1 <= timeout && timeout <= longestTimer))
    throw new TypeError(`timeout must be a whole number of milliseconds from 1 to ${longestTimer}`)
  if (typeof problemTypes !== 'string' || problemTypes.includes('#')) {
    throw new TypeError('problemTypes must be a URI without a fragment')
  }
  if (onRequest !== undefined && typeof onRequest !== 'function') throw new TypeError('onRequest must be a function')
  if (typeof onError !== 'function') throw new TypeError('onError must be a function')
  return {
    authenticator,
    challenge,
    queryCredentials,
    endpoints,
    collections,
    basePath,
    limits,
    notationOf,
    notation: typeof notation === 'function' ? ('byRequest' as const) : only,
    timeout,
    problemTypes,
    onRequest,
    onError,
    concurrency: checkConcurrency(checked.concurrency),
    cache: checkCache(checked.cache),
  }
}

function readAuthenticator<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): readonly [Authenticator<Principal>, challenge: string] {
  const isOfAccounts = (accountOptions: typeof options): accountOptions is AccountListServiceOptions<Principal> =>
    accountOptions !== null && typeof accountOptions === 'object' && Object.hasOwn(accountOptions, 'accounts')
  checkOptions(options, 'options', [
    ...names,
    ...(isOfAccounts(options) ? ['accounts', 'realm', 'allowBasic'] : ['authenticate', 'challenge']),
  ])
  if (isOfAccounts(options)) {
    const { accounts, realm, allowBasic } = ownOf(options)
    const accountOptions = { ...(realm !== undefined && { realm }), ...(allowBasic !== undefined && { allowBasic }) }
    return [keysAndBasic(accounts, accountOptions), usualChallenge]
  }
  const { authenticate, challenge = usualChallenge } = ownOf(options)
  if (typeof challenge !== 'string' || !/^[\x20-\x7e]+$/.test(challenge))
    throw new TypeError('challenge must be printable ASCII')
  if (typeof authenticate === 'function') return [authenticatorOf(authenticate, challenge), challenge]
  if (typeof authenticate?.authenticate === 'function') return [authenticate, challenge]
  throw new TypeError('authenticate must be a function or an authenticator, such as keysAndBasic(accounts)')
}

function checkCollections<Principal extends object>(
  collections: ServiceOptions<Principal>['collections'],
  credentials: readonly string[],
  endpoints: readonly string[],
  notation: Notation | undefined,
): ReadonlyMap<string, Endpoint<Principal>> {
  if (typeof collections !== 'object' || collections === null) throw new TypeError('collections must be an object')
  return new Map(
    Object.entries(collections).map(([name, endpoint]) => {
      const argument = `collections.${name}`
      if (!/^[\w.~-]+$/.test(name) || endpoints.includes(name)) {
        throw new TypeError(`${argument} must be a plain name${['', ...endpoints].join(' other than ')}`)
      }
      return [name, checkEndpoint(endpoint, argument, credentials, notation)]
    }),
  )
}
