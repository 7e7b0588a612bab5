/**
 * A list endpoint from the request to the answer: each server in a process of its own, asked in turns through one connection that is kept.
 * It measures the time of the processor that a request costs the server, and the bytes that it allocates.
 */
import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { openSqlite, ordersUpTo } from './orders.mjs'
import { servers, tokenOf } from './service/servers.mjs'
import { check, row } from './timing.mjs'

const count = 100_000
const framework = 'NestJS, nestjs-paginate, TypeORM'
const base = 'by hand, node:http'

// --- Where the rows are

const places = {
  memory: () => ({ place: {}, close: () => {} }),
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'urlwhere-'))
    const file = join(folder, 'orders')
    openSqlite(count, file).close()
    return { place: { file }, close: () => rmSync(folder, { recursive: true }) }
  },
  PostgreSQL: async () => {
    const schema = `urlwhere_bench_${process.pid}`
    const client = new pg.Client({ connectionString: process.env.POSTGRES_URL, options: `-c search_path=${schema}` })
    await client.connect()
    await client.query(`CREATE SCHEMA ${schema}; CREATE UNLOGGED TABLE orders (id int PRIMARY KEY, seller text COLLATE "C" NOT NULL,
      customer_name text, status text NOT NULL, total double precision NOT NULL, note text, day date NOT NULL)`)
    for (let orders = [...ordersUpTo(count)]; orders.length > 0;) {
      const some = orders
        .splice(0, 10_000)
        .map(({ customerName, ...order }) => ({ ...order, customer_name: customerName }))
      await client.query('INSERT INTO orders SELECT * FROM json_populate_recordset(NULL::orders, $1)', [
        JSON.stringify(some),
      ])
    }
    await client.query('CREATE INDEX ON orders (seller, total, id)')
    await client.query('VACUUM ANALYZE orders')
    const close = () => client.query(`DROP SCHEMA ${schema} CASCADE`).then(() => client.end())
    return { place: { schema }, close }
  },
}

// --- A server, and what it is asked

/** Starts a server; `ask` requests a path of it, and `tell` asks its process. */
async function start(name, store, place, isRestricted, execArgv = []) {
  const child = fork(
    new URL('service/process.mjs', import.meta.url),
    [JSON.stringify({ name, store, place, isRestricted })],
    { execArgv },
  )
  const answer = () =>
    new Promise((resolve, reject) => {
      child.once('exit', reject)
      child.once('message', ({ answer }) => {
        child.off('exit', reject)
        resolve(answer)
      })
    })
  const tell = (asked) => {
    const told = answer()
    child.send(asked)
    return told
  }
  const port = await answer()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = ({ path, headers }) =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }))
      }).on('error', reject)
    })
  const stop = () => {
    agent.destroy()
    child.disconnect()
  }
  return { name, ask, tell, stop, samples: [] }
}

const ours = {
  first: (seller, from) => `?${seller === undefined ? '' : `seller=${seller}&`}total[gte]=${from}&sort=-total&limit=20`,
  next: (first, { page: { next } }) => `${first}&cursor=${next}`,
}
const ofFramework = {
  first: (seller, from) =>
    `?${seller === undefined ? '' : `filter.seller=$eq:${seller}&`}filter.total=$gte:${from}&sortBy=total:DESC&sortBy=id:DESC&limit=20`,
  next: (first) => `${first}&page=2`,
}

/** The requests of a server, first and second pages, with the rows of their answers. */
async function requestsOf({ name, ask }, store, isRestricted) {
  const { first, next } = name === framework ? ofFramework : ours
  const requests = []
  for (let at = 0; at < 32; at++) {
    const seller = `s-${store === 'memory' ? 0 : at}`
    const headers = { authorization: tokenOf(seller) }
    let query = first(isRestricted ? undefined : seller, 100 + at)
    for (const isLast of [false, true]) {
      const path = `/orders${query}`
      const { status, text } = await ask({ path, headers })
      check(status === 200, `${name}, ${path}: ${text}`)
      const body = JSON.parse(text)
      requests.push({ path, headers, rows: body.data })
      if (!isLast) query = next(query, body)
    }
  }
  return requests
}

