/** The listeners on servers of Node, Express and Fastify: callers of a framework, faults of a program, and content that is too long. */
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import fastify, { type FastifyRequest } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { createListService, fastifyHandler, keysAndBasic, nodeListener } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, type Query } from '../../src/index.ts'

const form = 'application/x-www-form-urlencoded'
const rows = [{ id: 1 }, { id: 2 }]
const collection = defineCollection(defineSchema({ id: field.integer() }), { key: 'id' })
const found = (query: Query) => memoryBackend().compileQuery(query)(rows).rows
const authenticate = vi.fn(() => ({ name: 'own' }))
const restriction = vi.fn((_: object) => and())
const serviceOf = (find: (query: Query) => unknown = found, onError?: () => void) =>
  createListService<object>({
    authenticate,
    collections: { orders: { collection, rows: { find: find as typeof found }, restriction } },
    ...(onError && { onError }),
  })
type Service = ReturnType<typeof serviceOf>
type Caller = { readonly name: string } | undefined

/** Makes the server of a service; `callerOf` reads the header `user`, as a middleware might. */
const servers: Readonly<Record<string, (service: Service, withUser?: boolean) => Promise<RequestListener>>> = {
  'node:http': async (service, withUser) =>
    withUser === true ? nodeListener(service, ({ headers }) => userOf(headers)) : nodeListener(service),
  Express: async (service, withUser) =>
    express().use(
      '/api',
      withUser === true
        ? nodeListener(service, ({ headers }: express.Request) => userOf(headers))
        : nodeListener(service),
    ),
  Fastify: async (service, withUser) => {
    const app = fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_, content, done) => done(null, content))
    app.all(
      '/api/:name',
      withUser === true
        ? fastifyHandler(service, ({ headers }: FastifyRequest) => userOf(headers))
        : fastifyHandler(service),
    )
    await app.ready()
    return app.routing
  },
}
const userOf = ({ user }: Readonly<Record<string, unknown>>): Caller => {
  if (user === 'fault') throw new Error('the session is broken')
  return typeof user === 'string' ? { name: user } : undefined
}

