/**
 * The description of a database of MySQL or MariaDB, by `information_schema`. Each row is JSON: MariaDB cuts JSON_ARRAYAGG off at
 * `group_concat_max_len`.
 *
 * @see https://dev.mysql.com/doc/refman/9.7/en/information-schema.html
 */
import type { ColumnFacts, Database, ForeignKeyFacts, IndexEntry, Session, TableFacts } from './database.ts'
import { countDistinct, estimatedDistinct } from './distinct.ts'
import { keysOf, type UniqueIndex } from './keys.ts'
import { ask, groupBy, stated, type Run } from './run.ts'

interface TableRow {
  readonly name: string
  readonly type: string
  readonly rows: number | null
  readonly options: string | null
}
/** The rows of the catalogue for one table. */
interface OfTable {
  readonly table: string
}
interface ColumnRow extends OfTable {
  readonly name: string
  readonly type: string
  readonly typeName: string
  readonly nullable: 'YES' | 'NO'
  readonly default: string | null
  readonly extra: string
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly digits: number | null
  readonly charset: string | null
  readonly collation: string | null
}
interface EntryRow extends OfTable {
  readonly index: string
  readonly method: string
  readonly notUnique: 0 | 1
  readonly column: string | null
  readonly expression: string | null
  readonly direction: 'A' | 'D' | null
  readonly prefix: number | null
  readonly cardinality: number | null
  readonly invalid: 0 | 1
}
interface ForeignKeyRow extends OfTable {
  readonly name: string
  readonly column: string
  readonly parentSchema: string
  readonly parent: string
  readonly key: string
}
interface CheckRow extends OfTable {
  readonly name: string
  readonly clause: string
}
type SessionRow = Omit<Session, 'searchPath'> & { readonly database: string | null }

// `@@time_zone` is mostly SYSTEM. CHAR, because drivers of MySQL parse values of its type JSON.
const sessionText = `SELECT CAST(JSON_OBJECT('version', @@version, 'database', DATABASE(), 'timeZone', @@time_zone,
  'offset', TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW()), 'encoding', @@character_set_connection,
  'collation', @@collation_connection, 'sqlMode', @@sql_mode) AS CHAR) AS c1`

const schemaText = `SELECT CAST(JSON_ARRAY(SCHEMA_NAME) AS CHAR) AS c1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?`

// Sequences of MariaDB are tables of another type.
const tablesText = (
  ofTable: string,
) => `SELECT CAST(JSON_OBJECT('name', TABLE_NAME, 'type', TABLE_TYPE, 'rows', TABLE_ROWS, 'options', CREATE_OPTIONS) AS CHAR) AS c1
FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VIEW', 'SYSTEM VERSIONED')${ofTable}
ORDER BY TABLE_NAME`

const columnsText = (
  ofTable: string,
) => `SELECT CAST(JSON_OBJECT('table', TABLE_NAME, 'name', COLUMN_NAME, 'type', COLUMN_TYPE, 'typeName', DATA_TYPE,
  'nullable', IS_NULLABLE, 'default', COLUMN_DEFAULT, 'extra', EXTRA, 'length', CHARACTER_MAXIMUM_LENGTH,
  'precision', NUMERIC_PRECISION, 'scale', NUMERIC_SCALE, 'digits', DATETIME_PRECISION, 'charset', CHARACTER_SET_NAME,
  'collation', COLLATION_NAME) AS CHAR) AS c1
FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ?${ofTable} ORDER BY TABLE_NAME, ORDINAL_POSITION`

// MySQL refuses the columns of MariaDB, and MariaDB those of MySQL.
const entriesText = (expression: string, invalid: string) => (ofTable: string) =>
  `SELECT CAST(JSON_OBJECT('table', TABLE_NAME, 'index', INDEX_NAME, 'method', INDEX_TYPE, 'notUnique', NON_UNIQUE,
  'column', COLUMN_NAME, 'expression', ${expression}, 'direction', COLLATION, 'prefix', SUB_PART, 'cardinality', CARDINALITY,
  'invalid', ${invalid}) AS CHAR) AS c1
FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ?${ofTable} ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`
const entriesOf = {
  mysql: entriesText('EXPRESSION', `IF(IS_VISIBLE = 'NO', 1, 0)`),
  mariadb: entriesText('NULL', `IF(IGNORED = 'YES', 1, 0)`),
}

