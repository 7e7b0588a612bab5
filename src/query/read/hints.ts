/** What somebody probably meant: the advice of issues about names and operands. */
import { weakCache } from '../../cache.ts'
import { namesOf, type Advice, type PlainAdvice, type Span, type WriteReason } from '../../issue/index.ts'
import {
  mostNames,
  mostWords,
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
import { nearest, nearestFew, type Budget } from '../../suggest.ts'
import { isDay } from '../../text/time.ts'
import { decode, decodeClear, keyOf, mayHoldSecret, parseWords, valueOf, type Source } from '../../syntax/index.ts'
import { isEntry, pathFrom, quantified } from '../entries.ts'
import {
  askedBy,
  expressionIn,
  foreignWord,
  flagOf,
  innerNames,
  keyMeant,
  orderIn,
  pairMeant,
  pathsIn,
  quantifiedMeant,
  valueMeant,
  type Asked,
  type KeyMeant,
} from './foreign.ts'
import { relativeAdvice } from './relative.ts'
import {
  conditionText,
  isOffered,
  operandsIn,
  parameterText,
  rowOf,
  sortText,
  writeAdvice,
  type Meant,
  placeOf,
  type Place,
} from './suggestion.ts'
import { usualWords, type GroupWords } from '../group-words.ts'

/** What advice is made of, besides the names and the value at fault. */
export interface HintContext {
  readonly schema: Schema
  /** It narrows which conditions are allowed, and has parameters. */
  readonly collection: Collection | undefined
  readonly source: Source
  readonly budget: Budget
  /** The words of groups: none where groups are not turned on. */
  readonly words: GroupWords
  readonly isInGroup: boolean
  /** Names of pairs from which no hint has anything. */
  readonly reserved: readonly string[]
}

// --- What callers may filter by

const offeredOfCollections = /* @__PURE__ */ weakCache<Collection, ReadonlySet<string>>()

/** Whether callers may filter by a field: no hint names another one. */
function isFiltered({ name }: ResolvedField, collection: Collection | undefined): boolean {
  if (collection === undefined) return true
  let offered = offeredOfCollections.get(collection)
  if (offered === undefined) {
    const fields = Array.from(collection.visible.paths.values())
    offered = new Set(fields.filter((field) => operatorsFor(field, collection).length > 0).map((field) => field.name))
    offeredOfCollections.set(collection, offered)
  }
  return offered.has(name)
}

/** Whether a path is an alias, which no hint names. */
const isAlias = (path: string, field: ResolvedField): boolean => path !== pathFrom(field)

/** The paths that callers may filter by. That of an entry itself is empty: no name. */
function* offeredNames({ schema, collection }: HintContext): Iterable<string> {
  for (const [path, field] of schema.paths)
    if (path !== '' && isFiltered(field, collection) && !isAlias(path, field)) yield path
}
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
function* lastNames(context: HintContext): Iterable<string> {
  for (const path of offeredNames(context)) yield lastOf(path)
}
function pathEndingIn(context: HintContext, name: string | undefined): string | undefined {
  if (name !== undefined) for (const path of offeredNames(context)) if (lastOf(path) === name) return path
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
  return nearest(name, offeredNames(context), context.budget, (path) => depthOf(path) === depth)
}

// --- Advice

const noAdvice: readonly Advice[] = []
const plain = (kind: PlainAdvice): readonly Advice[] => [{ kind }]
const didYouMean = (name: string | undefined): readonly Advice[] =>
  name === undefined ? noAdvice : [{ kind: 'did_you_mean', name }]
const isNone = (advice: readonly Advice[]): boolean => advice.length === 0

/** What to write instead; none where callers may not. */
function write(
  context: HintContext,
  meant: Meant,
  given: string,
  place?: Place,
  reason: WriteReason = 'spelling',
): readonly Advice[] {
  if (!isOffered(meant, context.collection)) return noAdvice
  const text = conditionText(meant, given, context.isInGroup ? context.words : undefined)
  const value = place?.value
  const operands = value === undefined ? [] : operandsIn(context.source, value, own(meant, 'rest') ?? given, meant)
  return [writeAdvice(reason, text, place, own(meant, 'operands') === undefined ? operands : 'known')]
}

/** The first pairs, decoded: neither long ones nor any that may contain a secret. */
function* clearPairs({ source, reserved }: HintContext): Iterable<readonly [key: string, value: string]> {
  for (const pair of source.pairs.slice(0, 20)) {
    if (pair.end - pair.start > 500 || mayHoldSecret(source, pair, reserved)) continue
    const key = decodeClear(source, keyOf(pair))
    if (key !== undefined) yield [key, pair.equals < pair.end ? (decodeClear(source, valueOf(pair)) ?? '') : '']
  }
}

/** All values that the query has for a field, and its groups. */
function valuesOfField(context: HintContext, { name }: ResolvedField): string {
  const values: string[] = []
  for (const [key, value] of clearPairs(context))
    if (context.words.has(key) || keyMeant(context.schema, key)?.field.name === name) values.push(value)
  return values.join(',')
}

/** What a key and a value of another API are here. */
function writePair(context: HintContext, key: KeyMeant, value: string, place: Place): readonly Advice[] {
  const meant = { rest: value, ...pairMeant(key, value) }
  const also = own(key.word, 'also')
  if (also !== undefined) return writeCount(context, key.field, [rowOf(key.word.operator), rowOf(also)], place)
  // The other values of a list are in other pairs.
  const given = key.isList ? valuesOfField(context, key.field) : value
  return write(context, meant, given, place, key.hasPosition ? 'no_position' : 'spelling')
}

/** Writes conditions with the same operand. One edit cannot keep the operand in both. */
function writeCount(
  context: HintContext,
  field: ResolvedField,
  operators: readonly OperatorRow[],
  place: Place,
): readonly Advice[] {
  const all = operators.map((operator) => ({ field, operator }))
  if (!all.every((one) => isOffered(one, context.collection))) return noAdvice
  const words = context.isInGroup ? context.words : undefined
  const text = all.map((one) => conditionText(one, '', words)).join(words === undefined ? '&' : ',')
  return [writeAdvice('spelling', text, place, [])]
}

// --- Fields

/** @param place the pair; `name` is its path, `key` has the brackets too. */
export function fieldAdvice(
  context: HintContext,
  key: string,
  name: string,
  value: string,
  place: Place,
): readonly Advice[] {
  const { schema, words, isInGroup } = context
  if (isEncoded(name)) return decodeOnce(context, key, name)
  if (words.has(name)) return [{ kind: 'write_group', word: name, isInGroup, list: null }]
  if (isGroup(key)) return groupsAdvice(words)
  if (/^(?:\/|https?:).*\?/i.test(name)) return plain('query_only')
  const meant = keyMeant(schema, key)
  if (meant !== undefined) {
    const advice = writePair(context, meant, value, place)
    if (!isNone(advice)) return advice
  }
  const group = quantifiedAdvice(context, name, value)
  if (!isNone(group)) return group

  const near =
    nearestPath(context, name) ?? pathEndingIn(context, nearest(lastOf(name), lastNames(context), context.budget))
  return [...didYouMean(near), ...askedAdvice(context, key, value, place)]
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)

/** A key that is still encoded, and what it is when it is decoded once more. */
function decodeOnce({ schema, collection }: HintContext, key: string, name: string): readonly Advice[] {
  const meant = key === name ? keyMeant(schema, decodedOnce(key)) : undefined
  const isKey = meant !== undefined && !meant.hasPosition && !meant.word.opposite && !meant.isList
  const condition = isKey ? { field: meant.field, operator: rowOf(meant.word.operator) } : undefined
  const isMeant = condition !== undefined && isOffered(condition, collection)
  return [{ kind: 'decode_once', key: isMeant ? conditionText(condition, '').split('=')[0]! : null }]
}
const decodedOnce = (key: string): string =>
  key.replaceAll(/%([2-7][\da-f])/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))

