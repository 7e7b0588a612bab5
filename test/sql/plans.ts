/**
 * Which index serves which condition: 200,000 rows on each engine, the indexes that docs/sql.md recommends, the plans.
 * `node test/sql/plans.ts` prints the tables of that page; POSTGRES_URL and MARIADB_URL say where the servers are.
 */
import { randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  postgres,
  sqlBackend,
  table,
  type ColumnOptions,
} from '../../src/backends/sql/index.ts'
import {
  and,
  defineSchema,
  field,
  parseFilterOrThrow,
  type Field,
  type LiteralType,
  type OperatorName,
} from '../../src/index.ts'
import { openMariadb, openPostgres, openSqlite, postgresColumns, wholeSqlite, type Engine } from './engines.ts'

/** What each operator is asked for: few rows, so that an index is the way to them. */
type Asked = Readonly<Partial<Record<OperatorName, string>>>
const exists = 'true'
const operands: Readonly<Record<LiteralType | 'uuid', Asked>> = {
  string: {
    ...{ equals: 'Guest 1234', in: 'Guest 1234,Guest 77', range: 'Guest 1234,Guest 1235', exists },
    ...{ gt: 'Guest 9999', gte: 'Guest 9999', lt: 'Guest 1000', lte: 'Guest 1000' },
    ...{ startsWith: 'guest 1234', endsWith: '71234', contains: '71234' },
  },
  integer: { equals: '5', in: '5,6,7', range: '5,6', gt: '997', gte: '997', lt: '3', lte: '3', exists },
  number: { equals: '5', in: '5,7.25', range: '50,60.25', gt: '49900', gte: '49900', lt: '99.5', lte: '99.5', exists },
  boolean: { equals: 'true', exists },
  date: {
    ...{ equals: '2020-02-02', in: '2020-02-02,2020-02-07', range: '2020-02-02,2020-02-03', exists },
    ...{ gt: '2022-09-24', gte: '2022-09-24', lt: '2020-01-03', lte: '2020-01-03' },
  },
  datetime: {
    ...{ equals: '2020-02-02T12:00:00Z', in: '2020-02-02T12:00:00Z,2020-02-03T12:00:00Z', exists },
    ...{ gt: '2020-05-18T12:00:00Z', gte: '2020-05-18T12:00:00Z', lt: '2020-01-01T12:00:00Z' },
    ...{ lte: '2020-01-01T12:00:00Z', range: '2020-02-02T12:00:00Z,2020-02-02T13:00:00Z' },
  },
  uuid: {
    ...{ equals: '00000000-0000-4000-8000-000000001234', in: '00000000-0000-4000-8000-000000001234,x' },
    ...{ gt: '00000000-0000-4000-8000-000000199999', startsWith: '00000000-0000-4000-8000-000000001234' },
  },
}

/** A condition, or some that differ by operator, and the indexes that they are promised: none where there is a reason. */
export interface Line {
  /** A field; without operators, a query. */
  readonly asked: string
  readonly operators?: readonly OperatorName[]
  /** Whether what the caller may see stands before it. */
  readonly restricted?: boolean
  readonly indexes: readonly string[]
  readonly note?: string
}
const order = 'gt gte lt lte range'
const plain = `equals ${order} in`
const line = (asked: string, operators: string, index: string, note?: string): Line => ({
  asked,
  operators: operators.split(' ') as OperatorName[],
  indexes: [index],
  ...(note !== undefined && { note }),
})
const none = (asked: string, operators: string, note: string): Line => ({ ...line(asked, operators, ''), indexes: [], note })
const query = (asked: string, ...indexes: readonly string[]): Line => ({ asked, indexes })
const restricted = (asked: string, index: string): Line => ({ asked, restricted: true, indexes: ['orders_seller', index] })

/** What a plan looks for in indexes: no index that is read from end to end. */
export interface Used {
  readonly query: string
  /** Of the kinds that an engine has. */
  readonly plan: string
  readonly indexes: readonly string[]
}
export const isKept = ({ indexes }: Line, used: Used): boolean =>
  indexes.length === 0 ? used.indexes.length === 0 : indexes.every((index) => used.indexes.includes(index))

