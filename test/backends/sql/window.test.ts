/** The rows of a page that a statement reads first: from ranges of an index, by a parent's index, and before it makes lists. */
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  childTable,
  column,
  d1,
  duckdb,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, type Collection } from '../../../src/index.ts'

const required = { required: true } as const
const schema = defineSchema({
  id: field.integer(required),
  seller: field.string(required),
  total: field.integer(required),
  discount: field.integer(),
  gift: field.boolean(),
  customer: field.object({ name: field.string(), city: field.string() }),
  items: field.list(field.object({ product: field.string(required) })),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  fields: true,
  groups: true,
  offset: { max: 9_999 },
})
const mapped = (options: { enforced?: true; orders?: true } = {}) =>
  table('orders', {
    schema,
    key: 'id',
    columns: {
      customer: parentTable('customers', {
        key: 'id',
        foreignKey: { columns: 'customer_id', ...(options.enforced && { enforced: true }) },
      }),
      items: childTable('items', { key: 'id', foreignKey: 'order_id' }),
    },
    ...(options.orders && {
      orders: [
        ['seller', '-total'],
        ['discount', '-total'],
      ],
    }),
  })
const all = { enforced: true, orders: true } as const

const database = new DatabaseSync(':memory:')
database.exec(`
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT NOT NULL, total INTEGER NOT NULL, discount INTEGER, gift INTEGER, customer_id INTEGER);
  CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, product TEXT NOT NULL);
  INSERT INTO customers VALUES (1, 'Bo', 'Oslo'), (2, 'Al', 'Rome'), (3, NULL, 'Oslo');
  INSERT INTO orders VALUES
    (1, 'a', 10, 5, 1, 1), (2, 'a', 30, NULL, 0, 2), (3, 'b', 20, 5, NULL, NULL), (4, 'b', 20, NULL, 1, 3),
    (5, 'a', 20, 7, 0, 1), (6, 'c', 10, 5, 1, 2), (7, 'b', 10, NULL, NULL, NULL), (8, 'a', 20, 7, 0, 3);
  INSERT INTO items VALUES (1, 1, 'p'), (2, 1, 'q'), (3, 5, 'p');
`)

/** The same, with rows without a value in other places. */
const placed = defineCollection(schema, {
  key: 'id',
  sort: { discount: { nulls: 'last' }, gift: { nulls: 'first' }, 'customer.name': { nulls: 'last' }, total: true },
  fields: true,
  offset: { max: 9_999 },
})

/** The ids of the pages of a walk on SQLite, from the first to the last and back. */
function walk(
  text: string,
  options = {},
  limit = 2,
  dialect = sqlite,
  asked: Collection = collection,
): { forwards: number[][]; backwards: number[][] } {
  const { select } = sqlBackend({ dialect, table: mapped(options) })
  const read = (cursor?: string) => {
    const more = cursor === undefined ? '' : `&cursor=${cursor}`
    const statement = select(parseQueryOrThrow(asked, `${text}&limit=${limit}${more}`))
    return statement.page(database.prepare(statement.text).all(...statement.parameters))
  }
  const forwards = [read()]
  while (forwards.at(-1)!.next !== undefined) forwards.push(read(forwards.at(-1)!.next))
  const backwards = [forwards.at(-1)!]
  while (backwards[0]!.previous !== undefined) backwards.unshift(read(backwards[0]!.previous))
  const ids = (pages: typeof forwards) => pages.map(({ rows }) => rows.map(({ id }) => id as number))
  return { forwards: ids(forwards), backwards: ids(backwards) }
}

/** Walks with pages of each size, with and without the promises of the mapping, read the same rows in both directions. */
function expectWalks(
  text: string,
  ids: readonly number[],
  dialects: readonly Dialect[],
  asked: Collection = collection,
): void {
  for (const dialect of dialects) {
    for (const options of [{}, all]) {
      for (const limit of [1, 2, 3, 20]) {
        const { forwards, backwards } = walk(text, options, limit, dialect, asked)
        expect(forwards.flat()).toEqual(ids)
        expect(backwards.flat()).toEqual(ids)
      }
    }
  }
}

/** SQLite with the statements by which MySQL and MariaDB read the order of a parent's field. */
const byValue: Dialect = { ...sqlite, walksParents: 'by value' }

/** The parts of a statement's UNION. */
const rangesIn = (text: string): number => text.split(' UNION ALL ').length

