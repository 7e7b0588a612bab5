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
      target: 0.45,
      moonshot: 0.3,
    }),
    ...programs
      .slice(fromText.length)
      .map((contender) => row(times[contender], times.urlwhere, { what: 'import', contender, base: 'urlwhere' })),
  ]
}

async function size(part) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`dist/${part}.js`],
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    metafile: true,
  })
  const files = await Promise.all(Object.keys(metafile.inputs).map((file) => readFile(folder + file)))
  const withChevrotain = files.filter((file) => /performSelfAnalysis/.test(file)).length
  const contender = part === 'index' ? 'urlwhere' : `urlwhere/${part}`
  const line = { contender, unit: 'B', judged: 'value' }
  const targets = part !== 'index' && { target: 5_000, moonshot: 3_000 }
  return [
    { ...line, what: 'minified, gzip', value: gzip(outputFiles[0].contents), ...targets },
    { ...line, what: 'as shipped, gzip', value: files.reduce((sum, file) => sum + gzip(file), 0) },
    {
      ...line,
      what: 'files with Chevrotain',
      value: withChevrotain,
      unit: `of ${files.length}`,
      ...(part !== 'index' && { target: 0 }),
    },
  ]
}

export const groups = {
  import: {
    cases: [{ what: 'start' }, ...['index', ...parts].map((part) => ({ what: 'size', part }))],
    processes: 1,
    run: ({ what, part }, settings) => (what === 'start' ? start(settings) : size(part)),
  },
}
