/** Object → query: writes each member as a pair of a query string, and parses the string. */
import { map, type Filter } from '../tree/index.ts'
import {
  issueOfMember,
  namesOf as someOf,
  secretStart,
  type Advice,
  type ExpectedParameter,
  type Finding,
  type Issue,
  type Issues,
  type Span,
} from '../issue/index.ts'
import {
  checkCollection,
  parameterForms,
  parameterWords,
  valuesOf,
  type Collection,
  type OperatorRow,
  type ParameterForm,
  type ParameterName,
  type ParameterOf,
  type ResolvedField,
  lengthFinding,
  namingOf,
  type DeprecatedUse,
  jsonForms,
  namesOf,
  type ScalarType,
} from '../language/index.ts'
import { sourceOf } from '../asked/index.ts'
import { parsePair, readText, type QueryOptions, type ReadText, type Reserved } from '../reading/index.ts'
import { markQuery, type Query, type QueryOf } from '../query/index.ts'
import type { Doubt, ObjectAdviser } from './doubt.ts'
import { isNarrowedAway, operatorCalled, resolveKey, type ResolvedKey } from './keys.ts'
import { bindQuery, checkReservedQuery, namedFor, type QueryResult } from './parse-query.ts'
import { checkOptions } from '../options.ts'
import { holdsMembers, own } from '../own.ts'
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

interface Noted {
  /** The values of members with reserved names. */
  readonly reserved: Reserved
  /** The deprecated names in the object, without repetitions. */
  readonly deprecated: readonly DeprecatedMember[]
}
/** The result of `parseObject`: the query, or every issue of the object. */
export type ObjectResult<Q extends Query = Query> =
  ({ readonly ok: true; readonly query: Q } & Noted) | ({ readonly ok: false; readonly issues: Issues } & Noted)

/** A member of an object, and its pair in the written text. */
interface WrittenMember extends RawPair {
  /** The name in the object: the pair can contain `path[operator]` for `path.operator`. */
  readonly name: string
  readonly value: unknown
  /** The offset of each item of an array. */
  readonly items: readonly number[]
}

/** An object and the text that is written for it, before the parser knows a collection. */
export interface ReadObject {
  readonly entries: readonly (readonly [name: string, value: unknown])[]
  readonly members: readonly WrittenMember[]
  readonly read: ReadText
  /** Whether the text contains `path[operator]` for `path.operator`: this requires the collection. */
  readonly isOfCollection: boolean
}

/**
 * The first half of `parseObject`: writes the text. The service calls it before it knows the collection of the caller.
 *
 * @throws TypeError when `object` is not an object with members, or an option is wrong.
 */
export function readObject(object: object, given: ObjectOptions, collection?: Collection): ReadObject {
  if (typeof object !== 'object' || object === null || Array.isArray(object) || !holdsMembers(object)) {
    throw new TypeError('object must be an object of members: { "path[operator]": value }')
  }
  const names = ['strict', 'reserved', 'limits', 'timeZone', 'now']
  const { strict = false, ...options } = checkOptions(given, 'options', names)
  if (typeof strict !== 'boolean') throw new TypeError('options.strict must be a boolean')
  const entries = Object.entries(object).filter(([, value]) => !(strict && value === null))
  const { text, members } = write(entries, options.reserved, collection)
  const read = readText(text, options, collection && namesOf(collection), 0)
  return { entries, members, read, isOfCollection: collection !== undefined }
}

/** Reads an object for a collection. @throws TypeError as {@link readObject} does, and for a reserved name that the query needs. */
export function readQueryObject(collection: Collection, object: object, options: ObjectOptions): ReadObject {
  checkCollection(collection)
  const asked = readObject(object, options, collection)
  checkReservedQuery(collection, asked.read.reservedNames)
  return asked
}

/** The second half of `parseObject`: parses the text for a collection. */
export function bindObject<C extends Collection>(
  collection: C,
  object: ReadObject,
  adviser?: ObjectAdviser,
): ObjectResult<QueryOf<C>> {
  const { members, read } = object.isOfCollection ? object : written(collection, object)
  const result = bindMembers(collection, members, read, adviser)
  const memberAt = ({ start }: Span) => members.findLast((member) => member.start <= start)!
  const deprecated = Object.freeze(
    result.deprecated.map(({ span, ...use }) => Object.freeze({ ...use, member: memberAt(span).name })),
  )
  const { reserved } = result
  if (result.ok) return { ok: true, query: withoutSpans(result.query) as QueryOf<C>, reserved, deprecated }
  const issues = result.issues.map((issue) => ofMember(collection, read, memberAt(issue.span!), issue, adviser))
  return { ok: false, issues: issues as readonly Issue[] as Issues, reserved, deprecated }
}

