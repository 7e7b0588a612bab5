import { readdir, readFile, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'

const toCjs = (specifier: string) => specifier.replace(/\.js$/, '.cjs')

/**
 * CommonJS, file by file from the ESM build, so that both formats have the same chunks: entries share one
 * FilterError and one parser. (tsup's own splitting for CommonJS rewrites the code down to ES2018.)
 */
export default defineConfig({
  entry: ['dist/*.js'],
  format: ['cjs'],
  target: 'node22',
  platform: 'neutral',
  splitting: false,
  clean: false,
  esbuildPlugins: [
    {
      name: 'chunks stay files',
      setup(build) {
        build.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
          kind === 'entry-point' ? undefined : { path: toCjs(path), external: true },
        )
      },
    },
  ],
  async onSuccess() {
    const types = (await readdir('dist')).filter((name) => name.endsWith('.d.ts'))
    for (const name of types) {
      const text = await readFile(`dist/${name}`, 'utf8')
      await writeFile(
        `dist/${name.replace(/\.ts$/, '.cts')}`,
        text.replace(/'\.\/[^']+\.js'/g, (quoted) => `'${toCjs(quoted.slice(1, -1))}'`),
      )
    }
  },
})
