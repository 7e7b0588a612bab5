/** Narrows a collection for some of its callers: the new collection has less than the first one. */
import { checkOptions } from '../options.ts'
import { own } from '../own.ts'
import {
  checkCollection,
  defineCollection,
  fieldOf,
  listOf,
  operatorsIn,
  operatorsOf,
  visibleOf,
  type Collection,
  type CollectionOptions,
  type FacetTable,
  type Known,
  type NarrowOptions,
  type Shown,
} from './collection.ts'
import { defaultsOf } from './defaults.ts'
import type { OperatorName } from './operators.ts'
import {
  boundNames,
  isAllowedBy,
  optionNames,
  parameterRows,
  switchNames,
  type BoundName,
  type SwitchName,
} from './parameters.ts'
import type { PathThrough } from './paths.ts'
import type { Fields, Schema } from './schema.ts'

/** The options that allow no parameter, and the options of the parameters that every collection has. */
const otherNames = ['operators', 'sort', 'defaultSort', 'limit'] as const satisfies readonly (keyof NarrowOptions)[]

/** The options of `defineCollection`, each of them: the compiler finds one that is new there and missing here. */
type EveryOption = { readonly [O in keyof Required<CollectionOptions>]: CollectionOptions[O] | undefined }

/**
 * Makes a collection for callers with fewer rights: a role, a tenant, a plan. The new collection has the same schema, key and parameter
 * names, and allows nothing that the given one refuses. Make one for each role when the program starts: each collection has separate
 * caches, and a service checks it once.
 *
 * @param collection made by `defineCollection`, or by `narrow`.
 * @param options the paths, operators, orders and numbers that these callers may use.
 * @returns a new collection. The given one does not change.
 * @throws TypeError that names the option that the collection does not allow: a path, an operator, an order, a larger limit. Also for a hidden path
 *   of the key, and for every error of `defineCollection`.
 * @example
 * const forSellers = narrow(orderCollection, { fields: { hide: ['total'] }, limit: { max: 50 } })
 * parseQuery(forSellers, 'total[gte]=5').ok // => false
 */
export function narrow<
  F extends Fields,
  Sortable extends string,
  Selectable extends string,
  Key extends string,
  Hidden extends string,
  Facet extends string,
  Table,
  const Sort extends readonly Sortable[] = readonly Sortable[],
  const Select extends readonly Selectable[] = readonly Selectable[],
  const Hide extends readonly PathThrough<F>[] = readonly [],
  const Default extends string = string,
  const Facets extends readonly Facet[] | false = readonly Facet[],
>(
  collection: Collection<Schema<F>, Sortable, Selectable, Key, Hidden, Facet, Table>,
  options: NarrowOptions<F, Key, Sort, Select, Hide, Default, Facets, Hidden>,
): Collection<
  Schema<F>,
  Key | Shown<Sort[number], Hide[number]>,
  Shown<Select[number], Hide[number]>,
  Key,
  Hidden | Hide[number],
  Facets extends readonly string[] ? Shown<Facets[number], Hide[number]> : never,
  Table
> {
  checkCollection(collection)
  const wide: Collection = collection
  const checked: NarrowOptions = checkOwnOptions(options, 'options', [...otherNames, ...optionNames])
  const key = wide.key.map(({ name }) => name)
  const hidden = hiddenOf(wide, key, checked.fields)
  const schemas = visibleOf(wide.schema, hidden)
  const asked = operatorsOf(schemas, checked.operators)
  const operators = operatorsLeft(wide, schemas, checked.operators, asked)
  const isClosed = (name: string) => asked.has(name) && operators.get(name)!.length === 0
  const sort = sortLeft(wide, schemas, checked.sort, isClosed)
  const count = countLeft(wide, checked.count)
  const fields = fieldsLeft(wide, schemas, checked.fields)
  const isShown = (name: string) => !Array.isArray(checked.fields) || fields!.some((one) => isIn(name, one))
  const facets = facetsLeft(wide, schemas, checked.facets, (name) => isShown(name) && !isClosed(name))
  const search = searchLeft(wide, schemas, checked.search, (name) => asked.get(name)?.includes('contains') === false)
  const left: Omit<EveryOption, 'parameters'> = {
    key,
    hidden,
    sort: wide.orders.size === 0 ? sort : Object.fromEntries(sort.map((name) => [name, wide.orders.get(name) ?? true])),
    fields,
    count,
    facets,
    facetLimit: wide.facetLimit,
    search,
    ...boundsLeft(wide, checked),
    ...switchesLeft(wide, checked),
    defaultSort: checked.defaultSort === undefined ? defaultSortLeft(wide, [...sort, ...key]) : checked.defaultSort,
    limit: limitLeft(wide, checked.limit),
    operators: Object.fromEntries(operators),
    defaults: defaultsLeft(wide, schemas, operators),
    aliases: {
      fields: Object.fromEntries(Array.from(wide.aliases.fields, ([alias, { name }]) => [alias, name])),
      operators: Object.fromEntries(wide.aliases.operators),
    },
    deprecated: Object.fromEntries(Array.from(wide.deprecated, ([name, { name: _, ...times }]) => [name, times])),
    lists: wide.lists,
    empty: wide.empty,
  }
  const parameters = Object.fromEntries(Array.from(wide.parameters).filter(([name]) => isAllowedBy(left, name)))
  // The compiler derives the paths of the result from the options.
  return defineCollection(wide.schema, { ...left, parameters } as CollectionOptions) as Collection<
    never,
    never,
    never,
    never,
    never,
    never,
    never
  >
}

