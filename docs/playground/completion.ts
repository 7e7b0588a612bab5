/** Text and caret → suggestions: fields, operators, values, parameters. */
import type { Collection } from '../../src/index.ts'
import { operators, type Operator, type ResolvedField } from '../../src/tree.ts'
import type { ParameterName } from './pairs.ts'

/** One suggestion for the caret. */
export interface Choice {
  /** What is inserted in place of what is typed of it. */
  readonly insert: string
  readonly detail: string
  /** Whether something is to be chosen after it. */
  readonly continues: boolean
}

/** The choices for a piece of the text. */
export interface Completion {
  readonly start: number
  readonly end: number
  readonly choices: readonly Choice[]
}

/** A condition, or its beginning, up to the caret. */
interface Place {
  readonly collection: Collection
  readonly text: string
  readonly start: number
  readonly isInGroup: boolean
  /** The list whose entry the group around is about, and a point; '' for a row. */
  readonly prefix: string
  /** The key of a list in parentheses that the caret is in. */
  readonly listOf?: string
}

const groupWords = ['and', 'or', 'not'] as const
const words: readonly string[] = groupWords
const mostChoices = 40

/**
 * @param isAsked whether the visitor asked for choices: otherwise none are offered before anything is typed, or where what
 *   is typed is whole.
 */
export function completionAt(
  collection: Collection,
  text: string,
  caret: number,
  isAsked = false,
): Completion | undefined {
  const place = placeAt(collection, text, caret)
  if (place === undefined) return undefined
  const { start, typed, choices } = choicesAt(place)
  const isWhole = choices.some(({ insert, continues }) => insert === typed && !continues)
  if (!isAsked && (isWhole || (typed === '' && place.text === '' && place.listOf === undefined))) return undefined
  const fitting = matching(choices, typed).slice(0, mostChoices)
  const end = caret + /^[^&=[\](),]*/.exec(text.slice(caret))![0].length
  return fitting.length === 0 ? undefined : { start, end, choices: fitting }
}

/** The text with a choice in its place, and where the caret is then. */
export function completed(
  text: string,
  { start, end }: Completion,
  { insert }: Choice,
): { text: string; caret: number } {
  // Without this, a key that gets another operator would have its bracket and equals sign twice.
  const present = /=\(?$/.test(insert) ? /^\]?=?/.exec(text.slice(end))![0].length : 0
  return { text: text.slice(0, start) + insert + text.slice(end + present), caret: start + insert.length }
}

/** What is typed comes first where a choice begins with it, then where a name in it does, then where it has it. */
function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const wanted = typed.toLowerCase()
  const rank = ({ insert }: Choice): number => {
    const lowered = insert.toLowerCase()
    if (lowered.startsWith(wanted)) return 0
    if (lowered.includes(`.${wanted}`) || lowered.includes(`[${wanted}`)) return 1
    return lowered.includes(wanted) ? 2 : 3
  }
  return choices.filter((choice) => rank(choice) < 3 && choice.insert !== typed).toSorted((a, b) => rank(a) - rank(b))
}

// --- Where the caret is

