/** Writes a query in a notation. `printNotation` parses each text again, and returns it only if it has the same meaning. */
import { sameTree } from '../../tree/index.ts'
import { FilterError, type Issue } from '../../issue/index.ts'
import { checkCollection, declared, operatorNamed, pathFrom, usualWords } from '../../language/index.ts'
import type { Collection, Operand, OperatorName, ResolvedField } from '../../language/index.ts'
import { checkNotation, type Notation } from '../../reading/index.ts'
import { combine, conditionsIn, newCondition, textOfPath } from '../../query/index.ts'
import type { BoundGroup, BoundMember, Query, SortKey } from '../../query/index.ts'
import { parseQuery } from '../../hints/index.ts'
import { textOfOperand, askedOrder, parametersToWrite, partsToWrite } from '../../writing/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { encode, encodeKey } from '../../values/encode.ts'
import { isNested, nameOfRole, pairFor } from './client.ts'
import { complements } from './conditions.ts'
import type { Role, Tables } from './tables.ts'

/** The options of {@link printNotation}. */
export interface PrintNotationOptions {
  /** The client's name of the collection: JSON:API writes `fields[orders]`. Default: `rows`. */
  readonly name?: string | undefined
}

/**
 * Writes a query in the convention of a client. `parseQuery` with this notation parses the text to an equal query, except for `count`.
 * The text contains no `count`: the answers in a notation contain the number of rows wherever the collection allows `count`.
 *
 * @param collection made by `defineCollection`.
 * @param query a parsed or built query.
 * @param notation a notation of `urlwhere/notations`.
 * @returns the query string without `?`.
 * @throws TypeError when an argument has the wrong type, or the collection lacks an option that the client requires.
 * @throws FilterError with a `print_unsayable` issue for each part that the client cannot express exactly.
 * @example
 * const query = parseQueryOrThrow(numberedCollection, 'total[gte]=5&sort=-total')
 * printNotation(numberedCollection, query, nestPaginate) // => 'filter.total=$gte:5&sortBy=total:DESC'
 */
export function printNotation(
  collection: Collection,
  query: Query,
  notation: Notation,
  options: PrintNotationOptions = {},
): string {
  checkCollection(collection)
  const tables = checkNotation(notation ?? (null as never), 'notation')!.tables as Tables
  const { name = 'rows' } = checkOptions(options, 'options', ['name'])
  if (typeof name !== 'string' || !/^[^[\]]+$/.test(name))
    throw new TypeError('options.name must be a name without brackets')
  notation.check(collection, [])
  const { whole, conditions } = partsToWrite(collection, query, usualWords, (clock) => clock?.timeZone)
  const writer: Writer = { tables, collection, notation, name, issues: [] }
  const asked = askedFor(writer, conditions)
  const parameters = parametersFor(writer, whole)
  const [first, ...rest] = writer.issues
  if (first !== undefined) throw new FilterError([first, ...rest])
  // The client merges conditions with a common path. Members of an explicit `and` stay separate.
  const apart = isNested(tables) && asked.length > 1 ? [[{ group: 'and', members: asked } satisfies AskedByClient]] : []
  for (const all of [asked, ...apart]) {
    const text = textOf(tables, all, parameters)
    if (isRead(writer, text, whole)) return text
  }
  const message = `${tables.name} cannot express the parts of this query together`
  throw new FilterError([unsayable(tables, 'together', message)])
}

interface Writer {
  readonly tables: Tables
  readonly collection: Collection
  readonly notation: Notation
  readonly name: string
  /** The parts that the client cannot express. */
  readonly issues: Issue[]
}

/** A condition or a group in the words of a client. */
type AskedByClient =
  | {
      readonly group: undefined
      readonly path: string
      readonly word: string
      readonly values: readonly Value[]
      readonly isList: boolean
      readonly isNegated: boolean
      /** The word for the entries that satisfy the condition. */
      readonly quantifier?: string
    }
  | { readonly group: 'and' | 'or'; readonly members: readonly AskedByClient[] }
type AskedPair = Extract<AskedByClient, { readonly group: undefined }>
type Value = string | number | boolean | null

