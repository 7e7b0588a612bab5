/** The values of a facet, in the order of an answer. */
import type { LiteralType } from '../tree/index.ts'
import { nameOfFacet, type Facet } from './query.ts'
import { compareCodePoints } from '../values/order.ts'
import { compareDecimals } from '../values/exact.ts'
import { compareDateTimes } from '../values/time.ts'

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

type Value = Exclude<FacetValue['value'], null>

const byValue = <V extends number | bigint | boolean>(a: V, b: V): number => (a < b ? -1 : a > b ? 1 : 0)
const byText = (a: Value, b: Value): number => compareCodePoints(a as string, b as string)
const byNumber = (a: Value, b: Value): number => byValue(a as number, b as number)

/** The order of values in the form of the schema. */
const orderOf: { readonly [T in LiteralType]: (a: Value, b: Value) => number } = {
  string: byText,
  uuid: byText,
  integer: byNumber,
  bigint: (a, b) => byValue(BigInt(a), BigInt(b)),
  number: byNumber,
  decimal: (a, b) => compareDecimals(a as string, b as string),
  boolean: byNumber,
  date: byText,
  datetime: (a, b) => compareDateTimes(a as string, b as string),
}

/** Puts the values of a facet in order, at most as many as it has. `null` comes first among equals. */
export function orderedValues(counts: ReadonlyMap<FacetValue['value'], number>, { type, limit }: Facet): FacetValue[] {
  const values = Array.from(counts, ([value, count]): FacetValue => ({ value, count }))
  const order = orderOf[type]
  return values
    .sort((a, b) => b.count - a.count || (a.value === null ? -1 : b.value === null ? 1 : order(a.value, b.value)))
    .slice(0, limit)
}

/** The values of facets by their names. */
export const namedValues = (facets: readonly Facet[], valuesOf: (facet: Facet) => readonly FacetValue[]): FacetValues =>
  Object.fromEntries(facets.map((facet) => [nameOfFacet(facet), valuesOf(facet)]))
