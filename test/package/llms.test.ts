/** docs/llms.txt lists every page of the documentation, and equals the output of `npm run reference`. */
import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pagesIn } from '../../docs/site/pages.ts'

const root = join(import.meta.dirname, '../..')
const docs = join(root, 'docs')
const text = readFileSync(join(docs, 'llms.txt'), 'utf8')
const links = Array.from(text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g), ([, link]) => link!)

test('is current', async () => {
  const { llmsText } = (await import('../../docs/typedoc/llms.mjs' as string)) as { llmsText: () => Promise<string> }
  expect(text, 'npm run reference').toBe(await llmsText())
})
test('has the form of llmstxt.org: a title, a summary, and lists of links', () => {
  const [title, , summary, , facts, , ...rest] = text.split('\n')
  expect([title, summary!.slice(0, 2), facts!.slice(0, 2)]).toEqual(['# urlwhere', '> ', 'A '])
  for (const line of rest) expect(line).toMatch(/^$|^## |^- \[[^\]]+\]\([^)]+\)/)
})
test('links to each page, and to no other address', () => {
  for (const link of links) expect(existsSync(join(docs, link)), link).toBe(true)
  const pages = pagesIn(docs).filter((name) => !/^(?:reference|README)/.test(name))
  for (const page of pages) expect(links).toContain(page)
  expect(links).toContain('reference/README.md')
})
