/** The data of the message and the hint of each issue, by its code. With it, a program can write them in another language. */
import type { Choice, OperandForm, PlainAdvice, QuoteProblem, SyntaxProblem, WriteReason } from './words.ts'

/** A piece of text: half-open UTF-16 offsets, `start` is included and `end` is not, as in `slice`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A list of names, perhaps only its beginning. */
export interface NameList {
  readonly names: readonly string[]
  /** Whether the list leaves out names. */
  readonly isCut: boolean
}

/** What to do about an issue. A hint has one sentence for each advice. */
export type Advice =
  | { readonly kind: 'did_you_mean'; readonly name: string }
  | WriteAdvice
  /** `key`: the decoded key; `null` if callers cannot use it. */
  | { readonly kind: 'decode_once'; readonly key: string | null }
  /** A word of groups needs parentheses: `and=(…)`, inside a group `and(…)`. With `list`, a path before a group: `and=(items(…))`. */
  | { readonly kind: 'write_group'; readonly word: string; readonly isInGroup: boolean; readonly list: string | null }
  | { readonly kind: 'choose'; readonly from: Choice; readonly choices: NameList }
  /** With empty `operators`, callers cannot filter by the field. */
  | {
      readonly kind: 'operators'
      readonly field: string
      readonly operators: readonly string[]
      readonly inside: NameList
    }
  | {
      readonly kind: 'fewer_searches'
      readonly excess: number
      readonly everywhere: readonly string[]
      readonly inLists: readonly string[]
      /** Whether conditions on lists in groups are among the searches. */
      readonly inGroups: boolean
      /** The number of facets that these searches leave room for; `null` if fewer facets are not enough. */
      readonly facets: number | null
    }
  | { readonly kind: 'operator_once'; readonly isInGroup: boolean }
  | { readonly kind: 'join_paths'; readonly parameter: string }
  /** The operator reads no list. */
  | { readonly kind: 'one_value'; readonly operator: string }
  | { readonly kind: 'form'; readonly form: OperandForm }
  | { readonly kind: PlainAdvice }

/** A replacement for a part of the query. */
export interface WriteAdvice {
  readonly kind: 'write'
  /** Conditions or a parameter. Names are those of the schema. Each `…` is the place of a value of the client. */
  readonly text: string
  readonly reason: WriteReason
  /** Whether the operands of the query belong in `text`: in place of each `…`, and of the values of an enumeration. */
  readonly isExample: boolean
  /** The piece of the query that `text` replaces; `null` if it replaces several pieces. */
  readonly replaces: Span | null
  /** The operands of the replaced piece, for their places in `text`. It is empty if they cannot stay unchanged. */
  readonly operands: readonly Span[]
}

interface Limited {
  readonly found: number
  readonly limit: number
}
interface Advised {
  readonly advice: readonly Advice[]
}
interface Malformed extends Advised {
  readonly problem: SyntaxProblem
  readonly isInGroup: boolean
}

/** The parameters of each code. */
export interface IssueParameters {
  readonly limit_length: Limited & { readonly isExact: boolean }
  readonly limit_pairs: { readonly limit: number }
  readonly syntax_encoding: Malformed
  readonly syntax_character: Malformed
  readonly syntax_name: Malformed
  readonly syntax_bracket: Malformed
  readonly syntax_missing_equals: Malformed
  readonly syntax_group: Malformed
  /** `name`: the name in the text; `null` if it may be a secret. */
  readonly field_unknown: Advised & { readonly problem: 'name' | 'sign'; readonly name: string | null }
  readonly limit_depth:
    | { readonly of: 'path'; readonly found: number; readonly limit: number }
    | { readonly of: 'groups'; readonly limit: number }
  readonly operator_unknown: Advised & { readonly name: string | null }
  readonly operator_not_applicable: Advised & { readonly field: string; readonly operator: string | null }
  readonly operand_invalid: Advised & { readonly subject: string; readonly expected: Expected }
  readonly limit_operand: Limited
  readonly operand_empty: {
    readonly of: 'value' | 'list' | 'parameter' | 'search'
    /** Whether the whole value is missing, not an item of it. */
    readonly isWhole: boolean
    /** Whether an empty text in quotes would be valid. */
    readonly allowsEmptyText: boolean
    readonly parameter: string | null
  }
  readonly operand_quote: { readonly problem: QuoteProblem }
  readonly operand_count: {
    readonly operator: string
    readonly expected: 'one' | 'two' | 'list'
    /** The number of values; `null` if parentheses are missing or superfluous. */
    readonly found: number | null
  }
  readonly limit_list: Limited & { readonly of: 'condition' | 'parameter' }
  readonly limit_searches: Limited & Advised
  readonly limit_facets: Limited
  readonly duplicate_condition: Advised & {
    readonly name: string
    readonly of: 'condition' | 'path'
    readonly where: 'query' | 'group' | 'order' | 'fields' | 'facets'
  }
  readonly parameter_duplicate: Advised & { readonly parameter: string }
  readonly parameter_invalid: Advised & { readonly parameter: string; readonly expected: ExpectedParameter }
  readonly field_not_sortable: Advised & { readonly field: string }
  readonly field_not_selectable: Advised & { readonly field: string }
  readonly field_not_counted: Advised & { readonly field: string }
  readonly limit_issues: Limited
  readonly backend_unsupported: Readonly<Record<string, unknown>>
  readonly backend_unmapped: Readonly<Record<string, unknown>>
  readonly backend_refused: Readonly<Record<string, unknown>>
  readonly print_unsayable: Readonly<Record<string, unknown>>
}

/** The expected value: one of some values, or a type, which `description` describes in English. */
export type Expected =
  | { readonly kind: 'values'; readonly values: NameList }
  | { readonly kind: 'type'; readonly type: string; readonly description: string }

/** The expected value of a parameter. */
export type ExpectedParameter =
  | { readonly kind: 'whole_number'; readonly from: number; readonly to: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'cursor' }
  | { readonly kind: 'time_zone' }
  /** A member of an object requires a value of another form; `description` describes this form in English. */
  | { readonly kind: 'form'; readonly description: string }
  /** A query has one of these parameters at most. */
  | { readonly kind: 'one_of'; readonly parameters: readonly string[] }
