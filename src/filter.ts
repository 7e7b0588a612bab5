/** `urlwhere/filter`: the core without the parser, for those who build filters by hand. Re-exports only. */
export { and, not, or, type Filter, type Path } from './ast/index.ts'
export {
  FilterError,
  formatIssue,
  issueCodes,
  type Advice,
  type Issue,
  type IssueCode,
  type IssueOf,
  type IssueParameters,
  type Issues,
  type QueryText,
  type Span,
  type Suggestion,
} from './issue/index.ts'
export {
  defineCollection,
  defineSchema,
  field,
  narrow,
  type Aliases,
  type Collection,
  type CollectionOptions,
  type Deprecated,
  type Deprecation,
  type DateTimeOptions,
  type EntryField,
  type EnumerationField,
  type Field,
  type FieldOptions,
  type FieldType,
  type Fields,
  type InferRow,
  type ListField,
  type NarrowOptions,
  type ObjectField,
  type ReadRow,
  type RequiredField,
  type RowOf,
  type ScalarField,
  type Schema,
  type Shown,
} from './language/index.ts'
export { buildQuery, type QueryParts } from './query/write/build-query.ts'
export type { AnswerPage, AnswerRow } from './query/page/answer-page.ts'
export { pickFields } from './query/page/pick-fields.ts'
export { toAnswer } from './query/page/to-answer.ts'
export { toPage, type Page, type PageOptions } from './query/page/page.ts'
export { printFilter, type PrintOptions } from './query/write/print.ts'
export { printQuery, type PrintQueryOptions } from './query/write/print-query.ts'
export type { FacetValue, FacetValues } from './query/page/facet-values.ts'
export {
  countOf,
  restrict,
  type Count,
  type Facet,
  type Position,
  type Query,
  type QueryClock,
  type QueryOf,
  type SortKey,
} from './query/page/query.ts'
export { queryString, type Conditions, type QueryStringParts } from './query/write/query-string.ts'
export { where, type Where, type WhereEntry } from './query/write/where.ts'
