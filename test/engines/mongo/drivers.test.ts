/**
 * The official driver and Mongoose with a server: each of their ways to ask selects what memory selects. The recipes of
 * docs/guides/mongodb.md run as they are written there.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal128, Long, MongoClient, ObjectId, UUID } from 'mongodb'
import { createConnection, Schema as MongooseSchema } from 'mongoose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { mongoBackend, type MongoDocument, type MongoQuery } from '../../../src/backends/mongo/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  not,
  or,
  parseFilterOrThrow,
  parseQueryOrThrow,
  where,
  type Filter,
  type Page,
} from '../../../src/index.ts'
import { simpleLowerCase } from '../../../src/values/case.ts'
import { orders } from '../../orders.ts'
import { urls } from './engines.ts'

// --- The recipes: the code of the section, in a module of its own.

interface Found {
  readonly id?: unknown
}
type Select = (collection: unknown, filter: MongoDocument) => Promise<readonly Found[]>
type Read = (collection: unknown, query: MongoQuery) => Promise<Page<Found>>
interface Recipes {
  readonly byDriver: Select
  readonly byMongoose: Select
  readonly pageByDriver: Read
  readonly pageByMongoose: Read
}
const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/mongodb.md'), 'utf8')
const [, code] = /^## Read filters and pages\n[^]*?^```ts\n([^]*?)^```$/m.exec(page)!
const names = Array.from(code!.matchAll(/^const (\w+)/gm), ([, name]) => name!)
const folder = join(import.meta.dirname, '.generated')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'recipes.ts'), `${code}\nexport { ${names.join(', ')} }\n`)
const recipes = (await import(join(folder, 'recipes.ts'))) as Recipes

// --- What is stored, and what is asked.

/** As memory reads them: datetimes are text. */
const rows = [
  {
    id: 1,
    seller: 'north',
    customerName: 'Kim Öztürk',
    status: 'paid',
    total: 5,
    gift: true,
    paidAt: '2024-02-29T12:00:00.000Z',
  },
  { id: 2, seller: 'north', customerName: 'İbrahim', status: 'held', total: 0.5, gift: false, tags: ['sea', 'vip'] },
  {
    id: 3,
    seller: 'south',
    customerName: 'kim',
    total: 7,
    tags: ['Sea'],
    items: [
      { product: 'Kayak', price: 9 },
      { product: 'Ski', price: 1 },
    ],
  },
  {
    id: 4,
    seller: 'south',
    customerName: '',
    arrival: '2024-03-01',
    tags: [],
    items: [{ product: 'Kayak', price: 1 }],
  },
  {
    id: 5,
    seller: 'NORTH',
    total: 5,
    guests: 2,
    customer: { name: 'A.', email: 'a@b' },
    items: [{ arrival: '2024-03-01' }],
  },
  { id: 6 },
]
const o = where(orders)
const restriction = o.startsWith('seller', 'north')
const parsed = (query: string) => parseFilterOrThrow(orders, query)
const queries = [
  ...['', 'seller=north', 'seller[notEqual]=north', 'seller[in]=north,south', 'seller[nin]=north,south'],
  ...['total[gt]=1&total[lte]=5', 'total[exists]=false', 'gift=true', 'status=paid', 'guests[range]=1,2'],
  ...['paidAt=2024-02-29', 'paidAt[notEqual]=2024-02-29', 'arrival[gte]=2024-03-01', 'customer.email[endsWith]=B'],
  ...[
    'customerName[startsWith]=KIM',
    'customerName[contains]=ö',
    'customerName[doesNotContain]=i',
    'customerName[startsWith]=i',
  ],
  ...['tags=sea', 'tags[contains]=SEA', 'tags[nin]=sea', 'tags[exists]=true', 'tags[range]=a,z&tags[endsWith]=p'],
  ...[
    'items.product=Kayak&items.price[lt]=5',
    'items.product[contains]=k&items.price[gt]=5',
    'items.arrival[notEqual]=2024-03-01',
  ],
]
const filters: readonly (readonly [what: string, filter: Filter])[] = [
  ...queries.map((query) => [query, parsed(query)] as const),
  ...queries.map((query) => [`not ${query}`, not(parsed(query))] as const),
  ['one or the other', or(o.equals('seller', 'north'), o.gt('total', 6))],
  ['not an order', not(o.gt('total', 1))],
  ['not an order of texts', not(o.gt('seller', 'north'))],
  ['what a caller may see, and more', and(restriction, parsed('seller=south'))],
  ['what a caller may see, of several', and(restriction, parsed('seller[in]=NORTH,south'))],
  ['nothing', or()],
]

const { compile } = mongoBackend({
  schema: orders,
  fields: { customerName: { name: 'customer_name', lower: 'customer_name_lower' } },
})
const Text = { type: String }
const OrderModel = new MongooseSchema(
  {
    id: Number,
    seller: Text,
    arrival: Text,
    customer_name: Text,
    customer_name_lower: Text,
    status: Text,
    total: Number,
    guests: Number,
    paidAt: Date,
    gift: Boolean,
    tags: { type: [String], default: undefined },
    customer: { type: { name: Text, email: Text }, default: undefined },
    items: { type: [{ arrival: Text, product: Text, price: Number }], default: undefined },
  },
  { strictQuery: 'throw', id: false },
)
OrderModel.index({ seller: 1 }).index({ total: 1 }).index({ customer_name_lower: 1 }).index({ tags: 1 })
OrderModel.index({ 'items.product': 1, 'items.price': 1 })

