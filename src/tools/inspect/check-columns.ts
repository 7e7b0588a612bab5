/** `checkColumns`: compares a mapping with a database and with some of its rows. */
import { and } from '../../tree/index.ts'
import { isPromised, type Collection } from '../../language/index.ts'
import { totalOrder, type Query } from '../../query/index.ts'
import { sqlBackend, type Name, type SqlBackend } from '../../backends/sql/index.ts'
import { checkOptions } from '../../options.ts'
import { check } from './check.ts'
import { described } from './column-findings.ts'
import type { Database } from './database.ts'
import type { Finding, FindingCode } from './finding.ts'
import { inspectTables } from './inspect.ts'
import { nameOf } from './names.ts'
import { rowsOf, type Run } from './run.ts'
import { usesOf, type Mapped } from './uses.ts'

/** Options of {@link checkColumns}. */
export interface CheckOptions extends Mapped {
  /** The number of rows to read. Default: 1,000. */
  readonly sample?: number
}

/**
 * Describes the tables of a mapping, compares them with the mapping, and reads some rows by `select`. It reports a value that the type of
 * its column cannot read. Call it at the start of a service, or in a test.
 *
 * @param run executes a statement, by the driver of the program.
 * @returns the differences, errors first. It reads rows only with a `collection`, and only if all tables, columns and types fit.
 * @throws TypeError if an option is wrong, or if `run` does not return rows.
 * @example
 * const schema = defineSchema({ id: field.integer({ required: true }), total: field.number() })
 * const options = { dialect: sqlite, table: table('orders', { schema, key: 'id' }) }
 * await checkColumns((text, parameters) => file.prepare(text).all(...parameters), options) // => []
 */
export async function checkColumns(run: Run, options: CheckOptions): Promise<readonly Finding[]> {
  const { sample = 1_000, ...mapped } = checkOptions(options, 'options', ['dialect', 'table', 'collection', 'sample'])
  const backend = sqlBackend({ dialect: mapped.dialect, table: mapped.table })
  const database = await describe(run, mapped, sample)
  const findings = check(database, mapped)
  const { collection } = mapped
  if (collection === undefined || findings.some(({ code }) => blocking.includes(code))) return findings
  const inRows = await rowFindings(run, database, backend, { ...mapped, collection }, sample)
  const has = (some: readonly Finding[], code: FindingCode, at: string) =>
    some.some((one) => one.code === code && one.path === at)
  // Each cause has one finding. `stored_form` replaces `values`, and `required_null` replaces `required_nullable`.
  return [
    ...inRows.filter(({ path }) => !has(findings, 'stored_form', path)),
    ...findings.filter(({ code, path }) => code !== 'required_nullable' || !has(inRows, 'required_null', path)),
  ]
}

/** After such a finding, the database can refuse the statement of `select`. */
const blocking: readonly FindingCode[] = ['table_missing', 'column_missing', 'column_type']

/** Describes the tables of the mapping, in the schemas that it names and in those of the search path. */
async function describe(run: Run, { dialect, table }: Mapped, sample: number): Promise<Database> {
  const names = [table.name, ...usesOf(dialect, table).tables.flatMap(({ table, parent }) => [table, parent])]
  const schemas = new Set(names.flatMap((name: Name) => (typeof name === 'string' ? [] : name.slice(0, -1))))
  // On other engines, a sample only counts different values, which `check` does not read.
  const options = { dialect, sample: dialect.engine === 'sqlite' ? sample : 0 }
  const tables = [...new Set(names.map((name) => [name].flat().at(-1)!))]
  const database = await inspectTables(run, options, tables)
  const others = [...schemas].filter((schema) => !database.schemas.some(({ name }) => name === schema))
  if (others.length === 0) return database
  const other = await inspectTables(run, { ...options, schema: others }, tables)
  return {
    ...database,
    schemas: [...database.schemas, ...other.schemas],
    tables: [...database.tables, ...other.tables],
  }
}

async function rowFindings(
  run: Run,
  database: Database,
  { select }: SqlBackend,
  { dialect, table, collection }: Mapped & { readonly collection: Collection },
  sample: number,
): Promise<Finding[]> {
  const query: Query = { filter: and(), asked: [], sort: totalOrder(collection, []), limit: sample, count: false }
  const { text, parameters, page } = select(query)
  const rows = (await rowsOf(run, text, parameters as string[])).map(asObject)
  const { rows: shown, unreadable = [] } = page(rows)
  const extent = rows.length > sample ? `the first ${sample} rows` : `all ${rows.length} rows`
  const columns = described(database, usesOf(dialect, table))
  const placeOf = (path: string) => {
    const one = columns.find(({ use }) => use.path === path)
    return one && { schema: one.table.schema, table: one.table.name, name: one.facts.name }
  }
  const bad = unreadable.map(({ path, column }): Finding => {
    const place = placeOf(path)
    return {
      level: 'error',
      code: 'values',
      path,
      message: `${place?.table ?? nameOf(table.name)}.${column} has values that its type cannot read (${extent}): rows show null for them`,
      fix: `a type of column('${column}', { type }) that reads them, or other values`,
      ...(place && { column: place }),
    }
  })
  const absent = Object.entries(collection.schema.fields)
    .filter(([name, field]) => isPromised(field) && !unreadable.some(({ path }) => path === name))
    .filter(([name]) => (shown as readonly Readonly<Record<string, unknown>>[]).some((row) => row[name] === null))
    .map(([path]): Finding => {
      const place = placeOf(path)
      const named = place === undefined ? path : `${place.table}.${place.name}`
      return {
        level: 'error',
        code: 'required_null',
        path,
        message: `${named} has rows with NULL (${extent}), and the field is required`,
        fix: `leave out required: true, or make the column NOT NULL`,
        ...(place && { column: place }),
      }
    })
  return [...bad, ...absent]
}

/** Converts a row to an object, because some drivers return arrays. */
const asObject = (row: unknown): unknown =>
  Array.isArray(row) ? Object.fromEntries(row.map((value, at) => [`c${at + 1}`, value])) : row
