/** Bound members → filter: operators are lowered, and conditions on one list are brought together. */
import { isSamePath, trustParsed, newSpan, unchecked, type Filter, type Path } from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import { isComplement, listsAround, operatorNamed } from '../language/index.ts'
import type { Operand, OperatorRow, Target } from '../language/index.ts'
import type { AskedPart, BoundGroup, BoundMember } from './conditions.ts'

/** The conditions on one object: the row, or one entry of a list. */
export interface Conditions {
  /** In the order of the text. The condition on an entry has a place here, and is put there at the end. */
  readonly filters: (Filter | undefined)[]
  readonly entries: Conditions[]
  /** The spans of its first and its last pair in the text. */
  first: Span | undefined
  last: Span | undefined
  /** From the object around it; `[]` for the row. */
  readonly list: Path
  /** Its place among the filters of the group around it. */
  readonly at: number
}

// One literal for the row and for entries: the engine reads the properties of one shape faster.
const newConditions = (list: Path, at: number): Conditions => ({
  filters: [],
  entries: [],
  first: undefined,
  last: undefined,
  list,
  at,
})
const noPath: Path = /* @__PURE__ */ Object.freeze([])
export const newRow = (): Conditions => newConditions(noPath, 0)

/**
 * Joins the members of a query. Positive conditions on one list are about one and the same entry. Each complement means on its
 * own that no entry satisfies its positive twin. A group shares no entry with the conditions around it.
 */
export const combine = (members: readonly AskedPart[]): Filter => filterOf(collect(members))

/** As {@link combine}, for members that were read from text. */
export const combineParsed = (members: readonly AskedPart[], isSmall: boolean): Filter =>
  filterOfRow(collect(members), isSmall)

/** The filter of conditions that were read from text. */
export const filterOfRow = (row: Conditions, isSmall: boolean): Filter => trustParsed(filterOf(row), isSmall)

function collect(all: readonly AskedPart[]): Conditions {
  const row = newRow()
  for (const member of all) {
    if (member.kind === 'condition')
      addCondition(row, member, operatorNamed.get(member.operator)!, member.operands, member.span)
    else if (member.kind === 'filter') addFilter(row, member.filter, all.length === 1)
    else addGroup(row, member)
  }
  return row
}

/** Lowers a condition on a field, and adds it to those on the same object. */
export function addCondition(
  row: Conditions,
  target: Target,
  operator: OperatorRow,
  operands: readonly Operand[],
  span: Span | undefined,
): void {
  const lists = listsAround(target, operator)
  const parts = operator.lower(target, operands, span)
  extend(row, span)
  if (isComplement(operator, operands)) {
    const positive = lists.reduceRight((inner, list) => unchecked.some(list, inner, span), join(parts, span))
    row.filters.push(unchecked.not(positive, span))
    return
  }
  // Loops by index: the engine does not inline the iterators of arrays of which some are frozen (docs/internals/performance.md).
  let object = row
  for (let at = 0; at < lists.length; at++) {
    object = entryOf(object, lists[at]!)
    extend(object, span)
  }
  for (let at = 0; at < parts.length; at++) object.filters.push(parts[at]!)
}

/** Adds a filter. If other members follow or precede an `and`, its members are added, as the builder `and` does. */
function addFilter({ filters }: Conditions, filter: Filter, isAlone: boolean): void {
  if (filter.kind === 'and' && !isAlone) filters.push(...filter.filters)
  else filters.push(filter)
}

export function addGroup(row: Conditions, { kind, lists, members, span }: BoundGroup): void {
  extend(row, span)
  let group = row
  // The last list is entered by this group alone.
  for (let at = 0; at < lists.length - 1; at++) {
    group = entryOf(group, lists[at]!)
    extend(group, span)
  }
  group.filters.push(groupFilters[kind](members, span, lists.at(-1)))
}

const groupFilters: {
  readonly [K in BoundGroup['kind']]: (
    members: readonly BoundMember[],
    span: Span | undefined,
    list: Path | undefined,
  ) => Filter
} = {
  // An `and` of one member is that member. Around another `and` it is a node: only so can a query have an `and` in an `and`.
  and: (members, span) => {
    const filters = filtersOf(collect(members))
    return members.length === 1 && members[0]!.kind === 'and' ? unchecked.and(filters, span) : join(filters, span)
  },
  or: (members, span) =>
    unchecked.or(
      members.map((member) => combine([member])),
      span,
    ),
  not: (members, span) => unchecked.not(combine(members), span),
  some: (members, span, list) => unchecked.some(list!, combine(members), span),
  none: (members, span, list) => unchecked.not(unchecked.some(list!, combine(members), span), span),
  every: (members, span, list) =>
    unchecked.not(unchecked.some(list!, unchecked.not(combine(members), span), span), span),
}

/** The group of a list inside a group. The first pair of a list makes it, and so places it. */
function entryOf({ filters, entries }: Conditions, list: Path): Conditions {
  for (let at = 0; at < entries.length; at++) if (isSamePath(entries[at]!.list, list)) return entries[at]!
  const group = newConditions(list, filters.push(undefined) - 1)
  entries.push(group)
  return group
}

function extend(group: Conditions, span: Span | undefined): void {
  if (span === undefined) return
  // A search comes last, wherever the text has it.
  if (group.first === undefined || span.start < group.first.start) group.first = span
  if (group.last === undefined || span.end > group.last.end) group.last = span
}

function filtersOf({ filters, entries }: Conditions): readonly Filter[] {
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!
    const span = spanOf(entry)
    filters[entry.at] = unchecked.some(entry.list, join(filtersOf(entry), span), span)
  }
  return filters as readonly Filter[]
}

function filterOf(group: Conditions): Filter {
  return join(filtersOf(group), spanOf(group))
}

function join(filters: readonly Filter[], span: Span | undefined): Filter {
  return filters.length === 1 ? filters[0]! : unchecked.and(filters, span)
}

function spanOf({ first, last }: Conditions): Span | undefined {
  return first === last ? first : newSpan(first!.start, last!.end)
}
