import { globSync } from 'node:fs'

interface Area {
  readonly mutate: readonly string[]
  /** Tests of its own: a change runs those, quick ones first, until one fails. */
  readonly tests: readonly string[]
  /** The engine that tests ask which can ask several; memory unless given. */
  readonly engine?: string
}

/** Parts of src. A file is in the first one that names it. */
export const areas: Readonly<Record<string, Area>> = {
  queries: {
    mutate: [
      'src/query/write/build-query.ts',
      'src/query/page/cursor.ts',
      'src/query/write/encode.ts',
      'src/query/page/order.ts',
      'src/query/page/page.ts',
      'src/query/page/query.ts',
      'src/query/read/parameters.ts',
      'src/query/read/parse-query.ts',
      'src/query/write/print-query.ts',
      'src/query/write/query-string.ts',
      'src/query/page/pick-fields.ts',
      'src/language/collection.ts',
      'src/backends/memory/sort-values.ts',
      'src/backends/memory/page.ts',
    ],
    tests: [
      'query/page/query',
      'query/page/order',
      'query/page/cursor',
      'query/page/page',
      'query/read/parse-query',
      'query/write/print-query',
      'query/write/build-query',
      'query/write/query-string',
      'query/read/groups',
      'query/page/pick-fields',
      'language/collection',
      'backends/backend',
      'backends/memory/page',
      'conformance/cases',
    ],
  },
  syntax: {
    mutate: ['src/syntax/*.ts', 'src/text/pairs.ts'],
    tests: [
      'issue/issue',
      'issue/picture',
      'issue/secrets',
      'query/read/bind',
      'query/read/groups',
      'query/write/print',
      'conformance/corpus',
      'fuzz/fuzz',
      'query/read/read-pairs',
      'syntax/limits',
      'syntax/tokens',
      'syntax/parse',
      'syntax/source',
      'syntax/grammar',
      'text/pairs',
    ],
  },
  core: {
    mutate: [
      'src/query/*.ts',
      'src/query/*/*.ts',
      'src/language/*.ts',
      'src/issue/*.ts',
      'src/suggest.ts',
      'src/cache.ts',
      'src/options.ts',
      'src/own.ts',
      'src/read-only.ts',
      'src/text/*.ts',
      'src/backends/backend.ts',
      'src/backends/issues.ts',
    ],
    tests: [
      'query/read/parse-filter',
      'query/write/where',
      'query/combine',
      'query/read/read-pairs',
      'query/read/keys',
      'cache',
      'language/schema',
      'language/operators',
      'issue/issue',
      'issue/picture',
      'issue/secrets',
      'query/read/bind',
      'own',
      'read-only',
      'suggest',
      'backends/backend',
      'backends/issues',
      'backends/mongo/compile',
      'query/read/groups',
      'query/write/print',
      'conformance/corpus',
      'text',
    ],
  },
  memory: {
    mutate: ['src/ast/*.ts', 'src/backends/memory/*.ts'],
    tests: [
      'query/read/parse-filter',
      'ast/ast',
      'ast/check',
      'ast/build',
      'ast/fold',
      'ast/span',
      'query/page/query',
      'backends/memory/page',
      'backends/memory/evaluate',
      'backends/memory/codegen',
      'language/schema',
      'language/operators',
      'query/write/where',
      'backends/backend',
      'text',
      'conformance/cases',
      'conformance/thirdparty/prisma',
    ],
  },
  sql: {
    engine: 'sqlite',
    mutate: ['src/backends/sql/**/*.ts', 'src/backends/shape.ts'],
    tests: [
      'ast/ast',
      'ast/check',
      'ast/build',
      'ast/fold',
      'backends/sql/compile',
      'backends/sql/plan',
      'backends/sql/expression',
      'backends/sql/resolve',
      'conformance/cases',
      'engines/sql/docs',
      'engines/sql/attacks',
      'engines/sql/parents',
      'backends/sql/page',
      'engines/sql/types',
      'engines/sql/size',
      'engines/pages',
    ],
  },
  mongo: {
    engine: 'mingo',
    mutate: ['src/backends/mongo/*.ts'],
    tests: [
      'ast/ast',
      'ast/check',
      'ast/build',
      'ast/fold',
      'backends/mongo/compile',
      'backends/mongo/plan',
      'engines/mongo/docs',
      'conformance/cases',
      'engines/mongo/departures',
      'engines/mongo/attacks',
      'engines/mongo/schema',
      'engines/pages',
    ],
  },
  prisma: {
    mutate: ['src/backends/prisma/*.ts'],
    tests: ['backends/prisma/compile', 'backends/prisma/datamodel', 'backends/prisma/page'],
  },
  schemas: {
    mutate: ['src/json-schema/*.ts'],
    tests: ['json-schema/from-json-schema', 'json-schema/foreign'],
  },
  openapi: {
    mutate: ['src/openapi/*.ts'],
    tests: ['openapi/parameters', 'openapi/operation'],
  },
  drizzle: {
    mutate: ['src/drizzle/*.ts'],
    tests: ['drizzle/from-drizzle', 'drizzle/engines'],
  },
  explain: {
    mutate: ['src/explain/*.ts'],
    tests: ['explain/describe', 'explain/trace', 'explain/subsumes'],
  },
  service: {
    engine: 'sqlite',
    mutate: [
      'src/http/*.ts',
      'src/check-backend.ts',
      'src/testing/run.ts',
      'src/testing/arbitraries.ts',
      'src/testing/laws.ts',
    ],
    tests: [
      'check-backend',
      'http/concurrency',
      'http/content',
      'http/credentials',
      'http/links',
      'http/service',
      'conformance/cases',
      'testing/arbitraries',
      'testing/laws',
      'testing/run',
      'conformance/thirdparty/prisma',
      'conformance/property',
    ],
  },
}

/** The files of an area. */
export function filesOf(area: string, root: string): readonly string[] {
  const names = Object.keys(areas)
  const [files = [], ...others] = names
    .slice(0, names.indexOf(area) + 1)
    .map((name) => globSync([...areas[name]!.mutate], { cwd: root }))
    .toReversed()
  return files.filter((file) => !others.flat().includes(file))
}