/** `undefined` inside quotes, where any character may be. */
function placeAt(collection: Collection, text: string, caret: number): Place | undefined {
  const isMarked = text.startsWith('?')
  const start = Math.max(text.lastIndexOf('&', caret - 1) + 1, isMarked ? 1 : 0)
  if (caret < start) return undefined
  const pair = text.slice(start, caret)
  const word = /^(?:and|or|not)=/.exec(pair)
  if (word === null) return { collection, text: pair, start, isInGroup: false, prefix: '' }

  /** The text before each open parenthesis. */
  const heads: string[] = []
  let member = word[0].length
  let isQuoted = false
  for (let at = member; at < pair.length; at++) {
    const character = pair[at]
    if (isQuoted) {
      if (character === '\\') at++
      else if (character === '"') isQuoted = false
    } else if (character === '"' && /[=(,]/.test(pair[at - 1]!)) isQuoted = true
    else if (character === '(') {
      heads.push(pair.slice(member, at))
      member = at + 1
    } else if (character === ',') member = at + 1
    else if (character === ')') heads.pop()
  }
  if (isQuoted || heads.length === 0) return undefined
  const lists = heads.slice(1).filter((head) => !words.includes(head) && !head.endsWith('='))
  const prefix = lists.map((head) => `${head}.`).join('')
  const last = heads.at(-1)!
  const place = { collection, text: pair.slice(member), start: start + member, isInGroup: true, prefix }
  return last.endsWith('=') ? { ...place, listOf: last.slice(0, -1) } : place
}

// --- Suggestions by place

interface Offer {
  readonly start: number
  readonly typed: string
  readonly choices: readonly Choice[]
}

function choicesAt(place: Place): Offer {
  const { collection, text, start, prefix } = place
  if (place.listOf !== undefined) return { start, typed: text, choices: valuesOf(place.listOf, place) }
  const equals = text.indexOf('=')
  if (equals >= 0) {
    const key = text.slice(0, equals)
    const isList = parameterOf(collection, key) !== undefined || isListOperator(operatorOf(key))
    const from = isList ? Math.max(equals, text.lastIndexOf(',')) + 1 : equals + 1
    const taken = isList ? text.slice(equals + 1, from).split(',') : []
    const choices = valuesOf(key, place).filter(({ insert }) => !taken.includes(insert))
    return { start: start + from, typed: text.slice(from), choices }
  }
  const bracket = text.indexOf('[')
  if (bracket < 0) return { start, typed: text, choices: [...keysOf(text, place), ...namesOf(place)] }
  const field = fieldOf(collection, prefix + text.slice(0, bracket))
  const choices = field === undefined ? [] : operatorChoices(field, place)
  return { start: start + bracket + 1, typed: text.slice(bracket + 1).replace(/\]$/, ''), choices }
}

/** The parameter that has a name in a text. */
const parameterOf = ({ parameters }: Collection, name: string): ParameterName | undefined =>
  Array.from(parameters).find(([, one]) => one === name)?.[0]
const fieldOf = ({ visible }: Collection, path: string): ResolvedField | undefined =>
  visible.paths.get(withoutPoint(path))
const withoutPoint = (path: string): string => path.replace(/\.$/, '')
const operatorOf = (key: string): Operator => {
  const name = /\[(\w+)\]$/.exec(key)?.[1]
  return (operators as Readonly<Record<string, Operator | undefined>>)[name ?? 'equals'] ?? operators.equals
}
const isListOperator = ({ operands }: Operator): boolean => operands !== 'one'

export const typeOf = ({ lists, path, type }: ResolvedField): string => {
  const isEntry = lists.length > 0 && path.length === 0
  return isEntry ? `list of ${type === 'object' ? 'objects' : `${type}s`}` : type
}

/** Lists the operators of a field. @param entry the list whose entry the condition is about; '' for a row. */
export function operatorsOf(
  collection: Collection,
  { name, type, lists, path }: ResolvedField,
  entry = '',
): readonly Operator[] {
  const isInList = lists.length > (fieldOf(collection, entry)?.lists.length ?? 0)
  const allowed: readonly string[] | undefined = collection.operators.get(name)
  return (Object.values(operators) as readonly Operator[])
    .filter((operator) => allowed?.includes(operator.name) !== false)
    .filter(({ types }) => (types as readonly string[]).includes(type))
    .filter(({ fields }) => fields === 'anywhere' || (isInList && (fields === 'in lists' || path.length === 0)))
}

export const isNumber = (field: ResolvedField | undefined): boolean =>
  /^(?:integer|bigint|number|decimal)$/.test(field?.type ?? '')

/** Operators of numbers in the words of people. Those of the table fit each order. */
const ofNumbers: Readonly<Partial<Record<Operator['name'], string>>> = {
  gt: 'greater than the value',
  gte: 'greater than or equal to the value',
  lt: 'less than the value',
  lte: 'less than or equal to the value',
}

