/** Collections: a schema, and which orders, pages and fields a query may have. */
import { isLiteralType, type Path } from '../tree/index.ts'
import {
  aliasesOf,
  deprecatedOf,
  pathsWithAliases,
  type Aliases,
  type Deprecated,
  type Deprecation,
} from './aliases.ts'
import { orderNames, orderRows, type OrderOptions } from './orders.ts'
import { accepts, operatorNamed, type OperatorName, type OperatorRow } from './operators.ts'
import {
  isAllowedBy,
  optionNames,
  parameterForms,
  parameterNames,
  switchNames,
  type ParameterName,
} from './parameters.ts'
import type { OperatorAt, OrderedPath, OrderText, PathThrough, ScalarPath } from './paths.ts'
import {
  checkSchema,
  declared,
  defineSchema,
  field,
  isPromised,
  type EntryField,
  type Field,
  type Fields,
  type hiddenPath,
  type keyPath,
  type ResolvedField,
  type Schema,
} from './schema.ts'
import { checkOptions } from '../options.ts'
import { own, ownOf, refuseArgument } from '../own.ts'
import { readOnly } from '../read-only.ts'
import { isPlainText } from '../values/characters.ts'

/** Options of one facet. `true` in place of them has none. */
export interface FacetOptions {
  /** The most rows to count. If the filter selects more, the facet counts so many of them, and each count is `{ atLeast: 5 }`. */
  readonly max?: number | undefined
  /**
   * The path of the text that callers see for a value: `assigneeId: { label: 'assignee.name' }`. Neither field is in a list. If the rows of
   * a value have several texts, the label is the first in order of code points. It is `null` if they have none.
   */
  readonly label?: string | undefined
}
/** The facets by path. */
export type FacetTable<P extends string = string> = { readonly [K in P]?: true | FacetOptions }

type OrderTable = { readonly [path: string]: true | OrderOptions | undefined }
type Sorts = readonly string[] | true | OrderTable

/** Options of {@link defineCollection}, for a schema of these fields. */
export interface CollectionOptions<
  F extends Fields = Fields,
  Key extends string = OrderedPath<F>,
  Sort extends Sorts = readonly OrderedPath<F>[] | true | { readonly [P in OrderedPath<F>]?: true | OrderOptions },
  Select extends readonly string[] | true = readonly PathThrough<F>[] | true,
  Default extends string = string,
  Hidden extends readonly string[] = readonly PathThrough<F>[],
  Facets extends readonly string[] | FacetTable = readonly ScalarPath<F>[] | FacetTable<ScalarPath<F>>,
