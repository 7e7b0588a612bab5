/** What was answered, and whether it was right. */
import type { Answer } from './connection.ts'
import { digestOf, unavailable, type Expected, type Prepared } from './requests.ts'

export type Table = readonly (readonly (string | number)[])[]

/** How often something was met with something. */
export class Counts {
  readonly rows = new Map<string, Map<string, number>>()
  add(row: string, column: string): void {
    const counts = this.rows.get(row) ?? new Map<string, number>()
    this.rows.set(row, counts.set(column, (counts.get(column) ?? 0) + 1))
  }
  /** In all rows. */
  total(column: string): number {
    return [...this.rows.values()].reduce((sum, row) => sum + (row.get(column) ?? 0), 0)
  }
  table(head: string): Table {
    const columns = [...new Set([...this.rows.values()].flatMap((row) => [...row.keys()]))].sort()
    const line = ([name, row]: readonly [string, ReadonlyMap<string, number>]) => [
      name,
      ...columns.map((column) => row.get(column) ?? ''),
      [...row.values()].reduce((sum, count) => sum + count, 0),
    ]
    return [[head, ...columns, 'all'], ...Array.from(this.rows, line)]
  }
}

/** A failure of the store, and how requests for rows met it. */
export interface Met {
  readonly name: string
  readonly harmless: boolean
  readonly from: number
  /** Infinity as long as it lasts. */
  to: number
  unavailable: number
  right: number
  /** When the last 503 came for a request after the end, in milliseconds from there. */
  recovered: number
}

/** Headers that Node adds to those of the service, and the one that a failure may leave out: that the key came in the URL. */
const ofConnection = ['date', 'connection', 'keep-alive']
const ofFailure = [...ofConnection, 'warning']
const nothing = digestOf(Buffer.alloc(0))

/** What is wrong with an answer, given the right one. */
function difference({ status, headers, body }: Answer, expected: Expected, hasBody: boolean): string | undefined {
  if (status !== expected.status) return `status ${status}, not ${expected.status}`
  const ignored = status === 503 ? ofFailure : ofConnection
  for (const name of Object.keys({ ...headers, ...expected.headers })) {
    const [own, right] = [headers[name], expected.headers[name]]
    if (own !== right && !ignored.includes(name)) return `${name}: ${own}, not ${right}`
  }
  const isRight = hasBody
    ? body.length === expected.length && digestOf(body) === expected.digest
    : digestOf(body) === nothing
  return isRight ? undefined : `another body, of ${body.length} bytes`
}

const classes = ['lists (200)', 'refusals (400 to 431)', 'failures (503)'] as const

export class Tally {
  readonly kinds = new Counts()
  readonly manners = new Counts()
  readonly failures: Met[] = []
  readonly faults: string[] = []
  answered = 0
  wrong = 0
  /** How many clients waited in vain. */
  unanswered = 0
  readonly #graceMs: number
  readonly #latencies: Readonly<Record<(typeof classes)[number], number[]>> = {
    'lists (200)': [],
    'refusals (400 to 431)': [],
    'failures (503)': [],
  }

  /** @param graceMs how long after its end a failure excuses a 503. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs
  }

  blame(manner: string, { kind, line }: Prepared, what: string): void {
    // The rest would be the same.
    if (++this.wrong <= 10) this.faults.push(`wrong answer (${kind}, ${manner}): ${line}: ${what}`)
  }

  /** Records the answer to a request of a time, or that there was none, which some clients cause themselves. */
  judge(manner: string, request: Prepared, answer: Answer | undefined, asked: number, maybeNone = false): void {
    const now = performance.now()
    const said = answer === undefined ? 'none' : String(answer.status)
    this.kinds.add(request.kind, said)
    this.manners.add(manner, said)
    if (answer === undefined) {
      if (maybeNone || request.cutOff) return
      this.unanswered++
      this.blame(manner, request, 'no answer')
      return
    }
    this.answered++
    const { status } = answer
    const met = this.failures.filter(({ from, to }) => request.stored && now >= from && asked < to + this.#graceMs)
    const excuse = status === 503 ? met.findLast(({ harmless }) => !harmless) : undefined
    const hasBody = request.method !== 'HEAD' || request.cutOff
    const what = difference(answer, excuse === undefined ? request.expected : unavailable, hasBody)
    if (what !== undefined) this.blame(manner, request, what)
    else if (excuse !== undefined) {
      if (asked > excuse.to) excuse.recovered = now - excuse.to
      else excuse.unavailable++
    } else for (const failure of met) if (asked < failure.to) failure.right++

    if (manner !== 'kept') return
    this.#latencies[classes[status === 200 ? 0 : status === 503 ? 2 : 1]].push(now - asked)
  }

  failureTable(): Table {
    const head = ['failure', 'seconds', 'answered 503', 'answered right', 'last 503 after its end, ms']
    const seconds = ({ from, to }: Met) => (to === Infinity ? 'to the end' : ((to - from) / 1_000).toFixed(1))
    const line = (met: Met) => [met.name, seconds(met), met.unavailable, met.right, Math.ceil(met.recovered) || '']
    return [head, ...this.failures.map(line)]
  }

  latencyTable(): Table {
    const line = (name: (typeof classes)[number]) => {
      const sorted = this.#latencies[name].toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)
      return [name, sorted.length, ...[0.5, 0.9, 0.99, 0.999, 1].map((share) => at(share) ?? '')]
    }
    return [['milliseconds', 'answers', 'p50', 'p90', 'p99', 'p99.9', 'most'], ...classes.map(line)]
  }
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
/** The medians of each quarter, and by which share that of the last is more than that of the second: the first fills caches. */
export function growthOf(samples: readonly number[]): { quarters: readonly number[]; growth: number } {
  const quarters = [0, 1, 2, 3].map((at) =>
    median(samples.slice(Math.floor((samples.length * at) / 4), Math.floor((samples.length * (at + 1)) / 4))),
  )
  return { quarters, growth: quarters[3]! / quarters[1]! - 1 }
}

/** In columns, numbers to the right. */
export function printed(table: Table): string {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => String(row[column]).length)))
  const cell = (text: string | number, column: number) =>
    column === 0 ? String(text).padEnd(widths[column]!) : String(text).padStart(widths[column]!)
  return table.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}
