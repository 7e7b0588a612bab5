/** Translates the conditions of a client into the language of this library. */
import { type Advice, type Finding, type Span, namesOf } from '../../issue/index.ts'
import { defaultOperator, operatorNamed, allows, offeredPaths, pairsFinding } from '../../language/index.ts'
import type { GroupWord, OperatorName, OperatorRow, ResolvedField } from '../../language/index.ts'
import type { Condition, Group, Item, Member } from '../../asked/index.ts'
import { own } from '../../own.ts'
import { isDay } from '../../values/time.ts'
import { find, findForm, findUnknown, findUnknownWord, findWord, isShown, wordText } from './client.ts'
import type { Token } from './located.ts'
import type { Client, ClientCondition, ClientGroup, ClientMember, Meaning } from './tables.ts'

/** A condition with an operator of this library. */
interface RowCondition extends Condition {
  readonly row: OperatorRow
  /** Whether it leaves out the rows without a value, which the client's negation does not select. */
  readonly isMade: boolean
}
type ConditionOrGroup = RowCondition | Group

/** The operators whose complement has a name. */
export const complements: Readonly<Record<string, OperatorName>> = {
  equals: 'notEqual',
  in: 'nin',
  contains: 'doesNotContain',
}

/** Operators for the first moment of a day, in clients that compare texts: `2024-01-31` is before `2024-01-31T00:00:00Z`. */
const operatorsOfDay: Readonly<Record<string, OperatorName>> = { gt: 'gte', gte: 'gte', lt: 'lt', lte: 'lt' }

/** The operator of a meaning, and the one that the collection must allow: its complement, where a negation has one. */
function senseOf(meaning: Meaning, isNegated = false): { isNot: boolean; operator: OperatorRow; needed: OperatorRow } {
  const isNot = meaning.startsWith('!') !== isNegated
  const operator = operatorNamed.get(meaning.replace('!', ''))!
  const complement = isNot ? complements[operator.name] : undefined
  return { isNot, operator, needed: complement === undefined ? operator : operatorNamed.get(complement)! }
}

/** The client's words for the operators of a field. */
export function wordsFor(
  { tables, collection }: Pick<Client, 'tables' | 'collection'>,
  field: ResolvedField,
): readonly string[] {
  return Object.entries(tables.operators).flatMap(([word, meaning]) =>
    allows(field, senseOf(meaning).needed, collection) && isShown(tables, word) ? [wordText(word)] : [],
  )
}

/** Translates the field, the operator and the values of a condition. Records a fault and returns an empty list if one of them is invalid. */
function nodesOf(client: Client, condition: ClientCondition, isUnder: boolean): readonly ConditionOrGroup[] {
  const { tables, collection, paths } = client
  const { path, word, values, isList, whole } = condition
  const field = paths.get(path.text)
  if (field === undefined) {
    findUnknown(client, path, offeredPaths(collection))
    return []
  }
  if (!Object.hasOwn(tables.operators, word.text)) {
    findUnknownWord(client, word, path.text, wordsFor(client, field), field.name)
    return []
  }
  const several = isList || values.length > 1
  const ofSeveral = several && own(tables.severals ?? {}, word.text)
  const named = ofSeveral || tables.operators[word.text]!
  const placed = ofSeveral === 'all' && field.lists.length === 0 ? 'in' : named
  const { isNot, operator, needed } = senseOf(placed, isUnder !== (condition.isNegated === true))
  if (!allows(field, needed, collection)) {
    const advice: Advice = {
      kind: 'operators',
      field: path.text,
      operators: wordsFor(client, field),
      inside: namesOf([]),
    }
    const more = { path: field.name, operator: needed.name }
    find(
      client,
      'operator_not_applicable',
      word.text === '' ? path : word,
      { field: field.name, operator: wordText(word.text), advice: [advice] },
      more,
    )
    return []
  }
  if (values.length === 0) {
    findForm(client, path.text, whole, 'a list with a value in it', field.name)
    return []
  }
  // Only JSON has null.
  const nothing = values.find((value) => value.isNull)
  if (nothing !== undefined) {
    if (operator.name === 'equals' && !several) return [flagOf(client, condition, String(isNot))]
    if (operator.name === 'notEqual' && !several) return [flagOf(client, condition, 'true')]
    findForm(client, field.name, nothing, 'a value, not null', field.name)
    return []
  }
  if (operator === exists) {
    const flip = (value: Token): Token =>
      isNot && /^(?:true|false)$/.test(value.text) ? { ...value, text: String(value.text === 'false') } : value
    return values.map((value) => conditionOf(client, condition, exists, [flip(value)]))
  }
  const ofDay = own(operatorsOfDay, operator.name)
  const isText = tables.day === 'text' && field.type === 'datetime'
  const day = isText ? values.find(({ text }) => isDay(text)) : undefined
  if (day !== undefined && ofDay === undefined) {
    findForm(
      client,
      field.name,
      day,
      `a moment, such as 2024-01-31T10:00:00Z: in ${tables.name}, no moment equals a day`,
      field.name,
    )
    return []
  }
  const nodes: ConditionOrGroup[] = []
  if (operator.operands !== 'one') nodes.push(conditionOf(client, condition, needed, values))
  // An operator with one operand becomes a condition for each value: the parser refuses the second condition as a duplicate.
  else
    for (const value of values) {
      const isOfDay = isText && isDay(value.text)
      const row = isOfDay ? operatorNamed.get(ofDay!)! : needed
      nodes.push(conditionOf(client, condition, row, [isOfDay ? { ...value, text: `${value.text}T00:00:00Z` } : value]))
    }
  if (!isNot) return nodes
  const none = needed === operator ? nodes.map((inner) => groupOf('not', word, [inner])) : nodes
  return [...none, flagOf(client, condition, 'true', true)]
}
const exists = /* @__PURE__ */ operatorNamed.get('exists')!

