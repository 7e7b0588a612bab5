/**
 * The operators of the language, one row each. Parsing, the typed builder and printing are derived from the rows. The
 * words of hints and docs are in `operator-words.ts`, which the compiler keeps complete; no other code lists operators.
 */
import { unchecked } from '../tree/index.ts'
import type { ComparisonOperator, EntryCount, Filter, Literal, MatchMode, Path, Presence } from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import type { FieldType, ResolvedField } from './schema.ts'
import { typesOf, type ScalarType, type Day, type Operand } from './types.ts'

/** The field that a condition is about: its path from the entry of its innermost list, and the type of its literals. */
export interface Target {
  /** The lists that the field is in. */
  readonly lists: readonly Path[]
  readonly path: Path
  readonly literal: Presence['type']
}

/**
 * Turns an operator with its operands into conditions, which `and` joins. It trusts its operands.
 *
 * It is exported, and an interface, because TypeScript 7 writes it in the declarations of programs that export methods of `where`.
 */
export interface Lowering {
  (target: Target, operands: readonly Operand[], span?: Span): readonly Filter[]
}

/** One operator, as documentation and forms need it. */
export interface Operator {
  readonly name: OperatorName
  /** The number of operands: one, exactly two, or a list of at least one. */
  readonly operands: 'one' | 'two' | 'list'
  /** The types of fields that accept it. For a list, the type of the entries counts. */
  readonly types: readonly Exclude<FieldType, 'list'>[]
  /** Where the field may be: `anywhere`; `in lists`: a list, or inside one; `lists`: only a list. */
  readonly fields: 'anywhere' | 'in lists' | 'lists'
  /** Whether it is the exact complement of another operator: `notEqual` of `equals`, `nin` of `in`, `doesNotContain` of `contains`. */
  readonly complement: boolean
  /** The rows that it selects, in one line. */
  readonly doc: string
}

/** One operator, as this library needs it. Its texts are in `operator-words.ts`. */
export interface OperatorRow extends Omit<Operator, 'doc'> {
  /** The kind of operand: a value of the field's type, a literal text, `true` or `false`, or a number of entries. */
  readonly operandKind: 'value' | 'text' | 'flag' | 'count'
  /** Paths of the result start at the entry of the innermost list. Those of an operator for lists start where the path of that list starts. */
  readonly lower: Lowering
}

/** A row as it is written below. */
export type OperatorDefinition = Omit<OperatorRow, 'name' | 'fields' | 'complement' | 'operandKind'> &
  Partial<Pick<OperatorRow, 'fields' | 'complement' | 'operandKind'>>

/** A comparison with a whole day, as comparisons with its bounds. Every value comes after a bound that is too early, and before one that is too late. */
const withDay: {
  readonly [O in ComparisonOperator]: (target: Target, day: Day, span?: Span) => readonly Filter[]
} = {
  eq: ({ path }, { from, until }, span) => [
    ...(from === undefined ? [] : [unchecked.comparison(path, 'gte', from, span)]),
    ...(until === undefined ? [] : [unchecked.comparison(path, 'lt', until, span)]),
  ],
  gt: ({ path }, { until }, span) => [
    until === undefined ? unchecked.membership(path, [], span) : unchecked.comparison(path, 'gte', until, span),
  ],
  gte: ({ path }, { from }, span) => [
    from === undefined ? unchecked.presence(path, 'datetime', span) : unchecked.comparison(path, 'gte', from, span),
  ],
  lt: ({ path }, { from }, span) => [
    from === undefined ? unchecked.membership(path, [], span) : unchecked.comparison(path, 'lt', from, span),
  ],
  lte: ({ path }, { until }, span) => [
    until === undefined ? unchecked.presence(path, 'datetime', span) : unchecked.comparison(path, 'lt', until, span),
  ],
}

/* @__NO_SIDE_EFFECTS__ */ const compare =
  (operator: ComparisonOperator): Lowering =>
  (target, operands, span) => {
    const operand = operands[0]!
    if (operand.type === 'day') return withDay[operator](target, operand, span)
    return [unchecked.comparison(target.path, operator, operand, span)]
  }

const isOpen = (operand: Operand, bound: 'from' | 'until'): boolean =>
  operand.type === 'day' && operand[bound] === undefined

/** Makes a comparison for each bound. A bound outside the calendar excludes no value, and gets none. */
const range: Lowering = (target, operands, span) => {
  const [low, high] = operands as readonly [Operand, Operand]
  const highs = isOpen(high, 'until') ? [] : compare('lte')(target, [high], span)
  // Without a lower bound, `gte` is the presence of a value, which an upper bound implies.
  const lows = isOpen(low, 'from') && highs.length > 0 ? [] : compare('gte')(target, [low], span)
  return [...lows, ...highs]
}

