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
      'src/query/build-query.ts',
      'src/query/cursor.ts',
      'src/query/encode.ts',
      'src/query/order.ts',
      'src/query/page.ts',
      'src/query/query.ts',
      'src/query/parameters.ts',
      'src/query/parse-query.ts',
      'src/query/print-query.ts',
      'src/query/query-string.ts',
      'src/query/select.ts',
      'src/language/collection.ts',
      'src/backends/memory/ends.ts',
      'src/backends/memory/ordered.ts',
      'src/backends/memory/page.ts',
      'src/backends/memory/window.ts',
    ],
    tests: [
      'query/query',
      'query/order',
      'query/cursor',
      'query/page',
      'query/parse-query',
      'query/print-query',
      'query/build-query',
      'query/query-string',
      'query/groups',
      'query/select',
      'language/collection',
      'backends/backend',
      'backends/memory/page',
      'backends/memory/ends',
      'backends/memory/window',
      'conformance/cases',
    ],
  },
  syntax: {
    mutate: ['src/syntax/*.ts'],
    tests: [
      'issue/issue',
      'issue/picture',
      'issue/secrets',
      'query/bind',
      'query/groups',
      'query/print',
      'conformance/corpus',
      'fuzz/fuzz',
      'syntax/limits',
      'syntax/tokens',
      'syntax/parse',
      'syntax/source',
      'syntax/grammar',
    ],
  },
  core: {
    mutate: [
      'src/query/*.ts',
      'src/language/*.ts',
      'src/issue/*.ts',
      'src/suggest.ts',
      'src/cache.ts',
      'src/options.ts',
      'src/own.ts',
      'src/read-only.ts',
      'src/text.ts',
      'src/backends/backend.ts',
      'src/backends/issues.ts',
    ],
    tests: [
      'query/parse-filter',
      'query/where',
      'query/combine',
      'query/known',
      'query/keys',
      'cache',
      'language/schema',
      'language/operators',
      'issue/issue',
      'issue/picture',
      'issue/secrets',
      'query/bind',
      'own',
      'read-only',
      'suggest',
      'backends/backend',
      'backends/issues',
      'backends/mongo/compile',
      'query/groups',
      'query/print',
      'conformance/corpus',
      'text',
    ],
  },
  memory: {
    mutate: ['src/ast/*.ts', 'src/backends/memory/*.ts'],
    tests: [
      'query/parse-filter',
      'ast/ast',
      'ast/check',
      'ast/build',
      'ast/fold',
      'ast/span',
      'query/query',
      'backends/memory/rows',
      'backends/memory/page',
      'backends/memory/window',
      'backends/memory/evaluate',
      'backends/memory/codegen',
      'backends/memory/values',
      'language/schema',
      'language/operators',
      'query/where',
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
