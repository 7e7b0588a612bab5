/** Every case by hand, on every engine, in every layout; behind NOT each selects the other rows. */
import { afterAll, describe, expect, test } from 'vitest'
import { cases, runBackend, type Fixture } from '../../src/testing.ts'
import { layoutsOf, openEngines, storeOf, type Store } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
const layouts = engines.flatMap((engine) => layoutsOf(engine).map((layout) => ({ engine, layout })))

describe.each(layouts)('$engine.name, $layout', async ({ engine, layout }) => {
  const stores = new Map<Fixture, Store>()
  const storeFor = (fixture: Fixture) => {
    const store = stores.get(fixture) ?? storeOf(engine, fixture.schema, layout)
    stores.set(fixture, store)
    return store
  }
  const filled: Store[] = []
  const negated: number[][] = []
  const results = await runBackend({
    backend: (fixture) => storeFor(fixture).backend,
    load: async (fixture) => {
      await storeFor(fixture).fill(fixture.rows)
      filled.push(storeFor(fixture))
      return storeFor(fixture)
    },
    select: async (store, condition) => {
      const selected = await store.select(condition)
      const others = await store.select({ ...condition, text: `NOT ${condition.text}` })
      negated.push([...selected, ...others].sort((a, b) => a - b))
      return selected
    },
  })
  for (const store of filled) await store.drop()

  const run = results.filter(({ outcome }) => outcome !== 'skipped')
  test.each(run)('$case.name', ({ case: one, selected, error }) => {
    expect(error ?? selected ?? one.expected, one.why).toEqual(one.expected)
  })

  test('behind NOT, each selects the rows that it did not', () => {
    expect(negated).toEqual(run.map(({ case: { fixture } }) => fixture.rows.map(({ id }) => id)))
  })

  test('only what columns and the dialect cannot tell is skipped', () => {
    const { lower, unlowered } = engine.dialect
    const missing = new Set<string>([
      'date-objects',
      ...(layout === 'json' ? [] : ['other-forms', 'empty-objects']),
      ...(lower in unlowered ? ['unicode-case'] : []),
    ])
    expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ case: one }) => one.name)).toEqual(
      cases.filter(({ requires }) => requires.some((feature) => missing.has(feature))).map(({ name }) => name),
    )
  })
})
