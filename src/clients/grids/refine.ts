/** Refine: reads `CrudFilters`, sorters and pagination. */
import type { Collection, OperatorName } from '../../language/index.ts'
import type { QueryOf } from '../../query/index.ts'
import { isDay } from '../../values/time.ts'
import {
  all,
  columnAt,
  expect,
  group,
  inside,
  isDescendingAt,
  isNumeric,
  isTooDeep,
  listAt,
  operandsAt,
  nameOf,
  numberOf,
  objectAt,
  readOffset,
  readSort,
  readState,
  refuseOperator,
  refuseValue,
  say,
  wholeAt,
} from './reading.ts'
import type { Column, GridResult, StateProgress, Part } from './reading.ts'

/** The state for {@link fromRefine}: the parameters of `getList`. */
export interface RefineState {
  readonly filters?: readonly object[] | undefined
  readonly sorters?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[] | undefined
  readonly pagination?:
    | {
        readonly currentPage?: number | undefined
        readonly current?: number | undefined
        readonly pageSize?: number | undefined
        readonly mode?: 'server' | 'client' | 'off' | undefined
      }
    | undefined
}

/** The operator of this library for each operator, the number of its operands, and whether `not` negates the condition. */
const operators: Readonly<
  Record<string, readonly [name: OperatorName, operands?: 'list' | 'two' | 'none' | undefined, isNot?: true]>
> = {
  eq: ['equals'],
  eqs: ['equals'],
  ne: ['notEqual'],
  nes: ['notEqual'],
  lt: ['lt'],
  gt: ['gt'],
  lte: ['lte'],
  gte: ['gte'],
  in: ['in', 'list'],
  nin: ['nin', 'list'],
  ina: ['all', 'list'],
  nina: ['all', 'list', true],
  contains: ['contains'],
  ncontains: ['doesNotContain'],
  containss: ['containsExact'],
  ncontainss: ['containsExact', undefined, true],
  startswith: ['startsWith'],
  nstartswith: ['startsWith', undefined, true],
  startswiths: ['startsWithExact'],
  nstartswiths: ['startsWithExact', undefined, true],
  endswith: ['endsWith'],
  nendswith: ['endsWith', undefined, true],
  endswiths: ['endsWithExact'],
  nendswiths: ['endsWithExact', undefined, true],
  between: ['range', 'two'],
  nbetween: ['range', 'two', true],
  null: ['exists', 'none'],
  nnull: ['exists', 'none'],
}

/** Converts a text to the type of its field: Refine keeps filters as texts in the address of a page. */
const typed = (field: Column['field'], value: unknown): unknown =>
  isNumeric(field)
    ? numberOf(field, value)
    : field.type === 'boolean' && (value === 'true' || value === 'false')
      ? value === 'true'
      : value

function readCondition(column: Column, operator: string, value: unknown): Part {
  const { reading, at, field } = column
  const [name, operands, isNot] = operators[operator]!
  if (operands === 'none')
    return value === true || value === 'true' ? say(column, name, operator === 'nnull') : refuseValue(column, 'true')
  // With an empty text, a cleared search box would select every row with a value.
  if (value === '' && /^n?(?:contain|start|end)s/.test(operator)) return refuseValue(column, 'a text that is not empty')
  const values = operands === undefined ? [value] : operandsAt(column, value)
  if (values.length === 0) return undefined
  if (operands === 'two' && values.length !== 2) return refuseValue(column, 'a list of two values')
  if (field.type === 'datetime' && values.some((one) => typeof one === 'string' && isDay(one)))
    return refuseValue(column, 'a moment, such as 2024-01-31T10:00:00Z: a day differs between data providers')
  const filter = say(column, name, ...values.map((one) => typed(field, one)))
  return isNot ? group(reading, at, 'not', [filter]) : filter
}

function readFilter(reading: StateProgress, at: string, filter: unknown, depth: number): Part {
  const { key, field: name, operator, value } = objectAt(reading, filter, at, ['key', 'field', 'operator', 'value'])
  if (isTooDeep(reading, at, depth)) return undefined
  const member = inside(at, 'value')
  if (operator === 'or' || operator === 'and') {
    const filters = listAt(reading, value, member, 1).map((item, index) =>
      readFilter(reading, inside(member, index), item, depth + 1),
    )
    if (name !== undefined) expect(reading, inside(at, 'field'), 'absent beside a group')
    return operator === 'or' ? group(reading, inside(at, 'operator'), 'or', filters) : all(filters)
  }
  if (key !== undefined) expect(reading, inside(at, 'key'), 'absent beside a field')
  const field = columnAt(reading, name, inside(at, 'field'))
  if (field === undefined) return undefined
  const column = { reading, at: inside(at, 'operator'), field }
  if (!Object.hasOwn(operators, nameOf(operator)))
    return refuseOperator(column, operator, false, Object.keys(operators))
  return readCondition({ ...column, at: member }, operator, value)
}

/**
 * Reads the parameters of `getList` of a Refine data provider.
 *
 * @param collection made by `defineCollection`. The `field` of a filter is the path or an alias of a field.
 * @param state `filters`, `sorters` and `pagination`. Untrusted states are safe.
 * @returns the query, or every issue of the state. `docs/guides/grids.md` lists the meaning of each operator.
 * @throws TypeError when the collection is invalid, never because of the state.
 * @example
 * fromRefine(orderCollection, { filters: [{ field: 'status', operator: 'eq', value: 'paid' }] }).ok // => true
 */
export function fromRefine<C extends Collection>(collection: C, state: RefineState): GridResult<QueryOf<C>> {
  return readState(collection, state, (reading) => {
    const members = objectAt(reading, state, '', ['filters', 'sorters', 'pagination'])
    readSort(reading, 'sorters', members.sorters, (at, item) => {
      const { field, order } = objectAt(reading, item, at, ['field', 'order'])
      return [inside(at, 'field'), field, isDescendingAt(reading, order, inside(at, 'order'))]
    })
    if (members.pagination !== undefined) {
      const at = 'pagination'
      const names = ['currentPage', 'current', 'pageSize', 'mode']
      const { mode = 'server', pageSize = 10, ...pages } = objectAt(reading, members.pagination, at, names)
      const name = pages.currentPage === undefined && pages.current !== undefined ? 'current' : 'currentPage'
      if (mode === 'server') {
        const { maxOffset = 0, limit } = collection
        reading.limit = wholeAt(reading, pageSize, inside(at, 'pageSize'), 1, limit.max)
        const last = Math.floor(maxOffset / reading.limit) + 1
        const page = wholeAt(reading, pages[name] ?? 1, inside(at, name), 1, last)
        readOffset(reading, [inside(at, name), page - 1], reading.limit)
      } else if (mode !== 'client' && mode !== 'off') expect(reading, inside(at, 'mode'), 'server, client or off')
    }
    return listAt(reading, members.filters, 'filters').map((item, index) =>
      readFilter(reading, inside('filters', index), item, 1),
    )
  })
}
