/** Conditions and groups → query strings, and the typed builder of filters. Re-exports only. */
export * from './member-text.ts'
export { depthOf, isName, isReadBack, takes } from './members.ts'
export { lastDay, readableIn } from './moments.ts'
export { queryString, type Conditions, type QueryParts, type QueryStringParts } from './query-string.ts'
export * from './query-text.ts'
export { inexpressible, noOperator, unsayable } from './unsayable.ts'
export { where, type Where, type WhereEntry } from './where.ts'
