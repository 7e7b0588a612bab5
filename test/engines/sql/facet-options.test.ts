/** Facets with a bound and with labels on every engine, counted by hand; and how many rows a bounded one reads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, jsonColumn, parentTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseQueryOrThrow,
  restrict,
  where,
  type FacetValue,
} from '../../../src/index.ts'
import { dialectOf, openAllEngines } from './all-engines.ts'

const engines = await openAllEngines()

const tickets = defineSchema({
  id: field.integer({ required: true }),
  status: field.enumeration(['open', 'held']),
  title: field.string(),
  priority: field.integer(),
  assigneeId: field.integer(),
  assignee: field.object({ id: field.integer(), name: field.string(), team: field.object({ name: field.string() }) }),
  tags: field.list(field.string()),
  words: field.list(field.string()),
})
const collection = defineCollection(tickets, {
  key: 'id',
  facets: {
    status: { max: 3 },
    priority: { label: 'title' },
    assigneeId: { label: 'assignee.name' },
    'assignee.id': { label: 'assignee.team.name', max: 3 },
    tags: { max: 3 },
    words: { max: 3 },
    title: true,
  },
})
const users = [
  { id: 7, name: 'Ann', team: { name: 'North' } },
  { id: 8, name: 'Bo', team: null },
] as const
const data = [
  { id: 1, status: 'open', title: 'b', priority: 1, assigneeId: 7, tags: ['x', 'y', 'x'] },
  { id: 2, status: 'open', title: 'B', priority: 1, assigneeId: 8, tags: ['x'] },
  { id: 3, status: 'open', title: 'a', priority: 2, assigneeId: 7, tags: [] },
  { id: 4, status: 'held', title: null, priority: 3, assigneeId: null, tags: ['y'] },
  // No user has this number.
  { id: 5, status: 'held', title: 'c', priority: null, assigneeId: 9, tags: ['x'] },
] as const
const rows = data.map((row) => ({
  ...row,
  words: row.tags,
  assignee: users.find(({ id }) => id === row.assigneeId) ?? null,
}))

type Query = ReturnType<typeof parseQueryOrThrow<typeof collection>>
type Counted = (query: Query) => Promise<Readonly<Record<string, readonly FacetValue[]>>>

/** The values, in a short form: the value, its label if the facet has labels, and the count. */
const short = (values: readonly FacetValue[]) =>
  values.map(({ value, label, count }) => [value, ...(label === undefined ? [] : [label]), count])

function laws(counted: () => Counted): void {
  const ask = async (text: string, path: string, query = parseQueryOrThrow(collection, text)) =>
    short((await counted()(query))[path]!)

  test('exactly the maximum of rows is a count', async () => {
    expect(await ask('id[gte]=3&facets=status', 'status')).toEqual([
      ['held', 2],
      ['open', 1],
    ])
    expect(await ask('id[lte]=3&facets=tags', 'tags')).toEqual([
      ['x', 2],
      [null, 1],
      ['y', 1],
    ])
    expect(await ask('id[gte]=3&facets=words', 'words')).toEqual([
      [null, 1],
      ['x', 1],
      ['y', 1],
    ])
    expect(await ask('id=0&facets=status,tags', 'tags')).toEqual([])
    // The facet leaves out its own condition, and then selects five rows.
    expect(await ask('status=held&id[gte]=3&facets=status', 'status')).toEqual([
      ['held', 2],
      ['open', 1],
    ])
  })
  test.each([
    ['id[gte]=2&facets=status', 'status', { open: 2, held: 2 }, 3],
    ['facets=status', 'status', { open: 3, held: 2 }, 3],
    ['status=held&facets=status', 'status', { open: 3, held: 2 }, 3],
    ['id[in]=2,3,4,5&facets=tags', 'tags', { x: 2, y: 1, null: 1 }, 3],
    ['id[in]=2,3,4,5&facets=words', 'words', { x: 2, y: 1, null: 1 }, 3],
  ] as const)('more rows than the maximum give lower bounds: %s', async (text, path, most, sum) => {
    const values = await ask(text, path)
    for (const [value, count] of values) {
      expect(count).toEqual({ atLeast: expect.any(Number) as number })
      const { atLeast } = count as { atLeast: number }
      expect(atLeast).toBeGreaterThan(0)
      expect(atLeast).toBeLessThanOrEqual((most as Record<string, number>)[String(value)]!)
    }
    expect(values.reduce((all, [, count]) => all + (count as { atLeast: number }).atLeast, 0)).toBe(sum)
  })
  test('a restriction bounds the rows before they are counted', async () => {
    const query = restrict(parseQueryOrThrow(collection, 'facets=status,tags'), where(tickets).lte('id', 3))
    expect(await ask('', 'status', query)).toEqual([['open', 3]])
    expect(await ask('', 'tags', query)).toHaveLength(3)
  })
  test('a label is the text of the parent, and null without one', async () => {
    expect(await ask('facets=assigneeId', 'assigneeId')).toEqual([
      [7, 'Ann', 2],
      [null, null, 1],
      [8, 'Bo', 1],
      [9, null, 1],
    ])
    expect(await ask('assignee.name=Ann&id[lt]=3&facets=assigneeId', 'assigneeId')).toEqual([[7, 'Ann', 1]])
  })
  test('of several texts, the label is the first by code points, and rows without a text have none', async () => {
    expect(await ask('facets=priority', 'priority')).toEqual([
      [1, 'B', 2],
      [null, 'c', 1],
      [2, 'a', 1],
      [3, null, 1],
    ])
  })
  test('a bound and a label from a parent of a parent', async () => {
    expect(await ask('id[lte]=3&facets=assignee.id', 'assignee.id')).toEqual([
      [7, 'North', 2],
      [8, null, 1],
    ])
    for (const [value, label, count] of await ask('facets=assignee.id', 'assignee.id')) {
      expect(count).toHaveProperty('atLeast')
      expect(label).toBe(value === 7 ? 'North' : null)
    }
  })
}

