/** A server of HTTP for this machine alone: it converts the requests of Node to those of the Web. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { Failure, messageOf } from './failure.ts'

const host = '127.0.0.1'

/** Answers a request. */
export type Answer = (request: Request) => Response | Promise<Response>

const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The accepted hosts. DNS rebinding sends the requests of another site to this machine, with the host of that site. */
const localHost = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i

/**
 * Whether a page of another site sends the request. Such a page cannot read the answer, but it can measure the time of the answer. A link
 * to the first page is allowed.
 *
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
const isForeign = ({ url, headers }: IncomingMessage): boolean =>
  url !== '/' && /^(?:cross|same)-site$/.test(String(headers['sec-fetch-site']))

/** @returns `undefined` for a target that is not a path. */
function requestOf(message: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '' } = message
  const target = `http://${host}${url}`
  if (!url.startsWith('/') || !URL.canParse(target)) return undefined
  const pairs = Object.entries(message.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  // A stream requires `duplex`. The types of Node lack it.
  const content = method === 'QUERY' ? { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' } : {}
  return new Request(target, { method, headers: pairs, signal, ...content })
}

async function respond(answer: Answer, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: string) =>
    response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end(`${body}\n`)
  if (!localHost.test(message.headers.host ?? '')) return void send(421, `this server is ${host} and localhost only`)
  if (isForeign(message)) return void send(403, 'this server answers its own page only')
  if (!['GET', 'HEAD', 'QUERY'].includes(message.method ?? '')) {
    response.setHeader('allow', 'GET, HEAD, QUERY')
    return void send(405, 'method not allowed: use GET, HEAD or QUERY')
  }
  const ended = new AbortController()
  response.on('close', () => ended.abort())
  const request = requestOf(message, ended.signal)
  if (request === undefined) return void send(400, 'malformed HTTP request')
  const result = await answer(request)
  response.writeHead(result.status, { ...headers, ...Object.fromEntries(result.headers) })
  response.end(Buffer.from(await result.arrayBuffer()))
}

/**
 * Listens on a port of this machine. For port 0, the operating system chooses a free port.
 *
 * @param onError receives the errors of `answer`. The client gets a 500.
 * @returns the address.
 * @throws Failure if the port is taken.
 */
export async function listen(answer: Answer, port: number, onError: (error: unknown) => void): Promise<string> {
  // The server accepts a longer query than the language, so the service answers a query that is too long.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (message, response) => {
    respond(answer, message, response).catch((error: unknown) => {
      onError(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500, headers).end()
    })
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE'
    throw new Failure(2, isTaken ? `port ${port} is taken. Choose another with --port` : messageOf(error))
  })
  return `http://${host}:${(server.address() as AddressInfo).port}/`
}
