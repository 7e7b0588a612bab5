/** The command line on servers, with each driver: its findings, its read-only session, and its end by Ctrl-C. */
import mariadbDriver from 'mariadb'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connected } from '../../src/cli/connect.ts'
import { exitOf, newProject, type Project } from './project.ts'
import { serve } from './serving.ts'

const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
const name = 'urlwhere_cli'

interface Server {
  readonly url: string
  readonly drivers: readonly string[]
  readonly ddl: readonly string[]
  /** The mapping of `amount` with a wrong type, and with the right one. */
  readonly amount: readonly [wrong: string, right: string]
  readonly place: RegExp
  readonly plan: RegExp
  /** The error of a read-only session for a statement that writes. */
  readonly refusal: RegExp
  readonly execute: (statements: readonly string[]) => Promise<void>
}

const inMariadb = (url: string) => async (statements: readonly string[]) => {
  const connection = await mariadbDriver.createConnection(url)
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}
const ofMysql = (url: string, place: RegExp, plan: RegExp): Server => ({
  url,
  place,
  plan,
  execute: inMariadb(url),
  drivers: ['mysql2', 'mariadb'],
  ddl: [
    `DROP DATABASE IF EXISTS ${name}`,
    `CREATE DATABASE ${name}`,
    `CREATE TABLE ${name}.orders (id INT NOT NULL PRIMARY KEY, amount FLOAT)`,
    `INSERT INTO ${name}.orders VALUES (1, 1.5)`,
  ],
  amount: [`'amount'`, `column('amount', { type: 'real' })`],
  refusal: /READ ONLY transaction/,
})
const servers: Readonly<Record<string, Server>> = {
  ...(POSTGRES_URL !== undefined && {
    PostgreSQL: {
      url: POSTGRES_URL,
      drivers: ['pg', 'postgres'],
      ddl: [
        `DROP SCHEMA IF EXISTS ${name} CASCADE`,
        `CREATE SCHEMA ${name}`,
        `CREATE TABLE ${name}.orders (id int PRIMARY KEY, amount real)`,
        `INSERT INTO ${name}.orders VALUES (1, 1.5)`,
      ],
      amount: [`'amount'`, `column('amount', { type: 'real' })`],
      place: /orders → urlwhere_cli\.orders \(PostgreSQL \d+[\d.]*\)/,
      plan: /\n\n *Limit .*cost=/,
      refusal: /read-only transaction/,
      execute: async (statements) => {
        const client = new pg.Client({ connectionString: POSTGRES_URL })
        await client.connect()
        for (const statement of statements) await client.query(statement)
        await client.end()
      },
    },
  }),
  ...(MARIADB_URL !== undefined && {
    MariaDB: ofMysql(
      MARIADB_URL,
      /orders → urlwhere_cli\.orders \(MariaDB \d[\d.]*(?:, about \d+ rows?)?\)/,
      /"query_block"/,
    ),
  }),
  ...(MYSQL_URL !== undefined && {
    MySQL: ofMysql(MYSQL_URL, /orders → urlwhere_cli\.orders \(MySQL \d[\d.]*(?:, about \d+ rows?)?\)/, /\n\n-> Limit/),
  }),
}

const moduleOf = (amount: string) => `
import { defineCollection, defineSchema, field } from 'urlwhere'
import { column, table } from 'urlwhere/sql'
const schema = defineSchema({ id: field.integer({ required: true }), amount: field.number() })
export const orders = defineCollection(schema, { key: 'id', sort: ['amount'] })
export const ordersTable = table(['${name}', 'orders'], { schema, key: 'id', columns: { amount: ${amount} } })`

