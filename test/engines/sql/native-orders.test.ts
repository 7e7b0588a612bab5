/** A native enumeration of PostgreSQL orders pages by itself, in the order of the schema. */
import { afterAll, describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import { column, parentTable, sqlBackend, table, type SqlBackend } from '../../../src/backends/sql/index.ts'
import { check, inspect } from '../../../src/tools/inspect/index.ts'
import { openPglite, openPostgres, type Engine } from './engines.ts'

const { POSTGRES_URL } = process.env
const engines: Engine[] = [await openPglite(), ...(POSTGRES_URL ? [await openPostgres(POSTGRES_URL)] : [])]
afterAll(() => Promise.all(engines.map(({ close }) => close())))

const values = ['new', 'held', 'paid', "it's"]
const state = field.enumeration(values)
const schema = defineSchema({
  id: field.integer({ required: true }),
  state,
  last: state,
  rank: field.enumeration(values, { required: true }),
  owner: field.object({ state }),
})
const mappedAs = (type: 'enum' | 'orderedEnum') => {
  const as = (name: string) => column(name, { type, name: 'native_state' })
  const owner = parentTable('native_owners', { key: 'id', foreignKey: 'owner_id', columns: { state: as('state') } })
  const columns = { state: as('state'), last: as('state'), rank: as('rank'), owner }
  return table('native_tickets', { schema, key: 'id', columns })
}
const collection = defineCollection(schema, {
  key: 'id',
  sort: {
    state: { declared: true },
    last: { declared: true, nulls: 'last' },
    rank: { declared: true },
    'owner.state': { declared: true },
  },
})

/** The ids of all rows in each order. */
const orders: Readonly<Record<string, readonly number[]>> = {
  state: [4, 9, 2, 7, 3, 8, 1, 5, 6],
  '-state': [6, 5, 1, 8, 3, 7, 2, 9, 4],
  'state,-id': [9, 4, 7, 2, 8, 3, 5, 1, 6],
  last: [2, 7, 3, 8, 1, 5, 6, 4, 9],
  '-last': [6, 5, 1, 8, 3, 7, 2, 9, 4],
  rank: [4, 5, 8, 1, 2, 9, 6, 7, 3],
  '-rank': [3, 7, 6, 9, 2, 1, 8, 5, 4],
  'owner.state': [4, 5, 9, 1, 3, 8, 2, 6, 7],
  '-owner.state,rank': [2, 6, 7, 8, 1, 3, 4, 5, 9],
}

describe.each(engines)('$name', ({ dialect, run }) => {
  const backend = sqlBackend({ dialect, table: mappedAs('orderedEnum') })
  const readers: Readonly<Record<string, (backend: SqlBackend, text: string) => Promise<Page>>> = {
    select: async ({ select }, text) => {
      const { text: statement, parameters, page } = select(parseQueryOrThrow(collection, text))
      return page(await run(statement, parameters)) as Page
    },
    compileQuery: async ({ compileQuery }, text) => {
      const query = parseQueryOrThrow(collection, text)
      const { text: rest, parameters, page } = compileQuery(query)
      const rows = await run(
        `SELECT t.*, state AS last, (SELECT json_build_object('state', o.state) FROM native_owners AS o WHERE o.id = t.owner_id) AS owner
          FROM native_tickets AS t ${rest.replaceAll('"native_tickets".', 't.')}`,
        parameters,
      )
      return page(rows as { readonly id: number }[])
    },
  }
  interface Page {
    readonly rows: readonly object[]
    readonly next?: string
    readonly previous?: string
  }
  async function walk(read: (text: string) => Promise<Page>, sort: string, limit: number): Promise<number[][]> {
    const idsOf = ({ rows }: Page) => rows.map((row) => Number((row as { readonly id: number }).id))
    const forwards: number[] = []
    const backwards: number[] = []
    let page: Page = { rows: [], next: '' }
    for (let pages = 0; page.next !== undefined && pages < 20; pages++) {
      page = await read(`sort=${sort}&limit=${limit}${page.next === '' ? '' : `&cursor=${page.next}`}`)
      forwards.push(...idsOf(page))
    }
    backwards.unshift(...idsOf(page))
    for (let pages = 0; page.previous !== undefined && pages < 20; pages++) {
      page = await read(`sort=${sort}&limit=${limit}&cursor=${page.previous}`)
      backwards.unshift(...idsOf(page))
    }
    return [forwards, backwards]
  }
  const readBy = (name: string) => (text: string) => readers[name]!(backend, text)

  test('the rows are there', async () => {
    await run('DROP TABLE IF EXISTS native_tickets, native_owners')
    await run('DROP TYPE IF EXISTS native_state')
    await run(`CREATE TYPE native_state AS ENUM ('new', 'held', 'paid', 'it''s')`)
    await run('CREATE TABLE native_owners (id integer PRIMARY KEY, state native_state)')
    await run(`INSERT INTO native_owners VALUES (1, 'held'), (2, 'paid'), (3, NULL)`)
    await run(
      'CREATE TABLE native_tickets (id integer PRIMARY KEY, state native_state, rank native_state NOT NULL, owner_id integer)',
    )
    await run(`INSERT INTO native_tickets VALUES
      (1, 'paid', 'held', 1), (2, 'new', 'held', 2), (3, 'held', 'it''s', 1), (4, NULL, 'new', 3), (5, 'paid', 'new', 3),
      (6, 'it''s', 'paid', 2), (7, 'new', 'paid', 2), (8, 'held', 'new', 1), (9, NULL, 'held', NULL)`)
  })

  test.each(Object.keys(readers).flatMap((name) => Object.keys(orders).map((sort) => [name, sort] as const)))(
    '%s walks the pages of sort=%s in both directions',
    async (name, sort) => {
      for (const limit of [1, 2, 3, 4, 9])
        expect(await walk(readBy(name), sort, limit)).toEqual([orders[sort], orders[sort]])
    },
  )

  test('a position compares the column, and not a CASE', () => {
    const { select } = backend
    const first = parseQueryOrThrow(collection, 'sort=rank')
    const position = {
      toward: 'next',
      values: [
        { type: 'string', value: 'held' },
        { type: 'integer', value: 2 },
      ],
    } as const
    expect(select({ ...first, position }).text).toContain(
      'WHERE ("native_tickets"."rank", "native_tickets"."id") > ($1::"native_state", $2::bigint) ORDER BY "native_tickets"."rank" ASC,',
    )
  })

  test('an index on the column serves the pages', async () => {
    await run('CREATE INDEX native_by_state ON native_tickets (state NULLS FIRST, id)')
    await run('CREATE INDEX native_by_rank ON native_tickets (rank, id)')
    await run('SET enable_seqscan = off')
    await run('SET enable_sort = off')
    for (const [sort, index] of [
      ['state', 'native_by_state'],
      ['-state', 'native_by_state'],
      ['rank', 'native_by_rank'],
      ['-rank', 'native_by_rank'],
    ] as const) {
      const { next } = await readBy('select')(`sort=${sort}&limit=4`)
      const { text, parameters } = backend.select(parseQueryOrThrow(collection, `sort=${sort}&limit=4&cursor=${next}`))
      const plan = JSON.stringify(await run(`EXPLAIN ${text}`, parameters))
      expect(plan).toContain(index)
      expect(plan).toContain('Index Cond: ')
    }
    await run('RESET enable_seqscan')
    await run('RESET enable_sort')
  })

  const codes = async () =>
    check(await inspect(run, { dialect }), { dialect, table: mappedAs('orderedEnum'), collection })
      .filter(({ code }) => code === 'enum_values')
      .map(({ level, path, message }) => `${level} ${path}: ${message}`)

  test('a value that the schema lacks is on its page, and check warns', async () => {
    expect(await codes()).toEqual([])
    await run(`ALTER TYPE native_state ADD VALUE 'lost' BEFORE 'paid'`)
    await run(`UPDATE native_tickets SET state = 'lost', rank = 'lost' WHERE id IN (2, 8)`)
    for (const name of Object.keys(readers)) {
      for (const limit of [1, 2, 3]) {
        const [state] = await walk(readBy(name), 'state', limit)
        expect(state).toEqual([4, 9, 7, 3, 2, 8, 1, 5, 6])
        const [rank] = await walk(readBy(name), '-rank', limit)
        expect(rank).toEqual([3, 7, 6, 8, 2, 9, 1, 5, 4])
      }
    }
    const lacks = 'has lost, which the field lacks: no query can select it'
    expect((await codes())[0]).toBe(`warning state: native_tickets.state ${lacks}`)
  })

  test('check refuses another order of the values', async () => {
    await run('DROP TABLE native_tickets, native_owners')
    await run('DROP TYPE native_state')
    await run(`CREATE TYPE native_state AS ENUM ('held', 'new', 'paid', 'it''s')`)
    await run('CREATE TABLE native_owners (id integer PRIMARY KEY, state text)')
    await run('CREATE TABLE native_tickets (id integer PRIMARY KEY, state native_state, rank text, owner_id integer)')
    expect(await codes()).toContain(
      "error state: native_tickets.state sorts held, new, paid, it's, and the field declares new, held, paid, it's: orderedEnum promises the same order",
    )
    await run('DROP TABLE native_tickets, native_owners')
    await run('DROP TYPE native_state')
  })
})

test('the type requires the name of the enumeration', () => {
  const columns = { state: column('state', { type: 'orderedEnum' }) }
  const one = defineSchema({ id: field.integer(), state })
  expect(() =>
    sqlBackend({ dialect: engines[0]!.dialect, table: table('t', { schema: one, key: 'id', columns }) }),
  ).toThrow(new TypeError('columns.state: orderedEnum needs name'))
})
