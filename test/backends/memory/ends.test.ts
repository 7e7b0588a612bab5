/** Which rows generated code cuts off, by all sort keys. Without it pages are the same, but take longer to read. */
import { expect, test } from 'vitest'
import type { LiteralType } from '../../../src/ast/index.ts'
import { endsOf, type ReadKey } from '../../../src/backends/memory/ends.ts'
import type { Ordered } from '../../../src/backends/memory/ordered.ts'

const key = (path: string, type: LiteralType, isAscending = true): ReadKey => ({
  path: path.split('.'),
  type,
  isAscending,
})

/** By type: two ends, then values in their order, and those of them that are outside for certain. */
test.each<[LiteralType, Ordered, Ordered, readonly unknown[], readonly unknown[]]>([
  ['number', 2, 5, [null, '1', -Infinity, 1, 2, 3, 5, 6], [-Infinity, 1, 2, 5, 6]],
  ['integer', undefined, 5, [null, -Infinity, 1, 5, 6], [5, 6]],
  ['string', 'b', 'd', [null, 1, '', 'a', 'b', 'c', 'd', 'e'], ['', 'a', 'b', 'd', 'e']],
  ['string', undefined, 'd', [null, '', 'a', 'd', 'e'], ['d', 'e']],
  // Units from U+D800 up are not in the order of code points.
  ['string', '\uffee', '\u{1F3C4}', ['a', '\uffee', '\uffef', '\u{1F3C4}', '\u{1F3C5}'], ['\uffee', '\u{1F3C4}']],
  ['boolean', false, undefined, [null, false, true], [false, true]],
  ['boolean', undefined, true, [null, false, true], [true]],
  [
    'date',
    '2024-01-02',
    '2024-01-04',
    [null, '2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'],
    ['2024-01-01', '2024-01-02', '2024-01-04', '2024-01-05'],
  ],
  [
    'datetime',
    0,
    2,
    ['soon', ...[-1, 0, 1, 2, 3].map((time) => new Date(time))],
    [-1, 0, 2, 3].map((time) => new Date(time)),
  ],
])('%s, from %o to %o', (type, least, greatest, values, outside) => {
  for (const path of ['value', 'inner.value'])
    for (const isAscending of [true, false]) {
      const { isOutside, begin, end } = endsOf([key(path, type, isAscending)])!
      const outsideNow = () => values.filter((value) => isOutside(path === 'value' ? { value } : { inner: { value } }))
      expect(outsideNow()).toEqual([])
      begin([isAscending ? least : greatest])
      end([isAscending ? greatest : least])
      expect(outsideNow()).toEqual(outside)
    }
})

test('rows that are equal in the first key are cut off by the next', () => {
  const { isOutside, begin, end } = endsOf([key('a', 'integer'), key('b', 'string', false)])!
  begin([1, 'c'])
  end([3, 'm'])
  const outside = (a: number) => ['a', 'c', 'd', 'm', 'n'].filter((b) => isOutside({ a, b })).join('')
  expect([0, 1, 2, 3, 4].map(outside)).toEqual(['acdmn', 'cdmn', '', 'acdm', 'acdmn'])
})

test('each reading of rows has ends of its own, and each order has code of its own', () => {
  const [first, second] = [endsOf([key('value', 'number')])!, endsOf([key('value', 'number')])!]
  first.begin([5])
  expect([first, second].map(({ isOutside }) => isOutside({ value: 4 }))).toEqual([true, false])
  const other = endsOf([key('value', 'number', false)])!
  other.begin([5])
  expect([4, 6].map((value) => other.isOutside({ value }))).toEqual([false, true])
})

test('there are none where every object has one of the names', () => {
  expect(endsOf([key('toString', 'number'), key('id', 'integer')])).toBeUndefined()
  expect(endsOf([key('id', 'integer'), key('inner.constructor', 'string')])).toBeUndefined()
})

test('rows that are no plain objects are not outside for certain', () => {
  const { isOutside, begin } = endsOf([key('value', 'number')])!
  begin([5])
  for (const row of [null, undefined, 5, [1], Object.assign(new (class {})(), { value: 1 })]) {
    expect(isOutside(row)).toBe(false)
  }
})