describe.each(urls)('%s', (url) => {
  const name = `urlwhere_${randomUUID().replaceAll('-', '')}`
  const client = new MongoClient(url)
  const connection = createConnection(url, { dbName: name })
  const Orders = connection.model('Order', OrderModel, 'orders')
  const collection = client.db(name).collection<{ id?: unknown; seller: string; total: number }>('orders')
  beforeAll(async () => {
    await Orders.createIndexes()
    const documents = rows.map(({ customerName, paidAt, ...same }) => ({
      ...same,
      ...(customerName !== undefined && {
        customer_name: customerName,
        customer_name_lower: simpleLowerCase(customerName),
      }),
      ...(paidAt !== undefined && { paidAt: new Date(paidAt) }),
    }))
    await Orders.insertMany(documents)
    // What other documents there are, so that planners choose the indexes.
    await collection.insertMany(Array.from({ length: 2_000 }, (_, at) => ({ seller: `other ${at}`, total: -1 })))
  })
  afterAll(async () => {
    await connection.dropDatabase()
    await connection.close()
    await client.close()
  })

  test('its version is the one that docs/internals/mongodb-servers.md names', async () => {
    const { ferretdb } = (await client.db().command({ buildInfo: 1 })) as { ferretdb?: { version: string } }
    if (ferretdb === undefined) return
    const page = readFileSync(join(import.meta.dirname, '../../../docs/internals/mongodb-servers.md'), 'utf8')
    expect(page).toContain(`FerretDB ${/\d+\.\d+/.exec(ferretdb.version)![0]}`)
  })

  const own: MongoDocument = { id: { $type: 'number' } }
  const idsOf = (documents: readonly { readonly id?: unknown }[]) => documents.map(({ id }) => id as number).sort()
  test.each(filters)('%s', async (_, filter) => {
    const expected = rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
    const asked = () => ({ $and: [compile(filter), own] })
    expect(idsOf(await recipes.byDriver(collection, asked())), 'find').toEqual(expected)
    expect(await collection.countDocuments(asked()), 'countDocuments').toBe(expected.length)
    expect(idsOf(await collection.aggregate([{ $match: asked() }]).toArray()), '$match').toEqual(expected)
    expect(idsOf(await recipes.byMongoose(Orders, asked())), 'Mongoose, find').toEqual(expected)
    expect(idsOf(await Orders.aggregate([{ $match: asked() }])), 'Mongoose, aggregate').toEqual(expected)
    expect(await Orders.countDocuments(asked()), 'Mongoose, countDocuments').toBe(expected.length)
  })
})

// --- Pages, over the types that the page stores