/** The texts of parameters, and the search that a JSON filter contains beside conditions. */
interface Parameters {
  readonly texts: readonly string[]
  readonly search: string | undefined
}

// --- Forms: JSON, nested brackets, and pairs of a key and a value

const isJson = ({ list }: Tables): boolean => list === '[]'
/** Whether the client can send conditions in JSON, with values of their types. */
const hasJson = (tables: Tables): boolean => nameOfRole(tables, 'filter') !== undefined
/** Whether the operator is at the beginning of the value. */
const isWorded = ({ pair }: Tables): boolean => pair.includes('=@word')
const wordOf = ({ groups = {} }: Tables, group: 'and' | 'or' | 'not'): string | undefined =>
  Object.keys(groups).find((word) => groups[word] === group)

function textOf(tables: Tables, asked: readonly AskedByClient[], { texts, search }: Parameters): string {
  // Groups are in JSON where the key of a condition has no place for them.
  const isWhere = !isNested(tables) && asked.some(({ group }) => group !== undefined)
  if (isWhere) return [`${nameOfRole(tables, 'filter')}=${encodeJson(whereOf(asked))}`, ...texts].join('&')
  if (!isJson(tables)) return [...asked.flatMap((one) => pairsOf(tables, one, [])), ...texts].join('&')
  const members = asked.flatMap((one) => (one.group === undefined ? [[one.path + one.word, one] as const] : []))
  const object = Object.fromEntries([
    ...members.map(([key, { values, isList }]) => [key, isList ? values : values[0]] as const),
    ...(search === undefined ? [] : [[tables.search!, search] as const]),
  ])
  const isEmpty = members.length === 0 && search === undefined
  return [...(isEmpty ? [] : [`filter=${encodeJson(object)}`]), ...texts].join('&')
}

/** Encodes JSON, but leaves brackets and braces readable. */
const encodeJson = (value: unknown): string =>
  encode(JSON.stringify(value)).replace(/%(?:5B|5D|7B|7D)/g, decodeURIComponent)

/** Writes nested objects with operators as names. Two groups of one object have one name: `printNotation` refuses them. */
function whereOf(asked: readonly AskedByClient[]): object {
  const object: Record<string, any> = {}
  for (const one of asked) {
    if (one.group !== undefined)
      object[one.group] = one.members.map((member) => whereOf(member.group === 'and' ? member.members : [member]))
    else {
      let at = object
      for (const name of one.path.split('.')) at = at[name] ??= {}
      at[one.word.slice(1) || 'eq'] = one.isList ? one.values : one.values[0]
    }
  }
  return object
}

/** @param around the words of the groups around the condition, and its indexes in them. */
function pairsOf(tables: Tables, asked: AskedByClient, around: readonly (string | number)[]): readonly string[] {
  if (asked.group !== undefined)
    return asked.members.flatMap((one, at) => pairsOf(tables, one, [...around, wordOf(tables, asked.group)!, at]))
  const { path, values, isList, isNegated } = asked
  const not = wordOf(tables, 'not')
  const words = [
    ...(asked.quantifier === undefined ? [] : [asked.quantifier]),
    ...(isNegated && not !== undefined ? [not] : []),
    ...(asked.word === '' ? [] : [asked.word]),
  ]
  const key = encodeKey(path)
  const texts = values.map((value) => encode(String(value)))
  if (isWorded(tables)) return [pairFor(tables, key, words.join(':'), texts.join(',')).replace(/:$/, '')]
  if (tables.list === ',') return [pairFor(tables, key, asked.word, texts.join(','))]
  if (!isNested(tables)) return texts.map((text) => pairFor(tables, key, asked.word, text))
  const inner = words.join('][')
  const prefix = tables.prefix!
  return texts.map((text, at) =>
    pairFor(tables, key, isList ? `${inner}][${at}` : inner, text).replace(
      prefix,
      () => prefix + around.map((one) => `[${one}]`).join(''),
    ),
  )
}

// --- Conditions

/** A condition of this library or its complement. */
interface Leaf {
  readonly field: ResolvedField
  readonly operator: OperatorName
  readonly operands: readonly Operand[]
  readonly isNegative: boolean
}

