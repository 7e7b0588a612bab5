/** The list service, served by a run-time other than Node and asked over HTTP: the guide's Worker on workerd, and Deno and Bun. */
import { defineCollection, defineSchema, field, where } from '../../dist/index.js'
import { createListService } from '../../dist/http.js'
import { memoryBackend } from '../../dist/memory.js'

const rows = [
  { id: 1, seller: 's-1', status: 'paid', total: 30 },
  { id: 2, seller: 's-1', status: 'paid', total: 10 },
  { id: 3, seller: 's-2', status: 'paid', total: 20 },
  { id: 4, seller: 's-1', status: 'paid', total: 20 },
  { id: 5, seller: 's-1', status: 'new', total: 50 },
]
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time))

/** The guide's service with rows in memory. A query for 777 is one that never ends. */
function serviceOf(log) {
  const orders = defineSchema({
    id: field.integer({ required: true }),
    seller: field.string({ required: true }),
    status: field.enumeration(['paid', 'held', 'new'], { required: true }),
    total: field.number({ required: true }),
  })
  const find = (query) =>
    JSON.stringify(query.filter).includes('777')
      ? new Promise(() => {})
      : memoryBackend().compileQuery(query)(rows).rows
  return createListService({
    authenticate: ({ headers }) => (headers.get('Authorization') === 'Bearer token-1' ? { seller: 's-1' } : undefined),
    collections: {
      orders: {
        collection: defineCollection(orders, { key: 'id', hidden: ['seller'], sort: ['total'] }),
        rows: { find },
        restriction: ({ seller }) => where(orders).equals('seller', seller),
      },
    },
    onRequest: ({ principal, collection, status }) => log(`${principal?.seller} ${collection} ${status}`),
    onError: (error) => log(String(error)),
  })
}

/** Each serves at an address, and logs a line for each request. */
const servers = {
  deno(log) {
    const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => {} }, serviceOf(log))
    return { address: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() }
  },
  bun(log) {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serviceOf(log) })
    return { address: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) }
  },
  async workerd(log) {
    const { readFile } = await import('node:fs/promises')
    const { join } = await import('node:path')
    const { build } = await import('esbuild')
    const { Miniflare } = await import('miniflare')
    const guide = await readFile(new URL('../../docs/guides/d1.md', import.meta.url), 'utf8')
    const [, contents] = /^<!-- file: worker.ts -->\n\n```typescript\n([^]*?)^```$/m.exec(guide)
    // A query for 777 takes long.
    const slow = contents.replace(
      'const statement',
      'if (values.includes(777)) await new Promise((resolve) => setTimeout(resolve, 10_000))\n$&',
    )
    const stdin = { contents: slow, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' }
    const options = { bundle: true, format: 'esm', external: ['cloudflare:workers'], write: false }
    const { outputFiles } = await build({ stdin, ...options })
    const worker = new Miniflare({
      ...{ modules: true, script: outputFiles[0].text, d1Databases: ['DB'], host: '127.0.0.1', port: 0 },
      ...{ compatibilityDate: '2026-07-30', compatibilityFlags: ['enable_request_signal'] },
      handleRuntimeStdio: (...streams) =>
        streams.forEach((stream) => stream.on('data', (lines) => String(lines).trim().split('\n').forEach(log))),
    })
    const database = await worker.getD1Database('DB')
    await database.exec('CREATE TABLE customers (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL)')
    await database.exec(
      'CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT NOT NULL, status TEXT NOT NULL, total REAL NOT NULL, customer_id INTEGER)',
    )
    for (const row of rows)
      await database
        .prepare('INSERT INTO orders VALUES (?, ?, ?, ?, NULL)')
        .bind(...Object.values(row))
        .run()
    return { address: (await worker.ready).href.replace(/\/$/, ''), close: () => worker.dispose(), leave: reset }
  },
}

/** A client that gives up. */
async function abort(url, headers) {
  const leaving = new AbortController()
  const answer = fetch(url, { headers, signal: leaving.signal })
  await sleep(300)
  leaving.abort()
  await answer.catch(({ name }) => equal(name, 'AbortError', 'a client that goes'))
}
/** workerd notices a connection that is reset, and not one that is half closed. */
async function reset(url, headers) {
  const { connect } = await import('node:net')
  const { port, hostname, pathname, search } = new URL(url)
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, hostname)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await sleep(1000)
  socket.resetAndDestroy()
}

function equal(actual, expected, what) {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`${what}: ${found} is not ${wanted}`)
}

const logged = []
const name = process.argv[2]
const { address, close, leave = abort } = await servers[name]((line) => logged.push(line))
const headers = { authorization: 'Bearer token-1' }
const get = (text, init = {}) => fetch(`${address}/v1/orders${text}`, { headers, ...init })
const idsOf = async (answer) => (await answer.json()).data.map(({ id }) => id)

const first = await get('?status=paid&sort=-total&limit=2')
const { data, page } = await first.json()
const shown = data.map(({ id, seller, status, total }) => [id, seller, status, total])
equal(
  [first.status, shown],
  [
    200,
    [
      [1, undefined, 'paid', 30],
      [4, undefined, 'paid', 20],
    ],
  ],
  'a page',
)
equal(await idsOf(await get(`?status=paid&sort=-total&limit=2&cursor=${page.next}`)), [2], 'the next page')
const bad = await get('?total[gte]=x')
equal([bad.status, (await bad.json()).issues.map(({ code }) => code)], [400, ['operand_invalid']], 'a fault')
const nobody = await get('', { headers: {} })
equal([nobody.status, nobody.headers.get('www-authenticate')], [401, 'Bearer'], 'nobody')
const head = await get('', { method: 'HEAD' })
equal([head.status, await head.text()], [200, ''], 'HEAD')
const query = { method: 'QUERY', body: new URLSearchParams({ status: 'paid', sort: '-total', limit: '2' }) }
equal(await idsOf(await get('', query)), [1, 4], 'QUERY')
equal((await get('', { method: 'POST' })).status, 405, 'POST')
await leave(`${address}/v1/orders?total[gte]=777`, headers)
for (let tries = 0; !logged.includes('s-1 orders 499'); tries++) {
  if (tries > 200) throw new Error(`the service does not know that the client is gone: ${logged.join('; ')}`)
  await sleep(20)
}
await close()
console.log(`${name}: the service answers`)
