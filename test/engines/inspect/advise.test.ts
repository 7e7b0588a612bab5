/**
 * `advise` names the indexes whose loss makes a page read ten times as many rows, and no others. Each index that it proposes serves its
 * statement. On 20,000 orders, each index is dropped in turn, and the engine counts the rows that the queries read. With
 * `ADVISE_TABLE=1`, it prints the counts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  parentTable,
  sqlBackend,
  table,
  type ColumnOptions,
} from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, restrict, where } from '../../../src/index.ts'
import { advise, inspect, type Advice } from '../../../src/tools/inspect/index.ts'
import { isComplete } from '../../effort.ts'
import { dialectOf, openAllEngines, type DialectName } from '../sql/all-engines.ts'
import type { Engine } from '../sql/engines.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  tenant: field.integer({ required: true }),
  created: field.datetime({ required: true }),
  total: field.integer({ required: true }),
  name: field.string({ required: true }),
  status: field.enumeration(['new', 'paid', 'held', 'lost'], { required: true }),
  stars: field.integer(),
  email: field.string(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
  items: field.list(field.object({ product: field.string(), quantity: field.integer() })),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: ['id', 'created', 'total', 'name', 'stars'],
  defaultSort: '-created',
  fields: true,
  hidden: ['tenant'],
  operators: {
    id: ['equals', 'in'],
    name: ['equals', 'in'],
    email: ['equals', 'in', 'startsWith', 'contains'],
    tags: ['equals', 'in', 'all'],
    'customer.name': ['equals', 'in'],
    'items.product': ['equals', 'in'],
    'items.quantity': ['equals', 'in'],
  },
})
const restriction = where(schema).equals('tenant', 1)

const rows = 20_000
const tenants = `CASE WHEN n % 10 < 6 THEN 1 ELSE n % 5 + 1 END`
const states = `CASE WHEN n % 2000 = 7 THEN 'lost' WHEN n % 3 = 0 THEN 'held' WHEN n % 3 = 1 THEN 'new' ELSE 'paid' END`

interface Kind {
  readonly types: Readonly<Record<'text' | 'ordered' | 'moment' | 'tags', string>>
  readonly columns: ColumnOptions
  /** The moment of row `n`, and its tags. */
  readonly moment: string
  readonly tags: string
  readonly numbers: (count: number) => string
  readonly open: readonly string[]
  readonly close: readonly string[]
  /** The full set of indexes: the text after ON by name. */
  readonly indexes: Readonly<Record<string, string>>
  /** Queries beside {@link common}. */
  readonly queries: readonly string[]
  readonly analyze: readonly string[]
  readonly drop: (name: string, on: string) => string
  /** The number of rows that a statement reads. */
  readonly reads: (engine: Engine, text: string, parameters: readonly unknown[]) => Promise<number>
  /** The plan of a statement, which names its indexes. */
  readonly plan: (engine: Engine, text: string, parameters: readonly unknown[]) => Promise<string>
}

/** The queries of each engine. The restriction selects three fifths of the rows. */
const common = [
  '',
  'sort=created',
  'sort=total',
  'sort=-name',
  'sort=stars',
  'sort=-stars',
  'sort=id',
  'name=Guest 77',
  'status=paid',
  'email=User.77@Example.com',
  'email[in]=User.77@Example.com,User.78@Example.com',
  'total=77',
  'total[gte]=19990',
  'stars=93',
  'created[gte]=2020-01-14T20:00:00Z',
  'customer.name=Customer 77',
]
const ofEvery = {
  by_created: 'orders (tenant, created, id)',
  by_total: 'orders (tenant, total, id)',
  by_name: 'orders (tenant, name, id)',
  by_stars: 'orders (tenant, stars, id)',
  by_id: 'orders (tenant, id)',
  by_status: 'orders (tenant, status)',
  by_email: 'orders (tenant, email)',
  by_customer: 'orders (tenant, customer_id)',
  customers_name: 'customers (name)',
  items_order: 'items (order_id)',
}
const id = 'BIGINT PRIMARY KEY'
const database = `advise_${process.pid}`

