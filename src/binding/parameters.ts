/** Parameters → the parts of a query: order, limit, position, offset, fields, count, search, facets. */
import type { Filter, Path } from '../tree/index.ts'
import { shownName, type ExpectedParameter, type Finding, type Span } from '../issue/index.ts'
import {
  isOfForm,
  parameterForms,
  parameterRows,
  mostItems,
  pathsFrom,
  plainNames,
  readOrder,
  zoneNamed,
  type Collection,
  type ParameterOf,
  type PlainName,
  type ValueName,
  type FacetField,
  type Limits,
  canonicalPath,
  noteUse,
  type Uses,
} from '../language/index.ts'
import { keyOf, mayHoldSecret, spanIn, startOfPair, type Item, type Parameter, type Source } from '../asked/index.ts'
import {
  positionOfCursor,
  sortKeyOf,
  totalOrder,
  partsOfPageStart,
  type PageStart,
  type Query,
  type QueryClock,
  type SortKey,
  type BoundMember,
  facetOf,
  filterBeside,
  type Word,
} from '../query/index.ts'
import type { Doubt } from './doubt.ts'
import { find } from './findings.ts'
import { own } from '../own.ts'

type ListName = ParameterOf<'paths'>

interface Context {
  readonly collection: Collection
  /** The conditions and groups of the filter. */
  readonly members: readonly BoundMember[]
  readonly source: Source
  readonly limits: Limits
  /** Names that no message quotes. */
  readonly reserved: readonly string[]
  readonly findings: Finding[]
  readonly uses: Uses | undefined
}

/** Reads the parameters beside a filter, which ends with the words of the search. A query with a finding is not whole. */
export function readParameters(
  filter: Filter,
  parameters: readonly Parameter[],
  search: readonly Word[] | undefined,
  clock: QueryClock | undefined,
  context: Context,
): Query {
  const { collection } = context
  const cursor = parameterIn(parameters, 'cursor')
  const keys = readSort(context, parameterIn(parameters, 'sort'))
  const sort = keys && totalOrder(collection, keys)
  const zone = readZone(context, parameterIn(parameters, 'timeZone'))
  const place = sort && readCursor(context, cursor, sort, zone)
  const fields = readOffered(context, parameterIn(parameters, 'fields'))
  const counted = readOffered(context, parameterIn(parameters, 'facets'))
  findBoth(context, parameterIn(parameters, 'offset'), cursor)
  // Assignments: a spread of absent parts is slower.
  const { default: limit } = collection.limit
  const { members: asked } = context
  const query: { -readonly [P in keyof Query]: Query[P] } = { filter, asked, sort: sort ?? [], limit, count: false }
  for (const one of parameters) {
    if (parameterIn(parameters, one.parameter) !== one) findDuplicate(context, one)
    else if (isPlain(one)) {
      const value = readPlain(context, one)
      if (value !== undefined) (query as Record<PlainName, unknown>)[one.parameter] = value
    }
  }
  if (query.count) query.count = collection.count
  if (place !== undefined) Object.assign(query, partsOfPageStart(withoutClock(place)))
  if (fields !== undefined) query.fields = Object.freeze(fields)
  if (search !== undefined) query.search = Object.freeze(search.map(({ text }) => text))
  if (counted !== undefined)
    query.facets = Object.freeze(counted.map((field) => facetOf(collection, field, filterBeside(field, asked, filter))))
  if (collection.hidden.length > 0) query.hidden = collection.hidden
  if (clock !== undefined) query.clock = clock
  return Object.freeze(query)
}

/** Returns the first parameter with a name. */
function parameterIn<P extends ValueName>(parameters: readonly Parameter[], name: P): Parameter<P> | undefined {
  for (const one of parameters) if (one.parameter === name) return one as Parameter<P>
  return undefined
}

const isPlain = (one: Parameter): one is Parameter<PlainName> =>
  (plainNames as readonly ValueName[]).includes(one.parameter)

/** The clock of a walk is that of the query, as far as its filter depends on one. */
const withoutClock = ({ clock: _, ...rest }: PageStart): PageStart => Object.freeze(rest)

const nameOf = ({ collection }: Context, { parameter }: Parameter): string => collection.parameters.get(parameter)!

function findDuplicate(context: Context, parameter: Parameter): void {
  const parameters = { parameter: nameOf(context, parameter), advice: [] }
  find(context, 'parameter_duplicate', keyOf(parameter.at), parameters, { kind: 'repeated', context, parameter })
}

function findInvalid(context: Context, parameter: Parameter, expected: ExpectedParameter): void {
  const parameters = { parameter: nameOf(context, parameter), expected, advice: [] }
  find(context, 'parameter_invalid', parameter.value, parameters, { kind: 'parameter', context, parameter })
}

/** A page starts at a cursor or after so many rows, not at both. */
function findBoth(context: Context, offset: Parameter | undefined, cursor: Parameter | undefined): void {
  if (offset === undefined || cursor === undefined) return
  const later = offset.at.start > cursor.at.start ? offset : cursor
  findInvalid(context, later, { kind: 'one_of', parameters: [cursor, offset].map((one) => nameOf(context, one)) })
}

