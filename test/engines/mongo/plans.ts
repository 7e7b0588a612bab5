/** Which index serves which document: what MongoDB's manual says, and what DocumentDB does with thousands of documents. */
import { UUID } from 'mongodb'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  not,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toPage,
  type Filter,
} from '../../../src/index.ts'
import { mongoBackend, type MongoDocument, type MongoQuery } from '../../../src/backends/mongo/index.ts'
import { simpleLowerCase } from '../../../src/values/case.ts'
import type { Index } from './engines.ts'

const schema = defineSchema({
  id: field.integer(),
  reference: field.uuid({ required: true }),
  sequence: field.bigint({ required: true }),
  seller: field.string(),
  customerName: field.string(),
  total: field.number({ required: true }),
  arrival: field.date({ required: true }),
  paidAt: field.datetime(),
  gift: field.boolean(),
  note: field.string(),
  tags: field.list(field.string()),
  items: field.list(
    field.object({ arrival: field.date(), product: field.string(), code: field.string(), size: field.integer() }),
  ),
})
const { compile, compileQuery } = mongoBackend({
  schema,
  fields: {
    id: { name: '_id' },
    reference: { type: 'binData', encode: (text: string) => new UUID(text) },
    customerName: { name: 'customer_name', lower: 'customer_name_lower' },
  },
})

/** `code` and `size` of an item have no index but the one on both. */
export const indexes: readonly Index[] = [
  ...['reference', 'sequence', 'seller', 'customer_name_lower', 'total', 'arrival', 'paidAt', 'gift', 'note'].map(
    (name): Index => ({
      [name]: 1,
    }),
  ),
  ...['tags', 'items.arrival', 'items.product'].map((name): Index => ({ [name]: 1 })),
  { seller: 1, arrival: 1 },
  { 'items.code': 1, 'items.size': 1 },
  { reference: 1, _id: 1 },
  { sequence: 1, _id: 1 },
  { total: 1, _id: 1 },
  { arrival: 1, total: -1, _id: -1 },
  { customer_name_lower: 1, customer_name: 1, _id: 1 },
  { seller: 1, total: 1, _id: 1 },
]

const day = (number: number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10)
/** Not in the order of the ids. */
const uuid = (number: number) => `${String((number * 7) % 3_000).padStart(8, '0')}-0000-7000-8000-000000000000`
export const documents: readonly MongoDocument[] = Array.from({ length: 3_000 }, (_, at) => ({
  _id: at,
  reference: new UUID(uuid(at)),
  sequence: 2n ** 53n + BigInt(at),
  seller: `s-${at % 500}`,
  customer_name: `Guest ${at}`,
  customer_name_lower: simpleLowerCase(`Guest ${at}`),
  total: at * 0.25,
  arrival: day(at % 1_000),
  paidAt: new Date(Date.UTC(2020, 0, 1, 0, at)),
  gift: at % 500 === 0,
  ...(at % 200 === 0 && { note: `n-${at}` }),
  tags: [`t-${at % 300}`, `u-${at % 7}`],
  items: [at % 1_000, (at * 7) % 1_000].map((item) => ({
    arrival: day(item),
    product: `P-${item}`,
    code: `c-${item % 300}`,
    size: item % 90,
  })),
}))

/** How much of an index is read: the keys between bounds, those of two bounds one after the other, all texts, all keys. */
export const reads = ['between the bounds', 'each bound apart', 'every text', 'every key', 'every document'] as const
export type Reads = (typeof reads)[number]
export interface Line {
  /** A query, or what is made of one. */
  readonly asked: string
  readonly document: MongoDocument
  /** The index that the document is for. */
  readonly index?: Index
  readonly manual: string
  readonly reads: Reads
}

const line = (asked: string, index: Index | undefined, manual: string, reads: Reads, filter?: Filter): Line => ({
  asked,
  document: compile(filter ?? parseFilterOrThrow(schema, asked)),
  ...(index !== undefined && { index }),
  manual,
  reads,
})
const parsed = (query: string) => parseFilterOrThrow(schema, query)
const bounds = 'the keys between the bounds'
const keys = 'every key'
const none = 'no index that helps'

