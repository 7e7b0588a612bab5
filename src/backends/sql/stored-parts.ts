/** Which columns and other tables a query reads. */
import type { Path } from '../../tree/index.ts'
import type { Query } from '../../query/index.ts'
import type { Sql } from './dialect/sql.ts'
import type { Resolver, StoredField, StoredParent, StoredRows } from './resolve.ts'

/** Where the fields and the sort keys of a query are stored. */
export interface StoredParts {
  /** The columns of the table that the query reads, quoted. */
  readonly columns: readonly string[]
  /** The child tables and parent tables that the query reads, quoted. */
  readonly tables: readonly string[]
}

/** Without a schema all fields are every column of the table. */
export function storedParts({ row, resolve }: Resolver, { fields, sort }: Query): StoredParts {
  const columns = new Set<string>()
  const tables = new Set<string>()
  const addColumn = (column: Sql): unknown => columns.add(column.strings[0]!)
  const add = (stored: StoredField | undefined, isOwn: boolean): void => {
    switch (stored?.kind) {
      case undefined:
        return
      case 'column':
      case 'array':
      case 'json':
        if (isOwn) addColumn(stored.column)
        return
      case 'rows':
      case 'parent':
        addTable(stored, isOwn)
        return add(stored.entries.entry, false)
      case 'row':
      case 'object':
        for (const member of stored.members.values()) add(member, isOwn)
    }
  }
  /** Another table, and the columns that refer to a parent table; without them nobody finds the row. */
  const addTable = (stored: StoredRows | StoredParent, isOwn: boolean): void => {
    if (stored.kind === 'parent' && isOwn) stored.foreignKey.forEach(addColumn)
    for (const table of stored.entries.tables) tables.add(table)
  }
  /** Fields in a list or in a parent table are in its table, as are those that the path leads to from there. */
  const addPath = (start: StoredField, path: Path, isOwn: boolean): void => {
    for (let length = 1; length < path.length; length++) {
      const stored = resolve(start, path.slice(0, length))
      if (stored?.kind !== 'rows' && stored?.kind !== 'parent') continue
      addTable(stored, isOwn)
      return addPath(stored.entries.entry, path.slice(length), false)
    }
    add(resolve(start, path), isOwn)
  }
  if (fields !== undefined) for (const path of fields) addPath(row, path, true)
  else if (row.takesAnyName) return { columns: [`${row.name}.*`], tables: [] }
  else add(row, true)
  for (const { path } of sort) addPath(row, path, true)
  return { columns: [...columns], tables: [...tables] }
}
