/** What the drivers' own types must take: a condition goes into each of them without a cast. Checked by `tsc`; never run. */
import type { DatabaseSync } from 'node:sqlite'
import type { PGlite } from '@electric-sql/pglite'
import type BetterSqlite from 'better-sqlite3'
import type { Connection as MariadbConnection } from 'mariadb'
import type { Connection as Mysql2Connection } from 'mysql2/promise'
import type { Client, Pool } from 'pg'
import type { SqlWhere } from '../../../src/backends/sql/index.ts'

interface Drivers {
  readonly pg: Client | Pool
  readonly pglite: PGlite
  readonly mysql2: Mysql2Connection
  readonly mariadb: MariadbConnection
  readonly nodeSqlite: DatabaseSync
  readonly betterSqlite: BetterSqlite.Database
}

export async function goesInto(
  { pg, pglite, mysql2, mariadb, nodeSqlite, betterSqlite }: Drivers,
  { text, parameters }: SqlWhere,
): Promise<void> {
  const statement = `SELECT id FROM orders WHERE ${text}`
  await pg.query(statement, parameters)
  await pg.query({ name: 'orders', text: statement, values: parameters })
  await pglite.query(statement, parameters)
  await mysql2.query(statement, parameters)
  await mysql2.execute(statement, parameters)
  await mariadb.query(statement, parameters)
  await mariadb.execute(statement, parameters)
  nodeSqlite.prepare(statement).all(...parameters)
  betterSqlite.prepare(statement).all(parameters)
  betterSqlite.prepare(statement).all(...parameters)
}
