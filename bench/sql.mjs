/**
 * Times the statements of the package against the best that is written by hand, over a million rows in each database:
 *
 *     node bench/sql.mjs [--engine NAME] [--shape WORDS] [--explain] [--growth] [--crowd]
 *
 * SQLite is always there; the servers are those of the tests, at POSTGRES_URL, POSTGRES18_URL, MYSQL_URL and MARIADB_URL. The
 * tables are made on the first run, in a database urlwhere_bench, and kept. --engine and --shape choose what is measured;
 * --explain prints statements and plans. --growth measures pages of 10,000, 100,000 and 1,000,000 orders, --crowd twenty connections
 * at once. A run of everything writes docs/internals/performance.md and bench/results-sql.json.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { writeCharts } from './chart.mjs'
import { databases } from './databases.mjs'
import { crowd, growth } from './sql-load.mjs'
import { reasons, shapes } from './sql-shapes.mjs'
import { bestOf, fastest, laneOf, now, once, statementsOf } from './sql-statements.mjs'
import { median } from './timing.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    shape: { type: 'string', multiple: true },
    explain: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    crowd: { type: 'boolean', default: false },
  },
})
const isWhole = Object.entries(options).every(([, value]) => value === undefined || value === false)
const unknown = (options.engine ?? []).filter((name) => !Object.hasOwn(databases, name))
if (unknown.length > 0) {
  console.error(`no engine ${unknown.join(', ')}: there are ${Object.keys(databases).join(', ')}`)
  process.exit(2)
}
const asked = shapes.filter(({ name }) => options.shape?.some((words) => name.includes(words)) ?? true)

/** What is promised. */
const bound = 1.5
/** Milliseconds for the pairs of a shape, and how many there are at least and at most. */
const [longest, least, most] = [250, 3, 200]

async function measure(opened, { ours, hands }) {
  const own = laneOf(opened, ours)
  const ids = own.idsOf(await once(own)).map(String)
  const hand = await bestOf(
    hands.map((one) => laneOf(opened, one)),
    ids.join(),
  )
  const lanes = [own, hand]
  // The first ones read what no cache holds. What takes long is not asked often.
  if (fastest(own) < 2e8) await once(own)
  const slowest = Math.max(...lanes.map(fastest))
  const [time, number] = slowest > 2e8 ? [0, slowest > 1e9 ? 0 : 2] : [longest, least]
  const round = async () => {
    if (number > 0) for (const lane of lanes) lane.samples = []
    const until = now() + time * 1e6
    for (let pair = 0; pair < most && (pair < number || now() < until); pair++) {
      // In turn forwards and backwards: neither always runs in the other's wake.
      for (const lane of pair % 2 === 0 ? lanes : lanes.toReversed()) await once(lane)
    }
    const [ours, hand] = lanes.map(({ samples }) => median(samples) / 1e6)
    return { ours, hand, ratio: ours / hand }
  }
  let best = await round()
  // A busy machine disturbs one round more than four.
  for (let again = 0; again < 3 && best.ratio > bound && best.ratio < 5; again++) {
    const next = await round()
    if (next.ratio < best.ratio) best = next
  }
  const work = []
  for (const { text, parameters } of lanes) work.push(await opened.work?.(text, parameters))
  return { ...best, work, rows: ids.length, byHand: hand }
}

const running = loadavg()[0]
const load = running > 1 ? 'beside other load' : 'idle'

function whyOf({ name }, { family }) {
  const [, reason] = reasons.find(([words]) => words.test(name)) ?? []
  return reason?.[family] ?? reason?.all
}
const planOf = (words) => [...new Set(words)].join(', ')
const ms = (value) => (value < 100 ? value.toPrecision(2) : value.toFixed(0))
const workOf = ({ work: [ours, hand] }) => (ours === undefined ? '' : `${ours} / ${hand}`)
const ratioOf = ({ ratio }) => (ratio < 100 ? ratio.toFixed(2) : ratio.toFixed(0))