const textAfter = (dialect: Dialect, text: string, options = {}, asked: Collection = collection) => {
  const { select } = sqlBackend({ dialect, table: mapped(options) })
  const query = parseQueryOrThrow(asked, `${text}&limit=1`)
  const { sort } = query
  const values = { id: 4, seller: 'a', total: 20, discount: 5, gift: true, 'customer.name': 'Al' } as Record<
    string,
    unknown
  >
  const position = {
    toward: 'next' as const,
    values: sort.map(({ path, type }) => ({ type, value: values[path.join('.')] })),
  }
  return select({ ...query, position } as typeof query)
}

describe('each walk has every row once, in the order of the rows', () => {
  test.each([
    // Without a discount: 2, 4, 7. Then 5: 1, 3, 6, and 7: 5, 8.
    ['sort=discount', [2, 4, 7, 1, 3, 6, 5, 8]],
    ['sort=-discount', [8, 5, 6, 3, 1, 7, 4, 2]],
    ['sort=seller,-total', [2, 8, 5, 1, 4, 3, 7, 6]],
    ['sort=-seller,total', [6, 7, 3, 4, 1, 5, 8, 2]],
    // Without a gift: 3, 7. Then false: 2, 5, 8, and true: 1, 4, 6.
    ['sort=gift', [3, 7, 2, 5, 8, 1, 4, 6]],
    ['sort=-gift,discount', [4, 1, 6, 2, 5, 8, 7, 3]],
    ['sort=discount,-total', [2, 4, 7, 3, 6, 1, 8, 5]],
    // Without a name: 3 and 7 have no customer, 4 and 8 have one without a name. Then Al: 2, 6, and Bo: 1, 5.
    ['sort=customer.name', [3, 4, 7, 8, 2, 6, 1, 5]],
    ['sort=-customer.name', [5, 1, 6, 2, 8, 7, 4, 3]],
    ['sort=customer.name&customer.city[notEqual]=Oslo', [3, 7, 2, 6]],
    ['sort=customer.name&customer.city=Oslo', [4, 8, 1, 5]],
    // Rows 3 and 7 have no customer, and are of the seller that the filter leaves out.
    ['sort=customer.name&not=(seller=b)', [8, 2, 6, 1, 5]],
    ['sort=-customer.name&seller[notEqual]=b', [5, 1, 6, 2, 8]],
    ['sort=-total&seller[in]=a,b,a', [2, 8, 5, 4, 3, 7, 1]],
    ['sort=total&seller[in]=c,b', [6, 7, 3, 4]],
    ['sort=-total&or=(seller=a,seller=c)', [2, 8, 5, 6, 1]],
    ['sort=-total&or=(seller=a,seller=a)', [2, 8, 5, 1]],
    ['sort=-total&or=(seller=a,seller=a,seller=c)', [2, 8, 5, 6, 1]],
    ['sort=-total&seller[in]=a,b&discount=5', [3, 1]],
    // Row 1 has both: it is in the range of its seller.
    ['sort=-total&or=(seller=a,discount=5)', [2, 8, 5, 3, 6, 1]],
    ['sort=-total&or=(discount=5,seller=a)', [2, 8, 5, 3, 6, 1]],
    ['sort=id&customer[exists]=false', [3, 7]],
    ['sort=id&customer[exists]=true&seller=b', [4]],
  ])('%s', (text, ids) => {
    expectWalks(text, ids, [sqlite, byValue])
  })
})

describe('texts of a parent in lower case', () => {
  const sort = { 'customer.name': { ignoreCase: true }, seller: { ignoreCase: true }, total: true } as const
  const folded = defineCollection(schema, { key: 'id', sort, fields: true })
  // Bo of 1 and 5 comes before bO of 2 and 6. Without a name: 3, 4, 7, 8.
  const rename = (name: string) => database.exec(`UPDATE customers SET name = '${name}' WHERE id = 2`)
  beforeAll(() => rename('bO'))
  afterAll(() => rename('Al'))
  test.each([
    ['sort=customer.name', [3, 4, 7, 8, 1, 5, 2, 6]],
    ['sort=-customer.name', [6, 2, 5, 1, 8, 7, 4, 3]],
    ['sort=customer.name,-total', [8, 4, 3, 7, 5, 1, 2, 6]],
    ['sort=customer.name,seller', [8, 3, 4, 7, 1, 5, 2, 6]],
    ['sort=total,customer.name', [7, 1, 6, 3, 4, 8, 5, 2]],
    ['sort=customer.name&seller[notEqual]=b', [8, 1, 5, 2, 6]],
  ])('%s', (text, ids) => {
    expectWalks(text, ids, [sqlite, byValue], folded)
  })
  test('a statement reads the ranges of the index of the parent table', () => {
    // Equal texts by the key, texts that are equal in lower case alone, and later texts.
    expect(rangesIn(textAfter(sqlite, 'sort=customer.name', all, folded).text)).toBe(3)
    expect(rangesIn(textAfter(sqlite, 'sort=customer.name', {}, folded).text)).toBe(1)
  })
})