/** Lists the operators of a field, each with the text after it. It leaves out operators for lists where a group is about one entry. */
const operatorChoices = (field: ResolvedField, { collection, isInGroup, prefix }: Place): readonly Choice[] =>
  operatorsOf(collection, field, withoutPoint(prefix)).map((operator) => ({
    insert: `${operator.name}]=${isInGroup && isListOperator(operator) ? '(' : ''}`,
    detail: (isNumber(field) ? ofNumbers[operator.name] : undefined) ?? operator.doc,
    continues: true,
  }))

/** All that a condition on a path may begin with, once the path is typed. */
function keysOf(typed: string, place: Place): readonly Choice[] {
  const field = fieldOf(place.collection, place.prefix + typed)
  if (field === undefined) return []
  const inBrackets = operatorChoices(field, place).map((choice) => ({ ...choice, insert: `${typed}[${choice.insert}` }))
  const takesEquals = typed !== '' && (operators.equals.types as readonly string[]).includes(field.type)
  // Equality needs no brackets. It is the first of the operators.
  return takesEquals ? [{ ...inBrackets[0]!, insert: `${typed}=` }, ...inBrackets.slice(1)] : inBrackets
}

/** Fields, and what else may begin a condition: parameters, or groups inside a group. */
function namesOf({ collection, prefix, isInGroup }: Place): readonly Choice[] {
  const fields = Array.from(collection.visible.paths.values()).filter(
    ({ name }) => name.startsWith(prefix) && name !== withoutPoint(prefix),
  )
  const names = fields.map((field) => ({
    insert: field.name.slice(prefix.length),
    detail: typeOf(field),
    continues: true,
  }))
  if (!isInGroup) {
    const others = Array.from(collection.parameters).filter(([parameter]) => parameter !== 'cursor')
    const asked = ([parameter, name]: (typeof others)[number]) => ({
      insert: `${name}=${words.includes(name) ? '(' : ''}`,
      detail: details[parameter] + (parameter === 'limit' ? `, up to ${collection.limit.max}` : ''),
      continues: true,
    })
    return [...names, ...others.map(asked)]
  }
  const lists = fields.filter(({ lists, path }) => lists.length > 0 && path.length === 0)
  const groups = lists.map(({ name }) => ({
    insert: `${name.slice(prefix.length)}(`,
    detail: 'one entry',
    continues: true,
  }))
  return [
    ...names,
    ...groups,
    ...groupWords.map((word) => ({ insert: `${word}(`, detail: details[word], continues: true })),
  ]
}

const details: Readonly<Record<ParameterName, string>> = {
  sort: 'order of the rows',
  limit: 'rows on a page',
  offset: 'rows to skip',
  cursor: 'place of a page',
  fields: 'fields of the answer',
  count: 'whether to count the rows',
  search: 'words in the texts of a row',
  facets: 'fields to count rows by',
  timeZone: 'zone of days, today and now',
  and: 'group: all of it holds',
  or: 'group: one of it holds',
  not: 'group: not all of it holds',
}

const plain = (values: Iterable<string>, detail = ''): readonly Choice[] =>
  Array.from(values, (insert) => ({ insert, detail, continues: false }))

/** The values of a key, where they can be listed. */
function valuesOf(key: string, { collection, prefix, isInGroup }: Place): readonly Choice[] {
  if (!isInGroup) {
    const sortable = [...collection.sortable.keys()]
    const parameter = parameterOf(collection, key)
    if (parameter === 'sort')
      return [
        ...plain(sortable, 'ascending'),
        ...plain(
          sortable.map((name) => `-${name}`),
          'descending',
        ),
      ]
    if (parameter === 'fields') return plain(collection.selectable?.keys() ?? [])
    if (parameter === 'facets') return plain(collection.facets.keys())
    if (parameter === 'timeZone') return plain(Intl.supportedValuesOf('timeZone'))
    if (parameter === 'count') return plain(['true', 'false'])
  }
  const field = fieldOf(collection, prefix + key.split('[', 1)[0]!)
  if (field === undefined) return []
  if (field.type === 'boolean' || operatorOf(key).name === 'exists') return plain(['true', 'false'])
  return plain(field.values ?? [])
}
