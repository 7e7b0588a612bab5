/** The pairs of a text or an object × a collection → a filter or a query, and findings. Re-exports only. */
export type * from './doubt.ts'
export { endsInSign, type ResolvedKey } from './keys.ts'
export { bindText, readReserved, type ParseResult, type ReservedResult } from './parse-filter.ts'
export * from './parse-object.ts'
export { bindRow, keyQuery, type KeyResult } from './row-key.ts'
export { bindQuery, checkReservedQuery, namedFor, readQueryText, type QueryResult } from './parse-query.ts'