/** SQLite with the statements of MySQL and MariaDB, and with those of an engine that has neither form. */
const { placesNulls: _, ...unplaced } = sqlite
const splitting: Dialect = { ...unplaced, splitsNulls: true }

describe('rows without a value come where the collection puts them', () => {
  const dialects: Readonly<Record<string, Dialect>> = {
    ...{ sqlite, byValue, unplaced, splitting },
    'splitting, by value': { ...splitting, walksParents: 'by value' },
  }
  describe.each([
    // 5: 1, 3, 6, then 7: 5, 8. Without a discount: 2, 4, 7.
    ['sort=discount', [1, 3, 6, 5, 8, 2, 4, 7]],
    ['sort=-discount', [8, 5, 6, 3, 1, 7, 4, 2]],
    ['sort=discount,-total', [3, 6, 1, 8, 5, 2, 4, 7]],
    ['sort=-total,discount', [2, 3, 5, 8, 4, 1, 6, 7]],
    // Without a gift: 3, 7. Then true: 1, 6, 4, and false: 5, 8, 2.
    ['sort=-gift,discount', [3, 7, 1, 6, 4, 5, 8, 2]],
    ['sort=gift', [3, 7, 2, 5, 8, 1, 4, 6]],
    // Al: 2, 6, then Bo: 1, 5. Without a name: 3, 4, 7, 8.
    ['sort=customer.name', [2, 6, 1, 5, 3, 4, 7, 8]],
    ['sort=customer.name,discount', [6, 2, 1, 5, 3, 8, 4, 7]],
    ['sort=discount&seller[in]=a,b', [1, 3, 5, 8, 2, 4, 7]],
  ])('%s', (text, ids) => {
    test.each(Object.entries(dialects))('%s', (_, dialect) => {
      expectWalks(text, ids, [dialect], placed)
    })
    test('an offset', () => {
      const { select } = sqlBackend({ dialect: splitting, table: mapped() })
      const { text: skipping, parameters, page } = select(parseQueryOrThrow(placed, `${text}&offset=3&limit=4`))
      expect(page(database.prepare(skipping).all(...parameters)).rows.map(({ id }) => id)).toEqual(ids.slice(3, 7))
    })
  })
  const order = (dialect: Dialect, text: string) =>
    sqlBackend({ dialect, table: mapped() }).compileQuery(parseQueryOrThrow(placed, text)).orderBy.text
  test('each dialect writes NULLS FIRST, NULLS LAST or IS NULL', () => {
    expect(order(postgres, 'sort=discount')).toBe('"orders"."discount" ASC NULLS LAST, "orders"."id" ASC')
    expect(order(postgres, 'sort=-gift')).toBe('"orders"."gift" DESC NULLS FIRST, "orders"."id" DESC')
    expect(order(duckdb, 'sort=discount')).toBe('"orders"."discount" ASC NULLS LAST, "orders"."id" ASC')
    expect(order(sqlite, 'sort=discount')).toBe('"orders"."discount" ASC NULLS LAST, "orders"."id" ASC')
    for (const dialect of [mysql, mariadb]) {
      expect(order(dialect, 'sort=discount')).toBe(
        '(`orders`.`discount` IS NULL) ASC, `orders`.`discount` ASC, `orders`.`id` ASC',
      )
      expect(order(dialect, 'sort=-gift')).toBe(
        '(`orders`.`gift` IS NULL) DESC, `orders`.`gift` DESC, `orders`.`id` DESC',
      )
      expect(order(dialect, 'sort=-discount')).toBe('`orders`.`discount` DESC, `orders`.`id` DESC')
    }
  })
  test('a NOT NULL column has neither of them', () => {
    const { columns } = mapped()
    const filled = table('orders', {
      schema,
      key: 'id',
      columns: { ...columns, discount: column('discount', { notNull: true }) } as object,
    })
    const { compileQuery } = sqlBackend({ dialect: mysql, table: filled })
    expect(compileQuery(parseQueryOrThrow(placed, 'sort=discount')).orderBy.text).toBe(
      '`orders`.`discount` ASC, `orders`.`id` ASC',
    )
  })
  test('MySQL and MariaDB read the rows with a value and those without from an index in its own order', () => {
    for (const dialect of [mysql, mariadb]) {
      const { select } = sqlBackend({ dialect, table: mapped() })
      expect(select(parseQueryOrThrow(placed, 'sort=discount&fields=id&limit=1')).text).toBe(
        [
          'SELECT `orders`.`id` AS c1, `orders`.`discount` AS c2 FROM (',
          'SELECT * FROM (SELECT `orders`.`id`, `orders`.`discount` FROM `orders` WHERE `orders`.`discount` IS NOT NULL',
          ' ORDER BY `orders`.`discount` ASC, `orders`.`id` ASC LIMIT 2) AS w',
          ' UNION ALL SELECT * FROM (SELECT `orders`.`id`, `orders`.`discount` FROM `orders` WHERE `orders`.`discount` IS NULL',
          ' ORDER BY `orders`.`id` ASC LIMIT 2) AS w',
          ') AS `orders` ORDER BY (`orders`.`discount` IS NULL) ASC, `orders`.`discount` ASC, `orders`.`id` ASC LIMIT 2',
        ].join(''),
      )
    }
    expect(rangesIn(textAfter(postgres, 'sort=discount', {}, placed).text)).toBe(2)
    expect(rangesIn(textAfter(postgres, 'sort=-gift', {}, placed).text)).toBe(1)
  })
  test('an index that the mapping names has the order of the engine, and not another', () => {
    const { columns } = mapped()
    const ordered = table('orders', { schema, key: 'id', columns: columns as object, orders: [['seller', 'discount']] })
    const { select } = sqlBackend({ dialect: sqlite, table: ordered })
    const rangesOf = (asked: Collection, sort: string) =>
      rangesIn(select(parseQueryOrThrow(asked, `sort=${sort}&seller[in]=a,b`)).text)
    expect(rangesOf(placed, 'discount')).toBe(1)
    expect(rangesOf(placed, '-discount')).toBe(2)
    expect(rangesOf(collection, 'discount')).toBe(2)
  })
  test('two orders that differ in nulls have two statements', () => {
    const { select } = sqlBackend({ dialect: sqlite, table: mapped() })
    for (const asked of [collection, placed, collection, placed])
      expect(select(parseQueryOrThrow(asked, 'sort=discount')).text.includes(' NULLS LAST')).toBe(asked === placed)
  })
})

