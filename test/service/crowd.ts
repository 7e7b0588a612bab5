/**
 * The reference service in a crowd: good requests among bad, hostile, slow and cancelled ones. Measured of good requests: their time in
 * the crowd, and before it with as many connections. `npm run crowd -- --seconds 120 --connections 200 --store sqlite --seed 1` prints
 * both, the heap, and what was answered; it ends with 1 when something is wrong.
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
import { aborted, byTheByte, halfClosed, pick, readSlowly, stalling } from './load.ts'
import type { LoadOptions, Odd, Random, Run } from './load.ts'
import { makeRequests, type Prepared } from './requests.ts'
import { printed, Tally, type Table } from './tally.ts'

export interface CrowdOptions extends Omit<LoadOptions, 'patience'> {
  readonly connections: number
}
export interface CrowdReport {
  readonly faults: readonly string[]
  readonly tally: Tally
  /** Milliseconds of good requests, alone and in the crowd. */
  readonly quiet: readonly number[]
  readonly crowded: readonly number[]
  readonly tables: readonly Table[]
}

/** Of all connections; the rest is good. */
const shares = { bad: 0.15, hostile: 0.15, slow: 0.15, cancelled: 0.15 } as const
const kindsOf = {
  good: ['paths of the stores', 'pages', 'random queries', 'contents', 'escapes'],
  bad: [
    'faulty queries',
    'over-long queries',
    'over-long contents',
    'strange contents',
    'strange callers',
    'key endpoint',
  ],
  hostile: ['attacks', 'strange requests', 'over-long headers', 'raw bytes'],
} as const
/** Between two requests of a connection, on average. */
const pauseMs = 500
/** Node ends a connection that is idle for five seconds, which would cross the next request. */
const idleMs = 2_500
const patienceMs = 30_000
/** A shorter run measures neither growth nor the slowest requests. */
const leastSeconds = 60
const mostGrowth = 0.1
const mostTimes = 3

type Record_ = (asked: number) => void

/** Sends requests one after the other, with pauses, and judges each answer. */
async function talk(
  manner: string,
  requests: readonly Prepared[],
  random: Random,
  { tally, open, isOver }: Run,
  record?: Record_,
) {
  let connection: Connection | undefined
  let idleSince = 0
  while (!isOver()) {
    await sleep(random() * 2 * pauseMs)
    const request = pick(random, requests)
    if (!connection?.open || performance.now() - idleSince > idleMs) {
      connection?.socket.destroy()
      connection = open()
    }
    const asked = performance.now()
    const answers = connection.answers([request.method])
    connection.socket.write(request.bytes)
    const [answer] = await answers
    tally.judge(manner, request, answer, asked)
    record?.(asked)
    idleSince = performance.now()
    if (request.closes || answer?.headers.connection === 'close') connection.socket.destroy()
  }
  connection?.socket.destroy()
}

async function behave(manners: readonly Odd[], random: Random, { requests, tally, open, isOver }: Run) {
  while (!isOver()) {
    await sleep(random() * 2 * pauseMs)
    const connection = open()
    await pick(random, manners)(random, pick(random, requests), connection, tally)
    connection.socket.destroy()
  }
}

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN

