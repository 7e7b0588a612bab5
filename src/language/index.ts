/** Schemas, operators, operands and collections. Re-exports only. */
export { pathsOfAlias, pathsWithAliases, type Aliases, type Deprecated, type Deprecation } from './aliases.ts'
export {
  checkCollection,
  checkQuantifiers,
  defineCollection,
  mostWords,
  operatorsFor,
  parameterNames,
  quantifiers,
  readOrder,
  type AskedOrder,
  type Collection,
  type CollectionOptions,
  type NarrowOptions,
  type ParameterName,
  type Shown,
} from './collection.ts'
export { narrow } from './narrow.ts'
export { operators, operatorWords, type OperatorWords } from './operator-words.ts'
export { clockAt } from './clock.ts'
export { mostNames, readerOf, wholeDay, type Clock, type Reader } from './operands.ts'
export {
  accepts,
  defaultOperator,
  isComplement,
  listsAround,
  operatorNamed,
  searchesOf,
  type Lowering,
  type Operand,
  type Operator,
  type OperatorName,
  type OperatorRow,
  type OperatorRows,
} from './operators.ts'
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
  ScalarPath,
} from './paths.ts'
export {
  checkSchema,
  defineSchema,
  digitsOf,
  field,
  holdsLiteral,
  isPromised,
  maxDepth,
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
  type ListField,
  type ObjectField,
  type RequiredField,
  type ResolvedField,
  type ScalarField,
  type Schema,
} from './schema.ts'
export type { ReadRow, RowOf } from './read-row.ts'
export { zoneNamed, zoneNames } from './zone.ts'
