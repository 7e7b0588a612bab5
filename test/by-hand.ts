/** Queries whose filter a program made. */
import { partsOfFilter } from '../src/query/index.ts'
import { buildQuery, type Collection, type Query } from '../src/index.ts'

/** A query with another filter, which stays a filter. Its facets count the rows of that filter. */
export function byHand<Q extends Query>(
  { restriction: _, search: __, facets = [], ...query }: Q,
  parts: Partial<Query>,
) {
  const changed = { ...query, ...parts }
  const { filter } = changed
  const ofFilter = facets.length > 0 && { facets: facets.map((facet) => ({ ...facet, filter })) }
  return { ...changed, ...partsOfFilter(filter), ...ofFilter, ...parts }
}

/** A query with another filter: the conditions that `buildQuery` makes of it, where a text has them. */
export function builtFor(collection: Collection, query: Query, filter = query.filter): Query {
  const built = buildQuery(collection, { filter })
  return { ...byHand(query, {}), asked: built.asked, filter: built.filter }
}
