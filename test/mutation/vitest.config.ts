import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/mutation/every-change.ts'],
    // Longer than each test takes on a busy machine: a mutant beyond this time hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
