/** The package as it is published: packed, installed, imported by others. `npm test` builds it first. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedActionsParser } from 'chevrotain'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { errorsPage } from '../../src/service/problem.ts'
import { compilers, complaintsAboutProject } from './code.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
const subpaths = [
  '',
  '/filter',
  '/parse',
  '/tree',
  '/memory',
  '/sql',
  '/sql/dialect',
  '/mongo',
  '/prisma',
  '/http',
  '/live',
  '/testing',
  '/drizzle',
  '/explain',
  '/json-schema',
  '/inspect',
  '/openapi',
  '/grids',
  '/notations',
  '/policies',
  '/testing/arbitraries',
].map((name) => `urlwhere${name}`)

let project: string
let tarball: string
let packed: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'urlwhere-'))
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
  })
  tarball = join(project, (JSON.parse(stdout) as [{ filename: string }])[0].filename)
  packed = join(project, 'node_modules/urlwhere')
  await mkdir(packed, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', packed, '--strip-components=1'])
  // The peers that a project may have.
  for (const name of ['fast-check', 'drizzle-orm'])
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name))
})
afterAll(() => rm(project, { recursive: true, force: true }))

/** Writes a file of the consuming project. */
async function write(name: string, text: string): Promise<string> {
  const file = join(project, name)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
  return file
}
/** Compiles files of the consuming project, and returns the errors. */
async function compile(texts: Readonly<Record<string, string>>, options: object, compiler: string): Promise<string> {
  await write('package.json', '{ "name": "consumer" }')
  for (const [name, text] of Object.entries(texts)) await write(name, text)
  // The compiler's own declarations need no check: the package's do.
  const strict = { strict: true, target: 'es2022', lib: ['es2023', 'dom'], types: [], skipDefaultLibCheck: true }
  await write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...strict, ...options }, files: Object.keys(texts) }),
  )
  return complaintsAboutProject(project, compiler)
}
const node = async (file: string, ...options: string[]) =>
  (await run(process.execPath, [...options, file], { cwd: project })).stdout.trim()

/** A use of every entry point, given what loads one. */
const use = (load: (subpath: string) => string) => `
const { parseFilter, defineSchema, field, FilterError, printFilter } = ${load('urlwhere')}
const tree = ${load('urlwhere/tree')}
const { where, and, FilterError: OfFilter } = ${load('urlwhere/filter')}
const { memoryBackend } = ${load('urlwhere/memory')}
const { sqlBackend, postgres, table } = ${load('urlwhere/sql')}
const { mongoBackend } = ${load('urlwhere/mongo')}
const { prismaBackend } = ${load('urlwhere/prisma')}
const { createListService } = ${load('urlwhere/http')}
const { runBackend } = ${load('urlwhere/testing')}
const schema = defineSchema({ seller: field.string(), items: field.list(field.object({ price: field.number() })) })
const result = parseFilter(schema, 'seller=s-1&items.price[range]=1,5')
const rows = [{ seller: 's-1', items: [{ price: 3 }] }, { seller: 's-1', items: [{ price: 0 }, { price: 9 }] }]
const results = await runBackend({
  backend: memoryBackend(),
  load: ({ rows }) => rows,
  select: (rows, matches) => rows.filter(matches).map(({ id }) => id),
})
let caught
try { printFilter(schema, { kind: 'or', filters: [] }) } catch (error) { caught = error }
console.log(JSON.stringify([
  rows.map(memoryBackend().compile(result.filter)),
  results.every(({ outcome }) => outcome === 'passed'),
  FilterError === OfFilter, caught instanceof OfFilter, typeof tree.fold, typeof tree.operators,
  typeof createListService, typeof and, typeof where, typeof prismaBackend,
  sqlBackend({ dialect: postgres, table: table('t') }).compile(parseFilter(schema, 'seller=x').filter).parameters,
  mongoBackend().compile(parseFilter(schema, 'seller=x').filter),
]))`
const expected =
  '[[true,false],true,true,true,"function","object","function","function","function","function",["x"],{"seller":"x"}]'

