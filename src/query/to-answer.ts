/** Rows that a backend has read → the answer to a query: the page, with the fields of each row that the collection shows. */
import { canonicalOf, type LiteralType, type Path } from '../tree/index.ts'
import { checkCollection, type Collection, type Field, type ResolvedField, type RowOf } from '../language/index.ts'
import { toPage, type Page } from './page.ts'
import { valueAt } from './sort-value.ts'
import type { AnswerRow } from './answer-page.ts'
import { chosenOf } from './pick-fields.ts'
import { trustQuery, textOfPath, withEveryProperty, type Query } from './query.ts'
import { readerFor, type ReadValue } from './schema-form.ts'
import { boundedCache, weakCache } from '../cache.ts'
import { own } from '../own.ts'
import { bigintOf, decimalOf } from '../values/exact.ts'

/** Writes a value of a type as JSON has it; `undefined` for a value of another type. JSON's own types need no writing. */
const written: { readonly [T in LiteralType]?: (value: unknown) => unknown } = {
  bigint: (value) => bigintOf(value)?.toString(),
  decimal: decimalOf,
}

/**
 * The value of a scalar in JSON. An object or a list is `null`: it does not count as a value (language.md, law 1), and it may contain
 * fields that the schema lacks. All other values are returned unchanged.
 */
function scalarReader(type: LiteralType): ReadValue {
  const write = own(written, type)
  return (stored) => {
    if (write === undefined && (typeof stored === 'string' || typeof stored === 'number')) return stored
    if (stored instanceof Date) return canonicalOf[type](stored) ?? null
    const value = typeof stored === 'object' && stored !== null ? jsonOf(stored) : stored
    if (typeof value === 'object' || typeof value === 'function') return null
    // A bigint beyond 64 bits is a text, too.
    return write === undefined ? value : (write(value) ?? (typeof value === 'bigint' ? String(value) : value))
  }
}

/** Calls `toJSON` of an object of a driver's class, as `JSON.stringify` does: it returns, for example, the digits of a decimal. */
function jsonOf(value: object): unknown {
  const { toJSON } = value as { readonly toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(value, '') : value
}

/** The part of a row that a query shows of a collection: fields of the schema, of `fields` where the collection lists them, and of the query's. */
export function shownBy({ visible, selectable, hidden: known }: Collection): (query: ShownQuery) => ReadValue {
  const bySelection = boundedCache<string, ReadValue>(mostSelections)
  const names = Array.from(visible.paths.keys())
  const objects = new Set(names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))))
  const shown = names.filter((name) => !objects.has(name) && selectable?.has(name) !== false)
  const row: Field = { type: 'object', fields: visible.fields }
  const readerOf = (paths: readonly string[]) =>
    readerFor(row, chosenOf(paths.map((path) => path.split('.'))), scalarReader, false)
  const whole = readerOf(shown)
  return ({ fields, hidden = known }) => {
    if (fields === undefined && hidden === known) return whole
    const selection = JSON.stringify([fields, hidden])
    const before = bySelection.get(selection)
    if (before !== undefined) return before
    const isIn = (path: string, outer: Path) => path === textOfPath(outer) || path.startsWith(`${textOfPath(outer)}.`)
    // A query of a narrower collection hides more.
    const made = readerOf(
      shown.flatMap((path) => {
        if (hidden.some((one) => isIn(path, one))) return []
        if (fields === undefined || fields.some((one) => isIn(path, one))) return [path]
        // The keys of a record.
        return fields.map(textOfPath).filter((one) => one.startsWith(`${path}.`))
      }),
    )
    bySelection.set(selection, made)
    return made
  }
}
type ShownQuery = { readonly [K in 'fields' | 'hidden']?: Query[K] | undefined }

/** How many selections of fields a collection keeps the readers of. */
const mostSelections = 64

