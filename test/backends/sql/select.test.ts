/** What `select` writes, what it reads of rows that are not as they should be, and what it refuses. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  duckdb,
  jsonColumn,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  vitess,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  name: field.string(),
  paidAt: field.datetime(),
  contact: field.object({ name: field.string(), email: field.string() }),
  kept: field.object({ note: field.string() }, { required: true }),
  customer: field.object({ name: field.string() }),
  meta: field.object({ n: field.number(), on: field.date() }),
  notes: field.list(field.string()),
})
const mapped = table(['shop', 'orders'], {
  schema,
  key: 'id',
  columns: {
    paidAt: 'paid_at',
    contact: { name: 'contact_name', email: 'contact_email' },
    kept: { note: 'kept_note' },
    customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
    meta: jsonColumn('meta'),
    notes: childTable('notes', { foreignKey: 'order_id', orderBy: ['at', 'id'], value: 'note' }),
  },
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  fields: true,
  count: { max: 9 },
  hidden: ['name'],
})
const select = (dialect: Dialect, text: string) =>
  sqlBackend({ dialect, table: mapped, alias: 'o', columns: { tenant: column('tenant_id') } }).select(
    parseQueryOrThrow(collection, text),
  )
const text = 'fields=paidAt,customer,meta,notes&limit=2'

/** The columns of the table that the statement reads. */
const read = '"o"."id", "o"."paid_at", "o"."customer_id", "o"."meta", "o"."tenant_id"'

/** MySQL and MariaDB read JSON, collect entries and write texts in different words. */
const inMysql = (meta: string, collect: string, text: string): string =>
  [
    'SELECT "o"."id"',
    'AS c1, CAST("o"."paid_at" AS CHAR)',
    'AS c2, CASE WHEN "t1"."id" IS NOT NULL THEN 1 END',
    'AS c3, "t1"."name"',
    `AS c4, CAST(${meta} AS ${text})`,
    `AS c5, CAST((SELECT ${collect}JSON_ARRAY(COALESCE(CONCAT('x', HEX(WEIGHT_STRING("t2"."at"))), CAST("t2"."at" AS CHAR)), COALESCE(CONCAT('x', HEX(WEIGHT_STRING("t2"."id"))), CAST("t2"."id" AS CHAR)), "t2"."note")) FROM "notes" AS "t2" WHERE "t2"."order_id" = "o"."id") AS ${text})`,
    'AS c6, "o"."tenant_id"',
    'AS c7',
    `FROM (SELECT ${read} FROM "shop"."orders" AS "o" ORDER BY "o"."id" ASC LIMIT 3) AS "o"`,
    'LEFT JOIN "customers" AS "t1" ON "t1"."id" = "o"."customer_id"',
    'ORDER BY "o"."id" ASC',
  ]
    .join(' ')
    .replaceAll('"', '`')

