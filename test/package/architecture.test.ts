/** Imports run one way, and each thing is in its place (docs/internals/architecture.md). */
import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')

interface Import {
  readonly from: string
  readonly target: string
  readonly typeOnly: boolean
}
/** What a file imports or re-exports: files of src by their path, packages by their name. */
function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(/^(?:import|export)\s+(type\s)?(?:[^;'"`]*?\sfrom\s+)?'([^']+)'/gm)
  const whenAsked = Array.from(
    textOf(file).matchAll(/\bimport\('([^']+)'\)/g),
    ([, target]) => ['', undefined, target] as const,
  )
  return [...statements, ...whenAsked].map(([, type, target]) => ({
    from: file,
    target: target!.startsWith('.') ? posix.join(posix.dirname(file), target!) : target!,
    typeOnly: type !== undefined,
  }))
}
const imports = files.flatMap(importsOf)

/** A folder of `src` with a door; a file beside the folders is a room of its own. */
const rooms = [
  'text',
  'ast',
  'issue',
  'language',
  'syntax',
  'query',
  'backends/memory',
  'backends/sql',
  'backends/mongo',
  'backends/prisma',
  'drizzle',
  'explain',
  'json-schema',
  'openapi',
  'grids',
  'notations',
  'http',
  'testing',
  'demo',
  'playground',
]
const roomOf = (file: string) => rooms.find((room) => file.startsWith(`${room}/`)) ?? file
const doorOf = (room: string) => (rooms.includes(room) ? `${room}/index.ts` : room)
/** Each file is a door. */
const isOpen = (room: string) => room === 'text'

/** What each room may import of others. `type x` allows its types alone. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'cache.ts': [],
  'read-only.ts': [],
  text: [],
  'turns.ts': [],
  'suggest.ts': ['turns.ts'],
  'own.ts': [],
  'options.ts': ['own.ts', 'suggest.ts'],
  issue: ['options.ts', 'own.ts', 'text'],
  ast: ['cache.ts', 'own.ts', 'text', 'type issue'],
  language: ['ast', 'cache.ts', 'type issue', 'options.ts', 'own.ts', 'read-only.ts', 'text'],
  syntax: ['issue', 'options.ts', 'text', 'chevrotain'],
  query: [
    'ast',
    'cache.ts',
    'issue',
    'language',
    'options.ts',
    'own.ts',
    'read-only.ts',
    'suggest.ts',
    'syntax',
    'syntax/limits.ts',
    'text',
    'turns.ts',
  ],
  'backends/backend.ts': ['ast', 'type issue', 'type query/page/query.ts', 'own.ts'],
  'backends/issues.ts': ['type ast', 'issue', 'language', 'type query/page/query.ts', 'own.ts'],
  'backends/fitting.ts': ['type ast', 'text'],
  'backends/shape.ts': ['ast', 'type backends/issues.ts', 'own.ts'],
  'backends/memory': [
    'ast',
    'type backends/backend.ts',
    'type backends/issues.ts',
    'backends/shape.ts',
    'cache.ts',
    'options.ts',
    'query/page/facet-values.ts',
    'query/page/order.ts',
    'query/page/query.ts',
    'query/page/schema-form.ts',
    'text',
  ],
  'backends/sql': [
    'ast',
    'type backends/backend.ts',
    'backends/fitting.ts',
    'backends/issues.ts',
    'backends/shape.ts',
    'type issue',
    'language',
    'options.ts',
    'own.ts',
    'query/page/facet-values.ts',
    'query/page/order.ts',
    'query/page/page.ts',
    'query/page/pick-fields.ts',
    'query/page/query.ts',
    'query/page/schema-form.ts',
    'query/page/sort-value.ts',
    'text',
  ],
  'backends/mongo': [
    'ast',
    'type backends/backend.ts',
    'backends/fitting.ts',
    'backends/issues.ts',
    'backends/shape.ts',
    'cache.ts',
    'type issue',
    'language',
    'options.ts',
    'own.ts',
    'query/page/facet-values.ts',
    'query/page/order.ts',
    'query/page/page.ts',
    'query/page/pick-fields.ts',
    'query/page/query.ts',
    'query/page/schema-form.ts',
    'type query/page/sort-value.ts',
    'suggest.ts',
    'text',
  ],
  'backends/prisma': [
    'ast',
    'type backends/backend.ts',
    'backends/fitting.ts',
    'backends/issues.ts',
    'backends/shape.ts',
    'type issue',
    'language',
    'options.ts',
    'own.ts',
    'query/page/order.ts',
    'query/page/page.ts',
    'query/page/pick-fields.ts',
    'query/page/query.ts',
    'query/page/schema-form.ts',
    'type query/page/sort-value.ts',
    'suggest.ts',
    'text',
  ],
  // Whoever builds filters by hand does not load the parser, which is behind the door of `query`; nor do backends.
  'filter.ts': [
    'ast',
    'issue',
    'language',
    'query/write/build-query.ts',
    'query/page/page.ts',
    'query/write/print-query.ts',
    'query/write/print.ts',
    'query/write/query-string.ts',
    'type query/page/answer-page.ts',
    'type query/page/facet-values.ts',
    'query/page/query.ts',
    'query/page/pick-fields.ts',
    'query/page/to-answer.ts',
    'query/write/where.ts',
  ],
  'check-backend.ts': [
    'type ast',
    'type backends/backend.ts',
    'issue',
    'language',
    'query',
    'query/write/query-string.ts',
  ],
  'index.ts': ['check-backend.ts', 'filter.ts', 'query', 'syntax'],
  'tree.ts': ['ast', 'backends/backend.ts', 'language', 'query/page/order.ts', 'query/page/query.ts'],
  'foreign-fields.ts': ['ast', 'type language'],
  drizzle: [
    'type ast',
    'backends/sql',
    'foreign-fields.ts',
    'language',
    'options.ts',
    'own.ts',
    'drizzle-orm',
    'drizzle-orm/casing',
  ],
  explain: [
    'ast',
    'backends/issues.ts',
    'backends/memory',
    'cache.ts',
    'issue',
    'query/page/sort-value.ts',
    'own.ts',
    'text',
  ],
  'json-schema': ['foreign-fields.ts', 'language', 'options.ts', 'own.ts'],
  openapi: [
    'ast',
    'issue',
    'language',
    'options.ts',
    'own.ts',
    'type query',
    'query/encode.ts',
    'query/page/order.ts',
    'syntax/limits.ts',
    'text',
  ],
  grids: [
    'ast',
    'issue',
    'language',
    'options.ts',
    'own.ts',
    'query/aliased.ts',
    'query/combine.ts',
    'query/page/order.ts',
    'query/page/query.ts',
    'query/search.ts',
    'suggest.ts',
    'syntax/limits.ts',
    'text',
  ],
  notations: [
    'ast',
    'cache.ts',
    'issue',
    'language',
    'options.ts',
    'own.ts',
    'query',
    'query/aliased.ts',
    'query/combine.ts',
    'query/encode.ts',
    'query/group-words.ts',
    'query/member-text.ts',
    'query/page/query.ts',
    'query/write/print-query.ts',
    'suggest.ts',
    'syntax',
    'text',
  ],
  http: [
    'ast',
    'type backends/backend.ts',
    'cache.ts',
    'check-backend.ts',
    'issue',
    'language',
    'options.ts',
    'own.ts',
    'query',
    'query/write/print-query.ts',
    'syntax',
  ],
  testing: [
    'ast',
    'type backends/backend.ts',
    'issue',
    'language',
    'options.ts',
    'own.ts',
    'query',
    'query/encode.ts',
    'query/facets.ts',
    'query/page/cursor.ts',
    'query/page/order.ts',
    'query/page/page.ts',
    'query/page/query.ts',
    'query/page/schema-form.ts',
    'query/page/sort-value.ts',
    'syntax/limits.ts',
    'text',
    'fast-check',
  ],
  // Whatever is not here is a package or a module of Node.
  demo: ['index.ts', 'type tree.ts', 'http', 'openapi', 'backends/memory', 'backends/sql', 'backends/mongo'],
  // A page for browsers: of the demo it has the rows, which need no module of Node.
  playground: [
    'index.ts',
    'tree.ts',
    'backends/memory',
    'backends/sql',
    'backends/mongo',
    'demo/data.ts',
    'explain',
    'notations',
  ],
}
/** Imports of another room. A file that a permission names is a room of its own. */
const crossing = imports.flatMap((one) => {
  const may = allowed[roomOf(one.from)] ?? []
  const isNamed = may.some((permission) => permission.replace('type ', '') === one.target)
  const room = isNamed ? one.target : roomOf(one.target)
  const isOutside = !one.target.endsWith('.ts') && roomOf(one.from) === 'demo'
  return room === roomOf(one.from) || isOutside ? [] : [{ ...one, room }]
})
const isDemo = (file: string) => file.startsWith('demo/')

describe('imports', () => {
  test('were found: the pattern reads what is there', () => {
    expect(imports.length).toBeGreaterThan(60)
    const lines = files.flatMap((file) => textOf(file).match(/^(import|export) .* from '|^} from '/gm) ?? [])
    expect(imports.length).toBeGreaterThanOrEqual(lines.length)
  })

  test('run one way', () => {
    const forbidden = crossing.filter(({ from, room, typeOnly }) => {
      const may = allowed[roomOf(from)] ?? []
      return !may.includes(room) && !(typeOnly && may.includes(`type ${room}`))
    })
    expect(forbidden).toEqual([])
  })

  test('go through doors', () => {
    const past = crossing.filter(({ target, room }) => room !== target && target !== doorOf(room) && !isOpen(room))
    expect(past.filter(({ target }) => target.endsWith('.ts'))).toEqual([])
  })

  test('are all used: a permission that nobody needs is taken away', () => {
    const unused = Object.entries(allowed).flatMap(([from, may]) =>
      may
        .filter((permission) => {
          const of = crossing.filter((one) => roomOf(one.from) === from && one.room === permission.replace('type ', ''))
          return of.length === 0 || (!permission.startsWith('type ') && of.every(({ typeOnly }) => typeOnly))
        })
        .map((permission) => `${from}: ${permission}`),
    )
    expect(unused).toEqual([])
  })

  test('reading and writing share files beside them, and nothing else', () => {
    const isFrom = ({ from, target }: Import, one: string, other: string) =>
      from.startsWith(`query/${one}/`) && target.startsWith(`query/${other}/`)
    expect(imports.filter((one) => isFrom(one, 'read', 'write') || isFrom(one, 'write', 'read'))).toEqual([])
  })

  test('every room has its line', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(allowed).sort())
  })

  test('make no circle, not of types either', () => {
    const inSrc = imports.filter(({ target }) => target.endsWith('.ts'))
    const circles: string[][] = []
    const done = new Set<string>()
    const follow = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) return void circles.push([...way.slice(way.indexOf(file)), file])
      if (done.has(file)) return
      for (const { target } of inSrc.filter(({ from }) => from === file)) follow(target, [...way, file])
      done.add(file)
    }
    for (const file of files) follow(file, [])
    expect(circles).toEqual([])
  })

  test('Chevrotain is in two files of the syntax, fast-check in one, Drizzle in its folder, node modules and packages in the demo alone', () => {
    const outside = imports.filter(({ target }) => !target.endsWith('.ts'))
    expect(outside.filter(({ from }) => !isDemo(from)).map(({ from, target }) => `${from} ${target}`)).toEqual([
      'drizzle/column-field.ts drizzle-orm',
      'drizzle/from-drizzle.ts drizzle-orm',
      'drizzle/from-drizzle.ts drizzle-orm/casing',
      'drizzle/infer.ts drizzle-orm',
      'drizzle/relations.ts drizzle-orm',
      'drizzle/to-drizzle.ts drizzle-orm',
      'syntax/grammar.ts chevrotain',
      'syntax/tokens.ts chevrotain',
      'testing/arbitraries.ts fast-check',
    ])
  })

  test('nothing imports the demo but its rows on the playground, nothing the playground, and only the demo imports http', () => {
    const ofDemo = imports.filter(({ from, target }) => target.startsWith('demo/') && !isDemo(from))
    expect(ofDemo.filter(({ from }) => !from.startsWith('playground/'))).toEqual([])
    const ofPage = imports.filter(
      ({ from, target }) => target.startsWith('playground/') && !from.startsWith('playground/'),
    )
    expect(ofPage).toEqual([])
    const users = imports.filter(({ from, target }) => target.startsWith('http/') && !from.startsWith('http/'))
    expect(users.every(({ from }) => isDemo(from))).toBe(true)
  })

  test('building filters by hand never loads the parser', () => {
    const reached = new Set<string>()
    const follow = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { target, typeOnly } of imports.filter(({ from }) => from === file)) if (!typeOnly) follow(target)
    }
    ;[
      'filter.ts',
      'tree.ts',
      ...['memory', 'sql', 'mongo', 'prisma'].map((room) => `backends/${room}/index.ts`),
    ].forEach(follow)
    follow('openapi/index.ts')
    follow('grids/index.ts')
    // The limits are numbers.
    expect([...reached].filter((file) => file.startsWith('syntax/') || file === 'chevrotain')).toEqual([
      'syntax/limits.ts',
    ])
  })
})

