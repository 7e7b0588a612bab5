/** Problems as data, the error that carries them, and their picture under the text. */
import { checkOptions } from '../options.ts'

/** Half-open UTF-16 offsets into the text that was read. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Every code, in the order in which issues at one place are reported. `docs/concepts/errors.md` explains each. */
export const issueCodes = Object.freeze([
  'limit_length',
  'limit_pairs',
  'syntax_encoding',
  'syntax_character',
  'syntax_name',
  'syntax_bracket',
  'syntax_missing_equals',
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
  'duplicate_condition',
  'limit_issues',
  'backend_unsupported',
  'backend_unmapped',
  'print_unsayable',
] as const)
export type IssueCode = (typeof issueCodes)[number]

/** One problem: what was found and what was expected. Never holds an operand's text: the span points at it. */
export interface Issue {
  readonly code: IssueCode
  readonly message: string
  /** Where it stands in the text; always there when text was read. */
  readonly span?: Span
  /** What to do about it. */
  readonly hint?: string
  /** The field's path, dotted, when the issue is about a known field. */
  readonly path?: string
  /** The operator's name, when the issue is about a known operator. */
  readonly operator?: string
}

/** At least one issue. */
export type Issues = readonly [Issue, ...Issue[]]

/** What an issue says in words. */
export interface Words {
  readonly message: string
  readonly hint?: string | undefined
  readonly path?: string | undefined
  readonly operator?: string | undefined
}

/** A problem that was found. Its words are made only when it is reported: a text may have thousands. */
export interface Finding {
  readonly code: IssueCode
  readonly span: Span
  readonly tell: () => Words
}

/**
 * The issues of findings, in the order of the text; of more than `limit`, the first ones and a `limit_issues`.
 *
 * @param findings at least one.
 */
export function report(findings: readonly Finding[], limit: number): Issues {
  const sorted = findings.toSorted(
    (a, b) =>
      a.span.start - b.span.start || a.span.end - b.span.end || issueCodes.indexOf(a.code) - issueCodes.indexOf(b.code),
  )
  if (sorted.length <= limit) return sorted.map(issueOf) as readonly Issue[] as Issues
  const { start, end } = sorted[limit - 1]!.span
  const message = `too many issues: ${sorted.length}, limit ${limit}`
  const last: Issue = { code: 'limit_issues', message, span: { start, end } }
  return [...sorted.slice(0, limit - 1).map(issueOf), last] as readonly Issue[] as Issues
}

function issueOf({ code, span: { start, end }, tell }: Finding): Issue {
  const { message, hint, path, operator } = tell()
  const issue: { -readonly [K in keyof Issue]: Issue[K] } = { code, message, span: { start, end } }
  if (hint !== undefined) issue.hint = hint
  if (path !== undefined) issue.path = path
  if (operator !== undefined) issue.operator = operator
  return issue
}

/** Carries issues where a function throws them: `parseFilterOrThrow`, `printFilter` and every backend's `compile`. */
export interface FilterError extends Error {
  /** All that is wrong, in the order of the text. */
  readonly issues: Issues
}
interface FilterErrorConstructor {
  new (issues: Issues): FilterError
  readonly prototype: FilterError
}

// ESM and CommonJS builds may be loaded side by side in one process; `instanceof` must hold across both.
const key = Symbol.for('urlwhere.FilterError')
const shared = globalThis as { [key]?: FilterErrorConstructor }
export const FilterError: FilterErrorConstructor = (shared[key] ??= class FilterError extends Error {
  readonly issues: Issues

  constructor(issues: Issues) {
    super(issues[0].message + (issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''))
    this.name = 'FilterError'
    this.issues = issues
  }
})

/** What queries are read from: the text after a URL's `?` (with or without the `?`), or the URL, or its parameters. */
export type QueryText = string | URL | URLSearchParams

/**
 * The text that spans count in: a string as it is, `url.search`, `params.toString()`. A URL's own
 * `searchParams` is not used: reading it decodes, and loses what was malformed.
 *
 * @throws TypeError when it is none of these.
 */
export function textOf(text: QueryText): string {
  if (typeof text === 'string') return text
  if (text instanceof URL) return text.search
  if (text instanceof URLSearchParams) return text.toString()
  throw new TypeError('text must be a string, a URL or a URLSearchParams')
}

// Control and format characters (bidirectional overrides among them), lone surrogates, line and paragraph
// separators: in a terminal or a log they would move, hide or fake what stands around them.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A text fit to be printed: what has no picture of its own becomes `\u{…}`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

/** A name out of the text, quoted for a message: printable, and cut at 64 characters. */
export function quoteName(name: string): string {
  const characters = Array.from(name)
  return `"${printable(characters.slice(0, 64).join(''))}${characters.length > 64 ? '…' : ''}"`
}

/**
 * Where a reserved name ends that a text may hold the value of: one that the text begins with, as in
 * `apiKey[x]` or `apikey%3Dx`, or one before or behind which a name could not go on, as in
 * `seller%3Dx%26apiKey%3Dx`. What follows is not shown anywhere. 0 when there is none.
 *
 * @param raw the text as it stands: a name that only decoding tears apart counts too.
 */
