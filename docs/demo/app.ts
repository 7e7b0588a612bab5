/** The whole demo: the list service, within Hono's middleware for CORS, ETags, compression and security headers. */
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { secureHeaders } from 'hono/secure-headers'
import { parseQueryOrThrow } from '../../src/index.ts'
import { keysAndBasic, problemResponse, type Accounts, type Problem } from '../../src/service/index.ts'
import type { Principal } from './accounts.ts'
import { changingOrders, type ChangingRows } from './changes.ts'
import { experienceCollection, type Order } from './data.ts'
import { answerChanges } from './live.ts'
import { documentFor } from './openapi.ts'
import { addPages, siteDirectives } from './pages.ts'
import { collectionOfOrders, makeService, problemTypes, restrictionOfOrders } from './service.ts'
import type { Store } from './store.ts'

const isWell = parseQueryOrThrow(experienceCollection, 'limit=1')
/** Whether an authenticator found a caller, and no problem. */
const isCaller = (found: { readonly principal: Principal } | Problem): found is { readonly principal: Principal } =>
  Object.hasOwn(found, 'principal')
const nobody: Principal = { name: 'health', sellers: [], seesTotal: false }

/** The answer where the server hands on no Web request. */
export const improperRequest = () => problemResponse({ status: 400, detail: 'malformed HTTP request' })

/** Breaks the lines of JSON for curl, which shows it in a terminal. */
const readable: MiddlewareHandler = async (c, next) => {
  await next()
  if (!/^curl\//.test(c.req.header('user-agent') ?? '')) return
  if (!/[/+]json\b/.test(c.res.headers.get('content-type') ?? '')) return
  const text = `${JSON.stringify(JSON.parse(await c.res.text()), null, 2)}\n`
  c.res = new Response(text, c.res)
  c.header('content-length', undefined)
}

/**
 * Makes the demo as a function of a request. It rejects only if `onError` throws.
 *
 * @param site the folder of the built documentation.
 * @param changing the orders whose changes `/live/orders` tells.
 */
export function makeApp(
  store: Store,
  accounts: Accounts<Principal>,
  onError: (error: unknown) => void,
  site?: string,
  changing: ChangingRows<Order> = changingOrders(),
): (request: Request) => Promise<Response> {
  const service = makeService(store, accounts, onError)
  const refuse = (problem: Problem) => problemResponse(problem, problemTypes)
  const authenticator = keysAndBasic(accounts)
  const app = new Hono()

  const policy = {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  }
  const secure = (contentSecurityPolicy: Record<string, string[]>) =>
    // The demo has no HTTPS. A proxy in front of it with HTTPS sets this header.
    secureHeaders({ contentSecurityPolicy, strictTransportSecurity: false })
  const [headers, headersOfSite] = [secure(policy), secure({ ...policy, ...(site && siteDirectives(site)) })]
  app.use(
    (c, next) => (c.req.path.startsWith('/docs/') ? headersOfSite : headers)(c, next),
    // Any page may send a key of its own. A browser adds none: credentials are not allowed.
    cors({
      origin: '*',
      allowMethods: ['GET', 'HEAD', 'QUERY'],
      allowHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'X-API-KEY'],
      exposeHeaders: ['Accept-Query', 'Allow', 'ETag', 'Link', 'Retry-After', 'Warning', 'WWW-Authenticate'],
      maxAge: 600,
    }),
    methodNotAllowed({
      app,
      onMethodNotAllowed: (_, methods) => {
        const [allow, detail] = [methods.join(', '), `method not allowed: use ${methods.join(' or ')}`]
        return refuse({ status: 405, code: 'method_not_allowed', detail, headers: { allow } })
      },
    }),
    // BREACH needs an answer with a secret beside text of the request, and a browser that adds the key. There is neither.
    compress(),
  )
  // A page of another origin may read a 304 only with the headers of CORS.
  const tagged = etag({
    retainedHeaders: [...RETAINED_304_HEADERS, 'access-control-allow-origin', 'access-control-expose-headers'],
  })
  for (const path of ['/api/orders/*', '/api/experiences/*']) {
    app.use(path, tagged, readable, async (c, next) => {
      await next()
      c.header('vary', 'Accept-Encoding, Authorization, User-Agent, X-API-KEY')
      // A private cache may store a list or a row, and revalidates it each time. A URL with a key is not stored.
      const mayKeep = c.res.ok && !c.res.headers.has('warning')
      if (mayKeep) c.header('cache-control', 'private, no-cache')
    })
  }

  app.use('/api/apiKey', readable)

  app.get('/health', async (c) => {
    c.header('cache-control', 'no-store')
    try {
      const { raw: request } = c.req
      await store.experiences.read(isWell, { principal: nobody, request, signal: request.signal, reserved: new Map() })
      return c.json({ status: 'ok' })
    } catch (error) {
      onError(error)
      return refuse({ status: 503, code: 'data_unavailable', detail: 'the store does not answer' })
    }
  })
  const callerOf = async ({ req }: Context) =>
    authenticator.authenticate(req.raw, new Map([['apiKey', req.queries('apiKey') ?? []]]))
  // The document names the fields of its caller alone, so it requires a key.
  app.get('/openapi.json', tagged, readable, async (c) => {
    const found = await callerOf(c)
    if (!isCaller(found)) return refuse(found)
    c.header('cache-control', c.req.query('apiKey') === undefined ? 'private, no-cache' : 'no-store')
    c.header('vary', 'Accept-Encoding, User-Agent, X-API-KEY')
    return c.json(documentFor(service, found.principal, c.req.query('style') === 'flat'))
  })
  app.get('/live/orders', async (c) => {
    const found = await callerOf(c)
    if (!isCaller(found)) return refuse(found)
    const { principal } = found
    const answer = answerChanges(c.req.raw, collectionOfOrders(principal), restrictionOfOrders(principal), changing)
    return answer instanceof Response ? answer : refuse(answer)
  })
  addPages(app, tagged, site)
  app.all('*', ({ req }) => service(req.raw))
  app.onError((error) => {
    onError(error)
    return refuse({ status: 500, code: 'service_failed', detail: 'the service failed to answer the request' })
  })

  return async (request) => {
    if (request.method !== 'HEAD') return app.fetch(request)
    // The headers of GET. Without compression they have a length.
    const headers = new Headers(request.headers)
    headers.delete('accept-encoding')
    const response = await app.fetch(new Request(request.url, { headers, signal: request.signal }))
    await response.body?.cancel()
    return new Response(null, response)
  }
}
