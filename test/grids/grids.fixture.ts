/** What the tests of grids and its laws share. */
import { fromAgGrid, fromMuiX, fromRefine, fromTanStackDb, fromTanStackTable } from '../../src/clients/grids/index.ts'
import type { GridResult } from '../../src/clients/grids/index.ts'
import { printQuery, type Query } from '../../src/index.ts'
import { collection } from './compare.ts'

/** Returns the query string without its page, or the member, code and hint of each issue. */
export function textOf(result: GridResult): string | string[] {
  if (!result.ok)
    return result.issues.map(({ member, code, hint }) => `${member} ${code}${hint === undefined ? '' : `: ${hint}`}`)
  const query = { ...result.query, count: false, limit: 100 } as Query
  return decodeURIComponent(printQuery(collection, query)).replaceAll('+', ' ')
}

export const readers = {
  fromAgGrid,
  fromMuiX,
  fromRefine,
  fromTanStackDb,
  fromTanStackTable,
} as unknown as Readonly<Record<string, (collection: object, state: unknown) => GridResult>>

/** For each function, a state with every kind of part. */
export const seeds: Readonly<Record<string, object>> = {
  fromAgGrid: {
    startRow: 0,
    endRow: 10,
    rowGroupCols: [],
    filterModel: {
      name: {
        filterType: 'text',
        operator: 'AND',
        conditions: [{ filterType: 'text', type: 'contains', filter: 'a' }],
      },
      status: { filterType: 'set', values: ['paid'] },
    },
    sortModel: [{ colId: 'total', sort: 'asc' }],
  },
  fromMuiX: {
    filterModel: {
      items: [
        { id: 1, field: 'name', operator: 'contains', value: 'a' },
        { id: 2, field: 'total', operator: 'isAnyOf', value: [1] },
      ],
      logicOperator: 'and',
      quickFilterValues: ['a'],
    },
    sortModel: [{ field: 'total', sort: 'asc' }],
    paginationModel: { page: 0, pageSize: 10 },
  },
  fromRefine: {
    filters: [
      { field: 'name', operator: 'eq', value: 'a' },
      { operator: 'or', value: [{ field: 'total', operator: 'in', value: [1] }] },
    ],
    sorters: [{ field: 'total', order: 'asc' }],
    pagination: { currentPage: 1, pageSize: 10, mode: 'server' },
  },
  fromTanStackDb: {
    where: {
      type: 'func',
      name: 'and',
      args: [
        {
          type: 'func',
          name: 'eq',
          args: [
            { type: 'ref', path: ['name'] },
            { type: 'val', value: 'a' },
          ],
        },
        {
          type: 'func',
          name: 'like',
          args: [
            { type: 'ref', path: ['title'] },
            { type: 'val', value: 'a%' },
          ],
        },
      ],
    },
    orderBy: [{ expression: { type: 'ref', path: ['total'] }, compareOptions: { direction: 'asc', nulls: 'first' } }],
    limit: 5,
    offset: 0,
  },
  fromTanStackTable: {
    columnFilters: [
      { id: 'name', value: 'a' },
      { id: 'total', value: [1, 2] },
      { id: 'arrival', value: ['2024-01-01', null] },
    ],
    globalFilter: 'a',
    sorting: [{ id: 'total', desc: true }],
    pagination: { pageIndex: 0, pageSize: 10 },
  },
}