export const lines: readonly Line[] = [
  line(`reference=${uuid(1)}`, { reference: 1 }, bounds, 'between the bounds'),
  line('sequence[lt]=9007199254740995', { sequence: 1 }, bounds, 'between the bounds'),
  line('seller=s-1', { seller: 1 }, bounds, 'between the bounds'),
  line('seller[in]=s-1,s-2', { seller: 1 }, bounds, 'between the bounds'),
  line('gift=true', { gift: 1 }, bounds, 'between the bounds'),
  line('arrival[gt]=2022-09-20', { arrival: 1 }, bounds, 'between the bounds'),
  line('arrival[range]=2020-02-02,2020-02-03', { arrival: 1 }, bounds, 'between the bounds'),
  line('total[lte]=3', { total: 1 }, bounds, 'between the bounds'),
  line('paidAt=2020-01-02', { paidAt: 1 }, bounds, 'between the bounds'),
  line('seller=s-1&arrival[gte]=2022-01-01', { seller: 1, arrival: 1 }, bounds, 'between the bounds'),
  line('note[exists]=true', { note: 1 }, 'the keys of the type', 'every text'),
  line('tags=t-1', { tags: 1 }, bounds, 'between the bounds'),
  line('tags[in]=t-1,t-2', { tags: 1 }, bounds, 'between the bounds'),
  line('tags[all]=t-1,u-1', { tags: 1 }, bounds, 'between the bounds'),
  line('tags[range]=t-1,t-2', { tags: 1 }, bounds, 'between the bounds'),
  line('items.arrival=2020-02-02', { 'items.arrival': 1 }, bounds, 'between the bounds'),
  line('items.arrival[range]=2020-02-02,2020-02-03', { 'items.arrival': 1 }, bounds, 'each bound apart'),
  line('items.code=c-1&items.size[lt]=9', { 'items.code': 1, 'items.size': 1 }, bounds, 'between the bounds'),
  line('customerName[startsWith]=guest 12', { customer_name_lower: 1 }, bounds, 'between the bounds'),
  line('seller[startsWith]=2024-', { seller: 1 }, bounds, 'between the bounds'),
  line('seller[startsWith]=s-1', { seller: 1 }, keys, 'every text'),
  line('seller[startsWithExact]=s-1', { seller: 1 }, bounds, 'between the bounds'),
  line('customerName[equalsIgnoreCase]=guest 12', { customer_name_lower: 1 }, bounds, 'between the bounds'),
  line('seller[equalsIgnoreCase]=s-1', { seller: 1 }, keys, 'every text'),
  line('seller[containsExact]=-123', { seller: 1 }, keys, 'every text'),
  line('seller[endsWithExact]=-123', { seller: 1 }, keys, 'every text'),
  line('seller[contains]=123', { seller: 1 }, keys, 'every text'),
  line('seller[endsWith]=123', { seller: 1 }, keys, 'every text'),
  line('items.product[startsWith]=p-12', { 'items.product': 1 }, keys, 'every text'),
  line('tags[contains]=123', { tags: 1 }, 'every document', 'every text'),
  line('seller[notEqual]=s-1', { seller: 1 }, 'the keys around the value', 'every key'),
  line('seller[nin]=s-1,s-2', { seller: 1 }, 'the keys around the values', 'every key'),
  line('paidAt[notEqual]=2020-01-02', undefined, none, 'every document'),
  line('seller[doesNotContain]=12', undefined, none, 'every document'),
  line('note[exists]=false', undefined, none, 'every document'),
  line('tags[nin]=t-1,t-2', undefined, none, 'every document'),
  line('items.arrival[notEqual]=2020-02-02', undefined, none, 'every document'),
  line('tags[atLeast]=2', undefined, none, 'every document'),
  line('not total[gt]=5', undefined, 'the keys around the range', 'every document', not(parsed('total[gt]=5'))),
  line('not (seller=s-1 and gift=true)', undefined, none, 'every document', not(and(parsed('seller=s-1&gift=true')))),
]

