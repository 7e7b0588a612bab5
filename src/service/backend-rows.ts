/** The rows of each backend, whole: the page, the number of rows and the facets, in one call. */
import { countOf, toPage } from '../query/index.ts'
import type { FacetValue, FacetValues, Page, Query, RowCount } from '../query/index.ts'
import type { memoryBackend } from '../backends/memory/index.ts'
import type { MongoBackend, MongoDocument } from '../backends/mongo/index.ts'
import type { PrismaBackend } from '../backends/prisma/index.ts'
import type { SqlBackend, SqlPiece } from '../backends/sql/index.ts'
import { checkOptions } from '../options.ts'
import { own } from '../own.ts'
import type { Awaitable } from './awaitable.ts'
import type { ReadRows, RowsAnswer, RowsContext } from './endpoint.ts'

/** The parts of an answer. Each is read when the one before is there: they share a connection. */
interface Parts {
  readonly page: () => Awaitable<Page<unknown>>
  /** `undefined` for a query without a count. */
  readonly count: (() => Awaitable<RowCount>) | undefined
  /** `undefined` for a query without facets. */
  readonly facets: (() => Awaitable<FacetValues>) | undefined
}

async function readInTurn({ page, count, facets }: Parts): Promise<RowsAnswer> {
  return {
    page: await page(),
    ...(count && { count: await count() }),
    ...(facets && { facets: await facets() }),
  }
}

async function facetsInTurn<Facet extends { readonly path: string }>(
  facets: readonly Facet[],
  valuesOf: (facet: Facet) => Promise<readonly FacetValue[]>,
): Promise<FacetValues> {
  const values: [path: string, values: readonly FacetValue[]][] = []
  for (const facet of facets) values.push([facet.path, await valuesOf(facet)])
  return Object.fromEntries(values)
}

/** Rows of every caller. Their context has the type `any`, so TypeScript finds the type of the principal by `authenticate`. */
export interface BackendRows extends Pick<ReadRows, 'backend'> {
  readonly read: (query: Query, context: any) => Promise<RowsAnswer>
}

