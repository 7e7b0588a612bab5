/** `sqlBackend`: filters and queries as SQL. */
import { checkFilter, kinds, literalTypes, type Filter } from '../../tree/index.ts'
import type { Fields, ReadRow, RowOf } from '../../language/index.ts'
import {
  breaksTies,
  checkQuery,
  everyPropertyOf,
  pageOf,
  withEveryProperty,
  withTieBreakers,
} from '../../query/index.ts'
import type { Page, Query, ValueReader } from '../../query/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import type { Capabilities, FacetBackend, Feature } from '../backend.ts'
import { throwIssues, tooLarge } from '../issues.ts'
import { filterInPlaces, queryInPlaces, queryShapeCache, shapeCache } from '../shape.ts'
import { checkMapping, checkNames } from './check-mapping.ts'
import { checkedDialect, type Dialect } from './dialect/dialect.ts'
import { sql } from './dialect/sql.ts'
import { besideOthers, closed, term, whereClause } from './expression.ts'
import { facetStatement, type FacetTarget, type SqlFacet } from './facets.ts'
import { columnsIn, type ArrayColumn, type Column, type Columns, type Table } from './mapping.ts'
import { byShape, parametersOf, type Filled } from './by-shape.ts'
import { emitRow, pageCondition, queryParts, rowScope, whereOf, type Target } from './query-parts.ts'
import { conditionsOfWhere, nameOfTable, quoterOf, resolverOf } from './resolve.ts'
import { loweringOf } from './scope.ts'
import { limitAndOffset } from './order.ts'
import { selectorOf, type SqlStatement } from './select.ts'
import { joinsOf, namingOf, tableIn } from './selection.ts'
import { pageLimit, pieceOf, sharedText, withLimits } from './statement.ts'
import type { SharedText, SqlCondition, SqlPiece, SqlWhere } from './statement.ts'
import { storedParts, type StoredParts } from './stored-parts.ts'
import { checkTable, columnsBeside } from './table.ts'

/** A query as SQL: the text, `WHERE … ORDER BY … LIMIT …`, follows `SELECT … FROM` the table. Query builders use its parts. */
export interface SqlQuery extends SqlPiece, StoredParts {
  /** The text after WHERE, with the position. It is `1 = 1` if every row passes; {@link SqlPiece.text} then has no WHERE. */
  readonly where: SqlWhere
  /** The text after ORDER BY. */
  readonly orderBy: SqlPiece
  /** The most rows of the page: `query.limit`. A builder must read one row more: `limit + 1`. */
  readonly limit: number
  /** The number of rows to skip. */
  readonly offset: number
  /** The condition without the position, for the number of all rows. The backend writes it when you first read it. */
  readonly count: SqlWhere
  /**
   * Makes the page from the rows that the statement read, as `toPage` does. It knows how the table stores each sort key, so it accepts
   * the driver's numbers, and refuses rows without a column of the order.
   *
   * @param rows objects in the form of the schema, as the driver gives their values.
   * @throws TypeError when a row is not an object, or has no property for a sort key: select the field by its name in the schema.
   */
  readonly page: <Row>(rows: readonly Row[]) => Page<Row>
}

/**
 * A backend of SQL. Its statements read rows of the type `Row`. `select` is the usual one: it writes a whole statement and reads its rows.
 * `compileQuery` is for a SELECT list of your own, and `compile` for a condition anywhere in a statement of your own.
 */
export interface SqlBackend<Row = unknown> extends FacetBackend<SqlCondition, SqlQuery, readonly SqlFacet[]> {
  /**
   * Writes a statement for each facet of the query. The statement returns values with numbers of rows. `read` converts the driver's rows
   * to the facet.
   *
   * @throws TypeError when `query` is not a query, or a facet is in a list and the table has no key.
   * @throws FilterError for the reasons of `compileQuery`.
   */
  readonly facets: (query: Query) => readonly SqlFacet[]
  /**
   * Writes the whole statement of a query: `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. It selects the fields of the query, or all of
   * the schema, and the sort keys. Parent tables are joined. A list in a child table is one JSON value of a subquery.
   *
   * @returns the statement; its `page` makes the page of the rows that the driver returns.
   * @throws TypeError when `query` is not a query, the table has no schema, or `select` cannot read the mapping back: a child table has
   *   neither `orderBy` nor `key`.
   * @throws FilterError for the reasons of `compileQuery`.
   */
  readonly select: <Asked extends string | undefined, Hidden extends string>(
    query: Query<Asked, Hidden>,
  ) => SqlStatement<RowOf<Row, Asked, Hidden>>
}

/** The parts that compiled queries of a shape share. */
interface QueryPieces {
  readonly text: SharedText
  readonly where: SqlPiece
  readonly orderBy: SqlPiece
  /** Of the sort keys. */
  readonly readings: readonly ValueReader[]
  readonly stored: StoredParts
}

