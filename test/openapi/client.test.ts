/** Clients of others: openapi-fetch asks the demo; the types that openapi-typescript generates permit what the demo takes. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import createClient, { type ClientOptions } from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeAccounts } from '../../docs/demo/accounts.ts'
import { makeOrders, orders } from '../../docs/demo/data.ts'
import { makeService } from '../../docs/demo/service.ts'
import { memoryStore } from '../../docs/demo/store.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, defineCollection, defineSchema, field, where, type Collection } from '../../src/index.ts'
import { isComplete } from '../effort.ts'
import { asserted, complaintsAbout, strictProject } from '../package/code.ts'
import { documentOf, documents } from './documents.ts'
import { generateTypes, isInstalled, lint, startDemo, type Demo } from './tools.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const asked = {
  compact: {
    status: { in: 'paid,held' },
    'items.arrival': { gte: '2024-06-01', lt: '2024-07-01' },
    customerName: { doesNotContain: 'ñáñez, & co' },
    guests: { range: '1,4' },
  },
  flat: {
    'status[in]': ['paid', 'held'],
    'items.arrival[gte]': '2024-06-01',
    'items.arrival[lt]': '2024-07-01',
    'customerName[doesNotContain]': 'ñáñez, & co',
    'guests[range]': [1, 4],
  },
}

interface Paths {
  readonly '/api/orders': { readonly get: { readonly responses: { 200: { content: { 'application/json': Page } } } } }
}
interface Page {
  readonly data: { id: number }[]
  readonly page: { readonly count: number }
}

/** A client of the demo over memory. */
const clientOf = async (options: ClientOptions = {}) => {
  const fetch = makeService(memoryStore(), await makeAccounts(16), () => {})
  return createClient<Paths>({ baseUrl: 'http://localhost', headers: { 'X-API-KEY': 'office-key' }, fetch, ...options })
}

test.each(['compact', 'flat'] as const)(
  'openapi-fetch, %s: the demo answers with the rows that are asked for',
  async (style) => {
    const client = await clientOf({ querySerializer: { array: { style: 'form', explode: false } } })
    const query = { ...asked[style], sort: ['-total', 'id'], limit: 200, fields: ['id', 'customer.name'], count: true }
    const { data, error } = await client.GET('/api/orders', { params: { query } as object })
    expect(error).toBeUndefined()

    const w = where(orders)
    const matches = memoryBackend().compile(
      and(
        w.in('status', ['paid', 'held']),
        w.some('items', (item) => and(item.gte('arrival', '2024-06-01'), item.lt('arrival', '2024-07-01'))),
        w.doesNotContain('customerName', 'ñáñez, & co'),
        w.range('guests', 1, 4),
      ),
    )
    const expected = makeOrders().filter(matches)
    expect(expected.length).toBeGreaterThan(10)
    expect(data!.page.count).toBe(expected.length)
    expect(data!.data.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
    expect(Object.keys(data!.data[0]!)).toEqual(['id', 'customer'])
  },
)

test('openapi-fetch without querySerializer: the hint says to join the paths', async () => {
  const client = await clientOf()
  const query = { sort: ['-total', 'id'], fields: ['id', 'total', 'status'] }
  const { response, error } = await client.GET('/api/orders', { params: { query } as object })
  expect(response.status).toBe(400)
  const { issues } = error as unknown as { issues: { code: string; hint?: string }[] }
  expect(issues.map(({ code, hint }) => [code, hint])).toEqual([
    ['parameter_duplicate', 'join the paths with commas: sort=…,…'],
    ['parameter_duplicate', 'join the paths with commas: fields=…,…'],
    ['parameter_duplicate', 'join the paths with commas: fields=…,…'],
  ])
})

test('the linter and the generator are installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/openapi ci').toBe(false)
  skip('No client was generated: npm --prefix test/openapi ci installs what does it')
})

