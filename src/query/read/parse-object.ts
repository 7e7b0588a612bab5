/** Object → query: each member is written as a pair of a text, which the reader of texts reads. */
import { map, type Filter } from '../../ast/index.ts'
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
} from '../../issue/index.ts'
import {
  checkCollection,
  operatorNamed,
  valuesOf,
  type Collection,
  type OperatorRow,
  type ParameterName,
  type ResolvedField,
} from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { holdsMembers, own } from '../../own.ts'
import {
  decode,
  keyOf,
  lengthFinding,
  parseList,
  parsePair,
  sourceOf,
  decodeItem,
  valueOf,
} from '../../syntax/index.ts'
import { significantDigits } from '../../text/exact.ts'
import type { RawPair } from '../../text/pairs.ts'
import { namingOf, type DeprecatedUse } from '../aliased.ts'
import { itemText } from '../encode.ts'
import { namesOf } from '../group-words.ts'
import { markQuery, type Query, type QueryOf } from '../page/query.ts'
import { isNarrowedAway, operatorCalled, resolveKey, type ResolvedKey } from './keys.ts'
import { bindQuery, checkReservedQuery, namedFor } from './parse-query.ts'
import { noOptions, readText, type QueryOptions, type ReadText, type Reserved } from './read-text.ts'

/** The options of {@link parseObject}. */
export interface ObjectOptions extends Omit<QueryOptions, 'notation'> {
  /**
   * Reads a member that is `null` as one that is left out, as tools of `toolSchema` with `strict` have it. Without the option, `null` is
   * an issue.
   */
  readonly strict?: boolean
}

/** A deprecated name in an object. */
export interface DeprecatedMember extends Omit<DeprecatedUse, 'span'> {
  /** The member that has the name. */
  readonly member: string
}

interface Noted {
  /** The texts of members with reserved names. */
  readonly reserved: Reserved
  /** The deprecated names that the object has, each once. */
  readonly deprecated: readonly DeprecatedMember[]
}
/** The result of {@link parseObject}: the query, or every issue of the object. */
export type ObjectResult<Q extends Query = Query> =
  ({ readonly ok: true; readonly query: Q } & Noted) | ({ readonly ok: false; readonly issues: Issues } & Noted)

/**
 * Reads an object as a query of a collection: the arguments of a tool call, or the JSON of a request. Its members are those of
 * `toolSchema`: a condition is `path` for equality or `path[operator]`, with a value of the JSON type of the field; operators with several
 * operands, `sort`, `fields` and `facets` have arrays; a group is a text. `path.operator` means `path[operator]`, where no field is
 * called so. A restriction, limits and hidden fields apply as to a text.
 *
 * @param collection what queries may contain; made by `defineCollection`.
 * @param object its own members are read, and no others.
 * @param options those of `parseQuery`, and whether `null` stands for a member that is left out.
 * @returns the query, or every issue in the order of the members: each names its `member`, and the index of the `item` in an array.
 * @throws TypeError when `object` is not an object of members, an argument is not of its type, or a reserved name is a field or a
 *   parameter: never because of the members.
 * @example
 * const result = parseObject(orderCollection, { 'total[gte]': 5, sort: ['-total'], limit: 20 })
 * if (result.ok) result.query.limit // => 20
 */
export function parseObject<C extends Collection>(
  collection: C,
  object: object,
  options: ObjectOptions = noOptions,
): ObjectResult<QueryOf<C>> {
  checkCollection(collection)
  const given = readObject(object, options, collection)
  checkReservedQuery(collection, given.read.reservedNames)
  return bindObject(collection, given)
}

/** A member of an object, and where the text has it. */
interface WrittenMember extends RawPair {
  /** As the object has it. */
  readonly name: string
  readonly value: unknown
  /** Where the items of an array begin. */
  readonly items: readonly number[]
}

/** An object before its members are bound, and the text that stands for it. */
export interface ReadObject {
  readonly entries: readonly (readonly [name: string, value: unknown])[]
  readonly members: readonly WrittenMember[]
  readonly read: ReadText
  /** Whether `path.operator` is written as `path[operator]`, for which the collection must be known. */
  readonly isOfCollection: boolean
}

/**
 * The first half of {@link parseObject}. Without a collection, it needs no field.
 *
 * @throws TypeError when the object is none, or an option is wrong.
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

/** The second half of {@link parseObject}: reads the members for a collection. */
export function bindObject<C extends Collection>(collection: C, object: ReadObject): ObjectResult<QueryOf<C>> {
  const { members, read } = object.isOfCollection ? object : written(collection, object)
  const { source } = read
  const faults = source === undefined ? [] : members.map((member) => misfit(collection, read, member))
  const pairs = members.filter((_, at) => faults[at] === undefined)
  const fitting: ReadText = source === undefined ? read : { ...read, source: { ...source, pairs } }
  const result = bindQuery(
    collection,
    fitting,
    faults.filter((fault) => fault !== undefined),
  )
  const memberAt = ({ start }: Span) => members.findLast((member) => member.start <= start)!
  const deprecated = Object.freeze(
    result.deprecated.map(({ span, ...use }) => Object.freeze({ ...use, member: memberAt(span).name })),
  )
  const { reserved } = result
  if (result.ok) return { ok: true, query: withoutSpans(result.query) as QueryOf<C>, reserved, deprecated }
  const issues = result.issues.map((issue) => ofMember(collection, read, memberAt(issue.span!), issue))
  return { ok: false, issues: issues as readonly Issue[] as Issues, reserved, deprecated }
}

