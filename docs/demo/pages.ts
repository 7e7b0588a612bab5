/** The pages of the demo: the playground at `/`, a reader of the API at `/docs`, and the documentation of the package under it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono, MiddlewareHandler } from 'hono'
import { Marked, Renderer } from 'marked'

const docs = join(import.meta.dirname, '..')
const playground = join(docs, 'playground/site')
const reader = join(import.meta.dirname, 'reader')
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
    ...under('/docs', reader, filesIn(reader)),
    ...under('/docs', docs, ['llms.txt', 'questions.json']),
    ...under('/docs', swagger, ['swagger-ui.css', 'swagger-ui-bundle.js']),
  ]
}

/** Attributes of what may be wider than the page: keys scroll what has the focus. */
const scrolled = (label: string) => `tabindex="0" role="group" aria-label="${label}"`

/** Headings have the names by which the documentation links to them. */
const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-')
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
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
const pageOf = async (markdown: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>urlwhere: ${/^# (.*)/.exec(markdown)?.[1]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
<nav aria-label="Demo"><a href="/docs/README.md">Documentation</a> <a href="/">Playground</a> <a href="/docs">API</a></nav>
<main>
${await marked.parse(markdown)}</main>
`

/** @param revalidated what answers a request for the version that the browser has. */
export function addPages(app: Hono, revalidated: MiddlewareHandler): void {
  const mayKeep: MiddlewareHandler = async (c, next) => {
    c.header('cache-control', 'no-cache')
    await next()
  }
  for (const [path, file] of staticFiles()) app.get(path, revalidated, mayKeep, serveStatic({ path: file }))
  // The links of the playground lead two folders up from it, and here it is at the root.
  for (const name of ['README.md', 'concepts/grammar.md', 'guides/playground.md']) {
    app.get(`/${name}`, (c) => c.redirect(`/docs/${name}`))
  }
  app.get('/docs/', (c) => c.redirect('/docs'))
  // Models look for llms.txt at the root. Its relative links need the address of its folder.
  app.get('/llms.txt', (c) => c.redirect('/docs/llms.txt'))
  for (const name of filesIn(docs).filter((name) => name.endsWith('.md'))) {
    app.get(`/docs/${name}`, revalidated, mayKeep, async (c) =>
      c.html(await pageOf(readFileSync(join(docs, name), 'utf8'))),
    )
  }
}
