/** Parameters → the parts of a query: order, limit, position, offset, fields, count, search, facets. */
import { newSpan, type Filter, type Path } from '../tree/index.ts'
import {
  namesOf as someOf,
  shownName,
  type Advice,
  type ExpectedParameter,
  type Facts,
  type Finding,
  type IssueCode,
  type Span,
  type WriteReason,
} from '../issue/index.ts'
import {
  mostWords,
  parameterForms,
  parameterRows,
  readOrder,
  zoneNamed,
  zoneNames,
  type Collection,
  type ParameterOf,
  type PlainName,
  type ValueName,
  type ResolvedField,
  type Limits,
  canonicalPath,
  noteUse,
  type Uses,
} from '../language/index.ts'
import { keyOf, mayHoldSecret, startOfPair, type Item, type Parameter, type Source } from '../asked/index.ts'
import {
  positionOfCursor,
  mostSortKeys,
  sortKeyOf,
  totalOrder,
  partsOfPlace,
  type Place,
  type Query,
  type QueryClock,
  type SortKey,
  type BoundMember,
  facetOf,
  filterBeside,
  type Word,
} from '../query/index.ts'
import {
  flagOf,
  hasDirection,
  isDescending,
  isSize,
  orderIn,
  pathsIn,
  sortExample,
  exampleText,
  parameterText,
  sortText,
  suggestionFor,
  writeAdvice,
} from '../hints/index.ts'
import { quoteProblems } from './findings.ts'
import { own } from '../own.ts'
import { nearest, type Budget } from '../suggest.ts'

type ListName = ParameterOf<'paths'>

interface Context {
  readonly collection: Collection
  /** The conditions and groups of the filter. */
  readonly members: readonly BoundMember[]
  readonly source: Source
  readonly limits: Limits
  /** Names that no message quotes. */
  readonly reserved: readonly string[]
  readonly budget: Budget
  readonly findings: Finding[]
  readonly uses: Uses | undefined
}

/**
 * Reads the parameters beside a filter. Every fault is a finding; a query that has one is not whole.
 *
 * @param search the words that the filter ends with.
 */
export function readParameters(
  filter: Filter,
  parameters: readonly Parameter[],
  search: readonly Word[] | undefined,
  clock: QueryClock | undefined,
  context: Context,
): Query {
  const { collection } = context
  // With all properties: one that a program adds to Object.prototype is no parameter.
  const given: { [P in ValueName]: Parameter<P> | undefined } = {
    sort: undefined,
    limit: undefined,
    cursor: undefined,
    offset: undefined,
    fields: undefined,
    count: undefined,
    search: undefined,
    facets: undefined,
    timeZone: undefined,
  }
  for (const one of parameters) {
    if (given[one.parameter] === undefined) given[one.parameter] = one as never
    else findDuplicate(context, one)
  }
  const asked = readSort(context, given.sort)
  const sort = asked && totalOrder(collection, asked)
  const plain: { readonly [P in PlainName]: Query[P] } = {
    limit: readWhole(context, given.limit, 1, parameterRows.limit.most(collection)) ?? collection.limit.default,
    offset: readWhole(context, given.offset, 0, parameterRows.offset.most(collection)),
    count: readFlag(context, given.count) === true && collection.count,
  }
  const zone = readZone(context, given.timeZone)
  const place = sort && readCursor(context, given.cursor, sort, zone)
  const fields = readOffered(context, given.fields)
  const counted = readOffered(context, given.facets)
  findBoth(context, given.offset, given.cursor)
  // Assignments: a spread of absent parts is slower.
  const { limit, offset, count } = plain
  const query: { -readonly [P in keyof Query]: Query[P] } = { filter, sort: sort ?? [], limit, count }
  if (place !== undefined) Object.assign(query, partsOfPlace(withoutClock(place)))
  else if (offset !== undefined) query.offset = offset
  if (fields !== undefined) query.fields = Object.freeze(fields)
  if (search !== undefined) query.search = Object.freeze(search.map(({ text }) => text))
  if (counted !== undefined) {
    const { members } = context
    query.facets = Object.freeze(
      counted.map((field) => facetOf(collection, field, filterBeside(field, members, filter))),
    )
  }
  if (collection.hidden.length > 0) query.hidden = collection.hidden
  if (clock !== undefined) query.clock = clock
  return Object.freeze(query)
}