interface Column {
  readonly field: Field
  readonly declared: string
  /** Of row `n`, in SQL. */
  readonly value: string
  /** Its place in the mapping, where its name does not say it. */
  readonly place?: ColumnOptions[string]
  readonly operands?: Asked
}
interface Kind {
  /** A place of its own for the tables, and how it goes. */
  readonly open: readonly string[]
  readonly drop: readonly string[]
  /** In FROM: columns `n`, from 1 to 200000, and `k`, 0 and 1. */
  readonly rows: string
  readonly text: string
  readonly values: { readonly date: (number: string) => string; readonly datetime: string; readonly json: string }
  readonly columns: Readonly<Record<string, Column>>
  /** By name; a column that has none here has one of its own. */
  readonly indexes: Readonly<Record<string, string>>
  readonly analyze: readonly string[]
  readonly lines: readonly Line[]
  readonly explain: (statement: string, parameters: readonly unknown[], line: Line) => Promise<Omit<Used, 'query'>[]>
}

export interface Plans {
  readonly name: string
  /** How columns are declared, by name. */
  readonly columns: Readonly<Record<string, Column>>
  readonly indexes: Readonly<Record<string, string>>
  readonly lines: readonly Line[]
  readonly load: () => Promise<void>
  readonly used: (line: Line) => Promise<readonly Used[]>
  readonly close: () => Promise<void>
}

/** The values of row `n` that are written alike everywhere. */
const values = {
  string: `concat('Guest ', (n * 7919) % 200000)`,
  integer: '(n * 31) % 1000',
  number: '(n * 7919) % 200000 * 0.25',
  boolean: 'n % 500 = 0',
  epochMs: '1577836800000 + n * 60000.0',
}
const types = ['string', 'integer', 'number', 'boolean', 'date', 'datetime'] as const
/** A field of each type, and one that most rows have no value for. */
const dense = ['name', 'guests', 'total', 'gift', 'arrival', 'paid']
const sparse = ['note', 'rating', 'refund', 'vip', 'departure', 'cancelled']

const common: readonly Line[] = [
  ...['guests', 'total', 'arrival', 'paid'].map((name) => line(name, plain, `orders_${name}`)),
  query('paid=2020-02-02', 'orders_paid'),
  line('gift', 'equals', 'orders_gift'),
  ...sparse.map((name) => line(name, 'exists', `orders_${name}`)),
  restricted('items.arrival[gte]=2020-02-02', 'order_items_order_arrival'),
  restricted('items[exists]=true', 'order_items_order_arrival'),
]