describe.skipIf(!isInstalled)('installed', () => {
  const generated = join(import.meta.dirname, '.generated/types')
  let demo: Demo
  beforeAll(async () => {
    await rm(generated, { recursive: true, force: true })
    await mkdir(generated, { recursive: true })
    demo = await startDemo()
  })
  afterAll(() => demo.stop())

  test.each(documents)('Redocly finds nothing in a document of $version, $style', async (options) => {
    expect(await lint(documentOf(options))).toEqual([])
  })
  test('Redocly finds what is not described', async () => {
    const { components: _, ...document } = documentOf({})
    expect((await lint(document)).join()).toContain('security-defined')
  })

  /** The compiler's complaints about a program that uses the types of a document. */
  async function complaints(
    name: string,
    style: 'compact' | 'flat',
    program: string,
    collections?: Readonly<Record<string, Collection>>,
    rows?: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const folder = join(generated, name)
    await mkdir(folder)
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(documentOf({ style }, collections, rows)))
    await generateTypes(join(folder, 'openapi.json'), join(folder, 'api.d.ts'))
    await writeFile(join(folder, 'program.ts'), program)
    const options = { ...strictProject, module: 'preserve', lib: ['es2023', 'dom'] }
    const files = ['api.d.ts', 'program.ts'].map((file) => join(folder, file))
    return complaintsAbout(files, options)
  }

  test('the guide: its client is typed, and the demo answers', async () => {
    const guide = readFileSync(join(root, 'docs/guides/openapi.md'), 'utf8')
    const code = /^```typescript\n([^]*?)^```$/m.exec(guide)![1]!.replaceAll('http://127.0.0.1:3000', demo.address)
    const program = `import assert from 'node:assert/strict'\n${asserted(code)}`
    expect(await complaints('guide', 'compact', program)).toBe('')
    expect(program).toContain('assert.deepEqual')
    await run(process.execPath, [join(generated, 'guide/program.ts')])
  })

  test('rows whose fields nobody can leave out: they are required, and not null', async () => {
    const must = { required: true } as const
    const schema = defineSchema({
      id: field.uuid(),
      views: field.bigint(must),
      price: field.decimal(),
      customer: field.object({ name: field.string(must), email: field.string() }, must),
      items: field.list(field.object({ price: field.decimal(must) })),
    })
    const collections = { Orders: defineCollection(schema, { key: 'id' }) }
    const program = `import createClient from 'openapi-fetch'
      import type { paths } from './api'
      const { data } = await createClient<paths>({ baseUrl: '' }).GET('/api/orders')
      type Order = NonNullable<typeof data>['data'][number]
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
      const id: Same<Order['id'], string> = true
      const views: Same<Order['views'], string> = true
      const price: Same<Order['price'], string | null | undefined> = true
      const name: Same<Order['customer']['name'], string> = true
      const email: Same<Order['customer']['email'], string | null | undefined> = true
      const item: Same<NonNullable<NonNullable<Order['items']>[number]>['price'], string> = true
      export { id, views, price, name, email, item }`
    expect(await complaints('required', 'compact', program, collections)).toBe('')
  })

  test("zod's rows: the client has their type", async () => {
    const Order = z.object({
      id: z.int(),
      status: z.enum(['paid', 'held']),
      arrival: z.iso.date().nullable(),
      customer: z.object({ name: z.string() }),
      items: z.array(z.object({ price: z.number().nonnegative(), gift: z.boolean() })),
    })
    const schema = defineSchema({ id: field.integer(), status: field.enumeration(['paid', 'held']) })
    const program = `import createClient from 'openapi-fetch'
      import type { paths } from './api'
      const { data } = await createClient<paths>({ baseUrl: '' }).GET('/api/orders')
      type Order = NonNullable<typeof data>['data'][number]
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
      const status: Same<Order['status'], 'paid' | 'held'> = true
      const arrival: Same<Order['arrival'], string | null> = true
      const customer: Same<Order['customer'], { name: string }> = true
      const items: Same<Order['items'], { price: number; gift: boolean }[]> = true
      const names: Same<keyof Order, 'id' | 'status' | 'arrival' | 'customer' | 'items'> = true
      export { status, arrival, customer, items, names }`
    const collections = { Orders: defineCollection(schema, { key: 'id' }) }
    expect(await complaints('zod', 'compact', program, collections, { Orders: Order })).toBe('')
    // Without them, the document knows two fields.
    expect(await complaints('no-zod', 'compact', program, collections)).toContain("Property 'arrival' does not exist")
  })

  test('a bounded count is a number, or at least its maximum; hidden fields have no type', async () => {
    const schema = defineSchema({ id: field.integer(), tenantId: field.integer() })
    const collections = { Orders: defineCollection(schema, { key: 'id', count: { max: 1000 }, hidden: ['tenantId'] }) }
    const program = `import createClient from 'openapi-fetch'
      import type { paths } from './api'
      const { data } = await createClient<paths>({ baseUrl: '' }).GET('/api/orders', { params: { query: { count: true } } })
      type Page = NonNullable<typeof data>['page']
      const count: Page['count'] = data?.page.count
      const text: string = typeof count === 'object' ? \`at least \${count.atLeast}\` : String(count ?? 0)
      // @ts-expect-error not a number alone
      const number: number = count ?? 0
      // @ts-expect-error hidden
      const tenant: unknown = data?.data[0]?.tenantId
      export { text, number, tenant }`
    expect(await complaints('bounded', 'compact', program, collections)).toBe('')
  })

  test.each([
    [
      'compact',
      `await client.GET('/api/orders', { params: { query: ${JSON.stringify(asked.compact)} } })
      // @ts-expect-error no value of the enumeration
      await client.GET('/api/orders', { params: { query: { status: { equals: 'piad' } } } })
      // @ts-expect-error no operator of the field
      await client.GET('/api/orders', { params: { query: { total: { contains: '1' } } } })
      // @ts-expect-error text is no number
      await client.GET('/api/orders', { params: { query: { total: { gte: '1' } } } })`,
    ],
    [
      'flat',
      `await client.GET('/api/orders', { params: { query: { ...${JSON.stringify(asked.flat)}, 'status[in]': ['paid'] } } })
      // @ts-expect-error no value of the enumeration
      await client.GET('/api/orders', { params: { query: { 'status[in]': ['piad'] } } })
      // @ts-expect-error no operator of the field
      await client.GET('/api/orders', { params: { query: { 'total[contains]': '1' } } })`,
    ],
  ] as const)('%s: the types permit what the demo takes, and no more', async (style, calls) => {
    const program = `import createClient from 'openapi-fetch'
      import type { paths } from './api'
      const client = createClient<paths>({ baseUrl: '' })
      ${calls}
      // @ts-expect-error no field
      await client.GET('/api/orders', { params: { query: { arival: '2024-01-01' } } })
      // @ts-expect-error not sortable
      await client.GET('/api/orders', { params: { query: { sort: ['tags'] } } })
      const orders = await client.GET('/api/orders')
      type Order = NonNullable<typeof orders.data>['data'][number]
      type Item = NonNullable<NonNullable<Order['items']>[number]>
      type Mays<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T]
      type Same<A, B> = [A, B] extends [B, A] ? true : false
      // A caller may leave fields out, so none is required. The key and what the schema requires are never null.
      const ofOrder: Same<Exclude<keyof Order, Mays<Order>>, 'id' | 'seller'> = true
      const ofItem: Same<Exclude<keyof Item, Mays<Item>>, never> = true
      // @ts-expect-error no null
      const none: Order['id'] = null
      const { data, error } = await client.GET('/api/experiences')
      type Experience = NonNullable<typeof data>['data'][number]
      const ofExperience: Same<Exclude<keyof Experience, Mays<Experience>>, 'id' | 'seller' | 'name'> = true
      const name: string | undefined = data?.data[0]?.name
      export { ofOrder, ofItem, ofExperience, none, name }
      const price: number | null | undefined = data?.data[0]?.price
      const next: string | undefined = data?.page.next
      const code: 'field_unknown' | undefined = error?.issues?.find((one) => one.code === 'field_unknown')?.code as 'field_unknown'
      export { price, next, code }`
    expect(await complaints(style, style, program)).toBe('')
  })
})
