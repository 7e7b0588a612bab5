/** The facts of a request that `onRequest` and `onError` get. */
import type { Issues } from '../issue/index.ts'
import { own } from '../own.ts'
import type { RequestHead } from './request.ts'

/**
 * A request and its answer, for logs, metrics and traces. It contains no row and no restriction. Only `request` contains credentials: this
 * member is not enumerable, so a log of the whole value leaves it out.
 */
export interface Observed<Principal extends object> {
  /** The request as it came. The service has already read the content of a `QUERY`. Its URL and its headers may contain credentials. */
  readonly request: RequestHead
  /** The caller; `undefined` if the service refused the request before it knew the caller. */
  readonly principal: Principal | undefined
  /** The name of the collection or of the endpoint; `undefined` if the path leads to none. */
  readonly collection: string | undefined
  /**
   * The key of one row, as the path has it; `undefined` for a list. It is `undefined`, too, if the request has issues, if the service did
   * not read it, or if the key may contain a credential.
   */
  readonly key: string | undefined
  /**
   * The query as `printQuery` writes it, without the restriction and the reserved pairs. It contains operands, and its cursor contains
   * values of the order. It is `undefined` if the query has issues, if the service did not read it, if a value may contain a credential,
   * or if `printQuery` needs a group for a day of a time zone and the collection has no groups.
   */
  readonly query: string | undefined
  /** The issues of the answer, as in a 400; `undefined` if it has none. Their messages contain no operand. */
  readonly issues: Issues | undefined
  /** The status of the answer. */
  readonly status: number
  /** The time from the request to the answer, in milliseconds. */
  readonly duration: number
  /** The number of rows in the page, even if a `HEAD` or a 304 does not send them. 0 for every other answer. */
  readonly rows: number
}

/** The facts of a request that the stages of its answer collect for logs. */
export interface Observation<Principal extends object> {
  principal?: Principal
  query?: () => string | undefined
  key?: string | undefined
  issues?: Issues
  rows?: number
  /** Problems that the answer does not show, for `onError`. */
  problems?: readonly Error[]
}

export function observedOf<Principal extends object>(
  request: RequestHead,
  observation: Observation<Principal>,
  answer: Pick<Observed<Principal>, 'collection' | 'status' | 'duration'>,
): Observed<Principal> {
  const observed = {
    principal: own(observation, 'principal'),
    key: own(observation, 'key'),
    query: own(observation, 'query')?.(),
    issues: own(observation, 'issues'),
    rows: own(observation, 'rows') ?? 0,
    ...answer,
  }
  return Object.defineProperty(observed, 'request', { value: request, enumerable: false }) as typeof observed & {
    request: RequestHead
  }
}
