/** Pieces of a text → syntax with spans. Re-exports only. */
export { faultFinding, reservedFinding } from './faults.ts'
export { checkLimits, deepestGroup, defaultLimits, lengthFinding, pairsFinding, type Limits } from './limits.ts'
export { decodeItem, faultOfNamed, keyOf, parseGroup, parseList, parsePair, parseWords, valueOf } from './parse.ts'
export { decode, decodeClear, decodingFault, mayHoldSecret, sourceOf, startOfPair, type Source } from './source.ts'
export type { Group, GroupWord, GroupWords, Item, Malformed, Member, Operand, Pair, SyntaxFinding } from './syntax.ts'
