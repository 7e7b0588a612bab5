/** SQL of `urlwhere/sql` → SQL of Drizzle. */
import { sql, type SQL } from 'drizzle-orm'
import type { SqlPiece } from '../../backends/sql/index.ts'

/**
 * Converts a condition, or another piece of a statement, for Drizzle's `where` and `orderBy`. Drizzle writes the placeholders of its
 * database, and passes a list as one parameter.
 *
 * @param piece from `compile`, or a part of a compiled query. Drizzle's `not` accepts the result of `compile`, but not a `where` of a
 *   query.
 * @throws TypeError when `piece` is not SQL of `sqlBackend`.
 * @example
 * const page = sqlBackend({ dialect: postgres, table: orderTable }).compileQuery(query)
 * const options = { where: toDrizzle(page.where), orderBy: toDrizzle(page.orderBy) } // for findMany
 */
export function toDrizzle(piece: SqlPiece): SQL<boolean> {
  if (!Array.isArray(piece?.strings)) throw new TypeError('piece must be SQL that sqlBackend writes')
  return sql(piece.strings, ...piece.parameters.map((value: unknown) => sql.param(value)))
}
