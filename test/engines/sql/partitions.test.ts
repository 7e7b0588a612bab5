/**
 * Tables partitioned over several servers by `postgres_fdw`: which conditions the partitions are asked, and how many partitions.
 * That the rows are those of one server, test/conformance/cases.test.ts and the random filters say.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrayColumn, childTable, jsonColumn, postgres, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import type { Dialect } from '../../../src/backends/sql/index.ts'
import { escapeLike, sql } from '../../../src/backends/sql/dialect/index.ts'
import { and, defineSchema, field, parseFilterOrThrow } from '../../../src/index.ts'
import { sectionsOf, tableOf, tableRows } from '../../package/page.ts'
import { openPartitioned, type Partitioned } from './partitions.ts'

const { POSTGRES18_URL } = process.env

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  name: field.string(),
  note: field.string(),
  guests: field.integer(),
  total: field.number(),
  gift: field.boolean(),
  arrival: field.date(),
  paid: field.datetime(),
  tags: field.list(field.string()),
  labels: field.list(field.string()),
  items: field.list(field.object({ arrival: field.date(), product: field.string() })),
})
const orders = table('orders', {
  schema,
  key: ['seller', 'id'],
  columns: {
    tags: jsonColumn('tags'),
    labels: arrayColumn('labels'),
    items: childTable('order_items', { foreignKey: ['seller', 'order_id'] }),
  },
})
const inC = 'text COLLATE "pg_c_utf8"'
// The key has the default collation: a join on another is not sent.
const tables = {
  orders:
    `id bigint, seller text, name ${inC}, note text, guests bigint, total double precision, gift boolean, arrival date, ` +
    'paid timestamptz, tags jsonb, labels text[]',
  order_items: `seller text, order_id bigint, arrival date, product ${inC}`,
}
const restriction = parseFilterOrThrow(schema, 'seller=s7')

/** Conditions, and what the page says of each: it is sent whole, or why not. */
const asked: readonly (readonly [queries: string, sent: string])[] = [
  ['seller=s1 seller[in]=s1,s2 guests=5 total=5 gift=true arrival=2024-01-02 paid[in]=2024-01-02', 'yes'],
  ['seller[notEqual]=s1 seller[nin]=s1,s2 guests[nin]=1,2', 'yes'],
  ['guests[gt]=5 total[lte]=5 arrival[range]=2024-01-02,2024-01-03 paid[lt]=2024-01-02', 'yes'],
  ['name[exists]=true name[exists]=false', 'yes'],
  ['name[gt]=Jo name[range]=Jo,Ju', 'yes'],
  ['name[startsWith]=jo name[endsWith]=jo name[contains]=jo name[doesNotContain]=jo name[equalsIgnoreCase]=jo', 'yes'],
  ['name[startsWithExact]=Jo name[endsWithExact]=Jo name[containsExact]=Jo', 'yes'],
  ['note=x note[in]=x,y note[containsExact]=x note[endsWithExact]=x', 'yes'],
  [
    'note[gt]=x note[startsWith]=x note[contains]=x note[equalsIgnoreCase]=x note[startsWithExact]=x',
    'no: the column has another collation than the condition',
  ],
  ['tags=sea tags[in]=sea,vip tags[nin]=sea labels=sea labels[in]=sea,vip labels[nin]=sea', 'yes'],
  ['tags[contains]=sea tags[gt]=sea', 'no: a partition sends its JSON, and the first server reads it'],
  ['labels[contains]=sea labels[gt]=sea', 'no: a partition sends its arrays'],
]
const lists: readonly (readonly [queries: string, sent: string])[] = [
  [
    'items.product=surf items.product=surf&items.arrival[gte]=2024-01-02',
    'yes, as one `EXISTS`, with the restriction; without it the first server may join them',
  ],
  [
    'items.product[nin]=surf items[exists]=false',
    'in two parts: the orders, and the items that are looked for; the first server joins them',
  ],
]

const section = sectionsOf('guides/sql-partitions.md')
const opened: Partitioned[] = []
beforeAll(async () => {
  if (POSTGRES18_URL === undefined) return
  const engine = await openPartitioned(POSTGRES18_URL)
  opened.push(engine)
  for (const [name, columns] of Object.entries(tables)) {
    await engine.run(`CREATE TABLE "${name}" (${columns})`)
  }
  await engine.run(
    `INSERT INTO orders (id, seller, name, guests) SELECT n, 's' || n % 50, 'Guest ' || n, n % 10 FROM generate_series(1, 3000) n`,
  )
  await engine.run(
    `INSERT INTO order_items SELECT 's' || n % 50, n, date '2024-01-01' + n % 100, 'p' || n % 20 FROM generate_series(1, 3000) n`,
  )
  await engine.run('ANALYZE')
}, 120_000)
afterAll(async () => {
  for (const engine of opened) await engine.close()
}, 60_000)

