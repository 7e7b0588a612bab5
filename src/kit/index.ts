/** `urlwhere/testing`: the cases that every backend must pass, the function that runs them, and the laws of pages and of facets. Re-exports only. */
export {
  cases,
  queryCases,
  type Case,
  type Fixture,
  type FixtureRow,
  type QueryCase,
  type QueryFixture,
} from './cases.ts'
export { facetLaws, type BrokenFacetLaw, type FacetLaw, type FacetLawInput } from './facet-laws.ts'
export { queryLaws, type BrokenLaw, type LawInput, type QueryLaw } from './laws.ts'
export {
  filterOf,
  runBackend,
  runQueries,
  type BackendRun,
  type CaseResult,
  type QueryReader,
  type QueryRun,
} from './run.ts'
