/** Queries whose filter a program made. */
import { partsOfFilter } from '../src/query/index.ts'
import type { Query } from '../src/index.ts'

/** A query with other parts, of which any filter may be one. */
export function byHand<Q extends Query>({ restriction: _, ...query }: Q, parts: Partial<Query>) {
  const changed = { ...query, ...parts }
  return { ...changed, ...partsOfFilter(changed.filter) }
}
