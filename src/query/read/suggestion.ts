/** What to write instead: the printer's text, with names of the schema, and operands of the schema or made up; and the edit that does it. */
import type { Span, Suggestion, Advice, WriteAdvice, WriteReason } from '../../issue/index.ts'
import {
  operatorNamed,
  operatorsFor,
  readerOf,
  valuesOf,
  type Collection,
  type OperatorName,
  type OperatorRow,
  type ParameterName,
  type ResolvedField,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import { startOfPair, type Source } from '../../syntax/index.ts'
import { newPair } from '../combine.ts'
import { encodeItems, encodeKey } from '../encode.ts'
import { insideText, pairText } from '../member-text.ts'
import { relativeEdit } from './relative.ts'
import type { GroupWords } from '../group-words.ts'

/** A condition that somebody meant. */
export interface Meant {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  /** Texts of its operands, where they are known without repeating what the caller wrote: `true`, `false`. */
  readonly operands?: readonly string[]
  /** The end of the caller's value that has the operands. */
  readonly rest?: string
}

/** Whether callers may use an operator of a field. */
export const isOffered = ({ field, operator }: Meant, collection: Collection | undefined): boolean =>
  operatorsFor(field, collection).some(({ name }) => name === operator.name)

/** The row of an operator that the table may leave out. */
export const rowOf = (name: OperatorName): OperatorRow => operatorNamed.get(name)!

/** Two operands of each type, for a place where the caller has others. The lesser comes first. */
const examples: Readonly<Record<Exclude<ResolvedField['type'], 'enumeration' | 'object'>, readonly string[]>> = {
  string: ['a', 'b'],
  uuid: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  bigint: ['1', '2'],
  decimal: ['1', '2'],
  integer: ['1', '2'],
  number: ['1', '2'],
  boolean: ['true', 'false'],
  date: ['2024-01-01', '2024-12-31'],
  datetime: ['2024-01-01', '2024-12-31'],
}

/** How many values of an enumeration a suggestion has at most. */
const mostValues = 5

/** Values of an enumeration: those that a text names, in its order, then the first ones. */
function valuesIn(
  values: readonly string[],
  text: string,
): { readonly named: number; readonly all: readonly string[] } {
  const words = text.split(/[\s,;:|.=&()[\]{}"']+/, 50)
  const named = [...new Set(words)].filter((word) => values.includes(word)).slice(0, mostValues)
  return { named: named.length, all: [...named, ...values.filter((value) => !named.includes(value)).slice(0, 2)] }
}

function operandsOf(meant: Meant, given: string): readonly string[] {
  const { field, operator } = meant
  const operands = own(meant, 'operands')
  const values = valuesOf(field)
  if (operands !== undefined) return operands
  if (operator.reads === 'flag') return ['true']
  if (operator.reads === 'count') return examples.integer.slice(0, 1)
  if (operator.reads === 'text' || field.type === 'object') return examples.string.slice(0, 1)
  const { named, all } =
    values === undefined ? { named: 0, all: examples[field.type as keyof typeof examples] } : valuesIn(values, given)
  return all.slice(0, operator.operands === 'one' ? 1 : operator.operands === 'two' ? 2 : Math.max(named, 2))
}

/**
 * A condition as a query string has it, or as a group has it where there are words of groups.
 *
 * @param given what the caller wrote: a value of an enumeration that it names is kept.
 */
export function conditionText(meant: Meant, given: string, words?: GroupWords): string {
  const { field, operator } = meant
  const { fromText } = readerOf(operator.reads, field)
  const operands = operandsOf(meant, given).map((text) => fromText(text, field)!)
  const pair = newPair(field, operator, operands, undefined)
  return words === undefined ? pairText(pair) : insideText(pair, words)
}

/** A parameter as a query string has it. */
export const parameterText = ({ parameters }: Collection, parameter: ParameterName, items: readonly string[]): string =>
  `${encodeKey(parameters.get(parameter)!)}=${encodeItems(items)}`

/**
 * A path as `sort` has it. Its first `-` means descending order: a path that begins with one sorts in that order
 * only.
 */
export const sortText = (path: string, isDescending = false): string =>
  isDescending || path.startsWith('-') ? `-${path}` : path

// --- Edits

/** A condition or a parameter in the text. */
export interface Place extends Span {
  /** What comes after the `=`; `undefined` where the operand cannot be kept. */
  readonly value: Span | undefined
}

/** The pair, or the condition of a group, that has an operand or an item of a list. */
export function placeOf(source: Source, operand: Span, isInGroup: boolean): Place | undefined {
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

/** The advice to write something in a place: with the operands that the place has, where there is something made up for them. */
export function writeAdvice(
  reason: WriteReason,
  text: string,
  place: Place | undefined,
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
  { field, operator: { operands, reads } }: Meant,
): readonly Span[] {
  const raw = text.slice(value.start, value.end)
  if (reads === 'text' && hasWildcard(raw)) return []
  // A comma in a text would part it in two.
  if (field.type === 'string' && reads !== 'count')
    return raw === '' || (operands !== 'one' && /[,"]|%2[2c]/i.test(raw)) ? [] : [value]
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

/** A span without spaces and quotes around it. */
function trimmed(text: string, { start, end }: Span): Span {
  const isAround = (at: number): boolean => /[\s+"']/.test(text[at]!)
  let [from, to] = [start, end]
  while (from < to && isAround(from)) from++
  while (from < to && isAround(to - 1)) to--
  return { start: from, end: to }
}

/** Without what a token has besides. */
const plainSpan = ({ start, end }: Span): Span => ({ start, end })

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
    case 'relative_time':
    case 'relative_day': {
      const edit = relativeEdit(raw, advice.kind === 'relative_day')
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

/** A sign may negate what follows it, as in `status=!paid`: the name alone would select the opposite. */
const hasSign = /^(?:-|%2d)|[!<>^~]|%(?:21|3[ce]|5e|7e)/i

/** Needs neither quotes nor escapes, but that of a plus sign. */
const isPlainName = (name: string): boolean => /^[\p{L}\p{N}_./+-]+$/u.test(name)

function editOf(text: string, { text: written, isExample, replaces, operands }: WriteAdvice): Suggestion | undefined {
  if (replaces === null) return undefined
  if (!isExample) return { span: replaces, insert: written }
  const [head, ...values] = written.split('=')
  // A list in a group has parentheses around it.
  if (operands.length === 0 || values[0]!.startsWith('(')) return undefined
  const isInPlace = operands.every(({ end }, at) => {
    const next = operands.at(at + 1)
    return next === undefined ? end === replaces.end : next.start === end + 1 && text[end] === ','
  })
  return isInPlace ? { span: { start: replaces.start, end: operands[0]!.start }, insert: `${head}=` } : undefined
}
