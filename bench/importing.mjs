/** What the built package takes to start, and how large its parts are. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { row } from './timing.mjs'

const folder = new URL('../', import.meta.url).pathname
const gzip = (data) => gzipSync(data, { level: 9 }).length

const fromText = ['chevrotain', 'urlwhere']
const parts = ['filter', 'memory', 'sql', 'mongo']

function start({ processes }) {
  const programs = [...fromText, ...parts.map((part) => `urlwhere/${part}`)]
  const times = Object.fromEntries(programs.map((program) => [program, []]))
  const cold = new URL('cold.mjs', import.meta.url).pathname
  for (let round = 0; round <= processes; round++) {
    for (const program of programs) {
      const spent =
        1e6 *
        Number(
          execFileSync(process.execPath, [cold, program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
        )
      if (round > 0) times[program].push(spent) // The first finds files that nobody has read yet.
    }
  }
  return [
    row(times.urlwhere, times.chevrotain, {
      what: 'import and first parse',
      contender: 'urlwhere',
      base: 'chevrotain',
      target: 0.5,
      moonshot: 0.3,
    }),
    ...programs
      .slice(fromText.length)
      .map((contender) => row(times[contender], times.urlwhere, { what: 'import', contender, base: 'urlwhere' })),
  ]
}

/** What a program imports, with the most bytes that it should take. */
const bundles = {
  urlwhere: { names: { index: '*' } },
  'urlwhere/filter': { names: { filter: '*' }, target: 8_000 },
  'urlwhere/memory': { names: { memory: '*' }, target: 5_000 },
  'urlwhere/sql': { names: { sql: '*' }, target: 9_000 },
  'urlwhere/mongo': { names: { mongo: '*' }, target: 5_500 },
  'filter and sql': { names: { filter: '*', sql: '*' } },
  'filter and mongo': { names: { filter: '*', mongo: '*' } },
  'sql, one dialect': { names: { sql: '{ sqlBackend, sqlite, table, column, childTable, jsonColumn }' } },
  // As docs/guides/client.md imports it.
  'a front-end': { names: { filter: '{ queryString }' }, target: 8_000 },
  'a front-end with the schema': {
    names: { filter: '{ buildQuery, defineCollection, defineSchema, field, or, printQuery, where }' },
  },
}

async function size(contender) {
  const { names, target } = bundles[contender]
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: Object.entries(names)
        .map(([part, name]) => `export ${name} from './dist/${part}.js'`)
        .join('\n'),
      resolveDir: folder,
    },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    metafile: true,
  })
  const inputs = Object.keys(metafile.inputs).filter((file) => file !== '<stdin>')
  const files = await Promise.all(inputs.map((file) => readFile(folder + file)))
  const withChevrotain = files.filter((file) => /performSelfAnalysis/.test(file)).length
  const line = { contender, unit: 'B', judged: 'value' }
  return [
    { ...line, what: 'minified, gzip', value: gzip(outputFiles[0].contents), ...(target && { target }) },
    { ...line, what: 'as shipped, gzip', value: files.reduce((sum, file) => sum + gzip(file), 0) },
    {
      ...line,
      what: 'files with Chevrotain',
      value: withChevrotain,
      unit: `of ${files.length}`,
      ...(contender !== 'urlwhere' && { target: 0 }),
    },
  ]
}

export const groups = {
  import: {
    cases: [{ what: 'start' }, ...Object.keys(bundles).map((bundle) => ({ what: 'size', bundle }))],
    processes: 1,
    run: ({ what, bundle }, settings) => (what === 'start' ? start(settings) : size(bundle)),
  },
}
