/** Pages in memory: rows that have the wrong form too, in the order that values have. */
import { describe, expect, test } from 'vitest'
import { comparison, type LiteralType } from '../../../src/tree/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import type { Position, SortKey } from '../../../src/query/query.ts'
import { key, text } from '../../query/queries.ts'
import { number, pages, read } from './page.fixture.ts'
import { partsOfFilter } from '../../../src/query/index.ts'

describe('the first rows of many', () => {
  /** Rows from the last to the first, and one more that is first: each of them moves the end of the page. */
  const backwards = (values: readonly unknown[]) => values.toReversed().map((value) => ({ value }))
  const firstTwo = (type: LiteralType, values: readonly unknown[], direction: SortKey['direction'] = 'ascending') =>
    read(backwards(values), { sort: [key('value', type, direction)], limit: 1 }).map((row) => (row as Row).value)
  interface Row {
    readonly value: unknown
  }

  test.each<[LiteralType, readonly unknown[]]>([
    ['number', [undefined, -Infinity, -1, 0.5, 7, Infinity]],
    ['string', ['', 'A', 'a', 'ä', '\uffee', '\u{1F3C4}']],
    ['boolean', [null, false, true]],
    // Before the year 0, and after the year 9999.
    [
      'date',
      [null, new Date(-8.64e15), '2024-01-01', new Date('2024-01-02T23:00:00Z'), '2024-01-03', new Date(8.64e15)],
    ],
    [
      'datetime',
      [null, new Date(-8.64e15), '2024-01-01T01:00:00+01:00', '2024-01-01T00:00:00.001Z', new Date(8.64e15)],
    ],
  ])('%s', (type, values) => {
    for (let from = 0; from + 1 < values.length; from++) {
      expect(firstTwo(type, values.slice(from))).toEqual(values.slice(from, from + 2))
      const last = values.slice(0, values.length - from)
      expect(firstTwo(type, last.toReversed(), 'descending')).toEqual(last.toReversed().slice(0, 2))
    }
  })

  test('compares rows that are equal in the first keys by the next one', () => {
    const make = (...values: readonly unknown[][]) => values.map(([a, b, c], id) => ({ a, b, c, id }))
    const idsOf = (rows: readonly unknown[]) => rows.map((row) => (row as { readonly id: number }).id)
    const sort = [key('a', 'string'), key('b', 'boolean', 'descending'), key('c', 'datetime')]
    const [early, late] = ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z']
    const rows = make(
      ...[
        ['x', false, late],
        ['x', true, late],
        ['x', true, early],
        ['x', false],
        ['x', null, early],
        ['w', null, late],
      ],
      ...[
        ['x', true, new Date(early)],
        [5, true, late],
        ['y', true, early],
        ['x', true, 'soon'],
        ['x', 'true', early],
      ],
    )
    const all = [7, 5, 9, 2, 6, 1, 3, 0, 4, 10, 8]
    expect(idsOf(read(rows, { sort }))).toEqual(all)
    for (let limit = 1; limit < rows.length; limit++) {
      expect(idsOf(read(rows, { sort, limit }))).toEqual(all.slice(0, limit + 1))
      expect(idsOf(read(rows.toReversed(), { sort: sort.slice(0, 2), limit }))).toHaveLength(limit + 1)
    }
    const at = (b: boolean | null, c: string | null): Position['values'] => [
      text('x'),
      b === null ? null : { type: 'boolean', value: b },
      c === null ? null : { type: 'datetime', value: c },
    ]
    const paged = (values: Position['values']) => pages(rows, sort, values).map(idsOf)
    expect(paged(at(true, early))).toEqual([
      [1, 3, 0, 4, 10, 8],
      [9, 5, 7],
    ])
    expect(paged(at(false, null))).toEqual([
      [0, 4, 10, 8],
      [1, 2, 6, 9, 5, 7],
    ])
    expect(paged(at(null, early))).toEqual([[8], [0, 3, 1, 2, 6, 9, 5, 7]])
  })

  test('texts that are no dates, in the order of all texts; texts that are no datetimes, as no value', () => {
    const values = (type: LiteralType, direction: SortKey['direction'], given: readonly string[]) =>
      read(
        given.map((value) => ({ value })),
        { sort: [key('value', type, direction)], limit: 1 },
      ).map((row) => (row as { readonly value: string }).value)
    expect(values('date', 'descending', ['\uffee', '\uffee', '\u{1F3C4}'])).toEqual(['\u{1F3C4}', '\uffee'])
    expect(values('date', 'ascending', ['\u{1F3C4}', '\u{1F3C4}', '\uffee'])).toEqual(['\uffee', '\u{1F3C4}'])
    const [first, second, none] = ['2024-01-01', '2024-01-02', '2024-02-30'].map((day) => `${day}T00:00:00.000Z`)
    expect(values('datetime', 'ascending', [first!, second!, none!])).toEqual([none, first])
    expect(values('datetime', 'descending', [none!, first!, second!])).toEqual([second, first])
  })

  test('of equal rows the earlier ones', () => {
    const rows = [1, 2, 3, 4].map((id) => ({ id, value: 5 }))
    expect(read(rows, { sort: [key('value', 'number')], limit: 1 })).toEqual(rows.slice(0, 2))
    expect(read(rows, { sort: [key('value', 'number', 'descending')], limit: 1 })).toEqual(rows.slice(0, 2))
  })
})

