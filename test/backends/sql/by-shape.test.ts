/** Statements of queries with the shape of an earlier query: they share a text, and each has its own parameters. */
import { expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import {
  column,
  duckdb,
  jsonColumn,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseQueryOrThrow,
  restrict,
  toPage,
  where,
  type Query,
} from '../../../src/index.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  seller: field.string(),
  total: field.number(),
  gift: field.boolean(),
  paidAt: field.datetime(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
})
const collection = defineCollection(schema, {
  ...{ key: 'id', sort: true, fields: true, count: { max: 9 }, groups: true },
  limit: { default: 2, max: 100 },
  offset: { max: 100 },
})
const backendOf = (dialect: Dialect) =>
  sqlBackend({
    dialect,
    table: table('orders', {
      schema,
      key: 'id',
      columns: {
        tags: jsonColumn('tags'),
        customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
        total: column('total', { notNull: true }),
      },
    }),
  })
const query = (text: string) => parseQueryOrThrow(collection, text)
const rows = [
  { id: 1, seller: 'a', total: 5, gift: true, paidAt: '2024-01-01T00:00:00.000Z', customer: { name: 'Ann' } },
  { id: 2, seller: 'b', total: 5, gift: false, customer: { name: 'Bo' } },
  { id: 3, seller: 'c', total: 7, gift: true, paidAt: '2024-01-02T00:00:00.000Z' },
  { id: 4, total: 9, tags: ['x'] },
]
/** The text of a query after the page of another one in memory. */
const after = (text: string, before = text, which: 'next' | 'previous' = 'next'): string => {
  const asked = query(before)
  return `${text}&cursor=${toPage(asked, memoryBackend().compileQuery(asked)(rows).rows)[which]}`
}

test('a second query of a shape has the text of the first, and its own parameters', () => {
  const { select } = backendOf(postgres)
  const first = select(query('seller=a&total[gte]=5&sort=total&count=true'))
  const second = select(query('seller=b&total[gte]=7&sort=total&count=true'))
  expect(second.text).toBe(first.text)
  expect(second.strings).toBe(first.strings)
  expect([first.parameters, second.parameters]).toEqual([
    ['a', 5, 3],
    ['b', 7, 3],
  ])
  expect(second.count.text).toBe(first.count.text)
  expect([first.count.parameters, second.count.parameters]).toEqual([
    ['a', 5, 10],
    ['b', 7, 10],
  ])
})

test('the values of a position are parameters, those of the restriction too', () => {
  const { select, compileQuery } = backendOf(postgres)
  const visible = (seller: string) => where(schema).notEqual('seller', seller)
  // The row of id 1 is at the end of the page, or the row of id 2.
  const [one, two] = [after('sort=total&limit=1'), after('sort=total&limit=2')].map(query)
  for (const compile of [select, compileQuery]) {
    const first = compile(restrict(one!, visible('x')))
    const second = compile(restrict(two!, visible('y')))
    expect(second.text).toBe(first.text)
    expect(first.text).toContain('("orders"."total", "orders"."id") > ($2::double precision, $3::bigint)')
    expect(first.parameters).toEqual(['x', 5, 1, 2])
    expect(second.parameters).toEqual(['y', 5, 2, 3])
  }
  const { where: condition, orderBy, count } = compileQuery(restrict(two!, visible('y')))
  expect(condition.parameters).toEqual(['y', 5, 2])
  expect(orderBy.parameters).toEqual([])
  expect(count.parameters).toEqual(['y'])
})

