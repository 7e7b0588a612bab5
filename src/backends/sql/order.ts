/** The order of a query: its keys, its position, its limit. */
import { joined, unchecked, type Comparison, type Literal, type Path } from '../../tree/index.ts'
import {
  breaksTies,
  compareKey,
  isComputed,
  isInclusive,
  movesNulls,
  partsOfPosition,
  readingDirection,
  readingOf,
  readsAbsentFirst,
  isRequired,
  textOfPath,
  valueBeyond,
} from '../../query/index.ts'
import type { CompareKey, Query, SortKey, ValueReader } from '../../query/index.ts'
import { own } from '../../own.ts'
import { spanOf, type Condition } from '../issues.ts'
import { compare, type Dialect, type StoredType } from './dialect/dialect.ts'
import { join, raw, sql, type Sql } from './dialect/sql.ts'
import { comparisonBy } from './conditions.ts'
import { emit } from './emit.ts'
import { allOf, term, type Expression } from './expression.ts'
import { parentOnPath } from './parents.ts'
import { inEntry, inJoined, type Scope } from './scope.ts'
import { comparedKey, inOrder, isOrderedBy, operation, valueBy, valueOf } from './value.ts'

/** The order of rows. */
export interface OrderedValue {
  readonly key: SortKey
  readonly sql: Sql
  readonly type: StoredType
  /** Whether it is not the stored value, but a text in lower case or the place of a value in a list. */
  readonly isComputed: boolean
  /** By the column, or because the key is required: then a plain index has this order. */
  readonly isNeverNull: boolean
  /** The name of the table in the statement that has it in a column; `undefined` for a value that no plain index has. */
  readonly table: string | undefined
  /** How the rows of the statement hold it. */
  readonly reading: ValueReader
}

/** The expression of a sort key; `undefined` where it is refused. */
export function orderedValue(scope: Scope, key: SortKey, path: Path = key.path): OrderedValue | undefined {
  const read: Condition = { kind: 'presence', path, type: key.type, ...spanOf(key) }
  const on = parentOnPath(scope, read)
  if (on !== undefined) {
    const joined = inJoined(scope, on.parent, on.path)
    if (joined !== undefined) return orderedValue(joined, key, path.slice(on.path.length))
    const { from, correlation } = on.parent.entries
    const inside = orderedValue(inEntry(scope, on.parent.entries, on.path), key, path.slice(on.path.length))
    if (inside === undefined) return undefined
    const { selected } = inside.reading
    return {
      ...inside,
      sql: sql`(SELECT ${inside.sql} FROM ${from} WHERE ${correlation!})`,
      // Without a row it is NULL, whatever its column is declared.
      isNeverNull: isRequired(key) || breaksTies(key),
      table: undefined,
      reading: { ...inside.reading, selected: on.path.length + selected },
    }
  }
  const stored = valueOf(scope, read, key.type)
  if (stored === undefined) return undefined
  const compared = comparedKey(key, stored)
  const { stored: values } = compared
  const { sql: value, type, isNeverNull } = valueBy(scope, stored, compared)
  // A value in JSON has its form in JSON, or is absent.
  const { returned: forms = [], decode, digits } = stored.inJson === undefined ? stored.type : {}
  return {
    key: compared,
    sql: value,
    type,
    isComputed: isComputed(compared),
    isNeverNull: isNeverNull || isRequired(key) || breaksTies(key),
    table: stored.inJson === undefined && scope.start.kind === 'row' ? scope.start.name : undefined,
    reading: {
      forms,
      // The column has another value somewhere in its order.
      decode: values === undefined ? decode : (one) => values.find((value) => value === one),
      digits,
      selected: path.length - (stored.inJson ?? 0),
    },
  }
}

export function orderBy(dialect: Dialect, { position }: Query, values: readonly OrderedValue[]): Sql {
  const keys = values.map((value) => {
    const { key, isNeverNull } = value
    const direction = readingDirection(key, position)
    const ordered = sql`${inOrder(dialect, value)}${raw(direction === 'ascending' ? ' ASC' : ' DESC')}`
    if (isNeverNull) return ordered
    if (!movesNulls(key)) return sql`${ordered}${raw(dialect.nulls?.[direction] ?? '')}`
    const isFirst = readsAbsentFirst(key, position)
    if (dialect.placesNulls) return sql`${ordered}${raw(isFirst ? ' NULLS FIRST' : ' NULLS LAST')}`
    return sql`(${value.sql} IS NULL)${raw(isFirst ? ' DESC' : ' ASC')}, ${ordered}`
  })
  return join(keys, ', ')
}

/** Writes the order of rows that all have a value for the first sort key, or that all have NULL there. */
export const orderInRange = (dialect: Dialect, query: Query, [first, ...rest]: readonly OrderedValue[]): Sql =>
  orderBy(dialect, query, [needsNoClause(dialect, first!) ? { ...first!, isNeverNull: true } : first!, ...rest])

/** Whether the engine reads rows that all have a value, or that all have NULL, from an index without NULLS FIRST or NULLS LAST. */
const needsNoClause = ({ nulls }: Dialect, { key }: OrderedValue): boolean => movesNulls(key) && nulls === undefined

