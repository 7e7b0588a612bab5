/**
 * The file that `pull` writes loads and compiles, and `check` reports no error in it. A filter with a value of a row selects the row, and
 * pages walk each order forwards and backwards.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlBackend, type Table } from '../../../src/backends/sql/index.ts'
import { parseQueryOrThrow, type Collection } from '../../../src/index.ts'
import { check, checkColumns, inspect, pull, type Database } from '../../../src/tools/inspect/index.ts'
import { complaintsAbout, strictProject } from '../../package/code.ts'
import { dialectOf, openAllEngines, type DialectName } from '../sql/all-engines.ts'
import type { Engine } from '../sql/engines.ts'

const engines = await openAllEngines(true)
const folder = join(import.meta.dirname, '.generated')
beforeAll(() => mkdir(folder, { recursive: true }))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The type of a column: one text for all engines, or one for each engine that has the column. */
type ColumnType = string | Partial<Record<DialectName, string>>
const byDialect = (types: Partial<Record<DialectName, string>>): ColumnType => types
const mysqls = (text: string) => ({ mysql: text, mariadb: text })
const text = byDialect({
  postgres: 'text',
  ...mysqls('VARCHAR(40) CHARACTER SET utf8mb4'),
  sqlite: 'TEXT',
  duckdb: 'VARCHAR',
})
/** The name of a column, its type, and its values in two rows as SQL. */
const orders: readonly (readonly [column: string, ColumnType, first: string, second: string])[] = [
  ['order_id', 'INTEGER NOT NULL PRIMARY KEY', '1', '2'],
  ['CustomerID', 'INTEGER', '1', 'NULL'],
  [
    'placed_at',
    byDialect({
      postgres: 'timestamp(3) NOT NULL',
      ...mysqls('DATETIME NOT NULL'),
      sqlite: 'DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP',
      duckdb: 'TIMESTAMP NOT NULL',
    }),
    "'2024-02-29 10:00:00'",
    "'2024-03-01 11:30:00'",
  ],
  ['paid', byDialect({ postgres: 'boolean', ...mysqls('TINYINT(1)'), sqlite: 'BOOLEAN', duckdb: 'BOOLEAN' }), '1', '0'],
  ['freight', byDialect({ postgres: 'real', ...mysqls('FLOAT'), duckdb: 'FLOAT', sqlite: 'REAL' }), '12.3', '0.1'],
  [
    'total',
    byDialect({ postgres: 'numeric(12,2)', ...mysqls('DECIMAL(12,2)'), duckdb: 'DECIMAL(12,2)', sqlite: 'NUMERIC' }),
    '12.5',
    '100',
  ],
  ['big', byDialect({ postgres: 'bigint', ...mysqls('BIGINT'), duckdb: 'BIGINT' }), '9007199254740993', '7'],
  ['code', byDialect({ postgres: 'char(5)', ...mysqls('CHAR(5) CHARACTER SET latin1') }), "'ab'", "'é'"],
  ['due', byDialect({ postgres: 'date', ...mysqls('DATE'), sqlite: 'DATE', duckdb: 'DATE' }), "'2024-02-29'", 'NULL'],
  ['opens', byDialect({ postgres: 'time' }), "'09:30'", "'23:59:59.5'"],
  [
    'state',
    byDialect({ ...mysqls("ENUM('new','paid') CHARACTER SET utf8mb4"), duckdb: "ENUM('new', 'paid')" }),
    "'new'",
    "'paid'",
  ],
  [
    'ref',
    byDialect({ postgres: 'uuid', mariadb: 'UUID', duckdb: 'UUID', sqlite: 'TEXT' }),
    "'018f3c2e-1111-7abc-8def-0123456789ab'",
    'NULL',
  ],
  ['founded', byDialect(mysqls('YEAR')), '1999', '2020'],
  ['seen', byDialect({ sqlite: 'TIMESTAMP' }), '1709200800', '1709200801'],
  ['photo', byDialect({ postgres: 'bytea', ...mysqls('BLOB'), duckdb: 'BLOB', sqlite: 'BLOB' }), 'NULL', 'NULL'],
  ['tags', byDialect({ postgres: 'text[]' }), "'{a,b}'", 'NULL'],
  ['class', text, "'x'", "'y'"],
]
const typeFor = (declared: ColumnType, dialect: DialectName) =>
  typeof declared === 'string' ? declared : declared[dialect]

