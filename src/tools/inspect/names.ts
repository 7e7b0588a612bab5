/** Tables and columns of a description, by the names of a mapping. */
import type { Name } from '../../backends/sql/index.ts'
import type { ColumnFacts, Database, TableFacts } from './database.ts'

/** The name of a table in a message. */
export const nameOf = (name: Name): string => [name].flat().join('.')

/** The table of a name, in the first schema of the search path that has it. */
export function tableNamed({ tables, session }: Database, name: Name): TableFacts | undefined {
  const [table, schema] = [name].flat().toReversed()
  const named = tables.filter((one) => one.name === table && (schema === undefined || one.schema === schema))
  const placeOf = (one: TableFacts) =>
    session.searchPath.includes(one.schema) ? session.searchPath.indexOf(one.schema) : Infinity
  return named.toSorted((a, b) => placeOf(a) - placeOf(b))[0]
}

export const columnNamed = (table: TableFacts, name: string): ColumnFacts | undefined =>
  table.columns.find((column) => column.name === name)