test.each([
  [
    postgres,
    [
      `SELECT "o"."id"`,
      `AS c1, to_json("o"."paid_at" AT TIME ZONE 'UTC') #>> '{}'`,
      `AS c2, CASE WHEN "t1"."id" IS NOT NULL THEN 1 END`,
      `AS c3, "t1"."name"`,
      `AS c4, "o"."meta"::text`,
      `AS c5, (SELECT json_agg(json_build_array("t2"."note") ORDER BY "t2"."at" NULLS FIRST, "t2"."id" NULLS FIRST) FROM "notes" AS "t2" WHERE "t2"."order_id" = "o"."id")::text`,
      `AS c6, "o"."tenant_id"`,
      `AS c7`,
      `FROM (SELECT ${read} FROM "shop"."orders" AS "o" ORDER BY "o"."id" ASC LIMIT $1::bigint) AS "o"`,
      `LEFT JOIN "customers" AS "t1" ON "t1"."id" = "o"."customer_id"`,
      `ORDER BY "o"."id" ASC`,
    ].join(' '),
    [3],
  ],
  [mysql, inMysql('"o"."meta"', 'JSON_ARRAYAGG(', 'CHAR'), []],
  [
    mariadb,
    inMysql(
      `JSON_EXTRACT(CASE WHEN JSON_VALID("o"."meta") THEN "o"."meta" END, '$')`,
      'JSON_OBJECTAGG(UUID_SHORT(), ',
      'CHAR(1073741823)',
    ),
    [],
  ],
  [
    sqlite,
    [
      `SELECT CAST("o"."id" AS TEXT)`,
      `AS c1, "o"."paid_at"`,
      `AS c2, CASE WHEN "t1"."id" IS NOT NULL THEN 1 END`,
      `AS c3, "t1"."name"`,
      `AS c4, json(CASE WHEN json_valid("o"."meta") THEN "o"."meta" END)`,
      `AS c5, (SELECT json_group_array(json(v)) FROM (SELECT json_array("t2"."note") AS v FROM "notes" AS "t2" WHERE "t2"."order_id" = "o"."id" ORDER BY "t2"."at", "t2"."id"))`,
      `AS c6, "o"."tenant_id"`,
      `AS c7`,
      `FROM (SELECT ${read} FROM "shop"."orders" AS "o" ORDER BY "o"."id" ASC LIMIT CAST(? AS INTEGER)) AS "o"`,
      `LEFT JOIN "customers" AS "t1" ON "t1"."id" = "o"."customer_id"`,
      `ORDER BY "o"."id" ASC`,
    ].join(' '),
    [3],
  ],
  [
    duckdb,
    [
      `SELECT "o"."id"`,
      `AS c1, CASE WHEN isfinite("o"."paid_at") THEN strftime(make_timestamp(epoch_us("o"."paid_at")), '%Y-%m-%d %H:%M:%S.%f') ELSE CAST("o"."paid_at" AS VARCHAR) END`,
      `AS c2, CASE WHEN "t1"."id" IS NOT NULL THEN 1 END`,
      `AS c3, "t1"."name"`,
      `AS c4, CAST("o"."meta" AS VARCHAR)`,
      `AS c5, CAST((SELECT to_json(list(json_array("t2"."note") ORDER BY "t2"."at" NULLS FIRST, "t2"."id" NULLS FIRST)) FROM "notes" AS "t2" WHERE "t2"."order_id" = "o"."id") AS VARCHAR)`,
      `AS c6, "o"."tenant_id"`,
      `AS c7`,
      `FROM "shop"."orders" AS "o"`,
      `LEFT JOIN "customers" AS "t1" ON "t1"."id" = "o"."customer_id"`,
      `ORDER BY "o"."id" ASC LIMIT $1::bigint`,
    ].join(' '),
    [3],
  ],
] as const)('a statement of $0.name', (dialect, golden, parameters) => {
  const statement = select(dialect, text)
  expect(statement.text).toBe(golden)
  expect(statement.parameters).toEqual(parameters)
})

/** Rows in an order of the columns that the statement gives: a message names the field of one that is absent. */
test('rows of another statement are refused, with the field', () => {
  const { page, read, count } = select(postgres, 'fields=paidAt&count=true')
  expect(() => read({ c1: '1', c2: null })).toThrow('a row has no c3, which holds tenant')
  expect(() => page([{ c1: '1', c3: 7 }])).toThrow('a row has no c2, which holds paidAt')
  expect(() => page([['1', null, 7]])).toThrow('rows[0] must be an object with the fields of the schema; found a list')
  expect(() => page([null])).toThrow('rows[0] must be an object with the fields of the schema; found null')
  expect(count.read({ c1: '9' })).toBe(9)
  expect(count.read({ c1: 10n })).toEqual({ atLeast: 9 })
  expect(() => count.read({ c1: null })).toThrow('a row has no number of rows in c1')
  expect(() => count.read({ c1: 'x' })).toThrow('a row has no number of rows in c1')
  expect(() => count.read({ count: 1 })).toThrow('a row has no c1')
})

