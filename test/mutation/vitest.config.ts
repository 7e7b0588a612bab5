import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/mutation/every-change.ts'],
    // Those that run in process, of every family.
    env: { ENGINES: 'sqlite; mingo' },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