const filled = ({ text, strings, parameters }: SqlPiece, values: readonly unknown[]): SqlPiece => ({
  text,
  strings,
  parameters: parametersOf(parameters, values),
})
const filledBy = ({ shared, values }: Filled<SqlPiece>): SqlPiece => filled(shared, values)

/** Options of {@link sqlBackend}. */
export interface SqlOptions<F extends Fields = Fields> {
  /** `postgres`, `postgres17`, `mysql`, `mariadb`, `sqlite`, `d1`, `libsql`, `turso`, `duckdb`, or a custom dialect. */
  readonly dialect: Dialect
  /** Where the rows are stored; made by `table()`. */
  readonly table: Table<F>
  /**
   * Columns that `select` reads besides the fields of the schema, by their names in the rows: `{ tenant: column('tenant_id') }`. Rows
   * contain the driver's values unchanged.
   */
  readonly columns?: Readonly<Record<string, string | Column>>
  /** The alias of the table in the statement, if it has one. */
  readonly alias?: string
  /** The number of the first placeholder, for statements with parameters before these. Default: 1. */
  readonly firstParameter?: number
}

/**
 * Compiles filters to SQL: one boolean expression for `WHERE`, with all values in parameters.
 *
 * @returns a backend. Its `compile` throws a FilterError for a filter that the table or the dialect cannot express exactly
 *   (`backend_unmapped`, `backend_unsupported`), and for a statement too large for the engine (`backend_refused`).
 * @throws TypeError that names the wrong option.
 * @example
 * const { text, parameters } = sqlBackend({ dialect: postgres, table: orderTable }).compile(filter)
 * await client.query(`SELECT * FROM "orders" WHERE ${text}`, parameters)
 */
export function sqlBackend<F extends Fields>(options: SqlOptions<F>): SqlBackend<ReadRow<F>> {
  const checked = checkOptions(options, 'options', ['dialect', 'table', 'alias', 'firstParameter', 'columns'])
  const { table, alias, firstParameter = 1, columns = {} } = checked
  const dialect = checkedDialect(checked.dialect)
  checkTable(table)
  checkMapping(dialect, table, alias)
  if (!Number.isSafeInteger(firstParameter) || firstParameter < 1) {
    throw new TypeError('options.firstParameter must be a whole number from 1')
  }
  const beside = columnsBeside(columns, own(table, 'schema'))
  checkNames(
    dialect,
    Object.values(beside).map(({ name }) => name),
  )
  const resolver = resolverOf(dialect, table, alias)
  const lowering = loweringOf(dialect)
  const tableConditions = conditionsOfWhere({ quote: quoterOf(dialect) }, resolver.row.name, own(table, 'where')).map(
    ({ sql, column, isNullable }) => term(sql, isNullable ? [column] : 'never'),
  )
  const target: Target = { dialect, resolver, lowering, schema: own(table, 'schema'), tableConditions }

  const refusalOf = (filter: Filter) => (message: string) => tooLarge(message, filter, conditionOf)
  const pieceOfFilter = byShape<SqlPiece, Filter>(shapeCache(256), filterInPlaces, (filter, write) => {
    const scope = rowScope(target, [filter], false, write)
    const expression = emitRow(target, scope, filter)
    throwIssues(scope.issues)
    return pieceOf(dialect, closed(scope, expression), firstParameter, refusalOf(filter))
  })
  const conditionOf = (filter: Filter): SqlCondition => ({ ...filledBy(pieceOfFilter(filter)), negatable: true })

  const queryPiecesOf = byShape<QueryPieces, Query>(queryShapeCache(256), queryInPlaces, (placed, write) => {
    const whole = everyPropertyOf(placed)
    const query = withTieBreakers(whole)
    const parts = queryParts(target, query, write)
    const { values, order } = parts
    const where = pageCondition(parts)
    const refusal = refusalOf(query.filter)
    const text = sql`${whereClause(where, '', ' ')}ORDER BY ${order} ${pageLimit}`
    const condition = pieceOf(dialect, besideOthers(where), firstParameter, refusal)
    return {
      text: sharedText(dialect, text, [limitAndOffset(dialect, query)], firstParameter, refusal),
      where: condition,
      orderBy: pieceOf(dialect, order, firstParameter + condition.parameters.length, refusal),
      readings: values.flatMap(({ key, reading }) => (breaksTies(key) ? [] : [reading])),
      stored: storedParts(resolver, whole),
    }
  })
  const countPieceOf = byShape<SqlPiece, Filter>(shapeCache(256), filterInPlaces, (filter, write) =>
    pieceOf(dialect, besideOthers(whereOf(target, filter, write)), firstParameter, refusalOf(filter)),
  )
  const compileQuery = (input: Query): SqlQuery => {
    const query = checkQuery(input)
    const { filter, limit } = query
    const { shared, values } = queryPiecesOf(query)
    const { where, orderBy, readings, stored } = shared
    let count: SqlWhere | undefined
    return {
      ...withLimits(dialect, shared.text, values, [limitAndOffset(dialect, query)], firstParameter, refusalOf(filter)),
      where: { ...filled(where, values), negatable: false },
      orderBy: filled(orderBy, values),
      limit,
      offset: own(query, 'offset') ?? 0,
      ...stored,
      get count() {
        return (count ??= { ...filledBy(countPieceOf(filter)), negatable: false })
      },
      page: (rows) => pageOf(query, rows, (at) => readings[at]!),
    }
  }

  const { key } = table
  const root = { from: tableIn(dialect, table, alias), name: resolver.row.name, key, columns: table.columns }
  const naming = () => namingOf(dialect, nameOfTable(table, alias))
  const pages = { naming, root, orders: table.orders, quote: quoterOf(dialect) }
  const { schema } = target
  const selectFrom = schema && selectorOf({ ...target, ...pages, schema, beside }, firstParameter, refusalOf)
  const select = (query: Query): SqlStatement<never> => {
    const checked = checkQuery(query)
    if (selectFrom === undefined)
      throw new TypeError('select needs table(…, { schema }): its rows have the form of the schema')
    return selectFrom(checked)
  }

  const facetTarget: FacetTarget = {
    ...target,
    from: root.from,
    name: root.name,
    key,
    quote: quoterOf(dialect),
    joinsFor: (paths) => joinsOf(naming(), root, paths),
  }
  const facets = (input: Query): readonly SqlFacet[] =>
    (withEveryProperty(input).facets ?? []).map((facet) => {
      const { statement, ...rest } = facetStatement(facetTarget, facet)
      return { ...pieceOf(dialect, statement, firstParameter, refusalOf(facet.filter)), ...rest }
    })

  const stored = Object.values(dialect.types)
  const capabilities: Capabilities = Object.freeze({
    kinds,
    types: Object.freeze(literalTypes.filter((type) => stored.some(({ holds }) => holds.includes(type)))),
    features: Object.freeze([...featuresOf(dialect, table, lowering.isWhole), ...fineness(dialect, table.columns)]),
    preconditions: dialect.preconditions,
  })
  return {
    name: dialect.name,
    capabilities,
    compile: (filter) => conditionOf(checkFilter(filter)),
    compileQuery,
    select,
    facets,
  }
}

