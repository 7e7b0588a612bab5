/** Runs the unchanged MCP server of docs/guides/agents.md on SQLite, and calls it with the client of the SDK. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { childTable, jsonColumn, simpleLowerCase, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { orderCollection, orders } from '../../docs/demo/data.ts'
import { and, defineCollection, defineSchema, field, where } from '../../src/index.ts'
import type { Collection, Filter, Query } from '../../src/index.ts'
import { toolSchema, type ToolSchema } from '../../src/tools/openapi/index.ts'
import { isComplete } from '../effort.ts'
import { now, questions, rows } from './questions.ts'

const folder = import.meta.dirname
const generated = join(folder, '.generated')
const sdk = join(folder, 'node_modules/@modelcontextprotocol/sdk')
const isInstalled = existsSync(sdk)

test('the SDK of MCP is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/agents ci').toBe(false)
  skip('Nothing was asked by MCP: npm --prefix test/agents ci installs its SDK')
})

// The test declares the parts of the SDK that it calls, because the root project does not install the SDK's types.
interface Answer {
  readonly isError?: boolean
  readonly content: readonly [{ readonly text: string }]
}
interface McpClient {
  connect(transport: unknown): Promise<void>
  listTools(): Promise<{ tools: readonly { name: string; inputSchema: ToolSchema }[] }>
  callTool(call: { name: string; arguments?: object }): Promise<Answer>
  close(): Promise<void>
}
interface McpServer {
  connect(transport: unknown): Promise<void>
}
interface Shop {
  readonly collection: Collection
  readonly restriction: Filter
  readonly find: (query: Query) => Promise<readonly object[]>
}
type ServerOf = (shop: Shop) => McpServer

/** The orders in SQLite: items in a child table, tags as JSON, and the customer in two columns. */
function openStore() {
  const database = new DatabaseSync(':memory:')
  database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
  database.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT NOT NULL, arrival TEXT, customer_name TEXT, status TEXT, total REAL,
      guests INTEGER, paid_at TEXT, gift INTEGER, tags TEXT, contact_name TEXT, contact_email TEXT) STRICT;
    CREATE TABLE items (order_id INTEGER, position INTEGER, arrival TEXT, product TEXT, price REAL, PRIMARY KEY (order_id, position)) STRICT`)
  const order = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const item = database.prepare('INSERT INTO items VALUES (?, ?, ?, ?, ?)')
  const flag = (value: boolean | null | undefined) => (value === true ? 1 : value === false ? 0 : null)
  for (const row of rows) {
    const { id, seller, arrival, customerName, status, total, guests, paidAt, gift, tags, customer, items } = row
    const values = [id, seller, arrival, customerName, status, total, guests, paidAt, flag(gift)]
    const others = [tags && JSON.stringify(tags), customer?.name, customer?.email]
    order.run(...[...values, ...others].map((value) => (value ?? null) as SQLInputValue))
    for (const [at, one] of (items ?? []).entries())
      item.run(...[id, at, one!.arrival, one!.product, one!.price].map((value) => (value ?? null) as SQLInputValue))
  }
  const mapping = table('orders', {
    schema: orders,
    key: 'id',
    columns: {
      ...{ customerName: 'customer_name', paidAt: 'paid_at', tags: jsonColumn('tags') },
      customer: { name: 'contact_name', email: 'contact_email' },
      items: childTable('items', { key: 'id', foreignKey: 'order_id', orderBy: 'position' }),
    },
  })
  const backend = sqlBackend({ dialect: { ...sqlite, lower: 'urlwhere_lower' }, table: mapping })
  const find = (query: Query) => {
    const { text, parameters } = backend.compileQuery(query)
    const found = database.prepare(`SELECT id FROM orders ${text}`).all(...(parameters as SQLInputValue[])) as {
      id: number
    }[]
    return Promise.resolve(found.map(({ id }) => rows.find((row) => row.id === id)!))
  }
  return { find, close: () => database.close() }
}

describe.skipIf(!isInstalled)('the server of the guide', () => {
  let serverOf: ServerOf
  let Client: new (info: object) => McpClient
  let transports: () => readonly [unknown, unknown]
  const store = openStore()

  beforeAll(async () => {
    await mkdir(generated, { recursive: true })
    const guide = await readFile(join(folder, '../../docs/guides/agents.md'), 'utf8')
    const [, code] = /^```typescript\n([^]*?)^```$/m.exec(guide)!
    const file = join(generated, 'server.ts')
    const ours = { urlwhere: 'index.ts', 'urlwhere/openapi': 'tools/openapi/index.ts' }
    await writeFile(
      file,
      code!.replace(/'(urlwhere(?:\/openapi)?)'/g, (_, name: keyof typeof ours) => `'../../../src/${ours[name]}'`),
    )
    const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(path).href)
    serverOf = ((await load(file)) as { serverOf: ServerOf }).serverOf
    Client = ((await load(join(sdk, 'dist/esm/client/index.js'))) as { Client: typeof Client }).Client
    const { InMemoryTransport } = (await load(join(sdk, 'dist/esm/inMemory.js'))) as {
      InMemoryTransport: { createLinkedPair(): readonly [unknown, unknown] }
    }
    transports = () => InMemoryTransport.createLinkedPair()
    vi.useFakeTimers({ now, toFake: ['Date'] })
  })
  afterAll(async () => {
    vi.useRealTimers()
    store.close()
    await rm(generated, { recursive: true, force: true })
  })

  /** Connects a client to a server that restricts the rows of the caller. */
  async function connect(restriction: Filter = and(), shop: Partial<Shop> = {}): Promise<McpClient> {
    const [near, far] = transports()
    await serverOf({ collection: orderCollection, restriction, find: store.find, ...shop }).connect(far)
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(near)
    return client
  }
  const name = 'list_orders'
  const idsOf = ({ content }: Answer) =>
    (JSON.parse(content[0].text) as { data: readonly { id: number }[] }).data.map(({ id }) => id)
  /** Renames the members of a call to the form with dots. */
  const dotted = (object: object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [key.replace(/\[(\w+)\]$/, '.$1'), value as unknown]),
    )

  test('lists the tool with the schema', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name, inputSchema: toolSchema(orderCollection, { keys: 'dots' }) }])
    await client.close()
  })
  test('answers the hundred questions, in brackets and in dots', async () => {
    const client = await connect()
    const accepts = new Ajv2020({ allowUnionTypes: true }).compile((await client.listTools()).tools[0]!.inputSchema)
    for (const { question, object, ids } of questions) {
      for (const call of [object, dotted(object)])
        expect([question, idsOf(await client.callTool({ name, arguments: call }))]).toEqual([question, ids])
      expect(accepts(dotted(object)), question).toBe(true)
    }
    await client.close()
  })
  test('pages by the cursor of its answer', async () => {
    const client = await connect()
    const first = await client.callTool({ name, arguments: { limit: 4, sort: ['-total'] } })
    const { next } = (JSON.parse(first.content[0].text) as { page: { next: string } }).page
    const second = await client.callTool({ name, arguments: { limit: 4, sort: ['-total'], cursor: next } })
    expect([idsOf(first), idsOf(second)]).toEqual([
      [4, 9, 3, 7],
      [1, 10, 2, 6],
    ])
    await client.close()
  })
  test('returns the issues of each member to the model', async () => {
    const client = await connect()
    const answer = await client.callTool({
      name,
      arguments: { 'total.gte': '5', 'status.in': ['hedl'], nope: 1, seller: null },
    })
    expect(answer.isError).toBe(true)
    expect(JSON.parse(answer.content[0].text)).toEqual([
      { member: 'total.gte', message: 'invalid value for total: expected a number, without quotes' },
      {
        member: 'status.in',
        item: 0,
        message: 'invalid value for status: expected one of paid, held, new',
        hint: 'did you mean held?',
      },
      { member: 'nope', message: 'unknown field "nope"' },
      {
        member: 'seller',
        message: 'invalid value for seller: expected a text',
        hint: 'for rows without a value, write "seller[exists]": false',
      },
    ])
    await client.close()
  })
  test('sends fields that the call names and callers may see, and nothing else', async () => {
    const schema = defineSchema({
      ...{ id: field.integer(), seller: field.string(), contact: field.string(), tenant: field.string() },
      customer: field.object({ name: field.string(), taxId: field.string() }),
    })
    const collection = defineCollection(schema, { key: 'id', fields: true, hidden: ['tenant', 'customer.taxId'] })
    const secret = { email: 'canary', passwordHash: 'canary' }
    const row = { id: 1, seller: 's', contact: secret, tenant: 'canary', customer: { name: 'Jo', taxId: 'canary' } }
    const client = await connect(and(), { collection, find: () => Promise.resolve([{ ...row, ...secret }]) })
    const call = async (given: object) => (await client.callTool({ name, arguments: given })).content[0].text
    const all = { id: 1, seller: 's', contact: null, customer: { name: 'Jo' } }
    expect(JSON.parse(await call({}))).toEqual({ data: [all], page: {} })
    expect(JSON.parse(await call({ fields: ['seller'] }))).toEqual({ data: [{ seller: 's' }], page: {} })
    await client.close()
  })
  test('tells the model nothing of a store that fails', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = new Error('connect ECONNREFUSED postgres://shop:canary@db.internal:5432/shop')
    for (const find of [
      () => Promise.reject(failure),
      () => {
        throw failure
      },
      () => Promise.resolve([{ total: 1 }]),
    ]) {
      // prettier-ignore
      const client = await connect(and(), { find })
      const answer = await client.callTool({ name, arguments: {} })
      const content = [{ type: 'text', text: '[{"message":"the rows cannot be read now"}]' }]
      expect(answer).toEqual({ isError: true, content })
      await client.close()
    }
    expect(errors.mock.calls.map(([error]) => error as unknown)).toEqual([failure, failure, expect.any(TypeError)])
    errors.mockRestore()
  })
  test('never selects rows outside the restriction of the caller', async () => {
    const client = await connect(where(orders).equals('seller', 's-north'))
    for (const call of [
      {},
      { or: '(seller=s-south,seller=s-north,id[gte]=0)' },
      { not: '(seller=s-north,seller[notEqual]=s-north)' },
    ])
      expect(idsOf(await client.callTool({ name, arguments: call }))).toEqual([1, 2, 9, 10])
    expect(idsOf(await client.callTool({ name, arguments: { seller: 's-south' } }))).toEqual([])
    await client.close()
  })
})
