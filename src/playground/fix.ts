/** Issue → the change of the text that its hint asks for. */
import { orders } from '../demo/data.ts'
import type { Issue } from '../index.ts'

/** A piece of the text, and what comes in its place. */
export interface Fix {
  readonly start: number
  readonly end: number
  readonly insert: string
  /** Whether the visitor chooses the replacement from the list in the hint. */
  readonly isOpen?: boolean
}

type Mend = (span: { readonly start: number; readonly end: number }, found: string, text: string) => Fix | undefined

/** Two conditions `seller=a` and `seller=b` as one: `seller[in]=a,b`, in place of the first. */
function joined(span: { readonly start: number; readonly end: number }, key: string, text: string): Fix | undefined {
  const before = text.slice(0, span.start - 1)
  const after = text.indexOf('&', span.end)
  const end = after < 0 ? text.length : after
  const own = text.slice(span.start, span.end)
  const same = own.endsWith(']') ? [own] : [own, `${own}[equals]`]
  for (
    let start = text.startsWith('?') ? 1 : 0;
    start < before.length;
    start = before.indexOf('&', start) + 1 || Infinity
  ) {
    const pairEnd = before.indexOf('&', start) < 0 ? before.length : before.indexOf('&', start)
    const equals = before.indexOf('=', start)
    if (equals < 0 || !same.includes(before.slice(start, equals))) continue
    const item = (value: string) =>
      own === key || !/^"|,/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
    const values = [before.slice(equals + 1, pairEnd), text.slice(span.end + 1, end)].map(item)
    return { start, end, insert: `${key}=${values.join(',')}${before.slice(pairEnd)}` }
  }
  return undefined
}

/** The pair around a span, or the condition of a group: where it begins, where its key ends, and where it ends. */
function pairAround(
  text: string,
  at: number,
): { readonly start: number; readonly equals: number; readonly end: number } {
  const first = Math.max(...['&', '?'].map((mark) => text.lastIndexOf(mark, at - 1))) + 1
  const inside = Math.max(...['(', ','].map((mark) => text.lastIndexOf(mark, at - 1))) + 1
  const isInGroup = /^(?:and|or|not)=\(/.test(text.slice(first, at))
  const start = isInGroup ? inside : first
  const end = start + (isInGroup ? /^[^&,)]*/ : /^[^&]*/).exec(text.slice(start))![0].length
  const found = text.indexOf('=', start)
  return { start, equals: found < 0 || found > end ? end : found, end }
}

/** An operator of another API before an operand. */
const lead = /^(?:(?:\$?[a-z_]+[.:=|(]+)+|[=<>!~]+)/i

/** The pair as the hint has it, with the operand that the visitor wrote where it can be kept. */
function rewritten(span: { readonly start: number }, found: string, text: string): Fix | undefined {
  const { start, equals, end } = pairAround(text, span.start)
  const own = text.slice(start, equals)
  const [key] = found.split('=', 1) as [string]
  const value = found.slice(key.length + 1)
  // A cursor comes out of an answer.
  if (value === '') return undefined
  const path = key.replace(/\[.*$/, '')
  const field = orders.paths.get(path)
  const isKept = field !== undefined && own !== key && own.includes(path.split('.').at(-1)!)
  if (!isKept || found.includes('&') || /^(?:true|false)$/.test(value)) return { start, end, insert: found }
  const operand = equals < end ? text.slice(equals + 1, end) : (/[<>!~:]+(.*)$/.exec(own)?.[1] ?? value)
  const kept =
    field.type === 'string'
      ? operand
      : operand
          .replace(lead, '')
          .replace(/\)$/, '')
          .replace(/\.\.\.?/, ',')
  const isList = value.startsWith('(') && !kept.startsWith('(')
  return { start, end, insert: `${key}=${isList ? `(${kept})` : kept}` }
}

/** What hints say, and what to do; the first that fits is meant. Hints are made in src/query/read/hints.ts and its neighbours. */
const mends: readonly (readonly [says: RegExp, mend: Mend])[] = [
  [
    /^did you mean (\S+)\?/,
    (span, found, text) => {
      const sign = text[span.start] === '-' && !found.startsWith('-') ? '-' : ''
      return { ...span, insert: sign + found }
    },
  ],
  [/write a literal "%" as (%25)/, ({ start }, found) => ({ start, end: start + 1, insert: found })],
  [
    /write a plus sign as (%2B)$/,
    (span, found, text) => ({ ...span, insert: text.slice(span.start, span.end).replaceAll(/[+ ]/g, found) }),
  ],
  [/^pass only the query string/, (_, __, text) => ({ start: 0, end: text.indexOf('?') + 1, insert: '' })],
  [
    /encode it once$/,
    (span, _, text) => ({ ...span, insert: text.slice(span.start, span.end).replaceAll(/%25([\da-f]{2})/gi, '%$1') }),
  ],
  [/^write an empty string as ("")$/, (span, found) => ({ ...span, insert: found })],
  [/^write \((?:a,b|low,high)\)$/, (span, _, text) => ({ ...span, insert: `(${text.slice(span.start, span.end)})` })],
  [/^to (?:match one of|exclude) several values, write ([^\s=]+)=/, joined],
  [/(?:^|: |, |or )write (\S+=[^\s;]*)(?:;|$)/, rewritten],
  [
    /^write one item on each side of a comma$/,
    ({ start }, _, text) => {
      const comma = text[start - 1] === ',' ? start - 1 : start
      return text[comma] === ',' ? { start: comma, end: comma + 1, insert: '' } : undefined
    },
  ],
  [
    /^start again without it/,
    ({ start, end }, _, text) => {
      const key = text.lastIndexOf('&', start) + 1
      return text[end] === '&'
        ? { start: key, end: end + 1, insert: '' }
        : { start: Math.max(0, key - 1), end, insert: '' }
    },
  ],
  [/^remove the character$/, (span) => ({ ...span, insert: '' })],
  [
    /^available operators for/,
    (span, _, text) =>
      text[span.start - 1] === '['
        ? { ...span, insert: '', isOpen: true }
        : { start: span.end, end: span.end, insert: '', isOpen: true },
  ],
  [/^(?:sortable|selectable) fields: /, (span) => ({ ...span, insert: '', isOpen: true })],
]

/** The change that the hint of an issue asks for; `undefined` where it only explains. */
export function fixOf(text: string, { span, hint }: Issue): Fix | undefined {
  if (span === undefined || hint === undefined) return undefined
  for (const [says, mend] of mends) {
    const found = says.exec(hint)
    if (found !== null) return mend(span, found[1] ?? '', text)
  }
  return undefined
}
