/** The entries of the package, by the names of their files in `dist`. */
export const entry = {
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
} as const
