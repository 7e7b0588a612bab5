/** The order of a query: its keys, its position, its limit. */
import { joined, unchecked, type Path } from '../../tree/index.ts'
import {
  isInclusive,
  partsOfPosition,
  readingDirection,
  isRequired,
  textOfPath,
  type Query,
  type SortKey,
  type ValueReader,
} from '../../query/index.ts'
import { own } from '../../own.ts'
import { spanOf, type Condition } from '../issues.ts'
import type { Dialect, StoredType } from './dialect/dialect.ts'
import { join, raw, sql, type Sql } from './dialect/sql.ts'
import { emit } from './emit.ts'
import { allOf, term, type Expression } from './expression.ts'
import { parentOnPath } from './parents.ts'
import { inEntry, inJoined, type Scope } from './scope.ts'
import { asText, operation, valueOf } from './value.ts'

/** The order of rows. */
export interface OrderedValue {
  readonly key: SortKey
  readonly sql: Sql
  readonly type: StoredType
  /** By the column, or because the key is required: then a plain index has this order. */
  readonly isNeverNull: boolean
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
      isNeverNull: isRequired(key),
      reading: { ...inside.reading, selected: on.path.length + selected },
    }
  }
  const stored = valueOf(scope, read, key.type)
  if (stored === undefined) return undefined
  const { sql: value, type, isNeverNull } = asText(scope.dialect, stored)
  // A value in JSON has its form in JSON, or is absent.
  const { returned: forms = [], decode, digits } = stored.inJson === undefined ? stored.type : {}
  return {
    key,
    sql: value,
    type,
    isNeverNull: isNeverNull || isRequired(key),
    reading: { forms, decode, digits, selected: path.length - (stored.inJson ?? 0) },
  }
}

export function orderBy(dialect: Dialect, { position }: Query, values: readonly OrderedValue[]): Sql {
  const keys = values.map(({ key, sql: value, type: { isText, isOrdered }, isNeverNull }) => {
    const direction = readingDirection(key, position)
    const ordered = isText && !isOrdered ? (dialect.textRules.ordered?.(value) ?? value) : value
    const nulls = isNeverNull ? '' : (dialect.nulls?.[direction] ?? '')
    return sql`${ordered}${raw(direction === 'ascending' ? ' ASC' : ' DESC')}${raw(nulls)}`
  })
  return join(keys, ', ')
}

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
  const parts = partsOfPosition(query, (at) => values[at]!.type.hasOthers === true)
  const required = query.sort.filter(isRequired).map(({ path }) => textOfPath(path))
  const inOrder: Scope = { ...scope, neverNull: new Set(required), isPosition: true }
  // The comparison bounds an index range, so it replaces the bound on the first key.
  const rest = emit(inOrder, joined('and', count === 0 ? parts : parts.slice(-1)), false)
  return allOf(scope, [expression, rest])
}

/**
 * `(a, b) > (x, y)` for the first sort keys, as many as are never NULL and go in one direction: an index range starts at all
 * of them. With `a >= x AND (a > x OR …)` it starts at the first row with `a = x`. Rows that are equal in these keys may
 * still be before the position, unless they are all keys. The first key may be NULL where the order ascends: these rows are
 * before the position. A value that the column cannot have ends the keys: the row would be compared with another.
 */
function rowComparison(
  { dialect: { rowOperand }, write }: Scope,
  { sort, position }: Query,
  values: readonly OrderedValue[],
): { readonly count: number; readonly expression: Expression } {
  const columns: Sql[] = []
  const operands: Sql[] = []
  const isAscending = readingDirection(sort[0]!, position) === 'ascending'
  for (const [at, { key, sql: column, type, isNeverNull }] of values.entries()) {
    const value = position?.values[at]
    if (rowOperand === undefined || value == null || key.direction !== sort[0]!.direction) break
    if (!isNeverNull && (at > 0 || !isAscending)) break
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
  const isStrict = count === sort.length && !isInclusive(position)
  const compared = sql`(${join(columns, ', ')})${raw(isStrict ? ` ${sign} ` : ` ${sign}= `)}(${join(operands, ', ')})`
  return { count, expression: term(compared) }
}
