/** What a store of the demo is, and the one in memory. */
import { memoryBackend } from '../backends/memory/index.ts'
import type { Rows } from '../http/index.ts'
import { makeExperiences, makeOrders } from './data.ts'

export interface Store {
  readonly orders: Rows
  readonly experiences: Rows
  readonly close: () => Promise<void>
}

/** A store whose rows are filtered one by one. They are made in the order of their ids. */
export function memoryStore(): Store {
  const backend = memoryBackend()
  const rowsOf = (rows: readonly unknown[]): Rows => ({ find: (filter) => rows.filter(backend.compile(filter)) })
  return { orders: rowsOf(makeOrders()), experiences: rowsOf(makeExperiences()), close: () => Promise.resolve() }
}
