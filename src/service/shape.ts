/** Checks the results of the adopter's functions, and makes the parts of an answer from them. */
import type { Collection } from '../language/index.ts'
import {
  countOf,
  showRows,
  toPage,
  checkPage,
  nameOfFacet,
  type RowCount,
  type Facet,
  type FacetValue,
  type FacetValues,
  type Page,
  type Query,
} from '../query/index.ts'
import { own, ownOf } from '../own.ts'
import type { Endpoint, RowValidator } from './endpoint.ts'
import type { StoreAnswers } from './fetch.ts'

/** The parts of an answer with a page of rows. */
export interface ListPage {
  /** The complete rows. They contain the key, also where `data` leaves it out. */
  readonly rows: readonly unknown[]
  readonly data: readonly unknown[]
  readonly page: Pick<Page<unknown>, 'next' | 'previous'> & { readonly count?: RowCount }
  readonly facets: FacetValues | undefined
  /** The columns with values that their type in the mapping cannot read. */
  readonly unreadable: NonNullable<Page<unknown>['unreadable']>
}

/**
 * @param shown the query whose fields the answer has.
 * @throws TypeError for rows, a page, a count or facets of another form.
 */
export function shapePage<Principal extends object>(
  { reader }: Endpoint<Principal>,
  collection: Collection,
  query: Query,
  shown: Query,
  { rows, count, facets }: StoreAnswers,
): ListPage {
  const must = (name: 'page' | 'count' | 'facets') =>
    reader === 'read' ? `rows.read must return ${name}:` : `rows.${name} must return`
  const page = reader === 'find' ? toPage(query, rows as readonly unknown[]) : checkPage(rows, query, must('page'))
  const { rows: onPage, unreadable = [], ...cursors } = ownOf(page)
  const asked = own(query, 'facets')
  return {
    rows: onPage,
    data: showRows(collection, shown, onPage),
    page: {
      ...cursors,
      ...(query.count !== false && { count: checkCount(query, count as RowCount, must('count')) }),
    },
    facets: asked && checkFacets(asked, facets as FacetValues | undefined, must('facets')),
    unreadable,
  }
}

/**
 * Adds the columns that the schema lacks to the rows of an answer: those that the endpoint names, and for `row` the others as properties
 * that a spread and JSON leave out.
 */
function withColumns<Principal extends object>(
  { answer: { columns } }: Endpoint<Principal>,
  { schema }: Collection,
  { rows, data }: Pick<ListPage, 'rows' | 'data'>,
): readonly object[] {
  return rows.map((row, at) => {
    const missing = columns.find((name) => !Object.hasOwn(row as object, name))
    if (missing !== undefined) throw new TypeError(`rows[${at}] has no column ${missing}, which answer.columns names`)
    const beside = Object.entries(row as object).filter(([name]) => !Object.hasOwn(schema.fields, name))
    const properties = beside.map(([name, value]: [string, unknown]) => {
      const shown = typeof value === 'bigint' ? String(value) : (value ?? null)
      return [name, { value: shown, enumerable: columns.includes(name) }]
    })
    return Object.defineProperties({ ...(data[at] as object) }, Object.fromEntries(properties) as PropertyDescriptorMap)
  })
}

/** Passes the rows of an answer through the functions of the endpoint. */
export async function shapeRows<Principal extends object>(
  endpoint: Endpoint<Principal>,
  collection: Collection,
  list: Pick<ListPage, 'rows' | 'data'>,
  principal: Principal,
): Promise<readonly unknown[]> {
  const { row, validateRows } = endpoint
  const rows = withColumns(endpoint, collection, list)
  const data =
    row === undefined
      ? rows
      : await Promise.all(rows.map(async (one) => checkJson(await row(one, { principal }), 'row')))
  if (validateRows !== undefined) await checkRows(validateRows, data)
  return data
}

/** Drivers give numbers of rows as texts and bigints too. */
function checkCount(query: Query, count: RowCount, must: string): RowCount {
  if (Number.isSafeInteger(count) && (count as number) >= 0) return countOf(query, count as number)
  const max = typeof query.count === 'object' ? query.count.max : undefined
  if (max === undefined) throw new TypeError(`${must} a whole number`)
  if (typeof count === 'object' && count !== null && own(count, 'atLeast') === max) return { atLeast: max }
  throw new TypeError(`${must} a whole number, or { atLeast: ${max} }: the maximum of the query`)
}

/** Refuses other values than those of facets. A SQL backend's `facets` returns statements, which look similar. */
function checkFacets(facets: readonly Facet[], values: FacetValues | undefined, must: string): FacetValues {
  const isCount = (count: unknown): boolean => Number.isSafeInteger(count) && (count as number) >= 0
  const valueOf = (one: unknown, { max, label }: Facet): FacetValue | undefined => {
    if (typeof one !== 'object' || one === null) return undefined
    const { value, count, label: text = null } = ownOf(one as FacetValue)
    // JSON has null in place of NaN and of an infinity.
    const isValue = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    const least = max !== undefined && typeof count === 'object' && count !== null ? own(count, 'atLeast') : undefined
    if (!isValue || !isCount(least ?? count) || (text !== null && typeof text !== 'string')) return undefined
    return { value, ...(label && { label: text }), count: least === undefined ? count : { atLeast: least } }
  }
  return Object.fromEntries(
    facets.map((facet) => {
      const path = nameOfFacet(facet)
      const list: unknown = typeof values === 'object' && values !== null ? own(values, path) : undefined
      const found = Array.isArray(list) ? list.map((one: unknown) => valueOf(one, ownOf(facet))) : undefined
      if (found !== undefined && found.length <= facet.limit && !found.includes(undefined))
        return [path, found as readonly FacetValue[]]
      throw new TypeError(`${must} the values of ${path}, at most ${facet.limit}: [{ value, count }]`)
    }),
  )
}

/** JSON has `null` in place of `undefined`, functions and symbols: the value would be lost. */
export function checkJson(value: unknown, name: string): unknown {
  if (['undefined', 'function', 'symbol'].includes(typeof value))
    throw new TypeError(`${name} must return a JSON value, not ${typeof value}`)
  return value
}

async function checkRows({ '~standard': standard }: RowValidator, rows: readonly unknown[]): Promise<void> {
  for (const [at, row] of rows.entries()) {
    const issue = (await standard.validate(row)).issues?.[0]
    if (issue === undefined) continue
    const path = [at, ...(issue.path ?? [])].map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
    throw new TypeError(`validateRows refuses the row ${path}: ${issue.message}`)
  }
}
