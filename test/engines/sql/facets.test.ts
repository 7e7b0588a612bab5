/** Facets on engines whose columns ignore case or spaces, counted by hand; and the plan of an indexed one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, column, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, restrict, where } from '../../../src/index.ts'
import { opening, type Engine } from './engines.ts'

const orders = defineSchema({
  id: field.integer({ required: true }),
  status: field.string(),
  total: field.decimal(),
  tags: field.list(field.string()),
})
const collection = defineCollection(orders, { key: 'id', facets: ['status', 'total', 'tags'] })

/** A text in a collation that ignores case, and where the engine has that, spaces at the end. */
const loose: Readonly<Record<string, string>> = {
  sqlite: 'TEXT COLLATE NOCASE',
  mysql: 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
  mariadb: 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
}
const plans: Readonly<Record<string, readonly [explain: string, index: RegExp]>> = {
  sqlite: ['EXPLAIN QUERY PLAN', /COVERING INDEX f_status/],
  pglite: ['EXPLAIN', /Index Only Scan using f_status/],
  postgres: ['EXPLAIN', /Index Only Scan using f_status/],
  'postgres 18': ['EXPLAIN', /Index Only Scan using f_status/],
  mysql: ['EXPLAIN FORMAT=TREE', /Covering index scan .*f_status/i],
  mariadb: ['EXPLAIN', /"key":"f_status".*Using index/],
}

describe.each(Object.keys(plans).filter((name) => Object.hasOwn(opening, name)))('%s', (name) => {
  let engine: Engine
  const own = `facets_${Math.trunc(Math.random() * 1e9).toString(36)}`
  const [orderTable, tagTable] = [`${own}_orders`, `${own}_tags`]
  const mapped = table(orderTable, {
    schema: orders,
    key: 'id',
    columns: {
      total: column<string>('total', name === 'sqlite' ? { type: 'scaled', digits: 2 } : {}),
      tags: childTable(tagTable, { foreignKey: 'order_id', value: 'tag' }),
    },
  })
  beforeAll(async () => {
    engine = await opening[name]!()
    const text = loose[name] ?? 'text'
    const decimal = name === 'sqlite' ? 'INTEGER' : 'DECIMAL(30, 10)'
    await engine.run(`CREATE TABLE ${orderTable} (id INTEGER PRIMARY KEY, status ${text}, total ${decimal})`)
    await engine.run(`CREATE TABLE ${tagTable} (order_id INTEGER, tag ${text})`)
    const totals = name === 'sqlite' ? ['150', '150', 'NULL', '-5', '1000'] : ['1.5', '1.50', 'NULL', '-0.05', '10']
    const rows = ["'a'", "'A'", "'a '", 'NULL', "'a'"].map((status, at) => `(${at + 1}, ${status}, ${totals[at]!})`)
    await engine.run(`INSERT INTO ${orderTable} VALUES ${rows.join(', ')}`)
    await engine.run(`INSERT INTO ${tagTable} VALUES (1, 'x'), (1, 'X'), (1, 'x'), (2, 'x'), (3, NULL), (4, 'x ')`)
    await engine.run(`CREATE INDEX f_status ON ${orderTable} (status)`)
  })
  afterAll(async () => {
    await engine.run(`DROP TABLE ${tagTable}`)
    await engine.run(`DROP TABLE ${orderTable}`)
    await engine.close()
  })
  const facetsOf = async (query: ReturnType<typeof parseQueryOrThrow<typeof collection>>) => {
    const values: Record<string, unknown> = {}
    for (const { path, text, parameters, read } of sqlBackend({ dialect: engine.dialect, table: mapped }).facets(query))
      values[path] = read(await engine.run(text, parameters)).map(({ value, count }) => [value, count])
    return values
  }

  test('case and spaces count, equal decimals are one, rows without a value are null', async () => {
    expect(await facetsOf(parseQueryOrThrow(collection, 'facets=status,total,tags'))).toEqual({
      status: [
        ['a', 2],
        [null, 1],
        ['A', 1],
        ['a ', 1],
      ],
      total: [
        ['1.5', 2],
        [null, 1],
        ['-0.05', 1],
        ['10', 1],
      ],
      tags: [
        [null, 2],
        ['x', 2],
        ['X', 1],
        ['x ', 1],
      ],
    })
  })
  test('a restriction holds in the facet of its own field', async () => {
    const query = restrict(
      parseQueryOrThrow(collection, 'status=A&facets=status,tags'),
      where(orders).equals('status', 'a'),
    )
    expect(await facetsOf(query)).toEqual({ status: [['a', 2]], tags: [] })
  })
  test('an index with the field serves the facet alone', async () => {
    const [explain, index] = plans[name]!
    // Planners read small tables whole.
    if (engine.planning.planners !== undefined && name.startsWith('p')) {
      await engine.run(`VACUUM ${orderTable}`)
      for (const off of ['seq', 'bitmap']) await engine.run(`SET enable_${off}scan = off`)
    }
    const [facet] = sqlBackend({ dialect: engine.dialect, table: mapped }).facets(
      parseQueryOrThrow(collection, 'facets=status'),
    )
    const rows = await engine.run(`${explain} ${facet!.text}`, facet!.parameters)
    expect(JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))).toMatch(
      index,
    )
  })
})
