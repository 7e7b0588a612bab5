/** Filter → the pairs and groups that express it. */
import { checkFilter, unchecked, type Filter, type Some } from '../tree/index.ts'
import type { Issue, Issues } from '../issue/index.ts'
import { deepestGroup, entrySchema, isEntry, pathFrom } from '../language/index.ts'
import type { OperatorName, Schema, GroupWords } from '../language/index.ts'
import { isQuantifier, newGroup, type BoundCondition, type BoundGroup, type BoundMember } from '../query/index.ts'
import { depthOf, inexpressible, isName } from '../writing/index.ts'
import type { Allows, Atom } from './candidates.ts'
import { atomsOf, entriesOfTheirOwn, expressAsPairs, expressAtoms, hasParts, isExpressed } from './express-pairs.ts'
import type { Scope } from './express-pairs.ts'

/** The members that express a filter, or an issue for each part that cannot be expressed. */
export type Expressed =
  | { readonly members: readonly BoundMember[]; readonly issues: undefined }
  | { readonly members: undefined; readonly issues: Issues }

/** Finds the pairs and groups that express a filter; without words of groups, only pairs. */
export function expressFilter(
  schema: Schema,
  original: Filter,
  words: GroupWords,
  allows: Allows = () => true,
): Expressed {
  const filter = checkFilter(original)
  const scope: Scope = { schema, allows, words, isInGroup: false, depth: 0, inexpressible: [] }
  const members = words.size > 0 ? expressRow(scope, filter) : expressAsPairs(scope, filter, scope.inexpressible)
  const isShallow = members?.every((member) => depthOf(member) <= deepestGroup)
  if (scope.inexpressible.length === 0 && members !== undefined && isShallow && isExpressed(members, filter))
    return { members, issues: undefined }
  const parts = scope.inexpressible.length > 0 ? scope.inexpressible : [filter]
  return {
    members: undefined,
    issues: parts.map((part) => inexpressible(part, words)) as readonly Issue[] as Issues,
  }
}

/** The pairs and groups at the top of a query, where only a word begins a group. */
function expressRow(scope: Scope, filter: Filter): readonly BoundMember[] {
  if (filter.kind === 'and' && filter.filters.length === 0) return []
  // A facet leaves out the pairs on its own field, so conditions on one entry are pairs and not a group.
  const pairs = filter.kind === 'some' ? expressAsPairs(scope, filter) : undefined
  if (pairs !== undefined) return pairs
  return expressBody(scope, filter).map((member) => {
    if (member.kind === 'condition' || !isQuantifier(member.kind)) return member
    return member.kind === 'none'
      ? newGroup('not', [newGroup('some', member.members, member.lists)])
      : newGroup('and', [member])
  })
}

/** Members that express a filter together. */
function expressBody(scope: Scope, filter: Filter): readonly BoundMember[] {
  if (filter.kind === 'and' && filter.filters.length > 1) return expressAll(scope, filter.filters)
  return [expressOne(scope, filter)]
}

const inGroup = (scope: Scope): Scope => (scope.isInGroup ? scope : { ...scope, isInGroup: true })

function expressOne(scope: Scope, filter: Filter): BoundMember {
  const plain = expressAsPairs(scope, filter)
  return plain?.length === 1 ? plain[0]! : expressGroup(scope, filter)
}

function expressGroup(scope: Scope, filter: Filter): BoundMember {
  const group = groupFor(scope, filter)
  if (group === undefined) scope.inexpressible.push(filter)
  return group ?? newGroup('and', [])
}

function groupFor(scope: Scope, filter: Filter): BoundGroup | undefined {
  // Deeper levels stay unread: each level would read all levels below it.
  if (scope.depth === deepestGroup) return undefined
  const inside: Scope = { ...scope, isInGroup: true, depth: scope.depth + 1 }
  switch (filter.kind) {
    case 'and': {
      const { filters } = filter
      if (filters.length > 1) return newGroup('and', expressAll(inside, filters))
      if (filters.length === 0) return undefined
      // `and` of one member reads as that member, unless the member is an `and`.
      const only = expressOne(inside, filters[0]!)
      return newGroup('and', [only.kind === 'and' ? only : newGroup('and', [only])])
    }
    case 'or': {
      if (filter.filters.length === 0) return undefined
      const members = filter.filters.map((member) => expressOne(inside, member))
      return newGroup('or', members)
    }
    case 'not': {
      const inner = filter.filter
      // A collection may offer `all` and no operator inside the entries: `not` around `all` has it.
      const none = inner.kind === 'some' && attempt(inside, (scope) => quantifiedGroup(scope, 'none', inner))
      return none || newGroup('not', expressBody(inside, inner))
    }
    case 'some':
      return quantifiedGroup(inside, 'some', filter)
    default:
      return undefined
  }
}

