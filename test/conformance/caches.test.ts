/**
 * Nothing that is there for speed has a meaning: the library answers the same without it, with it, and when caches are full of
 * other keys. docs/internals/performance.md lists what there is.
 */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { Cache } from '../../src/cache.ts'
import type { Filter } from '../../src/index.ts'
import { byCompleteness, byEffort } from '../effort.ts'

const files = ['../../src/cache.ts', '../../src/backends/shape.ts']
const generatedFile = '../../src/generated.ts'
const off = (): Cache<object, unknown> => ({ get: () => undefined, set: () => {} })
// Other tests in this process load the modules as they are.
afterEach(() => {
  for (const file of [...files, generatedFile]) vi.doUnmock(file)
  vi.resetModules()
})

/** Texts, and how many meanings each has by the names, offers, zones and moments below. Names that nobody knows give an issue. */
const manySided = {
  'paidAt=2024-03-31': 4,
  'paidAt[gte]=now-1d&paidAt[lt]=today': 5,
  'paidAt[in]=today,now': 5,
  'items.arrival=today': 5,
  'who[is]=paid': 3,
  'or=(who[is]=paid,when[is]=today)': 11,
  'when[gte]=today-3mo': 11,
  'seller=x&seller=Jo&status[]=paid': 2,
  'search=jo': 2,
  'search=jo+x&facets=status': 2,
  'who=paid&facets=status': 5,
  'who[is]=paid&facets=status,seller': 5,
  'timeZone=Asia/Tokyo&paidAt=2024-03-31&facets=status': 2,
  'seller[equalsIgnoreCase]=jo': 1,
  'items[atLeast]=1': 1,
}

