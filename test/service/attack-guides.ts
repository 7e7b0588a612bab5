/**
 * Requests against the servers of the guides, whose code runs as it is written there. Their stores have rows of others, columns that no
 * schema has, objects in place of scalars, and errors with a password. Each of these has a mark, which no answer may have.
 */
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { randomNumbers } from '../../docs/demo/data.ts'
import { defineCollection, defineSchema, field, where, type Query } from '../../src/index.ts'
import { clusterFiles } from '../engines/sql/pglite.ts'
import { notedRequests } from './noted.ts'
import { Counts } from './tally.ts'

const root = join(import.meta.dirname, '../..')
const generated = join(import.meta.dirname, '.generated')
const sdk = join(root, 'test/agents/node_modules/@modelcontextprotocol/sdk/dist/esm')
/** Whether `npm --prefix test/agents ci` has installed the SDK, which the server of a guide imports. */
export const isSdkInstalled = existsSync(sdk)
const doors: Readonly<Record<string, string>> = {
  ...{ urlwhere: 'index.ts', 'urlwhere/http': 'service/index.ts', 'urlwhere/memory': 'backends/memory/index.ts' },
  ...{ 'urlwhere/sql': 'backends/sql/index.ts', 'urlwhere/drizzle': 'tools/drizzle/index.ts' },
  ...{ 'urlwhere/notations': 'clients/notations/index.ts', 'urlwhere/openapi': 'tools/openapi/index.ts' },
}
const load = (file: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(file).href)

/** Changes the code of a guide: a deliberate fault. */
export type Change = (code: string) => string

