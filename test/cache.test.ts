import { describe, expect, test } from 'vitest'
import { boundedCache, listCache, recentCache, slotCache, weakCache } from '../src/cache.ts'

describe('boundedCache', () => {
  test('keeps what was set, and what was set last for a key', () => {
    const cache = boundedCache<string, number>(2)
    expect(cache.get('a')).toBeUndefined()
    cache.set('a', 1)
    cache.set('b', 2)
    expect([cache.get('a'), cache.get('b')]).toEqual([1, 2])
  })
  test('never keeps more than its limit, and goes on keeping new entries', () => {
    const cache = boundedCache<number, number>(3)
    for (let key = 0; key < 100; key++) {
      cache.set(key, key)
      expect(cache.get(key)).toBe(key)
      const kept = Array.from({ length: 100 }, (_, other) => cache.get(other)).filter((value) => value !== undefined)
      expect(kept.length).toBeLessThanOrEqual(3)
    }
  })
})

test('listCache keeps values by the content of lists, and never more than its limit', () => {
  const cache = listCache<number>(3)
  // The hash of all of these is that of 'ab'.
  const lists = [['ab'], ['ab', ''], ['a', 'b'], ['a', 98], [97, 98], ['', 'ab'], [97, 'b', '']]
  for (const [at, list] of lists.entries()) {
    expect(cache.get(list)).toBeUndefined()
    cache.set(list, at)
    expect(cache.get([...list])).toBe(at)
    cache.set([...list], -at)
    expect(cache.get(list)).toBe(-at)
  }
  expect(cache.get(['a'])).toBeUndefined()
  expect(cache.get([])).toBeUndefined()
  for (let at = 0; at < 10; at++) {
    cache.set(['x', at], at)
    const kept = Array.from({ length: 10 }, (_, other) => cache.get(['x', other])).filter(
      (value) => value !== undefined,
    )
    expect(kept).toContain(at)
    expect(kept.length).toBeLessThanOrEqual(3)
  }
})

test('listCache keeps lists that differ in a text or in a number all at once', () => {
  const cache = listCache<number>(10)
  const lists = [[], ['a'], ['b'], ['ab'], ['ba'], [1], [2], [1, 2], [2, 1], ['a', 1]]
  for (const [at, list] of lists.entries()) cache.set(list, at)
  expect(lists.map((list) => cache.get(list))).toEqual(lists.map((_, at) => at))
})

test('weakCache keeps values by object, not by content', () => {
  const cache = weakCache<object, number>()
  const key = {}
  cache.set(key, 1)
  expect(cache.get(key)).toBe(1)
  expect(cache.get({})).toBeUndefined()
})

test('recentCache keeps the keys that were set last', () => {
  const cache = recentCache<object, number>(3)
  const keys = Array.from({ length: 10 }, () => ({}))
  for (const [at, key] of keys.entries()) {
    expect(cache.get(key)).toBeUndefined()
    cache.set(key, at)
    expect(keys.map((key) => cache.get(key))).toEqual(
      keys.map((_, other) => (other <= at && other > at - 3 ? other : undefined)),
    )
  }
})

test('recentCache has the last value of a key, wherever the earlier one is kept', () => {
  const cache = recentCache<object, number>(3)
  const [a, b] = [{}, {}]
  for (const [value, key] of [a, b, a, a, b].entries()) {
    cache.set(key, value)
    expect(cache.get(key)).toBe(value)
  }
  expect(cache.get(a)).toBe(3)
})

test('slotCache keeps what was set last for a number, and never more than its limit', () => {
  const cache = slotCache<string>(4)
  const keys = Array.from({ length: 100 }, (_, at) => at * 12_345)
  for (const key of keys) {
    expect(cache.get(key)).toBeUndefined()
    cache.set(key, `of ${key}`)
    const kept = keys.filter((other) => cache.get(other) !== undefined)
    expect(kept).toContain(key)
    expect(kept.length).toBeLessThanOrEqual(4)
    for (const other of kept) expect(cache.get(other)).toBe(`of ${other}`)
  }
})

test('slotCache keeps numbers that are near each other all at once', () => {
  const cache = slotCache<number>(4)
  for (const key of [0, 1, 2, 3]) cache.set(key, key)
  expect([0, 1, 2, 3, 4].map((key) => cache.get(key))).toEqual([0, 1, 2, 3, undefined])
})
