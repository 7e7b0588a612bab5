/**
 * Builds `dist`: ESM and CommonJS out of the same chunks, so that entries share one FilterError and one parser. A file has one name in both
 * formats, because npm packs the files of one name side by side: gzip writes the second as a reference to the first, if it is short.
 */
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { transform, type TransformOptions } from 'esbuild'
import { defineConfig, type GetModuleInfo, type Plugin } from 'rollup'
import { chevrotainOf } from './chevrotain.config.ts'

/** The entries of the package, by the names of their files in `dist`. */
export const entry = {
  index: 'src/index.ts',
  filter: 'src/filter.ts',
  parse: 'src/parse.ts',
  tree: 'src/tree.ts',
  memory: 'src/backends/memory/index.ts',
  sql: 'src/backends/sql/index.ts',
  dialect: 'src/backends/sql/dialect/index.ts',
  mongo: 'src/backends/mongo/index.ts',
  drizzle: 'src/tools/drizzle/index.ts',
  explain: 'src/tools/explain/index.ts',
  prisma: 'src/backends/prisma/index.ts',
  'json-schema': 'src/tools/json-schema/index.ts',
  inspect: 'src/tools/inspect/index.ts',
  openapi: 'src/tools/openapi/index.ts',
  grids: 'src/clients/grids/index.ts',
  notations: 'src/clients/notations/index.ts',
  http: 'src/service/index.ts',
  testing: 'src/kit/index.ts',
  arbitraries: 'src/kit/arbitraries.ts',
} as const

const js = async (code: string, options: TransformOptions) =>
  (await transform(code, { target: 'node22', ...options })).code

/** Entries of which a program uses few functions. */
const ofManyFunctions = ['grids', 'notations']

/** Types are taken out. Short lines stay: Node prints the line that throws. */
const typescript: Plugin = {
  name: 'typescript',
  transform: (code, id) => (id.endsWith('.ts') ? js(code, { loader: 'ts' }) : undefined),
  async renderChunk(code, { name, isEntry }) {
    if (name === 'chevrotain') return undefined
    // Without spaces, esbuild writes no `@__PURE__`, by which bundlers leave out what a program does not use of shared modules.
    const owner = isEntry ? name : /^(\w+)-\d$/.exec(name)?.[1]
    const isSpaced = owner === undefined || ofManyFunctions.includes(owner)
    return withNames(code, (body) =>
      isSpaced ? js(body, { minifyIdentifiers: true }).then(withoutSpaces) : js(body, { minify: true, lineLimit: 400 }),
    )
  },
}

/** Imports at the beginning, what a chunk declares, and the exports at its end. */
const partsOfChunk = /^((?:(?:import|export) [^;]* from [^;]*;\n?)*)([^]*?)((?:export \{[^}]*\};\n?)?)$/

/**
 * Makes names short that are inside of functions. Those at the top level stay, because a stack trace prints them. esbuild keeps them in a
 * script, and not in a module.
 */
async function withNames(code: string, minify: (script: string) => Promise<string>): Promise<string> {
  const [, imports, script, exported] = partsOfChunk.exec(code)!
  return imports! + (await minify(script!)) + exported!
}

/** Characters before and after which JavaScript needs no space. */
const marks = /[,:;?=|&(){}[\]<>!]/

/**
 * Leaves out the spaces in lines, and comments but the annotations for bundlers.
 *
 * @throws Error where the code would be another.
 */
async function withoutSpaces(code: string): Promise<string> {
  const tokens: { readonly start: number; readonly end: number }[] = []
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken: (token) => tokens.push(token) })
  let dense = ''
  let end = 0
  for (const token of tokens) {
    const between = code.slice(end, token.start)
    const isApart = between !== '' && !marks.test(code[end - 1] ?? ';') && !marks.test(code[token.start]!)
    const space = between.includes('\n') ? '\n' : isApart ? ' ' : ''
    dense += space + (between.match(/\/\* @__\w+__ \*\//g) ?? []).join('') + code.slice(token.start, token.end)
    end = token.end
  }
  const [before, after] = await Promise.all([code, dense].map((one) => js(one, { minifyWhitespace: true })))
  if (before !== after) throw new Error('without spaces, the code is another')
  return dense
}

/** Chevrotain becomes part of the package: minified, in a file of its own, because that is read in less time. */
const chevrotain: Plugin = {
  name: 'chevrotain',
  resolveId: (specifier) =>
    /^@?chevrotain\b/.test(specifier) ? fileURLToPath(import.meta.resolve(specifier)) : undefined,
  load: (id) => (/\/@?chevrotain\//.test(id) ? chevrotainOf(id) : undefined),
  renderChunk: (code, { name }) =>
    name === 'chevrotain'
      ? js(code, { minify: true, banner: '/*! Chevrotain, changed: LICENSE.chevrotain.txt */' })
      : undefined,
  // Its licence (Apache-2.0, section 4) is part of the package, and its code says that it was changed.
  writeBundle: () => copyFile('node_modules/chevrotain/LICENSE.txt', 'dist/LICENSE.chevrotain.txt'),
}

/** A file in CommonJS: only its imports and exports are others. Files import in one direction, and export no variable that changes. */
function commonJs(code: string): string {
  const nameOf = (node: object) => (node as { name: string }).name
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  const parts = body.map((node) => {
    if (node.type === 'ImportDeclaration') {
      const [first] = node.specifiers
      const names = node.specifiers.map((one) => ('imported' in one ? `${nameOf(one.imported)}:${one.local.name}` : ''))
      const pattern = first?.type === 'ImportNamespaceSpecifier' ? first.local.name : `{${names.join()}}`
      return `const ${pattern}=require(${node.source.raw});`
    }
    if (node.type !== 'ExportNamedDeclaration') return code.slice(node.start, node.end)
    const from = node.source ? `require(${node.source.raw}).` : ''
    return node.specifiers.map((one) => `exports.${nameOf(one.exported)}=${from}${nameOf(one.local)};`).join('\n')
  })
  return ["'use strict';", code.slice(0, body[0]!.start), ...parts, ''].join('\n')
}

/** Writes each file in CommonJS too, with a manifest that tells Node so. */
const bothFormats: Plugin = {
  name: 'both formats',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        this.emitFile({ type: 'asset', fileName: `cjs/${file.fileName}`, source: commonJs(file.code) })
    this.emitFile({
      type: 'asset',
      fileName: 'cjs/package.json',
      source: '{ "type": "commonjs", "sideEffects": false }',
    })
  },
}

/**
 * The types for CommonJS name those that tsup has written for ESM: both formats have one type, and the package one copy of it. The
 * compiler names the types of authors, such as QueryBackend, only where it has read the door that exports them.
 */
const types: Plugin = {
  name: 'types',
  async writeBundle(_, bundle) {
    const names = (await readdir('dist')).filter((name) => name.endsWith('.d.ts'))
    const texts = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(`dist/${name}`, 'utf8')] as const)),
    )
    const declaration = /^(?:declare class|interface|type) (\w+)/gm
    const declared = new Set(
      [...texts.values()].flatMap((text) => Array.from(text.matchAll(declaration), ([, one]) => one)),
    )
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry) continue
      const { name, exports } = chunk
      const ofEsm = `import('./${name}.js', { with: { 'resolution-mode': 'import' } })`
      const lines = exports.flatMap((one) => [
        `export declare const ${one}: typeof ${ofEsm}.${one}`,
        ...(declared.has(one) ? [`export type ${one} = ${ofEsm}.${one}`] : []),
      ])
      const all = `export type * from './${name}.js' with { 'resolution-mode': 'import' }`
      await writeFile(`dist/${name}.d.cts`, [`import './tree.cjs'`, all, ...lines, ''].join('\n'))
      if (name !== 'tree') await writeFile(`dist/${name}.d.ts`, `import './tree.js'\n${texts.get(`${name}.d.ts`)}`)
    }
  },
}