/** The features of a backend over the table. Only JSON can hold other forms; an object over columns cannot be empty. */
function featuresOf({ json }: Dialect, table: Table, lowersAll: boolean): Feature[] {
  // A field that is not mapped is a column; only a schema names these.
  const { key, columns } = table
  const fields = Object.keys(own(table, 'schema')?.fields ?? {}).filter((field) => !key.includes(field))
  const isAllJson = fields.length > 0 && fields.every((field) => columns[field]?.kind === 'json')
  return [
    'queries',
    'facets',
    'placed-nulls',
    'ignored-case',
    'declared-orders',
    ...(json?.isPresent === undefined ? [] : (['json'] as const)),
    ...(json?.readsKeys === undefined ? [] : (['records'] as const)),
    ...(own(table, 'schema') === undefined ? [] : (['select'] as const)),
    ...(lowersAll ? (['unicode-case'] as const) : []),
    ...(isAllJson ? (['other-forms', 'misplaced-lists', 'sorted-other-forms'] as const) : []),
    ...(hasFlattened(columns) ? [] : (['empty-objects'] as const)),
  ]
}

/** The features for microseconds and long decimals. A column that declares fewer digits removes one. */
function fineness(dialect: Dialect, columns: Columns): Feature[] {
  const typed = typedIn(columns).map(({ type, digits }) => ({
    digits,
    type: type === undefined ? undefined : own(dialect.types, type),
  }))
  const hasMillis = typed.some(({ digits, type }) => (digits ?? type?.digits) === 3)
  const isScaled = typed.some(({ type }) => type?.as?.decimal?.needsDigits === true)
  return [...(hasMillis ? [] : (['microseconds'] as const)), ...(isScaled ? [] : (['long-decimals'] as const))]
}

/** The columns of the table, and of those beside it. */
const typedIn = (columns: Columns): readonly (Column | ArrayColumn)[] =>
  Object.values(columns).flatMap((stored) => {
    if (stored.kind === 'column' || stored.kind === 'array') return [stored]
    const value = stored.kind === 'child' ? own(stored, 'value') : undefined
    return [...(value === undefined ? [] : [value]), ...typedIn(columnsIn(stored) ?? {})]
  })

/** Whether an object is spread over columns, in the table or in one beside it. */
const hasFlattened = (columns: Columns): boolean =>
  Object.values(columns).some((stored) => stored.kind === 'flattened' || hasFlattened(columnsIn(stored) ?? {}))
