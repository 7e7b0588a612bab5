/** Compares the statements of facets and counts, and their rows on SQLite, with results by hand. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import {
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
  turso,
  vitess,
  type ColumnOptions,
  type Dialect,
  type SqlFacet,
} from '../../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  FilterError,
  parseFilterOrThrow,
  parseQueryOrThrow,
  restrict,
  where,
} from '../../../src/index.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  status: field.string(),
  total: field.decimal(),
  at: field.datetime(),
  customer: field.object({
    name: field.string(),
    country: field.object({ code: field.string() }),
    tags: field.list(field.string()),
  }),
  tags: field.list(field.string()),
  items: field.list(
    field.object({
      price: field.integer(),
      product: field.object({ name: field.string() }),
      marks: field.list(field.string()),
    }),
  ),
  extra: field.object({ note: field.string(), words: field.list(field.string()) }),
})
const columns = {
  customer: parentTable('customers', {
    ...{ key: 'no', foreignKey: 'customer_no' },
    columns: {
      country: parentTable('countries', { key: 'id', foreignKey: 'country_id' }),
      tags: childTable('customer_tags', { foreignKey: 'no', value: 'tag' }),
    },
  }),
  tags: childTable('tags', { foreignKey: 'order_id', value: 'tag' }),
  items: childTable('items', {
    ...{ foreignKey: 'order_id', key: 'id' },
    columns: {
      product: parentTable('products', { key: 'id', foreignKey: 'product_id' }),
      marks: childTable('marks', { foreignKey: 'item_id', value: 'mark' }),
    },
  }),
  extra: jsonColumn('extra'),
} as const satisfies ColumnOptions
const facets = [
  ...(['status', 'total', 'at', 'customer.name', 'customer.country.code', 'customer.tags', 'tags'] as const),
  ...(['items.price', 'items.product.name', 'items.marks', 'extra.note', 'extra.words'] as const),
] as const
const collection = defineCollection(schema, { key: 'id', facets, facetLimit: 4, groups: true })

const scaled = { total: column<string>('total', { type: 'scaled', digits: 2 }) }
const words = childTable('words', { foreignKey: 'order_id', value: 'word' })
/** Vitess has no lists in JSON. */
const inVitess = sqlBackend({
  dialect: vitess,
  table: table('orders', { schema, key: 'id', columns: { ...columns, extra: { note: 'note', words } } }),
})
const backendOf = (dialect: Dialect = postgres, options: object = {}) =>
  sqlBackend({
    dialect,
    table: table('orders', {
      schema,
      key: 'id',
      columns: { ...columns, ...([sqlite, turso].includes(dialect) && scaled) },
    }),
    ...options,
  })
const read = (text: string) => parseQueryOrThrow(collection, text, { limits: { facets: 20, searches: 40 } })
const facetsOf = (text: string, dialect?: Dialect, options?: object): readonly SqlFacet[] =>
  backendOf(dialect, options).facets(read(text))

