/** Compares the pages that a contender reads with those of `reference.ts`, and checks the laws of pages on it. */
import fc from 'fast-check'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  parseQueryOrThrow,
  type Collection,
  type Facet,
  type Fields,
  type Filter,
  type Query,
  type Schema,
} from '../../src/index.ts'
import { positionAt } from '../../src/query/page.ts'
import { operators, type Feature, type ResolvedField } from '../../src/tree.ts'
import { someCollectionQuery, someCollectionText, someFilter, someRow } from '../../src/kit/arbitraries.ts'
import { facetLaws, type BrokenFacetLaw, type FacetLawInput } from '../../src/kit/facet-laws.ts'
import { queryLaws, type BrokenLaw, type LawInput } from '../../src/kit/index.ts'
import type { Answer } from '../engines/sql/engines.ts'
import { isRefusal, type Contender, type Pages, type Row, type Store } from './contenders.ts'
import { filterSource, narrowed, pathsIn } from './filters.ts'
import { answersOf, facetsOf, idsOf, selectionOf, textsOf } from './reference.ts'
import { Disagreed, type Counts, type Difference, type Subject } from './run.ts'
import { partsOfFilter } from '../../src/query/index.ts'

/** The scalars: every third counts few rows, and those outside lists have a text beside them. */
export function facetOptionsOf(fields: readonly ResolvedField[]): object {
  const scalars = fields.filter(({ literal }) => literal !== 'object')
  const texts = scalars.filter(({ literal, lists }) => literal === 'string' && lists.length === 0)
  const optionsOf = ({ lists }: ResolvedField, at: number) => ({
    max: at % 3 === 0 ? 1 + (at % mostRows) : undefined,
    // The last text is `part`, of which many rows with one value have different ones.
    label: lists.length === 0 ? texts.at(at % 4 === 0 ? at % texts.length : -1)?.name : undefined,
  })
  return Object.fromEntries(scalars.map((field, at) => [field.name, optionsOf(field, at)]))
}

/** The searched texts: at most three, because each word counts as a search in each of them. */
const searchedIn = ({ paths }: Schema): string[] =>
  Array.from(paths.values())
    .flatMap(({ name, type }) => (type === 'string' ? [name] : []))
    .slice(0, 3)

/** Another name for every operator, and for every second path. */
export const aliasesIn = ({ paths }: Schema) => ({
  fields: Object.fromEntries([...paths.keys()].flatMap((path, at) => (at % 2 === 0 ? [[`alias ${at}`, path]] : []))),
  operators: Object.fromEntries(Object.keys(operators).map((name) => [`is ${name}`, name])),
})

/** Parses queries from texts, with any names, in any zone, at one moment. */
export const someReadQuery = (collection: Collection, rows: readonly Record<string, unknown>[]): fc.Arbitrary<Query> =>
  fc
    .tuple(
      someCollectionText(collection, rows, { relativeTimes: true }),
      fc.constantFrom(undefined, 'Europe/Berlin', 'Pacific/Apia', '-09:30'),
    )
    .map(([text, timeZone]) => {
      const limits = { pairs: Infinity, length: Infinity }
      return parseQueryOrThrow(collection, text, { timeZone, limits, now: new Date('2024-03-31T00:30:00.000Z') })
    })

/** A collection with every option, but those that `otherwise` overrides. */
export const wholeCollection = (schema: Schema, key: readonly string[], otherwise: object = {}): Collection => {
  const search = searchedIn(schema)
  return defineCollection(schema, {
    ...{ key, sort: true, limit: { max: 20 }, offset: { max: 10 }, fields: true, count: true, groups: true },
    ...{
      facets: facetOptionsOf([...schema.paths.values()]),
      facetLimit: 6,
      timeZone: true,
      lists: 'repeated',
      aliases: aliasesIn(schema),
    },
    ...(search.length > 0 && { search }),
    ...otherwise,
  } as object as { readonly key: 'id' })
}

/** The options of the orders of a collection, as far as a backend has their features. */
export const someOrders = (
  schema: Schema,
  key: readonly string[],
  features: readonly Feature[],
): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Array.from(wholeCollection(schema, key).sortable.values(), ({ name, required, type }) => {
        const option = (feature: Feature, isAccepted: boolean, ...values: readonly unknown[]) =>
          isAccepted && features.includes(feature)
            ? fc.option(fc.constantFrom(...values), { nil: undefined, freq: 4 })
            : fc.constant(undefined)
        const options = fc.record({
          nulls: option('placed-nulls', required !== true && !key.includes(name), 'first', 'last'),
          ignoreCase: option('ignored-case', type === 'string', true),
          declared: option('declared-orders', type === 'enumeration', true),
        })
        return [name, options]
      }),
    ),
  )

