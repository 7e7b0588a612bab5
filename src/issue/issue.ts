/** Issues: the problems of a query or a filter, as data; and the error that carries them. */
import { own } from '../own.ts'
import type { IssueParameters, Span } from './parameters.ts'
import { messageOf, type hintOf } from './wording.ts'

/** Every code of an issue. Issues at one place are reported in this order. `docs/concepts/errors.md` explains each. */
export const issueCodes = /* @__PURE__ */ Object.freeze([
  'limit_length',
  'limit_pairs',
  'syntax_encoding',
  'syntax_character',
  'syntax_name',
  'syntax_bracket',
  'syntax_missing_equals',
  'syntax_group',
  'field_unknown',
  'limit_depth',
  'operator_unknown',
  'operator_not_applicable',
  'operand_invalid',
  'limit_operand',
  'operand_empty',
  'operand_quote',
  'operand_count',
  'limit_list',
  'limit_searches',
  'limit_facets',
  'duplicate_condition',
  'parameter_duplicate',
  'parameter_invalid',
  'field_not_sortable',
  'field_not_selectable',
  'field_not_counted',
  'limit_issues',
  'backend_unsupported',
  'backend_unmapped',
  'backend_refused',
  'print_unsayable',
] as const)
/** The kind of problem. Codes are stable: programs can rely on them. */
export type IssueCode = (typeof issueCodes)[number]

/**
 * One problem: what was found, and what was expected. It never contains the text of an operand, which may be private: its span points
 * there.
 */
export interface IssueOf<C extends IssueCode> {
  readonly code: C
  /**
   * Who can correct the problem. `client`: the author of the query, so a service answers 400. `server`: the author of the program, of its
   * mapping or of its restriction, so a service answers 500 and hides the issue. Without `fault`, an issue counts as the server's.
   */
  readonly fault: Fault
  /** The problem in words, for people. Its wording may change in any release. */
  readonly message: string
  /** The data of the message and the hint, as frozen JSON. With it, a program can write them in another language. */
  readonly parameters: IssueParameters[C]
  /**
   * The piece of the text with the fault. Every issue of a text has a span. An issue with a `member` has a span if the value of the
   * member is a group or a search: its offsets count in this value.
   */
  readonly span?: Span
  /**
   * Names the member that contains the fault. `parseObject` writes a name, and `urlwhere/grids` a path: `filterModel.items[0].value`. Issues
   * of a text have no `member`.
   */
  readonly member?: string
  /** The index of the wrong item, if the value of the member is an array. */
  readonly item?: number
  /** What to do about the problem. */
  readonly hint?: string
  /** The dotted path of the field, if the schema contains it. */
  readonly path?: string
  /** The name of the operator, if it exists. */
  readonly operator?: string
  /** The edit of the text that removes the problem, if one edit can do that without moving an operand. */
  readonly suggestion?: Suggestion
}

/** An issue of any code. `issue.code` determines the type of `issue.parameters`. */
export type Issue = { readonly [C in IssueCode]: IssueOf<C> }[IssueCode]

/** An edit of a text. */
export interface Suggestion {
  /** The piece of the text that is replaced. */
  readonly span: Span
  /** The text in its place. */
  readonly insert: string
}

/** Who can correct an issue. */
export type Fault = 'client' | 'server'

/** Issues: at least one. */
export type Issues = readonly [Issue, ...Issue[]]

/** The facts of an issue besides its code and its span. */
export interface Facts<C extends IssueCode> extends Pick<IssueOf<C>, 'parameters'> {
  readonly path?: string | undefined
  readonly operator?: string | undefined
  readonly suggestion?: Suggestion | undefined
}

interface FindingOf<C extends IssueCode> extends Facts<C> {
  readonly code: C
  readonly span: Span
  /** More data for an {@link Adviser}. */
  readonly doubt?: object | undefined
  /** The finding of another text that the text of the client became. */
  readonly translation?: Translation
}
/** A problem before it is an issue: a text may have thousands, and only the first of them are reported. */
export type Finding = { readonly [C in IssueCode]: FindingOf<C> }[IssueCode]

interface Translation {
  readonly finding: Finding
  /** Puts the facts of the finding, and the advice about it, in the words of the client. */
  readonly toClient: (finding: Finding) => Finding
}

/** Adds advice to findings. */
export interface Adviser {
  /** Begins with the findings of one text. @returns the function that adds advice and a suggestion to one of them. */
  readonly begin: () => (finding: Finding) => Finding
  readonly hintOf: typeof hintOf
}

