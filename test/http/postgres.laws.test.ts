/** The caller in PostgreSQL, as the guides show it: policies of rows (tenants.md), and statements that end with their request (list-service.md). */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { postgres, sqlBackend, table } from '../../src/backends/sql/index.ts'
import { createListService, sqlRows, type Observed, type SqlRun } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field } from '../../src/index.ts'

const { POSTGRES_URL } = process.env
const orders = defineSchema({ id: field.integer(), seller: field.string(), total: field.number() })
const name = 'service_of_a_caller'
const sql = sqlBackend({ dialect: postgres, table: table(name, { schema: orders }) })

/** The code of the guide. */
const guide = readFileSync(join(import.meta.dirname, '../../docs/reference/list-service.md'), 'utf8')
const code = /^const untilAborted =\n([^]*?)\n\n/m.exec(guide)![1]!
type UntilAborted = (client: pg.ClientBase, pools: object, signal: AbortSignal) => SqlRun
// oxlint-disable-next-line typescript/no-implied-eval -- the guide's code is the project's
const untilAborted = new Function(`return ${stripTypeScriptTypes(`(${code})`)}`)() as UntilAborted

describe.runIf(POSTGRES_URL !== undefined)('PostgreSQL', () => {
  const reading = new pg.Pool({ connectionString: POSTGRES_URL, max: 3, options: '-c role=service_of_a_caller_api' })
  // Both have one user, as in a program: here it is a superuser, whose statements no other may cancel.
  const cancelling = new pg.Pool({ connectionString: POSTGRES_URL, max: 1 })
  const admin = new pg.Pool({ connectionString: POSTGRES_URL, max: 1 })
  const clear = `DROP TABLE IF EXISTS ${name}; DROP ROLE IF EXISTS ${name}_api`
  beforeAll(async () => {
    await admin.query(clear)
    await admin.query(`CREATE TABLE ${name} (id int PRIMARY KEY, seller text, total numeric);
      INSERT INTO ${name} SELECT id, 's-' || id % 2, id * 10 FROM generate_series(1, 6) id;
      ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
      CREATE POLICY seller ON ${name} USING (seller = NULLIF(current_setting('app.seller', true), ''));
      CREATE ROLE ${name}_api; GRANT SELECT ON ${name} TO ${name}_api`)
  })
  afterAll(async () => {
    await Promise.all([reading.end(), cancelling.end()])
    await admin.query(clear)
    await admin.end()
  })

  const seen: Observed<{ seller: string }>[] = []
  const errors: unknown[] = []
  let before = 'SELECT 1'
  const rows = sqlRows<{ seller: string }>(sql, {
    async transaction({ principal, signal }, work) {
      const client = await reading.connect()
      let isBroken = true
      try {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
        await client.query("SELECT set_config('app.seller', $1, true)", [principal.seller])
        const run = untilAborted(client, { cancelling }, signal)
        await run(before, [])
        const result = await work(run)
        await client.query('COMMIT')
        isBroken = signal.aborted
        return result
      } finally {
        client.release(isBroken)
      }
    },
  })
  const service = (timeout?: number) =>
    createListService({
      authenticate: ({ headers }) => ({ seller: headers.get('seller') ?? '' }),
      collections: {
        orders: {
          collection: defineCollection(orders, { key: 'id', sort: ['total'] }),
          rows,
          restriction: () => and(),
        },
      },
      onRequest: (one) => void seen.push(one),
      onError: (error) => errors.push(error),
      ...(timeout !== undefined && { timeout }),
    })
  const ask = async (seller: string, { timeout, ...init }: RequestInit & { timeout?: number } = {}) => {
    const response = await service(timeout)(new Request('http://x/orders', { headers: { seller }, ...init }))
    const { data = [] } = (await response.json()) as { data?: { id: number }[] }
    return { status: response.status, ids: data.map(({ id }) => id) }
  }
  const running = async () =>
    (await admin.query(`SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'`))
      .rowCount

  test('shows each caller their rows, on connections that many share', async () => {
    const asked = Array.from({ length: 30 }, (_, at) => `s-${at % 3}`)
    const expected = { 's-0': [2, 4, 6], 's-1': [1, 3, 5], 's-2': [] } as Record<string, number[]>
    expect(await Promise.all(asked.map((seller) => ask(seller)))).toEqual(
      asked.map((seller) => ({ status: 200, ids: expected[seller] })),
    )
    expect((await reading.query(`SELECT id FROM ${name}`)).rows).toEqual([])
    expect(reading.totalCount).toBeLessThanOrEqual(3)
  })

  test.each(['gone', 'timeout'] as const)(
    'ends the statement of a request that ended: %s',
    async (why) => {
      before = 'SELECT pg_sleep(60)'
      const client = new AbortController()
      const answer = ask('s-1', { signal: client.signal, ...(why === 'timeout' && { timeout: 1_500 }) })
      await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: 10_000 })
      if (why === 'gone') client.abort()
      expect((await answer).status).toBe(why === 'gone' ? 499 : 503)
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 10_000 })
      before = 'SELECT 1'
      expect(await ask('s-1')).toEqual({ status: 200, ids: [1, 3, 5] })
      expect(errors.splice(0)).toMatchObject(why === 'gone' ? [] : [{ name: 'TimeoutError' }])
    },
    40_000,
  )
})