const readers = /* @__PURE__ */ weakCache<Collection, ReturnType<typeof shownBy>>()
function readersOf(collection: Collection): ReturnType<typeof shownBy> {
  const cached = readers.get(collection)
  if (cached !== undefined) return cached
  const made = shownBy(collection)
  readers.set(collection, made)
  return made
}

/**
 * Makes the answer from the rows that a backend read, as the list service writes it: the page, with the fields that the query names and
 * the collection shows. It contains no hidden field and nothing that the schema lacks. Where the schema has a scalar, an object is `null`.
 *
 * @param collection the collection that parsed the query.
 * @param query the query with the restriction of the caller.
 * @param rows what the backend read: at most `query.limit + 1` rows in the order of reading, in the form of the schema. For SQL, MongoDB
 *   and Prisma, the result of `page(rows)` of the compiled query.
 * @returns values of JSON: days, moments and exact numbers are texts.
 * @throws TypeError when `toPage` refuses the rows, or the page is none.
 * @example
 * const { data, page } = toAnswer(orderCollection, restrict(query, where(orders).equals('seller', 's-1')), found)
 */
export function toAnswer<C extends Collection, Asked extends string | undefined>(
  collection: C,
  query: Query<Asked>,
  rows: readonly unknown[] | Page<unknown>,
): { readonly data: readonly RowOf<AnswerRow<C>, Asked, never>[]; readonly page: Omit<Page<unknown>, 'rows'> } {
  checkCollection(collection)
  const { rows: onPage, ...page } = Array.isArray(rows)
    ? toPage(query, rows as readonly unknown[])
    : checkPage(rows, query, 'rows must be a list of rows, or')
  const data = showRows(collection, withEveryProperty(query), onPage)
  // The reader derives the row from the collection and the query, as the type does.
  return { data: data as readonly RowOf<AnswerRow<C>, Asked, never>[], page }
}

/** The rows of a page, with the fields that a checked query shows. */
export const showRows = (collection: Collection, query: Query, rows: readonly unknown[]): readonly unknown[] =>
  rows.map(readersOf(collection)({ fields: own(query, 'fields'), hidden: own(query, 'hidden') }))

/** Refuses an object that is not a page, with a message that begins with `must`: the result of a driver has `rows` too, but no cursors. */
export function checkPage(page: unknown, { limit }: Query, must: string): Page<unknown> {
  const isPage =
    typeof page === 'object' &&
    page !== null &&
    Object.entries(page).every(([name, value]) =>
      name === 'rows'
        ? Array.isArray(value) && value.length <= limit
        : name === 'unreadable'
          ? Array.isArray(value) && value.every(isColumn)
          : ['next', 'previous'].includes(name) && typeof value === 'string',
    ) &&
    Object.hasOwn(page, 'rows')
  if (isPage) return page as Page<unknown>
  throw new TypeError(`${must} the page that page(rows) of a compiled query makes, or toPage`)
}

/** Whether a value is an entry of `unreadable`. */
const isColumn = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['path', 'column'].every((name) => typeof own(value as Readonly<Record<string, unknown>>, name) === 'string')

/** The values of a row's key, as an answer has them. @throws TypeError when the row lacks one. */
export const keyOfRow = ({ key }: Collection, row: unknown, at: number): readonly unknown[] =>
  key.map(({ path, name, literal }) => {
    const value = scalarReader(literal as LiteralType)(valueAt(row, path))
    if (value !== undefined && value !== null) return value
    throw new TypeError(`rows[${at}] has no value in ${name}, which the answer needs: return each row with its key`)
  })

/** A query that reads the key, too, where it names fields: for answers that identify each row. */
export function withKey({ key }: Collection, query: Query): Query {
  const fields = own(query, 'fields')
  if (fields === undefined) return query
  const isRead = ({ path }: ResolvedField) => fields.some((one) => one.every((name, at) => path[at] === name))
  const missing = key.filter((field) => !isRead(field)).map(({ path }) => path)
  if (missing.length === 0) return query
  return trustQuery(Object.freeze({ ...query, fields: Object.freeze([...fields, ...missing]) }))
}
