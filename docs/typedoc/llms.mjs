/** Writes docs/llms.txt out of docs/README.md: the pages of the documentation, for models (https://llmstxt.org). `npm run reference` runs it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const textOf = (file) => readFile(join(root, file), 'utf8')

/** Sections that a reader with little room leaves out. */
const optional = ['Internals', 'More']

/** The text of docs/llms.txt. Links are relative to the folder of the file. */
export async function llmsText() {
  const [, about] = /^# .*\n\n([^]*?)\n\n/.exec(await textOf('README.md'))
  // Items may have several lines.
  const index = (await textOf('docs/README.md')).replace(/\n {2}/g, ' ')
  const sections = index.split(/^## /m).slice(1)
  const shown = sections.flatMap((section) => {
    const [title] = section.split('\n', 1)
    const links = section.match(/^- \[.*$/gm).filter((link) => !link.includes('(llms.txt)'))
    return [{ title, links }]
  })
  const written = ({ title, links }) => `## ${title}\n\n${links.join('\n')}\n`
  const first = shown.filter(({ title }) => !optional.includes(title))
  const last = shown.filter(({ title }) => optional.includes(title)).flatMap(({ links }) => links)
  return [
    `# urlwhere\n\n> ${about.replaceAll('\n', ' ')}\n`,
    'A schema and a collection declare the fields and the queries of callers. `parseQuery(collection, text)` reads a query string, `parseObject(collection, object)` a tool call. A backend compiles the query: `memoryBackend`, `sqlBackend`, `mongoBackend`, `prismaBackend`. `createListService` is the whole endpoint.\n',
    ...first.map(written),
    written({ title: 'Optional', links: last }),
  ].join('\n')
}

if (process.argv[1] === import.meta.filename) await writeFile(join(root, 'docs/llms.txt'), await llmsText())
