/** Filters made by hand → what a caller would ask for them, and the text of it. Re-exports only. */
export { buildQuery } from './build-query.ts'
export { printFilter, type PrintOptions } from './print-filter.ts'