/** Whether a key means a group: `or`, `filters[$or][0][total]`. */
const isGroup = (key: string): boolean => usualWords.has(innerNames(key).at(0)?.replace('$', '') ?? '')
const groupsAdvice = (words: GroupWords): readonly Advice[] =>
  words.size > 0 ? [{ kind: 'choose', from: 'groups', choices: namesOf([...words.keys()]) }] : plain('no_groups')

/** A group after the path of a list, as in `items.any(price=5)` and `items.any=(price=5)`. Here it is inside another group. */
function quantifiedAdvice({ schema, words }: HintContext, name: string, value: string): readonly Advice[] {
  const paren = name.indexOf('(')
  if (paren < 0 && !value.startsWith('(')) return noAdvice
  const path = paren < 0 ? name : name.slice(0, paren)
  const entry = schema.paths.get(quantified(schema, path).list)
  const list = entry !== undefined && isEntry(entry) ? path : quantifiedMeant(schema, path)
  if (list === undefined) return noAdvice
  const and = Array.from(words).find(([, word]) => word === 'and')?.[0]
  return and === undefined ? plain('no_groups') : [{ kind: 'write_group', word: and, isInGroup: false, list }]
}

/** What may come before the parenthesis of a group. */
export function groupAdvice(context: HintContext, name: string): readonly Advice[] {
  const { schema, collection, words, budget } = context
  const meant = quantifiedMeant(schema, name)
  if (meant !== undefined) return didYouMean(meant)
  const names = Array.from(offeredNames(context))
  const lists: string[] = []
  for (const [path, field] of schema.paths) {
    if (path === '' || !isEntry(field) || isAlias(path, field)) continue
    if (isFiltered(field, collection) || names.some((one) => one.startsWith(`${path}.`))) lists.push(path)
  }
  const near = nearest(name, [...words.keys(), ...lists], budget)
  if (near !== undefined) return didYouMean(near)
  return [{ kind: 'choose', from: 'group_starts', choices: namesOf([...words.keys(), ...lists]) }]
}

