/** Syntax + schema → bound pairs: names are resolved, and operands are read by their field's type. */
import { newSpan } from '../../ast/index.ts'
import type { Finding, Span } from '../../issue/index.ts'
import { isSearch, type Collection, type Operand, type Schema } from '../../language/index.ts'
import { newBudget } from '../../suggest.ts'
import {
  decode,
  decodeItem,
  parseList,
  type Condition,
  type Group,
  type Item,
  type Limits,
  type Member,
  type Pair,
  type Syntax,
} from '../../syntax/index.ts'
import { newPair, type BoundGroup, type BoundMember } from '../combine.ts'
import { entrySchema, isEntry } from '../entries.ts'
import {
  findCount,
  findDuplicate,
  findInvalidOperand,
  findLongList,
  findLongOperand,
  findMisplacedList,
  findMissingItem,
  findNameFaults,
  findPathFaults,
  findQuoteFault,
  findSearches,
  isTooDeep,
  withHint,
  type BindContext,
} from './findings.ts'
import { fewPairs, isNarrowedAway, keysOf, resolveKey, type ResolvedKey } from './keys.ts'

/** What the well-formed pairs and groups of a query say, in the order of the text; and what is wrong with all pairs. */
export interface Binding {
  readonly members: readonly BoundMember[]
  readonly findings: readonly Finding[]
}

/** What was read of a text before the pairs that are bound. */
interface Before {
  /** The names of the keys. */
  readonly names: readonly string[]
  /** The number of searches: no more than the limit. */
  readonly searches: number
}

/**
 * Finds out what each pair means, and each group. Every fault of every pair is a finding.
 *
 * @param reserved names that no message quotes.
 * @param collection what narrows the operators of fields, and has parameters.
 */
export function bind(
  schema: Schema,
  syntax: Syntax,
  limits: Limits,
  reserved: readonly string[],
  before: Before,
  collection?: Collection,
): Binding {
  const { source, pairs, groups, words } = syntax
  const findings: Finding[] = []
  const budget = newBudget()
  const given = { schema, collection, source, limits, reserved, words, budget }
  const context: BindContext = { ...given, isInGroup: false, isInEntry: false, findings, searches: [] }
  const all = groups === undefined ? pairs : [...pairs, ...groups].sort((a, b) => a.start - b.start)
  for (const finding of syntax.findings) findings.push(withHint(context, finding))
  const members = bindTogether(context, all, before.names)
  findSearches(context, before.searches)
  return { members, findings }
}

/** Binds the members of one `and`: a path has each operator once. */
function bindTogether(
  context: BindContext,
  members: readonly (Pair | Member)[],
  before: readonly string[] = [],
): BoundMember[] {
  const { schema, collection, source, limits } = context
  const keys = keysOf(schema)
  const bound: BoundMember[] = []
  const few: string[] = [...before]
  const many = members.length > fewPairs ? new Set(before) : undefined

  for (const pair of members) {
    if (pair.members !== undefined) {
      const group = bindGroup(context, pair)
      if (group !== undefined) bound.push(group)
      continue
    }
    const key = pair.names > limits.depth ? undefined : resolveKey(keys, source, pair)
    if (key === undefined || isNarrowedAway(collection, key)) {
      findNameFaults(context, pair)
      continue
    }
    if (many === undefined ? few.includes(key.name) : many.has(key.name)) findDuplicate(context, pair, key)
    if (many === undefined) few.push(key.name)
    else many.add(key.name)
    if (isSearch(key.operator, key.field, context.isInEntry)) context.searches.push({ pair, key })

    const { field, operator } = key
    const operands = readOperands(context, pair, key)
    if (operands !== undefined) bound.push(newPair(field, operator, operands, newSpan(pair.start, pair.end)))
  }
  return bound
}

// --- Groups

/** A group with what it can bind; `undefined`, and a finding, when it is about the entries of no list. */
function bindGroup(context: BindContext, { word, path, names, members, start, end }: Group): BoundGroup | undefined {
  const { schema, source } = context
  const span = newSpan(start, end)
  if (word !== undefined) {
    const inside = context.isInGroup ? context : { ...context, isInGroup: true }
    // Each member of an `or` is by itself.
    const bound =
      word === 'or' ? members.flatMap((member) => bindTogether(inside, [member])) : bindTogether(inside, members)
    return { word, lists: [], members: bound, span }
  }
  const field = isTooDeep(context, names) ? undefined : schema.paths.get(decode(source, path))
  if (field === undefined || !isEntry(field)) {
    findPathFaults(context, path, names, field)
    return undefined
  }
  const entries = { ...context, isInGroup: true, isInEntry: true, schema: entrySchema(schema, decode(source, path)) }
  return { word: 'some', lists: field.lists, members: bindTogether(entries, members), span }
}

// --- Operands

/** The operands of a pair; `undefined` when one of them is invalid, or when there are too few or too many. */
function readOperands(context: BindContext, pair: Pair | Condition, key: ResolvedKey): readonly Operand[] | undefined {
  const isOne = key.operator.operands === 'one'
  if (pair.isList === isOne) {
    findMisplacedList(context, pair.value, key)
    return undefined
  }
  if (!isOne) return readList(context, pair.value, pair.items ?? parseList(context.source, pair.value), key)
  const operand =
    pair.items === undefined
      ? readOperand(context, decode(context.source, pair.value), pair.value, key)
      : readItem(context, pair.items[0]!, key)
  return operand && [operand]
}

function readList(
  context: BindContext,
  value: Span,
  items: readonly Item[],
  key: ResolvedKey,
): readonly Operand[] | undefined {
  const { limits, findings } = context
  const { operator } = key
  const before = findings.length
  const operands: Operand[] = []
  const count = items.length
  if (count > limits.list) {
    // The items are not read: what is wrong with them would come first, and there may be more of it than is reported.
    findLongList(context, key, { start: items[limits.list]!.start, end: value.end }, count)
  } else {
    for (const item of items) {
      const operand = readItem(context, item, key)
      if (operand !== undefined) operands.push(operand)
    }
  }
  // An open quote may have swallowed the comma.
  const isOpen = items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && count !== 2 && !isOpen) findCount(context, key, value, count)
  return findings.length > before ? undefined : operands
}

function readItem(context: BindContext, item: Item, key: ResolvedKey): Operand | undefined {
  if (item.quoteFault !== undefined) findQuoteFault(context, key, item, item.quoteFault)
  else if (item.start === item.end) findMissingItem(context, key, item)
  else return readOperand(context, decodeItem(context.source, item), item, key)
  return undefined
}

/** The operand that a decoded text means; `undefined`, and a finding, when it is invalid. */
function readOperand(context: BindContext, text: string, span: Span, key: ResolvedKey): Operand | undefined {
  if (text.length > context.limits.operand) {
    findLongOperand(context, key, span, text.length)
    return undefined
  }
  const operand = key.reader.fromText(text, key.field)
  if (operand === undefined) findInvalidOperand(context, key, span, text)
  return operand
}