test.each([
  ['sort=-discount', 2],
  ['sort=discount', 1],
  ['sort=-total', 1],
  ['sort=seller,-total', 2],
  ['sort=seller,-total,id', 3],
  // A row after another one has a lower discount, none, or the same one and a higher total.
  ['sort=-discount,total', 3],
  // Without the promise of a foreign key, a row without a customer is one without a name.
  ['sort=-customer.name', 1],
])('the page after a row, %s, has %i ranges', (text, count) => {
  for (const dialect of [postgres, sqlite, d1]) expect(rangesIn(textAfter(dialect, text).text)).toBe(count)
  // MariaDB makes ranges of a condition itself.
  expect(rangesIn(textAfter(mariadb, text).text)).toBe(1)
})

test.each([
  ['sort=-discount', 1],
  ['sort=-total', 1],
  // It compares no rows, so each key has a range.
  ['sort=seller,-total', 3],
])(
  'the page after a row, %s, has %i ranges on MySQL, which makes ranges of a position in one direction',
  (text, count) => {
    expect(rangesIn(textAfter(mysql, text).text)).toBe(count)
  },
)

test('the statement of a page after a row reads each range by its own limit', () => {
  expect(textAfter(postgres, 'sort=-discount&fields=id').text).toBe(
    [
      'SELECT "orders"."id" AS c1, "orders"."discount" AS c2 FROM (',
      'SELECT * FROM (SELECT "orders"."id", "orders"."discount" FROM "orders"',
      ' WHERE ("orders"."discount", "orders"."id") < ($1::bigint, $2::bigint)',
      ' ORDER BY "orders"."discount" DESC NULLS LAST, "orders"."id" DESC LIMIT $3::bigint) AS w',
      ' UNION ALL SELECT * FROM (SELECT "orders"."id", "orders"."discount" FROM "orders"',
      ' WHERE "orders"."discount" IS NULL',
      ' ORDER BY "orders"."discount" DESC NULLS LAST, "orders"."id" DESC LIMIT $4::bigint) AS w',
      ') AS "orders" ORDER BY "orders"."discount" DESC NULLS LAST, "orders"."id" DESC LIMIT $5::bigint',
    ].join(''),
  )
})

