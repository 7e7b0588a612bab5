/** The code of docs/guides/nestjs.md, as it is written there: compiled, and asked over HTTP by a client. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { PGlite } from '@electric-sql/pglite'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Pool } from 'pg'
import ts from 'typescript'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { newPglite } from '../engines/sql/pglite.ts'
import { strictProject } from '../package/code.ts'

const folder = import.meta.dirname
const generated = join(folder, '.generated')
const isInstalled = existsSync(join(folder, 'node_modules/@nestjs'))

test('NestJS is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/nestjs ci').toBe(false)
  skip('Nothing was asked of NestJS: npm --prefix test/nestjs ci installs it')
})

/** The parts of NestJS that the test calls: its types are installed beside it. */
interface App {
  setGlobalPrefix(prefix: string): void
  enableVersioning(options: object): void
  enableCors(options: object): void
  listen(port: number): Promise<void>
  getHttpServer(): Server
  close(): Promise<void>
}
interface Testing {
  overrideProvider(token: unknown): { useValue(value: object): Testing }
  overrideGuard(guard: unknown): { useValue(value: object): Testing }
  compile(): Promise<{ createNestApplication(...options: object[]): App }>
}
interface Guide {
  readonly OrdersModule: object
  readonly FastifyOrdersController: object
  readonly OrderLists: object
  readonly CallerGuard: object
  readonly describe: (app: App) => void
  readonly Test: { createTestingModule(metadata: object): Testing }
  readonly FastifyAdapter: new () => object
}

/** The files that the guide shows, and one that exports what the test asks. */
async function filesOfTheGuide(): Promise<readonly (readonly [name: string, code: string])[]> {
  const pageOf = (name: string) => readFile(join(folder, '../../docs/guides', name), 'utf8')
  const shown = (await pageOf('nestjs.md')).matchAll(/^<!-- file: (\S+) -->\n\n```typescript\n([^]*?)^```$/gm)
  return [
    ...Array.from(shown, ([, name, code]) => [name!, code!] as const),
    [
      'guide.ts',
      `import 'reflect-metadata'
      export * from './describe.ts'
      export * from './orders.module.ts'
      export * from './fastify.controller.ts'
      export { Test } from '@nestjs/testing'
      export { FastifyAdapter } from '@nestjs/platform-fastify'`,
    ],
  ]
}

const order = (id: number, status: string, total: string) => ({ id, status, total })
const headers = { authorization: 'Bearer token-1' }

test('the guide has as many lines as it says', async () => {
  const files = new Map(await filesOfTheGuide())
  const lines = ['orders.module.ts', 'main.ts', 'describe.ts'].flatMap((name) => files.get(name)!.split('\n'))
  const guide = await readFile(join(folder, '../../docs/guides/nestjs.md'), 'utf8')
  expect(guide).toContain(`in ${lines.filter((line) => /\S/.test(line)).length} lines.`)
})

