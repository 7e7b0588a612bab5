/**
 * Times the statements of the package against the best that is written by hand, over a million rows in each database:
 *
 *     node bench/sql.mjs [--engine NAME] [--shape WORDS] [--explain]
 *
 * SQLite is always there; the servers are those of the tests, at POSTGRES_URL, POSTGRES18_URL, MYSQL_URL and MARIADB_URL. The
 * tables are made on the first run, in a database urlwhere_bench, and kept. --engine and --shape choose what is measured;
 * --explain prints statements and plans. A run of everything writes docs/internals/performance.md and bench/results-sql.json.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { sqlBackend } from '../src/backends/sql/index.ts'
import { defineCollection, parseQueryOrThrow, toPage } from '../src/index.ts'
import { writeCharts } from './chart.mjs'
import { databases, schema } from './databases.mjs'
import { reasons, shapes } from './sql-shapes.mjs'
import { check, median } from './timing.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    shape: { type: 'string', multiple: true },
    explain: { type: 'boolean', default: false },
  },
})
const isWhole = options.engine === undefined && options.shape === undefined
const unknown = (options.engine ?? []).filter((name) => !Object.hasOwn(databases, name))
if (unknown.length > 0) {
  console.error(`no engine ${unknown.join(', ')}: there are ${Object.keys(databases).join(', ')}`)
  process.exit(2)
}
const asked = shapes.filter(({ name }) => options.shape?.some((words) => name.includes(words)) ?? true)

/** What is promised. */
const bound = 1.5
/** Milliseconds for the pairs of a shape, and how many there are at least and at most. */
const [longest, least, most] = [700, 3, 400]

/** A piece of a statement by hand, with the placeholders of the database. */
function written(placeholder, piece) {
  const parameters = []
  const textOf = ({ strings, values }) =>
    strings.reduce((text, next, at) => {
      const value = values[at - 1]
      const isPiece = Array.isArray(value?.strings)
      return text + (isPiece ? textOf(value) : placeholder(parameters.push(value))) + next
    })
  const text = textOf(piece)
  return { text, parameters }
}

const countOf = (count) => (typeof count === 'object' ? `${count.atLeast} at least` : count)

/** The statements of a shape, and how the ids of their rows are read; `undefined` where the database has nothing of the kind. */
function statementsOf(shape, { dialect, table, family, placeholder }) {
  const { key = 'id', query: text, hand, after, fields = ['name', 'total'], sorted = [], counts, max } = shape
  const byHand = hand[family] ?? hand.all
  if (byHand === undefined) return undefined
  const count = max === undefined ? true : { max }
  const collection = defineCollection(schema, { key, sort: true, groups: true, count, fields: true })
  const asked = counts ? `${text}&count=true` : `${text}&fields=${['id', ...fields]}`
  const query = parseQueryOrThrow(collection, asked)
  const cursor = after === undefined ? '' : `&cursor=${toPage({ ...query, limit: 1 }, [after, after]).next}`
  const statement = sqlBackend({ dialect, table }).select(parseQueryOrThrow(collection, asked + cursor))
  const ours = counts
    ? { ...statement.count, idOf: (row) => countOf(statement.count.read(row)) }
    : { ...statement, idOf: (row) => statement.read(row).id }
  const own = written(placeholder, byHand(after))
  const columns = [...new Set(['id', ...fields, ...sorted])].map((name) => `orders.${name}`)
  const select = counts ? 'SELECT COUNT(*) AS id FROM orders' : `SELECT ${columns.join(', ')} FROM orders`
  const whole = own.text.startsWith('SELECT') ? own.text : `${select} ${own.text}`
  const idOf = ({ id }) => (Number(id) > max ? `${max} at least` : id)
  return { ours, hand: { ...own, text: whole, idOf } }
}

const now = () => Number(process.hrtime.bigint())

async function measure({ prepare }, { ours, hand }, name) {
  const lanes = [ours, hand].map(({ text, parameters }) => ({ read: prepare(text), parameters, samples: [] }))
  const idsOf = ({ idOf }, rows) => rows.map((row) => String(idOf(row))).join()
  const once = async ({ read, parameters, samples }) => {
    const begun = now()
    const rows = await read(parameters)
    samples.push(now() - begun)
    return rows
  }
  const begun = now()
  const [own, byHand] = [idsOf(ours, await once(lanes[0])), idsOf(hand, await once(lanes[1]))]
  check(own === byHand && own !== '', `${name}: ${own || 'nothing'}, by hand ${byHand || 'nothing'}`)
  // What takes seconds is not asked often.
  const isSlow = now() - begun > 2e9
  if (!isSlow) for (const until = now() + longest * 2e5; now() < until;) for (const lane of lanes) await once(lane)
  // The first ones read what no cache holds.
  for (const lane of lanes) lane.samples = []
  const pairs = async (longest, least) => {
    const until = now() + longest * 1e6
    for (let pair = 0; pair < most && (pair < least || now() < until); pair++) {
      // In turn forwards and backwards: neither always runs in the other's wake.
      for (const lane of pair % 2 === 0 ? lanes : lanes.toReversed()) await once(lane)
    }
  }
  const [time, number] = isSlow ? [0, 2] : [longest, least]
  await pairs(time, number)
  const medians = () => lanes.map(({ samples }) => median(samples) / 1e6)
  const isOver = ([value, base]) => value / base > bound
  // A busy machine disturbs few samples more than many.
  if (isOver(medians())) await pairs(4 * time, number)
  const [value, base] = medians()
  return { ours: value, hand: base, ratio: value / base, rows: own.split(',').length }
}