/** What a malformed pair is in another API; none where the syntax's own hint is better. */
export function malformedAdvice(
  context: HintContext,
  key: string,
  value: string | undefined,
  place: Place,
): readonly Advice[] {
  const { schema } = context
  if (value === undefined) {
    // `!gift` of api-query-params.
    const absent = key.startsWith('!') ? schema.paths.get(key.slice(1)) : undefined
    if (absent !== undefined)
      return write(context, { field: absent, operator: rowOf('exists'), operands: ['false'] }, '', place)
    const bare = schema.paths.get(key)
    if (bare === undefined) {
      const meant = keyMeant(schema, key, false)
      const operand = /[<>!~:]+(.*)$/s.exec(context.source.text.slice(place.start, place.end))?.[1] ?? ''
      const kept = operand === '' ? undefined : { start: place.end - operand.length, end: place.end }
      return meant === undefined
        ? noAdvice
        : writePair(context, meant, operand || key, { start: place.start, end: place.end, value: kept })
    }
    // A flag.
    return bare.type === 'boolean' && !context.isInGroup
      ? write(context, { field: bare, operator: rowOf('equals'), operands: ['true'] }, '', place)
      : noAdvice
  }
  const meant = keyMeant(schema, key)
  if (meant !== undefined) return writePair(context, meant, value, place)
  if (isGroup(key)) return groupsAdvice(context.words)
  const asked = askedAdvice(context, key, value, place)
  if (!isNone(asked)) return asked
  const names = innerNames(key)
  const word = names.length > 1 ? foreignWord(names.at(-1)!) : undefined
  const near = nearestPath(context, (word === undefined ? names : names.slice(0, -1)).join('.'))
  if (near === undefined) return noAdvice
  const field = schema.paths.get(near)!
  const equality = { operator: 'equals', opposite: false } as const
  const isList = /\[\d*\]$/.test(key)
  return writePair(context, { field, word: word ?? equality, isList, hasPosition: false }, value, place)
}

// --- Orders, pages and whole filters

/** What a key means besides conditions, and what expresses that here. */
function askedAdvice(context: HintContext, key: string, value: string, place: Place): readonly Advice[] {
  const { collection, isInGroup } = context
  const asked = askedBy(key)
  if (asked === undefined) return noAdvice
  if (asked === 'filter' || asked === 'search') {
    const advice = expressionAdvice(context, value, place)
    if (!isNone(advice)) return advice
    return asked === 'filter' ? plain('separate_pairs') : searchAdvice(context, value, place)
  }
  if (collection === undefined) return plain('no_parameters')
  const advice = isInGroup ? undefined : parameterAdvice[asked](context, collection, value, place)
  return advice ?? [{ kind: 'choose', from: 'parameters', choices: namesOf([...collection.parameters.values()]) }]
}

