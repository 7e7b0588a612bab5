/** Runs the cases on a backend. Imports no test runner. */
import { isLiteralType, type Filter, type LiteralType } from '../tree/index.ts'
import { FilterError, type Issues } from '../issue/index.ts'
import { parseFilterOrThrow } from '../hints/index.ts'
import type { Backend, Capabilities, Feature, QueryBackend } from '../backends/backend.ts'
import { checkOptions } from '../options.ts'
import { cases, queryCases, type Case, type Fixture, type QueryCase, type QueryFixture } from './cases.ts'

/**
 * Returns the filter of a case: parsed from its query, or as given.
 *
 * @param one a case of `cases`.
 * @example filterOf(cases[0]!) // of { fixture, query } or { fixture, filter }
 */
export function filterOf(one: Case): Filter {
  if (typeof one?.query === 'string') return parseFilterOrThrow(one.fixture.schema, one.query)
  if (one?.filter === undefined) throw new TypeError('case must have a query or a filter')
  return one.filter
}

/** The argument of {@link runBackend}: a backend, and how to load and select rows with it. */
export interface BackendRun<Output, Store> {
  /** The backend, or a function that makes one for a fixture. */
  readonly backend: Backend<Output> | ((fixture: Fixture) => Backend<Output>)
  /** Puts a fixture's rows where `select` finds them. Called once for each fixture that has a case to run. */
  readonly load: (fixture: Fixture) => Store | Promise<Store>
  /** The ids of the rows that an output selects, in any order. */
  readonly select: (store: Store, output: Output) => readonly number[] | Promise<readonly number[]>
}

/** The argument of {@link runQueries}: a backend, and how to load and read rows with it. */
export interface QueryRun<Page, Store> {
  /** The backend, or a function that makes one for a fixture. Without `compileQuery` every case is skipped. */
  readonly backend: QueryReader<Page> | ((fixture: QueryFixture) => QueryReader<Page>)
  /** Puts a fixture's rows where `read` finds them. Called once for each fixture that has a case to run. */
  readonly load: (fixture: QueryFixture) => Store | Promise<Store>
  /** The ids of the rows that the output of `compileQuery` reads, in their order. */
  readonly read: (store: Store, page: Page) => readonly number[] | Promise<readonly number[]>
}

/** The part of a backend that {@link runQueries} uses. */
export type QueryReader<Page> = Pick<Backend<unknown>, 'capabilities'> &
  Partial<Pick<QueryBackend<unknown, Page>, 'compileQuery'>>

/** The result of one case. */
export interface CaseResult<Of = Case> {
  readonly case: Of
  /** `skipped`: the backend lacks a feature or a type. `refused`: `compile` or `compileQuery` threw a FilterError. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'refused'
  /** Of a skipped case: the features, and the types of its fixture's fields, that the backend does not declare. */
  readonly missing?: readonly (Feature | LiteralType)[]
  /** Of a refused case: the issues of the FilterError. */
  readonly issues?: Issues
  /** Of a failed case: the selected ids. If the backend threw, `error` has the reason. */
  readonly selected?: readonly number[]
  readonly error?: unknown
}

/**
 * Runs every case of filters on a backend. It skips a case only if the backend's capabilities lack a feature of the case, or a type of
 * its fixture's fields. A case is refused if `compile` throws a FilterError: check these cases and their issues.
 *
 * @param run the backend, how the rows of a fixture are loaded into its store, and how they are selected there.
 * @returns one result for each case, in the order of `cases`. Rejects only when `load` rejects.
 * @example
 * const results = await runBackend({
 *   backend: memoryBackend(),
 *   load: ({ rows }) => rows,
 *   select: (rows, matches) => rows.filter(matches).map(({ id }) => id),
 * })
 * assert.deepEqual(results.filter(({ outcome }) => outcome === 'failed'), [])
 */
export async function runBackend<Output, Store>(run: BackendRun<Output, Store>): Promise<CaseResult[]> {
  const { backend, load, select } = checkOptions(run, 'run', ['backend', 'load', 'select'])
  return runAll(cases, {
    backend,
    load,
    input: filterOf,
    compile: (used, filter) => used.compile(filter),
    read: async (store, output) => [...(await select(store, output))].sort((a, b) => a - b),
  })
}

