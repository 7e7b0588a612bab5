/** Pairs → filter, and back to text. Re-exports only. */
export {
  bindText,
  checkReserved,
  parseFilter,
  parseFilterOrThrow,
  readReserved,
  readText,
  type ParseOptions,
  type ParseResult,
  type Reserved,
  type ReservedResult,
} from './parse-filter.ts'
export { parseQuery, parseQueryOrThrow, type QueryResult } from './parse-query.ts'
