/** Queries as data: order, positions and pages. docs/concepts says what each means. */
import {
  and,
  checkFilter,
  comparison,
  literalTypes,
  not,
  or,
  presence,
  type Filter,
  type Literal,
  type LiteralType,
  type Path,
} from '../ast/index.ts'
import type { Span } from '../issue/index.ts'
import type { AskedOrder, Collection } from '../language/index.ts'
import { canonicalDateTime, isDay, isPlainText, momentOf, utcDay } from '../text.ts'

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

/** Rows in the asked order, and the cursors of the pages beside them. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next?: string
  readonly previous?: string
}

// --- Checks

const own = (value: object, name: string): unknown =>
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

/** A path or a literal is checked as part of a filter: there is one definition of both. */
function pathOf(value: unknown, argument: string): Path {
  const filter = checkFilter({ kind: 'presence', path: value, type: 'string' }, argument) as { readonly path: Path }
  if (filter.path.length === 0) throw new TypeError(`${argument} must not be empty`)
  return filter.path
}
const literalOf = (operand: unknown, argument: string): Literal =>
  (checkFilter({ kind: 'comparison', path: [], operator: 'eq', operand }, argument) as { readonly operand: Literal })
    .operand

function spanOf(value: unknown, argument: string): Span {
  const given = objectOf(value, argument)
  const start = wholeNumber(own(given, 'start'), `${argument}.start`, 0)
  return Object.freeze({ start, end: wholeNumber(own(given, 'end'), `${argument}.end`, start) })
}

function readSortKey(value: unknown, argument: string): SortKey {
  const given = objectOf(value, argument)
  const span = own(given, 'span')
  return Object.freeze({
    path: pathOf(own(given, 'path'), `${argument}.path`),
    type: oneOf(own(given, 'type'), `${argument}.type`, literalTypes),
    direction: oneOf(own(given, 'direction'), `${argument}.direction`, ['ascending', 'descending']),
    ...(span !== undefined && { span: spanOf(span, `${argument}.span`) }),
  })
}

