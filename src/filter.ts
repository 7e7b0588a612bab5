/** `urlwhere/filter`: the core without the parser, for those who build filters by hand. Re-exports only. */
export {
  and,
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
  not,
  or,
  presence,
  sameFilter,
  some,
  type Algebra,
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
} from './ast/index.ts'
export { checkSupport, type Backend, type Capabilities, type Feature, type QueryBackend } from './backends/backend.ts'
export {
  FilterError,
  formatIssue,
  issueCodes,
  type Fault,
  type Issue,
  type IssueCode,
  type Issues,
  type QueryText,
  type Span,
} from './issue/index.ts'
export {
  defineCollection,
  defineSchema,
  field,
  operators,
  type AskedOrder,
  type Collection,
  type CollectionOptions,
  type EntryAt,
  type EntryField,
  type EnumerationField,
  type Field,
  type FieldAt,
  type FieldType,
  type Fields,
  type InferRow,
  type ListField,
  type ObjectField,
  type ParameterName,
  type Operator,
  type OperatorName,
  type OperatorRows,
  type PathOf,
  type PathThrough,
  type PathTo,
  type ResolvedField,
  type ScalarField,
  type Schema,
} from './language/index.ts'
export { buildQuery, type QueryParts } from './query/write/build-query.ts'
export { positionFilter } from './query/page/order.ts'
export { toPage, type Page, type PageOptions } from './query/page/page.ts'
export { printFilter, type PrintOptions } from './query/write/print.ts'
export { printQuery } from './query/write/print-query.ts'
export { checkQuery, restrict, type Position, type Query, type SortKey } from './query/page/query.ts'
export { queryString, type Conditions, type QueryStringParts } from './query/write/query-string.ts'
export { select } from './query/page/pick-fields.ts'
export { where, type Where, type WhereEntry } from './query/write/where.ts'
