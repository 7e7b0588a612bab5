/** The laws of pages: each compares the rows that a backend reads page by page with those that it reads at once. */
import { and, type Filter } from '../tree/index.ts'
import {
  positionOfCursor,
  positionFilter,
  pageOf,
  positionAt,
  partsOfFilter,
  partsOfPageStart,
  restrict,
  withEveryProperty,
  type Position,
  type Query,
  asDeclared,
} from '../query/index.ts'
import type { FixtureRow } from './cases.ts'

/** The argument of a law of pages. */
export interface LawInput {
  /** A query without an offset. The laws ignore its position. */
  readonly query: Query
  /** All stored rows. */
  readonly rows: readonly FixtureRow[]
  /** Reads the rows of a query, as a backend reads them for `compileQuery`. */
  readonly read: (query: Query) => Promise<readonly FixtureRow[]>
  /** Stores these rows in place of all others. */
  readonly fill: (rows: readonly FixtureRow[]) => Promise<unknown>
  /** A walk back and forth, from the first page on. */
  readonly moves: readonly Position['toward'][]
  /** The stored rows at each page of a walk: parts of `rows`. The last part stays for all later pages. */
  readonly states: readonly (readonly FixtureRow[])[]
  readonly restriction: Filter
}
/** A broken law: ids in order. */
export interface BrokenLaw {
  readonly expected: readonly number[]
  readonly found: readonly number[]
}
/** A law of pages. */
export interface QueryLaw {
  readonly name: string
  /** Resolves to `undefined` if the law holds. Rejects if `read` rejects, or `toPage` refuses the rows. */
  readonly check: (input: LawInput) => Promise<BrokenLaw | undefined>
}

type Ids = readonly number[]
const idsOf = (rows: readonly FixtureRow[]): Ids => rows.map(({ id }) => id)
const compare = (expected: Ids, ids: Ids): BrokenLaw | undefined =>
  expected.length === ids.length && expected.every((id, at) => id === ids[at]) ? undefined : { expected, found: ids }

const withoutPosition = ({ filter, sort, limit, fields, count }: Query): Query => ({
  ...partsOfFilter(filter),
  sort,
  limit,
  count,
  ...(fields && { fields }),
})

/** The ids of all rows of a query, in its order, read at once. */
const all = async ({ query, rows, read }: Pick<LawInput, 'query' | 'rows' | 'read'>): Promise<Ids> =>
  idsOf(await read({ ...withoutPosition(query), limit: Math.max(rows.length, 1) }))

async function pageAt({ query, read }: LawInput, cursor?: string) {
  const first = withoutPosition(query)
  const place = cursor === undefined ? undefined : positionOfCursor(cursor, query.sort)
  const wanted = place === undefined ? first : { ...first, ...partsOfPageStart(place) }
  return pageOf(withEveryProperty(wanted), await read(wanted), () => asDeclared)
}

/** Reads every page to the last, and from it back to the first. A walk that does not end stops after twice as many pages as rows. */
async function walk(input: LawInput, beforePage?: (count: number) => Promise<unknown>) {
  let count = 0
  const turn = async (cursor?: string) => {
    await beforePage?.(count)
    count++
    return pageAt(input, cursor)
  }
  const isEndless = () => count > 2 * input.rows.length + 4
  let page = await turn()
  const forwards = [...idsOf(page.rows)]
  while (page.next !== undefined && !isEndless()) {
    page = await turn(page.next)
    forwards.push(...idsOf(page.rows))
  }
  const isEmpty = page.rows.length === 0
  const backwards = [...idsOf(page.rows)]
  while (page.previous !== undefined && !isEndless()) {
    page = await turn(page.previous)
    backwards.unshift(...idsOf(page.rows))
  }
  // An empty page has no cursor back.
  return { forwards, backwards: isEmpty ? undefined : backwards }
}

