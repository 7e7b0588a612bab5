/** Compares `fromMuiX` with the filters and comparators of MUI X Data Grid, which run without a browser. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { fromMuiX } from '../../src/clients/grids/index.ts'
import { collection, comparisonOf, packageOf, rowsOf, states, values, type Random, type Row } from './compare.ts'

const { folder, isInstalled } = packageOf('MUI X', '@mui/x-data-grid')

type State = Parameters<typeof fromMuiX>[1]
const text = ['contains', 'doesNotContain', 'startsWith', 'endsWith', 'isEmpty', 'isNotEmpty']
const select = ['is', 'not', 'isAnyOf']
const number = ['=', '!=', '>', '>=', '<', '<=', 'isEmpty', 'isNotEmpty', 'isAnyOf']
const date = ['is', 'not', 'after', 'onOrAfter', 'before', 'onOrBefore', 'isEmpty', 'isNotEmpty']
const all = [...new Set([...text, ...select, ...number, ...date, 'equals', 'doesNotEqual', 'like'])]

interface Kind {
  /** The type of the grid's column. */
  readonly type: string
  readonly operators: readonly string[]
  readonly operands: readonly unknown[]
}
const equality = ['equals', 'doesNotEqual', 'isAnyOf']
const texts: Kind = { type: 'string', operators: text, operands: [...values.name, ' jo ', '   '] }
const numbers: Kind = { type: 'number', operators: number, operands: [...values.number, '5', '-2.25', ''] }
const integers: Kind = { ...numbers, operands: [...values.integer, ...values.integer, 5.5, '5', ''] }
const kinds: Readonly<Record<string, Kind>> = {
  ...{ name: texts, title: texts, 'customer.city': texts },
  status: { type: 'singleSelect', operators: select, operands: [...values.status, ...values.status, 'x', ''] },
  code: { type: 'string', operators: [...equality, 'isEmpty', 'isNotEmpty'], operands: values.code },
  ...{ guests: integers, total: numbers, rank: integers, price: numbers, serial: integers, id: integers },
  gift: { type: 'boolean', operators: ['is'], operands: [true, false, 'true', 'false', ''] },
  arrival: { type: 'date', operators: date, operands: values.date },
  paidAt: { type: 'dateTime', operators: date, operands: [...values.datetime, '2024-01-01', '2024-01-02'] },
}
const fields = Object.keys(kinds)
/** With the option `equality`. The query compares accents, which the grid ignores. */
const compared: Kind = {
  ...texts,
  operators: [...text, ...equality],
  operands: texts.operands.filter((value) => value !== 'e' && value !== 'é'),
}
/** With the options `days` and `timeZone`: the column compares days. */
const byDay: Kind = { ...kinds['arrival']!, operands: [...values.date, ...values.datetime] }
/** With the option `timeZone`: moments of its clock. */
const inZone: Kind = { ...kinds['paidAt']!, operands: [...values.datetime, '2024-01-01T05:30', '2023-12-31T19:00:30'] }
const zones = ['America/New_York', 'Asia/Kolkata', 'UTC']

function itemOf({ pick, chance, some }: Random, id: number, kinds: Readonly<Record<string, Kind>>): object {
  const field = chance(0.02) ? pick(['tags', 'nope']) : pick(fields)
  const { operators, operands, type } = kinds[field] ?? texts
  const operator = chance(0.03) ? pick(all) : pick(operators)
  const one = () => {
    const value = pick(operands)
    return type.startsWith('date') && chance(0.5) ? new Date(value as string) : value
  }
  const value = chance(0.05)
    ? pick([undefined, undefined, null, '', '', [], 'x', {}])
    : operator === 'isAnyOf'
      ? some(operands, 3)
      : one()
  return { id, field, operator, value }
}

const valueOf = (row: Row, field: string): unknown => {
  const value =
    field === 'customer.city' ? (row['customer'] as { city?: unknown } | null | undefined)?.city : row[field]
  const isDate = kinds[field]!.type.startsWith('date')
  // The grid stores days as local midnight.
  return isDate && typeof value === 'string' ? new Date(field === 'arrival' ? `${value}T00:00:00` : value) : value
}

