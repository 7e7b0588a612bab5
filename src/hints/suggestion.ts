/** The text of advice, with names of the schema and `…` for the operands of the caller; and the edit that inserts it. */
import type { Span, Suggestion, Advice, WriteAdvice, WriteReason } from '../issue/index.ts'
import { operatorNamed, allows, readerOf, valuesOf } from '../language/index.ts'
import type {
  Collection,
  OperatorName,
  OperatorRow,
  ParameterName,
  ResolvedField,
  GroupWord,
  GroupWords,
} from '../language/index.ts'
import { startOfPair, type Source } from '../asked/index.ts'
import { newCondition } from '../query/index.ts'
import { insideText, pairText } from '../writing/index.ts'
import { formEdit } from './operand-form.ts'
import { relativeEdit } from './relative.ts'
import { own } from '../own.ts'
import { encodeItems, encodeKey } from '../values/encode.ts'

/** A condition that a caller probably meant. */
export interface AskedCondition {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  /** Its operands, if they do not repeat the text of the caller: `true`, `false`. */
  readonly operands?: readonly string[]
  /** The end of the caller's value that has the operands. */
  readonly rest?: string
  /** The group that it takes: the word `not`, or the path of a list with a quantifier. */
  readonly around?: string | undefined
  /** Another operator of the same field with another operand: the upper bound of an open interval. */
  readonly also?: OperatorRow | undefined
}

/** Whether callers may use an operator of a field. */
export const isOffered = ({ field, operator }: AskedCondition, collection: Collection | undefined): boolean =>
  allows(field, operator, collection)

/** The row of an operator that the table may leave out. */
export const rowOf = (name: OperatorName): OperatorRow => operatorNamed.get(name)!

/** The text in place of an operand of the caller: an invented operand would read as advice. */
const placeholder = '…'
const escaped = /* @__PURE__ */ encodeURIComponent(placeholder)
const withPlaceholder = (text: string): string => text.replaceAll(escaped, placeholder)

/** How many values of an enumeration a suggestion has at most. */
const mostValues = 5