test('an OR of one field has the operands of its own members, in each order of them', () => {
  for (const dialect of [postgres, sqlite]) {
    const { compileQuery } = backendOf(dialect)
    const operandsOf = (...texts: string[]) => {
      const [first, ...others] = texts.map((text) => compileQuery(query(text)).where)
      for (const other of others) expect(other.strings).toBe(first!.strings)
      return [first!, ...others].map(({ parameters }) => parameters.flat() as unknown[])
    }
    expect(operandsOf('or=(seller=a,seller=b,total=5)', 'or=(seller=d,seller=c,total=6)')).toEqual([
      ['a', 'b', 5],
      ['d', 'c', 6],
    ])
    // Only an index in the order of the page can be walked from the outermost bound.
    const around = (...bounds: number[]) => (dialect === postgres ? bounds : [])
    for (const sort of ['&sort=total', '&sort=-total,seller']) {
      expect(
        operandsOf(
          `or=(and(total[gt]=1,total[lt]=2),and(total[gt]=5,total[lt]=9))${sort}`,
          `or=(and(total[gt]=7,total[lt]=8),and(total[gt]=3,total[lt]=4))${sort}`,
        ),
      ).toEqual([
        [...around(1, 9), 1, 2, 5, 9],
        [...around(3, 8), 7, 8, 3, 4],
      ])
      expect(operandsOf(`or=(total=4,total[gt]=5)${sort}`, `or=(total=9,total[gt]=6)${sort}`)).toEqual([
        [...around(4), 4, 5],
        [...around(6), 9, 6],
      ])
    }
    expect(operandsOf('or=(total=4,total[gt]=5)&sort=seller')).toEqual([[4, 5]])
    expect(operandsOf('or=(total=4,seller=a)&sort=total')).toEqual([[4, 'a']])
  }
  const whole = backendOf(postgres).compileQuery(
    query('or=(total=4,total[range]=(5,7),and(total[gt]=8,gift=true,total[lt]=9))&sort=total'),
  )
  const total = '"orders"."total"'
  const at = (number: number) => `$${number}::double precision`
  expect(whole.where.text).toBe(
    `${total} >= ${at(1)} AND ${total} <= ${at(2)} AND (${total} = ${at(3)} OR (${total} >= ${at(4)} AND ${total} <= ${at(5)}) ` +
      `OR (${total} > ${at(6)} AND "orders"."gift" = $7::boolean AND ${total} < ${at(8)}))`,
  )
  // A member of a filter that somebody made is no part of the library.
  const forged = { ...where(schema).in('seller', ['a', 'b']), parts: [] }
  expect(backendOf(postgres).compile(forged).parameters).toEqual([['a', 'b']])
})

test('a position without a value, and one of a boolean, have shapes of their own', () => {
  const { select } = backendOf(sqlite)
  // The order of `seller` begins with the row without one: id 4, then 1, 2, 3.
  const [absent, present] = [after('sort=seller&limit=1'), after('sort=seller&limit=2')].map((text) =>
    select(query(text)),
  )
  expect(absent!.text).not.toBe(present!.text)
  // The rows with a value are one range, and those without one after id 4 another.
  expect(absent!.parameters).toEqual([2, 4, 2, 2])
  expect(present!.parameters).toEqual(['a', 1, 3])
  // Ids in the order of `gift`: 4 without a value, 2 false, 1 and 3 true. DuckDB compares no rows.
  const ofDuckdb = backendOf(duckdb).select
  const texts = [1, 2, 3].map((limit) => ofDuckdb(query(after(`sort=gift&limit=${limit}`))).text)
  expect(new Set(texts).size).toBe(3)
  expect([1, 2, 3].map((limit) => ofDuckdb(query(after(`sort=gift&limit=${limit}`))).text)).toEqual(texts)
})

