/** The guide to front-ends: its page in Chromium and its examples, both against the demo; and how large the import is. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOrders, orderCollection, type Order } from '../../docs/demo/data.ts'
import { isComplete } from '../effort.ts'
import { asserted, complaintsAbout, inOneModule, strictProject } from '../package/code.ts'
import { isInstalled, openBrowser } from '../playground/browser.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const generated = join(import.meta.dirname, '.generated')
const guide = readFileSync(join(root, 'docs/guides/client.md'), 'utf8')
const blocks = Array.from(guide.matchAll(/^```(\w+)\n([^]*?)^```$/gm), ([, language, code]) => ({
  language: language!,
  code: code!,
}))
const codeOf = (only: string) =>
  blocks
    .filter(({ language }) => language === only)
    .map(({ code }) => code)
    .join('\n')
/** Blocks that begin with the name of a file. */
const files = blocks.flatMap(({ code }) => {
  const name = /^\/\/ (\w+\.tsx?)$/m.exec(code.split('\n', 1)[0]!)?.[1]
  return name === undefined ? [] : [{ name, code }]
})
const commands = codeOf('sh').trim().split('\n')

/** Where the guide and `npm start` have the demo. */
const usual = 'http://127.0.0.1:3000'

interface Process {
  readonly child: ChildProcess
  readonly address: string
}

/** Starts a process that prints the address on which it listens. */
async function start(command: string, options: readonly string[], cwd: string, env = {}): Promise<Process> {
  const child = spawn(command, options, { cwd, env: { ...process.env, ...env } })
  let printed = ''
  const address = new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      printed += text.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+(?=[/\n])/.exec(printed)
      if (found !== null) resolve(found[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`${command} ended: ${printed}`)))
  })
  return { child, address: await address }
}
async function stop({ child }: Process): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
const startDemo = (port = '0') => start(process.execPath, ['docs/demo/main.ts'], root, { PORT: port })

let demo: Process
beforeAll(async () => {
  await rm(generated, { recursive: true, force: true })
  await mkdir(join(generated, 'www'), { recursive: true })
  demo = await startDemo()
  for (const { name, code } of files) await writeFile(join(generated, name), code.replaceAll(usual, demo.address))
  await writeFile(join(generated, 'www/index.html'), codeOf('html'))
})
afterAll(() => stop(demo))

describe('the guide', () => {
  test('has the files of a page', () => {
    expect(files.map(({ name }) => name)).toEqual(['orders.ts', 'api.ts', 'query.ts', 'table.tsx', 'main.tsx'])
    expect(guide).toContain(usual)
  })

  test('compiles in a strict project', async () => {
    // The package has no types of react-dom, which only main.tsx imports.
    const types = `declare module 'react-dom/client' {
      export function createRoot(element: Element): { render(node: import('react').ReactNode): void }
    }`
    await writeFile(join(generated, 'react-dom.d.ts'), types)
    const options = {
      ...strictProject,
      ...{ module: 'preserve', jsx: 'react-jsx', lib: ['es2023', 'dom'], skipLibCheck: true },
      ...{ allowImportingTsExtensions: true },
    }
    const files = readdirSync(generated).filter((name) => /\.tsx?$/.test(name))
    expect(
      await complaintsAbout(
        files.map((name) => join(generated, name)),
        options,
      ),
    ).toBe('')
  })

  test('has the collection of the demo', async () => {
    const module = (await import(join(generated, 'orders.ts'))) as { orderCollection: typeof orderCollection }
    expect(module.orderCollection).toEqual(orderCollection)
  })

  test('has examples that are true of the demo, and errors that say what is wrong', async () => {
    const program = `import assert from 'node:assert/strict'
      ${asserted(inOneModule(codeOf('ts'))).replaceAll(usual, demo.address)}
      await assert.rejects(fetchOrders({ sort: ['arival' as 'id'] }), new Error('unknown field "arival"'))
      await assert.rejects(fetchOrders({ offset: 1 }), new Error('unknown field "offset"'))
      headers['X-API-KEY'] = 'nobody-key'
      await assert.rejects(fetchOrders({}), /^Error: .*key/)`
    const file = join(generated, 'examples.ts')
    await writeFile(file, program)
    await run(process.execPath, [file])
  })
})

test('Chromium is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'apt-get install chromium').toBe(false)
  skip('The page of the guide was not opened in a browser: apt-get install chromium')
})

