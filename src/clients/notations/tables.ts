/** The tables of a notation: its words, and the places of operators, values and parameters. */
import type { Finding, Span } from '../../issue/index.ts'
import type { Collection, Quantifier, ResolvedField } from '../../language/index.ts'
import type { Source } from '../../asked/index.ts'
import type { TextRequest, Links } from '../../reading/index.ts'
import type { Budget } from '../../suggest.ts'
import type { Located, Token } from './located.ts'

/**
 * The meaning of a client's operator: an operator of this library. A `!` before it selects the rows that have a value and do not
 * satisfy the operator.
 */
export type Meaning = string

/** The purpose of a client's parameter. `start` and `end` are positions of rows, from 0. */
export type Role =
  'sort' | 'order' | 'start' | 'end' | 'size' | 'page' | 'cursor' | 'search' | 'fields' | 'filter' | 'range' | 'counted'

/**
 * The meaning of a day as operand of a datetime: the whole day, as in this library; its first moment; or a text, which the client
 * compares with the texts of moments in UTC.
 */
export type DayMeaning = 'whole' | 'moment' | 'text'

/** A JSON value in which `@name` marks the place of a value. */
export type Template = unknown

/** The templates of an answer. */
export interface AnswerTables {
  /** The template of the body. `@items` marks the place of the rows, or of the issues of a problem. */
  readonly body: Template
  /** The template of the body for a request without a page. Default: `body`. */
  readonly unpaged?: Template
  /** The template of each item. Default: the row. */
  readonly item?: Template
  readonly headers?: Readonly<Record<string, string>>
}

/** The words and forms of a notation. */
export interface Tables {
  readonly name: string
  /** The form of a condition, with `@path`, `@word` and `@value` in place of its parts. */
  readonly pair: string
  /** The form of several values: separated by commas, in repeated pairs, or in a JSON array. */
  readonly list: ',' | '&' | '[]'
  /** The meanings of operators by the client's words. The empty word belongs to a condition without an operator. */
  readonly operators: Readonly<Record<string, Meaning>>
  /** The meanings of groups by the client's words. */
  readonly groups?: Readonly<Record<string, 'and' | 'or' | 'not'>>
  /** The client's words before an operator for the entries of a list of objects that satisfy a condition: some, none or every. */
  readonly quantifiers?: Readonly<Record<string, Quantifier>>
  /** The meanings of operators with several values, where they differ. `all` applies to a list, and `in` to every other field. */
  readonly severals?: Readonly<Record<string, Meaning>>
  readonly day: DayMeaning
  /** The roles of parameters by the client's names. A name with `[*]` at its end matches any name in brackets. */
  readonly parameters: Readonly<Record<string, Role>>
  /** The place of a direction: a sign before the path, a word after the path, a second parameter, or a JSON array. */
  readonly sort: 'signs' | 'words' | 'second' | 'json'
  /** Whether `end` is the position of the last row. Default: the position after the last row. */
  readonly endsAtLast?: true
  /** Reads an order in JSON. */
  readonly readSort?: (client: Client) => readonly Sorted[]
  /** The sets of parameters with which a client chooses a page. */
  readonly pages: readonly (readonly string[])[]
  /** The member of the JSON filter with the words of a search. */
  readonly search?: string
  /** Whether the client repeats the parameters for order and fields. */
  readonly repeats?: true
  /** The first name in the key of a condition: `filters` in `filters[total]`. */
  readonly prefix?: string
  /** Whether `fields[orders]` names the resource in brackets. */
  readonly isTyped?: true
  /** The fields that a collection must not have: the client gives their names another meaning. */
  readonly taken?: readonly string[]
  /** The limit of rows for a request without a page: `limit.max` or `limit.default`. */
  readonly unpaged: 'max' | 'default'
  /** The options of a collection that the client requires. */
  readonly needs: readonly ('offset' | 'count')[]
  readonly read: (client: Client) => readonly ClientMember[]
  /** The parameters for links of answers. */
  readonly links?: Links
  readonly answer: AnswerTables
  /** The templates of an answer with one row. `@item` marks its place. Default: the row alone. */
  readonly one?: AnswerTables
  /** The members that an answer adds to a problem. With `isWhole`, they replace the problem. */
  readonly fault: AnswerTables & { readonly isWhole?: true }
}

/** A well-formed pair of a client. */
export interface ClientPair extends Span {
  readonly key: Located
  readonly keySpan: Span
  readonly value: Token
}

/** A sort key: a path and its direction. */
export interface Sorted extends Token {
  readonly isDescending: boolean
}

/** A condition in the words of a client. */
export interface ClientCondition {
  readonly group: undefined
  readonly path: Token
  /** The operator. An empty operator has the span after the path. */
  readonly word: Token
  readonly values: readonly Token[]
  /** Whether the client writes the values as a list. A list of one value is a list, too. */
  readonly isList: boolean
  /** Whether the client negates the condition. */
  readonly isNegated?: boolean
  /** The client's word for the entries that satisfy the condition. Default: some entry. */
  readonly quantifier?: Token
  readonly whole: Span
}
/** A group in the words of a client. */
export interface ClientGroup {
  readonly group: 'and' | 'or' | 'not'
  readonly word: Token
  readonly members: readonly ClientMember[]
}
/** A condition or a group. */
export type ClientMember = ClientCondition | ClientGroup

export interface Client {
  readonly tables: Tables
  readonly collection: Collection
  /** The visible fields by their paths and aliases. */
  readonly paths: ReadonlyMap<string, ResolvedField>
  readonly read: Pick<TextRequest, 'reservedNames' | 'resource'> & Partial<Pick<TextRequest, 'limits'>>
  readonly source: Source
  readonly findings: Finding[]
  readonly budget: Budget
  /** The parameters by their roles, in the order of the text: one of each role that the client does not repeat. */
  readonly byRole: Map<Role, [ClientPair, ...ClientPair[]]>
  /** All pairs but parameters and reserved pairs. */
  readonly others: readonly ClientPair[]
  /** The number of reserved pairs. */
  reserved: number
}
