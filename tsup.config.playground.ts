import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { transform } from 'esbuild'
import { defineConfig } from 'tsup'
import { unused } from './rollup.config.ts'

const from = 'docs/playground'
const to = 'docs/playground/site'

/** The playground: one page of static files, for any host and any path. Relative names only; one script, without modules, so that it opens from a disk too. */
export default defineConfig({
  entry: { playground: `${from}/demo.ts` },
  outDir: to,
  format: ['iife'],
  outExtension: () => ({ js: '.js' }),
  target: 'es2023',
  platform: 'browser',
  noExternal: ['chevrotain'],
  minify: true,
  esbuildPlugins: [
    {
      name: 'unused files',
      setup: ({ onLoad }) =>
        onLoad({ filter: /\/chevrotain\/lib\/src\// }, ({ path }) => {
          const contents = Object.entries(unused).find(([file]) => path.endsWith(`/chevrotain/lib/src/${file}`))?.[1]
          return contents === undefined ? undefined : { contents }
        }),
    },
  ],
  clean: true,
  // Both are part of the script, so their licences are named in it.
  banner: { js: '/*! urlwhere, MIT. Contains Chevrotain, Apache-2.0: LICENSE.chevrotain.txt */' },
  async onSuccess() {
    for (const name of ['index.html', 'icon.svg']) await copyFile(`${from}/${name}`, `${to}/${name}`)
    const style = await readFile(`${from}/playground.css`, 'utf8')
    const { code } = await transform(style, { loader: 'css', minify: true })
    await writeFile(`${to}/playground.css`, code)
    await copyFile('node_modules/chevrotain/LICENSE.txt', `${to}/LICENSE.chevrotain.txt`)
  },
})
