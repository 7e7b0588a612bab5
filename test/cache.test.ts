import { describe, expect, test } from 'vitest'
import { boundedCache, recentCache, slotCache, weakCache } from '../src/cache.ts'

describe('boundedCache', () => {
  test('keeps the value that was set last for a key', () => {
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

test('recentCache finds keys in any order', () => {
  const cache = recentCache<object, number>(5)
  const keys = Array.from({ length: 8 }, () => ({}))
  for (const [at, key] of keys.entries()) cache.set(key, at)
  const kept = [3, 4, 5, 6, 7]
  for (const first of kept) {
    for (const second of kept) {
      expect([first, second, 0, first].map((at) => cache.get(keys[at]!))).toEqual([first, second, undefined, first])
    }
  }
})

test('slotCache keeps the value that was set last for a number, and never more than its limit', () => {
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
