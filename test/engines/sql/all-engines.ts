/** SQLite, PGlite, DuckDB and the servers of the environment, for tests that run on every engine. */
import { afterAll } from 'vitest'
import { isComplete } from '../../effort.ts'
import { openDuckdb } from './duckdb.ts'
import { openEngines, type Engine } from './engines.ts'

export type DialectName = 'postgres' | 'mysql' | 'mariadb' | 'sqlite' | 'duckdb'

/** The dialect of an engine, whatever its version, setting and protocol. */
export const dialectOf = ({ name }: Engine) =>
  (/^(pglite|postgres)\b/.test(name) ? 'postgres' : name.split(',', 1)[0]!) as DialectName

/** DuckDB, which a quick run leaves out of most files: it takes them a tenth of their time. */
export const openDuckdbIf = async (isWanted: boolean): Promise<readonly Engine[]> =>
  isWanted ? [await openDuckdb()] : []

/** Opens the engines, and closes them after the tests. A quick run leaves out engines that differ in the lower-casing alone. */
export async function openAllEngines(hasDuckdb = isComplete): Promise<readonly Engine[]> {
  const engines = [
    ...(await openEngines((name) => isComplete || !name.includes(','))),
    ...(await openDuckdbIf(hasDuckdb)),
  ]
  afterAll(async () => {
    for (const engine of engines) await engine.close()
  })
  for (const engine of engines) {
    if (!['mariadb', 'mysql'].includes(dialectOf(engine))) continue
    // These engines read TIMESTAMP columns in the zone of the session.
    for (const run of [engine.run, ...Object.values(engine.protocols ?? {})]) await run(`SET time_zone = '+00:00'`)
  }
  return engines
}
