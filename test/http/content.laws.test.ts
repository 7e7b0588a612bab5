/** The content of a QUERY request: its type, its bytes, how much of it is read, and what a body parser leaves of it. */
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import * as content from '../../src/service/content.ts'
import { askedOfWeb } from '../../src/service/web.ts'
import { createListService, nodeListener } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field } from '../../src/index.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const requestOf = (body: RequestInit['body'], headers: Record<string, string> = { 'content-type': form }) => {
  // Node asks for `duplex` beside a stream, and its types do not know it.
  const request = new Request('http://x/', { method: 'QUERY', body: body ?? null, headers, ...{ duplex: 'half' } })
  // Request adds a type of its own to texts.
  if (headers['content-type'] === undefined) request.headers.delete('content-type')
  return request
}
const readContent = (request: Request, limit: number) =>
  content.readContent(request.headers, askedOfWeb(request, undefined).content(), limit)
const readQueryContent = (request: Request, limit: number) =>
  content.readQueryContent(request.headers, askedOfWeb(request, undefined).content(), limit)
const bytes = (...chunks: (string | readonly number[])[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk as string))
      controller.close()
    },
  })

describe('the type', () => {
  test.each([
    form,
    'Application/X-WWW-Form-URLencoded',
    `${form};charset=UTF-8`,
    `${form} ; charset="utf-8"`,
    `${form}; boundary=x; CHARSET=Utf-8`,
    `${form};`,
    `${form}; x-charset=latin1`,
    json,
    'Application/JSON; charset=UTF-8',
  ])('%s is taken', async (type) => {
    expect(await readContent(requestOf('a=1', { 'content-type': type }), 10)).toEqual({ text: 'a=1' })
  })

  test.each([
    'text/plain',
    'application/json5',
    'application/problem+json',
    `${json};charset=utf-16`,
    `${json}, ${form}`,
    'application/x-www-form-urlencoded-2',
    'application/x-www-form',
    `${form}, ${form}`,
    `${form};charset=iso-8859-1`,
    `${form};charset=utf-8;charset=utf-16`,
    `${form};charset = utf-8`,
    `${form};charset=utf-8x`,
    `${form};charset=charset=utf-8`,
    `${form};charset=`,
    'multipart/form-data; boundary=x',
    '',
  ])('%s is a 415', async (type) => {
    const detail = `the content has another type: send ${form} or ${json} in UTF-8`
    const code = 'content_type_unsupported'
    expect(await readContent(requestOf('a=1', { 'content-type': type }), 10)).toEqual({ status: 415, code, detail })
  })

  test('none is a 400 (RFC 10008, section 2)', async () => {
    const detail = `the content has no type: send Content-Type: ${form}, or ${json}`
    const problem = { status: 400, code: 'content_type_missing', detail }
    expect(await readContent(requestOf(bytes('a=1'), {}), 10)).toEqual(problem)
    expect(await readContent(requestOf(null, {}), 10)).toEqual(problem)
  })

  test.each(['gzip', 'br', 'identity, gzip', 'x'])(
    'compressed by %s is a 415 that says what is taken',
    async (coding) => {
      expect(await readContent(requestOf('a=1', { 'content-type': form, 'content-encoding': coding }), 10)).toEqual({
        status: 415,
        code: 'content_compressed',
        detail: 'the content is compressed: send it as it is',
        headers: { 'accept-encoding': 'identity' },
      })
    },
  )
  test.each(['identity', ' Identity ', ''])('compressed by "%s" is not compressed', async (coding) => {
    const request = requestOf('a=1', { 'content-type': form, 'content-encoding': coding })
    expect(await readContent(request, 10)).toEqual({ text: 'a=1' })
  })
})

