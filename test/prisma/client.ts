/** Clients of Prisma, generated from the text of a schema, on the databases that are present. Prisma is installed apart. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as sql from '../engines/sql/engines.ts'

const home = import.meta.dirname
/** Whether `npm --prefix test/prisma ci` has been run. */
export const isInstalled = existsSync(join(home, 'node_modules/prisma/package.json'))

/** What the tests call of a generated client. */
export interface Model {
  findMany(args: object): Promise<Record<string, unknown>[]>
  count(args: object): Promise<number>
  create(args: object): Promise<unknown>
}
export type Client = Readonly<Record<string, Model>> & {
  readonly $disconnect: () => Promise<void>
  readonly $queryRaw: (statement: object) => Promise<unknown[]>
}
type Adapter = new (options: object, more?: object) => unknown

/** Loads a package from the node_modules of this folder. Its name is a variable: the type checker must pass where the package is not installed. */
const load = async (name: string): Promise<Record<string, Adapter>> =>
  (await import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href)) as Record<string, Adapter>

/** A place of its own in a database. */
export interface Database {
  readonly provider: 'postgresql' | 'mysql' | 'sqlite'
  /** Runs a statement, not through Prisma. */
  readonly run: sql.Engine['run']
  /** What the backend is told of it. */
  readonly collation?: string
  readonly quote: (name: string) => string
  readonly placeholder: (index: number) => string
  readonly declared: Readonly<Record<string, string>>
  readonly stored: sql.Engine['stored']
  readonly adapter: () => Promise<unknown>
  readonly close: () => Promise<void>
}

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
const own = (): string => `urlwhere_prisma_${randomUUID().slice(0, 8)}`
const quoted =
  (mark: string) =>
  (name: string): string =>
    mark + name + mark

async function openPostgres(url: string): Promise<Database> {
  const { run, stored, close } = await sql.openPostgres(url)
  const schema = own()
  await run(`CREATE SCHEMA ${schema}`)
  await run(`SET search_path = ${schema}`)
  return {
    provider: 'postgresql',
    run,
    quote: quoted('"'),
    placeholder: (index) => `$${index}`,
    declared: { ...sql.postgresColumns, datetime: 'timestamp(3)' },
    stored,
    // What is raw finds its tables by the search path.
    adapter: async () =>
      new (await load('@prisma/adapter-pg')).PrismaPg!(
        { connectionString: url, options: `-c search_path=${schema}` },
        { schema },
      ),
    close: async () => {
      await run(`DROP SCHEMA ${schema} CASCADE`)
      await close()
    },
  }
}

async function openMysql(
  { run, stored, declared, close }: sql.Engine,
  url: string,
  collation: string,
): Promise<Database> {
  const database = own()
  await run(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE ${collation}`)
  await run(`USE ${database}`)
  const at = new URL(url)
  at.pathname = `/${database}`
  return {
    provider: 'mysql',
    collation,
    run,
    quote: quoted('`'),
    placeholder: () => '?',
    declared,
    stored,
    adapter: async () => new (await load('@prisma/adapter-mariadb')).PrismaMariaDb!(at.href as never),
    close: async () => {
      await run(`DROP DATABASE ${database}`)
      await close()
    },
  }
}

async function openSqlite(): Promise<Database> {
  const folder = await newFolder()
  const file = join(folder, 'database')
  const database = new DatabaseSync(file)
  // Nothing of it needs to outlast a crash.
  database.exec('PRAGMA synchronous = OFF')
  return {
    provider: 'sqlite',
    run: async (statement, parameters = []) =>
      Promise.resolve(database.prepare(statement).all(...(parameters as (string | number | null)[]))),
    quote: quoted('"'),
    placeholder: () => '?',
    declared: sql.sqliteColumns,
    // As the adapter writes moments.
    stored: (type, value) =>
      type === 'boolean'
        ? Number(value)
        : type === 'date' || type === 'datetime'
          ? new Date(value as string).toISOString().replace('Z', '+00:00')
          : value,
    adapter: async () =>
      new (await load('@prisma/adapter-better-sqlite3')).PrismaBetterSqlite3!({ url: `file:${file}` }),
    close: async () => {
      database.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** What opens the databases that are present. */
export const opening: Readonly<Record<string, () => Promise<Database>>> = {
  sqlite: openSqlite,
  ...(POSTGRES_URL !== undefined && { postgresql: () => openPostgres(POSTGRES_URL) }),
  ...(MYSQL_URL !== undefined && {
    mysql: async () => openMysql(await sql.openMysql(MYSQL_URL), MYSQL_URL, 'utf8mb4_0900_bin'),
  }),
  ...(MARIADB_URL !== undefined && {
    mariadb: async () => openMysql(await sql.openMariadb(MARIADB_URL), MARIADB_URL, 'utf8mb4_nopad_bin'),
  }),
}

/** Below this folder, for what is generated imports Prisma's packages. */
export async function newFolder(): Promise<string> {
  const generated = join(home, '.generated')
  await mkdir(generated, { recursive: true })
  return mkdtemp(join(generated, 'client-'))
}

/** The text of a schema: the blocks that a client is generated from, and what is given. */
export const datamodelOf = (provider: Database['provider'], models: string): string => `
generator client {
  provider = "prisma-client"
  output   = "./client"
}
datasource db {
  provider = "${provider}"
}
${models}`

export interface Generated {
  /** The folder that has the client, as `client/client.ts`. */
  readonly folder: string
  readonly client: Client
  readonly remove: () => Promise<void>
}
/** A client of a schema, as `prisma generate` writes it. */
export async function generate(database: Database, datamodel: string): Promise<Generated> {
  const folder = await newFolder()
  await writeFile(join(folder, 'schema.prisma'), datamodel)
  const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
  // It neither fetches the engine that migrates, which nothing here needs, nor asks for updates.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  await promisify(execFile)(process.execPath, [prisma, 'generate', '--schema', 'schema.prisma'], { cwd: folder, env })
  const { PrismaClient } = (await import(pathToFileURL(join(folder, 'client/client.ts')).href)) as {
    PrismaClient: new (options: object) => Client
  }
  const client = new PrismaClient({ adapter: await database.adapter() })
  return {
    folder,
    client,
    remove: async () => {
      await client.$disconnect()
      await rm(folder, { recursive: true })
    },
  }
}
