/** Binds the query of a request to the collection of its caller. */
import type { Collection } from '../language/index.ts'
import { namedFor, bindObject, bindQuery, bindRow, type ObjectResult, type QueryResult } from '../binding/index.ts'
import type { Query } from '../query/index.ts'
import { adviser, objectAdviser } from '../hints/index.ts'
import { printQuery } from '../writing/index.ts'
import type { Endpoint } from './endpoint.ts'
import { holdsSecret } from './links.ts'
import type { RequestQuery } from './read.ts'

/** The query of a caller, bound to a collection. */
export interface CallerQuery {
  readonly collection: Collection
  readonly timeZone: string | undefined
  readonly parsed: QueryResult | ObjectResult
}

/** @throws TypeError when the notation of the request requires an option that the collection lacks. */
export function bindRequest<Principal extends object>(
  { viewOf, zoneOf }: Endpoint<Principal>,
  resource: string,
  { text, object, notation }: RequestQuery,
  principal: Principal,
  key: string | undefined,
): CallerQuery {
  const { collection, checkNotation } = viewOf(principal)
  checkNotation(notation)
  const timeZone = zoneOf(principal)
  const named = () => ({ ...namedFor(collection, text), timeZone, notation, resource })
  const parsed =
    object === undefined
      ? key === undefined
        ? bindQuery(collection, named(), adviser)
        : bindRow(collection, key, named(), adviser)
      : bindObject(collection, { ...object, read: { ...text, timeZone } }, objectAdviser)
  return { collection, timeZone, parsed }
}

/**
 * Prints a query for logs, with absolute values. Returns `undefined` if the text may contain a credential, or needs groups that the
 * collection does not allow.
 */
export function logText(
  { collection, timeZone }: CallerQuery,
  query: Query,
  { text }: RequestQuery,
  credentials: readonly string[],
): string | undefined {
  if (holdsSecret(text.source!, credentials)) return undefined
  try {
    return printQuery(collection, query, { timeZone })
  } catch {
    // The answer does not depend on the log.
    return undefined
  }
}
