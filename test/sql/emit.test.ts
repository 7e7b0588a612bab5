/** What a condition looks like, and what a mapping refuses. That it means the right thing, cases.test.ts shows. */
import { describe, expect, test } from 'vitest'
import {
  afterPrefix,
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  postgres,
  sqlBackend,
  sqlite,
  table,
  type ColumnOptions,
  type Dialect,
  type SqlOptions,
  type TableOptions,
} from '../../src/backends/sql/index.ts'
import {
  and,
  comparison,
  defineSchema,
  field,
  FilterError,
  match,
  membership,
  not,
  or,
  parseFilterOrThrow,
  presence,
  some,
  where,
  type Filter,
  type Literal,
} from '../../src/index.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  total: field.number(),
  guests: field.integer(),
  gift: field.boolean(),
  day: field.date(),
  paidAt: field.datetime(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string(), email: field.string() }),
  items: field.list(field.object({ price: field.number(), product: field.string() })),
})
const columns: ColumnOptions = {
  paidAt: 'paid_at',
  tags: jsonColumn('tags'),
  customer: { name: 'contact_name', email: 'contact_email' },
  items: childTable('order_items', { foreignKey: 'order_id', columns: { product: 'product_code' } }),
}
const orders = table('orders', { schema, key: 'id', columns })
const compile = (query: string | Filter, dialect: Dialect = postgres, options: Partial<SqlOptions> = {}) =>
  sqlBackend({ dialect, table: orders, ...options }).compile(
    typeof query === 'string' ? parseFilterOrThrow(schema, query) : query,
  )
const text = (value: string): Literal => ({ type: 'string', value })

describe('a condition', () => {
  test('has a text, parameters, and the text around them', () => {
    const { text, parameters, strings } = compile('seller=s-1&total[gte]=5')
    expect(text).toBe(
      '("orders"."seller" = $1::text AND "orders"."total" >= $2::double precision ' +
        'AND "orders"."seller" IS NOT NULL AND "orders"."total" IS NOT NULL)',
    )
    expect(parameters).toEqual(['s-1', 5])
    expect([...strings]).toEqual([
      '("orders"."seller" = ',
      '::text AND "orders"."total" >= ',
      '::double precision AND "orders"."seller" IS NOT NULL AND "orders"."total" IS NOT NULL)',
    ])
    expect(strings.raw).toEqual([...strings])
  })

  test('counts placeholders from where it is told', () => {
    expect(compile('seller=s-1&gift=true', postgres, { firstParameter: 3 }).text).toMatch(/\$3::text .*\$4::boolean/)
    expect(compile('seller=s-1', sqlite, { firstParameter: 3 }).text).toContain(' = ?')
  })

  test('names the table as the statement does', () => {
    expect(compile('seller[exists]=true', postgres, { alias: 'o' }).text).toBe('("o"."seller" IS NOT NULL)')
    expect(compile('items.price=1', postgres, { alias: 'o' }).text).toContain('"e1"."order_id" = "o"."id"')
  })

  test('gives entries a name that hides nobody', () => {
    expect(compile('items.price=1', postgres, { alias: 'e1' }).text).toContain(
      'AS "e1_" WHERE "e1_"."order_id" = "e1"."id"',
    )
  })

  test('is a constant where the filter is one', () => {
    for (const dialect of [postgres, mysql, mariadb, sqlite]) {
      const texts = [and(), or(), not(and()), membership(['seller'], []), not(membership(['seller'], []))]
      expect(texts.map((filter) => compile(filter, dialect).text)).toEqual(['TRUE', 'FALSE', 'FALSE', 'FALSE', 'TRUE'])
    }
    expect(compile(and(or(), parseFilterOrThrow(schema, 'seller=x')))).toMatchObject({ text: 'FALSE', parameters: [] })
    expect(compile(some(['items'], or())).text).toBe('FALSE')
    expect(compile(not(some(['items'], or()))).text).toBe('TRUE')
    expect(compile(some(['tags'], and())).text).toMatch(/^EXISTS \(SELECT 1 FROM [^)]*\) AS "e1"\("value"\)\)$|^EXISTS/)
  })

  test('has parentheses of its own wherever something may stand beside it', () => {
    for (const query of [
      'seller=x',
      'seller[notEqual]=x',
      'seller[exists]=false',
      'customer[exists]=true',
      'day[range]=2024-01-01,2024-01-02',
    ]) {
      expect(compile(query).text).toMatch(/^\(.*\)$/)
    }
    expect(compile('items.price=1').text).toMatch(/^EXISTS \(.*\)$/)
    expect(compile('items.price[notEqual]=1').text).toMatch(/^NOT EXISTS \(.*\)$/)
  })

  test('has one EXISTS for the conditions of one entry, one for each complement', () => {
    const { text } = compile('items.price[gte]=1&items.product=p&items.product[notEqual]=q&items.price[lte]=9')
    expect(text.match(/EXISTS/g)).toHaveLength(2)
    expect(text.match(/NOT EXISTS/g)).toHaveLength(1)
  })

  test('refers to composite keys column by column, to qualified names as a whole', () => {
    const composite = table(['booking', 'orders'], {
      key: ['tenant', 'id'],
      columns: { items: childTable(['booking', 'items'], { foreignKey: ['order_tenant', 'order_id'] }) },
    })
    const { text } = sqlBackend({ dialect: postgres, table: composite }).compile(
      some(['items'], comparison(['price'], 'gt', { type: 'number', value: 1 })),
    )
    expect(text).toBe(
      'EXISTS (SELECT 1 FROM "booking"."items" AS "e1" WHERE "e1"."order_tenant" = "orders"."tenant" ' +
        'AND "e1"."order_id" = "orders"."id" AND "e1"."price" > $1::double precision)',
    )
  })
})

