/** Builds the playground: the page of the demo and of the site, and the page of `urlwhere serve`. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { defineConfig, type Plugin } from 'rollup'
import { minify } from 'terser'
import { staticExample } from './docs/playground/static.ts'
import { lessOfChevrotain, entry } from './rollup.config.ts'

const from = 'docs/playground'
const site = 'docs/playground/site'
const served = 'dist/playground'

/** Copies the style and the icon beside the page. */
async function addStyle(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await copyFile(`${from}/icon.svg`, `${to}/icon.svg`)
  const { code } = await transform(await readFile(`${from}/playground.css`, 'utf8'), { loader: 'css', minify: true })
  await writeFile(`${to}/playground.css`, code)
}

/** @param licence a comment at the top of the scripts. */
const scripts = (module: boolean, licence = ''): Plugin => ({
  name: 'scripts',
  async transform(code, id) {
    return id.endsWith('.ts') ? (await transform(code, { loader: 'ts', target: 'es2023' })).code : undefined
  },
  async renderChunk(code) {
    // 4.7 kB less over the wire than esbuild.
    const { code: short } = await minify(code, { compress: { passes: 2 }, module, toplevel: true })
    // Browsers compile a function in parentheses at once, and read any other twice.
    return licence + short!.replace(/(define\(\[[^\]]*\],)(function[^]*)\);$/, '$1($2));')
  },
})

/**
 * Defines the modules of the script, which is none itself, so that the page opens from a disk too. The script of a dynamic import is beside
 * it, and imports only from it.
 */
const loader = `globalThis.define = (() => {
  const { src } = document.currentScript
  let main, loaded
  const require = ([name], done, fail) => {
    if (loaded) return done(loaded)
    const script = document.createElement('script')
    script.src = new URL(name + '.js', src)
    script.onload = () => done(loaded)
    script.onerror = fail
    document.head.append(script)
  }
  return (names, make) => {
    const made = {}
    if (main) loaded = made
    else main = made
    make(...names.map((name) => (name === 'exports' ? made : name === 'require' ? require : main)))
  }
})()
`

// The rest of Rollup's log is about Chevrotain.
const shared = {
  onLog: () => {},
  treeshake: { moduleSideEffects: (id: string) => /\/(?:demo|main|serve)\.ts$/.test(id) },
}

/** The playground: one page of static files, for any host and any path. Relative names only, and no modules. */
const ofDemo = defineConfig({
  ...shared,
  input: { playground: `${from}/demo.ts` },
  output: {
    dir: site,
    format: 'amd',
    generatedCode: 'es2015',
    chunkFileNames: '[name].js',
  },
  plugins: [
    lessOfChevrotain,
    {
      name: 'page',
      renderChunk: (code, { isEntry }) => (isEntry ? loader + code : undefined),
      async writeBundle() {
        await addStyle(site)
        const page = await readFile(`${from}/index.html`, 'utf8')
        await writeFile(`${site}/index.html`, page.replace('<!-- example -->', staticExample))
        await copyFile('node_modules/chevrotain/LICENSE.txt', `${site}/LICENSE.chevrotain.txt`)
      },
    },
    // Both are part of the script, so their licences are named in it.
    scripts(false, '/*! urlwhere, MIT. Contains Chevrotain, changed, Apache-2.0: LICENSE.chevrotain.txt */\n'),
  ],
})

/** The files of the entries in `dist`, by their sources. */
const entries = new Map(
  Object.entries(entry).map(([name, file]) => [fileURLToPath(new URL(file, import.meta.url)), `./lib/${name}.js`]),
)
const packagedLibrary: Plugin = {
  name: 'packaged library',
  resolveId(specifier, importer) {
    const id = importer && entries.get(fileURLToPath(new URL(specifier, `file://${importer}`)))
    return id === undefined || id === '' ? undefined : { id, external: true }
  },
}

/** Texts of the page that are about the demo, and those of `urlwhere serve`. */
const textsOfServe: readonly (readonly [demo: RegExp, serve: string])[] = [
  [/<script src="playground\.js" defer>/, '<script src="playground.js" type="module">'],
  [/<nav [^]*<\/nav>/, '<nav aria-label="API"><a href="openapi.json">OpenAPI</a></nav>'],
  [/<!-- example -->/, ''],
  [/<section class="panel" id="own"[^]*?<\/section>/, ''],
  [/(?<=<footer>\s*<p>)[^<]*/, 'The server reads the rows, counts and facets. The page does everything else.'],
]

/** The page of `urlwhere serve`. It imports the library of the package, which the server has at `/lib/`. */
const ofServe = defineConfig({
  ...shared,
  input: { playground: `${from}/serve.ts` },
  output: { dir: served, format: 'es', generatedCode: 'es2015', inlineDynamicImports: true },
  plugins: [
    packagedLibrary,
    {
      name: 'page',
      async writeBundle() {
        await addStyle(served)
        const page = textsOfServe.reduce(
          (text, [demo, serve]) => {
            if (!demo.test(text)) throw new Error(`index.html has no ${demo.source}`)
            return text.replace(demo, serve)
          },
          await readFile(`${from}/index.html`, 'utf8'),
        )
        await writeFile(`${served}/index.html`, page)
      },
    },
    scripts(true),
  ],
})

export default [ofDemo, ofServe]
