/** Advice of issues about names and operands: the condition that a caller probably meant. */
import { weakCache } from '../cache.ts'
import { namesOf, type Advice, type PlainAdvice, type Span, type WriteReason } from '../issue/index.ts'
import {
  mostNames,
  mostSortKeys,
  mostWords,
  isOfForm,
  pathsFrom,
  operatorNamed,
  operatorsFor,
  operatorsIn,
  operatorWords,
  readerOf,
  valueNames,
  valuesOf,
  type Collection,
  type OperatorName,
  type OperatorRow,
  type ResolvedField,
  type Schema,
  type ValueName,
  isEntry,
  pathFrom,
  quantified,
  scansOf,
  usualWords,
  type GroupWords,
} from '../language/index.ts'
import { decode, decodeClear, keyOf, mayHoldSecret, valueOf } from '../asked/index.ts'
import { parseWords } from '../reading/index.ts'
import { endsInSign, type ConditionContext, type TextAdviser } from '../binding/index.ts'
import {
  foreignParameterIn,
  directionsIn,
  expressionIn,
  foreignWord,
  flagOf,
  innerNames,
  isDescending,
  isBoundAlone,
  isLead,
  isNothing,
  isSize,
  isWrapper,
  isPlainPath,
  fieldBefore,
  keyMeant,
  keyMeantOn,
  keyOn,
  leadOf,
  orderIn,
  pairMeant,
  partsOf,
  pathsIn,
  quantifiedMeant,
  valueMeant,
  type ForeignParameter,
  type KeyMeant,
} from './foreign.ts'
import { formAdvice } from './operand-form.ts'
import { relativeAdvice } from './relative.ts'
import {
  conditionText,
  exampleText,
  isOffered,
  meantText,
  operandsIn,
  parameterText,
  rowOf,
  sortText,
  writeAdvice,
  type AskedCondition,
  placeOf,
  type PairSpan,
} from './suggestion.ts'
import { own } from '../own.ts'
import { nearest, type Budget } from '../suggest.ts'
import { hasTurn, wordsIn } from '../turns.ts'
import { isDay } from '../values/time.ts'

/** The state from which advice is made. */
export interface HintContext extends ConditionContext {
  readonly budget: Budget
}

// --- The fields that callers may filter by

const offeredOfCollections = /* @__PURE__ */ weakCache<Collection, ReadonlySet<string>>()

/** Whether callers may filter by a field: no hint names another one. */
function isFiltered(field: ResolvedField, collection: Collection | undefined): boolean {
  if (collection === undefined) return true
  if (own(field, 'isKey') !== undefined) return operatorsFor(field, collection).length > 0
  let offered = offeredOfCollections.get(collection)
  if (offered === undefined) {
    const fields = Array.from(collection.visible.paths.values())
    offered = new Set(fields.filter((field) => operatorsIn(field, collection).length > 0).map((field) => field.name))
    offeredOfCollections.set(collection, offered)
  }
  return offered.has(field.name)
}

/** Whether a path is an alias, which no hint names. */
// Without an alias, the first comparison is enough.
const isAlias = (path: string, field: ResolvedField): boolean => path !== field.name && path !== pathFrom(field)

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

/** Advice to write a condition; none if callers may not use it. */
function write(
  context: HintContext,
  meant: AskedCondition,
  operandText: string,
  place?: PairSpan,
  reason: WriteReason = 'spelling',
): readonly Advice[] {
  if (!areOffered(context, [meant])) return noAdvice
  const text = meantText(meant, operandText, context.words, context.isInGroup)
  if (text === undefined) return noAdvice
  const value = place?.value
  const operands =
    value === undefined ? [] : operandsIn(context.source, value, own(meant, 'rest') ?? operandText, meant)
  return [writeAdvice(reason, text, place, own(meant, 'operands') === undefined ? operands : 'known')]
}

/** Whether callers may use all operators of some conditions. */
const areOffered = ({ collection }: HintContext, all: readonly AskedCondition[]): boolean =>
  all.every((one) => {
    const also = own(one, 'also')
    return isOffered(one, collection) && (also === undefined || isOffered({ ...one, operator: also }, collection))
  })

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

/** Advice to write the condition that a key and a value of another API mean. */
function writePair(context: HintContext, key: KeyMeant, value: string, place: PairSpan): readonly Advice[] {
  const { also } = key.word
  if (also !== undefined) return writeCount(context, key.field, [rowOf(key.word.operator), rowOf(also)], place)
  const byKey = pairMeant(key, value)
  const meant = byKey && { rest: value, ...byKey }
  if (meant === undefined) return chooseOperator(context, key.field)
  // The other values of a list are in other pairs.
  const text = key.isList ? valuesOfField(context, key.field) : value
  const advice = write(context, meant, text, place, key.hasPosition ? 'no_position' : 'spelling')
  return isNone(advice) ? chooseOperator(context, key.field) : advice
}