describe('an object of JSON', () => {
  const read = (text: string) => readQueryContent(requestOf(text, { 'content-type': json }), 1000)

  test.each([
    '{}',
    ' {"total[gte]": 5, "sort": ["-total"]}\n',
    '{"a\\"": "b\\":", "c": [":", "\\\\"], "d" : "\\u0022:"}',
    '{"a": "x\\":\\"y"}',
    // `parseObject` refuses these values.
    '{"a": {"b": {"b": 1}}, "c": [[1]]}',
    '{"a": {"b": 1}, "c": 5}',
    '{"a": [1, {"b": 2}]}',
    '{"__proto__": 1}',
  ])('%s', async (text) => {
    expect(await read(text)).toEqual({ object: JSON.parse(text) as object, text: undefined })
  })
  test.each<[string, string]>([
    ['', 'the content is not JSON'],
    ['{', 'the content is not JSON'],
    ['total=5', 'the content is not JSON'],
    ['\ufeff{}', 'the content is not JSON'],
    ...['[]', 'null', '5', '"x"'].map((text): [string, string] => [
      text,
      'the content must be an object of members, { "path[operator]": value }',
    ]),
    // `JSON.parse` keeps the last of two members with one name.
    ...[
      '{"a": 1, "a": 2}',
      '{"a":"x","b":[1],"\\u0061" : "y"}',
      '{"__proto__":1,"__proto__":1}',
      '{"a":null,"b":1,"b":2}',
      '{"a":[null],"b":1,"b":2}',
    ].map((text): [string, string] => [text, 'the content has a member twice: an object has each once']),
  ])('%s is a 400', async (text, detail) => {
    expect(await read(text)).toEqual({ status: 400, code: 'content_not_object', detail })
  })
  test('has the length limit of a text', async () => {
    const long = JSON.stringify({ seller: 'x'.repeat(100) })
    const problem = await readQueryContent(requestOf(long, { 'content-type': json }), 50)
    expect(problem).toMatchObject({ status: 413, issues: [{ code: 'limit_length' }] })
  })
})

describe('the bytes', () => {
  test('none are the empty text', async () => {
    for (const body of [null, '', bytes()]) expect(await readContent(requestOf(body), 0)).toEqual({ text: '' })
  })

  test('are UTF-8, wherever they are cut', async () => {
    const text = 'customerName=Zoë 🏄&x=\ufeff'
    const all = [...Buffer.from(text)]
    expect(await readContent(requestOf(bytes(...all.map((byte) => [byte]))), 100)).toEqual({ text })
    // A byte order mark is a character as in a URL: the language refuses the name that has one.
    expect(await readContent(requestOf(bytes([0xef, 0xbb, 0xbf, 0x61])), 100)).toEqual({ text: '\ufeffa' })
  })

  test.each<[string, readonly number[][]]>([
    ['a byte that begins no character', [[0x61, 0xff]]],
    ['a character that is cut off at the end', [[0x61, 0xc3]]],
    ['a character that another cuts off', [[0xc3], [0x61]]],
    ['an overlong form', [[0xc0, 0xaf]]],
    ['a surrogate', [[0xed, 0xa0, 0x80]]],
    ['UTF-16', [[0xff, 0xfe, 0x61, 0x00]]],
  ])('%s is a 400', async (_, chunks) => {
    const problem = { status: 400, code: 'content_not_utf8', detail: 'the content is not UTF-8' }
    expect(await readContent(requestOf(bytes(...chunks)), 100)).toEqual(problem)
  })

  test('that end by a fault are a 400: the client is gone', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('a=1')),
      pull: (controller) => controller.error(new Error('reset')),
    })
    expect(await readContent(requestOf(broken), 100)).toEqual(incomplete)
  })

  const incomplete = {
    status: 400,
    code: 'content_incomplete',
    detail: 'less content came than the request announced: it ended early, or was read before the service',
  }
  test.each<[string, string, Record<string, string>]>([
    ['none of 4', '', { 'content-length': '4' }],
    ['3 of 4', 'a=1', { 'content-length': '4' }],
    ['3 of 2', 'a=1', { 'content-length': '2' }],
    ['3 of 0', 'a=1', { 'content-length': '0' }],
    ['4 bytes of 3 characters', 'é=1', { 'content-length': '3' }],
    ['3 of a length that is none', 'a=1', { 'content-length': '3, 3' }],
    ['none of chunks', '', { 'transfer-encoding': 'chunked' }],
    ['none of chunks of a coding', '', { 'transfer-encoding': 'gzip, chunked' }],
  ])('%s are a 400: something else read them', async (_, text, headers) => {
    for (const body of text === '' ? [null, '', bytes()] : [text, bytes(text)]) {
      expect(await readContent(requestOf(body, { 'content-type': form, ...headers }), 100)).toEqual(incomplete)
    }
  })
  test.each<[string, string, Record<string, string>]>([
    ['none of 0', '', { 'content-length': '0' }],
    ['3 of 3', 'a=1', { 'content-length': '3' }],
    ['4 bytes of 4', 'é=1', { 'content-length': '4' }],
    ['3 of 003', 'a=1', { 'content-length': '003' }],
    ['chunks', 'a=1', { 'transfer-encoding': 'chunked' }],
    ['none of nothing', '', {}],
  ])('%s are all of them', async (_, text, headers) => {
    for (const body of text === '' ? [null, '', bytes()] : [text, bytes(text)]) {
      expect(await readContent(requestOf(body, { 'content-type': form, ...headers }), 100)).toEqual({ text })
    }
  })
})