describe.runIf(isInstalled)('the page of the guide', () => {
  let server: Process
  let browser: Browser
  let page: Page
  const faults: string[] = []
  beforeAll(async () => {
    const [command, ...options] = commands.at(-1)!.split(' ')
    expect([command, options.shift()]).toEqual(['npx', 'esbuild'])
    server = await start(join(root, 'node_modules/.bin/esbuild'), options, generated)
    browser = await openBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(10_000)
    page.on('console', (message) => {
      // React recommends its developer tools.
      if (message.type() !== 'info') faults.push(`${message.type()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(server.address)
  })
  afterAll(async () => {
    await browser.close()
    await stop(server)
  })

  /** What the account of the guide sees. */
  const visible = makeOrders().filter(({ seller }) => seller === 's-north')
  const cellsOf = ({ arrival, customerName, status, total, tags }: Order) =>
    [arrival, customerName, status, total, tags?.join(', ')].map((value) => String(value ?? '')).join('|')
  const patience = { timeout: 10_000 }
  const rowsAre = (orders: readonly Order[]) =>
    expect
      .poll(async () => {
        const rows = await page.locator('tbody tr').all()
        return Promise.all(rows.map(async (row) => (await row.locator('td').allTextContents()).join('|')))
      }, patience)
      .toEqual(orders.map(cellsOf))
  const shows = async (orders: readonly Order[], count: number) => {
    await rowsAre(orders)
    await expect.poll(() => page.getByRole('status').innerText(), patience).toBe(`${count} orders`)
    expect(await page.getByRole('alert').count()).toBe(0)
  }
  const button = (name: string) => page.getByRole('button', { name })
  const click = (name: string) => button(name).click()
  const byTotal = visible.toSorted((a, b) => (b.total ?? -1) - (a.total ?? -1) || b.id! - a.id!)

  test('shows the first page, the next and the previous one', async () => {
    await shows(visible.slice(0, 10), visible.length)
    expect(await button('Previous').isDisabled()).toBe(true)
    await click('Next')
    await shows(visible.slice(10, 20), visible.length)
    await click('Previous')
    await shows(visible.slice(0, 10), visible.length)
    expect(await button('Previous').isDisabled()).toBe(true)
  })

  test('starts at the first page in another order and with a filter', async () => {
    await click('Next')
    await shows(visible.slice(10, 20), visible.length)
    await click('Total')
    await shows(byTotal.slice(0, 10), visible.length)
    await click('Next')
    await shows(byTotal.slice(10, 20), visible.length)
    await page.getByLabel('Paid').check()
    const paid = byTotal.filter(({ status }) => status === 'paid')
    await shows(paid.slice(0, 10), paid.length)
    await page.getByLabel('Paid').uncheck()
    await shows(byTotal.slice(0, 10), visible.length)
    expect(await button('Tags').isDisabled()).toBe(true)
    expect(faults).toEqual([])
  })

  test('says which service does not answer, keeps its rows, and tries again', async () => {
    const alert = () =>
      expect
        .poll(() => page.getByRole('alert').innerText(), patience)
        .toContain(`${new URL(demo.address).host} does not answer. Does the service run?`)
    await stop(demo)
    await click('Next')
    await alert()
    await rowsAre(byTotal.slice(0, 10))
    expect(await button('Next').isDisabled()).toBe(true)
    await page.reload()
    await alert()
    await rowsAre([])

    demo = await startDemo(new URL(demo.address).port)
    await click('Try again')
    await shows(visible.slice(0, 10), visible.length)
    // The browser's own lines on failed requests: no exception, and no rejection that nothing handles.
    expect(faults.filter((fault) => !fault.includes('net::ERR_CONNECTION_REFUSED'))).toEqual([])
  })
})

describe('what a front-end imports', () => {
  /** What the guide imports of `urlwhere/filter`: in the module of the collection, by its type alone, and with the schema. */
  const [module, byType, withSchema] = Array.from(
    codeOf('ts').matchAll(/^import \{([^}]*)\} from 'urlwhere\/filter'$/gm),
    ([, imported]) => imported!.split(',').filter((name) => !name.includes('type ')),
  ) as [string[], string[], string[]]

  test.each([
    ['by the type of the collection', byType, ['queryString'], 1_500, /performSelfAnalysis|defineSchema/],
    [
      'with the schema',
      [...module, ...withSchema],
      ['where', 'buildQuery', 'printQuery', 'defineCollection'],
      // Aliases, searches, facets, zones and lists as a whole are 4 kB of it. Days of a collection with few operators are 180 B. The option
      // `empty` is in it, too. The tables of types and parameters are 120 B. What was asked is 1.7 kB: its check, its text, and its days in
      // the zone of who reads the text.
      24_300,
      /performSelfAnalysis/,
    ],
  ])('%s: its size is as the guide says, and it has no parser', async (_, names, among, most, absent) => {
    expect(names.map((name) => name.trim())).toEqual(expect.arrayContaining(among))
    const { outputFiles } = await build({
      stdin: { contents: `export {${names.join(',')}} from 'urlwhere/filter'`, resolveDir: import.meta.dirname },
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' },
    })
    const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    expect(outputFiles[0]!.text).not.toMatch(absent)
    expect(size).toBeLessThan(most)
    const [, said] = new RegExp(`^\\| \`${among[0]}\`.*\\| about ([\\d.]+) kB`, 'm').exec(guide)!
    expect(said).toBe(Number((size / 1000).toPrecision(2)).toString())
  })

  test('is said in the same size on every page', () => {
    const pages = [
      'README.md',
      'CHANGELOG.md',
      'docs/README.md',
      'docs/llms.txt',
      'docs/faq.md',
      'docs/guides/client.md',
    ]
    const [, measured] = /^\| `queryString` .*\| about ([\d.]+) kB/m.exec(guide)!
    for (const page of pages) {
      const text = readFileSync(join(root, page), 'utf8').replace(/^\|.*\| about .*$/gm, '')
      const sizes = Array.from(text.matchAll(/([\d.]+)\s+kB/g), ([, size]) => size)
      expect(sizes, page).toEqual([measured])
    }
  })
})
