/** Reads the state of a table component. Every fault becomes an issue of a member: no part of the state is dropped or guessed. */
import { isLiteralType } from '../../tree/index.ts'
import { hintOf, issueAt, shownName } from '../../issue/index.ts'
import type { Advice, Facts, Issue, IssueCode, Issues } from '../../issue/index.ts'
import {
  isOf,
  checkCollection,
  mostSortKeys,
  mostWords,
  operatorNamed,
  allows,
  readerOf,
  clockAt,
  readers,
  searchesOf,
  utcClock,
  valuesOf,
  fieldNamesOf,
  zoneNamed,
  offeredPaths,
  deepestGroup,
  defaultLimits,
} from '../../language/index.ts'
import type {
  Collection,
  Operand,
  OperatorName,
  PathThrough,
  ResolvedField,
  GroupWord,
  Schema,
} from '../../language/index.ts'
import {
  combineParsed,
  newCondition,
  newGroup,
  sharedList,
  sortKeyOf,
  textOfPath,
  totalOrder,
  trustQuery,
  withDefaults,
  plainWords,
  searchMembers,
} from '../../query/index.ts'
import type { Query, QueryOf, BoundMember, SortKey } from '../../query/index.ts'
import { checkOptions } from '../../options.ts'
import { holdsMembers, ownOf } from '../../own.ts'
import { isDay } from '../../values/time.ts'
import { momentAt } from '../../values/zone.ts'
import { nearest, newBudget } from '../../suggest.ts'

/** The result of reading a state: the query, or every issue of the state. Each issue has a `member` in place of a span. */
export type GridResult<Q extends Query = Query> =
  { readonly ok: true; readonly query: Q } | { readonly ok: false; readonly issues: Issues }

/** The paths and aliases of a collection's fields. */
export type PathIn<C extends Collection> = C extends Collection<Schema<infer F>> ? PathThrough<F> : never

/**
 * The options of {@link fromAgGrid}, {@link fromMuiX} and {@link fromTanStackTable}. Each option selects one meaning of a condition that
 * has several.
 */
export interface GridOptions<C extends Collection = Collection> {
  /**
   * The time zone of the user, an IANA name or an offset: `Europe/Berlin`, `+01:00`. Moments without a zone and the days of `days` are
   * read in it.
   */
  readonly timeZone?: string | undefined
  /** The datetime fields whose columns compare days of `timeZone`, as columns of dates do. Other columns compare moments. */
  readonly days?: readonly PathIn<C>[] | undefined
  /**
   * The blank rows of a text: those without the value, or those with an empty text, too. AG Grid and TanStack Table also count texts of
   * spaces, which no query can: without the option, both refuse the condition. Default of MUI X: `absentOrEmpty`, as the grid counts.
   */
  readonly blank?: 'absent' | 'absentOrEmpty' | undefined
}

/** The choices of an option with few values. */
export const choices = { blank: ['absent', 'absentOrEmpty'], equality: ['exact', 'ignoreCase'] } as const

/** Checks the options of a function. `more` names those beside {@link GridOptions}. */
function settingsOf(collection: Collection, options: object, more: readonly string[]) {
  const checked = checkOptions(options, 'options', ['timeZone', 'days', 'blank', ...more]) as GridOptions & {
    readonly equality?: (typeof choices.equality)[number] | undefined
  }
  const { timeZone, days = [], blank, equality } = checked
  const zone = timeZone === undefined ? undefined : zoneNamed(String(timeZone))
  if (timeZone !== undefined && zone === undefined) throw new TypeError('options.timeZone must be a time zone')
  if (!Array.isArray(days)) throw new TypeError('options.days must be a list of paths')
  for (const path of days as readonly string[])
    if (zone === undefined || collection.visible.paths.get(path)?.type !== 'datetime')
      throw new TypeError(`options.days has ${path}: it must be a datetime field, and options.timeZone its zone`)
  for (const name of ['blank', 'equality'] as const)
    if (checked[name] !== undefined && !(choices[name] as readonly unknown[]).includes(checked[name]))
      throw new TypeError(`options.${name} must be one of ${choices[name].join(', ')}`)
  return { zone, days: days as readonly string[], blank, equality }
}

