/** What ClickHouse refuses, and what its dialect writes otherwise because of the engine. */
import { afterAll, expect, test } from 'vitest'
import { jsonColumn, parentTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseFilterOrThrow, parseQueryOrThrow } from '../../../src/index.ts'
import { clickhouse, openClickhouse, refusals } from './clickhouse.ts'
import type { Engine } from './engines.ts'

const { CHDB_PYTHON } = process.env
const opened: Engine[] = []
afterAll(async () => {
  for (const engine of opened) await engine.close()
})
test('chDB is installed', async ({ skip }) => {
  if (CHDB_PYTHON !== undefined) return void opened.push(await openClickhouse(CHDB_PYTHON))
  skip('Nothing was asked of ClickHouse: `eval "$(.ci/chdb start)"` installs it')
})

const schema = defineSchema({
  id: field.integer({ required: true }),
  owner: field.object({ city: field.string() }),
  tags: field.list(field.string()),
  groups: field.list(field.object({ names: field.list(field.string()) })),
})
const orders = table('ch_orders', {
  schema,
  key: 'id',
  columns: {
    owner: parentTable('ch_owners', { key: 'id', foreignKey: 'owner_id' }),
    tags: jsonColumn('tags'),
    groups: jsonColumn('groups'),
  },
})
const backend = sqlBackend({ dialect: clickhouse, table: orders })

test.runIf(CHDB_PYTHON)('filters and orders that it refuses, and those that it answers', async () => {
  const { run } = opened[0]!
  await run('CREATE TABLE ch_owners (id Int64, city String) ENGINE = Memory')
  await run('CREATE TABLE ch_orders (id Int64, owner_id Int64, tags String, groups String) ENGINE = Memory')
  await run("INSERT INTO ch_owners VALUES (1, 'Rome'), (2, 'Bari')")
  await run(`INSERT INTO ch_orders VALUES
    (1, 1, '["a","b"]', '[{"names":["x"]}]'), (2, 2, '[]', '[]'), (3, 2, NULL, NULL), (4, NULL, '["a"]', '{}')`)
  const answer = async (query: string) => {
    const { text, parameters } = backend.compile(parseFilterOrThrow(schema, query))
    const rows = await run(`SELECT id FROM ch_orders WHERE ${text} ORDER BY id`, parameters)
    return rows.map(({ id }) => Number(id))
  }
  for (const [query, ids] of [
    ['tags=a', [1, 4]],
    ['tags[nin]=a', [2, 3]],
    ['tags[exists]=false', [2, 3]],
    ['tags[atLeast]=1', [1, 4]],
    ['tags[atMost]=1', [2, 3, 4]],
    ['owner.city=Bari', [2, 3]],
    ['groups[exists]=true', [1]],
  ] as const)
    expect(await answer(query), query).toEqual(ids)

  const nested = backend.compile(parseFilterOrThrow(schema, 'groups.names=x')).text
  expect(nested).toMatch(refusals.nestedList)
  await expect(answer('groups.names=x')).rejects.toThrow(/Cannot decorrelate query.*NOT_IMPLEMENTED/)

  // `select` joins the parent.
  const byCity = parseQueryOrThrow(defineCollection(schema, { key: 'id', sort: ['owner.city'] }), 'sort=owner.city')
  const page = backend.compileQuery(byCity)
  await expect(run(`SELECT id FROM ch_orders ${page.text}`, page.parameters)).rejects.toThrow(
    /Correlated subqueries in ORDER BY are not supported.*NOT_IMPLEMENTED/,
  )
  const whole = sqlBackend({
    dialect: clickhouse,
    table: table('ch_orders', {
      schema: defineSchema({ id: field.integer({ required: true }), owner: field.object({ city: field.string() }) }),
      key: 'id',
      columns: { owner: parentTable('ch_owners', { key: 'id', foreignKey: 'owner_id' }) },
    }),
  }).select(byCity)
  expect(whole.page(await run(whole.text, whole.parameters)).rows.map((row) => (row as { id: number }).id)).toEqual([
    4, 2, 3, 1,
  ])
})

/** Rows 2 and 3 have no tags: each statement shows why the dialect writes it otherwise. */
test.runIf(CHDB_PYTHON)('faults of ClickHouse 26.9 that the dialect works around', async () => {
  const { run } = opened[0]!
  const ids = async (where: string) =>
    (await run(`SELECT id FROM ch_orders AS o WHERE ${where} ORDER BY id`)).map(({ id }) => Number(id))
  const entries = "(SELECT arrayJoin(JSONExtractArrayRaw(ifNull(o.tags, ''))) AS value) AS e"
  expect(await ids(`EXISTS (SELECT 1 FROM ${entries})`)).toEqual([1, 2, 4])
  expect(await ids(`EXISTS (SELECT 1 FROM ${entries} WHERE e.value <> '')`)).toEqual([1, 4])
  expect(await ids(`(SELECT count(*) FROM ${entries}) < 2`)).toEqual([4])
  expect(await ids(`ifNull((SELECT count(*) FROM ${entries}), 0) < 2`)).toEqual([2, 3, 4])
})
