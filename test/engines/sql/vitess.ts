/**
 * Vitess over several shards: every table is sharded by the `hash` of the key of the table at its root, so a row and all that belongs
 * to it are on one shard. VITESS_URL names a sharded keyspace: `.ci/vitess` starts one.
 */
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { vitess } from '../../../src/backends/sql/index.ts'
import { openMariadb, planningOfMysql, type Engine } from './engines.ts'

/** What Vitess refuses with an error: vitess.test.ts sends each. */
export const refusals = {
  /** The order of `compileQuery` by a field of a parent of a parent. `select` joins the parents. */
  nestedOrder: /\(SELECT (?:\w+\()*\(SELECT /,
} as const

/** The columns that tables of the tests are sharded by: of the table at the root, and of the others. */
const shardedBy = ['root', 'order_id', 'id']

/**
 * Waits until no other process has the engine: of two that change the vschema at once, Vitess loses changes. The port is a lock that
 * ends with its process.
 */
async function lock(port: number): Promise<() => Promise<void>> {
  for (;;) {
    const server = createServer()
    const isOurs = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isOurs) return () => new Promise((resolve) => void server.close(() => resolve()))
    await setTimeout(500)
  }
}

/** @see https://vitess.io/docs/24.0/reference/features/vschema/ */
export async function openVitess(url: string): Promise<Engine> {
  const unlock = await lock(Number(new URL(url).port) + 1)
  const engine = await openMariadb(url, vitess)
  const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``
  return {
    ...engine,
    isSharded: true,
    planning: planningOfMysql,
    weight: 10,
    refuses: (text) => Object.values(refusals).some((refused) => refused.test(text)),
    run: async (statement, parameters = []) => {
      const [, word, name] = /^(CREATE|DROP) TABLE (`(?:[^`]|``)+`)/.exec(statement) ?? []
      if (name === undefined) return engine.run(statement, parameters)
      const column = shardedBy.find((one) => statement.includes(`${quoted(one)} `))
      const change =
        word === 'CREATE' ? `ON ${name} ADD VINDEX \`hash\`(\`${column!}\`) USING \`hash\`` : `DROP TABLE ${name}`
      await engine.run(statement)
      await engine.run(`ALTER VSCHEMA ${change}`)
      return []
    },
    close: async () => {
      await engine.close()
      await unlock()
    },
  }
}
