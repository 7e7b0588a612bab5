/** What keys ask for, and that nothing depends on which of them are remembered. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Cache } from '../../src/cache.ts'
import { defineSchema, field } from '../../src/index.ts'
import type { Keys, KnownKey } from '../../src/binding/keys.ts'
import { cutPairs } from '../../src/values/pairs.ts'
import { orders } from '../orders.ts'
import { loadWith, keys, spellings, texts } from './keys.fixture.ts'

afterEach(() => {
  vi.doUnmock('../../src/cache.ts')
  vi.resetModules()
})

/** A cache without a bound, which adds the texts that are its keys to a list. */
function cacheInto(remembered: unknown[]): Cache<unknown, unknown> {
  const entries = new Map<unknown, unknown>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (typeof key === 'string') remembered.push(key)
      entries.set(key, value)
    },
  }
}

test('only keys as the schema spells them are remembered, and no slice of a query', async () => {
  const remembered: unknown[] = []
  const parseFilter = await loadWith(() => cacheInto(remembered))
  for (const text of [...texts, ...texts]) parseFilter(orders, text)
  const own = [...keys, ...keys.map(encodeURIComponent), 'gift', 'seller[notEqual]', 'items.arrival[gte]', 'status']
  expect(remembered.toSorted()).toEqual([...new Set(own)].toSorted())
})

test('an alias is remembered as the collection spells it', async () => {
  const remembered: unknown[] = []
  await loadWith(() => cacheInto(remembered))
  const { defineCollection, defineSchema, field, parseQuery } = await import('../../src/index.ts')
  const schema = defineSchema({ id: field.integer(), sellerName: field.string(), total: field.number() })
  const aliases = { fields: { seller_name: 'sellerName' }, operators: { eq: 'equals' } } as const
  const collection = defineCollection(schema, { key: 'id', aliases })
  const own = ['seller_name', 'seller_name[eq]', 'seller_name[gt]', 'sellerName', 'sellerName[eq]']
  const others = ['seller%5Fname', 'sellerName%5beq%5d', 'total[%65q]']
  for (const key of [...own, 'total%5Beq%5D', ...others]) expect(parseQuery(collection, `${key}=1`).ok, key).toBe(true)
  expect(remembered.toSorted()).toEqual([...own, 'total%5Beq%5D'].toSorted())
})

describe('resolveKey', () => {
  test('finds the field and the operator of every spelling', async () => {
    const { resolveKey } = await import('../../src/binding/keys.ts')
    const { parsePair } = await import('../../src/reading/parse.ts')
    const { sourceOf } = await import('../../src/asked/index.ts')
    const resolve = (text: string) => {
      const source = sourceOf(text)
      return resolveKey(
        { schema: orders, source, collection: undefined },
        parsePair(source, source.pairs[0]!, () => {})!,
      )
    }
    for (const spelling of [...spellings('items.price[lt]'), ...spellings('items.price[lt]')]) {
      const key = resolve(`${spelling}=1`)
      expect(key).toMatchObject({ name: 'items.price[lt]', field: { name: 'items.price' }, operator: { name: 'lt' } })
      expect(key!.reader.fromText('1')).toEqual({ type: 'number', value: 1 })
    }
    expect(resolve('items.price=1')!.name).toBe('items.price[equals]')
    for (const text of ['item.price=1', 'items.price[less]=1', 'items.price[contains]=1', 'items=1']) {
      expect(resolve(text), text).toBeUndefined()
    }
  })

  test('keeps the schemas apart', async () => {
    const { parseFilter } = await import('../../src/index.ts')
    const asNumber = defineSchema({ seller: field.number() })
    const [text, number] = [orders, asNumber].map((schema) => parseFilter(schema, 'seller=1'))
    expect(text).toMatchObject({ filter: { operand: { type: 'string', value: '1' } } })
    expect(number).toMatchObject({ filter: { operand: { type: 'number', value: 1 } } })
  })
})

test('a key that came next the last time is compared, and not looked up', async () => {
  const { keysOf, knownKey } = await import('../../src/binding/keys.ts')
  const [name, total] = ['name', 'total'].map(
    (spelling) => ({ ...keysOf(orders), spelling, next: undefined }) as unknown as KnownKey,
  )
  const get = vi.fn((spelling: string) => ({ name, total })[spelling])
  const keys: Keys = { known: { get, set: () => {} }, next: undefined }
  const text = 'name=a&total=1&nope=1&total&names=1'
  const pairs = cutPairs(text, 0)
  const lookedUp = (before: Keys | KnownKey, at: number, found: KnownKey | undefined) => {
    get.mockClear()
    expect(knownKey(keys, before, text, pairs[at]!)).toBe(found)
    return get.mock.calls.flat()
  }
  expect(lookedUp(keys, 0, name)).toEqual(['name'])
  expect(lookedUp(keys, 0, name)).toEqual([])
  expect(lookedUp(name!, 1, total)).toEqual(['total'])
  expect(lookedUp(name!, 1, total)).toEqual([])
  // What is not known takes no place.
  expect(lookedUp(name!, 2, undefined)).toEqual(['nope'])
  expect(lookedUp(name!, 1, total)).toEqual([])
  expect(lookedUp(keys, 1, total)).toEqual(['total'])
  expect(lookedUp(keys, 1, total)).toEqual([])
  // A pair without "=" has no key, and a longer name is another one.
  expect(lookedUp(name!, 3, undefined)).toEqual([])
  keys.next = name
  expect(lookedUp(keys, 4, undefined)).toEqual(['names'])
})
