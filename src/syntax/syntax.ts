/** The syntax tree: which pieces the text consists of, whatever they mean. Plain data. */
import type { Finding, Span } from '../issue/index.ts'
import type { Source } from './source.ts'

/** An item of a value that is read as a list. */
export interface Item extends Span {
  /** Of a quoted item: the pieces of its text, without the quotes and without the backslashes that escape. */
  readonly parts: readonly Span[] | undefined
  /** What is wrong with its quoting. */
  readonly quoteFault: 'unterminated' | 'escape' | 'text after' | undefined
}

/** `path[operator]=value`, well-formed. */
export interface Pair extends Span {
  /** The path and its brackets: everything before the `=`. */
  readonly key: Span
  readonly path: Span
  /** How many names the path has. */
  readonly names: number
  /** The text between the brackets; absent without brackets. */
  readonly operator: Span | undefined
  readonly value: Span
  // Absent, they would be read from a polluted `Object.prototype`.
  readonly items: undefined
  readonly isList: undefined
  readonly members: undefined
}

/** A condition in a group: a pair with its value read. */
export interface Condition extends Omit<Pair, 'items' | 'isList'> {
  /** A single one, unless it is a list. */
  readonly items: readonly Item[]
  /** Whether the items are in parentheses. */
  readonly isList: boolean
}

/** What the words of groups mean. */
export type GroupWord = 'and' | 'or' | 'not'

/** The words of groups by their names. */
export type GroupWords = ReadonlyMap<string, GroupWord>

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
export type Member = Condition | Group

/** A pair that is known by its whole key, whatever its form: `page[size]=20`. */
export interface NamedPair {
  readonly name: string
  readonly key: Span
  readonly value: Span
}

/** A pair, or a condition in a group, that is malformed. A hint may know what its key means in another API. */
export interface Malformed {
  readonly key: Span
  /** `undefined` where it has no `=`. */
  readonly value: Span | undefined
  readonly isInGroup: boolean
  /** The paths before the groups that it is in, outermost first: those of lists, where they are well-formed. */
  readonly lists: readonly Span[]
}
/** What is malformed. */
export interface SyntaxFinding extends Finding {
  /** The pair, where its key is at fault. */
  readonly pair?: Malformed
}

export interface Syntax {
  readonly source: Source
  /** The well-formed pairs that are neither reserved nor parameters, in the order of the text. */
  readonly pairs: readonly Pair[]
  /** One for each malformed pair: its leftmost fault. */
  readonly findings: readonly SyntaxFinding[]
  /** The pairs that are parameters, in the order of the text. */
  readonly parameters: readonly NamedPair[]
  /** What the names of groups mean; empty where there are none. */
  readonly words: GroupWords
  /** The pairs that are groups, in the order of the text; `undefined` without any. */
  readonly groups: readonly Group[] | undefined
  /** Where the conditions of each group begin, malformed ones included, by where its pair begins. */
  readonly conditions: ReadonlyMap<number, readonly number[]> | undefined
  /** The values of reserved pairs by name, decoded, in the order of the text. */
  readonly reserved: ReadonlyMap<string, readonly string[]>
}
