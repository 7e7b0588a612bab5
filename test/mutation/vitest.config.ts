import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/mutation/every-change.ts'],
    // Only what hangs takes so long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