> {
  /** The field or fields that identify a row: together unique, with a value in every row. Every order ends with them. */
  readonly key: Key | readonly Key[]
  /**
   * The paths that callers may sort by; `true` for every field that has an order and can be filtered. Callers may always sort by the key.
   * An object has the paths with their {@link OrderOptions}: `{ createdAt: true, closedAt: { nulls: 'last' } }`.
   */
  readonly sort?: Sort
  /** The order of a query without `sort`, in the syntax of `sort`: `-arrival,total`. Default: the key, ascending. */
  readonly defaultSort?: Default
  /** Rows of a page: `default` (20) without the parameter `limit`, at most `max` (100). */
  readonly limit?: { readonly default?: number; readonly max?: number }
  /** Allows `offset`, up to `max` rows. */
  readonly offset?: { readonly max: number }
  /**
   * Allows `fields`: `true` for every field, or the selectable paths, each with everything inside. The answers of a service then contain
   * no other fields, with or without the parameter.
   */
  readonly fields?: Select
  /**
   * Allows `count`. With `{ max: 1000 }`, a store may stop after 1001 rows. The answer of a service for more than 1000 rows has
   * `{ "atLeast": 1000 }`.
   */
  readonly count?: boolean | { readonly max: number }
  /** Allows the parameter `timeZone`. It sets the zone of days and relative times in the query: `Europe/Berlin`, `+01:00`. */
  readonly timeZone?: boolean
  /**
   * Allows the parameter `search`, for a search box: `search=jo surf`. It selects the rows where each word occurs in one of these texts,
   * or in an entry of a list of texts. It ignores case. A search reveals as much as a condition with `contains`.
   */
  readonly search?: readonly Exclude<PathThrough<F, 'string'>, HiddenIn<F, NoInfer<Hidden[number]>>>[]
  /**
   * Allows the parameter `facets` for these fields: scalars, and scalars in lists; as a list of paths, or with {@link FacetOptions}:
   * `{ status: true, total: { max: 10_000 } }`. The answer of a service has their values, even if the option `fields` leaves them out.
   */
  readonly facets?: Facets
  /** The largest number of values in a facet: those with the most rows. Default: 50. */
  readonly facetLimit?: number
  /**
   * The paths of hidden fields, each with everything inside: `['tenantId', 'deletedAt']`. No condition, order or list of `fields` can
   * name them. No hint, description or answer contains them. Restrictions and backends can use them. An object or a list with only hidden
   * fields is hidden.
   */
  readonly hidden?: Hidden
  /** Allows groups: `or=(status=paid,total[gte]=100)`. */
  readonly groups?: boolean
  /**
   * The allowed operators by path: `{ seller: ['equals', 'in'] }`. With `[]`, callers cannot filter by the field. The operators of an
   * object, or of a list of objects, apply to all paths inside that this option does not list. Other fields have all operators of their
   * type.
   */
  readonly operators?: {
    readonly [P in Exclude<PathThrough<F>, HiddenIn<F, NoInfer<Hidden[number]>>>]?: readonly OperatorAt<F, P>[]
  }
  /**
   * Adds conditions to a query, for example `status=open`. The text contains pairs of a path and a value that a caller may write. It
   * contains no groups. A query with a condition on the field does not get the pairs of that field. `keyQuery` and `buildQuery` add none.
   * Every caller can replace them, so use `restrict` for rows that a caller must not see. A wrong value is a `TypeError` of the first query,
   * and of the service when it starts.
   */
  readonly defaults?: string
  /** Other names of fields and operators, for example those of an older API. The parser accepts them. No printer writes them. */
  readonly aliases?: Aliases<PathThrough<F>>
  /** Deprecated fields and aliases. The answer to a request that uses one has the headers `Deprecation` and `Sunset`. */
  readonly deprecated?: Readonly<Record<string, Deprecation>>
  /** `'repeated'`: repeated pairs without an operator mean `in`: `status=paid&status=held`. So does `status[]=paid`. */
  readonly lists?: 'repeated'
  /**
   * `'ignore'`: leaves out pairs without a value, which forms send for empty fields: `status=`, `search=`, `customerName[contains]=`. The
   * names must exist all the same. An empty value then means no condition; `customerName[in]=""` selects the empty text. Groups and
   * restrictions have no such pairs. `status=` also replaces the `defaults` of `status`. Without this option, `customerName=` selects the
   * empty text.
   */
  readonly empty?: 'ignore'
  /**
   * Other names of parameters: `{ limit: 'page[size]' }`. Names of groups must not contain `( ) [ ] , =`, or a dot without a name on both
   * sides.
   */
  readonly parameters?: Readonly<Partial<Record<ParameterName, string>>>
}

/** A field that rows are sorted by, as a collection declares it. */
export interface AskedOrder {
  readonly field: ResolvedField
  readonly direction: 'ascending' | 'descending'
}

/**
 * A schema, and what a query of it may contain; made by {@link defineCollection}. Its type has the paths that callers may sort by, and
 * those that they may select. It is immutable: `set` of its Maps throws.
 */
export interface Collection<
  S extends Schema = Schema,
  Sortable extends string = string,
  Selectable extends string = string,
  Key extends string = string,
  Hidden extends string = string,
  Facet extends string = string,
  Table = unknown,
> {
  /** All fields, also the hidden ones: for restrictions and backends. */
  readonly schema: S
  /** The schema without the hidden fields; `schema` itself if none is hidden. */
  readonly visible: Schema
  /** The hidden paths, without paths inside them. */
  readonly hidden: readonly Path[]
  readonly key: readonly ResolvedField[]
  /** The fields that callers may sort by, by path. */
  readonly sortable: ReadonlyMap<Sortable, ResolvedField>
  /** The options of orders, by path. A path without options is absent. */
  readonly orders: ReadonlyMap<string, OrderOptions>
  readonly defaultSort: readonly AskedOrder[]
  readonly limit: { readonly default: number; readonly max: number }
  /** The largest offset; `undefined` if the collection does not allow `offset`. */
  readonly maxOffset: number | undefined
  /** The `count` of a query that requests it; `false` if the collection does not allow it. */
  readonly count: boolean | { readonly max: number }
  /** The paths that `fields` may select; `undefined` if the collection does not allow `fields`. */
  readonly selectable: ReadonlyMap<Selectable, Path> | undefined
  /** The fields that `search` reads. The list is empty if the collection does not allow `search`. */
  readonly search: readonly ResolvedField[]
  /** The fields that the parameter `facets` accepts, by path. */
  readonly facets: ReadonlyMap<Facet, FacetField>
  /** The largest number of values in a facet. */
  readonly facetLimit: number
  /** The allowed operators of each path that the option `operators` narrows, itself or by an object or list around it. */
  readonly operators: ReadonlyMap<string, readonly OperatorName[]>
  /** The pairs of the option `defaults`. */
  readonly defaults: readonly DefaultPair[]
  /** The other names of fields and operators. */
  readonly aliases: {
    readonly fields: ReadonlyMap<string, ResolvedField>
    readonly operators: ReadonlyMap<string, OperatorName>
  }
  /** The deprecated names of fields. */
  readonly deprecated: ReadonlyMap<string, Deprecated>
  /** Whether repeated pairs may form a list. */
  readonly lists: 'repeated' | undefined
  /** Whether pairs without a value are left out. */
  readonly empty: 'ignore' | undefined
  /** The allowed parameters, each with its name in a text. */
  readonly parameters: ReadonlyMap<ParameterName, string>
  /** For the compiler alone: the paths of the key. */
  readonly [keyPath]?: Key
  /** For the compiler alone: the hidden paths. */
  readonly [hiddenPath]?: Hidden
  /** For the compiler alone: the options of facets. */
  readonly [facetTable]?: Table
}
/** For the compiler alone. */
declare const facetTable: unique symbol

