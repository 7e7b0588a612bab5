/** The store of the demo in PostgreSQL: tables in the schema `urlwhere_demo`. */
import pg from 'pg'
import { postgres } from '../../src/backends/sql/index.ts'
import { sqlStore } from './sql.ts'
import type { Store } from './store.ts'
import type { Asked, Row } from './tables.ts'

type Run = (text: string, values: readonly unknown[]) => Promise<Row[]>

const maxPrepared = 200

/** The setting of a transaction with the sellers of its caller, as JSON. Without it, no row is visible. */
const setting = 'urlwhere_demo.sellers'
const sellers = `NULLIF(current_setting('${setting}', true), '')::jsonb`
/** PostgreSQL applies no policy to a superuser, so a superuser reads as this role. */
const reader = 'urlwhere_demo_reader'
// A SELECT around the setting runs once for a statement, and not for each row.
const ofSeller = `(SELECT ${sellers} = '"all"') OR (SELECT ${sellers}) ? seller`
const policies = Object.entries({
  orders: ofSeller,
  order_items: 'EXISTS (SELECT FROM urlwhere_demo.orders WHERE id = order_id)',
  experiences: ofSeller,
}).map(
  ([table, isSeen]) => `ALTER TABLE urlwhere_demo.${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY caller ON urlwhere_demo.${table} FOR SELECT USING (${isSeen})`,
)
const grants = `DO $$ BEGIN CREATE ROLE ${reader}; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$;
  GRANT USAGE ON SCHEMA urlwhere_demo TO ${reader};
  GRANT SELECT ON urlwhere_demo.orders, urlwhere_demo.order_items, urlwhere_demo.experiences TO ${reader}`

export function postgresStore(url: string): Promise<Store> {
  const options = { connectionString: url, connectionTimeoutMillis: 3_000 }
  const pool = new pg.Pool(options)
  /** Another pool: the first may have no connection left when there is a statement to cancel. */
  const cancelling = new pg.Pool({ ...options, max: 1 })
  // An idle connection broke. The next request opens another one, or fails.
  for (const one of [pool, cancelling]) one.on('error', () => {})
  // A connection broke between two statements of a transaction. The next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  /** The role that reads; `none` is the user of the connection. */
  let role = 'none'

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
      time: 'time',
      json: 'jsonb',
    },
    options: '',
    lowered: (column) => `lower(${column} COLLATE "default") COLLATE "C"`,
    fill: async (statements) => {
      const client = await pool.connect()
      try {
        await client.query('BEGIN; CREATE SCHEMA IF NOT EXISTS urlwhere_demo')
        for (const { text, parameters } of statements) await client.query(text, [...parameters])
        for (const policy of policies) await client.query(policy)
        const own = 'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user'
        if ((await client.query<{ bypasses: boolean }>(own)).rows[0]!.bypasses) {
          await client.query(grants)
          role = reader
        }
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    },
    select: async ({ text, parameters }, asked) => asCaller(asked, (run) => run(text, parameters)),
    transaction: asCaller,
    close: async () => void (await Promise.all([pool.end(), cancelling.end()])),
  })

  /** Reads as a caller, in a transaction whose settings end with it. */
  async function asCaller<T>({ principal, signal }: Asked, work: (run: Run) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let cancel = () => {}
    // The client of a request that ended while it waited has done nothing.
    let isBroken = !signal.aborted
    try {
      signal.throwIfAborted()
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const identify = "SELECT set_config('role', $1, true), set_config($2, $3, true), pg_backend_pid() AS pid"
      const values = [role, setting, JSON.stringify(principal.sellers)]
      const { pid } = (await client.query<{ pid: number }>(identify, values)).rows[0]!
      cancel = () => void cancelling.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => {})
      signal.addEventListener('abort', cancel)
      signal.throwIfAborted()
      const result = await work(
        async (text, values) => (await client.query<Row>({ name: nameOf(text), text, values: [...values] })).rows,
      )
      await client.query('COMMIT')
      isBroken = signal.aborted
      return result
    } finally {
      signal.removeEventListener('abort', cancel)
      // `true` closes the connection: a late cancellation ends no statement of another request.
      client.release(isBroken)
    }
  }
}
