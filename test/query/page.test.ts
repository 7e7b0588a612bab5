/** Pages out of the rows that a backend has read. */
import { describe, expect, test, vi } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../src/index.ts'
import { type Literal, type LiteralType } from '../../src/tree.ts'
import { cursorOf, longestCursor, positionOfCursor } from '../../src/query/cursor.ts'
import { positionAt, toPage, type PageOptions } from '../../src/query/page.ts'
import { valueAt } from '../../src/query/sort-value.ts'
import type { Position, Query } from '../../src/query/query.ts'
import { at, id, integer, key, of } from './queries.ts'

describe('toPage', () => {
  const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const cursor = (toward: Position['toward'], value: number) => cursorOf([id], { toward, values: [integer(value)] })
  test.each<[string, Partial<Query>, object]>([
    ['the first of several', {}, { rows: rows.slice(0, 2), next: cursor('next', 2) }],
    ['the only one', { limit: 3 }, { rows }],
    [
      'one in the middle',
      at('next', integer(0)),
      { rows: rows.slice(0, 2), next: cursor('next', 2), previous: cursor('previous', 1) },
    ],
    ['the last', { limit: 3, ...at('next', integer(0)) }, { rows, previous: cursor('previous', 1) }],
    [
      'the first, read backwards',
      { limit: 3, ...at('previous', integer(9)) },
      { rows: rows.toReversed(), next: cursor('next', 1) },
    ],
    [
      'one in the middle, read backwards',
      at('previous', integer(9)),
      { rows: [{ id: 2 }, { id: 1 }], next: cursor('next', 1), previous: cursor('previous', 2) },
    ],
  ])('%s', (_, more, expected) => expect(toPage(of([id], { limit: 2, ...more }), rows)).toEqual(expected))
  test('an empty page has no cursors', () => {
    expect(toPage(of([id], at('next', integer(3))), [])).toEqual({ rows: [] })
    expect(toPage(of([id], at('previous', integer(3))), [])).toEqual({ rows: [] })
  })
  test('an argument that is not a list of rows is refused', () => {
    expect(() => toPage(of([id]), {} as never)).toThrow('rows must be a list')
  })
  test('more rows than a backend reads are refused', () => {
    expect(() => toPage(of([id], { limit: 1 }), rows)).toThrow('rows must be at most 2')
  })

  type Make = typeof toPage
  const placeOf = (type: LiteralType, value: unknown, options: PageOptions = {}, page: Make = toPage) => {
    const sort = [key('a.b', type), id]
    const { next } = page(of(sort, { limit: 1 }), [{ id: 1, a: { b: value } }, { id: 2 }], options)
    return positionOfCursor(next!, sort)!
  }
  const values: [LiteralType, unknown, unknown][] = [
    ['string', 'x', 'x'],
    ['string', null, null],
    ['string', undefined, null],
    ['integer', 5, 5],
    ['number', -0.5, -0.5],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', new Date('2024-02-29T23:59:59.999Z'), '2024-02-29'],
    ['datetime', '2024-02-29T01:00:00+02:00', '2024-02-28T23:00:00.000Z'],
    ['datetime', '2024-02-29T01:00:00.123456789+02:00', '2024-02-28T23:00:00.123456Z'],
    ['datetime', '2024-02-29T01:00:00.123000Z', '2024-02-29T01:00:00.123Z'],
    ['uuid', 'AD2B1C4E-0000-4000-8000-00000000000A', 'ad2b1c4e-0000-4000-8000-00000000000a'],
    ['bigint', 9007199254740993n, '9007199254740993'],
    ['bigint', '-9223372036854775808', '-9223372036854775808'],
    ['bigint', 7, '7'],
    ['bigint', null, null],
    ['decimal', '1.10', '1.1'],
    ['decimal', '-0.00', '0'],
    ['decimal', '1.5e-7', '0.00000015'],
    ['decimal', 1e21, '1000000000000000000000'],
    ['decimal', 0.1, '0.1'],
    ['decimal', 12n, '12'],
    // More than an operand may have: the engine compares it.
    ['decimal', `0.${'1234567890'.repeat(5)}`, `0.${'1234567890'.repeat(5).slice(0, -1)}`],
  ]
  const driverValues: [LiteralType, unknown, unknown][] = [
    ['integer', '-9007199254740991', -9007199254740991],
    ['integer', 7n, 7],
    ['number', '12.50', 12.5],
    ['number', '0.1', 0.1],
    ['number', '-0.00', 0],
    ['number', '-0.50', -0.5],
    ['number', '1.050', 1.05],
    // Such are numbers of a column with ZEROFILL.
    ['integer', '0001005', 1005],
    ['integer', '-007', -7],
    ['number', '1000000000000000000000', 1e21],
    ['number', '0.0000001', 1e-7],
    ['number', '-0.00000015', -1.5e-7],
    ['number', '123456789012345690000000.0', 1.2345678901234569e23],
    ['boolean', 0, false],
    ['boolean', 1, true],
    ['boolean', 1n, true],
    // A string in a column of whole numbers.
    ['string', 9223372036854775807n, '9223372036854775807'],
    ['string', 7, '7'],
    // Milliseconds.
    ['datetime', 1, '1970-01-01T00:00:00.001Z'],
    ['datetime', '1', '1970-01-01T00:00:00.001Z'],
  ]
  describe('a Date for a datetime', () => {
    const moment = '2024-02-29T01:00:00.123Z'
    const page = (digits?: 3) => {
      const sort = [{ ...key('a.b', 'datetime'), ...(digits && { digits }) }, id]
      return toPage(of(sort, { limit: 1 }), [{ id: 1, a: { b: new Date(moment) } }, { id: 2 }])
    }
    test('is exact where the field has whole milliseconds', () => {
      const sort = [key('a.b', 'datetime'), id]
      expect(positionOfCursor(page(3).next!, sort)!.values[0]).toEqual({ type: 'datetime', value: moment })
    })
    test('is refused elsewhere, in every page and in every row', () => {
      const message =
        /^rows\[0\] has a Date in a\.b, which has lost the microseconds: .*field\.datetime\(\{ digits: 3 \}\)/
      expect(() => page()).toThrow(TypeError)
      expect(() => page()).toThrow(message)
      const query = of([key('at', 'datetime'), id], { limit: 5 })
      expect(() =>
        toPage(query, [
          { id: 1, at: null },
          { id: 2, at: new Date() },
        ]),
      ).toThrow('rows[1] has a Date in at')
      expect(() => toPage(query, [{ id: 1, at: new Date(NaN) }])).toThrow('rows[0] has a Date in at')
    })
  })
  class Decimal128 {
    toString() {
      return '1.5'
    }
  }
  test.each(['uuid', 'bigint', 'decimal'] as const)("a %s that is an object of a driver's class is refused", (type) => {
    expect(() => placeOf(type, new Decimal128())).toThrow(
      new TypeError(`rows[0] must hold a ${type} in a.b; found an object of a driver: give its text, String(value)`),
    )
    expect(placeOf(type, {})).toEqual({ toward: 'next', values: [], offset: 1 })
  })
  const written = (value: unknown) => ({
    toward: 'next',
    values: [value === null ? null : expect.objectContaining({ value }), integer(1)],
  })
  const counted = { toward: 'next', values: [], offset: 1 }
  test.each(values)('writes the %s %o', (type, value, expected) => {
    expect(placeOf(type, value)).toEqual(written(expected))
    expect(placeOf(type, value, { driverNumbers: true })).toEqual(written(expected))
  })
  test.each(driverValues)('writes the %s %o where a driver gives it, and elsewhere counts', (type, value, expected) => {
    expect(placeOf(type, value, { driverNumbers: true })).toEqual(written(expected))
    if (typeof value === 'bigint') {
      expect(() => placeOf(type, value)).toThrow(
        /^rows\[0\] must hold an? \w+ in a\.b; found a bigint: .*driverNumbers/,
      )
    } else expect(placeOf(type, value)).toEqual(counted)
  })
  const others: [LiteralType, unknown][] = [
    ['string', 0.5],
    ['string', '\0'],
    ['string', '\ud800'],
    ['string', ['x']],
    ['integer', 1.5],
    ['integer', '1.5'],
    ['integer', '9007199254740993'],
    ['integer', ['5']],
    ['number', NaN],
    ['number', Infinity],
    ['number', '1.00000000000000000001'],
    ['number', '9007199254740993'],
    ['number', '1e5'],
    ['number', '5.'],
    ['number', 'NaN'],
    ['number', 'Infinity'],
    ['number', '9'.repeat(400)],
    ['boolean', 2],
    ['boolean', 'true'],
    ['date', 'soon'],
    ['date', '2024-02-30'],
    ['date', '2024-02-29T00:00:00Z'],
    ['date', Array.from('2024-02-29')],
    ['date', new Date(NaN)],
    ['datetime', '2024-02-29'],
    ['datetime', '9999-12-31T23:59:59-01:00'],
    ['datetime', ['2024-02-29T00:00:00Z']],
    ['datetime', {}],
    ['uuid', 'ad2b1c4e000040008000000000000000'],
    ['uuid', '{ad2b1c4e-0000-4000-8000-00000000000a}'],
    ['uuid', 5],
    ['bigint', 2 ** 53],
    ['bigint', '9223372036854775808'],
    ['bigint', 9223372036854775808n],
    ['bigint', '07'],
    ['bigint', 'x'],
    ['decimal', NaN],
    ['decimal', 'Infinity'],
    ['decimal', '1,5'],
    ['decimal', {}],
  ]
  test.each(others)('counts where the %s is %o, with and without driverNumbers', (type, value) => {
    expect(placeOf(type, value)).toEqual(counted)
    expect(placeOf(type, value, { driverNumbers: true })).toEqual(counted)
  })
  test('a second copy of the library, such as that of the other format, writes the same', async () => {
    vi.resetModules()
    const { toPage: copy } = await import('../../src/query/page.ts')
    for (const [type, value, expected] of values) expect(placeOf(type, value, {}, copy)).toEqual(written(expected))
    for (const [type, value] of others) expect(placeOf(type, value, {}, copy)).toEqual(counted)
  })
  test('reads hundreds of thousands of zeros in linear time', () => {
    const zeros = '0'.repeat(200_000)
    const driven = { driverNumbers: true }
    expect(placeOf('number', `${zeros}1.5${zeros}`, driven)).toEqual(written(1.5))
    expect(placeOf('number', `0.${zeros}1`, driven)).toEqual(counted)
    expect(placeOf('number', `1.${zeros}1${zeros}`, driven)).toEqual(counted)
  })
  test('a position has 0 for -0', () => {
    expect(positionAt([key('a', 'number')], { a: -0 }, 'next')?.values).toEqual([{ type: 'number', value: 0 }])
    expect(placeOf('number', '-0.0', { driverNumbers: true })).toEqual(written(0))
  })
  test('options that do not exist are refused', () => {
    expect(() => toPage(of([id]), [], { driverNumber: true } as never)).toThrow(/did you mean driverNumbers/)
    expect(() => toPage(of([id]), [], { driverNumbers: 1 } as never)).toThrow('driverNumbers must be a boolean')
  })
})