/** A field that callers may count the values of. */
export interface FacetField extends ResolvedField {
  /** The most rows to count; `undefined` for all. */
  readonly max: number | undefined
  /** The field of the label. */
  readonly label: ResolvedField | undefined
}

/** Paths without the hidden ones and the paths inside them. If `Hidden` is `string`, all paths stay. */
export type Shown<P extends string, Hidden extends string> = [Hidden] extends [never]
  ? P
  : string extends Hidden
    ? P
    : Exclude<P, Hidden | `${Hidden}.${string}`>

/** The hidden paths, and those inside them. None where the compiler does not know which are hidden: no collection hides every path. */
type HiddenIn<F extends Fields, Hidden extends string> = [Hidden] extends [never]
  ? never
  : [PathThrough<F>] extends [Hidden]
    ? never
    : Hidden | `${Hidden}.${string}`

/** A path, or a list of paths, with no hidden one. The compiler infers from the first branch, and prints the second. */
type NoneOf<Hidden extends string, Named, All extends string> = [Hidden] extends [never]
  ? Named
  : [Hidden & PathsIn<Named>] extends [never]
    ? Named
    : Named extends string
      ? Exclude<All, Hidden>
      : readonly Exclude<All, Hidden>[]
type PathsIn<Named> = Named extends string | boolean
  ? Named
  : Named extends readonly (infer P)[]
    ? P
    : | (keyof Named & string)
      | { [K in keyof Named]-?: Named[K] extends { readonly label: infer L } ? L : never }[keyof Named]

/** As {@link NoneOf}, of an order. The compiler accepts other names in an object that it infers. */
type NoneOfSort<Hidden extends string, Sort extends Sorts, All extends string> = [
  Exclude<Listed<Sort, never>, All> | Extract<Listed<Sort, never>, Hidden>,
] extends [never]
  ? Sort
  : Sort extends readonly string[]
    ? readonly Exclude<All, Hidden>[]
    : { readonly [P in Exclude<All, Hidden>]?: true | OrderOptions }

/** The paths of a list or of an object; with `true`, all that there are. */
type Listed<L extends Sorts, All extends string> = L extends true
  ? All
  : L extends readonly string[]
    ? L[number]
    : keyof L & string

/** The compiler infers from the first branch, and prints the second. */
type DefaultSort<Default extends string, P extends string> =
  Default extends OrderText<Default, P> ? Default : OrderText<Default, P>

/** The paths of a list, and all that is in them; with `true`, all that there are. */
type Within<L extends readonly string[] | true, All extends string> = L extends true
  ? All
  : L extends readonly string[]
    ? L[number] | Extract<All, `${L[number]}.${string}`>
    : never

/** Options of `narrow`. Without an option, that part of the collection stays the same. */
export interface NarrowOptions<
  F extends Fields = Fields,
  Key extends string = string,
  Sort extends readonly string[] = readonly string[],
  Select extends readonly string[] = readonly string[],
  Hide extends readonly string[] = readonly PathThrough<F>[],
  Default extends string = string,
  Facets extends readonly string[] | false = readonly string[] | false,
  Hidden extends string = never,
