/** Pages: reading a query, the page of 20 out of many rows in memory, and pages deep in a table of a database. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import qs from 'qs'
import { memoryBackend } from '../src/backends/memory/index.ts'
import { column, postgres, sqlBackend, sqlite, table } from '../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQuery, parseQueryOrThrow, toPage } from '../src/index.ts'
import { conditions, flat, orders } from './queries.mjs'
import { makeRows } from './rows.mjs'
import { check, median, row, rowsOf, time } from './timing.mjs'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  day: field.date(),
})
const collection = defineCollection(schema, { key: 'id', sort: true })
const limit = 20

// --- parse-query

const asked = defineCollection(defineSchema({ id: field.integer(), ...orders.fields }), { key: 'id', sort: ['total'] })
const firstPage = (at) => flat([...conditions(at), 'sort=-total', 'limit=50'].join('&'))
const nextPage = (at) => {
  const { next } = toPage(parseQueryOrThrow(asked, 'sort=-total&limit=1'), [
    { id: at, total: 99.5 - at },
    { id: 0, total: 0 },
  ])
  return flat(`${firstPage(at)}&cursor=${next}`)
}
const parseQueries = {
  cases: [{}],
  processes: 3,
  run(_, settings) {
    const texts = Array.from({ length: 32 }, (_, at) => nextPage(at))
    for (const text of texts) check(parseQuery(asked, text).ok, `parseQuery, ${text}`)
    const contenders = { 'qs.parse': (text) => qs.parse(text), parseQuery: (text) => parseQuery(asked, text) }
    return rowsOf(time(contenders, { 'Q6, sort, limit, cursor': texts }, settings), [
      { contender: 'parseQuery', base: 'qs.parse', target: 0.9 },
    ])
  },
}

// --- pages: in memory

const all = () => true
const isOfSeller = (row) => row.seller === 's-1'
/** What somebody would write who knows that every order has a value for each of these. */
const byHand = {
  'sort=total': { matches: all, before: (a, b) => a.total < b.total || (a.total === b.total && a.id < b.id) },
  'seller=s-1&sort=-total': {
    matches: isOfSeller,
    before: (a, b) => a.total > b.total || (a.total === b.total && a.id > b.id),
  },
  'seller=s-1&sort=day': {
    matches: isOfSeller,
    before: (a, b) => a.day < b.day || (a.day === b.day && a.id < b.id),
  },
  'sort=customerName,-total': {
    matches: all,
    before: (a, b) =>
      a.customerName < b.customerName ||
      (a.customerName === b.customerName && (a.total > b.total || (a.total === b.total && a.id > b.id))),
  },
  'sort=status,-total': {
    matches: all,
    before: (a, b) =>
      a.status < b.status || (a.status === b.status && (a.total > b.total || (a.total === b.total && a.id > b.id))),
  },
}

/** A heap of as many rows as are asked for; the last of them is its root. */
const heapOf = (matches, before) => (rows) => {
  const heap = []
  for (const row of rows) {
    if (!matches(row)) continue
    if (heap.length <= limit) {
      let at = heap.push(row) - 1
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (!before(heap[parent], row)) break
        heap[at] = heap[parent]
        heap[(at = parent)] = row
      }
    } else if (before(row, heap[0])) {
      let at = 0
      for (let child = 1; child < heap.length; child = 2 * at + 1) {
        if (child + 1 < heap.length && before(heap[child], heap[child + 1])) child++
        if (!before(row, heap[child])) break
        heap[at] = heap[child]
        at = child
      }
      heap[at] = row
    }
  }
  return heap.sort((a, b) => (before(a, b) ? -1 : 1))
}
const sorted = (matches, before) => (rows) =>
  rows
    .filter(matches)
    .sort((a, b) => (before(a, b) ? -1 : 1))
    .slice(0, limit + 1)

const idsOf = (rows) => rows.map(({ id }) => id).join()

export function contendersOf(query, which, backend = memoryBackend) {
  const rows = makeRows(100_000, { data: 'H' }).map((row) => ({ ...row, day: row.items[0].arrival }))
  const { matches, before } = byHand[query]
  const first = parseQueryOrThrow(collection, `${query}&limit=${limit}`)
  const selected = rows.filter(matches).sort((a, b) => (before(a, b) ? -1 : 1))
  const edge = selected[selected.length >> 1]
  const { next } = toPage({ ...first, limit: 1 }, [edge, edge])
  const asked = which === 'first' ? first : parseQueryOrThrow(collection, `${query}&limit=${limit}&cursor=${next}`)
  const isAfter = which === 'first' ? matches : (row) => matches(row) && before(edge, row)
  const page = backend().compileQuery(asked)
  const contenders = {
    'bounded heap': heapOf(isAfter, before),
    'filter, sort, slice': sorted(isAfter, before),
    compileQuery: (rows) => page(rows).rows,
  }
  return { rows, contenders }
}

