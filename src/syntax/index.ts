/** Text → pairs with spans. Re-exports only. */
export { checkLimits, defaultLimits, lengthFinding, pairsFinding, type Limits } from './limits.ts'
export { decodeItem, parseList, parseSyntax } from './parse.ts'
export { decode, decodeClear, mayHoldSecret, sourceOf, startOfPair, type Source } from './source.ts'
export type {
  Condition,
  Group,
  GroupWord,
  GroupWords,
  Item,
  Malformed,
  Member,
  NamedPair,
  Pair,
  Syntax,
} from './syntax.ts'