> {
  /**
   * A list: the paths of the collection that the parameter `fields` may select, each with everything inside. The answers of a service
   * then contain no other fields. Filters and orders can still use the others.
   *
   * `{ hide: ['total'] }`: hides fields from these callers, like the option `hidden` of `defineCollection`. It removes their paths from
   * `fields`, `sort`, `defaultSort`, `facets` and `operators` of the collection. Paths of the key cannot be hidden: cursors contain their
   * values.
   */
  readonly fields?: Select | { readonly hide: Hide }
  /**
   * The allowed operators by path, from those of the collection. With `[]`, these callers cannot filter by the field, and can sort by it
   * only if `sort` lists it: an order reveals what a filter would. The operators of an object, or of a list of objects, apply to all
   * paths inside that this option does not list.
   */
  readonly operators?: {
    readonly [P in Exclude<PathThrough<F>, HiddenIn<F, NoInfer<Hidden | Hide[number]>>>]?: readonly OperatorAt<F, P>[]
  }
  /** The paths that these callers may sort by, from those of the collection. They may always sort by the key. */
  readonly sort?: NoneOf<HiddenIn<F, NoInfer<Hide[number]>>, Sort, PathThrough<F>>
  /** The order of a query without `sort`. Default: the order of the collection, without the paths that these callers may not sort by. */
  readonly defaultSort?: DefaultSort<Default, NoInfer<Key | Shown<Sort[number], Hide[number]>>>
  /** Rows of a page: at most `max`, which must not exceed that of the collection. */
  readonly limit?: { readonly default?: number; readonly max?: number }
  /** A smaller `max` than that of the collection, or `false`: these callers cannot use `offset`. */
  readonly offset?: false | { readonly max: number }
  /** A smaller bound than that of the collection, or `false`: these callers cannot use `count`. */
  readonly count?: false | { readonly max: number }
  /** `false`: these callers cannot use `search`. A search ignores hidden fields, and fields without the operator `contains`. */
  readonly search?: false
  /**
   * The facets that these callers may request: paths of the collection's `facets`, or `false`. Default: those that these callers can
   * filter by and that the list `fields` contains.
   */
  readonly facets?: NoneOf<HiddenIn<F, NoInfer<Hide[number]>>, Facets, PathThrough<F>>
  /** `false`: these callers cannot use `timeZone`. */
  readonly timeZone?: false
  /** `false`: these callers cannot use groups. */
  readonly groups?: false
}

/** The other options. */
const otherNames = [
  'key',
  'sort',
  'defaultSort',
  'limit',
  'facetLimit',
  'hidden',
  'operators',
  'defaults',
  'aliases',
  'deprecated',
  'lists',
  'empty',
  'parameters',
] as const satisfies readonly (keyof CollectionOptions)[]

/**
 * Declares what a request may contain besides its filter: which order, how many rows, which fields. `parseQuery` reads these requests.
 *
 * @throws TypeError that names the wrong option: an unknown path, a key in a list, a parameter with the name of a field, a `defaultSort`
 *   that callers may not choose, a hidden field that another option names, an option that does not exist.
 * @example
 * const orderCollection = defineCollection(orders, { key: 'id', sort: ['arrival', 'total'], defaultSort: '-arrival' })
 */
export function defineCollection<
  F extends Fields,
  Key extends OrderedPath<F>,
  const Sort extends readonly OrderedPath<F>[] | true | OrderTable = readonly [],
  const Select extends readonly PathThrough<F>[] | true = readonly [],
  const Default extends string = string,
  const Hidden extends readonly PathThrough<F>[] = readonly [],
  const Facets extends readonly string[] | FacetTable = readonly [],
>(
  schema: Schema<F>,
  options: CollectionOptions<
    F,
    NoneOf<HiddenIn<F, NoInfer<Hidden[number]>>, Key, OrderedPath<F>>,
    NoneOfSort<HiddenIn<F, NoInfer<Hidden[number]>>, Sort, OrderedPath<F>>,
    NoneOf<HiddenIn<F, NoInfer<Hidden[number]>>, Select, PathThrough<F>>,
    DefaultSort<Default, NoInfer<Key | Shown<Listed<Sort, OrderedPath<F>>, Hidden[number]>>>,
    Hidden,
    // A path that the schema lacks counts as hidden.
    NoneOf<Exclude<PathsIn<Facets>, ScalarPath<F>> | HiddenIn<F, NoInfer<Hidden[number]>>, Facets, ScalarPath<F>>
  >,
): Collection<
  Schema<F>,
  Key | Shown<Listed<Sort, OrderedPath<F>>, Hidden[number]>,
  Shown<Within<Select, PathThrough<F>>, Hidden[number]>,
  Key,
  Hidden[number],
  Facets extends readonly string[] ? Facets[number] : keyof Facets & string,
  Facets extends readonly string[] ? unknown : Facets
