import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { transform } from 'esbuild'
import { defineConfig } from 'tsup'

const from = 'docs/playground'
const to = 'docs/playground/site'

/** The playground: one page of static files, for any host and any path. Relative names only; one script, without modules, so that it opens from a disk too. */
export default defineConfig({
  entry: { playground: `${from}/main.ts` },
  outDir: to,
  format: ['iife'],
  outExtension: () => ({ js: '.js' }),
  target: 'es2023',
  platform: 'browser',
  noExternal: ['chevrotain'],
  minify: true,
  esbuildPlugins: [
    {
      // The library cuts texts itself. Of the lexer of Chevrotain, it needs only the pattern of tokens that no lexer finds.
      name: 'no lexer',
      setup(build) {
        build.onLoad({ filter: /chevrotain.lib.src.scan.lexer_public\.js$/ }, () => ({
          contents: 'export class Lexer { static NA = /NOT_APPLICABLE/ }\nexport const LexerDefinitionErrorType = {}',
        }))
      },
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
