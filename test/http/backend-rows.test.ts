/** `sqlRows`, `mongoRows`, `prismaRows` and `memoryRows`: the same answers, one statement after the other, one transaction. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { aggregate, find } from 'mingo'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import { sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import {
  memoryRows,
  mongoRows,
  prismaRows,
  sqlRows,
  type MongoCollection,
  type PrismaDelegate,
  type ReadRows,
  type Rows,
  type RowsAnswer,
  type SqlRun,
  type SqlTransaction,
  type RowsContext,
} from '../../src/service/index.ts'
import { defineCollection, defineSchema, field, narrow, where } from '../../src/index.ts'
import { createListService } from './form.ts'

const schema = defineSchema({ id: field.integer(), seller: field.string(), status: field.string() })
const collection = defineCollection(schema, { key: 'id', sort: ['status'], count: { max: 2 }, facets: ['status'] })
const stored = [
  { id: 1, seller: 'a', status: 'paid' },
  { id: 2, seller: 'a', status: 'held' },
  { id: 3, seller: 'a', status: 'paid' },
  { id: 4, seller: 'b', status: 'paid' },
]
const database = new DatabaseSync(':memory:')
afterAll(() => database.close())
database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT, status TEXT) STRICT')
for (const { id, seller, status } of stored)
  database.prepare('INSERT INTO orders VALUES (?, ?, ?)').run(id, seller, status)
const run: SqlRun = (text, parameters) => database.prepare(text).all(...(parameters as SQLInputValue[]))

const sql = sqlBackend({ dialect: sqlite, table: table('orders', { schema, key: 'id' }) })
const documents: MongoCollection = {
  find: (filter, { projection, sort, limit, skip }: any) => ({
    toArray: () =>
      Promise.resolve(
        find<object>([...stored], filter, projection)
          .sort(sort)
          .skip(skip)
          .limit(limit)
          .all(),
      ),
  }),
  countDocuments: (filter, { limit }: { limit?: number }) =>
    Promise.resolve(
      find<object>([...stored], filter)
        .limit(limit ?? Infinity)
        .all().length,
    ),
  aggregate: (pipeline) => ({ toArray: () => Promise.resolve(aggregate([...stored], pipeline) as object[]) }),
}

interface Caller {
  readonly seller: string
}
const errors: unknown[] = []
const serviceOf = (rows: Rows<Caller>, of = collection) =>
  createListService<Caller>({
    authenticate: () => ({ seller: 'a' }),
    collections: {
      orders: { collection: of, rows, restriction: ({ seller }) => where(schema).equals('seller', seller) },
    },
    onError: (error) => errors.push(error),
  })
const ask = async (rows: Rows<Caller>, query: string, init: RequestInit = {}) => {
  const response = await serviceOf(rows)(new Request(`http://x/orders?${query}`, init))
  return { status: response.status, body: (await response.json()) as any, errors: errors.splice(0) }
}
const everything = 'sort=-status&limit=1&count=true&facets=status&status=paid'
const expected = {
  data: [{ id: 3, seller: 'a', status: 'paid' }],
  count: 2,
  facets: {
    status: [
      { value: 'paid', count: 2 },
      { value: 'held', count: 1 },
    ],
  },
}

describe.each<[name: string, rows: ReadRows<Caller>]>([
  ['sqlRows', sqlRows(sql, run)],
  ['sqlRows in a transaction', sqlRows(sql, { transaction: (_, work) => work(run) })],
  ['mongoRows', mongoRows(mongoBackend({ schema }), documents)],
  ['memoryRows', memoryRows(memoryBackend(), () => stored)],
  ['memoryRows, later', memoryRows<Caller>(memoryBackend(), ({ principal }) => Promise.resolve(principal && stored))],
])('%s', (_, rows) => {
  test('reads the page, the count and the facets', async () => {
    const { body } = await ask(rows, everything)
    expect({ ...body, page: undefined, count: body.page.count }).toEqual({ ...expected, page: undefined })
    const second = await ask(rows, `${everything}&cursor=${body.page.next}`)
    expect(second.body.data).toEqual([{ id: 1, seller: 'a', status: 'paid' }])
    expect(second.body.page).toEqual({ previous: expect.any(String), count: 2 })
  })
  test('reads a page alone, and a count beyond the maximum', async () => {
    expect((await ask(rows, 'limit=3')).body).toEqual({ data: stored.slice(0, 3), page: {} })
    expect((await ask(rows, 'count=true')).body).toEqual({ data: stored.slice(0, 3), page: { count: { atLeast: 2 } } })
  })
  test('names the backend, which is checked', () => {
    const wide = defineSchema({ ...schema.fields, note: field.string() })
    const other = defineCollection(wide, { key: 'id' })
    if (rows.backend!.name !== 'memory')
      expect(() => serviceOf(rows, other)).toThrow(/refuses .* that the collection offers/)
  })
})

describe('prismaRows', () => {
  const datamodel = `datasource db {
      provider = "sqlite"
    }
    model Order {
      id Int @id
      seller String
      status String
    }`
  const backend = prismaBackend({ schema, datamodel, model: 'Order' })
  const model: PrismaDelegate = {
    findMany: ({ take }: { take: number }) => Promise.resolve(stored.slice(0, take)),
    count: ({ take }: { take?: number }) => Promise.resolve(Math.min(stored.length, take ?? Infinity)),
  }
  const rows = prismaRows(backend, model)
  test('reads the page and the count', async () => {
    const plain = narrow(collection, { facets: false })
    const response = await serviceOf(rows, plain)(new Request('http://x/orders?limit=1&count=true'))
    expect(await response.json()).toEqual({
      data: [stored[0]],
      page: { next: expect.any(String) as unknown, count: { atLeast: 2 } },
    })
  })
  test('has no facets, which is found at the start', () =>
    expect(() => serviceOf(rows)).toThrow(/this backend counts no facets \(facets=status\)/))
})

describe('the statements of sqlRows', () => {
  test('run one after the other', async () => {
    let running = 0
    const texts: string[] = []
    const slow = async (text: string, parameters: any[]) => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      texts.push(text)
      return run(text, parameters)
    }
    expect((await ask(sqlRows(sql, slow), everything)).status).toBe(200)
    expect(texts).toHaveLength(3)
    texts.length = 0
    expect((await ask(sqlRows(sql, { transaction: (_, work) => work(slow) }), everything)).status).toBe(200)
    expect(texts).toHaveLength(3)
  })
  test('receive the context of the request', async () => {
    const contexts = new Set<unknown>()
    const noted = (text: string, parameters: any[], context: RowsContext<Caller>) => (
      contexts.add(context),
      run(text, parameters)
    )
    await ask(sqlRows(sql, noted), everything)
    expect([...contexts]).toMatchObject([{ principal: { seller: 'a' } }])
  })
  test('stop when the client disconnects', async () => {
    const client = new AbortController()
    const texts: string[] = []
    let ended: Promise<unknown> | undefined
    const rows = sqlRows(sql, {
      transaction: (_, work) => {
        ended = work((text, parameters) => (texts.push(text), client.abort(), run(text, parameters)))
        return ended as Promise<RowsAnswer>
      },
    })
    await ask(rows, everything, { signal: client.signal })
    await expect(ended).rejects.toThrow('gone')
    expect(texts).toHaveLength(1)
  })
  test.each([[undefined], [null], [{ rows: [] }], ['rows']])('must return rows, and not %j', async (rows) => {
    const { status, errors } = await ask(
      sqlRows(sql, () => rows as never),
      '',
    )
    expect([status, errors]).toEqual([
      500,
      [new TypeError('run must return the rows of the statement, which are a list')],
    ])
  })
  test('that fail are a 503', async () => {
    const down = new Error('down')
    expect(
      await ask(
        sqlRows(sql, () => Promise.reject(down)),
        '',
      ),
    ).toMatchObject({ status: 503, errors: [down] })
    const throws = () => {
      throw down
    }
    expect(await ask(sqlRows(sql, throws), '')).toMatchObject({ status: 503, errors: [down] })
  })
})

describe('a transaction', () => {
  type Transaction = SqlTransaction<Caller>
  const asking = (transaction: Transaction) => ask(sqlRows(sql, { transaction }), everything)
  const misuse = (fault: string) => new TypeError(`transaction must call work once and return its result: it ${fault}`)
  const inSpite = async (work: Promise<unknown>) => work.catch(() => {})
  test.each<[fault: string, transaction: Transaction]>([
    ['does not call work', () => ({}) as RowsAnswer],
    ['does not call work', () => undefined as never],
    ['returns another result', async (_, work) => ({ ...(await work(run)) })],
    ['returns another result', (_, work) => void work(run) as never],
    ['calls work again', async (_, work) => (await work(run), work(run))],
    [
      'calls work again',
      async (_, work) => {
        const result = await work(run)
        await inSpite(work(run))
        return result
      },
    ],
  ])('that %s is an error', async (fault, transaction) => {
    expect(await asking(transaction)).toMatchObject({ status: 500, errors: [misuse(fault)] })
  })
  test('that ends runs nothing afterwards', async () => {
    const kept: Parameters<Transaction>[1][] = []
    const counted = vi.fn(run)
    await asking((_, work) => (kept.push(work), work(counted)))
    const runs = counted.mock.calls.length
    await asking((_, work) => (kept.push(work), {} as never))
    for (const work of kept) await expect(work(counted)).rejects.toEqual(misuse('calls work again'))
    expect(counted).toHaveBeenCalledTimes(runs)
  })
  test('whose statement fails gives its error, also where it returns a result', async () => {
    const down = new Error('down')
    const failing: SqlRun = () => Promise.reject(down)
    for (const transaction of [
      (_: unknown, work) => work(failing),
      async (_: unknown, work) => (await inSpite(work(failing))) as never,
    ] satisfies Transaction[])
      expect(await asking(transaction)).toMatchObject({ status: 503, errors: [down] })
  })
  test('that rejects while a statement runs gives its error', async () => {
    const down = new Error('no connection')
    const late: SqlRun = () => new Promise((_, reject) => setTimeout(reject, 1, new Error('late')))
    const transaction: Transaction = (_, work) => {
      void work(late)
      throw down
    }
    expect(await asking(transaction)).toMatchObject({ status: 503, errors: [down] })
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  test('does not begin for a query that the backend refuses', async () => {
    const small = sqlBackend({
      dialect: { ...sqlite, maxParameters: 4 },
      table: table('orders', { schema, key: 'id' }),
    })
    const transaction = vi.fn<Transaction>()
    const { backend: _, ...rows } = sqlRows<Caller>(small, { transaction })
    const { status, body } = await ask(rows, 'status=a&id=1&id[gte]=1&id[lte]=9')
    expect([status, body.issues[0].code]).toEqual([400, 'backend_refused'])
    expect(transaction).not.toHaveBeenCalled()
  })
})

describe('arguments', () => {
  test.each<[backend: unknown]>([
    [undefined],
    [memoryBackend()],
    [sqlBackend({ dialect: sqlite, table: table('orders', { columns: {} }) })],
  ])('%o is no backend of sqlRows', (backend) =>
    expect(() => sqlRows(backend as never, run)).toThrow(
      new TypeError('backend must be an sqlBackend whose table(…) has a schema'),
    ),
  )
  test.each<[running: unknown, message: string]>([
    [undefined, 'running must be an object'],
    [{}, 'running.transaction must be a function'],
    [{ transaction: 5 }, 'running.transaction must be a function'],
    [{ transactions: run }, 'running.transactions is unknown; did you mean transaction? (available: transaction)'],
  ])('%o runs nothing', (running, message) =>
    expect(() => sqlRows(sql, running as never)).toThrow(new TypeError(message)),
  )
})

test('rows.read takes precedence over the functions that read a part', async () => {
  const rows = { find: () => [], count: () => 0, ...memoryRows(memoryBackend(), () => stored) }
  expect((await ask(rows as never, 'count=true')).body.data).toEqual(stored.slice(0, 3))
})
test.each<[answer: unknown, message: RegExp]>([
  [undefined, /^rows\.read must return page: the page/],
  [{}, /^rows\.read must return page: the page/],
  [Object.create({ page: { rows: [] } }), /^rows\.read must return page: the page/],
  [{ page: { rows: [] } }, /^rows\.read must return count: a whole number, or \{ atLeast: 2 \}/],
  [{ page: { rows: [] }, count: 1 }, /^rows\.read must return facets: the values of status, at most/],
])('a read that returns %j is a 500', async (answer, message) => {
  const { status, errors } = await ask({ read: () => answer as never }, 'count=true&facets=status')
  expect([status, String((errors[0] as Error).message)]).toEqual([500, expect.stringMatching(message)])
})
test('parts that the query does not request are left out', async () => {
  const read = () => ({ page: { rows: [] }, count: 1, facets: { status: [] } })
  expect((await ask({ read }, '')).body).toEqual({ data: [], page: {} })
})