/** Loads the code of a guide in a module of its own. */
async function guideOf(page: string, names: string, change: Change, blocks: RegExp): Promise<Record<string, unknown>> {
  const text = await readFile(join(root, 'docs', page), 'utf8')
  const code = Array.from(text.matchAll(blocks), ([, block]) => block).join('\n')
  const ours = (all: string, name: string) => {
    const door = doors[name]
    return door === undefined ? all : `'${join(root, 'src', door)}'`
  }
  // Its examples, which test/package/docs.test.ts runs, need the code and the rows as they are.
  const servers = code.replace(/^.*\/\/ (?:=>|throws) .*\n/gm, '')
  const own = change(servers.replace(/'(urlwhere(?:\/\w+)?)'/g, ours)).replace(/^export (?=const|function)/gm, '')
  const folder = page.startsWith('guides/agents') ? join(root, 'test/agents/attack/.generated') : generated
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${page.replace(/\W/g, '-')}-${made++}.ts`)
  await writeFile(file, `${own}\nexport { ${names} }\n`)
  return (await load(file)) as Record<string, unknown>
}
let made = 0
const everyBlock = /^```ts\n([^]*?)^```$/gm

interface Told {
  readonly status: number
  readonly text: string
}
/** A server of a guide. */
interface Attacked {
  readonly name: string
  readonly paths: readonly string[]
  /** The language of its requests: that of the library, conventions of clients, or objects. */
  readonly language: 'text' | 'strapi' | 'jsonServer' | 'object'
  readonly ask: (query: string) => Promise<Told>
  /** From here on, the store throws, until the function that this one returns is called. */
  readonly fail?: () => () => unknown
  readonly close?: () => Promise<unknown>
}

/** The error of a store, with what drivers put into the messages of theirs. */
const failure = () => new Error('connect ECONNREFUSED postgres://shop:canary@db.internal:5432')
const told = async (response: Response): Promise<Told> => ({
  status: response.status,
  text: `${await response.text()}\n${Array.from(response.headers).join('\n')}`,
})
async function listening(app: { listen: (port: number) => unknown }) {
  const server = app.listen(0) as import('node:http').Server
  if (!server.listening) await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => (server.close(done), server.closeAllConnections())),
  }
}
const secret = { email: 'canary', passwordHash: 'canary' }
/** A row that throws where it is read. */
const throwing = (path: string) => Object.defineProperty({ id: 99, seller: 's-1' }, path, { enumerable: true, get: () => { throw failure() } }) // prettier-ignore

/** Adds a row that throws, and returns what takes it away. */
const failing =
  (rows: object[], path = 'total') =>
  () => {
    rows.push(throwing(path))
    return () => rows.pop()
  }

// --- Each guide

const openings: Readonly<Record<string, (change: Change) => Promise<readonly Attacked[]>>> = {
  handlers: async (change) => {
    const guide = await guideOf('guides/handlers.md', 'app, server, hono, rows', change, everyBlock)
    const { app, server, hono, rows } = guide as unknown as {
      readonly app: { listen: (port: number) => unknown }
      readonly server: {
        inject: (url: string) => Promise<{ statusCode: number; payload: string }>
        close: () => Promise<void>
      }
      readonly hono: { request: (url: string) => Promise<Response> }
      readonly rows: object[]
    }
    for (const row of rows) Object.assign(row, secret)
    rows.push({ id: 7, seller: 's-1', total: secret, ...secret }, { id: 8, seller: 's-2', total: 909_090, ...secret })
    const { origin, close } = await listening(app)
    const parts = { paths: ['id', 'seller', 'total', 'passwordHash'], language: 'text', fail: failing(rows) } as const
    return [
      {
        ...parts,
        name: 'handlers, Express',
        close,
        ask: async (query) => told(await fetch(`${origin}/orders?${query}`)),
      },
      {
        ...parts,
        name: 'handlers, Fastify',
        close: () => server.close(),
        ask: async (query) => {
          const { statusCode, payload } = await server.inject(`/orders?${query}`)
          return { status: statusCode, text: payload }
        },
      },
      { ...parts, name: 'handlers, Hono', ask: async (query) => told(await hono.request(`http://x/orders?${query}`)) },
    ]
  },
  'list-endpoint': async (change) => {
    const { createApp } = await guideOf('start/list-endpoint.md', 'createApp', change, everyBlock)
    const database = await PGlite.create({ loadDataDir: await clusterFiles() })
    const [, tables] = /```sql\n([^]*?)```/.exec(await readFile(join(root, 'docs/start/list-endpoint.md'), 'utf8'))!
    await database.exec(`${tables!};
      ALTER TABLE orders ADD password_hash text DEFAULT 'canary'; ALTER TABLE customers ADD email text DEFAULT 'canary';
      UPDATE orders SET total = 909090 WHERE shop = 's-2'; INSERT INTO order_items VALUES (9, 3, 'canary', 909090)`)
    let fails = false
    const query = (text: string, parameters: unknown[]) =>
      fails ? Promise.reject(failure()) : database.query(text, parameters)
    const { origin, close } = await listening(
      (createApp as (pool: object) => { listen: (port: number) => unknown })({ query }),
    )
    const headers = { authorization: 'Bearer token-1' }
    return [
      {
        name: 'a complete list endpoint',
        paths: [
          'id',
          'shop',
          'status',
          'total',
          'arrival',
          'createdAt',
          'tags',
          'customer.name',
          'customer.email',
          'items.product',
          'password_hash',
        ],
        language: 'text',
        ask: async (text) => told(await fetch(`${origin}/api/orders?${text}`, { headers })),
        fail: () => ((fails = true), () => (fails = false)),
        close: () => Promise.all([close(), database.close()]),
      },
    ]
  },
  tenants: async (change) => {
    const { makeService, rowsOf } = await guideOf('guides/tenants.md', 'makeService, rowsOf', change, everyBlock)
    const database = await PGlite.create({ loadDataDir: await clusterFiles() })
    const [, tables] = /```sql\n([^]*?)```/.exec(await readFile(join(root, 'docs/guides/tenants.md'), 'utf8'))!
    await database.exec(`${tables!};
      ALTER TABLE orders ADD password_hash text DEFAULT 'canary';
      INSERT INTO orders VALUES (1, 't-1', 10, NULL), (2, 't-1', 909090, now()), (3, 't-2', 909090, NULL), (4, 't-1', 5, NULL)`)
    type Ask = (request: Request) => Promise<Response>
    const caller = () => ({ tenant: 't-1', role: 'office' })
    const rows = (rowsOf as (pool: object) => object)(database)
    const ask = (makeService as (rows: object, authenticate: typeof caller) => Ask)(rows, caller)
    return [
      {
        name: 'tenants',
        paths: ['id', 'tenantId', 'total', 'deletedAt', 'tenant_id', 'password_hash'],
        language: 'text',
        ask: async (text) => told(await ask(new Request(`http://x/orders?${text}`))),
        close: () => database.close(),
      },
    ]
  },
  drizzle: async (change) => {
    const guide = await guideOf('guides/drizzle.md', 'tables, listOrders, listExactly', change, everyBlock)
    const { tables, listOrders, listExactly } = guide as unknown as {
      readonly tables: Record<string, unknown>
      readonly listOrders: (db: unknown, text: string) => Promise<unknown>
      readonly listExactly: (db: unknown, text: string) => Promise<unknown>
    }
    const client = await PGlite.create({ loadDataDir: await clusterFiles() })
    await client.exec(`
      CREATE TYPE order_status AS ENUM ('new', 'paid', 'shipped');
      CREATE TABLE customers (id integer PRIMARY KEY, full_name text NOT NULL, email text NOT NULL);
      CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer REFERENCES customers, status order_status NOT NULL,
        total numeric(12, 2), placed_at timestamp(3) with time zone NOT NULL, password_hash text DEFAULT 'canary');
      CREATE TABLE order_items (id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders, product text NOT NULL, price numeric(12, 2) NOT NULL);
      INSERT INTO customers VALUES (1, 'Joan', 'canary'), (2, 'ada', 'canary');
      INSERT INTO orders VALUES (1, 1, 'paid', 120.5, '2024-05-30'), (2, 2, 'new', 80, '2024-06-01'), (3, NULL, 'paid', NULL, '2024-06-02');
      INSERT INTO order_items VALUES (1, 1, 'surf', 60), (2, 2, 'bed', 12)`)
    const database = drizzle(client, { schema: tables })
    const parts = {
      paths: [
        'id',
        'customerId',
        'status',
        'total',
        'placedAt',
        'customer.name',
        'customer.email',
        'items.product',
        'items.id',
        'password_hash',
      ],
      language: 'text',
    } as const
    return [
      { ...parts, name: 'Drizzle, findMany', ask: (text) => answerOf(() => listOrders(database, text)) },
      {
        ...parts,
        name: 'Drizzle, select',
        ask: (text) => answerOf(() => listExactly(database, text)),
        close: () => client.close(),
      },
    ]
  },
  notations: async (change) => {
    const { service, forJsonServer, rows } = await guideOf(
      'guides/notations.md',
      'service, forJsonServer, rows',
      change,
      everyBlock,
    )
    spoil(rows)
    const parts = { paths: ['id', 'status', 'total', 'note', 'tags', 'passwordHash'] } as const
    const ask = (answerOf: unknown, path: string) => async (text: string) =>
      told(await (answerOf as (request: Request) => Promise<Response>)(new Request(`http://x${path}?${text}`)))
    const fail = failing(rows as object[])
    return [
      { ...parts, name: 'notations, Strapi', language: 'strapi', ask: ask(service, '/v1/orders') },
      { ...parts, name: 'notations, urlwhere', language: 'text', fail, ask: ask(service, '/orders') },
      { ...parts, name: 'notations', language: 'jsonServer', fail, ask: ask(forJsonServer, '/orders') },
    ]
  },
  frameworks: async (change) => {
    const { service, pool } = await guideOf(
      'guides/frameworks.md',
      'service, pool',
      change,
      /^```ts\n(\/\/ service\.ts\n[^]*?)^```$/gm,
    )
    const database = await PGlite.create({ loadDataDir: await clusterFiles() })
    await database.exec(`
      CREATE TABLE orders (id int PRIMARY KEY, seller text NOT NULL, status text NOT NULL, total numeric NOT NULL, password_hash text DEFAULT 'canary');
      INSERT INTO orders VALUES (1, 's-1', 'paid', 30), (2, 's-1', 'new', 10), (3, 's-2', 'paid', 909090)`)
    let fails = false
    Object.assign(pool as object, {
      query: (text: string, parameters: unknown[]) =>
        fails ? Promise.reject(failure()) : database.query(text, parameters),
    })
    const ask = service as (request: Request) => Promise<Response>
    const headers = { authorization: 'Bearer token-1' }
    return [
      {
        ...{ name: 'frameworks', language: 'text', paths: ['id', 'seller', 'status', 'total', 'password_hash'] },
        ask: async (text) => told(await ask(new Request(`http://x/v1/orders?${text}`, { headers }))),
        fail: () => ((fails = true), () => (fails = false)),
        close: () => database.close(),
      },
    ]
  },
  agents: async (change) => {
    if (!isSdkInstalled) return []
    const { serverOf } = await guideOf('guides/agents.md', 'serverOf', change, /^```typescript\n([^]*?)^```$/gm)
    interface Client {
      connect: (transport: unknown) => Promise<void>
      callTool: (call: object) => Promise<{ isError?: boolean }>
      close: () => Promise<void>
    }
    const { Client } = (await load(join(sdk, 'client/index.js'))) as { Client: new (info: object) => Client }
    const { InMemoryTransport } = (await load(join(sdk, 'inMemory.js'))) as {
      InMemoryTransport: { createLinkedPair: () => readonly [unknown, unknown] }
    }
    const schema = defineSchema({
      ...{ id: field.integer(), seller: field.string(), total: field.number(), tenant: field.string() },
      customer: field.object({ name: field.string(), taxId: field.string() }),
    })
    const collection = defineCollection(schema, {
      ...{ key: 'id', sort: true, fields: true, groups: true, hidden: ['tenant', 'customer.taxId'] },
    })
    const hidden = { tenant: 'canary', customer: { name: 'Jo', taxId: 'canary', ...secret } }
    const rows: object[] = [
      { id: 1, seller: 's-1', total: 10, ...hidden, ...secret },
      { id: 2, seller: 's-1', total: secret, ...hidden, customer: 'canary' },
      { id: 3, seller: 's-2', total: 909_090, ...hidden },
    ]
    const { memoryBackend } = await import('../../src/backends/memory/index.ts')
    const shop = {
      ...{ collection, restriction: where(schema).equals('seller', 's-1') },
      find: async (query: Query) => memoryBackend().compileQuery({ ...query, count: false })(rows).rows,
    }
    const [near, far] = InMemoryTransport.createLinkedPair()
    await (serverOf as (given: object) => { connect: (transport: unknown) => Promise<void> })(shop).connect(far)
    const client = new Client({ name: 'attack', version: '1.0.0' })
    await client.connect(near)
    return [
      {
        ...{
          name: 'agents',
          language: 'object',
          paths: ['id', 'seller', 'total', 'tenant', 'customer.name', 'customer.taxId', 'passwordHash'],
        },
        ask: async (text) => {
          const call = { name: 'list_orders', arguments: JSON.parse(text) as object }
          const answer = await client
            .callTool(call)
            .catch((error: unknown) => ({ isError: true, error: String(error) }))
          return { status: answer.isError === true ? 400 : 200, text: JSON.stringify(answer) }
        },
        fail: failing(rows, 'seller'),
        close: () => client.close(),
      },
    ]
  },
}

