/** `checkColumns`: the mapping against the database, and against the rows that it has. */
import { and } from '../../tree/index.ts'
import type { Collection } from '../../language/index.ts'
import { totalOrder, type Query } from '../../query/index.ts'
import { sqlBackend, type Name, type SqlBackend } from '../../backends/sql/index.ts'
import { checkOptions } from '../../options.ts'
import { check } from './check.ts'
import { described } from './column-findings.ts'
import type { Database } from './database.ts'
import type { Finding, FindingCode } from './finding.ts'
import { inspect } from './inspect.ts'
import { nameOf } from './names.ts'
import { rowsOf, type Run } from './run.ts'
import { usesOf, type Mapped } from './uses.ts'

/** Options of {@link checkColumns}. */
export interface CheckOptions extends Mapped {
  /** How many rows are read. Default: 1,000. */
  readonly sample?: number
}

/**
 * Describes the tables of a mapping, compares them with it, and reads some rows as `select` does: a value that the type of its column
 * cannot read is a finding. Call it at the start of a service, or in a test.
 *
 * @param run executes a statement, by the driver of the program.
 * @returns what differs, errors first. Rows are read only with a `collection`, and only if the statement of `select` can run.
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
  // One finding for one cause: the description of SQLite knows the forms, and the rows know the NULLs.
  return [
    ...inRows.filter(({ path }) => !has(findings, 'stored_form', path)),
    ...findings.filter(({ code, path }) => code !== 'required_nullable' || !has(inRows, 'required_null', path)),
  ]
}

/** With these, the statement of `select` may be an error of the database. */
const blocking: readonly FindingCode[] = ['table_missing', 'column_missing', 'column_type']

/** The description of the schemas that the mapping names, and of those in which the engine looks for other tables. */
async function describe(run: Run, { dialect, table }: Mapped, sample: number): Promise<Database> {
  const names = [table.name, ...usesOf(dialect, table).tables.flatMap(({ table, parent }) => [table, parent])]
  const schemas = new Set(names.flatMap((name: Name) => (typeof name === 'string' ? [] : name.slice(0, -1))))
  const database = await inspect(run, { dialect, sample })
  const others = [...schemas].filter((schema) => !database.schemas.some(({ name }) => name === schema))
  if (others.length === 0) return database
  const { schemas: more, tables } = await inspect(run, { dialect, sample, schema: others })
  return { ...database, schemas: [...database.schemas, ...more], tables: [...database.tables, ...tables] }
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
  const told = rows.length > sample ? `the first ${sample} rows` : `all ${rows.length} rows`
  const placeOf = (path: string) => {
    const one = described(database, usesOf(dialect, table)).find(({ use }) => use.path === path)
    return one && { schema: one.table.schema, table: one.table.name, name: one.facts.name }
  }
  const bad = unreadable.map(({ path, column }): Finding => {
    const place = placeOf(path)
    return {
      level: 'error',
      code: 'values',
      path,
      message: `${place?.table ?? nameOf(table.name)}.${column} has values that its type cannot read (${told}): rows show null for them`,
      fix: `a type of column('${column}', { type }) that reads them, or other values`,
      ...(place && { column: place }),
    }
  })
  const absent = Object.entries(collection.schema.fields)
    .filter(([name, field]) => isRequiredScalar(field) && !unreadable.some(({ path }) => path === name))
    .filter(([name]) => (shown as readonly Readonly<Record<string, unknown>>[]).some((row) => row[name] === null))
    .map(([path]): Finding => {
      const place = placeOf(path)
      const named = place === undefined ? path : `${place.table}.${place.name}`
      return {
        level: 'error',
        code: 'required_null',
        path,
        message: `${named} has rows with NULL (${told}), and the field is required`,
        fix: `leave out required: true, or make the column NOT NULL`,
        ...(place && { column: place }),
      }
    })
  return [...bad, ...absent]
}

const isRequiredScalar = (field: object): boolean =>
  Object.hasOwn(field, 'required') && (field as { readonly required?: unknown }).required === true

/** A row as `page` reads it: some drivers return lists of values. */
const asObject = (row: unknown): unknown =>
  Array.isArray(row) ? Object.fromEntries(row.map((value, at) => [`c${at + 1}`, value])) : row