// Bundlers leave out what is not used only where making it has no effect that they can see.
test.each([
  'filter.ts',
  'tree.ts',
  'backends/sql/index.ts',
  'backends/sql/dialect/index.ts',
  'backends/mongo/index.ts',
  'grids/index.ts',
])('importing %s and using nothing of it adds nothing to a bundle', async (door) => {
  const { outputFiles } = await build({
    stdin: { contents: `import './${door}'`, resolveDir: src },
    ...{ bundle: true, format: 'esm', write: false },
    plugins: [
      {
        name: 'without the word of package.json',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ path, resolveDir }) => ({
            path: join(resolveDir, path),
            sideEffects: true,
          })),
      },
    ],
  })
  expect(outputFiles[0]!.text).toBe('')
})

describe('files', () => {
  test('have names that say something', () => {
    expect(files.filter((file) => /(?:^|\/)(?:utils?|helpers?|types|common|misc|module)\.ts$/.test(file))).toEqual([])
  })
  test('the doors only re-export', () => {
    for (const file of ['index.ts', 'filter.ts', 'tree.ts', ...files.filter((file) => file.endsWith('/index.ts'))]) {
      const rest = textOf(file)
        .replace(/\/\*\*[\s\S]*?\*\//g, '')
        .replace(/export (?:type )?(?:\*|\{[^}]*\}) from '[^']+'/g, '')
      expect(rest.trim(), file).toBe('')
    }
  })
  test('begin with a line on what they are for', () => {
    expect(files.filter((file) => !textOf(file).startsWith('/**'))).toEqual([])
  })
  test('print nothing, and make no code at run time, but for predicates where that is asked for', () => {
    const having = (pattern: RegExp) =>
      files.filter((file) => !isDemo(file) && pattern.test(textOf(file).replace(/\/\*\*[\s\S]*?\*\//g, '')))
    expect(having(/\bconsole\.|\beval\(|process\./)).toEqual([])
    expect(having(/\bFunction\(/)).toEqual(['backends/memory/codegen.ts'])
  })
})
