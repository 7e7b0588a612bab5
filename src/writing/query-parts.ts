/** The parts of a query that code builds. */
import type { Filter } from '../tree/index.ts'

/** The parts of {@link buildQuery}. An absent part means the same as an absent parameter in a text. */
export interface QueryParts<
  Sortable extends string = string,
  Selectable extends string = string,
  Facet extends string = string,
> {
  /** For example from `where`. Default: every row. */
  readonly filter?: Filter
  /** Paths, each with `-` before it for descending order; `[]` is the order of the key. */
  readonly sort?: readonly (Sortable | `-${Sortable}`)[]
  /** Rows of a page. */
  readonly limit?: number
  /** `next` or `previous` of a page in the same order. */
  readonly cursor?: string | undefined
  /** The number of rows to skip before the page. */
  readonly offset?: number
  readonly fields?: readonly Selectable[]
  readonly count?: boolean
  /** The words of a search. A phrase is one word. */
  readonly search?: readonly string[]
  /** The fields whose values to count. */
  readonly facets?: readonly Facet[]
}
