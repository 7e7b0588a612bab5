/** Object → query: each member is a condition or a parameter, with a JSON value. */
import { issueAt, report, namesOf as someOf, secretStart } from '../issue/index.ts'
import type { Advice, Facts, Finding, Issue, Issues, Span } from '../issue/index.ts'
import {
  checkCollection,
  isOfForm,
  parameterForms,
  parameterTexts,
  valuesOf,
  type Collection,
  type OperatorRow,
  type ParameterForm,
  type ParameterName,
  type ParameterOf,
  type ResolvedField,
  lengthFinding,
  fieldNamesOf,
  pairsFinding,
  usesIn,
  type DeprecatedUse,
  jsonForms,
  type ScalarType,
  type Schema,
} from '../language/index.ts'
import { decodingFault, keyOf, memberSource } from '../asked/index.ts'
import type { Condition, Item, Part, Source, Value } from '../asked/index.ts'
import { faultFinding, noReserved, parsePair, parseWords, readText, reservedFinding } from '../reading/index.ts'
import type { QueryOptions, TextRequest, Reserved } from '../reading/index.ts'
import { bindCondition, keyIn } from './bind.ts'
import { trustQuery, type Query, type QueryOf } from '../query/index.ts'
import type { Doubt, ObjectAdviser } from './doubt.ts'
import { isNarrowedAway, operatorCalled, resolveKey, type ResolvedKey } from './keys.ts'
import { checkReservedQuery, namedFor, queryFrom } from './parse-query.ts'
import { addParameter, readCondition, readGroup, refused, start as begin } from './read-pairs.ts'
import type { Progress, BoundPairs } from './read-pairs.ts'
import { checkOptions } from '../options.ts'
import { holdsMembers, own, ownOf } from '../own.ts'
import { isPlainText } from '../values/characters.ts'
import type { RawPair } from '../values/pairs.ts'
import { itemText } from '../values/encode.ts'

/** The options of `parseObject`. */
export interface ObjectOptions extends Omit<QueryOptions, 'notation'> {
  /**
   * Ignores members with the value `null`: calls by `toolSchema` with `strict` contain `null` for each absent member. Default: `null` is
   * an issue.
   */
  readonly strict?: boolean
}

/** A deprecated name in an object. */
export interface DeprecatedMember extends Omit<DeprecatedUse, 'span'> {
  /** The member with the deprecated name. */
  readonly member: string
}

interface WithReserved {
  /** The values of members with reserved names. */
  readonly reserved: Reserved
  /** The deprecated names in the object, without repetitions. */
  readonly deprecated: readonly DeprecatedMember[]
}
/** The result of `parseObject`: the query, or every issue of the object. */
export type ObjectResult<Q extends Query = Query> =
  | ({ readonly ok: true; readonly query: Q } & WithReserved)
  | ({ readonly ok: false; readonly issues: Issues } & WithReserved)

/** A member of an object, with its value as a text and the items of an array. */
interface ObjectMember {
  readonly name: string
  readonly value: unknown
  readonly text: string
  readonly items: readonly Item[] | undefined
}

/**
 * An object and its options, before the parser knows a collection. Spans count in the text `name=value&name=value`, which is written only
 * to read an unknown key, a group or advice from it.
 */
export interface ReadObject {
  readonly members: readonly ObjectMember[]
  readonly pairs: readonly RawPair[]
  readonly read: TextRequest
}

/** The first half of `parseObject`: it needs no collection. @throws TypeError for an object without members, and for a wrong option. */
export function readObject(object: object, objectOptions: ObjectOptions): ReadObject {
  if (typeof object !== 'object' || object === null || Array.isArray(object) || !holdsMembers(object)) {
    throw new TypeError('object must be an object of members: { "path[operator]": value }')
  }
  const names = ['strict', 'reserved', 'limits', 'timeZone', 'now']
  const { strict = false, ...options } = checkOptions(objectOptions, 'options', names)
  if (typeof strict !== 'boolean') throw new TypeError('options.strict must be a boolean')
  const read = readText('', options, undefined, 0)
  const pairs: RawPair[] = []
  let start = 0
  const members = Object.entries(object).flatMap(([name, value]: [string, unknown]): readonly ObjectMember[] => {
    if (strict && value === null) return []
    const equals = start + name.length
    const items = Array.isArray(value) ? itemsAt(equals + 1, value) : undefined
    const text =
      items === undefined
        ? textOf(value)
        : items.map((item) => (item.start === item.end ? '' : itemText(item.text))).join()
    const end = equals + 1 + text.length
    pairs.push({ start, equals, end })
    start = end + 1
    return [{ name, value, text, items }]
  })
  const tooLong = lengthFinding(Math.max(start - 1, 0), read.limits.length)
  const source = memberSource(pairs, () => members.map(({ name, text }) => `${name}=${text}`).join('&'))
  const reserved = reservedIn(members, read.reservedNames)
  return {
    members,
    pairs,
    read: tooLong === undefined ? { ...read, source, reserved, tooLong } : { ...read, source: undefined, tooLong },
  }
}

