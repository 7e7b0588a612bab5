/** A shape has plans, from the second time on; whatever was compiled before, a filter becomes what it becomes alone. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mongoBackend, type MongoOptions } from '../../../src/backends/mongo/index.ts'
import { and, defineCollection, defineSchema, field, not, or, type Filter, type Query } from '../../../src/index.ts'
import { comparison, match, membership, some, type Literal } from '../../../src/tree.ts'
import { someCollectionQuery, someFilter } from '../../../src/testing/arbitraries.ts'
import { byEffort } from '../../effort.ts'
import { familiesOf, likes, likesOfQuery, outcome } from '../likes.ts'

const schema = defineSchema({
  id: field.integer(),
  number: field.string(),
  name: field.string(),
  total: field.number(),
  gift: field.boolean(),
  day: field.date(),
  paidAt: field.datetime(),
  tags: field.list(field.string()),
  days: field.list(field.date()),
  sizes: field.list(field.number()),
  items: field.list(field.object({ product: field.string(), price: field.number(), day: field.date() })),
})
const text = (value: string): Literal => ({ type: 'string', value })
const is = (name: string, value: string) => comparison([name], 'eq', text(value))
const tag = (...filters: Filter[]) => some(['tags'], and(...filters))
const number = (value: number): Literal => ({ type: 'number', value })

const layouts: Readonly<Record<string, MongoOptions>> = {
  plain: {},
  'with a schema, dates as dates': { schema, dates: 'date', datetimes: 'string' },
  'with encoded fields': {
    schema,
    fields: {
      id: { name: '_id' },
      // A text without digits is in no document, and a long one is refused.
      number: {
        encode: (value) => {
          if (String(value).length > 18) throw new RangeError('too long')
          return /^\d+$/.test(String(value)) ? Number(value) : undefined
        },
      },
      name: { lower: 'lowerName' },
      total: { notNull: true },
      'items.day': { type: 'string', encode: (value) => String(value).replaceAll('-', '') },
      tags: { encode: (value) => new TextEncoder().encode(String(value)) },
    },
  },
}
/** An answer, and the order of its keys. */
const told = (answer: unknown) => [answer, JSON.stringify(answer)]
const backendOf = (layout: string) => {
  const { compile, compileQuery } = mongoBackend(layouts[layout])
  return {
    filter: (filter: Filter) => told(outcome(compile, filter)),
    query: (query: Query) => told(outcome(compileQuery, query)),
  }
}

