/** Rows that a backend has read → a page: its rows in the order of the query, and the cursors beside them. */
import type { Literal } from '../tree/index.ts'
import { cursorOf, longestCursor } from './cursor.ts'
import { isOrdered, isRequired, withEveryProperty } from './query.ts'
import type { PageStart, Position, Query, SortKey } from './query.ts'
import { asDeclared, asDriven, asGiven, checkRow, isInForm, sortValueAt } from './sort-value.ts'
import type { ValueReader, SortValue } from './sort-value.ts'
import { checkOptions } from '../options.ts'
import { own } from '../own.ts'

/** Rows in the order of the query, and the cursors of the next and the previous page. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next?: string
  readonly previous?: string
  /**
   * The columns of this page with a value that `page` of a SQL statement cannot read: the mapping gives them a wrong type. The row shows
   * `null` for the value. Absent if it read all values.
   */
  readonly unreadable?: readonly { readonly path: string; readonly column: string }[]
}

/** The options of {@link toPage}. */
export interface PageOptions {
  /**
   * Accepts the forms in which database drivers return numbers and booleans: `'12.50'`, `7n`, `0` and `1`. Default: false, because in
   * other rows a text is not a number. `page(rows)` of a compiled SQL query always accepts them.
   */
  readonly driverNumbers?: boolean
}

/** The position right after or before a row; `undefined` if a cursor cannot contain one of its sort values. @throws TypeError as {@link toPage}. */
export function positionAt(sort: readonly SortKey[], row: unknown, toward: Position['toward']): Position | undefined {
  checkRow(row, 0)
  return positionOf(sort, (at) => sortValueAt(row, 0, sort[at]!, asDeclared), toward)
}

function positionOf(
  sort: readonly SortKey[],
  valueOf: (at: number) => SortValue,
  toward: Position['toward'],
): Position | undefined {
  const values = sort.map((key, at): SortValue => {
    const value = valueOf(at)
    if (value === undefined || value === null || isOrdered(key, value)) return value
    return isRequired(key) ? undefined : null
  })
  return values.includes(undefined) ? undefined : { toward, values: values as readonly (Literal | null)[] }
}

/**
 * Makes the page from the rows that a backend read. It removes the extra row, which only shows that another page exists. It reverses a
 * page toward `previous`. It writes the cursors. For SQL, `page` of a statement does the same, and knows how a column stores its values.
 *
 * A cursor contains the sort values of a row. If it cannot contain a value, for example an invalid `Date` or a very long text, it
 * contains the start of this page and the number of rows from there.
 *
 * @param query the query of the rows.
 * @param rows in the order of reading, at most `query.limit + 1`, in the form of the schema; dates and datetimes may be `Date`s (the UTC
 *   day counts).
 * @param options `driverNumbers`: numbers may be texts of digits or bigints, booleans may be 0 and 1.
 * @throws TypeError when there are more than `query.limit + 1` rows, a row is not an object, or a row has no value in a key field: select
 *   the field by its name in the schema. Also when a number is a bigint without `driverNumbers`.
 * @example const { rows, next } = toPage(query, found)
 */
export function toPage<Row>(query: Query, rows: readonly Row[], options: PageOptions = {}): Page<Row> {
  const { driverNumbers = false } = checkOptions(options, 'options', ['driverNumbers'])
  if (typeof driverNumbers !== 'boolean') throw new TypeError('options.driverNumbers must be a boolean')
  return pageOf(withEveryProperty(query), rows, () => (driverNumbers ? asDriven : asGiven))
}

/** The page of a checked query. `readingOf` returns how the values of a sort key are read, by its place in the order. */
export function pageOf<Row>(query: Query, rows: readonly Row[], readingOf: (at: number) => ValueReader): Page<Row> {
  const { sort } = query
  checkRows(query, rows)
  const readings = sort.map((_, at) => readingOf(at))
  const valueOf = (at: number, one: number): SortValue => sortValueAt(rows[at], at, sort[one]!, readings[one]!)
  // A page that needs no cursor shows the mistake too.
  for (let at = 0; at < rows.length; at++) {
    checkRow(rows[at], at)
    for (let one = 0; one < sort.length; one++) {
      if (!isInForm(rows[at], sort[one]!)) valueOf(at, one)
    }
  }
  return pageWith(query, rows, valueOf)
}

function checkRows({ limit }: Query, rows: readonly unknown[]): void {
  if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
  if (rows.length > limit + 1) throw new TypeError(`rows must be at most ${limit + 1}, one more than query.limit`)
}

/** The page of a checked query, of rows in any form. `valueOf` reads a sort value, by the places of the row and of the sort key. */
export function pageWith<Row>(
  query: Query,
  rows: readonly Row[],
  valueOf: (at: number, one: number) => SortValue,
): Page<Row> {
  const { sort, limit } = query
  const [position, clock] = [own(query, 'position'), own(query, 'clock')]
  checkRows(query, rows)
  const textOf = (place: PageStart): string => cursorOf(sort, clock === undefined ? place : { ...place, clock })
  const cursorAt = (at: number, toward: Position['toward']): string | undefined => {
    const place = positionOf(sort, (one) => valueOf(at, one), toward)
    const cursor = place && textOf(place)
    return cursor !== undefined && cursor.length <= longestCursor ? cursor : undefined
  }
  const kept = rows.slice(0, limit)
  const isBackwards = position?.toward === 'previous'
  const [ahead, back] = isBackwards ? (['previous', 'next'] as const) : (['next', 'previous'] as const)
  const cursors: { next?: string; previous?: string } = {}
  if (rows.length > limit) cursors[ahead] = cursorAt(limit - 1, ahead) ?? textOf(placeAhead(query))
  if (kept.length > 0 && position !== undefined) {
    const place = placeBack(query, position)
    const cursor = cursorAt(0, back) ?? (place && textOf(place))
    if (cursor !== undefined) cursors[back] = cursor
  }
  return { rows: isBackwards ? kept.reverse() : kept, ...cursors }
}

const beginning: Position = { toward: 'next', values: [] }

/** The place of the page after this one, counted from where this one is. */
function placeAhead(query: Query): PageStart {
  return { ...(own(query, 'position') ?? beginning), offset: (own(query, 'offset') ?? 0) + query.limit }
}

/**
 * The place of the page before this one, counted from where this one is. `undefined` where no whole page is before: at the
 * beginning, and less than a page after it.
 */
function placeBack(query: Query, position: Position): PageStart | undefined {
  const { limit } = query
  const offset = own(query, 'offset') ?? 0
  if (offset >= limit) return { ...position, offset: offset - limit }
  if (offset > 0 || position.values.length === 0) return undefined
  const { toward, values } = position
  const turned = { toward: toward === 'next' ? ('previous' as const) : ('next' as const), values }
  // The rows after the position are excluded, so the rest is at it or before it.
  return own(position, 'inclusive') === true ? turned : { ...turned, inclusive: true }
}
