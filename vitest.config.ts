import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import Sequencer from './test/sequence.ts'

/** Tests of engines, processes and the package. Each file has a process of its own. */
const isolated = [
  'test/{client,conformance,demo,differential,engines,fuzz,mutation,nestjs,edge,nextjs,package,prisma,service,versions}/**/*.test.ts',
  'test/{drizzle/engines,openapi/client,openapi/generators,openapi/readers,openapi/schemathesis,playground/page}.test.ts',
]
const laws = 'test/**/*.laws.test.ts'
const all = configDefaults.exclude
export default defineConfig({
  test: {
    sequence: { sequencer: Sequencer },
    // Some tests mostly wait, for servers and processes: no core is left out.
    maxWorkers: '100%',
    // Only what hangs takes so long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Node keeps the code that it compiles for the processes that tests start; `npm ci` removes it.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/urlwhere/code') },
    projects: [
      { extends: true, test: { name: 'engines', include: isolated, setupFiles: 'test/seed.ts' } },
      // What is random, exhaustive, measured, or asked of a framework or driver.
      {
        extends: true,
        test: {
          name: 'laws',
          include: [laws],
          exclude: [...all, ...isolated],
          isolate: false,
          setupFiles: 'test/seed.ts',
        },
      },
      // Expectations by hand. Each takes less than a tenth of a second.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...all, ...isolated, laws],
          isolate: false,
          setupFiles: 'test/unit.ts',
        },
      },
    ],
  },
})