/** The operators by the names of their complements. */
const positives = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(complements).map(([positive, complement]) => [complement, positive as OperatorName]),
)

function leafOf(writer: Writer, member: BoundMember): Leaf | undefined {
  if (member.kind === 'condition') {
    const { operator, operands } = member
    const field = writer.collection.visible.paths.get(pathFrom(member))!
    const positive = own(positives, operator)
    return { field, operator: positive ?? operator, operands, isNegative: positive !== undefined }
  }
  const [only, ...more] = member.members
  if (member.kind !== 'not' || more.length > 0) return undefined
  const leaf = leafOf(writer, only!)
  return leaf === undefined || leaf.isNegative || leaf.operator === 'exists' ? undefined : { ...leaf, isNegative: true }
}

/** Whether a member is `exists=true` on a field. */
const isPresence = (member: BoundMember | undefined, field: ResolvedField): boolean =>
  member?.kind === 'condition' &&
  member.operator === 'exists' &&
  pathFrom(member) === field.name &&
  textOfOperand(member.operands[0]!) === 'true'

/** Writes the conditions of an `and` in the words of a client. Adds an issue for each condition that the client cannot express. */
function askedFor(writer: Writer, members: readonly BoundMember[]): readonly AskedByClient[] {
  const asked: AskedByClient[] = []
  for (let at = 0; at < members.length; at++) {
    const member = members[at]!
    const leaf = leafOf(writer, member)
    const next = members[at + 1]
    // A client's negation that leaves out rows without a value expresses two conditions: a complement and `exists=true`.
    const isBoth = leaf?.isNegative === true && isPresence(next, leaf.field)
    const both = isBoth ? pairsFor(writer, leaf, [member, next!]) : quantifiedFor(writer, members.slice(at, at + 2))
    const pairs =
      both ??
      (leaf === undefined
        ? (quantifiedFor(writer, [member]) ?? groupFor(writer, member as BoundGroup))
        : pairsFor(writer, leaf, [member]))
    if (pairs !== undefined) asked.push(...pairs)
    else if (leaf !== undefined) writer.issues.push(noOperator(writer, member, leaf))
    if (both !== undefined) at++
  }
  return asked
}

const pairsFor = (writer: Writer, leaf: Leaf, members: readonly BoundMember[]): readonly AskedPair[] | undefined =>
  firstOf(writer, candidatesOf(writer.tables, leaf, members.length > 1), members)

/** Returns a condition about the entries of a list, if groups about them mean one in the client. */
function quantifiedFor(writer: Writer, members: readonly BoundMember[]): readonly AskedPair[] | undefined {
  const { tables, collection } = writer
  const words = Object.keys(tables.quantifiers ?? {})
  const lists = words.length === 0 ? [] : members.map(listsIn)
  if (lists.length === 0 || !lists.every((one) => one.length > 0)) return undefined
  const candidates = members.flatMap(conditionsIn).flatMap((one) => {
    const field = collection.visible.paths.get([...lists[0]!.flat(), pathFrom(one)].join('.'))
    if (field === undefined) return []
    const operator = own(positives, one.operator) ?? one.operator
    return [false, true].flatMap((isNegative) =>
      candidatesOf(tables, { field, operator, operands: one.operands, isNegative }, isNegative),
    )
  })
  return firstOf(
    writer,
    words.flatMap((quantifier) => candidates.map((pairs) => pairs.map((pair) => ({ ...pair, quantifier })))),
    members,
  )
}
/** The lists of a group about their entries; an empty list for other members. */
const listsIn = (member: BoundMember): BoundGroup['lists'] =>
  member.kind === 'condition'
    ? []
    : member.kind === 'and' && member.members.length === 1
      ? listsIn(member.members[0]!)
      : member.lists

/** Returns the first candidate that `parseQuery` parses to these members. */
function firstOf(
  writer: Writer,
  candidates: readonly (readonly AskedPair[])[],
  members: readonly BoundMember[],
): readonly AskedPair[] | undefined {
  const filter = combine(members)
  return candidates.find((asked) => {
    const text = textOf(writer.tables, asked, { texts: [], search: undefined })
    const result = parseQuery(writer.collection, text, { notation: writer.notation })
    return result.ok && sameTree(result.query.filter, filter)
  })
}

