/** `urlwhere/memory`: filter → predicate. Re-exports only. */
export { memoryBackend, type MemoryOptions, type Predicate } from './evaluate.ts'
