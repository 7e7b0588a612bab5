/** Bound pairs → filter: operators are lowered, and conditions on one list are brought together. */
import { markParsed, newSpan, unchecked, type Filter, type Path } from '../ast/index.ts'
import type { Span } from '../issue/index.ts'
import { isComplement, type Operand, type OperatorRow, type ResolvedField } from '../language/index.ts'

/** A pair with its names resolved and its operands read. */
export interface BoundPair {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly operands: readonly Operand[]
  readonly span?: Span
}

/** What must hold together of one object: of the row, or of one entry of a list. */
interface Group {
  /** In the order of the text. */
  readonly members: (Filter | EntryGroup)[]
  /** The spans of its first and its last pair. */
  first: Span | undefined
  last: Span | undefined
}
interface EntryGroup extends Group {
  readonly kind: 'entry'
  /** From the object around it. */
  readonly list: Path
}

/**
 * The filter that pairs make together. Positive conditions on one list hold for one and the same entry. Each complement
 * says on its own that no entry satisfies its positive twin.
 */
export function combine(pairs: readonly BoundPair[]): Filter {
  const row: Group = { members: [], first: undefined, last: undefined }
  for (const { field, operator, operands, span } of pairs) {
    const { lists } = field
    const parts = operator.lower(field, operands, span)
    extend(row, span)
    if (isComplement(operator, operands)) {
      const positive = lists.reduceRight((inner, list) => unchecked.some(list, inner, span), join(parts, span))
      row.members.push(unchecked.not(positive, span))
      continue
    }
    // Loops by index: the engine does not inline the iterators of arrays of which some are frozen (docs/internals/performance.md).
    let group = row
    for (let at = 0; at < lists.length; at++) {
      group = entryGroup(group, lists[at]!)
      extend(group, span)
    }
    for (let at = 0; at < parts.length; at++) group.members.push(parts[at]!)
  }
  return markParsed(filterOf(row))
}

/** The group of a list inside a group. The first pair of a list makes it, and so places it. */
function entryGroup({ members }: Group, list: Path): Group {
  for (const member of members) if (member.kind === 'entry' && isSamePath(member.list, list)) return member
  const group: EntryGroup = { kind: 'entry', list, members: [], first: undefined, last: undefined }
  members.push(group)
  return group
}

function isSamePath(a: Path, b: Path): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

function extend(group: Group, span: Span | undefined): void {
  group.first ??= span
  group.last = span
}

function filterOf(group: Group): Filter {
  const filters = group.members.map((member) =>
    member.kind === 'entry' ? unchecked.some(member.list, filterOf(member), spanOf(member)) : member,
  )
  return join(filters, spanOf(group))
}

function join(filters: readonly Filter[], span: Span | undefined): Filter {
  return filters.length === 1 ? filters[0]! : unchecked.and(filters, span)
}

function spanOf({ first, last }: Group): Span | undefined {
  return first === last ? first : newSpan(first!.start, last!.end)
}