/** A condition or a group; `undefined` for an empty condition and for a refused one. */
export type Part = BoundMember | undefined

/** The progress of reading a state. Every property is own: a polluted prototype supplies absent properties. */
const newProgress = (collection: Collection, settings: ReturnType<typeof settingsOf>) => ({
  collection,
  settings,
  /** The visible fields by their paths and aliases. */
  columns: fieldNamesOf(collection).schema.paths,
  issues: [] as Issue[],
  budget: newBudget(),
  issueCount: 0,
  /** The number of named columns, known or not. */
  named: 0,
  conditions: 0,
  operands: 0,
  searches: 0,
  limit: collection.limit.max,
  offset: undefined as number | undefined,
  sort: undefined as readonly SortKey[] | undefined,
  words: undefined as readonly string[] | undefined,
})
export type StateProgress = ReturnType<typeof newProgress>

/** The field of a condition, and the path of its member in the state. */
export interface Column {
  readonly reading: StateProgress
  readonly at: string
  readonly field: ResolvedField
}

const limits = defaultLimits
/** The most operands of a state, as many as a text of `limits.length` can contain: a `contains` on an enumeration becomes many. */
const mostOperands = 8_192
/** The most characters of a state, as JSON counts them, about: a set filter of 500 uuids has 20,000. */
const mostCharacters = 65_536
/** The most levels of objects and lists: eight groups of the deepest model, and their operands, need 20. */
const mostLevels = 32

/** Returns the limit that a state exceeds; `undefined` for none. Walks no further than the limit, and skips `unread` members of the state. */
function excessOf(state: unknown, unread: readonly string[]): 'limit_length' | 'limit_depth' | undefined {
  let left = mostCharacters
  let isDeep = false
  const exceeds = (value: unknown, level: number): boolean => {
    left -= typeof value === 'string' ? value.length : 1
    if (left < 0 || typeof value !== 'object' || value === null) return left < 0
    isDeep = level > mostLevels
    // The length counts the holes of a list, too.
    if (isDeep || (Array.isArray(value) && value.length > left)) return true
    return Object.entries(value).some(([name, one]) => {
      left -= name.length
      return !(level === 0 && unread.includes(name)) && exceeds(one, level + 1)
    })
  }
  return exceeds(state, 0) ? (isDeep ? 'limit_depth' : 'limit_length') : undefined
}

/** Returns the path of a member inside another member. */
export const inside = (at: string, name: string | number): string =>
  typeof name === 'number'
    ? `${at}[${name}]`
    : !/^\w+$/.test(name)
      ? `${at}[${JSON.stringify(shownName(name))}]`
      : at && `${at}.${name}`

/** Adds an issue, up to the limit of issues. */
export function refuse<C extends IssueCode>(
  reading: StateProgress,
  member: string,
  code: C,
  parameters: Facts<C>['parameters'],
  field?: ResolvedField,
): undefined {
  const last = reading.issues.at(-1)
  // Several conditions can read one value: its issue appears once.
  if (last?.member === member && last.code === code) return undefined
  if (reading.issueCount++ < limits.issues)
    reading.issues.push(issueAt({ member }, code, { parameters, path: field?.name }, hintOf))
}

/** Refuses a value in the wrong form; `description` describes the right form. */
export const expect = (reading: StateProgress, at: string, description: string, field?: ResolvedField): undefined =>
  refuse(
    reading,
    at,
    'operand_invalid',
    { subject: field?.name ?? at, expected: { kind: 'type', type: field?.type ?? 'object', description }, advice: [] },
    field,
  )
/** Refuses the value of a column in the wrong form. */
export const refuseValue = ({ reading, at, field }: Column, description: string): undefined =>
  expect(reading, at, description, field)

