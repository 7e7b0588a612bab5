/** MUI X Data Grid: its filter model, quick filter, sort model and pagination model. */
import type { Collection, OperatorName } from '../language/index.ts'
import type { QueryOf } from '../query/page/query.ts'
import {
  all,
  columnAt,
  dayOf,
  expect,
  group,
  inside,
  listAt,
  momentOf,
  nameOf,
  numberOf,
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

/** What {@link fromMuiX} reads of a Data Grid: the models that `onFilterModelChange` and the like give. */
export interface MuiXState {
  readonly filterModel?:
    | {
        readonly items: readonly {
          readonly id?: number | string | undefined
          readonly field: string
          readonly operator: string
          readonly value?: unknown
        }[]
        readonly logicOperator?: string | undefined
        readonly quickFilterValues?: readonly unknown[] | undefined
        readonly quickFilterLogicOperator?: string | undefined
        readonly quickFilterExcludeHiddenColumns?: boolean | undefined
      }
    | undefined
  readonly sortModel?:
    readonly { readonly field: string; readonly sort?: 'asc' | 'desc' | null | undefined }[] | undefined
  readonly paginationModel?: { readonly page: number; readonly pageSize: number } | undefined
}

type Law = (column: Column, value: any) => Said

/** A condition with a text. The component trims it, and reads an empty one as no condition. */
const text =
  (name: OperatorName): Law =>
  (column, value) =>
    value === ''
      ? undefined
      : typeof value === 'string'
        ? say(column, name, value.trim())
        : expect(column.reading, column.at, 'a text', column.field)

/** The component parses a text of a number. An empty one is no condition. */
const number =
  (name: OperatorName): Law =>
  (column, value) =>
    value === '' ? undefined : say(column, name, numberOf(column.field, value))

const plain =
  (name: OperatorName): Law =>
  (column, value) =>
    value === '' ? undefined : say(column, name, value)

const isAnyOf: Law = (column, value) => {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return undefined
  const values = operandsAt(column, value)
  return values.length > 0 ? say(column, 'in', ...values.map((one) => numberOf(column.field, one))) : undefined
}

/** Rows without a value fail the negation of a date. */
const present = (column: Column, filter: Said): Said => all([say(column, 'exists', true), filter])

/** A condition with a day, or with a minute. */
const date =
  (read: (column: Column, value: any) => Said): Law =>
  (column, value) =>
    value === '' ? undefined : read(column, value)
const day = (name: OperatorName) => date((column, value) => say(column, name, dayOf(momentOf(column, value))))
const minuteOf = (column: Column, value: unknown): number => Math.floor(momentOf(column, value) / 60_000) * 60_000
const minute = (column: Column, value: unknown): readonly Said[] => {
  const from = minuteOf(column, value)
  return [say(column, 'gte', new Date(from)), say(column, 'lt', new Date(from + 60_000))]
}
/** @param later a `Date` has whole milliseconds: the next one is after all microseconds. */
const moment = (name: OperatorName, later: 0 | 1) =>
  date((column, value) => say(column, name, new Date(minuteOf(column, value) + later)))

type Laws = Readonly<Record<string, Law>>
/** The operators of each type of column, which the type of the field decides. */
function lawsOf(): Readonly<Record<string, Laws>> {
  const empty = {
    isEmpty: (column) => say(column, 'exists', false),
    isNotEmpty: (column) => say(column, 'exists', true),
  } satisfies Laws
  const numeric: Laws = {
    '=': number('equals'),
    '!=': number('notEqual'),
    '>': number('gt'),
    '>=': number('gte'),
    '<': number('lt'),
    '<=': number('lte'),
    ...empty,
    isAnyOf,
  }
  return {
    string: {
      contains: text('contains'),
      doesNotContain: text('doesNotContain'),
      startsWith: text('startsWith'),
      endsWith: text('endsWith'),
      isEmpty: (column) => orAbsent(column, say(column, 'equals', '')),
      isNotEmpty: (column) => present(column, say(column, 'notEqual', '')),
    },
    enumeration: {
      is: plain('equals'),
      not: plain('notEqual'),
      isAnyOf,
    },
    uuid: empty,
    integer: numeric,
    number: numeric,
    bigint: numeric,
    decimal: numeric,
    boolean: {
      // A row without a value counts as `false`.
      is: (column, value) =>
        value === ''
          ? undefined
          : value === true || value === 'true'
            ? say(column, 'equals', true)
            : value === false || value === 'false'
              ? say(column, 'notEqual', true)
              : expect(column.reading, column.at, 'true or false', column.field),
    },
    date: {
      is: day('equals'),
      not: date((column, value) => present(column, day('notEqual')(column, value))),
      after: day('gt'),
      onOrAfter: day('gte'),
      before: day('lt'),
      onOrBefore: day('lte'),
      ...empty,
    },
    datetime: {
      is: date((column, value) => all(minute(column, value))),
      not: date((column, value) =>
        present(column, group(column.reading, column.at, 'not', [all(minute(column, value))])),
      ),
      after: moment('gte', 1),
      onOrAfter: moment('gte', 0),
      before: moment('lt', 0),
      onOrBefore: moment('lt', 1),
      ...empty,
    },
  }
}
const laws = /* @__PURE__ */ lawsOf()

const logic = (reading: Column['reading'], value: unknown, at: string): boolean => {
  if (value !== undefined && value !== 'and' && value !== 'or') expect(reading, at, 'and, or or')
  return value === 'or'
}

/**
 * Reads the models of an MUI X Data Grid whose rows a service filters, sorts and pages (`filterMode="server"` and the like).
 *
 * @param collection what the query may contain; made by `defineCollection`. Columns are its fields, by their paths or aliases.
 * @param state the filter model, sort model and pagination model. It may come from outside.
 * @returns the query, or every issue of the state. `docs/guides/grids.md` lists what each operator means.
 * @throws TypeError when the collection is wrong, never because of the state.
 * @example
 * fromMuiX(orderCollection, { sortModel: [{ field: 'total', sort: 'desc' }], paginationModel: { page: 0, pageSize: 20 } }).ok // => true
 */
export function fromMuiX<C extends Collection>(collection: C, state: MuiXState): GridResult<QueryOf<C>> {
  return readState(collection, (reading) => {
    const models = objectAt(reading, state, '', ['filterModel', 'sortModel', 'paginationModel'])
    readSort(
      reading,
      listAt(reading, models.sortModel, 'sortModel').flatMap((item, index) => {
        const at = inside('sortModel', index)
        const { field, sort } = objectAt(reading, item, at, ['field', 'sort'])
        if (sort === undefined || sort === null) return []
        if (sort !== 'asc' && sort !== 'desc') expect(reading, inside(at, 'sort'), 'asc or desc')
        return [[inside(at, 'field'), field, sort === 'desc'] as const]
      }),
    )
    if (models.paginationModel !== undefined) {
      const at = 'paginationModel'
      const { page, pageSize } = objectAt(reading, models.paginationModel, at, ['page', 'pageSize'])
      reading.limit = wholeAt(reading, pageSize, inside(at, 'pageSize'), 1, collection.limit.max)
      readOffset(reading, [inside(at, 'page'), page], reading.limit)
    }
    const at = 'filterModel'
    const model = objectAt(reading, models.filterModel === undefined ? { items: [] } : models.filterModel, at, [
      'items',
      'logicOperator',
      'quickFilterValues',
      'quickFilterLogicOperator',
      'quickFilterExcludeHiddenColumns',
    ])
    const isOr = logic(reading, model.logicOperator, inside(at, 'logicOperator'))
    const quick = inside(at, 'quickFilterValues')
    const given = listAt(reading, model.quickFilterValues, quick)
    // An empty word beside others selects nothing in the grid, and is refused.
    const words = given.every((word) => word === '') ? [] : given
    if (logic(reading, model.quickFilterLogicOperator, inside(at, 'quickFilterLogicOperator')) && words.length > 1)
      expect(reading, inside(at, 'quickFilterLogicOperator'), 'and: a search requires each of its words')
    readWords(reading, quick, words)
    const items = inside(at, 'items')
    const ids = new Set<string>()
    const filters = listAt(reading, model.items ?? null, items).flatMap((item, index): Said[] => {
      const at = inside(items, index)
      const members = objectAt(reading, item, at, ['id', 'field', 'operator', 'value', 'fromInput'])
      const { id, field: name, operator, value } = members
      if (id !== undefined && id !== null) {
        const isId = typeof id === 'number' || typeof id === 'string'
        // The grid evaluates one of the items with the same id.
        if (!isId || ids.has(`${id}`)) expect(reading, inside(at, 'id'), 'a number or a text that no other item has')
        else ids.add(`${id}`)
      }
      const field = columnAt(reading, name, inside(at, 'field'))
      if (field === undefined) return []
      const known = field.lists.length > 0 ? {} : (laws[field.type] ?? {})
      const law = Object.hasOwn(known, nameOf(operator)) ? known[operator] : undefined
      if (law === undefined) {
        const column = { reading, at: inside(at, 'operator'), field }
        refuseOperator(
          column,
          operator,
          Object.values(laws).some((one) => Object.hasOwn(one, nameOf(operator))),
          Object.keys(known),
        )
        return []
      }
      // An item without a value is incomplete: the grid applies it only where its operator needs none.
      const said =
        value === undefined && !operator.endsWith('Empty')
          ? undefined
          : law({ reading, at: inside(at, 'value'), field }, value)
      return said === undefined ? [] : [said]
    })
    return isOr && filters.length > 1 ? [group(reading, inside(at, 'logicOperator'), 'or', filters)] : filters
  })
}
