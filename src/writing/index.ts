/** Filters and queries → text, and the typed builders. Re-exports only. */
export { buildQuery, type QueryParts } from './build-query.ts'
export { insideText, pairText, textOfOperand } from './member-text.ts'
export { askedOrder, parametersToWrite, partsToWrite, printQuery, type PrintQueryOptions } from './print-query.ts'
export { printFilter, type PrintOptions } from './print.ts'
export { queryString, type Conditions, type QueryStringParts } from './query-string.ts'
export { where, type Where, type WhereEntry } from './where.ts'