function refuseName(reading: StateProgress, at: string, name: string, allowed: Iterable<string>): undefined {
  const near = nearest(name, allowed, reading.budget)
  const advice: Advice[] = near === undefined ? [] : [{ kind: 'did_you_mean', name: near }]
  return refuse(reading, at, 'field_unknown', { problem: 'name', name: shownName(name), advice })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && holdsMembers(value)

/** Returns the own members of an object. Refuses members outside `known`. */
export function objectAt(
  reading: StateProgress,
  value: unknown,
  at: string,
  allowed?: readonly string[],
): Readonly<Record<string, any>> {
  if (!isObject(value)) expect(reading, at || 'state', 'an object')
  const members = ownOf((isObject(value) ? value : {}) as Record<string, unknown>)
  for (const name of allowed === undefined ? [] : Object.keys(members)) {
    if (members[name] !== undefined && !allowed!.includes(name))
      refuseName(reading, at ? inside(at, name) : shownName(name), name, allowed!)
  }
  return members
}

/**
 * Returns the items of a list.
 *
 * @param least the minimum number of items. An absent member counts as an empty list.
 */
export function listAt(
  reading: StateProgress,
  value: unknown,
  at: string,
  least: 0 | 1 = 0,
  limit: number = limits.pairs,
): readonly unknown[] {
  if (value === undefined && least === 0) return []
  if (!Array.isArray(value) || value.length < least)
    expect(reading, at, least > 0 ? 'a list that is not empty' : 'a list')
  else if (value.length > limit) refuse(reading, at, 'limit_list', { of: 'condition', found: value.length, limit })
  // `Array.from` also visits the holes of a list, which `map` skips.
  else return Array.from(value as readonly unknown[])
  return []
}
/** Returns the operands of a condition. */
export const operandsAt = ({ reading, at }: Column, value: unknown): readonly unknown[] =>
  listAt(reading, value, at, 1, limits.list)

/** Finds the field of a column. Refuses an unknown name. */
export function columnAt(reading: StateProgress, name: unknown, at: string): ResolvedField | undefined {
  const { columns, collection } = reading
  // Every further column is ignored: the state is refused.
  if (++reading.named > limits.pairs)
    return reading.named === limits.pairs + 1 ? refuse(reading, at, 'limit_pairs', { limit: limits.pairs }) : undefined
  if (typeof name !== 'string') return expect(reading, at, 'a text')
  return columns.get(name) ?? refuseName(reading, at, name, offeredPaths(collection))
}

/** Returns a name in the state; an empty text for a value of another type. */
export const nameOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Refuses an unknown operator, and an operator that does not apply to the field. */
export const refuseOperator = (
  { reading, at, field }: Column,
  name: unknown,
  isKnown: boolean,
  operators: readonly string[],
): undefined => {
  if (typeof name !== 'string') return expect(reading, at, 'a text', field)
  const inside = { names: [], isCut: false }
  const advice: Advice[] = [{ kind: 'operators', field: field.name, operators, inside }]
  return isKnown
    ? refuse(reading, at, 'operator_not_applicable', { field: field.name, operator: name, advice }, field)
    : refuse(reading, at, 'operator_unknown', { name: shownName(name), advice }, field)
}

/** Whether the field is a list of scalars. */
export const isList = ({ lists, path, literal }: ResolvedField): boolean =>
  lists.length === 1 && path.length === 0 && isLiteralType(literal)

/** Whether the field has a numeric type. */
export const isNumeric = ({ type }: ResolvedField): boolean => isOf('number', type)

/** The type of a column: a datetime field of `days` is a column of dates. */
export const typeOf = ({ reading: { settings }, field }: Column): string =>
  settings.days.includes(field.name) ? 'date' : field.type

/** Parses a decimal text for `integer` and `number`. Returns other values unchanged: `bigint` and `decimal` accept texts. */
export const numberOf = ({ type }: ResolvedField, value: unknown): unknown =>
  (type === 'integer' || type === 'number') && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)
    ? Number(value)
    : value

/** Whether groups nest deeper than a query string allows. Adds an issue if so. */
export function isTooDeep(reading: StateProgress, at: string, depth: number): boolean {
  if (depth <= deepestGroup) return false
  refuse(reading, at, 'limit_depth', { of: 'groups', limit: deepestGroup })
  return true
}

/** The tests of a text by operator. */
const tests: { readonly [N in OperatorName]?: (value: string, text: string) => boolean } = {
  contains: (value, text) => value.includes(text),
  doesNotContain: (value, text) => value.includes(text),
  startsWith: (value, text) => value.startsWith(text),
  endsWith: (value, text) => value.endsWith(text),
  equalsIgnoreCase: (value, text) => value === text,
}

