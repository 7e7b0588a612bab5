/** The official driver and Mongoose with a server: each of their ways to ask selects what memory selects. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { createConnection, Schema as MongooseSchema } from 'mongoose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { mongoBackend, type MongoDocument } from '../../../src/backends/mongo/index.ts'
import { and, not, or, parseFilterOrThrow, where, type Filter } from '../../../src/index.ts'
import { simpleLowerCase } from '../../../src/text.ts'
import { orders } from '../../orders.ts'
import { urls } from './engines.ts'

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
    expect(idsOf(await collection.find(asked()).toArray()), 'find').toEqual(expected)
    expect(await collection.countDocuments(asked()), 'countDocuments').toBe(expected.length)
    expect(idsOf(await collection.aggregate([{ $match: asked() }]).toArray()), '$match').toEqual(expected)
    expect(idsOf(await Orders.find(asked()).lean()), 'Mongoose, find').toEqual(expected)
    expect(idsOf(await Orders.aggregate([{ $match: asked() }])), 'Mongoose, aggregate').toEqual(expected)
    expect(await Orders.countDocuments(asked()), 'Mongoose, countDocuments').toBe(expected.length)
  })
})

test('the filters tell rows apart', () => {
  const counts = filters.map(([, filter]) => rows.filter(memoryBackend().compile(filter)).length)
  expect(counts.filter((count) => count > 0 && count < rows.length).length).toBeGreaterThan(40)
})