function plansOf({ name, dialect, declared, options, ...engine }: Engine, kind: Kind): Plans {
  const of = { ...values, date: kind.values.date('n % 1000'), datetime: kind.values.datetime }
  const columnOf = (type: LiteralType, value: string): Column => ({
    field: field[type](),
    declared: type === 'string' ? kind.text : declared[type],
    value,
  })
  const columns: Record<string, Column> = {
    id: { ...columnOf('integer', 'n'), declared: `${declared.integer} PRIMARY KEY` },
    seller: columnOf('string', `concat('s', n % 500)`),
    ...Object.fromEntries(types.map((type, at) => [dense[at]!, columnOf(type, of[type])])),
    ...Object.fromEntries(
      types.map((type, at) => [sparse[at]!, columnOf(type, `CASE WHEN n % 500 = 7 THEN ${of[type]} END`)]),
    ),
    tags: {
      field: field.list(field.string()),
      declared: declared.json,
      value: kind.values.json,
      place: jsonColumn('tags'),
    },
    ...kind.columns,
  }
  const own = Object.keys(columns).filter((name) => !['id', 'tags', 'labels'].includes(name))
  const indexes = {
    ...Object.fromEntries(own.map((name) => [`orders_${name}`, `orders (${name})`])),
    order_items_order_arrival: 'order_items (order_id, arrival)',
    ...kind.indexes,
  }

  const schema = defineSchema({
    ...Object.fromEntries(Object.entries(columns).map(([name, { field }]) => [name, field])),
    items: field.list(field.object({ arrival: field.date(), product: field.string() })),
  })
  const places = Object.entries(columns).map(([name, { place = name }]) => [name, place] as const)
  const items = childTable('order_items', { foreignKey: 'order_id' })
  const orders = table('orders', { schema, key: 'id', columns: { ...Object.fromEntries(places), items } })
  const backend = sqlBackend({ dialect, table: orders })
  const restriction = parseFilterOrThrow(schema, 'seller=s7')

  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await engine.run(statement)
  }
  const declarations = Object.entries(columns).map(([name, { declared }]) => `${name} ${declared}`)
  const itemsOf = `SELECT 2 * n + k, n, ${kind.values.date('(n * 7 + k * 100) % 1000')}, concat('p', (n * 3 + k * 11) % 2000)`
  const { integer, date } = declared

  return {
    name,
    columns,
    indexes,
    lines: [...common, ...kind.lines],
    load: () =>
      run([
        ...kind.open,
        `CREATE TABLE orders (${declarations.join(', ')})${options}`,
        `CREATE TABLE order_items (id ${integer} PRIMARY KEY, order_id ${integer}, arrival ${date}, product ${kind.text})${options}`,
        `INSERT INTO orders SELECT ${Object.values(columns).map(({ value }) => value)} FROM ${kind.rows} WHERE k = 0`,
        `INSERT INTO order_items ${itemsOf} FROM ${kind.rows}`,
        ...Object.entries(indexes).map(([name, on]) => `CREATE INDEX ${name} ON ${on}`),
        ...kind.analyze,
      ]),
    used: async (line) => {
      const { asked, operators } = line
      const type = schema.paths.get(asked)?.literal as LiteralType
      const operandOf = columns[asked]?.operands ?? operands[type]
      const used: Used[] = []
      for (const query of operators?.map((name) => `${asked}[${name}]=${operandOf[name]!}`) ?? [asked]) {
        const filter = parseFilterOrThrow(schema, query)
        const { text, parameters } = backend.compile(line.restricted ? and(restriction, filter) : filter)
        const plans = await kind.explain(`SELECT * FROM orders WHERE ${text}`, parameters, line)
        used.push(...plans.map((plan) => ({ query, ...plan })))
      }
      return used
    },
    close: async () => {
      await run(kind.drop)
      await engine.close()
    },
  }
}

/** Every object in a plan that is JSON. */
const nodesOf = (plan: unknown): Record<string, unknown>[] =>
  typeof plan !== 'object' || plan === null
    ? []
    : [...(Array.isArray(plan) ? [] : [plan as Record<string, unknown>]), ...Object.values(plan).flatMap(nodesOf)]

const scratch = `plans_${randomUUID().slice(0, 8)}`
const jsonb = 'no index reaches into the entries of JSON'

