/** Facets of random requests: they agree with counts, and do not count rows that a restriction excludes. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  and,
  defineSchema,
  field,
  narrow,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  restrict,
  type Collection,
  type FacetValues,
  type Fields,
  type Filter,
  type Query,
} from '../../src/index.ts'
import { checkQuery, sameFilter } from '../../src/tree.ts'
import { someCollectionText, someFilter, someRow } from '../../src/kit/arbitraries.ts'
import { byCompleteness, byEffort, isComplete } from '../effort.ts'
import { seed } from '../seed.ts'
import { isRefusal, openContenders, type Contender, type Row, type Store } from './contenders.ts'
import { comparedFacets, facetOptionsOf, mixedRows, wholeCollection } from './queries.ts'
import { facetsOf, selectionOf } from './reference.ts'

const { REQUESTS = byEffort('400', byCompleteness('70', '24')) } = process.env
const { POSTGRES_URL, POSTGRES18_URL, MARIADB_URL, MYSQL_URL, MONGODB_URL } = process.env
const asked = [
  ...['sqlite', 'pglite', ...(POSTGRES_URL ? ['postgres'] : []), ...(POSTGRES18_URL ? ['postgres 18'] : [])],
  ...[...(MARIADB_URL ? ['mariadb'] : []), ...(MYSQL_URL ? ['mysql'] : [])],
]
const { contenders, close } = await openContenders(asked)
afterAll(close)
const isServer = (name: string) => name === 'DocumentDB' && MONGODB_URL !== undefined
/** A quick run draws a layout for each column. */
const quick = ['memory', 'sqlite, mixed', 'pglite, mixed']
const counting = contenders.filter(
  ({ name, engine, hasPages }) =>
    hasPages &&
    (isComplete || quick.includes(name)) &&
    (name === 'memory' || isServer(engine) || asked.includes(engine)),
)

const now = new Date('2024-03-31T00:30:00.000Z')
const limits = { pairs: Infinity, length: Infinity, searches: Infinity }

/** Hidden fields: a tenant, and an object. */
const secret: Fields = { tenant: field.string(), vault: field.object({ combination: field.integer() }) }
const tenants = ['t-1', 't-2', 'T-1', null]

