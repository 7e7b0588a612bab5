/** Pairs → filter and query, and back to text. Re-exports only. */
export { namingOf, type DeprecatedUse } from './aliased.ts'
export { toPage, type Page } from './page/page.ts'
export {
  parseFilter,
  parseFilterOrThrow,
  readReserved,
  type ParseResult,
  type ReservedResult,
} from './read/parse-filter.ts'
export {
  checkZone,
  readText,
  type ParseOptions,
  type QueryOptions,
  type ReadText,
  type Reserved,
} from './read/read-text.ts'
export {
  bindObject,
  parseObject,
  readObject,
  type DeprecatedMember,
  type ObjectOptions,
  type ObjectResult,
  type ReadObject,
} from './read/parse-object.ts'
export {
  bindQuery,
  checkReservedQuery,
  namedFor,
  parseQuery,
  parseQueryOrThrow,
  type QueryResult,
} from './read/parse-query.ts'
export {
  checkNotation,
  type AnswerValues,
  type Bind,
  type Bound,
  type Links,
  type Notation,
  type NotedAnswer,
  type NotedParameter,
} from './read/notation.ts'
export { nameOfFacet } from './page/query.ts'
export type { FacetValue, FacetValues } from './page/facet-values.ts'
export { countOf, restrict, type Count, type Facet, type Query } from './page/query.ts'
export { checkPage, keyOfRow, toAnswer, withKey } from './page/to-answer.ts'
export { combine } from './combine.ts'
export { plainWords, searchMembers, wordText } from './search.ts'