> {
  checkSchema(schema)
  const checked = checkOptions(options, 'options', [...otherNames, ...optionNames])
  const schemas = visibleOf(schema, checked.hidden)
  const key = keyOf(schemas, checked.key)
  const operators = operatorsOf(schemas, checked.operators as CollectionOptions['operators'])
  const [sortable, orders] = sortableOf(schemas, key, operators, checked.sort)
  const aliases = aliasesOf(schemas, checked.aliases)
  const collection: Collection<Schema<F>> = Object.freeze({
    ...schemas,
    schema,
    key,
    sortable,
    orders,
    defaultSort: defaultSortOf(sortable, checked.defaultSort),
    limit: limitOf(checked.limit),
    maxOffset: checked.offset && maxOf(checked.offset, 'offset', 0),
    count: countOf(checked.count),
    selectable: selectableOf(schemas, checked.fields),
    search: searchOf(schemas, checked.search),
    facets: facetsOf(schemas, checked.facets),
    facetLimit: facetLimitOf(checked),
    operators,
    defaults: defaultPairsOf(schemas, checked.defaults),
    aliases,
    deprecated: deprecatedOf(schemas, aliases, checked.deprecated, checked.aliases),
    lists: onlyOf(checked.lists, 'lists', 'repeated'),
    empty: onlyOf(checked.empty, 'empty', 'ignore'),
    parameters: parametersOf(schemas, aliases, checked),
  })
  collections.add(collection)
  // The compiler derives the paths in its Maps from the options.
  return collection as Collection<Schema<F>, never, never, never, never, never, never>
}

// An object of this shape may come from JSON. A registered symbol lets the ESM and the CommonJS build share the set.
const mark = Symbol.for('urlwhere.collections')
const shared = globalThis as { [mark]?: WeakSet<object> }
const collections = /* @__PURE__ */ (() => (shared[mark] ??= new WeakSet()))()

/** @throws TypeError when the value was not made by {@link defineCollection}. */
export function checkCollection(collection: Collection, argument = 'collection'): void {
  if (!collections.has(collection)) refuseArgument(`${argument} must be made by defineCollection`)
}

/** The operators of a field: those of its type, unless a collection narrows them. */
export function operatorsFor(field: ResolvedField, collection?: Collection): readonly OperatorRow[] {
  const narrowed = collection?.operators.get(field.name)
  const all = narrowed?.map((operator) => operatorNamed.get(operator)!) ?? Array.from(operatorNamed.values())
  return all.filter((operator) => accepts(field, operator))
}

/** Whether a field has an operator, and a collection allows it there. */
export const allows = (field: ResolvedField, operator: OperatorRow, collection?: Collection): boolean =>
  collection?.operators.get(field.name)?.includes(operator.name) ?? accepts(field, operator)

export function listOf(value: unknown, argument: string, expected = 'a list of paths'): readonly string[] {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
    refuseArgument(`${argument} must be ${expected}`)
  }
  const names = value as readonly string[]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) refuseArgument(`${argument} has ${twice} twice`)
  return names
}

/** The schema of a collection, and the part of it that callers know. */
export type Known = Pick<Collection, 'schema' | 'visible' | 'hidden'>

/** Removes the hidden fields from a schema, and objects that have no other field. */
export function visibleOf(schema: Schema, paths: CollectionOptions['hidden'] = []): Known {
  const names = listOf(paths, 'hidden')
  if (names.length === 0) return { schema, visible: schema, hidden: Object.freeze([]) }
  for (const name of names) fieldOf({ schema, visible: schema }, name, 'hidden')
  const hidden: Path[] = []
  const visit = <D extends Field>(definition: D, path: Path): Field | undefined => {
    if (names.includes(path.join('.'))) {
      hidden.push(Object.freeze(path))
      return undefined
    }
    if (definition.type === 'list') {
      const entry = visit(definition.entry, path)
      return entry === definition.entry ? definition : entry && field.list(entry as EntryField)
    }
    if (definition.type !== 'object') return definition
    const before = hidden.length
    const fields = visitAll(definition.fields, path)
    if (hidden.length === before) return definition
    if (Object.keys(fields).length > 0) return field.object(fields, { required: isPromised(definition) })
    hidden.splice(before, Infinity, Object.freeze(path))
    return undefined
  }
  const visitAll = (fields: Fields, path: Path): Fields =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, definition]) => {
        const left = visit(definition, [...path, name])
        return left === undefined ? [] : [[name, left]]
      }),
    )
  const visible = defineSchema(visitAll(schema.fields, []))
  if (visible.paths.size === 0) refuseArgument('hidden must not have every field')
  return { schema, visible, hidden: Object.freeze(hidden) }
}

