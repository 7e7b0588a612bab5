/** Facets on engines whose columns ignore case or spaces, counted by hand; and the plan of an indexed one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, column, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, restrict, where } from '../../../src/index.ts'
import { opening, openEngines, type Engine } from './engines.ts'

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

const postgresEngines = await openEngines((name) => ['pglite', 'postgres'].includes(name))
afterAll(async () => {
  for (const { close } of postgresEngines) await close()
})
test.each(postgresEngines)('native enumerations are grouped, and ordered as texts: $name', async ({ dialect, run }) => {
  const name = `facet_enums_${process.pid}`
  // Declared in another order than that of texts.
  await run(`CREATE TYPE ${name}_type AS ENUM ('new', 'held', 'Held', 'gone')`)
  await run(`CREATE TABLE ${name} (id bigint, s ${name}_type)`)
  await run(`CREATE TABLE ${name}_l (o bigint, s ${name}_type)`)
  await run(`INSERT INTO ${name} VALUES (1, 'new'), (2, 'held'), (3, NULL), (4, 'new'), (5, 'Held'), (6, NULL)`)
  await run(`INSERT INTO ${name}_l VALUES (1, 'held'), (1, 'held'), (2, 'new'), (2, 'held'), (3, NULL), (4, 'Held')`)
  const states = field.enumeration(['new', 'held', 'Held', 'gone'])
  const schema = defineSchema({ id: field.integer(), s: states, l: field.list(states) })
  const type = { type: 'enum' } as const
  const l = childTable(`${name}_l`, { foreignKey: 'o', value: column('s', type) })
  const mapped = table(name, { schema, key: 'id', columns: { s: column<string>('s', type), l } })
  const collection = defineCollection(schema, { key: 'id', facets: ['s', 'l'] })
  const counts: [string, unknown][] = []
  for (const facet of sqlBackend({ dialect, table: mapped }).facets(parseQueryOrThrow(collection, 'facets=s,l')))
    counts.push([
      facet.path,
      facet.read(await run(facet.text, facet.parameters)).map(({ value, count }) => [value, count]),
    ])
  expect(counts).toEqual([
    [
      's',
      [
        [null, 2],
        ['new', 2],
        ['Held', 1],
        ['held', 1],
      ],
    ],
    [
      'l',
      [
        [null, 3],
        ['held', 2],
        ['Held', 1],
        ['new', 1],
      ],
    ],
  ])
  await run(`DROP TABLE ${name}, ${name}_l`)
  await run(`DROP TYPE ${name}_type`)
})

const mysqlEngines = await openEngines((name) => ['mysql', 'mariadb'].includes(name))
afterAll(async () => {
  for (const { close } of mysqlEngines) await close()
})
test.each(mysqlEngines)('enumerations are grouped as they are stored, then by their texts: $name', async (engine) => {
  const { dialect, run } = engine
  const name = `facet_enums_${process.pid}`
  // Without a strict mode, a value that the enumeration lacks is stored as 0. Its text is that of the member ''.
  const [mode] = await run('SELECT @@SESSION.sql_mode AS mode')
  await run(`SET SESSION sql_mode = ''`)
  await run(
    `CREATE TABLE ${name} (id INTEGER, s ENUM('new', '', 'held', 'Held') CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)`,
  )
  await run(
    `INSERT INTO ${name} VALUES (1, 'new'), (2, 'held'), (3, NULL), (4, ''), (5, 'Held'), (6, 'gone'), (7, 'held'), (8, '')`,
  )
  await run(`SET SESSION sql_mode = '${String(mode!.mode)}'`)
  const schema = defineSchema({ id: field.integer(), s: field.string() })
  const mapped = table(name, { schema, key: 'id', columns: { s: column<string>('s', { type: 'enum' }) } })
  const collection = defineCollection(schema, { key: 'id', facets: ['s'], facetLimit: 4 })
  const [facet] = sqlBackend({ dialect, table: mapped }).facets(parseQueryOrThrow(collection, 'facets=s'))
  const counts = facet!.read(await run(facet!.text, facet!.parameters)).map(({ value, count }) => [value, count])
  expect(facet!.text).toContain('sum(n)')
  expect(counts).toEqual([
    ['', 3],
    ['held', 2],
    [null, 1],
    ['Held', 1],
  ])
  await run(`DROP TABLE ${name}`)
})
