/** Types of the JSON of an answer. Front-ends know a collection by its type alone. */
import type { Collection, InferRow, RowOf, Schema } from '../language/index.ts'
import type { FacetValue } from './facet-values.ts'
import type { RowCount } from './query.ts'

/** The paths that the parameter `fields` of a collection may select. */
export type SelectableOf<C> = C extends Collection<Schema, string, infer P> ? P : never
/** The paths that the parameter `facets` of a collection may name. */
export type FacetOf<C> = C extends Collection<Schema, string, string, string, string, infer P> ? P : never

/**
 * A row in the answer of a service, as JSON has it: dates, datetimes, decimals and bigints are texts, and no hidden field is there. A
 * field that is neither required nor in the key may be `null` or missing.
 *
 * @typeParam C the type of the collection.
 * @typeParam Asked the paths that the query names in `fields`, such as `'id' | 'total'`. Default: all that the collection shows, for a query without `fields`.
 * @example
 * type Order = AnswerRow<typeof orderCollection> // { id: number, arrival?: string | null, … }
 */
export type AnswerRow<C extends Collection, Asked extends SelectableOf<C> = SelectableOf<C>> =
  C extends Collection<Schema, string, string, infer Key, infer Hidden>
    ? string extends Key
      ? // The compiler does not know the fields.
        { readonly [name: string]: unknown }
      : RowOf<JsonRow<InferRow<C>>, [Asked] extends [never] ? undefined : Asked, Hidden>
    : never
/** A row of the store as the JSON of an answer has it: exact numbers and moments are texts. */
type JsonRow<Row> = { readonly [K in keyof Row]: Json<Row[K]> }
type Json<V> = bigint extends V ? string | Extract<V, null> : JsonPart<V>
type JsonPart<V> = V extends undefined | Date
  ? never
  : V extends readonly (infer E)[]
    ? readonly Json<E>[]
    : V extends object
      ? JsonRow<V>
      : V

/**
 * The answer of a service with a page of rows, as JSON has it.
 *
 * @typeParam C the type of the collection.
 * @typeParam Asked the paths that the query names in `fields`, as for {@link AnswerRow}.
 * @example type OrderPage = AnswerPage<typeof orderCollection> // { data: readonly Order[], page: { next?: string, … }, … }
 */
export interface AnswerPage<C extends Collection, Asked extends SelectableOf<C> = SelectableOf<C>> {
  readonly data: readonly AnswerRow<C, Asked>[]
  /** The cursors of the pages after and before, and the number of rows on all pages, for a query with `count`. */
  readonly page: { readonly next?: string; readonly previous?: string; readonly count?: RowCount }
  /** The values of each facet that the query names, by its dotted path. */
  readonly facets?: { readonly [P in FacetOf<C>]?: readonly FacetValue<FacetCount<C, P>>[] }
}
/** The count of a facet: a number, where no `max` bounds it. */
type FacetCount<C, P extends string> =
  C extends Collection<Schema, string, string, string, string, string, infer Table>
    ? string extends P
      ? RowCount
      : Table extends { readonly [K in P]: { readonly max: number } }
        ? RowCount
        : number
    : never