/** Statements that create orders of customers with lines, a view, and a table whose name is a keyword of JavaScript. */
function statementsOf(dialect: DialectName, quote: string): readonly string[] {
  const q = (name: string) => `${quote}${name}${quote}`
  const columns = orders.flatMap(([name, declared, first, second]) => {
    const type = typeFor(declared, dialect)
    return type === undefined
      ? []
      : [
          {
            name,
            type,
            values: [first, second].map((one) =>
              dialect === 'postgres' && name === 'paid' ? String(one === '1') : one,
            ),
          },
        ]
  })
  const inserted = (at: number) => columns.map(({ values }) => values[at]!).join(', ')
  const isMysql = dialect === 'mysql' || dialect === 'mariadb'
  const references = (column: string, table: string, key: string) =>
    `, FOREIGN KEY (${q(column)}) REFERENCES ${table} (${q(key)})`
  const string = typeFor(text, dialect)!
  return [
    `CREATE TABLE customers (${q('ID')} INTEGER NOT NULL PRIMARY KEY, ${q('full name')} ${string} NOT NULL)`,
    `INSERT INTO customers VALUES (1, 'Ada'), (2, 'Zoë')`,
    `CREATE TABLE orders (${columns.map(({ name, type }) => `${q(name)} ${type}`).join(', ')}${references('CustomerID', 'customers', 'ID')})`,
    `INSERT INTO orders VALUES (${inserted(0)}), (${inserted(1)})`,
    `CREATE INDEX orders_placed ON orders (${q('placed_at')})`,
    `CREATE TABLE order_lines (${q('order_id')} INTEGER NOT NULL, ${q('line')} INTEGER NOT NULL, ${q('product')} ${string}, PRIMARY KEY (${q('order_id')}, ${q('line')})${references('order_id', 'orders', 'order_id')})`,
    `INSERT INTO order_lines VALUES (1, 1, 'tea'), (1, 2, NULL), (2, 1, 'cup')`,
    `CREATE INDEX lines_order ON order_lines (${q('order_id')})`,
    `CREATE TABLE ${q('class')} (${q('id')} INTEGER NOT NULL PRIMARY KEY, ${q('limit')} INTEGER)`,
    `CREATE VIEW open_orders AS SELECT ${q('order_id')}, ${q('placed_at')} FROM orders`,
    ...(isMysql ? ['ANALYZE TABLE orders'] : []),
  ]
}

/** Calls a function with an empty schema, and drops its tables afterwards. */
async function inEmptySchema<T>(engine: Engine, use: (schema: string) => Promise<T>): Promise<T> {
  const dialect = dialectOf(engine)
  const schema = `pull_${Math.random().toString(36).slice(2)}`
  const tables = ['order_lines', 'orders', 'customers', `${engine.dialect.quote}class${engine.dialect.quote}`]
  if (dialect === 'sqlite') {
    try {
      return await use('main')
    } finally {
      await engine.run('DROP VIEW IF EXISTS open_orders')
      for (const one of tables) await engine.run(`DROP TABLE IF EXISTS ${one}`)
    }
  }
  const isMysql = dialect === 'mysql' || dialect === 'mariadb'
  const [before] = isMysql ? await engine.run('SELECT DATABASE() AS name') : []
  await engine.run(`CREATE ${isMysql ? 'DATABASE' : 'SCHEMA'} ${schema}`)
  await engine.run(isMysql ? `USE ${schema}` : dialect === 'duckdb' ? `USE ${schema}` : `SET search_path TO ${schema}`)
  try {
    return await use(schema)
  } finally {
    if (isMysql) await engine.run(`USE ${String(before!.name)}`)
    else await engine.run(dialect === 'duckdb' ? 'USE main' : 'RESET search_path')
    await engine.run(isMysql ? `DROP DATABASE ${schema}` : `DROP SCHEMA ${schema} CASCADE`)
  }
}

interface Exports {
  readonly [name: string]: Table | Collection | undefined
}
/** The paths of the files as `pull` writes them: they import the package. */
const files: string[] = []
/** Writes a file, and imports a copy of it that imports `src`. */
async function load(source: string): Promise<Exports> {
  const file = join(folder, `file${files.length}.ts`)
  files.push(file)
  await writeFile(file, source)
  const [core, sql] = ['../../../../src/index.ts', '../../../../src/backends/sql/index.ts']
  const copy = file.replace(/\.ts$/, '.copy.ts')
  await writeFile(
    copy,
    source.replace("from 'urlwhere'", `from '${core}'`).replace("from 'urlwhere/sql'", `from '${sql}'`),
  )
  return (await import(copy)) as Exports
}

