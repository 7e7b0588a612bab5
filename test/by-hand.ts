/** Queries whose filter a program made. */
import { partsOfFilter } from '../src/query/index.ts'
import type { Query } from '../src/index.ts'

/** A query with other parts, of which any filter may be one. Its facets count the rows of that filter. */
export function byHand<Q extends Query>(
  { restriction: _, search: __, facets = [], ...query }: Q,
  parts: Partial<Query>,
) {
  const changed = { ...query, ...parts }
  const { filter } = changed
  const ofFilter = facets.length > 0 && { facets: facets.map((facet) => ({ ...facet, filter })) }
  return { ...changed, ...partsOfFilter(filter), ...ofFilter, ...parts }
}
