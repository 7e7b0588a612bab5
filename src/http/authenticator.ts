/** What an authenticator is, and the one that a function makes. */
import type { Problem } from './problem.ts'

export type Awaitable<T> = T | Promise<T>

/** Who sends a request, or the problem that answers it. `Principal` is what the service knows of an authenticated caller. */
export type Authentication<Principal> = { readonly principal: Principal } | Problem

/** Finds out who sends a request, where a function is not enough: `keysAndBasic` makes one. */
export interface Authenticator<Principal> {
  /**
   * Finds the caller of a list request. A rejection becomes a 503.
   *
   * @param credentials the values of the pairs that are named in `pairs`, of the URL and of the content.
   */
  authenticate(
    request: Request,
    credentials: ReadonlyMap<string, readonly string[]>,
  ): Awaitable<Authentication<Principal>>
  /**
   * Pairs of the query that hold credentials, by name: they are no conditions, and no message and no link contains them. The
   * value is the advice for callers who write such a pair in the URL, as the text of a `Warning` header.
   */
  readonly pairs?: Readonly<Record<string, string>>
  /** What is served beside the collections, to `GET` and `HEAD`: the answer's body by name. A rejection becomes a 503. */
  readonly endpoints?: Readonly<Record<string, (request: Request) => Awaitable<{ readonly body: object } | Problem>>>
}

/** Finds the principal of a request. `undefined` becomes a 401, a rejection a 503. */
export type Authenticate<Principal> = (request: Request) => Awaitable<Principal | undefined>

/**
 * Makes an authenticator out of a function.
 *
 * @param challenge what `WWW-Authenticate` says in a 401 (https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1).
 */
export function authenticatorOf<Principal>(find: Authenticate<Principal>, challenge: string): Authenticator<Principal> {
  const unknown: Problem = {
    status: 401,
    code: 'caller_unknown',
    detail: 'the request has no credentials that are accepted here',
    headers: { 'www-authenticate': challenge },
  }
  return {
    // JavaScript may say null for nobody.
    authenticate: async (request) => {
      const principal = (await find(request)) ?? undefined
      return principal === undefined ? unknown : { principal }
    },
  }
}
