/** What a query asks, as data: conditions with their names resolved and their operands read, and groups of them. */
import {
  checkFilter,
  isObject,
  listOf,
  literalTypes,
  objectOf,
  oneOf,
  optional,
  readLiteral,
  readPath,
  readPathAround,
  readSpan,
  refuse,
  type Filter,
  type LiteralType,
  type Path,
  type Read,
} from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import {
  deepestGroup,
  isComplement,
  listsAround,
  operatorNamed,
  quantifiers,
  type Day,
  type GroupWord,
  type Operand,
  type OperatorName,
  type OperatorRow,
  type Quantifier,
  type Target,
} from '../language/index.ts'
import { own } from '../own.ts'

/** A condition that a query asks. */
export interface BoundCondition {
  readonly kind: 'condition'
  /** The lists around the field, outermost first. In a group about the entries of a list, they begin at an entry. */
  readonly lists: readonly Path[]
  /** The path of the field from an entry of the innermost list. `[]` is the entry itself. */
  readonly path: Path
  /** The type of its literals. */
  readonly literal: LiteralType | 'object'
  readonly operator: OperatorName
  /** A relative time is the moment or the day that it meant. */
  readonly operands: readonly Operand[]
  readonly span?: Span | undefined
}

/** A group that a query asks: of conditions, and of groups. */
export interface BoundGroup {
  /** `some`, `none` and `every` are about the entries of a list, at which the paths of the members begin. */
  readonly kind: GroupWord | Quantifier
  /** The lists that lead to the entries. `[]` for the other groups. */
  readonly lists: readonly Path[]
  /** At least one. */
  readonly members: readonly BoundMember[]
  readonly span?: Span | undefined
}

/** A condition or a group. */
export type BoundMember = BoundCondition | BoundGroup

/** A filter that a program made, which no conditions of a text express. */
export interface BoundFilter {
  readonly kind: 'filter'
  readonly filter: Filter
}

/** A part of what a query asks: a condition, a group, or a filter of a program. */
export type AskedPart = BoundMember | BoundFilter

/** The parts of a query whose filter a program made. */
export const partsOfFilter = (filter: Filter): { readonly filter: Filter; readonly asked: readonly [BoundFilter] } => ({
  filter,
  asked: [{ kind: 'filter', filter }],
})

/** A condition of parts that are sound. */
// `span` is always an own property: one that a program adds to Object.prototype is no span.
export const newCondition = (
  { lists, path, literal }: Target,
  { name: operator }: OperatorRow,
  operands: readonly Operand[],
  span?: Span,
): BoundCondition => ({ kind: 'condition', lists, path, literal, operator, operands, span })

const noLists: readonly Path[] = /* @__PURE__ */ Object.freeze([])

/** A group of members that are sound. */
export const newGroup = (
  kind: BoundGroup['kind'],
  members: readonly BoundMember[],
  lists: readonly Path[] = noLists,
  span?: Span,
): BoundGroup => ({ kind, lists, members, span })

/** The outermost list of which a member shares an entry with the members beside it; `undefined` where it shares none. */
export function sharedList(member: BoundMember): Path | undefined {
  if (member.kind !== 'condition') return member.lists.slice(0, -1).at(0)
  const operator = operatorNamed.get(member.operator)!
  return isComplement(operator, member.operands) ? undefined : listsAround(member, operator).at(0)
}

export const isQuantifier = (kind: BoundMember['kind']): kind is Quantifier =>
  kind === 'some' || kind === 'none' || kind === 'every'

/** The conditions in a member. */
export const conditionsIn = (member: BoundMember): readonly BoundCondition[] =>
  member.kind === 'condition' ? [member] : member.members.flatMap(conditionsIn)

/** The least and the largest number of operands. */
const numbersOfOperands: Readonly<Record<OperatorRow['operands'], readonly [least: number, most: number]>> = {
  one: [1, 1],
  two: [2, 2],
  list: [1, Infinity],
}

/** Reads parts of unknown form. What they mean together is checked with the filter. */
export const readAsked: Read<readonly AskedPart[]> = /* @__PURE__ */ (() => {
  const readDay = objectOf<Day>({
    type: oneOf(['day']),
    from: optional(readLiteral),
    until: optional(readLiteral),
  })
  const readOperand: Read<Operand> = (value, reading) =>
    (isObject(value) && own(value as Day, 'type') === 'day' ? readDay : readLiteral)(value, reading)
  const readParts = objectOf<BoundCondition>({
    kind: oneOf(['condition']),
    lists: listOf(readPathAround),
    path: readPath,
    literal: oneOf<LiteralType | 'object'>([...literalTypes, 'object']),
    operator: oneOf([...operatorNamed.keys()] as OperatorName[]),
    operands: listOf(readOperand),
    span: readSpan,
  })
  const readCondition: Read<BoundCondition> = (value, reading) => {
    const condition = readParts(value, reading)
    const { operator, operands } = condition
    const [least, most] = numbersOfOperands[operatorNamed.get(operator)!.operands]
    // An `in` of nothing selects no row.
    if (operands.length < (operator === 'in' ? 0 : least) || operands.length > most)
      refuse(reading, `must have the operands that ${operator} takes, not ${operands.length}`)
    return condition
  }
  const notEmpty = <T>(list: readonly T[], reading: Parameters<Read<T>>[1]): readonly T[] =>
    list.length === 0 ? refuse(reading, 'must not be empty') : list
  const readGroup = objectOf<BoundGroup>({
    kind: oneOf<BoundGroup['kind']>(['and', 'or', 'not', 'some', ...quantifiers]),
    lists: listOf(readPathAround),
    members: (value, reading) => notEmpty(readMembers(value, reading), reading),
    span: readSpan,
  })
  const readMember: Read<BoundMember> = (value, reading) => {
    const { names, levels } = reading
    if (levels > deepestGroup) refuse(reading, `must be in at most ${deepestGroup} groups`)
    reading.levels++
    const isCondition = isObject(value) && own(value as BoundMember, 'kind') === 'condition'
    const member: BoundMember = (isCondition ? readCondition : readGroup)(value, reading)
    Object.assign(reading, { names, levels })
    return Object.freeze({ ...member, span: own(member, 'span') })
  }
  const readMembers = listOf(readMember)
  const readFilter = objectOf<BoundFilter>({
    kind: oneOf(['filter']),
    filter: (value, { route }) => checkFilter(value, `query.asked[${route[1]!}].filter`),
  })
  return listOf((value, reading) =>
    (isObject(value) && own(value as AskedPart, 'kind') === 'filter' ? readFilter : readMember)(value, reading),
  )
})()