/** The clock of a walk is that of the query, as far as its filter depends on one. */
const withoutClock = ({ clock: _, ...rest }: Place): Place => Object.freeze(rest)

const nameOf = ({ collection }: Context, { parameter }: Parameter): string => collection.parameters.get(parameter)!

function find<C extends IssueCode>(
  { findings }: Context,
  code: C,
  { start, end }: Span,
  parameters: Facts<C>['parameters'],
  suggestion?: Facts<C>['suggestion'],
): void {
  findings.push({ code, span: { start, end }, facts: () => ({ parameters, suggestion }) } as unknown as Finding)
}

/** Advice to write a parameter in place of one that the text has. */
const write = (
  { collection }: Context,
  { parameter, at: { start, end }, value }: Parameter,
  items: readonly string[],
  reason: WriteReason = 'spelling',
  isWhole = true,
): readonly Advice[] => {
  const place = { start, end, value }
  return [writeAdvice(reason, parameterText(collection, parameter, items), place, isWhole ? 'known' : [])]
}

function findDuplicate(context: Context, parameter: Parameter): void {
  const name = nameOf(context, parameter)
  // openapi-fetch repeats a list's name for each of its items, unless an option joins them.
  const isList = parameterForms[parameter.parameter] === 'paths'
  const advice: readonly Advice[] = isList ? [{ kind: 'join_paths', parameter: name }] : []
  find(context, 'parameter_duplicate', keyOf(parameter.at), { parameter: name, advice })
}

function findInvalid(
  context: Context,
  parameter: Parameter,
  expected: ExpectedParameter,
  advice: readonly Advice[] = [],
): void {
  const { value } = parameter
  const all: readonly Advice[] = value.text === '' ? [{ kind: 'no_value' }] : advice
  const suggestion = suggestionFor(context.source, value, all)
  find(
    context,
    'parameter_invalid',
    value,
    { parameter: nameOf(context, parameter), expected, advice: all },
    suggestion,
  )
}

/** A page starts at a cursor or after so many rows, not at both. */
function findBoth(context: Context, offset: Parameter | undefined, cursor: Parameter | undefined): void {
  if (offset === undefined || cursor === undefined) return
  const later = offset.at.start > cursor.at.start ? offset : cursor
  findInvalid(context, later, { kind: 'one_of', parameters: [cursor, offset].map((one) => nameOf(context, one)) })
}

function readWhole(
  context: Context,
  parameter: Parameter | undefined,
  least: number,
  most: number,
): number | undefined {
  if (parameter === undefined) return undefined
  const { text } = parameter.value
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  // All rows are on no page.
  const isAll =
    parameter.parameter === 'limit' && (Number(text) > most || /^(?:-1|all|none|max|unlimited|infinity)$/i.test(text))
  const advice = isAll ? write(context, parameter, [String(most)], 'largest_page') : []
  findInvalid(context, parameter, { kind: 'whole_number', from: least, to: most }, advice)
  return undefined
}

function readFlag(context: Context, parameter: Parameter | undefined): boolean | undefined {
  if (parameter === undefined) return undefined
  const { text } = parameter.value
  if (text === 'true' || text === 'false') return text === 'true'
  const flag = flagOf(text)
  const { collection } = context
  // Other APIs call the size of a page `_count`.
  const advice = isSize(text)
    ? [writeAdvice('page_size', exampleText(collection, 'limit'), undefined, [])]
    : flag === undefined
      ? []
      : write(context, parameter, [String(flag)])
  findInvalid(context, parameter, { kind: 'boolean' }, advice)
  return undefined
}

// --- Lists of paths

/** The path that an item of a list names, by itself or by an alias. */
function pathOf({ collection, uses }: Context, written: string, item: Item): string {
  if (uses !== undefined) noteUse(uses, written, item)
  return canonicalPath(collection, written)
}

