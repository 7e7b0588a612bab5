/** The demo in a browser: `/swagger` shows the API, sends a request, and asks no other host for anything; CORS lets others in. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveDemo } from './served.ts'
import { isInstalled, openBrowser } from '../playground/browser.ts'
import { byCompleteness } from '../effort.ts'

describe.runIf(isInstalled)('the reader', () => {
  let browser: Browser
  let address: string
  let close: () => unknown
  beforeAll(async () => {
    ;({ address, close } = await serveDemo())
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    close()
  })

  /** Opens a page, and takes down the requests of it and what is wrong with it. */
  async function open(path: string): Promise<{ page: Page; requests: URL[]; faults: string[] }> {
    const page = await browser.newPage()
    const [requests, faults]: [URL[], string[]] = [[], []]
    page.on('request', (request) => requests.push(new URL(request.url())))
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()))
    await page.goto(address + path)
    return { page, requests, faults }
  }
  const hostsOf = (requests: readonly URL[]) => [...new Set(requests.map(({ origin }) => origin))]

  test('shows each operation, and sends what is filled in, from this host alone', async () => {
    const { page, requests, faults } = await open('/swagger')
    const orders = page.locator('[id$="-listOrders"]')
    await orders.waitFor()
    expect(await page.locator('.opblock').count()).toBe(8)

    await page.click('.btn.authorize')
    await page.locator('.auth-container', { hasText: 'X-API-KEY' }).locator('input').fill('office-key')
    await page.locator('.auth-container', { hasText: 'X-API-KEY' }).locator('button.authorize').click()
    await page.locator('.btn-done').first().click()
    await orders.locator('.opblock-summary-control').click()
    await orders.locator('.try-out__btn').click()
    await orders.locator('[data-param-name="id"] textarea').fill('{"in": "3,5", "gt": 3}')
    const sent = page.waitForResponse((response) => response.url().includes('/api/orders'))
    await orders.locator('.execute').click()
    const answer = await sent
    expect(answer.status()).toBe(200)
    expect(((await answer.json()) as { data: { id: number }[] }).data.map(({ id }) => id)).toEqual([5])
    // Nothing that nobody filled in, but for what has a default.
    const search = requests.find(({ pathname }) => pathname === '/api/orders')!.searchParams
    expect(Object.fromEntries(search)).toEqual({
      'id[in]': '3,5',
      'id[gt]': '3',
      sort: 'id',
      limit: '20',
      count: 'false',
    })

    expect(hostsOf(requests)).toEqual([address])
    expect(faults).toEqual([])
  }, 60_000)

  test('scripts of another origin ask with a key, and with nothing that the browser adds', async () => {
    const other = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    other.close()
    const told = await page.evaluate(async (url) => {
      const key = { 'X-API-KEY': 'office-key' }
      const send = async (init: RequestInit) => {
        const answer = await fetch(url, init).catch((error: Error) => error.name)
        return typeof answer === 'string'
          ? answer
          : [answer.status, answer.headers.get('etag'), answer.headers.has('link')]
      }
      const first = await send({ headers: key })
      const body = new URLSearchParams({ limit: '1' })
      return {
        first,
        same: await send({ headers: { ...key, 'If-None-Match': first[1] as string } }),
        query: await send({ method: 'QUERY', headers: key, body }),
        nobody: await send({}),
        withCredentials: await send({ credentials: 'include' }),
        delete: await send({ method: 'DELETE', headers: key }),
      }
    }, `${address}/api/orders?limit=1`)
    const etag = expect.stringMatching(/^(?:W\/)?"[\da-f]{40}"$/) as string
    expect(told).toEqual({
      first: [200, etag, true],
      same: [304, etag, false],
      // The URL has a query.
      query: [400, null, false],
      nobody: [401, null, false],
      withCredentials: 'TypeError',
      delete: 'TypeError',
    })
  }, 60_000)

  test.each(byCompleteness([1280, 390], [390]))(
    'axe finds no fault in pages of the documentation, %i px wide',
    async (width) => {
      const page = await browser.newPage({ viewport: { width, height: 844 } })
      // Code and tables that are wider than the page, and a table with an empty header.
      for (const name of [
        ...byCompleteness(['README.md', 'start/list-endpoint.md'], []),
        'guides/sql.md',
        'concepts/grammar.md',
      ]) {
        await page.goto(`${address}/docs/${name}`)
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate(() =>
          (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run({
            rules: { 'target-size': { enabled: true } },
          }),
        )
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(' ')}`),
          name,
        ).toEqual([])
      }
      await page.close()
    },
  )

  test.each(['/docs/concepts/errors.md#field_unknown', '/'])(
    '%s: no other host, no fault',
    async (path) => {
      const { page, requests, faults } = await open(path)
      await page.waitForLoadState('networkidle')
      expect(hostsOf(requests)).toEqual([address])
      expect(faults).toEqual([])
      const { hash } = new URL(path, address)
      if (hash !== '')
        expect(await page.evaluate(() => document.querySelector(':target')?.textContent)).toBe(hash.slice(1))
    },
    60_000,
  )
})

test.skipIf(isInstalled)('the reader is not asked: there is no Chromium', () => {})
