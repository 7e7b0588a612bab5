/** Finds the caller of a request, and limits how many requests of a caller run at once. */
import { noReserved } from '../reading/index.ts'
import { authenticationOf, readAuthentication, type Authentication } from './authenticator.ts'
import { after, type Awaitable } from './awaitable.ts'
import { limitByKey } from './concurrency.ts'
import { fromStore } from './failure.ts'
import type { Service } from './options.ts'
import { newProblem } from './problem.ts'
import type { RequestQuery } from './read.ts'
import type { AskedRequest } from './request.ts'

/** Finds the caller of a request: the framework's, or the authenticator's. */
export function authenticate<Principal extends object>(
  { authenticator, challenge, queryCredentials }: Service<Principal>,
  { head, caller, argument }: AskedRequest<Principal>,
  { inUrl, text }: Pick<RequestQuery, 'inUrl' | 'text'>,
  signal: AbortSignal,
): Awaitable<Authentication<Principal>> {
  const passed = authenticationOf(caller, argument, challenge)
  if (passed !== undefined) return passed
  const names = Object.keys(queryCredentials)
  const texts = inUrl === text ? [text] : [inUrl, text]
  const valuesOf = (name: string) => texts.flatMap(({ reserved }) => reserved.get(name) ?? [])
  const credentials = names.length === 0 ? noReserved : new Map(names.map((name) => [name, valuesOf(name)]))
  const found = fromStore(() => authenticator.authenticate(head, credentials, signal))
  return after(found, (authentication) => readAuthentication(authentication))
}

/** The answer to a caller with too many requests. */
export const tooManyRequests = newProblem(
  429,
  'requests_busy',
  'too many requests of this caller run at once: try again when one of them has ended',
  { 'retry-after': '1' },
)

/** Admits a request of a caller: returns the function that ends it, or nothing where too many run. */
export type Admit<Principal extends object> = (principal: Principal) => (() => void) | undefined

const nothing = (): void => {}

/** The gate of a service for the requests of each caller. */
export function admissionOf<Principal extends object>({ concurrency }: Service<Principal>): Admit<Principal> {
  if (concurrency === undefined) return () => nothing
  const admit = limitByKey(concurrency.max)
  return (principal) => {
    const key = concurrency.key(principal)
    if (typeof key === 'string') return admit(key)
    throw new TypeError('concurrency.key must return a text')
  }
}