/** Gives rows of a guide columns that no schema has, and objects in place of scalars. */
function spoil(rows: unknown): void {
  const all = rows as object[]
  for (const row of all) Object.assign(row, secret)
  all.push({ id: 97, status: [secret], total: secret, note: secret, tags: [secret, 'sea'], ...secret })
}

/** The answer of a function that has no server around it: what it returns, or the issues of its error. */
async function answerOf(read: () => Promise<unknown>): Promise<Told> {
  try {
    return { status: 200, text: JSON.stringify(await read()) }
  } catch (error) {
    if ((error as { name?: string }).name !== 'FilterError') throw error
    return { status: 400, text: JSON.stringify((error as { issues: unknown }).issues) }
  }
}

// --- Requests

const never = /canary|909090|909_090|ECONNREFUSED|postgres:|db\.internal/i

export interface GuideReport {
  readonly faults: readonly string[]
  readonly sent: number
  /** How often each server gave each status. */
  readonly servers: Counts
}

/**
 * @param requests how many requests each server gets, at least.
 * @param change changes the code of the guides.
 * @param pages the guides. Default: all.
 */
export async function attackGuides(
  requests: number,
  seed: number,
  change: Change = (code) => code,
  pages: readonly string[] = Object.keys(openings),
): Promise<GuideReport> {
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  const chance = (share: number) => random() < share
  const faults: string[] = []
  const servers = new Counts()
  let sent = 0
  const log = [console.log, console.error] as const
  console.error = console.log = () => {}
  try {
    for (const page of pages) {
      for (const { name, paths, language, ask, fail, close } of await openings[page]!(change)) {
        const operands = ['1', '5', '10', 's-1', 's-2', 't-2', 'paid', 'Jo', 'true', '2024-06-01', 'null', 'a,b', '%00']
        const cursors = ['WzEsIm5leHQiLFsiK2lkIl0sWzBdXQ']
        const path = () => pick(paths)
        const noted = Object.entries(
          notedRequests({ pick, chance, below, name: path, operands, cursor: () => pick(cursors) }),
        )
        const words = ['', '[notEqual]', '[gte]', '[lt]', '[in]', '[nin]', '[contains]', '[exists]', '[nope]']
        const condition = () => `${path()}${pick(words)}=${pick(operands)}`
        const texts = [
          () => '',
          () => Array.from({ length: 1 + below(3) }, condition).join('&'),
          () => `sort=${chance(0.5) ? '-' : ''}${path()}&limit=${1 + below(5)}`,
          () => `fields=${path()},${path()}&${condition()}`,
          () => `or=(${condition()},${condition()})&count=true`,
          () => `sort=${path()}&limit=1&cursor=${pick(cursors)}`,
          () => `search=${pick(operands)}`,
        ]
        const value = () => pick<unknown>([...operands, 1, 5, true, null, ['s-2'], {}])
        const objects = [
          () => ({}),
          () => ({ [path() + pick(words)]: value(), [path()]: value() }),
          () => ({ fields: [path(), path()], sort: [path()], limit: 1 + below(4) }),
          () => ({ or: `(${condition()},${condition()})`, [path()]: value() }),
          () => ({ limit: 1, cursor: pick(cursors) }),
        ].map((make) => () => JSON.stringify(make()))
        const ofClient = noted.flatMap(([kind, make]) => (kind.startsWith(language) ? [make] : []))
        const makers = { text: texts, object: objects, strapi: ofClient, jsonServer: ofClient }[language]
        const send = async (query: string, isFailing: boolean) => {
          sent++
          const { status, text } = await ask(query)
          servers.add(name, String(status))
          for (const [, cursor] of text.matchAll(/"(?:next|previous)\\?":\\?"([\w-]+)/g)) cursors.push(cursor!)
          const isWrong = never.test(text) || (status >= 500 && !isFailing)
          if (isWrong && faults.length < 100) faults.push(`${name}: ${query}\n  ${status} ${text.slice(0, 300)}`)
        }
        for (let at = 0; at < requests; at++) await send(makers[at % makers.length]!(), false)
        if (fail !== undefined) {
          const mend = fail()
          for (const query of [language === 'object' ? '{}' : '', pick(makers)()]) await send(query, true)
          mend()
        }
        await close?.()
      }
    }
  } finally {
    ;[console.log, console.error] = log
    await Promise.all(
      [generated, join(root, 'test/agents/attack')].map((folder) => rm(folder, { recursive: true, force: true })),
    )
  }
  return { faults, sent, servers }
}
