import { rm } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { entry } from './rollup.config.ts'

/** Empties `dist`, and writes the types. `rollup.config.ts` builds the code. */
export default defineConfig(async () => {
  // tsup empties it only if it builds code.
  await rm('dist', { recursive: true, force: true })
  return { entry: { ...entry }, format: ['esm'], dts: { only: true }, silent: true }
})
