/** A million orders in each database, with the indexes that docs/reference/sql-indexes.md recommends: made once, and kept. */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlite,
  table,
} from '../src/backends/sql/index.ts'
import { defineSchema, field } from '../src/index.ts'

export const count = 1_000_000
/** The name of the database, and of SQLite's file. */
const placeOf = (size) => (size === count ? 'urlwhere_bench' : `urlwhere_bench_${size}`)

const states = ['new', 'paid', 'held', 'lost']
const required = { required: true }
const string = field.string()
export const schema = defineSchema({
  id: field.integer(required),
  ref: field.uuid(required),
  account: field.bigint(required),
  created: field.datetime(required),
  name: field.string(required),
  seller: field.string(required),
  status: field.enumeration(states, required),
  city: field.string(required),
  title: field.string(required),
  note: string,
  total: field.number(required),
  amount: field.decimal(required),
  guests: field.integer(),
  due: field.date(required),
  paid: field.datetime(),
  gift: field.boolean(required),
  discount: field.integer(),
  coupon: string,
  /** All three hold the same tags. PostgreSQL stores them in an array and in JSON with two kinds of GIN index. Others store plain JSON. */
  labels: field.list(string),
  tags: field.list(string),
  marks: field.list(string),
  data: field.object({ sku: string, score: field.integer(), channel: string }),
  customer: field.object({
    name: field.string(required),
    email: field.string(required),
    country: field.string(required),
    vip: field.boolean(required),
  }),
  items: field.list(
    field.object({
      product: field.string(required),
      arrival: field.date(required),
      quantity: field.integer(required),
      price: field.number(required),
    }),
  ),
})
/** A seller has 5,000 orders and more. */
export const sellers = defineSchema({
  id: field.string(required),
  name: field.string(required),
  orders: field.list(field.object({ total: field.number(required) })),
})

const related = (columns) => ({
  customer: parentTable('customers', { key: 'id', foreignKey: { columns: 'customer_id', enforced: true }, columns }),
  items: childTable('order_items', { key: 'id', foreignKey: { columns: 'order_id', enforced: true } }),
})
const mapped = (columns, ofCustomers, ofSellers) => ({
  orders: table('orders', {
    schema,
    key: 'id',
    columns: { data: jsonColumn('data'), ...columns, ...related(ofCustomers) },
    orders: [
      ['seller', '-created'],
      ['seller', 'total'],
      ['status', '-created'],
    ],
  }),
  sellers: table('sellers', {
    schema: sellers,
    key: 'id',
    columns: {
      ...ofSellers,
      orders: childTable('orders', { key: 'id', foreignKey: { columns: 'seller', enforced: true } }),
    },
  }),
})

/** Numbers of row `n` that look like chance: each has its own factor. */
const chance = (factor, of = 'n') => `(${of} * ${factor} % 1000003)`

/**
 * The tables, filled, in SQL that all databases write alike but for these functions: `text` joins texts and numbers, `date` and
 * `moment` count days and microseconds from 2020, `div` drops the fraction, `hex` has capital letters.
 *
 * - 200 sellers: `s-0` has a third of the orders, 195 have 3,350 each, and `z-old1` to `z-old4` have the 5,000 oldest each.
 * - 417 cities. Ten orders have one moment. A quarter has no discount, a twentieth no customer, a fifth no note.
 * - Tags and products are skewed: of 400 tags and 2,000 products, the first are on a twentieth and on 67,000 items.
 * - Up to six items for each order, three on average.
 */
