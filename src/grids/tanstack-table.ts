/** TanStack Table: column filters by its built-in functions, the global filter, sorting and pagination. */
import type { Collection, PathThrough, Schema } from '../language/index.ts'
import { checkOptions } from '../options.ts'
import type { QueryOf } from '../query/page/query.ts'
import {
  all,
  columnAt,
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
  readOffset,
  readSort,
  readState,
  readWords,
  refuseOperator,
  say,
  wholeAt,
  type Column,
  type GridResult,
  type Said,
} from './reading.ts'

/** What fromTanStackTable reads of the state of a table, as `table.state` has it. */
export interface TanStackTableState {
  readonly columnFilters?: readonly { readonly id: string; readonly value: unknown }[] | undefined
  readonly globalFilter?: unknown
  readonly sorting?: readonly { readonly id: string; readonly desc: boolean }[] | undefined
  readonly pagination?: { readonly pageIndex: number; readonly pageSize: number } | undefined
}

/** The built-in filter functions of TanStack Table that {@link fromTanStackTable} reads. */
export type TanStackFilterFn = keyof typeof laws

/** Options of {@link fromTanStackTable}, for a collection. */
export interface TanStackTableOptions<C extends Collection = Collection> {
  /**
   * The `filterFn` of each column, by its path, where it is not the one that `'auto'` chooses: `includesString` for texts,
   * enumerations and uuids, `inNumberRange` for numbers, `inDateRange` for dates and datetimes, `equals` for booleans, and
   * `arrIncludes` for lists.
   */
  readonly filterFns?: {
    readonly [P in C extends Collection<Schema<infer F>> ? PathThrough<F> : never]?: TanStackFilterFn
  }
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The bounds of a range, of which one may be blank. `undefined` where it is refused. */
function boundsOf({ reading, at, field }: Column, value: unknown): readonly [unknown, unknown] | undefined {
  if (Array.isArray(value) && value.length <= 2 && !(isBlank(value[0]) && isBlank(value[1])))
    return value as unknown as [unknown, unknown]
  return expect(reading, at, 'a list of two bounds', field)
}

/** A value is compared by its type, without conversion. */
function same(column: Column, name: 'equals' | 'in' | 'all', values: readonly unknown[]): Said {
  const { reading, at, field } = column
  // Rows have the canonical text of a uuid.
  if (field.type === 'uuid' && values.some((value) => typeof value !== 'string' || value !== value.toLowerCase()))
    return expect(reading, at, 'a uuid in lower case', field)
  if (isNumeric(field) && values.some((value) => typeof value !== 'number'))
    return expect(reading, at, 'a number', field)
  return say(column, name, ...values)
}

const some =
  (say: (column: Column, values: readonly unknown[]) => Said): Law =>
  (column, value) => {
    const values = operandsAt(column, value)
    return values.length > 0 ? say(column, values) : undefined
  }

/** A row without a value counts as 0 among numbers, and as an empty text among texts. */
function compared(column: Column, name: 'gt' | 'gte' | 'lt' | 'lte', value: unknown): readonly [Said, boolean] {
  const isNumber = isNumeric(column.field)
  if (typeof value !== (isNumber ? 'number' : 'string')) {
    expect(column.reading, column.at, isNumber ? 'a number' : 'a text', column.field)
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
    // The component reads no upper bound that is below the lower one.
    const isReversed = typeof min === 'number' && typeof max === 'number' && min > max
    const highs = isOpen(max) || isReversed ? [] : [compared(column, high, max)]
    const parts = [...lows, ...highs]
    const filter = all(parts.map(([part]) => part))
    return parts.every(([, isAbsentIn]) => isAbsentIn) ? orAbsent(column, filter) : filter
  }

/** A range whose bounds may be absent, and in any order. */
const ranged =
  (
    read: (column: Column, bound: unknown) => number | undefined,
    low: (column: Column, bound: number) => Said,
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
    value === true ? say(column, 'exists', exists) : expect(column.reading, column.at, 'true', column.field)

type Law = (column: Column, value: unknown) => Said
const text =
  (name: 'contains' | 'containsExact' | 'startsWith' | 'endsWith' | 'equalsIgnoreCase' | 'equals'): Law =>
  (column, value) =>
    typeof value === 'string' ? say(column, name, value) : expect(column.reading, column.at, 'a text', column.field)
const equal: Law = (column, value) => same(column, 'equals', [value])

const numbers = 'integer number bigint decimal'
/** What each filter function means, and the types of the fields that it is said of. */
function lawsOf() {
  const texts = 'string enumeration'
  const inNumberRange = ranged(
    (column, bound) => {
      const number = typeof bound === 'string' && /^(?=.{1,15}$)-?\d+(?:\.\d+)?$/.test(bound) ? Number(bound) : bound
      return typeof number === 'number'
        ? number
        : expect(column.reading, column.at, 'a list of two numbers', column.field)
    },
    (column, min) => say(column, 'gte', min),
    (column, max) => say(column, 'lte', max),
  )

  // A `Date` has whole milliseconds: the component cuts the microseconds of rows off.
  const inDateRange = ranged(
    (column, bound) => (typeof bound === 'number' ? momentOf(column, new Date(bound)) : momentOf(column, bound)),
    (column, min) =>
      column.field.type === 'date'
        ? say(column, min % 86_400_000 === 0 ? 'gte' : 'gt', dayOf(min))
        : say(column, 'gte', new Date(min)),
    (column, max) =>
      column.field.type === 'date' ? say(column, 'lte', dayOf(max)) : say(column, 'lt', new Date(max + 1)),
  )

  return {
    includesString: [texts, text('contains')],
    includesStringSensitive: [texts, text('containsExact')],
    equalsString: [texts, text('equalsIgnoreCase')],
    equalsStringSensitive: [texts, text('equals')],
    startsWith: [texts, text('startsWith')],
    endsWith: [texts, text('endsWith')],
    equals: [`${texts} ${numbers} boolean uuid date`, equal],
    weakEquals: [`${texts} ${numbers} boolean uuid date`, equal],
    empty: [`enumeration ${numbers} boolean uuid date datetime`, flag(false)],
    notEmpty: [`enumeration ${numbers} boolean uuid date datetime`, flag(true)],
    greaterThan: [`${numbers} date`, compare('gt')],
    greaterThanOrEqualTo: [`${numbers} date`, compare('gte')],
    lessThan: [`${numbers} date`, compare('lt')],
    lessThanOrEqualTo: [`${numbers} date`, compare('lte')],
    between: [`${numbers} date`, between('gt', 'lt')],
    betweenInclusive: [`${numbers} date`, between('gte', 'lte')],
    inNumberRange: [numbers, inNumberRange],
    inDateRange: ['date datetime', inDateRange],
    arrHas: [`${texts} ${numbers} uuid date`, some((column, values) => same(column, 'in', values))],
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
  } as const satisfies Readonly<Record<string, readonly [types: string, law: Law]>>
}
const laws = /* @__PURE__ */ lawsOf()

/** The function that `'auto'` chooses. */
const automatic = (type: string): TanStackFilterFn =>
  type === 'list'
    ? 'arrIncludes'
    : type === 'boolean'
      ? 'equals'
      : numbers.includes(type)
        ? 'inNumberRange'
        : type.startsWith('date')
          ? 'inDateRange'
          : 'includesString'

/**
 * Reads the state of a TanStack Table whose rows a service filters, sorts and pages (`manualFiltering` and the like).
 *
 * @param collection what the query may contain; made by `defineCollection`. Columns are its fields, by their paths or aliases.
 * @param state as `table.state` has it: `columnFilters`, `globalFilter`, `sorting`, `pagination`. It may come from outside.
 * @returns the query, or every issue of the state. `docs/guides/grids.md` lists what each filter function means.
 * @throws TypeError when the collection or an option is wrong, never because of the state.
 * @example
 * fromTanStackTable(orderCollection, { columnFilters: [{ id: 'total', value: [5, null] }] }).ok // => true
 */
export function fromTanStackTable<C extends Collection>(
  collection: C,
  state: TanStackTableState,
  options: TanStackTableOptions<C> = {},
): GridResult<QueryOf<C>> {
  return readState(collection, (reading) => {
    const { filterFns = {} } = checkOptions(options, 'options', ['filterFns'])
    const fns = checkOptions(filterFns, 'filterFns', [...collection.visible.paths.keys()]) as Record<
      string,
      TanStackFilterFn
    >
    for (const [path, fn] of Object.entries(fns))
      if (!Object.hasOwn(laws, fn))
        throw new TypeError(`filterFns.${path} must be one of ${Object.keys(laws).join(', ')}`)
    const given = objectAt(reading, state, '', ['columnFilters', 'globalFilter', 'sorting', 'pagination'])
    const { globalFilter, pagination } = given
    if (!isBlank(globalFilter)) readWords(reading, 'globalFilter', [globalFilter])
    readSort(
      reading,
      listAt(reading, given.sorting, 'sorting').map((item, index) => {
        const at = inside('sorting', index)
        const { id, desc } = objectAt(reading, item, at, ['id', 'desc'])
        if (typeof desc !== 'boolean') expect(reading, inside(at, 'desc'), 'true or false')
        return [inside(at, 'id'), id, desc as boolean]
      }),
    )
    if (pagination !== undefined) {
      const at = 'pagination'
      const { pageIndex, pageSize } = objectAt(reading, pagination, at, ['pageIndex', 'pageSize'])
      reading.limit = wholeAt(reading, pageSize, inside(at, 'pageSize'), 1, collection.limit.max)
      readOffset(reading, [inside(at, 'pageIndex'), pageIndex], reading.limit)
    }
    const filtered = new Set<unknown>()
    return listAt(reading, given.columnFilters, 'columnFilters').map((item, index): Said => {
      const at = inside('columnFilters', index)
      const { id, value } = objectAt(reading, item, at, ['id', 'value'])
      const field = columnAt(reading, id, inside(at, 'id'))
      if (field === undefined) return undefined
      const column = { reading, at: inside(at, 'value'), field }
      // The table evaluates the last filter of a column, and removes a blank one.
      if (filtered.has(id)) return expect(reading, inside(at, 'id'), 'another column than those of other filters')
      filtered.add(id)
      if (isBlank(value)) return expect(reading, column.at, 'a value: leave the filter out', field)
      const type = field.lists.length === 0 ? field.type : isList(field) ? 'list' : 'object'
      const name = Object.hasOwn(fns, field.name) ? fns[field.name]! : automatic(type)
      const [types, law] = laws[name]
      return types.split(' ').includes(type)
        ? law(column, value)
        : refuseOperator(
            column,
            name,
            true,
            Object.keys(laws).filter((fn) => laws[fn as TanStackFilterFn][0].split(' ').includes(type)),
          )
    })
  })
}
