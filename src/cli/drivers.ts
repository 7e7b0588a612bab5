/** Lists the drivers of each kind of database. Each driver opens a read-only session. */
import type { Run } from '../tools/inspect/index.ts'

/** A session of a driver. */
export interface Session {
  readonly run: Run
  readonly close: () => unknown
}

interface Driver {
  /** The name of the package or of the Node module. */
  readonly name: string
  /** @param driver the imported module. Its type is `any`, because this package does not depend on drivers. */
  readonly open: (driver: any, target: string) => Session | Promise<Session>
}

/** A kind of database. */
export interface Kind {
  /** In order of preference: the first driver that the project has opens the session. */
  readonly drivers: readonly Driver[]
  /** These statements set the session to read-only. Some drivers have no option for it. */
  readonly settings: readonly string[]
  /** The name of the dialect. */
  readonly dialectOf: (run: Run) => string | Promise<string>
}

const timeout = 10_000

const postgres: Kind = {
  settings: ['SET default_transaction_read_only = on', `SET statement_timeout = '10s'`],
  dialectOf: () => 'postgres',
  drivers: [
    {
      name: 'pg',
      open: async ({ Client }, connectionString) => {
        const client = new Client({ connectionString, connectionTimeoutMillis: timeout, application_name: 'urlwhere' })
        // The waiting statement rejects with the same error. Without a listener, the event ends the process.
        client.on('error', () => undefined)
        await client.connect()
        return {
          run: async (text, values) => (await client.query(text, values)).rows,
          close: () => client.end(),
        }
      },
    },
    {
      name: 'postgres',
      open: (connect, url) => {
        const connection = { application_name: 'urlwhere' }
        // The statements of `settings` apply to one connection only.
        const client = connect(url, { max: 1, connect_timeout: timeout / 1_000, onnotice: () => undefined, connection })
        return {
          run: async (text, parameters) => Array.from(await client.unsafe(text, parameters)),
          close: () => client.end({ timeout: 0 }),
        }
      },
    },
  ],
}

const mysql: Kind = {
  settings: ['SET SESSION TRANSACTION READ ONLY'],
  // A URL with either scheme can lead to MySQL or to MariaDB. The version names the engine.
  dialectOf: async (run) =>
    /mariadb/i.test(JSON.stringify(await run('SELECT VERSION() AS c1', []))) ? 'mariadb' : 'mysql',
  drivers: [
    {
      name: 'mysql2/promise',
      open: async ({ createConnection }, url) => {
        const uri = url.replace(/^mariadb:/, 'mysql:')
        const connection = await createConnection({ uri, connectTimeout: timeout })
        connection.on('error', () => undefined)
        return {
          run: async (text, parameters) => (await connection.execute(text, parameters))[0],
          close: () => connection.destroy(),
        }
      },
    },
    {
      name: 'mariadb',
      open: async ({ createConnection }, url) => {
        const connection = await createConnection(url)
        connection.on('error', () => undefined)
        return {
          run: async (text, parameters) => Array.from(await connection.query(text, parameters)),
          close: () => connection.destroy(),
        }
      },
    },
  ],
}

const sqlite: Kind = {
  settings: [],
  dialectOf: () => 'sqlite',
  drivers: [
    {
      name: 'node:sqlite',
      open: ({ DatabaseSync }, file) => {
        const database = new DatabaseSync(file, { readOnly: true })
        return { run: (text, parameters) => database.prepare(text).all(...parameters), close: () => database.close() }
      },
    },
  ],
}

const duckdb: Kind = {
  settings: [],
  dialectOf: () => 'duckdb',
  drivers: [
    {
      name: '@duckdb/node-api',
      open: async ({ DuckDBInstance, LIST, DOUBLE, BOOLEAN, VARCHAR, listValue }, file) => {
        const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
        const connection = await instance.connect()
        // The driver derives the type of a list from its first value.
        const typeOf = (value: unknown): unknown => {
          if (Array.isArray(value)) return LIST(typeOf(value[0]))
          return typeof value === 'number' ? DOUBLE : typeof value === 'boolean' ? BOOLEAN : VARCHAR
        }
        return {
          run: async (text, parameters) => {
            const values = parameters.map((value: unknown) => (Array.isArray(value) ? listValue(value) : value))
            return (await connection.runAndReadAll(text, values, parameters.map(typeOf))).getRowObjectsJS()
          },
          close: () => {
            connection.closeSync()
            instance.closeSync()
          },
        }
      },
    },
  ],
}

/** The kind of database for the scheme of a URL. */
export const kindOfScheme: ReadonlyMap<string, Kind> = new Map([
  ['postgres', postgres],
  ['postgresql', postgres],
  ['mysql', mysql],
  ['mariadb', mysql],
])

/** The kind of database for the first bytes of a file. */
export const kindsOfFiles: readonly { readonly at: number; readonly bytes: string; readonly kind: Kind }[] = [
  { at: 0, bytes: 'SQLite format 3\0', kind: sqlite },
  { at: 8, bytes: 'DUCK', kind: duckdb },
]