/** Requires that pages of one row return all rows, forwards and backwards. */
async function walk(engine: Engine, table: Table, collection: Collection, sort: string) {
  const { select } = sqlBackend({ dialect: engine.dialect, table })
  const read = async (more: string) => {
    const { text, parameters, page } = select(parseQueryOrThrow(collection, `${sort}${more}`))
    return page(await engine.run(text, parameters))
  }
  const all = (await read('&limit=99')).rows
  let page = await read('&limit=1')
  const forwards = [...page.rows]
  while (page.next !== undefined && forwards.length <= all.length) {
    page = await read(`&limit=1&cursor=${page.next}`)
    forwards.push(...page.rows)
  }
  expect(forwards, sort).toEqual(all)
  const backwards = [...page.rows]
  while (page.previous !== undefined && backwards.length <= all.length) {
    page = await read(`&limit=1&cursor=${page.previous}`)
    backwards.unshift(...page.rows)
  }
  expect(backwards, `back by ${sort}`).toEqual(all)
  return all as readonly Readonly<Record<string, unknown>>[]
}

/** Requires that a filter with a scalar of a row selects the row. */
async function selectByEachValue(
  engine: Engine,
  table: Table,
  collection: Collection,
  rows: readonly Readonly<Record<string, unknown>>[],
) {
  const { select } = sqlBackend({ dialect: engine.dialect, table })
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (value === null || typeof value === 'object') continue
      const { text, parameters, page } = select(
        parseQueryOrThrow(collection, `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`),
      )
      expect(page(await engine.run(text, parameters)).rows, `${name}=${String(value)}`).toContainEqual(row)
    }
  }
}

describe.each(engines)('$name', (engine) => {
  const dialect = dialectOf(engine)
  test('the file loads, check reports no error, and its tables return the rows', async () => {
    await inEmptySchema(engine, async () => {
      for (const statement of statementsOf(dialect, engine.dialect.quote)) await engine.run(statement)
      const database = await inspect(engine.run, { dialect: engine.dialect })
      const pulledFile = pull(database, { lists: ['orders.orderLines'] })
      expect(pull(JSON.parse(JSON.stringify(database)) as Database, { lists: ['orders.orderLines'] })).toEqual(
        pulledFile,
      )
      // A connection of SQLite enforces foreign keys only after a PRAGMA.
      const keysIn = ({ source }: { readonly source: string }) =>
        Array.from(source.matchAll(/foreignKey: (.*), columns: /g), ([, key]) => key)
      const keys = ["'order_id'", "'CustomerID'", "'order_id'"]
      const enforced = keys.map((key) => `{ columns: ${key}, enforced: true }`)
      // MariaDB lists the keys of a table in no order of its own.
      expect(keysIn(pulledFile).toSorted()).toEqual((dialect === 'sqlite' ? keys : enforced).toSorted())
      const unchecked = database.tables.map((one) => ({
        ...one,
        foreignKeys: one.foreignKeys.map((key) => ({ ...key, validated: false })),
      }))
      expect(keysIn(pull({ ...database, tables: unchecked }, { lists: ['orders.orderLines'] })).toSorted()).toEqual(
        keys.toSorted(),
      )
      const hidden = database.tables.map((one) => ({ ...one, rls: true }))
      expect(keysIn(pull({ ...database, tables: hidden }, { lists: ['orders.orderLines'] })).toSorted()).toEqual(
        keys.toSorted(),
      )
      const loaded = await load(pulledFile.source)
      expect(pulledFile.tables.map(({ exported }) => exported).sort()).toEqual([
        'classRows',
        'customers',
        'openOrders',
        'orderLines',
        'orders',
      ])
      for (const { exported: name } of pulledFile.tables) {
        const [table, collection] = [
          loaded[`${name}Table`] as Table,
          loaded[`${name}Collection`] as Collection | undefined,
        ]
        const findings = await checkColumns(engine.run, {
          dialect: engine.dialect,
          table,
          ...(collection && { collection }),
        })
        expect(
          findings.filter(({ level }) => level === 'error'),
          name,
        ).toEqual([])
        expect(collection === undefined, name).toBe(name === 'openOrders')
        if (collection === undefined) continue
        expect(
          check(database, { dialect: engine.dialect, table, collection }).filter(({ level }) => level === 'error'),
        ).toEqual([])
        const rows = await walk(engine, table, collection, '')
        for (const sort of collection.sortable.keys()) await walk(engine, table, collection, `sort=${sort}`)
        await selectByEachValue(engine, table, collection, rows)
      }
      const [first] = await walk(
        engine,
        loaded.ordersTable as Table,
        loaded.ordersCollection as Collection,
        'sort=orderId',
      )
      expect(first).toMatchObject({
        orderId: 1,
        placedAt: '2024-02-29T10:00:00.000Z',
        paid: true,
        freight: 12.3,
        due: '2024-02-29',
        customer: { id: 1, fullName: 'Ada' },
        orderLines: [
          { orderId: 1, line: 1, product: 'tea' },
          { orderId: 1, line: 2, product: null },
        ],
        ...(dialect !== 'sqlite' && { total: '12.5', big: '9007199254740993' }),
        ...(dialect === 'postgres' && { code: 'ab', opens: '09:30:00', tags: ['a', 'b'] }),
      })
    })
  })
})