function postgresPlans(engine: Engine): Plans {
  const explain: Kind['explain'] = async (statement, parameters, line) => {
    const look = async (plan: string, explained: string, values: readonly unknown[] = []) => {
      const [row] = await engine.run(`EXPLAIN (FORMAT JSON) ${explained}`, values)
      const nodes = nodesOf(row!['QUERY PLAN']).filter((node) => 'Index Cond' in node)
      return { plan, indexes: nodes.map((node) => String(node['Index Name'])) }
    }
    const custom = await look('custom', statement, parameters)
    await engine.run(`PREPARE prepared AS ${statement}`)
    await engine.run('SET plan_cache_mode = force_generic_plan')
    const prepared = parameters.length === 0 ? 'EXECUTE prepared' : `EXECUTE prepared(${parameters.map(() => 'NULL')})`
    let generic = await look('generic', prepared)
    if (!isKept(line, { query: '', ...generic })) {
      await engine.run('SET enable_seqscan = off')
      await engine.run('DISCARD PLANS')
      generic = await look('generic, told not to scan', prepared)
    }
    for (const statement of ['DEALLOCATE prepared', 'RESET plan_cache_mode', 'RESET enable_seqscan'])
      await engine.run(statement)
    return [custom, generic]
  }
  const numeric = 'its column is compared as double precision: say the type `numeric`'
  return plansOf(engine, {
    open: [`CREATE SCHEMA ${scratch}`, `SET search_path TO ${scratch}, public`, 'CREATE EXTENSION IF NOT EXISTS pg_trgm'],
    drop: [`DROP SCHEMA IF EXISTS ${scratch} CASCADE`],
    rows: 'generate_series(1, 200000) AS n, generate_series(0, 1) AS k',
    text: 'text',
    values: {
      date: (number) => `date '2020-01-01' + (${number})`,
      datetime: `timestamptz '2020-01-01T00:00Z' + n * interval '1 minute'`,
      json: `jsonb_build_array(concat('t', n % 500))`,
    },
    columns: {
      seats: { field: field.integer(), declared: 'integer', value: values.integer },
      price: {
        ...{ field: field.number(), declared: 'numeric', value: values.number },
        place: column('price', { type: 'numeric' }),
      },
      fee: { field: field.number(), declared: 'numeric', value: values.number },
      nights: {
        ...{ field: field.number(), declared: 'integer', value: values.integer },
        place: column('nights', { type: 'numeric' }),
      },
      code: { field: field.string(), declared: 'text COLLATE "C"', value: values.string },
      local: {
        ...{ field: field.datetime(), declared: 'timestamp' },
        value: `timestamp '2020-01-01T00:00' + n * interval '1 minute'`,
        place: column('local', { type: 'timestamp' }),
      },
      millis: {
        ...{ field: field.datetime(), declared: 'bigint', value: values.epochMs },
        place: column('millis', { type: 'epochMs' }),
      },
      ref: {
        ...{ field: field.string(), declared: 'uuid', operands: operands.uuid },
        value: `concat('00000000-0000-4000-8000-', lpad(n::text, 12, '0'))::uuid`,
        place: column('ref', { type: 'uuid' }),
      },
      labels: {
        ...{ field: field.list(field.string()), declared: 'text[]', value: `ARRAY[concat('t', n % 500)]` },
        place: arrayColumn('labels'),
      },
    },
    indexes: {
      orders_name_order: 'orders (name COLLATE "C")',
      orders_name_lower: 'orders (lower(name) COLLATE "C")',
      orders_name_trigrams: 'orders USING gin (lower(name) gin_trgm_ops)',
      orders_tags: 'orders USING gin (tags)',
      orders_labels: 'orders USING gin (labels)',
      order_items_arrival: 'order_items (arrival)',
      order_items_product: 'order_items (product)',
    },
    analyze: ['ANALYZE orders', 'ANALYZE order_items'],
    lines: [
      line('name', 'equals in', 'orders_name'),
      line('name', order, 'orders_name_order'),
      line('name', 'startsWith', 'orders_name_lower'),
      line('name', 'contains endsWith', 'orders_name_trigrams'),
      query('paid[in]=2020-02-02,2020-02-04', 'orders_paid'),
      line('code', plain, 'orders_code'),
      line('seats', plain, 'orders_seats'),
      line('price', plain, 'orders_price'),
      none('fee', plain, numeric),
      none('nights', plain, 'fractions are compared as `numeric`, which an index of integers does not hold'),
      line('local', plain, 'orders_local'),
      line('millis', plain, 'orders_millis'),
      line('ref', 'equals in', 'orders_ref'),
      none('ref', 'gt startsWith', 'a uuid is ordered and matched as text'),
      line('items.arrival', plain, 'order_items_arrival'),
      query('items.arrival[gte]=2020-02-02&items.arrival[lte]=2020-02-03', 'order_items_arrival'),
      query('items.product=p7', 'order_items_product'),
      { ...query('tags=t7'), note: jsonb },
      { ...query('labels=t7'), note: 'entries are compared one by one, which a GIN index does not do' },
    ],
    explain,
  })
}

