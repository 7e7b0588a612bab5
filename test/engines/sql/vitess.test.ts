/** Plans of Vitess over two shards: how many shards a filter reaches, and in how many statements; and what Vitess refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childTable, mysql, parentTable, sqlBackend, table, vitess } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseFilterOrThrow, parseQueryOrThrow } from '../../../src/index.ts'
import { sectionsOf, tableOf, tableRows } from '../../package/page.ts'
import { openVitess, refusals } from './vitess.ts'
import type { Engine } from './engines.ts'

const { VITESS_URL } = process.env

const schema = defineSchema({
  id: field.integer({ required: true }),
  seller: field.string(),
  items: field.list(field.object({ product: field.string() })),
  owner: field.object({ home: field.object({ city: field.string() }) }),
})
const home = parentTable('vt_homes', { key: ['order_id', 'no'], foreignKey: ['order_id', 'home_no'] })
const orders = table('vt_orders', {
  schema,
  key: 'id',
  columns: {
    items: childTable('vt_order_items', { key: ['order_id', 'id'], foreignKey: 'order_id' }),
    owner: parentTable('vt_owners', { key: ['order_id', 'no'], foreignKey: ['id', 'owner_no'], columns: { home } }),
  },
})
const tables = {
  vt_orders: '`id` BIGINT, seller TEXT, owner_no BIGINT',
  vt_order_items: '`order_id` BIGINT, `id` BIGINT, product TEXT',
  vt_owners: '`order_id` BIGINT, no BIGINT, home_no BIGINT',
  vt_homes: '`order_id` BIGINT, no BIGINT, city TEXT',
}
const backend = sqlBackend({ dialect: vitess, table: orders })
const queries = defineCollection(schema, { key: 'id', sort: ['seller', 'owner.home.city'] })

/** Filters, and the shards to which Vitess sends each of them as one statement. */
const asked: readonly (readonly [filters: string, shards: 'EqualUnique' | 'IN' | 'Scatter', meaning: string])[] = [
  ['id=5 id=5&seller=s1 id=5&items.product=surf id=5&owner.home.city=Rome', 'EqualUnique', 'the shard of the key'],
  ['id[in]=5,6,7', 'IN', 'the shards of the keys'],
  ['seller=s1 seller[in]=s1,s2 seller[contains]=s id[gt]=5', 'Scatter', 'all shards'],
  ['items.product=surf items.product[nin]=surf items[atLeast]=2 owner.home.city=Rome', 'Scatter', 'all shards'],
]

const opened: Engine[] = []
beforeAll(async () => {
  if (VITESS_URL === undefined) return
  const engine = await openVitess(VITESS_URL)
  opened.push(engine)
  for (const [name, columns] of Object.entries(tables))
    await engine.run(`CREATE TABLE \`${name}\` (${columns}) CHARACTER SET utf8mb4`)
}, 600_000)
afterAll(async () => {
  for (const engine of opened) {
    for (const name of Object.keys(tables)) await engine.run(`DROP TABLE \`${name}\``)
    await engine.close()
  }
}, 60_000)

interface Plan {
  readonly OperatorType: string
  readonly Variant?: string
  readonly Query?: string
  readonly OrderBy?: string
  readonly Inputs?: readonly Plan[]
}
/** @see https://vitess.io/docs/24.0/user-guides/sql/vexplain/ */
async function planOf(statement: string, parameters: readonly unknown[]): Promise<Plan> {
  // The driver for MariaDB cannot read the answer.
  const [row] = await opened[0]!.protocols!.mysql2!(`VEXPLAIN PLAN ${statement}`, parameters)
  return JSON.parse(String(row!.JSON)) as Plan
}

const each = asked.flatMap(([filters, shards]) => filters.split(' ').map((filter) => [filter, shards] as const))
test.runIf(VITESS_URL).each(each)('%s is one statement: %s', async (filter, shards) => {
  const { text, parameters } = backend.compile(parseFilterOrThrow(schema, filter))
  const { OperatorType, Variant } = await planOf(`SELECT id FROM vt_orders WHERE ${text}`, parameters)
  expect([OperatorType, Variant]).toEqual(['Route', shards])
})

