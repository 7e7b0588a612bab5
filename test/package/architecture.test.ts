/** Imports run one way, and each thing is in its place (docs/internals/architecture.md). */
import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { entry } from '../../rollup.config.ts'

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

/**
 * The rooms of `src`: each imports only rooms before it. A folder is a room with a door, its `index.ts`; a file beside the folders is
 * a room of its own.
 */
const rooms = [
  ...['own.ts', 'cache.ts', 'generated.ts', 'read-only.ts', 'values', 'turns.ts', 'suggest.ts', 'options.ts'],
  ...['issue', 'tree', 'language', 'asked', 'query', 'reading', 'binding', 'writing', 'expressing', 'hints'],
  ...['backends/issues.ts', 'backends/backend.ts', 'backends/fitting.ts', 'backends/shape.ts'],
  ...['backends/memory', 'backends/sql', 'backends/mongo', 'backends/prisma', 'live'],
  ...['filter.ts', 'parse.ts', 'tools/check-backend.ts', 'index.ts', 'tree.ts'],
  ...[
    'tools/foreign-fields.ts',
    'tools/sql-types.ts',
    'tools/drizzle',
    'tools/explain',
    'tools/json-schema',
    'tools/openapi',
    'tools/inspect',
  ],
  ...['policies', 'clients/grids', 'clients/notations', 'service', 'kit', 'cli'],
]
const roomOf = (file: string) => rooms.find((room) => file === room || file.startsWith(`${room}/`)) ?? file
const doorOf = (room: string) => (room.endsWith('.ts') ? room : `${room}/index.ts`)
/** Each file is a door. */
const isOpen = (room: string) => room === 'values'

/** Rooms of which the first ones never import the second ones, types of them neither. */
const apart: readonly (readonly [from: RegExp, target: RegExp, reason: string])[] = [
  [
    /^backends|^tree\.ts/,
    /^(?:reading|binding|writing|expressing|hints)/,
    'a backend knows trees and queries, however they were made',
  ],
  [
    /^backends\/(?:memory|sql|mongo|prisma)/,
    /^backends\/(?:memory|sql|mongo|prisma)/,
    'backends do not know one another',
  ],
  [/^(?:filter\.ts|writing|expressing|clients\/grids)/, /^reading/, 'who builds filters by hand loads no parser'],
  [
    /^live/,
    /^(?:reading|binding|writing|expressing|hints|backends\/(?:sql|mongo|prisma))/,
    'it asks filters of rows in memory',
  ],
  [/^clients/, /^(?:backends|tools|clients)/, 'a client is read for every backend'],
  [/^(?!index\.ts|service|tools|cli)/, /^tools/, 'tools are for users alone'],
  [/^(?!index\.ts|cli)/, /^(?:service|kit|filter\.ts|index\.ts|parse\.ts|tree\.ts)/, 'they are for users alone'],
]
/** Imports of another room. */
const crossing = imports.flatMap((one) => {
  const room = roomOf(one.target)
  return room === roomOf(one.from) ? [] : [{ ...one, room }]
})

