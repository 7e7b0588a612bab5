/** TanStack DB: reads the options of `loadSubset`. */
import { shownName } from '../../issue/index.ts'
import type { Collection, OperatorName } from '../../language/index.ts'
import type { QueryOf } from '../../query/index.ts'
import { ownOf } from '../../own.ts'
import {
  all,
  columnAt,
  compareMoments,
  expect,
  group,
  inside,
  isDescendingAt,
  isList,
  isNumeric,
  isTooDeep,
  listAt,
  momentOf,
  objectAt,
  operandsAt,
  present,
  readOffset,
  readSort,
  readState,
  refuse,
  refuseOperator,
  refuseValue,
  say,
  wholeAt,
} from './reading.ts'
import type { Column, Comparison, GridResult, StateProgress, Part } from './reading.ts'

/** The state for {@link fromTanStackDb}: the options of `loadSubset`. */
export interface TanStackDbState {
  readonly where?: object | undefined
  readonly orderBy?: readonly object[] | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: object | undefined
  readonly refetch?: boolean | undefined
  readonly signal?: unknown
  readonly subscription?: unknown
}

/** The complement of each comparison among rows with a value. */
const opposite = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' } as const
/** The options without effect. The subscription of the component refers to the rest of its program. */
const unread = ['refetch', 'signal', 'subscription']
const names = ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'ilike', 'isNull', 'and', 'or', 'not']

/** Reads a reference to a field. */
function refAt(reading: StateProgress, expression: unknown, at: string): Column | undefined {
  const members = ['type', 'path', 'sourceAlias', 'bindingId']
  const { type, path, sourceAlias, bindingId } = objectAt(reading, expression, at, members)
  const names = listAt(reading, path, inside(at, 'path'), 1)
  if (
    names.some((name) => typeof name !== 'string') ||
    type !== 'ref' ||
    sourceAlias !== undefined ||
    bindingId !== undefined
  )
    return expect(reading, at, 'a reference to a field')
  const field = names.length > 0 ? columnAt(reading, names.join('.'), inside(at, 'path')) : undefined
  return field && { reading, at, field }
}

/** Reads a constant. The component compares it with the JSON values of rows, without conversion. */
function valueAt(column: Column, value: unknown): unknown {
  const { field } = column
  const isText = typeof value === 'string'
  if (isNumeric(field) && typeof value !== 'number') return refuseValue(column, 'a number')
  if (field.type === 'uuid' && isText && value !== value.toLowerCase())
    return refuseValue(column, 'a uuid in lower case')
  if (field.type !== 'datetime' || value instanceof Date) return value
  // The component compares moments as texts, so rows and constant require the same form.
  const isCanonical = isText && ownOf(field).digits === 3 && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
  return isCanonical ? value : refuseValue(column, 'a Date')
}

const compare = (column: Column, name: Comparison, value: unknown): Part =>
  value instanceof Date && column.field.type === 'datetime'
    ? compareMoments(column, name, momentOf(column, value))
    : say(column, name, value)

/** Returns the operator and the text of a `like` pattern; `undefined` for wildcards inside the text. */
function patternOf(pattern: unknown, isExact: boolean): readonly [OperatorName, string] | undefined {
  const [, start, text = '', end = ''] = (typeof pattern === 'string' && /^(%*)(?:([^%_]+)(%*))?$/.exec(pattern)) || []
  if (start === undefined) return undefined
  const isEnd = end !== '' || (text === '' && start !== '')
  const kind = start !== '' ? (isEnd ? 'contains' : 'endsWith') : isEnd ? 'startsWith' : 'equals'
  if (kind === 'equals') return [isExact ? 'equals' : 'equalsIgnoreCase', text]
  return [isExact ? `${kind}Exact` : kind, text]
}

