/** Objects in parent tables on every engine: rows that share one, that refer to none, and to one that is not there. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, parentTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  not,
  or,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toPage,
  type Filter,
} from '../../../src/index.ts'
import { openDuckdb } from './duckdb.ts'
import { openEngines, type Engine } from './engines.ts'

const schema = defineSchema({
  id: field.integer(),
  total: field.integer(),
  customer: field.object({
    name: field.string(),
    tier: field.integer(),
    tags: field.list(field.string()),
    country: field.object({ area: field.string(), code: field.string(), name: field.string() }),
  }),
  items: field.list(
    field.object({
      quantity: field.integer(),
      product: field.object({ name: field.string(), price: field.integer() }),
    }),
  ),
  head: field.object({ total: field.integer(), head: field.object({ total: field.integer() }) }),
})
const collection = defineCollection(schema, { key: 'id', sort: true, count: true })

/** Column types are the first row; a text is quoted as in SQL. */
const tables = {
  orders: [
    { id: 'integer', total: 'integer', customer_id: 'integer', head_id: 'integer' },
    [1, 10, 1, 'NULL'],
    [2, 20, 1, 1],
    [3, 30, 2, 2],
    [4, 40, 3, 2],
    [5, 50, 'NULL', 5],
    [6, 60, 99, 77],
    [7, 70, 4, 'NULL'],
    [8, 80, 5, 3],
  ],
  customers: [
    { id: 'integer', full_name: 'string', tier: 'integer', area: 'string', country_code: 'string' },
    [1, `'Ann'`, 5, `'eu'`, `'at'`],
    [2, `'ben'`, 'NULL', `'eu'`, `'de'`],
    [3, 'NULL', 1, `'eu'`, 'NULL'],
    [4, `'Zo'`, 5, `'na'`, `'at'`],
    [5, `'Ann'`, 2, `'xx'`, `'at'`],
  ],
  countries: [
    { area: 'string', code: 'string', name: 'string' },
    [`'eu'`, `'at'`, `'Austria'`],
    [`'eu'`, `'de'`, `'Germany'`],
    [`'na'`, `'at'`, `'Attica'`],
  ],
  tags: [{ customer_id: 'integer', tag: 'string' }, [1, `'vip'`], [1, `'old'`], [2, `'new'`], [99, `'vip'`]],
  items: [
    { order_id: 'integer', quantity: 'integer', product_id: 'integer' },
    [1, 1, 1],
    [1, 5, 2],
    [3, 2, 1],
    [3, 9, 'NULL'],
    [5, 1, 2],
    [6, 3, 77],
  ],
  products: [{ id: 'integer', name: 'string', price: 'integer' }, [1, `'Bed'`, 7], [2, `'Surf'`, 'NULL']],
} as const

const own = `p${randomUUID().slice(0, 8)}`
const nameOf = (name: string) => `${own}_${name}`
const head = (columns = {}) => parentTable(nameOf('orders'), { key: 'id', foreignKey: 'head_id', columns })
const mapped = table(nameOf('orders'), {
  schema,
  key: 'id',
  columns: {
    customer: parentTable(nameOf('customers'), {
      key: 'id',
      foreignKey: 'customer_id',
      columns: {
        name: 'full_name',
        tags: childTable(nameOf('tags'), { foreignKey: 'customer_id', value: 'tag' }),
        country: parentTable(nameOf('countries'), { key: ['area', 'code'], foreignKey: ['area', 'country_code'] }),
      },
    }),
    items: childTable(nameOf('items'), {
      foreignKey: 'order_id',
      columns: { product: parentTable(nameOf('products'), { key: 'id', foreignKey: 'product_id' }) },
    }),
    head: head({ head: head() }),
  },
})

/** The rows as an application has them, for cursors. */
const country = (area: string, code: string, name: string) => ({ area, code, name })
const customers = {
  ann: { name: 'Ann', tier: 5, country: country('eu', 'at', 'Austria') },
  ben: { name: 'ben', tier: null, country: country('eu', 'de', 'Germany') },
  nameless: { name: null, tier: 1, country: null },
  zo: { name: 'Zo', tier: 5, country: country('na', 'at', 'Attica') },
  other: { name: 'Ann', tier: 2, country: null },
}
const { ann, ben, nameless, zo, other } = customers
const rows = [ann, ann, ben, nameless, null, null, zo, other].map((customer, at) => ({ id: at + 1, customer }))

