/** Pages on every engine that is present: each walk gives the rows that memory gives, in its order. */
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage, type Query } from '../../src/index.ts'
import { openDuckdb } from './sql/duckdb.ts'
import * as mongo from './mongo/engines.ts'
import { asGiven, layoutsOf, openEngines, storeOf } from './sql/engines.ts'
import { byEffort } from '../effort.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  status: field.enumeration(['new', 'Paid', 'held']),
  places: field.integer(),
  total: field.number(),
  gift: field.boolean(),
  day: field.date(),
  moment: field.datetime(),
  inner: field.object({ name: field.string() }),
  tags: field.list(field.string()),
  code: field.string(),
  rank: field.integer(),
  open: field.boolean(),
  since: field.date(),
  until: field.datetime(),
})
/** What every row has a value for: SQL compares several of these at once. */
const present = ['id', 'code', 'rank', 'open', 'since', 'until'] as const
const sortable = [
  'name',
  'status',
  'places',
  'total',
  'gift',
  'day',
  'moment',
  'inner.name',
  'code',
  'rank',
  'open',
  'since',
  'until',
] as const
const collection = defineCollection(schema, {
  key: 'id',
  sort: sortable,
  limit: { max: 1_000 },
  offset: { max: 100 },
  count: true,
})

// --- Where queries are read

interface Place {
  readonly name: string
  readonly fill: (rows: readonly { readonly id: number }[]) => Promise<void>
  readonly read: (query: Query) => Promise<readonly number[]>
  readonly count: (query: Query) => Promise<number>
  readonly drop: () => Promise<unknown>
}
const { ENGINES } = process.env
const isAsked = (name: string) => ENGINES === undefined || ENGINES.split('; ').includes(name)
const sqlEngines = [...(await openEngines(isAsked)), ...(isAsked('duckdb') ? [await openDuckdb()] : [])]
// sift knows no names of types in `$type` (mongo/departures.ts): the differential asks it, and leaves those out.
const mongoEngines = (await mongo.openEngines()).filter(({ name }) => isAsked(name) && name !== 'sift')
afterAll(async () => {
  for (const engine of [...sqlEngines, ...mongoEngines]) await engine.close()
})
const places: (() => Place)[] = [
  ...sqlEngines.flatMap((engine) =>
    layoutsOf(engine).map((layout) => () => {
      const { backend, fill, read, count, drop } = storeOf(engine, schema, layout, asGiven, present)
      return {
        name: `${engine.name}, ${layout}`,
        fill,
        read: (query: Query) => read(backend.compileQuery(query)),
        count: (query: Query) => count(backend.compileQuery(query)),
        drop,
      }
    }),
  ),
  ...mongoEngines.flatMap((engine) =>
    mongo.layouts.map((layout) => () => {
      const { backend, fill, read, count, drop } = mongo.storeOf(engine, schema, layout, present)
      return {
        name: `${engine.name}, ${layout}`,
        fill,
        read: (query: Query) => read(backend.compileQuery(query)),
        count: (query: Query) => count(backend.compileQuery(query)),
        drop,
      }
    }),
  ),
]

// --- What is asked

const orNull = <T>(...values: T[]) => fc.constantFrom(...values, null)
const row = fc.record({
  name: orNull('a', 'A', 'B', 'b', 'ä', 'Ä', 'z', '\u{1F3C4}', '\uffee', '', 'a ', 'a b'),
  status: orNull('new', 'Paid', 'held'),
  places: orNull(-5, 0, 7, 1_000_000, -9_007_199_254_740_991),
  total: orNull(-0.5, 0, 0.1, 12.25, 1e9),
  gift: orNull(true, false),
  day: orNull('0001-01-01', '2024-02-29', '2024-03-01', '9999-12-31'),
  moment: orNull('2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.001Z', '1969-12-31T23:59:59.999Z'),
  inner: orNull({ name: 'x' }, { name: 'X' }, { name: 'é' }),
  tags: orNull([] as string[], ['a'], ['a', 'b']),
  code: fc.constantFrom('a', 'A', 'b', 'ä', '\uffee', '\u{1F3C4}', '', 'a '),
  rank: fc.constantFrom(-1, 0, 1),
  open: fc.boolean(),
  since: fc.constantFrom('2024-02-29', '2024-03-01'),
  until: fc.constantFrom('2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.001Z'),
})
const rowsOf = fc
  .array(row, { minLength: 12, maxLength: 30 })
  .map((rows) => rows.map((one, at) => ({ ...one, id: (at * 7) % 31 })))