function positionOf(value: unknown, sort: readonly SortKey[]): Position {
  const given = objectOf(value, 'query.position')
  const values = listOf(own(given, 'values'), 'query.position.values', (item, argument) => {
    if (item === null) return null
    return literalOf(item, argument)
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

const textOfPath = (path: Path): string => path.join('.')

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
    ...(fields !== undefined && { fields: listOf(fields, 'query.fields', pathOf) }),
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

// --- The order of a collection

/** A sort key as a collection declares it, or as a text asks for it. */
export function sortKeyOf({ field, direction }: AskedOrder, span?: Span): SortKey {
  const { path, literal, name } = field
  if (literal === 'object') throw new TypeError(`${name} has no order`)
  return Object.freeze({
    path,
    type: literal,
    direction,
    ...(span && { span: Object.freeze({ start: span.start, end: span.end }) }),
  })
}

/** The asked order, ended by the fields of the key that are not in it: then no two rows are equal. */
export function totalOrder({ key }: Pick<Collection, 'key'>, sort: readonly SortKey[]): readonly SortKey[] {
  const direction = sort.at(-1)?.direction ?? 'ascending'
  const names = new Set(sort.map(({ path }) => textOfPath(path)))
  const rest = key.filter(({ name }) => !names.has(name)).map((field) => sortKeyOf({ field, direction }))
  return Object.freeze([...sort, ...rest])
}

// --- Positions

/** The direction in which a page is read. */
export function readingDirection({ direction }: SortKey, position: Position | undefined): SortKey['direction'] {
  if (position?.toward !== 'previous') return direction
  return direction === 'ascending' ? 'descending' : 'ascending'
}

/** What is strictly after a value in the direction of reading; no value comes first in ascending order. */
function beyond({ path, type }: SortKey, isAscending: boolean, value: Literal | null): Filter {
  if (value === null) return isAscending ? presence(path, type) : or()
  const after =
    type !== 'boolean'
      ? comparison(path, isAscending ? 'gt' : 'lt', value)
      : value.value === isAscending
        ? or()
        : comparison(path, 'eq', { type, value: isAscending })
  return isAscending ? after : or(after, not(presence(path, type)))
}

const equal = ({ path, type }: SortKey, value: Literal | null): Filter =>
  value === null ? not(presence(path, type)) : comparison(path, 'eq', value)

/** What is at a value or after it, as one bound: the start of an index range. `undefined` where it would say nothing new. */
function bound({ path, type }: SortKey, isAscending: boolean, value: Literal | null): Filter | undefined {
  if (value === null || type === 'boolean') return undefined
  return isAscending ? comparison(path, 'gte', value) : or(comparison(path, 'lte', value), not(presence(path, type)))
}

/**
 * The position of a query as a filter: the rows after it in the direction of reading. A backend that orders rows needs
 * nothing else for pages.
 *
 * @returns `and()`, which every row passes, when the query has no position.
 * @throws TypeError when the query is invalid.
 * @example
 * // For a ascending, b descending at (x, y):
 * // and(gte(a, x), or(gt(a, x), and(eq(a, x), or(lt(b, y), not(presence(b))))))
 */
export function positionFilter(query: Query): Filter {
  const { sort, position } = checkQuery(query)
  if (position === undefined) return and()
  const keys = sort.map((key, at) => ({
    key,
    isAscending: readingDirection(key, position) === 'ascending',
    value: position.values[at]!,
  }))
  const after = keys.reduceRight<Filter>(
    (rest, { key, isAscending, value }, at) =>
      at === keys.length - 1
        ? beyond(key, isAscending, value)
        : or(beyond(key, isAscending, value), and(equal(key, value), rest)),
    or(),
  )
  const [{ key, isAscending, value }] = keys as [(typeof keys)[number]]
  const outer = keys.length === 1 ? undefined : bound(key, isAscending, value)
  return outer === undefined ? after : and(outer, after)
}

// --- Cursors

const version = 1

/** The order as a cursor names it. */
const orderOf = (sort: readonly SortKey[]): readonly string[] =>
  sort.map(({ path, direction }) => (direction === 'ascending' ? '+' : '-') + textOfPath(path))

/** The text of a position: base64url (RFC 4648, section 5) of JSON. Equal positions of one order have equal texts. */
export function cursorOf(sort: readonly SortKey[], { toward, values }: Position): string {
  const json = JSON.stringify([version, toward, orderOf(sort), values.map((literal) => literal && literal.value)])
  const bytes = Array.from(new TextEncoder().encode(json), (byte) => String.fromCharCode(byte))
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * The position that a cursor is the text of; `undefined` when it is none of this order. It went through the hands of
 * strangers, so each value is checked as a literal is.
 *
 * @param isKey whether a sort key is a field of the collection's key, which is never without a value.
 */
export function positionOfCursor(
  text: string,
  sort: readonly SortKey[],
  isKey: (key: SortKey) => boolean,
): Position | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const [, toward, , values] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown[]
    const literals = (values as readonly unknown[]).map((value, at) =>
      value === null ? null : { type: sort[at]!.type, value },
    )
    const position = positionOf({ toward, values: literals }, sort)
    if (sort.some((key, at) => isKey(key) && position.values[at] === null)) return undefined
    // The version, the order and the form are those of this text, or it is not the text of this position.
    return cursorOf(sort, position) === text ? position : undefined
  } catch {
    return undefined
  }
}

// --- Pages

/** Reads the value of a field for a cursor; `undefined` for what cannot be in one. */
const values: { readonly [T in LiteralType]: (value: unknown) => Literal['value'] | undefined } = {
  string: (value) => (typeof value === 'string' && isPlainText(value) ? value : undefined),
  integer: (value) => {
    const number = numberOf(value)
    return Number.isSafeInteger(number) ? number : undefined
  },
  number: numberOf,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => {
    if (value instanceof Date) return canonicalDateTime(value.getTime()) && utcDay(value.getTime())
    return typeof value === 'string' && isDay(value) ? value : undefined
  },
  datetime: (value) => {
    const moment = value instanceof Date ? value.getTime() : typeof value === 'string' ? momentOf(value) : NaN
    return canonicalDateTime(moment)
  },
}

/** A finite number, or the text or the bigint of one that a double holds: `pg` gives texts for bigint and numeric. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined
  const text = typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const number = Number(text) + 0
  return plainDigits(text) === plainDigits(inFull(number)) ? number : undefined
}
/** Without signs of zero, leading zeros and zeros at the end of a fraction. */
const plainDigits = (text: string): string =>
  text
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^-0$/, '0')
/** The shortest digits of a double, without an exponent. */
function inFull(number: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? []
  if (exponent === undefined) return String(number)
  const places = Number(exponent)
  const digits = whole + fraction
  const point = whole.length + places
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}.${digits.slice(point)}0`
}

/** The value at a path of own properties; `undefined` where there is none. */
export function valueAt(row: unknown, path: Path): unknown {
  let value = row
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = own(value, name)
  }
  return value
}

function literalAt(row: unknown, { path, type }: SortKey): Literal | null {
  const found = valueAt(row, path)
  if (found === undefined || found === null) return null
  const value = values[type](found)
  if (value !== undefined) return { type, value } as Literal
  const what = typeof found === 'object' ? (found instanceof Date ? 'a Date' : 'an object') : `a ${typeof found}`
  throw new TypeError(`rows must hold ${type} values in ${textOfPath(path)}; found ${what} that is not one`)
}

/**
 * Makes the page out of what a backend read: cuts the row that only tells whether there is another page, turns a page
 * toward `previous` round, and writes the cursors.
 *
 * @param rows in the order of reading, at most `query.limit + 1`, in the form of the schema; numbers may be texts of
 *   digits or bigints, dates and datetimes may be `Date`s (the UTC day counts).
 * @throws TypeError when there are more rows, or a sort value has another form: a cursor never points elsewhere.
 * @example const { rows, next } = toPage(query, found)
 */
export function toPage<Row>(query: Query, rows: readonly Row[]): Page<Row> {
  const { sort, limit, position } = checkQuery(query)
  if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
  if (rows.length > limit + 1) throw new TypeError(`rows must be at most ${limit + 1}, one more than query.limit`)
  const isBackwards = position?.toward === 'previous'
  const hasMore = rows.length > limit
  const kept = rows.slice(0, limit)
  if (isBackwards) kept.reverse()
  const cursor = (row: Row, toward: Position['toward']): string =>
    cursorOf(sort, { toward, values: sort.map((key) => literalAt(row, key)) })
  const first = kept[0]
  const last = kept.at(-1)
  return {
    rows: kept,
    ...(kept.length > 0 && (isBackwards || hasMore) && { next: cursor(last as Row, 'next') }),
    ...(kept.length > 0 &&
      (isBackwards ? hasMore : position !== undefined) && {
        previous: cursor(first as Row, 'previous'),
      }),
  }
}
