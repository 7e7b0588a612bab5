/** Sentences worked out by hand: each kind, asked and denied, of a row and of an entry. */
import { expect, test } from 'vitest'
import { describe } from '../../src/tools/explain/index.ts'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import { comparison, count, match, membership, presence, some, type Comparison } from '../../src/tree.ts'
import { exact, orders } from '../orders.ts'
import { rowsIn } from '../rows.ts'

/** The sentences of sentences.txt. */
const sentences = (section: string) =>
  rowsIn(new URL('sentences.txt', import.meta.url), section).map(
    ({ cells: [query, sentence], place }) => [query === '-' ? '' : query!, sentence!, place] as const,
  )
test.each(sentences('orders'))('%s: %s', (query, sentence, place) =>
  expect(describe(parseFilterOrThrow(orders, query)), place).toBe(sentence),
)
test.each(sentences('exact types'))('of exact types, %s: %s', (query, sentence, place) =>
  expect(describe(parseFilterOrThrow(exact, query)), place).toBe(sentence),
)

const a = comparison(['a'], 'eq', { type: 'integer', value: 1 })
const b = presence(['b'], 'string')
const c = match(['c'], 'prefix', 'x')
test.each<[Filter, string]>([
  [or(), 'no row'],
  [not(and()), 'no row'],
  [not(or()), 'every row'],
  [membership(['a'], []), 'no row'],
  [not(membership(['a'], [])), 'every row'],
  [and(a, or()), 'a is 1, and never'],
  [or(a, b), 'a is 1, or b has a value'],
  [and(a, or(b, c)), 'a is 1, and (b has a value, or c starts with "x" (ignoring case))'],
  [or(and(a, b), c), '(a is 1, and b has a value), or c starts with "x" (ignoring case)'],
  [not(and(a, b)), 'not (a is 1, and b has a value)'],
  [not(not(and(a, b))), 'a is 1, and b has a value'],
  [and(a, not(or(b, c))), 'a is 1, and not (b has a value, or c starts with "x" (ignoring case))'],
  [some(['l'], and()), 'l has an entry'],
  [not(some(['l'], and())), 'l has no entry'],
  [some(['l'], or(a, b)), 'one entry of l has an a that is 1 or has a b'],
  [
    some(['l'], and(a, or(b, c))),
    'one entry of l has an a that is 1 and (has a b or has a c that starts with "x" (ignoring case))',
  ],
  [some(['l'], and(a, not(b))), 'one entry of l has an a that is 1 and does not have a b'],
  [some(['l'], not(presence([], 'string'))), 'one entry of l has no value'],
  [some(['l'], not(and(a, b))), 'one entry of l does not satisfy (has an a that is 1 and has a b)'],
  [some(['l'], some(['m'], a)), 'one entry of l has one entry of m that has an a that is 1'],
  [some(['l'], not(some(['m'], and(a, b)))), 'one entry of l has no entry of m that (has an a that is 1 and has a b)'],
  [some(['l'], some(['m'], and())), 'one entry of l has one entry of m'],
  [some(['l'], not(some(['m'], and()))), 'one entry of l has no entry of m'],
  [
    some(['l'], some(['m'], not(or(a, b)))),
    'one entry of l has one entry of m that (does not satisfy (has an a that is 1 or has a b))',
  ],
  [some(['l'], some(['m'], or(a, b))), 'one entry of l has one entry of m that (has an a that is 1 or has a b)'],
  [some(['l'], some(['m'], not(a))), 'one entry of l has one entry of m that does not have an a that is 1'],
  [not(some(['l'], not(a))), 'every entry of l has an a that is 1'],
  [not(some(['l'], not(and(a, b)))), 'every entry of l has an a that is 1 and has a b'],
  [some(['l'], not(some(['m'], not(a)))), 'one entry of l has only entries of m that has an a that is 1'],
  [
    some(['l'], not(some(['m'], not(or(a, b))))),
    'one entry of l has only entries of m that (has an a that is 1 or has a b)',
  ],
  [count(['l'], 'object', 'gte', 2), 'l has at least 2 entries'],
  [count(['k', 'l'], 'string', 'lte', 1), 'k.l has at most 1 entry'],
  [count(['l'], 'string', 'lte', 0), 'l has at most 0 entries'],
  [not(count(['l'], 'object', 'gte', 2)), 'l does not have at least 2 entries'],
  [some(['l'], count(['m'], 'string', 'gte', 1)), 'one entry of l has at least 1 entry of m'],
  [some(['l'], not(count(['m'], 'string', 'lte', 3))), 'one entry of l does not have at most 3 entries of m'],
  [comparison([], 'eq', { type: 'integer', value: 1 }), 'it is 1'],
  [not(presence([], 'string')), 'it has no value'],
  [{ kind: 'or', filters: [b] }, 'b has a value'],
  [and(a, { kind: 'or', filters: [b] }), 'a is 1, and b has a value'],
  [comparison(['odd\u200bname'], 'eq', { type: 'string', value: '\u202e' }), 'odd\\u{200b}name is "\\u{202e}"'],
])('%o', (filter, sentence) => expect(describe(filter)).toBe(sentence))