function fill(database, size) {
  const {
    columns,
    options = '',
    text,
    date,
    moment,
    div,
    hex,
    list,
    object,
    numbers,
    types,
    before = [],
    indexes,
  } = database
  const customers = size / 10
  // Below the size, and of one row alone. Rows beside each other in this order are far apart in the table.
  const age = `(n * 7919 % ${size})`
  const skewed = (number, most) => div(`${number} * ${number} * ${most}`, '1000000000000')
  const oneOf = (number, words) =>
    `CASE ${number} % ${words.length} ${words.map((word, at) => `WHEN ${at} THEN '${word}'`).join(' ')} END`
  const letters = (factor) => hex(`1048576 + n * ${factor} % 15728640`)
  const seller = chance(611_953)
  const [tag, other] = [chance(350_377), chance(746_773)]
  const tags = [text(`'t'`, skewed(tag, 400)), text(`'u'`, `${chance(282_589)} % 10`), text(`'t'`, skewed(other, 400))]
  const values = {
    ref: database.ref(age),
    account: `9000000000 + ${age}`,
    created: moment(`123456 + ${div(age, '10')} * 1577000007`),
    name: text(`'Guest '`, age),
    seller: `CASE WHEN ${age} < ${size / 50} THEN ${text(`'z-old'`, `1 + ${div(age, String(size / 200))}`)} WHEN ${seller} % 3 = 0 THEN 's-0' ELSE ${text(`'s-'`, `1 + ${div(seller, '3')} % 195`)} END`,
    status: `(CASE WHEN n % 20000 = 7 THEN 'lost' WHEN ${chance(433_494)} % 5 < 2 THEN 'new' WHEN ${chance(433_494)} % 5 < 4 THEN 'paid' ELSE 'held' END)${database.status ?? ''}`,
    city: text(oneOf(chance(514_229), ['Oslo', 'Lima', 'Rome']), `' '`, `${chance(514_229)} % 417`),
    title: text(`'Order '`, letters(48_271_129)),
    note: `CASE WHEN ${chance(196_418)} % 5 > 0 THEN ${text(`CASE WHEN ${chance(196_418)} % 20 < 4 THEN 'Fragile ' ELSE 'Plain ' END`, letters(7_919_131), `' '`, oneOf(chance(832_040), ['alpha', 'bravo', 'delta', 'echo', 'golf']))} END`,
    total: `(n * 104729 % ${size}) * 0.25`,
    amount: `(n * 650467 % ${size}) * ${database.quarter ?? 0.25}`,
    guests: `${chance(121_393)} % 97`,
    due: date(`${chance(317_811)} % 1000`),
    paid: `CASE WHEN n % 10 > 0 THEN ${moment('n * 60000000')} END`,
    gift: database.gift ?? 'n % 5000 = 0',
    discount: `CASE WHEN ${chance(75_025)} % 4 > 0 THEN ${chance(75_025)} % 2000 END`,
    coupon: `CASE WHEN n % 5000 = 7 THEN ${text(`'Coupon '`, 'n')} END`,
    customer_id: `CASE WHEN ${chance(46_368)} % 20 > 0 THEN 1 + ${chance(28_657)} % ${customers} END`,
    data: object({
      sku: text(`'k'`, `${chance(17_711)} % 20000`),
      score: `${chance(832_040)} % 1000`,
      channel: oneOf(chance(95_279), ['web', 'app', 'shop', 'mail']),
    }),
  }
  for (const [name, listOf] of Object.entries(list))
    values[name] =
      `CASE ${other} % 20 WHEN 0 THEN NULL WHEN 1 THEN ${listOf([])} WHEN 2 THEN ${listOf(tags)} ELSE ${listOf(tags.slice(0, 2))} END`
  const names = Object.keys(columns)
  const declarations = names.map((name) => `${name} ${columns[name]}`)
  const { key, short, integer, day, float, boolean } = types
  const entry = '(n * 8 + k)'
  const item = [
    entry,
    'n',
    text(`'p'`, skewed(chance(1_299_709, `(${entry} * ${entry} % 1000003)`), 2000)),
    date(`${chance(999_331, entry)} % 1000`),
    `1 + ${chance(611_957, entry)} % 9`,
    `${chance(15_485_863, entry)} % 50000 * 0.25`,
  ]
  const customer = [
    text(`'Customer '`, div(`n * 7919 % ${customers}`, '2')),
    text(`'Guest.'`, 'n', `'@Example.com'`),
    oneOf('n', ['at', 'be', 'ch', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'se']),
    database.vip ?? 'n % 50 = 0',
  ]
  return [
    ...before,
    `CREATE TABLE orders (id ${key}, ${declarations.join(', ')})${options}`,
    `CREATE TABLE customers (id ${key}, name ${short} NOT NULL, email ${short} NOT NULL, country ${short} NOT NULL, vip ${boolean} NOT NULL)${options}`,
    `CREATE TABLE order_items (id ${key}, order_id ${integer} NOT NULL, product ${short} NOT NULL, arrival ${day} NOT NULL, quantity ${integer} NOT NULL, price ${float} NOT NULL)${options}`,
    `CREATE TABLE sellers (id ${short} PRIMARY KEY, name ${short} NOT NULL)${options}`,
    `INSERT INTO orders SELECT n, ${names.map((name) => values[name]).join(', ')} FROM ${numbers(size)}`,
    `INSERT INTO customers SELECT n, ${customer.join(', ')} FROM ${numbers(customers)}`,
    `INSERT INTO order_items SELECT ${item.join(', ')} FROM ${numbers(size)}, (${[0, 1, 2, 3, 4, 5].map((k) => `SELECT ${k} AS k`).join(' UNION ALL ')}) AS six WHERE k < ${chance(39_088)} % 7`,
    `INSERT INTO sellers SELECT seller, ${text(`'Seller '`, 'seller')} FROM orders GROUP BY seller`,
    ...indexes,
  ]
}

