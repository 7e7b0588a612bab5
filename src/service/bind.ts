/** The query of a request, bound to the collection of its caller. */
import type { Collection } from '../language/index.ts'
import { namedFor, bindObject, bindQuery, type ObjectResult, type QueryResult } from '../binding/index.ts'
import type { Query } from '../query/index.ts'
import { printQuery } from '../writing/index.ts'
import type { Endpoint } from './endpoint.ts'
import { holdsSecret } from './links.ts'
import type { RequestQuery } from './read.ts'

/** What a caller asks of a collection. */
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
): CallerQuery {
  const { collection, checkNotation } = viewOf(principal)
  checkNotation(notation)
  const timeZone = zoneOf(principal)
  const parsed =
    object === undefined
      ? bindQuery(collection, { ...namedFor(collection, text), timeZone, notation, resource })
      : bindObject(collection, { ...object, read: { ...text, timeZone } })
  return { collection, timeZone, parsed }
}

/** The text of a query for logs, with absolute values; `undefined` where it needs groups, which the collection lacks, or holds a secret. */
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
    // No log is worth an answer.
    return undefined
  }
}
