/**
 * The description of a database of DuckDB, by the functions of its catalogue. They list attached files too.
 *
 * @see https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions
 */
import { own } from '../../own.ts'
import type { ColumnFacts, Database, ForeignKeyFacts, IndexEntry, Session, TableFacts } from './database.ts'
import { keysOf, type UniqueIndex } from './keys.ts'
import { expressionOf, listOf } from './list-text.ts'
import { ask, groupBy, stated, type Run } from './run.ts'

interface TableRow {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly rows: number | null
  readonly sql: string
}
/** The rows of the catalogue for one table. */
interface OfTable {
  readonly schema: string
  readonly table: string
}
interface ColumnRow extends OfTable {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | null
  readonly precision: number | null
  readonly scale: number | null
}
interface ConstraintRow extends OfTable {
  readonly type: 'PRIMARY KEY' | 'UNIQUE' | 'FOREIGN KEY'
  readonly name: string
  readonly columns: readonly string[]
  readonly parent: string | null
  readonly key: readonly string[]
}
interface IndexRow extends OfTable {
  readonly name: string
  readonly unique: boolean
  readonly sql: string
}
type SessionRow = Omit<Session, 'searchPath'> & { readonly path: readonly string[]; readonly schema: string }

// `default_order` changes ORDER BY without a direction, so each ORDER BY below has ASC.
const sessionText = `SELECT to_json({
  'version': version(), 'path': current_schemas(false), 'schema': current_schema(), 'timeZone': current_setting('TimeZone'),
  'defaultCollation': current_setting('default_collation'), 'defaultOrder': CASE WHEN current_setting('default_order') ILIKE 'desc%' THEN 'descending' ELSE 'ascending' END,
  'defaultNullOrder': lower(current_setting('default_null_order'))
})::VARCHAR AS c1`

const asked = `(SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')))`
const isOurs = `database_name = current_database() AND NOT internal AND schema_name IN ${asked}`

// The catalogue calls the schema main internal, but it contains the tables of users.
const schemasText = `SELECT to_json([schema_name])::VARCHAR AS c1 FROM duckdb_schemas()
WHERE database_name = current_database() AND schema_name IN ${asked}`

const tablesText = `SELECT to_json({
  'schema': schema_name, 'name': name, 'kind': kind, 'rows': rows, 'sql': sql
})::VARCHAR AS c1 FROM (
  SELECT database_name, internal, schema_name, table_name AS name, 'table' AS kind, estimated_size AS rows, sql FROM duckdb_tables()
  UNION ALL
  SELECT database_name, internal, schema_name, view_name, 'view', NULL, sql FROM duckdb_views()
) WHERE ${isOurs} ORDER BY schema_name ASC, name ASC`

const columnsText = `SELECT to_json({
  'schema': schema_name, 'table': table_name, 'name': column_name, 'type': data_type, 'nullable': is_nullable,
  'default': column_default, 'precision': numeric_precision, 'scale': numeric_scale
})::VARCHAR AS c1 FROM duckdb_columns() WHERE ${isOurs} ORDER BY schema_name ASC, table_name ASC, column_index ASC`

const constraintsText = `SELECT to_json({
  'schema': schema_name, 'table': table_name, 'type': constraint_type, 'name': constraint_name,
  'columns': constraint_column_names, 'parent': referenced_table, 'key': referenced_column_names
})::VARCHAR AS c1 FROM duckdb_constraints()
WHERE database_name = current_database() AND schema_name IN ${asked} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name ASC, table_name ASC, constraint_index ASC`

const indexesText = `SELECT to_json({
  'schema': schema_name, 'table': table_name, 'name': index_name, 'unique': is_unique, 'sql': sql
})::VARCHAR AS c1 FROM duckdb_indexes()
WHERE database_name = current_database() AND schema_name IN ${asked} ORDER BY schema_name ASC, table_name ASC, index_name ASC`

export async function inspectDuckdb(run: Run, schemas: readonly string[] | undefined): Promise<Database> {
  const [{ path, schema, ...session }] = (await ask<SessionRow>(run, sessionText)) as [SessionRow]
  // The path is empty until a statement sets it. It can name a schema of several files.
  const searchPath = path.length === 0 ? [schema] : [...new Set(path)]
  const names = schemas ?? searchPath
  const parameters = [JSON.stringify(names)]
  const of = async <T extends OfTable>(text: string) =>
    groupBy(await ask<T>(run, text, parameters), ({ schema, table }) => JSON.stringify([schema, table]))
  const existing = (await ask<readonly [string]>(run, schemasText, parameters)).map(([name]) => name)
  const tables = await ask<TableRow>(run, tablesText, parameters)
  const columns = await of<ColumnRow>(columnsText)
  const constraints = await of<ConstraintRow>(constraintsText)
  const indexes = await of<IndexRow>(indexesText)
  return {
    engine: 'duckdb',
    session: { ...session, searchPath },
    schemas: names.map((name) => ({ name, access: existing.includes(name) ? 'readable' : 'missing' })),
    tables: tables.map((table) => {
      const key = JSON.stringify([table.schema, table.name])
      return tableFacts(table, columns.get(key) ?? [], constraints.get(key) ?? [], indexes.get(key) ?? [])
    }),
  }
}

