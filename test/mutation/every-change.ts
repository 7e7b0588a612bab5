/** The tests of an area, run once to learn what each of them reaches, and then again for every change that they reach. */
import { appendFileSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test, TestRunner, vi, type RunnerTask, type RunnerTestCase } from 'vitest'
import type { Cache } from '../../src/cache.ts'
import { testsOf } from './areas.ts'

/** What becomes of a change, after `start`. `static`: it was made before the first test ran, and nothing reaches it later. */
export interface Outcome {
  readonly outcome: 'start' | 'found' | 'survived' | 'untested' | 'static'
  /** Whether tests went on to fail without the change, so that the others need a new process. */
  readonly isLast?: boolean
}

/** How often a process, and each of its tests, came past the changes. */
type Coverage = Readonly<Record<string, number>>
/** What the code of Stryker's instrumenter reads and writes. */
const stryker = ((globalThis as { __stryker__?: object }).__stryker__ ??= {}) as {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number | undefined
  mutantCoverage?: { readonly static: Coverage; readonly perTest: Readonly<Record<string, Coverage>> }
}
const { AREA = '', FROM = '0', FOLDER = '' } = process.env
const ids = JSON.parse(readFileSync(join(FOLDER, 'ids.json'), 'utf8')) as readonly string[]
const outcomes = join(FOLDER, 'outcomes.jsonl')
const tell = (outcome: Outcome) => appendFileSync(outcomes, `${JSON.stringify(outcome)}\n`)
/** The clock itself: tests replace `Date`. */
const RealDate = Date
const touch = () => utimesSync(outcomes, new RealDate(), new RealDate())

/** Caches that can be emptied: one that another change filled would answer for a change. */
const { emptying, renewable } = vi.hoisted(() => {
  interface AnyCache<Key extends unknown[]> {
    readonly get: (...key: Key) => unknown
    readonly set: (...entry: never[]) => void
  }
  const emptying: (() => void)[] = []
  /** A cache that is made anew when it is emptied. */
  const renewable = <Key extends unknown[], C extends AnyCache<Key>>(make: () => C) => {
    let cache = make()
    let isEmpty = true
    emptying.push(() => {
      if (!isEmpty) cache = make()
      isEmpty = true
    })
    return {
      get: (...key: Parameters<C['get']>) => cache.get(...(key as unknown as Key)),
      set: (...entry: Parameters<C['set']>) => {
        isEmpty = false
        cache.set(...(entry as never[]))
      },
    }
  }
  return { emptying, renewable }
})
vi.mock('../../src/cache.ts', async (importOriginal) => {
  const makers = await importOriginal<Record<string, (limit?: number) => Cache<unknown, unknown>>>()
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [name, (limit?: number) => renewable(() => make(limit))]),
  )
})
vi.mock('../../src/backends/shape.ts', async (importOriginal) => {
  type Make = (limit: number) => Cache<unknown, unknown>
  const shape = await importOriginal<{ readonly shapeCache: Make; readonly queryShapeCache: Make }>()
  return {
    ...shape,
    shapeCache: (limit: number) => renewable(() => shape.shapeCache(limit)),
    queryShapeCache: (limit: number) => renewable(() => shape.queryShapeCache(limit)),
  }
})

beforeEach(({ task }) => {
  touch()
  // What a cache has from an earlier test would hide what a test reaches.
  emptyCaches()
  stryker.currentTestId = task.id
})
afterEach(() => void (stryker.currentTestId = undefined))

const own = join(import.meta.dirname, '../..')
for (const name of testsOf(AREA, own)) await import(/* @vite-ignore */ `../${name}`)

let lasting: number | undefined
function emptyCaches(): void {
  // A cache that is made once tests run goes with its test. Those before it are made by modules, and by what describes tests.
  lasting ??= emptying.length
  emptying.length = lasting
  for (const empty of emptying) empty()
}

/** Whether a test passes, with the change that is switched on, if any. `hits` bounds how often it may come past it. */
async function passes(task: RunnerTestCase, hits?: number): Promise<boolean> {
  touch()
  emptyCaches()
  // A test that failed may have left a spy.
  vi.restoreAllMocks()
  stryker.hitCount = 0
  stryker.hitLimit = hits
  try {
    await TestRunner.getTestFn(task)()
    return true
  } catch {
    return false
  }
}

const casesOf = (tasks: readonly RunnerTask[]): RunnerTestCase[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? casesOf(task.tasks) : [task]))

test(
  'every change',
  async ({ task }) => {
    stryker.currentTestId = undefined
    // A test that fails the second time in a process cannot find a change.
    const tests: { readonly task: RunnerTestCase; readonly time: number }[] = []
    for (const other of casesOf(task.file.tasks)) {
      if (other === task || other.result?.state !== 'pass') continue
      const start = performance.now()
      if (await passes(other)) tests.push({ task: other, time: performance.now() - start })
    }
    tests.sort((a, b) => a.time - b.time)
    const { static: loaded, perTest } = stryker.mutantCoverage ?? { static: {}, perTest: {} }
    tell({ outcome: 'start' })
    let finders: readonly RunnerTestCase[] = []
    for (const id of ids.slice(Number(FROM))) {
      const reaching = tests.filter((test) => perTest[test.task.id]?.[id] !== undefined)
      if (reaching.length === 0) {
        tell({ outcome: loaded[id] === undefined ? 'untested' : 'static' })
        continue
      }
      let finder: RunnerTestCase | undefined
      stryker.activeMutant = id
      // What found the changes before often finds those next to them. toSorted leaves the others in their order.
      const first = (task: RunnerTestCase): number => finders.lastIndexOf(task)
      for (const { task, time } of reaching.toSorted((a, b) => first(b.task) - first(a.task))) {
        if (await passes(task, 100 * perTest[task.id]![id]! + 10_000)) continue
        finder = task
        if (time < 50) finders = [...finders.filter((other) => other !== task), task].slice(-20)
        break
      }
      stryker.activeMutant = undefined
      const isLast = finder !== undefined && !(await passes(finder))
      tell({ outcome: finder === undefined ? 'survived' : 'found', isLast })
      if (isLast) process.kill(process.pid, 'SIGKILL')
    }
  },
  24 * 60 * 60 * 1_000,
)