interface Situation extends Pick<LawInput, 'moves' | 'states' | 'restriction'> {
  readonly storeOf: (schema: Schema) => Store
  readonly schema: Schema
  readonly rows: readonly Row[]
  readonly queries: readonly Query[]
}

const mostRows = 8
const indexes = Array.from({ length: mostRows }, (_, at) => at)
const parts = ['a', 'A', 'b']
/** The values of an enumeration, in an order of their own. MySQL refuses two that differ in case alone. */
const states = ['b', 'C', 'a']
/** A text or an enumeration, and its values. Many rows share these, and it begins every second key. */
const somePart = fc.constantFrom({ part: field.string(), parts }, { part: field.enumeration(states), parts: states })

/** Rows that share values, each field with another: an order has ties at every key. They are not stored in its order. */
export const mixedRows = (
  fields: Fields,
  bases: readonly Record<string, unknown>[],
  ofPart: readonly string[] = parts,
): fc.Arbitrary<Row[]> => {
  const names = Object.keys(fields)
  const mixed = fc
    .tuple(fc.constantFrom(...ofPart), ...names.map(() => fc.constantFrom(...bases)))
    .map(([part, ...from]) => ({
      ...Object.fromEntries(
        names.flatMap((name, at) => (Object.hasOwn(from[at]!, name) ? [[name, from[at]![name]] as const] : [])),
      ),
      part,
    }))
  const ids = fc.shuffledSubarray(indexes, { minLength: mostRows })
  return fc
    .tuple(fc.array(mixed, { maxLength: mostRows }), ids)
    .map(([rows, ids]) => rows.map((row, at) => ({ ...row, id: ids[at]! + 1 })))
}

const situationsOf = ({ stores, schemas }: Contender): fc.Arbitrary<Situation> =>
  fc
    .tuple(schemas, stores, fc.constantFrom(['id'], ['part', 'id']), somePart)
    .chain(([inner, storeOf, key, { part, parts }]) => {
      const schemaOf = (fields: Fields) => defineSchema({ ...fields, part, id: field.integer() })
      const schema = schemaOf(inner.fields)
      const featuresOf = (schema: Schema) => storeOf(schema).backend.capabilities.features
      const features = featuresOf(schema)
      const sorts = features.includes('sorted-other-forms')
      const stored = features.filter((feature) => sorts || !['other-forms', 'misplaced-lists'].includes(feature))
      const orders = someOrders(schema, key, features)
      return fc
        .tuple(fc.array(someRow(inner, stored), { minLength: 1, maxLength: 4 }), orders)
        .chain(([bases, sort]) => {
          const collection = wholeCollection(schema, key, { sort })
          // Positions are made of the same values as rows, but not of the rows: these shrink by themselves.
          const like = indexes.map((at) => ({ ...bases[at % bases.length], part: parts[at % 3]!, id: at + 1 }))
          return fc.record({
            rows: mixedRows(inner.fields, bases, parts),
            queries: fc.array(fc.oneof(someCollectionQuery(collection, like), someReadQuery(collection, like)), {
              ...{ minLength: 1, maxLength: 40, size: 'max' },
            }),
            restriction: someFilter(inner),
            moves: fc.array(fc.constantFrom('next' as const, 'previous' as const), { maxLength: 8 }),
            kept: fc.array(fc.subarray(indexes), { maxLength: 3 }),
          })
        })
        .map(({ kept, ...situation }) => {
          const { rows, queries, restriction } = situation
          const states = kept.map((some) => rows.filter((_, at) => some.includes(at)))
          const asked = queries.flatMap(({ filter, sort, fields = [], facets = [] }) => [
            ...[filter, ...facets.map((facet) => facet.filter)].flatMap((one) => pathsIn(one)),
            ...facets.map(({ lists, path }) => [...lists.flat(), ...path].join('.')),
            ...facets.map(({ label = [] }) => label.join('.')),
            ...[...sort, ...fields.map((path) => ({ path }))].map(({ path }) => path.join('.')),
          ])
          const narrow = schemaOf(narrowed(inner.fields, [...new Set([...asked, ...pathsIn(restriction)])]))
          const storesRows = features.every((feature) => featuresOf(narrow).includes(feature))
          // Fewer fields can be in other layouts, which must store the rows, too.
          return { ...situation, storeOf, states, schema: storesRows ? narrow : schema }
        })
    })

