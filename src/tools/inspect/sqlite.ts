/**
 * The description of a database of SQLite, libSQL, Turso or D1, by the table-valued functions of its pragmas.
 *
 * @see https://www.sqlite.org/pragma.html
 */
import type { ColumnFacts, Database, ForeignKeyFacts, IndexEntry, IndexFacts, TableFacts } from './database.ts'
import { estimatedDistinct } from './distinct.ts'
import { keysOf } from './keys.ts'
import { expressionOf, listOf } from './list-text.ts'
import { ask, groupBy, memberOf, rowsOf, stated, tryTo, type Run } from './run.ts'
import { sample, type TableSample } from './sample.ts'

interface TableRow {
  readonly name: string
  readonly type: 'table' | 'view' | 'virtual'
  readonly wr: 0 | 1
  readonly strict: 0 | 1
}
interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly notnull: 0 | 1
  readonly default: string | null
  readonly pk: number
  readonly hidden: 0 | 1 | 2 | 3
}
interface EntryRow {
  readonly table: string
  readonly index: string
  readonly unique: 0 | 1
  readonly origin: 'c' | 'u' | 'pk'
  readonly partial: 0 | 1
  readonly sql: string | null
  readonly cid: number
  readonly name: string | null
  readonly desc: 0 | 1
  readonly coll: string
}
interface ForeignKeyRow {
  readonly table: string
  readonly id: number
  readonly parent: string
  readonly from: string
  readonly to: string | null
}
interface StatisticsRow {
  readonly table: string
  readonly index: string | null
  readonly stat: string
}

// D1 refuses functions with more than 32 arguments, `pragma_database_list`, `pragma_encoding` and `sqlite_version()`. SQLite before 3.46
// returns no rows if it changes the order of joined pragmas. CROSS JOIN keeps their order.
const versionText = `SELECT json_array(sqlite_version()) AS c1`
const encodingText = `SELECT json_array(encoding) AS c1 FROM pragma_encoding`
const schemasText = `SELECT DISTINCT json_array(schema) AS c1 FROM pragma_table_list`
/** The statements that every SQLite accepts. */
const probeText = `SELECT json_array() AS c1`

// Names of internal tables begin with `sqlite_`, on D1 also with `_cf_`.
const tablesText = `SELECT json_object('name', l.name, 'type', l.type, 'wr', l.wr, 'strict', l.strict) AS c1
FROM pragma_table_list AS l WHERE l.schema = ? AND l.type IN ('table', 'view', 'virtual')
AND substr(l.name, 1, 7) <> 'sqlite_' AND substr(l.name, 1, 4) <> '_cf_' ORDER BY l.name`

const columnMembers = `'table', l.name, 'name', x.name, 'type', x.type, 'notnull', x."notnull", 'default', x.dflt_value, 'pk', x.pk,
'hidden', x.hidden`
const ofTables = `l.schema = ? AND l.type = 'table' AND substr(l.name, 1, 4) <> '_cf_'`
const schemaText = `SELECT json_array(cid) AS c1 FROM pragma_table_xinfo('sqlite_schema', 'main')`

/**
 * Writes the statements for a schema.
 *
 * @param schema quoted.
 * @param second the second argument of a pragma: nothing, or its schema.
 */
