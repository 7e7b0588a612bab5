/** What a query adds to a statement: its order, its position, its limit. That it means the right thing, pages.test.ts shows. */
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
import { defineSchema, field, type FilterError, type Literal } from '../../../src/index.ts'
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
  const [, where, order] = /^WHERE (.*) ORDER BY (.*) LIMIT /.exec(text)!
  return { where, order, parameters: parameters.slice(0, values.length) as unknown[] }
}

describe('keys that are never NULL and go in one direction are compared at once', () => {
  test('by PostgreSQL, with the order of texts at the operand', () => {
    expect(read(postgres, [s, a, id], 'next', [text('x'), integer(1), integer(2)])).toEqual({
      where: '(("t"."s", "t"."a", "t"."id") > ($1::text COLLATE "C", $2::bigint, $3::bigint))',
      order: '"t"."s" COLLATE "C" ASC, "t"."a" ASC, "t"."id" ASC',
      parameters: ['x', 1, 2],
    })
  })
  test('by SQLite, with a collation at each operand: without it, a rowid is not looked up', () => {
    expect(read(sqlite, [s, id], 'next', [text('x'), integer(2)])).toEqual({
      where: '(("t"."s", "t"."id") > (? COLLATE BINARY, ? COLLATE BINARY))',
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
      `(("t"."a", "t"."id") ${sign} ($1::bigint, $2::bigint))`,
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
      'WHERE ("t"."s" = $1::text AND ("t"."a", "t"."id") > ($2::bigint, $3::bigint)) ' +
        'ORDER BY "t"."a" ASC, "t"."id" ASC LIMIT $4::bigint',
    )
  })
})

describe('the first of them are, before the others', () => {
  test('where the direction changes', () => {
    expect(read(postgres, [a, s, down(id)], 'next', [integer(1), text('x'), integer(2)]).where).toBe(
      '(("t"."a", "t"."s") >= ($1::bigint, $2::text COLLATE "C") AND ' +
        '("t"."a" > $3::bigint OR ("t"."a" = $4::bigint AND ' +
        '("t"."s" COLLATE "C" > $5::text OR ("t"."s" = $6::text AND "t"."id" < $7::bigint)))))',
    )
  })
  test('where a key may be NULL', () => {
    expect(read(postgres, [a, id, n], 'next', [integer(1), integer(2), integer(3)]).where).toMatch(
      /^\(\("t"."a", "t"."id"\) >= \(\$1::bigint, \$2::bigint\) AND \("t"."a" > /,
    )
  })
  test('where the first is a boolean, which has no bound', () => {
    expect(read(postgres, [f, a, down(id)], 'next', [yes, integer(1), integer(2)]).where).toBe(
      '(("t"."f", "t"."a") >= ($1::boolean, $2::bigint) AND "t"."f" = $3::boolean AND ' +
        '("t"."a" > $4::bigint OR ("t"."a" = $5::bigint AND "t"."id" < $6::bigint)))',
    )
  })
  test('where a cursor has no value for one that is never NULL', () => {
    const where = read(postgres, [a, id, f], 'next', [integer(1), integer(2), null]).where
    expect(where).toMatch(/^\(\("t"."a", "t"."id"\) >= /)
  })
})

test.each<[string, SortKey[], (Literal | null)[]]>([
  ['one key', [id], [integer(2)]],
  ['a second key in another direction', [a, down(id)], [integer(1), integer(2)]],
  ['a first key that may be NULL', [n, id], [integer(1), integer(2)]],
  ['no value for the first key', [a, id], [null, integer(2)]],
])('%s is compared alone', (_, sort, values) => {
  expect(read(postgres, sort, 'next', values).where).not.toContain('", "')
})

test('MySQL and MariaDB make ranges of comparisons of one column', () => {
  for (const dialect of [mysql, mariadb]) {
    expect(read(dialect, [a, id], 'next', [integer(1), integer(2)]).where).toMatch(/^\(`t`.`a` >= .* AND \(`t`.`a` > /)
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
    types: { ...postgres.types, odd: { holds: ['integer'], encode: (value) => (value === 5 ? undefined : value) } },
  }
  const { compileQuery } = sqlBackend({
    dialect: strange,
    table: table('t', { schema, columns: { id: notNull('id'), a: notNull('a', 'odd') } }),
  })
  expect(compileQuery(of([a, id], at('next', integer(4), integer(2)))).text).toContain('("t"."a", "t"."id") > ')
  expect(compileQuery(of([a, id], at('next', integer(5), integer(2)))).text).toBe(
    'WHERE (1 = 0) ORDER BY "t"."a" ASC, "t"."id" ASC LIMIT $1::bigint',
  )
})

test('texts are ordered as they are by a dialect that says nothing of their order', () => {
  const { ordered: _, ...textRules } = postgres.textRules
  expect(read({ ...postgres, textRules }, [s, id], 'next', [text('x'), integer(2)]).order).toBe(
    '"t"."s" ASC, "t"."id" ASC',
  )
})

test('a dialect may write parameters of its own into the order, and the others are counted on', () => {
  const textRules = { ...postgres.textRules, ordered: (value: Sql) => sql`f(${value}, ${parameter('own')})` }
  const query = of([s, down(id)], at('next', text('x'), integer(2)))
  const read = backendOf({ ...postgres, textRules }).compileQuery(query)
  expect(read.text).toMatch(/ ORDER BY f\("t"."s", \$5\) ASC, "t"."id" DESC LIMIT \$6::bigint$/)
  expect(read.parameters).toEqual(['x', 'x', 'x', 2, 'own', 21])
})

describe('what a query reads', () => {
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
      { code: 'backend_unmapped', fault: 'server', message: 'the schema has no field "nope"', span },
      { code: 'backend_unmapped', fault: 'server', message: 'the schema has no field "neither"' },
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
