/** AG Grid: reads the request of the server-side row model, with column filters or the advanced filter. */
import { isLiteralType } from '../../tree/index.ts'
import type { Collection, OperatorName } from '../../language/index.ts'
import type { QueryOf } from '../../query/index.ts'
import {
  all,
  blank,
  columnAt,
  compareMoments,
  expect,
  group,
  inside,
  isDescendingAt,
  isList,
  isTooDeep,
  momentOf,
  nameOf,
  numberOf,
  listAt,
  objectAt,
  present,
  readOffset,
  readSort,
  readState,
  refuseOperator,
  refuseValue,
  say,
  typeOf,
  wholeAt,
} from './reading.ts'
import type { Column, Comparison, GridOptions, GridResult, StateProgress, Part } from './reading.ts'

/** The state for {@link fromAgGrid}: `params.request` of a server-side datasource. */
export interface AgGridState {
  readonly startRow?: number | undefined
  readonly endRow?: number | undefined
  readonly rowGroupCols?: readonly unknown[] | undefined
  readonly valueCols?: readonly unknown[] | undefined
  readonly pivotCols?: readonly unknown[] | undefined
  readonly pivotMode?: boolean | undefined
  readonly groupKeys?: readonly unknown[] | undefined
  readonly filterModel?: object | null | undefined
  readonly sortModel?: readonly { readonly colId: string; readonly sort: string }[] | undefined
}

type Operands = readonly unknown[]
type Law = (column: Column, operands: Operands) => Part
type Laws = Readonly<Record<string, Law>>

const one =
  (name: OperatorName): Law =>
  (column, [value]) =>
    say(column, name, value)
const not = (column: Column, filter: Part): Part => group(column.reading, column.at, 'not', [filter])
/** The conditions by the type of the field and by `filterType`. */
function lawsOf(): Readonly<Record<string, Readonly<Record<string, Laws>>>> {
  const blanks = {
    blank: (column) => blank(column, true),
    notBlank: (column) => blank(column, false),
  } satisfies Laws

  const texts: Laws = {
    contains: one('contains'),
    notContains: one('doesNotContain'),
    equals: one('equalsIgnoreCase'),
    notEqual: (column, [value]) => not(column, say(column, 'equalsIgnoreCase', value)),
    startsWith: one('startsWith'),
    endsWith: one('endsWith'),
  }
  const comparedBy = (compare: (column: Column, name: Comparison, value: any) => Part): Laws => {
    const by =
      (name: Comparison): Law =>
      (column, [value]) =>
        compare(column, name, value)
    return {
      equals: by('equals'),
      notEqual: by('notEqual'),
      greaterThan: by('gt'),
      greaterThanOrEqual: by('gte'),
      lessThan: by('lt'),
      lessThanOrEqual: by('lte'),
      // The grid excludes both bounds, unless a column has `inRangeInclusive`.
      inRange: (column, [from, to]) => all([compare(column, 'gt', from), compare(column, 'lt', to)]),
      ...blanks,
    }
  }
  /** The grid drops rows without a value in each comparison, `notEqual` included. */
  const scalars = comparedBy((column, name, value) => {
    const filter = say(column, name, value)
    return name === 'notEqual' ? present(column, filter) : filter
  })
  const moments = comparedBy(compareMoments)
  const numbers = { number: scalars, bigint: scalars }
  const dates = { date: scalars, dateString: scalars }
  return {
    string: { text: texts },
    // The grid treats a text of spaces as blank: only the option `blank` names a meaning that a query has.
    blank: { text: { ...texts, ...blanks } },
    enumeration: { text: { ...texts, ...blanks } },
    uuid: { text: { equals: one('equals'), notEqual: one('notEqual'), ...blanks } },
    integer: numbers,
    number: numbers,
    bigint: numbers,
    decimal: numbers,
    date: dates,
    datetime: { date: moments, dateString: moments, dateTime: moments, dateTimeString: moments },
    boolean: {
      boolean: {
        true: (column) => say(column, 'equals', true),
        false: (column) => say(column, 'equals', false),
        ...blanks,
      },
    },
  }
}
const laws = /* @__PURE__ */ lawsOf()

/** The conditions on a column by `filterType`. Without a time zone, the model of a datetime has several meanings. */
function kindsOf(column: Column): Readonly<Record<string, Laws>> {
  const { field, reading } = column
  const { zone, blank } = reading.settings
  const type = typeOf(column)
  if (field.lists.length > 0 || (type === 'datetime' && zone === undefined)) return {}
  return laws[type === 'string' && blank !== undefined ? 'blank' : type] ?? {}
}

