/** Faults of engines that docs/guides/sqlite.md and the dialects describe: a test fails where an engine has mended one. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { jsonColumn, sqlBackend, table, turso as dialect } from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../src/index.ts'
import { isInstalled, openLibsql, openTurso } from './engines.ts'

test.runIf(isInstalled)('libSQL finds no member whose name has a quotation mark', async () => {
  const libsql = await openLibsql()
  const typeOf = async (name: string) => {
    const [row] = await libsql.run('SELECT json_type(?, ?) AS type', [
      JSON.stringify({ [name]: 'x' }),
      `$.${JSON.stringify(name)}`,
    ])
    return row!.type
  }
  for (const name of ['a', 'a\\b', "it's", 'a\nb', '']) expect(await typeOf(name), name).toBe('text')
  expect(await typeOf('a"b')).toBeNull()
  await libsql.close()
})

test.runIf(isInstalled)('libSQL casts a double to a text of 15 digits', async () => {
  const libsql = await openLibsql()
  const cast = 'SELECT CAST(CAST(9007199254740991 AS REAL) AS TEXT) AS text'
  expect(await libsql.run(cast)).toMatchObject([{ text: '9.00719925474099e+15' }])
  await libsql.close()
})

describe.runIf(isInstalled)('Turso', () => {
  const tables = [
    'CREATE TABLE orders (id INTEGER, customer INTEGER)',
    'CREATE TABLE customers (id INTEGER)',
    'CREATE TABLE notes (customer INTEGER)',
    'INSERT INTO orders VALUES (1, NULL)',
  ]
  test('leaves the escapes of JSON in the entries of json_each', async () => {
    const turso = await openTurso()
    expect(await turso.run('SELECT value FROM json_each(?)', ['["a\\"b"]'])).toEqual([{ value: 'a\\"b' }])
    await turso.close()
  })

  test('loses a row of an outer join that a subquery counts for', async () => {
    const counted = `SELECT orders.id FROM orders LEFT JOIN customers ON customers.id = orders.customer
      WHERE (SELECT count(*) FROM notes WHERE notes.customer = customers.id) < 1`
    const [turso, sqlite] = [await openTurso(), new DatabaseSync(':memory:')]
    for (const statement of tables) {
      await turso.run(statement)
      sqlite.exec(statement)
    }
    expect(sqlite.prepare(counted).all()).toMatchObject([{ id: 1 }])
    expect(await turso.run(counted)).toEqual([])
    await turso.close()
    sqlite.close()
  })

  test('ends the process for a list that is joined twice, so the dialect refuses facets on lists', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/sqlite.md'), 'utf8')
    const [, statements] = /panics on a list that is joined twice[^]*?```sql\n([^]*?)```/.exec(guide)!
    const code = `
      import { connect } from '@tursodatabase/database'
      const database = await connect(':memory:')
      for (const text of ${JSON.stringify(statements)}.split(';').slice(0, -1)) await (await database.prepare(text)).all()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect(stderr).toContain('duplicate cursor key')
    expect(status).not.toBe(0)

    const schema = defineSchema({ id: field.integer(), tags: field.list(field.string()) })
    const mapped = table('orders', { schema, key: 'id', columns: { tags: jsonColumn('tags') } })
    const query = parseQueryOrThrow(defineCollection(schema, { key: 'id', facets: ['tags'] }), 'facets=tags')
    expect(() => sqlBackend({ dialect, table: mapped }).facets(query)).toThrow(
      new TypeError('facets cannot count tags, which is in a list: turso counts no lists'),
    )
  })

  test('joins 63 tables at most, and makes a join of each condition on a list', async () => {
    const turso = await openTurso()
    for (const statement of tables) await turso.run(statement)
    const conditions = (count: number) =>
      Array.from({ length: count }, () => 'EXISTS (SELECT 1 FROM notes WHERE notes.customer = orders.id)').join(' AND ')
    const asked = (count: number) => turso.run(`SELECT id FROM orders WHERE ${conditions(count)}`)
    await expect(asked(60)).resolves.toEqual([])
    await expect(asked(70)).rejects.toThrow('Only up to 63 tables can be joined')
    await turso.close()
  })
})
