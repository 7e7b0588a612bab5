/** Schemas, operators, operands and collections. Re-exports only. */
export * from './aliased.ts'
export { pathsOfAlias, type Aliases, type Deprecated, type Deprecation } from './aliases.ts'
export { clockAt } from './clock.ts'
export { defaultsOf, operandsOf, utcClock } from './defaults.ts'
export {
  checkCollection,
  defineCollection,
  allows,
  listOf,
  operatorsFor,
  operatorsIn,
  quantifiers,
  readOrder,
  type AskedOrder,
  type Collection,
  type DefaultPair,
  type CollectionOptions,
  type FacetField,
  type FacetOptions,
  type FacetTable,
  type NarrowOptions,
  type Shown,
} from './collection.ts'
export { entrySchema, isEntry, pathFrom, quantified, quantifiedPath, type Quantifier } from './entries.ts'
export * from './group-words.ts'
export * from './limits.ts'
export { narrow } from './narrow.ts'
export { mostNames, readerOf } from './operands.ts'
export { scansOf, searchesOf } from './searches.ts'
export { orderNames, type OrderOption, type OrderOptions } from './orders.ts'
export { operatorWords, operators, type OperatorWords } from './operator-words.ts'
export {
  accepts,
  defaultOperator,
  isComplement,
  listsAround,
  operatorNamed,
  type Lowering,
  type Operator,
  type OperatorName,
  type OperatorRow,
  type OperatorRows,
  type Target,
} from './operators.ts'
export {
  isOfForm,
  mostSortKeys,
  mostWords,
  parameterAliases,
  parameterDocs,
  parameterForms,
  parameterNames,
  parameterRows,
  parameterTexts,
  mostItems,
  pathsFrom,
  plainNames,
  valueNames,
  type GroupWord,
  type ParameterForm,
  type ParameterName,
  type ParameterOf,
  type PlainName,
  type ValueName,
} from './parameters.ts'
export type {
  EntryAt,
  FieldAt,
  ListPath,
  OrderedPath,
  PathInList,
  PathOf,
  PathThrough,
  PathTo,
  PlaceOf,
} from './paths.ts'
export type { ReadRow, RowOf } from './read-row.ts'
export {
  checkSchema,
  defineSchema,
  digitsOf,
  field,
  holdsLiteral,
  isPromised,
  maxDepth,
  declared,
  entryAt,
  fieldAndKey,
  longestKey,
  resolve,
  valuesOf,
  type DateTimeOptions,
  type EntryField,
  type EnumerationField,
  type Field,
  type FieldOptions,
  type FieldType,
  type Fields,
  type InferRow,
  type JsonField,
  type ListField,
  type RecordEntry,
  type RecordField,
  type ObjectField,
  type RequiredField,
  type ResolvedField,
  type ScalarField,
  type Schema,
} from './schema.ts'
export {
  families,
  isOf,
  jsonForms,
  jsonTypes,
  literalTypeOf,
  readers,
  samples,
  wholeDay,
  type Day,
  type Clock,
  type Json,
  type LazyClock,
  type Operand,
  type Reader,
  type ScalarType,
} from './types.ts'
export { zoneNamed, zoneNames } from './zone.ts'
