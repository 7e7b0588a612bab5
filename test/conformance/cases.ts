/** Runs the cases by hand on an engine that stores rows. */
import { not, type Schema } from '../../src/index.ts'
import { cases, filterOf, runBackend, runQueries } from '../../src/kit/index.ts'
import type { CaseResult, Fixture, QueryCase } from '../../src/kit/index.ts'
import type { Store } from '../differential/contenders.ts'

export const failures = <Of>(results: readonly CaseResult<Of>[]) =>
  results.filter(({ outcome }) => outcome === 'failed')

/** One engine leaves this out: it departs there from its manual (test/engines/mongo/departures.ts). */
export class Departs extends Error {}

/** A store for each fixture. */
function storesOf(storeOf: (schema: Schema) => Store): (fixture: Fixture) => Store {
  const stores = new Map<Fixture, Store>()
  return (fixture) => {
    const store = stores.get(fixture) ?? storeOf(fixture.schema)
    stores.set(fixture, store)
    return store
  }
}

/** Clients of servers open so many connections. */
const atOnce = 25
/** Every output that the cases of a fixture select by. */
function outputsOf(fixture: Fixture, { backend, negated }: Store): unknown[] {
  const { features } = backend.capabilities
  const own = cases.filter((one) => one.fixture === fixture && one.requires.every((one) => features.includes(one)))
  return own.flatMap((one) => {
    try {
      const filter = filterOf(one)
      const output = backend.compile(filter)
      return [output, backend.compile(not(filter)), negated(output)]
    } catch {
      return []
    }
  })
}

/** Every case of filters, with its complement as the backend writes it and as the engine has it. */
export async function resultsOf(storeOf: (schema: Schema) => Store): Promise<CaseResult[]> {
  const storeFor = storesOf(storeOf)
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
      // A store sends together what it is given in one turn, and keeps the answers. `select` reports each failure.
      const outputs = outputsOf(fixture, store)
      while (outputs.length > 0)
        await Promise.allSettled(outputs.splice(0, atOnce).map((output) => store.select(output)))
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

/** Every case of order and pages. */
export async function queryResultsOf(storeOf: (schema: Schema) => Store): Promise<CaseResult<QueryCase>[]> {
  const storeFor = storesOf(storeOf)
  const filled: Store[] = []
  const results = await runQueries({
    backend: (fixture) => {
      const { backend, pages } = storeFor(fixture)
      return { ...backend, compileQuery: (query) => ({ query, page: pages!.compile(query) }) }
    },
    load: async (fixture) => {
      const store = storeFor(fixture)
      await store.fill(fixture.rows)
      filled.push(store)
      return { pages: store.pages!, rows: fixture.rows }
    },
    read: ({ pages, rows }, { query, page }) => {
      if (pages.excepts(query, rows, page) === 'departure') throw new Departs()
      return pages.read(page)
    },
  })
  for (const { drop } of filled) await drop()
  return results
}
