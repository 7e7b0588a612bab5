/** `advise` proposes the indexes of orders by an expression, and partial indexes of the rows that a mapping selects. */
import { afterAll, describe, expect, test } from 'vitest'
import { childTable, parentTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import { advise, check, inspect } from '../../../src/tools/inspect/index.ts'
import { openPglite, openSqlite } from '../sql/engines.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  title: field.string(),
  state: field.enumeration(['new', 'held']),
  owner: field.object({ name: field.string() }),
  notes: field.list(field.object({ text: field.string() })),
})
const mapped = table('tickets', {
  schema,
  key: 'id',
  where: { deleted_at: null, kind: 'it\'s "a"', open: true },
  columns: {
    owner: parentTable('owners', { key: 'id', foreignKey: { columns: 'owner_id', enforced: true } }),
    notes: childTable('notes', { key: 'id', foreignKey: 'ticket_id', where: { deleted_at: { not: null } } }),
  },
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: { title: { ignoreCase: true }, state: { declared: true }, 'owner.name': { ignoreCase: true } },
  operators: { title: ['equalsIgnoreCase'], state: ['exists'], 'owner.name': ['exists'], 'notes.text': ['exists'] },
})

const engines = [openSqlite(), await openPglite()]
afterAll(() => Promise.all(engines.map(({ close }) => close())))

describe.each(engines)('$name', ({ name, run, dialect }) => {
  const described = () => inspect(run, { dialect })
  const proposed = async () =>
    advise(await described(), { dialect, table: mapped, collection, all: true }).flatMap(
      ({ statement = '', serves }) =>
        statement === '' ? [] : [[serves.join(), statement.replace(/; ANALYZE.*| CONCURRENTLY/g, '')] as const],
    )
  const isSqlite = name === 'sqlite'
  const indexOf = (of: string, table: string, list: string) =>
    `CREATE INDEX ${isSqlite ? '"main".' : ''}"${of}" ON ${isSqlite ? '' : '"public".'}"${table}" (${list})`
  const rows = ` WHERE "deleted_at" IS NULL AND "kind" = 'it''s "a"' AND "open" = (1 = 1)`

  test('each index serves its order, and the partial index has the rows of the mapping', async () => {
    await run('CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT)')
    await run(
      'CREATE TABLE tickets (id INTEGER PRIMARY KEY, title TEXT, state TEXT, deleted_at TEXT, kind TEXT, open BOOLEAN, owner_id INTEGER REFERENCES owners)',
    )
    await run('CREATE TABLE notes (id INTEGER PRIMARY KEY, ticket_id INTEGER, text TEXT, deleted_at TEXT)')
    const listed = new Map((await proposed()).flatMap(([serves, sql]) => serves.split(',').map((one) => [one, sql])))
    const place = `CASE "state" COLLATE ${isSqlite ? 'BINARY' : '"C"'} WHEN 'new' THEN 0 WHEN 'held' THEN 1 END`
    const lower = (column: string) =>
      isSqlite ? `(lower("${column}"))` : `(lower("${column}" COLLATE "default")) COLLATE "C" NULLS FIRST`
    const key = isSqlite ? '' : ' COLLATE "C", "id"'
    const end = isSqlite ? '' : '_id'
    expect(listed.get('sort=title')).toBe(
      indexOf(`tickets_lower_title_title${end}`, 'tickets', `${lower('title')}, "title"${key}`) + rows,
    )
    expect(listed.get('sort=state')).toBe(
      indexOf(`tickets_case_state${end}`, 'tickets', `(${place})${isSqlite ? '' : ' NULLS FIRST, "id"'}`) + rows,
    )
    expect(listed.get('sort=owner.name')).toBe(
      indexOf(
        `owners_lower_name_name${end}`,
        'owners',
        `${lower('name')}, "name"${key}${isSqlite ? '' : ' NULLS FIRST'}`,
      ),
    )
    expect(listed.get('the list notes')).toBe(
      `${indexOf('notes_ticket_id', 'notes', '"ticket_id"')} WHERE "deleted_at" IS NOT NULL`,
    )

    const codes = async () => check(await described(), { dialect, table: mapped, collection }).map(({ code }) => code)
    expect(await codes()).toContain('foreign_key_index')
    for (const statement of (await proposed()).map(([, statement]) => statement)) await run(statement)
    expect(await proposed()).toEqual([])
    expect(await codes()).not.toContain('foreign_key_index')
  })

  test('the statements of pages and lists read these indexes', async () => {
    if (!isSqlite) await run('SET enable_seqscan = off')
    const { select } = sqlBackend({ dialect, table: mapped })
    for (const [text, index] of [
      ['sort=title', 'tickets_lower_title_title'],
      ['sort=-state', 'tickets_case_state'],
      ['sort=id', 'notes_ticket_id'],
    ] as const) {
      const { text: statement, parameters } = select(parseQueryOrThrow(collection, text))
      const plan = await run(`EXPLAIN ${isSqlite ? 'QUERY PLAN ' : ''}${statement}`, parameters)
      expect(JSON.stringify(plan)).toContain(index)
    }
  })

  test('an index of fewer rows serves nothing', async () => {
    await run('DROP INDEX notes_ticket_id')
    await run("CREATE INDEX fewer ON notes (ticket_id) WHERE deleted_at IS NOT NULL AND text = 'a'")
    expect((await proposed()).map(([serves]) => serves)).toEqual(['the list notes'])
  })
})