/**
 * Runs every case of order and pages on a backend. It skips a case only if the backend's capabilities lack a feature of the case, or a
 * type of its fixture's fields. Without the feature `queries`, it skips all cases.
 *
 * A backend with only `compile` can add `compileQuery` easily: compile `and(query.filter, positionFilter(query))`, and return the sort
 * keys and the limit with the result.
 *
 * @param run the backend, how the rows of a fixture are loaded into its store, and how a page is read there.
 * @returns one result for each case, in the order of `queryCases`. Rejects only when `load` rejects.
 * @example
 * const results = await runQueries({
 *   backend: memoryBackend(),
 *   load: ({ rows }) => rows,
 *   read: (rows, page) => page(rows).rows.map((row) => (row as FixtureRow).id),
 * })
 * assert.deepEqual(results.filter(({ outcome }) => outcome === 'failed'), [])
 */
export async function runQueries<Page, Store>(run: QueryRun<Page, Store>): Promise<CaseResult<QueryCase>[]> {
  const { backend, load, read } = checkOptions(run, 'run', ['backend', 'load', 'read'])
  return runAll(queryCases, {
    backend,
    load,
    input: ({ query }) => query,
    compile: (used, query) => {
      if (used.compileQuery === undefined) throw new TypeError('backend declares queries, but has no compileQuery')
      return used.compileQuery(query)
    },
    read,
  })
}

/** How a backend runs a case. Only an error of `compile` can be a refusal. */
interface Runner<Of extends AnyCase, Used, Input, Output, Store> {
  readonly backend: Used | ((fixture: Of['fixture']) => Used)
  readonly load: (fixture: Of['fixture']) => Store | Promise<Store>
  readonly input: (one: Of) => Input
  readonly compile: (backend: Used, input: Input) => Output
  readonly read: (store: Store, output: Output) => readonly number[] | Promise<readonly number[]>
}
type AnyCase = Case | QueryCase

async function runAll<Of extends AnyCase, Used extends { readonly capabilities: Capabilities }, Input, Output, Store>(
  all: readonly Of[],
  runner: Runner<Of, Used, Input, Output, Store>,
): Promise<CaseResult<Of>[]> {
  const { backend, load } = runner
  const results: CaseResult<Of>[] = []
  const stores = new Map<AnyCase['fixture'], Store>()
  for (const one of all) {
    const fixture: Of['fixture'] = one.fixture
    const used = typeof backend === 'function' ? (backend as (fixture: Of['fixture']) => Used)(fixture) : backend
    const { features, types } = used.capabilities
    const missing = [
      ...one.requires.filter((feature) => !features.includes(feature)),
      ...typesOf(fixture).filter((type) => !types.includes(type)),
    ]
    if (missing.length > 0) {
      results.push({ case: one, outcome: 'skipped', missing })
      continue
    }
    if (!stores.has(fixture)) stores.set(fixture, await load(fixture))
    results.push({ case: one, ...(await outcomeOf(one, used, stores.get(fixture)!, runner)) })
  }
  return results
}

/** The types of the values that a store of the fixture has. */
const typesOf = ({ schema }: AnyCase['fixture']): readonly LiteralType[] => [
  ...new Set(Array.from(schema.paths.values(), ({ literal }) => literal).filter(isLiteralType)),
]

async function outcomeOf<Of extends AnyCase, Used, Input, Output, Store>(
  one: Of,
  backend: Used,
  store: Store,
  { input, compile, read }: Runner<Of, Used, Input, Output, Store>,
): Promise<Omit<CaseResult, 'case'>> {
  try {
    const caseInput = input(one)
    let output: Output
    try {
      output = compile(backend, caseInput)
    } catch (error) {
      if (error instanceof FilterError) return { outcome: 'refused', issues: error.issues }
      throw error
    }
    const selected = await read(store, output)
    const isSame = selected.length === one.expected.length && selected.every((id, at) => id === one.expected[at])
    return isSame ? { outcome: 'passed' } : { outcome: 'failed', selected: [...selected] }
  } catch (error) {
    return { outcome: 'failed', error }
  }
}