/** The text of a scalar. The text of any other value is empty, and the value becomes a finding. */
const textOf = (value: unknown): string => (isScalar(value) ? String(value) : '')
const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function itemsAt(from: number, values: readonly unknown[]): readonly Item[] {
  let start = from
  // `Array.from` also visits the holes of an array, which `map` skips.
  return Array.from(values, (value) => {
    const text = textOf(value)
    const item = { start, end: start + (isScalar(value) ? itemText(text).length : 0), text, quoteFault: undefined }
    start = item.end + 1
    return item
  })
}

function reservedIn(members: readonly ObjectMember[], names: readonly string[]): Reserved {
  const reserved = members.filter(({ name, text }) => names.includes(name) && isPlainText(text))
  return reserved.length === 0 ? noReserved : new Map(reserved.map(({ name, text }) => [name, [text]]))
}

/** Reads an object for a collection. @throws TypeError as {@link readObject} does, and for a reserved name that the query needs. */
export function readQueryObject(collection: Collection, object: object, options: ObjectOptions): ReadObject {
  checkCollection(collection)
  const asked = readObject(object, options)
  checkReservedQuery(collection, asked.read.reservedNames)
  return asked
}

/** The second half of `parseObject`: binds the members for a collection. */
export function bindObject<C extends Collection>(
  collection: C,
  { members, pairs, read: withoutNames }: ReadObject,
  adviser?: ObjectAdviser,
): ObjectResult<QueryOf<C>> {
  const read = namedFor(collection, withoutNames)
  const { limits, reserved } = read
  const { query, findings, uses } = queryFrom(collection, read, readMembers(collection, read, members, adviser))
  const memberAt = ({ start }: Span) => pairs.findLastIndex((pair) => pair.start <= start)
  const deprecated = Object.freeze(
    usesIn(uses).map(({ span, ...use }) => Object.freeze({ ...use, member: members[memberAt(span)]!.name })),
  )
  if (query !== undefined) return { ok: true, query: trustQuery(query) as QueryOf<C>, reserved, deprecated }
  const issues = report(findings, limits.issues, adviser).map((issue) => {
    const at = memberAt(issue.span!)
    return ofMember(collection, read, members[at]!, pairs[at]!, issue, adviser)
  })
  return { ok: false, issues: issues as readonly Issue[] as Issues, reserved, deprecated }
}

// --- Members

function readMembers(
  collection: Collection,
  read: TextRequest,
  members: readonly ObjectMember[],
  adviser: ObjectAdviser | undefined,
): BoundPairs {
  const { source, limits, parameters } = read
  if (source === undefined) return refused(read.tooLong)
  const { schema, deprecated } = fieldNamesOf(collection)
  const textFor = (parameter: 'cursor' | 'timeZone') =>
    members.find(({ name }) => parameters.get(name) === parameter)?.text ?? ''
  const progress = begin(schema, deprecated, read, source, collection, adviser, () => ({
    cursor: textFor('cursor'),
    timeZone: textFor('timeZone'),
  }))
  for (const [at, pair] of source.pairs.entries()) {
    const tooMany = readMember(progress, collection, read, pair, members[at]!)
    if (tooMany !== undefined) return refused(pairsFinding(source.text, limits.pairs, tooMany))
  }
  return progress
}

