/** The page in Chromium: by mouse, by keyboard, by link. `npm test` builds it first. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import fc from 'fast-check'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { byCompleteness, byEffort, isComplete } from '../effort.ts'
import { answerOf, orderDialects, partsFor } from './asked.ts'
import { isInstalled, openStage, type Stage } from './browser.ts'
import { makeOrders, orderCollection, orders } from '../../docs/demo/data.ts'
import { examples } from '../../docs/playground/examples.ts'
import { someCollectionText } from '../../src/kit/arbitraries.ts'

test('Chromium is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'apt-get install chromium').toBe(false)
  skip('Nothing was asked of the playground in a browser: apt-get install chromium')
})

const folder = join(import.meta.dirname, '../../docs/playground/site')

test('the page is small: less than 160 kB go over the wire, and 21 kB more for the panes of code and schemas', () => {
  const sizes = new Map(
    readdirSync(folder)
      .filter((name) => /\.(?:html|css|js|svg)$/.test(name))
      .map((name) => [name, gzipSync(readFileSync(join(folder, name))).length]),
  )
  const more = sizes.get('more.js')!
  sizes.delete('more.js')
  expect([...sizes.keys()].toSorted()).toEqual(['icon.svg', 'index.html', 'playground.css', 'playground.js'])
  expect([...sizes.values()].reduce((sum, size) => sum + size)).toBeLessThan(160_000)
  expect(more).toBeLessThan(21_000)
})

test('the picture of README.md has less than 60 kB', () => {
  expect(readFileSync(join(folder, '../../guides/playground.webp')).length).toBeLessThan(60_000)
})

describe.runIf(isInstalled)('the page', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage.close())

  /** What no page may have: lines on the console, errors, requests of another host, files that are not there. */
  const faults: string[] = []
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  async function open(fragment = '#query=', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.address)) faults.push(`asks ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(stage.address + fragment)
    return page
  }
  const close = (page: Page) => page.context().close()
  const linkTo = (query: string, rest = '') => `#query=${encodeURIComponent(query)}${rest}`

  const query = (page: Page) => page.getByRole('textbox', { name: 'Query string' })
  const reading = (page: Page) => page.locator('#reading')
  const marksOf = (page: Page) => page.locator('#marks mark').allTextContents()
  const rowsOf = (page: Page) => page.locator('#rows tbody tr').count()
  /** Waits until a condition on the page is true. */
  const until = async (condition: () => Promise<boolean>) => expect.poll(condition, { timeout: 5_000 }).toBe(true)
  const fragmentHas = (page: Page, text: string) =>
    until(() => Promise.resolve(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('query') === text))

  /** `npm test` asks three: the others are in each complete run. */
  const testAll = test.runIf(isComplete)

  test('shows what a query is, in every form, as it is typed', async () => {
    const page = await open()
    expect(await reading(page).innerText()).toContain('every row')
    expect(await page.locator('#count').innerText()).toBe('2,400 of 2,400 orders')
    await query(page).pressSequentially('status=paid&total[gte]=890&sort=-total&limit=2&fields=id,total')
    expect(await reading(page).innerText()).toContain('status is "paid", and total is at least 890')
    expect(await page.locator('#canonical').innerText()).toBe(
      'status=paid&total[gte]=890&sort=-total&limit=2&fields=id,total',
    )
    const sql = page.locator('#sql')
    expect(await sql.innerText()).toMatch(/^SELECT "o"\."id", "o"\."total"\nFROM "orders" AS "o"\nWHERE/)
    expect(await sql.locator('.parameters li').allInnerTexts()).toEqual(["'paid'", '890', '3'])
    expect(await page.locator('#mongo').innerText()).toContain("{ status: 'paid', total: { $gte: 890 } }")
    expect(await page.locator('#tree .node').allInnerTexts()).toEqual([
      'and',
      "comparison status eq 'paid' string",
      'comparison total gte 890 number',
    ])
    expect(await page.locator('#rows thead th').allInnerTexts()).toEqual(['id ↓', 'total ↓'])
    expect(await rowsOf(page)).toBe(2)
    await fragmentHas(page, await query(page).inputValue())
    await until(async () => /^\d+ of 2,400 orders selected\.$/.test(await page.getByRole('status').innerText()))

    await page.getByRole('button', { name: 'Next page' }).click()
    expect(await query(page).inputValue()).toMatch(/&cursor=\w+$/)
    const second = await page.locator('#rows tbody').innerText()
    await page.getByRole('button', { name: 'Next page' }).click()
    expect(await page.locator('#rows tbody').innerText()).not.toBe(second)
    await page.getByRole('button', { name: 'Previous page' }).click()
    expect(await page.locator('#rows tbody').innerText()).toBe(second)
    await close(page)
  })

  testAll('marks faults in the text, says them, and applies a hint that is clicked', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Three faults' }).click()
    expect(await marksOf(page)).toEqual(['arival', 'contains', 'piad'])
    expect(await query(page).getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.issues .message').allInnerTexts()).toEqual([
      'unknown field "arival"',
      'operator contains is not available for total',
      'invalid value for status: expected one of paid, held, new',
    ])
    await until(async () =>
      (await page.getByRole('status').innerText()).startsWith(
        '3 issues. unknown field "arival"; did you mean arrival?.',
      ),
    )
    // Nothing of the query before is in sight.
    for (const pane of ['#sql', '#mongo', '#tree', '#rows', '#facets', '#notations'])
      expect(await page.locator(pane).isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Show in the query: status=piad' }).click()
    const selected = () =>
      query(page).evaluate((one: HTMLTextAreaElement) => one.value.slice(one.selectionStart, one.selectionEnd))
    expect(await selected()).toBe('piad')
    await page.getByRole('button', { name: 'did you mean paid?' }).click()
    await page.getByRole('button', { name: 'did you mean arrival?' }).click()
    expect(await query(page).inputValue()).toBe('arrival=2024-06-01&total[contains]=5&status=paid')
    expect(await marksOf(page)).toEqual(['contains'])
    // A hint with a choice opens it.
    await page.getByRole('button', { name: 'available operators for total' }).click()
    await page.getByRole('option', { name: 'gte]=' }).click()
    expect(await query(page).inputValue()).toBe('arrival=2024-06-01&total[gte]=5&status=paid')
    expect(await query(page).getAttribute('aria-invalid')).toBe('false')
    expect(await page.locator('#stale').innerText()).toBe('')
    await close(page)
  })

  testAll('completes by keyboard: fields, operators, values', async () => {
    const page = await open()
    const box = query(page)
    const options = page.locator('#choices').getByRole('option')
    await box.focus()
    const list = page.locator('#choices')
    expect(await list.isVisible()).toBe(false)
    await page.keyboard.type('sta')
    expect(await list.isVisible()).toBe(true)
    await until(async () => / \d suggestions?\.$/.test(await page.getByRole('status').innerText()))
    // Nothing is chosen until somebody does.
    expect(await box.getAttribute('aria-activedescendant')).toBe(null)
    await page.keyboard.press('ArrowDown')
    const active = await box.getAttribute('aria-activedescendant')
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('status')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('status[in]=')
    expect(await options.allInnerTexts()).toEqual(['paid', 'held', 'new'])
    // Beyond the end is the text, and before it the last choice.
    await page.keyboard.press('ArrowUp')
    expect(await options.nth(2).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await box.getAttribute('aria-activedescendant')).toBe(null)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('status[in]=paid')
    expect(await list.isVisible()).toBe(false)
    await page.keyboard.type('&gi')
    expect(await options.count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await options.count()).toBe(0)
    expect(await box.inputValue()).toBe('status[in]=paid&gi')
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('status[in]=paid&gi')
    await close(page)
  })

  test('is all used by keyboard alone', async () => {
    const page = await open()
    const focused = () =>
      page.evaluate(() => {
        const one = document.activeElement!
        return one.id || one.getAttribute('name') || one.textContent
      })
    /** Tab until what has the focus is this. */
    const tabTo = async (what: string, key = 'Tab') => {
      const seen: (string | null)[] = []
      while (seen.at(-1) !== what) {
        if (seen.length > 60) throw new Error(`${what} is not among ${seen.join(', ')}`)
        await page.keyboard.press(key)
        seen.push(await focused())
      }
    }
    expect(await focused()).toBe('query')
    await page.keyboard.type('arival=2024-06-01')
    // A hint, and the focus is in the text again.
    await tabTo('did you mean arrival?')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('query')
    expect(await query(page).inputValue()).toBe('arrival=2024-06-01')
    // An example.
    await tabTo('Paid, 500 or more')
    await page.keyboard.press('Enter')
    expect(await query(page).inputValue()).toBe('status=paid&total[gte]=500&sort=-total')
    // Another dialect: one tab stop, arrows inside.
    await tabTo('dialect-0')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('dialect-2')
    expect(await page.getByRole('tabpanel', { name: 'MySQL' }).innerText()).toContain('`o`.`status` = ?')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('dialect-0')
    // A row: one tab stop, arrows inside.
    await tabTo('row')
    await page.keyboard.press('Space')
    const first = await page.locator('#traced').innerText()
    await page.keyboard.press('ArrowDown')
    const second = await page.locator('#traced').innerText()
    expect(first).toMatch(/^Order \d+ is selected$/)
    expect(second).toMatch(/^Order \d+ is selected$/)
    expect(second).not.toBe(first)
    // The way back, and what is longer than its pane.
    await tabTo('next', 'Shift+Tab')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('next')
    expect(await query(page).inputValue()).toContain('&cursor=')
    await tabTo('rows')
    await close(page)
  })

  testAll('shows why a row is selected, and why it is not any more', async () => {
    const page = await open(linkTo('items.arrival[range]=2024-06-01,2024-06-03'))
    const row = page.locator('#rows tbody tr').first()
    const id = await row.locator('th').innerText()
    await row.locator('td').nth(1).click()
    expect(await page.locator('#traced').innerText()).toBe(`Order ${id.replace(/\D/g, '')} is selected`)
    const nodes = await page.locator('#trace .node').allInnerTexts()
    expect(nodes[0]).toMatch(/one entry of items entry \d of \d/)
    expect(nodes.at(-1)).toMatch(/arrival is on or before 2024-06-03 found '2024-06-0\d'/)
    await query(page).fill('items.arrival[range]=2024-06-01,2024-06-03&id[lt]=0')
    expect(await page.locator('#traced').innerText()).toBe(`Order ${id.replace(/\D/g, '')} is not selected`)
    expect(await page.locator('#rows').innerText()).toBe('No order is selected.')
    expect(await page.locator('#trace .fails').count()).toBe(2)
    await page.getByText('The row', { exact: true }).click()
    await query(page).press('End')
    await query(page).pressSequentially('&limit=5')
    expect(await page.locator('#trace pre').isVisible()).toBe(true)
    expect(await page.locator('#trace .actions code').innerText()).toBe(`GET /api/orders/${id.replace(/\D/g, '')}`)

    // An order that is on no page, by its id.
    const id17 = page.getByRole('spinbutton', { name: 'id' })
    await query(page).fill('total=249.67&tags=vip&items.price[lt]=5')
    await id17.fill('2')
    expect(await page.locator('#traced').innerText()).toBe('Order 2 is not selected')
    const words = async () =>
      (await page.locator('#trace .node').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' '))
    expect((await words())[1]).toBe('✓ true: total is 249.67 found 249.67')
    const isEmpty = makeOrders().find(({ tags, items }) => tags?.length === 0 && items?.length === 0)!
    await id17.fill(String(isEmpty.id))
    expect((await words()).slice(2)).toEqual([
      '✗ false: one entry of tags the list is empty',
      '✗ false: one entry of items the list is empty',
    ])
    // One that does not exist, typed and in a link.
    for (const none of ['2401', '0', '12345678']) {
      await id17.fill(none)
      expect(await page.locator('#traced').innerText()).toBe(`There is no order ${none}`)
      expect(await page.locator('#trace').innerText()).toBe('The orders are 1 to 2,400.')
    }
    await until(() => Promise.resolve(page.url().endsWith('&row=12345678')))
    await page.reload()
    expect(await page.locator('#traced').innerText()).toBe('There is no order 12345678')
    await id17.fill('')
    expect(await page.locator('#traced').innerText()).toBe('')
    await close(page)
  })

  testAll('a search, a time zone and values of facets are chosen beside the text', async () => {
    const page = await open()
    const choice = (facet: string, value: string) =>
      page.getByRole('group', { name: facet, exact: true }).getByRole('button', { name: new RegExp(`^${value} `) })
    const numberOf = async (facet: string, value: string) =>
      Number((await choice(facet, value).locator('.number').innerText()).replace(',', ''))
    const orders = makeOrders()
    const paid = orders.filter(({ status }) => status === 'paid')
    expect(await numberOf('status', 'paid')).toBe(paid.length)
    expect(await numberOf('status', 'no value')).toBe(orders.filter(({ status }) => status == null).length)

    await choice('status', 'paid').click()
    expect(await query(page).inputValue()).toBe('status=paid')
    expect(await choice('status', 'paid').getAttribute('aria-pressed')).toBe('true')
    // The choice keeps the focus, and does not hide its alternatives.
    expect(await choice('status', 'paid').evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await numberOf('tags', 'vip')).toBe(paid.filter(({ tags }) => tags?.includes('vip')).length)
    await choice('status', 'held').click()
    expect(await query(page).inputValue()).toBe('status[in]=paid,held')
    await choice('tags', 'winter sale').click()
    expect(await query(page).inputValue()).toBe('status[in]=paid,held&tags=winter+sale')
    await choice('status', 'no value').click()
    expect(await query(page).inputValue()).toBe('tags=winter+sale&status[exists]=false')
    await choice('status', 'no value').click()
    await choice('tags', 'winter sale').click()
    expect(await query(page).inputValue()).toBe('')

    await page.getByRole('searchbox', { name: 'Search' }).fill('smith surf')
    expect(await query(page).inputValue()).toBe('search=smith%20surf')
    expect(await page.locator('#canonical').innerText()).toBe('search=smith+surf')
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    expect(await query(page).inputValue()).toBe('search=smith%20surf&timeZone=Asia%2FTokyo')
    await query(page).fill('paidAt=2024-06-01&timeZone=Asia/Tokyo')
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')
    expect(await page.locator('#tree').innerText()).toContain('2024-05-31T15:00:00.000Z')
    await close(page)
  })

  testAll('shows a query in every notation, and switches to each of them', async () => {
    const page = await open(linkTo('status=paid&total[gte]=890&sort=-total&limit=5'))
    const reader = page.getByRole('combobox', { name: 'Read as' })
    const lines = () => page.locator('#notations tr').allInnerTexts()
    const textsOf = async () => Object.fromEntries((await lines()).map((line) => line.split('\t') as [string, string]))
    expect(await textsOf()).toEqual({
      urlwhere: 'status=paid&total[gte]=890&sort=-total&limit=5',
      'JSON:API': 'filter[status][eq]=paid&filter[total][gte]=890&sort=-total&page[size]=5',
      'react-admin': 'filter={"status":"paid","total_gte":890}&sort=["total","DESC"]&range=[0,4]',
      'json-server': 'status=paid&total_gte=890&_sort=total&_order=desc&_start=0&_end=5',
      'json-server 1': 'status=paid&total:gte=890&_sort=-total&_page=1&_per_page=5',
      Strapi: 'filters[status][$eq]=paid&filters[total][$gte]=890&sort=total:DESC&pagination[pageSize]=5',
      'nestjs-paginate': 'filter.status=$eq:paid&filter.total=$gte:890&sortBy=total:DESC&limit=5',
    })
    const [tree, count, found] = [page.locator('#tree'), page.locator('#count'), page.locator('#rows tbody')]
    const before = await Promise.all([tree, count, found].map((one) => one.innerText()))
    for (const [name, text] of Object.entries(await textsOf())) {
      await page.locator('#notations').getByRole('button', { name, exact: true }).click()
      expect(await query(page).inputValue()).toBe(text)
      expect(await reader.inputValue()).toBe(name)
      expect(await query(page).evaluate((one) => one === document.activeElement)).toBe(true)
      expect(await Promise.all([tree, count, found].map((one) => one.innerText()))).toEqual(before)
      expect(await page.locator('#notations [aria-current]').innerText()).toBe(name)
    }

    // Switching the notation keeps the query, and a link contains the notation.
    await reader.selectOption('Strapi')
    expect(await query(page).inputValue()).toMatch(/^filters\[status\]\[\$eq\]=paid&/)
    await until(() => Promise.resolve(page.url().includes('notation=Strapi')))
    const shared = await page.context().newPage()
    await shared.goto(page.url())
    expect(await query(shared).inputValue()).toBe(await query(page).inputValue())
    expect(await shared.locator('#count').innerText()).toBe(await count.innerText())
    await shared.close()

    // The page marks faults in the client's text, and shows hints in the client's words.
    await query(page).fill('filters[totl][$gte]=5&filters[status][$gt]=paid')
    expect(await marksOf(page)).toEqual(['totl', '$gt'])
    expect(await page.locator('.issues .hint').allInnerTexts()).toEqual([
      'did you mean total?',
      'available operators for status: $eq, $ne, $in, $notIn, $nin, $null, $notNull',
    ])
    await page.getByRole('button', { name: 'did you mean total?' }).click()
    expect(await query(page).inputValue()).toBe('filters[total][$gte]=5&filters[status][$gt]=paid')
    // The combobox suggests only in the library's language.
    await query(page).press('ArrowDown')
    expect(await page.locator('#choices').getByRole('option').count()).toBe(0)
    expect(await page.locator('#keys').isVisible()).toBe(false)
    await close(page)
  })

  testAll('the controls beside the text write in its notation, where the notation can express the query', async () => {
    const page = await open(linkTo('status=paid&_start=0&_end=5', '&notation=json-server'))
    const reader = page.getByRole('combobox', { name: 'Read as' })
    const stale = page.locator('#stale')
    const first = await page.locator('#rows tbody').innerText()
    await page.getByRole('button', { name: 'Next page' }).click()
    expect(await query(page).inputValue()).toBe('status=paid&_start=5&_end=10')
    expect(await page.locator('#rows tbody').innerText()).not.toBe(first)
    await page.getByRole('button', { name: 'Previous page' }).click()
    expect(await query(page).inputValue()).toBe('status=paid&_start=0&_end=5')
    expect(await page.locator('#rows tbody').innerText()).toBe(first)
    const facet = page.getByRole('group', { name: 'status', exact: true })
    await facet.getByRole('button', { name: /^held / }).click()
    expect(await query(page).inputValue()).toBe('status=paid&status=held&_start=0&_end=5')
    await page.getByRole('searchbox', { name: 'Search' }).fill('smith surf')
    expect(await query(page).inputValue()).toBe('status=paid&status=held&q=smith+surf&_start=0&_end=5')
    expect(await stale.innerText()).toBe('')

    // For a query that the notation cannot express, the page switches to the library's language.
    await page.getByRole('button', { name: 'Or, and two items' }).click()
    expect(await reader.inputValue()).toBe('urlwhere')
    expect(await query(page).inputValue()).toMatch(/^or=/)
    expect(await stale.innerText()).toBe('Read as urlwhere: jsonServer has no groups of or')
    expect((await page.locator('#notations tr').nth(3).innerText()).split('\t')).toEqual([
      'json-server',
      'jsonServer has no groups of or; jsonServer has no groups of and',
    ])
    // If the visitor chooses the notation again, the page marks the faults.
    await reader.selectOption('json-server')
    expect(await query(page).inputValue()).toMatch(/^or=/)
    expect(await marksOf(page)).toEqual(['or', 'and'])
    await page.goBack()
    expect(await reader.inputValue()).toBe('urlwhere')
    expect(await marksOf(page)).toEqual([])
    await close(page)
  })

  testAll('is the same from a link, and goes back', async () => {
    const text = 'customerName[startsWith]=jö%&total[gte]=5 00&"x"=#&y'
    const page = await open(linkTo(text, '&row=17&dialect=SQLite'))
    expect(await query(page).inputValue()).toBe(text)
    expect((await marksOf(page)).length).toBeGreaterThan(2)
    expect(await page.locator('#traced-id').inputValue()).toBe('17')
    expect(await page.locator('#dialects [aria-selected=true]').textContent()).toBe('SQLite')
    await close(page)

    const other = await open()
    await query(other).pressSequentially('gift=true')
    await fragmentHas(other, 'gift=true')
    await other.getByRole('button', { name: 'Or, and two items' }).click()
    await other.getByRole('button', { name: 'Order, limit, fields' }).click()
    expect(await rowsOf(other)).toBe(5)
    await other.goBack()
    expect(await query(other).inputValue()).toMatch(/^or=/)
    expect(await reading(other).innerText()).toContain('one entry of items has a price that is more than 250')
    await other.goBack()
    expect(await query(other).inputValue()).toBe('gift=true')
    await other.goForward()
    expect(await query(other).inputValue()).toMatch(/^or=/)
    const shared = await other.context().newPage()
    await shared.goto(other.url())
    expect(await query(shared).inputValue()).toBe(await query(other).inputValue())
    await close(other)
  })

  testAll('goes back to what was typed just before', async () => {
    const page = await open(linkTo('gift=true'))
    // In one task: no time passes between the key and the click.
    const typeAndClick = (text: string, button: string) =>
      page.evaluate(
        ([text, selector]) => {
          const editor = document.querySelector<HTMLTextAreaElement>('#query')!
          editor.value = text
          editor.dispatchEvent(new Event('input', { bubbles: true }))
          document.querySelector<HTMLElement>(selector)!.click()
        },
        [text, button] as const,
      )
    for (const [text, button] of [
      ['gift=false', '#examples button'],
      ['status=paid', '#notations button:not([aria-current])'],
      ['total[gte]=5', '#next'],
    ] as const) {
      await typeAndClick(text, button)
      expect(await query(page).inputValue()).not.toBe(text)
      await page.goBack()
      expect(await query(page).inputValue()).toBe(text)
    }
    // A link to another page.
    await query(page).fill('guests=2')
    await page.locator('h1').click()
    expect(new URL(page.url()).hash).toBe('#query=guests%3D2')
    await close(page)
  })

  testAll('marks that an excerpt of a fault is cut', async () => {
    const page = await open(
      linkTo(`aVeryLongNameOfAField[startsWithAndEndsWith]=aVeryLongOperand&status=piad&total[gte]=${'9'.repeat(40)}x`),
    )
    const excerpts = await page.locator('.issues .place').allInnerTexts()
    expect(excerpts.map((text) => text.replace(/^Show in the query:\s/, ''))).toEqual([
      'aVeryLongNameOfAField[startsWithAndEn…',
      '…ongNameOfAField[startsWithAndEndsWith]=aVeryLongOpera…',
      'status=piad',
      'total[gte]=99999999999999999999999999999999…',
    ])
    await close(page)
  })

  testAll('the text and its controls stay in place while somebody types, and no pane covers another', async () => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await open('#query=', { viewport })
      const boxesOf = (selector: string) =>
        page.evaluate(
          (all) => Array.from(document.querySelectorAll(all), (one) => one.getBoundingClientRect().toJSON() as DOMRect),
          selector,
        )
      const before = await boxesOf('.field, .controls, .examples')
      for (const text of [
        'sta',
        'status=piad&x',
        'a=1&b=2&c=3&d=4&e=5',
        'status=paid&items.arrival[range]=2024-06-01,2024-06-03&tags[nin]=vip&sort=-total',
      ]) {
        await query(page).fill('')
        await query(page).pressSequentially(text)
        expect(await boxesOf('.field, .controls, .examples')).toEqual(before)
        const panes = await boxesOf('.reading, .panel')
        for (const [at, one] of panes.entries())
          for (const other of panes.slice(at + 1))
            expect(
              one.bottom <= other.top || other.bottom <= one.top || one.right <= other.left || other.right <= one.left,
            ).toBe(true)
      }
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
      expect(scrollWidth).toBe(clientWidth)
      await close(page)
    }
  })

  test('opens with an example, the cursor at its end, and rows in sight', async () => {
    const page = await open('', { viewport: { width: 1440, height: 900 } })
    expect(await query(page).inputValue()).toBe('status=paid&total[gte]=500&sort=-total')
    expect(await page.locator('#rows tbody tr').nth(2).isVisible()).toBe(true)
    expect((await page.locator('#rows tbody tr').nth(2).boundingBox())!.y).toBeLessThan(880)
    await page.keyboard.type('&limit=3')
    expect(await rowsOf(page)).toBe(3)
    await fragmentHas(page, 'status=paid&total[gte]=500&sort=-total&limit=3')
    await close(page)
    const phone = await open('', { viewport: { width: 390, height: 844 } })
    expect(await phone.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await close(phone)
  })

  testAll('Tab accepts a suggestion, and after Escape it leaves the text', async () => {
    const page = await open()
    await query(page).pressSequentially('stat')
    await page.keyboard.press('Tab')
    expect(await query(page).inputValue()).toMatch(/^status/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('query')
    await close(page)
  })

  testAll('the head of a column sorts by it, in both directions, by keyboard too', async () => {
    const page = await open(linkTo('limit=2&sort=id'))
    await page.locator('#sort-total').click()
    expect(await query(page).inputValue()).toBe('limit=2&sort=total')
    await page.keyboard.press('Enter')
    expect(await query(page).inputValue()).toBe('limit=2&sort=-total')
    expect(await page.locator('#rows th[aria-sort=descending]').innerText()).toBe('total ↓')
    await close(page)
  })

  testAll('a pasted address becomes its query', async () => {
    const page = await open()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'https://shop.example/api/orders?status=paid&limit=2#top')
      document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
    })
    expect(await query(page).inputValue()).toBe('status=paid&limit=2')
    expect(await rowsOf(page)).toBe(2)
    await close(page)
  })

  testAll('marks and completions stay with a text that has more lines than its field', async () => {
    const page = await open('', { viewport: { width: 390, height: 844 } })
    const box = (selector: string) =>
      page.locator(selector).evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect)
    await query(page).pressSequentially('seller[in]=s-north,s-south&customer.name[contains]=smith&status=piad')
    await query(page).pressSequentially(
      '&customerName[startsWith]=j&total[gte]=5&items.product[contains]=surf&guests[gte]=1&tags[nin]=sea,vip&paidAt[gte]=2024-01-01&x=y',
    )
    const [field, mark] = [await box('.editor'), await box('#marks mark:last-child')]
    // The mark is 4 px higher than its line.
    expect(mark.bottom - 4).toBeLessThanOrEqual(field.bottom)
    expect(mark.top).toBeGreaterThan((field.top + field.bottom) / 2)
    // The lines of the marks are those of the text.
    const heights = await page.evaluate(() =>
      ['#lines', '#query'].map((one) => document.querySelector(one)!.scrollHeight),
    )
    expect(Math.abs(heights[0]! + 22 - heights[1]!)).toBeLessThan(4)
    await query(page).pressSequentially('&customer')
    const list = await box('#choices')
    expect(list.left).toBeGreaterThanOrEqual(0)
    expect(list.right).toBeLessThanOrEqual(390)
    await query(page).press('Escape')
    // Above the last line, the down key moves the cursor, and below it opens the list.
    await query(page).press('Control+Home')
    await until(async () => (await box('#marks mark:last-child')).top > field.bottom)
    await query(page).press('ArrowDown')
    expect(await page.locator('#choices').isVisible()).toBe(false)
    await query(page).press('Control+End')
    await query(page).press('ArrowDown')
    expect(await page.locator('#choices').isVisible()).toBe(true)
    // A text of several lines is one query.
    await query(page).fill('status=paid\n&total[gte]=5\r\n')
    expect(await query(page).inputValue()).toBe('status=paid&total[gte]=5')
    await close(page)
  })

  testAll('copies statements, a command and a link', async () => {
    const page = await open(linkTo("customerName=O'Neil ö&limit=2"), {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const copied = async (name: string) => {
      const button = page.getByRole('button', { name: `Copy ${name}`, exact: true })
      await button.click()
      await until(async () => (await button.innerText()) === 'Copied')
      return page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('SQL')).toBe(`SELECT "o".*
FROM "orders" AS "o"
WHERE "o"."customer_name" = $1::text
ORDER BY "o"."id" ASC
LIMIT $2::bigint
-- parameters: ['O\\'Neil ö', 3]
`)
    await page.getByRole('button', { name: 'select()' }).click()
    expect(await copied('SQL')).toMatch(/^SELECT "o"\."id" AS c1, "o"\."seller" AS c2,\n/)
    expect(await copied('MongoDB')).toMatch(/^orders\.find\(\n {2}\{ customerName: 'O\\'Neil ö' \},\n[^]*\)\n$/)
    const origin = new URL(page.url()).origin
    expect(await copied('curl')).toBe(
      `curl -g -H 'X-API-KEY: office-key' '${origin}/api/orders?customerName=O%27Neil%20%C3%B6&limit=2'`,
    )
    await page.getByRole('spinbutton', { name: 'id' }).fill('17')
    await page.getByText('The row', { exact: true }).click()
    expect(await copied('curl for order 17')).toBe(`curl -g -H 'X-API-KEY: office-key' '${origin}/api/orders/17'`)
    await page.getByRole('spinbutton', { name: 'id' }).fill('')
    const link = await copied('link')
    const other = await page.context().newPage()
    await other.goto(link)
    expect(await query(other).inputValue()).toBe("customerName=O'Neil ö&limit=2")
    expect(await other.getByRole('button', { name: 'select()' }).getAttribute('aria-pressed')).toBe('true')
    await close(page)
  })

  testAll('lists the fields with their operators, and begins a condition on one', async () => {
    const page = await open(linkTo('gift=true'))
    const lines = (await page.locator('#fields tbody tr').allInnerTexts()).map((line) => line.split('\t'))
    expect(lines.find(([name]) => name === 'arrival')).toEqual([
      'arrival',
      'date',
      'equals, notEqual, gt, gte, lt, lte, range, in, nin, exists',
    ])
    expect(lines.length).toBe(orders.paths.size)
    await page.locator('#fields').getByRole('button', { name: 'status' }).click()
    expect(await query(page).inputValue()).toBe('gift=true&status')
    expect(await page.locator('#choices').getByRole('option').first().innerText()).toContain('status=')
    await close(page)
  })

  testAll('shows every issue, with their number, and no pane of an older query', async () => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await open(linkTo('gift=true'), { viewport })
      const panes = page.locator('.panel')
      const shown = () =>
        panes.evaluateAll((all) => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).length)
      expect(await shown()).toBe(10)
      const box = await page.locator('.field').boundingBox()
      expect(await page.locator('#issues').innerText()).toBe('No issues')
      await query(page).fill(Array.from({ length: 12 }, (_, at) => `x${at}=1`).join('&'))
      expect(await page.locator('#issues').innerText()).toBe('12 issues')
      // Nothing hides a part of the list, and nothing in the list scrolls.
      const hidden = await page.evaluate(() =>
        Array.from(document.querySelectorAll('.issues li'), (one) => {
          one.scrollIntoView({ block: 'center' })
          const { left, top, bottom } = one.getBoundingClientRect()
          return document.elementFromPoint(left + 4, (top + bottom) / 2)?.closest('li') === one
        }),
      )
      expect(hidden).toEqual(Array.from({ length: 12 }, () => true))
      const scrolled = await page
        .locator('.issues')
        .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
      expect(scrolled).toBe(0)
      // The fields and the schema do not depend on the query. The issues push them down, and move nothing above.
      expect(await shown()).toBe(2)
      await page.evaluate(() => scrollTo(0, 0))
      expect(await page.locator('.field').boundingBox()).toEqual(box)
      const [issues, first] = [await page.locator('.reading').boundingBox(), await panes.first().boundingBox()]
      expect(issues!.y + issues!.height).toBeLessThanOrEqual(first!.y)
      await close(page)
    }
  })

  testAll('text of other directions moves nothing around it', async () => {
    const page = await open(linkTo('customerName[in]=אבג,דהו&tags=a\u202eb'))
    expect(await query(page).inputValue()).toBe('customerName[in]=אבג,דהו&tags=a%E2%80%AEb')
    const left = (selector: string, text: string) =>
      page.locator(selector).evaluate((element, wanted) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = (node as Text).data.indexOf(wanted)
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + wanted.length)
          return range.getBoundingClientRect().left
        }
        return NaN
      }, text)
    for (const selector of ['#mongo code', '#sql .parameters li:first-child', '.sentence']) {
      const [first, second] = [await left(selector, 'אבג'), await left(selector, 'דהו')]
      expect(first, selector).toBeLessThan(second)
    }
    await close(page)
  })

  testAll('every example fits its panes at 1440 × 900', async () => {
    const page = await open('', { viewport: { width: 1440, height: 900 } })
    for (const [what, text] of [['nothing', ''] as const, ...examples]) {
      await query(page).fill(text)
      const cut = await page.evaluate(() =>
        ['reading', 'sql', 'mongo', 'tree', 'facets', 'trace', 'notations', 'rows'].filter((id) => {
          const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.getElementById(id)!
          // A row has more columns than a screen.
          return scrollHeight > clientHeight || (id !== 'rows' && scrollWidth > clientWidth)
        }),
      )
      expect(cut, what).toEqual([])
      expect(await page.locator('#dialects').evaluate((one) => one.scrollWidth <= one.clientWidth), what).toBe(true)
    }
    await close(page)
  })

  testAll('on a phone, the rows come before the statements, and every dialect is in sight', async () => {
    const page = await open(linkTo('status=paid'), { viewport: { width: 390, height: 844 } })
    const order = () => page.evaluate(() => Array.from(document.querySelectorAll('h2'), (one) => one.textContent))
    expect((await order()).slice(0, 2)).toEqual(['Rows', 'SQL'])
    const tabs = await page
      .locator('#dialects')
      .getByRole('tab')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    expect(tabs.length).toBe(orderDialects.length)
    for (const right of tabs) expect(right).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1280, height: 900 })
    await until(async () => (await order())[0] === 'SQL')
    await close(page)
  })

  testAll('without JavaScript, the page tells what it needs, at its top', async () => {
    const page = await open('', { javaScriptEnabled: false })
    const note = page.locator('noscript p').first()
    expect(await note.innerText()).toContain('needs JavaScript')
    expect((await note.boundingBox())!.y).toBeLessThan(120)
    expect(await page.getByRole('main').isVisible()).toBe(false)
    // A query, its statement and its rows, from the build.
    const { page: found, count } = partsFor(
      answerOf('status=paid&total[gte]=500&items.product[contains]=surf&sort=-total&limit=5'),
    )
    expect(await page.locator('noscript tr').allInnerTexts()).toEqual([
      'id\tcustomerName\tarrival\ttotal',
      ...found.rows.map(({ id, customerName, arrival, total }) =>
        [id, customerName, arrival, total].map(String).join('\t'),
      ),
    ])
    expect(await page.getByRole('heading', { name: `Its rows: 5 of ${String(count)}` }).isVisible()).toBe(true)
    expect(await page.locator('noscript pre').nth(1).innerText()).toContain('AND "o"."total" >= $2::double precision')
    await close(page)
  })

  testAll('its links lead to pages of the documentation', async () => {
    const page = await open()
    const links = await page.locator('nav a').evaluateAll((all) => all.map((one) => one.getAttribute('href')!))
    expect(links.length).toBe(3)
    for (const link of links) expect(existsSync(join(folder, link)), link).toBe(true)
    await close(page)
  })

  testAll('shows the code of the list and of the query in tabs, by keyboard too', async () => {
    const scripts: string[] = []
    const page = await open('', {
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1280, height: 700 },
    })
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname.split('/').at(-1)!)
    })
    const tab = (name: string) => page.locator('#codes').getByRole('tab', { name, exact: true })
    const code = page.getByRole('tabpanel').filter({ hasText: 'import' })
    // The script comes when the pane is in view.
    expect(await tab('where').count()).toBe(0)
    await page.locator('#code').scrollIntoViewIfNeeded()
    await tab('where').waitFor()
    expect(scripts).toEqual(['more.js'])
    expect(await code.innerText()).toContain("filter: and(o.equals('status', 'paid'), o.gte('total', 500)),")
    await tab('where').focus()
    for (const [key, name, text] of [
      ['ArrowRight', 'Schema', "status: field.enumeration(['paid', 'held', 'new']),"],
      [
        'ArrowRight',
        'Collection',
        "search: ['customerName', 'customer.name', 'customer.email', 'items.product', 'tags'],",
      ],
      ['ArrowRight', 'Mapping', 'export const backend = sqlBackend({ dialect: postgres, table: mapping })'],
      ['End', 'Prisma', "where: { AND: [{ status: { equals: 'paid' } }, { total: { gte: 500 } }] },"],
      ['ArrowRight', 'where', 'export const query = buildQuery(collection, {'],
      ['ArrowLeft', 'Prisma', 'model Order {'],
      ['Home', 'where', "sort: ['-total'],"],
    ] as const) {
      await page.keyboard.press(key)
      expect(await tab(name).evaluate((one) => one === document.activeElement)).toBe(true)
      expect(await page.locator('#codes [tabindex="0"]').allInnerTexts()).toEqual([name])
      expect(await page.getByRole('tabpanel', { name, exact: true }).innerText()).toContain(text)
    }
    const button = page.getByRole('button', { name: 'Copy code' })
    await button.click()
    await until(async () => (await button.innerText()) === 'Copied')
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe((await code.innerText()).trim())
    // The code follows the query and the dialect.
    await query(page).fill('gift=true')
    expect(await code.innerText()).toContain("filter: o.equals('gift', true),")
    await tab('Mapping').click()
    await page.getByRole('tab', { name: 'SQLite' }).click()
    expect(await code.innerText()).toContain('sqlBackend({ dialect: sqlite, table: mapping })')
    // The script is there: no second request.
    expect(scripts).toEqual(['more.js'])
    await close(page)
  })

  testAll('reads the schema of a visitor, and keeps it in the link', async () => {
    const page = await open()
    const text = page.getByRole('textbox', { name: 'CREATE TABLE' })
    const use = page.getByRole('button', { name: 'Use it' })
    const list = page.getByLabel('List')
    const note = page.locator('#own-note')
    await page.getByRole('button', { name: 'Your schema' }).click()
    expect(await text.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(JSON.parse(await text.inputValue())).toEqual(orders.fields)
    // A text without a schema changes nothing.
    await text.fill('CREATE TABLE trips (title text)')
    await use.click()
    await until(async () => (await note.innerText()).includes('no PRIMARY KEY'))
    expect(await list.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'CREATE TABLE' }).click()
    await use.click()
    await until(async () => (await note.innerText()) === 'Read as a table of PostgreSQL.')
    expect(await list.locator('option').allInnerTexts()).toEqual(['orders', 'trips'])
    expect(await page.locator('#count').innerText()).toMatch(/ of 200 rows$/)
    await query(page).fill('price[gte]=5&tags=x&sort=-startsAt&limit=2')
    expect(await page.locator('#sql').innerText()).toContain('"trips"."price" >= $1::numeric')
    await page.locator('#codes').getByRole('tab', { name: 'Schema' }).click()
    expect(await page.locator('#code').innerText()).toContain('startsAt: field.datetime({ digits: 3 }),')
    expect(await page.locator('#codes').getByRole('tab').allInnerTexts()).toEqual([
      'where',
      'Schema',
      'Collection',
      'Mapping',
    ])
    await until(() => Promise.resolve(page.url().includes('limit%3D2')))
    const shared = await page.context().newPage()
    await shared.goto(page.url())
    await until(async () => (await shared.getByLabel('List').inputValue()) === 'trips')
    expect(await query(shared).inputValue()).toBe('price[gte]=5&tags=x&sort=-startsAt&limit=2')
    expect(await shared.getByRole('textbox', { name: 'CREATE TABLE' }).inputValue()).toContain('CREATE TABLE trips')
    await shared.close()
    await list.selectOption('orders')
    expect(await query(page).inputValue()).toBe('')
    expect(page.url()).not.toContain('schema=')
    await page.goBack()
    expect(await list.inputValue()).toBe('trips')
    // Markup and code in a schema are text.
    await text.fill(JSON.stringify({ id: { type: 'integer' }, [`<img src=x onerror=alert(1)>`]: { type: 'string' } }))
    await use.click()
    await until(async () => (await list.inputValue()) === 'rows')
    expect(await page.locator('#fields').innerText()).toContain('<img src=x')
    expect(await page.locator('img').count()).toBe(0)
    await close(page)
  })

  testAll('random queries leave no pane broken', async () => {
    const page = await open()
    const texts = fc.sample(
      fc.oneof(
        { weight: 3, arbitrary: someCollectionText(orderCollection, makeOrders()) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
      ),
      { numRuns: byEffort(300, 100), seed: 39 },
    )
    await page.locator('#code').scrollIntoViewIfNeeded()
    await page.locator('#code-0').waitFor()
    const broken = await page.evaluate(async (all) => {
      const editor = document.querySelector<HTMLTextAreaElement>('#query')!
      const found: string[] = []
      for (const text of all) {
        editor.value = text
        editor.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise((done) => setTimeout(done))
        const isValid = editor.getAttribute('aria-invalid') === 'false'
        for (const id of [
          'reading',
          'statement',
          'parameters',
          'mongo',
          'tree',
          'notations',
          'rows',
          'facets',
          'trace',
          'code',
        ]) {
          const shown = document.getElementById(id)!.textContent
          if (shown === '' || /undefined|\[object |NaN/.test(shown)) found.push(`${id} of ${text}`)
        }
        if (document.body.classList.contains('is-stale') === isValid) found.push(`state of ${text}`)
        if ((document.querySelectorAll('.issues li').length === 0) !== isValid) found.push(`issues of ${text}`)
        if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push(`width of ${text}`)
      }
      return found
    }, texts)
    expect(broken).toEqual([])
    await close(page)
  })

  testAll('opens from a disk, without a server', async () => {
    const page = await stage.browser.newPage()
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`${pathToFileURL(join(folder, 'index.html')).href}${linkTo('gift=true')}`)
    expect(await reading(page).innerText()).toContain('gift is true')
    await page.getByRole('button', { name: 'Three faults' }).click()
    await page.goBack()
    expect(await query(page).inputValue()).toBe('gift=true')
    await page.close()
  })

  describe('has no fault that axe finds', () => {
    const widths: readonly [string, BrowserContextOptions][] = [
      ['1280 px, light', { viewport: { width: 1280, height: 900 } }],
      ['1280 px, dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
      ['390 px, light', { viewport: { width: 390, height: 844 } }],
      ['390 px, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
      ['1280 px, forced colours', { viewport: { width: 1280, height: 900 }, forcedColors: 'active' }],
    ]
    // One of each scheme and width, or all pairs.
    test.each(byEffort(widths, byCompleteness([widths[0]!, widths[3]!, widths[4]!], [widths[0]!])))(
      '%s',
      async (_, options) => {
        const page = await open('', options)
        // The policy of the page keeps scripts out; this one comes by the debugger.
        await page.evaluate(axe.source)
        // axe leaves out the rule of WCAG 2.2 on the size of targets unless it is asked.
        const violations = async (hasOpenList = false) => {
          const { violations: found } = await page.evaluate(
            (isOn) =>
              (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run({
                rules: { 'target-size': { enabled: isOn } },
              }),
            // The list covers a part of what is under it.
            !hasOpenList,
          )
          return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        }
        expect(await violations(), 'at the beginning').toEqual([])
        await query(page).fill('items.arrival[range]=2024-06-01,2024-06-03&tags[nin]=vip&sort=-total')
        await page.locator('#rows tbody tr').first().click()
        expect(await violations(), 'with a trace').toEqual([])
        await query(page).fill('arival=2024-06-01&total[contains]=5&status=piad&a[b][c]=1&tags[]=x')
        expect(await violations(), 'with faults').toEqual([])
        await query(page).fill('status=paid&total')
        await query(page).press('ArrowDown')
        await query(page).press('ArrowDown')
        expect(await page.locator('#choices').getByRole('option').count()).toBeGreaterThan(5)
        expect(await violations(true), 'with the completion open').toEqual([])
        await query(page).fill('status[notEqual]=paid&limit=3')
        await page.locator('#notations').getByRole('button', { name: 'JSON:API' }).click()
        expect(await page.locator('#notations .refusal').count()).toBe(4)
        expect(await violations(), 'with a notation').toEqual([])
        await page.locator('#code').scrollIntoViewIfNeeded()
        await page.locator('#codes').getByRole('tab', { name: 'Prisma' }).click()
        expect(await violations(), 'with code').toEqual([])
        await page.getByRole('textbox', { name: 'CREATE TABLE' }).fill('x')
        await page.getByRole('button', { name: 'Use it' }).click()
        await page.locator('#own-note .refusal').waitFor()
        expect(await violations(), 'with a schema that is refused').toEqual([])
        await page.getByRole('button', { name: 'JSON Schema' }).click()
        await page.getByRole('button', { name: 'Use it' }).click()
        await until(async () => (await page.getByLabel('List').inputValue()) === 'rows')
        expect(await violations(), 'with a schema').toEqual([])
        await close(page)
      },
    )
  })
})