const textsOf = (schema: string, second: string) => ({
  // A view of a dropped table makes the whole statement fail, so each view has its own statement.
  columns: `SELECT json_object(${columnMembers}) AS c1
FROM pragma_table_list AS l CROSS JOIN pragma_table_xinfo(l.name${second}) AS x WHERE ${ofTables} ORDER BY l.name, x.cid`,
  viewColumns: `SELECT json_object(${columnMembers}) AS c1
FROM (SELECT ? AS name, ? AS schema) AS l CROSS JOIN pragma_table_xinfo(l.name${second}) AS x ORDER BY x.cid`,
  indexes: `SELECT json_object('table', l.name, 'index', i.name, 'unique', i."unique",
'origin', i.origin, 'partial', i.partial, 'sql', s.sql, 'cid', x.cid, 'name', x.name, 'desc', x."desc", 'coll', x.coll) AS c1
FROM pragma_table_list AS l CROSS JOIN pragma_index_list(l.name${second}) AS i CROSS JOIN pragma_index_xinfo(i.name${second}) AS x
LEFT JOIN ${schema}.sqlite_schema AS s ON s.type = 'index' AND s.name = i.name
WHERE ${ofTables} AND x.key = 1 ORDER BY l.name, i.name, x.seqno`,
  // The first foreign key of a table has the highest id.
  foreignKeys: `SELECT json_object('table', l.name, 'id', f.id, 'parent', f."table", 'from', f."from", 'to', nullif(f."to", '')) AS c1
FROM pragma_table_list AS l CROSS JOIN pragma_foreign_key_list(l.name${second}) AS f
WHERE ${ofTables} ORDER BY l.name, f.id DESC, f.seq`,
  statistics: `SELECT json_object('table', tbl, 'index', idx, 'stat', stat) AS c1 FROM ${schema}.sqlite_stat1`,
})

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** @throws Error of `run`, except for a statement that some relatives of SQLite refuse. */
export async function inspectSqlite(
  run: Run,
  asked: readonly string[] | undefined,
  rows: number | 'all',
  only?: readonly string[],
): Promise<Database> {
  const attached = (await ask<readonly [string]>(run, schemasText)).map(([name]) => name)
  const session = {
    version: (await tryTo(() => ask<readonly [string]>(run, versionText), run, probeText))?.[0]?.[0],
    // SQLite searches `temp` first. A mapping does not name temporary tables.
    searchPath: ['main'],
    encoding: (await tryTo(() => ask<readonly [string]>(run, encodingText), run, probeText))?.[0]?.[0],
  }
  // Turso 0.7 refuses the argument.
  const second = (await tryTo(() => ask(run, schemaText), run, probeText)) === undefined ? '' : ', l.schema'
  const names = asked ?? ['main']
  const tables: TableFacts[] = []
  for (const name of names) {
    if (attached.includes(name))
      tables.push(...(await inspectSchema(run, name, textsOf(quoted(name), second), rows, only?.map(lower))))
  }
  return {
    engine: 'sqlite',
    session: stated(session),
    schemas: names.map((name) => ({ name, access: attached.includes(name) ? 'readable' : 'missing' })),
    tables,
  }
}

async function inspectSchema(
  run: Run,
  schema: string,
  texts: ReturnType<typeof textsOf>,
  rows: number | 'all',
  only: readonly string[] | undefined,
): Promise<readonly TableFacts[]> {
  const of = async <T extends { readonly table: string }>(text: string) =>
    groupBy(await ask<T>(run, text, [schema]), ({ table }) => table)
  const tables = await ask<TableRow>(run, tablesText, [schema])
  const columns = await of<ColumnRow>(texts.columns)
  const entries = await of<EntryRow>(texts.indexes)
  const foreignKeys = await of<ForeignKeyRow>(texts.foreignKeys)
  // The table of statistics exists only after ANALYZE.
  const statistics = groupBy(
    (await tryTo(() => ask<StatisticsRow>(run, texts.statistics), run, probeText)) ?? [],
    ({ table }) => table,
  )
  const parents = new Map(
    [...columns].map(([name, own]) => [
      lower(name),
      { name, columns: own, primary: primaryOf(own, entries.get(name) ?? []) },
    ]),
  )

  const facts: TableFacts[] = []
  for (const table of tables.filter(({ name }) => only?.includes(lower(name)) ?? true)) {
    const read = async () => {
      const all = columns.get(table.name) ?? (await ask<ColumnRow>(run, texts.viewColumns, [table.name, schema]))
      // Hidden columns of a virtual table are its arguments.
      const own = all.filter(({ hidden }) => hidden !== 1)
      const names = own.map(({ name }) => quoted(name))
      const source = `${quoted(schema)}.${quoted(table.name)}`
      const collations = await collationsOf(run, source, names)
      return { columns: own, collations, sampled: rows === 0 ? undefined : await sample(run, source, names, rows) }
    }
    // Views and virtual tables can raise an error.
    const content = table.type === 'table' ? await read() : await tryTo(read, run, probeText)
    facts.push(
      tableFacts({
        schema,
        table,
        parents,
        ...(content ?? { columns: [], collations: [], sampled: undefined }),
        isWhole: rows === 'all' || (content?.sampled !== undefined && content.sampled.rows < rows),
        entries: entries.get(table.name) ?? [],
        foreignKeys: foreignKeys.get(table.name) ?? [],
        statistics: statistics.get(table.name) ?? [],
      }),
    )
  }
  return facts
}