/** An object that was read without its collection, as the collection reads it. */
function written(collection: Collection, { entries, read }: ReadObject): Pick<ReadObject, 'members' | 'read'> {
  const { text, members } = write(entries, read.reservedNames, collection)
  const tooLong = lengthFinding(text, read.limits.length)
  const named = namedFor(collection, read)
  const state = tooLong === undefined ? { source: sourceOf(text, 0), tooLong } : { source: undefined, tooLong }
  return { members, read: { ...named, ...state } }
}

// --- Writing

/** What a text needs escaped. All else stands for itself, so that offsets in a value are easily found. */
const escapeKey = (name: string): string => name.replace(/[%+&=]/g, encodeURIComponent)
const escapeValue = (text: string): string => text.replace(/[%+&]/g, encodeURIComponent)
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Writes members as pairs. What is neither a scalar nor an array of scalars is an empty value, and a misfit. */
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
      // Array.from reads the holes of an array, which map skips.
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

/** `path.operator` as `path[operator]`: some tools allow no brackets in the names of members. */
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

/** What a value in an object is to be, for a message; `undefined` for a value of the right form. */
type Check = (value: unknown) => string | undefined
const must =
  (is: (value: unknown) => boolean, description: string): Check =>
  (value) =>
    is(value) ? undefined : description
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'

/** The numbers of JSON are doubles: a decimal of up to so many digits is what its author wrote. */
const exactDigits = 15
const isExact = (value: unknown): boolean =>
  isNumber(value) && !String(value).includes('e') && significantDigits(String(value)) <= exactDigits

/** The form of one operand of each type. The reader of the type reads the value itself. */
const forms: { readonly [T in Exclude<ResolvedField['type'], 'object'>]: Check } = {
  string: must(isText, 'a text'),
  enumeration: must(isText, 'a text'),
  uuid: must(isText, 'a text, a uuid'),
  date: must(isText, 'a text, a date as YYYY-MM-DD or today-7d'),
  datetime: must(isText, 'a text, a datetime of RFC 3339, a day as YYYY-MM-DD, or a time such as now-90m'),
  integer: must(isNumber, 'a whole number, without quotes'),
  number: must(isNumber, 'a number, without quotes'),
  bigint: must(
    (value) => isText(value) || Number.isSafeInteger(value),
    'a text of digits, or a whole number within ±(2^53 − 1)',
  ),
  decimal: must(
    (value) => isText(value) || isExact(value),
    `a text such as "9.90", or a number of at most ${exactDigits} digits without an exponent`,
  ),
  boolean: must((value) => typeof value === 'boolean', 'true or false, without quotes'),
}
const formOf = ({ reads }: OperatorRow, { type }: ResolvedField): Check =>
  reads === 'flag'
    ? forms.boolean
    : reads === 'count'
      ? forms.integer
      : reads === 'text'
        ? forms.string
        : forms[type as 'string']

/** A value of another form: of an array, the item at fault. */
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
/** The form of the value of each parameter. */
const parameterForms: { readonly [P in ParameterName]: Check } = {
  ...{ sort: paths, fields: paths, facets: paths },
  ...{ and: group, or: group, not: group },
  limit: forms.integer,
  offset: forms.integer,
  count: forms.boolean,
  cursor: must(isText, 'a text, the cursor of a page'),
  search: must(isText, 'a text, words separated by spaces'),
  timeZone: must(isText, 'a text, a time zone such as Europe/Berlin or +01:00'),
}