function searchAdvice(context: HintContext, value: string, place: Place): readonly Advice[] {
  const { collection, isInGroup } = context
  if (collection?.parameters.has('search') && !isInGroup) {
    const words = place.value === undefined ? [] : parseWords(context.source, place.value)
    const isKept =
      words.length > 0 && words.length <= mostWords && words.every(({ quoteFault }) => quoteFault === undefined)
    return [writeAdvice('spelling', parameterText(collection, 'search', ['a']), place, isKept ? kept(place) : [])]
  }
  for (const path of offeredNames(context)) {
    const meant = { field: context.schema.paths.get(path)!, operator: rowOf('contains'), rest: value }
    const advice = write(context, meant, '', place, 'no_search')
    if (!isNone(advice)) return advice
  }
  return noAdvice
}

const kept = ({ value }: Place) => (value === undefined || value.start === value.end ? [] : [value])

const parameterAdvice: {
  readonly [A in Exclude<Asked, 'filter' | 'search'>]: (
    context: HintContext,
    collection: Collection,
    value: string,
    place: Place,
  ) => readonly Advice[] | undefined
} = {
  timeZone: (_, collection, __, place) =>
    collection.parameters.has('timeZone')
      ? [writeAdvice('spelling', parameterText(collection, 'timeZone', ['Europe/Berlin']), place, kept(place))]
      : undefined,
  sort: sortAdvice,
  direction: sortAdvice,
  limit: (_, collection, __, place) => [writeAdvice('spelling', limitText(collection), place, kept(place))],
  offset: (_, collection, __, place) =>
    collection.maxOffset === undefined
      ? pageAdvice(collection, 'no_offset', place)
      : [writeAdvice('spelling', offsetText(collection), place, kept(place))],
  page: (_, collection, __, place) => pageAdvice(collection, 'no_page_numbers', place),
  cursor: (_, { parameters }, __, place) => [writeAdvice('cursor', `${parameters.get('cursor')}=`, place, [])],
  fields: (_, collection, value, place) => {
    const { selectable } = collection
    if (selectable === undefined || selectable.size === 0) return undefined
    const { names, isWhole } = pathsIn(selectable, value)
    const items = names.length > 0 ? names : [...selectable.keys()].slice(0, 2)
    return [writeAdvice('spelling', parameterText(collection, 'fields', items), place, isWhole ? 'known' : [])]
  },
  include: (_, collection, value, place) => {
    const { names, isWhole } = pathsIn(collection.selectable ?? new Map(), value)
    return names.length > 0
      ? [writeAdvice('whole_rows', parameterText(collection, 'fields', names), place, isWhole ? 'known' : [])]
      : plain('leave_out')
  },
  count: (_, collection, value, place) =>
    collection.parameters.has('count')
      ? [writeAdvice('spelling', parameterText(collection, 'count', ['true']), place, flagOf(value) ? 'known' : [])]
      : undefined,
  facets: (_, collection, value, place) => {
    const { facets } = collection
    if (facets.size === 0) return undefined
    const { names, isWhole } = pathsIn(facets, value)
    const items = names.length > 0 ? names : [...facets.keys()].slice(0, 2)
    return [writeAdvice('spelling', parameterText(collection, 'facets', items), place, isWhole ? 'known' : [])]
  },
}

/** The order. Other APIs have the path in one pair and the direction in another one: no one edit replaces both. */
function sortAdvice(context: HintContext, collection: Collection, value: string, place: Place): readonly Advice[] {
  const { sortable } = collection
  const texts: string[] = []
  for (const [key, text] of clearPairs(context)) {
    const asked = askedBy(key)
    if (asked === 'sort' || asked === 'direction') texts.push([...innerNames(key).slice(1), text].join(' '))
  }
  const { names, isWhole } = orderIn(sortable, texts.join(' '))
  const [first] = sortable.keys()
  const items = names.length > 0 ? names.slice(0, 5) : [sortText(first!, /^(?:desc|-)/i.test(value))]
  const text = parameterText(collection, 'sort', items)
  return [writeAdvice('spelling', text, place, isWhole && texts.length === 1 ? 'known' : [])]
}

const limitText = (collection: Collection): string =>
  parameterText(collection, 'limit', [String(collection.limit.default)])

/** The offset of the second page, where there may be one. */
const offsetText = (collection: Collection): string =>
  parameterText(collection, 'offset', [String(Math.min(collection.limit.default, collection.maxOffset!))])

