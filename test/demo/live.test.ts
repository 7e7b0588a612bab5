/** The orders that change: the stream of each account, and the page that shows it. */
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccounts, type Principal } from '../../docs/demo/accounts.ts'
import { makeApp } from '../../docs/demo/app.ts'
import { changingOrders, orderChanges } from '../../docs/demo/changes.ts'
import { memoryStore } from '../../docs/demo/store.ts'
import type { Accounts } from '../../src/service/index.ts'
import { isInstalled, openBrowser } from '../playground/browser.ts'
import { serveDemo } from './served.ts'

let accounts: Accounts<Principal>
beforeAll(async () => {
  accounts = await makeAccounts(2)
})
/** Connects an account to the stream of a query. `next` reads the events up to the last one that was sent. */
async function connect(name: string, query: string, changing = changingOrders()) {
  const app = makeApp(memoryStore(), accounts, (error) => expect(error).toBe(undefined), undefined, changing)
  const response = await app(
    new Request(`http://x/live/orders?${query}`, {
      headers: { 'X-API-KEY': `${name}-key`, 'accept-encoding': 'gzip' },
    }),
  )
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => JSON.parse((await reader.read()).value!.replace(/^data: ([^\n]*)\n\n$/, '$1')) as unknown
  return { changing, response, reader, next }
}
const keys = (...ids: readonly number[]) => ids.map((id) => ({ id }))

describe('the stream', () => {
  test('begins with the page, and contains the rows that enter, leave and change', async () => {
    const { changing, response, next } = await connect('office', 'sort=-id&limit=2&fields=id,status')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(['cache-control', 'content-encoding', 'etag'].map((name) => response.headers.get(name))).toEqual([
      ...['no-store', null, null],
    ])
    const [last, first] = [2399, 2400].map((id) => changing.rows.get(id)!)
    const page = [first!, last!].map(({ id, status }) => ({ id, status }))
    expect(await next()).toEqual({ entered: page, left: [], changed: [], order: keys(2400, 2399) })

    changing.change(2401, { ...first!, id: 2401, status: 'held' })
    const entered = [{ id: 2401, status: 'held' }]
    expect(await next()).toEqual({ entered, left: keys(2399), changed: [], order: keys(2401, 2400) })
    changing.change(2401, { ...first!, id: 2401, status: 'paid' })
    const changed = [{ id: 2401, status: 'paid' }]
    expect(await next()).toEqual({ entered: [], left: [], changed, order: keys(2401, 2400) })
    changing.change(2401, undefined)
    expect(await next()).toEqual({ entered: [page[1]], left: keys(2401), changed: [], order: keys(2400, 2399) })
    // The row that follows is unknown: the stream reads the page again.
    changing.change(2400, undefined)
    changing.change(2399, undefined)
    expect(await next()).toMatchObject({ left: keys(2400), order: keys(2399, 2398) })
    expect(await next()).toMatchObject({ left: keys(2399), order: keys(2398, 2397) })
  })

  test('has an event for a row that moves and looks the same, and none for a change that the page does not show', async () => {
    const { changing, next } = await connect('office', 'id[lte]=2&sort=customerName&fields=id')
    const rows = [1, 2].map((id) => ({ ...changing.rows.get(id)!, id }))
    expect(await next()).toMatchObject({ left: [], changed: [] })
    changing.change(1, { ...rows[0]!, customerName: 'a' })
    changing.change(2, { ...rows[1]!, customerName: 'b', total: 1 })
    changing.change(2, { ...rows[1]!, customerName: 'b', total: 2 })
    changing.change(1, { ...rows[0]!, customerName: 'c' })
    let last: unknown
    do last = await next()
    while (JSON.stringify((last as { order: unknown }).order) !== '[{"id":2},{"id":1}]')
    expect(last).toEqual({ entered: [], left: [], changed: [], order: keys(2, 1) })
  })

  test('has only the rows of the caller, and names by its key alone a row that they may no longer see', async () => {
    const { changing, next } = await connect('north', 'sort=-id&limit=1&fields=seller')
    const foreign = { ...changing.rows.get(2400)!, seller: 's-south' }
    changing.change(3000, { ...foreign, id: 3000 })
    changing.change(3001, { ...foreign, id: 3001, seller: 's-north' })
    changing.change(3001, { ...foreign, id: 3001 })
    const { order } = (await next()) as { order: { id: number }[] }
    expect(order).toHaveLength(1)
    expect(await next()).toMatchObject({ entered: [{ id: 3001, seller: 's-north' }], left: order, order: keys(3001) })
    expect(await next()).toMatchObject({ entered: [{ ...order[0], seller: 's-north' }], left: keys(3001), order })
  })

  test('has no total for the desk, and refuses queries of it', async () => {
    const { next, reader } = await connect('desk', 'limit=1')
    const { entered } = (await next()) as { entered: object[] }
    expect(Object.keys(entered[0]!)).toContain('status')
    expect(Object.keys(entered[0]!)).not.toContain('total')
    await reader.cancel()
    for (const query of ['total[gte]=1', 'sort=total', 'fields=total', 'or=(id=1,total=1)']) {
      const { response, next } = await connect('desk', query)
      expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
      expect(await next()).toMatchObject({ issues: [{ parameters: { name: 'total' } }] })
    }
  })

  test('requires a key, whose place may be the URL', async () => {
    expect((await connect('nobody', '')).response.status).toBe(401)
    expect((await connect('nobody', 'apiKey=north-key')).response.status).toBe(400)
    const app = makeApp(memoryStore(), accounts, () => {})
    const statusOf = async (query: string) => {
      const { status, body } = await app(new Request(`http://x/live/orders?${query}`))
      await body?.cancel()
      return status
    }
    expect([await statusOf(''), await statusOf('apiKey=north-key'), await statusOf('apiKey=x')]).toEqual([
      401, 200, 401,
    ])
  })

  test('ends for a client that goes, and for one that does not read', async () => {
    const { changing, next, reader } = await connect('office', 'sort=-id&limit=1&fields=id')
    await next()
    const last = changing.rows.get(2400)!
    for (let id = 3000; id < 5000; id++) changing.change(id, { ...last, id })
    let events = 0
    while (!(await reader.read()).done) events++
    expect(events).toBeGreaterThan(900)
    expect(events).toBeLessThan(1_100)
    const other = await connect('office', 'limit=1', changing)
    await other.reader.cancel()
    changing.change(1, undefined)
  })

  test('the changes insert, update and delete orders', () => {
    const changing = changingOrders()
    const seen = { entered: 0, left: 0, stayed: 0 }
    changing.follow({ kind: 'and', filters: [] }, (before, after) => {
      seen[before === undefined ? 'entered' : after === undefined ? 'left' : 'stayed']++
    })
    const change = orderChanges(changing, 1)
    for (let at = 0; at < 400; at++) change()
    expect(seen.entered + seen.left + seen.stayed).toBe(400)
    expect(changing.rows.size).toBe(2400 + seen.entered - seen.left)
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
  })
})