function flagOf(client: Client, condition: ClientCondition, text: string, isMade = false): RowCondition {
  const { start, end } = condition.word
  return conditionOf(client, condition, exists, [{ text, start, end }], isMade)
}

function conditionOf(
  { tables }: Client,
  { path, word, whole }: ClientCondition,
  row: OperatorRow,
  values: readonly Token[],
  isMade = false,
): RowCondition {
  const key = row === defaultOperator ? path : around([path, word])
  // In a list with commas an empty item is a fault; elsewhere it is a text.
  const isText = tables.list !== ','
  const items: Item[] = []
  for (const value of values) items.push({ ...value, quoteFault: undefined, isText })
  return {
    at: { start: whole.start, equals: key.end, end: whole.end, key },
    path,
    names: path.text.split('.').length,
    operator: { start: word.start, end: word.end, text: row.name },
    row,
    value: { ...around(values), text: values[0]!.text, items, isList: undefined },
    members: undefined,
    isMade,
  }
}

function around(spans: readonly Span[]): Span {
  let { start, end } = spans[0]!
  for (const span of spans) {
    if (span.start < start) start = span.start
    if (span.end > end) end = span.end
  }
  return { start, end }
}

function groupOf(word: GroupWord, { start, end }: Span, nodes: readonly ConditionOrGroup[]): Group {
  const members = word === 'and' ? once(nodes) : nodes
  const at = around([{ start, end }, ...members.map(({ at }) => at)])
  return { at, word, path: { start, end, text: word }, names: 1, members }
}

/**
 * Translates a condition about the entries of a list. As nestjs-paginate documents it, `$all` requires two facts: one entry satisfies the
 * condition, and no entry with a value violates it.
 */
function quantifiedOf(client: Client, condition: ClientCondition, word: Token): readonly ConditionOrGroup[] {
  const { path } = condition
  const quantifier = client.tables.quantifiers![word.text]!
  const field = client.paths.get(path.text)
  if (field === undefined || isPlain(client, condition)) return nodesOf(client, condition, false)
  const list = field.lists[0]?.join('.')
  if (field.lists.length !== 1 || field.path.length === 0) {
    findForm(client, path.text, word, `absent: only a field in a list of objects has ${word.text}`, field.name)
    return []
  }
  if (!client.collection.parameters.has('and')) {
    findWord(client, word, { kind: 'no_groups' })
    return []
  }
  const inner = field.path.join('.')
  const inEntry = (node: ConditionOrGroup): ConditionOrGroup =>
    node.members === undefined
      ? { ...node, path: { ...node.path, text: inner }, names: field.path.length }
      : { ...node, members: (node.members as readonly ConditionOrGroup[]).map(inEntry) }
  const entries = (text: string, isUnder: boolean): readonly ConditionOrGroup[] => {
    const members = nodesOf(client, condition, isUnder).map(inEntry)
    const { start, end } = word
    return members.length === 0
      ? []
      : [{ at: condition.whole, word: undefined, path: { start, end, text }, names: text.split('.').length, members }]
  }
  if (quantifier !== 'every') return entries(quantifier === 'none' ? `${list}.none` : list!, false)
  const before = client.findings.length
  const some = entries(list!, false)
  return client.findings.length > before ? [] : [...some, ...entries(`${list}.none`, true)]
}

/** Whether a condition about some entry means the same without its quantifier. */
export const isPlain = ({ tables }: Client, { quantifier, word, isNegated }: ClientCondition): boolean =>
  quantifier === undefined ||
  (tables.quantifiers![quantifier.text] === 'some' && isNegated !== true && tables.operators[word.text]?.[0] !== '!')

