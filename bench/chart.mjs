/**
 * Draws the ratios of a run as two pictures: all of them, with those of the databases where they are beside it, and those of
 * README.md: `node bench/chart.mjs bench/results.json docs/internals bench/results-sql.json`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

/** The lines of the picture: which rows, and what is said of them. */
const sections = {
  'Text to filter, against': [
    [
      'qs, which makes an object of texts',
      { group: 'parse', contender: 'parseFilter', base: 'qs.parse', what: /Q\d raw$/ },
    ],
    ...['api-query-params', 'query-to-mongo', 'odata-filter-parser', '@rsql/parser', 'liqe'].map((base) => [
      base,
      { group: 'parse-peers', contender: 'parseFilter', base },
    ]),
    ['qs, of a query with order and cursor', { group: 'parse-query', contender: 'parseQuery', base: 'qs.parse' }],
  ],
  'Text to a whole statement, against': [
    ...Object.entries({
      'qs and Kysely': /^plain/,
      'the same with hidden fields': /^hidden/,
      'the same with fields=': /^fields/,
      'the same of a second page': /^cursor/,
      'the same with rows of a child table': /^children/,
    }).map(([label, what]) => [label, { group: 'statement', base: 'qs, Kysely', what }]),
    ['qs and Drizzle', { group: 'statement', base: 'qs, Drizzle', what: /^plain/ }],
  ],
  'Rows of a driver to a page, against': [
    ['JSON.stringify of 20 rows', { group: 'page', base: 'JSON.stringify', what: /^20 rows/ }],
    ['JSON.stringify of 100 rows', { group: 'page', base: 'JSON.stringify', what: /^100 rows/ }],
  ],
  'A request to JSON, against': [
    ['a handler by hand', 'urlwhere raw', 'by hand, node:http'],
    ['the same, by the list service', 'urlwhere service', 'by hand, node:http'],
    ['NestJS and TypeORM, by the list service', 'urlwhere service', 'NestJS, nestjs-paginate, TypeORM'],
  ].map(([label, contender, base]) => [label, { group: 'service', contender, base, unit: 'ns', what: /./ }]),
  'Rows in memory, against': [
    [
      'code by hand, after 50 other filters',
      { group: 'memory', contender: 'known, polluted', base: 'by hand', what: /Q\d H$/ },
    ],
    ...['sift', 'mingo', '@ucast/mongo2js', 'filtrex', 'json-logic-engine'].map((base) => [
      base,
      { group: 'memory-peers', contender: 'closures', base, what: /Q\d H$/ },
    ]),
  ],
}

/** The lines of README.md: a section, a label there, and the label here. */
const summary = [
  ['Text to filter, against', 'qs, which makes an object of texts', 'text to filter, against qs'],
  ['Text to a whole statement, against', 'qs and Kysely', 'text to a statement, against qs and Kysely'],
  ['Text to a whole statement, against', 'the same of a second page', 'the same of a second page'],
  ['Rows of a driver to a page, against', 'JSON.stringify of 20 rows', 'rows to a page, against JSON.stringify'],
  ['A request to JSON, against', 'a handler by hand', 'a request to JSON, against a handler by hand'],
  ['A request to JSON, against', 'the same, by the list service', 'the same by the list service'],
  ['Rows in memory, against', 'code by hand, after 50 other filters', 'rows in memory, against code by hand'],
]

/** The ratios of a line, by the query, the kind of rows or the store. */
function ratiosOf(rows, { what = /Q\d/, ...wanted }) {
  const isWanted = (row) => Object.entries(wanted).every(([name, value]) => row[name] === value) && what.test(row.what)
  return rows.filter((row) => isWanted(row) && row.ratio > 0).map(({ what, ratio }) => ({ query: what, ratio }))
}

const width = 760
const left = 290
const right = 700
const lineHeight = 24
const [least, most] = [0.005, 5]
const ticks = [0.01, 0.03, 0.1, 0.3, 1, 3]
const xOf = (ratio) =>
  left + ((right - left) * Math.log(Math.min(most, Math.max(least, ratio)) / least)) / Math.log(most / least)