/** @throws TypeError when the schema lacks the field, or the collection hides it. */
export function fieldOf(
  { schema, visible }: Pick<Known, 'schema' | 'visible'>,
  name: string,
  argument: string,
): ResolvedField {
  const field = declared(visible, name)
  if (field !== undefined) return field
  const problem = visible.paths.has(name)
    ? 'is a key of a record: name the record'
    : schema.paths.has(name)
      ? 'is hidden: callers know nothing of it'
      : 'is not a field of the schema'
  refuseArgument(`${argument} has ${name}, which ${problem}`)
}

const hasOrder = ({ lists, literal }: ResolvedField): boolean => lists.length === 0 && isLiteralType(literal)

function orderedField(schemas: Known, name: string, argument: string): ResolvedField {
  const field = fieldOf(schemas, name, argument)
  if (hasOrder(field)) return field
  refuseArgument(`${argument} has ${name}, which has no order: it is an object, JSON, a list or in a list`)
}

function keyOf(schemas: Known, key: unknown): readonly ResolvedField[] {
  const names = listOf(typeof key === 'string' ? [key] : key, 'key', 'a path or a list of paths')
  if (names.length === 0) refuseArgument('key must have a field')
  return Object.freeze(names.map((name) => orderedField(schemas, name, 'key')))
}

function sortableOf(
  schemas: Known,
  key: readonly ResolvedField[],
  operators: Collection['operators'],
  sort: Sorts = [],
): readonly [sortable: ReadonlyMap<string, ResolvedField>, orders: Collection['orders']] {
  // An order reveals what a filter would, and a cursor contains the values.
  const isClosed = ({ name }: ResolvedField) => operators.get(name)?.length === 0
  const table = sort === true ? undefined : pathTable<OrderOptions>(sort, 'sort', orderNames)
  const fields =
    table === undefined
      ? Array.from(schemas.visible.paths.values()).filter((field) => hasOrder(field) && !isClosed(field))
      : Array.from(table.keys(), (name) => orderedField(schemas, name, 'sort'))
  const orders = fields.flatMap((field) => ordersOf(field, key, table?.get(field.name)))
  return [readOnly([...fields, ...key].map((field) => [field.name, field])), readOnly(orders)]
}

/** The paths of a list, or of an object with the options of each. `true` has no options. */
function pathTable<Options extends object>(
  option: unknown,
  argument: string,
  names: readonly string[],
): ReadonlyMap<string, Options> {
  const isList = typeof option !== 'object' || option === null || Array.isArray(option)
  const entries = isList ? listOf(option, argument).map((path) => [path, true] as const) : Object.entries(option)
  return new Map(
    entries.map(([path, one]) => [path, checkOptions(one === true ? {} : one, `${argument}.${path}`, names)]),
  ) as Map<string, Options>
}

/** Checks the options of an order. It refuses `nulls` for a field that has a value in every row. */
function ordersOf(
  field: ResolvedField,
  key: readonly ResolvedField[],
  options: OrderOptions = ownOf({}),
): readonly (readonly [string, OrderOptions])[] {
  const names = orderNames.filter((name) => options[name] !== undefined)
  for (const name of names) {
    const [type = field.type, ...values] = orderRows[name]
    const problem =
      type !== field.type
        ? `needs a field of type ${type}`
        : !values.includes(options[name])
          ? `must be ${values.join(' or ')}`
          : name === 'nulls' && (own(field, 'required') === true || key.includes(field))
            ? 'has no effect: every row has a value'
            : undefined
    if (problem !== undefined) refuseArgument(`sort.${field.name}.${name} ${problem}`)
  }
  return names.length === 0 ? [] : [[field.name, Object.freeze(options)]]
}

/** Reads one item of an order: a path, after a `-` when the order descends. Callers may not sort by it where `field` is `undefined`. */
export function readOrder(
  { sortable }: Pick<Collection, 'sortable'>,
  text: string,
): Pick<AskedOrder, 'direction'> & { readonly name: string; readonly field: ResolvedField | undefined } {
  const isDescending = text.startsWith('-')
  const name = isDescending ? text.slice(1) : text
  return { name, field: sortable.get(name), direction: isDescending ? 'descending' : 'ascending' }
}

function defaultSortOf(sortable: ReadonlyMap<string, ResolvedField>, sort: unknown): readonly AskedOrder[] {
  if (sort === undefined) return Object.freeze([])
  if (typeof sort !== 'string' || sort === '') refuseArgument("defaultSort must be text such as '-arrival,total'")
  const asked = sort.split(',').map((item): AskedOrder => {
    const { name, field, direction } = readOrder({ sortable }, item)
    if (field === undefined) refuseArgument(`defaultSort has ${name}, which callers may not sort by`)
    return Object.freeze({ field, direction })
  })
  listOf(
    asked.map(({ field }) => field.name),
    'defaultSort',
  )
  return Object.freeze(asked)
}

