/** Writes the subquery that reads the rows of a page from ranges of an index. The statement then converts columns and makes lists for these rows alone. */
import { isSamePath, joined, unchecked } from '../../tree/index.ts'
import type { Comparison, Filter, Literal, Membership, Path, Some } from '../../tree/index.ts'
import { breaksTies, isRequired, orderOptionsOf, textOfPath, type Query, type SortKey } from '../../query/index.ts'
import { own } from '../../own.ts'
import type { Leaf } from '../issues.ts'
import { asEquality, inPlaceOf, skipsMany } from '../shape.ts'
import type { Dialect } from './dialect/dialect.ts'
import { join, raw, sql, type Sql } from './dialect/sql.ts'
import { allOf, anyOf, term, whereClause, type Expression } from './expression.ts'
import { comparesRows, isOneRange, limitTo, orderBy, orderInRange, rangesAfter, rangesOf } from './order.ts'
import type { OrderedValue } from './order.ts'
import type { ParentOnPath } from './parents.ts'
import { orderedValues, queryParts, rowScope, whereOf, type Joined, type Target } from './query-parts.ts'
import type { Write } from './scope.ts'
import { inOrder } from './value.ts'
import type { IndexedOrder, Table } from './mapping.ts'
import { joinsOf, type From, type Joins, type Selection, type StatementNames } from './selection.ts'
import { pageLimit, rangeLimit, type Limits } from './statement.ts'

/** The tables that pages are read from. */
export interface PageTarget extends Target {
  readonly naming: () => StatementNames
  readonly root: From
  /** The orders of its indexes that the mapping names. */
  readonly orders: Table['orders']
  readonly quote: (name: string) => string
}

/** The statement reads one row more than the page contains, which shows whether there is another page. A range also reads the skipped rows. */
export function limitsOf(dialect: Dialect, query: Query, hasRanges: boolean): Limits {
  const [count, skipped] = [query.limit + 1, own(query, 'offset') ?? 0]
  const ofPage = limitTo(dialect, count, skipped)
  return hasRanges ? [ofPage, limitTo(dialect, count + skipped)] : [ofPage]
}

/** A range of the rows: the text after FROM up to the limit. */
interface Range {
  readonly from: Sql
  readonly where: Expression
  readonly order: Sql
}

/**
 * The text after FROM of the statement that reads the rows of a page first; `undefined` where one SELECT does as well.
 *
 * @param query from `withEveryProperty`.
 */
export function windowOf(target: PageTarget, query: Query, write: Write, selection: Selection): Sql | undefined {
  const { dialect, naming, root, quote } = target
  const sortPaths = query.sort.map(({ path }) => path)
  const joinsFor = (paths: readonly Path[], inner?: Joins['inner']) =>
    joinsOf(naming(), root, [...paths, ...sortPaths], inner)
  // The subquery joins the parents of conditions if the fields need these parents, too.
  const isJoined = (path: Path) => path.some((_, at) => selection.joined.has(textOfPath(path.slice(0, at + 1))))
  const filterPaths = conditionsIn(query.filter).flatMap(({ condition: { path } }) => (isJoined(path) ? [path] : []))
  const joins = joinsFor(filterPaths)
  // Without the subquery, PostgreSQL converts the columns of skipped rows, and joins parents before it sorts.
  const isLate =
    dialect.lateColumns === true && (own(query, 'offset') !== undefined || selection.joined.size > joins.joined.size)
  const parent = parentWalked(target, query)
  const isOne =
    parent === undefined &&
    isOneRange(dialect, query, orderedValues(target, query)) &&
    valuesAsked(target, query) === undefined
  if (!isLate && isOne) return undefined
  // A table in FROM cannot have a column twice, and most engines ignore the case of names.
  if (new Set(selection.reads.map((column) => column.toLowerCase())).size < selection.reads.length) return undefined
  const ranges =
    parent === undefined
      ? rangesOfTable(target, query, write, joins)
      : rangesOfParent(target, query, write, parent, joinsFor(filterPaths, new Set([textOfPath(parent.path)])))
  // To plan many ranges takes longer than to read them.
  if (ranges.length === 0 || ranges.length > mostRanges(dialect)) return undefined
  const orderIn = (joined: Joined) => orderBy(dialect, query, orderedValues(target, query, joined))
  const read = ({ from, where, order }: Range, limit: Sql, columns = selection.reads): Sql =>
    sql`SELECT ${raw(columns.join(', '))} FROM ${from}${whereClause(where, ' ', '')} ORDER BY ${order} ${limit}`
  const ordered = (rows: Sql, joins: Joins): Sql =>
    sql`(${rows}) AS ${raw(root.name + joins.joins)} ORDER BY ${orderIn(joins)}`
  if (ranges.length === 1 && !(skipsMany(query) && endsWithKey(target, query)))
    return ordered(read(ranges[0]!, pageLimit), selection)
  if (ranges.length === 1) {
    // An index alone has the keys of the rows that the page skips. LEFT JOIN keeps SQLite from reading all rows first.
    const name = windowName(target)
    const ties = root.key.map((column) => `${root.name}.${quote(column)} = ${name}.${quote(column)}`)
    const tables = `${name} LEFT JOIN ${root.from} ON ${ties.join(' AND ')}${selection.joins}`
    return sql`(${read(ranges[0]!, pageLimit, keyColumnsOf(target))}) AS ${raw(tables)} ORDER BY ${orderIn(selection)}`
  }
  // SQLite takes no ORDER BY in a part of a UNION, but takes it in a subquery.
  const parts = ranges.map((range) => sql`SELECT * FROM (${read(range, rangeLimit)}) AS w`)
  const union = join(parts, ' UNION ALL ')
  const sorted = joinsFor([])
  // The statement joins parents and makes lists for the rows of the page alone.
  const isDirect = !selection.hasLists && selection.joined.size === sorted.joined.size
  if (isDirect) return sql`${ordered(union, selection)} ${pageLimit}`
  return ordered(sql`SELECT ${raw(root.name)}.* FROM ${ordered(union, sorted)} ${pageLimit}`, selection)
}

