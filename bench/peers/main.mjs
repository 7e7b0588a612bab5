/**
 * The first page and the page at 900,000 of 1,000,000 rows in SQLite, by cursor, read by urlwhere and by the peers that read
 * rows themselves:
 *
 *     npm --prefix bench/peers ci && node bench/peers/main.mjs
 *
 * Each is given what a request says, urlwhere as text and the peers as an object, and gives the rows. All read one file by one
 * driver, in turn. docs/internals/performance.md, "Against other libraries", has the figures.
 */
import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeCursor } from '@kavo/core'
import { createTypeOrmKavo } from '@kavo/typeorm'
import Database from 'better-sqlite3'
import { paginate, PaginationType } from 'nestjs-paginate'
import { DataSource, EntitySchema } from 'typeorm'
import { column, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../src/index.ts'
import { check, median } from '../timing.mjs'

const count = 1_000_000
const depth = 900_000
const limit = 20
const rounds = 5

const folder = mkdtempSync(join(tmpdir(), 'urlwhere-'))
const file = join(folder, 'deep')
const database = new Database(file)
database.exec('CREATE TABLE deep (id INTEGER PRIMARY KEY, total REAL NOT NULL, note TEXT NOT NULL)')
const insert = database.prepare('INSERT INTO deep VALUES (?, ?, ?)')
database.exec('BEGIN')
// Ten rows have each total: every position is a tie.
for (let id = 1; id <= count; id++) insert.run(id, (Math.imul(id, 7919) >>> 0) % (count / 10), `note ${id}`)
database.exec('COMMIT; CREATE INDEX deep_total ON deep (total, id); ANALYZE')

class Deep {}
const columns = { id: { type: 'integer', primary: true }, total: { type: 'real' }, note: { type: 'text' } }
const entity = new EntitySchema({ name: 'Deep', target: Deep, tableName: 'deep', columns })
const source = await new DataSource({ type: 'better-sqlite3', database: file, entities: [entity] }).initialize()

// By peer and direction, what reads a page: the first one, or the one after a row.

const collection = defineCollection(
  defineSchema({ id: field.integer(), total: field.number(), note: field.string() }),
  { key: 'id', sort: ['total'] },
)
const backend = sqlBackend({
  dialect: sqlite,
  table: table('deep', {
    schema: collection.schema,
    key: 'id',
    columns: { total: column('total', { notNull: true }), id: column('id', { notNull: true }) },
  }),
})
const prepared = new Map()
const statementOf = (text) => prepared.get(text) ?? prepared.set(text, database.prepare(text)).get(text)
function urlwhere(direction, edge) {
  const asked = `sort=${direction === 'ASC' ? '' : '-'}total&limit=${limit}`
  const first = parseQueryOrThrow(collection, asked)
  const text = edge === undefined ? asked : `${asked}&cursor=${toPage({ ...first, limit: 1 }, [edge, {}]).next}`
  return () => {
    const query = parseQueryOrThrow(collection, text)
    const { text: end, parameters } = backend.compileQuery(query)
    const { rows } = toPage(query, statementOf(`SELECT * FROM deep ${end}`).all(...parameters))
    return Promise.resolve(rows)
  }
}

const crud = createTypeOrmKavo(source).createCrud(Deep, {
  sort: { fields: ['total', 'id'] },
  pagination: { strategy: 'cursor', count: false },
})
function kavo(direction, edge) {
  const sort = ['total', 'id'].map((field) => ({ field, direction: direction.toLowerCase() }))
  const cursor = edge && encodeCursor([edge.total, edge.id])
  return async () => (await crud.findMany({ sort, limit, ...(cursor && { cursor }) })).items
}

async function nestjsPaginate(direction, edge) {
  const sortBy = ['total', 'id'].map((name) => [name, direction])
  const config = {
    sortableColumns: ['total', 'id'],
    filterableColumns: { id: ['$eq'] },
    defaultLimit: limit,
    paginationType: PaginationType.CURSOR,
    relativePath: true,
  }
  const ask = (more) => paginate({ path: '/deep', limit, sortBy, ...more }, source.getRepository(Deep), config)
  const { links } = edge ? await ask({ filter: { id: `$eq:${edge.id}` } }) : {}
  const more = edge ? { cursor: new URLSearchParams(links.next.split('?')[1]).get('cursor') } : {}
  return async () => (await ask(more)).data
}

const idsOf = (rows) => rows.map(({ id }) => id).join()
const milliseconds = (value) => (value < 1 ? value.toFixed(3) : value.toFixed(value < 100 ? 1 : 0))
for (const direction of ['ASC', 'DESC']) {
  const ordered = database.prepare(`SELECT * FROM deep ORDER BY total ${direction}, id ${direction} LIMIT ? OFFSET ?`)
  const [edge, ...deep] = ordered.all(limit + 1, depth - 1)
  const expected = { first: idsOf(ordered.all(limit, 0)), deep: idsOf(deep) }
  const lanes = []
  for (const [name, peer] of Object.entries({ urlwhere, kavo, 'nestjs-paginate': nestjsPaginate })) {
    for (const [which, at] of Object.entries({ first: undefined, deep: edge })) {
      const read = await peer(direction, at)
      check(idsOf(await read()) === expected[which], `${name}, ${which} page, ${direction}`)
      lanes.push({ name, which, read, samples: [] })
    }
  }
  // Short reads many times, long ones a few times: in turn.
  for (let round = 0; round < rounds; round++) {
    for (const { read, samples } of lanes) {
      for (let spent = 0; spent < 100;) {
        const begun = performance.now()
        await read()
        samples.push(performance.now() - begun)
        spent += samples.at(-1)
      }
    }
  }
  for (const { name, which, samples } of lanes)
    console.log(`total ${direction}  ${name.padEnd(16)} ${which.padEnd(6)} ${milliseconds(median(samples))} ms`)
}
await source.destroy()
database.close()
rmSync(folder, { recursive: true })