describe('the statement', () => {
  const customers = 'LEFT JOIN "customers" AS "t1" ON "t1"."no" = "orders"."customer_no"'
  const country = 'LEFT JOIN "countries" AS "t2" ON "t2"."id" = "t1"."country_id"'
  const items = '"items" AS "e1" ON "e1"."order_id" = "orders"."id"'
  /** The statement for a field with one value per row. */
  const single = (value: string, joins = '') => `SELECT ${value} AS v FROM "orders"${joins}`
  /** The statement for a field in entries. */
  const several = (value: string, from: string, entries: string, absent: string) =>
    `SELECT v FROM (SELECT DISTINCT "orders"."id" AS k1, ${value} AS v FROM "orders"${from} JOIN ${entries} WHERE ${value} IS NOT NULL) AS d ` +
    `UNION ALL SELECT NULL FROM "orders"${from} WHERE NOT EXISTS (SELECT 1 FROM ${absent})`
  const c = (value: string) => `${value} COLLATE "C"`

  test.each<[facet: string, values: string, shown?: string]>([
    ['status', single(c('"orders"."status"'))],
    ['total', single('"orders"."total"'), 'v::text'],
    ['at', single('"orders"."at"'), `to_json(v AT TIME ZONE 'UTC') #>> '{}'`],
    ['customer.name', single(c('"t1"."name"'), ` ${customers}`)],
    ['customer.country.code', single(c('"t2"."code"'), ` ${customers} ${country}`)],
    [
      'customer.tags',
      several(
        c('"e1"."tag"'),
        ` ${customers}`,
        '"customer_tags" AS "e1" ON "e1"."no" = "t1"."no"',
        '"customer_tags" AS "e1" WHERE "e1"."no" = "t1"."no" AND "e1"."tag" IS NOT NULL',
      ),
    ],
    [
      'tags',
      several(
        c('"e1"."tag"'),
        '',
        '"tags" AS "e1" ON "e1"."order_id" = "orders"."id"',
        '"tags" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND "e1"."tag" IS NOT NULL',
      ),
    ],
    [
      'items.price',
      several(
        '"e1"."price"',
        '',
        items,
        '"items" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND "e1"."price" IS NOT NULL',
      ),
    ],
    [
      'items.product.name',
      several(
        c('"e2"."name"'),
        '',
        `${items} JOIN "products" AS "e2" ON "e2"."id" = "e1"."product_id"`,
        '"items" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND EXISTS (SELECT 1 FROM "products" AS "e2" WHERE "e2"."id" = "e1"."product_id" AND "e2"."name" IS NOT NULL)',
      ),
    ],
    [
      'items.marks',
      several(
        c('"e2"."mark"'),
        '',
        `${items} JOIN "marks" AS "e2" ON "e2"."item_id" = "e1"."id"`,
        '"items" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND EXISTS (SELECT 1 FROM "marks" AS "e2" WHERE "e2"."item_id" = "e1"."id" AND "e2"."mark" IS NOT NULL)',
      ),
    ],
  ])('of %s', (facet: string, values: string, shown = 'v') => {
    const order = values.includes('COLLATE') ? c('v') : 'v'
    expect(facetsOf(`facets=${facet}`)).toMatchObject([
      {
        path: facet,
        text: `SELECT ${shown} AS c1, count(*) AS c2 FROM (${values}) AS f GROUP BY v ORDER BY c2 DESC, ${order} NULLS FIRST LIMIT $1::bigint`,
        parameters: [4],
      },
    ])
  })
  test('in a list is refused where the engine counts it wrongly', () => {
    const query = read('facets=tags')
    expect(() => inVitess.facets(query)).toThrow(
      new TypeError('facets cannot count tags, which is in a list: vitess counts no lists'),
    )
    expect(inVitess.facets(read('facets=status'))).toHaveLength(1)
  })
  test('of a JSON list joins all of its entries', () => {
    const [facet] = facetsOf('facets=extra.words')
    expect(facet!.text).toContain(` AS "e1"("value") ON 1 = 1 WHERE `)
  })
  test('selects the rows of the facet, and numbers its placeholders from the given start', () => {
    const text = 'status=x&customer.name=Jo&tags[atMost]=1&facets=status,tags'
    const selected = (at: number, before = '') =>
      `${customers} WHERE ${before}"t1"."name" = $${at}::text AND NOT EXISTS (SELECT 1 FROM "tags" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND "e1"."tag" IS NOT NULL LIMIT 1 OFFSET $${at + 1}::bigint)`
    const [status, tags] = facetsOf(text, postgres, { firstParameter: 5 })
    expect(status).toMatchObject({
      text: `SELECT v AS c1, count(*) AS c2 FROM (SELECT ${c('"orders"."status"')} AS v FROM "orders" ${selected(5)}) AS f GROUP BY v ORDER BY c2 DESC, ${c('v')} NULLS FIRST LIMIT $7::bigint`,
      parameters: ['Jo', 1, 4],
    })
    expect(tags!.parameters).toEqual(['x', 'Jo', 'x', 'Jo', 4])
  })
  test('of MySQL orders texts in a collation with exact comparison', () => {
    const [facet] = facetsOf('facets=status', mysql)
    expect(facet!.text).toMatch(/ GROUP BY v ORDER BY c2 DESC, v COLLATE utf8mb4_0900_bin LIMIT 4$/)
  })
  test('has no collation where the column or the dialect defines the order of texts', () => {
    const textOf = (dialect: Dialect, type?: 'orderedText' | 'bigintText') => {
      const stored = table('orders', {
        schema,
        key: 'id',
        columns: {
          ...columns,
          ...([sqlite, turso].includes(dialect) && scaled),
          status: column<string>('status', type === undefined ? {} : { type }),
        },
      })
      return sqlBackend({ dialect, table: stored }).facets(read('facets=status'))[0]!.text
    }
    const counted = (value: string, last: string) =>
      `SELECT v AS c1, count(*) AS c2 FROM (SELECT ${value} AS v FROM "orders") AS f GROUP BY v ORDER BY c2 DESC, v ${last}`
    expect(textOf(mysql, 'orderedText')).toBe(
      'SELECT v AS c1, count(*) AS c2 FROM (SELECT `orders`.`status` AS v FROM `orders`) AS f GROUP BY v ORDER BY c2 DESC, v LIMIT 4',
    )
    expect(textOf(sqlite, 'orderedText')).toBe(counted('"orders"."status"', 'LIMIT CAST(? AS INTEGER)'))
    const { ordered: _, ...textRules } = postgres.textRules
    expect(textOf({ ...postgres, textRules })).toBe(counted('"orders"."status"', 'NULLS FIRST LIMIT $1::bigint'))
    // The schema types this number as text.
    expect(textOf(sqlite, 'bigintText')).toContain('(SELECT CAST("orders"."status" AS TEXT)')
  })
  test('is false for NULL, and refuses a filter on a field that the table lacks', () => {
    const listed = table('orders', {
      schema,
      key: 'id',
      columns: { ...columns, status: column<string>('status', { type: 'enum' }) },
    })
    const [facet] = sqlBackend({ dialect: postgres, table: listed }).facets(read('status=a&facets=total'))
    expect(facet!.text).toContain(' WHERE "orders"."status" = (SELECT v FROM unnest(')
    expect(facet!.text).not.toContain('IS NOT NULL')
    // A native enumeration is grouped as it is.
    expect(sqlBackend({ dialect: postgres, table: listed }).facets(read('facets=status'))[0]!.text).toBe(
      'SELECT v::text AS c1, count(*) AS c2 FROM (SELECT "orders"."status" AS v FROM "orders") AS f GROUP BY v ' +
        'ORDER BY c2 DESC, v::text COLLATE "C" NULLS FIRST LIMIT $1::bigint',
    )
    const other = defineSchema({ id: field.integer(), status: field.string(), secret: field.string() })
    const of = defineCollection(other, { key: 'id', facets: ['status'] })
    expect(() => backendOf().facets(parseQueryOrThrow(of, 'secret=x&facets=status'))).toThrow(FilterError)
    // The JSON column is a text in the schema of the table, and an integer in the collection.
    const typed = defineSchema({
      id: field.integer(),
      status: field.string(),
      extra: field.object({ note: field.integer() }),
    })
    const ofTyped = defineCollection(typed, { key: 'id', facets: ['status', 'extra.note'] })
    for (const text of ['extra.note=5&facets=status', 'facets=extra.note'])
      expect(() => backendOf().facets(parseQueryOrThrow(ofTyped, text)), text).toThrow(
        'extra.note has type string in the schema, but the filter asks for type integer',
      )
  })
  test('groups all rows by an enumeration of MySQL before it reads the texts', () => {
    const schema = defineSchema({ id: field.integer(), state: field.enumeration(['a', 'b']), total: field.integer() })
    const collection = defineCollection(schema, { key: 'id', facets: ['state'] })
    const textOf = (dialect: Dialect, text: string, name = 'state') => {
      const type = dialect === sqlite ? 'text' : 'enum'
      const columns = { state: column<'a' | 'b'>(name, { type }) }
      const backend = sqlBackend({ dialect, table: table('orders', { schema, key: 'id', columns }), alias: 'o' })
      return backend.facets(parseQueryOrThrow(collection, text))[0]!.text
    }
    for (const dialect of [mysql, mariadb])
      expect(textOf(dialect, 'facets=state')).toContain(
        '_bin AS v, n FROM (SELECT `o`.`state`, count(*) AS n FROM `orders` AS `o` GROUP BY `o`.`state`) AS `o`) AS f GROUP BY v',
      )
    // These count each row by itself: with a condition, by a column named n, and on engines that win nothing.
    for (const text of [
      textOf(mysql, 'total=1&facets=state'),
      textOf(mysql, 'facets=state', 'N'),
      textOf(sqlite, 'facets=state'),
      textOf(postgres, 'facets=state'),
      textOf(vitess, 'facets=state'),
    ])
      expect(text).toMatch(/^SELECT [^(]+, count\(\*\) AS c2/)
  })
  test('has each column of a key', () => {
    const keyed = table('orders', { key: ['id', 'status'], columns: { tags: jsonColumn('tags') } })
    const of = defineCollection(schema, { key: ['id', 'status'], facets: ['tags'] })
    const [facet] = sqlBackend({ dialect: postgres, table: keyed }).facets(parseQueryOrThrow(of, 'facets=tags'))
    expect(facet!.text).toContain('SELECT DISTINCT "orders"."id" AS k1, "orders"."status" AS k2, CASE')
  })
  test('refuses an unmapped field, and a list of a table without a key', () => {
    const stored = (options: object) => sqlBackend({ dialect: postgres, table: table('orders', options as never) })
    const unmapped = stored({
      key: 'id',
      columns: { items: childTable('items', { foreignKey: 'o', columns: { product: jsonColumn('p') } }) },
    })
    for (const path of ['tags', 'customer.name', 'items.marks']) {
      let error: unknown
      try {
        unmapped.facets(read(`facets=${path}`))
      } catch (thrown) {
        error = thrown
      }
      expect(error, path).toBeInstanceOf(FilterError)
      expect((error as FilterError).issues, path).toMatchObject([{ code: 'backend_unmapped', fault: 'server' }])
    }
    const keyless = stored({ columns: { status: 'status', tags: jsonColumn('tags') } })
    expect(keyless.facets(read('facets=status'))).toHaveLength(1)
    expect(() => keyless.facets(read('facets=tags'))).toThrow(
      new TypeError('facets cannot count tags, which is in a list: table(…) needs a key'),
    )
  })
  test('is absent without facets, and facets require a query', () => {
    expect(facetsOf('')).toEqual([])
    expect(backendOf().capabilities.features).toContain('facets')
    expect(() => backendOf().facets({} as never)).toThrow(TypeError)
  })
})

describe('rows', () => {
  const [facet] = facetsOf('facets=status')
  const values = (rows: unknown) => facet!.read(rows as never)
  test('are read with counts of every numeric type, the largest count first', () => {
    expect(
      values([
        { c1: 'a', c2: 1 },
        { c1: null, c2: '3' },
        { c1: 'b', c2: 5n },
        { c1: 'c', c2: 3 },
      ]),
    ).toEqual([
      { value: 'b', count: 5 },
      { value: null, count: 3 },
      { value: 'c', count: 3 },
      { value: 'a', count: 1 },
    ])
  })
  test('with equal values add up, and a cell of another type counts as null', () => {
    expect(
      values([
        { c1: 'a', c2: 1 },
        { c1: 5, c2: 2 },
        { c1: 'a', c2: 4 },
        { c1: null, c2: 2 },
      ]),
    ).toEqual([
      { value: 'a', count: 5 },
      { value: null, count: 4 },
    ])
  })
  test.each<[rows: unknown, message: string | RegExp]>([
    [undefined, 'rows must be a list'],
    [{ c1: 'a', c2: 1 }, 'rows must be a list'],
    [[5], /^rows\[0\]|^row/],
    [[{ c2: 1 }], /^a row has no c1, which holds status/],
    [[{ c1: 'a' }], /^a row has no c2, which holds the number of rows/],
    ...['x', '', '1x', 'x1', '-1', 1.5, -1, 2 ** 53, '9007199254740992', '1.0', '1e3', null].map(
      (c2): [unknown, string] => [[{ c1: 'a', c2 }], 'a row has no number of rows in c2'],
    ),
  ])('%j is refused', (rows, message) => {
    expect(() => values(rows)).toThrow(TypeError)
    expect(() => values(rows)).toThrow(message)
  })
})

const database = new DatabaseSync(':memory:')
database.exec(`
  CREATE TABLE countries (id INTEGER, code TEXT);
  CREATE TABLE customers (no INTEGER, name TEXT, country_id INTEGER);
  CREATE TABLE customer_tags (no INTEGER, tag TEXT);
  CREATE TABLE orders (id INTEGER, status TEXT, total INTEGER, at TEXT, customer_no INTEGER, extra TEXT);
  CREATE TABLE tags (order_id INTEGER, tag TEXT);
  CREATE TABLE products (id INTEGER, name TEXT);
  CREATE TABLE items (id INTEGER, order_id INTEGER, price INTEGER, product_id INTEGER);
  CREATE TABLE marks (item_id INTEGER, mark TEXT);
  INSERT INTO countries VALUES (1, 'PT'), (2, 'AT');
  INSERT INTO customers VALUES (1, 'Jo', 1), (2, 'Al', NULL);
  INSERT INTO customer_tags VALUES (1, 'vip'), (1, 'new'), (2, NULL);
  INSERT INTO orders VALUES
    (1, 'paid', 150, '2024-01-01T00:00:00.000Z', 1, '{"note":"a","words":["x","y","x"]}'),
    (2, 'paid', 150, NULL, 1, '{"words":[null]}'),
    (3, NULL, -5, '2024-01-01T00:00:00.000Z', 2, NULL),
    (4, 'Paid', NULL, '2023-01-01T00:00:00.000Z', NULL, '{"note":5,"words":["x"]}');
  INSERT INTO tags VALUES (1, 'a'), (1, 'b'), (1, 'a'), (2, 'a'), (3, NULL);
  INSERT INTO products VALUES (1, 'bed'), (2, 'tent');
  INSERT INTO items VALUES (1, 1, 5, 1), (2, 1, 5, 2), (3, 2, 7, 1), (4, 3, NULL, NULL);
  INSERT INTO marks VALUES (1, 'm'), (2, 'm'), (3, 'n'), (4, NULL);
`)

describe('on SQLite', () => {
  const backend = backendOf(sqlite)
  const counted = (query: ReturnType<typeof read>) =>
    Object.fromEntries(
      backend
        .facets(query)
        .map(({ path, text, parameters, read }) => [
          path,
          read(database.prepare(text).all(...(parameters as string[]))).map(({ value, count }) => [value, count]),
        ]),
    )
  test('every field has the counts by hand', () => {
    expect(counted(read(`facets=${facets.join(',')}`))).toEqual({
      status: [
        ['paid', 2],
        [null, 1],
        ['Paid', 1],
      ],
      total: [
        ['1.5', 2],
        [null, 1],
        ['-0.05', 1],
      ],
      at: [
        ['2024-01-01T00:00:00.000Z', 2],
        [null, 1],
        ['2023-01-01T00:00:00.000Z', 1],
      ],
      'customer.name': [
        ['Jo', 2],
        [null, 1],
        ['Al', 1],
      ],
      'customer.country.code': [
        [null, 2],
        ['PT', 2],
      ],
      'customer.tags': [
        [null, 2],
        ['new', 2],
        ['vip', 2],
      ],
      tags: [
        [null, 2],
        ['a', 2],
        ['b', 1],
      ],
      'items.price': [
        [null, 2],
        [5, 1],
        [7, 1],
      ],
      'items.product.name': [
        [null, 2],
        ['bed', 2],
        ['tent', 1],
      ],
      'items.marks': [
        [null, 2],
        ['m', 1],
        ['n', 1],
      ],
      'extra.note': [
        [null, 3],
        ['a', 1],
      ],
      'extra.words': [
        [null, 2],
        ['x', 2],
        ['y', 1],
      ],
    })
  })
  test('the condition on a facet keeps its other values, and a restriction removes them', () => {
    const query = read('status=paid&tags=b&facets=status,tags')
    expect(counted(query)).toEqual({
      status: [['paid', 1]],
      tags: [
        ['a', 2],
        ['b', 1],
      ],
    })
    const restricted = restrict(query, where(schema).equals('status', 'Paid'))
    expect(counted(restricted)).toEqual({ status: [], tags: [] })
  })
  test('the limit of the collection cuts the values, and numbers sort by size', () => {
    const few = defineCollection(schema, { key: 'id', facets: ['items.price', 'tags'], facetLimit: 1 })
    expect(counted(parseQueryOrThrow(few, 'facets=items.price,tags'))).toEqual({
      'items.price': [[null, 2]],
      tags: [[null, 2]],
    })
  })
  test.each([
    ['tags[atLeast]=0', [1, 2, 3, 4]],
    ['tags[atLeast]=1', [1, 2]],
    ['tags[atLeast]=3', [1]],
    ['tags[atMost]=0', [3, 4]],
    ['tags[atMost]=1', [2, 3, 4]],
    ['not=(tags[atLeast]=1)', [3, 4]],
    ['not=(tags[atMost]=1)', [1]],
    ['not=(tags[atLeast]=0)', []],
    ['items[atLeast]=1', [1, 2, 3]],
    ['items[atLeast]=2', [1]],
    ['items.marks[atLeast]=1', [1, 2]],
    ['items.marks[atMost]=0', [3]],
    ['customer.tags[atLeast]=1', [1, 2]],
    ['customer.tags[atLeast]=0', [1, 2, 3, 4]],
    ['customer.tags[atMost]=0', [3, 4]],
    ['customer.tags[atMost]=1&customer.name[exists]=true', [3]],
    ['customer.tags[atLeast]=2&customer.name=Jo', [1, 2]],
    ['or=(customer.tags[atLeast]=2,customer.name=Al)', [1, 2, 3]],
    ['or=(customer.tags[atMost]=0,customer.name=Jo)', [1, 2, 3, 4]],
    ['or=(customer.tags[atMost]=1,customer.name=Jo)', [1, 2, 3, 4]],
    ['or=(customer.tags[atLeast]=0,customer.name=Jo)', [1, 2, 3, 4]],
    ['not=(customer.tags[atMost]=0,customer.name=Al)', [1, 2, 4]],
    ['extra.words[atLeast]=2', [1]],
    ['extra.words[atMost]=0', [2, 3]],
    ['status[equalsIgnoreCase]=PAID', [1, 2, 4]],
    ['status[startsWithExact]=Pa', [4]],
    ['status[startsWith]=Pa', [1, 2, 4]],
    ['status[endsWithExact]=aid', [1, 2, 4]],
    ['status[containsExact]=P', [4]],
    ['not=(status[containsExact]=P)', [1, 2, 3]],
  ])('%s selects %j', (text, ids) => {
    for (const filter of [read(text).filter, parseFilterOrThrow(schema, text, { groups: true })]) {
      const compiled = backend.compile(filter)
      const rows = database
        .prepare(`SELECT id FROM orders WHERE ${compiled.text} ORDER BY id`)
        .all(...(compiled.parameters as string[]))
      expect(rows.map(({ id }) => id)).toEqual(ids)
    }
    const query = backend.compileQuery(read(text)).where
    expect(query.text).toBeDefined()
  })
})

test('a count looks for the entry that decides, and a count that every row satisfies is a constant', () => {
  const textOf = (text: string) => backendOf().compile(read(text).filter).text
  const tags = 'FROM "tags" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND "e1"."tag" IS NOT NULL'
  const marks = 'FROM "marks" AS "e2" WHERE "e2"."item_id" = "e1"."id" AND "e2"."mark" IS NOT NULL'
  const third = `EXISTS (SELECT 1 ${tags} LIMIT 1 OFFSET $1::bigint)`
  expect(textOf('tags[atLeast]=3')).toBe(`(${third})`)
  expect(textOf('tags[atMost]=2')).toBe(`(NOT ${third})`)
  expect(textOf('not=(tags[atMost]=2)')).toBe(`(${third})`)
  expect(backendOf().compile(read('tags[atMost]=2').filter).parameters).toEqual([2])
  expect(textOf('tags[atLeast]=1')).toBe(`EXISTS (SELECT 1 ${tags})`)
  expect(textOf('tags[atMost]=0')).toBe(`NOT EXISTS (SELECT 1 ${tags})`)
  const tagged = (dialect: Dialect) => backendOf(dialect).compile(read('tags[atLeast]=3').filter)
  expect(tagged(sqlite)).toMatchObject({
    text: expect.stringContaining(' LIMIT 1 OFFSET CAST(? AS INTEGER))') as string,
    parameters: [2],
  })
  expect(tagged(mysql)).toMatchObject({ text: expect.stringContaining(' LIMIT 1 OFFSET 2)') as string, parameters: [] })
  for (const dialect of [duckdb, turso])
    expect(tagged(dialect)).toMatchObject({
      text: expect.stringMatching(/^\(\(SELECT count.* >= /) as string,
      parameters: [3],
    })
  // A second query of the same shape keeps its operand. 0 and 1 have shapes of their own.
  const counts = [
    'tags[atMost]=2',
    'tags[atMost]=5',
    'tags[atLeast]=5',
    'tags[atLeast]=6',
    'tags[atLeast]=1',
    'tags[atMost]=0',
    'tags[atMost]=1',
  ]
  const same = backendOf()
  const offsets = [[2], [5], [4], [5], [], [], [1]]
  expect(counts.map((text) => same.compile(read(text).filter).parameters)).toEqual(offsets)
  expect(counts.map((text) => same.compileQuery(read(text)).parameters.slice(0, -1))).toEqual(offsets)
  const inMysql = backendOf(mysql)
  const skipped = (text: string) => /OFFSET (\d+)/.exec(inMysql.compile(read(text).filter).text)?.[1]
  expect(counts.map(skipped)).toEqual(['2', '5', '4', '5', undefined, undefined, '1'])
  expect(textOf('items.marks[atLeast]=2')).toBe(
    `EXISTS (SELECT 1 FROM "items" AS "e1" WHERE "e1"."order_id" = "orders"."id" AND EXISTS (SELECT 1 ${marks} LIMIT 1 OFFSET $1::bigint))`,
  )
  const grouped = 'AND `e1`.`tag` IS NOT NULL GROUP BY `e1`.`order_id` HAVING count(*) >= ?)'
  const groupedTags = `EXISTS (SELECT 1 FROM \`tags\` AS \`e1\` WHERE \`e1\`.\`order_id\` = \`orders\`.\`id\` ${grouped}`
  expect(inVitess.compile(read('tags[atLeast]=2').filter)).toMatchObject({ text: `(${groupedTags})`, parameters: [2] })
  expect(inVitess.compile(read('tags[atMost]=2').filter)).toMatchObject({
    text: `(NOT ${groupedTags})`,
    parameters: [3],
  })
  const both = childTable('tags', { foreignKey: ['shop_id', 'order_id'], value: 'tag' })
  const sharded = table('orders', { key: ['shop_id', 'id'], columns: { tags: both } })
  expect(sqlBackend({ dialect: vitess, table: sharded }).compile(read('tags[atLeast]=2').filter).text).toContain(
    'GROUP BY `e1`.`shop_id`, `e1`.`order_id` HAVING',
  )
  expect(textOf('tags[atLeast]=0')).toBe('(1 = 1)')
  expect(textOf('not=(tags[atLeast]=0)')).toBe('(1 = 0)')
  expect(textOf('customer.tags[atLeast]=0')).toBe('(1 = 1)')
  const unmapped = sqlBackend({
    dialect: postgres,
    table: table('orders', { key: 'id', columns: { status: 'status' } }),
  })
  for (const text of ['tags[atLeast]=0', 'tags[atLeast]=1', 'tags[atMost]=1'])
    expect(() => unmapped.compile(read(text).filter), text).toThrow(FilterError)
})
