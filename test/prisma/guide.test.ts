/** The code of docs/guides/prisma.md, as it is written there, with generated clients; and its table of preconditions. */
import { readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { simpleLowerCase, type prismaBackend } from '../../src/backends/prisma/index.ts'
import { providers } from '../../src/backends/prisma/provider.ts'
import { mariadb, postgres, sqlBackend, sqlite, table, type SqlBackend } from '../../src/backends/sql/index.ts'
import { prismaRows, sqlRows, type BackendRows, type SqlRun } from '../../src/service/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toAnswer,
} from '../../src/index.ts'
import type { Collection, Filter, InferRow, Schema } from '../../src/index.ts'
import type { orders as sameOrders } from '../orders.ts'
import { sectionsOf, tableOf, tableRows } from '../package/page.ts'
import { generate, isInstalled, newFolder, opening } from './client.ts'
import type { Client, Database, Generated, Model } from './client.ts'

test('the preconditions', () => {
  const all = Object.entries(providers)
  const texts = new Set(all.flatMap(([, { preconditions }]) => preconditions))
  const rows = Array.from(texts, (one) => [
    all.flatMap(([name, { preconditions }]) => (preconditions.includes(one) ? [name] : [])).join(', '),
    one,
  ])
  sectionsOf('guides/prisma.md')('table: preconditions', tableRows, tableOf(['providers', 'precondition'], rows))
})

// East of Greenwich, where a local midnight is on the day before in UTC.
process.env.TZ = 'Asia/Tokyo'

interface Answer {
  readonly data: readonly { readonly id: number }[]
  readonly page: { readonly next?: string; readonly previous?: string; readonly count?: number }
}
interface Guide {
  readonly orders: Schema
  readonly datamodel: string
  readonly backend: ReturnType<typeof prismaBackend>
  readonly ordersOf: (model: Model, filter: Filter) => Promise<{ readonly id: number }[]>
  readonly collection: Collection
  readonly sqlOfOrders: SqlBackend
  readonly orderCollection: Collection
  readonly orderBackend: ReturnType<typeof prismaBackend>
  readonly rowsOf: (model: Model) => BackendRows
}
/** The code of the page in a module of its own, for a provider. */
async function guideFor({ provider, collation }: Database): Promise<Guide> {
  const page = await readFile(join(import.meta.dirname, '../../docs/guides/prisma.md'), 'utf8')
  const code = Array.from(page.matchAll(/^```ts\n([^]*?)^```$/gm), ([, block]) => block).join('\n')
  const folder = join(import.meta.dirname, '../../src')
  const native = (text: string) => (provider === 'sqlite' ? text.replaceAll(' @db.Date', '') : text)
  // Its examples, which test/package/docs.test.ts runs, are for PostgreSQL.
  const own = native(code.replace(/^.*\/\/ =>.*\n/gm, ''))
    .replaceAll(/'urlwhere'/g, JSON.stringify(join(folder, 'index.ts')))
    .replace(/'urlwhere\/prisma'/, JSON.stringify(join(folder, 'backends/prisma/index.ts')))
    .replace(/'urlwhere\/http'/, JSON.stringify(join(folder, 'service/index.ts')))
    .replace(/'urlwhere\/sql'/, JSON.stringify(join(folder, 'backends/sql/index.ts')))
    .replace("model: 'Order',", (model) => (collation === undefined ? model : `${model} collation: '${collation}',`))
    .replace('prismaBackend(order)', (call) =>
      collation === undefined ? call : `prismaBackend({ ...order, collation: '${collation}' })`,
    )
    .replace('provider = "postgresql"', `provider = "${provider}"`)
  const file = join(await newFolder(), 'guide.ts')
  await writeFile(
    file,
    `${own}\nexport { orders, datamodel, backend, ordersOf, rowsOf, orderCollection, orderBackend, collection, sqlOfOrders }\n`,
  )
  return (await import(pathToFileURL(file).href)) as Guide
}

/** The code of docs/guides/sql-drivers.md. */
const drivers = await readFile(join(import.meta.dirname, '../../docs/guides/sql-drivers.md'), 'utf8')
const byPrismaCode = /^const byPrisma: By<Prisma> = ([^]*?)\n\n/m.exec(drivers)![1]!
// oxlint-disable-next-line typescript/no-implied-eval -- the guide's code is the project's
const byPrisma = new Function(`return ${stripTypeScriptTypes(`(${byPrismaCode})`)}`)() as (client: Client) => SqlRun

