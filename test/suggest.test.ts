import { describe, expect, test } from 'vitest'
import { nearest, newBudget } from '../src/suggest.ts'

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

test.each<[name: string, candidates: readonly string[], near?: string]>([
  // A negation, a bound or a direction is no slip.
  ['notStatus', ['status']],
  ['nstatus', ['status']],
  ['nstatsu', ['status']],
  ['unpaid', ['paid']],
  ['paid', ['unpaid']],
  ['inactive', ['active']],
  ['-status', ['status']],
  ['status!', ['status']],
  ['maxTotal', ['total']],
  ['maxtotal', ['total']],
  ['minTotal', ['maxTotal']],
  ['createdAfter', ['createdAt']],
  ['created_after', ['createdAt']],
  ['createdafter', ['createdAt']],
  ['totalDesc', ['total']],
  ['ngt', ['gt']],
  ['nange', ['range']],
  ['gestatsu', ['status']],
  ['bestatsu', ['status'], 'status'],
  ['wireless', ['wireles'], 'wireles'],
  ['status_x', ['status']],
  // Of two that mean the opposite, none.
  ['xt', ['gt', 'lt']],
  ['te', ['gte', 'lte']],
  ['inn', ['in', 'nin']],
  ['mPrice', ['minPrice', 'maxPrice']],
  // A name has them itself.
  ['minPrce', ['minPrice', 'maxPrice'], 'minPrice'],
  ['notBefor', ['notBefore'], 'notBefore'],
  ['createdAfterr', ['createdAfter', 'createdAt'], 'createdAfter'],
  ['gtee', ['gt', 'gte', 'lt', 'lte'], 'gte'],
  ['maxage', ['maxAge'], 'maxAge'],
  ['photo', ['photos'], 'photos'],
  ['-totl', ['-total'], '-total'],
])('%s of %j', (name, candidates, near) => expect(nearest(name, candidates)).toBe(near))

test('of those that are equally near, one that is preferred', () => {
  const near = (...candidates: string[]) => nearest('bat', candidates, undefined, (name) => name.startsWith('h'))
  expect(near('cat', 'hat', 'hab')).toBe('hat')
  expect(near('hat', 'cat')).toBe('hat')
  expect(near('cat', 'bad')).toBe('cat')
})

describe('a budget', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `customer${at}Name`)
  test('is reduced by every comparison, and no suggestion is made once it ends', () => {
    const budget = { left: 100 }
    expect(nearest('seler', ['seller'], budget)).toBe('seller')
    expect(budget.left).toBeLessThan(90)
    expect(budget.left).toBeGreaterThan(50)
    expect(nearest('custmer7Name', names, budget)).toBeUndefined()
    expect(nearest('seler', ['seller'], budget)).toBeUndefined()
    // The row that was under way may go on to its end, and no further.
    expect(budget.left).toBeGreaterThan(-1_000)
  })
  test('of a parse is enough for a misspelt name among a thousand, and for ten among fifty', () => {
    const words = ['seller', 'arrival', 'customerName', 'status', 'total', 'guests', 'paidAt', 'gift', 'tags', 'items']
    const fields = Array.from({ length: 1_000 }, (_, at) => `${words[at % 10]}${words[(at * 7) % 9]}${at}`)
    expect(nearest('sellerarival91', [...fields, 'sellerarrival91'], newBudget())).toBe('sellerarrival91')
    const budget = newBudget()
    for (let time = 0; time < 10; time++)
      expect(nearest('custmerName', fields.slice(0, 50).concat('customerName'), budget)).toBe('customerName')
  })
})

test('a budget is reduced by each candidate and by each cell that is compared', () => {
  const budget = { left: 100 }
  // One candidate, and of three rows of three cells all but the two that are two from the diagonal.
  expect(nearest('abc', ['abd'], budget)).toBe('abd')
  expect(budget.left).toBe(92)
  expect(nearest('ab', ['ab'], { left: 1 })).toBe('ab')
  // One that is longer by too much is not compared.
  expect(nearest('abc', ['abcde'], budget)).toBeUndefined()
  expect(budget.left).toBe(91)
  expect(nearest('ab', ['ab'], { left: 0 })).toBeUndefined()
})
