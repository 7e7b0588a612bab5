/** The parts of src that are changed, and the tests that must notice. Both are globs. */
import { globSync } from 'node:fs'
import { join } from 'node:path'

interface Area {
  /** In `src`. A file is in the first area that names it. */
  readonly mutate: readonly string[]
  /** In `test`, without `.test.ts`: a change runs those that reach it, quick ones first, until one fails. */
  readonly tests: readonly string[]
  /** The engine of tests that run on several; memory unless given. */
  readonly engine?: string
}

const queries = ['{asked,binding,hints,query,reading,writing}/*', 'language/*', 'issue/*']
const trees = ['tree/*', 'language/*', 'conformance/cases']
export const areas: Readonly<Record<string, Area>> = {
  syntax: {
    mutate: ['reading/*', 'values/pairs'],
    tests: [
      'reading/*',
      'issue/*',
      'binding/{bind,groups,parse-filter,read-pairs,search}',
      'writing/print',
      'conformance/corpus',
      'fuzz/*',
    ],
  },
  query: {
    mutate: [
      '{asked,binding,expressing,hints,query,writing}/*',
      'parse',
      'language/{aliased,collection,entries,group-words}',
    ],
    tests: [...queries, 'agents/object', 'conformance/corpus', 'fuzz/*', 'http/row'],
  },
  core: {
    mutate: ['{language,issue,values}/*', '{cache,options,own,read-only,suggest,turns}', 'backends/{backend,issues}'],
    tests: [...queries, '*', 'backends/*', 'backends/mongo/compile', 'conformance/corpus'],
  },
  memory: {
    mutate: ['tree/*', 'generated', 'backends/memory/*'],
    tests: [...trees, 'backends/*', 'backends/memory/*'],
  },
  sql: {
    mutate: ['backends/sql/**/*', 'backends/*'],
    tests: [...trees, 'backends/sql/*', 'edge/{levels,limits}', 'engines/sql/{attacks,docs,levels,parents,size,types}'],
    engine: 'sqlite',
  },
  mongo: {
    mutate: ['backends/mongo/*'],
    tests: [...trees, 'backends/mongo/*', 'engines/mongo/{attacks,departures,docs,schema}'],
    engine: 'mingo',
  },
  prisma: { mutate: ['backends/prisma/*'], tests: ['backends/prisma/*'] },
  live: { mutate: ['live/*'], tests: ['live/*'] },
  schemas: { mutate: ['tools/json-schema/*', 'tools/foreign-fields'], tests: ['json-schema/*'] },
  inspect: { mutate: ['tools/inspect/*', 'tools/sql-types'], tests: ['tools/inspect/*', 'engines/inspect/*'] },
  cli: { mutate: ['cli/*'], tests: ['cli/*'] },
  openapi: { mutate: ['tools/openapi/*'], tests: ['openapi/{parameters,operation}'] },
  drizzle: { mutate: ['tools/drizzle/*'], tests: ['drizzle/*'] },
  explain: { mutate: ['tools/explain/*'], tests: ['explain/*'] },
  grids: { mutate: ['clients/grids/*'], tests: ['grids/grids'] },
  notations: { mutate: ['clients/notations/*'], tests: ['notations/*'] },
  policies: { mutate: ['policies/*'], tests: ['policies/*', 'engines/{mongo,sql}/policies'] },
  service: {
    mutate: ['service/*', 'tools/check-backend', 'kit/{arbitraries,facet-laws,laws,run}'],
    tests: ['tools/check-backend', 'http/*', 'testing/*', 'conformance/cases'],
    engine: 'sqlite',
  },
}

const named = (folder: string, globs: readonly string[], ending: string) =>
  globSync(
    globs.map((glob) => `${glob}${ending}`),
    { cwd: folder },
  )

/** The files of an area, from `root`. */
export function filesOf(area: string, root: string): readonly string[] {
  const names = Object.keys(areas)
  const [files = [], ...others] = names
    .slice(0, names.indexOf(area) + 1)
    .map((name) => named(join(root, 'src'), areas[name]!.mutate, '.ts'))
    .toReversed()
  return files.filter((file) => !others.flat().includes(file)).map((file) => join('src', file))
}

/** The tests of an area, from `test`. */
export const testsOf = (area: string, root: string): readonly string[] =>
  named(join(root, 'test'), areas[area]!.tests, '{,.laws}.test.ts').toSorted()
