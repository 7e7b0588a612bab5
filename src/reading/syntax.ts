/** The parts of a text as the grammar reads them, and the malformed ones. Plain data. */
import type { Finding, Span } from '../issue/index.ts'
import type { Item, Value } from '../asked/index.ts'

type Mutable<T> = { -readonly [P in keyof T]: T[P] }

/** An item of a list. The grammar leaves its text empty, because a second object for each item would slow down lists. */
export interface ItemNode extends Mutable<Item> {
  /** Of a quoted item: the pieces of its text, without the quotes and without the backslashes that escape. */
  readonly parts: readonly Span[] | undefined
}

/** The text after the `=` of a condition in a group. The grammar leaves its text empty, too. */
export interface OperandNode extends Mutable<Value> {
  items: readonly ItemNode[]
  // Absent, it would be read from a polluted `Object.prototype`.
  readonly members: undefined
}

/** A pair, or a condition in a group, that is malformed. A hint may know the meaning of its key in another API. */
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
