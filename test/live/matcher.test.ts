/** Which filters a row matches, and how a change concerns them: expected results by hand. */
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { and, defineSchema, field, not, or, where, type Filter } from '../../src/index.ts'
import { comparison, count, match, membership, presence, some } from '../../src/tree.ts'
import { matcher, transition } from '../../src/live/index.ts'

const schema = defineSchema({ tenant: field.string(), total: field.number(), day: field.date(), note: field.string() })
const { equals, gte, lt, contains, exists } = where(schema)

describe('a matcher', () => {
  test('has each id once, and replaces its filter', () => {
    const saved = matcher<unknown>()
    const key = {}
    for (const id of ['a', 1, '1', NaN, -0, key, undefined, null]) saved.add(id, equals('tenant', 't'))
    saved.add(NaN, equals('tenant', 'u'))
    saved.add(0, equals('tenant', 'u'))
    expect(saved.size).toBe(8)
    expect(saved.match({ tenant: 't' })).toEqual(['a', 1, '1', key, undefined, null])
    expect(saved.match({ tenant: 'u' })).toEqual([NaN, 0])
    expect([saved.delete(-0), saved.delete(0), saved.delete({}), saved.size]).toEqual([true, false, false, 7])
  })

  test('keeps the filter of an id that gets none', () => {
    const saved = matcher()
    saved.add('a', equals('tenant', 't'))
    expect(() => saved.add('a', undefined as never)).toThrow(new TypeError('filter must be a filter'))
    expect(saved.match({ tenant: 't' })).toEqual(['a'])
  })

  test('asks the filter as it was when it came', () => {
    const saved = matcher()
    const filter = { kind: 'comparison', path: ['a'], operator: 'eq', operand: { type: 'integer', value: 1 } }
    saved.add('a', filter as Filter)
    filter.operand.value = 2
    expect([saved.match({ a: 1 }), saved.match({ a: 2 })]).toEqual([['a'], []])
    expect(saved.delete('a')).toBe(true)
  })

  test('compares a change with each filter', () => {
    const saved = matcher()
    saved.add('low', lt('total', 100))
    saved.add('high', gte('total', 100))
    saved.add('all', and())
    saved.add('none', or())
    expect(saved.changes({ total: 90 }, { total: 120 })).toEqual({ entered: ['high'], left: ['low'], stayed: ['all'] })
    expect(saved.changes(undefined, { total: 90 })).toEqual({ entered: ['low', 'all'], left: [], stayed: [] })
    expect(saved.changes({ total: 90 }, undefined)).toEqual({ entered: [], left: ['low', 'all'], stayed: [] })
    expect(saved.changes(undefined, undefined)).toEqual({ entered: [], left: [], stayed: [] })
    // A row may be null: it has no value.
    expect(saved.changes(null, undefined).left).toEqual(['all'])
  })
})

test('a bound belongs to a range as the operator defines it, and also in filters that the row satisfies in great numbers', () => {
  const saved = matcher<string>()
  const { gt, lte } = where(schema)
  for (let at = 0; at < 400; at++)
    for (const [name, operator] of Object.entries({ gt, gte, lt, lte }))
      saved.add(`${name} ${at}`, operator('total', at))
  const found = (from: number, to: number, ...names: readonly string[]) =>
    Array.from({ length: to - from }, (_, at) => names.map((name) => `${name} ${from + at}`)).flat()
  const sorted = (ids: readonly string[]) => ids.toSorted()
  expect(sorted(saved.match({ total: 0 }))).toEqual(
    sorted([...found(0, 1, 'gte', 'lte'), ...found(1, 400, 'lt', 'lte')]),
  )
  expect(sorted(saved.match({ total: 200 }))).toEqual(
    sorted([...found(0, 200, 'gt', 'gte'), ...found(200, 201, 'gte', 'lte'), ...found(201, 400, 'lt', 'lte')]),
  )
  expect(sorted(saved.match({ total: 999 }))).toEqual(sorted(found(0, 400, 'gt', 'gte')))
  expect(saved.match({ total: null })).toEqual([])
})

/** Many filters, so that the tree divides them, and the one whose rows are compared. */
function among(filter: Filter) {
  const saved = matcher<string | number>()
  for (let at = 0; at < 60; at++) {
    saved.add(at, and(equals('tenant', `t-${at % 3}`), gte('total', at), contains('note', `word ${at}`)))
    saved.add(`day ${at}`, and(equals('day', `2024-01-${10 + (at % 20)}`), exists('note', true)))
    saved.add(`list ${at}`, some(['list'], comparison(['a'], 'gte', { type: 'integer', value: at + 1_000 })))
  }
  saved.add('it', filter)
  return (row: unknown) => saved.match(row).filter((id) => id === 'it').length
}
const integer = (value: number) => ({ type: 'integer', value }) as const
const text = (value: string) => ({ type: 'string', value }) as const

