/** The interface of every backend. `docs/internals/custom-backend.md` explains how to write one. */
import { fold, type Filter, type Kind, type LiteralType, type Presence } from '../tree/index.ts'
import type { Issue, IssueParameters } from '../issue/index.ts'
import type { Query } from '../query/index.ts'
import { ofServer, typeOf, type Condition } from './issues.ts'

/** The features of a backend besides its kinds and types. */
export type Feature =
  /** The backend ignores case for every letter of Unicode, by simple lower-casing; without this feature, for ASCII at least. */
  | 'unicode-case'
  /**
   * A field may store a value of another type, and a list of objects may contain null: both count as no value. Typed columns exclude
   * them.
   */
  | 'other-forms'
  /** A list in place of a scalar or an object counts as missing. MongoDB looks into such lists. */
  | 'misplaced-lists'
  /** An object without any value differs from null, also in a list. An object that is spread over columns does not. */
  | 'empty-objects'
  /** Dates and datetimes may be stored as `Date` too. */
  | 'date-objects'
  /** Uuids may be stored in upper case; bigints and decimals as bigints, numbers, and texts with an exponent. */
  | 'value-forms'
  /** Datetimes are stored to the microsecond; without this feature, to the millisecond. */
  | 'microseconds'
  /** Decimals have 34 digits with the point anywhere; without this feature, only hundredths in 64 bits. */
  | 'long-decimals'
  /** The backend also compiles queries: it has `compileQuery`. */
  | 'queries'
  /** A sort field may store a value of another type, which is ordered like no value. MongoDB orders types before values. */
  | 'sorted-other-forms'
  /** Rows without a value can come last in ascending order, and first in descending order: `nulls` of a sort key. */
  | 'placed-nulls'
  /**
   * The backend orders and compares texts in lower case. A sort key with `ignoreCase` and the operators `gtIgnoreCase`, `gteIgnoreCase`,
   * `ltIgnoreCase` and `lteIgnoreCase` require it.
   */
  | 'ignored-case'
  /** The backend orders an enumeration by the list of its values. A sort key with `declared` requires it. */
  | 'declared-orders'
  /** The backend counts the values of facets: it has `facets`. */
  | 'facets'
  /** The backend tests whether a field of `field.json()` has a value. */
  | 'json'
  /** A field may be an object with keys that no schema declares. */
  | 'records'
  /** The backend writes the whole statement of a page, and reads its rows: it has `select`. It needs the schema. */
  | 'select'

/** The filters and queries that a backend supports exactly. It refuses all others. */
export interface Capabilities {
  readonly kinds: readonly Kind[]
  readonly types: readonly LiteralType[]
  readonly features: readonly Feature[]
  /** Conditions that the engine and its data must meet, in words. */
  readonly preconditions: readonly string[]
}

/** Compiles filters, for example to SQL. */
export interface Backend<Output> {
  /** For messages only. */
  readonly name: string
  readonly capabilities: Capabilities
  /**
   * Compiles a filter, without side effects. It refuses a filter that it cannot express exactly, because a restriction is a filter, too.
   *
   * @throws TypeError when `filter` is not a filter.
   * @throws FilterError with a `backend_*` issue for each part that it cannot express.
   */
  compile(filter: Filter): Output
  /** Compiles a query to the output that reads its page. A backend without it only filters. */
  compileQuery?(query: Query): unknown
  /** Compiles the facets of a query, for backends with the feature `facets`. */
  facets?(query: Query): unknown
  /** Compiles a query to the whole statement that reads its page, for backends with the feature `select`. */
  select?: ((query: Query) => unknown) | undefined
}

/** A backend that also orders rows, and reads pages of them. */
export interface QueryBackend<Output, Page> extends Backend<Output> {
  /**
   * Compiles a query. The output reads at most `limit + 1` rows, in the order of reading. `toPage` makes the page from them.
   *
   * @throws TypeError when `query` is not a query.
   * @throws FilterError with a `backend_*` issue for each part that it cannot express.
   */
  compileQuery(query: Query): Page
}

/** A backend that also counts the values of facets. */
export interface FacetBackend<Output, Page, Facets> extends QueryBackend<Output, Page> {
  /**
   * Compiles the facets of a query. Each facet counts the rows of its own filter. A row counts once for each of its distinct values. A
   * row without a value counts as `null`. Facets ignore order, page and fields of the query.
   *
   * @throws TypeError when `query` is not a query.
   * @throws FilterError with a `backend_*` issue for each part that it cannot express.
   */
  facets(query: Query): Facets
}

/**
 * Finds the parts of a filter that a backend does not support. It compares them with the declared kinds and types.
 *
 * @param filter the filter.
 * @param capabilities those of the backend.
 * @returns one issue for each part.
 * @throws TypeError when `filter` is not a filter.
 * @example checkSupport(filter, memoryBackend().capabilities) // => []
 */
export function checkSupport(filter: Filter, { kinds, types, features }: Capabilities): readonly Issue[] {
  const issues: Issue[] = []
  const refuse = (what: string, node: Filter, parameters: IssueParameters['backend_unsupported']) =>
    issues.push(ofServer('backend_unsupported', `this backend has no ${what}`, node, parameters))
  const visit = (node: Filter, type?: Presence['type']): void => {
    const { kind } = node
    if (!kinds.includes(kind)) refuse(`filters of kind ${kind}`, node, { problem: 'kind', kind })
    const isSupported = type === 'json' ? features.includes(type) : type === 'object' || types.includes(type!)
    if (type !== undefined && !isSupported) refuse(`${type} values`, node, { problem: 'type', type })
  }
  const ofType = (node: Condition): void => visit(node, typeOf(node))
  const ofMembers = (_: unknown, node: Filter): void => visit(node)
  fold<void>(filter, {
    and: ofMembers,
    or: ofMembers,
    not: ofMembers,
    some: ofMembers,
    comparison: ofType,
    membership: ofType,
    match: ofType,
    presence: ofType,
    count: (node) => visit(node, node.type),
  })
  return issues
}
