/**
 * Measures everything, or the groups that are named, and prints one table:
 *
 *     node bench/main.mjs [group …] [--quick] [--json FILE]
 *
 * What it runs against is installed by `npm --prefix bench ci`; the group import measures dist/, so build first. The group service
 * also measures a framework, after `npm --prefix bench/peers ci`, and PostgreSQL, at POSTGRES_URL.
 * Each case runs in a fresh process, some in several, of which the median counts. All rows also go into FILE, by
 * default bench/results.json. With --quick the numbers are rough. A run of everything also draws the pictures of docs/internals.
 */
import { fork } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { writeCharts } from './chart.mjs'
import { median } from './timing.mjs'

const files = [
  './shapes.mjs',
  './parsing.mjs',
  './evaluating.mjs',
  './matching.mjs',
  './paging.mjs',
  './selecting.mjs',
  './serving.mjs',
  './emitting.mjs',
  './importing.mjs',
]
const groups = {}
for (const file of files) {
  const module = await import(file)
  for (const [name, group] of Object.entries(module.groups)) groups[name] = { ...group, file }
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(groups)
const unknown = names.filter((name) => !Object.hasOwn(groups, name))
if (unknown.length > 0) {
  console.error(`no group ${unknown.join(', ')}: there are ${Object.keys(groups).join(', ')}`)
  process.exit(2)
}

/** The rows of one case; of one that fails, a row that says so. */
function measure(group, at) {
  const { file, execArgv = [] } = groups[group]
  const child = fork(
    new URL('child.mjs', import.meta.url),
    [JSON.stringify({ file, group, at, quick: options.quick })],
    {
      execArgv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  return new Promise((resolve) => {
    let rows
    child.on('message', (message) => (rows = message))
    child.on('exit', (code) => {
      if (code === 0 && rows !== undefined) return resolve(rows)
      process.exitCode = 1
      const what = Object.values(groups[group].cases[at]).join(', ')
      resolve([{ what, contender: '', note: `failed: code ${code}` }])
    })
  })
}

const medianOf = (rows, name) => median(rows.map((row) => row[name]))
const measures = ['value', 'baseValue', 'ratio']

/** One row for each line that several processes measured. */
function merge(rows) {
  const lines = Map.groupBy(rows, ({ what, contender, base, unit }) => [what, contender, base, unit].join('\0'))
  return [...lines.values()].map((same) => ({
    ...same[0],
    ...Object.fromEntries(measures.filter((name) => name in same[0]).map((name) => [name, medianOf(same, name)])),
    ...(same.length > 1 && { processes: same.length }),
  }))
}

function judge(row) {
  const { judged = 'ratio', target, moonshot } = row
  const met = (bound) => (bound === undefined || row[judged] === undefined ? undefined : row[judged] <= bound)
  return { ...row, met: met(target), moonshotMet: met(moonshot) }
}

const progress = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`)

const results = []
for (const group of names) {
  const { cases, processes } = groups[group]
  const rows = []
  for (const at of cases.keys()) {
    progress(`${group} ${at + 1}/${cases.length}`)
    const runs = []
    for (let run = 0; run < (options.quick ? 1 : processes); run++) runs.push(...(await measure(group, at)))
    rows.push(...merge(runs))
  }
  results.push(...rows.map((row) => ({ group, ...judge(row) })))
}
progress('')

// --- The table

const scales = { ns: [1e6, 'ms', 1e4, 'µs', 1e3] }
function quantity(value, unit = 'ns') {
  if (value === undefined) return ''
  const [large, largeUnit, medium, mediumUnit, divisor] = scales[unit] ?? []
  if (value >= large) return `${(value / large).toPrecision(3)} ${largeUnit}`
  if (value >= medium) return `${(value / divisor).toPrecision(3)} ${mediumUnit}`
  return `${value < 100 && !Number.isInteger(value) ? value.toPrecision(3) : Math.round(value)} ${unit}`
}

function verdict({ target, met, moonshot, moonshotMet, note }) {
  if (note !== undefined) return note
  if (target === undefined) return moonshot === undefined ? '' : moonshotMet ? 'moonshot' : 'moonshot missed'
  return moonshotMet ? 'moonshot' : met ? 'met' : 'MISSED'
}

const bound = (value, { judged, unit }) =>
  value === undefined ? '' : judged === 'value' ? quantity(value, unit) : String(Number(value.toFixed(2)))
const columns = {
  group: ({ group }) => group,
  what: ({ what }) => what,
  contender: ({ contender }) => contender,
  takes: ({ value, unit }) => quantity(value, unit),
  base: ({ base = '' }) => base,
  'base takes': ({ baseValue, unit }) => quantity(baseValue, unit),
  ratio: ({ ratio }) => ratio?.toFixed(2) ?? '',
  target: (row) => bound(row.target, row),
  moonshot: (row) => bound(row.moonshot, row),
  verdict,
}
const numeric = ['takes', 'base takes', 'ratio', 'target', 'moonshot']
const lines = results.map((row) => Object.values(columns).map((cell) => cell(row)))
const titles = Object.keys(columns)
const widths = titles.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at].length)))
const line = (cells) =>
  cells
    .map((cell, at) => (numeric.includes(titles[at]) ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
    .join('  ')
    .trimEnd()
console.log([line(titles), line(widths.map((width) => '-'.repeat(width))), ...lines.map(line)].join('\n'))

const about = { node: process.version, cpu: cpus()[0].model, date: new Date().toISOString(), quick: options.quick }
console.log(`\nNode ${about.node}, ${about.cpu}, ${about.date}${about.quick ? ', quick: rough numbers' : ''}`)
const judged = results.filter(({ met }) => met !== undefined)
const count = (name) => judged.filter((row) => row[name]).length
console.log(`${judged.length} targets: ${count('met')} met, ${count('moonshotMet')} of them the moonshot too`)

const file = options.json ?? new URL('results.json', import.meta.url)
const run = { ...about, rows: results }
await writeFile(file, `${JSON.stringify(run, null, 2)}\n`)
// The picture of the documentation is that of everything, with the databases of bench/sql.mjs where they were measured here.
if (positionals.length === 0 && !options.quick) {
  const ofDatabases = await readFile(new URL('results-sql.json', import.meta.url), 'utf8').catch(() => undefined)
  const databases = ofDatabases && JSON.parse(ofDatabases)
  await writeCharts(new URL('../docs/internals/', import.meta.url), run, databases)
}
