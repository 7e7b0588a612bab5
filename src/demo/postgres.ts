/** The store of the demo in PostgreSQL: tables in the schema `urlwhere_demo`. */
import pg from 'pg'
import { postgres } from '../backends/sql/index.ts'
import { sqlStore } from './sql.ts'
import type { Store } from './store.ts'

const maxPrepared = 200

export function postgresStore(url: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 3_000 })
  // An idle connection broke. The next request opens another one, or fails.
  pool.on('error', () => {})

  /** A statement with a name is prepared once per connection, for as long as that lives: so many names, and no more. */
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < maxPrepared) names.set(text, `urlwhere_${names.size}`)
    return names.get(text)
  }

  return sqlStore({
    dialect: postgres,
    namespace: 'urlwhere_demo.',
    declared: {
      string: 'text',
      uuid: 'uuid',
      integer: 'integer',
      bigint: 'bigint',
      number: 'double precision',
      decimal: 'numeric',
      boolean: 'boolean',
      date: 'date',
      datetime: 'timestamptz',
      json: 'jsonb',
    },
    options: '',
    lowered: (column) => `lower(${column} COLLATE "default") COLLATE "C"`,
    fill: async (statements) => {
      const client = await pool.connect()
      try {
        await client.query('BEGIN; CREATE SCHEMA IF NOT EXISTS urlwhere_demo')
        for (const { text, parameters } of statements) await client.query(text, [...parameters])
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    },
    select: async ({ text, parameters }) => {
      const { rows } = await pool.query<Record<string, unknown>>({ name: nameOf(text), text, values: [...parameters] })
      return rows
    },
    close: () => pool.end(),
  })
}