/** A module, and all that it imports. */
function reached(id: string, infoOf: GetModuleInfo, ids = new Set<string>()): ReadonlySet<string> {
  if (!ids.has(id) && !id.includes('/node_modules/')) {
    for (const imported of infoOf(id)!.importedIds) reached(imported, infoOf, ids)
    ids.add(id)
  }
  return ids
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The folders that backends and grids import of. */
const shared = ['src/backends', 'src/query', 'src/values', 'src/language'].map(pathOf)
/** The files beside these folders that they import, too. */
const besideFolders = ['src/suggest.ts', 'src/turns.ts'].map(pathOf)

/** Few files, because a program loads each of them when it starts. Other shared code is in files as entries need it. */
function chunkOf(id: string, infoOf: GetModuleInfo): string | undefined {
  if (id.includes('/node_modules/')) return 'chevrotain'
  const isShared = shared.includes(dirname(id)) || besideFolders.includes(id)
  if (isShared || reached(pathOf(entry.filter), infoOf).has(id)) return 'core'
  if (reached(pathOf(entry.index), infoOf).has(id)) return 'parser'
  const pieces = () => inPieces.flatMap((name) => piecesOf(name, infoOf).get(id) ?? [])[0]
  return /\/src\/backends\/(\w+)\//.exec(id)?.[1] ?? pieces()
}

/** Large entries that no service loads when it starts. */
const inPieces = ['grids', 'inspect', 'notations', 'openapi', 'testing'] as const

/** Modules that such an entry alone imports, by pieces so short that gzip finds each again in the other format. A piece imports earlier ones. */
function piecesOf(name: keyof typeof entry, infoOf: GetModuleInfo): ReadonlyMap<string, string> {
  const own = pathOf(entry[name])
  const others = Object.values(entry)
    .map(pathOf)
    .filter((file) => file !== own)
  const elsewhere = new Set(others.flatMap((file) => [...reached(file, infoOf)]))
  const pieces = new Map<string, string>()
  let piece = 0
  let length = 0
  for (const id of reached(own, infoOf)) {
    if (elsewhere.has(id) || id === own) continue
    const more = infoOf(id)!.code!.length
    if (length + more > 30_000) [piece, length] = [piece + 1, 0]
    length += more
    pieces.set(id, `${name}-${piece}`)
  }
  return pieces
}

/** The command line is one file, of which no entry is a part. It imports the entries of the package that the project has. */
const commandLine = defineConfig({
  input: { cli: 'src/cli/main.ts' },
  external: /^node:/,
  plugins: [
    {
      name: 'typescript',
      transform: (code) => js(code, { loader: 'ts' }),
      renderChunk: (code) => js(code, { minify: true, lineLimit: 400 }),
    },
  ],
  output: { dir: 'dist', format: 'es', banner: '#!/usr/bin/env node' },
})

const library = defineConfig({
  input: entry,
  external: /^(?:drizzle-orm|fast-check)\b/,
  plugins: [chevrotain, typescript, bothFormats, types],
  treeshake: { moduleSideEffects: false },
  // Those of Chevrotain are its own.
  onLog: (level, log, report) => log.ids?.[0]?.includes('/node_modules/') || report(level, log),
  output: {
    dir: 'dist',
    format: 'es',
    chunkFileNames: 'chunk-[name].js',
    manualChunks: (id, { getModuleInfo }) => chunkOf(id, getModuleInfo),
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  },
})

export default [library, commandLine]
