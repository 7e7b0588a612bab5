/** What a store of the demo is, and the one in memory. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { FoundRows } from '../../src/service/index.ts'
import type { Principal } from './accounts.ts'
import { makeExperiences, makeOrders } from './data.ts'

/** Rows that are counted too, and their facets, which the collections of the demo allow; with the backend, which is checked when the service starts. */
export type CountedRows<Caller extends object = Principal> = FoundRows<Caller> &
  Required<Pick<FoundRows<Caller>, 'count' | 'facets'>>

export interface Store<Caller extends object = Principal> {
  readonly orders: CountedRows<Caller>
  readonly experiences: CountedRows<Caller>
  readonly close: () => Promise<void>
}

/** A store whose rows are filtered one by one. */
export function memoryStore(): Store<object> {
  const backend = memoryBackend()
  const { compile, compileQuery, facets } = backend
  const rowsOf = (rows: readonly unknown[]): CountedRows<object> => ({
    backend,
    find: (query) => compileQuery({ ...query, count: false })(rows).rows,
    count: ({ filter }) => rows.filter(compile(filter)).length,
    facets: (query) => facets(query)(rows),
  })
  return { orders: rowsOf(makeOrders()), experiences: rowsOf(makeExperiences()), close: () => Promise.resolve() }
}
