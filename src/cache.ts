/**
 * Caches: answers that were worked out before, kept for speed alone. Whoever reads a cache can work the answer out again, so the
 * library answers the same when caches keep nothing (`test/conformance/caches.test.ts`). Imports nothing.
 */
export interface Cache<K, V> {
  /** @returns the value kept for the key; `undefined` when none is. */
  get(key: K): V | undefined
  set(key: K, value: V): void
}

/** A cache of at most `limit` entries. A full one starts over: nobody can occupy it for good. */
/* @__NO_SIDE_EFFECTS__ */ export function boundedCache<K, V>(limit: number): Cache<K, V> {
  const entries = new Map<K, V>()
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      if (entries.size >= limit) entries.clear()
      entries.set(key, value)
    },
  }
}

/**
 * A cache of at most `limit` entries, a power of two, by whole numbers below 2^31. Each number has one slot, whose entry it
 * replaces: an array is read faster than a Map.
 */
/* @__NO_SIDE_EFFECTS__ */ export function slotCache<V>(limit: number): Cache<number, V> {
  const keys = new Int32Array(limit).fill(-1)
  const values: (V | undefined)[] = new Array<undefined>(limit).fill(undefined)
  const slotOf = (key: number): number => (key ^ (key >> 12)) & (limit - 1)
  return {
    get: (key) => {
      const slot = slotOf(key)
      return keys[slot] === key ? values[slot] : undefined
    },
    set: (key, value) => {
      const slot = slotOf(key)
      keys[slot] = key
      values[slot] = value
    },
  }
}

/** A cache by object. It keeps no object in memory: an entry goes when its object goes. */
/* @__NO_SIDE_EFFECTS__ */ export function weakCache<K extends object, V>(): Cache<K, V> {
  return new WeakMap<K, V>()
}

/**
 * A cache of the `limit` keys that were set last, each of them once. It finds the last one, and keys read in the order in which
 * they were set, without a search.
 */
/* @__NO_SIDE_EFFECTS__ */ export function recentCache<K extends object, V>(limit: number): Cache<K, V> {
  const keys: K[] = []
  const values: V[] = []
  let last = limit - 1
  let next = 0
  return {
    get: (key) => {
      const place = keys[last] === key ? last : keys[next] === key ? next : keys.lastIndexOf(key)
      if (place < 0) return undefined
      next = place + 1
      return values[place]
    },
    set: (key, value) => {
      last = (last + 1) % limit
      keys[last] = key
      values[last] = value
    },
  }
}
