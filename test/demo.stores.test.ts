/** The stores of the demo: one answer, byte for byte, whichever of them it comes from. */
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAccounts, type Principal } from '../src/demo/accounts.ts'
import { experiences, orders } from '../src/demo/data.ts'
import { mappings } from '../src/demo/mongo.ts'
import { makeService } from '../src/demo/service.ts'
import { memoryStore, openStore, type Store } from '../src/demo/store.ts'
import type { Accounts } from '../src/http/index.ts'
import { parseFilterOrThrow } from '../src/index.ts'
import { departuresOf } from './mongo/departures.ts'
import { productOf, urls } from './mongo/engines.ts'
import { paths, some } from './service/paths.ts'

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
const names = ['sqlite', POSTGRES_URL, MARIADB_URL, MYSQL_URL, ...urls].filter((name) => name !== undefined)

let accounts: Accounts<Principal>
beforeAll(async () => {
  accounts = await makeAccounts()
})
type Answer = { readonly status: number; readonly body: string }
const askerOf = (store: Store) => {
  const service = makeService(store, accounts, (error) => {
    throw error
  })
  return async (path: string, name = 'office'): Promise<Answer> => {
    const answer = await service(new Request(`http://x${path}`, { headers: { 'X-API-KEY': `${name}-key` } }))
    return { status: answer.status, body: await answer.text() }
  }
}
const sizeOf = ({ body }: Answer): number => (JSON.parse(body) as { data: unknown[] }).data.length

const stores = new Map<string, Store>()
beforeAll(async () => {
  for (const name of names) stores.set(name, await openStore(name))
})
afterAll(async () => {
  for (const store of stores.values()) await store.close()
})
const schemeOf = (name: string) => name.replace(/:.*/, '')

/** What the servers that speak MongoDB's protocol are, by URL. */
const products = new Map<string, string>()
beforeAll(async () => {
  for (const url of urls) {
    const client = new MongoClient(url)
    products.set(url, await productOf(client.db()).finally(() => client.close()))
  }
})
/** The share of answers that must be exact. The rest may differ, where the server is known to depart from MongoDB's manual. */
const leastExact: Readonly<Record<string, number>> = { FerretDB: 0.8, 'mongo-java-server': 0.95 }
/** FerretDB takes a fifth of a second for each: it is asked every fourth, and others by each account. */
const isAsked = (store: string, account: string, at: number): boolean =>
  products.get(store) !== 'FerretDB' || at % 4 === (account === 'north' ? 1 : 0)

function departs(store: string, path: string): boolean {
  const product = products.get(store)
  if (product === undefined) return false
  const { pathname, search } = new URL(path, 'http://x')
  const name = pathname === '/api/orders' ? 'orders' : 'experiences'
  const { backend, documents } = mappings[name]
  const document = backend.compile(parseFilterOrThrow({ orders, experiences }[name], search.slice(1)))
  return departuresOf({ name: product }, document, documents()).length > 0
}

test.each(['office', 'north'])(
  `${paths.length} answers for %s: memory, ${names.map(schemeOf).join(', ')}`,
  async (account) => {
    const expected = askerOf(memoryStore())
    const others = Array.from(stores, ([name, store]) => ({ name, ask: askerOf(store), asked: 0, exact: 0 }))
    const size: Record<string, number> = {}
    for (const [at, path] of paths.entries()) {
      const answer = await expected(path, account)
      expect(answer.status, path).toBe(200)
      size[path] = sizeOf(answer)
      for (const other of others) {
        const { name, ask } = other
        if (!isAsked(name, account, at)) continue
        other.asked++
        const own = await ask(path, account).catch((error: unknown) => error)
        if (isDeepStrictEqual(own, answer)) other.exact++
        else if (!departs(name, path)) expect(own, `${schemeOf(name)} ${path}`).toEqual(answer)
      }
    }
    for (const { name, asked, exact } of others) {
      const product = products.get(name) ?? schemeOf(name)
      expect(asked, product).toBeGreaterThanOrEqual(paths.length / 4)
      expect(exact / asked, product).toBeGreaterThanOrEqual(leastExact[product] ?? 1)
    }

    // The queries are worth asking: of each field, one tells rows apart.
    for (const [collection, { paths: fields }] of Object.entries({ orders, experiences })) {
      for (const field of fields.keys()) {
        const own = paths.filter((path) => path.startsWith(`/api/${collection}?${field}[`)).map((path) => size[path]!)
        const all = size[`/api/${collection}?${some}`]!
        expect(own.some((size) => size > 0 && size < all) || (field === 'seller' && account === 'north'), field).toBe(
          true,
        )
      }
    }
  },
  600_000,
)

test('answers to requests that come at once', async () => {
  const several = paths.slice(0, 60)
  const all = (store: Store, paths: readonly string[]) => Promise.all(paths.map((path) => askerOf(store)(path)))
  for (const [name, store] of stores) {
    const exact = several.filter((path) => !departs(name, path))
    expect(await all(store, exact), schemeOf(name)).toEqual(await all(memoryStore(), exact))
  }
})

describe('statements on SQLite', () => {
  let store: Store
  let ask: ReturnType<typeof askerOf>
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const prepared = () => prepare.mock.calls.map(([text]) => text)
  beforeEach(async () => {
    store = await openStore('sqlite')
    ask = askerOf(store)
    prepare.mockClear()
  })
  afterEach(() => store.close())
  afterAll(() => prepare.mockRestore())

  test('are one for restriction and filter, prepared once per text, whatever their values', async () => {
    for (const account of ['north', 'south', 'north']) {
      for (const count of [1, 2, 3]) {
        const query = `total[gte]=${count}&tags[in]=${'sea,'.repeat(count)}vip`
        expect(sizeOf(await ask(`/api/orders?${query}`, account))).toBeGreaterThan(10)
      }
    }
    expect(prepared()).toEqual([
      expect.stringMatching(/^SELECT [^;]* WHERE [^;]*"seller"[^;]*"total"[^;]*"tags"[^;]* ORDER BY orders\.id$/),
    ])
  })

  test('are kept while they are in use, and not without end', async () => {
    const conditions = ['total[gt]=1', 'guests[gt]=1', 'gift=true', 'status=new', 'arrival[gt]=2024-02-01']
    conditions.push('customer[exists]=true', 'tags=sea', 'items.price[gt]=10')
    const subsets = Array.from({ length: 2 ** conditions.length }, (_, bits) =>
      conditions.filter((_, at) => bits & (2 ** at)),
    )
    const [first, ...others] = subsets.map((subset) => `/api/orders?${['id[lt]=9', ...subset].join('&')}`)
    for (const other of others) {
      await ask(first!)
      await ask(other)
    }
    expect(new Set(prepared()).size).toBe(subsets.length)
    expect(prepared()).toHaveLength(subsets.length)
    await ask(others[0]!)
    expect(prepared()).toHaveLength(subsets.length + 1)
  })
})
