/** The options of `buildQuery`. */
import type { Filter } from '../tree/index.ts'

/** The parts of {@link buildQuery}. An absent part means the same as an absent parameter in a text. */
export interface QueryParts<
  Sortable extends string = string,
  Selectable extends string = string,
  Facet extends string = string,
> {
  /** A filter, such as one that `where` builds. Default: every row. */
  readonly filter?: Filter
  /** Paths. `-` before a path means descending order. `[]` is the order of the key. */
  readonly sort?: readonly (Sortable | `-${Sortable}`)[]
  /** The largest number of rows in a page. */
  readonly limit?: number
  /** The cursor `next` or `previous` of a page in the same order. */
  readonly cursor?: string | undefined
  /** The number of rows to skip before the page. */
  readonly offset?: number
  readonly fields?: readonly Selectable[]
  readonly count?: boolean
  /** The words of a search. A phrase is one word. */
  readonly search?: readonly string[]
  /** The paths of the fields whose values are counted. */
  readonly facets?: readonly Facet[]
}
