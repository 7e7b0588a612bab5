/** Opens a read-only connection from a URL, a file or a module. It imports the drivers of the project. */
import { open } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Dialect } from '../backends/sql/index.ts'
import type { Run } from '../tools/inspect/index.ts'
import type { Arguments } from './arguments.ts'
import { kindOfScheme, kindsOfFiles, type Kind, type Session } from './drivers.ts'
import { attempt, Failure, messageOf } from './failure.ts'
import { dialectOf, inProject } from './library.ts'
import { importFile } from './modules.ts'

/** An open connection. */
export interface Connection {
  readonly dialect: Dialect
  /** Runs a statement once, and keeps its rows for the next call. */
  readonly run: Run
  /** Runs a statement each time, because rows change. */
  readonly runAgain: Run
}

/** The signals that end a command, and its exit code. */
interface Interruption {
  readonly signals: readonly NodeJS.Signals[]
  readonly exitCode: number
}

/** Opens the database of the arguments, and closes it when `use` ends, or with a signal. */
export async function connected<T>(
  values: Arguments['values'],
  use: (connection: Connection) => Promise<T>,
  { signals, exitCode }: Interruption = { signals: ['SIGINT'], exitCode: 130 },
): Promise<T> {
  const { session, dialect } = values.driver === undefined ? await sessionOf(values) : await sessionOfModule(values)
  const close = async (): Promise<void> => {
    const closed = (async () => session.close())().catch(() => undefined)
    await Promise.race([closed, sleep(2_000)])
  }
  let interrupted: Promise<never> | undefined
  const interrupt = (): void => {
    // Ctrl-C in npx sends two signals: the terminal sends one, and npm passes the other on.
    interrupted ??= close().then(() => process.exit(exitCode))
  }
  for (const signal of signals) process.on(signal, interrupt)
  try {
    const { run } = session
    return await use({ dialect: await dialectOf(dialect), run: remembering(run), runAgain: run })
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
    // Closing the connection makes a waiting statement fail. The user pressed Ctrl-C, so that error is not printed.
    await (interrupted ?? close())
  }
}

/** Runs each statement once and keeps its rows, because several tables share one description. */
function remembering(run: Run): Run {
  const answers = new Map<string, Promise<readonly unknown[]>>()
  return (text, parameters) => {
    const key = JSON.stringify([text, parameters])
    const answer = answers.get(key) ?? attempt(3, 'the database refuses a statement', () => run(text, parameters))
    answers.set(key, answer)
    return answer
  }
}

interface Opened {
  readonly session: Session
  readonly dialect: string
}

async function sessionOfModule({ driver, dialect }: Arguments['values']): Promise<Opened> {
  if (dialect === undefined) throw new Failure(2, '--driver needs --dialect')
  const { default: run } = await importFile(driver!)
  if (typeof run !== 'function') throw new Failure(2, `${driver} has no default export that is a function`)
  return { session: { run: run as Run, close: () => undefined }, dialect }
}

async function sessionOf({ url = process.env.DATABASE_URL, dialect }: Arguments['values']): Promise<Opened> {
  if (url === undefined || url === '') {
    throw new Failure(2, 'no database: write --url URL or --url FILE, or set DATABASE_URL')
  }
  const [, scheme] = /^([^/\\:]{2,}):/.exec(url) ?? []
  const isFile = scheme === undefined || scheme === 'file'
  const kind = isFile ? await kindOfFile(fileOf(url)) : kindOfScheme.get(scheme)
  if (kind === undefined) {
    throw new Failure(
      2,
      `the scheme ${scheme}: is unknown. For another driver, write --driver MODULE and --dialect NAME`,
    )
  }
  const session = await sessionBy(kind, isFile ? fileOf(url) : url)
  return { session, dialect: dialect ?? (await kind.dialectOf(session.run)) }
}

/** Reads the path of a file. ORMs write it as `file:./dev.db`, relative to the project. */
const fileOf = (url: string): string =>
  url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '').split('?', 1)[0]!

async function kindOfFile(file: string): Promise<Kind> {
  const head = await attempt(3, `${file} does not open`, async () => {
    const handle = await open(file)
    try {
      return (await handle.read(Buffer.alloc(16))).buffer.toString('latin1')
    } finally {
      await handle.close()
    }
  })
  const row = kindsOfFiles.find(({ at, bytes }) => head.startsWith(bytes, at))
  if (row === undefined) throw new Failure(3, `${file} is not a database of SQLite or DuckDB`)
  return row.kind
}

async function sessionBy({ drivers, settings }: Kind, target: string): Promise<Session> {
  for (const { name, open } of drivers) {
    const url = urlOf(name)
    if (url === undefined) continue
    try {
      const module = (await import(url)) as { readonly default?: unknown }
      const session = await open(module.default ?? module, target)
      for (const statement of settings) await session.run(statement, [])
      return session
    } catch (error) {
      throw new Failure(3, withoutSecrets(`no connection to ${target} by ${name}: ${messageOf(error)}`, target))
    }
  }
  const own = drivers.find(({ name }) => name.startsWith('node:'))
  if (own !== undefined) throw new Failure(3, `Node ${process.version} has no ${own.name}: use Node 22.13 or later`)
  const names = drivers.map(({ name }) => name.replace(/\/promise$/, ''))
  throw new Failure(3, `the project has no driver for this database: npm install ${names.join(', or ')}`)
}

function urlOf(name: string): string | undefined {
  try {
    return isBuiltin(name) ? name : pathToFileURL(inProject().resolve(name)).href
  } catch {
    return undefined
  }
}

/** Replaces the passwords of a URL in a message, because the messages of drivers quote the URL. */
function withoutSecrets(message: string, url: string): string {
  const [, password = ''] = /^[^/]+:\/\/[^/:@]*:(.*)@/s.exec(url) ?? []
  const inQuery = Array.from(url.matchAll(/[?&]\w*(?:password|pwd|token)=([^&#]*)/gi), ([, value]) => value!)
  const secrets = [password, ...inQuery].flatMap((secret) => [secret, decoded(secret)])
  return secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '***')), message)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
