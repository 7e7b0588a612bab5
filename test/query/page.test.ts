/** Pages out of the rows that a backend has read. */
import { describe, expect, test, vi } from 'vitest'
import type { LiteralType } from '../../src/index.ts'
import { cursorOf, positionOfCursor } from '../../src/query/cursor.ts'
import { positionAt, toPage, valueAt } from '../../src/query/page.ts'
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
  test('what is not a list of rows is refused', () => {
    expect(() => toPage(of([id]), {} as never)).toThrow('rows must be a list')
  })
  test('more rows than a backend reads are refused', () => {
    expect(() => toPage(of([id], { limit: 1 }), rows)).toThrow('rows must be at most 2')
  })

  const valueOf = (type: LiteralType, value: unknown, page = toPage) => {
    const { next } = page(of([key('a.b', type), id], { limit: 1 }), [{ id: 1, a: { b: value } }, { id: 2 }])
    return positionOfCursor(next!, [key('a.b', type), id], () => false)!.values[0]?.value ?? null
  }
  const values: [LiteralType, unknown, unknown][] = [
    ['string', 'x', 'x'],
    ['string', null, null],
    ['string', undefined, null],
    ['integer', 5, 5],
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
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', new Date('2024-02-29T23:59:59.999Z'), '2024-02-29'],
    ['datetime', '2024-02-29T01:00:00+02:00', '2024-02-28T23:00:00.000Z'],
    ['datetime', new Date(0), '1970-01-01T00:00:00.000Z'],
  ]
  test.each(values)('writes the %s %o', (type, value, expected) => expect(valueOf(type, value)).toBe(expected))
  const others: [LiteralType, unknown, string][] = [
    ['string', 5, 'a number'],
    ['string', '\ud800', 'a string'],
    ['string', ['x'], 'an object'],
    ['integer', 1.5, 'a number'],
    ['integer', '1.5', 'a string'],
    ['integer', '9007199254740993', 'a string'],
    ['integer', 2n ** 60n, 'a bigint'],
    ['integer', ['5'], 'an object'],
    ['number', NaN, 'a number'],
    ['number', '1.00000000000000000001', 'a string'],
    ['number', '9007199254740993', 'a string'],
    ['number', '1e5', 'a string'],
    ['number', '5.', 'a string'],
    ['number', 'NaN', 'a string'],
    ['number', 'Infinity', 'a string'],
    ['number', '9'.repeat(400), 'a string'],
    ['boolean', 1, 'a number'],
    ['date', '2024-02-30', 'a string'],
    ['date', '2024-02-29T00:00:00Z', 'a string'],
    ['date', Array.from('2024-02-29'), 'an object'],
    ['date', new Date(NaN), 'a Date'],
    ['datetime', '2024-02-29', 'a string'],
    ['datetime', ['2024-02-29T00:00:00Z'], 'an object'],
    ['datetime', 0, 'a number'],
    ['datetime', {}, 'an object'],
  ]
  test.each(others)('refuses the %s %o, and names the field', (type, value, what) => {
    expect(() => valueOf(type, value)).toThrow(
      new TypeError(`rows must hold ${type} values in a.b; found ${what} that is not one`),
    )
  })
  test('a second copy of the library, such as that of the other format, takes the same values', async () => {
    vi.resetModules()
    const copy = await import('../../src/query/page.ts')
    for (const [type, value, expected] of values) expect(valueOf(type, value, copy.toPage)).toBe(expected)
    for (const [type, value, what] of others)
      expect(() => valueOf(type, value, copy.toPage)).toThrow(`rows must hold ${type} values in a.b; found ${what}`)
  })
  test('reads hundreds of thousands of zeros in linear time', () => {
    const zeros = '0'.repeat(200_000)
    expect(valueOf('number', `${zeros}1.5${zeros}`)).toBe(1.5)
    expect(() => valueOf('number', `0.${zeros}1`)).toThrow('rows must hold number values')
    expect(() => valueOf('number', `1.${zeros}1${zeros}`)).toThrow('rows must hold number values')
  })
  test.each([-0, '-0', '-0.0'])('a position has 0 for %o', (value) => {
    expect(positionAt([key('a', 'number')], { a: value }, 'next').values).toEqual([{ type: 'number', value: 0 }])
  })
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
