/** Authenticators, and the one that a function makes. */
import { member, ownOf } from '../own.ts'
import { after, type Awaitable } from './awaitable.ts'
import { isProblem, newProblem, type Problem } from './problem.ts'
import type { CallerArgument, RequestHead } from './request.ts'

/** The caller of a request, or the problem that answers it. A principal is a plain object, or an object of your class. */
export type Authentication<Principal extends object> = { readonly principal: Principal } | Problem

/** Authenticates requests, if a function is not enough. `keysAndBasic` makes one. */
export interface Authenticator<Principal extends object> {
  /**
   * Finds the caller of a list request. A rejection becomes a 503, with a fault of the program, such as a `TypeError`, a 500. A result that
   * is neither a principal nor a problem becomes a 500.
   *
   * @param credentials the values of the pairs that `queryCredentials` names, from the URL and the content.
   * @param signal aborts when nobody waits for the answer any longer. Default: the signal of the request.
   */
  authenticate(
    request: RequestHead,
    credentials: ReadonlyMap<string, readonly string[]>,
    signal?: AbortSignal,
  ): Awaitable<Authentication<Principal>>
  /**
   * Pairs of the query with credentials, by name. They are not conditions, and no message and no link contains them. The value is the
   * text of a `Warning` header: advice for callers who write the pair in the URL.
   */
  readonly queryCredentials?: Readonly<Record<string, string>>
  /**
   * Further endpoints by name, for `GET` and `HEAD`. A service with endpoints needs the option `basePath`. Each function returns the body
   * of the answer, or a problem. A rejection becomes the same as one of `authenticate`.
   */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
}

/** @param signal aborts when nobody waits for the answer any longer. */
type Endpoint = (request: RequestHead, signal: AbortSignal) => Awaitable<{ readonly body: object } | Problem>

/**
 * Finds the principal of a request: an object. `undefined` and every other falsy value become a 401. A rejection becomes a 503, with a
 * fault of the program, such as a `TypeError`, a 500. Other values, and objects with a `status` of 400 or more, become a 500.
 */
export type Authenticate<Principal extends object> = (
  request: RequestHead,
) => (Principal & NoPromise) | undefined | Promise<Principal | undefined>
/** A promise is an object too: without this, the compiler would accept a promise of a comparison as a principal. */
interface NoPromise {
  readonly then?: never
}

/**
 * The answer to nobody.
 *
 * @param challenge the `WWW-Authenticate` header of a 401 (https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1).
 */
const unknownCaller = (challenge: string): Problem =>
  newProblem(401, 'caller_unknown', 'the request has no credentials that are accepted here', {
    'www-authenticate': challenge,
  })

/** Makes an authenticator out of a function. */
export function authenticatorOf<Principal extends object>(
  find: Authenticate<Principal>,
  challenge: string,
): Authenticator<Principal> {
  return {
    // JavaScript gives null, false or '' for nobody too.
    authenticate: (request) =>
      after(find(request), (principal) => (principal ? { principal } : unknownCaller(challenge))),
  }
}

/**
 * Reads the caller that a framework found. A runtime passes its environment in the same place.
 *
 * @returns `undefined` where the second argument has no principal: the service authenticates the request.
 * @throws TypeError when it has a principal and more: the environment of a runtime can have a variable of this name.
 */
export function authenticationOf<Principal extends object>(
  caller: Partial<CallerArgument<Principal>> | undefined,
  argument: string,
  challenge: string,
): Authentication<Principal> | undefined {
  if (typeof caller !== 'object' || caller === null || !Object.hasOwn(caller, 'principal')) return undefined
  const { principal, ...more } = caller
  if (Object.keys(more).length > 0) {
    throw new TypeError(`${argument} must be { principal } alone: call service(request) to authenticate the request`)
  }
  return principal ? readAuthentication({ principal }, `${argument} must have`) : unknownCaller(challenge)
}

/**
 * Reads the answer of an authenticator.
 *
 * @throws TypeError when the answer is neither a principal nor a problem, or is both: the caller stays unknown.
 */
export function readAuthentication<Principal extends object>(
  answer: Authentication<Principal>,
  subject = 'authenticate must give',
): Authentication<Principal> {
  const { principal } = ownOf(answer ?? {}) as { readonly principal?: Principal }
  if (isProblem(answer) && !principal) return answer
  if (isPrincipal(principal) && !hasErrorStatus(answer)) return { principal }
  throw new TypeError(
    `${subject} a principal, which is a plain object or an instance of a class, and has no status of 400 or more`,
  )
}

/**
 * Whether a value can be a principal. The tag tells a `Response`, an error, a list, a Map and other built-in objects. An object with
 * an HTTP error as its status was meant to refuse the caller. An object with `then` is a promise that nobody awaited.
 */
function isPrincipal<Principal extends object>(value: Principal | undefined): value is Principal {
  return (
    typeof value === 'object' &&
    Object.prototype.toString.call(value) === '[object Object]' &&
    !hasErrorStatus(value) &&
    typeof (value as { readonly then?: unknown }).then !== 'function'
  )
}

/** Frameworks name the status of an HTTP error `status` or `statusCode`. */
function hasErrorStatus(value: object): boolean {
  const names = ['status', 'statusCode'] as const
  return names.some((name) => {
    const code = member(value as { readonly [N in (typeof names)[number]]?: unknown }, name)
    return typeof code === 'number' && code >= 400
  })
}