/** Makes the ranges of an index of the table: those of the position, for each value that {@link valuesAsked} finds. */
function rangesOfTable(target: PageTarget, query: Query, write: Write, joins: Joins): readonly Range[] {
  const asked = valuesAsked(target, query)
  if (asked === undefined) return rangesOfQuery(target, query, write, joins)
  return Array.from({ length: asked.count }, (_, at) => {
    // The shape has the membership in the place of an equality: each range takes its own value from the list.
    const writeAt: Write = <C extends Leaf>(condition: C, writer: (condition: C) => Sql | boolean) =>
      write<Leaf>(condition, (placed) =>
        writer(
          (placed.kind === 'membership' && condition.kind === 'comparison' ? equalityAt(placed, at) : placed) as C,
        ),
      )
    const filter = withInPlace(query.filter, asked.node, asked.conditionAt(at))
    return rangesOfQuery(target, { ...query, filter }, writeAt, joins)
  }).flat()
}

function rangesOfQuery(target: Target, query: Query, write: Write, joins: Joins): readonly Range[] {
  const { scope, condition, values, query: compared } = queryParts(target, query, write, joins)
  return rangesOf(scope, compared, values).map(({ range, order }) => ({
    from: raw(joins.from),
    where: allOf(scope, [condition, range]),
    order,
  }))
}

/**
 * The ranges of the index of a parent table, in the order of its rows, and those of the rows without a value there.
 *
 * @param joins with JOIN for that parent.
 */
function rangesOfParent(
  target: PageTarget,
  query: Query,
  write: Write,
  on: ParentOnPath,
  joins: Joins,
): readonly Range[] {
  const { dialect, root } = target
  const { parent } = on
  const { scope, condition, values, query: compared } = queryParts(target, query, write, joins)
  const order = orderInRange(dialect, query, values)
  const { there, beyond, absent } = rangesAfter(scope, compared, values)
  const [first] = values as [OrderedValue]
  const { key, sql: value, isNeverNull } = first
  const has = (isPresent: boolean): Expression =>
    isNeverNull || term(isPresent ? sql`${value} IS NOT NULL` : sql`${value} IS NULL`)
  const inParent = (range: Expression, isPresent: boolean, from = raw(joins.from)): Range => ({
    from,
    where: allOf(scope, [condition, has(isPresent), range]),
    order,
  })
  const orderThere = comparesRows(dialect, first) ? order : orderBy(dialect, query, values.slice(1))
  const withParent = there.map((range) => ({ ...inParent(range, true), order: orderThere }))
  if (beyond !== false) {
    withParent.push(
      dialect.walksParents === 'by row'
        ? inParent(beyond, true)
        : inParent(
            true,
            true,
            withFirstValues(target, query, write, on, joins, first, allOf(scope, [beyond, has(true)])),
          ),
    )
  }
  if (!isNeverNull) withParent.push(...absent.map((range) => inParent(range, false)))
  if (isRequired(key) || absent.length === 0) return withParent
  const noParent = anyOf(
    scope,
    parent.foreignKey.map((column) => term(sql`${column} IS NULL`)),
  )
  const others = whereOf(target, query.filter, write)
  const rest = orderBy(
    dialect,
    query,
    values.filter((one, at) => at > 0 && !breaksTies(one.key)),
  )
  return [
    ...withParent,
    ...absent.map((range) => ({ from: raw(root.from), where: allOf(scope, [others, noParent, range]), order: rest })),
  ]
}