/** A page deep in an order, and the index that its keys are read from, in order. */
export interface PageLine {
  readonly asked: string
  readonly query: MongoQuery
  readonly index: Index
}
const collection = defineCollection(schema, {
  key: 'id',
  sort: { reference: true, sequence: true, total: true, arrival: true, customerName: { ignoreCase: true } },
})
/** The next or the previous page of the row at 90 % of the documents. */
function page(asked: string, toward: 'next' | 'previous', index: Index): PageLine {
  const { _id: id, reference, ...rest } = documents[2_707]!
  const row = { ...rest, reference: String(reference), customerName: rest.customer_name }
  const after = toPage(parseQueryOrThrow(collection, `${asked}&limit=1`), [
    { id, ...row },
    { id, ...row },
  ])
  const before = toPage(parseQueryOrThrow(collection, `${asked}&limit=1&cursor=${after.next}`), [{ id, ...row }])
  const cursor = toward === 'next' ? after.next : before.previous
  const query = compileQuery(parseQueryOrThrow(collection, `${asked}&cursor=${cursor}`))
  return { asked: `${asked}, ${toward}`, query, index }
}
const byTotal: Index = { total: 1, _id: 1 }
export const pages: readonly PageLine[] = [
  page('sort=total', 'next', byTotal),
  page('sort=total', 'previous', byTotal),
  page('sort=-total', 'next', byTotal),
  page('sort=reference', 'next', { reference: 1, _id: 1 }),
  page('sort=-sequence', 'next', { sequence: 1, _id: 1 }),
  page('sort=arrival,-total', 'next', { arrival: 1, total: -1, _id: -1 }),
  page('sort=arrival,-total', 'previous', { arrival: 1, total: -1, _id: -1 }),
  page('sort=customerName', 'next', { customer_name_lower: 1, customer_name: 1, _id: 1 }),
  page('seller=s-207&sort=total', 'next', { seller: 1, total: 1, _id: 1 }),
  page('seller=s-207&sort=-total', 'next', { seller: 1, total: 1, _id: 1 }),
]

/** The pipeline of a facet, and the index that its first stage reads. */
export const facet = {
  pipeline: mongoBackend({ schema }).facets(
    parseQueryOrThrow(defineCollection(schema, { key: 'id', facets: ['gift'] }), 'seller=s-1&facets=gift'),
  )[0]!.pipeline,
  index: { seller: 1 } as Index,
}

interface Used {
  readonly index?: Index
  readonly reads: Reads
}
export const nothing: Used = { reads: 'every document' }

/** What each index scan of a plan of DocumentDB's reads, by its words for bounds. */
export const readsOf = (plan: unknown): readonly Used[] => Array.from(detailsIn(plan), readOf)
function readOf(details: Details): Used {
  if (details.indexName === '_id_' || details.indexBounds === undefined) return nothing
  const bounds = details.indexBounds
  const some = (pattern: RegExp) => bounds.some((bound) => pattern.test(bound))
  const kind = some(/\[MinKey, MaxKey\]/)
    ? 'every key'
    : some(/: \["", \{ \}\)\]$/)
      ? 'every text'
      : bounds.length === 2 && some(/\["", /) && some(/\{ \}\)/)
        ? 'each bound apart'
        : 'between the bounds'
  return { index: JSON.parse(details.indexKey) as Index, reads: kind }
}
interface Details {
  readonly indexName: string
  readonly indexKey: string
  readonly indexBounds?: readonly string[]
}
function* detailsIn(plan: unknown): Generator<Details> {
  if (typeof plan !== 'object' || plan === null) return
  if ('IndexDetails' in plan) yield* plan.IndexDetails as Details[]
  for (const inner of Object.values(plan)) yield* detailsIn(inner)
}
