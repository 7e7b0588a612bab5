/** `urlwhere/memory`: filters as predicates over rows in memory. Re-exports only. */
export { memoryBackend, type MemoryOptions } from './evaluate.ts'
export type { MemoryPage } from './page.ts'
export type { Predicate } from './rows.ts'
