/** The service on a server of Node: requests that take too long, and clients that go before their answer. */
import { getEventListeners, once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { keysAndBasic, nodeListener } from '../../src/service/index.ts'
import type { ListServiceOptions, EndpointOptions, Observed, RowsContext } from '../../src/service/index.ts'
import { and, defineCollection, where, type Query } from '../../src/index.ts'
import { keyed as orders } from '../orders.ts'
import { createListService, isData } from './form.ts'

interface Principal {
  readonly seller: string
}
const stored = [
  { id: 1, seller: 's-1', total: 10 },
  { id: 2, seller: 's-2', total: 20 },
  { id: 3, seller: 's-1', total: 30 },
]
const collection = defineCollection(orders, { key: 'id', sort: ['total'], count: true })
const { compile, compileQuery } = memoryBackend()
const found = (query: Query) => compileQuery({ ...query, count: false })(stored).rows
const memory = { find: found, count: ({ filter }: Query) => stored.filter(compile(filter)).length }
const sellers: Readonly<Record<string, Principal>> = {
  'Bearer t-1': { seller: 's-1' },
  'Bearer t-2': { seller: 's-2' },
}

const servers: Server[] = []
const unhandled = vi.fn()
beforeEach(() => void process.on('unhandledRejection', unhandled))
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  await new Promise((done) => setTimeout(done, 5))
  process.off('unhandledRejection', unhandled)
  expect(unhandled.mock.calls.splice(0)).toEqual([])
})

