/** Translates the conditions of a client into the language of this library. */
import { type Advice, type Finding, type Span, namesOf } from '../../issue/index.ts'
import {
  operatorNamed,
  allows,
  type GroupWord,
  type OperatorName,
  type ResolvedField,
  offeredPaths,
  pairsFinding,
} from '../../language/index.ts'
import { type Condition, type Member } from '../../asked/index.ts'
import { own } from '../../own.ts'
import { isDay } from '../../values/time.ts'
import { find, findForm, findUnknown, findUnknownWord, findWord, isShown, wordText } from './client.ts'
import type { Token } from './located.ts'
import type { Client, ClientCondition, ClientGroup, ClientMember, Meaning } from './tables.ts'

/** A condition with an operator of this library, or a group of conditions. */
type Node =
  | {
      readonly join: undefined
      readonly path: Token
      readonly operator: OperatorName
      readonly word: Span
      readonly values: readonly Token[]
      readonly whole: Span
      readonly isMade: boolean
    }
  | { readonly join: GroupWord; readonly word: Span; readonly nodes: readonly Node[] }
type Simple = Extract<Node, { readonly join: undefined }>

/** The operators whose complement has a name. */
export const complements: Readonly<Record<string, OperatorName>> = {
  equals: 'notEqual',
  in: 'nin',
  contains: 'doesNotContain',
}
const isNot = (meaning: Meaning): boolean => meaning.startsWith('!')
const operatorOf = (meaning: Meaning): OperatorName => meaning.replace('!', '') as OperatorName
const negated = (meaning: Meaning): Meaning => (isNot(meaning) ? meaning.slice(1) : `!${meaning}`)

/**
 * The operators with the first moment of a day in place of the day, for a client that compares texts: `2024-01-31` comes before
 * `2024-01-31T00:00:00Z`, and after each moment of the day before.
 */
const operatorsOfDay: Readonly<Record<string, OperatorName>> = { gt: 'gte', gte: 'gte', lt: 'lt', lte: 'lt' }

/** The operator that the collection must allow for a meaning. */
const neededFor = (meaning: Meaning): OperatorName =>
  (isNot(meaning) ? complements[operatorOf(meaning)] : undefined) ?? operatorOf(meaning)

/** The client's words for the operators of a field. */
export function wordsFor(
  { tables, collection }: Pick<Client, 'tables' | 'collection'>,
  field: ResolvedField,
): readonly string[] {
  return Object.entries(tables.operators).flatMap(([word, meaning]) =>
    allows(field, operatorNamed.get(neededFor(meaning))!, collection) && isShown(tables, word) ? [wordText(word)] : [],
  )
}

/** Translates the field, the operator and the values of a condition. Records a fault and returns an empty list if one of them is invalid. */
function nodesOf(client: Client, condition: ClientCondition, isUnder: boolean): readonly Node[] {
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
  const given = ofSeveral || tables.operators[word.text]!
  const placed = ofSeveral === 'all' && field.lists.length === 0 ? 'in' : given
  const meaning = isUnder !== (condition.isNegated === true) ? negated(placed) : placed
  const operator = operatorOf(meaning)
  const needed = neededFor(meaning)
  if (!allows(field, operatorNamed.get(needed)!, collection)) {
    const advice: Advice = {
      kind: 'operators',
      field: path.text,
      operators: wordsFor(client, field),
      inside: namesOf([]),
    }
    const more = { path: field.name, operator: needed }
    find(
      client,
      'operator_not_applicable',
      word.text === '' ? path : word,
      { field: field.name, operator: wordText(word.text), advice: [advice] },
      more,
    )
    return []
  }
  const node = (name: OperatorName, all: readonly Token[], isMade = false): Simple => ({
    ...{ join: undefined, path, operator: name, word, values: all, whole, isMade },
  })
  const flag = (text: string, isMade = false): Node =>
    node('exists', [{ text, start: word.start, end: word.end }], isMade)
  if (values.length === 0) {
    findForm(client, path.text, whole, 'a list with a value in it', field.name)
    return []
  }
  const nothing = values.find((value) => value.isNull)
  if (nothing !== undefined) {
    if (operator === 'equals' && !several) return [flag(String(isNot(meaning)))]
    if (operator === 'notEqual' && !several) return [flag('true')]
    findForm(client, field.name, nothing, 'a value, not null', field.name)
    return []
  }
  if (operator === 'exists') {
    const flip = (value: Token): Token =>
      isNot(meaning) && /^(?:true|false)$/.test(value.text) ? { ...value, text: String(value.text === 'false') } : value
    return values.map((value) => node('exists', [flip(value)]))
  }
  // An operator with one operand becomes a condition for each value: the parser refuses the second condition as a duplicate.
  const isOne = operatorNamed.get(operator)!.operands === 'one'
  const isText = (value: Token) => tables.day === 'text' && field.type === 'datetime' && isDay(value.text)
  const ofDay = own(operatorsOfDay, operator)
  const day = values.find(isText)
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
  const nodeOf = (value: Token): Node =>
    isText(value) ? node(ofDay!, [{ ...value, text: `${value.text}T00:00:00Z` }]) : node(operator, [value])
  const nodes = isOne ? values.map(nodeOf) : [node(operator, values)]
  if (!isNot(meaning)) return nodes
  const complement = complements[operator]
  const none: readonly Node[] =
    complement === undefined
      ? nodes.map((inner) => ({ join: 'not', word, nodes: [inner] }))
      : nodes.map((inner) => ({ ...inner, operator: complement }))
  return [...none, flag('true', true)]
}