/** @param isUnder whether a group of the client negates `member`. A row without a value satisfies neither a condition nor its negation. */
function lower(client: Client, member: ClientMember, isUnder: boolean): readonly ConditionOrGroup[] {
  if (member.group === undefined)
    return member.quantifier === undefined
      ? nodesOf(client, member, isUnder)
      : quantifiedOf(client, member, member.quantifier)
  const { group, word, members } = member
  const isFound = client.findings.some(({ span }) => span.start === word.start)
  if (!client.collection.parameters.has(group) && !isFound) findNoGroup(client, member)
  const isInside = isUnder !== (group === 'not')
  return together(
    client,
    members.map((one) => lower(client, one, isInside)),
    isInside !== (group === 'or') ? 'or' : 'and',
    word,
  )
}

/** Translates a member outside groups. There, a collection may ignore empty values. */
function lowerRow(client: Client, member: ClientMember): readonly ConditionOrGroup[] {
  if (member.group !== undefined || client.collection.empty !== 'ignore') return lower(client, member, false)
  const values = member.values.filter((value) => !isMissing(client, member, value))
  if (values.length > 0 || member.values.length === 0) return lower(client, { ...member, values }, false)
  // Reports the faults of its names.
  lower(client, member, false)
  return []
}

/** Whether a pair has nothing after its `=`, or a member of JSON an empty text. An empty text after an operator is a value. */
function isMissing({ source, tables }: Client, { isList }: ClientCondition, { text, start, end }: Token): boolean {
  if (text !== '') return false
  return tables.list === '[]' ? !isList : start === end && source.text[start - 1] === '='
}

const findNoGroup = (client: Client, { word }: ClientGroup): void => findWord(client, word, { kind: 'no_groups' })

function together(
  client: Client,
  members: readonly (readonly ConditionOrGroup[])[],
  join: 'and' | 'or',
  word: Span,
): readonly ConditionOrGroup[] {
  const seen = new Set<string>()
  // These need a group each: an `and` of this library refuses a repeated condition, and matches all conditions on a list with one entry.
  const isApart = (node: ConditionOrGroup): boolean => {
    if (node.members !== undefined || node.isMade) return false
    const name = `${node.path.text} ${node.row.name}`
    const isRepeated = seen.has(name)
    seen.add(name)
    return isRepeated || client.paths.get(node.path.text)!.lists.length > 0
  }
  const nodes = members.flatMap((all) => {
    const isGroup = join === 'or' ? all.length > 1 : all.filter(isApart).length > 0
    return isGroup ? [groupOf('and', word, all)] : all
  })
  return nodes.length === 0 ? [] : [groupOf(join, word, nodes)]
}

// --- The conditions of a query

/** The valid conditions of a client, with operators of this library. */
export function conditionsOf(client: Client, members: readonly ClientMember[]): readonly Member[] {
  const nodes: ConditionOrGroup[] = []
  for (const one of members) for (const node of lowerRow(client, one)) nodes.push(node)
  return once(nodes)
}

/**
 * Removes repeated `exists=true` conditions: two negations on one path each add the condition. Beside `exists=false` on the same path,
 * puts `exists=true` in a group, because the parser refuses an operator twice on one path.
 */
function once(nodes: readonly ConditionOrGroup[]): readonly ConditionOrGroup[] {
  const seen = new Set<string>()
  for (const node of nodes)
    if (node.members === undefined && node.row === exists && !node.isMade)
      seen.add(`${node.path.text} ${node.value.text}`)
  const kept: ConditionOrGroup[] = []
  for (const node of nodes) {
    if (node.members !== undefined || !node.isMade) kept.push(node)
    else {
      const { path, operator } = node
      if (!seen.has(`${path.text} true`))
        kept.push(seen.has(`${path.text} false`) ? groupOf('and', operator!, [node]) : node)
      seen.add(`${path.text} true`)
    }
  }
  return kept
}

// --- Limit

/** Returns the conditions of a condition or a group. */
export const leavesOf = (member: ClientMember): readonly ClientCondition[] =>
  member.group === undefined ? [member] : member.members.flatMap(leavesOf)

/** Refuses the first condition beyond `limits.pairs`. Parameters and reserved pairs count, too. */
export function countOf(
  { byRole, reserved, source, read, findings }: Client,
  members: readonly ClientMember[],
): Finding | undefined {
  const { pairs } = read.limits!
  let named = 0
  for (const [role, all] of byRole) if (role !== 'filter') named += all.length
  // Each refused pair has one finding.
  const left = pairs - named - reserved - findings.length
  const first = members.flatMap(leavesOf)[Math.max(left, 0)]
  return first === undefined && left >= 0 ? undefined : pairsFinding(source.text, pairs, first?.whole.start ?? 0)
}