const unique = (name) => (name.endsWith('_key') ? 'UNIQUE ' : '')
const createIndexes = (indexes) =>
  Object.entries(indexes).map(([name, on]) => `CREATE ${unique(name)}INDEX ${name} ON ${on}`)

/** The orders of pages, and what conditions compare; the same in all databases. */
const pages = {
  orders_created: 'orders (created, id)',
  orders_total: 'orders (total, id)',
  orders_due: 'orders (due, id)',
  orders_due_total: 'orders (due, total, id)',
  orders_due_total_mixed: 'orders (due, total DESC, id DESC)',
  orders_seller_created: 'orders (seller, created, id)',
  orders_seller_total: 'orders (seller, total, id)',
  orders_seller_status_created: 'orders (seller, status, created, id)',
  orders_status_created: 'orders (status, created, id)',
}
/** The orders of texts, which PostgreSQL reads with `COLLATE "C"`, and of columns that may be NULL. */
const pagesBy = (collation, nulls) => ({
  orders_name: 'orders (name, id)',
  orders_title: `orders (title${collation}, id)`,
  orders_seller_total_mixed: `orders (seller${collation}, total DESC, id DESC)`,
  orders_city_total_mixed: `orders (city${collation}, total DESC, id DESC)`,
  orders_discount: `orders (discount${nulls}, id)`,
  orders_seller_discount: `orders (seller, discount${nulls}, id)`,
  customers_name: `customers (name${collation}, id)`,
})
const conditions = {
  orders_ref_key: 'orders (ref)',
  orders_account_key: 'orders (account)',
  orders_amount: 'orders (amount)',
  orders_guests_due: 'orders (guests, due)',
  orders_paid: 'orders (paid)',
  orders_gift: 'orders (gift)',
  orders_customer: 'orders (customer_id)',
  customers_country: 'customers (country)',
  items_order: 'order_items (order_id, product)',
  items_product: 'order_items (product, order_id)',
  items_arrival: 'order_items (arrival, order_id)',
}
const coupons = { orders_coupon: 'orders (coupon)' }

// --- PostgreSQL