/** Reads the items of a list of paths. What is wrong with an item is a finding, and the item is left out. */
function readItems<T>(
  context: Context,
  parameter: Parameter,
  limit: number,
  read: (name: string, item: Item) => T | undefined,
): readonly T[] {
  const items = parameter.value.items!
  const values: T[] = []
  if (items.length > limit) {
    // As in the lists of conditions, the items are not read.
    const span = { start: items[limit]!.start, end: parameter.value.end }
    const found = items.length
    if (parameter.parameter === 'facets') find(context, 'limit_facets', span, { found, limit })
    else find(context, 'limit_list', span, { of: 'parameter', found, limit })
    return values
  }
  for (const item of items) {
    if (item.start === item.end) {
      const name = nameOf(context, parameter)
      find(context, 'operand_empty', item, {
        ...{ of: 'parameter', isWhole: items.length === 1 },
        ...{ allowsEmptyText: false, parameter: name },
      })
      continue
    }
    const value = read(item.text, item)
    if (value !== undefined) values.push(value)
  }
  return values
}

/** The words for each list of paths in issues. */
const listIssues = {
  sort: { notOffered: 'field_not_sortable', where: 'order' },
  fields: { notOffered: 'field_not_selectable', where: 'fields' },
  facets: { notOffered: 'field_not_counted', where: 'facets' },
} as const satisfies { readonly [P in ListName]: object }

/**
 * Refuses an unknown path, and a path that the collection does not offer.
 *
 * @param names what is offered, as a text has it.
 * @param meant the advice to write another text in place of the whole parameter, where that is clear.
 */
function findPath(
  context: Context,
  list: ListName,
  { start, end }: Span,
  name: string,
  names: readonly string[],
  meant: () => readonly Advice[] | undefined,
): void {
  const { collection, source, reserved, budget, findings } = context
  const { from } = parameterRows[list]
  const span = { start, end }
  const offered = (): Advice => ({ kind: 'choose', from, choices: someOf(names) })
  if (collection.visible.paths.has(name))
    return find(context, listIssues[list].notOffered, span, { field: name, advice: [offered()] })
  const facts = (): Facts<'field_unknown'> => {
    const isSecret = mayHoldSecret(source, { start: startOfPair(source, start), end }, reserved)
    const isEvery = from === 'selectable' && /^(?:\*|all)$/i.test(name)
    const written: readonly Advice[] | undefined = isEvery ? [{ kind: 'every_field' }] : meant()
    const near = written === undefined ? nearest(name, names, budget) : undefined
    // The sign of descending order stays.
    const isSigned = source.text[start] === '-' && near?.startsWith('-') === false
    const meantBy = (name: string): readonly Advice[] => [{ kind: 'did_you_mean', name }]
    const advice = written ?? (near === undefined ? [offered()] : meantBy(isSigned ? `-${near}` : near))
    const suggestion = isSigned
      ? suggestionFor(source, { start: start + 1, end }, meantBy(near!))
      : suggestionFor(source, span, advice)
    return { parameters: { problem: 'name', name: isSecret ? null : shownName(name), advice }, suggestion }
  }
  findings.push({ code: 'field_unknown', span, facts })
}

// --- search

/** The words of a search; `undefined` when it has a fault. */
export function readSearch(
  context: Context,
  parameter: Parameter,
): readonly (Word & { readonly span: Span })[] | undefined {
  const { limits, findings } = context
  const before = findings.length
  const { value } = parameter
  const items = value.items!
  const most = Math.min(mostWords, limits.list)
  if (items.length > most) {
    const span = { start: items[most]!.start, end: value.end }
    find(context, 'limit_list', span, { of: 'parameter', found: items.length, limit: most })
    return undefined
  }
  const words = items.map((item) => {
    const { text } = item
    if (item.quoteFault !== undefined) find(context, 'operand_quote', item, { problem: quoteProblems[item.quoteFault] })
    else if (text === '') findNoWord(context, parameter, item)
    else if (text.length > limits.operand)
      find(context, 'limit_operand', item, { found: text.length, limit: limits.operand })
    return { text, span: newSpan(item.start, item.end) }
  })
  if (words.length === 0) findNoWord(context, parameter, value)
  return findings.length > before ? undefined : words
}

const findNoWord = (context: Context, parameter: Parameter, span: Span): void =>
  find(context, 'operand_empty', span, {
    of: 'search',
    isWhole: span.start === span.end || span === parameter.value,
    allowsEmptyText: false,
    parameter: nameOf(context, parameter),
  })

// --- sort