/** Reads the pairs of an object. It checks the forms of values only within `limits.pairs`. */
function bindMembers<C extends Collection>(
  collection: C,
  members: readonly WrittenMember[],
  read: ReadText,
  adviser: ObjectAdviser | undefined,
): QueryResult<QueryOf<C>> {
  const { source, limits } = read
  if (source === undefined) return bindQuery(collection, read, adviser)
  if (members.length > limits.pairs) {
    const result = bindQuery(collection, { ...read, source: { ...source, pairs: members } }, adviser)
    if (!result.ok && result.issues[0].code === 'limit_pairs') return result
  }
  const faults = members.map((member) => misfit(collection, read, member))
  const pairs = members.filter((_, at) => faults[at] === undefined)
  return bindQuery(
    collection,
    { ...read, source: { ...source, pairs } },
    adviser,
    faults.filter((fault) => fault !== undefined),
  )
}

/** Writes the text again for a collection, with `path[operator]` for `path.operator`. */
function written(collection: Collection, { entries, read }: ReadObject): Pick<ReadObject, 'members' | 'read'> {
  const { text, members } = write(entries, read.reservedNames, collection)
  const tooLong = lengthFinding(text, read.limits.length)
  const named = namedFor(collection, read)
  const state = tooLong === undefined ? { source: sourceOf(text, 0), tooLong } : { source: undefined, tooLong }
  return { members, read: { ...named, ...state } }
}

// --- Writing

/** Escapes only the necessary characters: `ofMember` counts them to find an offset in a value. */
const escapeKey = (name: string): string => name.replace(/[%+&=]/g, encodeURIComponent)
const escapeValue = (text: string): string => text.replace(/[%+&]/g, encodeURIComponent)
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Writes members as pairs. Every value but a scalar or an array of scalars becomes an empty value, and `misfit` refuses the value. */
function write(
  entries: ReadObject['entries'],
  reserved: unknown,
  collection: Collection | undefined,
): { readonly text: string; readonly members: readonly WrittenMember[] } {
  const pieces: string[] = []
  let at = 0
  const push = (piece: string) => {
    pieces.push(piece)
    at += piece.length
  }
  const members = entries.map(([name, value], index): WrittenMember => {
    if (index > 0) push('&')
    const start = at
    const isOwn = collection === undefined || (Array.isArray(reserved) && reserved.includes(name))
    push(escapeKey(isOwn ? name : withBrackets(collection, name)))
    const equals = at
    push('=')
    const items: number[] = []
    if (Array.isArray(value)) {
      // `Array.from` also visits the holes of an array, which `map` skips.
      Array.from(value, (item: unknown, place) => {
        if (place > 0) push(',')
        items.push(at)
        if (isScalar(item)) push(escapeValue(itemText(String(item))))
      })
    } else if (isScalar(value)) push(escapeValue(String(value)))
    return { name, value, start, equals, end: at, items }
  })
  return { text: pieces.join(''), members }
}

/** Turns `path.operator` into `path[operator]`: some tools refuse brackets in the names of members. */
function withBrackets(collection: Collection, name: string): string {
  const dot = name.lastIndexOf('.')
  if (dot <= 0) return name
  const { paths } = namingOf(collection).schema
  const { parameters, words } = namesOf(collection)
  if (paths.has(name) || parameters.has(name) || words.has(name)) return name
  const [path, operator] = [name.slice(0, dot), name.slice(dot + 1)]
  return paths.has(path) && operatorCalled(operator, collection) !== undefined ? `${path}[${operator}]` : name
}

// --- Forms of values

/** Returns a description of the required form for a message; `undefined` for a valid value. */
type Check = (value: unknown) => string | undefined
const must =
  (is: (value: unknown) => boolean, description: string): Check =>
  (value) =>
    is(value) ? undefined : description
const isText = (value: unknown): value is string => typeof value === 'string'

const formOf = ({ reads }: OperatorRow, { type }: ResolvedField): Check =>
  must(...jsonForms[reads === 'value' ? (type as ScalarType) : ownTypes[reads]])
/** The types of operands that are not of the field's. */
export const ownTypes = { flag: 'boolean', count: 'integer', text: 'string' } as const

/** A fault of a value: the required form, and for an array the index of the item. */
interface Misfit {
  readonly description: string
  readonly item?: number
}

function misfitOf(value: unknown, { operands }: OperatorRow, form: Check): Misfit | undefined {
  if (operands === 'one') {
    const description = form(value)
    return description === undefined ? undefined : { description }
  }
  if (!Array.isArray(value) || value.length === 0 || (operands === 'two' && value.length !== 2))
    return {
      description: operands === 'two' ? 'an array of two values, [low, high]' : 'an array of at least one value',
    }
  for (const [item, one] of value.entries()) {
    const description = form(one)
    if (description !== undefined) return { description, item }
  }
  return undefined
}