const isNone = (value: unknown): boolean => value === undefined || value === null
/** Returns the number of operands of a condition. */
const countOf = (type: unknown): number =>
  type === 'inRange' ? 2 : /^(?:notB|b)lank$|^true$|^false$/.test(type as string) ? 0 : 1

/** Reads an operand by the type of the filter. */
function operandOf(column: Column, filterType: string, value: unknown): unknown {
  const isText = typeof value === 'string' && value !== ''
  if (filterType.startsWith('date')) {
    // The model of a column adds midnight to a day.
    if (typeOf(column) === 'datetime')
      return momentOf(column, isText && value.length === 10 ? `${value} 00:00:00` : value)
    const day = isText ? /^(\d{4}-\d\d-\d\d)(?:[ T]00:00:00)?$/.exec(value) : null
    return day?.[1] ?? refuseValue(column, 'a day, YYYY-MM-DD')
  }
  if (
    filterType === 'bigint'
      ? isText || typeof value === 'bigint'
      : typeof value === 'number' || (filterType === 'text' && isText)
  )
    return value
  return refuseValue(column, filterType === 'number' ? 'a number' : 'a text that is not empty')
}

/** @param more the names of the members that the surrounding model allows in a condition. */
function readCondition(
  reading: StateProgress,
  at: string,
  field: Column['field'],
  model: Readonly<Record<string, any>>,
  more: readonly string[],
): Part {
  const { filterType, type } = model
  const column = { reading, at: inside(at, 'type'), field }
  const kinds = kindsOf(column)
  if (!Object.hasOwn(kinds, nameOf(filterType)))
    return refuseOperator({ ...column, at: inside(at, 'filterType') }, filterType, false, [
      ...Object.keys(kinds),
      'set',
    ])
  const operators = kinds[filterType]!
  if (!Object.hasOwn(operators, nameOf(type))) return refuseOperator(column, type, false, Object.keys(operators))
  const names =
    filterType === 'date' && !Object.hasOwn(model, 'filter') ? ['dateFrom', 'dateTo'] : ['filter', 'filterTo']
  objectAt(reading, model, at, ['filterType', 'type', ...names, ...more])
  const { issueCount } = reading
  const count = countOf(type)
  const operands = names.flatMap((name, index) => {
    const operand = { reading, at: inside(at, name), field }
    if (index < count) return [operandOf(operand, filterType, model[name])]
    if (!isNone(model[name])) refuseValue(operand, 'no value')
    return []
  })
  return reading.issueCount > issueCount
    ? undefined
    : operators[type]!({ ...column, at: operands.length > 0 ? inside(at, names[0]!) : column.at }, operands)
}

/** Reads a set filter. Its keys are texts; `null` selects the rows without a value. */
function readSet(reading: StateProgress, at: string, field: Column['field'], list: unknown): Part {
  const column = { reading, at, field }
  const keys = listAt(reading, list, at, 0, 500)
  const isText = field.type === 'string'
  if (
    field.type === 'datetime' ||
    !isLiteralType(field.literal) ||
    (field.lists.length > 0 && !isList(field)) ||
    isNone(list) ||
    (keys.includes(null) && (isText ? reading.settings.blank === undefined : field.lists.length > 0))
  )
    return refuseValue(column, isText ? 'a list of texts' : 'a list of keys')
  const values = keys.filter((key) => key !== null)
  if (values.some((key) => typeof key !== 'string')) return refuseValue(column, 'a list of texts')
  const filters: Part[] = []
  if (keys.includes(null)) filters.push(blank(column, true))
  if (isText && values.length > 0) filters.push(...values.map((value) => say(column, 'equalsIgnoreCase', value)))
  else if (field.type === 'boolean')
    filters.push(
      ...values.map((value) => say(column, 'equals', value === 'true' || (value === 'false' ? false : value))),
    )
  else if (values.length > 0 || keys.length === 0)
    filters.push(say(column, 'in', ...values.map((value) => numberOf(field, value))))
  return group(reading, at, 'or', filters)
}

const joined = (reading: StateProgress, at: string, operator: unknown, filters: readonly Part[]): Part => {
  if (operator !== 'AND' && operator !== 'OR') return expect(reading, at, 'AND or OR')
  return operator === 'OR' ? group(reading, at, 'or', filters) : all(filters)
}