const pages = {
  cases: Object.keys(byHand).flatMap((query) => ['first', 'middle'].map((which) => ({ query, which }))),
  processes: 3,
  run({ query, which }, settings) {
    const { rows, contenders } = contendersOf(query, which)
    const what = `${query}, ${which} page`
    for (const [name, contender] of Object.entries(contenders))
      check(idsOf(contender(rows)) === idsOf(contenders['bounded heap'](rows)), `${name}, ${what}`)
    return rowsOf(time(contenders, { [what]: [rows] }, settings), [
      { contender: 'compileQuery', base: 'bounded heap' },
      { contender: 'compileQuery', base: 'filter, sort, slice', target: 0.5 },
    ])
  },
}

// --- depth: 1,000,000 rows in a table, with an index over the sort keys and the key

const count = 1_000_000
const depth = 900_000
/** As many values as make every position a tie: ten rows have each total. */
const totalOf = (id) => (Math.imul(id, 7919) >>> 0) % (count / 10)

/** What opens a table `deep` with all rows: `read` gives the rows of a statement. */
const databases = {
  SQLite: () => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE deep (id INTEGER PRIMARY KEY, total REAL NOT NULL, note TEXT NOT NULL)')
    const insert = database.prepare('INSERT INTO deep VALUES (?, ?, ?)')
    database.exec('BEGIN')
    for (let id = 1; id <= count; id++) insert.run(id, totalOf(id), `note ${id}`)
    database.exec('COMMIT; CREATE INDEX deep_total ON deep (total, id); ANALYZE')
    const prepared = new Map()
    return {
      dialect: sqlite,
      read: (text, parameters) => {
        if (!prepared.has(text)) prepared.set(text, database.prepare(text))
        return prepared.get(text).all(...parameters)
      },
      close: () => database.close(),
    }
  },
  PostgreSQL: async () => {
    const client = new pg.Client({ connectionString: process.env.POSTGRES_URL })
    await client.connect()
    await client.query(
      'CREATE UNLOGGED TABLE deep (id int PRIMARY KEY, total double precision NOT NULL, note text NOT NULL)',
    )
    await client.query(
      `INSERT INTO deep SELECT id, (id::bigint * 7919 & 4294967295) % ${count / 10}, 'note ' || id FROM generate_series(1, ${count}) AS id`,
    )
    await client.query('CREATE INDEX ON deep (total, id)')
    await client.query('VACUUM ANALYZE deep')
    const names = new Map()
    const nameOf = (text) => names.get(text) ?? names.set(text, `page ${names.size}`).get(text)
    return {
      dialect: postgres,
      read: async (text, values) => (await client.query({ name: nameOf(text), text, values })).rows,
      close: async () => {
        await client.query('DROP TABLE deep')
        await client.end()
      },
    }
  },
}

const deepCollection = defineCollection(
  defineSchema({ id: field.integer(), total: field.number(), note: field.string() }),
  { key: 'id', sort: ['total'], offset: { max: count } },
)
const deep = {
  cases: Object.keys(databases)
    .filter((name) => name !== 'PostgreSQL' || process.env.POSTGRES_URL !== undefined)
    .flatMap((name) => ['sort=total', 'sort=-total'].map((sort) => ({ name, sort }))),
  processes: 1,
  async run({ name, sort }, { rounds }) {
    const { dialect, read, close } = await databases[name]()
    const columns = { total: column('total', { notNull: true }), id: column('id', { notNull: true }) }
    const backend = sqlBackend({ dialect, table: table('deep', { schema: deepCollection.schema, key: 'id', columns }) })
    const compiled = (more) => {
      const query = parseQueryOrThrow(deepCollection, `${sort}&limit=${limit}${more}`)
      const { text, parameters } = backend.compileQuery(query)
      return { query, read: () => read(`SELECT * FROM deep ${text}`, parameters) }
    }
    const before = compiled(`&offset=${depth - limit}`)
    const { next } = toPage(before.query, await before.read())
    const contenders = {
      'page 1': compiled(''),
      'page at 900,000 by cursor': compiled(`&cursor=${next}`),
      'page at 900,000 by OFFSET': compiled(`&offset=${depth}`),
    }
    const [first, byCursor, byOffset] = Object.values(contenders)
    check(idsOf(await byCursor.read()) === idsOf(await byOffset.read()), `cursor and offset, ${name}, ${sort}`)
    check(idsOf(await byCursor.read()) !== idsOf(await first.read()), `another page, ${name}, ${sort}`)

    const samples = Object.fromEntries(Object.keys(contenders).map((one) => [one, []]))
    const warmUp = 100
    // Read by read in turn: a read takes less than a turn of the processor. An offset reads all rows before the page.
    for (let at = -warmUp; at < 40 * rounds; at++) {
      for (const [one, { read }] of Object.entries(contenders)) {
        if (one.endsWith('OFFSET') && (at < 0 || at >= 3)) continue
        const begun = process.hrtime.bigint()
        await read()
        if (at >= 0) samples[one].push(Number(process.hrtime.bigint() - begun))
      }
    }
    await close()
    const base = 'page 1'
    return Object.keys(contenders)
      .slice(1)
      .map((contender, at) =>
        row(samples[contender], at === 0 ? samples[base] : samples[contender].map(() => median(samples[base])), {
          ...{ what: `${name}, ${sort}`, contender, base },
          ...(at === 0 && { target: 1.5 }),
        }),
      )
  },
}

export const groups = { 'parse-query': parseQueries, pages, depth: deep }