const stored = defineSchema({
  id: field.string(),
  customerName: field.string(),
  reference: field.uuid(),
  sequence: field.bigint(),
  total: field.decimal(),
  guests: field.integer(),
  gift: field.boolean(),
  arrival: field.date(),
  paidAt: field.datetime({ digits: 3 }),
  items: field.list(field.object({ product: field.string() })),
})
const idOf = (number: number) => `65f00000000000000000000${number}`
const backend = mongoBackend({
  schema: stored,
  fields: {
    id: { name: '_id', encode: (id: string) => (/^[\da-f]{24}$/.test(id) ? new ObjectId(id) : undefined) },
    reference: { type: 'binData', encode: (uuid: string) => new UUID(uuid) },
    total: { type: 'decimal', encode: Decimal128.fromString },
    arrival: { type: 'date' },
    customerName: { name: 'customer_name' },
  },
})
const documents = [
  {
    _id: new ObjectId(idOf(1)),
    customer_name: 'Åse',
    reference: new UUID('80000000-0000-4000-8000-000000000000'),
    sequence: 2n ** 53n + 1n,
    total: Decimal128.fromString('12.50'),
    guests: 1,
    gift: true,
    arrival: new Date('2024-02-29'),
    paidAt: new Date('2024-02-29T23:59:59.999Z'),
    items: [{ product: 'Kayak' }],
  },
  {
    _id: new ObjectId(idOf(2)),
    customer_name: 'åse ',
    reference: new UUID('7fffffff-ffff-7fff-bfff-ffffffffffff'),
    sequence: 2 ** 53,
    total: Decimal128.fromString('100'),
    guests: 2,
    gift: false,
    arrival: new Date('2024-03-01'),
    paidAt: new Date('2024-03-01T00:00:00.000Z'),
    items: [{ product: 'Ski' }, { product: 'Kayak' }],
  },
  {
    _id: new ObjectId(idOf(3)),
    customer_name: '100%',
    reference: new UUID('0190aaaa-0000-7000-8000-000000000000'),
    sequence: -(2n ** 63n),
    total: Decimal128.fromString('12.5'),
    guests: Long.fromString('9007199254740991'),
    arrival: new Date('2023-12-31'),
  },
  { _id: new ObjectId(idOf(4)) },
]
const collectionOf = defineCollection(stored, { key: 'id', sort: true, offset: { max: 9 } })
/** By hand: no value first, capitals before small letters, and the id where values are equal. */
const ordered = {
  id: [1, 2, 3, 4],
  customerName: [4, 3, 1, 2],
  total: [4, 1, 3, 2],
  '-total': [2, 3, 1, 4],
  reference: [4, 3, 2, 1],
  '-reference': [1, 2, 3, 4],
  sequence: [4, 3, 2, 1],
  '-sequence': [1, 2, 3, 4],
  guests: [4, 1, 2, 3],
  gift: [3, 4, 2, 1],
  '-gift': [1, 2, 4, 3],
  arrival: [4, 3, 1, 2],
  '-arrival': [2, 1, 3, 4],
  paidAt: [3, 4, 1, 2],
  'total,-guests': [4, 3, 1, 2],
}
describe.each(urls)('pages of %s', (url) => {
  const name = `urlwhere_${randomUUID().replaceAll('-', '')}`
  const client = new MongoClient(url)
  const connection = createConnection(url, { dbName: name })
  const shape = {
    customer_name: Text,
    // Mongoose's own type UUID has no order.
    reference: 'Mixed',
    sequence: BigInt,
    total: 'Decimal128',
    guests: Number,
    gift: Boolean,
    arrival: Date,
    paidAt: Date,
    items: [{ product: Text }],
  }
  const Orders = connection.model('Order', new MongooseSchema(shape), 'orders')
  const collection = client.db(name).collection('orders')
  beforeAll(() => collection.insertMany(documents))
  afterAll(async () => {
    await connection.dropDatabase()
    await connection.close()
    await client.close()
  })
  describe.each([
    { recipe: 'pageByDriver', read: (query: MongoQuery) => recipes.pageByDriver(collection, query) },
    { recipe: 'pageByMongoose', read: (query: MongoQuery) => recipes.pageByMongoose(Orders, query) },
  ])('$recipe', ({ read }) => {
    const pageAt = async (text: string, cursor?: string) => {
      const query = parseQueryOrThrow(collectionOf, `${text}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      const { rows, next, previous } = await read(backend.compileQuery(query))
      return { ids: rows.map(({ id }) => Number(String(id).at(-1))), next, previous }
    }
    test.each(Object.entries(ordered))('by %s', async (sort, ids) => {
      const first = await pageAt(`sort=${sort}&limit=2`)
      expect(first).toMatchObject({ ids: ids.slice(0, 2), previous: undefined })
      const second = await pageAt(`sort=${sort}&limit=2`, first.next)
      expect(second).toMatchObject({ ids: ids.slice(2), next: undefined })
      expect((await pageAt(`sort=${sort}&limit=2`, second.previous)).ids).toEqual(ids.slice(0, 2))
      expect((await pageAt(`sort=${sort}&limit=2&offset=1`)).ids).toEqual(ids.slice(1, 3))
    })
    test.each<[filter: string, ids: readonly number[]]>([
      ['reference=80000000-0000-4000-8000-000000000000', [1]],
      ['reference[lt]=80000000-0000-4000-8000-000000000000', [2, 3]],
      ['reference[notEqual]=7FFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF', [1, 3, 4]],
      ['sequence=9007199254740993', [1]],
      ['sequence=9007199254740992', [2]],
      ['sequence[in]=9007199254740992,-9223372036854775808', [2, 3]],
      ['sequence[gt]=9007199254740992', [1]],
      ['sequence[nin]=9007199254740993', [2, 3, 4]],
      ['total=12.5', [1, 3]],
      ['total[gt]=12.49999999999999999999999999999999', [1, 2, 3]],
      ['total[lte]=12.50000000000000000000000000000001', [1, 3]],
      ['total[notEqual]=100.0', [1, 3, 4]],
      ['paidAt=2024-02-29T23:59:59.999Z', [1]],
      ['paidAt=2024-02-29T23:59:59.999001Z', []],
      ['paidAt[gte]=2024-02-29T23:59:59.999001Z', [2]],
      ['paidAt[lte]=2024-02-29T23:59:59.999001Z', [1]],
    ])('%s', async (filter, ids) => {
      expect((await pageAt(`sort=id&limit=9&${filter}`)).ids).toEqual(ids)
    })
    test('of a filter', async () => {
      const text = 'items.product=Kayak&customerName[notEqual]=x&sort=-arrival&limit=1'
      const first = await pageAt(text)
      expect(first.ids).toEqual([2])
      expect((await pageAt(text, first.next)).ids).toEqual([1])
    })
  })
})

test('the filters tell rows apart', () => {
  const counts = filters.map(([, filter]) => rows.filter(memoryBackend().compile(filter)).length)
  expect(counts.filter((count) => count > 0 && count < rows.length).length).toBeGreaterThan(40)
})
