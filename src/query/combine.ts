/** Conditions → filter: operators are lowered, and what is said of one list is said of one entry. */
import { markParsed, newSpan, unchecked, type Filter, type Path } from '../ast/index.ts'
import type { Span } from '../issue/index.ts'
import { isComplement, type Operand, type OperatorRow, type ResolvedField } from '../language/index.ts'

/** One condition, its names resolved and its operands read. */
export interface Condition {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly operands: readonly Operand[]
  readonly span?: Span
}

/** Conditions that hold together for one entry of a list, or for the object itself. */
interface Group {
  readonly kind: 'group'
  /** The list; absent for the object itself. */
  readonly list: Path | undefined
  readonly members: (Filter | Group)[]
  /** Where its conditions begin and end. */
  first: Span | undefined
  last: Span | undefined
}

const newGroup = (list: Path | undefined): Group => ({
  kind: 'group',
  list,
  members: [],
  first: undefined,
  last: undefined,
})

/**
 * The filter that some conditions make: positive ones that enter the same list speak of one and the same
 * entry, each complement of no entry at all.
 */
export function combine(conditions: readonly Condition[]): Filter {
  const root = newGroup(undefined)
  for (const { field, operator, operands, span } of conditions) {
    const { lists } = field
    const parts = operator.lower(field, operands, span)
    extend(root, span)
    if (isComplement(operator, operands)) {
      const positive = lists.reduceRight((inner, list) => unchecked.some(list, inner, span), conjunction(parts, span))
      root.members.push(unchecked.not(positive, span))
      continue
    }
    let group = root
    // By index: arrays that are frozen, and others, keep the engine from putting an iterator in line.
    for (let at = 0; at < lists.length; at++) {
      group = enter(group, lists[at]!)
      extend(group, span)
    }
    for (let at = 0; at < parts.length; at++) group.members.push(parts[at]!)
  }
  return markParsed(filterOf(root))
}

/** The group of a list within a group: one that is there, or a new one in its place. */
function enter({ members }: Group, list: Path): Group {
  for (const member of members) if (member.kind === 'group' && member.list === list) return member
  const group = newGroup(list)
  members.push(group)
  return group
}

function extend(group: Group, span: Span | undefined): void {
  group.first ??= span
  group.last = span
}

function conjunction(filters: readonly Filter[], span: Span | undefined): Filter {
  return filters.length === 1 ? filters[0]! : unchecked.and(filters, span)
}

function filterOf(group: Group): Filter {
  const { members } = group
  for (let at = 0; at < members.length; at++) {
    const member = members[at]!
    if (member.kind === 'group') members[at] = unchecked.some(member.list!, filterOf(member), spanOf(member))
  }
  return conjunction(members as Filter[], spanOf(group))
}

const spanOf = ({ first, last }: Group): Span | undefined => (first === last ? first : newSpan(first!.start, last!.end))