/**
 * The text after FROM that selects the rows with the first values of a parent's field: as many values as the page has rows, each of
 * some row.
 *
 * @param joins with JOIN for that parent.
 * @param range the condition on the value.
 */
function withFirstValues(
  target: PageTarget,
  query: Query,
  write: Write,
  { parent, path }: ParentOnPath,
  joins: Joins,
  first: OrderedValue,
  range: Expression,
): Sql {
  const { dialect, root } = target
  const { inner } = joins
  const name = textOfPath(path)
  const alias = joins.joined.get(name)!
  const joined = new Map([[name, alias]])
  const scope = rowScope(target, [], true, write)
  const { from, correlation } = parent.chainAs(alias)
  const ofParent = allOf(scope, [term(correlation!), whereOf(target, query.filter, write, { joined, inner })])
  // EXISTS would let the engine begin at the rows.
  const hasRow = term(sql`(SELECT 1 FROM ${raw(root.from)}${whereClause(ofParent, ' ', '')} LIMIT 1) IS NOT NULL`)
  const where = whereClause(allOf(scope, [range, hasRow]), ' ', '')
  const [value, found] = [inOrder(dialect, first), raw(windowName(target))]
  const values = sql`SELECT DISTINCT ${value} AS v FROM ${from}${where} ORDER BY ${orderInRange(dialect, query, [first])} ${rangeLimit}`
  return sql`${raw(joins.from)} JOIN (${values}) AS ${found} ON ${value} = ${found}.v`
}

/** The name of the rows that a statement reads first. */
const windowName = ({ root, quote }: PageTarget): string => quote(root.name === quote('w') ? 'w_' : 'w')

/**
 * The parent table whose index has the order of a page. The foreign key must be enforced, because the rows without a parent are then
 * those without a foreign key. Each condition must be negative, of that parent, or left to the planner: to sort few rows costs less than
 * to look for them in an order.
 */
function parentWalked(target: PageTarget, { filter, sort }: Query): ParentOnPath | undefined {
  const { dialect, resolver } = target
  if (dialect.walksParents === undefined) return undefined
  const { row, parentOn } = resolver
  const { path } = sort[0]!
  const on = parentOn(row, path)
  const isOfParent = (key: SortKey) => !breaksTies(key) && parentOn(row, key.path) !== undefined
  if (on?.parent.entries.isEnforced !== true || sort.slice(1).some(isOfParent)) return undefined
  const names = path.slice(0, on.length)
  const isOfOne = parentOn(on.parent.entries.entry, path.slice(on.length)) === undefined
  const hasFew = conditionsIn(filter).some(
    ({ condition, isNegated }) =>
      !isNegated && !names.every((name, at) => condition.path[at] === name) && !isLeftToPlanner(target, condition),
  )
  return isOfOne && !hasFew ? { parent: on.parent, path: names } : undefined
}

/** Whether the planner knows how many rows an equality selects, and chooses the faster index by this number. */
const isLeftToPlanner = ({ dialect, orders }: PageTarget, condition: Leaf | Some): boolean =>
  dialect.knowsFrequentValues === true &&
  condition.kind === 'comparison' &&
  condition.operator === 'eq' &&
  orders.some(([first]) => isSamePath(first!.path, condition.path))

/** The conditions in a filter, outside lists. */
function conditionsIn(filter: Filter, isNegated = false): readonly { condition: Leaf | Some; isNegated: boolean }[] {
  if (filter.kind === 'not') return conditionsIn(filter.filter, !isNegated)
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.flatMap((member) => conditionsIn(member, isNegated))
  return [{ condition: filter, isNegated }]
}

/** A few values of a field. For each value, an index contains the rows in the order of the page. */
interface ValuesAsked {
  /** The condition that asks for them: one of those that each row passes. */
  readonly node: Filter
  /** The number of values. */
  readonly count: number
  /** The condition of one of them. */
  readonly conditionAt: (at: number) => Filter
}

const mostRanges = ({ mostRanges = 16 }: Dialect): number => mostRanges