test('a page that includes its row, and a sort key that is not required, have shapes of their own', () => {
  for (const dialect of [postgres, mysql, sqlite]) {
    const { select } = backendOf(dialect)
    const asked = query(after('sort=total&limit=1'))
    const bySeller = query(after('sort=-seller&limit=2'))
    const [key] = asked.sort
    const others: Query[] = [
      { ...asked, position: { ...asked.position!, inclusive: true } },
      { ...asked, sort: [key!, { ...asked.sort[1]!, direction: 'descending' }] },
      bySeller,
      { ...bySeller, sort: [{ ...bySeller.sort[0]!, required: true }, bySeller.sort[1]!] },
    ]
    const alone = [asked, ...others].map((one) => backendOf(dialect).select(one).text)
    expect([asked, ...others].map((one) => select(one).text)).toEqual(alone)
    expect(new Set(alone).size).toBe(5)
    expect(select(query(after('sort=total&limit=1&seller[exists]=true'))).strings).toBe(
      select(query(after('sort=total&limit=1&seller[exists]=true', 'sort=total&limit=3'))).strings,
    )
  }
})

test('directions, limits, offsets, fields and hidden fields change the statement', () => {
  const hiding = defineCollection(schema, { key: 'id', hidden: ['seller'] })
  const texts = [
    'limit=2',
    'limit=3',
    'offset=0',
    'offset=4',
    'sort=-id',
    'sort=total',
    'fields=id',
    'fields=id,total',
    'seller=a',
    'seller[notEqual]=a',
    after('sort=total', 'sort=total&limit=2'),
    after('sort=total', after('sort=total', 'sort=total&limit=2'), 'previous'),
  ]
  for (const dialect of [postgres, mysql, sqlite]) {
    const { select, compileQuery } = backendOf(dialect)
    const asked = [...texts.map(query), parseQueryOrThrow(hiding, '')]
    for (const compile of [select, compileQuery]) {
      const [cold, warm] = [1, 2].map(() => asked.map((one) => compile(one)))
      // Each equals that of a backend that has compiled nothing else.
      const alone = asked.map((one) => {
        const { text, parameters, strings, count } = (
          compile === select ? backendOf(dialect).select : backendOf(dialect).compileQuery
        )(one)
        return { text, parameters, strings, count: { text: count.text, parameters: count.parameters } }
      })
      expect(cold).toMatchObject(alone)
      expect(warm).toMatchObject(alone)
    }
  }
  const { select } = backendOf(mysql)
  const ends = ['limit=2&offset=4', 'limit=3&offset=9', 'limit=2'].map((text) => select(query(text)).text)
  expect(ends.map((text) => /LIMIT \d+(?: OFFSET \d+)?/.exec(text)?.[0])).toEqual([
    'LIMIT 3 OFFSET 4',
    'LIMIT 4 OFFSET 9',
    'LIMIT 3',
  ])
})

test('an operand that changes the text has a text of its own', () => {
  const { select } = backendOf(postgres)
  // No integer is 0.5: the condition is false, and it has no parameter.
  const whole = select(query('id[in]=1,2'))
  const one = select(query('id[in]=1'))
  expect([whole.parameters, one.parameters]).toEqual([
    [[1, 2], 3],
    [1, 3],
  ])
  expect(select(query('id[in]=3,4')).parameters).toEqual([[3, 4], 3])
  const [every, some] = [select(query('seller[contains]=x')), select(query('seller[contains]=%25'))]
  expect(every.text).toBe(some.text)
  expect([every.parameters, some.parameters]).toEqual([
    ['%x%', 3],
    ['%\\%%', 3],
  ])
})

test('a page has the cursors of its own query', () => {
  const { select } = backendOf(postgres)
  const row = (id: number, total: number) => ({
    ...{ c1: id, c2: null, c3: total, c4: null, c5: null, c6: null, c7: null, c8: null },
  })
  const first = select(query('sort=total&limit=1'))
  const second = select(query('sort=total&limit=2'))
  const { next } = first.page([row(1, 5), row(2, 5)])
  expect(second.page([row(1, 5), row(2, 5)]).next).toBeUndefined()
  expect(() => first.page([row(1, 5), row(2, 5), row(3, 5)])).toThrow('rows must be at most 2')
  const later = select(query(`sort=total&limit=1&cursor=${next}`))
  expect(later.parameters).toEqual([5, 1, 2])
  expect(later.page([row(2, 5)]).previous).toBeDefined()
})
