/** The facts of a request that `onRequest` gets. */

/** A request and its answer, for logs, metrics and traces. It contains no credential, no row and no restriction. */
export interface Observed<Principal extends object> {
  /** The caller; `undefined` if the service refused the request before it knew the caller. */
  readonly principal: Principal | undefined
  /** The name of the collection or of the endpoint; `undefined` if the path leads to none. */
  readonly collection: string | undefined
  /**
   * The query as `printQuery` writes it, without the restriction and the reserved pairs. It contains operands, and its cursor contains
   * values of the order. It is `undefined` if the query has issues, if the service did not read it, if a value may contain a credential,
   * or if `printQuery` needs a group for a day of a time zone and the collection has no groups.
   */
  readonly query: string | undefined
  /** The status of the answer. */
  readonly status: number
  /** The time from the request to the answer, in milliseconds. */
  readonly duration: number
  /** The number of rows in the page, even if a `HEAD` or a 304 does not send them. 0 for every other answer. */
  readonly rows: number
}

/** Facts that the making of an answer writes down for `onRequest`. */
export interface Notes<Principal extends object> {
  principal?: Principal
  query?: () => string | undefined
  rows?: number
}
