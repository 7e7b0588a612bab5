/** Operands in a form that their type does not read: a thousands separator, a month of one digit, a time without its zone. */
import type { Advice, OperandForm, Span } from '../issue/index.ts'
import { readerOf, valuesOf, type OperatorRow, type ResolvedField, type Schema } from '../language/index.ts'
import { own } from '../own.ts'
import { isDay } from '../values/time.ts'

/** No more of an operand is read. */
const longest = 100

type Reads = (text: string) => boolean

/** Advice about the form of a decoded operand that the operator does not read; none if the form is not known. */
export function formAdvice(
  { paths }: Schema,
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
): readonly Advice[] {
  if (text.length > longest) return []
  const { fromText } = readerOf(operator.operandKind, field)
  const reads: Reads = (one) => fromText(one) !== undefined
  if (text !== text.trim() && reads(text.trim())) return [form('spaces')]
  if (valuesOf(field) === undefined && /^(?:"[^"]*"|'[^']*')$/.test(text) && reads(text.slice(1, -1)))
    return [form('quotes')]
  const type = operator.operandKind === 'count' ? 'integer' : operator.operandKind === 'value' ? field.type : undefined
  const formOfType = type === undefined ? undefined : ownForm(type, text)
  const parts = text.split(',')
  // Equality has a hint with the operator that reads a list.
  const isList = operator.operands === 'one' && parts.length > 1 && parts.every((part) => reads(part.trim()))
  const isEquality = operator.name === 'equals' || operator.name === 'notEqual'
  if (isList && !isEquality) {
    const oneValue = { kind: 'one_value', operator: operator.name } as const
    return formOfType === undefined ? [oneValue] : [oneValue, form(formOfType)]
  }
  if (formOfType !== undefined) return [form(formOfType)]
  return isPath(paths, text) ? [form('field')] : []
}

const form = (name: OperandForm): Advice => ({ kind: 'form', form: name })

/** Whether a text names a field in place of a value: `field:id`, `$id`, `F(id)`, `id`. */
function isPath(paths: Schema['paths'], text: string): boolean {
  const [, sign = '', name = ''] = /^(field:|ref:|[$@]\.?|F\()?["']?([^"')]+)["']?\)?$/i.exec(text) ?? []
  return paths.has(name) || /^field:|^F\(/i.test(sign)
}

/** A number with a separator after each three digits. */
const grouped = /^[-+]?\d{1,3}(?:[.,' _\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/
const decimalComma = /^[-+]?\d+,\d{1,2}$/
const wholeDigits = /^-?[1-9]\d*$/

function ownForm(type: ResolvedField['type'], text: string): OperandForm | undefined {
  switch (type) {
    case 'integer':
    case 'bigint':
      if (grouped.test(text)) return 'whole_number'
      if (wholeDigits.test(text)) return type === 'integer' ? 'largest_integer' : 'largest_bigint'
      return ofAnyNumber(text) ?? (/^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i.test(text) ? 'no_exponent' : undefined)
    case 'number':
      if (grouped.test(text) || decimalComma.test(text)) return 'decimal_point'
      return ofAnyNumber(text)
    case 'decimal':
      if (grouped.test(text) || decimalComma.test(text)) return 'decimal_point'
      if (/^-?\d+(?:\.\d+)?e[-+]?\d+$/i.test(text)) return 'no_exponent'
      return ofAnyNumber(text) ?? (/^-?\d+(?:\.\d+)?$/.test(text) ? 'most_digits' : undefined)
    case 'date':
    case 'datetime':
      return ofTime(type, text)
    default:
      return undefined
  }
}

function ofAnyNumber(text: string): OperandForm | undefined {
  if (/^\+\d/.test(text)) return 'no_plus'
  if (/^-?0\d/.test(text)) return 'no_zeros'
  return /^-?(?:\.\d+|\d+\.)$/.test(text) ? 'digit_beside_point' : undefined
}

const dayShape = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(.*)$/s
const timeShape = /^([Tt ])\d\d:\d\d(:\d\d(?:\.\d+)?)?([Zz]|[ +-]\d\d(?::?\d\d)?)?$/

function ofTime(type: 'date' | 'datetime', text: string): OperandForm | undefined {
  const parts = dayShape.exec(text)
  if (parts === null) {
    if (type === 'datetime' && /^-?\d{9,}(?:\.\d+)?$/.test(text)) return 'since_1970'
    const isOtherDay = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?!\d)/.test(text) || /^\d{8}(?:T|$)/.test(text)
    return isOtherDay || /^\d{9,}$/.test(text) ? 'year_month_day' : undefined
  }
  const [, year, month, day, rest] = parts as unknown as readonly string[]
  if (!isDay(`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`)) return 'no_such_day'
  if (month!.length + day!.length < 4) return 'two_digits'
  if (type === 'date') return /^[Tt ]\d/.test(rest!) ? 'no_time' : undefined
  if (/\[[^[\]]*\]$/.test(rest!)) return 'no_zone_name'
  const time = timeShape.exec(rest!)
  if (time === null) return undefined
  const [, mark, seconds, zone] = time
  const isZone = zone !== undefined && zone !== '-00:00' && /^(?:z|.\d\d:\d\d)$/i.test(zone)
  if ([mark !== ' ', seconds !== undefined, isZone].filter(Boolean).length < 2) return 'whole_time'
  if (mark === ' ') return 'time_mark'
  if (seconds === undefined) return 'seconds'
  if (!isZone) return 'zone'
  return /\.\d{7}/.test(seconds) ? 'microseconds' : undefined
}

/** Where an edit of one place mends a form: its last group is replaced. */
const edits: { readonly [F in OperandForm]?: readonly (readonly [place: RegExp, insert: string])[] } = {
  spaces: [
    [/^()((?:[+ ]|%20)+)[^+ %]+$/i, ''],
    [/^([^+ %]+)((?:[+ ]|%20)+)$/i, ''],
  ],
  two_digits: [
    [/^((?:"|%22)?\d{4}-)()\d-\d\d(?!\d)/i, '0'],
    [/^((?:"|%22)?\d{4}-\d\d-)()\d(?!\d)/i, '0'],
  ],
  seconds: [[/^(.{10}t\d\d(?::|%3a)\d\d)()(?:[z+-]|%2b)/i, ':00']],
  time_mark: [[/^(\d{4}-\d\d-\d\d)([+ ]|%20)(?=\d\d(?::|%3a)\d\d(?::|%3a)\d\d(?:[z-]|%2b))/i, 'T']],
}

/** The edit of one part that gives an operand its form; `undefined` where there is none. */
export function formEdit(raw: string, of: OperandForm): (Span & { readonly insert: string }) | undefined {
  for (const [place, insert] of own(edits, of) ?? []) {
    const match = place.exec(raw)
    if (match === null) continue
    const start = match[1]!.length
    return { start, end: start + match[2]!.length, insert }
  }
  return undefined
}