describe.each(Object.entries(servers))('%s', (server, { url, drivers, ddl, amount, place, plan, refusal, execute }) => {
  beforeAll(() => execute(ddl))
  afterAll(() => execute([ddl[0]!]))

  describe.each(drivers)('%s', (driver) => {
    let project: Project
    beforeAll(() => {
      const [wrong, right] = amount
      project = newProject({ 'wrong.ts': moduleOf(wrong), 'right.ts': moduleOf(right) }, [driver])
    })
    afterAll(() => project.remove())

    test('check reports the wrong type, and has no finding for the right one', async () => {
      const wrong = await project.urlwhere(['check', 'wrong.ts'], { DATABASE_URL: url })
      expect(wrong.stdout).toMatch(place)
      expect(wrong.stdout).toContain(`write ${amount[1]}`)
      expect(wrong.code).toBe(1)
      const right = await project.urlwhere(['check', 'right.ts', '--url', url])
      expect(right.stdout).toMatch(/\n\nno findings in 1 table\n$/)
      expect(right.code).toBe(0)
    })

    test('inspect describes a schema', async () => {
      const { code, stdout } = await project.urlwhere(['inspect', '--url', url, '--schema', name])
      const { tables } = JSON.parse(stdout) as { tables: { schema: string; name: string }[] }
      expect([code, tables.map((table) => [table.schema, table.name])]).toEqual([0, [[name, 'orders']]])
    })

    test('explain prints the plan', async () => {
      const { code, stdout } = await project.urlwhere(['explain', 'right.ts', 'amount[gt]=1', '--url', url])
      expect(stdout).toMatch(/^amount is more than 1\n\nSELECT /)
      expect(stdout).toMatch(plan)
      expect(code).toBe(0)
    })

    test('serve answers from a session with the types of the database', async () => {
      const serving = await serve(project, [url, '--schema', name])
      // The session runs the statements of both requests in turn.
      const answers = [1, 2].map(async () => (await fetch(`${serving.address}api/orders?amount=1.5&count=true`)).json())
      const [answer, again] = await Promise.all(answers)
      const { code, stderr } = await serving.stop('SIGINT')
      expect([code, again]).toEqual([0, answer])
      expect(stderr).not.toContain('deprecated')
      expect(serving.report).toContain('/api/orders')
      expect(answer).toEqual({ data: [{ id: 1, amount: 1.5 }], page: { count: 1 } })
    })

    test('the session rejects a statement that writes', async () => {
      const { folder } = project
      const cwd = process.cwd()
      process.chdir(folder)
      try {
        const writing = connected({ url }, async ({ run }) => run(`INSERT INTO ${name}.orders VALUES (2, 2.5)`, []))
        await expect(writing).rejects.toThrow(refusal)
      } finally {
        process.chdir(cwd)
      }
    })

    if (server !== 'PostgreSQL')
      test('inspect exits with code 3 for a wrong password, and does not print it', async () => {
        const wrong = url.replace(/:[^:@]*@/, ':tiger-7@')
        const { code, stdout, stderr } = await project.urlwhere(['inspect'], { DATABASE_URL: wrong })
        expect([code, stdout]).toEqual([3, ''])
        expect(stderr).toContain(':***@')
        expect(stderr).toMatch(/Access denied/)
        expect(stderr).not.toContain('tiger')
      })
  })
})

describe.runIf(POSTGRES_URL !== undefined)('PostgreSQL', () => {
  const { url, ddl, execute } = servers.PostgreSQL ?? ({} as Server)
  const reader = `${name}_reader`
  let project: Project
  beforeAll(async () => {
    project = newProject({ 'right.ts': moduleOf(`column('amount', { type: 'real' })`) }, ['pg'])
    await execute([
      ...ddl,
      `DROP ROLE IF EXISTS ${reader}`,
      `CREATE ROLE ${reader} LOGIN`,
      `ALTER ROLE ${reader} SET search_path = ${name}`,
    ])
  })
  afterAll(async () => {
    project.remove()
    await execute([ddl[0]!, `DROP ROLE ${reader}`])
  })
  const asReader = () => {
    const other = new URL(url)
    other.username = reader
    return other.href
  }

  test('inspect exits with code 3 for a user who can read no schema', async () => {
    expect(await project.urlwhere(['inspect', '--url', asReader()])).toEqual({
      code: 3,
      stdout: '',
      stderr: `urlwhere: this user can read no schema: ${name} is denied\n`,
    })
  })

  test('Ctrl-C ends the session and the command, also while a statement waits', async () => {
    const [locking, other] = [url, url].map((connectionString) => new pg.Client({ connectionString })) as [
      pg.Client,
      pg.Client,
    ]
    try {
      await Promise.all([locking.connect(), other.connect()])
      await locking.query('BEGIN')
      await locking.query(`LOCK TABLE ${name}.orders IN ACCESS EXCLUSIVE MODE`)
      const sessions = async (state: string) =>
        (await other.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'urlwhere' AND ${state}`)).rowCount
      const patience = { timeout: 30_000, interval: 20 }
      const child = project.start(['check', 'right.ts', '--url', url])
      const result = exitOf(child)
      await vi.waitFor(async () => expect(await sessions(`wait_event_type = 'Lock'`)).toBe(1), patience)
      child.kill('SIGINT')
      expect(await result).toMatchObject({ code: 130, stdout: '' })
      // The server notices the closed connection when the statement ends.
      await locking.query('ROLLBACK')
      await vi.waitFor(async () => expect(await sessions('true')).toBe(0), patience)
    } finally {
      await Promise.all([locking.end(), other.end()])
    }
  })
})

test('the tests run on each server whose URL the environment has', () => {
  expect(Object.keys(servers)).toHaveLength([POSTGRES_URL, MARIADB_URL, MYSQL_URL].filter(Boolean).length)
})