/** A wrong answer is told, and the others are measured. */
function wrong(message) {
  console.log(`WRONG ${message}`)
  process.exitCode = 1
}
const results = []
const leftOut = []
for (const [engine, database] of Object.entries(databases)) {
  if (options.engine !== undefined && !options.engine.includes(engine)) continue
  const { variable } = database
  if (variable !== undefined && process.env[variable] === undefined) {
    leftOut.push(`${engine} (no ${variable})`)
    continue
  }
  console.error(`\n${engine}`)
  if (options.growth) await growth(database, asked)
  if (options.crowd) await crowd(database, asked)
  if (options.growth || options.crowd) continue
  const opened = await database.open()
  async function run(shape) {
    const statements = await statementsOf(shape, database, opened)
    if (statements === undefined) return
    const { ours, hands } = statements
    if (options.explain) {
      for (const { text, parameters } of [ours, ...hands])
        console.log(
          `\n-- ${shape.name}\n${text}\n${JSON.stringify(parameters)}\n${await opened.analyze(text, parameters)}`,
        )
    }
    const { byHand, ...times } = await measure(opened, statements)
    const plans = []
    for (const { text, parameters } of [ours, byHand]) plans.push(planOf(await opened.explain(text, parameters)))
    const [plan, handPlan] = plans
    const line = { engine, title: opened.title, version: opened.version, shape: shape.name, ...times, plan, handPlan }
    results.push({ ...line, text: ours.text, handText: byHand.text, why: whyOf(shape, database) })
    const other = plan === handPlan ? '' : `; by hand: ${handPlan}`
    const mark = times.ratio > bound ? '*' : ' '
    console.log(
      `${mark} ${shape.name.padEnd(60)} ${ms(times.ours).padStart(7)} ${ms(times.hand).padStart(7)} ${ratioOf(times).padStart(6)} ${workOf(times).padStart(16)}  ${plan}${other}`,
    )
  }
  for (const shape of asked) await run(shape).catch((error) => wrong(`${engine}, ${shape.name}: ${error.message}`))
  await opened.close()
}
for (const one of leftOut) console.error(`left out: ${one}`)
if (!isWhole || process.exitCode === 1) process.exit()

// --- The page of the docs, and its picture

const numeric = [`up to ${bound}`, 'median']
const tableOf = (head, rows) =>
  [head, head.map((cell) => (numeric.includes(cell) ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
const worstOf = (lines) => lines.toSorted((a, b) => b.ratio - a.ratio)[0]
const byEngine = Map.groupBy(results, ({ engine }) => engine)
const summary = Array.from(byEngine.values(), (lines) => {
  const ratios = lines.map(({ ratio }) => ratio)
  const { title, version } = lines[0]
  const kept = ratios.filter((ratio) => ratio <= bound).length
  return [title, version, String(lines.length), String(kept), median(ratios).toFixed(2)]
})
const short = (work) => (work < 10_000 ? String(work) : `${Math.round(work / 1000)}k`)
const pairOf = ({ work: [ours, hand] }) =>
  ours === undefined ? '' : ours === hand ? ` (${short(ours)})` : ` (${short(ours)}/${short(hand)})`
const cellOf = (lines = []) => {
  if (lines.length === 0) return ''
  const worst = worstOf(lines)
  return `${ratioOf(worst)}${pairOf(worst)}${lines.length === 1 ? '' : ` of ${lines.length}`}`
}
const titles = [...new Set(results.map(({ title }) => title))]
const slow = Array.from(
  Map.groupBy(
    results.filter(({ ratio }) => ratio > bound),
    ({ why = '' }) => why,
  ),
  ([why, lines]) => {
    const byTitle = Map.groupBy(lines, ({ title }) => title)
    return [worstOf(lines).shape, ...titles.map((title) => cellOf(byTitle.get(title))), why]
  },
)
const date = new Date().toISOString()
const about = `Node ${process.version.slice(1)}, ${cpus().length} processors, ${cpus()[0].model}, ${date.slice(0, 10)}`
const missing = leftOut.length === 0 ? '' : ` Left out: ${leftOut.join(', ')}.`
const others = running > 1 ? ` (${running.toFixed(0)} processes that run or wait)` : ''
const section = `${about}, ${load}${others}.${missing}

${tableOf(['database', 'version', 'shapes', `up to ${bound}`, 'median'], summary)}

The reasons of higher ratios, each with the worst shape, and for each database the ratio and the work of its worst shape (one number
for the same work), and how many shapes there are. A run writes all to \`bench/results-sql.json\`.

${tableOf(['worst shape', ...titles, 'reason'], slow)}
`
const page = new URL('../docs/internals/performance.md', import.meta.url)
const [begin, end] = ['<!-- databases -->', '<!-- end of databases -->']
const [before, rest] = (await readFile(page, 'utf8')).split(begin)
const made = `${before}${begin}\n\n${section}\n${end}${rest.split(end)[1]}`
const { format, resolveConfig } = await import('prettier')
await writeFile(page, await format(made, { ...(await resolveConfig(page)), parser: 'markdown' }))

const run = { node: process.version, cpu: cpus()[0].model, date, load, rows: results }
await writeFile(new URL('results-sql.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
const beside = await readFile(new URL('results.json', import.meta.url), 'utf8').catch(() => undefined)
if (beside === undefined)
  console.error('no picture: bench/results.json is of a run of bench/main.mjs, which draws the picture too')
else await writeCharts(new URL('../docs/internals/', import.meta.url), JSON.parse(beside), run)
