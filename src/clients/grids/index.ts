/** `urlwhere/grids`: turns the states of table components into queries. Re-exports only. */
export { fromAgGrid, type AgGridState } from './ag-grid.ts'
export { fromMuiX, type MuiXOptions, type MuiXState } from './mui-x.ts'
export { fromRefine, type RefineState } from './refine.ts'
export { fromTanStackDb, type TanStackDbState } from './tanstack-db.ts'
export { fromTanStackTable } from './tanstack-table.ts'
export type { TanStackFilterFn, TanStackTableOptions, TanStackTableState } from './tanstack-table.ts'
export type { GridOptions, GridResult } from './reading.ts'