interface Situation {
  readonly store: Store
  readonly rows: readonly Row[]
  readonly collection: Collection
  readonly texts: readonly string[]
  readonly restrictions: readonly Filter[]
}
/** Rows of a random schema with hidden fields. Restrictions read all fields, and each text requests facets. */
const situationsOf = ({ stores, schemas }: Contender): fc.Arbitrary<Situation> =>
  fc.tuple(schemas, stores).chain(([inner, storeOf]) => {
    const schema = defineSchema({ ...inner.fields, ...secret, part: field.string(), id: field.integer() })
    const store = storeOf(schema)
    const features = store.backend.capabilities.features.filter(
      (feature) => !['other-forms', 'misplaced-lists'].includes(feature),
    )
    const known = [...schema.paths.values()].filter(({ name }) => !/^(?:tenant|vault)/.test(name))
    const collection = wholeCollection(schema, ['id'], {
      facets: facetOptionsOf(known),
      ...{ hidden: ['tenant', 'vault'], facetLimit: 5, search: ['part'] },
      aliases: {
        fields: { piece: 'part', owner: 'tenant', 'safe number': 'vault.combination' },
        operators: { eq: 'equals' },
      },
    })
    const withFacets = someCollectionText(collection, [], { relativeTimes: true }).map((text) =>
      /(?:^|&)facets=/.test(text) ? text : `${text}${text && '&'}facets=part,id`,
    )
    const fields = { ...inner.fields, ...secret }
    const bases = fc.array(someRow(defineSchema(fields), features), { minLength: 1, maxLength: 4 })
    return bases.chain((some) =>
      fc.record({
        store: fc.constant(store),
        collection: fc.constant(collection),
        rows: fc
          .tuple(mixedRows(fields, some), fc.array(fc.constantFrom(...tenants), { minLength: 8, maxLength: 8 }))
          .map(([rows, owners]) => rows.map((row, at) => ({ ...row, tenant: owners[at] }))),
        texts: fc.array(withFacets, { minLength: 1, maxLength: 10, size: 'max' }),
        restrictions: fc.array(
          fc.oneof(
            { weight: 2, arbitrary: fc.constantFrom(...tenants.flatMap((tenant) => tenant ?? [])).map(isOf) },
            { weight: 1, arbitrary: someFilter(schema) },
            { weight: 1, arbitrary: someFilter(defineSchema(secret)) },
          ),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    )
  })
const isOf = (tenant: string): Filter => ({
  kind: 'comparison',
  path: ['tenant'],
  operator: 'eq',
  operand: { type: 'string', value: tenant },
})

const revived = (query: Query): Query => checkQuery(JSON.parse(JSON.stringify(query)) as unknown)
/** The ways to restrict a query. */
const ways: Readonly<Record<string, (query: Query, restriction: Filter, collection: Collection) => Query>> = {
  'as it is read': (query, restriction) => restrict(query, restriction),
  'revived from JSON': (query, restriction) => restrict(revived(query), restriction),
  'restricted, then revived': (query, restriction) => revived(restrict(query, restriction)),
  'revived, with the restriction, too': (query, restriction) =>
    restrict(revived(query), JSON.parse(JSON.stringify(restriction)) as Filter),
  'restricted twice': (query, restriction) => restrict(restrict(query, restriction), restriction),
}

/** Counts the facets that can be compared with memory. Returns `undefined` if the engine refuses the query. */
async function countedBy(contender: Contender, { store, rows }: Situation, query: Query) {
  const pages = store.pages!
  const compared = { ...query, facets: comparedFacets(contender, pages, query, rows) }
  try {
    const page = pages.compile({ ...query, count: true, facets: undefined! })
    return { compared, page, found: compared.facets.length === 0 ? {} : await pages.facets!(compared) }
  } catch (error) {
    if (isRefusal(contender, error)) return undefined
    throw error
  }
}

const sumOf = (values: FacetValues[string]) => values.reduce((sum, { count }) => sum + (count as number), 0)
const isHiddenName = (text: string) => /tenant|vault|combination|owner|safe/.test(text)

/** Runs situations until it has made the number of requests. */
async function attack(contender: Contender, requests: number, check: (situation: Situation) => Promise<number>) {
  let made = 0
  const property = fc.asyncProperty(situationsOf(contender), async (situation) => {
    if (made >= requests) return
    const { excepts, backend } = situation.store
    if (excepts(and(), situation.rows, backend.compile(and())) === 'departure') return
    await situation.store.fill(situation.rows)
    try {
      made += await check(situation)
    } finally {
      await situation.store.drop()
    }
  })
  for (let run = 0; made < requests; run++) await fc.assert(property, { numRuns: 50, seed: seed + run })
  return made
}

const canonical = new Map([['piece', 'part']])
/** A text without its pairs on exactly one path. */
const textWithout = (text: string, name: string): string => {
  const pairs = [...new URLSearchParams(text)].filter(([key]) => {
    const path = key.replace(/\[[^\]]*\]$/, '')
    return (canonical.get(path) ?? path) !== name
  })
  return new URLSearchParams(pairs).toString()
}

describe('random requests', () => {
  const seen = { restricted: 0, fewer: 0, dropped: 0, summed: 0, leftOut: 0 }

  test.each(counting.map((contender) => ({ name: contender.name, contender })))(
    `$name: ${REQUESTS} facets agree with counts by hand, and restricted ones with the permitted rows, by the seed ${seed}`,
    { timeout: 600_000 },
    async ({ contender }) => {
      const share = counting.filter(({ engine }) => engine === contender.engine).length
      const made = await attack(contender, Math.ceil(Number(REQUESTS) / share), async (situation) => {
        const { collection, rows, store, texts, restrictions } = situation
        let requests = 0
        for (const [at, text] of texts.entries()) {
          const query = parseQueryOrThrow(collection, text, { limits, now })
          for (const { lists, path, filter } of query.facets!) {
            const beside = textWithout(text, [...lists.flat(), ...path].join('.'))
            expect(sameFilter(filter, parseQueryOrThrow(collection, beside, { limits, now }).filter), text).toBe(true)
            if (!sameFilter(filter, query.filter)) seen.dropped++
          }
          const own = await countedBy(contender, situation, query)
          if (own === undefined) {
            seen.leftOut++
            continue
          }
          const { compared, page, found } = own
          expect(found, text).toEqual(facetsOf(compared, rows))
          const isExact = store.pages!.excepts(query, rows, page) === undefined
          for (const [name, values] of Object.entries(found)) {
            const { lists, limit, max, filter } = compared.facets.find(
              (facet) => [...facet.lists.flat(), ...facet.path].join('.') === name,
            )!
            if (
              !isExact ||
              lists.length > 0 ||
              max !== undefined ||
              values.length >= limit ||
              !sameFilter(filter, query.filter)
            )
              continue
            seen.summed++
            expect(sumOf(values), text).toBe(await store.pages!.count(page))
          }
          for (const restriction of restrictions) {
            const way = Object.keys(ways)[(requests + at) % Object.keys(ways).length]!
            const permitted = selectionOf(restriction, rows)
            const restricted = await countedBy(contender, situation, ways[way]!(query, restriction, collection))
            if (restricted === undefined) seen.leftOut++
            else {
              const names = Object.keys(restricted.found)
              const expected = Object.entries(facetsOf(query, permitted)).filter(([name]) => names.includes(name))
              expect(Object.entries(restricted.found), `${way}: ${text}`).toEqual(expected)
              requests++
              seen.restricted++
              if (permitted.length < rows.length && permitted.length > 0) seen.fewer++
            }
          }
        }
        return requests
      })
      expect(made).toBeGreaterThanOrEqual(Number(REQUESTS) / share)
    },
  )

  test('reach restrictions that leave out some rows, facets without their own conditions, and whole sums', () => {
    expect(seen.fewer).toBeGreaterThan(seen.restricted / 50)
    expect(seen.dropped).toBeGreaterThan(seen.restricted / 100)
    expect(seen.summed).toBeGreaterThan(seen.restricted / 50)
    expect(seen.leftOut).toBeLessThan(seen.restricted / 10)
  })

  test('never name a hidden field, by its name, by an alias, or misspelled; and no hint has it', () => {
    let refused = 0
    const memory = counting.find(({ name }) => name === 'memory')!
    const names = [
      'tenant',
      'vault',
      'vault.combination',
      'owner',
      'safe number',
      'tenan',
      'vaul',
      'vault.combinatio',
      'owne',
      'safe numbe',
    ]
    const hostile = fc.record({
      situation: situationsOf(memory),
      name: fc.constantFrom(...names),
      place: fc.constantFrom(
        'facets=NAME',
        'facets=part,NAME',
        'facets=part&NAME=1',
        'NAME[eq]=t-1',
        'sort=NAME&facets=id',
      ),
      isEncoded: fc.boolean(),
    })
    const property = fc.property(hostile, ({ situation: { collection, texts }, name, place, isEncoded }) => {
      const said = place.replace('NAME', isEncoded ? encodeURIComponent(name) : name.replaceAll(' ', '+'))
      const key = /^\w+/.exec(said)![0]
      const others = [...new URLSearchParams(texts[0])].filter(
        ([other]) => !['facets', 'sort', 'cursor', key].includes(other),
      )
      const text = [new URLSearchParams(others).toString(), said].filter((part) => part !== '').join('&')
      const result = parseQuery(collection, text, { limits: { ...limits, issues: Infinity }, now })
      expect(result.ok, text).toBe(false)
      if (result.ok) return
      refused++
      // A message can quote the text itself.
      const told = JSON.stringify(result.issues).replaceAll(name, '')
      expect(isHiddenName(told), `${text}: ${told}`).toBe(false)
      const plain = parseQueryOrThrow(collection, 'facets=part')
      expect(printQuery(collection, plain)).toBe('facets=part')
      expect(() => restrict({ ...plain, facets: [{ ...plain.facets![0]!, path: ['tenant'] }] }, isOf('t-1'))).toThrow(
        TypeError,
      )
    })
    fc.assert(property, { numRuns: byEffort(2_000, 100) })
    expect(refused).toBeGreaterThan(0)
  })

  test('of callers with fewer rights count no field that is hidden from them', () => {
    const schema = defineSchema({ id: field.integer(), part: field.string(), price: field.number() })
    const wide = wholeCollection(schema, ['id'], { aliases: { fields: { cost: 'price' } } })
    const narrowed = narrow(wide as never, { fields: { hide: ['price'] } } as never) as Collection
    for (const text of [
      'facets=price',
      'facets=cost',
      'facets=part,price',
      'price=1&facets=part',
      'cost=1&facets=part',
    ]) {
      expect(parseQuery(wide, text).ok, text).toBe(true)
      const result = parseQuery(narrowed, text)
      expect(result.ok, text).toBe(false)
      if (!result.ok) expect(JSON.stringify(result.issues.map(({ hint }) => hint ?? null))).not.toMatch(/price|cost/)
    }
  })
})