/**
 * Reads the collations of columns from EXPLAIN: the sorter of a statement lists them, as in `k(3,B,NOCASE,RTRIM)`. No pragma returns
 * them. The plus sign keeps the collation, and prevents an index from replacing the sorter.
 *
 * @see https://www.sqlite.org/lang_expr.html#collateop
 */
async function collationsOf(run: Run, table: string, columns: readonly string[]): Promise<readonly string[]> {
  const order = columns.map((column) => `+${column}`).join(', ')
  for (const row of await rowsOf(run, `EXPLAIN SELECT 1 FROM ${table} ORDER BY ${order}`)) {
    const sorter = memberOf(row, 'opcode', 1) === 'SorterOpen' ? String(memberOf(row, 'p4', 5)) : ''
    const [, count, collations = ''] = /^k\((\d+),(.*)\)$/.exec(sorter) ?? []
    if (Number(count) === columns.length)
      return collations.split(',').map((one) => (one === 'B' ? 'BINARY' : one.toUpperCase()))
  }
  return []
}

interface Parent {
  readonly name: string
  readonly columns: readonly ColumnRow[]
  readonly primary: readonly string[]
}
interface TableParts {
  readonly schema: string
  readonly table: TableRow
  readonly columns: readonly ColumnRow[]
  readonly collations: readonly string[]
  readonly entries: readonly EntryRow[]
  readonly foreignKeys: readonly ForeignKeyRow[]
  readonly statistics: readonly StatisticsRow[]
  readonly sampled: TableSample | undefined
  readonly isWhole: boolean
  /** Tables by their names in lower case: a name in REFERENCES may have another case. */
  readonly parents: ReadonlyMap<string, Parent>
}

/** Converts the rows of the catalogue to the facts of a table. */
export function tableFacts(parts: TableParts): TableFacts {
  const { schema, table, columns, sampled } = parts
  const primary = primaryOf(columns, parts.entries)
  const indexes = Array.from(groupBy(parts.entries, ({ index }) => index).values(), indexFacts)
  // An INTEGER PRIMARY KEY is the rowid, so it has no index. `INTEGER PRIMARY KEY DESC` has an index and can be NULL.
  const isRowid = primary.length === 1 && !indexes.some((index) => index.primary)
  const all = isRowid ? [rowidOf(primary), ...indexes] : indexes
  const counts = parts.statistics.map(({ stat }) => Number(/^\d+/.exec(stat)![0]))
  const rows = counts.length > 0 ? Math.max(...counts) : undefined
  return stated<TableFacts>({
    schema,
    name: table.name,
    kind: table.type,
    rows,
    readable: columns.length > 0,
    strict: table.strict === 1,
    withoutRowid: table.wr === 1,
    sampledRows: sampled?.rows,
    wholeTable: sampled && parts.isWhole,
    columns: columns.map((column, at) => columnFacts(column, at, { ...parts, rows, isRowid, indexes })),
    keys: keysOf(all.map((index) => ({ ...index, nullsDistinct: true }))),
    foreignKeys: Array.from(groupBy(parts.foreignKeys, ({ id }) => String(id)).values(), (rows) =>
      foreignKeyFacts(rows, parts),
    ),
    indexes: all,
  })
}

const lower = (name: string) => name.toLowerCase()

/** The columns of the primary key in the order of its index. Turso returns no other order. */
function primaryOf(columns: readonly ColumnRow[], entries: readonly EntryRow[]): readonly string[] {
  const ofIndex = entries.flatMap(({ origin, name }) => (origin === 'pk' ? [name!] : []))
  const ofTable = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
  return ofIndex.length > 0 ? ofIndex : ofTable
}