describe('memory', () => {
  laws(() => async (query) => Promise.resolve(memoryBackend().facets(query)(rows)))
})

describe.each(engines)('$name', (engine) => {
  const own = `facet_options_${Math.trunc(Math.random() * 1e9).toString(36)}`
  const { dialect } = engine
  const quoted = (text: string | null) => (text === null ? 'NULL' : `'${text}'`)
  const json = dialectOf(engine) === 'postgres' ? 'jsonb' : 'JSON'
  const mapped = table(own, {
    schema: tickets,
    key: 'id',
    naming: 'snake_case',
    columns: {
      assignee: parentTable(`${own}_users`, {
        ...{ key: 'id', foreignKey: 'assignee_id' },
        columns: { team: parentTable(`${own}_teams`, { key: 'id', foreignKey: 'team_id' }) },
      }),
      tags: childTable(`${own}_tags`, { foreignKey: 'ticket_id', value: 'tag' }),
      words: jsonColumn('words'),
    },
  })
  beforeAll(async () => {
    const text = /^m/.test(dialect.name)
      ? 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'
      : 'VARCHAR(20)'
    const run = async (statement: string) => engine.run(statement)
    await run(
      `CREATE TABLE ${own} (id INTEGER PRIMARY KEY, status ${text}, title ${text}, priority INTEGER, assignee_id INTEGER, words ${json})`,
    )
    await run(`CREATE TABLE ${own}_users (id INTEGER PRIMARY KEY, name ${text}, team_id INTEGER)`)
    await run(`CREATE TABLE ${own}_teams (id INTEGER PRIMARY KEY, name ${text})`)
    await run(`CREATE TABLE ${own}_tags (ticket_id INTEGER, tag ${text})`)
    for (const { id, status, title, priority, assigneeId, tags } of data) {
      await run(
        `INSERT INTO ${own} VALUES (${id}, ${quoted(status)}, ${quoted(title)}, ${priority}, ${assigneeId}, '${JSON.stringify(tags)}')`,
      )
      for (const tag of tags) await run(`INSERT INTO ${own}_tags VALUES (${id}, '${tag}')`)
    }
    await run(`INSERT INTO ${own}_users VALUES (7, 'Ann', 1), (8, 'Bo', NULL)`)
    await run(`INSERT INTO ${own}_teams VALUES (1, 'North')`)
  })
  afterAll(async () => {
    for (const name of [own, `${own}_users`, `${own}_teams`, `${own}_tags`]) await engine.run(`DROP TABLE ${name}`)
  })
  laws(() => async (query) => {
    const values: Record<string, readonly FacetValue[]> = {}
    for (const { path, text, parameters, read } of sqlBackend({ dialect, table: mapped }).facets(query))
      values[path] = read(await engine.run(text, parameters))
    return values
  })
})

