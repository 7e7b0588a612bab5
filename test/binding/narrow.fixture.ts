/** What the tests of narrow and its laws share. */
import {
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseQuery,
  toPage,
  type Collection,
  type CollectionOptions,
  type EntryField,
  type Field,
  type Fields,
  type NarrowOptions,
  type Query,
  type Schema,
} from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'

// --- Random schemas, collections and narrowings

export type Given = { -readonly [O in keyof CollectionOptions]: unknown }
export interface Case {
  readonly schema: Schema
  /** Of the first collection. */
  readonly options: Given
  readonly wide: Collection
  readonly given: NarrowOptions
  readonly narrowed: Collection
}

export const define = (schema: Schema, options: Given) =>
  defineCollection(schema, options as unknown as CollectionOptions) as Collection
export const defined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T

// --- Unknown everywhere

/** The fields without some paths, and without what has no field then: a second rule, as simple as it can be. */
export function without(fields: Fields, isGone: (path: string) => boolean, before = ''): Fields {
  const leaves = (definition: Field, path: string): Field[] => {
    if (isGone(path)) return []
    if (definition.type === 'list') {
      const [entry] = leaves(definition.entry, `${path}`)
      return entry === undefined ? [] : [field.list(entry as EntryField)]
    }
    if (definition.type !== 'object') return [definition]
    const left = without(definition.fields, isGone, `${path}.`)
    const isEmptied = Object.keys(left).length === 0 && Object.keys(definition.fields).length > 0
    return isEmptied ? [] : [field.object(left, Object.hasOwn(definition, 'required') ? { required: true } : {})]
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, definition]) =>
      leaves(definition, before + name).map((left) => [name, left] as const),
    ),
  )
}

export const parametersWithout = (parameters: unknown) =>
  Object.fromEntries(Object.entries(parameters as object).filter(([name]) => name !== 'search'))

/** The narrowed collection of a schema that never had the hidden fields. */
export function plainOf({ schema, options, given }: Case): Collection {
  const { fields, ...rest } = given as { fields: { hide: readonly string[] } }
  const hide = [...((options.hidden as string[] | undefined) ?? []), ...fields.hide]
  const plain = defineSchema(without(schema.fields, (path) => hide.includes(path)))
  const isLeft = (path: string) => plain.paths.has(path)
  const leftOf = (list: unknown) => (Array.isArray(list) ? (list as string[]).filter(isLeft) : list)
  const search = leftOf(options.search) as string[] | undefined
  const order = (options.defaultSort as string | undefined)?.split(',').filter((item) => isLeft(item.replace(/^-/, '')))
  const operators = Object.entries((options.operators ?? {}) as object).filter(([path]) => isLeft(path))
  const wide = define(
    plain,
    defined({
      ...{ ...options, hidden: undefined, sort: leftOf(options.sort), fields: leftOf(options.fields) },
      search: search?.length === 0 ? undefined : search,
      defaultSort: order === undefined || order.length === 0 ? undefined : order.join(','),
      operators: Object.fromEntries(operators),
      // A name of a parameter that is off is refused.
      parameters: search?.length === 0 ? parametersWithout(options.parameters) : options.parameters,
    }),
  )
  return narrow(wide, rest)
}

// --- The attack

export const orders = defineSchema({
  id: field.integer(),
  seller: field.string({ required: true }),
  status: field.enumeration(['paid', 'held', 'new']),
  arrival: field.date(),
  total: field.decimal({ required: true }),
  margin: field.number(),
  // The rows have it, whatever they have in it.
  customer: field.object({ name: field.string({ required: true }), taxId: field.string() }, { required: true }),
  items: field.list(field.object({ product: field.string(), price: field.number(), cost: field.number() })),
  audit: field.object({ by: field.string(), at: field.datetime() }),
  labels: field.list(field.string()),
})
export const searched = ['seller', 'customer.name', 'customer.taxId', 'items.product', 'audit.by', 'labels'] as const
export const office = defineCollection(orders, {
  search: searched,
  ...{ key: 'id', sort: true, fields: true, groups: true, count: true, offset: { max: 1000 } },
  defaultSort: '-total,arrival',
})
export const secrets = ['total', 'margin', 'customer.taxId', 'items.cost', 'audit', 'labels'] as const
export const forSellers = narrow(office, { fields: { hide: secrets } })

export interface World {
  readonly total: string
  readonly margin: number | null
  readonly secret: string
  readonly step: number
}
export const rowsOf = ({ total, margin, secret, step }: World) =>
  Array.from({ length: 12 }, (_, at) => ({
    ...{ id: at + 1, seller: at % 3 === 0 ? 's-1' : 's-2', status: (['paid', 'held', 'new'] as const)[at % 3]! },
    ...{ arrival: `2024-01-0${(at % 4) + 1}`, total: `${Number(total) + ((at * step) % 12)}`, margin },
    customer: { name: `Jo ${at % 5}`, taxId: `${secret}${(at * step) % 12}` },
    items: [{ product: 'surf', price: at % 4, cost: (at * step) % 7 }, null],
    ...{ audit: at % 2 === 0 ? { by: secret, at: '2024-01-01T00:00:00Z' } : null, labels: [secret] },
  }))
export const worlds = [
  rowsOf({ total: '100', margin: null, secret: 'xylo', step: 1 }),
  rowsOf({ total: '5', margin: 7.25, secret: 'zebu', step: 5 }),
]
export const cursors = ['total', 'margin', 'customer.taxId', 'audit.by', 'audit.at', 'arrival', 'id'].flatMap((path) =>
  (['ascending', 'descending'] as const).flatMap((direction) => {
    const { query } = parseQuery(office, `sort=${direction === 'descending' ? '-' : ''}${path}`) as { query: Query }
    return worlds.flatMap((rows) => {
      const { next, previous } = toPage(
        { ...query, limit: 3 },
        memoryBackend().compileQuery({ ...query, limit: 3 })(rows).rows,
      )
      return [next, previous].filter((cursor) => cursor !== undefined)
    })
  }),
)
