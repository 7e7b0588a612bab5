/** A text with its options, and the convention that it is read by. The notations themselves are in `urlwhere/notations`. */
import type { Finding } from '../../issue/index.ts'
import type { Collection } from '../../language/index.ts'
import type { Limits, Source } from '../../syntax/index.ts'
import type { Uses } from '../aliased.ts'
import type { Names } from '../group-words.ts'
import type { Query } from '../page/query.ts'

/** The decoded values of reserved pairs by name, in the order of the text. A name without a pair is not in it. */
export type Reserved = ReadonlyMap<string, readonly string[]>

/** A text before anything of a schema is known, and the options that it is read with. */
export type ReadText = {
  readonly limits: Limits
  readonly reservedNames: readonly string[]
  readonly reserved: Reserved
  readonly timeZone: string | undefined
  /** In milliseconds since 1970. */
  readonly now: number | undefined
  readonly notation: Notation | undefined
  /** The name of the collection in a service. */
  readonly resource?: string
  /** Whether a notation wrote the text: no pair of it is reserved. */
  readonly isWritten: boolean
} & Names &
  (
    | { readonly source: Source; readonly tooLong: undefined }
    // A text that is too long is not read, so it has no reserved values.
    | { readonly source: undefined; readonly tooLong: Finding }
  )

/** The result of binding a text: the query, unless there are findings. */
export interface Bound {
  readonly query: Query | undefined
  readonly findings: readonly Finding[]
  readonly uses: Uses | undefined
}

/** Reads a text in the language of this library for a collection. */
export type Bind = (collection: Collection, read: ReadText) => Bound

/** The values of an answer, by their names in the templates of a notation. */
export type AnswerValues = Readonly<Record<string, unknown>>

/** An answer in the form of a client. */
export interface NotedAnswer {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** A parameter of a client, as a description of the service has it. */
export interface NotedParameter {
  readonly name: string
  /** What it chooses; `undefined` for conditions. */
  readonly role: string | undefined
  /** What the conditions in it mean, by the words that the client has for them: an operator, with `!` before it for its negation. */
  readonly meanings: Readonly<Record<string, string>>
}

/** The convention of a client: where a pair has its path, operator and value, and the form of the answer. `urlwhere/notations` has them. */
export interface Notation {
  readonly name: string
  /** The words of the client, and where it places them: `printNotation` of `urlwhere/notations` reads them. */
  readonly tables: object
  /**
   * Refuses a collection that lacks an option which the client needs.
   *
   * @throws TypeError that names the option.
   */
  readonly check: (collection: Collection, reserved: readonly string[]) => void
  /** Reads a text of the client: `bind` reads what it means, and the result points into the client's text. */
  readonly bind: (collection: Collection, read: ReadText, bind: Bind) => Bound
  /** Writes a page for the client. */
  readonly answer: (values: AnswerValues) => NotedAnswer
  /** Writes a fault for the client. */
  readonly fault: (values: AnswerValues) => NotedAnswer
  /** The parameters of a collection, whose name in the service is `resource`. */
  readonly parameters: (collection: Collection, resource: string) => readonly NotedParameter[]
  /** The names of the parameters that choose a page. */
  readonly paging: readonly string[]
  /** The links that its answers have; `undefined` where they have none. */
  readonly links: Links | undefined
}

/** The parameters of links to other pages. */
export interface Links {
  /** The number of a page. */
  readonly page: string
  /** The cursor of the next page, and that of the previous one. */
  readonly next: string
  readonly previous: string
  /** Whether pages have numbers where a request chooses none. */
  readonly isNumbered: boolean
}

/** @throws TypeError for a value that is no notation. */
export function checkNotation(notation: Notation | undefined, argument = 'options.notation'): Notation | undefined {
  if (notation === undefined || (typeof notation === 'object' && typeof notation?.bind === 'function')) return notation
  throw new TypeError(`${argument} must be a notation of urlwhere/notations, such as jsonServer`)
}