const running = loadavg()[0]
const load = running > 1 ? 'beside other load' : 'idle'

function whyOf({ name }, { family }) {
  const [, reason] = reasons.find(([words]) => words.test(name)) ?? []
  return reason?.[family] ?? reason?.all
}
const planOf = (words) => [...new Set(words)].join(', ')
const ms = (value) => (value < 100 ? value.toPrecision(2) : value.toFixed(0))
const ratioOf = ({ ratio }) => (ratio < 100 ? ratio.toFixed(2) : ratio.toFixed(0))

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
  const opened = await database.open()
  for (const shape of asked) {
    const statements = statementsOf(shape, database)
    if (statements === undefined) continue
    const { ours, hand } = statements
    if (options.explain) {
      for (const [title, { text, parameters }] of Object.entries(statements))
        console.log(
          `\n-- ${shape.name}, ${title}\n${text}\n${JSON.stringify(parameters)}\n${await opened.analyze(text, parameters)}`,
        )
    }
    const times = await measure(opened, statements, `${engine}, ${shape.name}`)
    const plans = [ours, hand].map(({ text, parameters }) => opened.explain(text, parameters))
    const [plan, handPlan] = (await Promise.all(plans)).map(planOf)
    const line = { engine, title: opened.title, version: opened.version, shape: shape.name, ...times, plan, handPlan }
    results.push({ ...line, text: ours.text, handText: hand.text, why: whyOf(shape, database) })
    const other = plan === handPlan ? '' : `; by hand: ${handPlan}`
    const mark = times.ratio > bound ? '*' : ' '
    console.log(
      `${mark} ${shape.name.padEnd(44)} ${ms(times.ours).padStart(7)} ${ms(times.hand).padStart(7)} ${ratioOf(times).padStart(6)}  ${plan}${other}`,
    )
  }
  await opened.close()
}
for (const one of leftOut) console.error(`left out: ${one}`)
if (!isWhole) process.exit()

// --- The page of the docs, and its picture

const numeric = ['ms', 'by hand', 'shapes', `up to ${bound}`, 'median']
const tableOf = (head, rows) =>
  [head, head.map((cell) => (numeric.includes(cell) ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
const byEngine = Map.groupBy(results, ({ engine }) => engine)
const summary = Array.from(byEngine.values(), (lines) => {
  const ratios = lines.map(({ ratio }) => ratio)
  const worst = lines.toSorted((a, b) => b.ratio - a.ratio)[0]
  const { title, version } = lines[0]
  const kept = ratios.filter((ratio) => ratio <= bound).length
  return [
    title,
    version,
    String(lines.length),
    String(kept),
    median(ratios).toFixed(2),
    `${ratioOf(worst)}: ${worst.shape}`,
  ]
})
const titles = Array.from(byEngine.values(), ([{ title }]) => title)
const byShape = Map.groupBy(results, ({ shape }) => shape)
const times = Array.from(byShape, ([shape, lines]) => {
  const cellOf = (title) => lines.find((line) => line.title === title)
  return [shape, ...titles.map(cellOf).map((line) => (line === undefined ? '' : `${ms(line.ours)}, ${ratioOf(line)}`))]
})
const slow = results
  .filter(({ ratio }) => ratio > bound)
  .map(({ title, shape, ours, hand, plan, handPlan, why = '' }) => {
    const plans = plan === handPlan ? plan : `${plan}; by hand ${handPlan}`
    return [title, shape, ms(ours), ms(hand), plans, why]
  })
const date = new Date().toISOString()
const about = `Node ${process.version.slice(1)}, ${cpus().length} processors, ${cpus()[0].model}, ${date.slice(0, 10)}`
const missing = leftOut.length === 0 ? '' : ` Left out: ${leftOut.join(', ')}.`
const others = running > 1 ? ` (${running.toFixed(0)} processes that run or wait)` : ''
const section = `${about}, ${load}${others}.${missing}

${tableOf(['database', 'version', 'shapes', `up to ${bound}`, 'median', 'worst'], summary)}

Each cell has the milliseconds of the statement, and their ratio to the statement by hand.

${tableOf(['shape', ...titles], times)}

Above ${bound}:

${tableOf(['database', 'shape', 'ms', 'by hand', 'plan', 'reason'], slow)}
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