/** Expresses a part; `undefined` where nothing expresses all of it. */
function attempt<Part>(scope: Scope, express: (scope: Scope) => Part): Part | undefined {
  const inexpressible: Filter[] = []
  const part = express({ ...scope, inexpressible })
  return inexpressible.length === 0 ? part : undefined
}

/** The group about the entries of a list that satisfy a filter; of `none`, where the filter is a complement, `every`. */
function quantifiedGroup(inside: Scope, word: 'some' | 'none', { path, filter }: Some): BoundGroup | undefined {
  const { schema, words } = inside
  const list = path.join('.')
  const field = schema.paths.get(list)
  const isList = field !== undefined && isEntry(field) && field.lists.length === 1
  if (!isList || !isName(list) || words.has(list)) return undefined
  const scope: Scope = { ...inside, schema: entrySchema(schema, list) }
  if (word === 'none' && filter.kind === 'not') {
    // A collection may have the complement alone: `none` has it.
    const body = attempt(scope, (inner) => expressBody(inner, filter.filter))
    if (body !== undefined) return newGroup('every', body, field.lists)
  }
  return newGroup(word, expressBody(scope, filter), field.lists)
}

/** The members that express the filters of one `and`, at least two. */
function expressAll(scope: Scope, filters: readonly Filter[]): readonly BoundMember[] {
  // Two dotted conditions on one list read as conditions on one entry.
  const entered = new Set<string | undefined>()
  const taken = entriesOfTheirOwn(scope, filters, [])
  const groups = filters.map((filter, at): BoundMember | undefined => {
    if (taken.has(at)) return undefined
    const list = filter.kind === 'some' ? JSON.stringify(filter.path) : undefined
    if (filter.kind === 'and') return expressApart(scope, filter)
    // No group expresses a condition. A pair expresses it, alone or with its neighbour, as a range.
    if (!hasParts(filter)) return undefined
    if (entered.has(list) || expressAsPairs(scope, filter) === undefined) return expressGroup(scope, filter)
    if (list !== undefined) entered.add(list)
    return undefined
  })
  const together = expressBetween(scope, filters, groups, taken)
  if (isExpressed(together, unchecked.and([...filters]))) return together
  // One by one: a path accepts each operator once, so a second use goes into a group.
  const used: BoundCondition[] = []
  const isFree = (path: string, name: OperatorName): boolean =>
    !used.some((pair) => pathFrom(pair) === path && pair.operator === name)
  const free: Scope = {
    ...scope,
    allows: (field, operator, operands) =>
      isFree(pathFrom(field), operator.name) && scope.allows(field, operator, operands),
  }
  // First the pairs of two neighbours, as `date=2024-01-01` is the two bounds of a day: a group would separate them.
  const joined = new Map<number, BoundCondition>()
  for (let at = 0; at + 1 < filters.length; at++) {
    if (groups[at] !== undefined || groups[at + 1] !== undefined) continue
    const both = expressAsPairs(free, unchecked.and(filters.slice(at, at + 2)))
    if (both?.length !== 1) continue
    joined.set(at++, both[0]!)
    used.push(...both)
  }
  return filters.flatMap((filter, at): readonly BoundMember[] => {
    if (groups[at] !== undefined) return [groups[at]]
    if (taken.has(at)) return [expressApart(scope, filter)]
    if (joined.has(at - 1)) return []
    const pairs = joined.has(at) ? undefined : expressAsPairs(scope, filter)
    if (pairs === undefined) return [joined.get(at) ?? expressGroup(scope, filter)]
    if (!pairs.every((pair) => isFree(pathFrom(pair), pair.operator))) return [expressApart(scope, filter)]
    used.push(...pairs)
    return pairs
  })
}

/** The group that expresses a filter, separate from its neighbours. */
function expressApart(scope: Scope, filter: Filter): BoundMember {
  const member = expressOne(inGroup(scope), filter)
  return member.kind === 'condition' ? newGroup('and', [member]) : member
}

/** The groups, and between them pairs that express the other filters. */
function expressBetween(
  scope: Scope,
  filters: readonly Filter[],
  groups: readonly (BoundMember | undefined)[],
  taken: ReturnType<typeof entriesOfTheirOwn>,
): readonly BoundMember[] {
  const atoms: Atom[] = []
  const members: { readonly at: number; readonly member: BoundMember }[] = []
  let at = 0
  for (const [index, filter] of filters.entries()) {
    const member = groups[index]
    if (member !== undefined) members.push({ at: at++, member })
    else for (const atom of taken.get(index) ?? atomsOf(scope, filter, [])) atoms.push({ ...atom, at: at++ })
  }
  for (const pair of expressAtoms(scope, atoms)) members.push({ at: pair.at, member: pair })
  return members.sort((a, b) => a.at - b.at).map(({ member }) => member)
}
