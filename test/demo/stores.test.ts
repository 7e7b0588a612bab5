/** The stores of the demo: one answer, byte for byte, whichever of them it comes from. */
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAccounts, type Principal } from '../../src/demo/accounts.ts'
import { experiences, orders } from '../../src/demo/data.ts'
import { makeService } from '../../src/demo/service.ts'
import { memoryStore, type Store } from '../../src/demo/store.ts'
import { openStore } from '../../src/demo/stores.ts'
import type { Accounts } from '../../src/http/index.ts'
import { urls } from '../engines/mongo/engines.ts'
import { paths, some } from '../service/paths.ts'

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
// The demo takes the scheme for the server; MYSQL_URL has that of MariaDB's driver, which serves both.
const names = ['sqlite', POSTGRES_URL, MARIADB_URL, MYSQL_URL?.replace('mariadb:', 'mysql:'), ...urls].filter(
  (name) => name !== undefined,
)

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

test.each(['office', 'north'])(
  `${paths.length} answers for %s: memory, ${names.map(schemeOf).join(', ')}`,
  async (account) => {
    const expected = askerOf(memoryStore())
    const others = Array.from(stores, ([name, store]) => ({ name, ask: askerOf(store) }))
    const size: Record<string, number> = {}
    for (const path of paths) {
      const answer = await expected(path, account)
      expect(answer.status, path).toBe(200)
      size[path] = sizeOf(answer)
      for (const { name, ask } of others) {
        const own = await ask(path, account).catch((error: unknown) => error)
        // A comparison is faster than an expectation.
        if (!isDeepStrictEqual(own, answer)) expect(own, `${schemeOf(name)} ${path}`).toEqual(answer)
      }
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
    expect(await all(store, several), schemeOf(name)).toEqual(await all(memoryStore(), several))
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
