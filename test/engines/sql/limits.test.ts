/** Custom dialects write OFFSET before LIMIT, or FETCH. Engines that accept both orders return the same rows. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { sqlBackend, table, type Dialect } from '../../../src/backends/sql/index.ts'
import { sql } from '../../../src/backends/sql/dialect/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../../src/index.ts'
import { byEffort } from '../../effort.ts'
import { openDuckdb } from './duckdb.ts'
import { openEngines } from './engines.ts'

const fetching: Dialect['limited'] = (count, skipped) =>
  sql`OFFSET (${skipped ?? sql`0`}) ROWS FETCH NEXT (${count}) ROWS ONLY`
const offsetFirst: Dialect['limited'] = (count, skipped) =>
  skipped === undefined ? sql`LIMIT ${count}` : sql`OFFSET ${skipped} LIMIT ${count}`
const engines = [...(await openEngines((name) => name === 'pglite')), await openDuckdb()]
afterAll(() => Promise.all(engines.map(({ close }) => close())))
const ends = [
  ['OFFSET … FETCH', fetching],
  ['OFFSET … LIMIT', offsetFirst],
] as const
/** DuckDB has no FETCH. */
const pairs = engines.flatMap((engine) =>
  ends
    .filter(([, limited]) => engine.name === 'pglite' || limited === offsetFirst)
    .map(([end, limited]) => ({ engine, end, limited })),
)

const most = 30
const rows = Array.from({ length: most }, (_, id) => ({ id, n: id % 7 === 0 ? null : (id * 11) % 5 }))
const schema = defineSchema({ id: field.integer(), n: field.integer() })
const collection = defineCollection(schema, {
  key: 'id',
  sort: ['n'],
  limit: { default: 5, max: most },
  offset: { max: most },
  count: { max: 8 },
  facets: ['n'],
})
const pages = fc.record({
  sort: fc.constantFrom('', '&sort=n', '&sort=-n', '&sort=-id'),
  limit: fc.integer({ min: 1, max: most }),
  offset: fc.integer({ min: 0, max: most }),
})

describe.each(pairs)('$engine.name, $end', ({ engine, limited }) => {
  const name = `limits_${Math.random().toString(36).slice(2)}`
  beforeAll(async () => {
    await engine.run(`CREATE TABLE ${name} (id BIGINT, n BIGINT)`)
    await engine.run(`INSERT INTO ${name} VALUES ${rows.map(({ id, n }) => `(${id}, ${n})`).join(', ')}`)
  })
  afterAll(() => engine.run(`DROP TABLE ${name}`))

  test('random pages, counts and facets are those of rows in memory', async () => {
    const mapped = table(name, { schema, key: 'id' })
    const { select, compileQuery, facets } = sqlBackend({ dialect: { ...engine.dialect, limited }, table: mapped })
    const { strings } = compileQuery(parseQueryOrThrow(collection, 'offset=1'))
    expect(strings.join('')).toMatch(/OFFSET.*(?:LIMIT|FETCH)/)
    await fc.assert(
      fc.asyncProperty(pages, async ({ sort, limit, offset }) => {
        const query = parseQueryOrThrow(collection, `limit=${limit}&offset=${offset}${sort}&count=true&facets=n`)
        const found = memoryBackend().compileQuery(query)(rows)
        const whole = select(query)
        const page = whole.page(await engine.run(whole.text, whole.parameters))
        expect(page).toEqual(toPage(query, found.rows))
        const parts = compileQuery(query)
        const read = await engine.run(`SELECT id FROM ${name} ${parts.text}`, parts.parameters)
        expect(read.map(({ id }) => Number(id))).toEqual(found.rows.map(({ id }) => id))
        const { count } = whole
        expect(count.read((await engine.run(count.text, count.parameters))[0])).toEqual({ atLeast: 8 })
        const [facet] = facets(query)
        expect(facet!.read(await engine.run(facet!.text, facet!.parameters))).toEqual(
          // Of each rest by 5 there are six ids, and one of them has no value.
          [null, 0, 1, 2, 3, 4].map((value) => ({ value, count: 5 })),
        )
      }),
      { numRuns: byEffort(300, 14) },
    )
  })
})