/** Reads the rows for which an expression is true or false. A row without the value satisfies neither, not even with `not`. */
function readExpression(reading: StateProgress, at: string, expression: unknown, isTrue: boolean, depth: number): Part {
  const { type, name, args } = objectAt(reading, expression, at)
  if (type === 'func') objectAt(reading, expression, at, ['type', 'name', 'args'])
  if (isTooDeep(reading, at, depth)) return undefined
  if (type === 'ref') {
    const column = refAt(reading, expression, at)
    return column && say(column, 'equals', isTrue)
  }
  const list = inside(at, 'args')
  const part = (index: number) => inside(list, index)
  if (type !== 'func' || !names.includes(name)) {
    if (typeof name !== 'string') return expect(reading, at, 'an expression')
    return refuse(reading, inside(at, 'name'), 'operator_unknown', { name: shownName(name), advice: [] })
  }
  const parts = listAt(reading, args, list, 1)
  const isJoin = name === 'and' || name === 'or'
  const count = isJoin ? parts.length : name === 'not' || name === 'isNull' ? 1 : 2
  if (parts.length !== count) return expect(reading, list, count === 1 ? 'a list of one' : 'a list of two')
  if (parts.length === 0) return undefined
  if (name === 'not') return readExpression(reading, part(0), parts[0], !isTrue, depth + 1)
  if (isJoin) {
    const filters = parts.map((one, index) => readExpression(reading, part(index), one, isTrue, depth + 1))
    return (name === 'and') === isTrue ? all(filters) : group(reading, at, 'or', filters)
  }
  const isInside = name === 'in' && objectAt(reading, parts[0], part(0)).type === 'val'
  const column = refAt(reading, parts[isInside ? 1 : 0], part(isInside ? 1 : 0))
  if (column === undefined) return undefined
  const { field } = column
  const isText = field.type === 'string' || field.type === 'enumeration'
  if (
    field.lists.length === 0
      ? isInside || (name.endsWith('like') && !isText)
      : !isInside || !isList(field) || field.type === 'datetime'
  )
    return refuseOperator(column, name, true, [])
  if (name === 'isNull') return say(column, 'exists', !isTrue)
  const constant = objectAt(reading, parts[isInside ? 0 : 1], part(isInside ? 0 : 1), ['type', 'value'])
  if (constant.type !== 'val') return expect(reading, list, 'a field and a constant', field)
  const operand = { ...column, at: inside(part(isInside ? 0 : 1), 'value') }
  const { value } = constant
  if (isInside) return say(operand, isTrue ? 'equals' : 'notEqual', valueAt(operand, value))
  if (Object.hasOwn(opposite, name)) {
    return compare(
      operand,
      isTrue ? (name as keyof typeof opposite) : opposite[name as keyof typeof opposite],
      valueAt(operand, value),
    )
  }
  if (name === 'eq') {
    const one = valueAt(operand, value)
    const filter = compare(operand, isTrue ? 'equals' : 'notEqual', one)
    return isTrue || one instanceof Date ? filter : present(operand, filter)
  }
  if (name === 'in') {
    const values = operandsAt(operand, value)
    if (values.length === 0) return undefined
    // The component ignores `null` and `undefined` among the constants.
    const left = values.filter((one) => one !== null && one !== undefined)
    if (field.type === 'datetime' || left.length < values.length) return refuseValue(operand, 'a list of values')
    const all = left.map((one) => valueAt(operand, one))
    return isTrue ? say(operand, 'in', ...all) : present(operand, say(operand, 'nin', ...all))
  }
  const pattern = patternOf(value, name === 'like')
  if (pattern === undefined) return refuseValue(operand, 'a text with % at its ends alone')
  const filter = say(operand, ...pattern)
  return isTrue ? filter : present(operand, group(reading, at, 'not', [filter]))
}

/** Reads a sort key. Refuses other orders than this library's: missing values first in ascending order, and texts by code point. */
function readOrder(reading: StateProgress, at: string, item: unknown): readonly [string, unknown, boolean] {
  const { expression, compareOptions } = objectAt(reading, item, at, ['expression', 'compareOptions'])
  const options = inside(at, 'compareOptions')
  const { direction, nulls, stringSort } = objectAt(reading, compareOptions, options)
  const column = refAt(reading, expression, inside(at, 'expression'))
  const isDescending = isDescendingAt(reading, direction, inside(options, 'direction'))
  const field = column?.field
  const order = ownOf((field && reading.collection.orders.get(field.name)) ?? {})
  // TanStack DB sorts the rows again, by their values alone.
  if (order.ignoreCase ?? order.declared)
    expect(reading, inside(at, 'expression'), 'a field without ignoreCase and declared', field)
  const expected = order.nulls ?? (isDescending ? 'last' : 'first')
  if (field && nulls !== expected && !ownOf(field).required) expect(reading, inside(options, 'nulls'), expected, field)
  if (field?.literal === 'string' && stringSort !== 'lexical')
    expect(reading, inside(options, 'stringSort'), 'lexical', field)
  return [inside(at, 'expression'), field?.name, isDescending]
}

/**
 * Reads the options of `loadSubset`, with which a collection of TanStack DB loads the rows of a query.
 *
 * @param collection made by `defineCollection`.
 * @param state the options. `signal`, `subscription` and `refetch` have no effect. `cursor` requires `offset`, which chooses the same
 *   page.
 * @returns the query, or every issue of the options. `docs/guides/grids.md` lists the meaning of each expression.
 * @throws TypeError when the collection is invalid, never because of the options.
 * @example
 * fromTanStackDb(orderCollection, { where: { type: 'func', name: 'isNull', args: [{ type: 'ref', path: ['total'] }] } }).ok // => true
 */
export function fromTanStackDb<C extends Collection>(collection: C, state: TanStackDbState): GridResult<QueryOf<C>> {
  return readState(
    collection,
    state,
    (reading) => {
      const members = objectAt(reading, state, '', ['where', 'orderBy', 'limit', 'offset', 'cursor', ...unread])
      const { where, limit, offset, cursor } = members
      readSort(reading, 'orderBy', members.orderBy, (at, item) => readOrder(reading, at, item))
      if (limit !== undefined) reading.limit = wholeAt(reading, limit, 'limit', 1, collection.limit.max)
      if (offset !== undefined) readOffset(reading, ['offset', offset], 1)
      else if (cursor !== undefined) expect(reading, 'cursor', 'absent without an offset')
      return where === undefined ? [] : [readExpression(reading, 'where', where, true, 1)]
    },
    { unread },
  )
}
