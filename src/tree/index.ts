/** The tree: its kinds, how filters are built, checked and worked through. Re-exports only. */
export {
  children,
  countExpected,
  isExact,
  isSamePath,
  kinds,
  literalTypes,
  matchModes,
  maxFilterDepth,
  maxFilterNodes,
  maxPathLength,
  mostEntries,
  type And,
  type Comparison,
  type ComparisonOperator,
  type EntryCount,
  type Filter,
  type Kind,
  type Literal,
  type LiteralType,
  type Match,
  type MatchMode,
  type Membership,
  type Not,
  type Or,
  type Path,
  type Presence,
  type Some,
} from './ast.ts'
export { and, comparison, count, joined, match, membership, not, or, presence, some, unchecked } from './build.ts'
export { checkFilter } from './check.ts'
export { fold, map, sameFilter, sameTree, type Algebra } from './fold.ts'
export { canonicalOf, compareOf, hasForm, literalOf, readLiteral } from './literal.ts'
export { nameDefect, readPath, readPathAround, readPathToList } from './path.ts'
export { isObject, listOf, objectOf, oneOf, optional, passing, readAs, refuse, wholeNumber, type Read } from './read.ts'
export { trust, trustParsed } from './sound.ts'
export { newSpan, readSpan } from './span.ts'
