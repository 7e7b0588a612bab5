/** `urlwhere`: all of the core. Re-exports only. */
export * from './filter.ts'
export { defaultLimits, type Limits } from './limits.ts'
export { parseFilter, parseFilterOrThrow, type ParseOptions, type ParseResult, type Reserved } from './parse-filter.ts'