test('a statement without a schema, an order of a list, or what writes lists, is refused', () => {
  const query = parseQueryOrThrow(collection, '')
  expect(() => sqlBackend({ dialect: postgres, table: table('t') }).select(query)).toThrow(
    'select needs table(…, { schema })',
  )
  const child = childTable('notes', { foreignKey: 'f', value: 'note' })
  const unordered = table('t', { schema, key: 'id', columns: { ...mapped.columns, notes: child } as never })
  expect(() => sqlBackend({ dialect: postgres, table: unordered }).select(query)).toThrow(
    'select cannot read notes: its childTable needs orderBy or key',
  )
  const { select: _, ...without } = sqlite
  expect(() => sqlBackend({ dialect: without, table: mapped }).select(query)).toThrow(
    'select cannot read meta: dialect.select of sqlite is absent',
  )
})

test('a list in a list is refused where the engine aggregates none in the subquery of another', () => {
  const nested = defineCollection(
    defineSchema({
      id: field.integer(),
      items: field.list(field.object({ marks: field.list(field.string()) })),
    }),
    { key: 'id' },
  )
  const marks = childTable('marks', { key: 'id', foreignKey: 'item_id', value: 'mark' })
  const items = childTable('items', { key: 'id', foreignKey: 'order_id', columns: { marks } })
  const inTables = table('orders', { schema: nested.schema, key: 'id', columns: { items } })
  const query = parseQueryOrThrow(nested, '')
  expect(() => sqlBackend({ dialect: vitess, table: inTables }).select(query)).toThrow(
    new TypeError('select cannot read items.marks: vitess selects no list in a list'),
  )
  expect(sqlBackend({ dialect: mysql, table: inTables }).select(query).text).toContain('`item_id`')
  // SQLite since 3.54 has a text of the inner list, which json reads again.
  expect(sqlBackend({ dialect: sqlite, table: inTables }).select(query).text).toContain(
    'SELECT json_array(json((SELECT json_group_array(json(v)) FROM (SELECT json_array("t2"."mark") AS v FROM "marks" ',
  )
})

test('bad content of SQLite is no value, and an object without values is null', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`ATTACH ':memory:' AS shop; CREATE TABLE shop.orders (id, name, paid_at, contact_name, contact_email, kept_note,
    customer_id, meta, tenant_id); CREATE TABLE customers (id, name); CREATE TABLE notes (id, at, order_id, note);
    INSERT INTO shop.orders VALUES
      (1, 'hidden', 'never', 'Ann', NULL, NULL, 8, '{bad', 7),
      (2, 'hidden', 1700000000000, NULL, NULL, 'x', NULL, '{"n":"1","on":"2024-13-01","x":1}', NULL),
      (3, 'hidden', '2024-01-02T03:04:05.000Z', NULL, 5, NULL, 1, '[1]', 'a');
    INSERT INTO customers VALUES (1, NULL), (2, 'b');
    INSERT INTO notes VALUES (1, 2, 3, 'second'), (2, 1, 3, 'first'), (4, NULL, 3, 5), (3, 1, 3, NULL)`)
  const pageOf = (text: string) => {
    const { text: statement, parameters, page } = select(sqlite, text)
    return page(database.prepare(statement).all(...(parameters as number[]))).rows
  }
  expect(pageOf('')).toEqual([
    {
      id: 1,
      paidAt: null,
      contact: { name: 'Ann', email: null },
      kept: { note: null },
      customer: null,
      meta: null,
      notes: [],
      tenant: 7,
    },
    {
      ...{ id: 2, paidAt: null, contact: null, kept: { note: 'x' }, customer: null },
      ...{ meta: { n: null, on: null }, notes: [], tenant: null },
    },
    {
      ...{ id: 3, paidAt: '2024-01-02T03:04:05.000Z', contact: null, kept: { note: null }, customer: { name: null } },
      ...{ meta: null, notes: [null, 'first', null, 'second'], tenant: 'a' },
    },
  ])
  // The other field tells whether the object exists.
  expect(pageOf('fields=contact.email')).toEqual([
    { contact: { email: null }, tenant: 7 },
    { contact: null, tenant: null },
    { contact: null, tenant: 'a' },
  ])
})

