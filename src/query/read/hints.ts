/** What somebody probably meant: the hints of issues about names and operands. */
import { weakCache } from '../../cache.ts'
import { printable, quoteName } from '../../issue/index.ts'
import {
  mostNames,
  operatorNamed,
  operatorsFor,
  operatorWords,
  readerOf,
  valuesOf,
  type Collection,
  type OperatorName,
  type OperatorRow,
  type ResolvedField,
  type Schema,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import { nearest, type Budget } from '../../suggest.ts'
import { decodeClear, keyOf, valueOf, type Source } from '../../syntax/index.ts'
import { isEntry, pathFrom } from '../entries.ts'
import {
  askedBy,
  expressionIn,
  foreignWord,
  innerNames,
  keyMeant,
  orderIn,
  pairMeant,
  pathsIn,
  valueMeant,
  type Asked,
  type KeyMeant,
} from './foreign.ts'
import { conditionText, isOffered, parameterText, rowOf, sortText, type Meant } from './suggestion.ts'
import { usualWords, type GroupWords } from '../group-words.ts'

/** What hints are made of, besides the names and the value at fault. */
export interface HintContext {
  readonly schema: Schema
  /** It narrows what may be asked, and has parameters. */
  readonly collection: Collection | undefined
  readonly source: Source
  readonly budget: Budget
  /** The words of groups: none where groups are not turned on. */
  readonly words: GroupWords
  readonly isInGroup: boolean
}

// --- What callers may ask

const offeredOfCollections = /* @__PURE__ */ weakCache<Collection, ReadonlySet<string>>()

/** Whether callers may filter by a field: no hint names another one. */
function isFiltered({ name }: ResolvedField, collection: Collection | undefined): boolean {
  if (collection === undefined) return true
  let offered = offeredOfCollections.get(collection)
  if (offered === undefined) {
    const fields = Array.from(collection.schema.paths.values())
    offered = new Set(fields.filter((field) => operatorsFor(field, collection).length > 0).map((field) => field.name))
    offeredOfCollections.set(collection, offered)
  }
  return offered.has(name)
}

/** The paths that callers may filter by. That of an entry itself is empty: no name. */
function* namesOf({ schema, collection }: HintContext): Iterable<string> {
  for (const [path, field] of schema.paths) if (path !== '' && isFiltered(field, collection)) yield path
}
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
function* lastNames(context: HintContext): Iterable<string> {
  for (const path of namesOf(context)) yield lastOf(path)
}
function pathEndingIn(context: HintContext, name: string | undefined): string | undefined {
  if (name !== undefined) for (const path of namesOf(context)) if (lastOf(path) === name) return path
  return undefined
}

function depthOf(path: string): number {
  let depth = 1
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) depth++
  return depth
}

/** Among names that are equally near, one of the same depth. */
function nearestPath(context: HintContext, name: string): string | undefined {
  const depth = depthOf(name)
  return nearest(name, namesOf(context), context.budget, (path) => depthOf(path) === depth)
}

// --- Suggestions

/** Says what to write instead; `undefined` where callers may not. */
function write(context: HintContext, meant: Meant, given: string, hasPosition = false): string | undefined {
  if (!isOffered(meant, context.collection)) return undefined
  const text = conditionText(meant, given, context.isInGroup ? context.words : undefined)
  return hasPosition
    ? `list positions are not supported: write ${text}; it matches any entry of the list`
    : `write ${text}`
}

/** What a key and a value of another API are here. */
function writePair(context: HintContext, key: KeyMeant, value: string): string | undefined {
  // The other values of a list are in other pairs.
  const given = key.isList ? `${context.source.text.slice(0, 500)},${value}` : value
  return write(context, pairMeant(key, value), given, key.hasPosition)
}

// --- Fields

/**
 * @param key the path and its brackets.
 * @param name the path.
 */
export function fieldHint(context: HintContext, key: string, name: string, value: string): string | undefined {
  const { schema, words, isInGroup } = context
  if (isEncoded(name)) return doublyEncoded
  if (words.has(name)) return `write a group as ${name}${isInGroup ? '' : '='}(…)`
  if (isGroup(key)) return groupsHint(words)
  if (/^(?:\/|https?:).*\?/i.test(name)) return 'pass only the query string: the part of the URL after "?"'
  const meant = keyMeant(schema, key)
  if (meant !== undefined) return writePair(context, meant, value)

  const near =
    nearestPath(context, name) ?? pathEndingIn(context, nearest(lastOf(name), lastNames(context), context.budget))
  const asked = askedHint(context, key, value)
  if (near === undefined) return asked
  return asked === undefined ? didYouMean(near) : `${didYouMean(near)} ${asked}`
}

