/**
 * Caches: answers that were worked out before, kept for speed alone. Whoever asks a cache can work the answer out
 * again, so all of the library answers the same when caches keep nothing (`test/conformance/caches.test.ts`).
 * Imports nothing.
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
 * A cache of at most `limit` entries, a power of two, by whole numbers below 2^31. Each number has one slot, and takes the
 * place of what is there: that takes half the time of a Map.
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

type List = readonly (string | number)[]

interface ListEntry<V> {
  readonly key: List
  readonly value: V
}

/**
 * A cache of at most `limit` entries by lists of texts and numbers, and of the last list of each length up to 32, which is
 * compared first: to hash takes several times as long. A list takes the place of another one with its hash: that takes half
 * the time of a Map by the joined text, which would be made and hashed each time.
 */
export function listCache<V>(limit: number): Cache<List, V> {
  const entries = boundedCache<number, ListEntry<V>>(limit)
  const last: (ListEntry<V> | undefined)[] = new Array<undefined>(32).fill(undefined)
  return {
    get: (key) => {
      const recent = last[key.length % last.length]
      if (recent !== undefined && isSame(recent.key, key)) return recent.value
      const entry = entries.get(hashOf(key))
      if (entry === undefined || !isSame(entry.key, key)) return undefined
      last[key.length % last.length] = entry
      return entry.value
    },
    set: (key, value) => {
      const entry = { key, value }
      entries.set(hashOf(key), entry)
      last[key.length % last.length] = entry
    },
  }
}

function hashOf(list: List): number {
  let hash = 0
  for (let at = 0; at < list.length; at++) {
    const part = list[at]!
    if (typeof part === 'number') hash = (Math.imul(hash, 31) + part) | 0
    else for (let unit = 0; unit < part.length; unit++) hash = (Math.imul(hash, 31) + part.charCodeAt(unit)) | 0
  }
  return hash & 0x3fff_ffff
}

function isSame(one: List, other: List): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}

/** A cache by object. It keeps no object in memory: an entry goes when its object goes. */
/* @__NO_SIDE_EFFECTS__ */ export function weakCache<K extends object, V>(): Cache<K, V> {
  return new WeakMap<K, V>()
}

/** A cache of the `limit` keys that were set last, for keys that are asked for soon: it looks through them, the last one first. */
/* @__NO_SIDE_EFFECTS__ */ export function recentCache<K extends object, V>(limit: number): Cache<K, V> {
  const keys: K[] = []
  const values: V[] = []
  let last = limit - 1
  return {
    get: (key) => {
      // A loop of its own: `lastIndexOf` takes longer to start than this to look through a few.
      for (let at = last; at >= 0; at--) if (keys[at] === key) return values[at]
      for (let at = keys.length - 1; at > last; at--) if (keys[at] === key) return values[at]
      return undefined
    },
    set: (key, value) => {
      last = (last + 1) % limit
      keys[last] = key
      values[last] = value
    },
  }
}
