/**
 * One row with bad content among good ones: what a column, a JSON document or memory may hold, and no literal can name. Every walk
 * through the pages gives each good row once, in its order, and never throws.
 */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { jsonColumn, postgres, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../src/index.ts'
import type { Page, Query } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { newPglite } from './sql/pglite.ts'

const fields = {
  text: field.string(),
  integer: field.integer(),
  number: field.number(),
  flag: field.boolean(),
  day: field.date(),
  moment: field.datetime({ digits: 3 }),
}
type Name = keyof typeof fields
type Values = { readonly [N in Name]?: unknown }
interface Row {
  readonly id: number
  readonly own: Values
}
const names = Object.keys(fields) as Name[]

const good: { readonly [N in Name]: readonly unknown[] } = {
  text: ['', 'a', 'a\u0001', 'ab', 'b', '\uffee', '\u{1F3C4}', 'x'.repeat(2_000), null],
  integer: [-5, 0, 7, 98, 99, 100, 9_007_199_254_740_991, null],
  number: [-0.5, 0, 0.1, 98.5, 99, 1e21, null],
  flag: [true, false, null],
  day: ['1970-01-01', '2024-02-29', '2038-01-19', null],
  moment: ['1970-01-01T00:00:00.000Z', '2024-02-29T12:00:00.123Z', null],
}
/** Of the right form, and of another one. */
const badJson: { readonly [N in Name]: readonly unknown[] } = {
  text: ['a\0', '\ud800', '\udc00a', 'ä'.repeat(6_500), '\u{1F3C4}'.repeat(3_200), 5, true, ['a'], { a: 1 }],
  integer: [2.5, 2 ** 60, -(2 ** 70), '99', 'x', false, [99], {}],
  number: ['99', '98.5', 'NaN', 2 ** 60 + 2 ** 9, true, [0.1], {}],
  flag: [0, 1, 2, 'true', [], {}],
  day: ['soon', '2024-02-30', '0000-01-01', '', '\0', 20240229, true, []],
  moment: ['soon', '9999-12-31T23:59:59-01:00', '2024-02-29', '2024-02-29T12:00:00', '', 1709208000123, []],
}
const badInMemory: { readonly [N in Name]: readonly unknown[] } = {
  ...badJson,
  text: [...badJson.text, Symbol('a'), () => 'a'],
  number: [...badJson.number, NaN, Infinity, -Infinity],
  integer: [...badJson.integer, NaN, Infinity],
  day: [...badJson.day, new Date(NaN), new Date(8.64e15), new Date(-8.64e15)],
  moment: [...badJson.moment, new Date(NaN), new Date(8.64e15), new Date(-8.64e15)],
}

const rowsWith = (bad: { readonly [N in Name]: readonly unknown[] }): fc.Arbitrary<readonly Row[]> => {
  const values = (from: { readonly [N in Name]: readonly unknown[] }) =>
    fc.record(
      Object.fromEntries(names.map((name) => [name, fc.constantFrom(...from[name])])) as Record<
        Name,
        fc.Arbitrary<unknown>
      >,
    )
  const wrong = fc.oneof(
    values(bad),
    fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(fc.constantFrom(...bad[name]), fc.jsonValue())]))),
  )
  return (
    fc
      .tuple(fc.array(values(good), { minLength: 1, maxLength: 8 }), fc.array(wrong, { minLength: 1, maxLength: 3 }))
      .chain(([goods, bads]) =>
        fc.shuffledSubarray(
          [...goods.map((own) => ({ own, isGood: true })), ...bads.map((own) => ({ own, isGood: false }))],
          { minLength: goods.length + bads.length },
        ),
      )
      // Odd ids are good rows.
      .map((rows) => rows.map(({ own, isGood }, at) => ({ id: at * 2 + (isGood ? 1 : 0), own })))
  )
}

