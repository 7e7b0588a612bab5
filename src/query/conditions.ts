/** The conditions and groups of a query: field names are resolved, values are parsed. */
import {
  checkFilter,
  isObject,
  listOf,
  objectOf,
  oneOf,
  optional,
  readLiteral,
  readPath,
  readPathAround,
  readPresentType,
  readSpan,
  refuse,
} from '../tree/index.ts'
import type { Filter, Path, Presence, Read } from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import { deepestGroup, isComplement, listsAround, operatorNamed, quantifiers } from '../language/index.ts'
import type { Day, GroupWord, Operand, OperatorName, OperatorRow, Quantifier, Target } from '../language/index.ts'
import { own } from '../own.ts'

/** A condition on one field, such as `total[gte]=5`. The parser has resolved its path and parsed its operands. */
export interface BoundCondition {
  readonly kind: 'condition'
  /** The lists around the field, outermost first. In a group about the entries of a list, they begin at an entry. */
  readonly lists: readonly Path[]
  /** The path of the field from an entry of the innermost list. `[]` is the entry itself. */
  readonly path: Path
  /** The type of its literals. */
  readonly literal: Presence['type']
  readonly operator: OperatorName
  /** Absolute: `now-1d` is the moment that it meant when the query was read. */
  readonly operands: readonly Operand[]
  readonly span?: Span | undefined
}

/** A group, such as `or=(status=paid,total[gte]=5)`. Its kind joins its members. */
export interface BoundGroup {
  /** With `some`, `none` and `every`, the paths of the members begin at an entry of a list. */
  readonly kind: GroupWord | Quantifier
  /** The lists that lead to these entries, outermost first; `[]` with `and`, `or` and `not`. */
  readonly lists: readonly Path[]
  /** Never empty. */
  readonly members: readonly BoundMember[]
  readonly span?: Span | undefined
}

/** A condition or a group. */
export type BoundMember = BoundCondition | BoundGroup

/** A filter that a program built and that no query string expresses. */
export interface BoundFilter {
  readonly kind: 'filter'
  readonly filter: Filter
}

/** A part of a query: a condition, a group, or a filter that a program built. */
export type AskedPart = BoundMember | BoundFilter

/** Returns the properties `filter` and `asked` for a filter that a program built. */
export const partsOfFilter = (filter: Filter): { readonly filter: Filter; readonly asked: readonly [BoundFilter] } => ({
  filter,
  asked: [{ kind: 'filter', filter }],
})

// `span` is always an own property, so that no reader finds a `span` on Object.prototype.
export const newCondition = (
  { lists, path, literal }: Target,
  { name: operator }: OperatorRow,
  operands: readonly Operand[],
  span?: Span,
): BoundCondition => ({ kind: 'condition', lists, path, literal, operator, operands, span })

const noLists: readonly Path[] = /* @__PURE__ */ Object.freeze([])

export const newGroup = (
  kind: BoundGroup['kind'],
  members: readonly BoundMember[],
  lists: readonly Path[] = noLists,
  span?: Span,
): BoundGroup => ({ kind, lists, members, span })

/** The outermost list whose entry a member shares with its neighbours; `undefined` if it shares no entry. */
export function sharedList(member: BoundMember): Path | undefined {
  if (member.kind !== 'condition') return member.lists.slice(0, -1).at(0)
  const operator = operatorNamed.get(member.operator)!
  return isComplement(operator, member.operands) ? undefined : listsAround(member, operator).at(0)
}

export const isQuantifier = (kind: BoundMember['kind']): kind is Quantifier =>
  kind === 'some' || kind === 'none' || kind === 'every'

/** All conditions of a member, at any depth. */
export const conditionsIn = (member: BoundMember): readonly BoundCondition[] =>
  member.kind === 'condition' ? [member] : member.members.flatMap(conditionsIn)

const numbersOfOperands: Readonly<Record<OperatorRow['operands'], readonly [least: number, most: number]>> = {
  one: [1, 1],
  two: [2, 2],
  list: [1, Infinity],
}

/** Reads `query.asked` and checks the type of each part. `checkQuery` compares the parts with `query.filter`. */
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
    literal: readPresentType,
    operator: oneOf([...operatorNamed.keys()] as OperatorName[]),
    operands: listOf(readOperand),
    span: readSpan,
  })
  const readCondition: Read<BoundCondition> = (value, reading) => {
    const condition = readParts(value, reading)
    const { operator, operands } = condition
    const [least, most] = numbersOfOperands[operatorNamed.get(operator)!.operands]
    // `in` without operands is valid: it selects no row.
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