const pgTags = 'text[]'
const pgMoment = (micros) => `timestamptz '2020-01-01T00:00Z' + (${micros}) * interval '1 microsecond'`
const pgDatabase = {
  columns: {
    ref: 'uuid NOT NULL',
    account: 'bigint NOT NULL',
    created: 'timestamptz NOT NULL',
    name: 'text COLLATE "C" NOT NULL',
    seller: 'text NOT NULL',
    status: 'order_status NOT NULL',
    city: 'text NOT NULL',
    title: 'text NOT NULL',
    note: 'text',
    total: 'double precision NOT NULL',
    amount: 'numeric(12, 2) NOT NULL',
    guests: 'bigint',
    due: 'date NOT NULL',
    paid: 'timestamptz',
    gift: 'boolean NOT NULL',
    discount: 'bigint',
    coupon: 'text',
    customer_id: 'bigint',
    labels: pgTags,
    tags: 'jsonb',
    marks: 'jsonb',
    data: 'jsonb NOT NULL',
  },
  text: (...parts) => `concat(${parts.join(', ')})`,
  date: (days) => `date '2020-01-01' + (${days})::int`,
  moment: pgMoment,
  div: (number, by) => `(${number}) / ${by}`,
  hex: (number) => `upper(to_hex(${number}))`,
  list: {
    labels: (entries) => `ARRAY[${entries}]::${pgTags}`,
    tags: (entries) => `jsonb_build_array(${entries})`,
    marks: (entries) => `jsonb_build_array(${entries})`,
  },
  object: (entries) => `jsonb_build_object(${Object.entries(entries).map(([name, value]) => `'${name}', ${value}`)})`,
  ref: (age) => `concat(lpad(${age}::text, 8, '0'), '-0000-4000-8000-', lpad(n::text, 12, '0'))::uuid`,
  status: '::order_status',
  numbers: (many) => `generate_series(1, ${many}::bigint) AS n`,
  types: {
    key: 'bigint PRIMARY KEY',
    short: 'text',
    integer: 'bigint',
    day: 'date',
    float: 'double precision',
    boolean: 'boolean',
  },
  before: [
    'CREATE EXTENSION pg_trgm',
    `CREATE TYPE order_status AS ENUM (${states.map((state) => `'${state}'`).join(', ')})`,
    `SET maintenance_work_mem = '256MB'`,
  ],
  indexes: [
    ...createIndexes({
      ...pages,
      ...pagesBy(' COLLATE "C"', ' NULLS FIRST'),
      ...conditions,
      ...coupons,
      orders_title_lower: 'orders (lower(title) COLLATE "C")',
      orders_title_equal: 'orders (lower(title))',
      orders_title_letters: 'orders USING gin (lower(title) gin_trgm_ops)',
      orders_note_letters: 'orders USING gin (lower(note) gin_trgm_ops)',
      orders_city_letters: 'orders USING gin (lower(city) gin_trgm_ops)',
      // A condition compares with the column's own collation, an order with `COLLATE "C"`.
      customers_name_equal: 'customers (name)',
      customers_email_lower: 'customers (lower(email))',
      orders_labels: 'orders USING gin (labels)',
      orders_tags: 'orders USING gin (tags jsonb_path_ops)',
      orders_marks: 'orders USING gin (marks)',
      orders_data: 'orders USING gin (data jsonb_path_ops)',
    }),
    'VACUUM ANALYZE',
  ],
}
const pgStatements = (size) =>
  fill(pgDatabase, size).map((statement) => statement.replace(/^CREATE TABLE/, 'CREATE UNLOGGED TABLE'))

const pgNodes = (node) => [node, ...(node.Plans ?? []).flatMap(pgNodes)]
const pgWords = (node) => {
  const type = node['Node Type']
  const index = node['Index Name']
  if (type === 'Bitmap Index Scan') return `bitmap \`${index}\``
  if (index !== undefined) return `${'Index Cond' in node ? 'index' : 'whole index'} \`${index}\``
  if (type === 'Seq Scan') return `scan of ${node['Relation Name']}`
  if (type === 'Incremental Sort') return 'sort of ties'
  return type === 'Sort' ? 'sort' : undefined
}

