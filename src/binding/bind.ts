/** Binds conditions to a schema: resolves their names, and reads each operand by the type of its field. */
import { newSpan } from '../tree/index.ts'
import { operatorNamed, searchesOf, noteUse, entrySchema, isEntry, quantified } from '../language/index.ts'
import type { Operand, ResolvedField } from '../language/index.ts'
import { keyOf, spanIn } from '../asked/index.ts'
import type { Condition, Group, Item, Member, PairAt, Part, Value } from '../asked/index.ts'
import { addCondition, newCondition, newGroup } from '../query/index.ts'
import type { BoundGroup, BoundMember, Conditions } from '../query/index.ts'
import {
  findCount,
  findDuplicate,
  findInvalidOperand,
  findLongList,
  findLongOperand,
  findMissingItem,
  findNameFaults,
  findNotApplicable,
  findPathFaults,
  findQuoteFault,
  leaveOutItems,
  renamedKey,
  isTooDeep,
  type BindContext,
  type Repeated,
} from './findings.ts'
import { isNarrowedAway, resolveKey, type ResolvedKey } from './keys.ts'
import { own } from '../own.ts'

/** The members of one `and`. A path has each operator once in it. */
export interface Together {
  readonly members: BoundMember[]
  /** The filter of a row, as far as it is read, where no query keeps the members: `members` is then empty. */
  readonly row: Conditions | undefined
  /** The names of the keys that came before. */
  readonly names: { includes(name: string): boolean; push(name: string): void }
}

/** Up to so many names are compared one by one, which is faster than a Set (docs/internals/performance.md). */
const fewNames = 16

export function newNames(most: number): Together['names'] {
  if (most <= fewNames) return []
  const names = new Set<string>()
  return { includes: (name) => names.has(name), push: (name) => void names.add(name) }
}

/** Resolves the names of a condition, and reads its operands. Each fault becomes a finding. `isList`: `[]` follows the path. */
export function bindCondition(
  context: BindContext,
  together: Together,
  condition: Condition,
  isList = false,
  key = keyIn(context, condition),
): void {
  const { at, names, operator, row, value } = condition
  if (key !== undefined && isList) bindRepeated(context, together, key, at, value, true)
  else if (key !== undefined && (row !== undefined || !isNarrowedAway(context.collection, key))) {
    if (row === undefined && isLeftOut(context, value, key.field)) return
    if (context.repeated !== undefined && operator === undefined) bindRepeated(context, together, key, at, value, false)
    else bindOperands(context, together, key, at, value)
  } else {
    findNameFaults(context, condition)
    // Another API's name of an operator still decides how the operand is read, so both faults are reported.
    const meant = isTooDeep(context, names) ? undefined : renamedKey(context, condition)
    if (meant !== undefined && !isLeftOut(context, value)) bindOperands(context, together, meant, at, value)
  }
}

/** The key of a condition; `undefined` where a name is unknown, or the path has too many names. */
export const keyIn = (context: BindContext, condition: Condition): ResolvedKey | undefined =>
  isTooDeep(context, condition.names) ? undefined : resolveKey(context, condition)

export function bindOperands(
  context: BindContext,
  { members, row, names }: Together,
  key: ResolvedKey,
  pair: PairAt,
  value: Value,
): void {
  noteKey(context, key, pair)
  if (names.includes(key.name)) findDuplicate(context, pair, key)
  names.push(key.name)
  const { field, operator } = key
  for (let left = searchesOf(operator, field, value.items?.length ?? 1, context); left > 0; left--)
    context.searches.push({ pair, key })
  const operands = readOperands(context, value, key)
  if (operands === undefined) return
  const span = spanIn(context.source, pair)
  if (row === undefined) members.push(newCondition(field, operator, operands, span))
  else addCondition(row, field, operator, operands, span)
}

