/** MUI X Data Grid: reads the filter model with the quick filter, the sort model and the pagination model. */
import type { Collection, OperatorName } from '../../language/index.ts'
import type { QueryOf } from '../../query/index.ts'
import {
  blank,
  columnAt,
  compareMoments,
  dayOf,
  expect,
  group,
  inside,
  isDescendingAt,
  listAt,
  momentOf,
  nameOf,
  numberOf,
  objectAt,
  operandsAt,
  present,
  readPage,
  readSort,
  readState,
  readWords,
  refuseOperator,
  refuseValue,
  say,
  typeOf,
} from './reading.ts'
import type { Column, Comparison, GridOptions, GridResult, Part, StateProgress } from './reading.ts'

/** The state for {@link fromMuiX}: the models that `onFilterModelChange`, `onSortModelChange` and `onPaginationModelChange` pass. */
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

/** The options of {@link fromMuiX}. */
export interface MuiXOptions<C extends Collection = Collection> extends GridOptions<C> {
  /**
   * How `equals`, `doesNotEqual` and `isAnyOf` compare texts. On the client, the grid ignores case and accents by the browser's collation,
   * which no query can. Default: these conditions are issues.
   */
  readonly equality?: 'exact' | 'ignoreCase' | undefined
}

type Law = (column: Column, value: any) => Part

/** Reads a condition with a text, which the component trims. */
const text =
  (name: OperatorName): Law =>
  (column, value) =>
    typeof value === 'string' ? say(column, name, value.trim()) : refuseValue(column, 'a text')

/** Reads a condition with a number. The component parses texts. */
const number =
  (name: OperatorName): Law =>
  (column, value) =>
    say(column, name, numberOf(column.field, value))

const plain =
  (name: OperatorName): Law =>
  (column, value) =>
    say(column, name, value)

/** Reads a list of values. The grid ignores an empty list, as it ignores an item without a value. */
const some =
  (law: (column: Column, values: readonly unknown[]) => Part): Law =>
  (column, value) => {
    const values = Array.isArray(value) && value.length === 0 ? [] : operandsAt(column, value)
    return values.length > 0 ? law(column, values) : undefined
  }
const isAnyOf = /* @__PURE__ */ some((column, values) =>
  say(column, 'in', ...values.map((one) => numberOf(column.field, one))),
)

/** Makes a condition on a text among others, by the option `equality`: the grid compares by the browser's collation. */
function among(column: Column, values: readonly unknown[], isNot = false): Part {
  const { reading, at, field } = column
  const texts = values.map((value) => (typeof value === 'string' ? value.trim() : refuseValue(column, 'a text')))
  if (texts.includes(undefined)) return undefined
  if (field.type === 'uuid' || reading.settings.equality === 'exact')
    return values.length > 1 ? say(column, 'in', ...texts) : say(column, isNot ? 'notEqual' : 'equals', texts[0])
  const filter = texts.map((one) => say(column, 'equalsIgnoreCase', one))
  return group(reading, at, isNot ? 'not' : 'or', filter)
}

const day =
  (name: OperatorName): Law =>
  (column, value) =>
    say(column, name, dayOf(momentOf(column, value)))
/** @param length of the range of a moment: a minute, or the least one. */
const moment =
  (name: Comparison, length?: number): Law =>
  (column, value) =>
    compareMoments(column, name, Math.floor(momentOf(column, value) / minute) * minute, length)
const minute = 60_000