/** Makes a condition with an operator of this library. */
export function say(column: Column, name: OperatorName, ...values: readonly unknown[]): Part {
  const { reading, at, field } = column
  const { collection } = reading
  const texts = valuesOf(field)
  const plain = name.replace('Exact', '') as OperatorName
  const test = tests[plain]
  for (const value of values) {
    const length = typeof value === 'string' ? value.length : 0
    if (length > limits.operand) return refuse(reading, at, 'limit_operand', { found: length, limit: limits.operand })
  }
  const [value] = values
  if (texts !== undefined && test !== undefined && typeof value === 'string') {
    // An enumeration has no operators on a part of the text: its matching values become an `in`.
    const form = (text: string) => (plain === name ? text.toLowerCase() : text)
    const part = form(value)
    const matching = texts.filter((text) => test(form(text), part))
    if (matching.length === 0) return expect(reading, at, readerOf('value', field).expected, field)
    return say(column, name === 'doesNotContain' ? 'nin' : 'in', ...matching)
  }
  const { list: limit } = limits
  if (values.length > limit) return refuse(reading, at, 'limit_list', { of: 'condition', found: values.length, limit })
  const before = reading.operands
  reading.operands += values.length
  if (reading.operands > mostOperands)
    return before > mostOperands
      ? undefined
      : refuse(reading, at, 'limit_list', { of: 'condition', found: reading.operands, limit: mostOperands })
  const operator = operatorNamed.get(name)!
  if (!allows(field, operator, collection))
    return refuse(reading, at, 'operator_not_applicable', { field: field.name, operator: name, advice: [] }, field)
  const reader = readerOf(operator.operandKind, field)
  const operands: Operand[] = []
  for (const value of values) {
    const { zone } = reading.settings
    const isZoned = zone !== undefined && field.type === 'datetime' && typeof value === 'string' && isDay(value)
    const operand = isZoned ? clockAt(zone, 0).dayOf(value) : reader.fromValue(value)
    if (operand === undefined) return expect(reading, at, reader.expected, field)
    operands.push(operand)
  }
  if (++reading.conditions === limits.pairs + 1) refuse(reading, at, 'limit_pairs', { limit: limits.pairs })
  addSearches(reading, at, searchesOf(operator, field, values.length, { isInGroup: true, isInEntry: false }))
  return newCondition(field, operator, operands)
}

function addSearches(reading: StateProgress, at: string, count: number): void {
  const before = reading.searches
  reading.searches += count
  const { searches: limit } = limits
  if (before <= limit && reading.searches > limit)
    refuse(reading, at, 'limit_searches', { found: reading.searches, limit, advice: [] })
}

// A part is absent only from a refused state, of which no query is made.
const join = (kind: GroupWord, members: readonly Part[]): BoundMember =>
  newGroup(kind, kind === 'or' ? (members as readonly BoundMember[]) : apart(members))

/** An `and` reads all its conditions on a list of one entry. A grid means any entry for each, so each after the first becomes a group. */
function apart(parts: readonly Part[]): readonly BoundMember[] {
  const lists = new Set<string>()
  return parts.flatMap((part) => {
    if (part === undefined) return []
    const list = textOfPath(sharedList(part) ?? [])
    if (list === '' || !lists.has(list)) {
      lists.add(list)
      return [part]
    }
    return [newGroup('and', [part])]
  })
}

/** Joins conditions by `and`. */
export const all = (members: readonly Part[]): Part => (members.length === 1 ? members[0] : join('and', members))

/** Makes a group. Refuses the group where the collection has no groups. */
export function group(reading: StateProgress, at: string, word: 'or' | 'not', members: readonly Part[]): Part {
  if (word === 'or' && members.length === 1) return members[0]
  if (!reading.collection.parameters.has(word))
    refuse(reading, at, 'operator_unknown', { name: word, advice: [{ kind: 'no_groups' }] })
  return join(word, members)
}

/** Extends a condition to the rows without a value. */
export const orAbsent = (column: Column, part: Part): Part =>
  ownOf(column.field).required ? part : group(column.reading, column.at, 'or', [part, say(column, 'exists', false)])