/** Finds a value of another JSON type than its member takes. A member whose name is wrong has no type: the reader of pairs finds that. */
function misfit(collection: Collection, read: ReadText, member: WrittenMember): Finding | undefined {
  const { name, value, start, equals, end } = member
  // With the equals sign: the span of a value of one item would be that of the item.
  const span = { start: equals, end }
  const invalid = (parameter: string, description: string): Finding => {
    const expected: ExpectedParameter = { kind: 'form', description }
    return { code: 'parameter_invalid', span, facts: () => ({ parameters: { parameter, expected, advice: [] } }) }
  }
  if (read.reservedNames.includes(name)) {
    return isText(value) ? undefined : invalid(name, 'a text')
  }
  const parameter = parameterOf(collection, name)
  if (parameter !== undefined) {
    const description = parameterForms[parameter](value)
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
  const advice: readonly Advice[] =
    value === null && !isNarrowedAway(collection, { ...key, operator: existsOperator })
      ? [
          {
            kind: 'write',
            text: `${key.alias ?? field.name}[exists]=false`,
            reason: 'absent',
            isExample: false,
            replaces: null,
            operands: [],
          },
        ]
      : []
  const facts = () => ({
    parameters: {
      subject: operator.operands === 'one' && operator.reads === 'value' ? field.name : key.name,
      expected:
        values === undefined
          ? ({ kind: 'type', type: operator.reads === 'value' ? field.type : operator.reads, description } as const)
          : ({ kind: 'values', values: someOf(values) } as const),
      advice,
    },
    path: field.name,
    operator: operator.name,
  })
  return { code: 'operand_invalid', span: at, facts }
}
const existsOperator = /* @__PURE__ */ operatorNamed.get('exists')!

function parameterOf({ parameters }: Collection, name: string): ParameterName | undefined {
  for (const [parameter, called] of parameters) if (called === name) return parameter
  return undefined
}

/** The key of a pair; `undefined` where it has a fault. */
function keyOfPair(collection: Collection, { source }: ReadText, pair: RawPair): ResolvedKey | undefined {
  const parsed = parsePair(source!, pair, () => {})
  return parsed && resolveKey(namingOf(collection).schema, source!, parsed, collection)
}

// --- Issues and queries of objects

/** A query is of the object: pieces of the text that stood for it are in no node of it. */
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

/** Parameters whose values have a grammar of their own. */
const isGrammatical = (parameter: ParameterName | undefined): boolean =>
  parameter !== undefined && ['and', 'or', 'not', 'search'].includes(parameter)

/** An issue of the text that stands for an object, as one of the object. */
function ofMember(collection: Collection, read: ReadText, member: WrittenMember, issue: Issue): Issue {
  const { name, value, equals, end, items } = member
  const { start, end: to } = issue.span!
  const hasText = isText(value) && isGrammatical(parameterOf(collection, name)) && start > equals
  // Of the text, only escapes are longer than what they stand for.
  const inValue = (at: number) =>
    read.source!.text.slice(equals + 1, Math.min(at, end)).replace(/%(?:25|26|2B)/g, '_').length
  // An issue of all items is of the member.
  const isOfItem = start > equals && (items.length === 1 || start > equals + 1 || to < end)
  const item = isOfItem ? items.findLastIndex((at) => at <= start) : -1
  const place = {
    member: shownMember(name, read.reservedNames),
    item: item < 0 ? undefined : item,
    span: hasText ? { start: inValue(start), end: inValue(to) } : undefined,
  }
  return issueOfMember(issue, place, (advice) => inObject(collection, read, advice, hasText))
}

const longestMember = 256

/** The name of a member as issues have it: without a part that may be a secret. */
function shownMember(name: string, reserved: readonly string[]): string {
  const length = Math.min(secretStart(name, reserved) || name.length, longestMember)
  return name.slice(0, length) + (length < name.length ? '…' : '')
}

/** Advice for an object: a text is written as members, and nothing is said of escapes and commas. In a group, a text stays one. */
function inObject(collection: Collection, read: ReadText, advice: Advice, isInText: boolean): readonly Advice[] {
  if (advice.kind === 'write') {
    const text = isInText ? advice.text : (membersText(collection, read, advice.text) ?? advice.text)
    return [{ ...advice, text, replaces: null, operands: [] }]
  }
  if (isInText) return [advice]
  if (advice.kind === 'write_group') {
    const text = `"${advice.word}": "(…)"`
    return [{ kind: 'write', text, reason: 'spelling', isExample: true, replaces: null, operands: [] }]
  }
  if (advice.kind === 'escape_plus' || advice.kind === 'join_paths') return []
  if (advice.kind === 'decode_once') return advice.key === null ? [] : [{ kind: 'did_you_mean', name: advice.key }]
  return [advice]
}

/** Pairs of a query string as the members of an object; `undefined` where a pair is none. */
function membersText(collection: Collection, read: ReadText, text: string): string | undefined {
  const source = sourceOf(text, 0)
  const members = source.pairs.map((pair) => {
    const name = decode(source, keyOf(pair))
    const value = valueOf(pair)
    const parameter = parameterOf(collection, name)
    const key = parameter === undefined ? keyOfPair(collection, { ...read, source } as ReadText, pair) : undefined
    if (parameter === undefined && key === undefined) return undefined
    const isList = key === undefined ? parameterForms[parameter!] === paths : key.operator.operands !== 'one'
    const isBare = key === undefined ? ['limit', 'offset', 'count'].includes(parameter!) : isOfNoText(key)
    const one = (item: string) => (isBare ? item : JSON.stringify(item))
    const written = isList
      ? `[${parseList(source, value)
          .map((item) => one(decodeItem(source, item)))
          .join(', ')}]`
      : one(decode(source, value))
    return `${JSON.stringify(name)}: ${written}`
  })
  return members.includes(undefined) ? undefined : members.join(', ')
}

/** Whether an operand is a number or a boolean of JSON. */
const isOfNoText = ({ operator: { reads }, field }: ResolvedKey): boolean =>
  reads === 'flag' || reads === 'count' || (reads === 'value' && ['integer', 'number', 'boolean'].includes(field.type))
