/** Doubts: the data from which `hints/` makes advice about a finding. This room does not import the advice. */
import type { Adviser, Advice } from '../issue/index.ts'
import type { Collection, GroupWords, OperatorRow, ParameterOf, ResolvedField, Schema } from '../language/index.ts'
import type { Condition, Parameter, Part, Source } from '../asked/index.ts'
import type { Malformed } from '../reading/index.ts'
import type { ResolvedKey } from './keys.ts'

/** The schema, the text and the names around a condition. */
export interface ConditionContext {
  /** In a group after the path of a list, the fields of its entries. */
  readonly schema: Schema
  readonly isInGroup: boolean
  /** The collection, which allows operators and names parameters. `parseFilter` has none. */
  readonly collection: Collection | undefined
  readonly source: Source
  /** The reserved names. No issue contains their pairs. */
  readonly reserved: readonly string[]
  /** The words of groups. Empty without the option `groups`. */
  readonly words: GroupWords
}

interface ParameterContext {
  readonly collection: Collection
  readonly source: Source
}

type Of<Kind extends string, Data = object> = { readonly kind: Kind } & Readonly<Data>
type OfCondition<Kind extends string, Data> = Of<Kind, { context: ConditionContext } & Data>
type OfParameter<Kind extends string, Data = object> = Of<
  Kind,
  { context: ParameterContext; parameter: Parameter } & Data
>

/** The kinds of doubt, each with the data that its advice needs. */
export type Doubt =
  /** The `%` at the start of the span may be a letter. */
  | Of<'percent'>
  /** The missing item may be an empty text. */
  | Of<'empty text'>
  | OfCondition<'malformed', { pair: Malformed }>
  /** The path before the parenthesis of a group. */
  | OfCondition<'group', { path: Part }>
  | OfCondition<'field', { condition: Condition }>
  | OfCondition<'operator', { condition: Condition; field: ResolvedField | undefined }>
  | OfCondition<'not applicable', { field: ResolvedField }>
  | OfCondition<'duplicate', { key: ResolvedKey }>
  | OfCondition<'operand', { key: ResolvedKey; text: string }>
  /** A member of an object is `null`. */
  | Of<'null', { context: { readonly collection: Collection; readonly source: Source }; key: ResolvedKey }>
  /**
   * `excess` is how many searches are too many, and `facets` how many facets they leave room for. A group of conditions on one entry has
   * no operator.
   */
  | Of<'searches', { excess: number; facets: number | null; operators: readonly (OperatorRow | undefined)[] }>
  | OfParameter<'parameter'>
  | OfParameter<'repeated'>
  | PathDoubt

/** A path that the collection does not allow in a list. `text` contains the name, and before it the sign of an order. */
export type PathDoubt = OfParameter<'path', { list: ParameterOf<'paths'>; text: string; name: string }>

/** Adds advice to the findings of a text, and recognizes conditions in the syntax of other APIs. */
export interface TextAdviser extends Adviser {
  /** Whether a whole key is a condition or a parameter of another API. Its brackets then contain no operator. */
  readonly isOtherKey: (schema: Schema, key: string) => boolean
  /** Finds the operator for the name that another API gives it; `undefined` for any other pair. */
  readonly renamedOperator: (
    schema: Schema,
    field: ResolvedField,
    key: string,
    value: string,
  ) => OperatorRow | undefined
}

/** Adds advice to the findings of an object. */
export interface ObjectAdviser extends TextAdviser {
  /**
   * Converts advice about the text of an object to advice about its members.
   *
   * @param isInText whether it is about the text of a member: a group or a search.
   */
  readonly inObject: (collection: Collection, advice: Advice, isInText: boolean) => readonly Advice[]
}