describe('rows that lack their sort key', () => {
  const sort = [key('placedAt', 'datetime'), id]
  const select = 'select it, or give it its name in the schema'
  test.each<[string, readonly unknown[], string]>([
    ['objects without properties', [{}, {}], `rows[0] has no value in id: ${select}`],
    ['null', [null, { id: 1 }], 'rows[0] must be an object with the fields of the schema; found null'],
    ['nothing', [{ id: 1 }, undefined], 'rows[1] must be an object with the fields of the schema; found undefined'],
    ['numbers', [5, 6], 'rows[0] must be an object with the fields of the schema; found a number'],
    ['lists of values', [[1, 2]], 'rows[0] must be an object with the fields of the schema; found a list'],
    ['the name of the column', [{ ID: 1 }, { ID: 2 }], `rows[0] has no value in id: ${select}`],
    ['a key that is null', [{ id: 1 }, { id: null }], `rows[1] has no value in id: ${select}`],
    ['an inherited key', [Object.create({ id: 1 })], `rows[0] has no value in id: ${select}`],
    [
      'the key as a text',
      [{ id: '1' }],
      'rows[0] must hold an integer in id; found a string: if that is how the driver writes it',
    ],
    [
      'the key as a bigint',
      [{ id: 1n }],
      'rows[0] must hold an integer in id; found a bigint: if that is how the driver writes it',
    ],
  ])('%s', (_, rows, message) => {
    for (const limit of [1, 20]) {
      for (const query of [of(sort, { limit }), of(sort, { limit, ...at('previous', null, integer(9)) })]) {
        expect(() => toPage(query, rows)).toThrow(TypeError)
        expect(() => toPage(query, rows)).toThrow(message)
      }
    }
  })
  test('a query revived from JSON keeps the options of its sort keys', () => {
    const query = parseQueryOrThrow(
      defineCollection(defineSchema({ a: field.string(), b: field.string(), n: field.number() }), {
        key: ['a', 'b'],
        sort: ['n'],
      }),
      'sort=b,n',
    )
    expect(query.sort.map(({ path, required }) => [path[0], required])).toEqual([
      ['b', true],
      ['n', undefined],
      ['a', true],
    ])
    const revived = JSON.parse(JSON.stringify(query)) as Query
    expect(() => toPage(revived, [{ a: 'x', n: 1 }])).toThrow(`rows[0] has no value in b: ${select}`)
    expect(toPage(revived, [{ a: 'x', b: 'y' }]).rows).toHaveLength(1)
  })
})

