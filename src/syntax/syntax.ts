/** The syntax tree: what stands where in the text, whatever it may mean. */
import type { Finding, Span } from '../issue/index.ts'

/** An item of a value that is read as a list. */
export interface Item extends Span {
  /** Of a quoted item: the parts that make its text, without the quotes and the backslashes that escape. */
  readonly parts?: readonly Span[]
  /** What is wrong with its quoting. */
  readonly quoteFault?: 'unterminated' | 'escape' | 'text after'
}

/** `path[operator]=value`, well-formed. */
export interface Pair extends Span {
  /** The path and its brackets: all before the `=`. */
  readonly key: Span
  readonly path: Span
  /** How many names the path has. */
  readonly names: number
  /** What stands between the brackets; absent where there are none. */
  readonly operator: Span | undefined
  readonly value: Span
}

export interface Syntax {
  /** What was read. */
  readonly text: string
  /** The well-formed pairs that are not reserved, in order. */
  readonly pairs: readonly Pair[]
  /** One for each malformed pair, its leftmost. */
  readonly findings: readonly Finding[]
  /** The values of reserved pairs, decoded, in order. */
  readonly reserved: ReadonlyMap<string, readonly string[]>
  /** Whether a part of a key may hold what belongs to a reserved name: then it is not quoted. */
  isSecret(part: Span): boolean
  /** The text of a part of these pairs, decoded: percent-escapes and `+`. */
  read(part: Span): string
  /** The key of a pair, decoded. */
  readKey(pair: Pair): string
  /** A value as a list, at least one item. */
  items(value: Span): readonly Item[]
  /** The text of an item, decoded. */
  readItem(item: Item): string
}