const conditions = ['', 'gift=true', 'name[exists]=true', 'total[gte]=0', 'tags=a', 'name[notEqual]=a', 'places[lt]=7']
const asked = fc.record({
  sort: fc.oneof(
    fc
      .shuffledSubarray([...sortable, 'id'])
      .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`)))),
    // Mostly in one direction.
    fc
      .tuple(
        fc.shuffledSubarray<string>([...present], { minLength: 1 }),
        fc.constantFrom('', '-'),
        fc.subarray([...sortable]),
      )
      .map(([names, sign, others]) => [
        ...names.map((name) => sign + name),
        ...others.filter((name) => !names.includes(name)).slice(0, 2),
      ]),
  ),
  condition: fc.constantFrom(...conditions),
  limit: fc.integer({ min: 1, max: 9 }),
})

// --- Walks

/** Every page from the first to the last, then back to the first: the rows of both ways. */
async function walk(text: string, rows: readonly { readonly id: number }[], read: Place['read']) {
  const byId = new Map(rows.map((one) => [one.id, one]))
  const pageOf = async (cursor: string | undefined) => {
    const query = parseQueryOrThrow(collection, `${text}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    const ids = await read(query)
    return toPage(
      query,
      ids.map((id) => byId.get(id)!),
    )
  }
  const forwards: number[] = []
  const backwards: number[] = []
  let page = await pageOf(undefined)
  for (;;) {
    forwards.push(...page.rows.map(({ id }) => id))
    if (page.next === undefined) break
    page = await pageOf(page.next)
  }
  for (;;) {
    backwards.unshift(...page.rows.map(({ id }) => id))
    if (page.previous === undefined) break
    page = await pageOf(page.previous)
  }
  return { forwards, backwards }
}

const inMemory = (rows: readonly { readonly id: number }[], query: Query) => {
  const { rows: found, count } = memoryBackend().compileQuery(query)(rows)
  return { ids: (found as typeof rows).map(({ id }) => id), count }
}

test.each(places.map((make) => ({ place: make(), make })))(
  '$place.name: walks are those of memory',
  async ({ make }) => {
    const samples = fc.sample(fc.tuple(rowsOf, fc.array(asked, { minLength: 6, maxLength: 6 })), byEffort(8, 1))
    for (const [sample, questions] of samples) {
      const place = make()
      // mingo and sift order texts by UTF-16 unit, MongoDB by code point.
      const isAstral = ({ name, code }: { readonly name: string | null; readonly code: string }) =>
        [name, code].includes('\u{1F3C4}')
      const rows = /^(mingo|sift),/.test(place.name) ? sample.filter((one) => !isAstral(one)) : sample
      await place.fill(rows)
      for (const { sort, condition, limit } of questions) {
        const order = sort.length === 0 ? '' : `&sort=${sort.join(',')}`
        const text = `${condition}${order}&limit=${limit}`
        const { ids } = inMemory(rows, parseQueryOrThrow(collection, `${condition}${order}&limit=1000`))
        const { forwards, backwards } = await walk(text, rows, place.read)
        expect(forwards, text).toEqual(ids)
        expect(backwards, text).toEqual(ids)
        const skipping = parseQueryOrThrow(collection, `${condition}${order}&limit=5&offset=3&count=true`)
        expect(await place.read(skipping), text).toEqual(ids.slice(3, 9))
        expect(await place.count(skipping), text).toBe(ids.length)
        expect(inMemory(rows, skipping)).toEqual({ ids: ids.slice(3, 9), count: ids.length })
      }
      await place.drop()
    }
  },
  300_000,
)
