import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { isComplete } from './test/effort.ts'
import Sequencer from './test/sequence.ts'

/** Tests of engines. In a quick run they share processes, because to load the drivers takes a fifth of the time of a file. */
const engines = ['test/engines/**/*.test.ts']
/** Tests of all backends, processes and the package. Each file has a process of its own. */
const isolated = [
  'test/{cli,client,conformance,demo,differential,fuzz,mutation,nestjs,edge,guides,nextjs,package,prisma,service,site,versions}/**/*.test.ts',
  // They change the time zone of the process.
  'test/engines/sql/{drivers,select}.test.ts',
  'test/{drizzle/engines,openapi/client,openapi/generators,openapi/readers,openapi/schemathesis,playground/page}.test.ts',
]
const laws = ['test/**/*.laws.test.ts']
const all = configDefaults.exclude
/** Tests of the service, which answers requests of the Web and requests as data alike: see test/http/form.ts. */
const inBothForms = {
  unit: ['test/http/{service,facets,unreadable,words,zones}.test.ts'],
  laws: ['test/http/{caller,links,served,service}.laws.test.ts'],
  env: { FORM: 'data' },
}

const filesOf = (patterns: readonly string[]) => globSync(patterns, { exclude: ['**/node_modules'] })
/** Whether a test replaces what a module exports: then Vite imports the files, and not Node. */
const isReplacing = (file: string) =>
  /\bvi\.(?:mock|do(?:M|Unm)ock)\(|import \* as (\w+) from [^]*\bvi\.spyOn\(\1,/.test(readFileSync(file, 'utf8'))

/** Node keeps the code that it compiles for a file that has its own process, and for the processes that it starts; `npm ci` removes it. */
const codeCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/urlwhere/code') }

interface Project {
  readonly name: string
  readonly include: string[]
  readonly exclude: string[]
  readonly setup: string
  readonly isolate?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** Two projects, because Node imports files in less time than Vite. */
const projects = ({ name, include, exclude, setup, isolate = true, env: own = {} }: Project) => {
  const env = { ...(isolate && codeCache), ...own }
  const byVite = filesOf(include).filter(isReplacing)
  return [
    {
      extends: true as const,
      test: {
        name,
        isolate,
        env,
        include,
        exclude: [...exclude, ...byVite],
        setupFiles: [isolate ? 'test/code-cache.ts' : 'test/copies.ts', setup],
        experimental: { viteModuleRunner: false, nodeLoader: false },
      },
    },
    {
      extends: true as const,
      test: { name: `${name}-by-vite`, isolate, env, include: byVite, exclude, setupFiles: setup },
    },
  ]
}

export default defineConfig({
  test: {
    sequence: { sequencer: Sequencer },
    // Some tests mostly wait, for servers and processes: no core is left out.
    maxWorkers: '100%',
    // Only what hangs takes so long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      ...projects({
        name: 'engines',
        include: engines,
        exclude: [...all, ...isolated],
        isolate: isComplete,
        setup: 'test/seed.ts',
      }),
      ...projects({ name: 'isolated', include: isolated, exclude: all, setup: 'test/seed.ts' }),
      // What is random, exhaustive, measured, or asked of a framework or driver.
      ...projects({
        name: 'laws',
        include: laws,
        exclude: [...all, ...engines, ...isolated],
        isolate: false,
        setup: 'test/seed.ts',
      }),
      // Expectations by hand. Each takes less than a tenth of a second.
      ...projects({
        name: 'unit',
        include: ['test/**/*.test.ts'],
        exclude: [...all, ...engines, ...isolated, ...laws],
        isolate: false,
        setup: 'test/unit.ts',
      }),
      ...projects({
        ...{ name: 'laws-as-data', include: inBothForms.laws, exclude: all, isolate: false, setup: 'test/seed.ts' },
        env: inBothForms.env,
      }),
      ...projects({
        ...{ name: 'unit-as-data', include: inBothForms.unit, exclude: all, isolate: false, setup: 'test/unit.ts' },
        env: inBothForms.env,
      }),
    ],
  },
})
