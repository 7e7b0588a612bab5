/** Every case by hand, with its complement, on every engine in every layout. */
import { afterAll, describe, expect, test } from 'vitest'
import { not } from '../../src/index.ts'
import { cases, filterOf, runBackend, type CaseResult, type Fixture } from '../../src/testing.ts'
import { departuresOf, departures } from './departures.ts'
import { layouts, openEngines, storeOf, type Engine, type Layout } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

async function resultsOf(engine: Engine, layout: Layout): Promise<readonly CaseResult[]> {
  const stores = new Map<Fixture, ReturnType<typeof storeOf>>()
  const storeFor = (fixture: Fixture) => {
    const store = stores.get(fixture) ?? storeOf(engine, fixture.schema, layout)
    stores.set(fixture, store)
    return store
  }
  const results = await runBackend({
    backend: (fixture) => {
      const { backend } = storeFor(fixture)
      return { ...backend, compile: (filter) => [filter, not(filter)].map(backend.compile) }
    },
    load: async (fixture) => {
      await storeFor(fixture).fill(fixture.rows)
      return { ...storeFor(fixture), all: fixture.rows.map(({ id }) => id) }
    },
    select: async ({ select, all }, [document, complement]) => {
      const selected = await select(document!)
      const others = await select(complement!)
      const expected = all.filter((id) => !selected.includes(id))
      if (JSON.stringify(others.sort((a, b) => a - b)) === JSON.stringify(expected)) return selected
      throw new Error(`the complement selects ${others.join()}: ${JSON.stringify(complement)}`)
    },
  })
  for (const { drop } of stores.values()) await drop()
  return results
}
/** Where the engine departs from the manual on a case. */
function departuresIn(engine: Engine, layout: Layout, one: CaseResult['case']) {
  const { backend, documentsOf } = storeOf(engine, one.fixture.schema, layout)
  const filter = filterOf(one)
  return [filter, not(filter)].flatMap((said) =>
    departuresOf(engine, backend.compile(said), documentsOf(one.fixture.rows)),
  )
}

const runs = engines.flatMap((engine) => layouts.map((layout) => ({ engine, layout })))

describe.each(runs)('$engine.name, $layout', async ({ engine, layout }) => {
  const results = await resultsOf(engine, layout)
  const asked = results
    .filter(({ outcome }) => outcome !== 'skipped')
    .map((result) => ({ ...result, departing: departuresIn(engine, layout, result.case) }))
  const exact = asked.filter(({ departing }) => departing.length === 0)
  test.each(exact)('$case.name', ({ case: one, selected, error }) => {
    expect(error ?? selected ?? one.expected, one.why).toEqual(one.expected)
  })

  test('only what documents cannot tell is skipped', () => {
    const missing = ['date-objects', 'misplaced-lists']
    expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ case: one }) => one.name)).toEqual(
      cases.filter(({ requires }) => requires.some((feature) => missing.includes(feature))).map(({ name }) => name),
    )
  })
})

/** An entry that no longer fails must go. */
const known = engines.flatMap((engine) =>
  departures.filter(({ engine: name }) => name === engine.name).map((departure) => ({ ...departure, engine })),
)
test.each(known)('$engine.name still $why', async ({ engine, applies, example: [row, document, matches] }) => {
  expect(applies(document, [row])).toBe(true)
  const found = engine.fill([row]).then(async ({ find, drop }) => {
    const rows = await find(document).finally(drop)
    return rows.length > 0
  })
  expect(await found.catch(() => 'an error')).not.toBe(matches)
})
