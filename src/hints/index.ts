/** Makes hints and suggested edits from findings, and exports the parsers that add them to issues. Re-exports only. */
export { adviser, objectAdviser } from './advise.ts'
export { parseFilter, parseFilterOrThrow, parseObject, parseQuery, parseQueryOrThrow } from './parsers.ts'
