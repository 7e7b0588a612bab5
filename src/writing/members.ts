/** Conditions and groups of a query → the ones that a query string of a collection can contain. */
import type { Path } from '../tree/index.ts'
import type { Issue } from '../issue/index.ts'
import { accepts, deepestGroup, entrySchema, operatorNamed, pathFrom, readerOf } from '../language/index.ts'
import type { Collection, GroupWords, Operand, OperatorRow, ResolvedField, Schema } from '../language/index.ts'
import {
  combine,
  contradiction,
  isQuantifier,
  isSameField,
  nameOfFacet,
  sharedList,
  newGroup,
  textOfPath,
} from '../query/index.ts'
import type { BoundCondition, BoundMember, Query } from '../query/index.ts'
import { textOfOperand } from './member-text.ts'
import { inMoments, type Readable } from './moments.ts'
import { inexpressible, noOperator, unsayable } from './unsayable.ts'
import { own } from '../own.ts'

interface Scope {
  readonly collection: Collection
  /** The fields of the row; in `some`, `none` and `every`, of an entry. */
  readonly schema: Schema
  readonly words: GroupWords
  readonly isReadable: Readable
  readonly isInGroup: boolean
  readonly issues: Issue[]
}

/** Whether a group can contain a path: there these characters are marks, even percent-encoded. */
export const isName = (path: string): boolean => !/[(),=]/.test(path)

/** Whether a collection allows an operator on a field. */
export const takes = ({ operators }: Collection, { name }: ResolvedField, operator: OperatorRow): boolean =>
  operators.get(name)?.includes(operator.name) !== false

/**
 * Converts the members of a query, without its search, to the ones that its text contains. Days that the reader of the text reads in
 * another zone become moments. Conditions that the reader refuses as duplicates, or ignores as empty, go into groups.
 *
 * @param words the words of groups. Without them, only conditions are returned.
 */
export function membersToWrite(
  collection: Collection,
  query: Query,
  words: GroupWords,
  isReadable: Readable,
): { readonly members: readonly BoundMember[]; readonly issues: readonly Issue[] } {
  const issues: Issue[] = []
  const scope: Scope = { collection, schema: collection.visible, words, isReadable, isInGroup: false, issues }
  const { asked } = query
  const end = asked.length - (own(query, 'search')?.length ?? 0)
  const conditions = asked.slice(0, end).filter((part) => {
    if (part.kind === 'filter') issues.push(inexpressible(part.filter, words))
    return part.kind !== 'filter'
  })
  const members = together(scope, conditions).map((member) => inRow(scope, member))
  if (issues.length === 0) {
    const wrong = contradiction({ ...query, asked: [...members, ...asked.slice(end)] })
    if (wrong === 'filter' || members.some((member) => depthOf(member) > deepestGroup))
      issues.push(inexpressible(query.filter, words))
    else if (wrong !== undefined) {
      const field = nameOfFacet(wrong)
      const message = `a query string cannot express the facet of ${field}: its filter is not that of the query without conditions on ${field}`
      issues.push(unsayable('facet_filter', message, { field }))
    }
  }
  return { members, issues }
}

export const depthOf = (member: BoundMember): number =>
  member.kind === 'condition' ? 0 : 1 + Math.max(...member.members.map(depthOf))

/** Converts the members of one `and`. A path accepts each operator once, so a second use goes into a group. */
function together(scope: Scope, members: readonly BoundMember[]): readonly BoundMember[] {
  const used = new Set<string>()
  return inOneEntry(scope, members)
    .flatMap((member) => written(scope, member))
    .map((member) => {
      if (member.kind !== 'condition') return member
      const key = keyOf(member)
      if (used.has(key)) return grouped(scope, member)
      used.add(key)
      return member
    })
}

const keyOf = (condition: BoundCondition): string => `${condition.operator} ${pathFrom(condition)}`

/** Joins conditions on one entry in one group if the moments of a day need a group: a separate group could match another entry. */
function inOneEntry(scope: Scope, members: readonly BoundMember[]): readonly BoundMember[] {
  if (scope.words.size === 0) return members
  const used = new Set<string>()
  const lists = new Map<string, Path>()
  for (const member of members) {
    const list = sharedList(member)
    if (member.kind !== 'condition' || list === undefined) continue
    for (const one of momentsOf(scope, member) ?? []) {
      if (one.kind !== 'condition' || used.has(keyOf(one))) lists.set(textOfPath(list), list)
      else used.add(keyOf(one))
    }
  }
  return Array.from(
    Map.groupBy(members, (member) => lists.get(textOfPath(sharedList(member) ?? [])) ?? member),
    ([list, [first, ...more]]) =>
      list === first
        ? first!
        : newGroup(
            'some',
            [first!, ...more].map((one) => ({ ...one, lists: one.lists.slice(1) })),
            [list as Path],
          ),
  )
}

