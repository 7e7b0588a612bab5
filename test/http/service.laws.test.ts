/** The table of answers in docs/reference/list-service.md, on the demo's data and on stores that fail. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { column, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import type { Rows } from '../../src/service/index.ts'
import { defineCollection, defineSchema, field, where } from '../../src/index.ts'
import { makeAccounts } from '../../docs/demo/accounts.ts'
import { type Listed } from '../service/walk.ts'
import { origin, ask, as, basic, data, all, customService, statusWith } from './service.fixture.ts'
import { createListService } from './form.ts'

describe('lists', () => {
  test('an empty query is everything that the caller may see', async () => {
    const [everything, north, south] = await Promise.all(
      ['office', 'north', 'south'].map((name) => all(name, '/api/orders?limit=200')),
    )
    expect(everything).toHaveLength(2400)
    expect(north).toEqual(everything!.filter(({ seller }) => seller === 's-north'))
    expect(south).toEqual(everything!.filter(({ seller }) => seller === 's-south'))
    for (const query of ['', '?', '?&&']) {
      expect(await data(ask(`/api/orders${query}`, as('north'))), query).toEqual(north!.slice(0, 20))
    }
  })
})

describe('pages that page(rows) of a SQL query makes', () => {
  const schema = defineSchema({
    id: field.integer(),
    name: field.string(),
    total: field.number(),
    gift: field.boolean(),
    paidAt: field.datetime(),
  })
  const collection = defineCollection(schema, {
    key: 'id',
    sort: true,
    fields: true,
    count: true,
    offset: { max: 100 },
  })
  // A cursor has room for some of these texts only.
  const names = [null, 'Jo', '', 'x'.repeat(9_000), `${'x'.repeat(9_000)}y`, 'a\0b', 'Jörg', 'x'.repeat(2_000)]
  const rows = Array.from({ length: 40 }, (_, at) => ({
    id: at + 1,
    name: names[(at * 5) % names.length]!,
    total: at % 3 === 0 ? null : (at % 7) + 0.25,
    gift: [true, false, null][at % 3]!,
    paidAt: at % 4 === 0 ? null : `2024-05-0${(at % 9) + 1}T12:00:00.123Z`,
  }))

  const database = new DatabaseSync(':memory:')
  database.exec(
    'CREATE TABLE notes (id INTEGER PRIMARY KEY, full_name TEXT, total REAL, gift INTEGER, paid_at INTEGER)',
  )
  const insert = database.prepare('INSERT INTO notes VALUES (?, ?, ?, ?, ?)')
  for (const { id, name, total, gift, paidAt } of rows)
    insert.run(id, name, total, gift === null ? null : Number(gift), paidAt === null ? null : Date.parse(paidAt))
  const backend = sqlBackend({
    dialect: sqlite,
    table: table('notes', {
      schema,
      columns: { name: 'full_name', paidAt: column('paid_at', { type: 'epochMs' }) },
    }),
  })
  /** In the form of the schema, out of the numbers or the bigints of the driver. */
  const inJson = ({ id, gift, paidAt, ...rest }: Record<string, unknown>) => ({
    ...rest,
    id: Number(id),
    gift: gift === null ? null : Boolean(gift),
    paidAt: paidAt === null ? null : new Date(Number(paidAt)).toISOString(),
  })
  const inSqlite = (readBigInts: boolean): Rows => ({
    backend,
    page: (query) => {
      const { text, parameters, page } = backend.compileQuery(query)
      const read = database.prepare(`SELECT id, full_name AS name, total, gift, paid_at AS "paidAt" FROM notes ${text}`)
      read.setReadBigInts(readBigInts)
      const made = page(read.all(...parameters))
      return { ...made, rows: made.rows.map(inJson) }
    },
    count: ({ filter }) => {
      const { text, parameters } = backend.compile(filter)
      return Number(database.prepare(`SELECT count(*) AS number FROM notes WHERE ${text}`).get(...parameters)!.number)
    },
  })
  const { compile, compileQuery } = memoryBackend()
  const inMemory: Rows = {
    find: (query) => compileQuery({ ...query, count: false })(rows).rows,
    count: ({ filter }) => rows.filter(compile(filter)).length,
  }
  const serviceOf = (rows: Rows) =>
    createListService<{ id: number }>({
      authenticate: () => ({ id: 3 }),
      collections: { notes: { collection, rows, restriction: ({ id }) => where(schema).notEqual('id', id) } },
      onError: (error) => {
        throw error
      },
    })
  /** The answers from the first page to the last and back, by the cursors of their bodies. */
  const answersOf = async (service: ReturnType<typeof serviceOf>, query: string) => {
    const answers: { status: number; body: Listed; link: string | null }[] = []
    const askAt = async (cursor?: string) => {
      const at = cursor === undefined ? query : `${query.replace(/&offset=\d+/, '')}&cursor=${cursor}`
      const response = await service(new Request(`${origin}/api/notes?${at}`))
      const body = (await response.json()) as Listed
      answers.push({ status: response.status, body, link: response.headers.get('link') })
      return body.page
    }
    let page = await askAt()
    while (page.next !== undefined) page = await askAt(page.next)
    while (page.previous !== undefined) page = await askAt(page.previous)
    return answers
  }

  test.each([
    ['numbers', false],
    ['bigints', true],
  ])('are those that the service makes of rows in memory, where the driver reads %s', async (_, readBigInts) => {
    const [ofSqlite, ofMemory] = [serviceOf(inSqlite(readBigInts)), serviceOf(inMemory)]
    for (const sort of ['id', '-id', 'name', '-name', 'total', '-gift,total', 'paidAt', '-paidAt,name']) {
      for (const rest of ['limit=3&count=true', 'limit=7&fields=name&total[gt]=1', 'limit=4&offset=5']) {
        const query = `sort=${sort}&${rest}`
        const expected = await answersOf(ofMemory, query)
        const ids = expected.flatMap(({ body }) => body.data.map(({ id }) => id))
        if (rest.startsWith('limit=3')) expect(new Set(ids.slice(0, rows.length - 1)).size, query).toBe(rows.length - 1)
        expect(await answersOf(ofSqlite, query), query).toEqual(expected)
      }
    }
  })
})

describe('password checks', () => {
  const places = 18

  test('of 200 wrong passwords at once, 18 are checked', async () => {
    const to = customService({ accounts: await makeAccounts() })
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask('/api/apiKey', basic('north:wrong'), to)))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(401), count(429)]).toEqual([places, 200 - places])
  })
})

describe('a property of Object.prototype', () => {
  test('takes nothing from callers who are known', async () => {
    for (const [name, value] of [
      ['status', 401],
      ['statusCode', 401],
      ['detail', 'no'],
      ['text', 'id=1'],
      ['fault', 'missing'],
    ] as const) {
      expect(await statusWith(name, value, customService({}), as('north')), name).toBe(200)
    }
  })
})