/** Advice for a value that no condition keeps: the operators of the field, if callers may filter by it. */
const chooseOperator = (context: HintContext, field: ResolvedField): readonly Advice[] =>
  isFiltered(field, context.collection) && pathFrom(field) !== '' ? [availableFor(context, field)] : noAdvice

/** Writes conditions with the same operand. One edit cannot keep the operand in both. */
function writeCount(
  context: HintContext,
  field: ResolvedField,
  operators: readonly OperatorRow[],
  place: PairSpan,
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
  place: PairSpan,
): readonly Advice[] {
  const { schema, words, isInGroup } = context
  if (isEncoded(name)) return decodeOnce(context, key, name)
  if (words.has(name)) return [{ kind: 'write_group', word: name, isInGroup, list: null }]
  if (/^(?:\/|https?:).*\?/i.test(name)) return plain('query_only')
  const group = quantifiedAdvice(context, name, value)
  if (!isNone(group)) return group
  const names = innerNames(key)
  const groupWord = groupWordIn(names)
  const isOfGroup = usualWords.has(groupWord)
  const meant = isOfGroup && groupWord !== 'not' ? undefined : keyMeant(schema, key)
  if (meant !== undefined) {
    const advice = writePair(context, meant, value, place)
    if (!isNone(advice)) return advice
  }
  if (isOfGroup) return groupsAdvice(context, key, value, place)
  // `!(status==paid)`
  const whole = /[\s(]/.test(name) ? expressionAdvice(context, wholeOf(context, place), place) : noAdvice
  if (!isNone(whole)) return whole

  const record = recordAdvice(context, name)
  if (!isNone(record)) return record
  const asked = askedAdvice(context, key, names, value, place)
  // An order, a page or a group is no filter by the field that it names.
  const isAsked = !isNone(asked) && names.length > 1
  const near = isAsked ? undefined : nearestField(context, name)
  const part = near === undefined ? noAdvice : nearPartAdvice(context, name, near, value, place)
  if (!isNone(part)) return part
  const field = near === undefined ? undefined : schema.paths.get(near)!
  // A text reads an operator of another language as the text itself.
  if (field?.type === 'string' && isLead(field, value)) return chooseOperator(context, field)
  if (near !== undefined) return [...didYouMean(near), ...asked]
  if (!isNone(asked)) return asked
  if (!isWrapper(name)) return partialAdvice(context, name, value, place)
  const wrapped = wrappedAdvice(context, names.join('.'), value, place)
  // `filter[name]`, where the name is unknown, too.
  return isNone(wrapped) ? plain('separate_pairs') : wrapped
}

/** Advice for a path that goes on after a record: its key is invalid, or requires an operator. */
function recordAdvice(context: HintContext, name: string): readonly Advice[] {
  const key = context.schema.paths.get(name)
  if (key !== undefined && endsInSign(key)) return chooseOperator(context, key)
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const field = context.schema.paths.get(name.slice(0, dot))
    if (field?.type === 'record') return isFiltered(field, context.collection) ? plain('record_key') : noAdvice
  }
  return noAdvice
}

/** Advice for a misspelt field in a wrapper: `filter[totl]`. */
function wrappedAdvice(context: HintContext, name: string, value: string, place: PairSpan): readonly Advice[] {
  const near = nearestField(context, name)
  if (near === undefined) return partialAdvice(context, name, value, place)
  const part = nearPartAdvice(context, name, near, value, place)
  if (!isNone(part)) return part
  const field = context.schema.paths.get(near)!
  return writePair(context, keyOn(field), value, place)
}

const wholeOf = ({ source }: HintContext, { start, end }: PairSpan): string => decode(source, { start, end })

function nearestField(context: HintContext, name: string): string | undefined {
  // Only an object has fields: text after the path of a value is not one.
  const path = pathBefore(context, name)
  if (path !== undefined && context.schema.paths.get(path)!.type !== 'object') return undefined
  const near = nearestPath(context, name)
  if (near !== undefined) return near
  // A name before the last one may negate it: `not.status`. The last name may be an operator: `item.price.is`.
  if (foreignWord(lastOf(name)) !== undefined) return undefined
  const last = pathEndingIn(context, nearest(lastOf(name), lastNames(context), context.budget))
  const before = name.slice(0, Math.max(name.lastIndexOf('.'), 0))
  return last === undefined || hasTurn(before) ? undefined : last
}

