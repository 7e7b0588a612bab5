/** What a text or an object asks for × a collection → filter or query, and findings. Re-exports only. */
export { parseFilter, parseFilterOrThrow, readReserved, type ParseResult, type ReservedResult } from './parse-filter.ts'
export {
  bindObject,
  parseObject,
  readObject,
  type DeprecatedMember,
  type ObjectOptions,
  type ObjectResult,
  type ReadObject,
} from './parse-object.ts'
export {
  bindQuery,
  checkReservedQuery,
  namedFor,
  parseQuery,
  parseQueryOrThrow,
  type QueryResult,
} from './parse-query.ts'
