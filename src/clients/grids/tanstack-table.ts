/** TanStack Table: reads column filters with built-in filter functions, the global filter, sorting and pagination. */
import { families, isOf, type Collection } from '../../language/index.ts'
import type { QueryOf } from '../../query/index.ts'
import { checkOptions } from '../../options.ts'
import { ownOf } from '../../own.ts'
import {
  all,
  blank,
  columnAt,
  compareMoments,
  dayOf,
  expect,
  group,
  inside,
  isList,
  isNumeric,
  listAt,
  momentOf,
  objectAt,
  operandsAt,
  orAbsent,
  readPage,
  readSort,
  readState,
  readWords,
  refuseOperator,
  refuseValue,
  say,
  typeOf,
} from './reading.ts'
import type { Column, GridOptions, GridResult, Part, PathIn, StateProgress } from './reading.ts'

/** The state for {@link fromTanStackTable}: the members of `table.state` that select rows. */
export interface TanStackTableState {
  readonly columnFilters?: readonly { readonly id: string; readonly value: unknown }[] | undefined
  readonly globalFilter?: unknown
  readonly sorting?: readonly { readonly id: string; readonly desc: boolean }[] | undefined
  readonly pagination?: { readonly pageIndex: number; readonly pageSize: number } | undefined
}

/** The built-in filter functions of TanStack Table that {@link fromTanStackTable} accepts. */
export type TanStackFilterFn =
  | 'includesString'
  | 'includesStringSensitive'
  | 'equalsString'
  | 'equalsStringSensitive'
  | 'startsWith'
  | 'endsWith'
  | 'equals'
  | 'weakEquals'
  | 'empty'
  | 'notEmpty'
  | 'greaterThan'
  | 'greaterThanOrEqualTo'
  | 'lessThan'
  | 'lessThanOrEqualTo'
  | 'between'
  | 'betweenInclusive'
  | 'inNumberRange'
  | 'inDateRange'
  | 'arrHas'
  | 'arrIncludes'
  | 'arrIncludesSome'
  | 'arrIncludesAll'

