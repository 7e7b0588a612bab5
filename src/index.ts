/** `urlwhere`: all of the core. Re-exports only. */
export * from './filter.ts'
export { checkBackend } from './check-backend.ts'
export { defaultLimits, type Limits } from './syntax/index.ts'
export {
  parseFilter,
  parseFilterOrThrow,
  parseQuery,
  parseQueryOrThrow,
  readReserved,
  type ParseOptions,
  type ParseResult,
  type Reserved,
  type QueryOptions,
  type QueryResult,
  type ReservedResult,
} from './query/index.ts'