/** A law reaches a departure of the engine, which is left out. */
class Departs extends Error {}

/** Whether positions can be at every row: each sort value has its type, or there is none. */
const havePositions = (rows: readonly Row[], { sort }: Query): boolean => {
  try {
    for (const row of rows) positionAt(sort, row, 'next')
    return true
  } catch {
    return false
  }
}

const isRefused = ({ refusesLists = false }: Pages, { lists }: Facet): boolean => refusesLists && lists.length > 0

const ofAllRows = ({ facets = [], search: _, restriction: __, ...query }: Query): Query => ({
  ...query,
  ...partsOfFilter(and()),
  facets: facets.map((facet) => ({ ...facet, filter: and() })),
})

/** The facets whose filters an engine evaluates as memory does. It can refuse, or evaluate in another way, the filters of others. */
export function comparedFacets(
  contender: Contender,
  pages: Pages,
  { facets = [], search: _, restriction: __, ...rest }: Query,
  rows: readonly Row[],
): readonly Facet[] {
  const isCompared = (filter: Filter): boolean => {
    const selects = { ...rest, ...partsOfFilter(filter) }
    try {
      return pages.excepts(selects, rows, pages.compile(selects)) === undefined
    } catch (error) {
      if (isRefusal(contender, error)) return false
      throw error
    }
  }
  // Another engine can count other rows than the first.
  const isDetermined = ({ filter, max = Infinity }: Facet): boolean =>
    contender.name === 'memory' || selectionOf(filter, rows).length <= max
  return facets.filter((facet) => !isRefused(pages, facet) && isDetermined(facet) && isCompared(facet.filter))
}

const sourceOf = (schema: Schema, { filter, ...query }: Query): string =>
  `const query = { ...${JSON.stringify(query)}, filter: ${filterSource(schema, filter)} }`

