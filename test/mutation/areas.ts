/** Parts of src, each with the tests that are its own: a mutant runs those, quick ones first, until one fails. */
export const areas: Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>
> = {
  syntax: {
    mutate: ['src/syntax/*.ts'],
    tests: ['issue/picture', 'query/bind', 'query/print', 'conformance/corpus', 'fuzz/fuzz', 'syntax/parse'],
  },
  core: {
    mutate: [
      'src/query/*.ts',
      'src/language/*.ts',
      'src/issue/*.ts',
      'src/suggest.ts',
      'src/options.ts',
      'src/text.ts',
      'src/backends/backend.ts',
    ],
    tests: [
      'query/parse-filter',
      'query/where',
      'language/schema',
      'ast/ast',
      'issue/picture',
      'query/bind',
      'backends/memory/evaluate',
      'suggest',
      'backends/backend',
      'query/print',
      'conformance/corpus',
      'fuzz/fuzz',
      'conformance/cases',
      'text',
    ],
  },
  memory: {
    mutate: ['src/ast/*.ts', 'src/backends/memory/*.ts'],
    tests: [
      'query/parse-filter',
      'ast/ast',
      'backends/memory/evaluate',
      'language/schema',
      'query/where',
      'backends/backend',
      'text',
      'conformance/cases',
      'conformance/thirdparty/prisma',
    ],
  },
  sql: {
    mutate: ['src/backends/sql/**/*.ts'],
    tests: ['ast/ast', 'backends/sql/compile', 'conformance/cases', 'backends/sql/docs', 'backends/sql/attacks'],
  },
  mongo: {
    mutate: ['src/backends/mongo/*.ts'],
    tests: [
      'ast/ast',
      'backends/mongo/compile',
      'backends/mongo/docs',
      'conformance/cases',
      'backends/mongo/departures',
      'backends/mongo/attacks',
    ],
  },
  service: {
    mutate: ['src/http/*.ts', 'src/testing/run.ts', 'src/testing/arbitraries.ts'],
    tests: [
      'http/credentials',
      'http/service',
      'conformance/cases',
      'testing/arbitraries',
      'conformance/thirdparty/prisma',
      'conformance/property',
    ],
  },
}
