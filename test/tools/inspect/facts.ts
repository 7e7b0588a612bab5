/** What a case picks of a description. */
import type { ColumnFacts, Database, TableFacts } from '../../../src/tools/inspect/index.ts'

/** Picks facts of the tables, by name. */
export type Pick = (tables: Readonly<Record<string, TableFacts>>) => unknown

/** A trap, what makes its tables, and the facts by hand. */
export type Case = readonly [trap: string, ddl: string, pick: Pick, expected: unknown]

export const picked = ({ tables }: Database, pick: Pick): unknown =>
  pick(Object.fromEntries(tables.map((table) => [table.name, table])))

/** Members of each column; `null` for those that are absent. */
export const columnsOf =
  (table: string, ...members: (keyof ColumnFacts)[]): Pick =>
  (tables) =>
    Object.fromEntries(
      tables[table]!.columns.map((column) => [column.name, members.map((member) => column[member] ?? null)]),
    )

/** A member of a table. */
export const of =
  (table: string, member: keyof TableFacts): Pick =>
  (tables) =>
    tables[table]![member]
