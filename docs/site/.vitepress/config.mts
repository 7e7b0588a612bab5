/** The site of the documentation. Its pages are the Markdown files of `docs`, and the README. */
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import manifest from '../../../package.json' with { type: 'json' }
import { hrefOf, pageOf } from '../pages.ts'
import { sidebarOf } from '../sidebar.ts'
import { slugOf } from '../slug.ts'

const docs = join(import.meta.dirname, '../..')
/** The address of the repository, once package.json has one. */
const repository = /github\.com\/[\w.-]+\/[\w-]+/.exec(
  (manifest as { repository?: { url?: string } }).repository?.url ?? '',
)?.[0]

/** The folder of the site on its host. The demo serves it at `/docs/`. */
const base = process.env.DOCS_BASE ?? '/docs/'

export default defineConfig({
  title: 'urlwhere',
  description: manifest.description,
  lang: 'en',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}playground/icon.svg` }]],
  srcDir: '..',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  srcExclude: ['demo/**', 'playground/**', 'typedoc/**', '**/node_modules/**'],
  rewrites: pageOf,
  cleanUrls: true,
  metaChunk: true,
  vite: {
    plugins: [
      {
        name: 'vue',
        enforce: 'pre',
        // Pages outside this folder import Vue, too.
        resolveId(id, _, { ssr }) {
          if (!/^vue(?:\/|$)/.test(id)) return undefined
          return ssr ? { id, external: true } : this.resolve(id, import.meta.filename, { skipSelf: true })
        },
      },
    ],
  },
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      md.core.ruler.push('links', ({ tokens, env }) => {
        const file = relative(docs, (env as { realPath?: string; path: string }).realPath ?? env.path)
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const [href, src] = [token.attrGet('href'), token.attrGet('src')]
          if (href !== null) token.attrSet('href', hrefOf(href, file))
          // Vite finds an image beside the file that includes the README.
          if (src !== null) token.attrSet('src', src.replace(/^docs\//, '../'))
        }
      })
    },
  },
  async buildEnd({ outDir }) {
    await cp(join(docs, 'playground/site'), join(outDir, 'playground'), { recursive: true })
    const page = join(outDir, 'playground/index.html')
    const markup = await readFile(page, 'utf8')
    // The playground links to files of the repository.
    const linked = markup.replace(
      /"\.\.\/\.\.\/([\w/-]+\.md)"/g,
      (_, file: string) => `"../${pageOf(file).replace(/\.md$/, '')}"`,
    )
    await writeFile(page, linked)
    for (const name of ['llms.txt', 'questions.json']) await copyFile(join(docs, name), join(outDir, name))
  },
  themeConfig: {
    nav: [
      { text: 'Learn', link: '/start/first-filter' },
      { text: 'Documentation', link: '/contents' },
      { text: 'Playground', link: '/playground/', target: '_self' },
      { text: `v${manifest.version}`, link: '/changelog' },
    ],
    sidebar: sidebarOf(docs),
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository === undefined
      ? {}
      : {
          editLink: { pattern: `https://${repository}/edit/main/docs/:path`, text: 'Edit this page' },
          socialLinks: [{ icon: 'github', link: `https://${repository}` }],
        }),
  } satisfies DefaultTheme.Config,
})