/** Lists the pairs that can express a condition by the tables of the client. */
function candidatesOf(tables: Tables, leaf: Leaf, isBoth: boolean): readonly (readonly AskedPair[])[] {
  const { field, operator, operands, isNegative } = leaf
  const path = field.name
  if (tables.day !== 'whole' && operands.some(({ type }) => type === 'day')) {
    const parts = isNegative ? [] : momentsOf(leaf)
    const all = parts.map((part) => candidatesOf(tables, part, false)[0])
    if (parts.length > 0 && !all.includes(undefined)) return [all.flatMap((pairs) => pairs!)]
  }
  const pair = (word: string, values: readonly Value[], isList = false, isNegated = false): readonly AskedPair[] => [
    { group: undefined, path, word, values, isList, isNegated },
  ]
  const wordsOf = (meaning: string, words = tables.operators) =>
    Object.keys(words).filter((word) => words[word] === meaning)
  if (operator === 'exists') return presencesOf(tables, textOfOperand(operands[0]!) === 'true', wordsOf, pair)
  const values = operands.map((operand) =>
    hasJson(tables) && operand.type !== 'day' && typeof operand.value !== 'string'
      ? operand.value
      : textOfOperand(operand),
  )
  const isList = operator === 'in' || operator === 'range' || operator === 'all'
  const wordsFor = (meaning: string) => [...wordsOf(meaning), ...wordsOf(meaning, tables.severals ?? {})]
  if (!isNegative) {
    const pairs = wordsFor(operator).map((word) => pair(word, values, isList))
    // Where a day is a text, `lte` and a day mean `lt` and its first moment.
    const [, day] =
      (tables.day === 'text' && operator === 'lt' && /^(.{10})T00:00:00\.000Z$/.exec(String(values[0]))) || []
    if (day !== undefined) pairs.push(...wordsFor('lte').map((word) => pair(word, [day])))
    if (operator !== 'range') return pairs
    const [low, high] = operands
    const bounds = (['gte', 'lte'] as const).map((name, at) =>
      candidatesOf(tables, { field, operator: name, operands: [[low!, high!][at]!], isNegative }, false),
    )
    return [...pairs, ...(bounds.every(([first]) => first !== undefined) ? [bounds.flatMap(([first]) => first!)] : [])]
  }
  const complement = Object.hasOwn(complements, operator) ? complements[operator] : undefined
  if (!isBoth) return complement === undefined ? [] : wordsOf(complement).map((word) => pair(word, values, isList))
  return [
    ...wordsFor(`!${operator}`).map((word) => pair(word, values, isList)),
    ...(wordOf(tables, 'not') === undefined ? [] : wordsFor(operator).map((word) => pair(word, values, isList, true))),
  ]
}

/** Returns the conditions with moments that mean a condition with whole days; an empty list for other conditions. */
function momentsOf({ field, operator, operands }: Leaf): readonly Leaf[] {
  const bound = (name: 'gte' | 'lt' | 'lte', operand: Operand, end: 'from' | 'until'): Leaf | undefined => {
    const moment = operand.type === 'day' ? operand[end] : operand
    const isEnd = operand.type === 'day' && name === 'lte'
    return moment && { field, operator: isEnd ? 'lt' : name, operands: [moment], isNegative: false }
  }
  const [low, high = low] = operands as readonly [Operand, Operand?]
  const bounds: Readonly<Record<string, readonly (Leaf | undefined)[]>> = {
    gt: [bound('gte', low, 'until')],
    gte: [bound('gte', low, 'from')],
    lt: [bound('lt', low, 'from')],
    lte: [bound('lte', low, 'until')],
    equals: [bound('gte', low, 'from'), bound('lte', high, 'until')],
    range: [bound('gte', low, 'from'), bound('lte', high, 'until')],
  }
  const all = own(bounds, operator) ?? []
  return all.flatMap((one) => one ?? [])
}

