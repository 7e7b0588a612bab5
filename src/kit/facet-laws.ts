/** The laws of facets: each compares the values that a backend counts with the rows that it reads. */
import {
  and,
  comparison,
  compareOf,
  not,
  presence,
  sameFilter,
  some,
  type Filter,
  type Literal,
} from '../tree/index.ts'
import {
  type FacetValue,
  type FacetValues,
  nameOfFacet,
  partsOfFilter,
  restrict,
  valueAt,
  type Facet,
  type Query,
} from '../query/index.ts'
import { own } from '../own.ts'
import type { FixtureRow } from './cases.ts'

/** The argument of a law of facets. */
export interface FacetLawInput {
  /** A query with facets. The laws ignore its position and its offset. */
  readonly query: Query
  /** All stored rows. */
  readonly rows: readonly FixtureRow[]
  /** Reads the rows of a query, as a backend reads them for `compileQuery`. */
  readonly read: (query: Query) => Promise<readonly FixtureRow[]>
  /** Counts the values of the facets of a query. */
  readonly facets: (query: Query) => Promise<FacetValues>
  readonly restriction: Filter
}
/** A broken law: the path of the facet, and counts or labels. */
export interface BrokenFacetLaw {
  readonly path: string
  /** The values whose counts or labels the law compares. Absent if the law compares their sum. */
  readonly values?: readonly FacetValue['value'][]
  readonly expected: readonly (number | string | null)[]
  readonly found: readonly (number | string | null)[]
}
/** A law of facets. */
export interface FacetLaw {
  readonly name: string
  /** Resolves to `undefined` if the law holds. Rejects if `read` or `facets` rejects. */
  readonly check: (input: FacetLawInput) => Promise<BrokenFacetLaw | undefined>
}

/** The filter of the rows with a value of a facet. `null` gives the rows without a value. */
function conditionOf({ lists, path, type }: Facet, value: FacetValue['value']): Filter {
  const inLists = (filter: Filter) => lists.reduceRight((inner, list) => some(list, inner), filter)
  return value === null
    ? not(inLists(presence(path, type)))
    : inLists(comparison(path, 'eq', { type, value } as Literal))
}

/** The rows that a filter selects. */
const rowsOf = async ({ query: { sort }, rows, read }: FacetLawInput, filter: Filter): Promise<readonly FixtureRow[]> =>
  read({ ...partsOfFilter(filter), sort, limit: Math.max(rows.length, 1), count: false })
const countOf = async (input: FacetLawInput, filter: Filter): Promise<number> => (await rowsOf(input, filter)).length

/** Checks one facet after the other, on its values. */
const ofEach =
  (check: (input: FacetLawInput, facet: Facet, values: readonly FacetValue[]) => Promise<Broken>): FacetLaw['check'] =>
  async (input) => {
    const { facets = [] } = input.query
    const answer = await input.facets(input.query)
    for (const facet of facets) {
      const path = nameOfFacet(facet)
      const broken = await check(input, facet, own(answer, path) ?? [])
      if (broken !== undefined) return { path, ...broken }
    }
    return undefined
  }
type Broken = Omit<BrokenFacetLaw, 'path'> | undefined

const countsOf = (values: readonly FacetValue[]): readonly number[] =>
  values.map(({ count }) => (typeof count === 'number' ? count : count.atLeast))
/** Whether a facet counts a part of its rows. */
const isBounded = (values: readonly FacetValue[]): boolean => values.some(({ count }) => typeof count !== 'number')
const mostOf = (facet: Facet): number => own(facet, 'max') ?? Infinity
const sumOf = (values: readonly FacetValue[]): number => countsOf(values).reduce((sum, count) => sum + count, 0)
const compare = (values: readonly FacetValue[], expected: readonly number[]): Broken => {
  const counts = countsOf(values)
  const isPart = isBounded(values)
  const isSame = expected.every((count, at) => (isPart ? counts[at]! <= count : count === counts[at]))
  return isSame ? undefined : { values: values.map(({ value }) => value), expected, found: counts }
}
/** Whether a facet has all values: at its limit, it can leave out others. */
const isWhole = ({ limit }: Facet, values: readonly FacetValue[]): boolean => values.length < limit

