/** `urlwhere`: all that a service needs. Re-exports only. */
export * from './filter.ts'
export { checkBackend } from './check-backend.ts'
export { defaultLimits, type Limits } from './syntax/index.ts'
export {
  parseFilter,
  parseFilterOrThrow,
  parseObject,
  parseQuery,
  parseQueryOrThrow,
  readReserved,
  type DeprecatedMember,
  type DeprecatedUse,
  type ObjectOptions,
  type ObjectResult,
  type ParseOptions,
  type ParseResult,
  type QueryOptions,
  type QueryResult,
  type Reserved,
  type ReservedResult,
} from './query/index.ts'
