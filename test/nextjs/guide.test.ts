/** The files of docs/guides/frameworks.md for Next.js: an application of them, built by Next.js and asked over HTTP by a client. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, '.generated')
const next = join(import.meta.dirname, 'node_modules/next/dist/bin/next')
const isInstalled = existsSync(next)

test('Next.js is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/nextjs ci').toBe(false)
  skip('Nothing was asked of Next.js: npm --prefix test/nextjs ci installs it')
})

/** What the application has beside the files of the guide. Its rows are in memory, and a query for 777 is one that never ends. */
const others = {
  'package.json': '{ "private": true, "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2023', lib: ['dom', 'es2023'], module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
      ...{ strict: true, noEmit: true, isolatedModules: true, skipLibCheck: true, allowJs: true, incremental: true },
    },
    include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
  }),
  // node_modules of the repository are outside of the application.
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(root)} }, outputFileTracingRoot: ${JSON.stringify(root)} }`,
  'app/layout.tsx': `import type { ReactNode } from 'react'
    export default ({ children }: { children: ReactNode }) => <html><body>{children}</body></html>`,
  'service.ts': `import { defineCollection, defineSchema, field, where } from 'urlwhere'
    import { createListService } from 'urlwhere/http'
    import { memoryBackend } from 'urlwhere/memory'
    const orders = defineSchema({ id: field.integer(), seller: field.string({ required: true }), total: field.integer() })
    const collection = defineCollection(orders, { key: 'id', hidden: ['seller'], sort: ['total'] })
    const rows = [30, 10, 20, 50].map((total, at) => ({ id: at + 1, seller: at === 2 ? 's-2' : 's-1', total }))
    export const service = createListService<{ seller: string }>({
      authenticate: ({ headers }) => (headers.get('Authorization') === 'Bearer token-1' ? { seller: 's-1' } : undefined),
      collections: {
        orders: {
          collection,
          rows: {
            find: (query) =>
              JSON.stringify(query.filter).includes('777')
                ? new Promise<never>(() => {})
                : memoryBackend().compileQuery(query)(rows).rows,
          },
          restriction: ({ seller }) => where(orders).equals('seller', seller),
        },
      },
      onRequest: ({ principal, status }) => console.log('answer', principal?.seller, status),
      onError: (error) => console.log(error),
    })`,
}

describe.runIf(isInstalled && isComplete)('the guide', () => {
  let server: ChildProcess
  let base: string
  let printed = ''
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }

  beforeAll(async () => {
    const guide = await readFile(join(root, 'docs/guides/frameworks.md'), 'utf8')
    const shown = Array.from(guide.matchAll(/^<!-- file: (\S+) -->\n\n```typescript\n([^]*?)^```$/gm))
    expect(shown.map(([, name]) => name)).toEqual(['app/v1/[...path]/route.ts', 'pages/api/v1/[...path].ts'])
    await rm(folder, { recursive: true, force: true })
    const files = [...Object.entries(others), ...shown.map(([, name, code]) => [name!, code!] as const)]
    for (const [name, code] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), code)
    }
    const installed = join(folder, 'node_modules/urlwhere')
    for (const part of ['package.json', 'dist']) await cp(join(root, part), join(installed, part), { recursive: true })
    await promisify(execFile)(process.execPath, [next, 'build', folder], { env })
    server = spawn(process.execPath, [next, 'start', folder, '--port', '0', '--hostname', '127.0.0.1'], { env })
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (text) => (printed += text))
    while (!/Ready|rror/.test(printed)) await sleep(50)
    base = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0]
  })
  afterAll(() => server?.kill())

  const headers = { authorization: 'Bearer token-1' }
  describe.each([
    ['a route handler', '/v1/orders', 400],
    ['an API route', '/api/v1/orders', 200],
  ])('%s', (_, path, statusOfQuery) => {
    const get = (text: string, init: RequestInit = {}) => fetch(base + path + text, { headers, ...init })
    const idsOf = async (answer: Response) =>
      ((await answer.json()) as { data: { id: number }[] }).data.map(({ id }) => id)

    test('a page, by filter, order and cursor', async () => {
      const first = await get('?total[gte]=10&sort=-total&limit=2')
      const { data, page } = (await first.json()) as { data: object[]; page: { next: string } }
      expect([first.status, data]).toEqual([
        200,
        [
          { id: 4, total: 50 },
          { id: 1, total: 30 },
        ],
      ])
      expect(await idsOf(await get(`?total[gte]=10&sort=-total&limit=2&cursor=${page.next}`))).toEqual([2])
      const head = await get('', { method: 'HEAD' })
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'application/json', ''])
    })
    test('one row, and none of another seller', async () => {
      const answer = await get('/4')
      expect([answer.status, await answer.json()]).toEqual([200, { data: { id: 4, total: 50 } }])
      expect((await get('/3')).status).toBe(404)
    })
    test('a fault', async () => {
      const answer = await get('?total[gte]=x')
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
      expect(await answer.json()).toMatchObject({ issues: [{ code: 'operand_invalid', path: 'total' }] })
      expect((await get('', { method: 'POST' })).status).toBe(405)
    })
    test('nobody', async () => {
      const answer = await get('', { headers: {} })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    })
    test('QUERY, which a route handler does not get', async () => {
      const answer = await get('', {
        method: 'QUERY',
        body: new URLSearchParams({ 'total[gte]': '30', sort: 'total' }),
      })
      expect(answer.status).toBe(statusOfQuery)
      if (statusOfQuery === 200) expect(await idsOf(answer)).toEqual([1, 4])
    })
    test('a client that goes', async () => {
      const before = printed.length
      const leaving = new AbortController()
      const answer = get('?total[gte]=777', { signal: leaving.signal })
      await sleep(500)
      leaving.abort()
      await expect(answer).rejects.toThrow('abort')
      await expect.poll(() => printed.slice(before), { timeout: 10_000 }).toContain('answer s-1 499')
    })
  })
})