test('a count by one condition on a list reads the child table first, where the mapping promises the foreign key', () => {
  const lists = defineSchema({ id: field.integer(), words: field.list(field.string()), name: field.string() })
  const countOf = (query: string, dialect: Dialect, enforced = true, key: string | string[] = 'id') => {
    const foreignKey = { columns: key === 'id' ? 'owner' : ['owner', 'part'], ...(enforced && { enforced }) } as const
    const words = childTable('words', { key: 'n', foreignKey, value: 'word' })
    const owners = table('owners', { schema: lists, key, columns: { words } })
    const collection = defineCollection(lists, { key: 'id', count: true })
    return sqlBackend({ dialect, table: owners }).select(parseQueryOrThrow(collection, query)).count
  }
  const looked =
    'SELECT count(*) AS c1 FROM "owners" WHERE EXISTS (SELECT 1 FROM "words" AS "e1" WHERE "e1"."owner" = "owners"."id" AND "e1"."word" = $1::text)'
  const { text, parameters } = countOf('words=a&count=true', postgres)
  expect(text).toBe(
    `SELECT CASE WHEN n <= 10000 THEN d ELSE (${looked}) END AS c1 FROM (SELECT count(*) AS n, count(DISTINCT k) AS d FROM (SELECT "e1"."owner" AS k FROM "words" AS "e1" WHERE "e1"."word" = $2::text LIMIT $3::bigint) AS c) AS c`,
  )
  expect(parameters).toEqual(['a', 'a', 10_001])
  expect(countOf('words=a', postgres, false).text).toBe(looked)
  expect(countOf('words=a', duckdb).text).toBe(looked)
  const isShort = (query: string, dialect = postgres, key: string | string[] = 'id') =>
    countOf(query, dialect, true, key).text.includes('DISTINCT')
  expect(isShort('words=b', sqlite)).toBe(true)
  expect(isShort('words=b', { ...sqlite, maxParameters: 2 })).toBe(false)
  expect(isShort('words=b', mariadb)).toBe(false)
  expect(isShort('words=b', postgres, ['id', 'part'])).toBe(false)
  expect(isShort('words=b&name=x')).toBe(false)
  expect(isShort('words[all]=a,b')).toBe(false)
  expect(isShort('words[notEqual]=b')).toBe(false)
})