export async function crowd(options: CrowdOptions): Promise<CrowdReport> {
  const { store, seconds, connections, seed, preload = [], env = {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'urlwhere-crowd-'))
  const requests = await makeRequests(seed)
  const tally = new Tally(0)
  const child = await startChild(store, folder, false, preload, env)
  const ending = new AbortController()
  const over = once(ending.signal, 'abort')
  void child.gone.then(() => ending.abort())
  options.signal?.addEventListener('abort', () => ending.abort())
  const open = () => new Connection(child.port, patienceMs)
  const run: Run = { requests, first: [], tally, open, over, isOver: () => ending.signal.aborted }
  const wait = (ms: number) => Promise.race([sleep(ms), over])
  /** The memory without garbage: the least of three samples, because requests are under way. */
  const heap = async (): Promise<number> => {
    const from = child.samples.length
    for (let at = 0; at < 3; at++) {
      child.sample()
      await wait(500)
    }
    return Math.min(...child.samples.slice(from).map(({ heapUsed }) => heapUsed))
  }

  const of = (manner: keyof typeof kindsOf) => {
    const kinds: readonly string[] = kindsOf[manner]
    return requests.filter(
      ({ kind, expected }) => kinds.includes(kind) && (manner !== 'good' || expected.status === 200),
    )
  }
  const count = (manner: keyof typeof shares) => Math.round(connections * shares[manner])
  const good =
    connections - (['bad', 'hostile', 'slow', 'cancelled'] as const).reduce((sum, manner) => sum + count(manner), 0)
  let stream = seed * 1_000
  const several = (number: number, work: (random: Random, at: number) => Promise<void>) =>
    Array.from({ length: number }, (_, at) => work(randomNumbers(stream++), at))

  const [quiet, crowded]: number[][] = [[], []]
  let taken: number[] | undefined
  const record: Record_ = (asked) => taken?.push(performance.now() - asked)
  const workers = several(good, (random) => talk('good', of('good'), random, run, record))
  // The first requests are slow: they compile and prepare.
  const quietMs = Math.max(2_000, (seconds * 1_000) / 6)
  await wait(quietMs / 2)
  taken = quiet
  await wait(quietMs)
  taken = undefined
  workers.push(
    ...several(count('bad'), (random) => talk('bad', of('bad'), random, run)),
    ...several(count('hostile'), (random) => talk('hostile', of('hostile'), random, run)),
    ...several(count('slow'), (random, at) =>
      at === 0 ? stalling(random, run) : behave([byTheByte, readSlowly, halfClosed], random, run),
    ),
    ...several(count('cancelled'), (random) => behave([aborted], random, run)),
  )
  const began = performance.now()
  const settle = Math.min(30_000, (seconds * 1_000) / 4)
  taken = crowded
  await wait(settle)
  const heapBefore = await heap()
  await wait(Math.max(0, seconds * 1_000 - (performance.now() - began)))
  taken = undefined
  const heapAfter = await heap()
  ending.abort()
  await Promise.all(workers)

  const growth = heapAfter / heapBefore - 1
  const faults = [
    ...tally.faults,
    ...(tally.wrong > 0 ? [`${tally.wrong} wrong answers`] : []),
    ...(await child.stop()),
  ]
  rmSync(folder, { recursive: true, force: true })
  const [alone, among] = [quiet!, crowded!].map((times) => percentile(times, 0.99)) as [number, number]
  if (seconds >= leastSeconds) {
    if (!(growth < mostGrowth)) faults.push(`the heap grew by ${(growth * 100).toFixed(1)} %`)
    if (!(among <= alone * mostTimes))
      faults.push(`a good request takes ${(among / alone).toFixed(1)} times the quiet one`)
  }
  const line = (name: string, times: readonly number[]) => [
    ...[name, times.length],
    ...[0.5, 0.9, 0.99, 0.999, 1].map((share) => percentile(times, share).toFixed(1)),
  ]
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  const gone = ['aborted', 'half closed', 'stalled'].map((name) => tally.manners.rows.get(name)?.get('none') ?? 0)
  const tables: Table[] = [
    [
      ['store', 'seed', 'seconds', 'connections', 'good', 'answers', 'wrong'],
      [store.replace(/:.*/, ''), seed, seconds, connections, good, tally.answered, tally.wrong],
    ],
    tally.kinds.table('kind'),
    tally.manners.table('manner'),
    [
      ['good requests, ms', 'answers', 'p50', 'p90', 'p99', 'p99.9', 'most'],
      line('quiet', quiet!),
      line('in the crowd', crowded!),
      [
        'times',
        '',
        ...[0.5, 0.9, 0.99, 0.999, 1].map((share) =>
          (percentile(crowded!, share) / percentile(quiet!, share)).toFixed(2),
        ),
      ],
    ],
    [
      ['heap, MB', `after ${Math.round(settle / 1_000)} s`, 'at the end', 'growth'],
      ['without garbage', megabytes(heapBefore), megabytes(heapAfter), `${(growth * 100).toFixed(1)} %`],
    ],
    [
      ['clients without an answer', 'that waited', 'that cancelled', 'that closed their half', 'that sent a part'],
      ['', tally.unanswered, ...gone],
    ],
  ]
  return { faults, tally, quiet: quiet!, crowded: crowded!, tables }
}

if (import.meta.main) {
  const string = { type: 'string' } as const
  const { values } = parseArgs({ options: { seconds: string, store: string, seed: string, connections: string } })
  const { store = 'sqlite', seconds = '120', connections = '200', seed = String(Date.now() % 1_000_000) } = values
  console.log(`seed ${seed}`)
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort())
  const asked = { store, seconds: Number(seconds), connections: Number(connections), seed: Number(seed) }
  const { faults, tables } = await crowd({ ...asked, signal: stopping.signal })
  for (const table of tables) console.log(`\n${printed(table)}`)
  console.log(faults.length === 0 ? '\nall is well' : `\nwrong:\n${faults.join('\n')}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
