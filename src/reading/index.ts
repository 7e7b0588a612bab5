/** Text → pieces with spans: pairs, keys, lists and groups; and the options that a text is read with. Re-exports only. */
export { faultFinding, reservedFinding } from './faults.ts'
export {
  checkNotation,
  type AnswerValues,
  type Bind,
  type Bound,
  type Links,
  type Notation,
  type NotedAnswer,
  type NotedParameter,
} from './notation.ts'
export { faultOfNamed, newValue, parseGroup, parseList, parsePair, parseWords } from './parse.ts'
export {
  checkZone,
  isShort,
  noOptions,
  noReserved,
  readText,
  type ParseOptions,
  type QueryOptions,
  type TextRequest,
  type Reserved,
} from './read-text.ts'
export type { Malformed, SyntaxFinding } from './syntax.ts'
