/** Runs the cases on a backend. Imports no test runner. */
import type { Filter } from '../ast/index.ts'
import type { Backend, Feature } from '../backends/backend.ts'
import { FilterError, type Issues } from '../issue/index.ts'
import { parseFilterOrThrow } from '../query/index.ts'
import { cases, type Case, type Fixture } from './cases.ts'

/** Returns the filter of a case: parsed from its query, or as given. */
export function filterOf({ fixture, query, filter }: Case): Filter {
  return query === undefined ? filter! : parseFilterOrThrow(fixture.schema, query)
}

/** What {@link runBackend} takes: a backend, and how to load and select rows with it. */
export interface BackendRun<Output, Store> {
  /** The backend, or a function that makes one for a fixture. */
  readonly backend: Backend<Output> | ((fixture: Fixture) => Backend<Output>)
  /** Puts a fixture's rows where `select` finds them. Called once for each fixture that has a case to run. */
  readonly load: (fixture: Fixture) => Store | Promise<Store>
  /** The ids of the rows that an output selects, in any order. */
  readonly select: (store: Store, output: Output) => readonly number[] | Promise<readonly number[]>
}

/** The result of one case. */
export interface CaseResult {
  readonly case: Case
  /** `skipped`: the backend lacks a feature. `refused`: `compile` threw a FilterError. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'refused'
  /** Of a skipped case: the features that the backend does not declare. */
  readonly missing?: readonly Feature[]
  /** Of a refused case: the issues of the FilterError. */
  readonly issues?: Issues
  /** Of a failed case: the ids that were selected, or what was thrown. */
  readonly selected?: readonly number[]
  readonly error?: unknown
}

/**
 * Runs every case on a backend. It skips a case only when the case requires a feature that the backend's capabilities do not
 * declare. A case is refused when `compile` throws a FilterError: look at these cases, and at their issues.
 *
 * @returns one result for each case, in the order of `cases`. Rejects only when `load` rejects.
 * @example
 * const results = await runBackend({
 *   backend: memoryBackend(),
 *   load: ({ rows }) => rows,
 *   select: (rows, matches) => rows.filter(matches).map(({ id }) => id),
 * })
 * assert.deepEqual(results.filter(({ outcome }) => outcome === 'failed'), [])
 */
export async function runBackend<Output, Store>({
  backend,
  load,
  select,
}: BackendRun<Output, Store>): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  const stores = new Map<Fixture, Store>()
  for (const one of cases) {
    const { fixture } = one
    const used = typeof backend === 'function' ? backend(fixture) : backend
    const missing = one.requires.filter((feature) => !used.capabilities.features.includes(feature))
    if (missing.length > 0) {
      results.push({ case: one, outcome: 'skipped', missing })
      continue
    }
    if (!stores.has(fixture)) stores.set(fixture, await load(fixture))
    results.push(await runCase(one, used, (output) => select(stores.get(fixture)!, output)))
  }
  return results
}

async function runCase<Output>(
  one: Case,
  backend: Backend<Output>,
  select: (output: Output) => readonly number[] | Promise<readonly number[]>,
): Promise<CaseResult> {
  try {
    const filter = filterOf(one)
    let output: Output
    try {
      output = backend.compile(filter)
    } catch (error) {
      if (error instanceof FilterError) return { case: one, outcome: 'refused', issues: error.issues }
      throw error
    }
    const selected = [...(await select(output))].sort((a, b) => a - b)
    const same = selected.length === one.expected.length && selected.every((id, at) => id === one.expected[at])
    return same ? { case: one, outcome: 'passed' } : { case: one, outcome: 'failed', selected }
  } catch (error) {
    return { case: one, outcome: 'failed', error }
  }
}