const foreignKeysText = (
  ofTable: string,
) => `SELECT CAST(JSON_OBJECT('table', TABLE_NAME, 'name', CONSTRAINT_NAME, 'column', COLUMN_NAME,
  'parentSchema', REFERENCED_TABLE_SCHEMA, 'parent', REFERENCED_TABLE_NAME, 'key', REFERENCED_COLUMN_NAME) AS CHAR) AS c1
FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME IS NOT NULL${ofTable}
ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`

const checksText = (
  ofTable: string,
) => `SELECT CAST(JSON_OBJECT('table', TABLE_NAME, 'name', CONSTRAINT_NAME, 'clause', CHECK_CLAUSE) AS CHAR) AS c1
FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ?${ofTable} ORDER BY TABLE_NAME, CONSTRAINT_NAME`

/** Describes MySQL or MariaDB, by the version that the server prints. A program can use one dialect for the other by mistake. */
export async function inspectMysql(
  run: Run,
  asked: readonly string[] | undefined,
  rows: number | 'all',
  only?: readonly string[],
): Promise<Database> {
  const [{ database, ...session }] = (await ask<SessionRow>(run, sessionText)) as [SessionRow]
  const engine = /mariadb/i.test(session.version!) ? 'mariadb' : 'mysql'
  const searchPath = database === null ? [] : [database]
  const names = asked ?? searchPath
  const existing: string[] = []
  const tables: TableFacts[] = []
  // With the name of one database in each statement, the engine reads the files of that database only.
  for (const name of names) {
    if ((await ask(run, schemaText, [name])).length === 0) continue
    existing.push(name)
    for (const table of await inspectSchema(run, name, engine, only)) {
      tables.push(rows === 0 ? table : await withDistinct(run, table, rows))
    }
  }
  return {
    engine,
    session: { ...session, searchPath },
    schemas: names.map((name) => ({ name, access: existing.includes(name) ? 'readable' : 'missing' })),
    tables,
  }
}

async function inspectSchema(
  run: Run,
  schema: string,
  engine: 'mysql' | 'mariadb',
  only: readonly string[] | undefined,
): Promise<readonly TableFacts[]> {
  // With the name of one table in each statement, the engine reads the files of that table only.
  const askAll = async <T extends object>(text: (ofTable: string) => string): Promise<readonly T[]> => {
    if (only === undefined) return ask<T>(run, text(''), [schema])
    const rows: T[] = []
    for (const name of only) rows.push(...(await ask<T>(run, text(' AND TABLE_NAME = ?'), [schema, name])))
    return rows
  }
  const of = async <T extends OfTable>(text: (ofTable: string) => string) =>
    groupBy(await askAll<T>(text), ({ table }) => table)
  const tables = await askAll<TableRow>(tablesText)
  const columns = await of<ColumnRow>(columnsText)
  const entries = await of<EntryRow>(entriesOf[engine])
  const foreignKeys = await of<ForeignKeyRow>(foreignKeysText)
  const checks = engine === 'mariadb' ? await of<CheckRow>(checksText) : undefined
  return tables.map((table) =>
    tableFacts({
      schema,
      engine,
      table,
      columns: columns.get(table.name) ?? [],
      entries: entries.get(table.name) ?? [],
      foreignKeys: foreignKeys.get(table.name) ?? [],
      checks: checks?.get(table.name) ?? [],
    }),
  )
}

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``
/** Types whose values are large, or cannot be compared. No index contains their whole values. */
const uncounted = /text|blob|json|binary|geom|point|line|polygon/

/** Adds the number of different values to the columns that no index begins with: the catalogue has none of them. */
async function withDistinct(run: Run, table: TableFacts, limit: number | 'all'): Promise<TableFacts> {
  const { schema, name, kind, rows, columns } = table
  const counted = columns.filter((one) => one.distinct === undefined && !uncounted.test(one.typeName))
  if (kind === 'view' || counted.length === 0) return table
  const names = counted.map((column) => quoted(column.name))
  const [sampled, ...counts] = (await countDistinct(run, `${quoted(schema)}.${quoted(name)}`, names, limit)) ?? []
  if (sampled === undefined) return table
  const extent = { sampled, isWhole: limit === 'all' || sampled < limit, rows }
  return {
    ...table,
    columns: columns.map((column) => {
      const at = counted.indexOf(column)
      return at === -1 ? column : stated<ColumnFacts>({ ...column, distinct: estimatedDistinct(counts[at]!, extent) })
    }),
  }
}

interface TableParts {
  readonly schema: string
  readonly engine: 'mysql' | 'mariadb'
  readonly table: TableRow
  readonly columns: readonly ColumnRow[]
  readonly entries: readonly EntryRow[]
  readonly foreignKeys: readonly ForeignKeyRow[]
  readonly checks: readonly CheckRow[]
}