describe('the order by a field of a parent', () => {
  const first = (dialect: Dialect, text: string, options: object = all) =>
    sqlBackend({ dialect, table: mapped(options) }).select(parseQueryOrThrow(collection, text)).text

  test('reads the index of an enforced parent, then the rows without a value', () => {
    const text = first(sqlite, 'sort=customer.name&fields=id')
    expect(rangesIn(text)).toBe(3)
    expect(text).toContain(
      'FROM "orders" JOIN "customers" AS "t1" ON "t1"."id" = "orders"."customer_id" WHERE "t1"."name" IS NOT NULL ORDER BY',
    )
    expect(text).toContain('WHERE "t1"."name" IS NULL ORDER BY')
    expect(text).toContain('FROM "orders" WHERE "orders"."customer_id" IS NULL ORDER BY "orders"."id" ASC LIMIT')
  })

  test('reads all rows of the first values on MySQL, as many values as the page has rows', () => {
    expect(first(mysql, 'sort=customer.name&customer.city=Oslo&seller[notEqual]=a&limit=2&fields=id')).toContain(
      'FROM `orders` JOIN `customers` AS `t1` ON `t1`.`id` = `orders`.`customer_id` JOIN (' +
        'SELECT DISTINCT `t1`.`name` COLLATE utf8mb4_0900_bin AS v FROM `customers` AS `t1` ' +
        'WHERE `t1`.`name` IS NOT NULL AND (SELECT 1 FROM `orders` WHERE `t1`.`id` = `orders`.`customer_id` AND (`t1`.`city` = ? AND `t1`.`city` = ? COLLATE utf8mb4_0900_bin) AND NOT (`orders`.`seller` <=> ? COLLATE utf8mb4_0900_bin) LIMIT 1) IS NOT NULL ' +
        'ORDER BY `t1`.`name` COLLATE utf8mb4_0900_bin ASC LIMIT 3) AS `w` ON `t1`.`name` COLLATE utf8mb4_0900_bin = `w`.v',
    )
  })

  test.each([
    ['sort=customer.name', 3],
    ['sort=customer.name&customer.city=Oslo', 3],
    ['sort=customer.name&seller[notEqual]=a', 3],
    ['sort=customer.name&not=(seller=a)', 3],
    ['sort=customer.name&total=20', 1],
    ['sort=customer.name&discount[exists]=true', 1],
    ['sort=customer.name&items.product=p', 1],
    ['sort=customer.name&or=(customer.city=Oslo,total=20)', 1],
    ['sort=customer.name,customer.city', 1],
    ['sort=total,customer.name', 1],
  ])('has %s in %i ranges', (text, count) => {
    expect(rangesIn(first(postgres, text))).toBe(count)
    expect(rangesIn(first(postgres, text, {}))).toBe(1)
    expect(rangesIn(first(mariadb, text))).toBe(count)
    expect(rangesIn(first(duckdb, text))).toBe(1)
  })

  test.each([
    // The mapping names an index that begins with the seller.
    ['seller=a', 3],
    ['seller=a&customer.city=Oslo', 3],
    ['seller=a&total=20', 1],
    ['seller[in]=a,b', 1],
    ['seller[startsWith]=a', 1],
  ])('is left to the planner of PostgreSQL for %s: %i ranges', (text, count) => {
    expect(rangesIn(first(postgres, `sort=customer.name&${text}`))).toBe(count)
    expect(rangesIn(first(sqlite, `sort=customer.name&${text}`))).toBe(1)
    expect(rangesIn(first(postgres, `sort=customer.name&${text}`, { enforced: true }))).toBe(1)
  })
})

