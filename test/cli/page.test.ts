/** The page of `urlwhere serve` in Chromium, on a database like Chinook. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { isInstalled, openBrowser } from '../playground/browser.ts'
import { newProject } from './project.ts'
import { serve, type Serving } from './serving.ts'

test('Chromium is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'apt-get install chromium').toBe(false)
  skip('No browser opened the page of serve: apt-get install chromium')
})

const hostile = '<img src=x onerror=alert(1)>'
const ddl = `
  CREATE TABLE Artist (ArtistId INTEGER NOT NULL PRIMARY KEY, Name TEXT, ApiToken TEXT);
  CREATE TABLE Genre (GenreId INTEGER NOT NULL PRIMARY KEY, Name TEXT);
  CREATE TABLE Album (AlbumId INTEGER NOT NULL PRIMARY KEY, Title TEXT NOT NULL, ArtistId INTEGER NOT NULL REFERENCES Artist);
  CREATE TABLE Track (TrackId INTEGER NOT NULL PRIMARY KEY, Name TEXT NOT NULL, AlbumId INTEGER REFERENCES Album,
    GenreId INTEGER REFERENCES Genre, Milliseconds INTEGER NOT NULL, "${hostile}" TEXT);
  CREATE INDEX AlbumArtist ON Album (ArtistId);
  CREATE INDEX TrackAlbum ON Track (AlbumId);
  INSERT INTO Artist VALUES (1, 'AC/DC', 't-1'), (2, 'Accept', 't-2');
  INSERT INTO Genre VALUES (1, 'Rock'), (2, '${hostile}');
  INSERT INTO Album VALUES (1, 'For Those About To Rock', 1), (2, 'Balls to the Wall', 2), (3, 'Restless and Wild', 2);
  INSERT INTO Track WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
    SELECT i, 'Track ' || i, i % 3 + 1, i % 2 + 1, i * 1000, '${hostile}' FROM n`

describe.runIf(isInstalled)('the page', () => {
  const project = newProject({})
  let serving: Serving
  let browser: Browser
  beforeAll(async () => {
    const database = new DatabaseSync(join(project.folder, 'chinook.db'))
    database.exec(ddl)
    database.close()
    serving = await serve(project, ['chinook.db'])
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await serving.stop()
    project.remove()
  })

  const faults: string[] = []
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  async function open(fragment = ''): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(serving.address)) faults.push(`asks ${request.url()}`)
    })
    await page.goto(serving.address + fragment)
    await started(page)
    return page
  }
  /** The page starts when it has the data of the lists. */
  const started = (page: Page) =>
    expect.poll(() => page.locator('#prefix').innerText(), { timeout: 10_000 }).not.toBe('')
  const query = (page: Page) => page.getByRole('textbox', { name: 'Query string' })
  const count = (page: Page) => page.locator('#count').innerText()
  const keys = (page: Page) =>
    page.locator('#rows input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  const until = async (read: () => Promise<unknown>, value: unknown) =>
    expect.poll(read, { timeout: 10_000 }).toEqual(value)

  test('shows the rows, the SQL, the next page, a facet and a trace of a query that is typed', async () => {
    const page = await open()
    await page.getByLabel('List').selectOption('track')
    await until(() => count(page), '50 rows')
    await query(page).pressSequentially('milliseconds[gte]=10000&sort=-trackId&limit=5')
    await until(() => count(page), '41 rows')
    await until(() => keys(page), ['50', '49', '48', '47', '46'])
    expect(await page.locator('.sentence').innerText()).toBe('milliseconds is at least 10000')
    expect(await page.locator('#dialects').getByRole('tab').allInnerTexts()).toEqual(['SQLite'])
    const statement = await page.locator('#statement').innerText()
    expect(statement).toMatch(/^SELECT CAST\("Track"\."TrackId" AS TEXT\) AS c1, "Track"\."Name" AS c2,\n/)
    expect(statement).toMatch(/\sWHERE "Track"\."Milliseconds" >= \?\s+ORDER BY "Track"\."TrackId" DESC\s+LIMIT /)
    expect(await page.locator('.parameters li').allInnerTexts()).toEqual(['10000', '6'])

    await page.getByRole('button', { name: 'Next page' }).click()
    await until(() => keys(page), ['45', '44', '43', '42', '41'])
    expect(await query(page).inputValue()).toMatch(/&cursor=\w+$/)
    await page.getByRole('button', { name: 'Previous page' }).click()
    await until(async () => (await keys(page))[0], '50')

    const facet = page.getByRole('group', { name: 'genre.name', exact: true }).getByRole('button', { name: 'Rock' })
    await facet.click()
    await until(() => count(page), '21 rows')
    expect(await query(page).inputValue()).toBe('milliseconds[gte]=10000&sort=-trackId&limit=5&genre.name=Rock')

    await page.locator('#rows tbody tr').first().click()
    expect(await page.locator('#traced').innerText()).toBe('Row 50 is selected')
    // A row that is on no page.
    await page.getByRole('spinbutton', { name: 'trackId' }).fill('3')
    await until(() => page.locator('#traced').innerText(), 'Row 3 is not selected')
    expect(await page.locator('#trace .fails').count()).toBeGreaterThan(0)
    await page.getByRole('spinbutton', { name: 'trackId' }).fill('999')
    await until(() => page.locator('#traced').innerText(), 'There is no row 999')
    await page.close()
  })

  test('marks an issue and applies its fix, completes names, and keeps the list in the address', async () => {
    const page = await open('#list=track&query=mliseconds%5Bgte%5D%3D49000')
    expect(await page.locator('.issues .message').allInnerTexts()).toEqual(['unknown field "mliseconds"'])
    await page.getByRole('button', { name: 'did you mean milliseconds?' }).click()
    await until(() => count(page), '2 rows')
    await query(page).pressSequentially('&genre.n')
    expect(await page.locator('#choices .insert').allInnerTexts()).toEqual(['genre.name'])
    await page.reload()
    await started(page)
    expect(await page.getByLabel('List').inputValue()).toBe('track')
    expect(await page.locator('#prefix').innerText()).toBe('/api/track?')
    await page.getByLabel('List').selectOption('album')
    await until(() => count(page), '3 rows')
    // The text begins behind the name of its list.
    const [prefix, indent] = await page.evaluate(() => [
      document.querySelector('#prefix')!.getBoundingClientRect().width,
      Number.parseFloat(getComputedStyle(document.querySelector('#query')!).textIndent),
    ])
    expect(Math.abs(prefix! - indent!)).toBeLessThan(1)
    await page.goBack()
    await until(() => page.getByLabel('List').inputValue(), 'track')
    await page.close()
  })

  test('has examples of its own values, each with rows', async () => {
    const page = await open('#list=track')
    const examples = page.locator('#examples button')
    await until(() => examples.count(), 6)
    for (const at of [0, 1, 2, 3, 4]) {
      await examples.nth(at).click()
      await until(async () => /^[1-9]\d* rows?$/.test(await count(page)), true)
      expect(await page.locator('#issues').innerText()).toBe('No issues')
    }
    await examples.nth(5).click()
    expect(await page.locator('#issues').innerText()).toBe('1 issue')
    await page.close()
  })

  test('shows names and values of the database as text, and no hidden column', async () => {
    const page = await open('#list=track')
    await until(() => count(page), '50 rows')
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('#rows').innerText()).toContain(hostile)
    expect(await page.locator('#facets').innerText()).toContain(hostile)
    expect(await page.locator('#statement').innerText()).toContain(`"Track"."${hostile}"`)
    await page.getByLabel('List').selectOption('artist')
    await until(() => count(page), '2 rows')
    expect(await page.locator('body').innerText()).not.toMatch(/token|t-1/i)
    expect(await (await fetch(`${serving.address}playground.json`)).text()).not.toMatch(/token/i)
    await page.close()
  })

  test('is not wider than a phone', async () => {
    const page = await open('#list=track')
    await page.setViewportSize({ width: 390, height: 844 })
    await until(() => count(page), '50 rows')
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
    await page.close()
  })

  test('has no fault that axe finds', async () => {
    const page = await open('#list=track&row=1')
    await until(() => count(page), '50 rows')
    // The policy of the page keeps scripts out. The debugger adds this one.
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
    )
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    await page.close()
  })

  test('shows that the server has ended', async () => {
    const other = await serve(project, ['chinook.db'])
    const page = await browser.newPage()
    await page.goto(other.address)
    await until(() => count(page), '3 rows')
    await other.stop()
    await query(page).fill('albumId=1')
    await until(() => page.locator('#rows').innerText(), 'The server does not answer.')
    await page.close()
  })
})
