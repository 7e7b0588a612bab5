/** `select`: writes the whole statement of a query, and reads its rows in the form of the schema. */
import type { Path } from '../../tree/index.ts'
import type { Schema } from '../../language/index.ts'
import {
  pageWith,
  type Page,
  chosenOf,
  pickFields,
  countOf,
  textOfPath,
  type RowCount,
  type Query,
  checkRow,
} from '../../query/index.ts'
import { own } from '../../own.ts'
import { noField, ofServer, throwIssues } from '../issues.ts'
import type { Dialect } from './dialect/dialect.ts'
import { raw, sql, type Sql } from './dialect/sql.ts'
import { whereClause } from './expression.ts'
import type { Column } from './mapping.ts'
import { pathsOfAll } from './parents.ts'
import type { QueryParts } from './query-parts.ts'
import { cellsOf, countIn, readShape, sortReaderOf, type ValueShape } from './read-row.ts'
import { joinsOf, selectionOf, type From, type Joins, type StatementNames, type Selection } from './selection.ts'
import type { SqlPiece } from './statement.ts'

/** A whole statement for the number of rows that a filter selects. */
export interface SqlCount extends SqlPiece {
  /**
   * Reads the row of the statement.
   *
   * @returns the number; `{ atLeast }` where the query counts up to a maximum, and there are more.
   * @throws TypeError when `row` is not of the statement.
   */
  readonly read: (row: unknown) => RowCount
}

/** A whole statement for a page, with the functions that read its rows. */
export interface SqlStatement<Row = unknown> extends SqlPiece {
  /**
   * Converts a driver's row to the form of the schema, for streams. The result contains the fields of the query and its sort keys. JSON
   * can represent it: a uuid, a bigint, a decimal, a date and a datetime are canonical text. A field without a value is `null`.
   *
   * @throws TypeError when `row` is not of the statement.
   */
  readonly read: (row: unknown) => Row
  /**
   * Makes the page from the rows that the statement read: it converts them with `read`, writes the cursors, and removes all but the
   * fields of the query.
   *
   * @param rows as the driver returns them.
   * @throws TypeError when there are more than `limit + 1` rows, or a row is not of the statement or lacks a sort value.
   */
  readonly page: (rows: readonly unknown[]) => Page<Row>
  /** The number of all rows that the filter selects. The backend compiles it when you first read it. */
  readonly count: SqlCount
}

/** The parts of `select` that all queries of a backend share. */
export interface SelectTarget {
  readonly naming: () => StatementNames
  readonly schema: Schema
  readonly root: From
  /** The columns that are read beside the fields. */
  readonly beside: Readonly<Record<string, Column>>
}

