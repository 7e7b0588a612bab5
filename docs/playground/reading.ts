/** What a text means in words, or what is wrong with it. */
import type { Issue, Issues, Query, Span } from '../../src/index.ts'
import { hasOutput, ownNotation, type Answer } from './answer.ts'
import { h } from './element.ts'
import { fixOf, type Fix } from './fix.ts'

/** What the visitor may do about an issue. */
export interface IssueActions {
  /** Shows where in the text the issue is. */
  readonly select: (span: Span) => void
  readonly fix: (fix: Fix) => void
  /** Whether the text uses the library's language: the hints of some issues contain text of this language only. */
  readonly isOwn: boolean
}

/** Describes the page of a query: its rows, their order and their fields. */
export function pageOf({ sort, limit, position, offset = 0, fields }: Query): string {
  const toward = position?.toward ?? 'next'
  const isAtEnd = (position?.values.length ?? 0) === 0
  const place = isAtEnd ? '' : toward === 'next' ? ' after the cursor' : ' before the cursor'
  const rows = isAtEnd ? `the ${toward === 'next' ? 'first' : 'last'} ${limit}` : `${limit} rows${place}`
  const past = offset === 0 ? rows : `${limit} rows after ${offset} others${place}`
  const order = sort.map(({ path, direction }) => `${path.join('.')} ${direction}`).join(', then ')
  const chosen = fields === undefined ? 'all fields' : `the fields ${fields.map((path) => path.join('.')).join(', ')}`
  return `${past}, by ${order}, with ${chosen}`
}

/** The sentences and the canonical text. */
export function meaningOf({ sentence, query, texts }: Answer): HTMLElement {
  const canonical = texts[ownNotation]!
  const text = hasOutput(canonical) ? canonical.output : canonical.refusal[0].message
  return h(
    'dl',
    { class: 'meaning' },
    h('dt', {}, 'Selects'),
    h('dd', { class: 'sentence' }, sentence),
    h('dt', {}, 'Page'),
    h('dd', { id: 'page' }, pageOf(query)),
    h('dt', {}, 'Canonical text'),
    h('dd', {}, h('code', { id: 'canonical' }, text === '' ? h('span', { class: 'muted' }, '(empty)') : text)),
  )
}

/** The issues, each with the place where it is, and what to do. */
export const issuesOf = (text: string, issues: Issues, actions: IssueActions): HTMLElement =>
  h('ol', { class: 'issues', 'aria-label': 'Issues' }, ...issues.map((issue) => issueOf(text, issue, actions)))

function issueOf(text: string, issue: Issue, { select, fix, isOwn }: IssueActions): HTMLElement {
  const span = issue.span!
  const place = h('button', { type: 'button', class: 'place' }, ...excerpt(text, span))
  place.addEventListener('click', () => select(span))
  const mend = fixOf(text, issue, isOwn)
  const hint =
    issue.hint === undefined ? [] : [h(mend === undefined ? 'span' : 'button', { class: 'hint' }, issue.hint)]
  if (mend !== undefined) hint[0]!.addEventListener('click', () => fix(mend))
  return h(
    'li',
    {},
    place,
    h('span', { class: 'message' }, issue.message),
    ...hint,
    h('code', { class: 'code' }, issue.code),
  )
}

const mostAround = 16
const mostMarked = 32

/** The span with a little of the pair around it. */
function excerpt(text: string, { start, end }: Span): (Node | string)[] {
  const first = text.lastIndexOf('&', start - 1) + 1
  const from = Math.max(first, start - mostAround)
  const next = text.indexOf('&', end)
  const last = next < 0 ? text.length : next
  const to = Math.min(last, end + mostAround)
  const marked = text.slice(start, Math.min(end, start + mostMarked)) + (end - start > mostMarked ? '…' : '')
  return [
    h('span', { class: 'visually-hidden' }, 'Show in the query: '),
    (from > first ? '…' : '') + text.slice(from, start),
    h('mark', marked === '' ? { class: 'gap' } : {}, marked),
    text.slice(end, to) + (to < last ? '…' : ''),
  ]
}

export const numberOfIssues = ({ length }: readonly Issue[]): string =>
  length === 0 ? 'No issues' : length === 1 ? '1 issue' : `${length} issues`

/** Issues as one text, for those who hear it. */
export const spokenIssues = (issues: Issues): string =>
  `${numberOfIssues(issues)}. ${issues
    .map(({ message, hint }) => (hint === undefined ? message : `${message}; ${hint}`))
    .join('. ')}`

/** The text with the places of issues marked, as it lies under the one that is typed. */
export function markedText(text: string, issues: readonly Issue[]): (Node | string)[] {
  const parts: (Node | string)[] = []
  let done = 0
  for (const { span } of issues) {
    if (span === undefined || span.end < done) continue
    const start = Math.max(span.start, done)
    if (start === span.end && span.start !== span.end) continue
    parts.push(
      text.slice(done, start),
      h('mark', start === span.end ? { class: 'gap' } : {}, text.slice(start, span.end)),
    )
    done = span.end
  }
  // A space at the end has a width, too.
  return [...parts, text.slice(done), '\u200b']
}