function columnFacts(
  { name, type, notnull, default: ofDefault, pk, hidden }: ColumnRow,
  at: number,
  {
    table,
    collations,
    statistics,
    sampled,
    isWhole,
    rows,
    isRowid,
    indexes,
  }: TableParts & { rows: number | undefined; isRowid: boolean; indexes: IndexFacts[] },
): ColumnFacts {
  const collation = collations[at]
  const sample = sampled?.columns[at]
  return stated<ColumnFacts>({
    name,
    type,
    typeName: affinityOf(type),
    notNull: notnull === 1 || (pk > 0 && (isRowid || table.strict === 1 || table.wr === 1)),
    readable: true,
    default: ofDefault,
    generated: hidden === 2 ? 'virtual' : hidden === 3 ? 'stored' : undefined,
    collation: collation === undefined ? undefined : { name: collation },
    distinct:
      distinctOf(name, statistics, indexes) ??
      (sample && estimatedDistinct(sample.distinct, { sampled: sampled!.rows, isWhole, rows })),
    sample,
  })
}

/** @see https://www.sqlite.org/datatype3.html#determination_of_column_affinity */
function affinityOf(type: string): string {
  if (/int/i.test(type)) return 'INTEGER'
  if (/char|clob|text/i.test(type)) return 'TEXT'
  if (type === '' || /blob/i.test(type)) return 'BLOB'
  // ANY in a STRICT table converts no value.
  if (/^any$/i.test(type)) return 'ANY'
  return /real|floa|doub/i.test(type) ? 'REAL' : 'NUMERIC'
}

/**
 * Reads the statistics of an index: its number of rows, and for each entry the number of rows with the same values up to it.
 *
 * @see https://www.sqlite.org/fileformat2.html#stat1tab
 */
function distinctOf(
  column: string,
  statistics: readonly StatisticsRow[],
  indexes: readonly IndexFacts[],
): number | undefined {
  const index = indexes.find(
    ({ name, entries, predicate }) =>
      entries[0]?.column === column && predicate === undefined && statistics.some((one) => one.index === name),
  )
  const [rows, shared] = statistics.find((one) => one.index === index?.name)?.stat.split(' ') ?? []
  return index === undefined || shared === undefined ? undefined : Math.round(Number(rows) / Number(shared))
}

function indexFacts(rows: readonly EntryRow[]): IndexFacts {
  const [{ index, unique, origin, partial, sql }] = rows as [EntryRow]
  const { parts, rest } = listOf(sql ?? '')
  return stated<IndexFacts>({
    name: index,
    method: 'btree',
    unique: unique === 1,
    primary: origin === 'pk',
    invalid: false,
    predicate: partial === 1 ? rest.replace(/^where\s+/i, '') : undefined,
    include: [],
    entries: rows.map(({ cid, name, desc, coll }, at) =>
      stated<IndexEntry>({
        // -2 means an expression.
        column: cid === -2 ? undefined : name,
        expression: cid === -2 ? expressionOf(parts[at]!) : undefined,
        descending: desc === 1,
        nullsFirst: desc === 0,
        collation: coll.toUpperCase(),
      }),
    ),
  })
}

const rowidOf = (columns: readonly string[]): IndexFacts => ({
  name: 'rowid',
  method: 'rowid',
  unique: true,
  primary: true,
  invalid: false,
  include: [],
  entries: columns.map((column) => ({ column, descending: false, nullsFirst: true, collation: 'BINARY' })),
})

function foreignKeyFacts(rows: readonly ForeignKeyRow[], { schema, parents }: TableParts): ForeignKeyFacts {
  const parent = parents.get(lower(rows[0]!.parent))
  const nameOf = (to: string) => parent?.columns.find(({ name }) => lower(name) === lower(to))?.name ?? to
  return {
    columns: rows.map(({ from }) => from),
    table: [schema, parent?.name ?? rows[0]!.parent],
    // REFERENCES without columns refers to the primary key.
    key: rows.some(({ to }) => to === null) ? (parent?.primary ?? []) : rows.map(({ to }) => nameOf(to!)),
    validated: true,
  }
}