const schema = defineSchema({ id: field.integer(), own: field.object(fields) })
const collection = defineCollection(schema, { key: 'id', sort: true })
const asked = fc.record({
  sort: fc
    .shuffledSubarray([...names.map((name) => `own.${name}`), 'id'], { minLength: 1, maxLength: 3 })
    .chain((paths) => fc.tuple(...paths.map((path) => fc.constantFrom(path, `-${path}`)))),
  limit: fc.integer({ min: 1, max: 4 }),
})

type Read = (query: Query) => Page<unknown> | Promise<Page<unknown>>
const idsOf = ({ rows }: Page<unknown>) => rows.map((row) => (row as Row).id)

/** Walks forwards to the end, and back; checks that each good row came once both ways, and in the order of one long page. */
async function check(rows: readonly Row[], { sort, limit }: { sort: readonly string[]; limit: number }, read: Read) {
  const pageAt = async (size: number, cursor?: string) =>
    read(
      parseQueryOrThrow(
        collection,
        `sort=${sort.join()}&limit=${size}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      ),
    )
  const isGood = (id: number) => id % 2 === 1
  const all = idsOf(await pageAt(100)).filter(isGood)
  expect(all).toHaveLength(rows.filter(({ id }) => isGood(id)).length)
  let page = await pageAt(limit)
  const forwards = idsOf(page)
  let pages = 1
  for (; page.next !== undefined && pages < 50; pages++) {
    const before = idsOf(page)
    page = await pageAt(limit, page.next)
    forwards.push(...idsOf(page))
    expect(page.previous).toBeDefined()
    expect(idsOf(await pageAt(limit, page.previous))).toEqual(before)
  }
  expect(pages).toBe(Math.max(1, Math.ceil(rows.length / limit)))
  expect(forwards.filter(isGood)).toEqual(all)
  expect(new Set(forwards).size).toBe(rows.length)
  const backwards = idsOf(page)
  for (; page.previous !== undefined && pages < 100; pages++) {
    page = await pageAt(limit, page.previous)
    backwards.unshift(...idsOf(page))
  }
  expect(backwards.filter(isGood)).toEqual(all)
  expect(new Set(backwards).size).toBe(rows.length)
}

const runs = { numRuns: byEffort(2_000, 100) }

test('memory', async () => {
  const { compileQuery } = memoryBackend()
  await fc.assert(
    fc.asyncProperty(rowsWith(badInMemory), asked, (rows, query) =>
      check(rows, query, (one) => toPage(one, compileQuery(one)(rows).rows)),
    ),
    runs,
  )
})

describe('SQLite', () => {
  const database = new DatabaseSync(':memory:')
  afterAll(() => database.close())
  const columns = Object.fromEntries(names.map((name) => [name, name]))
  // Without types, a column holds whatever it is given.
  database.exec(`CREATE TABLE typed (id INTEGER PRIMARY KEY, ${names.join(', ')})`)
  database.exec('CREATE TABLE documents (id INTEGER PRIMARY KEY, own TEXT)')
  const layouts = {
    typed: sqlBackend({ dialect: sqlite, table: table('typed', { schema, columns: { own: columns } }) }),
    documents: sqlBackend({
      dialect: sqlite,
      table: table('documents', { schema, columns: { own: jsonColumn('own') } }),
    }),
  }
  const run = (text: string, parameters: readonly unknown[] = []) =>
    database.prepare(text).all(...(parameters as (string | number)[]))
  const bound = (value: unknown) => {
    if (typeof value === 'boolean') return Number(value)
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | null)
  }
  // Only booleans are what they should be: the language has no condition for what an engine orders before 0 or after 1.
  const withBooleans = (rows: readonly Row[]) =>
    rows.map(({ id, own }) => ({ id, own: { ...own, flag: good.flag.includes(own.flag) ? own.flag : null } }))
  test('columns without a type', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsWith({ ...badJson, number: [...badJson.number, Infinity, -Infinity] }).map(withBooleans),
        asked,
        async (rows, query) => {
          run('DELETE FROM typed')
          for (const { id, own } of rows) {
            run(`INSERT INTO typed VALUES (?, ${names.map(() => '?').join()})`, [
              id,
              ...names.map((name) => bound(own[name])),
            ])
          }
          await check(rows, query, (one) => {
            const { text, parameters, page } = layouts.typed.compileQuery(one)
            const found = run(`SELECT * FROM typed ${text}`, parameters)
            return page(found.map(({ id, ...own }) => ({ id, own })))
          })
        },
      ),
      runs,
    )
  })
  test('JSON', async () => {
    await fc.assert(
      fc.asyncProperty(rowsWith(badJson), asked, async (rows, query) => {
        run('DELETE FROM documents')
        for (const { id, own } of rows) run('INSERT INTO documents VALUES (?, ?)', [id, JSON.stringify(own)])
        await check(rows, query, (one) => {
          const { text, parameters, page } = layouts.documents.compileQuery(one)
          const found = run(`SELECT * FROM documents ${text}`, parameters)
          return page(found.map(({ id, own }) => ({ id, own: JSON.parse(own as string) as unknown })))
        })
      }),
      runs,
    )
  })
})

describe('PGlite', async () => {
  const database = await newPglite()
  afterAll(() => database.close())
  const columns = Object.fromEntries(names.map((name) => [name, name]))
  await database.exec(`CREATE TABLE typed (id integer PRIMARY KEY, text text, integer bigint, number double precision,
    flag boolean, day date, moment timestamptz)`)
  await database.exec('CREATE TABLE documents (id integer PRIMARY KEY, own jsonb)')
  const typed = sqlBackend({ dialect: postgres, table: table('typed', { schema, columns: { own: columns } }) })
  const documents = sqlBackend({
    dialect: postgres,
    table: table('documents', { schema, columns: { own: jsonColumn('own') } }),
  })
  const run = async (text: string, parameters: readonly unknown[] = []) =>
    (await database.query<Record<string, unknown>>(text, [...parameters], { parsers: { 1082: (day) => day } })).rows
  const bad: { readonly [N in Name]: readonly unknown[] } = {
    text: ['ä'.repeat(6_500), '\u{1F3C4}'.repeat(3_200)],
    integer: ['9223372036854775807', '-9223372036854775808', '9007199254740992'],
    number: ['NaN', 'Infinity', '-Infinity'],
    flag: [null],
    day: ['infinity', '-infinity', '0044-03-15 BC', '20000-01-01'],
    moment: ['infinity', '-infinity', '20000-01-01 00:00:00+00'],
  }
  const few = { numRuns: byEffort(400, 20) }
  const onlyListed = rowsWith(bad).map((rows) =>
    rows.map(({ id, own }) => ({
      id,
      own: Object.fromEntries(
        names.map((name) => [name, [...good[name], ...bad[name]].includes(own[name]) ? own[name] : null]),
      ),
    })),
  )
  test('columns with types', async () => {
    await fc.assert(
      fc.asyncProperty(onlyListed, asked, async (rows, query) => {
        await run('DELETE FROM typed')
        for (const { id, own } of rows) {
          await run('INSERT INTO typed VALUES ($1, $2, $3, $4, $5, $6::text::date, $7::text::timestamptz)', [
            id,
            ...names.map((name) => (own as Values)[name]),
          ])
        }
        await check(rows, query, async (one) => {
          const { text, parameters, page } = typed.compileQuery(one)
          return page((await run(`SELECT * FROM typed ${text}`, parameters)).map(({ id, ...own }) => ({ id, own })))
        })
      }),
      few,
    )
  })
  // PostgreSQL stores no U+0000 and no lone surrogate in jsonb.
  const isStored = (value: unknown) => !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value))
  test('JSON', async () => {
    await fc.assert(
      fc.asyncProperty(rowsWith(badJson).filter(isStored), asked, async (rows, query) => {
        await run('DELETE FROM documents')
        for (const { id, own } of rows) await run('INSERT INTO documents VALUES ($1, $2)', [id, JSON.stringify(own)])
        await check(rows, query, async (one) => {
          const { text, parameters, page } = documents.compileQuery(one)
          return page(await run(`SELECT * FROM documents ${text}`, parameters))
        })
      }),
      few,
    )
  })
})