/** Whether a key asks for a group: `or`, `filters[$or][0][total]`. */
const isGroup = (key: string): boolean => usualWords.has(innerNames(key)[0]?.replace('$', '') ?? '')
const groupsHint = (words: GroupWords): string =>
  words.size > 0 ? `the words of groups are ${enumerate([...words.keys()])}` : 'groups are not turned on here'

/** What to suggest before the parenthesis of a group. */
export function groupHint(context: HintContext, name: string): string {
  const { schema, collection, words, budget } = context
  const names = Array.from(namesOf(context))
  const lists: string[] = []
  for (const [path, field] of schema.paths) {
    if (path === '' || !isEntry(field)) continue
    if (isFiltered(field, collection) || names.some((one) => one.startsWith(`${path}.`))) lists.push(path)
  }
  const near = nearest(name, [...words.keys(), ...lists], budget)
  return didYouMean(near) ?? `a group begins with ${enumerate([...words.keys(), ...lists])}`
}

/** What is malformed, where it is a form of another API; `undefined` where the syntax's own hint says more. */
export function malformedHint(context: HintContext, key: string, value: string | undefined): string | undefined {
  const { schema } = context
  if (value === undefined) {
    // `!gift` of api-query-params.
    const absent = key.startsWith('!') ? schema.paths.get(key.slice(1)) : undefined
    if (absent !== undefined)
      return write(context, { field: absent, operator: rowOf('exists'), operands: ['false'] }, '')
    const bare = schema.paths.get(key)
    if (bare === undefined) {
      const meant = keyMeant(schema, key, false)
      return meant && writePair(context, meant, key)
    }
    // A flag.
    return bare.type === 'boolean' && !context.isInGroup
      ? write(context, { field: bare, operator: rowOf('equals'), operands: ['true'] }, '')
      : undefined
  }
  const meant = keyMeant(schema, key)
  if (meant !== undefined) return writePair(context, meant, value)
  if (isGroup(key)) return groupsHint(context.words)
  const asked = askedHint(context, key, value)
  if (asked !== undefined) return asked
  const names = innerNames(key)
  const word = names.length > 1 ? foreignWord(names.at(-1)!) : undefined
  const near = nearestPath(context, (word === undefined ? names : names.slice(0, -1)).join('.'))
  if (near === undefined) return undefined
  const field = schema.paths.get(near)!
  return writePair(
    context,
    { field, word: word ?? { operator: 'equals', opposite: false }, isList: /\[\d*\]$/.test(key), hasPosition: false },
    value,
  )
}

// --- Orders, pages and whole filters

const pagingHint =
  'paging and sorting parameters are not filters: the service reads them with parseQuery, or names them in "reserved"'
const pairsHint = 'each condition is a pair of its own: path=value or path[operator]=value'

/** What a key asks for besides conditions, and how that is asked here. */
function askedHint(context: HintContext, key: string, value: string): string | undefined {
  const { collection, isInGroup } = context
  const asked = askedBy(key)
  if (asked === undefined) return undefined
  if (asked === 'filter' || asked === 'search') return expressionHint(context, value) ?? otherwise[asked](context)
  if (collection === undefined) return pagingHint
  if (isInGroup) return parametersHint(collection)
  return askedHints[asked](context, collection, value) ?? parametersHint(collection)
}

const parametersHint = ({ parameters }: Collection) => `the parameters are ${enumerate([...parameters.values()])}`

const otherwise = {
  filter: (): string => pairsHint,
  search: (context: HintContext): string | undefined => {
    for (const path of namesOf(context)) {
      const hint = write(context, { field: context.schema.paths.get(path)!, operator: rowOf('contains') }, '')
      if (hint !== undefined) return `there is no search in all fields: ${hint}`
    }
    return undefined
  },
}

