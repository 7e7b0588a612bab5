/**
 * `npm run fuzz -- --seconds 600`: Jazzer.js changes the kept texts, guided by the branches of `src` that they reach, and
 * each must keep the laws. Then the corpus is cut down to the texts that reach them all. A text that breaks a law ends it.
 * On Linux, the binary that Jazzer.js 4.0.0 brings requires glibc 2.38: Debian 13, Ubuntu 24.04, or later.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bytesOf, textOf } from './bytes.ts'
import { progressOfTime } from '../progress.ts'
import { brokenLaw } from './laws.ts'
import { tokens } from './tokens.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
if (!/^[1-9]\d*$/.test(values.seconds)) throw new Error(`--seconds cannot be ${JSON.stringify(values.seconds)}`)

const kept = join(import.meta.dirname, 'corpus.json')
const folder = mkdtempSync(join(tmpdir(), 'urlwhere-fuzz-'))
const inputs = join(folder, 'inputs')
const merged = join(folder, 'merged')
const found = join(folder, 'found')
for (const name of [inputs, merged, found]) mkdirSync(name)
process.on('exit', () => rmSync(folder, { recursive: true }))

const dictionary = join(folder, 'tokens.dict')
const quoted = (token: string) =>
  `"${Array.from(bytesOf(token), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`
writeFileSync(dictionary, tokens.map(quoted).join('\n'))

/** Runs libFuzzer on the target, and returns what it prints. */
async function jazzer(...options: readonly string[]): Promise<string> {
  const command = fileURLToPath(new URL('cli.js', import.meta.resolve('@jazzer.js/core')))
  const here = import.meta.dirname
  // Branches of the plain reading are worth a text too: those of Chevrotain, which `src` has in its place, are not seen.
  const seen = [join(here, '../../src/'), join(here, 'reading.ts'), join(here, 'meaning.ts')]
  const own = ['--sync', ...seen.flatMap((path) => ['-i', path]), '--disableBugDetectors', '^(?!prototype)']
  const loader = `--disable-warning=ExperimentalWarning --import=${new URL('instrumented.ts', import.meta.url)}`
  const child = spawn(process.execPath, [command, join(here, 'target.js'), ...own, '--', ...options], {
    env: { ...process.env, NODE_OPTIONS: loader },
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0 && readdirSync(found).length === 0) throw new Error(`Jazzer.js ends with ${status}:\n${stderr}`)
  return stderr
}

/** A text that breaks a law still, with as much left out as can be. */
function reduced(text: string): string {
  for (let size = text.length; size > 0; size = Math.floor(size / 2)) {
    for (let at = 0; at < text.length;) {
      const shorter = text.slice(0, at) + text.slice(at + size)
      if (brokenLaw(shorter) === undefined) at += size
      else text = shorter
    }
  }
  return text
}

const corpus = JSON.parse(readFileSync(kept, 'utf8')) as string[]
for (const [at, text] of corpus.entries()) writeFileSync(join(inputs, `kept-${at}`), bytesOf(text))

const limits = [`-max_total_time=${values.seconds}`, '-max_len=240', '-len_control=20', '-rss_limit_mb=4096']
const hideSearch = progressOfTime(() => 'fuzz', Number(values.seconds) * 1_000)
const told = await jazzer(`-dict=${dictionary}`, ...limits, `-artifact_prefix=${found}/`, inputs).finally(hideSearch)
console.log(told.match(/\d+ inline 8-bit counters|^#\d+\s+(?:INITED|DONE) .*/gm)?.join('\n'))

const [crash] = readdirSync(found)
if (crash !== undefined) {
  const text = reduced(textOf(readFileSync(join(found, crash))))
  console.log(`${crash.split('-')[0]}: ${JSON.stringify(text)}\n${brokenLaw(text) ?? 'breaks no law here'}`)
  process.exitCode = 1
} else {
  // Without counters a text is kept for a branch, not for how often it runs.
  await jazzer('-merge=1', '-use_counters=0', '-max_len=240', merged, inputs)
  const texts = readdirSync(merged).map((name) => textOf(readFileSync(join(merged, name))))
  // In ASCII, so that nothing in it hides from who reads it.
  const lines = JSON.stringify([...new Set(texts)].sort(), undefined, 2).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  writeFileSync(kept, `${lines}\n`)
  console.log(`corpus: ${corpus.length} texts before, ${texts.length} now`)
}