describe('statements stay the same', () => {
  test.each([postgres, mysql, mariadb, sqlite])('whatever the values, however long a list: $name', (dialect) => {
    for (const [a, b] of [
      ['seller=a', "seller=it's+%22longer%22"],
      ['total[gt]=1&gift=true', 'total[gt]=-1e300&gift=false'],
      ['guests[nin]=1', 'guests[nin]=1,2,3,4'],
      ['seller[startsWith]=a', 'seller[startsWith]=100%25_x'],
      ['seller[endsWith]=a', 'seller[endsWith]=longer'],
      ['seller[contains]=a', 'seller[contains]=%25_!%5C'],
      ['paidAt[in]=2024-01-01T00:00:00Z', 'paidAt[in]=2024-01-01T00:00:00Z,2025-01-01T00:00:00Z'],
      ['items.price[range]=1,2&tags[nin]=a', 'items.price[range]=3,4&tags[nin]=b'],
    ] as const) {
      expect(compile(a, dialect).text).toBe(compile(b, dialect).text)
    }
  })
})

describe('lists', () => {
  const many = `seller[in]=${Array.from({ length: 400 }, (_, at) => `v${at}`).join(',')}`
  test('of texts are one parameter on PostgreSQL and SQLite', () => {
    for (const dialect of [postgres, sqlite]) {
      expect(compile(many, dialect).text).toBe(compile('seller[in]=a', dialect).text)
      expect(compile(many, dialect).parameters).toHaveLength(1)
    }
  })
  test('of texts come in ten lengths on MySQL and MariaDB, filled up with the last', () => {
    for (const dialect of [mysql, mariadb]) {
      expect(compile('seller[in]=a', dialect).parameters).toEqual(['a'])
      expect(compile('seller[in]=a,b,c', dialect).parameters).toEqual(['a', 'b', 'c', 'c'])
      expect(compile(many, dialect).parameters).toHaveLength(512)
    }
  })
})

