/** Pages out of the rows that a backend has read. */
import { describe, expect, test } from 'vitest'
import type { LiteralType } from '../../src/index.ts'
import { cursorOf, positionOfCursor } from '../../src/query/cursor.ts'
import { toPage } from '../../src/query/page.ts'
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
  test('more rows than a backend reads are refused', () => {
    expect(() => toPage(of([id], { limit: 1 }), rows)).toThrow('rows must be at most 2')
  })

  const valueOf = (type: LiteralType, value: unknown) => {
    const { next } = toPage(of([key('a.b', type), id], { limit: 1 }), [{ id: 1, a: { b: value } }, { id: 2 }])
    return positionOfCursor(next!, [key('a.b', type), id], () => false)!.values[0]?.value ?? null
  }
  test.each<[LiteralType, unknown, unknown]>([
    ['string', 'x', 'x'],
    ['string', null, null],
    ['string', undefined, null],
    ['integer', 5, 5],
    ['integer', '-9007199254740991', -9007199254740991],
    ['integer', 7n, 7],
    ['number', '12.50', 12.5],
    ['number', '0.1', 0.1],
    ['number', '-0.00', 0],
    ['number', '1000000000000000000000', 1e21],
    ['number', '0.0000001', 1e-7],
    ['number', '-0.00000015', -1.5e-7],
    ['number', '123456789012345690000000.0', 1.2345678901234569e23],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', new Date('2024-02-29T23:59:59.999Z'), '2024-02-29'],
    ['datetime', '2024-02-29T01:00:00+02:00', '2024-02-28T23:00:00.000Z'],
    ['datetime', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('writes the %s %o', (type, value, expected) => expect(valueOf(type, value)).toBe(expected))
  test.each<[LiteralType, unknown]>([
    ['string', 5],
    ['string', '\ud800'],
    ['string', ['x']],
    ['integer', 1.5],
    ['integer', '1.5'],
    ['integer', '9007199254740993'],
    ['integer', 2n ** 60n],
    ['number', NaN],
    ['number', '1.00000000000000000001'],
    ['number', '9007199254740993'],
    ['number', '1e5'],
    ['boolean', 1],
    ['date', '2024-02-30'],
    ['date', '2024-02-29T00:00:00Z'],
    ['date', new Date(NaN)],
    ['datetime', '2024-02-29'],
    ['datetime', 0],
    ['datetime', {}],
  ])('refuses %o %o, and names the field', (type, value) => {
    expect(() => valueOf(type, value)).toThrow(TypeError)
    expect(() => valueOf(type, value)).toThrow(`rows must hold ${type} values in a.b; found a`)
  })
})
