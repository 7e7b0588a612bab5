/** What Hono adds to the list service of the demo: CORS, ETags, compression, security headers; and what is beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccounts, type Principal } from '../../docs/demo/accounts.ts'
import { makeApp } from '../../docs/demo/app.ts'
import { memoryStore, type Store } from '../../docs/demo/store.ts'
import { pagesIn } from '../../docs/site/pages.ts'
import type { Accounts } from '../../src/service/index.ts'

let accounts: Accounts<Principal>
let app: (request: Request) => Promise<Response>
beforeAll(async () => {
  accounts = await makeAccounts(2)
  app = makeApp(memoryStore(), accounts, (error) => {
    throw error
  })
})

type Headers_ = Record<string, string>
const ask = (path: string, headers: Headers_ = {}, method = 'GET') =>
  app(new Request(`http://booking.example${path}`, { method, headers }))
const as = (name: string): Headers_ => ({ 'X-API-KEY': `${name}-key` })
const basic = (text: string): Headers_ => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

describe('what may be kept', () => {
  const list = '/api/orders?id[lte]=40'

  test('a list: by the caller alone, asked again each time', async () => {
    const { status, headers } = await ask(list, as('north'))
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    expect(headers.get('vary')!.split(', ')).toEqual(['Accept-Encoding', 'Authorization', 'User-Agent', 'X-API-KEY'])
    expect(headers.get('etag')).toMatch(/^"[\da-f]{40}"$/)
  })

  test('a list that is the same is a 304, whose headers another origin may read', async () => {
    const first = await ask(list, as('north'))
    const etag = first.headers.get('etag')!
    const second = await ask(list, { ...as('north'), 'if-none-match': etag })
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag])
    for (const name of ['cache-control', 'vary', 'access-control-allow-origin', 'access-control-expose-headers']) {
      expect(second.headers.get(name), name).toBe(first.headers.get(name))
    }
    expect((await ask(`${list}&gift=true`, { ...as('north'), 'if-none-match': etag })).status).toBe(200)
  })

  test('the list of another caller is another; without a key the ETag of a list says nothing', async () => {
    const etag = (await ask(list, as('north'))).headers.get('etag')!
    const south = await ask(list, { ...as('south'), 'if-none-match': etag })
    expect(south.status).toBe(200)
    expect(south.headers.get('etag')).not.toBe(etag)
    for (const headers of [{}, { 'X-API-KEY': 'nobody-key' }, basic('north:north-password')]) {
      for (const tag of [etag, '*']) {
        const { status, headers: got } = await ask(list, { ...headers, 'if-none-match': tag })
        expect([status, got.get('etag')]).toEqual([401, null])
      }
    }
  })

  test.each<[number, string, Headers_, string]>([
    [401, '/api/orders', {}, 'GET'],
    [401, '/api/orders', as('nobody'), 'GET'],
    [400, '/api/orders?nope=1', as('north'), 'GET'],
    [200, '/api/orders?id=1&apiKey=north-key', {}, 'GET'],
    [200, '/api/apiKey', basic('north:north-password'), 'GET'],
    [401, '/api/apiKey', basic('north:wrong'), 'GET'],
    [404, '/nope', {}, 'GET'],
    [405, '/health', {}, 'POST'],
    [200, '/health', {}, 'GET'],
  ])('no %i of %s', async (status, path, headers, method) => {
    for (const tag of [{}, { 'if-none-match': '*' }]) {
      // A list by a key in the URL may be told to be the same; it is in no cache all the same.
      const own = 'if-none-match' in tag && path.includes('id=1') ? 304 : status
      const answer = await ask(path, { ...headers, ...tag }, method)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([own, 'no-store'])
    }
  })

  test('the key of an account has no ETag, which would be its digest', async () => {
    expect((await ask('/api/apiKey', basic('north:north-password'))).headers.get('etag')).toBeNull()
  })
})

describe('other origins', () => {
  const origin = { origin: 'https://app.example' }

  test('may send a key, and read answers with all that clients need of their headers', async () => {
    const { status, headers } = await ask('/api/orders?limit=1', { ...origin, ...as('north') })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const exposed = headers.get('access-control-expose-headers')!.split(',')
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Link', 'Warning', 'WWW-Authenticate', 'Retry-After']))
  })

  test.each(['/api/orders', '/api/apiKey', '/health'])('ask first whether they may: %s', async (path) => {
    const asked = { 'access-control-request-method': 'QUERY', 'access-control-request-headers': 'x-api-key' }
    const answer = await ask(path, { ...origin, ...asked }, 'OPTIONS')
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD,QUERY')
    expect(answer.headers.get('access-control-allow-headers')!.toLowerCase().split(',')).toContain('x-api-key')
    expect(answer.headers.get('access-control-max-age')).toBe('600')
  })

  test('gain nothing by that: without a key they see what anybody sees, and no browser sends a password for them', async () => {
    for (const headers of [origin, { origin: 'null' }]) {
      const answer = await ask('/api/orders', headers)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    }
    for (const path of ['/api/orders', '/api/apiKey', '/health', '/nope']) {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const { headers } = await ask(path, { ...origin, ...as('north') }, method)
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
  })
})

describe('compression', () => {
  const gzip = { 'accept-encoding': 'gzip' }

  test('of a list: the same bytes, an ETag of the same', async () => {
    const [plain, packed] = [
      await ask('/api/orders', as('north')),
      await ask('/api/orders', { ...as('north'), ...gzip }),
    ]
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('content-length')).toBeNull()
    const [body, bytes] = [await plain.text(), Buffer.from(await packed.arrayBuffer())]
    expect(gunzipSync(bytes).toString()).toBe(body)
    expect(bytes.length).toBeLessThan(body.length / 4)
    const etag = packed.headers.get('etag')!
    expect(etag).toBe(`W/${plain.headers.get('etag')}`)
    expect((await ask('/api/orders', { ...as('north'), ...gzip, 'if-none-match': etag })).status).toBe(304)
  })

  test('not of the key, nor of what is short', async () => {
    for (const [path, headers] of [
      ['/api/apiKey', basic('north:north-password')],
      ['/api/orders?id=1&fields=id', as('office')],
    ] as const) {
      const answer = await ask(path, { ...headers, ...gzip })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null])
    }
  })
})

test('HEAD is GET without its body, uncompressed', async () => {
  const paths = [
    '/',
    '/api/orders',
    '/api/orders?nope=1',
    '/api/apiKey',
    '/health',
    '/swagger',
    '/openapi.json',
    '/nope',
  ]
  for (const path of paths) {
    const get = await ask(path, as('north'))
    const head = await ask(path, { ...as('north'), 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.status, await head.text()]).toEqual([get.status, ''])
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
  }
})

describe('what is not there', () => {
  test.each([
    ...['/nope', '/api', '/api/', '/docs/nope.md', '/docs/../package.json', '/docs/%2e%2e/package.json'],
    ...['/.git/config', '/docs/demo/app.ts', '//health'],
  ])('%s is a 404 problem', async (path) => {
    for (const method of ['GET', 'POST', 'QUERY']) {
      const answer = await ask(path, as('north'), method)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
      expect(await answer.json()).toMatchObject({ type: '/docs/concepts/errors.md#path_unknown' })
    }
  })
  test.each(['/', '/health', '/swagger', '/swagger/reader.js', '/docs/README.md', '/openapi.json'])(
    'POST %s is a 405 problem',
    async (path) => {
      const answer = await ask(path, {}, 'POST')
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(await answer.json()).toEqual({
        ...{ type: '/docs/concepts/errors.md#method_not_allowed', title: 'Method Not Allowed', status: 405 },
        detail: 'method not allowed: use GET or HEAD',
      })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    },
  )
  test('DELETE of a list is the 405 of the list service', async () => {
    expect((await ask('/api/orders', {}, 'DELETE')).headers.get('allow')).toBe('GET, HEAD, QUERY')
  })
})

test('every answer has the headers that keep browsers from guessing, framing and telling', async () => {
  for (const [path, method] of [
    ['/api/orders', 'GET'],
    ['/api/orders', 'OPTIONS'],
    ['/', 'GET'],
    ['/swagger', 'GET'],
    ['/swagger', 'PUT'],
    ['/health', 'HEAD'],
    ['/nope', 'GET'],
  ] as const) {
    const { headers } = await ask(path, {}, method)
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.* frame-ancestors 'none'/)
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe-eval|script-src/)
  }
})

describe('/health', () => {
  const failing = () => Promise.reject(new Error('SELECT'))
  test('is well as long as the store is', async () => {
    expect(await (await ask('/health')).json()).toEqual({ status: 'ok' })
    const errors: unknown[] = []
    const store: Store = { ...memoryStore(), experiences: { read: failing } }
    const answer = await makeApp(store, accounts, (error) => errors.push(error))(new Request('http://x/health'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/problem+json'])
    expect(await answer.text()).not.toContain('SELECT')
    expect(errors).toEqual([new Error('SELECT')])
  })
})

const docs = join(import.meta.dirname, '../../docs')

describe('the playground', () => {
  const types: Readonly<Record<string, string>> = {
    html: 'text/html; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml; charset=utf-8',
    txt: 'text/plain; charset=utf-8',
  }
  test('is each of its files, asked again each time, compressed', async () => {
    const names = readdirSync(join(docs, 'playground/site'))
    expect(names).toEqual(expect.arrayContaining(['index.html', 'playground.js', 'playground.css']))
    for (const name of names) {
      const path = name === 'index.html' ? '/' : `/${name}`
      const file = readFileSync(join(docs, 'playground/site', name))
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([200, types[name.split('.').at(-1)!]])
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(file)

      const packed = await ask(path, { 'accept-encoding': 'gzip, deflate, br' })
      const isPacked = packed.headers.get('content-encoding') === 'gzip'
      expect(isPacked, path).toBe(file.length >= 1024)
      const bytes = Buffer.from(await packed.arrayBuffer())
      expect(isPacked ? gunzipSync(bytes) : bytes).toEqual(file)
      const again = await ask(path, { 'if-none-match': packed.headers.get('etag')! })
      expect(again.status).toBe(304)
    }
  })
})

test('curl gets JSON in lines, with an ETag of its own, and a full length', async () => {
  const path = '/api/orders?limit=1&fields=id'
  const curl = { ...as('office'), 'user-agent': 'curl/8.14.1' }
  const [short, long] = [await ask(path, as('office')), await ask(path, curl)]
  expect(long.headers.get('etag')).not.toBe(short.headers.get('etag'))
  const again = await ask(path, { ...curl, 'if-none-match': long.headers.get('etag')! })
  expect([again.status, long.headers.get('content-length')]).toEqual([304, null])
  expect(await short.text()).toMatch(/^\{"data":\[\{"id":1\}\],"page":/)
  expect(await long.text()).toMatch(/^\{\n {2}"data": \[\n {4}\{\n {6}"id": 1\n {4}\}\n {2}\],\n {2}"page":.*\}\n$/s)
})

test('/llms.txt redirects to the list of pages for models, and the app serves its links', async () => {
  const moved = await ask('/llms.txt')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/llms.txt'])
  const text = await (await ask('/docs/llms.txt')).text()
  const links = Array.from(text.matchAll(/\]\(([^)#]+)\)/g), ([, link]) => link!)
  expect(links).toContain('questions.json')
  for (const link of links.filter((one) => !one.startsWith('..')))
    expect([link, (await ask(`/docs/${link}`)).status]).toEqual([link, 200])
})

test('the documentation leads back, and the links of the playground lead to it', async () => {
  const page = await (await ask('/docs/guides/client.md')).text()
  expect(page).toContain('<nav aria-label="Demo"><a href="/docs/README.md">')
  for (const [path, target] of [
    ['/docs', '/docs/'],
    ['/README.md', '/docs/README.md'],
    ['/concepts/grammar.md', '/docs/concepts/grammar.md'],
    ['/guides/playground.md', '/docs/guides/playground.md'],
  ]) {
    const moved = await ask(path!)
    expect([path, moved.status, moved.headers.get('location')]).toEqual([path, 302, target])
    expect((await ask(target!)).status).toBe(200)
  }
})

test('/openapi.json?style=flat has a parameter for each field and operator', async () => {
  const namesOf = async (path: string) => {
    const document = (await (await ask(path, as('north'))).json()) as {
      paths: Record<string, { get: { parameters: { name: string }[] } }>
    }
    return document.paths['/api/orders']!.get.parameters.map(({ name }) => name)
  }
  expect(await namesOf('/openapi.json')).not.toContain('total[gte]')
  expect(await namesOf('/openapi.json?style=flat')).toContain('total[gte]')
})

test('/openapi.json describes what is served', async () => {
  const answer = await ask('/openapi.json', as('north'))
  expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    'application/json',
    'private, no-cache',
  ])
  const document = (await answer.json()) as {
    openapi: string
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
  }
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'parameters')
      .map(([method, { operationId, responses }]) => ({ path, method, operationId, responses })),
  )
  expect(operations.map(({ operationId }) => operationId)).toEqual([
    ...['listOrders', 'queryOrders', 'getOrder', 'listExperiences', 'queryExperiences', 'getExperience'],
    ...['getApiKey', 'getHealth'],
  ])
  for (const { path, method, responses } of operations) {
    for (const headers of [{}, as('north'), basic('north:north-password'), { 'content-type': 'x' }]) {
      const { status } = await ask(path, headers, method.toUpperCase())
      expect(Object.keys(responses), `${method} ${path}`).toContain(String(status))
    }
    expect((await ask(path, {}, 'DELETE')).status).toBe(405)
  }
})

test('/openapi.json is of the caller: nobody else gets it, and the desk learns of no total', async () => {
  const office = await ask('/openapi.json', as('office'))
  const desk = await ask('/openapi.json', as('desk'))
  expect(await office.text()).toContain('"total"')
  expect(desk.headers.get('vary')).toBe('Accept-Encoding, User-Agent, X-API-KEY')
  const text = await desk.text()
  expect(text).toContain('"customerName"')
  expect(text).not.toMatch(/total/i)
  const etag = office.headers.get('etag')!
  expect((await ask('/openapi.json', { ...as('office'), 'if-none-match': etag })).status).toBe(304)
  expect((await ask('/openapi.json', { ...as('desk'), 'if-none-match': etag })).status).toBe(200)
  for (const headers of [{}, as('nobody'), basic('desk:desk-password')]) {
    const refused = await ask('/openapi.json', headers)
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'no-store'])
  }
  const inUrl = await ask('/openapi.json?apiKey=desk-key')
  expect([inUrl.headers.get('cache-control'), await inUrl.text()]).toEqual(['no-store', text])
  expect((await ask('/openapi.json?apiKey=desk-key', as('office'))).status).toBe(400)
})

describe('the documentation', () => {
  const pages = pagesIn(docs)
  const htmlOf = async (path: string) => (await ask(path)).text()

  test('is there, page by page, with an ETag', async () => {
    expect(pages.length).toBeGreaterThan(30)
    for (const page of pages) {
      const { status, headers } = await ask(`/docs/${page}`)
      expect([status, headers.get('content-type')], page).toEqual([200, 'text/html; charset=UTF-8'])
      expect(headers.get('etag')).not.toBeNull()
    }
  })

  test('has the section that the type of a problem leads to', async () => {
    const answer = await ask('/api/orders?arival=1', as('north'))
    const { type } = (await answer.json()) as { type: string }
    const { pathname, hash } = new URL(type, 'http://booking.example')
    expect(await htmlOf(pathname)).toContain(`<h3 id="${hash.slice(1)}">field_unknown</h3>`)
  })

  test('has all the sections that its pages link to', async () => {
    for (const page of pages.filter((name) => /^(?:concepts|guides|start)\//.test(name))) {
      const path = `/docs/${page}`
      for (const [, link] of (await htmlOf(path)).matchAll(/<a href="([^"]*\.md(?:#[^"]*)?|#[^"]*)"/g)) {
        const { pathname, hash, host } = new URL(link!, `http://booking.example${path}`)
        if (host !== 'booking.example' || !pathname.startsWith('/docs/')) continue
        const html = await htmlOf(pathname)
        if (hash !== '') expect(html, `${page}: ${link}`).toContain(`id="${hash.slice(1)}"`)
      }
    }
  })
})