type Order = InferRow<typeof sameOrders> & { readonly id: number }
const rows: readonly Order[] = [
  {
    id: 1,
    seller: 's-1',
    customerName: 'Ångström & Søn',
    status: 'paid',
    total: 10.5,
    arrival: '2024-01-01',
    paidAt: '2023-12-31T23:59:59.999Z',
    customer: { name: 'Ada', email: 'ada@example.org' },
    tags: ['sea', 'sun'],
    items: [
      { arrival: '2024-01-01', product: 'bed', price: 8 },
      { arrival: '2024-01-02', product: '100% surf', price: 80 },
    ],
  },
  {
    id: 2,
    seller: 's-1',
    customerName: null,
    status: 'held',
    total: 10.5,
    arrival: '2024-01-02',
    paidAt: null,
    customer: { name: null, email: 'x' },
    tags: [],
    items: [{ arrival: '2024-01-02', product: 'bed', price: 80 }],
  },
  {
    id: 3,
    seller: 's-2',
    customerName: 'ångström',
    status: null,
    total: null,
    arrival: null,
    paidAt: '2024-01-01T12:00:00.000Z',
    customer: null,
    tags: ['Sea'],
    items: [],
  },
]
/** Ids by hand. */
const lines: readonly [query: string, ids: readonly number[]][] = [
  ['status[in]=paid,held', [1, 2]],
  ['customerName[startsWith]=ÅNG', [1, 3]],
  ['arrival[gte]=2024-01-02', [2]],
  ['arrival=2024-01-01', [1]],
  ['paidAt[lte]=2023-12-31', [1]],
  ['items.price[lt]=9&items.product=bed', [1]],
  ['items.price[gt]=9&items.product=bed', [2]],
  ['status[notEqual]=paid', [2, 3]],
  ['customerName[doesNotContain]=sø', [2, 3]],
  ['tags[nin]=sea', [2, 3]],
  ['customer.name[exists]=false', [2, 3]],
  ['customer[exists]=true', [1, 2]],
]

/** What Prisma's `where` has no words for. */
const rawLines: readonly [query: string, ids: readonly number[]][] = [
  ...lines,
  ['tags[in]=sea,sun&tags[startsWith]=s', [1]],
  ['customer.name[exists]=false&seller[notEqual]=s-2', [2]],
  ['total[in]=10.5,11&paidAt=2023-12-31', [1]],
]