/** @returns the offset of the first condition beyond the limit; `undefined` within it. */
function readMember(
  progress: Progress,
  collection: Collection,
  { words, parameters, reservedNames }: TextRequest,
  pair: RawPair,
  member: ObjectMember,
): number | undefined {
  const { source, findings } = progress
  const { name, value, text, items } = member
  const { start, equals, end } = pair
  const isReserved = reservedNames.includes(name)
  const word = isReserved ? undefined : words.get(name)
  const isClear = isPlainText(text)
  if (word !== undefined && isText(value)) return readGroup(progress, pair, word)
  if (word === undefined && progress.left-- === 0) return start
  const valueName = isReserved ? undefined : parameters.get(name)
  const parameter = word ?? valueName
  // `bindCondition` and `addParameter` skip an empty value.
  const isLeftOut = value === '' && collection.empty === 'ignore'
  if (isReserved || parameter !== undefined) {
    const [is, description] = isReserved ? reservedForm : jsonFormOf(parameter!)
    const fault = isClear ? undefined : decodingFault(source, { start: equals, end })
    if (!is(value) && (isReserved || !isLeftOut)) findings.push(invalidMember(name, pair, description))
    else if (fault !== undefined) findings.push(isReserved ? reservedFinding(fault, keyOf(pair)) : faultFinding(fault))
    else if (valueName !== undefined && !isLeftOut) {
      const whole = { start: equals + 1, end, text, isList: undefined }
      const all = valueName === 'search' ? parseWords(source, whole) : items
      addParameter(progress, { parameter: valueName, at: pair, value: { ...whole, items: all } })
    }
    return undefined
  }
  const [condition, isList] = conditionOf(progress, collection, pair, member)
  if (condition === undefined) return undefined
  const key = keyIn(progress, condition)
  if (key !== undefined && !isLeftOut && !isNarrowedAway(collection, key)) {
    const misfit = misfitOf(member, key, pair, { collection, source })
    if (misfit !== undefined) {
      findings.push(misfit)
      return undefined
    }
  }
  bindCondition(progress, progress, condition, isList, key)
  return undefined
}

/** The condition of a member; `undefined` after a finding for a malformed name or value. */
function conditionOf(
  progress: Progress,
  collection: Collection,
  pair: RawPair,
  { name, text, items }: ObjectMember,
): readonly [condition: Condition | undefined, isList: boolean] {
  const { source, schema, findings } = progress
  const { start, equals, end } = pair
  const whole = { start: equals + 1, end, text }
  const value: Value = {
    ...whole,
    items: items !== undefined && items.length > 0 ? items : [{ ...whole, quoteFault: undefined }],
    isList: undefined,
  }
  const names = named(schema, name, collection)
  if (names === undefined) {
    const [parsed, isList] = readCondition(progress, pair)
    return [parsed && { ...parsed, value }, isList]
  }
  const fault = isPlainText(text) ? undefined : decodingFault(source, value)
  if (fault !== undefined) findings.push(faultFinding(fault))
  if (fault !== undefined) return [undefined, false]
  const [path, operator] = names
  const part = (from: number, of: string): Part => ({ start: start + from, end: start + from + of.length, text: of })
  return [
    {
      at: pair,
      path: part(0, path),
      names: path.split('.').length,
      operator: operator === undefined ? undefined : part(path.length + 1, operator),
      row: undefined,
      value,
      members: undefined,
    },
    false,
  ]
}

/** Cuts the name of a member into a path and an operator of it. Some tools refuse brackets, so `path.operator` means `path[operator]`. */
function named(
  { paths }: Schema,
  name: string,
  collection: Collection,
): readonly [path: string, operator: string | undefined] | undefined {
  if (paths.has(name)) return [name, undefined]
  const [, path = '', inside, behind] = /^(.+?)(?:\[([^[\].]+)\]|\.([^.[\]]+))$/s.exec(name) ?? []
  const operator = inside ?? behind
  return operator !== undefined && paths.has(path) && operatorCalled(operator, collection) !== undefined
    ? [path, operator]
    : undefined
}

// --- Forms of values

/** A test of a JSON value, and the words for the values that pass it. */
type Form = readonly [is: (value: unknown) => boolean, description: string]
const isText = (value: unknown): value is string => typeof value === 'string'
const reservedForm: Form = [isText, 'a text']

const formOf = ({ operandKind }: OperatorRow, { type }: ResolvedField): Form =>
  jsonForms[operandKind === 'value' ? (type as ScalarType) : ownTypes[operandKind]]
/** The JSON type of an operand whose type is not that of the field. */
export const ownTypes = { flag: 'boolean', count: 'integer', text: 'string' } as const

/** The required form, and for an array the index of the item. */
type Misfit = readonly [description: string, item?: number]

function formMisfit(value: unknown, { operands }: OperatorRow, [is, description]: Form): Misfit | undefined {
  if (operands === 'one') return is(value) ? undefined : [description]
  if (!Array.isArray(value) || value.length === 0 || (operands === 'two' && value.length !== 2))
    return [operands === 'two' ? 'an array of two values, [low, high]' : 'an array of at least one value']
  const item = value.findIndex((one) => !is(one))
  return item < 0 ? undefined : [description, item]
}

