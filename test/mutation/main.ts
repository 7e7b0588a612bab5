/**
 * Changes src in one place after the other, and prints which changes no test finds:
 *
 *     npm run mutation [-- area …]
 *
 * Stryker's instrumenter writes all changes of an area into a copy of the project, each behind a switch. Vitest runs the
 * area's tests there once, and `every-change.ts` calls them again for each change: a change costs milliseconds, where a run
 * of Vitest for each costs seconds. What runs while modules load (tables, patterns) can be switched only where a test loads
 * them again, and is left out elsewhere.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openProgress } from '../progress.ts'
import { areas, filesOf } from './areas.ts'
import type { Outcome } from './every-change.ts'

/** What this file uses of Stryker's instrumenter, which `npm run mutation` installs and `npm run check` does without. */
interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>
  readonly replacement: string
  readonly status?: string
}
type File = { readonly name: string; readonly content: string; readonly mutate: boolean }
interface Instrumenter {
  instrument(files: readonly File[], options: object): Promise<{ files: readonly File[]; mutants: readonly Mutant[] }>
}
const library: string = '@stryker-mutator/instrumenter'
const { Instrumenter } = (await import(library)) as { Instrumenter: new (log: object) => Instrumenter }

/** A change with which a test runs longer than this, in milliseconds, counts as found. */
const patience = 60_000
/** Longer than loading the tests of an area takes on a busy machine: a mutant beyond this time hangs. */
const longestLoad = 600_000
const project = join(import.meta.dirname, '../..')
const silent = new Proxy({}, { get: () => () => false })

/** A copy of the project with the changes of an area in it, and their list. */
async function instrumented(area: string) {
  const folder = mkdtempSync(join(tmpdir(), 'urlwhere-mutation-'))
  const isCopied = (path: string) => !/[\\/](node_modules|dist|\.git|bench)$/.test(path)
  cpSync(project, folder, { recursive: true, filter: isCopied })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  const files = filesOf(area, folder).map((name) => ({
    name: join(folder, name),
    content: readFileSync(join(folder, name), 'utf8'),
    mutate: true,
  }))
  const options = { plugins: [], excludedMutations: [], ignorers: [], noHeader: false }
  const { files: changed, mutants } = await new Instrumenter(silent).instrument(files, options)
  for (const { name, content } of changed) writeFileSync(name, content)
  writeFileSync(join(folder, 'ids.json'), JSON.stringify(mutants.map(({ id }) => id)))
  return { folder, mutants }
}

/** Asks the tests about the changes from one on, in a process of its own, until they end or get stuck. */
async function ask(
  area: string,
  folder: string,
  from: number,
  tell: (done: number) => void,
): Promise<readonly Outcome[]> {
  const results = join(folder, 'outcomes.jsonl')
  writeFileSync(results, '')
  const vitest = join(project, 'node_modules/vitest/vitest.mjs')
  const { engine = 'memory' } = areas[area]!
  const settings = { ...process.env, AREA: area, FROM: String(from), FOLDER: folder, ENGINES: engine }
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/mutation/vitest.config.ts'], {
    cwd: folder,
    env: settings,
    stdio: 'ignore',
    detached: true,
  })
  let isOver = false
  child.once('exit', () => (isOver = true))
  const read = () =>
    readFileSync(results, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Outcome)
  // The tests touch the file whenever one of them starts.
  for (; !isOver; await setTimeout(200)) {
    const { size, mtimeMs } = statSync(results)
    // The first line reports that the tests are loaded.
    tell(from + Math.max(0, readFileSync(results, 'utf8').split('\n').length - 2))
    if (Date.now() - mtimeMs > (size === 0 ? longestLoad : patience)) process.kill(-child.pid!, 'SIGKILL')
  }
  return read()
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(areas)
const unknown = names.filter((name) => !Object.hasOwn(areas, name))
if (unknown.length > 0) {
  console.error(`no area ${unknown.join(', ')}: there are ${Object.keys(areas).join(', ')}`)
  process.exit(2)
}
for (const name of names) {
  const { folder, mutants } = await instrumented(name)
  const counts: Record<Outcome['outcome'] | 'stuck', number> = {
    start: 0,
    found: 0,
    stuck: 0,
    survived: 0,
    untested: 0,
    static: 0,
  }
  const progress = openProgress()
  const tell = (done: number) => progress.tell(`${name}: ${done} of ${mutants.length} changes`, done / mutants.length)
  for (let from = 0; from < mutants.length;) {
    const [start, ...outcomes] = await ask(name, folder, from, tell)
    progress.clear()
    if (start === undefined) throw new Error(`the tests of ${name} cannot be loaded`)
    for (const [index, { outcome }] of outcomes.entries()) {
      counts[outcome]++
      if (outcome !== 'survived' && outcome !== 'untested') continue
      const { fileName, location, replacement } = mutants[from + index]!
      const line = readFileSync(fileName.replace(folder, project), 'utf8').split('\n')[location.start.line]!.trim()
      const file = fileName.slice(folder.length + 1)
      console.log(`${outcome} ${file}:${location.start.line + 1}:${location.start.column + 1} ${line} → ${replacement}`)
    }
    from += outcomes.length
    if (from === mutants.length || outcomes.at(-1)?.isLast) continue
    // The first change without an outcome has ended the process, or has kept it busy.
    counts.stuck++
    from++
  }
  rmSync(folder, { recursive: true })
  const found = counts.found + counts.stuck
  const all = found + counts.survived + counts.untested
  const rest = `${counts.untested} are reached by no test, ${counts.static} run while modules load`
  console.log(`${name}: of ${all} changes, tests found ${found}: ${((100 * found) / all).toFixed(1)} %; ${rest}`)
}
