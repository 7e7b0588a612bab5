/** The orders for tests of notations, and a service that lists them in each notation. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { expect } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { createListService, type ServiceOptions } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, type Query } from '../../src/index.ts'
import {
  jsonApi,
  jsonServer,
  jsonServer1,
  nestPaginate,
  reactAdmin,
  strapi,
} from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'

export const notations: Readonly<Record<string, Notation>> = {
  ...{ jsonServer, jsonServer1, reactAdmin, strapi, jsonApi, nestPaginate },
}

export const orders = defineSchema({
  id: field.integer(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  note: field.string(),
  gift: field.boolean(),
  day: field.date(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
  // `day_gte` is also the field `day` with the suffix `_gte`.
  total_gte: field.number(),
  paidAt: field.datetime({ digits: 3 }),
})
export const collection = defineCollection(orders, {
  ...{ key: 'id', sort: true, offset: { max: 1_000 }, limit: { default: 10, max: 40 } },
  ...{ count: true, groups: true, fields: true, search: ['note', 'customer.name'] },
})

export interface Order {
  readonly id: number
  readonly status: string
  readonly total?: number
  readonly note?: string
  readonly gift: boolean
  readonly day: string
  readonly tags: readonly string[]
  readonly customer: { readonly name: string }
  readonly total_gte: number
  readonly paidAt?: string
}

const names = ['Ann', 'Bob', 'Änne', 'Smith, John']
/** Every fifth order lacks `total`, every seventh order lacks `note`, and every sixth order lacks `paidAt`. A payment may be at midnight. */
export const rows: readonly Order[] = Array.from({ length: 53 }, (_, at): Order => {
  const id = at + 1
  return {
    id,
    status: ['paid', 'held', 'new'][at % 3]!,
    ...(id % 5 !== 0 && { total: (id * 7) % 50 }),
    ...(id % 7 !== 0 && { note: `${id % 2 === 0 ? 'Surf' : 'kayak'} ${id}` }),
    gift: id % 4 === 0,
    day: `2024-01-${String((at % 28) + 1).padStart(2, '0')}`,
    tags: [...(id % 2 === 0 ? ['sea'] : []), ...(id % 3 === 0 ? ['vip'] : [])],
    customer: { name: names[at % 4]! },
    total_gte: id % 10,
    ...(id % 6 !== 0 && { paidAt: new Date(Date.UTC(2024, 0, (at % 28) + 1, (at % 4) * 6)).toISOString() }),
  }
})

/** Compares the requests of a client and the rows of their answers with a file in `requests/`. `vitest -u` writes the file. */
export const checkLog = (client: string, requests: readonly string[]): Promise<void> =>
  expect(`${requests.join('\n')}\n`).toMatchFileSnapshot(`requests/${client.replace('/', '-')}.txt`)

export const isInstalled = existsSync(join(import.meta.dirname, 'node_modules/ra-core'))

const { compile, compileQuery } = memoryBackend()
const memory = {
  find: (query: Query) => compileQuery({ ...query, count: false })(rows).rows,
  count: ({ filter }: Query) => rows.filter(compile(filter)).length,
}

/** Starts a server: `/NAME/orders` lists the orders in the notation NAME. */
export async function startServer(options: Partial<ServiceOptions<object>> = {}) {
  const requests: string[] = []
  const service = createListService<object>({
    authenticate: ({ headers }) => (headers.get('authorization') === 'nobody' ? undefined : {}),
    collections: { orders: { collection, rows: memory, restriction: () => and() } },
    notation: ({ url }) => notations[new URL(url).pathname.split('/')[1]!],
    onError: (error) => errors.push(error),
    ...options,
  })
  const errors: unknown[] = []
  const fetch = async (request: Request) => {
    const answer = await service(request)
    const { pathname, search } = new URL(request.url)
    const body: unknown = await answer.clone().json()
    const data = Array.isArray(body) ? body : ((body as { data?: object | null }).data ?? body)
    const found = (Array.isArray(data) ? data : [data]) as readonly object[]
    const rowsOf = answer.ok ? `: rows ${found.map((row) => (row as Order).id).join(' ') || 'none'}` : ''
    requests.push(`${request.method} ${pathname}${decodeURIComponent(search)} → ${answer.status}${rowsOf}`)
    return answer
  }
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server
  if (!server.listening) await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url, requests, errors, stop }
}

export const idsOf = (found: readonly unknown[]): readonly number[] => found.map((row) => Number((row as Order).id))
export const idsWhere = (holds: (order: Order) => boolean): readonly number[] => idsOf(rows.filter(holds))
