/** What a condition looks like, and what a mapping refuses. That it means the right thing, cases.test.ts shows. */
import { describe, expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  duckdb,
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
  type SqlOptions,
} from '../../../src/backends/sql/index.ts'
import { afterPrefix, sql as pieces } from '../../../src/backends/sql/dialect/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  not,
  or,
  parseFilterOrThrow,
  parseQueryOrThrow,
  restrict,
  type Filter,
} from '../../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal } from '../../../src/tree.ts'

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

  test.each(['e1', 'E1', '\u00e91', '\u00c91', '\uff451'])(
    'gives entries a name that does not hide the row: %s',
    (alias) => {
      expect(compile('items.price=1', postgres, { alias }).text).toContain(
        `AS "e1_" WHERE "e1_"."order_id" = "${alias}"."id"`,
      )
    },
  )

  test('is a constant where the filter is one', () => {
    for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb]) {
      const texts = [and(), or(), not(and()), membership(['seller'], []), not(membership(['seller'], []))]
      const [yes, no] = ['(1 = 1)', '(1 = 0)']
      expect(texts.map((filter) => compile(filter, dialect).text)).toEqual([yes, no, no, no, yes])
    }
    expect(compile(and(or(), parseFilterOrThrow(schema, 'seller=x')))).toMatchObject({
      text: '(1 = 0)',
      parameters: [],
    })
    expect(compile(some(['items'], or())).text).toBe('(1 = 0)')
    expect(compile(not(some(['items'], or()))).text).toBe('(1 = 1)')
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
  const moments = (length: number) => Array.from({ length }, (_, at) => `20${at + 10}-01-01T00:00:00Z`).join(',')
  test.each([postgres, mysql, mariadb, sqlite, duckdb])(
    'whatever the values, however long a list: $name',
    (dialect) => {
      for (const [a, b] of [
        ['seller=a', "seller=it's+%22longer%22"],
        ['total[gt]=1&gift=true', 'total[gt]=-1e300&gift=false'],
        ['guests[nin]=1,2,3,4,5,6,7,8,9', 'guests[nin]=1,2,3,4,5,6,7,8,9,10,11'],
        ['seller[startsWith]=a', 'seller[startsWith]=100%25_x'],
        ['seller[endsWith]=a', 'seller[endsWith]=longer'],
        ['seller[contains]=a', 'seller[contains]=%25_!%5C'],
        [`paidAt[in]=${moments(9)}`, `paidAt[in]=${moments(10)}`],
        ['items.price[range]=1,2&tags[nin]=a', 'items.price[range]=3,4&tags[nin]=b'],
      ] as const) {
        expect(compile(a, dialect).text).toBe(compile(b, dialect).text)
      }
    },
  )
})

describe('lists', () => {
  const many = `seller[in]=${Array.from({ length: 400 }, (_, at) => `v${at}`).join(',')}`
  test('of texts are one parameter on PostgreSQL', () => {
    expect(compile(many).text).toBe(compile('seller[in]=a,b').text)
    expect(compile(many).parameters).toHaveLength(1)
  })
  test('are parameters on SQLite up to eight, in three lengths, and one parameter beyond', () => {
    const listed = (query: string) => compile(query, sqlite).parameters
    expect(listed('seller[in]=a,b')).toEqual(['a', 'b'])
    expect(listed('seller[in]=a,b,c')).toEqual(['a', 'b', 'c', 'c'])
    expect(listed('guests[in]=1,2,3,4,5,6,7,8')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(listed('guests[in]=1,2,3,4,5,6,7,8,9')).toEqual(['[1,2,3,4,5,6,7,8,9]'])
    expect(listed(many)).toHaveLength(1)
  })
  test('of texts come in nine lengths on MySQL and MariaDB, filled up with the last', () => {
    for (const dialect of [mysql, mariadb]) {
      expect(compile('seller[in]=a,b', dialect).parameters).toEqual(['a', 'b'])
      expect(compile('seller[in]=a,b,c', dialect).parameters).toEqual(['a', 'b', 'c', 'c'])
      expect(compile(many, dialect).parameters).toHaveLength(512)
    }
  })
})

/** An index that begins with the field also serves the order of the page after `=`; PostgreSQL reads no order from `= ANY` of one value. */
describe('a list of one value is an equality', () => {
  test.each([
    ['seller[in]=a', 'seller=a'],
    ['seller[nin]=a', 'seller[notEqual]=a'],
    // One value, however often.
    ['seller[in]=a,a', 'seller=a'],
    ['total[in]=12.5', 'total=12.5'],
    ['total[nin]=0,-0', 'total[notEqual]=0'],
    ['paidAt[in]=2024-01-02T03:04:05Z', 'paidAt=2024-01-02T03:04:05Z'],
    ['day[nin]=2024-01-02', 'day[notEqual]=2024-01-02'],
    ['tags[in]=a', 'tags=a'],
    ['tags[nin]=a', 'tags[notEqual]=a'],
    ['items.product[in]=a&items.price[in]=1', 'items.product=a&items.price=1'],
    ['customer.name[in]=a', 'customer.name=a'],
  ])('%s', (list, one) => {
    const [filter, expected] = [list, one].map((query) => parseFilterOrThrow(schema, query)) as [Filter, Filter]
    const revived = JSON.parse(JSON.stringify(filter)) as Filter
    for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb]) {
      const { text, parameters } = compile(expected, dialect)
      for (const same of [filter, revived])
        expect(compile(same, dialect), dialect.name).toMatchObject({ text, parameters })
    }
  })
  test('in its own text, in pages and beside others', () => {
    const byHand = membership(['seller'], [text('a')])
    const expected = '("orders"."seller" = $1::text AND "orders"."seller" IS NOT NULL)'
    expect(compile(byHand)).toMatchObject({ text: expected, parameters: ['a'] })
    expect(compile(not(byHand)).text).toBe('("orders"."seller" IS DISTINCT FROM $1::text)')
    expect(compile(membership(['seller'], [])).text).toBe('(1 = 0)')
    const collection = defineCollection(schema, { key: 'id', facets: ['day'] })
    const query = restrict(parseQueryOrThrow(collection, 'facets=day'), byHand)
    const backend = sqlBackend({ dialect: postgres, table: orders })
    expect(backend.compileQuery(query).where.text).toBe('"orders"."seller" = $1::text')
    expect(backend.facets(query)[0]!.text).toContain('WHERE "orders"."seller" = $1::text')
  })
})