describe('types', () => {
  const stored = (type: string, dialect = postgres) =>
    sqlBackend({ dialect, table: table('t', { columns: { value: column('value', { type }) } }) })
  const of = (type: Literal['type'], value: unknown, operator: 'eq' | 'gt' = 'eq') =>
    comparison(['value'], operator, { type, value } as Literal)

  test.each<[string, Dialect, Filter, string, unknown]>([
    ['numeric', postgres, of('number', 0.1), '("t"."value" = $1::numeric AND "t"."value" IS NOT NULL)', 0.1],
    [
      'timestamp',
      postgres,
      of('datetime', '2024-01-01T10:00:00.000Z'),
      '("t"."value" = $1::timestamp AND "t"."value" IS NOT NULL)',
      '2024-01-01T10:00:00.000',
    ],
    [
      'epochMs',
      postgres,
      of('datetime', '1970-01-01T00:00:01.000Z'),
      '("t"."value" = $1::bigint AND "t"."value" IS NOT NULL)',
      1000,
    ],
    [
      'epochMs',
      sqlite,
      of('datetime', '1970-01-01T00:00:01.000Z'),
      '("t"."value" = ? AND "t"."value" IS NOT NULL)',
      1000,
    ],
    [
      'text',
      postgres,
      of('date', '2024-01-01', 'gt'),
      '("t"."value" COLLATE "C" > $1::text AND "t"."value" IS NOT NULL)',
      '2024-01-01',
    ],
    [
      'epochMs',
      mariadb,
      of('datetime', '1970-01-01T00:00:01.000Z'),
      '(`t`.`value` = ? AND `t`.`value` IS NOT NULL)',
      1000,
    ],
    [
      'uuid',
      postgres,
      of('string', 'aaaaaaaa-0000-4000-8000-000000000000'),
      '("t"."value" = $1::uuid AND "t"."value" IS NOT NULL)',
      'aaaaaaaa-0000-4000-8000-000000000000',
    ],
    ['uuid', postgres, of('string', 'a', 'gt'), '(("t"."value"::text COLLATE "C" > $1::text) IS TRUE)', 'a'],
  ])('%s', (type, dialect, filter, text, parameter) => {
    expect(stored(type, dialect).compile(filter)).toMatchObject({ text, parameters: [parameter] })
  })

  test('a text that can be no uuid is equal to none', () => {
    for (const value of ['x', 'AAAAAAAA-0000-4000-8000-000000000000']) {
      expect(stored('uuid').compile(of('string', value)).text).toBe('FALSE')
      expect(stored('uuid').compile(not(of('string', value))).text).toBe('TRUE')
      expect(stored('uuid').compile(membership(['value'], [text(value)])).text).toBe('FALSE')
    }
    expect(stored('uuid').compile(match(['value'], 'prefix', 'AA')).text).toContain(
      'lower("t"."value"::text COLLATE "default")',
    )
  })

  test('a column of another type than the literal is refused', () => {
    const refused = () => stored('date').compile(of('string', 'x'))
    expect(refused).toThrow(FilterError)
    expect(refused).toThrow('value is stored as date, which holds no string')
  })
})

