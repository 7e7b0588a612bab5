/** Issue → the change of the text that a click on its hint makes. */
import type { Advice, Issue, Span } from '../../src/index.ts'

/** A piece of the text, and what comes in its place. */
export interface Fix extends Span {
  readonly insert: string
  /** Whether the visitor chooses the replacement from the list in the hint. */
  readonly isOpen?: boolean
}

/** Two conditions `seller=a` and `seller=b` as one: `seller[in]=a,b`, in place of the first. */
function joined(text: string, span: Span, written: string): Fix | undefined {
  const key = written.slice(0, written.indexOf('='))
  const own = text.slice(span.start, span.end)
  const same = own.endsWith(']') ? [own] : [own, `${own}[equals]`]
  const end = pairEnd(text, span.end)
  for (let start = text.startsWith('?') ? 1 : 0; start < span.start; start = pairEnd(text, start) + 1) {
    const firstEnd = pairEnd(text, start)
    const equals = text.indexOf('=', start)
    if (!same.includes(text.slice(start, equals))) continue
    const item = (value: string) =>
      own === key || !/^"|,/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
    const values = [text.slice(equals + 1, firstEnd), text.slice(span.end + 1, end)].map(item)
    return { start, end, insert: `${key}=${values.join(',')}${text.slice(firstEnd, span.start - 1)}` }
  }
  return undefined
}

function pairEnd(text: string, at: number): number {
  const next = text.indexOf('&', at)
  return next < 0 ? text.length : next
}

/** The advised text in its place, with the operands that the visitor wrote where there are some. */
function rewritten(
  text: string,
  { text: written, replaces, operands }: Extract<Advice, { kind: 'write' }>,
): Fix | undefined {
  if (replaces === null) return undefined
  // Where the operands cannot stay, the visitor writes them.
  if (operands.length === 0) return written.includes('…') ? undefined : { ...replaces, insert: written }
  const equals = written.indexOf('=') + 1
  const values = operands.map(({ start, end }) => text.slice(start, end)).join(',')
  return { ...replaces, insert: written.slice(0, equals) + (written[equals] === '(' ? `(${values})` : values) }
}

/** What follows an advice, where that needs more than one edit, or a choice. */
function fixOfAdvice(text: string, span: Span, code: Issue['code'], advice: Advice | undefined): Fix | undefined {
  switch (advice?.kind) {
    case 'write':
      return code === 'duplicate_condition' ? joined(text, span, advice.text) : rewritten(text, advice)
    case 'escape_plus':
      return { ...span, insert: text.slice(span.start, span.end).replaceAll(/[+ ]/g, '%2B') }
    case 'no_value':
    case 'drop_cursor': {
      const key = text.lastIndexOf('&', span.start - 1) + 1
      return text[span.end] === '&'
        ? { start: key, end: span.end + 1, insert: '' }
        : { start: Math.max(0, key - 1), end: span.end, insert: '' }
    }
    case 'operators':
      if (advice.operators.length === 0) return undefined
      return text[span.start - 1] === '['
        ? { ...span, insert: '', isOpen: true }
        : { start: span.end, end: span.end, insert: '', isOpen: true }
    case 'choose':
      return advice.from === 'sortable' || advice.from === 'selectable'
        ? { ...span, insert: '', isOpen: true }
        : undefined
    default:
      return undefined
  }
}

/**
 * Returns the edit that corrects an issue; `undefined` where the issue has no edit.
 *
 * @param isOwn whether the text uses the library's language.
 */
export function fixOf(text: string, issue: Issue, isOwn = true): Fix | undefined {
  const { code, span, suggestion, parameters } = issue
  if (suggestion !== undefined) return { ...suggestion.span, insert: suggestion.insert }
  if (span === undefined || !isOwn) return undefined
  if (code === 'syntax_character' && issue.parameters.problem === 'null_character') return { ...span, insert: '' }
  if (code === 'operand_count' && issue.parameters.found === null && issue.parameters.expected !== 'one') {
    return { ...span, insert: `(${text.slice(span.start, span.end)})` }
  }
  if (code === 'operand_empty' && issue.parameters.of === 'list') {
    const comma = text[span.start - 1] === ',' ? span.start - 1 : span.start
    return text[comma] === ',' ? { start: comma, end: comma + 1, insert: '' } : undefined
  }
  const [, advice] = Object.entries(parameters).find(([name]) => name === 'advice') ?? []
  return advice === undefined ? undefined : fixOfAdvice(text, span, code, (advice as readonly Advice[])[0])
}
