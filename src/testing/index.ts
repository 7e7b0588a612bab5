/** `urlwhere/testing`: the cases that every backend must pass, and the function that runs them. Re-exports only. */
export { cases, type Case, type Fixture, type FixtureRow } from './cases.ts'
export { filterOf, runBackend, type BackendRun, type CaseResult } from './run.ts'