describe('types', () => {
  const stored = (type: string, dialect = postgres) =>
    sqlBackend({ dialect, table: table('t', { columns: { value: column<string>('value', { type }) } }) })
  const of = (type: Literal['type'], value: unknown, operator: 'eq' | 'gt' = 'eq') =>
    comparison(['value'], operator, { type, value } as Literal)

  const uuid = 'aaaaaaaa-0000-4000-8000-000000000000'
  const second = '1970-01-01T00:00:01.000Z'
  const later = '1970-01-01T00:00:02.000Z'
  const day = '2024-01-01'
  const next = '2024-01-02'
  const among = (type: Literal['type'], ...values: unknown[]) =>
    membership(
      ['value'],
      values.map((value) => ({ type, value }) as Literal),
    )
  const inEnum = (texts: string) =>
    `SELECT v FROM unnest(enum_range(CASE WHEN FALSE THEN {v} END)) AS v WHERE v::text = ${texts}`
  const listed = (type: string) => `{v} IN (SELECT l.v FROM JSON_TABLE(?, '$[*]' COLUMNS (v ${type} PATH '$')) AS l)`
  const either = among('string', 'a', 'b', 'c')
  const four = (text: string) => Array.from({ length: 4 }, () => text).join(', ')
  const padded = ['a', 'b', 'c', 'c']
  test.each<[string, Dialect, Filter, text: string, parameters: unknown[]]>([
    ['numeric', postgres, of('number', 0.1), '{v} = $1::numeric', [0.1]],
    ['timestamp', postgres, of('datetime', second), '{v} = $1::timestamp', [second]],
    ['epochMs', postgres, of('datetime', second), '{v} = $1::bigint', [1000]],
    ['epochMs', sqlite, of('datetime', second), '{v} = ?', [1000]],
    ['epochMs', mariadb, of('datetime', second), '{v} = ?', [1000]],
    ['epochMs', mysql, among('datetime', second, later), listed('BIGINT'), ['[1000,2000]']],
    ['text', postgres, of('date', day, 'gt'), '{v} COLLATE "C" > $1::text', [day]],
    ['text', mariadb, of('date', day, 'gt'), '{v} > ? COLLATE utf8mb4_nopad_bin', [day]],
    [
      'text',
      mysql,
      among('date', day, next),
      '{v} IN (? COLLATE utf8mb4_0900_bin, ? COLLATE utf8mb4_0900_bin)',
      [day, next],
    ],
    ['uuid', postgres, of('string', uuid), '{v} = $1::uuid', [uuid]],
    ['uuid', postgres, among('string', 'x', uuid), '{v} = ANY($1::uuid[])', [[uuid]]],
    ['decimal', mysql, of('number', 0.1), '{v} = ?', [0.1]],
    ['decimal', mariadb, of('number', 0.1), '{v} = CAST(? AS DOUBLE)', [0.1]],
    ['boolean', mysql, among('boolean', true, false), listed('TINYINT'), ['[1,0]']],
    ['boolean', vitess, among('boolean', true, false), '{v} IN (?, ?)', [1, 0]],
    ['bigint', vitess, of('integer', -1), '{v} = CAST(? AS SIGNED)', [-1]],
    ['bigint', vitess, among('number', 1, 2, 0.5), '{v} IN (?, ?, ?, ?)', [1, 2, 0.5, 0.5]],
    ['bigint', vitess, among('bigint', '7', '8'), '{v} IN (CAST(? AS SIGNED), CAST(? AS SIGNED))', ['7', '8']],
    ['date', vitess, among('date', day, next), '{v} IN (CAST(? AS DATE), CAST(? AS DATE))', [day, next]],
    [
      'datetime',
      vitess,
      among('datetime', second, later),
      '({v} IN (CAST(? AS DATETIME(3)), CAST(? AS DATETIME(3))) AND CAST({v} AS DATETIME(6)) IN (CAST(? AS DATETIME(3)), CAST(? AS DATETIME(3))))',
      [1, 2, 1, 2].map((digit) => `1970-01-01 00:00:0${digit}.000`),
    ],
    ['text', vitess, either, `{v} IN (${four('? COLLATE utf8mb4_0900_bin')})`, padded],
    ['decimal', vitess, of('number', 0.1), '{v} = ?', [0.1]],
    ['integer', sqlite, among('number', 0.5, 1), '{v} IN (?, ?)', [0.5, 1]],
    // Rows are found by the rules of the column, and compared again.
    [
      'enum',
      postgres,
      of('string', 'a'),
      `({v} = (${inEnum('$1::text')}) AND (${inEnum('$2::text')}) IS NOT NULL)`,
      ['a', 'a'],
    ],
    ['enum', postgres, either, `{v} = ANY(ARRAY(${inEnum('ANY($1::text[])')}))`, [['a', 'b', 'c']]],
    ['enum', mysql, of('string', 'a'), '({v} = ? AND {v} = ? COLLATE utf8mb4_0900_bin)', ['a', 'a']],
    ['enum', mysql, either, `{v} IN (${four('? COLLATE utf8mb4_0900_bin')})`, padded],
    ['enum', mariadb, of('string', 'a'), '({v} = ? AND {v} = ? COLLATE utf8mb4_nopad_bin)', ['a', 'a']],
    [
      'enum',
      mariadb,
      either,
      `({v} IN (${four('?')}) AND {v} IN (${four('? COLLATE utf8mb4_nopad_bin')}))`,
      [...padded, ...padded],
    ],
    ['citext', postgres, of('string', 'a'), '({v} = $1::text::citext AND {v}::text = $2::text)', ['a', 'a']],
    [
      'citext',
      postgres,
      among('string', 'a', 'b'),
      '({v} = ANY($1::text[]::citext[]) AND {v}::text = ANY($2::text[]))',
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
    ['bigintText', postgres, of('string', '-7'), '{v} = $1::bigint', ['-7']],
    ['bigintText', mysql, of('string', '-7'), '{v} = CAST(? AS SIGNED)', ['-7']],
    ['bigintText', sqlite, of('string', '-7'), '{v} = ?', ['-7']],
  ])('%s, $1.name: %#', (type, dialect, filter, text, parameters) => {
    const value = dialect.quote === '"' ? '"t"."value"' : '`t`.`value`'
    expect(stored(type, dialect).compile(filter)).toMatchObject({
      text: `(${text} AND {v} IS NOT NULL)`.replaceAll('{v}', value),
      parameters,
    })
  })

  const nines = '9'.repeat(36)
  test.each<
    [digits: number, operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte', operand: string, text: string, parameters: string[]]
  >([
    [2, 'eq', nines, '"t"."value" = $1::DECIMAL(38, 2)', [nines]],
    [2, 'eq', `-${nines}`, '"t"."value" = $1::DECIMAL(38, 2)', [`-${nines}`]],
    [2, 'gt', `-${nines}.005`, '"t"."value" >= $1::DECIMAL(38, 2)', [`-${nines}`]],
    [2, 'eq', `${nines}9`, '1 = 0', []],
    [2, 'eq', `-${nines}9`, '1 = 0', []],
    [2, 'gt', `${nines}9`, '1 = 0', []],
    [2, 'lt', `${nines}9`, '', []],
    [2, 'gt', `-${nines}9`, '', []],
    [2, 'lt', `-${nines}9`, '1 = 0', []],
    [2, 'lte', `${nines}9`, '', []],
    [2, 'gte', `${nines}9`, '1 = 0', []],
    [38, 'eq', '0.5', '"t"."value" = $1::DECIMAL(38, 38)', ['0.5']],
    [38, 'eq', '-0.5', '"t"."value" = $1::DECIMAL(38, 38)', ['-0.5']],
    [38, 'lt', '1', '', []],
    [38, 'gt', '1', '1 = 0', []],
  ])('a decimal of 38 digits, %i of them after the point: %s %s', (digits, operator, operand, text, parameters) => {
    const schema = defineSchema({ value: field.decimal() })
    const mapped = table('t', { schema, columns: { value: column('value', { digits }) } })
    const { compile } = sqlBackend({ dialect: duckdb, table: mapped })
    const compiled = compile(comparison(['value'], operator, { type: 'decimal', value: operand }))
    const guard = '"t"."value" IS NOT NULL'
    expect(compiled.text).toBe(text === '1 = 0' ? '(1 = 0)' : text === '' ? `(${guard})` : `(${text} AND ${guard})`)
    expect(compiled.parameters).toEqual(parameters)
  })

  test.each(['', '+1', '01', '-0', '1.0', ' 1', '1e3', '9223372036854775808', '-9223372036854775809', 'x'])(
    'no bigint is read as %j',
    (value) => {
      for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb]) {
        expect(stored('bigintText', dialect).compile(of('string', value)).text).toBe('(1 = 0)')
        expect(stored('bigintText', dialect).compile(not(of('string', value))).text).toBe('(1 = 1)')
      }
    },
  )

  test.each([
    ['enum', postgres, '"t"."value"::text COLLATE "C"'],
    ['citext', postgres, '"t"."value"::text COLLATE "C"'],
    ['bigintText', postgres, '"t"."value"::text COLLATE "C"'],
    ['uuid', postgres, '"t"."value"::text COLLATE "C"'],
    ['bigintText', mysql, 'CAST(`t`.`value` AS CHAR)'],
    ['bigintText', sqlite, 'CAST("t"."value" AS TEXT) COLLATE BINARY'],
  ] as const)('%s on $1.name has the order of its texts', (type, dialect, value) => {
    expect(stored(type, dialect).compile(of('string', '5', 'gt')).text).toContain(`${value} > `)
  })

  test('the complement of what is never NULL needs no test for NULL', () => {
    const columns = { value: column('value', { notNull: true }) }
    const { compile } = sqlBackend({ dialect: postgres, table: table('t', { columns }) })
    expect(compile(not(of('integer', 5, 'gt'))).text).toBe('(NOT ("t"."value" > $1::bigint))')
  })

  test('a number is compared as what its field is stored as, where that holds it', () => {
    const inner = field.object({ any: field.number() })
    const numbers = defineSchema({
      ...{ whole: field.integer(), any: field.number(), inner },
      ...{ list: field.list(inner), array: field.list(field.number()) },
    })
    const columns = {
      ...{ inner: { any: 'inner_any' }, list: childTable('list', { foreignKey: 'of' }) },
      array: arrayColumn('array'),
    }
    const castOf = (dialect: Dialect, type: 'integer' | 'number', path: readonly string[], list?: string) => {
      const { compile } = sqlBackend({ dialect, table: table('t', { schema: numbers, key: 'whole', columns }) })
      const asked = comparison(path, 'eq', { type, value: 1 })
      return /\$1::(\w+(?: precision)?)/.exec(compile(list === undefined ? asked : some([list], asked)).text)![1]
    }
    expect(castOf(postgres, 'integer', ['whole'])).toBe('bigint')
    expect(castOf(postgres, 'number', ['whole'])).toBe('double precision')
    expect(castOf(postgres, 'integer', ['any'])).toBe('double precision')
    expect(castOf(postgres, 'integer', ['inner', 'any'])).toBe('double precision')
    expect(castOf(postgres, 'integer', ['any'], 'list')).toBe('double precision')
    expect(castOf(postgres, 'integer', [], 'array')).toBe('double precision')
    const exact = { ...postgres, columnTypes: { ...postgres.columnTypes, integer: 'numeric' } }
    expect(castOf(exact, 'number', ['whole'])).toBe('numeric')
    expect(castOf(exact, 'integer', ['any'])).toBe('double precision')
  })

  test('a text that can be no uuid is equal to none', () => {
    for (const value of ['x', 'AAAAAAAA-0000-4000-8000-000000000000']) {
      expect(stored('uuid').compile(of('string', value)).text).toBe('(1 = 0)')
      expect(stored('uuid').compile(not(of('string', value))).text).toBe('(1 = 1)')
      expect(stored('uuid').compile(membership(['value'], [text(value)])).text).toBe('(1 = 0)')
    }
    expect(stored('uuid').compile(match(['value'], 'prefix', 'AA')).text).toContain(
      'lower("t"."value"::text COLLATE "default")',
    )
  })

  test('a column of another type than the literal is refused', () => {
    const refused = () => stored('date').compile(of('string', 'x'))
    expect(refused).toThrow(FilterError)
    expect(refused).toThrow('value is stored as date, which holds no string')
    expect(refused).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ code: 'backend_unsupported', fault: 'server' })] }),
    )
  })
})

