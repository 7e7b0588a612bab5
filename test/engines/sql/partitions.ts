/**
 * PostgreSQL 18 over several servers: tables are partitioned, and each partition is a foreign table of `postgres_fdw`.
 * POSTGRES18_URL is the server that is asked. The partitions are in three databases of their own: there too, or on the servers
 * that POSTGRES_FDW_URLS names, with spaces between.
 */
import { randomUUID } from 'node:crypto'
import { postgres17 } from '../../../src/backends/sql/index.ts'
import { openPostgres, type Engine } from './engines.ts'

export interface Partitioned extends Engine {
  /** The databases that hold the rows. */
  readonly shards: readonly Engine[]
}

const inDatabase = (url: string, name: string): string => {
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}
const option = (text: string) => `'${decodeURIComponent(text).replaceAll("'", "''")}'`

/** @see https://www.postgresql.org/docs/18/postgres-fdw.html */
export async function openPartitioned(url: string): Promise<Partitioned> {
  const urls = (process.env.POSTGRES_FDW_URLS ?? [url, url, url].join(' ')).split(' ')
  const own = `urlwhere_${randomUUID().replaceAll('-', '')}`
  const opened: { readonly server: Engine; readonly name: string; readonly engine: Engine }[] = []
  const create = async (url: string, name: string): Promise<Engine> => {
    const server = await openPostgres(url)
    await server.run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`)
    const engine = await openPostgres(inDatabase(url, name), postgres17)
    opened.push({ server, name, engine })
    return engine
  }
  const asked = await create(url, own)
  const shards: Engine[] = []
  await asked.run('CREATE EXTENSION postgres_fdw')
  for (const [at, url] of urls.entries()) {
    shards.push(await create(url, `${own}_${at}`))
    const { hostname, port, username, password } = new URL(url)
    const address = `host ${option(hostname)}, port ${option(port || '5432')}, dbname '${own}_${at}'`
    await asked.run(`CREATE SERVER shard_${at} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (${address})`)
    const user = [`user ${option(username)}`, ...(password === '' ? [] : [`password ${option(password)}`])]
    await asked.run(`CREATE USER MAPPING FOR CURRENT_USER SERVER shard_${at} OPTIONS (${user.join(', ')})`)
  }
  await asked.run('SET enable_partitionwise_join = on')

  let partitions = 0
  /** Tables by the hash of a column; rows of child tables are beside their owner. */
  const createTable = async (statement: string, quoted: string): Promise<void> => {
    const name = quoted.slice(1, -1).replaceAll('""', '"')
    const key = ['seller', '"owner"', '"id"', '"key"'].find((name) => new RegExp(`[(, ]${name} `).test(statement))!
    await asked.run(`${statement} PARTITION BY HASH (${key})`)
    for (const [at, shard] of shards.entries()) {
      await shard.run(statement)
      const place = `SERVER shard_${at} OPTIONS (table_name '${name.replaceAll("'", "''")}')`
      const rows = `FOR VALUES WITH (MODULUS ${shards.length}, REMAINDER ${at})`
      await asked.run(`CREATE FOREIGN TABLE partition_${++partitions} PARTITION OF ${quoted} ${rows} ${place}`)
    }
  }
  return {
    ...asked,
    name: 'postgres 18, partitioned',
    // Each server would need the type.
    enumeration: undefined,
    // A table is made of four, on servers of their own.
    weight: 20,
    shards,
    run: async (statement, parameters = []) => {
      const [, word, name] = /^(CREATE|DROP) TABLE ("(?:[^"]|"")+")/.exec(statement) ?? []
      if (name === undefined) return asked.run(statement, parameters)
      if (word === 'CREATE') await createTable(statement, name)
      else for (const engine of [asked, ...shards]) await engine.run(statement)
      return []
    },
    close: async () => {
      // The server that is asked has connections to the others.
      for (const { engine } of opened) await engine.close()
      for (const { server, name } of opened) {
        await server.run(`DROP DATABASE ${name} WITH (FORCE)`)
        await server.close()
      }
    },
  }
}