/** Converts the rows of the catalogue to the facts of a table. */
export function tableFacts(
  { schema, name, kind, rows, sql }: TableRow,
  columns: readonly ColumnRow[],
  constraints: readonly ConstraintRow[],
  indexes: readonly IndexRow[],
): TableFacts {
  const definitions = new Map(
    (kind === 'table' ? listOf(sql).parts : []).map((part) => [unquoted(nameIn(part)), bare(part)]),
  )
  const all = [...constraints.flatMap(indexOfConstraint), ...indexes.map((index) => indexFacts(index, columns))]
  return stated<TableFacts>({
    schema,
    name,
    kind,
    rows,
    readable: columns.length > 0,
    columns: columns.map((column) => columnFacts(column, definitions.get(column.name))),
    keys: keysOf(all),
    foreignKeys: constraints.flatMap((constraint) => foreignKeyOf(constraint)),
    indexes: all.map(({ nullsDistinct: _, ...index }) => index),
  })
}

const unquoted = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name)
/** Reads the name at the start of a definition. */
const nameIn = (definition: string) => /^(?:"(?:[^"]|"")*"|\w+)/.exec(definition)?.[0] ?? ''

/** Removes texts, quoted names and parentheses from a definition. */
function bare(definition: string): string {
  let text = definition.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '')
  for (let inner = ''; inner !== text; text = text.replace(/\([^()]*\)/g, '')) inner = text
  return text
}

/** @param definition the definition of the column in CREATE TABLE. The catalogue has no collation and no mark of generated columns. */
function columnFacts(
  { name, type, nullable, precision, scale, ...column }: ColumnRow,
  definition?: string,
): ColumnFacts {
  const entry = /^([^]*)\[\d*\]$/.exec(type)?.[1]
  const typeName = bare(type)
    .replace(/\[\d*\]/g, '')
    .trim()
  const isGenerated = definition !== undefined && /\bGENERATED ALWAYS AS\b/.test(definition)
  const collation = /\bCOLLATE ([\w.]+)/.exec(definition ?? '')?.[1]?.toLowerCase() ?? 'default'
  return stated<ColumnFacts>({
    name,
    type,
    entry,
    typeName,
    enum: typeName === 'ENUM' ? valuesOf(type) : undefined,
    notNull: !nullable,
    readable: true,
    default: isGenerated ? undefined : column.default,
    generated: isGenerated ? 'virtual' : undefined,
    collation: typeName === 'VARCHAR' && definition !== undefined ? { name: collation } : undefined,
    digits: own(digits, typeName),
    ...(typeName === 'DECIMAL' ? { precision, scale } : {}),
  })
}

/** @see https://duckdb.org/docs/stable/sql/data_types/timestamp */
const digits: Readonly<Record<string, number | undefined>> = {
  TIMESTAMP: 6,
  'TIMESTAMP WITH TIME ZONE': 6,
  TIMESTAMP_S: 0,
  TIMESTAMP_MS: 3,
  TIMESTAMP_NS: 9,
  TIME: 6,
  'TIME WITH TIME ZONE': 6,
}

const valuesOf = (type: string) =>
  Array.from(type.matchAll(/'((?:[^']|'')*)'/g), ([, value]) => value!.replaceAll("''", "'"))

const art = { method: 'art', invalid: false, include: [], nullsDistinct: true }
// An ART index finds equal values. It serves no order.
const plain = { descending: false, nullsFirst: false }

const indexOfConstraint = ({ type, name, columns }: ConstraintRow): readonly UniqueIndex[] =>
  type === 'FOREIGN KEY'
    ? []
    : [
        {
          ...art,
          name,
          unique: true,
          primary: type === 'PRIMARY KEY',
          entries: columns.map((column) => ({ ...plain, column })),
        },
      ]

function indexFacts({ name, unique, sql }: IndexRow, columns: readonly ColumnRow[]): UniqueIndex {
  const entries = listOf(sql).parts.map((part): IndexEntry => {
    const column = unquoted(part)
    if (columns.some(({ name }) => name === column)) return { ...plain, column }
    return { ...plain, expression: expressionOf(part) }
  })
  return { name, ...art, unique, primary: false, entries }
}

const foreignKeyOf = ({ type, name, schema, columns, parent, key }: ConstraintRow): readonly ForeignKeyFacts[] =>
  type === 'FOREIGN KEY' ? [{ name, columns, table: [schema, parent!], key, validated: true }] : []