describe('imported', () => {
  test('by an ESM project', async () => {
    const file = await write(
      'esm.mjs',
      use((subpath) => `await import('${subpath}')`),
    )
    expect(await node(file)).toBe(expected)
  })

  test.each([[[]], [['--no-experimental-require-module']]])('by a CommonJS project, node %j', async (options) => {
    const file = await write('cjs.cjs', `(async () => {${use((subpath) => `require('${subpath}')`)}})()`)
    expect(await node(file, ...options)).toBe(expected)
  })

  test('in both formats at once: one FilterError', async () => {
    const file = await write(
      'both.mjs',
      `import { createRequire } from 'node:module'
      import { FilterError } from 'urlwhere'
      const required = createRequire(import.meta.url)('urlwhere')
      const { parseFilterOrThrow, defineSchema } = required
      let caught
      try { parseFilterOrThrow(defineSchema({}), 'a=1') } catch (error) { caught = error }
      console.log(required.FilterError === FilterError, caught instanceof FilterError, parseFilterOrThrow !== (await import('urlwhere')).parseFilterOrThrow)`,
    )
    expect(await node(file)).toBe('true true true')
  })

  test('with the names of classes and functions, which stack traces print', async () => {
    const file = await write(
      'names.mjs',
      `import { createRequire } from 'node:module'
      import { inspect } from 'node:util'
      const require = createRequire(import.meta.url)
      const others = []
      for (const subpath of ${JSON.stringify(subpaths)}) {
        for (const exported of [await import(subpath), require(subpath)]) {
          const functions = Object.entries(exported).filter(([, value]) => typeof value === 'function')
          others.push(...functions.filter(([name, value]) => value.name !== name).map(([name]) => subpath + ' ' + name))
        }
      }
      const printed = [await import('urlwhere'), require('urlwhere')].map(({ parseFilterOrThrow, defineSchema }) => {
        try { parseFilterOrThrow(defineSchema({}), 'a=1') } catch (error) { return [inspect(error), error.stack] }
      })
      const heads = printed.flat().map((text) => text.split('\\n').slice(0, 2).map((line) => line.trim().split(' (')[0]))
      console.log(JSON.stringify([others, ...new Set(heads.map(String))]))`,
    )
    expect(JSON.parse(await node(file))).toEqual([[], 'FilterError: unknown field "a",at parseFilterOrThrow'])
  })

  test.each([
    ['CommonJS', `const required = require('urlwhere'); const imported = await import('urlwhere')`],
    ['ESM', `const imported = await import('urlwhere'); const required = require('urlwhere')`],
  ])('in both formats, %s first: each throws the class that it exports', async (_, loading) => {
    const file = await write(
      'order.mjs',
      `import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      ${loading}
      const thrown = [required, imported].map(({ parseFilterOrThrow, defineSchema, FilterError }) => {
        try { parseFilterOrThrow(defineSchema({}), 'a=1') } catch (error) {
          return [error.constructor === FilterError, error instanceof required.FilterError, error instanceof imported.FilterError]
        }
      })
      console.log(String(thrown), required.FilterError.name)`,
    )
    expect(await node(file)).toBe('true,true,true,true,true,true FilterError')
  })

  test('by a Jest project', async () => {
    const jest = join(project, 'jest')
    await write('jest/package.json', '{ "name": "consumer" }')
    await write(
      'jest/sum.test.js',
      `test('urlwhere in Jest', async () => {
        const logged = []
        const console = { log: (text) => logged.push(text) }
        ${use((subpath) => `require('${subpath}')`)}
        expect(logged).toEqual([${JSON.stringify(expected)}])
        expect(() => parseFilter(schema, new URL('http://h/?seller=x'))).not.toThrow()
        expect(memoryBackend().compile(and())(new Date())).toBe(true)
        expect(caught).toBeInstanceOf(FilterError)
      })`,
    )
    await mkdir(join(jest, 'node_modules'), { recursive: true })
    await symlink(packed, join(jest, 'node_modules/urlwhere'))
    const { stderr } = await run(process.execPath, [bin('jest'), '--rootDir', jest, '--no-cache'], { cwd: jest })
    expect(stderr).toContain('1 passed')
  })

  const resolutions = [
    ['nodenext', ['consumer.mts', 'consumer.cts']],
    ['bundler', ['consumer.ts']],
  ] as const
  test.each(
    compilers.flatMap(({ name, file }) =>
      resolutions.map(([resolution, names]) => ({ name, file, resolution, names })),
    ),
  )('by $name, module resolution $resolution, $names', async ({ file, resolution: moduleResolution, names }) => {
    const text = `import { parseFilter, defineSchema, field, where, FilterError, type Filter, type InferRow } from 'urlwhere'
      import { printFilter } from 'urlwhere/filter'
      import { memoryBackend, type Predicate } from 'urlwhere/memory'
      import { createListService } from 'urlwhere/http'
      import { runBackend, type Case } from 'urlwhere/testing'
      import { fold, type Algebra } from 'urlwhere/tree'
      const schema = defineSchema({ seller: field.string() })
      const filter: Filter = where(schema).equals('seller', 's-1')
      const row: InferRow<typeof schema> = { seller: 's-1' }
      const matches: Predicate = memoryBackend().compile(filter)
      const issues = (error: FilterError) => error.issues.map(({ code }) => code)
      class Refused extends FilterError {}
      const size = (algebra: Algebra<number>): number => fold(filter, algebra)
      const all: [boolean, string, unknown, unknown, unknown] = [matches(row), printFilter(schema, filter), parseFilter, createListService, runBackend]
      export type { Case }
      export { all, issues, Refused, size }
      // @ts-expect-error the types are there
      where(schema).equals('sellr', 's-1')`
    const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution
    const texts = Object.fromEntries(names.map((name) => [name, text]))
    expect(await compile(texts, { noEmit: true, module, moduleResolution }, file)).toBe('')
  })

  /** The declarations of files of a project that exports what it makes. */
  async function declarationsOf(
    compiler: string,
    texts: Readonly<Record<string, string>>,
    options = {},
  ): Promise<string[]> {
    const emitting = { declaration: true, emitDeclarationOnly: true, outDir: 'declared', module: 'nodenext' }
    expect(await compile(texts, { ...emitting, ...options }, compiler)).toBe('')
    const declared = Object.keys(texts).map((name) => join(project, 'declared', name.replace(/(?=\.\w+$)/, '.d')))
    return Promise.all(declared.map((file) => readFile(file, 'utf8')))
  }

  test.each(compilers)(
    'by $name, in a .mts and a .cts of a project that publishes its declarations',
    async ({ file }) => {
      const text = `import {
        buildQuery, defineCollection, defineSchema, field, parseFilter, parseQuery, pickFields, toPage, where,
        type Fields, type Schema,
      } from 'urlwhere'
      import { describe, subsumes, trace } from 'urlwhere/explain'
      import { createListService } from 'urlwhere/http'
      import { memoryBackend } from 'urlwhere/memory'
      import { mongoBackend } from 'urlwhere/mongo'
      import { childTable, jsonColumn, parentTable, postgres, sqlBackend, table } from 'urlwhere/sql'
      import { runBackend } from 'urlwhere/testing'
      export const orders = defineSchema({
        id: field.integer(),
        status: field.enumeration(['paid', 'held']),
        tags: field.list(field.string()),
        customer: field.object({ name: field.string() }),
        items: field.list(field.object({ price: field.number(), codes: field.list(field.string()) })),
      })
      export const { paths } = orders
      export const o = where(orders)
      export const { equals, exists, range, some } = o
      export const methods = { oneOf: o.in, startsWith: o.startsWith }
      export const equalsOf = <F extends Fields>(schema: Schema<F>) => where(schema).equals
      export const item = (build: Parameters<typeof o.some<'items'>>[1]) => o.some('items', build)
      export const tag = (build: Parameters<typeof o.some<'tags'>>[1]) => o.some('tags', build)
      export const collection = defineCollection(orders, { key: 'id', sort: true })
      export const { defaultSort, operators, parameters } = collection
      export const read = (text: string) => ({ filter: parseFilter(orders, text), query: parseQuery(collection, text) })
      export const query = buildQuery(collection, {})
      export const { filter, position, sort } = query
      export const page = (rows: readonly { id: number }[]) => toPage(query, rows)
      export const fields = pickFields([['id']])
      export const memory = memoryBackend()
      export const { capabilities } = memory
      export const mongo = mongoBackend({ schema: orders })
      export const childItems = childTable('items', { foreignKey: 'order_id', columns: { product: 'p' } })
      export const places = { customer: parentTable('c', { key: 'id', foreignKey: 'f' }), tags: jsonColumn('t') }
      export const orderTable = table('orders', {
        schema: orders,
        key: 'id',
        columns: { tags: jsonColumn('tags'), items: childTable('items', { foreignKey: 'order_id' }) },
      })
      export const sql = sqlBackend({ dialect: postgres, table: orderTable })
      export const { compile, compileQuery } = sql
      export const functions = { createListService, describe, runBackend, subsumes, trace }`
      const alone = `import { postgres, sqlBackend, table } from 'urlwhere/sql'
      export const sql = sqlBackend({ dialect: postgres, table: table('orders') })`
      // A file alone in its project has no import of another to name a type by.
      for (const texts of [
        { 'declared.mts': text, 'declared.cts': text },
        { 'alone.mts': alone, 'alone.cts': alone },
      ])
        for (const declared of await declarationsOf(file, texts)) expect(declared).not.toContain('/dist/')
    },
  )

  test.each(compilers)('by $name, in such a project with Drizzle', async ({ file }) => {
    const text = `import { relations } from 'drizzle-orm'
      import { integer, pgTable, text } from 'drizzle-orm/pg-core'
      import { where } from 'urlwhere'
      import { fromDrizzle, toDrizzle } from 'urlwhere/drizzle'
      import { postgres, sqlBackend } from 'urlwhere/sql'
      const orders = pgTable('orders', { id: integer().primaryKey(), status: text({ enum: ['paid', 'held'] }) })
      const items = pgTable('items', { orderId: integer(), price: integer() })
      export const tables = {
        orders,
        items,
        ordersRelations: relations(orders, ({ many }) => ({ items: many(items) })),
        itemsRelations: relations(items, ({ one }) => ({
          order: one(orders, { fields: [items.orderId], references: [orders.id] }),
        })),
      }
      export const table = fromDrizzle(tables, 'orders', { with: { items: { columns: { price: true } } } })
      export const o = where(table.schema)
      export const paid = toDrizzle(sqlBackend({ dialect: postgres, table }).compile(o.equals('status', 'paid')))
      // @ts-expect-error the types are there
      o.equals('status', 'new')`
    // Drizzle's declarations have faults of their own.
    const [declared] = await declarationsOf(file, { 'drizzle.mts': text }, { skipLibCheck: true })
    expect(declared).not.toContain('/dist/')
  })
})