describe('rows that share a place in the order', () => {
  const sort = [key('n', 'number'), id]
  const bad = (number: number) => ({ id: number, n: NaN })
  const good = (number: number) => ({ id: number, n: number })
  const place = (cursor: string | undefined) => (cursor === undefined ? undefined : positionOfCursor(cursor, sort))
  const three: readonly Literal[] = [{ type: 'number', value: 3 }, integer(3)]
  const at3 = { values: three }
  const after3 = at('next', ...three)
  test.each<[string, Partial<Query>, readonly unknown[], object]>([
    [
      'last on the first page',
      { limit: 2 },
      [good(3), bad(4), bad(5)],
      { next: { toward: 'next', values: [], offset: 2 } },
    ],
    [
      'last on a later page',
      { limit: 2, ...after3 },
      [good(4), bad(5), bad(6)],
      {
        next: { toward: 'next', ...at3, offset: 2 },
        previous: { toward: 'previous', values: [{ type: 'number', value: 4 }, integer(4)] },
      },
    ],
    [
      'first on the second page',
      { limit: 2, position: { toward: 'next', values: [] }, offset: 2 },
      [bad(1), good(3), good(4)],
      { next: { toward: 'next', ...at3 }, previous: { toward: 'next', values: [], offset: 0 } },
    ],
    [
      'all of a page after a row that has one',
      { limit: 2, ...after3 },
      [bad(4), bad(5), bad(6)],
      {
        next: { toward: 'next', ...at3, offset: 2 },
        previous: { toward: 'previous', ...at3, offset: 0, inclusive: true },
      },
    ],
    [
      'all of a page in the middle',
      { limit: 2, ...after3, offset: 2 },
      [bad(6), bad(7), bad(8)],
      { next: { toward: 'next', ...at3, offset: 4 }, previous: { toward: 'next', ...at3 } },
    ],
    [
      'read backwards, from a row that is on the page too',
      { limit: 2, position: { toward: 'previous', values: three, inclusive: true } },
      [bad(9), bad(2), bad(1)],
      { next: { toward: 'next', ...at3 }, previous: { toward: 'previous', ...at3, offset: 2, inclusive: true } },
    ],
  ])('%s', (_, more, rows, expected) => {
    const { next, previous } = toPage(of(sort, more), rows)
    expect({ ...(next && { next: place(next) }), ...(previous && { previous: place(previous) }) }).toEqual(expected)
  })
  test.each(['ä'.repeat(6_500), '\u{1F3C4}'.repeat(3_200), 'a'.repeat(20_000)])(
    'a text that is too long: %.5s…',
    (text) => {
      const byName = [key('name', 'string'), id]
      const { next } = toPage(of(byName, { limit: 1 }), [{ id: 1, name: text }, { id: 2 }])
      expect(positionOfCursor(next!, byName)).toEqual({ toward: 'next', values: [], offset: 1 })
      expect(next!.length).toBeLessThan(longestCursor)
    },
  )
})

describe('the value at a path', () => {
  test.each<[unknown, string, unknown]>([
    [{ a: { b: 1 } }, 'a.b', 1],
    [{ a: null }, 'a', null],
    [{ a: null }, 'a.b', undefined],
    [{}, 'a.b', undefined],
    [null, 'a', undefined],
    [undefined, 'a', undefined],
    // A text and a list have properties of their own.
    [{ a: 'text' }, 'a.length', undefined],
    [{ a: ['x'] }, 'a.0', undefined],
    [{}, 'toString', undefined],
  ])('%o at %s is %o', (row, path, expected) => expect(valueAt(row, path.split('.'))).toBe(expected))
})
