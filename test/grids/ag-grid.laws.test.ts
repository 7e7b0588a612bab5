/** Compares `fromAgGrid` with AG Grid Community in Chromium. */
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { fromAgGrid } from '../../src/clients/grids/index.ts'
import { isInstalled as isBrowserInstalled, openBrowser } from '../playground/browser.ts'
import {
  collection,
  comparisonOf,
  packageOf,
  rowsOf,
  states,
  values,
  withoutSpaces,
  type Random,
  type Row,
} from './compare.ts'

const { folder, isInstalled } = packageOf('AG Grid', 'ag-grid-community')

type State = Parameters<typeof fromAgGrid>[1]
const text = ['contains', 'notContains', 'equals', 'notEqual', 'startsWith', 'endsWith']
const number = [
  'equals',
  'notEqual',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
  'inRange',
  'blank',
  'notBlank',
]

interface Kind {
  readonly filter: 'text' | 'number' | 'date'
  readonly types: readonly string[]
  readonly operands: readonly unknown[]
}
// The grid ignores a condition with an empty text.
const texts: Kind = { filter: 'text', types: text, operands: values.name.filter((name) => name !== '') }
const numbers: Kind = { filter: 'number', types: number, operands: values.number }
const integers: Kind = { ...numbers, operands: [...values.integer, ...values.integer, 5.5] }
const dates: Kind = { filter: 'date', types: number, operands: values.date }
/** Moments of the zone's clock. */
const moments: Kind = {
  ...dates,
  operands: ['2023-12-31 19:00:00', '2024-01-01 05:30:00', '2024-01-01 05:31:00', '2024-01-01 19:00:00', '2023-12-31'],
}
const timeZone = 'America/New_York'
const kinds: Readonly<Record<string, Kind>> = {
  ...{ name: texts, title: texts, 'customer.city': texts },
  status: { filter: 'text', types: [...text, 'blank', 'notBlank'], operands: ['paid', 'PAI', 'on', 'd', 'held'] },
  code: {
    filter: 'text',
    types: ['equals', 'notEqual', 'blank', 'notBlank'],
    operands: [...values.code, values.code[1].toUpperCase()],
  },
  ...{ guests: integers, total: numbers, rank: integers, price: numbers, serial: integers, id: integers },
  ...{ arrival: dates, paidAt: moments },
}
const fields = Object.keys(kinds)
/** With the option `blank`: rows have no text of spaces, which the grid counts as blank, and the query does not. */
const withBlank: Kind = { ...texts, types: [...text, 'blank', 'notBlank'] }
type Kinds = typeof kinds
/** The kinds of the columns of a batch. */
const kindsOf = (isDay: boolean): Kinds =>
  isDay ? { ...kinds, ...{ name: withBlank, title: withBlank, 'customer.city': withBlank, paidAt: dates } } : kinds

/** Makes a condition with a type that the grid knows: it drops other conditions. */
function conditionOf({ pick, chance }: Random, field: string, kinds: Kinds): object {
  const { filter, types, operands } = kinds[field]!
  const type = pick(types)
  if (type === 'blank' || type === 'notBlank') return { filterType: filter, type }
  const [one, other] = [pick(operands), pick(operands)]
  if (filter !== 'date')
    return { filterType: filter, type, filter: one, ...(type === 'inRange' && { filterTo: other }) }
  const midnight = (day: unknown) => `${String(day)}${chance(0.9) && `${day}`.length === 10 ? ' 00:00:00' : ''}`
  return { filterType: filter, type, dateFrom: midnight(one), dateTo: type === 'inRange' ? midnight(other) : null }
}
const modelOf = (random: Random, field: string, kinds: Kinds): object => {
  if (random.chance(0.7)) return conditionOf(random, field, kinds)
  const conditions = [conditionOf(random, field, kinds), conditionOf(random, field, kinds)]
  return { filterType: kinds[field]!.filter, operator: random.pick(['AND', 'OR']), conditions }
}
const sortable = ['rank', 'guests', 'total', 'title', 'name', 'gift', 'arrival', 'id']

