/** The callers of the demo: the desk, which knows no total; tenants behind two walls; requests that end before their answers. */
import { once } from 'node:events'
import { request as requestOf, type ClientRequest, type Server } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import driver from 'mariadb'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { demoAccounts, makeAccounts, type Principal } from '../../docs/demo/accounts.ts'
import { makeApp } from '../../docs/demo/app.ts'
import { experienceCollection, makeOrders, orderCollection } from '../../docs/demo/data.ts'
import { makeService, timeout } from '../../docs/demo/service.ts'
import { memoryStore, type Store } from '../../docs/demo/store.ts'
import { openStore } from '../../docs/demo/stores.ts'
import type { Accounts } from '../../src/service/index.ts'
import { parseQueryOrThrow } from '../../src/index.ts'
import { urls as mongoUrls } from '../engines/mongo/engines.ts'

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env

let accounts: Accounts<Principal>
beforeAll(async () => {
  accounts = await makeAccounts(2)
})
const principalOf = (name: string) => demoAccounts.find((account) => account.name === name)!
const contextOf = (principal: Principal, signal = new AbortController().signal) => ({
  ...{ principal, signal, request: new Request('http://x'), reserved: new Map<string, string[]>() },
})
/** The ids and sellers of a list. */
interface Listed {
  readonly data: readonly { readonly id: number; readonly seller: string }[]
  readonly page: { readonly next?: string; readonly count?: number }
}

describe('the desk', () => {
  const errors: unknown[] = []
  const ask = async (query: string, name = 'desk', method = 'GET') => {
    const service = makeService(memoryStore(), accounts, (error) => errors.push(error))
    const headers = { 'X-API-KEY': `${name}-key`, 'content-type': 'application/x-www-form-urlencoded' }
    const [search, content] = method === 'GET' ? [query, {}] : ['', { body: query }]
    const response = await service(new Request(`http://x/api/orders?${search}`, { method, headers, ...content }))
    return { status: response.status, text: await response.text() }
  }

  test('sees the orders of every seller, each without its total', async () => {
    const [desk, office] = [await ask('limit=200&sort=-guests'), await ask('limit=200&sort=-guests', 'office')]
    const rowsOf = ({ text }: typeof desk) => (JSON.parse(text) as { data: Record<string, unknown>[] }).data
    expect(rowsOf(desk)).toEqual(rowsOf(office).map(({ total: _, ...others }) => others))
    expect(new Set(rowsOf(desk).map(({ seller }) => seller)).size).toBe(4)
    expect(desk.text).not.toContain('total')
  })

  test.each(['total=5', 'total[gte]=5', 'sort=total', 'sort=-total,id', 'fields=id,total', 'or=(total=5,id=1)'])(
    'gets for %s what it gets for a field that does not exist, in the URL and as content',
    async (query) => {
      for (const method of ['GET', 'QUERY']) {
        const asked = await ask(query, 'desk', method)
        const absent = await ask(query.replaceAll('total', 'absnt'), 'desk', method)
        expect([asked.status, (await ask(query, 'office', method)).status]).toEqual([400, 200])
        expect(asked.text.replaceAll('total', 'absnt')).toBe(absent.text)
      }
    },
  )

  test.each(['totl=5', 'TOTAL=5', 'sort=totals', 'fields=id,Total', 'total.x=1', 'totale[gte]=1'])(
    'gets no hint of the total for %s, where the office does',
    async (query) => {
      const hintsIn = ({ text }: { text: string }) =>
        (JSON.parse(text) as { issues: { hint?: string; suggestion?: object }[] }).issues
          .map(({ hint, suggestion }) => JSON.stringify([hint, suggestion]))
          .join()
      expect(hintsIn(await ask(query))).not.toMatch(/total/)
      if (query !== 'total.x=1') expect(hintsIn(await ask(query, 'office'))).toMatch(/\btotal\b/)
    },
  )

  test('cannot go on from a cursor of an order by total', async () => {
    const { page } = JSON.parse((await ask('sort=-total&limit=1', 'office')).text) as Listed
    for (const query of ['', 'sort=id&', 'sort=-guests&']) {
      const { status, text } = await ask(`${query}cursor=${page.next}`)
      expect([status, text.includes('parameter_invalid'), text.includes('total')]).toEqual([400, true, false])
    }
  })
  afterAll(() => expect(errors).toEqual([]))
})

