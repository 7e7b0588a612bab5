/** `select`: writes the whole statement of a query, and reads its rows in the form of the schema. */
import type { Filter, Path } from '../../tree/index.ts'
import type { Schema } from '../../language/index.ts'
import {
  checkRow,
  chosenOf,
  countOf,
  mostCounted,
  pageWith,
  textOfPath,
  everyPropertyOf,
  withTieBreakers,
} from '../../query/index.ts'
import type { Chosen, Page, Query, RowCount } from '../../query/index.ts'
import { noField, ofServer, throwIssues } from '../issues.ts'
import { filterInPlaces, queryInPlaces, queryShapeCache, shapeCache } from '../shape.ts'
import { byShape, type Filled } from './by-shape.ts'
import type { Dialect } from './dialect/dialect.ts'
import { raw, sql, type Sql } from './dialect/sql.ts'
import { childRows, type ChildRows } from './emit.ts'
import { whereClause } from './expression.ts'
import { generateRowReader } from './generated-row.ts'
import type { Column } from './mapping.ts'
import { limitTo } from './order.ts'
import { objectsOfAll, pathsOfAll } from './parents.ts'
import { pageCondition, queryParts, rowScope, whereOf } from './query-parts.ts'
import { cellsOf, countIn, partOf, rowReader, sortReaderOf } from './read-row.ts'
import type { Beside, ObjectShape, RowReader, ValueShape } from './read-row.ts'
import { joinsOf, selectionOf, type Selection } from './selection.ts'
import { fits, pageLimit, sharedText, withLimits, type Refusal, type SharedText, type SqlPiece } from './statement.ts'
import type { Write } from './scope.ts'
import { limitsOf, valuesAsked, windowOf, type PageTarget } from './window.ts'

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
export interface SelectTarget extends PageTarget {
  readonly schema: Schema
  /** Columns that are selected besides the fields, by the names of the properties. */
  readonly beside: Readonly<Record<string, Column>>
}

/** The parts that queries of a shape share. */
interface Selected {
  readonly text: SharedText
  readonly rows: RowsReader
}

/**
 * Makes the function that writes the statement of a query.
 *
 * @param refusalOf makes the issue of a statement of a filter that is too large.
 */
export function selectorOf(target: SelectTarget, firstParameter: number, refusalOf: (filter: Filter) => Refusal) {
  const { dialect, schema, root, naming, beside } = target
  const leaves = leavesOf(schema)
  const select = (chosen: Chosen | 'all', paths: readonly Path[], inner?: Selection['inner']): Selection =>
    selectionOf(naming(), root, schema.fields, chosen, beside, paths, inner)
  let all: Selection | undefined

  const selected = (placed: Query, write: Write): Selected => {
    const whole = everyPropertyOf(placed)
    const query = withTieBreakers(whole)
    const { filter, sort, fields, hidden = [] } = whole
    // The engine then chooses the table that it reads first. EXISTS looks up a parent for each row.
    const paths = pathsOfAll(filter)
    // Whatever fields a query has, a mapping that cannot be read is refused.
    all ??= select('all', [])
    if (fields !== undefined) checkPaths(schema, fields)
    const isWhole = fields === undefined && hidden.length === 0
    const answerPaths = leaves.filter((path) => isIn(path, fields ?? [[]]) && !isIn(path, hidden))
    const shown = isWhole ? 'all' : chosenOf(answerPaths)
    const kept = isWhole ? 'all' : chosenOf([...answerPaths, ...sort.map(({ path }) => path)])
    const selection = isWhole ? all : select(kept, paths)
    checkColumns(dialect, selection.columns.length, query)
    const columns = selection.columns.map((column, at) => `${column} AS c${at + 1}`).join(', ')
    const limits = limitsOf(dialect, query, true)
    const textOf = (rows: Sql): Sql => sql`SELECT ${raw(columns)} FROM ${rows}`
    const plain = (): Sql => {
      // Before a LEFT JOIN, SQLite finds no parent by an index of an expression.
      const joins = select(kept, isWhole ? [] : paths, objectsOfAll(filter))
      const parts = queryParts(target, query, write, joins)
      const where = whereClause(pageCondition(parts), ' ', '')
      return textOf(sql`${raw(joins.from)}${where} ORDER BY ${parts.order} ${pageLimit}`)
    }
    const window = windowOf(target, query, write, selection)
    // Each range repeats the condition, so a statement of ranges can be too large for the engine.
    const isFit = window !== undefined && fits(dialect, textOf(window), limits, firstParameter)
    return {
      text: sharedText(dialect, isFit ? textOf(window) : plain(), limits, firstParameter, refusalOf(filter)),
      rows: rowsReader(selection, kept, shown, sort),
    }
  }
  // The number of values is no part of a shape. It decides how many ranges a statement has.
  const byValues: ((query: Query) => Filled<Selected>)[] = []
  const selectedOf = (query: Query): Filled<Selected> =>
    (byValues[valuesAsked(target, query)?.count ?? 0] ??= byShape(queryShapeCache(256), queryInPlaces, selected))(query)
  const countsOf = (isBounded: boolean) =>
    byShape<SharedText, Filter>(shapeCache(256), filterInPlaces, (filter, write) => {
      // Without the parent tables that the fields and the order alone read.
      const joins = joinsOf(naming(), root, pathsOfAll(filter), objectsOfAll(filter))
      const rows = sql`${raw(joins.from)}${whereClause(whereOf(target, filter, write, joins), ' ', '')}`
      const counted = isBounded
        ? sql`SELECT count(*) AS c1 FROM (SELECT 1 AS c1 FROM ${rows} ${pageLimit}) AS c`
        : sql`SELECT count(*) AS c1 FROM ${rows}`
      const few = isBounded ? 1_000 : 10_000
      const children = isAlone ? childRows(rowScope(target, [filter], true, write), filter) : undefined
      const both = children && fromChildren(dialect, children, few, counted)
      const limits = [limitTo(dialect, 1)]
      const text = both !== undefined && fits(dialect, both, limits, firstParameter) ? both : counted
      return sharedText(dialect, text, limits, firstParameter, refusalOf(filter))
    })
  // count(DISTINCT …) has one column.
  // A child row can refer to a row that `where` leaves out.
  const isAlone = dialect.countsChildrenFirst === true && root.key.length === 1 && target.tableConditions.length === 0
  const [wholeCountOf, boundedCountOf] = [countsOf(false), countsOf(true)]

  return (query: Query): SqlStatement<never> => {
    const { filter } = query
    const refusal = refusalOf(filter)
    const { shared, values } = selectedOf(query)
    const { text, rows } = shared
    const piece = withLimits(dialect, text, values, limitsOf(dialect, query, text.hasRanges), firstParameter, refusal)
    const counted = (): SqlCount => {
      const most = mostCounted(query)
      const { shared, values } = (most === undefined ? wholeCountOf : boundedCountOf)(filter)
      const limit = limitTo(dialect, most ?? 1)
      return { ...withLimits(dialect, shared, values, [limit], firstParameter, refusal), read: countReader(query) }
    }
    return new Statement(piece, rows.read, (found) => rows.page(query, found), counted)
  }
}