/** Makes the function that writes the statement of a query. `partsFor` compiles the query, given the parent tables that are joined. */
export function selectorOf(target: SelectTarget) {
  const { schema, root, beside } = target
  const leaves = leavesOf(schema)
  const select = (chosen: readonly Path[] | undefined, paths: readonly Path[]): Selection =>
    selectionOf(target.naming(), root, schema.fields, chosen === undefined ? 'all' : chosenOf(chosen), beside, paths)
  let all: Selection | undefined

  return (query: Query, partsFor: (joined: Selection['joined']) => QueryParts) => {
    const { filter, sort, fields, hidden = [] } = query
    // The engine then chooses the table that it reads first. EXISTS looks up a parent for each row.
    const paths = pathsOfAll(filter)
    // Whatever fields a query has, a mapping that cannot be read is refused.
    all ??= select(undefined, [])
    if (fields !== undefined) checkPaths(schema, fields)
    const isWhole = fields === undefined && hidden.length === 0
    const sortPaths = sort.map(({ path }) => path)
    const answerPaths = leaves.filter((path) => isIn(path, fields ?? [[]]) && !isIn(path, hidden))
    const kept = [...answerPaths, ...sortPaths]
    const selection = isWhole ? all : select(kept, paths)
    checkColumns(target.naming().dialect, selection.columns.length, query)
    const { where, order, limit } = partsFor(selection.joined)
    const [pickKept, pickShown] = isWhole ? [asIs, asIs] : [pickFields(kept), pickFields(answerPaths)]

    const readBy =
      (pick: (row: unknown) => unknown) =>
      (row: unknown, unreadable?: Set<ValueShape>): unknown => {
        checkRow(row, 0)
        const cells = cellsOf(row as object)
        const read = pick(readShape(selection.row, cells, unreadable)) as object
        if (selection.beside.length === 0) return read
        return {
          ...read,
          ...Object.fromEntries(selection.beside.map(([property, at]) => [property, cells(at, property)])),
        }
      }
    const [readKept, readShown] = [readBy(pickKept), readBy(pickShown)]
    const sortValues = sort.map((key) => sortReaderOf(selection.row, key))
    const columns = selection.columns.map((column, at) => `${column} AS c${at + 1}`).join(', ')
    return {
      statement: sql`SELECT ${raw(columns)} FROM ${raw(selection.from)}${whereClause(where, ' ', '')} ORDER BY ${order} ${limit}`,
      read: (row: unknown) => readKept(row),
      page: (rows: readonly unknown[]): Page<unknown> => {
        const page = pageWith(query, rows, (at, one) => {
          checkRow(rows[at], at)
          return sortValues[one]!(cellsOf(rows[at] as object))
        })
        const unreadable = new Set<ValueShape>()
        const shown = page.rows.map((row) => readShown(row, unreadable))
        if (unreadable.size === 0) return { ...page, rows: shown }
        return {
          ...page,
          rows: shown,
          unreadable: Array.from(unreadable, ({ name, column }) => ({ path: name, column })),
        }
      },
      /** Where the rows are counted: without the parent tables that the fields and the order alone read. */
      countFrom: (): Joins => joinsOf(target.naming(), root, paths),
    }
  }
}

const asIs = (row: unknown): unknown => row

/** Whether a path is one of some, or in one. */
const isIn = (path: Path, outer: readonly Path[]): boolean =>
  outer.some((one) => one.length <= path.length && one.every((name, at) => name === path[at]))

/** The paths of a schema that nothing else is in. */
function leavesOf({ paths }: Schema): readonly Path[] {
  const names = Array.from(paths.keys())
  const outer = new Set(names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))))
  return names.filter((name) => !outer.has(name)).map((name) => name.split('.'))
}

function checkPaths({ paths }: Schema, fields: readonly Path[]): void {
  const unknown = fields.filter((path) => !paths.has(textOfPath(path)))
  throwIssues(unknown.map((path) => noField({ kind: 'presence', path, type: 'object' }, textOfPath(path))))
}

/** @throws FilterError where a statement selects more columns than the engine accepts. The fault is the client's where the query lists the fields. */
function checkColumns({ maxColumns = Infinity, name }: Dialect, count: number, { filter, fields }: Query): void {
  if (count <= maxColumns) return
  const message = `the statement selects ${count} columns, but ${name} takes ${maxColumns} at most`
  const issue = ofServer('backend_refused', message, filter, { problem: 'size' })
  throwIssues([{ ...issue, fault: fields === undefined ? 'server' : 'client', hint: 'ask for fewer fields' }])
}

/**
 * The statement that counts the rows of a query, up to one more than its maximum.
 *
 * @param where a space, and `WHERE …`; nothing where all rows pass.
 * @param limitTo writes LIMIT, with the row more that a page has.
 */
export function countStatement({ count }: Query, from: string, where: Sql, limitTo: (limit: number) => Sql): Sql {
  const max = maxOf(count)
  if (max === undefined) return sql`SELECT count(*) AS c1 FROM ${raw(from)}${where}`
  return sql`SELECT count(*) AS c1 FROM (SELECT 1 AS c1 FROM ${raw(from)}${where} ${limitTo(max)}) AS c`
}

const maxOf = (count: Query['count']): number | undefined => (typeof count === 'object' ? own(count, 'max') : undefined)

/** Makes the function that reads the row of {@link countStatement}. */
export const countReader =
  (query: Query): SqlCount['read'] =>
  (row) => {
    checkRow(row, 0)
    return countOf(query, countIn(cellsOf(row as object), 0))
  }
