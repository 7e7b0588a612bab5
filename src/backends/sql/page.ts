/** The parts of a statement that a query adds to its condition: order, limit, and what to select. */
import type { Comparison, Path } from '../../ast/index.ts'
import { isInclusive, readingDirection } from '../../query/page/order.ts'
import type { Query } from '../../query/page/query.ts'
import type { Reading } from '../../query/page/sort-value.ts'
import type { Dialect, StoredType } from './dialect/dialect.ts'
import { flatten, join, raw, sql, type Sql } from './dialect/sql.ts'
import { term, type Expression } from './expression.ts'
import { operandSlot, type Slots } from './plan.ts'
import type { Resolver, StoredField } from './resolve.ts'

/** What rows are ordered by. */
export interface OrderedValue {
  readonly sql: Sql
  readonly type: StoredType
  /** Whether it is never NULL: then an index serves without NULLS FIRST. */
  readonly isNotNull: boolean
  /** How the rows of the statement have it. */
  readonly reading: Reading
}

/** The keys of `ORDER BY`. */
export function orderBy(dialect: Dialect, { sort, position }: Query, values: readonly OrderedValue[]): Sql {
  const keys = values.map((value, at) => {
    const direction = readingDirection(sort[at]!, position)
    const { isText, isOrdered } = value.type
    const ordered = isText && !isOrdered ? (dialect.textRules.ordered?.(value.sql) ?? value.sql) : value.sql
    const nulls = value.isNotNull ? '' : (dialect.nulls?.[direction] ?? '')
    return sql`${ordered}${raw(direction === 'ascending' ? ' ASC' : ' DESC')}${raw(nulls)}`
  })
  return join(keys, ', ')
}

/** `LIMIT … OFFSET …`. */
export function limitAndOffset(dialect: Dialect, { limit, offset = 0 }: Query): Sql {
  // One row more than the page has tells whether there is another page.
  const whole = dialect.wholeNumber ?? ((number: number) => raw(String(number)))
  const skipped = offset === 0 ? raw('') : sql` OFFSET ${whole(offset)}`
  return sql`LIMIT ${whole(limit + 1)}${skipped}`
}

/** The rows after a position, as far as one comparison says it. */
export interface RowComparison {
  readonly expression: Expression
  /** Whether it is about all sort keys; otherwise rows that are equal in the first ones may still be before the position. */
  readonly isWhole: boolean
}

/**
 * `(a, b) > (x, y)`, for the first sort keys that are never NULL and go in one direction: an index range starts at all of
 * them, where with `a >= x AND (a > x OR …)` it starts at the first row with `a = x`. `undefined` for less than two keys.
 *
 * @param leading the sort keys with a value, each equal to its value.
 */
export function rowComparison(
  { rowOperand }: Dialect,
  { sort, position }: Query,
  values: readonly OrderedValue[],
  leading: readonly Comparison[],
  slots: Slots,
): RowComparison | undefined {
  if (rowOperand === undefined) return undefined
  const columns: Sql[] = []
  const operands: Sql[] = []
  for (const [at, condition] of leading.entries()) {
    const { sql: column, type, isNotNull } = values[at]!
    if (!isNotNull || sort[at]!.direction !== sort[0]!.direction) break
    const { encode, cast, isText = false } = type
    const operand = operandSlot(slots, condition, encode)
    if (operand === undefined) break
    columns.push(column)
    operands.push(rowOperand(cast === undefined ? sql`${operand}` : cast(operand), isText))
  }
  if (columns.length < 2) return undefined
  const isWhole = columns.length === sort.length
  const sign = readingDirection(sort[0]!, position) === 'ascending' ? '>' : '<'
  const isStrict = isWhole && !isInclusive(position)
  const compared = sql`(${join(columns, ', ')})${raw(isStrict ? ` ${sign} ` : ` ${sign}= `)}(${join(operands, ', ')})`
  return { expression: term(compared), isWhole }
}

/** What is stored of the asked fields. */
export interface StoredParts {
  /** Columns of the table itself, quoted. */
  readonly columns: readonly string[]
  /** Other tables, quoted: child tables and parent tables. */
  readonly tables: readonly string[]
}

/** Where the fields and the sort keys of a query are stored. Without a schema all fields are every column of the table. */
export function storedParts({ row, resolve }: Resolver, { fields, sort }: Query): StoredParts {
  const columns = new Set<string>()
  const tables = new Set<string>()
  const textOf = (piece: Sql): string => flatten(piece).strings.join('')
  const add = (stored: StoredField | undefined, isOwn: boolean): void => {
    switch (stored?.kind) {
      case undefined:
        return
      case 'column':
      case 'array':
        if (isOwn) columns.add(textOf(stored.column))
        return
      case 'json':
        if (isOwn) columns.add(textOf(stored.value.source))
        return
      case 'rows':
      case 'parent':
        addKey(stored, isOwn)
        if (stored.entries.table !== undefined) tables.add(stored.entries.table)
        return add(stored.entries.entry, false)
      case 'row':
      case 'object':
        for (const member of stored.members.values()) add(member, isOwn)
    }
  }
  /** The columns that refer to a parent table; without them nobody finds the row. */
  const addKey = (stored: StoredField, isOwn: boolean): void => {
    if (stored.kind === 'parent' && isOwn) for (const column of stored.foreignKey) columns.add(textOf(column))
  }
  /** What is in a list or in a parent table is in its table, and so are the others that the path leads to from there. */
  const addPath = (start: StoredField, path: Path, isOwn: boolean): void => {
    for (let length = 1; length < path.length; length++) {
      const stored = resolve(start, path.slice(0, length))
      if (stored?.kind !== 'rows' && stored?.kind !== 'parent') continue
      addKey(stored, isOwn)
      if (stored.entries.table !== undefined) tables.add(stored.entries.table)
      return addPath(stored.entries.entry, path.slice(length), false)
    }
    add(resolve(start, path), isOwn)
  }
  if (fields !== undefined) for (const path of fields) addPath(row, path, true)
  else if (row.kind === 'row' && row.takesAnyName) columns.add(`${row.name}.*`)
  else add(row, true)
  for (const { path } of sort) if (!columns.has(`${row.kind === 'row' ? row.name : ''}.*`)) addPath(row, path, true)
  return { columns: [...columns], tables: [...tables] }
}