/** `LIMIT … OFFSET …`, or as the dialect writes it. */
export const limitAndOffset = (dialect: Dialect, query: Query): Sql =>
  // One row more than the page has tells whether there is another page.
  limitTo(dialect, query.limit + 1, own(query, 'offset'))

/** `LIMIT …`, or as the dialect writes it. */
export function limitTo(dialect: Dialect, count: number, offset = 0): Sql {
  const { limited = limitThenOffset, wholeNumber = digitsOf } = dialect
  return limited(wholeNumber(count), offset === 0 ? undefined : wholeNumber(offset))
}

const limitThenOffset: NonNullable<Dialect['limited']> = (count, skipped) =>
  skipped === undefined ? sql`LIMIT ${count}` : sql`LIMIT ${count} OFFSET ${skipped}`

const digitsOf = (number: number): Sql => raw(String(number))

/** The rows after the position of a query; all of them where it has none. */
export function afterPosition(scope: Scope, query: Query, values: readonly OrderedValue[]): Expression {
  const { count, expression } = rowComparison(scope, query, values)
  if (count === values.length) return expression
  const parts = partsOfPosition(query, comparerOf(values))
  // The comparison bounds an index range, so it replaces the bound on the first key.
  const rest = emit(inPosition(scope, query), joined('and', count === 0 ? parts : parts.slice(-1)), false)
  return allOf(scope, [expression, rest])
}

/** Compares each key by the expression that orders it, so that the index of the order serves the position. */
const comparerOf =
  (values: readonly OrderedValue[]): CompareKey =>
  (key, operator, value) => {
    const plain = unchecked.comparison(key.path, operator, value)
    if (isOrderedBy(key)) return comparisonBy(key, plain)
    return values.find((one) => one.key === key)?.type.hasOthers === true ? plain : compareKey(key, operator, value)
  }

function inPosition(scope: Scope, { sort }: Query): Scope {
  const required = sort.filter(isRequired).map(({ path }) => textOfPath(path))
  return { ...scope, neverNull: new Set(required), isPosition: true }
}

/** The rows after the position of a query, as ranges of an index in its order: no row is in two of them. */
export interface RangesAfter {
  /** The ranges of the rows with the position's value for the first sort key. */
  readonly there: readonly Expression[]
  /** The range of the rows with a value beyond it. */
  readonly beyond: Expression
  /** The ranges of the other rows. Each lacks the test that the value is absent. */
  readonly absent: readonly Expression[]
}

/**
 * @param at the sort key that the ranges begin with. All rows have the position's values for the keys before it.
 */
export function rangesAfter(scope: Scope, query: Query, values: readonly OrderedValue[], at = 0): RangesAfter {
  const { sort, position } = query
  const [key, ordered] = [sort[at]!, values[at]!]
  if (position === undefined || position.values.length === 0) return { there: [], beyond: true, absent: [true] }
  const compare = comparerOf(values)
  const value = position.values[at]!
  const reading = readingOf(key, position)
  const { isAbsentFirst } = reading
  const from = (next: number): readonly Expression[] =>
    position.values[next] === null && breaksTies(sort[next]!)
      ? from(next + 1)
      : next === sort.length
        ? isInclusive(position)
          ? [true]
          : []
        : whole(rangesAfter(scope, query, values, next), values[next]!, scope)
  if (value === null) {
    const beyond = isAbsentFirst && (ordered.isNeverNull || term(sql`${ordered.sql} IS NOT NULL`))
    return { there: [], beyond, absent: from(at + 1) }
  }
  const row = rowComparison(scope, query, values, at)
  const end = at + Math.max(row.count, 1)
  const beyond = valueBeyond(reading, value, compare)
  const first = row.count > 0 ? row.expression : emit(inPosition(scope, query), beyond, false)
  // A comparison of all keys keeps the row of an inclusive position.
  const later = row.count > 0 && end === sort.length ? [] : from(end)
  const isThere =
    later.length === 0 ? [] : values.slice(at, end).map((one, n) => isAt(scope, query, one, position.values[at + n]!))
  const there = later.map((rest) => allOf(scope, [...isThere, rest]))
  return { there, beyond: first, absent: isAbsentFirst ? [] : [true] }
}

/** Whether the engine makes an index range of a row comparison that begins with a value. */
export const comparesRows = ({ splitsPositions }: Dialect, { isComputed }: OrderedValue): boolean =>
  !isComputed || splitsPositions?.endsWith('expressions') !== true

/** Whether one SELECT finds the rows after the position of a query as fast as one for each range of an index. */
export function isOneRange(dialect: Dialect, { sort, position }: Query, values: readonly OrderedValue[]): boolean {
  const { splitsPositions, splitsNulls } = dialect
  const isInTables = values.every(({ table }) => table !== undefined)
  if (splitsNulls && movesNulls(sort[0]!) && !values[0]!.isNeverNull) return !isInTables
  if (splitsPositions === undefined || position === undefined) return true
  if (position.values.length === 0 || sort.length === 1) return true
  const isAbsentFirst = readsAbsentFirst(sort[0]!, position)
  const hasOneOrder = values.every(
    ({ key, isNeverNull }, at) =>
      key.direction === sort[0]!.direction &&
      (splitsPositions === 'directions' ||
        (position.values[at] != null && (isNeverNull || (at === 0 && isAbsentFirst)))),
  )
  // Without an index in the order, the engine would sort the rows of each range.
  return (hasOneOrder && comparesRows(dialect, values[0]!)) || !isInTables
}