const paths: Form = [
  (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  'an array of at least one path',
]
const group: Form = [isText, 'a text, a group in parentheses']
const text = (parameter: ParameterName): Form => [
  isText,
  `a text, ${parameterTexts[parameter as ParameterOf<'text' | 'words'>]}`,
]
/** The JSON form of a parameter, by the form of its value. */
const parameterForm: { readonly [F in ParameterForm]: (parameter: ParameterName) => Form } = {
  paths: () => paths,
  group: () => group,
  positive: () => jsonForms.integer,
  natural: () => jsonForms.integer,
  flag: () => jsonForms.boolean,
  text,
  words: text,
}
const jsonFormOf = (parameter: ParameterName): Form => parameterForm[parameterForms[parameter]](parameter)

/** The span contains the `=`, so that it differs from the span of an item. */
const invalidMember = (parameter: string, { equals, end }: RawPair, description: string): Finding => ({
  code: 'parameter_invalid',
  span: { start: equals, end },
  parameters: { parameter, expected: { kind: 'form', description }, advice: [] },
})

/** Finds a value of the wrong JSON type. */
function misfitOf(
  { value, items }: ObjectMember,
  key: ResolvedKey,
  { equals, end }: RawPair,
  context: { readonly collection: Collection; readonly source: Source },
): Finding | undefined {
  const { field, operator } = key
  const misfit = formMisfit(value, operator, formOf(operator, field))
  if (misfit === undefined) return undefined
  const [description, item] = misfit
  const values =
    operator.operandKind === 'value' && (operator.operands === 'one' || item !== undefined)
      ? valuesOf(field)
      : undefined
  const doubt: Doubt | undefined = value === null ? { kind: 'null', context, key } : undefined
  return {
    code: 'operand_invalid',
    span: item === undefined ? { start: equals, end } : items![item]!,
    parameters: {
      subject: operator.operands === 'one' && operator.operandKind === 'value' ? field.name : key.name,
      expected:
        values === undefined
          ? { kind: 'type', type: operator.operandKind === 'value' ? field.type : operator.operandKind, description }
          : { kind: 'values', values: someOf(values) },
      advice: [],
    },
    path: field.name,
    operator: operator.name,
    doubt,
  }
}

export function parameterOf({ parameters }: Collection, name: string): ParameterName | undefined {
  for (const [parameter, called] of parameters) if (called === name) return parameter
  return undefined
}

/** Resolves the key of a pair; returns `undefined` for an invalid key. */
export function keyOfPair(
  collection: Collection,
  { source }: Pick<TextRequest, 'source'>,
  pair: RawPair,
): ResolvedKey | undefined {
  const parsed = parsePair(source!, pair, () => {})
  return parsed && resolveKey({ schema: fieldNamesOf(collection).schema, source: source!, collection }, parsed)
}

// --- Issues

/** Whether the value of a parameter has a grammar: spans count in a group or a search. */
const isGrammatical = (parameter: ParameterName | undefined): boolean =>
  parameter !== undefined && isOfForm(parameter, 'group', 'words')

/** Turns an issue of the written text into an issue of the object. */
function ofMember(
  collection: Collection,
  read: TextRequest,
  { name, value, items = [] }: ObjectMember,
  { equals, end }: RawPair,
  issue: Issue,
  adviser: ObjectAdviser | undefined,
): Issue {
  const { start, end: to } = issue.span!
  const hasText = isText(value) && isGrammatical(parameterOf(collection, name)) && start > equals
  // An issue with the span of all items has no `item`.
  const isOfItem = items.length === 1 || start > equals + 1 || to < end
  const item = isOfItem ? items.findLastIndex((one) => one.start <= start) : -1
  const place = {
    member: shownMember(name, read.reservedNames),
    ...(item >= 0 && { item }),
    ...(hasText && { span: { start: start - equals - 1, end: Math.min(to, end) - equals - 1 } }),
  }
  const { code, path, operator, parameters } = ownOf(issue)
  const advice = own(parameters as { readonly advice?: readonly Advice[] }, 'advice')
  const inObject = advice && adviser && advice.flatMap((one) => adviser.inObject(collection, one, hasText))
  const facts = { parameters: inObject ? { ...parameters, advice: inObject } : parameters, path, operator }
  // The hint of `operand_empty` explains `&`, `=` and `,`, which only a text has.
  const hint = hasText || code !== 'operand_empty' ? adviser?.hintOf : undefined
  return issueAt(place, code, facts as Facts<typeof code>, hint)
}

const longestMember = 256

/** Shortens the name of a member for issues: removes a part that can contain a secret. */
function shownMember(name: string, reserved: readonly string[]): string {
  const length = Math.min(secretStart(name, reserved) || name.length, longestMember)
  return name.slice(0, length) + (length < name.length ? '…' : '')
}
