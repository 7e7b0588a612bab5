/** The code of docs/guides/orms.md, as it is written there: compiled, and run by each ORM on PGlite. */
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { SqlBackend, SqlCondition } from '../../src/backends/sql/index.ts'
import { defineCollection, FilterError, parseFilterOrThrow, parseObject } from '../../src/index.ts'
import type { Collection, Schema } from '../../src/index.ts'
import { createListService, memoryRows, sqlRows, type BackendRows, type SqlRun } from '../../src/service/index.ts'
import { newPglite } from '../engines/sql/pglite.ts'
import { expectInstalled, isInstalled, loadGuide } from './guide.ts'

expectInstalled()

test('the guide has the versions that are tried', async () => {
  const { dependencies } = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const guide = (await readFile(join(import.meta.dirname, '../../docs/guides/orms.md'), 'utf8')).replaceAll('\n', ' ')
  const packages = [
    ['TypeORM', 'typeorm'],
    ['Sequelize', 'sequelize'],
    ['MikroORM', '@mikro-orm/postgresql'],
  ] as const
  for (const [name, from] of packages)
    expect(guide).toMatch(new RegExp(`${name} ${/^\d+\.\d+/.exec(dependencies[from]!)![0]}\\b`))
})

/** With each sign that an ORM replaces. */
const odd = `? ?? :p0 :p1 $1 $2 \\' ", "orders"."id"`
const rows = [
  {
    id: 1,
    seller: 's-1',
    customerName: 'Jörg',
    total: '30',
    tags: ['sea', 'vip'],
    items: [{ product: 'Kayak', price: 9 }],
  },
  {
    id: 2,
    seller: 's-1',
    customerName: odd,
    total: '-2.5',
    tags: [odd, 'b'],
    items: [],
  },
  { id: 3, seller: 's-2', customerName: 'jo', total: null, tags: null, items: [{ product: 'kayak', price: 20 }] },
  {
    id: 4,
    seller: 's-1',
    customerName: null,
    total: '100000000000000000000',
    tags: [],
    items: [{ product: null, price: -1 }],
  },
]
/** Conditions, and the ids of the rows that they select. */
const filters = [
  [{ 'customerName[startsWith]': 'JÖ' }, [1]],
  [{ customerName: odd }, [2]],
  [{ 'customerName[contains]': odd.slice(2, -1).toUpperCase() }, [2]],
  [{ 'customerName[in]': ['jo', odd, 'x'] }, [2, 3]],
  [{ 'customerName[nin]': [odd, 'jo'] }, [1, 4]],
  [{ 'customerName[exists]': false }, [4]],
  [{ 'id[in]': [1, 3] }, [1, 3]],
  [{ 'total[lt]': -1, 'total[gte]': '-2.5' }, [2]],
  [{ 'total[in]': [30, '100000000000000000000'] }, [1, 4]],
  [{ tags: odd }, [2]],
  [{ 'tags[nin]': ['sea', odd] }, [3, 4]],
  [{ 'items.product[equalsIgnoreCase]': 'KAYAK', 'items.price[gt]': 10 }, [3]],
  [{ 'items.price': -1 }, [4]],
  [{ 'id[gt]': 0 }, [1, 2, 3, 4]],
  ...[
    "' OR 1=1 -- ",
    "\\' OR 1=1 -- ",
    ':p0) OR (1=1',
    '$1',
    '?',
    '\\?',
    '??',
    ':...p0',
    '"orders"."customer_name"',
  ].flatMap((text) => [
    [{ customerName: text }, []] as const,
    [{ 'customerName[in]': [text, 'x'], 'tags[nin]': [text] }, []] as const,
  ]),
] as const

/** An ORM with the code of the guide. */
interface Orm {
  readonly run: SqlRun
  readonly find: (condition: SqlCondition) => Promise<readonly Entity[]>
  readonly remove: (condition: SqlCondition) => Promise<unknown>
  readonly close: () => Promise<void>
  /** For what the guide says of Sequelize. */
  readonly own?: readonly ((name?: string) => Promise<unknown>)[]
}
interface Entity {
  readonly id: number
}
interface Opening {
  readonly open: Readonly<Record<string, (guide: Guide, port: number) => Promise<Orm>>>
}
interface Guide {
  readonly orders: Schema
  readonly backend: SqlBackend
}

