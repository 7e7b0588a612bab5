/** Queries as data: what one request asks for, and the check of one that comes from elsewhere. */
import {
  and,
  checkFilter,
  checkLiteral,
  checkPath,
  literalTypes,
  type Filter,
  type Literal,
  type LiteralType,
  type Path,
} from '../ast/index.ts'
import type { Span } from '../issue/index.ts'

/** One field that rows are ordered by. No value comes first in ascending order, and last in descending order. */
export interface SortKey {
  readonly path: Path
  readonly type: LiteralType
  readonly direction: 'ascending' | 'descending'
  readonly span?: Span
}

/** A place between two rows of an order: right after a row toward the next page, right before it toward the previous. */
export interface Position {
  readonly toward: 'next' | 'previous'
  /** What the row has for each sort key; `null` for no value. */
  readonly values: readonly (Literal | null)[]
}

/** What one request asks for: plain, frozen, JSON-safe. */
export interface Query {
  /** As `parseFilter` gives it. Order and page are not in it. */
  readonly filter: Filter
  /** A total order: it ends with the key of the collection. */
  readonly sort: readonly SortKey[]
  /** How many rows a page has at most. */
  readonly limit: number
  /** Where the page begins, or ends. */
  readonly position?: Position
  /** How many rows are left out before the page. */
  readonly offset?: number
  /** The fields that are asked for; all when absent. */
  readonly fields?: readonly Path[]
  /** Whether the number of all rows that the filter selects is asked for. */
  readonly count: boolean
}

/** An own property; `undefined` where there is none. */
export const own = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined

function objectOf(value: unknown, argument: string): object {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${argument} must be an object`)
  return value
}
function listOf<T>(value: unknown, argument: string, read: (item: unknown, argument: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw new TypeError(`${argument} must be a list`)
  return Object.freeze(Array.from(value as readonly unknown[], (item, at) => read(item, `${argument}[${at}]`)))
}
function oneOf<const T>(value: unknown, argument: string, values: readonly T[]): T {
  if (values.includes(value as T)) return value as T
  throw new TypeError(`${argument} must be ${values.slice(0, -1).join(', ')} or ${String(values.at(-1))}`)
}
function wholeNumber(value: unknown, argument: string, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  throw new TypeError(`${argument} must be a whole number of at least ${least}`)
}

function spanOf(value: unknown, argument: string): Span {
  const given = objectOf(value, argument)
  const start = wholeNumber(own(given, 'start'), `${argument}.start`, 0)
  return Object.freeze({ start, end: wholeNumber(own(given, 'end'), `${argument}.end`, start) })
}

function readSortKey(value: unknown, argument: string): SortKey {
  const given = objectOf(value, argument)
  const span = own(given, 'span')
  return Object.freeze({
    path: checkPath(own(given, 'path'), `${argument}.path`),
    type: oneOf(own(given, 'type'), `${argument}.type`, literalTypes),
    direction: oneOf(own(given, 'direction'), `${argument}.direction`, ['ascending', 'descending']),
    ...(span !== undefined && { span: spanOf(span, `${argument}.span`) }),
  })
}

/** Checks a position: one value for each sort key, of its type. */
function positionOf(value: unknown, sort: readonly SortKey[]): Position {
  const given = objectOf(value, 'query.position')
  const values = listOf(own(given, 'values'), 'query.position.values', (item, argument) => {
    if (item === null) return null
    return checkLiteral(item, argument)
  })
  if (values.length !== sort.length) throw new TypeError('query.position.values must have one value for each sort key')
  values.forEach((literal, at) => {
    const { type } = sort[at]!
    if (literal !== null && literal.type !== type) {
      throw new TypeError(`query.position.values[${at}].type must be ${type}, as in query.sort`)
    }
  })
  return Object.freeze({
    toward: oneOf(own(given, 'toward'), 'query.position.toward', ['next', 'previous']),
    values,
  })
}

/** The dotted text of a path. */
export const textOfPath = (path: Path): string => (path.length === 1 ? path[0]! : path.join('.'))

/**
 * Checks a query in every part. A query revived from JSON is input like any other.
 *
 * @returns a frozen copy of what a query declares.
 * @throws TypeError that names the part at fault.
 */
export function checkQuery(query: unknown): Query {
  const given = objectOf(query, 'query')
  const sort = listOf(own(given, 'sort'), 'query.sort', readSortKey)
  if (sort.length === 0) throw new TypeError('query.sort must end with the key of the collection')
  const paths = sort.map(({ path }) => textOfPath(path))
  const twice = paths.find((path, at) => paths.indexOf(path) !== at)
  if (twice !== undefined) throw new TypeError(`query.sort has ${twice} twice`)
  const position = own(given, 'position')
  const offset = own(given, 'offset')
  const fields = own(given, 'fields')
  if (position !== undefined && offset !== undefined) throw new TypeError('query must not have position and offset')
  return Object.freeze({
    filter: checkFilter(own(given, 'filter'), 'query.filter'),
    sort,
    limit: wholeNumber(own(given, 'limit'), 'query.limit', 1),
    ...(position !== undefined && { position: positionOf(position, sort) }),
    ...(offset !== undefined && { offset: wholeNumber(offset, 'query.offset', 0) }),
    ...(fields !== undefined && { fields: listOf(fields, 'query.fields', checkPath) }),
    count: oneOf(own(given, 'count'), 'query.count', [true, false]),
  })
}

/**
 * Conjoins a restriction at the root of a query's filter: what the caller may not see is in no page and in no count.
 *
 * @throws TypeError when the query or the restriction is invalid: `undefined` never vanishes.
 * @example restrict(query, where(orders).equals('seller', principal.seller))
 */
export function restrict(query: Query, restriction: Filter): Query {
  const checked = checkQuery(query)
  return Object.freeze({ ...checked, filter: and(checked.filter, checkFilter(restriction, 'restriction')) })
}