/** Advice for a misspelt field with known words around it: `createdAfter`, `notStatsu`. Else the operators of its field. */
function partialAdvice(context: HintContext, name: string, value: string, place: PairSpan): readonly Advice[] {
  const { schema } = context
  if (isBoundAlone(name)) return plain('bound_of_field')
  const path = pathBefore(context, name)
  if (path !== undefined) return chooseOperator(context, schema.paths.get(path)!)
  return nearPartAdvice(context, name, undefined, value, place)
}

/**
 * @param whole the path that is near to the whole name: its last word may be an operator, rather than the end of this path, as in
 *   `createdt:lt`.
 */
function nearPartAdvice(
  context: HintContext,
  name: string,
  whole: string | undefined,
  value: string,
  place: PairSpan,
): readonly Advice[] {
  if (whole !== undefined && wordsIn(whole).at(-1) === wordsIn(name).at(-1)) return noAdvice
  for (const part of partsOf(name)) {
    const near = nearestPath(context, part.path)
    if (near !== undefined) return writePair(context, keyOn(context.schema.paths.get(near)!, part.word), value, place)
  }
  return noAdvice
}

/** The longest path of a field before other words: `status` of `status_foo`. */
function pathBefore({ schema }: HintContext, name: string): string | undefined {
  for (let at = name.length - 1; at > 0; at--)
    if (/[^\p{L}\p{N}]/u.test(name[at]!) && fieldBefore(schema, name, at) !== undefined) return name.slice(0, at)
  return undefined
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)

/** Advice for a key that is encoded twice: the key, decoded once more. */
function decodeOnce({ schema, collection }: HintContext, key: string, name: string): readonly Advice[] {
  const meant = key === name ? keyMeant(schema, decodedOnce(key)) : undefined
  const isKey =
    meant !== undefined && !meant.hasPosition && !meant.isList && meant.around === undefined && isRenamed(meant)
  const condition = isKey ? { field: meant.field, operator: rowOf(meant.word.operator) } : undefined
  const isMeant = condition !== undefined && isOffered(condition, collection)
  return [{ kind: 'decode_once', key: isMeant ? conditionText(condition, '').split('=')[0]! : null }]
}
/** Whether another name of an operator is all that a key has. */
const isRenamed = ({ word }: Pick<KeyMeant, 'word'>): boolean =>
  !word.opposite && !word.isNegated && word.also === undefined

const decodedOnce = (key: string): string =>
  key.replaceAll(/%([2-7][\da-f])/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))

/** The word of a group with which a key begins: `or`, `filters[$or][0][total]`, `_or`. */
const groupWordIn = (names: readonly string[]): string => names.at(0)?.replace(/^[$_]/, '') ?? ''
const groupWordOf = (key: string): string => groupWordIn(innerNames(key))