/** Reads a number or a flag; `undefined` for a flag that is `false`. */
function readPlain(context: Context, parameter: Parameter<PlainName>): number | true | undefined {
  const { parameter: name, value } = parameter
  const { text } = value
  if (isOfForm(name, 'flag')) {
    if (text !== 'true' && text !== 'false') findInvalid(context, parameter, { kind: 'boolean' })
    return text === 'true' ? true : undefined
  }
  const [from, to] = [parameterForms[name] === 'positive' ? 1 : 0, parameterRows[name].most(context.collection)]
  const number = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN
  if (number >= from && number <= to) return number
  findInvalid(context, parameter, { kind: 'whole_number', from, to })
  return undefined
}

// --- Lists of paths

/** The path that an item of a list names, by itself or by an alias. */
function pathOf({ collection, uses }: Context, written: string, item: Item): string {
  if (uses !== undefined) noteUse(uses, written, item)
  return canonicalPath(collection, written)
}

/** Reads the items of a list of paths. A wrong item becomes a finding, and is left out. */
function readItems<T>(
  context: Context,
  parameter: Parameter<ListName>,
  read: (name: string, item: Item) => T | undefined,
): readonly T[] {
  const items = parameter.value.items!
  const limit = mostItems[parameter.parameter](context.limits)
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
        of: 'parameter',
        isWhole: items.length === 1,
        allowsEmptyText: false,
        parameter: name,
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

/** Refuses an unknown path, and a path that the collection does not offer. `name` has no sign of its order. */
function findPath(context: Context, parameter: Parameter<ListName>, item: Item, name: string): void {
  const { collection, source, reserved } = context
  const { parameter: list } = parameter
  const doubt: Doubt = { kind: 'path', context, parameter, list, text: item.text, name }
  if (collection.visible.paths.has(name)) {
    find(context, listIssues[list].notOffered, item, { field: name, advice: [] }, doubt)
    return
  }
  const isSecret = mayHoldSecret(source, { start: startOfPair(source, item.start), end: item.end }, reserved)
  find(context, 'field_unknown', item, { problem: 'name', name: isSecret ? null : shownName(name), advice: [] }, doubt)
}

// --- search

/** The words of a search; `undefined` when it has a fault. */
export function readSearch(context: Context, parameter: Parameter): readonly Word[] | undefined {
  const { source, limits, findings } = context
  const before = findings.length
  const { value } = parameter
  const items = value.items!
  const most = mostItems.search(limits)
  if (items.length > most) {
    const span = { start: items[most]!.start, end: value.end }
    find(context, 'limit_list', span, { of: 'parameter', found: items.length, limit: most })
    return undefined
  }
  const words = items.map((item) => {
    const { text } = item
    if (item.quoteFault !== undefined) find(context, 'operand_quote', item, { problem: item.quoteFault })
    else if (text === '') findNoWord(context, parameter, item)
    else if (text.length > limits.operand)
      find(context, 'limit_operand', item, { found: text.length, limit: limits.operand })
    return { text, span: spanIn(source, item) }
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
function readSort(context: Context, parameter: Parameter<'sort'> | undefined): readonly SortKey[] | undefined {
  const { collection, findings } = context
  if (parameter === undefined) return collection.defaultSort.map((asked) => sortKeyOf(collection, asked))
  const before = findings.length
  const seen: string[] = []
  const keys = readItems(context, parameter, (text, item) => {
    const { name: written, direction } = readOrder(collection, text)
    const name = pathOf(context, written, item)
    const field = collection.sortable.get(name)
    if (field === undefined) {
      findPath(context, parameter, item, name)
      return undefined
    }
    if (seen.includes(name)) {
      find(context, 'duplicate_condition', item, { name, of: 'path', where: 'order', advice: [] })
      return undefined
    }
    seen.push(name)
    return sortKeyOf(collection, { field, direction }, context.source.isWritten ? item : undefined)
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
): PageStart | undefined {
  if (parameter === undefined) return undefined
  const place = positionOfCursor(parameter.value.text, sort)
  const ofFirst = place && own(place, 'clock')?.timeZone
  const isSame = zone === undefined || zone.toLowerCase() === ofFirst?.toLowerCase()
  const isOfClock = ofFirst === undefined || (isSame && zoneNamed(ofFirst) !== undefined)
  if (place !== undefined && isOfClock) return place
  findInvalid(context, parameter, { kind: 'cursor' })
  return undefined
}

// --- timeZone

function readZone(context: Context, parameter: Parameter | undefined): string | undefined {
  if (parameter === undefined) return undefined
  const { text } = parameter.value
  if (zoneNamed(text) !== undefined) return text
  findInvalid(context, parameter, { kind: 'time_zone' })
  return undefined
}

// --- fields and facets

/** Reads a list of paths that the collection offers. It refuses a path that occurs twice. */
function readOffered<P extends 'fields' | 'facets'>(
  context: Context,
  parameter: Parameter<P> | undefined,
): readonly Offered<P>[] | undefined {
  if (parameter === undefined) return undefined
  const { collection } = context
  const list: P = parameter.parameter
  const offered = collection[pathsFrom[list]] as ReadonlyMap<string, Offered<P>>
  const seen = new Set<string>()
  return readItems(context, parameter, (written, item) => {
    const name = pathOf(context, written, item)
    const one = offered.get(name)
    if (one === undefined) findPath(context, parameter, item, name)
    else if (seen.has(name))
      find(context, 'duplicate_condition', item, { name, of: 'path', where: listIssues[list].where, advice: [] })
    else {
      seen.add(name)
      return one
    }
    return undefined
  })
}
/** An item of each list: a path, or a field. */
type Offered<P extends 'fields' | 'facets'> = P extends 'fields' ? Path : FacetField
