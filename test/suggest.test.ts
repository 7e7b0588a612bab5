import { expect, test } from 'vitest'
import { nearest } from '../src/suggest.ts'

test.each<[what: string, name: string, candidates: readonly string[], near: string | undefined]>([
  ['one left out', 'sellr', ['seller'], 'seller'],
  ['one too many', 'sellerr', ['seller'], 'seller'],
  ['one replaced', 'sellar', ['seller'], 'seller'],
  ['two swapped', 'sellre', ['seller'], 'seller'],
  ['the first two swapped', 'esller', ['seller'], 'seller'],
  ['the case aside', 'SELLER', ['seller'], 'seller'],
  ['the nearest, wherever it stands', 'paidat', ['paid', 'paidOn', 'paidAt', 'arrival'], 'paidAt'],
  ['the first of those that are equally near', 'bat', ['cat', 'hat', 'bad'], 'cat'],
  ['none at all', 'seller', [], undefined],

  // How far: a third of the length, and of one letter nothing but its case.
  ['a letter', 'a', ['A'], 'A'],
  ['another letter', 'a', ['b'], undefined],
  ['one edit of two', 'ab', ['ac'], 'ac'],
  ['two edits of two', 'ab', ['cd'], undefined],
  ['one edit of four', 'abcd', ['abcx'], 'abcx'],
  ['two edits of four', 'abcd', ['abxy'], undefined],
  ['two edits of five', 'abcde', ['abcxy'], 'abcxy'],
  ['three edits of five', 'abcde', ['abxyz'], undefined],
  ['two letters too many for five', 'abcde', ['abcdefg'], 'abcdefg'],
  ['three letters too many for five', 'abcde', ['abcdefgh'], undefined],
  ['sixty-four letters', 'x'.repeat(64), ['x'.repeat(63)], 'x'.repeat(63)],
  ['more than that', 'x'.repeat(65), ['x'.repeat(64)], undefined],

  // A swap is two letters, each in the place of the other: these are two edits.
  ['the first goes right', 'ab', ['ca'], undefined],
  ['the second goes left', 'ab', ['bc'], undefined],
  ['a swap', 'ab', ['ba'], 'ba'],
  ['a swap and one more', 'abcde', ['bacd'], 'bacd'],
  ['two swaps', 'abcde', ['badce'], 'badce'],
  ['three letters turned', 'abc', ['cab'], undefined],
])('%s: %s', (_, name, candidates, near) => expect(nearest(name, candidates)).toBe(near))
