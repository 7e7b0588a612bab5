/**
 * The reference service under load: every kind of request, clients as they should be and others, and a store that fails
 * meanwhile. Each answer is compared with the right one. `npm run load -- --seconds 120 --store sqlite --seed 1` prints what
 * was answered, and ends with 1 when something is wrong. Stores: sqlite, memory, postgres (a server of its own), or a URL.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomNumbers } from '../../docs/demo/data.ts'
import { startChild } from './child.ts'
import { Connection } from './connection.ts'
import { openFallible, type Fallible, type Outage } from './outages.ts'
import { progressOfTime } from '../progress.ts'
import { makeRequests, type Prepared } from './requests.ts'
import { growthOf, printed, Tally, type Counts, type Met, type Table } from './tally.ts'

export interface LoadOptions {
  readonly store: string
  readonly seconds: number
  /** The load goes on until so many answers came: a busy machine needs longer. */
  readonly answers?: number
  readonly seed: number
  /** Milliseconds without a byte after which an answer does not come any more. */
  readonly patience?: number
  /** Loaded into the service before it, and its environment: for services that are wrong on purpose. */
  readonly preload?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}
export interface Report {
  /** What is wrong; nothing, when all is well. */
  readonly faults: readonly string[]
  readonly answered: number
  /** How often each kind was answered with each status. */
  readonly kinds: Counts
  readonly failures: readonly Met[]
  readonly tables: readonly Table[]
}

const clients = 16
const oddClients = 6
/** Node ends a connection that is idle for longer, which would cross the next request. */
const idleMs = 1_000
/** A shorter run cannot measure growth. */
const leastSeconds = 60
const mostGrowth = 0.1

export type Random = ReturnType<typeof randomNumbers>
const below = (random: Random, limit: number) => Math.floor(random() * limit)
export const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!

