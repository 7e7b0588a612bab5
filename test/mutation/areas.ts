/** Parts of src, each with the tests that are its own: a mutant runs those, quick ones first, until one fails. */
export const areas: Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>
> = {
  syntax: {
    mutate: ['src/syntax/*.ts'],
    tests: ['issue', 'issues', 'print', 'corpus', 'fuzz/fuzz', 'syntax'],
  },
  core: {
    mutate: [
      'src/bind.ts',
      'src/combine.ts',
      'src/operators.ts',
      'src/operands.ts',
      'src/schema.ts',
      'src/limits.ts',
      'src/issue.ts',
      'src/suggest.ts',
      'src/parse-filter.ts',
      'src/backend.ts',
      'src/text.ts',
      'src/where.ts',
      'src/print.ts',
    ],
    tests: [
      'trees',
      'where',
      'schema',
      'ast',
      'issue',
      'issues',
      'memory',
      'suggest',
      'backend',
      'print',
      'corpus',
      'fuzz/fuzz',
      'cases',
      'text',
    ],
  },
  memory: {
    mutate: ['src/ast.ts', 'src/backends/memory.ts', 'src/backends/values.ts'],
    tests: ['trees', 'ast', 'memory', 'schema', 'where', 'backend', 'text', 'cases', 'thirdparty/prisma'],
  },
  sql: { mutate: ['src/backends/sql/*.ts'], tests: ['ast', 'sql/emit', 'cases', 'sql/docs', 'sql/attacks'] },
  mongo: {
    mutate: ['src/backends/mongo/*.ts'],
    tests: ['ast', 'mongo/emit', 'mongo/docs', 'cases', 'mongo/departures', 'mongo/attacks'],
  },
  service: {
    mutate: ['src/http/*.ts', 'src/testing.ts', 'src/testing/arbitraries.ts'],
    tests: ['http/credentials', 'http/service', 'cases', 'arbitraries', 'thirdparty/prisma', 'property'],
  },
}
