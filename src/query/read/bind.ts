/** Syntax + schema → bound pairs: names are resolved, and operands are read by their field's type. */
import { newSpan } from '../../ast/index.ts'
import { quoteName, type Finding, type IssueCode, type Span, type Wording } from '../../issue/index.ts'
import {
  defaultOperator,
  isSearch,
  operatorNamed,
  valuesOf,
  type Collection,
  type Operand,
  type ResolvedField,
  type Schema,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import { newBudget, type Budget } from '../../suggest.ts'
import {
  decode,
  decodeClear,
  decodeItem,
  mayHoldSecret,
  parseList,
  startOfPair,
  type Condition,
  type Group,
  type Item,
  type Limits,
  type Malformed,
  type Member,
  type Pair,
  type Source,
  type Syntax,
} from '../../syntax/index.ts'
import { newPair, type BoundGroup, type BoundMember } from '../combine.ts'
import { entrySchema, isEntry } from '../entries.ts'
import {
  duplicateHint,
  enumerate,
  fieldHint,
  groupHint,
  malformedHint,
  notApplicableHint,
  operandHint,
  operatorHint,
  searchHint,
} from './hints.ts'
import { fewPairs, isNarrowedAway, keysOf, resolveKey, type ResolvedKey } from './keys.ts'
import type { GroupWords } from '../group-words.ts'

/** What the well-formed pairs and groups of a query say, in the order of the text; and what is wrong with all pairs. */
export interface Binding {
  readonly members: readonly BoundMember[]
  readonly findings: readonly Finding[]
}

/** What binding a pair needs besides the pair. */
interface Context {
  /** In a group after the path of a list, the fields of its entries. */
  readonly schema: Schema
  readonly isInGroup: boolean
  readonly isInEntry: boolean
  readonly collection: Collection | undefined
  readonly source: Source
  readonly limits: Limits
  readonly reserved: readonly string[]
  readonly words: GroupWords
  /** For the suggestions of all hints together. */
  readonly budget: Budget
  /** Every function below adds what it finds. */
  readonly findings: Finding[]
  /** The searches, in the order of the text. */
  readonly searches: Search[]
}

/** A condition for which the database compares the text of every row. */
interface Search {
  readonly pair: Span
  readonly key: ResolvedKey
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
  const context: Context = { ...given, isInGroup: false, isInEntry: false, findings, searches: [] }
  const all = groups === undefined ? pairs : [...pairs, ...groups].sort((a, b) => a.start - b.start)
  for (const finding of syntax.findings) findings.push(withHint(context, finding))
  const members = bindTogether(context, all, before.names)
  findSearches(context, before.searches)
  return { members, findings }
}

/** What is malformed, with what its key means in another API. */
function withHint(context: Context, finding: Syntax['findings'][number]): Finding {
  const pair = own(finding, 'pair')
  if (pair === undefined) return finding
  const tell = () => {
    const wording = finding.tell()
    return { ...wording, hint: hintOf(context, pair) ?? wording.hint }
  }
  return { ...finding, tell }
}

function hintOf(context: Context, { key, value, isInGroup, lists }: Malformed): string | undefined {
  let { schema } = context
  for (const list of lists) {
    const path = decodeClear(context.source, list) ?? ''
    const field = schema.paths.get(path)
    if (field === undefined || !isEntry(field)) return undefined
    schema = entrySchema(schema, path)
  }
  const { source } = context
  return malformedHint({ ...context, schema, isInGroup }, decode(source, key), value && decode(source, value))
}

/** Binds the members of one `and`: a path has each operator once. */
function bindTogether(
  context: Context,
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
function bindGroup(context: Context, { word, path, names, members, start, end }: Group): BoundGroup | undefined {
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

/** What is wrong with a path before a group. */
function findPathFaults(context: Context, path: Span, names: number, field: ResolvedField | undefined): void {
  const { source } = context
  if (field === undefined) {
    const hint = () => groupHint(context, decode(source, path))
    return findUnknownPath(context, path, names, hint)
  }
  context.findings.push({
    code: 'operator_not_applicable',
    span: { start: path.start, end: path.end },
    tell: () => ({
      message: `${field.name} is not a list: it takes no group`,
      hint: notApplicableHint(context, field),
      path: field.name,
    }),
  })
}

// --- Names

const isTooDeep = ({ limits }: Context, names: number): boolean => names > limits.depth

/**
 * A part of a key for a message, unless it may hold a secret: it, or what comes before it in its pair.
 *
 * @param known the path of a known field before the part, which may be shown.
 */
function quote({ source, reserved }: Context, { start, end }: Span, known?: Span): string {
  const first = startOfPair(source, start)
  const pieces = known
    ? [
        { start: first, end: known.start },
        { start: known.end, end },
      ]
    : [{ start: first, end }]
  const isSecret = pieces.some((piece) => mayHoldSecret(source, piece, reserved))
  return isSecret ? '' : ` ${quoteName(decode(source, { start, end }))}`
}

function findUnknownPath(context: Context, path: Span, names: number, hint: () => string | undefined): void {
  const { limits, findings } = context
  if (isTooDeep(context, names)) {
    const message = `path too deep: ${names} names, limit ${limits.depth}`
    findings.push({ code: 'limit_depth', span: path, tell: () => ({ message }) })
    return
  }
  // An operator alone is about an entry, where there is one.
  if (path.start === path.end) {
    const hint = 'an operator alone is about the entries of a list: list([operator]=value)'
    findings.push({ code: 'syntax_name', span: path, tell: () => ({ message: 'missing field name', hint }) })
    return
  }
  findings.push({
    code: 'field_unknown',
    span: path,
    tell: () => ({
      message: `unknown field${quote(context, path)}`,
      hint: hint(),
    }),
  })
}

/** What is wrong with a key that asks for nothing. */
function findNameFaults(context: Context, pair: Pair | Condition): void {
  const { schema, source, findings } = context
  const field = isTooDeep(context, pair.names) ? undefined : schema.paths.get(decode(source, pair.path))
  const operator = pair.operator === undefined ? defaultOperator : operatorNamed.get(decode(source, pair.operator))

  if (field === undefined) {
    const hint = () =>
      fieldHint(context, decode(source, pair.key), decode(source, pair.path), decode(source, pair.value))
    findUnknownPath(context, pair.path, pair.names, hint)
    if (pair.path.start === pair.path.end) return
  }
  if (operator === undefined) {
    const span = pair.operator!
    findings.push({
      code: 'operator_unknown',
      span,
      tell: () => ({
        message: `unknown operator${quote(context, span, field && pair.path)}`,
        hint: operatorHint(context, field, decode(source, pair.key), decode(source, span), decode(source, pair.value)),
        path: field?.name,
      }),
    })
  } else if (field !== undefined) {
    findings.push({
      code: 'operator_not_applicable',
      span: pair.operator ?? pair.path,
      tell: () => ({
        message: `operator ${operator.name} is not available for ${field.name}`,
        hint: notApplicableHint(context, field),
        path: field.name,
        operator: operator.name,
      }),
    })
  }
}

function findDuplicate(context: Context, pair: Pair | Condition, key: ResolvedKey): void {
  const { isInGroup } = context
  add(context, key, 'duplicate_condition', pair.key, () => ({
    message: `duplicate condition: ${key.name} is already in the ${isInGroup ? 'group' : 'query'}`,
    hint: duplicateHint(context, key.field, key.operator),
  }))
}

/** @param before how many searches came before these. */
function findSearches(context: Context, before: number): void {
  const { limits, searches } = context
  const count = before + searches.length
  if (count <= limits.searches) return
  const { pair, key } = searches[limits.searches - before]!
  add(context, key, 'limit_searches', pair, () => ({
    message: `too many searches: ${count}, limit ${limits.searches}`,
    hint: searchHint(count - limits.searches),
  }))
}

/** Adds a finding about a key with its names resolved. */
function add(
  { findings }: Context,
  { field, operator }: ResolvedKey,
  code: IssueCode,
  span: Span,
  tell: () => Wording,
): void {
  findings.push({ code, span, tell: () => ({ ...tell(), path: field.name, operator: operator.name }) })
}

// --- Operands

/** The operands of a pair; `undefined` when one of them is invalid, or when there are too few or too many. */
function readOperands(context: Context, pair: Pair | Condition, key: ResolvedKey): readonly Operand[] | undefined {
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

/** In a group, parentheses tell a list from a single operand. */
function findMisplacedList(context: Context, value: Span, key: ResolvedKey): void {
  const { name, operands } = key.operator
  const [message, hint] =
    operands === 'one'
      ? [`operator ${name} expects one value, not a list`, 'put a value that begins with a parenthesis in quotes']
      : [`operator ${name} expects a list in parentheses`, `write ${operands === 'two' ? '(low,high)' : '(a,b)'}`]
  add(context, key, 'operand_count', value, () => ({ message, hint }))
}

function readList(
  context: Context,
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
    const message = `list too long: ${count} items, limit ${limits.list}`
    add(context, key, 'limit_list', { start: items[limits.list]!.start, end: value.end }, () => ({ message }))
  } else {
    for (const item of items) {
      const operand = readItem(context, item, key)
      if (operand !== undefined) operands.push(operand)
    }
  }
  // An open quote may have swallowed the comma.
  const isOpen = items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && count !== 2 && !isOpen) {
    const message = `operator ${operator.name} expects two values, low,high: found ${count}`
    add(context, key, 'operand_count', value, () => ({ message }))
  }
  return findings.length > before ? undefined : operands
}

function readItem(context: Context, item: Item, key: ResolvedKey): Operand | undefined {
  const { quoteFault } = item
  if (quoteFault !== undefined) {
    add(context, key, 'operand_quote', item, () => ({ message: quoteFaults[quoteFault], hint: quoteHint }))
    return undefined
  }
  if (item.start === item.end) {
    const isOne = key.operator.operands === 'one'
    const hint =
      key.field.type === 'string' && key.operator.reads !== 'flag'
        ? 'write an empty string as ""'
        : isOne
          ? 'write a value after the "="'
          : 'write one item on each side of a comma'
    const message = isOne ? 'missing value' : 'missing list item'
    add(context, key, 'operand_empty', item, () => ({ message, hint }))
    return undefined
  }
  return readOperand(context, decodeItem(context.source, item), item, key)
}

const quoteFaults: { readonly [F in NonNullable<Item['quoteFault']>]: string } = {
  unterminated: 'unclosed quote',
  escape: 'invalid escape: expected a quote or a backslash after the backslash',
  'text after': 'unexpected text after the closing quote',
}
const quoteHint = 'in a quoted item, write \\" for a quote and \\\\ for a backslash'

/** The operand that a decoded text means; `undefined`, and a finding, when it is invalid. */
function readOperand(context: Context, text: string, span: Span, key: ResolvedKey): Operand | undefined {
  const { field, operator, reader } = key
  const { operand: limit } = context.limits
  if (text.length > limit) {
    const message = `value too long: ${text.length} characters, limit ${limit}`
    add(context, key, 'limit_operand', span, () => ({ message }))
    return undefined
  }
  const operand = reader.fromText(text, field)
  if (operand === undefined) {
    add(context, key, 'operand_invalid', span, () => {
      const subject = operator.reads === 'flag' ? key.name : field.name
      return {
        message: `invalid value for ${subject}: expected ${expectedOf(key)}`,
        hint: operandHint(context, text, field, operator),
      }
    })
  }
  return operand
}

function expectedOf({ field, operator, reader }: ResolvedKey): string {
  const values = valuesOf(field)
  if (operator.reads === 'value' && values !== undefined) return `one of ${enumerate(values)}`
  const notation = own(reader, 'notation')
  return notation === undefined ? reader.expected : `${reader.expected}, ${notation}`
}