describe.skipIf(!isInstalled)('random states', () => {
  test('select the rows that the grid selects, in its order', () => {
    const require = createRequire(import.meta.url)
    const inside = (file: string) => require(join(folder, file)) as Record<string, any>
    const { buildAggregatedFilterApplier, passFilterLogic } = inside('hooks/features/filter/gridFilterUtils.js')
    const { buildAggregatedSortingApplier } = inside('hooks/features/sorting/gridSortingUtils.js')
    const { GRID_STRING_COL_DEF } = inside('colDef/gridStringColDef.js')
    const { GRID_DATE_COL_DEF, GRID_DATETIME_COL_DEF } = inside('colDef/gridDateColDef.js')
    const definitions: Readonly<Record<string, object>> = {
      string: GRID_STRING_COL_DEF,
      number: inside('colDef/gridNumericColDef.js')['GRID_NUMERIC_COL_DEF'],
      boolean: inside('colDef/gridBooleanColDef.js')['GRID_BOOLEAN_COL_DEF'],
      singleSelect: inside('colDef/gridSingleSelectColDef.js')['GRID_SINGLE_SELECT_COL_DEF'],
      date: GRID_DATE_COL_DEF,
      dateTime: GRID_DATETIME_COL_DEF,
    }
    const columnsOf = (kinds: Readonly<Record<string, Kind>>) =>
      Object.fromEntries(
        fields.map((field) => {
          const { type } = kinds[field]!
          const column = { ...definitions[type], field, type, valueOptions: values.status } as Record<string, unknown>
          // The quick filter tests only the searched columns.
          if (field !== 'name' && field !== 'title') column['getApplyQuickFilterFn'] = undefined
          return [field, column]
        }),
      )
    const { random, compare, report } = comparisonOf('MUI X', 2)
    const { pick, chance, below } = random
    const before = process.env.TZ
    for (let at = 0; at < states; at++) {
      const rows = rowsOf(random, 20)
      const isZoned = chance(0.5)
      const isByDay = isZoned && chance(0.5)
      const equality = chance(0.5) ? ('ignoreCase' as const) : undefined
      const timeZone = pick(zones)
      // The grid compares days and moments by the clock of its process.
      if (isZoned) process.env.TZ = timeZone
      else delete process.env.TZ
      const options = { equality, ...(isZoned && { timeZone }), ...(isByDay && { days: ['paidAt'] }) } as object
      const asked = {
        ...kinds,
        ...(equality && { name: compared, title: compared, 'customer.city': compared }),
        ...(isZoned && { paidAt: isByDay ? byDay : inZone }),
      }
      const columns = columnsOf(asked)
      const filterModel = {
        items: Array.from({ length: pick([0, 1, 1, 1, 2, 3]) }, (_, id) => itemOf(random, id, asked)),
        ...(chance(0.5) && { logicOperator: pick(['and', 'or', 'or']) }),
        ...(chance(0.2) && {
          quickFilterValues: random.some(values.name, 2),
          quickFilterLogicOperator: pick(['and', 'and', 'and', 'and', 'and', 'or']),
        }),
      }
      const sortModel = chance(0.5)
        ? [{ field: pick(['guests', 'total', 'arrival', 'paidAt', 'gift', 'id']), sort: pick(['asc', 'desc', null]) }]
        : []
      const paginationModel = chance(0.5) ? { page: below(3), pageSize: 1 + below(10) } : undefined
      const state = { filterModel, sortModel, paginationModel } as unknown as State
      const theirs = () => {
        const api: Record<string, unknown> = {
          getColumn: (field: string) => columns[field],
          rootProps: { ignoreDiacritics: false },
          getRowFormattedValue: (row: Row, { field }: { field: string }) => valueOf(row, field),
          getCellValue: (id: number, field: string) => valueOf(rows[id]!, field),
          state: {
            columns: { orderedFields: fields, lookup: columns, columnVisibilityModel: {} },
            rows: { tree: Object.fromEntries(rows.map(({ id }) => [id, { id }])) },
          },
          instanceId: { id: at },
        }
        api['getPublicApi'] = () => api
        const apiRef = { current: api }
        const getValue = (row: Row, { field }: { field: string }) => valueOf(row, field)
        const apply = buildAggregatedFilterApplier(filterModel, getValue, apiRef, true)
        const left = rows.filter((row) => {
          const result: Record<string, unknown> = {}
          apply(row, undefined, result)
          const { passingFilterItems, passingQuickFilterValues } = result
          return passFilterLogic(
            [passingFilterItems],
            [passingQuickFilterValues],
            filterModel,
            getValue,
            apiRef,
            {},
          ) as boolean
        })
        const sort = buildAggregatedSortingApplier(sortModel, apiRef) as ((nodes: object[]) => number[]) | null
        return sort === null ? left.map(({ id }) => id) : sort(left.map(({ id }) => ({ id })))
      }
      const sorted = sortModel.filter(({ sort }) => sort !== null)
      compare(fromMuiX(collection, state, options), { state, options }, rows, theirs, (row) =>
        String(sorted.map(({ field }) => row[field] ?? null)),
      )
    }
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
    report()
  }, 3_600_000)
})
