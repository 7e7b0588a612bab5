/** What keys ask for, and that nothing depends on which of them are remembered. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Cache } from '../../src/cache.ts'
import { orders } from '../orders.ts'
import { loadWith, texts } from './keys.fixture.ts'

afterEach(() => {
  vi.doUnmock('../../src/cache.ts')
  vi.resetModules()
})

const off = (): Cache<unknown, unknown> => ({ get: () => undefined, set: () => undefined })
/** At its limit with every entry: it keeps the last one. */
const full = (): Cache<unknown, unknown> => {
  let last: readonly [key: unknown, value: unknown] | undefined
  return {
    get: (key) => (last !== undefined && last[0] === key ? last[1] : undefined),
    set: (key, value) => (last = [key, value]),
  }
}

test('answers are the same whether keys are remembered, forgotten, or neither', async () => {
  const read = (parseFilter: Awaited<ReturnType<typeof loadWith>>) =>
    texts.map((text) => JSON.stringify(parseFilter(orders, text)))
  const never = read(await loadWith(off))
  expect(new Set(never).size).toBeGreaterThan(40)
  expect(read(await loadWith(full))).toEqual(never)
  const always = await loadWith(() => new Map<unknown, unknown>())
  expect(read(always), 'cold').toEqual(never)
  expect(read(always), 'warm').toEqual(never)
  vi.doUnmock('../../src/cache.ts')
  vi.resetModules()
  const { parseFilter } = await import('../../src/index.ts')
  expect(read(parseFilter), 'the caches of the library').toEqual(never)
  expect(read(parseFilter), 'and warm').toEqual(never)
})
