/** Finds the tables and columns of a mapping in a description. */
import type { Name } from '../../backends/sql/index.ts'
import type { ColumnFacts, Database, TableFacts } from './database.ts'

/** Formats the name of a table for messages. */
export const nameOf = (name: Name): string => [name].flat().join('.')

/** Finds a table by its name. Without a schema, it searches the schemas of the search path in order. */
export function tableNamed({ tables, session }: Database, name: Name): TableFacts | undefined {
  const [table, schema] = [name].flat().toReversed()
  const named = tables.filter((one) => one.name === table && (schema === undefined || one.schema === schema))
  const placeOf = (one: TableFacts) =>
    session.searchPath.includes(one.schema) ? session.searchPath.indexOf(one.schema) : Infinity
  return named.toSorted((a, b) => placeOf(a) - placeOf(b))[0]
}

export const columnNamed = (table: TableFacts, name: string): ColumnFacts | undefined =>
  table.columns.find((column) => column.name === name)

export const quotedBy = (quote: string, name: string): string => quote + name.replaceAll(quote, quote + quote) + quote