const inTurns = async (lanes, rounds, work) => {
  for (let round = 0; round < rounds; round++)
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) await work(lane)
}
async function askAll({ ask, requests }, passes) {
  for (let pass = 0; pass < passes; pass++) for (const request of requests) await ask(request)
}

/** Starts all servers, checks that they give the same rows, and measures each. */
async function measure({ store, isRestricted }, place, { execArgv, rounds, warmUp, passes, begin, end }) {
  const names = [...Object.keys(servers), ...(hasFramework(store) ? [framework] : [])]
  const lanes = []
  try {
    for (const name of names) {
      const lane = await start(name, store, place, isRestricted, execArgv)
      lanes.push(lane)
      lane.requests = await requestsOf(lane, store, isRestricted)
      for (const [at, { path, rows }] of lane.requests.entries()) {
        check(rows.length === 20, `${name}, ${path}: ${rows.length} rows`)
        check(isDeepStrictEqual(rows, lanes[0].requests[at].rows), `${name}, ${path}: ${JSON.stringify(rows[0])}`)
      }
    }
    await inTurns(lanes, warmUp, (lane) => askAll(lane, 4))
    await inTurns(lanes, rounds, async (lane) => {
      const before = await begin(lane)
      await askAll(lane, passes)
      lane.samples.push(((await end(lane)) - before) / passes / lane.requests.length)
    })
    return Object.fromEntries(lanes.map(({ name, samples }) => [name, samples]))
  } finally {
    for (const { stop } of lanes) stop()
  }
}

const hasFramework = (store) =>
  store !== 'memory' && existsSync(new URL('peers/node_modules/@nestjs/platform-express', import.meta.url))

const ofTime = { 'urlwhere raw': 1.6, 'urlwhere service': 1.8 }
const ofMemory = { 'urlwhere raw': 2, 'urlwhere service': 2 }
const linesOf = (samples, what, unit, targets) =>
  Object.keys(samples)
    .slice(1)
    .map((name) => row(samples[name], samples[base], { what, contender: name, base, unit, target: targets[name] }))

/** All that a run allocates stays in the young generation, where nothing is collected. */
const large = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']

const service = {
  cases: [
    { store: 'memory', isRestricted: false },
    { store: 'SQLite', isRestricted: false },
    { store: 'SQLite', isRestricted: true },
    ...(process.env.POSTGRES_URL === undefined ? [] : [{ store: 'PostgreSQL', isRestricted: false }]),
  ],
  processes: 1,
  async run(asked, { rounds }) {
    const { place, close } = await places[asked.store]()
    const what = asked.store + (asked.isRestricted ? ', of a caller' : '')
    const warmUp = rounds > 5 ? 12 : 6
    try {
      const cpu = ({ tell }) => tell('cpu').then((micros) => 1_000 * micros)
      const times = await measure(asked, place, { rounds: 2 * rounds, warmUp, passes: 2, begin: cpu, end: cpu })
      const begin = ({ tell }) => tell('collect').then(() => tell('heap'))
      const end = ({ tell }) => tell('heap')
      const bytes = await measure(asked, place, { execArgv: large, rounds: 5, warmUp, passes: 2, begin, end })
      return [
        ...linesOf(times, what, 'ns', ofTime),
        ...(times[framework] === undefined
          ? []
          : [
              row(times['urlwhere service'], times[framework], {
                ...{ what, contender: 'urlwhere service', base: framework, target: 0.5 },
              }),
            ]),
        ...linesOf(bytes, `${what}, memory`, 'B', ofMemory),
      ]
    } finally {
      await close()
    }
  },
}

export const groups = { service }
