/** What a store of the demo is, and the one in memory. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { memoryRows, type ReadRows } from '../../src/service/index.ts'
import type { Principal } from './accounts.ts'
import { makeExperiences, makeOrders } from './data.ts'

/** Rows with their backend, which is checked when the service starts. */
export interface Store<Caller extends object = Principal> {
  readonly orders: ReadRows<Caller>
  readonly experiences: ReadRows<Caller>
  readonly close: () => Promise<void>
}

/** A store whose rows are filtered one by one. */
export function memoryStore(): Store<object> {
  const rowsOf = (rows: readonly unknown[]) => memoryRows(memoryBackend(), () => rows)
  return { orders: rowsOf(makeOrders()), experiences: rowsOf(makeExperiences()), close: () => Promise.resolve() }
}