test('conditions and orders read the parent tables that are joined: those of fields, and those of conditions that each row passes', () => {
  const rows = defineSchema({
    id: field.integer({ required: true }),
    customer: field.object({
      name: field.string({ required: true }),
      country: field.object({ code: field.string({ required: true }) }),
    }),
  })
  const country = parentTable('countries', { key: 'code', foreignKey: 'country' })
  const customer = parentTable('customers', { key: 'id', foreignKey: 'customer_id', columns: { country } })
  const { select } = sqlBackend({
    dialect: sqlite,
    table: table('orders', { schema: rows, key: 'id', columns: { customer } }),
  })
  const collection = defineCollection(rows, { key: 'id', sort: true, fields: true, groups: true })
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE countries (code TEXT PRIMARY KEY) STRICT;
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT) STRICT;
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER) STRICT;
    INSERT INTO countries VALUES ('at');
    INSERT INTO customers VALUES (1, 'Jo', 'at'), (2, 'Ada', NULL), (3, 'Cy', 'xx');
    INSERT INTO orders VALUES (1, 1), (2, 2), (3, NULL), (4, 9), (5, 3)`)
  const run = (text: string, parameters: readonly unknown[]) => database.prepare(text).all(...(parameters as string[]))
  const idsOf = (text: string): unknown[] => {
    const statement = select(parseQueryOrThrow(collection, text))
    const { count } = statement
    const ids = statement.page(run(statement.text, statement.parameters)).rows.map(({ id }) => id)
    expect(count.read(run(count.text, count.parameters)[0])).toBe(ids.length)
    return ids
  }
  const tail = (text: string) => select(parseQueryOrThrow(collection, text)).text.replace(/^.*? FROM /, '')
  const joins =
    '"orders" LEFT JOIN "customers" AS "t1" ON "t1"."id" = "orders"."customer_id" ' +
    'LEFT JOIN "countries" AS "t2" ON "t2"."code" = "t1"."country"'
  const limit = 'LIMIT CAST(? AS INTEGER)'
  // A row that passes the condition has the first of them.
  const inner = (joins: string) => joins.replace('LEFT JOIN', 'JOIN')
  expect(tail('customer.name=Jo&sort=-customer.country.code')).toBe(
    `${inner(joins)} WHERE "t1"."name" COLLATE BINARY = ? ORDER BY "t2"."code" COLLATE BINARY DESC, "orders"."id" DESC ${limit}`,
  )
  const join = '"orders" LEFT JOIN "customers" AS "t1" ON "t1"."id" = "orders"."customer_id"'
  // The page joins the parents that no condition reads.
  const page = `SELECT "orders"."id", "orders"."customer_id" FROM ${join} WHERE "t1"."id" IS NULL ORDER BY "orders"."id" ASC ${limit}`
  expect(tail('customer[exists]=false')).toBe(`(${page}) AS ${joins} ORDER BY "orders"."id" ASC`)
  expect(tail('customer.name=Jo&fields=id')).toBe(
    `${inner(join)} WHERE "t1"."name" COLLATE BINARY = ? ORDER BY "orders"."id" ASC ${limit}`,
  )
  expect(select(parseQueryOrThrow(collection, 'customer.name=Jo&sort=-customer.country.code')).count.text).toBe(
    `SELECT count(*) AS c1 FROM ${inner(join)} WHERE "t1"."name" COLLATE BINARY = ?`,
  )
  // A condition that a row need not pass joins nothing.
  const looked =
    'EXISTS (SELECT 1 FROM "customers" AS "e1" WHERE "e1"."id" = "orders"."customer_id" AND "e1"."name" COLLATE BINARY = ?)'
  expect(tail('or=(id=7,customer.name=Jo)&fields=id')).toBe(
    `"orders" WHERE "orders"."id" = ? OR ${looked} ORDER BY "orders"."id" ASC ${limit}`,
  )
  expect(tail('not=(customer.name=Jo)&fields=id')).toBe(
    `"orders" WHERE NOT ${looked} ORDER BY "orders"."id" ASC ${limit}`,
  )
  // A dangling reference is no customer, and no country.
  expect(idsOf('customer.name=Jo')).toEqual([1])
  expect(idsOf('customer.name[notEqual]=Jo')).toEqual([2, 3, 4, 5])
  expect(idsOf('customer[exists]=false')).toEqual([3, 4])
  expect(idsOf('customer.country[exists]=true')).toEqual([1])
  expect(idsOf('not=(customer.country[exists]=true)')).toEqual([2, 3, 4, 5])
  expect(idsOf('not=(customer.name=Jo,customer.country.code=at)')).toEqual([2, 3, 4, 5])
  expect(idsOf('or=(customer.name=Ada,customer.country.code=at)')).toEqual([1, 2])
  expect(idsOf('customer.country.code=at&fields=id')).toEqual([1])
  expect(idsOf('customer[exists]=true&fields=id')).toEqual([1, 2, 5])
  expect(idsOf('customer[exists]=true&or=(customer.name=Ada,id=3,id=4)&fields=id')).toEqual([2])
  expect(idsOf('sort=customer.name')).toEqual([3, 4, 2, 5, 1])
  expect(idsOf('sort=-customer.name')).toEqual([1, 5, 2, 4, 3])
  database.close()
})

test('a required object over columns is there wherever the object or the row is that it is in', () => {
  const rows = defineSchema({
    id: field.integer({ required: true }),
    kept: field.object({ note: field.string() }, { required: true }),
    outer: field.object({
      ...{ a: field.string(), inner: field.object({ b: field.string() }, { required: true }) },
      all: field.list(field.string()),
    }),
    parent: field.object({ kept: field.object({ c: field.string() }, { required: true }) }),
    lines: field.list(field.object({ kept: field.object({ d: field.string() }, { required: true }) })),
  })
  const columns = {
    kept: { note: 'note' },
    outer: { a: 'a', inner: { b: 'b' }, all: childTable('lines', { key: 'id', foreignKey: 'other_id', value: 'd' }) },
    parent: parentTable('parents', { key: 'id', foreignKey: 'parent_id', columns: { kept: { c: 'c' } } }),
    lines: childTable('lines', { key: 'id', foreignKey: 'row_id', columns: { kept: { d: 'd' } } }),
  }
  const { select } = sqlBackend({ dialect: sqlite, table: table('rows', { schema: rows, key: 'id', columns }) })
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE parents (id INTEGER PRIMARY KEY, c TEXT) STRICT;
    CREATE TABLE lines (id INTEGER PRIMARY KEY, row_id INTEGER, other_id INTEGER, d TEXT) STRICT;
    CREATE TABLE rows (id INTEGER PRIMARY KEY, note TEXT, a TEXT, b TEXT, parent_id INTEGER) STRICT;
    INSERT INTO parents VALUES (1, NULL);
    INSERT INTO lines VALUES (1, 2, NULL, NULL), (2, NULL, 4, NULL);
    INSERT INTO rows VALUES (1, NULL, NULL, NULL, NULL), (2, 'n', 'a', NULL, 1), (3, NULL, NULL, 'b', 9), (4, NULL, NULL, NULL, NULL)`)
  const collection = defineCollection(rows, { key: 'id', fields: true, groups: true })
  const rowsOf = (text: string): readonly unknown[] => {
    const { text: statement, parameters, page } = select(parseQueryOrThrow(collection, text))
    return page(database.prepare(statement).all(...(parameters as number[]))).rows
  }
  const stored = [
    { id: 1, kept: { note: null }, outer: null, parent: null, lines: [] },
    {
      ...{ id: 2, kept: { note: 'n' }, outer: { a: 'a', inner: { b: null }, all: [] } },
      ...{ parent: { kept: { c: null } }, lines: [{ kept: { d: null } }] },
    },
    { id: 3, kept: { note: null }, outer: { a: null, inner: { b: 'b' }, all: [] }, parent: null, lines: [] },
    // An entry is there, although it has no value.
    { id: 4, kept: { note: null }, outer: { a: null, inner: { b: null }, all: [null] }, parent: null, lines: [] },
  ]
  expect(rowsOf('')).toEqual(stored)
  const { compile } = memoryBackend()
  const idsOf = (text: string) => {
    const ids = rowsOf(`${text}&fields=id`).map((row) => (row as { readonly id: number }).id)
    // The joins of other fields change nothing.
    expect(rowsOf(text).map((row) => (row as { readonly id: number }).id)).toEqual(ids)
    expect(stored.filter(compile(parseQueryOrThrow(collection, text).filter)).map(({ id }) => id)).toEqual(ids)
    return ids
  }
  expect(idsOf('kept[exists]=true')).toEqual([1, 2, 3, 4])
  expect(idsOf('kept[exists]=false')).toEqual([])
  expect(idsOf('outer[exists]=true')).toEqual([2, 3, 4])
  expect(idsOf('outer.inner[exists]=true')).toEqual([2, 3, 4])
  expect(idsOf('not=(outer.inner[exists]=true)')).toEqual([1])
  expect(idsOf('parent.kept[exists]=true')).toEqual([2])
  expect(idsOf('parent.kept[exists]=false')).toEqual([1, 3, 4])
  expect(idsOf('lines.kept[exists]=true')).toEqual([2])
  expect(idsOf('outer.all[notEqual]=x')).toEqual([1, 2, 3, 4])
  expect(idsOf('outer.all[exists]=false')).toEqual([1, 2, 3, 4])
  database.close()
})

