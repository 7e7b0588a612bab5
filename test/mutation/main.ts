/**
 * Changes src in one place after the other, and tells which changes no test finds:
 *
 *     npm run mutation [-- area …] [--static]
 *
 * `--static` changes what runs while modules load, too: tables and patterns. Each of those runs all tests of its area.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { areas } from './areas.ts'

/** What this file uses of Stryker, which `npm run mutation` installs and `npm run check` does without. */
interface Mutant {
  readonly status: string
  readonly fileName: string
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>
  readonly replacement: string
}
type Run = new (options: object) => { runMutationTest(): Promise<readonly Mutant[]> }
const core: string = '@stryker-mutator/core'
const { Stryker } = (await import(core)) as { readonly Stryker: Run }

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

let found = 0
let all = 0
const survivors: string[] = []
for (const name of names) {
  process.env.AREA = name
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // The tests of an area are imported by a name that is not there before it runs.
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: [...areas[name]!.mutate],
    ignoreStatic: !options.static,
    ignorePatterns: ['dist', 'bench'],
    reporters: ['progress-append-only'],
    timeoutMS: 5_000,
    timeoutFactor: 1.5,
  }).runMutationTest()
  for (const { status, fileName, location, replacement } of results) {
    if (status === 'Ignored') continue
    all++
    if (status === 'Killed' || status === 'Timeout') found++
    else {
      const { start, end } = location
      const line = readFileSync(fileName, 'utf8').split('\n')[start.line - 1]!.trim()
      const file = relative(process.cwd(), fileName)
      survivors.push(`${file}:${start.line}:${start.column}-${end.line}:${end.column} ${line} → ${replacement}`)
    }
  }
}

for (const survivor of survivors) console.log(survivor)
console.log(`${all} changes, of which tests found ${found}: ${((100 * found) / all).toFixed(1)} %`)