describe.each(engines.filter(({ dialect: { name } }) => name !== 'duckdb'))('$name: of 20,000 rows', (engine) => {
  const own = `facet_bounds_${Math.trunc(Math.random() * 1e9).toString(36)}`
  const { dialect, run } = engine
  const isMysql = /^m/.test(dialect.name)
  const mapped = table(own, {
    schema: tickets,
    key: 'id',
    naming: 'snake_case',
    columns: {
      assignee: parentTable(`${own}_users`, {
        ...{ key: 'id', foreignKey: 'assignee_id' },
        columns: { team: { name: 'team' } },
      }),
      tags: childTable(`${own}_tags`, { foreignKey: 'ticket_id', value: 'tag' }),
      words: jsonColumn('words'),
    },
  })
  const bounded = defineCollection(tickets, {
    key: 'id',
    facets: { status: { max: 50 }, assigneeId: { max: 50, label: 'assignee.name' }, tags: { max: 50 } },
  })
  beforeAll(async () => {
    const text = isMysql ? 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin' : 'VARCHAR(20)'
    const ids = Array.from({ length: 20_000 }, (_, at) => at + 1)
    await run(`CREATE TABLE ${own} (id INTEGER PRIMARY KEY, status ${text}, priority INTEGER, assignee_id INTEGER)`)
    await run(`CREATE TABLE ${own}_users (id INTEGER PRIMARY KEY, name ${text})`)
    await run(`CREATE TABLE ${own}_tags (ticket_id INTEGER, tag ${text})`)
    await run(`INSERT INTO ${own} VALUES ${ids.map((id) => `(${id}, 'open', ${id % 2}, ${id % 5})`).join(', ')}`)
    await run(`INSERT INTO ${own}_tags VALUES ${ids.map((id) => `(${id}, 'x')`).join(', ')}`)
    await run(`INSERT INTO ${own}_users VALUES (0, 'Ann'), (1, 'Bo')`)
    await run(`CREATE INDEX ${own}_p ON ${own} (priority)`)
    await run(`CREATE INDEX ${own}_t ON ${own}_tags (ticket_id)`)
    for (const name of [own, `${own}_tags`, `${own}_users`]) await run(engine.planning.analyze(name))
  })
  afterAll(async () => {
    for (const name of [own, `${own}_users`, `${own}_tags`]) await run(`DROP TABLE ${name}`)
  })

  /** How many rows a statement reads: in PostgreSQL of tables, in MySQL and MariaDB of temporary ones, too. */
  async function readsOf(text: string, parameters: unknown[]): Promise<number> {
    if (isMysql) {
      await run('FLUSH STATUS')
      await run(text, parameters)
      const counters = await run(`SHOW SESSION STATUS LIKE 'Handler_read%'`)
      return counters.reduce((sum, { Value }) => sum + Number(Value), 0)
    }
    const [row] = await run(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters)
    const found = row!['QUERY PLAN'] as string | object
    const [{ Plan: plan }] = (typeof found === 'string' ? JSON.parse(found) : found) as [{ Plan: Node }]
    const readIn = (node: Node): number =>
      (node['Relation Name'] === undefined ? 0 : node['Actual Rows'] * node['Actual Loops']) +
      (node.Plans ?? []).reduce((sum, one) => sum + readIn(one), 0)
    return readIn(plan)
  }
  interface Node {
    readonly 'Relation Name'?: string
    readonly 'Actual Rows': number
    readonly 'Actual Loops': number
    readonly Plans?: readonly Node[]
  }
  test.each(['status', 'assigneeId', 'tags'])('a facet reads about as many rows as its maximum: %s', async (path) => {
    const query = parseQueryOrThrow(bounded, `priority=1&facets=${path}`)
    const [facet] = sqlBackend({ dialect, table: mapped }).facets(query)
    if (dialectOf(engine) === 'sqlite') {
      const plan = JSON.stringify(await run(`EXPLAIN QUERY PLAN ${facet!.text}`, facet!.parameters))
      expect(plan.match(/MATERIALIZE urlwhere_rows/g)).toHaveLength(1)
      expect(plan.match(new RegExp(`${own}_p`, 'g'))).toHaveLength(1)
      return
    }
    const reads = await readsOf(facet!.text, facet!.parameters)
    expect(reads).toBeLessThan(isMysql ? 1_000 : 200)
  })
})
