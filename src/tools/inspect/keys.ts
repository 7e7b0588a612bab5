/** Finds the keys of a table among its indexes. */
import type { IndexFacts, KeyFacts } from './database.ts'

/** An index, and whether it treats two NULLs as different values. */
export type UniqueIndex = IndexFacts & { readonly nullsDistinct: boolean }

/** Returns the unique indexes that contain whole columns of all rows. */
export const keysOf = (indexes: readonly UniqueIndex[]): readonly KeyFacts[] =>
  indexes
    .filter(
      ({ unique, predicate, entries }) =>
        unique &&
        predicate === undefined &&
        entries.every(({ column, prefix }) => column !== undefined && prefix === undefined),
    )
    .map(({ entries, primary, nullsDistinct }) => ({
      columns: entries.map(({ column }) => column!),
      primary,
      nullsDistinct,
    }))
    .toSorted((a, b) => Number(b.primary) - Number(a.primary))
