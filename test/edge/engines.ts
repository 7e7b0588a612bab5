/** Engines of SQLite's kind, which are installed apart, as those of `test/engines/sql`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { d1, libsql, sqlite, turso, type Dialect } from '../../src/backends/sql/index.ts'
import { sqliteColumns, type Engine } from '../engines/sql/engines.ts'

const home = import.meta.dirname
/** Whether `npm --prefix test/edge ci` has been run. */
export const isInstalled = existsSync(join(home, 'node_modules/miniflare/package.json'))

/** Loads a package from the node_modules of this folder. Its name is a variable: the type checker must pass where the package is not installed. */
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href)) as T

type Rows = Record<string, unknown>[]
type Value = string | number | bigint | null

const stored: Engine['stored'] = (type, value) =>
  type === 'json' ? JSON.stringify(value) : typeof value === 'boolean' ? Number(value) : value

/** Makes an engine whose driver receives texts, numbers and NULL alone: all of these drivers accept them. */
export const engineOf = (
  name: string,
  dialect: Dialect,
  run: (statement: string, parameters: readonly Value[]) => Promise<Rows>,
  close: () => Promise<void>,
  more: Partial<Engine> = {},
): Engine => ({
  ...{ name, dialect, declared: sqliteColumns, options: ' STRICT', stored, close },
  run: (statement, parameters = []) => run(statement, parameters as Value[]),
  planning: {
    textIndexes: (column, lowered) => [`(${column})`, `(${lowered})`],
    analyze: (table) => `ANALYZE ${table}`,
  },
  ...more,
})

interface Statement {
  bind(...values: readonly Value[]): Statement
}
interface D1 {
  prepare(text: string): Statement
  batch(statements: readonly Statement[]): Promise<{ results: Rows }[]>
}
/** A Worker in workerd, with a database that is called `DB`. */
export interface Worker {
  getD1Database(name: string): Promise<D1>
  dispatchFetch(url: string, options: object): Promise<Response>
  dispose(): Promise<void>
}

export async function startWorker(script: string): Promise<Worker> {
  const { Miniflare } = await load<{ Miniflare: new (options: object) => Worker }>('miniflare')
  return new Miniflare({ modules: true, script, d1Databases: ['DB'], compatibilityDate: '2026-01-01' })
}

/** Runs the statements of a request. The proxy that miniflare offers for a database blocks Node for several milliseconds in each call. */
const running = `
  export default {
    async fetch(request, { DB }) {
      const statements = (await request.json()).map(([text, values]) => DB.prepare(text).bind(...values))
      const results = await DB.batch(statements).catch(({ message }) => message)
      return Response.json(typeof results === 'string' ? { message: results } : { rows: results.at(-1).results })
    },
  }`

/** Sends writes together with the next SELECT, because a request costs more time than a statement. */
export async function openD1(dialect: Dialect = d1): Promise<Engine> {
  const worker = await startWorker(running)
  let changes: (readonly [text: string, values: readonly Value[]])[] = []
  return engineOf(
    'd1',
    dialect,
    async (text, values) => {
      const statements = [...changes, [text, values] as const]
      changes = /^(?:SELECT|EXPLAIN)/.test(text) ? [] : statements
      if (changes.length > 0) return []
      const response = await worker.dispatchFetch('http://localhost', {
        method: 'POST',
        body: JSON.stringify(statements),
      })
      const { rows, message } = (await response.json()) as { rows: Rows; message?: string }
      if (message !== undefined) throw new Error(message)
      return rows
    },
    () => worker.dispose(),
    // SQLITE_LIMIT_COMPOUND_SELECT of workerd.
    { weight: 4, mostInUnion: 5 },
  )
}