/** Where there is no offset, a client follows cursors. */
const pageAdvice = (
  collection: Collection,
  without: 'no_offset' | 'no_page_numbers',
  place: Place,
): readonly Advice[] =>
  collection.maxOffset === undefined
    ? [writeAdvice(without, limitText(collection), place, [])]
    : [writeAdvice('second_page', `${limitText(collection)}&${offsetText(collection)}`, place, [])]

/** The conditions of a filter in another language; none where none is found. */
function expressionAdvice(context: HintContext, text: string, place: Place): readonly Advice[] {
  const { schema, collection, words, isInGroup } = context
  const { conditions, joint } = expressionIn(schema, text)
  const meant = conditions.filter((one) => isOffered(one, collection)).slice(0, 5)
  if (meant.length === 0) return noAdvice
  if (joint === 'not') return plain('separate_pairs')
  const textOf = (one: Meant, inGroup: boolean) => conditionText(one, text, inGroup ? words : undefined)
  const whole = { start: place.start, end: place.end, value: undefined }
  const [first] = meant
  const different = new Map(meant.map((one) => [`${one.field.name} ${one.operator.name}`, one]))
  if (different.size === 1 && meant.length > 1) {
    const several = operatorWords[first!.operator.name].several
    const advice = several && write(context, { field: first!.field, operator: rowOf(several) }, text, whole)
    if (advice !== undefined && !isNone(advice)) return advice
  }
  const all = [...different.values()]
  if (joint === undefined || all.length === 1) {
    const written = all.map((one) => textOf(one, isInGroup)).join(isInGroup ? ',' : '&')
    return [writeAdvice('spelling', written, whole, [])]
  }
  const or = Array.from(words).find(([, word]) => word === 'or')?.[0]
  if (or === undefined) return groupsAdvice(words)
  const written = `${or}${isInGroup ? '' : '='}(${all.map((one) => textOf(one, true)).join(',')})`
  return [writeAdvice('spelling', written, whole, [])]
}

// --- Operators

/** @param field the field; `undefined` where it is unknown, too. */
export function operatorAdvice(
  context: HintContext,
  field: ResolvedField | undefined,
  key: string,
  name: string,
  value: string,
  place: Place,
): readonly Advice[] {
  const { schema, collection, budget } = context
  if (isEncoded(name)) return decodeOnce(context, key, name)
  const meant = keyMeant(schema, key)
  if (field === undefined) {
    // The advice about the field has all of the pair.
    if (meant !== undefined || askedBy(key) !== undefined) return noAdvice
    return didYouMean(foreignWord(name)?.operator ?? nearest(name, operatorNamed.keys(), budget))
  }
  const available = operatorsOf(field, collection)
  if (meant !== undefined) {
    const { operator } = pairMeant(meant, value)
    const isRenamed =
      own(meant.word, 'also') === undefined &&
      meant.field === field &&
      operator.name === meant.word.operator &&
      !meant.word.opposite
    const advice =
      isRenamed && !meant.hasPosition
        ? didYouMean(available.find((one) => one === operator.name))
        : writePair(context, meant, value, place)
    if (!isNone(advice)) return advice
  }
  const near = nearest(name, available, budget)
  return near === undefined ? [availableFor(context, field, name)] : didYouMean(near)
}

export function notApplicableAdvice(context: HintContext, field: ResolvedField, name = ''): readonly Advice[] {
  const { budget } = context
  const inside: string[] = []
  if (field.type === 'object') {
    const prefix = pathFrom(field) === '' ? '' : `${pathFrom(field)}.`
    for (const name of offeredNames(context)) {
      if (--budget.left < 0 || inside.length > mostNames) break
      if (name.startsWith(prefix)) inside.push(name)
    }
  }
  return [availableFor(context, field, name, inside)]
}

/** A hint lists at most so many operators. Of a longer list, it names the nearest few. */
const mostOperators = 10
const fewOperators = 5

function availableFor(
  { collection, budget }: HintContext,
  field: ResolvedField,
  name: string,
  inside: readonly string[] = [],
): Advice {
  const all = withoutVariants(operatorsOf(field, collection))
  const isCut = all.length > mostOperators
  const operators = isCut ? nearestFew(name, all, fewOperators, budget) : all
  return { kind: 'operators', field: field.name, operators, isCut, inside: namesOf(inside) }
}

/** Leaves out those whose name goes on after another one, as `containsExact` after `contains`: a hint is short. */
const withoutVariants = (names: readonly OperatorName[]): readonly OperatorName[] =>
  names.filter((name) => !names.some((other) => name.startsWith(other) && /^[A-Z]/.test(name.slice(other.length))))