/** A pair of the option `defaults`, and its field. */
export interface DefaultPair {
  readonly field: ResolvedField
  readonly pair: string
}

/** Finds the field of each pair. `defaultsOf` reads operators and values, which a front-end does not need. */
function defaultPairsOf(schemas: Known, defaults: unknown = []): readonly DefaultPair[] {
  const pairs = typeof defaults === 'string' ? defaults.split('&') : defaults
  if (!Array.isArray(pairs) || defaults === '') refuseArgument("defaults must be conditions: 'status=open'")
  return Object.freeze(
    (pairs as readonly string[]).map((pair) =>
      Object.freeze({ field: fieldOf(schemas, /^[^[=]*/.exec(pair)![0], 'defaults'), pair }),
    ),
  )
}

function checkWhole(value: number, argument: string, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    refuseArgument(`${argument} must be a whole number of at least ${least}`)
}

function limitOf(option: CollectionOptions['limit'] = {}): Collection['limit'] {
  const limit = checkOptions(option, 'limit', ['default', 'max'])
  const { max = 100 } = limit
  checkWhole(max, 'limit.max', 1)
  const { default: usual = Math.min(20, max) } = limit
  checkWhole(usual, 'limit.default', 1)
  if (usual > max) refuseArgument(`limit.max is ${max}, below limit.default, ${usual}`)
  return Object.freeze({ default: usual, max })
}

function maxOf(option: { readonly max: number }, argument: string, least: number): number {
  const { max } = checkOptions(option, argument, ['max'])
  checkWhole(max, `${argument}.max`, least)
  return max
}

function countOf(count: CollectionOptions['count'] = false): Collection['count'] {
  if (typeof count === 'boolean') return count
  if (typeof count !== 'object') refuseArgument('count must be a boolean or { max: … }')
  return Object.freeze({ max: maxOf(count, 'count', 1) })
}

function selectableOf(schemas: Known, fields: CollectionOptions['fields']): ReadonlyMap<string, Path> | undefined {
  if (fields === undefined) return undefined
  const names = [...schemas.visible.paths.keys()]
  const chosen = fields === true ? names : listOf(fields, 'fields')
  for (const name of chosen) fieldOf(schemas, name, 'fields')
  const allowed = names.filter((name) => chosen.some((one) => name === one || name.startsWith(`${one}.`)))
  return readOnly<string, Path>(
    allowed.map((name) => [name, Object.freeze(name.split('.'))]),
    (outer, name) => {
      const path = Object.freeze([...outer, name])
      return schemas.visible.paths.has(path.join('.')) ? path : undefined
    },
  )
}

function searchOf(schemas: Known, search: CollectionOptions['search']): readonly ResolvedField[] {
  if (search === undefined) return Object.freeze([])
  const names = listOf(search, 'search')
  if (names.length === 0) refuseArgument('search must have a field')
  return Object.freeze(
    names.map((name) => {
      const field = fieldOf(schemas, name, 'search')
      if (field.type === 'string') return field
      refuseArgument(`search has ${name}, which has type ${field.type}, not string`)
    }),
  )
}

function facetsOf(schemas: Known, facets: CollectionOptions['facets'] = []): Collection['facets'] {
  const table = pathTable<FacetOptions>(facets, 'facets', ['max', 'label'])
  return readOnly(Array.from(table, ([name, options]) => [name, facetField(schemas, name, options)]))
}

function facetField(schemas: Known, name: string, { max, label }: FacetOptions): FacetField {
  const field = fieldOf(schemas, name, 'facets')
  if (!isLiteralType(field.literal))
    refuseArgument(
      `facets has ${name}, which has type ${field.type}${field.type === 'object' ? ': name a field in it' : ''}`,
    )
  if (max !== undefined) checkWhole(max, `facets.${name}.max`, 1)
  const text = label === undefined ? undefined : fieldOf(schemas, label, `facets.${name}.label`)
  if (text !== undefined && (text.literal !== 'string' || text.lists.length + field.lists.length > 0))
    refuseArgument(`facets.${name}.label has ${label}: a label is a text, and neither it nor ${name} is in a list`)
  return Object.freeze({ ...field, max, label: text })
}

function facetLimitOf({ facets, facetLimit }: Pick<CollectionOptions, 'facets' | 'facetLimit'>): number {
  if (facetLimit === undefined) return 50
  if (facets === undefined) refuseArgument('facetLimit needs facets')
  checkWhole(facetLimit, 'facetLimit', 1)
  return facetLimit
}

/** Whether a field, or a key of a record, may have an operator. */
const takes = (field: ResolvedField, operator: OperatorRow): boolean =>
  accepts({ ...field, ...own(field, 'entry') }, operator)

/** The names of the operators that a collection leaves a field, or the keys of a record. */
export const operatorsIn = (field: ResolvedField, { operators }: Collection): readonly OperatorName[] =>
  operators.get(field.name) ??
  Array.from(operatorNamed.values()).flatMap((operator) => (takes(field, operator) ? [operator.name] : []))

export function operatorsOf(schemas: Known, operators: CollectionOptions['operators'] = {}): Collection['operators'] {
  checkOptions(operators, 'operators', [...schemas.schema.paths.keys()])
  const entries = new Map(Object.entries(operators))
  for (const [path, names] of entries) {
    const argument = `operators.${path}`
    const field = fieldOf(schemas, path, 'operators')
    for (const name of listOf(names, argument, 'a list of operators')) {
      const operator = operatorNamed.get(name)
      if (operator === undefined) refuseArgument(`${argument} has ${name}, which is not an operator`)
      if (!takes(field, operator)) refuseArgument(`${argument} has ${name}, which ${field.type} does not take`)
    }
  }
  const narrowed = new Map<string, readonly OperatorName[]>()
  // The schema lists an object before its members.
  for (const [path, field] of schemas.visible.paths) {
    const names = entries.get(path) ?? narrowed.get(path.slice(0, Math.max(0, path.lastIndexOf('.'))))
    if (names === undefined) continue
    narrowed.set(path, Object.freeze(names.filter((name) => takes(field, operatorNamed.get(name)!))))
  }
  return readOnly(narrowed, (names) => names)
}

/** The last name of a path before a group about no entry, or about every entry: `items.none(…)`. */
export const quantifiers = /* @__PURE__ */ Object.freeze(['none', 'every'] as const)

/** Refuses a field of entries, or an alias, with the name of a quantifier: `items.none(…)` would have two meanings. */
export function checkQuantifiers(paths: Schema['paths']): void {
  for (const [list, { lists, path }] of paths) {
    if (lists.length === 0 || path.length > 0) continue
    const taken = quantifiers.map((word) => `${list}.${word}`).find((name) => paths.has(name))
    if (taken !== undefined)
      refuseArgument(`groups read ${taken}( as a quantifier: rename the field or the alias, or turn groups off`)
  }
}

function onlyOf<T extends string>(value: unknown, argument: string, only: T): T | undefined {
  if (value === undefined || value === only) return value as T | undefined
  refuseArgument(`${argument} must be '${only}', or absent`)
}

function parametersOf(
  { visible }: Known,
  aliases: Collection['aliases'],
  options: CollectionOptions,
): ReadonlyMap<ParameterName, string> {
  const { parameters: renamed = {}, groups = false } = options
  const parameters = checkOptions(renamed, 'parameters', parameterNames)
  for (const name of switchNames)
    if (typeof (options[name] ?? false) !== 'boolean') refuseArgument(`${name} must be a boolean`)
  const paths = pathsWithAliases(visible, aliases.fields)
  if (groups) checkQuantifiers(paths)
  const names = new Map<ParameterName, string>()
  for (const parameter of parameterNames) {
    const name = parameters[parameter] ?? parameter
    const refuse = (problem: string): never => {
      refuseArgument(`parameters.${parameter} ${problem}`)
    }
    if (typeof name !== 'string' || name === '' || !isPlainText(name)) refuse('must be a name')
    if (parameterForms[parameter] === 'group') {
      if (/[()[\],=]/.test(name)) refuse(`is ${name}, but a word of groups must not have ( ) [ ] , or = in it`)
      // A group reads it as a path.
      if (name.split('.').includes('')) refuse(`is ${name}, but names between dots must not be empty`)
    }
    if (!isAllowedBy(options, parameter)) {
      if (parameters[parameter] === undefined) continue
      refuse('has a name, but the collection does not allow it')
    }
    const path = name.endsWith(']') ? name.slice(0, name.indexOf('[')) : name
    const target = paths.get(path)
    if (target !== undefined) {
      const other = visible.paths.has(path) ? 'a field of the schema' : `an alias of ${target.name}`
      refuseArgument(`the parameter ${name} is ${other}: rename it by parameters.${parameter}`)
    }
    if ([...names.values()].includes(name)) refuseArgument(`two parameters are called ${name}`)
    names.set(parameter, name)
  }
  return readOnly(names)
}
