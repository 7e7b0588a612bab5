/** Selects facts of a description, which a case compares. */
import type { ColumnFacts, Database, TableFacts } from '../../../src/tools/inspect/index.ts'

/** Selects facts of tables by their names. */
export type Pick = (tables: Readonly<Record<string, TableFacts>>) => unknown

/** A trap, the statements that create its tables, a selection of facts, and these facts by hand. */
export type Case = readonly [trap: string, ddl: string, pick: Pick, expected: unknown]

export const factsFor = ({ tables }: Database, pick: Pick): unknown =>
  pick(Object.fromEntries(tables.map((table) => [table.name, table])))

/** Returns members of each column, and `null` for an absent one. */
export const columnsOf =
  (table: string, ...members: (keyof ColumnFacts)[]): Pick =>
  (tables) =>
    Object.fromEntries(
      tables[table]!.columns.map((column) => [column.name, members.map((member) => column[member] ?? null)]),
    )

/** Returns a member of a table. */
export const of =
  (table: string, member: keyof TableFacts): Pick =>
  (tables) =>
    tables[table]![member]
