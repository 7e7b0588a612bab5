/** The reference service as a user meets it: a process, its port, its start-up text, its end. */
import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOrders } from '../../docs/demo/data.ts'
import { byCompleteness, isComplete } from '../effort.ts'
import { linksOf, walk } from '../service/walk.ts'

const run = promisify(execFile)

/** Where these demos, and no others, make their temporary folders. */
const temporary = mkdtempSync(join(tmpdir(), 'urlwhere-test-'))
const folders = () => readdirSync(temporary).filter((name) => name.startsWith('urlwhere-demo-'))
const { STORE: _, ...surroundings } = process.env
const environment = { ...surroundings, TMPDIR: temporary }

interface Demo {
  readonly process: ChildProcess
  readonly address: string
  /** All that it has printed so far. */
  readonly printed: () => string
}

/** Starts the demo on a free port, and waits for the line that says it answers. */
async function start(command = ['npm', 'start', '--silent'], options: SpawnOptions = {}): Promise<Demo> {
  const [program, ...rest] = command
  const child = spawn(program!, rest, { ...options, stdio: 'pipe', env: { ...environment, PORT: '0' } })
  let printed = ''
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()))
  const exited = once(child, 'close')
  while (!/^urlwhere demo: .*\n/m.test(printed)) {
    const gone = await Promise.race([exited, once(child.stdout, 'data').then(() => undefined)])
    if (gone !== undefined) throw new Error(`the demo ended: ${printed}`)
  }
  return {
    process: child,
    address: /^urlwhere demo: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(printed)![1]!,
    printed: () => printed,
  }
}

/** How a process of the demo ends: its code, and what it printed. */
async function end(env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ['docs/demo/main.ts'], { env: { ...environment, ...env } })
  let printed = ''
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()))
  // After 'exit' there may be output to read.
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}

let demo: Demo
let startup: string
beforeAll(async () => {
  demo = await start(['npm', 'start', '--silent', '--', '--examples'])
  startup = demo.printed()
})
afterAll(async () => {
  demo.process.kill()
  await once(demo.process, 'exit')
  rmSync(temporary, { recursive: true })
})

const get = (path: string, headers = {}) =>
  fetch(demo.address + path, { headers: { 'X-API-KEY': 'office-key', ...headers } })
interface Page {
  readonly data: readonly { readonly id: number; readonly items?: { readonly arrival?: string | null }[] | null }[]
}
/** The rows of all pages. */
const all = async (query: string) => {
  const { forwards, backwards } = await walk<Page>(get, `/api/orders?${query}&limit=200`)
  expect(backwards.map(({ data }) => data)).toEqual(forwards.map(({ data }) => data))
  return forwards.flatMap(({ data }) => data)
}
const ids = async (query: string) => (await all(query)).map(({ id }) => id)

