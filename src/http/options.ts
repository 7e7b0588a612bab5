/** The options of a list service, and their checks. */
import type { Filter } from '../ast/index.ts'
import type { Backend } from '../backends/backend.ts'
import { checkBackend } from '../check-backend.ts'
import { checkCollection, type Collection } from '../language/index.ts'
import { checkOptions } from '../options.ts'
import { member, ownOf } from '../own.ts'
import { checkReservedQuery, type Count, type Page, type Query } from '../query/index.ts'
import { checkLimits, type Limits } from '../syntax/index.ts'
import { authenticatorOf, type Authenticate, type Authenticator, type Awaitable } from './authenticator.ts'
import { keysAndBasic, type Accounts, type KeysAndBasicOptions } from './keys-and-basic.ts'
import { errorsPage } from './problem.ts'

/** The rows of a collection, by `find` or by `page`. A rejection becomes a 503. */
export type Rows = FoundRows | FoundPages

interface CountedRows {
  /**
   * Returns how many rows the filter of the query selects on all pages. A collection with `count` needs it. Where `query.count` has a
   * `max`, it may stop at one row more, and may return `{ atLeast: max }`, as `countOf` makes it: the answer has that for every greater
   * number.
   */
  count?(query: Query): Awaitable<Count>
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
   * values in the form of the schema, with the fields of the key and of the order. A `bigint` or a `decimal` may be a bigint or a
   * number, too: the answer has its canonical text.
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

/** A collection that the service lists, its rows, and the restriction of each caller. */
export interface ListedCollection<Principal extends object> {
  /** The schema and what queries may have; made by `defineCollection`. */
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
  /** Limits on queries, in the form of the option of `parseQuery`. */
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
  /** The `WWW-Authenticate` header where `authenticate` is a function and finds nobody. Default: `Bearer`. */
  readonly challenge?: string
}
/** The options of {@link createListService} with accounts: short for `authenticate: keysAndBasic(accounts, { realm, allowBasic })`. */
export interface AccountListServiceOptions<Principal extends object>
  extends ServiceOptions<Principal>, KeysAndBasicOptions {
  /** The accounts whose keys and passwords count. */
  readonly accounts: Accounts<Principal>
}

/** The options of a service, checked and with their defaults. */
export interface Service<Principal extends object> {
  readonly authenticator: Authenticator<Principal>
  /** The pairs of the query with credentials, and the advice of their `Warning`. */
  readonly pairs: Readonly<Record<string, string>>
  readonly endpoints: Required<Authenticator<Principal>>['endpoints']
  readonly collections: ReadonlyMap<string, ListedCollection<Principal>>
  readonly basePath: string
  readonly limits: Limits
  readonly problemTypes: string
  readonly onError: (error: unknown) => void
}

/** @throws TypeError that names the wrong option. */
export function checkService<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): Service<Principal> {
  const authenticator = readAuthenticator(options)
  const pairs = member(authenticator, 'pairs') ?? {}
  const endpoints = member(authenticator, 'endpoints') ?? {}
  const given = ownOf(options)
  const { basePath = '/api', problemTypes = errorsPage, onError = () => {} } = given
  const collections = checkCollections(given.collections, Object.keys(pairs), Object.keys(endpoints))
  const limits = checkLimits(given.limits)
  if (typeof basePath !== 'string' || !/^(?:\/[^/?#]+)*$/.test(basePath))
    throw new TypeError('basePath must begin with a slash and not end with one')
  if (typeof problemTypes !== 'string' || problemTypes.includes('#')) {
    throw new TypeError('problemTypes must be a URI without a fragment')
  }
  if (typeof onError !== 'function') throw new TypeError('onError must be a function')
  return { authenticator, pairs, endpoints, collections, basePath, limits, problemTypes, onError }
}

function readAuthenticator<Principal extends object>(
  options: ListServiceOptions<Principal> | AccountListServiceOptions<Principal>,
): Authenticator<Principal> {
  const isOfAccounts = (given: typeof options): given is AccountListServiceOptions<Principal> =>
    given !== null && typeof given === 'object' && Object.hasOwn(given, 'accounts')
  checkOptions(options, 'options', [
    ...['collections', 'basePath', 'limits', 'problemTypes', 'onError'],
    ...(isOfAccounts(options) ? ['accounts', 'realm', 'allowBasic'] : ['authenticate', 'challenge']),
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
