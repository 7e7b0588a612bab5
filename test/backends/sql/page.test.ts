/** What a query adds to a statement: its order, its position, its limit. That it means the right thing, pages.test.ts shows. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { parameter, sql, type Sql } from '../../../src/backends/sql/dialect/index.ts'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseFilterOrThrow, parseQueryOrThrow } from '../../../src/index.ts'
import type { Field, FilterError } from '../../../src/index.ts'
import { type Literal, type LiteralType } from '../../../src/tree.ts'
import { positionOfCursor } from '../../../src/query/cursor.ts'
import { at, id, integer, key, of, text } from '../../query/queries.ts'
import type { SortKey } from '../../../src/query/query.ts'

const schema = defineSchema({
  id: field.integer(),
  a: field.integer(),
  s: field.string(),
  f: field.boolean(),
  u: field.string(),
  n: field.integer(),
})
const notNull = (name: string, type?: string) =>
  column<string>(name, { notNull: true, ...(type !== undefined && { type }) })
const backendOf = (dialect: Dialect, texts?: string) =>
  sqlBackend({
    dialect,
    table: table('t', {
      schema,
      columns: { id: notNull('id'), a: notNull('a'), s: notNull('s', texts), f: notNull('f') },
    }),
  })
const a = key('a', 'integer')
const s = key('s', 'string')
const f = key('f', 'boolean')
const n = key('n', 'integer')
const down = ({ path: [name], type }: SortKey) => key(name!, type, 'descending')
const yes: Literal = { type: 'boolean', value: true }

/** What stands between WHERE and LIMIT, and the parameters before that of LIMIT. */
const read = (
  dialect: Dialect,
  sort: SortKey[],
  toward: 'next' | 'previous',
  values: (Literal | null)[],
  texts?: string,
) => {
  const { text, parameters } = backendOf(dialect, texts).compileQuery(of(sort, at(toward, ...values)))
  const [, where, order] = /^(?:WHERE (.*) )?ORDER BY (.*) LIMIT /.exec(text)!
  return { where, order, parameters: parameters.slice(0, values.length) as unknown[] }
}

describe('keys that are never NULL and go in one direction are compared at once', () => {
  test('by PostgreSQL, with the order of texts at the operand', () => {
    expect(read(postgres, [s, a, id], 'next', [text('x'), integer(1), integer(2)])).toEqual({
      where: '("t"."s", "t"."a", "t"."id") > ($1::text COLLATE "C", $2::bigint, $3::bigint)',
      order: '"t"."s" COLLATE "C" ASC, "t"."a" ASC, "t"."id" ASC',
      parameters: ['x', 1, 2],
    })
  })
  test('by SQLite, with a collation at each operand: without it, a rowid is not looked up', () => {
    expect(read(sqlite, [s, id], 'next', [text('x'), integer(2)])).toEqual({
      where: '("t"."s", "t"."id") > (? COLLATE BINARY, ? COLLATE BINARY)',
      order: '"t"."s" COLLATE BINARY ASC, "t"."id" ASC',
      parameters: ['x', 2],
    })
    expect(read(sqlite, [f, id], 'next', [yes, integer(2)]).parameters).toEqual([1, 2])
  })
  test.each<[SortKey[], 'next' | 'previous', string]>([
    [[a, id], 'next', '>'],
    [[a, id], 'previous', '<'],
    [[down(a), down(id)], 'next', '<'],
    [[down(a), down(id)], 'previous', '>'],
  ])('%#', (sort, toward, sign) => {
    expect(read(postgres, sort, toward, [integer(1), integer(2)]).where).toBe(
      `("t"."a", "t"."id") ${sign} ($1::bigint, $2::bigint)`,
    )
  })
  test('the first one may be NULL where those rows come first', () => {
    const where = '("t"."n", "t"."id") > ($1::bigint, $2::bigint)'
    expect(read(postgres, [n, id], 'next', [integer(1), integer(2)]).where).toBe(where)
    expect(read(postgres, [down(n), down(id)], 'previous', [integer(1), integer(2)]).where).toBe(where)
    // Where they come last, the comparison would lose them.
    for (const [sort, toward] of [
      [[n, id], 'previous'],
      [[down(n), down(id)], 'next'],
    ] as const)
      expect(read(postgres, [...sort], toward, [integer(1), integer(2)]).where).toMatch(/"n" IS NULL/)
    // PostgreSQL may end a scan at a NULL in a later one.
    expect(read(postgres, [a, n, id], 'next', [integer(1), integer(3), integer(2)]).where).not.toContain(
      '("t"."a", "t"."n"',
    )
  })
  test('with the values of each page, whatever was compiled before', () => {
    const { compileQuery } = backendOf(postgres)
    for (const from of [1, 4]) {
      const values = [text(`x${from}`), integer(from), integer(from + 1)]
      const { parameters } = compileQuery(of([s, a, id], at('next', ...values)))
      expect(parameters).toEqual([`x${from}`, from, from + 1, 21])
    }
  })
  test('beside the filter', () => {
    const query = of([a, id], {
      ...at('next', integer(1), integer(2)),
      filter: { kind: 'comparison', path: ['s'], operator: 'eq', operand: text('x') },
    })
    expect(backendOf(postgres).compileQuery(query).text).toBe(
      'WHERE "t"."s" = $1::text AND ("t"."a", "t"."id") > ($2::bigint, $3::bigint) ' +
        'ORDER BY "t"."a" ASC, "t"."id" ASC LIMIT $4::bigint',
    )
  })
})

