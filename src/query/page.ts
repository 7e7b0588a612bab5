/** Rows that a backend has read → a page: its rows in the asked order, and the cursors beside them. */
import type { Literal, LiteralType, Path } from '../ast/index.ts'
import { canonicalDateTime, isDay, isPlainText, momentOf, utcDay } from '../text.ts'
import { cursorOf } from './cursor.ts'
import { textOfPath, wholeQuery, type Position, type Query, type SortKey } from './query.ts'

/** Rows in the asked order, and the cursors of the pages beside them. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next?: string
  readonly previous?: string
}

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
function plainDigits(text: string): string {
  const whole = text.replace(/^(-?)0+(?=\d)/, '$1')
  let end = whole.length
  // A loop: a regular expression would start again at every zero.
  if (whole.includes('.')) while (whole[end - 1] === '0') end--
  const digits = whole.slice(0, whole[end - 1] === '.' ? end - 1 : end)
  return digits === '-0' ? '0' : digits
}
/** The shortest digits of a double, without an exponent, which is -7 or less, or 21 or more: there are 17 digits at most. */
function inFull(number: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /(-?)(\d)(?:\.(\d+))?e([+-]\d+)/.exec(String(number)) ?? []
  if (exponent === undefined) return String(number)
  const places = Number(exponent)
  const digits = whole + fraction
  return places < 0 ? `${sign}0.${'0'.repeat(-places - 1)}${digits}` : sign + digits.padEnd(places + 1, '0')
}

/** The value at a path of own properties; `undefined` where there is none. */
export function valueAt(row: unknown, path: Path): unknown {
  let value = row
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
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
 * The position right after a row, or right before it.
 *
 * @throws TypeError when a sort value of the row is not of its type.
 */
export const positionAt = (sort: readonly SortKey[], row: unknown, toward: Position['toward']): Position => ({
  toward,
  values: sort.map((key) => literalAt(row, key)),
})

/**
 * Makes the page out of the rows that a backend read. It removes the extra row, which only shows that there is another page. It
 * reverses a page toward `previous`. It writes the cursors.
 *
 * @param query the query that the rows were read for.
 * @param rows in the order of reading, at most `query.limit + 1`, in the form of the schema; numbers may be texts of
 *   digits or bigints, dates and datetimes may be `Date`s (the UTC day counts).
 * @throws TypeError when there are more rows, or a sort value is not of its type.
 * @example const { rows, next } = toPage(query, found)
 */
export function toPage<Row>(query: Query, rows: readonly Row[]): Page<Row> {
  const { sort, limit, position } = wholeQuery(query)
  if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
  if (rows.length > limit + 1) throw new TypeError(`rows must be at most ${limit + 1}, one more than query.limit`)
  const isBackwards = position?.toward === 'previous'
  const hasMore = rows.length > limit
  const kept = rows.slice(0, limit)
  if (isBackwards) kept.reverse()
  const cursor = (row: Row, toward: Position['toward']): string => cursorOf(sort, positionAt(sort, row, toward))
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
