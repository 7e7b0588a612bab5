/** Findings → what somebody probably meant, and the parsers that say it. Re-exports only. */
export { adviser, objectAdviser } from './advise.ts'
export { parseFilter, parseFilterOrThrow, parseObject, parseQuery, parseQueryOrThrow } from './parsers.ts'
