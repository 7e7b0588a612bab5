/** The store of the demo in MongoDB: collections whose names begin with `urlwhere_demo_`. */
import { MongoClient, type Db, type Document, type MongoServerError } from 'mongodb'
import { mongoBackend, type MongoBackend } from '../../src/backends/mongo/index.ts'
import { mongoRows } from '../../src/service/index.ts'
import { experiences, makeExperiences, makeOrders, orders } from './data.ts'
import type { Store } from './store.ts'

/** Rows as documents. */
interface Mapping {
  readonly name: string
  /** Knows where the fields are. */
  readonly backend: MongoBackend
  readonly documents: () => Document[]
  /** For `$elemMatch` too: an index on a list has each of its entries. */
  readonly indexed: readonly string[]
}

export const mappings = {
  orders: {
    name: 'urlwhere_demo_orders',
    // The default: dates are text, datetimes are BSON dates.
    backend: mongoBackend({
      schema: orders,
      fields: { id: { name: '_id' }, customerName: { name: 'customer_name' }, paidAt: { name: 'paid_at' } },
    }),
    documents: () =>
      makeOrders().map(({ id, customerName, paidAt, ...same }) => ({
        _id: id,
        customer_name: customerName,
        paid_at: paidAt && new Date(paidAt),
        ...same,
      })),
    indexed: ['seller', 'arrival', 'tags', 'items.arrival'],
  },
  experiences: {
    name: 'urlwhere_demo_experiences',
    backend: mongoBackend({ schema: experiences, fields: { id: { name: '_id' } } }),
    documents: () => makeExperiences().map(({ id, ...same }) => ({ _id: id, ...same })),
    indexed: ['seller'],
  },
} satisfies Readonly<Record<string, Mapping>>

export async function mongoStore(url: string): Promise<Store> {
  let hosts = ''
  try {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 3_000, connectTimeoutMS: 3_000 })
    hosts = ` at ${client.options.srvHost ?? client.options.hosts.join(',')}`
    return await filledStore(client)
  } catch (error) {
    throw new Error(reasonOf(error) + hosts, { cause: error })
  }
}

async function filledStore(client: MongoClient): Promise<Store> {
  try {
    const database = client.db()
    for (const mapping of Object.values(mappings)) await fill(database, mapping)
    const rowsOf = ({ name, backend }: Mapping) => mongoRows(backend, database.collection(name))
    return {
      orders: rowsOf(mappings.orders),
      experiences: rowsOf(mappings.experiences),
      close: () => client.close(),
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Makes the collection anew. */
async function fill(database: Db, { name, documents, indexed }: Mapping): Promise<void> {
  const collection = database.collection(name)
  // Not every server can drop what is not there.
  const present = await database.collections()
  if (present.some(({ collectionName }) => collectionName === name)) await collection.drop()
  await collection.insertMany(documents())
  await collection.createIndexes(indexed.map((field) => ({ key: { [field]: 1 } })))
}

/** A word of the driver or the server: their sentences have lines, hosts, and parts of the URL. */
function reasonOf(error: unknown): string {
  const { cause, codeName, code, name } = error as MongoServerError
  if (cause !== undefined) return reasonOf(cause)
  return codeName ?? (typeof code === 'string' ? code : name)
}
