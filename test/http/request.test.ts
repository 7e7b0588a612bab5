/** Requests as data: their URL, their headers, their content, and those that are none. Expectations by hand. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, defineCollection, defineSchema, field, type Query } from '../../src/index.ts'
import { createListService, keysAndBasic, type ServiceRequest } from '../../src/service/index.ts'
import { askedOf, targetOf } from '../../src/service/request.ts'

describe('the target', () => {
  test.each<[string, string, string, boolean?]>([
    ['/api/orders', '/api/orders', ''],
    ['/api/orders?', '/api/orders', ''],
    ['/api/orders?a=1?b=2', '/api/orders', 'a=1?b=2'],
    ['/api/orders?a=/b', '/api/orders', 'a=/b'],
    ['http://x:80/api/orders?a=1', '/api/orders', 'a=1'],
    ['HTTPS://user@x/api/orders', '/api/orders', ''],
    ['http://x', '', ''],
    ['http://x?a=1', '', 'a=1'],
    // A path may begin like the address of another server.
    ['//evil.example/orders', '//evil.example/orders', ''],
    ['/http://x/orders', '/http://x/orders', ''],
    // No dots are resolved.
    ['/v1/../orders', '/v1/../orders', ''],
    ['/api/orders?a=1#b', '/api/orders', 'a=1', true],
    ['/api/orders?a=1#', '/api/orders', 'a=1'],
    ['/api/orders#b?a=1', '/api/orders', '', true],
    // Characters that a `Request` escapes, and others that it leaves.
    [`/api/orders?a="b'<c>`, '/api/orders', 'a=%22b%27%3Cc%3E'],
    ['/api/orders?a=[b]{c}|^`\\', '/api/orders', 'a=[b]{c}|^`\\'],
    ['/api/orders?a=é b\r\n\ud800', '/api/orders', 'a=%C3%A9%20b%0D%0A%EF%BF%BD'],
    ['*', '*', ''],
    ['', '', ''],
  ])('of %j is %j and %j', (url, path, search, hasFragment = false) => {
    expect(targetOf(url)).toEqual({ path, search, hasFragment })
  })
})

describe('headers', () => {
  const headersOf = (headers: ServiceRequest['headers']) => askedOf({ method: 'GET', url: '/', headers }).head.headers
  test('are found in any case of their name', () => {
    const headers = headersOf({ 'x-api-key': 'k', empty: '', cookie: undefined })
    expect(['X-API-KEY', 'x-api-key', 'Empty', 'Cookie', 'X-Other'].map((name) => headers.get(name))).toEqual([
      ...['k', 'k', '', null, null],
    ])
  })
  test('that came several times are joined, as in Headers of the Web', () => {
    expect(headersOf({ 'x-api-key': ['k', 'k'] }).get('X-API-KEY')).toBe('k, k')
  })
  test.each(['constructor', '__proto__', 'get'])('of a record have no %s of Object.prototype', (name) => {
    expect(headersOf({}).get(name)).toBeNull()
    expect(headersOf(JSON.parse(`{"${name}":"own"}`) as Record<string, string>).get(name)).toBe('own')
  })
  test('of the Web are passed on', () => {
    const headers = new Headers({ a: 'b' })
    expect(headersOf(headers)).toBe(headers)
  })
})

describe('service.answer', () => {
  const rows = [{ id: 1 }, { id: 2 }]
  const collections = {
    orders: {
      collection: defineCollection(defineSchema({ id: field.integer() }), { key: 'id' }),
      rows: { find: (query: Query) => memoryBackend().compileQuery(query)(rows).rows },
      restriction: () => and(),
    },
  }
  const service = createListService({ authenticate: ({ headers }) => ({ by: headers.get('by') ?? '' }), collections })
  const get = { method: 'GET', url: '/orders?id=2', headers: {} }

  test('gives the status, the headers in lower case, and the JSON text', async () => {
    expect(await service.answer(get)).toEqual({
      status: 200,
      headers: {
        ...{ 'content-type': 'application/json', 'content-length': '29', 'cache-control': 'no-store' },
        ...{ 'x-content-type-options': 'nosniff' },
        'accept-query': 'application/x-www-form-urlencoded, application/json',
      },
      body: '{"data":[{"id":2}],"page":{}}',
    })
  })
  test('gives no body to a HEAD, and the length of that of a GET', async () => {
    const { body, headers } = await service.answer({ ...get, method: 'HEAD' })
    expect([body, headers['content-length']]).toEqual([undefined, '29'])
  })

  const type = 'application/x-www-form-urlencoded'
  const contents: readonly [string, unknown][] = [
    ['a text', 'id=2'],
    ['bytes', Buffer.from('id=2')],
    ['chunks', (async function* () { yield* [Buffer.from('id'), Buffer.from('=2')] })()], // prettier-ignore
  ]
  test.each(contents)('reads the content as %s', async (_, body) => {
    const sent = { method: 'QUERY', url: '/orders', headers: { 'content-type': type, 'content-length': '4' }, body }
    expect((await service.answer(sent as ServiceRequest<{ by: string }>)).body).toContain('"data":[{"id":2}]')
  })
  test('takes no content for content that came and is not there', async () => {
    const sent = { method: 'QUERY', url: '/orders', headers: { 'content-type': type, 'content-length': '4' } }
    const { status, body } = await service.answer(sent)
    expect([status, JSON.parse(body!)]).toMatchObject([
      400,
      { type: expect.stringMatching(/#content_incomplete$/) as string },
    ])
  })
  test('ends the iteration of content that is too long', async () => {
    let isEnded = false
    async function* endless() {
      try {
        for (;;) yield Buffer.from('id=2&')
      } finally {
        isEnded = true
      }
    }
    const headers = { 'content-type': type }
    const { status } = await service.answer({ method: 'QUERY', url: '/orders', headers, body: endless() })
    expect([status, isEnded]).toEqual([413, true])
  })
  test('answers content of another type with a 500: it is no empty query', async () => {
    const sent = { method: 'QUERY', url: '/orders', headers: { 'content-type': type }, body: { id: '2' } }
    expect((await service.answer(sent as never)).status).toBe(500)
  })

  test('asks nobody who the caller is where the request has a principal, also an undefined one', async () => {
    const seen: unknown[] = []
    const restriction = (principal: object) => (seen.push(principal), and())
    const never = () => expect.fail('authenticates')
    const strict = createListService<object>({
      authenticate: never,
      collections: { orders: { ...collections.orders, restriction } },
    })
    const principal = { by: 'framework' }
    expect((await strict.answer({ ...get, principal })).status).toBe(200)
    expect((await strict.answer({ ...get, principal: undefined })).status).toBe(401)
    expect(seen).toEqual([principal])
  })

  test('refuses a doubled key, however the server gives it', async () => {
    const byKey = createListService<object>({
      authenticate: keysAndBasic({ byKeyDigest: () => expect.fail('reads a key'), byPassword: () => undefined }),
      basePath: '/api',
      collections: { orders: collections.orders },
    })
    for (const value of ['k, k', 'k,', ['k', 'k'], ['', '']]) {
      const sent = { method: 'GET', url: '/api/orders', headers: { 'x-api-key': value } }
      const { status, body } = await byKey.answer(sent)
      expect([status, JSON.parse(body!)]).toMatchObject([
        400,
        { type: expect.stringMatching(/#key_repeated$/) as string },
      ])
    }
  })

  test('writes no character of a URL into a link that a URL lacks', async () => {
    const { headers } = await service.answer({ ...get, url: '/orders?limit=1&cursor=' })
    expect(headers['link']).toBeUndefined()
    const own = createListService({
      authenticate: () => ({}),
      collections: { orders: { ...collections.orders, reserved: ['view'] } },
    })
    const answer = await own.answer({ ...get, url: '/orders?view="é>;\r\nx: y<&limit=1' })
    expect(answer.headers['link']).toMatch(/^<\?view=%22%C3%A9%3E;%0D%0Ax:%20y%3C&limit=1&cursor=[\w-]+>; rel="next"$/)
  })

  test.each<[unknown, string]>([
    [undefined, 'request must be an object'],
    [{ ...get, method: undefined }, 'request.method must be a text'],
    [{ ...get, url: new URL('http://x/orders') }, 'request.url must be a text'],
    [{ ...get, headers: undefined }, 'request.headers must be an object'],
  ])('rejects %j', async (request, message) => {
    await expect(service.answer(request as never)).rejects.toThrow(new TypeError(message))
  })
})
