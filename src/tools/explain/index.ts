/** `urlwhere/explain`: filters for people: their sentence, why they select a row, whether one includes another. Re-exports only. */
export { describe } from './describe.ts'
export { subsumes, type Subsumption } from './subsumes.ts'
export { trace, type Trace } from './trace.ts'
