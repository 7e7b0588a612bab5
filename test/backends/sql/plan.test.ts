/** A shape has one text, which is made once; whatever was compiled before, a filter becomes what it becomes alone. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parameter, raw, sql, type Sql } from '../../../src/backends/sql/dialect/index.ts'
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
  type ColumnOptions,
  type Dialect,
  type SqlQuery,
} from '../../../src/backends/sql/index.ts'
import { and, defineCollection, defineSchema, field, not, or, type Filter, type Query } from '../../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal } from '../../../src/tree.ts'
import { someCollectionQuery, someFilter } from '../../../src/testing/arbitraries.ts'
import { byEffort } from '../../effort.ts'
import { familiesOf, likes, likesOfQuery, outcome } from '../likes.ts'

const schema = defineSchema({
  id: field.integer(),
  reference: field.string(),
  number: field.string(),
  status: field.enumeration(['paid', 'held']),
  total: field.number(),
  gift: field.boolean(),
  day: field.date(),
  paidAt: field.datetime(),
  seenAt: field.datetime(),
  name: field.string(),
  tags: field.list(field.string()),
  more: field.object({ note: field.string(), size: field.number() }),
  customer: field.object({ name: field.string(), since: field.date() }),
  items: field.list(field.object({ product: field.string(), price: field.number(), day: field.date() })),
})
const columns = {
  number: column('number', { type: 'bigintText' }),
  seenAt: column('seen_at', { type: 'epochMs' }),
  tags: jsonColumn('tags'),
  more: jsonColumn('more'),
  customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
  items: childTable('items', { foreignKey: 'order_id' }),
} as const satisfies ColumnOptions
const tableOf = (more: ColumnOptions) => table('orders', { schema, key: 'id', columns: { ...columns, ...more } })
const text = (value: string): Literal => ({ type: 'string', value })
const is = (name: string, value: string) => comparison([name], 'eq', text(value))

const layouts: Readonly<
  Record<string, () => { filter: (filter: Filter) => unknown; query: (query: Query) => unknown }>
> = {
  postgres: backendOf(postgres, {
    reference: column('reference', { type: 'uuid' }),
    status: column('status', { type: 'enum' }),
    name: column('name', { type: 'citext' }),
    tags: arrayColumn('tags'),
  }),
  mysql: backendOf(mysql, { status: column('status', { type: 'enum' }) }),
  mariadb: backendOf(mariadb, { name: column('name', { notNull: true }) }),
  sqlite: backendOf(sqlite, { tags: childTable('tags', { foreignKey: 'order_id', value: 'tag' }) }),
}
function backendOf(dialect: Dialect, more: ColumnOptions) {
  const own = tableOf(more)
  return () => {
    const { compile, compileQuery } = sqlBackend({ dialect, table: own })
    return {
      filter: (filter: Filter) => outcome(compile, filter),
      query: (query: Query) => outcome(compileQuery, query),
    }
  }
}

describe('filters of one shape', () => {
  test('share their text, not their parameters', () => {
    const { compile } = sqlBackend({ dialect: postgres, table: tableOf({ tags: arrayColumn('tags') }) })
    const of = (name: string, tags: string[], from: string) =>
      and(is('name', name), some(['tags'], membership([], tags.map(text))), match(['name'], 'prefix', from))
    const first = compile(of('a', ['x', 'y'], 'Jo'))
    const second = compile(of('b', ['z'], 'K'))
    expect(first.parameters).toEqual(['a', ['x', 'y'], 'jo', 'jp'])
    expect(second.parameters).toEqual(['b', ['z'], 'k', 'l'])
    expect(second.text).toBe(first.text)
    expect(second.strings).toBe(first.strings)
    expect([Object.isFrozen(first.strings), Object.isFrozen(first.strings.raw)]).toEqual([true, true])
    second.parameters.push('more')
    expect(compile(of('c', ['x'], 'Jo')).parameters).toEqual(['c', ['x'], 'jo', 'jp'])
  })

  const last = '\u{10ffff}'
  const uuid = '00000000-0000-4000-8000-000000000000'
  const list = (count: number, value = 'v') =>
    membership(
      ['name'],
      Array.from({ length: count }, (_, at) => text(value + at)),
    )
  test.each<[string, keyof typeof layouts, Filter, Filter]>([
    ['a prefix that no text comes after', 'postgres', match(['name'], 'prefix', 'a'), match(['name'], 'prefix', last)],
    ['an empty text', 'sqlite', match(['name'], 'substring', 'a'), match(['name'], 'substring', '')],
    ['a text that no column has', 'postgres', is('reference', uuid), is('reference', 'x')],
    ['the complement of one', 'postgres', not(is('number', '12')), not(is('number', '012'))],
    ['a list of them', 'postgres', membership(['number'], [text('1')]), membership(['number'], [text('01')])],
    ['a longer list', 'mysql', list(3), list(5)],
    ['a list without entries', 'mysql', list(1), list(0)],
    ['the length of a suffix', 'sqlite', match(['name'], 'suffix', 'a'), match(['name'], 'suffix', '𝒜bc')],
  ])('are told apart by %s', (_, name, one, other) => {
    const fresh = (filter: Filter) => layouts[name]!().filter(filter)
    const compile = layouts[name]!().filter
    for (const filter of [one, other, one, one, other, other]) expect(compile(filter)).toEqual(fresh(filter))
    expect(fresh(one)).not.toEqual(fresh(other))
  })

  test('have parameters by place, where one condition is in a tree twice', () => {
    const same = is('name', 'x')
    const compile = layouts.sqlite!().filter
    compile(or(same, and(presence(['day'], 'date'), same)))
    const other = or(is('name', 'x'), and(presence(['day'], 'date'), is('name', 'y')))
    expect(compile(other)).toEqual(layouts.sqlite!().filter(other))
    expect(compile(other)).toMatchObject({ parameters: ['x', 'y'] })
  })

  test('have parameters by place, where conditions on a parent table are brought together', () => {
    const of = (a: string, b: string, c: string) =>
      and(
        comparison(['customer', 'name'], 'eq', text(a)),
        is('name', b),
        comparison(['customer', 'name'], 'gt', text(c)),
      )
    const compile = layouts.sqlite!().filter
    expect(compile(of('1', '2', '3'))).toMatchObject({ parameters: ['1', '3', '2'] })
    expect(compile(of('4', '5', '6'))).toMatchObject({ parameters: ['4', '6', '5'] })
  })

  test('are each refused for their own place, and for their own number of parameters', () => {
    const compile = layouts.mysql!().filter
    for (const [start, end] of [
      [0, 5],
      [7, 9],
    ]) {
      const wrong = { ...is('total', 'x'), span: { start: start!, end: end! } }
      expect(compile(wrong)).toMatchObject([{ code: 'backend_unsupported', fault: 'server', span: { start, end } }])
    }
    const late = sqlBackend({ dialect: mysql, table: tableOf({}), firstParameter: 65_534 })
    const names = (count: number) => outcome(late.compile, membership(['name'], Array<Literal>(count).fill(text('x'))))
    expect(names(2)).toMatchObject({ parameters: ['x', 'x'] })
    const message = 'the statement has 65537 parameters, but mysql takes 65535 at most'
    expect(names(3)).toMatchObject([{ code: 'backend_refused', fault: 'server', message }])
    expect(names(1)).toMatchObject({ parameters: ['x'] })
  })

  test('have as many parameters as they need', () => {
    const of = (from: number) => or(...Array.from({ length: 100 }, (_, at) => is('name', String(from + at))))
    const compile = layouts.sqlite!().filter
    for (const from of [0, 1_000])
      expect(compile(of(from))).toMatchObject({ parameters: Array.from({ length: 100 }, (_, at) => String(from + at)) })
  })

  test('are told apart where a dialect writes a value into the text', () => {
    const among: Dialect['among'] = (value, operands) =>
      sql`${value} IN (${operands[0] === 'x' ? raw("'x'") : parameter(operands[0])})`
    const { compile } = sqlBackend({ dialect: { ...sqlite, among }, table: tableOf({}) })
    const answers = ['y', 'x', 'x', 'z'].map((value) => compile(membership(['name'], [text(value)])))
    expect(answers.map(({ parameters }) => parameters)).toEqual([['y'], [], [], ['z']])
    expect(answers.map(({ text }) => / IN \(.*?\)/.exec(text)![0])).toEqual([
      ' IN (?)',
      " IN ('x')",
      " IN ('x')",
      ' IN (?)',
    ])
  })

  test.each<[string, (value: unknown) => Sql]>([
    ['alone', (value) => raw(`'${String(value)}'`)],
    ['before a parameter', (value) => ({ strings: [`'${String(value)}' || `, ''], values: [parameter('own')] })],
  ])('are told apart where a dialect writes each value into the text, %s', (_, write) => {
    const among: Dialect['among'] = (value, operands) => sql`${value} IN (${write(operands[0])})`
    const { compile } = sqlBackend({ dialect: { ...sqlite, among }, table: tableOf({}) })
    const answers = ['x', 'y', 'x'].map((value) => compile(membership(['name'], [text(value)])).text)
    expect(answers.map((text) => / IN \('(.)'/.exec(text)![1])).toEqual(['x', 'y', 'x'])
  })

  test('are all the same to a dialect that looks for values where it must not', () => {
    const seen: unknown[] = []
    const types = {
      ...postgres.types,
      text: {
        ...postgres.types.text!,
        cast: (value: { parameter: unknown }) => {
          seen.push(value.parameter)
          return sql`f(${value}, ${parameter('own')}, ${parameter(null)})`
        },
      },
    }
    const { compile } = sqlBackend({ dialect: { ...postgres, types }, table: tableOf({}) })
    expect(compile(is('name', 'x'))).toMatchObject({ parameters: ['x', 'own', null] })
    expect(compile(is('name', 'y'))).toMatchObject({ parameters: ['y', 'own', null] })
    expect(seen).toHaveLength(1)
    expect(typeof seen[0]).toBe('object')
  })
})

// --- Random filters

const families = familiesOf(someFilter(schema), likes)

test.each(Object.keys(layouts))('caches cold, warm and full of other shapes make the same: %s', (name) => {
  const warm = layouts[name]!().filter
  fc.assert(
    fc.property(families, (filters) => {
      for (const filter of [...filters, ...filters]) expect(warm(filter)).toEqual(layouts[name]!().filter(filter))
    }),
    { numRuns: byEffort(2_000, 5) },
  )
  // More shapes than are kept, one of them too long to be.
  const total = (value: number) => comparison(['total'], 'gt', { type: 'number', value })
  const many = (count: number) => or(...Array.from({ length: count }, (_, at) => not(total(at))))
  for (let count = 0; count < 300; count += byEffort(1, 20))
    expect(warm(many(count))).toEqual(layouts[name]!().filter(many(count)))
  fc.assert(
    fc.property(families, (filters) => {
      for (const filter of filters) expect(warm(filter)).toEqual(layouts[name]!().filter(filter))
    }),
    { numRuns: byEffort(500, 5) },
  )
})

const collection = defineCollection(schema, {
  key: 'id',
  sort: ['total', 'gift', 'name', 'day', 'number', 'seenAt', 'customer.name', 'more.size'],
  fields: true,
  offset: { max: 100 },
  count: true,
})
/** Without the function, which each query has for itself. */
const partsOf = (made: unknown) => (made === undefined ? made : { ...(made as SqlQuery), page: undefined })

