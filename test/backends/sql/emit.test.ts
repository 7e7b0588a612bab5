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
import {
  comparison,
  match,
  membership,
  presence,
  some,
  type ComparisonOperator,
  type Literal,
} from '../../../src/tree.ts'
import { statements } from '../statements.ts'
import { keyed as schema } from '../../orders.ts'

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

  test('has parentheses wherever another condition may follow', () => {
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

  test('joins the table of the entries to their join table', () => {
    const through = { table: ['app', 'ticket_labels'], foreignKey: 'ticket_id', otherKey: 'label_id' } as const
    const labels = childTable(['app', 'labels'], { key: 'id', through, joinColumns: { since: 'created_at' } })
    const mapped = table(['app', 'tickets'], { key: 'id', columns: { labels } })
    const { text } = sqlBackend({ dialect: postgres, table: mapped }).compile(
      some(
        ['labels'],
        and(
          comparison(['size'], 'gt', { type: 'integer', value: 1 }),
          comparison(['since'], 'lt', { type: 'integer', value: 9 }),
        ),
      ),
    )
    expect(text).toBe(
      'EXISTS (SELECT 1 FROM "app"."ticket_labels" AS "j1" JOIN "app"."labels" AS "e1" ON "e1"."id" = "j1"."label_id" ' +
        'WHERE "j1"."ticket_id" = "tickets"."id" AND "e1"."size" > $1::bigint AND "j1"."created_at" < $2::bigint)',
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
  const of = (type: Literal['type'], value: unknown, operator: ComparisonOperator = 'eq') =>
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
    // Whole seconds since 1970: a time with a fraction equals no value, and is compared as the second before it.
    ['epochS', postgres, of('datetime', second), '{v} = $1::bigint', [1]],
    ['epochS', sqlite, of('datetime', '1970-01-01T00:00:01.500Z', 'gte'), '{v} > ?', [1]],
    ['epochS', sqlite, of('datetime', '1970-01-01T00:00:01.500Z', 'lt'), '{v} <= ?', [1]],
    ['epochS', mysql, among('datetime', second, later), listed('BIGINT'), ['[1,2]']],
    ['sqlText', sqlite, of('datetime', second), '{v} = ?', ['1970-01-01 00:00:01']],
    [
      'sqlText',
      sqlite,
      among('datetime', second, later),
      '{v} IN (?, ?)',
      ['1970-01-01 00:00:01', '1970-01-01 00:00:02'],
    ],
    // A float of 32 bits is compared as a double. The float of 12.3 is 12.300000190734863; 12.3000001 lies between two floats.
    ['real', postgres, of('number', 12.3), '{v} = $1::double precision', [12.300000190734863]],
    ['real', postgres, of('number', 12.3000001, 'gte'), '{v} > $1::double precision', [12.300000190734863]],
    ['real', postgres, of('number', 12.2999999, 'gt'), '{v} >= $1::double precision', [12.300000190734863]],
    ['real', postgres, among('number', 12.3, 12.3000001), '{v} = ANY($1::double precision[])', [[12.300000190734863]]],
    ['real', duckdb, of('number', 0.1, 'lte'), '{v} <= $1::double precision', [0.10000000149011612]],
    ['real', mysql, of('number', 0.1, 'lte'), '{v} <= CAST(? AS DOUBLE)', [0.10000000149011612]],
    ['real', mariadb, among('number', 0.1, 1), listed('DOUBLE'), ['[0.10000000149011612,1]']],
    // PostgreSQL pads char(n) with spaces, which do not belong to its values.
    ['char', postgres, of('string', 'a'), '{v} = $1::text::bpchar', ['a']],
    ['char', postgres, of('string', 'a '), '{v}::text = $1::text', ['a ']],
    ['char', postgres, of('string', 'a', 'gt'), '{v}::text COLLATE "C" > $1::text', ['a']],
    ['char', postgres, among('string', 'a', 'b'), '{v} = ANY($1::text[]::bpchar[])', [['a', 'b']]],
    ['char', postgres, among('string', 'a', 'b '), '{v}::text = ANY($1::text[])', [['a', 'b ']]],
    ['time', postgres, of('string', '09:30:00'), '{v} = $1::text::time', ['09:30:00']],
    ['time', postgres, of('string', '9:30'), '{v}::text = $1::text', ['9:30']],
    [
      'time',
      postgres,
      among('string', '09:30:00', '24:00:00'),
      '{v} = ANY($1::text[]::time[])',
      [['09:30:00', '24:00:00']],
    ],
    ['time', postgres, among('string', '09:30:00', 'x'), '{v}::text = ANY($1::text[])', [['09:30:00', 'x']]],
    [
      'latin1',
      mysql,
      of('string', 'a'),
      '({v} = CONVERT(CAST(? AS CHAR) USING latin1) AND CAST(CONVERT({v} USING utf8mb4) AS BINARY) = CAST(? AS BINARY))',
      ['a', 'a'],
    ],
    ['utf8mb3', mariadb, of('string', 'a', 'gt'), 'CONVERT({v} USING utf8mb4) > ? COLLATE utf8mb4_nopad_bin', ['a']],
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
    ['bigintText', sqlite, of('string', '-7'), '{v} = CAST(? AS INTEGER)', ['-7']],
  ])('%s, $1.name: %#', (type, dialect, filter, text, parameters) => {
    const value = dialect.quote === '"' ? '"t"."value"' : '`t`.`value`'
    expect(stored(type, dialect).compile(filter)).toMatchObject({
      text: `(${text} AND {v} IS NOT NULL)`.replaceAll('{v}', value),
      parameters,
    })
  })

  test.each<[string, Dialect, Filter, read: string, text: string, parameters: unknown[]]>([
    ['nonzero', sqlite, of('boolean', true), '({v} <> 0)', '= ?', [1]],
    ['nonzero', mariadb, of('boolean', false), '({v} <> 0)', '= ?', [0]],
    ['year', mysql, of('integer', 20), 'CAST({v} AS SIGNED)', '= ?', [20]],
    ['year', mariadb, of('integer', 20, 'gt'), 'CAST({v} AS SIGNED)', '> ?', [20]],
    ['anyText', sqlite, of('datetime', second), "strftime('%Y-%m-%dT%H:%M:%fZ', {v})", '= ?', [second]],
    ['enum', duckdb, of('string', 'a', 'gt'), 'CAST({v} AS VARCHAR)', '> $1::text', ['a']],
    ['timestampOther', duckdb, of('datetime', second), 'CAST({v} AS TIMESTAMP)', '= $1::timestamp', [second]],
  ])(
    '%s, $1.name, compares the expression that reads the column: %#',
    (type, dialect, filter, read, text, parameters) => {
      const value = read.replace('{v}', dialect.quote === '"' ? '"t"."value"' : '`t`.`value`')
      expect(stored(type, dialect).compile(filter)).toMatchObject({
        text: `(${value} ${text} AND ${value} IS NOT NULL)`,
        parameters,
      })
    },
  )

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
    ['bigintText', mysql, 'CAST(`t`.`value` + 0 AS CHAR)'],
    ['bigintText', sqlite, 'CAST("t"."value" AS TEXT) COLLATE BINARY'],
  ] as const)('%s on $1.name has the order of its texts', (type, dialect, value) => {
    expect(stored(type, dialect).compile(of('string', '5', 'gt')).text).toContain(`${value} > `)
  })

  test('the complement of a column without NULL has no test for NULL', () => {
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

describe('a field that is not stored is refused, with its place in the query', () => {
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

  test('a value other than a filter is a TypeError', () => {
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

test("with invalid: 'null', conditions and orders read an invalid value as NULL", () => {
  const schema = defineSchema({ id: field.integer(), gift: field.boolean() })
  const columns = { gift: column('gift', { invalid: 'null' }) }
  const { compile, select } = sqlBackend({ dialect: mysql, table: table('t', { schema, key: 'id', columns }) })
  const gift = 'CASE WHEN `t`.`gift` IN (0, 1) THEN `t`.`gift` END'
  expect(compile(parseFilterOrThrow(schema, 'gift[exists]=true')).text).toBe(`(${gift} IS NOT NULL)`)
  const collection = defineCollection(schema, { key: 'id', sort: ['gift'] })
  expect(select(parseQueryOrThrow(collection, 'sort=gift')).text).toBe(
    `SELECT \`t\`.\`id\` AS c1, ${gift} + 0 AS c2 FROM \`t\` ORDER BY ${gift} ASC, \`t\`.\`id\` ASC LIMIT 21`,
  )
})

test("with invalid: 'null', the text '1' in a column of SQLite is no boolean, as in the row", () => {
  const schema = defineSchema({ id: field.integer(), gift: field.boolean() })
  const columns = { gift: column('gift', { invalid: 'null' }) }
  const { compile } = sqlBackend({ dialect: sqlite, table: table('t', { schema, key: 'id', columns }) })
  expect(compile(parseFilterOrThrow(schema, 'gift[exists]=true')).text).toBe(
    `(CASE WHEN (typeof("t"."gift") IN ('integer', 'real') AND "t"."gift" IN (0, 1)) THEN "t"."gift" END IS NOT NULL)`,
  )
})

test('a column of the type json of PostgreSQL is cast to jsonb in conditions and orders, and read as it is', () => {
  const schema = defineSchema({
    id: field.integer(),
    a: field.object({ n: field.number() }),
    l: field.list(field.string()),
  })
  const columns = { a: jsonColumn('a', { type: 'json' }), l: jsonColumn('l', { type: 'json' }) }
  const { compile, compileQuery, select } = sqlBackend({
    dialect: postgres,
    table: table('t', { schema, key: 'id', columns }),
  })
  expect(compile(parseFilterOrThrow(schema, 'a.n[exists]=true')).text).toBe(
    `(CASE jsonb_typeof(("t"."a"::jsonb) -> 'n') WHEN 'number' THEN (("t"."a"::jsonb) -> 'n')::numeric END IS NOT NULL)`,
  )
  expect(compile(parseFilterOrThrow(schema, 'l=sea')).text).toContain(`("t"."l"::jsonb) @> $1::text::jsonb`)
  const collection = defineCollection(schema, { key: 'id', sort: ['a.n'] })
  const query = parseQueryOrThrow(collection, 'sort=a.n')
  expect(compileQuery(query).columns).toEqual(['"t"."a"', '"t"."l"', '"t"."id"'])
  expect(select(query).text).toContain(
    `SELECT "t"."id" AS c1, "t"."a"::text AS c2, "t"."l"::text AS c3 FROM "t" ORDER BY CASE jsonb_typeof(("t"."a"::jsonb)`,
  )
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
  const quotedBy = (quote: string, text: string) =>
    text.replaceAll(/\{([\w.]+)\}/g, (_, names: string) => names.replaceAll(/\w+/g, (name) => quote + name + quote))

  describe.each([postgres, mysql, mariadb, sqlite, turso, duckdb])('$name', (dialect) => {
    const rows = [...statements('every dialect'), ...statements(dialect.name)]
    test.each(rows)('%s', (query, text, parameters, place) => {
      const condition = sqlBackend({ dialect, table: mapped }).compile(parseFilterOrThrow(written, query))
      expect(condition.text, place).toBe(quotedBy(dialect.quote, text))
      expect(condition.parameters, place).toEqual(JSON.parse(parameters))
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

  test('test a column once for NULL, whether the mapping names it or only the filter', () => {
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
    const either = `SELECT 1 ${customers} AND "e1"."tier" = ANY($1::bigint[])`
    expect(backend.compile(or(tier(1), tier(2))).text).toBe(`EXISTS (${either})`)
    expect(backend.compile(not(or(tier(1), tier(2)))).text).toBe(`NOT EXISTS (${either})`)
    const both = `SELECT 1 ${customers} AND "e1"."tier" = $1::bigint AND "e1"."tier" = $2::bigint`
    expect(backend.compile(not(and(tier(1), tier(2)))).text).toBe(`NOT EXISTS (${both})`)
    const twice = tier(1)
    expect(backend.compile(and(twice, twice)).parameters).toEqual([1, 1])
  })

  test('is false for a condition that no value satisfies', () => {
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

  test('are in the form of query builders', () => {
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
