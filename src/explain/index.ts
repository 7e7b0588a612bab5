/** `urlwhere/explain`: filters for people: what one says, why a row is selected, whether one includes another. Re-exports only. */
export { describe } from './describe.ts'
export { subsumes, type Subsumption } from './subsumes.ts'
export { trace, type Trace } from './trace.ts'
