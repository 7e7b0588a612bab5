import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform, type Plugin } from 'esbuild'
import { defineConfig, type Options } from 'tsup'
import { entry, lessOfChevrotain } from './rollup.config.ts'

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

const shared: Options = {
  target: 'es2023',
  platform: 'browser',
  // 4.7 kB less over the wire than esbuild.
  minify: 'terser',
  terserOptions: { compress: { passes: 2 } },
  clean: true,
}

/** The playground: one page of static files, for any host and any path. Relative names only; one script, without modules, so that it opens from a disk too. */
const ofDemo: Options = {
  ...shared,
  entry: { playground: `${from}/demo.ts` },
  outDir: site,
  format: ['iife'],
  outExtension: () => ({ js: '.js' }),
  noExternal: ['chevrotain'],
  esbuildPlugins: [lessOfChevrotain],
  // Both are part of the script, so their licences are named in it.
  banner: { js: '/*! urlwhere, MIT. Contains Chevrotain, changed, Apache-2.0: LICENSE.chevrotain.txt */' },
  async onSuccess() {
    await addStyle(site)
    await copyFile(`${from}/index.html`, `${site}/index.html`)
    await copyFile('node_modules/chevrotain/LICENSE.txt', `${site}/LICENSE.chevrotain.txt`)
  },
}

/** The files of the entries in `dist`, by their sources. */
const entries = new Map(
  Object.entries(entry).map(([name, file]) => [fileURLToPath(new URL(file, import.meta.url)), `./lib/${name}.js`]),
)
const packagedLibrary: Plugin = {
  name: 'packaged library',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/src\// }, ({ path, resolveDir }) => {
      const target = entries.get(fileURLToPath(new URL(path, `file://${resolveDir}/`)))
      return target === undefined ? undefined : { path: target, external: true }
    }),
}

/** Texts of the page that are about the demo, and those of `urlwhere serve`. */
const textsOfServe: readonly (readonly [demo: RegExp, serve: string])[] = [
  [/<script src="playground\.js" defer>/, '<script src="playground.js" type="module">'],
  [/<nav [^]*<\/nav>/, '<nav aria-label="API"><a href="openapi.json">OpenAPI</a></nav>'],
  [/(?<=<footer>\s*<p>)[^<]*/, 'The server reads the rows, counts and facets. The page does everything else.'],
]

/** The page of `urlwhere serve`. It imports the library of the package, which the server has at `/lib/`. */
const ofServe: Options = {
  ...shared,
  entry: { playground: `${from}/serve.ts` },
  outDir: served,
  format: ['esm'],
  esbuildPlugins: [packagedLibrary],
  async onSuccess() {
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
}

export default defineConfig([ofDemo, ofServe])