/** Whether a collection leaves out a value: an empty one, outside of groups. It notes the field. */
export function isLeftOut(context: BindContext, { start, end }: Value, field?: ResolvedField): boolean {
  const isLeft = start === end && !context.isInGroup && context.collection?.empty === 'ignore'
  if (isLeft && field !== undefined) context.leftOut.push(field)
  return isLeft
}

/** The path of a key, as its text has it from the row on. */
const nameIn = ({ prefix }: BindContext, { field, alias }: ResolvedKey): string =>
  alias === undefined ? field.name : prefix + alias

function noteKey(context: BindContext, key: ResolvedKey, pair: PairAt): void {
  if (context.uses !== undefined) noteUse(context.uses, nameIn(context, key), keyOf(pair))
}

// --- Lists of repeated pairs

/** Binds a pair without an operator: one of a path is an `equals`, several or `[]` are an `in`. A comma in a value is a letter. */
export function bindRepeated(
  context: BindContext,
  { members, names }: Together,
  key: ResolvedKey,
  pair: PairAt,
  value: Value,
  isList: boolean,
): void {
  if (isLeftOut(context, value, key.field)) return
  noteKey(context, key, pair)
  const { field } = key
  const repeated = context.repeated!
  const several = { ...key, name: `${field.name}[${inOperator.name}]`, operator: inOperator }
  const canRepeat = inOperator.types.includes(field.type) && !isNarrowedAway(context.collection, several)
  if (isList && !canRepeat) {
    findNotApplicable(context, several, keyOf(pair))
    return
  }
  const written = key.alias ?? field.name
  const before = repeated.get(field.name)
  const isMore = before !== undefined && before.written === written && canRepeat
  const path: Repeated = isMore ? before : { written, at: -1, operands: [], count: 0, isList: false, excess: undefined }
  if (before === undefined) repeated.set(field.name, path)
  const used = isList || isMore ? several : key
  if (!isMore || !path.isList) {
    if (names.includes(used.name)) findDuplicate(context, pair, used)
    names.push(used.name)
  }
  path.count++
  path.isList = used === several
  if (path.isList && path.count > context.limits.list) {
    if (path.excess === undefined) path.excess = findLongList(context, several, pair, path.count)
    else path.excess.found = path.count
    return
  }
  const operand = readOperand(context, value, used)
  if (operand === undefined) path.at = -1
  else if (!isMore) {
    path.operands.push(operand)
    path.at = members.push(newCondition(field, used.operator, path.operands, spanIn(context.source, pair))) - 1
  } else if (path.at >= 0) {
    path.operands.push(operand)
    const { span } = members[path.at]!
    members[path.at] = newCondition(field, inOperator, path.operands, span && newSpan(span.start, pair.end))
  }
}
const inOperator = /* @__PURE__ */ operatorNamed.get('in')!

// --- Groups

/** Binds the members of a group. A group after the path of a scalar or an object is an issue, and binds to `undefined`. */
export function bindGroup(context: BindContext, { at, word, path, names, members }: Group): BoundGroup | undefined {
  const { schema } = context
  const span = spanIn(context.source, at)
  if (word !== undefined) {
    const inside = context.isInGroup ? context : { ...context, isInGroup: true, repeated: undefined }
    return newGroup(word, bindAll(inside, members, word === 'or'), undefined, span)
  }
  const of = quantified(schema, path.text)
  const length = of.word === 'some' ? names : names - 1
  const field = isTooDeep(context, length) ? undefined : schema.paths.get(of.list)
  if (field === undefined || !isEntry(field)) {
    findPathFaults(context, path, length, field)
    return undefined
  }
  const name = context.prefix + of.list
  if (context.uses !== undefined) noteUse(context.uses, name, path)
  const entries = {
    ...context,
    isInGroup: true,
    isInEntry: true,
    repeated: undefined,
    prefix: `${name}.`,
    schema: entrySchema(schema, of.list),
  }
  const before = context.searches.length
  const bound = bindAll(entries, members)
  // The group reads the list once, whatever the number of its conditions.
  if (context.searches.length === before) context.searches.push({ pair: at, key: undefined })
  return newGroup(of.word, bound, field.lists, span)
}