const started: ReturnType<typeof createServer>[] = []
afterEach(async () => {
  for (const server of started.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  for (const { mockClear } of [authenticate, restriction]) mockClear()
})

async function start(listener: RequestListener) {
  const server = createServer(listener).listen(0)
  started.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const begin = (method: string, headers: Record<string, string>, path = '/api/orders') =>
    send({ port, path, method, headers, agent: false })
  const ask = async (method: string, headers: Record<string, string> = {}, body?: string, path?: string) => {
    const sent = begin(method, headers, path)
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = await textOf(response)
    const answer = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: unknown; type?: string }
    return { status: response.statusCode, headers: response.headers, answer, code: answer.type?.replace(/.*#/, '') }
  }
  return { server, begin, ask }
}

describe.each(Object.entries(servers))('on %s', (_, listenerOf) => {
  test('a page, HEAD, QUERY and a fault', async () => {
    const { ask } = await start(await listenerOf(serviceOf()))
    const page = await ask('GET')
    expect([page.status, page.answer.data, page.headers['cache-control']]).toEqual([200, rows, 'no-store'])
    const head = await ask('HEAD')
    expect([head.status, head.headers['content-length']]).toEqual([200, page.headers['content-length']])
    expect((await ask('QUERY', { 'content-type': form }, 'id=2')).answer.data).toEqual([rows[1]])
    expect(await ask('GET', {}, undefined, '/api/orders?id=x')).toMatchObject({ status: 400, code: 'operand_invalid' })
  })

  test('the caller of the framework is not authenticated again, and nobody is a 401', async () => {
    const { ask } = await start(await listenerOf(serviceOf(), true))
    expect((await ask('GET', { user: 'u-1' })).status).toBe(200)
    expect(restriction.mock.calls).toEqual([[{ name: 'u-1' }]])
    expect((await ask('GET')).status).toBe(401)
    expect(authenticate).not.toHaveBeenCalled()
  })

  test('an error of the function that finds the caller is a 500', async () => {
    const { ask } = await start(await listenerOf(serviceOf(), true))
    expect((await ask('GET', { user: 'fault' })).status).toBe(500)
    expect(restriction).not.toHaveBeenCalled()
  })

  test('an error that onError throws is a 500, and the server goes on', async () => {
    const fail = () => {
      throw new Error('the log is full')
    }
    const { ask } = await start(await listenerOf(serviceOf(fail, fail)))
    expect((await ask('GET')).status).toBe(500)
    expect((await ask('GET', {}, undefined, '/api/nope')).status).toBe(404)
  })

  test('a key that comes in two headers is a 400', async () => {
    const accounts = { byKeyDigest: () => expect.fail('reads a key'), byPassword: () => undefined }
    const service = createListService<object>({
      authenticate: keysAndBasic(accounts),
      basePath: '/api',
      collections: { orders: { collection, rows: { find: found }, restriction } },
    })
    const { ask } = await start(await listenerOf(service))
    const doubled = ['k', 'k'] as never as string
    expect(await ask('GET', { 'X-API-KEY': doubled })).toMatchObject({ status: 400, code: 'key_repeated' })
  })

  test('credentials that come in two headers are joined, as in Headers of the Web', async () => {
    const seen: (string | null)[] = []
    const service = createListService<object>({
      authenticate: ({ headers }) => void seen.push(headers.get('Authorization')),
      collections: { orders: { collection, rows: { find: found }, restriction } },
    })
    const { ask } = await start(await listenerOf(service))
    for (const value of ['Bearer a', ['Bearer a', 'Bearer b'], 'Authorization'])
      expect((await ask('GET', { Authorization: value as string, 'x-name': 'Authorization' })).status).toBe(401)
    expect(seen).toEqual(['Bearer a', 'Bearer a, Bearer b', 'Authorization'])
  })

  test('content that does not end is a 413 at the limit, and then the connection closes', async () => {
    const { begin, ask } = await start(await listenerOf(serviceOf()))
    const connection = 'keep-alive'
    const sent = begin('QUERY', { 'content-type': form, 'transfer-encoding': 'chunked', connection })
    // The client still sends when the connection closes, which is an error for it.
    sent.on('error', () => {})
    let isOver = false
    const closed = new Promise<void>((resolve) => sent.on('close', resolve)).then(() => (isOver = true))
    const answered = new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
    const sending = (async () => {
      while (!isOver) {
        sent.write('id=2&'.repeat(200))
        await sleep(5)
      }
    })()
    const response = await answered
    response.on('error', () => {})
    expect(response.statusCode).toBe(413)
    response.resume()
    await closed
    await sending
    expect((await ask('GET')).status).toBe(200)
  })

  test('a client that disconnects aborts the signal', async () => {
    let aborted!: (reason: unknown) => void
    const reason = new Promise((resolve) => (aborted = resolve))
    let called!: () => void
    const isCalled = new Promise<void>((resolve) => (called = resolve))
    const find = (_: Query, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>(() => {
        signal.addEventListener('abort', () => aborted((signal.reason as Error).name))
        called()
      })
    const { begin } = await start(await listenerOf(serviceOf(find as never)))
    const sent = begin('GET', {})
    sent.on('error', () => {})
    sent.end()
    await isCalled
    sent.destroy()
    expect(await reason).toBe('AbortError')
  })
})

test('the next function of a framework gets an error, and no answer is written', async () => {
  const next = vi.fn()
  const broken = { answer: () => Promise.reject(new Error('broken')) }
  const { ask } = await start((request, response) => {
    void nodeListener(broken)(request, response, next).then(() => response.writeHead(204).end())
  })
  expect((await ask('GET')).status).toBe(204)
  expect(next.mock.calls).toEqual([[new Error('broken')]])
})

test.each([
  [undefined, undefined, 'service must be made by createListService'],
  [() => {}, undefined, 'service must be made by createListService'],
  [serviceOf(), { name: 'x' }, 'principalOf must be a function of the request'],
])('%o and %o are no arguments', (service, principalOf, message) => {
  const refused = new TypeError(message)
  expect(() => nodeListener(service as never, principalOf as never)).toThrow(refused)
  expect(() => fastifyHandler(service as never, principalOf as never)).toThrow(refused)
})
