/** The rows of a page as a table of their own: read from ranges of an index, before the statement converts columns and makes lists. */
import { own } from '../../own.ts'
import type { Query } from '../../query/index.ts'
import { join, raw, sql, type Sql } from './dialect/sql.ts'
import type { Dialect } from './dialect/dialect.ts'
import { allOf, whereClause, type Expression } from './expression.ts'
import { isOneRange, limitTo, orderBy, rangesOf } from './order.ts'
import { pathsOfAll } from './parents.ts'
import { orderedValues, queryParts, type Target } from './query-parts.ts'
import type { Write } from './scope.ts'
import { joinsOf, type From, type Joins, type Selection, type StatementNames } from './selection.ts'
import { pageLimit, rangeLimit, type Limits } from './statement.ts'

/** The tables that pages are read from. */
export interface PageTarget extends Target {
  readonly naming: () => StatementNames
  readonly root: From
}

/** One row more than the page has tells whether there is another page. A range has the rows that the page skips, too. */
export function limitsOf(dialect: Dialect, query: Query): Limits {
  const [count, skipped] = [query.limit + 1, own(query, 'offset') ?? 0]
  return [limitTo(dialect, count, skipped), limitTo(dialect, count + skipped)]
}

/** A range of the rows: the text after FROM up to the limit. */
interface Range {
  readonly from: string
  readonly where: Expression
  readonly order: Sql
}

/**
 * The text after FROM of the statement that reads the rows of a page first; `undefined` where one SELECT does as well.
 *
 * @param query from `withEveryProperty`.
 */
export function windowOf(target: PageTarget, query: Query, write: Write, selection: Selection): Sql | undefined {
  const { dialect, naming, root } = target
  const sortPaths = query.sort.map(({ path }) => path)
  const inner = joinsOf(naming(), root, [...pathsOfAll(query.filter), ...sortPaths])
  // PostgreSQL converts the columns of rows that it skips, and joins parents to rows before it sorts them.
  const isLate =
    dialect.lateColumns === true && (query.offset !== undefined || selection.joined.size > inner.joined.size)
  if (!isLate && isOneRange(query, orderedValues(target, query))) return undefined
  const { scope, condition, values, order } = queryParts(target, query, write, inner.joined)
  const ranges = rangesOf(scope, query, values).map((range): Range => ({
    from: inner.from,
    where: allOf(scope, [condition, range]),
    order,
  }))
  const orderIn = ({ joined }: Joins) => orderBy(dialect, query, orderedValues(target, query, joined))
  const read = ({ from, where, order }: Range, limit: Sql): Sql =>
    sql`SELECT ${raw(selection.reads.join(', '))} FROM ${raw(from)}${whereClause(where, ' ', '')} ORDER BY ${order} ${limit}`
  const rows = (rows: Sql, { joins }: Joins): Sql => sql`(${rows}) AS ${raw(root.name + joins)}`
  const union = (): Sql => {
    const sorted = joinsOf(naming(), root, sortPaths)
    // SQLite takes no ORDER BY in a part of a UNION, but takes it in a subquery.
    const parts = ranges.map((range) => sql`SELECT * FROM (${read(range, rangeLimit)}) AS w`)
    return sql`SELECT ${raw(root.name)}.* FROM ${rows(join(parts, ' UNION ALL '), sorted)} ORDER BY ${orderIn(sorted)} ${pageLimit}`
  }
  const page = ranges.length === 1 ? read(ranges[0]!, pageLimit) : union()
  return sql`${rows(page, selection)} ORDER BY ${orderIn(selection)}`
}