/** The options of {@link fromTanStackTable}. */
export interface TanStackTableOptions<C extends Collection = Collection> extends GridOptions<C> {
  /**
   * The `filterFn` of columns by path. Default: the choice of `'auto'` by type: `includesString` for texts, enumerations and uuids,
   * `inNumberRange` for numbers, `inDateRange` for dates and datetimes, `equals` for booleans, and `arrIncludes` for lists.
   */
  readonly filterFns?: { readonly [P in PathIn<C>]?: TanStackFilterFn }
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Returns the bounds of a range. One bound can be blank. Returns `undefined` for a refused range. */
function boundsOf(column: Column, value: unknown): readonly [unknown, unknown] | undefined {
  if (Array.isArray(value) && value.length <= 2 && !(isBlank(value[0]) && isBlank(value[1])))
    return value as unknown as [unknown, unknown]
  return refuseValue(column, 'a list of two bounds')
}

/** Makes a condition on equal values. The component compares them without conversion. */
function same(column: Column, name: 'equals' | 'in' | 'all', values: readonly unknown[]): Part {
  const { field } = column
  // Rows contain uuids in lower case, and the component compares them as texts.
  if (field.type === 'uuid' && values.some((value) => typeof value !== 'string' || value !== value.toLowerCase()))
    return refuseValue(column, 'a uuid in lower case')
  if (isNumeric(field) && values.some((value) => typeof value !== 'number')) return refuseValue(column, 'a number')
  return say(column, name, ...values)
}

const some =
  (say: (column: Column, values: readonly unknown[]) => Part): Law =>
  (column, value) => {
    const values = operandsAt(column, value)
    return values.length > 0 ? say(column, values) : undefined
  }

/** Makes a comparison, and tells whether a row without a value satisfies it: the component reads the value as 0 or as an empty text. */
function compared(column: Column, name: 'gt' | 'gte' | 'lt' | 'lte', value: unknown): readonly [Part, boolean] {
  const isNumber = isNumeric(column.field)
  if (typeof value !== (isNumber ? 'number' : 'string')) {
    refuseValue(column, isNumber ? 'a number' : 'a text')
    return [undefined, false]
  }
  const isLess = name === 'lt' || name === 'lte'
  return [say(column, name, value), isNumber ? (value as number) < 0 !== isLess : isLess]
}

const compare =
  (name: 'gt' | 'gte' | 'lt' | 'lte'): Law =>
  (column, value) => {
    const [filter, isAbsentIn] = compared(column, name, value)
    return isAbsentIn ? orAbsent(column, filter) : filter
  }

const between =
  (low: 'gt' | 'gte', high: 'lt' | 'lte'): Law =>
  (column, value) => {
    const bounds = boundsOf(column, value)
    if (bounds === undefined) return undefined
    const [min, max] = bounds
    const isOpen = (bound: unknown) => bound === undefined || bound === ''
    const lows = isOpen(min) ? [] : [compared(column, low, min)]
    // The component ignores an upper bound below the lower bound.
    const isReversed = typeof min === 'number' && typeof max === 'number' && min > max
    const highs = isOpen(max) || isReversed ? [] : [compared(column, high, max)]
    const parts = [...lows, ...highs]
    const filter = all(parts.map(([part]) => part))
    return parts.every(([, isAbsentIn]) => isAbsentIn) ? orAbsent(column, filter) : filter
  }

/** Reads a range. A bound can be absent, and the component sorts the bounds. */
const ranged =
  (
    read: (column: Column, bound: unknown) => number | undefined,
    low: (column: Column, bound: number) => Part,
    high: typeof low,
  ): Law =>
  (column, value) => {
    const bounds = boundsOf(column, value)
    if (bounds === undefined) return undefined
    let [min, max] = [0, 1].map((at) => (isBlank(bounds[at]) ? undefined : read(column, bounds[at])))
    if (min !== undefined && max !== undefined && min > max) [min, max] = [max, min]
    return all([...(min === undefined ? [] : [low(column, min)]), ...(max === undefined ? [] : [high(column, max)])])
  }

const flag =
  (exists: boolean): Law =>
  (column, value) =>
    value === true ? blank(column, !exists) : refuseValue(column, 'true')

type Law = (column: Column, value: unknown) => Part
const text =
  (name: 'contains' | 'containsExact' | 'startsWith' | 'endsWith' | 'equalsIgnoreCase' | 'equals'): Law =>
  (column, value) =>
    typeof value === 'string' ? say(column, name, value) : refuseValue(column, 'a text')
const equal: Law = (column, value) => same(column, 'equals', [value])

const numbers = /* @__PURE__ */ families.number.join(' ')
/** The condition of each filter function, and the types of fields to which the function applies. */
function lawsOf(): Readonly<Record<TanStackFilterFn, readonly [types: string, law: Law]>> {
  const texts = 'string enumeration'
  const inNumberRange = ranged(
    (column, bound) => {
      const number = typeof bound === 'string' && /^(?=.{1,15}$)-?\d+(?:\.\d+)?$/.test(bound) ? Number(bound) : bound
      return typeof number === 'number' ? number : refuseValue(column, 'a list of two numbers')
    },
    (column, min) => say(column, 'gte', min),
    (column, max) => say(column, 'lte', max),
  )

  const inDateRange = ranged(
    (column, bound) => (typeof bound === 'number' ? momentOf(column, new Date(bound)) : momentOf(column, bound)),
    (column, min) =>
      typeOf(column) === 'date'
        ? say(column, min % 86_400_000 === 0 ? 'gte' : 'gt', dayOf(min))
        : compareMoments(column, 'gte', min),
    (column, max) => (typeOf(column) === 'date' ? say(column, 'lte', dayOf(max)) : compareMoments(column, 'lte', max)),
  )

  return {
    includesString: [texts, text('contains')],
    includesStringSensitive: [texts, text('containsExact')],
    equalsString: [texts, text('equalsIgnoreCase')],
    equalsStringSensitive: [texts, text('equals')],
    startsWith: [texts, text('startsWith')],
    endsWith: [texts, text('endsWith')],
    equals: [`${texts} ${numbers} boolean uuid date time`, equal],
    weakEquals: [`${texts} ${numbers} boolean uuid date time`, equal],
    empty: [`blank enumeration ${numbers} boolean uuid date datetime time`, flag(false)],
    notEmpty: [`blank enumeration ${numbers} boolean uuid date datetime time`, flag(true)],
    greaterThan: [`${numbers} date time`, compare('gt')],
    greaterThanOrEqualTo: [`${numbers} date time`, compare('gte')],
    lessThan: [`${numbers} date time`, compare('lt')],
    lessThanOrEqualTo: [`${numbers} date time`, compare('lte')],
    between: [`${numbers} date time`, between('gt', 'lt')],
    betweenInclusive: [`${numbers} date time`, between('gte', 'lte')],
    inNumberRange: [numbers, inNumberRange],
    inDateRange: ['date datetime', inDateRange],
    arrHas: [`${texts} ${numbers} uuid date time`, some((column, values) => same(column, 'in', values))],
    arrIncludes: [
      'list string',
      some((column, values) =>
        column.field.lists.length > 0
          ? same(column, 'in', values)
          : group(
              column.reading,
              column.at,
              'or',
              values.map((value) => text('containsExact')(column, value)),
            ),
      ),
    ],
    arrIncludesSome: ['list', some((column, values) => same(column, 'in', values))],
    arrIncludesAll: ['list', some((column, values) => same(column, 'all', values))],
  }
}
const laws = /* @__PURE__ */ lawsOf()

/** Returns the filter function that `'auto'` chooses. */
const automatic = (type: string): TanStackFilterFn =>
  type === 'list'
    ? 'arrIncludes'
    : type === 'boolean'
      ? 'equals'
      : isOf('number', type)
        ? 'inNumberRange'
        : type.startsWith('date')
          ? 'inDateRange'
          : 'includesString'

/**
 * Reads the state of a TanStack Table with `manualFiltering`, `manualSorting` and `manualPagination`.
 *
 * @param collection made by `defineCollection`. The id of a column is the path or an alias of a field.
 * @param state `columnFilters`, `globalFilter`, `sorting` and `pagination` of `table.state`. Untrusted states are safe.
 * @returns the query, or every issue of the state. `docs/guides/grids.md` lists the meaning of each filter function.
 * @throws TypeError when the collection or an option is invalid, never because of the state.
 * @example
 * fromTanStackTable(orderCollection, { columnFilters: [{ id: 'total', value: [5, null] }] }).ok // => true
 */
export function fromTanStackTable<C extends Collection>(
  collection: C,
  state: TanStackTableState,
  options: TanStackTableOptions<C> = {},
): GridResult<QueryOf<C>> {
  const read = (reading: StateProgress): readonly Part[] => {
    const fns = checkOptions(ownOf(options).filterFns ?? {}, 'filterFns', [
      ...collection.visible.paths.keys(),
    ]) as Record<string, TanStackFilterFn>
    for (const [path, fn] of Object.entries(fns))
      if (!Object.hasOwn(laws, fn))
        throw new TypeError(`filterFns.${path} must be one of ${Object.keys(laws).join(', ')}`)
    const members = objectAt(reading, state, '', ['columnFilters', 'globalFilter', 'sorting', 'pagination'])
    const { globalFilter, pagination } = members
    if (!isBlank(globalFilter)) readWords(reading, 'globalFilter', [globalFilter])
    readSort(reading, 'sorting', members.sorting, (at, item) => {
      const { id, desc } = objectAt(reading, item, at, ['id', 'desc'])
      if (typeof desc !== 'boolean') expect(reading, inside(at, 'desc'), 'true or false')
      return [inside(at, 'id'), id, desc as boolean]
    })
    readPage(reading, 'pagination', pagination, 'pageIndex')
    const filtered = new Set<unknown>()
    return listAt(reading, members.columnFilters, 'columnFilters').map((item, index): Part => {
      const at = inside('columnFilters', index)
      const { id, value } = objectAt(reading, item, at, ['id', 'value'])
      const field = columnAt(reading, id, inside(at, 'id'))
      if (field === undefined) return undefined
      const column = { reading, at: inside(at, 'value'), field }
      // The table evaluates only the last of several filters on a column, and removes a blank filter.
      if (filtered.has(id)) return expect(reading, inside(at, 'id'), 'another column than those of other filters')
      filtered.add(id)
      if (isBlank(value)) return refuseValue(column, 'a value: leave the filter out')
      const type = field.lists.length === 0 ? field.type : isList(field) ? 'list' : 'object'
      const name = Object.hasOwn(fns, field.name) ? fns[field.name]! : automatic(type)
      // Only the option `blank` names a meaning that a query has.
      const hasBlank = type === 'string' && reading.settings.blank !== undefined
      const fits = (fn: string) => {
        const types = laws[fn as TanStackFilterFn][0].split(' ')
        return types.includes(type) || (hasBlank && types[0] === 'blank')
      }
      return fits(name)
        ? laws[name][1](column, value)
        : refuseOperator(column, name, true, Object.keys(laws).filter(fits))
    })
  }
  return readState(collection, state, read, { options, more: ['filterFns'] })
}
