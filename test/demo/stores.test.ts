/** The stores of the demo: one answer, byte for byte, whichever of them it comes from. */
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAccounts, type Principal } from '../../docs/demo/accounts.ts'
import { experiences, makeOrders, orders } from '../../docs/demo/data.ts'
import { makeService } from '../../docs/demo/service.ts'
import { memoryStore, type Store } from '../../docs/demo/store.ts'
import { openStore } from '../../docs/demo/stores.ts'
import type { Accounts } from '../../src/service/index.ts'
import { byCompleteness, byEffort, isComplete } from '../effort.ts'
import { urls } from '../engines/mongo/engines.ts'
import { paths, some } from '../service/paths.ts'
import { walk, type Listed } from '../service/walk.ts'

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
// The demo takes the scheme for the server; MYSQL_URL has that of MariaDB's driver, which serves both.
const names = ['sqlite', POSTGRES_URL, MARIADB_URL, MYSQL_URL?.replace('mariadb:', 'mysql:'), ...urls].filter(
  (name) => name !== undefined,
)

let accounts: Accounts<Principal>
beforeAll(async () => {
  accounts = await makeAccounts(2)
})
type Answer = { readonly status: number; readonly body: string }
const askerOf = (store: Store) => {
  const service = makeService(store, accounts, (error) => {
    throw error
  })
  return (path: string, name = 'office') =>
    service(new Request(`http://x${path}`, { headers: { 'X-API-KEY': `${name}-key` } }))
}
const answererOf = (store: Store) => {
  const ask = askerOf(store)
  return async (path: string, name?: string): Promise<Answer> => {
    const answer = await ask(path, name)
    return { status: answer.status, body: await answer.text() }
  }
}
/** How many rows are on all pages. */
const sizeOf = ({ body }: Answer): number => (JSON.parse(body) as Listed).page.count!

const stores = new Map<string, Store>()
beforeAll(async () => {
  for (const name of names) stores.set(name, await openStore(name))
})
test('each store has its backends checked when the service starts', () => {
  for (const [name, { orders, experiences }] of stores) {
    for (const { backend } of [orders, experiences]) expect(backend?.compileQuery, name).toBeTypeOf('function')
  }
})
afterAll(async () => {
  for (const store of stores.values()) await store.close()
})
const schemeOf = (name: string) => name.replace(/:.*/, '')

test.each(byEffort(['office', 'north'], ['north']))(
  `${paths.length} answers for %s: memory, ${names.map(schemeOf).join(', ')}`,
  async (account) => {
    const expected = answererOf(memoryStore())
    const others = Array.from(stores, ([name, store]) => ({ name, ask: answererOf(store) }))
    const size: Record<string, number> = {}
    for (const [at, listed] of paths.entries()) {
      // A quick run compares the page of every eighth, and counts the rows of the others.
      const isCompared = isComplete || at % 8 === 0
      const path = `${listed}&limit=${isCompared ? 200 : 1}&count=true`
      const answer = await expected(path, account)
      expect(answer.status, path).toBe(200)
      size[listed] = sizeOf(answer)
      for (const { name, ask } of isCompared ? others : []) {
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
  const several = paths.slice(0, byCompleteness(60, 20))
  const all = (store: Store, paths: readonly string[]) => Promise.all(paths.map((path) => answererOf(store)(path)))
  for (const [name, store] of stores) {
    expect(await all(store, several), schemeOf(name)).toEqual(await all(memoryStore(), several))
  }
})

type Row = ReturnType<typeof makeOrders>[number]
const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name] ?? null, row)

/** Rows in an order, by the words of the docs: no value first, text by code point (as its UTF-8 is), then the key. */
function sorted(rows: readonly Row[], sort: string): readonly Row[] {
  const asked = sort === '' ? [] : sort.split(',')
  const keys = [...asked, asked.at(-1)?.startsWith('-') ? '-id' : 'id']
  const compare = (a: unknown, b: unknown): number => {
    if (a === null || b === null) return Number(a !== null) - Number(b !== null)
    return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b as string)) : Number(a) - Number(b)
  }
  return rows.toSorted((a, b) => {
    for (const key of keys) {
      const path = key.replace('-', '')
      const difference = compare(valueAt(a, path), valueAt(b, path))
      if (difference !== 0) return key.startsWith('-') ? -difference : difference
    }
    return 0
  })
}

/** Orders with ties, missing values, texts of five scripts, all types, both directions; and selections by hand. */
const walks: readonly (readonly [sort: string, query: string, isSelected: (row: Row) => boolean])[] = [
  ['', '', () => true],
  ['-id', '', () => true],
  ['customerName', '', () => true],
  ['-customerName,total', '', () => true],
  ['status,-arrival', 'total[gte]=100', ({ total }) => (total ?? 0) >= 100],
  ['-gift,guests,-paidAt', '', () => true],
  ['-total', 'seller[in]=s-east,s-west', ({ seller }) => seller === 's-east' || seller === 's-west'],
  ['customer.email,-customer.name', '', () => true],
  ['paidAt,seller', 'gift=true', ({ gift }) => gift === true],
  [
    '-seller,-status',
    'items.product[contains]=SURF',
    ({ items }) => items!.some((item) => item?.product?.toLowerCase().includes('surf')),
  ],
  ['guests,customer.name,arrival', 'gift[exists]=false', ({ gift }) => gift === null],
]
const limit = 83
test.each(walks)('by Link from the first page to the last and back, over every store: sort=%s %s', async (...asked) => {
  const [sort, query, isSelected] = asked
  const ids = sorted(makeOrders().filter(isSelected), sort).map(({ id }) => id!)
  const pages = Array.from({ length: Math.ceil(ids.length / limit) }, (_, at) =>
    ids.slice(at * limit, (at + 1) * limit),
  )
  expect(pages.length).toBeGreaterThan(2)
  const path = `/api/orders?${query}&fields=id&limit=${limit}&count=true${sort === '' ? '' : `&sort=${sort}`}`
  for (const [name, store] of [['memory', memoryStore()] as const, ...stores]) {
    const { forwards, backwards } = await walk(askerOf(store), path)
    const idsOf = (way: typeof forwards) => way.map(({ data }) => data.map(({ id }) => id))
    expect(idsOf(forwards), schemeOf(name)).toEqual(pages)
    expect(idsOf(backwards), schemeOf(name)).toEqual(pages)
    expect(new Set([...forwards, ...backwards].map(({ page }) => page.count))).toEqual(new Set([ids.length]))
  }
})

describe('statements on SQLite', () => {
  let store: Store
  let ask: ReturnType<typeof answererOf>
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const prepared = () => prepare.mock.calls.map(([text]) => text)
  beforeEach(async () => {
    store = await openStore('sqlite')
    ask = answererOf(store)
    prepare.mockClear()
  })
  afterEach(() => store.close())
  afterAll(() => prepare.mockRestore())

  test('are one for restriction and filter, prepared once per text, whatever their values', async () => {
    for (const account of ['north', 'south', 'north']) {
      // Lists of three and of four texts have four placeholders.
      for (const count of [2, 3]) {
        const query = `total[gte]=${count}&tags[in]=${'sea,'.repeat(count)}vip`
        expect((await ask(`/api/orders?${query}`, account)).body).toMatch(/^\{"data":\[\{/)
      }
    }
    expect(prepared()).toEqual([
      expect.stringMatching(
        /^SELECT [^;]* WHERE [^;]*"total"[^;]*"tags"[^;]*"seller"[^;]* ORDER BY "orders"\."id" ASC LIMIT CAST\(\? AS INTEGER\)$/,
      ),
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
