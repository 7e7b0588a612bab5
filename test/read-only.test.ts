/** Maps that nobody can change. */
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseFilter, parseQuery } from '../src/index.ts'
import { readOnly } from '../src/read-only.ts'

const entries = [
  ['a', 1],
  ['b', 2],
] as const
type Changeable<K, V> = Map<K, V> & Record<'getOrInsert' | 'getOrInsertComputed', (key: K, value: V) => V>

/** Every way to change a Map. */
function change<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): void {
  const changeable = map as Changeable<K, V>
  const methods = [
    () => changeable.set(key, value),
    () => changeable.delete(key),
    () => changeable.clear(),
    () => changeable.getOrInsert(key, value),
    () => changeable.getOrInsertComputed(key, value),
  ]
  for (const method of methods) expect(method).toThrow(new TypeError('this Map is read-only'))
  expect(() => Object.assign(map, { get: () => value })).toThrow(TypeError)
  expect(() => Object.defineProperty(map, 'get', { value: () => value })).toThrow(TypeError)
  expect(() => Object.setPrototypeOf(map, {})).toThrow(TypeError)
  Map.prototype.clear.call(map)
  Map.prototype.set.call(map, key, value)
}

describe('a read-only Map', () => {
  /** All that is read of a Map. */
  const read = (map: ReadonlyMap<string, number>) => ({
    size: map.size,
    of: ['a', 'b', 'c'].map((key) => [map.get(key), map.has(key)]),
    keys: [...map.keys()],
    values: [...map.values()],
    entries: [...map.entries()],
    iterated: [...map],
    copied: [...new Map(map)],
    looped: Array.from(map),
  })
  const expected = {
    size: 2,
    of: [
      [1, true],
      [2, true],
      [undefined, false],
    ],
    keys: ['a', 'b'],
    values: [1, 2],
    entries: [
      ['a', 1],
      ['b', 2],
    ],
    iterated: [
      ['a', 1],
      ['b', 2],
    ],
    copied: [
      ['a', 1],
      ['b', 2],
    ],
    looped: [
      ['a', 1],
      ['b', 2],
    ],
  }
  test('answers as a Map does', () => {
    const map = readOnly(entries)
    expect(read(map)).toEqual(expected)
    expect(map).toBeInstanceOf(Map)
    expect(map).toEqual(new Map(entries))
    expect(structuredClone(map)).toEqual(new Map(entries))
    expect(Object.keys(map)).toEqual([])
    expect(readOnly([])).toEqual(new Map())
  })
  test('cannot be changed', () => {
    const map = readOnly(entries)
    change(map, 'c', 3)
    expect(read(map)).toEqual(expected)
    expect(Object.isFrozen(map)).toBe(true)
  })
  test('does not follow changes of its source', () => {
    const source = new Map<string, number>(entries)
    const map = readOnly(source)
    source.set('c', 3)
    expect(read(map)).toEqual(expected)
  })
  test('gives itself to the function of forEach, and not the Map behind it', () => {
    const map = readOnly(entries)
    const seen: unknown[] = []
    const self = {}
    map.forEach(function (this: unknown, value, key, whole) {
      seen.push([value, key, this === self, whole === map])
    }, self)
    expect(seen).toEqual([
      [1, 'a', true, true],
      [2, 'b', true, true],
    ])
  })
})

test('no change of a Map of a schema or a collection changes the meaning of a text', () => {
  const schema = defineSchema({ id: field.integer(), seller: field.string(), secret: field.string() })
  const collection = defineCollection(schema, {
    key: 'id',
    sort: ['id'],
    fields: ['id'],
    operators: { secret: [], seller: ['equals'] },
    groups: true,
  })
  const texts = [
    ...['seller=a', 'secret=a', 'seller[contains]=a', 'nobody=a', 'sort=secret', 'sort=id', 'fields=secret'],
    ...['fields=id', 'limit=5', 'or=(id=1,id=2)', 'count=true', ''],
  ]
  const told = () => texts.map((text) => JSON.stringify([parseFilter(schema, text), parseQuery(collection, text)]))
  const before = told()
  const secret = schema.paths.get('secret')!
  change(schema.paths, 'nobody', secret)
  change(collection.sortable as ReadonlyMap<string, typeof secret>, 'secret', secret)
  change(collection.selectable as ReadonlyMap<string, readonly string[]>, 'secret', ['secret'])
  change(collection.operators, 'secret', ['equals'])
  change(collection.parameters, 'count', 'count')
  expect(told()).toEqual(before)
})
