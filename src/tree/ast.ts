/** The typed filter: nine kinds of plain, frozen, JSON-safe nodes, one for each shape of operands. docs/concepts/tree.md specifies it. */
import type { Span } from '../issue/index.ts'

interface Located {
  /** The piece of text that the parser read the node from. A generated node has no span. */
  readonly span?: Span
}

/** The names that lead to a field. Inside {@link Some} they start at the entry; `[]` is the entry itself. */
export type Path = readonly string[]

/** Whether two paths have the same names. Those of a schema are one object. */
export function isSamePath(a: Path, b: Path): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** The types of literals, in the order of the documentation. An enumeration's values are strings. */
export const literalTypes = /* @__PURE__ */ Object.freeze([
  'string',
  'uuid',
  'integer',
  'bigint',
  'number',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'time',
] as const)
/** The type of a literal. */
export type LiteralType = (typeof literalTypes)[number]
/** Whether values of a type can be literals. */
export const isLiteralType = (type: Presence['type']): type is LiteralType => type !== 'object' && type !== 'json'

/**
 * A typed constant, in a form that JSON keeps. A uuid is in lower case. A bigint is a text of digits. A decimal is a text of digits
 * without an exponent, without zeros at the end of its fraction, and never `-0`. A date is `YYYY-MM-DD`. A datetime is canonical UTC
 * text: `YYYY-MM-DDTHH:mm:ss.sssZ`, with six fractional digits if the last three are not zero. A time is `HH:MM:SS`, with up to
 * six digits of its fraction, without zeros at their end.
 */
export type Literal =
  | { readonly type: 'string' | 'uuid' | 'bigint' | 'decimal' | 'date' | 'datetime' | 'time'; readonly value: string }
  | { readonly type: 'integer' | 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }

/** How {@link Comparison} compares a field's value with its operand. Booleans have no order: only `eq` applies to them. */
export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
/** How {@link Comparison} compares two texts in lower case. The match `whole` selects the texts that are equal in lower case. */
export type FoldedOperator = `${'gt' | 'gte' | 'lt' | 'lte'}IgnoreCase`

/** Whether an operator compares texts in lower case. */
export const isFolded = (operator: ComparisonOperator | FoldedOperator): operator is FoldedOperator =>
  operator.endsWith('IgnoreCase')

/** Where {@link Match} searches for its text: in the whole value, or in a part. Modes that end in `Exact` compare case. */
export const matchModes = /* @__PURE__ */ Object.freeze([
  'prefix',
  'suffix',
  'substring',
  'whole',
  'prefixExact',
  'suffixExact',
  'substringExact',
] as const)
/** Names how {@link Match} compares the text of a field with its operand. */
export type MatchMode = (typeof matchModes)[number]

/** Whether case counts. */
export const isExact = (mode: MatchMode): mode is 'prefixExact' | 'suffixExact' | 'substringExact' =>
  mode.endsWith('Exact')

/** True when every filter in it is true. Without filters it is true. */
export interface And extends Located {
  readonly kind: 'and'
  readonly filters: readonly Filter[]
}
/** True when at least one filter in it is true. Without filters it is false. */
export interface Or extends Located {
  readonly kind: 'or'
  readonly filters: readonly Filter[]
}
/** True exactly when its filter is false, also for rows that lack the fields. */
export interface Not extends Located {
  readonly kind: 'not'
  readonly filter: Filter
}
/**
 * True when the field has a value that is equal to, before or after the operand, as the operator requires. Operators that end in
 * `IgnoreCase` compare texts in lower case.
 */
export interface Comparison extends Located {
  readonly kind: 'comparison'
  readonly path: Path
  readonly operator: ComparisonOperator | FoldedOperator
  readonly operand: Literal
}
/** True when the field's value equals one of the operands, which are all of one type. Without operands it is false. */
export interface Membership extends Located {
  readonly kind: 'membership'
  readonly path: Path
  readonly operands: readonly Literal[]
}
/**
 * True when the text of the field begins with, ends with, contains or equals the operand. Modes that end in `Exact` compare case. The
 * others ignore it. Every character of the operand is literal.
 */
export interface Match extends Located {
  readonly kind: 'match'
  readonly path: Path
  readonly mode: MatchMode
  readonly text: string
}
/** True when the field has a value of the type. Each value but `null` has the type `'json'`. */
export interface Presence extends Located {
  readonly kind: 'presence'
  readonly path: Path
  readonly type: LiteralType | 'object' | 'json'
}
/** True when at least one entry of the list satisfies the filter. The filter's paths start at the entry. */
export interface Some extends Located {
  readonly kind: 'some'
  readonly path: Path
  readonly filter: Filter
}

/**
 * True when the number of entries that have a value of the type is at least (`gte`) or at most (`lte`) the operand. A missing list has
 * zero entries.
 */
export interface EntryCount extends Located {
  readonly kind: 'count'
  /** The path of the list: at least one name. */
  readonly path: Path
  readonly type: Presence['type']
  readonly operator: 'gte' | 'lte'
  /** A whole number from 0 to 2^31 − 1. */
  readonly operand: number
}

/** The largest operand of {@link EntryCount}: 2^31 − 1, the largest integer of 32 bits. */
export const mostEntries = 2_147_483_647
/** The operands of {@link EntryCount}, for messages. A literal, because bundlers keep a template with a name in it. */
export const countExpected = 'a whole number from 0 to 2147483647'

/**
 * A filter: a tree that is true or false for every object. Conditions are its leaves ({@link Comparison},
 * {@link Membership}, {@link Match}, {@link Presence}, {@link EntryCount}); the other kinds contain filters.
 */
export type Filter = And | Or | Not | Comparison | Membership | Match | Presence | Some | EntryCount

/** The name of a kind of filter. */
export type Kind = Filter['kind']

/** Every kind of filter. */
export const kinds: readonly Kind[] = /* @__PURE__ */ Object.freeze([
  'and',
  'or',
  'not',
  'comparison',
  'membership',
  'match',
  'presence',
  'some',
  'count',
] as const)

/** The most levels that filters may nest: more than any schema needs, and too few to overflow an engine or the call stack. */
export const maxFilterDepth = 100

/**
 * The most names from the row to a value. The names of the lists around it count. No schema needs more. Longer paths overflow
 * the call stack.
 */
export const maxPathLength = 100

/** The most nodes of a filter: groups and conditions. A node that occurs several times counts each time. */
export const maxFilterNodes = 100_000

const none: readonly Filter[] = /* @__PURE__ */ Object.freeze([])

/**
 * Returns the filters directly inside a filter, in their order.
 *
 * @returns an empty list for a condition, which has no filters in it.
 * @throws TypeError when `filter` is not a filter.
 * @example children(filter).length // => 2
 */
export function children(filter: Filter): readonly Filter[] {
  if (!kinds.includes(filter?.kind)) throw new TypeError('filter must be a filter')
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters
    case 'not':
    case 'some':
      return [filter.filter]
    default:
      return none
  }
}