describe('a few values of a field whose order an index has', () => {
  const { select } = sqlBackend({ dialect: postgres, table: mapped(all) })
  const read = (text: string) => select(parseQueryOrThrow(collection, `${text}&fields=id&limit=4`))

  test('have a range each, by the values of each query', () => {
    const statements = ['a,b', 'c,d', 'd,c,d'].map((list) => read(`sort=-total&seller[in]=${list}`))
    expect(statements.map(({ parameters }) => parameters)).toEqual([
      ['a', 5, 'b', 5, 5],
      ['c', 5, 'd', 5, 5],
      ['d', 5, 'c', 5, 5],
    ])
    expect(new Set(statements.map(({ text }) => text)).size).toBe(1)
    const three = read('sort=-total&seller[in]=a,b,c')
    expect(rangesIn(three.text)).toBe(3)
    expect(three.parameters).toEqual(['a', 5, 'b', 5, 'c', 5, 5])
    expect(read('sort=-total&seller[in]=e,f').parameters).toEqual(['e', 5, 'f', 5, 5])
    expect(read('sort=-total&or=(seller=g,seller=h)').parameters).toEqual(['g', 5, 'h', 5, 5])
    // One value twice has the shape of two values.
    expect(read('sort=-total&or=(seller[in]=(g),seller=h)').parameters).toEqual(['g', 5, 'h', 5, 5])
    expect(rangesIn(read('sort=-total&or=(seller[in]=(g),seller[in]=(g,g))').text)).toBe(1)
  })

  test('are those of the first condition, whatever its values are', () => {
    const many = Array.from({ length: 17 }, (_, at) => `s${at}`).join(',')
    const two = read('sort=-total&seller[in]=a,b&discount[in]=1,2')
    expect(two.parameters).toEqual(['a', [1, 2], 5, 'b', [1, 2], 5, 5])
    // The second list has the ranges of no query of this shape.
    const seventeen = read(`sort=-total&seller[in]=${many}&discount[in]=1,2`)
    expect(seventeen.parameters).toEqual([many.split(','), [1, 2], 5])
    expect(read('sort=-total&seller[in]=c,d&discount[in]=3,4').parameters).toEqual(['c', [3, 4], 5, 'd', [3, 4], 5, 5])
  })

  test.each([
    ['sort=-total&seller[in]=a,b', 2],
    ['sort=total&seller[in]=a,b', 2],
    ['sort=-total,-id&seller[in]=a,b', 2],
    ['sort=-total&seller[in]=a,b&discount=5', 2],
    ['sort=-total&seller[in]=a,b,c,d,e,f,g,h', 8],
    ['sort=-total&or=(seller=a,discount=5)', 2],
    ['sort=-total&or=(seller=a,seller=b,discount=5)', 3],
    ['sort=-total&or=(seller=a,id=5)', 1],
    ['sort=-total,id&seller[in]=a,b', 1],
    ['sort=-total,discount&seller[in]=a,b', 1],
    ['sort=discount&seller[in]=a,b', 1],
    ['sort=-total&seller[in]=a', 1],
    ['sort=-total&seller[nin]=a,b', 1],
    ['sort=-total&or=(seller[in]=(a,b),discount=5)', 1],
  ])('%s has %i ranges', (text, count) => {
    for (const dialect of [postgres, sqlite, mariadb]) {
      const backend = sqlBackend({ dialect, table: mapped(all) })
      expect(rangesIn(backend.select(parseQueryOrThrow(collection, text)).text)).toBe(count)
    }
    expect(
      rangesIn(sqlBackend({ dialect: postgres, table: mapped() }).select(parseQueryOrThrow(collection, text)).text),
    ).toBe(1)
  })
})

test('a statement with more ranges or parameters than the engine takes has one SELECT', () => {
  const { select } = sqlBackend({ dialect: d1, table: mapped(all) })
  const ranges = (text: string) => rangesIn(select(parseQueryOrThrow(collection, text)).text)
  // D1 takes five parts of a UNION, and 100 parameters.
  expect(ranges('sort=-total&seller[in]=a,b,c,d,e')).toBe(5)
  expect(ranges('sort=-total&seller[in]=a,b,c,d,e,f')).toBe(1)
  const many = Array.from({ length: 40 }, (_, at) => `total[notEqual]=${at}`).map(
    (one) => `not=(${one.replace('[notEqual]', '')})`,
  )
  expect(ranges(`sort=-total&seller[in]=a,b&${many.join('&')}`)).toBe(2)
  expect(ranges(`sort=-total&seller[in]=a,b,c&${many.join('&')}`)).toBe(1)
})

