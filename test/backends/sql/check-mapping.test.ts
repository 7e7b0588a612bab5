/** What a mapping refuses, when a table is mapped and when a backend is made, and what it makes. */
import { describe, expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  libsql,
  duckdb,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  vitess,
  type ColumnOptions,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  parseFilterOrThrow,
  type Field,
  type Fields,
} from '../../../src/index.ts'
import { some } from '../../../src/tree.ts'

const schema = defineSchema({
  seller: field.string(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
  items: field.list(field.object({ price: field.number() })),
})
const items = childTable('items', { foreignKey: 'order_id' })
const columns: ColumnOptions = { tags: jsonColumn('tags'), customer: { name: 'contact_name' }, items }
const orders = table('orders', { schema, key: 'id', columns })
const child = (options: object = {}, name = 'c') => childTable(name, { foreignKey: 'f', ...options })
const through = { table: 'j', foreignKey: 'f', otherKey: 'o' }
const joined = (options: object) => childTable('c', { key: 'k', through, ...options } as never)
const parent = (options: object = {}, name = 'p') => parentTable(name, { key: 'k', foreignKey: 'f', ...options })
const typed = (type: string) => column<string>('x', { type })
/** Of a field that nothing holds: a name, a list of names or an object is expected. */
const none = (value: unknown) => value as never

describe('a mapping that cannot be is a TypeError that names the part', () => {
  const mapped =
    (more: ColumnOptions, key: string | string[] = 'id') =>
    () =>
      table('orders', { schema, key, columns: { ...columns, ...more } })
  const bare = (columns: ColumnOptions) => () => table('t', { columns })
  const empty = 'name must be a text that is not empty'
  const aList = 'columns.tags: a list is a childTable, a jsonColumn or an arrayColumn'
  const anObject = 'columns.customer: an object is a jsonColumn or a parentTable, or its fields are columns'
  const keys = (path: string, columns: number, key: number) =>
    `columns.${path}.foreignKey has ${columns} columns, the key that it refers to ${key}`
  test.each<[make: () => unknown, message: string]>([
    // Forms that do not hold their field.
    [mapped({ tags: 'tags' }), aList],
    [() => table('orders', { schema, key: 'id', columns: { customer: { name: 'a' }, items } }), aList],
    [mapped({ items: arrayColumn('items') }), 'columns.items: a list of objects is a childTable or a jsonColumn'],
    [mapped({ items: parent() }), 'columns.items: a list of objects is a childTable or a jsonColumn'],
    [mapped({ customer: 'customer' }), anObject],
    [mapped({ customer: items }), anObject],
    [mapped({ seller: items }), 'columns.seller: a string is a column, or JSON in a jsonColumn'],
    [mapped({ tags: child() }), 'columns.tags: a childTable of scalars has a value, the column that holds the entry'],
    // A column of its own name would be another column of the table.
    [
      mapped({ customer: {} }),
      'columns.customer.name: name the column, because an object over columns names each of its own',
    ],
    [mapped({ nope: 'x' }), 'columns.nope: the schema has no such field'],
    [mapped({ customer: { name: 'a', nope: 'c' } }), 'columns.customer.nope: the schema has no such field'],
    [mapped({ customer: parent({ columns: { nope: 'x' } }) }), 'columns.customer.nope: the schema has no such field'],
    [mapped({ items: child({ columns: { nope: 'x' } }) }), 'columns.items.nope: the schema has no such field'],
    // Keys.
    [mapped({}, ['a', 'b']), keys('items', 1, 2)],
    [mapped({ customer: parent({ key: ['a', 'b'] }) }), keys('customer', 1, 2)],
    [() => table('orders', { columns }), keys('items', 1, 0)],
    [bare({ a: { l: child() } }), keys('a.l', 1, 0)],
    [bare({ l: child({ foreignKey: [] }) }), keys('l', 0, 0)],
    [bare({ p: parent({ key: [], foreignKey: [] }) }), keys('p', 0, 0)],
    [bare({ a: { p: parent({ key: [] }) } }), keys('a.p', 1, 0)],
    [bare({ p: parent({ columns: { l: child({ foreignKey: ['a', 'b'] }) } }) }), keys('p.l', 2, 1)],
    [() => table('t', { key: 'id', columns: { l: child({ columns: { m: child() } }) } }), keys('l.m', 1, 0)],
    // Join tables.
    [() => joined({ foreignKey: 'f' }), 'foreignKey is an option of through'],
    [() => child({ joinColumns: { a: 'a' } }), 'joinColumns.a must be a column of through that columns lacks'],
    ...[parent(), child(), { b: 'b' }].map((a): [() => unknown, string] => [
      () => joined({ joinColumns: { a } }),
      'joinColumns.a must be a column of through that columns lacks',
    ]),
    [
      () => joined({ columns: { a: 'a' }, joinColumns: { a: 'b' } }),
      'joinColumns.a must be a column of through that columns lacks',
    ],
    [() => joined({ joinColumns: 5 }), 'joinColumns must be an object'],
    [() => joined({ through: 5 }), 'through must be an object'],
    [() => joined({ through: { ...through, table: '' } }), 'through.table must be a text that is not empty'],
    [() => joined({ through: { ...through, otherKey: 5 } }), 'through.otherKey must be a name or a list of names'],
    [() => joined({ through: { ...through, where: {} } }), 'where must be an object with a column or more'],
    [mapped({ items: joined({ key: ['a', 'b'] }) }), keys('items', 1, 2).replace('foreignKey', 'through.otherKey')],
    [mapped({ items: joined({ key: [] }) }), keys('items', 1, 0).replace('foreignKey', 'through.otherKey')],
    [mapped({ items: joined({}) }, ['a', 'b']), keys('items', 1, 2)],
    [mapped({ items: joined({ joinColumns: { nope: 'x' } }) }), 'columns.items.nope: the schema has no such field'],
    // Names.
    [() => table(''), empty],
    [() => table(['a', '']), empty],
    [() => table([]), 'name must be a name or a list of names'],
    [() => table(none(5)), 'name must be a name or a list of names'],
    ...['', 'a\0b', '\ud800', 5].map((name): [() => unknown, string] => [() => column(none(name)), empty]),
    [() => jsonColumn(''), empty],
    [() => arrayColumn(''), empty],
    [() => child({}, ''), empty],
    [() => parent({}, ''), empty],
    [() => child({ value: '' }), empty],
    [() => table('t', { key: '' }), 'key must be a text that is not empty'],
    [() => table('t', { key: none(5) }), 'key must be a name or a list of names'],
    [() => child({ key: '' }), 'key must be a text that is not empty'],
    [() => child({ foreignKey: ['a', ''] }), 'foreignKey must be a text that is not empty'],
    [() => parent({ key: '' }), 'key must be a text that is not empty'],
    [() => parent({ foreignKey: 5 }), 'foreignKey must be a name or a list of names'],
    [() => parent({ foreignKey: { columns: 5 } }), 'foreignKey.columns must be a name or a list of names'],
    [() => child({ foreignKey: { columns: '' } }), 'foreignKey.columns must be a text that is not empty'],
    [() => child({ foreignKey: { columns: 'f', enforced: false } }), 'foreignKey.enforced must be true, or absent'],
    [() => parent({ foreignKey: { columns: 'f', enforced: 1 } }), 'foreignKey.enforced must be true, or absent'],
    [mapped({ items: child({ foreignKey: { columns: ['a', 'b'], enforced: true } }) }), keys('items', 2, 1)],
    [
      () => sqlBackend({ dialect: postgres, table: orders, alias: '' }),
      'options.alias must be a text that is not empty',
    ],
    // What was not made by the package's functions.
    [() => child({ value: jsonColumn('v') }), 'value must be a name or made by column()'],
    [() => child({ value: { kind: 'column', name: 'v' } }), 'value must be a name or made by column()'],
    [() => table('t', { schema: none({}) }), 'schema must be made by defineSchema'],
    [() => table('t', { schema: { ...schema } }), 'schema must be made by defineSchema'],
    [() => sqlBackend({ dialect: postgres, table: { ...orders } }), 'options.table must be made by table()'],
    ...[7, null, []].map((value): [() => unknown, string] => [bare(none(value)), 'columns must be an object']),
    [() => child({ columns: 5 }), 'columns must be an object'],
    [() => parent({ columns: 5 }), 'columns must be an object'],
    [bare({ a: none(7) }), 'columns.a must be an object'],
    [bare({ a: none(null) }), 'columns.a must be an object'],
    [bare({ a: { b: none(7) } }), 'columns.a.b must be an object'],
    // Options.
    [
      () => sqlBackend({ dialect: postgres, table: orders, firstParameter: 0 }),
      'options.firstParameter must be a whole number from 1',
    ],
    [() => sqlBackend(none(undefined)), 'options must be an object'],
    [() => table('t', none(null)), 'options must be an object'],
    [() => childTable('t', none(undefined)), 'options must be an object'],
    [() => parentTable('p', none(undefined)), 'options must be an object'],
    [() => column('c', none('uuid')), 'options must be an object'],
    [() => column('c', none({ notNull: 1 })), 'options.notNull must be a boolean'],
    ...[-1, 1.5, '2', null].map((digits): [() => unknown, string] => [
      () => column('c', none({ digits })),
      'options.digits must be a whole number from 0',
    ]),
    [() => arrayColumn('c', { digits: -1 }), 'options.digits must be a whole number from 0'],
    [() => column('c', { name: '' }), 'options.name must be a text that is not empty'],
    [() => column('c', { name: ['a', ''] }), 'options.name must be a text that is not empty'],
    [() => column('c', { name: [] }), 'options.name must be a name or a list of names'],
  ])('%#: %s', (make, message) => {
    expect(make).toThrow(new TypeError(message))
  })
  test.each<[orders: unknown, message: string, columns?: ColumnOptions]>([
    [null, 'options.orders must be a list of orders'],
    ['seller,-id', 'options.orders must be a list of orders'],
    [['seller'], 'options.orders[0] must be a list of paths, - before a descending one'],
    [[['seller', 5]], 'options.orders[0] must be a list of paths, - before a descending one'],
    [[[]], 'options.orders[0] must have two fields or more'],
    [[['seller']], 'options.orders[0] must have two fields or more'],
    [[['seller', '-customer.name'], ['-seller']], 'options.orders[1] must have two fields or more'],
    [[['seller', 'seller']], 'options.orders[0] has seller twice'],
    [[['seller', '-seller']], 'options.orders[0] has seller twice'],
    [[['seller', 'nope']], 'options.orders[0] has nope, which is not a field'],
    [[['seller', '']], "options.orders[0] has '', which is not a field"],
    [[['seller', '-']], "options.orders[0] has '', which is not a field"],
    [[['seller', '--seller']], 'options.orders[0] has -seller, which is not a field'],
    [[['seller', 'seller.x']], 'options.orders[0] has seller.x, which is not a field'],
    [[['seller', 'customer']], 'options.orders[0] has customer, which is an object'],
    [[['seller', 'tags']], 'options.orders[0] has tags, which is in JSON'],
    [[['seller', 'tags']], 'options.orders[0] has tags, which is a list', { tags: arrayColumn('tags') }],
    [[['seller', 'items']], 'options.orders[0] has items, which is a list, or in one'],
    [[['seller', 'items.price']], 'options.orders[0] has items.price, which is a list, or in one'],
    [
      [['seller', 'customer.name']],
      'options.orders[0] has customer.name, which is in another table',
      { customer: parent() },
    ],
    [
      [['seller', 'customer.name']],
      'options.orders[0] has customer.name, which is in JSON',
      { customer: jsonColumn('c') },
    ],
    [[['customer.name', 'seller']], 'options.orders[0] has seller, which is in JSON', { seller: jsonColumn('s') }],
  ])('an order that no index has: %j', (listed, message, more = {}) => {
    expect(() =>
      table('orders', { schema, key: 'id', columns: { ...columns, ...more }, orders: none(listed) }),
    ).toThrow(new TypeError(message))
  })
  test.each<[orders: string[][], message: string]>([
    [[['a', '']], "options.orders[0] has '', which is not a field"],
    [[['a', 'c']], 'options.orders[0] has c, which is an object'],
    [[['a', 'x.y']], 'options.orders[0] has x.y, which is not mapped'],
    [[['a', 'c.y']], 'options.orders[0] has c.y, which is not mapped'],
    [[['a', 'b.y']], 'options.orders[0] has b.y, which is not mapped'],
    [[['a', 'c.x.y']], 'options.orders[0] has c.x.y, which is not mapped'],
  ])('an order without a schema: %j', (listed, message) => {
    const make = () => table('t', { columns: { b: 'b', c: { x: 'c_x' } }, orders: listed })
    expect(make).toThrow(new TypeError(message))
  })
  test.each<[make: () => unknown, unknown: string, meant: string]>([
    [() => sqlBackend(none({ dialect: postgres, table: orders, aliass: 'o' })), 'aliass', 'alias'],
    [() => table('t', none({ shema: schema })), 'shema', 'schema'],
    [() => child({ collumns: {} }), 'collumns', 'columns'],
    [() => parent({ foreignkey: 'f' }), 'foreignkey', 'foreignKey'],
    [() => table('t', none({ order: [] })), 'order', 'orders'],
    [() => column('c', none({ typ: 'uuid' })), 'typ', 'type'],
    [() => arrayColumn('c', none({ types: 'uuid' })), 'types', 'type'],
  ])('an option that nobody reads: %#', (make, unknown, meant) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(`options.${unknown} is unknown; did you mean ${meant}?`)
  })
  test('an option of a foreign key that nobody reads', () => {
    const message = 'foreignKey.enforce is unknown; did you mean enforced? (available: columns, enforced)'
    expect(() => child({ foreignKey: { columns: 'f', enforce: true } })).toThrow(new TypeError(message))
  })
})

