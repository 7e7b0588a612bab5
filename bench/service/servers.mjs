/**
 * The servers of one list, each as a function of a store that gives a server which does not listen yet. `isRestricted`: the seller is that
 * of the caller's token, and not a condition of the query.
 */
import { createServer } from 'node:http'
import { createAdaptorServer, getRequestListener } from '@hono/node-server'
import fastify from 'fastify'
import { Hono } from 'hono'
import { and, parseQuery, restrict, toAnswer, where } from '../../src/index.ts'
import { createListService, fastifyHandler, nodeListener } from '../../src/service/index.ts'
import { collection, schema } from '../orders.mjs'

export const tokenOf = (seller) => `Bearer ${seller}`
const callers = new Map(Array.from({ length: 200 }, (_, at) => [tokenOf(`s-${at}`), { seller: `s-${at}` }]))

// --- By hand

const cursorOf = (isBack, { total, id }) => Buffer.from(JSON.stringify([isBack, total, id])).toString('base64url')

/** What a request asks for, by a function that reads a parameter; `undefined` if it is wrong. */
function askedOf(valueOf, seller) {
  const from = Number(valueOf('total[gte]'))
  const limit = Number(valueOf('limit') ?? 20)
  if (!Number.isFinite(from) || !(limit >= 1 && limit <= 100) || valueOf('sort') !== '-total') return undefined
  const cursor = valueOf('cursor') ?? undefined
  try {
    const position = cursor && JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return { seller: seller ?? valueOf('seller'), from, limit, position }
  } catch {
    return undefined
  }
}

function answerOf({ limit, position }, found) {
  const [isBack] = position ?? [false]
  const hasMore = found.length > limit
  const data = hasMore ? found.slice(0, limit) : found
  if (isBack) data.reverse()
  const page = {}
  if (data.length > 0 && (hasMore || isBack)) page.next = cursorOf(false, data.at(-1))
  if (data.length > 0 && (isBack ? hasMore : position !== undefined)) page.previous = cursorOf(true, data[0])
  return { data, page }
}

function send(response, status, body) {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}

function byHand({ byHand: read }, isRestricted) {
  return createServer(async (request, response) => {
    const caller = callers.get(request.headers.authorization)
    if (caller === undefined) return send(response, 401, { title: 'Unauthorized' })
    const at = request.url.indexOf('?')
    const values = new URLSearchParams(at === -1 ? '' : request.url.slice(at))
    const asked = askedOf((name) => values.get(name), isRestricted ? caller.seller : undefined)
    if (asked === undefined) return send(response, 400, { title: 'Bad Request' })
    send(response, 200, answerOf(asked, await read(asked)))
  })
}

function inHono({ byHand: read }, isRestricted) {
  const app = new Hono()
  app.get('/orders', async (c) => {
    const caller = callers.get(c.req.header('Authorization'))
    if (caller === undefined) return c.json({ title: 'Unauthorized' }, 401)
    const asked = askedOf((name) => c.req.query(name), isRestricted ? caller.seller : undefined)
    if (asked === undefined) return c.json({ title: 'Bad Request' }, 400)
    return c.json(answerOf(asked, await read(asked)))
  })
  return createAdaptorServer({ fetch: app.fetch })
}

async function inFastify({ byHand: read }, isRestricted) {
  const app = fastify()
  app.get('/orders', async (request, reply) => {
    const caller = callers.get(request.headers.authorization)
    if (caller === undefined) return reply.status(401).send({ title: 'Unauthorized' })
    const asked = askedOf((name) => request.query[name], isRestricted ? caller.seller : undefined)
    if (asked === undefined) return reply.status(400).send({ title: 'Bad Request' })
    return answerOf(asked, await read(asked))
  })
  await app.ready()
  return app.server
}

// --- With urlwhere

/** As docs/guides/handlers.md says; `answerOf` makes the answer of a page. */
const raw =
  (answerOf) =>
  ({ page: read }, isRestricted) =>
    createServer(async (request, response) => {
      const caller = callers.get(request.headers.authorization)
      if (caller === undefined) return send(response, 401, { title: 'Unauthorized' })
      const result = parseQuery(collection, new URL(request.url, 'http://localhost'))
      if (!result.ok) return send(response, 400, { title: 'Bad Request', issues: result.issues })
      const query = isRestricted ? restrict(result.query, where(schema).equals('seller', caller.seller)) : result.query
      send(response, 200, answerOf(query, await read(query)))
    })
const ofPage = (_, { rows, next, previous }) => ({ data: rows, page: { next, previous } })

function serviceOf({ backend, find, page }, isRestricted) {
  const all = and()
  return createListService({
    authenticate: ({ headers }) => callers.get(headers.get('Authorization')),
    collections: {
      orders: {
        collection,
        rows: { backend, ...(find === undefined ? { page } : { find }) },
        restriction: ({ seller }) => (isRestricted ? where(schema).equals('seller', seller) : all),
      },
    },
  })
}

async function serviceInFastify(store, isRestricted) {
  const app = fastify()
  app.all('/:name', fastifyHandler(serviceOf(store, isRestricted)))
  await app.ready()
  return app.server
}

/** By name: the first is the base of the others. */
export const servers = {
  'by hand, node:http': byHand,
  'by hand, Hono': inHono,
  'by hand, Fastify': inFastify,
  'urlwhere raw': raw(ofPage),
  'urlwhere raw, toAnswer': raw((query, page) => toAnswer(collection, query, page)),
  'urlwhere service': (store, isRestricted) => createServer(nodeListener(serviceOf(store, isRestricted))),
  'urlwhere service, Fastify': serviceInFastify,
  'urlwhere service, @hono/node-server': (store, isRestricted) =>
    createServer(getRequestListener(serviceOf(store, isRestricted))),
}