const postgresAt = (variable) => ({
  variable,
  family: 'postgres',
  dialect: postgres,
  placeholder: (at) => `$${at}`,
  tables: mapped({
    status: column('status', { type: 'enum', name: 'order_status' }),
    amount: column('amount', { type: 'numeric' }),
    labels: arrayColumn('labels'),
    tags: jsonColumn('tags'),
    marks: jsonColumn('marks'),
  }),
  open: async (size = count) => {
    const { default: pg } = await import('pg')
    const url = new URL(process.env[variable])
    const connect = async () => {
      const client = new pg.Client(url.href)
      await client.connect()
      return client
    }
    const admin = await connect()
    const place = placeOf(size)
    url.pathname = `/${place}`
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [place])
    const anew = async (statements) => {
      await admin.query(`DROP DATABASE IF EXISTS ${place}`)
      await admin.query(`CREATE DATABASE ${place}`)
      const client = await connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
    const versionOf = async () => {
      const client = await connect()
      return client
        .query('SELECT version FROM built')
        .then(({ rows: [row] }) => row?.version)
        .catch(() => undefined)
        .finally(() => client.end())
    }
    await keep(pgStatements(size), rowCount === 0 ? undefined : await versionOf(), anew, size)
    await admin.end()
    const client = await connect()
    // Buffers of workers depend on how many there are.
    await client.query('SET max_parallel_workers_per_gather = 0')
    const read = async (text, values) => (await client.query(text, values)).rows
    const [{ server_version: version }] = await read('SHOW server_version')
    return {
      title: `PostgreSQL ${parseInt(version, 10)}`,
      version: version.split(' ', 1)[0],
      prepare: (text) => (values) => read(text, values),
      explain: async (text, parameters) => {
        const [row] = await read(`EXPLAIN (FORMAT JSON) ${text}`, parameters)
        return pgNodes(row['QUERY PLAN'][0].Plan).flatMap((node) => pgWords(node) ?? [])
      },
      analyze: async (text, parameters) =>
        (await read(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, parameters)).map((row) => row['QUERY PLAN']).join('\n'),
      /** The pages of the buffers that a statement reads. */
      work: async (text, parameters) => {
        const [row] = await read(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, parameters)
        const { Plan: plan } = row['QUERY PLAN'][0]
        return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      },
      close: () => client.end(),
    }
  },
})

// --- MySQL and MariaDB

const ordered = (names) => Object.fromEntries(names.map((name) => [name, column(name, { type: 'orderedText' })]))
const orderTexts = ordered(['name', 'seller', 'city', 'title', 'note', 'coupon'])
const customerTexts = ordered(['name', 'email', 'country'])
const oneColumn = Object.fromEntries(['labels', 'tags', 'marks'].map((name) => [name, jsonColumn('tags')]))
const myTables = mapped(
  {
    ...orderTexts,
    ...oneColumn,
    ref: column('ref', { type: 'uuidBytes' }),
    status: column('status', { type: 'enum' }),
  },
  customerTexts,
  ordered(['id', 'name']),
)
const myMoment = (micros) => `DATE_ADD('2020-01-01', INTERVAL ${micros} MICROSECOND)`
function myTypes(collation) {
  const short = `VARCHAR(50) COLLATE ${collation}`
  return {
    ref: 'BINARY(16) NOT NULL',
    account: 'BIGINT NOT NULL',
    created: 'DATETIME(6) NOT NULL',
    name: `${short} NOT NULL`,
    seller: `${short} NOT NULL`,
    status: `ENUM (${states.map((state) => `'${state}'`).join(', ')}) NOT NULL`,
    city: `${short} NOT NULL`,
    title: `${short} NOT NULL`,
    note: short,
    total: 'DOUBLE NOT NULL',
    amount: 'DECIMAL(12, 2) NOT NULL',
    guests: 'BIGINT',
    due: 'DATE NOT NULL',
    paid: 'DATETIME(6)',
    gift: 'BOOLEAN NOT NULL',
    discount: 'BIGINT',
    coupon: short,
    customer_id: 'BIGINT',
    tags: 'JSON',
    data: 'JSON NOT NULL',
  }
}
/** One statement for each table, which reads it once. */
const indexesOf = (indexes) =>
  Array.from(
    Map.groupBy(Object.entries(indexes), ([, on]) => on.split(' ', 1)[0]),
    ([table, own]) => {
      const added = own.map(([name, on]) => `ADD ${unique(name)}INDEX ${name} ${on.slice(table.length + 1)}`)
      return `ALTER TABLE ${table} ${added.join(', ')}`
    },
  )
