/** Makes the parts of a query's statement after its FROM. */
import type { Filter } from '../../tree/index.ts'
import type { Schema } from '../../language/index.ts'
import type { Query } from '../../query/index.ts'
import { presencesOf, schemaIssues, throwIssues } from '../issues.ts'
import type { Dialect } from './dialect/dialect.ts'
import type { Sql } from './dialect/sql.ts'
import { emit } from './emit.ts'
import { allOf, type Expression } from './expression.ts'
import { afterPosition, orderBy, orderedValue, type OrderedValue } from './order.ts'
import type { Resolver } from './resolve.ts'
import { noPaths, type CaseFolding, type Scope, type Write } from './scope.ts'

/** The database and the table that a backend writes statements for. */
export interface Target {
  readonly dialect: Dialect
  readonly resolver: Resolver
  readonly lowering: CaseFolding
  readonly schema: Schema | undefined
  /** The conditions of the option `where` of the table. */
  readonly tableConditions: readonly Expression[]
}

/**
 * The scope of the row.
 *
 * @param nullIsFalse whether no NOT is around the condition.
 * @throws FilterError when a filter reads a field that the schema lacks.
 */
export function rowScope(
  { schema, ...target }: Target,
  filters: readonly Filter[],
  nullIsFalse: boolean,
  write: Write,
  { joined, inner }: Joined = noJoins,
): Scope {
  if (schema !== undefined) throwIssues(filters.flatMap((filter) => schemaIssues(filter, schema)))
  const { row } = target.resolver
  return {
    ...target,
    write,
    issues: [],
    start: row,
    list: '',
    depth: 0,
    nullIsFalse,
    neverNull: noPaths,
    walked: undefined,
    isPosition: false,
    joined,
    inner,
  }
}

/** The parent tables that a statement joins. */
export type Joined = Pick<Scope, 'joined' | 'inner'>
const noJoins: Joined = { joined: /* @__PURE__ */ new Map(), inner: noPaths }
export const writeOnce: Write = (condition, writer) => writer(condition)

/** Joins the condition of a filter and those of `where`. Every statement that reads rows of the table contains the result. */
export const emitRow = ({ tableConditions }: Target, scope: Scope, filter: Filter): Expression => {
  const condition = emit(scope, filter, false)
  return tableConditions.length === 0 ? condition : allOf(scope, [...tableConditions, condition])
}

/** The condition of a filter in a WHERE: NULL is false in it. @throws FilterError for a condition that cannot be expressed exactly. */
export function whereOf(target: Target, filter: Filter, write: Write, joined?: Joined): Expression {
  const scope = rowScope(target, [filter], true, write, joined)
  const condition = emitRow(target, scope, filter)
  throwIssues(scope.issues)
  return condition
}

export interface QueryParts {
  readonly scope: Scope
  /** The condition of the filter. NULL is false in it. */
  readonly condition: Expression
  /** The text after ORDER BY. */
  readonly order: Sql
  /** The values that the sort keys order by, in their order. */
  readonly values: readonly OrderedValue[]
  /** The query, with the sort keys that the statement compares. */
  readonly query: Query
}

/**
 * @param query from `withEveryProperty`.
 * @param write receives each condition, those of the position too.
 * @param joined the parent tables that the statement joins.
 * @throws FilterError for a condition that the table or the dialect cannot express exactly.
 */
export function queryParts(target: Target, query: Query, write: Write, joined?: Joined): QueryParts {
  const scope = rowScope(target, [query.filter, presencesOf(query)], true, write, joined)
  const walked = target.dialect.knowsFrequentValues && query.sort[0]?.path
  const condition = emitRow(target, { ...scope, walked }, query.filter)
  const values = query.sort.flatMap((key) => orderedValue(scope, key) ?? [])
  throwIssues(scope.issues)
  const compared = { ...query, sort: values.map(({ key }) => key) }
  return { scope, condition, order: orderBy(target.dialect, query, values), values, query: compared }
}

/** The values that the sort keys order by, where these parent tables are joined. */
export function orderedValues(target: Target, query: Query, joined?: Joined): readonly OrderedValue[] {
  const scope = rowScope(target, [], true, writeOnce, joined)
  return query.sort.flatMap((key) => orderedValue(scope, key) ?? [])
}

/** The condition of the rows of the page, with the position: for `whereClause`, or `besideOthers`. NULL is false in it. */
export const pageCondition = ({ scope, condition, values, query }: QueryParts): Expression =>
  allOf(scope, [condition, afterPosition(scope, query, values)])
