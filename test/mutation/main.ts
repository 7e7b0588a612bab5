/**
 * Changes src in one place after the other, and tells which changes no test finds:
 *
 *     npm run mutation [-- area …] [--static]
 *
 * `--static` changes what runs while modules load, too: tables and patterns. Each of those runs all tests of its area.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { areas } from './areas.ts'
import { survivors } from './survivors.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { static: { type: 'boolean', default: false } },
})
const names = positionals.length > 0 ? positionals : Object.keys(areas)
const unknown = names.filter((name) => !Object.hasOwn(areas, name))
if (unknown.length > 0) {
  console.error(`no area ${unknown.join(', ')}: there are ${Object.keys(areas).join(', ')}`)
  process.exit(2)
}

interface Change {
  readonly file: string
  /** The line, and what of it is replaced. */
  readonly line: string
  readonly place: string
  readonly replacement: string
}

/** A change for the list of those that need no test. */
const keyOf = ({ file, line, replacement }: Omit<Change, 'place'>) => `${file}: ${line} → ${replacement}`
const known = new Map(survivors.map((survivor) => [keyOf(survivor), survivor.why]))

let found = 0
let all = 0
const missing: Change[] = []
for (const name of names) {
  process.env.AREA = name
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    mutate: [...areas[name]!.mutate],
    ignoreStatic: !options.static,
    ignorePatterns: ['dist', 'bench'],
    reporters: ['progress-append-only'],
    timeoutMS: 5_000,
    timeoutFactor: 1.5,
  }).runMutationTest()
  for (const { status, fileName, location, replacement = '' } of results) {
    if (status === 'Ignored') continue
    all++
    if (status === 'Killed' || status === 'Timeout') found++
    else {
      const { start, end } = location
      const lines = readFileSync(fileName, 'utf8').split('\n')
      const file = fileName.slice(fileName.indexOf('src/'))
      const line = lines[start.line - 1]!.trim()
      missing.push({ file, line, place: `${start.line}:${start.column}-${end.line}:${end.column}`, replacement })
    }
  }
}

const equivalent = missing.filter((change) => known.has(keyOf(change)))
for (const change of missing) {
  if (!equivalent.includes(change)) console.log(`${change.file}:${change.place} ${change.line} → ${change.replacement}`)
}
const score = ((100 * found) / (all - equivalent.length)).toFixed(1)
console.log(`${all} changes: ${found} found, ${equivalent.length} change nothing: ${score} %`)
