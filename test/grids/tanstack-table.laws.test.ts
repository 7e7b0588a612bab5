/** Compares `fromTanStackTable` with the code of TanStack Table. */
import { describe, test } from 'vitest'
import { fromTanStackTable, type TanStackFilterFn } from '../../src/clients/grids/index.ts'
import { collection, comparisonOf, packageOf, randomOf, rowsOf, states, values, withoutSpaces } from './compare.ts'
import type { Random, Row } from './compare.ts'

const { isInstalled } = packageOf('TanStack Table', '@tanstack/table-core')

type State = Parameters<typeof fromTanStackTable>[1]
interface Column {
  readonly id: string
  readonly accessorFn: (row: Row) => unknown
  readonly filterFn: unknown
}

const searches = ['includesString', 'includesStringSensitive', 'equalsString', 'equalsStringSensitive'] as const
const equalities = ['equals', 'weakEquals'] as const
const absences = ['empty', 'notEmpty'] as const
const bounds = ['greaterThan', 'greaterThanOrEqualTo', 'lessThan', 'lessThanOrEqualTo', 'between'] as const
const ranges = [...bounds, 'betweenInclusive', 'inNumberRange'] as const
const texts = [...searches, 'startsWith', 'endsWith', ...equalities, 'arrHas', 'arrIncludes'] as const
const numbers = [...equalities, ...absences, ...ranges, 'arrHas'] as const
const lists = ['arrIncludes', 'arrIncludesSome', 'arrIncludesAll'] as const
const fnNames: readonly TanStackFilterFn[] = [...new Set([...texts, ...numbers, 'inDateRange' as const, ...lists])]

const valueOf: Readonly<Record<string, (row: Row) => unknown>> = {
  ...Object.fromEntries(Object.keys(rowsOf(randomOf(1), 1)[0]!).map((name) => [name, (row: Row) => row[name]])),
  'customer.city': (row) => (row['customer'] as { city?: unknown } | null | undefined)?.city,
}
const paths = Object.keys(valueOf).filter((name) => name !== 'customer')

const operandsOf: Readonly<Record<string, readonly unknown[]>> = {
  ...{ name: values.name, title: values.name, 'customer.city': values.name, tags: values.tags },
  ...{
    status: [...values.status, ...values.status, ...values.status, 'pai', 'ON', 'x'],
    code: [...values.code, ...values.code, ...values.code, 'ABCDEFAB-0000-4000-8000-00000000000B'],
  },
  ...{
    guests: values.integer,
    total: values.number,
    rank: values.integer,
    price: values.number,
    serial: values.integer,
  },
  ...{
    id: values.integer,
    sizes: values.integer,
    gift: [true, true, true, false, false, false, 'true', 1],
    arrival: values.date,
    paidAt: [...values.datetime, '2024-01-01', '2024-01-02'],
  },
}

/** The filter functions that apply to a column. */
const fittingOf: Readonly<Record<string, readonly TanStackFilterFn[]>> = {
  ...{ name: texts, title: texts, 'customer.city': texts, tags: lists, sizes: lists },
  status: [...texts, 'empty', 'notEmpty'],
  code: ['equals', 'weakEquals', 'empty', 'notEmpty', 'arrHas'],
  ...{ guests: numbers, total: numbers, rank: numbers, price: numbers, serial: numbers, id: numbers },
  gift: ['equals', 'weakEquals', 'empty', 'notEmpty'],
  arrival: [...numbers.filter((fn) => fn !== 'inNumberRange'), 'inDateRange', 'inDateRange'],
  paidAt: ['empty', 'notEmpty', 'inDateRange', 'inDateRange'],
}