/** One membership, at the place of the first moment. Days of a datetime field are intervals beside it. */
const toMembership: Lowering = (target, operands, span) => {
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

/* @__NO_SIDE_EFFECTS__ */ const toMatch =
  (mode: MatchMode): Lowering =>
  ({ path }, operands, span) => [unchecked.match(path, mode, (operands[0] as { value: string }).value, span)]

const toPresence: Lowering = ({ path, literal }, _, span) => [unchecked.presence(path, literal, span)]

/** Requires an entry for each operand. */
const all: Lowering = (target, operands, span) =>
  operands.map((operand) => {
    const parts = compare('eq')(target, [operand], span)
    return unchecked.some(target.lists.at(-1)!, parts.length === 1 ? parts[0]! : unchecked.and(parts, span), span)
  })

/* @__NO_SIDE_EFFECTS__ */ const toCount =
  (operator: EntryCount['operator']): Lowering =>
  ({ lists, literal }, operands, span) => [
    unchecked.count(lists.at(-1)!, literal, operator, (operands[0] as { value: number }).value, span),
  ]

const ordered = /* @__PURE__ */ typesOf('text', 'number', 'time')
const countable = /* @__PURE__ */ typesOf('text', 'choice', 'number', 'time')
const scalar = /* @__PURE__ */ typesOf('text', 'choice', 'number', 'flag', 'time')
const valued: readonly (ScalarType | 'object')[] = /* @__PURE__ */ [scalar, 'object' as const].flat()
const present: readonly (ScalarType | 'object' | 'json' | 'record')[] = /* @__PURE__ */ [
  valued,
  'json' as const,
  'record' as const,
].flat()

/** An operator that compares the text of a field with a literal text. */
/* @__NO_SIDE_EFFECTS__ */ const ofText = (mode: MatchMode, complement = false) =>
  ({ operands: 'one', operandKind: 'text', types: ['string'], complement, lower: toMatch(mode) }) as const

/** An operator that counts the entries of a list. */
/* @__NO_SIDE_EFFECTS__ */ const ofEntries = (operator: EntryCount['operator']) =>
  ({
    operands: 'one',
    operandKind: 'count',
    fields: 'lists',
    types: valued,
    lower: toCount(operator),
  }) as const

/** The rows. A new operator is a new row, its words in `operator-words.ts`, and its cases in the tests. */
export const operatorRows = {
  equals: { operands: 'one', types: scalar, lower: compare('eq') },
  notEqual: { operands: 'one', types: scalar, complement: true, lower: compare('eq') },
  gt: { operands: 'one', types: ordered, lower: compare('gt') },
  gte: { operands: 'one', types: ordered, lower: compare('gte') },
  lt: { operands: 'one', types: ordered, lower: compare('lt') },
  lte: { operands: 'one', types: ordered, lower: compare('lte') },
  range: { operands: 'two', types: ordered, lower: range },
  in: { operands: 'list', types: countable, lower: toMembership },
  nin: { operands: 'list', types: countable, complement: true, lower: toMembership },
  startsWith: ofText('prefix'),
  endsWith: ofText('suffix'),
  contains: ofText('substring'),
  doesNotContain: ofText('substring', true),
  equalsIgnoreCase: ofText('whole'),
  startsWithExact: ofText('prefixExact'),
  endsWithExact: ofText('suffixExact'),
  containsExact: ofText('substringExact'),
  exists: { operands: 'one', operandKind: 'flag', types: present, lower: toPresence },
  all: { operands: 'list', fields: 'in lists', types: countable, lower: all },
  atLeast: ofEntries('gte'),
  atMost: ofEntries('lte'),
} as const satisfies Readonly<Record<string, OperatorDefinition>>

/** The table of operators as a type. `Where` has a method for each row. */
export type OperatorRows = typeof operatorRows

/** The name of an operator. */
export type OperatorName = keyof OperatorRows

export function operatorsOf(rows: Readonly<Record<string, OperatorDefinition>>): ReadonlyMap<string, OperatorRow> {
  const row = ([name, definition]: [string, OperatorDefinition]): [string, OperatorRow] => [
    name,
    {
      fields: 'anywhere',
      complement: false,
      operandKind: 'value',
      ...definition,
      types: Object.freeze(definition.types),
      name: name as OperatorName,
    },
  ]
  return new Map(Object.entries(rows).map(row))
}

/** Every operator by its name. A Map, unlike an object, has no inherited names. */
export const operatorNamed = /* @__PURE__ */ operatorsOf(operatorRows)

/** The operator of a pair that names none. */
export const defaultOperator = /* @__PURE__ */ operatorNamed.get('equals')!

export const accepts = ({ type, lists, path }: ResolvedField, { types, fields }: OperatorRow): boolean =>
  types.includes(type) && (fields === 'anywhere' || (lists.length > 0 && (fields === 'in lists' || path.length === 0)))

/** The lists around a lowered condition. An operator for lists enters the innermost list itself. */
export const listsAround = ({ lists }: Pick<ResolvedField, 'lists'>, { fields }: OperatorRow): readonly Path[] =>
  fields === 'anywhere' ? lists : lists.slice(0, -1)

/** Whether a condition negates the filters that its operator lowers to. `exists` does if its operand is `false`. */
export function isComplement(operator: OperatorRow, operands: readonly Operand[]): boolean {
  if (operator.operandKind !== 'flag') return operator.complement
  return !(operands[0] as { value: boolean }).value
}
