/** Facets of rows in memory: how many rows have each value. */
import type { Filter, Path } from '../../tree/index.ts'
import {
  namedValues,
  tallyOf,
  type FacetValue,
  type FacetValues,
  type Facet,
  type Query,
  formOf,
} from '../../query/index.ts'
import { ownOf } from '../../own.ts'
import { readerAt, type Predicate } from './rows.ts'

type Value = FacetValue['value']
/** Calls a function for each value of a field in a row: for each entry of the lists around it. */
type Visit = (row: unknown, visit: (value: unknown) => void) => void

const visitAt = ([list, ...lists]: readonly Path[], path: Path): Visit => {
  if (list === undefined) {
    const read = path.length === 0 ? (entry: unknown) => entry : readerAt(path)
    return (row, visit) => visit(read(row))
  }
  const read = readerAt(list)
  const visitEntry = visitAt(lists, path)
  return (row, visit) => {
    const entries = read(row)
    if (Array.isArray(entries)) for (const entry of entries as readonly unknown[]) visitEntry(entry, visit)
  }
}

/** Counts rows by the values of a facet. */
function counterOf(facet: Facet) {
  const { lists, path, type, max = Infinity, label } = ownOf(facet)
  const readLabel = label && readerAt(label)
  const visit = visitAt(lists, path)
  const form = formOf[type]
  const tally = tallyOf(facet)
  let rows = 0
  const countRow = (row: unknown): void => {
    if (++rows > max) return
    const text = readLabel && (formOf.string(readLabel(row)) as string | undefined)
    const values = new Set<Value>()
    visit(row, (stored) => {
      const value = form(stored)
      if (value !== undefined) values.add(value)
    })
    if (values.size === 0) tally.add(null, 1, text)
    else for (const value of values) tally.add(value, 1, text)
  }
  return { countRow, values: () => tally.values(rows > max) }
}

/**
 * Makes a function that counts the rows of all facets of a query, in one pass.
 *
 * @param predicateOf compiles the filter of a facet. Facets with the same filter share a predicate.
 */
export function facetsOf(
  { facets = [] }: Query,
  predicateOf: (filter: Filter) => Predicate,
): (rows: readonly unknown[]) => FacetValues {
  const groups = Array.from(
    Map.groupBy(facets, ({ filter }) => filter),
    ([filter, facets]) => ({
      isSelected: predicateOf(filter),
      facets,
    }),
  )
  return (rows) => {
    const counterAt = new Map(facets.map((facet) => [facet, counterOf(facet)]))
    const counting = groups.map(({ isSelected, facets }) => ({
      isSelected,
      counters: facets.map((facet) => counterAt.get(facet)!),
    }))
    for (const row of rows)
      for (const { isSelected, counters } of counting)
        if (isSelected(row)) for (const { countRow } of counters) countRow(row)
    return namedValues(facets, (facet) => counterAt.get(facet)!.values())
  }
}
