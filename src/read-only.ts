/** Read-only Maps: schemas and collections export them. Imports nothing. */

// The last two: https://github.com/tc39/proposal-upsert
const changes = ['set', 'delete', 'clear', 'getOrInsert', 'getOrInsertComputed']

function refuse(): never {
  throw new TypeError('this Map is read-only')
}

/**
 * A Map of these entries that cannot be changed. `Object.freeze` alone does not stop `set`.
 *
 * Reads come from a private Map: `Map.prototype.set.call` changes only what `console.log` and `structuredClone` show.
 */
/* @__NO_SIDE_EFFECTS__ */ export function readOnly<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const own = new Map(entries)
  const view = new Map(own)
  const reads: Omit<ReadonlyMap<K, V>, typeof Symbol.iterator> = {
    size: own.size,
    get: (key) => own.get(key),
    has: (key) => own.has(key),
    keys: () => own.keys(),
    values: () => own.values(),
    entries: () => own.entries(),
    forEach: (visit, self: unknown) => own.forEach((value, key) => visit.call(self, value, key, view)),
  }
  const define = (name: string | symbol, value: unknown) =>
    Object.defineProperty(view, name, { value, enumerable: false })
  for (const [name, value] of Object.entries(reads)) define(name, value)
  define(Symbol.iterator, reads.entries)
  for (const name of changes) define(name, refuse)
  return Object.freeze(view)
}
