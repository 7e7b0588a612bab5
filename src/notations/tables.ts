/** What a notation is made of: words, and where things are placed. */
import type { Finding, Span } from '../issue/index.ts'
import type { Collection, ResolvedField } from '../language/index.ts'
import type { ReadText } from '../query/index.ts'
import type { Links } from '../query/index.ts'
import type { Budget } from '../suggest.ts'
import type { Source } from '../syntax/index.ts'
import type { Located, Token } from './located.ts'

/**
 * What an operator of a client means: an operator of this library, with `!` before it for the rows that have a value and do not
 * satisfy it.
 */
export type Meaning = string

/** What a parameter of a client chooses. `start` and `end` are places of rows, from 0. */
export type Role =
  'sort' | 'order' | 'start' | 'end' | 'size' | 'page' | 'cursor' | 'search' | 'fields' | 'filter' | 'range' | 'counted'

/** A template of an answer: `@name` stands for a value. */
export type Template = unknown

/** The parts of an answer. */
export interface AnswerTables {
  /** `@items` stands for the rows, or for the issues of a fault. */
  readonly body: Template
  /** One of the items; the row unless given. */
  readonly item?: Template
  readonly headers?: Readonly<Record<string, string>>
}

/** The tables of a notation. */
export interface Tables {
  readonly name: string
  /** A condition as the client writes it: `@path`, `@word` and `@value` stand for its parts. */
  readonly pair: string
  /** How the client writes several values of one condition. */
  readonly list: ',' | '&' | '[]'
  /** The operators by their words. The empty word is that of a condition without an operator. */
  readonly operators: Readonly<Record<string, Meaning>>
  /** The words of groups. */
  readonly groups?: Readonly<Record<string, 'and' | 'or' | 'not'>>
  /** The operators of several values, by the words that may have them. `all` is that of a list, and `in` that of another field. */
  readonly severals?: Readonly<Record<string, Meaning>>
  /** `[*]` at the end of a name stands for any name in brackets. */
  readonly parameters: Readonly<Record<string, Role>>
  /** Where the order has its directions: a sign before a path, a word after it, a second parameter, or a list of JSON. */
  readonly sort: 'signs' | 'words' | 'second' | 'json'
  /** Whether `end` is the place of the last row, and not of the row after it. */
  readonly endsAtLast?: true
  /** Reads an order of JSON. */
  readonly readSort?: (client: Client) => readonly Sorted[]
  /** The parameters of pages that go together. */
  readonly pages: readonly (readonly string[])[]
  /** The member of a filter that has the words of a search. */
  readonly search?: string
  /** Whether the client may repeat the parameters of the order and of the fields. */
  readonly repeats?: true
  /** The name before the brackets of a condition, or before its path. */
  readonly prefix?: string
  /** Whether the name in brackets of `fields` is that of the resource. */
  readonly isTyped?: true
  /** Fields that the client has no place for. */
  readonly taken?: readonly string[]
  /** How many rows a request without a page gets. */
  readonly unpaged: 'max' | 'default'
  /** The options of a collection that the client cannot do without. */
  readonly needs: readonly ('offset' | 'count')[]
  /** Reads the conditions. */
  readonly read: (client: Client) => readonly Told[]
  /** The links that an answer has. */
  readonly links?: Links
  readonly answer: AnswerTables
  /** What a problem has for the client, or in place of it. */
  readonly fault: AnswerTables & { readonly isWhole?: true }
}

/** A pair of a client that is well-formed. */
export interface ClientPair extends Span {
  readonly key: Located
  readonly keySpan: Span
  readonly value: Token
}

/** A path of an order. */
export interface Sorted {
  readonly path: Token
  readonly isDescending: boolean
}

/** A condition of a client, before its words are looked up. */
export interface Condition {
  readonly group: undefined
  readonly path: Token
  /** The empty word stands where the path ends. */
  readonly word: Token
  readonly values: readonly Token[]
  /** Whether the values are a list, however many there are. */
  readonly isList: boolean
  /** Whether the client negates it. */
  readonly isNegated?: boolean
  readonly whole: Span
}
/** Conditions of a client that one of its words joins. */
export interface Joined {
  readonly group: 'and' | 'or' | 'not'
  readonly word: Token
  readonly members: readonly Told[]
}
/** A condition, or several that are joined. */
export type Told = Condition | Joined

export interface Client {
  readonly tables: Tables
  readonly collection: Collection
  /** The fields by the names that a text may have. */
  readonly paths: ReadonlyMap<string, ResolvedField>
  readonly read: Pick<ReadText, 'reservedNames' | 'resource'> & Partial<Pick<ReadText, 'limits'>>
  readonly source: Source
  readonly findings: Finding[]
  readonly budget: Budget
  /** The parameters by what they choose, in the order of the text. */
  readonly given: Map<Role, ClientPair[]>
  /** All other pairs. */
  readonly others: readonly ClientPair[]
}
