/** Reads the rows, the count and the facets of a restricted query from the store. */
import { FilterError, type Issue } from '../issue/index.ts'
import type { Query } from '../query/index.ts'
import { own, ownOf } from '../own.ts'
import type { Awaitable } from './awaitable.ts'
import type { Endpoint, RowsAnswer, RowsContext } from './endpoint.ts'
import { fromStore } from './failure.ts'

/** A restricted query. */
export interface StoreQuery {
  readonly query: Query
  /** `query` with the fields of the key: an answer in a notation contains the key of each row. */
  readonly keyed: Query
}

/** The results of the adopter's functions. Nothing has checked them. */
export interface StoreAnswers {
  /** The rows of `find`, or the page of `read` or `page`. */
  readonly rows: unknown
  readonly count: unknown
  readonly facets: unknown
}

/**
 * @param whenEnded called when each call has ended: where one fails, or the time is over, the other may still run.
 * @returns the answers, or the error of a backend that refuses the client's query.
 */
export async function fetchRows<Principal extends object>(
  { rows, reader }: Endpoint<Principal>,
  { query, keyed }: StoreQuery,
  context: RowsContext<Principal>,
  whenEnded: () => void,
): Promise<StoreAnswers | FilterError> {
  const read = (): Awaitable<unknown> => rows[reader]!(keyed, context)
  const isAlone = query.count === false && own(query, 'facets') === undefined
  if (isAlone || reader === 'read') {
    try {
      const found = await fromStore(read)
      if (reader !== 'read') return { rows: found, count: undefined, facets: undefined }
      const { page, count, facets } = ownOf<Partial<RowsAnswer>>(found ?? {})
      return { rows: page, count, facets }
    } catch (error) {
      return refusalOf(error)
    } finally {
      whenEnded()
    }
  }
  // Promises, so that a call that throws leaves the others to `allSettled`.
  const calls = [
    read,
    () => (query.count ? rows.count!(query, context) : undefined),
    () => (own(query, 'facets') === undefined ? undefined : rows.facets!(query, context)),
  ].map(async (call) => fromStore<unknown>(call))
  void Promise.allSettled(calls).then(whenEnded)
  try {
    const [found, count, facets] = await Promise.all(calls)
    return { rows: found, count, facets }
  } catch (error) {
    return refusalOf(error)
  }
}

/**
 * Whether a backend refuses the client's query. Issues of other codes are about texts that `find` parses itself: the query's own
 * text has none here. An issue without a fault counts as the service's.
 */
const isOfClient = (issue: Issue): boolean => own(issue, 'fault') === 'client' && issue.code.startsWith('backend_')

/** @throws the error, where the client's query is not at fault. */
function refusalOf(error: unknown): FilterError {
  if (error instanceof FilterError && error.issues.every(isOfClient)) return error
  throw error
}
