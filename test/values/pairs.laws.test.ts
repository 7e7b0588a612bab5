/** Where the pairs of a text are: nothing else cuts one. */
import { expect, test } from 'vitest'
import { cutPairs, startOfPairs } from '../../src/values/pairs.ts'

test.each<[string, string[]]>([
  ['', []],
  ['?', []],
  ['&&', []],
  ['a=1', ['a 1']],
  ['?a=1&b=2', ['a 1', 'b 2']],
  ['??a=1', ['?a 1']],
  ['&&a=1&&b=2&', ['a 1', 'b 2']],
  ['a&b=1&c&d', ['a', 'b 1', 'c', 'd']],
  ['a=&=b&=&c==d=', ['a ', ' b', ' ', 'c =d=']],
  ['a%26b%3Dc=1%262;#', ['a%26b%3Dc 1%262;#']],
])('%s', (text, expected) => {
  const pairs = cutPairs(text, startOfPairs(text)).map(({ start, equals, end }) =>
    equals === end ? text.slice(start, end) : `${text.slice(start, equals)} ${text.slice(equals + 1, end)}`,
  )
  expect(pairs).toEqual(expected)
})

test('a million pairs without "=" need one search for it, not a million', () => {
  const text = 'a&'.repeat(1_000_000)
  const before = performance.now()
  expect(cutPairs(text, 0)).toHaveLength(1_000_000)
  expect(performance.now() - before).toBeLessThan(5_000)
})
