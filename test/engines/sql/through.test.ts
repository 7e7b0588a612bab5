/** Lists behind a join table on every engine: each operator, counts, `select`, facets and `where`, by hand. Memory answers the same. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, parentTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage, type Query } from '../../../src/index.ts'
import { openAllEngines } from './all-engines.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  labels: field.list(
    field.object({
      name: field.string(),
      size: field.integer(),
      since: field.date(),
      team: field.object({ name: field.string() }),
      words: field.list(field.string()),
    }),
  ),
  names: field.list(field.string()),
})
const collection = defineCollection(schema, {
  ...{ key: 'id', count: true, fields: true, groups: true },
  facets: ['labels.name', 'labels.since', 'labels.team.name', 'names'],
})

/** Keys of tickets and labels are composite: the area, and the number. `where` leaves out `gone` rows. */
const tables = {
  teams: [{ id: 'integer', name: 'string' }, [1, `'core'`], [2, `'docs'`]],
  tickets: [{ id: 'integer', area: 'integer' }, [1, 7], [2, 7], [3, 7], [4, 7], [5, 7]],
  labels: [
    { area: 'integer', id: 'integer', title: 'string', size: 'integer', team_id: 'integer', gone: 'integer' },
    [7, 1, `'bug'`, 3, 1, 'NULL'],
    [7, 2, `'ui'`, 5, 2, 'NULL'],
    [7, 3, `'old'`, 9, 1, 1],
    [7, 4, 'NULL', 'NULL', 'NULL', 'NULL'],
    [8, 1, `'other'`, 1, 2, 'NULL'],
  ],
  words: [
    { id: 'integer', label_area: 'integer', label_id: 'integer', word: 'string' },
    [1, 7, 1, `'x'`],
    [2, 7, 1, `'y'`],
    [3, 8, 1, `'z'`],
  ],
  ticket_labels: [
    {
      ticket_id: 'integer',
      ticket_area: 'integer',
      area: 'integer',
      label_id: 'integer',
      since: 'date',
      gone: 'integer',
    },
    [1, 7, 7, 1, `'2024-01-01'`, 'NULL'],
    [1, 7, 7, 2, `'2024-02-01'`, 'NULL'],
    [2, 7, 7, 2, `'2024-03-01'`, 'NULL'],
    // These are no entries: a label that where leaves out, a row that where leaves out, no label, no ticket.
    [2, 7, 7, 3, `'2024-01-01'`, 'NULL'],
    [2, 7, 7, 1, `'2024-01-01'`, 1],
    [3, 7, 7, 9, `'2024-01-01'`, 'NULL'],
    [3, 7, 'NULL', 1, `'2024-01-01'`, 'NULL'],
    [3, 8, 7, 1, `'2024-01-01'`, 'NULL'],
    ['NULL', 7, 7, 1, `'2024-01-01'`, 'NULL'],
    [4, 7, 7, 4, 'NULL', 'NULL'],
    [5, 7, 7, 1, `'2024-03-01'`, 'NULL'],
    [5, 7, 7, 4, `'2024-01-01'`, 'NULL'],
    [5, 7, 8, 1, 'NULL', 'NULL'],
  ],
} as const

const [core, docs] = [{ name: 'core' }, { name: 'docs' }]
const bug = (since: string) => ({ name: 'bug', size: 3, since, team: core, words: ['x', 'y'] })
const ui = (since: string) => ({ name: 'ui', size: 5, since, team: docs, words: [] })
const nameless = (since: string | null) => ({ name: null, size: null, since, team: null, words: [] })
const rows = [
  { id: 1, labels: [bug('2024-01-01'), ui('2024-02-01')] },
  { id: 2, labels: [ui('2024-03-01')] },
  { id: 3, labels: [] },
  { id: 4, labels: [nameless(null)] },
  {
    id: 5,
    labels: [
      bug('2024-03-01'),
      nameless('2024-01-01'),
      { name: 'other', size: 1, since: null, team: docs, words: ['z'] },
    ],
  },
].map((row) => ({ ...row, names: row.labels.map(({ name }) => name) }))

/** Each operator, quantifier and count, of the entry and of the join table. */
const filters: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['labels.name=bug', [1, 5]],
  ['labels.name[notEqual]=bug', [2, 3, 4]],
  ['labels.name[in]=bug,ui', [1, 2, 5]],
  ['labels.name[nin]=bug,ui', [3, 4]],
  ['labels.name[all]=bug,ui', [1]],
  ['labels.name[gt]=bug', [1, 2, 5]],
  ['labels.name[gte]=other', [1, 2, 5]],
  ['labels.name[lt]=c', [1, 5]],
  ['labels.name[lte]=bug', [1, 5]],
  ['labels.name[range]=c,p', [5]],
  ['labels.name[startsWith]=U', [1, 2]],
  ['labels.name[endsWith]=er', [5]],
  ['labels.name[contains]=u', [1, 2, 5]],
  ['labels.name[doesNotContain]=u', [3, 4]],
  ['labels.name[exists]=true', [1, 2, 5]],
  ['labels.name[exists]=false', [3, 4]],
  ['labels[exists]=true', [1, 2, 4, 5]],
  ['labels[exists]=false', [3]],
  ['labels[atLeast]=2', [1, 5]],
  ['labels[atMost]=1', [2, 3, 4]],
  ['labels[atLeast]=3', [5]],
  ['names[atLeast]=2', [1, 5]],
  ['names=ui', [1, 2]],
  ['names[notEqual]=ui', [3, 4, 5]],
  // One entry passes the conditions of its label and of its join row.
  ['labels.since[gte]=2024-03-01', [2, 5]],
  ['labels.since[exists]=false', [3, 4]],
  ['labels.since=2024-01-01', [1, 5]],
  ['labels.name=bug&labels.since=2024-01-01', [1]],
  ['labels.name=bug&labels.since[lt]=2024-02-01&labels.size=3', [1]],
  ['or=(labels.name=ui,labels.since=2024-01-01)', [1, 2, 5]],
  ['labels.team.name=core', [1, 5]],
  ['labels.team.name=docs&labels.since=2024-03-01', [2]],
  ['labels.team[exists]=false', [3, 4]],
  ['labels.words=y', [1, 5]],
  ['labels.words=z&labels.name=other', [5]],
  ['labels.name=old', []],
]