type Laws = Readonly<Record<string, Law>>
/** The operators by the type of the column, which follows from the type of the field. */
function lawsOf(): Readonly<Record<string, Laws>> {
  const empty = {
    isEmpty: (column) => blank(column, true),
    isNotEmpty: (column) => blank(column, false),
  } satisfies Laws
  const equality = {
    equals: (column, value) => among(column, [value]),
    doesNotEqual: (column, value) => among(column, [value], true),
    isAnyOf: some(among),
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
  const texts: Laws = {
    contains: text('contains'),
    doesNotContain: text('doesNotContain'),
    startsWith: text('startsWith'),
    endsWith: text('endsWith'),
    ...empty,
  }
  return {
    string: texts,
    // The grid compares texts by the browser's collation: only the option `equality` names a meaning that a query has.
    compared: { ...texts, ...equality },
    enumeration: {
      is: plain('equals'),
      not: plain('notEqual'),
      isAnyOf,
    },
    uuid: { ...equality, ...empty },
    integer: numeric,
    number: numeric,
    bigint: numeric,
    decimal: numeric,
    boolean: {
      // The component reads a missing value as `false`.
      is: (column, value) =>
        value === true || value === 'true'
          ? say(column, 'equals', true)
          : value === false || value === 'false'
            ? say(column, 'notEqual', true)
            : refuseValue(column, 'true or false'),
    },
    date: {
      is: day('equals'),
      not: (column, value) => present(column, day('notEqual')(column, value)),
      after: day('gt'),
      onOrAfter: day('gte'),
      before: day('lt'),
      onOrBefore: day('lte'),
      ...empty,
    },
    datetime: {
      is: moment('equals', minute),
      not: moment('notEqual', minute),
      after: moment('gt'),
      onOrAfter: moment('gte'),
      before: moment('lt'),
      onOrBefore: moment('lte'),
      ...empty,
    },
  }
}
const laws = /* @__PURE__ */ lawsOf()

/** The operators of a column. */
const operatorsOf = (column: Column): Laws =>
  (column.field.type === 'string' && column.reading.settings.equality !== undefined
    ? laws['compared']
    : laws[typeOf(column)]) ?? {}

const logic = (reading: Column['reading'], value: unknown, at: string): boolean => {
  if (value !== undefined && value !== 'and' && value !== 'or') expect(reading, at, 'and, or or')
  return value === 'or'
}

/**
 * Reads the models of an MUI X Data Grid with `filterMode`, `sortingMode` and `paginationMode` set to `"server"`.
 *
 * @param collection made by `defineCollection`. The `field` of a column is the path or an alias of a field.
 * @param state the filter model, sort model and pagination model. Untrusted states are safe.
 * @param options each selects the meaning of one kind of ambiguous conditions. Without it, the reader reports an issue for such a condition.
 * @returns the query, or every issue of the state. `docs/guides/grids.md` lists the meaning of each operator.
 * @throws TypeError when the collection or an option is invalid, never because of the state.
 * @example
 * fromMuiX(orderCollection, { sortModel: [{ field: 'total', sort: 'desc' }], paginationModel: { page: 0, pageSize: 20 } }).ok // => true
 */
export function fromMuiX<C extends Collection>(
  collection: C,
  state: MuiXState,
  options: MuiXOptions<C> = {},
): GridResult<QueryOf<C>> {
  const read = (reading: StateProgress): readonly Part[] => {
    const models = objectAt(reading, state, '', ['filterModel', 'sortModel', 'paginationModel'])
    readSort(reading, 'sortModel', models.sortModel, (at, item) => {
      const { field, sort } = objectAt(reading, item, at, ['field', 'sort'])
      if (sort === undefined || sort === null) return undefined
      return [inside(at, 'field'), field, isDescendingAt(reading, sort, inside(at, 'sort'))]
    })
    readPage(reading, 'paginationModel', models.paginationModel, 'page')
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
    const entries = listAt(reading, model.quickFilterValues, quick)
    // The grid selects no row for an empty word beside others. `readWords` refuses this word.
    const words = entries.every((word) => word === '') ? [] : entries
    if (logic(reading, model.quickFilterLogicOperator, inside(at, 'quickFilterLogicOperator')) && words.length > 1)
      expect(reading, inside(at, 'quickFilterLogicOperator'), 'and: a search requires each of its words')
    readWords(reading, quick, words)
    const items = inside(at, 'items')
    const ids = new Set<string>()
    const filters = listAt(reading, model.items ?? null, items).flatMap((item, index): Part[] => {
      const at = inside(items, index)
      const members = objectAt(reading, item, at, ['id', 'field', 'operator', 'value', 'fromInput'])
      const { id, field: name, operator, value } = members
      if (id !== undefined && id !== null) {
        const isId = typeof id === 'number' || typeof id === 'string'
        // The grid evaluates only one of several items with the same id.
        if (!isId || ids.has(`${id}`)) expect(reading, inside(at, 'id'), 'a number or a text that no other item has')
        else ids.add(`${id}`)
      }
      const field = columnAt(reading, name, inside(at, 'field'))
      if (field === undefined) return []
      const operators = field.lists.length > 0 ? {} : operatorsOf({ reading, at, field })
      const law = Object.hasOwn(operators, nameOf(operator)) ? operators[operator] : undefined
      if (law === undefined) {
        const column = { reading, at: inside(at, 'operator'), field }
        refuseOperator(
          column,
          operator,
          Object.values(laws).some((one) => Object.hasOwn(one, nameOf(operator))),
          Object.keys(operators),
        )
        return []
      }
      // The grid ignores an item without a value, unless its operator requires no value.
      if ((value === undefined || value === '') && !operator.endsWith('Empty')) return []
      const part = law({ reading, at: inside(at, 'value'), field }, value)
      return part === undefined ? [] : [part]
    })
    return isOr && filters.length > 1 ? [group(reading, inside(at, 'logicOperator'), 'or', filters)] : filters
  }
  return readState(collection, state, read, { options, more: ['equality'] })
}