test('PostgreSQL makes the lists of a page after it skips rows', () => {
  const { select } = sqlBackend({ dialect: postgres, table: mapped() })
  const { text, parameters } = select(parseQueryOrThrow(collection, 'offset=7&limit=4&fields=id,customer.name'))
  expect(text).toBe(
    [
      'SELECT "orders"."id" AS c1, CASE WHEN "t1"."id" IS NOT NULL THEN 1 END AS c2, "t1"."name" AS c3',
      ' FROM (SELECT "orders"."id", "orders"."customer_id" FROM "orders" ORDER BY "orders"."id" ASC',
      ' LIMIT $1::bigint OFFSET $2::bigint) AS "orders"',
      ' LEFT JOIN "customers" AS "t1" ON "t1"."id" = "orders"."customer_id" ORDER BY "orders"."id" ASC',
    ].join(''),
  )
  expect(parameters).toEqual([5, 7])
})

test('PostgreSQL reads the keys of the rows after a far offset, and then these rows', () => {
  const { select } = sqlBackend({ dialect: postgres, table: mapped() })
  const read = (text: string) => select(parseQueryOrThrow(collection, `${text}&limit=4&fields=total,customer.name`))
  const { text, parameters } = read('sort=-discount&offset=1000')
  expect(text).toBe(
    [
      'SELECT "orders"."id" AS c1, "orders"."total" AS c2, "orders"."discount" AS c3,',
      ' CASE WHEN "t1"."id" IS NOT NULL THEN 1 END AS c4, "t1"."name" AS c5',
      ' FROM (SELECT "orders"."id" FROM "orders" ORDER BY "orders"."discount" DESC NULLS LAST, "orders"."id" DESC',
      ' LIMIT $1::bigint OFFSET $2::bigint) AS "w" LEFT JOIN "orders" ON "orders"."id" = "w"."id"',
      ' LEFT JOIN "customers" AS "t1" ON "t1"."id" = "orders"."customer_id"',
      ' ORDER BY "orders"."discount" DESC NULLS LAST, "orders"."id" DESC',
    ].join(''),
  )
  expect(parameters).toEqual([5, 1000])
  expect(read('offset=999').text).not.toContain('"w"')
  expect(read('offset=5000').parameters).toEqual([5, 5000])
  // The key of the table finds one row where it ends the order.
  const numbers = defineSchema({ id: field.integer(required), total: field.integer(required) })
  const byTotal = sqlBackend({ dialect: postgres, table: table('orders', { schema: numbers, key: 'total' }) }).select
  const far = parseQueryOrThrow(defineCollection(numbers, { key: 'id', offset: { max: 9_999 } }), 'offset=1000')
  expect(byTotal(far).text).not.toContain('"w"')
})

test('a page has one SELECT where the mapping writes the name of a column in two cases', () => {
  const lists = defineSchema({ id: field.integer(required), tags: field.list(field.string()) })
  const of = (key: string) =>
    sqlBackend({
      dialect: postgres,
      table: table('t', {
        schema: lists,
        key,
        columns: { tags: childTable('tags', { foreignKey: 't', key: 'id', value: 'tag' }) },
      }),
    }).select(parseQueryOrThrow(defineCollection(lists, { key: 'id', offset: { max: 9 } }), 'offset=1')).text
  expect(of('id')).toContain('FROM (SELECT "t"."id" FROM "t"')
  expect(of('ID')).toContain('FROM "t" ORDER BY "t"."id" ASC LIMIT')
})

test('an OR of conditions on one child table is one EXISTS where the engine begins at its entries', () => {
  const countIn = (dialect: Dialect, text: string) => {
    const { compile } = sqlBackend({ dialect, table: mapped(all) })
    return compile(parseQueryOrThrow(collection, text).filter).text.split('EXISTS').length - 1
  }
  for (const [text, merged] of [
    ['or=(items.product=p,items.product=q,total=20)', 1],
    ['not=(or(items.product=p,items.product=q))', 1],
    ['and=(items(product=p),items(product=q))', 2],
  ] as const) {
    expect([mysql, mariadb].map((dialect) => countIn(dialect, text))).toEqual([merged, merged])
    expect([postgres, sqlite].map((dialect) => countIn(dialect, text))).toEqual([2, 2])
  }
})