test.runIf(VITESS_URL)(
  'shards order a page and send its rows alone, and Vitess merges them in the same order',
  async () => {
    const query = parseQueryOrThrow(queries, 'sort=-seller&limit=3')
    const { text, parameters } = backend.select({ ...query, fields: [['seller']] })
    const { OperatorType, Inputs } = await planOf(text, parameters)
    const [route] = Inputs!
    expect([OperatorType, route!.OperatorType, route!.Variant]).toEqual(['Limit', 'Route', 'Scatter'])
    expect(route!.Query).toMatch(/ order by vt_orders\.seller collate utf8mb4_0900_bin desc, vt_orders\.id desc limit /)
    expect(route!.OrderBy).toMatch(/ DESC(?: COLLATE utf8mb4_0900_bin)?, .* DESC$/)
  },
)

test.runIf(VITESS_URL)('a number that a prepared statement sends as a double is cast to find its shard', async () => {
  const engine = opened[0]!
  await engine.run('INSERT INTO vt_orders (id) VALUES (-2)')
  const prepared = engine.protocols!['mysql2, prepared']!
  const { text, parameters } = backend.compile(parseFilterOrThrow(schema, 'id=-2'))
  expect(await prepared(`SELECT id FROM vt_orders WHERE ${text}`, parameters)).toHaveLength(1)
  // It is why the dialect casts.
  expect(await prepared('SELECT id FROM vt_orders WHERE id = ?', [-2])).toEqual([])
})

const inMysql = sqlBackend({ dialect: mysql, table: orders })
const refused: Readonly<
  Record<string, () => readonly [statement: string, parameters: readonly unknown[], error: string]>
> = {
  'JSON_TABLE, by which the dialect of MySQL compares a list of numbers': () => {
    const { text, parameters } = inMysql.compile(parseFilterOrThrow(schema, 'id[in]=5,6'))
    return [`SELECT id FROM vt_orders WHERE ${text}`, parameters, 'VT12001: unsupported: json_table expressions']
  },
  'a number of rows in a subquery of a subquery': () => [
    'SELECT id FROM vt_orders o WHERE EXISTS (SELECT 1 FROM vt_order_items i WHERE i.order_id = o.id AND ' +
      '(SELECT count(*) FROM vt_homes h WHERE h.order_id = i.order_id) > 1)',
    [],
    'VT12001: unsupported: correlated subquery is only supported for EXISTS',
  ],
  'a list in a list of select': () => [
    'SELECT (SELECT JSON_ARRAYAGG(JSON_ARRAY(i.product, (SELECT JSON_ARRAYAGG(JSON_ARRAY(h.city)) ' +
      'FROM vt_homes h WHERE h.order_id = i.order_id AND h.no = i.id))) ' +
      'FROM vt_order_items i WHERE i.order_id = o.id) AS c FROM vt_orders o',
    [],
    'VT12001: unsupported: in scatter query: aggregation function',
  ],
  'the order of compileQuery by a field of a parent of a parent': () => {
    const { text, parameters } = backend.compileQuery(parseQueryOrThrow(queries, 'sort=owner.home.city'))
    expect(text).toMatch(refusals.nestedOrder)
    return [`SELECT id FROM vt_orders ${text}`, parameters, 'Unknown column']
  },
}
test.runIf(VITESS_URL).each(Object.entries(refused))('Vitess refuses %s', async (_, statementOf) => {
  const [statement, parameters, error] = statementOf()
  await expect(opened[0]!.run(statement, parameters)).rejects.toThrow(error)
})

test('the table of the page', () => {
  const rows = asked.map(([filters, variant, meaning]) => [
    filters
      .split(' ')
      .map((filter) => `\`${filter}\``)
      .join(', '),
    `${meaning} (\`${variant}\`)`,
  ])
  sectionsOf('guides/vitess.md')('table: plans', tableRows, tableOf(['filter', 'asks'], rows))
})
