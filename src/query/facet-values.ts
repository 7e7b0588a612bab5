/** The values of a facet, in the order of an answer. */
import { compareOf } from '../tree/index.ts'
import { own } from '../own.ts'
import { nameOfFacet, type Facet } from './facets.ts'
import type { RowCount } from './query.ts'

/** A value of a field, and the number of the rows that have it. */
export interface FacetValue<Count extends RowCount = RowCount> {
  /** The value in the form of the schema, which JSON can represent; `null` for the rows without a value. */
  readonly value: string | number | boolean | null
  /** The text of the value, for a facet with a label; `null` if its rows have none. */
  readonly label?: string | null
  /** `{ atLeast }` for each value of a facet whose filter selects more rows than its `max`. */
  readonly count: Count
}

/** The values of each facet of a query, by its dotted path. Values with more rows come first; with equal numbers, in ascending order. */
export interface FacetValues {
  readonly [path: string]: readonly FacetValue[]
}

interface Tally {
  readonly value: FacetValue['value']
  label: string | null
  count: number
}

/** Adds up the rows of each value of a facet. */
export function tallyOf(facet: Facet) {
  const { type, limit } = facet
  const hasLabel = own(facet, 'label') !== undefined
  const compare = compareOf[type]
  const tallies = new Map<FacetValue['value'], Tally>()
  return {
    add(value: FacetValue['value'], count: number, label: string | null = null): void {
      const before = tallies.get(value)
      if (before === undefined) tallies.set(value, { value, label, count })
      else {
        before.count += count
        if (label !== null && (before.label === null || compareOf.string(label, before.label) < 0)) before.label = label
      }
    },
    /**
     * The values in order, at most as many as the facet has. `null` comes first among equals.
     *
     * @param isMore whether there are more rows than `max`.
     */
    values: (isMore: boolean): FacetValue[] =>
      Array.from(tallies.values())
        .sort((a, b) => b.count - a.count || (a.value === null ? -1 : b.value === null ? 1 : compare(a.value, b.value)))
        .slice(0, limit)
        .map(({ value, label, count }) => ({
          value,
          ...(hasLabel && { label }),
          count: isMore ? { atLeast: count } : count,
        })),
  }
}

export const namedValues = (facets: readonly Facet[], valuesOf: (facet: Facet) => readonly FacetValue[]): FacetValues =>
  Object.fromEntries(facets.map((facet) => [nameOfFacet(facet), valuesOf(facet)]))