describe('what is not stored is refused, with the place in the query', () => {
  const bare = table('orders', { key: 'id', columns: { customer: { name: 'contact_name' } } })
  test.each<[string, Filter, string]>([
    ['a list', some(['tags'], presence([], 'string')), 'tags'],
    ['a field of an object that is not named', presence(['customer', 'email'], 'string'), 'customer.email'],
    ['an object without a schema', presence(['customer'], 'object'), 'customer'],
    ['a field of an object that is nowhere', presence(['address', 'street'], 'string'), 'address.street'],
    ['an entry outside a list', presence([], 'string'), 'an entry'],
    ['a list where a column is', some(['seller'], and()), 'seller'],
  ])('%s', (_, filter, name) => {
    const refused = () => sqlBackend({ dialect: postgres, table: bare }).compile(filter)
    expect(refused).toThrow(FilterError)
    expect(refused).toThrow(`${name} is not stored where postgres can reach it`)
  })

  test('every one of them, with its span', () => {
    const filter = parseFilterOrThrow(schema, 'tags=x&seller=y&items.price[notEqual]=1')
    try {
      sqlBackend({ dialect: postgres, table: bare }).compile(filter)
      expect.unreachable()
    } catch (error) {
      expect((error as FilterError).issues.map(({ code, span }) => [code, span])).toEqual([
        ['backend_unmapped', { start: 0, end: 6 }],
        ['backend_unmapped', { start: 16, end: 39 }],
      ])
    }
  })

  test('a field that the schema does not have, whatever its column would be called', () => {
    expect(() => compile(presence(['nope'], 'string'))).toThrow(FilterError)
    expect(() => compile(presence(['constructor'], 'string'))).toThrow(FilterError)
  })

  test('whatever is asked of it, and of entries without fields', () => {
    const literal: Literal = { type: 'string', value: 'x' }
    const inArrays = sqlBackend({ dialect: postgres, table: table('t', { columns: { tags: arrayColumn('tags') } }) })
    const inTables = sqlBackend({
      dialect: postgres,
      table: table('t', { key: 'id', columns: { tags: childTable('tags', { foreignKey: 'owner', value: 'tag' }) } }),
    })
    for (const filter of [
      comparison(['nope'], 'eq', literal),
      membership(['nope'], [literal]),
      match(['nope'], 'prefix', 'x'),
    ]) {
      expect(() => compile(filter)).toThrow('nope is not stored where postgres can reach it')
      expect(() => compile(not(filter))).toThrow('nope is not stored where postgres can reach it')
    }
    for (const { compile } of [inArrays, inTables]) {
      expect(() => compile(some(['tags'], presence(['x'], 'string')))).toThrow('x is not stored where')
      expect(compile(some(['tags'], presence([], 'string'))).text).toContain('IS NOT NULL')
    }
    // A column is no object.
    const bare = sqlBackend({ dialect: postgres, table: table('t', { columns: { a: 'a' } }) })
    expect(() => bare.compile(presence(['a', 'b'], 'string'))).toThrow('a.b is not stored where')
  })

  test('a member of JSON that the schema does not have', () => {
    const inJson = table('orders', {
      schema: defineSchema({
        a: field.object({ b: field.string() }),
        l: field.list(field.object({ c: field.string() })),
      }),
      columns: { a: jsonColumn('a'), l: jsonColumn('l') },
    })
    const { compile } = sqlBackend({ dialect: postgres, table: inJson })
    expect(compile(presence(['a', 'b'], 'string')).text).toContain(`"orders"."a" -> 'b'`)
    for (const filter of [
      presence(['a', 'c'], 'string'),
      presence(['a', 'b', 'c'], 'string'),
      some(['l'], presence(['b'], 'string')),
    ]) {
      expect(() => compile(filter)).toThrow(FilterError)
    }
  })

  test('what is no filter is a TypeError', () => {
    expect(() => compile(undefined as never as Filter)).toThrow(TypeError)
  })
})

