/**
 * Conditions, orders and pages of other APIs → conditions and parameters of this language. A key is brought into one form: names with
 * dots between them, without the wrapper `filter`, then the word of an operator. A value may begin with such a word. The
 * words are in the table of operators, and below.
 */
import { accepts, defaultOperator, operatorWords, parameterAliases, readerOf } from '../language/index.ts'
import { isLiteralType } from '../tree/index.ts'
import type { OperatorName, OperatorRow, OperatorWords, ResolvedField, Schema, ValueName } from '../language/index.ts'
import { rowOf, sortText, type AskedCondition } from './suggestion.ts'
import { own } from '../own.ts'
import { hasTurn, wordsIn } from '../turns.ts'
import { unicodePattern } from '../values/characters.ts'

/** The meaning of a word of another language: an operator, and with `opposite` its complement. */
interface ForeignWord {
  readonly operator: OperatorName
  /** Whether the operand means the opposite: `isNull=true` is `exists=false`. */
  readonly opposite: boolean
  /** Whether it is the complement of an operator whose complement has no name: that takes a group. */
  readonly isNegated: boolean
  /** Another operator that it means with the same operand. */
  readonly also: OperatorName | undefined
}

/** A word without its case and without the marks that languages write before, in and after it: `$not_in:` is `notin`. */
const plain = (word: string): string => word.toLowerCase().replace(/[\s_.:$|(/-]+/g, '')

const wordFor = (operator: OperatorName, more: Partial<ForeignWord> = {}): ForeignWord => ({
  operator,
  opposite: false,
  isNegated: false,
  also: undefined,
  ...more,
})

const foreignWords: ReadonlyMap<string, ForeignWord> = new Map(
  (Object.entries(operatorWords) as readonly [OperatorName, OperatorWords][]).flatMap(
    ([operator, { aliases, opposites = [], negations = [], counts, sign }]) => {
      const signs = sign === undefined ? [] : [`${sign}=`]
      const names: readonly (readonly [readonly string[], ForeignWord])[] = [
        [[plain(operator), ...aliases, ...signs], wordFor(operator)],
        [opposites, wordFor(operator, { opposite: true })],
        [negations, wordFor(operator, { isNegated: true })],
        [counts?.names ?? [], wordFor(operator, { also: counts?.exactly })],
      ]
      return names.flatMap(([words, meant]) => words.map((word) => [word, meant] as const))
    },
  ),
)

/** Words for the entries of a list alone. */
const entryWords: ReadonlyMap<string, ForeignWord> = new Map(
  (Object.entries(operatorWords) as readonly [OperatorName, OperatorWords][]).flatMap(
    ([operator, { ofEntries = [] }]) => ofEntries.map((word) => [word, wordFor(operator)] as const),
  ),
)

/** Negations before a known word, which may have one itself: `notStartsWith`, `$not:$ne`. */
const negations = ['isnot', 'doesnot', 'doesnt', 'isnt', 'not', 'none', 'exclude', 'without', '!']
/** Negations that are a word's beginning as well: only before a word of the table, and no word of plain English, as in `until`. */
const shortNegations = ['non', 'no', 'n']
const plainWords = new Set([
  'to',
  'from',
  'since',
  'after',
  'before',
  'over',
  'under',
  'above',
  'below',
  'until',
  'till',
])
const affirmations = ['is', 'has', 'any', 'some', 'does']
/** Tests all prefixes at once, because most words begin with none of them. */
const hasPrefix = /* @__PURE__ */ new RegExp(`^(?:${[negations, shortNegations, affirmations].flat().join('|')})`)

const complements: { readonly [O in OperatorName]?: OperatorName } = {
  equals: 'notEqual',
  in: 'nin',
  contains: 'doesNotContain',
  notEqual: 'equals',
  nin: 'in',
  doesNotContain: 'contains',
}

/** The complement of a word; `undefined` for a number of entries, which is two conditions. */
function complementOf(word: ForeignWord | undefined): ForeignWord | undefined {
  if (word === undefined || word.also !== undefined) return undefined
  if (word.operator === 'exists') return { ...word, opposite: !word.opposite }
  const other = own(complements, word.operator)
  return other === undefined ? { ...word, isNegated: !word.isNegated } : { ...word, operator: other }
}

/** Looks up a word of the table, with or without a negation before it, as in `notStartsWith`, `ngt`, `!in`, `$not:$sw`. */
export function foreignWord(word: string): ForeignWord | undefined {
  const meaning = foreignWords.get(word.toLowerCase())
  if (meaning !== undefined) return meaning
  if (word.startsWith('-')) return complementOf(foreignWord(word.slice(1)))
  return plainWord(plain(word))
}
function plainWord(word: string): ForeignWord | undefined {
  const meaning = foreignWords.get(word)
  if (meaning !== undefined || word.length > longestWord || !hasPrefix.test(word)) return meaning
  const restOf = (prefix: string) =>
    word.startsWith(prefix) && word !== prefix ? plainWord(word.slice(prefix.length)) : undefined
  for (const prefix of negations) {
    const rest = restOf(prefix)
    if (rest !== undefined) return complementOf(rest)
  }
  for (const prefix of shortNegations) {
    const rest = word.startsWith(prefix) ? word.slice(prefix.length) : ''
    const meant = plainWords.has(rest) ? undefined : foreignWords.get(rest)
    if (meant !== undefined && isPositive(meant)) return complementOf(meant)
  }
  for (const prefix of affirmations) {
    const rest = restOf(prefix)
    if (rest !== undefined) return rest
  }
  return undefined
}
const isPositive = ({ operator, opposite, isNegated }: ForeignWord): boolean =>
  !opposite && !isNegated && !rowOf(operator).complement

/** Two of the longest words with negations before them. */
const longestWord = 40

/** Names around all conditions of a query: `filter[total]`, `where.total`. */
const wrappers = new Set(['filter', 'filters', 'where', 'query', 'q', 's', 'search', 'conditions', 'criteria'])
export const isWrapper = (name: string): boolean => wrappers.has(plain(name))

/** Longer keys are not read: the time for one grows with the square of its length. */
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
  /** The path before the group that it takes: `items.every` of `items.every.price`. */
  readonly around: string | undefined
}

