/** `check` and `advise` of lists behind a join table: missing columns, types that differ, and the indexes of the join table. */
import { afterAll, describe, expect, test } from 'vitest'
import { childTable, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field } from '../../../src/index.ts'
import { advise, check, inspect } from '../../../src/tools/inspect/index.ts'
import { openPglite, openSqlite } from '../sql/engines.ts'

const labels = field.object({ name: field.string(), since: field.date() })
const schema = defineSchema({ id: field.integer({ required: true }), labels: field.list(labels) })
const collection = defineCollection(schema, { key: 'id' })
const mappedWith = (created: string, otherKey = 'label_id') =>
  table('tickets', {
    schema,
    key: 'id',
    columns: {
      labels: childTable('labels', {
        key: 'id',
        through: { table: 'ticket_labels', foreignKey: 'ticket_id', otherKey, where: { gone: null } },
        joinColumns: { since: created },
      }),
    },
  })

const engines = [openSqlite(), await openPglite()]
afterAll(() => Promise.all(engines.map(({ close }) => close())))

describe.each(engines)('$name', ({ name, run, dialect }) => {
  const findingsOf = async (mapped: ReturnType<typeof mappedWith>) =>
    check(await inspect(run, { dialect }), { dialect, table: mapped, collection }).map(({ code, path, message }) => [
      code,
      path,
      message,
    ])
  const adviceOf = async () => {
    const mapped = { dialect, table: mappedWith('created_on'), collection, all: true } as const
    return advise(await inspect(run, { dialect }), mapped).flatMap(({ statement = '' }) =>
      statement.includes('ticket_labels') ? [statement] : [],
    )
  }

  test('they read both tables', async () => {
    await run('CREATE TABLE tickets (id INTEGER NOT NULL PRIMARY KEY)')
    const missing = 'the database has no table ticket_labels, or this user may not read it'
    const create = 'CREATE TABLE labels (id INTEGER NOT NULL PRIMARY KEY, name TEXT)'
    await run(create)
    expect(await findingsOf(mappedWith('created_on'))).toEqual([['table_missing', '', missing]])

    await run(
      'CREATE TABLE ticket_labels (ticket_id INTEGER, label_id INTEGER, name TEXT, created_on DATE, gone INTEGER)',
    )
    const unindexed = 'ticket_labels (ticket_id) has no index: each condition on labels reads all of ticket_labels'
    expect(await findingsOf(mappedWith('created_on'))).toEqual([['foreign_key_index', 'labels', unindexed]])
    expect(await findingsOf(mappedWith('created', 'lable_id'))).toEqual([
      ['column_missing', 'labels.since', 'ticket_labels has no column created, or this user may not read it'],
      ['column_missing', 'labels', 'ticket_labels has no column lable_id, or this user may not read it'],
      ['foreign_key_index', 'labels', unindexed],
    ])
    expect(await findingsOf(mappedWith('created_on', 'name'))).toContainEqual([
      'key_type',
      'labels',
      `ticket_labels.name is ${name === 'sqlite' ? 'TEXT' : 'text'}, and labels.id is ${name === 'sqlite' ? 'INTEGER' : 'integer'}`,
    ])
    expect((await adviceOf()).join('\n')).toMatch(/\("ticket_id"\) WHERE "gone" IS NULL/)

    for (const statement of await adviceOf())
      await run(statement.replace(' CONCURRENTLY', '').replace(/; ANALYZE.*/s, ''))
    expect(await findingsOf(mappedWith('created_on'))).toEqual([])
    expect(await adviceOf()).toEqual([])
    await run('CREATE INDEX of_all_rows ON ticket_labels (ticket_id)')
    for (const index of ['ticket_labels_ticket_id', 'ticket_labels_label_id'])
      await run(`DROP INDEX IF EXISTS ${index}`)
    await run('ALTER TABLE ticket_labels DROP COLUMN gone')
    expect(await findingsOf(mappedWith('created_on'))).toEqual([
      ['column_missing', 'labels', 'ticket_labels has no column gone, or this user may not read it'],
    ])
  })
})
