/** The syntax tree: which pieces the text consists of, whatever they mean. Plain data. */
import type { Finding, Span } from '../issue/index.ts'
import type { GroupWord } from '../language/index.ts'
import type { RawPair } from '../values/pairs.ts'

/** An item of a value that is read as a list. */
export interface Item extends Span {
  /** Of a quoted item: the pieces of its text, without the quotes and without the backslashes that escape. */
  readonly parts: readonly Span[] | undefined
  /** What is wrong with its quoting. */
  readonly quoteFault: 'unterminated' | 'escape' | 'text after' | undefined
}

/** What follows the `=` of a condition. */
export interface Operand extends Span {
  /** In a group, where parentheses tell a list; elsewhere the operator tells whether the value is a list. */
  readonly items: readonly Item[] | undefined
  /** Whether the items are in parentheses. */
  readonly isList: boolean | undefined
  // Absent, it would be read from a polluted `Object.prototype`.
  readonly members: undefined
}

/** `path[operator]=value`, well-formed: a pair, or a condition in a group. */
export interface Pair extends RawPair {
  /** The path and its brackets: everything before the `=`. */
  readonly key: Span
  readonly path: Span
  /** How many names the path has. */
  readonly names: number
  /** The text between the brackets; `undefined` without brackets. */
  readonly operator: Span | undefined
  readonly value: Operand
  readonly members: undefined
}

/** A word, or the path of a list, with members in parentheses. Members that are malformed are left out. */
export interface Group extends Span {
  /** `undefined`: a path comes before the parenthesis. */
  readonly word: GroupWord | undefined
  /** The word or the path. */
  readonly path: Span
  readonly names: number
  readonly members: readonly Member[]
}
/** What a group may have in it. */
export type Member = Pair | Group

/** A pair, or a condition in a group, that is malformed. A hint may know what its key means in another API. */
export interface Malformed {
  readonly key: Span
  /** `undefined` where it has no `=`. */
  readonly value: Span | undefined
  readonly isInGroup: boolean
  /** The paths before the groups that it is in, outermost first: those of lists, where they are well-formed. */
  readonly lists: readonly Span[]
}
/** The kind of malformed syntax. */
export type SyntaxFinding = Finding & {
  /** The pair, where its key is at fault. */
  readonly pair?: Malformed
}
