/** Queries whose filter a program made. */
import { combine, filterBeside, partsOfFilter } from '../src/query/index.ts'
import { buildQuery, type Collection, type Filter, type Query } from '../src/index.ts'

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
export function builtFor(collection: Collection, { search: _, ...query }: Query, filter: Filter): Query {
  return withConditions(collection, { ...query, asked: partsOfFilter(filter).asked })
}

/** A query in which conditions replace each filter that a text expresses. */
export function withConditions(collection: Collection, { restriction: _, facets, ...query }: Query): Query {
  const asked = query.asked.flatMap((part) =>
    part.kind === 'filter' ? buildQuery(collection, { filter: part.filter }).asked : [part],
  )
  const filter = combine(asked)
  const ofFilter = facets && {
    facets: facets.map((facet) => ({ ...facet, filter: filterBeside(facet, asked, filter) })),
  }
  return { ...query, asked, filter, ...ofFilter }
}