const number = (
  name: string,
  operator: Comparison['operator'],
  value: number,
  type: 'integer' | 'number' = 'integer',
) => comparison([name], operator, { type, value })
const time = (operator: Comparison['operator'], value: string) =>
  comparison(['t'], operator, { type: 'datetime', value })
const text = (operator: Comparison['operator'], value: string) => comparison(['t'], operator, { type: 'string', value })
const [first, second, third] = ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', '2024-01-03T00:00:00.000Z']
const noon = '2024-01-02T12:00:00.000Z'
const bounds = [number('a', 'gte', 1), number('a', 'lte', 5)] as const
test.each<[string, Filter, string]>([
  ['bounds', and(...bounds), 'a is from 1 to 5'],
  ['denied', not(and(...bounds)), 'a is not from 1 to 5'],
  ['inside', and(b, not(and(...bounds))), 'b has a value, and a is not from 1 to 5'],
  ['and more', and(...bounds, b), 'a is from 1 to 5, and b has a value'],
  ['and more, denied', not(and(...bounds, b)), 'not (a is from 1 to 5, and b has a value)'],
  [
    'in a group',
    or(and(...bounds, b), c),
    '(a is from 1 to 5, and b has a value), or c starts with "x" (ignoring case)',
  ],
  ['alone in a group', or(b, and(...bounds)), 'b has a value, or a is from 1 to 5'],
  ['or', or(...bounds), 'a is at least 1, or a is at most 5'],
  ['other paths', and(number('a', 'gte', 1), number('b', 'lte', 5)), 'a is at least 1, and b is at most 5'],
  ['other types', and(number('a', 'gte', 1), number('a', 'lte', 5, 'number')), 'a is at least 1, and a is at most 5'],
  ['another lower bound', and(number('a', 'gt', 1), number('a', 'lte', 5)), 'a is more than 1, and a is at most 5'],
  ['no lower bound', and(presence(['a'], 'integer'), number('a', 'lte', 5)), 'a has a value, and a is at most 5'],
  ['no upper bound', and(number('a', 'gte', 1), presence(['a'], 'integer')), 'a is at least 1, and a has a value'],
  ['whole days', and(time('gte', first), time('lt', third)), 't is from 2024-01-01 to 2024-01-02 (UTC)'],
  [
    'a whole day of an entry',
    some(['l'], and(time('gte', first), time('lt', second))),
    'one entry of l has a t on 2024-01-01 (UTC)',
  ],
  [
    'texts that look like days',
    and(text('gte', first), text('lt', third)),
    `t is at or after "${first}", and t is before "${third}"`,
  ],
  ['both days', and(time('gte', first), time('lte', third)), `t is from ${first} to ${third}`],
  ['until noon', and(time('gte', first), time('lt', noon)), `t is on or after ${first}, and t is before ${noon}`],
  ['from noon', and(time('gte', noon), time('lt', third)), `t is on or after ${noon}, and t is before ${third}`],
  ['no day', and(time('gte', third), time('lt', third)), `t is on or after ${third}, and t is before ${third}`],
  ['the wrong way', and(time('gte', third), time('lt', first)), `t is on or after ${third}, and t is before ${first}`],
  [
    'two lower bounds',
    and(time('gte', first), time('gt', third)),
    `t is on or after ${first}, and t is after ${third}`,
  ],
])('two bounds on one value, %s', (_, filter, sentence) => expect(describe(filter)).toBe(sentence))

test('a value other than a filter is refused', () => {
  expect(() => describe(undefined as never)).toThrow('filter must be a filter')
})