async function start(
  listed: Partial<EndpointOptions<Principal>> = {},
  options: Partial<ListServiceOptions<Principal>> = {},
) {
  const errors: unknown[] = []
  const seen: Observed<Principal>[] = []
  const service = createListService<Principal>({
    authenticate: ({ headers }) => sellers[headers.get('authorization') ?? ''],
    collections: {
      orders: {
        ...{ collection, rows: memory, restriction: ({ seller }) => where(orders).equals('seller', seller) },
        ...listed,
      },
    },
    onError: (error) => errors.push(error),
    onRequest: (one) => void seen.push(one),
    ...options,
  })
  const listener = isData ? nodeListener(service) : getRequestListener((request) => service(request))
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  if (!server.listening) await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/orders`
  const ask = async (query = '', { headers, ...init }: RequestInit = {}) => {
    const response = await fetch(url + query, {
      ...init,
      headers: { authorization: 'Bearer t-1', ...(headers as Record<string, string>) },
    })
    const text = await response.text()
    const body = (text === '' ? {} : JSON.parse(text)) as {
      data: unknown[]
      page: object
      type: string
      detail: string
    }
    return { status: response.status, headers: response.headers, body, code: body.type?.replace(/.*#/, '') }
  }
  return { service, ask, url, errors, seen }
}
const hang = () => new Promise<never>(() => {})

/** A request whose content does not come to its end. */
function beginContent(url: string) {
  const client = httpRequest({
    ...{ port: new URL(url).port, host: '127.0.0.1', path: '/api/orders', method: 'QUERY' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': 50,
      authorization: 'Bearer t-1',
    },
  })
  client.on('error', () => {})
  client.write('total=')
  return client
}

describe('over HTTP', () => {
  test('a page, its links, a row, a 401, a 400, a 404, HEAD and QUERY', async () => {
    const { ask, url, errors } = await start()
    const page = await ask('?sort=-total&limit=1&count=true')
    expect([page.status, page.body.data, page.body.page]).toEqual([
      200,
      [{ id: 3, seller: 's-1', total: 30 }],
      { count: 2, next: expect.any(String) as string },
    ])
    const [, next] = /^<(.+)>; rel="next"$/.exec(page.headers.get('link')!)!
    expect((await ask(next)).body.data).toEqual([{ id: 1, seller: 's-1', total: 10 }])
    const nobody = await ask('', { headers: { authorization: '' } })
    expect([nobody.status, nobody.code, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'caller_unknown',
      'Bearer',
    ])
    expect((await ask('/3')).body).toEqual({ data: { id: 3, seller: 's-1', total: 30 } })
    expect([(await ask('?totl=1')).status, (await ask('/2')).status, (await fetch(`${url}/`)).status]).toEqual([
      400, 404, 404,
    ])
    const head = await ask('', { method: 'HEAD' })
    expect([head.status, Number(head.headers.get('content-length'))]).toEqual([
      200,
      JSON.stringify({ data: [stored[0], stored[2]], page: {} }).length,
    ])
    const content = await ask('', { method: 'QUERY', body: new URLSearchParams({ total: '30' }) })
    expect([content.status, content.body.data]).toEqual([200, [stored[2]]])
    expect(errors).toEqual([])
  })

  test('a tag, and a 304 without a body', async () => {
    const { ask, seen } = await start({}, { cache: { maxAge: 0, vary: ['Authorization'] } })
    const { headers } = await ask()
    const again = await ask('', { headers: { 'If-None-Match': headers.get('etag')! } })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, {}, headers.get('etag')])
    expect(again.headers.get('vary')).toBe('Authorization')
    const other = { authorization: 'Bearer t-2', 'If-None-Match': headers.get('etag')! }
    expect((await ask('', { headers: other })).body.data).toEqual([stored[1]])
    expect(seen.map(({ status, rows }) => [status, rows])).toEqual([
      [200, 2],
      [304, 2],
      [200, 1],
    ])
  })
})

/** Sends a request, waits until the service works on it, and goes. */
async function leave(url: string, started: Promise<unknown>, init: RequestInit = {}) {
  const client = new AbortController()
  const gone = fetch(url, { ...init, headers: { authorization: 'Bearer t-1' }, signal: client.signal })
  const refused = expect(gone).rejects.toThrow(/abort/i)
  await started
  client.abort()
  await refused
}
function signalled<T>() {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((done) => (resolve = done))
  return { promise, resolve }
}

describe('a client that goes', () => {
  test.each(['find', 'page', 'count'] as const)(
    'aborts the signal of %s, and is a 499 for onRequest alone',
    async (name) => {
      const { promise, resolve } = signalled<AbortSignal>()
      const aborted = signalled<unknown>()
      const slow = (_: Query, { signal }: RowsContext) => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason))
        resolve(signal)
        return hang()
      }
      const rows = { ...(name === 'page' ? { count: memory.count } : memory), [name]: slow }
      const { url, errors, seen } = await start({ rows: rows as never })
      await leave(`${url}?total=10&count=true`, promise)
      expect(await aborted.promise).toMatchObject({ name: 'AbortError', message: 'the client is gone' })
      await vi.waitFor(() => expect(seen).toHaveLength(1))
      expect(seen).toMatchObject([
        { principal: { seller: 's-1' }, query: 'total=10&count=true', status: 499, rows: 0, collection: 'orders' },
      ])
      expect(errors).toEqual([])
    },
  )

  test('stops the store, whose rejection is told to nobody', async () => {
    const { promise, resolve } = signalled<void>()
    const rejected = vi.fn()
    const find = (_: Query, { signal }: RowsContext) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          rejected()
          reject(new Error('cancelled'))
        })
        resolve()
      })
    const row = vi.fn()
    const { url, errors, seen } = await start({ rows: { ...memory, find }, row })
    await leave(url, promise)
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    expect([rejected.mock.calls.length, row.mock.calls.length, errors]).toEqual([1, 0, []])
  })

  test.each(['authenticate', 'restriction', 'find'] as const)('during %s gets no further step', async (name) => {
    const { promise, resolve } = signalled<void>()
    const release = signalled<void>()
    const slow = async (answer: unknown) => {
      resolve()
      await release.promise
      return answer
    }
    const steps = {
      authenticate: vi.fn(async () => (name === 'authenticate' ? slow({ seller: 's-1' }) : { seller: 's-1' })),
      restriction: vi.fn(async () => (name === 'restriction' ? slow(and()) : and())),
      find: vi.fn(async (query: Query) => (name === 'find' ? slow(found(query)) : found(query))),
      row: vi.fn((row: unknown) => row),
    }
    const { authenticate, restriction, find, row } = steps as never as Record<keyof typeof steps, () => never>
    const { url, seen, errors } = await start({ rows: { ...memory, find }, restriction, row }, { authenticate })
    await leave(url, promise)
    await vi.waitFor(() => expect(seen.map(({ status }) => status)).toEqual([499]))
    release.resolve()
    await new Promise((done) => setTimeout(done, 20))
    const called = Object.entries(steps).filter(([, { mock }]) => mock.calls.length > 0)
    const names = ['authenticate', 'restriction', 'find']
    expect(called.map(([step]) => step)).toEqual(names.slice(0, names.indexOf(name) + 1))
    expect(errors).toEqual([])
  })

  test('before its content is complete is answered by nothing that reads rows', async () => {
    const find = vi.fn(found)
    const { url, seen } = await start({ rows: { ...memory, find } })
    const client = beginContent(url)
    await new Promise((done) => setTimeout(done, 50))
    client.destroy()
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    expect([[499, 400].includes(seen[0]!.status), find.mock.calls]).toEqual([true, []])
  })

  test('keeps its place until the store has ended', async () => {
    const calls: { resolve: (rows: never[]) => void }[] = []
    const find = () => new Promise<never[]>((resolve) => calls.push({ resolve }))
    const concurrency = { max: 1, key: ({ seller }: Principal) => seller }
    const { ask, url, seen } = await start({ rows: { ...memory, find } }, { concurrency })
    await leave(
      url,
      vi.waitFor(() => expect(calls).toHaveLength(1)),
    )
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    expect((await ask()).status).toBe(429)
    calls[0]!.resolve([])
    const after = ask()
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    calls[1]!.resolve([])
    expect((await after).status).toBe(200)
  })

  test('before the service is called costs nothing', async () => {
    const authenticate = vi.fn(() => ({ seller: 's-1' }))
    const { service, seen, errors } = await start({}, { authenticate })
    const response = await service(new Request('http://x/api/orders', { signal: AbortSignal.abort() }))
    const { type } = (await response.json()) as { type: string }
    expect([response.status, type]).toEqual([499, expect.stringMatching(/#client_gone$/)])
    expect([authenticate.mock.calls, seen.map(({ status }) => status), errors]).toEqual([[], [499], []])
  })
})

describe('password checks of clients that go', () => {
  const basic = (name: string) => ({ authorization: `Basic ${btoa(`${name}:x`)}` })
  /** A service whose checks end when they are told to, with the names that were checked. */
  const checking = async (options: Partial<ListServiceOptions<Principal>> = {}) => {
    const checks = new Map<string, () => void>()
    const byPassword = async (name: string) => {
      await new Promise<void>((resolve) => checks.set(name, resolve))
      return { apiKey: `${name}-key`, principal: { seller: 's-1' } }
    }
    const accounts = { byKeyDigest: () => undefined, byPassword }
    const authenticate = keysAndBasic<Principal>(accounts, { allowBasic: true })
    return { checks, ...(await start({}, { basePath: '/api', authenticate, ...options })) }
  }

  test.each(['apiKey', 'orders'])('leave the queue, which admits others in their place: %s', async (path) => {
    const { checks, url, seen, errors } = await checking()
    const at = new URL(path, url)
    const leaving = new AbortController()
    const send = (name: string, signal?: AbortSignal) => fetch(at, { headers: basic(name), ...(signal && { signal }) })
    const running = ['r1', 'r2'].map((name) => send(name))
    await vi.waitFor(() => expect([...checks.keys()].toSorted()).toEqual(['r1', 'r2']))
    // Sixteen wait. The seventeenth gets a 429, which shows that the queue is full.
    const fill = async (name: string, signal?: AbortSignal) => {
      const sent = Array.from({ length: 17 }, (_, one) => send(`${name}-${one}`, signal))
      expect((await Promise.race(sent)).status).toBe(429)
      return sent
    }
    const gone = await fill('gone', leaving.signal)
    leaving.abort()
    await Promise.allSettled(gone)
    await vi.waitFor(() => expect(seen.filter(({ status }) => status === 499)).toHaveLength(16))
    const patient = await fill('patient')
    for (let ended = 0; ended < 18; ended++) {
      await vi.waitFor(() => expect(checks.size).toBeGreaterThan(ended))
      ;[...checks.values()][ended]!()
    }
    const statuses = await Promise.all([...running, ...patient].map(async (one) => (await one).status))
    expect(statuses.toSorted()).toEqual([...Array<number>(18).fill(200), 429])
    expect([...checks.keys()].filter((name) => name.startsWith('gone'))).toEqual([])
    expect(errors).toEqual([])
  })

  test('leave it when the time of the answer is over, too', async () => {
    const { checks, url } = await checking({ timeout: 100 })
    const names = Array.from({ length: 10 }, (_, one) => `n-${one}`)
    const answers = await Promise.all(names.map((name) => fetch(new URL('apiKey', url), { headers: basic(name) })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(503))
    for (const end of [...checks.values()]) end()
    await new Promise((done) => setTimeout(done, 10))
    expect(checks.size).toBe(2)
  })
})

describe('timeout', () => {
  test.each(['find', 'count'] as const)('ends the answer while %s runs: a 503, and the signal aborts', async (name) => {
    const reasons: unknown[] = []
    const slow = (_: Query, { signal }: RowsContext) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason))
      return hang()
    }
    const { ask, errors, seen } = await start({ rows: { ...memory, [name]: slow } }, { timeout: 50 })
    const begin = performance.now()
    const { status, code, body, headers } = await ask('?count=true&total=10')
    expect(performance.now() - begin).toBeGreaterThan(45)
    expect([status, code, headers.get('cache-control')]).toEqual([503, 'time_exceeded', 'no-store'])
    expect(body.detail).toBe('the answer takes too long: ask for less, or try again later')
    const ended = { name: 'TimeoutError', message: 'the time for the answer is over' }
    expect(reasons).toMatchObject([ended])
    expect(errors).toMatchObject([ended])
    expect(errors).toEqual(reasons)
    expect(seen).toMatchObject([{ status: 503, rows: 0, query: 'total=10&count=true', principal: { seller: 's-1' } }])
    expect(seen[0]!.duration).toBeGreaterThan(45)
  })

  test.each(['authenticate', 'restriction', 'row'] as const)('ends the answer while %s hangs', async (name) => {
    const options = name === 'authenticate' ? { authenticate: hang } : {}
    const listed = name === 'authenticate' ? {} : { [name]: hang }
    const { ask } = await start(listed, { timeout: 30, ...options })
    const { status, code } = await ask()
    expect([status, code]).toEqual([503, 'time_exceeded'])
  })

  test('ends the answer while content does not come', async () => {
    const { url } = await start({}, { timeout: 50 })
    const client = beginContent(url)
    const [answer] = (await once(client, 'response')) as [{ statusCode: number }]
    expect(answer.statusCode).toBe(503)
    client.destroy()
  })

  test('of what fails afterwards tells nobody, and leaves no rejection', async () => {
    const rows = {
      find: async () => {
        await new Promise((done) => setTimeout(done, 60))
        throw new Error('late')
      },
      count: async () => {
        await new Promise((done) => setTimeout(done, 80))
        throw new Error('later')
      },
    }
    const { ask, errors } = await start({ rows }, { timeout: 20 })
    expect((await ask('?count=true')).status).toBe(503)
    await new Promise((done) => setTimeout(done, 100))
    expect(errors).toMatchObject([{ name: 'TimeoutError' }])
  })

  test('counts the request until its rows are read', async () => {
    const calls: { resolve: (rows: never[]) => void }[] = []
    const find = () => new Promise<never[]>((resolve) => calls.push({ resolve }))
    const { ask } = await start({ rows: { ...memory, find } }, { timeout: 20, concurrency: { max: 1, key: () => '' } })
    expect([(await ask()).code, (await ask()).code]).toEqual(['time_exceeded', 'requests_busy'])
    calls[0]!.resolve([])
    await new Promise((done) => setTimeout(done, 5))
    expect((await ask()).code).toBe('time_exceeded')
  })

  test('lets a quick store pass', async () => {
    const { ask, errors } = await start({}, { timeout: 10_000 })
    expect([(await ask()).status, errors]).toEqual([200, []])
  })

  test.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 31, '100', null])('%s is a TypeError', async (timeout) => {
    await expect(start({}, { timeout: timeout as never })).rejects.toThrow(
      new TypeError('timeout must be a whole number of milliseconds from 1 to 2147483647'),
    )
  })
})

describe('no request leaves', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const fail = () => {
    throw new Error('down')
  }
  test.each<[string, Partial<EndpointOptions<Principal>>, string, number]>([
    ['a page', {}, 'orders', 200],
    ['a refusal', {}, 'orders?totl=1', 400],
    ['another path', {}, 'nope', 404],
    ['a store that fails', { rows: { ...memory, find: fail } }, 'orders', 503],
    ['an error', { restriction: fail }, 'orders', 500],
    ['a timeout', { rows: { ...memory, find: hang } }, 'orders', 503],
  ])('a timer or a listener behind: %s', async (_, listed, path, status) => {
    const { service } = await start(listed, {
      timeout: status === 503 ? 30 : 60_000,
      authenticate: () => ({ seller: '' }),
    })
    const { signal } = new AbortController()
    const before = timers()
    for (let at = 0; at < 5; at++) {
      const request = new Request(`http://x/api/${path}`)
      Object.defineProperty(request, 'signal', { value: signal })
      expect((await service(request)).status).toBe(status)
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
    expect(timers()).toBeLessThanOrEqual(before)
  })
})