describe('the first of them are, before the others', () => {
  test('where the direction changes', () => {
    expect(read(postgres, [a, s, down(id)], 'next', [integer(1), text('x'), integer(2)]).where).toBe(
      '("t"."a", "t"."s") >= ($1::bigint, $2::text COLLATE "C") AND ' +
        '("t"."a" > $3::bigint OR ("t"."a" = $4::bigint AND ' +
        '("t"."s" COLLATE "C" > $5::text OR ("t"."s" = $6::text AND "t"."id" < $7::bigint))))',
    )
  })
  test('where a key may be NULL', () => {
    expect(read(postgres, [a, id, n], 'next', [integer(1), integer(2), integer(3)]).where).toMatch(
      /^\("t"."a", "t"."id"\) >= \(\$1::bigint, \$2::bigint\) AND \("t"."a" > /,
    )
  })
  test('where the first is a boolean, which has no bound', () => {
    expect(read(postgres, [f, a, down(id)], 'next', [yes, integer(1), integer(2)]).where).toBe(
      '("t"."f", "t"."a") >= ($1::boolean, $2::bigint) AND "t"."f" = $3::boolean AND ' +
        '("t"."a" > $4::bigint OR ("t"."a" = $5::bigint AND "t"."id" < $6::bigint))',
    )
  })
  test('where a cursor has no value for one that is never NULL', () => {
    const where = read(postgres, [a, id, f], 'next', [integer(1), integer(2), null]).where
    expect(where).toMatch(/^\("t"."a", "t"."id"\) >= /)
  })
})

test.each<[string, SortKey[], (Literal | null)[]]>([
  ['one key', [id], [integer(2)]],
  ['a second key in another direction', [a, down(id)], [integer(1), integer(2)]],
  ['a first key that may be NULL, descending', [down(n), down(id)], [integer(1), integer(2)]],
  ['no value for the first key', [a, id], [null, integer(2)]],
])('%s is compared alone', (_, sort, values) => {
  expect(read(postgres, sort, 'next', values).where ?? '').not.toContain('", "')
})

test('MySQL and MariaDB make ranges of comparisons of one column', () => {
  for (const dialect of [mysql, mariadb]) {
    expect(read(dialect, [a, id], 'next', [integer(1), integer(2)]).where).toMatch(/^`t`.`a` >= .* AND \(`t`.`a` > /)
  }
})

test.each([
  [mysql, 'utf8mb4_0900_bin'],
  [mariadb, 'utf8mb4_nopad_bin'],
] as const)(
  'texts are ordered as they are where the column says that it has the order: $name',
  (dialect, collation) => {
    const order = (texts?: string) => read(dialect, [s, id], 'next', [text('x'), integer(2)], texts).order
    expect(order()).toBe(`\`t\`.\`s\` COLLATE ${collation} ASC, \`t\`.\`id\` ASC`)
    expect(order('orderedText')).toBe('`t`.`s` ASC, `t`.`id` ASC')
  },
)

test('an operand that cannot be stored is compared as no row has it', () => {
  const strange: Dialect = {
    ...postgres,
    types: {
      ...postgres.types,
      odd: { holds: ['integer'], fit: (operator, value) => value !== 5 && { operator, value } },
    },
  }
  const { compileQuery } = sqlBackend({
    dialect: strange,
    table: table('t', { schema, columns: { id: notNull('id'), a: notNull('a', 'odd') } }),
  })
  expect(compileQuery(of([a, id], at('next', integer(4), integer(2)))).text).toContain('("t"."a", "t"."id") > ')
  expect(compileQuery(of([a, id], at('next', integer(5), integer(2)))).text).toBe(
    'WHERE 1 = 0 ORDER BY "t"."a" ASC, "t"."id" ASC LIMIT $1::bigint',
  )
})

describe('keys of uuids, bigints, decimals and moments', () => {
  const uuid = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
  const [millis, micros] = ['2024-01-02T03:04:05.123Z', '2024-01-02T03:04:05.123456Z']
  const fields = defineSchema({
    id: field.integer({ required: true }),
    u: field.uuid({ required: true }),
    b: field.bigint({ required: true }),
    d: field.decimal({ required: true }),
    c: field.decimal({ required: true }),
    at: field.datetime({ required: true }),
    rough: field.datetime({ required: true }),
    mixed: field.datetime({ required: true }),
    maybe: field.datetime(),
  })
  const columns = {
    c: column('c', { type: 'scaled', digits: 2 }),
    rough: column('rough', { type: 'epochMs' }),
    mixed: column('mixed', { type: 'text' }),
    maybe: column('maybe', { type: 'text' }),
  }
  const { compileQuery } = sqlBackend({
    dialect: postgres,
    table: table('t', { schema: fields, key: 'id', columns }),
  })
  const read = (sort: SortKey[], ...values: Literal[]) =>
    compileQuery(of(sort, values.length === 0 ? {} : at('next', ...values)))
  const literal = (type: LiteralType, value: string) => ({ type, value }) as Literal
  const one = integer(1)
  test.each<[name: string, type: LiteralType, value: string, operand: string, sent?: unknown]>([
    ['u', 'uuid', uuid, '$1::uuid'],
    ['b', 'bigint', '9007199254740993', '$1::bigint'],
    ['d', 'decimal', '1.1', '$1::numeric'],
    ['c', 'decimal', '1.1', '$1::bigint', '110'],
    ['at', 'datetime', millis, '$1::timestamptz'],
    ['at', 'datetime', micros, '$1::text::timestamptz'],
    ['rough', 'datetime', millis, '$1::bigint', Date.parse(millis)],
  ])('%s: a %s goes into the range of an index', (name, type, value, operand, sent = value) => {
    const { text, parameters } = read([key(name, type), id], literal(type, value), one)
    expect(text).toBe(
      `WHERE ("t"."${name}", "t"."id") > (${operand}, $2::bigint) ` +
        `ORDER BY "t"."${name}" ASC, "t"."id" ASC LIMIT $3::bigint`,
    )
    expect(parameters).toEqual([sent, 1, 21])
  })
  test('a value that the column cannot have is compared by the keys alone', () => {
    const afterMicros = read([key('rough', 'datetime'), id], literal('datetime', micros), one)
    expect(afterMicros.where.text).toBe('"t"."rough" > $1::bigint AND "t"."rough" > $2::bigint')
    expect(afterMicros.where.parameters).toEqual([Date.parse(millis), Date.parse(millis)])
    // Below 1.105 and 1.105 itself: no row is there.
    const afterDecimal = read([down(key('c', 'decimal')), down(id)], literal('decimal', '1.105'), one)
    expect(afterDecimal.where.text).toBe('"t"."c" <= $1::bigint AND "t"."c" <= $2::bigint')
    const beyondAll = read([key('c', 'decimal'), id], literal('decimal', '99999999999999999999'), one)
    expect(beyondAll.where.text).toBe('1 = 0')
    const beforeAll = read([key('c', 'decimal'), id], literal('decimal', '-99999999999999999999'), one)
    expect(beforeAll.where.text).toBe('1 = 1')
  })
  test('texts with three digits and with six are ordered without their Z', () => {
    const rtrim = `rtrim("t"."mixed", 'Z') COLLATE "C"`
    const { text, parameters } = read([key('mixed', 'datetime'), id], literal('datetime', millis), one)
    expect(text).toBe(
      `WHERE (rtrim("t"."mixed", 'Z'), "t"."id") > ($1::text COLLATE "C", $2::bigint) ` +
        `ORDER BY ${rtrim} ASC, "t"."id" ASC LIMIT $3::bigint`,
    )
    expect(parameters).toEqual(['2024-01-02T03:04:05.123', 1, 21])
    const nullable = rtrim.replace('mixed', 'maybe')
    const maybe = read([key('maybe', 'datetime'), id], literal('datetime', micros), one)
    expect(maybe.orderBy.text).toBe(`${nullable} ASC NULLS FIRST, "t"."id" ASC`)
    expect(maybe.where.text).toBe(`(rtrim("t"."maybe", 'Z'), "t"."id") > ($1::text COLLATE "C", $2::bigint)`)
  })
})

test('texts are ordered without COLLATE by a dialect without an order of texts', () => {
  const { ordered: _, ...textRules } = postgres.textRules
  expect(read({ ...postgres, textRules }, [s, id], 'next', [text('x'), integer(2)]).order).toBe(
    '"t"."s" ASC, "t"."id" ASC',
  )
})

test('a dialect may write parameters into the order, and the numbers of the others continue', () => {
  const textRules = { ...postgres.textRules, ordered: (value: Sql) => sql`f(${value}, ${parameter('own')})` }
  const query = of([s, down(id)], at('next', text('x'), integer(2)))
  const read = backendOf({ ...postgres, textRules }).compileQuery(query)
  expect(read.text).toMatch(/ ORDER BY f\("t"."s", \$5\) ASC, "t"."id" DESC LIMIT \$6::bigint$/)
  expect(read.parameters).toEqual(['x', 'x', 'x', 2, 'own', 21])
})

describe('a required sort key is never NULL, whatever its column is declared', () => {
  const keys = defineSchema({
    id: field.integer(),
    n: field.integer(),
    a: field.integer(),
    doc: field.object({ id: field.integer() }),
    owner: field.object({ id: field.integer() }),
  })
  const columns = {
    doc: jsonColumn('doc'),
    owner: parentTable('owners', { key: 'id', foreignKey: 'owner_id' }),
  }
  const backendOf = (dialect: Dialect) => sqlBackend({ dialect, table: table('t', { schema: keys, columns }) })
  const required = (path: string): SortKey => ({ ...key(path, 'integer'), required: true })
  const [one, two] = [integer(1), integer(2)]
  const json = `CASE jsonb_typeof("t"."doc" -> 'id') WHEN 'number' THEN ("t"."doc" -> 'id')::numeric END`
  const parent = '"owners" AS "e1" WHERE "e1"."id" = "t"."owner_id"'
  test.each<[Dialect, SortKey[], 'next' | 'previous', Literal[], where: string, order: string]>([
    [postgres, [id], 'next', [one], '"t"."id" > $1::bigint', '"t"."id" ASC'],
    [postgres, [id], 'previous', [one], '"t"."id" < $1::bigint', '"t"."id" DESC'],
    [mysql, [id], 'previous', [one], '`t`.`id` < ?', '`t`.`id` DESC'],
    [mariadb, [id], 'previous', [one], '`t`.`id` < CAST(? AS DOUBLE)', '`t`.`id` DESC'],
    [sqlite, [id], 'previous', [one], '"t"."id" < ?', '"t"."id" DESC'],
    [
      postgres,
      [required('a'), id],
      'next',
      [one, two],
      '("t"."a", "t"."id") > ($1::bigint, $2::bigint)',
      '"t"."a" ASC, "t"."id" ASC',
    ],
    [
      mysql,
      [required('a'), id],
      'previous',
      [one, two],
      '`t`.`a` <= ? AND (`t`.`a` < ? OR (`t`.`a` = ? AND `t`.`id` < ?))',
      '`t`.`a` DESC, `t`.`id` DESC',
    ],
    // Each key has a handling of its own.
    [
      postgres,
      [n, id],
      'next',
      [one, two],
      '("t"."n", "t"."id") > ($1::bigint, $2::bigint)',
      '"t"."n" ASC NULLS FIRST, "t"."id" ASC',
    ],
    [
      sqlite,
      [id, n],
      'previous',
      [one, two],
      '"t"."id" <= ? AND ("t"."id" < ? OR ("t"."id" = ? AND ("t"."n" < ? OR "t"."n" IS NULL)))',
      '"t"."id" DESC, "t"."n" DESC',
    ],
    [postgres, [required('doc.id')], 'previous', [one], `${json} < $1::numeric`, `${json} DESC`],
    [
      postgres,
      [required('owner.id')],
      'next',
      [one],
      `EXISTS (SELECT 1 FROM ${parent} AND "e1"."id" > $1::bigint)`,
      `(SELECT "e1"."id" FROM ${parent}) ASC`,
    ],
  ])('$0.name, %#', (dialect, sort, toward, values, where, order) => {
    const query = backendOf(dialect).compileQuery(of(sort, at(toward, ...values)))
    expect(query.where.text).toBe(where)
    expect(query.orderBy.text).toBe(order)
  })
  test('a field of the same name in another table may be NULL', () => {
    const query = of([key('owner.id', 'integer'), id], at('previous', one, two))
    expect(backendOf(postgres).compileQuery(query).where.text).toContain(
      `NOT EXISTS (SELECT 1 FROM ${parent} AND "e1"."id" IS NOT NULL)`,
    )
  })
  test('a filter on it is the same as without the order, and so is its count', () => {
    const { compile, compileQuery } = backendOf(postgres)
    const filter = parseFilterOrThrow(keys, 'id[exists]=true&id[notEqual]=5')
    const { where, count } = compileQuery(of([id], { filter }))
    expect(count).toEqual(where)
    expect(compile(filter).text).toBe(`(${where.text})`)
  })
  test('a query that claims it of a column with NULL selects no row beyond its filter', () => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE t (id INTEGER, n INTEGER, a INTEGER); INSERT INTO t (id) VALUES (3), (NULL), (1), (2)')
    const read = (query: string, sort: SortKey[], place = {}) => {
      const filter = parseFilterOrThrow(keys, query)
      const { text, parameters } = backendOf(sqlite).compileQuery(of(sort, { filter, ...place }))
      return database
        .prepare(`SELECT id FROM t ${text}`)
        .all(...parameters)
        .map((row) => row.id)
    }
    expect(read('', [id])).toEqual([null, 1, 2, 3])
    expect(read('id[exists]=true', [down(id)])).toEqual([3, 2, 1])
    expect(read('', [{ ...down(id), required: true }], at('next', integer(2)))).toEqual([1])
    expect(read('id[exists]=true', [id], at('next', null))).toEqual([1, 2, 3])
    expect(read('id[notEqual]=3', [id], at('previous', integer(3)))).toEqual([2, 1])
  })
})

test('the count of a query is the condition without the position, written when it is first read', () => {
  let written = 0
  const placeholder: Dialect['placeholder'] = (index) => {
    written++
    return postgres.placeholder(index)
  }
  const { compileQuery } = backendOf({ ...postgres, placeholder })
  const filter = parseFilterOrThrow(schema, 'a[in]=1,2')
  const read = () => compileQuery(of([id], { filter, ...at('next', integer(1)) }))
  const query = read()
  // Two and the limit in the whole, and two in `where`.
  expect(written).toBe(5)
  expect(query.count).toBe(query.count)
  expect(written).toBe(6)
  expect(query.count).toMatchObject({ parameters: [[1, 2]], negatable: false })
  for (const copy of [
    { ...read() },
    structuredClone({ ...read(), page: undefined }),
    JSON.parse(JSON.stringify(read())),
  ])
    expect((copy as typeof query).count.text).toBe('"t"."a" = ANY($1::bigint[])')
})

describe('the columns of a query', () => {
  const stored = defineSchema({
    id: field.integer(),
    meta: field.object({ size: field.integer(), color: field.string() }),
    place: field.object({ city: field.string(), street: field.string() }),
    tags: field.list(field.string()),
    labels: field.list(field.string()),
    buyer: field.object({ name: field.string() }),
  })
  const { compileQuery } = sqlBackend({
    dialect: postgres,
    table: table('t', {
      key: 'id',
      schema: stored,
      columns: {
        meta: jsonColumn('meta_json'),
        place: { city: column('place_city'), street: column('place_street') },
        tags: arrayColumn('tags_array'),
        labels: childTable('t_labels', { foreignKey: 't_id', value: 'label' }),
        buyer: parentTable('buyers', { key: 'id', foreignKey: 'buyer_id', columns: { name: 'full_name' } }),
      },
    }),
  })
  const columns = (...names: string[]) => names.map((name) => `"t"."${name}"`)
  test.each<[string[] | undefined, SortKey[], string[], string[]]>([
    [['id'], [id], ['id'], []],
    [['nope', 'no.pe', 'tags.nope'], [id], ['id'], []],
    [['meta'], [id], ['meta_json', 'id'], []],
    [['meta.size'], [id], ['meta_json', 'id'], []],
    [['place'], [id], ['place_city', 'place_street', 'id'], []],
    [['place.street'], [id], ['place_street', 'id'], []],
    [['tags'], [id], ['tags_array', 'id'], []],
    [['labels'], [id], ['id'], ['"t_labels"']],
    [['buyer'], [id], ['buyer_id', 'id'], ['"buyers"']],
    [['buyer.name'], [id], ['buyer_id', 'id'], ['"buyers"']],
    [['id'], [key('meta.size', 'integer'), id], ['id', 'meta_json'], []],
    [['id'], [key('buyer.name', 'string'), id], ['id', 'buyer_id'], ['"buyers"']],
    [
      undefined,
      [id],
      ['id', 'meta_json', 'place_city', 'place_street', 'tags_array', 'buyer_id'],
      ['"t_labels"', '"buyers"'],
    ],
  ])('%j in the order of %j', (fields, sort, own, tables) => {
    const query = of(sort, fields && { fields: fields.map((name) => name.split('.')) })
    const read = compileQuery(query)
    expect(read.columns.toSorted()).toEqual(columns(...own).toSorted())
    expect(read.tables.toSorted()).toEqual(tables.toSorted())
  })
  test('of a table without a schema is every column', () => {
    const plain = sqlBackend({ dialect: postgres, table: table('t') })
    expect(plain.compileQuery(of([a, id]))).toMatchObject({ columns: ['"t".*'], tables: [] })
    expect(plain.compileQuery(of([a, id], { fields: [['s']] }))).toMatchObject({ columns: columns('s', 'a', 'id') })
  })
})

describe('an order that cannot be', () => {
  const { compileQuery } = backendOf(postgres)
  const issuesOf = (...given: Parameters<typeof of>) => {
    try {
      return compileQuery(of(...given))
    } catch (error) {
      return (error as FilterError).issues
    }
  }
  test('is refused for each key that the schema lacks', () => {
    const [one, other] = [key('nope', 'string'), key('neither', 'integer')]
    const span = { start: 5, end: 9 }
    expect(issuesOf([{ ...one, span }, other, id])).toEqual([
      {
        code: 'backend_unmapped',
        fault: 'server',
        message: 'the schema has no field "nope"',
        parameters: { problem: 'no_field', field: 'nope' },
        span,
      },
      {
        code: 'backend_unmapped',
        fault: 'server',
        message: 'the schema has no field "neither"',
        parameters: { problem: 'no_field', field: 'neither' },
      },
    ])
  })
  test.each([[at('next', text('x'), integer(1))], [{}]])(
    'is refused for a key of another type than the schema: %j',
    (place) => {
      expect(issuesOf([key('a', 'string'), id], place)).toMatchObject([
        { code: 'backend_unsupported', fault: 'server', path: 'a' },
      ])
    },
  )
})

/** What a cursor has for the first sort key of a row; `'counted'` where it has the number of rows instead. */
const placed = (compileQuery: ReturnType<typeof sqlBackend>['compileQuery'], sort: SortKey, row: object) => {
  const { next } = compileQuery(of([sort, id], { limit: 1 })).page([
    { id: 1, ...row },
    { id: 2, ...row },
  ])
  const { values } = positionOfCursor(next!, [sort, id])!
  return values.length === 0 ? 'counted' : (values[0]?.value ?? null)
}

describe('page(rows) requires the columns of the statement', () => {
  const stored = defineSchema({
    id: field.integer(),
    size: field.integer(),
    place: field.object({ city: field.string() }),
    meta: field.object({ size: field.integer(), color: field.object({ name: field.string() }) }),
    buyer: field.object({
      name: field.string(),
      meta: field.object({ size: field.integer() }),
      firm: field.object({ name: field.string() }),
    }),
  })
  const { compileQuery } = sqlBackend({
    dialect: postgres,
    table: table('t', {
      key: 'id',
      schema: stored,
      columns: {
        meta: jsonColumn('meta_json'),
        place: { city: column('place_city') },
        buyer: parentTable('buyers', {
          key: 'id',
          foreignKey: 'buyer_id',
          columns: {
            meta: jsonColumn('meta_json'),
            firm: parentTable('firms', { key: 'id', foreignKey: 'firm_id' }),
          },
        }),
      },
    }),
  })
  const place = key('place.city', 'string')
  const metaSize = key('meta.size', 'integer')
  const color = key('meta.color.name', 'string')
  const buyer = key('buyer.name', 'string')
  const firm = key('buyer.firm.name', 'string')
  const buyerSize = key('buyer.meta.size', 'integer')
  test.each<[string, SortKey, object]>([
    ['a column', key('size', 'integer'), {}],
    ['a column under its name in the database', place, { place_city: 'x' }],
    ['a flattened object', place, {}],
    ['a column of a flattened object', place, { place: {} }],
    ['JSON', metaSize, {}],
    ['a parent', buyer, {}],
    ['a column of a parent', buyer, { buyer: {} }],
    ['a parent of a parent', firm, { buyer: { name: 'x' } }],
    ['a column of a parent of a parent', firm, { buyer: { firm: {} } }],
    ['JSON of a parent', buyerSize, { buyer: { name: 'x' } }],
    ['an inherited property', key('size', 'integer'), Object.create({ size: 1 }) as object],
  ])('%s that is absent is refused', (_, sort, row) => {
    const message = `rows[0] has no value in ${sort.path.join('.')}: select it, or give it its name in the schema`
    expect(() => placed(compileQuery, sort, row)).toThrow(new TypeError(message))
    // A page that needs no cursor shows the mistake too.
    expect(() => compileQuery(of([sort, id])).page([{ id: 1, ...row }])).toThrow(new TypeError(message))
  })
  test.each<[string, SortKey, object, unknown]>([
    ['a column', key('size', 'integer'), { size: null }, null],
    ['a flattened object', place, { place: null }, null],
    ['a column of a flattened object', place, { place: { city: null } }, null],
    ['JSON', metaSize, { meta: null }, null],
    ['a member of JSON', metaSize, { meta: { size: null } }, null],
    ['an absent member of JSON', metaSize, { meta: {} }, null],
    ['an absent object in JSON', color, { meta: {} }, null],
    ['a null object in JSON', color, { meta: { color: null } }, null],
    ['a number where JSON should have an object', color, { meta: { color: 5 } }, null],
    ['a parent', buyer, { buyer: null }, null],
    ['a column of a parent', buyer, { buyer: { name: null } }, null],
    ['a parent of a parent', firm, { buyer: { firm: null } }, null],
    ['the parent of an absent parent', firm, { buyer: null }, null],
    ['an absent member of JSON of a parent', buyerSize, { buyer: { meta: {} } }, null],
  ])('%s without a value has none in the cursor', (_, sort, row, expected) =>
    expect(placed(compileQuery, sort, row)).toBe(expected),
  )
  test('values are read at their paths', () => {
    expect(placed(compileQuery, place, { place: { city: 'x' } })).toBe('x')
    expect(placed(compileQuery, color, { meta: { color: { name: 'x' } } })).toBe('x')
    expect(placed(compileQuery, firm, { buyer: { firm: { name: 'x' } } })).toBe('x')
  })
  test('JSON that the driver does not parse has unknown members', () => {
    expect(placed(compileQuery, metaSize, { meta: '{"size":5}' })).toBe('counted')
    expect(placed(compileQuery, color, { meta: { color: '{"name":"x"}' } })).toBe('counted')
    expect(placed(compileQuery, metaSize, { meta: new Uint8Array([0x7b, 0x7d]) })).toBe('counted')
    expect(placed(compileQuery, buyerSize, { buyer: { meta: '{"size":5}' } })).toBe('counted')
    // SQLite's drivers return what json_object makes as text.
    expect(placed(compileQuery, buyer, { buyer: '{"name":"x"}' })).toBe('counted')
    expect(placed(compileQuery, firm, { buyer: { firm: '{"name":"x"}' } })).toBe('counted')
  })
  test('a key in JSON that the driver does not parse is refused', () => {
    const query = of([{ ...buyer, required: true }, id])
    expect(() => compileQuery(query).page([{ id: 1, buyer: '{"name":"x"}' }])).toThrow(
      'rows[0] has no value in buyer.name',
    )
  })
  test('the mistake shows when the statement comes out of the cache', () => {
    const query = of([place, id], { limit: 3 })
    for (const read of [compileQuery(query), compileQuery(query)])
      expect(() => read.page([{ id: 1 }])).toThrow('rows[0] has no value in place.city')
  })
})

describe('page(rows) reads the values that drivers return', () => {
  const fields: Record<LiteralType, Field> = {
    string: field.string(),
    uuid: field.uuid(),
    bigint: field.bigint(),
    decimal: field.decimal(),
    integer: field.integer(),
    number: field.number(),
    boolean: field.boolean(),
    date: field.date(),
    datetime: field.datetime(),
    time: field.time(),
  }
  type Named = 'postgres' | 'mysql' | 'mariadb' | 'sqlite'
  const dialects: Record<Named, Dialect> = { postgres, mysql, mariadb, sqlite }
  const readIn = (name: Named, type: LiteralType, columnType: string | undefined, value: unknown) => {
    const v = column<string>('v', {
      ...(columnType !== undefined && { type: columnType }),
      ...(columnType === 'scaled' && { digits: 2 }),
    })
    const columns = { schema: defineSchema({ id: field.integer(), v: fields[type] }), columns: { v } }
    return placed(sqlBackend({ dialect: dialects[name], table: table('t', columns) }).compileQuery, key('v', type), {
      v: value,
    })
  }
  const moment = '2024-02-29T23:59:59.999Z'
  const ms = Date.parse(moment)
  const wide = 9_007_199_254_740_993n
  const upper = 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE'
  const named = Object.keys(dialects) as Named[]
  const family: readonly Named[] = ['mysql', 'mariadb']
  type Read = [
    where: readonly Named[],
    type: LiteralType,
    columnType: string | undefined,
    found: unknown[],
    read: unknown,
  ]
  const reads: Read[] = [
    [named, 'integer', undefined, [7, 7n], 7],
    [['postgres', ...family], 'integer', undefined, ['7'], 7],
    [['postgres'], 'integer', undefined, ['-9007199254740991'], -9_007_199_254_740_991],
    [['postgres', ...family], 'number', undefined, ['12.50'], 12.5],
    [family, 'number', 'decimal', ['12.50'], 12.5],
    [['postgres'], 'number', 'numeric', ['12.50'], 12.5],
    [['postgres'], 'number', 'numeric', ['0.00'], 0],
    [['postgres'], 'number', 'numeric', [12n], 12],
    [['postgres'], 'integer', 'numeric', ['12.00'], 12],
    // A column of SQLite with the affinity NUMERIC has whole numbers as integers.
    [['sqlite'], 'number', undefined, [7n], 7],
    [['sqlite'], 'number', 'integer', [7n], 7],
    [[...family, 'sqlite', 'postgres'], 'boolean', undefined, [0, 0n], false],
    [[...family, 'sqlite', 'postgres'], 'boolean', undefined, [1, 1n, true], true],
    [named, 'string', 'bigintText', [wide], String(wide)],
    [named, 'string', 'bigintText', [7], '7'],
    [['postgres'], 'string', 'bigintText', [String(wide)], String(wide)],
    [named, 'datetime', 'epochMs', [ms, BigInt(ms)], moment],
    [['postgres'], 'uuid', undefined, [upper.toLowerCase(), upper], upper.toLowerCase()],
    [['postgres'], 'uuid', 'text', [upper.toLowerCase()], upper.toLowerCase()],
    [['postgres'], 'bigint', undefined, [wide, String(wide)], String(wide)],
    [['postgres'], 'bigint', 'numeric', [7, 7n, '7'], '7'],
    [['postgres'], 'decimal', undefined, ['12.50', 12.5], '12.5'],
    [['postgres'], 'decimal', undefined, [`${wide}.10`], `${wide}.1`],
    [['postgres'], 'decimal', 'scaled', [1250, 1250n, '1250'], '12.5'],
    [['postgres'], 'decimal', 'scaled', [-7, -7n, '-7'], '-0.07'],
    [['postgres'], 'decimal', 'scaled', ['9223372036854775807'], '92233720368547758.07'],
    [['postgres'], 'datetime', undefined, ['2024-02-29 23:59:59.123456+00'], '2024-02-29T23:59:59.123456Z'],
    [['postgres'], 'datetime', undefined, ['2024-02-29 18:29:59.1234+05:30'], '2024-02-29T12:59:59.123400Z'],
    [['postgres'], 'datetime', 'timestamp', ['2024-02-29 23:59:59'], '2024-02-29T23:59:59.000Z'],
    [['postgres', ...family], 'time', undefined, ['09:30:00', '09:30:00.000000'], '09:30:00'],
    [['postgres', ...family], 'time', undefined, ['23:59:59.250000'], '23:59:59.25'],
    [named, 'time', undefined, ['23:59:59.25'], '23:59:59.25'],
    [['postgres'], 'datetime', 'text', ['2024-02-29T23:59:59.123456Z'], '2024-02-29T23:59:59.123456Z'],
    [['postgres', ...family], 'datetime', 'epochMs', [String(ms)], moment],
  ]
  test.each(
    reads.flatMap(([names, type, columnType, found, read]) =>
      names.flatMap((name) => found.map((value) => [name, type, columnType, value, read] as const)),
    ),
  )('%s: reads a %s in a column of type %s: %o', (dialect, type, columnType, value, expected) =>
    expect(readIn(dialect, type, columnType, value)).toBe(expected),
  )
  test.each<[Named, LiteralType, string | undefined, unknown]>([
    // SQLite stores texts in columns of numbers, after all numbers.
    ['sqlite', 'integer', undefined, '7'],
    ['sqlite', 'number', undefined, '12.50'],
    ['sqlite', 'boolean', undefined, '1'],
    ['sqlite', 'datetime', 'epochMs', String(ms)],
    ['sqlite', 'boolean', undefined, 2],
    ['sqlite', 'datetime', undefined, ms],
    ['sqlite', 'string', undefined, 7],
    // A double that the bigint is not.
    ['sqlite', 'string', 'bigintText', Number(wide)],
    ['postgres', 'integer', undefined, String(wide)],
    ['postgres', 'number', 'numeric', '0.12345678901234567890'],
    ['postgres', 'number', 'numeric', 'NaN'],
    ['postgres', 'boolean', undefined, 2],
    ['postgres', 'uuid', undefined, 'x'],
    ['postgres', 'bigint', undefined, Number(wide) + 2],
    ['postgres', 'decimal', undefined, 'NaN'],
    ['postgres', 'decimal', undefined, 'Infinity'],
    // Not what is stored, and not exact.
    ['postgres', 'decimal', 'scaled', '12.50'],
    ['postgres', 'decimal', 'scaled', 2 ** 60],
    ['mysql', 'boolean', undefined, '1'],
    ['mariadb', 'string', undefined, 7],
  ])('%s: counts for a %s in a column of type %s: %o', (dialect, type, columnType, value) =>
    expect(readIn(dialect, type, columnType, value)).toBe('counted'),
  )
  test('a bigint of another column is refused: its driver gives one in every row', () => {
    expect(() => readIn('sqlite', 'string', undefined, 7n)).toThrow('rows[0] must hold a string in v; found a bigint')
    expect(() => readIn('postgres', 'string', undefined, 1n)).toThrow('rows[0] must hold a string in v; found a bigint')
  })
  test('a Date of a column that may have microseconds is refused; with digits: 3 it is exact', () => {
    const date = new Date(ms)
    const readDate = (dateField: Field, options: { digits?: number; type?: 'timestamp' }) => {
      const mapped = table('t', {
        schema: defineSchema({ id: field.integer(), v: dateField }),
        columns: { v: column('v', options) },
      })
      const sort = { ...key('v', 'datetime'), ...((dateField as { digits?: 3 }).digits && { digits: 3 as const }) }
      return placed(sqlBackend({ dialect: postgres, table: mapped }).compileQuery, sort, { v: date })
    }
    for (const type of [{}, { type: 'timestamp' as const }]) {
      expect(() => readDate(field.datetime(), type)).toThrow(/^rows\[0\] has a Date in v, .*field\.datetime.*column$/)
      expect(readDate(field.datetime(), { ...type, digits: 3 })).toBe(moment)
      expect(readDate(field.datetime({ digits: 3 }), type)).toBe(moment)
    }
  })
  test('a column of a parent has the type of the parent', () => {
    const { compileQuery } = sqlBackend({
      dialect: sqlite,
      table: table('t', {
        key: 'id',
        schema: defineSchema({ id: field.integer(), buyer: field.object({ isNew: field.boolean() }) }),
        columns: { buyer: parentTable('buyers', { key: 'id', foreignKey: 'buyer_id' }) },
      }),
    })
    expect(placed(compileQuery, key('buyer.isNew', 'boolean'), { buyer: { isNew: 1 } })).toBe(true)
  })
})

describe('page(rows) on node:sqlite', () => {
  const schema = defineSchema({ id: field.integer(), n: field.integer(), data: field.object({ n: field.integer() }) })
  const collection = defineCollection(schema, { key: 'id', sort: true })
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, data TEXT)')
  const contents = [1, 2, 3, 4, 5, '99']
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)')
  contents.forEach((n, at) => insert.run(at + 1, JSON.stringify(n), JSON.stringify({ n })))
  const { compileQuery } = sqlBackend({
    dialect: sqlite,
    table: table('t', { schema, key: 'id', columns: { n: jsonColumn('n'), data: jsonColumn('data') } }),
  })
  type Row = Record<'id' | 'n' | 'data', unknown>
  const parsed = ({ id, n, data }: Row) => ({ id, n: JSON.parse(n as string), data: JSON.parse(data as string) })
  /** The ids of all pages, each of one row. */
  const walk = (sort: string, formed: (row: Row) => object) => {
    const ids: unknown[] = []
    let cursor: string | undefined
    do {
      const more = cursor === undefined ? '' : `&cursor=${cursor}`
      const { text, parameters, page } = compileQuery(parseQueryOrThrow(collection, `sort=${sort}&limit=1${more}`))
      const { rows, next } = page((database.prepare(`SELECT * FROM t ${text}`).all(...parameters) as Row[]).map(formed))
      for (const row of rows) ids.push((row as Row).id)
      cursor = next
    } while (cursor !== undefined && ids.length <= contents.length)
    return ids
  }
  // The text is no number to SQLite's order: it is as NULL.
  test.each(['n', 'data.n'])('reads no text in JSON as a number, and loses no row: by %s', (sort) => {
    expect(walk(sort, parsed)).toEqual([6, 1, 2, 3, 4, 5])
    expect(walk(`-${sort}`, parsed)).toEqual([5, 4, 3, 2, 1, 6])
  })
  test.each(['n', 'data.n'])('loses no row, and repeats none, where nobody parses the JSON: by %s', (sort) => {
    expect(walk(sort, (row) => row)).toEqual([6, 1, 2, 3, 4, 5])
    expect(walk(`-${sort}`, (row) => row)).toEqual([5, 4, 3, 2, 1, 6])
  })
})
