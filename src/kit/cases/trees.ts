/** Filters that no query can express: the empty `and` and `or`, `or`, `not`, and `some` of any filter. */
import { and, comparison, count, match, membership, not, or, presence, some, type Literal } from '../../tree/index.ts'
import { casesOf } from './case.ts'
import { bookings } from './lists.ts'

const string = (value: string): Literal => ({ type: 'string', value })
const isSurf = comparison(['product'], 'eq', string('surf'))
const isAt10 = comparison(['price'], 'eq', { type: 'number', value: 10 })
const isFrom20 = comparison(['price'], 'gte', { type: 'number', value: 20 })
const isCodeA = comparison(['code'], 'eq', string('a'))
const isSeller1 = comparison(['seller'], 'eq', string('s-1'))

export const trees = casesOf([], bookings, [
  [and(), [1, 2, 3, 4, 5, 6, 7], 'and() is true'],
  [or(), [], 'or() is false'],
  [not(and()), [], 'not true is false'],
  [not(or()), [1, 2, 3, 4, 5, 6, 7], 'not false is true'],
  [and(or(), isSeller1), [], 'false and anything is false'],
  [or(and(), isSeller1), [1, 2, 3, 4, 5, 6, 7], 'true or anything is true'],
  [membership(['seller'], []), [], 'membership in an empty list is false'],
  [not(membership(['seller'], [])), [1, 2, 3, 4, 5, 6, 7], 'and its complement true'],
  [or(isSeller1, comparison(['seller'], 'eq', string('s-2'))), [1, 2, 3, 4], 'one or the other'],
  [not(or(isSeller1, presence(['seller'], 'string'))), [5, 6, 7], 'neither'],
  [not(and(isSeller1, some(['items'], isSurf))), [3, 4, 5, 6, 7], 'not both'],
  [not(not(isSeller1)), [1, 2], 'twice not is not at all'],
  [not(comparison(['seller'], 'gt', string('s-1'))), [1, 2, 5, 6, 7], 'the complement of an order: no value is in it'],
  [not(match(['seller'], 'prefix', 'S-1')), [3, 4, 5, 6, 7], 'the complement of a prefix'],
  [not(match(['seller'], 'suffix', '1')), [3, 4, 5, 6, 7], 'the complement of a suffix'],
  [not(match(['seller'], 'whole', 'S-1')), [3, 4, 5, 6, 7], 'the complement of a whole text'],
  [not(match(['seller'], 'whole', 'S')), [1, 2, 3, 4, 5, 6, 7], 'the complement of a whole text that none is'],
  [not(match(['seller'], 'prefixExact', 's-1')), [3, 4, 5, 6, 7], 'the complement of a prefix that minds case'],
  [not(match(['seller'], 'prefixExact', 'S')), [1, 2, 3, 4, 5, 6, 7], 'the complement of a prefix in another case'],
  [not(match(['seller'], 'suffixExact', '-1')), [3, 4, 5, 6, 7], 'the complement of a suffix that minds case'],
  [not(match(['seller'], 'substringExact', 's-2')), [1, 2, 5, 6, 7], 'the complement of a part that minds case'],
  [not(match(['seller'], 'substringExact', '')), [5, 6, 7], 'the complement of having a value'],
  [some(['tags'], not(match([], 'whole', 'SEA'))), [1, 3, 7], 'an entry that is another text'],
  [some(['tags'], not(match([], 'prefixExact', 's'))), [1, 2, 3, 7], 'an entry without the prefix'],
  [
    some(['tags'], and(match([], 'prefixExact', 'S'), match([], 'suffixExact', 'a'), match([], 'substringExact', 'e'))),
    [2],
    'an entry with all of them',
  ],
  [some(['items'], not(isSurf)), [1, 3], 'an entry that is not surf'],
  [not(some(['items'], not(isSurf))), [2, 4, 5, 6, 7], 'every entry is surf, or there is none'],
  [some(['items'], and()), [1, 2, 3], 'any entry at all'],
  [some(['items'], or()), [], 'no entry satisfies false'],
  [some(['items'], or(isSurf, presence(['price'], 'number'))), [1, 2, 3], 'one entry, the one or the other'],
  [
    some(['items'], and(isSurf, some(['options'], comparison(['code'], 'eq', string('b'))))),
    [1],
    'an entry with an entry of its own',
  ],
  [some(['items'], not(some(['options'], and()))), [2, 3], 'an entry without entries of its own'],
  [
    some(['tags'], or(comparison([], 'eq', string('family')), comparison([], 'eq', string('Sea')))),
    [1, 2],
    'an entry, the one or the other',
  ],
  [some(['tags'], not(presence([], 'string'))), [3, 7], 'an entry without a value'],
  [not(some(['items'], and(isSurf, isAt10))), [2, 3, 4, 5, 6, 7], 'no entry is surf at 10; a missing list has none'],
  [not(some(['items'], not(presence(['product'], 'string')))), [1, 2, 4, 5, 6, 7], 'every entry has a product'],
  [not(some(['items'], not(isFrom20))), [2, 4, 5, 6, 7], 'every price is 20 or more, and there'],
  [not(some(['tags'], not(comparison([], 'eq', string('sea'))))), [4, 5, 6], 'every tag is sea, and null is none'],
  [some(['items'], not(some(['options'], isCodeA))), [2, 3], 'an entry of whose entries none has the code'],
  [
    some(['items'], not(some(['options'], not(isCodeA)))),
    [1, 2, 3],
    'an entry of whose entries every one has the code',
  ],
  [not(count(['tags'], 'string', 'gte', 2)), [2, 3, 4, 5, 6, 7], 'not two entries: at most one'],
  [not(count(['tags'], 'string', 'lte', 1)), [1], 'not at most one: two'],
  [not(count(['tags'], 'string', 'gte', 0)), [], 'nothing has fewer than none'],
  [or(count(['tags'], 'string', 'gte', 2), count(['items'], 'object', 'gte', 2)), [1, 3], 'the one or the other'],
  [some(['items'], not(count(['options'], 'object', 'gte', 1))), [2, 3], 'an entry with no entries of its own'],
  [some(['items'], and(isFrom20, count(['options'], 'object', 'lte', 1))), [1, 2, 3], 'one entry has both'],
  [some(['items'], or(isSurf, count(['options'], 'object', 'gte', 2))), [1, 2], 'one entry, the one or its own two'],
  [not(some(['items'], count(['options'], 'object', 'gte', 2))), [2, 3, 4, 5, 6, 7], 'no entry with two of its own'],
  [
    not(some(['items'], count(['options'], 'object', 'lte', 0))),
    [1, 4, 5, 6, 7],
    'no entry without entries of its own',
  ],
])