test.each(Object.keys(layouts))('queries are made the same by caches cold and warm: %s', (name) => {
  const warm = layouts[name]!().query
  const some = familiesOf(someCollectionQuery(collection), likesOfQuery)
  fc.assert(
    fc.property(some, (queries) => {
      for (const query of [...queries, ...queries])
        expect(partsOf(warm(query))).toEqual(partsOf(layouts[name]!().query(query)))
    }),
    { numRuns: byEffort(2_000, 5) },
  )
})

test('queries of one shape share their text, and no list', () => {
  const { compileQuery } = sqlBackend({ dialect: postgres, table: tableOf({ tags: arrayColumn('tags') }) })
  const pageOf = (from: number, limit: number) => {
    const position = {
      toward: 'next',
      values: [{ type: 'number', value: from }, null, { type: 'integer', value: 3 }],
    } as const
    const sort = [
      { path: ['total'], type: 'number', direction: 'ascending' },
      { path: ['name'], type: 'string', direction: 'ascending' },
      { path: ['id'], type: 'integer', direction: 'ascending' },
    ] as const
    return compileQuery({ filter: is('name', 'x'), sort, position, limit, count: false })
  }
  const first = pageOf(1, 5)
  first.where.parameters.push('mine')
  first.orderBy.parameters.push('mine')
  ;(first.columns as string[]).length = 0
  ;(first.tables as string[]).length = 0
  const second = pageOf(2, 7)
  expect(second.text).toBe(first.text)
  expect(second.where.strings).toBe(first.where.strings)
  expect(second.parameters).toEqual(['x', 2, 2, 2, 3, 8])
  expect(second.where.parameters).toEqual(['x', 2, 2, 2, 3])
  expect(second.orderBy.parameters).toEqual([])
  expect(second.columns).toContain('"orders"."total"')
  expect(second.tables).toContain('"items"')
})

test('nothing is kept for long shapes', () => {
  const { compile, compileQuery } = sqlBackend({ dialect: postgres, table: tableOf({ tags: arrayColumn('tags') }) })
  const of = (count: number) => or(...Array.from({ length: count }, (_, at) => is('name', String(at))))
  const sort = [{ path: ['id'], type: 'integer', direction: 'ascending' }] as const
  const stringsOf = (count: number) => [
    compile(of(count)).strings,
    compileQuery({ filter: of(count), sort, limit: 5, count: false }).where.strings,
  ]
  for (const [count, isKept] of [
    [5, true],
    [100, false],
  ] as const) {
    const [first, second] = [stringsOf(count), stringsOf(count)]
    expect(first.map((strings, at) => strings === second[at])).toEqual([isKept, isKept])
  }
})
