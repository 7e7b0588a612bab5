/** A million orders in each database, with the indexes that docs/guides/sql-indexes.md recommends: made once, and kept. */
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
const customers = 100_000
const place = 'urlwhere_bench'

const states = ['new', 'paid', 'held', 'lost']
const required = { required: true }
export const schema = defineSchema({
  id: field.integer(required),
  ref: field.uuid(required),
  account: field.bigint(required),
  created: field.datetime(required),
  name: field.string(required),
  email: field.string(),
  seller: field.string(required),
  status: field.enumeration(states, required),
  total: field.number(required),
  amount: field.decimal(required),
  guests: field.integer(),
  due: field.date(required),
  paid: field.datetime(),
  gift: field.boolean(required),
  stars: field.integer(),
  note: field.string(),
  /** All three hold the same tags. PostgreSQL stores them in an array and in JSON with two kinds of GIN index. Others store plain JSON. */
  labels: field.list(field.string()),
  tags: field.list(field.string()),
  marks: field.list(field.string()),
  customer: field.object({ name: field.string(), city: field.string() }),
  items: field.list(
    field.object({ arrival: field.date(required), product: field.string(required), quantity: field.integer(required) }),
  ),
})

const related = {
  customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
  items: childTable('order_items', { key: 'id', foreignKey: 'order_id' }),
}
const mapped = (columns) => table('orders', { schema, key: 'id', columns: { ...columns, ...related } })

/** Of row `n`: a number that no other has, below {@link count}. In its order, neighbours are far apart in the table. */
const shuffled = `(n * 7919 % ${count})`

/** Values that all databases write alike, in SQL; `text` joins texts and numbers. */
const common = ({ text, date }) => ({
  name: text(`'Guest '`, shuffled),
  email: text(`'Guest.'`, shuffled, `'@Example.com'`),
  seller: text(`'s'`, 'n % 1000'),
  status: `CASE WHEN n % 20000 = 7 THEN 'lost' WHEN n % 3 = 0 THEN 'held' WHEN n % 3 = 1 THEN 'new' ELSE 'paid' END`,
  total: `${shuffled} * 0.25`,
  guests: 'n % 97',
  due: date('n % 1000'),
  gift: 'n % 5000 = 0',
  stars: 'CASE WHEN n % 20 > 0 THEN (n * 31) % 1000 END',
  note: `CASE WHEN n % 5000 = 7 THEN ${text(`'Note '`, 'n')} END`,
  customer_id: `n % ${customers}`,
})
const tagsOf = (text) => [text(`'t'`, 'n % 100'), text(`'u'`, 'n % 50000')]

/** The tables, filled: two items for each second order. */
function fill({ columns, options = '', text, date, numbers, types, before = [], indexes }) {
  const names = Object.keys(columns)
  const declarations = names.map((name) => `${name} ${columns[name][0]}`)
  const values = names.map((name) => columns[name][1])
  const { key, short, integer, day } = types
  const item = [
    'n + k',
    'n',
    date('(n * 7 + k * 100) % 1000'),
    text(`'p'`, '(n * 3 + k * 11) % 20000'),
    '1 + (n + k) % 5',
  ]
  return [
    ...before,
    `CREATE TABLE orders (id ${key}, ${declarations.join(', ')})${options}`,
    `CREATE TABLE customers (id ${key}, name ${short}, city ${short})${options}`,
    `CREATE TABLE order_items (id ${key}, order_id ${integer} NOT NULL, arrival ${day} NOT NULL, product ${short} NOT NULL, quantity ${integer} NOT NULL)${options}`,
    `INSERT INTO orders SELECT n, ${values.join(', ')} FROM ${numbers(count)}`,
    `INSERT INTO customers SELECT n, ${text(`'Guest '`, 'n')}, ${text(`'c'`, 'n % 100')} FROM ${numbers(customers)}`,
    `INSERT INTO order_items SELECT ${item.join(', ')} FROM ${numbers(count)}, (SELECT 0 AS k UNION ALL SELECT 1) AS two WHERE n % 2 = 0`,
    ...indexes,
  ]
}

const unique = (name) => (name.endsWith('_key') ? 'UNIQUE ' : '')
const createIndexes = (indexes) =>
  Object.entries(indexes).map(([name, on]) => `CREATE ${unique(name)}INDEX ${name} ON ${on}`)