/** @param isOr the members of an `or` may have the same path and operator, those of another group may not. */
function bindAll(context: BindContext, members: readonly Member[], isOr = false): readonly BoundMember[] {
  const bound: BoundMember[] = []
  const together: Together = { members: bound, row: undefined, names: newNames(members.length) }
  for (const member of members) {
    if (member.members === undefined) bindCondition(context, isOr ? { ...together, names: [] } : together, member)
    else {
      const group = bindGroup(context, member)
      if (group !== undefined) bound.push(group)
    }
  }
  return bound
}

// --- Operands

/** Reads the operands of a value: `undefined` when one is invalid, or when their number is wrong. */
function readOperands(context: BindContext, value: Value, key: ResolvedKey): readonly Operand[] | undefined {
  const { items, isList } = value
  const isOne = key.operator.operands === 'one'
  // Without the first comparison, V8 drops its code each time that `undefined` is compared with a boolean (`--trace-deopt`).
  if (isList !== undefined && isList === isOne) {
    // In a group, parentheses distinguish a list from a single operand.
    findCount(context, key, value, null)
    if (!isOne) leaveOutItems(context, value)
    return undefined
  }
  if (!isOne) return readList(context, value, items!, key)
  const operand = isList === undefined ? readOperand(context, value, key) : readItem(context, items![0]!, key, true)
  return operand && [operand]
}

function readList(
  context: BindContext,
  value: Value,
  items: readonly Item[],
  key: ResolvedKey,
): readonly Operand[] | undefined {
  const { limits, findings } = context
  const { operator } = key
  const before = findings.length
  const operands: Operand[] = []
  const count = items.length
  if (count > limits.list) {
    // The items are not read: their faults would come first, and could fill the list of issues.
    findLongList(context, key, { start: items[limits.list]!.start, end: value.end }, count)
  } else if (operator.operands !== 'two' || count !== 1 || !isJoined(context, items[0]!, key)) {
    for (const item of items) {
      const operand = readItem(context, item, key, count === 1)
      if (operand !== undefined) operands.push(operand)
    }
  }
  // An open quote may contain the comma.
  const isOpen = items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && count !== 2 && !isOpen) findCount(context, key, value, count)
  return findings.length > before ? undefined : operands
}

/** Whether an item is two operands without a comma between them: `5-10`, `5..10`. The wrong number of operands is its only fault. */
function isJoined({ limits }: BindContext, { text, quoteFault }: Item, { reader }: ResolvedKey): boolean {
  if (quoteFault !== undefined) return false
  if (text.length > limits.operand) return false
  return joints.some((joint) => {
    const parts = text.split(joint)
    return parts.length === 2 && parts.every((part) => reader.fromText(part.trim()) !== undefined)
  })
}
const joints = ['..', '...', ';', '|', ':', '-', ' ', 'to', '~', '/']

function readItem(context: BindContext, item: Item, key: ResolvedKey, isWhole: boolean): Operand | undefined {
  if (item.quoteFault !== undefined) findQuoteFault(context, key, item, item.quoteFault)
  else if (item.start === item.end && own(item, 'isText') !== true) findMissingItem(context, key, item, isWhole)
  else return readOperand(context, item, key)
  return undefined
}

/** Reads a decoded text by the type of the field. An invalid one is `undefined`, and found. */
function readOperand(context: BindContext, part: Part, key: ResolvedKey): Operand | undefined {
  const { text } = part
  if (text.length > context.limits.operand) {
    findLongOperand(context, key, part, text.length)
    return undefined
  }
  const operand = key.reader.fromText(text, context.clock)
  if (operand === undefined) findInvalidOperand(context, key, part)
  return operand
}
