/** The tree: its kinds, how filters are built, checked and worked through. Re-exports only. */
export {
  children,
  isSamePath,
  kinds,
  literalTypes,
  maxFilterDepth,
  maxFilterNodes,
  type And,
  type Comparison,
  type ComparisonOperator,
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
export { and, comparison, joined, match, membership, not, or, presence, some, unchecked } from './build.ts'
export { newSpan } from './span.ts'
export {
  checkFilter,
  listOf,
  literalOf,
  markChecked,
  markParsed,
  nameDefect,
  objectOf,
  oneOf,
  optional,
  readAs,
  readLiteral,
  readPathToList,
  readSpan,
  wholeNumber,
  type Read,
} from './check.ts'
export { fold, map, sameFilter, sameTree, type Algebra } from './fold.ts'
