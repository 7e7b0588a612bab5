/** The site of the documentation, as `npm run docs` builds it and the demo serves it, in Chromium. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hrefOf, pageOf, pagesIn } from '../../docs/site/pages.ts'
import { sidebarOf } from '../../docs/site/sidebar.ts'
import { slugOf } from '../../docs/site/slug.ts'
import { serveDemo } from '../demo/served.ts'
import { isComplete } from '../effort.ts'
import { isInstalled as hasBrowser, openBrowser } from '../playground/browser.ts'

const root = join(import.meta.dirname, '../..')
const docs = join(root, 'docs')
const vitepress = join(docs, 'site/node_modules/vitepress/bin/vitepress.js')
const isInstalled = existsSync(vitepress) && hasBrowser

test('VitePress and Chromium are installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix docs/site ci, and apt-get install chromium').toBe(false)
  skip('Nothing was asked of the site: npm --prefix docs/site ci, and apt-get install chromium')
})

test.each([
  ['guides/sql.md', 'sqlite.md', '/guides/sqlite.md'],
  ['guides/sql.md', '../README.md#guides', '/contents.md#guides'],
  ['guides/sql.md', '../../CHANGELOG.md', '/changelog.md'],
  ['reference/imports.md', 'README.md', '/reference/contents.md'],
  ['faq.md', '../README.md', '/index.md'],
  ['faq.md', '../.github/SECURITY.md', '/security.md'],
  ['site/index.md', 'docs/README.md#how-do-i-', '/contents.md#how-do-i-'],
  ['site/security.md', '../docs/guides/sql.md', '/guides/sql.md'],
  ['faq.md', '#answers', '#answers'],
  ['faq.md', 'https://example.com/a.md', 'https://example.com/a.md'],
])('in %s, a link to %s leads to %s', (file, href, address) => expect(hrefOf(href, file)).toBe(address))

test.each([
  ['site/index.md', 'index.md'],
  ['README.md', 'contents.md'],
  ['reference/README.md', 'reference/contents.md'],
  ['guides/sql.md', 'guides/sql.md'],
])('the page of %s is %s', (file, page) => expect(pageOf(file)).toBe(page))

test('the name of a heading is the one of GitHub', () => {
  expect(slugOf('How do I …')).toBe('how-do-i-')
  expect(slugOf('`in` and `notIn`, in SQL')).toBe('in-and-notin-in-sql')
})

test('the navigation has every page that is not generated, once', () => {
  const links = sidebarOf(docs).flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`))
  const pages = pagesIn(docs).filter((name) => !/^(?:README\.md$|reference\/urlwhere)/.test(name))
  expect(links.toSorted()).toEqual(pages.map(pageOf).toSorted())
})

describe.runIf(isInstalled)('the site', () => {
  const site = mkdtempSync(join(tmpdir(), 'urlwhere-site-'))
  let browser: Browser
  let address: string
  let stop: () => unknown
  beforeAll(async () => {
    // VitePress refuses to build if a link leads to no page.
    await promisify(execFile)(process.execPath, [vitepress, 'build', '--outDir', site], { cwd: join(docs, 'site') })
    ;({ address, close: stop } = await serveDemo(site))
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    stop()
    rmSync(site, { recursive: true })
  })

  /** Opens a page, and collects the lines of its console, and its requests to other hosts. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) problems.push(`asks ${request.url()}`)
    })
    await page.goto(address + path, { waitUntil: 'networkidle' })
    return { page, problems }
  }
  const violationsOf = async (page: Page) => {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run({
        rules: { 'target-size': { enabled: true } },
      }),
    )
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(' ')}`)
  }

  test.each([
    ['wide', {}],
    ['dark', { colorScheme: 'dark' }],
    ['390 px', { viewport: { width: 390, height: 844 } }],
  ] as const)('axe finds no problem, and no page is wider than its window: %s', async (_, options) => {
    for (const path of ['', 'guides/sql', 'concepts/grammar', 'reference/urlwhere/memory']) {
      const { page, problems } = await open(`/docs/${path}`, options)
      expect(await violationsOf(page), path).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, path).toBe(page.viewportSize()!.width)
      expect(problems, path).toEqual([])
      await page.context().close()
    }
  })

  test('each link to a heading has its heading', () => {
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    const pages = new Map(names.map((name) => [`/docs/${name}`, readFileSync(join(site, name), 'utf8')]))
    const fileOf = (path: string) => (path.endsWith('/') ? `${path}index.html` : `${path}.html`)
    let count = 0
    for (const [file, page] of pages) {
      for (const [, href] of page.matchAll(/<a href="((?:\/docs\/)?[^":]*#[^"]+)"/g)) {
        const { pathname, hash } = new URL(href!, `http://site.example${file.replace(/(?:index)?\.html$/, '')}`)
        const target = pages.get(fileOf(pathname))
        expect(target, `${file}: ${href}`).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
        count += 1
      }
    }
    expect(count).toBeGreaterThan(500)
  })

  test('the search finds the page of each question among the first three, by keyboard alone', async () => {
    const { page } = await open('/docs/')
    const results = page.locator('#localsearch-list a.result')
    const pathsOf = () =>
      results.evaluateAll((links) =>
        [...new Set(links.map((link) => (link as HTMLAnchorElement).pathname))].slice(0, 3),
      )
    for (const [question, target] of [
      ['each tenant sees only its own rows', 'guides/tenants'],
      ['nulls last', 'guides/pages'],
      ['ignore upper and lower case', 'concepts/semantics'],
      ['mount in Express', 'guides/frameworks'],
      ['translate error messages', 'concepts/errors'],
      ['export CSV', 'guides/export'],
      ['many to many join table', 'guides/related-tables'],
      ['zod schema', 'guides/json-schema'],
      ['64-bit ids', 'faq'],
      ['Cloudflare Worker', 'guides/d1'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.locator('#localsearch-input').fill(question)
      await expect.poll(pathsOf, { message: question, timeout: 5_000 }).toContain(`/docs/${target}`)
      await page.keyboard.press('Escape')
      await results.first().waitFor({ state: 'detached' })
    }
    await page.keyboard.press('/')
    await page.locator('#localsearch-input').fill('Cloudflare Worker')
    await expect.poll(pathsOf).toContain('/docs/guides/d1')
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname !== '/docs/')
    await page.context().close()
  })

  test('the first stop of the Tab key skips the navigation', async () => {
    const { page } = await open('/docs/guides/sql')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.context().close()
  })

  test('an address without a page shows pages with the same word', async () => {
    const { page } = await open('/docs/sqlite-driver')
    expect(await page.locator('main.not-found li').allInnerTexts()).toEqual([
      'SQL drivers and query builders',
      'SQLite and its relatives',
    ])
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  test('the playground is a page of the site, and links back to it', async () => {
    const { page, problems } = await open('/docs/playground/#query=')
    expect(await page.locator('#count').innerText()).toBe('2,400 of 2,400 orders')
    await page.getByRole('link', { name: 'Query language' }).click()
    expect(await page.locator('h1').innerText()).toMatch(/^Grammar/)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('the type of a problem leads to its section', async () => {
    const answer = await fetch(`${address}/api/orders?arival=1`, { headers: { 'X-API-KEY': 'office-key' } })
    const { type } = (await answer.json()) as { type: string }
    const { page } = await open(type)
    expect(new URL(page.url()).pathname).toBe('/docs/concepts/errors')
    expect(await page.evaluate(() => document.querySelector(':target')?.id)).toBe('field_unknown')
    await page.context().close()
  })
})