const own = `m${randomUUID().slice(0, 6)}`
const nameOf = (name: string) => `${own}_${name}`
const mappedWith = (enforced: { readonly enforced?: true }) => {
  const toLabels = {
    key: ['area', 'id'],
    through: {
      table: nameOf('ticket_labels'),
      foreignKey: { columns: ['ticket_id', 'ticket_area'], ...enforced },
      otherKey: ['area', 'label_id'],
      where: { gone: null },
    },
    where: { gone: null },
  } as const
  return table(nameOf('tickets'), {
    schema,
    key: ['id', 'area'],
    columns: {
      labels: childTable(nameOf('labels'), {
        ...toLabels,
        columns: {
          name: 'title',
          team: parentTable(nameOf('teams'), { key: 'id', foreignKey: 'team_id' }),
          words: childTable(nameOf('words'), { foreignKey: ['label_area', 'label_id'], key: 'id', value: 'word' }),
        },
        joinColumns: { since: 'since' },
      }),
      names: childTable(nameOf('labels'), { ...toLabels, value: 'title' }),
    },
  })
}
const memory = memoryBackend()
const engines = await openAllEngines()

describe.each(engines)('$name', ({ run, dialect, declared, options }) => {
  const q = (name: string) => dialect.quote + nameOf(name) + dialect.quote
  beforeAll(async () => {
    for (const [name, [columns, ...values]] of Object.entries(tables)) {
      const declarations = Object.entries(columns).map(
        ([column, type]) => `${column} ${declared[type as 'string' | 'integer' | 'date']}`,
      )
      await run(`CREATE TABLE ${q(name)} (${declarations.join(', ')})${options}`)
      await run(`INSERT INTO ${q(name)} VALUES ${values.map((row) => `(${row.join(', ')})`).join(', ')}`)
    }
  })
  afterAll(async () => {
    for (const name of Object.keys(tables)) await run(`DROP TABLE ${q(name)}`)
  })

  // The second mapping counts by the join table alone, where the dialect does.
  describe.each([[{}], [{ enforced: true }] as const])('%j', (enforced) => {
    const backend = sqlBackend({ dialect, table: mappedWith(enforced) })
    const pageOf = async (query: Query) => {
      const statement = backend.select(query)
      const { count } = statement
      const page = statement.page(await run(statement.text, statement.parameters))
      return { page, count: count.read((await run(count.text, count.parameters))[0]) }
    }
    test.each(filters)('%s', async (text, ids) => {
      const query = parseQueryOrThrow(collection, `${text}&count=true`)
      expect(
        memory
          .compileQuery(query)(rows)
          .rows.map((row) => (row as { id: number }).id),
      ).toEqual(ids)
      const found = rows.filter(({ id }) => ids.includes(id))
      expect(await pageOf(query)).toEqual({ page: toPage(query, found), count: ids.length })
      const { text: condition, parameters } = backend.compile(query.filter)
      const others = await run(`SELECT id FROM ${q('tickets')} WHERE NOT ${condition}`, parameters)
      const left = rows.map(({ id }) => id).filter((id) => !ids.includes(id))
      expect(others.map(({ id }) => Number(id)).sort()).toEqual(left)
    })

    test('select reads some fields of both tables', async () => {
      const query = parseQueryOrThrow(collection, 'fields=labels.since,labels.team.name&id=1')
      const labels = [
        { since: '2024-01-01', team: core },
        { since: '2024-02-01', team: docs },
      ]
      expect((await pageOf(query)).page.rows).toEqual([{ labels }])
    })

    test('facets count each row once for each of its values', async () => {
      const query = parseQueryOrThrow(collection, 'facets=labels.name,labels.since,labels.team.name,names')
      const read: Record<string, unknown> = {}
      for (const facet of backend.facets(query)) read[facet.path] = facet.read(await run(facet.text, facet.parameters))
      const names = [
        { value: 'bug', count: 2 },
        { value: 'ui', count: 2 },
        { value: null, count: 2 },
        { value: 'other', count: 1 },
      ]
      expect(read).toEqual(memory.facets(query)(rows))
      expect(read['labels.name']).toEqual(expect.arrayContaining(names))
      expect(read['labels.since']).toEqual(
        expect.arrayContaining([
          { value: '2024-01-01', count: 2 },
          { value: '2024-03-01', count: 2 },
          { value: '2024-02-01', count: 1 },
        ]),
      )
    })

    test('each statement contains the condition of each place of both tables', () => {
      const asked = 'labels.since=2024-01-01&names=ui&labels[atLeast]=1&count=true&facets=labels.team.name,names'
      const query = parseQueryOrThrow(collection, asked)
      const { text, count } = backend.select(query)
      const compiled = backend.compileQuery(query)
      const facets = backend.facets(query)
      for (const one of [text, count.text, compiled.text, compiled.count.text, ...facets.map((facet) => facet.text)]) {
        // Both tables are behind each place of the join table.
        const places = one.split(`_ticket_labels${dialect.quote} AS`).length - 1
        expect(places).toBeGreaterThan(0)
        expect(one.split(`${dialect.quote}gone${dialect.quote} IS NULL`)).toHaveLength(2 * places + 1)
      }
    })
  })
})
