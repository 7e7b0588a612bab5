/** The cases by hand, asked of an engine that stores rows. */
import { not, type Schema } from '../../src/index.ts'
import { runBackend, type CaseResult, type Fixture } from '../../src/testing/index.ts'
import type { Store } from '../differential/contenders.ts'

export const failures = (results: readonly CaseResult[]) => results.filter(({ outcome }) => outcome === 'failed')

/** What one engine is not asked: it departs there from its manual, as test/engines/mongo/departures.ts tells. */
export class Departs extends Error {}

/** Every case, with its complement as the backend writes it and as the engine has it. */
export async function resultsOf(storeOf: (schema: Schema) => Store): Promise<CaseResult[]> {
  const stores = new Map<Fixture, Store>()
  const storeFor = (fixture: Fixture) => {
    const store = stores.get(fixture) ?? storeOf(fixture.schema)
    stores.set(fixture, store)
    return store
  }
  const filled: Store[] = []
  const results = await runBackend({
    backend: (fixture) => {
      const { backend } = storeFor(fixture)
      return {
        ...backend,
        compile: (filter) => [filter, not(filter)].map((one) => [one, backend.compile(one)] as const),
      }
    },
    load: async (fixture) => {
      const store = storeFor(fixture)
      await store.fill(fixture.rows)
      filled.push(store)
      return { store, rows: fixture.rows }
    },
    select: async ({ store, rows }, compiled) => {
      if (compiled.some((one) => store.excepts(one[0], rows, one[1]) === 'departure')) throw new Departs()
      const [output, complement] = compiled.map((one) => one[1])
      const selected = await store.select(output)
      const others = rows.map(({ id }) => id).filter((id) => !selected.includes(id))
      for (const [what, of] of Object.entries({ complement, negation: store.negated(output) })) {
        const found = (await store.select(of)).toSorted((a, b) => a - b)
        if (String(found) !== String(others))
          throw new Error(`the ${what} selects ${found.join()}: ${JSON.stringify(store.show(of))}`)
      }
      return selected
    },
  })
  for (const { drop } of filled) await drop()
  return results
}
