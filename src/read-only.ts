/** Read-only Maps: schemas and collections export them. Imports nothing. */

// The last two: https://github.com/tc39/proposal-upsert
const changes = ['set', 'delete', 'clear', 'getOrInsert', 'getOrInsertComputed']

function refuse(): never {
  throw new TypeError('this Map is read-only')
}

/**
 * A Map of these entries that cannot be changed. `Object.freeze` alone does not stop `set`.
 *
 * @param inside makes the value of a path from the value of the path before its last name, for a path that is not among the entries: `get` and
 *   `has` know the keys of records, which the iteration does not list.
 *
 * Reads come from a private Map: `Map.prototype.set.call` changes only what `console.log` and `structuredClone` show.
 */
/* @__NO_SIDE_EFFECTS__ */ export function readOnly<K, V>(
  entries: Iterable<readonly [K, V]>,
  inside?: (outer: V, name: string) => V | undefined,
): ReadonlyMap<K, V> {
  const own = new Map(entries)
  const view = new Map(own)
  const get = (key: K): V | undefined => {
    const value = own.get(key)
    // No other value becomes a path.
    if (value !== undefined || typeof key !== 'string') return value
    const names = key.split('.')
    const name = names.pop()!
    const outer = own.get(names.join('.') as K)
    return outer && inside?.(outer, name)
  }
  const define = (name: string | symbol, value: unknown) =>
    Object.defineProperty(view, name, { value, enumerable: false })
  define('size', own.size)
  define('get', get)
  define('has', (key: K) => get(key) !== undefined)
  for (const name of ['keys', 'values', 'entries', Symbol.iterator] as const) define(name, own[name].bind(own))
  define('forEach', (visit: (value: V, key: K, map: typeof view) => void, self: unknown) =>
    own.forEach((value, key) => visit.call(self, value, key, view)),
  )
  for (const name of changes) define(name, refuse)
  return Object.freeze(view)
}