test.each<[name: string, filter: Filter, selected: readonly unknown[], others: readonly unknown[]]>([
  ['a value', comparison(['a'], 'eq', text('__proto__')), [{ a: '__proto__' }], [{}, { a: {} }, { a: 1 }]],
  ['a member', membership(['a'], [integer(1), integer(2)]), [{ a: 1 }, { a: 2 }], [{ a: 3 }, { a: '1' }, { a: [1] }]],
  ['zeros', comparison(['a'], 'eq', { type: 'number', value: 0 }), [{ a: 0 }, { a: -0 }], [{ a: NaN }, { a: null }]],
  [
    'decimals',
    comparison(['a'], 'eq', { type: 'decimal', value: '1' }),
    [{ a: 1 }, { a: '1.0' }, { a: '10e-1' }, { a: 1n }],
    [{ a: '1.01' }, { a: true }],
  ],
  ['bigints', comparison(['a'], 'eq', { type: 'bigint', value: '7' }), [{ a: 7 }, { a: 7n }, { a: '7' }], [{ a: 8 }]],
  [
    'moments',
    comparison(['a'], 'eq', { type: 'datetime', value: '2024-01-01T00:00:00.000Z' }),
    [
      { a: '2024-01-01T01:00:00+01:00' },
      { a: new Date('2024-01-01') },
      { a: runInNewContext('new Date("2024-01-01")') },
    ],
    [{ a: '2024-01-01' }, { a: new Date(NaN) }],
  ],
  [
    'a range of days, where a text is no day',
    comparison(['a'], 'gt', { type: 'date', value: '2024-01-01' }),
    [{ a: '2024-01-02' }, { a: 'soon' }, { a: new Date('2024-01-02') }, { a: new Date(8.64e15) }],
    [{ a: '2024-01-01' }, { a: new Date('2024-01-01T23:59:59.999Z') }, { a: 'Soon'.slice(0, 0) }],
  ],
  [
    'a range of integers, where a number is a fraction or infinite',
    and(comparison(['a'], 'gt', integer(1)), comparison(['a'], 'gte', integer(0))),
    [{ a: 1.5 }, { a: Infinity }],
    [{ a: 1 }, { a: NaN }, { a: -Infinity }],
  ],
  [
    'a range without a value',
    and(comparison(['a'], 'gt', integer(2)), comparison(['a'], 'lt', integer(1))),
    [],
    [{ a: 1.5 }],
  ],
  [
    'texts in lower case',
    and(comparison(['a'], 'gteIgnoreCase', text('B')), match(['b'], 'whole', 'ÄΣ')),
    [
      { a: 'b', b: 'äς'.replace('ς', 'σ') },
      { a: 'C', b: 'Äσ' },
    ],
    [
      { a: 'A', b: 'äσ' },
      { a: 'b', b: 'äς' },
    ],
  ],
  [
    'a part of a text',
    match(['a'], 'substring', 'SURF'),
    [{ a: 'windsurfing' }, { a: 'Surf' }],
    [{ a: 'sur' }, { a: 1 }],
  ],
  ['a short part', match(['a'], 'suffixExact', 'B'), [{ a: 'aB' }], [{ a: 'ab' }, { a: '' }]],
  ['an empty part', match(['a'], 'prefix', ''), [{ a: '' }], [{ a: null }, {}]],
  [
    'two entries of a list, each with one bound',
    and(some(['list'], comparison(['a'], 'gt', integer(5))), some(['list'], comparison(['a'], 'lt', integer(3)))),
    [{ list: [{ a: 9 }, { a: 1 }] }],
    [{ list: [{ a: 4 }] }, { list: { a: 9 } }],
  ],
  [
    'an entry of a list in a list',
    some(['list'], some(['tags'], comparison([], 'eq', text('sea')))),
    [{ list: [{ tags: [] }, null, { tags: ['sky', 'sea'] }] }],
    [{ list: ['sea'] }, { tags: ['sea'] }],
  ],
  ['an entry that is not there', some(['list'], not(presence(['a'], 'integer'))), [{ list: [null] }], [{ list: [] }]],
  ['the entries', count(['list'], 'integer', 'gte', 2), [{ list: [1, 2] }], [{ list: [1, null] }, {}]],
  ['at least no entry', count(['list'], 'integer', 'gte', 0), [{}, null], []],
  ['at most one entry', count(['list'], 'integer', 'lte', 1), [{}, { list: [1, null] }], [{ list: [1, 2] }]],
  ['a complement', not(comparison(['a'], 'eq', text('x'))), [{}, null, undefined, 'row', { a: 'y' }], [{ a: 'x' }]],
  [
    'an alternative',
    or(comparison(['a'], 'eq', text('x')), and(comparison(['b'], 'eq', text('y')), not(presence(['c'], 'string')))),
    [{ a: 'x' }, { b: 'y' }, { a: 'x', b: 'y' }],
    [{ b: 'y', c: '' }, {}],
  ],
  ['own properties', presence(['toString'], 'json'), [{ toString: 1 }], [{}]],
])('%s is found by its condition', (_, filter, selected, others) => {
  const isFound = among(filter)
  expect(selected.map(isFound)).toEqual(selected.map(() => 1))
  expect(others.map(isFound)).toEqual(others.map(() => 0))
})

test('most filters are not asked', () => {
  const saved = matcher<number>()
  for (let at = 0; at < 2_000; at++)
    saved.add(at, and(equals('tenant', `t-${at % 10}`), gte('total', at), lt('total', at + 1)))
  let reads = 0
  const row = Object.defineProperty({ tenant: 't-7' }, 'total', { enumerable: true, get: () => (reads++, 1_007.5) })
  expect(saved.match(row)).toEqual([1_007])
  // Of the 200 filters of the tenant, those with another total are not asked.
  expect(reads).toBeLessThan(10)
})

test.each([
  [90, 120, 'entered'],
  [120, 90, 'left'],
  [120, 130, 'stayed'],
  [10, 20, 'outside'],
  [undefined, 120, 'entered'],
  [120, undefined, 'left'],
  [undefined, undefined, 'outside'],
] as const)('a total of %s and then %s: %s', (before, after, expected) => {
  const row = (total: number | undefined) => (total === undefined ? undefined : { total })
  expect(transition(gte('total', 100), row(before), row(after))).toBe(expected)
  // No row is selected where there is none.
  expect(transition(and(), row(before), row(after)) === 'outside').toBe(before === undefined && after === undefined)
})
