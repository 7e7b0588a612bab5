/** SQL of `urlwhere/sql` → SQL of Drizzle. */
import { sql, type SQL } from 'drizzle-orm'
import type { SqlPiece } from '../backends/sql/index.ts'

/**
 * Makes a condition, or another piece of a statement, for Drizzle's `where` and `orderBy`. Drizzle writes the placeholders of
 * its database, and does not take apart the lists that are parameters.
 *
 * @example
 * const { where, orderBy, limit, offset } = backend.compileQuery(query)
 * db.query.orders.findMany({ where: toDrizzle(where), orderBy: toDrizzle(orderBy), limit, offset })
 */
export function toDrizzle(piece: SqlPiece): SQL<boolean> {
  return sql(piece.strings, ...piece.parameters.map((value: unknown) => sql.param(value)))
}