test('the files compile in a strict project', async () => {
  expect(files).toHaveLength(engines.length)
  expect(await complaintsAbout(files, { ...strictProject, skipLibCheck: true })).toBe('')
})

describe('the text', () => {
  const sqlite = engines.find((engine) => dialectOf(engine) === 'sqlite')!
  const pulled = (statements: readonly string[], options: Parameters<typeof pull>[1] = {}) =>
    inEmptySchema(sqlite, async () => {
      for (const statement of statements) await sqlite.run(statement)
      return pull(await inspect(sqlite.run, { dialect: sqlite.dialect }), options)
    })
  const two = [
    'CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)',
    `CREATE TABLE orders (order_id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER REFERENCES customers, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, photo BLOB)`,
    'CREATE INDEX by_at ON orders (at)',
  ]

  test('declares fields and columns, and then schemas, tables and collections', async () => {
    const { source, notes } = await pulled(two)
    expect(source.replace(/^.*\n/, '')).toBe(`import { defineCollection, defineSchema, field } from 'urlwhere'
import { parentTable, table } from 'urlwhere/sql'

// --- customers: table
const customersFields = {
  id: field.integer({ required: true }),
  name: field.string({ required: true }),
}
const customersColumns = {}

// --- orders: table
const ordersFields = {
  orderId: field.integer({ required: true }),
  customerId: field.integer(),
  at: field.string({ required: true }),
  // photo: BLOB holds bytes
}
const ordersColumns = {
  orderId: 'order_id',
  customerId: 'customer_id',
}

export const customers = defineSchema({
  ...customersFields,
  // orders: rows of orders. pull(database, { lists: ['customers.orders'] }) writes them.
})
export const customersTable = table('customers', {
  schema: customers,
  key: 'id',
  columns: {
    ...customersColumns,
  },
})
export const customersCollection = defineCollection(customers, { key: 'id', sort: ['id'], fields: true })

export const orders = defineSchema({
  ...ordersFields,
  customer: field.object(customersFields),
})
export const ordersTable = table('orders', {
  schema: orders,
  key: 'order_id',
  columns: {
    ...ordersColumns,
    customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id', columns: customersColumns }),
  },
})
export const ordersCollection = defineCollection(orders, { key: 'orderId', sort: ['orderId', 'at'], fields: true })
`)
    expect(notes).toEqual([{ table: 'orders', column: 'photo', note: 'BLOB holds bytes' }])
  })
  test('has the tables of `include`, and their own names with `names`', async () => {
    const { source, tables } = await pulled(two, { include: ['ord*'], names: 'same' })
    expect(tables).toEqual([{ schema: 'main', name: 'orders', exported: 'orders' }])
    expect(source).toContain('customer_id: field.integer(),')
    expect(source).not.toContain('parentTable')
  })
  test.each([
    ['orders', ['orders']],
    ['ORD*', ['orders']],
    ['*', ['customers', 'orders']],
    ['*s', ['customers', 'orders']],
    ['*r*e*s', ['orders']],
    ['main.c*', ['customers']],
    ['or*rs*', ['orders']],
    ['orders*rs', []],
    ['*x*', []],
  ])('has the tables that match %s', async (glob, names) => {
    const { tables } = await pulled(two, { include: [glob] })
    expect(tables.map(({ name }) => name)).toEqual(names)
  })
  test('escapes names of every kind in code and in comments', async () => {
    const names = [
      "it's",
      'a"b',
      'back\\slash',
      'line\nexport const evil = 1',
      '*/ evil',
      '${evil}',
      '`',
      '\u2028evil',
      'é ü',
      '0',
      'constructor',
      'm²',
    ]
    const columns = [...names, 'a.b', '$set', '__proto__'].map((name) => `"${name.replaceAll('"', '""')}" INTEGER`)
    const tables = names.map(
      (name) =>
        `CREATE TABLE "t ${name.replaceAll('"', '""')}" (id INTEGER NOT NULL PRIMARY KEY, ${columns.join(', ')})`,
    )
    try {
      const { source, tables: pulledTables, notes } = await pulled(tables, { names: 'same' })
      const loaded = await load(source)
      expect(Object.keys(loaded).sort()).toEqual(
        pulledTables.flatMap(({ exported: name }) => [name, `${name}Collection`, `${name}Table`]).sort(),
      )
      expect(pulledTables.map(({ name }) => name).sort()).toEqual(names.map((name) => `t ${name}`).sort())
      for (const { exported, name } of pulledTables) {
        const mapped = loaded[`${exported}Table`] as Table
        expect(mapped.name).toBe(name)
        expect(
          check(JSON.parse(JSON.stringify(await inspect(sqlite.run, { dialect: sqlite.dialect }))) as Database, {
            dialect: sqlite.dialect,
            table: mapped,
          }),
        ).toEqual([])
      }
      expect(new Set(notes.map(({ column }) => column))).toEqual(new Set(['a.b', '$set', '__proto__', '${evil}']))
    } finally {
      for (const name of names) await sqlite.run(`DROP TABLE IF EXISTS "t ${name.replaceAll('"', '""')}"`)
    }
  })
  test('gives each constant a name of its own', async () => {
    const names = ['orders', 'orders_table', 'orders_fields', 'child', 'parent', 'parents', 'm²', 'm']
    const { source, tables } = await pulled(
      names.map(
        (name) => `CREATE TABLE "${name}" (id INTEGER NOT NULL PRIMARY KEY, "${name}_id" REFERENCES "${name}")`,
      ),
    )
    const loaded = await load(source)
    expect(tables.map(({ exported }) => (loaded[`${exported}Table`] as Table).name)).toEqual(names.toSorted())
  })
  test('names the lists that it can write', async () => {
    const { lists } = await pulled(two)
    expect(lists).toEqual([{ name: 'customers.orders', schema: 'main', table: 'orders', foreignKey: ['customer_id'] }])
  })
  test('writes a list behind a join table, with the other columns of this table', async () => {
    const { source, lists } = await pulled(
      [
        'CREATE TABLE tickets (id INTEGER NOT NULL PRIMARY KEY)',
        'CREATE TABLE labels (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)',
        'CREATE TABLE ticket_labels (ticket_id INTEGER NOT NULL REFERENCES tickets, label_id INTEGER NOT NULL REFERENCES labels, name TEXT, added_on DATE, PRIMARY KEY (label_id, ticket_id))',
        // Its key is its own, so a row can join two rows twice.
        'CREATE TABLE visits (id INTEGER PRIMARY KEY, ticket_id INTEGER REFERENCES tickets, label_id INTEGER REFERENCES labels)',
      ],
      { lists: ['tickets.labels'] },
    )
    expect(lists.map(({ name, table }) => [name, table])).toEqual([
      ['labels.ticketLabels', 'ticket_labels'],
      ['labels.visits', 'visits'],
      ['labels.tickets', 'ticket_labels'],
      ['tickets.ticketLabels', 'ticket_labels'],
      ['tickets.visits', 'visits'],
      ['tickets.labels', 'ticket_labels'],
    ])
    const loaded = await load(source)
    const { columns, schema } = loaded.ticketsTable as Table
    // The name of a label is not that of a row of the join table.
    expect([...schema!.paths.keys()]).toEqual(['id', 'labels', 'labels.id', 'labels.name', 'labels.addedOn'])
    expect(columns.labels).toMatchObject({ kind: 'child', name: 'labels', foreignKey: ['ticket_id'] })
    expect(columns.labels).toMatchObject({ through: { name: 'ticket_labels', otherKey: ['label_id'] } })
  })
  test.each([
    [
      { lists: ['customers.lines'] },
      'options.lists contains customers.lines: the lists of these tables are customers.orders',
    ],
    [{ names: 'snake' as never }, "options.names must be 'camel' or 'same'"],
    [{ list: [] } as never, 'options.list is unknown'],
  ])('pull rejects %j', async (options, message) => {
    await expect(pulled(two, options)).rejects.toThrow(message)
  })
})