const database = await newPglite()
/** PGlite as a server, for one connection after the other. */
const server = createServer((socket) => {
  let answered = Promise.resolve()
  socket.on('data', (data) => {
    answered = answered.then(async () => void socket.write(await database.execProtocolRaw(new Uint8Array(data))))
  })
}).listen(0)

describe.skipIf(!isInstalled)('the guide', () => {
  let guide: Guide
  let collection: Collection
  beforeAll(async () => {
    guide = await loadGuide('orms')
    collection = defineCollection(guide.orders, { key: 'id', hidden: ['seller'], sort: ['total'], count: true })
    await database.exec(`
      CREATE TABLE orders (id int PRIMARY KEY, seller text NOT NULL, customer_name text, total numeric, tags text[]);
      CREATE TABLE order_items (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id int NOT NULL, product text, price float8)`)
    for (const { id, seller, customerName, total, tags, items } of rows) {
      await database.query('INSERT INTO orders VALUES ($1, $2, $3, $4, $5)', [id, seller, customerName, total, tags])
      for (const { product, price } of items)
        await database.query('INSERT INTO order_items VALUES (DEFAULT, $1, $2, $3)', [id, product, price])
    }
  })
  afterAll(async () => {
    server.close()
    await database.close()
  })
  describe.each(['typeorm', 'sequelize', 'mikro-orm'])('%s', (name) => {
    let orm: Orm
    beforeAll(async () => {
      const { open } = (await import('./open.js' as string)) as Opening
      orm = await open[name]!(guide, (server.address() as AddressInfo).port)
    })
    afterAll(() => orm.close())
    const idsIn = (found: readonly Entity[]) => found.map(({ id }) => id).sort()

    test.each(filters)('selects and deletes by %j what memory selects', async (object, selected) => {
      const result = parseObject(collection, object)
      if (!result.ok) throw new FilterError(result.issues)
      const { filter } = result.query
      expect(idsIn(rows.filter(memoryBackend().compile(filter)))).toEqual(selected)
      const condition = guide.backend.compile(filter)
      expect(idsIn(await orm.find(condition))).toEqual(selected)
      // PGlite has one session, which is that of the ORM.
      await database.exec('BEGIN')
      await orm.remove(condition)
      const { rows: left } = await database.query<Entity>('SELECT id FROM orders')
      await database.exec('ROLLBACK')
      expect(idsIn(left)).toEqual([1, 2, 3, 4].filter((id) => !(selected as readonly number[]).includes(id)))
    })

    test.runIf(name === 'sequelize')('refuses `bind` in `update`, and reads $ in its own values', async () => {
      const [update, select] = orm.own!
      await expect(update!()).rejects.toThrow('Both `sql.bind` and `options.bind` cannot be set')
      await expect(select!('$9')).rejects.toThrow('"$9" has no value')
      await database.exec(`BEGIN; UPDATE orders SET customer_name = '$$' WHERE id = 1`)
      expect(await select!('$$')).toEqual([])
      await database.exec('ROLLBACK')
    })

    test('the list service answers as with rows in memory', async () => {
      const serviceOf = (of: BackendRows) =>
        createListService({
          authenticate: () => ({ seller: 's-1' }),
          collections: {
            orders: {
              collection,
              rows: of,
              restriction: ({ seller }) => parseFilterOrThrow(guide.orders, `seller=${seller}`),
            },
          },
        })
      const [ofOrm, ofMemory] = [
        serviceOf(sqlRows(guide.backend, orm.run)),
        serviceOf(memoryRows(memoryBackend(), () => rows)),
      ]
      const answered = async (service: typeof ofOrm, url: string) => {
        const { status, body } = await service.answer({ method: 'GET', url, headers: {} })
        return [status, JSON.parse(String(body))] as const
      }
      const first = await answered(ofOrm, '/orders?sort=-total&limit=2&count=true')
      const { data, page } = first[1] as { data: object[]; page: { next: string } }
      expect(data).toMatchObject([{ id: 4 }, { id: 1 }])
      const next = `/orders?sort=-total&limit=2&cursor=${page.next}`
      const others = ['/orders/2', '/orders/3', '/orders?total=x', '/orders?items.price[gt]=5']
      for (const url of ['/orders?sort=-total&limit=2&count=true', next, ...others])
        expect(await answered(ofOrm, url), url).toEqual(await answered(ofMemory, url))
    })
  })
})
