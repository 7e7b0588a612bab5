/** `urlwhere`: all that a service needs. Re-exports only. */
export * from './filter.ts'
export { checkBackend } from './tools/check-backend.ts'
export { defaultLimits, type Limits, type DeprecatedUse } from './language/index.ts'
export type { ParseOptions, QueryOptions, Reserved } from './reading/index.ts'
export { parseFilter, parseFilterOrThrow, parseObject, parseQuery, parseQueryOrThrow } from './hints/index.ts'
export {
  keyQuery,
  readReserved,
  type DeprecatedMember,
  type KeyResult,
  type ObjectOptions,
  type ObjectResult,
  type ParseResult,
  type QueryResult,
  type ReservedResult,
} from './binding/index.ts'
