/** The stores of the demo: the one that `STORE` names is opened. */
import { memoryStore, type Store } from './store.ts'

const postgres = async (url: string) => (await import('./postgres.ts')).postgresStore(url)
const mysql = async (url: string) => (await import('./mysql.ts')).mysqlStore(url)
const mongo = async (url: string) => (await import('./mongo.ts')).mongoStore(url)

/** Stores by the value of `STORE`, or the scheme of its URL. Only the chosen one loads its driver. */
const stores: Readonly<Record<string, (url: string) => Promise<Store>>> = {
  sqlite: async () => (await import('./sqlite.ts')).sqliteStore(),
  memory: () => Promise.resolve(memoryStore()),
  'postgres://': postgres,
  'postgresql://': postgres,
  'mysql://': mysql,
  'mariadb://': mysql,
  'mongodb://': mongo,
  'mongodb+srv://': mongo,
}

/**
 * The store that `STORE` names.
 *
 * @throws Error whose message may be printed: of the URL it has the scheme, hosts and ports.
 */
export async function openStore(name: string): Promise<Store> {
  const scheme = /^[a-z+]+:\/\//.exec(name)?.[0]
  const key = scheme ?? name
  // MongoDB's may have several hosts, which is no URL elsewhere: its driver looks at them.
  const mustParse = scheme !== undefined && !scheme.startsWith('mongodb')
  if (!Object.hasOwn(stores, key) || (mustParse && !URL.canParse(name))) {
    const names = Object.keys(stores).map((name) => (name.endsWith('/') ? `${name}…` : name))
    throw new Error(`STORE must be one of ${names.join(', ')}`)
  }
  try {
    return await stores[key]!(name)
  } catch (error) {
    const reason = reasonOf(error, mustParse ? placeOf(new URL(name)) : '')
    const [, place] = isDown.exec(reason) ?? []
    if (place !== undefined) throw new Error(`cannot connect to ${scheme!.slice(0, -3)}${place}: is it running?`)
    const where =
      scheme === undefined ? name : `${scheme}… (a database that the demo may make tables or collections in)`
    throw new Error(`STORE, ${where}, cannot be used: ${reason}`)
  }
}

const defaultPorts: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'mysql:': 3306,
  'mariadb:': 3306,
}

/** Host and port, which not every error of a driver has. MongoDB's store adds its own. */
const placeOf = ({ protocol, hostname, port }: URL): string =>
  hostname === '' ? '' : ` at ${hostname}:${port || defaultPorts[protocol]}`

/** A server's own words, or a code and the place: a driver may quote the URL, and with it the password. */
function reasonOf(error: unknown, place: string): string {
  const { severity, code, message } = error as Error & { severity?: string; code?: string }
  if (severity !== undefined) return message
  const words = code ?? message
  if (words.includes('://')) return 'its driver cannot read the URL'
  return words + place
}

/** A code of Node for a host that does not answer, and the place behind it. */
const isDown = /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b(.*)/