const paths = must(
  (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  'an array of at least one path',
)
const group = must(isText, 'a text, a group in parentheses')
const text = (parameter: ParameterName): Check =>
  must(isText, `a text, ${parameterWords[parameter as ParameterOf<'text' | 'words'>].text}`)
/** The JSON form of a parameter, by the form of its value. */
const parameterForm: { readonly [F in ParameterForm]: (parameter: ParameterName) => Check } = {
  paths: () => paths,
  group: () => group,
  positive: () => must(...jsonForms.integer),
  natural: () => must(...jsonForms.integer),
  flag: () => must(...jsonForms.boolean),
  ...{ text, words: text },
}
const jsonFormOf = (parameter: ParameterName): Check => parameterForm[parameterForms[parameter]](parameter)

/** Finds a value of the wrong JSON type. Skips an invalid name: the parser refuses the pair. */
function misfit(collection: Collection, read: ReadText, member: WrittenMember): Finding | undefined {
  const { name, value, start, equals, end } = member
  // The span includes the equals sign: `ofMember` reads a span without this sign as an item.
  const span = { start: equals, end }
  const invalid = (parameter: string, description: string): Finding => {
    const expected: ExpectedParameter = { kind: 'form', description }
    return { code: 'parameter_invalid', span, parameters: { parameter, expected, advice: [] } }
  }
  if (read.reservedNames.includes(name)) {
    return isText(value) ? undefined : invalid(name, 'a text')
  }
  // The parser leaves it out.
  if (value === '' && collection.empty === 'ignore') return undefined
  const parameter = parameterOf(collection, name)
  if (parameter !== undefined) {
    const description = jsonFormOf(parameter)(value)
    return description === undefined ? undefined : invalid(name, description)
  }
  const key = keyOfPair(collection, read, { start, equals, end })
  if (key === undefined || isNarrowedAway(collection, key)) return undefined
  const { field, operator } = key
  const found = misfitOf(value, operator, formOf(operator, field))
  if (found === undefined) return undefined
  const { description, item } = found
  const values =
    operator.reads === 'value' && (operator.operands === 'one' || item !== undefined) ? valuesOf(field) : undefined
  const at = item === undefined ? span : { start: member.items[item]!, end: member.items[item + 1] ?? end }
  const doubt: Doubt | undefined =
    value === null ? { kind: 'null', context: { collection, source: read.source! }, key } : undefined
  return {
    code: 'operand_invalid',
    span: at,
    parameters: {
      subject: operator.operands === 'one' && operator.reads === 'value' ? field.name : key.name,
      expected:
        values === undefined
          ? { kind: 'type', type: operator.reads === 'value' ? field.type : operator.reads, description }
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
  { source }: Pick<ReadText, 'source'>,
  pair: RawPair,
): ResolvedKey | undefined {
  const parsed = parsePair(source!, pair, () => {})
  return parsed && resolveKey({ schema: namingOf(collection).schema, source: source!, collection }, parsed)
}

// --- Issues and queries of objects

/** Removes spans from a query: the caller never sees the written text. */
function withoutSpans(query: Query): Query {
  const ofFilter = (filter: Filter): Filter => map(filter, ({ span: _, ...node }) => Object.freeze(node) as Filter)
  const facets = own(query, 'facets')
  return markQuery(
    Object.freeze({
      ...query,
      filter: ofFilter(query.filter),
      sort: Object.freeze(query.sort.map(({ span: _, ...key }) => Object.freeze(key))),
      ...(facets && {
        facets: Object.freeze(facets.map((facet) => Object.freeze({ ...facet, filter: ofFilter(facet.filter) }))),
      }),
    }),
  )
}

/** Whether the value of a parameter has a grammar: spans count in a group or a search. */
const isGrammatical = (parameter: ParameterName | undefined): boolean =>
  parameter !== undefined && ['group', 'words'].includes(parameterForms[parameter])

/** Turns an issue of the written text into an issue of the object. */
function ofMember(
  collection: Collection,
  read: ReadText,
  member: WrittenMember,
  issue: Issue,
  adviser: ObjectAdviser | undefined,
): Issue {
  const { name, value, equals, end, items } = member
  const { start, end: to } = issue.span!
  const hasText = isText(value) && isGrammatical(parameterOf(collection, name)) && start > equals
  // An offset in the value is shorter than in the text by two for each escape.
  const inValue = (at: number) =>
    read.source!.text.slice(equals + 1, Math.min(at, end)).replace(/%(?:25|26|2B)/g, '_').length
  // An issue with the span of all items has no `item`.
  const isOfItem = items.length === 1 || start > equals + 1 || to < end
  const item = isOfItem ? items.findLastIndex((at) => at <= start) : -1
  const place = {
    member: shownMember(name, read.reservedNames),
    item: item < 0 ? undefined : item,
    span: hasText ? { start: inValue(start), end: inValue(to) } : undefined,
  }
  const ofObject = adviser && {
    hintOf: adviser.hintOf,
    inObject: (advice: Advice) => adviser.inObject(collection, advice, hasText),
  }
  return issueOfMember(issue, place, ofObject)
}

const longestMember = 256

/** Shortens the name of a member for issues: removes a part that can contain a secret. */
function shownMember(name: string, reserved: readonly string[]): string {
  const length = Math.min(secretStart(name, reserved) || name.length, longestMember)
  return name.slice(0, length) + (length < name.length ? '…' : '')
}
