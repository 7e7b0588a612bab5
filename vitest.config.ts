import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/** Tests of engines, processes and the package. Each file has a process of its own. */
const isolated = [
  'test/{client,conformance,demo,differential,engines,fuzz,mutation,nestjs,edge,nextjs,package,prisma,service,versions}/**/*.test.ts',
  'test/{drizzle/engines,openapi/client,openapi/readers,playground/page}.test.ts',
]
export default defineConfig({
  test: {
    setupFiles: 'test/seed.ts',
    // Some tests mostly wait, for servers and processes: no core is left out.
    maxWorkers: '100%',
    // Only what hangs takes so long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Node keeps the code that it compiles for the processes that tests start; `npm ci` removes it.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/urlwhere/code') },
    projects: [
      { extends: true, test: { name: 'engines', include: isolated } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...isolated],
          isolate: false,
        },
      },
    ],
  },
})