const guide = readFileSync(join(home, '../../docs/guides/sqlite.md'), 'utf8')
/** The function of the guide that makes `run` of a driver, without its types. */
const guideCode = (name: string): string =>
  stripTypeScriptTypes(`(${new RegExp(`^const ${name} =\\n([^]*?)^\`\`\``, 'm').exec(guide)![1]!})`)

type Run = (text: string, values: readonly Value[]) => Rows | Promise<Rows>
/** `run` of a driver, as the guide has it. */
function guideRun(name: string, client: object): (text: string, values: readonly Value[]) => Promise<Rows> {
  // oxlint-disable-next-line typescript/no-implied-eval -- the guide's code is the project's
  const run = (new Function(`return ${guideCode(name)}`)() as (client: object) => Run)(client)
  return async (text, values) => run(text, values)
}

interface Libsql {
  close(): void
}

/** @param intMode how the client returns integers. */
export async function openLibsql(intMode: 'number' | 'bigint' | 'string' = 'number'): Promise<Engine> {
  const { createClient } = await load<{ createClient: (options: object) => Libsql }>('@libsql/client')
  const client = createClient({ url: ':memory:', intMode })
  return engineOf('libsql', libsql, guideRun('byLibsql', client), () => Promise.resolve(client.close()))
}

interface SqlJs {
  readonly Database: new () => { close(): void }
}

export async function openSqlJs(): Promise<Engine> {
  const { default: start } = await load<{ default: () => Promise<SqlJs> }>('sql.js')
  const database = new (await start()).Database()
  return engineOf('sql.js', sqlite, guideRun('bySqlJs', database), () => Promise.resolve(database.close()))
}

interface Turso {
  prepare(text: string): Promise<{ all(...values: readonly Value[]): Promise<Rows> }>
  close(): Promise<void>
}

export async function openTurso(): Promise<Engine> {
  const { connect } = await load<{ connect: (path: string) => Promise<Turso> }>('@tursodatabase/database')
  const database = await connect(':memory:')
  return engineOf(
    'turso',
    turso,
    async (text, values) => (await database.prepare(text)).all(...values),
    () => database.close(),
    // docs/guides/sqlite.md: it loses rows of outer joins with parent tables, or panics.
    {
      layouts: ['tables', 'json'],
      // A column of integers refuses the text of a large one.
      stored: (type, value) => (type === 'bigint' ? BigInt(value as string) : stored(type, value)),
    },
  )
}

/** Runs the statements that it reads, one in a line. Node also splits lines at U+2028 and U+2029. */
const answering = () => String.raw`
  import { Database } from 'bun:sqlite'
  const lineOf = (answer) =>
    JSON.stringify(answer).replace(/[\u2028\u2029]/g, (mark) => '\\u' + mark.charCodeAt(0).toString(16))
  const run = (${guideCode('byBun')})(new Database(':memory:'))
  for await (const line of console) {
    if (line === '') continue
    const { text, values } = JSON.parse(line)
    try {
      console.log(lineOf({ rows: run(text, values) }))
    } catch (error) {
      console.log(lineOf({ message: error.message }))
    }
  }`

export async function openBun(): Promise<Engine> {
  const child = spawn(join(home, 'node_modules/.bin/bun'), ['-e', answering()], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const waiting: ((line: string) => void)[] = []
  lines.on('line', (line) => waiting.shift()!(line))
  return engineOf(
    'bun:sqlite',
    sqlite,
    async (text, values) => {
      const answer = new Promise<string>((resolve) => waiting.push(resolve))
      child.stdin.write(`${JSON.stringify({ text, values })}\n`)
      const { rows, message } = JSON.parse(await answer) as { rows: Rows; message?: string }
      if (message !== undefined) throw new Error(message)
      return rows
    },
    async () => {
      child.stdin.end()
      await once(child, 'close')
    },
  )
}

/** Whether ordinary filters reach the limits of an engine. */
export const hasLowLimits = ({ dialect }: Engine): boolean => (dialect.maxDepth ?? Infinity) <= 100

/** Those that are installed, by name. */
export const opening: Readonly<Record<string, () => Promise<Engine>>> = isInstalled
  ? { d1: () => openD1(), libsql: () => openLibsql(), 'sql.js': openSqlJs, turso: openTurso, 'bun:sqlite': openBun }
  : {}

/** Opens each engine, and libSQL in each form in which it returns integers. */
export const openingInEachForm: Readonly<Record<string, () => Promise<Engine>>> = {
  D1: () => openD1(),
  'libSQL, numbers': () => openLibsql('number'),
  'libSQL, bigints': () => openLibsql('bigint'),
  'libSQL, texts': () => openLibsql('string'),
  'sql.js': openSqlJs,
  Turso: openTurso,
  'bun:sqlite': openBun,
}