/** The demo on a port, with a store. */
async function serve(store: Store) {
  const errors: Error[] = []
  const listener = makeApp(store, accounts, (error) => errors.push(error as Error))
  const server = createAdaptorServer({ fetch: listener, overrideGlobalObjects: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    errors,
    /** Sends a request whose answer may never come. */
    send(path: string, method = 'GET'): ClientRequest {
      const headers = { 'X-API-KEY': 'office-key', 'content-type': 'application/x-www-form-urlencoded' }
      const request = requestOf({ port, host: '127.0.0.1', path, method, headers })
      request.on('error', () => {})
      request.end()
      return request
    },
    async get(path: string, name = 'office') {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-KEY': `${name}-key` } })
      return { status: answer.status, body: (await answer.json()) as Listed & { type?: string } }
    },
    async close() {
      ;(server as Server).closeAllConnections()
      server.close()
      await store.close()
    },
  }
}

/** A database that other clients hold up, and what of the demo runs in it. */
interface Slow {
  /** The demo's, where it is another. */
  readonly url?: string
  /** How many statements of the demo wait. */
  readonly waiting: () => Promise<number>
  readonly hold: () => Promise<unknown>
  readonly letGo: () => Promise<unknown>
  readonly close: () => Promise<unknown>
}
interface SlowServer {
  readonly name: string
  readonly url: string | undefined
  readonly open: (url: string) => Promise<Slow>
}

const slowServers: readonly SlowServer[] = [
  {
    name: 'PostgreSQL',
    url: POSTGRES_URL,
    open: async (url) => {
      const [client, watching] = [new pg.Client(url), new pg.Client(url)]
      await Promise.all([client.connect(), watching.connect()])
      const text = `SELECT FROM pg_stat_activity
        WHERE state = 'active' AND query LIKE 'SELECT %urlwhere_demo%' AND wait_event_type = 'Lock'`
      return {
        waiting: async () => (await watching.query(text)).rowCount!,
        hold: () => client.query('BEGIN; LOCK TABLE urlwhere_demo.orders IN ACCESS EXCLUSIVE MODE'),
        letGo: () => client.query('ROLLBACK'),
        close: () => Promise.all([client.end(), watching.end()]),
      }
    },
  },
  ...[MARIADB_URL, MYSQL_URL?.replace('mariadb:', 'mysql:')].map((url, at): SlowServer => ({
    name: ['MariaDB', 'MySQL'][at]!,
    url,
    open: async (url) => {
      const open = () => driver.createConnection(url.replace('mysql:', 'mariadb:'))
      const [client, watching] = [await open(), await open()]
      const text = `SELECT id FROM information_schema.processlist
        WHERE state LIKE 'Waiting for table%' AND info LIKE '%urlwhere_demo_orders%'`
      return {
        waiting: async () => (await watching.query<object[]>(text)).length,
        hold: () => client.query('LOCK TABLES urlwhere_demo_orders WRITE'),
        letGo: () => client.query('UNLOCK TABLES'),
        close: () => Promise.all([client.end(), watching.end()]),
      }
    },
  })),
  {
    name: 'MongoDB',
    url: mongoUrls[0],
    // No lock of MongoDB keeps readers waiting. Here a proxy holds its answers back.
    open: async (url) => {
      const { host, search } = new URL(url)
      const [hostname, port] = host.split(':')
      const held = new Set<Socket>()
      let isHeld = false
      const proxy = createServer((client) => {
        const server = connect(Number(port ?? 27_017), hostname)
        client.on('data', (data) => {
          if (isHeld && data.includes('urlwhere_demo_orders')) held.add(client)
          server.write(data)
        })
        server.on('data', (data) => held.has(client) || client.write(data))
        for (const one of [client, server]) {
          one
            .on('error', () => {})
            .on('close', () => {
              held.delete(client)
              client.destroy()
              server.destroy()
            })
        }
      })
      await once(proxy.listen(0, '127.0.0.1'), 'listening')
      const own = (proxy.address() as AddressInfo).port
      return {
        url: `mongodb://127.0.0.1:${own}/urlwhere_demo_held${search}${search === '' ? '?' : '&'}directConnection=true`,
        waiting: async () => held.size,
        hold: async () => void (isHeld = true),
        letGo: async () => void (isHeld = false),
        close: async () => void proxy.close(),
      }
    },
  },
]

describe.each(slowServers)('a statement on $name', ({ name, url, open }) => {
  describe.runIf(url !== undefined)('that is slow', () => {
    let demo: Awaited<ReturnType<typeof serve>>
    let slow: Slow
    beforeAll(async () => {
      slow = await open(url!)
      demo = await serve(await openStore(slow.url ?? url!))
    })
    afterEach(() => slow.letGo())
    afterAll(async () => {
      await demo.close()
      await slow.close()
    })

    test.each(['GET', 'HEAD'])(
      'ends within a second after the client of a %s has gone',
      async (method) => {
        await slow.hold()
        // More than the connections of a pool: some wait for one.
        const requests = Array.from({ length: 14 }, () => demo.send('/api/orders?limit=3&total[gte]=1', method))
        await vi.waitFor(async () => expect(await slow.waiting()).toBeGreaterThanOrEqual(8), { timeout: 20_000 })
        for (const request of requests) request.destroy()
        const gone = performance.now()
        await vi.waitFor(async () => expect(await slow.waiting()).toBe(0), { timeout: 20_000, interval: 20 })
        expect(performance.now() - gone).toBeLessThan(1_000)
        await slow.letGo()
        // The connections after them are clean: every answer is whole and right.
        const answers = await Promise.all(Array.from({ length: 30 }, () => demo.get('/api/orders?limit=3&count=true')))
        for (const { status, body } of answers) {
          expect([status, body.data.map(({ id }) => id), body.page.count]).toEqual([200, [1, 2, 3], 2400])
        }
        // Nobody is told of what nobody waits for.
        expect(demo.errors).toEqual([])
        await slow.hold()
      },
      60_000,
    )

    // The signal is the same on each.
    test.runIf(name === 'PostgreSQL')(
      'ends when the time for the answer is over: a 503',
      async () => {
        await slow.hold()
        const began = performance.now()
        const { status, body } = await demo.get('/api/orders?limit=3')
        expect([status, body.type]).toEqual([503, '/docs/concepts/errors.md#time_exceeded'])
        expect(performance.now() - began).toBeGreaterThan(timeout - 100)
        await vi.waitFor(async () => expect(await slow.waiting()).toBe(0), { timeout: 1_000, interval: 20 })
        expect(demo.errors.splice(0)).toMatchObject([{ name: 'TimeoutError' }])
      },
      60_000,
    )
  })
})

describe.runIf(POSTGRES_URL !== undefined)('tenants on PostgreSQL', () => {
  let store: Store
  let admin: pg.Client
  let ask: (path: string, name: string) => Promise<Listed>
  beforeAll(async () => {
    store = await openStore(POSTGRES_URL!)
    admin = new pg.Client(POSTGRES_URL)
    await admin.connect()
    const service = makeService(store, accounts, (error) => {
      throw error
    })
    ask = async (path, name) => {
      const headers = { 'X-API-KEY': `${name}-key` }
      return (await (await service(new Request(`http://x${path}`, { headers }))).json()) as Listed
    }
  })
  afterAll(async () => {
    await admin.end()
    await store.close()
  })
  const sellersOf = (rows: readonly unknown[]) => [...new Set((rows as Listed['data']).map(({ seller }) => seller))]
  type Read = Parameters<Store['orders']['read']>
  const rowsIn = async ({ read }: Store['orders'], ...asked: Read) => (await read(...asked)).page.rows
  const countIn = async ({ read }: Store['orders'], ...asked: Read) => (await read(...asked)).count
  const tables = ['orders', 'order_items', 'experiences']
  const all = parseQueryOrThrow(orderCollection, 'limit=200&count=true')

  test('the database holds where the restriction is forgotten: lists, counts, items', async () => {
    // The queries of a service without a restriction.
    const everyone = ['s-north', 's-south', 's-east', 's-west']
    for (const [name, sellers, experiences] of [
      ['north', ['s-north'], 30],
      ['south', ['s-south'], 30],
      ['office', everyone, 120],
      ['desk', everyone, 120],
    ] satisfies [string, string[], number][]) {
      const context = contextOf(principalOf(name))
      expect(sellersOf(await rowsIn(store.orders, all, context)).sort()).toEqual([...sellers].sort())
      const own = makeOrders().filter(({ seller }) => sellers.includes(seller))
      expect(await countIn(store.orders, all, context)).toBe(own.length)
      const other = parseQueryOrThrow(experienceCollection, 'limit=200')
      expect(await rowsIn(store.experiences, other, context)).toHaveLength(experiences)
      const withItems = parseQueryOrThrow(orderCollection, 'items.product[contains]=surf&limit=200')
      expect(sellersOf(await rowsIn(store.orders, withItems, context)).sort()).toEqual([...sellers].sort())
    }
    const nobody = contextOf({ name: 'nobody', sellers: [], seesTotal: true })
    expect(await rowsIn(store.orders, all, nobody)).toEqual([])
    // Of a text that looks like the word for all, or like more than one.
    for (const seller of ['all', '"all"', 's-north","s-south', '', '%']) {
      const odd = contextOf({ name: 'odd', sellers: [seller], seesTotal: true })
      expect(await countIn(store.orders, all, odd)).toBe(0)
    }
  })

  test('the restriction holds where the policies are gone', async () => {
    for (const table of tables) await admin.query(`ALTER TABLE urlwhere_demo.${table} DISABLE ROW LEVEL SECURITY`)
    try {
      expect(await countIn(store.orders, all, contextOf(principalOf('north')))).toBe(2400)
      const { data, page } = await ask('/api/orders?limit=200&count=true', 'north')
      expect([sellersOf(data), page.count]).toEqual([['s-north'], 571])
      expect((await ask('/api/orders?seller=s-south&count=true', 'north')).page.count).toBe(0)
      expect(sellersOf((await ask('/api/experiences?limit=200', 'south')).data)).toEqual(['s-south'])
    } finally {
      for (const table of tables) await admin.query(`ALTER TABLE urlwhere_demo.${table} ENABLE ROW LEVEL SECURITY`)
    }
    expect(await countIn(store.orders, all, contextOf(principalOf('north')))).toBe(571)
  })

  test('no setting is left on a connection, and without one no row of any table is visible', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => rowsIn(store.orders, all, contextOf(principalOf('office')))),
    )
    await admin.query('BEGIN; SET LOCAL ROLE urlwhere_demo_reader')
    for (const table of tables) {
      expect((await admin.query(`SELECT FROM urlwhere_demo.${table}`)).rowCount, table).toBe(0)
    }
    await admin.query("SELECT set_config('urlwhere_demo.sellers', '[\"s-north\"]', true)")
    const { rows } = await admin.query<{ count: string }>(
      'SELECT count(*) FROM urlwhere_demo.order_items i LEFT JOIN urlwhere_demo.orders o ON o.id = i.order_id WHERE o.id IS NULL',
    )
    expect(rows).toEqual([{ count: '0' }])
    expect((await admin.query('SELECT FROM urlwhere_demo.order_items')).rowCount).toBeGreaterThan(100)
    await admin.query('ROLLBACK')
    await expect(admin.query('SET ROLE urlwhere_demo_reader; DELETE FROM urlwhere_demo.orders')).rejects.toThrow(
      /permission denied/,
    )
    await admin.query('RESET ROLE')
  })

  test('connections that break between two statements end no process: requests fail, and those after them do not', async () => {
    const other = await openStore(
      `${POSTGRES_URL}${POSTGRES_URL!.includes('?') ? '&' : '?'}application_name=urlwhere_broken`,
    )
    const broken: unknown[] = []
    const onBroken = (error: unknown) => broken.push(error)
    process.on('uncaughtException', onBroken)
    try {
      let isOver = false
      const north = contextOf(principalOf('north'))
      const asking = Array.from({ length: 8 }, async () => {
        while (!isOver) await countIn(other.orders, all, north).catch(() => undefined)
      })
      const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = $1 AND state = 'idle in transaction'`
      let killed = 0
      while (killed < 30) killed += (await admin.query(kill, ['urlwhere_broken'])).rowCount!
      isOver = true
      await Promise.all(asking)
      const own = makeOrders().filter(({ seller }) => seller === 's-north').length
      await vi.waitFor(async () => expect(await countIn(other.orders, all, north)).toBe(own), { timeout: 5_000 })
    } finally {
      process.off('uncaughtException', onBroken)
      await other.close()
    }
    expect(broken).toEqual([])
  })

  test('hold for an owner of the tables without the rights of a superuser', async () => {
    const [user, database] = ['urlwhere_demo_owner', 'urlwhere_demo_owned']
    const clear = async () => {
      await admin.query(`DROP DATABASE IF EXISTS ${database}`)
      await admin.query(`DROP ROLE IF EXISTS ${user}`)
    }
    await clear()
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD 'owner'`)
    await admin.query(`CREATE DATABASE ${database} OWNER ${user}`)
    const url = new URL(POSTGRES_URL!)
    Object.assign(url, { username: user, password: 'owner', pathname: `/${database}` })
    const owned = await openStore(url.href)
    try {
      expect(await countIn(owned.orders, all, contextOf(principalOf('north')))).toBe(571)
      expect(await countIn(owned.orders, all, contextOf(principalOf('office')))).toBe(2400)
    } finally {
      await owned.close()
      await clear()
    }
  })
})