function mariadbPlans(engine: Engine): Plans {
  const explain: Kind['explain'] = async (statement, parameters) => {
    const explained = `EXPLAIN FORMAT=JSON ${statement}`
    const marks = parameters.length === 0 ? '' : ` USING ${parameters.map(() => '?')}`
    const looks = {
      text: await engine.run(explained, parameters),
      prepared: await engine.run(`EXECUTE IMMEDIATE ?${marks}`, [explained, ...parameters]),
    }
    return Object.entries(looks).map(([plan, rows]) => ({
      plan,
      indexes: nodesOf(JSON.parse(String(rows[0]!.EXPLAIN)))
        // What stands in <> is a table of its own, made for the statement.
        .filter(({ table_name, key }) => key !== undefined && !String(table_name).startsWith('<'))
        .filter(({ access_type }) => access_type !== 'index')
        .map(({ key }) => String(key)),
    }))
  }
  return plansOf(engine, {
    open: [`CREATE DATABASE ${scratch} CHARACTER SET utf8mb4`, `USE ${scratch}`],
    drop: [`DROP DATABASE IF EXISTS ${scratch}`],
    rows: '(SELECT a.seq AS n, b.seq AS k FROM seq_1_to_200000 AS a, seq_0_to_1 AS b) AS numbers',
    text: 'VARCHAR(100) COLLATE utf8mb4_nopad_bin',
    values: {
      date: (number) => `DATE_ADD('2020-01-01', INTERVAL ${number} DAY)`,
      datetime: `DATE_ADD('2020-01-01', INTERVAL n MINUTE)`,
      json: `JSON_ARRAY(concat('t', n % 500))`,
    },
    columns: {
      remark: { field: field.string(), declared: 'TEXT COLLATE utf8mb4_nopad_bin', value: values.string },
      nick: { field: field.string(), declared: 'VARCHAR(100) COLLATE utf8mb4_general_ci', value: values.string },
      seats: { field: field.integer(), declared: 'INT', value: values.integer },
      price: {
        ...{ field: field.number(), declared: 'DECIMAL(12, 2)', value: values.number },
        place: column('price', { type: 'decimal' }),
      },
      millis: {
        ...{ field: field.datetime(), declared: 'BIGINT', value: values.epochMs },
        place: column('millis', { type: 'epochMs' }),
      },
    },
    indexes: { orders_remark: 'orders (remark(100))', order_items_arrival: 'order_items (arrival)', order_items_product: 'order_items (product)' },
    analyze: [
      'ALTER TABLE orders ADD COLUMN name_lower VARCHAR(100) COLLATE utf8mb4_nopad_bin AS (LOWER(name)) VIRTUAL, ADD INDEX orders_name_lower (name_lower)',
      'ANALYZE TABLE orders, order_items',
    ],
    lines: [
      line('name', plain, 'orders_name'),
      none('name', 'startsWith contains endsWith', 'an index holds no lower-cased text, and a generated column is not found by its expression'),
      query('paid[in]=2020-02-02,2020-02-04', 'orders_paid'),
      line('remark', plain, 'orders_remark'),
      line('nick', 'equals in', 'orders_nick'),
      none('nick', order, 'its index has another order than that of code points'),
      line('seats', plain, 'orders_seats'),
      line('price', plain, 'orders_price'),
      line('millis', plain, 'orders_millis'),
      line('items.arrival', plain, 'order_items_arrival'),
      query('items.arrival[gte]=2020-02-02&items.arrival[lte]=2020-02-03', 'order_items_arrival'),
      query('items.product=p7', 'order_items_product'),
      { ...query('tags=t7'), note: jsonb },
    ],
    explain,
  })
}

