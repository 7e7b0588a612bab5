/** rqlite over three nodes: how values are sent and returned, and how reads of each level see writes. docs/guides/sqlite.md#rqlite has the results. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, not, parseQueryOrThrow, restrict, where } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { storeOf } from '../engines/sql/engines.ts'
import { differences, selectingIn, sqlitePlace } from '../engines/sql/selecting.ts'
import { openRqlite, read, statementOf, write } from './rqlite.ts'

const { RQLITE_URL } = process.env
const nodes = RQLITE_URL?.split(' ') ?? []
const [first = ''] = nodes
/** The node that leads the others now, and the others. */
async function led(): Promise<readonly [leader: string, ...followers: string[]]> {
  const response = await fetch(`${first}/nodes`)
  const known = Object.values((await response.json()) as Record<string, { leader: boolean; api_addr: string }>)
  const leader = known.find((node) => node.leader)!.api_addr
  return [leader, ...nodes.filter((node) => node !== leader)]
}

test('rqlite runs', ({ skip }) => {
  if (RQLITE_URL !== undefined) return
  skip('Nothing was asked of rqlite: .ci/rqlite starts three nodes')
})

test('the guide has the code that writes statements here', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/guides/sqlite.md'), 'utf8')
  const source = await readFile(join(import.meta.dirname, 'rqlite.ts'), 'utf8')
  const [, code] = /^\/\/ --- Statements.*\n\n([^]*?)\n\n\/\/ ---/m.exec(source)!
  expect(page).toContain(`\`\`\`typescript\n${code!}\n\`\`\``)
})

const names = ['rq_values', 'rq_days', 'rq_written', 'rq_listed'] as const
/** A statement without parameters. */
const said = (text: string) => JSON.stringify([text])
const drop = (name: (typeof names)[number]) => said(`DROP TABLE IF EXISTS ${name}`)
/** Makes a table, also where a run that was killed left it. */
const create = (name: (typeof names)[number], columns: string) =>
  write(first, [drop(name), said(`CREATE TABLE ${name} (${columns})`)])