/** Returns a value for a filter function: usually a valid value, sometimes any value. */
function operandOf(random: Random, path: string, fn: string): unknown {
  const { pick, chance, some } = random
  if (chance(0.03)) return pick([undefined, null, '', 'x', 5, true, [], {}, [1], [null, null], NaN, Infinity, [5, 'a']])
  const one = () => {
    const value = pick(operandsOf[path]!)
    if (chance(fn === 'inNumberRange' ? 0.2 : 0.02) && typeof value === 'number') return String(value)
    if (fn === 'inDateRange' && chance(0.4))
      return chance(0.5) ? new Date(value as string) : new Date(value as string).getTime()
    return value
  }
  if (fn.startsWith('arr')) return chance(0.03) ? [] : [one(), ...some(operandsOf[path]!, 2)]
  if (fn === 'empty' || fn === 'notEmpty') return chance(0.97) ? true : pick([false, 'yes'])
  if (/between|Range/.test(fn))
    return [one(), one()].map((bound) =>
      chance(0.15) ? pick(['', undefined, fn.startsWith('in') ? null : '']) : bound,
    )
  return one()
}

interface Table {
  setColumnFilters(filters: unknown): void
  setGlobalFilter(filter: unknown): void
  setSorting(sorting: unknown): void
  getPrePaginatedRowModel(): { readonly rows: readonly { readonly original: Row }[] }
}

describe.skipIf(!isInstalled)('random states', () => {
  test('select the rows that the table selects, in its order', async () => {
    const name: string = '@tanstack/table-core'
    const core = (await import(name)) as Record<string, any>
    const fns = Object.fromEntries(fnNames.map((fn) => [fn, core[`filterFn_${fn}`] as unknown]))
    const sortFns: Readonly<Record<string, unknown>> = {
      name: core['sortFn_textCaseSensitive'],
      title: core['sortFn_textCaseSensitive'],
    }
    const features = core['tableFeatures']({
      columnFilteringFeature: core['columnFilteringFeature'],
      globalFilteringFeature: core['globalFilteringFeature'],
      rowSortingFeature: core['rowSortingFeature'],
      filteredRowModel: core['createFilteredRowModel'](),
      sortedRowModel: core['createSortedRowModel'](),
      filterFns: fns,
      coreReactivityFeature: ((await import(`${name}/store-reactivity-bindings`)) as Record<string, any>)[
        'storeReactivityBindings'
      ]?.(),
    })
    const { random, compare, report } = comparisonOf('TanStack Table', 1)
    const { pick, chance, below } = random
    for (let at = 0; at < states; at += 25) {
      const blank = chance(0.5) ? ('absentOrEmpty' as const) : undefined
      const rows = blank ? rowsOf(random, 20).map(withoutSpaces) : rowsOf(random, 20)
      const fitting = (path: string) => [...fittingOf[path]!, ...(blank && fittingOf[path] === texts ? absences : [])]
      const filterFns = Object.fromEntries(paths.map((path) => [path, pick(chance(0.95) ? fitting(path) : fnNames)]))
      const columns: Column[] = paths.map((path) => ({
        id: path,
        accessorFn: valueOf[path]!,
        filterFn: fns[filterFns[path]!],
        enableGlobalFilter: path === 'name' || path === 'title',
        sortFn: sortFns[path] ?? core['sortFn_basic'],
      }))
      const getRowId = (row: Row) => String(row.id)
      const table = core['constructTable']({ features, data: rows, columns, getRowId }) as Table
      for (let of = 0; of < 25; of++) {
        const columnFilters = Array.from({ length: pick([0, 1, 1, 1, 2, 3]) }, () => {
          const id = pick(paths)
          return { id, value: operandOf(random, id, filterFns[id]!) }
        }).filter(({ id }, index, all) => all.findIndex((one) => one.id === id) === index)
        const sorting = chance(0.5) ? [{ id: pick(['rank', 'id', 'title']), desc: chance(0.5) }] : []
        const globalFilter = chance(0.2) ? pick([...values.name, undefined, null]) : undefined
        const pagination = chance(0.5) ? { pageIndex: below(3), pageSize: 1 + below(10) } : undefined
        const state = { columnFilters, globalFilter, sorting, pagination } as State
        const result = fromTanStackTable(collection, state, { blank, filterFns: filterFns as never })
        const theirs = () => {
          table.setSorting(sorting)
          table.setGlobalFilter(globalFilter)
          table.setColumnFilters(columnFilters)
          return table.getPrePaginatedRowModel().rows.map(({ original }) => original.id)
        }
        compare(result, { state, filterFns, blank }, rows, theirs, (row) => String(sorting.map(({ id }) => row[id])))
      }
    }
    report()
  }, 3_600_000)
})
