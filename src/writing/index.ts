/** Conditions and groups → query strings, and the typed builder of filters. Re-exports only. */
export { insideText, memberText, pairText, textOfOperand } from './member-text.ts'
export { depthOf, isName, isReadBack, takes } from './members.ts'
export { lastDay, readableIn } from './moments.ts'
export type { QueryParts } from './query-parts.ts'
export { queryString, type Conditions, type QueryStringParts } from './query-string.ts'
export {
  askedOrder,
  parametersToWrite,
  partsToWrite,
  printQuery,
  refusals,
  type PrintQueryOptions,
} from './query-text.ts'
export { inexpressible, noOperator, unsayable } from './unsayable.ts'
export { where, type Where, type WhereEntry } from './where.ts'
