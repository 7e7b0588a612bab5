import { FilterError, type Issue } from '../src/index.ts'

/** The issues of the FilterError that a call throws; otherwise what it returns. Another error passes on. */
export function issuesOf<T>(call: () => T): T | readonly Issue[] {
  try {
    return call()
  } catch (error) {
    if (error instanceof FilterError) return error.issues
    throw error
  }
}

/** The issues of a result, none where it is good. */
export const issuesIn = <Of>(result: { readonly ok: true } | { readonly ok: false; readonly issues: readonly Of[] }) =>
  result.ok ? [] : result.issues
