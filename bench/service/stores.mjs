/**
 * The stores of the servers. `byHand` reads one row more than a page, for an endpoint that knows its conditions and its order, after the
 * `position` of a cursor: `[isBack, total, id]`. `page` makes the page of a query, and `find` reads its rows.
 */
import Database from 'better-sqlite3'
import pg from 'pg'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { postgres, sqlite } from '../../src/backends/sql/index.ts'
import { toPage } from '../../src/index.ts'
import { backendOf, ordersUpTo } from '../orders.mjs'

const columns = 'id, seller, customer_name AS "customerName", status, total, note, day'
/** The statements of an endpoint by hand: the first page, the next one, the one before. */
const statementsOf = (columns, [seller, from, total, id, limit, firstLimit]) => {
  const select = `SELECT ${columns} FROM orders WHERE seller = ${seller} AND total >= ${from}`
  const downwards = 'ORDER BY total DESC, id DESC LIMIT'
  return {
    first: `${select} ${downwards} ${firstLimit}`,
    next: `${select} AND (total, id) < (${total}, ${id}) ${downwards} ${limit}`,
    previous: `${select} AND (total, id) > (${total}, ${id}) ORDER BY total, id LIMIT ${limit}`,
  }
}

const readerOf =
  (statements, run) =>
  ({ seller, from, position, limit }) => {
    if (position === undefined) return run(statements.first, [seller, from, limit + 1])
    const [isBack, total, id] = position
    return run(isBack ? statements.previous : statements.next, [seller, from, total, id, limit + 1])
  }

function sqliteStore({ file }) {
  const database = new Database(file, { readonly: true })
  const prepared = new Map()
  const statementOf = (text) => prepared.get(text) ?? prepared.set(text, database.prepare(text)).get(text)
  const run = (text, parameters) => statementOf(text).all(...parameters)
  const backend = backendOf(sqlite)
  const statements = statementsOf(columns, Array(6).fill('?'))
  return { backend, byHand: readerOf(statements, run), page: pageBy(backend, run) }
}

/** As the guide of the drivers runs a statement. */
const pageBy = (backend, run) => (query) => {
  const { text, parameters, page } = backend.select(query)
  const rows = run(text, parameters)
  return rows instanceof Promise ? rows.then(page) : page(rows)
}

async function postgresStore({ schema }) {
  const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL, options: `-c search_path=${schema}`, max: 4 })
  const names = new Map()
  const nameOf = (text) => names.get(text) ?? names.set(text, `list ${names.size}`).get(text)
  const run = async (text, values) => (await pool.query({ name: nameOf(text), text, values })).rows
  const backend = backendOf(postgres)
  // The driver reads a date as a Date of the local zone.
  const ofText = columns.replace('day', 'day::text AS day')
  const statements = statementsOf(ofText, ['$1', '$2', '$3', '$4', '$5', '$3'])
  return { backend, byHand: readerOf(statements, run), page: pageBy(backend, run) }
}

/** A list in memory is short: else its filter is all that is measured. */
const inMemory = 100
function memoryStore() {
  const rows = [...ordersUpTo(inMemory)]
  const backend = memoryBackend()
  const down = (a, b) => b.total - a.total || b.id - a.id
  const byHand = ({ seller, from, position, limit }) => {
    const [isBack, total, id] = position ?? []
    const beyond = isBack
      ? (row) => row.total > total || (row.total === total && row.id > id)
      : (row) => position === undefined || row.total < total || (row.total === total && row.id < id)
    const found = rows
      .filter((row) => row.seller === seller && row.total >= from && beyond(row))
      .sort(isBack ? (a, b) => down(b, a) : down)
    return found.slice(0, limit + 1)
  }
  const find = (query) => backend.compileQuery(query)(rows).rows
  return { backend, byHand, find, page: (query) => toPage(query, find(query)) }
}

export const stores = { memory: memoryStore, SQLite: sqliteStore, PostgreSQL: postgresStore }