/** The values of an enumeration that a text names, in its order. */
function valuesIn(values: readonly string[], text: string): readonly string[] {
  const words = text.split(/[\s,;:|.=&()[\]{}"'!]+/, 50).flatMap((word) => [word, word.replace(/^-/, '')])
  return [...new Set(words)].filter((word) => values.includes(word)).slice(0, mostValues)
}

/** The operands of the condition, or placeholders: a hint does not repeat the text of the caller. */
function operandsOf({ field, operator, ...meant }: AskedCondition, value: string): readonly string[] {
  const operands = own(meant, 'operands')
  if (operands !== undefined) return operands
  if (operator.operandKind === 'flag') return ['true']
  const values = operator.operandKind === 'value' ? valuesOf(field) : undefined
  const named = values === undefined ? [] : valuesIn(values, value)
  if (named.length > 0) return operator.operands === 'one' ? named.slice(0, 1) : named
  return operator.operands === 'one' ? [placeholder] : [placeholder, placeholder]
}

/** A condition of a query string; with words, of a group. Values of an enumeration that the text of the caller has are kept. */
export function conditionText(meant: AskedCondition, value: string, words?: GroupWords): string {
  const { field, operator } = meant
  const { fromText } = readerOf(operator.operandKind, field)
  const operands = operandsOf(meant, value).map((text) => fromText(text) ?? ({ type: 'string', value: text } as const))
  const pair = newCondition(field, operator, operands, undefined)
  return withPlaceholder(words === undefined ? pairText(pair) : insideText(pair, words))
}

/** The text of a condition in a query string or in a group; `undefined` if it needs a group and the collection allows none. */
export function meantText(
  meant: AskedCondition,
  value: string,
  words: GroupWords,
  isInGroup: boolean,
): string | undefined {
  const [around, also] = [own(meant, 'around'), own(meant, 'also')]
  const all = also === undefined ? [meant] : [meant, { field: meant.field, operator: also }]
  if (around === undefined) {
    const texts = all.map((one) => conditionText(one, value, isInGroup ? words : undefined))
    return texts.join(isInGroup ? ',' : '&')
  }
  const nameFor = (word: GroupWord) => Array.from(words).find(([, one]) => one === word)?.[0]
  const [not, and] = [nameFor('not'), nameFor('and')]
  if (not === undefined || and === undefined) return undefined
  const equals = isInGroup ? '' : '='
  if (around === 'not')
    return `${encodeKey(not)}${equals}(${all.map((one) => conditionText(one, value, words)).join(',')})`
  // The paths of its members begin at an entry.
  const list = around.replace(/\.(?:every|none)$/, '')
  const inside = all.map((one) => conditionText(one, value, words).slice(list.length).replace(/^\./, '')).join(',')
  const group = `${encodeKey(around)}(${inside})`
  return isInGroup ? group : `${encodeKey(and)}=(${group})`
}

/** A parameter as a query string has it. */
export const parameterText = ({ parameters }: Collection, parameter: ParameterName, items: readonly string[]): string =>
  withPlaceholder(`${encodeKey(parameters.get(parameter)!)}=${encodeItems(items)}`)

/** A parameter with a value of the caller. */
export const exampleText = (collection: Collection, parameter: ParameterName): string =>
  parameterText(collection, parameter, [placeholder])

/** A path as `sort` has it. Its first `-` means descending order, so a path that begins with `-` sorts in that order only. */
export const sortText = (path: string, isDescending = false): string =>
  isDescending || path.startsWith('-') ? `-${path}` : path

// --- Edits

/** A condition or a parameter in the text. */
export interface PairSpan extends Span {
  /** The text after the `=`; `undefined` where the operand cannot be kept. */
  readonly value: Span | undefined
}

/** The pair, or the condition of a group, that has an operand or an item of a list. */
export function placeOf(source: Source, operand: Span, isInGroup: boolean): PairSpan | undefined {
  const { text } = source
  const pair = startOfPair(source, operand.start)
  const isFirst = text[operand.start - 1] === '='
  if (!isInGroup) {
    const next = text.indexOf('&', operand.end)
    const end = next < 0 ? text.length : next
    // In a list, other items come before and after this one.
    return { start: pair, end, value: isFirst && operand.end === end ? operand : undefined }
  }
  const start = Math.max(...['(', ','].map((mark) => text.lastIndexOf(mark, operand.start))) + 1
  // An escaped mark may be nearer.
  return isFirst && !text.slice(start, operand.start).includes('%')
    ? { start, end: operand.end, value: operand }
    : undefined
}

/** Advice to write a text in a place. `operands` are the spans of the place that replace the `…` of the text. */
export function writeAdvice(
  reason: WriteReason,
  text: string,
  place: PairSpan | undefined,
  operands: readonly Span[] | 'known',
): WriteAdvice {
  const replaces = place === undefined ? null : plainSpan(place)
  return operands === 'known'
    ? { kind: 'write', text, reason, isExample: false, replaces, operands: [] }
    : { kind: 'write', text, reason, isExample: true, replaces, operands: operands.map(plainSpan) }
}

/** Whether a raw operand may be a pattern of another API. Here these characters are literal. */
export const hasWildcard = (raw: string): boolean => /%25|[*^$/]/.test(raw)

/** The operands in a value that an operator could read; none where they cannot be found in the raw text. */
export function operandsIn(
  { text }: Source,
  value: Span,
  rest: string,
  { field, operator: { operands, operandKind } }: AskedCondition,
): readonly Span[] {
  const raw = text.slice(value.start, value.end)
  if (field.type === 'string' && operandKind !== 'count' && operandKind !== 'flag') {
    const part = raw.endsWith(rest) ? rest : isWholeOperand(raw, rest) ? raw : ''
    if (part === '' || (operandKind === 'text' && hasWildcard(part))) return []
    // A comma in a text would part it in two.
    return operands !== 'one' && /[,"]|%2[2c]/i.test(part) ? [] : [{ start: value.end - part.length, end: value.end }]
  }
  const isPart = rest.length < raw.length
  if (rest === '' || (isPart && raw.includes('%'))) return []
  const start = value.end - rest.length
  if (operands === 'one') {
    // `eq(5)`
    const end = isPart && raw.endsWith(')') ? value.end - 1 : value.end
    return start < end ? [{ start, end }] : []
  }
  const separator = operands === 'two' ? /[,|;]|\.\.\.?/g : /[,|;]/g
  const from = start + /^[[({]?/.exec(rest)![0].length
  const inside = text.slice(from, value.end).replace(/[\])}]$/, '')
  const spans: Span[] = []
  let at = 0
  for (const { index, 0: mark } of [...inside.matchAll(separator), { index: inside.length, 0: '' }]) {
    spans.push(trimmed(text, { start: from + at, end: from + index }))
    at = index + mark.length
  }
  return spans.every(({ start, end }) => start < end) ? spans : []
}

/** Whether a raw value is the operand, and nothing before it. */
function isWholeOperand(raw: string, operand: string): boolean {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' ')) === operand
  } catch {
    return false
  }
}