describe('the start-up text', () => {
  test('ends with the address', () => expect(startup).toMatch(/\nurlwhere demo: http:\/\/127\.0\.0\.1:\d+\n$/))
  test('names the accounts with their keys', () => {
    for (const name of ['north', 'south', 'office', 'desk']) {
      expect(startup).toContain(`${name}-key`)
      expect(startup).toContain(`${name}-password`)
    }
  })

  test('has curl lines that work when pasted', async () => {
    const lines = startup.match(/^ *curl .*$/gm)!
    expect(lines).toHaveLength(22)
    expect(lines[0]).toMatch(/^ *curl -g /)
    for (const line of lines) {
      const { stdout } = await run('sh', ['-c', `${line} --silent --show-error --write-out '\\n%{http_code}'`])
      const [body, status] = stdout.split(/\n(?=\d+$)/) as [string, string]
      // Broken into lines for a terminal.
      expect(body).toMatch(/^\{\n {2}"/)
      const answer = JSON.parse(body) as { data?: unknown[]; apiKey?: string; issues?: { code: string }[] }
      // A page of three, and what QUERY sends, are as long as they say.
      if (line.includes('limit=3')) expect(answer.data).toHaveLength(3)
      if (line.includes('apiKey')) expect([status, answer]).toEqual(['200', { apiKey: 'north-key' }])
      else if (line.includes('arival')) expect([status, answer.issues!.length]).toEqual(['400', 3])
      else if (line.includes('desk-key') && line.includes('total'))
        expect([status, answer.issues!.map(({ code }) => code)]).toEqual(['400', ['field_unknown']])
      else if (line.includes('openapi')) expect([status, body.includes('total')]).toEqual(['200', false])
      else if (line.includes('orders/'))
        expect([status, answer.data]).toEqual(['200', { id: 12, status: 'new', total: 799.98 }])
      else expect([status, answer.data!.length > 0], line).toEqual(['200', true])
    }
  })
})

test('listens on the address that it prints, and on no other of this machine', async () => {
  await expect(fetch(demo.address.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow()
})

describe('the data', () => {
  test('is the same on every start, and has what filters are made for', () => {
    const rows = makeOrders()
    expect(rows).toEqual(makeOrders())
    expect(rows.length).toBeGreaterThanOrEqual(2_000)
    expect(new Set(rows.map(({ seller }) => seller)).size).toBeGreaterThanOrEqual(3)
    const incomplete = rows.filter((row) => Object.values(row).includes(null))
    expect(incomplete.length).toBeGreaterThan(300)
    expect(rows.filter(({ items }) => items?.length === 0).length).toBeGreaterThan(100)
    expect(rows.filter(({ customerName }) => /[^\x20-\x7e]/.test(customerName ?? '')).length).toBeGreaterThan(300)
  })
})

describe('the three ways to say a span (the seed’s rule 6)', () => {
  const day = (offset: number) => new Date(Date.UTC(2024, 0, 1 + offset)).toISOString().slice(0, 10)
  const spans = [0, 30, 59, 120, 200, 300, 360].flatMap((from) =>
    [1, 3, 7].map((length) => Array.from({ length }, (_, at) => day(from + at))),
  )

  test.each(spans.map((days) => [days[0]!, days.at(-1)!, days] as const))('%s to %s', async (first, last, days) => {
    for (const path of ['items.arrival', 'arrival']) {
      const listed = await ids(`${path}[in]=${days.join(',')}`)
      expect(await ids(`${path}[gte]=${first}&${path}[lte]=${last}`)).toEqual(listed)
      expect(await ids(`${path}[range]=${first},${last}`)).toEqual(listed)
      expect(listed.length).toBeGreaterThan(0)
    }
  })

  test('an order with one item before and one after the span is not among them', async () => {
    const [from, to] = ['2024-06-10', '2024-06-11']
    const selected = await ids(`items.arrival[range]=${from},${to}`)
    const spanning = (await all('')).filter(({ items }) => {
      const arrivals = (items ?? []).map((item) => item.arrival).filter((arrival) => typeof arrival === 'string')
      const inside = arrivals.some((arrival) => arrival >= from && arrival <= to)
      return !inside && arrivals.some((arrival) => arrival < from) && arrivals.some((arrival) => arrival > to)
    })
    expect(spanning.length).toBeGreaterThan(0)
    expect(spanning.filter(({ id }) => selected.includes(id))).toEqual([])
  })
})

describe('over the wire', () => {
  /** What the server answers to bytes that no HTTP client would send. */
  const raw = async (text: string): Promise<string> => {
    const socket = connect(Number(new URL(demo.address).port), '127.0.0.1')
    socket.write(Buffer.from(text, 'latin1'))
    let answer = ''
    for await (const chunk of socket) answer += (chunk as Buffer).toString('latin1')
    return answer
  }
  const request = (target: string, headers = '') =>
    raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: north-key\r\n${headers}\r\n`)

  test('a QUERY', async () => {
    const query = 'total[gte]=500&sort=-total&limit=3'
    const type = 'application/x-www-form-urlencoded'
    const send = (body: string, headers = {}) =>
      fetch(`${demo.address}/api/orders`, {
        method: 'QUERY',
        body,
        headers: { 'X-API-KEY': 'office-key', 'content-type': type, ...headers },
      })
    const answer = await send(query)
    expect([answer.status, answer.headers.get('accept-query')]).toEqual([200, `${type}, application/json`])
    expect(await answer.text()).toBe(await (await get(`/api/orders?${query}`)).text())
    const members = JSON.stringify({ 'total[gte]': 500, sort: ['-total'], limit: 3 })
    const json = await send(members, { 'content-type': 'application/json' })
    expect(await json.text()).toBe(await (await get(`/api/orders?${query}`)).text())
    expect((await send(query, { 'content-type': 'application/json' })).status).toBe(400)
    expect((await send(query, { 'content-type': 'application/xml' })).status).toBe(415)
    expect((await send(query, { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await send(`seller=${'x'.repeat(17_000)}`)).status).toBe(413)
  })

  test('a QUERY that is refused before it has been sent', async () => {
    const socket = connect(Number(new URL(demo.address).port), '127.0.0.1')
    const head = ['QUERY /api/orders HTTP/1.1', 'Host: x', 'X-API-KEY: office-key', 'Content-Length: 1000000000']
    socket.write(`${[...head, 'Content-Type: application/x-www-form-urlencoded'].join('\r\n')}\r\n\r\n`)
    socket.on('error', () => {})
    socket.write('x'.repeat(20_000))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    expect((await get('/api/orders?id=1')).status).toBe(200)
  })

  test('links within what clients read of an answer’s head', async () => {
    // Node's fetch refuses a head of more than 16 KiB.
    const long = `id[in]=${Array.from({ length: 500 }, (_, at) => at + 1000).join(',')}&limit=1&customerName[notEqual]=`
    for (const length of [0, 900, 1_000]) {
      const first = await get(`/api/orders?${long}${'x'.repeat(length)}`)
      const { next } = linksOf(first.headers.get('link'))
      const second = await get(`/api/orders${next}`)
      expect([second.status, Object.keys(linksOf(second.headers.get('link')))]).toEqual([200, ['next', 'prev']])
    }
    const longest = `seller[nin]=${Array.from({ length: 15 }, () => 'x'.repeat(1_000)).join(',')}&limit=1`
    const answer = await get(`/api/orders?${longest}`)
    const { page } = (await answer.json()) as { page: { next: string } }
    expect(answer.headers.get('link')).toBeNull()
    expect((await get(`/api/orders?${longest}&cursor=${page.next}`)).status).toBe(200)
  })

  test('raw brackets, raw quotes, raw non-ASCII, a raw fragment', async () => {
    expect(await request('/api/orders?id[lte]=3')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await request('/api/orders?tags[in]="sea","vip"')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await request('/api/orders?customerName=J\xf6rg')).toMatch(/^HTTP\/1\.1 (200|400) /)
    expect(await request('/api/orders?id=1#&total=1')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('the header sent twice', async () => {
    expect(await request('/api/orders', 'X-API-KEY: north-key\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('the language’s own limits answer first, up to 64 KiB of headers', async () => {
    const answer = await request(`/api/orders?seller=${'x'.repeat(20_000)}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('limit_length')
    expect(await request('/api/orders?id=1', `X-Long: ${'x'.repeat(60_000)}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await request('/api/orders?id=1', `X-Long: ${'x'.repeat(70_000)}\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  })

  test.each([
    ['no host', 'GET /api/orders HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a host that is none', 'GET /api/orders HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['no path', 'GET nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('%s is a 400', async (_, text) => expect(await raw(text)).toMatch(/^HTTP\/1\.1 400 /))

  test('nothing of all that is logged', () => expect(demo.printed()).toBe(startup))
})

describe('the end', () => {
  test.each(byCompleteness<NodeJS.Signals[]>(['SIGINT', 'SIGTERM'], ['SIGTERM']))(
    '%s to npm: clean, though a connection lingers',
    async (signal) => {
      const before = folders()
      const other = await start()
      expect(folders()).toHaveLength(before.length + 1)
      const port = Number(new URL(other.address).port)
      const slow = connect(port, '127.0.0.1')
      slow.on('error', () => {})
      await once(slow, 'connect')
      slow.write('GET /api/orders HTTP/1.1\r\nHost: x\r\n')
      other.process.kill(signal)
      const [code] = (await once(other.process, 'close')) as [number | null]
      slow.destroy()
      expect(code).toBe(0)
      expect(other.printed()).not.toMatch(/error/i)
      expect(folders()).toEqual(before)
      const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException]
      expect(error.code).toBe('ECONNREFUSED')
    },
  )

  /** As a terminal sends it: to npm and to the demo, and npm passes on what it gets. */
  const press = ({ process: { pid } }: Demo, signal: NodeJS.Signals) => process.kill(-pid!, signal)

  test.each([
    ['Ctrl-C', 'SIGINT', 1, 0],
    ['Ctrl-C, twice', 'SIGINT', 2, 0],
    ['a closed terminal, twice', 'SIGHUP', 2, 1],
  ] as const)('%s, though a connection lingers: nothing is left behind', async (_, signal, times, expected) => {
    const before = folders()
    // By itself where npm ends before it.
    const command = expected === 0 ? ['npm', 'start', '--silent'] : [process.execPath, 'docs/demo/main.ts']
    const other = await start(command, { detached: true })
    expect(folders()).toHaveLength(before.length + 1)
    const slow = connect(Number(new URL(other.address).port), '127.0.0.1')
    slow.on('error', () => {})
    await once(slow, 'connect')
    slow.write('GET /api/orders HTTP/1.1\r\nHost: x\r\n')
    const closed = once(other.process, 'close')
    for (let time = 0; time < times; time++) {
      press(other, signal)
      await sleep(200)
    }
    expect(await closed).toEqual([expected, null])
    slow.destroy()
    expect(folders()).toEqual(before)
  })

  test('a taken port is one clear line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const before = folders()
    const { code, printed } = await end({ PORT: String(port) })
    server.close()
    expect([code, printed]).toEqual([
      1,
      `urlwhere demo: port ${port} is taken: choose another, as in PORT=3001 npm start\n`,
    ])
    expect(folders()).toEqual(before)
  })

  const stores = 'sqlite, memory, postgres://…, postgresql://…, mysql://…, mariadb://…, mongodb://…, mongodb+srv://…'
  const dead = (scheme: string, reason: string) =>
    `STORE, ${scheme}://… (a database that the demo may make tables or collections in), cannot be used: ${reason}`
  const down = (place: string) => `cannot connect to ${place}: is it running?`
  /** A fault of each kind. */
  const few: readonly (readonly [env: Record<string, string>, reason: string])[] = [
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535'],
    [{ STORE: 'constructor' }, `STORE must be one of ${stores}`],
    [{ STORE: 'postgres://u:secret@127.0.0.1:1/x' }, down('postgres at 127.0.0.1:1')],
  ]
  const others: typeof few = [
    [{ STORE: 'mariadb://u:secret@127.0.0.1:1/x' }, down('mariadb at 127.0.0.1:1')],
    [{ STORE: 'mysql://u:secret@127.0.0.1:1' }, dead('mysql', 'its driver cannot read the URL')],
    [{ STORE: 'mongodb://127.0.0.1:1,[::1]:2' }, down('mongodb at 127.0.0.1:1,[::1]:2')],
    [{ STORE: 'mongodb+srv://u:secret@h:1/x' }, dead('mongodb+srv', 'MongoParseError')],
    [{ PORT: 'abc' }, 'PORT must be a number from 0 to 65535'],
    [{ STORE: 'oracle' }, `STORE must be one of ${stores}`],
    [{ STORE: 'postgres://u:secret@h:port/x' }, `STORE must be one of ${stores}`],
    [{ STORE: 'postgresql://u:secret@localhost:1/x' }, down('postgresql at localhost:1')],
    [{ STORE: 'mongodb://u:secret@127.0.0.1:1/x' }, down('mongodb at 127.0.0.1:1')],
    [{ STORE: 'mongodb://u:sec@ret@h/x' }, dead('mongodb', 'MongoParseError')],
  ]
  // Each waits most of its time.
  test.concurrent.each(byCompleteness([...few, ...others], few))('%j is one clear line', async (env, reason) => {
    expect(await end({ PORT: '0', ...env })).toEqual({ code: 1, printed: `urlwhere demo: ${reason}\n` })
  })

  // A resolver may take seconds to say that there is no such host.
  test.runIf(isComplete).concurrent.each([
    ['postgres', 5432],
    ['mysql', 3306],
    ['mongodb', 27017],
  ])('%s://… of a host that does not exist: its name and the usual port', async (scheme, port) => {
    const { code, printed } = await end({ PORT: '0', STORE: `${scheme}://u:secret@no.invalid/x` })
    expect(code).toBe(1)
    // Without a network the reason is another.
    expect(printed.replace(/\w+(?= at no)/, 'REASON')).toBe(
      `urlwhere demo: ${dead(scheme, `REASON at no.invalid:${port}`)}\n`,
    )
  })
})