/** The ranges with the rows after the position of a query: one for a dialect whose engine makes ranges of a position itself. */
export function rangesOf(
  scope: Scope,
  query: Query,
  values: readonly OrderedValue[],
): readonly { readonly range: Expression; readonly order: Sql }[] {
  const { dialect } = scope
  if (isOneRange(dialect, query, values))
    return [{ range: afterPosition(scope, query, values), order: orderBy(dialect, query, values) }]
  const { there, beyond, absent } = rangesAfter(scope, query, values)
  const [first, ...rest] = values
  const order = orderInRange(dialect, query, values)
  const orderIfEqual = (isSorted: boolean) => (isSorted ? orderBy(dialect, query, rest) : order)
  const none = { there: [], beyond: false, absent: [] }
  // SQLite sorts rows that are equal in an expression by it, and MariaDB those that are equal in a key by IS NULL.
  const parts = [
    [{ ...none, there }, orderIfEqual(!comparesRows(dialect, first!))],
    [{ ...none, beyond }, order],
    [{ ...none, absent }, orderIfEqual(needsNoClause(dialect, first!))],
  ] as const
  return parts.flatMap(([ranges, order]) => whole(ranges, first!, scope).map((range) => ({ range, order })))
}

/** All ranges, with the test of those without a value. */
const whole = ({ there, beyond, absent }: RangesAfter, { sql: value, isNeverNull }: OrderedValue, scope: Scope) => {
  // Without a position, the page begins with the first row.
  const withValue = beyond === true && !isNeverNull ? term(sql`${value} IS NOT NULL`) : beyond
  const withoutValue = isNeverNull ? [] : absent.map((range) => allOf(scope, [term(sql`${value} IS NULL`), range]))
  return [...there, withValue, ...withoutValue].filter((range) => range !== false)
}

/** Whether a row has a value of the position: in the collation of the order, for an index range. */
function isAt(scope: Scope, query: Query, { key, sql: value, type }: OrderedValue, there: Literal): Expression {
  const { write, dialect } = scope
  const { rowOperand } = dialect
  const equality = comparerOf([])(key, 'eq', there) as Comparison
  if (rowOperand === undefined) return emit(inPosition(scope, query), equality, false)
  const equal = write(equality, ({ operand }) => {
    const exact = operation(type, 'eq', operand)
    return typeof exact === 'boolean' ? exact : compare(value, 'eq', rowOperand(exact.operand, type.isText === true))
  })
  return typeof equal === 'boolean' ? equal : term(equal)
}

/**
 * `(a, b) > (x, y)` for the first sort keys, as many as are never NULL and go in one direction: an index range starts at all
 * of them. With `a >= x AND (a > x OR …)` it starts at the first row with `a = x`. Rows that are equal in these keys may
 * still be before the position, unless they are all keys. The first key may be NULL where these rows are read first: they
 * are before the position. A value that the column cannot have ends the keys: the row would be compared with another.
 */
function rowComparison(
  { dialect, write }: Scope,
  { sort, position }: Query,
  values: readonly OrderedValue[],
  from?: number,
): { readonly count: number; readonly expression: Expression } {
  const columns: Sql[] = []
  const operands: Sql[] = []
  const first = from ?? 0
  const rowOperand = comparesRows(dialect, values[first]!) ? dialect.rowOperand : undefined
  const { isAscending, isAbsentFirst } = readingOf(sort[first]!, position)
  for (let at = first; at < values.length; at++) {
    const { key, sql: column, type, isNeverNull, table } = values[at]!
    const value = position?.values[at]
    if (rowOperand === undefined || value == null || key.direction !== sort[first]!.direction) break
    if (!isNeverNull && (at > first || (!isAbsentFirst && from === undefined))) break
    // No index has columns of two tables.
    if (from !== undefined && table !== values[first]!.table) break
    const written = write(unchecked.comparison(key.path, 'eq', value), ({ operand }) => {
      const exact = operation(type, 'eq', operand)
      return typeof exact === 'boolean' ? exact : rowOperand(exact.operand, type.isText === true)
    })
    if (typeof written === 'boolean') break
    columns.push(column)
    operands.push(written)
  }
  const count = columns.length
  if (count < 2) return { count: 0, expression: true }
  const sign = isAscending ? '>' : '<'
  // As the bound of a whole position, it keeps the rows at the first values: the rest compares them.
  const isStrict = first + count === sort.length ? !isInclusive(position) : from !== undefined
  const compared = sql`(${join(columns, ', ')})${raw(isStrict ? ` ${sign} ` : ` ${sign}= `)}(${join(operands, ', ')})`
  return { count, expression: term(compared) }
}