describe('filters of one shape', () => {
  const names = (...values: string[]) => membership(['name'], values.map(text))
  const between = (from: number, to: number, path = ['total']) =>
    and(comparison(path, 'gte', number(from)), comparison(path, 'lte', number(to)))
  const size = (from: number, to: number) =>
    some(['sizes'], and(comparison([], 'gt', number(from)), comparison([], 'gt', number(to))))
  const parts = (...texts: string[]) => texts.map((part) => match([], 'substring', text(part).value as string))

  test.each<[string, keyof typeof layouts, Filter, Filter]>([
    ['one value and more', 'plain', names('a'), names('a', 'b')],
    ['the complement of one value and more', 'plain', not(names('a')), not(names('a', 'b'))],
    ['letters with two cases and none', 'plain', match(['name'], 'prefix', 'ab'), match(['name'], 'prefix', '12')],
    ['a text and the empty text', 'plain', match(['name'], 'prefix', 'ab'), match(['name'], 'prefix', '')],
    ['a text that is too long', 'plain', match(['name'], 'prefix', 'a'), match(['name'], 'prefix', 'k'.repeat(9_000))],
    ['a range and a single value', 'plain', between(1, 2), between(2, 2)],
    ['the complement of a range and of a value', 'plain', not(between(1, 2)), not(between(2, 2))],
    [
      'a range of an entry, and a single value',
      'plain',
      some(['items'], between(1, 2, ['price'])),
      some(['items'], between(2, 2, ['price'])),
    ],
    [
      'a text that has a pattern, and one that has not',
      'plain',
      and(is('name', 'abc'), match(['name'], 'prefix', 'A')),
      and(is('name', 'abc'), match(['name'], 'prefix', 'b')),
    ],
    ['the narrower of two bounds of an entry', 'plain', size(1, 2), size(3, 2)],
    [
      'values that an entry does not have',
      'plain',
      tag(not(membership([], [text('a')])), not(membership([], [text('a'), text('b')]))),
      tag(not(membership([], [text('a')])), not(membership([], [text('a'), text('b'), text('c')]))),
    ],
    ['patterns of an entry', 'plain', tag(...parts('a', 'b')), tag(...parts('a', 'b\u2028'))],
    [
      'patterns that an entry does not have',
      'plain',
      tag(...parts('a', 'b').map(not)),
      tag(...parts('c', 'd').map(not)),
    ],
    ['an operand without a stored form', 'with encoded fields', is('number', '12'), is('number', 'x')],
    ['the complement of one', 'with encoded fields', not(is('number', '12')), not(is('number', 'x'))],
    ['a refused operand', 'with encoded fields', is('number', 'x'), is('number', 'x'.repeat(19))],
    [
      'a refused operand of a list',
      'with encoded fields',
      membership(['number'], [text('1'), text('2')]),
      membership(['number'], [text('1'), text('x'.repeat(19))]),
    ],
    ['a lower-cased field', 'with encoded fields', match(['name'], 'suffix', 'A'), match(['name'], 'suffix', '')],
  ])('are told apart by %s', (_, layout, one, other) => {
    const fresh = (filter: Filter) => backendOf(layout).filter(filter)
    expect(fresh(one)).not.toEqual(fresh(other))
    for (const filters of [
      [one, one, one, other, other, other, one, other],
      [other, other, other, one, one, one, other, one],
    ]) {
      const compile = backendOf(layout).filter
      for (const filter of filters) expect(compile(filter)).toEqual(fresh(filter))
    }
  })

  test('have operands by place, where one condition is in a tree twice', () => {
    const same = is('name', 'x')
    const { filter: compile } = backendOf('plain')
    for (let time = 0; time < 3; time++) compile(or(same, and(is('number', '1'), same)))
    expect(compile(or(is('name', 'x'), and(is('number', '2'), is('name', 'y'))))[0]).toEqual({
      $or: [{ name: 'x' }, { number: '2', name: 'y' }],
    })
  })

  test('have documents of their own', () => {
    const { compile } = mongoBackend({ dates: 'date' })
    const of = (day: string) =>
      and(
        membership(['name'], [text('a'), text('b')]),
        comparison(['day'], 'gt', { type: 'date', value: day }),
        some(['items'], is('product', 'x')),
      )
    const expected = (day: string) => ({
      name: { $in: ['a', 'b'] },
      day: { $gt: new Date(day) },
      items: { $elemMatch: { product: 'x' } },
    })
    for (const day of ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']) {
      const document = compile(of(day))
      expect(document).toEqual(expected(day))
      document.name.$in.push('mine')
      document.day.$gt.setTime(0)
      document.items.$elemMatch.product = 'mine'
      document.mine = true
    }
  })

  test('are refused each time', () => {
    const { filter: compile } = backendOf('with a schema, dates as dates')
    for (const [start, end] of [
      [0, 5],
      [7, 9],
      [8, 9],
    ]) {
      const wrong = { ...is('total', 'x'), span: { start: start!, end: end! } }
      expect(compile(wrong)[0]).toMatchObject([{ code: 'backend_unsupported', fault: 'server', span: { start, end } }])
    }
  })

  test('are encoded each time, and merged once', () => {
    const seen: unknown[] = []
    const encode = (value: unknown) => seen.push(value) && value
    const { compile } = mongoBackend({ fields: { name: { encode: encode as (value: string) => string } } })
    const countOf = (value: string) => {
      seen.length = 0
      expect(compile(is('name', value))).toEqual({ name: value })
      expect(new Set(seen)).toEqual(new Set([value]))
      return seen.length
    }
    // The second time, a plan is made too.
    expect(['a', 'b', 'c', 'd'].map(countOf)).toEqual([1, 2, 1, 1])
    const wrong = mongoBackend({ fields: { name: { encode: (value) => (value === 'x' ? (null as never) : value) } } })
    for (const value of ['a', 'b', 'c']) wrong.compile(is('name', value))
    expect(() => wrong.compile(is('name', 'x'))).toThrow(TypeError)
  })
})

test('a shape has few plans, however many forms its conditions have', () => {
  let read = 0
  const { compile } = mongoBackend({ fields: { name: { encode: (value) => (read++, value) } } })
  const forms = Array.from({ length: 16 }, (_, bits) =>
    and(
      is('name', 'x'),
      ...['a', 'b', 'c', 'd'].map((field, at) =>
        membership([field], (bits >> at) % 2 ? [text('1'), text('2')] : [text('1')]),
      ),
    ),
  )
  for (let time = 0; time < 3; time++) forms.forEach(compile)
  const reads = forms.map((form) => {
    read = 0
    compile(form)
    return read
  })
  // Each plan reads the first condition; so does the emitter where no plan fits.
  expect(Math.min(...reads)).toBe(1)
  expect(Math.max(...reads)).toBeLessThanOrEqual(5)
})

// --- Random filters

const families = familiesOf(someFilter(schema), likes)
const collection = defineCollection(schema, {
  key: 'id',
  sort: ['total', 'gift', 'name', 'day'],
  fields: true,
  offset: { max: 100 },
  count: true,
})

test.each(Object.keys(layouts))('caches cold, warm and full of other shapes make the same: %s', (layout) => {
  const warm = backendOf(layout).filter
  const check = (numRuns: number) =>
    fc.assert(
      fc.property(families, (filters) => {
        for (const filter of [...filters, ...filters]) expect(warm(filter)).toEqual(backendOf(layout).filter(filter))
      }),
      { numRuns },
    )
  check(byEffort(4_000, 10))
  const many = (count: number) =>
    or(...Array.from({ length: count }, (_, at) => not(comparison(['total'], 'gt', number(at)))))
  for (let count = 0; count < 300; count += byEffort(1, 20)) {
    for (let time = 0; time < 2; time++) expect(warm(many(count))).toEqual(backendOf(layout).filter(many(count)))
  }
  check(byEffort(1_000, 5))
})

test.each(Object.keys(layouts))('queries are made the same by caches cold and warm: %s', (layout) => {
  const warm = backendOf(layout).query
  fc.assert(
    fc.property(familiesOf(someCollectionQuery(collection), likesOfQuery), (queries) => {
      for (const query of [...queries, ...queries]) expect(warm(query)).toEqual(backendOf(layout).query(query))
    }),
    { numRuns: byEffort(2_000, 5) },
  )
})
