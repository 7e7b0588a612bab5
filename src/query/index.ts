/** Pairs → filter and query, and back to text. Re-exports only. */
export { toPage, type Page } from './page.ts'
export { parseFilter, parseFilterOrThrow, readReserved, type ParseResult, type ReservedResult } from './parse-filter.ts'
export type { ParseOptions, QueryOptions, ReadText, Reserved } from './read-text.ts'
export {
  bindQuery,
  checkReservedQuery,
  parseQuery,
  parseQueryOrThrow,
  readQueryText,
  type QueryResult,
} from './parse-query.ts'
export { restrict, type Query } from './query.ts'
export { shownBy } from './select.ts'
