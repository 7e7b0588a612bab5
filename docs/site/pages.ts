/** The pages of the documentation, and their addresses on the site. */
import { readdirSync } from 'node:fs'
import { posix } from 'node:path'

/** The Markdown files of the folder `docs` that are for readers. */
export const pagesIn = (docs: string): string[] =>
  readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => /^(?!site\/|typedoc\/).*\.md$/.test(name))

/** Pages of files outside `docs`. Each file of this folder includes one. */
const outside: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  '.github/SECURITY.md': 'security.md',
}
const sources = Object.entries(outside)

/** The file of the repository that a file of `docs` shows. */
const sourceOf = (file: string): string => sources.find(([, page]) => file === `site/${page}`)?.[0] ?? `docs/${file}`

/** Where the page of a file of `docs` is. A folder's index would have the name of the first page. */
export const pageOf = (file: string): string => file.replace(/^site\//, '').replace(/\bREADME\.md$/, 'contents.md')

/** The address of a link in a file of `docs`. Links to other hosts, and to headings of the page, stay. */
export function hrefOf(href: string, file: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = posix.join(posix.dirname(sourceOf(file)), path)
  const page = Object.hasOwn(outside, target) ? outside[target]! : pageOf(target.replace(/^docs\//, ''))
  return `/${page}${fragment === undefined ? '' : `#${fragment}`}`
}