/** A position in a group, and the key of its condition: `or[0][total][$eq]`. */
const memberKey = /^(?:.*?[[.])??[$_]?(?:and|or|not)\]?(?:[[.](\d+)\]?(?=[.[]))?(?:\[\])?[.[]?([^[\]]*)\]?(.*)$/is

/** A group of other pairs, or of a value that other languages write. */
function groupsAdvice(context: HintContext, key: string, value: string, place: PairSpan): readonly Advice[] {
  const { words, schema } = context
  if (words.size === 0) return plain('no_groups')
  const word = groupWordOf(key)
  const name = Array.from(words).find(([, one]) => one === word)?.[0]
  if (name === undefined) return [{ kind: 'choose', from: 'groups', choices: namesOf([...words.keys()]) }]
  const group: readonly Advice[] = [{ kind: 'write_group', word: name, isInGroup: context.isInGroup, list: null }]
  if (/^\s*[[{]/.test(value)) {
    const advice = expressionAdvice(context, `{"$${word}":${value}}`, place)
    return isNone(advice) ? group : advice
  }
  if (context.isInGroup) return group
  // `or[0][total]=5&or[1][gift]=true`: two conditions of one position would be another group.
  const texts: string[] = []
  const positions = new Set<string>()
  for (const [other, text] of clearPairs(context)) {
    if (groupWordOf(other) !== word) continue
    const [, position, first = '', rest = ''] = memberKey.exec(other) ?? []
    const meant = keyMeant(schema, first + rest)
    const condition = meant && meant.word.also === undefined && !meant.hasPosition ? pairMeant(meant, text) : undefined
    if (condition === undefined || !areOffered(context, [condition])) return group
    if (position !== undefined && positions.has(position)) return group
    if (position !== undefined) positions.add(position)
    const written = meantText(condition, text, words, true)
    if (written === undefined) return group
    texts.push(written)
  }
  if (texts.length === 0 || (word === 'not' && texts.length > 1)) return group
  return [writeAdvice('spelling', `${name}=(${texts.join(',')})`, texts.length === 1 ? place : undefined, [])]
}

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

/** Advice for an unknown name before the parenthesis of a group. */
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

/** Advice for a malformed pair that another API accepts; none if the hint of the syntax is better. */
export function malformedAdvice(
  context: HintContext,
  key: string,
  value: string | undefined,
  place: PairSpan,
): readonly Advice[] {
  if (value === undefined) return bareAdvice(context, key, place)
  const signed = signedKey(context, place)
  return signed === undefined
    ? unreadAdvice(context, key, value, place)
    : unreadAdvice(context, signed.key, signed.text, signed.place)
}

function unreadAdvice(context: HintContext, key: string, value: string, place: PairSpan): readonly Advice[] {
  const { schema } = context
  const names = innerNames(key)
  const groupWord = groupWordIn(names)
  const isOfGroup = usualWords.has(groupWord)
  const meant = isOfGroup && groupWord !== 'not' ? undefined : keyMeant(schema, key)
  if (meant !== undefined) return writePair(context, meant, value, place)
  if (isOfGroup) return groupsAdvice(context, key, value, place)
  const record = recordAdvice(context, names.join('.'))
  if (!isNone(record)) return record
  const asked = askedAdvice(context, key, names, value, place)
  if (!isNone(asked)) return asked
  const path = names.findLast((_, at) => schema.paths.has(names.slice(0, at + 1).join('.')))
  if (path !== undefined) {
    const depth = names.findLastIndex((_, at) => schema.paths.has(names.slice(0, at + 1).join('.'))) + 1
    const field = schema.paths.get(names.slice(0, depth).join('.'))!
    if (field.type !== 'object') return chooseOperator(context, field)
  }
  const word = names.length > 1 ? foreignWord(names.at(-1)!) : undefined
  const near = nearestPath(context, (word === undefined ? names : names.slice(0, -1)).join('.'))
  if (near === undefined || (word === undefined && depthOf(near) !== names.length)) return noAdvice
  const isList = /\[\d*\]$/.test(key)
  const field = schema.paths.get(near)!
  return writePair(context, { ...keyOn(field, word), isList }, value, place)
}

/** A key whose first `=` is in its brackets: `total[>=]=5`, which parts at this `=`. */
function signedKey({ source }: HintContext, { start, end }: PairSpan): Signed | undefined {
  const raw = source.text.slice(start, end)
  const [, key, before, value] = /^(([^=]*)=+(?:\]|%5d))=(.*)$/is.exec(raw) ?? []
  if (key === undefined || before === undefined || value === undefined) return undefined
  const bracket = Math.max(before.lastIndexOf('['), before.toLowerCase().lastIndexOf('%5b'))
  if (bracket <= before.lastIndexOf(']')) return undefined
  const place = { start, end, value: { start: end - value.length, end } }
  return { key: decode(source, { start, end: start + key.length }), text: decode(source, place.value), place }
}
interface Signed {
  readonly key: string
  readonly text: string
  readonly place: PairSpan
}

/** A pair without an `=`. */
function bareAdvice(context: HintContext, key: string, place: PairSpan): readonly Advice[] {
  const { schema, source } = context
  // `!gift` of api-query-params.
  const absent = key.startsWith('!') ? schema.paths.get(key.slice(1)) : undefined
  if (absent !== undefined)
    return write(context, { field: absent, operator: rowOf('exists'), operands: ['false'] }, '', place)
  const bare = schema.paths.get(key)
  if (bare !== undefined && isPlainPath(bare))
    // A flag.
    return bare.type === 'boolean' && !context.isInGroup
      ? write(context, { field: bare, operator: rowOf('equals'), operands: ['true'] }, '', place)
      : noAdvice
  // `age.lt.18`, `status:in:(a,b)`
  const path = pathBefore(context, key)
  const lead = path === undefined ? undefined : leadOf(key.slice(path.length + 1))
  const operandOf = (rest: string): PairSpan => {
    const isKept = rest !== '' && source.text.slice(place.start, place.end).endsWith(rest)
    return { ...place, value: isKept ? { start: place.end - rest.length, end: place.end } : undefined }
  }
  if (path !== undefined && lead !== undefined && lead.rest !== '' && /^[.:]/.test(key.slice(path.length))) {
    const { word, rest } = lead
    const field = schema.paths.get(path)!
    return writePair(context, keyOn(field, word), rest, operandOf(rest))
  }
  const meant = keyMeant(schema, key, false)
  if (meant !== undefined) {
    const operand = /[<>!~:]+(.*)$/s.exec(key)?.[1] ?? ''
    const range = /^[[{(].*\bto\b/i.test(operand)
    if (!range) return writePair(context, meant, operand || key, operandOf(operand))
  }
  return /[\s:<>!~]/.test(key) ? expressionAdvice(context, key, place) : noAdvice
}

// --- Orders, pages and whole filters

/** Advice for a parameter of another API: an order, a page, a search, a whole filter. */
function askedAdvice(
  context: HintContext,
  key: string,
  names: readonly string[],
  value: string,
  place: PairSpan,
): readonly Advice[] {
  const { collection, isInGroup } = context
  const asked = foreignParameterIn(key, names)
  if (asked === undefined) return noAdvice
  if (asked === 'filter' || asked === 'search') {
    const advice = expressionAdvice(context, value, place)
    if (!isNone(advice)) return advice
    return asked === 'filter' ? plain('separate_pairs') : searchAdvice(context, value, place)
  }
  if (isPaged(asked) && isTime(value)) return plain('bound_of_field')
  if (collection === undefined) return plain('no_parameters')
  // `fields[exclude]=total`
  const isTurnedKey = names.slice(1).some((name) => /^(?:[!-]|not?$|exclude|except|without|omit)/i.test(name))
  const advice = isInGroup || isTurnedKey ? undefined : parameterAdvice[asked](context, collection, value, place)
  return advice ?? [{ kind: 'choose', from: 'parameters', choices: namesOf([...collection.parameters.values()]) }]
}

const isPaged = (asked: ForeignParameter): boolean => ['limit', 'offset', 'page', 'cursor'].includes(asked)
/** Whether a value bounds a time: no page begins or ends at one. */
const isTime = (text: string): boolean => /^\d{4}-\d\d(?:-\d\d)?(?!\d)|^(?:now|today)\b/i.test(text)

/** A search leaves out no word, and compares none. */
const negatedWord = /(?:^|[\s+(])(?:[-!](?=[\p{L}"])|not\s)|[!<>=]/iu

function searchAdvice(context: HintContext, value: string, place: PairSpan): readonly Advice[] {
  const { collection, isInGroup } = context
  if (negatedWord.test(value)) return plain('separate_pairs')
  if (collection?.parameters.has('search') && !isInGroup) {
    const words = place.value === undefined ? [] : parseWords(context.source, place.value)
    const isKept =
      words.length > 0 && words.length <= mostWords && words.every(({ quoteFault }) => quoteFault === undefined)
    return [writeAdvice('spelling', exampleText(collection, 'search'), place, isKept ? kept(place) : [])]
  }
  for (const path of offeredNames(context)) {
    const meant = { field: context.schema.paths.get(path)!, operator: rowOf('contains'), rest: value }
    const advice = write(context, meant, '', place, 'no_search')
    if (!isNone(advice)) return advice
  }
  return noAdvice
}

const kept = ({ value }: PairSpan) => (value === undefined || value.start === value.end ? [] : [value])

type ParameterAdvice = (
  context: HintContext,
  collection: Collection,
  value: string,
  place: PairSpan,
) => readonly Advice[] | undefined

const usualAdvice =
  (parameter: ValueName): ParameterAdvice =>
  (_, collection, value, place) => {
    if (!collection.parameters.has(parameter)) return undefined
    const example = writeAdvice('spelling', exampleText(collection, parameter), place, kept(place))
    const parameterOf = (items: readonly string[], isWhole: boolean | undefined): readonly Advice[] => [
      writeAdvice('spelling', parameterText(collection, parameter, items), place, isWhole ? 'known' : []),
    ]
    if (isOfForm(parameter, 'flag')) return parameterOf(['true'], flagOf(value))
    if (!isOfForm(parameter, 'paths')) return [example]
    const from = pathsFrom[parameter]
    const offered = collection[from] ?? new Map<string, unknown>()
    const { names, isWhole } = pathsIn(offered, value)
    if (names.length > 0) return parameterOf(names, isWhole)
    return [
      { ...example, operands: [] },
      { kind: 'choose', from, choices: namesOf([...offered.keys()]) },
    ]
  }

const parameterAdvice = /* @__PURE__ */ ((): {
  readonly [A in Exclude<ForeignParameter, 'filter' | 'search'>]: ParameterAdvice
} => {
  const usual = Object.fromEntries(valueNames.map((name) => [name, usualAdvice(name)])) as Record<
    ValueName,
    ParameterAdvice
  >
  return {
    ...usual,
    sort: sortAdvice,
    direction: sortAdvice,
    offset: (context, collection, value, place) =>
      collection.maxOffset === undefined
        ? pageAdvice(collection, 'no_offset', place)
        : usual.offset(context, collection, value, place),
    page: (_, collection, __, place) => pageAdvice(collection, 'no_page_numbers', place),
    cursor: (_, collection, __, place) => [writeAdvice('cursor', exampleText(collection, 'cursor'), place, [])],
    include: (_, collection, value, place) => {
      const { names, isWhole } = pathsIn(collection.selectable ?? new Map(), value)
      return names.length > 0
        ? [writeAdvice('whole_rows', parameterText(collection, 'fields', names), place, isWhole ? 'known' : [])]
        : plain('leave_out')
    },
    // Other APIs call the size of a page `_count`.
    count: (context, collection, value, place) =>
      isSize(value)
        ? [writeAdvice('page_size', exampleText(collection, 'limit'), place, kept(place))]
        : usual.count(context, collection, value, place),
  }
})()

/** The order. Other APIs have the path in one pair and the direction in another one: no one edit replaces both. */
function sortAdvice(context: HintContext, collection: Collection, value: string, place: PairSpan): readonly Advice[] {
  const { sortable } = collection
  const texts: string[] = []
  const directions: boolean[] = []
  for (const [key, text] of clearPairs(context)) {
    const asked = foreignParameterIn(key)
    if (asked !== 'sort' && asked !== 'direction') continue
    const [first = '', ...names] = innerNames(key)
    // `desc=true`
    const byKey = flagOf(text) === undefined ? [] : directionsIn(first)
    const isDescendingAt = byKey.length > 0 ? byKey.map((isDown) => isDown === flagOf(text)) : directionsIn(text)
    if (names.length === 0 && isDescendingAt.length > 0) directions.push(...isDescendingAt)
    else texts.push([...names, text].join(' '))
  }
  const names = directed(orderIn(sortable, texts.join(' ')), directions)
  if (names.length > 0 && names.length <= mostSortKeys) {
    const isWhole = texts.length === 1 && directions.length === 0
    return [writeAdvice('spelling', parameterText(collection, 'sort', names), place, isWhole ? 'known' : [])]
  }
  return sortExample(collection, isDescending(value) || directions.includes(true), place)
}

/** Paths in the directions that another pair has for them: one for each. None where a path has one already. */
function directed(names: readonly string[], directions: readonly boolean[]): readonly string[] {
  if (directions.length === 0) return names
  if (names.length !== directions.length || names.some((name) => name.startsWith('-'))) return []
  return names.map((name, at) => sortText(name, directions[at]))
}

/** An order whose path is not sortable: how this order is written, and which paths are. */
export const sortExample = (
  collection: Collection,
  isDescending: boolean,
  place: PairSpan | undefined,
): readonly Advice[] => [
  writeAdvice('spelling', exampleText(collection, 'sort').replace('=', isDescending ? '=-' : '='), place, []),
  {
    kind: 'choose',
    from: 'sortable',
    choices: namesOf(Array.from(collection.sortable.keys(), (path) => sortText(path))),
  },
]

/** Advice for a page by its number or offset: without `offset`, a client follows cursors. */
function pageAdvice(
  collection: Collection,
  without: 'no_offset' | 'no_page_numbers',
  place: PairSpan,
): readonly Advice[] {
  const { limit, maxOffset } = collection
  if (maxOffset === undefined) return [writeAdvice(without, exampleText(collection, 'limit'), place, [])]
  const second = parameterText(collection, 'offset', [String(Math.min(limit.default, maxOffset))])
  const text = `${parameterText(collection, 'limit', [String(limit.default)])}&${second}`
  return [writeAdvice('second_page', text, place, [])]
}

/** The conditions of a filter in another language; none where a part of it is not understood. */
function expressionAdvice(context: HintContext, text: string, place: PairSpan): readonly Advice[] {
  const { schema, words, isInGroup } = context
  const { conditions: meant, joint } = expressionIn(schema, text) ?? { conditions: [], joint: 'and' }
  const [first] = meant
  if (first === undefined || meant.length > mostConditions || !areOffered(context, meant)) return noAdvice
  const whole = { start: place.start, end: place.end, value: undefined }
  const texts = meant.map((one) => meantText(one, text, words, isInGroup))
  const isComplement = rowOf(first.operator.name).complement
  // One operator of one path, twice: `a` or `b` is a list, and so is neither `a` nor `b`.
  if (new Set(meant.map((one) => keyText(one))).size === 1 && meant.length > 1) {
    const several = operatorWords[first.operator.name].several
    const isList = several !== undefined && several !== 'range' && isComplement === (joint === 'and')
    const isNamed = own(first, 'around') === undefined
    return isList && isNamed ? write(context, { field: first.field, operator: rowOf(several) }, text, whole) : noAdvice
  }
  if (new Set(meant.map((one) => keyText(one))).size < meant.length || texts.includes(undefined)) {
    return words.size === 0 && texts.includes(undefined) ? chooseOperator(context, first.field) : noAdvice
  }
  if (joint === 'and' || meant.length === 1)
    return [writeAdvice('spelling', texts.join(isInGroup ? ',' : '&'), whole, [])]
  const or = Array.from(words).find(([, word]) => word === 'or')?.[0]
  if (or === undefined) return plain('no_groups')
  const inside = meant.map((one) => meantText(one, text, words, true))
  return [writeAdvice('spelling', `${or}${isInGroup ? '' : '='}(${inside.join(',')})`, whole, [])]
}

/** A hint writes at most so many conditions. */
const mostConditions = 5
const keyText = ({ field, operator, ...meant }: AskedCondition): string =>
  `${own(meant, 'around') ?? ''} ${field.name} ${operator.name} ${operator.operandKind === 'flag' ? own(meant, 'operands')![0]! : ''}`

// --- Operators

/** @param field the field; `undefined` where it is unknown, too. */
export function operatorAdvice(
  context: HintContext,
  field: ResolvedField | undefined,
  key: string,
  name: string,
  value: string,
  place: PairSpan,
): readonly Advice[] {
  const { schema, collection, budget } = context
  if (isEncoded(name)) return decodeOnce(context, key, name)
  if (field === undefined) {
    const word = foreignWord(name)
    if (word !== undefined) return isRenamed({ word }) ? didYouMean(word.operator) : noAdvice
    return didYouMean(nearest(name, operatorNamed.keys(), budget))
  }
  const available = operatorsOf(field, collection)
  const meant = keyMeantOn(schema, field, key)
  // `attributes[exist]` is a slip, and no key.
  const isSlip = field.type === 'record' && nearest(name, operatorNamed.keys(), budget) !== undefined
  if (meant !== undefined && !isSlip) {
    const renamed = renamedIn(meant, field, value)
    const named = didYouMean(available.find((one) => one === renamed?.name))
    const advice = isNone(named) ? writePair(context, meant, value, place) : named
    if (!isNone(advice)) return advice
  }
  const near = foreignWord(name) === undefined ? nearest(name, available, budget) : undefined
  return near === undefined ? [availableFor(context, field)] : didYouMean(near)
}

/** The operator that a key has under another name; `undefined` where its pair means anything else. */
export const renamedOperator: TextAdviser['renamedOperator'] = (schema, field, key, value) =>
  renamedIn(keyMeantOn(schema, field, key), field, value)

function renamedIn(meant: KeyMeant | undefined, field: ResolvedField, value: string): OperatorRow | undefined {
  if (meant === undefined || meant.field !== field || meant.hasPosition || !isRenamed(meant)) return undefined
  const condition = pairMeant(meant, value)
  if (condition === undefined || meant.around !== undefined || own(condition, 'around') !== undefined) return undefined
  return condition.operator.name === meant.word.operator ? condition.operator : undefined
}

/** Whether a key of another language is a condition or a parameter as a whole, so that its brackets are no operator. */
export const isOtherKey = (schema: Schema, key: string): boolean =>
  isWrapper(key.split('[')[0]!) || foreignParameterIn(key) !== undefined || keyMeant(schema, key) !== undefined

export function notApplicableAdvice(context: HintContext, field: ResolvedField): readonly Advice[] {
  const { budget } = context
  const inside: string[] = []
  if (field.type === 'object') {
    const prefix = pathFrom(field) === '' ? '' : `${pathFrom(field)}.`
    for (const name of offeredNames(context)) {
      if (--budget.left < 0 || inside.length > mostNames) break
      if (name.startsWith(prefix)) inside.push(name)
    }
  }
  return [availableFor(context, field, inside)]
}

/** Lists all operators of a field: a selection may leave out the one that is meant. */
function availableFor({ collection }: HintContext, field: ResolvedField, inside: readonly string[] = []): Advice {
  const operators = withoutVariants(operatorsOf(field, collection))
  const keys = field.type === 'record' && isFiltered(field, collection) ? [`${pathFrom(field)}.…`] : inside
  return { kind: 'operators', field: field.name, operators, inside: namesOf(keys) }
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
  const searching = (where: ReturnType<typeof scansOf>) =>
    Array.from(operatorNamed.values()).flatMap(({ name }) => (scansOf(name) === where && names.has(name) ? name : []))
  const inGroups = operators.some((operator) => operator === undefined || scansOf(operator.name) === 'nowhere')
  const [everywhere, inLists] = [searching('everywhere'), searching('in lists')]
  return { kind: 'fewer_searches', excess, everywhere, inLists, inGroups, facets }
}

/** Without operands that the operator does not read: an edit that keeps them leaves the issue. */
function withReadOperands({ source }: HintContext, { field, operator }: AskedCondition, advice: Advice): Advice {
  if (advice.kind !== 'write') return advice
  const { fromText } = readerOf(operator.operandKind, field)
  const { operands } = advice
  const isRead =
    (operator.operands !== 'two' || operands.length === 2) &&
    operands.every((operand) => fromText(decode(source, operand)) !== undefined)
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
  const meant = meantAdvice(context, text, field, operator, place)
  if (text === '') return [...plain('no_value'), ...meant]
  const absent = absentAdvice(context, text, field, operator)
  if (!isNone(absent)) return absent
  const form = formAdvice(context.schema, text, field, operator)
  // The first advice makes the edit: `1,500` may be one number or two.
  if (!isNone(form)) return [...form, ...meant.map(asSeveral)]
  if (!isNone(meant)) return meant
  if (operator.operandKind === 'value' && field.type === 'uuid' && isForeignUuid(text)) return plain('uuid_form')
  // A list in brackets, or with another mark between its items.
  if (operator.operands === 'list' && /^[[({]|[\])}]$|[|;]/.test(text)) {
    const advice = write(context, { field, operator }, text, place)
    if (!isNone(advice)) return advice
  }
  const mark = text.search(/[|;]/)
  if (context.isInGroup && mark >= 0 && text.includes('=', mark)) return plain('group_commas')
  const values = valuesOf(field)
  if (operator.operandKind === 'value' && values !== undefined) return didYouMean(nearest(text, values, context.budget))
  const { fromText } = readerOf(operator.operandKind, field)
  const { type } = field
  if (operator.operandKind === 'value' && (type === 'date' || type === 'datetime')) {
    const advice = relativeAdvice(type, text)
    if (!isNone(advice)) return advice
  }
  // Without a zone, every day exists.
  if (operator.operandKind === 'value' && type === 'datetime' && isDay(text)) return plain('day_left_out')
  return text.includes(' ') && fromText(text.replaceAll(' ', '+')) !== undefined ? plain('escape_plus') : noAdvice
}

const asSeveral = (advice: Advice): Advice =>
  advice.kind === 'write' && advice.reason === 'spelling' ? { ...advice, reason: 'match_several' } : advice

/** Advice for an operand that begins with an operator of another language. */
function meantAdvice(
  context: HintContext,
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
  place: PairSpan | undefined,
): readonly Advice[] {
  const meant = valueMeant(field, operator, text)
  if (meant === undefined) return noAdvice
  const isPresence = meant.operator.operandKind === 'flag' && operator.operandKind !== 'flag'
  const reason = isPresence ? (meant.operands![0] === 'true' ? 'present' : 'absent') : 'spelling'
  const advice = write(context, meant, text, place, reason)
  if (!isNone(advice)) return advice.map((one) => withReadOperands(context, meant, one))
  // The beginning of the value changes its condition.
  const isTurned = own(meant, 'around') !== undefined || meant.operator !== operator
  return isTurned ? chooseOperator(context, field) : noAdvice
}

/** Suggests `exists` beside the other values for a list that contains `null`, such as `status[in]=new,null`. */
function absentAdvice(
  context: HintContext,
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
): readonly Advice[] {
  const items = operator.operands === 'list' ? [text] : text.split(',')
  const list = own(operatorWords[operator.name], 'several')
  if ((list !== 'in' && list !== 'nin') || text === '' || !items.some((item) => item !== '' && isNothing(item)))
    return noAdvice
  if (operator.operands === 'one' && items.length < 2) return noAdvice
  const { collection, isInGroup, words } = context
  const presence = { field, operator: rowOf('exists'), operands: [String(list === 'nin')] }
  const membership = { field, operator: rowOf(list) }
  if (!isOffered(presence, collection) || !isOffered(membership, collection)) return noAdvice
  const inside = isInGroup ? words : undefined
  const or = Array.from(words).find(([, word]) => word === 'or')?.[0]
  if (list === 'in' && or === undefined)
    return [writeAdvice('absent', conditionText(presence, '', inside), undefined, 'known')]
  const both = (within: GroupWords | undefined) => [membership, presence].map((one) => conditionText(one, text, within))
  const written =
    list === 'in' ? `${or}${isInGroup ? '' : '='}(${both(words).join(',')})` : both(inside).join(isInGroup ? ',' : '&')
  return [writeAdvice('absent_in_list', written, undefined, [])]
}