/** Converts a member of the row. There, only a word begins a group, and the reader may ignore a condition without a value. */
function inRow(scope: Scope, member: BoundMember): BoundMember {
  if (member.kind !== 'condition') return isQuantifier(member.kind) ? newGroup('and', [member]) : member
  const { collection, words, issues } = scope
  const isLeftOut =
    collection.empty === 'ignore' &&
    operatorNamed.get(member.operator)!.operands === 'one' &&
    textOfOperand(member.operands[0]!) === ''
  if (!isLeftOut) return member
  if (words.size > 0) return grouped(scope, member)
  const field = pathFrom(member)
  const message = `a condition on ${field} with an empty text needs a group: the collection ignores pairs without a value`
  issues.push(unsayable('empty', message, { field }))
  return member
}

function grouped(scope: Scope, member: BoundMember): BoundMember {
  const group = newGroup('and', [member])
  return written(scope, group)[0]!
}

/** Converts a member. Adds an issue if a query string cannot contain it. */
function written(scope: Scope, member: BoundMember): readonly BoundMember[] {
  if (member.kind === 'condition') return writtenCondition(scope, member)
  const { kind, lists, members } = member
  const { words, issues, schema } = scope
  const list = lists.flat().join('.')
  const field = isQuantifier(kind) ? schema.paths.get(list) : undefined
  const isKnown = !isQuantifier(kind) || (field !== undefined && isSameField(field, { lists, path: [] }))
  if (words.size === 0 || !isKnown || !isName(list) || words.has(list)) {
    issues.push(inexpressible(combine([member]), words))
    return [member]
  }
  const inside = { ...scope, isInGroup: true, ...(isQuantifier(kind) && { schema: entrySchema(schema, list) }) }
  // The members of an `or` share no entry, and repeat operators freely.
  const alone = (one: BoundMember): BoundMember => {
    const all = together(inside, [one])
    return all.length === 1 ? all[0]! : newGroup('and', all)
  }
  return [newGroup(kind, kind === 'or' ? members.map(alone) : together(inside, members), lists)]
}

function writtenCondition(scope: Scope, condition: BoundCondition): readonly BoundMember[] {
  const { collection, schema, words, isInGroup, issues } = scope
  const { operands, literal } = condition
  const operator = operatorNamed.get(condition.operator)!
  const path = pathFrom(condition)
  const field = isInGroup && !isName(path) ? undefined : schema.paths.get(path)
  const refuse = (issue: Issue) => {
    issues.push(issue)
    return [condition]
  }
  if (
    field === undefined ||
    !isSameField(field, condition) ||
    field.literal !== literal ||
    !accepts(field, operator) ||
    operands.length === 0 ||
    !operands.every((operand) => isReadBack(operand, operator, field))
  )
    return refuse(inexpressible(combine([condition]), words))
  if (!takes(collection, field, operator)) return refuse(noOperator(field.name, operator.name))
  const members = momentsOf(scope, condition)
  if (members === undefined) return refuse(inexpressible(combine([condition]), words))
  return members[0] === condition ? members : members.flatMap((member) => written(scope, member))
}

/** Returns the condition itself if the reader of the text reads its operands; else its moments, if there are any. */
const momentsOf = ({ isReadable }: Scope, condition: BoundCondition): readonly BoundMember[] | undefined =>
  condition.operands.every(isReadable) ? [condition] : inMoments(condition, isReadable)

/** Whether the text of an operand parses to the same operand for this operator and field. */
export function isReadBack(operand: Operand, { operandKind }: OperatorRow, field: ResolvedField): boolean {
  if (operand.type === 'day' && operand.from === undefined) return field.type === 'datetime'
  const text = textOfOperand(operand)
  const read = readerOf(operandKind, field).fromText(text)
  // Operands of the same type and text are equal.
  return read !== undefined && read.type === operand.type && textOfOperand(read) === text
}