/** Adds `exists=true`: the components drop rows without a value in most negations. */
export const present = (column: Column, filter: Part): Part => all([say(column, 'exists', true), filter])

/** Makes a condition about blank texts, and about the presence of other values. */
export function blank(column: Column, isBlank: boolean): Part {
  if (column.field.type !== 'string' || column.reading.settings.blank === 'absent')
    return say(column, 'exists', !isBlank)
  return isBlank ? orAbsent(column, say(column, 'equals', '')) : present(column, say(column, 'notEqual', ''))
}

/** A moment without a zone. */
const wallTime = /^(\d{4}-\d\d-\d\d)[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)$/

/**
 * Returns the time of a `Date`, of a text with a zone, or of one in the zone of the options, in milliseconds. A day counts as its first
 * moment in UTC.
 */
export function momentOf({ reading, at, field }: Column, value: unknown): number {
  const { expected, fromText, fromValue } = readers.datetime
  const { zone } = reading.settings
  const text = nameOf(value)
  const [, day = '', wall] = wallTime.exec(text) ?? []
  const isMoment = value instanceof Date || fromText(text) !== undefined
  const inZone = zone !== undefined && isDay(day) ? momentAt(zone, Date.parse(`${day}T${wall}Z`)) : NaN
  const time = isMoment ? new Date(value as string).getTime() : inZone
  // The language limits years to 0001–9999.
  if (fromValue(new Date(time)) === undefined) expect(reading, at, `a Date, or ${expected}`, field)
  return time
}

/** The comparisons with a moment. */
export type Comparison = 'equals' | 'notEqual' | 'gt' | 'gte' | 'lt' | 'lte'
/**
 * Makes a comparison with a moment. The components compare values of `Date`, which lack the microseconds of rows, so a moment is a range.
 *
 * @param length of the range, in milliseconds.
 */
export function compareMoments(column: Column, name: Comparison, time: number, length = 1): Part {
  const [from, until] = [new Date(time), new Date(time + length)]
  if (name === 'notEqual')
    return present(column, group(column.reading, column.at, 'not', [compareMoments(column, 'equals', time, length)]))
  if (name === 'equals') return all([say(column, 'gte', from), say(column, 'lt', until)])
  return say(column, name === 'lt' || name === 'lte' ? 'lt' : 'gte', name === 'gt' || name === 'lte' ? until : from)
}

/** Returns the day of a moment in UTC; an empty text for a refused moment, `NaN`. */
export const dayOf = (time: number): string => (Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10))

/** Whether a direction is `desc`. Refuses every other text but `asc`. */
export function isDescendingAt(reading: StateProgress, direction: unknown, at: string): boolean {
  if (direction !== 'asc' && direction !== 'desc') expect(reading, at, 'asc or desc')
  return direction === 'desc'
}

/** Reads an order. `read` returns the column and the direction of an item; `undefined` for an item without effect. */
export function readSort(
  reading: StateProgress,
  member: string,
  list: unknown,
  read: (at: string, item: unknown) => readonly [at: string, name: unknown, isDescending: boolean] | undefined,
): void {
  const { collection, columns } = reading
  const items = listAt(reading, list, member).flatMap((item, index) => {
    const key = read(inside(member, index), item)
    return key === undefined ? [] : [key]
  })
  if (items.length > mostSortKeys)
    return refuse(reading, items[mostSortKeys]![0], 'limit_list', {
      of: 'parameter',
      found: items.length,
      limit: mostSortKeys,
    })
  const names = new Set<string>()
  const keys = items.flatMap(([at, written, isDescending]): SortKey[] => {
    const name = columns.get(written as string)?.name
    const field = collection.sortable.get(name!)
    if (field === undefined) {
      if (typeof written !== 'string') expect(reading, at, 'a text')
      else if (name === undefined) refuseName(reading, at, written, collection.sortable.keys())
      else refuse(reading, at, 'field_not_sortable', { field: name, advice: [] })
      return []
    }
    if (names.has(field.name))
      refuse(reading, at, 'duplicate_condition', { name: field.name, of: 'path', where: 'order', advice: [] })
    names.add(field.name)
    return [sortKeyOf(collection, { field, direction: isDescending ? 'descending' : 'ascending' })]
  })
  if (keys.length > 0) reading.sort = keys
}

