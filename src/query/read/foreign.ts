/**
 * How other APIs write conditions, orders and pages, and what that means here. A key is brought into one form: names with
 * dots between them, without the wrapper `filter`, then the word of an operator. A value may begin with such a word. The
 * words are in the table of operators, and below.
 */
import {
  accepts,
  defaultOperator,
  operatorWords,
  readerOf,
  type OperatorName,
  type OperatorRow,
  type OperatorWords,
  type ResolvedField,
  type Schema,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import { unicodePattern } from '../../text/characters.ts'
import { rowOf, sortText, type Meant } from './suggestion.ts'

/** What a word of another language means: an operator, and with `opposite` its complement. */
interface ForeignWord {
  readonly operator: OperatorName
  readonly opposite: boolean
  /** Another operator that it means with the same operand. */
  readonly also?: OperatorName
}

/** A word without its case and without the marks that languages write before, in and after it: `$not_in:` is `notin`. */
const plain = (word: string): string => word.toLowerCase().replace(/[\s_.:$|(/-]+/g, '')

const foreignWords: ReadonlyMap<string, ForeignWord> = new Map(
  (Object.entries(operatorWords) as readonly [OperatorName, OperatorWords][]).flatMap(
    ([operator, { aliases, opposites = [], counts, sign }]): readonly (readonly [string, ForeignWord])[] => [
      ...[plain(operator), ...aliases, ...(sign === undefined ? [] : [`${sign}=`])].map(
        (word) => [word, { operator, opposite: false }] as const,
      ),
      ...opposites.map((word) => [word, { operator, opposite: true }] as const),
      ...(counts?.names ?? []).map((word) => [word, { operator, opposite: false, also: counts!.exactly }] as const),
    ],
  ),
)
export const foreignWord = (word: string): ForeignWord | undefined => foreignWords.get(plain(word))

/** Names around all conditions of a query: `filter[total]`, `where.total`. */
const wrappers = new Set(['filter', 'filters', 'where', 'query', 'q', 's', 'search', 'conditions', 'criteria'])
export const isWrapper = (name: string): boolean => wrappers.has(plain(name))

/** Longer keys are no spelling of anything: the time for one grows with the square of its length. */
const longestKey = 200
/** Of a value, no more is read. */
const longest = 500

/** A condition that a key means. */
export interface KeyMeant {
  readonly field: ResolvedField
  readonly word: ForeignWord
  /** Whether the key means several values: `status[]`, `status[0]`. */
  readonly isList: boolean
  /** Whether it has a position in a list of the schema: `items[0].price`. */
  readonly hasPosition: boolean
}

const isPosition = (name: string): boolean => /^\d+$/.test(name)

/** The names of a key, which other languages write in brackets too. */
const namesIn = (key: string): readonly string[] => key.replaceAll(']', '').split(/[.[]/)

/** The names of a key without wrappers and without positions. */
export function innerNames(key: string): readonly string[] {
  const names = namesIn(key).filter((name) => name !== '' && !isPosition(name))
  const first = names.findIndex((name) => !isWrapper(name))
  return names.slice(first < 0 ? names.length : first)
}

/** What a key means: a field of the schema, and an operator. `total_gte`, `filter[total][$gte]`, `items__price__gte`. */
export function keyMeant(schema: Schema, key: string, hasEquals = true): KeyMeant | undefined {
  if (key.length > longestKey) return undefined
  const parts = namesIn(key)
  const names = parts.filter((name) => name !== '' && !isPosition(name))
  // In a group after the path of a list, a key may begin with a position, or be one.
  const entry = names.length === 0 && parts.some(isPosition) ? schema.paths.get('') : undefined
  if (entry !== undefined) return { field: entry, word: equality, isList: false, hasPosition: true }
  for (let from = 0; from < names.length; from++) {
    const dotted = names.slice(from).join('.')
    const found = split(schema, dotted, hasEquals) ?? split(schema, dotted.replaceAll('__', '.'), hasEquals)
    if (found !== undefined) {
      const { field, isBare } = found
      const last = parts.at(-1)!
      const endsInPosition = parts.length > 1 && isPosition(last)
      const isOfList = field.lists.length > 0 && (isBare || !endsInPosition)
      const isList = parts.length > 1 && (last === '' || (endsInPosition && !isOfList))
      return { ...found, isList, hasPosition: isPosition(parts[0]!) || (isOfList && parts.some(isPosition)) }
    }
    if (!isWrapper(names[from]!)) return undefined
  }
  return undefined
}

const equality: ForeignWord = { operator: defaultOperator.name, opposite: false }

/** The longest path with which a text begins, and the operator that the rest names. */
function split(schema: Schema, text: string, hasEquals: boolean) {
  const whole = text === '' ? undefined : schema.paths.get(text)
  if (whole !== undefined) return { field: whole, word: equality, isBare: true }
  for (let at = text.length - 1; at > 0; at--) {
    // `total_gte`, `total>`, `totalGte`
    if (!mark().test(text[at]!) && !capital().test(text.slice(at - 1, at + 1))) continue
    const field = schema.paths.get(text.slice(0, at))
    if (field === undefined) continue
    const word = wordOf(text.slice(at), hasEquals)
    if (word !== undefined) return { field, word, isBare: false }
  }
  return undefined
}
const mark = /* @__PURE__ */ unicodePattern('[^\\p{L}\\p{N}]')
const capital = /* @__PURE__ */ unicodePattern('[\\p{Ll}\\p{N}]\\p{Lu}')
const signBefore = /* @__PURE__ */ unicodePattern('^[^\\p{L}\\p{N}]*')

/** The operator that the end of a key means: a word, or a sign before the `=`, or one before an operand where there is no `=`. */
function wordOf(tail: string, hasEquals: boolean): ForeignWord | undefined {
  const [sign] = signBefore().exec(tail)!
  if (!hasEquals) return foreignWord(sign) ?? (sign === ':' ? equality : undefined)
  // `total>=5` has the key `total>`, but `total[>]=5` has its operator whole.
  return sign === tail && !tail.startsWith('.') ? foreignWord(`${plain(tail)}=`) : foreignWord(tail)
}

// --- Quantifiers

/** Names for some, all and none of the entries in other languages, and the end of a path that means the same here. */
const quantifierWords: Readonly<Record<string, string>> = {
  ...{ any: '', some: '', has: '', exists: '', all: '.every', each: '.every' },
  ...{ not: '.none', no: '.none', notany: '.none' },
}

/** The path before a group that a path of another language means: `items.any` is `items`. */
export function quantifiedMeant({ paths }: Schema, path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  const list = path.slice(0, Math.max(dot, 0))
  const end = own(quantifierWords, plain(path.slice(dot + 1)))
  return end === undefined || paths.get(list)?.path.length !== 0 ? undefined : list + end
}

// --- Values

/** The operator with which a value begins, and the rest: `gte.5`, `$gte:5`, `not.in.(a,b)`, `=5` after the `=` of the pair. */
function leadOf(text: string): { readonly word: ForeignWord; readonly rest: string } | undefined {
  const sign = /^[=<>!~]+/.exec(text)?.[0]
  if (sign !== undefined) {
    // Of `==` and `=>` the first character ends the key.
    const word = foreignWord(sign) ?? foreignWord(sign.slice(1)) ?? (/^=+$/.test(sign) ? equality : undefined)
    return word && { word, rest: text.slice(sign.length) }
  }
  const [lead = ''] = /^(?:\$?[a-z]{1,20}(?:_[a-z]{1,20})*[.:=|(]\(?){1,3}/i.exec(text) ?? []
  for (let end = lead.length; end > 0; end = lead.slice(0, end - 1).search(/[.:=|(][^.:=|(]*$/) + 1) {
    const word = foreignWord(lead.slice(0, end).replaceAll('=', ''))
    if (word !== undefined) return { word, rest: text.slice(end) }
  }
  return undefined
}

const isNothing = (text: string): boolean => /^(?:["'(]?\$?(?:null|nil|none|undefined)["')]?)?$/i.test(text.trim())

/** `true` and `false` by other words. */
export function flagOf(text: string): boolean | undefined {
  if (/^(?:true|1|yes|y|on|t)$/i.test(text)) return true
  return /^(?:false|0|no|n|off|f)$/i.test(text) ? false : undefined
}

/** What a value means that the operator does not read: another operator, or the operand by another word. */
export function valueMeant(field: ResolvedField, operator: OperatorRow, text: string): Meant | undefined {
  if (text.length > longest || operator.operands !== 'one') return undefined
  if (operator.reads === 'flag') return withFlag(field, flagOf(text))
  if (operator.reads !== 'value' || field.type === 'object') return undefined
  const { word, rest } = leadOf(text) ?? { word: undefined, rest: text }
  const named = word === undefined ? operator : rowOf(word.operator)
  const isEquality = named.name === 'equals' || named.name === 'notEqual'
  if (isEquality && isNothing(rest)) return withFlag(field, named.complement)
  const whole = foreignWord(text)
  if (whole?.operator === 'exists') return withFlag(field, !whole.opposite)
  if (word?.operator === 'exists') return withFlag(field, (flagOf(rest) ?? true) !== word.opposite)
  const flag = isEquality && field.type === 'boolean' ? flagOf(rest) : undefined
  if (flag !== undefined) return { field, operator: named, operands: [String(flag)] }
  const several = isEquality ? severalOf(field, named, rest) : undefined
  if (several !== undefined) return { field, operator: several, rest }
  return word && { field, operator: named, rest }
}

const withFlag = (field: ResolvedField, flag: boolean | undefined): Meant | undefined =>
  flag === undefined ? undefined : { field, operator: rowOf('exists'), operands: [String(flag)] }

/** The operator that reads all values of a text: `a,b`, or `low..high`. */
function severalOf(field: ResolvedField, operator: OperatorRow, text: string): OperatorRow | undefined {
  const { fromText } = readerOf(operator.reads, field)
  const areRead = (items: readonly string[]) =>
    items.length > 1 && items.every((item) => fromText(item.trim().replaceAll(/^["']|["']$/g, ''), field) !== undefined)
  const list = operatorWords[operator.name].several
  if (list !== undefined && areRead(text.replaceAll(/^[[({]|[\])}]$/g, '').split(/[,|;]/))) return rowOf(list)
  return operator.name === 'equals' && areRead(text.split(/\.\.\.?/)) ? rowOf('range') : undefined
}

/** What a pair means in all: its key, and its value where there is one. */
export function pairMeant({ field, word, isList }: Omit<KeyMeant, 'hasPosition'>, value?: string): Meant {
  const operator = rowOf(word.operator)
  if (operator.reads === 'flag') return withFlag(field, (flagOf(value ?? '') ?? true) !== word.opposite)!
  const isEquality = operator.name === 'equals' || operator.name === 'notEqual'
  // With a key of ours, `null` is a text. With `note_eq=null` it is the missing value, for text fields too.
  if (isEquality && value !== undefined && value !== '' && isNothing(value))
    return withFlag(field, operator.complement)!
  const byValue = field.type === 'string' || value === undefined ? undefined : valueMeant(field, operator, value)
  if (byValue !== undefined) return byValue
  const several = isEquality && isList ? operatorWords[operator.name].several : undefined
  return {
    field,
    operator: several !== undefined && accepts(field, rowOf(several)) ? rowOf(several) : operator,
  }
}

// --- Expressions

/** Conditions in the language of another API: `total gt 5 and status eq 'paid'`, `{"total":{"$gte":5}}`, `total=ge=5`. */
export interface Expression {
  readonly conditions: readonly Meant[]
  /** What joins them, where that is not `and`. */
  readonly joint: 'or' | 'not' | undefined
}

export function expressionIn(schema: Schema, text: string): Expression {
  const tokens = Array.from(text.slice(0, longest).matchAll(/[\p{L}\p{N}_.$/-]+|[<>=!~]+/gu))
  const conditions: Meant[] = []
  let joint: Expression['joint']
  for (const [at, { 0: token, index }] of tokens.entries()) {
    if (/^\$?(?:not|nor)$/i.test(token)) joint = 'not'
    else if (/^\$?or$/i.test(token)) joint ??= 'or'
    const field = schema.paths.get(token) ?? schema.paths.get(token.replaceAll('/', '.'))
    if (field === undefined || token === '') continue
    const before = tokens[at - 1]
    // `contains(name,'jo')`
    const called = before !== undefined && text[index - 1] === '(' ? foreignWord(before[0]) : undefined
    const after = tokens.slice(at + 1, at + 3).map(([next]) => next)
    const word = called ?? foreignAfter(after) ?? equality
    conditions.push(pairMeant({ field, word, isList: false }))
  }
  return { conditions, joint }
}

/** The operator after a path: a word, a sign, or a word after `=`. */
function foreignAfter([first = '', second = '']: readonly string[]): ForeignWord | undefined {
  return (/^[=:]$/.test(first) ? foreignWord(second) : undefined) ?? foreignWord(first)
}

// --- Parameters

/** What queries of other APIs have besides conditions. */
export type Asked =
  | 'sort'
  | 'direction'
  | 'limit'
  | 'offset'
  | 'page'
  | 'cursor'
  | 'fields'
  | 'include'
  | 'count'
  | 'facets'
  | 'search'
  | 'timeZone'
  | 'filter'

/** The names of each, in lower case and without `-`, `_` and `$`. `.` is a bracket, too. */
const askedNames: Readonly<Record<Asked, string>> = {
  sort: 'sort sortby order orderby ordering sortfield sortcolumn',
  direction: 'direction dir sortdir sortdirection sortorder orderdir',
  limit:
    'limit end size pagesize perpage take top first rows maxresults max page.size page.limit pagination.pagesize pagination.limit',
  offset: 'offset skip start page.offset pagination.start',
  page: 'page range pagenumber pageno page.number page.page pagination.page',
  cursor: 'cursor after before pagetoken startingafter endingbefore page.cursor page.after page.before',
  fields: 'fields field select only columns attributes projection',
  include: 'include includes expand populate embed with join relations',
  count: 'count totalcount withcount includecount includetotal pagination.withcount',
  facets: 'facets facet facetfield facetfields aggs aggregations',
  search: 'q search query term keyword keywords text fulltext',
  filter: 'filter filters where s conditions criteria',
  timeZone: 'timezone tz zone',
}
const askedNamed: ReadonlyMap<string, Asked> = new Map(
  (Object.entries(askedNames) as readonly [Asked, string][]).flatMap(([asked, names]) =>
    names.split(' ').map((name) => [name, asked] as const),
  ),
)
const plainName = (name: string): string => name.toLowerCase().replace(/[_$-]+/g, '')

/** What a key means besides conditions: `_limit`, `$orderby`, `page[size]`, `fields[orders]`. */
export function askedBy(key: string): Asked | undefined {
  const inner = innerNames(key)
  const names = inner.length > 0 ? inner : namesIn(key)
  return askedNamed.get(plainName(names.join('.'))) ?? askedNamed.get(plainName(names[0] ?? ''))
}

const direction = /^(?:(asc(?:ending)?|\+?1)|(desc(?:ending)?|-1))$/i
/** Whether a text has a direction as a word or a number: `total:desc`, `{"total":-1}`. */
export const hasDirection = (text: string): boolean =>
  /(?:^|[^\p{L}\p{N}])(?:asc|desc|ascending|descending|1)(?![\p{L}\p{N}])/iu.test(text)

/** What of an offer a text names, in its order. */
export interface Named {
  readonly names: readonly string[]
  /** Whether it names nothing else. */
  readonly isWhole: boolean
}

/** The order that a text means, of paths that are sortable: `total:desc`, `total DESC,id`, `{"total":-1}`. */
export function orderIn(sortable: ReadonlyMap<string, unknown>, text: string): Named {
  const order = new Map<string, boolean>()
  let last: string | undefined
  let isWhole = text.length <= longest
  for (const [token] of text.slice(0, longest).matchAll(/[^\s,:;|"'{}[\]()=&]+/g)) {
    const [, ascending, descending] = direction.exec(token) ?? []
    if (ascending !== undefined || descending !== undefined) {
      if (last !== undefined) order.set(last, descending !== undefined)
      last = undefined
      continue
    }
    const [, name = token, suffix] = /^(.+)\.(asc|desc)(?:\.\w+)?$/i.exec(token) ?? []
    const path = [name, name.replace(/^[-+]/, '')].find((one) => sortable.has(one))
    if (path === undefined) {
      isWhole = false
      continue
    }
    order.set(path, suffix === undefined ? path !== name && name.startsWith('-') : suffix.toLowerCase() === 'desc')
    last = path
  }
  const names = Array.from(order, ([path, isDescending]) => sortText(path, isDescending))
  return { names, isWhole: isWhole && names.length > 0 }
}

/** The paths that a text names, of those that are offered. */
export function pathsIn(offered: ReadonlyMap<string, unknown>, text: string): Named {
  const all = [...new Set(text.slice(0, longest).split(/[\s,;:|"'{}[\]()=&]+/))].filter((name) => name !== '')
  const names = all.filter((name) => offered.has(name))
  return { names, isWhole: text.length <= longest && names.length > 0 && names.length === all.length }
}
