/** The store of the demo in SQLite: a file in a folder of its own, which goes when the store is closed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { simpleLowerCase, sqlite } from '../../src/backends/sql/index.ts'
import { sqlStore } from './sql.ts'
import type { Statement } from './tables.ts'
import type { Store } from './store.ts'

const maxPrepared = 200

/** Waits for nothing outside this process: a signal finds no store, or all of it. */
export async function sqliteStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'urlwhere-demo-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Also where the process ends and nobody closes the store.
  process.once('exit', remove)
  const database = new DatabaseSync(join(folder, 'demo.sqlite'))
  // Its own lower() knows ASCII only.
  database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
  // A file that nobody opens again needs to survive no crash.
  database.exec('PRAGMA synchronous = OFF')

  /** By text, the one that was used last at the end. */
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.delete(text)
    prepared.set(text, statement)
    if (prepared.size > maxPrepared) prepared.delete(prepared.keys().next().value!)
    return statement
  }
  const valuesOf = ({ parameters }: Statement) => parameters as SQLInputValue[]

  return sqlStore({
    dialect: { ...sqlite, lower: 'urlwhere_lower' },
    namespace: '',
    declared: {
      string: 'TEXT',
      uuid: 'TEXT',
      integer: 'INTEGER',
      bigint: 'INTEGER',
      number: 'REAL',
      decimal: 'TEXT',
      boolean: 'INTEGER',
      date: 'TEXT',
      datetime: 'TEXT',
      time: 'TEXT',
      json: 'TEXT',
    },
    options: ' STRICT',
    lowered: (column) => `urlwhere_lower(${column})`,
    fill: (statements) => {
      database.exec('BEGIN')
      for (const statement of statements) prepare(statement.text).run(...valuesOf(statement))
      database.exec('COMMIT')
      return Promise.resolve()
    },
    select: (statement) => prepare(statement.text).all(...valuesOf(statement)),
    close: () => {
      database.close()
      process.off('exit', remove)
      remove()
      return Promise.resolve()
    },
  })
}