/** Refuses an option that is `undefined`, too: a role that a program looks up in vain must not keep all rights. */
function checkOwnOptions<T extends object>(options: T, argument: string, schemas: readonly string[]): T {
  const checked = checkOptions(options, argument, schemas)
  const missing = Object.keys(checked).find((name) => checked[name as keyof T] === undefined)
  if (missing === undefined) return checked
  throw new TypeError(`${argument}.${missing} is undefined: leave the option out to keep what the collection has`)
}

function refuse(argument: string, found: string): never {
  throw new TypeError(`${argument} has ${found}, which the collection does not have`)
}

/** Refuses a number above that of the collection. */
function checkAtMost(argument: string, found: number, most: number): void {
  if (found > most) throw new TypeError(`${argument} is ${found}, more than the ${most} of the collection`)
}

function boundOf(option: { readonly max: number }, argument: string): { readonly max: number } {
  if (typeof option !== 'object') throw new TypeError(`${argument} must be false or { max: … }`)
  return checkOptions(option, argument, ['max'])
}

const isIn = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`)

/** All paths that are hidden: those of the collection, and those of the option. */
function hiddenOf({ schema, hidden }: Collection, key: readonly string[], fields: unknown): readonly string[] {
  const before = hidden.map((path) => path.join('.'))
  if (fields === undefined || Array.isArray(fields)) return before
  const { hide } = checkOptions(fields as { readonly hide?: unknown }, 'fields', ['hide'])
  const names = listOf(hide, 'fields.hide')
  for (const name of names) fieldOf({ schema, visible: schema }, name, 'fields.hide')
  const ofKey = names.find((name) => key.some((one) => isIn(one, name)))
  if (ofKey !== undefined) {
    throw new TypeError(`fields.hide has ${ofKey}, which the key needs: cursors contain the values of the key`)
  }
  return [...new Set([...before, ...names])]
}

/** Returns the operators that remain for each narrowed path: those that both the collection and the option allow. */
function operatorsLeft(
  wide: Collection,
  { visible }: Known,
  option: NonNullable<NarrowOptions['operators']> = {},
  asked: Collection['operators'],
): Collection['operators'] {
  const left = new Map<string, readonly OperatorName[]>()
  for (const [path, field] of visible.paths) {
    const names = asked.get(path) ?? wide.operators.get(path)
    if (names === undefined) continue
    const before = operatorsIn(field, wide)
    const added = own(option, path)?.find((name) => !before.includes(name))
    if (added !== undefined) refuse(`operators.${path}`, added)
    left.set(
      path,
      names.filter((name) => before.includes(name)),
    )
  }
  return left
}

/**
 * The paths that callers may sort by. Where the option lists none, a field that it closes to filters leaves them: an order reveals what a
 * filter would.
 */
function sortLeft(
  { sortable }: Collection,
  { visible }: Known,
  option: NarrowOptions['sort'],
  isClosed: (name: string) => boolean,
): readonly string[] {
  if (option === undefined) return [...sortable.keys()].filter((name) => visible.paths.has(name) && !isClosed(name))
  const added = listOf(option, 'sort').find((name) => !sortable.has(name))
  if (added !== undefined) refuse('sort', added)
  return option
}

/** The default order of the collection, without fields that callers may not sort by; `undefined` if no field is left. */
function defaultSortLeft({ defaultSort }: Collection, sort: readonly string[]): string | undefined {
  const left = defaultSort.filter(({ field }) => sort.includes(field.name))
  if (left.length === 0) return undefined
  return left.map(({ field, direction }) => (direction === 'descending' ? `-${field.name}` : field.name)).join(',')
}

/** Writes the option `defaults` again, without the pairs that these callers may not write. */
function defaultsLeft(wide: Collection, { visible }: Known, operators: Collection['operators']): string | undefined {
  const left = defaultsOf(wide).filter(
    ({ field: { name }, operator }) =>
      visible.paths.has(name) && operators.get(name)?.includes(operator.name) !== false,
  )
  return left.length === 0 ? undefined : left.map(({ pair }) => pair).join('&')
}

function limitLeft({ limit }: Collection, option: NarrowOptions['limit'] = {}): Collection['limit'] {
  const { max = limit.max, default: usual = Math.min(limit.default, max) } = checkOwnOptions(option, 'limit', [
    'default',
    'max',
  ])
  checkAtMost('limit.max', max, limit.max)
  return { default: usual, max }
}

/** Returns the options of a narrowed collection that have a `max`. */
function boundsLeft(wide: Collection, options: NarrowOptions): Pick<EveryOption, BoundName> {
  const left = boundNames.map((name): [BoundName, EveryOption[BoundName]] => {
    const [option, most] = [options[name], parameterRows[name].most(wide)]
    const isAllowed = wide.parameters.has(name)
    if (option === undefined || option === false)
      return [name, isAllowed && option === undefined ? { max: most } : undefined]
    if (!isAllowed) throw new TypeError(`${name} must be false: the collection does not allow ${name}`)
    const { max } = boundOf(option, name)
    checkAtMost(`${name}.max`, max, most)
    return [name, { max }]
  })
  return Object.fromEntries(left) as Pick<EveryOption, BoundName>
}

function countLeft({ count }: Collection, option: NarrowOptions['count']): Collection['count'] {
  if (option === undefined) return count
  if (option === false) return false
  if (count === false) throw new TypeError('count must be false: the collection does not allow count')
  const { max } = boundOf(option, 'count')
  if (count !== true) checkAtMost('count.max', max, count.max)
  return { max }
}

/**
 * Lists the facets that `facets` accepts, with their options. Without the option `facets`, it removes each field that callers cannot filter
 * by or see, because a facet shows the values of its field. It also removes each label whose field callers cannot filter by or see.
 */
function facetsLeft(
  { facets }: Collection,
  { visible }: Known,
  option: NarrowOptions['facets'],
  isOpen: (name: string) => boolean,
): FacetTable {
  const isLeft = (name: string) => visible.paths.has(name) && isOpen(name)
  const names =
    option === undefined
      ? [...facets.keys()].filter(isLeft)
      : listOf(option === false ? [] : option, 'facets', 'false or a list of paths')
  const left = names.map((name) => {
    const { max, label } = facets.get(name) ?? refuse('facets', name)
    return [name, { max, label: label && isLeft(label.name) ? label.name : undefined }]
  })
  return Object.fromEntries(left) as FacetTable
}

/** Lists the fields of a search: those of the collection that callers see and that the option `operators` leaves with `contains`. */
function searchLeft(
  { search }: Collection,
  { visible }: Known,
  option: NarrowOptions['search'],
  isClosed: (name: string) => boolean,
): readonly string[] | undefined {
  if (option !== undefined && option !== false) throw new TypeError('search must be false, or absent')
  const left = search.map(({ name }) => name).filter((name) => visible.paths.has(name) && !isClosed(name))
  return option === false || left.length === 0 ? undefined : left
}

/** Returns the options of a narrowed collection that are `true` or `false`. */
function switchesLeft({ parameters }: Collection, options: NarrowOptions): Readonly<Record<SwitchName, boolean>> {
  const left = switchNames.map((name): [SwitchName, boolean] => {
    const value: unknown = options[name]
    if (value !== undefined && value !== false) throw new TypeError(`${name} must be false, or absent`)
    const has = Array.from(parameters.keys()).some((one) => parameterRows[one].option === name)
    return [name, value === undefined && has]
  })
  return Object.fromEntries(left) as Record<SwitchName, boolean>
}

/** The paths that `fields` accepts; `undefined` if the collection does not allow `fields`. */
function fieldsLeft(
  { selectable }: Collection,
  { visible }: Known,
  option: NarrowOptions['fields'],
): readonly string[] | undefined {
  if (!Array.isArray(option)) return selectable && [...selectable.keys()].filter((name) => visible.paths.has(name))
  const names = listOf(option, 'fields')
  if (selectable === undefined)
    throw new TypeError(
      'fields must be { hide: [ … ] }: a list is a part of the option fields, which the collection does not have',
    )
  const added = names.find((name) => !selectable.has(name))
  if (added !== undefined) refuse('fields', added)
  return names
}