export function secretStart(raw: string, decoded: string, reserved: readonly string[]): number {
  let least = 0
  for (const text of [raw.toLowerCase(), decoded.toLowerCase()]) {
    for (const name of reserved) {
      for (let at = text.indexOf(name.toLowerCase()); at >= 0; at = text.indexOf(name.toLowerCase(), at + 1)) {
        const end = at + name.length
        const alone =
          at === 0 || mayEnd.test(text.slice(Math.max(0, at - 2), at)) || mayBegin.test(text.slice(end, end + 2))
        if (alone && (least === 0 || end < least)) least = end
      }
    }
  }
  return least
}
// What stands before a name that is not the end of another: no letter, nor an escape that swallows the name's first.
const mayEnd = /(?:[^\p{L}\p{N}_.[\]-]|%[\da-f]?)$/u
const mayBegin = /^[^\p{L}\p{N}_-]/u

/** Terminal columns that a character takes: marks none, East Asian letters and emoji two. */
function columnsOf(character: string): number {
  if (/\p{M}/u.test(character)) return 0
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/u.test(
    character,
  )
    ? 2
    : 1
}

/** A piece of the text as it is shown. */
interface Cell extends Span {
  readonly shown: string
  readonly columns: number
}

const cell = (start: number, end: number, shown: string): Cell => ({
  start,
  end,
  shown,
  columns: Array.from(shown).reduce((sum, character) => sum + columnsOf(character), 0),
})

/** The text in cells, one a character, what follows a reserved name as one `…` up to the end of its pair. */
function cellsOf(text: string, { path, span }: Issue, reserved: readonly string[]): Cell[] {
  const cells: Cell[] = []
  const show = (start: number, end: number) => {
    let at = start
    for (const character of text.slice(start, end)) cells.push(cell(at, (at += character.length), printable(character)))
  }
  for (let start = text.startsWith('?') ? 1 : 0; start <= text.length;) {
    const end = text.indexOf('&', start) < 0 ? text.length : text.indexOf('&', start)
    const about = path !== undefined && span!.start >= start && span!.start <= end
    const shown = shownLength(text.slice(start, end), reserved, about)
    show(start === 1 && text.startsWith('?') ? 0 : start, start + shown)
    if (start + shown < end) cells.push(cell(start + shown, end, '…'))
    show(end, end + 1)
    start = end + 1
  }
  return cells
}

/** How much of a pair may be shown; all of one whose field is known, unless it is reserved itself. */
function shownLength(pair: string, reserved: readonly string[], known: boolean): number {
  const equals = pair.indexOf('=') < 0 ? pair.length : pair.indexOf('=')
  const raw = pair.slice(0, equals)
  // Lenient: what cannot be decoded stands for itself.
  const key = raw.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
  if (reserved.includes(key)) return Math.min(equals + 1, pair.length)
  return known ? pair.length : secretStart(raw, key, reserved) || pair.length
}

const maxColumns = 80

/**
 * A picture of an issue for a terminal or a log: the text on one line (cut around the span when it is
 * longer than about 80 columns), carets under the span, the message and the hint. Give it the `reserved`
 * names that the text was parsed with: what belongs to them is shown as `…`.
 *
 * @param text what `parseFilter` was given.
 * @throws TypeError when an option is unknown.
 * @example
 * formatIssue('arival=2024-01-01', issue)
 * // arival=2024-01-01
 * // ^^^^^^
 * // unknown field "arival"
 * // hint: did you mean arrival?
 */
export function formatIssue(
  text: QueryText,
  issue: Issue,
  options: { readonly reserved?: readonly string[] } = {},
): string {
  // A misspelt name would show what is reserved.
  checkOptions(options, 'options', ['reserved'])
  const lines = [issue.message]
  if (issue.hint !== undefined) lines.push(`hint: ${issue.hint}`)
  if (issue.span !== undefined) lines.unshift(...picture(textOf(text), issue, issue.span, options.reserved ?? []))
  return lines.join('\n')
}

function picture(text: string, issue: Issue, span: Span, reserved: readonly string[]): [string, string] {
  const cells = cellsOf(text, issue, reserved)
  const columns = (from: number, to: number) => cells.slice(from, to).reduce((sum, { columns }) => sum + columns, 0)
  let first = cells.findIndex(({ end }) => end > span.start)
  if (first < 0) first = cells.length
  let last = first
  while (last < cells.length && cells[last]!.start < span.end) last++

  // Widen from the start of the span: to its end, then evenly to both sides.
  let from = first
  let to = first
  let width = 0
  const grow = (index: number) => width + (cells[index]?.columns ?? Infinity) <= maxColumns
  while (to < last && grow(to)) width += cells[to++]!.columns
  for (let grown = true; grown;) {
    grown = false
    if (grow(from - 1)) {
      width += cells[--from]!.columns
      grown = true
    }
    if (grow(to)) {
      width += cells[to++]!.columns
      grown = true
    }
  }
  const before = from > 0 ? '…' : ''
  const after = to < cells.length ? '…' : ''
  const shown = cells.slice(from, to).map(({ shown }) => shown)
  const carets = Math.max(1, columns(first, Math.min(last, to)))
  return [before + shown.join('') + after, ' '.repeat(before.length + columns(from, first)) + '^'.repeat(carets)]
}