const myStatements =
  ({ collation, numbers, before = [], after }) =>
  (size) =>
    fill(
      {
        columns: myTypes(collation),
        options: ' CHARACTER SET utf8mb4',
        text: (...parts) => `concat(${parts.join(', ')})`,
        date: (days) => `DATE_ADD('2020-01-01', INTERVAL ${days} DAY)`,
        moment: myMoment,
        div: (number, by) => `(${number}) DIV ${by}`,
        hex: (number) => `HEX(${number})`,
        list: { tags: (entries) => `JSON_ARRAY(${entries})` },
        object: (entries) => `JSON_OBJECT(${Object.entries(entries).map(([name, value]) => `'${name}', ${value}`)})`,
        ref: (age) => `UNHEX(concat(lpad(${age}, 8, '0'), '00004000', '8000', lpad(n, 12, '0')))`,
        numbers,
        types: {
          key: 'BIGINT PRIMARY KEY',
          short: `VARCHAR(50) COLLATE ${collation}`,
          integer: 'BIGINT',
          day: 'DATE',
          float: 'DOUBLE',
          boolean: 'BOOLEAN',
        },
        before,
        indexes: [
          ...indexesOf({ ...pages, ...pagesBy('', ''), ...conditions, ...coupons }),
          // Beside an index of an expression, MySQL would copy the table row by row.
          ...after,
          'ANALYZE TABLE orders, customers, order_items, sellers',
        ],
      },
      size,
    )

/** Every object in a plan. */
const nodesOf = (plan) =>
  typeof plan !== 'object' || plan === null ? [] : [plan, ...Object.values(plan).flatMap(nodesOf)]

const mysqlWords = ({ access_type: type, index_name: index, index_access_type: way, table_name: name }) => {
  if (type === 'index')
    return `${way === 'index_scan' ? 'whole index' : 'index'} \`${index === 'PRIMARY' ? 'primary key' : index}\``
  if (type === 'table') return name === undefined || name.startsWith('<') ? undefined : `scan of ${name}`
  return type === 'sort' ? 'sort' : undefined
}
const mariadbWords = (node) => {
  const { table_name: name, access_type: type, key } = node
  if ('filesort' in node) return 'sort'
  if (type === 'index_merge') return 'index merge'
  if (name === undefined || String(name).startsWith('<')) return undefined
  if (type === 'ALL') return `scan of ${name}`
  return `${type === 'index' ? 'whole index' : 'index'} \`${key === 'PRIMARY' ? 'primary key' : key}\``
}

const mysqlAt = ({ variable, dialect, statements, title, connect, words }) => ({
  variable,
  family: dialect.name,
  dialect,
  placeholder: () => '?',
  tables: myTables,
  open: async (size = count) => {
    const { run, prepared, close } = await connect(process.env[variable])
    const place = placeOf(size)
    const anew = async (statements) => {
      await run(`DROP DATABASE IF EXISTS ${place}`)
      await run(`CREATE DATABASE ${place} CHARACTER SET utf8mb4`)
      await run(`USE ${place}`)
      for (const statement of statements) await run(statement)
    }
    const version = await run(`SELECT version FROM ${place}.built`).then(
      ([row]) => row?.version,
      () => undefined,
    )
    await keep(statements(size), version, anew, size)
    await run(`USE ${place}`)
    const [{ version: own }] = await run('SELECT version() AS version')
    const readRows = async () => {
      const counters = await run(`SHOW SESSION STATUS LIKE 'Handler_read%'`)
      return counters.reduce((sum, { Value: value }) => sum + Number(value), 0)
    }
    return {
      title: `${title} ${own.split('.').slice(0, 2).join('.')}`,
      version: own.split('-', 1)[0],
      prepare: (text) => (values) => prepared(text, values),
      explain: async (text, parameters) => {
        if (dialect.name === 'mysql') await run('SET explain_json_format_version = 2')
        const [row] = await prepared(`EXPLAIN FORMAT=JSON ${text}`, parameters)
        // MariaDB writes the bytes of an operand as they are, which is not JSON.
        const plain = String(row.EXPLAIN).replace(/"[a-z_]*condition": ".*"/g, '"condition": ""')
        return nodesOf(JSON.parse(plain)).flatMap((node) => words(node) ?? [])
      },
      analyze: async (text, parameters) => {
        const verb = dialect.name === 'mysql' ? 'EXPLAIN ANALYZE' : 'ANALYZE FORMAT=JSON'
        const [row] = await prepared(`${verb} ${text}`, parameters)
        return String(Object.values(row)[0])
      },
      /** The rows that the storage engine reads for a statement. */
      work: async (text, parameters) => {
        const before = await readRows()
        const between = await readRows()
        await prepared(text, parameters)
        return (await readRows()) - between - (between - before)
      },
      close,
    }
  },
})