function sqlitePlans(engine: Engine, analyze: readonly string[]): Plans {
  const explain: Kind['explain'] = async (statement, parameters) => {
    const rows = await engine.run(`EXPLAIN QUERY PLAN ${statement}`, parameters)
    const searches = rows.map(({ detail }) => /^SEARCH .*USING (?:COVERING )?INDEX (\w+) \(/.exec(String(detail)))
    return [{ plan: 'only', indexes: searches.flatMap((search) => search?.[1] ?? []) }]
  }
  return plansOf(engine, {
    open: [],
    drop: [],
    rows: `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 200000)
      SELECT n, k FROM counted, (SELECT 0 AS k UNION SELECT 1))`,
    text: 'TEXT',
    values: {
      date: (number) => `date('2020-01-01', concat(${number}, ' days'))`,
      datetime: `strftime('%Y-%m-%dT%H:%M:00.000Z', '2020-01-01', concat(n, ' minutes'))`,
      json: `json_array(concat('t', n % 500))`,
    },
    columns: {
      nick: { field: field.string(), declared: 'TEXT COLLATE NOCASE', value: values.string },
      alias: { field: field.string(), declared: 'TEXT COLLATE NOCASE', value: values.string },
      nights: {
        ...{ field: field.number(), declared: 'INTEGER', value: values.integer },
        place: column('nights', { type: 'integer' }),
      },
      millis: {
        ...{ field: field.datetime(), declared: 'INTEGER', value: values.epochMs },
        place: column('millis', { type: 'epochMs' }),
      },
    },
    indexes: {
      orders_name_lower: `orders (${engine.dialect.lower}(name))`,
      orders_alias: 'orders (alias COLLATE BINARY)',
      ...Object.fromEntries(sparse.map((name) => [`orders_${name}`, `orders (${name}) WHERE ${name} IS NOT NULL`])),
      order_items_order_product: 'order_items (order_id, product)',
    },
    analyze,
    lines: [
      line('name', plain, 'orders_name'),
      line('name', 'startsWith', 'orders_name_lower'),
      none('name', 'contains endsWith', 'SQLite has no index of parts of a text that stands for `instr`'),
      { ...query('paid[in]=2020-02-02,2020-02-04'), note: 'SQLite uses no index for an OR of conditions with COLLATE' },
      query('millis[in]=2020-02-02,2020-02-04', 'orders_millis'),
      none('nick', plain, 'its index has another collation'),
      line('alias', plain, 'orders_alias'),
      line('nights', plain, 'orders_nights'),
      line('millis', plain, 'orders_millis'),
      line('items.arrival', plain, 'order_items_order_arrival', 'for each order'),
      query('items.arrival[gte]=2020-02-02&items.arrival[lte]=2020-02-03', 'order_items_order_arrival'),
      query('items.product=p7', 'order_items_order_product'),
      { ...query('tags=t7'), note: jsonb },
    ],
    explain,
  })
}

async function openTrigrams(): Promise<Engine> {
  const database = await PGlite.create({ extensions: { pg_trgm } })
  return {
    ...{ name: 'pglite', dialect: postgres, declared: postgresColumns, options: '' },
    stored: (_, value) => value,
    run: async (statement, parameters = []) =>
      (await database.query<Record<string, unknown>>(statement, [...parameters])).rows,
    close: () => database.close(),
  }
}

/** The engines in process, and the servers that the environment points to. */
export async function openPlans(): Promise<Plans[]> {
  const { POSTGRES_URL, MARIADB_URL } = process.env
  return [
    ...(POSTGRES_URL === undefined ? [] : [postgresPlans(await openPostgres(POSTGRES_URL))]),
    postgresPlans(await openTrigrams()),
    ...(MARIADB_URL === undefined ? [] : [mariadbPlans(await openMariadb(MARIADB_URL))]),
    sqlitePlans(openSqlite(), ['ANALYZE']),
    sqlitePlans({ ...openSqlite(wholeSqlite), name: 'sqlite, lower-casing whole, without ANALYZE' }, []),
  ]
}

if (import.meta.main) {
  for (const plans of await openPlans()) {
    const t=performance.now()
    try {
      await plans.load()
      console.log(plans.name, 'load', performance.now()-t)
      for (const line of plans.lines) for (const used of await plans.used(line)) { const ok=isKept(line, used); if(!ok || /told/.test(used.plan)) console.log(ok?'ok ':'BAD', used.query, '|', used.plan, '|', used.indexes.join(' '), '| promised', line.indexes.join(' ')) }
      console.log(plans.name, 'all', performance.now()-t)
    } finally { await plans.close() }
  }
}
