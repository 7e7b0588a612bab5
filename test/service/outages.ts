/** The stores under load, and how each of them fails meanwhile. */
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

export interface Outage {
  readonly name: string
  readonly begin: () => Promise<void> | void
  /** Puts things right; where it is missing the failure stays, and is the last. */
  readonly end?: () => Promise<void> | void
  /** Nothing to the demo: every answer is to be right. */
  readonly harmless?: boolean
}
export interface Fallible {
  /** What STORE is to be. */
  readonly url: string
  readonly outages: readonly Outage[]
  /** How long it may fail after the end of a failure. */
  readonly graceMs: number
  readonly close: () => Promise<void>
}

/**
 * The store of a name, in a folder for what it and the demo leave. `postgres` is a server of its own; of one that is given by
 * its URL the connections and the tables of the demo alone are touched. Other stores do not fail.
 */
export async function openFallible(name: string, folder: string): Promise<Fallible> {
  if (name === 'sqlite')
    return { url: name, outages: sqliteOutages(folder), graceMs: 0, close: () => Promise.resolve() }
  if (name === 'postgres') return ownPostgres(folder)
  if (/^postgres(?:ql)?:/.test(name)) return postgresAt(name)
  return { url: name, outages: [], graceMs: 0, close: () => Promise.resolve() }
}

// --- SQLite: the demo has its file open all the time

function sqliteOutages(folder: string): Outage[] {
  const own = () =>
    join(
      folder,
      readdirSync(folder).find((name) => name.startsWith('urlwhere-demo-'))!,
    )
  const file = () => join(own(), 'demo.sqlite')
  let lock: DatabaseSync | undefined
  /** Cuts the file, and writes again what was behind. */
  const cut = (name: string, share: number): Outage => {
    let all = Buffer.alloc(0)
    let size = 0
    return {
      name,
      begin: () => {
        all = readFileSync(file())
        size = Math.floor(all.length * share)
        truncateSync(file(), size)
      },
      end: () => {
        // The count of changes: were it the same as before, SQLite would take what it saw of the empty file for this one's.
        if (size === 0) for (const at of [24, 92]) all.writeUInt32BE(all.readUInt32BE(at) + 1, at)
        const descriptor = openSync(file(), 'r+')
        writeSync(descriptor, all, size, all.length - size, size)
        closeSync(descriptor)
      },
    }
  }
  return [
    {
      name: 'file locked',
      begin: () => {
        lock = new DatabaseSync(file(), { timeout: 10_000 })
        lock.exec('BEGIN EXCLUSIVE')
      },
      end: () => lock!.close(),
    },
    cut('file cut by half', 0.5),
    cut('file emptied', 0),
    {
      name: 'file elsewhere',
      begin: () => renameSync(file(), `${file()}-elsewhere`),
      end: () => renameSync(`${file()}-elsewhere`, file()),
      harmless: true,
    },
    { name: 'file removed', begin: () => rmSync(own(), { recursive: true }), harmless: true },
  ]
}

// --- PostgreSQL

/** By the service's own name, so that others on the server are left alone. */
async function postgresAt(text: string): Promise<Fallible> {
  const url = new URL(text)
  const service = `urlwhere_load_${process.pid}`
  url.searchParams.set('application_name', service)
  // Of its own for each: it may be broken by the failure before.
  const asking = async (ask: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: text })
    client.on('error', () => {})
    await client.connect()
    await ask(client).finally(() => client.end())
  }
  let lasting = false
  let under = Promise.resolve()
  /** Something that is done as long as the failure lasts. */
  const during = (name: string, ask: (client: pg.Client) => Promise<unknown>): Outage => ({
    name,
    begin: () => {
      lasting = true
      under = asking(ask)
    },
    end: () => {
      lasting = false
      return under
    },
  })
  const rename = (from: string, to: string) => () =>
    asking((client) => client.query(`ALTER SCHEMA ${from} RENAME TO ${to}`))
  return {
    url: url.href,
    outages: [
      during('connections killed', async (client) => {
        const text = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1'
        for (; lasting; await sleep(50)) await client.query(text, [service])
      }),
      {
        name: 'tables gone',
        begin: rename('urlwhere_demo', 'urlwhere_demo_gone'),
        end: rename('urlwhere_demo_gone', 'urlwhere_demo'),
      },
      during('tables locked', async (client) => {
        await client.query('BEGIN; LOCK TABLE urlwhere_demo.orders IN ACCESS EXCLUSIVE MODE')
        while (lasting) await sleep(50)
        await client.query('ROLLBACK')
      }),
    ],
    // Connections that broke are found out one by one.
    graceMs: 1_000,
    close: () => Promise.resolve(),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server in the folder, of Debian's packages or of the PATH. It does not run as root: there it is the user postgres's. */
async function ownPostgres(folder: string): Promise<Fallible> {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed) : []
  const programs =
    versions.length === 0 ? '' : join(installed, versions.toSorted((a, b) => Number(a) - Number(b)).at(-1)!, 'bin/')
  const isRoot = process.getuid?.() === 0
  const call = (program: string, ...options: string[]) =>
    isRoot ? run('runuser', ['-u', 'postgres', '--', programs + program, ...options]) : run(programs + program, options)

  const place = join(folder, 'postgres')
  mkdirSync(place)
  if (isRoot) {
    chmodSync(folder, 0o755)
    const [uid, gid] = (await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'postgres'])))).map(
      ({ stdout }) => Number(stdout),
    )
    chownSync(place, uid!, gid!)
  }
  const data = join(place, 'data')
  await call('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8', '--no-sync')
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -k ${place} -F`
  const start = async () =>
    void (await call('pg_ctl', '-D', data, '-w', '-l', join(place, 'log'), '-o', options, 'start'))
  const stop = async (mode: string) => void (await call('pg_ctl', '-D', data, '-w', '-m', mode, 'stop'))
  await start()

  const { url, graceMs, outages } = await postgresAt(`postgres://postgres@127.0.0.1:${port}/postgres`)
  return {
    url,
    graceMs,
    outages: [
      ...outages,
      { name: 'server stopped', begin: () => stop('fast'), end: start },
      { name: 'server crashed', begin: () => stop('immediate'), end: start },
    ],
    close: () => stop('immediate').catch(() => {}),
  }
}
