/** Decides whether an index serves a need, as the planners of the engines do. */
import { own } from '../../own.ts'
import type { Engine, IndexEntry, IndexFacts, TableFacts } from './database.ts'
import { quotedBy } from './names.ts'
import { conjunctsIn } from './sought.ts'
import { isOfMysql, rowsIn, type Key, type Need } from './needs.ts'

/** A page can sort and filter fewer rows than these at once. */
const manyRows = 200

/** Whether an index has all rows that pass some conditions: its predicate has no others. */
export function hasRows({ predicate }: IndexFacts, conditions: readonly string[]): boolean {
  const normalized = conditions.map(normal)
  return conjunctsIn((predicate ?? '').replace(/ and /gi, ' AND ')).every((one) =>
    predicate === undefined ? true : normalized.includes(normal(one)),
  )
}

/** Whether the planner can use an index for a need. The index must have all rows of the need. */
export function serves(engine: Engine, index: IndexFacts, need: Need): boolean {
  if (index.invalid || !hasRows(index, need.where)) return false
  const { kind, table, keys, restriction } = need
  const isBehind = beginsWith(engine, index, need)
  if (isBehind && restriction.length > 0 && rowsWith(table, restriction) < manyRows) return true
  if (kind === 'order') return isBehind && servesOrder(engine, index, need)
  if (kind === 'lookup') return !/^(?:gin|full)/.test(index.method) && servesLookup(engine, index, need)
  const [entry] = index.entries
  const [key] = keys
  if (entry === undefined || key === undefined) return false
  if (kind === 'parts') return /^gi[ns]t?_trgm_ops$/.test(entry.class ?? '') && isKey(engine, table, entry, key)
  return engine === 'mysql'
    ? normal(entry.expression ?? '').startsWith(`cast${normal(key.expression)}as`)
    : index.method === 'gin' && isKey(engine, table, entry, key)
}

/** About how many rows have the same values. */
const rowsWith = (table: TableFacts, keys: readonly Key[]): number =>
  keys.reduce((rows, { column }) => rows / (column?.distinct ?? 1), rowsIn(table))

/** Whether an index with an order begins with all columns of the restriction, in any order. */
function beginsWith(engine: Engine, { method, entries }: IndexFacts, { table, restriction }: Need): boolean {
  const first = entries.slice(0, restriction.length)
  return (
    ['btree', 'rowid'].includes(method) &&
    restriction.every((key) => first.some((entry) => isKey(engine, table, entry, key)))
  )
}

/** Some columns of the restriction come first, in any order. The keys come next, in any order. */
function servesLookup(engine: Engine, { entries }: IndexFacts, { table, keys, restriction }: Need): boolean {
  const isOneOf = (some: readonly Key[], entry: IndexEntry) => some.some((key) => isKey(engine, table, entry, key))
  const start = entries.findIndex((entry) => !isOneOf(restriction, entry) || isOneOf(keys, entry))
  const found = start === -1 ? [] : entries.slice(start, start + keys.length)
  return keys.every((key) => found.some((entry) => isKey(engine, table, entry, key)))
}

/** The keys come next, all in the order of the statement, or all reversed. PostgreSQL sorts the rows with the same first keys. */
function servesOrder(engine: Engine, index: IndexFacts, { table, keys, restriction }: Need): boolean {
  const rest = withEnd(engine, table, index).slice(restriction.length)
  return [false, true].some((isReversed) => {
    const missing = keys.findIndex((key, at) => {
      const entry = rest[at]
      return !(
        entry !== undefined &&
        entry.prefix === undefined &&
        isKey(engine, table, entry, key) &&
        entry.descending === (key.descending !== isReversed) &&
        (engine !== 'postgres' || entry.nullsFirst === (key.nullsFirst !== isReversed))
      )
    })
    if (missing < 1) return missing === -1
    return engine === 'postgres' && rowsWith(table, [...restriction, ...keys.slice(0, missing)]) < manyRows
  })
}

/** InnoDB and SQLite add the primary key, or the rowid, to the end of each index. */
function withEnd(engine: Engine, table: TableFacts, { entries }: IndexFacts): readonly IndexEntry[] {
  if (engine === 'postgres') return entries
  const primary = table.indexes.find(
    (one) => one.primary && (engine !== 'sqlite' || one.method === 'rowid' || own(table, 'withoutRowid') === true),
  )
  const names = entries.map(({ column }) => column)
  return [...entries, ...(primary?.entries ?? []).filter(({ column }) => !names.includes(column))]
}

/** Whether an entry contains a key, in its collation. */
function isKey(engine: Engine, table: TableFacts, entry: IndexEntry, key: Key): boolean {
  const { column, expression } = key
  if (column === undefined ? !isSame(table, entry, expression) : entry.column !== column.name) return false
  const compared = comparedIn(engine, key)
  return compared === undefined || entry.collation === undefined || compared === entry.collation
}

/** The collation in which a statement compares a key: that of the statement, of the column, or of the text in an expression. */
export function comparedIn(engine: Engine, { column, collation, expression }: Key): string | undefined {
  if (collation !== undefined || isOfMysql(engine)) return collation
  if (column !== undefined) return own(column, 'collation')?.name
  return engine === 'sqlite' ? 'BINARY' : (/ COLLATE "([^"]+)"/.exec(expression)?.[1] ?? 'default')
}

/** Compares expressions without the marks that engines add when they print one. */
const isSame = ({ columns }: TableFacts, { expression = '' }: IndexEntry, other: string): boolean => {
  // `COLLATE "default"` changes only the text of a column with another collation.
  const isCollated = columns.some(
    ({ name, collation }) =>
      collation !== undefined && collation.name !== 'default' && other.includes(quotedBy('"', name)),
  )
  const [a, b] = [expression, other].map((text) => normal(isCollated ? text : text.replace(/ collate "default"/i, '')))
  return a !== '' && a === b
}

function normal(expression: string): string {
  return (
    expression
      .toLowerCase()
      // MySQL prints the bytes of a literal.
      .replace(/_utf8mb4 ?(?:0x[\da-f]+|'[^\0-\x7f]+')/g, '_')
      // PostgreSQL prints ELSE NULL in each CASE without ELSE.
      .replace(/_utf8mb4|\selse null::integer|::(?:text|character varying)| charset utf8mb4/g, '')
      .replace(/["`\s()]/g, '')
  )
}
