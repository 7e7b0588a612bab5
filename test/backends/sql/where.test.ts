/** The two forms of a condition: of `compile`, for any place, and of `compileQuery`, where nothing negates it. By hand. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { column, jsonColumn, mysql, postgres, sqlBackend, sqlite, table } from '../../../src/backends/sql/index.ts'
import { childTable, type Dialect } from '../../../src/backends/sql/index.ts'
import { and, defineSchema, field, not, or, parseFilterOrThrow, type Filter } from '../../../src/index.ts'
import { comparison, some } from '../../../src/tree.ts'
import { at, id, integer, key, of, text } from '../../query/queries.ts'
import { rowsIn } from '../../rows.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  n: field.integer(),
  r: field.integer({ required: true }),
  s: field.string(),
  t: field.string({ required: true }),
  whole: field.string(),
  wholeThere: field.string({ required: true }),
  o: field.object({ a: field.integer(), b: field.integer() }),
  p: field.object({ a: field.integer({ required: true }) }, { required: true }),
  j: field.object({ n: field.integer() }),
  q: field.object({ n: field.integer({ required: true }) }, { required: true }),
  l: field.list(field.object({ n: field.integer(), j: field.object({ m: field.integer() }) })),
})
const mapped = table('t', {
  schema,
  key: 'id',
  columns: {
    whole: column('whole', { type: 'bigintText' }),
    wholeThere: column('whole_there', { type: 'bigintText' }),
    o: { a: 'o_a', b: 'o_b' },
    p: { a: 'p_a' },
    j: jsonColumn('j'),
    q: jsonColumn('q'),
    l: childTable('l', { foreignKey: 't_id', columns: { j: jsonColumn('j') } }),
  },
})
const backendOf = (dialect: Dialect) => sqlBackend({ dialect, table: mapped })
const backend = backendOf(postgres)
const whereOf = (filter: Filter, dialect = postgres) => backendOf(dialect).compileQuery(of([id], { filter })).where.text
const compiled = (filter: Filter, dialect = postgres) => backendOf(dialect).compile(filter).text

const eq = (path: string, value: number) => comparison(path.split('.'), 'eq', integer(value))
const is = (path: string, value: string) => comparison(path.split('.'), 'eq', text(value))

/** A row where the first condition holds, one where it does not, and one that has nothing. */
const rows = {
  holds: [`5, 5, 'ab', 'ab', 5, 5, 5, 5, 5, '{"n":5}', '{"n":5}'`, `5, '{"m":5}'`],
  fails: [`4, 4, 'x', 'x', 4, 4, NULL, NULL, 4, '{"n":4}', '{"n":4}'`, `4, '{"m":4}'`],
  nothing: [`NULL, 4, NULL, 'x', NULL, 4, NULL, NULL, 4, NULL, '{"n":4}'`, `NULL, NULL`],
}
const database = new DatabaseSync(':memory:')
database.exec(
  `CREATE TABLE t (id INTEGER, n INTEGER, r INTEGER, s TEXT, t TEXT, whole INTEGER, whole_there INTEGER,
    o_a INTEGER, o_b INTEGER, p_a INTEGER, j TEXT, q TEXT);
  CREATE TABLE l (t_id INTEGER, n INTEGER, j TEXT);`,
)
for (const [at, [own, entry]] of Object.values(rows).entries())
  database.exec(`INSERT INTO t VALUES (${at}, ${own}); INSERT INTO l VALUES (${at}, ${entry})`)

const jsonN = (name: string) =>
  `CASE jsonb_typeof("t"."${name}" -> 'n') WHEN 'number' THEN ("t"."${name}" -> 'n')::numeric END`

/** The conditions of where.txt. */
const conditions = rowsIn(new URL('where.txt', import.meta.url), 'conditions').map(
  ({ cells: [text, compiledText, where, complement, selected = '0'], place }) => ({
    ...{ text: text!, place, compiledText: compiledText!, complement: complement! },
    whereText: where === '=' ? compiledText! : where!,
    selected: selected === 'none' ? [] : selected.split(',').map(Number),
  }),
)

