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
