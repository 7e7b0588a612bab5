/** Which rows are cut off: a row is read once to tell whether it is outside the kept part of an order. */
import { expect, test } from 'vitest'
import type { LiteralType } from '../../../src/ast/index.ts'
import type { Ordered } from '../../../src/backends/memory/ordered.ts'
import { windowOf } from '../../../src/backends/memory/window.ts'

const day = (text: string) => new Date(`${text}Z`)

/** By type: what is cut at which value, then values that are outside for certain, and values that are not. */
test.each<[LiteralType, 'cutBelow' | 'cutAbove', Ordered, readonly unknown[], readonly unknown[]]>([
  ['number', 'cutBelow', 2, [1, -Infinity], [2, 3, '1', NaN, null, undefined, [1]]],
  ['number', 'cutAbove', 2, [3, Infinity], [2, 1, '3', NaN, null, undefined]],
  ['integer', 'cutBelow', 2, [1], [2]],
  // No value comes before all values.
  ['number', 'cutBelow', undefined, [], [1, -Infinity, null]],
  ['number', 'cutAbove', undefined, [1, Infinity], [null, '1']],
  ['string', 'cutBelow', 'b', ['a', ''], ['b', 'c', 1, null]],
  ['string', 'cutAbove', 'b', ['c', '\u{1F3C4}'], ['b', 'a', '', 1, null]],
  ['string', 'cutBelow', undefined, [], ['', 'a', null]],
  ['string', 'cutAbove', undefined, ['a', '\0'], ['', null]],
  // Units from U+D800 up are not in the order of code points.
  ['string', 'cutBelow', '\uffee', [], ['a', '\u{1F3C4}']],
  ['string', 'cutAbove', '\u{1F3C4}', [], ['a', '\uffee']],
  ['boolean', 'cutBelow', true, [], [false, true, null]],
  ['boolean', 'cutAbove', false, [], [false, true, null]],
  ['date', 'cutBelow', '2024-01-02', ['2024-01-01', day('2024-01-01T23:59:59.999')], ['2024-01-02', 1, null]],
  ['date', 'cutBelow', '2024-01-02', [], [day('2024-01-02T00:00'), new Date(NaN), '2024-01-03']],
  ['date', 'cutAbove', '2024-01-02', ['2024-01-03', day('2024-01-03T00:00')], ['2024-01-02', day('2024-01-02T23:59')]],
  ['date', 'cutAbove', '2024-01-02', [], [new Date(NaN), '2024-01-01', 20250101, null]],
  ['date', 'cutAbove', undefined, [], ['2024-01-01', new Date(0), null]],
  // Dates before the year 1 and after the year 9999 have no literal to compare with.
  ['date', 'cutAbove', '', [], ['2024-01-01', new Date(0)]],
  ['date', 'cutBelow', '\uffff', [], ['2024-01-01', '\u{1F3C4}', new Date(0)]],
  ['datetime', 'cutBelow', 0, ['1969-12-31T23:59:59.999Z', new Date(-1)], ['1970-01-01T00:00:00.000Z', new Date(0)]],
  ['datetime', 'cutBelow', 0, ['1970-01-01T00:59:59+01:00'], ['1970-01-01T01:00:00+01:00', 'soon', -1, null]],
  ['datetime', 'cutAbove', 0, ['1970-01-01T00:00:00.001Z', new Date(1)], ['1970-01-01T00:00:00.000Z', new Date(0)]],
  ['datetime', 'cutAbove', 8.64e15, [], ['9999-12-31T23:59:59.999Z', new Date(8.64e15)]],
  ['datetime', 'cutAbove', undefined, [], ['1970-01-01T00:00:00.000Z', new Date(0)]],
])('%s, %s %o', (type, cut, value, outside, inside) => {
  for (const path of [['value'], ['inner', 'value'], ['outer', 'inner', 'value']]) {
    const window = windowOf(path, type)
    const isOutside = (given: unknown) =>
      window.isOutside(path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), given))
    expect([...outside, ...inside].filter(isOutside), 'before it is cut').toEqual([])
    window[cut](value)
    expect([...outside, ...inside].filter(isOutside)).toEqual(outside)
  }
})

test('a window is cut at both ends, and again', () => {
  for (const [type, of] of [
    ['number', (value: number) => value],
    ['string', (value: number) => String(value)],
    ['datetime', (value: number) => value],
  ] as const) {
    const { isOutside, cutBelow, cutAbove } = windowOf(['value'], type)
    const outside = () =>
      [1, 2, 3, 4, 5].filter((value) => isOutside({ value: type === 'datetime' ? new Date(value) : of(value) }))
    cutBelow(of(2))
    cutAbove(of(4))
    expect(outside()).toEqual([1, 5])
    cutAbove(of(3))
    expect(outside()).toEqual([1, 4, 5])
  }
})

test.each<[string, readonly string[], unknown]>([
  ['a row of a class', ['value'], Object.assign(new (class {})(), { value: 1 })],
  ['a row without a prototype', ['value'], Object.create(null, { value: { value: 1 } })],
  ['a list', ['0'], [1]],
  ['a row that is null', ['value'], null],
  ['a row with an inner list', ['inner', '0'], { inner: [1] }],
  ['a name that every object has', ['toString'], { toString: 1 }],
])('%s is not outside for certain', (_, path, row) => {
  for (const type of ['number', 'string', 'date', 'datetime'] as const) {
    const { isOutside, cutBelow } = windowOf(path, type)
    cutBelow(type === 'number' || type === 'datetime' ? 2 : '2024-01-01')
    expect(isOutside(row)).toBe(false)
  }
})
