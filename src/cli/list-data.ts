/** The lists as JSON, from which the page of `serve` makes schemas, collections and mappings again. */
import type { Dialect, Stored, Table } from '../backends/sql/index.ts'
import type { Collection, CollectionOptions, FacetField, Fields } from '../index.ts'
import type { List } from './lists.ts'

/** A list in `/playground.json`. It contains neither the hidden fields nor their columns. */
export interface ListData {
  readonly name: string
  readonly dialect: string
  readonly fields: Fields
  readonly collection: CollectionOptions
  readonly table: Pick<Table, 'name' | 'key' | 'columns' | 'where'>
}

export const dataOf = ({ name: dialect }: Dialect, { name, collection, table }: List): ListData => {
  const { fields } = collection.visible
  const columns = columnsOf(table.columns, fields)
  return {
    name,
    dialect,
    fields,
    collection: optionsOf(collection),
    table: { name: table.name, key: table.key, columns, ...(Object.hasOwn(table, 'where') && { where: table.where! }) },
  }
}

/** The columns of fields. */
function columnsOf(columns: Table['columns'], fields: Fields): Table['columns'] {
  const shown = Object.entries(fields).flatMap(([name, field]): [string, Stored][] => {
    const stored = Object.hasOwn(columns, name) ? columns[name] : undefined
    const inner = field.type === 'list' ? field.entry : field
    if (stored === undefined) return []
    if (stored.kind === 'column' || stored.kind === 'json' || stored.kind === 'array') return [[name, stored]]
    return [[name, { ...stored, columns: columnsOf(stored.columns, inner.type === 'object' ? inner.fields : {}) }]]
  })
  return Object.fromEntries(shown)
}

const optionsOfFacet = ([name, { max, label }]: [string, FacetField]) => [name, { max, label: label?.name }] as const

/** The options that make the collection. JSON leaves out those that are undefined. */
function optionsOf(collection: Collection): CollectionOptions {
  const { key, sortable, defaultSort, limit, maxOffset, selectable, count, search, facets, facetLimit } = collection
  const { operators, aliases, lists, empty, parameters } = collection
  const order = defaultSort.map(({ field, direction }) => (direction === 'descending' ? '-' : '') + field.name)
  return {
    key: key.map(({ name }) => name),
    sort: [...sortable.keys()],
    limit,
    count,
    timeZone: parameters.has('timeZone'),
    groups: parameters.has('and'),
    operators: Object.fromEntries(operators),
    aliases: {
      fields: Object.fromEntries(Array.from(aliases.fields, ([alias, { name }]) => [alias, name])),
      operators: Object.fromEntries(aliases.operators),
    },
    parameters: Object.fromEntries(parameters),
    ...(order.length > 0 && { defaultSort: order.join(',') }),
    ...(maxOffset !== undefined && { offset: { max: maxOffset } }),
    ...(selectable !== undefined && { fields: [...selectable.keys()] }),
    ...(search.length > 0 && { search: search.map(({ name }) => name) }),
    ...(facets.size > 0 && { facets: Object.fromEntries(Array.from(facets, optionsOfFacet)), facetLimit }),
    ...(lists !== undefined && { lists }),
    ...(empty !== undefined && { empty }),
  }
}
