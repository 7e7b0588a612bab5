/** The store of the demo in MySQL or MariaDB: tables whose names begin with `urlwhere_demo_`. */
import type { EventEmitter } from 'node:events'
import driver from 'mariadb'
import { mariadb, mysql, type Dialect } from '../../src/backends/sql/index.ts'
import { sqlStore } from './sql.ts'
import type { Row } from './tables.ts'
import type { Store } from './store.ts'

/** With the collation that compares as the language does: the one has not the other's. */
const dialects: Readonly<Record<string, { readonly dialect: Dialect; readonly collation: string }>> = {
  'mysql:': { dialect: mysql, collation: 'utf8mb4_0900_bin' },
  'mariadb:': { dialect: mariadb, collation: 'utf8mb4_nopad_bin' },
}

export async function mysqlStore(text: string): Promise<Store> {
  const url = new URL(text)
  const { dialect, collation } = dialects[url.protocol]!
  // The one driver serves both.
  url.protocol = 'mariadb:'
  url.searchParams.set('acquireTimeout', '3000')

  const pool = driver.createPool(url.href)
  /** Another pool: the first may have no connection left when there is a statement to end. */
  const ending = driver.createPool(`${url.href}&connectionLimit=1`)
  // A connection failed to open. The request that needs it fails too. The driver's types lack the event.
  for (const one of [pool, ending]) (one as unknown as EventEmitter).on('error', () => {})

  return sqlStore({
    dialect,
    namespace: 'urlwhere_demo_',
    declared: {
      string: 'VARCHAR(200)',
      uuid: 'CHAR(36)',
      integer: 'INT',
      bigint: 'BIGINT',
      number: 'DOUBLE',
      decimal: 'DECIMAL(38, 10)',
      boolean: 'BOOLEAN',
      date: 'DATE',
      datetime: 'DATETIME(3)',
      time: 'TIME(6)',
      json: 'JSON',
    },
    options: ` CHARACTER SET utf8mb4 COLLATE ${collation}`,
    lowered: undefined,
    fill: async (statements) => {
      // Not the pool's, which tries again for seconds before it reports an error.
      const connection = await driver.createConnection(url.href)
      try {
        for (const { text, parameters } of statements) await connection.query(text, [...parameters])
      } finally {
        await connection.end()
      }
    },
    // The driver keeps the statements that a connection has prepared, by their text.
    select: async ({ text, parameters }, { signal }) => {
      const connection = await pool.getConnection()
      let ended: Promise<unknown> | undefined
      const end = () => (ended = ending.query(`KILL QUERY ${connection.threadId}`).catch(() => {}))
      signal.addEventListener('abort', end)
      try {
        signal.throwIfAborted()
        return await connection.execute<Row[]>(text, [...parameters])
      } finally {
        signal.removeEventListener('abort', end)
        await ended
        // A late KILL would end the statement of the next request.
        if (ended === undefined) await connection.release()
        else connection.destroy()
      }
    },
    close: async () => void (await Promise.all([pool.end(), ending.end()])),
  })
}