const columnsIn = (shape: string) => shape.replace(/\{(\w+)\}/g, '"t"."$1"')
/** `compile` has parentheses of its own, unless the whole is EXISTS. */
const closed = (shape: string) => (/^(NOT )?EXISTS \(/.test(shape) ? columnsIn(shape) : `(${columnsIn(shape)})`)
/** In `where`, a disjunction alone has them: AND is closer than OR. */
const beside = (shape: string) => (withoutGroups(shape).includes(' OR ') ? `(${columnsIn(shape)})` : columnsIn(shape))
function withoutGroups(shape: string): string {
  const without = shape.replace(/\([^()]*\)/g, '')
  return without === shape ? shape : withoutGroups(without)
}

const idsIn = (condition: string, parameters: readonly (string | number)[]) =>
  database
    .prepare(`SELECT id FROM t WHERE ${condition} ORDER BY id`)
    .all(...parameters)
    .map((row) => row.id)

describe.each(conditions)('$text', ({ text, place, compiledText, whereText, complement, selected }) => {
  const filter = parseFilterOrThrow(schema, text, { groups: true })
  const others = [0, 1, 2].filter((one) => !selected.includes(one))
  test.each([
    ['itself', filter],
    ['behind two NOTs', not(not(filter))],
  ])('%s: guards NULL where something may negate it, and not in WHERE', (_, filter) => {
    expect(compiled(filter), place).toBe(closed(compiledText))
    expect(whereOf(filter), place).toBe(beside(whereText))
  })
  test('behind NOT: guards NULL in both forms', () => {
    expect(compiled(not(filter)), place).toBe(closed(complement))
    expect(whereOf(not(filter)), place).toBe(beside(complement))
  })
  test.each([
    ['no NOT', filter, selected],
    ['one NOT', not(filter), others],
    ['two NOTs', not(not(filter)), selected],
  ])('%s: selects the rows, in both forms, beside others and behind the NOT of SQL', (_, filter, ids) => {
    const { compile, compileQuery } = backendOf(sqlite)
    const [condition, { where, count }] = [compile(filter), compileQuery(of([id], { filter }))]
    const values = condition.parameters as (string | number)[]
    expect(where.parameters).toEqual(values)
    expect(count).toEqual(where)
    for (const { text } of [condition, where]) {
      for (const placed of [text, `1 = 1 AND ${text} AND id < 3`, `id = 9 OR ${text} OR 1 = 0`])
        expect(idsIn(placed, values), placed).toEqual(ids)
    }
    expect(idsIn(`NOT ${condition.text}`, values)).toEqual([0, 1, 2].filter((one) => !ids.includes(one)))
    expect(idsIn(`(${condition.text}) IS NULL`, values)).toEqual([])
  })
})

describe('a statement', () => {
  const statementOf = (filter: Filter, ...more: Parameters<typeof of>[1][]) =>
    backend.compileQuery(of([id], { filter, ...more[0] })).text
  test('has no parentheses around one condition, one group, or a constant', () => {
    const order = 'ORDER BY "t"."id" ASC LIMIT'
    expect(statementOf(eq('n', 5))).toBe(`WHERE "t"."n" = $1::bigint ${order} $2::bigint`)
    expect(statementOf(and(eq('n', 5), is('s', 'a')))).toBe(
      `WHERE "t"."n" = $1::bigint AND "t"."s" = $2::text ${order} $3::bigint`,
    )
    expect(statementOf(or(eq('n', 5), is('s', 'a')))).toBe(
      `WHERE "t"."n" = $1::bigint OR "t"."s" = $2::text ${order} $3::bigint`,
    )
    expect(statementOf(or())).toBe(`WHERE 1 = 0 ${order} $1::bigint`)
  })
  test('has no WHERE where every row passes', () => {
    expect(statementOf(and())).toBe('ORDER BY "t"."id" ASC LIMIT $1::bigint')
    const { where, count } = backend.compileQuery(of([id]))
    expect([where.text, count.text]).toEqual(['1 = 1', '1 = 1'])
  })
  test('has parentheses around a disjunction beside the position', () => {
    expect(statementOf(or(eq('n', 5), is('s', 'a')), at('next', integer(3)))).toBe(
      'WHERE ("t"."n" = $1::bigint OR "t"."s" = $2::text) AND "t"."id" > $3::bigint ' +
        'ORDER BY "t"."id" ASC LIMIT $4::bigint',
    )
  })
  test('has no guards in the position either', () => {
    const query = of(
      [key('n', 'integer', 'descending'), key('j.n', 'integer'), id],
      at('next', integer(1), integer(2), integer(3)),
    )
    expect(backend.compileQuery(query).where.text).toBe(
      '("t"."n" <= $1::bigint OR "t"."n" IS NULL) AND ("t"."n" < $2::bigint OR "t"."n" IS NULL OR ' +
        `("t"."n" = $3::bigint AND (${jsonN('j')} > $4::numeric OR (${jsonN('j')} = $5::numeric AND "t"."id" > $6::bigint))))`,
    )
  })
  test('keeps the readers of JSON, and the comparison of EXISTS for MySQL', () => {
    const list = defineSchema({ id: field.integer({ required: true }), tags: field.list(field.string()) })
    const { compile, compileQuery } = sqlBackend({
      dialect: mysql,
      table: table('t', { schema: list, key: 'id', columns: { tags: jsonColumn('tags') } }),
    })
    const filter = some(['tags'], comparison([], 'eq', text('sea')))
    const { text: where } = compileQuery(of([id], { filter })).where
    expect(where).toMatch(
      /^JSON_OVERLAPS\(`t`\.`tags`, CAST\(\? AS JSON\)\) AND EXISTS \(SELECT 1 FROM JSON_TABLE\(CASE JSON_TYPE\(`t`.`tags`\) WHEN 'ARRAY' .*\) = TRUE$/,
    )
    expect(compile(filter).text).toBe(`(${where})`)
  })
})

test('an enumeration without its name is compared with one subquery in WHERE, and with a guard elsewhere', () => {
  const named = defineSchema({ id: field.integer({ required: true }), e: field.enumeration(['a', 'b']) })
  const { compile, compileQuery } = sqlBackend({
    dialect: postgres,
    table: table('t', { schema: named, key: 'id', columns: { e: column('e', { type: 'enum' }) } }),
  })
  const value = (at: number) =>
    `(SELECT v FROM unnest(enum_range(CASE WHEN FALSE THEN "t"."e" END)) AS v WHERE v::text = $${at}::text)`
  const both = `("t"."e" = ${value(1)} AND ${value(2)} IS NOT NULL)`
  const filter = is('e', 'a')
  expect(compile(filter).text).toBe(`(${both} AND "t"."e" IS NOT NULL)`)
  expect(compileQuery(of([id], { filter })).where.text).toBe(`"t"."e" = ${value(1)}`)
  expect(compileQuery(of([id], { filter: not(filter) })).where.text).toBe(`("t"."e" IS NULL OR NOT (${both}))`)
})

test('the forms of one shape are never mixed up, whichever comes first', () => {
  const filters = [eq('n', 1), eq('n', 2), and(eq('n', 3), eq('j.n', 3)), and(eq('n', 4), eq('j.n', 4))]
  const both = backendOf(postgres)
  for (const filter of [...filters, ...filters.toReversed(), ...filters]) {
    const query = of([id], { filter })
    expect(both.compileQuery(query).count).toEqual(backendOf(postgres).compileQuery(query).count)
    expect(both.compile(filter)).toEqual(backendOf(postgres).compile(filter))
    expect(both.compileQuery(query).where.text).not.toBe(both.compile(filter).text)
    expect([both.compile(filter).negatable, both.compileQuery(query).count.negatable]).toEqual([true, false])
  }
})