/** The ids of the pages of a walk back and forth through an order; a move beyond an end stays. */
function movesThrough(ids: Ids, limit: number, moves: LawInput['moves']): Ids {
  let [start, end] = [0, Math.min(limit, ids.length)]
  const pages = [...ids.slice(start, end)]
  for (const toward of moves) {
    if (toward === 'next' ? end === ids.length : start === 0) continue
    ;[start, end] = toward === 'next' ? [end, Math.min(end + limit, ids.length)] : [Math.max(0, start - limit), start]
    pages.push(...ids.slice(start, end))
  }
  return pages
}

const reversed = (sort: Query['sort']): Query['sort'] =>
  sort.map(({ nulls, ...key }) => ({
    ...key,
    direction: key.direction === 'ascending' ? 'descending' : 'ascending',
    ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }),
  }))

/** The laws of pages, for property tests of a backend. Each law must hold for every query and all rows. */
export const queryLaws: readonly QueryLaw[] = Object.freeze([
  {
    name: 'walking all pages forwards gives the sorted selection',
    check: async (input) => compare(await all(input), (await walk(input)).forwards),
  },
  {
    name: 'walking all pages backwards gives the sorted selection',
    check: async (input) => compare(await all(input), (await walk(input)).backwards ?? []),
  },
  {
    name: 'walking back and forth gives the pages of the sorted selection',
    check: async (input) => {
      let page = await pageAt(input)
      const pages = [...idsOf(page.rows)]
      for (const toward of input.moves) {
        const cursor = page[toward]
        if (cursor === undefined) continue
        page = await pageAt(input, cursor)
        pages.push(...idsOf(page.rows))
      }
      return compare(movesThrough(await all(input), input.query.limit, input.moves), pages)
    },
  },
  {
    name: 'rows that come and go between pages change nothing about the others',
    check: async (input) => {
      const { rows, states, fill } = input
      const staying = idsOf(rows).filter((id) => states.every((state) => idsOf(state).includes(id)))
      const expected = (await all(input)).filter((id) => staying.includes(id))
      try {
        const { forwards, backwards } = await walk(input, async (count) => {
          if (count < states.length) await fill(states[count]!)
        })
        for (const ids of backwards === undefined ? [forwards] : [forwards, backwards]) {
          if (new Set(ids).size < ids.length) return { expected, found: ids }
          const broken = compare(
            expected,
            ids.filter((id) => staying.includes(id)),
          )
          if (broken !== undefined) return broken
        }
        return undefined
      } finally {
        await fill(rows)
      }
    },
  },
  {
    name: 'a restriction leaves the rows that it selects, in their order',
    check: async (input) => {
      const { query, restriction } = input
      const selected = await all({ ...input, query: { ...withoutPosition(query), ...partsOfFilter(restriction) } })
      const expected = (await all(input)).filter((id) => selected.includes(id))
      return compare(expected, await all({ ...input, query: restrict(query, restriction) }))
    },
  },
  {
    name: 'the position as a filter reads the page after a row, and before it',
    check: async (input) => {
      const { query, read } = input
      const { sort, limit } = query
      const ids = await all(input)
      const stored = await read({ ...withoutPosition(query), limit: Math.max(input.rows.length, 1) })
      for (const [at, row] of stored.entries()) {
        for (const toward of ['next', 'previous'] as const) {
          const position = positionAt(sort, row, toward)
          // A position has no bad content.
          if (position === undefined) continue
          const whole = withoutPosition(query)
          const after = partsOfFilter(and(query.filter, positionFilter({ ...whole, position })))
          const rest = idsOf(await read({ ...whole, ...after, sort: toward === 'next' ? sort : reversed(sort) }))
          const expected = toward === 'next' ? ids.slice(at + 1) : ids.slice(0, at).reverse()
          const broken = compare(expected.slice(0, limit + 1), rest)
          if (broken !== undefined) return broken
        }
      }
      return undefined
    },
  },
] satisfies QueryLaw[])