/** A span without spaces and quotes around it. */
function trimmed(text: string, { start, end }: Span): Span {
  const isAround = (at: number): boolean => /[\s+"']/.test(text[at]!)
  let [from, to] = [start, end]
  while (from < to && isAround(from)) from++
  while (from < to && isAround(to - 1)) to--
  return { start: from, end: to }
}

const plainSpan = ({ start, end }: Span): Span => ({ start, end })

/** Advice and its edit; either may be absent. */
export interface Advised {
  readonly advice?: readonly Advice[]
  readonly suggestion?: Suggestion | undefined
  /** Parameters of the message that only the advice knows. */
  readonly parameters?: object
}

/** The one edit that follows an advice and leaves operands where they are; `undefined` where there is none. */
export function suggestionFor({ text }: Source, at: Span, [advice]: readonly Advice[]): Suggestion | undefined {
  const span = plainSpan(at)
  const raw = text.slice(span.start, span.end)
  switch (advice?.kind) {
    case 'did_you_mean':
      return isPlainName(advice.name) && !hasSign.test(raw)
        ? { span, insert: advice.name.replaceAll('+', '%2B') }
        : undefined
    case 'decode_once':
      return advice.key === null ? undefined : { span, insert: advice.key }
    case 'write':
      return editOf(text, advice)
    case 'query_only': {
      // A `?` after the name belongs to an operand.
      const mark = /^.*?(?:\?|%3f)/i.exec(raw)
      return mark === null ? undefined : { span: { start: span.start, end: span.start + mark[0].length }, insert: '' }
    }
    case 'escape_plus': {
      const spaces = Array.from(raw.matchAll(/[+ ]|%20/g))
      const at = span.start + (spaces[0]?.index ?? 0)
      return spaces.length === 1 ? { span: { start: at, end: at + spaces[0]![0].length }, insert: '%2B' } : undefined
    }
    case 'form':
    case 'relative_time':
    case 'relative_day': {
      const edit =
        advice.kind === 'form' ? formEdit(raw, advice.form) : relativeEdit(raw, advice.kind === 'relative_day')
      return edit && { span: { start: span.start + edit.start, end: span.start + edit.end }, insert: edit.insert }
    }
    case 'uuid_form': {
      // Dashes and braces are in several places, and an edit of the whole would repeat the operand.
      const [, before = '', scheme = ''] =
        /^("|%22|)(urn(?::|%3a)uuid(?::|%3a))[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\1$/i.exec(raw) ?? []
      const start = span.start + before.length
      return scheme === '' ? undefined : { span: { start, end: start + scheme.length }, insert: '' }
    }
    default:
      return undefined
  }
}

/** A sign may negate the name after it, as in `status=!paid`: the name alone would select the opposite. */
const hasSign = /^(?:-|%2d)|[!<>^~]|%(?:21|3[ce]|5e|7e)/i

/** Needs neither quotes nor escapes, but that of a plus sign. */
const isPlainName = (name: string): boolean => /^[\p{L}\p{N}_./+-]+$/u.test(name)

function editOf(text: string, { text: written, isExample, replaces, operands }: WriteAdvice): Suggestion | undefined {
  if (replaces === null) return undefined
  if (!isExample) return { span: replaces, insert: written }
  const [head, ...values] = written.split('=')
  // A list in a group, and a group, have a parenthesis after their operands.
  if (operands.length === 0 || values.length !== 1 || written.endsWith(')')) return undefined
  const isInPlace = operands.every(({ end }, at) => {
    const next = operands.at(at + 1)
    return next === undefined ? end === replaces.end : next.start === end + 1 && text[end] === ','
  })
  return isInPlace ? { span: { start: replaces.start, end: operands[0]!.start }, insert: `${head}=` } : undefined
}