describe('a mapping that cannot be is a TypeError that names the part', () => {
  const make = (options: Omit<TableOptions, 'schema'>) => table('orders', { schema, key: 'id', ...options })
  const items = columns.items!
  test.each<[string, () => unknown, string]>([
    [
      'no place for a list',
      () => make({ columns: { ...columns, tags: 'tags' } }),
      'columns.tags: a list is a childTable, a jsonColumn or an arrayColumn',
    ],
    [
      'no place at all',
      () => make({ columns: { customer: { name: 'a' }, items } }),
      'columns.tags: a list is a childTable, a jsonColumn or an arrayColumn',
    ],
    [
      'objects in an array',
      () => make({ columns: { ...columns, items: arrayColumn('items') } }),
      'columns.items: a list of objects is a childTable or a jsonColumn',
    ],
    [
      'an object in a column',
      () => make({ columns: { ...columns, customer: 'customer' } }),
      'columns.customer: an object is a jsonColumn, or its fields are columns',
    ],
    [
      'a scalar in a table',
      () => make({ columns: { ...columns, seller: items } }),
      'columns.seller: a string is a column, or JSON in a jsonColumn',
    ],
    [
      'scalars without their column',
      () => make({ columns: { ...columns, tags: childTable('t', { foreignKey: 'order_id' }) } }),
      'columns.tags: a childTable of scalars has a value, the column that holds the entry',
    ],
    [
      'a field that is none',
      () => make({ columns: { ...columns, nope: 'x' } }),
      'columns.nope: the schema has no such field',
    ],
    [
      'a field of an object that is none',
      () => make({ columns: { ...columns, customer: { name: 'a', email: 'b', nope: 'c' } } }),
      'columns.customer.nope: the schema has no such field',
    ],
    [
      'keys of two lengths',
      () => make({ key: ['a', 'b'], columns }),
      'columns.items.foreignKey has 1 columns, the key that it refers to 2',
    ],
    [
      'no key',
      () => table('orders', { columns }),
      'columns.items.foreignKey has 1 columns, the key that it refers to 0',
    ],
    ['an empty name', () => table(''), 'name must be a text that is not empty'],
    ['an empty list of names', () => table([]), 'name must be a name or a list of names'],
    ['U+0000', () => column('a\0b'), 'name must be a text that is not empty'],
    [
      'a value that is none',
      () => childTable('t', { foreignKey: 'o', value: jsonColumn('v') as never }),
      'value must be a name or made by column()',
    ],
    ['a schema that is none', () => table('t', { schema: {} as never }), 'schema must be made by defineSchema'],
    ['columns that are none', () => table('t', { columns: 7 as never }), 'columns must be an object'],
    ['a column that is none', () => table('t', { columns: { a: 7 as never } }), 'columns.a must be an object'],
    [
      'a type that the dialect has not',
      () => sqlBackend({ dialect: sqlite, table: table('t', { columns: { a: column('a', { type: 'uuid' }) } }) }),
      'columns.a: sqlite has no type uuid; it has text, isoText, integer, real, boolean, epochMs',
    ],
    [
      'a type that does not hold the field',
      () =>
        sqlBackend({
          dialect: postgres,
          table: make({ columns: { ...columns, seller: column('s', { type: 'date' }) } }),
        }),
      'columns.seller: date holds no string',
    ],
    [
      'a type that does not hold the entries',
      () =>
        sqlBackend({
          dialect: postgres,
          table: make({ columns: { ...columns, tags: arrayColumn('tags', { type: 'bigint' }) } }),
        }),
      'columns.tags: bigint holds no string',
    ],
    [
      'arrays that the dialect has not',
      () => sqlBackend({ dialect: sqlite, table: table('t', { columns: { a: arrayColumn('a') } }) }),
      'columns.a: sqlite has no arrays; lists are JSON or child tables',
    ],
    [
      'JSON where there is none',
      () => {
        const dialect = { ...postgres, json: undefined } as unknown as Dialect
        sqlBackend({ dialect, table: table('t', { columns: { a: 'a' } }) })
        sqlBackend({ dialect, table: table('t', { columns: { a: jsonColumn('a') } }) })
      },
      'columns.a: postgres has no JSON',
    ],
    ['a key that is none', () => table('t', { key: 5 as never }), 'key must be a name or a list of names'],
    [
      'a key of no name',
      () => childTable('t', { foreignKey: ['a', ''] }),
      'foreignKey must be a text that is not empty',
    ],
    [
      'a placeholder in a name',
      () => sqlBackend({ dialect: mysql, table: table('t', { columns: { a: 'is it?' } }) }),
      'the name "is it?" has a ?, which is a placeholder in mysql',
    ],
    [
      'a placeholder in a table',
      () => sqlBackend({ dialect: sqlite, table: table('t?') }),
      'the name "t?" has a ?, which is a placeholder in sqlite',
    ],
    [
      'a number that is none',
      () => sqlBackend({ dialect: postgres, table: orders, firstParameter: 0 }),
      'firstParameter must be a whole number from 1',
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test('a field called kind is a field', () => {
    const mapped = table('t', { columns: { inner: { kind: 'column', name: 'n' } } })
    const filter = parseFilterOrThrow(defineSchema({ inner: field.object({ kind: field.string() }) }), 'inner.kind=x')
    expect(sqlBackend({ dialect: sqlite, table: mapped }).compile(filter).text).toContain('"t"."column"')
  })
})

test('a list of texts is one parameter, of the type that the column has if it has to be said', () => {
  const own: Dialect = {
    ...postgres,
    types: { ...postgres.types, citext: { holds: ['string'] } as Dialect['types'][string] },
  }
  const mapped = table('t', { columns: { seller: column('seller', { type: 'citext' }) } })
  const filter = parseFilterOrThrow(schema, 'seller[in]=a,b')
  expect(sqlBackend({ dialect: own, table: mapped }).compile(filter).text).toContain('"t"."seller" = ANY($1[])')
  expect(compile('seller[in]=a,b').text).toContain('"orders"."seller" = ANY($1::text[])')
})

test('a path into JSON with a backslash is written in bytes for MySQL', () => {
  const odd = defineSchema({ a: field.object({ 'b\\c': field.string() }) })
  const mapped = table('t', { schema: odd, columns: { a: jsonColumn('a') } })
  const filter = presence(['a', 'b\\c'], 'string')
  // $."b\\c"
  const bytes = Buffer.from('$."b\\\\c"').toString('hex')
  for (const dialect of [mysql, mariadb])
    expect(sqlBackend({ dialect, table: mapped }).compile(filter).text).toContain(`_utf8mb4 0x${bytes})`)
})

describe('a mapping is checked wherever something stands in it', () => {
  const child = (options: object = {}, name = 'c') => childTable(name, { foreignKey: 'f', ...options })
  test.each<[make: () => unknown, message: string]>([
    [() => column(''), 'name must be a text that is not empty'],
    [() => jsonColumn(''), 'name must be a text that is not empty'],
    [() => arrayColumn(''), 'name must be a text that is not empty'],
    [() => child({}, ''), 'name must be a text that is not empty'],
    [() => table(['a', '']), 'name must be a text that is not empty'],
    [() => table(5 as never), 'name must be a name or a list of names'],
    [() => table('t', { key: '' }), 'key must be a text that is not empty'],
    [() => child({ key: '' }), 'key must be a text that is not empty'],
    [() => child({ columns: 5 }), 'columns must be an object'],
    [() => child({ value: '' }), 'name must be a text that is not empty'],
    [() => child({ value: { kind: 'column', name: 'v' } }), 'value must be a name or made by column()'],
    [() => table('t', { columns: null as never }), 'columns must be an object'],
    [() => table('t', { columns: [] as never }), 'columns must be an object'],
    [() => table('t', { columns: { a: null as never } }), 'columns.a must be an object'],
    [() => table('t', { columns: { a: { b: 7 as never } } }), 'columns.a.b must be an object'],
  ])('%#: %s', (make, message) => {
    expect(make).toThrow(new TypeError(message))
  })

  test.each<[columns: ColumnOptions, message: string]>([
    [{ a: { l: child() } }, 'columns.a.l.foreignKey has 1 columns, the key that it refers to 0'],
    [{ l: child({ foreignKey: [] }) }, 'columns.l.foreignKey has 0 columns, the key that it refers to 0'],
  ])('keys: %j', (columns, message) => {
    expect(() => table('t', { columns })).toThrow(new TypeError(message))
  })
  test('keys of entries', () => {
    const inside = (key?: string) => table('t', { key: 'id', columns: { l: child({ key, columns: { m: child() } }) } })
    expect(() => inside('id')).not.toThrow()
    expect(() => inside()).toThrow(new TypeError('columns.l.m.foreignKey has 1 columns, the key that it refers to 0'))
  })

  const odd = 'is it?'
  test.each<[what: string, columns: ColumnOptions, options?: { name?: string; key?: string; alias?: string }]>([
    ['a column', { a: odd }],
    ['a column of an object', { a: { b: odd } }],
    ['JSON', { a: jsonColumn(odd) }],
    ['a child table', { l: child({}, odd) }],
    ['its key', { l: child({ key: odd }) }],
    ['its foreign key', { l: child({ foreignKey: odd }) }],
    ['its value', { l: child({ value: odd }) }],
    ['its columns', { l: child({ columns: { a: odd } }) }],
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
  })

  const typed = (type: string) => column('x', { type })
  test.each<[columns: ColumnOptions, where: string]>([
    [{ a: typed('money') }, 'a'],
    [{ a: { b: typed('money') } }, 'a.b'],
    [{ l: child({ value: typed('money') }) }, 'l'],
    [{ l: child({ columns: { b: typed('money') } }) }, 'l.b'],
    [{ l: arrayColumn('x', { type: 'money' }) }, 'l'],
  ])('a type that is none: %j', (columns, where) => {
    const make = () => sqlBackend({ dialect: postgres, table: table('t', { key: 'id', columns }) })
    expect(make).toThrow(`columns.${where}: postgres has no type money; it has text, uuid, `)
  })
  const various = defineSchema({
    kind: field.enumeration(['a']),
    inner: field.object({ count: field.integer() }),
    tags: field.list(field.string()),
    kinds: field.list(field.enumeration(['a'])),
    entries: field.list(field.object({ day: field.date() })),
  })
  test.each<[columns: ColumnOptions, message?: string]>([
    [{}],
    [{ kind: typed('text'), inner: { count: typed('numeric') }, kinds: child({ value: typed('uuid') }) }],
    [{ kind: typed('date') }, 'columns.kind: date holds no string'],
    [{ inner: { count: typed('text') } }, 'columns.inner.count: text holds no integer'],
    [{ tags: child({ value: typed('bigint') }) }, 'columns.tags: bigint holds no string'],
    [{ kinds: child({ value: typed('boolean') }) }, 'columns.kinds: boolean holds no string'],
    [{ entries: child({ columns: { day: typed('uuid') } }) }, 'columns.entries.day: uuid holds no date'],
    [{ entries: child({ columns: { nope: 'x' } }) }, 'columns.entries.nope: the schema has no such field'],
  ])('a type that does not hold its field: %j', (columns, message) => {
    const whole: ColumnOptions = {
      inner: { count: 'count' },
      tags: jsonColumn('tags'),
      kinds: jsonColumn('kinds'),
      entries: child(),
      ...columns,
    }
    const make = () =>
      sqlBackend({ dialect: postgres, table: table('t', { schema: various, key: 'id', columns: whole }) })
    if (message === undefined) expect(make).not.toThrow()
    else expect(make).toThrow(new TypeError(message))
  })

  test('what is made says what it was told', () => {
    expect(column('a')).toStrictEqual({ kind: 'column', name: 'a' })
    expect(arrayColumn('a')).toStrictEqual({ kind: 'array', name: 'a' })
    expect(column('a', { type: 'uuid' })).toStrictEqual({ kind: 'column', name: 'a', type: 'uuid' })
    expect(child({ value: 'v' }).value).toStrictEqual({ kind: 'column', name: 'v' })
    expect(table('t', { key: ['a', 'b'] })).toMatchObject({ name: 't', key: ['a', 'b'] })
    expect(table(['s', 't']).name).toEqual(['s', 't'])
    expect(table('t')).not.toHaveProperty('schema')
  })
})

describe('capabilities', () => {
  const features = (dialect: Dialect, mapped = orders) => sqlBackend({ dialect, table: mapped }).capabilities.features
  test('say what the columns and the dialect can tell apart', () => {
    expect(features(postgres)).toEqual(['unicode-case'])
    expect(features(sqlite)).toEqual([])
    expect(features({ ...sqlite, lower: 'my_lower' })).toEqual(['unicode-case'])
    const tags = defineSchema({ id: field.integer(), tags: field.list(field.string()) })
    const inJson = { key: 'id', columns: { tags: jsonColumn('tags') } }
    expect(features(sqlite, table('t', { ...inJson, schema: tags }))).toEqual([
      'other-forms',
      'misplaced-lists',
      'empty-objects',
    ])
    // A column of its own name beside it tells no other forms, and without a schema nobody knows of one.
    const more = defineSchema({ ...tags.fields, seller: field.string() })
    expect(features(sqlite, table('t', { ...inJson, schema: more }))).toEqual(['empty-objects'])
    expect(features(sqlite, table('t', inJson))).toEqual(['empty-objects'])
  })
  test('a dialect cannot be changed', () => {
    for (const dialect of [postgres, mysql, mariadb, sqlite]) {
      expect(Object.isFrozen(dialect) && Object.isFrozen(dialect.types) && Object.isFrozen(dialect.textRules)).toBe(
        true,
      )
    }
  })
})

test('where() builds what a backend takes', () => {
  const o = where(schema)
  expect(
    compile(
      and(
        o.equals('seller', 's-1'),
        o.some('tags', (tag) => tag.equals('sea')),
      ),
    ).parameters,
  ).toEqual(['s-1', 'sea'])
})

describe('a dialect that is not whole is a TypeError', () => {
  const { numeric: _, ...others } = postgres.types
  test.each<[string, unknown, string]>([
    ['none', undefined, 'dialect must be one, such as postgres'],
    [
      'a type that JSON goes by',
      { ...postgres, types: others },
      'dialect.types has no numeric, which the dialect goes by',
    ],
    [
      'an expression that remembers',
      { ...sqlite, unlowered: { lower: /[^\0-\x7f]/gu } },
      'dialect.unlowered must have expressions with the flag u, and without g and y',
    ],
  ])('%s', (_, dialect, message) => {
    const make = () => sqlBackend({ dialect: dialect as Dialect, table: orders })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
  test('nor is a table that table() did not make', () => {
    expect(() => sqlBackend({ dialect: postgres, table: { ...orders } })).toThrow('table must be made by table()')
    expect(() => sqlBackend({ dialect: postgres, table: orders, alias: '' })).toThrow(
      'alias must be a text that is not empty',
    )
  })
})

test('a member that MariaDB has no path for is refused', () => {
  const dashed = defineSchema({ a: field.object({ '-x': field.string() }) })
  const json = (withSchema: boolean) =>
    table('t', { columns: { a: jsonColumn('a') }, ...(withSchema && { schema: dashed }) })
  expect(() => sqlBackend({ dialect: mariadb, table: json(true) })).toThrow('cannot say in JSON')
  const bare = sqlBackend({ dialect: mariadb, table: json(false) })
  expect(() => bare.compile(parseFilterOrThrow(dashed, 'a.-x[exists]=false'))).toThrow(FilterError)
})

test('what comes after a prefix: the next code point, over the surrogates, and nothing after the last', () => {
  expect(['a', 'az', '\u{1f600}', 'x\ud7ff', '\uffff', 'a\u{10ffff}', '\u{10ffff}'].map(afterPrefix)).toEqual([
    'b',
    'a{',
    '\u{1f601}',
    'x\ue000',
    '\u{10000}',
    'b',
    undefined,
  ])
  expect(compile(`seller[startsWith]=${encodeURIComponent('\u{10ffff}')}`).parameters).toEqual(['\u{10ffff}'])
})

test('one child table may stand for two fields of different definitions', () => {
  const rows = childTable('rows', { foreignKey: 'owner' })
  const twice = table('t', {
    schema: defineSchema({
      a: field.list(field.object({ x: field.string() })),
      b: field.list(field.object({ y: field.string() })),
    }),
    key: 'id',
    columns: { a: rows, b: rows },
  })
  const { compile } = sqlBackend({ dialect: postgres, table: twice })
  expect(compile(some(['a'], presence(['x'], 'string'))).text).toContain('"e1"."x" IS NOT NULL')
  expect(compile(some(['b'], presence(['y'], 'string'))).text).toContain('"e1"."y" IS NOT NULL')
  expect(() => compile(some(['b'], presence(['x'], 'string')))).toThrow(FilterError)
})