/** Finds the values of a filter that each get a range; `undefined` if the mapping names no index for such ranges. */
export function valuesAsked(target: PageTarget, query: Query): ValuesAsked | undefined {
  const { orders, dialect } = target
  if (orders.length === 0) return undefined
  const nodes = conjunctsOf(query.filter).filter(({ kind }) => kind === 'membership' || kind === 'or')
  if (nodes.length === 0) return undefined
  const paths = orders.flatMap(([first, ...rest]) => (hasOrder(target, query, rest) ? [first!.path] : []))
  const isFirst = ({ path }: Comparison | Membership): boolean => paths.some((one) => isSamePath(one, path))
  // The shape decides which condition gets ranges. The values decide the number of ranges.
  const asked = nodes.flatMap((node) => valuesOf(node, isFirst) ?? [])[0]
  return asked !== undefined && asked.count > 1 && asked.count <= mostRanges(dialect) ? asked : undefined
}

/** Compares the order of a page with the order of an index, which ends with the key and which the engine reads forwards or backwards. */
function hasOrder(target: PageTarget, { sort }: Query, order: IndexedOrder): boolean {
  const isForward = order[0]!.direction === sort[0]!.direction
  return (
    order.length <= sort.length &&
    sort.every((key, at) => {
      const { path, direction } = order[at] ?? { path: key.path, direction: order.at(-1)!.direction }
      return (
        isSamePath(path, key.path) &&
        orderOptionsOf(key).length === 0 &&
        (direction === key.direction) === isForward &&
        (at < order.length || isOfKey(target, key))
      )
    })
  )
}

const keyColumnsOf = ({ root, quote }: PageTarget): readonly string[] =>
  root.key.map((name) => `${root.name}.${quote(name)}`)

function isOfKey(target: PageTarget, { path }: SortKey): boolean {
  const { row, resolve } = target.resolver
  const stored = resolve(row, path)
  return stored?.kind === 'column' && keyColumnsOf(target).includes(stored.column.strings[0]!)
}

/** Whether the key of the table is the key of the collection, which each order ends with: it finds one row. */
function endsWithKey(target: PageTarget, { sort }: Query): boolean {
  const { length } = target.root.key
  return length > 0 && sort.length >= length && sort.slice(-length).every((key) => isOfKey(target, key))
}

/** The conditions that each row passes. */
const conjunctsOf = (filter: Filter): readonly Filter[] =>
  filter.kind === 'and' ? filter.filters.flatMap(conjunctsOf) : [filter]

function valuesOf(node: Filter, isFirst: (condition: Comparison | Membership) => boolean): ValuesAsked | undefined {
  const condition = asEquality(node)
  if (condition.kind === 'membership') {
    if (!isFirst(condition)) return undefined
    const { length } = distinct(condition.operands)
    return { node, count: length, conditionAt: (at) => inPlaceOf(equalityAt(condition, at), condition) }
  }
  if (condition.kind !== 'or') return undefined
  const members = condition.filters
    .map(asEquality)
    .flatMap((one) => (one.kind === 'comparison' && one.operator === 'eq' && isFirst(one) ? [one] : []))
  if (members.length < condition.filters.length) return undefined
  // A row of a value that stands twice would be in two ranges.
  const isTwice = members.some((one, at) => members.findIndex((other) => isSameEquality(one, other)) < at)
  return { node, count: isTwice ? 0 : members.length, conditionAt: (at) => aloneAmong(members, at) }
}

const isSameEquality = (one: Comparison, other: Comparison): boolean =>
  one.operand.value === other.operand.value && isSamePath(one.path, other.path)

/** An equality of an OR, without the rows that the equalities before it select by another field. */
function aloneAmong(members: readonly Comparison[], at: number): Filter {
  const own = members[at]!
  const others = members.slice(0, at).filter(({ path }) => !isSamePath(path, own.path))
  return others.length === 0 ? own : joined('and', [own, ...others.map((other) => unchecked.not(other))])
}

const distinct = (literals: readonly Literal[]): readonly Literal[] =>
  literals.filter(({ value }, at) => literals.findIndex((other) => other.value === value) === at)

const equalityAt = ({ path, operands }: Membership, at: number): Comparison =>
  unchecked.comparison(path, 'eq', distinct(operands)[at]!)

const withInPlace = (filter: Filter, node: Filter, by: Filter): Filter => {
  if (filter === node) return by
  return filter.kind === 'and'
    ? { ...filter, filters: filter.filters.map((one) => withInPlace(one, node, by)) }
    : filter
}
