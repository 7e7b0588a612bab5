/** Text → pieces with spans: pairs, keys, lists and groups; and the options that a text is read with. Re-exports only. */
export { faultFinding, reservedFinding } from './faults.ts'
export { checkNotation } from './notation.ts'
export type { AnswerValues, Bind, Bound, Links, Notation, NotedAnswer, NotedParameter } from './notation.ts'
export { faultOfNamed, newValue, parseGroup, parseList, parsePair, parseWords } from './parse.ts'
export { checkZone, isShort, noOptions, noReserved, readText } from './read-text.ts'
export type { ParseOptions, QueryOptions, TextRequest, Reserved } from './read-text.ts'
export type { Malformed, SyntaxFinding } from './syntax.ts'