describe('what is not stored is refused, with the place in the query', () => {
  const bare = table('orders', { key: 'id', columns: { customer: { name: 'contact_name' } } })
  test.each<[string, Filter, string]>([
    ['a list', some(['tags'], presence([], 'string')), 'tags'],
    ['a field of an object that is not named', presence(['customer', 'email'], 'string'), 'customer.email'],
    ['an object without a schema', presence(['customer'], 'object'), 'customer'],
    ['a field of an object that is nowhere', presence(['address', 'street'], 'string'), 'address.street'],
    ['an object that is nowhere', presence(['address', 'home'], 'object'), 'address.home'],
    ['what is compared', comparison(['customer', 'email'], 'eq', { type: 'string', value: 'x' }), 'customer.email'],
    ['what is one of several', membership(['customer', 'email'], [{ type: 'string', value: 'x' }]), 'customer.email'],
    ['what is searched', match(['customer', 'email'], 'prefix', 'x'), 'customer.email'],
    ['an entry outside a list', presence([], 'string'), 'the root object'],
    ['a list where a column is', some(['seller'], and()), 'seller'],
  ])('%s', (_, filter, name) => {
    const refused = () => sqlBackend({ dialect: postgres, table: bare }).compile(filter)
    expect(refused).toThrow(FilterError)
    expect(refused).toThrow(`${name} is not stored where postgres can reach it`)
    expect(() => sqlBackend({ dialect: postgres, table: bare }).compile(not(filter))).toThrow(FilterError)
  })

  test('a parent table where a value is asked, by its own name', () => {
    const columns = { customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }) }
    const { compile } = sqlBackend({ dialect: postgres, table: table('orders', { columns }) })
    for (const filter of [
      comparison(['customer'], 'eq', { type: 'string', value: 'x' }),
      presence(['customer'], 'string'),
      some(['customer'], presence([], 'object')),
    ])
      expect(() => compile(filter)).toThrow(/^customer is not stored where postgres can reach it$/)
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
      expect(() => compile(filter)).toThrow('the schema has no field "nope"')
      expect(() => compile(not(filter))).toThrow('the schema has no field "nope"')
    }
    for (const { compile } of [inArrays, inTables]) {
      expect(() => compile(some(['tags'], presence(['x'], 'string')))).toThrow('x is not stored where')
      expect(compile(some(['tags'], presence([], 'string'))).text).toContain('IS NOT NULL')
    }
    expect(() => inArrays.compile(presence(['tags', 'x'], 'string'))).toThrow('tags.x is not stored where')
    // A column is no object.
    const bare = sqlBackend({ dialect: postgres, table: table('t', { columns: { a: 'a' } }) })
    expect(() => bare.compile(presence(['a', 'b'], 'string'))).toThrow('a.b is not stored where')
  })

  test('a name that is a placeholder, of a column or of a member of JSON, or of what is around it', () => {
    const { compile } = sqlBackend({ dialect: mysql, table: table('t', { columns: { a: jsonColumn('a') } }) })
    for (const path of [['?'], ['a', '?'], ['a', 'b', '?'], ['a', '?', 'b']])
      expect(() => compile(presence(path, 'string'))).toThrow('is not stored where mysql can reach it')
    expect(compile(presence(['a', 'b', 'c'], 'string')).text).toContain('b')
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
    const ofNumber = { kind: 'comparison', path: ['seller'], operator: 'eq', operand: { type: 'string', value: 5 } }
    for (const none of [undefined, { kind: 'and' }, ofNumber])
      expect(() => compile(none as never as Filter)).toThrow(TypeError)
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

test('a member of JSON with a backslash is written in a literal that every mode of PostgreSQL reads alike', () => {
  const odd = table('t', { columns: { a: jsonColumn('a') } })
  const { compile } = sqlBackend({ dialect: postgres, table: odd })
  expect(compile(presence(['a', "b\\'c"], 'object')).text).toContain(`"t"."a" -> E'b\\\\''c')`)
  expect(compile(presence(['a', "b'c"], 'object')).text).toContain(`"t"."a" -> 'b''c')`)
})

test('a type of another kind is read from a list as it says, and text needs nothing', () => {
  const types: Dialect['types'] = {
    ...mysql.types,
    year: { holds: ['integer'], listed: 'YEAR' },
    citext: { holds: ['string'], isText: true },
  }
  const mapped = table('t', { columns: { year: column<'year'>('y', { type: 'year' }) } })
  const filter = membership(
    ['year'],
    [2024, 2025].map((value) => ({ type: 'integer', value })),
  )
  const make = (dialect: Dialect) => sqlBackend({ dialect, table: mapped })
  expect(make({ ...mysql, types }).compile(filter).text).toContain("COLUMNS (v YEAR PATH '$')")
  // A dialect that says lists otherwise does not need it.
  const { listed: _, ...year } = types.year!
  const plain: Dialect = { ...mysql, types: { ...types, year }, among: postgres.among, needsListed: false }
  expect(make(plain).compile(filter).text).toContain('= ANY(?[])')
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

test('a uuid in JSON of MySQL and MariaDB is a text in small letters, and another type is no uuid', () => {
  const stored = defineSchema({ a: field.object({ ref: field.uuid() }) })
  const mapped = table('t', { schema: stored, columns: { a: jsonColumn('a') } })
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const filter = comparison(['a', 'ref'], 'eq', { type: 'uuid', value: id })
  const textOf = (dialect: Dialect) => sqlBackend({ dialect, table: mapped }).compile(filter).text
  for (const dialect of [mysql, mariadb]) expect(textOf(dialect)).toContain(" WHEN 'STRING' THEN LOWER(")
  expect(textOf(mysql)).toMatch(/THEN LOWER\(JSON_UNQUOTE\(/)
})

test('nothing is read from Object.prototype where a list ends', () => {
  const own = (dialect: Dialect) => sqlBackend({ dialect, table: orders })
  const filters = [
    or(),
    and(),
    membership(['seller'], []),
    some(['items'], or()),
    parseFilterOrThrow(schema, 'seller[in]=a,b,c&total=1&items.price=5'),
    parseFilterOrThrow(schema, 'tags[nin]=a'),
  ]
  for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb]) {
    const clean = filters.map((filter) => own(dialect).compile(filter))
    const polluted = Object.prototype as Record<number, unknown>
    try {
      for (let at = 0; at < 8; at++)
        polluted[at] = { sql: { strings: ['evil'], values: [] }, form: 'term', nullable: 'never', type: 'string' }
      const found = filters.map((filter) => own(dialect).compile(filter))
      for (let at = 0; at < 8; at++) delete polluted[at]
      expect(found).toEqual(clean)
    } finally {
      for (let at = 0; at < 8; at++) delete polluted[at]
    }
  }
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

/** The text for each dialect, in full: not every engine runs wherever these tests do. `{t.s}` is a name in quotes. */
describe('the text', () => {
  const scalars = {
    s: field.string(),
    i: field.integer(),
    n: field.number(),
    b: field.boolean(),
    d: field.date(),
    m: field.datetime(),
  }
  const written = defineSchema({
    ...scalars,
    j: field.object({ ...scalars, o: field.object({ s: field.string() }), l: field.list(field.integer()) }),
    l: field.list(field.string()),
    r: field.list(field.object({ ...scalars, l: field.list(field.string()) })),
    c: field.list(field.integer()),
    o: field.object({ s: field.string(), e: field.enumeration(['a']), l: field.list(field.string()) }),
  })
  const mapped = table('t', {
    schema: written,
    key: 'id',
    columns: {
      j: jsonColumn('j'),
      l: jsonColumn('l'),
      r: jsonColumn('r'),
      c: childTable('c', { foreignKey: 'f', value: 'v' }),
      o: { s: 'o_s', e: 'o_e', l: childTable('o_l', { foreignKey: 'f', value: 'v' }) },
    },
  })
  type Rows = [query: string, text: string, parameters?: readonly unknown[]][]
  const quotedBy = (quote: string, text: string) =>
    text.replaceAll(/\{([\w.]+)\}/g, (_, names: string) => names.replaceAll(/\w+/g, (name) => quote + name + quote))
  const moment = '2024-01-02T03:04:05.678Z'

  /** What is the same everywhere. */
  const common: Rows = [
    ['s[exists]=true', '({t.s} IS NOT NULL)'],
    ['m[exists]=false', '({t.m} IS NULL)'],
    [
      'o[exists]=true',
      '({t.o_s} IS NOT NULL OR {t.o_e} IS NOT NULL ' + 'OR EXISTS (SELECT 1 FROM {o_l} AS {e1} WHERE {e1.f} = {t.id}))',
    ],
    [
      'o[exists]=false',
      '({t.o_s} IS NULL AND {t.o_e} IS NULL ' + 'AND NOT EXISTS (SELECT 1 FROM {o_l} AS {e1} WHERE {e1.f} = {t.id}))',
    ],
  ]

  const inPostgres = (): Rows => {
    const textIn = (json: string) => `CASE jsonb_typeof(${json}) WHEN 'string' THEN (${json}) #>> '{}' END`
    const numberIn = (json: string) => `CASE jsonb_typeof(${json}) WHEN 'number' THEN (${json})::numeric END`
    const booleanIn = (json: string) => `CASE jsonb_typeof(${json}) WHEN 'boolean' THEN (${json})::boolean END`
    const from = (list: string, name = '{e1}') =>
      `jsonb_array_elements(CASE jsonb_typeof(${list}) WHEN 'array' THEN ${list} END) AS ${name}("value")`
    const lowered = 'lower({t.s} COLLATE "default")'
    const entry = textIn('{e1}."value"')
    const loweredEntry = `lower(${entry} COLLATE "default") COLLATE "C"`
    return [
      ['s=x', '({t.s} = $1::text AND {t.s} IS NOT NULL)', ['x']],
      ['i=5', '({t.i} = $1::bigint AND {t.i} IS NOT NULL)', [5]],
      ['n=0.5', '({t.n} = $1::double precision AND {t.n} IS NOT NULL)', [0.5]],
      ['b=true', '({t.b} = $1::boolean AND {t.b} IS NOT NULL)', [true]],
      ['d=2024-01-02', '({t.d} = $1::date AND {t.d} IS NOT NULL)', ['2024-01-02']],
      [`m=${moment}`, '({t.m} = $1::timestamptz AND {t.m} IS NOT NULL)', [moment]],
      ['s[notEqual]=x', '({t.s} IS DISTINCT FROM $1::text)', ['x']],
      ['i[notEqual]=5', '({t.i} IS DISTINCT FROM $1::bigint)', [5]],
      ['b[notEqual]=true', '({t.b} IS DISTINCT FROM $1::boolean)', [true]],
      ['s[gt]=x', '({t.s} COLLATE "C" > $1::text AND {t.s} IS NOT NULL)', ['x']],
      ['i[gte]=5', '({t.i} >= $1::bigint AND {t.i} IS NOT NULL)', [5]],
      ['d[lt]=2024-01-02', '({t.d} < $1::date AND {t.d} IS NOT NULL)', ['2024-01-02']],
      ['n[lte]=0.5', '({t.n} <= $1::double precision AND {t.n} IS NOT NULL)', [0.5]],
      ['i[range]=1,2', '({t.i} >= $1::bigint AND {t.i} <= $2::bigint AND {t.i} IS NOT NULL)', [1, 2]],
      ['s[in]=x,y,z', '({t.s} = ANY($1::text[]) AND {t.s} IS NOT NULL)', [['x', 'y', 'z']]],
      ['i[in]=1,2', '({t.i} = ANY($1::bigint[]) AND {t.i} IS NOT NULL)', [[1, 2]]],
      [
        'd[in]=2024-01-02,2024-01-03',
        '({t.d} = ANY($1::date[]) AND {t.d} IS NOT NULL)',
        [['2024-01-02', '2024-01-03']],
      ],
      ['s[nin]=x,y', '(({t.s} IS NULL OR NOT ({t.s} = ANY($1::text[]))))', [['x', 'y']]],
      ['n[nin]=0.5,1', '(({t.n} IS NULL OR NOT ({t.n} = ANY($1::double precision[]))))', [[0.5, 1]]],
      [
        's[startsWith]=%C3%89%25',
        `((${lowered} COLLATE "C" >= $1::text AND ${lowered} COLLATE "C" < $2::text) AND {t.s} IS NOT NULL)`,
        ['é%', 'é&'],
      ],
      ['s[endsWith]=%25_!%5CX', `(${lowered} LIKE $1::text AND {t.s} IS NOT NULL)`, ['%\\%\\_!\\\\x']],
      ['s[contains]=%25_!%5CX', `(${lowered} LIKE $1::text AND {t.s} IS NOT NULL)`, ['%\\%\\_!\\\\x%']],
      ['s[equalsIgnoreCase]=%C3%89%25', `(${lowered} = $1::text AND {t.s} IS NOT NULL)`, ['é%']],
      ['s[equalsIgnoreCase]=', `(${lowered} = $1::text AND {t.s} IS NOT NULL)`, ['']],
      [
        's[startsWithExact]=%C3%89%25',
        '(({t.s} COLLATE "C" >= $1::text AND {t.s} COLLATE "C" < $2::text) AND {t.s} IS NOT NULL)',
        ['É%', 'É&'],
      ],
      ['s[startsWithExact]=', '({t.s} IS NOT NULL)', []],
      ['s[endsWithExact]=%25X', '({t.s} LIKE $1::text AND {t.s} IS NOT NULL)', ['%\\%X']],
      ['s[containsExact]=%25X', '({t.s} LIKE $1::text AND {t.s} IS NOT NULL)', ['%\\%X%']],
      ['s[doesNotContain]=x', `(({t.s} IS NULL OR NOT (${lowered} LIKE $1::text)))`, ['%x%']],
      ['j.s[nin]=x,y', `((${textIn("{t.j} -> 's'")} = ANY($1::text[])) IS NOT TRUE)`, [['x', 'y']]],

      ['j.s=x', `((${textIn("{t.j} -> 's'")} = $1::text) IS TRUE)`, ['x']],
      ['j.i=5', `((${numberIn("{t.j} -> 'i'")} = $1::numeric) IS TRUE)`, [5]],
      ['j.n=0.5', `((${numberIn("{t.j} -> 'n'")} = $1::numeric) IS TRUE)`, [0.5]],
      ['j.b=true', `((${booleanIn("{t.j} -> 'b'")} = $1::boolean) IS TRUE)`, [true]],
      ['j.d=2024-01-02', `((${textIn("{t.j} -> 'd'")} = $1::text) IS TRUE)`, ['2024-01-02']],
      [`j.m=${moment}`, `((${textIn("{t.j} -> 'm'")} = $1::text) IS TRUE)`, [moment]],
      ['j.s[notEqual]=x', `(${textIn("{t.j} -> 's'")} IS DISTINCT FROM $1::text)`, ['x']],
      ['j.i[notEqual]=5', `(${numberIn("{t.j} -> 'i'")} IS DISTINCT FROM $1::numeric)`, [5]],
      ['j.s[gt]=x', `((${textIn("{t.j} -> 's'")} COLLATE "C" > $1::text) IS TRUE)`, ['x']],
      ['j.i[in]=1,2', `((${numberIn("{t.j} -> 'i'")} = ANY($1::numeric[])) IS TRUE)`, [[1, 2]]],
      ['j.s[contains]=x', `((lower(${textIn("{t.j} -> 's'")} COLLATE "default") LIKE $1::text) IS TRUE)`, ['%x%']],
      ['j.o.s=x', `((${textIn("{t.j} -> 'o' -> 's'")} = $1::text) IS TRUE)`, ['x']],
      ['j.b[exists]=false', `(${booleanIn("{t.j} -> 'b'")} IS NULL)`],
      ['j[exists]=true', "(jsonb_typeof({t.j}) IS NOT DISTINCT FROM 'object')"],
      ['j.o[exists]=false', "(NOT (jsonb_typeof({t.j} -> 'o') IS NOT DISTINCT FROM 'object'))"],

      ['l=x', '({t.l} @> $1::text::jsonb AND {t.l} IS NOT NULL)', ['["x"]']],
      ['l[nin]=x,y', '(({t.l} IS NULL OR NOT ({t.l} @> ANY($1::text[]::jsonb[]))))', [['["x"]', '["y"]']]],
      [
        'l[startsWith]=x',
        `EXISTS (SELECT 1 FROM ${from('{t.l}')} WHERE (${loweredEntry} >= $1::text AND ${loweredEntry} < $2::text))`,
        ['x', 'y'],
      ],
      ['j.l=5', '({t.j} @> $1::text::jsonb AND {t.j} IS NOT NULL)', ['{"l":[5]}']],
      [
        'j.l[gt]=5',
        `EXISTS (SELECT 1 FROM ${from("{t.j} -> 'l'")} WHERE ${numberIn('{e1}."value"')} > $1::numeric)`,
        [5],
      ],
      ['r.n=0.5', '({t.r} @> $1::text::jsonb AND {t.r} IS NOT NULL)', ['[{"n":0.5}]']],
      ['r.l=x', '({t.r} @> $1::text::jsonb AND {t.r} IS NOT NULL)', ['[{"l":["x"]}]']],
      [
        'r[exists]=true',
        `EXISTS (SELECT 1 FROM ${from('{t.r}')} WHERE jsonb_typeof({e1}."value") IS NOT DISTINCT FROM 'object')`,
      ],
      ['c=5', 'EXISTS (SELECT 1 FROM {c} AS {e1} WHERE {e1.f} = {t.id} AND {e1.v} = $1::bigint)', [5]],
    ]
  }

  const inMysql = ({
    collation,
    equal,
    sameTime,
    twice,
    document,
    unquoted,
    lowerable,
    integer,
    some,
    none,
    hasLists,
  }: {
    readonly collation: string
    readonly equal: (value: string) => string
    readonly sameTime: (value: string) => string
    readonly twice: (value: string) => string[]
    readonly document: (column: string) => string
    readonly unquoted: (json: string) => string
    readonly lowerable: (text: string) => string
    readonly integer: string
    readonly some: (rows: string) => string
    readonly none: (rows: string) => string
    readonly hasLists: boolean
  }): Rows => {
    const exact = `? COLLATE ${collation}`
    const lower = (value: string) => `LOWER(${lowerable(`CONVERT(${value} USING utf8mb4) COLLATE ${collation}`)})`
    const like = (value: string) => `${lower(value)} LIKE ${exact} ESCAPE '!'`
    const member = (...names: string[]) =>
      `JSON_EXTRACT(${document('{t.j}')}, '$${names.map((name) => `."${name}"`).join('')}')`
    const textIn = (json: string) => `CASE JSON_TYPE(${json}) WHEN 'STRING' THEN ${unquoted(json)} END`
    const numberIn = (json: string) =>
      `CASE WHEN JSON_TYPE(${json}) IN ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') ` +
      `THEN CAST(${json} AS DOUBLE) END`
    const booleanIn = (json: string) => `CASE JSON_TYPE(${json}) WHEN 'BOOLEAN' THEN JSON_UNQUOTE(${json}) = 'true' END`
    const listed = (type: string) => `IN (SELECT l.v FROM JSON_TABLE(?, '$[*]' COLUMNS (v ${type} PATH '$')) AS l)`
    const from = (list: string, name = '{e1}') =>
      `JSON_TABLE(CASE JSON_TYPE(${list}) WHEN 'ARRAY' THEN ${list} END, '$[*]' ` +
      `COLUMNS ({value} JSON PATH '$')) AS ${name}`
    const entry = textIn('{e1.value}')
    const top = (test: string) => (test.endsWith(')') ? test : `(${test})`)
    /** With what a multi-valued index serves beside it, if the engine has these. */
    const asked = (list: string, test: string) =>
      hasLists ? `(JSON_OVERLAPS(${list}, CAST(? AS JSON)) AND ${test})` : top(test)
    const whole = (json: string) => (hasLists ? [json] : [])
    const [l, r] = [document('{t.l}'), document('{t.r}')]
    return [
      ['s=x', `(${equal('{t.s}')} AND {t.s} IS NOT NULL)`, twice('x')],
      ['i=5', `({t.i} = ${integer} AND {t.i} IS NOT NULL)`, [5]],
      ['n=0.5', '({t.n} = ? AND {t.n} IS NOT NULL)', [0.5]],
      ['b=true', '({t.b} = ? AND {t.b} IS NOT NULL)', [1]],
      ['d=2024-01-02', '({t.d} = CAST(? AS DATE) AND {t.d} IS NOT NULL)', ['2024-01-02']],
      [`m=${moment}`, `(${sameTime('{t.m}')} AND {t.m} IS NOT NULL)`, twice('2024-01-02 03:04:05.678')],
      ['s[notEqual]=x', `(NOT ({t.s} <=> ${exact}))`, ['x']],
      ['i[notEqual]=5', `(NOT ({t.i} <=> ${integer}))`, [5]],
      ['b[notEqual]=true', '(NOT ({t.b} <=> ?))', [1]],
      ['s[gt]=x', `({t.s} > ${exact} AND {t.s} IS NOT NULL)`, ['x']],
      ['i[gte]=5', `({t.i} >= ${integer} AND {t.i} IS NOT NULL)`, [5]],
      ['d[lt]=2024-01-02', '({t.d} < CAST(? AS DATE) AND {t.d} IS NOT NULL)', ['2024-01-02']],
      ['n[lte]=0.5', '({t.n} <= ? AND {t.n} IS NOT NULL)', [0.5]],
      ['n[range]=1,2', '({t.n} >= ? AND {t.n} <= ? AND {t.n} IS NOT NULL)', [1, 2]],
      [
        's[in]=x,y,z',
        `({t.s} IN (${exact}, ${exact}, ${exact}, ${exact}) AND {t.s} IS NOT NULL)`,
        ['x', 'y', 'z', 'z'],
      ],
      ['i[in]=1,2', `({t.i} ${listed('DOUBLE')} AND {t.i} IS NOT NULL)`, ['[1,2]']],
      [
        'd[in]=2024-01-02,2024-01-03',
        `({t.d} ${listed('DATE')} AND {t.d} IS NOT NULL)`,
        ['["2024-01-02","2024-01-03"]'],
      ],
      [
        `m[in]=${moment},2024-01-02T00:00:00Z`,
        `({t.m} ${listed('DATETIME(3)')} AND {t.m} IS NOT NULL)`,
        ['["2024-01-02 03:04:05.678","2024-01-02 00:00:00.000"]'],
      ],
      ['s[nin]=x,y', `(({t.s} IN (${exact}, ${exact})) IS NOT TRUE)`, ['x', 'y']],
      ['n[nin]=0.5,1', `(({t.n} ${listed('DOUBLE')}) IS NOT TRUE)`, ['[0.5,1]']],
      [
        's[startsWith]=%C3%89%25',
        `((${lower('{t.s}')} >= ? AND ${lower('{t.s}')} < ?) AND {t.s} IS NOT NULL)`,
        ['é%', 'é&'],
      ],
      ['s[endsWith]=%25_!%5CX', `(${like('{t.s}')} AND {t.s} IS NOT NULL)`, ['%!%!_!!\\x']],
      ['s[contains]=%25_!%5CX', `(${like('{t.s}')} AND {t.s} IS NOT NULL)`, ['%!%!_!!\\x%']],
      ['s[equalsIgnoreCase]=%C3%89%25', `(${lower('{t.s}')} = ? AND {t.s} IS NOT NULL)`, ['é%']],
      ['s[equalsIgnoreCase]=', `(${lower('{t.s}')} = ? AND {t.s} IS NOT NULL)`, ['']],
      [
        's[startsWithExact]=%C3%89%25',
        `(({t.s} >= ${exact} AND {t.s} < ${exact}) AND {t.s} IS NOT NULL)`,
        ['É%', 'É&'],
      ],
      ['s[startsWithExact]=', '({t.s} IS NOT NULL)', []],
      ['s[endsWithExact]=%25X', `({t.s} LIKE ${exact} ESCAPE '!' AND {t.s} IS NOT NULL)`, ['%!%X']],
      ['s[containsExact]=%25X', `({t.s} LIKE ${exact} ESCAPE '!' AND {t.s} IS NOT NULL)`, ['%!%X%']],
      ['s[doesNotContain]=x', `((${like('{t.s}')}) IS NOT TRUE)`, ['%x%']],

      ['j.s=x', `((${equal(textIn(member('s')))}) IS TRUE)`, twice('x')],
      ['j.i=5', `((${numberIn(member('i'))} = ?) IS TRUE)`, [5]],
      ['j.n=0.5', `((${numberIn(member('n'))} = ?) IS TRUE)`, [0.5]],
      ['j.b=true', `((${booleanIn(member('b'))} = ?) IS TRUE)`, [1]],
      ['j.d=2024-01-02', `((${equal(textIn(member('d')))}) IS TRUE)`, twice('2024-01-02')],
      [`j.m=${moment}`, `((${equal(textIn(member('m')))}) IS TRUE)`, twice(moment)],
      ['j.s[notEqual]=x', `(NOT (${textIn(member('s'))} <=> ${exact}))`, ['x']],
      ['j.i[notEqual]=5', `(NOT (${numberIn(member('i'))} <=> ?))`, [5]],
      ['j.s[gt]=x', `((${textIn(member('s'))} > ${exact}) IS TRUE)`, ['x']],
      ['j.i[in]=1,2', `((${numberIn(member('i'))} ${listed('DOUBLE')}) IS TRUE)`, ['[1,2]']],
      ['j.s[contains]=x', `((${like(textIn(member('s')))}) IS TRUE)`, ['%x%']],
      ['j.o.s=x', `((${equal(textIn(member('o', 's')))}) IS TRUE)`, twice('x')],
      ['j.b[exists]=false', `(${booleanIn(member('b'))} IS NULL)`],
      ['j[exists]=true', `(JSON_TYPE(${document('{t.j}')}) <=> 'OBJECT')`],
      ['j.o[exists]=false', `(NOT (JSON_TYPE(${member('o')}) <=> 'OBJECT'))`],

      ['l=x', asked(l, some(`${from(l)} WHERE ${equal(entry)}`)), [...whole('["x"]'), ...twice('x')]],
      ['l[nin]=x,y', top(none(`${from(l)} WHERE ${entry} IN (${exact}, ${exact})`)), ['x', 'y']],
      ['l[startsWith]=x', top(some(`${from(l)} WHERE (${lower(entry)} >= ? AND ${lower(entry)} < ?)`)), ['x', 'y']],
      [
        'j.l=5',
        asked(member('l'), some(`${from(member('l'))} WHERE ${numberIn('{e1.value}')} = ?`)),
        [...whole('[5]'), 5],
      ],
      ['j.l[gt]=5', top(some(`${from(member('l'))} WHERE ${numberIn('{e1.value}')} > ?`)), [5]],
      ['r.n=0.5', top(some(`${from(r)} WHERE ${numberIn(`JSON_EXTRACT({e1.value}, '$."n"')`)} = ?`)), [0.5]],
      [
        'r.l=x',
        asked(
          `JSON_EXTRACT(${r}, '$[*]."l"[*]')`,
          some(
            `${from(r)} WHERE ` +
              some(`${from(`JSON_EXTRACT({e1.value}, '$."l"')`, '{e2}')} WHERE ${equal(textIn('{e2.value}'))}`),
          ),
        ),
        [...whole('["x"]'), ...twice('x')],
      ],
      ['r[exists]=true', top(some(`${from(r)} WHERE JSON_TYPE({e1.value}) <=> 'OBJECT'`))],
      ['c=5', `EXISTS (SELECT 1 FROM {c} AS {e1} WHERE {e1.f} = {t.id} AND {e1.v} = ${integer})`, [5]],
    ]
  }

  const inSqlite = (): Rows => {
    const document = (column: string) => `CASE WHEN json_valid(${column}) THEN ${column} END`
    const member = (path: string, of = document('{t.j}')) => [`json_type(${of}, '${path}')`, `(${of}, '${path}')`]
    const textIn = ([type, at]: string[]) => `CASE ${type} WHEN 'text' THEN json_extract${at} END`
    const numberIn = ([type, at]: string[]) =>
      `CASE WHEN ${type} IN ('integer', 'real') THEN CAST(json_extract${at} AS REAL) END`
    const booleanIn = ([type]: string[]) => `CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
    const from = (column: string, path = '') =>
      `json_each(CASE WHEN json_valid(${column}) THEN CASE json_type(${column}${path}) WHEN 'array' THEN ${column} ELSE '[]' END ` +
      `ELSE '[]' END${path}) AS {e1}`
    const fromIn = (of: string, path: string, name: string) =>
      `json_each(CASE json_type(${of}, '${path}') WHEN 'array' THEN ${of} ELSE '[]' END, '${path}') AS ${name}`
    const among = 'IN (SELECT "value" FROM json_each(?))'
    const entry = (name: string) => `CASE ${name}."type" WHEN 'text' THEN ${name}."value" END`
    const inEntry = `CASE {e1}."type" WHEN 'object' THEN {e1}."value" END`
    return [
      ['s=x', '({t.s} COLLATE BINARY = ? AND {t.s} IS NOT NULL)', ['x']],
      ['i=5', '({t.i} = ? AND {t.i} IS NOT NULL)', [5]],
      ['b=true', '({t.b} = ? AND {t.b} IS NOT NULL)', [1]],
      ['d=2024-01-02', '({t.d} = ? AND {t.d} IS NOT NULL)', ['2024-01-02']],
      [`m=${moment}`, '({t.m} = ? AND {t.m} IS NOT NULL)', [moment]],
      ['s[notEqual]=x', '({t.s} COLLATE BINARY IS NOT ?)', ['x']],
      ['i[notEqual]=5', '({t.i} IS NOT ?)', [5]],
      ['s[gt]=x', '({t.s} COLLATE BINARY > ? AND {t.s} IS NOT NULL)', ['x']],
      ['d[lt]=2024-01-02', '({t.d} < ? AND {t.d} IS NOT NULL)', ['2024-01-02']],
      ['n[range]=1,2', '({t.n} >= ? AND {t.n} <= ? AND {t.n} IS NOT NULL)', [1, 2]],
      ['s[in]=x,y,z', '({t.s} COLLATE BINARY IN (?, ?, ?, ?) AND {t.s} IS NOT NULL)', ['x', 'y', 'z', 'z']],
      [
        's[in]=1,2,3,4,5,6,7,8,x',
        `({t.s} COLLATE BINARY ${among} AND {t.s} IS NOT NULL)`,
        ['["1","2","3","4","5","6","7","8","x"]'],
      ],
      ['i[in]=1,2', '({t.i} IN (?, ?) AND {t.i} IS NOT NULL)', [1, 2]],
      ...[
        [
          '9007199254740991,1152921504606847232,-1e18,1,2,3,4,5,6',
          '[9007199254740991,1.1529215046068472e+18,-1e+18,1,2,3,4,5,6]',
        ],
        ['9007199254740992,1e21,0.1,1,2,3,4,5,6', '[9.007199254740992e+15,1e+21,0.1,1,2,3,4,5,6]'],
      ].map(
        ([list, json]) => [`n[in]=${list}`, `({t.n} ${among} AND {t.n} IS NOT NULL)`, [json]] satisfies Rows[number],
      ),
      ['d[in]=2024-01-02,2024-01-03', '({t.d} IN (?, ?) AND {t.d} IS NOT NULL)', ['2024-01-02', '2024-01-03']],
      ['s[nin]=x,y', '(({t.s} COLLATE BINARY IN (?, ?)) IS NOT 1)', ['x', 'y']],
      ['s[startsWith]=%C3%89A%25', '((lower({t.s}) >= ? AND lower({t.s}) < ?) AND {t.s} IS NOT NULL)', ['Éa%', 'Éa&']],
      ['s[endsWith]=%25_!%5CX', '(substr(lower({t.s}), ?) = ? AND {t.s} IS NOT NULL)', [-5, '%_!\\x']],
      ['s[contains]=%25_!%5CX', '(instr(lower({t.s}), ?) > 0 AND {t.s} IS NOT NULL)', ['%_!\\x']],
      ['s[equalsIgnoreCase]=%C3%89A%25', '(lower({t.s}) = ? AND {t.s} IS NOT NULL)', ['Éa%']],
      ['s[equalsIgnoreCase]=', '(lower({t.s}) = ? AND {t.s} IS NOT NULL)', ['']],
      [
        's[startsWithExact]=%C3%89A%25',
        '(({t.s} COLLATE BINARY >= ? AND {t.s} COLLATE BINARY < ?) AND {t.s} IS NOT NULL)',
        ['ÉA%', 'ÉA&'],
      ],
      ['s[startsWithExact]=', '({t.s} IS NOT NULL)', []],
      ['s[endsWithExact]=%25X', '(substr({t.s}, ?) = ? AND {t.s} IS NOT NULL)', [-2, '%X']],
      ['s[containsExact]=%25X', '(instr({t.s}, ?) > 0 AND {t.s} IS NOT NULL)', ['%X']],
      ['s[doesNotContain]=x', '((instr(lower({t.s}), ?) > 0) IS NOT 1)', ['x']],

      ['j.s=x', `((${textIn(member('$."s"'))} COLLATE BINARY = ?) IS 1)`, ['x']],
      ['j.i=5', `((${numberIn(member('$."i"'))} = ?) IS 1)`, [5]],
      ['j.b=true', `((${booleanIn(member('$."b"'))} = ?) IS 1)`, [1]],
      ['j.d=2024-01-02', `((${textIn(member('$."d"'))} = ?) IS 1)`, ['2024-01-02']],
      ['j.s[notEqual]=x', `(${textIn(member('$."s"'))} COLLATE BINARY IS NOT ?)`, ['x']],
      ['j.i[in]=1,2', `((${numberIn(member('$."i"'))} IN (?, ?)) IS 1)`, [1, 2]],
      ['j.s[contains]=x', `((instr(lower(${textIn(member('$."s"'))}), ?) > 0) IS 1)`, ['x']],
      ['j.o.s=x', `((${textIn(member('$."o"."s"'))} COLLATE BINARY = ?) IS 1)`, ['x']],
      ['j.b[exists]=false', `(${booleanIn(member('$."b"'))} IS NULL)`],
      ['j[exists]=true', `(json_type(${document('{t.j}')}) IS 'object')`],
      ['j.o[exists]=false', `(NOT (json_type(${document('{t.j}')}, '$."o"') IS 'object'))`],

      ['l=x', `EXISTS (SELECT 1 FROM ${from('{t.l}')} WHERE ${entry('{e1}')} COLLATE BINARY = ?)`, ['x']],
      [
        'j.l=5',
        `EXISTS (SELECT 1 FROM ${from('{t.j}', `, '$."l"'`)} ` +
          `WHERE CASE WHEN {e1}."type" IN ('integer', 'real') THEN CAST({e1}."value" AS REAL) END = ?)`,
        [5],
      ],
      ['r.n=0.5', `EXISTS (SELECT 1 FROM ${from('{t.r}')} WHERE ${numberIn(member('$."n"', inEntry))} = ?)`, [0.5]],
      [
        'r.l=x',
        `EXISTS (SELECT 1 FROM ${from('{t.r}')} WHERE EXISTS (SELECT 1 FROM ${fromIn(inEntry, '$."l"', '{e2}')} ` +
          `WHERE ${entry('{e2}')} COLLATE BINARY = ?))`,
        ['x'],
      ],
      ['r[exists]=true', `EXISTS (SELECT 1 FROM ${from('{t.r}')} WHERE {e1}."type" IS 'object')`],
      ['c=5', 'EXISTS (SELECT 1 FROM {c} AS {e1} WHERE {e1.f} = {t.id} AND {e1.v} = ?)', [5]],
    ]
  }

  const inDuckdb = (): Rows => {
    const member = (...names: string[]) => names.reduce((json, name) => `json_extract(${json}, '$."${name}"')`, '{t.j}')
    const textIn = (json: string) =>
      `CASE WHEN json_type(${json}) IN ('VARCHAR') THEN json_extract_string(${json}, '$') END`
    const numberIn = (json: string) =>
      `CASE WHEN json_type(${json}) IN ('UBIGINT', 'BIGINT', 'DOUBLE') THEN TRY_CAST(${json} AS DOUBLE) END`
    const booleanIn = (json: string) => `CASE WHEN json_type(${json}) IN ('BOOLEAN') THEN CAST(${json} AS BOOLEAN) END`
    const from = (list: string, name = '{e1}') => `unnest(json_extract(${list}, '$[*]')) AS ${name}("value")`
    const entry = '{e1}."value"'
    return [
      ['s=x', '({t.s} = $1::text AND {t.s} IS NOT NULL)', ['x']],
      [`m=${moment}`, '({t.m} = $1::timestamptz AND {t.m} IS NOT NULL)', [moment]],
      ['s[notEqual]=x', '(({t.s} = $1::text) IS NOT TRUE)', ['x']],
      ['i[notEqual]=5', '(({t.i} = $1::bigint) IS NOT TRUE)', [5]],
      ['s[gt]=x', '({t.s} > $1::text AND {t.s} IS NOT NULL)', ['x']],
      ['s[nin]=x,y', '(({t.s} IS NULL OR NOT ({t.s} = ANY($1::text[]))))', [['x', 'y']]],
      [
        's[startsWith]=%C3%89%25',
        '((lower({t.s}) >= $1::text AND lower({t.s}) < $2::text) AND {t.s} IS NOT NULL)',
        ['é%', 'é&'],
      ],
      ['s[endsWith]=%25_!%5CX', '(suffix(lower({t.s}), $1::text) AND {t.s} IS NOT NULL)', ['%_!\\x']],
      ['s[contains]=%25_!%5CX', '(contains(lower({t.s}), $1::text) AND {t.s} IS NOT NULL)', ['%_!\\x']],
      ['s[equalsIgnoreCase]=X', '(lower({t.s}) = $1::text AND {t.s} IS NOT NULL)', ['x']],
      ['s[startsWithExact]=X', '(({t.s} >= $1::text AND {t.s} < $2::text) AND {t.s} IS NOT NULL)', ['X', 'Y']],
      ['s[doesNotContain]=x', '(({t.s} IS NULL OR NOT (contains(lower({t.s}), $1::text))))', ['x']],

      ['j.s=x', `((${textIn(member('s'))} = $1::text) IS TRUE)`, ['x']],
      ['j.i=5', `((${numberIn(member('i'))} = $1::double precision) IS TRUE)`, [5]],
      ['j.n=0.5', `((${numberIn(member('n'))} = $1::double precision) IS TRUE)`, [0.5]],
      ['j.b=true', `((${booleanIn(member('b'))} = $1::boolean) IS TRUE)`, [true]],
      ['j.s[notEqual]=x', `((${textIn(member('s'))} = $1::text) IS NOT TRUE)`, ['x']],
      ['j.o.s=x', `((${textIn(member('o', 's'))} = $1::text) IS TRUE)`, ['x']],
      ['j[exists]=true', "(json_type({t.j}) IS NOT DISTINCT FROM 'OBJECT')"],
      ['j.o[exists]=false', `(NOT (json_type(${member('o')}) IS NOT DISTINCT FROM 'OBJECT'))`],

      ['l=x', `EXISTS (SELECT 1 FROM ${from('{t.l}')} WHERE ${textIn(entry)} = $1::text)`, ['x']],
      ['j.l=5', `EXISTS (SELECT 1 FROM ${from(member('l'))} WHERE ${numberIn(entry)} = $1::double precision)`, [5]],
      [
        'r.l=x',
        `EXISTS (SELECT 1 FROM ${from('{t.r}')} WHERE EXISTS (SELECT 1 FROM ` +
          `${from(`json_extract(${entry}, '$."l"')`, '{e2}')} WHERE ${textIn('{e2}."value"')} = $1::text))`,
        ['x'],
      ],
    ]
  }

  /** Turso has the text of SQLite, but for lists of operands and for values that are entries of JSON. */
  const inTurso = (): Rows => {
    const from = (column: string) =>
      `json_each(CASE WHEN json_valid(${column}) THEN CASE json_type(${column}) WHEN 'array' THEN ${column} ELSE '[]' END ` +
      `ELSE '[]' END) AS {e1}`
    const value = `CASE {e1}."type" WHEN 'text' THEN json_extract('"' || {e1}."value" || '"', '$') ELSE {e1}."value" END`
    const inEntry = `CASE {e1}."type" WHEN 'object' THEN {e1}."value" END, '$."s"'`
    const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    return [
      ['s[in]=x,y,z', '({t.s} COLLATE BINARY IN (?, ?, ?, ?) AND {t.s} IS NOT NULL)', ['x', 'y', 'z', 'z']],
      ['d[in]=2024-01-02,2024-01-03', '({t.d} IN (?, ?) AND {t.d} IS NOT NULL)', ['2024-01-02', '2024-01-03']],
      [
        `i[in]=${nine.join()}`,
        `({t.i} IN (${Array.from({ length: 16 }, () => '?').join(', ')}) AND {t.i} IS NOT NULL)`,
        [...nine, ...Array.from({ length: 7 }, () => 9)],
      ],
      [
        'l=x',
        `EXISTS (SELECT 1 FROM ${from('{t.l}')} WHERE CASE {e1}."type" WHEN 'text' THEN ${value} END COLLATE BINARY = ?)`,
        ['x'],
      ],
      [
        'r.s=x',
        `EXISTS (SELECT 1 FROM ${from('{t.r}')} WHERE CASE json_type(${inEntry}) WHEN 'text' THEN ` +
          `json_extract(${inEntry}) END COLLATE BINARY = ?)`,
        ['x'],
      ],
    ]
  }

  const ofMysql = inMysql({
    collation: 'utf8mb4_0900_bin',
    equal: (value) => `(${value} = ? AND ${value} = ? COLLATE utf8mb4_0900_bin)`,
    sameTime: (value) =>
      `(${value} = CAST(? AS DATETIME(3)) AND CAST(${value} AS DATETIME(6)) = CAST(? AS DATETIME(3)))`,
    twice: (value) => [value, value],
    document: (column) => column,
    unquoted: (json) => `JSON_UNQUOTE(${json})`,
    lowerable: (text) =>
      `REPLACE(REPLACE(${text}, _utf8mb4 0xc8ba, _utf8mb4 0xe2b1a5), _utf8mb4 0xc8be, _utf8mb4 0xe2b1a6)`,
    integer: '?',
    some: (rows) => `EXISTS (SELECT 1 FROM ${rows}) = TRUE`,
    none: (rows) => `EXISTS (SELECT 1 FROM ${rows}) = FALSE`,
    hasLists: true,
  })
  const ofMariadb = inMysql({
    collation: 'utf8mb4_nopad_bin',
    equal: (value) => `${value} = ? COLLATE utf8mb4_nopad_bin`,
    sameTime: (value) => `${value} = CAST(? AS DATETIME(3))`,
    twice: (value) => [value],
    document: (column) => `CASE WHEN JSON_VALID(${column}) THEN ${column} END`,
    unquoted: (json) => `JSON_UNQUOTE(${json}) COLLATE utf8mb4_nopad_bin`,
    lowerable: (text) => text,
    integer: 'CAST(? AS DOUBLE)',
    some: (rows) => `EXISTS (SELECT 1 FROM ${rows})`,
    none: (rows) => `NOT EXISTS (SELECT 1 FROM ${rows})`,
    hasLists: false,
  })
  describe.each<{ dialect: Dialect; rows: Rows }>([
    { dialect: postgres, rows: inPostgres() },
    { dialect: mysql, rows: ofMysql },
    { dialect: mariadb, rows: ofMariadb },
    { dialect: sqlite, rows: inSqlite() },
    { dialect: turso, rows: inTurso() },
    { dialect: duckdb, rows: inDuckdb() },
  ])('$dialect.name', ({ dialect, rows }) => {
    test.each<Rows[number]>([...common, ...rows])('%s', (query, text, parameters = []) => {
      const condition = sqlBackend({ dialect, table: mapped }).compile(parseFilterOrThrow(written, query))
      expect(condition.text).toBe(quotedBy(dialect.quote, text))
      expect(condition.parameters).toEqual(parameters)
    })
  })

  test('of letters that MariaDB and DuckDB do not lower-case keeps them', () => {
    const filter = match(['s'], 'suffix', 'AÉ\u{10400}')
    const parameters = (dialect: Dialect, asked = filter) =>
      sqlBackend({ dialect, table: mapped }).compile(asked).parameters
    expect(parameters(mariadb)).toEqual(['%aé\u{10400}'])
    expect(parameters(mysql)).toEqual(['%aé\u{10428}'])
    // A letter of Unicode 16, and its neighbour of Unicode 9.
    const newer = match(['s'], 'suffix', 'A\u1c89\ua7ae')
    expect(parameters(duckdb, newer)).toEqual(['a\u1c89\u026a'])
  })

  test('of several conditions on an entry of JSON has those beside it that an index serves', () => {
    const compile = (query: string, dialect = postgres) =>
      sqlBackend({ dialect, table: mapped }).compile(parseFilterOrThrow(written, query))
    const beside = compile('r.s=x&r.n[gt]=0.5&r.i[in]=1,2')
    expect(beside.text).toMatch(
      /^\("t"\."r" @> \$1::text::jsonb AND "t"\."r" @> ANY\(\$2::text\[\]::jsonb\[\]\) AND EXISTS \(SELECT 1 FROM /,
    )
    expect(beside.parameters.slice(0, 2)).toEqual(['[{"s":"x"}]', ['[{"i":1}]', '[{"i":2}]']])
    const names = compile('r.s=x&r.n[gt]=0.5', mysql)
    expect(names.text).toMatch(
      /^\(JSON_OVERLAPS\(JSON_EXTRACT\(`t`\.`r`, '\$\[\*\]\."s"'\), CAST\(\? AS JSON\)\) AND EXISTS /,
    )
    expect(names.parameters[0]).toBe('["x"]')
    // Outside, a row without such an entry need not pass what one with it does.
    const without = not(parseFilterOrThrow(written, 'r.s=x&r.n[gt]=0.5'))
    for (const dialect of [postgres, mysql])
      expect(sqlBackend({ dialect, table: mapped }).compile(without).text).not.toMatch(/@>|OVERLAPS/)
  })

  test('of native arrays', () => {
    const arrays = table('t', { columns: { a: arrayColumn('a'), u: arrayColumn('u', { type: 'uuid' }) } })
    const textOf = (filter: Filter) => sqlBackend({ dialect: postgres, table: arrays }).compile(filter).text
    expect(textOf(some(['a'], comparison([], 'eq', text('x'))))).toBe(
      '("t"."a"::text[] && $1::text[] AND "t"."a" IS NOT NULL)',
    )
    expect(textOf(not(some(['a'], membership([], [text('x'), text('y')]))))).toBe(
      '(("t"."a" IS NULL OR NOT ("t"."a"::text[] && $1::text[])))',
    )
    expect(textOf(some(['a'], and(comparison([], 'eq', text('x')), match([], 'prefix', 'x'))))).toMatch(
      /^\("t"\."a"::text\[\] && \$1::text\[\] AND EXISTS \(SELECT 1 FROM unnest\("t"\."a"\)/,
    )
    expect(textOf(not(some(['a'], comparison([], 'gt', { type: 'integer', value: 1 }))))).toBe(
      'NOT EXISTS (SELECT 1 FROM unnest("t"."a") AS "e1"("value") WHERE "e1"."value" > $1::bigint)',
    )
    expect(textOf(some(['u'], presence([], 'string')))).toBe(
      'EXISTS (SELECT 1 FROM unnest("t"."u") AS "e1"("value") WHERE "e1"."value" IS NOT NULL)',
    )
    expect(textOf(some(['u'], match([], 'suffix', 'x')))).toContain('lower("e1"."value"::text COLLATE "default")')
  })

  test('of a bigint and a uuid in JSON', () => {
    const textOf = (type: 'bigint' | 'uuid', dialect = duckdb) => {
      const { compile } = sqlBackend({ dialect, table: table('t', { columns: { j: jsonColumn('j') } }) })
      return compile(presence(['j', 'v'], type)).text
    }
    const json = `json_extract("t"."j", '$."v"')`
    const inText = (read: string) => `CASE WHEN json_type(${json}) IN ('VARCHAR') THEN ${read} END`
    const digits = `json_extract_string(${json}, '$')`
    expect(textOf('uuid')).toBe(`(${inText(`lower(${digits})`)} IS NOT NULL)`)
    const number = `TRY_CAST(${json} AS DOUBLE)`
    const at = `(CASE WHEN json_valid("t"."j") THEN "t"."j" END, '$."v"')`
    expect(textOf('uuid', sqlite)).toBe(
      `(CASE json_type${at} WHEN 'text' THEN lower(json_extract${at}) END IS NOT NULL)`,
    )
    const integer = `CAST(json_extract${at} AS INTEGER)`
    expect(textOf('bigint', sqlite)).toBe(
      `(CASE WHEN json_type${at} = 'text' AND json_extract${at} IN (CAST(${integer} AS TEXT), '-0') ` +
        `OR (json_type${at} IN ('integer', 'real') AND json_extract${at} BETWEEN -9007199254740991 AND 9007199254740991 ` +
        `AND json_extract${at} = ${integer}) THEN ${integer} END IS NOT NULL)`,
    )
    expect(textOf('bigint').replaceAll(/\s+/g, ' ')).toBe(
      `(CASE WHEN regexp_full_match(${inText(digits)}, '-?(0|[1-9][0-9]{0,18})') THEN TRY_CAST(${inText(digits)} AS BIGINT) ` +
        `WHEN json_type(${json}) IN ('UBIGINT', 'BIGINT', 'DOUBLE') AND trunc(${number}) = ${number} ` +
        `AND abs(${number}) <= 9007199254740991 THEN TRY_CAST(${number} AS BIGINT) END IS NOT NULL)`,
    )
  })

  test('of names with a quotation mark, and of members with an apostrophe', () => {
    const odd = table('t', { columns: { a: 'a"b`c', j: jsonColumn('j') } })
    const textOf = (dialect: Dialect, path: string[]) =>
      sqlBackend({ dialect, table: odd }).compile(presence(path, 'string')).text
    expect(textOf(postgres, ['a'])).toBe('("t"."a""b`c" IS NOT NULL)')
    expect(textOf(mysql, ['a'])).toBe('(`t`.`a"b``c` IS NOT NULL)')
    expect(textOf(postgres, ['j', "it's"])).toContain(`jsonb_typeof("t"."j" -> 'it''s')`)
    expect(textOf(sqlite, ['j', "it's"])).toContain(`'$."it''s"'`)
    expect(textOf(duckdb, ['j', "it's"])).toContain(`json_type(json_extract("t"."j", '$."it''s"'))`)
    expect(textOf(duckdb, ['j', 'a"\\b'])).toContain(String.raw`json_type(json_extract("t"."j", '$."a\"\\b"'))`)
    // A star in quotes is every member.
    expect(textOf(duckdb, ['j', '*'])).toContain(`json_type(json_extract("t"."j", '/*'))`)
    // SQLite 3.46 finds no member by a quotation mark behind a backslash.
    expect(textOf(sqlite, ['j', 'a"b', '\\"'])).toContain(String.raw`'$."a\u0022b"."\\\u0022"'`)
  })
})

describe('groups', () => {
  const of = (path: string, operator: 'eq' | 'gt' = 'eq') => comparison([path], operator, text('x'))
  const bare = sqlBackend({ dialect: postgres, table: table('t') })
  const mixed = sqlBackend({
    dialect: postgres,
    table: table('t', {
      key: 'id',
      columns: { a: 'a', b: 'b', l: childTable('l', { foreignKey: 'f', columns: { a: 'a', b: 'b' } }) },
    }),
  })
  const [a, b, c] = [of('a'), of('b'), of('c')]
  test.each<[string, Filter, string]>([
    ['and', and(a, b), '("t"."a" = $1::text AND "t"."b" = $2::text AND "t"."a" IS NOT NULL AND "t"."b" IS NOT NULL)'],
    ['or', or(a, not(b)), '(("t"."a" = $1::text AND "t"."a" IS NOT NULL) OR "t"."b" IS DISTINCT FROM $2::text)'],
    [
      'or in and',
      and(or(not(a), not(b)), not(c)),
      '(("t"."a" IS DISTINCT FROM $1::text OR "t"."b" IS DISTINCT FROM $2::text) ' +
        'AND "t"."c" IS DISTINCT FROM $3::text)',
    ],
    [
      'and of tests that are never NULL, in or',
      or(and(not(a), not(b)), not(c)),
      '(("t"."a" IS DISTINCT FROM $1::text AND "t"."b" IS DISTINCT FROM $2::text) ' +
        'OR "t"."c" IS DISTINCT FROM $3::text)',
    ],
    [
      'one column twice',
      and(of('a', 'gt'), a),
      '("t"."a" COLLATE "C" > $1::text AND "t"."a" = $2::text AND "t"."a" IS NOT NULL)',
    ],
    [
      'or of one entry',
      some(['l'], or(a, b)),
      'EXISTS (SELECT 1 FROM "l" AS "e1" WHERE "e1"."f" = "t"."id" AND ("e1"."a" = $1::text OR "e1"."b" = $2::text))',
    ],
    [
      'and in or of one entry',
      some(['l'], or(and(a, of('a', 'gt')), b)),
      'EXISTS (SELECT 1 FROM "l" AS "e1" WHERE "e1"."f" = "t"."id" ' +
        'AND (("e1"."a" = $1::text AND "e1"."a" COLLATE "C" > $2::text) OR "e1"."b" = $3::text))',
    ],
    ['any entry', some(['l'], and()), 'EXISTS (SELECT 1 FROM "l" AS "e1" WHERE "e1"."f" = "t"."id")'],
    ['a text in every text', match(['a'], 'substring', ''), '("t"."a" IS NOT NULL)'],
    ['a text in no text', not(match(['a'], 'prefix', '')), '("t"."a" IS NULL)'],
  ])('%s', (_, filter, written) => {
    expect(mixed.compile(filter).text).toBe(written)
  })

  test('have no constants in them', () => {
    const group = (kind: 'and' | 'or', ...filters: Filter[]): Filter => ({ kind, filters })
    const alone = mixed.compile(a).text
    const [TRUE, FALSE] = [group('and'), group('or')]
    expect(mixed.compile(group('and', TRUE, a)).text).toBe(alone)
    expect(mixed.compile(group('and', a, TRUE, b)).text).toBe(mixed.compile(and(a, b)).text)
    expect(mixed.compile(group('and', a, FALSE, b)).text).toBe('(1 = 0)')
    expect(mixed.compile(group('or', FALSE, a)).text).toBe(alone)
    expect(mixed.compile(group('or', a, FALSE, b)).text).toBe(mixed.compile(or(a, b)).text)
    expect(mixed.compile(group('or', a, TRUE, b)).text).toBe('(1 = 1)')
  })

  test('of entries in JSON need neither tests nor a schema', () => {
    const list = sqlBackend({ dialect: postgres, table: table('t', { columns: { l: jsonColumn('l') } }) })
    expect(list.compile(some(['l'], and())).text).toBe(
      `EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof("t"."l") WHEN 'array' THEN "t"."l" END) ` +
        'AS "e1"("value"))',
    )
    expect(list.compile(some(['l'], presence(['a'], 'boolean'))).text).toContain(`"e1"."value" -> 'a'`)
  })

  test('look once at a column of the schema, however its path came', () => {
    const compiled = compile(and(comparison(['seller'], 'gt', text('a')), comparison(['seller'], 'lt', text('b'))))
    expect(compiled.text.match(/IS NOT NULL/g)).toHaveLength(1)
  })

  test('ask a column once whether it is NULL, whether the mapping names it or only the filter', () => {
    expect(bare.compile(and(of('x', 'gt'), of('x'))).text.match(/IS NOT NULL/g)).toHaveLength(1)
  })
})

describe('a filter that reads a field as another type', () => {
  test('is refused where there is a schema, with the place of the node in the query', () => {
    const span = { start: 2, end: 9 }
    const wrong: Filter = { kind: 'comparison', path: ['total'], operator: 'lt', operand: text(''), span }
    const issues = [
      expect.objectContaining({ code: 'backend_unsupported', fault: 'server', span }) as unknown,
      expect.not.objectContaining({ span: expect.anything() as unknown }) as unknown,
    ]
    for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb])
      expect(() => compile(and(wrong, presence(['day'], 'datetime')), dialect)).toThrow(
        expect.objectContaining({ issues }),
      )
  })
  test('goes by the types of the dialect without one', () => {
    const { compile } = sqlBackend({ dialect: sqlite, table: table('t') })
    expect(compile(comparison(['amount'], 'lt', text(''))).text).toContain('"amount" COLLATE BINARY < ?')
  })
})

describe('a row of a child table is an entry, whatever its columns hold', () => {
  const mapped = (own?: typeof schema) => table('t', { key: 'id', columns, ...(own && { schema: own }) })
  test.each([
    ['with a schema', mapped(schema)],
    ['without', mapped()],
  ])('%s', (_, mapped) => {
    for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb]) {
      const { compile } = sqlBackend({ dialect, table: mapped })
      const any = compile(some(['items'], and())).text
      expect(any).toMatch(/^EXISTS \(SELECT 1 FROM .order_items. AS .e1. WHERE .e1.\..order_id. = .t.\..id.\)$/)
      const isThere = some(['items'], presence([], 'object'))
      expect(compile(isThere).text).toBe(any)
      expect(compile(not(isThere)).text).toBe(`NOT ${any}`)
      expect(compile(some(['items'], not(presence([], 'object')))).text).toBe('(1 = 0)')
      expect(compile(presence([], 'object')).text).toBe('(1 = 1)')
    }
  })
})

describe('a path', () => {
  const inRows = table('t', {
    key: 'id',
    columns: {
      l: childTable('l', { foreignKey: 'f', key: 'k', columns: { m: childTable('m', { foreignKey: 'f' }) } }),
    },
  })
  const { compile: compileIn } = sqlBackend({ dialect: postgres, table: inRows })

  test('is looked for where it stands, though another has it as well', () => {
    const path = Object.freeze(['x'])
    const leaf: Filter = { kind: 'presence', path, type: 'string' }
    expect(compileIn(and(leaf, some(['l'], leaf), leaf)).text).toBe(
      '("t"."x" IS NOT NULL AND EXISTS (SELECT 1 FROM "l" AS "e1" WHERE "e1"."f" = "t"."id" ' +
        'AND "e1"."x" IS NOT NULL) AND "t"."x" IS NOT NULL)',
    )
  })

  test('that changes is looked for again', () => {
    const path = ['x']
    const leaf: Filter = { kind: 'presence', path, type: 'string' }
    expect(compileIn(leaf).text).toBe('("t"."x" IS NOT NULL)')
    path[0] = 'y'
    expect(compileIn(leaf).text).toBe('("t"."y" IS NOT NULL)')
  })

  test('through two lists gives each a name', () => {
    expect(compileIn(some(['l'], some(['m'], presence(['x'], 'string')))).text).toBe(
      'EXISTS (SELECT 1 FROM "l" AS "e1" WHERE "e1"."f" = "t"."id" ' +
        'AND EXISTS (SELECT 1 FROM "m" AS "e2" WHERE "e2"."f" = "e1"."k" AND "e2"."x" IS NOT NULL))',
    )
  })

  test('begins at the last part of a qualified name', () => {
    const named = (name: string[]) =>
      sqlBackend({ dialect: postgres, table: table(name) }).compile(presence(['x'], 'string')).text
    expect(named(['t'])).toBe('("t"."x" IS NOT NULL)')
    expect(named(['d', 's', 't'])).toBe('("t"."x" IS NOT NULL)')
  })

  test.each<[string, Filter]>([
    ['a list that the schema does not have', some(['nope'], and())],
    ['an object that the schema does not have', presence(['nope'], 'object')],
    ['a list of rows, as an object', presence(['items'], 'object')],
    ['a scalar, as an object', presence(['seller'], 'object')],
    ['a list of rows, as a text', presence(['items'], 'string')],
  ])('to %s is refused', (_, filter) => {
    expect(() => compile(filter)).toThrow(FilterError)
    expect(() => compile(not(filter))).toThrow(FilterError)
  })
})

test('one child table may stand in two lists of different keys', () => {
  const shared = childTable('m', { foreignKey: 'f' })
  const list = (name: string, key: string) => childTable(name, { foreignKey: 'o', key, columns: { m: shared } })
  const twice = table('t', { key: 'id', columns: { a: list('a', 'ak'), b: list('b', 'bk') } })
  const { compile } = sqlBackend({ dialect: postgres, table: twice })
  const inside = (name: string) => compile(some([name], some(['m'], presence(['c'], 'string')))).text
  for (let time = 0; time < 2; time++) {
    expect(inside('a')).toContain('"e2"."f" = "e1"."ak"')
    expect(inside('b')).toContain('"e2"."f" = "e1"."bk"')
  }
})

describe('a parent table', () => {
  const fields = defineSchema({
    id: field.integer(),
    total: field.number(),
    customer: field.object({
      name: field.string(),
      tier: field.integer(),
      tags: field.list(field.string()),
      extra: field.object({ note: field.string() }),
      country: field.object({ code: field.string(), name: field.string() }),
    }),
    items: field.list(field.object({ product: field.object({ name: field.string(), size: field.integer() }) })),
  })
  const mapping: ColumnOptions = {
    customer: parentTable(['crm', 'customers'], {
      key: 'no',
      foreignKey: 'customer_no',
      columns: {
        name: column('full_name', { notNull: true }),
        tags: childTable('tags', { foreignKey: 'owner', value: 'tag' }),
        extra: jsonColumn('extra'),
        country: parentTable('countries', { key: ['area', 'code'], foreignKey: ['area', 'country'] }),
      },
    }),
    items: childTable('items', {
      foreignKey: 'order_id',
      columns: { product: parentTable('products', { key: 'id', foreignKey: 'product_id' }) },
    }),
  }
  const mapped = table('orders', { schema: fields, key: 'id', columns: mapping })
  const backend = sqlBackend({ dialect: postgres, table: mapped })
  const textOf = (query: string) => backend.compile(parseFilterOrThrow(fields, query)).text
  const customers = 'FROM "crm"."customers" AS "e1" WHERE "e1"."no" = "orders"."customer_no"'
  const countries = 'FROM "countries" AS "e2" WHERE "e2"."area" = "e1"."area" AND "e2"."code" = "e1"."country"'
  const products = 'FROM "products" AS "e2" WHERE "e2"."id" = "e1"."product_id"'
  const items = 'FROM "items" AS "e1" WHERE "e1"."order_id" = "orders"."id"'

  test.each<[query: string, text: string]>([
    ['customer.tier=1', `EXISTS (SELECT 1 ${customers} AND "e1"."tier" = $1::bigint)`],
    ['customer.tier[notEqual]=1', `NOT EXISTS (SELECT 1 ${customers} AND "e1"."tier" = $1::bigint)`],
    ['customer.tier[exists]=false', `NOT EXISTS (SELECT 1 ${customers} AND "e1"."tier" IS NOT NULL)`],
    // Whatever is never NULL there is missing where the row is.
    ['customer.name[exists]=true', `EXISTS (SELECT 1 ${customers})`],
    ['customer[exists]=true', `EXISTS (SELECT 1 ${customers})`],
    ['customer[exists]=false', `NOT EXISTS (SELECT 1 ${customers})`],
    [
      'customer.tags=x',
      `EXISTS (SELECT 1 ${customers} AND EXISTS (SELECT 1 FROM "tags" AS "e2" WHERE "e2"."owner" = "e1"."no" AND "e2"."tag" = $1::text))`,
    ],
    [
      'customer.extra[exists]=true',
      `EXISTS (SELECT 1 ${customers} AND jsonb_typeof("e1"."extra") IS NOT DISTINCT FROM 'object')`,
    ],
    [
      'customer.country.code=AT',
      `EXISTS (SELECT 1 ${customers} AND EXISTS (SELECT 1 ${countries} AND "e2"."code" = $1::text))`,
    ],
    ['customer.country[exists]=false', `NOT EXISTS (SELECT 1 ${customers} AND EXISTS (SELECT 1 ${countries}))`],
    [
      'items.product.size=1',
      `EXISTS (SELECT 1 ${items} AND EXISTS (SELECT 1 ${products} AND "e2"."size" = $1::bigint))`,
    ],
  ])('%s asks with EXISTS, which is never NULL', (query, text) => {
    expect(textOf(query)).toBe(text)
  })

  test('is asked once in a group, for what it must be, and once for each complement', () => {
    expect(textOf('customer.tier[range]=1,5&total=2&customer.country.code=AT&customer.country.name=x')).toBe(
      `(EXISTS (SELECT 1 ${customers} AND "e1"."tier" >= $1::bigint AND "e1"."tier" <= $2::bigint ` +
        `AND EXISTS (SELECT 1 ${countries} AND "e2"."code" = $3::text AND "e2"."name" = $4::text)) ` +
        'AND "orders"."total" = $5::double precision AND "orders"."total" IS NOT NULL)',
    )
    expect(textOf('customer.tier[notEqual]=1&customer.tier[nin]=2,3')).toBe(
      `(NOT EXISTS (SELECT 1 ${customers} AND "e1"."tier" = $1::bigint) ` +
        `AND NOT EXISTS (SELECT 1 ${customers} AND "e1"."tier" = ANY($2::bigint[])))`,
    )
    const tier = (value: number) => comparison(['customer', 'tier'], 'eq', { type: 'integer', value })
    const either = `SELECT 1 ${customers} AND ("e1"."tier" = $1::bigint OR "e1"."tier" = $2::bigint)`
    expect(backend.compile(or(tier(1), tier(2))).text).toBe(`EXISTS (${either})`)
    expect(backend.compile(not(or(tier(1), tier(2)))).text).toBe(`NOT EXISTS (${either})`)
    const both = `SELECT 1 ${customers} AND "e1"."tier" = $1::bigint AND "e1"."tier" = $2::bigint`
    expect(backend.compile(not(and(tier(1), tier(2)))).text).toBe(`NOT EXISTS (${both})`)
    const twice = tier(1)
    expect(backend.compile(and(twice, twice)).parameters).toEqual([1, 1])
  })

  test('is false for what nothing can be', () => {
    const none = membership(['customer', 'name'], [])
    expect(backend.compile(none).text).toBe('(1 = 0)')
    expect(backend.compile(not(none)).text).toBe('(1 = 1)')
  })

  const collection = defineCollection(fields, {
    key: 'id',
    sort: ['customer.country.code', 'customer.name', 'customer.tier'],
    fields: true,
  })
  const queryOf = (query: string) => backend.compileQuery(parseQueryOrThrow(collection, query))
  const name = `(SELECT "e1"."full_name" ${customers})`
  const code = `(SELECT (SELECT "e2"."code" ${countries}) ${customers})`

  test('is read for an order, where no row is NULL, whatever its column is declared', () => {
    expect(queryOf('sort=customer.name,-customer.country.code&limit=5').text).toBe(
      `ORDER BY ${name} COLLATE "C" ASC NULLS FIRST, ${code} COLLATE "C" DESC NULLS LAST, ` +
        '"orders"."id" DESC LIMIT $1::bigint',
    )
  })

  test('is where a page begins', () => {
    const query = { ...parseQueryOrThrow(collection, 'sort=customer.tier&limit=5') }
    const position = {
      toward: 'next',
      values: [
        { type: 'integer', value: 7 },
        { type: 'integer', value: 3 },
      ],
    } as const
    const tier = `(SELECT "e1"."tier" ${customers})`
    expect(backend.compileQuery({ ...query, position }).text).toBe(
      `WHERE (${tier}, "orders"."id") > ($1::bigint, $2::bigint) ` +
        `ORDER BY ${tier} ASC NULLS FIRST, "orders"."id" ASC LIMIT $3::bigint`,
    )
  })

  test('is among the tables, and the columns that refer to it are among the columns', () => {
    const own = (names: string[]) => names.map((name) => `"orders"."${name}"`)
    const all = ['"crm"."customers"', '"tags"', '"countries"', '"items"', '"products"']
    expect(queryOf('')).toMatchObject({ columns: own(['customer_no', 'id', 'total']), tables: all })
    expect(queryOf('fields=total&sort=customer.country.code')).toMatchObject({
      columns: own(['total', 'customer_no', 'id']),
      tables: ['"crm"."customers"', '"countries"'],
    })
    expect(queryOf('fields=customer.country.code')).toMatchObject({
      columns: own(['customer_no', 'id']),
      tables: ['"crm"."customers"', '"countries"'],
    })
    // What an entry refers to is not a column of the table.
    expect(queryOf('fields=items.product.name')).toMatchObject({
      columns: own(['id']),
      tables: ['"items"', '"products"'],
    })
  })

  test.each<[string, Filter, string]>([
    ['a value of it', comparison(['customer'], 'eq', text('x')), 'customer'],
    ['entries of it', some(['customer'], and()), 'customer'],
    ['an object of it that is not mapped', presence(['customer', 'other', 'name'], 'string'), 'customer.other.name'],
    ['a list of it that is not mapped', some(['customer', 'notes'], and()), 'customer.notes'],
  ])('%s is refused, without a schema too', (_, filter, name) => {
    const bare = sqlBackend({ dialect: postgres, table: table('orders', { key: 'id', columns: mapping }) })
    expect(() => backend.compile(filter)).toThrow(FilterError)
    expect(() => bare.compile(filter)).toThrow(`${name} is not stored where postgres can reach it`)
  })

  test('is found inside an object, and beside a list', () => {
    const parent = parentTable('owners', { key: 'id', foreignKey: 'owner_id' })
    const list = childTable('entries', { foreignKey: 'of', columns: { owner: parent } })
    const named = comparison(['owner', 'name'], 'eq', { type: 'string', value: 'x' })
    for (const [columns, filter] of [
      [{ inner: { owner: parent } }, { ...named, path: ['inner', 'owner', 'name'] }],
      [{ list }, some(['list'], named)],
    ] as const) {
      const { compile } = sqlBackend({ dialect: postgres, table: table('t', { key: 'id', columns }) })
      expect(compile(filter).text).toMatch(/FROM "owners" AS "e\d" WHERE /)
    }
  })
  test('without a schema takes fields for columns of their names', () => {
    const bare = sqlBackend({ dialect: postgres, table: table('orders', { key: 'id', columns: mapping }) })
    expect(bare.compile(presence(['customer', 'other'], 'string')).text).toBe(
      `EXISTS (SELECT 1 ${customers} AND "e1"."other" IS NOT NULL)`,
    )
  })

  test('may refer to its own table', () => {
    const staff = table('staff', {
      columns: { head: parentTable('staff', { key: 'id', foreignKey: 'head_id', columns: {} }) },
    })
    const { compile } = sqlBackend({ dialect: postgres, table: staff, alias: 'e1' })
    expect(compile(presence(['head', 'name'], 'string')).text).toBe(
      'EXISTS (SELECT 1 FROM "staff" AS "e1_" WHERE "e1_"."id" = "e1"."head_id" AND "e1_"."name" IS NOT NULL)',
    )
  })
})

test('a text that is equal but for its case is compared by the rules of the dialect, if it has one', () => {
  const whole: NonNullable<Dialect['textRules']['whole']> = (lowered, operand, text) =>
    pieces`same(${lowered}, ${text(operand)})`
  const ruled: Dialect = { ...sqlite, textRules: { ...sqlite.textRules, whole } }
  expect(compile('seller[equalsIgnoreCase]=aB', ruled)).toMatchObject({
    text: '(same(lower("orders"."seller"), ?) AND "orders"."seller" IS NOT NULL)',
    parameters: ['ab'],
  })
  expect(compile('seller[equalsIgnoreCase]=aB', sqlite).text).toBe(
    '(lower("orders"."seller") = ? AND "orders"."seller" IS NOT NULL)',
  )
})

describe('the parts of a query', () => {
  const fetching: Dialect['limited'] = (count, skipped) =>
    pieces`OFFSET ${skipped ?? pieces`0`} ROWS FETCH NEXT ${count} ROWS ONLY`
  const offsetThenLimit: Dialect['limited'] = (count, skipped) =>
    skipped === undefined ? pieces`LIMIT ${count}` : pieces`OFFSET ${skipped} LIMIT ${count}`

  test('are written by the dialect wherever a statement has a limit', () => {
    const bare = defineSchema({ id: field.integer(), seller: field.string() })
    const counted = defineCollection(bare, { key: 'id', count: { max: 9 }, facets: ['seller'] })
    const asked = parseQueryOrThrow(counted, 'limit=2&count=true&facets=seller')
    const mapped = table('orders', { schema: bare, key: 'id' })
    const { select, facets } = sqlBackend({ dialect: { ...sqlite, limited: fetching }, table: mapped })
    const rows = 'OFFSET 0 ROWS FETCH NEXT CAST(? AS INTEGER) ROWS ONLY'
    const statements = [select(asked), select(asked).count, facets(asked)[0]!]
    expect(statements.map(({ text }) => text.split(rows).length)).toEqual([2, 2, 2])
    expect(statements.map(({ text }) => text.includes('LIMIT'))).toEqual([false, false, false])
    expect(statements.map(({ parameters }) => parameters.at(-1))).toEqual([3, 10, 50])
  })

  const query = parseQueryOrThrow(
    defineCollection(schema, { key: 'id', sort: ['total'], offset: { max: 9 } }),
    'seller=a&sort=-total&limit=2&offset=1',
  )
  const partsOf = (dialect: Dialect) => sqlBackend({ dialect, table: orders, firstParameter: 3 }).compileQuery(query)

  test('are what builders take', () => {
    const { where, orderBy, limit, offset } = partsOf(postgres)
    expect(where.text).toBe('"orders"."seller" = $3::text')
    expect(where.parameters).toEqual(['a'])
    expect(orderBy.text).toBe('"orders"."total" DESC NULLS LAST, "orders"."id" DESC')
    expect([...orderBy.strings]).toEqual([orderBy.text])
    expect({ limit, offset }).toEqual({ limit: 2, offset: 1 })
  })

  test.each([
    [postgres, ' LIMIT $4::bigint OFFSET $5::bigint', ['a', 3, 1]],
    [sqlite, ' LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)', ['a', 3, 1]],
    // Equal once for the index, and once exactly.
    [mysql, ' LIMIT 3 OFFSET 1', ['a', 'a']],
    [{ ...postgres, limited: fetching }, ' OFFSET $4::bigint ROWS FETCH NEXT $5::bigint ROWS ONLY', ['a', 1, 3]],
    [{ ...mysql, limited: offsetThenLimit }, ' OFFSET 1 LIMIT 3', ['a', 'a']],
  ])('are its text, in order: %#', (dialect, rows, parameters) => {
    const query = partsOf(dialect)
    const { where, orderBy } = query
    expect(query.text).toBe(`WHERE ${where.text} ORDER BY ${orderBy.text}${rows}`)
    expect(query.parameters).toEqual(parameters)
    expect(query.strings.join('?')).toBe(query.text.replace(/\$\d/g, '?'))
    expect(query.strings.raw).toEqual([...query.strings])
  })
})
