/**
 * `npm run differential -- --pairs 1000000 --seed 1 [--engine NAME]... [--minutes N] [--copies N] [--indexes] [--queries] [--type TYPE]...`: random pairs
 * and laws on every engine that is present; POSTGRES_URL, MARIADB_URL, MYSQL_URL and MONGODB_URL name servers. `--pairs` is for each contender,
 * `--minutes` for all of them together. `--copies` has each row so many times in the tables of SQL, and `--indexes` indexes
 * everything that an operator may look in, so that planners choose. Pairs are of rows and filters, with `--queries` of rows and
 * queries. `--type` has schemas with fields of that type alone; each of several has pairs of its own.
 */
import { parseArgs } from 'node:util'
import { literalTypes, type LiteralType } from '../../src/tree.ts'
import { openContenders, type Contender } from './contenders.ts'
import { filters } from './filters.ts'
import { drawSeed } from '../seed.ts'
import { openProgress } from '../progress.ts'
import { queries } from './queries.ts'
import { caseOf, run, type Report, type RunOptions } from './run.ts'

/** Ends the command, because its arguments cannot be. */
function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}
function numberOf(option: string, text: string, pattern: RegExp, most: number): number {
  if (!pattern.test(text) || Number(text) > most) refuse(`--${option} cannot be ${JSON.stringify(text)}`)
  return Number(text)
}
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        pairs: { type: 'string', default: '10000' },
        seed: { type: 'string', default: String(drawSeed()) },
        engine: { type: 'string', multiple: true, default: [] },
        minutes: { type: 'string' },
        copies: { type: 'string', default: '1' },
        indexes: { type: 'boolean', default: false },
        queries: { type: 'boolean', default: false },
        type: { type: 'string', multiple: true, default: [] },
      },
    })
    if (values.queries && values.copies !== '1')
      refuse('--queries takes no --copies: no order puts all copies in one place')
    const types = values.type.map(
      (name) => literalTypes.find((type) => type === name) ?? refuse(`--type is one of ${literalTypes.join(', ')}`),
    )
    return {
      types: types.length === 0 ? [undefined] : types,
      isOfQueries: values.queries,
      pairs: numberOf('pairs', values.pairs, /^[1-9]\d*$/, Number.MAX_SAFE_INTEGER),
      seed: numberOf('seed', values.seed, /^\d+$/, 0xffffffff),
      // Timers know no more than 24 days.
      minutes:
        values.minutes === undefined ? undefined : numberOf('minutes', values.minutes, /^\d+(\.\d+)?$/, 24 * 24 * 60),
      asked: values.engine,
      size: { copies: numberOf('copies', values.copies, /^[1-9]\d*$/, 1_000), isIndexed: values.indexes },
    }
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const count = (value: number) => value.toLocaleString('en')
const seconds = (milliseconds: number) => count(Math.round(milliseconds / 1_000))

/** The reports, and their sums. */
function table(reports: readonly (readonly [Contender, Report])[]): string {
  // Filters are compared with memory, which agrees with itself; queries with a reference of their own.
  const isCompared = ({ isReference }: Contender) => isOfQueries || !isReference
  const compared = reports.filter(([contender]) => isCompared(contender)).map(([, report]) => report)
  const all = reports.map(([, report]) => report)
  const sum = (of: readonly Report[], value: (report: Report) => number) =>
    of.reduce((total, report) => total + value(report), 0)
  const found = ({ disagreements }: Report) => disagreements.length
  const lines = [
    ['engine', 'pairs', 'left out', 'laws checked', 'disagreements', 'seconds'],
    ...reports.map(([contender, report]) => [
      contender.name,
      isCompared(contender) ? count(report.pairs) : '',
      isCompared(contender) ? count(report.leftOut) : '',
      count(report.laws),
      count(found(report)),
      seconds(report.milliseconds),
    ]),
    [
      'all',
      count(sum(compared, ({ pairs }) => pairs)),
      count(sum(compared, ({ leftOut }) => leftOut)),
      count(sum(all, ({ laws }) => laws)),
      count(sum(all, found)),
      seconds(sum(all, ({ milliseconds }) => milliseconds)),
    ],
  ]
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const pad = (cell: string, at: number) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))
  return [lines[0]!, rule, ...lines.slice(1)].map((line) => `| ${line.map(pad).join(' | ')} |`).join('\n')
}

const { isOfQueries, pairs: wanted, seed, minutes, asked, size, types } = readOptions()
const ask = (contender: Contender, options: RunOptions, type?: LiteralType) => {
  const said = type === undefined ? '' : ` --type ${type}`
  return isOfQueries
    ? run(contender, { ...queries, option: queries.option + said }, options)
    : run(contender, { ...filters, option: filters.option + said }, options)
}
const interruption = new AbortController()
// From a terminal npm's child gets it twice: the second must not end what the first has left to do.
process.on('SIGINT', () => interruption.abort())

const progress = openProgress()
const began = performance.now()
const end = minutes === undefined ? undefined : performance.now() + minutes * 60_000
const reports: [Contender, Report][] = []
for (const [turn, type] of types.entries()) {
  const { contenders, engines, close } = await openContenders(
    asked.length === 0 ? undefined : asked,
    size,
    type === undefined ? undefined : [type],
  )
  const unknown = asked.find(
    (name) => !engines.includes(name) && !contenders.some((contender) => contender.name === name),
  )
  if (unknown !== undefined) refuse(`no engine ${JSON.stringify(unknown)} is present; there are ${engines.join('; ')}`)
  const chosen = contenders.filter(
    ({ name, engine, hasPages }) =>
      (asked.length === 0 || asked.includes(name) || asked.includes(engine)) && (hasPages || !isOfQueries),
  )
  if (turn === 0) console.log(`seed ${seed}`)
  for (const [at, contender] of chosen.entries()) {
    if (interruption.signal.aborted) break
    // What one leaves of its share is for those after it.
    const left = chosen.length * (types.length - turn) - at
    const share = end === undefined ? undefined : Math.max(0, end - performance.now()) / left
    const signals = [interruption.signal, ...(share === undefined ? [] : [AbortSignal.timeout(Math.ceil(share))])]
    const name = type === undefined ? contender.name : `${contender.name}, ${type}`
    let shown = 0
    const before = 1 - left / (chosen.length * types.length)
    const options: RunOptions = {
      ...{ pairs: wanted, seed },
      signal: AbortSignal.any(signals),
      onProgress: ({ pairs, laws, disagreements }) => {
        for (const disagreement of disagreements.slice(shown)) {
          progress.clear()
          console.log(`\n${caseOf(disagreement)}`)
        }
        shown = disagreements.length
        const done = before + pairs / wanted / (chosen.length * types.length)
        const share = end === undefined ? done : (performance.now() - began) / (end - began)
        progress.tell(`${name}: ${count(pairs)} pairs, ${count(laws)} laws`, share)
      },
    }
    reports.push([{ ...contender, name }, await ask(contender, options, type)])
  }
  await close()
}
progress.clear()

console.log(`\n${table(reports)}`)
const disagreed = reports.some(([, { disagreements }]) => disagreements.length > 0)
process.exitCode = interruption.signal.aborted ? 130 : disagreed ? 1 : 0
