/** The interfaces between the parser and a notation. `urlwhere/notations` implements them. */
import type { Finding } from '../issue/index.ts'
import type { Collection, Limits, Uses, ParameterNames } from '../language/index.ts'
import type { Query } from '../query/index.ts'
import type { Asked, Source } from '../asked/index.ts'

/** The decoded values of reserved pairs by name, in the order of the text. Names without a pair are absent. */
export type Reserved = ReadonlyMap<string, readonly string[]>

/** A text and its options, before the parser knows a schema. */
export type TextRequest = {
  readonly limits: Limits
  readonly reservedNames: readonly string[]
  readonly reserved: Reserved
  readonly timeZone: string | undefined
  /** In milliseconds since 1970. */
  readonly now: number | undefined
  readonly notation: Notation | undefined
  /** The name of the collection in the service. */
  readonly resource?: string
  /** Whether a day of a datetime field is its first moment, as in other software. Default: the whole day. */
  readonly isDayMoment?: boolean
} & ParameterNames &
  (
    | { readonly source: Source; readonly tooLong: undefined }
    // The parser does not cut a text beyond the limit into pairs, so `reserved` is absent.
    | { readonly source: undefined; readonly tooLong: Finding }
  )

/** The result of binding a text: either a query or findings. */
export interface Bound {
  readonly query: Query | undefined
  readonly findings: readonly Finding[]
  readonly uses: Uses | undefined
}

/** Binds the conditions and parameters of a request to a collection. */
export type Bind = (collection: Collection, read: TextRequest & { readonly source: Source }, asked: Asked) => Bound

/** The values of an answer by their names in the templates of a notation. */
export type AnswerValues = Readonly<Record<string, unknown>>

/** An answer in the form of a client. */
export interface NotedAnswer {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** A parameter of a client for the OpenAPI document. */
export interface NotedParameter {
  readonly name: string
  /** The role of the parameter: `sort`, `page` and others. Conditions have `undefined`. */
  readonly role: string | undefined
  /** The meanings by the client's words for operators: an operator of this library, after `!` for its negation. */
  readonly meanings: Readonly<Record<string, string>>
}

/** The convention of a client: where a pair contains its path, operator and value, and the form of the answer. See `urlwhere/notations`. */
export interface Notation {
  readonly name: string
  /** The tables with the client's words and their places, for `printNotation` of `urlwhere/notations`. */
  readonly tables: object
  /**
   * Refuses a collection that lacks an option which the client requires.
   *
   * @throws TypeError with the name of the option.
   */
  readonly check: (collection: Collection, reserved: readonly string[]) => void
  /** Parses the client's text, and passes its conditions and parameters to `bind`. */
  readonly bind: (collection: Collection, read: TextRequest & { readonly source: Source }, bind: Bind) => Bound
  /** Writes a page of rows in the form of the client. */
  readonly answer: (values: AnswerValues) => NotedAnswer
  /** Writes a problem in the form of the client. */
  readonly fault: (values: AnswerValues) => NotedAnswer
  /** Describes the parameters of a collection. `resource` is its name in the service. */
  readonly parameters: (collection: Collection, resource: string) => readonly NotedParameter[]
  /** Where an answer has the key of each row, whatever fields the request names: beside the row, or in it. */
  readonly key: 'beside' | 'inside'
  /** Writes one row in the form of the client. */
  readonly row: (values: AnswerValues) => NotedAnswer
  /** Whether a parameter chooses the fields of rows. */
  readonly selects: (name: string) => boolean
  /** The names of the parameters that choose a page. */
  readonly paging: readonly string[]
  /** The parameters for links of answers; `undefined` for answers without links. */
  readonly links: Links | undefined
}

/** The parameters of links to other pages. */
export interface Links {
  /** The parameter with the number of a page. */
  readonly page: string
  /** The parameter with the number of rows before a page. */
  readonly start?: string
  /** The parameters with the cursors of the next and the previous page. */
  readonly next: string
  readonly previous: string
  /** Whether links have page numbers where the request chooses no page. */
  readonly isNumbered: boolean
}

/** @throws TypeError for every value but a notation. */
export function checkNotation(notation: Notation | undefined, argument = 'options.notation'): Notation | undefined {
  if (notation === undefined || (typeof notation === 'object' && typeof notation?.bind === 'function')) return notation
  throw new TypeError(`${argument} must be a notation of urlwhere/notations, such as jsonServer`)
}