const style = `<style>
  svg { --page: #fff; --ink: #1f2328; --faint: #59636e; --grid: #d1d9e0; --good: #1a7f37; --bad: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    svg { --page: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --grid: #3d444d; --good: #3fb950; --bad: #f0883e }
  }
  .page { fill: var(--page) } text { fill: var(--ink); font: 13px system-ui, sans-serif }
  .title { font-weight: 600 } .small, .number { fill: var(--faint); font-size: 12px }
  .tick { stroke: var(--grid); stroke-width: 1 } .one { stroke: var(--faint); stroke-width: 1.5 }
  .span { stroke: var(--grid); stroke-width: 3; stroke-linecap: round }
  circle { fill-opacity: 0.7 } .faster { fill: var(--good) } .slower { fill: var(--bad) }
</style>
<rect class="page" width="100%" height="100%" rx="8"/>`
const escape = (text) => text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark])
const round = (number) => Number(number.toFixed(1))

/** A line for each database, with a dot for each shape. */
const linesOf = (databases) =>
  Array.from(
    Map.groupBy(databases.rows, ({ title }) => title),
    ([title, rows]) => [title, rows.map(({ shape, ratio }) => ({ query: shape, ratio }))],
  )

/** The picture of a run's results, as SVG; `databases` are those of bench/sql.mjs. */
function chartOf({ rows, node, cpu, date, quick }, databases) {
  const drawnSections = Object.entries(sections).map(([title, lines]) => ({
    title,
    bound: 1,
    lines: lines.map(([label, wanted]) => [label, ratiosOf(rows, wanted)]),
  }))
  if (databases !== undefined)
    drawnSections.push({
      title: 'A million rows in a database, against statements by hand',
      bound: 1.5,
      lines: linesOf(databases),
    })
  const body = []
  let y = 64
  const text = (x, at, words, attributes = '') =>
    body.push(`<text x="${round(x)}" y="${round(at)}"${attributes}>${escape(words)}</text>`)
  for (const { title, bound, lines } of drawnSections) {
    const drawn = lines.filter(([, ratios]) => ratios.length > 0)
    if (drawn.length === 0) continue
    text(20, y, title, ' class="title"')
    y += lineHeight
    for (const [label, ratios] of drawn) {
      const xs = ratios.map(({ ratio }) => xOf(ratio))
      text(left - 12, y + 4, label, ' text-anchor="end"')
      body.push(`<path class="span" d="M${round(Math.min(...xs))} ${y}H${round(Math.max(...xs))}"/>`)
      for (const { query, ratio } of ratios) {
        const name = `<title>${escape(query)}: ${ratio.toFixed(2)}</title>`
        body.push(
          `<circle class="${ratio <= bound ? 'faster' : 'slower'}" cx="${round(xOf(ratio))}" cy="${y}" r="4.5">${name}</circle>`,
        )
      }
      const worst = Math.max(...ratios.map(({ ratio }) => ratio))
      text(right + 12, y + 4, worst < 100 ? worst.toFixed(2) : worst.toFixed(0), ' class="number"')
      y += lineHeight
    }
    y += 12
  }
  const bottom = y - 18
  const axis = ticks.flatMap((tick) => [
    `<path class="${tick === 1 ? 'one' : 'tick'}" d="M${round(xOf(tick))} 40V${bottom}"/>`,
    `<text class="small" x="${round(xOf(tick))}" y="${bottom + 16}" text-anchor="middle">${tick}</text>`,
  ])
  const about = `Node ${node}, ${cpu}, ${date.slice(0, 10)}${quick ? ', a quick run' : ''}`
  const ofDatabases =
    databases === undefined
      ? ''
      : `\n<text class="small" x="20" y="${bottom + 56}">Databases: a dot for each kind of statement, green up to 1.5, at the edge beyond 5. ${escape(`${databases.date.slice(0, 10)}, ${databases.load}`)}</text>`
  const height = bottom + (databases === undefined ? 48 : 66)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="Time of urlwhere as a ratio to the time of others">
${style}
<text class="title" x="20" y="26">Time of urlwhere, as a ratio to the other’s: to the left is faster</text>
<text class="small" x="${right + 12}" y="26">worst</text>
${axis.join('\n')}
${body.join('\n')}
<text class="small" x="20" y="${bottom + 38}">A dot for each query, kind of rows or store. ${escape(about)}</text>${ofDatabases}
</svg>
`
}

/** The picture of README.md, as wide as a phone: the labels are above their lines. */
function summaryOf({ rows, node, cpu, date }) {
  const [begin, end] = [18, 330]
  const [lowest, highest] = [0.05, 2]
  const at = (ratio) =>
    round(
      begin +
        ((end - begin) * Math.log(Math.min(highest, Math.max(lowest, ratio)) / lowest)) / Math.log(highest / lowest),
    )
  const [top, row] = [88, 42]
  const bottom = top + row * summary.length - 14
  const lines = summary.flatMap(([section, line, label], index) => {
    const [, wanted] = sections[section].find(([name]) => name === line)
    const ratios = ratiosOf(rows, wanted)
    const y = top + row * index
    const dots = ratios.map(
      ({ query, ratio }) =>
        `<circle class="${ratio <= 1 ? 'faster' : 'slower'}" cx="${at(ratio)}" cy="${y + 15}" r="5"><title>${query}: ${ratio.toFixed(2)}</title></circle>`,
    )
    const slowest = Math.max(...ratios.map(({ ratio }) => ratio)).toFixed(2)
    return [
      `<text x="18" y="${y}">${escape(label)}</text>`,
      `<path class="tick" d="M${begin} ${y + 15}H${end}"/>`,
      ...dots,
      `<text x="342" y="${y + 19}" class="number">${slowest}</text>`,
    ]
  })
  const axis = [0.05, 0.1, 0.2, 0.5, 1, 2].flatMap((tick) => [
    `<path class="${tick === 1 ? 'one' : 'tick'}" d="M${at(tick)} ${top + 6}V${bottom}"/>`,
    `<text class="small" x="${at(tick)}" y="${bottom + 16}" text-anchor="middle">${tick}</text>`,
  ])
  const about = `Node ${node}, ${cpu.replace(/ \d.*$/, '')}, ${date.slice(0, 10)}.`
  const notes = [
    'A dot for each query, kind of rows or store.',
    'Worst: the slowest of the dots.',
    'Logarithmic scale: from 0.1 to 1 is ten times the time.',
    about,
  ]
  const height = bottom + 30 + 17 * notes.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 390 ${height}" width="390" role="img" aria-label="Time of urlwhere as a ratio to the time of others">
${style}
<text class="title" x="18" y="26">Time of urlwhere, as a ratio to the other’s</text>
<text class="small" x="18" y="46">left of 1 is faster, right of 1 is slower</text>
<text class="small" x="342" y="62">worst</text>
${axis.join('\n')}
${lines.join('\n')}
${notes.map((note, line) => `<text class="small" x="18" y="${bottom + 40 + 17 * line}">${escape(note)}</text>`).join('\n')}
</svg>
`
}

/** Writes both pictures into a folder. */
export async function writeCharts(folder, run, databases) {
  await writeFile(new URL('performance.svg', folder), chartOf(run, databases))
  await writeFile(new URL('performance-summary.svg', folder), summaryOf(run))
}

const [, script, from, to, ofDatabases] = process.argv
if (script === import.meta.filename && to !== undefined) {
  const [run, databases] = await Promise.all(
    [from, ofDatabases].map(async (file) => file && JSON.parse(await readFile(file, 'utf8'))),
  )
  await writeCharts(pathToFileURL(`${to}/`), run, databases)
}