/** Converts the rows of the catalogue to the facts of a table. */
export function tableFacts(parts: TableParts): TableFacts {
  const { schema, table, columns } = parts
  const isView = /VIEW/.test(table.type)
  const indexes = Array.from(groupBy(parts.entries, ({ index }) => index).values(), (rows) => indexFacts(rows, columns))
  return stated<TableFacts>({
    schema,
    name: table.name,
    kind: isView ? 'view' : /partitioned/.test(table.options ?? '') ? 'partitioned' : 'table',
    rows: isView ? undefined : table.rows,
    readable: columns.length > 0,
    columns: columns.map((column) => columnFacts(column, parts)),
    keys: keysOf(indexes),
    foreignKeys: Array.from(groupBy(parts.foreignKeys, ({ name }) => name).values(), foreignKeyFacts),
    indexes: indexes.map(({ nullsDistinct: _, ...index }) => index),
  })
}

function columnFacts(
  { name, type, extra, length, precision, scale, digits, charset, collation, ...column }: ColumnRow,
  { engine, entries, checks }: TableParts,
): ColumnFacts {
  // MariaDB stores JSON as text with a JSON_VALID check that has the name of the column.
  const isJson = checks.some((check) => check.name === name && check.clause === `json_valid(\`${name}\`)`)
  const typeName = isJson ? 'json' : column.typeName
  // The count of a prefix is too low. The count of a later entry includes the entries before it.
  const first = entries.find(
    (entry, at) =>
      entry.column === name &&
      entry.method === 'BTREE' &&
      entry.prefix === null &&
      entries[at - 1]?.index !== entry.index,
  )
  return stated<ColumnFacts>({
    name,
    type,
    typeName,
    enum: typeName === 'enum' ? valuesOf(type) : undefined,
    notNull: column.nullable === 'NO',
    readable: true,
    default: engine === 'mariadb' ? ofMariadb(column.default) : ofMysql(column.default, typeName, extra),
    generated: /VIRTUAL GENERATED/.test(extra) ? 'virtual' : /STORED GENERATED/.test(extra) ? 'stored' : undefined,
    identity: /auto_increment/.test(extra) ? 'auto_increment' : undefined,
    charset,
    collation: collation === null ? undefined : { name: collation },
    length: /^(?:var)?(?:char|binary)$/.test(typeName) ? length : undefined,
    digits,
    ...(typeName === 'decimal' ? { precision, scale } : {}),
    distinct: first?.cardinality,
  })
}

const valuesOf = (type: string) =>
  Array.from(type.matchAll(/'((?:[^']|'')*)'/g), ([, value]) => value!.replaceAll("''", "'"))

/** A nullable column without a default has the text `NULL`. All other texts are SQL. */
const ofMariadb = (value: string | null): string | undefined => (value === null || value === 'NULL' ? undefined : value)

const numeric = /int$|^(?:decimal|float|double|year|bit)$/

/** MySQL escapes the quotes in an expression by a backslash. */
const expressionOf = (text: string): string => text.replaceAll(`\\'`, `'`)

/** MySQL prints a literal without its quotes. `EXTRA` marks an expression. */
function ofMysql(value: string | null, typeName: string, extra: string): string | undefined {
  if (value === null) return undefined
  if (/DEFAULT_GENERATED/.test(extra)) return expressionOf(value)
  if (numeric.test(typeName)) return value
  return `'${value.replaceAll("'", "''")}'`
}

function indexFacts(rows: readonly EntryRow[], columns: readonly ColumnRow[]): UniqueIndex {
  const [{ index, method, notUnique, invalid }] = rows as [EntryRow]
  return {
    name: index,
    method: method.toLowerCase(),
    unique: notUnique === 0,
    primary: index === 'PRIMARY',
    invalid: invalid === 1,
    include: [],
    entries: rows.map(({ column, expression, direction, prefix }) =>
      stated<IndexEntry>({
        column,
        expression: expression === null ? null : expressionOf(expression),
        descending: direction === 'D',
        nullsFirst: direction !== 'D',
        collation: columns.find(({ name }) => name === column)?.collation,
        prefix,
      }),
    ),
    nullsDistinct: true,
  }
}

const foreignKeyFacts = (rows: readonly ForeignKeyRow[]): ForeignKeyFacts => ({
  name: rows[0]!.name,
  columns: rows.map(({ column }) => column),
  table: [rows[0]!.parentSchema, rows[0]!.parent],
  key: rows.map(({ key }) => key),
  validated: true,
})