/** Reads a column filter. */
function readColumn(
  reading: StateProgress,
  at: string,
  field: Column['field'],
  filterModel: unknown,
  depth: number,
  more: readonly string[] = [],
): Part {
  const model = objectAt(reading, filterModel, at)
  if (isTooDeep(reading, at, depth)) return undefined
  const { filterType, operator } = model
  const member =
    filterType === 'set'
      ? 'values'
      : filterType === 'multi'
        ? 'filterModels'
        : operator === undefined
          ? undefined
          : 'conditions'
  if (member === undefined) return readCondition(reading, at, field, model, more)
  objectAt(reading, model, at, ['filterType', member, ...(member === 'conditions' ? ['operator'] : more)])
  const place = inside(at, member)
  if (member === 'values') return readSet(reading, place, field, model.values)
  const items = listAt(reading, model[member], place, 1)
  // A multi filter contains `null` for each inactive filter.
  const isSet = (item: unknown) => member === 'conditions' || !isNone(item)
  if (items.length > 0 && !items.some(isSet)) return expect(reading, place, 'a list with a filter', field)
  const parts = items.flatMap((item, index) =>
    isSet(item) ? [readColumn(reading, inside(place, index), field, item, depth + 1)] : [],
  )
  return member === 'conditions'
    ? joined(reading, inside(at, 'operator'), operator, parts)
    : joined(reading, at, 'AND', parts)
}

function readAdvanced(reading: StateProgress, at: string, model: unknown, depth: number): Part {
  const { filterType, type, conditions, colId } = objectAt(reading, model, at)
  if (isTooDeep(reading, at, depth)) return undefined
  if (filterType !== 'join') {
    const field = columnAt(reading, colId, inside(at, 'colId'))
    return field && readColumn(reading, at, field, model, depth, ['colId'])
  }
  objectAt(reading, model, at, ['filterType', 'type', 'conditions'])
  const items = inside(at, 'conditions')
  const parts = listAt(reading, conditions, items, 1).map((item, index) =>
    readAdvanced(reading, inside(items, index), item, depth + 1),
  )
  return joined(reading, inside(at, 'type'), type, parts)
}

/**
 * Reads a request of AG Grid's server-side row model: column filters or the advanced filter, the sort model and the block of rows.
 *
 * @param collection made by `defineCollection`. The id of a column is the path or an alias of a field.
 * @param state `params.request` of the datasource. Untrusted states are safe.
 * @param options each selects the meaning of one kind of ambiguous conditions. Without it, the reader reports an issue for such a condition.
 * @returns the query, or every issue of the state. Row groups and pivots are issues. `docs/guides/grids.md` lists the meaning of each filter.
 * @throws TypeError when the collection or an option is invalid, never because of the state.
 * @example
 * fromAgGrid(orderCollection, { startRow: 0, endRow: 20, sortModel: [{ colId: 'total', sort: 'desc' }] }).ok // => true
 */
export function fromAgGrid<C extends Collection>(
  collection: C,
  state: AgGridState,
  options: GridOptions<C> = {},
): GridResult<QueryOf<C>> {
  const read = (reading: StateProgress): readonly Part[] => {
    const lists = ['rowGroupCols', 'pivotCols', 'groupKeys']
    const members = objectAt(reading, state, '', [
      ...['startRow', 'endRow', 'filterModel', 'sortModel', 'valueCols', 'pivotMode'],
      ...lists,
    ])
    for (const name of lists)
      if (listAt(reading, members[name], name).length > 0) expect(reading, name, 'an empty list: rows have no groups')
    if (members.pivotMode !== undefined && members.pivotMode !== false)
      expect(reading, 'pivotMode', 'false: rows have no groups')
    readSort(reading, 'sortModel', members.sortModel, (at, item) => {
      const { colId, sort, type = 'default' } = objectAt(reading, item, at, ['colId', 'sort', 'type'])
      const isDescending = isDescendingAt(reading, sort, inside(at, 'sort'))
      if (type !== 'default') expect(reading, inside(at, 'type'), 'default')
      return [inside(at, 'colId'), colId, isDescending]
    })
    const { startRow, endRow, filterModel } = members
    if (startRow !== undefined || endRow !== undefined) {
      readOffset(reading, ['startRow', startRow], 1)
      const start = reading.offset ?? 0
      reading.limit = wholeAt(reading, endRow, 'endRow', start + 1, start + collection.limit.max) - start
    }
    const at = 'filterModel'
    if (isNone(filterModel)) return []
    const model = objectAt(reading, filterModel, at)
    if (typeof model.filterType === 'string') return [readAdvanced(reading, at, filterModel, 1)]
    const columns = Object.entries(model)
    return columns.map(([name, value]) => {
      const member = inside(at, name)
      const field = columnAt(reading, name, member)
      return field && readColumn(reading, member, field, value, 1)
    })
  }
  return readState(collection, state, read, { options })
}