/** The order of the query; `undefined` when it has a fault. */
function readSort(context: Context, parameter: Parameter | undefined): readonly SortKey[] | undefined {
  const { collection, findings } = context
  if (parameter === undefined) return collection.defaultSort.map((asked) => sortKeyOf(collection, asked))
  const before = findings.length
  const seen: string[] = []
  const most = Math.min(mostSortKeys, context.limits.list)
  const sortable = () => Array.from(collection.sortable.keys(), (path) => sortText(path))
  const meant = () => {
    const value = parameter.value.text
    if (!hasDirection(value)) return undefined
    const names = orderIn(collection.sortable, value)
    return names.length > 0 ? write(context, parameter, names) : sortExample(collection, isDescending(value), undefined)
  }
  const keys = readItems(context, parameter, most, (text, item) => {
    const { name: written, direction } = readOrder(collection, text)
    const name = pathOf(context, written, item)
    const field = collection.sortable.get(name)
    if (field === undefined) {
      const names = text.startsWith(' ') ? orderIn(collection.sortable, parameter.value.text) : []
      if (names.length > 0) {
        const advice = write(context, parameter, names, 'no_sign')
        const suggestion = suggestionFor(context.source, item, advice)
        find(context, 'field_unknown', item, { problem: 'sign', name: null, advice }, suggestion)
      } else findPath(context, 'sort', item, name, sortable(), meant)
      return undefined
    }
    if (seen.includes(name)) {
      find(context, 'duplicate_condition', item, { name, of: 'path', where: 'order', advice: [] })
      return undefined
    }
    seen.push(name)
    return sortKeyOf(collection, { field, direction }, item)
  })
  return findings.length > before ? undefined : keys
}

// --- cursor

/** @param zone that of the parameter, which a cursor of another zone contradicts. */
function readCursor(
  context: Context,
  parameter: Parameter | undefined,
  sort: readonly SortKey[],
  zone: string | undefined,
): Place | undefined {
  if (parameter === undefined) return undefined
  const place = positionOfCursor(parameter.value.text, sort)
  const ofFirst = place && own(place, 'clock')?.timeZone
  const isSame = zone === undefined || zone.toLowerCase() === ofFirst?.toLowerCase()
  const isOfClock = ofFirst === undefined || (isSame && zoneNamed(ofFirst) !== undefined)
  if (place !== undefined && isOfClock) return place
  findInvalid(context, parameter, { kind: 'cursor' }, [{ kind: 'drop_cursor' }])
  return undefined
}

// --- timeZone

function readZone(context: Context, parameter: Parameter | undefined): string | undefined {
  if (parameter === undefined) return undefined
  const { text } = parameter.value
  if (zoneNamed(text) !== undefined) return text
  const isPlus = zoneNamed(text.replace(' ', '+')) !== undefined
  const near = isPlus ? undefined : nearest(text, zoneNames(), context.budget)
  const meant: readonly Advice[] = near === undefined ? [] : [{ kind: 'did_you_mean', name: near }]
  findInvalid(context, parameter, { kind: 'time_zone' }, isPlus ? [{ kind: 'escape_plus' }] : meant)
  return undefined
}

// --- fields and facets

/** Reads a list of paths that the collection offers. It refuses a path that occurs twice. */
function readOffered<P extends 'fields' | 'facets'>(
  context: Context,
  parameter: Parameter<P> | undefined,
): readonly Offered<P>[] | undefined {
  if (parameter === undefined) return undefined
  const { collection, limits } = context
  const list: P = parameter.parameter
  const offered = collection[parameterRows[list].from] as ReadonlyMap<string, Offered<P>>
  const seen = new Set<string>()
  return readItems(context, parameter, list === 'facets' ? limits.facets : limits.list, (written, item) => {
    const name = pathOf(context, written, item)
    const one = offered.get(name)
    if (one === undefined) {
      findPath(context, list, item, name, Array.from(offered.keys()), () => {
        if (!/[\s;|"'[\](){}]/.test(name)) return undefined
        const named = pathsIn(offered, parameter.value.text)
        return named.names.length > 0 ? write(context, parameter, named.names, 'spelling', named.isWhole) : undefined
      })
    } else if (seen.has(name))
      find(context, 'duplicate_condition', item, { name, of: 'path', where: listIssues[list].where, advice: [] })
    else {
      seen.add(name)
      return one
    }
    return undefined
  })
}
/** An item of each list: a path, or a field. */
type Offered<P extends 'fields' | 'facets'> = P extends 'fields' ? Path : ResolvedField
