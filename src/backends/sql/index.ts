/** `urlwhere/sql`: filters as conditions of SQL. Re-exports only. */
export type { SqlFacet } from './facets.ts'
export type { SqlCount, SqlStatement } from './select.ts'
export { sqlBackend, type SqlBackend, type SqlOptions, type SqlQuery } from './backend.ts'
export type { SqlCondition, SqlPiece, SqlWhere } from './statement.ts'
export { arrayColumn, childTable, column, jsonColumn, parentTable, table } from './table.ts'
export type { ChildTableOptions, ForeignKey, OrderPaths, ParentTableOptions, TableOptions } from './table.ts'
export type {
  ArrayColumn,
  ChildTable,
  Column,
  ColumnOptions,
  ColumnType,
  Flattened,
  IndexedOrder,
  JsonColumn,
  Name,
  ParentTable,
  TableWhere,
  Stored,
  StoredAs,
  Table,
} from './mapping.ts'
export type { Dialect } from './dialect/dialect.ts'
export { duckdb } from './dialect/duckdb.ts'
export { mariadb, mysql } from './dialect/mysql.ts'
export { postgres, postgres17 } from './dialect/postgres.ts'
export { d1, libsql, sqlite, turso } from './dialect/sqlite.ts'
export { vitess } from './dialect/vitess.ts'
export { simpleLowerCase } from '../../values/case.ts'