test('an integer with a fraction is read as it is stored, and one that a driver has rounded is null', () => {
  const rows = defineSchema({
    id: field.integer({ required: true }),
    n: field.integer(),
    all: field.list(field.integer()),
  })
  const collection = defineCollection(rows, { key: 'id' })
  const read = (dialect: Dialect, type: string, cells: object) => {
    const n = column<string>('n', { type })
    const all = childTable('ns', { key: 'id', foreignKey: 'f', value: n })
    const mapped = table('t', { schema: rows, key: 'id', columns: { n, all } })
    return sqlBackend({ dialect, table: mapped }).select(parseQueryOrThrow(collection, '')).read(cells)
  }
  expect(read(postgres, 'numeric', { c1: '1', c2: '1.5', c3: '[[1.5]]' })).toEqual({ id: 1, n: 1.5, all: [1.5] })
  expect(read(mysql, 'decimal', { c1: 1, c2: '2.50', c3: '[["x", 2.50]]' })).toEqual({ id: 1, n: 2.5, all: [2.5] })
  // What is stored is 2^53 + 1. JSON.parse rounds it, and mysql2 does; other drivers give the digits.
  const [rounded, digits] = [2 ** 53, '9007199254740993']
  const none = { id: 1, n: null, all: [null] }
  expect(read(postgres, 'bigint', { c1: '1', c2: digits, c3: `[[${digits}]]` })).toEqual(none)
  expect(read(mysql, 'bigint', { c1: 1, c2: rounded, c3: `[["x", ${digits}]]` })).toEqual(none)
  expect(read(mysql, 'bigint', { c1: 1, c2: BigInt(digits), c3: `[["x", ${digits}]]` })).toEqual(none)
  expect(read(sqlite, 'integer', { c1: '1', c2: digits, c3: `[["${digits}"]]` })).toEqual(none)
  // A double has no other digits than these.
  expect(read(postgres, 'double precision', { c1: '1', c2: 1e21, c3: '[[1e21]]' })).toEqual({
    ...{ id: 1, n: 1e21, all: [1e21] },
  })
})

