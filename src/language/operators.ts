/**
 * The operators of the language, one row each. Reading, building and printing look here, and nothing else
 * asks for an operator's name.
 */
import {
  unchecked,
  type ComparisonOperator,
  type Filter,
  type Literal,
  type LiteralType,
  type MatchMode,
  type Path,
} from '../ast/index.ts'
import type { Span } from '../issue/index.ts'
import type { FieldType } from './schema.ts'

export type OperatorName =
  | 'equals'
  | 'notEqual'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'range'
  | 'in'
  | 'nin'
  | 'startsWith'
  | 'endsWith'
  | 'contains'
  | 'doesNotContain'
  | 'exists'

/** A day given for a datetime field: all of it, up to the start of the next, of which 9999-12-31 has none. */
export interface Day {
  readonly type: 'day'
  readonly from: Literal
  readonly until: Literal | undefined
}
export type Operand = Literal | Day

/** The field that a condition is about, as the entry of its innermost list sees it. */
export interface Target {
  readonly path: Path
  readonly literal: LiteralType | 'object'
}

/** The conditions, to be joined by `and`, that an operator stands for. */
type Lowering = (target: Target, operands: readonly Operand[], span?: Span) => readonly Filter[]

/** What callers may know of an operator, for documentation and forms. */
export interface Operator {
  readonly name: OperatorName
  /** How many operands it takes: one, exactly two, or a list of at least one. */
  readonly operands: 'one' | 'two' | 'list'
  /** The types of fields that take it. On a list, the type of its entries counts. */
  readonly types: readonly Exclude<FieldType, 'list'>[]
  /** Whether it is the exact complement of another: `notEqual` of `equals`, `nin` of `in`, `doesNotContain` of `contains`. */
  readonly complement: boolean
  /** What it selects, in a line. */
  readonly doc: string
}

/** How an operator is read and lowered. It trusts its operands, so it is not for everybody to call. */
export interface OperatorRow extends Operator {
  /** What an operand is: a value of the field's type, a literal text, or `true` and `false`. */
  readonly reads: 'value' | 'text' | 'flag'
  readonly lower: Lowering
}

/** A comparison with a whole day, as comparisons with its bounds. */
const withDay: {
  readonly [O in ComparisonOperator]: (target: Target, day: Day, span?: Span) => readonly Filter[]
} = {
  eq: ({ path }, { from, until }, span) =>
    until === undefined
      ? [unchecked.comparison(path, 'gte', from, span)]
      : [unchecked.comparison(path, 'gte', from, span), unchecked.comparison(path, 'lt', until, span)],
  // Nothing comes after the last day, and every value comes before its end.
  gt: ({ path }, { until }, span) => [
    until === undefined ? unchecked.membership(path, [], span) : unchecked.comparison(path, 'gte', until, span),
  ],
  gte: ({ path }, { from }, span) => [unchecked.comparison(path, 'gte', from, span)],
  lt: ({ path }, { from }, span) => [unchecked.comparison(path, 'lt', from, span)],
  lte: ({ path }, { until }, span) => [
    until === undefined ? unchecked.presence(path, 'datetime', span) : unchecked.comparison(path, 'lt', until, span),
  ],
}

const compare =
  (operator: ComparisonOperator): Lowering =>
  (target, operands, span) => {
    const operand = operands[0]!
    if (operand.type === 'day') return withDay[operator](target, operand, span)
    return [unchecked.comparison(target.path, operator, operand, span)]
  }

/** A range that ends with the last day has no upper bound: every value comes before its end. */
const range: Lowering = (target, operands, span) => {
  const [low, high] = operands as readonly [Operand, Operand]
  const open = high.type === 'day' && high.until === undefined
  return [...compare('gte')(target, [low], span), ...(open ? [] : compare('lte')(target, [high], span))]
}

/** Moments are one membership, where the first of them stands; each day is an interval of its own. */
const membership: Lowering = (target, operands, span) => {
  if (!operands.some(({ type }) => type === 'day'))
    return [unchecked.membership(target.path, operands as Literal[], span)]
  const literals = operands.filter((operand) => operand.type !== 'day')
  const parts = operands.flatMap((operand): (readonly Filter[])[] => {
    if (operand.type === 'day') return [withDay.eq(target, operand, span)]
    return operand === literals[0] ? [[unchecked.membership(target.path, literals, span)]] : []
  })
  if (parts.length === 1) return parts[0]!
  return [
    unchecked.or(
      parts.map((part) => (part.length === 1 ? part[0]! : unchecked.and(part, span))),
      span,
    ),
  ]
}