describe('where', () => {
  const makers = {
    table: (where: unknown) => table('t', none({ where })),
    child: (where: unknown) => child(none({ where })),
    parent: (where: unknown) => parent(none({ where })),
  }
  describe.each(Object.entries(makers))('of %s', (_, make) => {
    test.each<[where: unknown, message: string]>([
      [null, 'where must be an object with a column or more'],
      [{}, 'where must be an object with a column or more'],
      [['a'], 'where must be an object with a column or more'],
      ['a = 1', 'where must be an object with a column or more'],
      [{ '': 1 }, 'a column of where must be a text that is not empty'],
      ...[
        undefined,
        NaN,
        Infinity,
        5n,
        [],
        {},
        { not: 1 },
        { not: null, or: 1 },
        new Date(0),
        'a\\',
        'a\0',
        '\ud800',
        () => 1,
      ].map((value): [unknown, string] => [
        { a: value },
        'where.a must be a text without a backslash, a number, a boolean, null or { not: null }',
      ]),
    ])('%o: TypeError', (where, message) => expect(() => make(where)).toThrow(new TypeError(message)))

    test('the mapping keeps a copy', () => {
      const where: Record<string, unknown> = { a: null, b: { not: null }, c: "it's", d: -1.5, e: true }
      const made = make(where) as { readonly where: object }
      delete where['a']
      expect(Object.entries(made.where).map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
    })
  })

  const number = defineSchema({ n: field.integer() })
  const where = { a: null, b: { not: null }, c: "it's", d: -1.5, e: true, f: false } as const
  const filter = parseFilterOrThrow(number, 'n=5')

  test('the text contains the constants, and compile guards each column against NULL', () => {
    const backend = sqlBackend({ dialect: postgres, table: table('t', { schema: number, key: 'n', where }) })
    const rows = `"t"."a" IS NULL AND "t"."b" IS NOT NULL AND "t"."c" = 'it''s' AND "t"."d" = -1.5 AND "t"."e" = (1 = 1) AND "t"."f" = (1 = 0)`
    const known = ['c', 'd', 'e', 'f', 'n'].map((name) => `"t"."${name}" IS NOT NULL`).join(' AND ')
    expect(backend.compile(filter).text).toBe(`(${rows} AND "t"."n" = $1::bigint AND ${known})`)
    expect(backend.compileQuery(buildQuery(defineCollection(number, { key: 'n' }))).where.text).toBe(rows)
  })
  test('a dialect with the placeholder ? refuses a value with a ?', () => {
    const made = table('t', { schema: number, where: { kind: 'what?' } })
    expect(() => sqlBackend({ dialect: sqlite, table: made })).toThrow(TypeError)
    expect(() => sqlBackend({ dialect: postgres, table: made })).not.toThrow()
  })
  test('a parent with where is looked up, because the foreign key can refer to a row that where leaves out', () => {
    const objects = defineSchema({ id: field.integer(), p: field.object({ n: field.integer() }) })
    const foreignKey = { columns: 'p_id', enforced: true } as const
    const textOf = (more: object) =>
      sqlBackend({
        dialect: postgres,
        table: table('t', {
          schema: objects,
          key: 'id',
          columns: { p: parentTable('p', { key: 'id', foreignKey, ...more }) },
        }),
      }).compile(parseFilterOrThrow(objects, 'p[exists]=true')).text
    expect(textOf({})).toBe('("t"."p_id" IS NOT NULL)')
    expect(textOf({ where: { gone: null } })).toBe(
      'EXISTS (SELECT 1 FROM "p" AS "e1" WHERE "e1"."id" = "t"."p_id" AND "e1"."gone" IS NULL)',
    )
  })
})

test('a mapping keeps its options', () => {
  expect(column('a')).toStrictEqual({ kind: 'column', name: 'a' })
  expect(arrayColumn('a')).toStrictEqual({ kind: 'array', name: 'a' })
  expect(column('a', { type: 'uuid' })).toStrictEqual({ kind: 'column', name: 'a', type: 'uuid' })
  expect(column('a', { type: 'enum', name: ['s', 'k'], digits: 3 })).toStrictEqual({
    ...{ kind: 'column', name: 'a', type: 'enum' },
    ...{ digits: 3, typeName: ['s', 'k'] },
  })
  expect(arrayColumn('a', { name: 'k' })).toStrictEqual({ kind: 'array', name: 'a', typeName: 'k' })
  expect(child({ value: 'v' }).value).toStrictEqual({ kind: 'column', name: 'v' })
  expect(table('t', { key: ['a', 'b'] })).toMatchObject({ name: 't', key: ['a', 'b'] })
  for (const make of [child, parent]) {
    expect(make()).toMatchObject({ foreignKey: ['f'] })
    expect(make()).not.toHaveProperty('enforced')
    expect(make({ foreignKey: { columns: ['f'] } })).toStrictEqual(make())
    expect(make({ foreignKey: { columns: 'f', enforced: true } })).toStrictEqual({ ...make(), enforced: true })
  }
  const listed = [
    ['seller', '-customer.name'],
    ['customer.name', 'seller'],
  ] as const
  expect(table('orders', { schema, key: 'id', columns, orders: listed }).orders).toStrictEqual([
    [
      { path: ['seller'], direction: 'ascending' },
      { path: ['customer', 'name'], direction: 'descending' },
    ],
    [
      { path: ['customer', 'name'], direction: 'ascending' },
      { path: ['seller'], direction: 'ascending' },
    ],
  ])
  expect(table('t').orders).toEqual([])
  // Without a schema, a name that is not mapped is a column.
  expect(table('t', { columns: { c: { x: 'c_x' } }, orders: [['a', '-c.x']] }).orders[0]).toHaveLength(2)
  const names = ['s', 't']
  const made = table(names)
  names.pop()
  expect(made.name).toEqual(['s', 't'])
  expect(Object.isFrozen(made.name)).toBe(true)
  expect(table('t')).not.toHaveProperty('schema')
  expect(() => table('t', { key: 'id', columns: { l: child({ key: 'id', columns: { m: child() } }) } })).not.toThrow()
  // A field may be called kind.
  const mapped = table('t', { columns: { inner: { kind: 'column', name: 'n' } } })
  const filter = parseFilterOrThrow(defineSchema({ inner: field.object({ kind: field.string() }) }), 'inner.kind=x')
  expect(sqlBackend({ dialect: sqlite, table: mapped }).compile(filter).text).toContain('"t"."column"')
})

describe('a dialect refuses a type that it cannot store, at every place', () => {
  const odd = 'is it?'
  test.each<[what: string, columns: ColumnOptions, options?: { name?: string; key?: string; alias?: string }]>([
    ['a column', { a: odd }],
    ['a column of an object', { a: { b: odd } }],
    ['JSON', { a: jsonColumn(odd) }],
    ['an array', { a: arrayColumn(odd) }],
    ['a child table', { l: child({}, odd) }],
    ['its key', { l: child({ key: odd }) }],
    ['its foreign key', { l: child({ foreignKey: odd }) }],
    ['its value', { l: child({ value: odd }) }],
    ['its columns', { l: child({ columns: { a: odd } }) }],
    ['a parent table', { p: parent({}, odd) }],
    ['its key', { p: parent({ key: odd }) }],
    ['the foreign key to it', { p: parent({ foreignKey: odd }) }],
    ['its columns', { p: parent({ columns: { a: odd } }) }],
    ['the table', {}, { name: odd }],
    ['its key', {}, { key: odd }],
    ['the alias', {}, { alias: odd }],
  ])('a placeholder in a name: %s', (_, columns, { name = 't', key = 'id', alias } = {}) => {
    const make = (dialect: Dialect) => () =>
      sqlBackend({ dialect, table: table(name, { key, columns }), ...(alias !== undefined && { alias }) })
    expect(make(mysql)).toThrow(new TypeError('the name "is it?" has a ?, which is a placeholder in mysql'))
    expect(make(postgres)).not.toThrow()
  })
  test('a placeholder in the name of a field that has no column of another name', () => {
    const odds = defineSchema({ [odd]: field.string(), l: field.list(field.object({ [odd]: field.string() })) })
    const l = (inside: ColumnOptions) => child({ columns: inside })
    const make = (columns: ColumnOptions) => () =>
      sqlBackend({ dialect: mysql, table: table('t', { schema: odds, key: 'id', columns }) })
    expect(make({ [odd]: 'x', l: l({ [odd]: 'y' }) })).not.toThrow()
    expect(make({ l: l({ [odd]: 'y' }) })).toThrow('has a ?')
    expect(make({ [odd]: 'x', l: l({}) })).toThrow('has a ?')
    expect(make({ [odd]: 'x', l: jsonColumn('l') })).toThrow('has a ?')
    const inObject = {
      schema: defineSchema({ a: field.object({ [odd]: field.string() }) }),
      columns: { a: jsonColumn('a') },
    }
    expect(() => sqlBackend({ dialect: mysql, table: table('t', inObject) })).toThrow('has a ?')
  })
  test('a member that MariaDB has no path for', () => {
    const dashed = defineSchema({ a: field.object({ '-x': field.string() }) })
    const json = (withSchema: boolean) =>
      table('t', { columns: { a: jsonColumn('a') }, ...(withSchema && { schema: dashed }) })
    expect(() => sqlBackend({ dialect: mariadb, table: json(true) })).toThrow('cannot be in a JSON path of mariadb')
    const asColumn = table('t', { schema: defineSchema({ '-x': field.string() }) })
    expect(() => sqlBackend({ dialect: mariadb, table: asColumn })).not.toThrow()
    const bare = sqlBackend({ dialect: mariadb, table: json(false) })
    expect(() => bare.compile(parseFilterOrThrow(dashed, 'a.-x[exists]=false'))).toThrow(FilterError)
  })
  test('a member with a quotation mark, which libSQL does not find', () => {
    const named = (name: string) =>
      table('t', {
        schema: defineSchema({ a: field.object({ [name]: field.string() }) }),
        columns: { a: jsonColumn('a') },
      })
    expect(() => sqlBackend({ dialect: libsql, table: named('x"y') })).toThrow(
      'the name "x\\"y" cannot be in a JSON path of libsql',
    )
    expect(() => sqlBackend({ dialect: libsql, table: named("x'y") })).not.toThrow()
    expect(() => sqlBackend({ dialect: sqlite, table: named('x"y') })).not.toThrow()
  })
  test('an option invalid for a type without a test, or for a required field', () => {
    const make = (definition: Field, type: string) => () => {
      const v = column<string>('v', { type, invalid: 'null' })
      return sqlBackend({
        dialect: postgres,
        table: table('t', { schema: defineSchema({ v: definition }), columns: { v } }),
      })
    }
    expect(make(field.number(), 'real')).not.toThrow()
    expect(make(field.string(), 'text')).toThrow(
      new TypeError('columns.v: text of postgres has no test for invalid values; leave out invalid'),
    )
    expect(make(field.number({ required: true }), 'real')).toThrow(
      new TypeError('columns.v: a required field cannot have invalid'),
    )
  })
  test('JSON and arrays that it has not', () => {
    const make = (dialect: Dialect, columns: ColumnOptions) => () =>
      sqlBackend({ dialect, table: table('t', { columns }) })
    const { json: _, ...withoutJson } = postgres
    expect(make(withoutJson, { a: 'a' })).not.toThrow()
    expect(make(withoutJson, { a: jsonColumn('a') })).toThrow(new TypeError('columns.a: postgres has no JSON'))
    expect(make(sqlite, { a: arrayColumn('a') })).toThrow(
      new TypeError('columns.a: sqlite has no arrays; use a jsonColumn or a childTable'),
    )
    expect(make(postgres, { a: jsonColumn('a', { type: 'json' }) })).not.toThrow()
    for (const dialect of [mysql, mariadb, sqlite]) {
      expect(make(dialect, { a: jsonColumn('a', { type: 'json' }) })).toThrow(
        new TypeError(`columns.a: ${dialect.name} has no second type of JSON; leave out the type`),
      )
    }
  })

  test.each<[columns: ColumnOptions, where: string]>([
    [{ a: typed('monies') }, 'a'],
    [{ a: { b: typed('monies') } }, 'a.b'],
    [{ l: child({ value: typed('monies') }) }, 'l'],
    [{ l: child({ columns: { b: typed('monies') } }) }, 'l.b'],
    [{ p: parent({ columns: { b: typed('monies') } }) }, 'p.b'],
    [{ l: arrayColumn<'monies'>('x', { type: 'monies' }) }, 'l'],
  ])('a type that is none: %j', (columns, where) => {
    const make = (dialect: Dialect) => () => sqlBackend({ dialect, table: table('t', { key: 'id', columns }) })
    expect(make(postgres)).toThrow(`columns.${where}: postgres has no type monies; it has text, uuid, `)
    if (where !== 'a') return
    const others =
      'text, orderedText, isoText, integer, scaled, real, bigintText, boolean, nonzero, epochMs, epochS, sqlText, anyText'
    expect(make(sqlite)).toThrow(new TypeError(`columns.a: sqlite has no type monies; it has ${others}`))
  })
  const ofZone = 'no field has times of day with a zone; make the column time'
  test.each<[Dialect, type: string, why: string]>([
    [postgres, 'money', 'its values depend on lc_monetary; make the column numeric'],
    [postgres, 'timetz', ofZone],
    [duckdb, 'timetz', ofZone],
  ])('a type that cannot be mapped, with the reason: $0.name, %s', (dialect, type, why) => {
    const make = () => sqlBackend({ dialect, table: table('t', { columns: { a: typed(type) } }) })
    expect(make).toThrow(
      new TypeError(`columns.a: ${dialect.name} has the type ${type}, but it cannot be mapped: ${why}`),
    )
  })
  const various = defineSchema({
    kind: field.enumeration(['a']),
    inner: field.object({ count: field.integer() }),
    tags: field.list(field.string()),
    kinds: field.list(field.enumeration(['a'])),
    entries: field.list(field.object({ day: field.date() })),
  })
  test.each<[columns: ColumnOptions, problem?: string]>([
    [{}],
    [{ kind: typed('text'), inner: { count: typed('numeric') }, kinds: child({ value: typed('uuid') }) }],
    [{ inner: parent() }],
    [{ kind: typed('date') }, 'kind: date holds no string'],
    [{ inner: { count: typed('text') } }, 'inner.count: text holds no integer'],
    [{ inner: parent({ columns: { count: typed('text') } }) }, 'inner.count: text holds no integer'],
    [{ tags: child({ value: typed('bigint') }) }, 'tags: bigint holds no string'],
    [{ tags: arrayColumn('tags', { type: 'bigint' }) }, 'tags: bigint holds no string'],
    [{ kinds: child({ value: typed('boolean') }) }, 'kinds: boolean holds no string'],
    [{ entries: child({ columns: { day: typed('uuid') } }) }, 'entries.day: uuid holds no date'],
  ])('a type that does not hold its field: %j', (columns, problem) => {
    const inner = { inner: { count: 'count' }, tags: jsonColumn('tags'), kinds: jsonColumn('kinds') }
    const mapped = table('t', { schema: various, key: 'id', columns: { ...inner, entries: child(), ...columns } })
    const make = () => sqlBackend({ dialect: postgres, table: mapped })
    if (problem === undefined) expect(make).not.toThrow()
    else expect(make).toThrow(new TypeError(`columns.${problem}`))
  })
})

describe('options of a column that its type does not have', () => {
  const fields = {
    text: field.string(),
    day: field.date(),
    at: field.datetime(),
    price: field.decimal(),
    kind: field.enumeration(['a']),
    list: field.list(field.datetime()),
    values: field.list(field.decimal()),
    inner: field.object({ price: field.decimal() }),
  }
  const schema = defineSchema(fields)
  const others: ColumnOptions = { list: jsonColumn('l'), values: jsonColumn('v'), inner: jsonColumn('i') }
  const make = (columns: ColumnOptions) => {
    const mapped = table('t', { schema, key: 'id', columns: { ...others, ...columns } })
    return () => sqlBackend({ dialect: postgres, table: mapped })
  }
  const as = (options: object) => column<string>('c', options)
  const upTo18 = Array.from({ length: 19 }, (_, digits) => digits).join(', ')
  test.each<[ColumnOptions, problem: string]>([
    [{ text: as({ digits: 3 }) }, 'text: string has no option digits'],
    [{ text: as({ type: 'text', digits: 3 }) }, 'text: text has no option digits'],
    [{ day: as({ type: 'text', digits: 3 }) }, 'day: text has no option digits'],
    [{ at: as({ digits: 6 }) }, 'at: datetime needs digits, one of 3'],
    [{ at: as({ type: 'timestamp', digits: 0 }) }, 'at: timestamp needs digits, one of 3'],
    [{ at: as({ type: 'text', digits: 4 }) }, 'at: text needs digits, one of 0, 3, 6'],
    [{ at: as({ type: 'epochMs', digits: 3 }) }, 'at: epochMs has no option digits'],
    [{ price: as({ digits: 2 }) }, 'price: decimal has no option digits'],
    [{ price: as({ type: 'scaled' }) }, `price: scaled needs digits, one of ${upTo18}`],
    [{ price: as({ type: 'scaled', digits: 19 }) }, `price: scaled needs digits, one of ${upTo18}`],
    [{ inner: { price: as({ type: 'scaled' }) } }, `inner.price: scaled needs digits, one of ${upTo18}`],
    [{ values: arrayColumn('v', { type: 'scaled' }) }, `values: scaled needs digits, one of ${upTo18}`],
    [{ list: child({ value: as({ digits: 2 }) }) }, 'list: datetime needs digits, one of 3'],
    [{ kind: as({ name: 'k' }) }, 'kind: string has no option name'],
    [{ at: as({ name: 'k' }) }, 'at: datetime has no option name'],
    [{ kind: as({ type: 'text', name: 'k' }) }, 'kind: text has no option name'],
  ])('%j', (columns, problem) => {
    expect(make(columns)).toThrow(new TypeError(`columns.${problem}`))
  })
  test.each<[ColumnOptions]>([
    [{ at: as({ digits: 3 }) }],
    [{ at: as({ type: 'timestamp', digits: 3 }) }],
    [{ at: as({ type: 'text', digits: 6 }) }],
    [{ price: as({ type: 'scaled', digits: 0 }), inner: { price: as({ type: 'scaled', digits: 18 }) } }],
    [{ kind: as({ type: 'enum', name: ['s', 'k'] }) }],
    [{ list: arrayColumn('l', { digits: 3 }) }],
  ])('and those that it has: %j', (columns) => {
    expect(make(columns)).not.toThrow()
  })
  test('without a schema, as for each literal that the column may be compared with', () => {
    const bare = (options: object) => () =>
      sqlBackend({ dialect: postgres, table: table('t', { columns: { a: as(options) } }) })
    expect(bare({ digits: 3 })).not.toThrow()
    expect(bare({ digits: 5 })).toThrow(new TypeError('columns.a: a column needs digits, one of 3'))
    expect(bare({ type: 'scaled' })).toThrow(new TypeError(`columns.a: scaled needs digits, one of ${upTo18}`))
    expect(bare({ name: 'k' })).toThrow(new TypeError('columns.a: a column has no option name'))
  })
  test('a placeholder in the name of a type', () => {
    const { enum: _, ...types } = mysql.types
    const enums = { ...types, enum: { ...postgres.types.enum!, isText: true } } satisfies Dialect['types']
    const mapped = table('t', { columns: { kind: as({ type: 'enum', name: 'k?' }) } })
    expect(() => sqlBackend({ dialect: { ...mysql, types: enums }, table: mapped })).toThrow('has a ?')
  })
})

describe('a field whose type the dialect lacks', () => {
  const { decimal: _, ...columnTypes } = postgres.columnTypes
  const { decimal: __, ...json } = postgres.json!
  const lacking: Dialect = { ...postgres, name: 'poor', columnTypes, json }
  const inObject = defineSchema({ inner: field.object({ price: field.decimal() }) })
  const inEntries = defineSchema({ list: field.list(field.object({ price: field.decimal() })) })
  const make = (schema: ReturnType<typeof defineSchema>, columns: ColumnOptions) => () =>
    sqlBackend({ dialect: lacking, table: table('t', { schema, key: 'id', columns }) })
  const noDefault = 'poor has no decimal by default; store it in a column of the type numeric or scaled'
  const notInJson = 'poor reads no decimal in JSON; store it in a column of the type numeric or scaled'
  test.each<[string, ReturnType<typeof defineSchema>, ColumnOptions, problem: string]>([
    ['a column of its own name', defineSchema({ price: field.decimal() }), {}, `price: ${noDefault}`],
    ['a column', defineSchema({ price: field.decimal() }), { price: 'p' }, `price: ${noDefault}`],
    ['of an object', inObject, { inner: { price: 'p' } }, `inner.price: ${noDefault}`],
    ['of a parent', inObject, { inner: parent() }, `inner.price: ${noDefault}`],
    ['of entries', inEntries, { list: child() }, `list.price: ${noDefault}`],
    ['JSON', inObject, { inner: jsonColumn('i') }, `inner.price: ${notInJson}`],
    ['entries in JSON', inEntries, { list: jsonColumn('l') }, `list.price: ${notInJson}`],
    [
      'a list of scalars in JSON',
      defineSchema({ l: field.list(field.decimal()) }),
      { l: jsonColumn('l') },
      `l: ${notInJson}`,
    ],
    ['a scalar in JSON', defineSchema({ p: field.decimal() }), { p: jsonColumn('p') }, `p: ${notInJson}`],
  ])('%s', (_, schema, columns, problem) => {
    expect(make(schema, columns)).toThrow(new TypeError(`columns.${problem}`))
  })
  test('and one that no type stores', () => {
    const types = Object.fromEntries(
      Object.entries(lacking.types).map(([name, type]) => [
        name,
        { ...type, holds: type.holds.filter((literal) => literal !== 'decimal') },
      ]),
    )
    const schema = defineSchema({ price: field.decimal() })
    expect(() =>
      sqlBackend({
        dialect: { ...lacking, types: { ...types, text: lacking.types.text } },
        table: table('t', { schema }),
      }),
    ).toThrow(new TypeError('columns.price: poor has no decimal by default; it has no type for one'))
  })
})

describe('a list in JSON, where the dialect reads none', () => {
  const inList = 'vitess reads no list in JSON; store it in a childTable'
  const list = field.list(field.string())
  test.each<[string, Fields, path: string]>([
    ['a list', { tags: list }, 'tags'],
    ['a list in an object', { inner: field.object({ tags: list }) }, 'inner.tags'],
    ['a list in a list', { items: field.list(field.object({ tags: list })) }, 'items'],
  ])('%s', (_, fields, path) => {
    const columns = Object.fromEntries(Object.keys(fields).map((name) => [name, jsonColumn(name)]))
    const mapped = table('t', { schema: defineSchema(fields), columns })
    expect(() => sqlBackend({ dialect: vitess, table: mapped })).toThrow(new TypeError(`columns.${path}: ${inList}`))
    expect(() => sqlBackend({ dialect: mysql, table: mapped })).not.toThrow()
  })
  test('is refused by the filter where no schema tells that it is one', () => {
    const mapped = table('t', { columns: { tags: jsonColumn('tags') } })
    const { compile } = sqlBackend({ dialect: vitess, table: mapped })
    expect(() => compile(some(['tags'], and()))).toThrow('tags is not stored where vitess can reach it')
  })
  test('is none where the JSON has scalars alone', () => {
    const schema = defineSchema({ name: field.string(), inner: field.object({ n: field.integer() }) })
    const mapped = table('t', { schema, columns: { name: jsonColumn('name'), inner: jsonColumn('inner') } })
    const { text } = sqlBackend({ dialect: vitess, table: mapped }).compile(parseFilterOrThrow(schema, 'inner.n=1'))
    expect(text).toContain('JSON_EXTRACT(`t`.`inner`, \'$."n"\')')
  })
})

describe('a dialect', () => {
  const { numeric: _, ...others } = postgres.types
  const { text: __, ...withoutText } = sqlite.types
  const text = 'dialect.types.text must be a type that holds string and has isText: values are matched as it'
  const listed = 'dialect.types.year.listed must be the type that JSON_TABLE reads it as'
  test.each<[unknown, message: string]>([
    [undefined, 'options.dialect must be a dialect, such as postgres'],
    [{ ...postgres, types: others }, 'dialect.columnTypes.decimal is numeric, which dialect.types does not have'],
    [
      { ...postgres, types: others, columnTypes: { ...postgres.columnTypes, decimal: undefined } },
      'dialect.columnTypes.decimal is undefined, which dialect.types does not have',
    ],
    [
      { ...postgres, types: others, columnTypes: {} },
      'dialect.json.types.integer is numeric, which dialect.types does not have',
    ],
    [{ ...sqlite, types: withoutText }, text],
    [{ ...sqlite, types: { ...sqlite.types, text: { holds: ['uuid'], isText: true } } }, text],
    [{ ...sqlite, types: { ...sqlite.types, text: { holds: ['string'] } } }, text],
    [
      { ...sqlite, unlowered: { lower: /[^\0-\x7f]/gu } },
      'dialect.unlowered must have expressions with the flag u, and without g and y',
    ],
    [{ ...mysql, types: { ...mysql.types, year: { holds: ['integer'] } } }, listed],
    [{ ...mariadb, types: { ...mariadb.types, year: { holds: ['integer'], listed: '' } } }, listed],
  ])('that is not whole is a TypeError: %#', (dialect, message) => {
    expect(() => sqlBackend({ dialect: none(dialect), table: orders })).toThrow(new TypeError(message))
  })
  test('whose lists are placeholders needs no types of JSON_TABLE', () => {
    const types = { ...vitess.types, year: { holds: ['integer'] } } as const
    expect(() => sqlBackend({ dialect: { ...vitess, types }, table: table('t') })).not.toThrow()
  })
  test.each([postgres, mysql, mariadb, sqlite, duckdb, vitess])('cannot be changed: $name', (dialect) => {
    expect([dialect, dialect.types, dialect.textRules].map(Object.isFrozen)).toEqual([true, true, true])
  })
})

test('features name what the columns and the dialect distinguish', () => {
  /** Those beside `queries`, `facets`, the options of orders and `json` and `records`, which every table has, and `select` of every table with a schema. */
  const features = (dialect: Dialect, mapped: Parameters<typeof sqlBackend>[0]['table']) => {
    const { features } = sqlBackend({ dialect, table: mapped }).capabilities
    const orders = ['placed-nulls', 'ignored-case', 'declared-orders']
    const usual = [
      'queries',
      'facets',
      ...orders,
      'json',
      'records',
      ...(mapped.schema === undefined ? [] : ['select']),
    ]
    expect(features.slice(0, usual.length)).toEqual(usual)
    return features.slice(usual.length)
  }
  const fine = ['microseconds', 'long-decimals']
  expect(features(postgres, orders)).toEqual(['unicode-case', ...fine])
  expect(features(sqlite, orders)).toEqual(fine)
  expect(features({ ...sqlite, lower: 'my_lower' }, orders)).toEqual(['unicode-case', ...fine])
  const tags = defineSchema({ id: field.integer(), tags: field.list(field.string()) })
  const inJson = { key: 'id', columns: { tags: jsonColumn('tags') } }
  const noObject = ['empty-objects', ...fine]
  expect(features(sqlite, table('t', { ...inJson, schema: tags }))).toEqual([
    ...['other-forms', 'misplaced-lists', 'sorted-other-forms'],
    ...noObject,
  ])
  // A column of its own name beside it tells no other forms, and without a schema nobody knows of one.
  const more = defineSchema({ ...tags.fields, seller: field.string() })
  expect(features(sqlite, table('t', { ...inJson, schema: more }))).toEqual(noObject)
  expect(features(sqlite, table('t', inJson))).toEqual(noObject)
  // Only an object over columns cannot be told from none: a row of another table is there.
  const rows = (columns: ColumnOptions) => ({ rows: child({ key: 'id', columns }) })
  const flattened = { a: { b: 'b' } }
  for (const [columns, expected] of [
    [{}, noObject],
    [rows({ a: jsonColumn('a') }), noObject],
    [{ p: parent() }, noObject],
    [flattened, fine],
    [rows(flattened), fine],
    [rows(rows(flattened)), fine],
    [{ p: parent({ columns: flattened }) }, fine],
  ] as const)
    expect(features(sqlite, table('t', { key: 'id', columns }))).toEqual(expected)
  // A column may have coarser values, beside the table too.
  const coarse = {
    microseconds: column('at', { type: 'text', digits: 3 }),
    'long-decimals': column('price', { type: 'scaled', digits: 2 }),
  }
  for (const [feature, own] of Object.entries({ ...coarse, microseconds2: column('at', { type: 'epochMs' }) })) {
    const others = ['unicode-case', ...noObject].filter((other) => !feature.startsWith(other))
    for (const columns of [{ own }, rows({ own }), { rows: child({ value: own }) }])
      expect(features(postgres, table('t', { key: 'id', columns }))).toEqual(others)
  }
  const six = column('at', { type: 'text', digits: 6 })
  expect(features(postgres, table('t', { key: 'id', columns: { six } }))).toEqual(['unicode-case', ...noObject])
})

describe('naming', () => {
  const place = { cityName: field.string() }
  const named = defineSchema({
    id: field.integer({ required: true }),
    customerName: field.string(),
    vatID: field.string(),
    HTTPStatus: field.integer(),
    line2Text: field.string(),
    straßeÄlter: field.string(),
    plain: field.string(),
    paidAt: field.datetime(),
    home: field.object({ zipCode: field.string(), place: field.object(place) }),
    customer: field.object({ fullName: field.string(), lives: field.object(place) }),
    orderItems: field.list(field.object({ productCode: field.string(), givenTags: field.list(field.string()) })),
    extraData: field.object({ innerName: field.string() }),
  })
  const placeTable = (foreignKey: string) => parentTable('places', { key: 'id', foreignKey })
  const columns = {
    paidAt: 'paid',
    home: { zipCode: 'zip', place: placeTable('placeId') },
    customer: parentTable('customers', {
      key: 'id',
      foreignKey: 'customerId',
      columns: { lives: placeTable('livesIn') },
    }),
    orderItems: childTable('items', {
      key: 'itemId',
      foreignKey: 'orderId',
      columns: { givenTags: childTable('tags', { foreignKey: 'itemId', value: 'tagText', orderBy: 'tagText' }) },
    }),
    extraData: jsonColumn('extraData'),
  }

  test.each([
    ['customerName=x', '"orders"."customer_name"'],
    ['vatID=x', '"orders"."vat_id"'],
    ['HTTPStatus=1', '"orders"."http_status"'],
    ['line2Text=x', '"orders"."line2_text"'],
    ['straßeÄlter=x', '"orders"."straße_älter"'],
    ['plain=x', '"orders"."plain"'],
    // What the mapping names, it names as it is.
    ['paidAt=2024-01-01', '"orders"."paid"'],
    ['home.zipCode=x', '"orders"."zip"'],
    ['home.place.cityName=x', '"places" AS "e1" WHERE "e1"."id" = "orders"."placeId" AND "e1"."city_name"'],
    ['customer.fullName=x', '"customers" AS "e1" WHERE "e1"."id" = "orders"."customerId" AND "e1"."full_name"'],
    ['customer.lives.cityName=x', '"e2"."city_name"'],
    ['orderItems.productCode=x', '"items" AS "e1" WHERE "e1"."orderId" = "orders"."id" AND "e1"."product_code"'],
    ['orderItems.givenTags=x', '"e2"."tagText"'],
    ['extraData.innerName=x', '"extraData"'],
  ])('%s', (text, part) => {
    const mapped = table('orders', { schema: named, key: 'id', columns, naming: 'snake_case' })
    const backend = sqlBackend({ dialect: sqlite, table: mapped })
    expect(backend.compile(parseFilterOrThrow(named, text)).text).toContain(part)
    expect(backend.select(buildQuery(defineCollection(named, { key: 'id' }))).text).toContain(
      '"orders"."customer_name"',
    )
  })

  test.each([
    [{ naming: 'camelCase', schema }, "options.naming must be 'snake_case'"],
    [{ naming: 'snake_case' }, 'options.naming needs options.schema'],
  ])('refuses %o', (options, message) => {
    expect(() => table('orders', { key: 'id', columns, ...options } as object)).toThrow(new TypeError(message))
  })
})
