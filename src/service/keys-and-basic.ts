/** Authentication by API keys, and by HTTP Basic where callers fetch their key. */
import { checkOptions } from '../options.ts'
import { member } from '../own.ts'
import type { Authentication, Authenticator } from './authenticator.ts'
import type { Awaitable } from './awaitable.ts'
import { limitConcurrency } from './concurrency.ts'
import { digestOf, isBasic, readApiKey, readBasic, sameDigest } from './credentials.ts'
import { isProblem, newProblem, type Problem } from './problem.ts'
import { targetOf, type RequestHead } from './request.ts'

/** The accounts of a service, which the application implements. `Principal` is the type of an authenticated caller. */
export interface Accounts<Principal extends object> {
  /**
   * Finds the account of an API key by the key's SHA-256 digest, in lower-case hexadecimal: see `digestOf`. So a store needs
   * no keys, only digests. The service compares the digests again, in constant time.
   */
  byKeyDigest(digest: string): Awaitable<{ readonly keyDigest: string; readonly principal: Principal } | undefined>
  /**
   * Finds the account with a name and a password. An implementation must
   * - hash passwords with a slow function, for example scrypt;
   * - do the same work for an unknown name as for a wrong password, so that timing does not reveal which names exist;
   * - always settle: a check that hangs keeps its place for ever.
   *
   * The service runs at most two checks at once. 16 more wait, and the next gets a 429 with `Retry-After`. A client that disconnects
   * leaves the queue. The limit is for one process and all callers together. To limit attempts by name or by address, use a proxy.
   */
  byPassword(name: string, password: string): Awaitable<PasswordAccount<Principal> | undefined>
}
interface PasswordAccount<Principal extends object> {
  readonly apiKey: string
  readonly principal: Principal
}

/** The options of {@link keysAndBasic}. */
export interface KeysAndBasicOptions {
  /** The realm in `WWW-Authenticate`. Default: `urlwhere`. */
  readonly realm?: string
  /** Accepts Basic credentials on list requests without a key. Default: false, because Basic sends the password each time. */
  readonly allowBasic?: boolean
}

const keyHeader = 'X-API-KEY'
const keyName = 'apiKey'

/** Two of the four threads of Node's pool (https://nodejs.org/api/cli.html#uv_threadpool_sizesize), which digests of keys use, too. */
const checksAtOnce = 2
const checksWaiting = 16
const busyText = 'too many password checks at once: try again in a moment'
const tooManyChecks = newProblem(429, 'checks_busy', busyText, { 'retry-after': '1' })

/**
 * Makes an authenticator of accounts with API keys. Callers send the key in `X-API-KEY`, or as `apiKey` in the query. With Basic
 * credentials they fetch the key of their account at `/api/apiKey`, where `/api` is the `basePath` of the service, which is required.
 *
 * @throws TypeError when an option has the wrong type.
 * @example
 * const service = createListService({
 *   authenticate: keysAndBasic(accounts, { realm: 'orders' }),
 *   basePath: '/api',
 *   collections: { orders: { collection: orderCollection, rows: orderRows, restriction: () => restriction } },
 * })
 */
export function keysAndBasic<Principal extends object>(
  accounts: Accounts<Principal>,
  options: KeysAndBasicOptions = {},
): Authenticator<Principal> {
  const { realm = 'urlwhere', allowBasic = false } = checkOptions(options, 'options', ['realm', 'allowBasic'])
  if (typeof accounts?.byKeyDigest !== 'function' || typeof accounts.byPassword !== 'function') {
    throw new TypeError('accounts must have the functions byKeyDigest and byPassword')
  }
  if (typeof realm !== 'string' || !/^[\x20-\x7e]*$/.test(realm) || /["\\]/.test(realm))
    throw new TypeError('realm must be ASCII without quotes')
  if (typeof allowBasic !== 'boolean') throw new TypeError('allowBasic must be a boolean')

  const admitCheck = limitConcurrency(checksAtOnce, checksWaiting)
  const basicChallenge = { 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` }
  const basic = allowBasic ? `, ${basicChallenge['www-authenticate']}` : ''
  const challenge = { 'www-authenticate': `ApiKey realm="${realm}"${basic}` }

  const basicText = 'send the name and the password of an account by HTTP Basic'
  const needsBasic = newProblem(401, 'basic_required', basicText, basicChallenge)
  const unknownKey = newProblem(401, 'key_unknown', 'unknown API key', challenge)
  const wrongBasic = newProblem(401, 'basic_wrong', 'wrong name or password', challenge)
  const refusedBasic = ({ url }: RequestHead): Problem => {
    const { path } = targetOf(url)
    const only = `Basic authentication works only for GET ${path.slice(0, path.lastIndexOf('/') + 1)}${keyName}`
    return newProblem(401, 'basic_refused', `${only}: fetch the key there, then send it in ${keyHeader}`, challenge)
  }
  const keyFaults: Readonly<Record<'missing' | 'repeated' | 'different', Problem>> = {
    missing: newProblem(401, 'key_missing', `send an API key in the ${keyHeader} header`, challenge),
    repeated: newProblem(400, 'key_repeated', 'more than one API key in the request: send one'),
    different: newProblem(400, 'key_different', 'the API key in the header differs from the one in the query'),
  }

  /** The account of Basic credentials, or a problem when too many checks run. */
  async function accountOf(
    { headers, signal: ofRequest }: RequestHead,
    signal: AbortSignal | null | undefined = ofRequest,
  ): Promise<PasswordAccount<Principal> | Problem | undefined> {
    const credentials = readBasic(headers.get('authorization'))
    if (credentials === undefined) return undefined
    const check = admitCheck(() => accounts.byPassword(credentials.name, credentials.password), signal)
    if (check === undefined) return tooManyChecks
    const account = await check
    if (!account) return undefined
    const apiKey = member(account, 'apiKey')
    if (typeof apiKey !== 'string') throw new TypeError('byPassword must give an account with its apiKey, a text')
    const principal = member(account, 'principal')
    // A copy of the two: an account of a store may have another member `status`.
    return principal ? { apiKey, principal } : undefined
  }

  return {
    // RFC 9110 has no header for advice; tools know Warning 299 of RFC 7234.
    queryCredentials: { [keyName]: `Send the key in the ${keyHeader} header: URLs are stored and logged on the way` },

    endpoints: {
      [keyName]: async (request, signal) => {
        const account = (await accountOf(request, signal)) ?? needsBasic
        return isProblem(account) ? account : { body: { apiKey: account.apiKey } }
      },
    },

    async authenticate(request, credentials, signal): Promise<Authentication<Principal>> {
      const reading = readApiKey(request.headers.get(keyHeader), credentials.get(keyName) ?? [])
      if (reading.fault === undefined) {
        const keyDigest = await digestOf(reading.key)
        const account = await accounts.byKeyDigest(keyDigest)
        // JavaScript gives null or false for nobody too.
        if (!account) return unknownKey
        const stored = member(account, 'keyDigest')
        if (typeof stored !== 'string')
          throw new TypeError('byKeyDigest must give an account with its keyDigest, a text')
        const principal = member(account, 'principal')
        return principal && sameDigest(stored, keyDigest) ? { principal } : unknownKey
      }
      const isMissing = reading.fault === 'missing' && isBasic(request.headers.get('authorization'))
      if (!isMissing) return keyFaults[reading.fault]
      return allowBasic ? ((await accountOf(request, signal)) ?? wrongBasic) : refusedBasic(request)
    },
  }
}