/** Lists the pairs that select rows with a value, or rows without one. */
function presencesOf(
  tables: Tables,
  isThere: boolean,
  wordsOf: (meaning: string) => readonly string[],
  pair: (word: string, values: readonly Value[], isList?: boolean, isNegated?: boolean) => readonly AskedPair[],
): readonly (readonly AskedPair[])[] {
  const [same, opposite] = isThere ? ['exists', '!exists'] : ['!exists', 'exists']
  if (isWorded(tables)) return wordsOf('!exists').map((word) => pair(word, [], false, isThere))
  if (isJson(tables)) return wordsOf(isThere ? 'notEqual' : 'equals').map((word) => pair(word, [null]))
  return [...wordsOf(same).map((word) => pair(word, [true])), ...wordsOf(opposite).map((word) => pair(word, [false]))]
}

const groupNames: Readonly<Record<string, string>> = {
  not: 'negation of a group that selects rows without a value, too',
  some: 'groups about an entry of a list',
  none: 'groups about an entry of a list',
  every: 'groups about an entry of a list',
}

/** Writes a group in the words of a client. */
function groupFor(writer: Writer, member: BoundGroup): readonly AskedByClient[] | undefined {
  const { tables, issues } = writer
  const { kind: word, members } = member
  if ((word === 'and' || word === 'or') && wordOf(tables, word) !== undefined) {
    if (word === 'and') return [{ group: 'and', members: askedFor(writer, members) }]
    // An object of JSON joins its conditions by `and` without a word.
    const isBare = wordOf(tables, 'and') === undefined
    const all = members.map((one) => askedFor(writer, isBare && one.kind === 'and' ? one.members : [one]))
    return [
      { group: 'or', members: all.map((asked) => (asked.length === 1 ? asked[0]! : { group: 'and', members: asked })) },
    ]
  }
  const groups = word === 'and' || word === 'or' ? `groups of ${word}` : (groupNames[word] ?? 'such groups')
  issues.push(unsayable(tables, 'group', `${tables.name} has no ${groups}`, { word }))
  return undefined
}

// --- Parameters

/** Writes the parameters in the words of a client. Adds an issue for each parameter that the client cannot express. */
function parametersFor(writer: Writer, query: Query): Parameters {
  const { tables, collection, issues, name } = writer
  const values = parametersToWrite(collection, query)
  const texts: string[] = []
  const lacks = (what: string) =>
    void issues.push(unsayable(tables, 'parameter', `${tables.name} has no ${what}`, { parameter: what }))
  const order = askedOrder(collection, query.sort)
  if (order !== undefined) {
    if (tables.sort === 'json' && order.length !== 1) lacks('order of several fields')
    else texts.push(...orders[tables.sort](tables, order))
  }
  const page = pageFor(tables, query, collection, values.cursor)
  if (page === undefined) lacks(query.position === undefined ? 'page that begins there' : 'cursors')
  else texts.push(...page)
  if (query.fields !== undefined) {
    const parameter = nameOfRole(tables, 'fields')?.replace('*', name)
    if (parameter === undefined) lacks('choice of fields')
    else texts.push(`${parameter}=${query.fields.map((path) => encode(textOfPath(path))).join(',')}`)
  }
  if (query.facets !== undefined) lacks('facets')
  const search = query.search?.join(' ')
  if (query.search?.some((word) => /\s/.test(word)) === true) lacks('phrases in a search')
  const parameter = nameOfRole(tables, 'search')
  if (search === undefined || tables.search !== undefined) return { texts, search }
  if (parameter === undefined) lacks('search')
  return { texts: [`${parameter}=${encode(search)}`, ...texts], search: undefined }
}

const isDescending = ({ direction }: SortKey): boolean => direction === 'descending'
const pathOf = ({ path }: SortKey): string => encode(textOfPath(path))
/** The writers of an order, by the place of the direction. */
const orders: { readonly [S in Tables['sort']]: (tables: Tables, order: readonly SortKey[]) => readonly string[] } = {
  signs: (tables, order) => [
    `${nameOfRole(tables, 'sort')}=${order.map((key) => (isDescending(key) ? '-' : '') + pathOf(key)).join(',')}`,
  ],
  words: (tables, order) =>
    order.map((key) => `${nameOfRole(tables, 'sort')}=${pathOf(key)}:${isDescending(key) ? 'DESC' : 'ASC'}`),
  second: (tables, order) => [
    `${nameOfRole(tables, 'sort')}=${order.map(pathOf).join(',')}`,
    `${nameOfRole(tables, 'order')}=${order.map((key) => (isDescending(key) ? 'desc' : 'asc')).join(',')}`,
  ],
  json: (tables, order) =>
    order.map(
      (key) =>
        `${nameOfRole(tables, 'sort')}=${encodeJson([textOfPath(key.path), isDescending(key) ? 'DESC' : 'ASC'])}`,
    ),
}