/** Runs in the page: makes a grid, and a function that returns the ids for a state. */
function makeGrid(filterOptions: readonly string[]): void {
  const { agGrid } = globalThis as unknown as { agGrid: any }
  const kindOf: Record<string, string> = {
    ...{ name: 'text', title: 'text', 'customer.city': 'text', status: 'text', code: 'text' },
    ...{ arrival: 'date', paidAt: 'date' },
    ...{ guests: 'number', total: 'number', rank: 'number', price: 'number', serial: 'number', id: 'number' },
  }
  const columnDefs = [...Object.entries(kindOf), ['gift', '']].map(([field, kind]) => ({
    field,
    colId: field,
    cellDataType: false,
    filter: kind === '' ? false : `ag${kind![0]!.toUpperCase()}${kind!.slice(1)}ColumnFilter`,
    // The grid stores days as local midnight. Its default options lack `greaterThanOrEqual` and `lessThanOrEqual`.
    ...(kind === 'date' && {
      filterParams: { filterOptions },
      valueGetter: ({ data }: any) => {
        const value = data[field!]
        if (!value) return value
        const date = new Date(field === 'arrival' ? `${value as string}T00:00:00` : value)
        if ((globalThis as any).isDay) date.setHours(0, 0, 0, 0)
        return date
      },
    }),
  }))
  const element = document.createElement('div')
  // A hidden grid draws no rows.
  element.style.display = 'none'
  document.body.append(element)
  const api = agGrid.createGrid(element, { columnDefs, rowData: [], animateRows: false })
  ;(globalThis as any).idsOf = (rows: any[] | undefined, filterModel: any, sortModel: any[], isDay: boolean) => {
    ;(globalThis as any).isDay = isDay
    if (rows) api.setGridOption('rowData', rows)
    api.setFilterModel(filterModel)
    api.applyColumnState({
      state: sortModel.map(({ colId, sort }, sortIndex) => ({ colId, sort, sortIndex })),
      defaultState: { sort: null },
    })
    const ids: number[] = []
    api.forEachNodeAfterFilterAndSort(({ data }: any) => ids.push(data.id))
    return ids
  }
}

describe.skipIf(!isInstalled || !isBrowserInstalled)('random states', () => {
  test('select the rows that the grid selects, in its order', async () => {
    const browser = await openBrowser()
    try {
      const page = await (await browser.newContext({ timezoneId: timeZone })).newPage()
      await page.addScriptTag({ path: join(folder, 'dist/ag-grid-community.min.js') })
      await page.evaluate(makeGrid, number)
      const { random, compare, report } = comparisonOf('AG Grid', 3)
      const { pick, chance, below } = random
      for (let at = 0; at < states; at += 100) {
        const isDay = at % 200 === 0
        const rows = isDay ? rowsOf(random, 20).map(withoutSpaces) : rowsOf(random, 20)
        const options = isDay ? ({ timeZone, days: ['paidAt'], blank: 'absentOrEmpty' } as const) : { timeZone }
        const batch = Array.from({ length: 100 }, () => {
          const columns = new Set(Array.from({ length: pick([0, 1, 1, 1, 2, 3]) }, () => pick(fields)))
          const filterModel = Object.fromEntries(
            Array.from(columns, (field) => [field, modelOf(random, field, kindsOf(isDay))]),
          )
          const sortModel = chance(0.5) ? [{ colId: pick(sortable), sort: pick(['asc', 'desc']) }] : []
          const startRow = below(3) * 10
          return { filterModel, sortModel, ...(chance(0.5) && { startRow, endRow: startRow + 1 + below(50) }) }
        })
        const theirs = await page.evaluate(
          ([rows, batch, isDay]) =>
            (batch as any[]).map(({ filterModel, sortModel }, index) =>
              (globalThis as any).idsOf(index === 0 ? rows : undefined, filterModel, sortModel, isDay),
            ) as number[][],
          [rows, batch, isDay] as const,
        )
        for (const [index, state] of batch.entries())
          compare(
            fromAgGrid(collection, state as State, options),
            { state, options },
            rows,
            () => theirs[index]!,
            (row: Row) => String(state.sortModel.map(({ colId }) => row[colId] ?? null)),
          )
      }
      report()
    } finally {
      await browser.close()
    }
  }, 3_600_000)
})
