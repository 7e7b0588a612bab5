/** `urlwhere/tree`: filters as trees, for authors of backends and tools. Re-exports only. */
export {
  checkFilter,
  children,
  comparison,
  fold,
  kinds,
  literalTypes,
  map,
  match,
  maxFilterDepth,
  maxFilterNodes,
  maxPathLength,
  membership,
  presence,
  sameFilter,
  some,
  type Algebra,
  type And,
  type Comparison,
  type ComparisonOperator,
  type Kind,
  type Literal,
  type LiteralType,
  type Match,
  type MatchMode,
  type Membership,
  type Not,
  type Or,
  type Presence,
  type Some,
} from './ast/index.ts'
export { checkSupport, type Backend, type Capabilities, type Feature, type QueryBackend } from './backends/backend.ts'
export { operators, type Operator, type OperatorRows, type ResolvedField } from './language/index.ts'
export { positionFilter } from './query/page/order.ts'
export { checkQuery } from './query/page/query.ts'
