/** What an engine must do in a layout: as the cases say by hand, and as the predicate in memory does at random. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory.ts'
import { defineSchema, field, type Filter } from '../../src/index.ts'
import { cases, runBackend, type Fixture } from '../../src/testing.ts'
import { someFilter, someRow, someSchema } from '../../src/testing/arbitraries.ts'
import { layoutsOf, storeOf, type Engine, type Layout, type Store } from './engines.ts'

/** Each engine in each layout. */
export function describeLayouts(
  engines: readonly Engine[],
  run: (engine: Engine, layout: Layout) => void | Promise<void>,
): void {
  const layouts = engines.flatMap((engine) => layoutsOf(engine).map((layout) => ({ engine, layout })))
  describe.each(layouts)('$engine.name, $layout', ({ engine, layout }) => run(engine, layout))
}

/** Each engine with random mappings. */
export function describeMixed(engines: readonly Engine[], pairs?: number): void {
  describe.each(engines)('$name, mixed', (engine) => runRandom(engine, 'mixed', pairs))
}

/** Tests of every case by hand; behind NOT each selects the other rows. */
export async function runCases(engine: Engine, layout: Layout): Promise<void> {
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
      ...(layout === 'json' ? [] : ['other-forms', 'misplaced-lists', 'empty-objects']),
      ...(lower in unlowered ? ['unicode-case'] : []),
    ])
    expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ case: one }) => one.name)).toEqual(
      cases.filter(({ requires }) => requires.some((feature) => missing.has(feature))).map(({ name }) => name),
    )
  })
}

const filtersEach = 20

/** A test of random schemas, rows and filters, `mixed` of random mappings too: the engine selects what the predicate in memory selects. */
export function runRandom(engine: Engine, layout: Layout | 'mixed', pairs = 1_000): void {
  const runs = Math.ceil(Number(process.env.SQL_PAIRS ?? pairs) / filtersEach)
  const { lower, unlowered } = engine.dialect
  test(`${runs * filtersEach} random pairs`, async () => {
    let compared = 0
    const inputs = someSchema.chain((inner) => {
      const schema = defineSchema({ ...inner.fields, id: field.integer() })
      const row = someRow(inner, layout === 'json' ? ['other-forms', 'misplaced-lists', 'empty-objects'] : [])
      return fc.record({
        layouts:
          layout === 'mixed'
            ? fc.array(fc.constantFrom(...layoutsOf(engine)), { minLength: 1, maxLength: 5 })
            : fc.constant(layout),
        schema: fc.constant(schema),
        rows: fc.array(row, { maxLength: 6 }).map((rows) => rows.map((row, index) => ({ ...row, id: index + 1 }))),
        filters: fc.array(someFilter(inner), { minLength: filtersEach, maxLength: filtersEach }),
      })
    })
    await fc.assert(
      fc.asyncProperty(inputs, async ({ layouts, schema, rows, filters }) => {
        const store = storeOf(engine, schema, layouts)
        await store.fill(rows)
        try {
          for (const filter of filters) {
            // Texts with letters that the dialect declares to leave as they are match otherwise than in memory.
            if (hasMatch(filter) && unlowered[lower]?.test(JSON.stringify([filter, rows])) === true) continue
            const matches = memoryBackend().compile(filter)
            const condition = store.backend.compile(filter)
            const selected = await store.select(condition)
            expect(
              selected.sort((a, b) => a - b),
              condition.text,
            ).toEqual(rows.filter(matches).map(({ id }) => id))
            compared++
          }
        } finally {
          await store.drop()
        }
      }),
      { numRuns: runs, ...(process.env.SEED !== undefined && { seed: Number(process.env.SEED) }) },
    )
    expect(compared).toBeGreaterThan(0.5 * runs * filtersEach)
  }, 600_000)
}

/** Whether a filter ignores case, which some dialects do for some letters alone. */
const hasMatch = (filter: Filter): boolean => JSON.stringify(filter).includes('"kind":"match"')
