/** `inspect`: describes a database. */
import type { Dialect } from '../../backends/sql/index.ts'
import { checkOptions } from '../../options.ts'
import type { Database, Engine } from './database.ts'
import { inspectDuckdb } from './duckdb.ts'
import { inspectMysql } from './mysql.ts'
import { inspectPostgres } from './postgres.ts'
import type { Run } from './run.ts'
import { inspectSqlite } from './sqlite.ts'

/** Options of {@link inspect}. */
export interface InspectOptions {
  /** The dialect of the mapping. Its `engine` decides which catalogue is read. */
  readonly dialect: Dialect
  /** The schemas to describe. On MySQL and MariaDB, a schema is a database. Default: the schemas of the search path. */
  readonly schema?: string | readonly string[]
  /** SQLite, MySQL and MariaDB: the number of rows to sample in each table. 0 samples no rows. Default: 1,000. */
  readonly sample?: number | 'all'
}

/**
 * Reads the catalogue of an engine.
 *
 * @param tables the names of the only tables to describe. An engine whose catalogue is fast may describe others, too.
 */
type Inspect = (
  run: Run,
  schemas: readonly string[] | undefined,
  sample: number | 'all',
  tables: readonly string[] | undefined,
) => Promise<Database>

const inspects: Readonly<Record<Engine, Inspect>> = {
  postgres: inspectPostgres,
  mysql: inspectMysql,
  mariadb: inspectMysql,
  duckdb: inspectDuckdb,
  sqlite: inspectSqlite,
}

/**
 * Reads the catalogue of a database: its tables, columns, keys, foreign keys and indexes, and the settings of the session. It writes
 * nothing.
 *
 * @param run executes a statement, by the driver of the program.
 * @throws TypeError if an option is wrong, or if `run` does not return rows.
 * @example
 * const described = await inspect((text, parameters) => file.prepare(text).all(...parameters), { dialect: sqlite })
 * described.engine // => 'sqlite'
 */
export const inspect = async (run: Run, options: InspectOptions): Promise<Database> => inspectTables(run, options)

/** Describes some tables, for a mapping. */
export async function inspectTables(run: Run, options: InspectOptions, tables?: readonly string[]): Promise<Database> {
  const { dialect, schema, sample = 1_000 } = checkOptions(options, 'options', ['dialect', 'schema', 'sample'])
  if (sample !== 'all' && !(Number.isSafeInteger(sample) && sample >= 0)) {
    throw new TypeError(`options.sample must be a number of rows, or 'all', not ${String(sample)}`)
  }
  const schemas = schema === undefined ? undefined : typeof schema === 'string' ? [schema] : schema
  if (schemas?.length === 0) throw new TypeError('options.schema is an empty list: name a schema, or leave it out')
  const { name, engine } = dialect
  if (engine === undefined) {
    throw new TypeError(
      `the dialect ${name} has no engine: inspect knows catalogues of ${Object.keys(inspects).join(', ')}`,
    )
  }
  return inspects[engine](run, schemas, sample, tables)
}