/** Writes the parameters of the page; returns `undefined` where the client cannot express the page. */
function pageFor(
  { parameters, pages, links, unpaged, endsAtLast, answer }: Tables,
  { limit, offset = 0, position }: Query,
  collection: Collection,
  cursor: string | undefined,
): readonly string[] | undefined {
  const most = unpaged === 'max' ? collection.limit.max : collection.limit.default
  if (position === undefined && offset === 0 && limit === most) return []
  const end = offset + limit - (endsAtLast === true ? 1 : 0)
  /** The value of each role: `undefined` where it equals the default, `null` where the role cannot express this page. */
  const values: { readonly [R in Role]?: string | number | undefined | null } = {
    page:
      position !== undefined || offset % limit !== 0
        ? null
        : offset === 0 && answer.unpaged === undefined
          ? undefined
          : offset / limit + 1,
    start: position === undefined ? offset : null,
    range: position === undefined ? `[${offset},${end}]` : null,
    end,
    size: position !== undefined && limit === collection.limit.default ? undefined : limit,
    cursor: position === undefined ? null : cursor,
  }
  const names = pages.find((all) =>
    all.every((name) => {
      const role = parameters[name]!
      return values[role] !== null && (role !== 'cursor' || name === links?.[position!.toward])
    }),
  )
  return names?.flatMap((name) => {
    const value = values[parameters[name]!]
    return value === undefined || value === null ? [] : [`${name}=${value}`]
  })
}

// --- The check of a text, and its issues

/** Whether `parseQuery` parses a text to an equal query. Ignores `count`: answers in a notation always contain the number of rows. */
function isRead({ collection, notation }: Writer, text: string, query: Query): boolean {
  const result = parseQuery(collection, text, { notation })
  if (!result.ok || !sameTree(result.query.filter, query.filter)) return false
  const [read, original] = [result.query, query].map((one) => ({
    ...parametersToWrite(collection, one),
    ...(one.offset === 0 && { offset: undefined }),
    count: undefined,
  }))
  return JSON.stringify(read) === JSON.stringify(original)
}

function noOperator(writer: Writer, member: BoundMember, leaf: Leaf): Issue {
  const { tables } = writer
  const { field, operator, isNegative } = leaf
  const path = field.name
  const name = member.kind === 'condition' ? member.operator : `not ${operator}`
  const present = newCondition(field, operatorNamed.get('exists')!, [{ type: 'boolean', value: true }])
  const isPresentOnly = isNegative && pairsFor(writer, leaf, [member, present]) !== undefined
  const candidates = [false, true].flatMap((isBoth) => candidatesOf(tables, leaf, isBoth)).flat()
  // A field with the name of path and suffix hides the operator.
  const clash = candidates.find(({ word }) => word !== '' && declared(writer.collection.visible, path + word))
  const message =
    clash !== undefined && /@path@word/.test(tables.pair)
      ? `${tables.name} reads ${path}${clash.word} as the field of that name`
      : candidates.length > 0 && !isPresentOnly
        ? `${tables.name} cannot express ${name} on ${path} with this operand`
        : `${tables.name} has no operator for ${name} on ${path}`
  return {
    ...unsayable(tables, 'operator', message, { field: path, operator: name }),
    ...(isPresentOnly && { hint: `its negations select only rows with a value: add ${path}[exists]=true` }),
  }
}

const unsayable = ({ name }: Tables, problem: string, message: string, parameters: object = {}): Issue => ({
  code: 'print_unsayable',
  fault: 'server',
  message,
  parameters: { problem, notation: name, ...parameters },
})
