/** `urlwhere/testing`: the cases that every backend must pass, the function that runs them, and the laws of pages and of facets. Re-exports only. */
export { cases, queryCases } from './cases.ts'
export type { Case, Fixture, FixtureRow, QueryCase, QueryFixture } from './cases.ts'
export { facetLaws, type BrokenFacetLaw, type FacetLaw, type FacetLawInput } from './facet-laws.ts'
export { queryLaws, type BrokenLaw, type LawInput, type QueryLaw } from './laws.ts'
export { filterOf, runBackend, runQueries } from './run.ts'
export type { BackendRun, CaseResult, QueryReader, QueryRun } from './run.ts'
