/** Swagger UI shows the document of the demo, by the rules of the guide: how high, how wide, and what its form sends. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byCompleteness, isComplete } from '../effort.ts'
import { isInstalled, openBrowser } from '../playground/browser.ts'
import { startDemo, type Demo } from './tools.ts'

const textOf = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')

test('the demo has the rules of the guide', () => {
  const [, rules] = /^```css\n([^]*?)^```$/m.exec(textOf('docs/guides/openapi.md'))!
  expect(textOf('docs/demo/reader/reader.css')).toContain(rules)
})
test('Chromium is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, '.ci/chromium start').toBe(false)
  skip('No page was opened: .ci/chromium start installs what does it')
})

describe.skipIf(!isInstalled)('Swagger UI', { timeout: 240_000 }, () => {
  let demo: Demo
  let browser: Browser
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), openBrowser()])
  })
  afterAll(async () => {
    demo.stop()
    await browser.close()
  })

  /** The page with the operation of the orders open. */
  async function open(width: number, withRules = true): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    page.setDefaultTimeout(120_000)
    if (!withRules) await page.route('**/reader.css', (route) => route.fulfill({ contentType: 'text/css', body: '' }))
    await page.goto(`${demo.address}/swagger`)
    await page.locator('.opblock-get .opblock-summary-control').first().click()
    await page.locator('.opblock .parameters textarea').first().waitFor({ state: 'attached' })
    return page
  }
  const sizeOf = async (page: Page) => ({
    height: (await page.locator('.opblock-get').first().boundingBox())!.height,
    width: await page.evaluate('document.documentElement.scrollWidth'),
  })

  const wide = [1280, 4_500] as const
  const narrow = [390, 9_500] as const
  test.each(byCompleteness([wide, narrow], []))('on %i pixels the operation is lower than %i', async (width, most) => {
    const page = await open(width)
    const ruled = await sizeOf(page)
    expect(ruled.height).toBeLessThan(most)
    expect(ruled.width).toBe(width)
    const plain = await sizeOf(await open(width, false))
    expect(plain.height).toBeGreaterThan(ruled.height + 4_000)
    await page.locator('.try-out__btn').first().click()
    expect((await sizeOf(page)).height).toBeLessThan(most * 1.2)
  })

  test.runIf(isComplete)('sends the fields of the form, and no others', async () => {
    const page = await open(1280)
    await page.locator('.try-out__btn').first().click()
    const form = page.locator('.opblock-get').first()
    await form.locator('tr[data-param-name="total"] textarea').fill('{"gte": 500}')
    await form.locator('tr[data-param-name="status"] textarea').fill('{"in": "paid,held"}')
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().includes('/api/orders')),
      form.locator('button.execute').click(),
    ])
    const { searchParams } = new URL(request.url())
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ 'total[gte]': '500', 'status[in]': 'paid,held' },
      ...{ sort: 'id', limit: '20', count: 'false' },
    })
  })
})