interface Plan {
  readonly remote: readonly string[]
  /** What the server that is asked does by itself. */
  readonly local: readonly string[]
}
async function planOf(query: string, { dialect = opened[0]!.dialect, restricted = false } = {}): Promise<Plan> {
  const filter = parseFilterOrThrow(schema, query)
  const backend = sqlBackend({ dialect, table: orders })
  const { text, parameters } = backend.compile(restricted ? and(restriction, filter) : filter)
  const rows = await opened[0]!.run(`EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM orders WHERE ${text}`, parameters)
  const lines = rows.map((row) => String(row['QUERY PLAN']).trim())
  return {
    remote: lines.filter((line) => line.startsWith('Remote SQL: ')).map((line) => line.slice('Remote SQL: '.length)),
    local: lines.filter((line) => /^(Join )?Filter: |Join\b|^Hash Cond: /.test(line)),
  }
}

const each = asked.flatMap(([queries, sent]) =>
  queries.split(' ').map((query) => [query, sent.startsWith('yes')] as const),
)
test.runIf(POSTGRES18_URL).each(each)('%s is sent: %s', async (query, isSent) => {
  const { remote, local } = await planOf(query)
  expect(remote.length).toBeGreaterThan(0)
  if (isSent) expect(local).toEqual([])
  else expect(local).not.toEqual([])
  for (const statement of remote.filter(() => isSent)) expect(statement).toContain(' WHERE ')
})

test.runIf(POSTGRES18_URL)(
  'a restriction by the key of the partitions asks one of them, and its child tables',
  async () => {
    expect((await planOf('guests=5')).remote).toHaveLength(3)
    for (const [query] of each.filter(([query]) => !query.startsWith('seller'))) {
      expect((await planOf(query, { restricted: true })).remote, query).toHaveLength(1)
    }
    // What contradicts the restriction asks none.
    expect((await planOf('seller=s1', { restricted: true })).remote).toEqual([])
    const { remote, local } = await planOf('items.product=p7&items.arrival[gte]=2024-01-02', { restricted: true })
    expect(local).toEqual([])
    expect(remote).toHaveLength(1)
    expect(remote[0]).toMatch(/ EXISTS \(SELECT NULL FROM public\.order_items /)
  },
)

test.runIf(POSTGRES18_URL)(
  'negated child tables are joined where they are asked, with the rows that are looked for',
  async () => {
    const { remote, local } = await planOf('items.product[nin]=p7,p8', { restricted: true })
    expect(local).toContainEqual(expect.stringContaining('Anti Join'))
    expect(remote).toHaveLength(2)
    expect(remote[1]).toContain("product = ANY ('{p7,p8}'::text[])")
  },
)

test.runIf(POSTGRES18_URL)(
  'postgres sends matches on columns of the default collation, but no order and no startsWith',
  async () => {
    for (const query of ['note=x', 'note[contains]=x', 'note[endsWith]=x', 'note[doesNotContain]=x'])
      expect((await planOf(query, { dialect: postgres })).local, query).toEqual([])
    for (const query of ['note[gt]=x', 'note[startsWith]=x'])
      expect((await planOf(query, { dialect: postgres })).local, query).not.toEqual([])
  },
)

test.runIf(POSTGRES18_URL)('with LIKE for its prefixes, postgres sends startsWith too', async () => {
  // As docs/guides/sql-partitions.md has it.
  const dialect: Dialect = {
    ...postgres,
    textRules: {
      ...postgres.textRules,
      prefix: (lowered, operand, text) => sql`${lowered} LIKE ${text(`${escapeLike(operand, '\\')}%`)}`,
    },
  }
  expect((await planOf('note[startsWith]=x', { dialect })).local).toEqual([])
})

test('the table of the page', () => {
  const rows = [...asked, ...lists].map(([queries, sent]) => [
    queries
      .split(' ')
      .map((query) => `\`${query}\``)
      .join(', '),
    sent,
  ])
  section('table: sent', tableRows, tableOf(['condition', 'sent to the partitions'], rows))
})