/** The pages by one column and the key. */
const byKey = {
  orders_created: 'orders (created, id)',
  orders_total: 'orders (total, id)',
  orders_due: 'orders (due, id)',
  orders_due_total: 'orders (due, total, id)',
  orders_due_total_mixed: 'orders (due, total DESC, id DESC)',
  orders_seller_created: 'orders (seller, created, id)',
}
const plain = {
  orders_ref_key: 'orders (ref)',
  orders_account_key: 'orders (account)',
  orders_name: 'orders (name, id)',
  orders_email: 'orders (email)',
  orders_status: 'orders (status)',
  orders_amount: 'orders (amount)',
  orders_guests_due: 'orders (guests, due)',
  orders_paid: 'orders (paid)',
  orders_gift: 'orders (gift)',
  orders_customer: 'orders (customer_id)',
  customers_name: 'customers (name)',
  items_order_arrival: 'order_items (order_id, arrival)',
}
const ofItems = { items_arrival: 'order_items (arrival)', items_product: 'order_items (product, arrival)' }

// --- PostgreSQL

const pgText = (...parts) => `concat(${parts.join(', ')})`
const pgDate = (days) => `date '2020-01-01' + (${days})::int`
const [pgTag, pgRare] = tagsOf(pgText)
const ofPg = common({ text: pgText, date: pgDate })
const pgColumns = {
  ref: ['uuid NOT NULL', `concat(lpad(${shuffled}::text, 8, '0'), '-0000-4000-8000-', lpad(n::text, 12, '0'))::uuid`],
  account: ['bigint NOT NULL', `9000000000 + ${shuffled}`],
  created: [
    'timestamptz NOT NULL',
    `timestamptz '2020-01-01T00:00:00.123456Z' + ${shuffled} / 10 * interval '1000007 microseconds'`,
  ],
  name: ['text COLLATE "C" NOT NULL', ofPg.name],
  email: ['text', ofPg.email],
  seller: ['text NOT NULL', ofPg.seller],
  status: ['order_status NOT NULL', `(${ofPg.status})::order_status`],
  total: ['double precision NOT NULL', ofPg.total],
  amount: ['numeric(12, 2) NOT NULL', `n * 104729 % ${count} * 0.25`],
  guests: ['bigint', ofPg.guests],
  due: ['date NOT NULL', ofPg.due],
  paid: ['timestamptz', `CASE WHEN n % 10 > 0 THEN timestamptz '2020-01-01T00:00Z' + n * interval '1 minute' END`],
  gift: ['boolean NOT NULL', ofPg.gift],
  stars: ['bigint', ofPg.stars],
  note: ['text', ofPg.note],
  customer_id: ['bigint', ofPg.customer_id],
  labels: ['text[]', `ARRAY[${pgTag}, ${pgRare}]`],
  tags: ['jsonb', `jsonb_build_array(${pgTag}, ${pgRare})`],
  marks: ['jsonb', `jsonb_build_array(${pgTag}, ${pgRare})`],
}
const pgStatements = fill({
  columns: pgColumns,
  text: pgText,
  date: pgDate,
  numbers: (many) => `generate_series(1, ${many}::bigint) AS n`,
  types: { key: 'bigint PRIMARY KEY', short: 'text', integer: 'bigint', day: 'date' },
  before: [
    'CREATE EXTENSION pg_trgm',
    `CREATE TYPE order_status AS ENUM (${states.map((state) => `'${state}'`).join(', ')})`,
    `SET maintenance_work_mem = '256MB'`,
  ],
  indexes: [
    ...createIndexes({
      ...byKey,
      ...plain,
      ...ofItems,
      orders_stars: 'orders (stars NULLS FIRST, id)',
      orders_note: 'orders (note)',
      orders_email_lower: 'orders (lower(email) COLLATE "C")',
      orders_email_trigrams: 'orders USING gin (lower(email) gin_trgm_ops)',
      orders_labels: 'orders USING gin (labels)',
      orders_tags: 'orders USING gin (tags jsonb_path_ops)',
      orders_marks: 'orders USING gin (marks)',
    }),
    'VACUUM ANALYZE',
  ],
}).map((statement) => statement.replace(/^CREATE TABLE/, 'CREATE UNLOGGED TABLE'))

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
  table: mapped({
    status: column('status', { type: 'enum', name: 'order_status' }),
    amount: column('amount', { type: 'numeric' }),
    labels: arrayColumn('labels'),
    tags: jsonColumn('tags'),
    marks: jsonColumn('marks'),
  }),
  open: async () => {
    const { default: pg } = await import('pg')
    const url = new URL(process.env[variable])
    const connect = async () => {
      const client = new pg.Client(url.href)
      await client.connect()
      return client
    }
    const admin = await connect()
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
    await keep(pgStatements, rowCount === 0 ? undefined : await versionOf(), anew)
    await admin.end()
    const client = await connect()
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
      close: () => client.end(),
    }
  },
})