describe('the tarball', () => {
  test('has what a program needs, and the pages that problems lead to', async () => {
    const files = await readdir(packed, { recursive: true })
    const outside = files.filter((name) => !/^(?:dist|docs)/.test(name)).sort()
    expect(outside).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
    const pages = files.filter((name) => name.startsWith('docs/') && name.includes('.'))
    expect(pages.filter((name) => !/^docs\/concepts\/\w+\.md$/.test(name))).toEqual([])
    expect(pages).toContain(errorsPage.replace(/^.*\/urlwhere\//, ''))
    const odd = files.filter((name) => name.startsWith('dist/') && !/\.(?:js|d\.ts|d\.cts)$/.test(name)).sort()
    // A source map would be as large as the code. Frames are readable without one.
    expect(odd).toEqual([
      'dist/LICENSE.chevrotain.txt',
      'dist/cjs',
      'dist/cjs/package.json',
      'dist/playground',
      // The page of `urlwhere serve`. Its script imports the library beside it.
      ...['icon.svg', 'index.html', 'playground.css'].map((name) => `dist/playground/${name}`),
    ])
    expect(await readFile(join(packed, 'dist/LICENSE.chevrotain.txt'), 'utf8')).toContain('Apache License')
  })

  test('has less than 640 kB', async () => expect((await stat(tarball)).size).toBeLessThan(640_000))

  // A file whose first format begins more than 32 kB before the second one is compressed twice: tar adds a header of 512 bytes.
  test('compresses each file once, but for the core and the parser', async () => {
    const names = (await readdir(join(packed, 'dist/cjs'))).filter((name) => name.endsWith('.js'))
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(packed, 'dist', name))).size))
    expect(names.filter((_, at) => sizes[at]! > 32_768 - 512)).toEqual(['chunk-core.js', 'chunk-parser.js'])
  })

  test('is installed in an empty project without a warning', async () => {
    const empty = join(project, 'empty')
    await write('empty/package.json', '{ "name": "empty", "private": true }')
    const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
    const options = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier']
    const { stdout, stderr } = await run('npm', ['install', ...options, tarball], { cwd: empty, env })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\s*added 1 package\b/)
  })

  test('needs nothing at run time: Chevrotain is inside', async () => {
    const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).toMatchObject({
      peerDependencies: { 'drizzle-orm': '>=0.36 <1 || >=1.0.0-rc.5 <2', 'fast-check': '>=4' },
      peerDependenciesMeta: { 'drizzle-orm': { optional: true }, 'fast-check': { optional: true } },
    })
    expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=22' }, license: 'MIT' })
    const peers = [
      [/^arbitraries\.(?!d\.cts)/, ['fast-check']],
      [/^drizzle\.js$/, ['drizzle-orm', 'drizzle-orm/casing']],
      [/^drizzle\.d\.ts/, ['drizzle-orm']],
      [
        /^cli\.js$/,
        [
          'node:events',
          'node:fs',
          'node:fs/promises',
          'node:http',
          'node:module',
          'node:path',
          'node:stream',
          'node:timers/promises',
          'node:url',
          'node:util',
        ],
      ],
    ] as const
    const files = await Promise.all(
      ['dist', 'dist/cjs'].map((folder) => readdir(join(packed, folder), { withFileTypes: true })),
    )
    for (const { name, parentPath } of files.flat().filter((one) => one.isFile())) {
      // A quote before the word makes it a text, such as 'from'.
      const text = await readFile(join(parentPath, name), 'utf8')
      const outside = [...text.matchAll(/(?<!["'])(?:from|import|require)\s*\(?\s*["']([^"'./\s][^"'\s]*)["']/g)].map(
        ([, target]) => target,
      )
      expect([...new Set(outside)].sort(), name).toEqual(peers.find(([file]) => file.test(name))?.[1] ?? [])
    }
  })

  // To load a file takes a third of a millisecond.
  test.each([
    ['filter', ['core']],
    ['memory', ['core']],
    ['mongo', ['core']],
    ['sql', ['core', 'sql']],
    ['index', ['chevrotain', 'core', 'parser']],
    ['parse', ['chevrotain', 'core', 'parser']],
  ])('%s loads %o beside itself', async (entry, chunks) => {
    for (const folder of ['dist', 'dist/cjs']) {
      const loaded = new Set<string>()
      const load = async (name: string): Promise<void> => {
        const text = await readFile(join(packed, folder, `${name}.js`), 'utf8')
        for (const [, next] of text.matchAll(/(?:from|import|require)\s*\(?\s*["']\.\/([^"']+)\.js["']/g)) {
          if (!loaded.has(next!)) await load((loaded.add(next!), next!))
        }
      }
      await load(entry)
      // The modules of an entry are in several files.
      const groups = new Set(Array.from(loaded, (name) => name.replace(/-\d$/, '')))
      expect([...groups].sort()).toEqual(chunks.map((chunk) => `chunk-${chunk}`))
    }
  })

  test('a bundle of the parsers without hints has at most 63 % of our own code', async () => {
    const names = 'parseFilter, parseFilterOrThrow, parseObject, parseQuery, parseQueryOrThrow'
    const size = async (entry: string) => {
      const { outputFiles } = await build({
        stdin: { contents: `export { ${names} } from './${entry}.js'`, resolveDir: join(packed, 'dist') },
        ...{ bundle: true, minify: true, format: 'esm', write: false, external: ['./chunk-chevrotain.js'] },
      })
      return outputFiles[0]!.contents.length
    }
    expect((await size('parse')) / (await size('index'))).toBeLessThan(0.63)
  })

  test('publint finds no fault', async () => {
    const { publint } = await import('publint')
    const { messages } = await publint({ pkgDir: packed, strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test('the types are right for ESM and CommonJS', async () => {
    const { stdout } = await run(process.execPath, [
      bin('attw'),
      tarball,
      '--profile',
      'node16',
      '--format',
      'json',
    ]).catch((error: { stdout: string }) => error)
    const { analysis } = JSON.parse(stdout) as { analysis: { problems: { kind: string; resolutionKind?: string }[] } }
    // "node10" knows no subpaths; the profile leaves it out.
    expect(analysis.problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([])
  })

  test('exports what it says: changes go into test/package/exports.txt and the changelog', async () => {
    const file = await write(
      'exports.mjs',
      `import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      const lines = []
      for (const subpath of ${JSON.stringify(subpaths)}) {
        const esm = Object.keys(await import(subpath)).sort()
        const cjs = Object.keys(require(subpath)).filter((name) => name !== '__esModule').sort()
        if (String(esm) !== String(cjs)) throw new Error(subpath + ': ' + esm + ' is not ' + cjs)
        lines.push(subpath, ...esm.map((name) => '  ' + name))
      }
      console.log(lines.join('\\n'))`,
    )
    const values = await node(file)
    const types: string[] = []
    for (const subpath of subpaths) {
      const name = subpath === 'urlwhere' ? 'index' : subpath.split('/').at(-1)
      const text = await readFile(join(packed, `dist/${name}.d.ts`), 'utf8')
      const exported = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) => names!.split(','))
      const typed = exported.map((name) => /(?:type )?(?:\w+ as )?(?:type )?(\w+)$/.exec(name.trim())![1]!)
      const fresh = typed.filter(
        (name) =>
          !values
            .split(/\nurlwhere\S*/)
            [subpaths.indexOf(subpath)]!.split(/\s+/)
            .includes(name),
      )
      types.push(subpath, ...fresh.sort().map((name) => `  ${name}`))
    }
    await expect(`values\n\n${values}\n\ntypes\n\n${types.join('\n')}\n`).toMatchFileSnapshot('exports.txt')
  })
})

test('the parser is built on first use, and once', async () => {
  const built = vi.spyOn(
    EmbeddedActionsParser.prototype as unknown as { performSelfAnalysis(): void },
    'performSelfAnalysis',
  )
  const { defineSchema, parseFilter } = await import('../../src/index.ts')
  const schema = defineSchema({})
  expect(built).toHaveBeenCalledTimes(0)
  parseFilter(schema, 'a=1')
  parseFilter(schema, 'b=1')
  expect(built).toHaveBeenCalledTimes(1)
})