describe('values of another form are no value', () => {
  test.each<[LiteralType, readonly unknown[], unknown]>([
    ['number', ['3', NaN, true, [1], new Number(1)], 1],
    ['string', [3, ['a'], new String('a')], 'a'],
    ['boolean', [1, 'true'], false],
    ['date', [20240101, new Date(NaN)], '0001-01-01'],
    ['datetime', [5, 'soon', '2024-02-30T00:00:00Z', new Date(NaN)], '0001-01-01T00:00:00Z'],
  ])('%s', (type, faulty, value) => {
    const rows = [{ value }, ...faulty.map((one) => ({ value: one }))]
    const [first, ...rest] = rows
    expect(read(rows, { sort: [key('value', type)] })).toEqual([...rest, first])
    expect(read(rows, { sort: [key('value', type, 'descending')] })).toEqual([first, ...rest])
    // After no value comes the value, and nothing that has none.
    expect(pages(rows, [key('value', type)], [null])).toEqual([[first], []])
  })

  test('and so are those of prototypes', () => {
    class Parent {
      declare value: number
    }
    Parent.prototype.value = 1
    const rows = [new Parent(), Object.assign(new Parent(), { value: 2 }), Object.create(null, { value: { value: 3 } })]
    expect(pages(rows, [key('value', 'number')], [number(2)])).toEqual([[rows[2]], [rows[0]]])
    const named: readonly object[] = [{}, { toString: 'b' }, { toString: 'a' }]
    expect(read(named, { sort: [key('toString', 'string')] })).toEqual([named[0], named[2], named[1]])
    const inner = [{ a: { b: 2 } }, { a: [{ b: 1 }] }, { a: null }, null, { a: { b: 1 } }]
    expect(pages(inner, [key('a.b', 'number')], [number(1)])).toEqual([[inner[0]], [inner[1], inner[2], inner[3]]])
  })
})

test('the count is of all rows that the filter selects', () => {
  const rows = [1, 2, 3, 4, '5'].map((value) => ({ value }))
  const query = { ...partsOfFilter(comparison(['value'], 'gt', number(1))), sort: [key('value', 'number')], limit: 1 }
  const position: Position = { toward: 'next', values: [number(3)] }
  const page = memoryBackend().compileQuery({ ...query, count: true, position })
  expect(page(rows)).toEqual({ rows: [rows[3]], count: 3 })
  expect(memoryBackend().compileQuery({ ...query, count: false })(rows)).toEqual({ rows: [rows[1], rows[2]] })
  expect(() => page({} as never)).toThrow('rows must be a list')
})

test('properties of Object.prototype are not values of a row', () => {
  const { prototype } = Object
  Object.defineProperty(prototype, 'polluted', { value: 9, configurable: true })
  try {
    const rows = [{ polluted: 2 }, { polluted: 1 }, {}]
    expect(read(rows, { sort: [key('polluted', 'number')], limit: 1 })).toEqual([rows[2], rows[1]])
  } finally {
    Reflect.deleteProperty(prototype, 'polluted')
  }
})

test('texts are cut by code point, not by UTF-16 unit', () => {
  const rows = ['a', 'b', '\uffee', '\u{1F3C4}'].map((name) => ({ name }))
  const sort = [key('name', 'string')]
  const names = (name: string) =>
    pages(rows, sort, [text(name)]).map((page) => page.map((row) => rows.indexOf(row as never)))
  expect(names('b')).toEqual([[2, 3], [0]])
  expect(names('\uffee')).toEqual([[3], [1, 0]])
  expect(names('\u{1F3C4}')).toEqual([[], [2, 1, 0]])
})

test('a bounded count stops at one row more than its maximum', () => {
  let read = 0
  const rows = Array.from({ length: 10 }, (_, at) => ({
    get id() {
      read++
      return at + 1
    },
  }))
  const schema = defineSchema({ id: field.integer() })
  const counted = (max: number, text: string) => {
    const bounded = defineCollection(schema, { key: 'id', count: { max } })
    const { compileQuery } = memoryBackend()
    return compileQuery(parseQueryOrThrow(bounded, `count=true&limit=1${text}`))(rows).count
  }
  expect(counted(3, '')).toEqual({ atLeast: 3 })
  expect(counted(9, '')).toEqual({ atLeast: 9 })
  expect(counted(10, '')).toBe(10)
  expect(counted(3, '&id[gt]=7')).toBe(3)
  expect(counted(3, '&id[gt]=6')).toEqual({ atLeast: 3 })
  expect(counted(3, '&id[gt]=10')).toBe(0)
  const reads = (max: number) => ((read = 0), counted(max, '&id[gte]=1'), read)
  expect(reads(10) - reads(3)).toBe(6)
})