export async function load(options: LoadOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'urlwhere-load-'))
  try {
    const store = await openFallible(options.store, folder)
    try {
      return await loadOn(store, folder, options)
    } finally {
      await store.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loadOn({ url, graceMs, outages }: Fallible, folder: string, options: LoadOptions): Promise<Report> {
  const { store, seconds, answers = 0, seed, patience = 30_000, preload = [], env = {} } = options
  const requests = await makeRequests(seed)
  const tally = new Tally(graceMs)
  const child = await startChild(url, folder, outages.length > 0, preload, env)

  const ending = new AbortController()
  const over = once(ending.signal, 'abort')
  void child.gone.then(() => ending.abort())
  options.signal?.addEventListener('abort', () => ending.abort())
  const began = performance.now()
  const warmUp = Math.min(20, seconds / 6) * 1_000
  const sampling = setInterval(() => performance.now() - began > warmUp && child.sample(), 2_000)

  const open = () => new Connection(child.port, patience)
  const workers = [
    ...Array.from({ length: clients }, () => client),
    ...Array.from({ length: oddClients }, () => oddClient),
    stalling,
  ]
  // One of each kind and status first: a slow machine meets them all.
  const first = [...new Map(requests.map((one) => [`${one.kind} ${one.expected.status}`, one])).values()]
  const run = { requests, first, tally, open, over, isOver: () => ending.signal.aborted }
  const failing = fail(outages, warmUp, seconds * 1_000 - warmUp, patience, run)
  const enough = async () => {
    while (tally.answered < answers && !run.isOver()) await sleep(50)
  }
  const timed = Promise.all([
    sleep(seconds * 1_000, undefined, { signal: ending.signal, ref: false }),
    enough(),
    failing,
  ])
  await Promise.all([
    ...workers.map((work, at) => work(randomNumbers(seed * 1_000 + at), run)),
    failing,
    timed.catch(() => {}).then(() => ending.abort()),
  ])
  const took = (performance.now() - began) / 1_000
  clearInterval(sampling)

  const { answered, wrong, kinds, manners, failures } = tally
  const faults = [...tally.faults, ...(wrong > 0 ? [`${wrong} wrong answers`] : []), ...(await child.stop())]
  const memory = (['rss', 'heapUsed'] as const).map((name) => {
    const { quarters, growth } = growthOf(child.samples.map((sample) => sample[name]))
    const share = `${(growth * 100).toFixed(1)} %`
    if (seconds >= leastSeconds && !(growth < mostGrowth)) faults.push(`${name} grew by ${share}`)
    return [name, ...quarters.map((bytes) => (bytes / 1e6).toFixed(1)), share, child.samples.length]
  })
  const tables = [
    [
      ['store', 'seed', 'seconds', 'requests', 'answers', 'answers/s', 'wrong', 'lines on stderr'],
      [
        store.replace(/:.*/, ''),
        seed,
        took.toFixed(1),
        requests.length,
        answered,
        Math.round(answered / took),
        wrong,
        child.linesOfErrors(),
      ],
    ],
    kinds.table('kind'),
    manners.table('manner'),
    tally.failureTable(),
    [['memory, MB', '1st quarter', '2nd', '3rd', '4th', '4th to 2nd', 'samples'], ...memory],
    tally.latencyTable(),
  ]
  return { faults, answered, kinds, failures, tables }
}

/** What clients know of the run. */
export interface Run {
  readonly requests: readonly Prepared[]
  /** What is sent before what is drawn. */
  readonly first: Prepared[]
  readonly tally: Tally
  readonly open: () => Connection
  readonly isOver: () => boolean
  readonly over: Promise<unknown>
}

// --- Clients as they should be: connections that are kept, or closed after each, and several requests at once

async function client(random: Random, { requests, first, tally, open, isOver }: Run): Promise<void> {
  const repeatable = requests.filter(({ closes }) => !closes)
  let connection: Connection | undefined
  let idleSince = 0
  while (!isOver()) {
    const drawn = random()
    const manner = drawn < 0.85 ? 'kept' : drawn < 0.92 ? 'closed' : 'pipelined'
    const asked =
      manner === 'pipelined'
        ? Array.from({ length: 2 + below(random, 8) }, () => pick(random, repeatable))
        : [first.shift() ?? pick(random, requests)]
    if (!connection?.open || manner === 'closed' || performance.now() - idleSince > idleMs) {
      connection?.socket.destroy()
      connection = open()
    }
    const at = performance.now()
    const answers = connection.answers(asked.map(({ method }) => method))
    connection.socket.write(Buffer.concat(asked.map(({ bytes }) => bytes)))
    const got = await answers
    asked.forEach((request, index) => tally.judge(manner, request, got[index], at))
    idleSince = performance.now()
    if (manner === 'closed' || asked[0]!.closes || got.at(-1)?.headers.connection === 'close') {
      connection.socket.destroy()
    }
  }
  connection?.socket.destroy()
}

// --- Clients as they should not be

export type Odd = (random: Random, request: Prepared, connection: Connection, tally: Tally) => Promise<void>

export const byTheByte: Odd = async (random, request, connection, tally) => {
  const { bytes, method } = request
  const at = performance.now()
  const answers = connection.answers([method])
  // What is long in pieces: it is to end some day.
  const size = Math.ceil(bytes.length / 250)
  for (let sent = 0; sent < bytes.length && connection.open; sent += size) {
    connection.socket.write(bytes.subarray(sent, sent + size))
    await sleep(random() * 3)
  }
  tally.judge('by the byte', request, (await answers)[0], at)
}

export const readSlowly: Odd = async (random, request, connection, tally) => {
  const { socket } = connection
  const asked = Array.from({ length: request.closes ? 1 : 1 + below(random, 4) }, () => request)
  const at = performance.now()
  let isDone = false
  const got = connection.answers(asked.map(({ method }) => method)).finally(() => (isDone = true))
  socket.write(Buffer.concat(asked.map(({ bytes }) => bytes)))
  await sleep(random() * 20)
  socket.pause()
  await sleep(random() * 1_000)
  socket.on('data', () => socket.pause())
  while (!isDone) {
    socket.resume()
    await sleep(random() * 20)
  }
  for (const answer of await got) tally.judge('read slowly', request, answer, at)
}

/** All of an answer, or none: Node ends its side of a connection whose other side has ended. */
export const halfClosed: Odd = async (_, request, connection, tally) => {
  const at = performance.now()
  const answers = connection.answers([request.method])
  connection.socket.end(request.bytes)
  const [answer] = await answers
  tally.judge('half closed', request, answer, at, true)
  if (answer === undefined && connection.surplus > 0) tally.blame('half closed', request, 'a part of an answer')
}

export const aborted: Odd = async (random, request, { socket, closed }, tally) => {
  const drawn = random()
  socket.write(request.bytes.subarray(0, drawn < 0.3 ? below(random, request.bytes.length) : request.bytes.length))
  if (drawn < 0.6) await sleep(random() * 30)
  else await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
  if (random() < 0.5) socket.destroy()
  else socket.resetAndDestroy()
  await closed
  tally.kinds.add(request.kind, 'none')
  tally.manners.add('aborted', 'none')
}

async function oddClient(random: Random, { requests, tally, open, isOver }: Run): Promise<void> {
  while (!isOver()) {
    const connection = open()
    await pick(random, [byTheByte, readSlowly, halfClosed, aborted])(random, pick(random, requests), connection, tally)
    connection.socket.destroy()
  }
}

/** Connections on which nothing, or half a request, is sent: Node ends them after a minute or more. */
export async function stalling(random: Random, { requests, tally, open, isOver, over }: Run): Promise<void> {
  const opened: Connection[] = []
  while (!isOver()) {
    const request = pick(random, requests)
    const connection = open()
    connection.socket.setTimeout(0)
    // Less than any first line.
    connection.socket.write(request.bytes.subarray(0, below(random, 10)))
    opened.push(connection)
    void connection.answers(['GET']).then(([answer]) => {
      tally.manners.add('stalled', answer === undefined ? 'none' : String(answer.status))
      const isRight = answer === undefined || answer.status === 408 || request.cutOff
      if (!isRight) tally.blame('stalled', request, `status ${answer.status}, not 408`)
    })
    await Promise.race([sleep(1_000), over])
  }
  for (const { socket } of opened) socket.destroy()
  await Promise.all(opened.map(({ closed }) => closed))
}

// --- The store that fails

/**
 * Each failure in turn, as often as there is time for; what cannot be put right at the end. Each lasts until a request has met it,
 * however slow the machine is.
 */
async function fail(
  outages: readonly Outage[],
  from: number,
  time: number,
  patience: number,
  { tally, isOver, over }: Run,
): Promise<void> {
  const passing = outages.filter(({ end }) => end !== undefined)
  if (passing.length === 0) return
  const rounds = Math.max(1, Math.floor(time / (passing.length * 15_000)))
  const interval = (time * 0.9) / (passing.length * rounds)
  const meet = async ({ name, harmless = false, begin, end }: Outage) => {
    if (isOver()) return
    const met: Met = { name, harmless, from: performance.now(), to: Infinity, unavailable: 0, right: 0, recovered: 0 }
    tally.failures.push(met)
    await begin()
    await Promise.race([sleep(end === undefined ? 0 : Math.min(interval / 4, 4_000)), over])
    const isMet = () => (harmless ? met.right : met.unavailable) > 0 || tally.wrong > 0
    while (!isMet() && !isOver() && performance.now() - met.from < patience) await sleep(20)
    if (end === undefined) return
    await end()
    met.to = performance.now()
  }
  await Promise.race([sleep(from), over])
  for (const outage of Array.from({ length: rounds }, () => passing).flat()) {
    const next = sleep(interval)
    await meet(outage)
    await Promise.race([next, over])
  }
  for (const outage of outages) if (outage.end === undefined) await meet(outage)
}

if (import.meta.main) {
  const string = { type: 'string' } as const
  const { values } = parseArgs({ options: { seconds: string, store: string, seed: string } })
  const { store = 'sqlite', seconds = '120', seed = String(Date.now() % 1_000_000) } = values
  console.log(`seed ${seed}`)
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort())
  const asked = { store, seconds: Number(seconds), seed: Number(seed), signal: stopping.signal }
  const hide = progressOfTime(() => `load on ${store.replace(/:.*/, '')}`, asked.seconds * 1_000)
  const { faults, tables } = await load(asked).finally(hide)
  for (const table of tables) if (table.length > 1) console.log(`\n${printed(table)}`)
  console.log(faults.length === 0 ? '\nall is well' : `\nwrong:\n${faults.join('\n')}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