function checkArgument(isRight: boolean, message: string): void {
  if (!isRight) throw new TypeError(message)
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

const hasFacets = (query: Query): boolean => own(query, 'facets') !== undefined

/** Runs a statement of a transaction, and returns its rows as the driver gives them. */
export type SqlRun = (text: string, parameters: any[]) => Awaitable<readonly unknown[]>

/**
 * Runs `work` in a transaction: it calls `work` once, with the function that runs a statement on the connection of the transaction, and
 * returns the result. Where a statement fails, the promise of `work` rejects: undo the transaction, and throw the error again.
 */
export type SqlTransaction<Principal extends object = object> = (
  context: RowsContext<Principal>,
  work: (run: SqlRun) => Promise<RowsAnswer>,
) => Awaitable<RowsAnswer>

/** How the statements of a request run: one by one, or in a transaction. */
export type SqlRunning<Principal extends object> =
  | ((text: string, parameters: any[], context: RowsContext<Principal>) => Awaitable<readonly unknown[]>)
  | { readonly transaction: SqlTransaction<Principal> }

/**
 * Makes the rows of a SQL database for the service. The statements of a request run one after the other. With `{ transaction }`, they run
 * in one transaction: each statement obeys its settings, for example those of row-level security. At the isolation level `REPEATABLE READ`,
 * all of them read one snapshot.
 *
 * @param backend an `sqlBackend` whose table has a schema.
 * @param running the function that runs a statement with the driver, or `{ transaction }`.
 * @throws TypeError when an argument has the wrong type. A request throws one when `run` returns no list, or when `transaction` does not
 *   call `work` exactly once, or returns another result.
 * @example
 * const orderBackend = sqlBackend({ dialect: postgres, table: orderTable })
 * const rowsOfClient = sqlRows(orderBackend, async (text, parameters) => (await client.query(text, parameters)).rows)
 */
export function sqlRows(backend: SqlBackend, running: SqlRunning<any>): BackendRows
export function sqlRows<Principal extends object>(
  backend: SqlBackend,
  running: SqlRunning<Principal>,
): ReadRows<Principal>
export function sqlRows(backend: SqlBackend, running: SqlRunning<any>): BackendRows {
  const isSql = backend?.capabilities?.features.includes('select') === true
  checkArgument(isSql, 'backend must be an sqlBackend whose table(…) has a schema')
  const reading = sqlReading(backend)
  if (typeof running === 'function') {
    return {
      backend,
      read: (query, context) =>
        reading(query)((text, parameters) => running(text, parameters, context), context.signal),
    }
  }
  const { transaction } = checkOptions(running, 'running', ['transaction'])
  checkArgument(isFunction(transaction), 'running.transaction must be a function')
  return {
    backend,
    read: (query, context) => {
      // Before the transaction begins: a query that the backend refuses needs none.
      const read = reading(query)
      return inTransaction(
        (work) => transaction(context, work),
        (run) => read(run, context.signal),
      )
    },
  }
}

type ReadBy = (run: SqlRun, signal: AbortSignal | undefined) => Promise<RowsAnswer>

const sqlReading =
  (backend: SqlBackend) =>
  (query: Query): ReadBy => {
    const statement = backend.select(query)
    const count = query.count === false ? undefined : statement.count
    const facets = hasFacets(query) ? backend.facets(query) : undefined
    return (run, signal) => {
      const rowsOf = async ({ text, parameters }: SqlPiece): Promise<readonly unknown[]> => {
        signal?.throwIfAborted()
        const rows: unknown = await run(text, parameters)
        if (Array.isArray(rows)) return rows
        throw new TypeError('run must return the rows of the statement, which are a list')
      }
      return readInTurn({
        page: async () => statement.page(await rowsOf(statement)),
        count: count && (async () => count.read((await rowsOf(count))[0])),
        facets: facets && (() => facetsInTurn(facets, async (facet) => facet.read(await rowsOf(facet)))),
      })
    }
  }

/** Checks that a transaction calls its work once, and returns its result. */
async function inTransaction(
  transaction: (work: (run: SqlRun) => Promise<RowsAnswer>) => Awaitable<RowsAnswer>,
  read: (run: SqlRun) => Promise<RowsAnswer>,
): Promise<RowsAnswer> {
  let calls = 0
  let outcome: Promise<RowsAnswer> | undefined
  const misused = (fault: string) => new TypeError(`transaction must call work once and return its result: it ${fault}`)
  try {
    const result = await transaction((run) => {
      const called = ++calls === 1 ? read(run) : Promise.reject(misused('calls work again'))
      // A transaction that ends early leaves a promise that nobody waits for.
      called.catch(() => {})
      outcome ??= called
      return called
    })
    if (outcome === undefined) throw misused('does not call work')
    // Rejects with the error of a statement, where the transaction does not.
    if ((await outcome) !== result) throw misused('returns another result')
    if (calls > 1) throw misused('calls work again')
    return result
  } finally {
    // A later call must run no statement.
    calls = 1
  }
}

/** The part of a collection of MongoDB's driver that {@link mongoRows} calls. */
export interface MongoCollection {
  find(filter: MongoDocument, options: object): { toArray(): Promise<object[]> }
  countDocuments(filter: MongoDocument, options: object): Promise<number>
  aggregate(pipeline: MongoDocument[], options: object): { toArray(): Promise<object[]> }
}

/**
 * Makes the rows of a collection of MongoDB for the service. A client that disconnects ends its operation.
 *
 * @param backend a `mongoBackend` with a schema.
 * @param collection reads documents with MongoDB's driver: `db.collection('orders')`. With Mongoose, pass `Orders.collection`.
 * @throws TypeError when an argument has the wrong type.
 * @example
 * const rowsOfMongo = mongoRows(mongoBackend({ schema: orders }), collection)
 */
export function mongoRows(backend: MongoBackend, collection: MongoCollection): BackendRows {
  checkArgument(isFunction(backend?.compileQuery), 'backend must be a mongoBackend with a schema')
  checkArgument(isFunction(collection?.countDocuments), "collection must be a collection of MongoDB's driver")
  return {
    backend,
    read: (query, { signal }) => {
      const { filter, sort, limit, skip = 0, projection = {}, count, countOptions, page } = backend.compileQuery(query)
      const facets = hasFacets(query) ? backend.facets(query) : undefined
      return readInTurn({
        page: async () => page(await collection.find(filter, { sort, limit, skip, projection, signal }).toArray()),
        count:
          query.count === false
            ? undefined
            : async () => countOf(query, await collection.countDocuments(count, { ...countOptions, signal })),
        facets:
          facets &&
          (() =>
            facetsInTurn(facets, async ({ pipeline, read }) =>
              read(await collection.aggregate(pipeline, { signal }).toArray()),
            )),
      })
    },
  }
}

/** The part of a model of Prisma's client that {@link prismaRows} calls. */
export interface PrismaDelegate {
  findMany(args: any): PromiseLike<readonly unknown[]>
  count(args: any): PromiseLike<number>
}

/**
 * Makes the rows of a model of Prisma for the service. They have no facets.
 *
 * @param backend the `prismaBackend` of the model.
 * @param delegate reads the model with Prisma's client: `prisma.order`.
 * @throws TypeError when an argument has the wrong type.
 * @example
 * const noteRows = prismaRows(prismaBackend({ schema: notes, datamodel, model: 'Note' }), prisma.note)
 */
export function prismaRows(backend: PrismaBackend, delegate: PrismaDelegate): BackendRows {
  checkArgument(isFunction(backend?.compileQuery), 'backend must be a prismaBackend')
  checkArgument(isFunction(delegate?.findMany), "delegate must be a model of Prisma's client")
  return {
    backend,
    read: (query) => {
      const { findMany, count, page } = backend.compileQuery(query)
      return readInTurn({
        page: async () => page(await delegate.findMany(findMany)),
        count: query.count === false ? undefined : async () => countOf(query, await delegate.count(count)),
        facets: undefined,
      })
    },
  }
}

/**
 * Makes rows in memory for the service.
 *
 * @param backend made by `memoryBackend()`.
 * @param rows returns all rows, JSON values in the form of the schema, for each request.
 * @throws TypeError when an argument has the wrong type.
 * @example
 * const rowsOfMemory = memoryRows(memoryBackend(), () => rows)
 */
export function memoryRows(
  backend: ReturnType<typeof memoryBackend>,
  rows: (context: RowsContext<any>) => Awaitable<readonly unknown[]>,
): BackendRows
export function memoryRows<Principal extends object>(
  backend: ReturnType<typeof memoryBackend>,
  rows: (context: RowsContext<Principal>) => Awaitable<readonly unknown[]>,
): ReadRows<Principal>
export function memoryRows(
  backend: ReturnType<typeof memoryBackend>,
  rows: (context: RowsContext<any>) => Awaitable<readonly unknown[]>,
): BackendRows {
  checkArgument(isFunction(backend?.compileQuery), 'backend must be a memoryBackend')
  checkArgument(isFunction(rows), 'rows must be a function of the context')
  return {
    backend,
    read: async (query, context) => {
      const all = await rows(context)
      const { rows: found, count } = backend.compileQuery(query)(all)
      return {
        page: toPage(query, found),
        ...(count !== undefined && { count }),
        ...(hasFacets(query) && { facets: backend.facets(query)(all) }),
      }
    },
  }
}