const askedHints: {
  readonly [A in Exclude<Asked, 'filter' | 'search'>]: (
    context: HintContext,
    collection: Collection,
    value: string,
  ) => string | undefined
} = {
  sort: (context, collection, value) =>
    `write ${parameterText(collection, 'sort', orderAsked(context, collection, value))}`,
  direction: (context, collection, value) =>
    `write ${parameterText(collection, 'sort', orderAsked(context, collection, value))}`,
  limit: (_, collection) => `write ${limitText(collection)}`,
  offset: (_, collection) =>
    collection.maxOffset === undefined
      ? pageHint(collection, 'rows are not skipped here')
      : `write ${offsetText(collection)}`,
  page: (_, collection) => pageHint(collection, 'there are no page numbers'),
  cursor: (_, { parameters }) => `write ${parameters.get('cursor')}=; its value is the cursor of the page before`,
  fields: (_, collection, value) => {
    const { selectable } = collection
    if (selectable === undefined || selectable.size === 0) return undefined
    const named = pathsIn(selectable, value)
    return `write ${parameterText(collection, 'fields', named.length > 0 ? named : [...selectable.keys()].slice(0, 2))}`
  },
  include: (_, collection, value) => {
    const named = collection.selectable === undefined ? [] : pathsIn(collection.selectable, value)
    const whole = 'rows have their objects and lists in them: leave it out'
    return named.length > 0 ? `${whole}, or write ${parameterText(collection, 'fields', named)}` : whole
  },
  count: (_, collection) =>
    collection.parameters.has('count') ? `write ${parameterText(collection, 'count', ['true'])}` : undefined,
}

const limitText = (collection: Collection): string =>
  parameterText(collection, 'limit', [String(collection.limit.default)])

/** The offset of the second page, where there may be one. */
const offsetText = (collection: Collection): string =>
  parameterText(collection, 'offset', [String(Math.min(collection.limit.default, collection.maxOffset!))])

/** Where there is no offset, a client follows cursors. */
const pageHint = (collection: Collection, isWrong: string): string =>
  collection.maxOffset === undefined
    ? `${isWrong}: write ${limitText(collection)}; a page has the cursor of the next one`
    : `for the second page, write ${limitText(collection)}&${offsetText(collection)}`

/** The order of a query: other APIs have the path in one pair, and the direction in another one. */
function orderAsked({ source }: HintContext, collection: Collection, value: string): readonly string[] {
  const { sortable } = collection
  const texts: string[] = []
  for (const pair of source.pairs) {
    if (texts.length >= 10) break
    if (pair.end - pair.start > 500 || pair.equals === pair.end) continue
    const key = decodeClear(source, keyOf(pair))
    const asked = key === undefined ? undefined : askedBy(key)
    if (asked !== 'sort' && asked !== 'direction') continue
    texts.push(...innerNames(key!).slice(1), decodeClear(source, valueOf(pair)) ?? '')
  }
  const order = orderIn(sortable, texts.join(' ')).slice(0, 5)
  if (order.length > 0) return order
  const [first] = sortable.keys()
  return [sortText(first!, /^(?:desc|-)/i.test(value))]
}

/** The conditions of a filter in another language; `undefined` where none is found. */
function expressionHint(context: HintContext, text: string): string | undefined {
  const { schema, collection, words, isInGroup } = context
  const { conditions, joint } = expressionIn(schema, text)
  const meant = conditions.filter((one) => isOffered(one, collection)).slice(0, 5)
  if (meant.length === 0) return undefined
  if (joint === 'not') return pairsHint
  const textOf = (one: Meant, inGroup: boolean) => conditionText(one, text, inGroup ? words : undefined)
  const [first] = meant
  const different = new Map(meant.map((one) => [`${one.field.name} ${one.operator.name}`, one]))
  if (different.size === 1 && meant.length > 1) {
    const several = operatorWords[first!.operator.name].several
    const hint = several && write(context, { field: first!.field, operator: rowOf(several) }, text)
    if (hint !== undefined) return hint
  }
  const all = [...different.values()]
  if (joint === undefined || all.length === 1) {
    return `write ${all.map((one) => textOf(one, isInGroup)).join(isInGroup ? ',' : '&')}`
  }
  const or = Array.from(words).find(([, word]) => word === 'or')?.[0]
  if (or === undefined) return groupsHint(words)
  return `write ${or}${isInGroup ? '' : '='}(${all.map((one) => textOf(one, true)).join(',')})`
}