/**
 * Puts findings into words, in the order of the text.
 *
 * @param findings at least one.
 * @param limit how many issues to report. When there are more findings, the last issue is a `limit_issues`.
 * @param adviser without one, issues have neither hints nor suggestions.
 */
export function report(findings: readonly Finding[], limit: number, adviser?: Adviser): Issues {
  const sorted = findings.toSorted(
    (a, b) =>
      a.span.start - b.span.start || a.span.end - b.span.end || issueCodes.indexOf(a.code) - issueCodes.indexOf(b.code),
  )
  const advise = adviser?.begin() ?? ((finding: Finding) => finding)
  const issueOf = (finding: Finding): Issue => {
    const translation = own(finding, 'translation')
    const facts = translation === undefined ? advise(finding) : translation.toClient(advise(translation.finding))
    const { start, end } = finding.span
    return issueAt({ span: { start, end } }, finding.code, facts, adviser?.hintOf)
  }
  if (sorted.length <= limit) return sorted.map(issueOf) as readonly Issue[] as Issues
  const parameters = { found: sorted.length, limit }
  const last: Finding = { code: 'limit_issues', span: sorted[limit - 1]!.span, parameters }
  return [...sorted.slice(0, limit - 1), last].map(issueOf) as readonly Issue[] as Issues
}

/**
 * Makes an issue with its message.
 *
 * @param place the span in a text; or the member of an object, with the index of an item, or a span in its value.
 * @param hint without it, the issue has neither a hint nor a suggestion.
 */
export function issueAt<C extends IssueCode>(
  place: Pick<Issue, 'span' | 'member' | 'item'>,
  code: C,
  facts: Facts<C>,
  hint?: Adviser['hintOf'],
): Issue {
  const { parameters } = facts
  const [path, operator, suggestion] = [own(facts, 'path'), own(facts, 'operator'), own(facts, 'suggestion')]
  const message = messageOf(code, parameters)
  const words = hint?.(code, parameters)
  const issue: { -readonly [K in keyof Issue]?: Issue[K] } = { code, fault: 'client', message, ...place } as Issue
  if (words !== undefined) issue.hint = words
  if (path !== undefined) issue.path = path
  if (operator !== undefined) issue.operator = operator
  issue.parameters = freeze(parameters)
  if (hint !== undefined && suggestion !== undefined) issue.suggestion = freeze(suggestion)
  return issue as Issue
}

/** Freezes data with all that is in it. */
export function freeze<T>(data: T): T {
  if (typeof data === 'object' && data !== null) for (const part of Object.values(Object.freeze(data))) freeze(part)
  return data
}

/**
 * An error with issues. `parseFilterOrThrow`, `printFilter` and every backend's `compile` throw it. Its message is the message of the
 * first issue. It is one class in all entry points, ESM and CommonJS: `instanceof` works across them.
 */
export interface FilterError extends Error {
  /** All issues, in the order of the text. */
  readonly issues: Issues
}
interface FilterErrorConstructor {
  new (issues: Issues): FilterError
  readonly prototype: FilterError
}

// The ESM and the CommonJS build may be loaded in one process, so the class is kept where both find it.
const key = Symbol.for('urlwhere.FilterError')
const shared = globalThis as { [key]?: FilterErrorConstructor }
/**
 * The class of a `FilterError`. A custom backend throws it for a filter that it cannot express.
 *
 * @example
 * try {
 *   parseFilterOrThrow(orders, 'arival=2024-01-01')
 * } catch (error) {
 *   if (error instanceof FilterError) error.issues[0].code // => 'field_unknown'
 * }
 */
export const FilterError: FilterErrorConstructor = /* @__PURE__ */ (() =>
  (shared[key] ??= class extends Error {
    // A minifier of the program's may shorten the name of a class, which Node prints.
    static override readonly name = 'FilterError'
    static {
      // Before the constructor of `Error` writes it in the stack.
      this.prototype.name = this.name
    }
    readonly issues: Issues

    constructor(issues: Issues) {
      super(issues[0].message + (issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''))
      this.issues = issues
    }
  }))()

/** A query: its text with or without the leading `?`, a `URL`, or a `URLSearchParams`. */
export type QueryText = string | URL | URLSearchParams

/**
 * The text that spans count in: the string itself, `url.search`, or `params.toString()`. (The `searchParams` of a URL
 * would not do: they are decoded, and malformed escapes are lost.)
 *
 * @throws TypeError when `text` is none of these.
 */
export function textOf(text: QueryText): string {
  if (typeof text === 'string') return text
  if (text instanceof URL) return text.search
  if (text instanceof URLSearchParams) return text.toString()
  throw new TypeError(
    'text must be a query string, a URL or a URLSearchParams, not the object that a framework makes of it',
  )
}