const query = (text: string) => parseFilterOrThrow(schema, text)
const filters: readonly (readonly [string | Filter, ids: readonly number[]])[] = [
  ['customer.name=Ann', [1, 2, 8]],
  ['customer.name[notEqual]=Ann', [3, 4, 5, 6, 7]],
  ['customer.name[in]=ben,Zo', [3, 7]],
  ['customer.name[exists]=true', [1, 2, 3, 7, 8]],
  ['customer.name[exists]=false', [4, 5, 6]],
  ['customer.name[startsWith]=a', [1, 2, 8]],
  ['customer.name[doesNotContain]=n', [4, 5, 6, 7]],
  ['customer.name[gt]=Ann', [3, 7]],
  ['customer[exists]=true', [1, 2, 3, 4, 7, 8]],
  ['customer[exists]=false', [5, 6]],
  ['customer.tier[gte]=2', [1, 2, 7, 8]],
  ['customer.tier[range]=2,4', [8]],
  ['customer.tier[nin]=5,1', [3, 5, 6, 8]],
  ['customer.name=Ann&customer.tier=5', [1, 2]],
  ['customer.name=Ann&customer.tier[notEqual]=5', [8]],
  ['customer.name=Ann&total[gt]=15', [2, 8]],
  ['customer.country.code=at', [1, 2, 7]],
  ['customer.country.name=Austria', [1, 2]],
  ['customer.country.name[notEqual]=Austria', [3, 4, 5, 6, 7, 8]],
  ['customer.country.code=at&customer.country.area=na', [7]],
  ['customer.country[exists]=true', [1, 2, 3, 7]],
  ['customer.country[exists]=false', [4, 5, 6, 8]],
  ['customer.name=Ann&customer.country[exists]=false', [8]],
  ['customer.tags=vip', [1, 2]],
  ['customer.tags[notEqual]=vip', [3, 4, 5, 6, 7, 8]],
  ['customer.tags=vip&customer.tags[startsWith]=o', []],
  ['customer.tags[exists]=true', [1, 2, 3]],
  ['customer.tags[exists]=false', [4, 5, 6, 7, 8]],
  ['items.product.name=Bed', [1, 3]],
  ['items.product.name[notEqual]=Bed', [2, 4, 5, 6, 7, 8]],
  ['items.product[exists]=true', [1, 3, 5]],
  ['items.product[exists]=false', [2, 4, 6, 7, 8]],
  ['items.product.name=Bed&items.quantity[gt]=1', [3]],
  ['items.product.name[startsWith]=s&items.product.price[exists]=true', []],
  // The complement speaks of all entries: order 1 has a Bed, which has a price.
  ['items.product.name[startsWith]=s&items.product.price[exists]=false', [5]],
  ['head.total[gte]=20', [3, 4, 5, 8]],
  ['head.head.total=10', [3, 4]],
  ['head.head[exists]=true', [3, 4, 5, 8]],
  ['head.head[exists]=false', [1, 2, 6, 7]],
  [or(query('customer.name=ben'), query('items.product.name=Surf')), [1, 3, 5]],
  [or(query('customer.name=ben'), query('customer.tier=2')), [3, 8]],
  [or(query('customer.name=ben'), query('customer.tier[notEqual]=5')), [3, 4, 5, 6, 8]],
  [not(and(query('customer.name=Ann'), query('customer.tier=5'))), [3, 4, 5, 6, 7, 8]],
  [not(or(query('customer.name=Ann'), query('customer.country.code=de'))), [4, 5, 6, 7]],
]
const orders: readonly (readonly [string, ids: readonly number[]])[] = [
  ['sort=customer.name', [4, 5, 6, 1, 2, 8, 7, 3]],
  ['sort=-customer.name', [3, 7, 8, 2, 1, 6, 5, 4]],
  ['sort=customer.country.name', [4, 5, 6, 8, 7, 1, 2, 3]],
  ['sort=-customer.tier,customer.name', [1, 2, 7, 8, 4, 5, 6, 3]],
  ['sort=customer.country.code,-customer.name,id', [8, 4, 5, 6, 7, 1, 2, 3]],
  ['sort=customer.name&customer[exists]=true', [4, 1, 2, 8, 7, 3]],
  ['sort=-customer.name&customer.tier=5', [7, 2, 1]],
]

const engines = [...(await openEngines()), await openDuckdb()]
afterAll(async () => {
  for (const { close } of engines) await close()
})

describe.each(engines)('$name', ({ dialect, declared, options, run }: Engine) => {
  const q = (name: string) => dialect.quote + nameOf(name) + dialect.quote
  const backend = sqlBackend({ dialect, table: mapped })
  const idsOf = async (text: string, parameters: readonly unknown[]) =>
    (await run(`SELECT id FROM ${q('orders')} ${text}`, parameters)).map(({ id }) => Number(id))

  beforeAll(async () => {
    for (const [name, [columns, ...values]] of Object.entries(tables)) {
      const declarations = Object.entries(columns).map(
        ([column, type]) => `${column} ${declared[type as 'string' | 'integer']}`,
      )
      await run(`CREATE TABLE ${q(name)} (${declarations.join(', ')})${options}`)
      for (const row of values) await run(`INSERT INTO ${q(name)} VALUES (${row.join(', ')})`)
    }
  })
  afterAll(async () => {
    for (const name of Object.keys(tables)) await run(`DROP TABLE ${q(name)}`)
  })

  test.each(filters)('%j', async (asked, ids) => {
    const filter = typeof asked === 'string' ? query(asked) : asked
    const select = async (one: Filter) => {
      const { text, parameters } = backend.compile(one)
      return (await idsOf(`WHERE ${text}`, parameters)).sort()
    }
    expect(await select(filter)).toEqual(ids)
    expect(await select(not(filter))).toEqual([1, 2, 3, 4, 5, 6, 7, 8].filter((id) => !ids.includes(id)))
  })

  describe.each(orders)('%s', (asked, ids) => {
    test.each([1, 2, 3, 20])('in pages of %i, there and back', async (limit) => {
      const pageOf = async (cursor: string | undefined) => {
        const query = parseQueryOrThrow(collection, `${asked}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
        const { text, parameters } = backend.compileQuery(query)
        return toPage(
          query,
          (await idsOf(text, parameters)).map((id) => rows[id - 1]!),
        )
      }
      const there = [await pageOf(undefined)]
      for (let next = there.at(-1)!.next; next !== undefined; next = there.at(-1)!.next) there.push(await pageOf(next))
      const back = [there.at(-1)!]
      for (let last = back[0]!.previous; last !== undefined; last = back[0]!.previous) back.unshift(await pageOf(last))
      const all = (pages: typeof there) => pages.flatMap(({ rows }) => rows.map(({ id }) => id))
      expect(all(there)).toEqual(ids)
      expect(all(back)).toEqual(ids)
    })
    test('and counts the rows', async () => {
      const { count } = backend.compileQuery(parseQueryOrThrow(collection, `${asked}&count=true&limit=1`))
      expect(await idsOf(`WHERE ${count.text}`, count.parameters)).toHaveLength(ids.length)
    })
  })
})
