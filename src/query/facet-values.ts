/** The values of a facet, in the order of an answer. */
import { compareOf } from '../tree/index.ts'
import { nameOfFacet, type Facet } from './facets.ts'

/** A value of a field, and the number of the rows that have it. */
export interface FacetValue {
  /** The value in the form of the schema, which JSON can represent; `null` for the rows without a value. */
  readonly value: string | number | boolean | null
  readonly count: number
}

/** The values of each facet of a query, by its dotted path. Values with more rows come first; with equal numbers, in ascending order. */
export interface FacetValues {
  readonly [path: string]: readonly FacetValue[]
}

/** Puts the values of a facet in order, at most as many as it has. `null` comes first among equals. */
export function orderedValues(counts: ReadonlyMap<FacetValue['value'], number>, { type, limit }: Facet): FacetValue[] {
  const values = Array.from(counts, ([value, count]): FacetValue => ({ value, count }))
  const order = compareOf[type]
  return values
    .sort((a, b) => b.count - a.count || (a.value === null ? -1 : b.value === null ? 1 : order(a.value, b.value)))
    .slice(0, limit)
}

export const namedValues = (facets: readonly Facet[], valuesOf: (facet: Facet) => readonly FacetValue[]): FacetValues =>
  Object.fromEntries(facets.map((facet) => [nameOfFacet(facet), valuesOf(facet)]))
