/** Values are kept by shape: what a filter finds was kept for a filter that differs from it in nothing but its operands. */
import { expect, test } from 'vitest'
import { shapeCache } from '../../src/backends/shape.ts'
import { and, not, or } from '../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal } from '../../src/tree.ts'

const text = (value: string): Literal => ({ type: 'string', value })
const is = (name: string, value: string) => comparison([name], 'eq', text(value))

test('the conditions are those of the filter, in the order of the tree', () => {
  const [a, b, c] = [is('a', 'x'), membership(['b'], [text('x')]), presence(['c'], 'string')]
  const d = match(['d'], 'prefix', 'x')
  const filter = and(a, or(b, not(c)), some(['items'], and(d, a)))
  const cache = shapeCache<string>(10)
  cache.set(and(is('a', 'y'), or(b, not(c)), some(['items'], and(match(['d'], 'prefix', 'z'), a))), 'kept')
  const conditions: unknown[] = []
  expect(cache.get(filter, conditions as never[])).toBe('kept')
  expect(conditions).toEqual([a, is('b', 'x'), c, d, a])
  expect(conditions[0]).toBe(a)
})

test('never more shapes are kept than the limit, and new ones go on to be kept', () => {
  const cache = shapeCache<number>(3)
  const filters = Array.from({ length: 20 }, (_, at) => is(`f${at}`, 'x'))
  for (const [at, filter] of filters.entries()) {
    cache.set(filter, at)
    expect(cache.get(filter, [])).toBe(at)
    expect(filters.filter((other) => cache.get(other, []) !== undefined).length).toBeLessThanOrEqual(3)
  }
})

test('another value for a shape takes no more room', () => {
  const cache = shapeCache<number>(3)
  const [a, b, c] = [is('a', 'x'), is('b', 'x'), is('c', 'x')]
  cache.set(a, 0)
  for (let value = 1; value < 10; value++) cache.set(b, value)
  cache.set(c, 10)
  expect([a, b, c].map((filter) => cache.get(filter, []))).toEqual([0, 9, 10])
})

test('a shape of more than 1,000 letters is never kept, and takes room', () => {
  // Two words, "eq" and "string", have eight letters.
  const of = (letters: number) => is('x'.repeat(letters - 8), 'x')
  const cache = shapeCache<number>(3)
  cache.set(of(1_000), 1)
  expect(cache.get(of(1_000), [])).toBe(1)
  for (let time = 0; time < 2; time++) cache.set(of(1_001), 2)
  expect(cache.get(of(1_001), [])).toBeUndefined()
  // Not in steps either: its first parts are there since the first time.
  const long = and(...Array.from({ length: 200 }, (_, at) => is(`f${at}`, 'x')))
  cache.set(long, 3)
  expect(cache.get(of(1_000), [])).toBeUndefined()
  for (let time = 0; time < 5; time++) cache.set(long, 3)
  expect(cache.get(long, [])).toBeUndefined()
})