const entries = Object.entries(opening)
describe.skipIf(!isInstalled).each(entries)('on %s', (_, open) => {
  let database: Database
  let generated: Generated
  let guide: Guide
  beforeAll(async () => {
    database = await open()
    guide = await guideFor(database)
    const { run, quote, declared, provider } = database
    if (provider === 'postgresql') await run(`CREATE TYPE "Status" AS ENUM ('paid', 'held', 'new')`)
    const status = { postgresql: '"Status"', mysql: "ENUM('paid', 'held', 'new')", sqlite: 'TEXT' }[provider]
    const key = provider === 'postgresql' ? 'int' : 'INTEGER'
    const text = declared.string!
    const tables = {
      Order: {
        id: `${key} PRIMARY KEY`,
        seller: `${text} NOT NULL`,
        customer_name: text,
        contactLower: text,
        status,
        total: declared.number,
        arrival: declared.date,
        paidAt: declared.datetime,
        customerId: key,
      },
      Customer: { id: `${key} PRIMARY KEY`, name: text, email: text },
      Tag: { id: `${key} PRIMARY KEY`, text, orderId: key },
      Item: { id: `${key} PRIMARY KEY`, arrival: declared.date, product: text, price: declared.number, orderId: key },
    }
    for (const [table, columns] of Object.entries(tables)) {
      const declarations = Object.entries(columns).map(([name, declared]) => `${quote(name)} ${declared}`)
      await run(`CREATE TABLE ${quote(table)} (${declarations.join(', ')})`)
    }
    generated = await generate(database, guide.datamodel)
    // As a program writes them, by the client.
    const moment = (text: unknown) => (text == null ? null : new Date(text as string))
    let keys = 0
    for (const { customerName, customer, tags, items, arrival, paidAt, ...row } of rows) {
      await generated.client.order!.create({
        data: {
          ...row,
          contact: customerName,
          contactLower: simpleLowerCase(customerName),
          arrival: moment(arrival),
          paidAt: moment(paidAt),
          tags: { create: tags!.map((text) => ({ id: ++keys, text })) },
          items: { create: items!.map((item) => ({ id: ++keys, ...item, arrival: moment(item!.arrival) })) },
          ...(customer && { customer: { create: { id: ++keys, ...customer } } }),
        },
      })
    }
  })
  afterAll(async () => {
    await generated?.remove()
    await database?.close()
  })

  test.each(lines)('%s', async (query, ids) => {
    const filter = parseFilterOrThrow(guide.orders, query)
    expect(rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)).toEqual(ids)
    const found = await guide.ordersOf(generated.client.order!, filter)
    expect(found.map(({ id }) => id).sort()).toEqual(ids)
  })

  const answerTo = async (model: Model, text: string): Promise<Answer> => {
    const query = parseQueryOrThrow(guide.collection, text)
    const { page, count } = await guide.rowsOf(model).read(query, {})
    const answer = toAnswer(guide.collection, query, page)
    return { ...answer, page: { ...answer.page, ...(count !== undefined && { count }) } } as Answer
  }

  test('rows of the service, by the model and by SQL', async () => {
    const schema = defineSchema({ id: field.integer(), seller: field.string() })
    const collection = defineCollection(schema, { key: 'id', count: { max: 2 } })
    const query = parseQueryOrThrow(collection, 'limit=1&count=true')
    const context = {
      principal: {},
      request: new Request('http://x'),
      ...{ signal: AbortSignal.any([]), reserved: new Map() },
    }
    const { client } = generated
    const model = await prismaRows(guide.backend, client.order!).read(query, context)
    expect([model.page.rows, model.count]).toMatchObject([[{ id: 1 }], { atLeast: 2 }])

    const dialect = { sqlite, postgresql: postgres, mysql: mariadb }[database.provider]
    const backend = sqlBackend({ dialect, table: table('Order', { schema, key: 'id' }) })
    const raw = await sqlRows(backend, byPrisma(client)).read(query, context)
    expect([raw.page.rows, raw.count]).toEqual([[{ id: 1, seller: rows[0]!.seller }], { atLeast: 2 }])
  })

  test.each<[sort: string, ids: readonly number[]]>([
    ['total', [3, 1, 2]],
    ['-total', [2, 1, 3]],
    ['arrival', [3, 1, 2]],
    ['-arrival', [2, 1, 3]],
    ['customer.name,-id', [3, 2, 1]],
    ['id', [1, 2, 3]],
  ])('pages by %s, forwards and back', async (sort, ids) => {
    const { order } = generated.client
    const first = await answerTo(order!, `sort=${sort}&limit=2&count=true`)
    expect(first.page).toMatchObject({ count: 3, next: expect.any(String) as string })
    const second = await answerTo(order!, `sort=${sort}&limit=2&cursor=${first.page.next}`)
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
    expect(second.page.next).toBeUndefined()
    const back = await answerTo(order!, `sort=${sort}&limit=2&cursor=${second.page.previous}`)
    expect(back.data).toEqual(first.data)
  })

  test('fromPrisma reads the fields of the model by the names of the client', async () => {
    const { order } = generated.client
    const { compileQuery } = guide.orderBackend
    const query = parseQueryOrThrow(guide.orderCollection, 'items.product=bed&sort=-customer.name&limit=1')
    const { findMany, page } = compileQuery(query)
    const [first, ...others] = page(await order!.findMany(findMany)).rows
    expect(others).toEqual([])
    expect(first).toEqual({
      id: 1,
      seller: 's-1',
      contact: 'Ångström & Søn',
      status: 'paid',
      total: 10.5,
      arrival: database.provider === 'sqlite' ? '2024-01-01T00:00:00.000Z' : '2024-01-01',
      paidAt: '2023-12-31T23:59:59.999Z',
      customer: { name: 'Ada' },
      items: [
        { id: expect.any(Number) as number, arrival: expect.any(String) as string, product: 'bed', price: 8 },
        { id: expect.any(Number) as number, arrival: expect.any(String) as string, product: '100% surf', price: 80 },
      ],
    })
  })

  const idsBySql = async (text: string) => {
    const { page } = await sqlRows(guide.sqlOfOrders, byPrisma(generated.client)).read(
      parseQueryOrThrow(guide.collection, text),
      {},
    )
    return (page.rows as readonly { readonly id: number }[]).map(({ id }) => id)
  }
  test.each(rawLines)('by SQL: %s', async (query, ids) => {
    if (database.provider !== 'postgresql') return
    const filter = parseFilterOrThrow(guide.orders, query)
    expect(rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)).toEqual(ids)
    expect((await idsBySql(query)).sort()).toEqual(ids)
  })
  test('by SQL: a page', async () => {
    if (database.provider !== 'postgresql') return
    const { page } = await answerTo(generated.client.order!, 'sort=customer.name,-id&limit=2')
    expect(await idsBySql('sort=customer.name,-id&limit=2')).toEqual([3, 2])
    expect(await idsBySql(`sort=customer.name,-id&limit=2&cursor=${page.next}`)).toEqual([1])
  })

  test('a page holds the fields of the schema in its form, and nothing else', async () => {
    const { order } = generated.client
    const all = await answerTo(order!, 'sort=id&limit=3')
    expect(all.data).toEqual(rows)
    const some = await answerTo(order!, 'sort=-total&limit=1&fields=tags,items.price')
    expect(some.data).toEqual([{ tags: [], items: [{ price: 80 }] }])
  })
})