// --- MySQL and MariaDB

const myText = (...parts) => `concat(${parts.join(', ')})`
const myDate = (days) => `DATE_ADD('2020-01-01', INTERVAL ${days} DAY)`
const [myTag, myRare] = tagsOf(myText)
const myTable = mapped({
  ref: column('ref', { type: 'uuidBytes' }),
  name: column('name', { type: 'orderedText' }),
  status: column('status', { type: 'enum' }),
  ...Object.fromEntries(['labels', 'tags', 'marks'].map((name) => [name, jsonColumn('tags')])),
})
function myColumns(collation) {
  const short = `VARCHAR(50) COLLATE ${collation}`
  const of = common({ text: myText, date: myDate })
  return {
    ref: ['BINARY(16) NOT NULL', `UNHEX(concat(lpad(${shuffled}, 8, '0'), '00004000', '8000', lpad(n, 12, '0')))`],
    account: ['BIGINT NOT NULL', `9000000000 + ${shuffled}`],
    created: [
      'DATETIME(6) NOT NULL',
      `DATE_ADD('2020-01-01T00:00:00.123456', INTERVAL ${shuffled} DIV 10 * 1000007 MICROSECOND)`,
    ],
    name: [`${short} NOT NULL`, of.name],
    email: [short, of.email],
    seller: [`${short} NOT NULL`, of.seller],
    status: [`ENUM (${states.map((state) => `'${state}'`).join(', ')}) NOT NULL`, of.status],
    total: ['DOUBLE NOT NULL', of.total],
    amount: ['DECIMAL(12, 2) NOT NULL', `n * 104729 % ${count} * 0.25`],
    guests: ['BIGINT', of.guests],
    due: ['DATE NOT NULL', of.due],
    paid: ['DATETIME(6)', `CASE WHEN n % 10 > 0 THEN DATE_ADD('2020-01-01', INTERVAL n MINUTE) END`],
    gift: ['BOOLEAN NOT NULL', of.gift],
    stars: ['BIGINT', of.stars],
    note: [short, of.note],
    customer_id: ['BIGINT', of.customer_id],
    tags: ['JSON', `JSON_ARRAY(${myTag}, ${myRare})`],
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
const myStatements = ({ collation, numbers, before = [], after }) =>
  fill({
    columns: myColumns(collation),
    options: ' CHARACTER SET utf8mb4',
    text: myText,
    date: myDate,
    numbers,
    types: {
      key: 'BIGINT PRIMARY KEY',
      short: `VARCHAR(50) COLLATE ${collation}`,
      integer: 'BIGINT',
      day: 'DATE',
    },
    before,
    indexes: [
      ...indexesOf({
        ...byKey,
        ...plain,
        ...ofItems,
        orders_stars: 'orders (stars, id)',
        orders_note: 'orders (note)',
      }),
      // Beside an index of an expression, MySQL would copy the table row by row.
      ...after,
      'ANALYZE TABLE orders, customers, order_items',
    ],
  })

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
  table: myTable,
  open: async () => {
    const { run, prepared, close } = await connect(process.env[variable])
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
    await keep(statements, version, anew)
    await run(`USE ${place}`)
    const [{ version: own }] = await run('SELECT version() AS version')
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
      orders_email_lower:
        'orders ((LOWER(REPLACE(REPLACE(CONVERT(email USING utf8mb4) COLLATE utf8mb4_0900_bin, _utf8mb4 0xc8ba, _utf8mb4 0xe2b1a5), _utf8mb4 0xc8be, _utf8mb4 0xe2b1a6))))',
      orders_email_plain: 'orders ((LOWER(email)))',
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
      'ALTER TABLE orders ADD email_lower VARCHAR(50) COLLATE utf8mb4_nopad_bin AS (LOWER(email)) VIRTUAL',
      'CREATE INDEX orders_email_lower ON orders (email_lower)',
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

const liteText = (...parts) => parts.map((part) => (part.startsWith("'") ? part : `(${part})`)).join(' || ')
const liteDate = (days) => `date('2020-01-01', (${days}) || ' days')`
const [liteTag, liteRare] = tagsOf(liteText)
const ofLite = common({ text: liteText, date: liteDate })
/** The moment `micros` after the start of 2020, with six digits. */
const liteMoment = (micros) =>
  `strftime('%Y-%m-%dT%H:%M:%S', '2020-01-01', ((${micros}) / 1000000) || ' seconds') || printf('.%06dZ', (${micros}) % 1000000)`
const liteStatements = fill({
  columns: {
    ref: ['TEXT NOT NULL', `printf('%08d-0000-4000-8000-%012d', ${shuffled}, n)`],
    account: ['INTEGER NOT NULL', `9000000000 + ${shuffled}`],
    created: ['TEXT NOT NULL', liteMoment(`123456 + ${shuffled} / 10 * 1000007`)],
    name: ['TEXT NOT NULL', ofLite.name],
    email: ['TEXT', ofLite.email],
    seller: ['TEXT NOT NULL', ofLite.seller],
    status: ['TEXT NOT NULL', ofLite.status],
    total: ['REAL NOT NULL', ofLite.total],
    amount: ['INTEGER NOT NULL', `n * 104729 % ${count} * 25`],
    guests: ['INTEGER', ofLite.guests],
    due: ['TEXT NOT NULL', ofLite.due],
    paid: ['TEXT', `CASE WHEN n % 10 > 0 THEN ${liteMoment('n * 60000000')} END`],
    gift: ['INTEGER NOT NULL', ofLite.gift],
    stars: ['INTEGER', ofLite.stars],
    note: ['TEXT', ofLite.note],
    customer_id: ['INTEGER', ofLite.customer_id],
    tags: ['TEXT', `json_array(${liteTag}, ${liteRare})`],
  },
  options: ' STRICT',
  text: liteText,
  date: liteDate,
  numbers: (many) =>
    `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${many}) SELECT n FROM counted)`,
  types: { key: 'INTEGER PRIMARY KEY', short: 'TEXT', integer: 'INTEGER', day: 'TEXT' },
  before: ['PRAGMA journal_mode = OFF', 'PRAGMA synchronous = OFF', 'PRAGMA cache_size = -262144'],
  indexes: [
    ...createIndexes({
      // Every index ends with the row's number.
      ...Object.fromEntries(Object.entries(byKey).map(([name, on]) => [name, on.replace(', id)', ')')])),
      ...plain,
      ...ofItems,
      orders_name: 'orders (name)',
      orders_stars: 'orders (stars)',
      orders_note: 'orders (note) WHERE note IS NOT NULL',
      orders_email_lower: 'orders (lower(email))',
    }),
    'ANALYZE',
  ],
})

const sqliteDatabase = {
  family: 'sqlite',
  dialect: sqlite,
  placeholder: () => '?',
  table: mapped({
    created: column('created', { digits: 6 }),
    paid: column('paid', { digits: 6 }),
    amount: column('amount', { type: 'scaled', digits: 2 }),
    name: column('name', { type: 'orderedText' }),
    ...Object.fromEntries(['labels', 'tags', 'marks'].map((name) => [name, jsonColumn('tags')])),
  }),
  open: async () => {
    const folder = new URL('.generated/', import.meta.url)
    mkdirSync(folder, { recursive: true })
    const path = new URL('orders.sqlite', folder).pathname
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
    await keep(liteStatements, versionOf(), anew)
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
async function keep(statements, version, anew) {
  const wanted = createHash('sha256').update(statements.join(';')).digest('hex').slice(0, 16)
  if (version === wanted) return
  const begun = Date.now()
  await anew([...statements, `CREATE TABLE built AS SELECT '${wanted}' AS version`])
  console.error(`made ${count} orders in ${Math.round((Date.now() - begun) / 1000)} s`)
}

export const databases = {
  postgres: postgresAt('POSTGRES_URL'),
  postgres18: postgresAt('POSTGRES18_URL'),
  mysql: mysqlDatabase,
  mariadb: mariadbDatabase,
  sqlite: sqliteDatabase,
}