const mysqlDatabase = mysqlAt({
  variable: 'MYSQL_URL',
  dialect: mysql,
  title: 'MySQL',
  statements: myStatements({
    collation: 'utf8mb4_0900_bin',
    numbers: (many) =>
      `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${many}) SELECT n FROM counted) AS numbers`,
    before: [`SET cte_max_recursion_depth = ${count}`, 'SET innodb_ddl_buffer_size = 268435456'],
    after: createIndexes({
      orders_title_lower:
        'orders ((LOWER(REPLACE(REPLACE(CONVERT(title USING utf8mb4) COLLATE utf8mb4_0900_bin, _utf8mb4 0xc8ba, _utf8mb4 0xe2b1a5), _utf8mb4 0xc8be, _utf8mb4 0xe2b1a6))))',
      orders_title_plain: 'orders ((LOWER(title)))',
      orders_tags: 'orders ((CAST(tags AS CHAR(50) ARRAY)))',
    }),
  }),
  words: mysqlWords,
  connect: async (url) => {
    const { default: mysql2 } = await import('mysql2/promise')
    const connection = await mysql2.createConnection(url.replace('mariadb:', 'mysql:').replace(/\?.*/, ''))
    return {
      run: async (text, values) => (await connection.query(text, values))[0],
      prepared: async (text, values) => (await connection.execute(text, values))[0],
      close: () => connection.end(),
    }
  },
})
const mariadbDatabase = mysqlAt({
  variable: 'MARIADB_URL',
  dialect: mariadb,
  title: 'MariaDB',
  statements: myStatements({
    collation: 'utf8mb4_nopad_bin',
    numbers: (many) => `(SELECT seq AS n FROM seq_1_to_${many}) AS numbers`,
    after: [
      'ALTER TABLE orders ADD title_lower VARCHAR(50) COLLATE utf8mb4_nopad_bin AS (LOWER(title)) VIRTUAL',
      'CREATE INDEX orders_title_lower ON orders (title_lower)',
    ],
  }),
  words: mariadbWords,
  connect: async (url) => {
    const { default: driver } = await import('mariadb')
    const connection = await driver.createConnection(url)
    return {
      run: (text, values) => connection.query(text, values),
      prepared: (text, values) => connection.execute(text, values),
      close: () => connection.end(),
    }
  },
})

// --- SQLite

/** The moment `micros` after the start of 2020, with six digits. */
const liteMoment = (micros) =>
  `strftime('%Y-%m-%dT%H:%M:%S', '2020-01-01', ((${micros}) / 1000000) || ' seconds') || printf('.%06dZ', (${micros}) % 1000000)`
/** Every index ends with the number of the row: `id` in an index serves two directions alone. */
const withoutKey = (indexes) =>
  Object.fromEntries(Object.entries(indexes).map(([name, on]) => [name, on.replace(/, id\)$/, ')')]))
const liteDatabase = {
  columns: {
    ref: 'TEXT NOT NULL',
    account: 'INTEGER NOT NULL',
    created: 'TEXT NOT NULL',
    name: 'TEXT NOT NULL',
    seller: 'TEXT NOT NULL',
    status: 'TEXT NOT NULL',
    city: 'TEXT NOT NULL',
    title: 'TEXT NOT NULL',
    note: 'TEXT',
    total: 'REAL NOT NULL',
    amount: 'INTEGER NOT NULL',
    guests: 'INTEGER',
    due: 'TEXT NOT NULL',
    paid: 'TEXT',
    gift: 'INTEGER NOT NULL',
    discount: 'INTEGER',
    coupon: 'TEXT',
    customer_id: 'INTEGER',
    tags: 'TEXT',
    data: 'TEXT NOT NULL',
  },
  options: ' STRICT',
  text: (...parts) => parts.map((part) => (part.startsWith("'") ? part : `(${part})`)).join(' || '),
  date: (days) => `date('2020-01-01', (${days}) || ' days')`,
  moment: liteMoment,
  div: (number, by) => `(${number}) / ${by}`,
  hex: (number) => `printf('%X', ${number})`,
  list: { tags: (entries) => `json_array(${entries})` },
  object: (entries) => `json_object(${Object.entries(entries).map(([name, value]) => `'${name}', ${value}`)})`,
  ref: (age) => `printf('%08d-0000-4000-8000-%012d', ${age}, n)`,
  quarter: 25,
  numbers: (many) =>
    `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${many}) SELECT n FROM counted)`,
  types: {
    key: 'INTEGER PRIMARY KEY',
    short: 'TEXT',
    integer: 'INTEGER',
    day: 'TEXT',
    float: 'REAL',
    boolean: 'INTEGER',
  },
  before: ['PRAGMA journal_mode = OFF', 'PRAGMA synchronous = OFF', 'PRAGMA cache_size = -262144'],
  indexes: [
    ...createIndexes({
      ...withoutKey(pages),
      ...withoutKey(pagesBy('', '')),
      ...conditions,
      orders_coupon: 'orders (coupon) WHERE coupon IS NOT NULL',
      orders_title_lower: 'orders (lower(title))',
      customers_email_lower: 'customers (lower(email))',
    }),
    'ANALYZE',
  ],
}