// --- Operators

/** @param field the field; `undefined` where it is unknown, too. */
export function operatorHint(
  context: HintContext,
  field: ResolvedField | undefined,
  key: string,
  name: string,
  value: string,
): string | undefined {
  const { schema, collection, budget } = context
  if (isEncoded(name)) return doublyEncoded
  const meant = keyMeant(schema, key)
  if (field === undefined) {
    // The hint about the field has all of the pair.
    if (meant !== undefined || askedBy(key) !== undefined) return undefined
    return didYouMean(foreignWord(name)?.operator ?? nearest(name, operatorNamed.keys(), budget))
  }
  const available = operatorsOf(field, collection)
  if (meant !== undefined) {
    const { operator } = pairMeant(meant, value)
    const isRenamed = meant.field === field && operator.name === meant.word.operator && !meant.word.opposite
    const hint =
      isRenamed && !meant.hasPosition
        ? didYouMean(available.find((one) => one === operator.name))
        : writePair(context, meant, value)
    if (hint !== undefined) return hint
  }
  return didYouMean(nearest(name, available, budget)) ?? availableFor(field, collection)
}

export function notApplicableHint(context: HintContext, field: ResolvedField): string {
  const { budget, collection } = context
  const inside: string[] = []
  if (field.type === 'object') {
    const prefix = pathFrom(field) === '' ? '' : `${pathFrom(field)}.`
    for (const name of namesOf(context)) {
      if (--budget.left < 0 || inside.length > mostNames) break
      if (name.startsWith(prefix)) inside.push(name)
    }
  }
  return availableFor(field, collection) + (inside.length > 0 ? `; fields of ${field.name}: ${enumerate(inside)}` : '')
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)
const doublyEncoded = 'the key looks percent-encoded twice: encode it once'
const didYouMean = (name: string | undefined) => (name === undefined ? undefined : `did you mean ${printable(name)}?`)

function availableFor(field: ResolvedField, collection: Collection | undefined): string {
  const names = operatorsOf(field, collection)
  return names.length === 0
    ? `${field.name} cannot be filtered`
    : `available operators for ${field.name}: ${names.join(', ')}`
}

const operatorsOf = (field: ResolvedField, collection: Collection | undefined): readonly OperatorName[] =>
  operatorsFor(field, collection).map(({ name }) => name)

export function duplicateHint(context: HintContext, field: ResolvedField, { name }: OperatorRow): string {
  const several = own(operatorWords[name], 'several')
  const meant = several && operatorNamed.get(several)
  const hint = meant && write(context, { field, operator: meant }, context.source.text.slice(0, 500))
  if (hint !== undefined) return `to ${operatorWords[meant!.name].purpose}, ${hint}`
  return `use each operator once per field${context.isInGroup ? ', or put one in a group of its own' : ''}`
}

const searching = (where: OperatorRow['searches']): string =>
  Array.from(operatorNamed.values())
    .filter(({ searches }) => searches === where)
    .map(({ name }) => name)
    .join(', ')

/** @param count how many searches are too many. */
export const searchHint = (count: number): string =>
  `remove ${count} of the conditions with ${searching('everywhere')}, or ${searching('in lists')} in a list; ` +
  `outside lists, ${searching('in lists')} does not count`

export function operandHint(
  context: HintContext,
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
): string | undefined {
  const meant = valueMeant(field, operator, text)
  const hint = meant && write(context, meant, text)
  if (hint !== undefined) {
    const isPresence = meant!.operator.reads === 'flag' && operator.reads !== 'flag'
    return isPresence ? `for rows ${meant!.operands![0] === 'true' ? 'with' : 'without'} a value, ${hint}` : hint
  }
  // A list in brackets, or with another mark between its items.
  if (operator.operands === 'list' && /^[[({]|[\])}]$|[|;]/.test(text)) {
    const list = write(context, { field, operator }, text)
    if (list !== undefined) return list
  }
  const values = valuesOf(field)
  if (operator.reads === 'value' && values !== undefined) return didYouMean(nearest(text, values, context.budget))
  const isRead = readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return isRead ? '"+" means a space in a query string: write a plus sign as %2B' : undefined
}

/** A list for a message, cut after the first names. A name that would not be seen as one is quoted. */
export function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return shown.join(', ') + (names.length > mostNames ? ', …' : '')
}