describe.skipIf(!isInstalled)('the guide', () => {
  let guide: Guide
  let database: PGlite
  const logged: string[] = []
  const logger = {
    log: (line: string, context: string) => context === 'OrderLists' && logged.push(line),
    warn: () => {},
    error: (...lines: unknown[]) => logged.push(...lines.map(String)),
  }
  const pool = {
    // PGlite has the query of pg. A query for 777 is one that never ends.
    query: (text: string, parameters: unknown[]) =>
      parameters.includes('777') ? new Promise(() => {}) : database.query(text, parameters),
  }

  beforeAll(async () => {
    database = await newPglite()
    await database.exec(`
      CREATE TABLE orders (id int PRIMARY KEY, seller text NOT NULL, status text NOT NULL, total numeric NOT NULL);
      INSERT INTO orders VALUES
        (1, 's-1', 'paid', 30), (2, 's-1', 'paid', 10), (3, 's-2', 'paid', 20), (4, 's-1', 'paid', 20), (5, 's-1', 'new', 50)`)
    await rm(generated, { recursive: true, force: true })
    await mkdir(join(generated, 'node_modules'), { recursive: true })
    await symlink(join(folder, '../..'), join(generated, 'node_modules/urlwhere'))
    const options = { ...strictProject, experimentalDecorators: true, emitDecoratorMetadata: true }
    const project = { compilerOptions: { ...options, skipLibCheck: true, rewriteRelativeImportExtensions: true } }
    await writeFile(join(generated, 'tsconfig.json'), JSON.stringify(project))
    for (const [name, code] of await filesOfTheGuide()) {
      await writeFile(join(generated, name), code)
      const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
      const compilerOptions = { ...project.compilerOptions, ...target } as unknown as ts.CompilerOptions
      const { outputText } = ts.transpileModule(code, { fileName: name, compilerOptions })
      await writeFile(join(generated, name.replace(/ts$/, 'js')), outputText)
    }
    guide = (await import(pathToFileURL(join(generated, 'guide.js')).href)) as Guide
  })
  afterAll(() => database.close())

  test('compiles in a strict project', async () => {
    const compiler = join(folder, '../../node_modules/typescript/bin/tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', generated]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })

  const open: App[] = []
  afterEach(() => Promise.all(open.splice(0).map((app) => app.close())))
  /** Starts the module of the guide as its main.ts does. */
  async function start({
    options = { rawBody: true } as object,
    adapter = [] as object[],
    more = {},
    before = (_: App) => {},
  }) {
    const { Test, OrdersModule } = guide
    const testing = Test.createTestingModule({ imports: [OrdersModule], ...more })
      .overrideProvider(Pool)
      .useValue(pool)
    const app = (await testing.compile()).createNestApplication(...adapter, {
      forceCloseConnections: true,
      logger,
      ...options,
    })
    open.push(app)
    before(app)
    await app.listen(0)
    return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`
  }
  const atV1 = (app: App) => {
    app.setGlobalPrefix('v1')
    guide.describe(app)
  }
  const query = (content: string, type = 'application/x-www-form-urlencoded') => ({
    method: 'QUERY',
    headers: { ...headers, 'content-type': type },
    body: content,
  })

  const platforms = {
    'on Express': async () => `${await start({ before: atV1 })}/v1/orders`,
    'with a version in the URL': async () =>
      `${await start({ before: (app) => (app.setGlobalPrefix('api'), app.enableVersioning({ type: 0, defaultVersion: '2' })) })}/api/v2/orders`,
    'on Fastify': async () => {
      const { FastifyAdapter, FastifyOrdersController, OrderLists, Test } = guide
      const providers = [OrderLists, { provide: Pool, useValue: pool }]
      const module = Test.createTestingModule({ controllers: [FastifyOrdersController], providers })
      const app = (await module.compile()).createNestApplication(new FastifyAdapter(), { rawBody: true, logger })
      open.push(app)
      app.setGlobalPrefix('v1')
      await app.listen(0)
      return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/v1/orders`
    },
  }
  describe.each(Object.entries(platforms))('%s', (_, addressOf) => {
    let address: string
    beforeEach(async () => {
      address = await addressOf()
      logged.length = 0
    })
    const get = (text: string, init: RequestInit = {}) => fetch(address + text, { headers, ...init })

    test('a page, by filter, order and cursor', async () => {
      const first = await get('?status=paid&sort=-total&limit=2')
      const { data, page } = (await first.json()) as { data: object[]; page: { next: string } }
      expect([first.status, data]).toEqual([200, [order(1, 'paid', '30'), order(4, 'paid', '20')]])
      const next = await get(`?status=paid&sort=-total&limit=2&cursor=${page.next}`)
      expect(await next.json()).toMatchObject({ data: [order(2, 'paid', '10')] })
      const head = await get('', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(logged).toEqual(Array(3).fill('s-1 orders 200'))
    })
    test('one row, and none of another seller', async () => {
      const row = await fetch(`${await addressOf()}/1`, { headers })
      expect([row.status, await row.json()]).toEqual([200, { data: order(1, 'paid', '30') }])
      expect((await fetch(`${await addressOf()}/3`, { headers })).status).toBe(404)
    })
    test('a fault', async () => {
      const answer = await get('?total[gte]=x&sort=seller')
      expect(answer.status).toBe(400)
      // Fastify adds the charset.
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(?:; charset=utf-8)?$/)
      expect(await answer.json()).toMatchObject({ issues: [{ code: 'operand_invalid' }, { code: 'field_unknown' }] })
      const post = await get('', { method: 'POST' })
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, QUERY'])
    })
    test('nobody', async () => {
      for (const nobody of [{}, { authorization: 'Bearer wrong' }]) {
        const answer = await get('?total[gte]=x', { headers: nobody })
        expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthorized', statusCode: 401 }])
      }
      expect(logged).toEqual([])
    })
    test('QUERY', async () => {
      const answer = await get('', query('status=paid&sort=-total&limit=2'))
      expect([answer.status, await answer.json()]).toMatchObject([200, { data: [{ id: 1 }, { id: 4 }] }])
      expect(await (await get('', query('total[gte]=x'))).json()).toMatchObject({
        issues: [{ code: 'operand_invalid' }],
      })
      const members = JSON.stringify({ status: 'paid', sort: ['-total'], limit: 2 })
      const json = await get('', query(members, 'application/json'))
      expect([json.status, await json.json()]).toMatchObject([200, { data: [{ id: 1 }, { id: 4 }] }])
      expect(json.headers.get('accept-query')).toBe('application/x-www-form-urlencoded, application/json')
    })
    test('a client that goes', async () => {
      const leaving = new AbortController()
      const answer = get('?total[gte]=777', { signal: leaving.signal })
      await sleep(200)
      leaving.abort()
      await expect(answer).rejects.toThrow('abort')
      await expect.poll(() => logged).toEqual(['s-1 orders 499'])
    })
  })

  test('without rawBody a QUERY is refused, not taken for the empty query', async () => {
    const address = await start({ options: { rawBody: false } })
    const answer = await fetch(`${address}/orders`, query('status=paid'))
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { type: expect.stringMatching(/#content_incomplete$/) as string },
    ])
  })
  test('a controller that has lost its guard shows nothing', async () => {
    const { Test, OrdersModule, CallerGuard } = guide
    const testing = Test.createTestingModule({ imports: [OrdersModule] })
      .overrideProvider(Pool)
      .useValue(pool)
    const app = (
      await testing
        .overrideGuard(CallerGuard)
        .useValue({ canActivate: () => true })
        .compile()
    ).createNestApplication()
    open.push(app)
    await app.listen(0)
    const { port } = app.getHttpServer().address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/orders`, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { type: expect.stringMatching(/#caller_unknown$/) as string },
    ])
  })
  test('CORS of NestJS answers the preflight, and marks answers of the service', async () => {
    const address = await start({
      before: (app) => app.enableCors({ origin: 'https://a.example', methods: ['GET', 'QUERY'] }),
    })
    const origin = { origin: 'https://a.example', 'access-control-request-method': 'QUERY' }
    const preflight = await fetch(`${address}/orders`, { method: 'OPTIONS', headers: origin })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET,QUERY'])
    const answer = await fetch(`${address}/orders`, { headers })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'https://a.example'])
  })
  test('the page of Swagger has the description of the collection', async () => {
    const address = await start({ before: atV1 })
    expect(await (await fetch(`${address}/docs`)).text()).toContain('<div id="swagger-ui">')
    const document = (await (await fetch(`${address}/docs-json`)).json()) as Document
    expect(await new Validator().validate(document)).toEqual({ valid: true })
    expect(Object.keys(document.paths)).toEqual(['/v1/orders', '/v1/orders/{id}'])
    expect(JSON.stringify(document.paths['/v1/orders']!.get)).toContain('"#/components/schemas/OrderPage"')
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Order', 'OrderPage', 'Problem']))
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer'])
    expect(JSON.stringify(document)).not.toContain('seller')
  })
})

interface Document extends Record<string, unknown> {
  readonly paths: Readonly<Record<string, { readonly get: object }>>
  readonly components: { readonly schemas: object; readonly securitySchemes: object }
}
