import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Some tests mostly wait, for servers and processes: no core is left out.
    maxWorkers: '100%',
    // Only what hangs takes so long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
