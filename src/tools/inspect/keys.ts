/** The keys among the indexes of a table. */
import type { IndexFacts, KeyFacts } from './database.ts'

/** An index, and whether two NULLs are two values in it. */
export type UniqueIndex = IndexFacts & { readonly nullsDistinct: boolean }

/** Unique indexes of whole columns, of every row. The primary key is first. */
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
