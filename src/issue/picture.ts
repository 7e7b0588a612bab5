/** The picture of an issue: the text on one line, carets under the span, the message and the hint. */
import { checkOptions } from '../options.ts'
import { own, ownOf } from '../own.ts'
import { unicodePattern } from '../values/characters.ts'
import { cutPairs, startOfPairs } from '../values/pairs.ts'
import { textOf, type Issue, type QueryText } from './issue.ts'
import type { Span } from './parameters.ts'
import { printable, shownLength } from './secrets.ts'

const combining = /* @__PURE__ */ unicodePattern('\\p{M}')
const wide = /* @__PURE__ */ unicodePattern(
  '[\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Emoji_Presentation}]',
)

/** The width of a character in a terminal: a combining mark has none, an East Asian letter or an emoji two columns. */
function columnsOf(character: string): number {
  if (combining().test(character)) return 0
  return wide().test(character) ? 2 : 1
}

/** A piece of the text, and the characters shown for it. */
interface Cell extends Span {
  readonly shown: string
  readonly columns: number
}

const cell = (start: number, end: number, text: string): Cell => ({
  start,
  end,
  shown: text,
  columns: Array.from(text).reduce((sum, character) => sum + columnsOf(character), 0),
})

/** The text in cells, one for each character; a secret piece of a pair is one cell, `…`. */
function cellsOf(text: string, span: Span, hasPath: boolean, reserved: readonly string[]): Cell[] {
  const cells: Cell[] = []
  const show = (start: number, end: number) => {
    let at = start
    for (const character of text.slice(start, end)) cells.push(cell(at, (at += character.length), printable(character)))
  }
  let done = 0
  for (const { start, equals, end } of cutPairs(text, startOfPairs(text))) {
    const isKnown = hasPath && span.start >= start && span.start <= end
    const length = shownLength(text.slice(start, end), equals - start, reserved, isKnown)
    show(done, start + length)
    if (start + length < end) cells.push(cell(start + length, end, '…'))
    done = end
  }
  show(done, text.length)
  return cells
}

const maxColumns = 80

/**
 * Draws an issue for a terminal or a log: the text on one line, carets under the span, the message and the hint. A text of more than 80
 * columns is cut around the span. Unprintable characters are escaped.
 *
 * @param text the text that `parseFilter` received.
 * @param issue one of the issues of the text.
 * @param options `reserved`: the option of `parseFilter`. The result shows `…` for the values of these pairs. Without the option, it
 *   shows the values.
 * @returns two to four lines. An issue without a span has no picture of the text.
 * @throws TypeError when an option is unknown, `text` is not a query, or `issue` is not an issue.
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
  // If `reserved` were misspelt, and that were ignored, secrets would be shown.
  const { reserved = [] } = checkOptions(options, 'options', ['reserved'])
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string')) {
    throw new TypeError('options.reserved must be an array of strings')
  }
  const query = textOf(text)
  const { message, hint, span, path } = ownOf(issue ?? {}) as Partial<Issue>
  if (typeof message !== 'string') throw new TypeError('issue must be one that parsing returned')
  const lines = [message]
  if (hint !== undefined) lines.push(`hint: ${hint}`)
  if (span !== undefined) lines.unshift(...picture(query, span, path !== undefined, reserved))
  return lines.join('\n')
}

/** @param hasPath whether the issue is about a known field. */
function picture(text: string, span: Span, hasPath: boolean, reserved: readonly string[]): [string, string] {
  const cells = cellsOf(text, span, hasPath, reserved)
  const columns = (from: number, to: number) => cells.slice(from, to).reduce((sum, { columns }) => sum + columns, 0)
  let first = cells.findIndex(({ end }) => end > span.start)
  if (first < 0) first = cells.length
  let last = first
  while (last < cells.length && cells[last]!.start < span.end) last++

  // The part that is shown grows from the start of the span: first to its end, then evenly to both sides.
  let from = first
  let to = first
  let width = 0
  const grow = (index: number) => width + (own(cells, index)?.columns ?? Infinity) <= maxColumns
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