async function check(contender: Contender, situation: Situation): Promise<Counts> {
  const { storeOf, schema, rows, queries, restriction, moves, states } = situation
  const store = storeOf(schema)
  const { pages } = store
  if (pages === undefined) throw new TypeError('the contender reads no pages')
  type Said = Omit<Difference, 'schema' | 'rows' | 'layout' | 'said'>
  const differ = (said: readonly string[], difference: Said): never => {
    throw new Disagreed({ schema, rows, layout: store.layout, said, ...difference })
  }
  // Some cannot even store the rows.
  if (store.excepts(and(), rows, store.backend.compile(and())) === 'departure')
    return { pairs: 0, leftOut: queries.length, laws: 0 }
  let leftOut = 0
  await store.fill(rows).catch((error) => differ([], { expected: [], selected: String(error), output: undefined }))
  try {
    for (const query of queries) {
      const said = [sourceOf(schema, query)]
      let output: unknown
      let selected: Difference['selected']
      let count: number | undefined
      try {
        const page = pages.compile(query)
        if (pages.excepts(query, rows, page) !== undefined) {
          leftOut++
          continue
        }
        output = pages.show(page)
        selected = await pages.read(page)
        if (query.count) count = await pages.count(page)
      } catch (error) {
        if (isRefusal(contender, error)) {
          leftOut++
          continue
        }
        selected = String(error)
      }
      const expected = idsOf(query, rows)
      if (String(selected) !== String(expected)) differ(said, { expected, selected, output })
      const all = selectionOf(query.filter, rows).length
      if (query.count && count !== all) differ(said, { expected: `count ${all}`, selected: `count ${count}`, output })
      await checkFacets(query, said)
      const answer = await pages.answer?.(query).catch((error) => String(error))
      if (answer === undefined) continue
      if (typeof answer === 'string') differ(said, { expected: 'rows', selected: answer, output })
      checkAnswer(answer as Answer, query, all, said)
    }
    return { pairs: queries.length - leftOut, leftOut, laws: await checkLaws() }
  } finally {
    await store.drop()
  }

  /** Compares the values of facets, and of the same facets of all rows, which have statements of their own. */
  async function checkFacets(query: Query, said: readonly string[]): Promise<void> {
    if (pages!.facets === undefined) return
    for (const asked of [query, ofAllRows(query)]) {
      const compared = { ...asked, facets: comparedFacets(contender, pages!, asked, rows) }
      if (compared.facets.length === 0) continue
      const found = await pages!.facets(compared).catch((error) => String(error))
      const [expected, selected] = [facetsOf(compared, rows), found].map((one) => JSON.stringify(one))
      if (selected !== expected) differ(said, { expected: expected!, selected: selected!, output: compared.facets })
    }
  }

  /** The rows of the page, as JSON texts, and the number of all rows. */
  function checkAnswer({ page, count }: Answer, query: Query, all: number, said: readonly string[]): void {
    const isEmptyNull = !store.backend.capabilities.features.includes('empty-objects')
    const expected = answersOf(schema, query, rows, isEmptyNull)
    const found = textsOf(schema, page.rows, isEmptyNull)
    const [texts, whole] = [
      page.rows.map((row) => JSON.stringify(row)),
      { found: String(found), expected: String(expected) },
    ]
    if (whole.found !== whole.expected)
      differ(said, { expected: whole.expected, selected: texts.join(), output: whole.found })
    if (count !== all)
      differ(said, { expected: `count ${all}`, selected: `count ${JSON.stringify(count)}`, output: '' })
    const { next, previous } = page
    const cursors = JSON.stringify({ next: next !== undefined, previous: previous !== undefined })
    const hasMore = idsOf(query, rows).length > query.limit
    const isBackwards = query.position?.toward === 'previous'
    const isThere = { ahead: hasMore, back: page.rows.length > 0 && query.position !== undefined }
    const wanted = isBackwards ? { next: isThere.back, previous: hasMore } : { next: hasMore, previous: isThere.back }
    if (cursors !== JSON.stringify(wanted))
      differ(said, { expected: JSON.stringify(wanted), selected: cursors, output: '' })
  }

  /** Checks the laws of pages on the first query, and the laws of facets on the first query with facets. */
  async function checkLaws(): Promise<number> {
    const byId = new Map(rows.map((row) => [row.id, row]))
    const read: LawInput['read'] = async (query) => {
      const page = pages!.compile(query)
      if (pages!.excepts(query, rows, page) === 'departure') throw new Departs()
      return (await pages!.read(page)).map((id) => byId.get(id)!)
    }
    const { offset: _, position: __, ...query } = queries[0]!
    const ofPages: LawInput = {
      ...{ query, rows, restriction, moves, states, read },
      fill: async (state) => {
        await store.drop()
        await store.fill(state as readonly Row[])
      },
    }
    const more = [
      `const moves = ${JSON.stringify(moves)}`,
      `const states = ${JSON.stringify(states.map((state) => state.map(({ id }) => id)))}`,
    ]
    const first = queries.find(({ facets }) => facets !== undefined)
    // Most filters select fewer rows than a facet counts at most.
    const counted = first && (rows.length % 2 === 0 ? first : ofAllRows(first))
    return (
      (havePositions(rows, query) ? await checkEach(queryLaws, ofPages, more) : 0) +
      (counted === undefined || pages!.facets === undefined
        ? 0
        : await checkEach(facetLaws, {
            ...{ query: counted, rows, restriction, read },
            facets: countIn(pages!.facets),
          }))
    )
  }

  /** Facets, unless the engine departs for one of them. */
  function countIn(count: NonNullable<Pages['facets']>): FacetLawInput['facets'] {
    return async (query) => {
      const { facets = [], search: _, restriction: __, ...rest } = query
      if (facets.some((facet) => isRefused(pages!, facet))) throw new Departs()
      for (const { filter } of facets) {
        const selects = { ...rest, ...partsOfFilter(filter) }
        if (pages!.excepts(selects, rows, pages!.compile(selects)) === 'departure') throw new Departs()
      }
      return count(query)
    }
  }

  type Laws<Input> = readonly {
    readonly name: string
    readonly check: (input: Input) => Promise<Pick<BrokenLaw | BrokenFacetLaw, 'expected' | 'found'> | undefined>
  }[]
  async function checkEach<Input extends Pick<LawInput, 'query' | 'restriction'>>(
    laws: Laws<Input>,
    input: Input,
    more: readonly string[] = [],
  ): Promise<number> {
    let checked = 0
    for (const { name, check } of laws) {
      const broken = await check(input).catch((error) =>
        error instanceof Departs || isRefusal(contender, error) ? 'left out' : { expected: [], found: String(error) },
      )
      if (broken === 'left out') continue
      checked++
      const said = [
        sourceOf(schema, input.query),
        `const restriction = ${filterSource(schema, input.restriction)}`,
        ...more,
      ]
      if (broken !== undefined)
        differ(said, { law: name, expected: broken.expected, selected: broken.found, output: undefined })
    }
    return checked
  }
}

export const queries: Subject<Situation> = { option: ' --queries', situationsOf, check }
