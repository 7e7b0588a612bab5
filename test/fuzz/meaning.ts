/** What conditions mean, written once more from the definition of the language: operands by type, operators, lists. */
import { and, not, or } from '../../src/index.ts'
import { comparison, count, match, membership, presence, some } from '../../src/tree.ts'
import type { Literal, MatchMode, OperatorName } from '../../src/tree.ts'
import type { Filter, Path } from '../../src/index.ts'
import { enumerations, type Type } from './schema.ts'

/** The ends of a day given for a datetime; the last one has no second. */
interface Day {
  readonly from: Literal
  readonly until: Literal | undefined
}
export type Operand = Literal | Day

/** @param micros the digits after the millisecond. */
const moment = (time: number, micros = ''): Literal | undefined => {
  const text = Number.isNaN(time) ? '' : new Date(time).toISOString()
  const more = /^0*$/.test(micros) ? '' : micros.padEnd(3, '0')
  return text.length === 24 && text >= '0001' ? { type: 'datetime', value: text.replace('Z', `${more}Z`) } : undefined
}
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`)
/** `Date` rolls days over that are none, to others. */
const isReal = (day: string) => {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? midnight(day) : NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
const number = (type: 'integer' | 'number', text: string): Literal => ({ type, value: Number(text) + 0 })
const rfc3339 =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,6}))?(?:Z|(?!-00:00)[-+](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** What a text is for a field of a type; nothing where it cannot be read. */
export const operandOf: {
  readonly [T in Type | 'entries']: (text: string, path: string) => Operand | false | undefined
} = {
  string: (value) => ({ type: 'string', value }),
  enumeration: (value, path) => enumerations[path]!.includes(value) && { type: 'string', value },
  integer: (text) => /^-?(0|[1-9]\d*)$/.test(text) && Math.abs(+text) < 2 ** 53 && number('integer', text),
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) && { type: 'uuid', value: text.toLowerCase() },
  bigint: (text) => {
    const value = /^-?(0|[1-9]\d*)$/.test(text) ? BigInt(text) : 2n ** 63n
    return value >= -(2n ** 63n) && value < 2n ** 63n && { type: 'bigint', value: String(value) }
  },
  decimal: (text) => {
    const [, sign = '', whole, fraction = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? []
    const end = fraction.replace(/0+$/, '')
    const digits = `${whole}${end && '.'}${end}`
    const isShort = (whole + end).replace(/^0+/, '').length <= 34
    return whole !== undefined && isShort && { type: 'decimal', value: digits === '0' ? '0' : sign + digits }
  },
  number: (text) => /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text) && isFinite(+text) && number('number', text),
  boolean: (text) => /^(true|false)$/.test(text) && { type: 'boolean', value: text === 'true' },
  date: (value) => isReal(value) && value >= '0001' && { type: 'date', value },
  datetime: (text) => {
    const from = isReal(text) && moment(midnight(text))
    if (from) return { from, until: moment(midnight(text) + 24 * 60 * 60 * 1000) }
    const [, day, fraction = ''] = rfc3339.exec(text) ?? []
    const whole = text.toUpperCase().replace(/(\.\d{3})\d+/, '$1')
    return day !== undefined && isReal(day) && moment(Date.parse(whole), fraction.slice(3))
  },
  object: () => undefined,
  entries: (text) => /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) < 2 ** 31 && number('integer', text),
}

/** The filters that an operator makes of its operands, which hold together; for a complement, what does not hold. */
type Lowering = (path: Path, operands: readonly Operand[], type: Type, list: Path) => readonly Filter[]

const compare =
  (operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'): Lowering =>
  (path, [operand]) => {
    if ('type' in operand!) return [comparison(path, operator, operand)]
    const { from, until } = operand!
    const start = comparison(path, 'gte', from)
    const end = until && comparison(path, 'lt', until)
    return {
      eq: end === undefined ? [start] : [start, end],
      gt: [until === undefined ? membership(path, []) : comparison(path, 'gte', until)],
      gte: [start],
      lt: [comparison(path, 'lt', from)],
      lte: [end ?? presence(path, 'datetime')],
    }[operator]
  }
/** A day without end is no upper bound. */
const range: Lowering = (path, [low, high], type) => [
  ...compare('gte')(path, [low!], type, []),
  ...compare('lte')(path, [high!], type, []).filter(({ kind }) => kind === 'comparison'),
]
const oneOf: Lowering = (path, operands, type) => {
  const moments = operands.filter((operand) => 'type' in operand)
  if (moments.length === operands.length) return [membership(path, moments)]
  const parts = operands.flatMap((operand): (readonly Filter[])[] => {
    if ('from' in operand) return [compare('eq')(path, [operand], type, [])]
    return operand === moments[0] ? [[membership(path, moments)]] : []
  })
  return parts.length === 1 ? parts[0]! : [or(...parts.map((part) => and(...part)))]
}
const matching =
  (mode: MatchMode): Lowering =>
  (path, [operand]) => [match(path, mode, String((operand as Literal).value))]
const stored = (type: Type) => (type === 'enumeration' ? 'string' : type)
const exists: Lowering = (path, _, type) => [presence(path, stored(type))]
/** For each operand an entry, which need not be another one. */
const all: Lowering = (path, operands, type, list) =>
  operands.map((operand) => some(list, and(...compare('eq')(path, [operand], type, []))))
const counting =
  (operator: 'gte' | 'lte'): Lowering =>
  (_, [operand], type, list) => [count(list, stored(type), operator, Number((operand as Literal).value))]

const ordered: readonly Type[] = ['string', 'uuid', 'integer', 'bigint', 'number', 'decimal', 'date', 'datetime']
const listed: readonly Type[] = [...ordered, 'enumeration']
const scalars: readonly Type[] = [...listed, 'boolean']
/** How many operands an operator has, of which type where it is not the field's, on which fields, and its filters. */
type Operator = readonly [
  count: 'one' | 'two' | 'list',
  type: Type | 'entries' | undefined,
  takes: readonly Type[],
  lower: Lowering,
  /** Where the marked path of a field must end, or pass. */
  place?: RegExp,
]
const operators: Readonly<Record<OperatorName, Operator>> = {
  equals: ['one', undefined, scalars, compare('eq')],
  notEqual: ['one', undefined, scalars, compare('eq')],
  gt: ['one', undefined, ordered, compare('gt')],
  gte: ['one', undefined, ordered, compare('gte')],
  lt: ['one', undefined, ordered, compare('lt')],
  lte: ['one', undefined, ordered, compare('lte')],
  range: ['two', undefined, ordered, range],
  in: ['list', undefined, listed, oneOf],
  nin: ['list', undefined, listed, oneOf],
  startsWith: ['one', 'string', ['string'], matching('prefix')],
  endsWith: ['one', 'string', ['string'], matching('suffix')],
  contains: ['one', 'string', ['string'], matching('substring')],
  doesNotContain: ['one', 'string', ['string'], matching('substring')],
  equalsIgnoreCase: ['one', 'string', ['string'], matching('whole')],
  startsWithExact: ['one', 'string', ['string'], matching('prefixExact')],
  endsWithExact: ['one', 'string', ['string'], matching('suffixExact')],
  containsExact: ['one', 'string', ['string'], matching('substringExact')],
  exists: ['one', 'boolean', [...scalars, 'object'], exists],
  all: ['list', undefined, listed, all, /\[\]/],
  atLeast: ['one', 'entries', [...scalars, 'object'], counting('gte'), /\[\]$/],
  atMost: ['one', 'entries', [...scalars, 'object'], counting('lte'), /\[\]$/],
}
export const operatorNamed: ReadonlyMap<string, Operator> = new Map(Object.entries(operators))

export interface Said {
  /** The path of the field, its lists marked. */
  readonly marked: string
  readonly type: Type
  readonly operator: string
  readonly operands: readonly Operand[]
}

/** What holds for one and the same entry of a list, or for the object. */
type Group = (Filter | { readonly list: string; readonly group: Group })[]
const filterOf = (group: Group): Filter =>
  and(...group.map((member) => ('group' in member ? some(member.list.split('.'), filterOf(member.group)) : member)))

/** The one filter of conditions: in each list, the positive ones speak of one entry, each complement of none. */
export function filterSaid(conditions: readonly Said[]): Filter {
  const root: Group = []
  for (const { marked, type, operator, operands } of conditions) {
    const steps = marked.split(/\[\]\.?/)
    const [, , , lower, place] = operatorNamed.get(operator)!
    const lists = steps.slice(0, -1)
    const path = steps.at(-1)!.split('.').filter(Boolean)
    const parts = lower(path, operands, type, lists.at(-1)?.split('.') ?? [])
    // These speak of the list as a whole.
    if (place !== undefined) lists.pop()
    const isFalse = operator === 'exists' && (operands[0] as Literal).value === false
    if (isFalse || ['notEqual', 'nin', 'doesNotContain'].includes(operator)) {
      root.push(not(lists.reduceRight((inner, list) => some(list.split('.'), inner), and(...parts))))
      continue
    }
    let group = root
    for (const list of lists) {
      const entered = group.find((member) => 'group' in member && member.list === list)
      const next = entered !== undefined && 'group' in entered ? entered : { list, group: [] }
      if (next !== entered) group.push(next)
      group = next.group
    }
    group.push(...parts)
  }
  return filterOf(root)
}