/** @param isUnder whether a group of the client negates `told`. A row without a value satisfies neither a condition nor its negation. */
function lower(client: Client, told: ClientMember, isUnder: boolean): readonly Node[] {
  if (told.group === undefined) return nodesOf(client, told, isUnder)
  const { group, word, members } = told
  const isFound = client.findings.some(({ span }) => span.start === word.start)
  if (!client.collection.parameters.has(group) && !isFound) findNoGroup(client, told)
  if (group === 'not')
    return together(
      client,
      members.map((one) => lower(client, one, !isUnder)),
      isUnder ? 'and' : 'or',
      word,
    )
  return together(
    client,
    members.map((one) => lower(client, one, isUnder)),
    isUnder ? (group === 'and' ? 'or' : 'and') : group,
    word,
  )
}

/** Translates what is in no group. There, a collection may leave out values that the client does not have. */
function lowerRow(client: Client, told: ClientMember): readonly Node[] {
  if (told.group !== undefined || client.collection.empty !== 'ignore') return lower(client, told, false)
  const values = told.values.filter((value) => !isMissing(client, told, value))
  if (values.length > 0 || told.values.length === 0) return lower(client, { ...told, values }, false)
  // Its names may have faults.
  lower(client, told, false)
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
  members: readonly (readonly Node[])[],
  join: 'and' | 'or',
  word: Span,
): readonly Node[] {
  const group = (nodes: readonly Node[]): Node => ({ join: 'and', word, nodes })
  const seen = new Set<string>()
  // These need a group each: an `and` of this library refuses a repeated condition, and matches all conditions on a list with one entry.
  const isApart = (node: Node): boolean => {
    if (node.join !== undefined || node.isMade) return false
    const name = `${node.path.text} ${node.operator}`
    const isRepeated = seen.has(name)
    seen.add(name)
    return isRepeated || client.paths.get(node.path.text)!.lists.length > 0
  }
  const nodes = members.flatMap((all) => {
    const isGroup = join === 'or' ? all.length > 1 : all.filter(isApart).length > 0
    return isGroup ? [group(all)] : all
  })
  return nodes.length === 0 ? [] : [{ join, word, nodes }]
}

// --- Asked

/** The valid conditions of a client, with operators of this library. */
export const conditionsOf = (client: Client, members: readonly ClientMember[]): readonly Member[] =>
  once(members.flatMap((one) => lowerRow(client, one))).map((node) => memberOf(client, node))

/**
 * Removes repeated `exists=true` conditions: two negations on one path each add the condition. Beside `exists=false` on the same path,
 * puts `exists=true` in a group, because the parser refuses an operator twice on one path.
 */
function once(nodes: readonly Node[]): readonly Node[] {
  const nameOf = (node: Simple, text: string) => `${node.path.text} ${text}`
  const isMade = (node: Node): node is Simple => node.join === undefined && node.isMade
  const seen = new Set(
    nodes.flatMap((node) =>
      node.join === undefined && node.operator === 'exists' && !node.isMade ? [nameOf(node, node.values[0]!.text)] : [],
    ),
  )
  return nodes.flatMap((node): readonly Node[] => {
    if (!isMade(node)) return [node]
    if (seen.has(nameOf(node, 'true'))) return []
    seen.add(nameOf(node, 'true'))
    return seen.has(nameOf(node, 'false')) ? [{ join: 'and', word: node.word, nodes: [node] }] : [node]
  })
}

const around = (spans: readonly Span[]): Span => ({
  start: Math.min(...spans.map(({ start }) => start)),
  end: Math.max(...spans.map(({ end }) => end)),
})

function memberOf(client: Client, node: Node): Member {
  if (node.join === undefined) return conditionOf(client, node)
  const { join, word, nodes } = node
  const members = (join === 'and' ? once(nodes) : nodes).map((one) => memberOf(client, one))
  return {
    at: around([word, ...members.map(({ at }) => at)]),
    word: join,
    path: { ...word, text: join },
    names: 1,
    members,
  }
}

function conditionOf({ tables }: Client, { path, operator, word, values, whole }: Simple): Condition {
  const row = operatorNamed.get(operator)!
  const key = operator === 'equals' ? path : around([path, word])
  const { start, end } = around([key, whole])
  const place = around(values)
  // In a list with commas an empty item is a fault; elsewhere it is a text.
  const items = values.map((value) => ({ ...value, quoteFault: undefined, isText: tables.list !== ',' }))
  return {
    at: { start, equals: key.end, end, key },
    path,
    names: path.text.split('.').length,
    operator: { start: word.start, end: word.end, text: operator },
    row,
    value: { ...place, text: values[0]!.text, items, isList: undefined },
    members: undefined,
  }
}

// --- Limit

/** Returns the conditions of a condition or a group. */
export const leavesOf = (told: ClientMember): readonly ClientCondition[] =>
  told.group === undefined ? [told] : told.members.flatMap(leavesOf)

/** Refuses the first condition beyond `limits.pairs`. Parameters and reserved pairs count, too. */
export function countOf(
  { given, reserved, source, read, findings }: Client,
  told: readonly ClientMember[],
): Finding | undefined {
  const { pairs } = read.limits!
  const named = Array.from(given).flatMap(([role, all]) => (role === 'filter' ? [] : all)).length
  // Each refused pair has one finding.
  let left = pairs - named - reserved - findings.length
  const first = told.flatMap(leavesOf).find(() => left-- <= 0)
  return first === undefined && left >= 0 ? undefined : pairsFinding(source.text, pairs, first?.whole.start ?? 0)
}