/** Everything that callers see of reading, building, printing and compiling, three times: at last with caches that are full. */
async function answers(speed: 'on' | 'off') {
  vi.resetModules()
  for (const file of files) {
    if (speed === 'on') vi.doUnmock(file)
    else
      vi.doMock(file, async (actual) => {
        const exports = Object.entries(await actual<object>())
        return Object.fromEntries(exports.map(([name, made]) => [name, name.endsWith('Cache') ? off : made]))
      })
  }
  if (speed === 'on') vi.doUnmock(generatedFile)
  else vi.doMock(generatedFile, () => ({ generated: () => undefined, isGenerationForbidden: () => true }))
  for (const [name, made] of Object.entries(await import('../../src/cache.ts')))
    expect((made as unknown) === off, name).toBe(speed === 'off')
  const core = await import('../../src/index.ts')
  const { memoryBackend } = await import('../../src/backends/memory/index.ts')
  const { mongoBackend } = await import('../../src/backends/mongo/index.ts')
  const { childTable, jsonColumn, postgres, sqlBackend, table } = await import('../../src/backends/sql/index.ts')
  const { cases } = await import('../../src/kit/index.ts')
  const { queryOf, someConditions, someRow, someSchema } = await import('../../src/kit/arbitraries.ts')
  const { defineSchema, field, and, not, or, parseFilter, parseFilterOrThrow, printFilter } = core
  const { defineCollection, parseQuery, printQuery, restrict, toPage } = core
  const { positionFilter, sameFilter } = await import('../../src/tree.ts')

  const schema = defineSchema({
    seller: field.string(),
    note: field.string(),
    status: field.enumeration(['paid', 'held', 'new']),
    total: field.number(),
    paidAt: field.datetime(),
    items: field.list(field.object({ arrival: field.date(), price: field.number() })),
    attributes: field.record(field.string()),
  })
  const sql = sqlBackend({
    dialect: postgres,
    table: table('orders', {
      schema,
      key: 'id',
      columns: {
        items: childTable('items', { key: 'id', foreignKey: 'order' }),
        attributes: jsonColumn('attributes'),
      },
    }),
  })
  const mongo = mongoBackend({ schema, dates: 'string', datetimes: 'date' })
  const collection = defineCollection(schema, { key: 'seller', sort: true, count: true })
  const rows = [
    { seller: 'none' },
    { seller: 'x', total: 5, status: 'paid', items: [{ arrival: '2024-01-01', price: 1 }] },
    { seller: 'Jo', total: 1, paidAt: '2024-01-01T12:00:00.000Z', items: [{ arrival: '2024-02-01', price: 9 }] },
    { seller: 'JO', note: 'x', status: 'held', paidAt: '2024-03-30T22:30:00.000Z', items: [{ arrival: '2024-03-31' }] },
    { seller: 'paid', note: 'Jo', status: 'new', paidAt: '2024-03-30T10:30:00.000Z', items: [] },
    { seller: 'a', attributes: { a: 'x', b: 'y' } },
    { seller: 'b', attributes: { a: 'y', b: 'x' } },
  ]
  const told = (answer: () => unknown): unknown => {
    try {
      return answer()
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`
    }
  }
  /** Which rows a filter selects: by closures, and where that is on, the same by generated code. */
  const selected = (filter: Filter, rows: readonly object[]): readonly boolean[] => {
    const answers = rows.map(memoryBackend({ codegen: false }).compile(filter))
    for (const options of speed === 'on' ? [{}, { codegen: true }] : [])
      expect(rows.map(memoryBackend(options).compile(filter))).toEqual(answers)
    return answers
  }
  const texts = [
    'seller=x',
    'seller=x&seller=y&seller%5Bequals%5D=z',
    'items.arrival[gte]=2024-01-01&items.price[lt]=5&items%2Earrival%5Blte%5D=2024-01-31&total[gt]=2',
    'items.arrival[nin]=2024-01-01,2024-01-02&status[in]=paid,held&status[notEqual]=new',
    'paidAt=2024-01-01&paidAt[in]=2024-01-01,2024-02-01T00:00:00Z',
    // Two shapes of keys, and one key with two operands.
    ...['attributes.a=x', 'attributes.b=x', 'attributes.a=y', 'attributes.constructor=x', 'attributes.a[contains]=x'],
    ...['attributes.b[contains]=x', 'attributes.a[nin]=x,y&total[gt]=0', 'attributes.b[nin]=x,y&total[gt]=0'],
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
          selected(one, rows),
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
  const rowsOf = ({ read, page, ...query }: ReturnType<typeof mongo.compileQuery>) => ({
    ...query,
    read: rows.map(read),
    page: page(rows.slice(0, 1)),
  })
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
        told(() => rowsOf(mongo.compileQuery(query))),
        memoryBackend().compileQuery(query)(rows),
      ])
    })
  const shown = defineCollection(schema, {
    ...{ key: 'seller', sort: true, fields: true, hidden: ['note'], offset: { max: 9 } },
    limit: { default: 3, max: 150 },
  })
  /** The cells of a statement, as a driver returns them: some with a value of another type. */
  const cellsOf = ({ text }: { readonly text: string }, at: number) => {
    const count = text.split(' AS c').length - 1
    const cells = [
      `s${at}`,
      'paid',
      1_704_067_200_000,
      '[["2024-01-01",1],["x",2]]',
      '2024-01-01T00:00:00.000Z',
      null,
      at,
    ]
    return Object.fromEntries(Array.from({ length: count }, (_, one) => [`c${one + 1}`, cells[(one + at) % 7]]))
  }
  const statements = [
    ...queries,
    ...['', 'fields=seller', 'fields=items.price,total', 'offset=2', 'offset=0', 'limit=150', 'seller=y'],
    ...['fields=status&sort=-total', 'limit=150&fields=paidAt,items', 'total[gt]=1&limit=4&offset=3'],
  ]
  const ofStatements = () =>
    statements.map((text) => {
      const result = parseQuery(shown, text.replace('&count=true', ''))
      if (!result.ok) return result.issues
      return [result.query, restrict(result.query, parseFilterOrThrow(schema, 'total[gt]=0'))].map((query) => {
        const { read, page, count, ...statement } = sql.select(query)
        const found = Array.from({ length: query.limit }, (_, at) => cellsOf(statement, at))
        return [
          statement,
          told(() => ({ ...count, read: count.read({ c1: '7' }) })),
          found.map((row) => told(() => read(row))),
          told(() => page(found)),
        ]
      })
    })
  const names: readonly {
    readonly fields?: Readonly<Record<string, 'seller' | 'status' | 'paidAt' | 'items.arrival'>>
    readonly operators?: Readonly<Record<string, 'equals' | 'notEqual'>>
  }[] = [
    { fields: { who: 'seller', when: 'paidAt' }, operators: { is: 'equals' } },
    { fields: { who: 'status', when: 'items.arrival' }, operators: { is: 'notEqual' } },
    {},
  ]
  const offers: readonly {
    readonly search: readonly ('seller' | 'note')[]
    readonly facets: readonly ('seller' | 'status' | 'items.price')[]
    readonly facetLimit: number
    readonly lists?: 'repeated'
  }[] = [
    { search: ['seller'], facets: ['status'], facetLimit: 3 },
    { search: ['note', 'seller'], facets: ['seller', 'status', 'items.price'], facetLimit: 1, lists: 'repeated' },
  ]
  const collections = names.flatMap((aliases) =>
    offers.map((offer) =>
      defineCollection(schema, {
        ...{ key: 'seller', sort: true, groups: true, timeZone: true },
        ...offer,
        aliases,
      }),
    ),
  )
  const clocks = [
    { timeZone: 'Europe/Berlin', now: new Date('2024-03-31T00:30:00Z') },
    { timeZone: 'Asia/Tokyo', now: new Date('2024-03-31T00:30:00Z') },
    { timeZone: 'Asia/Tokyo', now: new Date('2024-03-30T12:00:00Z') },
    { timeZone: '-11:00', now: new Date('2024-03-30T12:00:00Z') },
    { now: new Date('2024-01-01T12:00:00Z') },
  ]
  const ofNamesAndClocks = () =>
    Object.keys(manySided).map((text) =>
      collections.map((collection) =>
        clocks.map((clock, at) => {
          const result = parseQuery(collection, text, clock)
          if (!result.ok) return result.issues
          const { query } = result
          const { next } = toPage({ ...query, limit: 1 }, [{ seller: 'Jo' }, { seller: 'x' }])
          const later = parseQuery(collection, `${text}&cursor=${next}`, clocks[(at + 1) % clocks.length]!)
          return [
            query,
            later,
            told(() => printQuery(collection, query)),
            { ...sql.compileQuery(query), page: undefined },
            sql.facets(query).map(({ read: _, ...facet }) => facet),
            told(() => mongo.facets(query).map(({ read: _, ...facet }) => facet)),
            memoryBackend().facets(query)(rows),
            memoryBackend().facets(restrict(query, parseFilterOrThrow(schema, 'total[gt]=0')))(rows),
            memoryBackend().compileQuery(query)(rows),
          ]
        }),
      ),
    )
  /** More shapes, keys and operands than any cache keeps. */
  const hostile = () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, field.number()]))
    const { items: _, attributes: __, ...own } = schema.fields
    const wide = defineSchema({ ...own, ...many })
    const wideSql = sqlBackend({ dialect: postgres, table: table('wide', { schema: wide, key: 'f0' }) })
    for (let at = 0; at < 1_000; at++) {
      const text = `f${at}=${at}&f${(at * 7) % 2_000}[gt]=1&total[lt]=${at}&seller=${'x'.repeat(at % 50)}`
      const filter = parseFilterOrThrow(wide, at % 2 ? text : encodeURI(text))
      for (let time = 0; time < 2; time++) rows.filter(memoryBackend().compile(filter))
      wideSql.compile(filter)
      const total = parseFilterOrThrow(schema, `total[gt]=${at}`)
      if (at < 300) sql.compile(or(...Array.from({ length: at }, () => total)))
      parseFilter(schema, `%73eller=${at}&%74otal[g${at}]=1`)
    }
  }
  const some = byCompleteness(
    cases,
    cases.filter((_, at) => at % 25 === 0),
  )
  const ofCases = () =>
    some.map(({ fixture: { schema, rows }, query, filter = parseFilterOrThrow(schema, query!) }) => [
      filter,
      told(() => printFilter(schema, filter)),
      selected(filter, rows),
      told(() => mongo.compile(filter)),
    ])
  const situation = someSchema.chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      rows: fc.array(someRow(schema), { minLength: 1, maxLength: 6 }),
      conditions: someConditions(schema),
    }),
  )
  const random = fc.sample(situation, { seed: 1, numRuns: byEffort(2_000, byCompleteness(17, 9)) })
  const ofRandom = () =>
    random.map(({ schema, rows, conditions }) => selected(parseFilterOrThrow(schema, queryOf(conditions)), rows))
  const all = () => ({
    ...{ texts: once(), queries: ofQueries(), statements: ofStatements(), cases: ofCases(), random: ofRandom() },
    sides: ofNamesAndClocks(),
  })
  const [cold, warm] = [all(), all()]
  if (speed === 'on') hostile()
  return [cold, warm, all()]
}

test('answers are the same without what is there for speed, with it, and with caches full of other keys', async () => {
  const on = await answers('on')
  const [cold] = on
  expect(on).toEqual([cold, cold, cold])
  expect(await answers('off')).toEqual(on)
  const text = JSON.stringify(on, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  expect(text).toContain('duplicate_condition')
  const meanings = cold!.sides.map((all) => new Set(all.flat().map((one) => JSON.stringify(one))).size)
  expect(Object.fromEntries(Object.keys(manySided).map((text, at) => [text, meanings[at]]))).toEqual(manySided)
  const mixed = cold!.random.filter((rows) => rows.includes(true) && rows.includes(false))
  expect(mixed.length / cold!.random.length).toBeGreaterThan(0.1)
})

test('a cache keeps no text for a key of a record, of which a caller has endlessly many', async () => {
  const { defineSchema, field, parseFilterOrThrow } = await import('../../src/index.ts')
  const sql = await import('../../src/backends/sql/index.ts')
  const schema = defineSchema({ seller: field.string(), attributes: field.record(field.string()) })
  const columns = { attributes: sql.jsonColumn('attributes') }
  for (const dialect of [sql.postgres, sql.sqlite, sql.duckdb, sql.mysql, sql.mariadb]) {
    const backend = sql.sqlBackend({ dialect, table: sql.table('orders', { schema, key: 'seller', columns }) })
    const partsOf = (text: string) => backend.compile(parseFilterOrThrow(schema, text)).strings
    const isKept = (text: string) => partsOf(text) === partsOf(text)
    expect(isKept('seller=x&seller[contains]=x'), dialect.name).toBe(true)
    const keys = ['=x', '[contains]=x', '[in]=x,y', '[gt]=x', '[exists]=true', '[notEqual]=x&seller=x']
    expect(keys.filter((end) => isKept(`attributes.a${end}`))).toEqual([])
  }
})