describe.runIf(RQLITE_URL)('rqlite', () => {
  afterAll(() => write(first, names.map(drop)))

  test('is three nodes that vote', async () => {
    const response = await fetch(`${first}/nodes`)
    const known = Object.values((await response.json()) as Record<string, object>)
    expect(known).toMatchObject(nodes.map(() => ({ voter: true, reachable: true })))
    expect(nodes).toHaveLength(3)
    expect((await led()).toSorted()).toEqual(nodes.toSorted())
  })

  test('select reads every type in every place as memory does', async () => {
    const engine = openRqlite(RQLITE_URL!)
    const selecting = selectingIn(sqlitePlace)
    for (const statement of [...selecting.drop, ...selecting.create]) await engine.run(statement)
    expect(await differences(selecting, engine.run)).toEqual([])
    for (const statement of selecting.drop) await engine.run(statement)
    await engine.close()
  })

  test('SQLite 3.46 reads a member with a quotation mark in its name, and all digits of an integer in JSON', async () => {
    expect(await read(first, 'weak', said('SELECT sqlite_version() AS version'))).toEqual([{ version: '3.46.1' }])
    const engine = openRqlite(RQLITE_URL!)
    const schema = defineSchema({ id: field.integer(), doc: field.object({ 'a"b': field.integer() }) })
    const store = storeOf(engine, schema, 'json')
    await store.fill([{ id: 1, doc: { 'a"b': 9_007_199_254_740_991 } }, { id: 2 }])
    const filter = where(schema).equals('doc.a"b', 9_007_199_254_740_991)
    expect(await store.select(store.backend.compile(filter))).toEqual([1])
    const collection = defineCollection(schema, { key: 'id', facets: ['doc.a"b'] })
    expect(await store.facets(parseQueryOrThrow(collection, 'facets=doc.a"b'))).toEqual({
      'doc.a"b': [
        { value: null, count: 1 },
        { value: 9_007_199_254_740_991, count: 1 },
      ],
    })
    // The forms in which this SQLite finds no member, and writes 15 digits.
    const [row] = await read(
      first,
      'weak',
      statementOf({
        strings: ['SELECT json_type(', ', ', ') AS type, CAST(CAST(9007199254740991 AS REAL) AS TEXT) AS digits'],
        parameters: ['{"a\\"b":1}', '$."a\\"b"'],
      }),
    )
    expect(row).toEqual({ type: null, digits: '9.00719925474099e+15' })
    await store.drop()
    await engine.close()
  })

  // --- Values

  const values = defineSchema({ id: field.integer(), name: field.string(), size: field.number() })
  const texts = ["x'41'", "X''", " x'4a'\n", "\u0085\u00a0x'00'", "x'4", "x'zz'", "ax'41'", 'A', '', 'x']
  const numbers = [2 ** 60, -(2 ** 63), 2 ** 53 + 2, 1e21, 1.797_693_134_862_315_7e308, 5e-324, 0.1, -1.5, 0, 7]
  const stored = texts.map((name, id) => ({ id, name, size: numbers[id]! }))

  test('texts like BLOBs and large numbers are themselves, in filters and in rows', async () => {
    await create('rq_values', 'id INTEGER, name TEXT, size REAL')
    const insert = ({ id, name, size }: (typeof stored)[number]) =>
      statementOf({ strings: ['INSERT INTO rq_values VALUES (', ', ', ', ', ')'], parameters: [id, name, size] })
    await write(first, stored.map(insert))

    const backend = sqlBackend({ dialect: sqlite, table: table('rq_values', { schema: values, key: 'id' }) })
    const o = where(values)
    const filters = [
      ...texts.flatMap((text) => [
        o.equals('name', text),
        not(o.equals('name', text)),
        o.gt('name', text),
        o.lte('name', text),
        o.startsWith('name', text),
        o.contains('name', text),
        o.endsWithExact('name', text),
        o.in('name', [text, 'A']),
      ]),
      ...numbers.flatMap((number) => [o.equals('size', number), o.gt('size', number), o.in('size', [number, 7])]),
      o.in('name', texts),
      o.in('size', numbers),
    ]
    for (const filter of filters) {
      const query = parseQueryOrThrow(
        defineCollection(values, { key: 'id', sort: true, limit: { max: 50 } }),
        'limit=50',
      )
      const { text, strings, parameters, page } = backend.select(restrict(query, filter))
      expect(strings.join('?')).toBe(text)
      const rows = page(await read(first, 'weak', statementOf({ strings, parameters }))).rows
      expect({ filter, rows }).toEqual({ filter, rows: stored.filter(memoryBackend().compile(filter)) })
    }
  })

  test('a plain body has other values', async () => {
    const [row] = await read(
      first,
      'weak',
      `["SELECT typeof(?) AS text, ? = 1152921504606846976.0 AS large, ? = 1152921504606846976.0 AS exponent", "x'41'", ${2 ** 60}, ${(2 ** 60).toExponential()}]`,
    )
    expect(row).toEqual({ text: 'blob', large: 0, exponent: 1 })
  })

  test('a column that is declared DATE is returned with a time, which is no date, and a view returns the date', async () => {
    await create('rq_days', 'id INTEGER, day DATE')
    await write(first, [
      said("INSERT INTO rq_days VALUES (1, '2024-02-29')"),
      said('DROP VIEW IF EXISTS rq_texts'),
      said('CREATE VIEW rq_texts AS SELECT id, CAST(day AS TEXT) AS day FROM rq_days'),
    ])
    const days = defineSchema({ id: field.integer(), day: field.date() })
    const query = parseQueryOrThrow(defineCollection(days, { key: 'id', sort: true }), 'day=2024-02-29&sort=day')
    const rowsOf = async (name: string) => {
      const statement = sqlBackend({ dialect: sqlite, table: table(name, { schema: days, key: 'id' }) }).select(query)
      const rows = await read(first, 'weak', statementOf(statement))
      return { returned: rows[0]!.c2, rows: statement.page(rows).rows }
    }
    expect(await rowsOf('rq_days')).toEqual({ returned: '2024-02-29T00:00:00Z', rows: [{ id: 1, day: null }] })
    expect(await rowsOf('rq_texts')).toEqual({ returned: '2024-02-29', rows: [{ id: 1, day: '2024-02-29' }] })
    await write(first, [said('DROP VIEW rq_texts')])
  })

  test('an infinite number in a row is an error', async () => {
    await expect(read(first, 'weak', said('SELECT 9e999 AS size'))).rejects.toThrow('unsupported value: +Inf')
  })

  // --- Levels

  const seenOn = async (node: string, level: 'weak' | 'none', id: number) =>
    (await read(node, level, said(`SELECT id FROM rq_written WHERE id = ${id}`))).length === 1

  test('at weak, each node reads a row that was just written', async () => {
    await create('rq_written', 'id INTEGER')
    for (let id = 0; id < 60; id++) {
      await write(nodes[id % nodes.length]!, [said(`INSERT INTO rq_written VALUES (${id})`)])
      const seen = await Promise.all(nodes.map((node) => seenOn(node, 'weak', id)))
      expect({ id, seen }).toEqual({ id, seen: nodes.map(() => true) })
    }
  })

  test('at none, a follower reads the row later', async ({ annotate }) => {
    await create('rq_written', 'id INTEGER')
    const [leader, ...followers] = await led()
    let missed = 0
    for (let id = 0; id < 60; id++) {
      await write(leader, [said(`INSERT INTO rq_written VALUES (${id})`)])
      const follower = followers[id % followers.length]!
      if (!(await seenOn(follower, 'none', id))) missed++
      await vi.waitFor(async () => expect(await seenOn(follower, 'none', id)).toBe(true), { timeout: 10_000 })
    }
    await annotate(`${missed} of 60 reads at none on a follower missed a row that was just written`)
  })

  const listed = defineSchema({ id: field.integer(), total: field.integer(), list: field.integer() })
  const collection = defineCollection(listed, { key: 'id', sort: true })
  /** The ids of the rows of a list in order, in pages of three. Each page is read from the next node. */
  async function walk(
    list: number,
    level: 'weak' | 'none',
    from: readonly string[],
    between?: () => Promise<unknown>,
  ): Promise<number[]> {
    const { select } = sqlBackend({ dialect: sqlite, table: table('rq_listed', { schema: listed, key: 'id' }) })
    const ids: number[] = []
    let cursor = ''
    for (let at = 0; ; at++) {
      const statement = select(parseQueryOrThrow(collection, `list=${list}&sort=total&limit=3${cursor}`))
      const { rows, next } = statement.page(await read(from[at % from.length]!, level, statementOf(statement)))
      ids.push(...rows.map((row) => row.id as number))
      if (next === undefined) return ids
      cursor = `&cursor=${next}`
      await between?.()
    }
  }
  const insert = (list: number, rows: readonly (readonly [id: number, total: number])[]) =>
    said(`INSERT INTO rq_listed VALUES ${rows.map(([id, total]) => `(${id}, ${total}, ${list})`).join(', ')}`)

  test('at weak, pages from each node in turn are complete while others write', async () => {
    await create('rq_listed', 'id INTEGER, total INTEGER, list INTEGER')
    for (let list = 0; list < byEffort(30, 5); list++) {
      // Even rows stay. Odd rows are deleted, and rows beyond 100 are inserted, between two pages.
      const rows = Array.from({ length: 40 }, (_, id) => [id, (id * 7) % 10] as const)
      await write(first, [insert(list, rows)])
      let turn = 0
      const change = () => {
        turn++
        return write(nodes[(turn + list) % nodes.length]!, [
          insert(list, [[100 + turn, (turn * 3) % 10]]),
          said(`DELETE FROM rq_listed WHERE list = ${list} AND id = ${2 * turn + 1}`),
        ])
      }
      const order = ([a, first]: readonly [number, number], [b, second]: readonly [number, number]) =>
        first - second || a - b
      const kept = rows.filter(([id]) => id % 2 === 0).toSorted(order)
      const walked = await walk(list, 'weak', nodes, change)
      expect(walked.filter((id) => id < 100 && id % 2 === 0)).toEqual(kept.map(([id]) => id))
      expect(new Set(walked).size).toBe(walked.length)
      expect(turn).toBeGreaterThan(6)
    }
  })

  test('at none, pages can miss rows and repeat rows', async ({ annotate }) => {
    await create('rq_listed', 'id INTEGER, total INTEGER, list INTEGER')
    const [leader, ...followers] = await led()
    const ids = [0, 1, 2, 3, 4, 5]
    const move = (list: number, id: number, total: number) =>
      write(leader, [said(`UPDATE rq_listed SET total = ${total} WHERE list = ${list} AND id = ${id}`)])
    const becomes = (list: number, node: string, order: readonly number[]) =>
      vi.waitFor(async () => expect(await walk(list, 'none', [node])).toEqual(order), { timeout: 10_000 })
    const lists = Array.from({ length: 60 }, (_, list) => list)
    const counts = { written: 0, missing: 0, repeated: 0 }
    for (const list of lists) {
      const follower = followers[list % followers.length]!
      await write(leader, [
        insert(
          list,
          ids.map((id) => [id, id]),
        ),
      ])
      // Both pages of a follower are of an older state.
      if ((await walk(list, 'none', [follower])).length < ids.length) counts.written++
      await becomes(list, follower, ids)
      // Row 0 moves behind the first page, which the leader reads. The follower reads the second page, where row 0 is not yet.
      await move(list, 0, 9)
      if (!(await walk(list, 'none', [leader, follower])).includes(0)) counts.missing++
      expect(await walk(list, 'weak', [leader, follower])).toEqual([1, 2, 3, 4, 5, 0])
      await becomes(list, follower, [1, 2, 3, 4, 5, 0])
      // Row 0 moves back, and the follower still has it on its last page.
      await move(list, 0, 0)
      const walked = await walk(list, 'none', [leader, follower, follower])
      if (walked.indexOf(0) !== walked.lastIndexOf(0)) counts.repeated++
      expect(await walk(list, 'weak', [leader, follower])).toEqual(ids)
    }
    const [written, missing, repeated] = Object.values(counts)
    await annotate(`lists of 60 at none: ${written} without rows that were just written, all pages from one follower`)
    await annotate(
      `the first page from the leader, the next from a follower: ${missing} without a row, ${repeated} with a row twice`,
    )
  })
})