describe('the length', () => {
  const tooLong = (limit: number) => {
    const message = `query too long: more than ${limit} characters`
    return {
      ...{ status: 413, detail: message },
      issues: [
        {
          code: 'limit_length',
          fault: 'client',
          message,
          span: { start: limit, end: limit + 1 },
          parameters: { found: limit + 1, isExact: false, limit },
        },
      ],
    }
  }
  test.each([
    ['', 0],
    ['abc', 3],
    ['ééé', 3],
    ['\u{1F3C4}', 2],
    ['a'.repeat(16_384), 16_384],
  ])('%j is read within %i units, and not within one less', async (text, length) => {
    expect(await readContent(requestOf(text), length)).toEqual({ text })
    if (length > 0) expect(await readContent(requestOf(text), length - 1)).toEqual(tooLong(length - 1))
    expect(await readContent(requestOf(text), Infinity)).toEqual({ text })
  })

  test('is kept while reading: an endless content is left alone', async () => {
    let given = 0
    let cancelled = false
    const endless = new ReadableStream(
      {
        pull: (controller) => controller.enqueue(Buffer.alloc(1_000, ++given && 'x')),
        cancel: () => void (cancelled = true),
      },
      { highWaterMark: 0 },
    )
    expect(await readContent(requestOf(endless), 16_384)).toEqual(tooLong(16_384))
    // 17 thousands are more than 16,384. What a Request reads ahead is its own affair, and little.
    expect(given).toBeGreaterThanOrEqual(17)
    expect(given).toBeLessThanOrEqual(19)
    expect(cancelled).toBe(false)
  })
})

describe.each(['nodeListener', 'a listener of Web requests'])('behind a body parser, %s', (name) => {
  const rows = [{ id: 1 }, { id: 2 }]
  const service = createListService({
    authenticate: () => ({}),
    collections: {
      orders: {
        collection: defineCollection(defineSchema({ id: field.integer() }), { key: 'id' }),
        rows: { find: (query) => memoryBackend().compileQuery(query)(rows).rows },
        restriction: () => and(),
      },
    },
  })
  const listener = name === 'nodeListener' ? nodeListener(service) : getRequestListener(service)
  /** The rows, or the code of the problem. */
  async function answersOf(app: RequestListener, body: string | undefined, headers: Record<string, string>) {
    const server = createServer(app).listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sent = send({ port, path: '/api/orders', method: 'QUERY', headers: { 'content-type': form, ...headers } })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const answer = JSON.parse(await textOf(response)) as { data?: unknown; type?: string }
    server.close()
    server.closeAllConnections()
    return answer.data ?? answer.type!.split('#')[1]
  }
  /** With a length, and in chunks. */
  const forms = [{ 'content-length': '4' }, { 'transfer-encoding': 'chunked' }]

  const withParser = (parser: express.RequestHandler) => express().use(parser).use(listener)
  test.each<[string, express.Express]>([
    ['urlencoded', withParser(express.urlencoded())],
    ['extended urlencoded', withParser(express.urlencoded({ extended: true }))],
    ['raw', withParser(express.raw({ type: '*/*' }))],
    ['text', withParser(express.text({ type: '*/*' }))],
  ])('of Express that reads the content (%s), a query is a 400, and no query is one', async (_, app) => {
    for (const headers of forms) expect(await answersOf(app, 'id=1', headers)).toBe('content_incomplete')
    expect(await answersOf(app, undefined, { 'content-length': '0' })).toEqual(rows)
  })

  test.each<[string, express.Express]>([
    ['before a body parser', express().use(listener).use(express.urlencoded())],
    ['behind one of another type', withParser(express.json())],
    [
      'behind one that keeps the bytes',
      withParser(
        express.urlencoded({
          verify: (request, _, bytes) => {
            Object.assign(request, { rawBody: bytes })
          },
        }),
      ),
    ],
  ])('%s, a query is read', async (_, app) => {
    for (const headers of forms) expect(await answersOf(app, 'id=1', headers)).toEqual([rows[0]])
    expect(await answersOf(app, undefined, { 'content-length': '0' })).toEqual(rows)
  })

  test('of Fastify, too', async () => {
    const app = fastify()
    app.addHttpMethod('QUERY', { hasBody: true })
    app.addContentTypeParser(form, { parseAs: 'string' }, (_, body, done) => done(null, body))
    app.all('/api/*', (request, reply) => {
      reply.hijack()
      return listener(request.raw, reply.raw)
    })
    await app.ready()
    for (const headers of forms) expect(await answersOf(app.routing, 'id=1', headers)).toBe('content_incomplete')
    expect(await answersOf(app.routing, undefined, { 'content-length': '0' })).toEqual(rows)
    await app.close()
  })
})