const match =
  (mode: MatchMode): Lowering =>
  ({ path }, operands, span) => [unchecked.match(path, mode, (operands[0] as { value: string }).value, span)]

const presence: Lowering = ({ path, literal }, _, span) => [unchecked.presence(path, literal, span)]

const scalar = ['string', 'enumeration', 'integer', 'number', 'boolean', 'date', 'datetime'] as const
const countable = scalar.filter((type) => type !== 'boolean')
const ordered = countable.filter((type) => type !== 'enumeration')

type Row = Omit<OperatorRow, 'name' | 'complement' | 'reads'> & Partial<Pick<OperatorRow, 'complement' | 'reads'>>

const rows: Readonly<Record<OperatorName, Row>> = {
  equals: { operands: 'one', types: scalar, doc: 'values equal to the operand; the default', lower: compare('eq') },
  notEqual: {
    operands: 'one',
    types: scalar,
    complement: true,
    doc: 'the complement of equals: other values, and no value',
    lower: compare('eq'),
  },
  gt: { operands: 'one', types: ordered, doc: 'values after the operand', lower: compare('gt') },
  gte: { operands: 'one', types: ordered, doc: 'values after or equal to the operand', lower: compare('gte') },
  lt: { operands: 'one', types: ordered, doc: 'values before the operand', lower: compare('lt') },
  lte: { operands: 'one', types: ordered, doc: 'values before or equal to the operand', lower: compare('lte') },
  range: {
    operands: 'two',
    types: ordered,
    doc: 'values from the first operand to the second, both included',
    lower: range,
  },
  in: { operands: 'list', types: countable, doc: 'values equal to one of the operands', lower: membership },
  nin: {
    operands: 'list',
    types: countable,
    complement: true,
    doc: 'the complement of in: values equal to none of the operands, and no value',
    lower: membership,
  },
  startsWith: {
    operands: 'one',
    reads: 'text',
    types: ['string'],
    doc: 'text that begins with the operand, case ignored',
    lower: match('prefix'),
  },
  endsWith: {
    operands: 'one',
    reads: 'text',
    types: ['string'],
    doc: 'text that ends with the operand, case ignored',
    lower: match('suffix'),
  },
  contains: {
    operands: 'one',
    reads: 'text',
    types: ['string'],
    doc: 'text with the operand in it, case ignored',
    lower: match('substring'),
  },
  doesNotContain: {
    operands: 'one',
    reads: 'text',
    types: ['string'],
    complement: true,
    doc: 'the complement of contains: text without the operand in it, and no value',
    lower: match('substring'),
  },
  exists: {
    operands: 'one',
    reads: 'flag',
    types: [...scalar, 'object'],
    doc: 'true: fields that have a value; false: fields that have none',
    lower: presence,
  },
}

/** Every operator by its name: a Map finds nothing that is inherited. */
export const operatorNamed: ReadonlyMap<string, OperatorRow> = new Map(
  Object.entries(rows).map(([name, row]) => [
    name,
    { complement: false, reads: 'value', ...row, types: Object.freeze(row.types), name: name as OperatorName },
  ]),
)

/** The operator of pairs that name none. */
export const defaultOperator = operatorNamed.get('equals')!

/** Every operator of the language, by name. */
export const operators: Readonly<Record<OperatorName, Operator>> = Object.freeze(
  Object.assign(
    Object.create(null) as Record<OperatorName, Operator>,
    Object.fromEntries(
      Array.from(operatorNamed.values(), ({ reads: _, lower: __, ...operator }) => [
        operator.name,
        Object.freeze(operator),
      ]),
    ),
  ),
)

/** Whether a condition selects what its operator's lowering does not: for `exists`, `false` says so. */
export function isComplement(operator: OperatorRow, operands: readonly Operand[]): boolean {
  if (operator.reads !== 'flag') return operator.complement
  const flag = operands[0]
  return flag?.type === 'boolean' && !flag.value
}
