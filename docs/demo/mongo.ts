/** The store of the demo in MongoDB: collections whose names begin with `urlwhere_demo_`. */
import { MongoClient, type Db, type Document, type MongoServerError } from 'mongodb'
import type { FacetValues } from '../../src/index.ts'
import type { FacetBackend } from '../../src/tree.ts'
import { mongoBackend, type MongoDocument, type MongoFacet, type MongoQuery } from '../../src/backends/mongo/index.ts'
import { experiences, makeExperiences, makeOrders, orders } from './data.ts'
import type { CountedRows, Store } from './store.ts'

/** Rows as documents. */
interface Mapping {
  readonly name: string
  /** Knows where the fields are. */
  readonly backend: FacetBackend<MongoDocument, MongoQuery, readonly MongoFacet[]>
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
    const { orders, experiences } = mappings
    return {
      orders: rowsOf(database, orders),
      experiences: rowsOf(database, experiences),
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

const rowsOf = (database: Db, { name, backend }: Mapping): CountedRows => ({
  backend,
  // A signal that aborts closes the connection, and the server ends the operation of a connection that is closed.
  find: async (query, { signal }) => {
    const { filter, sort, limit, skip = 0, projection = {}, read } = backend.compileQuery(query)
    const documents = await database.collection(name).find(filter, { sort, limit, skip, projection, signal }).toArray()
    return documents.map(read)
  },
  count: ({ filter }, { signal }) => database.collection(name).countDocuments(backend.compile(filter), { signal }),
  facets: async (query, { signal }) => {
    const values: Record<string, FacetValues[string]> = {}
    for (const { path, pipeline, read } of backend.facets(query))
      values[path] = read(await database.collection(name).aggregate(pipeline, { signal }).toArray())
    return values
  },
})

/** A word of the driver or the server: their sentences have lines, hosts, and parts of the URL. */
function reasonOf(error: unknown): string {
  const { cause, codeName, code, name } = error as MongoServerError
  if (cause !== undefined) return reasonOf(cause)
  return codeName ?? (typeof code === 'string' ? code : name)
}