describe.runIf(isInstalled)('the page', () => {
  const changing = changingOrders()
  let browser: Browser
  let demo: Awaited<ReturnType<typeof serveDemo>>
  beforeAll(async () => {
    demo = await serveDemo(undefined, changing)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    demo.close()
  })

  test.each([1280, 390])('shows rows that enter and leave without moving anything else, %i px wide', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 844 } })
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    await page.goto(`${demo.address}/live`)
    const ids = () => page.locator('tbody td:first-child').allTextContents()
    const told = (text: string) => page.locator('#changes li:first-child', { hasText: text }).waitFor()
    await page.locator('tbody tr:nth-child(8)').waitFor()
    const first = await ids()
    const model = changing.rows.get(Number(first[0]))!
    changing.change(9_000, { ...model, id: 9_000, customerName: 'A name that is longer than its column '.repeat(3) })
    await told('entered: 9000')
    expect(await ids()).toEqual(['9000', ...first.slice(0, 7)])
    changing.change(9_000, undefined)
    await told('left: 9000')
    expect(await ids()).toEqual(first)
    // Rows move in the table. The boxes around it stay.
    const boxOf = async () =>
      Promise.all(['form', '#state', '#changes', '.table'].map((box) => page.locator(box).boundingBox()))
    const boxes = await boxOf()
    changing.change(Number(first[0]), { ...model, status: 'held' })
    await told(`left: ${first[0]}`)
    expect(await boxOf()).toEqual(boxes)
    changing.change(Number(first[0]), model)

    await page.selectOption('select', 'desk')
    await page.click('button')
    await page.locator('#state', { hasText: 'unknown field "total"' }).waitFor()
    expect(await ids()).toEqual([])
    await page.fill('input', 'status=new&limit=1&fields=id,status')
    await page.click('button')
    await page.locator('#state', { hasText: 'Following as desk' }).waitFor()
    await page.locator('tbody tr').waitFor()
    expect(await page.locator('th').allTextContents()).toEqual(['id', 'status'])

    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run({
        rules: { 'target-size': { enabled: true } },
      }),
    )
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.click('#stop')
    await page.locator('#state', { hasText: 'Stopped' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})