const isPosition = (name: string): boolean => /^\d+$/.test(name)

/** The names of a key, which other languages write in brackets too. */
const namesIn = (key: string): readonly string[] =>
  key.split(/[.[]/).map((name) => {
    // Most names contain at most one bracket, which is their last character. `replaceAll` is slower than both tests.
    const inside = name.endsWith(']') ? name.slice(0, -1) : name
    return inside.includes(']') ? inside.replaceAll(']', '') : inside
  })

/** The names of a key without wrappers and without positions. */
export function innerNames(key: string): readonly string[] {
  const names = namesIn(key).filter((name) => name !== '' && !isPosition(name))
  const first = names.findIndex((name) => !isWrapper(name))
  return names.slice(first < 0 ? names.length : first)
}

/** Reads a key as a field of the schema and an operator: `total_gte`, `filter[total][$gte]`, `items__price__gte`, `minTotal`. */
export function keyMeant(schema: Schema, key: string, hasEquals = true): KeyMeant | undefined {
  if (key.length > longestKey) return undefined
  const parts = namesIn(key)
  const names = parts.filter((name) => name !== '' && !isPosition(name))
  // In a group after the path of a list, a key may begin with a position, or be one.
  const entry = names.length === 0 && parts.some(isPosition) ? schema.paths.get('') : undefined
  if (entry !== undefined) return { ...keyOn(entry), hasPosition: true }
  for (let from = 0; from < names.length; from++) {
    const target = conditionIn(schema, names.slice(from).join('.'), hasEquals)
    if (target !== undefined) {
      const { field, isBare } = target
      const last = parts.at(-1)!
      // A position may be a key.
      if (
        own(field, 'isKey') !== undefined &&
        parts.some((part, at) => isPosition(part) && !(at === parts.length - 1 && key.endsWith(']')))
      )
        return undefined
      const endsInPosition = parts.length > 1 && isPosition(last)
      const isOfList = field.lists.length > 0 && (isBare || !endsInPosition)
      const isList = parts.length > 1 && (last === '' || (endsInPosition && !isOfList))
      return { ...target, isList, hasPosition: isPosition(parts[0]!) || (isOfList && parts.some(isPosition)) }
    }
    if (!isWrapper(names[from]!)) return undefined
  }
  return undefined
}

const equality: ForeignWord = wordFor(defaultOperator.name)

/** The condition of a key whose brackets contain an operator of another API. It reads no words in the key of a record. */
export function keyMeantOn(schema: Schema, field: ResolvedField, key: string): KeyMeant | undefined {
  if (own(field, 'isKey') === undefined) return keyMeant(schema, key)
  const word = foreignWord(key.slice(key.indexOf('[') + 1, -1))
  return word && keyOn(field, wordOn(field, word))
}

/** A key that has only a field and an operator. */
export const keyOn = (field: ResolvedField, word = equality): KeyMeant => ({
  field,
  word,
  isList: false,
  hasPosition: false,
  around: undefined,
})

type KeyTarget = Pick<KeyMeant, 'field' | 'word' | 'around'> & { readonly isBare: boolean }

/** The condition that the names of a key mean, whatever other languages put before, between and after those of a path. */
function conditionIn(schema: Schema, dotted: string, hasEquals: boolean): KeyTarget | undefined {
  for (const text of dotted.includes('__') ? [dotted, dotted.replaceAll('__', '.')] : [dotted]) {
    const target =
      split(schema, text, hasEquals) ?? turned(schema, text, hasEquals) ?? quantifiedIn(schema, text, hasEquals)
    if (target !== undefined) return target
  }
  return undefined
}

/** Whether no part of a path is a key of a record that may have an operator, a negation, a direction or a bound: `attributes.color_ne`. */
export function isPlainPath(field: ResolvedField): boolean {
  if (own(field, 'isKey') === undefined) return true
  const key = field.path.at(-1)!
  return keyOfWords().test(key) && !hasTurn(key) && !wordsIn(key).some((word) => foreignWord(word) !== undefined)
}
const keyOfWords = /* @__PURE__ */ unicodePattern('^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} _-]*$')

/** The field whose path ends at an offset. A key of a record ends there if a dot or a sign follows: other marks may be in it. */
export function fieldBefore({ paths }: Schema, text: string, at = text.length): ResolvedField | undefined {
  const field = paths.get(text.slice(0, at))
  if (field === undefined || own(field, 'isKey') === undefined) return field
  return isPlainPath(field) && /^(?:$|[.<>!~:])/.test(text.slice(at)) ? field : undefined
}

/** The longest path with which a text begins, and the operator that the rest names. */
function split(schema: Schema, text: string, hasEquals: boolean): KeyTarget | undefined {
  const whole = text === '' ? undefined : fieldBefore(schema, text)
  if (whole !== undefined) return { field: whole, word: equality, isBare: true, around: undefined }
  for (let at = text.length - 1; at > 0; at--) {
    // `total_gte`, `total>`, `totalGte`
    if (!isEdge(text, at)) continue
    const field = fieldBefore(schema, text, at)
    if (field === undefined) continue
    const tail = text.slice(at)
    const word = wordOf(tail, hasEquals) ?? (field.lists.length > 0 ? entryWords.get(plain(tail)) : undefined)
    if (word !== undefined) return { field, word: wordOn(field, word), isBare: false, around: undefined }
  }
  return undefined
}
/** Whether a word of a key may begin at an offset: at a mark, or at a capital after a small letter. The first test skips small letters. */
const isEdge = (text: string, at: number): boolean =>
  !(text[at]! >= 'a' && text[at]! <= 'z') && (mark().test(text[at]!) || capital().test(text.slice(at - 1, at + 1)))
const mark = /* @__PURE__ */ unicodePattern('[^\\p{L}\\p{N}]')
const capital = /* @__PURE__ */ unicodePattern('[\\p{Ll}\\p{N}]\\p{Lu}')
const signBefore = /* @__PURE__ */ unicodePattern('^[^\\p{L}\\p{N}]*')

/** The operator that the end of a key means: a word, or a sign before the `=`, or one before an operand where there is no `=`. */
function wordOf(tail: string, hasEquals: boolean): ForeignWord | undefined {
  const [sign] = signBefore().exec(tail)!
  if (!hasEquals) return foreignWord(sign) ?? (sign === ':' ? equality : undefined)
  // `total>=5` has the key `total>`, but `total[>]=5` has its operator whole.
  return sign === tail && !tail.startsWith('.')
    ? foreignWord(`${plain(tail) || tail}=`)
    : foreignWord(tail.replace(/^[\s_.:/|-]/, ''))
}

/** `at least` and `at most` are a number of entries for a list, and a bound of a value for any other field. */
const boundsOfValues: { readonly [O in OperatorName]?: OperatorName } = { atLeast: 'gte', atMost: 'lte' }
function wordOn(field: ResolvedField, word: ForeignWord): ForeignWord {
  const bound = own(boundsOfValues, word.operator)
  return bound === undefined || accepts(field, rowOf(word.operator)) || word.also !== undefined
    ? word
    : { ...word, operator: bound }
}

/** Words before a path that change the operator after it: `!status`, `notStatus`, `not.status`, `min_total`. */
interface LeadOfKey {
  readonly rest: string
  readonly turn: (word: ForeignWord) => ForeignWord | undefined
}

/** So many words may come before a path: `greaterThanOrEqual_total`. */
const mostLeads = 4

function* leadsOf(text: string): Iterable<LeadOfKey> {
  if (/^[!-]/.test(text)) yield { rest: text.slice(1), turn: complementOf }
  let count = 0
  for (let at = 1; at < text.length && count < mostLeads; at++) {
    if (!isEdge(text, at)) continue
    count++
    const lead = plain(text.slice(0, at))
    const rest = text.slice(at).replace(/^[\s_.:-]+/, '')
    const named = foreignWord(lead)
    const isNegation = negations.includes(lead) || shortNegations.includes(lead)
    const turn = isNegation ? complementOf : (word: ForeignWord) => (word === equality ? named : undefined)
    if (!isNegation && named === undefined) continue
    yield { rest, turn }
    const lower = rest.charAt(0).toLowerCase() + rest.slice(1)
    if (lower !== rest) yield { rest: lower, turn }
  }
}

function turned(schema: Schema, text: string, hasEquals: boolean): KeyTarget | undefined {
  for (const { rest, turn } of leadsOf(text)) {
    const target = split(schema, rest, hasEquals)
    const word = target && turn(target.word)
    if (word !== undefined) return { ...target!, word: wordOn(target!.field, word), isBare: false }
  }
  return undefined
}

/** Longer names have no candidate. */
const longestParts = 104

/** Each way to part a key with a misspelt path: the path, and the operator that the rest means. */
export function* partsOf(text: string): Iterable<{ readonly path: string; readonly word: ForeignWord }> {
  if (text.length > longestParts) return
  for (let at = text.length - 1; at > 0; at--) {
    if (!isEdge(text, at)) continue
    const word = wordOf(text.slice(at), true)
    if (word !== undefined) yield { path: text.slice(0, at), word }
  }
  for (const { rest, turn } of leadsOf(text)) {
    const word = turn(equality)
    if (word !== undefined) yield { path: rest, word }
  }
}

/** A word for some, none or each of the entries after the path of a list: `items.any.price`, `items[_none][price]`. */
function quantifiedIn(schema: Schema, text: string, hasEquals: boolean): KeyTarget | undefined {
  for (let dot = text.indexOf('.'); dot > 0; dot = text.indexOf('.', dot + 1)) {
    const end = text.indexOf('.', dot + 1)
    if (end < 0) return undefined
    const list = quantifiedMeant(schema, text.slice(0, end))
    if (list === undefined) continue
    const target = split(schema, text.slice(0, dot) + text.slice(end), hasEquals)
    if (target === undefined) return undefined
    const isComplement = !isPositive(target.word)
    if (!list.endsWith('.none')) return isComplement || list.endsWith('.every') ? { ...target, around: list } : target
    // A complement speaks of no entry by itself, and a second one of each.
    const word = isComplement ? undefined : complementOf(target.word)
    return word && { ...target, word }
  }
  return undefined
}

// --- Quantifiers

/** Names for some, all and none of the entries in other languages, and the end of a path that means the same here. */
const quantifierWords: Readonly<Record<string, string>> = {
  any: '',
  some: '',
  has: '',
  exists: '',
  all: '.every',
  each: '.every',
  every: '.every',
  none: '.none',
  not: '.none',
  no: '.none',
  notany: '.none',
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
export interface Lead {
  readonly word: ForeignWord
  readonly rest: string
}

/** The first words of a value, each with a mark after it. */
const leadWords = /^(?:\$?[!-]?[a-z]{1,20}(?:[_-][a-z]{1,20})*[.:=|(]\(?){1,3}/i

export function leadOf(text: string): Lead | undefined {
  const sign = /^[=<>!~]+/.exec(text)?.[0]
  // `!above:5`
  const after = sign === undefined ? undefined : leadWords.exec(text.slice(sign.length))
  if (sign !== undefined && after) {
    const lead = sign === '!' ? leadOf(text.slice(1)) : undefined
    const word = complementOf(lead?.word)
    return word && { word, rest: lead!.rest }
  }
  if (sign !== undefined) {
    // Of `==` and `=>` the first character ends the key.
    const word =
      (sign === '!' ? foreignWord('not') : undefined) ??
      foreignWord(sign) ??
      foreignWord(sign.slice(1)) ??
      (/^=+$/.test(sign) ? equality : undefined)
    return word && { word, rest: text.slice(sign.length) }
  }
  const [lead = ''] = leadWords.exec(text) ?? []
  for (let end = lead.length; end > 0; end = lead.slice(0, end - 1).search(/[.:=|(][^.:=|(]*$/) + 1) {
    const word = foreignWord(lead.slice(0, end).replaceAll('=', ''))
    const rest = text.slice(end)
    // `not.fts.x`: what comes after the negation is an operator, too.
    if (word !== undefined)
      return word.operator !== 'equals' && leadWords.test(rest) && end < lead.length ? undefined : { word, rest }
  }
  return undefined
}

/**
 * Whether a value of another language may begin with an operator. For a text it may as well be the text itself, unless a `$` begins
 * it as in nestjs-paginate.
 */
export const isLead = ({ type }: ResolvedField, text: string): boolean =>
  /^[=<>!~^]|^-(?!\d)|^\$[!a-z-]/i.test(text) ||
  (type === 'string'
    ? foreignWord(leadWords.exec(text)?.[0].split(/[.:=|(]/, 1)[0] ?? '') !== undefined
    : leadWords.test(text) && !text.endsWith('()'))
const isPlainLead = (text: string): boolean => /^\$[a-z]+(?:[:.]|$)/i.test(text)

export const isNothing = (text: string): boolean =>
  /^(?:["'(]?\$?(?:null|nil|none|undefined)["')]?)?$/i.test(text.trim())

/** Whether a text is a number of rows. `1` may also mean `true`. */
export const isSize = (text: string): boolean => /^(?:[2-9]|[1-9]\d+)$/.test(text)

/** `true` and `false` by other words. */
export function flagOf(text: string): boolean | undefined {
  if (/^(?:true|1|yes|y|on|t)$/i.test(text)) return true
  return /^(?:false|0|no|n|off|f)$/i.test(text) ? false : undefined
}

/** Reads a value that the operator does not accept: it begins with another operator, or spells the operand otherwise. */
export function valueMeant(field: ResolvedField, operator: OperatorRow, text: string): AskedCondition | undefined {
  if (text.length > longest || operator.operands !== 'one') return undefined
  if (operator.operandKind === 'flag') return withFlag(field, flagOf(text))
  if (operator.operandKind !== 'value' || !isLiteralType(field.literal)) return undefined
  const range = operator.name === 'equals' ? boundsIn(field, text) : undefined
  if (range !== undefined) return range
  const { word, rest } = leadOf(text) ?? { word: undefined, rest: text }
  // `total[gte]=lt.5` has two operators.
  const joint = word === undefined ? wordFor(operator.name) : jointOf(operator, word)
  if (joint === undefined) return undefined
  const named = rowOf(joint.operator)
  const isEquality = (named.name === 'equals' || named.name === 'notEqual') && !joint.isNegated
  if (isEquality && isNothing(rest)) return withFlag(field, named.complement)
  const whole = foreignWord(text)
  if (whole?.operator === 'exists' && isEquality) return withFlag(field, whole.opposite === named.complement)
  if (joint.operator === 'exists') return withFlag(field, (flagOf(rest) ?? true) !== joint.opposite)
  const flag = isEquality && field.type === 'boolean' ? flagOf(rest) : undefined
  if (flag !== undefined) return { field, operator: named, operands: [String(flag)] }
  const several = isEquality ? severalOf(field, named, rest) : undefined
  if (several !== undefined) return { field, operator: several, rest }
  if (word !== undefined) return { field, operator: named, rest, around: joint.isNegated ? 'not' : undefined }
  // `status=-paid`
  return operator.name === 'equals' && field.type === 'enumeration' && text.startsWith('-')
    ? { field, operator: rowOf('notEqual'), rest: text.slice(1) }
    : undefined
}

/** Joins the operator of a key with the one in its value. One of them must be an equality. */
function jointOf(operator: OperatorRow, word: ForeignWord): ForeignWord | undefined {
  if (operator.name === 'equals' || operator.name === word.operator) return word
  if (operator.name === 'notEqual') return complementOf(word)
  return word.operator === 'equals' && !word.isNegated ? wordFor(operator.name) : undefined
}

/** The bounds of an interval as other languages write it: `[1 TO 5]`, `[1 TO *]`, `{1 TO 5}`, `(1,5]`. */
function boundsIn(field: ResolvedField, text: string): AskedCondition | undefined {
  const [, open, ...rest] =
    /^([[{(])\s*([^\s,]+)\s+TO\s+([^\s,]+)\s*([\]})])$/i.exec(text) ?? /^([[(])([^,]*),([^,]*)([\])])$/.exec(text) ?? []
  const [low = '', high = '', close] = rest.map((part) => part.trim())
  if (/\s/.test(low + high)) return undefined
  // `[1,5]` and `(1,5)` are lists, too.
  if (open === undefined || (/,/.test(text) && /^\[.*\]$|^\(.*\)$/s.test(text))) return undefined
  const least = open === '[' ? 'gte' : 'gt'
  const most = close === ']' ? 'lte' : 'lt'
  const bounds: readonly OperatorName[] = [
    ...(low === '*' || low === '' ? [] : ([least] as const)),
    ...(high === '*' || high === '' ? [] : ([most] as const)),
  ]
  const [first, second] = bounds.length === 2 && least === 'gte' && most === 'lte' ? (['range'] as const) : bounds
  return first && { field, operator: rowOf(first), rest: '', also: second === undefined ? undefined : rowOf(second) }
}

const withFlag = (field: ResolvedField, flag: boolean | undefined, around?: string): AskedCondition | undefined =>
  flag === undefined ? undefined : { field, operator: rowOf('exists'), operands: [String(flag)], around }

/** The operator that reads all values of a text: `a,b`, or `low..high`. */
function severalOf(field: ResolvedField, operator: OperatorRow, text: string): OperatorRow | undefined {
  const { fromText } = readerOf(operator.operandKind, field)
  const areRead = (items: readonly string[]) =>
    items.length > 1 && items.every((item) => fromText(item.trim().replaceAll(/^["']|["']$/g, '')) !== undefined)
  const list = operatorWords[operator.name].several
  if (list !== undefined && areRead(text.replaceAll(/^[[({]|[\])}]$/g, '').split(/[,|;]/))) return rowOf(list)
  return operator.name === 'equals' && areRead(text.split(/\.\.\.?/)) ? rowOf('range') : undefined
}

/** The condition of a pair: of its key, and of its value if it has one; `undefined` if the value may begin with an operator. */
export function pairMeant(
  { field, word, isList, around }: Omit<KeyMeant, 'hasPosition'>,
  value?: string,
): AskedCondition | undefined {
  const operator = rowOf(word.operator)
  const group = word.isNegated ? 'not' : around
  if (word.isNegated && around !== undefined) return undefined
  if (operator.operandKind === 'flag') return withFlag(field, (flagOf(value ?? '') ?? true) !== word.opposite, around)
  const isEquality = (operator.name === 'equals' || operator.name === 'notEqual') && !word.isNegated
  // With a key of ours, `null` is a text. With `note_eq=null` it is the missing value, for text fields too.
  if (isEquality && value !== undefined && value !== '' && isNothing(value))
    return withFlag(field, operator.complement, around)
  if (value !== undefined && operator.operandKind === 'value' && operator.operands === 'one') {
    const isText = field.type === 'string'
    const byValue =
      !isText || (isPlainLead(value) && value.length <= longest) ? valueMeant(field, operator, value) : undefined
    if (byValue !== undefined) return combined(byValue, word.isNegated, around)
    if (isLead(field, value)) return undefined
  }
  const several = isEquality && isList ? operatorWords[operator.name].several : undefined
  return {
    field,
    operator: several !== undefined && accepts(field, rowOf(several)) ? rowOf(several) : operator,
    around: group,
  }
}

/** Puts the condition of a value into the group that its key requires. */
function combined(meant: AskedCondition, isNegated: boolean, around: string | undefined): AskedCondition | undefined {
  if (!isNegated && around === undefined) return meant
  return isNegated || own(meant, 'around') !== undefined ? undefined : { ...meant, around }
}

// --- Expressions

/** Conditions in the language of another API: `total gt 5 and status eq 'paid'`, `{"total":{"$gte":5}}`, `total=ge=5`. */
export interface Expression {
  readonly conditions: readonly AskedCondition[]
  /** The word that joins them. */
  readonly joint: 'and' | 'or'
}

/** `items/any(i: i/price gt 5)` of OData: the list of which `i` is an entry, up to the closing parenthesis. */
interface Lambda {
  readonly list: string
  readonly quantifier: string
  readonly name: string
  readonly depth: number
  /** How many conditions come before it. */
  readonly from: number
}

const expressionToken =
  /'(?:[^']|'')*'|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?|[\p{L}\p{N}_.$/-]+|[<>=!~^]+|&&|\|\||[^\s]/gu

/** The conditions of a text; `undefined` where a part of it is not understood: a negation could be lost. */
export function expressionIn(schema: Schema, text: string): Expression | undefined {
  if (text.length > longest) return undefined
  const tokens = Array.from(text.matchAll(expressionToken), ([token]) => token)
  const isJson = /^\s*[[{]/.test(text)
  const isRsql = /==|=\w+=/.test(text)
  const conditions: AskedCondition[] = []
  const joints = new Set<'and' | 'or'>()
  let [depth, isNegated] = [0, false]
  /** A negation before a parenthesis is about one condition. */
  let negated: { readonly depth: number; readonly from: number } | undefined
  let lambda: Lambda | undefined
  let field: ResolvedField | undefined
  let at = 0
  const isWord = (token: string | undefined, word: RegExp) => token !== undefined && word.test(token)
  const fieldAt = (path: string): ResolvedField | undefined => {
    const isInEntry = lambda !== undefined && path.startsWith(`${lambda.name}.`)
    return schema.paths.get(isInEntry ? lambda!.list + path.slice(lambda!.name.length) : path)
  }

  /** The longest operator that the next tokens write. */
  const operatorAt = (from: number): { readonly word: ForeignWord; readonly next: number } | undefined => {
    const places: number[] = []
    for (let place = from; place < tokens.length && places.length < 3; place++) {
      if (/^(?:[":={]|\|\|)$/.test(tokens[place]!) && (isJson || places.length === 0)) continue
      if (/^['"(){}[\],;&|]/.test(tokens[place]!)) break
      places.push(place)
    }
    for (; places.length > 0; places.pop()) {
      const word = foreignWord(places.map((place) => tokens[place]!).join(''))
      if (word !== undefined) return { word, next: places.at(-1)! + 1 }
    }
    return undefined
  }
  /** Where the operand ends that begins at a token, and its text. */
  const operandAt = (from: number): { readonly text: string; readonly next: number } => {
    let start = from
    while (isWord(tokens[start], /^[":=|]$|^\|\|$/)) start++
    const open = tokens[start]
    if (open === '(' || open === '[' || open === '{') {
      let end = start + 1
      while (end < tokens.length && !isWord(tokens[end], /^[)\]}]$/)) end++
      const inside = tokens.slice(start, end + 1)
      return { text: inside.join(inside.some((one) => /^to$/i.test(one)) ? ' ' : ''), next: end + 1 }
    }
    const quote = open?.startsWith("'")
    let next = start + 1
    if (tokens[next] === '"') next++
    return { text: quote ? open!.slice(1, -1) : (open ?? ''), next }
  }

  while (at < tokens.length) {
    const token = tokens[at]!
    const isKey = isJson && /^\$/.test(token)
    if (/^[([{]$/.test(token)) {
      depth++
      at++
    } else if (/^[)\]}]$/.test(token)) {
      depth--
      if (negated?.depth === depth) {
        if (conditions.length !== negated.from + 1) return undefined
        negated = undefined
      }
      if (lambda?.depth === depth) {
        const inside = conditions.slice(lambda.from)
        // No entry for one condition, and no entry for another one, is not the same as no entry for both.
        const isApart = lambda.quantifier === '.none' || inside.some((one) => own(one, 'around') === lambda!.list)
        if (inside.length === 0 || (inside.length > 1 && isApart)) return undefined
        lambda = undefined
      }
      at++
    } else if (/^(?:not|!|\$not|\$nor)$/i.test(token) && (!isKey || field === undefined || token === '$nor')) {
      isNegated = !isNegated
      while (isWord(tokens[at + 1], /^[":]$/)) at++
      if (isWord(tokens[at + 1], /^[([{]$/)) negated = { depth, from: conditions.length }
      at++
    } else if (/^(?:and|or|\$and|\$or|&&|\|\||;)$/i.test(token)) {
      const joint = /or$|\|\|/i.test(token) ? 'or' : 'and'
      // In JSON the word comes before the conditions that it joins, so there is one, at the start.
      if (isKey && (conditions.length > 0 || joints.size > 0)) return undefined
      joints.add(joint)
      at++
    } else if (token === ',') {
      if (isRsql) joints.add('or')
      else if (!isJson) return undefined
      else if (!joints.has('or') || tokens[at + 1] !== '{') joints.add('and')
      at++
    } else if (/^[":+]$/.test(token)) at++
    else {
      const signed = /^-[^\d-]/.test(token)
      const name = (signed ? token.slice(1) : token).replaceAll('/', '.')
      const called = tokens[at + 1] === '(' ? token : undefined
      const quantified = called === undefined ? undefined : quantifiedMeant(schema, name)
      if (quantified !== undefined && lambda === undefined && isWord(tokens[at + 3], /^:$/)) {
        const list = name.slice(0, name.lastIndexOf('.'))
        const outside = quantified.slice(list.length)
        if (isNegated && outside === '.every') return undefined
        const quantifier = isNegated ? (outside === '' ? '.none' : '') : outside
        isNegated = false
        lambda = { list, quantifier, name: tokens[at + 2]!, depth, from: conditions.length }
        depth++
        at += 4
        continue
      }
      const isFunction = called !== undefined && foreignWord(token) !== undefined
      let word: ForeignWord | undefined
      let target = fieldAt(name)
      let next = at + 1
      if (isFunction) {
        // `contains(name,'jo')`
        word = foreignWord(token)
        target = fieldAt(tokens[at + 2]!.replaceAll('/', '.'))
        if (target === undefined || tokens[at + 3] !== ',') return undefined
        next = at + 4
      } else if (isKey && field !== undefined) {
        // `{"total":{"$gte":1,"$lte":5}}`
        target = field
        next = at
      }
      if (target === undefined || (signed && !schema.paths.has(name))) return undefined
      const named: { readonly word: ForeignWord; readonly next: number } | undefined =
        word === undefined ? operatorAt(next) : { word, next }
      const isBare = named === undefined
      if (isBare && !isWord(tokens[next], /^[":=]$/)) return undefined
      word = named?.word ?? equality
      field = target
      // `eq('total',5)` has its own parenthesis; `between 1 and 5` has a word between its operands.
      const after = named?.next ?? next
      const read = operandAt(after)
      const isUnary = word.operator === 'exists' && flagOf(read.text) === undefined
      const operand = isUnary ? { text: '', next: after } : read
      let end = operand.next
      if (word.operator === 'range' && isWord(tokens[end], /^and$/i)) end += 2
      else if (word.operator === 'range' && tokens[end] === ',') end += 2
      if (isFunction && tokens[end] === ')') end++
      if (isNegated !== signed) {
        const opposite = complementOf(word)
        if (opposite === undefined) return undefined
        word = opposite
      }
      isNegated = false
      const isComplement = !isPositive(word)
      const isAround =
        lambda !== undefined && (lambda.quantifier === '.every' || (lambda.quantifier === '' && isComplement))
      const around = isAround ? lambda!.list + lambda!.quantifier : undefined
      if (lambda?.quantifier === '.none') {
        const opposite = isComplement ? undefined : complementOf(word)
        if (opposite === undefined) return undefined
        word = opposite
      }
      const meant = pairMeant({ field: target, word, isList: false, around }, operand.text)
      if (meant === undefined) return undefined
      conditions.push(meant)
      at = end
    }
  }
  const [joint = 'and'] = joints
  if (conditions.length === 0 || joints.size > 1 || isNegated || negated !== undefined) return undefined
  // Each entry for one condition, and each entry for another one, are not the same as each for both.
  if (joint === 'or' && conditions.length > 1 && conditions.some((one) => own(one, 'around') !== undefined))
    return undefined
  return { conditions, joint }
}

// --- Parameters

/** Parameters of other APIs that this language does not have. The names have the form of those in the table of parameters. */
const otherNames = {
  direction: 'direction dir sortdir sortdirection sortorder orderdir desc descending asc ascending reverse',
  page: 'page range pagenumber pageno page.number page.page pagination.page',
  include: 'include includes expand populate embed with join relations',
  filter: 'filter filters where s conditions criteria',
}
/** The parameters of other APIs. */
export type ForeignParameter = ValueName | keyof typeof otherNames

const askedNamed: ReadonlyMap<string, ForeignParameter> = new Map(
  Object.entries({ ...parameterAliases, ...otherNames }).flatMap(([asked, names]) =>
    names.split(' ').map((name) => [name, asked as ForeignParameter] as const),
  ),
)
const plainName = (name: string): string => name.toLowerCase().replace(/[_$-]+/g, '')

/** Reads a key as a parameter of another API: `_limit`, `$orderby`, `page[size]`, `fields[orders]`. */
export function foreignParameterIn(key: string, inner = innerNames(key)): ForeignParameter | undefined {
  // `-sort` may negate the parameter.
  if (/^[!-]/.test(key)) return undefined
  const names = inner.length > 0 ? inner : namesIn(key)
  const whole = askedNamed.get(plainName(names.join('.')))
  // `max.total` bounds a field.
  return whole ?? (names.length > 1 && isBoundAlone(names[0]!) ? undefined : askedNamed.get(plainName(names[0] ?? '')))
}

/** Whether a key is a bound without a field: `since`, `max`. */
export const isBoundAlone = (key: string): boolean => {
  const operator = foreignWord(key)?.operator
  return operator !== undefined && ['gt', 'gte', 'lt', 'lte', 'range'].includes(operator)
}

const direction = /^(?:(asc(?:ending)?|\+?1)|(desc(?:ending)?|-1|reverse))$/i
/** Whether a text has a direction as a word or a number: `total:desc`, `{"total":-1}`, `total_desc`. */
export const hasDirection = (text: string): boolean =>
  /(?:^|[^\p{L}\p{N}])(?:asc|desc|ascending|descending|reverse|1)(?![\p{L}\p{N}])|\p{Ll}(?:Asc|Desc)(?![\p{L}\p{N}])/iu.test(
    text,
  )

export const isDescending = (text: string): boolean => /desc|reverse|-/i.test(text)

/** The names of an offer that a text contains, in its order. */
export interface NamesInText {
  readonly names: readonly string[]
  /** Whether the text contains nothing else. */
  readonly isWhole: boolean
}

/** The directions that a text consists of, `true` for descending: `desc`, `asc,desc`. None where it has something else. */
export function directionsIn(text: string): readonly boolean[] {
  const tokens = Array.from(text.matchAll(orderToken), ([token]) => direction.exec(token))
  return tokens.every((token) => token !== null) ? tokens.map((token) => token![2] !== undefined) : []
}
const orderToken = /[^\s,:;|"'{}[\]()=&]+/g

/** The order that a text means, of sortable paths: `total DESC,id`, `{"total":-1}`. None if a part is not understood: it may turn the order. */
export function orderIn(sortable: ReadonlyMap<string, unknown>, text: string): readonly string[] {
  if (text.length > longest) return []
  const order = new Map<string, boolean>()
  /** The path that a direction may follow, and the direction that may come before a path. */
  let last: string | undefined
  let before: boolean | undefined
  for (const [token] of text.matchAll(orderToken)) {
    const [whole, , descending] = direction.exec(token) ?? []
    if (whole !== undefined) {
      const isDescending = descending !== undefined
      if (last !== undefined) order.set(last, isDescending)
      else if (before === undefined) before = isDescending
      else return []
      last = undefined
      continue
    }
    const parsed = sortKeyIn(sortable, token)
    if (parsed === undefined || order.has(parsed.path)) return []
    const { path, isDescending } = parsed
    if (isDescending !== undefined && before !== undefined) return []
    order.set(path, isDescending ?? before ?? false)
    last = isDescending === undefined && before === undefined ? path : undefined
    before = undefined
  }
  return before === undefined ? Array.from(order, ([path, isDescending]) => sortText(path, isDescending)) : []
}

/** A path with its direction, where it has one: `-total`, `total.desc`, `total_desc`, `totalDesc`. */
function sortKeyIn(
  sortable: ReadonlyMap<string, unknown>,
  token: string,
): { readonly path: string; readonly isDescending: boolean | undefined } | undefined {
  if (sortable.has(token)) return { path: token, isDescending: undefined }
  const signed = token.slice(1)
  if (/^[-+]/.test(token) && sortable.has(signed)) return { path: signed, isDescending: token.startsWith('-') }
  const [, after, word] = /^(.+?)[._-]?(asc|desc)(?:\.nulls\w+)?$/i.exec(token) ?? []
  if (after !== undefined && sortable.has(after)) return { path: after, isDescending: /desc/i.test(word!) }
  const [, first, rest] = /^(asc|desc)[._-]?(.+)$/i.exec(token) ?? []
  const path = [rest, rest && rest.charAt(0).toLowerCase() + rest.slice(1)].find(
    (one) => one !== undefined && sortable.has(one),
  )
  return path === undefined ? undefined : { path, isDescending: /desc/i.test(first!) }
}

/** The paths that a text names, of those that are offered. None where a sign leaves one out, as in `-total`. */
export function pathsIn(offered: ReadonlyMap<string, unknown>, text: string): NamesInText {
  const all = [...new Set(text.slice(0, longest).split(/[\s,;:|"'{}[\]()=&]+/))].filter((name) => name !== '')
  const names = all.some((name) => /^[!-]/.test(name) && !offered.has(name))
    ? []
    : all.filter((name) => offered.has(name))
  return { names, isWhole: text.length <= longest && names.length > 0 && names.length === all.length }
}
