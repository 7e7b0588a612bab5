/** A shape has one text, which is made once; whatever was compiled before, a filter becomes what it becomes alone. */
import { describe, expect, test } from 'vitest'
import { parameter, raw, sql, type Sql } from '../../../src/backends/sql/dialect/index.ts'
import {
  arrayColumn,
  column,
  jsonColumn,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  type ColumnOptions,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { and, defineSchema, field, not, or, type Filter, type FilterError } from '../../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal } from '../../../src/tree.ts'

const schema = defineSchema({
  reference: field.string(),
  number: field.string(),
  total: field.number(),
  name: field.string(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
})
const columns: ColumnOptions = {
  number: column('number', { type: 'bigintText' }),
  tags: jsonColumn('tags'),
  customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
}
const backendOf = (dialect: Dialect, more: ColumnOptions = {}, firstParameter = 1) =>
  sqlBackend({ dialect, table: table('orders', { schema, columns: { ...columns, ...more } }), firstParameter })
const text = (value: string): Literal => ({ type: 'string', value })
const is = (name: string, value: string) => comparison(name.split('.'), 'eq', text(value))
const list = (count: number, value = 'v') =>
  membership(
    ['name'],
    Array.from({ length: count }, (_, at) => text(value + at)),
  )

test('filters of one shape share their text, not their parameters', () => {
  const { compile } = backendOf(postgres, { tags: arrayColumn('tags') })
  const of = (name: string, tags: string[], from: string) =>
    and(is('name', name), some(['tags'], membership([], tags.map(text))), match(['name'], 'prefix', from))
  const first = compile(of('a', ['x', 'y'], 'Jo'))
  const second = compile(of('b', ['z', 'w'], 'K'))
  expect(first.parameters).toEqual(['a', ['x', 'y'], 'jo', 'jp'])
  expect(second.parameters).toEqual(['b', ['z', 'w'], 'k', 'l'])
  expect(second.text).toBe(first.text)
  expect(second.strings).toBe(first.strings)
  expect([Object.isFrozen(first.strings), Object.isFrozen(first.strings.raw)]).toEqual([true, true])
  second.parameters.push('more')
  expect(compile(of('c', ['x', 'y'], 'Jo')).parameters).toEqual(['c', ['x', 'y'], 'jo', 'jp'])
})

test('a list of one value has the shape of an equality, and leaves that of longer lists as it is', () => {
  const { compile } = backendOf(postgres)
  const [one, many] = [compile(list(1)), compile(list(2))]
  expect([one, many].map(({ parameters }) => parameters)).toEqual([['v0'], [['v0', 'v1']]])
  expect(one.text).toContain(' = $1::text')
  expect(compile(list(3)).strings).toBe(many.strings)
  expect(compile(list(1, 'w'))).toMatchObject({ strings: one.strings, parameters: ['w0'] })
  expect(compile(is('name', 'x')).strings).toBe(one.strings)
  expect(compile(list(4)).strings).toBe(many.strings)
})

const uuid = '00000000-0000-4000-8000-000000000000'
const ofUuid = { reference: column('reference', { type: 'uuid' }) }
test.each<[string, Dialect, ColumnOptions, Filter, Filter]>([
  [
    'a prefix that no text comes after',
    postgres,
    {},
    match(['name'], 'prefix', 'a'),
    match(['name'], 'prefix', '\u{10ffff}'),
  ],
  ['an empty text', sqlite, {}, match(['name'], 'substring', 'a'), match(['name'], 'substring', '')],
  ['a text that no column has', postgres, ofUuid, is('reference', uuid), is('reference', 'x')],
  ['the complement of one', postgres, {}, not(is('number', '12')), not(is('number', '012'))],
  ['a list of them', postgres, {}, membership(['number'], [text('1')]), membership(['number'], [text('01')])],
  ['a longer list', mysql, {}, list(3), list(5)],
  ['a list without entries', mysql, {}, list(1), list(0)],
  ['the length of a suffix', sqlite, {}, match(['name'], 'suffix', 'a'), match(['name'], 'suffix', '𝒜bc')],
])('filters of one shape are told apart by %s', (_, dialect, more, one, other) => {
  const alone = (filter: Filter) => backendOf(dialect, more).compile(filter)
  const { compile } = backendOf(dialect, more)
  for (const filter of [one, other, one, one, other, other]) expect(compile(filter)).toEqual(alone(filter))
  expect(alone(one)).not.toEqual(alone(other))
})

describe('filters of one shape differ where an operand does not fit its column', () => {
  const schema = defineSchema({ price: field.decimal(), at: field.datetime(), rough: field.datetime() })
  const columns = { price: column('price', { type: 'scaled', digits: 2 }), rough: column('rough', { type: 'epochMs' }) }
  const fresh = () => sqlBackend({ dialect: postgres, table: table('orders', { schema, columns }) })
  const price = (operator: 'eq' | 'gt' | 'lt', value: string) =>
    comparison(['price'], operator, { type: 'decimal', value })
  const at = (value: string) => ({ type: 'datetime', value }) as const
  const [millis, micros] = [at('2024-01-02T03:04:05.678Z'), at('2024-01-02T03:04:05.678901Z')]
  test.each<[string, Filter, Filter]>([
    ['a decimal with too many digits', price('eq', '1.25'), price('eq', '1.255')],
    ['one that another comparison is made of', price('lt', '1.25'), price('lt', '1.255')],
    ['one that is beyond all values', price('lt', '1.25'), price('lt', '99999999999999999999')],
    ['the complement of it', not(price('gt', '1.25')), not(price('gt', '99999999999999999999'))],
    ['microseconds', comparison(['at'], 'eq', millis), comparison(['at'], 'eq', micros)],
    ['a list of them', membership(['at'], [millis]), membership(['at'], [millis, micros])],
    ['those that a column lacks', comparison(['rough'], 'gte', millis), comparison(['rough'], 'gte', micros)],
  ])('%s', (_, one, other) => {
    const { compile } = fresh()
    for (const filter of [one, other, one, one, other, other]) expect(compile(filter)).toEqual(fresh().compile(filter))
    expect(fresh().compile(one).text).not.toBe(fresh().compile(other).text)
  })
})

describe('a parameter belongs to the place of its condition', () => {
  const { compile } = backendOf(sqlite)
  test('where one condition is in a tree twice', () => {
    const same = is('name', 'x')
    const of = (one: Filter, other: Filter) => or(one, and(presence(['total'], 'number'), other))
    expect(compile(of(same, same)).parameters).toEqual(['x', 'x'])
    expect(compile(of(is('name', 'x'), is('name', 'y'))).parameters).toEqual(['x', 'y'])
  })
  test('where conditions on a parent table are brought together', () => {
    const of = (a: string, b: string, c: string) =>
      and(is('customer.name', a), is('name', b), comparison(['customer', 'name'], 'gt', text(c)))
    expect(compile(of('1', '2', '3')).parameters).toEqual(['1', '3', '2'])
    expect(compile(of('4', '5', '6')).parameters).toEqual(['4', '6', '5'])
  })
  test('where a dialect repeats it', () => {
    const { compile } = backendOf(mysql, { name: column('name', { type: 'enum' }) })
    for (const [a, b] of ['xy', 'zx'])
      expect(compile(and(is('name', a!), is('reference', b!))).parameters).toEqual([a, a, b, b])
  })
  test('however many there are', () => {
    const names = (from: number) => Array.from({ length: 100 }, (_, at) => String(from + at))
    for (const from of [0, 1_000])
      for (const [group, expected] of [
        [and, names(from)],
        [or, [JSON.stringify(names(from))]],
      ] as const)
        expect(compile(group(...names(from).map((name) => is('name', name)))).parameters).toEqual(expected)
  })
})

test('a filter is refused for its own place, and for its own number of parameters', () => {
  const issuesOf = (compile: (filter: Filter) => unknown, filter: Filter) => {
    try {
      return compile(filter)
    } catch (error) {
      return (error as FilterError).issues
    }
  }
  const { compile } = backendOf(mysql)
  for (const span of [
    { start: 0, end: 5 },
    { start: 7, end: 9 },
  ])
    expect(issuesOf(compile, { ...is('total', 'x'), span })).toMatchObject([{ code: 'backend_unsupported', span }])
  const late = backendOf(mysql, {}, 65_534)
  const message = 'the statement has more parameters than mysql takes: 65535 at most'
  expect(issuesOf(late.compile, list(2))).toMatchObject({ parameters: ['v0', 'v1'] })
  expect(issuesOf(late.compile, list(3))).toMatchObject([{ code: 'backend_refused', fault: 'server', message }])
  expect(issuesOf(late.compile, list(1))).toMatchObject({ parameters: ['v0', 'v0'] })
})

describe('filters of one shape are told apart where a dialect writes a value into the text', () => {
  test.each<[string, (value: unknown) => Sql]>([
    ['alone', (value) => raw(`'${String(value)}'`)],
    ['before a parameter', (value) => ({ strings: [`'${String(value)}' || `, ''], values: [parameter('own')] })],
    ['or a parameter', (value) => (value === 'x' ? raw("'x'") : sql`${parameter('own')}`)],
  ])('%s', (_, write) => {
    const among: Dialect['among'] = (value, operands) => sql`${value} IN (${write(operands[0])})`
    const compileIn = () => backendOf({ ...sqlite, among }).compile
    const compile = compileIn()
    for (const value of ['x', 'y', 'x', 'x', 'z']) {
      const filter = membership(['name'], [text(value)])
      expect(compile(filter)).toEqual(compileIn()(filter))
    }
  })
  test('of one operand, which writes several parameters', () => {
    const cast = (value: { parameter: unknown }) =>
      sql`f(${parameter(value.parameter)}, ${parameter(value.parameter === 'z' ? 'last' : 'own')}, ${parameter(null)})`
    const types = { ...postgres.types, text: { ...postgres.types.text!, cast } }
    const { compile } = backendOf({ ...postgres, types })
    expect(compile(is('name', 'x')).parameters).toEqual(['x', 'own', null])
    expect(compile(is('name', 'y')).parameters).toEqual(['y', 'own', null])
    expect(compile(is('name', 'z')).parameters).toEqual(['z', 'last', null])
  })
})

test('nothing is kept for long shapes', () => {
  const { compile } = backendOf(postgres)
  const isKept = (count: number) => {
    const filter = or(...Array.from({ length: count }, (_, at) => is('name', String(at))))
    return compile(filter).strings === compile(filter).strings
  }
  expect([isKept(5), isKept(100)]).toEqual([true, false])
})
