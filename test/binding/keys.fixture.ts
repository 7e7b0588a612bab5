/** What the tests of keys and its laws share. */
import { vi } from 'vitest'
import type { Cache } from '../../src/cache.ts'

/** The library, loaded anew with caches of ours. */
export async function loadWith(newCache: () => Cache<unknown, unknown>) {
  vi.resetModules()
  vi.doMock('../../src/cache.ts', () => ({
    boundedCache: newCache,
    recentCache: newCache,
    slotCache: newCache,
    weakCache: newCache,
  }))
  const { parseFilter } = await import('../../src/index.ts')
  return parseFilter
}

export const spellings = (key: string) => [
  key,
  encodeURIComponent(key),
  encodeURIComponent(key).toLowerCase(),
  key.replace(/[[\]]/g, encodeURIComponent),
  key.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
]
export const keys = [
  'seller',
  'seller[equals]',
  'status[in]',
  'status[nin]',
  'total[gte]',
  'items.price',
  'items.price[lt]',
  'tags',
]
export const texts = [
  ...keys.flatMap(spellings).map((key) => `${key}=1`),
  // The same key, spelt alike and otherwise; the same field with another operator.
  ...keys.flatMap((key) => spellings(key).map((other) => `${key}=1&gift=true&${other}=2`)),
  'seller=a&seller[equals]=b&seller[notEqual]=c',
  'status=paid&status[in]=held,%6eew&status[in]=paid',
  'items.arrival[gte]=2024-01-01&items.price=1&items.arrival[gte]=2024-01-02',
  // What is not there, and what is not available.
  'selle=1&seller[contain]=1&total[contains]=1&items=1&a.b.c.d.e.f.g.h.i=1',
  'total%5Bgte%5D=x&total[gte]=1',
]
