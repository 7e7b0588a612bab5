/** Builds `dist`: ESM and CommonJS out of the same chunks, so that entries share one FilterError and one parser; and types. */
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform, type TransformOptions } from 'esbuild'
import { rollup, type GetModuleInfo, type Plugin } from 'rollup'
import { build } from 'tsup'
import { entry } from './entries.ts'

const js = async (code: string, options: TransformOptions) =>
  (await transform(code, { target: 'node22', ...options })).code

/** Types are taken out. Lines and names stay: Node prints the line that throws. */
const typescript: Plugin = {
  name: 'typescript',
  transform: (code, id) => (id.endsWith('.ts') ? js(code, { loader: 'ts' }) : undefined),
}

/** Chevrotain becomes part of the package: minified, in a file of its own, because that is read in less time. */
const chevrotain: Plugin = {
  name: 'chevrotain',
  resolveId: (specifier) =>
    /^@?chevrotain\b/.test(specifier) ? fileURLToPath(import.meta.resolve(specifier)) : undefined,
  renderChunk: (code, { name }) => (name === 'chevrotain' ? js(code, { minify: true }) : undefined),
}

/** A module, and all that it imports. */
function reached(id: string, infoOf: GetModuleInfo, ids = new Set<string>()): ReadonlySet<string> {
  if (!ids.has(id)) {
    ids.add(id)
    for (const imported of infoOf(id)!.importedIds) reached(imported, infoOf, ids)
  }
  return ids
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Few files, because each takes a third of a millisecond to load. Other shared code is in files as entries need it. */
function chunkOf(id: string, infoOf: GetModuleInfo): string | undefined {
  if (id.includes('/node_modules/')) return 'chevrotain'
  if (dirname(id) === pathOf('src/backends') || reached(pathOf(entry.filter), infoOf).has(id)) return 'core'
  if (reached(pathOf(entry.index), infoOf).has(id)) return 'parser'
  return /\/src\/backends\/(\w+)\//.exec(id)?.[1]
}

await rm('dist', { recursive: true, force: true })
const bundle = await rollup({
  input: entry,
  external: /^(?:drizzle-orm|fast-check)\b/,
  plugins: [chevrotain, typescript],
  treeshake: { moduleSideEffects: false },
  // Those of Chevrotain are its own.
  onLog: (level, log, report) => log.ids?.[0]?.includes('/node_modules/') || report(level, log),
})
for (const [format, extension] of [
  ['es', 'js'],
  ['cjs', 'cjs'],
] as const) {
  await bundle.write({
    dir: 'dist',
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunk-[name].${extension}`,
    manualChunks: (id, { getModuleInfo }) => chunkOf(id, getModuleInfo),
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  })
}
// Chevrotain is part of the bundle, so its licence (Apache-2.0, section 4) is part of the package.
await copyFile('node_modules/chevrotain/LICENSE.txt', 'dist/LICENSE.chevrotain.txt')

await build({ entry: { ...entry }, format: ['esm'], dts: { only: true }, config: false, silent: true })
for (const name of (await readdir('dist')).filter((name) => name.endsWith('.d.ts'))) {
  const text = await readFile(`dist/${name}`, 'utf8')
  await writeFile(`dist/${name.replace(/\.ts$/, '.cts')}`, text.replace(/'(\.\/[^']+)\.js'/g, "'$1.cjs'"))
}