interface PgNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PgNode[]
  readonly [property: string]: unknown
}
/** The rows of scans, with those that a filter removes. */
const rowsOf = (node: PgNode): number =>
  (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0) +
  (/Scan$/.test(node['Node Type'])
    ? (node['Actual Rows'] +
        Number(node['Rows Removed by Filter'] ?? 0) +
        Number(node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0)
const planOf = async ({ run }: Engine, options: string, text: string, parameters: readonly unknown[]) => {
  const [row] = await run(`EXPLAIN (${options}, FORMAT JSON) ${text}`, parameters)
  return (row!['QUERY PLAN'] as readonly { readonly Plan: PgNode }[])[0]!.Plan
}

/** @param letters the collation in which the dialect lower-cases texts. */
const inPostgres = (order: string, letters: string): Kind => ({
  types: { text: 'text', ordered: `text COLLATE "${order}"`, moment: 'timestamptz', tags: 'text[]' },
  columns: { tags: arrayColumn('tags') },
  moment: `timestamptz '2020-01-01T00:00Z' + (n * 7919 % ${rows}) * interval '1 minute'`,
  tags: `ARRAY[concat('t', n % 7), concat('u', n % 2000)]`,
  numbers: (count) => `generate_series(1, ${count}) AS numbers (n)`,
  open: [
    `CREATE SCHEMA ${database}`,
    `SET search_path TO ${database}, public`,
    'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  ],
  close: [`DROP SCHEMA IF EXISTS ${database} CASCADE`],
  indexes: {
    ...ofEvery,
    by_stars: 'orders (tenant, stars NULLS FIRST, id)',
    by_email_lower: `orders (lower(email COLLATE "${letters}") COLLATE "${order}")`,
    by_email_parts: `orders USING gin (lower(email COLLATE "${letters}") gin_trgm_ops)`,
    by_tags: 'orders USING gin (tags)',
    items_product: 'items (product)',
  },
  queries: [
    'email[startsWith]=user.777',
    'email[contains]=r.7777',
    'tags=u77',
    'tags[in]=u77,u78',
    'items.product=p78',
  ],
  analyze: ['VACUUM ANALYZE orders', 'ANALYZE customers', 'ANALYZE items'],
  drop: (name) => `DROP INDEX ${name}`,
  reads: async (engine, text, parameters) => rowsOf(await planOf(engine, 'ANALYZE', text, parameters)),
  plan: async (engine, text, parameters) => JSON.stringify(await planOf(engine, 'COSTS OFF', text, parameters)),
})

const ofMysql = (collation: string, numbers: Kind['numbers'], explain: string): Omit<Kind, 'indexes' | 'queries'> => ({
  types: {
    text: `VARCHAR(60) COLLATE ${collation}`,
    ordered: `VARCHAR(60) COLLATE ${collation}`,
    moment: 'DATETIME(6)',
    tags: 'JSON',
  },
  columns: { tags: jsonColumn('tags'), name: column('name', { type: 'orderedText' }) },
  moment: `DATE_ADD('2020-01-01', INTERVAL n * 7919 % ${rows} MINUTE)`,
  tags: `JSON_ARRAY(concat('t', n % 7), concat('u', n % 2000))`,
  numbers,
  open: [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`, `USE ${database}`],
  close: [`DROP DATABASE IF EXISTS ${database}`],
  analyze: ['ANALYZE TABLE orders, customers, items'],
  drop: (name, on) => `DROP INDEX ${name} ON ${on.split(' ', 1)[0]}`,
  reads: async ({ run }, text, parameters) => {
    await run('FLUSH STATUS')
    await run(text, parameters)
    const counts = await run(`SHOW SESSION STATUS LIKE 'Handler_read%'`)
    return counts.reduce((sum, { Value }) => sum + Number(Value), 0)
  },
  plan: async ({ run }, text, parameters) => JSON.stringify(await run(`${explain} ${text}`, parameters)),
})

const kinds: Readonly<Record<Exclude<DialectName, 'duckdb'> | 'postgres17', Kind>> = {
  postgres: inPostgres('C', 'default'),
  postgres17: inPostgres('pg_c_utf8', 'pg_c_utf8'),
  mysql: {
    ...ofMysql(
      'utf8mb4_0900_bin',
      (count) =>
        `(WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}) SELECT n FROM counted) AS numbers`,
      'EXPLAIN FORMAT=TREE',
    ),
    indexes: {
      ...ofEvery,
      by_email_lower:
        'orders ((LOWER(REPLACE(REPLACE(CONVERT(email USING utf8mb4) COLLATE utf8mb4_0900_bin, _utf8mb4 0xc8ba, _utf8mb4 0xe2b1a5), _utf8mb4 0xc8be, _utf8mb4 0xe2b1a6))))',
      by_tags: 'orders ((CAST(tags AS CHAR(40) ARRAY)))',
      items_product: 'items (product)',
    },
    queries: ['email[startsWith]=user.777', 'tags=u77', 'items.product=p78'],
  },
  mariadb: {
    ...ofMysql(
      'utf8mb4_nopad_bin',
      (count) => `(SELECT seq AS n FROM seq_1_to_${count}) AS numbers`,
      'EXPLAIN FORMAT=JSON',
    ),
    indexes: { ...ofEvery, items_product: 'items (product)' },
    queries: ['items.product=p78'],
  },
  sqlite: {
    types: { text: 'TEXT', ordered: 'TEXT', moment: 'TEXT', tags: 'TEXT' },
    columns: { created: column('created', { digits: 3 }), tags: jsonColumn('tags') },
    moment: `strftime('%Y-%m-%dT%H:%M:00.000Z', '2020-01-01', concat(n * 7919 % ${rows}, ' minutes'))`,
    tags: `json_array(concat('t', n % 7), concat('u', n % 2000))`,
    numbers: (count) =>
      `(WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}) SELECT n FROM counted)`,
    open: [],
    close: [],
    indexes: {
      ...ofEvery,
      by_created: 'orders (tenant, created)',
      by_total: 'orders (tenant, total)',
      by_name: 'orders (tenant, name)',
      by_stars: 'orders (tenant, stars)',
      by_id: 'orders (tenant)',
      by_email_lower: 'orders (lower(email))',
    },
    // In a page with lists, the lists take longer than to sort all rows.
    queries: ['email[startsWith]=user.777', 'sort=id&fields=id'],
    analyze: ['ANALYZE'],
    drop: (name) => `DROP INDEX ${name}`,
    // SQLite counts no rows: microseconds, of the fastest of some runs.
    reads: async ({ run }, text, parameters) => {
      const times: number[] = []
      for (let time = 0; time < 5; time++) {
        const start = performance.now()
        await run(text, parameters)
        times.push((performance.now() - start) * 1_000)
      }
      return Math.min(...times)
    },
    plan: async ({ run }, text, parameters) => JSON.stringify(await run(`EXPLAIN QUERY PLAN ${text}`, parameters)),
  },
}

const engines = await openAllEngines(true)

test('no index of DuckDB serves a page: advise returns one line', async () => {
  const { run, dialect } = engines.find((engine) => dialectOf(engine) === 'duckdb')!
  await run('CREATE TABLE moments AS SELECT n AS id, n % 100 AS total FROM generate_series(1, 20000) AS _(n)')
  const small = defineSchema({ id: field.integer(), total: field.integer() })
  const options = {
    dialect,
    table: table('moments', { schema: small, key: 'id' }),
    collection: defineCollection(small, { key: 'id', sort: true }),
  }
  const lines = advise(await inspect((text, parameters) => run(text, parameters), { dialect }), options)
  expect(lines.map(({ statement, never }) => [statement, never])).toEqual([
    [undefined, 'no index of DuckDB has an order, and DuckDB scans tables fast'],
  ])
})

describe.each(engines.filter((engine) => dialectOf(engine) !== 'duckdb'))('$name', (engine) => {
  const { run, dialect } = engine
  const kind = kinds[(dialect.name === 'postgres17' ? dialect.name : dialectOf(engine)) as keyof typeof kinds]
  const indexes = Object.entries(kind.indexes).map(
    ([name, on]) => [name, on.replace('lower(', `${dialect.lower}(`)] as const,
  )
  const dropped = indexes.filter((_, at) => isComplete || at % 4 === 0)
  const mapped = table('orders', {
    schema,
    key: 'id',
    columns: {
      ...kind.columns,
      customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
      items: childTable('items', { key: 'id', foreignKey: 'order_id' }),
    },
  })
  const { select } = sqlBackend({ dialect, table: mapped })
  const queries = [...common, ...kind.queries]
  const statements = queries.map((text) => select(restrict(parseQueryOrThrow(collection, text), restriction)))
  const create = (name: string, on: string) => run(`CREATE INDEX ${name} ON ${on}`)
  const analyze = async () => {
    for (const statement of kind.analyze) await run(statement)
  }
  const advice = async (): Promise<readonly Advice[]> => {
    await analyze()
    const described = await inspect((text, parameters) => run(text, parameters), { dialect })
    return advise(described, { dialect, table: mapped, collection, restriction: ['tenant'] })
  }
  const proposed = async () => (await advice()).filter(({ statement }) => statement !== undefined)
  const readAll = async () => {
    const counts: number[] = []
    for (const { text, parameters } of statements) counts.push(await kind.reads(engine, text, parameters))
    return counts
  }

  beforeAll(async () => {
    const { text, ordered, moment, tags } = kind.types
    const insert = (name: string, values: readonly string[], count: number) =>
      run(`INSERT INTO ${name} SELECT ${values.join(', ')} FROM ${kind.numbers(count)}`)
    for (const statement of kind.open) await run(statement)
    if (dialectOf(engine) === 'mysql') await run(`SET cte_max_recursion_depth = ${2 * rows}`)
    const key = dialectOf(engine) === 'sqlite' ? 'INTEGER PRIMARY KEY' : id
    await run(
      `CREATE TABLE orders (id ${key}, tenant BIGINT NOT NULL, created ${moment} NOT NULL, total BIGINT NOT NULL, name ${ordered} NOT NULL,
        status ${text} NOT NULL, stars BIGINT, email ${text}, tags ${tags}, customer_id BIGINT)`,
    )
    await run(`CREATE TABLE customers (id ${key}, name ${text})`)
    await run(`CREATE TABLE items (id ${key}, order_id BIGINT NOT NULL, product ${text}, quantity BIGINT)`)
    const mixed = `(n * 7919 % ${rows})`
    await insert(
      'orders',
      [
        'n',
        tenants,
        kind.moment,
        mixed,
        `concat('Guest ', ${mixed})`,
        states,
        `CASE WHEN n % 20 > 0 THEN n * 31 % 5000 END`,
        `concat('User.', ${mixed}, '@Example.com')`,
        kind.tags,
        'n % 2000 + 1',
      ],
      rows,
    )
    await insert('customers', ['n', `concat('Customer ', n)`], 2_000)
    await insert(
      'items',
      ['n', `(n + 1) / 2`, `concat('p', n * 3 % 9000)`, 'n % 5'].map((value) =>
        dialectOf(engine) === 'postgres' || dialectOf(engine) === 'sqlite' ? value : value.replace('/ 2', 'DIV 2'),
      ),
      2 * rows,
    )
  }, 60_000)
  afterAll(async () => {
    for (const statement of kind.close) await run(statement)
  })

  test('it names each index whose loss hurts, and no other', async () => {
    for (const [name, on] of indexes) await create(name, on)
    expect(await proposed()).toEqual([])
    const whole = await readAll()
    const lines: string[] = []
    const wrong: string[] = []
    for (const [name, on] of dropped) {
      await run(kind.drop(name, on))
      const lacking = await proposed()
      const counts = await readAll()
      await create(name, on)
      const ratioOf = ({ count, before }: { count: number; before: number }) => count / Math.max(before, 1)
      const [worst] = counts
        .map((count, at) => ({ count, before: whole[at]!, query: queries[at]! }))
        .toSorted((a, b) => ratioOf(b) - ratioOf(a)) as [{ count: number; before: number; query: string }]
      const hurts = ratioOf(worst) >= 10
      lines.push(
        `${name.padEnd(16)} ${Math.round(worst.before)} → ${Math.round(worst.count)}  ${worst.query}  ${lacking.map(({ statement, serves }) => `${statement} [${serves.join('; ')}]`).join(' | ')}`,
      )
      if (hurts !== lacking.length > 0) wrong.push(lines.at(-1)!)
    }
    if (process.env.ADVISE_TABLE !== undefined) console.log(`${engine.name}\n${lines.join('\n')}`)
    expect(wrong).toEqual([])
  }, 120_000)

  test('the indexes that it proposes serve the statements, and nothing is missing then', async () => {
    for (const [name, on] of indexes) await run(kind.drop(name, on)).catch(() => undefined)
    const lacking = await proposed()
    expect(lacking.length).toBeGreaterThan(8)
    const names: string[] = []
    for (const { statement } of lacking) {
      for (const one of statement!.split('; ')) await run(one)
      names.push(...(/INDEX (?:CONCURRENTLY )?(?:"main"\.)?["`](\w+)/.exec(statement!)?.slice(1) ?? []))
    }
    expect(await proposed()).toEqual([])
    await analyze()
    const plans: string[] = []
    for (const { text, parameters } of statements) plans.push(await kind.plan(engine, text, parameters))
    expect(names.filter((name) => !plans.some((plan) => new RegExp(`\\b${name}\\b`).test(plan)))).toEqual([])
  }, 120_000)
})
