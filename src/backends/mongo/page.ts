/** The parts of a `find` that a query adds to its filter: sort, limit, skip and projection. */
import type { Path } from '../../ast/index.ts'
import { readingDirection } from '../../query/page/order.ts'
import type { Query } from '../../query/page/query.ts'
import { refusal, hasSpan, throwIssues } from '../issues.ts'
import type { MongoDocument } from './document.ts'
import { nameOf, type Storage } from './options.ts'

/** A query, for `find(filter, { sort, limit, skip, projection })`. */
export interface MongoQuery {
  readonly filter: MongoDocument
  /** Stored names; 1 is ascending, -1 descending. Documents without a value come before all values. */
  readonly sort: Readonly<Record<string, 1 | -1>>
  /** One more than the page has: it tells whether there is another page. */
  readonly limit: number
  readonly skip?: number
  /** The stored names of the query's fields and of the sort keys. */
  readonly projection?: Readonly<Record<string, 1>>
  /** The filter without the position, for `countDocuments`. */
  readonly count: MongoDocument
}

/** @throws FilterError when an object cannot have the sort keys in their order: it has names that are whole numbers first. */
function sortOf(storage: Storage, { sort, position }: Query): MongoQuery['sort'] {
  const keys = sort.map((key) => {
    const sign: 1 | -1 = readingDirection(key, position) === 'ascending' ? 1 : -1
    return [nameOf(storage, '', key.path), sign] as const
  })
  const document = Object.fromEntries(keys)
  const names = Object.keys(document)
  const moved = names.find((name, at) => name !== keys[at]![0])
  if (moved !== undefined) {
    const key = sort[keys.findIndex(([name]) => name === moved)]!
    // The key of a collection has no span. A client that chose the keys before it can choose others.
    const chosen = [key, ...sort].find(hasSpan) ?? key
    throwIssues([
      refusal(
        `a field whose name is a whole number, ${moved}, cannot be ordered by after another field`,
        chosen,
        moved,
      ),
    ])
  }
  return document
}

export function readingOf(storage: Storage, query: Query): Omit<MongoQuery, 'filter' | 'count'> {
  const { sort, limit, offset, fields } = query
  const projection = fields && projectionOf(storage, [...fields, ...sort.map(({ path }) => path)])
  return {
    sort: sortOf(storage, query),
    limit: limit + 1,
    ...(offset !== undefined && { skip: offset }),
    ...(projection && { projection }),
  }
}

/** MongoDB refuses a name beside one that it is in. */
function projectionOf(storage: Storage, paths: readonly Path[]): Readonly<Record<string, 1>> {
  const names = new Set(paths.map((path) => nameOf(storage, '', path)))
  const isInside = (name: string) => Array.from(names).some((other) => name.startsWith(`${other}.`))
  return Object.fromEntries(Array.from(names).flatMap((name) => (isInside(name) ? [] : [[name, 1 as const]])))
}
