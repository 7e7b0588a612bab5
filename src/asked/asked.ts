/** The conditions and parameters of a client, as plain data. They need no schema. */
import type { QuoteProblem, Span } from '../issue/index.ts'
import { own } from '../own.ts'
import type { GroupWord, OperatorRow, ValueName } from '../language/index.ts'

/** The span of a part in the client's text. */
type At = Span

/** A name, decoded. */
export interface Part extends At {
  readonly text: string
}

/** An operand, or an item of a parameter. */
export interface Item extends Part {
  /** The fault of its quoting. */
  readonly quoteFault: QuoteProblem | undefined
  /** Whether an empty text is a value. Default: the value is missing. */
  readonly isText?: boolean
}

/** The value of a condition or of a parameter. */
export interface Value extends Part {
  /** Its operands, where it has several of them or may have. */
  readonly items: readonly Item[] | undefined
  /** Whether it is written as a list; `undefined` where the operator decides. */
  readonly isList: boolean | undefined
}

/** The spans of a condition or of a parameter. */
export interface PairAt extends At {
  /** The end of its key. */
  readonly equals: number
  /** The span of the path and the operator. Default: the text before `equals`. */
  readonly key?: At
}
export const keyOf = (at: PairAt): At => own(at, 'key') ?? { start: at.start, end: at.equals }
/** The text after the first `=` of a pair. */
export const valueOf = ({ equals, end }: PairAt): At => ({ start: equals === end ? end : equals + 1, end })

/** A path, an operator and its operands. No property is absent: it would be read from a polluted `Object.prototype`. */
export interface Condition {
  readonly at: PairAt
  readonly path: Part
  /** How many names the path has. */
  readonly names: number
  /** The name of the operator; `undefined` where the client names none. */
  readonly operator: Part | undefined
  /** The operator, where the front-end has resolved it and the collection allows it. */
  readonly row: OperatorRow | undefined
  readonly value: Value
  readonly members: undefined
}
/** The path with the operator in brackets. */
export const keyText = ({ path, operator }: Condition): string =>
  operator === undefined ? path.text : `${path.text}[${operator.text}]`

/** Conditions that a word joins, or that are about one entry of a list. */
export interface Group {
  readonly at: At
  /** `undefined` for the path of a list, with or without a quantifier. */
  readonly word: GroupWord | undefined
  /** The word or the path. */
  readonly path: Part
  readonly names: number
  readonly members: readonly Member[]
}
/** A member of a query or of a group. */
export type Member = Condition | Group

/** A part of a query besides its conditions. */
export interface Parameter<Name extends ValueName = ValueName> {
  readonly parameter: Name
  readonly at: PairAt
  readonly value: Value
}

/** The conditions and parameters of one request. */
export interface Asked {
  readonly conditions: readonly Member[]
  readonly parameters: readonly Parameter[]
}
