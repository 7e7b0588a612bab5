/** Plans an index for a need, and writes the statement that creates it. */
import type { Dialect } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import type { Database, Engine, IndexEntry, IndexFacts, TableFacts } from './database.ts'
import { quotedBy } from './names.ts'
import { isLong, isOfMysql, type Key, type Need } from './needs.ts'
import { comparedIn } from './serving.ts'

/** An index that does not exist yet. */
export interface NewIndex {
  readonly facts: IndexFacts
  readonly keys: readonly Key[]
}

/** Plans the index of a need. An index with an order begins with the columns of the restriction. */
export function newIndex({ engine }: Database, need: Need): NewIndex {
  const { kind, table, restriction } = need
  const [first] = need.keys
  // An index serves an order and its reverse.
  const isReversed = kind === 'order' && first !== undefined && first.descending
  const ordered = need.keys.map((key): Key =>
    isReversed ? { ...key, descending: !key.descending, nullsFirst: !key.nullsFirst } : key,
  )
  const others = restriction.filter((key) => !ordered.some(({ expression }) => expression === key.expression))
  const isOrdered = kind === 'order' || kind === 'lookup'
  const keys = isOrdered ? withoutRowid(engine, table, [...others, ...ordered]) : ordered
  const entryClass =
    kind === 'parts' ? 'gin_trgm_ops' : kind === 'entries' && isJson(first) ? 'jsonb_path_ops' : undefined
  return {
    keys,
    facts: {
      name: '',
      method: isOrdered || engine === 'mysql' ? 'btree' : 'gin',
      unique: false,
      primary: false,
      invalid: false,
      include: [],
      ...(!isOfMysql(engine) && need.where.length > 0 && { predicate: need.where.join(' AND ') }),
      entries: keys.map((key) => entryOf(engine, need, key, entryClass)),
    },
  }
}

const isJson = (key: Key | undefined): boolean => key?.column?.typeName === 'jsonb'

/** Each index of SQLite ends with the rowid. */
function withoutRowid(engine: Engine, { indexes }: TableFacts, keys: readonly Key[]): readonly Key[] {
  const last = keys.at(-1)
  const isRowid = indexes.some(({ method, entries }) => method === 'rowid' && entries[0]!.column === last?.column?.name)
  return engine === 'sqlite' && isRowid && last?.descending === false ? keys.slice(0, -1) : keys
}

function entryOf(engine: Engine, { kind, literal }: Need, key: Key, entryClass: string | undefined): IndexEntry {
  const { column, expression, descending, nullsFirst } = key
  const collation = comparedIn(engine, key)
  const isMultivalued = kind === 'entries' && engine === 'mysql'
  const type = literal === 'string' ? 'CHAR(255)' : 'SIGNED'
  return {
    ...(column !== undefined && !isMultivalued
      ? { column: column.name }
      : { expression: isMultivalued ? `CAST(${expression} AS ${type} ARRAY)` : expression }),
    descending,
    nullsFirst,
    ...(collation !== undefined && { collation }),
    ...(entryClass !== undefined && { class: entryClass }),
    ...(isOfMysql(engine) && column !== undefined && isLong(column) && !isMultivalued && { prefix: 100 }),
  }
}

/** The names of tables and indexes, in small letters. */
export const namesIn = ({ tables }: Database): Set<string> =>
  new Set(
    tables
      .flatMap(({ name, indexes }) => [name, ...indexes.map((index) => index.name)])
      .map((name) => name.toLowerCase()),
  )

/**
 * Writes the statement that creates an index.
 *
 * @param names those of {@link namesIn}. It adds the new name.
 */
export function statementOf(
  { engine }: Database,
  { quote }: Dialect,
  table: TableFacts,
  { facts, keys }: NewIndex,
  names: Set<string>,
): string {
  const quoted = (name: string) => quotedBy(quote, name)
  const name = quoted(freeName(table, facts.entries, names))
  const entries = keys.map((key, at) => textOf(engine, key, facts.entries[at]!, quoted))
  const list = `${facts.method === 'gin' ? 'USING gin ' : ''}(${entries.join(', ')})`
  const [schema, of] = [table.schema, table.name].map(quoted)
  const rows = facts.predicate === undefined ? '' : ` WHERE ${facts.predicate}`
  // Without statistics of the new index, SQLite can choose worse plans than before.
  if (engine === 'sqlite') return `CREATE INDEX ${schema}.${name} ON ${of} ${list}${rows}; ANALYZE ${schema}.${of}`
  const concurrently = engine === 'postgres' && table.kind !== 'partitioned' ? 'CONCURRENTLY ' : ''
  return `CREATE INDEX ${concurrently}${name} ON ${schema}.${of} ${list}${rows}`
}

function textOf(
  engine: Engine,
  { column, collation }: Key,
  entry: IndexEntry,
  quoted: (name: string) => string,
): string {
  const { expression, descending, nullsFirst, prefix } = entry
  const isCollated = collation !== undefined && collation !== (column && own(column, 'collation'))?.name
  return [
    entry.column === undefined ? `(${expression})` : quoted(entry.column),
    prefix === undefined ? '' : `(${prefix})`,
    isCollated ? ` COLLATE ${quoted(collation)}` : '',
    entry.class === undefined ? '' : ` ${entry.class}`,
    descending ? ' DESC' : '',
    engine !== 'postgres' || nullsFirst === descending ? '' : nullsFirst ? ' NULLS FIRST' : ' NULLS LAST',
  ].join('')
}

/** Makes a name of the table and the entries. PostgreSQL cuts off a name after 63 bytes. */
function freeName(table: TableFacts, entries: readonly IndexEntry[], names: Set<string>): string {
  const words = entries.map(({ column, expression = '' }) => {
    const [called = '', inside = ''] = [/^\w+/, /(?<=["`])[^"`]+/].map((pattern) => pattern.exec(expression)?.[0])
    return column ?? `${called} ${inside}`
  })
  const base = [table.name, ...words]
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .slice(0, 55)
  const nameAt = (count: number): string => {
    const name = count === 1 ? base : `${base}_${count}`
    return names.has(name) ? nameAt(count + 1) : name
  }
  const name = nameAt(1)
  names.add(name)
  return name
}