/** Reads a whole number in a range. */
export function wholeAt(reading: StateProgress, value: unknown, at: string, from: number, to: number): number {
  if (Number.isInteger(value) && (value as number) >= from && (value as number) <= to) return value as number
  refuse(reading, at, 'parameter_invalid', { parameter: at, expected: { kind: 'whole_number', from, to }, advice: [] })
  return from
}

/** Reads the number of rows or pages before a page. */
export function readOffset(
  reading: StateProgress,
  [at, value]: readonly [at: string, value: unknown],
  size: number,
): void {
  const { maxOffset = 0 } = reading.collection
  const offset = wholeAt(reading, value, at, 0, Math.floor(maxOffset / size)) * size
  // A collection without `offset` accepts only the first page.
  if (offset > 0) reading.offset = offset
}

/** Reads a page: its number, from 0, and its size. */
export function readPage(reading: StateProgress, at: string, page: unknown, number: string): void {
  if (page === undefined) return
  const members = objectAt(reading, page, at, [number, 'pageSize'])
  reading.limit = wholeAt(reading, members.pageSize, inside(at, 'pageSize'), 1, reading.collection.limit.max)
  readOffset(reading, [inside(at, number), members[number]], reading.limit)
}

export function readWords(reading: StateProgress, at: string, words: readonly unknown[]): void {
  const { parameters } = reading.collection
  if (words.length === 0) return
  if (!parameters.has('search')) return refuseName(reading, at, at, [])
  if (words.length > mostWords)
    return refuse(reading, at, 'limit_list', { of: 'parameter', found: words.length, limit: mostWords })
  const { expected, fromValue } = readers.string
  if (words.some((word) => word === '' || fromValue(word) === undefined)) return expect(reading, at, expected)
  reading.words = words as readonly string[]
}

/** How to read a state. */
interface ReadOptions {
  /** The members of the state that `read` ignores. */
  readonly unread?: readonly string[]
  /** The options of the caller, and the names of those beside {@link GridOptions}. */
  readonly options?: object
  readonly more?: readonly string[]
}

/** Reads a state. `read` returns its conditions; the query joins them by `and`. */
export function readState<C extends Collection>(
  collection: C,
  state: unknown,
  read: (reading: StateProgress) => readonly Part[],
  { unread = [], options = {}, more = [] }: ReadOptions = {},
): GridResult<QueryOf<C>> {
  checkCollection(collection)
  const reading = newProgress(collection, settingsOf(collection, options, more))
  const excess = excessOf(state, unread)
  if (excess === 'limit_depth') refuse(reading, 'state', excess, { of: 'groups', limit: deepestGroup })
  else if (excess !== undefined)
    refuse(reading, 'state', excess, { found: mostCharacters + 1, isExact: false, limit: mostCharacters })
  const parts = excess === undefined ? read(reading) : []
  const { issues, issueCount, limit, offset, words } = reading
  const most = limits.issues
  if (issueCount > most)
    issues[most - 1] = issueAt({ member: issues[most - 1]!.member! }, 'limit_issues', {
      parameters: { found: issueCount, limit: most },
    })
  if (issueCount > 0) return { ok: false, issues: Object.freeze(issues) as readonly Issue[] as Issues }
  const members = apart(
    parts.flatMap((part): readonly Part[] => (part?.kind === 'and' && part.members.length > 1 ? part.members : [part])),
  )
  const sort = reading.sort ?? collection.defaultSort.map((asked) => sortKeyOf(collection, asked))
  const asked = [...withDefaults(collection, members, utcClock), ...searchMembers(collection, plainWords(words ?? []))]
  const query: { -readonly [P in keyof Query]: Query[P] } = {
    filter: combineParsed(asked, false),
    asked,
    sort: totalOrder(collection, sort),
    limit,
    count: collection.count,
  }
  if (offset !== undefined) query.offset = offset
  if (words !== undefined) query.search = Object.freeze([...words])
  if (collection.hidden.length > 0) query.hidden = collection.hidden
  return { ok: true, query: trustQuery(Object.freeze(query)) as QueryOf<C> }
}
