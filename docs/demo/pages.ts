/** The pages of the demo: the playground at `/`, a list that follows changes at `/live`, a reader of the API at `/swagger`, and the documentation at `/docs/`. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono, MiddlewareHandler } from 'hono'
import { Marked, Renderer } from 'marked'
import { pageOf, pagesIn } from '../site/pages.ts'
import { slugOf } from '../site/slug.ts'

const docs = join(import.meta.dirname, '..')
const playground = join(docs, 'playground/site')
const [live, reader] = ['live', 'reader'].map((name) => join(import.meta.dirname, name)) as [string, string]
/** The site that `npm run docs` builds. */
export const siteFolder = join(docs, 'site/dist')
const swagger = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')))

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

/** What is served as it is, and the file that it is. No other path leads to a file. */
function staticFiles(): readonly (readonly [path: string, file: string])[] {
  const under = (path: string, folder: string, names: readonly string[]) =>
    names.map((name) => [`${path}/${name}`.replace(/\/(?:index\.html)?$/, '') || '/', join(folder, name)] as const)
  return [
    ...under('', playground, existsSync(playground) ? filesIn(playground) : []),
    ...under('/live', live, filesIn(live)),
    ...under('/swagger', reader, filesIn(reader)),
    ...under('/swagger', swagger, ['swagger-ui.css', 'swagger-ui-bundle.js']),
    ...under('/docs', docs, ['llms.txt', 'questions.json']),
  ]
}

/** Attributes of what may be wider than the page: keys scroll what has the focus. */
const scrolled = (label: string) => `tabindex="0" role="group" aria-label="${label}"`

/** Headings have the names by which the documentation links to them. */
const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code(token) {
      return Renderer.prototype.code.call(this, token).replace('<pre', `<pre ${scrolled('Example')}`)
    },
    table(token) {
      return `<div class="table" ${scrolled('Table')}>\n${Renderer.prototype.table.call(this, token)}</div>\n`
    },
    tablecell(token) {
      // A header without a text is none.
      return Renderer.prototype.tablecell.call(this, token).replace('<th></th>', '<td></td>')
    },
  },
})
const plainPage = async (markdown: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>urlwhere: ${/^# (.*)/.exec(markdown)?.[1]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/swagger/page.css">
<nav aria-label="Demo"><a href="/docs/README.md">Documentation</a> <a href="/">Playground</a> <a href="/swagger">API</a></nav>
<main>
${await marked.parse(markdown)}</main>
`

/** Directives for the built site. Two inline scripts set the theme before the first paint, and attributes colour the code. */
export function siteDirectives(site: string) {
  const scripts = readFileSync(join(site, '404.html'), 'utf8').matchAll(/<script[^>]*>([^<]+)<\/script>/g)
  const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  return {
    scriptSrc: ["'self'", ...Array.from(scripts, ([, script]) => hashOf(script!))],
    styleSrc: ["'self'", "'unsafe-inline'"],
  }
}

/** Serves the built site. The addresses of its pages have no `.html`. */
function addSite(app: Hono, site: string, revalidated: MiddlewareHandler, mayKeep: MiddlewareHandler): void {
  for (const name of filesIn(site)) {
    const path = `/docs/${name.replace(/(?:(?<=^|\/)index)?\.html$/, '')}`
    app.get(path, revalidated, mayKeep, serveStatic({ path: join(site, name) }))
  }
  const missing = readFileSync(join(site, '404.html'), 'utf8')
  app.get('/docs/*', (c) => c.html(missing, 404))
}

/**
 * @param revalidated answers a request for the version that the browser has.
 * @param site the folder of the built site. Without it, each file of the documentation is a plain page.
 */
export function addPages(app: Hono, revalidated: MiddlewareHandler, site: string | undefined): void {
  const mayKeep: MiddlewareHandler = async (c, next) => {
    c.header('cache-control', 'no-cache')
    await next()
  }
  for (const [path, file] of staticFiles()) app.get(path, revalidated, mayKeep, serveStatic({ path: file }))
  // The links of the playground lead two folders up from it, and here it is at the root.
  for (const name of ['README.md', 'concepts/grammar.md', 'guides/playground.md']) {
    app.get(`/${name}`, (c) => c.redirect(`/docs/${name}`))
  }
  app.get('/docs', (c) => c.redirect('/docs/'))
  // Models look for llms.txt at the root. Its relative links need the address of its folder.
  app.get('/llms.txt', (c) => c.redirect('/docs/llms.txt'))
  const names = pagesIn(docs)
  if (site !== undefined) {
    for (const name of names) app.get(`/docs/${name}`, (c) => c.redirect(`/docs/${pageOf(name).replace(/\.md$/, '')}`))
    addSite(app, site, revalidated, mayKeep)
    return
  }
  for (const name of names) {
    const paths = [`/docs/${name}`, ...(name === 'README.md' ? ['/docs/'] : [])]
    app.on('GET', paths, revalidated, mayKeep, async (c) =>
      c.html(await plainPage(readFileSync(join(docs, name), 'utf8'))),
    )
  }
}