/** Compares the sum of all counts with the rows that a filter selects, up to `max`. A row can have several values in a list. */
async function compareSum(input: FacetLawInput, facet: Facet, values: readonly FacetValue[], filter: Filter) {
  if (!isWhole(facet, values)) return undefined
  const [rows, sum] = [Math.min(await countOf(input, filter), mostOf(facet)), sumOf(values)]
  return (facet.lists.length === 0 ? sum === rows : sum >= rows) ? undefined : { expected: [rows], found: [sum] }
}
/** Compares each count with the rows that a filter selects and that have the value. */
async function compareEach(input: FacetLawInput, facet: Facet, values: readonly FacetValue[], filter: Filter) {
  const counts: number[] = []
  for (const { value } of values) counts.push(await countOf(input, and(filter, conditionOf(facet, value))))
  return compare(values, counts)
}

/** The laws of facets, for property tests of a backend that counts values. Each law must hold for every query and all rows. */
export const facetLaws: readonly FacetLaw[] = Object.freeze([
  {
    name: 'the counts of a facet sum up to the rows, and in a list to at least as many',
    check: ofEach(async (input, facet, values) => compareSum(input, facet, values, facet.filter)),
  },
  {
    name: 'a facet whose field has no condition of its own counts the rows of the query',
    check: ofEach(async (input, facet, values) => {
      const { filter } = input.query
      return sameFilter(facet.filter, filter) ? compareSum(input, facet, values, filter) : undefined
    }),
  },
  {
    name: 'the count of a value is the number of the rows that have it',
    check: ofEach(async (input, facet, values) => compareEach(input, facet, values, facet.filter)),
  },
  {
    name: 'values are counted once each, and in their order',
    check: ofEach(async (_, { limit }, values) => {
      const counts = countsOf(values)
      const isSorted = counts.every((count, at) => count > 0 && (at === 0 || count <= counts[at - 1]!))
      const isOnce = new Set(values.map(({ value }) => value)).size === values.length && values.length <= limit
      return Promise.resolve(
        isSorted && isOnce ? undefined : { expected: counts.toSorted((a, b) => b - a), found: counts },
      )
    }),
  },
  {
    name: 'a restriction counts the rows that it selects, and raises no count',
    check: async (input) => {
      const { query, restriction } = input
      if (query.facets === undefined) return undefined
      const before = await input.facets(query)
      const checkRestricted = ofEach(async (law, facet, values) => {
        const path = nameOfFacet(facet)
        const wide = query.facets!.find((one) => nameOfFacet(one) === path)!
        const allowed = and(wide.filter, restriction)
        const broken =
          (await compareSum(law, facet, values, allowed)) ?? (await compareEach(law, facet, values, allowed))
        const all = own(before, path) ?? []
        if (broken !== undefined || !isWhole(wide, all) || isBounded(all)) return broken
        const most = values.map(({ value }) => sumOf(all.filter((one) => one.value === value)))
        return countsOf(values).every((count, at) => count <= most[at]!) ? undefined : compare(values, most)
      })
      return checkRestricted({ ...input, query: restrict(query, restriction) })
    },
  },
  {
    name: 'each count is a lower bound if the filter selects more rows than the maximum, and no count otherwise',
    check: ofEach(async (input, facet, values) => {
      const bounds = values.filter(({ count }) => typeof count !== 'number').length
      const isMore = values.length > 0 && (await countOf(input, facet.filter)) > mostOf(facet)
      const expected = isMore ? values.length : 0
      return bounds === expected ? undefined : { expected: [expected], found: [bounds] }
    }),
  },
  {
    name: 'a label is the least text of the rows with the value',
    check: ofEach(async (input, facet, values) => {
      const label = own(facet, 'label')
      if (label === undefined) return undefined
      const found = values.map((one) => one.label ?? null)
      const expected: (string | null)[] = []
      for (const [at, { value }] of values.entries()) {
        const ids = new Set((await rowsOf(input, and(facet.filter, conditionOf(facet, value)))).map(({ id }) => id))
        const texts = input.rows
          .flatMap((row) => (ids.has(row.id) ? [valueAt(row, label)] : []))
          .filter((text) => typeof text === 'string')
          .sort(compareOf.string)
        expected.push(
          isBounded(values) ? ([null, ...texts].find((text) => text === found[at]) ?? null) : (texts[0] ?? null),
        )
      }
      const isSame = expected.every((text, at) => text === found[at])
      return isSame ? undefined : { values: values.map(({ value }) => value), expected, found }
    }),
  },
] satisfies FacetLaw[])
