import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/mutation/every-change.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
