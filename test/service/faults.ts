/** Loaded into the service before it, makes it wrong in the one way that FAULT names: what the load must not overlook. */
import { mkdirSync } from 'node:fs'
import { ServerResponse } from 'node:http'
import { join } from 'node:path'

const { writeHead, write } = ServerResponse.prototype as unknown as Record<string, (...all: unknown[]) => unknown>
let answers = 0
const isChosen = () => ++answers % 100 === 99

type Headers = Record<string, string>
/** Puts something between the adapter and Node. */
const onHead = (put: (this: ServerResponse, status: number, headers: Headers) => readonly [number, Headers]) =>
  Object.assign(ServerResponse.prototype, {
    writeHead(this: ServerResponse, status: number, headers: Headers) {
      return writeHead!.call(this, ...put.call(this, status, headers))
    },
  })
const onBody = (put: (this: ServerResponse, body: Uint8Array) => Uint8Array) =>
  Object.assign(ServerResponse.prototype, {
    write(this: ServerResponse, body: Uint8Array) {
      return write!.call(this, put.call(this, body))
    },
  })
const chosenly = (act: () => void) => onHead((...head) => (isChosen() && act(), head))

/** What the service printed when it failed. */
let failure: { readonly headers: Headers; body?: Uint8Array } | undefined

const faults: Readonly<Record<string, () => unknown>> = {
  body: () => onBody((body) => (isChosen() ? body.with(-5, 0x21) : body)),
  header: () => onHead((status, headers) => [status, isChosen() ? { ...headers, 'cache-control': 'public' } : headers]),
  status: () => onHead((status, headers) => [status === 404 ? 500 : status, headers]),
  silence: () =>
    onHead(function (...head) {
      // Its head and its end are lost too.
      if (isChosen()) this.end = this.write = this.flushHeaders = () => this as never
      return head
    }),
  reasons: () =>
    onBody(function (body) {
      const text = '{"reason":"SELECT'
      return this.statusCode === 503 ? Buffer.concat([Buffer.from(text), body.subarray(text.length)]) : body
    }),
  // What has failed once fails for ever.
  unwell: () => {
    onHead((status, headers) => {
      if (status === 503) failure ??= { headers }
      return failure?.body !== undefined && status === 200 ? [503, failure.headers] : [status, headers]
    })
    onBody(function (body) {
      if (this.statusCode !== 503) return body
      return (failure!.body ??= body)
    })
  },
  end: () => chosenly(() => void Promise.reject(new Error('not handled'))),
  words: () => chosenly(() => console.error('Warning: something')),
  folder: () => process.on('exit', () => mkdirSync(join(process.env.TMPDIR!, 'urlwhere-demo-left'))),
}
faults[process.env.FAULT!]!()