test('a list in malformed JSON of SQLite has no entries, and raises no error', () => {
  const schema = defineSchema({
    id: field.integer({ required: true }),
    tags: field.list(field.string()),
    doc: field.object({ tags: field.list(field.string()) }),
  })
  const columns = { tags: jsonColumn('tags'), doc: jsonColumn('doc') }
  const { select } = sqlBackend({ dialect: sqlite, table: table('t', { schema, key: 'id', columns }) })
  const collection = defineCollection(schema, { key: 'id', fields: true, groups: true })
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, tags TEXT, doc TEXT) STRICT;
    INSERT INTO t VALUES (1, '["a"', '{"tags":["a"'), (2, '["a"]', '{"tags":["a"]}'), (3, '"a"', '["a"]'), (4, NULL, NULL),
      (5, '{"a":"a"}', '{"tags":{"a":"a"}}'), (6, '', 'a')`)
  const idsOf = (asked: string) => {
    const statement = select(parseQueryOrThrow(collection, asked))
    return database
      .prepare(statement.text)
      .all(...statement.parameters)
      .map(({ c1 }) => Number(c1))
  }
  for (const name of ['tags', 'doc.tags']) {
    expect(idsOf(`${name}=a&fields=id`)).toEqual([2])
    expect(idsOf(`not=(${name}=a)&fields=id`)).toEqual([1, 3, 4, 5, 6])
  }
  database.close()
})

test('array columns of PostgreSQL are lists of values, in their order', () => {
  const listed = defineSchema({
    id: field.integer({ required: true }),
    tags: field.list(field.string()),
    days: field.list(field.datetime()),
    prices: field.list(field.decimal()),
  })
  const arrays = table('orders', {
    schema: listed,
    key: 'id',
    columns: { tags: arrayColumn('tags'), days: arrayColumn('days'), prices: arrayColumn('prices') },
  })
  const query = parseQueryOrThrow(defineCollection(listed, { key: 'id', fields: true }), 'fields=tags,days,prices')
  const { text, read } = sqlBackend({ dialect: postgres, table: arrays }).select(query)
  const entries = (alias: string, value: string, column: string) =>
    `CASE WHEN "orders"."${column}" IS NOT NULL THEN (SELECT coalesce(json_agg(json_build_array(${value}) ORDER BY "${alias}"."place"), '[]') FROM unnest("orders"."${column}") WITH ORDINALITY AS "${alias}"("value", "place")) END::text`
  expect(text).toBe(
    [
      'SELECT "orders"."id" AS c1',
      `${entries('t1', '"t1"."value"', 'tags')} AS c2`,
      `${entries('t2', `to_json("t2"."value" AT TIME ZONE 'UTC') #>> '{}'`, 'days')} AS c3`,
      `${entries('t3', '"t3"."value"::text', 'prices')} AS c4 FROM "orders" ORDER BY "orders"."id" ASC LIMIT $1::bigint`,
    ].join(', '),
  )
  expect(
    read({ c1: '1', c2: '[["b"],["a"],[null]]', c3: '[["2024-01-01T00:00:00.5"]]', c4: '[["1.50"],["-0"]]' }),
  ).toEqual({ id: 1, tags: ['b', 'a', null], days: ['2024-01-01T00:00:00.500Z'], prices: ['1.5', '0'] })
  expect(read({ c1: '1', c2: null, c3: '[]', c4: null })).toEqual({ id: 1, tags: null, days: [], prices: null })
})

test('times, dates, decimals and arrays of DuckDB are read as texts', () => {
  const schema = defineSchema({
    id: field.integer({ required: true }),
    ...{ tags: field.list(field.string()), prices: field.list(field.decimal()) },
    ...{ price: field.decimal(), on: field.date(), at: field.datetime() },
  })
  const columns = { tags: arrayColumn('tags'), prices: arrayColumn('prices'), at: column('at', { type: 'timestamp' }) }
  const mapped = table('t', { schema, key: 'id', columns: columns as never })
  const query = parseQueryOrThrow(defineCollection(schema, { key: 'id' }), '')
  const { text } = sqlBackend({ dialect: duckdb, table: mapped }).select(query)
  const entries = (column: string, alias: string, entry: string) =>
    `CAST(CASE WHEN "t"."${column}" IS NOT NULL THEN to_json(list_transform("t"."${column}", lambda "${alias}": json_array(${entry}))) END AS VARCHAR)`
  expect(text).toBe(
    [
      'SELECT "t"."id" AS c1',
      `${entries('tags', 't1', '"t1"')} AS c2`,
      `${entries('prices', 't2', 'CAST("t2" AS VARCHAR)')} AS c3`,
      'CAST("t"."price" AS VARCHAR) AS c4',
      'CAST("t"."on" AS VARCHAR) AS c5',
      `CASE WHEN isfinite("t"."at") THEN strftime(make_timestamp(epoch_us("t"."at")), '%Y-%m-%d %H:%M:%S.%f') ELSE CAST("t"."at" AS VARCHAR) END AS c6 FROM "t" ORDER BY "t"."id" ASC LIMIT $1::bigint`,
    ].join(', '),
  )
})