describe('imports', () => {
  test('were found: the pattern reads what is there', () => {
    expect(imports.length).toBeGreaterThan(60)
    const lines = files.flatMap((file) => textOf(file).match(/^(import|export) .* from '|^} from '/gm) ?? [])
    expect(imports.length).toBeGreaterThanOrEqual(lines.length)
  })

  test('run one way', () => {
    const upward = crossing.filter(({ from, room }) => rooms.indexOf(room) > rooms.indexOf(roomOf(from)))
    expect(upward.map(({ from, room }) => `${from} ${room}`)).toEqual([])
  })

  test.each(apart)('of %s none is of %s: %s', (from, target) => {
    const met = crossing.filter((one) => from.test(one.from) && target.test(one.target))
    expect(met.map((one) => `${one.from} ${one.target}`)).toEqual([])
  })

  test('go through doors', () => {
    const past = crossing.filter(({ target, room }) => room !== target && target !== doorOf(room) && !isOpen(room))
    expect(past.filter(({ target }) => target.endsWith('.ts'))).toEqual([])
  })

  test('every room has its line', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(rooms.toSorted())
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

  test('Chevrotain is in two files of the reader, fast-check in one, Drizzle in its folder, and modules of Node in the command line alone', () => {
    const outside = imports.filter(({ target }) => !target.endsWith('.ts'))
    const ofNode = outside.filter(({ target }) => target.startsWith('node:'))
    expect(ofNode.filter(({ from }) => !from.startsWith('cli/'))).toEqual([])
    const others = outside.flatMap((one) => (ofNode.includes(one) ? [] : [`${one.from} ${one.target}`]))
    // Types come in an import of their own.
    expect([...new Set(others)]).toEqual([
      'kit/arbitraries.ts fast-check',
      'reading/grammar.ts chevrotain',
      'reading/tokens.ts chevrotain',
      'tools/drizzle/column-field.ts drizzle-orm',
      'tools/drizzle/from-drizzle.ts drizzle-orm',
      'tools/drizzle/from-drizzle.ts drizzle-orm/casing',
      'tools/drizzle/infer.ts drizzle-orm',
      'tools/drizzle/relations.ts drizzle-orm',
      'tools/drizzle/to-drizzle.ts drizzle-orm',
    ])
  })

  test.each(['demo', 'playground'])(
    'docs/%s imports the entries of the package, the rows of the demo, and the addresses of the site',
    (name) => {
      const folder = join(src, '../docs', name)
      const texts = readdirSync(folder).flatMap((file) =>
        file.endsWith('.ts') ? readFileSync(join(folder, file), 'utf8') : [],
      )
      const targets = texts.flatMap((text) =>
        Array.from(text.matchAll(/from '((?:\.\.\/)[^']+)'/g), ([, target]) => target!),
      )
      expect(targets.length).toBeGreaterThan(10)
      const doors = [
        ...Object.values(entry).map((door) => `../../${door}`),
        '../demo/data.ts',
        '../site/pages.ts',
        '../site/slug.ts',
      ]
      expect(targets.filter((target) => !doors.includes(target))).toEqual([])
    },
  )

  /** What some files load: all that they reach by imports. */
  function reachedFrom(from: readonly string[]): readonly string[] {
    const reached = new Set<string>()
    const follow = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { target, typeOnly } of imports.filter(({ from }) => from === file)) if (!typeOnly) follow(target)
    }
    from.forEach(follow)
    return [...reached]
  }

  test('building filters by hand never loads the parser', () => {
    const reached = reachedFrom([
      ...['filter.ts', 'tree.ts'],
      ...['memory', 'sql', 'mongo', 'prisma'].map((room) => `backends/${room}/index.ts`),
      ...['tools/openapi/index.ts', 'clients/grids/index.ts'],
    ])
    expect(reached.filter((file) => file.startsWith('reading/') || file === 'chevrotain')).toEqual([])
  })

  test('the command line loads no file of the library: it imports the package that the project has', () => {
    const reached = reachedFrom(files.filter((file) => file.startsWith('cli/')))
    expect(reached.filter((file) => !/^(?:cli\/|node:)/.test(file))).toEqual([])
  })

  test('no module of a request loads src/expressing', () => {
    const inPath = (file: string) => /^(?:service|clients|reading|binding|query|writing|backends)\//.test(file)
    const reached = reachedFrom(files.filter(inPath))
    expect(reached.filter((file) => file.startsWith('expressing/'))).toEqual([])
    expect(reachedFrom(['index.ts'])).toContain('expressing/express.ts')
  })
})

// Bundlers leave out what is not used only where making it has no effect that they can see.
test.each([
  'filter.ts',
  'tree.ts',
  'backends/sql/index.ts',
  'backends/sql/dialect/index.ts',
  'backends/mongo/index.ts',
  'clients/grids/index.ts',
  'policies/index.ts',
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

test('the bundle of a program that reads policies of others contains no SQL', async () => {
  const { metafile } = await build({
    stdin: { contents: "export { fromCasl, fromCerbos, fromMongoQuery } from './policies/index.ts'", resolveDir: src },
    ...{ bundle: true, format: 'esm', write: false, metafile: true, outfile: 'out.js' },
  })
  const { inputs } = metafile.outputs['out.js']!
  const contained = Object.keys(inputs).filter((file) => inputs[file]!.bytesInOutput > 0)
  expect(contained.filter((file) => /backends|policy-of/.test(file))).toEqual([])
  expect(contained.some((file) => file.endsWith('policies/casl.ts'))).toBe(true)
})

describe('files', () => {
  test('have names that say something', () => {
    // The tables of types say what they are.
    const rest = files.filter((file) => file !== 'language/types.ts')
    expect(rest.filter((file) => /(?:^|\/)(?:utils?|helpers?|types|common|misc|module)\.ts$/.test(file))).toEqual([])
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
  test('print in the command line alone, and make code at run time in one file', () => {
    const having = (pattern: RegExp) =>
      files.filter((file) => pattern.test(textOf(file).replace(/\/\*\*[\s\S]*?\*\//g, '')))
    expect(having(/\bconsole\.|\beval\(|process\./).filter((file) => !file.startsWith('cli/'))).toEqual([])
    expect(having(/\bFunction\(/)).toEqual(['generated.ts'])
  })
})