const sqliteDatabase = {
  family: 'sqlite',
  dialect: sqlite,
  placeholder: () => '?',
  tables: mapped(
    {
      ...orderTexts,
      ...oneColumn,
      created: column('created', { digits: 6 }),
      paid: column('paid', { digits: 6 }),
      amount: column('amount', { type: 'scaled', digits: 2 }),
    },
    customerTexts,
    ordered(['id', 'name']),
  ),
  open: async (size = count) => {
    const folder = new URL('.generated/', import.meta.url)
    mkdirSync(folder, { recursive: true })
    const path = new URL(`${placeOf(size)}.sqlite`, folder).pathname
    const versionOf = () => {
      const database = new DatabaseSync(path)
      try {
        return database.prepare('SELECT version FROM built').get()?.version
      } catch {
        return undefined
      } finally {
        database.close()
      }
    }
    const anew = async (statements) => {
      rmSync(path, { force: true })
      const database = new DatabaseSync(path)
      for (const statement of statements) database.exec(statement)
      database.close()
    }
    await keep(fill(liteDatabase, size), versionOf(), anew, size)
    const database = new DatabaseSync(path)
    const prepare = (text) => {
      const statement = database.prepare(text)
      return async (values = []) => statement.all(...values)
    }
    const [{ version }] = await prepare('SELECT sqlite_version() AS version')()
    return {
      title: 'SQLite',
      version,
      prepare,
      explain: async (text, parameters) => {
        const rows = await prepare(`EXPLAIN QUERY PLAN ${text}`)(parameters)
        return rows.flatMap(({ detail }) => {
          if (detail.startsWith('USE TEMP B-TREE')) return [/LAST/.test(detail) ? 'sort of ties' : 'sort']
          const [, way, name, index] =
            /^(SEARCH|SCAN) (\S+)(?: USING (?:COVERING )?(?:INDEX )?(INTEGER PRIMARY KEY|\w+))?/.exec(detail) ?? []
          if (way === undefined || name === 'CONSTANT') return []
          if (index === undefined) return way === 'SCAN' ? [`scan of ${name}`] : []
          return [
            `${way === 'SCAN' ? 'whole index' : 'index'} \`${index.replace('INTEGER PRIMARY', 'primary').replace('KEY', 'key')}\``,
          ]
        })
      },
      analyze: async (text, parameters) =>
        (await prepare(`EXPLAIN QUERY PLAN ${text}`)(parameters)).map(({ detail }) => detail).join('\n'),
      close: async () => database.close(),
    }
  },
}

/** Makes the tables anew, unless these statements made them; the version is the last thing that is written. */
async function keep(statements, version, anew, size) {
  const wanted = createHash('sha256').update(statements.join(';')).digest('hex').slice(0, 16)
  if (version === wanted) return
  const begun = Date.now()
  await anew([...statements, `CREATE TABLE built AS SELECT '${wanted}' AS version`])
  console.error(`made ${size} orders in ${Math.round((Date.now() - begun) / 1000)} s`)
}

export const databases = {
  postgres: postgresAt('POSTGRES_URL'),
  postgres18: postgresAt('POSTGRES18_URL'),
  mysql: mysqlDatabase,
  mariadb: mariadbDatabase,
  sqlite: sqliteDatabase,
}
