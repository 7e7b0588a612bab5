import { copyFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'

/** ESM and types. `tsup.config.cjs.ts` makes CommonJS out of them. */
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    filter: 'src/filter.ts',
    memory: 'src/backends/memory/index.ts',
    sql: 'src/backends/sql/index.ts',
    dialect: 'src/backends/sql/dialect/index.ts',
    mongo: 'src/backends/mongo/index.ts',
    drizzle: 'src/drizzle/index.ts',
    explain: 'src/explain/index.ts',
    prisma: 'src/backends/prisma/index.ts',
    'json-schema': 'src/json-schema/index.ts',
    openapi: 'src/openapi/index.ts',
    http: 'src/http/index.ts',
    testing: 'src/testing/index.ts',
    arbitraries: 'src/testing/arbitraries.ts',
  },
  format: ['esm'],
  target: 'node22',
  platform: 'neutral',
  splitting: true,
  noExternal: ['chevrotain'],
  dts: true,
  clean: true,
  // Lines and names stay: Node prints the line that throws.
  // Chevrotain is part of the bundle, so its licence (Apache-2.0, section 4) is part of the package.
  onSuccess: () => copyFile('node_modules/chevrotain/LICENSE.txt', 'dist/LICENSE.chevrotain.txt'),
})