/**
 * Counts rows by their child rows alone, if these are few. To look up each row is faster where rows have many child rows each.
 *
 * @param counted the statement that looks up each row.
 */
function fromChildren(dialect: Dialect, { rows, key }: ChildRows, few: number, counted: Sql): Sql {
  const found = sql`SELECT ${key} AS k FROM ${rows} ${limitTo(dialect, few + 1)}`
  const numbers = sql`SELECT count(*) AS n, count(DISTINCT k) AS d FROM (${found}) AS c`
  return sql`SELECT CASE WHEN n <= ${raw(String(few))} THEN d ELSE (${counted}) END AS c1 FROM (${numbers}) AS c`
}

/** The engine makes a hidden class for each literal with a getter. With a literal, a query of six conditions takes 1.2 times as long. */
class Statement implements SqlStatement<never> {
  readonly text: string
  readonly parameters: any[]
  readonly strings: TemplateStringsArray
  readonly read: SqlStatement<never>['read']
  readonly page: SqlStatement<never>['page']
  #count: SqlCount | (() => SqlCount)
  constructor(
    { text, parameters, strings }: SqlPiece,
    read: RowsReader['read'],
    page: SqlStatement['page'],
    count: () => SqlCount,
  ) {
    this.text = text
    this.parameters = parameters
    this.strings = strings
    this.read = read as SqlStatement<never>['read']
    this.page = page as SqlStatement<never>['page']
    this.#count = count
  }
  get count(): SqlCount {
    if (typeof this.#count === 'function') this.#count = this.#count()
    return this.#count
  }
}

/** Reads the rows of a statement. */
interface RowsReader {
  readonly read: (row: unknown) => unknown
  readonly page: (query: Query, rows: readonly unknown[]) => Page<unknown>
}

/**
 * @param kept the fields that the statement selects: those of the answer, and the sort keys.
 * @param shown the fields of the answer.
 */
function rowsReader(
  { row, beside }: Selection,
  kept: Chosen | 'all',
  shown: Chosen | 'all',
  sort: Query['sort'],
): RowsReader {
  const [readKept, readShown] = [rowReaderOf(partOf(row, kept), beside), rowReaderOf(partOf(row, shown), beside)]
  const sortValues = sort.map((key) => sortReaderOf(row, key))
  return {
    read: (one) => {
      checkRow(one, 0)
      return readKept(1)(one as object)
    },
    page: (query, rows) => {
      const page = pageWith(query, rows, (at, one) => {
        checkRow(rows[at], at)
        return sortValues[one]!(cellsOf(rows[at] as object))
      })
      const unreadable = new Set<ValueShape>()
      const readRow = readShown(page.rows.length)
      const read = page.rows.map((one) => {
        checkRow(one, 0)
        return readRow(one as object, unreadable)
      })
      if (unreadable.size === 0) return { ...page, rows: read }
      return {
        ...page,
        rows: read,
        unreadable: Array.from(unreadable, ({ name, column }) => ({ path: name, column })),
      }
    },
  }
}

/** The number of rows that closures read before code is generated. To generate it takes as long as closures take for about 100 rows. */
const rowsBefore = 100

/** Makes the reader of rows: with generated code, once enough rows have come. */
function rowReaderOf(shape: ObjectShape, beside: Beside): (count: number) => RowReader {
  const closed = rowReader(shape, beside)
  let reader = closed
  let rows = 0
  return (count) => {
    if (rows < rowsBefore && (rows += count) >= rowsBefore) reader = generateRowReader(shape, beside, closed) ?? closed
    return reader
  }
}

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

/** Makes the function that reads the row of the statement that counts. */
export const countReader =
  (query: Query): SqlCount['read'] =>
  (row) => {
    checkRow(row, 0)
    return countOf(query, countIn(cellsOf(row as object), 0))
  }
