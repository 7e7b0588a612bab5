/** The position as a filter. `test/differential` has the laws of pages. */
import { describe, expect, test, vi } from 'vitest'
import { and, type Filter } from '../../src/index.ts'
import type { Literal } from '../../src/tree.ts'
import { mostSortKeys } from '../../src/language/index.ts'
import { partsOfPosition, positionFilter, readingDirection } from '../../src/query/order.ts'
import type { Position, SortKey } from '../../src/query/query.ts'
import { at, id, integer, key, of } from './queries.ts'

/** A filter in short. */
function short(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `${filter.kind}(${filter.filters.map(short).join(', ')})`
    case 'not':
      return `not(${short(filter.filter)})`
    case 'presence':
      return `presence(${filter.path.join('.')})`
    case 'comparison':
      return `${filter.operator}(${filter.path.join('.')}, ${filter.operand.value})`
    case 'match':
      return `${filter.mode}(${filter.path.join('.')}, ${filter.text})`
    case 'membership':
      return `in(${filter.path.join('.')}, ${filter.operands.map(({ value }) => value).join(' ')})`
    default:
      return filter.kind
  }
}

describe('the position as a filter', () => {
  const a = key('a', 'integer')
  const b = key('b', 'integer', 'descending')
  const flag = key('f', 'boolean')
  const t = key('t', 'string')
  const text = (value: string): Literal => ({ type: 'string', value })
  const yes: Literal = { type: 'boolean', value: true }
  const no: Literal = { type: 'boolean', value: false }
  const positions: [string, SortKey[], Position['toward'], (Literal | null)[], string][] = [
    ['one key', [id], 'next', [integer(5)], 'gt(id, 5)'],
    ['backwards', [a], 'previous', [integer(5)], 'or(lt(a, 5), not(presence(a)))'],
    ['a required key, backwards', [id], 'previous', [integer(5)], 'lt(id, 5)'],
    [
      'required keys, backwards',
      [{ ...a, required: true }, id],
      'previous',
      [integer(1), integer(5)],
      'and(lte(a, 1), or(lt(a, 1), and(eq(a, 1), lt(id, 5))))',
    ],
    [
      'two keys, the second descending',
      [a, b],
      'next',
      [integer(1), integer(2)],
      'and(gte(a, 1), or(gt(a, 1), and(eq(a, 1), or(lt(b, 2), not(presence(b))))))',
    ],
    [
      'two keys, backwards',
      [a, b],
      'previous',
      [integer(1), integer(2)],
      'and(or(lte(a, 1), not(presence(a))), or(lt(a, 1), not(presence(a)), and(eq(a, 1), gt(b, 2))))',
    ],
    [
      'two keys, each with its own place of no value',
      [
        { ...a, nulls: 'last' },
        { ...b, nulls: 'first' },
      ],
      'next',
      [integer(1), integer(2)],
      'and(or(gte(a, 1), not(presence(a))), or(gt(a, 1), not(presence(a)), and(eq(a, 1), lt(b, 2))))',
    ],
    [
      'two keys, each with its own place of no value, backwards',
      [
        { ...a, nulls: 'last' },
        { ...b, nulls: 'first' },
      ],
      'previous',
      [integer(1), integer(2)],
      'and(lte(a, 1), or(lt(a, 1), and(eq(a, 1), or(gt(b, 2), not(presence(b))))))',
    ],
    [
      'a text in lower case',
      [{ ...t, ignoreCase: true }, id],
      'next',
      [text('B'), integer(2)],
      'and(gteIgnoreCase(t, B), or(gtIgnoreCase(t, B), and(whole(t, B), or(gt(t, B), and(eq(t, B), gt(id, 2))))))',
    ],
    [
      'a text in lower case, descending',
      [{ ...t, ignoreCase: true, direction: 'descending' }, id],
      'next',
      [text('B'), integer(2)],
      'and(or(lteIgnoreCase(t, B), not(presence(t))), or(ltIgnoreCase(t, B), not(presence(t)), and(whole(t, B), or(lt(t, B), and(eq(t, B), gt(id, 2))))))',
    ],
    [
      'no text in lower case',
      [{ ...t, ignoreCase: true }, id],
      'next',
      [null, integer(2)],
      'or(presence(t), and(not(presence(t)), gt(id, 2)))',
    ],
    [
      'a declared value',
      [{ ...t, declared: ['c', 'a', 'b'] }, id],
      'next',
      [text('a'), integer(2)],
      'and(in(t, a b), or(in(t, b), and(eq(t, a), gt(id, 2))))',
    ],
    [
      'a declared value, descending, then no value',
      [{ ...t, declared: ['c', 'a', 'b'], direction: 'descending' }, id],
      'next',
      [text('a'), integer(2)],
      'and(or(in(t, c a), not(in(t, c a b))), or(in(t, c), not(in(t, c a b)), and(eq(t, a), gt(id, 2))))',
    ],
    [
      'no declared value',
      [{ ...t, declared: ['c', 'a', 'b'] }, id],
      'next',
      [null, integer(2)],
      'or(in(t, c a b), and(not(in(t, c a b)), gt(id, 2)))',
    ],
    [
      'no value at the end, ascending',
      [{ ...a, nulls: 'last' }, id],
      'next',
      [null, integer(2)],
      'and(not(presence(a)), gt(id, 2))',
    ],
    [
      'no value at the beginning, descending',
      [{ ...b, nulls: 'first' }, id],
      'next',
      [null, integer(2)],
      'or(presence(b), and(not(presence(b)), gt(id, 2)))',
    ],
    ['a place of no value in a required key', [{ ...id, nulls: 'last' }], 'next', [integer(5)], 'gt(id, 5)'],
    ['no value, ascending', [a, id], 'next', [null, integer(2)], 'or(presence(a), and(not(presence(a)), gt(id, 2)))'],
    ['no value, descending', [b, id], 'next', [null, integer(2)], 'and(not(presence(b)), gt(id, 2))'],
    ['false', [flag, id], 'next', [no, integer(2)], 'or(eq(f, true), and(eq(f, false), gt(id, 2)))'],
    ['true', [flag, id], 'next', [yes, integer(2)], 'and(eq(f, true), gt(id, 2))'],
    [
      'true, backwards',
      [flag, id],
      'previous',
      [yes, integer(2)],
      'or(eq(f, false), not(presence(f)), and(eq(f, true), lt(id, 2)))',
    ],
  ]
  test.each(positions)('%s', (_, sort, toward, values, expected) => {
    expect(short(positionFilter(of(sort, at(toward, ...values))))).toBe(expected)
  })
  test('is the same for a second copy of the library, such as that of the other format', async () => {
    vi.resetModules()
    const copy = await import('../../src/query/order.ts')
    for (const [what, sort, toward, values, expected] of positions)
      expect(short(copy.positionFilter(of(sort, at(toward, ...values)))), what).toBe(expected)
  })
  test('read backwards, the directions are turned round', () => {
    const { position } = at('previous', integer(1))
    expect([a, b].map((one) => readingDirection(one, position))).toEqual(['descending', 'ascending'])
    expect([a, b].map((one) => readingDirection(one, undefined))).toEqual(['ascending', 'descending'])
  })
  test('no position is every row', () => expect(positionFilter(of([id]))).toEqual(and()))
  test('a position in more keys than a text may ask for is refused where its filter nests too deep', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, place) => key(`k${place}`, 'integer'))
    const partsOf = (count: number) =>
      partsOfPosition(of(keys(count), at('next', ...keys(count).map((_, place) => integer(place)))))
    expect(partsOf(mostSortKeys)).toHaveLength(2)
    expect(partsOf(mostSortKeys + 1)).toHaveLength(2)
    expect(() => partsOf(60)).toThrow(/^query\.position/)
  })
})
