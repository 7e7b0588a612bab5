/** Caches hold no meaning: the library answers the same when none of them keeps anything, or when they are full of others. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Cache } from '../../src/cache.ts'
import { byEffort } from '../effort.ts'

/** Everything that callers see of reading, building, printing and compiling, twice: the second time caches are warm. */
async function answers(caches: 'kept' | 'off') {
  vi.resetModules()
  if (caches === 'off') {
    const off = (): Cache<object, unknown> => ({ get: () => undefined, set: () => {} })
    vi.doMock('../../src/cache.ts', () => ({
      boundedCache: off,
      recentCache: off,
      slotCache: off,
      weakCache: off,
    }))
    vi.doMock('../../src/backends/shape.ts', async (actual) => ({ ...(await actual<object>()), shapeCache: off }))
  } else {
    vi.doUnmock('../../src/cache.ts')
    vi.doUnmock('../../src/backends/shape.ts')
  }
  const core = await import('../../src/index.ts')
  const { memoryBackend } = await import('../../src/backends/memory/index.ts')
  const { mongoBackend } = await import('../../src/backends/mongo/index.ts')
  const { childTable, postgres, sqlBackend, table } = await import('../../src/backends/sql/index.ts')
  const { cases } = await import('../../src/testing/index.ts')
  const { queryOf, someConditions, someRow, someSchema } = await import('../../src/testing/arbitraries.ts')
  const { defineSchema, field, and, not, or, parseFilter, parseFilterOrThrow, printFilter } = core
  const { defineCollection, parseQuery, printQuery, restrict, toPage } = core
  const { positionFilter, sameFilter } = await import('../../src/tree.ts')

  const schema = defineSchema({
    seller: field.string(),
    status: field.enumeration(['paid', 'held', 'new']),
    total: field.number(),
    paidAt: field.datetime(),
    items: field.list(field.object({ arrival: field.date(), price: field.number() })),
  })
  const sql = sqlBackend({
    dialect: postgres,
    table: table('orders', { schema, key: 'id', columns: { items: childTable('items', { foreignKey: 'order' }) } }),
  })
  const mongo = mongoBackend({ dates: 'string', datetimes: 'date' })
  const collection = defineCollection(schema, { key: 'seller', sort: true, count: true })
  const rows = [
    { seller: 'none' },
    { seller: 'x', total: 5, status: 'paid', items: [{ arrival: '2024-01-01', price: 1 }] },
    { seller: 'Jo', total: 1, paidAt: '2024-01-01T12:00:00.000Z', items: [{ arrival: '2024-02-01', price: 9 }] },
  ]
  const told = (answer: () => unknown): unknown => {
    try {
      return answer()
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`
    }
  }
  /** Generated code asks in another way after a hundred rows. */
  const often = <Row>(rows: readonly Row[]) => Array.from({ length: 200 }, (_, at) => rows[at % rows.length]!)
  const texts = [
    'seller=x',
    'seller=x&seller=y&seller%5Bequals%5D=z',
    'items.arrival[gte]=2024-01-01&items.price[lt]=5&items%2Earrival%5Blte%5D=2024-01-31&total[gt]=2',
    'items.arrival[nin]=2024-01-01,2024-01-02&status[in]=paid,held&status[notEqual]=new',
    'paidAt=2024-01-01&paidAt[in]=2024-01-01,2024-02-01T00:00:00Z',
    'status=pad&totl=1&total=x&total[contains]=1&seller[eq]=1&a.b.c.d.e.f.g.h.i=1',
  ]
  const once = () =>
    texts.map((text) => {
      const result = parseFilter(schema, text)
      if (!result.ok) return result.issues
      const { filter } = result
      const whole = and(not(filter), filter)
      return [
        filter,
        whole,
        [filter, whole].map((one) => [
          told(() => printFilter(schema, one)),
          told(() => sql.compile(one)),
          told(() => mongo.compile(one)),
          rows.filter(memoryBackend().compile(one)),
          often(rows).filter(memoryBackend({ codegen: true }).compile(one)),
          rows.filter(memoryBackend({ codegen: false }).compile(one)),
          sameFilter(one, structuredClone(one) as typeof one),
          and(one) === one,
        ]),
      ]
    })
  const nextOf = (text: string) => {
    const result = parseQuery(collection, text)
    return result.ok ? toPage(result.query, memoryBackend().compileQuery(result.query)(rows).rows).next : ''
  }
  const sorts = ['sort=total&limit=1', 'sort=-paidAt,total&limit=2', 'sort=status,-seller&limit=1&count=true']
  const queries = sorts.flatMap((text) => [
    text,
    `${text}&seller=x&cursor=${nextOf(text)}`,
    `${text}&cursor=${nextOf(text)}x`,
  ])
  const ofQueries = () =>
    queries.map((text) => {
      const result = parseQuery(collection, text)
      if (!result.ok) return result.issues
      return [result.query, restrict(result.query, parseFilterOrThrow(schema, 'total[gt]=0'))].map((query) => [
        query,
        printQuery(collection, query),
        positionFilter(query),
        // The function for pages is each query's own: what it makes is compared.
        { ...sql.compileQuery(query), page: sql.compileQuery(query).page([]) },
        told(() => mongo.compileQuery(query)),
        memoryBackend().compileQuery(query)(rows),
      ])
    })
  /** More shapes than any cache keeps, each with a key and an operand of its own. */
  const hostile = () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, field.number()]))
    const { items: _, ...own } = schema.fields
    const wide = defineSchema({ ...own, ...many })
    const wideSql = sqlBackend({ dialect: postgres, table: table('wide', { schema: wide, key: 'f0' }) })
    for (let at = 0; at < 1_000; at++) {
      const text = `f${at}=${at}&f${(at * 7) % 2_000}[gt]=1&total[lt]=${at}&seller=${'x'.repeat(at % 50)}`
      const filter = parseFilterOrThrow(wide, at % 2 ? text : encodeURI(text))
      for (let time = 0; time < 2; time++) rows.filter(memoryBackend().compile(filter))
      wideSql.compile(filter)
      wideSql.compileQuery({
        ...{ filter, limit: 5, count: false },
        sort: [{ path: [`f${at}`], type: 'number', direction: 'ascending' }],
      })
      const total = parseFilterOrThrow(schema, `total[gt]=${at}`)
      if (at < 300) sql.compile(or(...Array.from({ length: at }, () => total)))
      parseFilter(schema, `%73eller=${at}&%74otal[g${at}]=1`)
    }
  }
  const ofCases = () =>
    cases.map(({ fixture: { schema, rows }, query, filter = parseFilterOrThrow(schema, query!) }) => [
      filter,
      told(() => printFilter(schema, filter)),
      rows.filter(memoryBackend().compile(filter)).map(({ id }) => id),
      often(rows)
        .filter(memoryBackend({ codegen: true }).compile(filter))
        .map(({ id }) => id),
      told(() => mongo.compile(filter)),
    ])
  const situation = someSchema.chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      rows: fc.array(someRow(schema), { minLength: 1, maxLength: 6 }),
      conditions: someConditions(schema),
    }),
  )
  const random = fc.sample(situation, { seed: 1, numRuns: byEffort(2_000, 30) })
  const ofRandom = () =>
    random.map(({ schema, rows, conditions }) => {
      const filter = parseFilterOrThrow(schema, queryOf(conditions))
      return [true, false].map((codegen) => often(rows).map(memoryBackend({ codegen }).compile(filter)).join())
    })
  const all = () => ({ texts: once(), queries: ofQueries(), cases: ofCases(), random: ofRandom() })
  const [cold, warm] = [all(), all()]
  if (caches === 'kept') hostile()
  return [cold, warm, all()]
}

test('answers are the same without caches, with warm ones, and with caches full of other shapes', async () => {
  const kept = await answers('kept')
  const [cold] = kept
  expect(kept).toEqual([cold, cold, cold])
  expect(await answers('off')).toEqual(kept)
  expect(JSON.stringify(kept)).toContain('duplicate_condition')
  const random = cold!.random
  for (const [generated, closures] of random) expect(generated).toBe(closures)
  const mixed = random.filter(([generated]) => generated!.includes('true') && generated!.includes('false'))
  expect(mixed.length / random.length).toBeGreaterThan(0.1)
})
