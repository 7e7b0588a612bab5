/** Filters that a program built → conditions, groups and query strings. Re-exports only. */
export { buildQuery } from './build-query.ts'
export { printFilter, type PrintOptions } from './print-filter.ts'