const operatorsOf = (field: ResolvedField, collection: Collection | undefined): readonly OperatorName[] =>
  operatorsFor(field, collection).map(({ name }) => name)

const severalReasons: { readonly [O in OperatorName]?: WriteReason } = {
  in: 'match_several',
  nin: 'exclude_several',
  range: 'match_range',
}

export function duplicateAdvice(context: HintContext, field: ResolvedField, { name }: OperatorRow): readonly Advice[] {
  const several = own(operatorWords[name], 'several')
  const advice =
    several === undefined
      ? noAdvice
      : write(
          context,
          { field, operator: rowOf(several) },
          valuesOfField(context, field),
          undefined,
          severalReasons[several],
        )
  return isNone(advice) ? [{ kind: 'operator_once', isInGroup: context.isInGroup }] : advice
}

/**
 * @param excess how many searches are too many.
 * @param facets how many facets they leave room for.
 * @param operators those of the searches; `undefined` for a group of conditions on one entry.
 */
export function searchesAdvice(
  excess: number,
  facets: number | null,
  operators: readonly (OperatorRow | undefined)[],
): Advice {
  // In the order of the table: the order of a text changes no hint.
  const names = new Set(operators.map((operator) => operator?.name))
  const searching = (where: OperatorRow['searches']) =>
    Array.from(operatorNamed.values()).flatMap(({ name, searches }) =>
      searches === where && names.has(name) ? name : [],
    )
  const inGroups = operators.some((operator) => operator === undefined || operator.searches === 'nowhere')
  const [everywhere, inLists] = [searching('everywhere'), searching('in lists')]
  return { kind: 'fewer_searches', excess, everywhere, inLists, inGroups, facets }
}

/** Without operands that the operator does not read: an edit that keeps them leaves the issue. */
function withReadOperands({ source }: HintContext, { field, operator }: Meant, advice: Advice): Advice {
  if (advice.kind !== 'write') return advice
  const { fromText } = readerOf(operator.reads, field)
  const { operands } = advice
  const isRead =
    (operator.operands !== 'two' || operands.length === 2) &&
    operands.every((operand) => fromText(decode(source, operand), field) !== undefined)
  return isRead ? advice : { ...advice, operands: [] }
}

/** Whether a text is a uuid as other software writes it: without dashes, in braces, or as a URN (RFC 9562, section 4). */
function isForeignUuid(text: string): boolean {
  const inside = text.replace(/^urn:uuid:/i, '').replace(/^\{(.*)\}$/, '$1')
  return /^[\da-f]{32}$/i.test(inside.replaceAll('-', ''))
}

export function operandAdvice(
  context: HintContext,
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
  span: Span,
): readonly Advice[] {
  const place = placeOf(context.source, span, context.isInGroup)
  const meant = valueMeant(field, operator, text)
  if (meant !== undefined) {
    const isPresence = meant.operator.reads === 'flag' && operator.reads !== 'flag'
    const reason = isPresence ? (meant.operands![0] === 'true' ? 'present' : 'absent') : 'spelling'
    const advice = write(context, meant, text, place, reason)
    if (!isNone(advice)) return advice.map((one) => withReadOperands(context, meant, one))
  }
  if (operator.reads === 'value' && field.type === 'uuid' && isForeignUuid(text)) return plain('uuid_form')
  // A list in brackets, or with another mark between its items.
  if (operator.operands === 'list' && /^[[({]|[\])}]$|[|;]/.test(text)) {
    const advice = write(context, { field, operator }, text, place)
    if (!isNone(advice)) return advice
  }
  const values = valuesOf(field)
  if (operator.reads === 'value' && values !== undefined) return didYouMean(nearest(text, values, context.budget))
  const { fromText } = readerOf(operator.reads, field)
  const { type } = field
  if (operator.reads === 'value' && (type === 'date' || type === 'datetime')) {
    const advice = relativeAdvice(type, text)
    if (!isNone(advice)) return advice
  }
  // Without a zone, every day exists.
  if (operator.reads === 'value' && type === 'datetime' && isDay(text)) return plain('day_left_out')
  return text.includes(' ') && fromText(text.replaceAll(' ', '+'), field) !== undefined
    ? plain('escape_plus')
    : noAdvice
}
